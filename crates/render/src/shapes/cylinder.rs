//! Ray–cylinder intersection in lanes: eight rays in, entries, exits and normals out.
//!
//! The side: let n = d × a, for the direction d and the axis a, and let p be the foot of the perpendicular from the
//! origin to the axis. The line passes the axis at distance p · n / |n|, so the discriminant is r²|n|² − (p · n)²; no
//! component along the axis has to cancel. Flat ends clip the interval at two planes; round ends add the intervals of
//! two spheres.

use fearless_simd::{f32x8, mask32x8, prelude::*, u32x8};
use glam::{DVec3, Vec3};

use super::rod::Rod;
use super::solid::{Solid, Span, cross3, either, surface8, unit_of};
use super::{HitSide, Primitive, Silhouette, Surface8};
use crate::geom::{Caps, Cylinder};
use crate::lanes::{Sphere8, Vec3x8, along3, dot3, dot3_with, scale3, select3, splat3, sub3};
use crate::tiles::shape_bounds::Projected;
use crate::tiles::sphere_projector::{ScreenBounds, SphereProjector};

/// A cylinder prepared for rays that share an origin. Lengths are divided by `unit`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct CylinderTarget {
    ends: [[f32; 3]; 2],
    /// The point of the axis's line that is nearest to the origin.
    foot: [f32; 3],
    /// Of unit length, from the start to the end.
    axis: [f32; 3],
    /// Positions of the start and the end along the axis, from the foot. Each is rounded on its own, so that ends in one
    /// plane are equally far along a ray.
    start: f32,
    end: f32,
    length: f32,
    radius: f32,
    caps: Caps,
    unit: f32,
}

impl Primitive for Cylinder {
    type Target = CylinderTarget;

    #[inline(always)]
    fn target(self) -> CylinderTarget {
        CylinderTarget::new(self)
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
        let Self { start, end, radius, caps } = *self;
        Rod { start, end, radii: [radius; 2], is_flat: [caps == Caps::Flat; 2] }
    }
}

impl Projected for Cylinder {
    #[inline(always)]
    fn bounds8<S: Simd>(simd: S, projector: &SphereProjector, shapes: &[Self]) -> ScreenBounds {
        let mut ends = [Sphere8::EMPTY; 2];
        for (lane, shape) in shapes.iter().enumerate() {
            if !shape.is_empty() {
                ends[0].set(lane, shape.start, shape.radius);
                ends[1].set(lane, shape.end, shape.radius);
            }
        }
        projector.hulls(simd, &ends)
    }
}

/// A line that passes a cylinder's axis.
#[derive(Clone, Copy)]
struct CylinderPassing<S: Simd> {
    /// The part of the direction perpendicular to the axis; and the vector perpendicular to that and to the axis.
    across: Vec3x8<S>,
    beside: Vec3x8<S>,
    /// Squared length of either; 1 where the line is along the axis.
    squared: f32x8<S>,
    is_along: mask32x8<S>,
    /// The foot's offset along `beside`, and along `across`.
    aside: f32x8<S>,
    ahead: f32x8<S>,
    discriminant: f32x8<S>,
    /// Position of the origin along the axis, from the foot and from the start, and its growth along the line.
    place: f32x8<S>,
    offset: f32x8<S>,
    slope: f32x8<S>,
}

/// Lines with a smaller squared sine to the axis never cross the side.
const ALONG: f32 = 1e-12;

impl CylinderTarget {
    #[expect(clippy::cast_possible_truncation, reason = "rounded once from f64 on purpose")]
    #[inline(always)]
    fn new(cylinder: Cylinder) -> Self {
        let Cylinder { start, end, radius, caps } = cylinder;
        let size = start.iter().chain(&end).fold(radius, |size, along| size.max(along.abs()));
        let unit = unit_of(size);
        let wide = |point: [f32; 3]| Vec3::from(point).as_dvec3() / f64::from(unit);
        let (first, last) = (wide(start), wide(end));
        let length = first.distance(last);
        let axis = if length > 0.0 { (last - first) / length } else { DVec3::Z };
        let along = first.dot(axis);
        Self {
            ends: [first.as_vec3().to_array(), last.as_vec3().to_array()],
            foot: (first - axis * along).as_vec3().to_array(),
            axis: axis.as_vec3().to_array(),
            start: along as f32,
            end: last.dot(axis) as f32,
            length: length as f32,
            radius: radius / unit,
            caps,
            unit,
        }
    }

