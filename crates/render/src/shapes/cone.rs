//! Ray–cone intersection in lanes: eight rays in, entries, exits and normals out.
//!
//! Let w be the vector from the apex to the point of the line that is nearest to the apex. Distances count from that
//! point, so that w · d = 0. With the axis a and the cosine c between axis and side, the discriminant is c²(w²((d · a)²
//! − c²) + (w · a)²): it squares no distance from the eye.

use fearless_simd::{f32x8, mask32x8, prelude::*};
use glam::{DVec3, Vec3};

use super::rod::Rod;
use super::solid::{Solid, Span, either, surface8, unit_of};
use super::{HitSide, Primitive, Silhouette, Surface8};
use crate::geom::Cone;
use crate::lanes::{Sphere8, Vec3x8, along3, dot3, dot3_with, point3, scale3, select3, splat3, sub3};
use crate::tiles::shape_bounds::Projected;
use crate::tiles::sphere_projector::{ScreenBounds, SphereProjector};

/// A cone prepared for rays that share an origin. Lengths are divided by `unit`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ConeTarget {
    apex: [f32; 3],
    /// Of unit length, from the apex to the base.
    axis: [f32; 3],
    height: f32,
    radius: f32,
    /// Squared cosine between axis and side.
    cosine_squared: f32,
    unit: f32,
}

impl Primitive for Cone {
    type Target = ConeTarget;

    #[inline(always)]
    fn target(self) -> ConeTarget {
        ConeTarget::new(self)
    }

    #[inline(always)]
    fn thickness(self) -> f32 {
        self.radius
    }

    #[inline(always)]
    fn surface8<S: Simd>(self, simd: S, origin: Vec3x8<S>, direction: Vec3x8<S>, side: HitSide) -> Surface8<S> {
        surface8(simd, &self.target(), origin, direction, side)
    }

    fn silhouette(&self) -> impl Silhouette {
        let Self { base, apex, radius } = *self;
        Rod { start: base, end: apex, radii: [radius, 0.0], is_flat: [true, false] }
    }
}

impl Projected for Cone {
    #[inline(always)]
    fn bounds8<S: Simd>(simd: S, projector: &SphereProjector, shapes: &[Self]) -> ScreenBounds {
        let mut ends = [Sphere8::EMPTY; 2];
        for (lane, shape) in shapes.iter().enumerate() {
            if !shape.is_empty() {
                ends[0].set(lane, shape.base, shape.radius);
                ends[1].set(lane, shape.apex, 0.0);
            }
        }
        projector.hulls(simd, &ends)
    }
}

/// A line that passes a cone, relative to the line's point nearest to the apex.
#[derive(Clone, Copy)]
struct ConePassing<S: Simd> {
    /// Distance of that point from the origin, and its position relative to the apex.
    along: f32x8<S>,
    from_apex: Vec3x8<S>,
    /// Position of that point along the axis, and its growth along the line.
    place: f32x8<S>,
    slope: f32x8<S>,
}

impl ConeTarget {
    #[expect(clippy::cast_possible_truncation, reason = "rounded once from f64 on purpose")]
    #[inline(always)]
    fn new(cone: Cone) -> Self {
        let Cone { base, apex, radius } = cone;
        let unit = unit_of(base.iter().chain(&apex).fold(radius, |size, along| size.max(along.abs())));
        let wide = |point: [f32; 3]| Vec3::from(point).as_dvec3() / f64::from(unit);
        let (tip, foot) = (wide(apex), wide(base));
        let height = tip.distance(foot);
        let axis = if height > 0.0 { (foot - tip) / height } else { DVec3::Z };
        let wide_radius = f64::from(radius) / f64::from(unit);
        Self {
            apex: tip.as_vec3().to_array(),
            axis: axis.as_vec3().to_array(),
            height: height as f32,
            radius: wide_radius as f32,
            cosine_squared: (height * height / (height * height + wide_radius * wide_radius)) as f32,
            unit,
        }
    }

    #[inline(always)]
    fn passing<S: Simd>(&self, simd: S, origin: Vec3x8<S>, direction: Vec3x8<S>) -> ConePassing<S> {
        let to_apex = sub3(splat3(simd, self.apex), origin);
        let along = dot3(to_apex, direction);
        let from_apex = sub3(scale3(direction, along), to_apex);
        ConePassing { along, from_apex, place: dot3_with(from_apex, self.axis), slope: dot3_with(direction, self.axis) }
    }

