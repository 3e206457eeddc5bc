//! Frames of trajectories without names of atoms: positions and a box.

use super::reading::Reading;
use super::wanted::{Axes, Header};
use crate::data::{Block, Cell, Positions, TablePart};
use crate::error::Result;
use crate::io::source::pieces::Text;

/// Announces `atoms` positions, before memory is allocated for them.
pub(super) fn begin(text: &Text, reading: &mut Reading<'_>, atoms: u64) -> Result<bool> {
    let wanted = reading.begin(Header { fields: Vec::new(), has_positions: true, chains: None })?;
    reading.check_rows(atoms, || format!("{}: the frame promises {atoms} atoms", text.file))?;
    Ok(wanted.axes != Axes::None)
}

/// Adds the positions of the wanted frame, in ångström.
pub(super) fn finish(
    text: &Text,
    reading: &mut Reading<'_>,
    positions: Vec<[f32; 3]>,
    cell: Option<Cell>,
    wanted: bool,
) -> Result<()> {
    if let Some(atom) = positions.iter().position(|place| !place.iter().all(|value| value.is_finite())) {
        return Err(text.refuse(format!(
            "the position of atom {} must be finite, got {:?}",
            atom + 1,
            positions[atom]
        )));
    }
    reading.facts.cell = cell;
    let positions = if wanted { Positions::Space(positions.into()) } else { Positions::Unknown(positions.len()) };
    let block = Block { positions, values: Vec::new() };
    reading.push(TablePart { block, names: Vec::new(), alternates: Vec::new(), unplaced: 0 })
}
