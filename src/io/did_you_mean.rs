//! "Did you mean": the nearest known name, and text cut to fit a message.

/// The names more alike than this, on a scale from 0 to 1, are taken for misspellings of one another.
const ALIKE: f64 = 0.7;

/// Names longer than this are not compared (that takes time with the square of their length) and shown cut short.
const LONGEST: usize = 40;

/// Columns shown before the rest is cut short: a file may have any number.
const SHOWN: usize = 24;

/// Names of anything else: all are shown unless more than [`FEW`] would be left out.
const MOST: usize = 36;

/// Not worth an "and 3 more".
const FEW: usize = 8;

/// The end of a message: the nearest name, if one is near, and all names there are.
pub(crate) fn hint<'a>(name: &str, known: impl Iterator<Item = &'a str> + Clone, what: &str) -> String {
    let count = known.clone().count();
    let shown = if count > MOST + FEW { MOST } else { count };
    let all: Vec<_> = known.clone().take(shown).map(shortened).collect();
    let more = if count > shown { format!(" and {} more", count - shown) } else { String::new() };
    format!("{} ({what}: {}{more})", question(name, known), all.join(", "))
}

/// The end of a message: the nearest column, if one is near, and the columns of a file.
pub(crate) fn column_hint<'a>(name: &str, columns: impl Iterator<Item = &'a str> + Clone) -> String {
    format!("{} (columns: {})", question(name, columns.clone()), list(columns))
}

/// Asks whether the nearest name is meant, if one is near.
pub(crate) fn question<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> String {
    nearest(name, known).map(|other| format!("; did you mean {other:?}?")).unwrap_or_default()
}

/// The name that is most alike, if one is near.
pub(crate) fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let likeness = |other: &str| strsim::jaro_winkler(&name.to_lowercase(), &other.to_lowercase());
    let nearest = known
        // one letter is like anything
        .filter(|other| (2..=LONGEST).contains(&name.len()) && other.len() <= LONGEST)
        .map(|other| (likeness(other), other))
        .filter(|&(likeness, _)| likeness > ALIKE)
        .reduce(|best, next| if next.0 > best.0 { next } else { best });
    nearest.map(|(_, other)| other)
}

/// Names, comma-separated, the first of them when there are very many.
pub(crate) fn list<'a>(names: impl Iterator<Item = &'a str> + Clone) -> String {
    let count = names.clone().count();
    let shown: Vec<_> = names.take(SHOWN).map(shortened).collect();
    let more = if count > SHOWN { format!(" and {} more", count - SHOWN) } else { String::new() };
    shown.join(", ") + &more
}

pub(crate) fn shortened(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
