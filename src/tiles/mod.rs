//! Which shapes touch which tile: shapes that no tile can show are culled, the rest are binned, in painter's order.

pub(crate) mod circles;
pub(crate) mod sphere_bins;
pub(crate) mod sphere_projector;

/// Whether shapes are rejected per tile before they are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Culling {
    /// The box–circle and frustum–sphere tests reject shapes that a tile cannot show.
    On,
    /// Every tile tests every shape: slow, and the same pixels.
    Off,
}
