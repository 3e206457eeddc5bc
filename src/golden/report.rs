//! One HTML file that shows pictures and how they differ, with all that it needs inside.
//!
//! The page is `report/page.html` with its style and scripts put in; behind it come the pictures as base64 texts, which the
//! page decodes when they come into view, and last a JSON object that lists the cases. The file is written picture by
//! picture: what is in memory is one of them.

use std::fs;
use std::io::{self, Cursor, Write};
use std::path::{Path, PathBuf};

use base64::engine::general_purpose::STANDARD;
use base64::write::EncoderWriter;
use image::ImageFormat;
use serde_json::{Value, json};

use crate::compare::{Comparison, Region};
use crate::error::{Error, Result};
use crate::frame::Frame;
use crate::io::{encode_png, read_picture, write_file};

const PAGE: &str = include_str!("report/page.html");
/// Where in the page the other files go.
const PARTS: [(&str, &[&str]); 2] = [
    ("/* style.css */\n", &[include_str!("report/style.css")]),
    ("/* drawing.js, script.js */\n", &[include_str!("report/drawing.js"), include_str!("report/script.js")]),
];
/// Formats that browsers show as they are; others are put in as PNG.
const SHOWN: [ImageFormat; 5] =
    [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::Gif, ImageFormat::WebP, ImageFormat::Bmp];
/// Regions listed for a case: the largest; noise has a million.
const REGIONS: usize = 100;

/// One case of a report: a picture, what it should be, and how they compare.
#[derive(Clone, Debug)]
pub struct ReportCase {
    /// Its name in the list.
    pub name: String,
    /// One line on what was found.
    pub summary: String,
    /// What became of it.
    pub status: ReportStatus,
    /// The command that approves it.
    pub approve: Option<String>,
    /// The pictures that should agree, as far as they are there.
    pub expected: Option<ReportPicture>,
    /// See `expected`; not needed when they are the same.
    pub actual: Option<ReportPicture>,
    /// Where they differ.
    pub difference: Option<ReportPicture>,
    /// The regions that differ.
    pub regions: Vec<Region>,
}

/// What became of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportStatus {
    /// The pictures agree.
    Same,
    /// They do not.
    Changed,
    /// There is nothing to compare it with.
    New,
    /// The expected picture alone is there.
    Missing,
}

impl ReportStatus {
    /// The word for it: `same`, `changed`, `new` or `missing`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Changed => "changed",
            Self::New => "new",
            Self::Missing => "missing",
        }
    }

    /// The status that a comparison of two pictures gives.
    #[must_use]
    pub fn of(comparison: &Comparison) -> Self {
        if comparison.is_same() { Self::Same } else { Self::Changed }
    }
}

/// A picture of a report.
#[derive(Clone, Debug)]
pub enum ReportPicture {
    /// In a file, of any format that [`read_picture`] reads.
    File(PathBuf),
    /// An encoded PNG.
    Png(Vec<u8>),
}

impl ReportPicture {
    /// A frame, encoded: many take little memory.
    ///
    /// # Errors
    /// When it cannot be encoded.
    pub fn encoded(frame: &Frame) -> Result<Self> {
        let mut bytes = Vec::new();
        let failed = |source| Error::Io { action: "encode", path: PathBuf::from("<difference>"), source };
        encode_png(frame, &mut bytes).map_err(failed)?;
        Ok(Self::Png(bytes))
    }

    /// The bytes of a file that browsers show, and their media type.
    fn shown(&self) -> Result<(Vec<u8>, &'static str)> {
        let path = match self {
            Self::Png(bytes) => return Ok((bytes.clone(), ImageFormat::Png.to_mime_type())),
            Self::File(path) => path,
        };
        let bytes = fs::read(path).map_err(|source| Error::Io { action: "read", path: path.clone(), source })?;
        if let Some(format) = image::guess_format(&bytes).ok().filter(|format| SHOWN.contains(format)) {
            return Ok((bytes, format.to_mime_type()));
        }
        let mut encoded = Cursor::new(Vec::new());
        let failed = |source| Error::Io { action: "encode", path: path.clone(), source };
        encode_png(&read_picture(path)?.to_frame()?, &mut encoded).map_err(failed)?;
        Ok((encoded.into_inner(), ImageFormat::Png.to_mime_type()))
    }
}

