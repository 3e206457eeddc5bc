//! The content of files other than their rows.

use serde::Serialize;

use crate::color::Srgba8;
use crate::data::{Cell, FileBonds};
use crate::scene::spheres::Pose;

/// The displacement tensor of an atom: U₁₁, U₂₂, U₃₃, U₁₂, U₁₃, U₂₃ in square ångström, along x, y and z.
pub(crate) type Displacement = [f32; 6];

/// The step and the time of a frame, as far as the file says them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct FrameTime {
    /// The number of the step of the simulation.
    pub step: Option<i64>,
    /// The time, in the unit of the simulation: picoseconds of XTC, TRR, GRO, DCD and NetCDF.
    pub time: Option<f64>,
}

impl FrameTime {
    /// Parses step and time from a line such as `t= 0.5 step= 10`, `Timestep: 10` or `i = 10, time = 0.5`.
    pub(super) fn of_text(text: &str) -> Self {
        let spaced = text.replace(['=', ':'], " = ").replace([',', ';', '"'], " ");
        let words: Vec<&str> = spaced.split_ascii_whitespace().collect();
        let mut found = Self::default();
        for window in words.windows(3) {
            let [name, "=", value] = window else { continue };
            match name.to_ascii_lowercase().as_str() {
                "t" | "time" => found.time = found.time.or(value.parse().ok().filter(|time: &f64| time.is_finite())),
                "step" | "timestep" | "i" => found.step = found.step.or(value.parse().ok()),
                _ => {}
            }
        }
        found
    }
}

/// A biological assembly: placed copies of a molecule's chains.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Assembly {
    /// Usually one; the same operators may build several.
    pub(crate) numbers: Vec<u32>,
    pub(crate) parts: Vec<AssemblyPart>,
}

/// Chains, and the poses of their copies.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct AssemblyPart {
    /// All chains when empty.
    pub(crate) chains: Vec<String>,
    pub(crate) poses: Vec<Pose>,
}

/// The time of the frame that was read.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct FrameTimes {
    pub(crate) read: FrameTime,
    /// Its number, from 0.
    pub(crate) frame: u64,
    /// The unit of times; empty if it is unknown.
    pub(crate) unit: &'static str,
}

/// The content of a file other than its rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Facts {
    /// Models or frames; 1 unless counting was requested.
    pub(crate) frames: u64,
    /// Their steps and times, if counting was requested and the file has them; of very many frames, only the first.
    pub(crate) frame_times: Vec<FrameTime>,
    pub(crate) times: FrameTimes,
    /// The biological assemblies that the file describes.
    pub(crate) assemblies: Vec<Assembly>,
    pub(crate) cell: Option<Cell>,
    /// Whether positions go on through the boundary of the cell: image flags, if there are any, are part of them.
    pub(crate) is_unwrapped: bool,
    /// Anisotropic displacements of atoms, by their serial numbers, in order.
    pub(crate) displacements: Vec<(i64, Displacement)>,
    pub(crate) bonds: FileBonds,
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
    /// The vertical angle of view in degrees.
    pub(crate) fov: Option<f32>,
    /// Width and height in pixels.
    pub(crate) size: Option<(u32, u32)>,
    pub(crate) background: Option<Srgba8>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_found_in_lines_of_text() {
        for (text, time, step) in [
            ("Protein in water t=   0.50000 step= 250", Some(0.5), Some(250)),
            (" i =       12, time =        6.000, E =   -17.1", Some(6.0), Some(12)),
            ("Atoms. Timestep: 300", None, Some(300)),
            (r#"Lattice="1 0 0 0 1 0 0 0 1" Properties=species:S:1:pos:R:3 Time=1e-3"#, Some(1e-3), None),
            (r#"Properties=species:S:1:pos:R:3:time:R:1"#, None, None),
            ("time=nan step=x", None, None),
            ("", None, None),
        ] {
            assert_eq!(FrameTime::of_text(text), FrameTime { time, step }, "{text}");
        }
    }
}
