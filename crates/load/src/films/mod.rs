//! The camera, colours, legend and times that all frames of a film share.

pub mod colors;
pub mod legend;
pub mod times;
pub mod view;
