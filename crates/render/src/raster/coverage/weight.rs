//! From area to blend weight: coverage times opacity, with exact ends.

use fearless_simd::prelude::*;

/// The slack's binary places.
pub(super) const SLACK_BITS: u32 = 12;

/// Coverage nearer to 0 or 1 than this counts as 0 or 1. Larger than any kernel's error.
///
/// Bound: `coverage_is_within_a_512th_for_every_radius_and_level`, `coverage_of_rings_and_ellipses_is_within_a_512th`.
pub(crate) const SLACK: f32 = 1.0 / (1 << SLACK_BITS) as f32;

/// Factor of coverage such that subtracting [`SLACK`] and clamping gives exactly 0 outside and 1 inside.
pub(crate) const STRETCH: f32 = 1.0 + 2.0 * SLACK;

/// Scale from area in units of the radii's product to stretched coverage times opacity.
#[inline(always)]
pub(crate) fn scale(radii: [f32; 2], alpha: f32) -> f64 {
    f64::from(radii[0]) * f64::from(radii[1]) * f64::from(alpha) * f64::from(STRETCH)
}

/// Blend weight of stretched coverage times opacity; `slack` is [`SLACK`] times opacity.
#[inline(always)]
pub(crate) fn weight<S: Simd, V: SimdFloat<S, Element = f32>>(coverage: V, slack: V, opacity: V) -> V {
    (coverage - slack).max(0.0).min(opacity)
}
