//! `roundel compare`: compares two images, or two folders of images.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use roundel::compare::{
    Antialiasing, CompareOptions, Comparison, Limits, Mask, Metric, Rectangle, Region, SequenceComparison,
    Verdict as ComparisonVerdict,
};
use roundel::golden::{ReportCase, ReportPicture, ReportStatus, write_report};
use roundel::io::{
    FileBelow, OutputKind, Overwriting, check_output_folder, compare_each, compare_files,
    compare_files_with_difference, read_picture_within,
};
use roundel::{Budget, Error, Frame, Result};
use serde_json::{Value, json};

use super::CommandOutcome;
use super::junit;
use super::limits::ImageLimitFlags;
use super::output::{Force, check_format, check_overwriting, message, print};
use super::pairs::{FilePair, is_picture, pairs};

/// Compare images, or folders of images
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  roundel compare expected.png actual.png --diff diff.png
  roundel compare before/ after/ --report report.html --junit results.xml
  roundel compare a.png b.png --threshold 0.1 --ignore-antialiasing
  roundel compare a.png b.png --flip 0.01 --mask 0,0,200,40
  roundel compare tests/golden target/golden/PACKAGE --report report.html

Films (animated PNG, GIF and WebP) are compared frame by frame, with the time for which each is shown. The limits apply to every \
frame, and the difference image is that of the first frame that differs.

In folders, files of the same name are compared. NAME.actual.png, which a failed golden test leaves, is compared with \
NAME.png; a folder of such files need not have all pictures.

Exit status: 0 they agree; 1 they differ; 2 an error.")]
pub(super) struct CompareArguments {
    /// The expected image, or a folder of images
    #[arg(value_name = "EXPECTED")]
    expected: PathBuf,
    /// The image to compare with it, or a folder of images
    #[arg(value_name = "ACTUAL")]
    actual: PathBuf,
    /// Write a difference image: a PNG, or for folders a folder of PNGs
    #[arg(long, value_name = "PATH")]
    diff: Option<PathBuf>,
    /// Write a page that shows the images: one HTML file that contains everything
    #[arg(long, value_name = "HTML")]
    report: Option<PathBuf>,
    /// Print the results as one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    force: Force,
    /// Write the results as JUnit XML
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    #[command(flatten)]
    rules: RuleFlags,
    #[command(flatten)]
    limits: ImageLimitFlags,
}

/// How much may differ.
#[derive(Debug, Args)]
#[command(next_help_heading = "Allowed differences (none by default)")]
pub(super) struct RuleFlags {
    /// Allow channels to differ by this much, 0 to 255
    #[arg(long, value_name = "STEPS", group = "metric")]
    tolerance: Option<f64>,
    /// Allow colours to look this different, 0 to 1, in YIQ; pixelmatch 7's default is 0.1
    #[arg(long, value_name = "DISTANCE", group = "metric")]
    threshold: Option<f64>,
    /// Allow colours to look this different, 0 to 1, in OKLab; pixelmatch 8's default is 0.1
    #[arg(long, value_name = "DISTANCE", group = "metric")]
    oklab: Option<f64>,
    /// Allow this mean FLIP error, 0 to 1
    #[arg(long, value_name = "MEAN", group = "metric")]
    flip: Option<f64>,
    /// Distance of FLIP's observer, in pixels per degree
    #[arg(long, value_name = "PPD", requires = "flip", default_value_t = 67.0)]
    pixels_per_degree: f32,
    /// Ignore pixels that are only an edge's anti-aliasing
    #[arg(long)]
    ignore_antialiasing: bool,
    /// Allow this number of pixels to differ
    #[arg(long, value_name = "COUNT")]
    pixels: Option<u64>,
    /// Allow this share of the pixels to differ, 0 to 1
    #[arg(long, value_name = "SHARE", value_parser = share)]
    share: Option<f64>,
    /// Apply --pixels and --share to the densest N x N pixels instead of the whole picture, as pixelmatch 8 does
    #[arg(long, value_name = "N")]
    window: Option<u32>,
    /// Leave out the fully transparent parts of the expected image
    #[arg(long)]
    mask_transparent: bool,
    /// Leave out a rectangle; can be repeated
    #[arg(long, value_name = "X,Y,W,H", value_parser = rectangle, allow_hyphen_values = true)]
    mask: Vec<Rectangle>,
    /// Leave out the pixels that are neither black nor fully transparent in this image
    #[arg(long, value_name = "PNG")]
    mask_image: Option<PathBuf>,
}

