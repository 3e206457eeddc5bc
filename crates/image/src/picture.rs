//! Pictures to compare: straight-alpha RGBA with 8 or 16 bits a channel, borrowed if the caller has it in that form.

use std::borrow::Cow;

use super::sample::Sample;
use crate::color::Srgba8;
use crate::error::{Error, Result};
use crate::frame::Frame;

/// A picture to compare: straight-alpha RGBA, 8 or 16 bits a channel.
///
/// Made from a [`Frame`], from the bytes of any renderer, or, with the feature `image`, from a buffer of the `image`
/// crate. Sources without alpha are opaque.
///
/// ```
/// # use roundel_image as roundel;
/// # use roundel::Picture;
/// // two pixels as a window or a GPU returns them
/// let opaque = Picture::from_rgba8(2, 1, vec![255, 0, 0, 255, 0, 0, 0, 0])?;
/// let premultiplied = Picture::from_premultiplied_rgba8(2, 1, &[255, 0, 0, 255, 0, 0, 0, 0])?;
/// assert_eq!(opaque.rgba8(), premultiplied.rgba8());
/// # Ok::<(), roundel::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Picture<'a> {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) samples: Samples<'a>,
}

/// Four samples a pixel, row by row from the top.
#[doc(hidden)]
#[derive(Clone, Debug, PartialEq)]
pub enum Samples<'a> {
    Eight(Cow<'a, [u8]>),
    Sixteen(Cow<'a, [u16]>),
}

impl<'a> Picture<'a> {
    /// A picture of straight-alpha RGBA, 8 bits a channel, row by row from the top.
    ///
    /// # Errors
    /// If there are not four bytes for every pixel.
    pub fn from_rgba8(width: u32, height: u32, bytes: impl Into<Cow<'a, [u8]>>) -> Result<Self> {
        let bytes = bytes.into();
        check_length(width, height, bytes.len())?;
        Ok(Self { width, height, samples: Samples::Eight(bytes) })
    }

    /// A picture of straight-alpha RGBA, 16 bits a channel, row by row from the top.
    ///
    /// ```
    /// # use roundel_image as roundel;
    /// # use roundel::Picture;
    /// let picture = Picture::from_rgba16(1, 1, &[257, 0, 0, 65535][..])?;
    /// assert_eq!(picture.rgba16(), Some(&[257, 0, 0, 65535][..]));
    /// assert_eq!(picture.to_frame()?.pixel(0, 0), Some(roundel::Srgba8::rgb(1, 0, 0)));
    /// # Ok::<(), roundel::Error>(())
    /// ```
    ///
    /// # Errors
    /// If there are not four samples for every pixel.
    pub fn from_rgba16(width: u32, height: u32, samples: impl Into<Cow<'a, [u16]>>) -> Result<Self> {
        let samples = samples.into();
        check_length(width, height, samples.len())?;
        Ok(Self { width, height, samples: Samples::Sixteen(samples) })
    }

    /// A picture of premultiplied RGBA, 8 bits a channel, as tiny-skia, Vello and Cairo draw it.
    ///
    /// Colours are divided by alpha and rounded; a channel above alpha becomes 255.
    ///
    /// # Errors
    /// If there are not four bytes for every pixel.
    pub fn from_premultiplied_rgba8(width: u32, height: u32, bytes: &[u8]) -> Result<Self> {
        check_length(width, height, bytes.len())?;
        let mut straight = bytes.to_vec();
        for [r, g, b, a] in straight.as_chunks_mut::<4>().0 {
            if *a != u8::MAX {
                for channel in [r, g, b] {
                    *channel = divided(*channel, *a);
                }
            }
        }
        Ok(Self { width, height, samples: Samples::Eight(straight.into()) })
    }

    /// Width and height.
    #[must_use]
    pub fn size(&self) -> (u32, u32) {
        (self.width, self.height)
    }

    /// The samples of a picture with 8 bits a channel: red, green, blue, alpha, row by row from the top.
    #[must_use]
    pub fn rgba8(&self) -> Option<&[u8]> {
        if let Samples::Eight(samples) = &self.samples { Some(samples) } else { None }
    }

    /// The samples of a picture with 16 bits a channel, in the order of [`Picture::rgba8`].
    #[must_use]
    pub fn rgba16(&self) -> Option<&[u16]> {
        if let Samples::Sixteen(samples) = &self.samples { Some(samples) } else { None }
    }

    #[doc(hidden)]
    pub fn samples(&self) -> &Samples<'a> {
        &self.samples
    }

    /// The picture as a frame; 16-bit channels are rounded.
    ///
    /// # Errors
    /// If it is larger than a frame can be.
    pub fn to_frame(&self) -> Result<Frame> {
        let mut frame = Frame::new(self.width, self.height, Srgba8::TRANSPARENT)?;
        for (index, pixel) in frame.pixels_mut().iter_mut().enumerate() {
            *pixel = self.pixel8(index).into();
        }
        Ok(frame)
    }

    /// The samples with 16 bits a channel: 8-bit channels × 257.
    #[doc(hidden)]
    pub fn to_sixteen(&self) -> Cow<'_, [u16]> {
        match &self.samples {
            Samples::Eight(samples) => samples.iter().map(|&sample| u16::from(sample) * 257).collect(),
            Samples::Sixteen(samples) => Cow::Borrowed(samples),
        }
    }

    /// The pixel with this index in reading order, its channels rounded to 8 bits.
    #[doc(hidden)]
    pub fn pixel8(&self, index: usize) -> [u8; 4] {
        let at = 4 * index;
        match &self.samples {
            Samples::Eight(samples) => [samples[at], samples[at + 1], samples[at + 2], samples[at + 3]],
            Samples::Sixteen(samples) => std::array::from_fn(|channel| samples[at + channel].eight()),
        }
    }
}

