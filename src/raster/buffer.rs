//! The pixels of one tile while it is painted: four planes a row, wide enough for a last group of lanes to overhang.

/// Lanes that a group may reach past a tile's right edge.
pub(super) const OVERHANG: usize = 16;

/// Light gathered and transmittance left, a row of each channel after the other.
#[derive(Debug, Default)]
pub(crate) struct TileBuffer {
    /// Canvas position of the tile's top-left pixel.
    pub(super) x: i32,
    pub(super) y: i32,
    pub(super) width: usize,
    pub(super) height: usize,
    /// Floats in a plane of a row.
    pub(super) stride: usize,
    /// `height` rows of red, green, blue, transmittance.
    pub(super) rows: Vec<f32>,
    /// All pixels before this one, row by row, are finished.
    finished: usize,
}

impl TileBuffer {
    /// Starts a tile: no light, everything shows through.
    pub(crate) fn start(&mut self, x: i32, y: i32, width: usize, height: usize) {
        (self.x, self.y, self.width, self.height) = (x, y, width, height);
        self.finished = 0;
        self.stride = width + OVERHANG;
        self.rows.clear();
        self.rows.resize(4 * self.stride * height, 0.0);
        for row in self.rows.chunks_exact_mut(4 * self.stride) {
            row[3 * self.stride..3 * self.stride + width].fill(1.0);
        }
    }

    /// The four planes of a row, from a column on.
    #[inline(always)]
    pub(super) fn planes(&mut self, row: usize, column: usize) -> [&mut [f32]; 4] {
        let start = 4 * self.stride * row;
        let rest = &mut self.rows[start..start + 4 * self.stride];
        let (red, rest) = rest.split_at_mut(self.stride);
        let (green, rest) = rest.split_at_mut(self.stride);
        let (blue, transmittance) = rest.split_at_mut(self.stride);
        [&mut red[column..], &mut green[column..], &mut blue[column..], &mut transmittance[column..]]
    }

    /// The transmittance of a row, from a column on.
    #[inline(always)]
    pub(super) fn rest(&self, row: usize, column: usize) -> &[f32] {
        let start = self.stride * (4 * row + 3);
        &self.rows[start + column..start + self.stride]
    }

    /// Whether no pixel of the tile lets anything through.
    ///
    /// Goes on from the pixel that still did when last asked, so a tile is looked at once, however often this is asked.
    #[inline(always)]
    pub(crate) fn is_finished(&mut self) -> bool {
        while self.finished < self.width * self.height {
            let (row, column) = (self.finished / self.width, self.finished % self.width);
            if self.rows[(4 * row + 3) * self.stride + column] > 0.0 {
                return false;
            }
            self.finished += 1;
        }
        true
    }
}
