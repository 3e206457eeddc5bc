//! The manifest: what every machine must draw, by name, size and a hash of the pixels.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use roundel::{Error, Frame, Result, Srgba8};
use serde::Deserialize;

/// The manifest this program was built with.
const BUILT_IN: &str = include_str!("../../../golden/manifest.toml");

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Manifest {
    pub(super) frame: Vec<Entry>,
}

#[derive(Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Entry {
    pub(super) name: String,
    size: [u32; 2],
    /// [`hash`] of the pixels, 16 hexadecimal digits.
    pub(super) hash: String,
}

impl Manifest {
    pub(super) fn built_in() -> Self {
        toml::from_str(BUILT_IN).expect("the built-in manifest is well formed")
    }

    pub(super) fn read(file: &Path) -> Result<Self> {
        let text =
            fs::read_to_string(file).map_err(|source| Error::Io { action: "read", path: file.to_owned(), source })?;
        toml::from_str(&text).map_err(|error| {
            let offset = error.span().map_or(0, |span| span.start);
            let line = text.bytes().take(offset).filter(|&byte| byte == b'\n').count() as u64 + 1;
            let (file, message) = (file.display().to_string(), error.message().to_owned());
            Error::Input { file, line: Some(line), message }
        })
    }

    /// The file, as [`Manifest::read`] reads it.
    pub(super) fn text(&self) -> String {
        let mut text =
            "# The frames that `roundel selftest` draws, and the hash of their pixels: the same on every machine.\n"
                .to_owned();
        for Entry { name, size: [width, height], hash } in &self.frame {
            // writing into a string cannot fail
            let _ = write!(text, "\n[[frame]]\nname = {name:?}\nsize = [{width}, {height}]\nhash = {hash:?}\n");
        }
        text
    }
}

impl Entry {
    pub(super) fn new(name: &str, frame: &Frame) -> Self {
        let hash = format!("{:016x}", hash(frame));
        Self { name: name.to_owned(), size: [frame.width(), frame.height()], hash }
    }
}

/// FNV-1a, 64 bits, of the pixels row by row, each as red, green, blue, alpha.
fn hash(frame: &Frame) -> u64 {
    const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0100_0000_01b3;
    let bytes = frame.pixels().iter().flat_map(|&Srgba8 { r, g, b, a }| [r, g, b, a]);
    bytes.fold(OFFSET, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(PRIME))
}
