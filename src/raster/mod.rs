//! Paints circles tile by tile: exact-area coverage, front to back, in `f32` planes that stay in the second-level cache.
//!
//! A pixel keeps the light it has gathered and its transmittance, the share of what lies below that still shows. A shape
//! takes `coverage × alpha` of the transmittance. A pixel is finished once next to nothing shows through: what lies below
//! weighs too little to be seen. That rule depends on one pixel's own past alone, so the cut of the picture into tiles
//! changes nothing; once all pixels of a tile are finished, the rest of its list is skipped.
//!
//! [`Stage::new`] lists the shapes by tile, [`Stage::paint`] finishes one tile. A stage lives for one picture; [`CircleBins`]
//! and [`Scratch`] keep their memory from one picture to the next.

mod batch;
mod blend;
mod block;
mod coverage;
mod fill;
mod resolve;
mod select;
mod shape;

use fearless_simd::{Level, dispatch};

use crate::frame::TileMut;
use crate::scene::circles::{CircleScene, Layer};
use crate::tiles::Culling;
use crate::tiles::circles::{BinnedChunk, CircleBins, CircleEntry, TileGrid};
use batch::{BATCH, BlockPainter, ShapeBatch};
use blend::BlendSpace;
use block::SIDE;
use shape::Paintable;

/// Side of a tile in pixels, unless the settings name one.
///
/// Tuned: benches/circles.rs W5, W6.
pub(crate) const TILE: u32 = 128;

/// A scene made ready for its tiles.
#[derive(Debug)]
pub(crate) struct Stage<'a> {
    scene: &'a CircleScene<'a>,
    bins: &'a CircleBins,
    culling: Culling,
    level: Level,
    space: BlendSpace,
}

/// Memory that a thread keeps from tile to tile.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    batch: ShapeBatch,
    painter: BlockPainter,
}

/// Counts of shapes before painting.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Census {
    /// Circles and ellipses.
    pub(crate) shapes: u64,
    /// Those that reach the canvas.
    pub(crate) visible: u64,
    /// Entries in the tiles' lists.
    pub(crate) binned: u64,
}

impl<'a> Stage<'a> {
    /// Lists the shapes by tile, for tiles of that side. Without culling every tile paints every shape.
    pub(crate) fn new(
        level: Level,
        scene: &'a CircleScene<'a>,
        tile: u32,
        culling: Culling,
        bins: &'a mut CircleBins,
    ) -> Self {
        let canvas = &scene.canvas;
        let grid = TileGrid::new(canvas.width, canvas.height, tile);
        bins.clear(scene.layers.len());
        if culling == Culling::On {
            for (index, layer) in scene.layers.iter().enumerate() {
                match layer {
                    Layer::Circles(circles) => bins.fill(level, index, circles, grid, Paintable::extent),
                    Layer::Ellipses(ellipses) => bins.fill(level, index, ellipses, grid, Paintable::extent),
                }
            }
        }
        Self { scene, bins, culling, level, space: BlendSpace::new(canvas.blend) }
    }

    /// Counts of shapes; without culling all are visible, in every tile.
    pub(crate) fn census(&self, tiles: u64) -> Census {
        let layers = self.scene.layers.iter();
        let shapes = layers.map(|layer| match layer {
            Layer::Circles(circles) => circles.len() as u64,
            Layer::Ellipses(ellipses) => ellipses.len() as u64,
        });
        let shapes = shapes.sum();
        match self.culling {
            Culling::On => Census { shapes, visible: self.bins.visible(), binned: self.bins.entries() },
            Culling::Off => Census { shapes, visible: shapes, binned: shapes * tiles },
        }
    }

    /// Number of shapes in a tile's lists.
    #[cfg(feature = "viewer")]
    pub(crate) fn kept(&self, tile: usize) -> u64 {
        (0..self.scene.layers.len())
            .flat_map(|layer| self.bins.layer(layer))
            .map(|chunk| chunk.tile(tile).len() as u64)
            .sum()
    }

    /// Paints the tile with number `index`, counted row by row of tiles.
    pub(crate) fn paint(&self, scratch: &mut Scratch, index: usize, tile: &mut TileMut<'_>) {
        let width = tile.rows.first().map_or(0, |row| row.len());
        let start =
            |edge: u32, step: usize| i32::try_from(edge as usize + step).expect("a frame has at most 2^30 pixels");
        for (top, rows) in (0..).step_by(SIDE).zip(tile.rows.chunks_mut(SIDE)) {
            for left in (0..width).step_by(SIDE) {
                let (x, y) = (start(tile.x, left), start(tile.y, top));
                scratch.painter.block.start(x, y, (width - left).min(SIDE), rows.len());
                self.paint_layers(scratch, index);
                let (block, canvas, space) = (&scratch.painter.block, &self.scene.canvas, &self.space);
                dispatch!(self.level, simd => resolve::resolve(simd, block, canvas, space, rows, left));
            }
        }
    }

    /// Paints the shapes of all layers, the topmost first, until the block is finished.
    fn paint_layers(&self, scratch: &mut Scratch, tile: usize) {
        for (index, layer) in self.scene.layers.iter().enumerate().rev() {
            let chunks = self.bins.layer(index);
            let is_finished = match layer {
                Layer::Circles(circles) => self.paint_layer(scratch, circles, chunks, tile),
                Layer::Ellipses(ellipses) => self.paint_layer(scratch, ellipses, chunks, tile),
            };
            if is_finished {
                return;
            }
        }
    }

    /// Paints a tile's shapes of one layer, the last first; returns whether the block is finished.
    fn paint_layer<T: Paintable>(
        &self,
        scratch: &mut Scratch,
        shapes: &[T],
        chunks: &[BinnedChunk],
        tile: usize,
    ) -> bool {
        let Scratch { batch, painter } = scratch;
        let mut paint = |shapes: &[T], entries: &[CircleEntry]| {
            batch.fetch(shapes, entries);
            painter.paint(self.level, batch, &self.space)
        };
        if self.culling == Culling::Off {
            let all: [CircleEntry; BATCH] = std::array::from_fn(CircleEntry::new);
            return shapes.rchunks(BATCH).any(|shapes| paint(shapes, &all[..shapes.len()]));
        }
        chunks.iter().rev().any(|chunk| {
            let shapes = &shapes[chunk.first..];
            chunk.tile(tile).rchunks(BATCH).any(|entries| paint(shapes, entries))
        })
    }
}
