//! The parameters of the shading formula: samples, light, occlusion, shadows, fog and outlines.

use std::fmt;
use std::str::FromStr;

use super::look::ShadingPreset;
use crate::color::Srgba8;
use crate::error::{Error, Result};

/// The method of ambient occlusion: the share of ambient light that nearby spheres block.
///
/// ```
/// # use roundel_scene as roundel;
/// use roundel::spheres::{AmbientOcclusion, Shading};
///
/// assert_eq!(Shading::default().ambient_occlusion, AmbientOcclusion::Off);
/// assert_eq!(Shading::default().with_ao_rays(16).ambient_occlusion, AmbientOcclusion::Rays(16));
/// assert_eq!("smooth".parse::<AmbientOcclusion>()?, AmbientOcclusion::Smooth);
/// # Ok::<(), roundel::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum AmbientOcclusion {
    /// Ambient light reaches every surface.
    #[default]
    Off,
    /// Without rays: fast and free of noise, within a few hundredths of the exact share.
    Smooth,
    /// With this many random rays per sample: exact in the mean, with noise. 0 is the same as
    /// [`AmbientOcclusion::Off`].
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
            _ => Err(Error::setting("ao", format!("must be smooth, off or a number of rays, got {text}"))),
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

    /// Whether occlusion is on.
    #[must_use]
    pub fn is_on(self) -> bool {
        self == Self::Smooth || self.rays() > 0
    }
}

/// The compositing of translucent spheres: which of their surfaces are visible.
///
/// ```
/// # use roundel_scene as roundel;
/// use roundel::spheres::{Shading, Transparency};
///
/// assert_eq!(Shading::default().transparency, Transparency::Shell);
/// assert_eq!("solid".parse::<Transparency>()?, Transparency::Solid);
/// # Ok::<(), roundel::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Transparency {
    /// The outer surface, front and back, of the union of all spheres of a part: walls between overlapping spheres do
    /// not show.
    #[default]
    Shell,
    /// The front and the back of every sphere.
    Surfaces,
    /// A medium that absorbs light along the part of a ray inside the spheres; opacity is that of a sphere's diameter.
    /// Where spheres overlap, their media are averaged.
    Solid,
    /// Of each part the surface where the ray first enters it, and nothing of the part behind it.
    Front,
}

impl Transparency {
    const NAMES: [(Self, &'static str); 4] =
        [(Self::Shell, "shell"), (Self::Front, "front"), (Self::Surfaces, "surfaces"), (Self::Solid, "solid")];

    /// The names of all models.
    #[doc(hidden)]
    pub fn names() -> impl Iterator<Item = &'static str> {
        Self::NAMES.into_iter().map(|(_, name)| name)
    }
}

impl FromStr for Transparency {
    type Err = Error;

    /// Reads `shell`, `front`, `surfaces` or `solid`.
    fn from_str(text: &str) -> Result<Self> {
        let named = Self::NAMES.into_iter().find(|(_, name)| *name == text);
        named.map(|(model, _)| model).ok_or_else(|| {
            Error::setting("transparency", format!("must be shell, front, surfaces or solid, got {text}"))
        })
    }
}

impl fmt::Display for Transparency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = Self::NAMES.into_iter().find(|(model, _)| model == self);
        f.write_str(named.map_or("", |(_, name)| name))
    }
}

/// Radius in pixels below which looks with occlusion shade spheres as one surface: smaller ones look like points.
const SPLAT_RADIUS: f32 = 3.0;

