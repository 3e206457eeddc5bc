//! A golden and a picture that should equal it: how they compare, what a report shows, and the golden's replacement.

use std::fs;
use std::path::{Path, PathBuf};

use super::failures::Approval;
use super::report::{ReportCase, ReportPicture, ReportStatus};
use super::variants;
use crate::compare::{CompareOptions, Comparison, Picture, Sequence, Verdict};
use crate::compare_files::compare_with_file;
use roundel_image::error::{Error, Result};
use roundel_image::io::{FileBelow, OutputKind, Overwriting, read_picture};
use roundel_image::pictures::read_size;

/// The most frames of a film that a report shows.
pub const FRAMES: usize = 24;

/// A golden, and how much a picture may differ from it.
#[derive(Clone, Copy, Debug)]
pub struct Check<'a> {
    /// The folder of goldens.
    pub folder: &'a Path,
    /// The golden's path in the folder, without its ending.
    pub name: &'a str,
    /// How pictures are compared, and how much may differ.
    pub options: &'a CompareOptions,
}

/// How a picture compares with its golden and the golden's variants.
#[derive(Clone, Debug)]
pub enum Found {
    /// It equals one of them.
    Same,
    /// There is none.
    Missing {
        /// Another golden of the folder with the same pixels: perhaps it has been renamed.
        twin: Option<PathBuf>,
    },
    /// The file cannot be read, for this reason.
    Unreadable(String),
    /// It differs from all.
    Differs {
        /// The one that is nearest.
        golden: PathBuf,
        /// How it compares with this one.
        comparison: Box<Comparison>,
    },
}

impl Found {
    /// Whether the picture equals its golden.
    #[must_use]
    pub fn is_same(&self) -> bool {
        matches!(self, Self::Same)
    }

    /// One line.
    #[must_use]
    pub fn summary(&self) -> String {
        match self {
            Self::Same => "same".to_owned(),
            Self::Missing { twin: None } => "there is none yet".to_owned(),
            Self::Missing { twin: Some(twin) } => {
                format!("there is none yet, and {} has the same pixels: perhaps it has moved", twin.display())
            }
            Self::Unreadable(reason) => reason.clone(),
            Self::Differs { comparison, .. } => comparison.summary(),
        }
    }

    /// The share of pixels that differ: 1 if there is no golden to compare with, or it has another size.
    pub(super) fn share(&self) -> f64 {
        match self {
            Self::Same => 0.0,
            Self::Differs { comparison, .. } if comparison.compared > 0 => {
                comparison.differing as f64 / comparison.compared as f64
            }
            _ => 1.0,
        }
    }
}

