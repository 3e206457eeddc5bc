//! Names, elements and residues of atoms for a trajectory, which has only positions.

use std::path::Path;

use super::list::{self, FormatKind};
use super::reading::Reading;
use super::recognition;
use super::request::{ColumnChoice, Contents, FrameRequest};
use super::virtual_sites::SITE;
use super::wanted::{Axes, Field, Header, ValueRule, Want, Wanted};
use crate::data::{FileBonds, Table, Values};
use crate::error::{Error, Result};
use crate::io::memory_quota::Quota;
use crate::io::source::columns::ColumnBuilder;
use crate::io::source::memory_files::FileSystem;

/// The atoms of a structure file, in its order, without positions.
#[derive(Debug)]
pub(crate) struct Topology {
    file: String,
    pub(super) fields: Vec<Field>,
    pub(super) columns: Vec<ColumnBuilder>,
    pub(super) chains: Option<usize>,
    /// Whether each atom is drawn; `None` if all are.
    pub(super) drawn: Option<Vec<bool>>,
    atoms: u64,
    /// Bonds between drawn rows.
    pub(super) bonds: FileBonds,
}

impl Topology {
    /// Reads the atoms of a PSF, a PRMTOP, or any format with named atoms.
    pub(crate) fn read(files: &FileSystem, path: &Path, quota: Quota) -> Result<Self> {
        let refuse = |message: String| Error::setting("topology", message);
        if files.reads_once(path) {
            return Err(refuse(format!("must be a file, got {}, which is a pipe", path.display())));
        }
        let input = files.open(path, quota)?;
        let format = recognition::format_of(&input)?;
        if matches!(format.kind(), FormatKind::Scene | FormatKind::Table) || format.takes_topology() {
            let names = "a PSF, a PRMTOP, or atoms with names, such as PDB or GRO";
            return Err(refuse(format!("must be {names}; {} is {format}", path.display())));
        }
        let file = input.name.clone();
        let choose = |header: &Header| {
            let all = header.fields.iter().enumerate();
            let columns = all.map(|(field, Field { kind, .. })| Want { field, kind: *kind, rule: ValueRule::Lenient });
            Ok(ColumnChoice {
                wanted: Wanted { axes: Axes::None, columns: columns.collect() },
                painter: None,
                names: None,
            })
        };
        let extent = FrameRequest { bonds: true, ..FrameRequest::default() };
        let mut reading = Reading::table(&file, extent, quota, choose);
        reading.keeps_virtual_sites = true;
        list::read(format, input, &mut reading)?;
        let Contents { header, table, facts, .. } = reading.finish();
        let atoms = table.rows() as u64;
        let columns: Vec<ColumnBuilder> = (0..header.fields.len()).map(|column| joined(&table, column)).collect();
        let element = header.find("element");
        let drawn = element.map(|element| {
            (0..table.rows()).map(|row| columns[element].name(row) != Some(SITE)).collect::<Vec<bool>>()
        });
        let drawn = drawn.filter(|drawn| drawn.contains(&false));
        let mut bonds = facts.bonds;
        if let Some(drawn) = &drawn {
            renumber(&mut bonds, drawn);
        }
        Ok(Self { file, fields: header.fields, columns, chains: header.chains, drawn, atoms, bonds })
    }

    /// Refuses a frame with another number of atoms.
    pub(super) fn check_atoms(&self, atoms: u64, file: &str) -> Result<()> {
        if atoms == self.atoms {
            return Ok(());
        }
        let message = format!("must have the atoms of {file}, {atoms}; {} has {}", self.file, self.atoms);
        Err(Error::setting("topology", message))
    }
}

/// Renumbers the atoms of bonds to the drawn rows, and drops bonds of other rows.
fn renumber(bonds: &mut FileBonds, drawn: &[bool]) {
    let mut next = 0;
    let place = |&is_drawn: &bool| {
        next += u32::from(is_drawn);
        is_drawn.then(|| next - 1)
    };
    let places: Vec<Option<u32>> = drawn.iter().map(place).collect();
    let place = |row: u32| places.get(row as usize).copied().flatten();
    bonds.rows.retain_mut(|bond| match bond.atoms.map(place) {
        [Some(first), Some(second)] => {
            bond.atoms = [first, second];
            true
        }
        _ => false,
    });
}

fn joined(table: &Table<'_>, column: usize) -> ColumnBuilder {
    let mut joined = ColumnBuilder::new(table.columns[column].kind);
    let names: Vec<&str> = table.columns[column].names.iter().collect();
    for values in table.values(column) {
        match (&mut joined, values) {
            (ColumnBuilder::F32(all), Values::F32(values)) => all.extend_from_slice(values),
            (ColumnBuilder::F64(all), Values::F64(values)) => all.extend_from_slice(values),
            (ColumnBuilder::Integers(all), Values::Integers(values)) => all.extend_from_slice(values),
            (ColumnBuilder::Colors(all), Values::Colors(values)) => all.extend_from_slice(values),
            (ColumnBuilder::Names(all), Values::Names(codes)) => {
                codes.iter().for_each(|&code| all.push(names[code as usize].as_bytes()));
            }
            _ => unreachable!("the blocks of a table have the types of its columns"),
        }
    }
    joined
}
