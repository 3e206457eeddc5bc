//! The list of formats: a new one is its reader and a row here.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};

#[cfg(feature = "las")]
use super::las;
use super::reading::Reading;
use super::recognition::is_toml;
#[cfg(feature = "svg")]
use super::svg;
use super::{
    amber_restart, bcif, cif, csv, dcd, dlpoly, gro, gsd, lammps_data, lammps_dump, mmtf, mol2, netcdf, nff, npy, npz,
    pcd, pdb, ply, pqr, prmtop, psf, raw, sdf, trr, unsupported, vasp, vtk, vtk_xml, xtc, xyz,
};
#[cfg(feature = "arrow")]
use super::{arrow, parquet};
use crate::error::{Error, Result};
use crate::io::did_you_mean;
use crate::io::source::input::{Input, Stream};

/// The format of an input file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// A scene in TOML.
    Toml,
    /// A scene in JSON.
    Json,
    /// Circles and ellipses of an SVG picture.
    #[cfg(feature = "svg")]
    Svg,
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
    /// Atoms in MMTF.
    Mmtf,
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
    #[cfg(feature = "las")]
    Las,
    /// Spheres in the Neutral File Format, with a viewpoint.
    Nff,
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
    /// A trajectory or restart of AMBER's in NetCDF.
    NetCdf,
    /// A restart of AMBER's in text.
    AmberRestart,
    /// Names of atoms in PSF.
    Psf,
    /// Names of atoms in AMBER's PRMTOP.
    Prmtop,
    /// A table in Apache Parquet.
    #[cfg(feature = "arrow")]
    Parquet,
    /// A table in Apache Arrow's IPC format: a file, Feather among them, or a stream.
    #[cfg(feature = "arrow")]
    Arrow,
}

/// The kind of content of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FormatKind {
    /// A scene: shapes, camera, lights.
    Scene,
    /// A table whose coordinate columns the caller chooses.
    Table,
    /// Atoms or particles in space.
    Atoms,
    /// Names of atoms without positions, for a trajectory.
    Topology,
}

/// How a format is known by a file's first bytes.
#[derive(Clone, Copy)]
pub(super) enum Sniff {
    /// A mark that nothing else has: it counts for more than the file's name. Bytes, and as text.
    Sure(fn(&[u8], &str) -> bool),
    /// A guess, for files whose name says nothing.
    Likely(fn(&[u8], &str) -> bool),
    /// Not by its content.
    Never,
}

pub(super) struct FormatRow {
    pub(super) format: Format,
    pub(super) kind: FormatKind,
    /// For messages.
    pub(super) name: &'static str,
    /// On the command line and in JSON.
    pub(super) id: &'static str,
    /// Endings of file names, the usual one first.
    pub(super) extensions: &'static [&'static str],
    pub(super) sniff: Sniff,
    pub(super) reader: Reader,
}

