//! A tree over spheres for rays that start anywhere: 16 children a node, 16 spheres a leaf, in Morton order, without a pointer.
//!
//! Sorted by Morton code, spheres fall into leaves of 16, leaves into nodes of 16, and so on: the child `i` of
//! node `n` is node `16·n + i` of the level below. A node keeps its children's boxes side by side, so that one ray
//! meets all of them in one step of lanes. 20 bytes a sphere in the leaves and 1.6 in the nodes.
#![expect(clippy::cast_possible_truncation, reason = "Morton cells are clamped to their range, indices fit 32 bits")]

use fearless_simd::{f32x16, prelude::*, u32x16};
use rayon::prelude::*;

use crate::scene::{Roster, Seen};

/// Children a node and spheres a leaf.
const WIDTH: usize = 16;

/// Sixteen spheres relative to the eye. Places that are not filled hold NaN, which no ray meets.
#[derive(Clone, Debug)]
struct Leaf {
    x: [f32; WIDTH],
    y: [f32; WIDTH],
    z: [f32; WIDTH],
    radius: [f32; WIDTH],
    index: [u32; WIDTH],
}

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
    /// The largest radius.
    largest: f32,
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
    /// The sphere it leaves from, which it cannot meet; `u32::MAX` for none.
    pub except: u32,
}

const EMPTY_LEAF: Leaf = Leaf {
    x: [f32::NAN; WIDTH],
    y: [f32::NAN; WIDTH],
    z: [f32::NAN; WIDTH],
    radius: [f32::NAN; WIDTH],
    index: [u32::MAX; WIDTH],
};

const EMPTY_NODE: Node = Node { min: [[f32::INFINITY; WIDTH]; 3], max: [[f32::NEG_INFINITY; WIDTH]; 3] };

/// Boxes are grown by this share of their distance, more than the roundings of a sphere's extent and of the
/// slab test together, so that a box is never missed by a ray that meets a sphere in it.
const GROWTH: f32 = 16.0 * f32::EPSILON;

type Box3 = [[f32; 3]; 2];

impl Tree {
    /// Builds the tree of everything that is drawn.
    pub(crate) fn new(roster: &Roster<'_>) -> Self {
        let keys = order(roster);
        let leaves: Vec<Leaf> = keys
            .par_chunks(WIDTH)
            .map(|keys| {
                let mut leaf = EMPTY_LEAF;
                for (place, &key) in keys.iter().enumerate() {
                    let index = key as u32;
                    let (seen, _) = roster.sphere(index);
                    [leaf.x[place], leaf.y[place], leaf.z[place]] = seen.center;
                    leaf.radius[place] = seen.radius;
                    leaf.index[place] = index;
                }
                leaf
            })
            .collect();
        let mut levels = Vec::new();
        if !leaves.is_empty() {
            levels.push(parents(&leaves, Leaf::bounds));
            while levels[levels.len() - 1].len() > 1 {
                let above = parents(&levels[levels.len() - 1], Node::bounds);
                levels.push(above);
            }
        }
        let largest = leaves.par_iter().map(Leaf::largest).reduce(|| 0.0, f32::max);
        Self { leaves, levels, largest }
    }

