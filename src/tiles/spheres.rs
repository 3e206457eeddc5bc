//! Spheres before a camera, listed by the tiles they can touch.
//!
//! Each stretch of the roster is projected in lanes and its spheres listed by tile with a counting sort of its
//! own, so that threads share nothing. A sphere that reaches over several tiles is listed once on a coarser grid
//! (four times the side, and so on up to the whole picture) instead of once a tile: no sphere takes more than a
//! few entries, however large. An entry is 8 bytes: the sphere's index and the least depth it can be hit at.
//!
//! Bounds err on the keeping side of the tracer's own roundings, so that rejecting never changes a pixel.
#![expect(
    clippy::cast_possible_truncation,
    reason = "canvas positions are clamped to the picture, at most 2^30, before they are cut"
)]

use fearless_simd::{Level, dispatch, f32x8, mask32x8, prelude::*};
use rayon::prelude::*;

use crate::scene::{InstanceRun, Rays, SphereInstances};

/// Lanes of the projection.
pub(crate) const LANES: usize = 8;

/// What bounds need to know of a view.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lens {
    rays: Rays,
    /// Pixels per slope or per world unit.
    scale: f32,
    /// Columns and rows of the picture.
    size: [f32; 2],
    /// Least and greatest sub-pixel position of the samples.
    samples: [f32; 2],
    /// Slope of the frustum's sides against the line of sight, in x and y, and the secant of their angle.
    sides: [[f32; 2]; 2],
    culling: bool,
}

/// Spheres relative to the eye, in lanes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Group {
    pub x: [f32; LANES],
    pub y: [f32; LANES],
    pub z: [f32; LANES],
    pub radius: [f32; LANES],
}

impl Group {
    /// Lanes that are no spheres and are never drawn.
    pub(crate) const EMPTY: Self = Self { x: [0.0; LANES], y: [0.0; LANES], z: [0.0; LANES], radius: [-1.0; LANES] };
}

/// Pixels a sphere can touch, first and one past the last in x and y, and the least depth it can be hit at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reach {
    pub left: [f32; LANES],
    pub right: [f32; LANES],
    pub top: [f32; LANES],
    pub bottom: [f32; LANES],
    pub near: [f32; LANES],
}

impl Lens {
    pub(crate) fn new(rays: &Rays, size: [u32; 2], samples: [f32; 2], culling: bool) -> Self {
        let sides = rays.middle.map(|middle| {
            let slope = middle * rays.step;
            [slope, (1.0 + slope * slope).sqrt()]
        });
        Self { rays: *rays, scale: 1.0 / rays.step, size: size.map(|side| side as f32), samples, sides, culling }
    }

    /// The reach of eight spheres; left ≥ right where a sphere touches no sample.
    ///
    /// The tracer's own remainder is off by a few ulps of the distance d, which moves an outline by as many ulps
    /// of d²/w² in slope; the tangents below are off by as many ulps of d²/(w² − r²). 64 ulps cover both.
    /// Source: M. Mara and M. McGuire, "2D Polyhedral Bounds of a Clipped, Perspective-Projected 3D Sphere",
    /// *JCGT* 2(2), 2013; we take the tangents in x and y only and give way to the whole picture near the eye.
    #[inline(always)]
    pub(crate) fn reach<S: Simd>(&self, simd: S, group: &Group) -> Reach {
        let x = f32x8::load_array_ref(simd, &group.x);
        let y = f32x8::load_array_ref(simd, &group.y);
        let z = f32x8::load_array_ref(simd, &group.z);
        let r = f32x8::load_array_ref(simd, &group.radius);
        let u = along(x, y, z, self.rays.right);
        let v = along(x, y, z, self.rays.up);
        let w = along(x, y, z, self.rays.forward);
        let squared = x * x + y * y + z * z;
        let extent = x.abs() + y.abs() + (z.abs() + r);
        let ulps = 64.0 * f32::EPSILON;
        let mut behind = (w + r + extent * ulps).simd_lt(0.0);

        let (across, down, slack, regular, near);
        if self.rays.parallel {
            // the outline is the circle itself
            across = [u, r];
            down = [-v, r];
            slack = extent * ulps;
            regular = extent.simd_lt(1e30);
            near = w - r - slack;
        } else {
            let power = w * w - r * r;
            let inverse = f32x8::splat(simd, 1.0) / power;
            // tangents of length √(u² + w² − r²) in the plane of x and depth; the same for y
            across = [u * w * inverse, r * (u * u + power).sqrt() * inverse];
            down = [-v * w * inverse, r * (v * v + power).sqrt() * inverse];
            slack = squared * inverse * ulps;
            // far enough in front of the eye's plane for the tangents to be well conditioned, and squares in range
            regular = w.simd_gt(r * 1.05) & squared.simd_gt(1e-30) & squared.simd_lt(1e30);
            let distance = squared.sqrt();
            let gap = distance - r - (distance + r) * (8.0 * f32::EPSILON);
            near = regular.select(gap * (1.0 - 16.0 * f32::EPSILON), f32x8::splat(simd, 0.0));
            // outside one of the frustum's four sides: what is beside the eye has no tangents to tell
            let [[slope_x, secant_x], [slope_y, secant_y]] = self.sides;
            let beside_x = u.abs() - w * slope_x - r * secant_x;
            let beside_y = v.abs() - w * slope_y - r * secant_y;
            behind = behind
                | beside_x.simd_gt(extent * (ulps * (1.0 + secant_x)))
                | beside_y.simd_gt(extent * (ulps * (1.0 + secant_y)));
        }
        let drawn = r.simd_gt(0.0) & extent.simd_le(f32::MAX);
        let (kept, regular, near) = if self.culling {
            (drawn & !behind, regular, near.max(0.0))
        } else {
            (drawn, regular & !regular, f32x8::splat(simd, 0.0))
        };
        // canvas positions have roundings of their own
        let slack = slack * self.scale + (1.0 / 256.0 + 4.0 * f32::EPSILON * self.size[0].max(self.size[1]));
        let [left, right] = self.ends(across, slack, 0, regular, kept);
        let [top, bottom] = self.ends(down, slack, 1, regular, kept);
        Reach { left, right, top, bottom, near: near.to_array() }
    }

