//! The row of one shape of bare data. It is read from the file again on request, so that a hundred million shapes keep
//! no rows in memory.

use std::path::Path;

use crate::dataset::data_file::{DataFile, Depth};
use crate::dataset::option_requests;
use crate::error::Result;
use crate::formats::reading::{Destination, Reading};
use crate::formats::request::ColumnChoice;
use crate::formats::wanted::{Header, Wanted};
use crate::formats::{self, FormatKind};
use crate::memory_quota::Quota;
use crate::options::load_options::LoadOptions;
use crate::pictures::bare_data;
use crate::source::memory_files::FileSystem;

/// Name and value of each column in the row of a shape. Shapes are numbered as in `Statistics` of the renderer.
///
/// Empty for scene files, which have no rows, for standard input and pipes, and past the last shape. The file is read
/// again.
///
/// # Errors
/// When the file cannot be read any more, or has changed.
pub fn read_record(path: impl AsRef<Path>, options: &LoadOptions, index: u64) -> Result<Vec<(String, String)>> {
    read_from(&FileSystem::Disk, path.as_ref(), options, index)
}

/// Reads the row of a shape from a file on disk or in memory.
pub fn read_from(files: &FileSystem, path: &Path, options: &LoadOptions, index: u64) -> Result<Vec<(String, String)>> {
    // a pipe has been read already
    if files.reads_once(path) {
        return Ok(Vec::new());
    }
    let quota = Quota::new(options.budget);
    let input = files.open(path, quota)?;
    let format = formats::format_wanted(&input, options.format, options.raw.as_ref())?;
    if format.kind() == FormatKind::Scene {
        return Ok(Vec::new());
    }
    let file = input.name.clone();
    let data = bare_data::table(input, format, options, Depth::Draw)?;
    let Some(row) = row_of(&data, options, index) else { return Ok(Vec::new()) };
    let axes = data.plan.wanted.axes;
    drop(data);
    let choose = |_: &Header| Ok(ColumnChoice { wanted: Wanted::only(axes), painter: None, names: None });
    let again = files.open(path, quota)?;
    let mut reading = Reading::table(&file, option_requests::extent(options, Depth::Draw), quota, choose);
    reading.hints = option_requests::hints(&again, format, options)?;
    reading.destination = Destination::Row(row);
    formats::read(format, again, &mut reading)?;
    Ok(reading.finish().record)
}

/// The index of the requested frame, which the options may count from the end.
pub fn frame_index(files: &FileSystem, path: &Path, options: &LoadOptions) -> Result<u64> {
    use crate::formats::{request::FrameRequest, wanted::Axes};

    let frame = options.frame.unwrap_or(0);
    if let Ok(frame) = u64::try_from(frame) {
        return Ok(frame);
    }
    let input = files.open(path, Quota::new(options.budget))?;
    let format = formats::format_wanted(&input, options.format, options.raw.as_ref())?;
    let choose = |_: &Header| Ok(ColumnChoice { wanted: Wanted::only(Axes::None), painter: None, names: None });
    let mut reading = Reading::table(&input.name.clone(), FrameRequest::of(frame), input.quota, choose);
    formats::read(format, input, &mut reading)?;
    Ok(reading.extent.frame)
}

