//! Geometry that breaks renderers: everything at one point, nothing in sight, numbers at the ends of `f32`.
//!
//! Each picture has a property that needs no second renderer to check: one shape alone, one colour, a straight edge.
//!
//! `docs/performance.md` has the time that each takes.

use std::borrow::Cow;

use glam::Vec3;
use roundel::circles::{Blend, Canvas, CircleScene, Layer, PaintedCircle};
use roundel::spheres::{Background, Camera, PaintedSphere, Projection, Shading, SphereGroup, SphereScene, View};
use roundel::{Frame, RenderSettings, Scene, Srgba8, render};

const RED: Srgba8 = Srgba8::rgb(200, 30, 40);
const BLUE: Srgba8 = Srgba8::rgb(20, 60, 210);

fn draw(scene: &Scene<'_>) -> Frame {
    render(scene, &RenderSettings::default()).expect("the scene is valid")
}

fn circles(width: u32, height: u32, circles: &[PaintedCircle]) -> Frame {
    let canvas = Canvas { width, height, background: Srgba8::WHITE, blend: Blend::Srgb };
    draw(&Scene::Circles(CircleScene { canvas, layers: vec![Layer::Circles(Cow::Borrowed(circles))] }))
}

fn circle(x: f32, y: f32, radius: f32, color: Srgba8) -> PaintedCircle {
    PaintedCircle { center: [x, y], radius, color }
}

fn camera_at_five() -> Camera {
    let projection = Projection::Perspective { fov_y_radians: 0.7 };
    Camera::look_at(Vec3::new(0.0, 0.0, 5.0), Vec3::ZERO).with_projection(projection)
}

fn spheres_seen_by(camera: Camera, width: u32, height: u32, spheres: &[PaintedSphere]) -> Frame {
    let groups = vec![SphereGroup::from(spheres)];
    let view = View::new(camera, width, height).with_background(Background::Solid(Srgba8::WHITE));
    draw(&Scene::Spheres(SphereScene::from(view).with_groups(groups)))
}

fn spheres(spheres: &[PaintedSphere]) -> Frame {
    spheres_seen_by(camera_at_five(), 64, 48, spheres)
}

fn sphere(center: [f32; 3], radius: f32, color: Srgba8) -> PaintedSphere {
    PaintedSphere { center, radius, color }
}

fn is_all(frame: &Frame, color: Srgba8) -> bool {
    frame.pixels().iter().all(|&pixel| pixel == color)
}

#[test]
fn ten_million_circles_on_one_pixel_are_as_opaque_as_paint_gets() {
    let faint = RED.with_alpha(1);
    let frame = circles(8, 8, &vec![circle(3.5, 3.5, 0.5, faint); 10_000_000]);
    let pixel = frame.pixel(3, 3).expect("inside");
    for (found, wanted) in [(pixel.r, RED.r), (pixel.g, RED.g), (pixel.b, RED.b), (pixel.a, 255)] {
        assert!(found.abs_diff(wanted) <= 1, "{pixel:?} should be {RED:?} within 1");
    }
    assert_eq!(frame.pixels().iter().filter(|&&pixel| pixel != Srgba8::WHITE).count(), 1);
}

#[test]
fn rim_of_a_circle_a_billion_pixels_wide_is_a_straight_edge() {
    // 10⁹ and 64 more are both exact in f32: the rim crosses y = 8 at x = 64
    let frame = circles(128, 16, &[circle(1e9 + 64.0, 8.0, 1e9, BLUE)]);
    for y in 0..16 {
        for x in 0..128 {
            let wanted = if x < 64 { Srgba8::WHITE } else { BLUE };
            assert_eq!(frame.pixel(x, y), Some(wanted), "pixel {x}, {y}");
        }
    }
}

#[test]
fn circle_that_holds_the_whole_canvas_fills_it() {
    assert!(is_all(&circles(100, 70, &[circle(0.0, 0.0, 1e30, BLUE)]), BLUE));
    assert!(is_all(&circles(100, 70, &[circle(50.0, 35.0, f32::MAX, BLUE)]), BLUE));
}

