//! Paints circles tile by tile: exact-area coverage, front to back, in `f32` planes that stay in the second-level cache.
//!
//! A pixel keeps the light it has gathered and its transmittance, the share of what lies below that still shows. A shape
//! takes `coverage × alpha` of the transmittance. Once next to nothing shows through the pixel is finished:
//! what lies below weighs too little to be seen. That rule looks at one pixel's own past alone, so the cut of the picture
//! into tiles changes nothing; that all pixels of a tile are finished only saves looking at the rest of its list.
//!
//! [`Stage::new`] lists the shapes by tile, [`Stage::paint`] finishes one tile. A stage lives for one picture; [`Bins`] and
//! [`Desk`] keep their memory from one to the next.

mod arc;
mod bands;
mod batch;
mod block;
mod brush;
mod finish;
mod fixed;
mod paint;
mod precise;
mod rim;
mod shape;
mod tiny;

use fearless_simd::{Level, Simd, dispatch};

use crate::color::linear_from_srgb8;
use crate::frame::TileMut;
use crate::scene::circles::{Blend, CircleScene, Layer};
use crate::tiles::Culling;
use crate::tiles::circles::{Bins, Chunk, Grid};
use batch::{BATCH, Batch, Palette};
use block::SIDE;
use shape::{Source, Space};

/// Side of a tile when nobody says otherwise.
pub(crate) const TILE: u32 = 128;

/// A scene made ready for its tiles.
#[derive(Debug)]
pub(crate) struct Stage<'a> {
    scene: &'a CircleScene<'a>,
    bins: &'a Bins,
    culling: Culling,
    level: Level,
    space: Space,
}

/// What a thread keeps from tile to tile.
#[derive(Debug, Default)]
pub(crate) struct Desk {
    batch: Batch,
    palette: Palette,
}

/// What was looked at before painting.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Census {
    /// Circles and ellipses.
    pub(crate) shapes: u64,
    /// Those that reach the canvas.
    pub(crate) visible: u64,
    /// Entries in the tiles' lists.
    pub(crate) binned: u64,
}

/// The transmittance below which a pixel is finished: what lies below then weighs at most an eighth of an 8-bit step.
///
/// Of encoded values it weighs 255 · 2⁻¹¹. The transfer function is 12.92 times as steep in the dark: 255 · 12.92 · 2⁻¹⁵.
fn finished(blend: Blend) -> f32 {
    match blend {
        Blend::Srgb => 1.0 / 2048.0,
        Blend::Linear => 1.0 / 32768.0,
    }
}

impl<'a> Stage<'a> {
    /// Lists shapes for tiles of that side. Without culling every tile looks at every shape.
    pub(crate) fn new(
        level: Level,
        scene: &'a CircleScene<'a>,
        tile: u32,
        culling: Culling,
        bins: &'a mut Bins,
    ) -> Self {
        let canvas = &scene.canvas;
        let grid = Grid::new(canvas.width, canvas.height, tile);
        bins.clear(scene.layers.len());
        if culling == Culling::On {
            for (index, layer) in scene.layers.iter().enumerate() {
                match layer {
                    Layer::Circles(circles) => bins.fill(level, index, circles, grid, Source::extent),
                    Layer::Ellipses(ellipses) => bins.fill(level, index, ellipses, grid, Source::extent),
                }
            }
        }
        let channels = std::array::from_fn(|value| {
            let value = u8::try_from(value).expect("256 values");
            match canvas.blend {
                Blend::Srgb => f32::from(value) / 255.0,
                Blend::Linear => linear_from_srgb8(value),
            }
        });
        Self { scene, bins, culling, level, space: Space { channels, finished: finished(canvas.blend) } }
    }

    /// Counts of shapes; when nothing is culled all are visible, in every tile.
    pub(crate) fn census(&self, tiles: u64) -> Census {
        let layers = self.scene.layers.iter();
        let shapes = layers.map(|layer| match layer {
            Layer::Circles(circles) => circles.len() as u64,
            Layer::Ellipses(ellipses) => ellipses.len() as u64,
        });
        let shapes = shapes.sum();
        match self.culling {
            Culling::On => Census { shapes, visible: self.bins.visible(), binned: self.bins.pairs() },
            Culling::Off => Census { shapes, visible: shapes, binned: shapes * tiles },
        }
    }

    /// Shapes in a tile's lists.
    #[cfg(feature = "viewer")]
    pub(crate) fn kept(&self, tile: usize) -> u64 {
        (0..self.scene.layers.len())
            .flat_map(|layer| self.bins.layer(layer))
            .map(|chunk| chunk.tile(tile).len() as u64)
            .sum()
    }

    /// Paints the tile that is number `index`, row by row of tiles.
    pub(crate) fn paint(&self, desk: &mut Desk, index: usize, tile: &mut TileMut<'_>) {
        let width = tile.rows.first().map_or(0, |row| row.len());
        let start =
            |edge: u32, step: usize| i32::try_from(edge as usize + step).expect("a frame has at most 2^30 pixels");
        for (top, rows) in (0..).step_by(SIDE).zip(tile.rows.chunks_mut(SIDE)) {
            for left in (0..width).step_by(SIDE) {
                desk.palette.block.start(start(tile.x, left), start(tile.y, top), (width - left).min(SIDE), rows.len());
                dispatch!(self.level, simd => self.paint_layers(simd, desk, index));
                let (block, canvas) = (&desk.palette.block, &self.scene.canvas);
                dispatch!(self.level, simd => finish::finish(simd, block, canvas, &self.space.channels, rows, left));
            }
        }
    }

    #[inline(always)]
    fn paint_layers<S: Simd>(&self, simd: S, desk: &mut Desk, tile: usize) {
        for (index, layer) in self.scene.layers.iter().enumerate().rev() {
            let chunks = self.bins.layer(index);
            let finished = match layer {
                Layer::Circles(circles) => self.paint_layer(simd, desk, circles, chunks, tile),
                Layer::Ellipses(ellipses) => self.paint_layer(simd, desk, ellipses, chunks, tile),
            };
            if finished {
                return;
            }
        }
    }

    /// Paints a tile's shapes of one layer, last first; true once the tile is finished.
    #[inline(always)]
    fn paint_layer<S: Simd, T: Source>(
        &self,
        simd: S,
        desk: &mut Desk,
        shapes: &[T],
        chunks: &[Chunk],
        tile: usize,
    ) -> bool {
        let Desk { batch, palette } = desk;
        if self.culling == Culling::Off {
            return shapes.rchunks(BATCH).any(|shapes| {
                batch.fetch(shapes.iter().rev().map(|shape| (*shape, false)));
                batch.paint(simd, palette, &self.space)
            });
        }
        chunks.iter().rev().any(|chunk| {
            let shapes = &shapes[chunk.first..];
            chunk.tile(tile).rchunks(BATCH).any(|entries| {
                batch.fetch(entries.iter().rev().map(|entry| (shapes[entry.index()], entry.is_whole())));
                batch.paint(simd, palette, &self.space)
            })
        })
    }
}