    /// The interval inside the infinite cone; distances count from the point nearest to the apex.
    #[inline(always)]
    fn within_side<S: Simd>(&self, simd: S, passing: &ConePassing<S>) -> Span<S> {
        let ConePassing { from_apex, place, slope, .. } = *passing;
        let (zero, infinite) = (f32x8::splat(simd, 0.0), f32x8::splat(simd, f32::INFINITY));
        let squared = dot3(from_apex, from_apex);
        let leading = slope * slope - self.cosine_squared;
        let linear = slope * place;
        let constant = place * place - squared * self.cosine_squared;
        let discriminant = (squared * leading + place * place) * self.cosine_squared;
        let root = discriminant.max(0.0).sqrt();
        // the root of greater magnitude without cancellation, and the other from their product
        let sum = linear.simd_ge(0.0).select(-(linear + root), root - linear);
        let (one, other) = (sum / leading, constant / sum);
        let (first, last) = (one.min(other), one.max(other));
        let is_steep = leading.simd_gt(zero);
        let is_growing = slope.simd_gt(zero);
        let steep = Span { enter: is_growing.select(last, -infinite), exit: is_growing.select(infinite, first) };
        let level = Span { enter: first, exit: last };
        let middle = place + slope * ((first + last) * 0.5);
        let span =
            Span { enter: is_steep.select(steep.enter, level.enter), exit: is_steep.select(steep.exit, level.exit) };
        let is_ahead = is_steep | middle.simd_ge(0.0);
        let is_regular = leading.abs().simd_gt(0.0) & sum.abs().simd_gt(0.0);
        span.only(simd, discriminant.simd_ge(0.0) & is_ahead & is_regular)
    }

    /// Between the apex and the base.
    #[inline(always)]
    fn within_height<S: Simd>(&self, simd: S, passing: &ConePassing<S>) -> Span<S> {
        Span::slab(simd, passing.place, passing.slope, [0.0, self.height])
    }
}

impl Solid for ConeTarget {
    const NOTHING: Self =
        Self { apex: [f32::NAN; 3], axis: [0.0; 3], height: 0.0, radius: 0.0, cosine_squared: 1.0, unit: 1.0 };

    #[inline(always)]
    fn unit(&self) -> f32 {
        self.unit
    }

    #[inline(always)]
    fn span<S: Simd>(&self, simd: S, origin: Vec3x8<S>, direction: Vec3x8<S>) -> Span<S> {
        let passing = self.passing(simd, origin, direction);
        let Span { enter, exit } = self.within_side(simd, &passing).both(self.within_height(simd, &passing));
        Span { enter: enter + passing.along, exit: exit + passing.along }
    }

    #[inline(always)]
    fn normals<S: Simd>(&self, simd: S, origin: Vec3x8<S>, direction: Vec3x8<S>, is_exit: mask32x8<S>) -> Vec3x8<S> {
        let passing = self.passing(simd, origin, direction);
        let ConePassing { from_apex, slope, place, .. } = passing;
        let (side, slab) = (self.within_side(simd, &passing), self.within_height(simd, &passing));
        let at = is_exit.select(side.exit, side.enter);
        // whether the base is hit; at the apex, where a plane meets the side, the side is
        let is_base = either(
            is_exit,
            slope.simd_gt(0.0) & slab.exit.simd_lt(side.exit),
            slope.simd_lt(0.0) & slab.enter.simd_gt(side.enter),
        );
        let along_axis = place + slope * at;
        let cosine_squared = f32x8::splat(simd, self.cosine_squared);
        let from_apex = scale3(point3(from_apex, direction, at), cosine_squared);
        let normal = sub3(from_apex, along3(self.axis, along_axis));
        let squared = dot3(normal, normal);
        let scale = f32x8::splat(simd, 1.0) / squared.max(f32::MIN_POSITIVE).sqrt();
        select3(is_base, splat3(simd, self.axis), scale3(normal, scale))
    }

    #[inline(always)]
    fn power<S: Simd>(&self, simd: S, point: Vec3x8<S>) -> f32x8<S> {
        let from = sub3(point, splat3(simd, self.apex));
        let place = dot3_with(from, self.axis);
        let across = sub3(from, along3(self.axis, place));
        let radius = place * (self.radius / self.height);
        dot3(across, across) - radius * radius
    }
}
