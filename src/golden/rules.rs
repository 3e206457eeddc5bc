//! `golden.toml`: how much each case, or each case of a folder, may differ, and why.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::compare::{Antialiasing, CompareOptions, Limits, Mask, Metric, Rectangle};
use crate::error::{Error, Result};
use roundel_image::pictures::{open_regular, read_regular_picture};

/// The file's name, in the folder of the cases.
pub(crate) const FILE_NAME: &str = "golden.toml";

/// The largest size in bytes.
const LARGEST: u64 = 1 << 24;

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct RulesText {
    #[serde(default)]
    case: BTreeMap<String, CaseRule>,
    #[serde(default)]
    folder: BTreeMap<String, CaseRule>,
}

/// What may differ, by case and by folder.
#[derive(Debug, Default)]
pub(crate) struct Rules {
    cases: BTreeMap<String, CompareOptions>,
    folders: BTreeMap<String, CompareOptions>,
}

impl Rules {
    /// What may differ in a case: by a rule of its own, or else by that of the innermost folder that has one.
    pub(crate) fn of_case(&self, name: &str) -> Option<CompareOptions> {
        let folders = std::iter::successors(name.rsplit_once('/').map(|(folder, _)| folder), |folder| {
            folder.rsplit_once('/').map(|(outer, _)| outer)
        });
        let of_folder = || folders.chain(["."]).find_map(|folder| self.folders.get(folder));
        self.cases.get(name).or_else(of_folder).cloned()
    }

    /// Whether a rule names this case.
    pub(crate) fn names(&self, case: &str) -> bool {
        self.cases.contains_key(case)
    }
}

/// How much a case, or a case of a folder, may differ.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct CaseRule {
    /// The reason, which must be given.
    reason: String,
    /// Largest channel difference.
    tolerance: Option<f64>,
    /// YIQ threshold.
    threshold: Option<f64>,
    /// OKLab threshold.
    oklab: Option<f64>,
    /// Largest FLIP mean.
    flip: Option<f64>,
    pixels_per_degree: Option<f32>,
    #[serde(default)]
    ignore_antialiasing: bool,
    /// Largest number of differing pixels.
    pixels: Option<u64>,
    /// Largest share of differing pixels.
    share: Option<f64>,
    /// The side of the window that the two are counted in.
    window: Option<u32>,
    /// Whether transparent parts of the golden are left out.
    #[serde(default)]
    mask_transparent: bool,
    /// Rectangles that are left out: x, y, width, height.
    #[serde(default)]
    mask: Vec<[u32; 4]>,
    /// A mask picture, relative to the folder.
    mask_image: Option<PathBuf>,
}

/// Reads the folder's rules for these cases; none without the file.
pub(crate) fn read<'n>(folder: &Path, cases: impl Iterator<Item = &'n str> + Clone) -> Result<Rules> {
    let path = folder.join(FILE_NAME);
    if !path.exists() {
        return Ok(Rules::default());
    }
    let bad = |line, message: String| Error::Input { file: path.display().to_string(), line, message };
    let mut text = String::new();
    let read = open_regular(&path)?.take(LARGEST).read_to_string(&mut text);
    read.map_err(|source| Error::Io { action: "read", path: path.clone(), source })?;
    if text.len() as u64 == LARGEST {
        return Err(bad(None, format!("must have less than {LARGEST} bytes")));
    }
    let rules: RulesText = toml::from_str(&text).map_err(|error| {
        let line = error.span().map(|span| text[..span.start].matches('\n').count() as u64 + 1);
        bad(line, error.message().trim().replace('\n', " "))
    })?;
    let options = |kind: &str, name: &str, rule: CaseRule| {
        let wrong = |message: &str| bad(None, format!("{kind} {name:?}: {message}"));
        if rule.reason.trim().is_empty() {
            return Err(wrong("reason must say why the picture may differ"));
        }
        let rule = rule.options(folder).map_err(|error| wrong(&error.to_string()))?;
        let rule = rule.ok_or_else(|| wrong("only one of tolerance, threshold, oklab and flip can decide"))?;
        rule.check().map_err(|error| wrong(&error.to_string()))?;
        Ok(rule)
    };
    let mut found = Rules::default();
    for (name, rule) in rules.case {
        if !cases.clone().any(|case| case == name) {
            return Err(bad(None, format!("case {name:?} must be the name of a case in {}", folder.display())));
        }
        found.cases.insert(name.clone(), options("case", &name, rule)?);
    }
    for (name, rule) in rules.folder {
        let inner = name.trim_end_matches('/');
        if inner != "." && !cases.clone().any(|case| case.starts_with(&format!("{inner}/"))) {
            return Err(bad(
                None,
                format!("folder {name:?} must have cases in {}; \".\" is the folder itself", folder.display()),
            ));
        }
        found.folders.insert(inner.to_owned(), options("folder", &name, rule)?);
    }
    Ok(found)
}

impl CaseRule {
    /// The rule as options of a comparison; `None` if it names several metrics.
    fn options(self, folder: &Path) -> Result<Option<CompareOptions>> {
        let metric = match (self.tolerance, self.threshold, self.oklab, self.flip) {
            (None, None, None, None) => Metric::EXACT,
            (Some(tolerance), None, None, None) => Metric::Channels { tolerance },
            (None, Some(threshold), None, None) => Metric::Yiq { threshold },
            (None, None, Some(threshold), None) => Metric::Oklab { threshold },
            (None, None, None, Some(largest_mean)) => {
                Metric::Flip { largest_mean, pixels_per_degree: self.pixels_per_degree.unwrap_or(67.0) }
            }
            _ => return Ok(None),
        };
        let rectangle = |[x, y, width, height]: [u32; 4]| Rectangle { x, y, width, height };
        let mask = if self.mask_transparent { Mask::new().with_transparent_parts() } else { Mask::new() };
        let mut mask = self.mask.into_iter().map(rectangle).fold(mask, Mask::with_rectangle);
        if let Some(path) = self.mask_image {
            let path = folder.join(path);
            mask = mask.with_picture(read_regular_picture(&path)?);
        }
        let antialiasing = if self.ignore_antialiasing { Antialiasing::Ignored } else { Antialiasing::Counts };
        let limits = Limits::given(metric, self.pixels, self.share, self.window)?;
        let options = CompareOptions::default().with_metric(metric).with_antialiasing(antialiasing);
        Ok(Some(options.with_limits(limits).with_mask(mask)))
    }
}
