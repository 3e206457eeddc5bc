//! Makes scenes of the rows of files. Internal to roundel; no stability.
//!
//! In: data files or scene files, and the caller's options. Out: a `Drawing`, which holds the scene, the marks of its
//! figure and notes for the caller. Nothing is drawn here.
//!
//! - `options`: the settings of a picture, each a row of `options/option_table.rs`.
//! - `rows`: the columns that a picture needs, and rows as shapes: places, colours, radii.
//! - `dataset`: the rows of a file that are drawn, with their bonds, copies and periodic images.
//! - `scales`: ranges of colours, orders of categories and scales, common to all files of a picture.
//! - `pictures`: scenes of one file or several; `scene_file`: scenes of TOML and JSON.
//! - `streams`: files that are read a block at a time; `films`: the camera, colours and legend that all frames share.
//!
//! Each imports from those above it. Hidden modules are for the other crates of roundel.

#[doc(hidden)]
pub mod dataset;
#[doc(hidden)]
pub mod films;
#[doc(hidden)]
pub mod options;
#[doc(hidden)]
pub mod pictures;
#[doc(hidden)]
pub mod read;
#[doc(hidden)]
pub mod rows;
#[doc(hidden)]
pub mod scales;
#[doc(hidden)]
pub mod scene_file;
#[doc(hidden)]
pub mod streams;

/// Options of pictures, and descriptions of files.
pub mod io {
    pub use crate::dataset::describe::{Bounds, CellShape, DataSource, Description, SceneData};
    pub use crate::figure::LegendPlace;
    pub use crate::options::command_line::render_command;
    pub use crate::options::contact_rule::{ContactRule, ContactsWith};
    pub use crate::options::density_choice::DensityChoice;
    pub use crate::options::figure::{FigureOptions, LegendChoice, LegendOrder, ScaleBarChoice, Stamp};
    pub use crate::options::frame_list::FrameList;
    pub use crate::options::load_options::{LoadOptions, TableColors};
    pub use crate::options::molecule_style::MoleculeStyle;
    pub use crate::options::option_table::{LoadOption, OptionGroup};
    pub use crate::options::option_values::OptionKind;
    pub use crate::options::panels::FigureGrid;
    pub use crate::options::paper::{FigureWidth, FontSize};
    pub use crate::options::ranges::{AxisRange, color_ends};
    pub use crate::options::view_axis::ViewAxis;
    pub use crate::pictures::bare_data::SphereKind;
    pub use crate::pictures::record::read_record;
    pub use crate::pictures::several::FrameChoice;
    pub use crate::scales::ranks::color_ranks;
    pub use crate::scene_file::scene_to_toml;
}

use roundel_formats::{data, did_you_mean, formats, memory_quota, source};
use roundel_image::{budget, error, frame};
use roundel_scene::{calendar, figure, geom, scene};

#[doc(hidden)]
pub use roundel_image::{Error, Result, Srgba8};
#[doc(hidden)]
pub use roundel_scene::circles;

mod color {
    pub(crate) use roundel_image::color::{Srgba8, WRITTEN, elements, lightness, maps};
    pub(crate) use roundel_scene::color::{
        Category, ColorKey, ColorMap, ColorRange, ColorScale, MISSING_COLOR, MISSING_NAME, Scale, sort_categories,
    };
}
