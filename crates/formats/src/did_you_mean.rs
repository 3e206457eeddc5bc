//! "Did you mean": the nearest known name, and text cut to fit a message.

/// Names above this Jaro-Winkler similarity, 0 to 1, count as misspellings of each other.
const ALIKE: f64 = 0.7;

/// Longer names are cut short in messages and not compared: comparing is quadratic in their length.
const LONGEST: usize = 40;

/// Most columns that a message lists: a file may have any number.
const SHOWN: usize = 24;

/// Most other names that a message lists, unless [`FEW`] or fewer would be left out.
const MOST: usize = 36;

/// Too few for an "and 3 more".
const FEW: usize = 8;

/// The end of a message: the nearest name, if one is near, and all names.
pub fn hint<'a>(name: &str, known: impl Iterator<Item = &'a str> + Clone, what: &str) -> String {
    let most = if known.clone().count() > MOST + FEW { MOST } else { usize::MAX };
    format!("{} ({what}: {})", question(name, known.clone()), list_of(known, most))
}

/// The end of a message: the nearest column, if one is near, and the columns of a file.
pub fn column_hint<'a>(name: &str, columns: impl Iterator<Item = &'a str> + Clone) -> String {
    format!("{} (columns: {})", question(name, columns.clone()), list(columns))
}

/// Asks whether the nearest name is meant, if one is near.
pub fn question<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> String {
    nearest(name, known).map(|other| format!("; did you mean {other:?}?")).unwrap_or_default()
}

/// The name that is most alike, if one is near.
pub fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let likeness = |other: &str| strsim::jaro_winkler(&name.to_lowercase(), &other.to_lowercase());
    let nearest = known
        // a single letter resembles anything
        .filter(|other| (2..=LONGEST).contains(&name.len()) && other.len() <= LONGEST)
        .map(|other| (likeness(other), other))
        .filter(|&(likeness, _)| likeness > ALIKE)
        .reduce(|best, next| if next.0 > best.0 { next } else { best });
    nearest.map(|(_, other)| other)
}

/// Names, comma-separated; only the first of very many.
pub fn list<'a>(names: impl Iterator<Item = &'a str> + Clone) -> String {
    list_of(names, SHOWN)
}

fn list_of<'a>(names: impl Iterator<Item = &'a str> + Clone, most: usize) -> String {
    let count = names.clone().count();
    let shown: Vec<_> = names.take(most).map(shortened).collect();
    let more = if count > most { format!(" and {} more", count - most) } else { String::new() };
    shown.join(", ") + &more
}

pub fn shortened(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