#[test]
fn circles_out_of_reach_or_without_extent_leave_the_canvas_white() {
    let far = [1e30, -1e30, f32::MAX, f32::MIN]
        .into_iter()
        .flat_map(|x| [circle(x, 0.0, 1.0, RED), circle(0.0, x, 1e20, RED)]);
    let empty = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -1.0].map(|radius| circle(4.0, 4.0, radius, RED));
    let nowhere = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY].map(|x| circle(x, 4.0, 3.0, RED));
    let points = [0.0, f32::MIN_POSITIVE, 1e-30, f32::from_bits(1)].map(|radius| circle(4.5, 4.5, radius, RED));
    let all: Vec<_> = far.chain(empty).chain(nowhere).chain(points).collect();
    assert!(is_all(&circles(9, 9, &all), Srgba8::WHITE));
}

#[test]
fn picture_may_be_one_pixel_or_a_long_strip() {
    assert!(is_all(&circles(1, 1, &[circle(0.5, 0.5, 2.0, BLUE)]), BLUE));
    let strip = circles(65_536, 16, &[circle(65_528.0, 8.0, 4.0, BLUE), circle(8.0, 8.0, 4.0, RED)]);
    assert_eq!((strip.pixel(8, 8), strip.pixel(65_528, 8)), (Some(RED), Some(BLUE)));
    assert_eq!(strip.pixel(30_000, 8), Some(Srgba8::WHITE));
    let camera = camera_at_five().with_projection(Projection::Orthographic { height: 1.0 });
    let strip = spheres_seen_by(camera, 65_536, 16, &[sphere([0.0; 3], 0.4, BLUE)]);
    assert_ne!(strip.pixel(32_768, 8), Some(Srgba8::WHITE));
    // parallel rays: the outline is a circle of 0.4 × 16 = 6.4 pixels, and no pixel centre is near its rim
    let square = |pixel: i32| (f64::from(pixel) - 7.5) * (f64::from(pixel) - 7.5);
    let inside = (0..256).filter(|pixel| square(pixel % 16) + square(pixel / 16) < 6.4 * 6.4).count();
    let drawn = strip.pixels().iter().filter(|&&pixel| pixel != Srgba8::WHITE).count();
    assert_eq!(drawn, inside, "a disc of radius 6.4 pixels");
}

#[test]
fn picture_of_spheres_may_be_one_pixel() {
    let camera = camera_at_five();
    let frame = spheres_seen_by(camera, 1, 1, &[sphere([0.0; 3], 1.0, BLUE)]);
    // the only sample looks straight at the sphere, and the light comes from the eye
    assert!(is_all(&frame, BLUE));
    assert!(is_all(&spheres_seen_by(camera, 1, 1, &[sphere([9.0; 3], 1.0, BLUE)]), Srgba8::WHITE));
    let tall = spheres_seen_by(camera, 1, 4096, &[sphere([0.0; 3], 1.0, BLUE)]);
    let wide = spheres_seen_by(camera, 3, 4096, &[sphere([0.0; 3], 1.0, BLUE)]);
    let middle: Vec<_> = (0..4096).map(|y| wide.pixel(1, y).expect("inside")).collect();
    assert_eq!(tall.pixels(), middle, "one column is the middle one of three");
}

#[test]
fn sphere_of_a_million_units_has_a_straight_horizon() {
    // its top lies 1 below the eye: the horizon is 0.0014 below the middle, a tenth of a pixel
    let frame = spheres(&[sphere([0.0, -1e6 - 1.0, 0.0], 1e6, BLUE)]);
    for (index, &pixel) in frame.pixels().iter().enumerate() {
        assert_eq!(pixel == Srgba8::WHITE, index / 64 < 24, "pixel {}, {}", index % 64, index / 64);
    }
}

#[test]
fn coordinates_of_1e30_are_as_good_as_any_when_all_are() {
    let scaled = |scale: f32| {
        let mut camera = camera_at_five();
        camera.eye = Vec3::new(0.0, 0.0, 5.0 * scale);
        let all = [([0.0; 3], 1.0, BLUE), ([0.5, 0.5, 1.0], 0.5, RED)];
        let all = all.map(|(center, radius, color)| sphere(center.map(|x| x * scale), radius * scale, color));
        spheres_seen_by(camera, 64, 48, &all)
    };
    let plain = scaled(1.0);
    // powers of two round nothing: as long as squares are in range, not one pixel differs
    let two_to = |power: i32| f32::from_bits(u32::try_from(127 + power).expect("an exponent of f32") << 23);
    for power in [-30, -10, 10, 30] {
        assert!(scaled(two_to(power)) == plain, "2^{power}");
    }
    let far = scaled(two_to(98));
    assert!(is_all(&far, Srgba8::WHITE) || far == plain, "drawn right, or left out: squares overflow");
}

