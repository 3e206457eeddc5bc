//! What can be compared: 8- or 16-bit straight-alpha RGBA, borrowed where it is already that.

use std::borrow::Cow;

use image::{DynamicImage, GrayImage, ImageBuffer, Luma, RgbImage, Rgba, RgbaImage};

use super::rows::Sample;
use crate::color::Srgba8;
use crate::error::Result;
use crate::frame::Frame;

/// A picture to compare: straight-alpha RGBA, 8 or 16 bits a channel.
///
/// Made from a [`Frame`] or a buffer of the `image` crate, whoever drew it; what has no alpha is opaque.
#[derive(Clone, Debug)]
pub struct Picture<'a> {
    width: u32,
    height: u32,
    pub(super) samples: Samples<'a>,
}

/// Four samples a pixel, row by row from the top.
#[derive(Clone, Debug)]
pub(super) enum Samples<'a> {
    Eight(Cow<'a, [u8]>),
    Sixteen(Cow<'a, [u16]>),
}

impl Picture<'_> {
    /// Width and height.
    #[must_use]
    pub fn size(&self) -> (u32, u32) {
        (self.width, self.height)
    }

    /// The samples, when they have 16 bits.
    pub(crate) fn wide(&self) -> Option<&[u16]> {
        match &self.samples {
            Samples::Eight(_) => None,
            Samples::Sixteen(samples) => Some(samples),
        }
    }

    /// As a frame, 16-bit channels rounded.
    pub(crate) fn to_frame(&self) -> Result<Frame> {
        let mut frame = Frame::new(self.width, self.height, Srgba8::TRANSPARENT)?;
        for (index, pixel) in frame.pixels_mut().iter_mut().enumerate() {
            let [r, g, b, a] = self.pixel8(index);
            *pixel = Srgba8 { r, g, b, a };
        }
        Ok(frame)
    }

    /// The pixels with 16 bits a channel: 8-bit channels × 257.
    pub(super) fn to_sixteen(&self) -> Cow<'_, [u16]> {
        match &self.samples {
            Samples::Eight(samples) => samples.iter().map(|&sample| u16::from(sample) * 257).collect(),
            Samples::Sixteen(samples) => Cow::Borrowed(samples),
        }
    }

    /// The pixel `index` of a picture read as a page, 8 bits a channel, rounded.
    pub(super) fn pixel8(&self, index: usize) -> [u8; 4] {
        let at = 4 * index;
        match &self.samples {
            Samples::Eight(samples) => [samples[at], samples[at + 1], samples[at + 2], samples[at + 3]],
            Samples::Sixteen(samples) => std::array::from_fn(|channel| samples[at + channel].eight()),
        }
    }
}

impl From<&Frame> for Picture<'static> {
    fn from(frame: &Frame) -> Self {
        let samples = frame.pixels().iter().flat_map(|pixel| [pixel.r, pixel.g, pixel.b, pixel.a]).collect();
        Self { width: frame.width(), height: frame.height(), samples: Samples::Eight(samples) }
    }
}

impl<'a> From<&'a RgbaImage> for Picture<'a> {
    fn from(image: &'a RgbaImage) -> Self {
        Self { width: image.width(), height: image.height(), samples: Samples::Eight(Cow::Borrowed(image.as_raw())) }
    }
}

impl<'a> From<&'a ImageBuffer<Rgba<u16>, Vec<u16>>> for Picture<'a> {
    fn from(image: &'a ImageBuffer<Rgba<u16>, Vec<u16>>) -> Self {
        Self { width: image.width(), height: image.height(), samples: Samples::Sixteen(Cow::Borrowed(image.as_raw())) }
    }
}

impl From<&RgbImage> for Picture<'static> {
    fn from(image: &RgbImage) -> Self {
        let samples = image.pixels().flat_map(|&image::Rgb([r, g, b])| [r, g, b, u8::MAX]).collect();
        Self { width: image.width(), height: image.height(), samples: Samples::Eight(samples) }
    }
}

impl From<&GrayImage> for Picture<'static> {
    fn from(image: &GrayImage) -> Self {
        let samples = image.pixels().flat_map(|&Luma([gray])| [gray, gray, gray, u8::MAX]).collect();
        Self { width: image.width(), height: image.height(), samples: Samples::Eight(samples) }
    }
}

impl From<DynamicImage> for Picture<'static> {
    fn from(image: DynamicImage) -> Self {
        let (width, height) = (image.width(), image.height());
        let wide = image.color().bytes_per_pixel() / image.color().channel_count() > 1;
        let samples = if wide {
            Samples::Sixteen(Cow::Owned(image.into_rgba16().into_raw()))
        } else {
            Samples::Eight(Cow::Owned(image.into_rgba8().into_raw()))
        };
        Self { width, height, samples }
    }
}

impl<'a> From<&'a DynamicImage> for Picture<'a> {
    fn from(image: &'a DynamicImage) -> Self {
        match image {
            DynamicImage::ImageRgba8(image) => image.into(),
            DynamicImage::ImageRgba16(image) => image.into(),
            other => other.clone().into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sixteen_bits_round_to_the_nearest_eight() {
        for value in 0..=u8::MAX {
            let wide = u16::from(value) * 257;
            assert_eq!(wide.eight(), value);
            assert_eq!(wide.saturating_add(128).eight(), value);
            assert_eq!(wide.saturating_sub(128).eight(), value);
        }
    }
}
