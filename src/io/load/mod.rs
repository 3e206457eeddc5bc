//! Tables to scenes: which columns a picture is made from, colours and radii, copies, cameras.

mod alternates;
mod attached;
pub(super) mod bare_data;
mod bonding;
pub(super) mod camera;
pub(super) mod canvas;
pub(super) mod circle_map;
mod colors;
pub(super) mod column_plan;
pub(super) mod computed;
pub(super) mod copies;
pub(super) mod data_file;
pub(super) mod describe;
pub(super) mod figure;
pub(super) mod glyphs;
pub(super) mod idle;
pub(crate) mod images;
pub(super) mod molecule_style;
pub(super) mod option_table;
pub(super) mod option_values;
pub(super) mod options;
mod orientation;
mod outliers;
pub(super) mod picture_settings;
mod ranges;
pub(super) mod record;
pub(super) mod row_shapes;
pub(super) mod scene_table;
pub(super) mod selections;
pub(super) mod several;
pub(super) mod sidecar;
pub(super) mod sphere_files;
pub(super) mod sphere_sink;
pub(super) mod sticks;
#[cfg(feature = "svg")]
pub(super) mod svg;
pub(super) mod visible_share;
