//! Coverage of circles and ellipses up to a few dozen pixels wide, from a table over pixel edges.
//!
//! A(x, y), the area of the unit disc inside the rectangle from 0 to (x, y), taken odd in x and in y, is x·y while
//! (x, y) lies in the disc, and p(x) + p(y) − π/4 beyond it (both ≥ 0, at most 1), where p(x) = ½ (x √(1 − x²) + asin x) is the
//! area under the arc. A pixel's part of the disc is the mixed difference of A over its four corners. So a shape needs p at
//! the edges of its columns and of its rows, and a pixel costs a dozen operations, with no case beyond "is this corner inside".
//! A is continuous where the cases meet: a corner that rounding puts on the wrong side changes nothing.

#![expect(clippy::cast_possible_truncation, reason = "rounded to the nearest f32, and counts within a tile")]

use std::f32::consts::{FRAC_PI_2, FRAC_PI_4};

use fearless_simd::prelude::*;

/// The largest product of the radii that goes by the table: its error is below 2⁻¹⁹ of that, so below 1/1024 here.
pub(super) const LARGEST: f32 = 480.0;

/// Edges of columns or rows that a table holds: twice the largest radius and what rounding out and overhang add.
pub(super) const EDGES: usize = 112;

/// Half the width of a shape that fits the table.
pub(super) const WIDEST: f32 = 40.0;

/// p and its parts at a run of pixel edges.
#[derive(Debug)]
pub(super) struct Edges {
    /// Distance from the centre over the radius, −1 to 1.
    at: [f32; EDGES],
    /// p there, odd.
    area: [f32; EDGES],
    /// Which side of the centre, −1 or 1.
    sign: [f32; EDGES],
}

impl Default for Edges {
    fn default() -> Self {
        Self { at: [0.0; EDGES], area: [0.0; EDGES], sign: [0.0; EDGES] }
    }
}

impl Edges {
    /// The edges `start`, `start + 1`, … `count` of them at least.
    #[inline(always)]
    pub(super) fn fill<S: Simd, V: SimdFloat<S, Element = f32>>(
        &mut self,
        simd: S,
        start: i32,
        count: usize,
        center: f32,
        radius: f32,
    ) {
        let inverse = V::splat(simd, 1.0 / radius);
        let steps = V::from_fn(simd, |lane| lane as f32);
        let one = V::splat(simd, 1.0);
        for group in (0..count).step_by(V::LEN) {
            let edge = steps + V::splat(simd, (start + group as i32) as f32);
            let at = ((edge - V::splat(simd, center)) * inverse).max(V::splat(simd, -1.0)).min(one);
            let size = at.abs();
            let beside = one - size;
            let arc = (beside * (one + size)).sqrt();
            let area = (size * arc + arcsine(simd, size, beside.sqrt())) * 0.5;
            at.store_slice(&mut self.at[group..group + V::LEN]);
            area.copysign(at).store_slice(&mut self.area[group..group + V::LEN]);
            one.copysign(at).store_slice(&mut self.sign[group..group + V::LEN]);
        }
    }
}

/// Arcsine of 0 to 1, given the root of what is missing to 1; error below 2·10⁻⁷.
///
/// Source: C. Hastings, *Approximations for Digital Computers*, 1955; Abramowitz and Stegun 4.4.46.
#[inline(always)]
fn arcsine<S: Simd, V: SimdFloat<S, Element = f32>>(simd: S, x: V, root: V) -> V {
    const TERMS: [f32; 7] =
        [0.006_670_09, -0.017_088_126, 0.030_891_88, -0.050_174_303, 0.088_978_99, -0.214_598_8, FRAC_PI_2];
    let mut sum = V::splat(simd, -0.001_262_491_1);
    for term in TERMS {
        sum = sum * x + V::splat(simd, term);
    }
    V::splat(simd, FRAC_PI_2) - root * sum
}

/// A group of columns: what stands at their left and right edges.
#[derive(Clone, Copy)]
pub(super) struct Columns<V> {
    left: Column<V>,
    right: Column<V>,
}

#[derive(Clone, Copy)]
struct Column<V> {
    at: V,
    /// The largest |y|² for which the corner is still inside.
    room: V,
    area: V,
    sign: V,
}

impl<V: Copy> Columns<V> {
    /// The columns from edge `index` of the table on.
    #[inline(always)]
    pub(super) fn new<S: Simd>(simd: S, edges: &Edges, index: usize) -> Self
    where
        V: SimdFloat<S, Element = f32>,
    {
        let column = |index: usize| {
            let at = V::from_slice(simd, &edges.at[index..index + V::LEN]);
            let area = V::from_slice(simd, &edges.area[index..index + V::LEN]);
            let sign = V::from_slice(simd, &edges.sign[index..index + V::LEN]);
            Column { at, room: V::splat(simd, 1.0) - at * at, area, sign }
        };
        Self { left: column(index), right: column(index + 1) }
    }

    /// Area of the unit disc between the left and the right edge, from the centre's height to the row's edge.
    #[inline(always)]
    pub(super) fn area_to<S: Simd>(&self, simd: S, rows: &Edges, index: usize) -> V
    where
        V: SimdFloat<S, Element = f32>,
    {
        let (at, area, sign) = (rows.at[index], rows.area[index], rows.sign[index]);
        let height = V::splat(simd, at * at);
        let (at, sign, rest) = (V::splat(simd, at), V::splat(simd, sign), V::splat(simd, area - sign * FRAC_PI_4));
        let corner = |column: &Column<V>| {
            let inside = column.at * at;
            let beyond = column.area * sign + column.sign * rest;
            height.simd_le(column.room).select(inside, beyond)
        };
        corner(&self.right) - corner(&self.left)
    }
}
