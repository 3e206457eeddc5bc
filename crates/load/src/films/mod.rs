//! The camera, colours, legend and times that all frames of a film share.

pub mod colors;
pub mod framing;
pub mod legend;
pub mod panels;
pub mod times;
pub mod view;
