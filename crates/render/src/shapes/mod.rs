//! Primitives that rays hit: intersection, surface, screen bounds and silhouette, one file per shape.
//!
//! A primitive is first turned into a [`Target`], prepared for rays that share an origin. Loops over primitives are
//! generic over [`Primitive`] and compiled per kind: a tile's list holds one kind. Only this file names the kinds:
//! `trace` dispatches through [`PlacedShape::visit`] and [`PlacedShapes::visit_lists`].

mod cone;
mod cylinder;
mod ellipsoid;
mod rod;
mod solid;
mod sphere;
mod vast_sphere;

use fearless_simd::{f32x8, mask32x8, prelude::*, u32x8};

pub(crate) use sphere::{any_blocks, crossed, differs};
pub(crate) use vast_sphere::VastSphere;

use crate::geom::{Cone, Cylinder, Sphere, TurnedEllipsoid};
use crate::lanes::{Vec3x8, splat3};
use crate::scene::{Placeable, PlacedList, PlacedShape, PlacedShapes};
use crate::tiles::shape_bounds::Projected;

/// A shape relative to the eye.
pub(crate) trait Primitive: Projected {
    type Target: Target;

    /// The primitive prepared for rays that share an origin.
    fn target(self) -> Self::Target;

    /// The primitive that rays leaving this one ignore. By default none: they start a little above its surface.
    #[inline(always)]
    fn exclude(self) -> Exclude {
        Exclude::NONE
    }

    /// The greatest depth: the minimum of [`Target::depth_at`] is −`thickness`.
    fn thickness(self) -> f32;

    /// Whether [`Primitive::surface8`] applies.
    #[inline(always)]
    fn has_plain_surface(self) -> bool {
        true
    }

    /// [`Target::surface`] of eight rays, bit for bit, for a primitive that [has a plain
    /// surface](Self::has_plain_surface).
    fn surface8<S: Simd>(self, simd: S, origin: Vec3x8<S>, direction: Vec3x8<S>, side: HitSide) -> Surface8<S>;

    fn silhouette(&self) -> impl Silhouette;
}

/// How rays pass a primitive's silhouette, for outlines.
pub(crate) trait Silhouette {
    fn passed(&self, origin: [f32; 3], direction: [f32; 3]) -> Passed;

    /// The point of the silhouette nearest to a ray.
    fn nearest_point(&self, origin: [f32; 3], direction: [f32; 3]) -> [f32; 3];

    /// The signed distance of a point from the surface, negative inside, and the direction in which it grows.
    fn distance(&self, point: [f32; 3]) -> (f32, [f32; 3]);
}

/// How a ray passes a primitive.
pub(crate) struct Passed {
    /// Distance along the ray.
    pub along: f32,
    /// Signed distance to the surface, negative inside.
    pub gap: f32,
    /// From the ray to the primitive, of any length.
    pub across: [f32; 3],
}

/// Work on one shape other than a sphere, compiled for each kind.
pub(crate) trait ShapeVisitor {
    type Output;

    fn visit<P: Primitive>(self, shape: P) -> Self::Output;
}

/// Passes a shape to the visitor of its kind.
#[inline(always)]
pub(crate) fn visit_shape<V: ShapeVisitor>(shape: PlacedShape, visitor: V) -> V::Output {
    match shape {
        PlacedShape::Cylinder(shape) => visitor.visit(shape),
        PlacedShape::Ellipsoid(shape) => visitor.visit(shape),
        PlacedShape::Cone(shape) => visitor.visit(shape),
    }
}

/// Work on the shapes of every kind, one kind after the other, compiled for each.
pub(crate) trait ListVisitor {
    fn visit<T: Placeable<Solid: Primitive>>(&mut self, list: &PlacedList<'_, T>);
}

/// Visits the kinds in the order of their indices.
#[inline(always)]
pub(crate) fn visit_lists(shapes: &PlacedShapes<'_>, visitor: &mut impl ListVisitor) {
    visitor.visit(&shapes.cylinders);
    visitor.visit(&shapes.ellipsoids);
    visitor.visit(&shapes.cones);
}

/// A primitive prepared for rays that share an origin.
pub(crate) trait Target: Copy + PartialEq {
    /// How eight rays pass the primitive.
    type Approach<S: Simd>: Copy;

