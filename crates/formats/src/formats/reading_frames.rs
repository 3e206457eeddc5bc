//! Errors and notes about frames: one that is missing, and a last one that is cut off; and frames counted from the end.

use std::ops::Range;

use super::facts::Facts;
use super::reading::Reading;
use super::request::{ColumnChoice, FrameRequest};
use super::wanted::{Axes, Header, Wanted};
use crate::error::{Error, Result};

impl Reading<'_> {
    /// The error for a missing frame.
    pub(crate) fn no_frame(&self, frames: u64) -> Error {
        self.missing_frame(&self.extent.frame.to_string(), frames)
    }

    /// The error for a frame that the end of the file cuts off.
    pub(in crate::formats) fn incomplete_frame(&self, frame: u64, why: &str) -> Error {
        let why = self.without_file(why);
        if frame < self.extent.frame {
            let Error::Setting { name, message } = self.no_frame(frame) else { return self.no_frame(frame) };
            return Error::Setting { name, message: format!("{message}; frame {frame} is incomplete: {why}") };
        }
        let message = format!("{frame} of {} is incomplete: {why}; {} before it", self.file, counted(frame));
        Error::setting("frame", message)
    }

    /// The frames of a file that promises some and has fewer whole ones. Notes that the others are left out.
    ///
    /// # Errors
    /// If that frame is the wanted one. The first frame keeps the error of its reader.
    pub(in crate::formats) fn whole_frames(&mut self, promised: u64, whole: u64) -> Result<u64> {
        let (frames, frame) = (promised.min(whole), self.extent.frame);
        if frames < promised {
            let whole = if frames == 1 { "1 is".to_owned() } else { format!("{frames} are") };
            let why = format!("{promised} frames are promised, and {whole} whole");
            if frame < frames && self.extent.count_frames {
                self.note_incomplete_frames(frames..promised, &why);
            } else if frame == frames && frame > 0 {
                return Err(self.incomplete_frame(frame, &why));
            }
        }
        if frame >= frames && (frame > 0 || promised == 0) {
            return Err(self.no_frame(frames));
        }
        Ok(frames)
    }

    /// The error for a file that promises frames and has written none.
    pub(in crate::formats) fn none_written(&self, promised: u64) -> Error {
        let frames = if promised == 1 { "one frame is".to_owned() } else { format!("{promised} frames are") };
        Error::input(&self.file, None, format!("{frames} promised, and none is written"))
    }

    /// Notes that the last frame, which the end of the file cuts off, is left out.
    pub(in crate::formats) fn note_incomplete(&mut self, frame: u64, why: &str) {
        self.note_incomplete_frames(frame..frame + 1, why);
    }

    /// Notes that the last frames are left out.
    fn note_incomplete_frames(&mut self, frames: Range<u64>, why: &str) {
        let Range { start, end } = frames;
        let lost = if end - start == 1 {
            format!("frame {start}, the last, is incomplete")
        } else {
            format!("frames {start} to {}, the last, are incomplete", end - 1)
        };
        let note = format!("{}: {lost} and left out: {}", self.file, self.without_file(why));
        self.facts.incomplete = Some(note);
    }

    /// An error about the file without its name.
    fn without_file(&self, error: &str) -> String {
        let Some(rest) = error.strip_prefix(&*self.file) else { return error.to_owned() };
        let rest = rest.trim_start_matches(':').trim_start();
        let is_line = rest.starts_with(|first: char| first.is_ascii_digit());
        if is_line { format!("line {rest}") } else { rest.to_owned() }
    }

    /// Refuses all frames but the first, for files with a single frame.
    pub(in crate::formats) fn only_first_frame(&self) -> Result<()> {
        if self.extent.frame > 0 { Err(self.no_frame(1)) } else { Ok(()) }
    }

    fn missing_frame(&self, wanted: &str, frames: u64) -> Error {
        let frames = match frames {
            0 => "no frames".to_owned(),
            1 => "one frame, 0".to_owned(),
            _ => format!("frames 0 to {}", frames - 1),
        };
        let step = self.frame_of_step.map_or_else(String::new, |frame| format!("; step {wanted} is frame {frame}"));
        Error::setting("frame", format!("{wanted} is not in {}, which has {frames}{step}", self.file))
    }

    /// Resolves a frame counted from the end; `count` reads the file to count its frames.
    pub(in crate::formats) fn find_frame(&mut self, count: impl FnOnce(&mut Reading<'_>) -> Result<()>) -> Result<()> {
        let Some(back) = self.extent.from_end.take() else { return Ok(()) };
        let extent = FrameRequest { count_frames: true, ..FrameRequest::default() };
        let choose = |_: &Header| Ok(ColumnChoice { wanted: Wanted::only(Axes::None), painter: None, names: None });
        let mut counting = Reading::table(&self.file, extent, self.quota, choose);
        count(&mut counting)?;
        let Facts { frames, incomplete, .. } = counting.finish().facts;
        self.facts.incomplete = incomplete;
        let missing = || self.missing_frame(&format!("-{back}"), frames);
        self.extent.frame = frames.checked_sub(back).ok_or_else(missing)?;
        Ok(())
    }
}

/// Frames in words, with their verb.
fn counted(frames: u64) -> String {
    if frames == 1 { "there is one frame".to_owned() } else { format!("there are {frames} frames") }
}
