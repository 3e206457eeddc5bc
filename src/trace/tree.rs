//! A tree over spheres for rays that start anywhere: 16 children a node, 16 spheres a leaf, without a pointer.
//!
//! Centres are halved at the median of their widest axis, again and again, into leaves of 16 (J. Bentley,
//! "Multidimensional Binary Search Trees Used for Associative Searching", *CACM* 18(9), 1975); the left half is
//! always complete, so that the child `i` of node `n` is node `16·n + i` of the level below. A node keeps its
//! children's boxes side by side, so that one ray meets all of them in one step of lanes. 16 bytes a sphere in the
//! leaves and 1.6 in the nodes. Of equal coordinates the lower index goes left: a scene has one tree. Of a crowd of
//! copies, which would all be looked at wherever one is, but one takes part.
#![expect(clippy::cast_possible_truncation, reason = "places in a node and levels are small; indices fit 32 bits")]

use fearless_simd::{f32x16, prelude::*};
use rayon::prelude::*;

use crate::scene::{EyeSphere, SphereInstances};

/// Children a node and spheres a leaf.
pub(super) const WIDTH: usize = 16;

/// Sixteen spheres relative to the eye, side by side: x, y, z and radius. Places that are not filled hold NaN, which no
/// ray meets.
pub(super) type Leaf = [[f32; WIDTH]; 4];

/// The boxes of sixteen children. Places that are not filled hold boxes that are inside out.
#[derive(Clone, Debug)]
struct Node {
    min: [[f32; WIDTH]; 3],
    max: [[f32; WIDTH]; 3],
}

/// The spheres of a roster, found by ray.
#[derive(Debug)]
pub(crate) struct Tree {
    leaves: Vec<Leaf>,
    /// From the parents of leaves to the root.
    levels: Vec<Vec<Node>>,
    /// Where rays start: the lowest level of few nodes, and how many it has.
    tops: (u32, u32),
    /// The largest radius.
    pub(super) largest: f32,
}

/// A ray that asks only whether anything is in its way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Probe {
    /// Relative to the eye.
    pub origin: [f32; 3],
    /// Unit.
    pub direction: [f32; 3],
    /// From where and how far it looks.
    pub begin: f32,
    pub length: f32,
    /// The sphere whose surface it leaves: it cannot meet that one, nor a copy of it. [`EyeSphere::EMPTY`] for none.
    pub except: EyeSphere,
}

pub(super) const EMPTY_LEAF: Leaf = [[f32::NAN; WIDTH]; 4];

const EMPTY_NODE: Node = Node { min: [[f32::INFINITY; WIDTH]; 3], max: [[f32::NEG_INFINITY; WIDTH]; 3] };

/// Boxes are grown by this share of their distance, more than the roundings of a sphere's extent and of the
/// slab test together, so that a box is never missed by a ray that meets a sphere in it.
pub(super) const GROWTH: f32 = 16.0 * f32::EPSILON;

type Box3 = [[f32; 3]; 2];

impl Tree {
    /// Builds the tree of everything that is drawn.
    pub(crate) fn new(roster: &SphereInstances<'_>) -> Self {
        let (mut leaves, count) = marks(roster);
        arrange(&mut as_marks(&mut leaves)[..count], roster);
        leaves.par_iter_mut().for_each(|leaf| settle(leaf, roster));
        let mut levels = Vec::new();
        if !leaves.is_empty() {
            levels.push(parents(&leaves, bounds));
            while levels[levels.len() - 1].len() > 1 {
                let above = parents(&levels[levels.len() - 1], Node::bounds);
                levels.push(above);
            }
        }
        let tops = levels
            .iter()
            .position(|level| level.len() <= TOPS)
            .map_or((0, 0), |top| (top as u32, levels[top].len() as u32));
        let largest = leaves.par_iter().map(largest).reduce(|| 0.0, f32::max);
        Self { leaves, levels, tops, largest }
    }

