//! Encodes frames independently of each other, so that several threads can work.

use std::collections::BTreeMap;
use std::io;

use crate::color::Srgba8;
use crate::frame::Frame;
use roundel_image::png::{encode_frame, encode_frame_with_alpha, encode_opaque_frame};

use super::palette::Palette;

#[derive(Clone, Debug)]
pub(super) enum Codec {
    /// A PNG as `render` writes it, with its resolution.
    Png(Option<f32>),
    /// A PNG with an alpha channel or without, the same for all frames.
    PngOf(Alpha),
    /// The LZW data of a GIF's frame, after the byte of its minimum code size.
    Gif(Palette),
    /// The bitstream of a lossless WebP.
    WebP(Alpha),
    /// Planes of luma and chroma, 4:4:4.
    Yuv444,
    /// Red, green and blue; an odd side repeats its last column or row.
    EvenRgb,
}

/// Whether the frames of a film have transparent pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Alpha {
    Opaque,
    Straight,
}

impl Codec {
    pub(super) fn packet(&self, frame: &Frame) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        match self {
            Self::Png(dpi) => encode_frame(frame, *dpi, &mut bytes)?,
            Self::PngOf(Alpha::Opaque) => encode_opaque_frame(frame, None, &mut bytes)?,
            Self::PngOf(Alpha::Straight) => encode_frame_with_alpha(frame, None, &mut bytes)?,
            Self::Gif(palette) => return gif_image(frame, palette),
            Self::WebP(alpha) => return web_p_image(frame, *alpha),
            Self::Yuv444 => return Ok(yuv444(frame)),
            Self::EvenRgb => return Ok(even_rgb(frame)),
        }
        Ok(bytes)
    }
}

/// A frame in the colours of a palette, compressed.
fn gif_image(frame: &Frame, palette: &Palette) -> io::Result<Vec<u8>> {
    let side = |side: u32| u16::try_from(side).map_err(|_| io::Error::other("a GIF has at most 65535 pixels a side"));
    let (width, height) = (side(frame.width())?, side(frame.height())?);
    let mut known = BTreeMap::new();
    let index =
        |pixel: Srgba8| *known.entry([pixel.r, pixel.g, pixel.b, pixel.a]).or_insert_with(|| palette.index(pixel));
    let indices: Vec<u8> = frame.pixels().iter().copied().map(index).collect();
    let mut image = gif::Frame::from_indexed_pixels(width, height, indices, None);
    image.make_lzw_pre_encoded();
    Ok(image.buffer.into_owned())
}

/// The content of a frame's `VP8L` chunk.
fn web_p_image(frame: &Frame, alpha: Alpha) -> io::Result<Vec<u8>> {
    let (bytes, color) = match alpha {
        Alpha::Opaque => (frame.to_rgb_bytes(), image_webp::ColorType::Rgb8),
        Alpha::Straight => (frame.to_rgba_bytes(), image_webp::ColorType::Rgba8),
    };
    let mut file = Vec::new();
    let encoder = image_webp::WebPEncoder::new(&mut file);
    encoder.encode(&bytes, frame.width(), frame.height(), color).map_err(io::Error::other)?;
    // RIFF, size, WEBP, VP8L, size
    match (file.get(12..16), file.get(16..20), file.get(20..)) {
        (Some(b"VP8L"), Some(size), Some(content)) => {
            let size = u32::from_le_bytes(size.try_into().expect("four bytes")) as usize;
            Ok(content.get(..size).unwrap_or(content).to_vec())
        }
        _ => Err(io::Error::other("the encoder wrote no lossless picture")),
    }
}

/// Red, green and blue, blended over white.
fn over_white(frame: &Frame) -> Vec<u8> {
    let mut bytes = frame.to_rgb_bytes();
    if frame.is_opaque() {
        return bytes;
    }
    for (color, pixel) in bytes.chunks_exact_mut(3).zip(frame.pixels()) {
        for channel in color {
            let mixed = u32::from(*channel) * u32::from(pixel.a) + 255 * (255 - u32::from(pixel.a));
            *channel = u8::try_from((mixed + 127) / 255).expect("a mean of bytes");
        }
    }
    bytes
}

/// ITU-R BT.601 luma and chroma in limited range, which programs assume for files that do not state theirs, in
/// integers: Y = 16 + 65.481 R + 128.553 G + 24.966 B and so on, with R, G and B from 0 to 1.
fn yuv444(frame: &Frame) -> Vec<u8> {
    /// Fraction bits.
    const BITS: u32 = 16;
    const HALF: i32 = 1 << (BITS - 1);
    /// The weights of red, green and blue, times 65536 / 255.
    const SHARES: [[i32; 3]; 3] = [[16_829, 33_039, 6_416], [-9_714, -19_070, 28_784], [28_784, -24_103, -4_681]];
    const ZEROS: [i32; 3] = [16, 128, 128];
    let rgb = over_white(frame);
    let mut planes = Vec::with_capacity(rgb.len());
    for (shares, zero) in SHARES.iter().zip(ZEROS) {
        planes.extend(rgb.chunks_exact(3).map(|color| {
            let sum: i32 = (0..3).map(|channel| shares[channel] * i32::from(color[channel])).sum();
            u8::try_from((sum + HALF + (zero << BITS)) >> BITS).expect("16 to 240")
        }));
    }
    planes
}

fn even_rgb(frame: &Frame) -> Vec<u8> {
    let rgb = over_white(frame);
    let (width, height) = (frame.width() as usize, frame.height() as usize);
    if width.is_multiple_of(2) && height.is_multiple_of(2) {
        return rgb;
    }
    let mut even = Vec::with_capacity(3 * (width + 1) * (height + 1));
    for row in (0..height).chain((!height.is_multiple_of(2)).then_some(height - 1)) {
        let row = &rgb[3 * width * row..3 * width * (row + 1)];
        even.extend_from_slice(row);
        if !width.is_multiple_of(2) {
            even.extend_from_slice(&row[3 * (width - 1)..]);
        }
    }
    even
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::color::Srgba8;

    #[test]
    fn luma_and_chroma_are_those_of_the_standard() {
        let colors = [0x00_00_00, 0xff_ff_ff, 0xff_00_00, 0x00_ff_00, 0x00_00_ff, 0x12_34_56, 0x80_80_80];
        for hex in colors {
            let color = Srgba8::hex(hex);
            let [r, g, b] = [color.r, color.g, color.b].map(|channel| f64::from(channel) / 255.0);
            let y = 16.0 + 65.481 * r + 128.553 * g + 24.966 * b;
            let u = 128.0 - 37.797 * r - 74.203 * g + 112.0 * b;
            let v = 128.0 + 112.0 * r - 93.786 * g - 18.214 * b;
            let found = yuv444(&Frame::new(1, 1, color).unwrap());
            for (found, exact) in found.into_iter().zip([y, u, v]) {
                assert!((f64::from(found) - exact).abs() < 0.51, "{hex:06x}: {found} for {exact}");
            }
        }
    }

    #[test]
    fn odd_sides_are_made_even() {
        let mut frame = Frame::new(3, 1, Srgba8::WHITE).unwrap();
        frame.pixels_mut()[2] = Srgba8::BLACK;
        let row = [255, 255, 255, 255, 255, 255, 0, 0, 0, 0, 0, 0];
        assert_eq!(even_rgb(&frame), [row, row].concat());
        assert_eq!(over_white(&Frame::new(1, 1, Srgba8::TRANSPARENT).unwrap()), [255; 3]);
    }
}
