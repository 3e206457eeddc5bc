//! Parts of a file: the parsed rows of a piece, which are checked, summarized, and appended to a table or to spheres.

use super::painted::Painter;
use super::wanted::{Field, Header, ValueRule, Want, Wanted};
use crate::data::{Alternate, Block, Positions, Summary, Table, TablePart, Values};
use crate::did_you_mean::shortened;
use crate::geom::Origin;
use crate::scene::spheres::PaintedSphere;
use crate::source::piece::{Flaw, Piece};

/// Parses the rows of a piece. A trait object, so that the caller is compiled once for all formats.
pub(super) type Parse<'a> = dyn Fn(&Piece, &Wanted, u64) -> Result<TablePart, Flaw> + Sync + 'a;

/// Rows with an alternative place other than the first of their residue, in order.
pub(super) fn spare_rows(alternates: &[Alternate]) -> Vec<usize> {
    let residues = alternates.chunk_by(|a, b| a.residue == b.residue);
    let spare = |residue: &[Alternate]| -> Vec<usize> {
        let others = residue.iter().filter(|alternate| alternate.place != residue[0].place);
        others.map(|alternate| alternate.row).collect()
    };
    residues.flat_map(spare).collect()
}

/// The row of a shape; `spare` rows have no shape.
pub(super) fn row_of_shape(shape: u64, spare: &[usize]) -> u64 {
    spare.iter().fold(shape, |row, &spare| if spare as u64 <= row { row + 1 } else { row })
}

/// The first row that breaks a column's rule, and the message.
pub(super) fn broken_rule(part: &TablePart, wanted: &Wanted, header: &Header) -> Option<(usize, String)> {
    let broken = |(want, values): (&Want, &Values<'_>)| {
        if matches!(want.rule, ValueRule::Any | ValueRule::Lenient) {
            return None;
        }
        let breaks = |value: f64| !want.rule.accepts(value);
        let row = match values {
            // nearly all: the type is known before the loop
            Values::F32(values) => values.iter().position(|&value| breaks(f64::from(value))),
            values => values.numbers().position(breaks),
        }?;
        let value = values.number(row);
        let name = shortened(&header.fields[want.field].name);
        let shown = if value.abs() < 1e16 { value.to_string() } else { format!("{value:e}") };
        Some((row, format!("{name} must be {}, got {shown}", want.rule.accepted(value))))
    };
    wanted.columns.iter().zip(&part.block.values).filter_map(broken).min_by_key(|(row, _)| *row)
}

/// Parses a piece, and refuses values that break the rule of their column.
pub(super) fn parse_checked(
    piece: &Piece,
    wanted: &Wanted,
    header: &Header,
    parse: &Parse<'_>,
) -> Result<TablePart, Flaw> {
    let part = parse(piece, wanted, u64::MAX)?;
    if let Some((row, message)) = broken_rule(&part, wanted, header) {
        // parse again up to the row to find its place
        let at = parse(piece, wanted, row as u64).map_or_else(|flaw| flaw.at, |_| 0);
        return Err(Flaw { at, message });
    }
    Ok(part)
}

/// The part with its first `kept` columns alone, and the summaries of all fields.
pub(super) fn summarized(
    mut part: TablePart,
    wanted: &Wanted,
    kept: usize,
    fields: usize,
) -> (TablePart, Vec<Summary>) {
    let summary = |field| {
        let column = wanted.find(field).expect("every field is read");
        Summary::of(&part.block.values[column], &part.names[column])
    };
    let summaries = (0..fields).map(summary).collect();
    part.block.values.truncate(kept);
    part.names.truncate(kept);
    (part, summaries)
}

pub(super) fn merge(all: &mut Vec<Summary>, more: Vec<Summary>) {
    if all.is_empty() {
        *all = more;
    } else {
        let known = std::mem::take(all);
        *all = known.into_iter().zip(more).map(|(all, more)| all.with(more)).collect();
    }
}

/// The names and the texts of a row's fields, without empty fields.
pub(super) fn texts(part: &TablePart, row: usize, header: &Header) -> Vec<(String, String)> {
    let fields = header.fields.iter().zip(part.block.values.iter().zip(&part.names));
    let text = |(field, (values, names)): (&Field, (&Values<'_>, &Vec<Box<str>>))| {
        let text = match values {
            Values::Names(codes) => shortened(&names[codes[row] as usize]),
            Values::Colors(colors) => colors[row].to_string(),
            Values::F32(values) => values[row].to_string(),
            Values::F64(values) => values[row].to_string(),
            Values::Integers(values) => values[row].to_string(),
        };
        (!text.is_empty()).then(|| (field.name.clone(), text))
    };
    fields.filter_map(text).collect()
}

/// Reserves room for more spheres: grows by at least a quarter, where `Vec` would double.
pub(super) fn reserve(spheres: &mut Vec<PaintedSphere>, more: usize) {
    if spheres.capacity() - spheres.len() < more {
        spheres.reserve_exact(more.max(spheres.len() / 4));
    }
}

/// Appends the spheres of a part to a list, relative to an origin; returns the part without its values.
pub(super) fn painted(
    part: TablePart,
    painter: &Painter,
    origin: Origin,
    spheres: &mut Vec<PaintedSphere>,
) -> TablePart {
    painter.paint(&part.block, origin, spheres);
    TablePart { block: rows_alone(part.block.rows()), names: Vec::new(), ..part }
}

/// A block with only a number of rows.
pub(super) fn rows_alone(rows: usize) -> Block<'static> {
    Block { positions: Positions::Unknown(rows), values: Vec::new() }
}

/// Appends a part to a table with `rows` rows.
pub(super) fn push(
    table: &mut Table<'static>,
    part: TablePart,
    rows: u64,
    alternates: &mut Vec<Alternate>,
    unplaced: &mut u64,
) -> Result<(), String> {
    let start = usize::try_from(rows).expect("rows are in memory");
    alternates.extend(part.alternates.into_iter().map(|mut alternate| {
        alternate.row += start;
        alternate
    }));
    *unplaced += part.unplaced;
    if part.block.rows() == 0 {
        return Ok(());
    }
    table
        .push(part.block, &part.names)
        .map_err(|column| format!("{} must be one of 2^20 categories at most", shortened(&table.columns[column].name)))
}
