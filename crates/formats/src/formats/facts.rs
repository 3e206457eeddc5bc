//! The content of files other than their rows.

use serde::Serialize;

use crate::data::{Cell, FileBonds};
use crate::geom::Origin;
use crate::scene::spheres::Pose;

/// The displacement tensor of an atom: U₁₁, U₂₂, U₃₃, U₁₂, U₁₃, U₂₃ in square ångström, along x, y and z.
pub type Displacement = [f32; 6];

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
    ///
    /// Keys are whole words outside of quotes: `step` in `id:I:1 step=10` and nothing else. `T` is a temperature, as is a
    /// number in K.
    pub(super) fn of_text(text: &str) -> Self {
        /// Letters of the longest key.
        const LONGEST: usize = "timestep".len();
        let mut found = Self::default();
        let is_gap = |letter: char| letter.is_whitespace() || matches!(letter, ',' | ';' | '"');
        let is_quoted = |at: usize| {
            let before = text[..at].matches('"').count();
            before % 2 == 1 && text[at..].contains('"')
        };
        for (at, _) in text.match_indices(['=', ':']) {
            let before = text[..at].trim_end();
            let gap = before.char_indices().rev().take(LONGEST + 1).find(|(_, letter)| is_gap(*letter));
            let key_start = match gap {
                Some((gap, letter)) => gap + letter.len_utf8(),
                None if before.len() <= LONGEST => 0,
                None => continue,
            };
            let key = &before[key_start..];
            let name = key.to_ascii_lowercase();
            // CP2K begins its comments with `i`
            let is_step = ["step", "timestep"].contains(&name.as_str()) || key == "i" && before.trim_start() == key;
            let is_time = name == "time" || key == "t";
            if !(is_step || is_time) || is_quoted(key_start) {
                continue;
            }
            let mut words = text[at + 1..].split(is_gap).filter(|word| !word.is_empty());
            let (value, unit) = (words.next().unwrap_or_default(), words.next());
            if is_step {
                found.step = found.step.or_else(|| value.parse().ok());
            } else if unit != Some("K") {
                found.time = found.time.or_else(|| value.parse().ok().filter(|time: &f64| time.is_finite()));
            }
        }
        found
    }
}

/// A biological assembly: placed copies of a molecule's chains.
#[derive(Clone, Debug, PartialEq)]
pub struct Assembly {
    /// Usually one; the same operators may build several.
    pub numbers: Vec<u32>,
    pub parts: Vec<AssemblyPart>,
}

impl Assembly {
    /// The same assembly of a scene with this origin.
    pub fn relative_to(&self, origin: Origin) -> Self {
        let mut moved = self.clone();
        if !origin.is_zero() {
            for pose in moved.parts.iter_mut().flat_map(|part| &mut part.poses) {
                let of_origin = pose.rotation.as_dmat3() * origin.point() - origin.point();
                pose.translation = (pose.translation.as_dvec3() + of_origin).as_vec3();
            }
        }
        moved
    }
}

/// Chains, and the poses of their copies.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AssemblyPart {
    /// All chains when empty.
    pub chains: Vec<String>,
    pub poses: Vec<Pose>,
}

/// The time of the frame that was read.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FrameTimes {
    pub read: FrameTime,
    /// Its number, from 0.
    pub frame: u64,
    /// The unit of times; empty if it is unknown.
    pub unit: &'static str,
}

/// The content of a file other than its rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Facts {
    /// Models or frames; 1 unless counting was requested.
    pub frames: u64,
    /// Their steps and times, if counting was requested and the file has them; of very many frames, only the first.
    pub frame_times: Vec<FrameTime>,
    pub times: FrameTimes,
    /// The biological assemblies that the file describes.
    pub assemblies: Vec<Assembly>,
    pub cell: Option<Cell>,
    /// Whether positions go on through the boundary of the cell: image flags, if there are any, are part of them.
    pub is_unwrapped: bool,
    /// Anisotropic displacements of atoms, by their serial numbers, in order.
    pub displacements: Vec<(i64, Displacement)>,
    pub bonds: FileBonds,
    /// The masses of the types of LAMMPS.
    pub(crate) type_masses: Vec<(i64, f64)>,
    /// The note that the last frame is incomplete and does not count, if frames were counted.
    pub incomplete: Option<String>,
    /// Whether the frame has no atoms, as the first one of a simulation that pours them in.
    pub is_empty_frame: bool,
    /// Notes for the user, one sentence each.
    pub notes: Vec<String>,
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
            (r#"Properties=species:S:1:pos:R:3:id:I:1 step=100"#, None, Some(100)),
            (r#"Properties="species:S:1:pos:R:3:id:I:1" dt=2 md_step=3 sim:step=4 Time="2.5""#, Some(2.5), None),
            (r#"comment="step = 5, time = 2" step=7"#, None, Some(7)),
            ("NPT at T = 298 K, t = 300 K, T: 5, atom i = 3", None, None),
            ("time=nan step=x", None, None),
            ("", None, None),
        ] {
            assert_eq!(FrameTime::of_text(text), FrameTime { time, step }, "{text}");
        }
    }
}