    /// First and one past the last pixel of a stretch given by its middle and half its length in slopes.
    #[inline(always)]
    fn ends<S: Simd>(
        &self,
        [middle, half]: [f32x8<S>; 2],
        slack: f32x8<S>,
        axis: usize,
        regular: mask32x8<S>,
        kept: mask32x8<S>,
    ) -> [[f32; LANES]; 2] {
        let simd = middle.token();
        let zero = f32x8::splat(simd, 0.0);
        let side = f32x8::splat(simd, self.size[axis]);
        let middle = middle * self.scale + self.rays.middle[axis];
        let half = half * self.scale + slack;
        let low = (middle - half - self.samples[1]).ceil().max(zero).min(side);
        let high = ((middle + half - self.samples[0]).floor() + 1.0).max(zero).min(side);
        let low = regular.select(low, zero);
        let high = kept.select(regular.select(high, side), zero);
        [low.to_array(), high.to_array()]
    }
}

/// The coordinate of a point along an axis.
#[inline(always)]
fn along<S: Simd>(x: f32x8<S>, y: f32x8<S>, z: f32x8<S>, axis: [f32; 3]) -> f32x8<S> {
    x * axis[0] + y * axis[1] + z * axis[2]
}

/// A sphere in a tile's list.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    /// Its index in the roster.
    pub index: u32,
    /// The least depth any ray can hit it at.
    pub near: f32,
}

/// Which spheres each tile has to look at.
#[derive(Debug)]
pub(crate) struct SphereBins {
    grids: Vec<Grid>,
    stretches: Vec<Bins>,
    /// Spheres that reach the picture.
    pub visible: u64,
    /// Entries in all lists.
    pub binned: u64,
}

/// A grid of cells over the picture; each is coarser than the last, the coarsest has one cell.
#[derive(Clone, Copy, Debug)]
struct Grid {
    /// The picture's.
    width: u32,
    height: u32,
    /// Side of a cell in pixels, and 2⁶⁴ over that, rounded up.
    side: u32,
    inverse: u64,
    columns: u32,
    /// Cells of the finer grids.
    before: u32,
}

/// The lists of one stretch: those of cell `c` are `entries[starts[c]..starts[c + 1]]`.
#[derive(Debug)]
struct Bins {
    starts: Vec<u32>,
    entries: Vec<Entry>,
    visible: u64,
}

/// A sphere of 1/8 of a tile straddles a corner so seldom that four entries are cheaper than a coarser grid.
const SMALL: f32 = 0.125;

/// Coarser grids take four times the side.
const STEP: u32 = 4;

impl SphereBins {
    /// Lists the roster's spheres by the tiles of that side.
    pub(crate) fn new(level: Level, roster: &SphereInstances<'_>, lens: &Lens, tile: u32) -> Self {
        let [width, height] = lens.size.map(|side| side as u32);
        let grids = Grid::pyramid(width, height, tile);
        // few enough stretches that a tile's pieces are worth visiting, small enough to share the work out
        let length = (roster.count() / 32).clamp(1 << 12, 1 << 18) as usize;
        let stretches: Vec<Bins> = roster
            .stretches(length)
            .par_iter()
            .map_init(
                || Vec::with_capacity(length + length / 4),
                |pairs, runs| dispatch!(level, simd => bin(simd, roster, lens, &grids, runs, pairs)),
            )
            .collect();
        let visible = stretches.iter().map(|bins| bins.visible).sum();
        let binned = stretches.iter().map(|bins| bins.entries.len() as u64).sum();
        Self { grids, stretches, visible, binned }
    }

    /// The lists that a tile of the finest grid has to look at, given a pixel in it.
    pub(crate) fn lists(&self, x: u32, y: u32) -> Vec<&[Entry]> {
        let cells = self.grids.iter().map(|grid| grid.cell(x, y) as usize);
        let lists = cells.flat_map(|cell| self.stretches.iter().map(move |bins| bins.list(cell)));
        lists.filter(|list| !list.is_empty()).collect()
    }
}

