//! From bytes to columns: files are opened, decompressed and cut into pieces at line ends, which all threads parse.

pub(crate) mod columns;
pub(crate) mod compression;
pub mod date;
pub mod decimal;
pub(crate) mod file_rows;
pub mod frame_places;
pub mod input;
pub mod memory_files;
pub(crate) mod message_pack;
pub mod number;
pub(crate) mod piece;
pub(crate) mod pieces;
pub(crate) mod rewritten_fields;
pub(crate) mod rows;
pub(crate) mod seekable_file;
pub(crate) mod until;
mod utf16;
pub(crate) mod zip;
