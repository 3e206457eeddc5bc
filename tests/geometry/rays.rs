//! Rays against spheres: cases and distances against rational arithmetic.
//!
//! The oracle is in `tests/oracle`.

#![expect(clippy::cast_possible_truncation, reason = "inputs are rounded to f32 on purpose")]

use crate::oracle::exact;
use crate::oracle::rays::{Line, check, check_case};
use dashu_ratio::RBig;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use roundel::geom::{Ray, RaySphere, Sphere, ray_sphere};

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, rng_seed: RngSeed::Fixed(11), failure_persistence: None, ..ProptestConfig::default() }
}

fn unit(v: [f32; 3]) -> [f32; 3] {
    let length = v.iter().map(|&x| f64::from(x) * f64::from(x)).sum::<f64>().sqrt();
    v.map(|x| (f64::from(x) / length) as f32)
}

fn point(reach: f32) -> impl Strategy<Value = [f32; 3]> {
    let whole = prop::array::uniform3(-6i8..6).prop_map(|p| p.map(f32::from));
    prop_oneof![whole, prop::array::uniform3(-reach..reach)]
}

fn direction() -> impl Strategy<Value = [f32; 3]> {
    let axis = (0usize..3, any::<bool>()).prop_map(|(axis, minus)| {
        let mut direction = [0.0; 3];
        direction[axis] = if minus { -1.0 } else { 1.0 };
        direction
    });
    let any = prop::array::uniform3(-1.0f32..1.0).prop_filter("a direction", |d| d.iter().any(|x| x.abs() > 0.01));
    prop_oneof![axis, any.prop_map(unit)]
}

proptest! {
    #![proptest_config(config(6000))]

    #[test]
    fn ray_sphere_case_agrees_with_rationals(
        origin in point(10.0), direction in direction(), center in point(10.0), radius in prop_oneof![
            (0u8..12).prop_map(f32::from), 0.0f32..10.0,
        ],
    ) {
        let (ray, s) = (Ray { origin, direction }, Sphere { center, radius });
        check_case(&Line::new(&ray, &s), ray_sphere(&ray, &s));
    }

    #[test]
    fn ray_sphere_case_agrees_with_rationals_at_any_scale(
        bits in prop::array::uniform7(any::<u32>()), direction in direction(),
    ) {
        let [x, y, z, a, b, c, radius] = bits.map(f32::from_bits);
        let numbers = [x, y, z, a, b, c, radius];
        prop_assume!(numbers.iter().all(|number| number.is_finite()));
        let (ray, s) = (Ray { origin: [x, y, z], direction }, Sphere { center: [a, b, c], radius: radius.abs() });
        check_case(&Line::new(&ray, &s), ray_sphere(&ray, &s));
    }

    #[test]
    fn ray_sphere_distances_are_within_an_ulp_unless_the_ray_grazes(
        origin in point(10.0), direction in direction(), center in point(10.0), size in 0.05f32..5.0,
        aim in prop::array::uniform3(-0.5f32..0.5), power in -60i32..60,
    ) {
        // aimed at a point well inside, seen from near, far and within, at any scale
        let scale = f32::from_bits(u32::try_from(power + 127).unwrap() << 23);
        let target: [f32; 3] = std::array::from_fn(|axis| center[axis] + aim[axis] * size);
        let toward: [f32; 3] = std::array::from_fn(|axis| target[axis] - origin[axis]);
        let direction = if toward.iter().any(|x| x.abs() > 1e-3) { unit(toward) } else { direction };
        let (origin, center) = (origin.map(|x| x * scale), center.map(|x| x * scale));
        check(&Ray { origin, direction }, &Sphere { center, radius: size * scale });
    }

    #[test]
    fn ray_sphere_distances_are_within_an_ulp_next_to_the_surface(
        outward in direction(), direction in direction(), size in 0.05f32..1e7, step in -3i32..4,
    ) {
        // an origin as near to the surface as f32 allows, not grazing
        let tilt: f32 = outward.iter().zip(direction).map(|(n, d)| n * d).sum();
        let height = size * (1.0 + step as f32 * f32::EPSILON);
        let (ray, s) = (Ray { origin: outward.map(|x| x * height), direction }, Sphere { center: [0.0; 3], radius: size });
        if tilt.abs() > 0.01 {
            check(&ray, &s);
        }
    }

    #[test]
    fn ray_sphere_distances_of_grazing_rays_are_within_2_to_the_minus_22(
        center in point(10.0), size in 0.05f32..5.0, outward in direction(), graze in -1e-6f32..0.0, back in 0.0f32..100.0,
    ) {
        // along a tangent, a little below the surface
        let side = unit(if outward[0].abs() < 0.5 { [0.0, outward[2], -outward[1]] } else { [outward[1], -outward[0], 0.0] });
        prop_assume!(side.iter().all(|x| x.is_finite()));
        let contact: [f32; 3] = std::array::from_fn(|axis| center[axis] + outward[axis] * size * (1.0 + graze));
        let origin: [f32; 3] = std::array::from_fn(|axis| contact[axis] - side[axis] * back);
        let (ray, s) = (Ray { origin, direction: side }, Sphere { center, radius: size });
        let line = Line::new(&ray, &s);
        let answer = ray_sphere(&ray, &s);
        check_case(&line, answer);
        let away = origin.iter().zip(center).map(|(o, c)| f64::from(o - c) * f64::from(o - c)).sum::<f64>().sqrt();
        let bound = (away + f64::from(size)) * 2.0 * f64::from(f32::EPSILON);
        if let RaySphere::Outside { enter, exit } = answer {
            for (t, sign) in [(enter, -1.0), (exit, 1.0)] {
                // the exact root is within the bound: there the polynomial has its outer sign
                let beyond = exact((f64::from(t) + sign * bound) as f32);
                let value = (&line.a * &beyond - RBig::from(2) * &line.b) * &beyond + &line.c;
                prop_assert!(value >= RBig::ZERO, "{t}");
                let within = exact((f64::from(t) - sign * bound) as f32);
                let value = (&line.a * &within - RBig::from(2) * &line.b) * &within + &line.c;
                let past_middle = if sign < 0.0 { within >= line.middle() } else { within <= line.middle() };
                prop_assert!(value <= RBig::ZERO || past_middle, "{t}");
            }
        }
    }
}

