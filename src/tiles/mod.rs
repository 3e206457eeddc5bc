//! Which shapes touch which tile: what no tile can show is culled, the rest is binned, painter's order kept.

pub(crate) mod circles;
pub(crate) mod memory;
pub(crate) mod spheres;

/// Whether shapes are rejected per tile before they are drawn. Off, every tile looks at every shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Culling {
    /// Rejected by the box–circle and frustum–sphere tests.
    On,
    /// Every tile draws every shape: slow, and the same pixels.
    Off,
}
