//! A sphere in one colour.

use crate::color::Srgba8;

/// A sphere in one colour, 20 bytes.
///
/// A sphere with a negative, NaN or infinite number is not drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(C)]
pub struct PaintedSphere {
    /// World units.
    pub center: [f32; 3],
    /// World units.
    pub radius: f32,
    /// Surface colour. Its alpha is the sphere's opacity: a sphere of alpha 0 does not show.
    pub color: Srgba8,
}

impl PaintedSphere {
    /// A sphere around `center`, in world units.
    #[must_use]
    pub fn new(center: impl Into<[f32; 3]>, radius: f32, color: Srgba8) -> Self {
        Self { center: center.into(), radius, color }
    }
}
