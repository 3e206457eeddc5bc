//! The list of formats: a new one is its reader and a row here.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};

use self::Sniff::{Bytes, Likely, Never, Text};
use super::reading::{Read, Reading};
use super::recognition::is_toml;
use super::{
    amber_restart, bcif, cif, csv, dcd, dlpoly, gro, gsd, h5md, heavy, lammps_data, lammps_dump, mol2, netcdf, npy,
    npz, pcd, pdb, ply, pqr, prmtop, psf, raw, sdf, trr, vasp, vtk, vtk_xml, xtc, xyz,
};
use crate::did_you_mean;
use crate::error::{Error, Result};
use crate::source::input::Input;

/// The format of an input file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// A scene in TOML.
    Toml,
    /// A scene in JSON.
    Json,
    /// A table of values separated by commas, semicolons, tabs, bars or blanks.
    Csv,
    /// Atoms in XYZ: plain, extended, or Tinker's.
    Xyz,
    /// Points in a text without names of columns, as scanners write it: x, y, z, and perhaps a colour or a normal.
    PointCloud,
    /// Atoms in the Protein Data Bank's format.
    Pdb,
    /// Atoms in mmCIF, or in CIF of small molecules.
    Cif,
    /// Atoms in BinaryCIF.
    Bcif,
    /// Atoms in GROMACS' format.
    Gro,
    /// Particles in a LAMMPS dump.
    LammpsDump,
    /// Particles in a LAMMPS data file.
    LammpsData,
    /// Molecules in MDL's molfiles, one alone or many in an SDF.
    Sdf,
    /// Molecules in Tripos' MOL2.
    Mol2,
    /// Atoms with charges and radii in PQR.
    Pqr,
    /// Configurations and trajectories of DL_POLY.
    DlPoly,
    /// Crystals of VASP: POSCAR, CONTCAR and XDATCAR.
    Vasp,
    /// Points in PLY, as text or binary.
    Ply,
    /// Points in PCD, as text or binary.
    Pcd,
    /// Points of VTK's legacy files, as text or binary.
    Vtk,
    /// Points of VTK's XML files: polydata and unstructured grids.
    VtkXml,
    /// Points of laser scanners in LAS or LAZ.
    Las,
    /// An array of NumPy's.
    Npy,
    /// Arrays of NumPy's, columns of one table.
    Npz,
    /// Rows of numbers and nothing else; see [`RawLayout`](super::RawLayout).
    Raw,
    /// A trajectory in DCD.
    Dcd,
    /// A trajectory in GROMACS' XTC.
    Xtc,
    /// A trajectory in GROMACS' TRR.
    Trr,
    /// A trajectory of HOOMD-blue in GSD.
    Gsd,
    /// A trajectory in HDF5: H5MD, or as AMBER (NetCDF-4) and MDTraj write it.
    H5md,
    /// A trajectory or restart of AMBER's in NetCDF.
    NetCdf,
    /// A restart of AMBER's in text.
    AmberRestart,
    /// Names of atoms in PSF.
    Psf,
    /// Names of atoms in AMBER's PRMTOP.
    Prmtop,
    /// A table in Apache Parquet.
    Parquet,
    /// A table in Apache Arrow's IPC format: a file, Feather among them, or a stream.
    Arrow,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormatKind {
    Scene,
    /// A table whose coordinate columns the caller chooses.
    Table,
    Atoms,
    /// Names of atoms without positions, for a trajectory.
    Topology,
}

/// Recognizes a format by a file's first bytes.
#[derive(Clone, Copy)]
pub(super) enum Sniff {
    /// A unique mark in binary files: it overrides the file's name.
    Bytes(fn(&[u8]) -> bool),
    /// A unique mark in text files.
    Text(fn(&str) -> bool),
    /// A guess from text, for files whose name says nothing.
    Likely(fn(&str) -> bool),
    /// The content never tells.
    Never,
}

