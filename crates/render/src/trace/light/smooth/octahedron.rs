//! Directions as cells of a square: the octahedral map (Q. Meyer et al., "On Floating-Point Normal Vectors", EGSR
//! 2010).

use fearless_simd::{f32x8, i32x8, prelude::*};

use crate::lanes::Vec3x8;

/// The cells of eight directions of any length above 0, in a map of `side` × `side` cells.
#[inline(always)]
#[expect(clippy::cast_precision_loss, reason = "a map has few cells")]
pub(super) fn cells8<S: Simd>([x, y, z]: Vec3x8<S>, side: i32) -> i32x8<S> {
    let simd = x.token();
    let one = f32x8::splat(simd, 1.0);
    let inverse = one / ((x.abs() + y.abs()) + z.abs());
    let (u, v) = (x * inverse, y * inverse);
    let is_below = z.simd_lt(f32x8::splat(simd, 0.0));
    let column = is_below.select((one - v.abs()).copysign(u), u);
    let row = is_below.select((one - u.abs()).copysign(v), v);
    let half = 0.5 * side as f32;
    let last = (side - 1) as f32;
    let row = (row * half + half).max(0.0).min(last).to_int::<i32x8<S>>();
    row * side + (column * half + half).max(0.0).min(last).to_int::<i32x8<S>>()
}

/// A point of the square, from −1 to 1 each way, on the octahedron |x| + |y| + |z| = 1.
pub(super) fn point([u, v]: [f64; 2]) -> [f64; 3] {
    let z = 1.0 - u.abs() - v.abs();
    if z >= 0.0 { [u, v, z] } else { [(1.0 - v.abs()).copysign(u), (1.0 - u.abs()).copysign(v), z] }
}

/// The unit direction at the middle of a cell.
pub(super) fn direction(cell: usize, side: usize) -> [f64; 3] {
    normalized(point([cell % side, cell / side].map(|at| middle(at, side))))
}

/// The middle of one of `count` equal parts of −1 to 1.
#[expect(clippy::cast_precision_loss, reason = "a map has few cells")]
pub(super) fn middle(part: usize, count: usize) -> f64 {
    (2 * part + 1) as f64 / count as f64 - 1.0
}

pub(super) fn length([x, y, z]: [f64; 3]) -> f64 {
    (x * x + y * y + z * z).sqrt()
}

pub(super) fn normalized(vector: [f64; 3]) -> [f64; 3] {
    let length = length(vector);
    vector.map(|along| along / length)
}

pub(super) fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[cfg(test)]
mod tests {
    use fearless_simd::dispatch;

    use super::*;
    use crate::simd::levels;

    #[test]
    fn directions_lie_in_their_cells() {
        for side in [1, 12, 24, 32] {
            for cell in 0..side * side {
                #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "rounds; small numbers")]
                let [x, y, z] = direction(cell as usize, side as usize).map(|along| 3.0 * along as f32);
                for level in levels() {
                    let cells = dispatch!(level, simd => {
                        let direction = [x, y, z].map(|along| f32x8::splat(simd, along));
                        cells8(direction, side).to_array()
                    });
                    assert_eq!(cells, [cell; 8], "{side}: {x} {y} {z}");
                }
            }
        }
    }
}
