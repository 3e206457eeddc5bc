//! Samples, light, occlusion, shadows, fog and outlines: the numbers of the shading formula.

use std::fmt;
use std::str::FromStr;

use super::look::ShadingPreset;
use crate::color::Srgba8;
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

    /// Whether there is any occlusion.
    #[must_use]
    pub fn is_on(self) -> bool {
        self == Self::Smooth || self.rays() > 0
    }
}

/// How translucent spheres are composed: which of their surfaces show.
///
/// ```
/// use roundel::spheres::{Shading, Transparency};
///
/// assert_eq!(Shading::default().transparency, Transparency::Shell);
/// assert_eq!("solid".parse::<Transparency>()?, Transparency::Solid);
/// # Ok::<(), roundel::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
#[non_exhaustive]
pub enum Transparency {
    /// The outer surface, front and back, of all spheres of a part together: walls between spheres that overlap do not
    /// show.
    #[default]
    Shell,
    /// The front and the back of every sphere.
    Surfaces,
    /// A medium that absorbs light over the length of a ray inside the spheres; opacity is that of a sphere's diameter.
    /// Where spheres overlap, the medium is the mean of theirs.
    Solid,
}

impl Transparency {
    const NAMES: [(Self, &'static str); 3] =
        [(Self::Shell, "shell"), (Self::Surfaces, "surfaces"), (Self::Solid, "solid")];

    /// The names of all models.
    #[cfg(feature = "scene-files")]
    pub(crate) fn names() -> impl Iterator<Item = &'static str> {
        Self::NAMES.into_iter().map(|(_, name)| name)
    }
}

impl FromStr for Transparency {
    type Err = Error;

    /// Reads `shell`, `surfaces` or `solid`.
    fn from_str(text: &str) -> Result<Self> {
        let named = Self::NAMES.into_iter().find(|(_, name)| *name == text);
        named
            .map(|(model, _)| model)
            .ok_or_else(|| Error::setting("transparency", format!("must be shell, surfaces or solid, got {text}")))
    }
}

impl fmt::Display for Transparency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = Self::NAMES.into_iter().find(|(model, _)| model == self);
        f.write_str(named.map_or("", |(_, name)| name))
    }
}

/// Radius in pixels below which the looks with occlusion light spheres together: smaller ones are points to the eye.
const SPLAT_RADIUS: f32 = 3.0;

/// How surfaces are sampled and shaded. A [`ShadingPreset`] is a set of these numbers; see [`Shading::preset`].
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
    /// The look that the numbers began with. `Headlight` adds light in linear terms, all others in display terms.
    pub look: ShadingPreset,
    /// How ambient occlusion is found.
    pub ambient_occlusion: AmbientOcclusion,
    /// Spheres farther away than this keep no ambient light from a surface, in world units.
    #[cfg_attr(feature = "serde", serde(with = "distance"))]
    pub ao_distance: f32,
    /// How much of the ambient light occlusion can take away, 0 to 1.
    pub ao_strength: f32,
    /// Whether directional lights cast shadows.
    pub shadows: bool,
    /// Light that comes from everywhere, 0 to 1.
    pub ambient: f32,
    /// Intensity of the key light, which shines over the camera's left shoulder. A scene's own lights take its place.
    pub key: f32,
    /// Intensity of the fill light, which shines from beside the camera and casts no shadow. A scene's own lights take
    /// its place.
    pub fill: f32,
    /// The angle across the key light: how soft its shadows are. 0: hard.
    pub key_angle_radians: f32,
    /// Light from behind that grazes the edges of shapes, 0 to 1: this times (1 − n·v)², where v points to the eye, and
    /// times openness. It sets shapes off against a dark background.
    pub rim: f32,
    /// Strength of highlights, 0 to 1: the light that surfaces reflect at normal incidence is 0.08 of this. 0: surfaces
    /// are matt.
    pub specular: f32,
    /// How blurred highlights are, 0 to 1: the square root of the α of GGX. Less than 0.1 counts as 0.1.
    pub roughness: f32,
    /// Strongest fog, at the far end, 0 to 1, in display terms. It blends towards the background. Where openness is
    /// less than a half, fog is thinner, so that deep folds stay dark.
    pub fog: f32,
    /// Where fog begins, from 0 at the front of the foremost sphere to 1 at the back of the last; it grows from there
    /// on.
    pub fog_start: f32,
    /// Width of outlines in pixels, which may be fractional; 0 for none. `None`: 1/800 of the picture's longer side,
    /// but not less than 1.
    pub outline_width: Option<f32>,
    /// Depth jump where outlines start, in pixel sizes; at twice this they are fully drawn.
    pub outline_depth: f32,
    /// Colour of outlines; its alpha is ignored. Files, flags and Python refuse one that is not opaque.
    pub outline_color: Srgba8,
    /// Spheres smaller than half of this many pixels are shaded as one surface, from the depth buffer; between half and
    /// all of it both shadings are blended. 0 turns this off.
    #[cfg_attr(feature = "serde", serde(rename = "cloud_radius"))]
    pub splat_radius: f32,
    /// How translucent spheres are composed.
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

    /// The same shading with this much of the ambient light for occlusion to take away, 0 to 1.
    #[must_use]
    pub fn with_ao_strength(self, ao_strength: f32) -> Self {
        Self { ao_strength, ..self }
    }

    /// The same shading with a key light and a fill light of these intensities.
    #[must_use]
    pub fn with_key_and_fill(self, key: f32, fill: f32) -> Self {
        Self { key, fill, ..self }
    }

    /// The same shading with a key light this wide.
    #[must_use]
    pub fn with_key_angle_degrees(self, key_angle: f32) -> Self {
        Self { key_angle_radians: key_angle.to_radians(), ..self }
    }

    /// The same shading with this much light at the edges of shapes, 0 to 1.
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

    /// The same shading with fog from this share of the depth on, 0 to 1.
    #[must_use]
    pub fn with_fog_start(self, fog_start: f32) -> Self {
        Self { fog_start, ..self }
    }

    /// The same shading with outlines of this width in pixels.
    #[must_use]
    pub fn with_outline_width(self, width: f32) -> Self {
        Self { outline_width: Some(width), ..self }
    }

    /// The same shading with outlines where the depth jumps by this multiple of a pixel's size.
    #[must_use]
    pub fn with_outline_depth(self, outline_depth: f32) -> Self {
        Self { outline_depth, ..self }
    }

    /// The same shading with spheres up to this radius in pixels lit as a cloud.
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

    /// The same shading with translucent spheres composed in this way.
    #[must_use]
    pub fn with_transparency(self, transparency: Transparency) -> Self {
        Self { transparency, ..self }
    }

    /// The same shading with another seed.
    #[must_use]
    pub fn with_seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// The numbers of a look, with one sample per pixel.
    ///
    /// ```
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
                // no fog, and where it is asked for, it begins at the front: a solid molecule hides its back half
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
            // as `Studio`, of plastic, and darker where no light falls, so that highlights show
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

/// Refuses a colour of outlines that is not opaque, as lines are.
#[cfg(feature = "scene-files")]
pub(crate) fn check_outline_color(color: Srgba8) -> Result<()> {
    if color.a == u8::MAX {
        return Ok(());
    }
    let message = format!("must be an opaque colour, got {color}; an outline width of 0 draws no lines");
    Err(Error::setting("outline_color", message))
}
