//! Looks: outlines, lights, fog and flat colours, each against a slow and obvious computation of the same thing.

use super::pixels::{
    ExactView, assert_crops_equal_the_whole, assert_settings_change_no_byte, drawn, few_digits, single,
};
use crate::oracle::random::Random;
use roundel::Srgba8;
use roundel::color::{linear_from_srgb8, srgb8_from_linear};
use roundel::glam::{DVec3, Vec3};
use roundel::spheres::{
    AmbientOcclusion, Anchor, Camera, DirectionalLight, PaintedSphere, Pose, Projection, Shading, ShadingPreset,
    SphereGroup, SphereScene, View,
};

pub(crate) const RED: Srgba8 = Srgba8::rgb(255, 0, 0);
pub(crate) const BLUE: Srgba8 = Srgba8::rgb(0x20, 0x60, 0xc0);

pub(crate) fn sphere(center: [f32; 3], radius: f32, color: Srgba8) -> PaintedSphere {
    PaintedSphere::new(center, radius, color)
}

/// A look without outlines, fog, occlusion or shadows.
pub(crate) fn plain(look: ShadingPreset) -> Shading {
    let mut shading = Shading::preset(look).with_outline_width(0.0).with_fog(0.0);
    shading.shadows = false;
    shading.with_ambient_occlusion(AmbientOcclusion::Off)
}

/// Spheres of two parts, some far behind others, in two copies.
fn crowd() -> SphereGroup<'static> {
    let mut random = Random::new(5);
    let colors = [RED, BLUE, Srgba8::rgb(0xe0, 0xc0, 0x30), Srgba8::WHITE];
    let spheres = (0..300).map(|index| {
        let numbers = [[-3.0, 3.0], [-2.0, 2.0], [-4.0, 2.0], [0.05, 0.5]].map(|[low, high]| random.within(low, high));
        let [x, y, z, radius] = few_digits(numbers);
        sphere([x, y, z], radius, colors[index % 4])
    });
    let spheres: Vec<_> = spheres.collect();
    let parts: Vec<u32> = (0..300).map(|index| index / 100).collect();
    SphereGroup::new(spheres, vec![Pose::IDENTITY, Pose::from_translation([0.5, -0.25, -1.0])]).with_parts(parts)
}

fn perspective() -> Camera {
    Camera::look_at([1.5, 1.0, 8.0], [0.0, 0.0, -1.0]).with_projection(Projection::perspective_degrees(48.0))
}

/// The first crossing of a ray and a sphere in `f64`.
pub(crate) fn hit(view: &View, [x, y]: [f32; 2], spheres: &[PaintedSphere]) -> Option<(usize, f64, DVec3)> {
    let ray = view.ray(x, y);
    let (origin, direction) = (DVec3::from(ray.origin.map(f64::from)), DVec3::from(ray.direction.map(f64::from)));
    let mut nearest: Option<(usize, f64, DVec3)> = None;
    for (index, sphere) in spheres.iter().enumerate() {
        let toward = DVec3::from(sphere.center.map(f64::from)) - origin;
        let along = toward.dot(direction);
        let root = f64::from(sphere.radius) * f64::from(sphere.radius) - (toward - along * direction).length_squared();
        if root > 0.0 {
            let distance = along - root.sqrt();
            if distance > 0.0 && nearest.is_none_or(|(_, so_far, _)| distance < so_far) {
                nearest = Some((index, distance, origin + distance * direction));
            }
        }
    }
    nearest
}

#[test]
fn flat_pixels_are_exactly_the_color() {
    let colors: Vec<Srgba8> = (0..=255).map(|v| Srgba8::rgb(v, 255 - v, v.wrapping_mul(7))).collect();
    let spheres = colors
        .iter()
        .enumerate()
        .map(|(index, &color)| sphere([(index % 16) as f32, (index / 16) as f32, (index % 5) as f32], 0.6, color));
    for samples in [1, 3, 4, 7] {
        let camera = Camera::look_at([7.5, 7.5, 30.0], [7.5, 7.5, 0.0]).with_projection(Projection::orthographic(17.0));
        let scene = SphereScene::new(camera, 160, 160)
            .with_spheres(spheres.clone().collect::<Vec<_>>())
            .with_shading(plain(ShadingPreset::Flat).with_samples(samples));
        let frame = drawn(&scene);
        for color in &colors {
            assert!(frame.pixels().contains(color), "{color:?}, {samples} samples");
        }
        if samples == 1 {
            let known = |pixel: &Srgba8| colors.contains(pixel) || *pixel == Srgba8::WHITE;
            assert!(frame.pixels().iter().all(known), "no other colours");
        }
    }
}

