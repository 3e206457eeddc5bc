//! Steps through the frames of a trajectory: to the wanted one, and on to the end to count them; or lists all frames of
//! a file with random access.

use super::facts::FrameTime;
use super::reading::Reading;
use crate::error::Result;
use crate::io::source::frame_places::FrameMarks;
use crate::io::source::pieces::Text;

/// Most frames whose times are read, for files with random access.
const MOST_TIMES: u64 = 1 << 12;

/// Records the number of frames and their times, if counting was requested, and the time of the wanted frame.
pub(super) fn note_all(reading: &mut Reading<'_>, frames: u64, time: impl Fn(u64) -> Result<FrameTime>) -> Result<()> {
    let counted = if reading.extent.count_frames { frames.min(MOST_TIMES) } else { 0 };
    for frame in (0..counted).chain([reading.extent.frame]) {
        reading.note_time(frame, time(frame)?);
    }
    reading.note_frames(frames);
    Ok(())
}

/// Advances to the wanted frame, starting at the last known frame before it if `ends` accepts its place. `skip` skips a
/// frame and returns its time, or `None` at the end of the file.
pub(super) fn seek(
    text: &mut Text,
    reading: &mut Reading<'_>,
    ends: fn(&[u8]) -> bool,
    mut skip: impl FnMut(&mut Text, &mut Reading<'_>) -> Result<Option<FrameTime>>,
) -> Result<FrameMarks> {
    let wanted = reading.extent.frame;
    let mut marks = FrameMarks::of(text);
    for frame in marks.seek(text, wanted, ends)?..wanted {
        let Some(time) = skip(text, reading)? else { return Err(reading.no_frame(frame)) };
        reading.note_time(frame, time);
        marks.begin(text, frame + 1);
    }
    Ok(marks)
}

/// Counts the frames after the wanted one, if counting was requested; `skip` as for [`seek`].
pub(super) fn count(
    text: &mut Text,
    reading: &mut Reading<'_>,
    mut marks: FrameMarks,
    mut skip: impl FnMut(&mut Text, &mut Reading<'_>) -> Result<Option<FrameTime>>,
) -> Result<()> {
    marks.begin(text, reading.extent.frame + 1);
    count_each(reading, |reading| {
        let Some(time) = skip(text, reading)? else { return Ok(false) };
        reading.note_time(reading.facts.frames, time);
        marks.begin(text, reading.facts.frames + 1);
        Ok(true)
    })
}

/// Counts the frames after the wanted one, if counting was requested; `skip` skips a frame, and returns false at the
/// end of the file.
pub(super) fn count_each(
    reading: &mut Reading<'_>,
    mut skip: impl FnMut(&mut Reading<'_>) -> Result<bool>,
) -> Result<()> {
    if reading.extent.count_frames {
        reading.facts.frames = reading.extent.frame + 1;
        while skip(reading)? {
            reading.facts.frames += 1;
        }
    }
    Ok(())
}
