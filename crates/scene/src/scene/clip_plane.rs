//! Clip planes.

use std::fmt;
use std::str::FromStr;

use glam::Vec3;

use crate::error::{Error, Result};
use crate::geom::{Origin, Plane, shortest, single};

/// A clip plane: the inside is drawn, the outside is removed.
///
/// Its text form, in scenes and for `--clip`, is an axis, `<` or `>`, and a number. Three numbers in place of the axis
/// are a direction perpendicular to the plane.
///
/// ```
/// # use roundel_scene as roundel;
/// use roundel::geom::Plane;
/// use roundel::glam::Vec3;
/// use roundel::spheres::ClipPlane;
///
/// let plane: ClipPlane = "x<12".parse()?;
/// assert_eq!(plane.boundary, Plane { normal: Vec3::X, offset: 12.0 });
/// let plane: ClipPlane = "y > -3".parse()?;
/// assert_eq!(plane.boundary, Plane { normal: Vec3::NEG_Y, offset: 3.0 });
/// let plane: ClipPlane = "0,3,4<10".parse()?;
/// assert_eq!(plane.to_string(), "0,0.6,0.8<2");
/// # Ok::<(), roundel::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[non_exhaustive]
pub struct ClipPlane {
    /// Its normal points to the removed side. A plane without direction cuts nothing.
    pub boundary: Plane,
    /// What the offset has beyond the nearest `f32`: far from 0, where the data has an origin.
    #[serde(default, skip_serializing_if = "is_zero")]
    rest: f32,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde calls it")]
fn is_zero(rest: &f32) -> bool {
    *rest == 0.0
}

impl ClipPlane {
    fn new(normal: Vec3, offset: f64) -> Self {
        let rounded = single(offset);
        Self { boundary: Plane { normal, offset: rounded }, rest: single(offset - f64::from(rounded)) }
    }

    fn offset(&self) -> f64 {
        f64::from(self.boundary.offset) + f64::from(self.rest)
    }

    /// A plane of the data in a scene with this origin.
    #[doc(hidden)]
    pub fn relative_to(self, origin: Origin) -> Self {
        if origin.is_zero() {
            return self;
        }
        let normal = self.boundary.normal;
        Plane { normal, offset: single(self.offset() - normal.as_dvec3().dot(origin.point())) }.into()
    }

    /// A plane of a scene with this origin in the coordinates of the data, in the fewest decimals.
    #[doc(hidden)]
    pub fn in_data(self, origin: Origin) -> Self {
        if origin.is_zero() {
            return self;
        }
        let normal = self.boundary.normal;
        let away = normal.as_dvec3().dot(origin.point());
        let is_same = |offset: f64| single(offset - away) == self.boundary.offset;
        Self::new(normal, shortest(self.offset() + away, is_same))
    }
}

impl From<Plane> for ClipPlane {
    fn from(boundary: Plane) -> Self {
        Self { boundary, rest: 0.0 }
    }
}

/// Names of the axes, and their directions.
const AXES: [(&str, Vec3); 3] = [("x", Vec3::X), ("y", Vec3::Y), ("z", Vec3::Z)];

impl FromStr for ClipPlane {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        parse(text).ok_or_else(|| {
            let rule = "must be an axis, < or >, and a number, such as x<12, or three numbers for the axis";
            Error::setting("clip", format!("{rule}, got {text:?}"))
        })
    }
}

fn parse(text: &str) -> Option<ClipPlane> {
    let at = text.find(['<', '>'])?;
    let (axis, value) = (text[..at].trim(), text[at + 1..].trim());
    let value = value.parse::<f64>().ok().filter(|value| single(*value).is_finite())?;
    let direction = match AXES.iter().find(|(name, _)| name.eq_ignore_ascii_case(axis)) {
        Some((_, direction)) => *direction,
        None => {
            let parts: Vec<f32> = axis.split(',').map(|part| part.trim().parse().ok()).collect::<Option<_>>()?;
            Vec3::from(<[f32; 3]>::try_from(parts).ok()?)
        }
    };
    let length = direction.as_dvec3().length();
    // a unit vector stays as it is written
    let length = if (length - 1.0).abs() < 1e-6 { 1.0 } else { length };
    let normal = (direction.as_dvec3() / length).as_vec3();
    let offset = value / length;
    let is_plane = length > 0.0 && normal.is_finite() && single(offset).is_finite();
    let plane =
        if text[at..].starts_with('<') { ClipPlane::new(normal, offset) } else { ClipPlane::new(-normal, -offset) };
    is_plane.then_some(plane)
}

impl fmt::Display for ClipPlane {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Plane { normal, offset } = self.boundary;
        let exact = self.offset();
        // the fewest digits that are read back as this plane
        let offset = match self.rest {
            0.0 => offset.to_string().parse().unwrap_or(exact),
            _ => shortest(exact, |short| Self::new(normal, short) == *self),
        };
        for (name, axis) in AXES {
            if normal == axis {
                return write!(f, "{name}<{offset}");
            }
            if normal == -axis {
                return write!(f, "{name}>{}", -offset);
            }
        }
        write!(f, "{},{},{}<{offset}", normal.x, normal.y, normal.z)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn planes_are_read_back_as_they_are_written() {
        for text in ["x<12", "y>-3.5", "z<0", "0,0.6,0.8<2", "0.36,0.48,0.8<-1.25"] {
            let plane: ClipPlane = text.parse().expect("a plane");
            assert_eq!(plane.to_string().parse::<ClipPlane>().expect("a plane"), plane, "{text}");
        }
        for text in ["", "x", "x<", "w<1", "x<nan", "x<1e99", "0,0,0<1", "1,2<3", "1,2,inf<3", "x=3", "<3"] {
            let error = text.parse::<ClipPlane>().expect_err("no plane").to_string();
            assert!(error.contains("such as x<12"), "{error}");
        }
    }
}
