//! Planes and six-plane solids against spheres: against the exact box test, and against the distance to a frustum
//! made of triangles.
#![expect(clippy::cast_possible_truncation, reason = "inputs are rounded to f32 on purpose")]

use glam::camera::rh::proj::directx::{
    frustum, orthographic, perspective, perspective_infinite, perspective_infinite_reverse,
};
use glam::camera::rh::view::look_at_mat4;
use glam::{DVec3, Mat4, Quat, Vec3};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use roundel::geom::{Aabb, Body, Plane, PlaneBox, Side, Sphere, box_sphere};

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, rng_seed: RngSeed::Fixed(17), failure_persistence: None, ..ProptestConfig::default() }
}

fn vector(reach: f32) -> impl Strategy<Value = Vec3> {
    prop::array::uniform3(-reach..reach).prop_map(Vec3::from)
}

fn ball(center: Vec3, radius: f32) -> Sphere<3> {
    Sphere { center: center.to_array(), radius }
}

// ---------------------------------------------------------------------------------------------------------------------
// the oracle: a solid by its eight corners

/// Corner `i` has x from bit 0, y from bit 1 and z from bit 2.
type Corners = [DVec3; 8];

/// The faces as loops of corners, seen from outside or inside.
const FACES: [[usize; 4]; 6] = [[0, 1, 3, 2], [4, 5, 7, 6], [0, 1, 5, 4], [2, 3, 7, 6], [0, 2, 6, 4], [1, 3, 7, 5]];

/// The signed distance of a point from the surface: negative inside.
fn distance(corners: &Corners, p: DVec3) -> f64 {
    let middle = corners.iter().sum::<DVec3>() / 8.0;
    let mut inside = true;
    let mut nearest = f64::INFINITY;
    for [a, b, c, d] in FACES.map(|face| face.map(|corner| corners[corner])) {
        let normal = (b - a).cross(c - a).normalize();
        let outward = if normal.dot(a - middle) > 0.0 { normal } else { -normal };
        inside &= outward.dot(p - a) <= 0.0;
        nearest = nearest.min(to_triangle(p, a, b, c)).min(to_triangle(p, a, c, d));
    }
    if inside { -nearest } else { nearest }
}

/// The distance to a triangle: to its plane where the foot falls inside, else to its sides.
fn to_triangle(p: DVec3, a: DVec3, b: DVec3, c: DVec3) -> f64 {
    let normal = (b - a).cross(c - a);
    let sides = [(a, b), (b, c), (c, a)];
    if sides.iter().all(|&(from, to)| normal.cross(to - from).dot(p - from) >= 0.0) {
        return normal.dot(p - a).abs() / normal.length();
    }
    let to_side = |(from, to): (DVec3, DVec3)| {
        let along = ((p - from).dot(to - from) / (to - from).length_squared()).clamp(0.0, 1.0);
        (from + along * (to - from)).distance(p)
    };
    sides.map(to_side).into_iter().fold(f64::INFINITY, f64::min)
}

/// Both answers against the oracle, unless too close to call: f32 planes are off by some 10⁻⁷ of the coordinates.
fn check(solid: &PlaneBox, corners: &Corners, s: &Sphere<3>) -> Result<(), TestCaseError> {
    let (d, r) = (distance(corners, Vec3::from(s.center).as_dvec3()), f64::from(s.radius));
    let size = corners.iter().fold(1.0, |size: f64, corner| size.max(corner.length()));
    let doubt = 4e-6 * size.max(Vec3::from(s.center).as_dvec3().length());
    let expected = if d > r {
        Side::Outside
    } else if d < -r {
        Side::Inside
    } else {
        Side::Intersecting
    };
    if (d.abs() - r).abs() > doubt {
        prop_assert_eq!(solid.side_of_exact(s), expected, "distance {}, {:?}", d, s);
        let quick = solid.side_of(s);
        let keeps = quick == Side::Intersecting && expected == Side::Outside;
        prop_assert!(quick == expected || keeps, "{:?} for {:?}, {:?}", quick, expected, s);
    }
    Ok(())
}