/// Unoccluded surfaces that face the key light show exactly their colour; no unoccluded surface is darker than half of
/// it.
#[test]
fn a_surface_that_faces_the_light_shows_its_color() {
    let mut shading = Shading::preset(ShadingPreset::Studio).with_fog(0.0);
    shading.splat_radius = 0.0;
    let camera = Camera::look_at([0.0, 0.0, 20.0], [0.0; 3]).with_projection(Projection::orthographic(4.0));
    let scene =
        SphereScene::new(camera, 100, 100).with_spheres(vec![sphere([0.0; 3], 1.6, BLUE)]).with_shading(shading);
    let frame = drawn(&scene);
    // towards (-1, 1, 1)
    assert_eq!(frame.pixel(50 - 23, 50 - 23), Some(BLUE));
    assert_eq!(frame.pixel(50, 50), Some(BLUE), "and what faces the eye");
    let darkest = frame.pixel(50 + 27, 50 + 27).expect("a pixel").b;
    assert!((0x60..0xb0).contains(&darkest), "{darkest}");
}

#[test]
fn transparent_pictures_have_no_halo() {
    for look in [ShadingPreset::Flat, ShadingPreset::Illustrative] {
        let shading = Shading::preset(look).with_samples(4).with_outline_width(1.7);
        let spheres = vec![sphere([0.0; 3], 1.0, RED), sphere([0.8, 0.5, -0.7], 0.8, RED)];
        let scene = SphereScene::new(perspective(), 80, 60).with_spheres(spheres).with_shading(shading);
        let frame = drawn(&scene.with_background(Srgba8::TRANSPARENT));
        let translucent = frame.pixels().iter().filter(|pixel| (1..255).contains(&pixel.a));
        assert!(translucent.clone().count() > 40);
        for pixel in frame.pixels() {
            assert!((pixel.g, pixel.b) == (0, 0), "{look}: {pixel:?} is neither red nor black");
        }
        assert!(translucent.clone().all(|pixel| pixel.r < 250), "{look}: lines end the spheres");
    }
}

#[test]
fn settings_change_no_byte_of_any_look() {
    let light = DirectionalLight::new([1.0, -1.0, -0.6]).with_angle_degrees(20.0);
    for camera in [perspective(), perspective().with_projection(Projection::orthographic(6.0))] {
        for look in ShadingPreset::ALL {
            for lights in [Vec::new(), vec![light.into(), DirectionalLight::new([-1.0, -0.2, -1.0]).into()]] {
                let shading =
                    Shading::preset(look).with_samples(2).with_outline_width(2.4).with_fog(0.6).with_shadows();
                // some spheres are splats, some are lit individually, some blend both
                let shading = if look == ShadingPreset::Flat { shading } else { shading.with_splat_radius(4.0) };
                let scene = SphereScene::new(camera, 75, 53).with_spheres(crowd()).with_lights(lights);
                let scene = scene.with_shading(shading);
                assert_settings_change_no_byte(&scene, &[8, 13, 75], look.name());
            }
        }
    }
}

/// A crop equals the part of the whole: shapes beyond its edges still count.
#[test]
fn crops_equal_the_part_of_the_whole() {
    let looks = [ShadingPreset::Illustrative, ShadingPreset::Studio, ShadingPreset::Flat];
    for (look, splat_radius) in looks.into_iter().flat_map(|look| [(look, 0.0), (look, 6.0), (look, 20.0)]) {
        // with and without splats
        let shading = Shading::preset(look).with_outline_width(2.2).with_splat_radius(splat_radius);
        let draw = |camera: Camera, width: u32, height: u32| {
            drawn(&SphereScene::new(camera, width, height).with_spheres(crowd()).with_shading(shading))
        };
        assert_crops_equal_the_whole(draw, look.name());
    }
}