pub(super) struct FormatRow {
    pub(super) format: Format,
    pub(super) kind: FormatKind,
    /// On the command line and in JSON.
    pub(super) id: &'static str,
    pub(super) name: &'static str,
    /// Extensions of file names, the usual one first.
    pub(super) extensions: &'static [&'static str],
    pub(super) sniff: Sniff,
    pub(super) reader: FormatReader,
}

#[derive(Clone, Copy)]
pub(super) enum FormatReader {
    Basic(Read),
    /// The reader, if this build has the feature. The linker drops readers that no row names, so builds without
    /// `all-formats` are small enough for browsers.
    With(&'static str, Option<Read>),
    /// Scenes are read elsewhere.
    Scene,
}

/// The reader of a format that builds without the feature `all-formats` recognize but do not read.
const fn full(read: Read) -> FormatReader {
    with_all_formats(if cfg!(feature = "all-formats") { Some(read) } else { None })
}

const fn with_all_formats(read: Option<Read>) -> FormatReader {
    FormatReader::With("all-formats", read)
}

const fn with_heavy_formats(read: Option<Read>) -> FormatReader {
    FormatReader::With("heavy-formats", read)
}

/// All formats, in the order in which they are tried.
#[rustfmt::skip]
pub(super) const FORMATS: &[FormatRow] = &[
    FormatRow { format: Format::Pqr, kind: FormatKind::Atoms, id: "pqr", name: "PQR atoms",
        extensions: &["pqr"], sniff: Text(pqr::sniff), reader: FormatReader::Basic(pqr::read) },
    FormatRow { format: Format::Pdb, kind: FormatKind::Atoms, id: "pdb", name: "PDB atoms",
        extensions: &["pdb", "ent", "pdb1"], sniff: Text(pdb::sniff), reader: FormatReader::Basic(pdb::read) },
    FormatRow { format: Format::Vasp, kind: FormatKind::Atoms, id: "vasp", name: "VASP crystal",
        extensions: &["vasp", "poscar", "contcar", "xdatcar"], sniff: Text(vasp::sniff), reader: FormatReader::Basic(vasp::read) },
    FormatRow { format: Format::DlPoly, kind: FormatKind::Atoms, id: "dlpoly", name: "DL_POLY atoms",
        extensions: &["config", "revcon", "history"], sniff: Text(dlpoly::sniff), reader: full(dlpoly::read) },
    FormatRow { format: Format::AmberRestart, kind: FormatKind::Atoms, id: "rst7", name: "AMBER coordinates",
        extensions: &["rst7", "inpcrd", "restrt"], sniff: Text(amber_restart::sniff), reader: full(amber_restart::read) },
    FormatRow { format: Format::Xyz, kind: FormatKind::Atoms, id: "xyz", name: "XYZ atoms",
        extensions: &["xyz", "extxyz"], sniff: Text(xyz::sniff), reader: FormatReader::Basic(xyz::read) },
    FormatRow { format: Format::PointCloud, kind: FormatKind::Table, id: "point-cloud", name: "point cloud",
        extensions: &[], sniff: Never, reader: FormatReader::Basic(csv::read_cloud) },
    FormatRow { format: Format::Cif, kind: FormatKind::Atoms, id: "cif", name: "CIF atoms",
        extensions: &["cif", "mmcif", "mcif"], sniff: Text(cif::sniff), reader: FormatReader::Basic(cif::read) },
    FormatRow { format: Format::Bcif, kind: FormatKind::Atoms, id: "bcif", name: "BinaryCIF atoms",
        extensions: &["bcif"], sniff: Bytes(bcif::sniff), reader: FormatReader::Basic(bcif::read) },
    FormatRow { format: Format::Gro, kind: FormatKind::Atoms, id: "gro", name: "GROMACS atoms",
        extensions: &["gro"], sniff: Text(gro::sniff), reader: FormatReader::Basic(gro::read) },
    FormatRow { format: Format::LammpsDump, kind: FormatKind::Atoms, id: "lammps-dump", name: "LAMMPS dump",
        extensions: &["dump", "lammpstrj", "lammpsdump"], sniff: Text(lammps_dump::sniff),
        reader: FormatReader::Basic(lammps_dump::read) },
    FormatRow { format: Format::LammpsData, kind: FormatKind::Atoms, id: "lammps-data", name: "LAMMPS data",
        extensions: &["lmp", "data", "lammps"], sniff: Text(lammps_data::sniff), reader: FormatReader::Basic(lammps_data::read) },
    FormatRow { format: Format::Sdf, kind: FormatKind::Atoms, id: "sdf", name: "SDF molecules",
        extensions: &["sdf", "mol", "sd", "mdl"], sniff: Text(sdf::sniff), reader: FormatReader::Basic(sdf::read) },
    FormatRow { format: Format::Mol2, kind: FormatKind::Atoms, id: "mol2", name: "MOL2 molecules",
        extensions: &["mol2"], sniff: Text(mol2::sniff), reader: FormatReader::Basic(mol2::read) },
    FormatRow { format: Format::Ply, kind: FormatKind::Table, id: "ply", name: "PLY points",
        extensions: &["ply"], sniff: Bytes(ply::sniff), reader: FormatReader::Basic(ply::read) },
    FormatRow { format: Format::Pcd, kind: FormatKind::Table, id: "pcd", name: "PCD points",
        extensions: &["pcd"], sniff: Bytes(pcd::sniff), reader: full(pcd::read) },
    FormatRow { format: Format::Vtk, kind: FormatKind::Table, id: "vtk", name: "VTK points",
        extensions: &["vtk"], sniff: Bytes(vtk::sniff), reader: full(vtk::read) },
    FormatRow { format: Format::VtkXml, kind: FormatKind::Table, id: "vtp", name: "VTK points in XML",
        extensions: &["vtp", "vtu"], sniff: Text(vtk_xml::sniff), reader: full(vtk_xml::read) },
    FormatRow { format: Format::Npy, kind: FormatKind::Table, id: "npy", name: "NumPy array",
        extensions: &["npy"], sniff: Bytes(npy::sniff), reader: FormatReader::Basic(npz::read_single) },
    FormatRow { format: Format::Npz, kind: FormatKind::Table, id: "npz", name: "NumPy arrays",
        extensions: &["npz"], sniff: Bytes(npz::sniff), reader: FormatReader::Basic(npz::read) },
    FormatRow { format: Format::Raw, kind: FormatKind::Table, id: "raw", name: "raw numbers",
        extensions: &[], sniff: Never, reader: FormatReader::Basic(raw::read) },
    FormatRow { format: Format::Dcd, kind: FormatKind::Atoms, id: "dcd", name: "DCD trajectory",
        extensions: &["dcd"], sniff: Bytes(dcd::sniff), reader: FormatReader::Basic(dcd::read) },
    FormatRow { format: Format::Xtc, kind: FormatKind::Atoms, id: "xtc", name: "XTC trajectory",
        extensions: &["xtc"], sniff: Bytes(xtc::sniff), reader: FormatReader::Basic(xtc::read) },
    FormatRow { format: Format::Trr, kind: FormatKind::Atoms, id: "trr", name: "TRR trajectory",
        extensions: &["trr"], sniff: Bytes(trr::sniff), reader: full(trr::read) },
    FormatRow { format: Format::Gsd, kind: FormatKind::Atoms, id: "gsd", name: "GSD trajectory",
        extensions: &["gsd"], sniff: Bytes(gsd::sniff), reader: full(gsd::read) },
    FormatRow { format: Format::H5md, kind: FormatKind::Atoms, id: "h5md", name: "HDF5 trajectory",
        extensions: &["h5md"], sniff: Bytes(|head| head.starts_with(b"\x89HDF\r\n\x1a\n")), reader: with_all_formats(h5md::READER) },
    FormatRow { format: Format::NetCdf, kind: FormatKind::Atoms, id: "netcdf", name: "AMBER NetCDF",
        extensions: &["nc", "ncdf", "ncrst", "netcdf"], sniff: Bytes(netcdf::sniff), reader: full(netcdf::read) },
    FormatRow { format: Format::Psf, kind: FormatKind::Topology, id: "psf", name: "PSF topology",
        extensions: &["psf"], sniff: Text(psf::sniff), reader: FormatReader::Basic(psf::read) },
    FormatRow { format: Format::Prmtop, kind: FormatKind::Topology, id: "prmtop", name: "AMBER topology",
        extensions: &["prmtop", "parm7"], sniff: Text(prmtop::sniff), reader: FormatReader::Basic(prmtop::read) },
    FormatRow { format: Format::Json, kind: FormatKind::Scene, id: "json", name: "JSON scene",
        extensions: &["json"], sniff: Likely(|text| text.trim_start().starts_with('{')), reader: FormatReader::Scene },
    FormatRow { format: Format::Toml, kind: FormatKind::Scene, id: "toml", name: "TOML scene",
        extensions: &["toml"], sniff: Likely(is_toml), reader: FormatReader::Scene },
    FormatRow { format: Format::Csv, kind: FormatKind::Table, id: "csv", name: "CSV table",
        extensions: &["csv", "tsv", "tab", "dat", "txt"], sniff: Likely(csv::sniff), reader: FormatReader::Basic(csv::read) },
    FormatRow { format: Format::Las, kind: FormatKind::Table, id: "las", name: "LAS points",
        extensions: &["las", "laz"], sniff: Bytes(|head| head.starts_with(b"LASF")), reader: with_heavy_formats(heavy::LAS) },
    FormatRow { format: Format::Parquet, kind: FormatKind::Table, id: "parquet", name: "Parquet table",
        extensions: &["parquet", "pq"], sniff: Bytes(|head| head.starts_with(b"PAR1")), reader: with_heavy_formats(heavy::PARQUET) },
    FormatRow { format: Format::Arrow, kind: FormatKind::Table, id: "arrow", name: "Arrow table",
        extensions: &["arrow", "feather", "arrows", "ipc"], sniff: Bytes(heavy::is_arrow), reader: with_heavy_formats(heavy::ARROW) },
];

impl Format {
    fn row(self) -> &'static FormatRow {
        FORMATS.iter().find(|row| row.format == self).expect("every format is in the list")
    }

