//! The crossing of a ray with a sphere as the tracer computes it: what depends on the sphere alone is prepared once, the rest runs over lanes of rays.
//!
//! With oc = centre − origin, b = oc · d and the perpendicular remainder f = oc − b·d (Haines, Günther,
//! Akenine-Möller, *Ray Tracing Gems*, 2019, ch. 7), the discriminant is r² − |f|². The roots are b ∓ √disc; their
//! product is the power of the origin |oc|² − r², known in `f64` once a sphere, so that power / (b + √disc) is the
//! nearer one without cancellation even for an eye two metres above a planet.

use fearless_simd::{f32x8, mask32x8, prelude::*};

use crate::scene::EyeSphere;

/// What a sphere's crossings with the rays of one origin have in common.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Target {
    /// Centre less origin, times `1 / unit`.
    pub center: [f32; 3],
    pub radius_squared: f32,
    /// |oc|² − r²: below 0 when the origin is inside.
    pub power: f32,
    /// Turns √disc into the cosine between normal and ray. Finite: next to a centre far away a radius may round to 0.
    pub inverse_radius: f32,
    /// The power of two in which the sphere's numbers are counted: 1 unless their squares would leave the range of `f32`.
    pub unit: f32,
}

impl Target {
    /// No sphere: equal to none, itself included.
    pub(crate) const NONE: Self =
        Self { center: [f32::NAN; 3], radius_squared: 0.0, power: 0.0, inverse_radius: 0.0, unit: 1.0 };

    #[expect(clippy::cast_possible_truncation, reason = "rounded once from f64 on purpose")]
    #[inline(always)]
    pub(crate) fn new(seen: EyeSphere) -> Self {
        let unit = unit_of(seen);
        let [x, y, z] = seen.center;
        let [x, y, z] = [x / unit, y / unit, z / unit];
        let r = seen.radius / unit;

        Self {
            center: [x, y, z],
            radius_squared: r * r,
            power: (square(x) + square(y) + square(z) - square(r)) as f32,
            inverse_radius: 1.0 / r.max(f32::MIN_POSITIVE),
            unit,
        }
    }

    /// Whether the origin is inside, so that the exit is what is seen.
    #[inline(always)]
    pub(crate) fn surrounds(&self) -> bool {
        self.power < 0.0
    }
}

/// Exact.
#[inline(always)]
fn square(value: f32) -> f64 {
    f64::from(value) * f64::from(value)
}

/// 1 when squares of the sphere's numbers stay in range, else the power of two of the largest.
#[inline(always)]
fn unit_of(seen: EyeSphere) -> f32 {
    let [x, y, z] = seen.center;
    let [x, y, z] = [x.abs(), y.abs(), z.abs()];
    let size = x.max(y).max(z).max(seen.radius);
    if size > 1e-12 && size < 1e18 { 1.0 } else { f32::from_bits(size.to_bits() & 0x7f80_0000).max(f32::MIN_POSITIVE) }
}

/// Eight rays on their way past a sphere.
#[derive(Clone, Copy)]
pub(crate) struct Pass<S: Simd> {
    /// Distance along the ray to the point nearest the centre.
    pub along: f32x8<S>,
    /// r² − |f|²: below 0 where the ray's line misses.
    pub disc: f32x8<S>,
}

impl Target {
    /// How eight rays pass the sphere. Those that do not start at the origin have a `start`.
    #[inline(always)]
    pub(crate) fn pass<S: Simd>(&self, simd: S, [dx, dy, dz]: [f32x8<S>; 3], start: Option<[f32x8<S>; 3]>) -> Pass<S> {
        let mut x = f32x8::splat(simd, self.center[0]);
        let mut y = f32x8::splat(simd, self.center[1]);
        let mut z = f32x8::splat(simd, self.center[2]);
        if let Some([sx, sy, sz]) = start {
            let per_unit = 1.0 / self.unit;
            (x, y, z) = (x - sx * per_unit, y - sy * per_unit, z - sz * per_unit);
        }
        let along = (x * dx + y * dy) + z * dz;
        let (fx, fy, fz) = (x - along * dx, y - along * dy, z - along * dz);
        let disc = f32x8::splat(simd, self.radius_squared) - ((fx * fx + fy * fy) + fz * fz);
        Pass { along, disc }
    }

    /// Distances in world units of the nearest crossings at distance ≥ 0, and √disc. NaN or below 0 where there is none.
    #[inline(always)]
    pub(crate) fn nearest<S: Simd>(&self, simd: S, pass: Pass<S>, parallel: bool) -> (f32x8<S>, f32x8<S>) {
        let b = pass.along;
        let depth = pass.disc.sqrt();
        let distance = if parallel {
            // parallel rays differ in their start's power: the plain roots
            let enter = b - depth;
            enter.simd_ge(0.0).select(enter, b + depth)
        } else if self.surrounds() {
            b.simd_ge(0.0).select(b + depth, f32x8::splat(simd, self.power) / (b - depth))
        } else {
            f32x8::splat(simd, self.power) / (b + depth)
        };
        (distance * self.unit, depth)
    }
}

/// Whether a crossing at `distance` of the sphere `index` takes the place of what was seen so far: nearer, or as
/// near and of lower index. NaN never does.
#[inline(always)]
pub(crate) fn is_nearer<S: Simd>(distance: f32x8<S>, seen: f32x8<S>, lower_index: mask32x8<S>) -> mask32x8<S> {
    distance.simd_ge(0.0) & (distance.simd_lt(seen) | (distance.simd_eq(seen) & lower_index))
}