#[test]
fn fog_of_molecules_begins_at_the_front() {
    // the second stands in the front half
    let spheres = [[-1.0, 0.0, 0.0], [1.0, 0.0, -2.0], [0.0, 9.0, -10.0]].map(|center| sphere(center, 0.5, BLUE));
    let camera = Camera::look_at([0.0, 0.0, 9.0], [0.0, 0.0, 0.0]);
    let scene = SphereScene::new(camera, 60, 40).with_spheres(spheres.to_vec());
    let frame = |look: ShadingPreset, fog: f32| {
        let shading = Shading::preset(look).with_fog(fog).with_ambient_occlusion(AmbientOcclusion::Off);
        drawn(&scene.clone().with_shading(shading))
    };
    let faded = |look| {
        let [plain, foggy] = [0.0, 0.6].map(|fog| frame(look, fog));
        let differ = plain.pixels().iter().zip(foggy.pixels()).map(|(a, b)| b.r.saturating_sub(a.r));
        differ.max().expect("pixels")
    };
    assert!(faded(ShadingPreset::Illustrative) > 20, "{}", faded(ShadingPreset::Illustrative));
    assert_eq!(faded(ShadingPreset::Studio), 0, "from the middle on");
}

#[test]
fn key_fill_and_fog_are_as_in_double_precision() {
    let spheres = vec![
        sphere([-0.9, 0.1, 1.0], 0.9, BLUE),
        sphere([0.9, -0.2, -1.5], 1.2, Srgba8::rgb(200, 180, 20)),
        sphere([0.4, 1.2, -4.0], 0.8, RED),
    ];
    let background = Srgba8::rgb(0xd0, 0xe0, 0xf0);
    let shading = plain(ShadingPreset::Studio).with_fog(0.7).with_fog_start(0.25);
    let scene = SphereScene::new(perspective(), 72, 54).with_spheres(spheres.clone()).with_background(background);
    let scene = scene.with_shading(shading);
    let ExactView { eye, right, up, forward, .. } = ExactView::new(&scene.view);
    let in_world = |v: [f64; 3]| (right * v[0] + up * v[1] - forward * v[2]).normalize();
    let (key, fill) = (in_world([-1.0, 1.0, 1.0]), in_world([0.2, 0.2, 0.959]));
    let center = |sphere: &PaintedSphere| DVec3::from(sphere.center.map(f64::from));
    let depths = |side: f64| spheres.iter().map(move |s| (center(s) - eye).dot(forward) + side * f64::from(s.radius));
    let near = depths(-1.0).fold(f64::INFINITY, f64::min);
    let far = depths(1.0).fold(0.0, f64::max);
    let frame = drawn(&scene);
    let mut shown = 0;
    for (index, pixel) in frame.pixels().iter().enumerate() {
        let [x, y] = [index % 72, index / 72].map(|v| v as f32 + 0.5);
        let Some((index, _, point)) = hit(&scene.view, [x, y], &spheres) else {
            continue;
        };
        shown += 1;
        let normal = (point - center(&spheres[index])).normalize();
        let lightness = 0.6 + 0.42 * normal.dot(key).max(0.0) + 0.25 * normal.dot(fill).max(0.0);
        let lightness = lightness.min(1.0);
        let start = near + 0.25 * (far - near);
        let fog = 0.7 * (((point - eye).dot(forward) - start) / (far - start)).clamp(0.0, 1.0);
        let channel = |color: u8, behind: u8| {
            let light = f64::from(linear_from_srgb8(color)) * lightness * lightness * (0.75 + 0.25 * lightness);
            // in display space, approximated by square roots
            let root = light.sqrt() * (1.0 - fog) + f64::from(linear_from_srgb8(behind)).sqrt() * fog;
            srgb8_from_linear(single(root * root))
        };
        let color = spheres[index].color;
        let wanted = [channel(color.r, background.r), channel(color.g, background.g), channel(color.b, background.b)];
        for (found, wanted) in [pixel.r, pixel.g, pixel.b].iter().zip(wanted) {
            assert!(found.abs_diff(wanted) <= 1, "{x}, {y}: {pixel:?}, wanted {wanted:?}");
        }
    }
    assert!(shown > 350, "{shown}");
}