    /// Whether any sphere is in the probe's way.
    #[inline(always)]
    pub(crate) fn blocks<S: Simd>(&self, simd: S, probe: &Probe) -> bool {
        let lanes = Lanes::new(simd, probe);
        let mut stack = [Visit::default(); STACK];
        let mut depth = 0;
        for node in 0..self.tops.1 {
            stack[depth] = Visit { level: self.tops.0, node };
            depth += 1;
        }
        while depth > 0 {
            depth -= 1;
            let Visit { level, node } = stack[depth];
            let (mut met, enter) = self.levels[level as usize][node as usize].met(simd, &lanes);
            if level > 0 {
                // nearest on top of the stack: most rays end in the first boxes they enter
                let first = depth;
                let mut distances = [0.0; WIDTH];
                while met != 0 {
                    let child = met.trailing_zeros();
                    met &= met - 1;
                    let distance = enter[child as usize];
                    let mut place = depth - first;
                    while place > 0 && distances[place - 1] < distance {
                        distances[place] = distances[place - 1];
                        stack[first + place] = stack[first + place - 1];
                        place -= 1;
                    }
                    distances[place] = distance;
                    stack[first + place] = Visit { level: level - 1, node: node * WIDTH as u32 + child };
                    depth += 1;
                }
            } else {
                while met != 0 {
                    // leaves are few: the nearest each time
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
                    if blocks(simd, spheres_of(simd, &self.leaves[(node * WIDTH as u32 + child) as usize]), &lanes.line)
                    {
                        return true;
                    }
                }
            }
        }
        false
    }

    /// How far the centres of the leaf at a point lie apart: a measure of how closely spheres are packed there.
    #[inline(always)]
    pub(super) fn neighbourhood<S: Simd>(&self, simd: S, point: [f32; 3]) -> f32 {
        let point = spread(simd, point);
        let mut node = 0;
        for level in self.levels.iter().rev() {
            let nodes = &level[node];
            let distances = nodes.distances_squared(simd, point).to_array();
            let mut nearest = 0;
            for place in 1..WIDTH {
                if distances[place] < distances[nearest] {
                    nearest = place;
                }
            }
            node = node * WIDTH + nearest;
        }
        let Some([x, y, z, _]) = self.leaves.get(node) else { return 0.0 };
        [x, y, z].into_iter().map(spread_of).fold(0.0, f32::max)
    }

    /// Hands every sphere centred within `reach` of a point to `near`, until it has enough.
    #[inline(always)]
    pub(super) fn gather<S: Simd>(&self, simd: S, point: [f32; 3], reach: f32, near: &mut impl Gather) {
        let Some(top) = self.levels.len().checked_sub(1) else { return };
        let point = spread(simd, point);
        let reach_squared = f32x16::splat(simd, reach * reach);
        let mut stack = [Visit::default(); STACK];
        stack[0] = Visit { level: top as u32, node: 0 };
        let mut depth = 1;
        while depth > 0 {
            depth -= 1;
            let Visit { level, node } = stack[depth];
            let distances = self.levels[level as usize][node as usize].distances_squared(simd, point);
            let mut met = distances.simd_le(reach_squared).to_bitmask();
            while met != 0 {
                let child = node * WIDTH as u32 + met.trailing_zeros();
                met &= met - 1;
                if level > 0 {
                    stack[depth] = Visit { level: level - 1, node: child };
                    depth += 1;
                } else {
                    let leaf = &self.leaves[child as usize];
                    let mut places = distances_squared(simd, leaf, point).simd_le(reach_squared).to_bitmask();
                    while places != 0 {
                        if !near.take(leaf, places.trailing_zeros() as usize) {
                            return;
                        }
                        places &= places - 1;
                    }
                }
            }
        }
    }
}

/// A node that is still to be looked at.
#[derive(Clone, Copy, Debug, Default)]
struct Visit {
    level: u32,
    node: u32,
}

/// So few nodes are better visited in turn than asked for from above.
const TOPS: usize = 3;

/// 2³² spheres make eight levels, of which each leaves at most 15 siblings waiting.
const STACK: usize = 8 * WIDTH;

/// A sphere on its way into a leaf, in whose memory it waits: its centre, and the bits of its index in place of a radius.
/// A centre of NaN takes no part.
type Mark = [f32; 4];

fn as_marks(leaves: &mut [Leaf]) -> &mut [Mark] {
    leaves.as_flattened_mut().as_flattened_mut().as_chunks_mut().0
}