impl Bins {
    fn list(&self, cell: usize) -> &[Entry] {
        &self.entries[self.starts[cell] as usize..self.starts[cell + 1] as usize]
    }
}

impl Grid {
    fn pyramid(width: u32, height: u32, tile: u32) -> Vec<Self> {
        let mut grids: Vec<Self> = Vec::new();
        let (mut side, mut before) = (tile, 0);
        loop {
            let (columns, rows) = (width.div_ceil(side), height.div_ceil(side));
            grids.push(Self { width, height, side, inverse: u64::MAX / u64::from(side) + 1, columns, before });
            before += columns * rows;
            if columns * rows == 1 {
                return grids;
            }
            side = side.saturating_mul(STEP);
        }
    }

    /// Pixels over the side of a cell, rounded down: exact for all of 32 bits (D. Lemire, O. Kaser, N. Kurz, "Faster remainder
    /// by direct computation", *Software: Practice and Experience* 49(6), 2019), and no division.
    #[inline(always)]
    fn over_side(&self, pixels: u32) -> u32 {
        ((u128::from(pixels) * u128::from(self.inverse)) >> 64) as u32
    }

    fn cell(&self, x: u32, y: u32) -> u32 {
        self.before + y / self.side * self.columns + x / self.side
    }

    fn cells(grids: &[Self]) -> usize {
        // the coarsest grid has one cell
        grids.last().map_or(0, |grid| grid.before as usize + 1)
    }
}

/// Lists the spheres of one stretch. `pairs` is room to work in.
#[inline(always)]
fn bin<S: Simd>(
    simd: S,
    roster: &SphereInstances<'_>,
    lens: &Lens,
    grids: &[Grid],
    runs: &[InstanceRun<'_>],
    pairs: &mut Vec<(u32, Entry)>,
) -> Bins {
    pairs.clear();
    let mut visible = 0;
    let mut group = Group::EMPTY;
    for run in runs {
        for (spheres, start) in run.spheres.chunks(LANES).zip((run.start..).step_by(LANES)) {
            for (lane, sphere) in spheres.iter().enumerate() {
                let seen = roster.seen(sphere, run.pose);
                [group.x[lane], group.y[lane], group.z[lane]] = seen.center;
                group.radius[lane] = seen.radius;
            }
            let reach = lens.reach(simd, &group);
            for lane in 0..spheres.len() {
                let (left, right) = (reach.left[lane], reach.right[lane]);
                let (top, bottom) = (reach.top[lane], reach.bottom[lane]);
                if left < right && top < bottom {
                    visible += 1;
                    let entry = Entry { index: start + lane as u32, near: reach.near[lane] };
                    list(grids, [left, top, right, bottom], entry, pairs);
                }
            }
        }
    }
    Bins { visible, ..sorted(pairs, Grid::cells(grids)) }
}

/// Lists one sphere on the finest grid where it needs few entries.
#[inline(always)]
fn list(grids: &[Grid], [left, top, right, bottom]: [f32; 4], entry: Entry, pairs: &mut Vec<(u32, Entry)>) {
    let finest = grids[0];
    // wider pictures than 2²⁴ pixels are rounded as `f32`
    let (last_x, last_y) = ((right as u32).min(finest.width) - 1, (bottom as u32).min(finest.height) - 1);
    let (left, top) = ((left as u32).min(last_x), (top as u32).min(last_y));
    let small = (last_x - left).max(last_y - top) as f32 <= SMALL * finest.side as f32;
    let (mut x0, mut x1) = (finest.over_side(left), finest.over_side(last_x));
    let (mut y0, mut y1) = (finest.over_side(top), finest.over_side(last_y));
    for grid in grids {
        let cells = u64::from(x1 - x0 + 1) * u64::from(y1 - y0 + 1);
        if cells <= 2 || (small && cells <= 4) {
            for y in y0..=y1 {
                for x in x0..=x1 {
                    pairs.push((grid.before + y * grid.columns + x, entry));
                }
            }
            return;
        }
        (x0, x1, y0, y1) = (x0 / STEP, x1 / STEP, y0 / STEP, y1 / STEP);
    }
}

/// Counting sort by cell; within a cell the order of indices stays.
fn sorted(pairs: &[(u32, Entry)], cells: usize) -> Bins {
    let mut starts = vec![0u32; cells + 2];
    for (cell, _) in pairs {
        starts[*cell as usize + 2] += 1;
    }
    for cell in 2..starts.len() {
        starts[cell] += starts[cell - 1];
    }
    let mut entries = vec![Entry { index: 0, near: 0.0 }; pairs.len()];
    for &(cell, entry) in pairs {
        let place = &mut starts[cell as usize + 1];
        entries[*place as usize] = entry;
        *place += 1;
    }
    starts.pop();
    Bins { starts, entries, visible: 0 }
}
