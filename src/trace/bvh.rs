//! A bounding-volume hierarchy of spheres for rays that start anywhere: 16 children a node, 16 spheres a leaf, no pointers.
//!
//! Centres are split at the median of their widest axis, again and again, into leaves of 16 (J. Bentley,
//! "Multidimensional Binary Search Trees Used for Associative Searching", *CACM* 18(9), 1975). The left half is always
//! complete, so child `i` of node `n` is node `16·n + i` of the level below. A node keeps its children's boxes side by
//! side, and one ray meets all of them in one step of lanes. Leaves take 16 bytes a sphere, nodes 1.6. Of equal
//! coordinates the lower index goes left, so a scene has one hierarchy. Only one of several coincident copies is kept;
//! otherwise every nearby ray would test them all.
#![expect(clippy::cast_possible_truncation, reason = "positions in a node and levels are small; indices fit 32 bits")]

use fearless_simd::{f32x16, prelude::*};
use rayon::prelude::*;

use super::intersect::{OcclusionRay, RayLanes, any_blocks};
use crate::scene::{EyeSphere, SphereInstances};

/// Children a node and spheres a leaf.
pub(super) const WIDTH: usize = 16;

/// Sixteen spheres relative to the eye, side by side: x, y, z and radius. Empty lanes hold NaN, which no ray meets.
pub(super) type Sphere16 = [[f32; WIDTH]; 4];

/// The boxes of sixteen children. Empty lanes hold inverted boxes.
#[derive(Clone, Debug)]
struct Node {
    min: [[f32; WIDTH]; 3],
    max: [[f32; WIDTH]; 3],
}

/// The spheres of a scene, found by rays.
#[derive(Debug)]
pub(super) struct Bvh {
    leaves: Vec<Sphere16>,
    /// From the parents of leaves to the root.
    levels: Vec<Vec<Node>>,
    /// The level where rays start, the lowest with few nodes, and its number of nodes.
    top: (u32, u32),
    /// The largest radius.
    pub(super) largest_radius: f32,
}

pub(super) const EMPTY_SPHERES: Sphere16 = [[f32::NAN; WIDTH]; 4];

const EMPTY_NODE: Node = Node { min: [[f32::INFINITY; WIDTH]; 3], max: [[f32::NEG_INFINITY; WIDTH]; 3] };

/// bound: `occlusion_agrees_with_f64_brute_force` in tests/trace.rs. Boxes grow by this share of their distance: more than
/// the rounding of a sphere's extent and of the slab test together, so that no ray misses the box of a sphere it hits.
pub(super) const GROWTH: f32 = 16.0 * f32::EPSILON;

type Box3 = [[f32; 3]; 2];

impl Bvh {
    /// Builds the hierarchy of all drawable spheres.
    pub(super) fn new(instances: &SphereInstances<'_>) -> Self {
        let (mut leaves, count) = centers(instances);
        arrange(&mut as_centers(&mut leaves)[..count], instances);
        leaves.par_iter_mut().for_each(|leaf| fill_leaf(leaf, instances));
        let mut levels = Vec::new();
        if !leaves.is_empty() {
            levels.push(parents(&leaves, bounds));
            while levels[levels.len() - 1].len() > 1 {
                let above = parents(&levels[levels.len() - 1], Node::bounds);
                levels.push(above);
            }
        }
        let top = levels.iter().position(|level| level.len() <= TOP_NODES);
        let top = top.map_or((0, 0), |top| (top as u32, levels[top].len() as u32));
        let largest_radius = leaves.par_iter().map(largest_radius).reduce(|| 0.0, f32::max);
        Self { leaves, levels, top, largest_radius }
    }

