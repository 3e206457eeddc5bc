//! Texts of labels, from the columns of rows.

use std::collections::BTreeMap;

use super::column_plan::field_named;
use super::selections::{BadSelection, read_kind};
use super::vectors;
use crate::calendar::DatePrecision;
use crate::data::{Expression, Kind, NumberSource, Table};
use crate::did_you_mean::shortened;
use crate::figure::decimal;
use crate::formats::wanted::{Header, ValueRule, Wanted};

/// A label that the caller asks for: the rows, and their text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LabelRequest {
    pub(crate) of: Expression,
    pub(crate) text: LabelText,
}

/// A text with placeholders: `{column}` for the value of a row, `{column:.1}` for a number with one decimal.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LabelText(Vec<TextPart>);

#[derive(Clone, Debug, PartialEq)]
enum TextPart {
    Text(String),
    Value { column: String, decimals: Option<usize> },
}

/// A label: the rows of the table that it may stand beside, and its text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RowLabel {
    pub(crate) rows: Vec<usize>,
    pub(crate) text: String,
}

/// A label with its columns found in a table.
#[derive(Clone, Debug)]
pub(super) struct ResolvedLabel {
    /// The sources of values, in the order of the text.
    sources: Vec<NumberSource>,
    /// The columns that tell its shapes apart: rows that agree in all of them have one label. `None`: each row has its
    /// own.
    keys: Option<Vec<usize>>,
}

/// Columns that all atoms of a residue, or of a chain, share.
const OF_CHAINS: [&str; 4] = ["chain", "label_chain", "segment", "entity"];
const OF_RESIDUES: [&str; 4] = ["resname", "resid", "icode", "structure"];

/// Most decimals of a number.
const MOST_DECIMALS: usize = 17;

impl LabelText {
    /// Parses a text.
    ///
    /// # Errors
    /// Says what the text must be; continues a message that begins with the flag or key.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let wrong = || {
            let rule = "must be a text with columns in braces, such as '{resname} {resid}' or '{b_factor:.1}'";
            format!("{rule}, got {:?}", shortened(text))
        };
        let mut parts = Vec::new();
        let mut literal = String::new();
        let mut letters = text.chars().peekable();
        while let Some(letter) = letters.next() {
            match letter {
                '{' | '}' if letters.peek() == Some(&letter) => {
                    letters.next();
                    literal.push(letter);
                }
                '}' => return Err(wrong()),
                '{' => {
                    let mut inner = String::new();
                    loop {
                        match letters.next() {
                            Some('}') => break,
                            Some(letter) if letter != '{' => inner.push(letter),
                            _ => return Err(wrong()),
                        }
                    }
                    if !literal.is_empty() {
                        parts.push(TextPart::Text(std::mem::take(&mut literal)));
                    }
                    let (column, decimals) = match inner.rsplit_once(":.") {
                        Some((column, digits)) => {
                            let decimals = digits.parse().ok().filter(|digits| *digits <= MOST_DECIMALS);
                            (column, Some(decimals.ok_or_else(wrong)?))
                        }
                        None => (inner.as_str(), None),
                    };
                    if column.trim().is_empty() {
                        return Err(wrong());
                    }
                    parts.push(TextPart::Value { column: column.trim().to_owned(), decimals });
                }
                letter => literal.push(letter),
            }
        }
        if !literal.is_empty() {
            parts.push(TextPart::Text(literal));
        }
        if parts.is_empty() { Err(wrong()) } else { Ok(Self(parts)) }
    }

    /// The columns, each with its number of decimals, if given.
    pub(super) fn values(&self) -> impl Iterator<Item = (&str, Option<usize>)> {
        self.0.iter().filter_map(|part| match part {
            TextPart::Value { column, decimals } => Some((column.as_str(), *decimals)),
            TextPart::Text(_) => None,
        })
    }

    /// The text with values in place of the columns, in their order.
    pub(super) fn filled<'a>(&'a self, values: impl IntoIterator<Item = &'a str>) -> String {
        let mut values = values.into_iter();
        let part = |part: &'a TextPart| match part {
            TextPart::Text(text) => text.as_str(),
            TextPart::Value { .. } => values.next().unwrap_or_default(),
        };
        self.0.iter().map(part).collect::<String>().trim().to_owned()
    }

    /// Adds the columns to the wanted ones. `place` knows words that are no columns, such as `index`.
    pub(super) fn resolve(
        &self,
        file: &str,
        header: &Header,
        wanted: &mut Wanted,
        place: &dyn Fn(&str) -> Option<NumberSource>,
    ) -> Result<ResolvedLabel, BadSelection> {
        let (mut sources, mut names) = (Vec::new(), Vec::new());
        for (name, decimals) in self.values() {
            if let (None, Some(source)) = (field_named(header, name), place(name)) {
                sources.push(source);
                names.push(name);
                continue;
            }
            let field = field_named(header, name).ok_or_else(|| {
                let hint = vectors::column_hint(name, header, header.names());
                let rule = format!("must name columns of {file} in braces, got {:?}{hint}", shortened(name));
                BadSelection { key: "label", index: 0, rule }
            })?;
            let kind = read_kind(header.fields[field].kind);
            if matches!(kind, Kind::Name | Kind::Time) && decimals.is_some() {
                let what = if kind == Kind::Name { "names" } else { "dates" };
                let rule = format!("{} has {what}, which have no decimals", shortened(name));
                return Err(BadSelection { key: "label", index: 0, rule });
            }
            sources.push(NumberSource::Column(wanted.column(field, kind, ValueRule::Any)));
            names.push(header.fields[field].name.as_str());
        }
        let is_of_chains = names.iter().all(|name| OF_CHAINS.contains(name));
        let is_of_residues = names.iter().all(|name| OF_CHAINS.contains(name) || OF_RESIDUES.contains(name));
        let keys = is_of_residues.then(|| {
            // labels without columns, or with the chain alone, are drawn once for each text
            let columns: &[&str] = if is_of_chains { &[] } else { &["resid", "chain", "icode", "segment"] };
            let column = |name: &&str| {
                let field = header.find(name)?;
                let is_integer = header.fields[field].kind == Kind::Integer;
                let kind = if is_integer { Kind::Integer } else { Kind::Name };
                Some(wanted.column(field, kind, ValueRule::Any))
            };
            columns.iter().filter_map(column).collect()
        });
        Ok(ResolvedLabel { sources, keys })
    }

    pub(super) fn labels(&self, table: &Table<'_>, resolved: &ResolvedLabel, rows: &[usize]) -> Vec<RowLabel> {
        let values = resolved.sources.iter().zip(self.values());
        let values = values.map(|(source, (_, decimals))| texts(table, *source, rows, decimals));
        let values: Vec<Vec<String>> = values.collect();
        let text = |at: usize| self.filled(values.iter().map(|texts| texts[at].as_str()));
        let keys = resolved.keys.as_ref().map(|columns| {
            let columns = columns.iter().map(|column| texts(table, NumberSource::Column(*column), rows, None));
            columns.collect::<Vec<_>>()
        });
        let key = |at: usize| keys.as_ref().map(|keys| keys.iter().map(|texts| texts[at].clone()).collect::<Vec<_>>());
        let mut known: BTreeMap<(Vec<String>, String), usize> = BTreeMap::new();
        let mut labels: Vec<RowLabel> = Vec::new();
        for (at, row) in rows.iter().enumerate() {
            let text = text(at);
            if text.is_empty() {
                continue;
            }
            let place = match key(at) {
                None => labels.len(),
                Some(key) => *known.entry((key, text.clone())).or_insert(labels.len()),
            };
            match labels.get_mut(place) {
                Some(label) => label.rows.push(*row),
                None => labels.push(RowLabel { rows: vec![*row], text }),
            }
        }
        labels
    }
}