type Read = fn(Stream, &mut Reading<'_>) -> Result<()>;

/// How a format is read.
#[derive(Clone, Copy)]
pub(super) enum Reader {
    /// By builds of every kind.
    Basic(Read),
    /// With a feature. What no row names is no part of a program: builds without `all-formats` are small, such as those for browsers.
    Full(Option<Read>),
    /// Scenes are read elsewhere.
    Scene,
}

/// The reader of a format that builds without the feature `all-formats` know by name alone.
const fn full(read: Read) -> Reader {
    Reader::Full(if cfg!(feature = "all-formats") { Some(read) } else { None })
}

/// In this order formats are tried.
pub(super) const FORMATS: &[FormatRow] = &[
    FormatRow {
        format: Format::Pqr,
        kind: FormatKind::Atoms,
        name: "PQR atoms",
        id: "pqr",
        extensions: &["pqr"],
        sniff: Sniff::Sure(|_, text| pqr::sniff(text)),
        reader: Reader::Basic(pqr::read),
    },
    FormatRow {
        format: Format::Pdb,
        kind: FormatKind::Atoms,
        name: "PDB atoms",
        id: "pdb",
        extensions: &["pdb", "ent", "pdb1"],
        sniff: Sniff::Sure(|_, text| pdb::sniff(text)),
        reader: Reader::Basic(pdb::read),
    },
    FormatRow {
        format: Format::Vasp,
        kind: FormatKind::Atoms,
        name: "VASP crystal",
        id: "vasp",
        extensions: &["vasp", "poscar", "contcar", "xdatcar"],
        sniff: Sniff::Sure(|_, text| vasp::sniff(text)),
        reader: Reader::Basic(vasp::read),
    },
    FormatRow {
        format: Format::DlPoly,
        kind: FormatKind::Atoms,
        name: "DL_POLY atoms",
        id: "dlpoly",
        extensions: &["config", "revcon", "history"],
        sniff: Sniff::Sure(|_, text| dlpoly::sniff(text)),
        reader: full(dlpoly::read),
    },
    FormatRow {
        format: Format::AmberRestart,
        kind: FormatKind::Atoms,
        name: "AMBER coordinates",
        id: "rst7",
        extensions: &["rst7", "inpcrd", "restrt"],
        sniff: Sniff::Sure(|_, text| amber_restart::sniff(text)),
        reader: full(amber_restart::read),
    },
    FormatRow {
        format: Format::Xyz,
        kind: FormatKind::Atoms,
        name: "XYZ atoms",
        id: "xyz",
        extensions: &["xyz", "extxyz"],
        sniff: Sniff::Sure(|_, text| xyz::sniff(text)),
        reader: Reader::Basic(xyz::read),
    },
    FormatRow {
        format: Format::PointCloud,
        kind: FormatKind::Table,
        name: "point cloud",
        id: "point-cloud",
        extensions: &[],
        sniff: Sniff::Never,
        reader: Reader::Basic(csv::read_cloud),
    },
    FormatRow {
        format: Format::Cif,
        kind: FormatKind::Atoms,
        name: "CIF atoms",
        id: "cif",
        extensions: &["cif", "mmcif", "mcif"],
        sniff: Sniff::Sure(|_, text| cif::sniff(text)),
        reader: Reader::Basic(cif::read),
    },
    FormatRow {
        format: Format::Bcif,
        kind: FormatKind::Atoms,
        name: "BinaryCIF atoms",
        id: "bcif",
        extensions: &["bcif"],
        sniff: Sniff::Sure(|bytes, _| bcif::sniff(bytes)),
        reader: Reader::Basic(bcif::read),
    },
    FormatRow {
        format: Format::Mmtf,
        kind: FormatKind::Atoms,
        name: "MMTF atoms",
        id: "mmtf",
        extensions: &["mmtf"],
        sniff: Sniff::Sure(|bytes, _| mmtf::sniff(bytes)),
        reader: full(mmtf::read),
    },
    FormatRow {
        format: Format::Gro,
        kind: FormatKind::Atoms,
        name: "GROMACS atoms",
        id: "gro",
        extensions: &["gro"],
        sniff: Sniff::Sure(|_, text| gro::sniff(text)),
        reader: Reader::Basic(gro::read),
    },
    FormatRow {
        format: Format::LammpsDump,
        kind: FormatKind::Atoms,
        name: "LAMMPS dump",
        id: "lammps-dump",
        extensions: &["dump", "lammpstrj", "lammpsdump"],
        sniff: Sniff::Sure(|_, text| lammps_dump::sniff(text)),
        reader: Reader::Basic(lammps_dump::read),
    },
    FormatRow {
        format: Format::LammpsData,
        kind: FormatKind::Atoms,
        name: "LAMMPS data",
        id: "lammps-data",
        extensions: &["lmp", "data", "lammps"],
        sniff: Sniff::Sure(|_, text| lammps_data::sniff(text)),
        reader: Reader::Basic(lammps_data::read),
    },
    FormatRow {
        format: Format::Sdf,
        kind: FormatKind::Atoms,
        name: "SDF molecules",
        id: "sdf",
        extensions: &["sdf", "mol", "sd", "mdl"],
        sniff: Sniff::Sure(|_, text| sdf::sniff(text)),
        reader: Reader::Basic(sdf::read),
    },
    FormatRow {
        format: Format::Mol2,
        kind: FormatKind::Atoms,
        name: "MOL2 molecules",
        id: "mol2",
        extensions: &["mol2"],
        sniff: Sniff::Sure(|_, text| mol2::sniff(text)),
        reader: Reader::Basic(mol2::read),
    },
    FormatRow {
        format: Format::Ply,
        kind: FormatKind::Table,
        name: "PLY points",
        id: "ply",
        extensions: &["ply"],
        sniff: Sniff::Sure(|bytes, _| ply::sniff(bytes)),
        reader: Reader::Basic(ply::read),
    },
    FormatRow {
        format: Format::Pcd,
        kind: FormatKind::Table,
        name: "PCD points",
        id: "pcd",
        extensions: &["pcd"],
        sniff: Sniff::Sure(|bytes, _| pcd::sniff(bytes)),
        reader: full(pcd::read),
    },
    FormatRow {
        format: Format::Vtk,
        kind: FormatKind::Table,
        name: "VTK points",
        id: "vtk",
        extensions: &["vtk"],
        sniff: Sniff::Sure(|bytes, _| vtk::sniff(bytes)),
        reader: full(vtk::read),
    },
    FormatRow {
        format: Format::VtkXml,
        kind: FormatKind::Table,
        name: "VTK points in XML",
        id: "vtp",
        extensions: &["vtp", "vtu"],
        sniff: Sniff::Sure(|_, text| vtk_xml::sniff(text)),
        reader: full(vtk_xml::read),
    },
    #[cfg(feature = "las")]
    FormatRow {
        format: Format::Las,
        kind: FormatKind::Table,
        name: "LAS points",
        id: "las",
        extensions: &["las", "laz"],
        sniff: Sniff::Sure(|bytes, _| las::sniff(bytes)),
        reader: Reader::Full(Some(las::read)),
    },
    FormatRow {
        format: Format::Nff,
        kind: FormatKind::Table,
        name: "NFF spheres",
        id: "nff",
        extensions: &["nff"],
        sniff: Sniff::Sure(|_, text| nff::sniff(text)),
        reader: full(nff::read),
    },
    FormatRow {
        format: Format::Npy,
        kind: FormatKind::Table,
        name: "NumPy array",
        id: "npy",
        extensions: &["npy"],
        sniff: Sniff::Sure(|bytes, _| npy::sniff(bytes)),
        reader: Reader::Basic(npz::read_single),
    },
    FormatRow {
        format: Format::Npz,
        kind: FormatKind::Table,
        name: "NumPy arrays",
        id: "npz",
        extensions: &["npz"],
        sniff: Sniff::Sure(|bytes, _| npz::sniff(bytes)),
        reader: Reader::Basic(npz::read),
    },
    #[cfg(feature = "arrow")]
    FormatRow {
        format: Format::Parquet,
        kind: FormatKind::Table,
        name: "Parquet table",
        id: "parquet",
        extensions: &["parquet", "pq"],
        sniff: Sniff::Sure(|bytes, _| bytes.starts_with(parquet::MARK)),
        reader: Reader::Full(Some(parquet::read)),
    },
    #[cfg(feature = "arrow")]
    FormatRow {
        format: Format::Arrow,
        kind: FormatKind::Table,
        name: "Arrow table",
        id: "arrow",
        extensions: &["arrow", "feather", "arrows", "ipc"],
        sniff: Sniff::Sure(|bytes, _| arrow::sniff(bytes)),
        reader: Reader::Full(Some(arrow::read)),
    },
    FormatRow {
        format: Format::Raw,
        kind: FormatKind::Table,
        name: "raw numbers",
        id: "raw",
        extensions: &[],
        sniff: Sniff::Never,
        reader: Reader::Basic(raw::read),
    },
    FormatRow {
        format: Format::Dcd,
        kind: FormatKind::Atoms,
        name: "DCD trajectory",
        id: "dcd",
        extensions: &["dcd"],
        sniff: Sniff::Sure(|bytes, _| dcd::sniff(bytes)),
        reader: full(dcd::read),
    },
    FormatRow {
        format: Format::Xtc,
        kind: FormatKind::Atoms,
        name: "XTC trajectory",
        id: "xtc",
        extensions: &["xtc"],
        sniff: Sniff::Sure(|bytes, _| xtc::sniff(bytes)),
        reader: full(xtc::read),
    },
    FormatRow {
        format: Format::Trr,
        kind: FormatKind::Atoms,
        name: "TRR trajectory",
        id: "trr",
        extensions: &["trr"],
        sniff: Sniff::Sure(|bytes, _| trr::sniff(bytes)),
        reader: full(trr::read),
    },
    FormatRow {
        format: Format::Gsd,
        kind: FormatKind::Atoms,
        name: "GSD trajectory",
        id: "gsd",
        extensions: &["gsd"],
        sniff: Sniff::Sure(|bytes, _| gsd::sniff(bytes)),
        reader: full(gsd::read),
    },
    FormatRow {
        format: Format::NetCdf,
        kind: FormatKind::Atoms,
        name: "AMBER NetCDF",
        id: "netcdf",
        extensions: &["nc", "ncdf", "ncrst", "netcdf"],
        sniff: Sniff::Sure(|bytes, _| netcdf::sniff(bytes)),
        reader: full(netcdf::read),
    },
    FormatRow {
        format: Format::Psf,
        kind: FormatKind::Topology,
        name: "PSF topology",
        id: "psf",
        extensions: &["psf"],
        sniff: Sniff::Sure(|_, text| psf::sniff(text)),
        reader: full(psf::read),
    },
    FormatRow {
        format: Format::Prmtop,
        kind: FormatKind::Topology,
        name: "AMBER topology",
        id: "prmtop",
        extensions: &["prmtop", "parm7"],
        sniff: Sniff::Sure(|_, text| prmtop::sniff(text)),
        reader: full(prmtop::read),
    },
    FormatRow {
        format: Format::Json,
        kind: FormatKind::Scene,
        name: "JSON scene",
        id: "json",
        extensions: &["json"],
        sniff: Sniff::Likely(|_, text| text.trim_start().starts_with('{')),
        reader: Reader::Scene,
    },
    FormatRow {
        format: Format::Toml,
        kind: FormatKind::Scene,
        name: "TOML scene",
        id: "toml",
        extensions: &["toml"],
        sniff: Sniff::Likely(|_, text| is_toml(text)),
        reader: Reader::Scene,
    },
    #[cfg(feature = "svg")]
    FormatRow {
        format: Format::Svg,
        kind: FormatKind::Scene,
        name: "SVG picture",
        id: "svg",
        extensions: &["svg"],
        sniff: Sniff::Sure(|_, text| svg::sniff(text)),
        reader: Reader::Scene,
    },
    FormatRow {
        format: Format::Csv,
        kind: FormatKind::Table,
        name: "CSV table",
        id: "csv",
        extensions: &["csv", "tsv", "tab", "dat", "txt"],
        sniff: Sniff::Likely(|_, text| csv::sniff(text) || csv::sniff_blanks(text)),
        reader: Reader::Basic(csv::read),
    },
];

impl Format {
    fn row(self) -> &'static FormatRow {
        FORMATS.iter().find(|row| row.format == self).expect("every format is in the list")
    }

    /// The kind of its content.
    pub(crate) fn kind(self) -> FormatKind {
        self.row().kind
    }

    /// The names of the formats of data that this build reads by name.
    pub(crate) fn data_ids() -> impl Iterator<Item = &'static str> {
        let is_own = |id: &&str| ["toml", "json", "raw"].contains(id);
        FORMATS.iter().map(|row| row.id).filter(move |id| !is_own(id))
    }

    /// Whether its atoms have positions and no names, which a topology adds.
    pub(crate) fn takes_topology(self) -> bool {
        matches!(self, Self::Dcd | Self::Xtc | Self::Trr | Self::NetCdf | Self::AmberRestart)
    }

    /// Whether builds without further features read it, such as those for browsers.
    ///
    /// ```
    /// use roundel::io::Format;
    ///
    /// assert!("pdb".parse::<Format>()?.is_basic() && !"xtc".parse::<Format>()?.is_basic());
    /// # Ok::<(), roundel::Error>(())
    /// ```
    #[must_use]
    pub fn is_basic(self) -> bool {
        let row = self.row();
        !matches!(row.reader, Reader::Full(_)) && row.id != "svg"
    }

    /// The name on the command line and in JSON: `csv`, `pdb`.
    #[must_use]
    pub fn id(self) -> &'static str {
        self.row().id
    }
}

