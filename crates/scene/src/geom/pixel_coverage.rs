//! Circle against pixel: the area of their intersection.

use std::f64::consts::PI;

use super::exact::{self, ExactDifference};
use super::shapes::Circle;

/// The area of circle ∩ pixel, 0 to 1, for the pixel [x, x + 1] × [y, y + 1].
///
/// The error is below 10⁻¹⁴ for any finite circle, however large or far away: the rim is located from the pixel's
/// corners, whose power r² − |corner − centre|² is summed in twice the precision, or for very large circles exactly. An
/// empty circle covers nothing.
///
/// Source: elementary; the intersection of a circle and a convex polygon is a polygon, with the parts of the sides
/// inside the circle as sides, plus a circular segment for each arc. Ours: the local form, and the series for flat
/// segments, for which (θ − sin θ) r² / 2 cancels.
///
/// ```
/// # use roundel_scene as roundel;
/// use roundel::geom::{Circle, pixel_coverage};
///
/// let coin = Circle { center: [0.0, 0.0], radius: 1.0 };
/// let quarter = std::f64::consts::FRAC_PI_4;
/// assert!((pixel_coverage(&coin, -1, 0) - quarter).abs() < 1e-15);
///
/// // a radius so large that the rim is nearly the line x = 0.5
/// let world = Circle { center: [-4_194_304.0, 0.5], radius: 4_194_304.5 };
/// assert!((pixel_coverage(&world, 0, 0) - 0.5).abs() < 1e-8);
/// assert_eq!(pixel_coverage(&world, -1, 0), 1.0);
/// ```
#[must_use]
pub fn pixel_coverage(c: &Circle, x: i32, y: i32) -> f64 {
    if c.is_empty() { 0.0 } else { disc_coverage(c.center, f64::from(c.radius), x, y) }
}

/// [`pixel_coverage`] of a circle that is not empty, with a radius of at most 48 bits.
pub fn disc_coverage(center: [f32; 2], radius: f64, x: i32, y: i32) -> f64 {
    let local = LocalCircle::new(center.map(f64::from), radius, x, y);
    if local.powers.iter().all(|&power| power >= 0.0) {
        return 1.0;
    }
    let area = match local.walk() {
        Some(area) => area,
        // the rim crosses no side: the circle is inside the pixel, or they are apart
        None if local.center.iter().all(|place| (0.0..=1.0).contains(place)) => PI * local.radius * local.radius,
        None => 0.0,
    };
    area.clamp(0.0, 1.0)
}

/// The circle relative to the pixel's first corner. Corners are in the order (0, 0), (1, 0), (1, 1), (0, 1).
struct LocalCircle {
    center: [f64; 2],
    radius: f64,
    /// r² − |corner − centre|² of each corner, with the correct sign.
    powers: [f64; 4],
}

const CORNERS: [[f64; 2]; 4] = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];

impl LocalCircle {
    fn new([cx, cy]: [f64; 2], radius: f64, x: i32, y: i32) -> Self {
        let (x, y) = (f64::from(x), f64::from(y));
        let powers = CORNERS.map(|[right, down]| power([x + right, y + down], [cx, cy], radius));
        Self { center: [cx - x, cy - y], radius, powers }
    }

    /// Reports whether an arc with a short chord is nearly the full circle, which sticks out of the pixel by a sliver
    /// at one side.
    ///
    /// Its centre is then nearly a radius away from all sides. If the arc itself is short, the centre is within 0.71
    /// radii of a side (an arc around one corner), outside the pixel (an arc through one side), or the circle is larger
    /// than the pixel (an arc between opposite sides).
    fn surrounds(&self) -> bool {
        let [x, y] = self.center;
        [x, y, 1.0 - x, 1.0 - y].into_iter().all(|depth| depth > 0.9 * self.radius)
    }

    /// The area enclosed by the parts of the pixel's sides inside the circle and the arcs between them; `None` if no
    /// part of a side is inside.
    fn walk(&self) -> Option<f64> {
        let mut outline = Outline { local: self, first: None, last: [0.0; 2], left: false, area: 0.0 };
        for side in 0..4 {
            let (start, end) = (CORNERS[side], CORNERS[(side + 1) % 4]);
            let (starts_inside, ends_inside) = (self.powers[side] >= 0.0, self.powers[(side + 1) % 4] >= 0.0);
            let at = |s: f64| [start[0] + s * (end[0] - start[0]), start[1] + s * (end[1] - start[1])];
            if starts_inside {
                outline.visit(start);
            }
            match (starts_inside, ends_inside) {
                (true, true) => {}
                (true, false) => outline.leave(at(self.crossings(side)[1])),
                (false, true) => outline.visit(at(self.crossings(side)[0])),
                (false, false) => {
                    let [enter, leave] = self.crossings(side);
                    if enter < leave && self.foot(side) > 0.0 && self.foot(side) < 1.0 {
                        outline.visit(at(enter));
                        outline.leave(at(leave));
                    }
                }
            }
        }
        outline.closed()
    }

    /// The position along a side of its point nearest to the centre.
    fn foot(&self, side: usize) -> f64 {
        let [x, y] = self.center;
        [x, y, 1.0 - x, 1.0 - y][side]
    }

