//! Ray–ellipsoid intersection in lanes: eight rays in, entries, exits and normals out.
//!
//! A matrix M maps the ellipsoid to the unit sphere. For a line from the origin in direction d and the centre c, Mc ×
//! Md is the moment of the line about the centre in that space. It equals cof(M)(c × d), so the product is formed in
//! world space, where its rounding is the same in all directions. Then |Md|² − |Mc × Md|² is the discriminant, and Md ×
//! (Mc × Md) / |Md|² the perpendicular remainder, however flat the ellipsoid is.

use fearless_simd::{f32x8, mask32x8, prelude::*};

use super::solid::{Solid, Span, cross3, power_of_two, surface8};
use super::{HitSide, Passed, Primitive, Silhouette, Surface8};
use crate::geom::TurnedEllipsoid;
use crate::lanes::{LANES, Sphere8, Vec3x8, dot, dot3, dot3_with, load3, norm, point_at, scale3, splat3, sub, sub3};
use crate::tiles::shape_bounds::Projected;
use crate::tiles::sphere_projector::{ScreenBounds, SphereProjector};

/// An ellipsoid prepared for rays that share an origin. Lengths are divided by `unit`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct EllipsoidTarget {
    center: [f32; 3],
    axes: [[f32; 3]; 3],
    /// 1 / radius along each axis.
    stretch: [f32; 3],
    /// 1 / product of the other two radii.
    moment: [f32; 3],
    /// The shortest radius.
    least: f32,
    unit: f32,
}

/// Flatter ellipsoids are thickened to this share of the longest radius, so that a disc has two sides.
const FLATTEST: f32 = 1e-6;

impl Primitive for TurnedEllipsoid {
    type Target = EllipsoidTarget;

    #[inline(always)]
    fn target(self) -> EllipsoidTarget {
        EllipsoidTarget::new(self)
    }

    #[inline(always)]
    fn thickness(self) -> f32 {
        let target = self.target();
        target.least * target.unit
    }

    #[inline(always)]
    fn surface8<S: Simd>(self, simd: S, origin: Vec3x8<S>, direction: Vec3x8<S>, side: HitSide) -> Surface8<S> {
        surface8(simd, &self.target(), origin, direction, side)
    }

    fn silhouette(&self) -> impl Silhouette {
        *self
    }
}

impl Projected for TurnedEllipsoid {
    /// Tangent planes through the eye: |n · c| is the support of the ellipsoid along n there.
    #[inline(always)]
    fn bounds8<S: Simd>(simd: S, projector: &SphereProjector, shapes: &[Self]) -> ScreenBounds {
        let mut around = Sphere8::EMPTY;
        let mut axes = [[[0.0; LANES]; 3]; 3];
        for (lane, shape) in shapes.iter().enumerate() {
            if !shape.is_empty() {
                around.set(lane, shape.center, shape.longest());
            }
            for ((rows, axis), radius) in axes.iter_mut().zip(&shape.axes).zip(shape.radii) {
                for (row, along) in rows.iter_mut().zip(axis) {
                    row[lane] = along * radius;
                }
            }
        }
        let axes = [load3(simd, &axes[0]), load3(simd, &axes[1]), load3(simd, &axes[2])];
        projector.ellipsoids(simd, &around, &axes)
    }
}

impl EllipsoidTarget {
    /// In units of the longest radius, so that no product of six radii leaves the range. A centre so far away that it
    /// overflows belongs to an ellipsoid too small to be seen.
    #[inline(always)]
    fn new(ellipsoid: TurnedEllipsoid) -> Self {
        let TurnedEllipsoid { center, radii, axes } = ellipsoid;
        let longest = ellipsoid.longest();
        let unit = power_of_two(longest);
        let least = longest / unit * FLATTEST;
        let [a, b, c] = radii.map(|radius| (radius / unit).max(least));
        Self {
            center: center.map(|along| along / unit),
            axes,
            stretch: [1.0 / a, 1.0 / b, 1.0 / c],
            moment: [1.0 / (b * c), 1.0 / (c * a), 1.0 / (a * b)],
            least: a.min(b).min(c),
            unit,
        }
    }

    /// Components along the axes, scaled by `by`.
    #[inline(always)]
    fn mapped<S: Simd>(&self, vector: Vec3x8<S>, by: [f32; 3]) -> Vec3x8<S> {
        [
            dot3_with(vector, self.axes[0]) * by[0],
            dot3_with(vector, self.axes[1]) * by[1],
            dot3_with(vector, self.axes[2]) * by[2],
        ]
    }

    /// In the space where the ellipsoid is the unit sphere: direction, moment about the centre, and centre relative to
    /// the origins; the direction's squared length, and the discriminant.
    #[inline(always)]
    fn passing<S: Simd>(&self, simd: S, origin: Vec3x8<S>, direction: Vec3x8<S>) -> ([Vec3x8<S>; 3], [f32x8<S>; 2]) {
        let center = sub3(splat3(simd, self.center), origin);
        let along = self.mapped(direction, self.stretch);
        let moment = self.mapped(cross3(center, direction), self.moment);
        let squared = dot3(along, along);
        ([along, moment, self.mapped(center, self.stretch)], [squared, squared - dot3(moment, moment)])
    }
}

