//! The camera, colours, legend and times that all frames of a film share.

pub mod film_legend;
pub mod film_view;
pub mod frame_colors;
pub mod time_column;
