//! Drawn pixels, and the pixels that oracles expect.

use roundel::spheres::SphereScene;
use roundel::{Frame, RenderSettings, render};

pub(crate) fn drawn(scene: &SphereScene<'_>) -> Frame {
    render(&scene.clone().into(), &RenderSettings::default()).expect("it draws")
}

/// 8-bit value of linear light before rounding.
pub(crate) fn encode(linear: f64) -> f64 {
    let linear = linear.clamp(0.0, 1.0);
    255.0 * if linear <= 0.003_130_8 { 12.92 * linear } else { 1.055 * libm::pow(linear, 1.0 / 2.4) - 0.055 }
}

/// The places of samples in a pixel: the R2 sequence of M. Roberts.
pub(crate) fn offsets(count: u32) -> Vec<[f64; 2]> {
    const PLASTIC: [f64; 2] = [0.754_877_666_246_692_7, 0.569_840_290_998_053_3];
    (0..count).map(|i| PLASTIC.map(|step| (0.5 + f64::from(i) * step).fract())).collect()
}
