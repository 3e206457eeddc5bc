//! The periodic box of a simulation or a crystal.

use glam::{DMat3, DVec3};

use crate::geom::Origin;

/// A parallelepiped that repeats along its edges.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cell {
    pub origin: DVec3,
    /// The edges from the origin, as columns.
    pub edges: DMat3,
    /// Along which edges it repeats.
    pub periodic: [bool; 3],
}

impl Cell {
    /// A cell that repeats along all three edges; `None` if they do not span a volume.
    pub fn new(origin: DVec3, edges: DMat3) -> Option<Self> {
        let volume = edges.determinant().abs();
        let spans = volume.is_finite() && volume > f64::MIN_POSITIVE && origin.is_finite();
        spans.then_some(Self { origin, edges, periodic: [true; 3] })
    }

    /// Whether its height is less than a quarter of its other edges.
    pub fn is_flat(&self) -> bool {
        let [a, b, c] = [self.edges.x_axis, self.edges.y_axis, self.edges.z_axis].map(DVec3::length);
        4.0 * c < a.min(b)
    }

    /// From lengths a, b, c and angles α (between b and c), β, γ in degrees, by the crystallographic convention: a along
    /// x, b in the xy plane.
    pub(crate) fn from_lengths_and_angles(lengths: [f64; 3], angles: [f64; 3]) -> Option<Self> {
        // exact for right angles, where the library's cosine leaves 6e-17
        let cosine = |degrees: f64| if degrees == 90.0 { 0.0 } else { libm::cos(degrees.to_radians()) };
        let [alpha, beta, gamma] = angles.map(cosine);
        let sine = (1.0 - gamma * gamma).sqrt();
        let y = (alpha - beta * gamma) / sine;
        let z = (1.0 - beta * beta - y * y).sqrt();
        let [a, b, c] = lengths;
        let edges = DMat3::from_cols(
            DVec3::new(a, 0.0, 0.0),
            DVec3::new(b * gamma, b * sine, 0.0),
            DVec3::new(c * beta, c * y, c * z),
        );
        Self::new(DVec3::ZERO, edges)
    }

    /// Wraps a place into the cell; a place inside comes back unchanged. `inverse` is the inverse of `edges`.
    #[inline]
    pub fn wrapped(&self, inverse: &DMat3, place: [f64; 3]) -> [f64; 3] {
        let fractions = *inverse * (DVec3::from(place) - self.origin);
        let mut moved = fractions;
        for axis in 0..3 {
            if self.periodic[axis] && !(0.0..1.0).contains(&fractions[axis]) {
                let inside = fractions[axis] - fractions[axis].floor();
                // a hair below 0 rounds to 1, which is 0
                moved[axis] = if inside < 1.0 { inside } else { 0.0 };
            }
        }
        if moved == fractions {
            return place;
        }
        (self.origin + self.edges * moved).to_array()
    }

    /// The same cell in a scene with this origin.
    pub fn relative_to(&self, origin: Origin) -> Self {
        Self { origin: self.origin - origin.point(), ..*self }
    }

    /// Lengths of the edges a, b, c and angles α, β, γ between them in degrees.
    pub fn lengths_and_angles(&self) -> ([f64; 3], [f64; 3]) {
        let [a, b, c] = [self.edges.x_axis, self.edges.y_axis, self.edges.z_axis];
        let angle = |u: DVec3, v: DVec3| libm::acos((u.dot(v) / (u.length() * v.length())).clamp(-1.0, 1.0));
        let angles = [angle(b, c), angle(a, c), angle(a, b)];
        ([a.length(), b.length(), c.length()], angles.map(f64::to_degrees))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_wrapped_into_the_cell() {
        // a along x; b leans by 4 to the right; c is straight; the corner is at 1, 0, 0
        let edges = DMat3::from_cols(DVec3::new(10.0, 0.0, 0.0), DVec3::new(4.0, 8.0, 0.0), DVec3::new(0.0, 0.0, 5.0));
        let mut cell = Cell::new(DVec3::new(1.0, 0.0, 0.0), edges).expect("a volume");
        let inverse = edges.inverse();
        // half of b is 2, 4, 0: there the cell reaches from x = 3 to x = 13
        for (place, expected) in [
            ([3.5, 4.0, 1.0], [3.5, 4.0, 1.0]),
            ([2.5, 4.0, 1.0], [12.5, 4.0, 1.0]),
            ([13.5, 4.0, 1.0], [3.5, 4.0, 1.0]),
            // one b up and one c down: fractions 0.25, 1.5, -0.5
            ([1.0 + 2.5 + 6.0, 12.0, -2.5], [1.0 + 2.5 + 2.0, 4.0, 2.5]),
            ([1.0, 0.0, 0.0], [1.0, 0.0, 0.0]),
            ([1.0, 0.0, -1e-20], [1.0, 0.0, 0.0]),
            ([1.0, 0.0, 5.0], [1.0, 0.0, 0.0]),
        ] {
            let found = cell.wrapped(&inverse, place);
            assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6), "{place:?}: {found:?}");
        }
        cell.periodic = [true, true, false];
        assert_eq!(cell.wrapped(&inverse, [3.5, 4.0, 7.0]), [3.5, 4.0, 7.0], "a wall");
    }

    #[test]
    fn cell_lengths_and_angles_come_back() {
        let (lengths, angles) = ([10.0, 12.0, 7.5], [75.0, 101.0, 90.0]);
        let cell = Cell::from_lengths_and_angles(lengths, angles).expect("a volume");
        let found = cell.lengths_and_angles();
        for (found, expected) in found.0.iter().chain(&found.1).zip(lengths.iter().chain(&angles)) {
            assert!((found - expected).abs() < 1e-9, "{found} and {expected}");
        }
        assert_eq!(Cell::from_lengths_and_angles([1.0, 1.0, 1.0], [90.0; 3]).expect("a cube").edges, DMat3::IDENTITY);
        assert_eq!(Cell::from_lengths_and_angles([1.0, 0.0, 1.0], [90.0; 3]), None);
        assert_eq!(Cell::from_lengths_and_angles([1.0; 3], [20.0, 20.0, 170.0]), None, "no such corner");
    }
}
