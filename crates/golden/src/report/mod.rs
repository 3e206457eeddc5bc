//! HTML reports that show pictures and how they differ.
//!
//! [`write_report`] writes one file that contains everything: the page, then the pictures as base64 text, which the
//! page decodes when they are shown, and last a list of the cases as JSON. It is written picture by picture, so only
//! one is in memory. The report of a test run is the same page without pictures; each failure has a script with its
//! own.

pub(crate) mod json;
mod page;
mod picture;

use std::io::{self, Write};
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use base64::write::EncoderWriter;

use crate::compare::{CompareOptions, Comparison, DifferingPictures, Picture, Region, compare_with_difference};
use json::Object;
use page::page;
pub use picture::ReportPicture;
use roundel_image::error::Result;
use roundel_image::io::{FileBelow, write_file};

/// The most regions listed for a case, the largest first: noise may have a million.
const REGIONS: usize = 100;

/// One case of a report: the pictures that should agree, and how they compare.
///
/// ```no_run
/// use roundel_golden::compare::CompareOptions;
/// use roundel_golden::{ReportCase, ReportPicture, ReportStatus, write_report};
/// use roundel_golden::compare_files;
///
/// let found = compare_files("before.png", "after.png", &CompareOptions::default())?;
/// let case = ReportCase::new("chart", ReportStatus::of(&found), found.summary())
///     .with_expected(ReportPicture::File("before.png".into()))
///     .with_actual(ReportPicture::File("after.png".into()))
///     .with_regions(found.regions);
/// write_report("report.html", "Before and after", &[case])?;
/// # Ok::<(), roundel_golden::Error>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ReportCase {
    /// The name in the list.
    pub name: String,
    /// How the pictures compare.
    pub status: ReportStatus,
    /// One line on how they compare.
    pub summary: String,
    /// The command that approves the actual picture.
    pub approve: Option<String>,
    /// The expected picture, if there is one.
    pub expected: Option<ReportPicture>,
    /// The actual picture, if there is one. Not needed if the two are the same.
    pub actual: Option<ReportPicture>,
    /// A picture of the difference.
    pub difference: Option<ReportPicture>,
    /// The regions that differ.
    pub regions: Vec<Region>,
    /// The share of pixels that differ, 0 to 1: 1 if there is nothing to compare with.
    pub share: f64,
    /// Cases of single frames, in place of pictures of a whole film.
    pub frames: Vec<ReportCase>,
}

impl ReportCase {
    /// A case without pictures.
    #[must_use]
    pub fn new(name: impl Into<String>, status: ReportStatus, summary: impl Into<String>) -> Self {
        let (name, summary) = (name.into(), summary.into());
        let (expected, actual, difference) = (None, None, None);
        let (approve, regions, frames) = (None, Vec::new(), Vec::new());
        let share = if status == ReportStatus::Same { 0.0 } else { 1.0 };
        Self { name, status, summary, approve, expected, actual, difference, regions, share, frames }
    }

    /// The case of two frames of films that differ.
    ///
    /// # Errors
    /// If a picture cannot be encoded, or the options do not fit the pictures.
    pub fn of_frame(pair: &DifferingPictures<'_>, options: &CompareOptions) -> Result<Self> {
        let png = |picture: &Picture<'_>| picture.encode_png().map(ReportPicture::Png);
        let (_, difference) = compare_with_difference(pair.expected.clone(), pair.actual.clone(), options)?;
        let case = Self::new(format!("frame {}", pair.frame), ReportStatus::Changed, pair.comparison.summary());
        Ok(Self {
            expected: Some(png(pair.expected)?),
            actual: Some(png(pair.actual)?),
            difference: difference.as_ref().map(ReportPicture::from),
            regions: pair.comparison.regions.clone(),
            ..case
        })
    }

    /// The same case with the command that approves it.
    #[must_use]
    pub fn with_approve(self, command: impl Into<String>) -> Self {
        Self { approve: Some(command.into()), ..self }
    }