    #[inline(always)]
    fn passing<S: Simd>(&self, simd: S, origin: Vec3x8<S>, direction: Vec3x8<S>) -> CylinderPassing<S> {
        let slope = dot3_with(direction, self.axis);
        let across = sub3(direction, along3(self.axis, slope));
        let beside = cross3(direction, splat3(simd, self.axis));
        let squared = dot3(beside, beside);
        let foot = sub3(splat3(simd, self.foot), origin);
        let aside = dot3(foot, beside);
        let place = dot3_with(origin, self.axis);
        let is_along = squared.simd_lt(ALONG);
        CylinderPassing {
            across,
            beside,
            squared: is_along.select(f32x8::splat(simd, 1.0), squared),
            is_along,
            aside,
            ahead: dot3(foot, across),
            discriminant: squared * (self.radius * self.radius) - aside * aside,
            place,
            offset: place - self.start,
            slope,
        }
    }

    /// The interval inside the infinite cylinder.
    #[inline(always)]
    fn within_side<S: Simd>(&self, simd: S, origin: Vec3x8<S>, passing: &CylinderPassing<S>) -> Span<S> {
        let CylinderPassing { squared, is_along, ahead, discriminant, .. } = *passing;
        let root = discriminant.max(0.0).sqrt();
        let infinite = f32x8::splat(simd, f32::INFINITY);
        let foot = sub3(splat3(simd, self.foot), origin);
        let lift = dot3_with(foot, self.axis);
        let gap = sub3(foot, along3(self.axis, lift));
        let is_in = is_along & dot3(gap, gap).simd_le(self.radius * self.radius);
        let span = Span {
            enter: is_along.select(-infinite, (ahead - root) / squared),
            exit: is_along.select(infinite, (ahead + root) / squared),
        };
        span.only(simd, is_in | (!is_along & discriminant.simd_ge(0.0)))
    }

    /// The interval inside the sphere around an end.
    #[inline(always)]
    fn within_end<S: Simd>(&self, simd: S, end: usize, origin: Vec3x8<S>, direction: Vec3x8<S>) -> Span<S> {
        let EndPassing { along, discriminant, .. } = self.passing_end(simd, end, origin, direction);
        let depth = discriminant.max(0.0).sqrt();
        Span { enter: along - depth, exit: along + depth }.only(simd, discriminant.simd_ge(0.0))
    }

    #[inline(always)]
    fn passing_end<S: Simd>(&self, simd: S, end: usize, origin: Vec3x8<S>, direction: Vec3x8<S>) -> EndPassing<S> {
        let to = sub3(splat3(simd, self.ends[end]), origin);
        let along = dot3(to, direction);
        let aside = sub3(to, scale3(direction, along));
        EndPassing { along, aside, discriminant: -dot3(aside, aside) + self.radius * self.radius }
    }

    /// The normal of the sphere around an end.
    #[inline(always)]
    fn normal_of_end<S: Simd>(
        &self,
        simd: S,
        end: usize,
        [origin, direction]: [Vec3x8<S>; 2],
        is_exit: mask32x8<S>,
    ) -> Vec3x8<S> {
        let EndPassing { aside, discriminant, .. } = self.passing_end(simd, end, origin, direction);
        let depth = discriminant.max(0.0).sqrt();
        let depth = is_exit.select(depth, -depth);
        let scale = f32x8::splat(simd, 1.0 / self.radius.max(f32::MIN_POSITIVE));
        scale3(sub3(scale3(direction, depth), aside), scale)
    }

    #[inline(always)]
    fn span_of<S: Simd>(
        &self,
        simd: S,
        origin: Vec3x8<S>,
        direction: Vec3x8<S>,
        passing: &CylinderPassing<S>,
    ) -> Span<S> {
        let side = self.within_side(simd, origin, passing);
        let body = side.both(Span::slab(simd, passing.place, passing.slope, [self.start, self.end]));
        if self.caps == Caps::Flat {
            return body;
        }
        let body = body.only(simd, body.enter.simd_le(body.exit));
        let start = self.within_end(simd, 0, origin, direction);
        body.either(start).either(self.within_end(simd, 1, origin, direction))
    }
}

