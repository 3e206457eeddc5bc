//! The weight of one pixel by each kernel's formula, without lanes: the definition that the kernels' bits are compared
//! with.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "rounded to the nearest f32; exact up to the kernels' bounds; bits of fixed point"
)]

use super::fixed::{FixedFormat, LARGE, MEDIUM, ONE, UNIT};
use super::segment::SERIES;
use super::weight::{SLACK, SLACK_BITS, STRETCH, scale};
use crate::geom::disc_coverage;
use crate::raster::shape::RasterShape;

/// [`super::tiny`], [`super::small`] and [`super::float`].
pub(crate) fn float(shape: &RasterShape, radii: [f32; 2], [x, y]: [i32; 2]) -> f32 {
    let edge = |axis: usize, at: i32| FloatEdge::new((at as f32 - shape.center[axis]) * (1.0 / radii[axis]));
    let (left, right) = (edge(0, x), edge(0, x + 1));
    let area_to = |row: FloatEdge| (right.corner(&row) - left.corner(&row)) * row.sign;
    let coverage = (area_to(edge(1, y + 1)) - area_to(edge(1, y))) * scale(radii, shape.alpha) as f32;
    (coverage - shape.alpha * SLACK).max(0.0).min(shape.alpha)
}

/// An edge at a distance from the centre over the radius, and its half segment.
struct FloatEdge {
    position: f32,
    area: f32,
    sign: f32,
}

impl FloatEdge {
    fn new(position: f32) -> Self {
        let position = position.clamp(-1.0, 1.0);
        let distance = position.abs();
        let mut series = SERIES[0];
        for term in &SERIES[1..] {
            series = series * distance + term;
        }
        let area = (1.0 - distance) * (1.0 - distance).sqrt() * series;
        Self { position, area, sign: 1f32.copysign(position) }
    }

    /// A at the corner with a row's edge, up to the sign of the row's side.
    fn corner(&self, row: &Self) -> f32 {
        if row.position * row.position <= 1.0 - self.position * self.position {
            self.position * row.position.abs()
        } else {
            (self.sign * std::f32::consts::FRAC_PI_4 - self.sign * self.area) - self.sign * row.area
        }
    }
}

/// [`super::fixed`].
pub(crate) fn fixed(shape: &RasterShape, radii: [f32; 2], pixel: [i32; 2]) -> f32 {
    if shape.radii[0] * shape.radii[1] <= (1 << MEDIUM.product_bits) as f32 {
        fixed_format(&MEDIUM, shape, radii, pixel)
    } else {
        fixed_format(&LARGE, shape, radii, pixel)
    }
}

fn fixed_format<const N: usize>(
    format: &FixedFormat<N>,
    shape: &RasterShape,
    radii: [f32; 2],
    [x, y]: [i32; 2],
) -> f32 {
    let unit = f64::from(UNIT);
    let pixel = shape.center.map(|along| f64::from(along).floor());
    let place = [0, 1].map(|axis| ((f64::from(shape.center[axis]) - pixel[axis]) * unit).round_ties_even() as i32);
    let [f, g] = place.map(|place| f64::from(place) / unit);
    let product = (f * g * unit).round_ties_even() as i32;
    let area = f64::from(radii[0]) * f64::from(radii[1]) * (unit / f64::from(ONE));
    let edge = |axis: usize, at: i32| {
        let center = pixel[axis] + [f, g][axis];
        let distance = ((f64::from(at) - center) * (1.0 / f64::from(radii[axis]))).abs().min(1.0);
        FixedEdge {
            number: at - pixel[axis] as i32,
            square: distance * distance,
            area: segment(&format.series, distance) * area,
        }
    };
    let lost = format.lost_bits();
    let area_bits = |area: f64| bits(area, lost) << lost;
    // A + x·g at a corner
    let corner = |column: &FixedEdge, row: &FixedEdge| {
        if bits(row.square, 0) < bits(1.0 - column.square, 0) {
            return column.number.wrapping_mul(UNIT).wrapping_sub(place[0]).wrapping_mul(row.number);
        }
        let segments = area_bits(std::f64::consts::FRAC_PI_4 * area - column.area).wrapping_sub(area_bits(row.area));
        let dropped = column.number.wrapping_mul(place[1]).wrapping_sub(product);
        let is_negative = (column.number <= 0) != (row.number <= 0);
        dropped.wrapping_add(if is_negative { segments.wrapping_neg() } else { segments })
    };
    let (left, right) = (edge(0, x), edge(0, x + 1));
    let area_to = |row: FixedEdge| corner(&right, &row).wrapping_sub(corner(&left, &row));
    let coverage = area_to(edge(1, y + 1)).wrapping_sub(area_to(edge(1, y))).wrapping_sub(ONE >> SLACK_BITS);
    coverage.clamp(0, ONE) as f32 * (shape.alpha * (1.0 / ONE as f32))
}

/// An edge by its number from the centre's pixel, its distance from the centre over the radius, and its half segment.
struct FixedEdge {
    number: i32,
    square: f64,
    area: f64,
}

/// u, four sums by powers of x⁴.
fn segment(series: &[f64], distance: f64) -> f64 {
    let square = distance * distance;
    let mut sums = [0.0; 4];
    for terms in series.chunks_exact(4) {
        for (sum, term) in sums.iter_mut().zip(terms) {
            *sum = *sum * (square * square) + term;
        }
    }
    let [third, second, first, constant] = sums;
    let beyond = 1.0 - distance;
    ((third * distance + second) * square + (first * distance + constant)) * (beyond * beyond.sqrt())
}

/// A number in fixed point, [`ONE`] for 1, modulo four and less its `lost` lowest bits.
fn bits(value: f64, lost: u32) -> i32 {
    (value + 3.0 * (1u64 << (21 + lost)) as f64).to_bits() as u32 as i32
}

/// [`super::per_pixel`], for circles.
pub(crate) fn per_pixel(shape: &RasterShape, radii: [f32; 2], [x, y]: [i32; 2]) -> f32 {
    assert_eq!(radii[0], radii[1], "a circle");
    let [outer, hole] = shape.exact_radii();
    let radius = if radii == shape.radii { outer[0] } else { hole[0] };
    let coverage = disc_coverage(shape.center, radius, x, y) as f32;
    (coverage * (shape.alpha * STRETCH) - shape.alpha * SLACK).max(0.0).min(shape.alpha)
}
