//! Results of a first pass over large files, kept in a file beside the first of them: `FILE.roundel-index`.
//!
//! It is safe to delete. It counts only if the files are the same, of the same size and time, and its checksum is
//! right; a folder that cannot be written is no error.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use roundel_image::output::{FileBelow, OutputKind};
use roundel_image::regular_file::open_if_regular;
use serde_json::{Map, Value, json};

/// Format version; bumped whenever the meaning of the stored values changes.
const VERSION: u32 = 4;

const LARGEST: u64 = 1 << 24;

/// Results that are kept for some files.
#[derive(Clone, Debug)]
pub(crate) struct Sidecar {
    path: PathBuf,
    /// The version, the files with their sizes and times, and how they are read.
    stamp: Value,
    known: Map<String, Value>,
}

impl Sidecar {
    /// Opens the index of files that are read in this way; `None` if changes of the files cannot be detected.
    pub(crate) fn of(paths: &[PathBuf], reading: &str) -> Option<Self> {
        let files: Option<Vec<Value>> = paths.iter().map(|path| stamp(path)).collect();
        let stamp = json!({ "version": VERSION, "files": files?, "reading": reading });
        let mut name = paths.first()?.file_name()?.to_owned();
        name.push(".roundel-index");
        let path = paths[0].with_file_name(name);
        let known = known(&path, &stamp).unwrap_or_default();
        Some(Self { path, stamp, known })
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Value> {
        self.known.get(name)
    }

    pub(crate) fn set(&mut self, name: &str, value: Value) {
        self.known.insert(name.to_owned(), value);
        let (stamp, known) = (&self.stamp, Value::Object(self.known.clone()));
        let check = checksum(&known);
        let content = format!("{{\"roundel-index\":{VERSION},\"stamp\":{stamp},\"check\":{check},\"known\":{known}}}");
        let (Some(folder), Some(name)) = (self.path.parent(), self.path.file_name()) else { return };
        // a failure only makes the next picture slower
        let _ = FileBelow::new(folder, name, OutputKind::Index).write(|file| file.write_all(content.as_bytes()));
    }
}

/// The name, the size, the time and the identity of a regular file.
fn stamp(path: &Path) -> Option<Value> {
    let found = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
    let time = found.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    Some(json!([path.file_name()?.to_str()?, found.len(), time.as_secs(), time.subsec_nanos(), identity(&found)]))
}

/// The file's number, and the time of its last change, which no program can set: a file put in its place is another
/// one, whatever its time.
#[cfg(unix)]
fn identity(found: &fs::Metadata) -> [i64; 3] {
    use std::os::unix::fs::MetadataExt;

    [found.ino().cast_signed(), found.ctime(), found.ctime_nsec()]
}

/// Elsewhere size and time must do.
#[cfg(not(unix))]
fn identity(_: &fs::Metadata) -> [i64; 3] {
    [0; 3]
}

/// Reads the results that a file has for data with this stamp.
fn known(path: &Path, stamp: &Value) -> Option<Map<String, Value>> {
    // nobody named this path: no link is followed, no pipe or device read
    fs::symlink_metadata(path).ok().filter(fs::Metadata::is_file)?;
    let mut text = Vec::new();
    open_if_regular(path).ok()??.take(LARGEST).read_to_end(&mut text).ok()?;
    let mut content: Value = serde_json::from_slice(&text).ok()?;
    if content.get("stamp") != Some(stamp) {
        return None;
    }
    let check = content.get("check")?.as_u64()?;
    let known = content.get_mut("known")?.take();
    match known {
        _ if checksum(&known) != check => None,
        Value::Object(known) => Some(known),
        _ => None,
    }
}

/// A checksum of results (FNV-1a): a damaged or edited index is not believed.
fn checksum(known: &Value) -> u64 {
    const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0100_0000_01b3;
    known.to_string().bytes().fold(OFFSET, |sum, byte| (sum ^ u64::from(byte)).wrapping_mul(PRIME))
}

/// Numbers bit by bit: text would round them.
pub(crate) fn bits(numbers: impl IntoIterator<Item = f64>) -> Value {
    numbers.into_iter().map(|number| Value::from(number.to_bits())).collect()
}

/// Numbers from their bits.
pub(crate) fn numbers(value: &Value) -> Option<Vec<f64>> {
    value.as_array()?.iter().map(|bits| bits.as_u64().map(f64::from_bits)).collect()
}