impl RuleFlags {
    /// A golden with these rules.
    pub(super) fn options(&self, budget: Budget) -> Result<CompareOptions> {
        let metric = match (self.tolerance, self.threshold, self.oklab, self.flip) {
            (Some(tolerance), ..) => Metric::Channels { tolerance },
            (_, Some(threshold), ..) => Metric::Yiq { threshold },
            (_, _, Some(threshold), _) => Metric::Oklab { threshold },
            (.., Some(largest_mean)) => Metric::Flip { largest_mean, pixels_per_degree: self.pixels_per_degree },
            (None, None, None, None) => Metric::EXACT,
        };
        let limits = Limits::given(metric, self.pixels, self.share, self.window)?;
        let mut mask = if self.mask_transparent { Mask::new().with_transparent_parts() } else { Mask::new() };
        mask = self.mask.iter().copied().fold(mask, Mask::with_rectangle);
        if let Some(path) = &self.mask_image {
            mask = mask.with_picture(read_picture_within(path, &budget)?);
        }
        let antialiasing = if self.ignore_antialiasing { Antialiasing::Ignored } else { Antialiasing::Counts };
        Ok(CompareOptions::default()
            .with_metric(metric)
            .with_antialiasing(antialiasing)
            .with_limits(limits)
            .with_mask(mask)
            .with_budget(budget))
    }
}

fn rectangle(text: &str) -> Result<Rectangle, String> {
    let parts: Result<Vec<u32>, _> = text.split(',').map(|part| part.trim().parse()).collect();
    match parts.as_deref() {
        Ok(&[x, y, width, height]) => Ok(Rectangle { x, y, width, height }),
        _ => Err("must be four whole numbers with commas between: x,y,width,height".to_owned()),
    }
}

/// Accepts a number; the library checks its range.
fn share(text: &str) -> Result<f64, String> {
    text.parse().map_err(|_| "must be a number from 0 to 1, such as 0.01 for one in a hundred".to_owned())
}

#[derive(Debug)]
struct ComparedPair {
    name: String,
    outcome: PairOutcome,
    expected: PathBuf,
    actual: PathBuf,
    seen: Seen,
}

/// The facts that a report shows of a pair beside its files.
#[derive(Debug, Default)]
struct Seen {
    difference: Option<ReportPicture>,
    /// The first frames that differ, of films.
    frames: Vec<ReportCase>,
}

/// The most frames of a film that a report shows.
const FRAMES: usize = 24;

#[derive(Debug)]
enum PairOutcome {
    Compared(Box<Comparison>),
    /// Only in the actual folder.
    New,
    /// Only in the expected folder.
    Missing,
    /// One of the files cannot be read, or the rules do not fit the pictures.
    Failed(String),
}

impl ComparedPair {
    fn status(&self) -> ReportStatus {
        match &self.outcome {
            PairOutcome::Compared(comparison) => ReportStatus::of(comparison),
            PairOutcome::New => ReportStatus::New,
            PairOutcome::Missing | PairOutcome::Failed(_) => ReportStatus::Missing,
        }
    }

    /// The status in `--json`.
    fn status_name(&self) -> &'static str {
        if let PairOutcome::Failed(_) = self.outcome { "failed" } else { self.status().name() }
    }

    fn is_same(&self) -> bool {
        self.status() == ReportStatus::Same
    }

    fn summary(&self) -> String {
        match &self.outcome {
            PairOutcome::Compared(comparison) => comparison.summary(),
            PairOutcome::New => "new: there is no expected image".to_owned(),
            PairOutcome::Missing => "missing".to_owned(),
            PairOutcome::Failed(reason) => reason.clone(),
        }
    }

    fn into_case(self) -> ReportCase {
        let (status, summary) = (self.status(), self.summary());
        let regions = match self.outcome {
            PairOutcome::Compared(comparison) => comparison.regions,
            PairOutcome::New | PairOutcome::Missing => Vec::new(),
            PairOutcome::Failed(_) => return ReportCase::new(self.name, status, summary),
        };
        let mut case = ReportCase::new(self.name, status, summary).with_regions(regions);
        if !self.seen.frames.is_empty() {
            return case.with_frames(self.seen.frames);
        }
        if status != ReportStatus::New {
            case = case.with_expected(ReportPicture::File(self.expected));
        }
        if matches!(status, ReportStatus::Changed | ReportStatus::New) {
            case = case.with_actual(ReportPicture::File(self.actual));
        }
        case.difference = self.seen.difference;
        case
    }
}

