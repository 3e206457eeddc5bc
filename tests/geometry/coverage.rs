//! The area of circle ∩ pixel: against quadrature, against itself at twice the size, and summed over pixels.

#![expect(clippy::cast_possible_truncation, reason = "inputs are rounded to f32, and pixel numbers are whole")]

use std::f64::consts::{FRAC_PI_2, PI};
use std::sync::LazyLock;

use dashu_ratio::RBig;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use roundel::geom::{Circle, pixel_coverage};

const NODES: usize = 20;

/// Nodes and weights of Gauss–Legendre quadrature on −1 … 1.
static QUADRATURE: LazyLock<[(f64, f64); NODES]> = LazyLock::new(|| {
    let legendre = |x: f64| {
        let (mut before, mut value) = (1.0, x);
        for k in 2..=NODES {
            let k = k as f64;
            (before, value) = (value, ((2.0 * k - 1.0) * x * value - (k - 1.0) * before) / k);
        }
        (value, NODES as f64 * (x * value - before) / (x * x - 1.0))
    };
    std::array::from_fn(|i| {
        let mut x = libm::cos(PI * (i as f64 + 0.75) / (NODES as f64 + 0.5));
        for _ in 0..20 {
            let (value, slope) = legendre(x);
            x -= value / slope;
        }
        let (_, slope) = legendre(x);
        (x, 2.0 / ((1.0 - x * x) * slope * slope))
    })
});

/// ∫ of the clipped chord over the pixel's width, with x = cx + r sin θ, so that the integrand has no steep part.
fn by_quadrature(c: &Circle, x: i32, y: i32) -> f64 {
    let (r, [cx, cy]) = (f64::from(c.radius), c.center.map(f64::from));
    let (left, top) = (f64::from(x) - cx, f64::from(y) - cy);
    let angle = |x: f64| libm::asin((x / r).clamp(-1.0, 1.0));
    // the chord's ends cross the pixel's top and bottom at these
    let (first, last) = (angle(left), angle(left + 1.0));
    let mut breaks = vec![first, last];
    for edge in [top, top + 1.0] {
        if edge.abs() < r {
            let x = (r * r - edge * edge).sqrt();
            breaks.extend([angle(x), angle(-x)].into_iter().filter(|&a| first < a && a < last));
        }
    }
    breaks.sort_by(f64::total_cmp);
    let mut area = 0.0;
    for pair in breaks.windows(2) {
        // pieces of a quarter at most: the integrand is smooth there
        let pieces = ((pair[1] - pair[0]) / (FRAC_PI_2 / 2.0)).ceil().max(1.0) as usize;
        let step = (pair[1] - pair[0]) / pieces as f64;
        for piece in 0..pieces {
            let middle = pair[0] + (piece as f64 + 0.5) * step;
            for &(node, weight) in QUADRATURE.iter() {
                let theta = middle + 0.5 * step * node;
                let half_chord = r * libm::cos(theta);
                let length = half_chord.clamp(top, top + 1.0) - (-half_chord).clamp(top, top + 1.0);
                area += 0.5 * step * weight * length.max(0.0) * half_chord;
            }
        }
    }
    area
}

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, rng_seed: RngSeed::Fixed(13), failure_persistence: None, ..ProptestConfig::default() }
}

/// A circle whose rim is near pixel (0, 0), at any angle.
fn near_pixel(radius: impl Strategy<Value = f32>) -> impl Strategy<Value = Circle> {
    (radius, 0.0f64..7.0, -0.2f64..1.2, -0.2f64..1.2).prop_map(|(radius, angle, x, y)| {
        let r = f64::from(radius);
        let center = [(x - r * libm::cos(angle)) as f32, (y - r * libm::sin(angle)) as f32];
        Circle { center, radius }
    })
}

proptest! {
    #![proptest_config(config(5000))]

    #[test]
    fn pixel_coverage_of_small_circles_agrees_with_quadrature(
        center in prop::array::uniform2(-1.5f32..2.5), radius in 0.01f32..3.0,
    ) {
        let c = Circle { center, radius };
        let (area, expected) = (pixel_coverage(&c, 0, 0), by_quadrature(&c, 0, 0));
        prop_assert!((area - expected).abs() < 1e-14, "{area} {expected}");
    }

    #[test]
    fn pixel_coverage_of_rims_agrees_with_quadrature(c in near_pixel(0.01f32..300.0)) {
        let (area, expected) = (pixel_coverage(&c, 0, 0), by_quadrature(&c, 0, 0));
        // the quadrature's own r·cos θ carries r ulps
        prop_assert!((area - expected).abs() < 1e-14 + 4e-16 * f64::from(c.radius), "{area} {expected}");
    }

    #[test]
    fn pixel_coverage_error_is_below_1e_14_at_any_radius(c in near_pixel(prop_oneof![
        0.1f32..1e3, 1e3f32..1e6, 1e6f32..1e10, 1e10f32..1e20, 1e20f32..1e37,
    ])) {
        // the four quarters of a pixel, twice as large
        let double = Circle { center: c.center.map(|x| 2.0 * x), radius: 2.0 * c.radius };
        let quarters: f64 = [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(x, y)| pixel_coverage(&double, x, y)).iter().sum();
        let area = pixel_coverage(&c, 0, 0);
        prop_assert!((area - quarters / 4.0).abs() < 1e-14, "{area} {}", quarters / 4.0);
    }

    #[test]
    fn pixel_coverage_is_symmetric(c in near_pixel(0.1f32..1e9)) {
        let [x, y] = c.center;
        let area = pixel_coverage(&c, 0, 0);
        let mirrored = pixel_coverage(&Circle { center: [-x, y], ..c }, -1, 0);
        let turned = pixel_coverage(&Circle { center: [y, x], ..c }, 0, 0);
        prop_assert!((area - mirrored).abs() < 1e-14 && (area - turned).abs() < 1e-14);
    }

    #[test]
    fn pixel_coverage_of_wide_rims_agrees_with_rationals(
        center in prop::array::uniform2(-1e8f32..1e8), radius in prop_oneof![1e4f32..1e6, 1e6f32..1e9], low in -0.3f64..0.3,
    ) {
        // a pixel whose left and right sides the rim crosses: the area is ∫ y(x) dx, y a root in fractions
        let c = Circle { center, radius };
        let x = (f64::from(center[0]) + low * f64::from(radius)).floor();
        let y = height(&c, [x, 0.0], 0.5).floor();
        let heights: Vec<f64> = QUADRATURE.iter().map(|&(node, _)| height(&c, [x, y], 0.5 + 0.5 * node)).collect();
        let crosses = [height(&c, [x, y], 0.0), height(&c, [x, y], 1.0)].iter().all(|height| (0.0..1.0).contains(height));
        let expected: f64 = heights.iter().zip(QUADRATURE.iter()).map(|(y, (_, weight))| 0.5 * weight * y).sum();
        let area = pixel_coverage(&c, x as i32, y as i32);
        prop_assert!(!crosses || (area - expected).abs() < 1e-14, "{area} {expected}");
    }
}

