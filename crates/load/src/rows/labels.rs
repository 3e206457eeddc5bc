//! Texts of labels, from the columns of rows.

use std::collections::BTreeMap;

use crate::calendar::DatePrecision;
use crate::data::{Expression, Kind, NumberSource, Table};
use crate::did_you_mean::shortened;
use crate::figure::decimal;
use crate::formats::wanted::{Header, ValueRule, Wanted};
use crate::options::label_text::LabelText;
use crate::rows::column_plan::field_named;
use crate::rows::computed::COPY;
use crate::rows::selections::{BadSelection, read_kind};
use crate::rows::vectors;

/// A label that the caller asks for: the rows, and their text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LabelRequest {
    pub(crate) of: Expression,
    pub(crate) text: LabelText,
}

/// A label: the rows of the table that it may stand beside, and its text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RowLabel {
    pub(crate) rows: Vec<usize>,
    pub(crate) text: String,
}

/// A label with its columns found in a table.
#[derive(Clone, Debug)]
pub(crate) struct ResolvedLabel {
    /// The sources of values, in the order of the text.
    sources: Vec<NumberSource>,
    /// The columns that tell its shapes apart: rows that agree in all of them have one label. `None`: each row has its
    /// own.
    keys: Option<Vec<usize>>,
}

/// Columns that all atoms of a residue, or of a chain, share.
const OF_CHAINS: [&str; 5] = ["chain", "label_chain", "segment", "entity", COPY];
const OF_RESIDUES: [&str; 4] = ["resname", "resid", "icode", "structure"];

impl LabelText {
    /// Adds the columns to the wanted ones. `place` knows words that are no columns, such as `index`.
    pub(crate) fn resolve(
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
            let columns: &[&str] = if is_of_chains { &[] } else { &["resid", "chain", "icode", "segment", COPY] };
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

    pub(crate) fn labels(&self, table: &Table<'_>, resolved: &ResolvedLabel, rows: &[usize]) -> Vec<RowLabel> {
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

/// The values of rows as text, empty where one is missing.
pub(crate) fn texts(table: &Table<'_>, source: NumberSource, rows: &[usize], decimals: Option<usize>) -> Vec<String> {
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
