//! Queries of the hierarchy: whether anything blocks a ray, and the spheres around a point.
//!
//! Rays and points are relative to an eye. The eye is subtracted from the spheres as they are loaded, with the same
//! rounding as everywhere else, and boxes are padded for that rounding.
#![expect(clippy::cast_possible_truncation, reason = "positions in a node and levels are small; indices fit 32 bits")]

use fearless_simd::{f32x16, prelude::*};

use super::shapes::ShapeBvh;
use super::tree::{Bvh, EMPTY_SPHERES, GROWTH, Node, Sphere16, WIDTH, load_spheres};
use crate::lanes::next_lane;
use crate::scene::PlacedShapes;
use crate::shapes::{OcclusionRay, RayLanes, any_blocks};
use crate::trace::find::clip::ClipRegion;

/// A hierarchy seen from an eye.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EyeBvh<'a> {
    pub bvh: &'a Bvh,
    /// World position.
    pub eye: [f32; 3],
    /// The part of space that is drawn: rays end at its border.
    pub clip: Option<&'a ClipRegion>,
    /// Primitives that are not spheres.
    pub shapes: Option<(&'a ShapeBvh, &'a PlacedShapes<'a>)>,
}

impl EyeBvh<'_> {
    /// Whether any primitive blocks a ray.
    #[inline(always)]
    pub(crate) fn blocks<S: Simd>(&self, simd: S, ray: &OcclusionRay) -> bool {
        let Self { bvh, eye, clip, shapes } = *self;
        let shortened = clip.map(|clip| clip.shortened(ray));
        let ray = shortened.as_ref().unwrap_or(ray);
        if let Some((hierarchy, shapes)) = shapes
            && hierarchy.blocks(simd, shapes, ray)
        {
            return true;
        }
        let box_rays = BoxRays::new(simd, ray, eye);
        let mut stack = [Visit::default(); STACK];
        let mut depth = 0;
        for node in 0..bvh.top.1 {
            stack[depth] = Visit { level: bvh.top.0, node };
            depth += 1;
        }
        while depth > 0 {
            depth -= 1;
            let Visit { level, node } = stack[depth];
            let (mut met, enter) = bvh.levels[level as usize][node as usize].intersect(simd, &box_rays);
            if level > 0 {
                // nearest on top of the stack: most rays end in the first boxes they enter
                let first = depth;
                let mut distances = [0.0; WIDTH];
                while let Some(lane) = next_lane(&mut met) {
                    let distance = enter[lane];
                    let mut position = depth - first;
                    while position > 0 && distances[position - 1] < distance {
                        distances[position] = distances[position - 1];
                        stack[first + position] = stack[first + position - 1];
                        position -= 1;
                    }
                    distances[position] = distance;
                    stack[first + position] = Visit { level: level - 1, node: node * WIDTH as u32 + lane as u32 };
                    depth += 1;
                }
            } else {
                while met != 0 {
                    // leaves are few: take the nearest each time
                    let mut child = met.trailing_zeros() as usize;
                    let mut rest = met & (met - 1);
                    while let Some(other) = next_lane(&mut rest) {
                        if enter[other] < enter[child] {
                            child = other;
                        }
                    }
                    met &= !(1 << child);
                    let leaf = &bvh.leaves[node as usize * WIDTH + child];
                    if any_blocks(simd, spheres_from(simd, leaf, eye), &box_rays.rays) {
                        return true;
                    }
                }
            }
        }
        false
    }

    /// The extent of the centres in the leaf nearest to a point: a measure of how densely spheres are packed there.
    #[inline(always)]
    pub(crate) fn leaf_extent<S: Simd>(&self, simd: S, point: [f32; 3]) -> f32 {
        let point = splat(simd, self.world(point));
        let mut node = 0;
        for level in self.bvh.levels.iter().rev() {
            let distances = level[node].distances_squared(simd, point).to_array();
            let mut nearest = 0;
            for lane in 1..WIDTH {
                if distances[lane] < distances[nearest] {
                    nearest = lane;
                }
            }
            node = node * WIDTH + nearest;
        }
        let Some([x, y, z, _]) = self.bvh.leaves.get(node) else { return 0.0 };
        [x, y, z].into_iter().map(row_extent).fold(0.0, f32::max)
    }

    /// Appends every sphere centred within `reach` of a point to `list`, until the list is full.
    #[inline(always)]
    pub(crate) fn gather<S: Simd>(&self, simd: S, point: [f32; 3], reach: f32, list: &mut SphereList) {
        let Self { bvh, eye, .. } = *self;
        let Some(top) = bvh.levels.len().checked_sub(1) else { return };
        let [x, y, z] = rounding(point, eye);
        let box_reach = reach + ((x + y) + z);
        let box_reach_squared = f32x16::splat(simd, box_reach * box_reach);
        let reach_squared = f32x16::splat(simd, reach * reach);
        let (point, world) = (splat(simd, point), splat(simd, self.world(point)));
        let mut stack = [Visit::default(); STACK];
        stack[0] = Visit { level: top as u32, node: 0 };
        let mut depth = 1;
        while depth > 0 {
            depth -= 1;
            let Visit { level, node } = stack[depth];
            let distances = bvh.levels[level as usize][node as usize].distances_squared(simd, world);
            let mut near = distances.simd_le(box_reach_squared).to_bitmask();
            while let Some(lane) = next_lane(&mut near) {
                let child = node * WIDTH as u32 + lane as u32;
                if level > 0 {
                    stack[depth] = Visit { level: level - 1, node: child };
                    depth += 1;
                    continue;
                }
                let leaf = spheres_from(simd, &bvh.leaves[child as usize], eye);
                let mut lanes = distances_squared(leaf, point).simd_le(reach_squared).to_bitmask();
                let leaf = leaf.map(|row| row.to_array());
                while let Some(lane) = next_lane(&mut lanes) {
                    list.push(&leaf, lane);
                    if list.is_over_full() {
                        return;
                    }
                }
            }
        }
    }

    /// World position of a point.
    #[inline(always)]
    fn world(&self, point: [f32; 3]) -> [f32; 3] {
        std::array::from_fn(|axis| point[axis] + self.eye[axis])
    }
}