    /// No primitive: not equal to any, itself included.
    const NONE: Self;

    /// How eight rays pass the primitive; `origins` of parallel rays are relative to the common origin.
    fn approach<S: Simd>(&self, simd: S, direction: Vec3x8<S>, origins: Option<Vec3x8<S>>) -> Self::Approach<S>;

    /// Whether each of the eight lines meets the primitive.
    fn meets<S: Simd>(approach: Self::Approach<S>) -> mask32x8<S>;

    /// The nearest crossings at distance ≥ 0.
    fn nearest<S: Simd, const PARALLEL: bool>(&self, simd: S, approach: Self::Approach<S>) -> Crossing<S>;

    /// Signed distances where eight rays enter and leave the primitive; NaN where they miss.
    fn crossings<S: Simd>(&self, simd: S, approach: Self::Approach<S>, is_parallel: bool) -> [f32x8<S>; 2];

    /// Cosines between ray and normal at the entry and at the exit.
    fn cosines<S: Simd>(&self, approach: Self::Approach<S>) -> [f32x8<S>; 2];

    /// Negative depth inside the primitive at these distances along eight rays: −√(r² − |p − c|²) for a sphere, in
    /// world units. Always below 0, with its minimum at the deepest point, comparable among primitives of a kind.
    fn depth_at<S: Simd>(&self, simd: S, approach: Self::Approach<S>, distance: f32x8<S>) -> f32x8<S>;

    /// The primitive's index at these distances along eight rays; a primitive may have several, from `index` on.
    #[inline(always)]
    fn owners<S: Simd>(&self, simd: S, index: u32, _: Self::Approach<S>, _: f32x8<S>) -> u32x8<S> {
        u32x8::splat(simd, index)
    }

    /// Where eight rays pass from the first of the primitive's indices to the next, or back; unspecified where it has
    /// one.
    #[inline(always)]
    fn seam<S: Simd>(&self, simd: S, _: Self::Approach<S>) -> f32x8<S> {
        f32x8::splat(simd, 0.0)
    }

    /// The surface point of a ray known to hit the primitive; `origin` is 0 except for parallel rays.
    fn surface(&self, origin: [f32; 3], direction: [f32; 3], side: HitSide) -> Surface;
}

/// A shape other than a sphere, prepared for rays that share an origin.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SolidTarget {
    Cylinder(<Cylinder as Primitive>::Target),
    Ellipsoid(<TurnedEllipsoid as Primitive>::Target),
    Cone(<Cone as Primitive>::Target),
}

impl SolidTarget {
    pub(crate) fn new(shape: PlacedShape) -> Self {
        match shape {
            PlacedShape::Cylinder(shape) => Self::Cylinder(shape.target()),
            PlacedShape::Ellipsoid(shape) => Self::Ellipsoid(shape.target()),
            PlacedShape::Cone(shape) => Self::Cone(shape.target()),
        }
    }

    /// Signed distances where eight rays from this origin enter and leave the shape; NaN where they miss.
    #[inline(always)]
    pub(crate) fn crossings8<S: Simd>(&self, simd: S, origin: Vec3x8<S>, direction: Vec3x8<S>) -> [f32x8<S>; 2] {
        match self {
            Self::Cylinder(target) => crossings_of(simd, target, origin, direction),
            Self::Ellipsoid(target) => crossings_of(simd, target, origin, direction),
            Self::Cone(target) => crossings_of(simd, target, origin, direction),
        }
    }
}

#[inline(always)]
fn crossings_of<S: Simd, T: Target>(simd: S, target: &T, origin: Vec3x8<S>, direction: Vec3x8<S>) -> [f32x8<S>; 2] {
    target.crossings(simd, target.approach(simd, direction, Some(origin)), true)
}

/// The nearest crossings of eight rays.
#[derive(Clone, Copy)]
pub(crate) struct Crossing<S: Simd> {
    /// World units; NaN or negative where there is no crossing.
    pub distance: f32x8<S>,
    /// Cosine between ray and normal.
    pub cosine: f32x8<S>,
}

