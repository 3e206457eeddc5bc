//! The visibility buffer of a stream: blocks of spheres in, the nearest hit of every sample of the picture out.
//!
//! Each sample keeps its nearest hit; ties go to the sphere with the lowest number. This is a total order: blocks of
//! any size, in any order, fill the same buffer, and so do merged buffers of parts of a scene. Occlusion culling drops
//! spheres behind the farthest hits in all cells that they touch before they are binned.
#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_possible_wrap,
    reason = "places in a picture are at most 2^30; a block has fewer spheres than there are indices"
)]

use fearless_simd::{Level, dispatch, f32x8, i32x8, prelude::*};
use rayon::prelude::*;

use super::clip::ClipRegion;
use super::primary::{HitBuffer, PrimaryScene, PrimarySearch, PrimaryTile};
use super::sample_rays::SampleGrid;
use super::sampling::{sub_pixel_positions, sub_pixel_range};
use crate::color::Srgba8;
use crate::error::{Error, Result};
use crate::lanes::{LANES, Sphere8, first_lanes, next_lane};
use crate::scene::spheres::{ClipPlane, PaintedSphere, SphereGroup, SphereScene};
use crate::scene::{Rays, SphereInstances};
use crate::tiles::Culling;
use crate::tiles::sphere_bins::SphereBins;
use crate::tiles::sphere_projector::{ScreenBounds, SphereProjector};
use crate::trace::light::cloud::MARGIN;
use crate::trace::shade::outlines::Outlines;

/// A sphere, its number in the whole stream, and the part of the scene that it belongs to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct NumberedSphere {
    pub sphere: PaintedSphere,
    pub part: u32,
    pub number: u64,
}

/// Spheres that are added together. Their numbers ascend, and no sphere of another block has a number between them.
#[derive(Debug)]
pub(crate) struct SphereBlock {
    /// Spheres in the order of their numbers, after a dummy that is not drawn: its index is [`KEPT`].
    spheres: Vec<PaintedSphere>,
    /// The part and the number of each.
    names: Vec<(u32, u64)>,
}

/// The hits of a picture.
#[derive(Debug)]
pub(crate) struct VisibilityBuffer {
    level: Level,
    rays: Rays,
    projector: SphereProjector,
    /// Sub-pixel positions of the samples.
    positions: Vec<[f32; 2]>,
    clip: Option<ClipRegion>,
    /// Side of a tile in pixels.
    tile: u32,
    /// Margin around the picture that influences it, in pixels.
    border: u32,
    tiles: Vec<TileBuffer>,
    farthest: FarthestDepths,
    /// One past the greatest number that was added.
    end: u64,
}

/// The hits of a tile. The samples of a pixel lie side by side: small spheres, which reach few pixels, are compared
/// with all of them in a lane or two.
#[derive(Debug)]
struct TileBuffer {
    grid: SampleGrid,
    /// Distances in one layer; indices are [`KEPT`] between blocks.
    hits: HitBuffer,
    /// The spheres that are hit.
    shown: Vec<NumberedSphere>,
    /// The farthest hit in each cell, row-major.
    farthest: Vec<f32>,
}

/// A coarse depth buffer for occlusion culling: the farthest hit in each square cell. Nothing behind it shows there.
#[derive(Debug)]
struct FarthestDepths {
    /// Side of a cell in pixels, a power of two that divides a tile's side, and its logarithm.
    side: u32,
    shift: u32,
    /// Pixels left of and above the picture that cells cover.
    border: u32,
    columns: usize,
    depths: Vec<f32>,
    /// The greatest depth of 2 × 2 cells: the cell, the next one in its row, and the two below.
    around: Vec<f32>,
}

/// Index of a hit from an earlier block on a sphere numbered below the block's: it wins ties. One numbered above loses
/// them.
const KEPT: u32 = 0;
const KEPT_UNLESS_EQUAL: u32 = u32::MAX;

/// Bytes per sample, including temporary bytes while visible spheres are collected.
pub(crate) const SAMPLE: u64 = 12 + 2 * size_of::<NumberedSphere>() as u64;

/// tuned: "Larger than memory" in docs/performance.md. Side of a cell: small cells are covered early, large ones are
/// few.
const CELL: u32 = 4;

/// Spheres stored before the first is loaded: a vector load right after scalar stores would stall.
const GATHERED: usize = 8 * LANES;

