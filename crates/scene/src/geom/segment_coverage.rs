//! Line with round ends against pixel: the area of their intersection.
//!
//! In the line's own frame the pixel is a rotated square. Half-planes (I. Sutherland, G. Hodgman, "Reentrant Polygon
//! Clipping", *CACM* 17(1), 1974) clip it to three parts: the part between the ends is intersected with a strip, the
//! parts beyond the ends with discs. The area of a polygon in a disc is a sum over its sides: the triangle between a
//! side and the centre or, where the side is outside the disc, the sector.

use glam::DVec2;

/// A straight line with round ends: all points within half the width of a segment. Also called capsule or stadium.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stroke2 {
    #[doc(hidden)]
    pub start: DVec2,
    /// From the start to the end, of unit length; any direction if they are one point.
    #[doc(hidden)]
    pub along: DVec2,
    #[doc(hidden)]
    pub length: f64,
    /// Half the width.
    #[doc(hidden)]
    pub half: f64,
}

/// A square after up to four cuts; each adds at most one corner.
#[derive(Clone, Copy)]
struct Polygon {
    corners: [DVec2; 8],
    count: usize,
}

impl Stroke2 {
    /// `None` if nothing is covered: a number is not finite, or the width is not positive.
    #[inline]
    pub fn new(start: [f32; 2], end: [f32; 2], width: f32) -> Option<Self> {
        let [start, end] = [start, end].map(|[x, y]| DVec2::new(f64::from(x), f64::from(y)));
        let half = 0.5 * f64::from(width);
        let is_finite = start.is_finite() && end.is_finite() && half.is_finite();
        let length = (end - start).length();
        let along = if length > 0.0 { (end - start) / length } else { DVec2::X };
        (is_finite && half > 0.0).then_some(Self { start, along, length, half })
    }

    /// A point in the line's frame: x along the line from its start, y across.
    fn local(&self, point: DVec2) -> DVec2 {
        let offset = point - self.start;
        DVec2::new(self.along.dot(offset), self.along.perp_dot(offset))
    }

    /// The area of line ∩ pixel, 0 to 1, for the pixel [x, x + 1] × [y, y + 1].
    ///
    /// The error is some roundings of the squared distance: below 10⁻⁴ if line and canvas measure less than 10⁵ pixels.
    #[inline]
    pub fn pixel_coverage(&self, x: i32, y: i32) -> f64 {
        let corner = DVec2::new(f64::from(x), f64::from(y));
        let corners = [DVec2::ZERO, DVec2::X, DVec2::ONE, DVec2::Y].map(|step| self.local(corner + step));
        let reach = |point: DVec2| {
            let beyond = point.x - point.x.clamp(0.0, self.length);
            beyond * beyond + point.y * point.y
        };
        // the pixel's centre is farther from the line than half the pixel's diagonal
        let middle = self.local(corner + DVec2::splat(0.5));
        if reach(middle) > (self.half + 0.71) * (self.half + 0.71) {
            return 0.0;
        }
        // the line is convex
        if corners.iter().all(|&corner| reach(corner) <= self.half * self.half) {
            return 1.0;
        }
        let pixel = Polygon::of(corners);
        let strip = pixel
            .cut(|point| point.x)
            .cut(|point| self.length - point.x)
            .cut(|point| self.half - point.y)
            .cut(|point| self.half + point.y);
        let before = pixel.cut(|point| -point.x).in_disc(DVec2::ZERO, self.half);
        let end = DVec2::new(self.length, 0.0);
        let behind = pixel.cut(|point| point.x - self.length).in_disc(end, self.half);
        (strip.area() + before + behind).clamp(0.0, 1.0)
    }
}

impl Polygon {
    fn of(corners: [DVec2; 4]) -> Self {
        let mut polygon = Self { corners: [DVec2::ZERO; 8], count: 4 };
        polygon.corners[..4].copy_from_slice(&corners);
        polygon
    }

    /// The part where `depth`, which is linear, is not negative.
    #[inline(always)]
    fn cut(&self, depth: impl Fn(DVec2) -> f64) -> Self {
        let mut part = Self { corners: [DVec2::ZERO; 8], count: 0 };
        let mut push = |corner| {
            part.corners[part.count] = corner;
            part.count += 1;
        };
        for (from, to) in self.sides() {
            let (own, next) = (depth(from), depth(to));
            if own >= 0.0 {
                push(from);
            }
            if (own >= 0.0) != (next >= 0.0) {
                push(from + (to - from) * (own / (own - next)));
            }
        }
        part
    }

    fn sides(&self) -> impl Iterator<Item = (DVec2, DVec2)> {
        let corners = &self.corners[..self.count];
        let next = corners.iter().skip(1).chain(corners.first());
        corners.iter().copied().zip(next.copied())
    }

    fn area(&self) -> f64 {
        let first = self.corners[0];
        let double: f64 = self.sides().map(|(from, to)| (from - first).perp_dot(to - first)).sum();
        0.5 * double.abs()
    }

    /// The area of the part in a disc: a triangle or a sector between the centre and each part of a side.
    fn in_disc(&self, center: DVec2, radius: f64) -> f64 {
        let double: f64 = self.sides().map(|(from, to)| side_in_disc(from - center, to - center, radius)).sum();
        0.5 * double.abs()
    }
}

/// Twice the signed area of the intersection of a disc around the origin with the triangle of a side and the origin.
fn side_in_disc(from: DVec2, to: DVec2, radius: f64) -> f64 {
    let squared = radius * radius;
    let sector = |from: DVec2, to: DVec2| squared * libm::atan2(from.perp_dot(to), from.dot(to));
    let step = to - from;
    let length = step.length();
    if length <= 0.0 {
        return 0.0;
    }
    let direction = step / length;
    // distance along the side from its start to the foot of the perpendicular from the origin
    let foot = -from.dot(direction);
    let across = from.perp_dot(direction);
    let half_squared = squared - across * across;
    if half_squared <= 0.0 {
        return sector(from, to);
    }
    let half = half_squared.sqrt();
    let (enter, leave) = ((foot - half).max(0.0), (foot + half).min(length));
    if enter >= leave {
        return sector(from, to);
    }
    let (entry, exit) = (from + direction * enter, from + direction * leave);
    let before = if enter > 0.0 { sector(from, entry) } else { 0.0 };
    let behind = if leave < length { sector(exit, to) } else { 0.0 };
    before + entry.perp_dot(exit) + behind
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pixels_of_a_line_add_up_to_its_area() {
        for (start, end, width) in [
            ([0.0, 0.0], [10.0, 0.0], 1.0),
            ([0.3, -0.4], [7.1, 5.2], 0.01),
            ([-3.5, 2.25], [2.0, -8.0], 5.5),
            ([1.25, 1.5], [1.25, 1.5], 3.0),
            ([0.1, 0.2], [0.3, 0.1], 12.0),
        ] {
            let line = Stroke2::new(start, end, width).expect("a line");
            let pixels = (-20..20).flat_map(|y| (-20..20).map(move |x| (x, y)));
            let sum: f64 = pixels.map(|(x, y)| line.pixel_coverage(x, y)).sum();
            let area = std::f64::consts::PI * line.half * line.half + 2.0 * line.half * line.length;
            assert!((sum - area).abs() < 1e-10, "{start:?} {end:?} {width}: {sum} for {area}");
        }
        assert_eq!(Stroke2::new([0.0; 2], [1.0; 2], 0.0), None);
        assert_eq!(Stroke2::new([0.0; 2], [f32::NAN; 2], 1.0), None);
    }
}
