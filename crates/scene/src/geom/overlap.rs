//! Solid box against solid sphere: the published fast tests, one function each.
//!
//! All five return the same result for the same input. They may accept bodies that are apart by a few ulps of `f64` (a
//! relative gap below 10⁻¹⁴ in up to ten dimensions), and never reject bodies that touch. They differ in how early they
//! reject. The exact test is [`box_sphere`](super::box_sphere).
//!
//! Inputs are widened to `f64`, where no square of an `f32` difference overflows or underflows.
//!
//! ```
//! # use roundel_scene as roundel;
//! use roundel::geom::{Aabb, Circle, overlap};
//!
//! let tile = Aabb::new([0.0, 0.0], [16.0, 16.0]);
//! let coins = [Circle::new([19.0, 20.0], 5.0), Circle::new([40.0, 8.0], 5.0)];
//! let touching: Vec<&Circle> = coins.iter().filter(|coin| overlap::arvo(&tile, coin)).collect();
//! assert_eq!(touching, [&coins[0]]);
//! ```

use super::shapes::{Aabb, Sphere};

/// A sphere's radius and its square, widened by the rounding of the sums that they are compared with: with u = 2⁻⁵³,
/// each squared gap has a relative error of at most 3 u, and their sum adds N − 1.
struct WidenedRadius {
    along_axis: f64,
    squared: f64,
}

impl WidenedRadius {
    #[inline]
    fn of<const N: usize>(sphere: &Sphere<N>) -> Self {
        let slack = slack::<N>();
        let radius = f64::from(sphere.radius);
        // the square of a gap beyond `along_axis` is beyond `squared`: an early rejection agrees with the full test
        Self { along_axis: radius * slack, squared: radius * radius * slack }
    }
}

#[inline]
fn slack<const N: usize>() -> f64 {
    1.0 + (N + 6) as f64 * f64::EPSILON
}

/// Reports whether the solid box and the solid sphere share at least one point: Arvo's test.
///
/// Any dimension, both in the same units; touching counts. Always `true` for bodies that touch, and possibly `true` for
/// bodies that are apart by less than 10⁻¹⁴ of the radius. An empty body overlaps nothing.
///
/// Source: J. Arvo, "A Simple Method for Box-Sphere Intersection Testing", *Graphics Gems*, 1990, fig. 1. Ours: the
/// slack, and the empty bodies.
///
/// ```
/// # use roundel_scene as roundel;
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
    gap_squared <= WidenedRadius::of(sphere).squared
}

/// Reports whether the solid box and the solid sphere share at least one point, and returns at the first axis along
/// which they are apart.
///
/// The results of [`arvo`]; the fastest variant if most spheres are far away.
///
/// Source: T. Larsson, T. Akenine-Möller, E. Lengyel, "On Faster Sphere-Box Overlap Testing", *Journal of Graphics
/// Tools* 12(1), 2007, "quick rejections intertwined" (QRI). Ours: as for [`arvo`]; the text prints r_2 for r².
///
/// ```
/// # use roundel_scene as roundel;
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
    let widened = WidenedRadius::of(sphere);
    let mut gap_squared = 0.0;
    for axis in 0..N {
        let center = f64::from(sphere.center[axis]);
        let below = f64::from(region.min[axis]) - center;
        let above = center - f64::from(region.max[axis]);
        if below > 0.0 {
            if below > widened.along_axis {
                return false;
            }
            gap_squared += below * below;
        } else if above > 0.0 {
            if above > widened.along_axis {
                return false;
            }
            gap_squared += above * above;
        }
    }
    gap_squared <= widened.squared
}

/// Reports whether the solid box and the solid sphere share at least one point, comparing the sphere's own box first.
///
/// The results of [`arvo`], without a multiplication for a sphere that is apart along an axis.
///
/// Source: Larsson, Akenine-Möller, Lengyel 2007 (see [`quick_interwoven`]), "quick rejections first" (QRF). Ours: as
/// for [`quick_interwoven`]; gaps are compared with r, because comparing the box with c ± r would round.
///
/// ```
/// # use roundel_scene as roundel;
/// use roundel::geom::{Aabb, Circle, overlap};
///
/// let tile = Aabb { min: [0.0, 0.0], max: [16.0, 16.0] };
/// // its own box overlaps the tile's corner, the circle does not
/// assert!(!overlap::quick_first(&tile, &Circle { center: [20.0, 20.0], radius: 5.0 }));
/// assert!(overlap::quick_first(&tile, &Circle { center: [20.0, 20.0], radius: 6.0 }));
/// ```
#[inline]
#[must_use]
pub fn quick_first<const N: usize>(region: &Aabb<N>, sphere: &Sphere<N>) -> bool {
    let widened = WidenedRadius::of(sphere);
    for axis in 0..N {
        let center = f64::from(sphere.center[axis]);
        let below = f64::from(region.min[axis]) - center;
        let above = center - f64::from(region.max[axis]);
        if below > widened.along_axis || above > widened.along_axis {
            return false;
        }
    }
    arvo(region, sphere)
}

/// Reports whether the solid box and the solid sphere share at least one point, without a branch per axis.
///
/// The results of [`arvo`], in a form for SIMD instructions.
///
/// Source: Larsson, Akenine-Möller, Lengyel 2007 (see [`quick_interwoven`]), the branchless variant for SIMD. As
/// printed it rejects an axis when e ≤ r and so is never `true`; it must reject when e > r, as it does here.
///
/// ```
/// # use roundel_scene as roundel;
/// use roundel::geom::{Aabb, Circle, overlap};
///
/// let tile = Aabb { min: [0.0, 0.0], max: [16.0, 16.0] };
/// assert!(overlap::branchless(&tile, &Circle { center: [20.0, 8.0], radius: 4.0 }), "touches the right side");
/// assert!(!overlap::branchless(&tile, &Circle { center: [20.0, 8.0], radius: 3.0 }));
/// ```
#[inline]
#[must_use]
pub fn branchless<const N: usize>(region: &Aabb<N>, sphere: &Sphere<N>) -> bool {
    let widened = WidenedRadius::of(sphere);
    let mut gap_squared = 0.0;
    let mut reached = true;
    for axis in 0..N {
        let center = f64::from(sphere.center[axis]);
        let below = (f64::from(region.min[axis]) - center).max(0.0);
        let above = (center - f64::from(region.max[axis])).max(0.0);
        // at most one of the two is not 0
        let gap = below + above;
        reached &= gap <= widened.along_axis;
        gap_squared += gap * gap;
    }
    !region.is_empty() & !sphere.is_empty() & reached & (gap_squared <= widened.squared)
}

/// Reports whether the solid box and the solid sphere share at least one point, from the box's centre and half-extents:
/// the sphere's centre is folded into the orthant where all coordinates are positive.
///
/// The results of [`arvo`]. Centre and half-extents are computed in `f64` and doubled, (min + max) and (max − min),
/// which is exact unless one coordinate is over 2²⁸ times another. If rounding could change the result, [`arvo`]
/// decides.
///
/// Source: the "centre plus half-extent" form of Larsson, Akenine-Möller, Lengyel 2007 (see [`quick_interwoven`]) and
/// of C. Ericson, *Real-Time Collision Detection*, 2005, §5.2.5. In `f32`, as printed, it loses the low bits of
/// boxes far from the origin.
///
/// ```
/// # use roundel_scene as roundel;
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
    // bound on the total rounding error of the folds
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