impl FromStr for Format {
    type Err = Error;

    /// The format of this name, or the one whose files' names end so.
    fn from_str(name: &str) -> Result<Self> {
        let row = FORMATS.iter().find(|row| row.id == name || row.extensions.contains(&name));
        row.map(|row| row.format).ok_or_else(|| {
            if let Some(message) = unsupported::named(name) {
                return Error::Setting {
                    name: "format",
                    message: format!("must be a format of this build; {message}"),
                };
            }
            let hint = did_you_mean::hint(name, FORMATS.iter().map(|row| row.id), "formats");
            Error::Setting {
                name: "format",
                message: format!("must be a format, got {:?}{hint}", did_you_mean::shortened(name)),
            }
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

/// The usual endings of the formats of a kind, for messages: `.csv, .npy`.
pub(crate) fn extensions(kinds: &[FormatKind]) -> String {
    let rows = FORMATS.iter().filter(|row| kinds.contains(&row.kind));
    let usual = rows.filter_map(|row| row.extensions.first());
    usual.map(|extension| format!(".{extension}")).collect::<Vec<_>>().join(", ")
}

/// Reads data of this format.
///
/// A frame that is counted from the end takes another pass over the file, which counts frames.
pub(crate) fn read(format: Format, input: Input, reading: &mut Reading<'_>) -> Result<()> {
    let read = match format.row().reader {
        Reader::Basic(read) | Reader::Full(Some(read)) => read,
        Reader::Full(None) => {
            let message =
                format!("{format} is read by a roundel that is built with --features all-formats; this one is not");
            return Err(Error::input(&input.name, None, message));
        }
        Reader::Scene => unreachable!("scenes are read elsewhere"),
    };
    reading.find_frame(|counting| {
        let path = input.path.as_deref().filter(|path| input.files.reads_again(path)).ok_or_else(|| {
            let message = format!("counted from the end needs a file; {} can be read once", input.name);
            Error::Setting { name: "frame", message }
        })?;
        read(input.files.file(path, input.quota)?.text(), counting)
    })?;
    // a byte-order mark is text
    let stream = if format == Format::Raw { input.bytes() } else { input.text() };
    read(stream, reading)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_endings_of_formats_are_distinct() {
        for (index, row) in FORMATS.iter().enumerate() {
            assert!(FORMATS[..index].iter().all(|other| other.id != row.id && other.format != row.format));
            let others = FORMATS[..index].iter().flat_map(|other| other.extensions);
            assert!(others.clone().all(|other| !row.extensions.contains(other)), "{}", row.id);
            assert_eq!(row.id.parse::<Format>().expect(row.id), row.format);
            assert_eq!(matches!(row.reader, Reader::Scene), row.kind == FormatKind::Scene);
        }
    }
}
