//! Outlines: their coverage, against many points of the silhouettes, and where they fade.

use super::looks::{RED, hit, plain, sphere};
use super::pixels::{ExactView, drawn};
use roundel::color::linear_from_srgb8;
use roundel::glam::{DVec3, Vec3};
use roundel::spheres::{Camera, PaintedSphere, Projection, ShadingPreset, SphereGroup, SphereScene, View};
use roundel::{Frame, Srgba8};

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
