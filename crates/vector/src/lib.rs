//! Figures of circles and spheres as SVG and PDF. Internal to roundel; no stability.
//!
//! In: scenes, the recorded marks of figures, and pictures of the parts that shapes cannot show. Out: the bytes of
//! an SVG or a PDF, the same on every machine.
//!
//! - [`marks_of_canvas`]: the circles of a canvas as shapes.
//! - [`marks_of_spheres`]: spheres in flat colours as shapes that cover one another as the spheres do.
//! - [`VectorPicture`]: layers of shapes and pictures, written as SVG or PDF.
//!
//! Both functions return a reason instead if shapes cannot show the scene; the caller then embeds a picture.
//!
//! ```
//! use roundel_image::Srgba8;
//! use roundel_scene::circles::{CircleScene, PaintedCircle};
//! use roundel_vector::{VectorPicture, marks_of_canvas};
//!
//! let coin = vec![PaintedCircle::new([16.0, 12.0], 8.0, Srgba8::BLACK)];
//! let marks = marks_of_canvas(&CircleScene::new(32, 24).with_layer(coin)).expect("few circles");
//! let mut picture = VectorPicture::new((32, 24), Srgba8::WHITE);
//! picture.push_marks(marks, None);
//! let svg = String::from_utf8(picture.to_svg()).expect("text");
//! assert!(svg.contains("<circle cx=\"16\" cy=\"12\" r=\"8\" fill=\"#000000\"/>"));
//! ```

mod canvas;
mod helvetica;
mod pdf;
mod picture;
mod spheres;
mod svg;

pub use canvas::marks_of_canvas;
pub use pdf::PDF_FONT;
pub use picture::VectorPicture;
pub use spheres::marks_of_spheres;

/// The most shapes of a scene: programs that edit vectors are slow with more.
pub const MOST_SHAPES: usize = 100_000;

/// A point in pixels: x to the right, y down.
pub(crate) type Point = [f64; 2];
