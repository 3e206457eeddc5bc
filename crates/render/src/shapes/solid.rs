//! Convex solids, which a ray crosses in one interval: all queries follow from its two ends and the normals there.

use fearless_simd::{Level, dispatch, f32x8, mask32x8, prelude::*, u32x8};

use super::{Crossing, HitSide, Surface, Surface8, Target};
use crate::lanes::{Vec3x8, dot3, point3, scale3, select3, splat3};

/// A convex solid prepared for rays that share an origin.
pub(crate) trait Solid: Copy + PartialEq {
    /// No solid: not equal to any.
    const NOTHING: Self;

    /// The power of two that lengths are divided by: 1 unless their squares would leave the range of `f32`.
    fn unit(&self) -> f32;

    /// The intervals of eight lines inside the solid, in units; `origin` is relative to the common origin.
    fn span<S: Simd>(&self, simd: S, origin: Vec3x8<S>, direction: Vec3x8<S>) -> Span<S>;

    /// Outward unit normals at the entry, or with `is_exit` at the exit, of eight lines that meet the solid.
    fn normals<S: Simd>(&self, simd: S, origin: Vec3x8<S>, direction: Vec3x8<S>, is_exit: mask32x8<S>) -> Vec3x8<S>;

    /// Signed squared depth of eight points, in units: negative inside, with its minimum in the middle.
    fn power<S: Simd>(&self, simd: S, point: Vec3x8<S>) -> f32x8<S>;

    /// Which piece of the primitive eight points of its surface lie on: an offset from its first index.
    #[inline(always)]
    fn pieces<S: Simd>(&self, simd: S, _: Vec3x8<S>) -> u32x8<S> {
        u32x8::splat(simd, 0)
    }

    /// Where eight lines pass between the pieces, in units; unspecified for a single piece.
    #[inline(always)]
    fn seam<S: Simd>(&self, simd: S, _: Vec3x8<S>, _: Vec3x8<S>) -> f32x8<S> {
        f32x8::splat(simd, 0.0)
    }
}

/// The intervals of eight lines inside a solid; an empty one ends before it begins.
#[derive(Clone, Copy)]
pub(crate) struct Span<S: Simd> {
    pub enter: f32x8<S>,
    pub exit: f32x8<S>,
}

impl<S: Simd> Span<S> {
    /// Empties the intervals where `is_met` is false.
    #[inline(always)]
    pub(super) fn only(self, simd: S, is_met: mask32x8<S>) -> Self {
        let splat = |number| f32x8::splat(simd, number);
        Self {
            enter: is_met.select(self.enter, splat(f32::INFINITY)),
            exit: is_met.select(self.exit, splat(f32::NEG_INFINITY)),
        }
    }

    /// The intersection of two intervals.
    #[inline(always)]
    pub(super) fn both(self, other: Self) -> Self {
        Self { enter: self.enter.max(other.enter), exit: self.exit.min(other.exit) }
    }

    /// The least interval that holds both; one of them may be empty.
    #[inline(always)]
    pub(super) fn either(self, other: Self) -> Self {
        Self { enter: self.enter.min(other.enter), exit: self.exit.max(other.exit) }
    }

    /// The interval between two parallel planes at these positions: `offset` is the position of the origins, and `slope`
    /// its growth along the ray.
    #[inline(always)]
    pub(super) fn slab(simd: S, offset: f32x8<S>, slope: f32x8<S>, [first, last]: [f32; 2]) -> Self {
        let (zero, begin, end) = (f32x8::splat(simd, 0.0), f32x8::splat(simd, first), f32x8::splat(simd, last));
        let is_level = slope.simd_eq(zero);
        let divisor = is_level.select(f32x8::splat(simd, 1.0), slope);
        let (first, last) = ((begin - offset) / divisor, (end - offset) / divisor);
        let infinite = f32x8::splat(simd, f32::INFINITY);
        let span = Self {
            enter: is_level.select(zero - infinite, first.min(last)),
            exit: is_level.select(infinite, first.max(last)),
        };
        span.only(simd, !is_level | (offset.simd_ge(begin) & offset.simd_le(end)))
    }
}

/// How eight rays pass a solid.
#[derive(Clone, Copy)]
pub(crate) struct SolidApproach<S: Simd> {
    origin: Vec3x8<S>,
    direction: Vec3x8<S>,
    span: Span<S>,
}

impl<T: Solid> Target for T {
    type Approach<S: Simd> = SolidApproach<S>;

    const NONE: Self = T::NOTHING;

    #[inline(always)]
    fn approach<S: Simd>(&self, simd: S, direction: Vec3x8<S>, origins: Option<Vec3x8<S>>) -> SolidApproach<S> {
        let origin = match origins {
            None => splat3(simd, [0.0; 3]),
            Some(origin) => scale3(origin, f32x8::splat(simd, 1.0 / self.unit())),
        };
        SolidApproach { origin, direction, span: self.span(simd, origin, direction) }
    }

    #[inline(always)]
    fn meets<S: Simd>(approach: SolidApproach<S>) -> mask32x8<S> {
        approach.span.enter.simd_le(approach.span.exit) & approach.span.exit.simd_ge(0.0)
    }

