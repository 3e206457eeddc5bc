//! File offsets of trajectory frames. The program remembers the offsets that a reader has passed, so that it does not
//! search for the next frame from the start of the file.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use super::input::ByteSource;
use super::pieces::Text;
use crate::error::Result;

/// Most files whose places are remembered.
const MOST_FILES: usize = 64;

/// Bytes and lines before a frame.
pub type FramePlace = [u64; 2];

/// The places in one file, valid while its size and modification time stay the same.
#[derive(Debug)]
struct KnownFile {
    path: PathBuf,
    stamp: ContentStamp,
    places: BTreeMap<u64, FramePlace>,
    /// Whether the places can be trusted.
    trust: Trust,
}

/// The source of a file's places, and whether reading has refuted them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trust {
    /// Readers of this process have passed them all.
    Passed,
    /// Some come from an index.
    Restored,
    /// An index had wrong ones and is ignored from then on.
    Refuted,
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

/// Reads the record of a file in its present state, if there is one.
fn look_up<T>(path: &Path, read: impl FnOnce(&KnownFile) -> T) -> Option<T> {
    let stamp = stamp(path)?;
    known().iter().find(|file| file.path == path && file.stamp == stamp).map(read)
}

/// The known places of a file's frames, from the first up to the first gap.
pub fn places(path: &Path) -> Vec<FramePlace> {
    let without_gap = |file: &KnownFile| {
        let numbered = (0..).zip(&file.places).take_while(|(index, (frame, _))| index == *frame);
        numbered.map(|(_, (_, place))| *place).collect()
    };
    look_up(path, without_gap).unwrap_or_default()
}

/// Remembers the places of frames that a reader has passed. A place that differs from the index refutes the index.
fn remember(path: &Path, found: impl IntoIterator<Item = (u64, FramePlace)>) {
    with_file(path, |file| {
        for (frame, place) in found {
            let before = file.places.insert(frame, place);
            if file.trust == Trust::Restored && before.is_some_and(|before| before != place) {
                file.trust = Trust::Refuted;
            }
        }
    });
}

/// Remembers the places of all frames, from the first on, that an index lists.
pub fn restore(path: &Path, found: Vec<FramePlace>) {
    with_file(path, |file| {
        if file.trust == Trust::Passed {
            file.trust = Trust::Restored;
            for (frame, place) in (0..).zip(found) {
                if file.places.insert(frame, place).is_some_and(|passed| passed != place) {
                    file.trust = Trust::Refuted;
                }
            }
        }
    });
}

/// Whether the places of a file can be trusted.
pub fn trust(path: &Path) -> Trust {
    look_up(path, |file| file.trust).unwrap_or(Trust::Passed)
}

/// Forgets all places of a file whose index has wrong ones, so that it is read from its start.
pub fn forget(path: &Path) {
    with_file(path, |file| {
        file.places.clear();
        file.trust = Trust::Refuted;
    });
}

/// Changes the record of a file in its present state.
fn with_file(path: &Path, change: impl FnOnce(&mut KnownFile)) {
    let Some(stamp) = stamp(path) else { return };
    let mut known = known();
    known.retain(|file| file.path != path || file.stamp == stamp);
    let index = known.iter().position(|file| file.path == path).unwrap_or_else(|| {
        if known.len() >= MOST_FILES {
            known.remove(0);
        }
        known.push(KnownFile { path: path.to_owned(), stamp, places: BTreeMap::new(), trust: Trust::Passed });
        known.len() - 1
    });
    change(&mut known[index]);
}

/// Bytes that are read before a place to check that a frame ends there: more than a line of a PDB file.
const LOOK_BACK: u64 = 128;

