//! The compiled part of the Python package `roundel`.
//!
//! Python code (`roundel/*.py`) checks and prepares arguments: arrays arrive here contiguous and of one type. This
//! module borrows them, draws without the interpreter's lock, and hands out pictures as arrays without a copy.

mod colors;
mod columns;
mod compare;
mod density;
mod drawing;
mod error;
mod facts;
mod film;
mod image;
mod markers;
mod options;
mod output;
mod pool;
mod program;
mod renderer;
mod scene;
mod shapes;
mod viewer;

use pyo3::prelude::*;

#[pymodule(gil_used = false)]
mod _roundel {
    #[pymodule_export]
    use super::colors::{
        add_colormap, add_palette, category_colors, color_channels, color_ranks, colormap_name, colormaps, count_whole,
        default_radius, element_looks, map_colors, palettes, value_range,
    };
    #[pymodule_export]
    use super::columns::sound_rows;
    #[pymodule_export]
    use super::compare::{Comparison, compare, encode_png, read_image, write_report};
    #[pymodule_export]
    use super::density::{mass_by_pixel, statistic_by_pixel};
    #[pymodule_export]
    use super::film::FilmWriter;
    #[pymodule_export]
    use super::image::{Image, restored_image, write_file};
    #[pymodule_export]
    use super::markers::bounds_of_points;
    #[pymodule_export]
    use super::options::option_table;
    #[pymodule_export]
    use super::program::run_program;
    #[pymodule_export]
    use super::renderer::Renderer;
    #[pymodule_export]
    use super::scene::{Scene, read};
    #[pymodule_export]
    use super::viewer::Viewer;

    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
