//! Counts and times of a render.

use std::ops::Add;
use std::time::Duration;

/// Counts and times of a render.
///
/// ```
/// use roundel::circles::{CircleScene, PaintedCircle};
/// use roundel::{Frame, RenderSettings, Renderer, Srgba8};
///
/// let circles = [8.0, 500.0].map(|x| PaintedCircle::new([x, 8.0], 6.0, Srgba8::BLACK));
/// let scene = CircleScene::new(16, 16).with_layer(&circles[..]);
/// let mut frame = Frame::new(16, 16, Srgba8::WHITE)?;
/// let statistics = Renderer::new(&RenderSettings::default())?.render(&scene.into(), &mut frame)?;
/// assert_eq!((statistics.shapes, statistics.visible, statistics.culled), (2, 1, 1));
/// # Ok::<(), roundel::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Statistics {
    /// Shapes in the scene, copies counted.
    pub shapes: u64,
    /// Shapes that touch no pixel of the picture.
    pub culled: u64,
    /// Shapes that reach the picture.
    pub visible: u64,
    /// Pairs of a shape and a tile it reaches.
    pub binned: u64,
    /// Tiles of the picture.
    pub tiles: u64,
    /// Rays cast: primary, shadow and ambient occlusion.
    pub rays: u64,
    /// Time for culling, binning and acceleration structures.
    pub prepare: Duration,
    /// Time for painting or tracing, down to finished pixels.
    pub draw: Duration,
}

impl Statistics {
    /// The counts with their names, in the order of the fields.
    ///
    /// ```
    /// use roundel::Statistics;
    ///
    /// let counts = Statistics::default().counts();
    /// assert_eq!(counts[0], ("shapes", 0));
    /// ```
    #[must_use]
    pub const fn counts(&self) -> [(&'static str, u64); 6] {
        [
            ("shapes", self.shapes),
            ("culled", self.culled),
            ("visible", self.visible),
            ("binned", self.binned),
            ("tiles", self.tiles),
            ("rays", self.rays),
        ]
    }
}

impl Add for Statistics {
    type Output = Self;

    /// The statistics of two renders together.
    fn add(self, other: Self) -> Self {
        Self {
            shapes: self.shapes + other.shapes,
            culled: self.culled + other.culled,
            visible: self.visible + other.visible,
            binned: self.binned + other.binned,
            tiles: self.tiles + other.tiles,
            rays: self.rays + other.rays,
            prepare: self.prepare + other.prepare,
            draw: self.draw + other.draw,
        }
    }
}