    /// The same case with an expected picture.
    #[must_use]
    pub fn with_expected(self, picture: ReportPicture) -> Self {
        Self { expected: Some(picture), ..self }
    }

    /// The same case with an actual picture.
    #[must_use]
    pub fn with_actual(self, picture: ReportPicture) -> Self {
        Self { actual: Some(picture), ..self }
    }

    /// The same case with a picture of the difference.
    #[must_use]
    pub fn with_difference(self, picture: ReportPicture) -> Self {
        Self { difference: Some(picture), ..self }
    }

    /// The same case with the regions that differ.
    #[must_use]
    pub fn with_regions(self, regions: Vec<Region>) -> Self {
        Self { regions, ..self }
    }

    /// The same case with the share of pixels that differ.
    #[must_use]
    pub fn with_share(self, share: f64) -> Self {
        Self { share, ..self }
    }

    /// The same case with cases of the frames that differ. The page shows them one by one.
    #[must_use]
    pub fn with_frames(self, frames: Vec<ReportCase>) -> Self {
        Self { frames, ..self }
    }

    /// The entry of the case in the page's list. `id` makes the identifiers of its pictures, in the order of
    /// [`ReportCase::pictures`].
    fn entry(&self, id: &mut dyn FnMut() -> String) -> Object {
        let regions = self.regions.iter().take(REGIONS);
        let regions =
            regions.map(|found| format!("[{},{},{},{},{}]", found.x, found.y, found.width, found.height, found.pixels));
        let mut entry = Object::default();
        entry.text("name", &self.name);
        entry.text("summary", &self.summary);
        entry.text("status", self.status.name());
        if let Some(command) = &self.approve {
            entry.text("approve", command);
        }
        entry.json("region_count", &self.regions.len().to_string());
        entry.json("regions", &format!("[{}]", regions.collect::<Vec<String>>().join(",")));
        for (role, _) in self.own_pictures() {
            entry.text(role, &id());
        }
        if !self.frames.is_empty() {
            let frames: Vec<String> = self.frames.iter().map(|frame| frame.entry(id).to_string()).collect();
            entry.json("frames", &format!("[{}]", frames.join(",")));
        }
        entry
    }

    /// Roles and pictures of the case itself; none of a film, whose frames are shown.
    fn own_pictures(&self) -> impl Iterator<Item = (&'static str, &ReportPicture)> {
        let pictures = [("expected", &self.expected), ("actual", &self.actual), ("difference", &self.difference)];
        let pictures = pictures.into_iter().filter(|_| self.frames.is_empty());
        pictures.filter_map(|(role, picture)| Some((role, picture.as_ref()?)))
    }

    /// All pictures.
    fn pictures(&self) -> impl Iterator<Item = &ReportPicture> {
        let of_frames = self.frames.iter().flat_map(|frame| frame.own_pictures());
        self.own_pictures().chain(of_frames).map(|(_, picture)| picture)
    }
}

/// How the pictures of a case compare.
///
/// ```
/// use roundel_golden::{ReportCase, ReportPicture, ReportStatus, write_report};
/// use roundel_golden::{Frame, Srgba8};
///
/// let [old, new] = [Srgba8::WHITE, Srgba8::BLACK].map(|color| Frame::new(8, 8, color).expect("a size"));
/// let picture = |frame| ReportPicture::from(frame);
/// let cases = [
///     ReportCase::new("same", ReportStatus::Same, "same").with_expected(picture(&old)),
///     ReportCase::new("changed", ReportStatus::Changed, "64 of 64 pixels differ")
///         .with_expected(picture(&old))
///         .with_actual(picture(&new))
///         .with_difference(picture(&new))
///         .with_approve("cp new.png old.png"),
///     ReportCase::new("missing", ReportStatus::Missing, "not drawn").with_expected(picture(&old)),
/// ];
/// let path = std::env::temp_dir().join("roundel-report.html");
/// write_report(&path, "Two pages", &cases)?;
/// assert!(std::fs::read_to_string(&path).expect("written").contains("64 of 64 pixels differ"));
/// # Ok::<(), roundel_golden::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportStatus {
    /// They agree.
    Same,
    /// They differ.
    Changed,
    /// There is no expected picture.
    New,
    /// There is no actual picture.
    Missing,
}

