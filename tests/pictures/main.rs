//! Pixels against independent renderers, and the same bytes by every code path.

#[path = "../oracle/mod.rs"]
mod oracle;

mod arrays;
mod clipping;
mod clouds;
mod cost;
mod extremes;
mod gloss;
mod looks;
mod outlines;
mod pixels;
mod raster;
mod renderer;
mod segments;
mod shape_light;
mod shapes;
mod smooth_occlusion;
mod stream;
mod stream_files;
mod ties;
mod trace;
mod trace_occlusion;
mod translucent_light;
mod translucent_shapes;
mod transparency;
mod vast_spheres;
