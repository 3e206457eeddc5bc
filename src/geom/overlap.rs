//! Solid box against solid sphere: the published quick tests, one function each.
//!
//! All five give the same answer for the same input. It may be *yes* although the bodies are apart by a few ulps of
//! `f64` (a relative gap below 10⁻¹⁴ in up to ten dimensions), never *no* although they touch. They differ in how
//! early they say *no*. What must be decided exactly goes through [`box_sphere`](super::box_sphere).
//!
//! Inputs are widened to `f64`, where no square of an `f32` difference overflows or underflows.

use super::{Aabb, Sphere};

/// How far a sphere reaches, widened by what the sums below can round: with u = 2⁻⁵³ each squared gap carries at
/// most 3 u and their sum N − 1 more.
struct Reach {
    along_axis: f64,
    squared: f64,
}

impl Reach {
    #[inline]
    fn of<const N: usize>(sphere: &Sphere<N>) -> Self {
        let slack = slack::<N>();
        let radius = f64::from(sphere.radius);
        // a gap beyond `along_axis` has a square beyond `squared`, so an early no is never the only no
        Self { along_axis: radius * slack, squared: radius * radius * slack }
    }
}

#[inline]
fn slack<const N: usize>() -> f64 {
    1.0 + (N + 6) as f64 * f64::EPSILON
}

/// Reports whether the solid box and the solid sphere share at least one point: Arvo's test.
///
/// Any dimension, both in the same units; touching counts. Says *yes* to what touches, always, and to what is apart by
/// less than 10⁻¹⁴ of the radius, perhaps. An empty body overlaps nothing.
///
/// Source: J. Arvo, "A Simple Method for Box-Sphere Intersection Testing", *Graphics Gems*, 1990, fig. 1. Ours: the
/// slack, and the empty bodies.
///
/// ```
/// use roundel::geom::{Aabb, Circle, overlap};
///
/// let tile = Aabb { min: [0.0, 0.0], max: [16.0, 16.0] };
/// let coin = Circle { center: [19.0, 20.0], radius: 5.0 };
/// assert!(overlap::arvo(&tile, &coin), "3-4-5: the rim touches the tile's corner");
/// assert!(!overlap::arvo(&tile, &Circle { radius: 4.999, ..coin }));
/// ```
#[inline]
#[must_use]
pub fn arvo<const N: usize>(region: &Aabb<N>, sphere: &Sphere<N>) -> bool {
    if region.is_empty() || sphere.is_empty() {
        return false;
    }
    let mut gap_squared = 0.0;
    for axis in 0..N {
        let (min, max) = (f64::from(region.min[axis]), f64::from(region.max[axis]));
        let center = f64::from(sphere.center[axis]);
        if center < min {
            gap_squared += (min - center) * (min - center);
        } else if center > max {
            gap_squared += (center - max) * (center - max);
        }
    }
    gap_squared <= Reach::of(sphere).squared
}

/// Reports whether the solid box and the solid sphere share at least one point, giving up at the first axis along
/// which they are apart.
///
/// The answers of [`arvo`]; the fastest where most spheres are far off.
///
/// Source: T. Larsson, T. Akenine-Möller, E. Lengyel, "On Faster Sphere-Box Overlap Testing", *Journal of Graphics
/// Tools* 12(1), 2007, "quick rejections intertwined" (QRI). Ours: as for [`arvo`]; the text prints r_2 for r².
///
/// ```
/// use roundel::geom::{Aabb, Sphere, overlap};
///
/// let room = Aabb { min: [0.0; 3], max: [8.0; 3] };
/// // (1, 2, 2) from the corner: 3 away
/// let bulb = Sphere { center: [9.0, 10.0, 10.0], radius: 3.0 };
/// assert!(overlap::quick_interwoven(&room, &bulb));
/// assert!(!overlap::quick_interwoven(&room, &Sphere { radius: 2.999, ..bulb }));
/// ```
#[inline]
#[must_use]
pub fn quick_interwoven<const N: usize>(region: &Aabb<N>, sphere: &Sphere<N>) -> bool {
    if region.is_empty() || sphere.is_empty() {
        return false;
    }
    let reach = Reach::of(sphere);
    let mut gap_squared = 0.0;
    for axis in 0..N {
        let center = f64::from(sphere.center[axis]);
        let below = f64::from(region.min[axis]) - center;
        let above = center - f64::from(region.max[axis]);
        if below > 0.0 {
            if below > reach.along_axis {
                return false;
            }
            gap_squared += below * below;
        } else if above > 0.0 {
            if above > reach.along_axis {
                return false;
            }
            gap_squared += above * above;
        }
    }
    gap_squared <= reach.squared
}

