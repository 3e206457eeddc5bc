//! Shapes rounded from `f64`, and the colours of patterns.

use crate::color::Srgba8;
use crate::scene::circles::PaintedCircle;
use crate::scene::spheres::PaintedSphere;

/// A sphere, rounded once from `f64`.
#[expect(clippy::cast_possible_truncation, reason = "rounded to the nearest f32")]
#[inline(always)]
pub(super) fn sphere(center: [f64; 3], radius: f64, color: Srgba8) -> PaintedSphere {
    let [x, y, z] = center;
    PaintedSphere { center: [x as f32, y as f32, z as f32], radius: radius as f32, color }
}

/// A circle, rounded once from `f64`.
#[expect(clippy::cast_possible_truncation, reason = "rounded to the nearest f32")]
#[inline(always)]
pub(super) fn circle(center: [f64; 2], radius: f64, color: Srgba8) -> PaintedCircle {
    let [x, y] = center;
    PaintedCircle { center: [x as f32, y as f32], radius: radius as f32, color }
}

/// A pastel colour cube over the box.
#[inline(always)]
pub(super) fn by_position([x, y, z]: [f64; 3]) -> Srgba8 {
    let channel = |value: f64| byte(60.0 + 180.0 * (0.5 + 0.5 * value));
    Srgba8::rgb(channel(x), channel(y), channel(z))
}

/// The ramp from the centre outward.
pub(super) fn by_distance(center: &[f64]) -> Srgba8 {
    let squared: f64 = center.iter().map(|value| value * value).sum();
    ramp(1.0 - squared.sqrt() / 0.9)
}

/// A ramp for 0 to 1: from dark blue through red and orange to pale yellow.
pub(super) fn ramp(share: f64) -> Srgba8 {
    const STOPS: [[f64; 3]; 5] =
        [[27.0, 38.0, 89.0], [112.0, 44.0, 122.0], [203.0, 71.0, 82.0], [244.0, 151.0, 64.0], [252.0, 236.0, 166.0]];
    let position = share.clamp(0.0, 1.0) * 4.0;
    let stop = (0..4).rev().find(|&stop| position >= f64::from(stop)).unwrap_or(0);
    let part = position - f64::from(stop);
    let stop = stop as usize;
    let [r, g, b] = [0, 1, 2].map(|i| byte(STOPS[stop][i] + part * (STOPS[stop + 1][i] - STOPS[stop][i])));
    Srgba8::rgb(r, g, b)
}

#[expect(clippy::cast_possible_truncation, reason = "the last eight bits; 0 to 255 by its callers")]
#[inline(always)]
fn byte(value: f64) -> u8 {
    // adding 2⁵² puts the integer into the low bits; casts from floating point are not vectorized
    ((value + 0.5).floor() + (1u64 << 52) as f64).to_bits() as u8
}
