//! Planes and six-plane solids against spheres.

use dashu_ratio::RBig;
use roundel::geom::Body::{Hollow, Solid};
use roundel::geom::{Aabb, Plane, PlaneBox, Side, Sphere};

use super::{as_ellipsoid, exact, oracle};

/// Inside and outside are never wrong; intersecting is at most 4 · 10⁻¹⁵ of the largest term off.
pub(crate) fn check_plane(plane: &Plane, s: &Sphere<3>) {
    let mut distance = -exact(plane.offset);
    let mut largest = magnitude(&distance);
    let mut length_squared = RBig::ZERO;
    for (&normal, center) in plane.normal.as_ref().iter().zip(s.center) {
        let term = exact(normal) * exact(center);
        largest = largest.max(magnitude(&term));
        distance += term;
        length_squared += exact(normal).sqr();
    }
    let reach_squared = exact(s.radius).sqr() * length_squared;
    let apart = distance.sqr() > reach_squared;
    let side = plane.side(s);
    match side {
        Side::Outside => assert!(apart && distance > RBig::ZERO, "{side:?}: {plane:?}, {s:?}"),
        Side::Inside => assert!(apart && distance < RBig::ZERO, "{side:?}: {plane:?}, {s:?}"),
        Side::Intersecting => {
            let parts = |count: u64| RBig::from(count) / RBig::from(1_000_000_000_000_000_u64);
            // of distance and reach, the larger is among the terms when it is far from the other
            let nearer = magnitude(&distance) * (RBig::ONE - parts(4)) - largest * parts(4);
            assert!(nearer <= RBig::ZERO || nearer.sqr() <= reach_squared, "{side:?}: {plane:?}, {s:?}");
        }
    }
}

/// A box as six planes: inside and outside are never wrong.
pub(crate) fn check_plane_box(b: &Aabb<3>, s: &Sphere<3>) {
    let solid = PlaneBox::from_aabb(b);
    let overlaps = oracle(b, Solid, &as_ellipsoid(s), Solid);
    let crosses = oracle(b, Hollow, &as_ellipsoid(s), Solid);
    for side in [solid.side_of(s), solid.side_of_exact(s)] {
        let is_right = match side {
            Side::Outside => !overlaps,
            Side::Inside => overlaps && !crosses,
            Side::Intersecting => true,
        };
        assert!(is_right, "{side:?}: {b:?}, {s:?}");
    }
}

fn magnitude(number: &RBig) -> RBig {
    if *number < RBig::ZERO { -number.clone() } else { number.clone() }
}
