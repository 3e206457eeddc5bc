//! The part of a sphere's surface outside of caps, projected: arcs of the caps' edges in order.

use std::f64::consts::{FRAC_PI_2, TAU};

use glam::DVec3;
use roundel_scene::figure::paper::{CurveStep, VectorPath};

use super::Ball;
use super::lens::PictureLens;
use crate::Point;

/// The part of a sphere's surface beyond a plane: where `normal · (point − centre) > height`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BallCap {
    /// A unit vector.
    pub(super) normal: DVec3,
    pub(super) height: f64,
}

/// A convex part of the picture.
pub(crate) struct ConvexRegion {
    pub(super) path: VectorPath,
    /// Corners near the edge, within [`SAGITTA`] pixels of it.
    pub(super) polygon: Vec<Point>,
    /// Whether its edge is the sphere's whole outline.
    pub(super) is_disc: bool,
}

/// The largest distance in pixels between a curve and its arc, and between a polygon and its arc.
const TOLERANCE: f64 = 1e-3;
const SAGITTA: f64 = 0.02;

/// Share of the radius by which a cubic curve with the usual control points misses a quarter of a circle.
const QUARTER_ERROR: f64 = 2.73e-4;

/// The longest curve in perspective, in radians.
const PERSPECTIVE_CURVE: f64 = 0.35;

/// The edge of a cap on a sphere.
struct CapEdge {
    /// Relative to the origin of the camera's coordinates.
    center: DVec3,
    /// Vectors to the edge, at right angles.
    across: [DVec3; 2],
}

/// A part of an edge that no other cap covers: from one angle to another.
#[derive(Clone, Copy)]
struct EdgeArc {
    edge: usize,
    from: f64,
    to: f64,
}

impl CapEdge {
    fn new(ball: &Ball, cap: &BallCap) -> Self {
        let radius = ((ball.radius - cap.height) * (ball.radius + cap.height)).max(0.0).sqrt();
        let right = cap.normal.any_orthonormal_vector();
        let up = cap.normal.cross(right);
        Self { center: ball.center + cap.normal * cap.height, across: [right * radius, up * radius] }
    }

    /// A point of the edge and its derivative by the angle.
    fn at(&self, angle: f64) -> [DVec3; 2] {
        let (sine, cosine) = libm::sincos(angle);
        let [right, up] = self.across;
        [self.center + right * cosine + up * sine, up * cosine - right * sine]
    }

    /// The angles that another cap covers: the middle and half the extent. `None` for none, infinite for all.
    fn covered(&self, ball: &Ball, other: &BallCap) -> Option<[f64; 2]> {
        let [a, b] = self.across.map(|across| across.dot(other.normal));
        let least = other.height - (self.center - ball.center).dot(other.normal);
        let reach = (a * a + b * b).sqrt();
        if least >= reach {
            return None;
        }
        if least <= -reach {
            return Some([0.0, f64::INFINITY]);
        }
        Some([libm::atan2(b, a), libm::acos((least / reach).clamp(-1.0, 1.0))])
    }

    /// The parts that none of the other caps covers.
    fn open_arcs(&self, ball: &Ball, caps: &[BallCap], edge: usize, arcs: &mut Vec<EdgeArc>) {
        let mut covered: Vec<[f64; 2]> = Vec::new();
        for (number, other) in caps.iter().enumerate() {
            match (number != edge).then(|| self.covered(ball, other)).flatten() {
                None => {}
                Some([_, half]) if half.is_infinite() => return,
                Some([middle, half]) => {
                    let from = (middle - half).rem_euclid(TAU);
                    let to = from + 2.0 * half;
                    covered.push([from, to.min(TAU)]);
                    if to > TAU {
                        covered.push([0.0, to - TAU]);
                    }
                }
            }
        }
        if covered.is_empty() {
            arcs.push(EdgeArc { edge, from: 0.0, to: TAU });
            return;
        }
        covered.sort_by(|a, b| a[0].total_cmp(&b[0]));
        // from the end of one covered part to the beginning of the next; the last one goes on past the full turn
        let first = covered[0][0];
        let mut end = covered[0][1];
        for [from, to] in covered.into_iter().skip(1) {
            if from > end {
                arcs.push(EdgeArc { edge, from: end, to: from });
            }
            end = end.max(to);
        }
        if first + TAU > end {
            arcs.push(EdgeArc { edge, from: end, to: first + TAU });
        }
    }
}