/// tuned: "Larger than memory" in docs/performance.md. A sphere that reaches more cells on a side is not compared with
/// them.
const MOST_CELLS: usize = 8;

impl SphereBlock {
    /// A block without spheres.
    pub(crate) fn new() -> Self {
        let nothing = PaintedSphere { center: [0.0; 3], radius: -1.0, color: Srgba8::TRANSPARENT };
        Self { spheres: vec![nothing], names: vec![(0, 0)] }
    }

    /// Number of spheres.
    pub(crate) fn len(&self) -> usize {
        self.spheres.len() - 1
    }

    /// Removes the spheres.
    pub(crate) fn clear(&mut self) {
        self.spheres.truncate(1);
        self.names.truncate(1);
    }

    /// Appends spheres with greater numbers.
    pub(crate) fn extend(&mut self, spheres: &[NumberedSphere]) {
        self.spheres.extend(spheres.iter().map(|named| named.sphere));
        self.names.extend(spheres.iter().map(|named| (named.part, named.number)));
    }

    fn named(&self, index: u32) -> NumberedSphere {
        let (part, number) = self.names[index as usize];
        NumberedSphere { sphere: self.spheres[index as usize], part, number }
    }
}

impl VisibilityBuffer {
    /// An empty buffer for the picture of a scene, with tiles of this side; the scene's own spheres are ignored. Of all
    /// tiles, in row-major order, it holds tile `first` and every `step`th after it.
    pub(crate) fn new(
        level: Level,
        scene: &SphereScene<'_>,
        planes: &[ClipPlane],
        tile: u32,
        culling: Culling,
        [first, step]: [usize; 2],
    ) -> Self {
        let (view, shading) = (&scene.view, &scene.shading);
        let rays = scene.rays();
        let positions = sub_pixel_positions(shading.samples.max(1));
        let range = sub_pixel_range(&positions);
        let border = border(scene);
        let projector = SphereProjector::new(&rays, [view.width, view.height], border, range, culling);
        let clip = ClipRegion::new(planes, rays.eye);
        let outside = border.next_multiple_of(tile);
        let side = CELL.min(1 << tile.trailing_zeros());
        let starts = |length: u32| {
            (0..length + 2 * outside).step_by(tile as usize).map(move |start| start as i32 - outside as i32)
        };
        // the part of a tile that lies within the picture and its border
        let interval = |start: i32, length: u32| {
            let first = start.max(-(border as i32));
            (first, (start + tile as i32).min((length + border) as i32) - first)
        };
        let tiles = starts(view.height).flat_map(|top| starts(view.width).map(move |left| (left, top)));
        let grids = tiles.filter_map(|(left, top)| {
            let ((x, width), (y, height)) = (interval(left, view.width), interval(top, view.height));
            let abreast = positions.len() as u32;
            let grid = SampleGrid { x, y, width: width as u32, height: height as u32, margin: 0, abreast };
            (width > 0 && height > 0).then_some(grid)
        });
        let grids: Vec<SampleGrid> = grids.skip(first).step_by(step).collect();
        let tiles = grids.into_par_iter().map(TileBuffer::new).collect();
        let farthest = FarthestDepths::new([view.width, view.height], outside, side);
        Self { level, rays, projector, positions, clip, tile, border, tiles, farthest, end: 0 }
    }

    /// Appends the spheres that may be visible to `kept`; `spheres` have consecutive numbers from `first` on. Returns
    /// the number of spheres that reach the picture, hidden or not.
    pub(crate) fn cull(
        &self,
        spheres: &[PaintedSphere],
        part: impl Fn(usize) -> u32 + Copy,
        first: u64,
        kept: &mut Vec<NumberedSphere>,
    ) -> u64 {
        dispatch!(self.level, simd => self.cull_with(simd, spheres, part, first, kept))
    }

