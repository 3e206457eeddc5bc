//! Pictures from and to buffers of the `image` crate.

use std::borrow::Cow;

use image::{DynamicImage, GrayImage, ImageBuffer, Luma, Rgb, RgbImage, Rgba, RgbaImage};

use crate::color::Srgba8;
use crate::error::{Error, Result};
use crate::frame::Frame;
use crate::picture::{Picture, Samples};

impl From<Frame> for RgbaImage {
    fn from(frame: Frame) -> Self {
        let (width, height) = (frame.width(), frame.height());
        Self::from_raw(width, height, frame.into_rgba_bytes()).expect("four bytes for every pixel")
    }
}

impl TryFrom<RgbaImage> for Frame {
    type Error = Error;

    /// # Errors
    /// As [`Frame::new`].
    fn try_from(image: RgbaImage) -> Result<Self> {
        let (width, height) = image.dimensions();
        Self::count(width, height)?;
        let pixels = image.pixels().map(|&Rgba([r, g, b, a])| Srgba8 { r, g, b, a });
        Ok(Self { width, height, pixels: pixels.collect() })
    }
}

impl<'a> From<&'a RgbaImage> for Picture<'a> {
    fn from(image: &'a RgbaImage) -> Self {
        Self { width: image.width(), height: image.height(), samples: Samples::Eight(Cow::Borrowed(image.as_raw())) }
    }
}

impl From<RgbaImage> for Picture<'static> {
    fn from(image: RgbaImage) -> Self {
        Self { width: image.width(), height: image.height(), samples: Samples::Eight(Cow::Owned(image.into_raw())) }
    }
}

impl<'a> From<&'a ImageBuffer<Rgba<u16>, Vec<u16>>> for Picture<'a> {
    fn from(image: &'a ImageBuffer<Rgba<u16>, Vec<u16>>) -> Self {
        Self { width: image.width(), height: image.height(), samples: Samples::Sixteen(Cow::Borrowed(image.as_raw())) }
    }
}

impl From<&RgbImage> for Picture<'static> {
    fn from(image: &RgbImage) -> Self {
        let samples = image.pixels().flat_map(|&Rgb([r, g, b])| [r, g, b, u8::MAX]).collect();
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
    fn frame_becomes_an_image_and_back() {
        let mut frame = Frame::new(3, 2, Srgba8::WHITE).expect("small");
        frame.pixels_mut()[4] = Srgba8 { r: 1, g: 2, b: 3, a: 4 };
        let image = image::RgbaImage::from(frame.clone());
        assert_eq!(image.get_pixel(1, 1), &image::Rgba([1, 2, 3, 4]));
        assert_eq!(Frame::try_from(image).expect("small"), frame);
        assert_eq!(frame.rows().nth(1).expect("two rows")[1].a, 4);
        Frame::try_from(image::RgbaImage::new(0, 7)).expect_err("no pixels");
    }
}