/// Reports whether the solid box and the solid sphere share at least one point, comparing the sphere's own box first.
///
/// The answers of [`arvo`]; what fails on any axis never costs a multiplication.
///
/// Source: Larsson, Akenine-Möller, Lengyel 2007 (see [`quick_interwoven`]), "quick rejections first" (QRF). Ours: as
/// for [`quick_interwoven`]; gaps are compared with r rather than the box with c ± r, which would round.
///
/// ```
/// use roundel::geom::{Aabb, Circle, overlap};
///
/// let tile = Aabb { min: [0.0, 0.0], max: [16.0, 16.0] };
/// // its own box reaches into the tile's corner, the circle does not
/// assert!(!overlap::quick_first(&tile, &Circle { center: [20.0, 20.0], radius: 5.0 }));
/// assert!(overlap::quick_first(&tile, &Circle { center: [20.0, 20.0], radius: 6.0 }));
/// ```
#[inline]
#[must_use]
pub fn quick_first<const N: usize>(region: &Aabb<N>, sphere: &Sphere<N>) -> bool {
    let reach = Reach::of(sphere);
    for axis in 0..N {
        let center = f64::from(sphere.center[axis]);
        let below = f64::from(region.min[axis]) - center;
        let above = center - f64::from(region.max[axis]);
        if below > reach.along_axis || above > reach.along_axis {
            return false;
        }
    }
    arvo(region, sphere)
}

/// Reports whether the solid box and the solid sphere share at least one point, without a branch per axis.
///
/// The answers of [`arvo`]; the form that processors do many of at once.
///
/// Source: Larsson, Akenine-Möller, Lengyel 2007 (see [`quick_interwoven`]), the branchless variant for SIMD. As
/// printed it rejects an axis when e ≤ r and so never says yes; it must reject when e > r, as it does here.
///
/// ```
/// use roundel::geom::{Aabb, Circle, overlap};
///
/// let tile = Aabb { min: [0.0, 0.0], max: [16.0, 16.0] };
/// assert!(overlap::branchless(&tile, &Circle { center: [20.0, 8.0], radius: 4.0 }), "touches the right side");
/// assert!(!overlap::branchless(&tile, &Circle { center: [20.0, 8.0], radius: 3.0 }));
/// ```
#[inline]
#[must_use]
pub fn branchless<const N: usize>(region: &Aabb<N>, sphere: &Sphere<N>) -> bool {
    let reach = Reach::of(sphere);
    let mut gap_squared = 0.0;
    let mut reached = true;
    for axis in 0..N {
        let center = f64::from(sphere.center[axis]);
        let below = (f64::from(region.min[axis]) - center).max(0.0);
        let above = (center - f64::from(region.max[axis])).max(0.0);
        // at most one of them is not 0
        let gap = below + above;
        reached &= gap <= reach.along_axis;
        gap_squared += gap * gap;
    }
    !region.is_empty() & !sphere.is_empty() & reached & (gap_squared <= reach.squared)
}

/// Reports whether the solid box and the solid sphere share at least one point, from the box's centre and half-extents:
/// the sphere's centre is folded into the orthant where all coordinates are positive.
///
/// The answers of [`arvo`]. Centre and half-extents are formed in `f64` and twice as large, (min + max) and
/// (max − min), where they are exact unless one coordinate is over 2²⁸ times another; a fold whose rounding could
/// turn the answer is handed to [`arvo`].
///
/// Source: the "centre plus half-extent" form of Larsson, Akenine-Möller, Lengyel 2007 (see [`quick_interwoven`]) and
/// of C. Ericson, *Real-Time Collision Detection*, 2005, §5.2.5. In `f32`, as printed, it loses the low bits of
/// boxes far from the origin.
///
/// ```
/// use roundel::geom::{Aabb, Circle, overlap};
///
/// // far out, where an f32 centre of this box would round to one of its sides
/// let sliver = Aabb { min: [16_777_215.0, 0.0], max: [16_777_216.0, 1.0] };
/// assert!(overlap::half_extent(&sliver, &Circle { center: [16_777_213.0, 0.5], radius: 2.0 }));
/// assert!(!overlap::half_extent(&sliver, &Circle { center: [16_777_213.0, 0.5], radius: 1.999 }));
/// ```
#[inline]
#[must_use]
pub fn half_extent<const N: usize>(region: &Aabb<N>, sphere: &Sphere<N>) -> bool {
    if region.is_empty() || sphere.is_empty() {
        return false;
    }
    let radius = f64::from(sphere.radius);
    let mut gap_squared = 0.0;
    // bound of the rounding in all folds together
    let mut doubt = 0.0;
    for axis in 0..N {
        let (min, max) = (f64::from(region.min[axis]), f64::from(region.max[axis]));
        let center = f64::from(sphere.center[axis]);
        let folded = (2.0 * center - (min + max)).abs() - (max - min);
        let gap = 0.5 * folded.max(0.0);
        gap_squared += gap * gap;
        doubt += f64::EPSILON * (2.0 * center.abs() + min.abs() + max.abs());
    }
    let surely_apart = radius * slack::<N>() + doubt;
    let surely_together = (radius - doubt).max(0.0);
    if gap_squared > surely_apart * surely_apart * slack::<N>() {
        false
    } else if gap_squared < surely_together * surely_together {
        true
    } else {
        arvo(region, sphere)
    }
}
