//! Spheres of one colour in memory of their own, with what is known of them all.

use super::pages::Pages;
use super::sphere_summary::SphereSummary;

/// Spheres that a [`SphereWriter`](super::SphereWriter) has written.
#[derive(Debug)]
pub(super) struct WrittenSpheres {
    pub(super) bodies: Bodies,
    pub(super) summary: SphereSummary,
}

/// Centres and radii.
#[derive(Debug)]
pub(super) struct Bodies {
    /// All centres, then the radii, unless there is one for all.
    pub(super) numbers: Pages,
    pub(super) count: usize,
    pub(super) radius: Option<f32>,
}

impl Bodies {
    pub(super) fn centers(&self) -> &[[f32; 3]] {
        self.numbers.as_slice()[..3 * self.count].as_chunks().0
    }

    /// The radii, unless there is one for all.
    pub(super) fn radii(&self) -> &[f32] {
        let each = if self.radius.is_some() { 0 } else { self.count };
        &self.numbers.as_slice()[3 * self.count..][..each]
    }
}
