//! Ray–sphere intersection in lanes: eight rays in; crossings, surfaces and occlusion out.
//!
//! [`crate::geom::ray_sphere`] defines the cases; the tests below hold each kernel to it. With oc = centre − origin, b
//! = oc · d and the perpendicular remainder f = oc − b·d (Haines, Günther, Akenine-Möller, *Ray Tracing Gems*, 2019,
//! ch. 7) the discriminant is r² − |f|² and the roots are b ∓ √disc.

use fearless_simd::{f32x8, mask32x8, prelude::*};

use super::rod::Rod;
use super::solid::{negative_depth, squares_fit, unit_of};
use super::{Crossing, Exclude, HitSide, Primitive, RayLanes, Silhouette, Surface, Surface8, Target};
use crate::geom::Sphere;
use crate::lanes::{Sphere8, Vec3x8, along_and_across, dot, dot3, sub};
use crate::tiles::shape_bounds::Projected;
use crate::tiles::sphere_projector::{ScreenBounds, SphereProjector};

/// A sphere prepared for rays that share an origin.
///
/// The product of the roots is the power of the origin, |oc|² − r², known in `f64` once per sphere, so that
/// power / (b + √disc) is the nearer root without cancellation, even for an eye two metres above a planet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SphereTarget {
    /// Centre less origin, divided by `unit`.
    center: [f32; 3],
    radius_squared: f32,
    /// |oc|² − r²: negative when the origin is inside.
    power: f32,
    /// Turns √disc into the cosine between normal and ray. Finite, although a radius may round to 0 beside a far
    /// centre.
    inverse_radius: f32,
    /// The power of two that the sphere's numbers are divided by: 1 unless their squares would leave the range of
    /// `f32`.
    unit: f32,
}

impl Primitive for Sphere<3> {
    type Target = SphereTarget;

    #[inline(always)]
    fn target(self) -> SphereTarget {
        SphereTarget::new(self)
    }

    /// Rays start on the surface within rounding, so that the sphere would block them.
    #[inline(always)]
    fn exclude(self) -> Exclude {
        Exclude { sphere: self }
    }

    #[inline(always)]
    fn thickness(self) -> f32 {
        self.radius
    }

    /// Whether the eye is outside, and squares stay in the range of `f32`.
    #[inline(always)]
    fn has_plain_surface(self) -> bool {
        let Self { center: [x, y, z], radius } = self;
        squares_fit(self.size()) && (x * x + y * y) + z * z > radius * radius * 1.001
    }

    #[inline(always)]
    fn surface8<S: Simd>(self, simd: S, origin: Vec3x8<S>, d: Vec3x8<S>, side: HitSide) -> Surface8<S> {
        let splat = |number: f32| f32x8::splat(simd, number);
        let Sphere { center: [x, y, z], radius } = self;
        let (center, r) = ([splat(x), splat(y), splat(z)], splat(radius));
        let inverse_radius = splat(1.0) / r.max(f32::MIN_POSITIVE);
        let radius = splat(1.0) / inverse_radius;
        let oc = [center[0] - origin[0], center[1] - origin[1], center[2] - origin[2]];
        let b = dot3(oc, d);
        let f = [oc[0] - b * d[0], oc[1] - b * d[1], oc[2] - b * d[2]];
        let depth = (r * r - dot3(f, f)).max(0.0).sqrt();
        let is_offset = !(origin[0].simd_eq(0.0) & origin[1].simd_eq(0.0) & origin[2].simd_eq(0.0));
        let is_inside = mask32x8::splat(simd, side == HitSide::Far) | (is_offset & b.simd_lt(depth));
        let side = is_inside.select(splat(-1.0), splat(1.0));
        let reach = radius * side;
        let normal = [
            -(f[0] * side + depth * d[0]) * inverse_radius,
            -(f[1] * side + depth * d[1]) * inverse_radius,
            -(f[2] * side + depth * d[2]) * inverse_radius,
        ];
        let point = [center[0] + normal[0] * reach, center[1] + normal[1] * reach, center[2] + normal[2] * reach];
        Surface8 { point, normal, cosine: depth * inverse_radius, is_inside }
    }

    fn silhouette(&self) -> impl Silhouette {
        let Self { center, radius } = *self;
        Rod { start: center, end: center, radii: [radius; 2], is_flat: [false; 2] }
    }
}

impl Projected for Sphere<3> {
    #[inline(always)]
    fn bounds8<S: Simd>(simd: S, projector: &SphereProjector, spheres: &[Self]) -> ScreenBounds {
        let mut group = Sphere8::EMPTY;
        for (lane, Sphere { center, radius }) in spheres.iter().enumerate() {
            group.set(lane, *center, *radius);
        }
        projector.bounds(simd, &group)
    }
}

