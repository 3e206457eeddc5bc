//! Boxes, spheres, ellipsoids, rays and planes with random bits against rational arithmetic.

use roundel::geom::Body::{Hollow, Solid};
use roundel::geom::{
    Aabb, Circle, Ellipsoid, Plane, Ray, RaySphere, Side, Sphere, box_ellipsoid, box_sphere, overlap, pixel_coverage,
    ray_sphere,
};
use roundel::glam::Vec3;

use super::engine::{Input, fuzz};
use super::oracle::planes::{check_plane, check_plane_box};
use super::oracle::rays::{Line, check_case};
use super::oracle::{BODIES, check_ellipsoid, check_sphere, check_variants};

/// The first numbers of an input, padded with 0.
fn numbers<const COUNT: usize>(input: &[u8]) -> [f32; COUNT] {
    let mut each = input.chunks_exact(4).map(|bytes| f32::from_le_bytes(bytes.try_into().expect("four bytes")));
    std::array::from_fn(|_| each.next().unwrap_or(0.0))
}

fn first<const N: usize>(numbers: [f32; 3]) -> [f32; N] {
    std::array::from_fn(|axis| numbers[axis])
}

#[test]
fn boxes_agree_with_rationals_whatever_their_bits() {
    fuzz("boxes", Input::Floats, |input| {
        check_boxes::<1>(input);
        check_boxes::<2>(input);
        check_boxes::<3>(input);
    });
}

/// An input is min, max, centre and radii, of three axes each.
fn check_boxes<const N: usize>(input: &[u8]) {
    let [x0, y0, z0, x1, y1, z1, cx, cy, cz, rx, ry, rz] = numbers(input);
    let b = Aabb::<N> { min: first([x0, y0, z0]), max: first([x1, y1, z1]) };
    let e = Ellipsoid::<N> { center: first([cx, cy, cz]), radii: first([rx, ry, rz]) };
    let s = Sphere::<N> { center: e.center, radius: rx };
    let finite = |numbers: &[f32]| numbers.iter().all(|number| number.is_finite());
    let box_is_body = finite(&b.min) && finite(&b.max) && b.min.iter().zip(b.max).all(|(min, max)| *min <= max);
    let is_body = |radii: &[f32]| box_is_body && finite(&e.center) && radii.iter().all(|r| r.is_finite() && *r >= 0.0);
    if is_body(&[s.radius]) {
        check_sphere(&b, &s);
        check_variants(&b, &s);
    } else {
        assert!(BODIES.iter().all(|&(outer, inner)| !box_sphere(&b, outer, &s, inner)), "{b:?}, {s:?}");
        assert!(
            !overlap::arvo(&b, &s) && !overlap::branchless(&b, &s) && !overlap::half_extent(&b, &s),
            "{b:?}, {s:?}"
        );
        assert!(!overlap::quick_first(&b, &s) && !overlap::quick_interwoven(&b, &s), "{b:?}, {s:?}");
    }
    if is_body(&e.radii) {
        check_ellipsoid(&b, &e);
    } else {
        assert!(BODIES.iter().all(|&(outer, inner)| !box_ellipsoid(&b, outer, &e, inner)), "{b:?}, {e:?}");
    }
    if N == 3 && is_body(&[s.radius]) {
        let solid = Aabb { min: [x0, y0, z0], max: [x1, y1, z1] };
        check_plane_box(&solid, &Sphere { center: [cx, cy, cz], radius: rx });
    }
    if let (2, Some(x), Some(y)) = (N, whole(x0), whole(y0)) {
        check_coverage(&Circle { center: [cx, cy], radius: rx }, x, y);
    }
}

/// A pixel's column or row.
#[expect(clippy::cast_possible_truncation, reason = "whole numbers of 31 bits are asked for")]
fn whole(number: f32) -> Option<i32> {
    (number.abs() < 2e9).then(|| number.floor() as i32)
}

/// Of the area.
const BOUND: f64 = 1e-14;

/// Full, no or partial coverage, as the box tests say; a pixel's corners are only floats near the origin.
fn check_coverage(circle: &Circle, x: i32, y: i32) {
    let area = pixel_coverage(circle, x, y);
    assert!((0.0..=1.0).contains(&area), "{area}: {circle:?}, {x}, {y}");
    if x.abs().max(y.abs()) < 1 << 23 {
        #[expect(clippy::cast_precision_loss, reason = "fewer than 24 bits")]
        let (min, max) = ([x as f32, y as f32], [(x + 1) as f32, (y + 1) as f32]);
        let pixel = Aabb { min, max };
        if !box_sphere(&pixel, Solid, circle, Solid) {
            assert!(area < BOUND, "{area}, apart: {circle:?}, {x}, {y}");
        } else if !box_sphere(&pixel, Solid, circle, Hollow) {
            assert!(area > 1.0 - BOUND, "{area}, inside: {circle:?}, {x}, {y}");
        }
    }
}

/// An input is origin, direction and centre, of three axes each, and the radius.
#[test]
fn rays_agree_with_rationals_whatever_their_bits() {
    fuzz("rays", Input::Floats, |input| {
        let [ox, oy, oz, dx, dy, dz, cx, cy, cz, radius] = numbers(input);
        check_ray::<1>([ox, oy, oz], [dx, dy, dz], [cx, cy, cz], radius);
        check_ray::<2>([ox, oy, oz], [dx, dy, dz], [cx, cy, cz], radius);
        check_ray::<3>([ox, oy, oz], [dx, dy, dz], [cx, cy, cz], radius);
    });
}

fn check_ray<const N: usize>(origin: [f32; 3], direction: [f32; 3], center: [f32; 3], radius: f32) {
    let ray = Ray::<N> { origin: first(origin), direction: first(direction) };
    let s = Sphere::<N> { center: first(center), radius };
    let answer = ray_sphere(&ray, &s);
    let coordinates = ray.origin.iter().chain(&ray.direction).chain(&s.center);
    if coordinates.chain([&radius]).all(|number| number.is_finite()) && radius >= 0.0 {
        check_case(&Line::new(&ray, &s), answer);
    } else {
        assert_eq!(answer, RaySphere::Miss, "{ray:?}, {s:?}");
    }
    match answer {
        RaySphere::Miss => {}
        RaySphere::Tangent { t } | RaySphere::Inside { exit: t } => assert!(t >= 0.0, "{answer:?}: {ray:?}, {s:?}"),
        RaySphere::Outside { enter, exit } => assert!(0.0 <= enter && enter <= exit, "{answer:?}: {ray:?}, {s:?}"),
    }
}

/// An input is normal, offset, centre and radius.
#[test]
fn planes_agree_with_rationals_whatever_their_bits() {
    fuzz("planes", Input::Floats, |input| {
        let [nx, ny, nz, offset, cx, cy, cz, radius] = numbers(input);
        let plane = Plane { normal: Vec3::new(nx, ny, nz), offset };
        let s = Sphere { center: [cx, cy, cz], radius };
        let is_body = [cx, cy, cz, radius].iter().all(|number| number.is_finite()) && radius >= 0.0;
        if !is_body {
            assert_eq!(plane.side(&s), Side::Outside, "{plane:?}, {s:?}");
        } else if plane.normal.is_finite() && offset.is_finite() {
            check_plane(&plane, &s);
        }
        // any direction makes a plane
        let through = Plane::through(Vec3::new(cx, cy, cz), plane.normal);
        if is_body && through != Plane::UNBOUNDED && through.offset.is_finite() {
            assert!((through.normal.length() - 1.0).abs() < 1e-6, "{through:?}");
            check_plane(&through, &s);
        }
    });
}
