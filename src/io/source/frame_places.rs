//! Where the frames of trajectories begin. Places that a reader has passed are remembered while the program runs, so that the next
//! frame is not searched from the start of the file.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use super::pieces::Text;
use crate::error::Result;

/// Files whose places are remembered.
const MOST_FILES: usize = 64;

/// The beginning of a frame: bytes and lines before it.
pub(crate) type FramePlace = [u64; 2];

/// Places of one file, which count as long as its size and its time stay.
#[derive(Debug)]
struct KnownFile {
    path: PathBuf,
    stamp: ContentStamp,
    places: BTreeMap<u64, FramePlace>,
}

type ContentStamp = (u64, Option<SystemTime>);

static KNOWN: Mutex<Vec<KnownFile>> = Mutex::new(Vec::new());

fn known() -> MutexGuard<'static, Vec<KnownFile>> {
    KNOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

fn stamp(path: &Path) -> Option<ContentStamp> {
    let found = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
    Some((found.len(), found.modified().ok()))
}

/// Remembers places of frames that a reader has passed.
fn remember(path: &Path, found: impl IntoIterator<Item = (u64, FramePlace)>) {
    with_file(path, |file| file.places.extend(found));
}

/// Changes what is known of a file, as it is now.
fn with_file(path: &Path, change: impl FnOnce(&mut KnownFile)) {
    let Some(stamp) = stamp(path) else { return };
    let mut known = known();
    known.retain(|file| file.path != path || file.stamp == stamp);
    let index = known.iter().position(|file| file.path == path).unwrap_or_else(|| {
        if known.len() >= MOST_FILES {
            known.remove(0);
        }
        known.push(KnownFile { path: path.to_owned(), stamp, places: BTreeMap::new() });
        known.len() - 1
    });
    change(&mut known[index]);
}

/// The frames that a reader passes.
pub(crate) struct FrameMarks {
    /// `None` if the file cannot be read at any place.
    path: Option<PathBuf>,
    found: Vec<(u64, FramePlace)>,
}

impl FrameMarks {
    /// Begins with a text before its first frame.
    pub(crate) fn of(text: &Text) -> Self {
        let mut marks = Self { path: text.path().map(Path::to_owned), found: Vec::new() };
        marks.begin(text, 0);
        marks
    }

    /// Goes to the last known beginning of a frame up to the wanted one, and returns its number.
    pub(crate) fn seek(&self, text: &mut Text, wanted: u64) -> Result<u64> {
        let Some(path) = &self.path else { return Ok(0) };
        let Some(stamp) = stamp(path) else { return Ok(0) };
        let place = {
            let known = known();
            let file = known.iter().find(|file| file.path == *path && file.stamp == stamp);
            file.and_then(|file| file.places.range(..=wanted).next_back()).map(|(frame, place)| (*frame, *place))
        };
        match place {
            Some((frame, place)) if frame > 0 => text.jump_to(place).map(|()| frame),
            _ => Ok(0),
        }
    }

    /// Notes that a frame begins with the next byte.
    pub(crate) fn begin(&mut self, text: &Text, frame: u64) {
        if self.path.is_some() {
            self.found.push((frame, text.place()));
        }
    }
}

impl Drop for FrameMarks {
    fn drop(&mut self) {
        if let Some(path) = &self.path {
            remember(path, self.found.drain(..));
        }
    }
}