/// The row of a shape, counted through all rows with a position.
fn row_of(data: &DataFile, options: &LoadOptions, index: u64) -> Option<u64> {
    let images = option_requests::images(options).copies();
    let drawn = match (&data.of_file.copied, options.assembly) {
        (Some(copied), _) => u64::from(*copied.originals.get(usize::try_from(index).ok()?)?),
        (None, None) => {
            let rows = data.table.rows() as u64;
            if index / rows.max(1) >= images {
                return None;
            }
            index % rows
        }
        (None, Some(number)) => {
            let (chains, assembly) = data.assembly(number).ok()?;
            chains.row_of(&assembly, images, index)?
        }
    };
    if data.of_file.kept.is_empty() {
        return Some(drawn);
    }
    let mut rows = (0_u64..).zip(&data.of_file.kept).filter(|(_, kept)| **kept).map(|(row, _)| row);
    rows.nth(usize::try_from(drawn).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn record(name: &str, text: &str, options: &LoadOptions, index: u64) -> Vec<(String, String)> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(name);
        fs::write(&path, text).expect("written");
        read_record(&path, options, index).expect(name)
    }

    fn pairs(record: &[(String, String)]) -> Vec<(&str, &str)> {
        record.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect()
    }

    #[test]
    fn rows_of_a_table_are_found() {
        let text = "x,y,city\n1,2,Ulm\n3,4,\"Bonn, am Rhein\"\n";
        let found = record("t.csv", text, &LoadOptions::default(), 1);
        assert_eq!(pairs(&found), [("x", "3"), ("y", "4"), ("city", "Bonn, am Rhein")]);
        assert_eq!(record("t.csv", text, &LoadOptions::default(), 2), []);
    }

    #[test]
    fn atoms_are_found_in_their_frame() {
        let text = "1\n\nO 0 0 0 7\n2\nProperties=species:S:1:pos:R:3:charge:R:1\nN 0 0 0 1.5\nC 1 1 1 -0.5\n";
        let wanted = LoadOptions { frame: Some(1), ..LoadOptions::default() };
        assert_eq!(pairs(&record("t.xyz", text, &wanted, 1)), [("element", "C"), ("charge", "-0.5")]);
        assert_eq!(pairs(&record("t.xyz", text, &LoadOptions::default(), 0)), [("element", "O"), ("column5", "7")]);
    }

    #[test]
    fn atoms_of_a_molecule_are_found_past_alternates_and_through_copies() {
        let text = "\
REMARK 350 BIOMOLECULE: 1
REMARK 350 APPLY THE FOLLOWING TO CHAINS: B
REMARK 350   BIOMT1   1  1.000000  0.000000  0.000000        0.00000
REMARK 350   BIOMT2   1  0.000000  1.000000  0.000000        0.00000
REMARK 350   BIOMT3   1  0.000000  0.000000  1.000000        0.00000
REMARK 350   BIOMT1   2  1.000000  0.000000  0.000000       10.00000
REMARK 350   BIOMT2   2  0.000000  1.000000  0.000000        0.00000
REMARK 350   BIOMT3   2  0.000000  0.000000  1.000000        0.00000
ATOM      1  N   MET A   1      11.000  12.000  13.000  1.00 20.00           N
ATOM      2  CA AMET A   1      12.000  12.000  13.000  0.50 20.00           C
ATOM      3  CA BMET A   1      12.500  12.000  13.000  0.50 20.00           C
ATOM      4  OG  SER B  27      13.000  12.000  13.000  1.00 33.50           O
";
        let serial = |options: &LoadOptions, index| {
            let found = record("t.pdb", text, options, index);
            found.iter().find(|(name, _)| name == "serial").map(|(_, value)| value.clone())
        };
        let plain = LoadOptions::default();
        assert_eq!([0, 1, 2, 3].map(|index| serial(&plain, index)).map(Option::unwrap_or_default), ["1", "2", "4", ""]);
        let copies = LoadOptions { assembly: Some(1), ..LoadOptions::default() };
        assert_eq!([0, 1, 2].map(|index| serial(&copies, index)).map(Option::unwrap_or_default), ["4", "4", ""]);
        assert_eq!(
            pairs(&record("t.pdb", text, &plain, 2)),
            [
                ("record", "ATOM"),
                ("serial", "4"),
                ("name", "OG"),
                ("resname", "SER"),
                ("chain", "B"),
                ("resid", "27"),
                ("occupancy", "1.00"),
                ("b_factor", "33.50"),
                ("element", "O"),
            ]
        );
    }
}
