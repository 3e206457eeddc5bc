//! Paints circles tile by tile: exact-area coverage, front to back, in `f32` planes that stay in the L2 cache.
//!
//! A pixel keeps its accumulated colour and its transmittance. A shape takes `coverage × alpha` of the transmittance. A
//! pixel is finished once its transmittance is below the visible threshold. That rule depends on the pixel's own
//! history alone, so it does not matter where tiles are cut; once all pixels of a block are finished, the rest of the
//! tile's list is skipped.
//!
//! [`PreparedCircles::new`] lists the shapes by tile, [`PreparedCircles::paint`] finishes one tile. A `PreparedCircles`
//! lives for one picture; [`CircleBins`] and [`PaintScratch`] keep their memory from one picture to the next.

mod batch;
mod blend;
mod block;
mod coverage;
mod fill;
mod resolve;
mod segments;
mod select;
mod shape;

use fearless_simd::{Level, dispatch};

use crate::frame::TileMut;
use crate::scene::circles::{Canvas, CircleScene, Layer, PaintedSegment};
use crate::tiles::Culling;
use crate::tiles::circles::{BinnedChunk, CircleBins, CircleEntry, TileGrid};
use batch::{BATCH, BlockPainter, ShapeBatch};
use blend::BlendSpace;
use block::{PixelBlock, SIDE};
use shape::{Paintable, segment_extent};

/// Side of a tile in pixels, unless the settings name one.
///
/// Tuned: benches/circles.rs W5, W6.
pub(crate) const TILE: u32 = 128;

/// A scene made ready for its tiles.
#[derive(Debug)]
pub(crate) struct PreparedCircles<'a> {
    scene: &'a CircleScene<'a>,
    bins: &'a CircleBins,
    culling: Culling,
    level: Level,
    space: BlendSpace,
}

/// Memory that a thread keeps from tile to tile.
#[derive(Debug, Default)]
pub(crate) struct PaintScratch {
    batch: ShapeBatch,
    painter: BlockPainter,
}

/// A tile painted in several passes, from the topmost layers down.
#[derive(Debug)]
pub(crate) struct UnfinishedTile {
    /// The tile's row-major index.
    index: usize,
    /// Its blocks in row-major order, each with whether it is finished.
    blocks: Vec<(PixelBlock, bool)>,
}

impl UnfinishedTile {
    /// Bytes per pixel.
    pub(crate) const PIXEL: u64 = 20;

    /// A tile on which nothing has been painted.
    pub(crate) fn new(index: usize, tile: &TileMut<'_>) -> Self {
        let blocks = tile_blocks(tile).map(|[left, top, width, height]| {
            let mut block = PixelBlock::default();
            block.start(canvas_place(tile.x, left), canvas_place(tile.y, top), width, height);
            (block, false)
        });
        Self { index, blocks: blocks.collect() }
    }

    /// Resolves the painted blocks to the pixels of the tile.
    pub(crate) fn resolve(&self, level: Level, canvas: &Canvas, tile: &mut TileMut<'_>) {
        let space = BlendSpace::new(canvas.blend);
        for ((block, _), [left, top, _, height]) in self.blocks.iter().zip(tile_blocks(tile)) {
            let rows = &mut tile.rows[top..top + height];
            dispatch!(level, simd => resolve::resolve(simd, block, canvas, &space, &mut *rows, &mut [], left));
        }
    }
}

/// Left, top, width and height of each block of a tile, relative to the tile's corner.
fn tile_blocks(tile: &TileMut<'_>) -> impl Iterator<Item = [usize; 4]> + use<> {
    let (width, height) = (tile.rows.first().map_or(0, |row| row.len()), tile.rows.len());
    let tops = (0..height).step_by(SIDE);
    tops.flat_map(move |top| {
        (0..width).step_by(SIDE).map(move |left| [left, top, (width - left).min(SIDE), (height - top).min(SIDE)])
    })
}

