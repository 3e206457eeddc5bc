//! Atoms that a reader holds in memory, column by column: names from the file or its topology, and positions. Used for
//! frames of trajectories, and for molecules whose text is not one line per atom.

use std::borrow::Cow;
use std::sync::Arc;

use super::reading::Reading;
use super::records::{self, BadRow, RecordColumn};
use super::topology::Topology;
use super::wanted::{Axes, Field, Header, Want, Wanted};
use crate::calendar::DatePrecision;
use crate::data::{Alternate, Block, Cell, Kind, Positions, TablePart, Values};
use crate::did_you_mean::shortened;
use crate::error::{Error, Result};
use crate::geom::single;
use crate::source::columns::ColumnBuilder;
use crate::source::rows::is_in_range;

#[derive(Clone, Debug, Default)]
pub(super) struct HeldAtoms {
    /// In ångström, or in the units of the simulation.
    pub(super) positions: Vec<[f64; 3]>,
    /// One for each announced field; `None` if it is not wanted.
    pub(super) columns: Vec<Option<ColumnBuilder>>,
    pub(super) cell: Option<Cell>,
    /// Rows that hold one of several places of an atom.
    pub(super) alternates: Vec<Alternate>,
}

impl HeldAtoms {
    pub(super) fn with_columns(fields: &[(&str, Kind)]) -> Self {
        let columns = fields.iter().map(|&(_, kind)| Some(ColumnBuilder::new(kind))).collect();
        Self { columns, ..Self::default() }
    }

    /// Adds the three columns of a vector of each atom; calls `read` only if one of them is wanted.
    pub(super) fn push_vectors(
        &mut self,
        announced: &Announced,
        reading: &Reading<'_>,
        read: impl FnOnce() -> Result<Vec<[f64; 3]>>,
    ) -> Result<()> {
        let first = self.columns.len();
        if !(first..first + 3).any(|field| announced.wants(reading, field)) {
            self.columns.extend([None, None, None]);
            return Ok(());
        }
        self.push_axes(&read()?);
        Ok(())
    }

    /// Adds the three columns of a vector of each atom.
    pub(super) fn push_axes(&mut self, vectors: &[[f64; 3]]) {
        let axis = |axis: usize| Some(ColumnBuilder::F32(vectors.iter().map(|vector| single(vector[axis])).collect()));
        self.columns.extend([0, 1, 2].map(axis));
    }

    /// Parses a value into a column; the error describes the accepted values.
    pub(super) fn put(&mut self, column: usize, text: &[u8]) -> Result<(), &'static str> {
        self.columns[column].as_mut().map_or(Ok(()), |column| column.push(text))
    }
}

/// Announces the fields and the number of atoms of a frame before they are read. `place` begins messages: the file, and
/// perhaps a line.
pub(super) fn begin(reading: &mut Reading<'_>, atoms: u64, fields: &[(&str, Kind)], place: &str) -> Result<Announced> {
    let topology = reading.take_topology();
    if let Some(topology) = &topology {
        topology.check_atoms(atoms, &reading.file)?;
        if reading.extent.bonds {
            reading.facts.bonds = topology.bonds.clone();
        }
    }
    let named = topology.as_ref().map_or(&[][..], |topology| &topology.fields[..]);
    let mut all = named.to_vec();
    let mut own = Vec::new();
    for &(name, kind) in fields {
        // the file's own values override the topology's
        let known = all.iter().position(|field| field.name == name);
        own.push(known.unwrap_or(all.len()));
        match known {
            Some(known) => all[known].kind = kind,
            None => all.push(Field::new(name, kind)),
        }
    }
    let chains = topology.as_ref().and_then(|topology| topology.chains).or_else(|| {
        // assemblies use the file's labels of chains
        let find = |chain: &str| fields.iter().position(|&(name, _)| name == chain);
        find("label_chain").or_else(|| find("chain")).map(|chain| own[chain])
    });
    let wanted = reading.begin(Header { fields: all, has_positions: true, chains })?;
    reading.check_rows(atoms, || format!("{place}: the frame promises {atoms} atoms"))?;
    Ok(Announced { wanted, own, topology })
}

#[derive(Debug)]
pub(super) struct Announced {
    wanted: Wanted,
    /// The index of each of the file's fields among all fields.
    own: Vec<usize>,
    topology: Option<Arc<Topology>>,
}

