//! Files to scenes, frames to PNG and back: all of the library's file access.

#[cfg(feature = "scene-files")]
mod load;
mod output;
mod pictures;
mod png;

#[cfg(feature = "scene-files")]
pub(crate) use load::read_tolerance;
#[cfg(feature = "scene-files")]
pub use load::{Bounds, Description, Format, Overrides, Source, describe, read_record, read_scene};
pub use output::{discard_unfinished_files, write_file};
pub use pictures::{compare_files, compare_files_with_difference, read_picture, read_picture_within};
#[cfg(feature = "scene-files")]
pub(crate) use png::encode_png;
pub use png::read_png;
pub(crate) use png::write_picture;
