//! The head of a failure's script: comments, one field a line, which the report and later programs read.

use std::fmt::Write as _;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use super::report::json::{quoted, unquoted};
use roundel_image::error::{Error, Result};
use roundel_image::regular_file::open_if_regular;

/// Begins a script's last line of comments, which is the case's entry in the report.
const ENTRY: &str = "entry";

/// The most bytes of a line that is read.
const LONGEST_LINE: u64 = 1 << 20;

/// The facts that a failure's script holds beside its pictures.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Record {
    /// The run that it failed in.
    pub(super) run: String,
    /// The function of its test; empty if unknown.
    pub(super) test: String,
    /// The golden that approval writes.
    pub(super) golden: PathBuf,
    /// The same, relative to the repository that it is in; empty if it is in none.
    pub(super) in_repository: PathBuf,
    /// Whether transparent parts of the golden stay when it is replaced.
    pub(super) keeps_transparent: bool,
    /// `changed`, `new` or `missing`.
    pub(super) status: String,
    pub(super) summary: String,
    /// The command that approves it.
    pub(super) approve: String,
    /// The share of pixels that differ.
    pub(super) share: f64,
    /// The case in the report, as JSON.
    pub(super) entry: String,
}

impl Record {
    /// The lines, each a comment.
    pub(super) fn head(&self) -> String {
        let [golden, in_repository] = [&self.golden, &self.in_repository].map(|path| path.to_string_lossy());
        let mut head = String::new();
        for (name, text) in [
            ("run", &*self.run),
            ("test", &*self.test),
            ("golden", &*golden),
            ("in repository", &*in_repository),
            ("keeps", if self.keeps_transparent { "transparent" } else { "" }),
            ("status", &*self.status),
            ("summary", &*self.summary),
            ("approve", &*self.approve),
            ("share", &*self.share.to_string()),
        ] {
            // writing into a string cannot fail
            let _ = writeln!(head, "// {name}: {}", quoted(text));
        }
        let _ = writeln!(head, "// {ENTRY}: {}", self.entry);
        head
    }

    /// Reads the head of a script. Fields that are not there are empty.
    pub(super) fn read(script: &Path) -> Result<Self> {
        let unreadable = |source| Error::Io { action: "read", path: script.to_owned(), source };
        let file = open_if_regular(script).and_then(|file| file.ok_or(io::ErrorKind::InvalidInput.into()));
        let mut record = Self::default();
        let mut file = BufReader::new(file.map_err(unreadable)?);
        let mut line = String::new();
        loop {
            line.clear();
            io::Read::take(&mut file, LONGEST_LINE).read_line(&mut line).map_err(unreadable)?;
            let Some((name, text)) = line.strip_prefix("// ").and_then(|line| line.split_once(": ")) else {
                return Err(unreadable(io::Error::new(
                    io::ErrorKind::InvalidData,
                    "it is not the script of a failure",
                )));
            };
            if name == ENTRY {
                record.entry = text.trim_end().to_owned();
                return Ok(record);
            }
            let text = unquoted(text.trim_end()).unwrap_or_default();
            match name {
                "run" => record.run = text,
                "test" => record.test = text,
                "golden" => record.golden = text.into(),
                "in repository" => record.in_repository = text.into(),
                "keeps" => record.keeps_transparent = text == "transparent",
                "status" => record.status = text,
                "summary" => record.summary = text,
                "approve" => record.approve = text,
                "share" => record.share = text.parse().unwrap_or(1.0),
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn record_is_read_back_whatever_its_texts() {
        let folder = tempfile::tempdir().expect("a folder");
        let script = folder.path().join("a.report.js");
        let record = Record {
            run: "cargo 7".to_owned(),
            test: String::new(),
            golden: "/some/a \"b\"\n\u{2028}\\c.png".into(),
            in_repository: "a \"b\"\n\u{2028}\\c.png".into(),
            keeps_transparent: true,
            status: "changed".to_owned(),
            summary: "1 of 4 pixels differ".to_owned(),
            approve: "ROUNDEL_BLESS='a\u{1b}' cargo test".to_owned(),
            share: 0.25,
            entry: "{\"name\":\"a: b\"}".to_owned(),
        };
        assert_eq!(record.head().lines().count(), 10);
        std::fs::write(&script, record.head() + "picture(1);\n").expect("written");
        assert_eq!(Record::read(&script).expect("a record"), record);
        for text in ["", "no comment\n", "// run: \"1\"\npicture(1);\n"] {
            std::fs::write(&script, text).expect("written");
            Record::read(&script).expect_err("no record");
        }
    }
}