pub(super) fn run(arguments: &CompareArguments) -> Result<CommandOutcome> {
    let options = arguments.rules.options(arguments.limits.budget())?;
    let (expected, actual) = (&arguments.expected, &arguments.actual);
    check_outputs(arguments)?;
    let pairs = match (is_folder(expected)?, is_folder(actual)?) {
        (true, true) => compare_folders(arguments, &options)?,
        (false, false) => {
            let (expected, actual) = (expected.clone(), actual.clone());
            let name = actual.display().to_string();
            let save = |image: &Frame| arguments.diff.as_ref().map_or(Ok(()), |path| image.save_png(path));
            vec![compare_pair(name, expected, actual, &save, arguments, &options)?]
        }
        (true, false) => return Err(mixed(expected, actual)),
        (false, true) => return Err(mixed(actual, expected)),
    };
    if let Some(path) = &arguments.junit {
        let failure = |pair: &ComparedPair| (!pair.is_same()).then(|| pair.summary());
        let cases: Vec<_> = pairs.iter().map(|pair| (pair.name.clone(), failure(pair))).collect();
        junit::write(path, "roundel compare", &cases)?;
    }
    if arguments.json {
        let text = serde_json::to_string_pretty(&results(&pairs)).expect("results are numbers, texts and lists");
        print(&format!("{text}\n"))?;
    } else {
        let is_plain = |pair: &&ComparedPair| pair.summary() == "same";
        let told = pairs.iter().filter(|pair| !is_plain(pair));
        let mut text: String = told.map(|pair| format!("{}: {}\n", pair.name, pair.summary())).collect();
        let same = pairs.iter().filter(|pair| pair.is_same()).count();
        text += &match &pairs[..] {
            [one] if is_plain(&one) => "same\n".to_owned(),
            [_] => String::new(),
            all => format!("{same} of {} images agree\n", all.len()),
        };
        print(&text)?;
    }
    let verdict = if pairs.iter().any(|pair| matches!(pair.outcome, PairOutcome::Failed(_))) {
        CommandOutcome::Failed
    } else if pairs.iter().all(ComparedPair::is_same) {
        CommandOutcome::Done
    } else {
        CommandOutcome::Different
    };
    if let Some(path) = &arguments.report {
        let title = format!("{} and {}", arguments.expected.display(), arguments.actual.display());
        let cases: Vec<ReportCase> = pairs.into_iter().map(ComparedPair::into_case).collect();
        write_report(path, &title, &cases)?;
    }
    Ok(verdict)
}

/// Returns an error if an output would replace a compared picture, or a difference image is no PNG.
fn check_outputs(arguments: &CompareArguments) -> Result<()> {
    let CompareArguments { expected, actual, diff, report, junit, rules, force, .. } = arguments;
    let of_folders = expected.is_dir();
    if let Some(diff) = diff
        && !of_folders
    {
        check_format("diff", diff)?;
    }
    let inputs = [Some(expected), Some(actual), rules.mask_image.as_ref()];
    for (name, output) in [("diff", diff), ("report", report), ("junit", junit)] {
        let Some(output) = output.as_ref().and_then(|output| fs::canonicalize(output).ok()) else { continue };
        let is_input = |input: &PathBuf| {
            let is_inside = name != "diff" && is_picture(&output);
            fs::canonicalize(input).is_ok_and(|input| output == input || (is_inside && output.starts_with(&input)))
        };
        if inputs.into_iter().flatten().any(is_input) {
            let message = format!("must not be one of the pictures that are compared, got {}", output.display());
            return Err(Error::setting(name, message));
        }
    }
    // before anything is compared
    let overwriting = force.overwriting();
    for (name, path, kind) in [
        ("diff", diff.as_ref().filter(|_| !of_folders), OutputKind::Picture),
        ("report", report.as_ref(), OutputKind::Page),
        ("junit", junit.as_ref(), OutputKind::TestResults),
    ] {
        path.map_or(Ok(()), |path| check_overwriting(name, path, &[], kind, overwriting))?;
    }
    diff.as_ref().filter(|_| of_folders).map_or(Ok(()), check_output_folder)
}

