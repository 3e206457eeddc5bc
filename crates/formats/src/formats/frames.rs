//! Steps through the frames of a trajectory: to the wanted one, and on to the end to count them; or lists all frames of
//! a file with random access.

use super::facts::FrameTime;
use super::reading::Reading;
use crate::error::{Error, Result};
use crate::source::frame_places::FrameMarks;
use crate::source::pieces::{Text, words};

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
        let skipped = skip(text, reading).map_err(|error| cut_off(text, reading, frame, error))?;
        let Some(time) = skipped else { return Err(reading.no_frame(frame)) };
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
    count_each(
        text,
        |text| text,
        reading,
        |text, reading| {
            let Some(time) = skip(text, reading)? else { return Ok(false) };
            reading.note_time(reading.facts.frames, time);
            marks.begin(text, reading.facts.frames + 1);
            Ok(true)
        },
    )
}

/// Counts the frames after the wanted one, if counting was requested; `skip` skips a frame, and returns false at the
/// end of the file. A last frame that is incomplete does not count; a note says so.
pub(super) fn count_each<T>(
    source: &mut T,
    text: fn(&mut T) -> &mut Text,
    reading: &mut Reading<'_>,
    mut skip: impl FnMut(&mut T, &mut Reading<'_>) -> Result<bool>,
) -> Result<()> {
    if reading.extent.count_frames {
        reading.facts.frames = reading.extent.frame + 1;
        loop {
            match skip(source, reading) {
                Ok(true) => reading.facts.frames += 1,
                Ok(false) => break,
                Err(error) if is_at_end(text(source)) => {
                    reading.note_incomplete(reading.facts.frames, &error.to_string());
                    break;
                }
                Err(error) => return Err(error),
            }
        }
    }
    Ok(())
}

/// Whether the file has been read to its end.
fn is_at_end(text: &mut Text) -> bool {
    text.is_at_end().unwrap_or(false)
}

/// Replaces the error of a frame that the end of the file cuts off by one that says which frames there are. The first
/// frame keeps its error.
pub(super) fn cut_off(text: &mut Text, reading: &Reading<'_>, frame: u64, error: Error) -> Error {
    if frame > 0 && is_at_end(text) { reading.incomplete_frame(frame, &error.to_string()) } else { error }
}

/// Skips the rows of a frame.
///
/// # Errors
/// If the file ends before or within the last of them. A row has at least as many words as the first, unless
/// `least_words` says how many.
pub(super) fn skip_rows(text: &mut Text, rows: u64, least_words: Option<usize>) -> Result<()> {
    if rows == 0 {
        return Ok(());
    }
    let least = match least_words {
        Some(least) => least,
        None => text.peek()?.map_or(0, |first| words(first).count()),
    };
    let skipped = text.skip(rows)?;
    let is_cut = text.last_without_end().is_some_and(|line| words(line).count() < least);
    if skipped < rows || is_cut {
        let whole = skipped - u64::from(is_cut);
        return Err(text.refuse(format!("{rows} lines of a frame are promised, but the file ends after {whole}")));
    }
    Ok(())
}

/// Skips bytes of a frame.
///
/// # Errors
/// If the file ends before.
pub(super) fn skip_bytes(text: &mut Text, bytes: u64) -> Result<()> {
    if text.skip_bytes(bytes)? < bytes {
        return Err(text.refuse("the file ends in the middle of a frame"));
    }
    Ok(())
}