impl Announced {
    /// Whether a field of the file is wanted.
    pub(super) fn wants(&self, reading: &Reading<'_>, field: usize) -> bool {
        reading.wants_record() || self.wanted.find(self.own[field]).is_some()
    }

    pub(super) fn finish(self, reading: &mut Reading<'_>, atoms: HeldAtoms) -> Result<()> {
        let HeldAtoms { positions, columns, cell, alternates } = atoms;
        let rows = positions.len();
        if let Some(atom) = positions.iter().position(|place| !place.iter().all(|value| is_in_range(*value))) {
            let message = format!("the position of atom {} must be finite, got {:?}", atom + 1, positions[atom]);
            return Err(Error::input(&reading.file, None, message));
        }
        reading.facts.cell = cell.or(reading.facts.cell);
        let wanted = reading.wanted_of_next(rows as u64);
        let values = |want: &Want| -> Result<(Values<'static>, Vec<Box<str>>), BadRow> {
            let own = self.own.iter().position(|&field| field == want.field);
            let column = own.and_then(|own| columns[own].as_ref());
            let named = self.topology.as_ref().and_then(|topology| topology.columns.get(want.field));
            let name = || reading.field_name(want.field);
            let column = column.or(named).expect("every wanted column is held");
            Ok(converted(column, &name(), want, rows)?.finish())
        };
        let filled: Result<Vec<_>, BadRow> = wanted.columns.iter().map(values).collect();
        let (values, names) = filled.map_err(|bad| bad.error(&reading.file, "atom", 0))?.into_iter().unzip();
        let positions =
            if wanted.axes == Axes::None { Positions::Unknown(rows) } else { Positions::Space(positions.into()) };
        let mut part = TablePart { block: Block { positions, values }, names, alternates, unplaced: 0 };
        if let Some(kept) = self.topology.as_ref().and_then(|topology| topology.drawn.as_ref()) {
            part.block.retain(kept);
            let sites = kept.iter().filter(|kept| !**kept).count();
            reading.facts.notes.extend(super::virtual_sites::note(&reading.file, sites as u64));
        }
        reading.push(part)
    }
}

/// Converts a column to the wanted type; `name` is for messages.
pub(super) fn converted(own: &ColumnBuilder, name: &str, want: &Want, rows: usize) -> Result<ColumnBuilder, BadRow> {
    let parsed = |texts: &mut dyn Iterator<Item = Cow<'_, str>>| {
        let mut growing = ColumnBuilder::new(want.kind);
        for (row, text) in texts.enumerate() {
            want.push(&mut growing, text.as_bytes()).map_err(|accepted| {
                let message = format!("{} must be {accepted}, got {:?}", shortened(name), shortened(&text));
                BadRow { row, message }
            })?;
        }
        Ok(growing)
    };
    match (own, want.kind) {
        (ColumnBuilder::F32(_), Kind::F32)
        | (ColumnBuilder::F64(_), Kind::F64)
        | (ColumnBuilder::Integers(_), Kind::Integer)
        | (ColumnBuilder::Times(_), Kind::Time)
        | (ColumnBuilder::Colors(_), Kind::Color)
        | (ColumnBuilder::Names(_), Kind::Name) => Ok(own.clone()),
        (ColumnBuilder::Names(_), _) => parsed(&mut (0..rows).map(|row| own.name(row).unwrap_or_default().into())),
        (ColumnBuilder::Colors(colors), _) => parsed(&mut colors.iter().map(|color| color.to_string().into())),
        // not through `f64`, which has fewer digits than an `i64`, and more than an `f32`
        (ColumnBuilder::Integers(values), Kind::Name) => {
            let text = |value: &i64| if *value == Values::NO_INTEGER { "".into() } else { value.to_string().into() };
            parsed(&mut values.iter().map(text))
        }
        (ColumnBuilder::Times(values), Kind::Name) => {
            let precision = DatePrecision::of(values.iter().copied());
            let text = |value: &f64| if value.is_nan() { "".into() } else { precision.written(*value).into() };
            parsed(&mut values.iter().map(text))
        }
        (ColumnBuilder::F32(values), Kind::Name) => {
            let text = |value: &f32| if value.is_nan() { "".into() } else { value.to_string().into() };
            parsed(&mut values.iter().map(text))
        }
        _ => {
            let column = RecordColumn::number(name, want.kind, 0);
            records::column(&column, want, rows, |row, _| own.number(row))
        }
    }
}
