//! Named view directions.

use std::fmt;
use std::str::FromStr;

use glam::Vec3;

use crate::error::Error;

/// A named view direction of an automatic camera.
///
/// All views except [`StandardView::Broadside`] look along the world's axes. For molecules and scenes without files, y
/// is up and the front faces +z. For particles, simulations in a periodic box and membranes, z is up and the front
/// faces −y, as in OVITO.
///
/// ```
/// # use roundel_scene as roundel;
/// use roundel::spheres::StandardView;
///
/// assert_eq!("top".parse::<StandardView>()?, StandardView::Top);
/// assert_eq!(StandardView::Iso.to_string(), "iso");
/// # Ok::<(), roundel::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StandardView {
    /// The longest principal axis of the shapes lies across the picture, the shortest points to the eye.
    Broadside,
    /// The eye is at +z; with z up, at −y.
    Front,
    /// The eye is at −z; with z up, at +y.
    Back,
    /// The eye is at −x.
    Left,
    /// The eye is at +x.
    Right,
    /// The eye is at +y, and −z is up in the picture; with z up, the eye is at +z and y is up in the picture.
    Top,
    /// The eye is at −y, and +z is up in the picture; with z up, the eye is at −z and −y is up in the picture.
    Bottom,
    /// The eye is equally far to the right, in front and above.
    Iso,
}

/// The axis of the world that points up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UpAxis {
    /// Molecules.
    #[default]
    Y,
    /// Particles, simulations and membranes.
    Z,
}

impl StandardView {
    /// All views.
    pub const ALL: [Self; 8] =
        [Self::Broadside, Self::Front, Self::Back, Self::Left, Self::Right, Self::Top, Self::Bottom, Self::Iso];

    /// The name in scenes and on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Broadside => "broadside",
            Self::Front => "front",
            Self::Back => "back",
            Self::Left => "left",
            Self::Right => "right",
            Self::Top => "top",
            Self::Bottom => "bottom",
            Self::Iso => "iso",
        }
    }

    /// The directions towards the eye and up; `None` if they depend on the shapes.
    #[doc(hidden)]
    pub fn directions(self, up: UpAxis) -> Option<[Vec3; 2]> {
        let directions = match self {
            Self::Broadside => return None,
            Self::Front => [Vec3::Z, Vec3::Y],
            Self::Back => [Vec3::NEG_Z, Vec3::Y],
            Self::Left => [Vec3::NEG_X, Vec3::Y],
            Self::Right => [Vec3::X, Vec3::Y],
            Self::Top => [Vec3::Y, Vec3::NEG_Z],
            Self::Bottom => [Vec3::NEG_Y, Vec3::Z],
            Self::Iso => [Vec3::ONE, Vec3::Y],
        };
        // rotates y to z; the difference with 0 avoids −0
        let upright = |v: Vec3| Vec3::new(v.x, 0.0 - v.z, v.y);
        Some(if up == UpAxis::Z { directions.map(upright) } else { directions })
    }
}

impl FromStr for StandardView {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        Self::ALL.into_iter().find(|view| view.name() == name).ok_or_else(|| {
            let names = Self::ALL.map(Self::name).join(", ");
            Error::setting("view", format!("must be one of {names}, got {name:?}"))
        })
    }
}

impl fmt::Display for StandardView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_view_has_a_name_and_shows_the_world_unmirrored() {
        for view in StandardView::ALL {
            assert_eq!(view.name().parse::<StandardView>().expect("its own name"), view);
            for axis in [UpAxis::Y, UpAxis::Z] {
                if let Some([toward_eye, up]) = view.directions(axis) {
                    assert!(up.cross(toward_eye).length() > 0.5, "{view}: up lies across the line of sight");
                }
            }
        }
        for (view, axis) in [StandardView::Front, StandardView::Top, StandardView::Bottom]
            .into_iter()
            .flat_map(|view| [(view, UpAxis::Y), (view, UpAxis::Z)])
        {
            let [toward_eye, up] = view.directions(axis).expect("the world's axes");
            assert_eq!(up.cross(toward_eye), Vec3::X, "{view}, {axis:?} up: x is to the right");
        }
    }
}
