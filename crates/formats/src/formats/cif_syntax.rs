//! The syntax of CIF: tags, loops, and values in quotes or over several lines.

use std::collections::BTreeSet;

use super::cif::{ATOMS, DISPLACEMENTS, KEPT, has_coordinates};
use super::macromolecule::CifCategory;
use crate::error::Result;
use crate::source::pieces::Text;

/// The category and the item of a tag: `_cell.length_a` or, for small molecules, `_cell_length_a`. The category is in
/// lower case.
fn tag_parts(tag: &str) -> (String, &str) {
    if let Some((category, item)) = tag.split_once('.') {
        return (category.to_ascii_lowercase(), item);
    }
    let item = |category: &str| {
        let (start, item) = tag.split_at_checked(category.len())?;
        if start.eq_ignore_ascii_case(category) { item.strip_prefix('_') } else { None }
    };
    let known = KEPT.iter().filter_map(|category| Some((*category, item(category)?)));
    let (category, item) = known.max_by_key(|(category, _)| category.len()).unwrap_or((tag, ""));
    (category.to_ascii_lowercase(), item)
}

pub(super) fn first_word(line: &[u8]) -> &[u8] {
    line.split(is_blank).find(|word| !word.is_empty()).unwrap_or_default()
}

/// The category and the items of a loop. A loop with several categories is a loop of atoms if it has coordinates, or
/// else has no category.
pub(super) fn loop_items(text: &mut Text) -> Result<(String, Vec<String>)> {
    let (mut categories, mut items) = (BTreeSet::new(), Vec::new());
    let mut is_first = true;
    while let Some(line) = text.peek()? {
        let line = String::from_utf8_lossy(line).into_owned();
        let mut words = line.split_ascii_whitespace().skip(usize::from(is_first)).peekable();
        if !is_first && words.peek().is_some_and(|word| !word.starts_with(['_', '#'])) {
            break;
        }
        is_first = false;
        for tag in words.take_while(|word| word.starts_with('_')) {
            let (category, item) = tag_parts(tag);
            // for small molecules, both may share a loop
            let is_part = category == KEPT[DISPLACEMENTS] && categories.contains(KEPT[ATOMS]);
            items.push(if is_part { format!("aniso_{item}") } else { item.to_owned() });
            categories.insert(category);
        }
        text.line()?;
    }
    let category = if categories.len() == 1 || has_coordinates(&items) {
        if has_coordinates(&items) { Some(KEPT[ATOMS].to_owned()) } else { categories.pop_first() }
    } else {
        None
    };
    Ok((category.unwrap_or_default(), items))
}

/// Whether this line ends a loop.
pub(super) fn ends_loop(line: &[u8]) -> bool {
    match line.trim_ascii_start() {
        [] => false,
        [b'_', ..] => true,
        line => [&b"loop_"[..], b"data_", b"save_"]
            .iter()
            .any(|word| line.get(..5).is_some_and(|start| start.eq_ignore_ascii_case(word))),
    }
}

/// Whether a line is blank or a comment.
pub(super) fn is_comment(line: &[u8]) -> bool {
    matches!(line.trim_ascii_start(), [] | [b'#', ..])
}

pub(super) fn skip_loop(text: &mut Text) -> Result<()> {
    let mut in_text = false;
    while let Some(line) = text.peek()? {
        if !in_text && ends_loop(line) {
            break;
        }
        in_text ^= line.starts_with(b";");
        text.line()?;
    }
    Ok(())
}

pub(super) fn values(text: &mut Text, check: &dyn Fn(u64) -> Result<()>) -> Result<Vec<String>> {
    let mut values = Vec::new();
    while let Some(line) = text.peek()? {
        if line.starts_with(b";") {
            values.push(long_text(text)?);
            continue;
        }
        if ends_loop(line) {
            break;
        }
        values.extend(texts(line));
        check(values.len() as u64)?;
        text.line()?;
    }
    Ok(values)
}

/// A value over several lines, between lines that begin with a semicolon.
fn long_text(text: &mut Text) -> Result<String> {
    const LONGEST: usize = 1 << 20;
    let mut value = String::new();
    let mut first = true;
    while let Some(line) = text.line()? {
        if !first && line.starts_with(b";") {
            return Ok(value);
        }
        let line = if first { &line[1..] } else { line };
        value.push_str(&String::from_utf8_lossy(line));
        first = false;
        if value.len() > LONGEST {
            return Err(text.refuse("a text is longer than 1 MiB"));
        }
    }
    Err(text.refuse("a text has no end: no line that begins with a semicolon follows"))
}

