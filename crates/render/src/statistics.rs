//! Counts and times of a render, and of a stream.

use std::ops::Add;
use std::time::Duration;

/// Counts and times of a render.
///
/// ```
/// # use roundel_render as roundel;
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
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
    /// Samples of spheres and of fragments that were shaded, other than by the headlight alone.
    pub shaded: u64,
    /// Points for which openness, or the share of a soft light, was found without rays.
    pub lit: u64,
    /// Occluders, each a shape or a cluster of shapes, whose light was taken from surfaces without rays.
    pub occluders: u64,
    /// Samples compared with the edge of a shape, for outlines.
    pub edges: u64,
    /// Time for culling, binning and acceleration structures.
    pub prepare: Duration,
    /// Time for painting or tracing, down to finished pixels.
    pub draw: Duration,
}

impl Statistics {
    /// The counts with their names, in the order of the fields.
    ///
    /// ```
    /// # use roundel_render as roundel;
    /// use roundel::Statistics;
    ///
    /// let counts = Statistics::default().counts();
    /// assert_eq!(counts[0], ("shapes", 0));
    /// ```
    #[must_use]
    pub const fn counts(&self) -> [(&'static str, u64); 10] {
        [
            ("shapes", self.shapes),
            ("culled", self.culled),
            ("visible", self.visible),
            ("binned", self.binned),
            ("tiles", self.tiles),
            ("rays", self.rays),
            ("shaded", self.shaded),
            ("lit", self.lit),
            ("occluders", self.occluders),
            ("edges", self.edges),
        ]
    }
}

impl Add for Statistics {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            shapes: self.shapes + other.shapes,
            culled: self.culled + other.culled,
            visible: self.visible + other.visible,
            binned: self.binned + other.binned,
            tiles: self.tiles + other.tiles,
            rays: self.rays + other.rays,
            shaded: self.shaded + other.shaded,
            lit: self.lit + other.lit,
            occluders: self.occluders + other.occluders,
            edges: self.edges + other.edges,
            prepare: self.prepare + other.prepare,
            draw: self.draw + other.draw,
        }
    }
}

/// Counts and times of a [`SphereStream`](crate::SphereStream), or of a [`CircleStream`](crate::CircleStream).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct StreamStatistics {
    /// Shapes that were added.
    pub shapes: u64,
    /// Shapes that reach the picture, hidden or visible.
    pub reaching: u64,
    /// Shapes that passed culling and were searched for in the tiles.
    pub tested: u64,
    /// Number of such searches.
    pub blocks: u64,
    /// Visible spheres; unknown for circles.
    pub visible: u64,
    /// Hidden spheres that cast shadows on visible ones; at most one per blocked ray.
    pub casters: u64,
    /// Time between blocks, while the caller reads or waits.
    pub read: Duration,
    /// Time for culling, and for generating shapes.
    pub cull: Duration,
    /// Time for finding spheres in the tiles, or for painting circles.
    pub find: Duration,
}

impl StreamStatistics {
    /// Adds the times and counts of another pass over the same shapes.
    #[must_use]
    pub fn with_pass(self, pass: Self) -> Self {
        let Self { shapes, reaching, visible, .. } = self;
        Self { shapes, reaching, visible, ..self + pass }
    }
}

impl Add for StreamStatistics {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            shapes: self.shapes + other.shapes,
            reaching: self.reaching + other.reaching,
            tested: self.tested + other.tested,
            blocks: self.blocks + other.blocks,
            visible: self.visible + other.visible,
            casters: self.casters + other.casters,
            read: self.read + other.read,
            cull: self.cull + other.cull,
            find: self.find + other.find,
        }
    }
}
