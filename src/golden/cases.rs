//! Finds the cases of a folder: scenes, and the PNGs beside them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use super::rules::FILE_NAME;
use crate::error::{Error, Result};
use roundel_golden::inner::{ACTUAL, DIFFERENCE, base_of_variant};

/// TOML files that are not scenes: the rules, and the hashes of `roundel selftest`.
const NOT_SCENES: [&str; 2] = [FILE_NAME, "manifest.toml"];

/// The file in a folder of temporary files, such as cargo's target folder, by which programs know it.
///
/// Source: B. Ford, "Cache Directory Tagging Specification", <https://bford.info/cachedir/>.
const CACHE_TAG: &str = "CACHEDIR.TAG";

/// The files of one case; at least one exists.
#[derive(Clone, Debug, Default)]
pub(super) struct Files {
    pub(super) scene: Option<PathBuf>,
    pub(super) image: Option<PathBuf>,
}

/// All cases by name: the path relative to the folder, without its ending, with `/` on every system. Pictures that a
/// check has left, and variants of goldens, are not cases.
pub(super) fn find(folder: &Path) -> Result<BTreeMap<String, Files>> {
    let mut cases = BTreeMap::new();
    walk(folder, "", &mut cases)?;
    let scenes: BTreeSet<String> =
        cases.iter().filter(|(_, files)| files.scene.is_some()).map(|(name, _)| name.clone()).collect();
    let is_variant = |name: &str| base_of_variant(name).is_some_and(|base| scenes.contains(base));
    cases.retain(|name, files| files.scene.is_some() || !is_left_by_check(name) && !is_variant(name));
    if cases.values().all(|case| case.scene.is_none()) {
        let goldens = if cases.is_empty() { "" } else { "; the goldens of a crate are compared by its tests" };
        let message =
            format!("must hold scenes (.toml, .json) beside PNGs, found none in {}{goldens}", folder.display());
        return Err(Error::setting("golden folder", message));
    }
    Ok(cases)
}

fn is_left_by_check(name: &str) -> bool {
    [ACTUAL, DIFFERENCE].iter().any(|ending| format!("{name}.png").ends_with(ending))
}

fn walk(folder: &Path, prefix: &str, cases: &mut BTreeMap<String, Files>) -> Result<()> {
    let unreadable = |source| Error::Io { action: "read", path: folder.to_owned(), source };
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        let path = entry.path();
        let (Some(stem), name) = (path.file_stem().and_then(|stem| stem.to_str()), entry.file_name()) else {
            continue;
        };
        // hidden files, such as those being written
        if stem.starts_with('.') || NOT_SCENES.iter().any(|other| name == *other) {
            continue;
        }
        // a link to a folder is not followed: it could lead to an endless loop
        if entry.file_type().map_err(unreadable)?.is_dir() {
            if path.join(CACHE_TAG).is_file() {
                continue;
            }
            walk(&path, &format!("{prefix}{}/", name.to_string_lossy()), cases)?;
            continue;
        }
        let name = format!("{prefix}{stem}");
        let ending = path.extension().and_then(|ending| ending.to_str());
        // reading a pipe would block, a device may have no end
        if matches!(ending, Some("toml" | "json" | "png")) && !path.is_file() {
            let message = format!("must hold regular files, got {}, which is none", path.display());
            return Err(Error::setting("golden folder", message));
        }
        match ending {
            Some("toml" | "json") => {
                let case: &mut Files = cases.entry(name).or_default();
                if let Some(other) = case.scene.replace(path.clone()) {
                    let message = format!("{} and {} have one image", other.display(), path.display());
                    return Err(Error::setting("golden folder", message));
                }
            }
            Some("png") => cases.entry(name).or_default().image = Some(path.clone()),
            _ => {}
        }
    }
    Ok(())
}