#[test]
fn unit_sphere_far_off_is_hit_where_it_is_in_an_orthographic_view() {
    let s = Sphere { center: [0.0; 3], radius: 1.0 };
    for distance in [100.0, 1000.0, 2000.0, 4000.0, 8000.0] {
        for x in [0.0, 0.25, 0.5, 0.75, 0.9, 0.99, 0.999, 0.999_999] {
            let ray = Ray { origin: [x, 0.0, distance], direction: [0.0, 0.0, -1.0] };
            assert!(matches!(check(&ray, &s), RaySphere::Outside { .. }), "{x} at {distance}");
        }
        let ray = |x| Ray { origin: [x, 0.0, distance], direction: [0.0, 0.0, -1.0] };
        assert_eq!(ray_sphere(&ray(1.0), &s), RaySphere::Tangent { t: distance });
        assert_eq!(ray_sphere(&ray(1.0_f32.next_up()), &s), RaySphere::Miss);
    }
}

#[test]
fn planet_under_the_eye_is_hit_at_its_ground() {
    let s = Sphere { center: [0.0, -6.36e6, 0.0], radius: 6.36e6 };
    let eye = [0.0, 2.0, 0.0];
    assert_eq!(check(&Ray { origin: eye, direction: [0.0, -1.0, 0.0] }, &s).nearest(), Some(2.0));
    // down to a slope of a thousandth: the horizon is at 8 ten-thousandths
    for slope in [1.0, 0.5, 0.1, 0.01, 0.002, 0.001] {
        let hit = check(&Ray { origin: eye, direction: unit([1.0, -slope, 0.0]) }, &s);
        assert!(matches!(hit, RaySphere::Outside { .. }), "{slope}");
    }
    assert_eq!(ray_sphere(&Ray { origin: eye, direction: unit([1.0, -0.0007, 0.0]) }, &s), RaySphere::Miss);
}