/// Spheres relative to an eye, rounded as [`SphereInstances::place`](crate::scene::SphereInstances::place) rounds them.
#[inline(always)]
fn spheres_from<S: Simd>(simd: S, spheres: &Sphere16, eye: [f32; 3]) -> [f32x16<S>; 4] {
    let [x, y, z, radius] = load_spheres(simd, spheres);
    [x - eye[0], y - eye[1], z - eye[2], radius]
}

/// Bound on the rounding error when the eye is subtracted from a point and from the spheres near it.
#[inline(always)]
fn rounding(point: [f32; 3], eye: [f32; 3]) -> [f32; 3] {
    std::array::from_fn(|axis| GROWTH * (point[axis].abs() + eye[axis].abs()))
}

/// Some spheres, sixteen side by side.
#[derive(Debug, Default)]
pub(crate) struct SphereList {
    pub(crate) groups: Vec<Sphere16>,
    count: usize,
    capacity: usize,
}

impl SphereList {
    /// Removes all spheres; at most `capacity` may follow.
    pub(crate) fn clear(&mut self, capacity: usize) {
        self.groups.clear();
        (self.count, self.capacity) = (0, capacity);
    }

    /// Whether more spheres were appended than the list may hold.
    #[inline(always)]
    pub(crate) fn is_over_full(&self) -> bool {
        self.count > self.capacity
    }

    #[inline(always)]
    fn push(&mut self, spheres: &Sphere16, lane: usize) {
        let at = self.count % WIDTH;
        if at == 0 {
            self.groups.push(EMPTY_SPHERES);
        }
        let last = self.groups.len() - 1;
        for (own, row) in self.groups[last].iter_mut().zip(spheres) {
            own[at] = row[lane];
        }
        self.count += 1;
    }
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Visit {
    pub level: u32,
    pub node: u32,
}

/// Depth of the stack: 2³² spheres make eight levels, each leaves at most 15 siblings on it.
pub(super) const STACK: usize = 8 * WIDTH;

/// The square of the distance from a point to each centre.
#[inline(always)]
fn distances_squared<S: Simd>([x, y, z, _]: [f32x16<S>; 4], [px, py, pz]: [f32x16<S>; 3]) -> f32x16<S> {
    let (x, y, z) = (x - px, y - py, z - pz);
    (x * x + y * y) + z * z
}

impl Node {
    /// Slab test against the children's boxes: a mask of the boxes that the ray meets, and the distances where it
    /// enters them.
    #[inline(always)]
    pub(super) fn intersect<S: Simd>(&self, simd: S, ray: &BoxRays<S>) -> (u64, [f32; WIDTH]) {
        let mut enter = ray.begin;
        let mut exit = ray.rays.length;
        for axis in 0..3 {
            let (near, far) = if ray.is_backward[axis] { (&self.max, &self.min) } else { (&self.min, &self.max) };
            let inverse = ray.inverse[axis];
            enter = enter.max((f32x16::load_array_ref(simd, &near[axis]) - ray.near_origin[axis]) * inverse);
            exit = exit.min((f32x16::load_array_ref(simd, &far[axis]) - ray.far_origin[axis]) * inverse);
        }
        // 3 roundings each way (T. Ize, "Robust BVH Ray Traversal", *JCGT* 2(2), 2013)
        (enter.simd_le(exit * (1.0 + 8.0 * f32::EPSILON)).to_bitmask(), enter.to_array())
    }