/// How surfaces are sampled and shaded. [`Shading::preset`] returns the parameters of a [`ShadingPreset`].
///
/// ```
/// # use roundel_scene as roundel;
/// use roundel::spheres::Shading;
///
/// let shading = Shading::default().with_samples(4).with_shadows().with_ambient(0.3);
/// assert_eq!((shading.samples, shading.shadows, shading.ambient), (4, true, 0.3));
/// let occluded = shading.with_ao_rays(16).with_ao_distance(5.0).with_seed(7);
/// assert_eq!((occluded.ambient_occlusion.rays(), occluded.ao_distance, occluded.seed), (16, 5.0, 7));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Shading {
    /// Samples per pixel.
    pub samples: u32,
    /// The look that the other parameters are based on. `Headlight` adds light in linear terms, all others in display
    /// terms.
    pub look: ShadingPreset,
    /// The method of ambient occlusion.
    pub ambient_occlusion: AmbientOcclusion,
    /// The distance in world units beyond which spheres do not occlude.
    #[serde(with = "distance")]
    pub ao_distance: f32,
    /// The largest share of the ambient light that occlusion removes, 0 to 1.
    pub ao_strength: f32,
    /// Whether directional lights cast shadows.
    pub shadows: bool,
    /// Light from all directions, 0 to 1.
    pub ambient: f32,
    /// Intensity of the key light, over the camera's left shoulder. The scene's own lights replace it.
    pub key: f32,
    /// Intensity of the fill light, beside the camera, which casts no shadow. The scene's own lights replace it.
    pub fill: f32,
    /// Angular diameter of the key light: the larger, the softer its shadows; 0 for hard shadows.
    pub key_angle_radians: f32,
    /// Rim light: light from behind that grazes the edges of shapes, 0 to 1. It is multiplied by (1 − n·v)², where v
    /// points to the eye, and by openness. It sets shapes off against a dark background.
    pub rim: f32,
    /// Strength of highlights, 0 to 1: the reflectance at normal incidence is 0.08 times this. 0 for matt surfaces.
    pub specular: f32,
    /// Roughness of highlights, 0 to 1: the square root of the α of GGX. Less than 0.1 counts as 0.1.
    pub roughness: f32,
    /// Fog at the far end, 0 to 1, in display terms. It blends towards the background. Where openness is less than a
    /// half, fog is thinner, so that deep folds stay dark.
    pub fog: f32,
    /// The depth at which fog begins, from 0 at the front of the nearest sphere to 1 at the back of the farthest. From
    /// there on it grows.
    pub fog_start: f32,
    /// Width of outlines in pixels, which may be fractional; 0 for no outlines. `None` for 1/800 of the picture's
    /// longer side, but at least 1.
    pub outline_width: Option<f32>,
    /// The depth discontinuity at which outlines appear, in multiples of a pixel's size. At twice this they have full
    /// strength.
    pub outline_depth: f32,
    /// Colour of outlines; its alpha is ignored. Files, flags and Python refuse one that is not opaque.
    pub outline_color: Srgba8,
    /// Spheres smaller than half of this many pixels are shaded as one surface, from the depth buffer; between half and
    /// all of it both shadings are blended. 0 turns this off.
    #[serde(rename = "cloud_radius")]
    pub splat_radius: f32,
    /// The compositing of translucent spheres.
    pub transparency: Transparency,
    /// Seed of every random number in the picture.
    pub seed: u64,
}