    /// Whether any sphere is in the probe's way.
    #[inline(always)]
    pub(crate) fn blocks<S: Simd>(&self, simd: S, probe: &Probe) -> bool {
        let Some(top) = self.levels.len().checked_sub(1) else { return false };
        let lanes = Lanes::new(simd, probe);
        let mut stack = [Visit::default(); STACK];
        stack[0] = Visit { level: top as u32, node: 0 };
        let mut depth = 1;
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
                    if self.leaves[(node * WIDTH as u32 + child) as usize].blocks(simd, &lanes) {
                        return true;
                    }
                }
            }
        }
        false
    }

    /// How far around a point the spheres near it are worth a look for a whole fan: the side of the leaf there.
    #[inline(always)]
    fn neighbourhood<S: Simd>(&self, simd: S, point: [f32x16<S>; 3]) -> f32 {
        let mut node = 0;
        let mut side = 0.0;
        for level in self.levels.iter().rev() {
            let nodes = &level[node];
            let distances = nodes.distances_squared(simd, point).to_array();
            let mut nearest = 0;
            for place in 1..WIDTH {
                if distances[place] < distances[nearest] {
                    nearest = place;
                }
            }
            side = (0..3).fold(0.0f32, |side, axis| side.max(nodes.max[axis][nearest] - nodes.min[axis][nearest]));
            node = node * WIDTH + nearest;
        }
        side
    }

    /// Which of a fan's rays are blocked, a bit each.
    ///
    /// Most occluders are near: first the spheres around the origin, each against all rays at once, then the rays
    /// that are left, one by one, from where the first step ended.
    #[inline(always)]
    pub(crate) fn blocked<S: Simd>(&self, simd: S, fan: &Fan) -> u32 {
        let Some(top) = self.levels.len().checked_sub(1) else { return 0 };
        let point = [
            f32x16::splat(simd, fan.origin[0]),
            f32x16::splat(simd, fan.origin[1]),
            f32x16::splat(simd, fan.origin[2]),
        ];
        let reach = self.neighbourhood(simd, point);
        let wanted = (1u32 << (fan.count - 1) << 1).wrapping_sub(1);
        let mut blocked = 0;
        let mut stack = [Visit::default(); STACK];
        stack[0] = Visit { level: top as u32, node: 0 };
        let mut depth = 1;
        while depth > 0 && blocked & wanted != wanted {
            depth -= 1;
            let Visit { level, node } = stack[depth];
            let distances = self.levels[level as usize][node as usize].distances_squared(simd, point);
            let mut near = distances.simd_le(reach * reach).to_bitmask();
            while near != 0 {
                let child = node * WIDTH as u32 + near.trailing_zeros();
                near &= near - 1;
                if level > 0 {
                    stack[depth] = Visit { level: level - 1, node: child };
                    depth += 1;
                } else {
                    blocked |= self.leaves[child as usize].blocked(simd, fan, point, reach);
                }
            }
        }
        let mut left = wanted & !blocked;
        // what was not looked at above is centred beyond the reach, or left out for the fan's length
        let seen_all = (reach + self.largest) * (1.0 + GROWTH) <= fan.length;
        let begin = if seen_all { (reach * (1.0 - GROWTH) - self.largest).max(0.0) } else { 0.0 };
        while left != 0 {
            let ray = left.trailing_zeros() as usize;
            left &= left - 1;
            let direction = [fan.x[ray], fan.y[ray], fan.z[ray]];
            let probe = Probe { origin: fan.origin, direction, begin, length: fan.length, except: fan.except };
            blocked |= u32::from(self.blocks(simd, &probe)) << ray;
        }
        blocked & wanted
    }
}

/// Up to sixteen rays from one point of a surface.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fan {
    /// Relative to the eye.
    pub origin: [f32; 3],
    /// The surface's normal: no ray points below it.
    pub normal: [f32; 3],
    /// Unit directions, side by side.
    pub x: [f32; WIDTH],
    pub y: [f32; WIDTH],
    pub z: [f32; WIDTH],
    /// How many of them are meant.
    pub count: usize,
    /// How far they look.
    pub length: f32,
    /// The sphere they leave from, which they cannot meet; `u32::MAX` for none.
    pub except: u32,
}

/// A node that is still to be looked at.
#[derive(Clone, Copy, Debug, Default)]
struct Visit {
    level: u32,
    node: u32,
}

/// 2³² spheres make eight levels, of which each leaves at most 15 siblings waiting.
const STACK: usize = 8 * WIDTH;

