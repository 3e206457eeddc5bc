//! A bounding-volume hierarchy of spheres for rays that start anywhere: 16 children a node, 16 spheres a leaf, no pointers.
//!
//! Centres are split at the median of their widest axis, again and again, into leaves of 16 (J. Bentley,
//! "Multidimensional Binary Search Trees Used for Associative Searching", *CACM* 18(9), 1975). The left half is always
//! complete, so child `i` of node `n` is node `16·n + i` of the level below. A node keeps its children's boxes side by
//! side, and one ray meets all of them in one step of lanes. Leaves take 16 bytes a sphere, nodes 1.6. Of equal
//! coordinates the lower index goes left, so a scene has one hierarchy. Only one of several coincident copies is kept;
//! otherwise every nearby ray would test them all.
//!
//! Everything is in world coordinates, so that one hierarchy serves every camera.

use fearless_simd::{f32x16, prelude::*};

/// Children a node and spheres a leaf.
pub(in crate::trace) const WIDTH: usize = 16;

/// Sixteen spheres side by side: x, y, z and radius. Empty lanes hold NaN, which no ray meets.
pub(in crate::trace) type Sphere16 = [[f32; WIDTH]; 4];

/// The boxes of sixteen children. Empty lanes hold inverted boxes.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub min: [[f32; WIDTH]; 3],
    pub max: [[f32; WIDTH]; 3],
}

/// The spheres of a scene, found by rays.
#[derive(Debug)]
pub(in crate::trace) struct Bvh {
    pub(super) leaves: Vec<Sphere16>,
    /// From the parents of leaves to the root.
    pub(super) levels: Vec<Vec<Node>>,
    /// The level where rays start, the lowest with few nodes, and its number of nodes.
    pub(super) top: (u32, u32),
    /// The largest radius.
    pub(in crate::trace) largest_radius: f32,
}

pub(in crate::trace) const EMPTY_SPHERES: Sphere16 = [[f32::NAN; WIDTH]; 4];

pub(super) const EMPTY_NODE: Node = Node { min: [[f32::INFINITY; WIDTH]; 3], max: [[f32::NEG_INFINITY; WIDTH]; 3] };

/// bound: `occlusion_agrees_with_f64_brute_force` in tests/trace.rs. Boxes grow by this share of their distance: more than
/// the rounding of a sphere's extent and of the slab test together, so that no ray misses the box of a sphere it hits.
pub(in crate::trace) const GROWTH: f32 = 16.0 * f32::EPSILON;

pub(super) type Box3 = [[f32; 3]; 2];

impl Bvh {
    /// The spheres, sixteen a leaf.
    pub(in crate::trace) fn leaves(&self) -> &[Sphere16] {
        &self.leaves
    }
}

pub(super) const EMPTY_BOX: Box3 = [[f32::INFINITY; 3], [f32::NEG_INFINITY; 3]];

pub(super) fn union(a: Box3, b: Box3) -> Box3 {
    [std::array::from_fn(|axis| a[0][axis].min(b[0][axis])), std::array::from_fn(|axis| a[1][axis].max(b[1][axis]))]
}

pub(super) fn bounds([x, y, z, radius]: &Sphere16) -> Box3 {
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
pub(in crate::trace) fn load_spheres<S: Simd>(simd: S, [x, y, z, radius]: &Sphere16) -> [f32x16<S>; 4] {
    [
        f32x16::load_array_ref(simd, x),
        f32x16::load_array_ref(simd, y),
        f32x16::load_array_ref(simd, z),
        f32x16::load_array_ref(simd, radius),
    ]
}

impl Node {
    pub(super) fn bounds(&self) -> Box3 {
        (0..WIDTH).fold(EMPTY_BOX, |bounds, lane| union(bounds, self.child_bounds(lane)))
    }

    /// The box of one child.
    pub(super) fn child_bounds(&self, lane: usize) -> Box3 {
        [&self.min, &self.max].map(|corners| corners.map(|axis| axis[lane]))
    }
}
