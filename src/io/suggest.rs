//! "Did you mean": the nearest of the names that there are, and text cut to fit a message.

/// The names more alike than this, on a scale from 0 to 1, are taken for misspellings of one another.
const ALIKE: f64 = 0.7;

/// Names longer than this are not compared (that takes time with the square of their length) and shown cut short.
const LONGEST: usize = 40;

/// Names shown before the rest is cut short.
const SHOWN: usize = 24;

/// The end of a message: the nearest name, if one is near, and the names there are.
pub(crate) fn hint<'a>(name: &str, known: impl Iterator<Item = &'a str> + Clone, what: &str) -> String {
    let likeness = |other: &str| strsim::jaro_winkler(&name.to_lowercase(), &other.to_lowercase());
    let nearest = known
        .clone()
        .filter(|other| name.len() <= LONGEST && other.len() <= LONGEST)
        .map(|other| (likeness(other), other))
        .filter(|&(likeness, _)| likeness > ALIKE)
        .reduce(|best, next| if next.0 > best.0 { next } else { best });
    let question = nearest.map(|(_, other)| format!("; did you mean {other:?}?")).unwrap_or_default();
    format!("{question} ({what}: {})", list(known))
}

/// Names, comma-separated, the first of them when there are very many.
pub(crate) fn list<'a>(names: impl Iterator<Item = &'a str> + Clone) -> String {
    let count = names.clone().count();
    let shown: Vec<_> = names.take(SHOWN).map(shortened).collect();
    let more = if count > SHOWN { format!(" and {} more", count - SHOWN) } else { String::new() };
    shown.join(", ") + &more
}

/// Text that fits a message.
pub(crate) fn shortened(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