#[test]
fn lights_are_fixed_to_the_world_or_to_the_camera() {
    let spheres = vec![sphere([0.0; 3], 1.0, Srgba8::WHITE)];
    let draw = |eye: [f32; 3], anchor: Anchor| {
        let light = DirectionalLight::new([-1.0, -0.5, -0.3]).with_anchor(anchor);
        let shading = plain(ShadingPreset::Studio).with_ambient(0.1);
        drawn(
            &SphereScene::new(Camera::look_at(eye, [0.0; 3]), 48, 48)
                .with_spheres(spheres.clone())
                .with_light(light)
                .with_shading(shading),
        )
    };
    let (front, back) = ([0.0, 0.0, 5.0], [0.0, 0.0, -5.0]);
    assert_eq!(draw(front, Anchor::Camera).pixels(), draw(back, Anchor::Camera).pixels());
    assert_ne!(draw(front, Anchor::World).pixels(), draw(back, Anchor::World).pixels());
    assert_eq!(draw(front, Anchor::World).pixels(), draw(front, Anchor::Camera).pixels(), "this camera looks along −z");
}

/// The visible share of a round light, by many rays.
fn seen(point: DVec3, own: usize, toward: DVec3, angle: f64, spheres: &[PaintedSphere]) -> f64 {
    const RAYS: u32 = 400;
    let side = toward.any_orthonormal_vector();
    let other = toward.cross(side);
    let radius = libm::tan(0.5 * angle);
    let open = (0..RAYS).filter(|&ray| {
        let turn = f64::from(ray) * 2.399_963_229_728_653;
        let out = radius * ((f64::from(ray) + 0.5) / f64::from(RAYS)).sqrt();
        let direction = (toward + out * (side * libm::cos(turn) + other * libm::sin(turn))).normalize();
        !spheres.iter().enumerate().filter(|(index, _)| *index != own).any(|(_, sphere)| {
            let center = DVec3::from(sphere.center.map(f64::from)) - point;
            let along = center.dot(direction);
            let across = (center - along * direction).length();
            along > 0.0 && across < f64::from(sphere.radius)
        })
    });
    open.count() as f64 / f64::from(RAYS)
}

#[test]
fn soft_shadows_are_those_of_many_rays() {
    let mut random = Random::new(12);
    let mut ball = |count: usize, size: f64, radius: f32| {
        let mut spheres = Vec::new();
        while spheres.len() < count {
            let center = [0; 3].map(|_| random.within(-size, size));
            if Vec3::from(center).length() < single(size) {
                spheres.push(sphere(center, radius, Srgba8::WHITE));
            }
        }
        spheres
    };
    let mut floor = ball(40, 3.0, 0.3);
    floor.push(sphere([0.0, -104.0, 0.0], 100.0, Srgba8::WHITE));
    // each with another in front of the light, some radii away
    let pairs = [2.2, 3.0, 4.0, 8.0].into_iter().zip([-5.0, -1.7, 1.7, 5.0]).flat_map(|(distance, x)| {
        let at = |along: f32| [x - 0.57 * along, -1.0 + 0.684 * along, 0.456 * along];
        [0.0, distance].map(|along| sphere(at(along), 1.0, Srgba8::WHITE))
    });
    let pairs = pairs.collect();
    let scenes = [("dense", ball(900, 5.0, 0.6)), ("open", ball(300, 5.0, 0.25)), ("floor", floor), ("pairs", pairs)];
    for (name, spheres) in scenes {
        for angle in [10.0f32, 40.0] {
            let light = DirectionalLight::new([1.0, -1.2, -0.8]).with_angle_degrees(angle);
            let camera = Camera::look_at([2.0, 4.0, 15.0], [0.0, -1.0, 0.0]);
            let shading = Shading::default().with_ambient(0.0).with_shadows();
            let scene = SphereScene::new(camera, 80, 60).with_spheres(spheres.clone()).with_shading(shading);
            let scene = scene.with_light(light).with_background(RED);
            let frame = drawn(&scene);
            let toward = DVec3::new(-1.0, 1.2, 0.8).normalize();
            let (mut sum, mut squares, mut count) = (0.0, 0.0, 0.0f64);
            for (index, pixel) in frame.pixels().iter().enumerate() {
                let at = [index % 80, index / 80].map(|v| v as f32 + 0.5);
                let Some((index, _, point)) = hit(&scene.view, at, &spheres) else { continue };
                let normal = (point - DVec3::from(spheres[index].center.map(f64::from))).normalize();
                let cosine = normal.dot(toward);
                if cosine > 0.3 {
                    let wanted = seen(point, index, toward, f64::from(angle.to_radians()), &spheres);
                    let error = f64::from(linear_from_srgb8(pixel.g)) / cosine - wanted;
                    (sum, squares, count) = (sum + error, squares + error * error, count + 1.0);
                }
            }
            let (bias, rms) = (sum / count, (squares / count).sqrt());
            println!("{name}, {angle} degrees: RMS {rms:.3}, bias {bias:+.3} of {count}");
            assert!(count > 300.0 && rms < 0.08 && bias.abs() < 0.03, "{name}, {angle}: {rms} {bias}");
        }
    }
}