    #[inline(always)]
    fn cull_with<S: Simd>(
        &self,
        simd: S,
        spheres: &[PaintedSphere],
        part: impl Fn(usize) -> u32 + Copy,
        first: u64,
        kept: &mut Vec<NumberedSphere>,
    ) -> u64 {
        let [x, y, z] = self.rays.eye;
        let mut visible = 0;
        let mut groups = [Sphere8::EMPTY; GATHERED / LANES];
        for (many, start) in spheres.chunks(GATHERED).zip((0..).step_by(GATHERED)) {
            for (eight, group) in many.chunks(LANES).zip(&mut groups) {
                for (lane, PaintedSphere { center, radius, .. }) in eight.iter().enumerate() {
                    group.set(lane, [center[0] - x, center[1] - y, center[2] - z], *radius);
                }
            }
            for ((eight, group), start) in many.chunks(LANES).zip(&groups).zip((start..).step_by(LANES)) {
                let bounds = self.projector.bounds(simd, group);
                let (reaching, hidden) = self.farthest.hidden(simd, &bounds);
                let reaching = reaching & first_lanes(eight.len());
                visible += u64::from(reaching.count_ones());
                let mut rest = reaching & !hidden;
                while let Some(lane) = next_lane(&mut rest) {
                    if !self.farthest.hides(&bounds, lane) {
                        let index = start + lane;
                        let number = first + index as u64;
                        kept.push(NumberedSphere { sphere: eight[lane], part: part(index), number });
                    }
                }
            }
        }
        visible
    }

    /// Adds a block; returns the number of entries in the lists of tiles.
    pub(crate) fn add(&mut self, block: &SphereBlock) -> u64 {
        let [Some(&(_, first)), Some(&(_, last))] = [block.names.get(1), block.names.last()] else { return 0 };
        let groups = [SphereGroup::from(&block.spheres[..])];
        let instances = SphereInstances::new(&groups, self.rays.eye);
        let mut bins = SphereBins::default();
        bins.fill(self.level, &instances, &self.projector, self.tile, [0, self.border]);
        let Self { level, rays, projector, positions, clip, tiles, farthest, .. } = self;
        let scene =
            PrimaryScene { level: *level, instances: &instances, rays, projector, positions, clip: clip.as_ref() };
        let (in_order, side) = (first >= self.end, farthest.side);
        tiles.par_iter_mut().for_each_init(PrimarySearch::default, |search, tile| {
            let lists = bins.lists(tile.grid.x, tile.grid.y);
            if lists.is_empty() {
                return;
            }
            if !in_order {
                tile.mark_higher(first);
            }
            search.find_nearer(PrimaryTile { scene: &scene, grid: tile.grid }, &lists, &mut tile.hits);
            tile.keep(block);
            tile.find_farthest(side);
        });
        farthest.set_all(tiles);
        self.end = self.end.max(last + 1);
        bins.binned
    }

    /// One past the greatest number that was added.
    pub(crate) fn end(&self) -> u64 {
        self.end
    }

    /// Merges the hits of another buffer for the same picture.
    ///
    /// # Errors
    /// When it has other tiles.
    pub(crate) fn merge(&mut self, other: &Self) -> Result<()> {
        if self.tile != other.tile {
            let message = format!("must be equal where streams are merged, got {} and {}", self.tile, other.tile);
            return Err(Error::setting("tile", message));
        }
        let (is_cut, side) = (self.clip.is_some(), self.farthest.side);
        self.tiles.par_iter_mut().zip(&other.tiles).for_each(|(tile, other)| {
            tile.merge(other, is_cut);
            tile.find_farthest(side);
        });
        self.farthest.set_all(&self.tiles);
        self.end = self.end.max(other.end);
        Ok(())
    }

    /// The spheres visible in tile `first` and every `step`th tile after it, in the order of their numbers.
    pub(crate) fn spheres_of(&self, first: usize, step: usize) -> Vec<NumberedSphere> {
        let tiles = self.tiles.par_iter().enumerate().skip(first).step_by(step);
        // places are sorted instead of spheres, which are larger
        let places = tiles.map(|(index, tile)| {
            let mut places: Vec<(u64, u32)> = tile.places().collect();
            places.sort_unstable();
            places.dedup_by_key(|(number, _)| *number);
            places.into_iter().map(|(number, at)| (number, index as u32, at)).collect::<Vec<_>>()
        });
        let of_tiles: Vec<Vec<_>> = places.collect();
        let mut places = of_tiles.concat();
        drop(of_tiles);
        places.par_sort_unstable();
        places.dedup_by_key(|(number, _, _)| *number);
        places.par_iter().map(|&(_, tile, at)| self.tiles[tile as usize].shown[at as usize]).collect()
    }
}

