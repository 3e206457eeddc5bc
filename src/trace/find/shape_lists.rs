//! Cylinders, ellipsoids and cones, listed by the tiles that they can touch: a list holds one kind.

use fearless_simd::Level;

use crate::scene::{Placeable, PlacedList, PlacedShapes};
use crate::tiles::sphere_bins::{SphereBins, SphereEntry};
use crate::tiles::sphere_projector::SphereProjector;

/// The shapes of a scene that are not spheres, by tile.
#[derive(Debug)]
pub(crate) struct ShapeBins {
    cylinders: SphereBins,
    ellipsoids: SphereBins,
    cones: SphereBins,
}

/// A tile's lists of entries.
pub(crate) struct ShapeLists<'a> {
    pub cylinders: Vec<&'a [SphereEntry]>,
    pub ellipsoids: Vec<&'a [SphereEntry]>,
    pub cones: Vec<&'a [SphereEntry]>,
}

impl ShapeBins {
    /// The lists of all shapes that are visited; `None` if there are none.
    pub(crate) fn new(
        level: Level,
        shapes: &PlacedShapes<'_>,
        projector: &SphereProjector,
        tile: u32,
        margins: [u32; 2],
    ) -> Option<Self> {
        shapes.has_any().then(|| Self {
            cylinders: SphereBins::of_shapes(level, &shapes.cylinders, projector, tile, margins),
            ellipsoids: SphereBins::of_shapes(level, &shapes.ellipsoids, projector, tile, margins),
            cones: SphereBins::of_shapes(level, &shapes.cones, projector, tile, margins),
        })
    }

    /// The lists for the tile that contains a pixel.
    pub(crate) fn lists(&self, x: i32, y: i32) -> ShapeLists<'_> {
        let Self { cylinders, ellipsoids, cones } = self;
        ShapeLists { cylinders: cylinders.lists(x, y), ellipsoids: ellipsoids.lists(x, y), cones: cones.lists(x, y) }
    }

    /// The shapes in the lists for the tile that contains a pixel, with indices among all instances.
    pub(crate) fn entries(&self, shapes: &PlacedShapes<'_>, x: i32, y: i32) -> Vec<SphereEntry> {
        fn append<T: Placeable>(lists: &[&[SphereEntry]], list: &PlacedList<'_, T>, entries: &mut Vec<SphereEntry>) {
            let indexed = |entry: &SphereEntry| SphereEntry { index: list.index(entry.index), ..*entry };
            entries.extend(lists.iter().copied().flatten().map(indexed));
        }
        let ShapeLists { cylinders, ellipsoids, cones } = self.lists(x, y);
        let mut entries = Vec::new();
        append(&cylinders, &shapes.cylinders, &mut entries);
        append(&ellipsoids, &shapes.ellipsoids, &mut entries);
        append(&cones, &shapes.cones, &mut entries);
        entries
    }

    /// Whether no shape was left out for its opacity.
    pub(crate) fn has_all(&self) -> bool {
        self.all().iter().all(|bins| bins.has_all)
    }

    fn all(&self) -> [&SphereBins; 3] {
        [&self.cylinders, &self.ellipsoids, &self.cones]
    }

    /// Shapes that reach the picture.
    pub(crate) fn visible(&self) -> u64 {
        self.all().iter().map(|bins| bins.visible).sum()
    }

    /// Entries in all lists.
    pub(crate) fn binned(&self) -> u64 {
        self.all().iter().map(|bins| bins.binned).sum()
    }
}
