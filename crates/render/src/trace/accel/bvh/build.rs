//! Builds the hierarchy: divides the scene into pieces, halves each piece down to leaves, then builds levels of nodes
//! bottom-up.
#![expect(clippy::cast_possible_truncation, reason = "levels are few; indices fit 32 bits")]

use std::sync::atomic::{AtomicBool, Ordering};

use fearless_simd::{Level, dispatch, f32x16, prelude::*};
use rayon::prelude::*;

use super::halves::Columns;
use super::pieces::Pieces;
use super::tree::{Box3, Bvh, EMPTY_BOX, EMPTY_NODE, GROWTH, Node, Sphere16, WIDTH, load_spheres};
use crate::scene::SphereInstances;

impl Bvh {
    /// Builds the hierarchy of all drawable spheres, which are given in world coordinates. Soon after `cancelled` is
    /// set, it returns an empty hierarchy.
    pub(crate) fn new(level: Level, instances: &SphereInstances<'_>, cancelled: &AtomicBool) -> Self {
        Self::of_pieces(level, instances, piece_limit(instances.count) as usize, cancelled)
    }

    /// The same with a given `limit` for the size of a piece, which one thread halves by itself.
    fn of_pieces(level: Level, instances: &SphereInstances<'_>, limit: usize, cancelled: &AtomicBool) -> Self {
        let Pieces { mut leaves, counts } = Pieces::new(instances, limit, cancelled);
        let mut rest = &mut leaves[..];
        let mut pieces = Vec::with_capacity(counts.len());
        for count in counts {
            let (piece, behind) = rest.split_at_mut(count.div_ceil(WIDTH));
            pieces.push((piece, count));
            rest = behind;
        }
        let halve = |columns: &mut Columns, (piece, count): (&mut [Sphere16], usize)| {
            if cancelled.load(Ordering::Relaxed) { 0.0 } else { columns.make_leaves(level, piece, count) }
        };
        let radii = pieces.into_par_iter().map_init(Columns::default, halve);
        let largest_radius = radii.reduce(|| 0.0, f32::max);
        if cancelled.load(Ordering::Relaxed) {
            leaves.clear();
        }
        let levels = levels_above(level, &leaves);
        let top = levels.iter().position(|level| level.len() <= TOP_NODES);
        let top = top.map_or((0, 0), |top| (top as u32, levels[top].len() as u32));
        Self { leaves, levels, top, largest_radius }
    }
}

/// tuned: benches/spheres.rs S5 ambient occlusion. Rays start at the lowest level of at most this many nodes and test
/// its nodes one after another, which is faster than descending from the root.
const TOP_NODES: usize = 3;

/// Up to this many spheres are one piece with exact medians: one thread takes a few milliseconds.
const ONE_PIECE: u64 = 1 << 18;

/// tuned: benches/spheres.rs, hierarchy. Larger scenes are divided into about this many pieces, each small enough for a
/// processor's cache.
const PIECES: u64 = 128;
const LEAST_PIECE: u64 = 1 << 14;
const MOST_PIECE: u64 = 1 << 19;

/// The largest piece that a thread halves by itself, for a scene of this many spheres.
pub(crate) fn piece_limit(count: u64) -> u64 {
    if count <= ONE_PIECE { count } else { (count / PIECES).clamp(LEAST_PIECE, MOST_PIECE) }
}

/// Has a bounding box.
pub(super) trait Bounded: Sync {
    fn bounds<S: Simd>(&self, simd: S) -> Box3;
}

impl Bounded for Box3 {
    #[inline(always)]
    fn bounds<S: Simd>(&self, _: S) -> Box3 {
        *self
    }
}

impl Bounded for Sphere16 {
    #[inline(always)]
    fn bounds<S: Simd>(&self, simd: S) -> Box3 {
        let [x, y, z, radius] = load_spheres(simd, self);
        let is_sphere = radius.simd_gt(f32x16::splat(simd, 0.0));
        let mut bounds = EMPTY_BOX;
        for (axis, center) in [x, y, z].into_iter().enumerate() {
            let grown = radius + (center.abs() + radius) * GROWTH;
            // finite, so that no difference with a finite point is NaN
            let min = is_sphere.select((center - grown).max(f32::MIN), f32x16::splat(simd, f32::INFINITY));
            let max = is_sphere.select((center + grown).min(f32::MAX), f32x16::splat(simd, f32::NEG_INFINITY));
            (bounds[0][axis], bounds[1][axis]) = (min.reduce_min(), max.reduce_max());
        }
        bounds
    }
}

