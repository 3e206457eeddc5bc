//! Formats of data, one file each, and the list of them.

mod amber_restart;
mod assembly_remarks;
mod atom_site;
mod bcif;
mod bcif_encodings;
mod cif;
mod cif_bonds;
mod cif_models;
mod cif_syntax;
mod crystal;
mod csv;
mod dcd;
mod dlpoly;
mod elements;
pub mod facts;
mod frames;
mod gro;
mod gsd;
#[cfg(feature = "all-formats")]
pub(super) mod guard;
#[cfg(feature = "all-formats")]
mod h5md;
#[cfg(not(feature = "all-formats"))]
#[path = "no_h5md.rs"]
mod h5md;
#[cfg(feature = "heavy-formats")]
mod heavy;
#[cfg(not(feature = "heavy-formats"))]
#[path = "no_heavy.rs"]
mod heavy;
mod held_atoms;
mod lammps;
mod lammps_data;
mod lammps_dump;
mod list;
mod macromolecule;
mod masses;
mod mol2;
mod netcdf;
mod npy;
mod npz;
pub mod painted;
mod parts;
mod pcd;
mod pdb;
mod pdb_serials;
pub mod placing;
mod ply;
mod pqr;
mod prmtop;
mod psf;
mod raw;
mod raw_layout;
pub mod reading;
mod reading_frames;
mod recognition;
mod records;
pub mod request;
mod residue_ranges;
mod scalar;
mod sdf;
mod shared_sites;
mod symmetry;
mod topology;
mod topology_file;
mod trr;
mod unsupported;
mod vasp;
mod virtual_sites;
mod vtk;
mod vtk_xml;
pub mod wanted;
mod xtc;
mod xyz;
mod xyz_comment;

pub use lammps_data::AtomStyle;
pub use list::Format;
pub use list::{FormatKind, extensions, read};
pub use raw_layout::RawLayout;
pub use recognition::{format_of, format_wanted};
pub use residue_ranges::STRUCTURES;
pub use symmetry::Symmetry;
pub use topology::Topology;
pub use topology_file::read_topology;