impl Solid for EllipsoidTarget {
    const NOTHING: Self =
        Self { center: [f32::NAN; 3], axes: [[0.0; 3]; 3], stretch: [0.0; 3], moment: [0.0; 3], least: 0.0, unit: 1.0 };

    #[inline(always)]
    fn unit(&self) -> f32 {
        self.unit
    }

    #[inline(always)]
    fn span<S: Simd>(&self, simd: S, origin: Vec3x8<S>, direction: Vec3x8<S>) -> Span<S> {
        let ([along, _, center], [squared, discriminant]) = self.passing(simd, origin, direction);
        let root = discriminant.max(0.0).sqrt();
        let middle = dot3(center, along);
        let span = Span { enter: (middle - root) / squared, exit: (middle + root) / squared };
        span.only(simd, discriminant.simd_ge(0.0))
    }

    #[inline(always)]
    fn normals<S: Simd>(&self, simd: S, origin: Vec3x8<S>, direction: Vec3x8<S>, is_exit: mask32x8<S>) -> Vec3x8<S> {
        let ([along, moment, _], [_, discriminant]) = self.passing(simd, origin, direction);
        let root = discriminant.max(0.0).sqrt();
        let root = is_exit.select(root, -root);
        let aside = cross3(along, moment);
        // the point on the unit sphere up to a factor, transformed back as a normal
        let on_sphere = sub3(scale3(along, root), aside);
        let [x, y, z] =
            [on_sphere[0] * self.stretch[0], on_sphere[1] * self.stretch[1], on_sphere[2] * self.stretch[2]];
        let [a, b, c] = &self.axes;
        let normal =
            [(x * a[0] + y * b[0]) + z * c[0], (x * a[1] + y * b[1]) + z * c[1], (x * a[2] + y * b[2]) + z * c[2]];
        scale3(normal, f32x8::splat(simd, 1.0) / dot3(normal, normal).sqrt())
    }

    #[inline(always)]
    fn power<S: Simd>(&self, simd: S, point: Vec3x8<S>) -> f32x8<S> {
        let from = sub3(point, splat3(simd, self.center));
        let on_sphere = self.mapped(from, self.stretch);
        (dot3(on_sphere, on_sphere) - 1.0) * (self.least * self.least)
    }
}

/// To first order: decided by the ray's nearest point in the space where the ellipsoid is the unit sphere.
impl Silhouette for TurnedEllipsoid {
    fn passed(&self, origin: [f32; 3], direction: [f32; 3]) -> Passed {
        let (aside, along) = passed_in_unit_space(self, origin, direction);
        let length = norm(aside);
        let across = gradient(self, aside, length);
        Passed { along, gap: (length - 1.0) / norm(across), across }
    }

    fn nearest_point(&self, origin: [f32; 3], direction: [f32; 3]) -> [f32; 3] {
        let (aside, _) = passed_in_unit_space(self, origin, direction);
        let scale = unit_space(self).map(|radius| radius / norm(aside));
        std::array::from_fn(|axis| {
            self.center[axis]
                - ((aside[0] * scale[0] * self.axes[0][axis] + aside[1] * scale[1] * self.axes[1][axis])
                    + aside[2] * scale[2] * self.axes[2][axis])
        })
    }

    fn distance(&self, point: [f32; 3]) -> (f32, [f32; 3]) {
        let mapped = in_unit_space(self, sub(point, self.center));
        let length = norm(mapped);
        let growth = gradient(self, mapped, length);
        let steepness = norm(growth);
        ((length - 1.0) / steepness, growth.map(|along| along / steepness))
    }
}

/// In the space where the ellipsoid is the unit sphere: the vector from the ray's nearest point to the centre, and
/// that point's distance along the ray.
fn passed_in_unit_space(ellipsoid: &TurnedEllipsoid, origin: [f32; 3], direction: [f32; 3]) -> ([f32; 3], f32) {
    let (center, ray) = (in_unit_space(ellipsoid, sub(ellipsoid.center, origin)), in_unit_space(ellipsoid, direction));
    let along = dot(center, ray) / dot(ray, ray);
    (point_at(center, ray, -along), along)
}

/// The radii that map the ellipsoid to the unit sphere; a flat ellipsoid gets a little thickness.
fn unit_space(ellipsoid: &TurnedEllipsoid) -> [f32; 3] {
    let least = ellipsoid.longest() * 1e-3;
    ellipsoid.radii.map(|radius| radius.max(least))
}

/// Maps a vector to the space where the ellipsoid is the unit sphere.
fn in_unit_space(ellipsoid: &TurnedEllipsoid, vector: [f32; 3]) -> [f32; 3] {
    let radii = unit_space(ellipsoid);
    std::array::from_fn(|i| dot(vector, ellipsoid.axes[i]) / radii[i])
}

/// World-space gradient of the distance from the centre in the unit sphere's space, at a point there.
fn gradient(ellipsoid: &TurnedEllipsoid, point: [f32; 3], length: f32) -> [f32; 3] {
    let radii = unit_space(ellipsoid);
    let slopes: [f32; 3] = std::array::from_fn(|i| point[i] / (length * radii[i]));
    std::array::from_fn(|axis| {
        (slopes[0] * ellipsoid.axes[0][axis] + slopes[1] * ellipsoid.axes[1][axis])
            + slopes[2] * ellipsoid.axes[2][axis]
    })
}
