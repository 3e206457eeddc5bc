//! `roundel golden bless --from`: approves pictures that a run has left, as they are.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Component, Path, PathBuf};

use roundel::golden::{Pending, pending};
use roundel::io::read_sequence;
use roundel::{Error, Result};
use roundel_golden::inner::{base_of_variant, quoted};

/// The most names that a message lists.
const LISTED: usize = 20;

/// Writes goldens into a repository; returns lines that name them. If a name is wrong, nothing is written.
pub(super) fn bless(repository: &Path, output: &Path, names: &[String]) -> Result<String> {
    let failing: Vec<Pending> = pending(output)?.into_iter().filter(|one| one.actual.is_file()).collect();
    let mut chosen: Vec<(&Pending, PathBuf)> = Vec::new();
    if names.iter().any(|name| name == "all") {
        for one in &failing {
            chosen.push((one, place(repository, one)?));
        }
    } else {
        for name in names {
            let (one, variant) = named(&failing, name)?;
            let golden = place(repository, one)?;
            chosen.push((one, variant.map_or(golden.clone(), |file| golden.with_file_name(file))));
        }
    }
    let mut written = BTreeSet::new();
    for (one, golden) in &chosen {
        if !written.insert(golden) {
            let message = format!("must name each golden once; two pictures are for {}", golden.display());
            return Err(Error::setting("bless", message));
        }
        // what is no picture never becomes a golden
        read_sequence(&one.actual)?;
    }
    let mut text = String::new();
    for (one, golden) in chosen {
        one.accept_as(repository, &golden)?;
        // writing into a string cannot fail
        let _ = writeln!(text, "blessed {} in {}", quoted(&one.name), quoted(&golden.to_string_lossy()));
    }
    Ok(if text.is_empty() { "nothing to bless\n".to_owned() } else { text })
}

/// The failure with a name, which need not begin with its package, and the file of the variant that the name asks for.
fn named<'p>(failing: &'p [Pending], name: &str) -> Result<(&'p Pending, Option<String>)> {
    let name = name.strip_suffix(".png").unwrap_or(name);
    let find = |name: &str| -> Vec<&'p Pending> {
        let in_package = |one: &&Pending| one.name.split_once('/').is_some_and(|(_, inner)| inner == name);
        match failing.iter().find(|one| one.name == name) {
            Some(one) => vec![one],
            None => failing.iter().filter(in_package).collect(),
        }
    };
    let (mut found, mut variant) = (find(name), None);
    if let (true, Some(base)) = (found.is_empty(), base_of_variant(name)) {
        found = find(base);
        variant = name.rsplit('/').next().map(|file| format!("{file}.png"));
    }
    let list = |of: &[&Pending]| {
        let names: Vec<String> = of.iter().take(LISTED).map(|one| format!("{:?}", one.name)).collect();
        names.join(", ") + if of.len() > LISTED { ", …" } else { "" }
    };
    match &found[..] {
        [one] => Ok((*one, variant)),
        [] if failing.is_empty() => {
            Err(Error::setting("bless", format!("must name a picture that fails, got {name:?}; none does")))
        }
        [] => {
            let all: Vec<&Pending> = failing.iter().collect();
            Err(Error::setting(
                "bless",
                format!("must name a picture that fails, got {name:?}; those are {}", list(&all)),
            ))
        }
        several => Err(Error::setting("bless", format!("{name:?} may be any of {}", list(several)))),
    }
}

/// Returns the path of a golden in the repository. Only pictures are written, and never into `.git`.
fn place(repository: &Path, one: &Pending) -> Result<PathBuf> {
    let inside = || {
        let root = std::fs::canonicalize(repository).ok()?;
        Some(one.golden.strip_prefix(root).ok()?.to_owned())
    };
    let golden = one.golden_in_repository.clone().or_else(inside);
    let is_folder = |part: Component<'_>| matches!(part, Component::Normal(name) if !name.eq_ignore_ascii_case(".git"));
    match golden {
        Some(golden)
            if golden.extension().is_some_and(|ending| ending == "png") && golden.components().all(is_folder) =>
        {
            Ok(golden)
        }
        _ => {
            let message = format!("must lie as a .png in {}, got {}", repository.display(), one.golden.display());
            Err(Error::setting("a golden", message))
        }
    }
}