#[test]
fn soft_shadows_reach_farther_than_occlusion() {
    let toward = Vec3::new(-1.0, 1.2, 0.8).normalize();
    let spheres = vec![sphere([0.0; 3], 1.0, Srgba8::WHITE), sphere((6.0 * toward).into(), 1.0, Srgba8::WHITE)];
    let draw = |spheres: Vec<PaintedSphere>, distance: f32| {
        let shading = Shading::default().with_ambient(0.0).with_shadows();
        let shading = shading.with_ambient_occlusion(AmbientOcclusion::Smooth).with_ao_distance(distance);
        let light = DirectionalLight::new([1.0, -1.2, -0.8]).with_angle_degrees(10.0);
        let scene = SphereScene::new(Camera::look_at([0.0, 0.0, 9.0], [0.0; 3]), 80, 60).with_spheres(spheres);
        drawn(&scene.with_shading(shading).with_light(light))
    };
    assert!(draw(spheres.clone(), 0.5) == draw(spheres.clone(), f32::INFINITY), "the same shadow");
    assert!(draw(spheres.clone(), 0.5) != draw(spheres[..1].to_vec(), 0.5), "a shadow");
}

#[test]
fn rim_light_grows_with_the_square_of_what_the_cosine_leaves() {
    let camera = Camera::look_at([0.0, 0.0, 8.0], [0.0; 3]).with_projection(Projection::Orthographic { height: 2.5 });
    let mut shading = plain(ShadingPreset::Studio).with_key_and_fill(0.0, 0.0).with_splat_radius(0.0).with_ambient(0.3);
    let scene = SphereScene::new(camera, 64, 64).with_background(Srgba8::BLACK);
    let scene = scene.with_spheres(vec![sphere([0.0; 3], 1.0, Srgba8::WHITE)]);
    let row = |shading: Shading| {
        let frame = drawn(&scene.clone().with_shading(shading));
        (8..56).map(|x| frame.pixel(x, 32).expect("inside").r).collect::<Vec<_>>()
    };
    let without = row(shading);
    shading = shading.with_rim(0.5);
    for (x, (&found, &without)) in (8..56).zip(row(shading).iter().zip(&without)) {
        let [across, down] = [f64::from(x) + 0.5 - 32.0, 0.5].map(|part| part * 2.5 / 64.0);
        let Some(cosine) = Some(1.0 - across * across - down * down).filter(|rest| *rest > 0.0).map(f64::sqrt) else {
            assert_eq!(found, without, "the background at {x}");
            continue;
        };
        let lightness = 0.3 + 0.5 * (1.0 - cosine) * (1.0 - cosine);
        let expected = srgb8_from_linear(single(lightness * lightness * (0.75 + 0.25 * lightness)));
        assert!(found.abs_diff(expected) <= 1, "{found} at {x}, expected {expected}");
        assert!(found >= without, "{found} at {x}, {without} without");
    }
}
