//! Coordinates that are computed.

use crate::data::{Block, Kind, Positions, Table};
use crate::error::{Error, Result};
use crate::formats::wanted::{Axes, Header, ValueRule, Wanted};
use crate::geom::single;
use crate::rows::computed::{Computed, ComputedColumns, FrameRows, TrajectoryFrame};

impl ComputedColumns {
    /// Whether a coordinate is computed.
    pub(super) fn computes_places(&self, wanted: &Wanted) -> bool {
        wanted.axes.fields().iter().any(|&field| field >= self.own)
    }

    /// Whether a computed column needs no places: a formula of columns of the file.
    fn is_plain(&self, index: usize, header: &Header) -> bool {
        matches!(&self.computed[index].1, Computed::Formula(formula)
            if formula.columns().all(|name| header.find(name).is_some()))
    }

    /// Adds the columns of the file that computed coordinates need, and leaves its own coordinates out.
    pub(super) fn add_places(&self, file: &str, header: &Header, wanted: &Wanted, all: &mut Wanted) -> Result<()> {
        if !self.computes_places(wanted) {
            return Ok(());
        }
        let fields = wanted.columns.iter().map(|want| want.field).chain(wanted.axes.fields().iter().copied());
        if !fields.filter_map(|field| field.checked_sub(self.own)).all(|index| self.is_plain(index, header)) {
            return Err(Error::setting("compute", "of coordinates takes columns of the file alone"));
        }
        all.axes = Axes::None;
        for &field in wanted.axes.fields() {
            match field.checked_sub(self.own) {
                None => drop(all.column(field, Kind::F64, ValueRule::Any)),
                Some(index) => self.add_needed(file, header, &self.computed[index].1, all)?,
            }
        }
        Ok(())
    }

    /// Gives rows their coordinates, where some are computed.
    pub(super) fn placed(
        &self,
        file: &str,
        header: &Header,
        wanted: &Wanted,
        of_file: &Wanted,
        mut table: Table<'static>,
        frame: &TrajectoryFrame<'_>,
    ) -> Result<Table<'static>> {
        let rows = FrameRows { table: &table, inputs: &[], frame };
        let numbers = |&field: &usize| match field.checked_sub(self.own) {
            None => {
                let column = of_file.columns.iter().position(|want| want.field == field && want.kind != Kind::Name);
                Ok(column.map(|column| table.numbers(column).collect()).unwrap_or_default())
            }
            Some(index) => {
                let (name, computed) = &self.computed[index];
                computed.numbers(name, file, header, of_file, &rows)
            }
        };
        let along = wanted.axes.fields().iter().map(numbers).collect::<Result<Vec<Vec<f64>>>>()?;
        let mut start = 0;
        for block in &mut table.blocks {
            let rows = start..start + block.rows();
            start = rows.end;
            block.positions = match &along[..] {
                [x, y] => Positions::Plane(rows.map(|row| [x[row], y[row]]).collect()),
                [x, y, z] => Positions::Space(rows.map(|row| [x[row], y[row], z[row]]).collect()),
                _ => Positions::Unknown(rows.len()),
            };
        }
        Ok(table)
    }
}

/// Whether each row of a table has coordinates that shapes can have.
pub(crate) fn rows_with_places(table: &Table<'_>) -> Vec<bool> {
    let places = table.blocks.iter().flat_map(|block| (0..block.rows()).map(move |row| (block, row)));
    let is_placed = |(block, row): (&Block<'_>, usize)| match &block.positions {
        Positions::Plane(places) => places[row].iter().all(|along| along.is_finite()),
        Positions::Space(places) => places[row].iter().all(|along| single(*along).is_finite()),
        Positions::Unknown(_) => true,
    };
    places.map(is_placed).collect()
}
