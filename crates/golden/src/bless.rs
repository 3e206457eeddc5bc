//! `ROUNDEL_BLESS`: which goldens are written instead of compared.

use std::collections::BTreeMap;
use std::env;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::variants::base_of_variant;
use roundel_image::error::{Error, Result};

pub(super) const VARIABLE: &str = "ROUNDEL_BLESS";

/// The variable that allows approving goldens in continuous integration.
const FORCE: &str = "ROUNDEL_FORCE";

/// The goldens to approve.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Bless {
    /// None: the variable is not set, or empty.
    None,
    /// Every golden that differs.
    All,
    /// The goldens with these names.
    Named(Vec<String>),
    /// None, because in continuous integration a new golden would be lost, or approved unseen.
    Refused,
}

/// The pictures that may be written for a golden.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Approved {
    Nothing,
    Golden,
    /// The variant of this name.
    Variant(String),
}

/// Whether goldens may be approved here: not if `CI` is set, unless `ROUNDEL_FORCE` is set, too.
fn is_allowed() -> bool {
    let is_set = |name| env::var_os(name).is_some_and(|value| !["", "0", "false"].iter().any(|no| value == *no));
    !is_set("CI") || is_set(FORCE)
}

impl Bless {
    pub(super) fn from_environment() -> Self {
        let wanted = env::var(VARIABLE).map_or(Self::None, |value| Self::parse(&value));
        if wanted == Self::None || is_allowed() { wanted } else { Self::Refused }
    }

    /// Parses `all`, or names separated by commas. Spaces around names and the ending `.png` are ignored.
    fn parse(value: &str) -> Self {
        let names: Vec<String> = value.split(',').map(|name| stem(name.trim()).to_owned()).collect();
        let names: Vec<String> = names.into_iter().filter(|name| !name.is_empty()).collect();
        match &names[..] {
            [] => Self::None,
            names if names.iter().any(|name| name == "all") => Self::All,
            _ => Self::Named(names),
        }
    }

    /// Returns the approval for the golden of this name. `PACKAGE/NAME`, as in reports of several packages, is accepted, too.
    pub(super) fn approval(&self, package: &str, name: &str) -> Approved {
        let in_package = |named: &str| -> String {
            let inner = named.strip_prefix(package).and_then(|rest| rest.strip_prefix('/'));
            inner.unwrap_or(named).to_owned()
        };
        match self {
            Self::None | Self::Refused => Approved::Nothing,
            Self::All => Approved::Golden,
            Self::Named(names) => {
                let names = || names.iter().flat_map(|named| [named.clone(), in_package(named)]);
                if names().any(|named| named == name) {
                    return Approved::Golden;
                }
                let variant = names().find(|named| base_of_variant(named) == Some(name));
                variant.map_or(Approved::Nothing, Approved::Variant)
            }
        }
    }

    /// Explains why a failing golden was not approved; `None` if the variable is not set.
    pub(super) fn complaint(&self) -> Option<String> {
        let names = match self {
            Self::None | Self::All => return None,
            Self::Refused => return Some(format!("the variable CI is set; {FORCE}=1 approves all the same")),
            Self::Named(names) => names,
        };
        let value = names.join(",");
        let is_switch = |name: &String| ["0", "1", "true", "false", "yes", "no", "on", "off"].contains(&&**name);
        Some(if names.iter().all(is_switch) {
            format!("{VARIABLE} must be names with commas between them, or all, got {value:?}")
        } else {
            format!("{VARIABLE} names {value:?}, not this golden")
        })
    }
}

/// Returns an error for a name that `ROUNDEL_BLESS` cannot contain, or that file systems interpret differently.
pub(super) fn check_name(name: &str) -> Result<()> {
    let is_part = |part: &str| !part.is_empty() && part != "." && part != "..";
    let message = if !name.split('/').all(is_part) {
        format!("must be a path inside the folder of goldens, got {name:?}")
    } else if name == "all" {
        format!("must not be all, which {VARIABLE} takes for every golden")
    } else if base_of_variant(name).is_some() {
        format!("must not end as the name of an accepted variant does, got {name:?}")
    } else if let Some(letter) = name.chars().find(|letter| letter.is_control() || ",\\".contains(*letter)) {
        format!("must not contain {letter:?}, which {VARIABLE} or a file system takes for something else, got {name:?}")
    } else {
        return Ok(());
    };
    Err(Error::setting("name", message))
}

/// Records the picture that a run writes to a golden.
///
/// # Errors
/// If another test of this process has written a different picture to it: no golden can satisfy both.
pub(super) fn record(run: &str, golden: &Path, png: &[u8]) -> Result<()> {
    static WRITTEN: Mutex<BTreeMap<(String, PathBuf), u64>> = Mutex::new(BTreeMap::new());
    let mut hasher = DefaultHasher::new();
    png.hash(&mut hasher);
    let hash = hasher.finish();
    let mut written = WRITTEN.lock().unwrap_or_else(PoisonError::into_inner);
    match written.insert((run.to_owned(), golden.to_owned()), hash) {
        Some(other) if other != hash => {
            let message = "is used by two tests with different pictures; give each golden a name of its own".to_owned();
            Err(Error::setting("name", message))
        }
        _ => Ok(()),
    }
}

/// A golden's name without the ending `.png`.
pub(super) fn stem(name: &str) -> &str {
    name.strip_suffix(".png").unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bless_value_names_goldens_or_all() {
        let named = |names: &[&str]| Bless::Named(names.iter().map(|&name| name.to_owned()).collect());
        for (value, expected) in [
            ("", Bless::None),
            (" , ", Bless::None),
            ("all", Bless::All),
            ("a,all", Bless::All),
            ("dashboard", named(&["dashboard"])),
            ("deep/leaf, big.png,", named(&["deep/leaf", "big"])),
            ("1", named(&["1"])),
        ] {
            assert_eq!(Bless::parse(value), expected, "{value:?}");
        }
        let approval = |value: &str, name: &str| Bless::parse(value).approval("charts", name);
        let variant = |name: &str| Approved::Variant(name.to_owned());
        for (value, name, expected) in [
            ("a,b", "b", Approved::Golden),
            ("a,b", "c", Approved::Nothing),
            ("charts/b", "b", Approved::Golden),
            ("other/b", "b", Approved::Nothing),
            ("deep/b", "deep/b", Approved::Golden),
            ("all", "c", Approved::Golden),
            ("", "c", Approved::Nothing),
            ("a,b@2", "b", variant("b@2")),
            ("charts/b.linux.png", "b", variant("b.linux")),
            ("b@2x", "b", Approved::Nothing),
        ] {
            assert_eq!(approval(value, name), expected, "{value} {name}");
        }
        assert_eq!(Bless::Refused.approval("charts", "c"), Approved::Nothing);
    }

    #[test]
    fn bless_value_that_is_a_switch_is_an_error_that_says_what_is_accepted() {
        assert_eq!(
            Bless::parse("1").complaint().as_deref(),
            Some("ROUNDEL_BLESS must be names with commas between them, or all, got \"1\"")
        );
        assert_eq!(
            Bless::parse("dashbord").complaint().as_deref(),
            Some("ROUNDEL_BLESS names \"dashbord\", not this golden")
        );
        assert_eq!((Bless::None.complaint(), Bless::All.complaint()), (None, None));
        assert!(Bless::Refused.complaint().is_some_and(|text| text.ends_with("ROUNDEL_FORCE=1 approves all the same")));
    }
}