pub(super) fn pair(text: &mut Text, kept: &mut [CifCategory]) -> Result<()> {
    let Some(line) = text.line()? else { return Ok(()) };
    let mut words = texts(line).into_iter();
    let (tag, value) = (words.next().unwrap_or_default(), words.next());
    let (category, item) = tag_parts(&tag);
    while value.is_none() && text.peek()?.is_some_and(is_comment) {
        text.line()?;
    }
    let value = match value {
        Some(value) => value,
        None => match text.peek()? {
            Some(line) if line.starts_with(b";") => long_text(text)?,
            // the value is alone on the next line
            Some(line) if !ends_loop(line) => {
                let value = texts(line).into_iter().next().unwrap_or_default();
                text.line()?;
                value
            }
            _ => return Ok(()),
        },
    };
    if let Some(index) = KEPT.iter().position(|known| *known == category) {
        kept[index].items.push(item.to_owned());
        kept[index].values.push(value);
    }
    Ok(())
}

/// Whether a byte separates values. One comparison is enough: values contain no control characters.
#[inline]
fn is_blank(byte: &u8) -> bool {
    *byte <= b' '
}

/// The values of a line as text.
fn texts(line: &[u8]) -> Vec<String> {
    ranges(line).into_iter().map(|(from, to)| String::from_utf8_lossy(&line[from..to]).into_owned()).collect()
}

/// [`split`] into a new list.
pub(super) fn ranges(line: &[u8]) -> Vec<(usize, usize)> {
    let mut places = Vec::new();
    split(line, &mut places);
    places
}

/// The ranges of the values of a line, without their quotes.
pub(super) fn split(line: &[u8], places: &mut Vec<(usize, usize)>) {
    places.clear();
    let mut at = 0;
    loop {
        while line.get(at).is_some_and(is_blank) {
            at += 1;
        }
        let Some(&first) = line.get(at) else { return };
        match first {
            b'#' => return,
            quote @ (b'\'' | b'"') => {
                let start = at + 1;
                // a quote ends the value only if a blank follows
                let ends = |&end: &usize| line[end] == quote && line.get(end + 1).is_none_or(u8::is_ascii_whitespace);
                let end = (start..line.len()).find(ends).unwrap_or(line.len());
                places.push((start, end));
                at = end + 1;
            }
            _ => {
                let start = at;
                while line.get(at).is_some_and(|byte| !is_blank(byte)) {
                    at += 1;
                }
                places.push((start, at));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_a_line_lose_their_quotes() {
        let split = |line: &str| {
            ranges(line.as_bytes()).iter().map(|&(from, to)| line[from..to].to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(split("ATOM 1 C  ? ."), ["ATOM", "1", "C", "?", "."]);
        assert_eq!(split(r#"HETATM "O5'" 'a b' 'it''s' "" # comment"#), ["HETATM", "O5'", "a b", "it''s", ""]);
        assert_eq!(split("'open"), ["open"]);
        assert_eq!(split("  "), [""; 0]);
    }

    #[test]
    fn tags_are_taken_apart() {
        for (tag, category, item) in [
            ("_atom_site.Cartn_x", "_atom_site", "Cartn_x"),
            ("_Atom_Site_fract_x", "_atom_site", "fract_x"),
            ("_atom_site_aniso_U_11", "_atom_site_aniso", "U_11"),
            ("_cell_length_a", "_cell", "length_a"),
            ("_symmetry_equiv_pos_as_xyz", "_symmetry_equiv", "pos_as_xyz"),
            ("_symmetry_Int_Tables_number", "_symmetry", "Int_Tables_number"),
            ("_space_group_symop_operation_xyz", "_space_group_symop", "operation_xyz"),
            ("_space_group_symop_magn_operation.xyz", "_space_group_symop_magn_operation", "xyz"),
            ("_space_group_name_H-M_alt", "_space_group", "name_H-M_alt"),
            ("_audit", "_audit", ""),
        ] {
            assert_eq!(tag_parts(tag), (category.to_owned(), item), "{tag}");
        }
    }
}
