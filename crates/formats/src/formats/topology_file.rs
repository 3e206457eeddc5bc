//! Reads the file that names the atoms of a trajectory.

use std::path::Path;

use super::list::{self, FormatKind};
use super::reading::Reading;
use super::recognition;
use super::request::{ColumnChoice, FrameRequest};
use super::topology::Topology;
use super::wanted::{Axes, Field, Header, ValueRule, Want, Wanted};
use crate::error::{Error, Result};
use crate::memory_quota::Quota;
use crate::source::memory_files::FileSystem;

/// Reads the atoms of a PSF, a PRMTOP, or any format with named atoms.
pub fn read_topology(files: &FileSystem, path: &Path, quota: Quota) -> Result<Topology> {
    let refuse = |message: String| Error::setting("topology", message);
    if files.reads_once(path) {
        return Err(refuse(format!("must be a file, got {}, which is a pipe", path.display())));
    }
    let input = files.open(path, quota)?;
    let format = recognition::format_of(&input)?;
    if matches!(format.kind(), FormatKind::Scene | FormatKind::Table) || format.lacks_names() {
        let names = "a PSF, a PRMTOP, or atoms with names, such as PDB or GRO";
        return Err(refuse(format!("must be {names}; {} is {format}", path.display())));
    }
    let file = input.name.clone();
    let choose = |header: &Header| {
        let all = header.fields.iter().enumerate();
        let columns = all.map(|(field, Field { kind, .. })| Want { field, kind: *kind, rule: ValueRule::Lenient });
        Ok(ColumnChoice { wanted: Wanted { axes: Axes::None, columns: columns.collect() }, painter: None, names: None })
    };
    let extent = FrameRequest { bonds: true, ..FrameRequest::default() };
    let mut reading = Reading::table(&file, extent, quota, choose);
    reading.keeps_virtual_sites = true;
    list::read(format, input, &mut reading)?;
    Ok(Topology::of(file, reading.finish()))
}
