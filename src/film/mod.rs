//! Films: the frames of a trajectory, or a camera that turns, drawn one after another and written to one file.
//!
//! A [`Film`] knows its frames and `render`'s options for each: one camera, one size, one range of colours, for all
//! panels where there are several. While a frame is drawn, the next one is read and earlier ones are encoded.
//! [`FilmWriter`] takes frames from any source.

mod container;
mod ffmpeg;
mod format;
mod grid;
mod packet;
mod palette;
mod plan;
mod recording;
mod writer;

pub use container::{check_frame_picture, frame_path};
pub use format::{FilmFormat, FrameRate, is_standard_output};
pub use plan::{Film, FilmOptions, FrameNumbering, MotionOrder};
pub use recording::{FilmPainter, FilmProgress, FinishedFrames, Recording};
pub use writer::FilmWriter;