    #[inline(always)]
    fn nearest<S: Simd, const PARALLEL: bool>(&self, simd: S, approach: SolidApproach<S>) -> Crossing<S> {
        let SolidApproach { origin, direction, span } = approach;
        let is_exit = !span.enter.simd_ge(0.0);
        let distance = Self::meets(approach).select(is_exit.select(span.exit, span.enter), f32x8::splat(simd, -1.0));
        let normal = self.normals(simd, origin, direction, is_exit);
        let unit = f32x8::splat(simd, self.unit());
        Crossing { distance: distance * unit, cosine: dot3(normal, direction).abs() }
    }

    #[inline(always)]
    fn crossings<S: Simd>(&self, simd: S, approach: SolidApproach<S>, _: bool) -> [f32x8<S>; 2] {
        let Span { enter, exit } = approach.span;
        let is_met = enter.simd_le(exit);
        let (unit, none) = (self.unit(), f32x8::splat(simd, f32::NAN));
        [is_met.select(enter * unit, none), is_met.select(exit * unit, none)]
    }

    #[inline(always)]
    fn cosines<S: Simd>(&self, approach: SolidApproach<S>) -> [f32x8<S>; 2] {
        let SolidApproach { origin, direction, span } = approach;
        let simd = span.enter.token();
        let [enter, exit] = [mask32x8::splat(simd, false), mask32x8::splat(simd, true)];
        [
            dot3(self.normals(simd, origin, direction, enter), direction).abs(),
            dot3(self.normals(simd, origin, direction, exit), direction).abs(),
        ]
    }

    #[inline(always)]
    fn depth_at<S: Simd>(&self, simd: S, approach: SolidApproach<S>, distance: f32x8<S>) -> f32x8<S> {
        let along = distance * (1.0 / self.unit());
        let SolidApproach { origin, direction, .. } = approach;
        negative_depth(simd, self.power(simd, point3(origin, direction, along)), self.unit())
    }

    #[inline(always)]
    fn owners<S: Simd>(&self, simd: S, index: u32, approach: SolidApproach<S>, distance: f32x8<S>) -> u32x8<S> {
        let along = distance * (1.0 / self.unit());
        let SolidApproach { origin, direction, .. } = approach;
        let point = point3(origin, direction, along);
        self.pieces(simd, point) + u32x8::splat(simd, index)
    }

    #[inline(always)]
    fn seam<S: Simd>(&self, simd: S, approach: SolidApproach<S>) -> f32x8<S> {
        Solid::seam(self, simd, approach.origin, approach.direction) * self.unit()
    }

    fn surface(&self, origin: [f32; 3], direction: [f32; 3], side: HitSide) -> Surface {
        // the lanes' own arithmetic, so that no second copy of it can drift
        dispatch!(Level::baseline(), simd => {
            let found = surface8(simd, self, splat3(simd, origin), splat3(simd, direction), side);
            let first = |rows: Vec3x8<_>| rows.map(|row| row.to_array()[0]);
            Surface {
                point: first(found.point),
                normal: first(found.normal),
                cosine: found.cosine.to_array()[0],
                is_inside: found.is_inside.to_bitmask() & 1 == 1,
            }
        })
    }
}

/// The surface points of eight rays that hit a solid.
#[inline(always)]
pub(super) fn surface8<S: Simd>(
    simd: S,
    solid: &impl Solid,
    origin: Vec3x8<S>,
    direction: Vec3x8<S>,
    side: HitSide,
) -> Surface8<S> {
    let unit = solid.unit();
    let from = scale3(origin, f32x8::splat(simd, 1.0 / unit));
    let Span { enter, exit } = solid.span(simd, from, direction);
    let is_inside = mask32x8::splat(simd, side == HitSide::Far) | !enter.simd_ge(0.0);
    let distance = is_inside.select(exit, enter) * unit;
    let outward = solid.normals(simd, from, direction, is_inside);
    let normal = select3(is_inside, [-outward[0], -outward[1], -outward[2]], outward);
    let point = point3(origin, direction, distance);
    Surface8 { point, normal, cosine: dot3(outward, direction).abs(), is_inside }
}

/// −√(−power) · unit, and less than 0 where that rounds to 0 or the power is positive.
#[inline(always)]
pub(super) fn negative_depth<S: Simd>(simd: S, power: f32x8<S>, unit: f32) -> f32x8<S> {
    ((-power).max(0.0).sqrt() * -unit).min(f32x8::splat(simd, -f32::MIN_POSITIVE))
}

/// Whether squares of lengths up to `size` stay in the range of `f32`.
#[inline(always)]
pub(super) fn squares_fit(size: f32) -> bool {
    size > 1e-12 && size < 1e18
}

/// The divisor for lengths up to `size`, a power of two: 1 unless their squares would leave the range of `f32`.
#[inline(always)]
pub(super) fn unit_of(size: f32) -> f32 {
    if squares_fit(size) { 1.0 } else { power_of_two(size) }
}

/// The greatest power of two up to `size`.
#[inline(always)]
pub(super) fn power_of_two(size: f32) -> f32 {
    f32::from_bits(size.to_bits() & 0x7f80_0000).max(f32::MIN_POSITIVE)
}

/// Cross product, lane by lane.
#[inline(always)]
pub(super) fn cross3<S: Simd>(a: Vec3x8<S>, b: Vec3x8<S>) -> Vec3x8<S> {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Per lane, `one` where the condition holds, else `other`.
#[inline(always)]
pub(super) fn either<S: Simd>(condition: mask32x8<S>, one: mask32x8<S>, other: mask32x8<S>) -> mask32x8<S> {
    (condition & one) | (!condition & other)
}