fn mixed(folder: &Path, file: &Path) -> Error {
    let (folder, file) = (folder.display(), file.display());
    Error::setting("compare", format!("takes two images or two folders: {folder} is a folder, {file} is not"))
}

fn is_folder(path: &Path) -> Result<bool> {
    let found = fs::metadata(path).map_err(|source| Error::Io { action: "read", path: path.to_owned(), source })?;
    Ok(found.is_dir())
}

fn irregular_message(file: &Path) -> String {
    format!("must be regular files, got {}", file.display())
}

fn save_below(image: &Frame, folder: &Path, name: &str, overwriting: Overwriting) -> Result<()> {
    let png = image.encode_png();
    FileBelow::new(folder, name, OutputKind::Picture).with_overwriting(overwriting).write(|file| file.write_all(&png))
}

/// Writes a difference image, or says that there is none.
fn save_or_note(image: Option<&Frame>, name: &str, save: &dyn Fn(&Frame) -> Result<()>) -> Result<()> {
    if image.is_none() {
        let note = format!("{name}: no difference image is written: no two pictures of a similar shape differ");
        // a note that cannot be printed is not worth an error
        let _ = writeln!(io::stderr(), "note: {}", message(&note));
    }
    image.map_or(Ok(()), save)
}

/// The first file that is a pipe, a device or a folder.
fn irregular(files: [&Path; 2]) -> Option<&Path> {
    files.into_iter().find(|file| file.exists() && !file.is_file())
}

/// Compares two files, and draws the difference if it is saved or shown.
fn compare_pair(
    name: String,
    expected: PathBuf,
    actual: PathBuf,
    save: &dyn Fn(&Frame) -> Result<()>,
    arguments: &CompareArguments,
    options: &CompareOptions,
) -> Result<ComparedPair> {
    let (has_diff, has_report) = (arguments.diff.is_some(), arguments.report.is_some());
    let pipe = irregular([&expected, &actual]);
    if let Some(pipe) = pipe.filter(|_| has_report) {
        return Err(Error::setting("report", format!("shows the pictures, which {}", irregular_message(pipe))));
    }
    let with_difference = || compare_files_with_difference(&expected, &actual, options);
    let (comparison, image) = if pipe.is_some() {
        // a pipe can be read only once
        with_difference()?
    } else {
        let comparison = compare_files(&expected, &actual, options)?;
        let wanted = !comparison.is_same() && (has_diff || has_report);
        (comparison, if wanted { with_difference()?.1 } else { None })
    };
    if has_diff && !comparison.is_same() {
        save_or_note(image.as_ref(), &name, save)?;
    }
    let mut seen = Seen::default();
    if has_report && comparison.sequence.is_some() {
        seen.frames = differing_frames(&expected, &actual, options)?;
    } else if has_report {
        seen.difference = image.as_ref().map(ReportPicture::from);
    }
    Ok(ComparedPair { name, outcome: PairOutcome::Compared(Box::new(comparison)), expected, actual, seen })
}

/// The first frames of two films that differ, as a report shows them.
fn differing_frames(expected: &Path, actual: &Path, options: &CompareOptions) -> Result<Vec<ReportCase>> {
    let mut frames = Vec::new();
    compare_each(expected, actual, options, |pair| {
        if frames.len() < FRAMES {
            frames.push(ReportCase::of_frame(&pair, options)?);
        }
        Ok(())
    })?;
    Ok(frames)
}

