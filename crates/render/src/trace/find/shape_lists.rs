//! Bins the shapes other than spheres by tile: each list holds one kind.

use fearless_simd::Level;

use crate::scene::{Placeable, PlacedList, PlacedShapes};
use crate::shapes::{ListVisitor, Primitive, visit_lists};
use crate::tiles::sphere_bins::{SphereBins, SphereEntry};
use crate::tiles::sphere_projector::SphereProjector;

/// The shapes of a scene that are not spheres, by tile.
#[derive(Debug)]
pub(crate) struct ShapeBins {
    /// In the order of [`PlacedShapes::visit_lists`].
    kinds: Vec<SphereBins>,
}

impl ShapeBins {
    /// Bins the shapes; `None` if there are none.
    pub(crate) fn new(
        level: Level,
        shapes: &PlacedShapes<'_>,
        projector: &SphereProjector,
        tile: u32,
        margins: [u32; 2],
    ) -> Option<Self> {
        shapes.has_any().then(|| {
            let mut binning = ShapeBinning { level, projector, tile, margins, kinds: Vec::new() };
            visit_lists(shapes, &mut binning);
            Self { kinds: binning.kinds }
        })
    }

    /// The lists of each kind for the tile that contains a pixel.
    pub(crate) fn lists(&self, x: i32, y: i32) -> Vec<Vec<&[SphereEntry]>> {
        self.kinds.iter().map(|bins| bins.lists(x, y)).collect()
    }

    /// The shapes of all kinds for the tile that contains a pixel, with indices among all instances.
    pub(crate) fn entries(&self, shapes: &PlacedShapes<'_>, x: i32, y: i32) -> Vec<SphereEntry> {
        let mut indexing = ShapeIndexing { kinds: self.kinds.iter(), pixel: [x, y], entries: Vec::new() };
        visit_lists(shapes, &mut indexing);
        indexing.entries
    }

    /// Whether no shape was left out for its opacity.
    pub(crate) fn has_all(&self) -> bool {
        self.kinds.iter().all(|bins| bins.has_all)
    }

    /// Shapes that reach the picture.
    pub(crate) fn visible(&self) -> u64 {
        self.kinds.iter().map(|bins| bins.visible).sum()
    }

    /// Entries in all lists.
    pub(crate) fn binned(&self) -> u64 {
        self.kinds.iter().map(|bins| bins.binned).sum()
    }
}

struct ShapeBinning<'a> {
    level: Level,
    projector: &'a SphereProjector,
    tile: u32,
    margins: [u32; 2],
    kinds: Vec<SphereBins>,
}

impl ListVisitor for ShapeBinning<'_> {
    fn visit<T: Placeable<Solid: Primitive>>(&mut self, list: &PlacedList<'_, T>) {
        let Self { level, projector, tile, margins, .. } = *self;
        self.kinds.push(SphereBins::of_shapes(level, list, projector, tile, margins));
    }
}

struct ShapeIndexing<'a> {
    kinds: std::slice::Iter<'a, SphereBins>,
    pixel: [i32; 2],
    entries: Vec<SphereEntry>,
}

impl ListVisitor for ShapeIndexing<'_> {
    fn visit<T: Placeable>(&mut self, list: &PlacedList<'_, T>) {
        let [x, y] = self.pixel;
        let indexed = |entry: &SphereEntry| SphereEntry { index: list.index(entry.index), ..*entry };
        let lists = self.kinds.next().into_iter().flat_map(|bins| bins.lists(x, y));
        self.entries.extend(lists.flatten().map(indexed));
    }
}