fn center(&[x, y, z, _]: &Mark) -> [f32; 3] {
    [x, y, z]
}

fn index(&[.., index]: &Mark) -> u32 {
    index.to_bits()
}

/// Leaves that hold marks of everything that is drawn, and how many.
fn marks(roster: &SphereInstances<'_>) -> (Vec<Leaf>, usize) {
    let stretches = roster.stretches(1 << 14);
    let counts: Vec<usize> = stretches.par_iter().map(|runs| roster.drawn(runs).count()).collect();
    let count = counts.iter().sum::<usize>();
    let mut leaves = vec![EMPTY_LEAF; count.div_ceil(WIDTH)];
    let mut rest = as_marks(&mut leaves);
    let mut places = Vec::with_capacity(stretches.len());
    for count in counts {
        let (place, behind) = rest.split_at_mut(count);
        places.push(place);
        rest = behind;
    }
    stretches.par_iter().zip(places).for_each(|(runs, place)| {
        for (mark, (index, EyeSphere { center: [x, y, z], .. })) in place.iter_mut().zip(roster.drawn(runs)) {
            *mark = [x, y, z, f32::from_bits(index)];
        }
    });
    (leaves, count)
}

/// Puts marks in the order of leaves.
fn arrange(marks: &mut [Mark], roster: &SphereInstances<'_>) {
    if marks.len() <= WIDTH {
        return;
    }
    let [min, max] = marks.iter().fold(NOTHING, |bounds, mark| around(bounds, [center(mark); 2]));
    if min == max {
        thin(marks, roster);
        return;
    }
    // halves first: the extent of ±f32::MAX is out of range
    let extent = |axis: usize| max[axis] * 0.5 - min[axis] * 0.5;
    let axis = (1..3).fold(0, |widest, axis| if extent(axis) > extent(widest) { axis } else { widest });
    let half = marks.len().div_ceil(WIDTH).next_power_of_two() / 2 * WIDTH;
    marks.select_nth_unstable_by(half, |a, b| a[axis].total_cmp(&b[axis]).then(index(a).cmp(&index(b))));
    let alone = marks.len() < SHARED;
    let (left, right) = marks.split_at_mut(half);
    if alone {
        arrange(left, roster);
        arrange(right, roster);
    } else {
        rayon::join(|| arrange(left, roster), || arrange(right, roster));
    }
}

/// Leaves out all copies but one of concentric spheres. The others come in the order of their radii.
fn thin(marks: &mut [Mark], roster: &SphereInstances<'_>) {
    let radius = |mark: &Mark| roster.sphere(index(mark)).0.radius.to_bits();
    marks.sort_unstable_by_key(|mark| (radius(mark), index(mark)));
    let mut last = None;
    for mark in marks {
        let radius = radius(mark);
        if last.replace(radius) == Some(radius) {
            mark[0] = f32::NAN;
        }
    }
}

/// Fewer marks are not worth another thread's attention.
const SHARED: usize = 1 << 13;

const NOTHING: Box3 = [[f32::INFINITY; 3], [f32::NEG_INFINITY; 3]];

fn around(a: Box3, b: Box3) -> Box3 {
    [std::array::from_fn(|axis| a[0][axis].min(b[0][axis])), std::array::from_fn(|axis| a[1][axis].max(b[1][axis]))]
}

fn parents<T: Sync>(children: &[T], bounds: impl Fn(&T) -> Box3 + Sync) -> Vec<Node> {
    let parent = |children: &[T]| {
        let mut node = EMPTY_NODE;
        for (place, child) in children.iter().enumerate() {
            let [min, max] = bounds(child);
            for axis in 0..3 {
                node.min[axis][place] = min[axis];
                node.max[axis][place] = max[axis];
            }
        }
        node
    };
    children.par_chunks(WIDTH).map(parent).collect()
}

/// Takes what [`Tree::gather`] finds.
pub(super) trait Gather {
    /// Takes the sphere at a place of a leaf; answers whether to go on.
    fn take(&mut self, leaf: &Leaf, place: usize) -> bool;
}