/// How eight rays pass a sphere.
#[derive(Clone, Copy)]
pub(crate) struct Approach<S: Simd> {
    /// Distance along the ray to the point nearest the centre.
    along: f32x8<S>,
    /// r² − |f|²: negative where the ray's line misses.
    discriminant: f32x8<S>,
}

impl SphereTarget {
    #[expect(clippy::cast_possible_truncation, reason = "rounded once from f64 on purpose")]
    #[inline(always)]
    fn new(sphere: Sphere<3>) -> Self {
        let unit = unit_of(sphere.size());
        let [x, y, z] = sphere.center;
        let [x, y, z] = [x / unit, y / unit, z / unit];
        let r = sphere.radius / unit;
        Self {
            center: [x, y, z],
            radius_squared: r * r,
            power: (square(x) + square(y) + square(z) - square(r)) as f32,
            inverse_radius: 1.0 / r.max(f32::MIN_POSITIVE),
            unit,
        }
    }

    /// Whether the origin is inside, so that the far side is visible.
    #[inline(always)]
    fn surrounds_origin(&self) -> bool {
        self.power < 0.0
    }
}

impl Target for SphereTarget {
    type Approach<S: Simd> = Approach<S>;

    const NONE: Self = Self { center: [f32::NAN; 3], radius_squared: 0.0, power: 0.0, inverse_radius: 0.0, unit: 1.0 };

    #[inline(always)]
    fn approach<S: Simd>(&self, simd: S, d: Vec3x8<S>, origins: Option<Vec3x8<S>>) -> Approach<S> {
        let mut x = f32x8::splat(simd, self.center[0]);
        let mut y = f32x8::splat(simd, self.center[1]);
        let mut z = f32x8::splat(simd, self.center[2]);
        if let Some([ox, oy, oz]) = origins {
            let per_unit = 1.0 / self.unit;
            (x, y, z) = (x - ox * per_unit, y - oy * per_unit, z - oz * per_unit);
        }
        let along = dot3([x, y, z], d);
        let f = [x - along * d[0], y - along * d[1], z - along * d[2]];
        Approach { along, discriminant: f32x8::splat(simd, self.radius_squared) - dot3(f, f) }
    }

    #[inline(always)]
    fn meets<S: Simd>(approach: Approach<S>) -> mask32x8<S> {
        approach.discriminant.simd_ge(0.0)
    }

    #[inline(always)]
    fn nearest<S: Simd, const PARALLEL: bool>(&self, simd: S, approach: Approach<S>) -> Crossing<S> {
        let b = approach.along;
        let depth = approach.discriminant.sqrt();
        let distance = if PARALLEL {
            // origins differ, and so do their powers: the plain roots
            let enter = b - depth;
            enter.simd_ge(0.0).select(enter, b + depth)
        } else if self.surrounds_origin() {
            b.simd_ge(0.0).select(b + depth, f32x8::splat(simd, self.power) / (b - depth))
        } else {
            f32x8::splat(simd, self.power) / (b + depth)
        };
        Crossing { distance: distance * self.unit, cosine: depth * self.inverse_radius }
    }

    #[inline(always)]
    fn crossings<S: Simd>(&self, simd: S, approach: Approach<S>, is_parallel: bool) -> [f32x8<S>; 2] {
        let (b, depth) = (approach.along, approach.discriminant.sqrt());
        let power = f32x8::splat(simd, self.power);
        let [enter, exit] = if is_parallel {
            [b - depth, b + depth]
        } else if self.surrounds_origin() {
            let is_ahead = b.simd_ge(0.0);
            [is_ahead.select(power / (b + depth), b - depth), is_ahead.select(b + depth, power / (b - depth))]
        } else {
            [power / (b + depth), b + depth]
        };
        [enter * self.unit, exit * self.unit]
    }

    /// The same at both crossings.
    #[inline(always)]
    fn cosines<S: Simd>(&self, approach: Approach<S>) -> [f32x8<S>; 2] {
        [approach.discriminant.sqrt() * self.inverse_radius; 2]
    }

    #[inline(always)]
    fn depth_at<S: Simd>(&self, simd: S, approach: Approach<S>, distance: f32x8<S>) -> f32x8<S> {
        let along = distance * (1.0 / self.unit) - approach.along;
        negative_depth(simd, along * along - approach.discriminant, self.unit)
    }

