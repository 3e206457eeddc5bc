//! The colour type of pictures and scenes, and its text form.

use std::fmt;
use std::str::FromStr;

use super::names::named;
use crate::error::Error;

/// The ways to write a colour, for messages.
pub const WRITTEN: &str = "a CSS colour name, transparent, #rgb, #rgba, #rrggbb or #rrggbbaa";

/// A straight-alpha sRGB colour, 8 bits a channel.
///
/// ```
/// # use roundel_image as roundel;
/// use roundel::Srgba8;
///
/// let red: Srgba8 = "#d62728".parse()?;
/// assert_eq!(red, Srgba8::rgb(0xd6, 0x27, 0x28));
/// assert_eq!(red.with_alpha(0x80).to_string(), "#d6272880");
/// assert_eq!(Srgba8::TRANSPARENT, Srgba8::BLACK.with_alpha(0));
/// # Ok::<(), roundel::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(C)]
pub struct Srgba8 {
    /// Red, sRGB-encoded.
    pub r: u8,
    /// Green, sRGB-encoded.
    pub g: u8,
    /// Blue, sRGB-encoded.
    pub b: u8,
    /// Opacity; 255 is opaque.
    pub a: u8,
}

impl Srgba8 {
    /// Opaque white.
    pub const WHITE: Self = Self::rgb(255, 255, 255);
    /// Opaque black.
    pub const BLACK: Self = Self::rgb(0, 0, 0);
    /// Fully transparent black.
    pub const TRANSPARENT: Self = Self { r: 0, g: 0, b: 0, a: 0 };

    /// An opaque colour.
    #[must_use]
    pub const fn rgb(r: u8, g: u8, b: u8) -> Self {
        Self { r, g, b, a: 255 }
    }

    /// A colour with an opacity, not premultiplied: 255 is opaque.
    ///
    /// ```
    /// # use roundel_image as roundel;
    /// use roundel::Srgba8;
    ///
    /// assert_eq!(Srgba8::rgba(200, 40, 40, 128), Srgba8::rgb(200, 40, 40).with_alpha(128));
    /// ```
    #[must_use]
    pub const fn rgba(r: u8, g: u8, b: u8, a: u8) -> Self {
        Self { r, g, b, a }
    }

    /// The opaque colour `0xrrggbb`.
    #[doc(hidden)]
    pub const fn hex(rgb: u32) -> Self {
        let [_, r, g, b] = rgb.to_be_bytes();
        Self::rgb(r, g, b)
    }

    /// The same colour with another opacity.
    #[must_use]
    pub const fn with_alpha(self, a: u8) -> Self {
        Self { a, ..self }
    }
}

impl From<[u8; 4]> for Srgba8 {
    /// Red, green, blue, alpha.
    fn from([r, g, b, a]: [u8; 4]) -> Self {
        Self { r, g, b, a }
    }
}

impl From<Srgba8> for [u8; 4] {
    /// Red, green, blue, alpha.
    fn from(color: Srgba8) -> Self {
        [color.r, color.g, color.b, color.a]
    }
}

impl FromStr for Srgba8 {
    type Err = Error;

    /// Reads `#rgb`, `#rgba`, `#rrggbb`, `#rrggbbaa`, or a name of CSS such as `steelblue` or `transparent`.
    fn from_str(text: &str) -> Result<Self, Error> {
        let digits: Option<Vec<u8>> = text.strip_prefix('#').and_then(|hex| {
            hex.chars().map(|digit| digit.to_digit(16).and_then(|value| value.try_into().ok())).collect()
        });
        match digits.as_deref() {
            Some(&[r, g, b]) => Ok(Self::rgb(r * 17, g * 17, b * 17)),
            Some(&[r, g, b, a]) => Ok(Self { r: r * 17, g: g * 17, b: b * 17, a: a * 17 }),
            Some(&[r1, r0, g1, g0, b1, b0]) => Ok(Self::rgb(r1 * 16 + r0, g1 * 16 + g0, b1 * 16 + b0)),
            Some(&[r1, r0, g1, g0, b1, b0, a1, a0]) => {
                Ok(Self { r: r1 * 16 + r0, g: g1 * 16 + g0, b: b1 * 16 + b0, a: a1 * 16 + a0 })
            }
            _ => named(text)
                .map(Self::from)
                .ok_or_else(|| Error::setting("color", format!("must be {WRITTEN}, got {text:?}"))),
        }
    }
}

impl fmt::Display for Srgba8 {
    /// Writes `#rrggbb`, or `#rrggbbaa` if the colour is not opaque.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { r, g, b, a } = self;
        write!(f, "#{r:02x}{g:02x}{b:02x}")?;
        if *a == 255 { Ok(()) } else { write!(f, "{a:02x}") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn color_text_round_trips() {
        for (text, shown) in [
            ("#fff", "#ffffff"),
            ("#1F77b4", "#1f77b4"),
            ("#d62728cc", "#d62728cc"),
            ("#00000000", "#00000000"),
            ("#12cf", "#1122cc"),
            ("#12cd", "#1122ccdd"),
            ("red", "#ff0000"),
            ("transparent", "#00000000"),
        ] {
            assert_eq!(text.parse::<Srgba8>().expect(text).to_string(), shown);
        }
    }

    #[test]
    fn color_text_of_another_form_is_an_error() {
        for text in
            ["", "#", "reddish", "#12", "#12345", "#1234567", "#123456789", "#gggggg", "112233", "#+1+1+1", "#½½½"]
        {
            let error = text.parse::<Srgba8>().expect_err(text).to_string();
            assert_eq!(error, format!("color must be {WRITTEN}, got {text:?}"));
        }
    }
}
