//! Box against sphere and ellipsoid: decisions agree with rational arithmetic.
//!
//! The oracle is in `tests/oracle`.

#![expect(clippy::cast_possible_truncation, reason = "inputs are rounded to f32 on purpose")]

use crate::oracle::{BODIES, as_ellipsoid, check_ellipsoid, check_sphere, check_variants};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use roundel::geom::{Aabb, Circle, Ellipsoid, Sphere, box_ellipsoid, box_sphere};

// ---------------------------------------------------------------------------------------------------------------------
// inputs

/// Numbers that often coincide: small ones, powers of two apart, the ends of the range, random bits.
fn number() -> impl Strategy<Value = f32> {
    let ends = [0.0, f32::MIN_POSITIVE, f32::from_bits(1), f32::MAX, f32::MAX / 2.0, 1e30, 1e-30, 1.0, f32::EPSILON];
    let signed = (prop::sample::select(ends.to_vec()), any::<bool>());
    prop_oneof![
        4 => (-40i16..40).prop_map(|quarter| f32::from(quarter) / 4.0),
        2 => (-40i16..40, -149i32..120).prop_map(|(count, power)| f32::from(count) * two_to(power)),
        2 => signed.prop_map(|(end, minus)| if minus { -end } else { end }),
        2 => -100.0f32..100.0,
        1 => any::<u32>().prop_map(f32::from_bits).prop_filter("finite", |number| number.is_finite()),
    ]
}

fn two_to(power: i32) -> f32 {
    // exact, subnormals included
    let half = power / 2;
    let normal = |power: i32| f32::from_bits(u32::try_from(power + 127).unwrap() << 23);
    normal(half) * normal(power - half)
}

/// `number`, or a few ulps beside it.
fn nudged(number: f32, ulps: i8) -> f32 {
    let step = if ulps < 0 { f32::next_down } else { f32::next_up };
    (0..ulps.unsigned_abs()).fold(number, |number, _| step(number)).clamp(-f32::MAX, f32::MAX)
}

fn region<const N: usize>() -> impl Strategy<Value = Aabb<N>> {
    let axis = prop_oneof![4 => (number(), number()), 1 => number().prop_map(|at| (at, at))];
    prop::collection::vec(axis, N).prop_map(|axes| Aabb {
        min: std::array::from_fn(|axis| axes[axis].0.min(axes[axis].1)),
        max: std::array::from_fn(|axis| axes[axis].0.max(axes[axis].1)),
    })
}

/// The critical distances from `c`: to the nearest point, the farthest corner, the faces.
fn turning_points<const N: usize>(b: &Aabb<N>, c: &[f32; N]) -> Vec<f64> {
    let each = |axis: usize| {
        let (below, above) = (f64::from(b.min[axis]) - f64::from(c[axis]), f64::from(c[axis]) - f64::from(b.max[axis]));
        (below, above)
    };
    let length = |offsets: [f64; N]| offsets.iter().map(|offset| offset * offset).sum::<f64>().sqrt();
    let nearest = length(std::array::from_fn(|axis| each(axis).0.max(each(axis).1).max(0.0)));
    let farthest = length(std::array::from_fn(|axis| each(axis).0.min(each(axis).1)));
    let faces = (0..N).map(each).flat_map(|(below, above)| [below.abs(), above.abs()]);
    [nearest, farthest].into_iter().chain(faces).collect()
}

/// A box, and a sphere with a random or a critical radius.
fn box_and_sphere<const N: usize>() -> impl Strategy<Value = (Aabb<N>, Sphere<N>)> {
    (region::<N>(), prop::collection::vec(number(), N), number(), any::<prop::sample::Index>(), -2i8..=2).prop_map(
        |(b, center, any_radius, turn, ulps)| {
            let center = std::array::from_fn(|axis| center[axis]);
            let turns = turning_points(&b, &center);
            // one in all is any radius
            let radius = match turns.get(turn.index(turns.len() + 1)) {
                Some(turn) => nudged((*turn as f32).min(f32::MAX), ulps),
                None => any_radius,
            };
            (b, Sphere { center, radius: radius.abs() })
        },
    )
}

/// A box, and an ellipsoid with random radii, radii in proportion to the box, or a flat one.
fn box_and_ellipsoid<const N: usize>() -> impl Strategy<Value = (Aabb<N>, Ellipsoid<N>)> {
    let radius = prop_oneof![1 => Just(0.0f32), 6 => number()];
    (region::<N>(), prop::collection::vec((number(), radius, any::<bool>()), N), -2i8..=2).prop_map(
        |(b, axes, ulps)| {
            let center: [f32; N] = std::array::from_fn(|axis| axes[axis].0);
            let radii = std::array::from_fn(|axis| {
                let (_, radius, reaches) = axes[axis];
                // (1 / √N) per axis adds up to 1: the corner is near the surface
                let reach = f64::from((b.max[axis] - center[axis]).abs()) * (N as f64).sqrt();
                let radius = if reaches { (reach as f32).min(f32::MAX) } else { radius };
                nudged(radius, ulps).abs()
            });
            (b, Ellipsoid { center, radii })
        },
    )
}

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, rng_seed: RngSeed::Fixed(7), failure_persistence: None, ..ProptestConfig::default() }
}

// ---------------------------------------------------------------------------------------------------------------------
// properties