/// Morton keys above indices, sorted.
fn order(roster: &Roster<'_>) -> Vec<u64> {
    let stretches = roster.stretches(1 << 14);
    let seen = |stretch: usize| {
        let runs = stretches[stretch].iter();
        runs.flat_map(|run| run.spheres.iter().zip(run.start..).map(|(s, i)| (roster.seen(s, run.pose), i)))
            .filter(|(seen, _)| seen.is_drawn())
    };
    let [min, max] = (0..stretches.len())
        .into_par_iter()
        .map(|stretch| seen(stretch).fold(NOTHING, |bounds, (seen, _)| around(bounds, [seen.center; 2])))
        .reduce(|| NOTHING, around);
    // halves first: the extent of ±f32::MAX is out of range
    let scale: [f32; 3] =
        std::array::from_fn(|axis| 1024.0 / (max[axis] * 0.5 - min[axis] * 0.5).max(f32::MIN_POSITIVE));
    let cell = |seen: Seen| {
        let cells = std::array::from_fn::<u32, 3, _>(|axis| {
            // `as` takes what is out of range to the nearest cell
            (((seen.center[axis] * 0.5 - min[axis] * 0.5) * scale[axis]) as u32).min(1023)
        });
        spread(cells[0]) << 2 | spread(cells[1]) << 1 | spread(cells[2])
    };
    let parts: Vec<Vec<u64>> = (0..stretches.len())
        .into_par_iter()
        .map(|stretch| seen(stretch).map(|(seen, index)| u64::from(cell(seen)) << 32 | u64::from(index)).collect())
        .collect();
    let mut keys = parts.concat();
    keys.par_sort_unstable();
    keys
}

/// The ten low bits, with two zeros between each.
fn spread(v: u32) -> u32 {
    let v = (v | v << 16) & 0x0300_00ff;
    let v = (v | v << 8) & 0x0300_f00f;
    let v = (v | v << 4) & 0x030c_30c3;
    (v | v << 2) & 0x0924_9249
}

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

impl Leaf {
    fn bounds(&self) -> Box3 {
        let mut bounds = NOTHING;
        for place in (0..WIDTH).filter(|&place| self.index[place] != u32::MAX) {
            let center = [self.x[place], self.y[place], self.z[place]];
            let r = self.radius[place];
            let grown = |axis: usize| r + GROWTH * (center[axis].abs() + r);
            // finite, so that no difference with a finite point is NaN
            let min = std::array::from_fn(|axis| (center[axis] - grown(axis)).max(f32::MIN));
            let max = std::array::from_fn(|axis| (center[axis] + grown(axis)).min(f32::MAX));
            bounds = around(bounds, [min, max]);
        }
        bounds
    }

    /// Whether a sphere of the leaf is in the way: crossed within the probe's length, or around its origin and
    /// left within it.
    #[inline(always)]
    fn blocks<S: Simd>(&self, simd: S, probe: &Lanes<S>) -> bool {
        let [ox, oy, oz] = probe.origin;
        let [dx, dy, dz] = probe.direction;
        let x = f32x16::load_array_ref(simd, &self.x) - ox;
        let y = f32x16::load_array_ref(simd, &self.y) - oy;
        let z = f32x16::load_array_ref(simd, &self.z) - oz;
        let r = f32x16::load_array_ref(simd, &self.radius);
        let b = (x * dx + y * dy) + z * dz;
        let (fx, fy, fz) = (x - b * dx, y - b * dy, z - b * dz);
        let disc = r * r - ((fx * fx + fy * fy) + fz * fz);
        let met = disc.simd_ge(0.0);
        if !met.any_true() {
            return false;
        }
        let depth = disc.sqrt();
        let (enter, exit) = (b - depth, b + depth);
        let first = enter.simd_ge(0.0).select(enter, exit);
        let others = u32x16::load_array_ref(simd, &self.index).simd_ne(probe.except);
        (met & first.simd_ge(0.0) & first.simd_le(probe.length) & others).any_true()
    }

    fn largest(&self) -> f32 {
        // NaN gives way
        self.radius.iter().fold(0.0, |largest, &radius| largest.max(radius))
    }