    /// Squared distance from a point to each child's box, infinite when out of range; NaN in empty lanes, so that no
    /// comparison accepts them.
    #[inline(always)]
    fn distances_squared<S: Simd>(&self, simd: S, point: [f32x16<S>; 3]) -> f32x16<S> {
        let mut squared = f32x16::splat(simd, 0.0);
        for ((point, min), max) in point.into_iter().zip(&self.min).zip(&self.max) {
            let below = f32x16::load_array_ref(simd, min) - point;
            let above = point - f32x16::load_array_ref(simd, max);
            let gap = below.max(above).max(0.0);
            squared += gap * gap;
        }
        let (min, max) = (f32x16::load_array_ref(simd, &self.min[0]), f32x16::load_array_ref(simd, &self.max[0]));
        min.simd_le(max).select(squared, f32x16::splat(simd, f32::NAN))
    }
}

/// Difference between the largest and the smallest number of a row, without empty lanes.
#[inline(always)]
fn row_extent(row: &[f32; WIDTH]) -> f32 {
    let (mut least, mut most) = (f32::INFINITY, f32::NEG_INFINITY);
    for &number in row {
        // comparisons with NaN are false
        least = if number < least { number } else { least };
        most = if number > most { number } else { most };
    }
    (most - least).max(0.0)
}

/// A vector in every lane.
#[inline(always)]
pub(crate) fn splat<S: Simd>(simd: S, [x, y, z]: [f32; 3]) -> [f32x16<S>; 3] {
    [f32x16::splat(simd, x), f32x16::splat(simd, y), f32x16::splat(simd, z)]
}

/// A ray in every lane, prepared for boxes.
pub(super) struct BoxRays<S: Simd> {
    rays: RayLanes<f32x16<S>>,
    /// Origins in world coordinates, one moved forward for the plane where the ray enters a slab and one moved back for
    /// the plane where it leaves, by more than the rounding error, so that no sphere is lost.
    near_origin: [f32x16<S>; 3],
    far_origin: [f32x16<S>; 3],
    inverse: [f32x16<S>; 3],
    is_backward: [bool; 3],
    begin: f32x16<S>,
}

impl<S: Simd> BoxRays<S> {
    #[inline(always)]
    pub(super) fn new(simd: S, ray: &OcclusionRay, eye: [f32; 3]) -> Self {
        let [x, y, z] = ray.direction;
        let inverse = [reciprocal(x), reciprocal(y), reciprocal(z)];
        let margin = rounding(ray.origin, eye);
        let moved = |axis: usize, by: f32| (ray.origin[axis] + eye[axis]) + by * 1.0f32.copysign(inverse[axis]);
        Self {
            rays: RayLanes::splat(simd, ray),
            near_origin: splat(simd, std::array::from_fn(|axis| moved(axis, margin[axis]))),
            far_origin: splat(simd, std::array::from_fn(|axis| moved(axis, -margin[axis]))),
            inverse: splat(simd, inverse),
            is_backward: [inverse[0] < 0.0, inverse[1] < 0.0, inverse[2] < 0.0],
            begin: f32x16::splat(simd, ray.begin),
        }
    }
}

/// 1 / component. A component of 0 would give 0 × ∞ in the slab test; the least normal number has a finite reciprocal.
#[inline(always)]
fn reciprocal(component: f32) -> f32 {
    let tiny = f32::MIN_POSITIVE;
    1.0 / if component.abs() < tiny { tiny.copysign(component) } else { component }
}