fn texts(table: &Table<'_>, source: NumberSource, rows: &[usize], decimals: Option<usize>) -> Vec<String> {
    if let NumberSource::Column(column) = source
        && table.columns[column].kind == Kind::Name
    {
        let names: Vec<&str> = table.columns[column].names.iter().collect();
        let codes: Vec<Option<u32>> = table.codes(column).collect();
        let name = |row: &usize| codes[*row].map_or_else(String::new, |code| names[code as usize].to_owned());
        return rows.iter().map(name).collect();
    }
    let numbers = table.source_numbers(source);
    if let NumberSource::Column(column) = source
        && table.columns[column].kind == Kind::Time
    {
        let precision = DatePrecision::of(numbers.iter().copied());
        let date = |date: f64| if date.is_nan() { String::new() } else { precision.written(date) };
        return rows.iter().map(|row| date(numbers[*row])).collect();
    }
    let text = |row: &usize| match (numbers[*row], decimals) {
        (number, _) if number.is_nan() => String::new(),
        (number, Some(decimals)) => format!("{number:.decimals$}"),
        (number, None) => decimal(number),
    };
    rows.iter().map(text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_have_columns_in_braces() {
        let text = LabelText::parse("{{x}} {resname} {b:.1}").expect("a text");
        let values: Vec<_> = text.values().collect();
        assert_eq!(values, [("resname", None), ("b", Some(1))]);
        assert_eq!(text.0[0], TextPart::Text("{x} ".to_owned()));
        for wrong in ["", "{", "{}", "a}", "{a{b}}", "{b:.x}", "{b:.99}"] {
            let message = LabelText::parse(wrong).expect_err(wrong);
            assert!(message.contains("columns in braces"), "{wrong}: {message}");
        }
    }
}