/// The corners of a view frustum, without a matrix.
fn frustum_corners(eye: Vec3, target: Vec3, tan: [f64; 2], near: f64, far: f64) -> Corners {
    let (eye, target) = (eye.as_dvec3(), target.as_dvec3());
    let forward = (target - eye).normalize();
    let right = forward.cross(DVec3::Y).normalize();
    let up = right.cross(forward);
    std::array::from_fn(|i| {
        let sign = |bit: usize| if i & bit == 0 { -1.0 } else { 1.0 };
        let depth = if i & 4 == 0 { far } else { near };
        eye + depth * (forward + sign(1) * tan[0] * right + sign(2) * tan[1] * up)
    })
}

proptest! {
    #![proptest_config(config(20_000))]

    #[test]
    fn plane_box_of_an_aabb_agrees_with_box_sphere(
        corners in prop::array::uniform6(-8i8..8), center in prop::array::uniform3(-12i8..12), radius in 0u8..12,
    ) {
        let [a, b, c, d, e, f] = corners.map(f32::from);
        let region = Aabb { min: [a.min(d), b.min(e), c.min(f)], max: [a.max(d), b.max(e), c.max(f)] };
        let s = Sphere { center: center.map(f32::from), radius: f32::from(radius) };
        let solid = PlaneBox::from_aabb(&region);
        let overlaps = box_sphere(&region, Body::Solid, &s, Body::Solid);
        let crosses = box_sphere(&region, Body::Hollow, &s, Body::Solid);
        let expected = match (overlaps, crosses) {
            (false, _) => Side::Outside,
            (true, true) => Side::Intersecting,
            (true, false) => Side::Inside,
        };
        // many of these touch
        prop_assert_eq!(solid.side_of_exact(&s), expected, "{:?} {:?}", region, s);
        let quick = solid.side_of(&s);
        prop_assert!(quick == expected || (quick == Side::Intersecting && !overlaps));
    }

    #[test]
    fn plane_box_of_an_aabb_never_drops_what_box_sphere_keeps(
        corners in prop::array::uniform6(-1e3f32..1e3), center in prop::array::uniform3(-2e3f32..2e3), ulps in -3i32..4,
    ) {
        let [a, b, c, d, e, f] = corners;
        let region = Aabb { min: [a.min(d), b.min(e), c.min(f)], max: [a.max(d), b.max(e), c.max(f)] };
        let gaps: [f64; 3] = std::array::from_fn(|i| {
            f64::from((region.min[i] - center[i]).max(center[i] - region.max[i]).max(0.0))
        });
        let gap = gaps.iter().map(|gap| gap * gap).sum::<f64>().sqrt();
        let s = Sphere { center, radius: (gap as f32 * (1.0 + ulps as f32 * f32::EPSILON)).max(0.0) };
        let side = PlaneBox::from_aabb(&region).side_of_exact(&s);
        if box_sphere(&region, Body::Solid, &s, Body::Solid) {
            prop_assert_ne!(side, Side::Outside);
        } else {
            // the documented slack, 10⁻¹² of the largest coordinate
            let wider = Sphere { radius: s.radius + 1e-9, ..s };
            prop_assert!(side == Side::Outside || box_sphere(&region, Body::Solid, &wider, Body::Solid) || s.radius < 2e-9);
        }
    }

    #[test]
    fn oriented_box_agrees_with_its_triangles(
        center in vector(10.0), half in prop::array::uniform3(0.1f32..5.0), turn in prop::array::uniform4(-1.0f32..1.0),
        at in vector(15.0), radius in 0.0f32..8.0,
    ) {
        let turn = Quat::from_array(turn);
        prop_assume!(turn.length() > 0.1);
        let rotation = turn.as_dquat().normalize();
        let corners = std::array::from_fn(|i| {
            let sign = |bit: usize| if i & bit == 0 { -1.0 } else { 1.0 };
            center.as_dvec3() + rotation * (DVec3::new(sign(1), sign(2), sign(4)) * Vec3::from(half).as_dvec3())
        });
        check(&PlaneBox::oriented(center, Vec3::from(half), turn), &corners, &ball(at, radius))?;
    }

    #[test]
    fn perspective_frustum_agrees_with_its_triangles(
        eye in vector(10.0), target in vector(10.0), fov in 0.1f32..2.5, aspect in 0.3f32..3.0, near in 0.01f32..2.0,
        depth in 0.5f32..60.0, at in vector(40.0), radius in 0.0f32..20.0,
    ) {
        let away = target - eye;
        prop_assume!(away.length() > 0.5 && away.normalize().y.abs() < 0.98);
        let far = near + depth;
        let matrix = perspective(fov, aspect, near, far) * look_at_mat4(eye, target, Vec3::Y);
        let tan = libm::tan(f64::from(fov) / 2.0);
        let corners = frustum_corners(eye, target, [tan * f64::from(aspect), tan], near.into(), far.into());
        check(&PlaneBox::from_view_projection(matrix), &corners, &ball(at, radius))?;
    }

    #[test]
    fn side_of_exact_is_right_around_a_flat_frustum(
        at in vector(12.0), radius in 0.0f32..6.0,
    ) {
        // wide and low: sharp edges between top and bottom
        let solid = PlaneBox::from_view_projection(frustum(-2.0, 2.0, -0.05, 0.05, 1.0, 4.0));
        let corners = frustum_corners(Vec3::ZERO, Vec3::NEG_Z, [2.0, 0.05], 1.0, 4.0);
        check(&solid, &corners, &ball(at, radius))?;
    }

    #[test]
    fn plane_side_never_errs_but_toward_intersecting(
        point in vector(100.0), normal in vector(1.0), center in vector(100.0), radius in 0.0f32..50.0,
    ) {
        prop_assume!(normal.length() > 1e-3);
        let plane = Plane::through(point, normal);
        let unit = normal.as_dvec3().normalize();
        let d = unit.dot((center - point).as_dvec3());
        let r = f64::from(radius);
        // rounding of the plane to f32: of the normal over 350 units, of the offset
        let doubt = 5e-5;
        match plane.side(&ball(center, radius)) {
            Side::Outside => prop_assert!(d > r - doubt),
            Side::Inside => prop_assert!(d < -r + doubt),
            Side::Intersecting => prop_assert!(d.abs() < r + doubt),
        }
        prop_assert!((f64::from(plane.signed_distance(center)) - d).abs() < doubt);
    }
}

