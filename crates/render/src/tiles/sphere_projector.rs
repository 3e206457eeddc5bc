//! Projects spheres and other shapes to conservative pixel bounds and a least depth, eight at a time.
//!
//! The extent in x and in y comes from the tangents through the eye; a shape too near to the eye's plane gets the whole
//! picture. Bounds are widened by more than the tracer's own rounding error, so that rejecting a sphere never changes a
//! pixel.

use fearless_simd::{f32x8, mask32x8, prelude::*};

use super::Culling;
use super::shape_bounds::{InView, PictureInterval, supports};
use crate::lanes::{LANES, Sphere8, Vec3x8, dot3, dot3_with, point3, scale3, sub3};
use crate::scene::Rays;

/// The parameters of a view that bounds depend on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SphereProjector {
    rays: Rays,
    /// Pixels per slope (perspective) or per world unit (orthographic).
    scale: f32,
    /// Columns and rows of the picture.
    size: [f32; 2],
    /// Pixels around the picture that are drawn, too.
    margin: f32,
    /// First and one past the last drawn pixel, in x and y.
    limits: [[f32; 2]; 2],
    /// Least and greatest sub-pixel position of the samples.
    samples: [f32; 2],
    /// The frustum's sides in x and y: slope against the line of sight, and the secant of that angle.
    sides: [[f32; 2]; 2],
    culling: Culling,
}

/// Half-open ranges of pixels that eight spheres can touch, and the least depth of a hit. Pixels left of and above the
/// picture are negative.
///
/// `left` ≥ `right` for a sphere that touches no sample.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ScreenBounds {
    pub left: [f32; LANES],
    pub right: [f32; LANES],
    pub top: [f32; LANES],
    pub bottom: [f32; LANES],
    pub near: [f32; LANES],
}

/// bound: `settings_change_no_byte` in tests/pictures/trace.rs. The tracer's perpendicular remainder is off by a few
/// ulps of the distance d, which moves an outline by as many ulps of d²/w² in slope; the tangents in
/// [`SphereProjector::bounds`] are off by as many ulps of d²/(w² − r²). 64 ulps cover both.
const SLACK: f32 = 64.0 * f32::EPSILON;

impl SphereProjector {
    /// A projector for a picture of this size with `margin` pixels around it; `samples` is the range of sub-pixel
    /// positions.
    pub(crate) fn new(rays: &Rays, size: [u32; 2], margin: u32, samples: [f32; 2], culling: Culling) -> Self {
        let margin = margin as f32;
        let sides = rays.middle.map(|middle| {
            let slope = (middle + margin) * rays.step;
            [slope, (1.0 + slope * slope).sqrt()]
        });
        let (scale, size) = (1.0 / rays.step, size.map(|side| side as f32));
        let limits = size.map(|side| [-margin, side + margin]);
        Self { rays: *rays, scale, size, margin, limits, samples, sides, culling }
    }

    /// Restricts the projector to these rows of the picture, with the same margin around them.
    pub(crate) fn within_rows(mut self, [start, end]: [u32; 2]) -> Self {
        let [first, last] = self.limits[1];
        self.limits[1] = [first.max(start as f32 - self.margin), last.min(end as f32 + self.margin)];
        self
    }

    /// Columns and rows of the picture.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "sides of a picture are whole")]
    pub(crate) fn size(&self) -> [u32; 2] {
        self.size.map(|side| side as u32)
    }

