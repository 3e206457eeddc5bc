//! Large spheres in patches: each vertex of a triangle mesh over the sphere has its own surroundings, and a point's
//! openness is interpolated from the three vertices of its triangle by barycentric weights.
//!
//! The mesh is an octahedron whose edges are halved again and again, so that it has no seams. Patches are about as
//! large as the scene's spheres, or some pixels wide if spheres are smaller; between two subdivisions openness is
//! blended.
#![expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "nets have at most 2¹⁶ parts")]

/// Spheres of up to this many median radii have one patch.
pub(super) const LARGE: f32 = 2.0;

/// Radius of a patch on a sphere of radius 1, without halvings.
const REACH: f32 = 2.0;

/// Maximum number of halvings.
const MOST_HALVINGS: f32 = 16.0;

/// A vertex of a mesh.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Corner {
    pub halvings: u32,
    /// Coordinates on the octahedron, whose magnitudes sum to 2 to the power of `halvings`.
    pub place: [i32; 3],
}

/// Number of halvings of a sphere's mesh, with a fraction between two meshes: patches are as large as spheres of the
/// median radius, but no smaller than a least radius.
pub(super) fn halvings(radius: f32, median_radius: f32, least: f32) -> f32 {
    let of_scene = log2(REACH * radius / median_radius).round();
    let of_picture = log2(REACH * radius / least);
    let halvings = if of_scene < of_picture { of_scene } else { of_picture };
    if halvings > 0.0 { halvings.min(MOST_HALVINGS) } else { 0.0 }
}

/// The two meshes on either side of a fractional number of halvings, each with its weight.
fn meshes(halvings: f32) -> [(u32, f32); 2] {
    let (coarse, fraction) = (halvings as u32, halvings - halvings.floor());
    [(coarse, 1.0 - fraction), (coarse + 1, fraction)]
}

/// The vertices around a unit direction in both meshes for a fractional number of halvings, with weights above 0.
pub(super) fn corners_of_meshes(halvings: f32, direction: [f32; 3]) -> impl Iterator<Item = (Corner, f32)> {
    let weighted = move |(halvings, share): (u32, f32)| {
        corners(halvings, direction).into_iter().map(move |(corner, part)| (corner, share * part))
    };
    meshes(halvings).into_iter().flat_map(weighted).filter(|(_, share)| *share > 0.0)
}

/// The binary logarithm, linear between powers of two: continuous, and the same everywhere.
pub(super) fn log2(number: f32) -> f32 {
    let bits = number.max(f32::MIN_POSITIVE).to_bits();
    (bits >> 23) as f32 - 127.0 + (bits & 0x7f_ffff) as f32 / 0x80_0000 as f32
}

/// The radius of the patches around the vertices of a mesh.
pub(super) fn patch_radius(radius: f32, halvings: u32) -> f32 {
    REACH * radius / (1u32 << halvings) as f32
}

/// The vertex in the middle of an edge, of the mesh with one more halving.
pub(super) fn middle(one: Corner, other: Corner) -> Corner {
    let place = std::array::from_fn(|axis| one.place[axis] + other.place[axis]);
    Corner { halvings: one.halvings + 1, place }
}

/// The unit direction of a vertex.
pub(super) fn direction(corner: Corner) -> [f32; 3] {
    let [x, y, z] = corner.place.map(|along| along as f32);
    let length = ((x * x + y * y) + z * z).sqrt();
    [x / length, y / length, z / length]
}

/// The vertices of the triangle that contains a unit direction, with barycentric weights.
pub(super) fn corners(halvings: u32, [x, y, z]: [f32; 3]) -> [(Corner, f32); 3] {
    let parts = 1i32 << halvings;
    let scale = parts as f32 / ((x.abs() + y.abs()) + z.abs());
    let (u, v) = (x.abs() * scale, y.abs() * scale);
    let (i, j) = ((u as i32).min(parts), (v as i32).min(parts - (u as i32).min(parts)));
    let (u, v) = (u - i as f32, v - j as f32);
    let corner = |i: i32, j: i32| {
        let k = (parts - i - j).max(0);
        let signed = |along: i32, sign: f32| if sign < 0.0 { -along } else { along };
        Corner { halvings, place: [signed(i, x), signed(j, y), signed(k, z)] }
    };
    if u + v <= 1.0 {
        [(corner(i, j), (1.0 - u) - v), (corner(i + 1, j), u), (corner(i, j + 1), v)]
    } else {
        [(corner(i + 1, j + 1), (u + v) - 1.0), (corner(i, j + 1), 1.0 - u), (corner(i + 1, j), 1.0 - v)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lanes::dot;

    #[test]
    fn corners_are_around_their_direction() {
        for halvings in [0, 1, 4, 9] {
            for step in 0..2000 {
                let angle = |scale: f64| libm::sincos(f64::from(step) * scale);
                let ((a, b), (c, _)) = (angle(0.7), angle(1.3));
                let flat = (1.0 - c * c).sqrt();
                let normal = [a * flat, b * flat, c].map(|along| along as f32);
                let corners = corners(halvings, normal);
                let shares: f32 = corners.iter().map(|(_, share)| share).sum();
                assert!((shares - 1.0).abs() < 1e-3, "{normal:?}: {corners:?}");
                for (corner, share) in corners.into_iter().filter(|(_, share)| *share > 1e-3) {
                    assert!(share <= 1.001);
                    assert_eq!(corner.place.iter().map(|along| along.abs()).sum::<i32>(), 1 << halvings, "{corners:?}");
                    let distance = (2.0 - 2.0 * dot(direction(corner), normal)).max(0.0).sqrt();
                    // in the middle of a face of the octahedron triangles are larger
                    assert!(
                        distance <= 1.25 * patch_radius(1.0, halvings) + 1e-3,
                        "{distance}: {normal:?}, {corner:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn nets_are_as_fine_as_the_scene_and_no_finer_than_the_picture() {
        assert_eq!(halvings(8.0, 1.0, 0.0), 4.0);
        assert_eq!(halvings(8.0, 1.0, 1e-3), 4.0);
        assert_eq!(halvings(10.0, 1e-9, 40.0), 0.0);
        assert!((halvings(1000.0, 1e-9, 1.0) - halvings(1000.0, 1e-9, 1.01)).abs() < 0.02);
    }
}