    /// Whether any sphere is in the way of a ray.
    #[inline(always)]
    pub(super) fn blocks<S: Simd>(&self, simd: S, ray: &OcclusionRay) -> bool {
        let box_rays = BoxRays::new(simd, ray);
        let mut stack = [Visit::default(); STACK];
        let mut depth = 0;
        for node in 0..self.top.1 {
            stack[depth] = Visit { level: self.top.0, node };
            depth += 1;
        }
        while depth > 0 {
            depth -= 1;
            let Visit { level, node } = stack[depth];
            let (mut met, enter) = self.levels[level as usize][node as usize].intersect(simd, &box_rays);
            if level > 0 {
                // nearest on top of the stack: most rays end in the first boxes they enter
                let first = depth;
                let mut distances = [0.0; WIDTH];
                while met != 0 {
                    let child = met.trailing_zeros();
                    met &= met - 1;
                    let distance = enter[child as usize];
                    let mut position = depth - first;
                    while position > 0 && distances[position - 1] < distance {
                        distances[position] = distances[position - 1];
                        stack[first + position] = stack[first + position - 1];
                        position -= 1;
                    }
                    distances[position] = distance;
                    stack[first + position] = Visit { level: level - 1, node: node * WIDTH as u32 + child };
                    depth += 1;
                }
            } else {
                while met != 0 {
                    // leaves are few: take the nearest each time
                    let mut child = met.trailing_zeros();
                    let mut rest = met & (met - 1);
                    while rest != 0 {
                        let other = rest.trailing_zeros();
                        if enter[other as usize] < enter[child as usize] {
                            child = other;
                        }
                        rest &= rest - 1;
                    }
                    met &= !(1 << child);
                    let leaf = &self.leaves[(node * WIDTH as u32 + child) as usize];
                    if any_blocks(simd, load_spheres(simd, leaf), &box_rays.rays) {
                        return true;
                    }
                }
            }
        }
        false
    }

    /// The extent of the centres in the leaf nearest to a point: a measure of how densely spheres are packed there.
    #[inline(always)]
    pub(super) fn leaf_extent<S: Simd>(&self, simd: S, point: [f32; 3]) -> f32 {
        let point = splat(simd, point);
        let mut node = 0;
        for level in self.levels.iter().rev() {
            let distances = level[node].distances_squared(simd, point).to_array();
            let mut nearest = 0;
            for lane in 1..WIDTH {
                if distances[lane] < distances[nearest] {
                    nearest = lane;
                }
            }
            node = node * WIDTH + nearest;
        }
        let Some([x, y, z, _]) = self.leaves.get(node) else { return 0.0 };
        [x, y, z].into_iter().map(row_extent).fold(0.0, f32::max)
    }

    /// Appends every sphere centred within `reach` of a point to `list`, until the list is full.
    #[inline(always)]
    pub(super) fn gather<S: Simd>(&self, simd: S, point: [f32; 3], reach: f32, list: &mut SphereList) {
        let Some(top) = self.levels.len().checked_sub(1) else { return };
        let point = splat(simd, point);
        let reach_squared = f32x16::splat(simd, reach * reach);
        let mut stack = [Visit::default(); STACK];
        stack[0] = Visit { level: top as u32, node: 0 };
        let mut depth = 1;
        while depth > 0 {
            depth -= 1;
            let Visit { level, node } = stack[depth];
            let distances = self.levels[level as usize][node as usize].distances_squared(simd, point);
            let mut near = distances.simd_le(reach_squared).to_bitmask();
            while near != 0 {
                let child = node * WIDTH as u32 + near.trailing_zeros();
                near &= near - 1;
                if level > 0 {
                    stack[depth] = Visit { level: level - 1, node: child };
                    depth += 1;
                    continue;
                }
                let leaf = &self.leaves[child as usize];
                let mut lanes = distances_squared(simd, leaf, point).simd_le(reach_squared).to_bitmask();
                while lanes != 0 {
                    list.push(leaf, lanes.trailing_zeros() as usize);
                    if list.is_over_full() {
                        return;
                    }
                    lanes &= lanes - 1;
                }
            }
        }
    }
}

/// Some spheres, sixteen side by side.
#[derive(Debug, Default)]
pub(super) struct SphereList {
    pub(super) groups: Vec<Sphere16>,
    count: usize,
    capacity: usize,
}

impl SphereList {
    /// Removes all spheres; at most `capacity` may follow.
    pub(super) fn clear(&mut self, capacity: usize) {
        self.groups.clear();
        (self.count, self.capacity) = (0, capacity);
    }

