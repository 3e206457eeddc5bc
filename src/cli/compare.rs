//! `roundel compare`: whether two images, or two folders of them, agree.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use roundel::compare::{Antialiasing, CompareOptions, Comparison, Limits, Mask, Metric, Rectangle};
use roundel::golden::{ReportCase, ReportPicture, ReportStatus, summary, write_report};
use roundel::io::{compare_files, compare_files_with_difference, read_picture_within, write_file};
use roundel::{Budget, Error, Result};
use serde_json::{Value, json};

use super::limits::ImageLimitFlags;
use super::output::print;
use super::verdict::Verdict;

/// Compare images, or folders of images
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  roundel compare expected.png actual.png --diff diff.png
  roundel compare before/ after/ --report report.html --junit results.xml
  roundel compare a.png b.png --threshold 0.1 --ignore-antialiasing
  roundel compare a.png b.png --flip 0.01 --mask 0,0,200,40

Exit status: 0 they agree; 1 they differ; 2 an error.")]
pub(super) struct Arguments {
    /// The expected image, or a folder of images
    #[arg(value_name = "EXPECTED")]
    expected: PathBuf,
    /// The image that is to agree with it, or a folder of images of the same names
    #[arg(value_name = "ACTUAL")]
    actual: PathBuf,
    /// Where to draw what differs: a PNG, or for folders a folder of PNGs
    #[arg(long, value_name = "PATH")]
    diff: Option<PathBuf>,
    /// A page to look at the images with: one HTML file with all in it
    #[arg(long, value_name = "HTML")]
    report: Option<PathBuf>,
    /// Results as one JSON object
    #[arg(long)]
    json: bool,
    /// Results as JUnit XML, for CI
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    #[command(flatten)]
    rules: Rules,
    #[command(flatten)]
    limits: ImageLimitFlags,
}

/// What may differ: nothing, unless said.
#[derive(Debug, Args)]
#[command(next_help_heading = "What may differ (nothing, unless said)")]
struct Rules {
    /// Channels may differ by so much, 0 to 255
    #[arg(long, value_name = "STEPS", group = "metric")]
    tolerance: Option<f64>,
    /// Colours may look so far apart, 0 to 1, in YIQ; pixelmatch's default is 0.1
    #[arg(long, value_name = "DISTANCE", group = "metric")]
    threshold: Option<f64>,
    /// The mean FLIP error may be so large, 0 to 1
    #[arg(long, value_name = "MEAN", group = "metric")]
    flip: Option<f64>,
    /// Distance of FLIP's observer
    #[arg(long, value_name = "PPD", requires = "flip", default_value_t = 67.0)]
    pixels_per_degree: f32,
    /// Pixels may differ that are only an edge's anti-aliasing
    #[arg(long)]
    ignore_antialiasing: bool,
    /// So many pixels may differ
    #[arg(long, value_name = "COUNT")]
    pixels: Option<u64>,
    /// Such a share of the pixels may differ, 0 to 1
    #[arg(long, value_name = "SHARE")]
    share: Option<f64>,
    /// Leave out a rectangle; may be given again
    #[arg(long, value_name = "X,Y,W,H", value_parser = rectangle)]
    mask: Vec<Rectangle>,
    /// Leave out the pixels that are not black in this image
    #[arg(long, value_name = "PNG")]
    mask_image: Option<PathBuf>,
}

impl Rules {
    fn options(&self, budget: Budget) -> Result<CompareOptions> {
        let metric = match (self.tolerance, self.threshold, self.flip) {
            (Some(tolerance), _, _) => Metric::Channels { tolerance },
            (_, Some(threshold), _) => Metric::Yiq { threshold },
            (_, _, Some(largest_mean)) => Metric::Flip { largest_mean, pixels_per_degree: self.pixels_per_degree },
            (None, None, None) => Metric::EXACT,
        };
        let limits = match (self.pixels, self.share) {
            (None, None) => Limits::default(),
            (pixels, share) => Limits { pixels: pixels.unwrap_or(u64::MAX), share: share.unwrap_or(1.0) },
        };
        let mut mask = self.mask.iter().copied().fold(Mask::new(), Mask::with_rectangle);
        if let Some(path) = &self.mask_image {
            mask = mask.with_picture(read_picture_within(path, &budget)?);
        }
        let antialiasing = if self.ignore_antialiasing { Antialiasing::Ignored } else { Antialiasing::Counts };
        Ok(CompareOptions { metric, antialiasing, limits, mask, budget })
    }
}

