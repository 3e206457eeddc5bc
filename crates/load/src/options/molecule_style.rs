//! Styles of molecules, by name.

use std::fmt;
use std::str::FromStr;

use crate::did_you_mean::{self, shortened};
use crate::error::{Error, Result};

/// How atoms and their bonds are drawn.
///
/// ```
/// # use roundel_load as roundel;
/// use roundel::io::MoleculeStyle;
///
/// assert_eq!("sticks".parse::<MoleculeStyle>()?, MoleculeStyle::Sticks);
/// assert!("cartoon".parse::<MoleculeStyle>().is_err());
/// # Ok::<(), roundel::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum MoleculeStyle {
    /// Spheres of the radii that the data has: the van der Waals radii of atoms.
    #[default]
    Spacefill,
    /// Small spheres, joined by thin cylinders: two or three where the file says that a bond is double or triple.
    BallAndStick,
    /// Cylinders with round joints.
    Sticks,
    /// Dots without bonds.
    Points,
    /// Round tubes along the chains, through their CA or P atoms, as thick as radii that are given.
    Trace,
    /// Nothing: arrows of vectors stand alone, and selections such as `within` still find the rows.
    None,
}

impl MoleculeStyle {
    /// All styles.
    pub const ALL: [Self; 6] =
        [Self::Spacefill, Self::BallAndStick, Self::Sticks, Self::Points, Self::Trace, Self::None];

    #[rustfmt::skip]
    const SYNONYMS: [(&str, Self); 21] = [
        ("vdw", Self::Spacefill), ("sphere", Self::Spacefill), ("spheres", Self::Spacefill),
        ("space-filling", Self::Spacefill), ("ball+stick", Self::BallAndStick), ("ball-stick", Self::BallAndStick),
        ("ballandstick", Self::BallAndStick), ("balls-and-sticks", Self::BallAndStick), ("cpk", Self::BallAndStick),
        ("stick", Self::Sticks), ("licorice", Self::Sticks), ("point", Self::Points),
        ("dots", Self::Points), ("line", Self::Sticks), ("lines", Self::Sticks), ("wire", Self::Sticks),
        ("wireframe", Self::Sticks), ("tube", Self::Trace), ("tubes", Self::Trace), ("putty", Self::Trace),
        ("worm", Self::Trace),
    ];

    /// Names of styles that are not drawn.
    const MISSING: [&str; 8] = ["cartoon", "cartoons", "ribbon", "ribbons", "newcartoon", "surface", "surf", "mesh"];

    /// The name in scenes and on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Spacefill => "spacefill",
            Self::BallAndStick => "ball-and-stick",
            Self::Sticks => "sticks",
            Self::Points => "points",
            Self::Trace => "trace",
            Self::None => "none",
        }
    }

    /// Whether a text is meant as a style, drawn or not, and not as a selection.
    #[must_use]
    pub fn is_named(text: &str) -> bool {
        let name = text.to_ascii_lowercase();
        Self::MISSING.contains(&&*name) || name.parse::<Self>().is_ok()
    }

    /// Whether bonds are drawn.
    pub(crate) fn has_sticks(self) -> bool {
        matches!(self, Self::BallAndStick | Self::Sticks)
    }
}

impl fmt::Display for MoleculeStyle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for MoleculeStyle {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let name = text.to_ascii_lowercase().replace('_', "-");
        let known = Self::ALL.into_iter().map(|style| (style.name(), style)).chain(Self::SYNONYMS);
        known.into_iter().find(|(known, _)| *known == name).map(|(_, style)| style).ok_or_else(|| {
            let names = Self::ALL.map(Self::name);
            let message = if Self::MISSING.contains(&&*name) {
                format!(
                    "must be {}, got {:?}: cartoons and surfaces are not drawn; trace shows folds, sticks shows residues",
                    names.join(", "),
                    shortened(text)
                )
            } else {
                let hint = did_you_mean::hint(&name, names.into_iter(), "accepted");
                format!("must be a style, got {:?}{hint}", shortened(text))
            };
            Error::setting("style", message)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn styles_are_known_by_usual_names() {
        for style in MoleculeStyle::ALL {
            assert_eq!(style.name().parse::<MoleculeStyle>().expect("its name"), style);
        }
        assert_eq!("Ball_And_Stick".parse::<MoleculeStyle>().expect("a style"), MoleculeStyle::BallAndStick);
        assert_eq!("licorice".parse::<MoleculeStyle>().expect("a style"), MoleculeStyle::Sticks);
        let missing = "cartoon".parse::<MoleculeStyle>().expect_err("not drawn").to_string();
        assert!(missing.contains("not drawn") && missing.contains("sticks"), "{missing}");
        assert_eq!("putty".parse::<MoleculeStyle>().expect("a style"), MoleculeStyle::Trace);
        assert!(MoleculeStyle::is_named("cartoon") && !MoleculeStyle::is_named("ligand"));
    }
}
