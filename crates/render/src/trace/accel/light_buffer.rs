//! A light buffer for the hard shadows of a directional light: visible surfaces and spheres in, lists of occluders by
//! column along the light out.
//!
//! Rays towards such a light are parallel, so each stays in one column of a grid in the plane across the light. A
//! column lists its spheres by how far they extend towards the light; a ray tests the spheres that extend beyond its
//! origin (E. Haines, D. Greenberg, "The Light Buffer: A Shadow-Testing Accelerator", *IEEE CG&A* 6(9), 1986). The grid
//! covers the visible surfaces, and columns list nothing behind them. Rays from one sphere are tested together: a
//! circle that misses the box around their origins (J. Arvo, "A Simple Method for Box-Sphere Intersection Testing",
//! *Graphics Gems*, 1990) blocks none of them. Culling by lists and boxes allows for rounding, so the answers equal the
//! hierarchy's, bit for bit.

use fearless_simd::{Level, dispatch, f32x8, mask32x8, prelude::*};
use rayon::prelude::*;

use super::light_grid::{Binned, ColumnGrid, EntryBudget, LARGE, LightGrid, SLABS, SlabEntry};
use super::light_space::{LightFrame, MARGIN};
use super::receivers::ReceiverBounds;
use crate::geom::Sphere;
use crate::lanes::{LANES, Rows3, Sphere8, load3, next_lane, splat3};
use crate::scene::{InstanceRun, SphereInstances};
use crate::shapes::{Exclude, OcclusionRay, RayLanes, any_blocks, crossed, differs};

/// The occluders of one light.
#[derive(Debug)]
pub(crate) struct LightBuffer {
    grid: LightGrid,
    /// The depth of the deepest receiver in each column, down to which it lists spheres; infinite without receivers.
    floors: Vec<f32>,
    stripes: Vec<Stripe>,
    /// Spheres too large for columns, which every query tests.
    large: Vec<Sphere8>,
}

/// Some rows of columns: spheres by column and slab; spheres that extend farthest towards the light come last.
#[derive(Debug)]
struct Stripe {
    groups: Vec<Sphere8>,
    /// Start of each slab of each column, and the end of the last.
    starts: Vec<u32>,
}

/// Scenes of fewer spheres use the hierarchy.
pub(crate) const FEWEST_SPHERES: u64 = 4096;

/// Maximum mean number of spheres per column. The hierarchy drops coincident copies, the columns do not, so crowds go
/// to the hierarchy.
const CROWD: usize = 2048;

/// Maximum number of columns, and minimum mean number of spheres per column.
const COLUMNS: u64 = 1 << 18;
const FEWEST_PER_COLUMN: u64 = 16;

/// Maximum number of columns for points that are tested together.
const TOGETHER: u32 = 16;

/// Beyond this, squares leave the range of `f32`.
const FARTHEST: f32 = 1e15;

impl LightBuffer {
    /// Lists the spheres between the receivers and the light of this frame.
    ///
    /// Returns `None` where the hierarchy is faster: many large spheres among small ones, crowds, numbers near the ends
    /// of `f32`.
    pub(crate) fn new(
        level: Level,
        instances: &SphereInstances<'_>,
        median_radius: f32,
        frame: LightFrame,
        receivers: &[&[ReceiverBounds]],
    ) -> Option<Self> {
        let whole = |bounds: &&[ReceiverBounds]| bounds.iter().fold(ReceiverBounds::EMPTY, ReceiverBounds::union);
        let whole = receivers.par_iter().map(whole).reduce(|| ReceiverBounds::EMPTY, |a, b| a.union(&b));
        if whole.extent > FARTHEST {
            return None;
        }
        let columns = (instances.count / FEWEST_PER_COLUMN).clamp(1, COLUMNS);
        let grid = LightGrid::new(frame, &whole, median_radius, columns)?;
        let floors = receivers.par_chunks(receivers.len().div_ceil(16).max(1)).map(|bounds| grid.floors(bounds));
        let floors = floors.reduce(Vec::new, lowest);
        let chunks = instances.chunks(1 << 14);
        let budget = EntryBudget::new(instances.count);
        let bin =
            |runs: &Vec<InstanceRun<'_>>| dispatch!(level, simd => grid.bin(simd, instances, runs, &floors, &budget));
        let binned: Vec<Binned> = chunks.par_iter().map(bin).collect::<Option<_>>()?;
        let large: Vec<Sphere<3>> = binned.iter().flat_map(|binned| &binned.large).copied().collect();
        let listed = binned.iter().flat_map(|binned| &binned.stripes).map(Vec::len).sum::<usize>();
        let is_far = large.iter().any(|sphere| sphere.extent() > FARTHEST);
        if is_far || large.len() > LARGE || listed > CROWD * floors.len() {
            return None;
        }
        let slabs = grid.first_slab([0, 1 << grid.stripe_shift]) as usize;
        let stripes = (0..grid.stripes()).into_par_iter();
        let stripes =
            stripes.map(|stripe| Stripe::new(slabs, || binned.iter().flat_map(|binned| &binned.stripes[stripe])));
        let large = large.chunks(LANES).map(group).collect();
        Some(Self { grid, stripes: stripes.collect(), floors, large })
    }

