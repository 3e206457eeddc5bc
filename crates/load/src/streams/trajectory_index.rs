//! Where the frames of a long trajectory begin, kept in a file beside it, so that any frame is read at once.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::error::Result;
use crate::source::frame_places::{self, FramePlace, Trust, places};
use crate::streams::sidecar::Sidecar;

/// Shorter files are searched quickly.
const WORTH: u64 = 1 << 24;

const MOST_FRAMES: usize = 1 << 19;

fn sidecar(path: &Path) -> Option<Sidecar> {
    let is_long = std::fs::metadata(path).is_ok_and(|found| found.is_file() && found.len() >= WORTH);
    is_long.then(|| Sidecar::of(&[PathBuf::from(path)], "frames")).flatten()
}

/// Loads the places from the index beside a file, unless reading has refuted them. Returns the frames that tell whether
/// they are right, if they were loaded just now.
fn restore(path: &Path) -> Vec<u64> {
    if is_refuted(path) || places(path).len() > 1 {
        return Vec::new();
    }
    let Some(found) = sidecar(path).and_then(|sidecar| places_in(path, &sidecar)) else { return Vec::new() };
    let telling = telling_frames(&found);
    frame_places::restore(path, found);
    telling
}

/// The first frame, and the longest and the shortest of the others: where a list lacks a frame, two look like a long
/// one; where it has one too many, a frame looks like two short ones. Frames of uneven length are compared with their
/// neighbours, too.
fn telling_frames(places: &[FramePlace]) -> Vec<u64> {
    let length = |frame: usize| places[frame + 1][0] - places[frame][0];
    let later = || 1..places.len().saturating_sub(1);
    // length relative to the longer neighbour, in 1/1024
    let beside = |frame: &usize| {
        let neighbors = [Some(frame - 1), Some(frame + 1).filter(|next| later().contains(next))];
        let longest = neighbors.into_iter().flatten().map(length).max().unwrap_or(1);
        u128::from(length(*frame)) * 1024 / u128::from(longest.max(1))
    };
    let mut frames: Vec<usize> = if places.len() > 1 { vec![0] } else { Vec::new() };
    frames.extend(later().max_by_key(|frame| length(*frame)));
    frames.extend(later().min_by_key(|frame| length(*frame)));
    frames.extend(later().max_by_key(beside));
    frames.extend(later().min_by_key(beside));
    frames.sort_unstable();
    frames.dedup();
    frames.into_iter().map(|frame| frame as u64).collect()
}

/// Whether a reader has contradicted the places of the index; they are forgotten then.
pub(crate) fn is_refuted(path: &Path) -> bool {
    let is_refuted = frame_places::trust(path) == Trust::Refuted;
    if is_refuted {
        frame_places::forget(path);
    }
    is_refuted
}

/// Reads a frame with the places of the index. If they are wrong, or reading fails with them, they are forgotten and it
/// is read from the start of the file. `pass` passes over a frame, and reports whether there is one; a few are passed
/// when an index is loaded.
pub(crate) fn read_with<T>(path: &Path, pass: impl Fn(u64) -> bool, mut read: impl FnMut() -> Result<T>) -> Result<T> {
    if !restore(path).into_iter().all(|frame| pass(frame) && !is_refuted(path)) {
        frame_places::forget(path);
    }
    let is_restored = frame_places::trust(path) == Trust::Restored;
    let result = read();
    if !is_restored || (result.is_ok() && !is_refuted(path)) {
        return result;
    }
    frame_places::forget(path);
    read()
}

/// The places in an index; `None` if they do not increase or do not fit the file.
fn places_in(path: &Path, sidecar: &Sidecar) -> Option<Vec<FramePlace>> {
    let length = std::fs::metadata(path).ok()?.len();
    let place = |pair: &Value| -> Option<FramePlace> { Some([pair.get(0)?.as_u64()?, pair.get(1)?.as_u64()?]) };
    let found: Option<Vec<FramePlace>> = sidecar.get("places")?.as_array()?.iter().map(place).collect();
    // the last place is the end of the file if all frames have been passed
    let rises = |found: &Vec<FramePlace>| found.is_sorted_by(|a, b| a[0] < b[0] && a[1] <= b[1]);
    let fits = |place: &FramePlace| place[0] <= length && place[1] <= place[0];
    found.filter(|found| rises(found) && found.iter().all(fits))
}

/// The number of frames in the index beside a file, unless it is refuted, and the frames that the caller reads to check
/// it.
pub(crate) fn count(path: &Path) -> Option<(u64, Vec<u64>)> {
    restore(path);
    if is_refuted(path) {
        return None;
    }
    let sidecar = sidecar(path)?;
    let frames = sidecar.get("frames")?.as_u64()?;
    // a count is kept with the places of that many frames
    let places = places_in(path, &sidecar)?;
    (frames > 0 && places.len() as u64 >= frames).then(|| (frames, telling_frames(&places)))
}

/// Keeps the places of the frames that have been passed, if they are more than the index beside the file has.
pub(crate) fn keep_passed(path: &Path) {
    let Some(mut sidecar) = sidecar(path) else { return };
    let is_refuted = is_refuted(path);
    let places = places(path);
    let known = sidecar.get("places").and_then(Value::as_array).filter(|_| !is_refuted).map_or(0, Vec::len);
    if places.len() > known.max(1) && places.len() <= MOST_FRAMES {
        sidecar.set("places", places.into_iter().map(|place| Value::from(place.to_vec())).collect());
    }
}

/// Keeps the places of all frames of a file, after they have been counted.
pub(crate) fn keep(path: &Path, frames: u64) {
    let Some(mut sidecar) = sidecar(path) else { return };
    let places = places(path);
    if places.len() as u64 >= frames && places.len() <= MOST_FRAMES {
        sidecar.set("places", places.into_iter().map(|place| Value::from(place.to_vec())).collect());
        sidecar.set("frames", frames.into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_that_may_be_two_are_passed() {
        let places = |lengths: &[u64]| -> Vec<FramePlace> {
            let ends = lengths.iter().scan(0, |end, length| {
                *end += length;
                Some(*end)
            });
            std::iter::once(0).chain(ends).map(|end| [end, 0]).collect()
        };
        // a longer frame is elsewhere, as in a system that grows
        let mut growing: Vec<u64> = (0..20).map(|frame| 100 + 20 * frame).collect();
        let joined = growing.remove(5);
        growing[4] += joined;
        assert!(telling_frames(&places(&growing)).contains(&4), "{growing:?}");
        let even = places(&[100, 100, 200, 100, 100]);
        assert!(telling_frames(&even).contains(&2));
        assert!(telling_frames(&places(&[100, 100, 40, 60, 100])).contains(&2));
        assert_eq!([telling_frames(&[]), telling_frames(&[[0, 0]])], [[0; 0]; 2]);
    }
}
