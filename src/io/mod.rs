//! Files to scenes, image files to pictures and comparisons, frames to PNG: all of the library's file access.
//!
//! ```no_run
//! use roundel::compare::CompareOptions;
//! use roundel::io::{compare_files, read_png};
//!
//! let chart = read_png("chart.png")?;
//! chart.save_png("copy.png")?;
//! assert!(compare_files("chart.png", "copy.png", &CompareOptions::default())?.is_same());
//! # Ok::<(), roundel::Error>(())
//! ```

mod command_line;
mod film_legend;
mod film_view;
mod frame_colors;
mod frame_list;
mod grid;
mod load;
mod loaded_scene;
mod memory_files;
mod read;
mod same_view;
mod scene_file;
mod scene_of_arrays;
mod stream;
mod stream_circles;
mod stream_survey;
mod time_column;
mod trajectory_index;
mod vector_figure;

#[cfg(feature = "viewer")]
pub(crate) use command_line::{pair_flags, quote, quote_path};
#[cfg(feature = "cli")]
pub(crate) use load::picture_settings::{checked_size, shading as checked_shading};
#[cfg(feature = "viewer")]
pub(crate) use load::record::frame_index;
pub(crate) use read::read_tolerance;
#[doc(inline)]
pub use roundel_formats::io::{AtomStyle, BondRule, DecimalMark, Format, FrameTime, RawLayout, Symmetry};
#[doc(inline)]
pub use roundel_golden::{compare_each, compare_files, compare_files_with_difference};
#[doc(inline)]
pub use roundel_image::io::{
    FileBelow, OutputKind, Overwriting, check_output, check_output_folder, discard_unfinished_files, read_picture,
    read_picture_within, read_png, read_sequence, write_file,
};
pub(crate) use roundel_image::pictures::{open_regular, read_regular_picture};
use roundel_image::{output, png};

pub use {
    command_line::render_command,
    frame_list::FrameList,
    grid::{SceneGrid, load_grid},
    load::bare_data::SphereKind,
    load::density::DensityChoice,
    load::describe::{Bounds, CellShape, DataSource, Description, SceneData},
    load::figure::{FigureOptions, LegendChoice, LegendOrder, ScaleBarChoice, Stamp},
    load::molecule_style::MoleculeStyle,
    load::option_table::{LoadOption, OptionGroup},
    load::option_values::OptionKind,
    load::options::{LoadOptions, TableColors},
    load::panels::FigureGrid,
    load::paper::{FigureWidth, FontSize},
    load::ranges::color_ends,
    load::record::read_record,
    load::several::FrameChoice,
    load::view_axis::ViewAxis,
    loaded_scene::{LoadedScene, RenderReport},
    memory_files::MemoryFiles,
    read::{describe, load, load_several, read_scene},
    scene_file::{scene_schema, scene_to_toml},
    scene_of_arrays::{
        FigureInfo, default_radius, figure_of_circles, figure_of_shapes, figure_of_spheres, scene_of_spheres,
    },
    stream::StreamedScene,
    stream_circles::StreamedCircles,
    vector_figure::VectorFigure,
};
pub(crate) use {
    film_view::{DataFrame, FilmView, film_view, stated_camera},
    load::camera_keys::CameraKeys,
    output::PendingFile,
    png::{encode_frame, encode_frame_with_alpha, encode_opaque_frame},
    read::{CountedFrames, camera_keys, count_frames, has_several_frames, is_table},
    time_column::TimeColumn,
};
