//! Looks: named parameter sets of the shading formula.

use std::fmt;
use std::str::FromStr;

use crate::error::{Error, Result};

/// A look: a named set of parameters for the shading of spheres.
///
/// [`Shading::preset`](crate::spheres::Shading::preset) returns the parameters; each can be changed afterwards. All
/// looks but `Headlight` add light in display terms: ambient light times openness, plus every light times the cosine of
/// its angle, make a lightness L from 0 to 1, and the linear colour is multiplied by L²·(0.75 + 0.25·L), which is
/// within 0.025 of the sRGB curve.
///
/// ```
/// # use roundel_scene as roundel;
/// use roundel::spheres::{ShadingPreset, Shading};
///
/// assert_eq!(Shading::default().look, ShadingPreset::Headlight);
/// assert_eq!("studio".parse::<ShadingPreset>()?, ShadingPreset::Studio);
/// assert_eq!(Shading::preset(ShadingPreset::Studio).fog, 0.3);
/// assert_eq!(Shading::preset(ShadingPreset::Flat).ambient, 1.0);
/// # Ok::<(), roundel::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum ShadingPreset {
    /// A light at the eye, added in linear light. The default of scenes that name no look.
    #[default]
    Headlight,
    /// Light from all directions, dark folds and dark outlines, as in drawings of molecules.
    Illustrative,
    /// A large key light with soft shadows, a fill light, and fog in the distance.
    Studio,
    /// As `Studio`, with the highlights of plastic.
    Glossy,
    /// Every surface in exactly its own colour, with thin outlines.
    Flat,
}

impl ShadingPreset {
    /// All looks.
    pub const ALL: [Self; 5] = [Self::Illustrative, Self::Studio, Self::Glossy, Self::Flat, Self::Headlight];

    /// The name in scenes and arguments.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Headlight => "headlight",
            Self::Illustrative => "illustrative",
            Self::Studio => "studio",
            Self::Glossy => "glossy",
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
            Error::setting("look", format!("must be {}, got {text}", Self::ALL.map(Self::name).join(", ")))
        })
    }
}

/// The largest angular diameter of a light, in degrees.
pub const MOST_LIGHT_ANGLE: f32 = 90.0;

/// The largest width of outlines, in pixels.
pub const MOST_OUTLINE_WIDTH: f32 = 16.0;