impl Bounded for Node {
    #[inline(always)]
    fn bounds<S: Simd>(&self, simd: S) -> Box3 {
        let [mut least, mut greatest] = EMPTY_BOX;
        for (along, min) in least.iter_mut().zip(&self.min) {
            *along = f32x16::load_array_ref(simd, min).reduce_min();
        }
        for (along, max) in greatest.iter_mut().zip(&self.max) {
            *along = f32x16::load_array_ref(simd, max).reduce_max();
        }
        [least, greatest]
    }
}

/// The nodes above some leaves, from the parents of leaves to the root; none without leaves.
pub(super) fn levels_above<T: Bounded>(level: Level, leaves: &[T]) -> Vec<Vec<Node>> {
    let mut levels = Vec::new();
    if !leaves.is_empty() {
        levels.push(parents(level, leaves));
        while levels[levels.len() - 1].len() > 1 {
            let above = parents(level, &levels[levels.len() - 1]);
            levels.push(above);
        }
    }
    levels
}

fn parents<T: Bounded>(level: Level, children: &[T]) -> Vec<Node> {
    let parent = |children: &[T]| dispatch!(level, simd => parent(simd, children));
    children.par_chunks(WIDTH).map(parent).collect()
}

#[inline(always)]
fn parent<S: Simd, T: Bounded>(simd: S, children: &[T]) -> Node {
    let mut node = EMPTY_NODE;
    for (lane, child) in children.iter().enumerate() {
        let [min, max] = child.bounds(simd);
        for axis in 0..3 {
            node.min[axis][lane] = min[axis];
            node.max[axis][lane] = max[axis];
        }
    }
    node
}

#[cfg(test)]
mod tests {
    use std::cmp::Ordering::Equal;

    use super::super::pieces::sampled_index;
    use super::super::tree::{EMPTY_SPHERES, left_half};
    use super::*;
    use crate::color::Srgba8;
    use crate::geom::Sphere;
    use crate::scene::spheres::{PaintedSphere, Pose, SphereGroup};
    use crate::simd::levels;
    use crate::trace::find::sampling::hash;

    /// A number from 0 to 1 for each sphere and component.
    fn uniform(index: u32, component: u32) -> f32 {
        (hash(u64::from(index) << 2 | u64::from(component)) >> 40) as f32 / (1u64 << 24) as f32
    }

    fn spheres(count: u32, center: impl Fn(u32) -> [f32; 3]) -> Vec<PaintedSphere> {
        let sphere = |index| PaintedSphere::new(center(index), 0.5 + (index % 3) as f32, Srgba8::WHITE);
        (0..count).map(sphere).collect()
    }

    /// Scenes that are hard to halve, each with a name.
    fn scenes(count: u32) -> Vec<(&'static str, Vec<PaintedSphere>)> {
        let cube = |index| [0, 1, 2].map(|component| uniform(index, component));
        let sampled: Vec<u32> = (0..count / 8).map(|number| sampled_index(count as usize, number as usize)).collect();
        let cubed = |number: f32| (number - 0.5) * (number - 0.5) * (number - 0.5);
        let huge = |number: f32| f32::from_bits((number * 4.2e9) as u32).clamp(-1e38, 1e38);
        vec![
            ("random", spheres(count, cube)),
            ("in clusters", spheres(count, |index| cube(index).map(|number| cubed(cubed(number) + 0.5)))),
            ("coincident", spheres(count, |_| [1.0, -2.0, 0.0])),
            ("half of them coincident", spheres(count, |index| if index % 2 == 0 { [0.5; 3] } else { cube(index) })),
            ("on a line", spheres(count, |index| [3.0, uniform(index, 0), -0.0])),
            ("on a lattice", spheres(count, |index| cube(index).map(|number| (number * 9.0).floor() - 4.0))),
            ("both zeros", spheres(count, |index| [0, 1, 2].map(|axis| 0.0f32.copysign(uniform(index, axis) - 0.5)))),
            ("huge and small", spheres(count, |index| cube(index).map(huge))),
            ("some not drawable", spheres(count, |index| if index % 5 == 3 { [f32::NAN; 3] } else { cube(index) })),
            (
                "not like the sample",
                spheres(count, |index| {
                    let is_sampled = sampled.binary_search(&index).is_ok();
                    cube(index).map(|number| if is_sampled { number * 1e-3 } else { number })
                }),
            ),
        ]
    }