    #[doc(hidden)]
    pub fn kind(self) -> FormatKind {
        self.row().kind
    }

    /// Names all formats of data, also formats that this build does not read.
    #[doc(hidden)]
    pub fn data_ids() -> impl Iterator<Item = &'static str> {
        FORMATS.iter().map(|row| row.id).filter(|id| !["toml", "json", "raw"].contains(id))
    }

    /// Whether it is a trajectory, to whose atoms a topology can add columns and bonds.
    #[doc(hidden)]
    pub fn takes_topology(self) -> bool {
        let has_names =
            [Self::LammpsDump, Self::Xyz, Self::Gro, Self::Pdb, Self::DlPoly, Self::Vasp, Self::Gsd, Self::H5md];
        has_names.contains(&self) || self.lacks_names()
    }

    /// Whether its atoms have positions but no names.
    pub(crate) fn lacks_names(self) -> bool {
        matches!(self, Self::Dcd | Self::Xtc | Self::Trr | Self::NetCdf | Self::AmberRestart)
    }

    /// Whether the places of its atoms are stored in 32 bits.
    #[doc(hidden)]
    pub fn has_single_places(self) -> bool {
        matches!(self, Self::Dcd | Self::Gsd | Self::NetCdf)
    }

    /// Whether builds without further features read it, such as the browser library.
    ///
    /// ```
    /// # use roundel_formats as roundel;
    /// use roundel::io::Format;
    ///
    /// assert!("pdb".parse::<Format>()?.is_basic() && !"trr".parse::<Format>()?.is_basic());
    /// # Ok::<(), roundel::Error>(())
    /// ```
    #[must_use]
    pub fn is_basic(self) -> bool {
        !matches!(self.row().reader, FormatReader::With(..))
    }

    /// The name on the command line and in JSON: `csv`, `pdb`.
    #[must_use]
    pub fn id(self) -> &'static str {
        self.row().id
    }
}

