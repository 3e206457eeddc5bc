//! Pixels against independent renderers, and the same bytes by every code path.

#[path = "../oracle/mod.rs"]
mod oracle;

mod arrays;
mod clipping;
mod extremes;
mod gloss;
mod looks;
mod pixels;
mod raster;
mod renderer;
mod segments;
mod shape_light;
mod shapes;
mod smooth_occlusion;
mod stream;
mod ties;
mod trace;
mod translucent_shapes;
mod transparency;
