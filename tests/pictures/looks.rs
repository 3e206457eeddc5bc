//! Looks: outlines, lights, fog and flat colours, each against a slow and obvious computation of the same thing.

use super::pixels::{
    ExactView, assert_crops_equal_the_whole, assert_settings_change_no_byte, drawn, few_digits, single,
};
use crate::oracle::random::Random;
use roundel::color::{linear_from_srgb8, srgb8_from_linear};
use roundel::glam::{DVec3, Vec3};
use roundel::spheres::{
    AmbientOcclusion, Anchor, Camera, DirectionalLight, PaintedSphere, Pose, Projection, Shading, ShadingPreset,
    SphereGroup, SphereScene, View,
};
use roundel::{Frame, Srgba8};

const RED: Srgba8 = Srgba8::rgb(255, 0, 0);
const BLUE: Srgba8 = Srgba8::rgb(0x20, 0x60, 0xc0);

fn sphere(center: [f32; 3], radius: f32, color: Srgba8) -> PaintedSphere {
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
fn hit(view: &View, [x, y]: [f32; 2], spheres: &[PaintedSphere]) -> Option<(usize, f64, DVec3)> {
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

/// Points of a sphere's projected silhouette.
fn silhouette(view: &View, sphere: &PaintedSphere) -> Vec<[f64; 2]> {
    let ExactView { eye, right, up, forward, step, is_parallel, .. } = ExactView::new(view);
    let (center, radius) = (DVec3::from(sphere.center.map(f64::from)), f64::from(sphere.radius));
    let [width, height] = [f64::from(view.width), f64::from(view.height)];
    let (axis, middle, ring) = if is_parallel {
        (forward, center, radius)
    } else {
        // the silhouette circle, where the cone from the eye touches the sphere
        let toward = center - eye;
        let distance = toward.length();
        let near = distance - radius * radius / distance;
        let ratio = radius / distance;
        (toward / distance, eye + toward / distance * near, radius * (1.0 - ratio * ratio).sqrt())
    };
    let side = axis.any_orthonormal_vector();
    let other = axis.cross(side);
    let project = |point: DVec3| {
        let relative = point - eye;
        let depth = if is_parallel { 1.0 } else { relative.dot(forward) };
        let scale = 1.0 / (step * depth);
        [0.5 * width + scale * relative.dot(right), 0.5 * height - scale * relative.dot(up)]
    };
    let steps = (0..1500).map(|step| f64::from(step) / 1500.0 * std::f64::consts::TAU);
    steps.map(|angle| project(middle + ring * (side * libm::cos(angle) + other * libm::sin(angle)))).collect()
}

/// Coverage of each pixel by a line of this width outside the silhouettes of spheres, from 8 × 8 points.
fn covered(view: &View, spheres: &[PaintedSphere], width: f64) -> Vec<f64> {
    const SIDE: u32 = 8;
    let outlines: Vec<_> = spheres.iter().map(|sphere| silhouette(view, sphere)).collect();
    let pixels = (0..view.height).flat_map(|y| (0..view.width).map(move |x| [x, y]));
    let share = |[x, y]: [u32; 2]| {
        let mut inside = 0;
        for index in 0..SIDE * SIDE {
            let at = [x, y].map(|v| v as f32);
            let at = [at[0] + (index % SIDE) as f32 / SIDE as f32, at[1] + (index / SIDE) as f32 / SIDE as f32];
            let at = at.map(|v| v + 0.5 / SIDE as f32);
            if hit(view, at, spheres).is_some() {
                continue;
            }
            let near = |line: &Vec<[f64; 2]>| {
                line.iter().any(|p| {
                    let [dx, dy] = [p[0] - f64::from(at[0]), p[1] - f64::from(at[1])];
                    dx * dx + dy * dy < width * width
                })
            };
            inside += u32::from(outlines.iter().any(near));
        }
        f64::from(inside) / f64::from(SIDE * SIDE)
    };
    pixels.map(share).collect()
}

#[test]
fn outlines_cover_as_much_as_many_points_say() {
    let spheres = vec![
        sphere([-0.4, 0.3, 0.0], 0.8, RED),
        sphere([0.9, -0.5, -1.0], 0.6, RED),
        sphere([1.9, 1.0, 1.0], 0.5, RED),
    ];
    let eye = Vec3::new(0.3, 0.2, 4.0);
    for projection in [Projection::orthographic(3.0), Projection::perspective_degrees(45.0)] {
        for width in [0.6f32, 1.5, 2.0] {
            let camera = Camera::look_at(eye, [0.4, 0.1, 0.0]).with_projection(projection);
            let shading = plain(ShadingPreset::Flat).with_samples(64).with_outline_width(width).with_outline_depth(1e3);
            let scene = SphereScene::new(camera, 96, 64).with_spheres(spheres.clone()).with_shading(shading);
            let wanted = covered(&scene.view, &spheres, f64::from(width));
            // lines alone have no red
            let found = drawn(&scene).into_pixels();
            let found = found.iter().map(|pixel| 1.0 - f64::from(linear_from_srgb8(pixel.r)));
            let errors: Vec<f64> = found.zip(&wanted).map(|(found, wanted)| (found - wanted).abs()).collect();
            let lines = wanted.iter().filter(|share| **share > 0.0).count();
            let mean = errors.iter().sum::<f64>() / lines as f64;
            let most = errors.iter().copied().fold(0.0, f64::max);
            println!("{projection:?}, {width}: mean {mean:.4}, most {most:.3} of {lines}");
            assert!(lines > 100 && mean < 0.03 && most < 0.12, "{projection:?}, {width}: {mean} {most}");
        }
    }
}

#[test]
fn outlines_fade_over_a_pixel_around_their_width() {
    let (radius, middle) = (22.27, 32.0);
    let camera = Camera::look_at([0.0, 0.0, 4.0], [0.0; 3]).with_projection(Projection::orthographic(64.0));
    for width in [0.6f32, 1.0, 1.2, 2.8] {
        let shading = plain(ShadingPreset::Flat).with_samples(1).with_outline_width(width);
        let scene = SphereScene::new(camera, 64, 64).with_spheres(vec![sphere([0.0; 3], radius, RED)]);
        let frame = drawn(&scene.with_background(Srgba8::WHITE).with_shading(shading));
        for (index, pixel) in frame.pixels().iter().enumerate() {
            let at = [index % 64, index / 64].map(|side| side as f64 + 0.5 - middle);
            let gap = libm::hypot(at[0], at[1]) - f64::from(radius);
            if gap > 0.01 {
                let (line, expected) =
                    (1.0 - linear_from_srgb8(pixel.g), (f64::from(width) - gap + 0.5).clamp(0.0, 1.0));
                assert!((f64::from(line) - expected).abs() < 0.02, "{width}, {at:?}: {line} {expected}");
            }
        }
    }
}

#[test]
fn outlines_follow_jumps_in_depth_and_borders_of_parts() {
    let camera = Camera::look_at([0.0, 0.0, 20.0], [0.0; 3]).with_projection(Projection::orthographic(4.0));
    // a pixel is 1/16 wide: a jump of 16 pixels is 1, and of 32 pixels 2
    let draw = |behind: f32, parts: Vec<u32>| {
        let spheres = vec![sphere([-0.7, 0.0, 0.0], 0.8, RED), sphere([1.2, 0.0, -behind], 1.3, RED)];
        let group = SphereGroup::from(spheres).with_parts(parts);
        let shading = plain(ShadingPreset::Flat).with_outline_width(2.0).with_outline_depth(16.0);
        let frame = drawn(&SphereScene::new(camera, 64, 64).with_spheres(group).with_shading(shading));
        // just outside the first sphere, before the second
        frame.pixel(32 + 2, 32).expect("a pixel").r
    };
    assert_eq!(draw(1.5, vec![0, 0]), 255, "too little a jump");
    assert!((1..255).contains(&draw(2.3, vec![0, 0])), "a jump between: the line is translucent");
    assert_eq!(draw(4.0, vec![0, 0]), 0, "a jump");
    assert_eq!(draw(1.5, vec![0, 1]), 0, "another part");
    assert_eq!(draw(1.5, Vec::new()), 255, "no parts");
}

/// Lines in front of the background are complete, however wide they are and however small the spheres; between spheres
/// smaller than the line they fade.
#[test]
fn silhouettes_never_fade() {
    let camera = Camera::look_at([0.0, 0.0, 40.0], [0.0; 3]).with_projection(Projection::orthographic(8.0));
    // a pixel is 1/16 wide: radii of 32, 8 and 2 pixels; of smaller spheres only the samples that they cover have lines
    for radius in [2.0, 0.5, 0.125] {
        for cloud_radius in [0.0, 3.0] {
            for width in [1.0f32, 4.0, 12.0] {
                let draw = |spheres: Vec<PaintedSphere>, samples: u32| {
                    let mut shading =
                        plain(ShadingPreset::Illustrative).with_outline_width(width).with_samples(samples);
                    shading.outline_depth = 4.0;
                    shading.splat_radius = cloud_radius;
                    drawn(&SphereScene::new(camera, 128, 128).with_spheres(spheres).with_shading(shading))
                };
                let row = |frame: &Frame| (64..128).map(|x| frame.pixel(x, 64).expect("a pixel").r).collect::<Vec<_>>();
                let alone = row(&draw(vec![sphere([0.0; 3], radius, RED)], 16));
                let black = alone.iter().map(|red| 1.0 - f32::from(*red) / 255.0).sum::<f32>();
                let darkest = alone.iter().min().expect("pixels");
                assert!(*darkest < 120 && black > 0.5 * width, "{radius} {cloud_radius} {width}: {alone:?}");
            }
        }
    }
    // in front of another sphere
    let draw = |radius: f32, width: f32| {
        let spheres = vec![sphere([0.0; 3], radius, RED), sphere([0.0, 0.0, -20.0], 12.0, RED)];
        let shading = plain(ShadingPreset::Flat).with_outline_width(width).with_samples(16);
        let frame = drawn(&SphereScene::new(camera, 128, 128).with_spheres(spheres).with_shading(shading));
        (64..128).map(|x| frame.pixel(x, 64).expect("a pixel").r).min().expect("pixels")
    };
    assert_eq!(draw(0.5, 8.0), 0, "as large as the line is wide");
    assert_eq!(draw(2.0, 8.0), 0);
    assert!(draw(0.25, 8.0) > 150, "half as large");
    assert!(draw(0.0625, 8.0) > 240, "small");
}

/// Default lines are about a pixel wide in small pictures, and wider in large ones.
#[test]
fn usual_lines_follow_the_size_of_the_picture() {
    let camera = Camera::look_at([0.0, 0.0, 40.0], [0.0; 3]).with_projection(Projection::orthographic(8.0));
    for (side, wanted) in [(200, 1.0), (360, 1.0), (500, 1.0), (1280, 1.6), (2100, 2.625)] {
        let mut shading = plain(ShadingPreset::Illustrative).with_samples(16);
        shading.outline_width = None;
        let scene = SphereScene::new(camera, side, 40).with_spheres(vec![sphere([0.0; 3], 3.0, Srgba8::WHITE)]);
        let frame = drawn(&scene.with_shading(shading));
        let row = (side / 2..side).map(|x| linear_from_srgb8(frame.pixel(x, 20).expect("a pixel").r));
        let found: f32 = row.map(|light| 1.0 - light).sum();
        assert!((found - wanted).abs() < 0.15, "{side}: {found}");
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

/// Coverage of each pixel by lines along the seams between spheres of different parts, from 8 × 8 points; `None` where a
/// point shows no sphere.
fn covered_by_seams(view: &View, spheres: &[PaintedSphere], width: f64) -> Vec<Option<f64>> {
    const SIDE: u32 = 8;
    let (columns, rows) = (view.width * SIDE, view.height * SIDE);
    let at = |x: u32, y: u32| [x, y].map(|v| (v as f32 + 0.5) / SIDE as f32);
    let seen: Vec<_> = (0..rows)
        .flat_map(|y| (0..columns).map(move |x| (x, y)))
        .map(|(x, y)| hit(view, at(x, y), spheres).map(|(index, distance, _)| (index, distance)))
        .collect();
    let of = |x: u32, y: u32| seen[(y * columns + x) as usize];
    let mut seams = Vec::new();
    for (x, y) in (0..rows - 1).flat_map(|y| (0..columns - 1).map(move |x| (x, y))) {
        for (other_x, other_y) in [(x + 1, y), (x, y + 1)] {
            if let (Some((a, near)), Some((b, far))) = (of(x, y), of(other_x, other_y))
                && a != b
                && (near - far).abs() < 0.1
            {
                let [from, to] = [at(x, y), at(other_x, other_y)];
                seams.push([0, 1].map(|axis| 0.5 * f64::from(from[axis] + to[axis])));
            }
        }
    }
    let is_near = |at: [f32; 2]| {
        seams.iter().any(|seam| {
            let [dx, dy] = [0, 1].map(|axis| seam[axis] - f64::from(at[axis]));
            dx * dx + dy * dy < 0.25 * width * width
        })
    };
    let share = |(x, y): (u32, u32)| {
        let points = || (0..SIDE * SIDE).map(|index| (x * SIDE + index % SIDE, y * SIDE + index / SIDE));
        let near = points().filter(|&(x, y)| is_near(at(x, y))).count();
        points().all(|(x, y)| of(x, y).is_some()).then(|| near as f64 / f64::from(SIDE * SIDE))
    };
    (0..view.height).flat_map(|y| (0..view.width).map(move |x| (x, y))).map(share).collect()
}

#[test]
fn outlines_run_where_parts_meet_without_a_jump() {
    let spheres = vec![
        sphere([-0.5, -0.3, 0.0], 0.8, RED),
        sphere([0.5, -0.3, 0.1], 0.75, RED),
        sphere([0.1, 0.6, -0.1], 0.8, RED),
    ];
    for projection in [Projection::orthographic(3.0), Projection::perspective_degrees(30.0)] {
        for width in [1.0f32, 2.5] {
            let camera = Camera::look_at([0.3, 0.2, 6.0], [0.0; 3]).with_projection(projection);
            let shading = plain(ShadingPreset::Flat).with_samples(64).with_outline_width(width);
            let draw = |parts: Vec<u32>| {
                let group = SphereGroup::from(spheres.clone()).with_parts(parts);
                SphereScene::new(camera, 96, 96).with_spheres(group).with_shading(shading)
            };
            let scene = draw(vec![0, 1, 2]);
            let wanted = covered_by_seams(&scene.view, &spheres, f64::from(width));
            let alike = drawn(&draw(vec![0, 0, 0]));
            let (mut lines, mut at_rims, mut sum, mut most) = (0, 0, 0.0, 0.0f64);
            for ((pixel, alike), wanted) in drawn(&scene).pixels().iter().zip(alike.pixels()).zip(wanted) {
                let Some(wanted) = wanted else { continue };
                if *alike != RED {
                    // a sample between the points may miss
                    at_rims += 1;
                    continue;
                }
                let error = (1.0 - f64::from(linear_from_srgb8(pixel.r)) - wanted).abs();
                lines += u32::from(wanted > 0.0);
                (sum, most) = (sum + error, most.max(error));
            }
            let mean = sum / f64::from(lines);
            println!("{projection:?}, {width}: mean {mean:.4}, most {most:.3} of {lines}, {at_rims} at rims");
            assert!(at_rims < 40, "no lines within a part");
            assert!(lines > 80 && mean < 0.04 && most < 0.5, "{projection:?}, {width}: {mean} {most}");
        }
    }
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

/// A picture's depths along the line of sight in `f64`, infinite where nothing is seen.
fn depth_map(view: &View, spheres: &[PaintedSphere]) -> Vec<f64> {
    let ExactView { eye, forward, .. } = ExactView::new(view);
    let pixels = (0..view.height).flat_map(|y| (0..view.width).map(move |x| [x as f32 + 0.5, y as f32 + 0.5]));
    let depth = |at| hit(view, at, spheres).map_or(f64::INFINITY, |(_, _, point)| (point - eye).dot(forward));
    pixels.map(depth).collect()
}

/// The surface of the depths: means over pixels of the same surface, or over a wider region where neighbours do not agree
/// on one.
fn surface(depths: &[f64], width: usize, pixel: &dyn Fn(f64) -> f64) -> Vec<f64> {
    let height = depths.len() / width;
    let around = |index: usize, side: usize| {
        let (column, row) = (index % width, index / width);
        let columns = column.saturating_sub(side)..(column + side + 1).min(width);
        let rows = row.saturating_sub(side)..(row + side + 1).min(height);
        let places: Vec<usize> = rows.flat_map(|y| columns.clone().map(move |x| y * width + x)).collect();
        places.into_iter().filter(|&place| depths[place].is_finite()).collect::<Vec<_>>()
    };
    let mean = |numbers: &[f64]| numbers.iter().sum::<f64>() / numbers.len() as f64;
    let smooth = |index: usize| {
        let own = depths[index];
        let around = around(index, 1);
        let same = around.iter().map(|&i| depths[i]).filter(|z| (z - own).abs() < 6.0 * pixel(own));
        let same: Vec<f64> = same.collect();
        let agreement = if around.len() > 1 { (same.len() - 1) as f64 / (around.len() - 1) as f64 } else { 1.0 };
        (mean(&same), agreement)
    };
    let seen = |index: &usize| depths[*index].is_finite();
    let smoothed: Vec<(f64, f64)> =
        (0..depths.len()).map(|index| if seen(&index) { smooth(index) } else { (f64::INFINITY, 1.0) }).collect();
    let of_pixel = |index: usize| {
        let around = around(index, 8);
        let agreement = mean(&around.iter().map(|&i| smoothed[i].1).collect::<Vec<_>>());
        let region = mean(&around.iter().map(|&i| depths[i]).collect::<Vec<_>>());
        let share = ((agreement - 0.35) / 0.4).clamp(0.0, 1.0);
        region + (smoothed[index].0 - region) * share
    };
    (0..depths.len()).map(|index| if seen(&index) { of_pixel(index) } else { f64::INFINITY }).collect()
}

/// The lightness of a pixel of splats, from the formulas.
fn cloud_lightness(surface: &[f64], width: usize, pixel: &dyn Fn(f64) -> f64, [x, y]: [usize; 2]) -> f64 {
    let height = surface.len() / width;
    let at = |[right, down]: [i64; 2]| {
        let (x, y) = (i64::try_from(x).expect("small") + right, i64::try_from(y).expect("small") + down);
        let inside = (0..i64::try_from(width).expect("small")).contains(&x)
            && (0..i64::try_from(height).expect("small")).contains(&y);
        inside.then(|| surface[usize::try_from(y).expect("inside") * width + usize::try_from(x).expect("inside")])
    };
    let own = surface[y * width + x];
    let size = pixel(own);
    let mut openness = 0.0;
    for step in 0..8 {
        // every other direction lies between the axes
        let turn = f64::from(step / 2) * 90.0 + f64::from(step % 2) * 22.5;
        let (sin, cos) = libm::sincos(turn.to_radians());
        let mut steepest = 0.0f64;
        for distance in [1.4, 4.0, 8.0, 16.0, 32.0] {
            #[expect(clippy::cast_possible_truncation, reason = "a few pixels")]
            let offset = [cos, sin].map(|along| (along * distance).round() as i64);
            if let Some(other) = at(offset).filter(|z| z.is_finite()) {
                let ratio: f64 = distance / 40.0;
                steepest = steepest.max((own - other) / (distance * size) * (1.0 - ratio * ratio));
            }
        }
        openness += 0.125 / (1.0 + steepest * steepest);
    }
    let cosines = [(2i64, 16.0), (8, 48.0)].map(|(step, jump)| {
        let (mut sums, mut weights) = ([0.0; 2], [0.0; 2]);
        for down in -3..=3 {
            for right in -3..=3 {
                let offset = [step * right, step * down];
                if let Some(other) = at(offset).filter(|z| (z - own).abs() < jump * size) {
                    for axis in 0..2 {
                        sums[axis] += offset[axis] as f64 * (other - own);
                        weights[axis] += (offset[axis] * offset[axis]) as f64;
                    }
                }
            }
        }
        let slope = |axis: usize| if weights[axis] > 0.0 { sums[axis] / weights[axis] } else { 0.0 };
        let normal = DVec3::new(slope(0), -slope(1), size).normalize();
        normal.dot(DVec3::new(-1.0, 1.0, 1.0).normalize()).max(0.0)
    });
    ((0.35 + 0.65 * openness) * (0.6 + 0.3 * (cosines[0] + cosines[1]))).min(1.0)
}

#[test]
fn clouds_are_lit_as_their_depths_say() {
    let mut random = Random::new(3);
    // a surface, a rough one, and spheres scattered in depth
    let mut shell = |least: f64| -> Vec<PaintedSphere> {
        let place = |random: &mut Random| Vec3::from([0; 3].map(|_| random.within(-1.0, 1.0))).normalize();
        (0..4000).map(|_| sphere((place(&mut random) * random.within(least, 3.0)).into(), 0.06, BLUE)).collect()
    };
    let shells = [shell(2.95), shell(2.6), shell(0.5)];
    let projections = [Projection::orthographic(7.0), Projection::perspective_degrees(30.0)];
    for (spheres, projection) in shells.iter().flat_map(|shell| projections.map(|projection| (shell, projection))) {
        let camera = Camera::look_at([0.0, 0.0, 13.0], [0.0; 3]).with_projection(projection);
        let shading = plain(ShadingPreset::Studio).with_splat_radius(1e4);
        let scene = SphereScene::new(camera, 96, 72).with_spheres(spheres.clone()).with_shading(shading);
        let ExactView { step, is_parallel, .. } = ExactView::new(&scene.view);
        let pixel = move |depth: f64| if is_parallel { step } else { step * depth };
        let depths = depth_map(&scene.view, spheres);
        let surface = surface(&depths, 96, &pixel);
        let frame = drawn(&scene);
        let (mut shown, mut wrong) = (0, 0);
        for (index, found) in frame.pixels().iter().enumerate().filter(|(index, _)| depths[*index].is_finite()) {
            let lightness = cloud_lightness(&surface, 96, &pixel, [index % 96, index / 96]);
            let light = f64::from(linear_from_srgb8(BLUE.b)) * lightness * lightness * (0.75 + 0.25 * lightness);
            shown += 1;
            wrong += u32::from(found.b.abs_diff(srgb8_from_linear(single(light))) > 1);
        }
        // at an edge, rounding may find another sphere, which changes neighbouring pixels, too
        assert!(shown > 1500 && wrong < shown / 50, "{projection:?}: {wrong} of {shown}");
    }
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
