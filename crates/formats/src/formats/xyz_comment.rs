//! The comment line of extended XYZ: keys with values, such as `Lattice="…" Properties=species:S:1:pos:R:3 step=4`.

use glam::{DMat3, DVec3};

use crate::data::Cell;
use crate::did_you_mean::shortened;
use crate::source::number::number;

/// The most columns of one property.
const WIDEST: usize = 64;

/// A property of atoms: one or more columns of the same type.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Property {
    pub(super) name: String,
    /// `R`, `I`, `S` or `L`: numbers, whole numbers, text, truth values.
    pub(super) letter: char,
    /// The number of its columns.
    pub(super) width: usize,
}

/// The value of a key, without its quotes or brackets; letters of the key may differ in case. Text inside of values is
/// no key.
fn value_of<'a>(comment: &'a str, wanted: &str) -> Option<&'a str> {
    let mut rest = comment.trim_start();
    while !rest.is_empty() {
        let key_end = rest.find(|letter: char| letter == '=' || letter.is_whitespace()).unwrap_or(rest.len());
        let (key, after) = rest.split_at(key_end);
        let Some(text) = after.trim_start().strip_prefix('=') else {
            // a word without a value
            rest = after.trim_start();
            continue;
        };
        let (value, after) = value_and_rest(text.trim_start());
        if key.trim_matches('"').eq_ignore_ascii_case(wanted) {
            return Some(value);
        }
        rest = after.trim_start();
    }
    None
}

/// The value at the start of a text, and the text after it.
fn value_and_rest(text: &str) -> (&str, &str) {
    let end = match text.chars().next() {
        Some(quote @ ('"' | '\'')) => text[1..].find(quote).map(|end| (1, end + 1, end + 2)),
        Some('{') => text.find('}').map(|end| (1, end, end + 1)),
        Some('[') => matching_bracket(text).map(|end| (1, end, end + 1)),
        _ => None,
    };
    let (first, last, next) = end.unwrap_or_else(|| {
        let end = text.find(char::is_whitespace).unwrap_or(text.len());
        (0, end, end)
    });
    (&text[first..last], &text[next..])
}

/// The place of the bracket that closes the first one.
fn matching_bracket(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    text.char_indices().find_map(|(at, letter)| {
        match letter {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        (depth == 0).then_some(at)
    })
}

/// The properties of the atoms; `None` if the comment names none.
///
/// # Errors
/// A message, if `Properties` is malformed.
pub(super) fn properties(comment: &str) -> Option<Result<Vec<Property>, String>> {
    Some(parsed_properties(value_of(comment, "Properties")?))
}

fn parsed_properties(text: &str) -> Result<Vec<Property>, String> {
    let refuse = |found: &str| {
        let rule = "Properties must be triples name:type:columns with the type R, I, S or L, such as pos:R:3";
        format!("{rule}, got {:?}", shortened(found))
    };
    let parts: Vec<&str> = text.trim().split(':').collect();
    let (mut found, mut at) = (Vec::new(), 0);
    while at < parts.len() {
        let first = at;
        let mut name = parts[at].to_owned();
        // a name may contain two colons: mtt::energy
        while parts.get(at + 1) == Some(&"") && at + 2 < parts.len() {
            name = format!("{name}::{}", parts[at + 2]);
            at += 2;
        }
        let letter = parts.get(at + 1).filter(|letter| ["R", "I", "S", "L"].contains(letter));
        let width = parts.get(at + 2).and_then(|width| width.parse().ok()).filter(|width| (1..=WIDEST).contains(width));
        at += 3;
        let (Some(letter), Some(width), false) =
            (letter.and_then(|letter| letter.chars().next()), width, name.is_empty())
        else {
            return Err(refuse(&parts[first..parts.len().min(at)].join(":")));
        };
        found.push(Property { name, letter, width });
    }
    Ok(found)
}

/// The words of a value; some programs write commas between them, or brackets around them.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| letter.is_whitespace() || ",[]{}".contains(letter)).filter(|word| !word.is_empty())
}

/// The numbers of a value: `N`, or what is wrong with them.
fn numbers<const N: usize>(key: &str, text: &str) -> Result<[f64; N], String> {
    let finite = |word: &str| number(word.as_bytes()).filter(|value| value.is_finite());
    if let Some(word) = words(text).find(|word| finite(word).is_none()) {
        return Err(format!("{key} must be {N} numbers, got {:?}", shortened(word)));
    }
    let found: Vec<f64> = words(text).filter_map(finite).collect();
    let count = found.len();
    found.try_into().map_err(|_| format!("{key} must be {N} numbers, got {count}"))
}

