//! Views along an axis of the data: an edge of its box, or a principal axis.

use std::fmt;
use std::str::FromStr;

use glam::{DVec3, Vec3};

use crate::data::Cell;
use crate::options::orientation::facing_front;
use crate::scene::spheres::StandardView;

/// An axis of the data that points to the eye.
///
/// ```
/// # use roundel_load as roundel;
/// use roundel::io::ViewAxis;
///
/// let axis: ViewAxis = "axis 1 of chain A".parse()?;
/// assert_eq!(axis.to_string(), "axis 1 of chain A");
/// assert_eq!("b".parse::<ViewAxis>()?, ViewAxis::CellEdge(1));
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ViewAxis {
    /// An edge of the periodic box: 0 for a, 1 for b, 2 for c.
    CellEdge(usize),
    /// A principal axis of the rows that are drawn, or of a selection.
    Principal {
        /// 0 for the longest, 2 for the shortest.
        axis: usize,
        /// The selection.
        of: Option<String>,
    },
}

/// The names of the edges.
const EDGES: [&str; 3] = ["a", "b", "c"];

impl fmt::Display for ViewAxis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::CellEdge(edge) => f.write_str(EDGES[edge % 3]),
            Self::Principal { axis, of: None } => write!(f, "axis {}", axis + 1),
            Self::Principal { axis, of: Some(of) } => write!(f, "axis {} of {of}", axis + 1),
        }
    }
}

impl FromStr for ViewAxis {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Some(edge) = EDGES.iter().position(|name| *name == text) {
            return Ok(Self::CellEdge(edge));
        }
        let (axis, of) = match text.split_once(" of ") {
            Some((axis, of)) if !of.trim().is_empty() => (axis, Some(of.trim().to_owned())),
            _ => (text, None),
        };
        let axis = ["axis 1", "axis 2", "axis 3"].iter().position(|name| *name == axis.trim());
        axis.map(|axis| Self::Principal { axis, of }).ok_or_else(|| {
            "must be broadside, front, back, left, right, top, bottom, iso, an edge of the box (a, b or c), or a principal axis \
             (axis 1, the longest, to axis 3), perhaps of a selection, as in 'axis 1 of chain A'"
                .to_owned()
        })
    }
}

impl ViewAxis {
    /// The one axis of a view; lists take only sides.
    pub(crate) fn alone(text: &str) -> Result<Self, String> {
        let axis = text.parse::<Self>();
        let is_known = |part: &str| part.trim().parse::<Self>().is_ok() || part.trim().parse::<StandardView>().is_ok();
        if axis.is_err() && text.split(',').all(is_known) {
            return Err("must be several sides, such as front,right, or one edge or axis alone".to_owned());
        }
        axis
    }
}

/// The directions towards the eye and up of a view along an edge of a box. Along a and b, the edge c points up: b or −a
/// lies across the picture. Along c, a lies across.
pub(crate) fn along_edge(cell: &Cell, edge: usize) -> [Vec3; 2] {
    let edges = [cell.edges.x_axis, cell.edges.y_axis, cell.edges.z_axis];
    let across = match edge % 3 {
        1 => -edges[0],
        edge => edges[(edge + 1) % 3],
    };
    let toward_eye = edges[edge % 3].normalize();
    [toward_eye.as_vec3(), toward_eye.cross(across).normalize().as_vec3()]
}

/// The directions towards the eye and up of a view along one of three principal axes, the longest first: of the others,
/// the longer lies across the picture. Of the two ways round, the one nearer the view along z is taken.
pub(crate) fn along_principal(axes: [DVec3; 3], axis: usize) -> [Vec3; 2] {
    facing_front(axes[axis], axes[if axis == 2 { 1 } else { 2 }])
}

#[cfg(test)]
mod tests {
    use glam::DMat3;

    use super::*;

    #[test]
    fn views_along_edges_have_c_up_or_b_and_another_edge_across() {
        let edges = DMat3::from_cols(DVec3::new(4.0, 0.0, 0.0), DVec3::new(1.0, 3.0, 0.0), DVec3::new(0.0, 0.5, 5.0));
        let cell = Cell::new(DVec3::ZERO, edges).expect("a volume");
        for edge in 0..3 {
            let [toward_eye, up] = along_edge(&cell, edge);
            let right = up.cross(toward_eye).as_dvec3();
            let columns = [edges.x_axis, edges.y_axis, edges.z_axis];
            let (across, upward) = [(columns[1], 2), (-columns[0], 2), (columns[0], 1)][edge];
            assert!(toward_eye.as_dvec3().dot(columns[edge].normalize()) > 1.0 - 1e-6);
            assert!(up.as_dvec3().dot(across).abs() < 1e-6 && right.dot(across) > 0.0, "{edge}");
            assert!(up.as_dvec3().dot(columns[upward]) > 0.9 * columns[upward].length(), "{edge}");
        }
    }

    #[test]
    fn axes_are_read_as_they_are_written() {
        for text in ["a", "c", "axis 3", "axis 2 of resname HEM and element C"] {
            assert_eq!(text.parse::<ViewAxis>().expect(text).to_string(), text);
        }
        for list in ["a,b", "b, front", "front,axis 1"] {
            assert!(ViewAxis::alone(list).expect_err(list).contains("one edge or axis alone"), "{list}");
        }
        assert!(ViewAxis::alone("axis 1 of resid 1,2").is_ok() && ViewAxis::alone("d,a").is_err());
        for wrong in ["d", "axis 4", "axis", "", "axis 1 of "] {
            assert!(wrong.parse::<ViewAxis>().expect_err(wrong).contains("principal axis"), "{wrong}");
        }
    }
}