#[test]
fn origin_on_the_surface_enters_at_0_looking_in_and_exits_at_0_looking_out() {
    let s = Sphere { center: [1.0, 2.0, 3.0], radius: 7.0 };
    for [dx, dy, dz] in [[2.0, 3.0, 6.0], [-6.0, 2.0, 3.0], [3.0, -6.0, -2.0], [0.0, 0.0, 7.0]] {
        let origin = [1.0 + dx, 2.0 + dy, 3.0 + dz];
        let inward = check(&Ray { origin, direction: unit([-dx, -dy, -dz]) }, &s);
        assert!(matches!(inward, RaySphere::Outside { enter: 0.0, exit } if (exit - 14.0).abs() < 1e-5), "{inward:?}");
        assert_eq!(inward.nearest(), Some(0.0));
        let outward = check(&Ray { origin, direction: unit([dx, dy, dz]) }, &s);
        assert_eq!(outward, RaySphere::Inside { exit: 0.0 });
    }
    let along = Ray { origin: [1.0, 2.0, 10.0], direction: [1.0, 0.0, 0.0] };
    assert_eq!(ray_sphere(&along, &s), RaySphere::Tangent { t: 0.0 });
}

#[test]
fn tangent_needs_contact_ahead() {
    let s = Sphere { center: [0.0; 3], radius: 2.0 };
    let ray = |z: f32| Ray { origin: [2.0, 0.0, z], direction: [0.0, 0.0, 1.0] };
    assert_eq!(ray_sphere(&ray(-5.0), &s), RaySphere::Tangent { t: 5.0 });
    assert_eq!(ray_sphere(&ray(0.0), &s), RaySphere::Tangent { t: 0.0 });
    assert_eq!(ray_sphere(&ray(5.0), &s), RaySphere::Miss);
}

#[test]
fn sphere_of_radius_0_is_met_in_a_point() {
    let dot = Sphere { center: [3.0, 0.0, 0.0], radius: 0.0 };
    let ray = |y: f32, x: f32| Ray { origin: [x, y, 0.0], direction: [1.0, 0.0, 0.0] };
    assert_eq!(ray_sphere(&ray(0.0, 1.0), &dot), RaySphere::Tangent { t: 2.0 });
    assert_eq!(ray_sphere(&ray(0.0, 3.0), &dot), RaySphere::Tangent { t: 0.0 });
    assert_eq!(ray_sphere(&ray(0.0, 4.0), &dot), RaySphere::Miss);
    assert_eq!(ray_sphere(&ray(f32::from_bits(1), 1.0), &dot), RaySphere::Miss);
}

#[test]
fn ray_from_inside_exits_once() {
    let s = Sphere { center: [0.0; 3], radius: 5.0 };
    for (z, exit) in [(0.0, 5.0), (4.0, 1.0), (-4.0, 9.0)] {
        let ray = Ray { origin: [0.0, 0.0, z], direction: [0.0, 0.0, 1.0] };
        assert_eq!(ray_sphere(&ray, &s), RaySphere::Inside { exit });
    }
}

#[test]
fn ray_sphere_holds_in_one_and_two_dimensions() {
    let segment = Sphere { center: [3.0], radius: 2.0 };
    let from = |x: f32, d: f32| ray_sphere(&Ray { origin: [x], direction: [d] }, &segment);
    assert_eq!(from(0.0, 1.0), RaySphere::Outside { enter: 1.0, exit: 5.0 });
    assert_eq!(from(4.0, -1.0), RaySphere::Inside { exit: 3.0 });
    assert_eq!(from(0.0, -1.0), RaySphere::Miss);
    let circle = Sphere { center: [0.0, 0.0], radius: 13.0 };
    let ray = Ray { origin: [5.0, -20.0], direction: [0.0, 1.0] };
    assert_eq!(ray_sphere(&ray, &circle), RaySphere::Outside { enter: 8.0, exit: 32.0 });
}

#[test]
fn ray_without_direction_or_with_nan_misses() {
    let s = Sphere { center: [0.0; 3], radius: 5.0 };
    for direction in [[0.0; 3], [f32::NAN, 0.0, 1.0], [f32::INFINITY, 0.0, 0.0]] {
        assert_eq!(ray_sphere(&Ray { origin: [0.0; 3], direction }, &s), RaySphere::Miss);
    }
    let nowhere = Ray { origin: [f32::NAN, 0.0, 0.0], direction: [1.0, 0.0, 0.0] };
    assert_eq!(ray_sphere(&nowhere, &s), RaySphere::Miss);
}