#[test]
fn plane_through_takes_any_length_of_normal() {
    for scale in [1e-38_f32, 1e-20, 1.0, 1e20, 1e38] {
        let plane = Plane::through(Vec3::new(1.0, 2.0, 3.0), Vec3::new(0.0, -scale, 0.0));
        assert_eq!((plane.normal, plane.offset), (Vec3::NEG_Y, -2.0), "{scale}");
    }
    for nowhere in [Vec3::ZERO, Vec3::NAN, Vec3::INFINITY] {
        assert_eq!(Plane::through(Vec3::ONE, nowhere), Plane::UNBOUNDED);
    }
    assert_eq!(Plane::UNBOUNDED.signed_distance(Vec3::splat(f32::MAX)), f32::NEG_INFINITY);
    assert_eq!(Plane::UNBOUNDED.side(&ball(Vec3::splat(f32::MAX), f32::MAX)), Side::Inside);
}

#[test]
fn plane_touched_from_either_side_is_intersected() {
    let plane = Plane { normal: Vec3::X, offset: 16_777_216.0 };
    let at = |x: f32, radius| plane.side(&ball(Vec3::new(x, 1e6, -1e6), radius));
    assert_eq!([at(16_777_214.0, 2.0), at(16_777_218.0, 2.0)], [Side::Intersecting; 2]);
    assert_eq!(at(16_777_214.0, 2.0_f32.next_down()), Side::Inside);
    assert_eq!(at(16_777_218.0, 2.0_f32.next_down()), Side::Outside);
}

#[test]
fn frustum_planes_carry_their_names() {
    let solid = PlaneBox::from_view_projection(orthographic(-1.0, 2.0, -3.0, 4.0, 5.0, 6.0));
    let near = |plane: Plane, normal: Vec3, offset: f32| {
        assert!((plane.normal - normal).length() < 1e-6 && (plane.offset - offset).abs() < 1e-5, "{plane:?}");
    };
    near(solid.left, Vec3::NEG_X, 1.0);
    near(solid.right, Vec3::X, 2.0);
    near(solid.bottom, Vec3::NEG_Y, 3.0);
    near(solid.top, Vec3::Y, 4.0);
    near(solid.front, Vec3::Z, -5.0);
    near(solid.back, Vec3::NEG_Z, 6.0);
}