impl Default for Shading {
    /// The look `Headlight`: one sample per pixel, ambient light 0.2, neither occlusion nor shadows nor fog nor
    /// outlines.
    fn default() -> Self {
        Self {
            samples: 1,
            look: ShadingPreset::Headlight,
            ambient_occlusion: AmbientOcclusion::Off,
            ao_distance: f32::INFINITY,
            ao_strength: 1.0,
            shadows: false,
            ambient: 0.2,
            key: 0.0,
            fill: 0.0,
            key_angle_radians: 0.0,
            rim: 0.0,
            specular: 0.0,
            roughness: 0.35,
            fog: 0.0,
            fog_start: 0.5,
            outline_width: Some(0.0),
            outline_depth: 16.5,
            outline_color: Srgba8::BLACK,
            splat_radius: 0.0,
            transparency: Transparency::Shell,
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

    /// The same shading with another method of ambient occlusion.
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

    /// The same shading with occlusion that removes up to this share of the ambient light, 0 to 1.
    #[must_use]
    pub fn with_ao_strength(self, ao_strength: f32) -> Self {
        Self { ao_strength, ..self }
    }

    /// The same shading with a key light and a fill light of these intensities.
    #[must_use]
    pub fn with_key_and_fill(self, key: f32, fill: f32) -> Self {
        Self { key, fill, ..self }
    }

    /// The same shading with this angular diameter of the key light.
    #[must_use]
    pub fn with_key_angle_degrees(self, key_angle: f32) -> Self {
        Self { key_angle_radians: key_angle.to_radians(), ..self }
    }

    /// The same shading with this much rim light, 0 to 1.
    #[must_use]
    pub fn with_rim(self, rim: f32) -> Self {
        Self { rim, ..self }
    }

    /// The same shading with highlights of this strength and roughness, 0 to 1.
    #[must_use]
    pub fn with_gloss(self, specular: f32, roughness: f32) -> Self {
        Self { specular, roughness, ..self }
    }

    /// The same shading with this much fog at the far end, 0 to 1.
    #[must_use]
    pub fn with_fog(self, fog: f32) -> Self {
        Self { fog, ..self }
    }

    /// The same shading with fog that begins at this share of the depth, 0 to 1.
    #[must_use]
    pub fn with_fog_start(self, fog_start: f32) -> Self {
        Self { fog_start, ..self }
    }

    /// The same shading with outlines of this width in pixels.
    #[must_use]
    pub fn with_outline_width(self, width: f32) -> Self {
        Self { outline_width: Some(width), ..self }
    }

    /// The same shading with outlines where the depth changes by this multiple of a pixel's size.
    #[must_use]
    pub fn with_outline_depth(self, outline_depth: f32) -> Self {
        Self { outline_depth, ..self }
    }

    /// The same shading with another [`Shading::splat_radius`] in pixels.
    #[must_use]
    pub fn with_splat_radius(self, splat_radius: f32) -> Self {
        Self { splat_radius, ..self }
    }

    /// The same shading with outlines in this colour.
    #[must_use]
    pub fn with_outline_color(self, outline_color: Srgba8) -> Self {
        Self { outline_color, ..self }
    }

    /// The same shading with shadows.
    #[must_use]
    pub fn with_shadows(self) -> Self {
        Self { shadows: true, ..self }
    }

    /// The same shading with this much ambient light, 0 to 1.
    #[must_use]
    pub fn with_ambient(self, ambient: f32) -> Self {
        Self { ambient, ..self }
    }

    /// The same shading with another compositing of translucent spheres.
    #[must_use]
    pub fn with_transparency(self, transparency: Transparency) -> Self {
        Self { transparency, ..self }
    }

    /// The same shading with another seed.
    #[must_use]
    pub fn with_seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// The parameters of a look, with one sample per pixel.
    ///
    /// ```
    /// # use roundel_scene as roundel;
    /// use roundel::spheres::{AmbientOcclusion, ShadingPreset, Shading};
    ///
    /// let drawing = Shading::preset(ShadingPreset::Illustrative).with_samples(4).with_outline_width(2.0);
    /// assert_eq!(drawing.ambient_occlusion, AmbientOcclusion::Smooth);
    /// assert_eq!(Shading::preset(ShadingPreset::Headlight), Shading::default());
    /// ```
    #[must_use]
    pub fn preset(look: ShadingPreset) -> Self {
        let headlight = Self::default();
        let splat_radius = SPLAT_RADIUS;
        let smooth = Self { look, ambient_occlusion: AmbientOcclusion::Smooth, splat_radius, ..headlight };
        match look {
            ShadingPreset::Headlight => headlight,
            // Mol*'s illustrative style, D. Goodsell's Illustrate
            ShadingPreset::Illustrative => {
                // no fog by default; if requested, it begins at the front, because a solid molecule hides its back half
                Self { ambient: 1.0, ao_strength: 0.8, outline_width: None, fog_start: 0.0, ..smooth }
            }
            // ChimeraX' full lighting, OSPRay's light in OVITO
            ShadingPreset::Studio => Self {
                ambient: 0.6,
                ao_strength: 0.5,
                key: 0.42,
                fill: 0.25,
                key_angle_radians: 10.0_f32.to_radians(),
                shadows: true,
                fog: 0.3,
                ..smooth
            },
            // as `Studio`, with the highlights of plastic, and darker where no light falls, so that these show
            ShadingPreset::Glossy => {
                let studio = Self::preset(ShadingPreset::Studio);
                Self { look, ambient: 0.5, specular: 0.5, ..studio }
            }
            ShadingPreset::Flat => {
                Self { look, ambient: 1.0, outline_width: Some(1.0), outline_depth: 8.0, ..headlight }
            }
        }
    }
}

/// Serializes an infinite distance as none, because JSON has no infinity.
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

/// Returns an error for a colour of outlines that is not opaque.
pub fn check_outline_color(color: Srgba8) -> Result<()> {
    if color.a == u8::MAX {
        return Ok(());
    }
    let message = format!("must be an opaque colour, got {color}; an outline width of 0 draws no lines");
    Err(Error::setting("outline_color", message))
}