/// Compares the files of two folders by name.
fn compare_folders(arguments: &CompareArguments, options: &CompareOptions) -> Result<Vec<ComparedPair>> {
    let (expected, actual) = (&arguments.expected, &arguments.actual);
    let compare = |FilePair { name, files }| {
        let outcome = match files {
            [Some(a), Some(b)] => {
                // a.jpg and a.png have differences of their own
                let png = if name.to_lowercase().ends_with(".png") { name.clone() } else { format!("{name}.png") };
                let save = |image: &Frame| match &arguments.diff {
                    Some(folder) => save_below(image, folder, &png, arguments.force.overwriting()),
                    None => Ok(()),
                };
                let (expected, actual) = (expected.join(a), actual.join(b));
                // a pipe would be waited for, a device may have no end
                let compared = match irregular([&expected, &actual]) {
                    Some(file) => Err(Error::setting("images", irregular_message(file))),
                    None => compare_pair(name.clone(), expected, actual, &save, arguments, options),
                };
                match compared {
                    Err(error @ (Error::Io { action: "write" | "create", .. } | Error::Occupied { .. })) => {
                        return Err(error);
                    }
                    // the other pairs are still compared
                    Err(error) => PairOutcome::Failed(error.to_string()),
                    compared => return compared,
                }
            }
            [Some(_), None] => PairOutcome::Missing,
            [None, Some(b)] => {
                let (expected, actual) = (expected.join(&name), actual.join(b));
                return Ok(ComparedPair { name, outcome: PairOutcome::New, expected, actual, seen: Seen::default() });
            }
            [None, None] => unreachable!("a name comes from a file"),
        };
        let (expected, actual) = (expected.join(&name), actual.join(&name));
        Ok(ComparedPair { name, outcome, expected, actual, seen: Seen::default() })
    };
    let pairs = pairs(expected, actual)?;
    if matches!(options.metric, Metric::Flip { .. }) {
        // each comparison uses all processors, and much memory
        return pairs.into_iter().map(compare).collect();
    }
    // the first error is that of the first pair, whichever is found first
    let compared: Vec<Result<ComparedPair>> = pairs.into_par_iter().map(compare).collect();
    compared.into_iter().collect()
}

fn results(pairs: &[ComparedPair]) -> Value {
    let count = |status| pairs.iter().filter(|pair| pair.status_name() == status).count();
    let images: Vec<Value> = pairs.iter().map(result).collect();
    json!({
        "same": count("same"), "changed": count("changed"), "new": count("new"), "missing": count("missing"),
        "failed": count("failed"),
        "images": images,
    })
}

fn result(pair: &ComparedPair) -> Value {
    let mut result = json!({ "name": pair.name, "status": pair.status_name() });
    if let PairOutcome::Compared(found) = &pair.outcome {
        /// The most regions listed, largest first: noise has a million.
        const LISTED: usize = 100;
        let regions = found.regions.iter().take(LISTED).map(region);
        let mut comparison = json!({
            "sizes": found.sizes, "compared": found.compared, "differing": found.differing,
            "antialiased": found.antialiased, "largest": found.largest, "mean": found.mean,
            "flip_mean": found.flip_mean, "first": found.first, "region_count": found.regions.len(),
            "regions": regions.collect::<Vec<Value>>(), "densest": found.densest.as_ref().map(region),
            "sequence": found.sequence.as_ref().map(sequence), "left_out": found.left_out,
        });
        if found.verdict == ComparisonVerdict::SizeMismatch {
            // no pixel was compared: a number could look like agreement
            for (key, value) in comparison.as_object_mut().into_iter().flatten() {
                if !["sizes", "sequence", "left_out"].contains(&&**key) {
                    *value = Value::Null;
                }
            }
        }
        result["comparison"] = comparison;
    }
    result
}

fn region(found: &Region) -> Value {
    json!({ "x": found.x, "y": found.y, "width": found.width, "height": found.height, "pixels": found.pixels })
}

fn sequence(found: &SequenceComparison) -> Value {
    let delay = found.delay.map(|delay| {
        let milliseconds = delay.delays.map(|delay| delay.as_micros() as f64 / 1000.0);
        json!({ "frame": delay.frame, "milliseconds": milliseconds })
    });
    json!({
        "frames": found.frames, "differing": found.differing, "first": found.first, "delay": delay, "plays": found.plays,
    })
}
