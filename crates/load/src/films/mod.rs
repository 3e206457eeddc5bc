//! What all frames of a film share: camera, colours, legend, times.

pub mod film_legend;
pub mod film_view;
pub mod frame_colors;
pub mod time_column;