/// Returns an error unless there are four samples for every pixel.
fn check_length(width: u32, height: u32, samples: usize) -> Result<()> {
    let expected = 4 * u128::from(width) * u128::from(height);
    if samples as u128 == expected {
        return Ok(());
    }
    Err(Error::setting("a picture", format!("of {width}x{height} pixels must have {expected} samples, got {samples}")))
}

/// A premultiplied channel divided by alpha, rounded half up, at most 255.
fn divided(channel: u8, alpha: u8) -> u8 {
    let (channel, alpha) = (u32::from(channel), u32::from(alpha));
    (channel * 255 + alpha / 2).checked_div(alpha).map_or(0, |value| u8::try_from(value).unwrap_or(u8::MAX))
}

impl From<&Frame> for Picture<'static> {
    fn from(frame: &Frame) -> Self {
        Self { width: frame.width(), height: frame.height(), samples: Samples::Eight(frame.to_rgba_bytes().into()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn picture_needs_four_samples_a_pixel() {
        Picture::from_rgba8(2, 3, vec![0; 24]).expect("four each");
        let error = Picture::from_rgba8(2, 3, vec![0; 23]).expect_err("one is missing").to_string();
        assert_eq!(error, "a picture of 2x3 pixels must have 24 samples, got 23");
        Picture::from_rgba16(u32::MAX, u32::MAX, vec![0; 4]).expect_err("far too few");
        Picture::from_premultiplied_rgba8(1, 1, &[0; 3]).expect_err("one is missing");
    }

    #[test]
    fn premultiplied_colors_are_divided_by_alpha() {
        for alpha in 1..=u8::MAX {
            for straight in 0..=u8::MAX {
                let rounded = (u32::from(straight) * u32::from(alpha) + 127) / 255;
                let multiplied = u8::try_from(rounded).expect("at most alpha");
                // the best that any inverse can do: half a step of the product, in steps of the colour
                let error = f64::from(divided(multiplied, alpha)) - f64::from(straight);
                assert!(error.abs() <= 0.5 * 255.0 / f64::from(alpha) + 0.5, "{straight} at {alpha}: off by {error}");
            }
        }
        let picture = Picture::from_premultiplied_rgba8(3, 1, &[9, 9, 9, 0, 200, 50, 0, 100, 1, 2, 3, 255]).unwrap();
        assert_eq!([0, 1, 2].map(|index| picture.pixel8(index)), [[0; 4], [255, 128, 0, 100], [1, 2, 3, 255]]);
    }
}
