//! Box against sphere and ellipsoid: tangencies with exact coordinates, bodies at the limits of `f32`, empty bodies.
//! `exact.rs` tests agreement with rational arithmetic.

use roundel::geom::Body::{Hollow, Solid};
use roundel::geom::{Aabb, Body, Circle, Ellipsoid, Plane, PlaneBox, Ray, RaySphere, Side, Sphere};
use roundel::geom::{box_ellipsoid, box_sphere, overlap, pixel_coverage, ray_sphere};

const BODIES: [(Body, Body); 4] = [(Solid, Solid), (Solid, Hollow), (Hollow, Solid), (Hollow, Hollow)];

fn all<const N: usize>(b: &Aabb<N>, s: &Sphere<N>) -> [bool; 4] {
    BODIES.map(|(box_body, body)| box_sphere(b, box_body, s, body))
}

fn variants<const N: usize>(b: &Aabb<N>, s: &Sphere<N>) -> [bool; 5] {
    [
        overlap::arvo(b, s),
        overlap::quick_interwoven(b, s),
        overlap::quick_first(b, s),
        overlap::branchless(b, s),
        overlap::half_extent(b, s),
    ]
}

const UNIT: Aabb<2> = Aabb { min: [0.0, 0.0], max: [1.0, 1.0] };

#[test]
fn box_sphere_touching_corner_counts_for_pythagorean_triples() {
    let two_to_100 = f32::from_bits((127 + 100) << 23);
    for (a, b, c) in [(3.0, 4.0, 5.0), (5.0, 12.0, 13.0), (8.0, 15.0, 17.0), (20.0, 21.0, 29.0)] {
        for scale in [1.0, 1024.0, f32::MIN_POSITIVE, two_to_100] {
            let at = Circle { center: [scale * (1.0 + a), scale * (1.0 + b)], radius: scale * c };
            let corner = Aabb { min: [0.0, 0.0], max: [scale, scale] };
            assert_eq!(all(&corner, &at), [true; 4], "{at:?}");
            let shorter = Circle { radius: at.radius.next_down(), ..at };
            assert_eq!(all(&corner, &shorter), [false; 4], "{shorter:?}");
            assert_eq!(variants(&corner, &at), [true; 5], "{at:?}");
        }
    }
}

#[test]
fn box_sphere_touching_corner_counts_for_pythagorean_quadruples() {
    for (offset, radius) in
        [([1.0, 2.0, 2.0], 3.0), ([2.0, 3.0, 6.0], 7.0), ([4.0, 4.0, 7.0], 9.0), ([6.0, 6.0, 7.0], 11.0)]
    {
        let room = Aabb { min: [-8.0; 3], max: [0.0; 3] };
        let at = Sphere { center: offset, radius };
        assert_eq!(all(&room, &at), [true; 4], "{at:?}");
        assert_eq!(all(&room, &Sphere { radius: radius.next_down(), ..at }), [false; 4], "{at:?}");
        assert_eq!(variants(&room, &at), [true; 5], "{at:?}");
    }
}

#[test]
fn hollow_sphere_misses_what_it_surrounds_but_not_its_corners() {
    // the corners of the box are 5 away
    let b = Aabb { min: [-3.0, -4.0], max: [3.0, 4.0] };
    let around = |radius| all(&b, &Circle { center: [0.0, 0.0], radius });
    assert_eq!(around(5.0_f32.next_up()), [true, false, true, false]);
    assert_eq!(around(5.0), [true; 4]);
}

#[test]
fn hollow_box_misses_what_lies_inside_but_not_at_its_faces() {
    let b = Aabb { min: [-3.0, -4.0], max: [3.0, 4.0] };
    let within = |radius| all(&b, &Circle { center: [0.0, 0.0], radius });
    assert_eq!(within(3.0_f32.next_down()), [true, true, false, false]);
    assert_eq!(within(3.0), [true; 4]);
}

#[test]
fn hollow_bodies_in_one_dimension_are_pairs_of_points() {
    let b = Aabb { min: [-2.0], max: [6.0] };
    let answer = |center, radius| all(&b, &Sphere { center: [center], radius });
    assert_eq!(answer(-4.0, 2.0), [true; 4], "c + r = min");
    assert_eq!(answer(1.0, 3.0), [true; 4], "c − r = min");
    assert_eq!(answer(2.0, 4.0), [true; 4], "the same two points");
    assert_eq!(answer(1.0, 4.0), [true, true, true, false], "one end inside, one outside");
    assert_eq!(answer(2.0, 1.0), [true, true, false, false], "both ends inside");
    assert_eq!(answer(2.0, 9.0), [true, false, true, false], "both ends outside");
}

