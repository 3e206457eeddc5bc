//! Eight 3D vectors or spheres in SIMD lanes (structure of arrays), and the same operations on one vector.

use fearless_simd::{f32x8, mask32x8, prelude::*};

/// Lanes of a vector.
pub const LANES: usize = 8;

/// Eight 3D vectors, one lane each.
pub type Vec3x8<S> = [f32x8<S>; 3];

/// Eight 3D vectors in memory, one row per axis.
pub type Rows3 = [[f32; LANES]; 3];

/// Loads eight vectors.
#[inline(always)]
pub fn load3<S: Simd>(simd: S, [x, y, z]: &Rows3) -> Vec3x8<S> {
    [f32x8::load_array_ref(simd, x), f32x8::load_array_ref(simd, y), f32x8::load_array_ref(simd, z)]
}

/// Loads eight vectors that start at `at` in three long rows.
#[inline(always)]
pub fn load3_at<S: Simd>(simd: S, rows: [&[f32]; 3], at: usize) -> Vec3x8<S> {
    let lanes = at..at + LANES;
    [
        f32x8::from_slice(simd, &rows[0][lanes.clone()]),
        f32x8::from_slice(simd, &rows[1][lanes.clone()]),
        f32x8::from_slice(simd, &rows[2][lanes]),
    ]
}

/// One vector in every lane.
#[inline(always)]
pub fn splat3<S: Simd>(simd: S, [x, y, z]: [f32; 3]) -> Vec3x8<S> {
    [f32x8::splat(simd, x), f32x8::splat(simd, y), f32x8::splat(simd, z)]
}

/// The difference of vectors. No function here takes closures, which would lose the level's instructions.
#[inline(always)]
pub fn sub3<S: Simd>(a: Vec3x8<S>, b: Vec3x8<S>) -> Vec3x8<S> {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// A vector times a number, lane by lane.
#[inline(always)]
pub fn scale3<S: Simd>(a: Vec3x8<S>, by: f32x8<S>) -> Vec3x8<S> {
    [a[0] * by, a[1] * by, a[2] * by]
}

/// One vector times a number in each lane.
#[inline(always)]
pub fn along3<S: Simd>(a: [f32; 3], by: f32x8<S>) -> Vec3x8<S> {
    [by * a[0], by * a[1], by * a[2]]
}

/// The points at distances along rays.
#[inline(always)]
pub fn point3<S: Simd>(origin: Vec3x8<S>, direction: Vec3x8<S>, distance: f32x8<S>) -> Vec3x8<S> {
    [origin[0] + direction[0] * distance, origin[1] + direction[1] * distance, origin[2] + direction[2] * distance]
}

/// Per lane, `one` where the condition holds, else `other`.
#[inline(always)]
pub fn select3<S: Simd>(condition: mask32x8<S>, one: Vec3x8<S>, other: Vec3x8<S>) -> Vec3x8<S> {
    [condition.select(one[0], other[0]), condition.select(one[1], other[1]), condition.select(one[2], other[2])]
}

/// Dot product, lane by lane.
#[inline(always)]
pub fn dot3<S: Simd>(a: Vec3x8<S>, b: Vec3x8<S>) -> f32x8<S> {
    (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2]
}

/// Dot product of eight vectors with one.
#[inline(always)]
pub fn dot3_with<S: Simd>(a: Vec3x8<S>, b: [f32; 3]) -> f32x8<S> {
    (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2]
}

/// Dot product, summed in the order of [`dot3`].
#[inline(always)]
pub fn dot(a: [f32; 3], b: [f32; 3]) -> f32 {
    (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2]
}

/// The length of a vector.
#[inline(always)]
pub fn norm(a: [f32; 3]) -> f32 {
    dot(a, a).sqrt()
}

#[inline(always)]
pub fn sub(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// The point at a distance along a ray.
#[inline(always)]
pub fn point_at(origin: [f32; 3], direction: [f32; 3], distance: f32) -> [f32; 3] {
    [origin[0] + direction[0] * distance, origin[1] + direction[1] * distance, origin[2] + direction[2] * distance]
}

/// Splits a vector into its length along a unit direction and the remainder perpendicular to it.
#[inline(always)]
pub fn along_and_across(vector: [f32; 3], direction: [f32; 3]) -> (f32, [f32; 3]) {
    let along = dot(vector, direction);
    (along, point_at(vector, direction, -along))
}

/// Clears the lowest set bit of a lane mask and returns its lane.
#[inline(always)]
pub fn next_lane(lanes: &mut u64) -> Option<usize> {
    if *lanes == 0 {
        return None;
    }
    let lane = lanes.trailing_zeros() as usize;
    *lanes &= *lanes - 1;
    Some(lane)
}

/// A mask of the first `count` lanes, or of all eight.
#[inline(always)]
pub fn first_lanes(count: usize) -> u64 {
    (1 << count.min(LANES)) - 1
}

/// Eight spheres in lanes, aligned so that no load crosses a cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub struct Sphere8 {
    pub x: [f32; LANES],
    pub y: [f32; LANES],
    pub z: [f32; LANES],
    pub radius: [f32; LANES],
}

impl Sphere8 {
    /// No spheres: NaN in every lane, which no test accepts.
    #[doc(hidden)]
    pub const EMPTY: Self =
        Self { x: [f32::NAN; LANES], y: [f32::NAN; LANES], z: [f32::NAN; LANES], radius: [f32::NAN; LANES] };

    /// Puts a sphere into a lane.
    #[inline(always)]
    pub fn set(&mut self, lane: usize, [x, y, z]: [f32; 3], radius: f32) {
        (self.x[lane], self.y[lane], self.z[lane], self.radius[lane]) = (x, y, z, radius);
    }

    /// Centre and radius of the sphere in a lane.
    #[inline(always)]
    pub fn get(&self, lane: usize) -> ([f32; 3], f32) {
        ([self.x[lane], self.y[lane], self.z[lane]], self.radius[lane])
    }

    /// Centres and radii, a lane each.
    #[inline(always)]
    pub fn load<S: Simd>(&self, simd: S) -> (Vec3x8<S>, f32x8<S>) {
        let center = [
            f32x8::load_array_ref(simd, &self.x),
            f32x8::load_array_ref(simd, &self.y),
            f32x8::load_array_ref(simd, &self.z),
        ];
        (center, f32x8::load_array_ref(simd, &self.radius))
    }
}