/// Projects the part of a sphere outside of caps; the first cap is the side turned away from the eye. `None` if nothing is
/// left.
///
/// The part is convex in the picture: a ray enters the intersection of a ball with half-spaces that contain the eye where
/// it enters the ball, or not at all.
pub(super) fn visible_region(ball: &Ball, caps: &[BallCap], lens: &PictureLens) -> Option<ConvexRegion> {
    let edges: Vec<CapEdge> = caps.iter().map(|cap| CapEdge::new(ball, cap)).collect();
    let mut arcs = Vec::new();
    for (number, edge) in edges.iter().enumerate() {
        edge.open_arcs(ball, caps, number, &mut arcs);
    }
    let whole = arcs.iter().find(|arc| arc.to - arc.from >= TAU).copied();
    if let Some(whole) = whole {
        arcs = vec![whole];
    }
    let place = |arc: &EdgeArc, angle: f64| {
        let [point, motion] = edges[arc.edge].at(angle);
        lens.place(point, motion)
    };
    let middles: Vec<Point> = arcs.iter().map(|arc| place(arc, 0.5 * (arc.from + arc.to))[0]).collect();
    let ends = arcs.iter().flat_map(|arc| [arc.from, arc.to].map(|angle| place(arc, angle)[0]));
    let points: Vec<Point> = middles.iter().copied().chain(ends).collect();
    let count = points.len().max(1) as f64;
    // a point inside, as the region is convex
    let mut inside = [0, 1].map(|axis| points.iter().map(|point| point[axis]).sum::<f64>() / count);
    if let Some(arc) = &whole {
        inside = lens.place(edges[arc.edge].center, DVec3::ZERO)[0];
    }
    let direction = |point: Point| libm::atan2(point[1] - inside[1], point[0] - inside[0]);
    let mut order: Vec<(f64, EdgeArc)> = middles.iter().map(|middle| direction(*middle)).zip(arcs).collect();
    order.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut steps = Vec::new();
    let mut polygon = Vec::new();
    let is_disc = whole.is_some_and(|arc| arc.edge == 0);
    for (_, arc) in order {
        // around the inside in the direction of growing angles
        let quarter = arc.from + 0.25 * (arc.to - arc.from);
        let ([at, motion], [half, _]) = (place(&arc, quarter), place(&arc, arc.from + 0.5 * (arc.to - arc.from)));
        let toward = if whole.is_some() { motion } else { [half[0] - at[0], half[1] - at[1]] };
        let turn = (at[0] - inside[0]) * toward[1] - (at[1] - inside[1]) * toward[0];
        let (from, to) = if turn >= 0.0 { (arc.from, arc.to) } else { (arc.to, arc.from) };
        let radius = edges[arc.edge].across[0].length() * lens.pixels(ball);
        let pieces = curve_count((to - from).abs(), radius, lens.is_parallel);
        let step = (to - from) / f64::from(pieces);
        let reach = 4.0 / 3.0 * libm::tan(0.25 * step);
        let corners = corner_count(step.abs(), radius);
        let mut start = place(&arc, from);
        if steps.is_empty() {
            steps.push(CurveStep::Move(start[0]));
        }
        for piece in 1..=pieces {
            let begin = from + step * f64::from(piece - 1);
            let end = place(&arc, from + step * f64::from(piece));
            let control = |[at, motion]: [Point; 2], reach: f64| [at[0] + reach * motion[0], at[1] + reach * motion[1]];
            steps.push(CurveStep::Curve([control(start, reach), control(end, -reach), end[0]]));
            polygon.push(start[0]);
            let between = (1..corners).map(|corner| begin + step * f64::from(corner) / f64::from(corners));
            polygon.extend(between.map(|angle| place(&arc, angle)[0]));
            start = end;
        }
        polygon.push(start[0]);
    }
    if steps.is_empty() {
        return None;
    }
    steps.push(CurveStep::Close);
    Some(ConvexRegion { path: VectorPath(steps), polygon, is_disc })
}

/// The number of curves of an arc. A curve's distance from its arc grows with the sixth power of its angle.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
fn curve_count(angle: f64, radius: f64, is_parallel: bool) -> u32 {
    const MOST: f64 = 1000.0;
    let longest = FRAC_PI_2 * libm::pow(TOLERANCE / (QUARTER_ERROR * radius), 1.0 / 6.0).min(1.0);
    let longest = if is_parallel { longest } else { longest.min(PERSPECTIVE_CURVE) };
    libm::ceil(angle / longest - 1e-9).clamp(1.0, MOST) as u32
}

/// The number of straight lines for a part of an arc.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
fn corner_count(angle: f64, radius: f64) -> u32 {
    const MOST: f64 = 1000.0;
    libm::ceil(angle * (radius / (8.0 * SAGITTA)).sqrt()).clamp(1.0, MOST) as u32
}