impl ReportStatus {
    /// The name: `same`, `changed`, `new` or `missing`.
    ///
    /// ```
    /// assert_eq!(roundel_golden::ReportStatus::New.name(), "new");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Changed => "changed",
            Self::New => "new",
            Self::Missing => "missing",
        }
    }

    /// The status for the result of a comparison.
    #[must_use]
    pub fn of(comparison: &Comparison) -> Self {
        if comparison.is_same() { Self::Same } else { Self::Changed }
    }
}

/// Writes a report: one HTML file that needs no other file and no network.
///
/// The example of [`ReportCase`] writes one.
///
/// # Errors
/// If a picture cannot be read, or the file cannot be written.
pub fn write_report(path: impl AsRef<Path>, title: &str, cases: &[ReportCase]) -> Result<()> {
    with_report(title, cases, |fill| write_file(path, fill))
}

/// Passes a function that writes the report to `write`, which opens the file.
fn with_report(
    title: &str,
    cases: &[ReportCase],
    write: impl FnOnce(&mut dyn FnMut(&mut dyn Write) -> io::Result<()>) -> Result<()>,
) -> Result<()> {
    let mut unreadable = None;
    let written = write(&mut |file| {
        file.write_all(page().as_bytes())?;
        let mut count = 0_usize;
        let mut entries = Vec::new();
        for case in cases {
            let mut ids = count..;
            for picture in case.pictures() {
                let (bytes, kind) = picture.bytes().map_err(|error| {
                    unreadable = Some(error);
                    io::ErrorKind::InvalidData
                })?;
                write!(file, "<script type=\"text/plain\" id=\"picture-{count}\" data-kind=\"{kind}\">")?;
                write_base64(&bytes, file)?;
                file.write_all(b"</script>\n")?;
                count += 1;
            }
            entries.push(case.entry(&mut || ids.next().unwrap_or_default().to_string()).to_string());
        }
        write_list(title, "", &entries, file)
    });
    unreadable.map_or(written, Err)
}

/// Writes the report of a test run. A case is its entry, the run that it failed in, and the path of the script with its
/// pictures, relative to the report.
pub(super) fn write_index<'a>(
    place: &FileBelow<'_>,
    run: &str,
    cases: impl Iterator<Item = (&'a str, &'a str, &'a str)>,
) -> Result<()> {
    let entry = |(entry, run, script): (&str, &str, &str)| {
        let mut object = Object::default();
        object.text("run", run);
        object.text("script", script);
        object.with(entry)
    };
    let entries: Vec<String> = cases.map(entry).collect();
    place.write(|file| {
        file.write_all(page().as_bytes())?;
        write_list("Golden images that fail", run, &entries, file)
    })
}

/// The entry of a case whose pictures are in a script.
pub(super) fn entry_of_script(case: &ReportCase) -> String {
    let mut ids = (0_usize..).map(|number| format!("{} {number}", case.name));
    case.entry(&mut || ids.next().unwrap_or_default()).to_string()
}

/// Writes the script of a failure: its head, then its pictures as calls of a function of the page.
pub(super) fn write_script(place: &FileBelow<'_>, head: &str, case: &ReportCase) -> Result<()> {
    let pictures: Vec<_> = case.pictures().map(ReportPicture::bytes).collect::<Result<_>>()?;
    place.write(|file| {
        file.write_all(head.as_bytes())?;
        for (number, (bytes, kind)) in pictures.iter().enumerate() {
            let id = json::quoted(&format!("{} {number}", case.name));
            write!(file, "picture({id}, \"{kind}\", \"")?;
            write_base64(bytes, file)?;
            file.write_all(b"\");\n")?;
        }
        Ok(())
    })
}