/// Makes a leaf of the marks in it.
fn settle(leaf: &mut Leaf, roster: &SphereInstances<'_>) {
    let mut marks = std::mem::replace(leaf, EMPTY_LEAF);
    for (place, mark) in as_marks(std::slice::from_mut(&mut marks)).iter().enumerate() {
        if !mark[0].is_nan() {
            let [x, y, z] = center(mark);
            for (row, number) in leaf.iter_mut().zip([x, y, z, roster.sphere(index(mark)).0.radius]) {
                row[place] = number;
            }
        }
    }
}

/// The square of the distance from a point to each centre.
#[inline(always)]
fn distances_squared<S: Simd>(simd: S, [x, y, z, _]: &Leaf, [px, py, pz]: [f32x16<S>; 3]) -> f32x16<S> {
    let x = f32x16::load_array_ref(simd, x) - px;
    let y = f32x16::load_array_ref(simd, y) - py;
    let z = f32x16::load_array_ref(simd, z) - pz;
    (x * x + y * y) + z * z
}

fn bounds([x, y, z, radius]: &Leaf) -> Box3 {
    let mut bounds = NOTHING;
    for place in (0..WIDTH).filter(|&place| !radius[place].is_nan()) {
        let center = [x[place], y[place], z[place]];
        let r = radius[place];
        let grown = |axis: usize| r + GROWTH * (center[axis].abs() + r);
        // finite, so that no difference with a finite point is NaN
        let min = std::array::from_fn(|axis| (center[axis] - grown(axis)).max(f32::MIN));
        let max = std::array::from_fn(|axis| (center[axis] + grown(axis)).min(f32::MAX));
        bounds = around(bounds, [min, max]);
    }
    bounds
}

/// Whether one of some spheres is in the way of a ray that leaves another.
#[inline(always)]
pub(super) fn blocks<S: Simd, V: SimdFloat<S, Element = f32>>(simd: S, spheres: [V; 4], line: &Line<V>) -> bool {
    let crossed = crossed(simd, spheres, line);
    crossed.any_true() && (crossed & is_other(simd, spheres, &line.except)).any_true()
}

/// Which of some spheres are in the way, lane by lane: crossed within the line's length, or around its origin and left
/// within it.
#[inline(always)]
pub(super) fn crossed<S: Simd, V: SimdFloat<S, Element = f32>>(
    simd: S,
    [x, y, z, r]: [V; 4],
    line: &Line<V>,
) -> V::Mask {
    let [ox, oy, oz] = line.origin;
    let [dx, dy, dz] = line.direction;
    let (x, y, z) = (x - ox, y - oy, z - oz);
    let b = (x * dx + y * dy) + z * dz;
    let (fx, fy, fz) = (x - b * dx, y - b * dy, z - b * dz);
    let disc = r * r - ((fx * fx + fy * fy) + fz * fz);
    let zero = V::splat(simd, 0.0);
    let met = disc.simd_ge(zero);
    if !met.any_true() {
        return met;
    }
    let depth = disc.sqrt();
    let (enter, exit) = (b - depth, b + depth);
    let first = enter.simd_ge(zero).select(enter, exit);
    met & first.simd_ge(zero) & first.simd_le(line.length)
}

/// Which of some spheres are others than the one a ray leaves.
#[inline(always)]
pub(super) fn is_other<S: Simd, V: SimdFloat<S, Element = f32>>(
    simd: S,
    [xs, ys, zs, radii]: [V; 4],
    EyeSphere { center: [x, y, z], radius }: &EyeSphere,
) -> V::Mask {
    let same = |numbers: V, number: f32| numbers.simd_eq(V::splat(simd, number));
    !(same(xs, *x) & same(ys, *y) & same(zs, *z) & same(radii, *radius))
}

/// The numbers of a leaf, a lane each.
#[inline(always)]
pub(super) fn spheres_of<S: Simd>(simd: S, [x, y, z, radius]: &Leaf) -> [f32x16<S>; 4] {
    [
        f32x16::load_array_ref(simd, x),
        f32x16::load_array_ref(simd, y),
        f32x16::load_array_ref(simd, z),
        f32x16::load_array_ref(simd, radius),
    ]
}