    /// Which of a fan's rays are blocked by spheres centred within `reach`: each sphere against all rays at once.
    ///
    /// A ray meets a sphere of power c = |oc|² − r² when it points towards it and b² ≥ c; when it starts inside, in
    /// any case. So near, c does not cancel. Spheres that might be met beyond the fan's length are left out.
    #[inline(always)]
    fn blocked<S: Simd>(&self, simd: S, fan: &Fan, [ox, oy, oz]: [f32x16<S>; 3], reach: f32) -> u32 {
        let x = f32x16::load_array_ref(simd, &self.x) - ox;
        let y = f32x16::load_array_ref(simd, &self.y) - oy;
        let z = f32x16::load_array_ref(simd, &self.z) - oz;
        let r = f32x16::load_array_ref(simd, &self.radius);
        let squared = (x * x + y * y) + z * z;
        let height = (x * fan.normal[0] + y * fan.normal[1]) + z * fan.normal[2];
        let others = u32x16::load_array_ref(simd, &self.index).simd_ne(fan.except);
        let near = squared.simd_le(reach * reach) & (squared.sqrt() + r).simd_le(fan.length);
        let mut candidates = (near & (height + r).simd_gt(0.0) & others).to_bitmask();
        if candidates == 0 {
            return 0;
        }
        let power = (squared - r * r).to_array();
        let (x, y, z) = (x.to_array(), y.to_array(), z.to_array());
        let dx = f32x16::load_array_ref(simd, &fan.x);
        let dy = f32x16::load_array_ref(simd, &fan.y);
        let dz = f32x16::load_array_ref(simd, &fan.z);
        let zero = f32x16::splat(simd, 0.0);
        let mut blocked = zero.simd_gt(zero);
        while candidates != 0 {
            let place = candidates.trailing_zeros() as usize;
            candidates &= candidates - 1;
            let b = (dx * x[place] + dy * y[place]) + dz * z[place];
            // b·|b| ≥ c says b > 0 and b² ≥ c at once; c < 0 has to say the rest
            let power = if power[place] < 0.0 { f32::NEG_INFINITY } else { power[place].max(f32::MIN_POSITIVE) };
            blocked |= (b * b.abs()).simd_ge(power);
        }
        blocked.to_bitmask() as u32
    }
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
        let mut exit = probe.length;
        for axis in 0..3 {
            let (near, far) = if probe.backwards[axis] { (&self.max, &self.min) } else { (&self.min, &self.max) };
            let inverse = probe.inverse[axis];
            enter = enter.max((f32x16::load_array_ref(simd, &near[axis]) - probe.origin[axis]) * inverse);
            exit = exit.min((f32x16::load_array_ref(simd, &far[axis]) - probe.origin[axis]) * inverse);
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
        let [min, max] = [&self.min[0], &self.max[0]].map(|axis| f32x16::load_array_ref(simd, axis));
        min.simd_le(max).select(squared, f32x16::splat(simd, f32::NAN))
    }
}

/// A probe spread over lanes.
struct Lanes<S: Simd> {
    origin: [f32x16<S>; 3],
    direction: [f32x16<S>; 3],
    inverse: [f32x16<S>; 3],
    backwards: [bool; 3],
    begin: f32x16<S>,
    length: f32x16<S>,
    except: u32x16<S>,
}

impl<S: Simd> Lanes<S> {
    #[inline(always)]
    fn new(simd: S, probe: &Probe) -> Self {
        let [x, y, z] = probe.direction;
        let inverse = [reciprocal(x), reciprocal(y), reciprocal(z)];
        Self {
            origin: [
                f32x16::splat(simd, probe.origin[0]),
                f32x16::splat(simd, probe.origin[1]),
                f32x16::splat(simd, probe.origin[2]),
            ],
            direction: [f32x16::splat(simd, x), f32x16::splat(simd, y), f32x16::splat(simd, z)],
            inverse: [
                f32x16::splat(simd, inverse[0]),
                f32x16::splat(simd, inverse[1]),
                f32x16::splat(simd, inverse[2]),
            ],
            backwards: [inverse[0] < 0.0, inverse[1] < 0.0, inverse[2] < 0.0],
            begin: f32x16::splat(simd, probe.begin),
            length: f32x16::splat(simd, probe.length),
            except: u32x16::splat(simd, probe.except),
        }
    }
}

/// A component of 0 would give 0 × ∞ in the slab test; the least normal number has a finite reciprocal.
#[inline(always)]
fn reciprocal(component: f32) -> f32 {
    let tiny = f32::MIN_POSITIVE;
    1.0 / if component.abs() < tiny { tiny.copysign(component) } else { component }
}
