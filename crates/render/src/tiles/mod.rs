//! Culls shapes that no tile can show and bins the rest: one list of shapes per tile, in painter's order.

pub(crate) mod circles;
mod counting_sort;
pub(crate) mod segments;
pub(crate) mod shape_bounds;
pub(crate) mod sphere_bins;
pub(crate) mod sphere_projector;

/// Whether shapes are rejected per tile before they are drawn.
///
/// ```
/// # use roundel_render as roundel;
/// use roundel::circles::{CircleScene, PaintedCircle};
/// use roundel::{Culling, RenderSettings, Srgba8, render};
///
/// let coin = vec![PaintedCircle::new([90.0, 20.0], 30.0, Srgba8::BLACK)];
/// let scene = CircleScene::new(64, 64).with_layer(coin).into();
/// let draw = |culling| render(&scene, &RenderSettings::default().with_culling(culling));
/// assert_eq!(draw(Culling::On)?, draw(Culling::Off)?);
/// # Ok::<(), roundel::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Culling {
    /// The box–circle and frustum–sphere tests reject shapes that a tile cannot show.
    On,
    /// Every tile tests every shape: slow, and the same pixels.
    Off,
}
