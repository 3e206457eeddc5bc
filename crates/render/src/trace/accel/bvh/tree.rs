//! A bounding-volume hierarchy of spheres for rays that start anywhere: 16 children a node, 16 spheres a leaf, no
//! pointers.
//!
//! Centres are split at the median of their widest axis, again and again, into leaves of 16 (J. Bentley,
//! "Multidimensional Binary Search Trees Used for Associative Searching", *CACM* 18(9), 1975). The left half is always
//! complete, so child `i` of node `n` is node `16·n + i` of the level below. A node keeps its children's boxes side by
//! side, and one ray meets all of them in one step of lanes. Leaves take 16 bytes a sphere, nodes 1.6. Many spheres are
//! first divided into pieces, by a sample; in a piece, of equal coordinates the first go left. Neither depends on
//! threads or lanes, so a scene has one hierarchy. Of several coincident copies a piece keeps only one; otherwise every
//! nearby ray would test them all.
//!
//! Everything is in world coordinates, so that one hierarchy serves every camera.

use fearless_simd::{f32x16, prelude::*};

/// Children a node and spheres a leaf.
pub(crate) const WIDTH: usize = 16;

/// Sixteen spheres side by side: x, y, z and radius. Empty lanes hold NaN, which no ray meets.
pub(crate) type Sphere16 = [[f32; WIDTH]; 4];

/// The boxes of sixteen children. Empty lanes hold inverted boxes.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub min: [[f32; WIDTH]; 3],
    pub max: [[f32; WIDTH]; 3],
}

/// The spheres of a scene, found by rays.
#[derive(Debug)]
pub(crate) struct Bvh {
    /// Sixteen spheres each.
    pub(crate) leaves: Vec<Sphere16>,
    /// From the parents of leaves to the root.
    pub(crate) levels: Vec<Vec<Node>>,
    /// The level where rays start, the lowest with few nodes, and its number of nodes.
    pub(super) top: (u32, u32),
    pub(crate) largest_radius: f32,
}

pub(crate) const EMPTY_SPHERES: Sphere16 = [[f32::NAN; WIDTH]; 4];

pub(super) const EMPTY_NODE: Node = Node { min: [[f32::INFINITY; WIDTH]; 3], max: [[f32::NEG_INFINITY; WIDTH]; 3] };

/// bound: `occlusion_agrees_with_f64_brute_force` in tests/pictures/trace_occlusion.rs. Boxes grow by this share of their
/// distance: more than the rounding of a sphere's extent and of the slab test together, so that no ray misses the box
/// of a sphere it hits.
pub(crate) const GROWTH: f32 = 16.0 * f32::EPSILON;

pub(super) type Box3 = [[f32; 3]; 2];

pub(super) const EMPTY_BOX: Box3 = [[f32::INFINITY; 3], [f32::NEG_INFINITY; 3]];

pub(super) fn union(a: Box3, b: Box3) -> Box3 {
    [std::array::from_fn(|axis| a[0][axis].min(b[0][axis])), std::array::from_fn(|axis| a[1][axis].max(b[1][axis]))]
}

/// Centres and radii, a lane each.
#[inline(always)]
pub(crate) fn load_spheres<S: Simd>(simd: S, [x, y, z, radius]: &Sphere16) -> [f32x16<S>; 4] {
    [
        f32x16::load_array_ref(simd, x),
        f32x16::load_array_ref(simd, y),
        f32x16::load_array_ref(simd, z),
        f32x16::load_array_ref(simd, radius),
    ]
}

impl Node {
    /// The box of one child.
    pub(super) fn child_bounds(&self, lane: usize) -> Box3 {
        [&self.min, &self.max].map(|corners| corners.map(|axis| axis[lane]))
    }
}

/// An integer that orders coordinates as `f32::total_cmp` does.
#[inline(always)]
pub(super) fn order(coordinate: f32) -> i32 {
    flipped(coordinate.to_bits().cast_signed())
}

/// The inverse of [`order`].
#[inline(always)]
pub(super) fn coordinate(order: i32) -> f32 {
    f32::from_bits(flipped(order).cast_unsigned())
}

/// Reverses the order of negative numbers: their larger bits are farther from 0.
#[inline(always)]
fn flipped(bits: i32) -> i32 {
    if bits < 0 { bits ^ i32::MAX } else { bits }
}

/// The axis along which a box is widest, the first of several.
pub(super) fn widest_axis([min, max]: Box3) -> usize {
    // halves first: the extent of ±f32::MAX is out of range
    let extent = |axis: usize| max[axis] * 0.5 - min[axis] * 0.5;
    (1..3).fold(0, |widest, axis| if extent(axis) > extent(widest) { axis } else { widest })
}

/// Spheres in the left half of `count`, which is more than a leaf holds: a power of two of whole leaves.
pub(super) fn left_half(count: usize) -> usize {
    count.div_ceil(WIDTH).next_power_of_two() / 2 * WIDTH
}
