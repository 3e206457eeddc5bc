//! Building the hierarchy.
#![expect(clippy::cast_possible_truncation, reason = "levels are few; indices fit 32 bits")]

use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use super::tree::{Box3, Bvh, EMPTY_BOX, EMPTY_NODE, EMPTY_SPHERES, Node, Sphere16, WIDTH, bounds, union};
use crate::scene::{EyeSphere, InstanceRun, SphereInstances};

impl Bvh {
    /// Builds the hierarchy of all drawable spheres, which are given in world coordinates. Soon after `cancelled` is set, it
    /// returns a hierarchy of nothing.
    pub(in crate::trace) fn new(instances: &SphereInstances<'_>, cancelled: &AtomicBool) -> Self {
        let (mut leaves, count) = centers(instances);
        arrange(&mut as_centers(&mut leaves)[..count], instances, cancelled);
        if cancelled.load(Ordering::Relaxed) {
            leaves.clear();
        }
        leaves.par_chunks_mut(FILLED).for_each(|leaves| fill_leaves(leaves, instances));
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
}

/// tuned: benches/spheres.rs S5 ambient occlusion. Up to this many nodes are visited in turn instead of from above.
const TOP_NODES: usize = 3;

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
    let count = |runs: &Vec<InstanceRun<'_>>| {
        let mut count = 0;
        instances.visit_drawable(runs, |_, _| count += 1);
        count
    };
    let counts: Vec<usize> = chunks.par_iter().map(count).collect();
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
        let mut centers = part.iter_mut();
        instances.visit_drawable(runs, |index, EyeSphere { center: [x, y, z], .. }| {
            // as many as were counted, unless borrowed spheres change meanwhile
            if let Some(center) = centers.next() {
                *center = [x, y, z, f32::from_bits(index)];
            }
        });
    });
    (leaves, count)
}

/// Puts centres into the order of leaves.
fn arrange(centers: &mut [IndexedCenter], instances: &SphereInstances<'_>, cancelled: &AtomicBool) {
    let is_small = centers.len() < PARALLEL;
    if centers.len() <= WIDTH || (!is_small && cancelled.load(Ordering::Relaxed)) {
        return;
    }
    let [min, max] = box_around(centers);
    if min == max {
        drop_copies(centers, instances);
        return;
    }
    // halves first: the extent of ±f32::MAX is out of range
    let extent = |axis: usize| max[axis] * 0.5 - min[axis] * 0.5;
    let axis = (1..3).fold(0, |widest, axis| if extent(axis) > extent(widest) { axis } else { widest });
    let half = centers.len().div_ceil(WIDTH).next_power_of_two() / 2 * WIDTH;
    match axis {
        0 => centers.select_nth_unstable_by_key(half, key::<0>),
        1 => centers.select_nth_unstable_by_key(half, key::<1>),
        _ => centers.select_nth_unstable_by_key(half, key::<2>),
    };
    let (left, right) = centers.split_at_mut(half);
    if is_small {
        arrange(left, instances, cancelled);
        arrange(right, instances, cancelled);
    } else {
        rayon::join(|| arrange(left, instances, cancelled), || arrange(right, instances, cancelled));
    }
}

/// A number that orders centres along an axis, those in one place by their indices: as `f32::total_cmp` does, in one comparison.
fn key<const AXIS: usize>(center: &IndexedCenter) -> i64 {
    let bits = center[AXIS].to_bits().cast_signed();
    // of negative numbers, larger bits are farther from 0
    let order = if bits < 0 { bits ^ i32::MAX } else { bits };
    i64::from(order) << 32 | i64::from(index(center))
}

/// The box around some centres.
fn box_around(centers: &[IndexedCenter]) -> Box3 {
    if centers.len() < PARALLEL_BOX {
        return box_of(centers);
    }
    centers.par_chunks(PARALLEL_BOX / 8).map(box_of).reduce(|| EMPTY_BOX, union)
}

/// The box around some centres, four at a time: one after another, each would wait for the one before.
fn box_of(centers: &[IndexedCenter]) -> Box3 {
    const EMPTY: [IndexedCenter; 4] = [[f32::INFINITY; 4]; 4];
    let (mut min, mut max) = (EMPTY, EMPTY.map(|row| row.map(|number| -number)));
    let (groups, rest) = centers.as_chunks::<4>();
    for group in groups {
        for ((min, max), center) in min.iter_mut().zip(&mut max).zip(group) {
            for ((min, max), &along) in min.iter_mut().zip(max).zip(center) {
                *min = if along < *min { along } else { *min };
                *max = if along > *max { along } else { *max };
            }
        }
    }
    let boxes = min.iter().zip(&max).map(|(min, max)| [position(min), position(max)]);
    boxes.chain(rest.iter().map(|center| [position(center); 2])).fold(EMPTY_BOX, union)
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

/// Nor is the box around fewer centres.
const PARALLEL_BOX: usize = 1 << 20;

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

/// Leaves filled together: their radii lie far apart in memory, and loads in a row wait together.
const FILLED: usize = 64;

/// Replaces the centres and indices of at most [`FILLED`] leaves by their spheres, without copies.
fn fill_leaves(leaves: &mut [Sphere16], instances: &SphereInstances<'_>) {
    let mut radii = [f32::NAN; FILLED * WIDTH];
    for (radius, center) in radii.iter_mut().zip(as_centers(leaves)).filter(|(_, center)| !center[0].is_nan()) {
        *radius = instances.radius(index(center));
    }
    for (leaf, radii) in leaves.iter_mut().zip(radii.as_chunks().0) {
        fill_leaf(leaf, radii);
    }
}

fn fill_leaf(leaf: &mut Sphere16, radii: &[f32; WIDTH]) {
    let mut waiting = std::mem::replace(leaf, EMPTY_SPHERES);
    let centers = as_centers(std::slice::from_mut(&mut waiting));
    for (lane, (center, &radius)) in centers.iter().zip(radii).enumerate() {
        let [x, y, z] = position(center);
        if x.is_nan() {
            continue;
        }
        let sphere = [x, y, z, radius];
        let is_copy = leaf[0].contains(&x) && (0..lane).any(|lane| leaf.each_ref().map(|row| row[lane]) == sphere);
        if !is_copy {
            for (row, number) in leaf.iter_mut().zip(sphere) {
                row[lane] = number;
            }
        }
    }
}

fn largest_radius([.., radius]: &Sphere16) -> f32 {
    // `max` ignores NaN
    radius.iter().fold(0.0, |largest, &radius| largest.max(radius))
}