/// The first picture with a role in a failure's script; `None` if there is none.
pub(super) fn picture_of_script(script: &str, role: &str) -> Option<Vec<u8>> {
    // a quotation mark in a text is escaped, so this is no part of one
    let key = format!("\"{role}\":");
    let id = script.lines().find(|line| line.starts_with("// entry: "))?.split_once(&key)?.1;
    // texts end at the first quotation mark that is not escaped
    let mut ends = id.match_indices('"').map(|(end, _)| &id[..=end]).skip(1);
    let id = ends.find_map(json::unquoted)?;
    let start = format!("picture({}, \"", json::quoted(&id));
    let picture = script.lines().find_map(|line| line.strip_prefix(&start))?;
    STANDARD.decode(picture.split_once("\", \"")?.1.strip_suffix("\");")?).ok()
}

/// Ends a page with its list of cases. `run` is empty unless it is the report of a test run.
fn write_list(title: &str, run: &str, entries: &[String], file: &mut dyn Write) -> io::Result<()> {
    let mut list = Object::default();
    list.text("title", title);
    list.text("run", run);
    list.json("cases", &format!("[{}]", entries.join(",")));
    write!(file, "<script type=\"application/json\" id=\"report\">{list}</script>\n</html>\n")
}

fn write_base64(bytes: &[u8], file: &mut dyn Write) -> io::Result<()> {
    let mut encoder = EncoderWriter::new(file, &STANDARD);
    encoder.write_all(bytes)?;
    encoder.finish().map(|_| ())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use roundel_image::io::OutputKind;

    fn case(name: &str) -> ReportCase {
        ReportCase::new(name, ReportStatus::Missing, "<!-- \u{2028}").with_expected(ReportPicture::Png(vec![0, 1, 250]))
    }

    #[test]
    fn names_cannot_end_the_element_of_the_list() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("report.html");
        write_report(&path, "a < b", &[case("</script><script>alert(1)")]).unwrap();
        let text = fs::read_to_string(&path).unwrap();
        assert!(!text.contains("alert(1)</script>") && !text.contains("</script><script>alert"), "{text}");
        assert!(text.contains(">AAH6</script>"), "three bytes in base64");
        let list = text.split("id=\"report\">").nth(1).unwrap().split("</script>").next().unwrap();
        let expected = "{\"title\":\"a \\u003c b\",\"run\":\"\",\"cases\":[{\
            \"name\":\"\\u003c/script>\\u003cscript>alert(1)\",\"summary\":\"\\u003c!-- \\u2028\",\"status\":\"missing\",\
            \"region_count\":0,\"regions\":[],\"expected\":\"0\"}]}";
        assert_eq!(list, expected);
    }

    #[test]
    fn scripts_hold_a_head_and_pictures_line_by_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/a.report.js");
        let place = FileBelow::new(folder.path(), "deep/a.report.js", OutputKind::Script);
        let case = case("a\n\u{2028}b");
        assert!(entry_of_script(&case).starts_with("{\"name\":\"a\\u000a\\u2028b\""));
        write_script(&place, "// head\n", &case).unwrap();
        let text = fs::read_to_string(&path).unwrap();
        let picture = "picture(\"a\\u000a\\u2028b 0\", \"image/png\", \"AAH6\");";
        assert_eq!(text.lines().collect::<Vec<_>>(), ["// head", picture]);
    }

    #[test]
    fn index_lists_entries_with_run_and_script() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("report.html");
        let place = FileBelow::new(folder.path(), "report.html", OutputKind::Page);
        write_index(&place, "2", [("{\"name\":\"a\"}", "1", "charts/a.report.js")].into_iter()).unwrap();
        let text = fs::read_to_string(&path).unwrap();
        let expected = "\"run\":\"2\",\"cases\":[{\"run\":\"1\",\"script\":\"charts/a.report.js\",\"name\":\"a\"}]}";
        assert!(text.contains(expected), "{text}");
    }
}