    /// The pixels that eight spheres can touch.
    ///
    /// Source: M. Mara and M. McGuire, "2D Polyhedral Bounds of a Clipped, Perspective-Projected 3D Sphere", *JCGT*
    /// 2(2),
    /// 2013. We use the tangents in x and y only, and the whole picture for spheres near the eye.
    #[inline(always)]
    pub(crate) fn bounds<S: Simd>(&self, simd: S, spheres: &Sphere8) -> ScreenBounds {
        let (center, r) = spheres.load(simd);
        let [x, y, z] = center;
        let u = dot3_with(center, self.rays.right);
        let v = dot3_with(center, self.rays.up);
        let w = dot3_with(center, self.rays.forward);
        let squared = x * x + y * y + z * z;
        let extent = x.abs() + y.abs() + (z.abs() + r);
        let mut is_behind = (w + r + extent * SLACK).simd_lt(0.0);

        let (across, down, slack, is_regular, near);
        if self.rays.parallel {
            // the outline is the circle itself
            across = [u, r];
            down = [-v, r];
            slack = extent * SLACK;
            is_regular = extent.simd_lt(1e30);
            near = w - r - slack;
        } else {
            let power = w * w - r * r;
            let inverse = f32x8::splat(simd, 1.0) / power;
            // tangents of length √(u² + w² − r²) in the plane of x and depth; the same for y
            across = [u * w * inverse, r * (u * u + power).sqrt() * inverse];
            down = [-v * w * inverse, r * (v * v + power).sqrt() * inverse];
            slack = squared * inverse * SLACK;
            // far enough in front of the eye's plane for well-conditioned tangents, and squares in range
            is_regular = w.simd_gt(r * 1.05) & squared.simd_gt(1e-30) & squared.simd_lt(1e30);
            let distance = squared.sqrt();
            let gap = distance - r - (distance + r) * (8.0 * f32::EPSILON);
            near = is_regular.select(gap * (1.0 - 16.0 * f32::EPSILON), f32x8::splat(simd, 0.0));
            // outside one of the frustum's four sides: a sphere beside the eye has no tangents
            let [[slope_x, secant_x], [slope_y, secant_y]] = self.sides;
            let beside_x = u.abs() - w * slope_x - r * secant_x;
            let beside_y = v.abs() - w * slope_y - r * secant_y;
            is_behind = is_behind
                | beside_x.simd_gt(extent * (SLACK * (1.0 + secant_x)))
                | beside_y.simd_gt(extent * (SLACK * (1.0 + secant_y)));
        }
        let is_drawn = r.simd_gt(0.0) & extent.simd_le(f32::MAX);
        let (is_kept, is_regular, near) = if self.culling == Culling::On {
            (is_drawn & !is_behind, is_regular, near.max(0.0))
        } else {
            (is_drawn, is_regular & !is_regular, f32x8::splat(simd, 0.0))
        };
        // canvas positions have rounding errors of their own
        let slack = slack * self.scale + (1.0 / 256.0 + 4.0 * f32::EPSILON * self.size[0].max(self.size[1]));
        let [left, right] = self.pixels(across, slack, 0, [is_regular, is_kept]);
        let [top, bottom] = self.pixels(down, slack, 1, [is_regular, is_kept]);
        ScreenBounds { left, right, top, bottom, near: near.to_array() }
    }

    /// The pixels that the hulls of eight pairs of spheres can touch.
    #[inline(always)]
    pub(crate) fn hulls<S: Simd>(&self, simd: S, [one, other]: &[Sphere8; 2]) -> ScreenBounds {
        let view = self.in_view(simd, one, None).hull(self.in_view(simd, other, None));
        if self.rays.parallel {
            return self.screen_bounds(simd, view);
        }
        // the point nearest to the eye may be between the centres
        let ((from, r), (to, s)) = (one.load(simd), other.load(simd));
        let along = sub3(to, from);
        let place = -dot3(from, along) / dot3(along, along).max(f32::MIN_POSITIVE);
        let place = place.max(0.0).min(1.0);
        let nearest = point3(from, along, place);
        let (distance, radius) = (dot3(nearest, nearest).sqrt(), r.max(s));
        let size = dot3(from, from).sqrt().max(dot3(to, to).sqrt()) + radius;
        let gap = distance - radius - size * (16.0 * f32::EPSILON);
        let near = view.is_regular.select(gap, f32x8::splat(simd, 0.0));
        self.screen_bounds(simd, InView { near, ..view })
    }

    /// The pixels that eight ellipsoids with these bounding spheres and half axes can touch.
    #[inline(always)]
    pub(crate) fn ellipsoids<S: Simd>(&self, simd: S, around: &Sphere8, axes: &[Vec3x8<S>; 3]) -> ScreenBounds {
        self.screen_bounds(simd, self.in_view(simd, around, Some(axes)))
    }