/// Writes a report: one HTML file that needs no other and no network.
///
/// # Errors
/// When a picture cannot be read, or the file cannot be written.
pub fn write_report(path: &Path, title: &str, cases: &[ReportCase]) -> Result<()> {
    let mut unreadable = None;
    let written = write_file(path, |file| {
        file.write_all(page().as_bytes())?;
        let mut count = 0;
        let mut listed = Vec::new();
        for case in cases {
            let mut entry = case.entry();
            for (role, picture) in case.pictures() {
                let (bytes, kind) = picture.shown().map_err(|error| {
                    unreadable = Some(error);
                    io::ErrorKind::InvalidData
                })?;
                write!(file, "<script type=\"text/plain\" id=\"picture-{count}\" data-kind=\"{kind}\">")?;
                write_base64(&bytes, file)?;
                file.write_all(b"</script>\n")?;
                entry[role] = json!(count);
                count += 1;
            }
            listed.push(entry);
        }
        // no text may end the element that it is in
        let report = json!({ "title": title, "cases": listed }).to_string().replace('<', "\\u003c");
        write!(file, "<script type=\"application/json\" id=\"report\">{report}</script>\n</html>\n")
    });
    unreadable.map_or(written, Err)
}

fn write_base64(bytes: &[u8], file: &mut dyn Write) -> io::Result<()> {
    let mut encoder = EncoderWriter::new(file, &STANDARD);
    encoder.write_all(bytes)?;
    encoder.finish().map(|_| ())
}

impl ReportCase {
    /// What the page knows of the case, its pictures aside.
    fn entry(&self) -> Value {
        let region = |region: &Region| json!([region.x, region.y, region.width, region.height, region.pixels]);
        json!({
            "name": self.name, "summary": self.summary, "status": self.status.name(), "approve": self.approve,
            "region_count": self.regions.len(),
            "regions": self.regions.iter().take(REGIONS).map(region).collect::<Vec<Value>>(),
        })
    }

    fn pictures(&self) -> impl Iterator<Item = (&'static str, &ReportPicture)> {
        let pictures = [("expected", &self.expected), ("actual", &self.actual), ("difference", &self.difference)];
        pictures.into_iter().filter_map(|(role, picture)| Some((role, picture.as_ref()?)))
    }
}

/// The page with its style and scripts in it.
fn page() -> String {
    PARTS.iter().fold(PAGE.to_owned(), |page, (place, parts)| {
        debug_assert!(page.contains(place), "the page has no place {place:?}");
        page.replace(place, &parts.concat())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn page_has_every_part_once_and_asks_for_nothing() {
        let page = page();
        for (place, parts) in PARTS {
            assert!(!page.contains(place) && PAGE.matches(place).count() == 1, "{place:?}");
            assert!(parts.iter().all(|part| page.contains(part) && !part.contains("</script")));
        }
        for outside in ["http:", "https:", "src=", "@import", "url("] {
            assert!(!page.contains(outside), "{outside}");
        }
    }

    #[test]
    fn names_cannot_leave_the_list() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("report.html");
        let case = ReportCase {
            name: "</script><script>alert(1)".to_owned(),
            summary: "<!-- \u{2028}".to_owned(),
            status: ReportStatus::Missing,
            approve: None,
            expected: Some(ReportPicture::Png(vec![0, 1, 250])),
            actual: None,
            difference: None,
            regions: Vec::new(),
        };
        write_report(&path, "a < b", &[case]).unwrap();
        let text = fs::read_to_string(&path).unwrap();
        assert!(!text.contains("alert(1)</script>") && !text.contains("</script><script>alert"), "{text}");
        assert!(text.contains(">AAH6</script>"), "three bytes in base64");
        let json = text.split("id=\"report\">").nth(1).unwrap().split("</script>").next().unwrap();
        let report: Value = serde_json::from_str(json).unwrap();
        assert_eq!(report["title"], "a < b");
        assert_eq!(report["cases"][0]["name"], "</script><script>alert(1)");
        assert_eq!(report["cases"][0]["expected"], 0);
    }

    #[test]
    fn pictures_that_browsers_cannot_show_become_png_and_lost_ones_are_errors() {
        let folder = tempfile::tempdir().unwrap();
        let lost = ReportPicture::File(folder.path().join("lost.png"));
        assert!(lost.shown().unwrap_err().to_string().contains("lost.png"));
        let path = folder.path().join("deep.png");
        image::RgbImage::new(3, 2).save(&path).unwrap();
        let (bytes, kind) = ReportPicture::File(path.clone()).shown().unwrap();
        assert_eq!((bytes, kind), (fs::read(&path).unwrap(), "image/png"));
        #[cfg(feature = "image-formats")]
        {
            let path = folder.path().join("deep.qoi");
            image::RgbImage::new(3, 2).save(&path).unwrap();
            let (bytes, kind) = ReportPicture::File(path).shown().unwrap();
            assert!(bytes.starts_with(b"\x89PNG") && kind == "image/png");
        }
    }
}
