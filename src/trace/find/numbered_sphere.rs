//! Spheres of streams.

use crate::scene::spheres::PaintedSphere;

/// A sphere, its number among all that are ever added, and the part of the scene that it belongs to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct NumberedSphere {
    pub sphere: PaintedSphere,
    pub part: u32,
    pub number: u64,
}
