//! The colours of a GIF: one palette for the whole film, so that still parts do not flicker.

use std::collections::BTreeSet;

use color_quant::NeuQuant;

use crate::color::Srgba8;
use crate::frame::Frame;

/// Colours of a palette, without the transparent one.
const MOST: usize = 255;

/// Sampled pixels, from which colours are chosen.
const PIXELS: usize = 1 << 20;

/// Stride of the quantizer through the sample; 1 is the best and the slowest.
const SAMPLING: i32 = 3;

/// At most 255 opaque colours; the index after the last one is transparent.
#[derive(Clone, Debug)]
pub(super) struct Palette(Vec<[u8; 3]>);

impl Palette {
    /// Chooses colours for a film from some of its frames: the colours themselves, if they are few enough.
    pub(super) fn of(frames: &[Frame]) -> Self {
        let opaque = || {
            frames
                .iter()
                .flat_map(Frame::pixels)
                .filter(|pixel| pixel.a >= 128)
                .map(|pixel| [pixel.r, pixel.g, pixel.b])
        };
        let mut colors = BTreeSet::new();
        for color in opaque() {
            colors.insert(color);
            if colors.len() > MOST {
                let count: usize = frames.iter().map(|frame| frame.pixels().len()).sum();
                // an odd stride does not align with the rows
                let stride = (count / PIXELS).max(1) | 1;
                return Self::quantized(&opaque().step_by(stride).collect::<Vec<_>>());
            }
        }
        Self(colors.into_iter().collect())
    }

    fn quantized(colors: &[[u8; 3]]) -> Self {
        let rgba: Vec<u8> = colors.iter().flat_map(|&[r, g, b]| [r, g, b, 255]).collect();
        // the most frequent colour, such as the background, is kept exactly
        let mut sorted = colors.to_vec();
        sorted.sort_unstable();
        let most = sorted.chunk_by(|a, b| a == b).max_by_key(|run| run.len()).map(|run| run[0]);
        let found = NeuQuant::new(SAMPLING, MOST - 1, &rgba).color_map_rgb();
        let unique: BTreeSet<[u8; 3]> = found.as_chunks::<3>().0.iter().copied().chain(most).collect();
        Self(unique.into_iter().collect())
    }

    pub(super) fn index(&self, pixel: Srgba8) -> u8 {
        if pixel.a < 128 {
            return self.transparent();
        }
        let distance = |color: &[u8; 3]| -> i32 {
            let [r, g, b] = [(color[0], pixel.r), (color[1], pixel.g), (color[2], pixel.b)]
                .map(|(a, b)| i32::from(a) - i32::from(b));
            // green counts most, as it does for the eye
            2 * r * r + 4 * g * g + b * b
        };
        let nearest = (0_u8..).zip(&self.0).min_by_key(|(_, color)| distance(color));
        nearest.map_or(0, |(index, _)| index)
    }

    /// The index of the transparent colour.
    pub(super) fn transparent(&self) -> u8 {
        u8::try_from(self.0.len()).expect("255 colours at most")
    }

    /// Red, green and blue of all colours, the transparent one last.
    pub(super) fn bytes(&self) -> Vec<u8> {
        self.0.iter().flatten().copied().chain([0; 3]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_colors_are_kept_as_they_are() {
        let mut frame = Frame::new(16, 8, Srgba8::WHITE).unwrap();
        for (index, pixel) in (0_u8..).zip(frame.pixels_mut()) {
            *pixel = Srgba8 { a: if index == 5 { 0 } else { 255 }, ..Srgba8::rgb(index, 2, 255 - index) };
        }
        let palette = Palette::of(std::slice::from_ref(&frame));
        for pixel in frame.pixels() {
            let index = palette.index(*pixel);
            if pixel.a == 0 {
                assert_eq!(index, palette.transparent());
            } else {
                assert_eq!(palette.0[usize::from(index)], [pixel.r, pixel.g, pixel.b]);
            }
        }
    }

    #[test]
    fn the_most_frequent_color_is_kept() {
        let mut frame = Frame::new(64, 64, Srgba8::rgb(250, 251, 252)).unwrap();
        for (index, pixel) in (0_u32..2000).zip(frame.pixels_mut()) {
            let [r, g, b, _] = (index * 7919 % 16_777_216).to_le_bytes();
            *pixel = Srgba8::rgb(r, g, b);
        }
        let palette = Palette::of(&[frame]);
        assert_eq!(palette.0[usize::from(palette.index(Srgba8::rgb(250, 251, 252)))], [250, 251, 252]);
        assert!(palette.bytes().len() <= 3 * 256);
    }
}
