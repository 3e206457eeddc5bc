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

/// The time of a frame of a simulation, as far as its file says.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct FrameTime {
    pub(crate) time: Option<f64>,
    pub(crate) step: Option<i64>,
}

impl FrameTime {
    /// The time in a comment or a title: `t= 10.0 step= 5000`, `Time=10.0`, `Timestep: 5000`.
    pub(crate) fn in_text(text: &str) -> Self {
        let mut found = Self::default();
        let is_end = |character: char| character.is_ascii_whitespace() || matches!(character, '=' | ':' | ',' | '"');
        let words: Vec<&str> = text.split(is_end).filter(|word| !word.is_empty()).collect();
        for pair in words.windows(2) {
            let (word, next) = (pair[0], pair[1]);
            if ["t", "time"].iter().any(|name| word.eq_ignore_ascii_case(name)) {
                found.time = found.time.or_else(|| next.parse().ok().filter(|time: &f64| time.is_finite()));
            } else if ["step", "timestep"].iter().any(|name| word.eq_ignore_ascii_case(name)) {
                found.step = found.step.or_else(|| next.parse().ok());
            }
        }
        found
    }
}

/// The times of frames that were passed or read.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct FrameTimes {
    /// The frame that was read.
    pub(crate) read: FrameTime,
    /// Its number, from 0.
    pub(crate) frame: u64,
    /// The first frame of the file, if it was passed.
    pub(crate) first: FrameTime,
    /// The last frame that was passed or read.
    pub(crate) last: FrameTime,
    /// The unit of times; empty if it is unknown.
    pub(crate) unit: &'static str,
}

/// The content of a file other than its rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Facts {
    /// Models or frames; 1 unless counting was requested.
    pub(crate) frames: u64,
    /// When they are.
    pub(crate) times: FrameTimes,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_found_in_titles() {
        for (text, time, step) in [
            ("Water t=   2.50000 step= 1250", Some(2.5), Some(1250)),
            ("Atoms. Timestep: 300", None, Some(300)),
            (r#"Lattice="1 0 0 0 1 0 0 0 1" Properties=species:S:1:pos:R:3 Time=1e-3"#, Some(1e-3), None),
            (r#"Properties=species:S:1:pos:R:3:time:R:1"#, None, None),
            ("time=nan step=x", None, None),
            ("", None, None),
        ] {
            assert_eq!(FrameTime::in_text(text), FrameTime { time, step }, "{text}");
        }
    }
}