    /// View-space bounds of eight spheres, or of the ellipsoids in them with these half axes, computed as in
    /// [`Self::bounds`].
    #[inline(always)]
    fn in_view<S: Simd>(&self, simd: S, spheres: &Sphere8, axes: Option<&[Vec3x8<S>; 3]>) -> InView<S> {
        let Rays { right, up, forward, parallel, .. } = self.rays;
        let (center, r) = spheres.load(simd);
        let [x, y, z] = center;
        let (u, v, w) = (dot3_with(center, right), dot3_with(center, up), dot3_with(center, forward));
        let squared = x * x + y * y + z * z;
        let extent = x.abs() + y.abs() + (z.abs() + r);
        let behind = (w + r + extent * SLACK).simd_lt(0.0);
        let never = behind & !behind;
        let is_drawn = r.simd_ge(0.0) & extent.simd_le(f32::MAX);
        if parallel {
            let support = SquaredSupport { axes, forward, radius: r, scale: f32x8::splat(simd, 1.0) };
            let (px, py) = (support.along(right), support.along(up));
            let slack = extent * SLACK;
            let (wide, tall) = (px[0].sqrt(), py[0].sqrt());
            let across = PictureInterval { low: u - wide, high: u + wide, slack };
            let down = PictureInterval { low: -v - tall, high: tall - v, slack };
            let (near, is_regular) = (w - r - slack, extent.simd_gt(1e-15) & extent.simd_lt(1e15));
            return InView { across, down, near, is_regular, is_drawn, outside: [behind, never, never, never, never] };
        }
        // in units of the depth: supports are products of four lengths, which would leave the range before squares do
        let scale = f32x8::splat(simd, 1.0) / w;
        let support = SquaredSupport { axes, forward, radius: r, scale };
        let (px, py) = (support.along(right), support.along(up));
        let inverse = f32x8::splat(simd, 1.0) / (f32x8::splat(simd, 1.0) - px[1]);
        let slack = squared / (w * w - r * r) * SLACK;
        let across = support.slopes([u * scale, inverse], right, px);
        let down = support.slopes([v * scale, inverse], up, py);
        let is_regular = w.simd_gt(r * 1.05) & squared.simd_gt(1e-30) & squared.simd_lt(1e30);
        let distance = squared.sqrt();
        let gap = distance - r - (distance + r) * (8.0 * f32::EPSILON);
        let near = is_regular.select(gap * (1.0 - 16.0 * f32::EPSILON), f32x8::splat(simd, 0.0));
        let [[slope_x, secant_x], [slope_y, secant_y]] = self.sides;
        InView {
            across: PictureInterval { low: across.0 - across.1, high: across.0 + across.1, slack },
            down: PictureInterval { low: -down.0 - down.1, high: down.1 - down.0, slack },
            near,
            is_regular,
            is_drawn,
            outside: [
                behind,
                beyond(-u - w * slope_x - r * secant_x, extent, secant_x),
                beyond(u - w * slope_x - r * secant_x, extent, secant_x),
                beyond(v - w * slope_y - r * secant_y, extent, secant_y),
                beyond(-v - w * slope_y - r * secant_y, extent, secant_y),
            ],
        }
    }

    /// Converts view-space bounds to pixels.
    #[inline(always)]
    fn screen_bounds<S: Simd>(&self, simd: S, view: InView<S>) -> ScreenBounds {
        let InView { across, down, near, is_regular, is_drawn, outside } = view;
        let is_outside = outside[0] | outside[1] | outside[2] | outside[3] | outside[4];
        let (is_kept, is_regular, near) = if self.culling == Culling::On {
            (is_drawn & !is_outside, is_regular, near.max(0.0))
        } else {
            (is_drawn, is_regular & !is_regular, f32x8::splat(simd, 0.0))
        };
        let ([left, right], [top, bottom]) =
            (self.pixels_of(across, 0, [is_regular, is_kept]), self.pixels_of(down, 1, [is_regular, is_kept]));
        ScreenBounds { left, right, top, bottom, near: near.to_array() }
    }

