//! Draws scenes of circles, spheres and other shapes. Internal to roundel; no stability.
//!
//! In: a [`Scene`], or spheres a block at a time. Out: a [`Frame`] and, on request, depths, normals and indices of the
//! shapes.
//!
//! - [`Renderer`], [`render`]: whole pictures.
//! - [`SphereStream`], [`ShadowStream`], [`CircleStream`]: shapes that do not fit into memory.
//! - [`SceneShard`]: the part of a picture that one process has found.
//!
//! `tiles` lists the shapes of each tile; `raster` paints a tile of circles, `trace` a tile of spheres and of the other
//! `shapes`. Only `renderer` and the streams start threads.
//!
//! ```
//! use roundel_image::Srgba8;
//! use roundel_render::{RenderSettings, render};
//! use roundel_scene::circles::{CircleScene, PaintedCircle};
//!
//! let coin = vec![PaintedCircle::new([8.0, 8.0], 6.0, Srgba8::BLACK)];
//! let frame = render(&CircleScene::new(16, 16).with_layer(coin).into(), &RenderSettings::default())?;
//! assert_eq!(frame.pixel(8, 8), Some(Srgba8::BLACK));
//! # Ok::<(), roundel_image::Error>(())
//! ```

mod aovs;
mod circle_stream;
mod clock;
mod estimate;
mod layers;
mod occlusion_error;
mod pool;
mod raster;
mod renderer;
mod settings;
mod shadow_stream;
mod shapes;
mod share;
mod statistics;
mod stream;
mod stream_chunks;
mod tiles;
mod trace;

pub use aovs::Aovs;
pub use circle_stream::CircleStream;
pub use occlusion_error::OcclusionError;
pub use renderer::{Renderer, render};
pub use settings::RenderSettings;
pub use shadow_stream::ShadowStream;
pub use share::SceneShard;
pub use statistics::{Statistics, StreamStatistics};
pub use stream::{SphereStream, VisibleScene};
pub use tiles::Culling;
pub use trace::GBuffer;

/// For roundel's window; no stability.
#[doc(hidden)]
pub mod inner {
    pub use crate::renderer::{SOLID, TileMap};
}

#[doc(hidden)]
pub use roundel_image::{Budget, Error, Frame, Result, Srgba8};
#[doc(hidden)]
pub use roundel_scene::{Scene, SimdLevel, arrows, circles, cylinders, ellipsoids, generate, geom, glam, spheres};

use roundel_image::{budget, color, error, frame};
use roundel_scene::{lanes, scene, simd};