    /// The surface point of a ray known to hit the sphere; `origin` is 0 except for parallel rays.
    ///
    /// −(f + √disc·d) / r is the normal at the entry, and the point is the centre plus or minus the radius along it:
    /// exact to ulps of the centre, however long the ray.
    #[inline(always)]
    fn surface(&self, origin: [f32; 3], d: [f32; 3], side: HitSide) -> Surface {
        let oc = sub(self.center, origin.map(|along| along * (1.0 / self.unit)));
        let (b, f) = along_and_across(oc, d);
        let depth = (self.radius_squared - dot(f, f)).max(0.0).sqrt();
        let is_near_inside = if origin == [0.0; 3] { self.surrounds_origin() } else { b < depth };
        let is_inside = side == HitSide::Far || is_near_inside;
        let radius = 1.0 / self.inverse_radius;
        let side = if is_inside { -1.0 } else { 1.0 };
        let normal: [f32; 3] = std::array::from_fn(|i| -(f[i] * side + depth * d[i]) * self.inverse_radius);
        let point = std::array::from_fn(|i| (self.center[i] + normal[i] * (radius * side)) * self.unit);
        Surface { point, normal, cosine: depth * self.inverse_radius, is_inside }
    }
}

/// Exact.
#[inline(always)]
fn square(value: f32) -> f64 {
    f64::from(value) * f64::from(value)
}

/// Spheres that cross a ray within its length, lane by lane: entered at a distance ≥ 0, or around the origin and left.
///
/// `spheres` is x, y, z and radius.
#[inline(always)]
pub(crate) fn crossed<S: Simd, V: SimdFloat<S, Element = f32>>(
    simd: S,
    [x, y, z, r]: [V; 4],
    rays: &RayLanes<V>,
) -> V::Mask {
    let [ox, oy, oz] = rays.origin;
    let [dx, dy, dz] = rays.direction;
    let (x, y, z) = (x - ox, y - oy, z - oz);
    let b = (x * dx + y * dy) + z * dz;
    let (fx, fy, fz) = (x - b * dx, y - b * dy, z - b * dz);
    let disc = r * r - ((fx * fx + fy * fy) + fz * fz);
    let zero = V::splat(simd, 0.0);
    let is_met = disc.simd_ge(zero);
    if !is_met.any_true() {
        return is_met;
    }
    let depth = disc.sqrt();
    let (enter, exit) = (b - depth, b + depth);
    let first = enter.simd_ge(zero).select(enter, exit);
    is_met & first.simd_ge(zero) & first.simd_le(rays.length)
}

/// Spheres that differ from `exclude`, lane by lane.
#[inline(always)]
pub(crate) fn differs<S: Simd, V: SimdFloat<S, Element = f32>>(
    simd: S,
    [xs, ys, zs, radii]: [V; 4],
    Exclude { sphere: Sphere { center: [x, y, z], radius } }: &Exclude,
) -> V::Mask {
    let equals = |numbers: V, number: f32| numbers.simd_eq(V::splat(simd, number));
    !(equals(xs, *x) & equals(ys, *y) & equals(zs, *z) & equals(radii, *radius))
}

/// Whether any of the spheres blocks a ray.
#[inline(always)]
pub(crate) fn any_blocks<S: Simd, V: SimdFloat<S, Element = f32>>(
    simd: S,
    spheres: [V; 4],
    rays: &RayLanes<V>,
) -> bool {
    let crossed = crossed(simd, spheres, rays);
    crossed.any_true() && (crossed & differs(simd, spheres, &rays.exclude)).any_true()
}

#[cfg(test)]
mod tests {
    use fearless_simd::{Level, dispatch};

    use super::*;
    use crate::geom::{self, Ray};
    use crate::lanes::norm;
    use crate::shapes::OcclusionRay;
    use crate::simd::levels;

