//! Evaluates selections to the rows of a table that they keep.

use rayon::iter::{IndexedParallelIterator, IntoParallelRefIterator, ParallelIterator};

use super::expression::{Class, Expression, ListItem, RESIDUE};
use crate::data::cubes::PointCubes;
use crate::data::residues::Residue;
use crate::data::table::{Lookup, NumberSource, Table};
use crate::data::values::Values;
use crate::source::date::date;

impl Expression {
    pub fn evaluate(&self, table: &Table<'_>, lookup: &Lookup<'_>) -> Vec<bool> {
        match self {
            Self::All => vec![true; table.rows()],
            Self::Nothing => vec![false; table.rows()],
            Self::First(count) => (0..table.rows() as u64).map(|row| row < *count).collect(),
            Self::Every(step) => (0..table.rows() as u64).map(|row| row.is_multiple_of(*step)).collect(),
            Self::Not(of) => of.evaluate(table, lookup).into_iter().map(|selected| !selected).collect(),
            Self::And(terms) => terms.iter().fold(vec![true; table.rows()], |selected, term| {
                join(selected, &term.evaluate(table, lookup), |a, b| a && b)
            }),
            Self::Or(terms) => terms.iter().fold(vec![false; table.rows()], |selected, term| {
                join(selected, &term.evaluate(table, lookup), |a, b| a || b)
            }),
            Self::Class(class) => {
                let columns = class.columns().iter().map(|column| lookup(column));
                let mut selected =
                    columns.zip(0..).map(|(source, place)| by_name(table, source, |name| class.has(name, place)));
                let first = selected.next().unwrap_or_else(|| vec![false; table.rows()]);
                let found = selected.fold(first, |selected, more| join(selected, &more, |a, b| a && b));
                match class {
                    // atoms of a polymer outside its backbone
                    Class::Sidechain => {
                        let polymer = by_name(table, lookup(Class::RESIDUES), |name| Class::Polymer.has(name, 0));
                        join(polymer, &found, |polymer, backbone| polymer && !backbone)
                    }
                    _ => found,
                }
            }
            Self::Same { column, of } => {
                let of = of.evaluate(table, lookup);
                match column {
                    Some(column) => alike(&keys(table, lookup(column)), &of),
                    None => {
                        let columns = RESIDUE.iter().map(|column| lookup(column));
                        // columns that the file lacks do not count
                        let columns = columns.filter(|source| *source != NumberSource::Index);
                        let columns: Vec<Vec<u64>> = columns.map(|source| keys(table, source)).collect();
                        same_run(&columns, &of)
                    }
                }
            }
            Self::Items { column, items } => {
                let any_case = column.eq_ignore_ascii_case("element");
                let source = lookup(column);
                if has_names(table, source) {
                    return by_name(table, source, |name| items.iter().any(|item| item.is_name(name, any_case)));
                }
                let numbers: Vec<(f64, f64)> = items.iter().filter_map(ListItem::range).collect();
                let within = |value: &f64| numbers.iter().any(|&(least, most)| least <= *value && *value <= most);
                table.source_numbers(source).iter().map(within).collect()
            }
            Self::Compare { left, comparison, right } => {
                let right = right.evaluate(table, lookup);
                let pairs = left.evaluate(table, lookup).into_iter().zip(right);
                pairs.map(|(value, number)| comparison.holds(value, number)).collect()
            }
            Self::Within { distance, of } => near(table, &of.evaluate(table, lookup), *distance),
        }
    }

    /// Calls `each` for every column of names that lacks wanted names, with these names.
    pub fn absent(&self, table: &Table<'_>, lookup: &Lookup<'_>, each: &mut impl FnMut(&str, &[&str])) {
        let mut absent_from = |name: &str, part: &Self| -> Result<(), std::convert::Infallible> {
            let Self::Items { items, .. } = part else { return Ok(()) };
            let any_case = name.eq_ignore_ascii_case("element");
            let NumberSource::Column(column) = lookup(name) else { return Ok(()) };
            if !has_names(table, NumberSource::Column(column)) {
                return Ok(());
            }
            let names = &table.columns[column].names;
            let is_absent = |item: &&ListItem| !names.iter().any(|name| item.is_name(name, any_case));
            let absent: Vec<&str> = items.iter().filter(is_absent).filter_map(ListItem::name).collect();
            if !absent.is_empty() {
                each(name, &absent);
            }
            Ok(())
        };
        let Ok(()) = self.columns(&mut absent_from);
    }
}

fn join(mut a: Vec<bool>, b: &[bool], join: impl Fn(bool, bool) -> bool) -> Vec<bool> {
    a.iter_mut().zip(b).for_each(|(a, &b)| *a = join(*a, b));
    a
}

fn has_names(table: &Table<'_>, source: NumberSource) -> bool {
    matches!(source, NumberSource::Column(column) if matches!(table.values(column).next(), Some(Values::Names(_))))
}