    /// The positions along a side at which the rim crosses it, clamped to the side.
    ///
    /// They are the roots of s² − 2 foot s − power = 0. The root nearer to 0 is computed from the product of the two.
    fn crossings(&self, side: usize) -> [f64; 2] {
        let (foot, power) = (self.foot(side), self.powers[side]);
        let half = (foot * foot + power).max(0.0).sqrt();
        let roots = if foot >= 0.0 {
            let far = foot + half;
            [if far > 0.0 { -power / far } else { 0.0 }, far]
        } else {
            let near = foot - half;
            [near, -power / near]
        };
        roots.map(|root| root.clamp(0.0, 1.0))
    }

    /// The area between an arc and its chord.
    fn segment(&self, [from, to]: [[f64; 2]; 2]) -> f64 {
        let chord = [to[0] - from[0], to[1] - from[1]];
        let squared = chord[0] * chord[0] + chord[1] * chord[1];
        let radius_squared = self.radius * self.radius;
        // the squared sine of half the angle
        let sine_squared = 0.25 * squared / radius_squared;
        if sine_squared < FLAT {
            // r² (α − sin α cos α) as a series in sin² α
            let series = SEGMENT.iter().rev().fold(0.0, |sum, coefficient| sum * sine_squared + coefficient);
            let sliver = radius_squared * sine_squared * sine_squared.sqrt() * series;
            return if self.surrounds() { PI * radius_squared - sliver } else { sliver };
        }
        let [a, b] = [from, to].map(|point| [point[0] - self.center[0], point[1] - self.center[1]]);
        let cross = a[0] * b[1] - b[0] * a[1];
        let angle = libm::atan2(cross, a[0] * b[0] + a[1] * b[1]);
        // an arc longer than half the circle
        let angle = if angle < 0.0 { angle + 2.0 * PI } else { angle };
        0.5 * (radius_squared * angle - cross)
    }
}

/// The outline of circle ∩ pixel, built point by point: a polygon, and a segment for each arc between two sides.
struct Outline<'a> {
    local: &'a LocalCircle,
    first: Option<[f64; 2]>,
    last: [f64; 2],
    /// Whether an arc begins at `last`.
    left: bool,
    /// The area so far.
    area: f64,
}

impl Outline<'_> {
    fn visit(&mut self, point: [f64; 2]) {
        if self.first.is_none() {
            self.first = Some(point);
        } else {
            self.area += 0.5 * (self.last[0] * point[1] - point[0] * self.last[1]);
            if self.left {
                self.area += self.local.segment([self.last, point]);
            }
        }
        (self.last, self.left) = (point, false);
    }

    fn leave(&mut self, point: [f64; 2]) {
        self.visit(point);
        self.left = true;
    }

    fn closed(mut self) -> Option<f64> {
        self.visit(self.first?);
        Some(self.area)
    }
}

/// From this radius on, twice the precision of `f64` no longer locates the rim to 10⁻¹⁶ of a pixel. Bound:
/// `pixel_coverage_error_is_below_1e_14_at_any_radius`.
const WIDE: f64 = 1e15;

/// Below this squared sine, nine terms of [`SEGMENT`] are exact to an ulp.
const FLAT: f64 = 0.01;

/// The coefficients of asin h − h √(1 − h²) = h³ Σ SEGMENT[k] h²ᵏ: the central binomial coefficient of 2 (k + 1) over
/// 4ᵏ⁺¹, times 4 (k + 1) / (4 (k + 1)² − 1).
const SEGMENT: [f64; 9] = [
    2.0 / 3.0,
    1.0 / 5.0,
    3.0 / 28.0,
    5.0 / 72.0,
    35.0 / 704.0,
    63.0 / 1664.0,
    77.0 / 2560.0,
    429.0 / 17408.0,
    6435.0 / 311_296.0,
];

/// r² − |corner − centre|², within 10⁻³² r² and 10⁻¹⁵ of the result.
fn power(corner: [f64; 2], center: [f64; 2], radius: f64) -> f64 {
    if radius < WIDE {
        return -exact::power(&[0, 1].map(|axis| ExactDifference::new(center[axis], corner[axis])), radius);
    }
    let mut sum = Expansion::new();
    // squares of f32 are exact in f64
    sum.add(radius * radius);
    for axis in 0..2 {
        sum.add(-(center[axis] * center[axis]));
        // a corner has 33 bits: split it, so that each product is exact
        let high = (corner[axis] / 65536.0).trunc() * 65536.0;
        let low = corner[axis] - high;
        sum.add(2.0 * high * center[axis]);
        sum.add(2.0 * low * center[axis]);
        sum.add(-(high * high));
        sum.add(-(2.0 * high * low));
        sum.add(-(low * low));
    }
    sum.rounded()
}

/// An exact sum of `f64` numbers, as parts that do not overlap, least first.
///
/// Source: J. R. Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates",
/// *Discrete & Computational Geometry* 18, 1997, Grow-Expansion.
struct Expansion {
    parts: [f64; 13],
    count: usize,
}

impl Expansion {
    fn new() -> Self {
        Self { parts: [0.0; 13], count: 0 }
    }

    fn add(&mut self, number: f64) {
        let mut carry = number;
        for part in &mut self.parts[..self.count] {
            let sum = carry + *part;
            let from_part = sum - carry;
            *part = (carry - (sum - from_part)) + (*part - from_part);
            carry = sum;
        }
        self.parts[self.count] = carry;
        self.count += 1;
    }

    /// The sum, rounded. Adding the least parts first leaves the only significant rounding to the last addition.
    fn rounded(&self) -> f64 {
        self.parts[..self.count].iter().sum()
    }
}
