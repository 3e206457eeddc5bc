//! The manifest: name, size and pixel hash of every frame, the same on every machine.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use roundel::{Error, Frame, Result, Srgba8};
use serde::Deserialize;

const BUILT_IN: &str = include_str!("../../../golden/manifest.toml");

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Manifest {
    #[serde(rename = "frame")]
    pub(super) frames: Vec<FrameHash>,
}

#[derive(Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FrameHash {
    pub(super) name: String,
    size: [u32; 2],
    /// The [`hash`] of the pixels in 16 hexadecimal digits.
    pub(super) hash: String,
}

impl Manifest {
    pub(super) fn built_in() -> Self {
        toml::from_str(BUILT_IN).expect("the built-in manifest is valid")
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

    /// Returns the text of the file.
    pub(super) fn to_toml(&self) -> String {
        let mut text =
            "# The frames that `roundel selftest` draws, and the hash of their pixels: the same on every machine.\n"
                .to_owned();
        for FrameHash { name, size: [width, height], hash } in &self.frames {
            // writing into a string cannot fail
            let _ = write!(text, "\n[[frame]]\nname = {name:?}\nsize = [{width}, {height}]\nhash = {hash:?}\n");
        }
        text
    }
}

impl FrameHash {
    pub(super) fn new(name: &str, frame: &Frame) -> Self {
        let hash = format!("{:016x}", hash(frame));
        Self { name: name.to_owned(), size: [frame.width(), frame.height()], hash }
    }
}

/// Returns the 64-bit FNV-1a hash of the pixels, row by row, as red, green, blue and alpha.
fn hash(frame: &Frame) -> u64 {
    const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0100_0000_01b3;
    let bytes = frame.pixels().iter().flat_map(|&Srgba8 { r, g, b, a }| [r, g, b, a]);
    bytes.fold(OFFSET, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(PRIME))
}
