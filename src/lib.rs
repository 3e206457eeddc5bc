//! Circles and spheres on the CPU, from one to hundreds of millions, with the same pixels on every machine.

// layer 0: formulas and values
mod color;
mod error;
pub mod geom;

// layer 1: what to draw, where it ends up
mod frame;
mod scene;

// layer 2: what touches which tile
mod tiles;

// layer 3: one tile's pixels
mod raster;
mod trace;

// layer 4: pictures
mod compare;
mod render;

// layer 5: files
mod io;

// layer 6: what people look at
pub mod golden;
#[cfg(feature = "viewer")]
pub mod viewer;

pub use glam;

pub use color::{Srgba8, linear_from_srgb8, srgb8_from_linear};
pub use compare::{
    Antialiasing, CompareOptions, Comparison, Limits, Mask, Metric, Picture, Rectangle, Region, Verdict, compare,
    compare_with_difference,
};
pub use error::{Error, Place, Result};
pub use frame::{Frame, MAX_PIXELS, TileMut};
#[cfg(feature = "scene-files")]
pub use io::{Bounds, Description, Format, Overrides, Source, describe, read_record, read_scene};
pub use io::{
    compare_files, compare_files_with_difference, discard_unfinished_files, read_picture, read_png, write_file,
    write_png,
};
pub use render::{Renderer, Settings, SimdLevel, Statistics, render};
pub use scene::{
    Background, Blend, Camera, Canvas, CircleScene, Framing, Layer, Light, PaintedCircle, PaintedEllipse,
    PaintedSphere, Pattern, Pose, Projection, Quality, Scene, SphereGroup, SphereScene, Style, View, Window,
    generate_circles, generate_spheres,
};
pub use tiles::Culling;

/// The README's examples, compiled and run as documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
