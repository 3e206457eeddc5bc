//! Spheres so large beside the picture that `f32` numbers around their centre lose their outline.
//!
//! An eye two metres above a planet, and parallel rays past a sphere of 2¹⁵ pixels or more, meet it where r² − |f|² of
//! the plain kernel cancels. Here the power of the eye, |c|² − r², is known in `f64` before anything is rounded, and
//! everything else is measured from the eye: the power of a point p is power − 2c · p + |p|².

use fearless_simd::{f32x8, mask32x8, prelude::*};
use glam::DVec3;

use super::rod::Rod;
use super::solid::{Solid, Span, surface8, unit_of};
use super::{Exclude, HitSide, Primitive, Silhouette, Surface8};
use crate::geom::Sphere;
use crate::lanes::{Vec3x8, dot3, dot3_with, point3};
use crate::scene::{Rays, SphereInstances};
use crate::tiles::shape_bounds::Projected;
use crate::tiles::sphere_projector::{ScreenBounds, SphereProjector};

/// A sphere whose outline needs the exact power of the eye.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct VastSphere {
    /// Relative to the eye, rounded.
    sphere: Sphere<3>,
    /// Centre and radius, divided by `unit`.
    center: [f32; 3],
    radius: f32,
    /// |c|² − r² of the sphere before rounding: negative when the eye is inside.
    power: f32,
    /// For parallel rays: c · d, and r² less the squared distance of the centre from the ray through the eye.
    parallel: Option<[f32; 2]>,
    /// The power of two that lengths are divided by.
    unit: f32,
}

/// bound: `horizons_of_vast_spheres_are_exact` in tests/pictures/vast_spheres.rs. The plain kernel moves a horizon by
/// some 2⁻²² of the distance of the centre across the ray, which is a slope of 2⁻²² · |c| / √|power|: 2⁻¹⁷ for eyes
/// that are nearer to the surface than 2⁻¹⁰ of the radius.
const NEAR: f32 = 1.0 / 512.0;

/// The same in parallel projection: a radius in pixels from which on the plain kernel moves outlines by 2⁻⁷ of a pixel.
const PIXELS: f32 = 32_768.0;

impl VastSphere {
    /// The sphere with this index, if it is vast; `sphere` is the same relative to the eye.
    #[inline(always)]
    pub(crate) fn of(sphere: Sphere<3>, rays: &Rays, instances: &SphereInstances<'_>, index: u32) -> Option<Self> {
        let is_vast = if rays.parallel {
            sphere.radius > rays.step * PIXELS
        } else {
            let Sphere { center: [x, y, z], radius } = sphere;
            let squared = (x * x + y * y) + z * z;
            (squared - radius * radius).abs() < squared * NEAR
        };
        // an infinite radius is not drawn
        (is_vast && sphere.size() < f32::INFINITY).then(|| Self::new(sphere, rays, instances.in_world(index)))
    }

    #[cold]
    #[expect(clippy::cast_possible_truncation, reason = "rounded once from f64 on purpose")]
    fn new(sphere: Sphere<3>, rays: &Rays, in_world: Sphere<3>) -> Self {
        let unit = unit_of(sphere.size());
        let exact = |point: [f32; 3]| DVec3::from(point.map(f64::from));
        let center = (exact(in_world.center) - exact(rays.eye)) / f64::from(unit);
        let radius = f64::from(sphere.radius) / f64::from(unit);
        let along = center.dot(rays.frame[2]);
        let across = center - rays.frame[2] * along;
        Self {
            sphere,
            center: center.as_vec3().to_array(),
            radius: radius as f32,
            power: (center.length_squared() - radius * radius) as f32,
            parallel: rays.parallel.then_some([along as f32, (radius * radius - across.length_squared()) as f32]),
            unit,
        }
    }
}

impl Solid for VastSphere {
    const NOTHING: Self =
        Self { sphere: Sphere::EMPTY, center: [f32::NAN; 3], radius: 0.0, power: 0.0, parallel: None, unit: 1.0 };

    #[inline(always)]
    fn unit(&self) -> f32 {
        self.unit
    }

    #[inline(always)]
    fn span<S: Simd>(&self, simd: S, origin: Vec3x8<S>, direction: Vec3x8<S>) -> Span<S> {
        let zero = f32x8::splat(simd, 0.0);
        let moved = dot3_with(origin, self.center) * 2.0 - dot3(origin, origin);
        let (along, discriminant) = match self.parallel {
            Some([along, discriminant]) => (f32x8::splat(simd, along), moved + discriminant),
            None => {
                let along = dot3_with(direction, self.center);
                (along, along * along - (zero + self.power - moved))
            }
        };
        let power = zero + self.power - moved;
        let depth = discriminant.max(0.0).sqrt();
        // the root of greater size is a sum, the other follows from their product
        let is_ahead = along.simd_ge(0.0);
        let sum = along + is_ahead.select(depth, zero - depth);
        let other = power / sum;
        let span = Span { enter: is_ahead.select(other, sum), exit: is_ahead.select(sum, other) };
        span.only(simd, discriminant.simd_ge(0.0))
    }

    #[inline(always)]
    fn normals<S: Simd>(&self, simd: S, origin: Vec3x8<S>, direction: Vec3x8<S>, is_exit: mask32x8<S>) -> Vec3x8<S> {
        let Span { enter, exit } = self.span(simd, origin, direction);
        let point = point3(origin, direction, is_exit.select(exit, enter));
        let [x, y, z] = self.center;
        [(point[0] - x) / self.radius, (point[1] - y) / self.radius, (point[2] - z) / self.radius]
    }

    #[inline(always)]
    fn power<S: Simd>(&self, simd: S, point: Vec3x8<S>) -> f32x8<S> {
        f32x8::splat(simd, self.power) - (dot3_with(point, self.center) * 2.0 - dot3(point, point))
    }
}

impl Primitive for VastSphere {
    type Target = Self;

    #[inline(always)]
    fn target(self) -> Self {
        self
    }

    #[inline(always)]
    fn exclude(self) -> Exclude {
        Exclude { sphere: self.sphere }
    }

    #[inline(always)]
    fn thickness(self) -> f32 {
        self.sphere.radius
    }

    #[inline(always)]
    fn surface8<S: Simd>(self, simd: S, origin: Vec3x8<S>, direction: Vec3x8<S>, side: HitSide) -> Surface8<S> {
        surface8(simd, &self, origin, direction, side)
    }

    fn silhouette(&self) -> impl Silhouette {
        let Sphere { center, radius } = self.sphere;
        Rod { start: center, end: center, radii: [radius; 2], is_flat: [false; 2] }
    }
}

impl Projected for VastSphere {
    #[inline(always)]
    fn bounds8<S: Simd>(simd: S, projector: &SphereProjector, spheres: &[Self]) -> ScreenBounds {
        let mut rounded = [Sphere::EMPTY; crate::lanes::LANES];
        for (rounded, vast) in rounded.iter_mut().zip(spheres) {
            *rounded = vast.sphere;
        }
        Sphere::bounds8(simd, projector, &rounded)
    }
}
