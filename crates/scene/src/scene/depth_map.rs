//! A depth buffer of the nearest hits of a picture.

/// The depths of the nearest spheres, along the line of sight in world units; infinite where there is none.
#[derive(Clone, Debug)]
pub struct DepthMap {
    /// Columns of pixels, margin included.
    pub width: usize,
    /// Pixels around the picture.
    margin: u32,
    /// Depths per pixel, stored consecutively.
    samples: usize,
    pub depths: Vec<f32>,
}

impl DepthMap {
    /// An empty map.
    pub fn new([width, height]: [u32; 2], margin: u32, samples: usize) -> Self {
        let [width, height] = [width, height].map(|side| (side + 2 * margin) as usize);
        Self { width, margin, samples, depths: vec![f32::INFINITY; width * samples * height] }
    }

    /// Sets the depths of a rectangle of the picture and its margin, from its corner and its number of columns.
    #[inline]
    pub fn set(&mut self, corner: [i32; 2], columns: usize, depths: &[f32]) {
        let [x, y] = corner.map(|first| (first + self.margin.cast_signed()).cast_unsigned() as usize);
        for (row, depths) in (y..).zip(depths.chunks(columns)) {
            self.depths[row * self.width + x..][..columns].copy_from_slice(depths);
        }
    }

    /// The share of a pixel's samples that show nothing nearer than this.
    pub(crate) fn share_beyond(&self, [x, y]: [u32; 2], depth: f64) -> f64 {
        let first = (y as usize * self.width + x as usize) * self.samples;
        let beyond = self.depths[first..first + self.samples].iter().filter(|found| f64::from(**found) > depth);
        beyond.count() as f64 / self.samples as f64
    }
}