/// The bytes of a file before a place.
fn bytes_before(path: &Path, place: u64) -> Option<Vec<u8>> {
    let count = place.min(LOOK_BACK);
    let mut file = fs::File::open(path).ok()?;
    file.seek(SeekFrom::Start(place - count)).ok()?;
    let mut bytes = Vec::new();
    file.take(count).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

/// Whether bytes end with a line, as frames of text do.
pub(crate) fn ends_line(bytes: &[u8]) -> bool {
    bytes.last() == Some(&b'\n')
}

/// Accepts any bytes: frames of binary files begin with a mark, which their reader checks.
pub(crate) fn ends_anywhere(_: &[u8]) -> bool {
    true
}

pub(crate) struct FrameMarks {
    /// The file, if it allows random access.
    file: Option<ByteSource>,
    found: Vec<(u64, FramePlace)>,
}

impl FrameMarks {
    /// Begins at the first frame of a text.
    pub(crate) fn of(text: &Text) -> Self {
        let mut marks = Self { file: text.again.clone(), found: Vec::new() };
        marks.begin(text, 0);
        marks
    }

    /// Seeks to the last known frame up to the wanted one, and returns its number. `ends` tells whether a frame may end
    /// with the bytes before that place; if not, the index is wrong, and the file is read from its start.
    pub(crate) fn seek(&self, text: &mut Text, wanted: u64, ends: fn(&[u8]) -> bool) -> Result<u64> {
        let path = match &self.file {
            Some(ByteSource::Disk(path)) => path,
            Some(ByteSource::Memory(file)) => {
                return match file.last_place(wanted) {
                    Some((frame @ 1.., place)) => text.jump_to(place).map(|()| frame),
                    _ => Ok(0),
                };
            }
            None => return Ok(0),
        };
        let last = |file: &KnownFile| {
            file.places.range(..=wanted).next_back().map(|(frame, place)| (*frame, *place, file.stamp.0))
        };
        match look_up(path, last).flatten() {
            Some((frame, place, size)) if frame > 0 => {
                // the last line of a file may lack its end
                if place[0] < size && !bytes_before(path, place[0]).is_some_and(|bytes| ends(&bytes)) {
                    with_file(path, |file| file.trust = Trust::Refuted);
                    return Ok(0);
                }
                text.jump_to(place).map(|()| frame)
            }
            _ => Ok(0),
        }
    }

    /// Records that a frame begins with the next byte.
    pub(crate) fn begin(&mut self, text: &Text, frame: u64) {
        if self.file.is_some() {
            self.found.push((frame, text.place()));
        }
    }
}

impl Drop for FrameMarks {
    fn drop(&mut self) {
        match &self.file {
            Some(ByteSource::Disk(path)) => remember(path, self.found.drain(..)),
            Some(ByteSource::Memory(file)) => file.remember(self.found.drain(..)),
            None => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;
    use crate::memory_quota::Quota;
    use crate::source::input::Input;

    #[test]
    fn places_where_no_frame_ends_refute_an_index() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("t.xyz");
        fs::write(&path, "12\n\nC 0 0 0\n12\n\nC 0 0 1\n").expect("written");
        let sought = |place: u64, ends: fn(&[u8]) -> bool| {
            let input = Input::file(&path, Quota::new(Budget::default())).expect("a file");
            let mut text = Text::new(input.bytes());
            let marks = FrameMarks { file: Some(ByteSource::Disk(path.clone())), found: Vec::new() };
            with_file(&path, |file| (file.trust, file.places) = (Trust::Passed, BTreeMap::new()));
            restore(&path, vec![[0, 0], [place, 3]]);
            let frame = marks.seek(&mut text, 1, ends).expect("read");
            (frame, text.line().expect("read").map(<[u8]>::to_vec).unwrap_or_default(), trust(&path))
        };
        assert_eq!(sought(12, ends_line), (1, b"12".to_vec(), Trust::Restored));
        // in the middle of the number of atoms, which would be another number
        assert_eq!(sought(13, ends_line), (0, b"12".to_vec(), Trust::Refuted));
        assert_eq!(sought(12, |bytes| bytes.ends_with(b"ENDMDL\n")).2, Trust::Refuted);
    }
}