/// Selects the rows whose name in a column satisfies the predicate, which is called once per distinct name. Numbers
/// have no names.
fn by_name(table: &Table<'_>, source: NumberSource, wanted: impl Fn(&str) -> bool) -> Vec<bool> {
    let NumberSource::Column(column) = source else { return vec![false; table.rows()] };
    let known: Vec<bool> = table.columns[column].names.iter().map(wanted).collect();
    let rows = table.codes(column);
    rows.map(|code| code.is_some_and(|code| known[code as usize])).collect()
}

/// A hashable key of a column's value.
fn keys(table: &Table<'_>, source: NumberSource) -> Vec<u64> {
    match source {
        NumberSource::Column(column) if has_names(table, source) => {
            let codes = table.codes(column);
            codes.map(|code| code.map_or(u64::MAX, u64::from)).collect()
        }
        // 0 and -0 are the same number
        source => table.source_numbers(source).into_iter().map(|number| (number + 0.0).to_bits()).collect(),
    }
}

/// Selects the rows that share their value with a selected row.
fn alike(keys: &[u64], of: &[bool]) -> Vec<bool> {
    let mut chosen: Vec<u64> = keys.iter().zip(of).filter(|(_, selected)| **selected).map(|(key, _)| *key).collect();
    chosen.sort_unstable();
    chosen.dedup();
    keys.iter().map(|key| chosen.binary_search(key).is_ok()).collect()
}

/// Selects whole runs of rows with the same values in all columns, if a row of the run is selected. Runs, because
/// numbers of residues start again in large files.
fn same_run(columns: &[Vec<u64>], of: &[bool]) -> Vec<bool> {
    let mut selected = vec![false; of.len()];
    let mut start = 0;
    for row in 1..=of.len() {
        if row == of.len() || columns.iter().any(|keys| keys[row] != keys[row - 1]) {
            let is_selected = of[start..row].contains(&true);
            selected[start..row].fill(is_selected);
            start = row;
        }
    }
    selected
}

/// The names of backbone atoms: of proteins, then of nucleic acids.
const PROTEIN_LINKS: [&str; 7] = ["N", "CA", "C", "O", "OXT", "OT1", "OT2"];
const NUCLEIC_LINKS: [&str; 12] = ["P", "OP1", "OP2", "OP3", "O1P", "O2P", "O5'", "C5'", "C4'", "C3'", "O3'", "O5*"];

const METALS: [&str; 60] = [
    "LI", "BE", "NA", "MG", "AL", "K", "CA", "SC", "TI", "V", "CR", "MN", "FE", "CO", "NI", "CU", "ZN", "GA", "RB",
    "SR", "Y", "ZR", "NB", "MO", "TC", "RU", "RH", "PD", "AG", "CD", "IN", "SN", "CS", "BA", "LA", "CE", "PR", "ND",
    "SM", "EU", "GD", "TB", "DY", "HO", "ER", "TM", "YB", "LU", "HF", "TA", "W", "RE", "OS", "IR", "PT", "AU", "HG",
    "TL", "PB", "BI",
];

impl Class {
    /// Whether a name is of the kind; `place` is the index of its column in [`Class::columns`]. For side chains,
    /// whether it is of the backbone.
    fn has(self, name: &str, place: usize) -> bool {
        match self {
            Self::Backbone | Self::Sidechain if place > 0 => {
                PROTEIN_LINKS.contains(&name) || NUCLEIC_LINKS.contains(&name)
            }
            Self::Backbone | Self::Sidechain => matches!(Residue::of(name), Residue::Protein | Residue::Nucleic),
            Self::Lipid => Residue::of(name) == Residue::Lipid,
            Self::Metal => METALS.iter().any(|metal| metal.eq_ignore_ascii_case(name)),
            Self::Helix => name == "helix",
            Self::Sheet => name == "strand",
            Self::Protein => Residue::of(name) == Residue::Protein,
            Self::Nucleic => Residue::of(name) == Residue::Nucleic,
            Self::Polymer => matches!(Residue::of(name), Residue::Protein | Residue::Nucleic),
            Self::Water => Residue::of(name) == Residue::Water,
            Self::Ion => Residue::of(name) == Residue::Ion,
            Self::Ligand => !name.is_empty() && matches!(Residue::of(name), Residue::Other | Residue::Lipid),
            Self::Hydrogen => matches!(name, "H" | "D" | "T"),
        }
    }
}

impl ListItem {
    fn is_name(&self, name: &str, any_case: bool) -> bool {
        match self {
            Self::Range(..) => false,
            Self::Name(wanted) if any_case => matches(&wanted.to_lowercase(), &name.to_lowercase()),
            Self::Name(wanted) => matches(wanted, name),
        }
    }

    /// The name, unless the item is a range.
    fn name(&self) -> Option<&str> {
        match self {
            Self::Name(name) => Some(name),
            Self::Range(..) => None,
        }
    }

