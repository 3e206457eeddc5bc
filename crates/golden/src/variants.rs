//! Accepted variants of a golden: `NAME@2.png` to `NAME@9.png` everywhere, `NAME.linux.png` and `NAME.linux-aarch64.png`
//! where their names say.

use std::env::consts::{ARCH, OS};
use std::path::{Path, PathBuf};

/// Systems and processors that a variant may name, as Rust does.
const SYSTEMS: [&str; 6] = ["linux", "macos", "windows", "freebsd", "android", "ios"];
const PROCESSORS: [&str; 2] = ["x86_64", "aarch64"];

/// The golden and its variants that count on this machine and exist, the most specific first.
pub(super) fn existing(folder: &Path, name: &str) -> Vec<PathBuf> {
    let numbered = (2..=9).map(|number| format!("{name}@{number}"));
    let stems = of_this_machine(name).into_iter().chain([name.to_owned()]).chain(numbered);
    stems.map(|stem| folder.join(format!("{stem}.png"))).filter(|path| path.exists()).collect()
}

/// The name that is blessed without naming a variant: that of this system if it has a variant, else the golden's own.
pub(super) fn blessed(folder: &Path, name: &str) -> String {
    let own = of_this_machine(name).into_iter().find(|stem| folder.join(format!("{stem}.png")).exists());
    own.unwrap_or_else(|| name.to_owned())
}

fn of_this_machine(name: &str) -> [String; 2] {
    [format!("{name}.{OS}-{ARCH}"), format!("{name}.{OS}")]
}

/// The golden of which this is the name of a variant, for any system.
#[must_use]
pub fn base_of_variant(name: &str) -> Option<&str> {
    if let Some((base, number)) = name.rsplit_once('@') {
        return matches!(number.as_bytes(), [b'2'..=b'9']).then_some(base);
    }
    let (base, place) = name.rsplit_once('.')?;
    let (system, processor) = place.split_once('-').map_or((place, None), |(system, rest)| (system, Some(rest)));
    let is_place = SYSTEMS.contains(&system) && processor.is_none_or(|processor| PROCESSORS.contains(&processor));
    is_place.then_some(base)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variants_are_told_by_their_names() {
        for (name, base) in [
            ("chart@2", Some("chart")),
            ("deep/chart.linux", Some("deep/chart")),
            ("chart.linux-aarch64", Some("chart")),
            ("chart.macos", Some("chart")),
            ("chart", None),
            ("chart@2x", None),
            ("chart@1", None),
            ("chart@10", None),
            ("chart.dark", None),
            ("chart.linux-arm", None),
            ("linux", None),
        ] {
            assert_eq!(base_of_variant(name), base, "{name}");
        }
        // this machine's
        for name in of_this_machine("chart") {
            assert_eq!(base_of_variant(&name), Some("chart"), "{name}: {OS} or {ARCH} is not listed");
        }
    }
}