    /// Whether more spheres were appended than the list may hold.
    #[inline(always)]
    pub(super) fn is_over_full(&self) -> bool {
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

/// A node to visit.
#[derive(Clone, Copy, Debug, Default)]
struct Visit {
    level: u32,
    node: u32,
}

/// tuned: benches/spheres.rs S5 ambient occlusion. Up to this many nodes are visited in turn instead of from above.
const TOP_NODES: usize = 3;

/// 2³² spheres make eight levels, of which each leaves at most 15 siblings waiting.
const STACK: usize = 8 * WIDTH;

/// A sphere on its way into a leaf, in whose memory it waits: its centre, and the bits of its index in place of a radius.
/// A sphere left out has a centre of NaN.
type IndexedCenter = [f32; 4];

fn as_centers(leaves: &mut [Sphere16]) -> &mut [IndexedCenter] {
    leaves.as_flattened_mut().as_flattened_mut().as_chunks_mut().0
}

fn position(&[x, y, z, _]: &IndexedCenter) -> [f32; 3] {
    [x, y, z]
}

fn index(&[.., index]: &IndexedCenter) -> u32 {
    index.to_bits()
}

/// Leaves that hold the centres of all drawable spheres, and the number of those.
fn centers(instances: &SphereInstances<'_>) -> (Vec<Sphere16>, usize) {
    let chunks = instances.chunks(1 << 14);
    let counts: Vec<usize> = chunks.par_iter().map(|runs| instances.drawable(runs).count()).collect();
    let count = counts.iter().sum::<usize>();
    let mut leaves = vec![EMPTY_SPHERES; count.div_ceil(WIDTH)];
    let mut rest = as_centers(&mut leaves);
    let mut parts = Vec::with_capacity(chunks.len());
    for count in counts {
        let (part, behind) = rest.split_at_mut(count);
        parts.push(part);
        rest = behind;
    }
    chunks.par_iter().zip(parts).for_each(|(runs, part)| {
        for (center, (index, EyeSphere { center: [x, y, z], .. })) in part.iter_mut().zip(instances.drawable(runs)) {
            *center = [x, y, z, f32::from_bits(index)];
        }
    });
    (leaves, count)
}

/// Puts centres into the order of leaves.
fn arrange(centers: &mut [IndexedCenter], instances: &SphereInstances<'_>) {
    if centers.len() <= WIDTH {
        return;
    }
    let [min, max] = centers.iter().fold(EMPTY_BOX, |bounds, center| union(bounds, [position(center); 2]));
    if min == max {
        drop_copies(centers, instances);
        return;
    }
    // halves first: the extent of ±f32::MAX is out of range
    let extent = |axis: usize| max[axis] * 0.5 - min[axis] * 0.5;
    let axis = (1..3).fold(0, |widest, axis| if extent(axis) > extent(widest) { axis } else { widest });
    let half = centers.len().div_ceil(WIDTH).next_power_of_two() / 2 * WIDTH;
    centers.select_nth_unstable_by(half, |a, b| a[axis].total_cmp(&b[axis]).then(index(a).cmp(&index(b))));
    let is_small = centers.len() < PARALLEL;
    let (left, right) = centers.split_at_mut(half);
    if is_small {
        arrange(left, instances);
        arrange(right, instances);
    } else {
        rayon::join(|| arrange(left, instances), || arrange(right, instances));
    }
}

/// Leaves out all but one of each set of equal spheres; all centres are the same.
fn drop_copies(centers: &mut [IndexedCenter], instances: &SphereInstances<'_>) {
    let radius = |center: &IndexedCenter| instances.radius(index(center)).to_bits();
    centers.sort_unstable_by_key(|center| (radius(center), index(center)));
    let mut last = None;
    for center in centers {
        let radius = radius(center);
        if last.replace(radius) == Some(radius) {
            center[0] = f32::NAN;
        }
    }
}

/// tuned: benches/spheres.rs S5 ambient occlusion. Fewer centres are not worth a second thread.
const PARALLEL: usize = 1 << 13;

const EMPTY_BOX: Box3 = [[f32::INFINITY; 3], [f32::NEG_INFINITY; 3]];

fn union(a: Box3, b: Box3) -> Box3 {
    [std::array::from_fn(|axis| a[0][axis].min(b[0][axis])), std::array::from_fn(|axis| a[1][axis].max(b[1][axis]))]
}

fn parents<T: Sync>(children: &[T], bounds: impl Fn(&T) -> Box3 + Sync) -> Vec<Node> {
    let parent = |children: &[T]| {
        let mut node = EMPTY_NODE;
        for (lane, child) in children.iter().enumerate() {
            let [min, max] = bounds(child);
            for axis in 0..3 {
                node.min[axis][lane] = min[axis];
                node.max[axis][lane] = max[axis];
            }
        }
        node
    };
    children.par_chunks(WIDTH).map(parent).collect()
}

/// Replaces a leaf's centres and indices by its spheres.
fn fill_leaf(leaf: &mut Sphere16, instances: &SphereInstances<'_>) {
    let mut centers = std::mem::replace(leaf, EMPTY_SPHERES);
    for (lane, center) in as_centers(std::slice::from_mut(&mut centers)).iter().enumerate() {
        if !center[0].is_nan() {
            let [x, y, z] = position(center);
            for (row, number) in leaf.iter_mut().zip([x, y, z, instances.radius(index(center))]) {
                row[lane] = number;
            }
        }
    }
}

/// The square of the distance from a point to each centre.
#[inline(always)]
fn distances_squared<S: Simd>(simd: S, [x, y, z, _]: &Sphere16, [px, py, pz]: [f32x16<S>; 3]) -> f32x16<S> {
    let x = f32x16::load_array_ref(simd, x) - px;
    let y = f32x16::load_array_ref(simd, y) - py;
    let z = f32x16::load_array_ref(simd, z) - pz;
    (x * x + y * y) + z * z
}

fn bounds([x, y, z, radius]: &Sphere16) -> Box3 {
    let mut bounds = EMPTY_BOX;
    for lane in (0..WIDTH).filter(|&lane| !radius[lane].is_nan()) {
        let center = [x[lane], y[lane], z[lane]];
        let r = radius[lane];
        let grown = |axis: usize| r + GROWTH * (center[axis].abs() + r);
        // finite, so that no difference with a finite point is NaN
        let min = std::array::from_fn(|axis| (center[axis] - grown(axis)).max(f32::MIN));
        let max = std::array::from_fn(|axis| (center[axis] + grown(axis)).min(f32::MAX));
        bounds = union(bounds, [min, max]);
    }
    bounds
}

/// Centres and radii, a lane each.
#[inline(always)]
pub(super) fn load_spheres<S: Simd>(simd: S, [x, y, z, radius]: &Sphere16) -> [f32x16<S>; 4] {
    [
        f32x16::load_array_ref(simd, x),
        f32x16::load_array_ref(simd, y),
        f32x16::load_array_ref(simd, z),
        f32x16::load_array_ref(simd, radius),
    ]
}

fn largest_radius([.., radius]: &Sphere16) -> f32 {
    // `max` ignores NaN
    radius.iter().fold(0.0, |largest, &radius| largest.max(radius))
}

impl Node {
    fn bounds(&self) -> Box3 {
        (0..WIDTH).fold(EMPTY_BOX, |bounds, lane| {
            let corner = |corners: &[[f32; WIDTH]; 3]| corners.map(|axis| axis[lane]);
            union(bounds, [corner(&self.min), corner(&self.max)])
        })
    }

    /// A bit for every child whose box the ray meets, and the distances where it enters them.
    #[inline(always)]
    fn intersect<S: Simd>(&self, simd: S, ray: &BoxRays<S>) -> (u64, [f32; WIDTH]) {
        let mut enter = ray.begin;
        let (origin, mut exit) = (&ray.rays.origin, ray.rays.length);
        for axis in 0..3 {
            let (near, far) = if ray.is_backward[axis] { (&self.max, &self.min) } else { (&self.min, &self.max) };
            let inverse = ray.inverse[axis];
            enter = enter.max((f32x16::load_array_ref(simd, &near[axis]) - origin[axis]) * inverse);
            exit = exit.min((f32x16::load_array_ref(simd, &far[axis]) - origin[axis]) * inverse);
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
pub(super) fn splat<S: Simd>(simd: S, [x, y, z]: [f32; 3]) -> [f32x16<S>; 3] {
    [f32x16::splat(simd, x), f32x16::splat(simd, y), f32x16::splat(simd, z)]
}

/// A ray in every lane, prepared for boxes.
struct BoxRays<S: Simd> {
    rays: RayLanes<f32x16<S>>,
    inverse: [f32x16<S>; 3],
    is_backward: [bool; 3],
    begin: f32x16<S>,
}

impl<S: Simd> BoxRays<S> {
    #[inline(always)]
    fn new(simd: S, ray: &OcclusionRay) -> Self {
        let [x, y, z] = ray.direction;
        let inverse = [reciprocal(x), reciprocal(y), reciprocal(z)];
        Self {
            rays: RayLanes::splat(simd, ray),
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