    /// The leaves of an obvious build: each half is sorted by coordinate and index, and put back into the order of
    /// indices.
    fn serial_leaves(spheres: Vec<[f32; 4]>, leaves: &mut Vec<Sphere16>) {
        let corners = |pick: fn(f32, f32) -> f32, from: f32| {
            [0, 1, 2].map(|axis| spheres.iter().fold(from, |corner, sphere| pick(corner, sphere[axis])))
        };
        let (min, max) = (corners(f32::min, f32::INFINITY), corners(f32::max, f32::NEG_INFINITY));
        if spheres.len() <= WIDTH {
            let mut leaf = EMPTY_SPHERES;
            for (lane, sphere) in spheres.iter().enumerate() {
                if !spheres[..lane].contains(sphere) {
                    (0..4).for_each(|row| leaf[row][lane] = sphere[row]);
                }
            }
            leaves.push(leaf);
        } else if min == max {
            let mut sorted = spheres;
            sorted.sort_by(|a, b| a[3].total_cmp(&b[3]));
            for lane in (1..sorted.len()).rev() {
                if sorted[lane][3] == sorted[lane - 1][3] {
                    sorted[lane] = [f32::NAN; 4];
                }
            }
            for group in sorted.chunks(WIDTH) {
                let number = |row: usize, lane: usize| group.get(lane).map_or(f32::NAN, |sphere| sphere[row]);
                leaves.push(std::array::from_fn(|row| std::array::from_fn(|lane| number(row, lane))));
            }
        } else {
            let extent = |axis: usize| max[axis] * 0.5 - min[axis] * 0.5;
            let axis = (1..3).fold(0, |widest, axis| if extent(axis) > extent(widest) { axis } else { widest });
            let mut sorted: Vec<usize> = (0..spheres.len()).collect();
            sorted.sort_by(|&a, &b| spheres[a][axis].total_cmp(&spheres[b][axis]).then(a.cmp(&b)));
            let (left, right) = sorted.split_at_mut(left_half(spheres.len()));
            for half in [left, right] {
                half.sort_unstable();
                serial_leaves(half.iter().map(|&index| spheres[index]).collect(), leaves);
            }
        }
    }

    fn bits(leaves: &[Sphere16]) -> Vec<u32> {
        // NaN is NaN, and a zero that stands for its copies may have either sign
        let bits = |number: f32| match number.partial_cmp(&0.0) {
            None => u32::MAX,
            Some(Equal) => 0,
            Some(_) => number.to_bits(),
        };
        leaves.as_flattened().as_flattened().iter().map(|&number| bits(number)).collect()
    }

