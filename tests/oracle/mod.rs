//! Slow, obvious oracles for tests; this file has rational arithmetic for the geometry.
//!
//! The oracle shares nothing with the crate: a hollow box is the union of its 2 N faces, each a box without extent on
//! one axis, and all sums are fractions of whole numbers.
#![allow(dead_code, reason = "each test that shares this uses a part of it")]

pub(crate) mod painter;
pub(crate) mod planes;
pub(crate) mod random;
pub(crate) mod rays;

use dashu_ratio::RBig;
use roundel::geom::Body::{Hollow, Solid};
use roundel::geom::{Aabb, Body, Ellipsoid, Sphere, box_ellipsoid, box_sphere, overlap};

pub(crate) const BODIES: [(Body, Body); 4] = [(Solid, Solid), (Solid, Hollow), (Hollow, Solid), (Hollow, Hollow)];

type Variant<const N: usize> = (&'static str, fn(&Aabb<N>, &Sphere<N>) -> bool);

/// All five published variants.
fn variants<const N: usize>() -> [Variant<N>; 5] {
    [
        ("arvo", overlap::arvo),
        ("quick_interwoven", overlap::quick_interwoven),
        ("quick_first", overlap::quick_first),
        ("branchless", overlap::branchless),
        ("half_extent", overlap::half_extent),
    ]
}

pub(crate) fn exact(number: f32) -> RBig {
    RBig::try_from(number).expect("finite")
}

/// The solid box itself, or its faces.
fn parts<const N: usize>(b: &Aabb<N>, body: Body) -> Vec<Aabb<N>> {
    if body == Solid {
        return vec![*b];
    }
    let face = |axis: usize, at: f32| {
        let mut face = *b;
        (face.min[axis], face.max[axis]) = (at, at);
        face
    };
    (0..N).flat_map(|axis| [face(axis, b.min[axis]), face(axis, b.max[axis])]).collect()
}

/// Σ ((p − c) / r)² at the nearest and the farthest point of a box; `None` where it misses a flat ellipsoid's plane.
pub(crate) fn extremes<const N: usize>(b: &Aabb<N>, e: &Ellipsoid<N>) -> Option<(RBig, RBig)> {
    let (mut least, mut greatest) = (RBig::ZERO, RBig::ZERO);
    for axis in 0..N {
        let (min, max, c) = (exact(b.min[axis]), exact(b.max[axis]), exact(e.center[axis]));
        let r = exact(e.radii[axis]);
        let nearest = c.clone().clamp(min.clone(), max.clone()) - &c;
        if r == RBig::ZERO {
            if nearest != RBig::ZERO {
                return None;
            }
            continue;
        }
        let square = |offset: RBig| (&offset * &offset) / (&r * &r);
        least += square(nearest);
        greatest += square(min - &c).max(square(max - &c));
    }
    Some((least, greatest))
}

pub(crate) fn oracle<const N: usize>(b: &Aabb<N>, box_body: Body, e: &Ellipsoid<N>, body: Body) -> bool {
    let flat = e.radii.contains(&0.0);
    parts(b, box_body).iter().any(|part| {
        extremes(part, e).is_some_and(|(least, greatest)| {
            // on a box, which is connected, the sum takes every value between
            least <= RBig::ONE && (flat || body == Solid || greatest >= RBig::ONE)
        })
    })
}

pub(crate) fn as_ellipsoid<const N: usize>(s: &Sphere<N>) -> Ellipsoid<N> {
    Ellipsoid { center: s.center, radii: [s.radius; N] }
}

pub(crate) fn check_sphere<const N: usize>(b: &Aabb<N>, s: &Sphere<N>) {
    for (box_body, body) in BODIES {
        let expected = oracle(b, box_body, &as_ellipsoid(s), body);
        assert_eq!(box_sphere(b, box_body, s, body), expected, "{box_body:?} {b:?}, {body:?} {s:?}");
    }
}

pub(crate) fn check_ellipsoid<const N: usize>(b: &Aabb<N>, e: &Ellipsoid<N>) {
    for (box_body, body) in BODIES {
        let expected = oracle(b, box_body, e, body);
        assert_eq!(box_ellipsoid(b, box_body, e, body), expected, "{box_body:?} {b:?}, {body:?} {e:?}");
    }
}

/// All five variants agree with the exact decision, or say *yes* to a gap within 10⁻¹⁴ of the radius.
pub(crate) fn check_variants<const N: usize>(b: &Aabb<N>, s: &Sphere<N>) {
    let answers = variants::<N>().map(|(name, test)| (name, test(b, s)));
    let touches = box_sphere(b, Solid, s, Solid);
    for (name, answer) in answers {
        assert_eq!(answer, answers[0].1, "{name} and arvo: {b:?}, {s:?}");
        assert!(answer || !touches, "{name} rejects what touches: {b:?}, {s:?}");
    }
    if answers[0].1 && !touches {
        let (least, _) = extremes(b, &as_ellipsoid(s)).expect("a point is not kept from afar");
        let widened = RBig::try_from(1.0 + 1e-14).expect("finite");
        assert!(least <= widened.sqr(), "kept although apart: {b:?}, {s:?}");
    }
}