#[test]
fn copies_of_a_sphere_occlude_as_one_does() {
    let shaded = |count: usize| {
        let crowd = vec![sphere([0.0; 3], 1.0, BLUE); count];
        let groups = vec![SphereGroup::from(crowd)];
        let background = Background::Solid(Srgba8::WHITE);
        let view = View::new(camera_at_five(), 64, 48).with_background(background);
        let shading = Shading::default().with_ao_rays(4);
        draw(&Scene::Spheres(SphereScene::from(view).with_groups(groups).with_shading(shading)))
    };
    let alone = shaded(1);
    for count in [2, 17, 257, 1000, 1_000_000] {
        assert!(shaded(count) == alone, "{count} copies are as one");
    }
}

#[test]
fn million_spheres_at_one_point_look_like_the_first() {
    let mut crowd = vec![sphere([0.0; 3], 1.0, BLUE); 1_000_000];
    crowd[0].color = RED;
    assert_eq!(spheres(&crowd), spheres(&crowd[..1]));
}

#[test]
fn spheres_behind_the_eye_are_not_seen() {
    let behind: Vec<_> =
        (0..1000u16).map(|i| sphere([f32::from(i) - 500.0, 0.0, 7.0 + f32::from(i)], 1.5, RED)).collect();
    assert!(is_all(&spheres(&behind), Srgba8::WHITE));
}

#[test]
fn eye_inside_a_thousand_spheres_sees_the_innermost() {
    let shells: Vec<_> = (0..1000u16)
        .map(|i| sphere([0.0, 0.0, 5.0], 1.0 + f32::from((i * 7) % 1000), if i == 0 { RED } else { BLUE }))
        .collect();
    let frame = spheres(&shells);
    assert_eq!(frame, spheres(&shells[..1]));
    // the eye in the centre looks straight at the inside everywhere
    assert!(is_all(&frame, RED));
}

#[test]
fn radii_from_1e_minus_30_to_1e30_share_a_scene() {
    let mut all = [1e-30, 1e-20, 1e-10, 1e-5, 1e-2, 1e2, 1e5, 1e10, 1e20, 1e30]
        .map(|radius| sphere([0.0; 3], radius, BLUE))
        .to_vec();
    all.push(sphere([0.0; 3], 1.0, RED));
    let frame = spheres(&all);
    assert_eq!(frame.pixel(32, 24).map(|pixel| pixel.r > pixel.b), Some(true), "the red sphere is in front");
    // beside it the eye sees the inside of the sphere of radius 100
    assert_eq!(frame.pixel(0, 0).map(|pixel| pixel.b > pixel.r), Some(true));
}

#[test]
fn spheres_at_the_ends_of_f32_are_drawn_or_left_out_never_a_panic() {
    let ends = [f32::MAX, f32::MIN, 1e30, -1e30, f32::NAN, f32::INFINITY];
    let mut all: Vec<_> =
        ends.iter().flat_map(|&x| [sphere([x, 0.0, 0.0], 1.0, BLUE), sphere([0.0, x, x], 1e10, BLUE)]).collect();
    all.extend([f32::NAN, f32::INFINITY, -1.0].map(|radius| sphere([0.0; 3], radius, BLUE)));
    assert!(is_all(&spheres(&all), Srgba8::WHITE));
    all.push(sphere([0.0; 3], 1.0, RED));
    let alone = spheres(&all[all.len() - 1..]);
    assert_eq!(spheres(&all), alone);
}

#[test]
fn all_spheres_in_one_corner_look_as_they_do_alone() {
    let corner: Vec<_> = (0..200_000u32)
        .map(|i| {
            let step = |shift: u32| ((i >> shift) & 63) as f32 / 64.0;
            sphere([-2.2 + 0.2 * step(0), 1.5 + 0.2 * step(6), 0.2 * step(12)], 0.002, RED)
        })
        .collect();
    let frame = spheres(&corner);
    let seen = frame.pixels().iter().enumerate().filter(|(_, pixel)| **pixel != Srgba8::WHITE);
    assert!(seen.clone().count() > 0);
    assert!(seen.map(|(i, _)| (i % 64, i / 64)).all(|(x, y)| x < 12 && y < 12));
}
