//! Turns a block's planes into finished pixels: adds the background, converts to straight alpha, rounds once.

#![expect(clippy::cast_possible_truncation, reason = "float casts saturate; bytes of a word")]

use fearless_simd::prelude::*;
use fearless_simd::{f32x16, u32x16};

use super::blend::BlendSpace;
use super::block::{PixelBlock, PlaneRow};
use crate::color::{Srgba8, srgb8_from_linear};
use crate::scene::circles::{Blend, Canvas};

/// Blends the background below the block and writes its pixels into `rows`, from column `left` on, and its colours in
/// full precision into `colors` unless that is empty.
#[inline(always)]
pub(super) fn resolve<S: Simd>(
    simd: S,
    block: &PixelBlock,
    canvas: &Canvas,
    space: &BlendSpace,
    rows: &mut [&mut [Srgba8]],
    colors: &mut [&mut [[f32; 4]]],
    left: usize,
) {
    let Srgba8 { r, g, b, a } = canvas.background;
    let background = [r, g, b].map(|channel| space.channels[usize::from(channel)]);
    let opacity = f32::from(a) / 255.0;
    let one = f32x16::splat(simd, 1.0);
    let mut colors = colors.iter_mut();
    for (row, PlaneRow { red, green, blue, transmittance }) in rows.iter_mut().zip(&*block.rows) {
        let mut colors = colors.next().map(|row| &mut row[left..left + block.width]);
        for (group, pixels) in row[left..left + block.width].chunks_mut(16).enumerate() {
            let lanes = 16 * group..16 * group + 16;
            let transmittance = f32x16::from_slice(simd, &transmittance[lanes.clone()]);
            let below = transmittance * opacity;
            let alpha = one - transmittance * (1.0 - opacity);
            let mut red = f32x16::from_slice(simd, &red[lanes.clone()]) + below * background[0];
            let mut green = f32x16::from_slice(simd, &green[lanes.clone()]) + below * background[1];
            let mut blue = f32x16::from_slice(simd, &blue[lanes]) + below * background[2];
            if a < 255 {
                let opacity = alpha.max(f32::MIN_POSITIVE);
                (red, green, blue) = (red / opacity, green / opacity, blue / opacity);
            }
            if let Some(colors) = &mut colors {
                let channels = [red, green, blue, alpha].map(|channel| channel.to_array());
                for (lane, color) in colors[16 * group..].iter_mut().take(16).enumerate() {
                    *color = channels.map(|channel| channel[lane].min(1.0));
                }
            }
            let alpha = half_up(alpha);
            match canvas.blend {
                Blend::Srgb => {
                    let words = half_up(red) | (half_up(green) << 8) | (half_up(blue) << 16) | (alpha << 24);
                    for (pixel, word) in pixels.iter_mut().zip(words.as_slice()) {
                        let [r, g, b, a] = word.to_le_bytes();
                        *pixel = Srgba8 { r, g, b, a };
                    }
                }
                Blend::Linear => {
                    let [reds, greens, blues] = [red, green, blue].map(|channel| channel.to_array());
                    let alphas = alpha.to_array();
                    for (lane, pixel) in pixels.iter_mut().enumerate() {
                        let [r, g, b] = [reds[lane], greens[lane], blues[lane]].map(srgb8_from_linear);
                        *pixel = Srgba8 { r, g, b, a: alphas[lane] as u8 };
                    }
                }
            }
        }
    }
}

/// Rounds 0 to 1 to 8 bits, halves up; values that rounding put past 1 become 255.
#[inline(always)]
fn half_up<S: Simd>(value: f32x16<S>) -> u32x16<S> {
    (value * 255.0 + 0.5).min(255.0).to_int()
}