/// Margin around a picture that influences it, in pixels.
pub(crate) fn border(scene: &SphereScene<'_>) -> u32 {
    let around = if scene.shading.splat_radius > 0.0 { MARGIN } else { 0 };
    let outlines = Outlines::new(&scene.shading, &scene.view, &Rays::new(&scene.view));
    outlines.map_or(0, |outlines| outlines.margin).max(around)
}

impl TileBuffer {
    fn new(grid: SampleGrid) -> Self {
        let mut hits = HitBuffer::default();
        hits.clear(1, grid);
        let nothing =
            NumberedSphere { sphere: PaintedSphere::new([0.0; 3], 0.0, Srgba8::TRANSPARENT), part: 0, number: 0 };
        Self { grid, hits, shown: vec![nothing; grid.plane()], farthest: Vec::new() }
    }

    /// Marks hits on spheres with numbers from `first` on: at the same distance, spheres of the next block replace
    /// them.
    fn mark_higher(&mut self, first: u64) {
        let layer = &mut self.hits.layers[0];
        for ((index, distance), named) in layer.index.iter_mut().zip(&layer.distance).zip(&self.shown) {
            if *distance < f32::INFINITY && named.number >= first {
                *index = KEPT_UNLESS_EQUAL;
            }
        }
    }

    /// Stores the spheres of the block that are hit.
    fn keep(&mut self, block: &SphereBlock) {
        for (index, shown) in self.hits.layers[0].index.iter_mut().zip(&mut self.shown) {
            if *index != KEPT {
                if *index != KEPT_UNLESS_EQUAL {
                    *shown = block.named(*index);
                }
                *index = KEPT;
            }
        }
    }

    /// Takes over the hits of another buffer that are nearer.
    fn merge(&mut self, other: &Self, is_cut: bool) {
        let (shown, other_shown) = (&mut self.shown, &other.shown);
        let (layer, other) = (&mut self.hits.layers[0], &other.hits.layers[0]);
        for at in 0..shown.len() {
            let (own, new) = (layer.distance[at], other.distance[at]);
            // of caps at the same distance, the deepest one wins
            let depths = if is_cut { [layer.cosine[at], other.cosine[at]] } else { [0.0; 2] };
            let is_first =
                depths[1] < depths[0] || (depths[0] == depths[1] && other_shown[at].number < shown[at].number);
            if new < own || (new == own && new < f32::INFINITY && is_first) {
                layer.distance[at] = new;
                layer.cosine[at] = other.cosine[at];
                shown[at] = other_shown[at];
            }
        }
    }

    /// The numbers of visible spheres, most of them once, each with a sample that shows it.
    fn places(&self) -> impl Iterator<Item = (u64, u32)> {
        let (grid, distances) = (self.grid, &self.hits.layers[0].distance);
        let mut last = None;
        grid.rows()
            .flat_map(move |start| start..start + grid.row_length())
            .filter(|&at| distances[at] < f32::INFINITY)
            .map(|at| (self.shown[at].number, at as u32))
            .filter(move |(number, _)| last.replace(*number) != Some(*number))
    }

    /// Finds the farthest hit in each cell of this side.
    fn find_farthest(&mut self, side: u32) {
        let [columns, rows] = self.cells(side);
        self.farthest.clear();
        self.farthest.resize(columns.len() * rows.len(), 0.0);
        let (side, abreast) = (side as i32, self.grid.abreast as usize);
        let starts = (0..).step_by(self.grid.stride());
        for (row, start) in (self.grid.y..).zip(starts).take(self.grid.height as usize) {
            let first = (row.div_euclid(side) - rows.start) as usize * columns.len();
            let mut x = self.grid.x;
            let mut rest = &self.hits.layers[0].distance[start..start + self.grid.row_length()];
            for cell in &mut self.farthest[first..first + columns.len()] {
                let end = (x.div_euclid(side) + 1) * side;
                let (own, after) = rest.split_at(rest.len().min((end - x) as usize * abreast));
                *cell = own.iter().fold(*cell, |farthest, depth| if *depth > farthest { *depth } else { farthest });
                (x, rest) = (end, after);
            }
        }
    }

