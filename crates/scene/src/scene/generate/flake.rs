//! The shapes of a sphereflake: each has smaller ones around it.

use std::f64::consts::FRAC_PI_3;

use super::paint::{circle, sphere};
use crate::color::Srgba8;
use crate::scene::circles::PaintedCircle;
use crate::scene::spheres::PaintedSphere;

/// Sine and cosine of the elevation of the three upper children: the next layer of a close packing.
const UPPER: [f64; 2] = [0.816_496_580_927_726, 0.577_350_269_189_625_8];

/// Radius of a child, relative to its parent.
const SHRINK: f64 = 1.0 / 3.0;

/// The colours of the generations, repeated from the start.
const GENERATIONS: [Srgba8; 6] = [
    Srgba8::rgb(0x1b, 0x3a, 0x6b),
    Srgba8::rgb(0xe0, 0x9f, 0x3e),
    Srgba8::rgb(0x9e, 0x2a, 0x2b),
    Srgba8::rgb(0xf2, 0xe9, 0xdc),
    Srgba8::rgb(0x33, 0x5c, 0x67),
    Srgba8::rgb(0xd9, 0x82, 0x6a),
];

/// The path from the root to a shape: the number of the child at each step.
fn path(mut index: u64, step: impl Fn(u64) -> (u64, u64)) -> Vec<u64> {
    let mut digits = Vec::new();
    while index > 0 {
        let (parent, digit) = step(index);
        digits.push(digit);
        index = parent;
    }
    digits.reverse();
    digits
}

pub(super) fn flake_sphere(index: u64) -> PaintedSphere {
    let digits = path(index, |index| ((index - 1) / 9, (index - 1) % 9));
    // the whole flake extends to twice the root's radius
    let (mut center, mut radius) = ([0.0; 3], 0.5);
    // a frame whose third axis points away from the parent
    let mut axes = [[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]];
    for &digit in &digits {
        let (turn, [up, out]) = match digit {
            0..6 => (digit as f64 * FRAC_PI_3, [0.0, 1.0]),
            _ => ((digit - 6) as f64 * 2.0 * FRAC_PI_3 + FRAC_PI_3 / 2.0, UPPER),
        };
        let (sine, cosine) = libm::sincos(turn);
        let mix = |a: f64, b: f64, c: f64| [0, 1, 2].map(|i| a * axes[0][i] + b * axes[1][i] + c * axes[2][i]);
        let away = mix(out * cosine, out * sine, up);
        let across = mix(-sine, cosine, 0.0);
        let reach = radius * (1.0 + SHRINK);
        center = [0, 1, 2].map(|i| center[i] + reach * away[i]);
        radius *= SHRINK;
        axes = [across, cross(away, across), away];
    }
    sphere(center, radius, GENERATIONS[digits.len() % GENERATIONS.len()])
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

pub(super) fn flake_circle(index: u64) -> PaintedCircle {
    // six children around the root, then five each: none towards the parent
    let digits = path(index, |index| if index < 7 { (0, index - 1) } else { ((index - 7) / 5 + 1, (index - 7) % 5) });
    let (mut center, mut radius, mut heading) = ([0.0; 2], 0.5, 0.0);
    for (generation, &digit) in digits.iter().enumerate() {
        let turn = digit as f64 - if generation == 0 { 0.0 } else { 2.0 };
        heading += turn * FRAC_PI_3;
        let (sine, cosine) = libm::sincos(heading);
        let reach = radius * (1.0 + SHRINK);
        center = [center[0] + reach * cosine, center[1] + reach * sine];
        radius *= SHRINK;
    }
    circle(center, radius, GENERATIONS[digits.len() % GENERATIONS.len()])
}