#[test]
fn point_sphere_is_its_own_surface() {
    let dot = |x, y| all(&UNIT, &Circle { center: [x, y], radius: 0.0 });
    assert_eq!(dot(0.5, 0.5), [true, true, false, false]);
    assert_eq!(dot(1.0, 0.5), [true; 4]);
    assert_eq!(dot(1.0_f32.next_up(), 0.5), [false; 4]);
}

#[test]
fn box_without_extent_is_its_own_boundary() {
    let segment = Aabb { min: [0.0, -1.0], max: [0.0, 1.0] };
    assert_eq!(all(&segment, &Circle { center: [0.0, 0.0], radius: 0.5 }), [true; 4]);
    assert_eq!(all(&segment, &Circle { center: [0.0, 0.0], radius: 2.0 }), [true, false, true, false]);
    let point = Aabb { min: [3.0, 4.0], max: [3.0, 4.0] };
    assert_eq!(all(&point, &Circle { center: [0.0, 0.0], radius: 5.0 }), [true; 4]);
}

#[test]
fn squares_neither_overflow_nor_underflow() {
    let max = f32::MAX;
    let far = Aabb { min: [max, max], max: [max, max] };
    assert_eq!(all(&far, &Circle { center: [-max, -max], radius: max }), [false; 4], "2√2 radii away");
    assert_eq!(all(&far, &Circle { center: [0.0, max], radius: max }), [true; 4], "touches");
    assert!(!variants(&far, &Circle { center: [-max, -max], radius: max }).contains(&true));
    assert_eq!(variants(&far, &Circle { center: [0.0, max], radius: max }), [true; 5]);

    let tiny = f32::from_bits(1);
    let dot = Aabb { min: [3.0 * tiny, 4.0 * tiny], max: [8.0 * tiny, 8.0 * tiny] };
    assert_eq!(all(&dot, &Circle { center: [0.0, 0.0], radius: 5.0 * tiny }), [true; 4]);
    assert_eq!(all(&dot, &Circle { center: [0.0, 0.0], radius: 4.0 * tiny }), [false; 4]);
    assert_eq!(variants(&dot, &Circle { center: [0.0, 0.0], radius: 5.0 * tiny }), [true; 5]);
    assert!(!variants(&dot, &Circle { center: [0.0, 0.0], radius: 4.0 * tiny }).contains(&true));
}

#[test]
fn gap_far_below_the_radius_still_decides() {
    // 1e30 + 1e-30 is 1e30 in every float format; the box begins 1e-30 beyond the surface
    let b = Aabb { min: [1e-30], max: [1.0] };
    let s = Sphere { center: [-1e30], radius: 1e30 };
    assert!(!box_sphere(&b, Solid, &s, Solid));
    assert!(box_sphere(&Aabb { min: [0.0], ..b }, Solid, &s, Solid));
}

#[test]
fn half_extent_keeps_its_bits_far_from_the_origin() {
    // an f32 centre of this box would be rounded onto one of its sides
    let sliver = Aabb { min: [16_777_215.0, 0.0], max: [16_777_216.0, 1.0] };
    for (x, radius, expected) in [(16_777_213.0, 2.0, true), (16_777_213.0, 1.5, false), (16_777_218.0, 1.5, false)] {
        assert_eq!(overlap::half_extent(&sliver, &Circle { center: [x, 0.5], radius }), expected, "{x} {radius}");
    }
    // not even f64 holds this box's centre
    let lopsided = Aabb { min: [1e-30, 0.0], max: [1e30, 1.0] };
    let near = |radius| overlap::half_extent(&lopsided, &Circle { center: [-1e-30, 0.5], radius });
    assert!(near(2e-30) && !near(1.9e-30));
}

