//! Samples, ambient light, occlusion and shadows.

use std::fmt;
use std::str::FromStr;

use crate::error::{Error, Result};

/// How ambient occlusion is found: the share of ambient light that nearby spheres keep from a surface.
///
/// ```
/// use roundel::spheres::{AmbientOcclusion, Shading};
///
/// assert_eq!(Shading::default().ambient_occlusion, AmbientOcclusion::Off);
/// assert_eq!(Shading::default().with_ao_rays(16).ambient_occlusion, AmbientOcclusion::Rays(16));
/// assert_eq!("smooth".parse::<AmbientOcclusion>()?, AmbientOcclusion::Smooth);
/// # Ok::<(), roundel::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
#[non_exhaustive]
pub enum AmbientOcclusion {
    /// Ambient light reaches every surface.
    #[default]
    Off,
    /// Without rays: fast and free of noise, within a few hundredths of the exact share.
    Smooth,
    /// By this many random rays per sample: exact in the mean, with noise. 0 is the same as [`AmbientOcclusion::Off`].
    Rays(u32),
}

impl FromStr for AmbientOcclusion {
    type Err = Error;

    /// Reads `off`, `smooth` or a number of rays.
    fn from_str(text: &str) -> Result<Self> {
        match (text, text.parse()) {
            ("off", _) | (_, Ok(0)) => Ok(Self::Off),
            ("smooth", _) => Ok(Self::Smooth),
            (_, Ok(rays)) => Ok(Self::Rays(rays)),
            _ => {
                let message = format!("must be smooth, off or a number of rays, got {text}");
                Err(Error::Setting { name: "ao", message })
            }
        }
    }
}

impl fmt::Display for AmbientOcclusion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Off => f.write_str("off"),
            Self::Smooth => f.write_str("smooth"),
            Self::Rays(rays) => rays.fmt(f),
        }
    }
}

impl AmbientOcclusion {
    /// The number of rays per sample.
    #[must_use]
    pub fn rays(self) -> u32 {
        if let Self::Rays(rays) = self { rays } else { 0 }
    }

    /// Whether there is any occlusion.
    #[must_use]
    pub fn is_on(self) -> bool {
        self == Self::Smooth || self.rays() > 0
    }
}

/// How surfaces are sampled and shaded.
///
/// ```
/// use roundel::spheres::Shading;
///
/// let shading = Shading::default().with_samples(4).with_shadows().with_ambient(0.3);
/// assert_eq!((shading.samples, shading.shadows, shading.ambient), (4, true, 0.3));
/// let occluded = shading.with_ao_rays(16).with_ao_distance(5.0).with_seed(7);
/// assert_eq!((occluded.ambient_occlusion.rays(), occluded.ao_distance, occluded.seed), (16, 5.0, 7));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
#[non_exhaustive]
pub struct Shading {
    /// Samples per pixel.
    pub samples: u32,
    /// How ambient occlusion is found.
    pub ambient_occlusion: AmbientOcclusion,
    /// Spheres farther away than this keep no ambient light from a surface, in world units.
    #[cfg_attr(feature = "serde", serde(with = "distance"))]
    pub ao_distance: f32,
    /// Whether directional lights cast hard shadows.
    pub shadows: bool,
    /// Light that comes from everywhere, linear, 0 to 1.
    pub ambient: f32,
    /// Seed of every random number in the picture.
    pub seed: u64,
}

impl Default for Shading {
    /// One sample per pixel, ambient light 0.2, neither occlusion nor shadows.
    fn default() -> Self {
        Self {
            samples: 1,
            ambient_occlusion: AmbientOcclusion::Off,
            ao_distance: f32::INFINITY,
            shadows: false,
            ambient: 0.2,
            seed: 0,
        }
    }
}

impl Shading {
    /// The same shading with this many samples per pixel.
    #[must_use]
    pub fn with_samples(self, samples: u32) -> Self {
        Self { samples, ..self }
    }

    /// The same shading with ambient occlusion found in this way.
    #[must_use]
    pub fn with_ambient_occlusion(self, ambient_occlusion: AmbientOcclusion) -> Self {
        Self { ambient_occlusion, ..self }
    }

    /// The same shading with this many ambient-occlusion rays per sample; 0 turns occlusion off.
    #[must_use]
    pub fn with_ao_rays(self, rays: u32) -> Self {
        self.with_ambient_occlusion(if rays == 0 { AmbientOcclusion::Off } else { AmbientOcclusion::Rays(rays) })
    }

    /// The same shading with ambient occlusion by spheres up to this far away, in world units.
    #[must_use]
    pub fn with_ao_distance(self, ao_distance: f32) -> Self {
        Self { ao_distance, ..self }
    }

    /// The same shading with hard shadows.
    #[must_use]
    pub fn with_shadows(self) -> Self {
        Self { shadows: true, ..self }
    }

    /// The same shading with this much ambient light, 0 to 1.
    #[must_use]
    pub fn with_ambient(self, ambient: f32) -> Self {
        Self { ambient, ..self }
    }

    /// The same shading with another seed.
    #[must_use]
    pub fn with_seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }
}

/// An infinite distance by serde: none, because JSON has no infinity.
#[cfg(feature = "serde")]
mod distance {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes fields by reference")]
    pub(super) fn serialize<S: Serializer>(distance: &f32, serializer: S) -> Result<S::Ok, S::Error> {
        Some(*distance).filter(|distance| *distance != f32::INFINITY).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f32, D::Error> {
        Ok(Option::deserialize(deserializer)?.unwrap_or(f32::INFINITY))
    }
}
