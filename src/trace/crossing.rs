//! The crossing of a ray with a sphere as the tracer computes it: what depends on the sphere alone is prepared once, the rest runs over lanes of rays.
//!
//! With oc = centre − origin, b = oc · d and the perpendicular remainder f = oc − b·d (Haines, Günther,
//! Akenine-Möller, *Ray Tracing Gems*, 2019, ch. 7), the discriminant is r² − |f|². The roots are b ∓ √disc; their
//! product is the power of the origin |oc|² − r², known in `f64` once a sphere, so that power / (b + √disc) is the
//! nearer one without cancellation even for an eye two metres above a planet.

use fearless_simd::{f32x8, mask32x8, prelude::*};

use crate::scene::Seen;

/// What a sphere's crossings with the rays of one origin have in common.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Target {
    /// Centre less origin, times `1 / unit`.
    pub center: [f32; 3],
    pub radius_squared: f32,
    /// |oc|² − r²: below 0 when the origin is inside.
    pub power: f32,
    /// Turns √disc into the cosine between normal and ray.
    pub inverse_radius: f32,
    /// The power of two in which the sphere's numbers are counted: 1 unless their squares would leave the range of `f32`.
    pub unit: f32,
}

impl Target {
    #[expect(clippy::cast_possible_truncation, reason = "rounded once from f64 on purpose")]
    #[inline(always)]
    pub(crate) fn new(seen: Seen) -> Self {
        let unit = unit_of(seen);
        let [x, y, z] = seen.center.map(|component| component / unit);
        let r = seen.radius / unit;
        let wide = |value: f32| f64::from(value) * f64::from(value);
        Self {
            center: [x, y, z],
            radius_squared: r * r,
            power: (wide(x) + wide(y) + wide(z) - wide(r)) as f32,
            inverse_radius: 1.0 / r,
            unit,
        }
    }

    /// Whether the origin is inside, so that the exit is what is seen.
    #[inline(always)]
    pub(crate) fn surrounds(&self) -> bool {
        self.power < 0.0
    }
}

/// 1 when squares of the sphere's numbers stay in range, else the power of two of the largest.
#[inline(always)]
fn unit_of(seen: Seen) -> f32 {
    let [x, y, z] = seen.center.map(f32::abs);
    let size = x.max(y).max(z).max(seen.radius);
    if size > 1e-12 && size < 1e18 { 1.0 } else { f32::from_bits(size.to_bits() & 0x7f80_0000).max(f32::MIN_POSITIVE) }
}

/// Directions (and, for parallel rays, starts) of eight rays.
#[derive(Clone, Copy)]
pub(crate) struct Beams<S: Simd> {
    pub direction: [f32x8<S>; 3],
    /// `None` where all rays start at the origin.
    pub start: Option<[f32x8<S>; 3]>,
}

/// Crossings of eight rays with one sphere.
#[derive(Clone, Copy)]
pub(crate) struct Crossing<S: Simd> {
    /// Distance in world units; meaningless where the ray misses.
    pub distance: f32x8<S>,
    /// √disc, in the target's unit; NaN where the ray's line misses.
    pub depth: f32x8<S>,
}

impl Target {
    /// The discriminant of eight rays, and b and the remainder it comes from.
    #[inline(always)]
    pub(crate) fn lines<S: Simd>(&self, simd: S, beams: &Beams<S>) -> (f32x8<S>, f32x8<S>) {
        let [dx, dy, dz] = beams.direction;
        let mut oc = self.center.map(|component| f32x8::splat(simd, component));
        if let Some(start) = beams.start {
            for (component, start) in oc.iter_mut().zip(start) {
                *component = *component - start * (1.0 / self.unit);
            }
        }
        let [x, y, z] = oc;
        let b = (x * dx + y * dy) + z * dz;
        let (fx, fy, fz) = (x - b * dx, y - b * dy, z - b * dz);
        let disc = f32x8::splat(simd, self.radius_squared) - ((fx * fx + fy * fy) + fz * fz);
        (b, disc)
    }

    /// The nearest crossings at distance ≥ 0 from `b` and the discriminant.
    #[inline(always)]
    pub(crate) fn nearest<S: Simd>(&self, simd: S, beams: &Beams<S>, b: f32x8<S>, disc: f32x8<S>) -> Crossing<S> {
        let depth = disc.sqrt();
        let distance = if beams.start.is_some() {
            // parallel rays differ in their origin's power: the plain roots
            let enter = b - depth;
            enter.simd_ge(0.0).select(enter, b + depth)
        } else if self.surrounds() {
            let power = f32x8::splat(simd, self.power);
            b.simd_ge(0.0).select(b + depth, power / (b - depth))
        } else {
            f32x8::splat(simd, self.power) / (b + depth)
        };
        Crossing { distance: distance * self.unit, depth }
    }
}

/// Whether a crossing at `distance` of the sphere `index` takes the place of what was seen so far: nearer, or as
/// near and of lower index. NaN never does.
#[inline(always)]
pub(crate) fn is_nearer<S: Simd>(
    distance: f32x8<S>,
    seen: f32x8<S>,
    lower_index: impl FnOnce() -> mask32x8<S>,
) -> mask32x8<S> {
    let reached = distance.simd_ge(0.0);
    let nearer = distance.simd_lt(seen);
    let tie = distance.simd_eq(seen);
    if tie.any_true() { reached & (nearer | (tie & lower_index())) } else { reached & nearer }
}