    /// First and one past the last pixel of an interval.
    #[inline(always)]
    fn pixels_of<S: Simd>(
        &self,
        extent: PictureInterval<S>,
        axis: usize,
        masks: [mask32x8<S>; 2],
    ) -> [[f32; LANES]; 2] {
        let rounding = 1.0 / 256.0 + 4.0 * f32::EPSILON * self.size[0].max(self.size[1]);
        let (middle, half) = ((extent.low + extent.high) * 0.5, (extent.high - extent.low) * 0.5);
        self.pixels([middle, half * (1.0 + SLACK)], extent.slack * self.scale + rounding, axis, masks)
    }

    /// First and one past the last pixel of an interval given by its centre and half its length in slopes.
    #[inline(always)]
    fn pixels<S: Simd>(
        &self,
        [middle, half]: [f32x8<S>; 2],
        slack: f32x8<S>,
        axis: usize,
        [is_regular, is_kept]: [mask32x8<S>; 2],
    ) -> [[f32; LANES]; 2] {
        let simd = middle.token();
        let [start, side] = self.limits[axis].map(|limit| f32x8::splat(simd, limit));
        let middle = middle * self.scale + self.rays.middle[axis];
        let half = half * self.scale + slack;
        let low = (middle - half - self.samples[1]).ceil().max(start).min(side);
        let high = ((middle + half - self.samples[0]).floor() + 1.0).max(start).min(side);
        let low = is_regular.select(low, start);
        let high = is_kept.select(is_regular.select(high, side), start);
        [low.to_array(), high.to_array()]
    }
}

/// Squared supports of spheres, or of ellipsoids with these half axes, all scaled.
#[derive(Clone, Copy)]
struct SquaredSupport<'a, S: Simd> {
    axes: Option<&'a [Vec3x8<S>; 3]>,
    forward: [f32; 3],
    radius: f32x8<S>,
    scale: f32x8<S>,
}

impl<S: Simd> SquaredSupport<'_, S> {
    /// The squared support along an axis of the picture, the one along the line of sight, and the mixed product.
    #[inline(always)]
    fn along(&self, axis: [f32; 3]) -> [f32x8<S>; 3] {
        match self.axes {
            Some(axes) => {
                let [a, b, c] = axes;
                let axes = [scale3(*a, self.scale), scale3(*b, self.scale), scale3(*c, self.scale)];
                [
                    supports(&axes, axis, axis),
                    supports(&axes, self.forward, self.forward),
                    supports(&axes, axis, self.forward),
                ]
            }
            None => {
                let radius = self.radius * self.scale;
                [radius * radius, radius * radius, f32x8::splat(radius.token(), 0.0)]
            }
        }
    }

    /// The slopes s with (u − s)² = the squared support along the axis − s·forward, at a depth of 1: their middle, and
    /// how far they are from it.
    #[inline(always)]
    fn slopes(
        &self,
        [u, inverse]: [f32x8<S>; 2],
        axis: [f32; 3],
        [own, depth, mixed]: [f32x8<S>; 3],
    ) -> (f32x8<S>, f32x8<S>) {
        // the support along axis − u·forward, as a sum of squares
        let turned = match self.axes {
            Some(axes) => {
                let a = (dot3_with(axes[0], axis) - dot3_with(axes[0], self.forward) * u) * self.scale;
                let b = (dot3_with(axes[1], axis) - dot3_with(axes[1], self.forward) * u) * self.scale;
                let c = (dot3_with(axes[2], axis) - dot3_with(axes[2], self.forward) * u) * self.scale;
                (a * a + b * b) + c * c
            }
            None => own * (u * u + 1.0),
        };
        let half = (turned - (own * depth - mixed * mixed)).max(0.0).sqrt();
        ((u - mixed) * inverse, half * inverse)
    }
}

/// Whether spheres lie this far outside of a plane through the eye, by more than rounding.
#[inline(always)]
fn beyond<S: Simd>(gap: f32x8<S>, extent: f32x8<S>, secant: f32) -> mask32x8<S> {
    gap.simd_gt(extent * (SLACK * (1.0 + secant)))
}