    /// The range of the item, ends included; `None` if it is neither a number nor a date.
    pub fn range(&self) -> Option<(f64, f64)> {
        match self {
            Self::Range(least, most) => Some((*least, *most)),
            Self::Name(text) => text.parse().ok().or_else(|| date(text.as_bytes())).map(|value| (value, value)),
        }
    }
}

/// Whether a name matches a pattern, in which `*` is any text.
fn matches(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = name.strip_prefix(first) else { return false };
    let Some(last) = parts.next_back() else { return rest.is_empty() };
    for part in parts {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

/// Selects the rows within a distance of a selected row.
fn near(table: &Table<'_>, of: &[bool], distance: f64) -> Vec<bool> {
    let place = |row: &(usize, usize)| {
        let positions = &table.blocks[row.0].positions;
        [0, 1, 2].map(|axis| positions.coordinate(row.1, axis)).map(|value| if value.is_nan() { 0.0 } else { value })
    };
    let rows = table.blocks.iter().enumerate().flat_map(|(block, of)| (0..of.rows()).map(move |row| (block, row)));
    let places: Vec<[f64; 3]> = rows.map(|row| place(&row)).collect();
    let selected = places.iter().zip(of).filter(|(_, of)| **of).map(|(place, _)| *place);
    let cubes = PointCubes::new(selected, distance.max(f64::MIN_POSITIVE));
    let is_near = |place: &[f64; 3]| cubes.near(*place).any(|square| square <= distance * distance);
    places.par_iter().with_min_len(1024).map(is_near).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::table::{Block, Positions};
    use crate::data::values::Kind;

    /// Six atoms in a row, a unit apart, in two blocks.
    fn table() -> Table<'static> {
        let mut table = Table::new([("name".to_owned(), Kind::Name), ("mass".to_owned(), Kind::F64)]);
        let names: Vec<Box<str>> = ["CA", "CB", "O5'", "HOH"].map(Into::into).to_vec();
        for (first, codes) in [(0_u8, [0, 1, 2]), (3, [3, 0, 3])] {
            let places = [0, 1, 2].map(|step| [f64::from(first + step), 0.0, 0.0]);
            let masses = [0, 1, 2].map(|step| if first + step == 5 { f64::NAN } else { f64::from(first + step) });
            let values = vec![Values::Names(codes.to_vec().into()), Values::F64(masses.to_vec().into())];
            let block = Block { positions: Positions::Space(places.to_vec().into()), values };
            table.push(block, &[names.clone(), Vec::new()]).expect("few names");
        }
        table
    }

    #[test]
    fn selections_keep_the_rows_that_they_say() {
        let table = table();
        for (text, expected) in [
            ("all", "111111"),
            ("none", "000000"),
            ("name CA", "100010"),
            ("name C*", "110010"),
            ("name *5*", "001000"),
            ("not name CA CB", "001101"),
            ("mass 1 3:4", "010110"),
            ("mass > 2", "000110"),
            ("mass != 2", "110110"),
            ("mass <= 1 or name O5'", "111000"),
            ("mass >= 1 and not (name HOH or mass = 4)", "011000"),
            ("every 4", "100010"),
            ("x > 3.5", "000011"),
            ("x 1:2 or index 5", "011001"),
            ("index < 2", "110000"),
            ("within 1 of mass = 2", "011100"),
            ("within 0 of mass 2 3", "001100"),
            ("within 0.9 of (name HOH and mass < 5)", "000100"),
            ("first 2", "110000"),
            ("first 100", "111111"),
            ("same name as index 0", "100010"),
            ("same mass as mass 1 2", "011000"),
            ("x^2 > 8.5", "000111"),
            ("abs(x - 2) < 1.5 and mass*2 = x + mass", "011100"),
            ("x > mass - 1 and not mass >= x + 0", "000000"),
            ("(x + 1) * 2 > 8", "000011"),
            ("(x > 3 or mass < 1)", "100011"),
            ("1 < x and -x < -3", "000011"),
        ] {
            // `O5'` has a quote in it
            let quoted = text.replace("O5'", "\"O5'\"");
            let expression = Expression::parse(&quoted).expect(text);
            let lookup = |name: &str| match name {
                "x" => NumberSource::Axis(0),
                "index" => NumberSource::Index,
                name => {
                    NumberSource::Column(table.columns.iter().position(|column| column.name == name).expect("a column"))
                }
            };
            let selected = expression.evaluate(&table, &lookup);
            let found: String = selected.iter().map(|&selected| if selected { '1' } else { '0' }).collect();
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn patterns_match_whole_names() {
        for (pattern, name, expected) in [
            ("C*", "CA", true),
            ("C*", "AC", false),
            ("*", "", true),
            ("*A*B", "xAyB", true),
            ("*A*B", "xAyBz", false),
            ("CA", "CAB", false),
            ("A*A", "A", false),
        ] {
            assert_eq!(matches(pattern, name), expected, "{pattern} and {name}");
        }
    }
}
