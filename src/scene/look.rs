//! Looks: named sets of numbers for one shading formula.

use std::fmt;
use std::str::FromStr;

use crate::error::{Error, Result};

/// A named set of numbers for the shading of spheres.
///
/// [`Shading::preset`](crate::spheres::Shading::preset) has the numbers; each can be changed afterwards. All looks but `Headlight` add light in display terms:
/// ambient light times openness, plus every light times the cosine of its angle, make a lightness L from 0 to 1, and the
/// linear colour is multiplied by L²·(0.75 + 0.25·L), which is within 0.025 of the sRGB curve.
///
/// ```
/// use roundel::spheres::{ShadingPreset, Shading};
///
/// assert_eq!(Shading::default().look, ShadingPreset::Headlight);
/// assert_eq!("studio".parse::<ShadingPreset>()?, ShadingPreset::Studio);
/// assert_eq!(Shading::preset(ShadingPreset::Studio).fog, 0.3);
/// assert_eq!(Shading::preset(ShadingPreset::Flat).ambient, 1.0);
/// # Ok::<(), roundel::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
#[non_exhaustive]
pub enum ShadingPreset {
    /// A light at the eye, added in linear light: scenes that name no look.
    #[default]
    Headlight,
    /// Light from everywhere, dark folds and dark outlines, as in drawings of molecules.
    Illustrative,
    /// A large key light with soft shadows, a fill light, and fog in the distance.
    Studio,
    /// Every surface in exactly its own colour, with thin outlines.
    Flat,
}

impl ShadingPreset {
    /// All looks.
    pub const ALL: [Self; 4] = [Self::Illustrative, Self::Studio, Self::Flat, Self::Headlight];

    /// The name in scenes and arguments.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Headlight => "headlight",
            Self::Illustrative => "illustrative",
            Self::Studio => "studio",
            Self::Flat => "flat",
        }
    }
}

impl fmt::Display for ShadingPreset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for ShadingPreset {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Self::ALL.into_iter().find(|look| look.name() == text).ok_or_else(|| {
            let message = format!("must be {}, got {text}", Self::ALL.map(Self::name).join(", "));
            Error::Setting { name: "look", message }
        })
    }
}

/// Numbers of a look that are set alone; `None` leaves them to the look. [`Shading`](crate::spheres::Shading) describes them.
///
/// ```
/// use roundel::spheres::{ShadingPreset, LookNumbers, Shading};
///
/// let numbers = LookNumbers { fog: Some(0.5), key_angle: Some(0.0), ..LookNumbers::default() };
/// let shading = Shading::preset(ShadingPreset::Studio).with_numbers(&numbers);
/// assert_eq!((shading.fog, shading.key_angle_radians, shading.key), (0.5, 0.0, 0.42));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LookNumbers {
    /// How much of the ambient light occlusion can take away, 0 to 1.
    pub ao_strength: Option<f32>,
    /// Intensity of the key light.
    pub key: Option<f32>,
    /// Intensity of the fill light.
    pub fill: Option<f32>,
    /// Degrees across the key light.
    pub key_angle: Option<f32>,
    /// How much fog hides what is farthest, 0 to 1.
    pub fog: Option<f32>,
    /// Where fog begins, as a share of the depth of the spheres, 0 to 1.
    pub fog_start: Option<f32>,
    /// Width of outlines in pixels.
    pub outline_width: Option<f32>,
    /// Least jump in depth that is outlined, in pixels.
    pub outline_depth: Option<f32>,
    /// Radius in pixels below which spheres are lit together.
    pub cloud_radius: Option<f32>,
}

impl LookNumbers {
    /// Name, number, and the range of numbers that are accepted.
    #[cfg(feature = "scene-files")]
    pub(crate) fn entries(&self) -> [(&'static str, Option<f32>, [f32; 2]); 9] {
        [
            ("ao_strength", self.ao_strength, [0.0, 1.0]),
            ("key", self.key, [0.0, 100.0]),
            ("fill", self.fill, [0.0, 100.0]),
            ("key_angle", self.key_angle, [0.0, MOST_LIGHT_ANGLE]),
            ("fog", self.fog, [0.0, 1.0]),
            ("fog_start", self.fog_start, [0.0, 1.0]),
            ("outline_width", self.outline_width, [0.0, MOST_OUTLINE_WIDTH]),
            ("outline_depth", self.outline_depth, [0.0, 1e6]),
            ("cloud_radius", self.cloud_radius, [0.0, 1e6]),
        ]
    }

    /// Refuses numbers that are out of range.
    ///
    /// # Errors
    /// For the first of them.
    #[cfg(feature = "scene-files")]
    pub(crate) fn check(&self) -> Result<()> {
        for (name, number, [least, most]) in self.entries() {
            if let Some(number) = number.filter(|number| !(least..=most).contains(number)) {
                return Err(Error::Setting { name, message: format!("must be {least} to {most}, got {number}") });
            }
        }
        Ok(())
    }
}

/// Degrees across the largest light.
#[cfg(feature = "scene-files")]
pub(crate) const MOST_LIGHT_ANGLE: f32 = 90.0;

/// Pixels across the widest outline.
pub(crate) const MOST_OUTLINE_WIDTH: f32 = 16.0;