#[test]
fn sphere_behind_the_eye_is_outside_of_the_frustum() {
    let solid = PlaneBox::from_view_projection(perspective(1.0, 1.0, 0.5, 100.0));
    for (z, radius, side) in [(3.0, 1.0, Side::Outside), (0.0, 0.4, Side::Outside), (3.0, 4.0, Side::Intersecting)] {
        let s = ball(Vec3::new(0.0, 0.0, z), radius);
        assert_eq!((solid.side_of(&s), solid.side_of_exact(&s)), (side, side), "{z} {radius}");
    }
}

#[test]
fn frustum_without_far_plane_keeps_what_is_far() {
    let look = look_at_mat4(Vec3::new(3.0, 4.0, 5.0), Vec3::ZERO, Vec3::Y);
    for projection in [perspective_infinite(1.0, 1.5, 0.1), perspective_infinite_reverse(1.0, 1.5, 0.1)] {
        let solid = PlaneBox::from_view_projection(projection * look);
        assert_eq!(solid.back, Plane::UNBOUNDED);
        assert!(solid.front.normal.dot(Vec3::new(3.0, 4.0, 5.0)) > 0.0, "toward the eye");
        for away in [10.0, 1e6, 1e20, 1e30] {
            let ahead = ball(Vec3::new(-3.0, -4.0, -5.0) * away, away / 10.0);
            let behind = ball(Vec3::new(3.0, 4.0, 5.0) * away, away / 10.0);
            assert_eq!((solid.side_of(&ahead), solid.side_of_exact(&ahead)), (Side::Inside, Side::Inside), "{away}");
            assert_eq!(solid.side_of(&behind), Side::Outside, "{away}");
        }
    }
}

#[test]
fn frustum_with_depth_reversed_is_the_same_solid() {
    let look = look_at_mat4(Vec3::new(0.0, 1.0, 9.0), Vec3::ZERO, Vec3::Y);
    let solid = PlaneBox::from_view_projection(perspective(0.8, 1.0, 1.0, 20.0) * look);
    let reversed = PlaneBox::from_view_projection(perspective(0.8, 1.0, 20.0, 1.0) * look);
    for (a, b) in solid.planes().iter().zip(reversed.planes()) {
        assert!((a.normal - b.normal).length() < 1e-5 && (a.offset - b.offset).abs() < 1e-4, "{a:?} {b:?}");
    }
}

#[test]
fn matrix_that_is_no_view_keeps_everything() {
    let s = ball(Vec3::new(1e3, -1e3, 1e3), 1.0);
    for matrix in [Mat4::from_cols_array(&[f32::NAN; 16]), Mat4::ZERO] {
        let solid = PlaneBox::from_view_projection(matrix);
        assert_ne!((solid.side_of(&s), solid.side_of_exact(&s)), (Side::Outside, Side::Outside));
    }
}

#[test]
fn solid_of_contradictory_planes_has_nothing_inside() {
    let inverted = PlaneBox::oriented(Vec3::ZERO, Vec3::new(1.0, -1.0, 1.0), Quat::IDENTITY);
    assert_eq!(inverted.side_of(&ball(Vec3::ZERO, 100.0)), Side::Outside);
    // x ≤ −1 and x ≥ 1: each plane alone is within reach
    let room = PlaneBox::from_aabb(&Aabb { min: [-1.0; 3], max: [1.0; 3] });
    let split = PlaneBox {
        left: Plane { normal: Vec3::NEG_X, offset: -1.0 },
        right: Plane { normal: Vec3::X, offset: -1.0 },
        ..room
    };
    let s = ball(Vec3::ZERO, 100.0);
    assert_eq!((split.side_of(&s), split.side_of_exact(&s)), (Side::Intersecting, Side::Outside));
}

#[test]
fn flat_oriented_box_is_a_plate() {
    let plate = PlaneBox::oriented(Vec3::ZERO, Vec3::new(2.0, 0.0, 2.0), Quat::IDENTITY);
    let at = |y, radius| plate.side_of_exact(&ball(Vec3::new(0.5, y, 0.5), radius));
    assert_eq!([at(1.0, 1.0), at(-1.0, 1.0), at(0.0, 0.0)], [Side::Intersecting; 3]);
    assert_eq!([at(1.0, 0.999), at(-1.0, 0.999)], [Side::Outside; 2]);
}