#[test]
fn ellipsoid_touching_corner_counts() {
    // (6/10)² + (4/5)² = 1
    let e = Ellipsoid { center: [7.0, 5.0], radii: [10.0, 5.0] };
    for (box_body, body) in BODIES {
        assert!(box_ellipsoid(&UNIT, box_body, &e, body));
        let thinner = Ellipsoid { radii: [10.0_f32.next_down(), 5.0], ..e };
        assert!(!box_ellipsoid(&UNIT, box_body, &thinner, body));
    }
}

#[test]
fn ellipsoid_of_radius_0_along_an_axis_is_flat() {
    let b = Aabb { min: [-2.0, -2.0, -2.0], max: [2.0, 2.0, 2.0] };
    let disc = |z, radius| Ellipsoid { center: [0.0, 0.0, z], radii: [radius, radius, 0.0] };
    let answers = |e: Ellipsoid<3>| BODIES.map(|(box_body, body)| box_ellipsoid(&b, box_body, &e, body));
    assert_eq!(answers(disc(0.0, 1.0)), [true, true, false, false], "within");
    assert_eq!(answers(disc(0.0, 2.0)), [true; 4], "its rim touches the faces");
    assert_eq!(answers(disc(2.0, 1.0)), [true; 4], "on a face");
    assert_eq!(answers(disc(2.0_f32.next_up(), 9.0)), [false; 4], "beside it");
    assert_eq!(answers(disc(0.0, 100.0)), [true; 4], "a flat body has no interior: it cuts the box in two");
}

#[test]
fn empty_bodies_share_nothing() {
    let good = Circle { center: [0.5, 0.5], radius: 0.5 };
    let bad_circles = [
        Circle { radius: -1.0, ..good },
        Circle { radius: f32::NAN, ..good },
        Circle { radius: f32::INFINITY, ..good },
        Circle { center: [f32::NAN, 0.5], ..good },
        Circle { center: [0.5, f32::NEG_INFINITY], ..good },
    ];
    for s in bad_circles {
        assert!(s.is_empty());
        assert_eq!(all(&UNIT, &s), [false; 4], "{s:?}");
        assert_eq!(variants(&UNIT, &s), [false; 5], "{s:?}");
        assert_eq!(pixel_coverage(&s, 0, 0), 0.0, "{s:?}");
        let ray = Ray { origin: [0.5, 0.5], direction: [1.0, 0.0] };
        assert_eq!(ray_sphere(&ray, &s), RaySphere::Miss, "{s:?}");
        let ball = Sphere { center: [s.center[0], s.center[1], 0.0], radius: s.radius };
        assert_eq!(Plane::UNBOUNDED.side(&ball), Side::Outside, "{s:?}");
        let room = PlaneBox::from_aabb(&Aabb { min: [-9.0; 3], max: [9.0; 3] });
        assert_eq!((room.side_of(&ball), room.side_of_exact(&ball)), (Side::Outside, Side::Outside), "{s:?}");
        let ellipse = Ellipsoid { center: s.center, radii: [1.0, s.radius] };
        assert!(BODIES.iter().all(|&(b, e)| !box_ellipsoid(&UNIT, b, &ellipse, e)), "{s:?}");
    }
    let bad_boxes = [
        Aabb { min: [1.0, 0.0], max: [0.0, 1.0] },
        Aabb { min: [f32::NAN, 0.0], ..UNIT },
        Aabb { max: [1.0, f32::NAN], ..UNIT },
        Aabb { max: [1.0, f32::INFINITY], ..UNIT },
        Aabb { min: [f32::NEG_INFINITY, 0.0], ..UNIT },
    ];
    for b in bad_boxes {
        assert!(b.is_empty());
        assert_eq!(all(&b, &good), [false; 4], "{b:?}");
        assert_eq!(variants(&b, &good), [false; 5], "{b:?}");
        let ellipse = Ellipsoid { center: good.center, radii: [1.0, 0.0] };
        assert!(BODIES.iter().all(|&(body, e)| !box_ellipsoid(&b, body, &ellipse, e)), "{b:?}");
        let solid = Aabb { min: [b.min[0], b.min[1], 0.0], max: [b.max[0], b.max[1], 1.0] };
        let room = PlaneBox::from_aabb(&solid);
        let ball = Sphere { center: [0.5; 3], radius: 0.5 };
        assert_eq!((room.side_of(&ball), room.side_of_exact(&ball)), (Side::Outside, Side::Outside), "{b:?}");
    }
}
