//! Which images of two folders are compared.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use roundel::{Error, Result};

/// Endings of the files that a failed golden test leaves.
const ACTUAL: &str = ".actual.png";
const DIFFERENCE: &str = ".diff.png";

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FilePair {
    /// The name in results.
    pub(super) name: String,
    /// The expected and the actual image, where they exist.
    pub(super) files: [Option<String>; 2],
}

/// Pairs the images of two folders: equal paths, and NAME.actual.png with NAME.png.
pub(super) fn pairs(expected: &Path, actual: &Path) -> Result<Vec<FilePair>> {
    let canonical = |path| fs::canonicalize(path).ok();
    let is_same_folder = canonical(expected) == canonical(actual);
    let pairs = pair_names(images(expected)?, images(actual)?, is_same_folder);
    if pairs.is_empty() {
        return Err(Error::setting("both folders", "contain no images"));
    }
    Ok(pairs)
}

fn pair_names(mut expected: BTreeSet<String>, mut actual: BTreeSet<String>, is_same_folder: bool) -> Vec<FilePair> {
    if is_same_folder {
        // a golden with leftovers of a failed test is compared with those, not with itself
        let left: BTreeSet<String> = expected.iter().filter_map(|file| golden_of(file)).collect();
        actual.retain(|file| !left.contains(file));
        expected.retain(|file| golden_of(file).is_none());
    }
    let mut pairs: BTreeMap<String, [Option<String>; 2]> = BTreeMap::new();
    let mut left_by_a_test = false;
    for file in actual {
        let name = if expected.contains(&file) { None } else { golden_of(&file) };
        left_by_a_test |= name.is_some();
        if file.ends_with(DIFFERENCE) && name.is_some() {
            continue;
        }
        let name = name.unwrap_or_else(|| file.clone());
        pairs.entry(name).or_default()[1] = Some(file);
    }
    for file in expected {
        if let Some(files) = pairs.get_mut(&file) {
            files[0] = Some(file);
        } else if !left_by_a_test {
            pairs.insert(file.clone(), [Some(file), None]);
        }
    }
    pairs.into_iter().map(|(name, files)| FilePair { name, files }).collect()
}

/// The golden of a file that a failed test left; `None` for other files.
fn golden_of(file: &str) -> Option<String> {
    let stem = file.strip_suffix(ACTUAL).or_else(|| file.strip_suffix(DIFFERENCE))?;
    Some(format!("{stem}.png"))
}

/// Whether a file is an image, by its extension.
pub(super) fn is_picture(path: &Path) -> bool {
    const ENDINGS: [&str; 16] = [
        "png", "jpg", "jpeg", "gif", "bmp", "webp", "tif", "tiff", "tga", "qoi", "ico", "dds", "ff", "pbm", "pgm",
        "ppm",
    ];
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_lowercase();
    ENDINGS.contains(&ending.as_str())
}

/// The paths of all images in a folder, by extension, relative to it.
fn images(folder: &Path) -> Result<BTreeSet<String>> {
    let mut found = BTreeSet::new();
    let mut queue = vec![PathBuf::new()];
    while let Some(below) = queue.pop() {
        let at = folder.join(&below);
        let unreadable = |source| Error::Io { action: "read", path: at.clone(), source };
        for entry in fs::read_dir(&at).map_err(unreadable)? {
            let entry = entry.map_err(unreadable)?;
            let path = below.join(entry.file_name());
            if entry.file_type().map_err(unreadable)?.is_dir() {
                queue.push(path);
            } else if is_picture(&path) {
                found.insert(path.to_string_lossy().into_owned());
            }
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pairs, written `name: expected actual`.
    fn paired(expected: &[&str], actual: &[&str], is_same_folder: bool) -> Vec<String> {
        let set = |files: &[&str]| files.iter().map(|&file| file.to_owned()).collect();
        let file = |file: &Option<String>| file.clone().unwrap_or_else(|| "-".to_owned());
        let pairs = pair_names(set(expected), set(actual), is_same_folder);
        pairs.iter().map(|pair| format!("{}: {} {}", pair.name, file(&pair.files[0]), file(&pair.files[1]))).collect()
    }

    #[test]
    fn files_of_one_name_are_paired_and_others_are_new_or_missing() {
        let found = paired(&["a.png", "b.png"], &["b.png", "deep/c.jpg"], false);
        assert_eq!(found, ["a.png: a.png -", "b.png: b.png b.png", "deep/c.jpg: - deep/c.jpg"]);
    }

    #[test]
    fn actual_pictures_are_paired_with_their_goldens() {
        let output = ["deep/a.actual.png", "deep/a.diff.png", "new.actual.png"];
        let found = paired(&["deep/a.png", "passes.png"], &output, false);
        assert_eq!(found, ["deep/a.png: deep/a.png deep/a.actual.png", "new.png: - new.actual.png"]);
        // a golden that is not a test's is not compared with a difference image
        let found = paired(&["a.diff.png"], &["a.diff.png"], false);
        assert_eq!(found, ["a.diff.png: a.diff.png a.diff.png"]);
        // two outputs
        let found = paired(&["a.actual.png"], &["a.actual.png"], false);
        assert_eq!(found, ["a.actual.png: a.actual.png a.actual.png"]);
    }

    #[test]
    fn actual_pictures_may_be_beside_their_goldens() {
        let files = ["a.actual.png", "a.diff.png", "a.png", "b.png"];
        assert_eq!(paired(&files, &files, true), ["a.png: a.png a.actual.png", "b.png: b.png b.png"]);
    }
}
