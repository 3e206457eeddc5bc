//! The ranges of depths and radii of all spheres of a scene, for fog and for the shading of small spheres.

use glam::DVec3;

use super::rays::Rays;
use super::spheres::SphereScene;

/// The ranges of depths and radii of spheres, copies included. Accumulated part by part; neither the parts nor their
/// order change the result.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SphereExtents {
    /// The support of the spheres towards the eye and away from it, measured from the world's origin.
    pub(super) reach: [f64; 2],
    /// The least and the greatest radius of a sphere that is drawn.
    pub(super) radii: [f32; 2],
}

impl SphereExtents {
    /// The extents of no sphere.
    #[doc(hidden)]
    pub const NONE: Self = Self { reach: [f64::NEG_INFINITY; 2], radii: [f32::INFINITY, 0.0] };

    /// Length of [`SphereExtents::to_bytes`].
    #[doc(hidden)]
    pub const BYTES: usize = 24;

    /// The extents as bytes, the same on every machine.
    pub fn to_bytes(self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        let words = self.reach.map(f64::to_le_bytes).into_iter().flatten();
        let words = words.chain(self.radii.map(f32::to_le_bytes).into_iter().flatten());
        bytes.iter_mut().zip(words).for_each(|(byte, word)| *byte = word);
        bytes
    }

    /// The inverse of [`SphereExtents::to_bytes`].
    pub fn from_bytes(bytes: [u8; Self::BYTES]) -> Self {
        let double = |at: usize| f64::from_le_bytes(std::array::from_fn(|byte| bytes[at + byte]));
        let single = |at: usize| f32::from_le_bytes(std::array::from_fn(|byte| bytes[at + byte]));
        Self { reach: [double(0), double(8)], radii: [single(16), single(20)] }
    }

    /// The extents of these and other spheres together.
    #[must_use]
    #[inline]
    pub fn join(self, other: Self) -> Self {
        Self {
            reach: [self.reach[0].max(other.reach[0]), self.reach[1].max(other.reach[1])],
            radii: [self.radii[0].min(other.radii[0]), self.radii[1].max(other.radii[1])],
        }
    }

    /// The least and the greatest depth of the spheres in front of the eye; `None` without spheres.
    #[inline]
    pub fn depths(&self, rays: &Rays) -> Option<[f64; 2]> {
        let [near, far] = self.reach;
        let eye = forward(rays).dot(DVec3::from(rays.eye.map(f64::from)));
        let [near, far] = [(-near - eye).max(0.0), far - eye];
        (near.is_finite() && far.is_finite()).then_some([near, far])
    }

    /// The least and the greatest radius; `None` if no sphere is drawn.
    #[inline]
    pub fn radii(&self) -> Option<[f32; 2]> {
        (self.radii[0] <= self.radii[1]).then_some(self.radii)
    }
}

impl SphereScene<'_> {
    /// The rays of the view. If the extents of all spheres are known, parallel rays from far away start near the first.
    #[doc(hidden)]
    pub fn rays(&self) -> Rays {
        let rays = Rays::new(&self.view);
        let depths = self.extents.as_ref().and_then(|extents| extents.depths(&rays));
        depths.map_or(rays, |[nearest, _]| rays.advanced(nearest))
    }
}

/// The line of sight.
pub(super) fn forward(rays: &Rays) -> DVec3 {
    DVec3::from(rays.forward.map(f64::from))
}
