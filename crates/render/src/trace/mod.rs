//! Ray traces spheres and other shapes, tile by tile: finds the nearest hit of every sample, shades it, and resolves
//! samples to pixels.
//!
//! | folder or file | step |
//! |---|---|
//! | [`prepared`] | once per picture: bins shapes, prepares lights and hierarchies |
//! | [`hierarchies`] | the hierarchies of opaque and of translucent shapes |
//! | [`find`] | the nearest hit of every sample of a tile |
//! | [`accel`] | acceleration structures: BVH, light buffers, light grid |
//! | [`light`] | the light that reaches a point: shadows, ambient occlusion, clouds |
//! | [`shade`] | surfaces, their shading, outlines, fog, finished pixels |
//! | [`translucent`] | translucent shapes in front of the nearest opaque hit |
//! | [`draw`] | takes tiles through these steps |
//! | [`gbuffer`] | hits without shading: depths, normals and indices |

mod accel;
mod draw;
mod find;
mod gbuffer;
mod hierarchies;
mod light;
mod prepared;
mod shade;
mod translucent;

use crate::scene::Rays;
use crate::scene::spheres::{Shading, View};
pub(crate) use accel::bvh::piece_limit;
pub(crate) use accel::cache::StructureCache;
pub(crate) use accel::shadow_rays::{SHADOW_RAY, ShadowRays};
pub(crate) use find::visibility_buffer::{NumberedSphere, SAMPLE, SphereBlock, VisibilityBuffer, border};
pub use gbuffer::GBuffer;
pub(crate) use hierarchies::MOST_LAYERS;
pub(crate) use light::cloud::MARGIN as CLOUD_MARGIN;
pub(crate) use prepared::{Preparation, PreparedSpheres};
use shade::outlines::Outlines;
pub(crate) use translucent::BYTES as TRANSLUCENT_BYTES;

/// tuned: benches/spheres.rs S1. Default side of a tile.
pub(crate) const TILE: u32 = 64;

/// Maximum number of samples with hits kept from one step to the next; at least a tile per thread.
pub(crate) const SAMPLES_KEPT: usize = 1 << 23;

/// Margin around each tile that is drawn with it, in pixels.
pub(crate) fn margin(shading: &Shading, view: &View) -> u32 {
    Outlines::new(shading, view, &Rays::new(view)).map_or(0, |outlines| outlines.margin)
}