/// The periodic box: three edges, or their lengths along the axes; the origin; and which edges are periodic. Parts that
/// cannot be read are left out, with a note each.
pub(super) fn lattice(comment: &str, notes: &mut Vec<String>) -> Option<Cell> {
    let mut noted = |found: Result<_, String>, without: &str| {
        found.map_err(|message| notes.push(format!("{message}; {without}"))).ok()
    };
    let text = value_of(comment, "Lattice")?;
    let edges = if words(text).count() == 3 {
        numbers("Lattice", text).map(|[x, y, z]: [f64; 3]| [x, 0.0, 0.0, 0.0, y, 0.0, 0.0, 0.0, z])
    } else {
        numbers::<9>("Lattice", text)
    };
    let edges = noted(edges.map(|edges| edges.to_vec()), "no box is drawn")?;
    let edges = <[f64; 9]>::try_from(edges).ok()?;
    let origin = value_of(comment, "Origin").map(|text| numbers::<3>("Origin", text).map(|origin| origin.to_vec()));
    let origin = origin.and_then(|origin| noted(origin, "the box begins at 0 0 0"));
    let origin = origin.and_then(|origin| <[f64; 3]>::try_from(origin).ok()).unwrap_or_default();
    let Some(mut cell) = Cell::new(DVec3::from(origin), DMat3::from_cols_array(&edges)) else {
        // programs write zeros for no box
        if edges.iter().any(|value| *value != 0.0) {
            notes.push("the edges of Lattice span no volume; no box is drawn".to_owned());
        }
        return None;
    };
    if let Some(text) = value_of(comment, "pbc") {
        let flags: Vec<Option<bool>> = flags_of(text).collect();
        match flags[..] {
            [Some(x), Some(y), Some(z)] => cell.periodic = [x, y, z],
            _ => notes.push(format!(
                "pbc must be three of T and F, got {:?}; the box is periodic along all edges",
                shortened(text)
            )),
        }
    }
    Some(cell)
}

/// Truth values, one each word or, without blanks, one each letter.
fn flags_of(text: &str) -> impl Iterator<Item = Option<bool>> {
    let letters = text.trim();
    let is_joined = letters.len() == 3 && letters.bytes().all(|letter| b"TtFf10".contains(&letter));
    let each: Vec<&str> = if is_joined {
        letters.split("").filter(|letter| !letter.is_empty()).collect()
    } else {
        words(letters).collect()
    };
    each.into_iter().map(|word| match word.to_ascii_lowercase().as_str() {
        "t" | "1" | "true" => Some(true),
        "f" | "0" | "false" => Some(false),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_whole_words_outside_of_values() {
        let comment = r#"note="Lattice=1 step=2" my_Lattice="9" lattice = "5 0 0 0 5 0 0 0 5" flag info={a=b} step=3"#;
        assert_eq!(value_of(comment, "Lattice"), Some("5 0 0 0 5 0 0 0 5"));
        assert_eq!(
            [value_of(comment, "step"), value_of(comment, "a"), value_of(comment, "flag")],
            [Some("3"), None, None]
        );
        assert_eq!(value_of("Lattice=[[1, 0], [0, 1]] pbc=TTF", "pbc"), Some("TTF"));
        for hostile in ["=", "a=", "a=\"", "a=[", "a='x", "== =", "\u{e9}=\u{e9}"] {
            value_of(hostile, "b");
        }
    }

    #[test]
    fn properties_are_triples() {
        let names = |text: &str| -> Vec<(String, char, usize)> {
            let found = properties(text).expect("properties").expect(text);
            found.into_iter().map(|Property { name, letter, width }| (name, letter, width)).collect()
        };
        let expected = [("species", 'S', 1), ("mtt::energy", 'R', 1), ("pos", 'R', 3)];
        let expected = expected.map(|(name, letter, width)| (name.to_owned(), letter, width));
        assert_eq!(names("Properties=species:S:1:mtt::energy:R:1:pos:R:3 step=1"), expected);
        assert_eq!(names("properties=\"species:S:1:mtt::energy:R:1:pos:R:3\""), expected);
        for broken in
            ["pos", "pos:R", "pos:R:0", "pos:X:3", "pos:R:3:", ":R:1", "a:b:R:1", "pos:R:99999999999999999999", "::"]
        {
            let message = properties(&format!("Properties={broken}")).expect("some").expect_err(broken);
            assert!(message.contains("such as pos:R:3, got"), "{message}");
        }
        assert_eq!(properties("no_Properties=x"), None);
    }

    #[test]
    fn broken_boxes_are_noted() {
        let of = |comment: &str| {
            let mut notes = Vec::new();
            let cell = lattice(comment, &mut notes);
            (cell.map(|cell| (cell.edges.z_axis.z, cell.origin.x, cell.periodic)), notes.join("\n"))
        };
        assert_eq!(of("Lattice=\"5 0 0 0 5 0 0 0 5\" pbc=TTF").0, Some((5.0, 0.0, [true, true, false])));
        assert_eq!(of("Lattice=\"2 3 4\" Origin=\"1,2,3\"").0, Some((4.0, 1.0, [true; 3])));
        assert_eq!(of("Lattice=[[5, 0, 0], [0, 5, 0], [0, 0, 5]]").0, Some((5.0, 0.0, [true; 3])));
        assert_eq!(of("Lattice=\"0 0 0 0 0 0 0 0 0\""), (None, String::new()));
        for (broken, note) in [
            ("Lattice=\"5.44 0.0 0.0 0.0 5.44 0.0 0.0 0.05.44\"", "Lattice must be 9 numbers, got \"0.05.44\""),
            ("Lattice=\"5 0 0 0 5 0 0 0\"", "Lattice must be 9 numbers, got 8"),
            ("Lattice=\"5 0 0 0 5 0 0 0 0\"", "the edges of Lattice span no volume"),
            ("Lattice=\"5 0 0 0 5 0 0 0 nan\"", "Lattice must be 9 numbers, got \"nan\""),
        ] {
            let (cell, found) = of(broken);
            assert!(cell.is_none() && found.starts_with(note) && found.ends_with("no box is drawn"), "{found}");
        }
        assert!(of("Lattice=\"2 3 4\" pbc=\"T T\"").1.starts_with("pbc must be three of T and F"));
    }
}