/// How one ray, in every lane, passes a primitive, with its entry and its exit; both are NaN if it misses.
#[inline(always)]
pub(crate) fn pass_of<S: Simd, T: Target>(
    simd: S,
    target: &T,
    origin: [f32; 3],
    direction: [f32; 3],
) -> (T::Approach<S>, [f32; 2]) {
    let approach = target.approach(simd, splat3(simd, direction), Some(splat3(simd, origin)));
    let [enter, exit] = target.crossings(simd, approach, true);
    (approach, [enter.to_array()[0], exit.to_array()[0]])
}

/// The stretches of a ray inside the two halves of a primitive that it enters and leaves at these distances, by the
/// index of the half; NaN where it misses one. A primitive with one index is its first half.
#[inline(always)]
pub(crate) fn stretches_by_half<S: Simd, T: Target>(
    simd: S,
    target: &T,
    approach: T::Approach<S>,
    [enter, exit]: [f32; 2],
) -> [[f32; 2]; 2] {
    let first = target.owners(simd, 0, approach, f32x8::splat(simd, enter)).to_array()[0];
    let last = target.owners(simd, 0, approach, f32x8::splat(simd, exit)).to_array()[0];
    let missed = [f32::NAN; 2];
    match [first, last] {
        [0, 0] => [[enter, exit], missed],
        [first, last] if first == last => [missed, [enter, exit]],
        [first, _] => {
            let seam = target.seam(simd, approach).to_array()[0].max(enter).min(exit);
            let [near, far] = [[enter, seam], [seam, exit]];
            if first == 0 { [near, far] } else { [far, near] }
        }
    }
}

/// Distances to primitives of different kinds that differ by less than this share are equal: a bound on their rounding
/// errors, except within 1/40 of a pixel of the silhouette of a shape some 100 pixels across.
pub(crate) const TIE: f32 = 64.0 * f32::EPSILON;

/// Whether a crossing at `distance` replaces the hit so far: nearer, or as near with a lower index. NaN never does.
#[inline(always)]
pub(crate) fn is_nearer<S: Simd>(distance: f32x8<S>, so_far: f32x8<S>, has_lower_index: mask32x8<S>) -> mask32x8<S> {
    distance.simd_ge(0.0) & (distance.simd_lt(so_far) | (distance.simd_eq(so_far) & has_lower_index))
}

/// The side of a primitive that a ray hits: its entry, or its exit if the ray begins inside (`Near`); always its exit
/// (`Far`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HitSide {
    Near,
    Far,
}

/// A surface point, relative to the eye, with the normal that faces the eye.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Surface {
    pub point: [f32; 3],
    pub normal: [f32; 3],
    /// Cosine between normal and ray.
    pub cosine: f32,
    /// Whether the primitive is seen from inside.
    pub is_inside: bool,
}

/// Eight surface points.
pub(crate) struct Surface8<S: Simd> {
    pub point: Vec3x8<S>,
    pub normal: Vec3x8<S>,
    pub cosine: f32x8<S>,
    pub is_inside: mask32x8<S>,
}

/// The primitive that a ray leaves: neither it nor a coincident copy blocks the ray.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Exclude {
    pub sphere: Sphere<3>,
}

impl Exclude {
    pub(crate) const NONE: Self = Self { sphere: Sphere::EMPTY };
}

/// A shadow or occlusion ray, which asks only whether anything is in its way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OcclusionRay {
    /// Relative to the eye.
    pub origin: [f32; 3],
    /// Of unit length.
    pub direction: [f32; 3],
    /// Primitives between these distances count.
    pub begin: f32,
    pub length: f32,
    pub exclude: Exclude,
}

/// One ray per lane, or the same ray in all.
pub(crate) struct RayLanes<V> {
    pub origin: [V; 3],
    pub direction: [V; 3],
    pub length: V,
    pub exclude: Exclude,
}

impl<V> RayLanes<V> {
    /// The same ray in every lane.
    #[inline(always)]
    pub(crate) fn splat<S: Simd>(simd: S, ray: &OcclusionRay) -> Self
    where
        V: SimdFloat<S, Element = f32>,
    {
        let splat = |[x, y, z]: [f32; 3]| [V::splat(simd, x), V::splat(simd, y), V::splat(simd, z)];
        let (origin, direction) = (splat(ray.origin), splat(ray.direction));
        Self { origin, direction, length: V::splat(simd, ray.length), exclude: ray.exclude }
    }
}