/// A line that passes the sphere around an end.
#[derive(Clone, Copy)]
struct EndPassing<S: Simd> {
    along: f32x8<S>,
    aside: Vec3x8<S>,
    discriminant: f32x8<S>,
}

impl Solid for CylinderTarget {
    const NOTHING: Self = Self {
        ends: [[f32::NAN; 3]; 2],
        foot: [f32::NAN; 3],
        axis: [0.0; 3],
        start: 0.0,
        end: 0.0,
        length: 0.0,
        radius: 0.0,
        caps: Caps::Flat,
        unit: 1.0,
    };

    #[inline(always)]
    fn unit(&self) -> f32 {
        self.unit
    }

    #[inline(always)]
    fn span<S: Simd>(&self, simd: S, origin: Vec3x8<S>, direction: Vec3x8<S>) -> Span<S> {
        let passing = self.passing(simd, origin, direction);
        self.span_of(simd, origin, direction, &passing)
    }

    #[inline(always)]
    fn normals<S: Simd>(&self, simd: S, origin: Vec3x8<S>, direction: Vec3x8<S>, is_exit: mask32x8<S>) -> Vec3x8<S> {
        let passing = self.passing(simd, origin, direction);
        let CylinderPassing { across, beside, squared, aside, discriminant, place, offset, slope, .. } = passing;
        let root = discriminant.max(0.0).sqrt();
        let root = is_exit.select(root, -root);
        let scale = f32x8::splat(simd, 1.0 / self.radius.max(f32::MIN_POSITIVE)) / squared;
        let side = scale3(sub3(scale3(across, root), scale3(beside, aside)), scale);
        if self.caps == Caps::Flat {
            let (within, slab) =
                (self.within_side(simd, origin, &passing), Span::slab(simd, place, slope, [self.start, self.end]));
            let is_cap = either(is_exit, slab.exit.simd_lt(within.exit), slab.enter.simd_gt(within.enter));
            // caps face along the ray where it leaves, against it where it enters
            let faces_end = either(is_exit, slope.simd_gt(0.0), slope.simd_lt(0.0));
            let sign = faces_end.select(f32x8::splat(simd, 1.0), f32x8::splat(simd, -1.0));
            return select3(is_cap, along3(self.axis, sign), side);
        }
        let Span { enter, exit } = self.span_of(simd, origin, direction, &passing);
        let place = offset + slope * is_exit.select(exit, enter);
        let is_start = place.simd_lt(0.0);
        let is_end = place.simd_gt(self.length) | passing.is_along;
        let start = self.normal_of_end(simd, 0, [origin, direction], is_exit);
        let end = self.normal_of_end(simd, 1, [origin, direction], is_exit);
        select3(is_start, start, select3(is_end, end, side))
    }

    #[inline(always)]
    fn power<S: Simd>(&self, simd: S, point: Vec3x8<S>) -> f32x8<S> {
        let from = sub3(point, splat3(simd, self.foot));
        let along = dot3_with(from, self.axis);
        let across = sub3(from, along3(self.axis, along));
        let beyond = (f32x8::splat(simd, self.start) - along).max(along - (self.start + self.length)).max(0.0);
        (dot3(across, across) + beyond * beyond) - self.radius * self.radius
    }

    /// 0 in the half at the start, 1 in the half at the end.
    #[inline(always)]
    fn pieces<S: Simd>(&self, simd: S, point: Vec3x8<S>) -> u32x8<S> {
        let place = dot3_with(point, self.axis) - self.start;
        place.simd_gt(0.5 * self.length).select(u32x8::splat(simd, 1), u32x8::splat(simd, 0))
    }

    /// Infinite or NaN along the middle.
    #[inline(always)]
    fn seam<S: Simd>(&self, simd: S, origin: Vec3x8<S>, direction: Vec3x8<S>) -> f32x8<S> {
        let middle = f32x8::splat(simd, self.start + 0.5 * self.length);
        (middle - dot3_with(origin, self.axis)) / dot3_with(direction, self.axis)
    }
}
