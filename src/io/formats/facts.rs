//! The content of files other than their rows.

use crate::color::Srgba8;
use crate::data::{Cell, FileBonds};
use crate::scene::spheres::Pose;

/// The tensor of an atom's displacements: U₁₁, U₂₂, U₃₃, U₁₂, U₁₃, U₂₃ in square ångström, along x, y and z.
pub(crate) type Displacement = [f32; 6];

/// How copies of a molecule's chains stand together.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Assembly {
    /// Usually one; the same operators may build several.
    pub(crate) numbers: Vec<u32>,
    pub(crate) parts: Vec<AssemblyPart>,
}

/// Chains, and where their copies stand.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct AssemblyPart {
    /// All chains when empty.
    pub(crate) chains: Vec<String>,
    pub(crate) poses: Vec<Pose>,
}

/// The content of a file other than its rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Facts {
    /// Models or frames; 1 unless counting was requested.
    pub(crate) frames: u64,
    /// The biological assemblies that the file says how to build.
    pub(crate) assemblies: Vec<Assembly>,
    /// The periodic box.
    pub(crate) cell: Option<Cell>,
    /// Anisotropic displacements of atoms, by their serial numbers, in order.
    pub(crate) displacements: Vec<(i64, Displacement)>,
    /// The bonds that it lists.
    pub(crate) bonds: FileBonds,
    /// From where to look.
    pub(crate) viewpoint: Option<FileViewpoint>,
    /// Notes for the user, one sentence each.
    pub(crate) notes: Vec<String>,
}

/// The file's viewpoint; missing parts get defaults.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct FileViewpoint {
    pub(crate) eye: Option<[f32; 3]>,
    pub(crate) target: Option<[f32; 3]>,
    pub(crate) up: Option<[f32; 3]>,
    /// Degrees from the picture's bottom to its top.
    pub(crate) fov: Option<f32>,
    /// Width and height in pixels.
    pub(crate) size: Option<(u32, u32)>,
    pub(crate) background: Option<Srgba8>,
}