    /// Spheres and unit rays of all kinds: from outside, from inside, past the sphere, away from it.
    fn cases() -> Vec<(Sphere<3>, [f32; 3], [f32; 3])> {
        let mut state = 1u32;
        let mut random = move || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / (1 << 24) as f32 * 2.0 - 1.0
        };
        let mut cases = Vec::new();
        for _ in 0..4000 {
            let center = [3.0 * random(), 3.0 * random(), 3.0 * random()];
            let radius = 0.05 + 2.0 * random().abs();
            let origin = [random(), random(), random()];
            let d = [random(), random(), random()];
            let length = norm(d);
            if length > 0.1 {
                cases.push((Sphere { center, radius }, origin, d.map(|v| v / length)));
            }
        }
        cases
    }

    /// The definition, and whether rounding may decide otherwise.
    fn defined(sphere: Sphere<3>, origin: [f32; 3], direction: [f32; 3]) -> (Option<f32>, bool) {
        let exact =
            geom::ray_sphere(&Ray { origin, direction }, &Sphere { center: sphere.center, radius: sphere.radius });
        let oc = sub(sphere.center, origin);
        let (_, f) = along_and_across(oc, direction);
        let is_near_tangency = (norm(f) - sphere.radius).abs() < 1e-4;
        let is_on_surface = (norm(oc) - sphere.radius).abs() < 1e-4;
        (exact.nearest(), is_near_tangency || is_on_surface)
    }

    #[test]
    fn target_finds_the_crossing_that_geom_defines() {
        for level in levels() {
            for (sphere, origin, direction) in cases() {
                let (wanted, is_close) = defined(sphere, origin, direction);
                if is_close {
                    continue;
                }
                let moved = Sphere { center: sub(sphere.center, origin), ..sphere };
                let found = |is_parallel: bool| {
                    dispatch!(level, simd => {
                        let d = direction.map(|v| f32x8::splat(simd, v));
                        let crossing = if is_parallel {
                            let target = SphereTarget::new(sphere);
                            let approach = target.approach(simd, d, Some(origin.map(|v| f32x8::splat(simd, v))));
                            target.nearest::<_, true>(simd, approach)
                        } else {
                            let target = SphereTarget::new(moved);
                            target.nearest::<_, false>(simd, target.approach(simd, d, None))
                        };
                        crossing.distance.to_array()[5]
                    })
                };
                for distance in [found(true), found(false)] {
                    match wanted {
                        Some(wanted) => {
                            assert!((distance - wanted).abs() < 1e-4 * (1.0 + wanted), "{sphere:?} {origin:?}")
                        }
                        None => assert!(distance.is_nan() || distance < 0.0, "{distance}: {sphere:?} {origin:?}"),
                    }
                }
            }
        }
    }

    #[test]
    fn any_blocks_says_what_geom_defines() {
        for level in levels() {
            for (sphere, origin, direction) in cases() {
                let (wanted, is_close) = defined(sphere, origin, direction);
                let length = 2.5;
                if is_close || wanted.is_some_and(|wanted| (wanted - length).abs() < 1e-4) {
                    continue;
                }
                let ray = OcclusionRay { origin, direction, begin: 0.0, length, exclude: Exclude::NONE };
                let is_blocked = |exclude: Exclude| {
                    dispatch!(level, simd => {
                        let rays = RayLanes::<f32x8<_>>::splat(simd, &OcclusionRay { exclude, ..ray });
                        let [x, y, z] = sphere.center.map(|v| f32x8::splat(simd, v));
                        any_blocks(simd, [x, y, z, f32x8::splat(simd, sphere.radius)], &rays)
                    })
                };
                assert_eq!(
                    is_blocked(Exclude::NONE),
                    wanted.is_some_and(|wanted| wanted < length),
                    "{sphere:?} {ray:?}"
                );
                assert!(!is_blocked(sphere.exclude()), "a ray does not meet the sphere it leaves");
            }
        }
    }

    #[test]
    fn surface8_is_surface_bit_for_bit() {
        let bits = |vector: [f32; 3]| vector.map(f32::to_bits);
        let compare = |level: Level| {
            let mut compared = 0;
            for (sphere, origin, direction) in cases() {
                let parallel = [[0.0; 3], origin];
                for origin in parallel {
                    let (wanted, _) = defined(sphere, origin, direction);
                    if wanted.is_none() || !sphere.has_plain_surface() {
                        continue;
                    }
                    let one = SphereTarget::new(sphere).surface(origin, direction, HitSide::Near);
                    dispatch!(level, simd => {
                        let splat = |vector: [f32; 3]| vector.map(|v| f32x8::splat(simd, v));
                        let eight = sphere.surface8(simd, splat(origin), splat(direction), HitSide::Near);
                        let lane = |vector: Vec3x8<_>| vector.map(|v| v.to_array()[3]);
                        assert_eq!(bits(lane(eight.point)), bits(one.point), "{sphere:?}");
                        assert_eq!(bits(lane(eight.normal)), bits(one.normal), "{sphere:?}");
                        assert_eq!(eight.cosine.to_array()[3].to_bits(), one.cosine.to_bits(), "{sphere:?}");
                        assert_eq!(eight.is_inside.to_bitmask() >> 3 & 1 == 1, one.is_inside, "{sphere:?}");
                    });
                    compared += 1;
                }
            }
            assert!(compared > 500, "{compared} say nothing");
        };
        levels().into_iter().for_each(compare);
    }
}
