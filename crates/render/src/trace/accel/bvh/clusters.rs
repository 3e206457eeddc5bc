//! Far-field summaries of a node's spheres: centroid, blocked light, filled volume.
//!
//! A node stores summaries of its halves, quarters and eighths besides its sixteen children, so that a viewpoint can
//! choose clusters about as large as the distance allows. The children share the node's boxes. That takes 4.25 bytes
//! per sphere.
#![expect(clippy::cast_possible_truncation, reason = "sums are rounded once from f64 on purpose")]

use std::f64::consts::PI;

use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use super::tree::{Box3, Bvh, EMPTY_BOX, Node, Sphere16, WIDTH, union};
use crate::lanes::LANES;

/// Slots of a heap.
pub(crate) const SLOTS: usize = 2 * WIDTH;

/// A number for every slot of a heap, in groups of lanes.
type Row = [[f32; LANES]; SLOTS / LANES];

/// A number for the slots before the children's.
type InnerRow = [[f32; LANES]; WIDTH / LANES];

/// The clusters of a node as a binary heap: slot 1 is the node itself, slots `2·i` and `2·i + 1` are the halves of slot
/// `i`, and slots 16 to 31 the node's children. Slots without spheres hold NaN.
#[derive(Clone, Debug)]
pub(crate) struct ClusterHeap {
    /// The box around the spheres; the children's boxes are in the node.
    min: [InnerRow; 3],
    max: [InnerRow; 3],
    /// The mean of the spheres' centres, weighted by their areas.
    pub center: [Row; 3],
    /// The sum of the areas of the spheres' disks, reduced by the estimated overlap of the spheres.
    pub area: Row,
    /// The sum of the spheres' volumes as a share of the box, at most 1.
    pub fill: Row,
    /// For each child, the share of a sphere's disk that counts as its own in a crowd: 1 if the spheres fill little of
    /// the box.
    pub own_share: [f32; WIDTH],
}

/// The clusters of every node of a hierarchy.
#[derive(Debug)]
pub(crate) struct Clusters {
    /// From the parents of leaves to the root, like the nodes.
    pub levels: Vec<Vec<ClusterHeap>>,
}

const EMPTY_ROW: Row = [[f32::NAN; LANES]; SLOTS / LANES];

const EMPTY_INNER_ROW: InnerRow = [[f32::NAN; LANES]; WIDTH / LANES];

const EMPTY_HEAP: ClusterHeap = ClusterHeap {
    min: [EMPTY_INNER_ROW; 3],
    max: [EMPTY_INNER_ROW; 3],
    center: [EMPTY_ROW; 3],
    area: EMPTY_ROW,
    fill: EMPTY_ROW,
    own_share: [f32::NAN; WIDTH],
};

/// Sums over some spheres.
#[derive(Clone, Copy, Debug)]
struct Cluster {
    bounds: Box3,
    /// The sum of centres times area.
    moment: [f64; 3],
    area: f64,
    volume: f64,
}

impl Cluster {
    const EMPTY: Self = Self { bounds: EMPTY_BOX, moment: [0.0; 3], area: 0.0, volume: 0.0 };

    /// The sums over a leaf with this bounding box.
    fn of_leaf([x, y, z, radius]: &Sphere16, bounds: Box3) -> Self {
        let mut cluster = Self { bounds, ..Self::EMPTY };
        for lane in (0..WIDTH).filter(|&lane| !radius[lane].is_nan()) {
            let radius = f64::from(radius[lane]);
            let area = PI * (radius * radius);
            for (sum, along) in cluster.moment.iter_mut().zip([x[lane], y[lane], z[lane]]) {
                *sum += f64::from(along) * area;
            }
            cluster.area += area;
            cluster.volume += 4.0 / 3.0 * (area * radius);
        }
        cluster
    }

    fn and(self, other: Self) -> Self {
        Self {
            bounds: union(self.bounds, other.bounds),
            moment: std::array::from_fn(|axis| self.moment[axis] + other.moment[axis]),
            area: self.area + other.area,
            volume: self.volume + other.volume,
        }
    }
}

impl ClusterHeap {
    /// The heap of a node's children, and the sums over all of them.
    fn new(children: impl Iterator<Item = Cluster>) -> (Self, Cluster) {
        let mut clusters = [Cluster::EMPTY; SLOTS];
        for (slot, child) in clusters[WIDTH..].iter_mut().zip(children) {
            *slot = child;
        }
        for slot in (1..WIDTH).rev() {
            clusters[slot] = clusters[2 * slot].and(clusters[2 * slot + 1]);
        }
        let mut heap = EMPTY_HEAP;
        for (slot, cluster) in clusters.iter().enumerate().filter(|(_, cluster)| cluster.area > 0.0) {
            let (group, lane) = (slot / LANES, slot % LANES);
            let [min, max] = cluster.bounds;
            let mut room = 1.0;
            for axis in 0..3 {
                if slot < WIDTH {
                    heap.min[axis][group][lane] = min[axis];
                    heap.max[axis][group][lane] = max[axis];
                }
                heap.center[axis][group][lane] = (cluster.moment[axis] / cluster.area) as f32;
                room *= f64::from(max[axis]) - f64::from(min[axis]);
            }
            let fill = cluster.volume / room;
            heap.area[group][lane] = (cluster.area * union_share(fill)) as f32;
            heap.fill[group][lane] = fill.min(1.0) as f32;
            if slot >= WIDTH {
                heap.own_share[slot - WIDTH] = (1.0 - fill.min(1.0) * (1.0 - union_share(fill))) as f32;
            }
        }
        (heap, clusters[1])
    }

    /// Minima and maxima along an axis of the boxes of a group of slots.
    #[inline(always)]
    pub(crate) fn extents<'a>(&'a self, node: &'a Node, axis: usize, group: usize) -> [&'a [f32; LANES]; 2] {
        if let Some(of_children) = group.checked_sub(WIDTH / LANES) {
            [&node.min, &node.max].map(|corner| &corner[axis].as_chunks().0[of_children])
        } else {
            [&self.min[axis][group], &self.max[axis][group]]
        }
    }
}

/// The volume of a union of spheres over the sum of their volumes, if they are placed at random in a box and their
/// volumes sum to `fill` boxes.
fn union_share(fill: f64) -> f64 {
    if fill > 1e-3 { (1.0 - libm::exp(-fill)) / fill } else { 1.0 }
}

impl Clusters {
    /// Summarizes every node; soon after `cancelled` is set, the rest of the summaries are empty.
    pub(crate) fn new(bvh: &Bvh, cancelled: &AtomicBool) -> Self {
        let mut levels: Vec<Vec<ClusterHeap>> = Vec::with_capacity(bvh.levels.len());
        let mut below: Vec<Cluster> = Vec::new();
        for (height, nodes) in bvh.levels.iter().enumerate() {
            let heap = |(index, node): (usize, &Node)| {
                let first = index * WIDTH;
                if cancelled.load(Ordering::Relaxed) {
                    return ClusterHeap::new(std::iter::empty());
                }
                if height > 0 {
                    return ClusterHeap::new(below[first..below.len().min(first + WIDTH)].iter().copied());
                }
                let leaves = bvh.leaves[first..].iter().take(WIDTH).enumerate();
                ClusterHeap::new(leaves.map(|(lane, leaf)| Cluster::of_leaf(leaf, node.child_bounds(lane))))
            };
            let (heaps, all): (Vec<_>, Vec<_>) = nodes.par_iter().enumerate().map(heap).unzip();
            levels.push(heaps);
            below = all;
        }
        Self { levels }
    }
}
