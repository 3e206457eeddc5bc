//! Circles and spheres drawn on the CPU, from one to hundreds of millions, with the same pixels on every machine.
//!
//! ```
//! use roundel::circles::{CircleScene, PaintedCircle};
//! use roundel::{RenderSettings, Srgba8, render};
//!
//! let red = Srgba8::rgb(0xd6, 0x27, 0x28);
//! let coin = vec![PaintedCircle::new([16.0, 12.0], 8.0, red)];
//! let frame = render(&CircleScene::new(32, 24).with_layer(coin).into(), &RenderSettings::default())?;
//! assert_eq!(frame.pixel(16, 12), Some(red));
//! # Ok::<(), roundel::Error>(())
//! ```
//!
//! | to | look at |
//! |---|---|
//! | draw circles and ellipses | [`circles`], [`render`] |
//! | draw spheres | [`spheres`], [`render`] |
//! | draw many frames | [`Renderer`] |
//! | read scenes, molecules and tables, write images | [`io`] |
//! | make films of frames, or of a camera that turns | [`film`] |
//! | test images of any renderer | [`golden`], [`compare`] |
//! | test boxes, spheres, planes and rays against each other | [`geom`] |
//! | open a window | [`viewer`](https://docs.rs/roundel/latest/roundel/viewer/) |
//!
//! # Features
//!
//! | feature | what it adds | on by default |
//! |---|---|---|
//! | `all-formats` | reading TRR, GSD, H5MD, NetCDF, VTK and PCD; zstd and bzip2 | yes |
//! | `cli` | the command-line tool | yes |
//! | `viewer` | a window; on Linux one of X11 | yes |
//! | `wayland` | the window as one of Wayland | no |
//! | `image` | pictures from and to buffers of the `image` crate | no |
//! | `image-formats` | image files other than PNG in comparisons (JPEG, WebP, TIFF and others), and pictures in full precision as OpenEXR files | no |
//! | `mpi` | pictures drawn by several processes; needs the system's MPI and libclang | no |
//! | `heavy-formats` | tables in Apache Parquet and in Arrow's IPC format, Feather among them; points of laser scanners in LAS and LAZ | no |
//!
//! Tests of images of any renderer need the crate `roundel-golden` alone, which is [`golden`] and [`compare`]. Scenes, shapes,
//! colours, settings and comparisons are `Serialize` and `Deserialize`.

// below: roundel-image has errors and frames, roundel-scene scenes, roundel-formats rows of files, roundel-load scenes of rows,
// roundel-render pictures of scenes
use roundel_formats::{data, source};
use roundel_image::{error, frame};
use roundel_scene::{figure, scene};

// layer 1: values
pub mod color;

// the public modules of roundel-scene, with examples that draw
mod scenes;

// layer 2: files
pub mod io;

// layer 3: goldens and films
pub mod film;
pub mod golden;

// layer 4: the window
#[cfg(feature = "viewer")]
pub mod viewer;

// layer 5: the program; hidden: only main.rs and the Python package call it
#[cfg(feature = "cli")]
#[doc(hidden)]
#[allow(
    clippy::field_reassign_with_default,
    reason = "it fills options as callers outside of the crate do, where they may grow"
)]
pub mod cli;

#[cfg(feature = "cli")]
extern crate self as roundel;

pub use glam;
#[cfg(feature = "image")]
pub use roundel_image::image;

#[doc(inline)]
pub use roundel_golden::compare;
#[doc(inline)]
pub use roundel_image::{Budget, Error, Frame, Resource, Result, Srgba8};

#[doc(inline)]
pub use roundel_scene::{Figure, Scene, SimdLevel, generate, geom};

pub use scenes::{arrows, circles, cylinders, ellipsoids, spheres};

#[doc(inline)]
pub use roundel_render::{
    Aovs, CircleStream, Culling, GBuffer, OcclusionError, RenderSettings, Renderer, SceneShard, ShadowStream,
    SphereStream, Statistics, StreamStatistics, VisibleScene, render,
};

#[doc = include_str!("../docs/memory.md")]
#[cfg(doc)]
pub mod memory {}

/// Compiles and runs the examples of docs/rust.md as documentation tests.
#[cfg(all(doctest, feature = "image"))]
#[doc = include_str!("../docs/rust.md")]
struct RustPage;

/// Compiles the tests of docs/testing.md as documentation tests.
#[cfg(all(doctest, feature = "image"))]
#[doc = include_str!("../docs/testing.md")]
struct TestingPage;