/// Canvas coordinate of a column or row of the tile that starts at `edge`.
fn canvas_place(edge: u32, step: usize) -> i32 {
    i32::try_from(edge as usize + step).expect("a frame has at most 2^30 pixels")
}

/// Counts of shapes before painting.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ShapeCounts {
    /// Circles and ellipses.
    pub(crate) shapes: u64,
    /// Shapes that reach the canvas.
    pub(crate) visible: u64,
    /// Entries in the tiles' lists.
    pub(crate) binned: u64,
}

impl<'a> PreparedCircles<'a> {
    /// Bins the shapes into tiles of this side. Without culling every tile paints every shape.
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
                    Layer::Segments(segments) => bins.fill_segments(index, segments, grid, segment_extent),
                }
            }
        }
        Self { scene, bins, culling, level, space: BlendSpace::new(canvas.blend) }
    }

    /// Counts of shapes; without culling all are visible, in every tile.
    pub(crate) fn census(&self, tiles: u64) -> ShapeCounts {
        let shapes = self.scene.layers.iter().map(|layer| layer.len() as u64).sum();
        match self.culling {
            Culling::On => ShapeCounts { shapes, visible: self.bins.visible(), binned: self.bins.entries() },
            Culling::Off => ShapeCounts { shapes, visible: shapes, binned: shapes * tiles },
        }
    }

    /// Number of shapes in a tile's lists.
    pub(crate) fn kept(&self, tile: usize) -> u64 {
        (0..self.scene.layers.len())
            .flat_map(|layer| self.bins.layer(layer))
            .map(|chunk| chunk.tile(tile).len() as u64)
            .sum()
    }

    /// Paints the tile with this row-major index.
    pub(crate) fn paint(&self, scratch: &mut PaintScratch, index: usize, tile: &mut TileMut<'_>) {
        let width = tile.rows.first().map_or(0, |row| row.len());
        let mut bands = tile.colors.chunks_mut(SIDE);
        for (top, rows) in (0..).step_by(SIDE).zip(tile.rows.chunks_mut(SIDE)) {
            let colors = bands.next().unwrap_or_default();
            for left in (0..width).step_by(SIDE) {
                let (x, y) = (canvas_place(tile.x, left), canvas_place(tile.y, top));
                scratch.painter.block.start(x, y, (width - left).min(SIDE), rows.len());
                self.paint_layers(scratch, index);
                let (block, canvas, space) = (&scratch.painter.block, &self.scene.canvas, &self.space);
                dispatch!(self.level, simd => resolve::resolve(simd, block, canvas, space, &mut *rows, &mut *colors, left));
            }
        }
    }

    /// Paints shapes below the content of a tile; returns whether the tile is finished.
    pub(crate) fn paint_below(&self, scratch: &mut PaintScratch, tile: &mut UnfinishedTile) -> bool {
        let index = tile.index;
        for (block, is_finished) in tile.blocks.iter_mut().filter(|(_, is_finished)| !is_finished) {
            std::mem::swap(&mut scratch.painter.block, block);
            *is_finished = self.paint_layers(scratch, index);
            std::mem::swap(&mut scratch.painter.block, block);
        }
        tile.blocks.iter().all(|(_, is_finished)| *is_finished)
    }

    /// Paints the shapes of all layers, the topmost first, until the block is finished; returns whether it is.
    fn paint_layers(&self, scratch: &mut PaintScratch, tile: usize) -> bool {
        for (index, layer) in self.scene.layers.iter().enumerate().rev() {
            let chunks = self.bins.layer(index);
            let is_finished = match layer {
                Layer::Circles(circles) => self.paint_layer(scratch, circles, chunks, tile),
                Layer::Ellipses(ellipses) => self.paint_layer(scratch, ellipses, chunks, tile),
                Layer::Segments(segments) => self.paint_segments(scratch, segments, chunks, tile),
            };
            if is_finished {
                return true;
            }
        }
        false
    }

    /// Paints a tile's segments of one layer, the last first; returns whether the block is finished.
    fn paint_segments(
        &self,
        scratch: &mut PaintScratch,
        segments: &[PaintedSegment],
        chunks: &[BinnedChunk],
        tile: usize,
    ) -> bool {
        let block = &mut scratch.painter.block;
        if self.culling == Culling::Off {
            let mut batches = segments.rchunks(BATCH);
            return batches.any(|batch| segments::paint(self.level, block, batch.iter().rev(), &self.space));
        }
        chunks.iter().rev().any(|chunk| {
            let shapes = &segments[chunk.first..];
            let mut batches = chunk.tile(tile).rchunks(BATCH);
            batches.any(|batch| {
                let batch = batch.iter().rev().map(|entry| &shapes[entry.index()]);
                segments::paint(self.level, block, batch, &self.space)
            })
        })
    }

    /// Paints a tile's shapes of one layer, the last first; returns whether the block is finished.
    fn paint_layer<T: Paintable>(
        &self,
        scratch: &mut PaintScratch,
        shapes: &[T],
        chunks: &[BinnedChunk],
        tile: usize,
    ) -> bool {
        let PaintScratch { batch, painter } = scratch;
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

#[cfg(test)]
mod tests {
    #![expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "bytes; pixels of a block")]

    use super::*;
    use crate::color::{Srgba8, srgb8_from_linear};
    use crate::frame::Frame;
    use crate::scene::circles::{Blend, PaintedEllipse, Stroke, Style};
    use block::PlaneRow;
    use coverage::scalar;
    use select::Kernel;
    use shape::RasterShape;

    /// Weight of a pixel by the formula of the shape's kernel.
    fn weight(shape: &RasterShape, pixel: [i32; 2]) -> f32 {
        let formula = match Kernel::of(shape) {
            Kernel::Float => scalar::float,
            Kernel::Fixed => scalar::fixed,
            Kernel::PerPixel => scalar::per_pixel,
        };
        let outer = formula(shape, shape.radii, pixel);
        shape.hole.map_or(outer, |hole| outer - formula(shape, hole, pixel))
    }

    /// A pixel's red, green, blue and transmittance, one shape after the other, the topmost first.
    fn planes(canvas: &Canvas, shapes: &[PaintedEllipse], pixel: [i32; 2]) -> [f32; 4] {
        let space = BlendSpace::new(canvas.blend);
        let [mut red, mut green, mut blue, mut transmittance] = [0.0, 0.0, 0.0, 1.0];
        for shape in shapes.iter().rev().map(Paintable::shape) {
            let share = transmittance * weight(&shape, pixel);
            let Srgba8 { r, g, b, .. } = shape.color;
            red += share * space.channels[usize::from(r)];
            green += share * space.channels[usize::from(g)];
            blue += share * space.channels[usize::from(b)];
            let after = transmittance - share;
            transmittance = if after >= blend::finished(canvas.blend) { after } else { 0.0 };
        }
        [red, green, blue, transmittance]
    }

    /// The background below a pixel, straight alpha, rounded.
    fn resolve(canvas: &Canvas, [red, green, blue, transmittance]: [f32; 4]) -> Srgba8 {
        let Srgba8 { r, g, b, a } = canvas.background;
        let space = BlendSpace::new(canvas.blend);
        let opacity = f32::from(a) / 255.0;
        let below = transmittance * opacity;
        let alpha = 1.0 - transmittance * (1.0 - opacity);
        let byte = |value: f32| (value * 255.0 + 0.5).min(255.0) as u8;
        let channel = |light: f32, background: u8| {
            let light = light + below * space.channels[usize::from(background)];
            let light = if a < 255 { light / alpha.max(f32::MIN_POSITIVE) } else { light };
            match canvas.blend {
                Blend::Srgb => byte(light),
                Blend::Linear => srgb8_from_linear(light),
            }
        };
        Srgba8 { r: channel(red, r), g: channel(green, g), b: channel(blue, b), a: byte(alpha) }
    }

    /// Circles, ellipses and outlines for all kernels, their rims on the canvas.
    fn shapes(canvas: &Canvas) -> Vec<PaintedEllipse> {
        let radii = [0.3, 0.9, 1.4, 1.9, 2.6, 4.1, 6.9, 7.4, 12.3, 21.0, 30.0, 63.0, 150.0, 900.0, 1500.0, 4e4, 2e5];
        let shape = |index: u8| {
            let fraction = |ratio: f32| (f32::from(index) * ratio).fract();
            let radius = radii[usize::from(index) % radii.len()];
            // the scalar formula for single pixels knows only circles
            let flatten = if index.is_multiple_of(3) && radius < 1e5 { 1.0 - 0.8 * fraction(0.382) } else { 1.0 };
            let radii = [radius, radius * flatten];
            let toward = [[0.6, 0.8], [-0.8, 0.6], [1.0, 0.0], [0.0, -1.0]][usize::from(index) % 4];
            let place = [canvas.width as f32 * fraction(0.618), canvas.height as f32 * fraction(0.755)];
            let center = [place[0] - toward[0] * radii[0], place[1] - toward[1] * radii[1]];
            let stroke = Stroke::new(0.4 + 9.0 * fraction(0.57));
            let style = if index % 5 < 2 { Style::Stroke(stroke) } else { Style::Fill };
            let alpha = if index % 40 == 12 { 255 } else { 3 + index / 8 };
            let color = Srgba8 { r: index.wrapping_mul(37), g: index.wrapping_mul(101), b: index, a: alpha };
            PaintedEllipse { center, radii: radii.map(f64::from), style, color }
        };
        (0..204).map(shape).collect()
    }

    #[test]
    fn every_level_paints_the_bits_of_the_scalar_formulas() {
        let canvas = Canvas { width: 150, height: 140, background: Srgba8::WHITE, blend: Blend::Srgb };
        let glass = Canvas { background: Srgba8::rgb(200, 90, 30).with_alpha(70), blend: Blend::Linear, ..canvas };
        for canvas in [canvas, glass] {
            let shapes = shapes(&canvas);
            for kernel in [Kernel::Float, Kernel::Fixed, Kernel::PerPixel] {
                assert!(shapes.iter().any(|shape| Kernel::of(&shape.shape()) == kernel), "{kernel:?}");
            }
            let pixels = |y: i32| (0..150).map(move |x| [x, y]);
            let expected: Vec<_> = (0..140).flat_map(pixels).map(|pixel| planes(&canvas, &shapes, pixel)).collect();
            let scene = CircleScene { canvas, layers: vec![Layer::Ellipses(shapes.into())] };
            for level in crate::simd::levels() {
                let (mut bins, mut scratch) = (CircleBins::default(), PaintScratch::default());
                let mut frame = Frame::new(canvas.width, canvas.height, Srgba8::TRANSPARENT).expect("a small frame");
                let stage = PreparedCircles::new(level, &scene, TILE, Culling::On, &mut bins);
                for (index, mut tile) in frame.tiles_mut(TILE).into_iter().enumerate() {
                    // a tile of this side is one block
                    stage.paint(&mut scratch, index, &mut tile);
                    let PixelBlock { x, y, width, height, rows, .. } = &scratch.painter.block;
                    for (row, column) in (0..*height).flat_map(|row| (0..*width).map(move |column| (row, column))) {
                        let PlaneRow { red, green, blue, transmittance } = &rows[row];
                        let painted = [red, green, blue, transmittance].map(|plane| plane[column]);
                        let at = (*y as usize + row) * canvas.width as usize + *x as usize + column;
                        assert_eq!(
                            painted.map(f32::to_bits),
                            expected[at].map(f32::to_bits),
                            "{level:?}, pixel {at}: {painted:?} for {:?}",
                            expected[at]
                        );
                        assert_eq!(tile.rows[row][column], resolve(&canvas, expected[at]), "{level:?}, pixel {at}");
                    }
                }
            }
        }
    }
}
