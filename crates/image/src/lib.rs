//! Colours, pictures and their files: the ground that the other crates of roundel stand on. Internal to roundel; no
//! stability.
//!
//! In: the bytes of PNG and other image files, colours as text, pixels from a renderer. Out: [`Frame`]s and
//! [`Picture`]s, and files that are written whole or not at all.
//!
//! - [`color`]: 8-bit sRGB, linear light, colour maps.
//! - [`Frame`] and [`Picture`]: finished pixels, and pixels in the form in which somebody else has them.
//! - [`io`]: image files, and the rules for files that are written.
//! - [`Error`] and [`Budget`]: the one error type, and limits on pixels, shapes and memory.
//!
//! Hidden modules are for the other crates of roundel.

#[doc(hidden)]
pub mod budget;
#[cfg(feature = "image")]
mod buffers;
pub mod color;
#[doc(hidden)]
pub mod error;
#[doc(hidden)]
pub mod frame;
#[doc(hidden)]
pub mod limits;
#[cfg(not(feature = "image-formats"))]
#[path = "no_other_formats.rs"]
mod other_formats;
#[cfg(feature = "image-formats")]
mod other_formats;
#[doc(hidden)]
pub mod output;
#[doc(hidden)]
pub mod picture;
#[doc(hidden)]
pub mod pictures;
#[doc(hidden)]
pub mod png;
mod png_frames;
#[doc(hidden)]
pub mod png_rows;
#[doc(hidden)]
pub mod regular_file;
#[doc(hidden)]
pub mod sample;
#[doc(hidden)]
pub mod sequence;

#[cfg(feature = "image")]
pub use image;

pub use budget::Budget;
pub use color::Srgba8;
pub use error::{Error, Resource, Result};
pub use frame::Frame;
pub use picture::Picture;
pub use sequence::{Sequence, TimedPicture};

/// Image files, and files that are written whole or not at all.
pub mod io {
    pub use crate::output::{
        FileBelow, OutputKind, Overwriting, check_output, check_output_folder, discard_unfinished_files, write_file,
    };
    pub use crate::pictures::{read_picture, read_picture_within, read_sequence};
    pub use crate::png::read_png;
}