    /// The spheres listed in a column that extend beyond a coordinate along the light.
    #[inline(always)]
    fn beyond(&self, [column, row]: [u32; 2], along: f32) -> &[Sphere8] {
        let slab = self.grid.slab(along, self.floors[self.grid.columns.position([column, row])]);
        let (stripe, row) = self.grid.stripe(row);
        let stripe = &self.stripes[stripe];
        let first = self.grid.first_slab([column, row]) as usize;
        let (start, end) = (stripe.starts[first + slab as usize], stripe.starts[first + SLABS as usize]);
        // the first and the last group may hold spheres of other columns, which do no harm
        &stripe.groups[start as usize / LANES..(end as usize).div_ceil(LANES)]
    }

    /// Whether any sphere blocks a ray from a point on a receiver towards the light.
    #[inline(always)]
    pub(crate) fn blocks<S: Simd>(&self, simd: S, ray: &OcclusionRay) -> bool {
        let [u, v, w] = self.grid.columns.frame.project(ray.origin);
        let rays = RayLanes::<f32x8<S>>::splat(simd, ray);
        for row in self.grid.cells_around(1, v, v) {
            for column in self.grid.cells_around(0, u, u) {
                if any_of_groups_blocks(simd, self.beyond([column, row], w - self.grid.columns.margin), &rays) {
                    return true;
                }
            }
        }
        any_of_groups_blocks(simd, &self.large, &rays)
    }

    /// The box around the points with a bit in `open`, in the frame of the light; `None` without any.
    #[inline(always)]
    fn bounds<S: Simd>(&self, simd: S, points: &[Rows3], open: &[u64]) -> Option<[[f32; 3]; 2]> {
        let [mut min, mut max] = [f32::INFINITY, f32::NEG_INFINITY].map(
            #[inline(always)]
            |number| [f32x8::splat(simd, number); 3],
        );
        let mut any = 0;
        for (points, &open) in points.iter().zip(open) {
            let along = self.grid.columns.frame.project8(load3(simd, points));
            let is_open = mask32x8::from_bitmask(simd, open);
            for axis in 0..3 {
                min[axis] = is_open.select(min[axis].min(along[axis]), min[axis]);
                max[axis] = is_open.select(max[axis].max(along[axis]), max[axis]);
            }
            any |= open;
        }
        let ([u0, v0, w0], [u1, v1, w1]) = (min, max);
        let min = [u0.reduce_min(), v0.reduce_min(), w0.reduce_min()];
        (any != 0).then(|| [min, [u1.reduce_max(), v1.reduce_max(), w1.reduce_max()]])
    }

    /// Clears the bits of points on one sphere that do not see the light. Returns `false`, and clears none, if the
    /// points are too far apart to be tested together.
    #[inline(always)]
    pub(crate) fn screen<S: Simd>(&self, simd: S, exclude: Exclude, points: &[Rows3], open: &mut [u64]) -> bool {
        let ColumnGrid { frame, margin, .. } = &self.grid.columns;
        let splat = |number: f32| f32x8::splat(simd, number);
        let Some([[u0, v0, w0], [u1, v1, _]]) = self.bounds(simd, points, open) else { return true };
        let w0 = w0 - margin;
        let (columns, rows) = (self.grid.cells_around(0, u0, u1), self.grid.cells_around(1, v0, v1));
        if (columns.end() - columns.start() + 1) * (rows.end() - rows.start() + 1) > TOGETHER {
            return false;
        }
        let length = splat(f32::INFINITY);
        let direction = splat3(simd, frame.toward());
        let mut lists = [&self.large[..]; TOGETHER as usize + 1];
        let mut count = 0;
        for row in rows {
            for column in columns.clone() {
                lists[count] = self.beyond([column, row], w0);
                count += 1;
            }
        }
        for list in &lists[..=count] {
            for group in *list {
                let (center, r) = group.load(simd);
                let [x, y, z] = center;
                let [u, v, w] = frame.project8(center);
                let reach = r + (((x.abs() + y.abs()) + (z.abs() + r)) * MARGIN + *margin);
                // the box around the points against the sphere's circle
                let (du, dv) = ((u0 - u).max(u - u1).max(0.0), (v0 - v).max(v - v1).max(0.0));
                // squares of very small numbers have few bits left
                let is_near = (du * du + dv * dv).simd_le(reach * reach + f32::MIN_POSITIVE) & (w + reach).simd_ge(w0);
                let mut near = (is_near & differs(simd, [x, y, z, r], &exclude)).to_bitmask();
                while let Some(lane) = next_lane(&mut near) {
                    let lane = lane % LANES;
                    let ([x, y, z], r) = group.get(lane);
                    let sphere = [splat(x), splat(y), splat(z), splat(r)];
                    let mut left = 0;
                    for (points, open) in points.iter().zip(&mut *open) {
                        if *open != 0 {
                            let rays = RayLanes { origin: load3(simd, points), direction, length, exclude };
                            *open &= !crossed(simd, sphere, &rays).to_bitmask();
                            left |= *open;
                        }
                    }
                    if left == 0 {
                        return true;
                    }
                }
            }
        }
        true
    }
}