proptest! {
    #![proptest_config(config(1500))]

    #[test]
    fn box_sphere_agrees_with_rationals_in_1d((b, s) in box_and_sphere::<1>()) { check_sphere(&b, &s); }

    #[test]
    fn box_sphere_agrees_with_rationals_in_2d((b, s) in box_and_sphere::<2>()) { check_sphere(&b, &s); }

    #[test]
    fn box_sphere_agrees_with_rationals_in_3d((b, s) in box_and_sphere::<3>()) { check_sphere(&b, &s); }

    #[test]
    fn box_sphere_agrees_with_rationals_in_5d((b, s) in box_and_sphere::<5>()) { check_sphere(&b, &s); }

    #[test]
    fn box_ellipsoid_agrees_with_rationals_in_1d((b, e) in box_and_ellipsoid::<1>()) { check_ellipsoid(&b, &e); }

    #[test]
    fn box_ellipsoid_agrees_with_rationals_in_2d((b, e) in box_and_ellipsoid::<2>()) { check_ellipsoid(&b, &e); }

    #[test]
    fn box_ellipsoid_agrees_with_rationals_in_3d((b, e) in box_and_ellipsoid::<3>()) { check_ellipsoid(&b, &e); }

    #[test]
    fn box_ellipsoid_with_equal_radii_is_box_sphere((b, s) in box_and_sphere::<3>()) {
        for (box_body, body) in BODIES {
            let as_sphere = box_sphere(&b, box_body, &s, body);
            prop_assert_eq!(box_ellipsoid(&b, box_body, &as_ellipsoid(&s), body), as_sphere);
        }
    }

    #[test]
    fn overlap_variants_agree_and_never_reject_a_touch_in_1d((b, s) in box_and_sphere::<1>()) { check_variants(&b, &s); }

    #[test]
    fn overlap_variants_agree_and_never_reject_a_touch_in_2d((b, s) in box_and_sphere::<2>()) { check_variants(&b, &s); }

    #[test]
    fn overlap_variants_agree_and_never_reject_a_touch_in_3d((b, s) in box_and_sphere::<3>()) { check_variants(&b, &s); }

    #[test]
    fn overlap_variants_agree_and_never_reject_a_touch_in_10d((b, s) in box_and_sphere::<10>()) { check_variants(&b, &s); }

    #[test]
    fn hollow_bodies_are_parts_of_solid_ones((b, s) in box_and_sphere::<2>()) {
        let [both, ring, frame, outlines] = BODIES.map(|(box_body, body)| box_sphere(&b, box_body, &s, body));
        prop_assert!(both || !(ring || frame));
        prop_assert!((ring && frame) || !outlines);
    }

    #[test]
    fn box_sphere_keeps_its_answer_under_mirrors_and_swapped_axes((b, s) in box_and_sphere::<2>()) {
        let mirrored = Aabb { min: [-b.max[0], b.min[1]], max: [-b.min[0], b.max[1]] };
        let mirrored_sphere = Sphere { center: [-s.center[0], s.center[1]], ..s };
        let swapped = Aabb { min: [b.min[1], b.min[0]], max: [b.max[1], b.max[0]] };
        let swapped_sphere = Sphere { center: [s.center[1], s.center[0]], ..s };
        for (box_body, body) in BODIES {
            let answer = box_sphere(&b, box_body, &s, body);
            prop_assert_eq!(box_sphere(&mirrored, box_body, &mirrored_sphere, body), answer);
            prop_assert_eq!(box_sphere(&swapped, box_body, &swapped_sphere, body), answer);
        }
    }

    #[test]
    fn box_sphere_keeps_its_answer_under_powers_of_two_and_shifts(
        corners in prop::array::uniform4(-50i16..50), center in prop::array::uniform2(-50i16..50), radius in 0i16..80,
        power in -140i32..110, shift in prop::array::uniform2(-1000i16..1000),
    ) {
        let [left, top, right, bottom] = corners.map(f32::from);
        let b = Aabb { min: [left.min(right), top.min(bottom)], max: [left.max(right), top.max(bottom)] };
        let s = Circle { center: center.map(f32::from), radius: f32::from(radius) };
        // all of these are exact
        let scale = |number: f32| number * two_to(power);
        let scaled = Aabb { min: b.min.map(scale), max: b.max.map(scale) };
        let scaled_circle = Circle { center: s.center.map(scale), radius: scale(s.radius) };
        let [dx, dy] = shift.map(f32::from);
        let moved = |[x, y]: [f32; 2]| [x + dx, y + dy];
        let shifted = Aabb { min: moved(b.min), max: moved(b.max) };
        let shifted_circle = Circle { center: moved(s.center), ..s };
        for (box_body, body) in BODIES {
            let answer = box_sphere(&b, box_body, &s, body);
            prop_assert_eq!(box_sphere(&scaled, box_body, &scaled_circle, body), answer);
            prop_assert_eq!(box_sphere(&shifted, box_body, &shifted_circle, body), answer);
        }
    }
}

#[test]
fn box_sphere_agrees_with_whole_numbers_on_a_dense_grid() {
    // every box and circle of a small grid, where most answers are touches
    let steps = || (-3i8..=3).map(f32::from);
    for (left, right) in steps().flat_map(|a| steps().map(move |b| (a, b))).filter(|(a, b)| a <= b) {
        for (top, bottom) in [(-2.0, 2.0), (-1.0, -1.0), (0.0, 3.0), (1.0, 2.0)] {
            let b = Aabb { min: [left, top], max: [right, bottom] };
            for center in steps().flat_map(|x| steps().map(move |y| [x, y])) {
                for radius in [0.0, 1.0, 2.0, 5.0] {
                    check_sphere(&b, &Circle { center, radius });
                    check_ellipsoid(&b, &Ellipsoid { center, radii: [radius, 1.0] });
                }
            }
        }
    }
}
