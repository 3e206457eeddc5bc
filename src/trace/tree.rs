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
}

/// A ray that asks only whether anything is in its way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Probe {
    /// Relative to the eye.
    pub origin: [f32; 3],
    /// Unit.
    pub direction: [f32; 3],
    /// How far it looks.
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
        Self { leaves, levels }
    }

    /// Whether any sphere is in the probe's way.
    #[inline(always)]
    pub(crate) fn blocks<S: Simd>(&self, simd: S, probe: &Probe) -> bool {
        let Some(top) = self.levels.len().checked_sub(1) else { return false };
        let lanes = Lanes::new(simd, probe);
        // a level holds at most 15 siblings yet to visit below each ancestor
        let mut stack = [(0u8, 0u32); 8 * WIDTH];
        stack[0] = (top as u8, 0);
        let mut depth = 1;
        while depth > 0 {
            depth -= 1;
            let (level, node) = stack[depth];
            let mut hit = self.levels[usize::from(level)][node as usize].met(simd, &lanes);
            while hit != 0 {
                let child = node * WIDTH as u32 + hit.trailing_zeros();
                hit &= hit - 1;
                if level > 0 {
                    stack[depth] = (level - 1, child);
                    depth += 1;
                } else if self.leaves[child as usize].blocks(simd, &lanes) {
                    return true;
                }
            }
        }
        false
    }
}

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
            let min = std::array::from_fn(|axis| center[axis] - grown(axis));
            let max = std::array::from_fn(|axis| center[axis] + grown(axis));
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
}

impl Node {
    fn bounds(&self) -> Box3 {
        (0..WIDTH).fold(NOTHING, |bounds, place| {
            let corner = |corners: &[[f32; WIDTH]; 3]| corners.map(|axis| axis[place]);
            around(bounds, [corner(&self.min), corner(&self.max)])
        })
    }

    /// A bit for every child whose box the probe meets.
    #[inline(always)]
    fn met<S: Simd>(&self, simd: S, probe: &Lanes<S>) -> u64 {
        let mut enter = f32x16::splat(simd, 0.0);
        let mut exit = probe.length;
        for axis in 0..3 {
            let (near, far) = if probe.backwards[axis] { (&self.max, &self.min) } else { (&self.min, &self.max) };
            let inverse = probe.inverse[axis];
            enter = enter.max((f32x16::load_array_ref(simd, &near[axis]) - probe.origin[axis]) * inverse);
            exit = exit.min((f32x16::load_array_ref(simd, &far[axis]) - probe.origin[axis]) * inverse);
        }
        // 3 roundings each way (T. Ize, "Robust BVH Ray Traversal", *JCGT* 2(2), 2013)
        enter.simd_le(exit * (1.0 + 8.0 * f32::EPSILON)).to_bitmask()
    }
}

/// A probe spread over lanes.
struct Lanes<S: Simd> {
    origin: [f32x16<S>; 3],
    direction: [f32x16<S>; 3],
    inverse: [f32x16<S>; 3],
    backwards: [bool; 3],
    length: f32x16<S>,
    except: u32x16<S>,
}

impl<S: Simd> Lanes<S> {
    #[inline(always)]
    fn new(simd: S, probe: &Probe) -> Self {
        // a component of 0 would give 0 × ∞; the least normal number has a finite reciprocal
        let tiny = f32::MIN_POSITIVE;
        let inverse = probe.direction.map(|d| 1.0 / if d.abs() < tiny { tiny.copysign(d) } else { d });
        let splat = |value: f32| f32x16::splat(simd, value);
        Self {
            origin: probe.origin.map(splat),
            direction: probe.direction.map(splat),
            inverse: inverse.map(splat),
            backwards: inverse.map(|inverse| inverse < 0.0),
            length: splat(probe.length),
            except: u32x16::splat(simd, probe.except),
        }
    }
}