/// Whether any sphere of some groups blocks the ray.
#[inline(always)]
fn any_of_groups_blocks<S: Simd>(simd: S, groups: &[Sphere8], rays: &RayLanes<f32x8<S>>) -> bool {
    for group in groups {
        let ([x, y, z], r) = group.load(simd);
        if any_blocks(simd, [x, y, z, r], rays) {
            return true;
        }
    }
    false
}

/// Up to eight spheres side by side.
fn group(spheres: &[Sphere<3>]) -> Sphere8 {
    let mut group = Sphere8::EMPTY;
    for (lane, sphere) in spheres.iter().enumerate() {
        group.set(lane, sphere.center, sphere.radius);
    }
    group
}

/// The lower of each two floors; either list may be empty.
fn lowest(mut floors: Vec<f32>, others: Vec<f32>) -> Vec<f32> {
    if floors.is_empty() {
        return others;
    }
    for (floor, other) in floors.iter_mut().zip(others) {
        *floor = floor.min(other);
    }
    floors
}

impl Stripe {
    /// Counting sort by slab.
    fn new<'a, I: Iterator<Item = &'a SlabEntry>>(slabs: usize, entries: impl Fn() -> I) -> Self {
        let mut starts = vec![0u32; slabs + 1];
        for entry in entries() {
            starts[entry.slab as usize + 1] += 1;
        }
        let mut count = 0;
        for start in &mut starts {
            count += *start;
            *start = count;
        }
        let mut groups = vec![Sphere8::EMPTY; (count as usize).div_ceil(LANES)];
        let mut positions = starts.clone();
        for entry in entries() {
            let position = &mut positions[entry.slab as usize];
            groups[*position as usize / LANES].set(
                *position as usize % LANES,
                entry.sphere.center,
                entry.sphere.radius,
            );
            *position += 1;
        }
        Self { groups, starts }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::lanes::point_at;
    use crate::scene::generate::{self, Pattern};
    use crate::scene::spheres::{PaintedSphere, SphereGroup};
    use crate::shapes::Primitive;
    use crate::simd::levels;
    use crate::trace::accel::bvh::{Bvh, EyeBvh};

    /// Boxes around points, seven at a time.
    fn boxes(points: &[[f32; 3]], frame: &LightFrame) -> Vec<ReceiverBounds> {
        let bounds = |point: &[f32; 3]| {
            let along = frame.project(*point);
            let extent = point.iter().map(|along| along.abs()).sum();
            ReceiverBounds { min: along, max: [along[0], along[1]], extent }
        };
        let around = |points: &[[f32; 3]]| points.iter().map(bounds).fold(ReceiverBounds::EMPTY, |a, b| a.union(&b));
        points.chunks(7).map(around).collect()
    }

    /// Rays from the surfaces of a few thousand spheres and from their centres, answered by the hierarchy and by the
    /// buffer, one by one and sphere by sphere: all of them, and those in a corner, for which the lists leave most
    /// spheres out. Every 97th sphere is too large for one column, the last one for any number.
    #[test]
    fn answers_equal_those_of_the_bvh() {
        for (pattern, scale) in [(Pattern::Uniform, 1.0), (Pattern::Gaussian, 1e-12), (Pattern::Lattice, 1e9)] {
            let mut spheres = generate::spheres(pattern, 6000, 3);
            for (sphere, index) in spheres.iter_mut().zip(0..) {
                sphere.center = sphere.center.map(|along| along * scale);
                sphere.radius *= if index % 97 == 0 { 2.5 * scale } else { scale };
            }
            spheres[5999] = PaintedSphere { center: [0.0, 0.0, -3.5 * scale], radius: 2.0 * scale, ..spheres[5999] };
            let groups = [SphereGroup::from(&spheres[..])];
            let eye = [0.5 * scale; 3];
            let instances = SphereInstances::new(&groups, eye);
            let bvh = EyeBvh {
                shapes: None,
                bvh: &Bvh::new(Level::new(), &instances.to_world(), &AtomicBool::new(false)),
                eye,
                clip: None,
            };
            for toward in [[0.0, 0.0, 1.0], [0.6, 0.0, -0.8], [0.48, -0.6, 0.64]] {
                for most in [f32::INFINITY, -0.2 * scale] {
                    let mut rays = Vec::new();
                    for index in 0..6000 {
                        let (own, _) = instances.sphere(index);
                        for normal in [toward, [0.8, 0.6, 0.0], [0.0; 3]] {
                            let origin = point_at(own.center, normal, own.radius);
                            let (direction, length) = (toward, f32::INFINITY);
                            let ray = OcclusionRay { origin, direction, begin: 0.0, length, exclude: own.exclude() };
                            rays.extend(origin.iter().all(|along| *along < most).then_some(ray));
                        }
                    }
                    let origins: Vec<_> = rays.iter().map(|ray| ray.origin).collect();
                    let frame = LightFrame::new(toward);
                    let bounds = boxes(&origins, &frame);
                    for level in levels() {
                        let median = instances.median_radius();
                        let buffer =
                            LightBuffer::new(level, &instances, median, frame, &[&bounds]).expect("like sizes");
                        compare(level, &buffer, bvh, &rays, scale);
                    }
                }
            }
        }
    }

    fn compare(level: Level, buffer: &LightBuffer, bvh: EyeBvh<'_>, rays: &[OcclusionRay], scale: f32) {
        let answers = rays.iter().map(|ray| {
            let answer = dispatch!(level, simd => buffer.blocks(simd, ray));
            assert_eq!(answer, dispatch!(level, simd => bvh.blocks(simd, ray)), "{ray:?}");
            answer
        });
        let answers: Vec<bool> = answers.collect();
        let mut rest = &answers[..];
        for rays in rays.chunk_by(|a, b| a.exclude == b.exclude) {
            let mut points = [[0.0; LANES]; 3];
            for (lane, ray) in rays.iter().enumerate() {
                (0..3).for_each(|axis| points[axis][lane] = ray.origin[axis]);
            }
            let mut open = [(1 << rays.len()) - 1];
            let exclude = rays[0].exclude;
            let is_screened = dispatch!(level, simd => buffer.screen(simd, exclude, &[points], &mut open));
            let (own, others) = rest.split_at(rays.len());
            rest = others;
            if !is_screened {
                assert!(exclude.sphere.radius > scale, "{exclude:?} is small");
                continue;
            }
            let screened: Vec<bool> = (0..own.len()).map(|lane| open[0] >> lane & 1 == 0).collect();
            assert_eq!(own, screened, "{rays:?}");
        }
        let blocked = answers.iter().filter(|blocked| **blocked).count();
        assert!(rays.len() > 100 && (1..rays.len()).contains(&blocked), "{blocked} of {} say nothing", rays.len());
    }

    #[test]
    fn crowds_and_unlike_sizes_are_left_to_the_bvh() {
        let is_listed = |scale: f32, large: usize, largest: f32| {
            let mut spheres = generate::spheres(Pattern::Uniform, 20_000, 3);
            for sphere in &mut spheres {
                sphere.center = sphere.center.map(|along| along * scale);
            }
            spheres[..large].iter_mut().for_each(|sphere| sphere.radius = largest);
            let groups = [SphereGroup::from(&spheres[..])];
            let frame = LightFrame::new([0.0, 1.0, 0.0]);
            let points: Vec<_> = spheres.iter().map(|sphere| sphere.center).collect();
            let instances = SphereInstances::new(&groups, [0.0; 3]);
            let median = instances.median_radius();
            LightBuffer::new(Level::new(), &instances, median, frame, &[&boxes(&points, &frame)]).is_some()
        };
        assert!(is_listed(1.0, 0, 0.0));
        assert!(is_listed(1.0, 3, 0.3));
        assert!(is_listed(1.0, 2, 100.0));
        assert!(!is_listed(1.0, 200, 100.0));
        assert!(!is_listed(1.0, 2, 1e16));
        assert!(!is_listed(1.0, 3000, 0.3));
        assert!(!is_listed(1e-4, 0, 0.0));
    }
}
