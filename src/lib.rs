//! Circles and spheres on the CPU, from one to hundreds of millions, with the same pixels on every machine.
//!
//! # Memory
//!
//! What each stage holds at its peak, in bytes a shape and a pixel. `tests/memory.rs` counts them at the allocator and
//! asserts them, with two threads; they are the same on every machine with 64-bit addresses. A [`Budget`] is checked
//! against them before anything is allocated. Reading ends before drawing begins: of the stages the largest counts, not
//! the sum, with the scene itself (16 bytes a circle, 20 a sphere, 28 or so an ellipse) always there.
//!
//! | stage | a shape | a pixel | asserted by |
//! |---|---|---|---|
//! | generated circles, spheres | 16, 20: the scene itself | – | `generated_shapes_take_their_size` |
//! | a table (`.csv`) of circles, the scene included | 72 | – | `table_rows_keep_to_their_bytes` |
//! | a table (`.csv`) of spheres, the scene included | 96 | – | `table_rows_keep_to_their_bytes` |
//! | atoms (`.xyz`, `.pdb`), the scene included | 80 | – | `atoms_keep_to_their_bytes` |
//! | a scene file's text, whatever stands in it | 128 a byte of text, 64 MiB at most | – | `hostile_text_keeps_to_its_bytes` |
//! | circles, beside the scene and the frame | 8 a pair of a circle and a tile it reaches; 0 unseen | 0.5 | `circles_take_8_bytes_for_each_tile_they_reach` |
//! | spheres in sight, beside the scene | 16; 0 unseen | 40, the frame's 4 included | `spheres_take_16_bytes_and_pixels_40` |
//! | ambient-occlusion rays, beside the scene | 18 | – | `ray_tree_keeps_to_its_bytes` |
//! | shadows, for each light, beside the scene | 48 while they are made ready, of unlike sizes up to 116, 52 after | 8 a sample of spheres some pixels wide, at most 60; of 2²³ samples at once | `light_buffers_keep_to_their_bytes` |
//! | writing a PNG, beside the frame | – | 4 | `png_is_written_with_so_many_bytes_a_pixel` |
//! | comparing PNGs | – | 0, and 8 MiB for 1024 columns; a difference image 4 | `comparison_keeps_to_its_bytes` |
//! | comparing by FLIP | – | 16 | `comparison_keeps_to_its_bytes` |
//!
//! Beside these, each thread that draws circles keeps up to 1 MiB; one that draws spheres 52 bytes for each sample of a
//! tile (64 by 64 pixels; where no two show the same, 132) and up to 32 for each of at most 262,144 spheres.

// layer 0: formulas and values
mod color;
mod error;
pub mod geom;
mod simd;

// layer 1: what to draw, where it ends up, how much that may be
mod budget;
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

pub use budget::Budget;
pub use color::{Srgba8, linear_from_srgb8, srgb8_from_linear};
pub use compare::{
    Antialiasing, CompareOptions, Comparison, Limits, Mask, Metric, Picture, Rectangle, Region, Verdict, compare,
    compare_with_difference,
};
pub use error::{Error, Place, Resource, Result};
pub use frame::{Frame, MAX_PIXELS, TileMut};
#[cfg(feature = "scene-files")]
pub use io::{Bounds, Description, Format, Overrides, Source, describe, read_record, read_scene};
pub use io::{
    compare_files, compare_files_with_difference, discard_unfinished_files, read_picture, read_picture_within,
    read_png, write_file, write_png,
};
pub use render::{Renderer, Settings, Statistics, render};
pub use scene::{
    Background, Blend, Camera, Canvas, CircleScene, Framing, Layer, Light, PaintedCircle, PaintedEllipse,
    PaintedSphere, Pattern, Pose, Projection, Quality, Scene, SphereGroup, SphereScene, Style, View, Window,
    generate_circles, generate_spheres,
};
pub use simd::SimdLevel;
pub use tiles::Culling;

/// The README's examples, compiled and run as documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