/// The upper y at which the rim passes `s` to the right of a corner, measured from the corner: Newton's method in
/// fractions of whole numbers.
fn height(c: &Circle, corner: [f64; 2], s: f64) -> f64 {
    let exact = |number: f64| RBig::try_from(number).expect("finite");
    let radius = f64::from(c.radius);
    let [cx, cy] = c.center.map(f64::from);
    let dx = exact(corner[0]) + exact(s) - exact(cx);
    let target = exact(radius).sqr() - dx.sqr();
    let dx = corner[0] + s - cx;
    let mut dy = exact((radius * radius - dx * dx).sqrt());
    for _ in 0..2 {
        let step = (&target - dy.sqr()) / (RBig::from(2) * &dy);
        // f64 holds each correction well enough
        dy += exact(step.to_f64().value());
    }
    (dy + exact(cy) - exact(corner[1])).to_f64().value()
}

#[test]
fn pixel_coverage_sums_to_the_circle() {
    for (center, radius) in
        [([0.3, -0.7], 0.2), ([0.5, 0.5], 0.5), ([1.25, 2.75], 3.5), ([-7.1, 9.9], 20.3), ([0.0, 0.0], 150.0)]
    {
        let c = Circle { center, radius };
        let reach = radius as i32 + 12;
        let area: f64 = (-reach..reach).flat_map(|y| (-reach..reach).map(move |x| pixel_coverage(&c, x, y))).sum();
        let whole = PI * f64::from(radius) * f64::from(radius);
        assert!((area - whole).abs() < 1e-13 * whole.max(1.0), "{area} {whole}");
    }
}

#[test]
fn pixel_coverage_is_0_outside_and_1_inside() {
    let c = Circle { center: [0.0, 0.0], radius: 5.0 };
    assert_eq!(pixel_coverage(&c, 2, 3), 1.0, "the far corner (3, 4) is on the rim");
    assert_eq!(pixel_coverage(&c, 3, 4), 0.0, "the near corner is on the rim");
    assert_eq!(pixel_coverage(&c, 5, 0), 0.0, "the rim touches a side");
    let inner = Circle { center: [0.5, 0.5], radius: 0.5 };
    assert!((pixel_coverage(&inner, 0, 0) - PI / 4.0).abs() < 1e-15, "touches all four sides");
    assert_eq!(pixel_coverage(&Circle { radius: 0.0, ..c }, 0, 0), 0.0, "a point has no area");
}

#[test]
fn pixel_coverage_of_almost_enclosed_circles_is_almost_all_of_them() {
    // a sliver sticks out of one side: the arc inside is nearly a full circle
    for out in [1e-1, 1e-3, 1e-5, 1e-7] {
        let c = Circle { center: [0.25 - out, 0.5], radius: 0.25 };
        let (area, expected) = (pixel_coverage(&c, 0, 0), by_quadrature(&c, 0, 0));
        assert!((area - expected).abs() < 1e-14, "{out}: {area} {expected}");
    }
}

#[test]
fn pixel_coverage_reaches_the_last_pixels() {
    let everywhere = Circle { center: [0.0, 0.0], radius: f32::MAX };
    for (x, y) in [(i32::MAX, i32::MAX), (i32::MIN, i32::MIN), (i32::MIN, i32::MAX), (0, 0)] {
        assert_eq!(pixel_coverage(&everywhere, x, y), 1.0);
    }
    // x ≤ 2³⁰ + ½ is no f32, so the rim is put there by the radius: 2³⁰ + 128 is one
    let rim = Circle { center: [0.0, 0.0], radius: 1_073_741_952.0 };
    assert_eq!(pixel_coverage(&rim, 1_073_741_952, 0), 0.0);
    let last = pixel_coverage(&rim, 1_073_741_951, 0);
    // area lost to the rim's curvature: ∫ y² / 2r = 1 / 6r
    assert!((1.0 - last - 1.0 / (6.0 * 1_073_741_952.0)).abs() < 1e-15, "{last}");
    // half of a plane that begins at 0, seen from 10³⁰ away
    let half = Circle { center: [1e30, 0.5], radius: 1e30 };
    assert_eq!((pixel_coverage(&half, 0, 0), pixel_coverage(&half, -1, 0)), (1.0, 0.0));
}
