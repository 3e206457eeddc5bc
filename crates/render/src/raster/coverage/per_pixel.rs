//! Coverage one pixel at a time in `f64`, for ellipses too large for the other kernels. These are rare, so the code is
//! simple.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    reason = "rounded to the nearest f32, and pixels of a block"
)]

use fearless_simd::f32x8;
use fearless_simd::prelude::*;

use super::rim::{EdgeRange, EdgeTables, Rim, RowSweep, Start};
use super::row_spans::COLUMNS;
use super::weight::{SLACK, STRETCH, weight};
use crate::geom::disc_coverage;
use crate::raster::shape::RasterShape;

/// The shape itself: no edge is computed before it is needed.
#[derive(Debug)]
pub(crate) struct PerPixel {
    shape: RasterShape,
    /// The first edges, on the canvas.
    first: [i32; 2],
}

impl Default for PerPixel {
    fn default() -> Self {
        Self { shape: RasterShape::EMPTY, first: [0; 2] }
    }
}

impl EdgeTables for PerPixel {
    type Sweep<'a, S: Simd> = PerPixelSweep;
    type Spans = f64;

    #[inline(always)]
    fn fill<S: Simd>(&mut self, _: S, shape: &RasterShape, edges: [EdgeRange; 2]) {
        *self = Self { shape: *shape, first: edges.map(|edges| edges.first) };
    }

    #[inline(always)]
    fn sweep<S: Simd>(&self, _: S, rim: Rim, start: Start) -> PerPixelSweep {
        let [outer, hole] = self.shape.exact_radii();
        let radii = if rim == Rim::Outer { outer } else { hole };
        let [x, y] = self.first;
        PerPixelSweep { center: self.shape.center, radii, x: x + start.column as i32, y }
    }
}

pub(crate) struct PerPixelSweep {
    center: [f32; 2],
    radii: [f64; 2],
    /// The first column of the group, on the canvas.
    x: i32,
    /// The row below the first edge.
    y: i32,
}

impl<S: Simd> RowSweep<S> for PerPixelSweep {
    #[inline(always)]
    fn next(&mut self, simd: S, edge: usize, opacity: f32x8<S>) -> f32x8<S> {
        let coverage = coverages(self.center, self.radii, [self.x, self.y + edge as i32 - 1]);
        weight(f32x8::simd_from(simd, coverage) * (opacity * STRETCH), opacity * SLACK, opacity)
    }
}

/// Share of the ellipse in each pixel of a group of columns, from pixel (x, y) to the right.
fn coverages(center: [f32; 2], radii: [f64; 2], [x, y]: [i32; 2]) -> [f32; COLUMNS] {
    std::array::from_fn(|lane| {
        let x = x + lane as i32;
        // a circle's rim is found from the pixel itself, however large the circle
        if radii[0] == radii[1] { disc_coverage(center, radii[0], x, y) as f32 } else { coverage(center, radii, x, y) }
    })
}

/// Area of the ellipse inside pixel (x, y), 0 to 1.
fn coverage(center: [f32; 2], radii: [f64; 2], x: i32, y: i32) -> f32 {
    let edges = |axis: usize, pixel: i32| {
        let start = f64::from(pixel) - f64::from(center[axis]);
        [start, start + 1.0].map(|edge| edge.clamp(-radii[axis], radii[axis]))
    };
    let ([left, right], [top, bottom]) = (edges(0, x), edges(1, y));
    let corner = |x: f64, y: f64| beyond(x.abs(), y.abs(), radii) * x.signum() * y.signum();
    let beyond = (corner(right, bottom) - corner(left, bottom)) - (corner(right, top) - corner(left, top));
    ((right - left) * (bottom - top) - beyond) as f32
}

/// Area inside the rectangle from the centre to (x, y), both at most the radii, that lies beyond the arc.
fn beyond(x: f64, y: f64, radii: [f64; 2]) -> f64 {
    let crossing = |along: f64, near: f64, far: f64| ((near - along) * (near + along)).sqrt() * (far / near);
    let (leg_x, leg_y) = (x - crossing(y, radii[1], radii[0]), y - crossing(x, radii[0], radii[1]));
    if leg_x <= 0.0 || leg_y <= 0.0 {
        return 0.0;
    }
    // in units of the radii the arc is a unit circle's
    let (across, up) = (leg_x / radii[0], leg_y / radii[1]);
    let half = 0.5 * (across * across + up * up).sqrt().min(2.0);
    let square = half * half;
    let segment = if half < 0.05 {
        half * square * (2.0 / 3.0 + square * (0.2 + square * (3.0 / 28.0 + square * (5.0 / 72.0))))
    } else {
        libm::asin(half) - half * (1.0 - square).sqrt()
    };
    0.5 * leg_x * leg_y - radii[0] * radii[1] * segment
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pixels_of_an_ellipse_add_up_to_its_area() {
        for radii in [[3.0, 3.0], [0.2, 9.0], [14.5, 0.01], [30.0, 2.0]] {
            let sum: f32 = (-32..32)
                .flat_map(|y| (-32..32).map(move |x| (x, y)))
                .map(|(x, y)| coverage([0.3, -0.4], radii, x, y))
                .sum();
            let area = (std::f64::consts::PI * radii[0] * radii[1]) as f32;
            assert!((sum - area).abs() < 1e-4 * (1.0 + area), "{radii:?}: {sum} for {area}");
        }
    }
}
