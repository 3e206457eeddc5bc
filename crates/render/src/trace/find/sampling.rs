//! Sub-pixel positions of samples and directions of ambient-occlusion rays.
//!
//! Random numbers are a counter-based hash of (pixel, sample, seed). Trigonometry happens only here, once per picture,
//! in `libm`.
#![expect(clippy::cast_possible_truncation, reason = "table entries are rounded once from f64 on purpose")]

use std::f64::consts::TAU;

/// A 64-bit hash of a counter: the finaliser of splitmix64 (G. Steele, D. Lea and C. Flood, "Fast Splittable
/// Pseudorandom Number Generators", OOPSLA 2014).
#[inline(always)]
pub(crate) fn hash(counter: u64) -> u64 {
    let z = counter.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The plastic number's reciprocals: they make the two-dimensional sequence of lowest known discrepancy that needs no
/// table (M. Roberts, "The Unreasonable Effectiveness of Quasirandom Sequences", 2018).
pub(crate) const PLASTIC: [f64; 2] = [0.754_877_666_246_692_7, 0.569_840_290_998_053_3];

/// A point of the plastic sequence in the unit square.
pub(crate) fn plastic(i: u32, shift: [f64; 2]) -> [f64; 2] {
    std::array::from_fn(|axis| {
        let value = shift[axis] + f64::from(i) * PLASTIC[axis];
        value - libm::floor(value)
    })
}

/// Sub-pixel positions of `count` samples, the same for every pixel; a single sample is the centre.
pub(crate) fn sub_pixel_positions(count: u32) -> Vec<[f32; 2]> {
    (0..count).map(|i| plastic(i, [0.5, 0.5]).map(|value| value as f32)).collect()
}

/// The least and the greatest coordinate of some sub-pixel positions.
pub(crate) fn sub_pixel_range(positions: &[[f32; 2]]) -> [f32; 2] {
    positions.iter().flatten().fold([1.0, 0.0], |[least, most], &at| [least.min(at), most.max(at)])
}

/// Sets of cosine-distributed directions about +z, one set per sample.
#[derive(Debug)]
pub(crate) struct Directions {
    sets: Vec<[f32; 3]>,
    count: usize,
    seed: u64,
}

/// Sets in the table: more than the eye takes in at once, few enough to stay in cache.
const SETS: usize = 512;

impl Directions {
    /// Sets of `count` directions.
    pub(crate) fn new(count: u32, seed: u64) -> Self {
        let sets = (0..SETS).flat_map(|set| (0..count).map(move |ray| direction(set as u64, ray, count)));
        Self { sets: sets.collect(), count: count as usize, seed: hash(seed) }
    }

    /// The directions of one sample of a pixel.
    #[inline(always)]
    pub(crate) fn of(&self, [x, y, sample]: [u32; 3]) -> &[[f32; 3]] {
        let counter = (u64::from(y) << 32 | u64::from(x)) ^ hash(self.seed ^ u64::from(sample));
        let set = (hash(counter) >> 32) as usize % SETS;
        &self.sets[set * self.count..][..self.count]
    }
}

/// 2⁻⁵³, which maps 53 random bits to [0, 1).
const UNIT: f64 = 1.0 / (1u64 << 53) as f64;

/// One direction of a set: a point of the unit square, stratified in one axis, from the plastic sequence in the other,
/// shifted at random with its set, and mapped to the disk below the hemisphere (Malley's method).
fn direction(set: u64, ray: u32, count: u32) -> [f32; 3] {
    let random = |dimension: u64| (hash(set << 8 | dimension) >> 11) as f64 * UNIT;
    let jitter = (hash(set << 32 | u64::from(ray) << 8 | 2) >> 11) as f64 * UNIT;
    let radius_squared = (f64::from(ray) + jitter) / f64::from(count);
    let turn = plastic(ray, [random(0), random(1)])[1] * TAU;
    let radius = libm::sqrt(radius_squared);
    let (sin, cos) = libm::sincos(turn);
    [(radius * cos) as f32, (radius * sin) as f32, libm::sqrt(1.0 - radius_squared) as f32]
}

/// Two unit vectors perpendicular to a unit normal and to each other (T. Duff et al., "Building an Orthonormal Basis,
/// Revisited", *JCGT* 6(1), 2017).
#[inline(always)]
pub(crate) fn tangents([x, y, z]: [f32; 3]) -> [[f32; 3]; 2] {
    let sign = 1.0f32.copysign(z);
    let a = -1.0 / (sign + z);
    let b = x * y * a;
    [[1.0 + sign * x * x * a, sign * b, -sign * x], [b, sign + y * y * a, -y]]
}