fn largest([.., radius]: &Leaf) -> f32 {
    // NaN gives way
    radius.iter().fold(0.0, |largest, &radius| largest.max(radius))
}

impl Node {
    fn bounds(&self) -> Box3 {
        (0..WIDTH).fold(NOTHING, |bounds, place| {
            let corner = |corners: &[[f32; WIDTH]; 3]| corners.map(|axis| axis[place]);
            around(bounds, [corner(&self.min), corner(&self.max)])
        })
    }

    /// A bit for every child whose box the probe meets, and where it enters them.
    #[inline(always)]
    fn met<S: Simd>(&self, simd: S, probe: &Lanes<S>) -> (u64, [f32; WIDTH]) {
        let mut enter = probe.begin;
        let (origin, mut exit) = (&probe.line.origin, probe.line.length);
        for axis in 0..3 {
            let (near, far) = if probe.backwards[axis] { (&self.max, &self.min) } else { (&self.min, &self.max) };
            let inverse = probe.inverse[axis];
            enter = enter.max((f32x16::load_array_ref(simd, &near[axis]) - origin[axis]) * inverse);
            exit = exit.min((f32x16::load_array_ref(simd, &far[axis]) - origin[axis]) * inverse);
        }
        // 3 roundings each way (T. Ize, "Robust BVH Ray Traversal", *JCGT* 2(2), 2013)
        (enter.simd_le(exit * (1.0 + 8.0 * f32::EPSILON)).to_bitmask(), enter.to_array())
    }

    /// The square of the distance from a point to each child's box, which is infinite when out of range; NaN where
    /// there is no child, so that no comparison takes it for one.
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

/// How far the numbers of a row lie apart, places that are not filled left out.
#[inline(always)]
fn spread_of(row: &[f32; WIDTH]) -> f32 {
    let (mut least, mut most) = (f32::INFINITY, f32::NEG_INFINITY);
    for &number in row {
        // a comparison with NaN takes nothing
        least = if number < least { number } else { least };
        most = if number > most { number } else { most };
    }
    (most - least).max(0.0)
}

/// A point in every lane.
#[inline(always)]
pub(super) fn spread<S: Simd>(simd: S, [x, y, z]: [f32; 3]) -> [f32x16<S>; 3] {
    [f32x16::splat(simd, x), f32x16::splat(simd, y), f32x16::splat(simd, z)]
}

/// A ray in every lane: a probe's in all, or one each.
pub(super) struct Line<V> {
    pub origin: [V; 3],
    pub direction: [V; 3],
    pub length: V,
    pub except: EyeSphere,
}

impl<V> Line<V> {
    #[inline(always)]
    pub(super) fn new<S: Simd>(simd: S, probe: &Probe) -> Self
    where
        V: SimdFloat<S, Element = f32>,
    {
        let spread = |[x, y, z]: [f32; 3]| [V::splat(simd, x), V::splat(simd, y), V::splat(simd, z)];
        let (origin, direction) = (spread(probe.origin), spread(probe.direction));
        Self { origin, direction, length: V::splat(simd, probe.length), except: probe.except }
    }
}

/// A probe as boxes meet it.
struct Lanes<S: Simd> {
    line: Line<f32x16<S>>,
    inverse: [f32x16<S>; 3],
    backwards: [bool; 3],
    begin: f32x16<S>,
}

impl<S: Simd> Lanes<S> {
    #[inline(always)]
    fn new(simd: S, probe: &Probe) -> Self {
        let [x, y, z] = probe.direction;
        let inverse = [reciprocal(x), reciprocal(y), reciprocal(z)];
        Self {
            line: Line::new(simd, probe),
            inverse: spread(simd, inverse),
            backwards: [inverse[0] < 0.0, inverse[1] < 0.0, inverse[2] < 0.0],
            begin: f32x16::splat(simd, probe.begin),
        }
    }
}

/// A component of 0 would give 0 × ∞ in the slab test; the least normal number has a finite reciprocal.
#[inline(always)]
fn reciprocal(component: f32) -> f32 {
    let tiny = f32::MIN_POSITIVE;
    1.0 / if component.abs() < tiny { tiny.copysign(component) } else { component }
}
