//! Samples, ambient light, occlusion and shadows.

/// How surfaces are sampled and shaded.
///
/// ```
/// use roundel::spheres::Shading;
///
/// let shading = Shading::default().with_samples(4).with_shadows().with_ambient(0.3);
/// assert_eq!((shading.samples, shading.shadows, shading.ambient), (4, true, 0.3));
/// let occluded = shading.with_ao_rays(16).with_ao_distance(5.0).with_seed(7);
/// assert_eq!((occluded.ao_rays, occluded.ao_distance, occluded.seed), (16, 5.0, 7));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
#[non_exhaustive]
pub struct Shading {
    /// Samples per pixel.
    pub samples: u32,
    /// Ambient-occlusion rays per sample; 0 turns occlusion off.
    pub ao_rays: u32,
    /// How far ambient-occlusion rays reach, in world units.
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
        Self { samples: 1, ao_rays: 0, ao_distance: f32::INFINITY, shadows: false, ambient: 0.2, seed: 0 }
    }
}

impl Shading {
    /// The same shading with this many samples per pixel.
    #[must_use]
    pub fn with_samples(self, samples: u32) -> Self {
        Self { samples, ..self }
    }

    /// The same shading with this many ambient-occlusion rays per sample.
    #[must_use]
    pub fn with_ao_rays(self, ao_rays: u32) -> Self {
        Self { ao_rays, ..self }
    }

    /// The same shading with ambient-occlusion rays that reach this far, in world units.
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