fn rectangle(text: &str) -> Result<Rectangle, String> {
    let parts: Result<Vec<u32>, _> = text.split(',').map(|part| part.trim().parse()).collect();
    match parts.as_deref() {
        Ok(&[x, y, width, height]) => Ok(Rectangle { x, y, width, height }),
        _ => Err("must be four whole numbers with commas between: x,y,width,height".to_owned()),
    }
}

/// How one pair of files compares.
#[derive(Debug)]
struct Pair {
    name: String,
    outcome: Outcome,
    expected: PathBuf,
    actual: PathBuf,
    /// Where they differ, when a report is to show it.
    difference: Option<ReportPicture>,
}

#[derive(Debug)]
enum Outcome {
    Compared(Comparison),
    /// Only in the actual folder.
    New,
    /// Only in the expected folder.
    Missing,
}

impl Pair {
    fn status(&self) -> ReportStatus {
        match &self.outcome {
            Outcome::Compared(comparison) => ReportStatus::of(comparison),
            Outcome::New => ReportStatus::New,
            Outcome::Missing => ReportStatus::Missing,
        }
    }

    fn is_same(&self) -> bool {
        self.status() == ReportStatus::Same
    }

    fn summary(&self) -> String {
        match &self.outcome {
            Outcome::Compared(comparison) => summary(comparison),
            Outcome::New => "new: nothing to compare it with".to_owned(),
            Outcome::Missing => "missing".to_owned(),
        }
    }

    /// The pair as a report shows it.
    fn into_case(self) -> ReportCase {
        let (status, summary) = (self.status(), self.summary());
        let regions = match self.outcome {
            Outcome::Compared(comparison) => comparison.regions,
            Outcome::New | Outcome::Missing => Vec::new(),
        };
        let file = |wanted: bool, path| wanted.then_some(ReportPicture::File(path));
        ReportCase {
            name: self.name,
            summary,
            status,
            approve: None,
            expected: file(status != ReportStatus::New, self.expected),
            actual: file(matches!(status, ReportStatus::Changed | ReportStatus::New), self.actual),
            difference: self.difference,
            regions,
        }
    }
}

pub(super) fn run(arguments: &Arguments) -> Result<Verdict> {
    let options = arguments.rules.options(arguments.limits.budget())?;
    let pairs = if arguments.expected.is_dir() && arguments.actual.is_dir() {
        compare_folders(arguments, &options)?
    } else {
        let name = arguments.actual.display().to_string();
        let files = (arguments.expected.clone(), arguments.actual.clone());
        vec![compare_pair(name, files, arguments.diff.as_deref(), arguments, &options)?]
    };
    if let Some(path) = &arguments.junit {
        write_file(path, |file| file.write_all(junit(&pairs).as_bytes()))?;
    }
    if arguments.json {
        let text = serde_json::to_string_pretty(&results(&pairs)).expect("results are numbers, texts and lists");
        print(&format!("{text}\n"))?;
    } else {
        let differing = pairs.iter().filter(|pair| !pair.is_same());
        let mut text: String = differing.map(|pair| format!("{}: {}\n", pair.name, pair.summary())).collect();
        let same = pairs.iter().filter(|pair| pair.is_same()).count();
        text += &match pairs.len() {
            1 if same == 1 => "same\n".to_owned(),
            1 => String::new(),
            count => format!("{same} of {count} images agree\n"),
        };
        print(&text)?;
    }
    let verdict = if pairs.iter().all(Pair::is_same) { Verdict::Done } else { Verdict::Different };
    if let Some(path) = &arguments.report {
        let title = format!("{} and {}", arguments.expected.display(), arguments.actual.display());
        let cases: Vec<ReportCase> = pairs.into_iter().map(Pair::into_case).collect();
        write_report(path, &title, &cases)?;
    }
    Ok(verdict)
}

/// Compares two files, and draws where they differ if that is wanted.
fn compare_pair(
    name: String,
    (expected, actual): (PathBuf, PathBuf),
    diff: Option<&Path>,
    arguments: &Arguments,
    options: &CompareOptions,
) -> Result<Pair> {
    let comparison = compare_files(&expected, &actual, options)?;
    let wanted = !comparison.is_same() && (diff.is_some() || arguments.report.is_some());
    let mut difference = None;
    if wanted && let (_, Some(image)) = compare_files_with_difference(&expected, &actual, options)? {
        if let Some(path) = diff {
            if let Some(parent) = path.parent() {
                let failed = |source| Error::Io { action: "create", path: parent.to_owned(), source };
                fs::create_dir_all(parent).map_err(failed)?;
            }
            image.save_png(path)?;
        }
        if arguments.report.is_some() {
            difference = Some(ReportPicture::encoded(&image)?);
        }
    }
    Ok(Pair { name, outcome: Outcome::Compared(comparison), expected, actual, difference })
}

