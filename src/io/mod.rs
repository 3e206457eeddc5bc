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

mod grid;
mod loaded_scene;
mod memory_files;
mod read;
mod scene_of_arrays;
mod stream;
mod stream_circles;
mod vector_figure;

#[doc(inline)]
pub use roundel_formats::io::{
    AtomStyle, BondRule, DecimalMark, Format, FrameTime, HydrogenBondRule, RawLayout, Symmetry,
};
#[doc(inline)]
pub use roundel_golden::{compare_each, compare_files, compare_files_with_difference};
#[doc(inline)]
pub use roundel_image::io::{
    FileBelow, OutputKind, Overwriting, check_output, check_output_folder, discard_unfinished_files, read_picture,
    read_picture_within, read_png, read_sequence, write_file,
};
#[doc(inline)]
pub use roundel_load::io::{
    AxisRange, Bounds, CellShape, ContactRule, ContactsWith, DataSource, DensityChoice, Description, FigureGrid,
    FigureOptions, FigureWidth, FontSize, FrameChoice, FrameList, LegendChoice, LegendOrder, LegendPlace, LoadOption,
    LoadOptions, MoleculeStyle, OptionGroup, OptionKind, ScaleBarChoice, SceneData, SphereKind, Stamp, TableColors,
    ViewAxis, color_ends, color_ranks, read_record, render_command, scene_to_toml,
};

pub(crate) use grid::GridRequest;
pub use {
    grid::{SceneGrid, load_grid},
    loaded_scene::{LoadedScene, RenderReport},
    memory_files::{FrameSeries, MemoryFiles},
    read::{describe, load, load_several, read_scene, scene_schema},
    scene_of_arrays::{
        FigureInfo, default_radius, figure_of_circles, figure_of_shapes, figure_of_spheres, scene_of_spheres,
    },
    stream::StreamedScene,
    stream_circles::StreamedCircles,
    vector_figure::VectorFigure,
};