    fn with_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a thread pool").install(work)
    }

    /// The bits of all spheres, each of them once.
    fn distinct(leaves: &[Sphere16]) -> Vec<[u32; 4]> {
        let bits = bits(leaves);
        let (leaves, _) = bits.as_chunks::<{ 4 * WIDTH }>();
        let mut spheres = Vec::new();
        for leaf in leaves {
            spheres.extend((0..WIDTH).map(|lane| [0, 1, 2, 3].map(|row| leaf[row * WIDTH + lane])));
        }
        spheres.sort_unstable();
        spheres.dedup();
        spheres
    }

    #[test]
    fn hierarchies_equal_a_serial_build() {
        let going_on = AtomicBool::new(false);
        for count in [0, 1, 16, 17, 1000, 20_011] {
            for (name, spheres) in scenes(count) {
                let drawable = spheres.iter().map(|&PaintedSphere { center, radius, .. }| Sphere { center, radius });
                let drawable =
                    drawable.filter(Sphere::is_drawable).map(|Sphere { center: [x, y, z], radius }| [x, y, z, radius]);
                let mut serial = Vec::new();
                serial_leaves(drawable.collect(), &mut serial);
                if count == 0 {
                    serial.clear();
                }
                let groups = [SphereGroup::from(spheres)];
                let instances = SphereInstances::new(&groups, [0.0; 3]);
                let build = |limit: usize| Bvh::of_pieces(Level::new(), &instances, limit, &going_on);
                assert!(bits(&build(1 << 15).leaves) == bits(&serial), "{count} spheres {name}");
                // in pieces: the same spheres, whatever the threads
                for limit in [100, 3000] {
                    let bvh = with_threads(1, || build(limit));
                    assert!(distinct(&bvh.leaves) == distinct(&serial), "{count} spheres {name}, pieces of {limit}");
                    for threads in [2, 3, 7] {
                        let same = bits(&with_threads(threads, || build(limit)).leaves) == bits(&bvh.leaves);
                        assert!(same, "{count} spheres {name}, {threads} threads, pieces of {limit}");
                    }
                }
            }
        }
    }

    #[test]
    fn pieces_are_as_compact_as_a_serial_build() {
        let spheres = spheres(30_000, |index| [0, 1, 2].map(|component| uniform(index, component) * 100.0));
        let groups = [SphereGroup::from(spheres)];
        let instances = SphereInstances::new(&groups, [0.0; 3]);
        let area = |limit: usize| {
            let bvh = Bvh::of_pieces(Level::new(), &instances, limit, &AtomicBool::new(false));
            let boxes = bvh.levels[0].iter().flat_map(|node| (0..WIDTH).map(|lane| node.child_bounds(lane)));
            let sides = boxes.map(|[min, max]| [0, 1, 2].map(|axis| f64::from((max[axis] - min[axis]).max(0.0))));
            sides.map(|[x, y, z]| x * y + y * z + z * x).sum::<f64>()
        };
        assert!(area(1000) < area(1 << 15) * 1.02, "{} {}", area(1000), area(1 << 15));
    }

    #[test]
    fn hierarchies_are_the_same_at_every_level() {
        let going_on = AtomicBool::new(false);
        for (name, spheres) in scenes(5003) {
            let poses = [Pose::IDENTITY, Pose::from_translation([3.0, 0.25, 0.0])];
            let groups =
                [SphereGroup::new(&spheres[..10], vec![poses[1]]), SphereGroup::new(spheres.clone(), &poses[..])];
            let instances = SphereInstances::new(&groups, [0.0; 3]);
            let build = |level| Bvh::of_pieces(level, &instances, 1000, &going_on);
            let first = build(Level::new());
            for level in levels() {
                let bvh = build(level);
                assert_eq!(bits(&bvh.leaves), bits(&first.leaves), "{name} at {level:?}");
                let nodes = |bvh: &Bvh| format!("{:?} {:?} {}", bvh.levels, bvh.top, bvh.largest_radius);
                assert_eq!(nodes(&bvh), nodes(&first), "{name} at {level:?}");
            }
        }
    }

    #[test]
    fn boxes_hold_their_spheres() {
        let spheres = spheres(3000, |index| [0, 1, 2].map(|component| uniform(index, component) * 100.0));
        let groups = [SphereGroup::from(&spheres[..])];
        let bvh = Bvh::new(Level::new(), &SphereInstances::new(&groups, [0.0; 3]), &AtomicBool::new(false));
        assert_eq!(bvh.largest_radius, 2.5);
        for (index, [x, y, z, radius]) in bvh.leaves.iter().enumerate() {
            let [min, max] = bvh.levels[0][index / WIDTH].child_bounds(index % WIDTH);
            for (axis, row) in [x, y, z].into_iter().enumerate() {
                for (center, radius) in row.iter().zip(radius).filter(|(_, radius)| !radius.is_nan()) {
                    assert!(min[axis] <= center - radius && center + radius <= max[axis]);
                }
            }
        }
        for (level, above) in bvh.levels.iter().zip(&bvh.levels[1..]) {
            for (index, node) in level.iter().enumerate() {
                let [min, max] = above[index / WIDTH].child_bounds(index % WIDTH);
                for axis in 0..3 {
                    assert!(node.min[axis].iter().all(|&corner| min[axis] <= corner));
                    assert!(node.max[axis].iter().all(|&corner| corner <= max[axis]));
                }
            }
        }
    }
}
