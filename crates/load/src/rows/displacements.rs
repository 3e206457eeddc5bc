//! Thermal displacements of atoms, and their ellipsoids: tensors of ANISOU and mmCIF, or B factors.

use glam::{DMat3, DQuat};

use crate::formats::facts::Displacement;
use crate::geom::single;
use crate::options::orientation::{eigen, symmetric};
use crate::rows::glyphs::RowEllipsoid;
use crate::scene::spheres::PaintedSphere;

/// The displacements of a table's atoms.
#[derive(Debug)]
pub(crate) struct Displacements<'a> {
    /// B of isotropic displacements in each row; empty without such a column.
    pub(crate) b_factors: Vec<f64>,
    /// The serial number of each row's atom; empty without such a column.
    pub(crate) serials: Vec<f64>,
    /// Tensors by serial number, in order.
    pub(crate) tensors: &'a [(i64, Displacement)],
}

impl Displacements<'_> {
    /// Whether an atom has an isotropic displacement.
    pub(crate) fn has_isotropic(&self) -> bool {
        self.b_factors.iter().any(|b| *b > 0.0)
    }

    /// Whether each atom of a table with this many rows has a displacement, which replaces its radius.
    pub(crate) fn are_known(&self, rows: usize) -> bool {
        (0..rows).all(|row| self.isotropic(row).is_some() || self.tensor(row).is_some())
    }

    /// B of a row, if it is a displacement.
    fn isotropic(&self, row: usize) -> Option<f64> {
        self.b_factors.get(row).copied().filter(|b| *b > 0.0)
    }

    fn tensor(&self, row: usize) -> Option<&Displacement> {
        let serial = self.serials.get(row).filter(|serial| !serial.is_nan())?;
        #[expect(clippy::cast_possible_truncation, reason = "serials are whole numbers")]
        let place = self.tensors.binary_search_by_key(&(*serial as i64), |(known, _)| *known).ok()?;
        Some(&self.tensors[place].1)
    }

    /// The ellipsoids of rows at a probability; without a tensor that is positive definite, isotropic displacements
    /// give spheres.
    pub(crate) fn ellipsoids(&self, probability: f32, spheres: &mut [PaintedSphere]) -> Vec<RowEllipsoid> {
        let scale = radius_of_probability(f64::from(probability));
        let is_ellipsoid = |(squares, _): &([f64; 3], DMat3)| squares.iter().all(|square| *square > 0.0);
        let mut ellipsoids = Vec::new();
        for (row, sphere) in (0..).zip(spheres) {
            let at = row as usize;
            if let Some((squares, axes)) = self.tensor(at).map(principal_axes).filter(is_ellipsoid) {
                let radii = squares.map(|square| single(scale * square.sqrt()));
                let rotation = DQuat::from_mat3(&axes).to_array().map(single);
                ellipsoids.push(RowEllipsoid { row, radii, rotation });
                sphere.radius = 0.0;
            } else if let Some(b) = self.isotropic(at) {
                // B = 8 π² U
                let square = b / (8.0 * (std::f64::consts::PI * std::f64::consts::PI));
                sphere.radius = single(scale * square.sqrt());
            }
        }
        ellipsoids
    }
}

/// The radius, in standard deviations, of the ball that holds this probability of a normal distribution in space:
/// 1.5382 for one half, as in ORTEP.
fn radius_of_probability(probability: f64) -> f64 {
    let inside = |radius: f64| {
        let density = (2.0 / std::f64::consts::PI).sqrt() * radius * libm::exp(-0.5 * radius * radius);
        libm::erf(radius / std::f64::consts::SQRT_2) - density
    };
    let (mut low, mut high) = (0.0, 10.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if inside(middle) < probability { low = middle } else { high = middle }
    }
    high
}

/// The mean squares of displacements along the principal axes, and these axes, right-handed.
fn principal_axes(displacement: &Displacement) -> ([f64; 3], DMat3) {
    let (squares, axes) = eigen(symmetric(displacement.map(f64::from)));
    (squares, DMat3::from_cols(axes.x_axis, axes.y_axis, axes.x_axis.cross(axes.y_axis)))
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;

    #[test]
    fn probabilities_are_those_of_ortep() {
        // C. K. Johnson, ORTEP, ORNL-3794, table of probabilities
        for (probability, expected) in [(0.5, 1.5382), (0.3, 1.1932), (0.9, 2.5003), (0.99, 3.3682)] {
            assert!((radius_of_probability(probability) - expected).abs() < 1e-4, "{probability}");
        }
    }

    #[test]
    fn principal_axes_rebuild_the_tensor() {
        for tensor in [
            [0.02_f32, 0.03, 0.05, 0.004, -0.01, 0.006],
            [0.04, 0.04, 0.04, 0.0, 0.0, 0.0],
            [0.01, 0.5, 0.2, 0.06, 0.0, -0.1],
        ] {
            let (squares, axes) = principal_axes(&tensor);
            let rebuilt = axes * DMat3::from_diagonal(DVec3::from(squares)) * axes.transpose();
            let [u11, u22, u33, u12, u13, u23] = tensor.map(f64::from);
            let expected =
                DMat3::from_cols(DVec3::new(u11, u12, u13), DVec3::new(u12, u22, u23), DVec3::new(u13, u23, u33));
            assert!((rebuilt - expected).to_cols_array().iter().all(|value| value.abs() < 1e-12), "{tensor:?}");
            assert!((axes.determinant() - 1.0).abs() < 1e-12 && squares.iter().all(|square| *square > 0.0));
        }
    }
}