/// Compares files of the same path in both folders; what is in one alone is new or missing.
fn compare_folders(arguments: &Arguments, options: &CompareOptions) -> Result<Vec<Pair>> {
    let (expected, actual) = (images(&arguments.expected)?, images(&arguments.actual)?);
    let names: BTreeSet<&String> = expected.iter().chain(&actual).collect();
    if names.is_empty() {
        let message = "hold no images".to_owned();
        return Err(Error::Setting { name: "both folders", message });
    }
    let pair = |name: &String| {
        let files = (arguments.expected.join(name), arguments.actual.join(name));
        let outcome = match (expected.contains(name), actual.contains(name)) {
            (true, true) => {
                // a.jpg and a.png have pictures of their own
                let png = if name.to_lowercase().ends_with(".png") { name.clone() } else { format!("{name}.png") };
                let diff = arguments.diff.as_ref().map(|folder| folder.join(png));
                return compare_pair(name.clone(), files, diff.as_deref(), arguments, options);
            }
            (true, false) => Outcome::Missing,
            _ => Outcome::New,
        };
        Ok(Pair { name: name.clone(), outcome, expected: files.0, actual: files.1, difference: None })
    };
    names.into_iter().map(pair).collect()
}

/// Paths of all images in a folder, by their ending, relative to it.
fn images(folder: &Path) -> Result<BTreeSet<String>> {
    const ENDINGS: [&str; 16] = [
        "png", "jpg", "jpeg", "gif", "bmp", "webp", "tif", "tiff", "tga", "qoi", "ico", "dds", "ff", "pbm", "pgm",
        "ppm",
    ];
    let mut found = BTreeSet::new();
    let mut queue = vec![PathBuf::new()];
    while let Some(below) = queue.pop() {
        let at = folder.join(&below);
        let unreadable = |source| Error::Io { action: "read", path: at.clone(), source };
        for entry in fs::read_dir(&at).map_err(unreadable)? {
            let entry = entry.map_err(unreadable)?;
            let path = below.join(entry.file_name());
            let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_lowercase();
            if entry.file_type().map_err(unreadable)?.is_dir() {
                queue.push(path);
            } else if ENDINGS.contains(&ending.as_str()) {
                found.insert(path.to_string_lossy().into_owned());
            }
        }
    }
    Ok(found)
}

fn results(pairs: &[Pair]) -> Value {
    let count = |status| pairs.iter().filter(|pair| pair.status().name() == status).count();
    let images: Vec<Value> = pairs.iter().map(result).collect();
    json!({
        "same": count("same"), "changed": count("changed"), "new": count("new"), "missing": count("missing"),
        "images": images,
    })
}

fn result(pair: &Pair) -> Value {
    let mut result = json!({ "name": pair.name, "status": pair.status().name() });
    if let Outcome::Compared(found) = &pair.outcome {
        /// Regions listed: the largest; noise has a million.
        const LISTED: usize = 100;
        let regions = found.regions.iter().take(LISTED).map(|region| {
            json!({ "x": region.x, "y": region.y, "width": region.width, "height": region.height, "pixels": region.pixels })
        });
        result["comparison"] = json!({
            "sizes": found.sizes, "compared": found.compared, "differing": found.differing,
            "antialiased": found.antialiased, "largest": found.largest, "mean": found.mean,
            "flip_mean": found.flip_mean, "first": found.first, "region_count": found.regions.len(),
            "regions": regions.collect::<Vec<Value>>(),
        });
    }
    result
}

fn junit(pairs: &[Pair]) -> String {
    let failures = pairs.iter().filter(|pair| !pair.is_same()).count();
    let mut xml = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n<testsuite name=\"roundel compare\" tests=\"{}\" failures=\"{failures}\">\n",
        pairs.len()
    );
    for pair in pairs {
        let name = escaped(&pair.name);
        xml += &if pair.is_same() {
            format!("<testcase classname=\"roundel\" name=\"{name}\"/>\n")
        } else {
            let message = escaped(&pair.summary());
            format!("<testcase classname=\"roundel\" name=\"{name}\"><failure message=\"{message}\"/></testcase>\n")
        };
    }
    xml + "</testsuite>\n</testsuites>\n"
}

/// Text as an XML attribute holds it; control characters, which XML cannot hold, become a mark.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        match c {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            c if c.is_control() => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}