    /// Columns and rows of the cells that a tile reaches.
    fn cells(&self, side: u32) -> [std::ops::Range<i32>; 2] {
        let side = side as i32;
        let range = |start: i32, length: u32| start.div_euclid(side)..(start + length as i32 - 1).div_euclid(side) + 1;
        [range(self.grid.x, self.grid.width), range(self.grid.y, self.grid.height)]
    }
}

impl FarthestDepths {
    fn new(size: [u32; 2], border: u32, side: u32) -> Self {
        let [columns, rows] = size.map(|length| (length + 2 * border).div_ceil(side) as usize);
        let depths = vec![f32::INFINITY; columns * rows];
        Self { side, shift: side.ilog2(), border, columns, around: depths.clone(), depths }
    }

    /// Sets the cells of tiles.
    fn set_all(&mut self, tiles: &[TileBuffer]) {
        tiles.iter().for_each(|tile| self.set(tile));
        let (columns, depths) = (self.columns, &self.depths);
        self.around.par_chunks_mut(columns).enumerate().for_each(|(row, around)| {
            let rows = depths[row * columns..].chunks(columns).take(2);
            around.fill(0.0);
            for depths in rows {
                let next = depths[1..].iter().chain(depths.last());
                for (around, (own, next)) in around.iter_mut().zip(depths.iter().zip(next)) {
                    *around = around.max(own.max(*next));
                }
            }
        });
    }

    /// Sets the cells of a tile.
    fn set(&mut self, tile: &TileBuffer) {
        let [columns, rows] = tile.cells(self.side);
        let before = (self.border / self.side) as i32;
        for (row, depths) in rows.zip(tile.farthest.chunks(columns.len())) {
            let first = (row + before) as usize * self.columns + (columns.start + before) as usize;
            self.depths[first..first + depths.len()].copy_from_slice(depths);
        }
    }

    /// Two masks of eight spheres: which ones reach the picture, and which ones are certainly hidden by the current
    /// hits around them. The second is conservative: a hidden sphere may lack its bit.
    #[inline(always)]
    fn hidden<S: Simd>(&self, simd: S, bounds: &ScreenBounds) -> (u64, u64) {
        let (left, right) = (f32x8::load_array_ref(simd, &bounds.left), f32x8::load_array_ref(simd, &bounds.right));
        let (top, bottom) = (f32x8::load_array_ref(simd, &bounds.top), f32x8::load_array_ref(simd, &bounds.bottom));
        let is_reaching = left.simd_lt(right) & top.simd_lt(bottom);
        let (left, right) = (self.cells8(left), self.cells8(right - 1.0));
        let (top, bottom) = (self.cells8(top), self.cells8(bottom - 1.0));
        let is_small = (right - left).simd_le(1) & (bottom - top).simd_le(1);
        let places = top * self.columns as i32 + left;
        let places = is_reaching.select(places, i32x8::splat(simd, 0)).to_array();
        let mut farthest = [0.0; LANES];
        for (farthest, place) in farthest.iter_mut().zip(places) {
            *farthest = self.around[place as usize];
        }
        let is_hidden = is_small & f32x8::load_array_ref(simd, &bounds.near).simd_gt(f32x8::load_array(simd, farthest));
        (is_reaching.to_bitmask(), is_hidden.to_bitmask())
    }

    /// Converts eight columns or rows of pixels to columns or rows of cells.
    #[inline(always)]
    fn cells8<S: Simd>(&self, places: f32x8<S>) -> i32x8<S> {
        (places.to_int::<i32x8<S>>() + self.border as i32) >> self.shift
    }

    /// Whether a sphere lies behind the farthest hits in all cells that it touches.
    #[inline(always)]
    fn hides(&self, bounds: &ScreenBounds, lane: usize) -> bool {
        let cell = |place: f32| ((place as i32 + self.border as i32) >> self.shift) as usize;
        let (left, right) = (cell(bounds.left[lane]), cell(bounds.right[lane] - 1.0));
        let (top, bottom) = (cell(bounds.top[lane]), cell(bounds.bottom[lane] - 1.0));
        if right - left >= MOST_CELLS || bottom - top >= MOST_CELLS {
            return false;
        }
        let near = bounds.near[lane];
        let mut is_hidden = true;
        for row in top..=bottom {
            let cells = &self.depths[row * self.columns..][left..=right];
            for &farthest in cells {
                is_hidden &= near > farthest;
            }
        }
        is_hidden
    }
}
