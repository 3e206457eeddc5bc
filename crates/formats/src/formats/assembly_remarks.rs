//! REMARK 350 of PDB files: the placements of chains in a biological assembly.

use glam::{Mat3, Vec3};

use super::facts::{Assembly, AssemblyPart};
use crate::did_you_mean::shortened;
use crate::error::{Error, Result};
use crate::scene::spheres::Pose;
use crate::source::pieces::Text;

/// Tolerance for rotations, which files round to six decimals.
const RIGID: f32 = 1e-3;

/// Parser of the remarks.
#[derive(Default)]
pub(super) struct Operators {
    /// The last one may be incomplete.
    assemblies: Vec<Assembly>,
    /// The list of chains may continue on the next line.
    naming: bool,
    /// Rows of the incomplete operator.
    rows: Vec<[f32; 4]>,
}

impl Operators {
    pub(super) fn read(&mut self, lines: &Text) -> Result<()> {
        let text = String::from_utf8_lossy(&lines.last()[10..]);
        let text = text.trim();
        if let Some(numbers) = text.strip_prefix("BIOMOLECULE:") {
            let numbers = numbers.split(',').map(str::trim).filter(|number| !number.is_empty());
            let refuse = |number| lines.refuse(format!("BIOMOLECULE must be a number, got {:?}", shortened(number)));
            let numbers: Result<_> = numbers.map(|number| number.parse().map_err(|_| refuse(number))).collect();
            self.assemblies.push(Assembly { numbers: numbers?, parts: Vec::new() });
            self.naming = false;
        } else if let Some((_, chains)) = text.split_once("CHAINS:") {
            let Some(assembly) = self.assemblies.last_mut() else { return Ok(()) };
            if !self.naming {
                assembly.parts.push(AssemblyPart::default());
            }
            self.naming = true;
            // in old files NULL is the chain without a name
            let names = chains.split(',').map(str::trim).filter(|chain| !chain.is_empty());
            let names = names.map(|chain| if chain == "NULL" { "" } else { chain }.to_owned());
            if let Some(part) = assembly.parts.last_mut() {
                part.chains.extend(names);
            }
        } else if let Some(row) = text.strip_prefix("BIOMT") {
            self.naming = false;
            self.row(row, lines)?;
        }
        Ok(())
    }

    /// Parses a row of an operator: its number, the operator's number, three factors and a shift.
    fn row(&mut self, row: &str, lines: &Text) -> Result<()> {
        let mut words = row.split_whitespace();
        let expected = (self.rows.len() + 1).to_string();
        let found = words.next().unwrap_or_default();
        if found != expected {
            return Err(lines.refuse(format!("must be BIOMT{expected}, got BIOMT{}", shortened(found))));
        }
        let values: Vec<f32> =
            words.skip(1).filter_map(|word| word.parse().ok()).filter(|value: &f32| value.is_finite()).collect();
        let refuse =
            |_| lines.refuse(format!("BIOMT must have a number and four finite values, got {:?}", shortened(row)));
        self.rows.push(<[f32; 4]>::try_from(values).map_err(refuse)?);
        if let [x, y, z] = *self.rows {
            self.rows.clear();
            let rotation = Mat3::from_cols_array_2d(&[[x[0], x[1], x[2]], [y[0], y[1], y[2]], [z[0], z[1], z[2]]]);
            let pose = pose(rotation.transpose(), Vec3::new(x[3], y[3], z[3]))
                .ok_or_else(|| lines.refuse("BIOMT must be a rotation: its rows have unit length and right angles"))?;
            let Some(assembly) = self.assemblies.last_mut() else {
                return Err(lines.refuse("BIOMT must follow a line with BIOMOLECULE"));
            };
            match assembly.parts.last_mut() {
                Some(part) => part.poses.push(pose),
                // without names, all chains
                None => assembly.parts.push(AssemblyPart { chains: Vec::new(), poses: vec![pose] }),
            }
        }
        Ok(())
    }

    /// The assemblies with operators.
    pub(super) fn finish(mut self, file: &str) -> Result<Vec<Assembly>> {
        if !self.rows.is_empty() {
            let message = format!("REMARK 350 ends in the middle of an operator, after BIOMT{}", self.rows.len());
            return Err(Error::input(file, None, message));
        }
        for assembly in &mut self.assemblies {
            assembly.parts.retain(|part| !part.poses.is_empty());
        }
        self.assemblies.retain(|assembly| !assembly.parts.is_empty());
        Ok(self.assemblies)
    }
}

/// A placement of copies; `None` if it is not rigid.
pub(super) fn pose(rotation: Mat3, translation: Vec3) -> Option<Pose> {
    let identity = rotation * rotation.transpose();
    identity.abs_diff_eq(Mat3::IDENTITY, RIGID).then_some(Pose { rotation, translation })
}