impl Check<'_> {
    /// Compares a picture, or the pictures of a film, with the golden and its variants.
    ///
    /// # Errors
    /// If the options do not fit the pictures.
    pub fn compare(&self, actual: &Sequence<'_>) -> Result<Found> {
        let (mut nearest, mut unreadable): (Option<(PathBuf, Comparison)>, _) = (None, None);
        for golden in variants::existing(self.folder, self.name) {
            match compare_with_file(&golden, actual, self.options, &mut |_| Ok(())) {
                Ok(comparison) if comparison.is_same() => return Ok(Found::Same),
                Ok(comparison)
                    if nearest.as_ref().is_some_and(|(_, other)| distance(other) <= distance(&comparison)) => {}
                Ok(comparison) => nearest = Some((golden, comparison)),
                Err(error @ Error::Setting { .. }) => return Err(error),
                Err(error) => unreadable = Some(error.to_string()),
            }
        }
        Ok(match (nearest, unreadable) {
            (_, Some(reason)) => Found::Unreadable(reason),
            (Some((golden, comparison)), None) => Found::Differs { golden, comparison: Box::new(comparison) },
            (None, None) => Found::Missing { twin: self.twin(actual) },
        })
    }

    /// Another golden of the folder with exactly the same pixels.
    fn twin(&self, actual: &Sequence<'_>) -> Option<PathBuf> {
        let size = actual.frames().first()?.picture.size();
        let exact = CompareOptions::default();
        let mut queue = vec![self.folder.to_owned()];
        let mut found = Vec::new();
        while let Some(folder) = queue.pop() {
            for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
                let (path, kind) = (entry.path(), entry.file_type());
                if kind.as_ref().is_ok_and(fs::FileType::is_dir) {
                    queue.push(path);
                } else if kind.is_ok_and(|kind| kind.is_file())
                    && path.extension().is_some_and(|ending| ending == "png")
                    && read_size(&path).is_ok_and(|other| other == size)
                    && compare_with_file(&path, actual, &exact, &mut |_| Ok(())).is_ok_and(|found| found.is_same())
                {
                    found.push(path);
                }
            }
        }
        found.into_iter().min()
    }

    /// Makes the case of a report: the picture, and if it differs the golden and the difference.
    ///
    /// # Errors
    /// If a picture cannot be encoded.
    pub fn case(&self, found: &Found, title: &str, actual: &Sequence<'_>) -> Result<ReportCase> {
        let status = match found {
            Found::Same => ReportStatus::Same,
            Found::Differs { .. } => ReportStatus::Changed,
            Found::Missing { .. } | Found::Unreadable(_) => ReportStatus::New,
        };
        let case = ReportCase::new(title, status, found.summary())
            .with_actual(ReportPicture::Png(actual.encode_png()?))
            .with_share(found.share());
        let Found::Differs { golden, comparison } = found else { return Ok(case) };
        let mut frames = Vec::new();
        compare_with_file(golden, actual, self.options, &mut |pair| {
            if frames.len() < FRAMES {
                frames.push(ReportCase::of_frame(&pair, self.options)?);
            }
            Ok(())
        })?;
        let difference = frames.first().and_then(|frame| frame.difference.clone());
        let case = ReportCase { difference, ..case }
            .with_expected(ReportPicture::File(golden.clone()))
            .with_regions(comparison.regions.clone());
        Ok(if comparison.sequence.is_some() { case.with_frames(frames) } else { case })
    }

    /// The name under which a picture is blessed if no variant is named.
    #[must_use]
    pub fn blessed_name(&self) -> String {
        variants::blessed(self.folder, self.name)
    }

    /// Where approving the picture writes it.
    #[must_use]
    pub fn approval(&self) -> Approval {
        let golden = self.folder.join(format!("{}.png", self.blessed_name()));
        Approval { golden, keeps_transparent: self.options.mask.has_transparent_parts() }
    }

    /// The bytes of the golden after it is blessed. Transparent parts that are left out of the comparison stay.
    ///
    /// # Errors
    /// If the picture cannot be encoded.
    pub fn blessed_png(&self, found: &Found, actual: &Sequence<'_>) -> Result<Vec<u8>> {
        match found {
            Found::Differs { golden, .. } if self.options.mask.has_transparent_parts() => {
                with_transparent_parts(golden, actual)?.encode_png()
            }
            _ => actual.encode_png(),
        }
    }

    /// Writes the golden, or a variant of it, over a file of this kind.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, name: &str, png: &[u8], kind: OutputKind, overwriting: Overwriting) -> Result<PathBuf> {
        let name = format!("{name}.png");
        let file = FileBelow::new(self.folder, &name, kind).with_overwriting(overwriting);
        file.write(|file| file.write_all(png))?;
        Ok(file.path())
    }
}

/// Compares comparisons: fewer frames and pixels that differ are nearer, and pictures of another size are far.
fn distance(comparison: &Comparison) -> (bool, u64, u64) {
    let frames =
        comparison.sequence.as_ref().map_or(0, |found| found.differing + found.frames[0].abs_diff(found.frames[1]));
    (comparison.verdict == Verdict::SizeMismatch, frames, comparison.differing)
}

/// Makes pixels transparent that are so in a golden of the same size.
pub(super) fn with_transparent_parts(golden: &Path, actual: &Sequence<'_>) -> Result<Sequence<'static>> {
    let golden = read_picture(golden)?;
    let is_clear: Vec<bool> = match (golden.rgba8(), golden.rgba16()) {
        (Some(samples), _) => samples.iter().skip(3).step_by(4).map(|alpha| *alpha == 0).collect(),
        (_, Some(samples)) => samples.iter().skip(3).step_by(4).map(|alpha| *alpha == 0).collect(),
        _ => Vec::new(),
    };
    let mut kept = Sequence::new().with_plays(actual.plays());
    for frame in actual.frames() {
        let picture = if frame.picture.size() == golden.size() {
            cleared(&frame.picture, &is_clear)?
        } else {
            owned(&frame.picture)?
        };
        kept = kept.with_frame(picture, frame.delay);
    }
    Ok(kept)
}

fn cleared(picture: &Picture<'_>, is_clear: &[bool]) -> Result<Picture<'static>> {
    let (width, height) = picture.size();
    match (picture.rgba8(), picture.rgba16()) {
        (Some(samples), _) => Picture::from_rgba8(width, height, without(samples, is_clear)),
        (_, samples) => Picture::from_rgba16(width, height, without(samples.unwrap_or_default(), is_clear)),
    }
}

fn owned(picture: &Picture<'_>) -> Result<Picture<'static>> {
    cleared(picture, &[])
}

/// Samples with some pixels set to zero.
fn without<T: Copy + Default>(samples: &[T], is_clear: &[bool]) -> Vec<T> {
    let mut samples = samples.to_vec();
    for (pixel, _) in samples.chunks_mut(4).zip(is_clear).filter(|(_, is_clear)| **is_clear) {
        pixel.fill(T::default());
    }
    samples
}