impl FromStr for Format {
    type Err = Error;

    /// Finds a format by its name or an extension.
    fn from_str(name: &str) -> Result<Self> {
        let row = FORMATS.iter().find(|row| row.id == name || row.extensions.contains(&name));
        row.map(|row| row.format).ok_or_else(|| {
            let hint = did_you_mean::hint(name, FORMATS.iter().map(|row| row.id), "formats");
            Error::setting("format", format!("must be a format, got {:?}{hint}", did_you_mean::shortened(name)))
        })
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.row().name)
    }
}

impl Serialize for Format {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.id())
    }
}

/// The usual extensions of formats of these kinds, for messages: `.csv, .npy`.
pub fn extensions(kinds: &[FormatKind]) -> String {
    let rows = FORMATS.iter().filter(|row| kinds.contains(&row.kind));
    let usual = rows.filter_map(|row| row.extensions.first());
    usual.map(|extension| format!(".{extension}")).collect::<Vec<_>>().join(", ")
}

/// Reads data of this format.
///
/// A frame counted from the end needs another pass over the file to count the frames.
pub fn read(format: Format, input: Input, reading: &mut Reading<'_>) -> Result<()> {
    let read = match format.row().reader {
        FormatReader::Basic(read) | FormatReader::With(_, Some(read)) => read,
        FormatReader::With(feature, None) => {
            let message = format!("reading {format} needs a roundel that is built with --features {feature}");
            return Err(Error::input(&input.name, None, message));
        }
        FormatReader::Scene => unreachable!("scenes are read elsewhere"),
    };
    reading.find_frame(|counting| {
        let path = input.path.as_deref().filter(|path| input.files.reads_again(path)).ok_or_else(|| {
            Error::setting("frame", format!("counted from the end needs a file; {} can be read once", input.name))
        })?;
        read(input.files.file(path, input.quota)?.text(), counting)
    })?;
    // a byte-order mark is text
    let stream = if format == Format::Raw { input.bytes() } else { input.text() };
    reading.offer_topology();
    read(stream, reading)?;
    reading.join_topology()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;
    use crate::formats::request::FrameRequest;
    use crate::memory_quota::Quota;

    #[test]
    fn names_and_endings_of_formats_are_distinct() {
        for (index, row) in FORMATS.iter().enumerate() {
            assert!(FORMATS[..index].iter().all(|other| other.id != row.id && other.format != row.format));
            let others = FORMATS[..index].iter().flat_map(|other| other.extensions);
            assert!(others.clone().all(|other| !row.extensions.contains(other)), "{}", row.id);
            assert_eq!(row.id.parse::<Format>().expect(row.id), row.format);
            assert_eq!(matches!(row.reader, FormatReader::Scene), row.kind == FormatKind::Scene);
        }
    }

    #[test]
    fn formats_of_other_builds_are_refused_with_the_feature_that_reads_them() {
        for row in FORMATS {
            let FormatReader::With(feature, None) = row.reader else { continue };
            let quota = Quota::new(Budget::default());
            let mut reading = Reading::table("t", FrameRequest::default(), quota, |_| unreachable!("nothing is read"));
            let input = Input::of_bytes("t", quota).expect("a text");
            let message = read(row.format, input, &mut reading).expect_err(row.id).to_string();
            assert_eq!(
                message,
                format!("t: reading {} needs a roundel that is built with --features {feature}", row.name)
            );
        }
    }
}
