//! Tables to scenes: which columns a picture is made from, colours and radii, copies, cameras.

mod alternates;
pub(super) mod bare_data;
pub(super) mod blocks;
pub(super) mod camera;
pub(super) mod canvas;
mod colors;
pub(super) mod copies;
pub(super) mod data_file;
pub(super) mod describe;
pub(super) mod entry;
pub(super) mod figure;
pub(super) mod fit;
pub(super) mod idle;
pub(crate) mod images;
mod orientation;
mod outliers;
pub(super) mod overrides;
pub(super) mod paint;
pub(super) mod picture;
pub(super) mod plan;
mod ranges;
pub(super) mod record;
pub(super) mod selections;
pub(super) mod sidecar;
pub(super) mod sight;
pub(super) mod sink;
#[cfg(feature = "svg")]
pub(super) mod svg;
