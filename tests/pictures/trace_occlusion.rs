//! Ambient occlusion by rays, against the slow renderer in `f64`.
#![expect(clippy::disallowed_methods, reason = "an oracle with a tolerance; test data is in range")]

use super::pixels::drawn;
use super::trace::{Oracle, PERSPECTIVE, Random, scene, view};
use glam::Vec3;
use roundel::Srgba8;
use roundel::color::linear_from_srgb8;
use roundel::spheres::{Camera, PaintedSphere, Projection, SphereGroup, SphereScene, Transparency, View};

fn molecule() -> SphereScene<'static> {
    let mut random = Random(11);
    let mut crowd = scene(random.spheres(400, 1.5, [0.15, 0.4]), view([0.5, 1.0, 4.5], PERSPECTIVE));
    (crowd.view.width, crowd.view.height) = (48, 36);
    for sphere in crowd.groups[0].spheres.to_mut() {
        sphere.color = Srgba8::WHITE;
    }
    crowd.shading.ambient = 1.0;
    crowd
}

/// Openness of every pixel, from a frame of a white scene with ambient light only.
fn openness(scene: &SphereScene<'_>, rays: u32) -> Vec<f64> {
    let mut scene = scene.clone();
    scene.shading = scene.shading.with_ao_rays(rays);
    drawn(&scene).pixels().iter().map(|pixel| f64::from(linear_from_srgb8(pixel.r))).collect()
}

fn rms(a: &[f64], b: &[f64]) -> f64 {
    (a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>() / a.len() as f64).sqrt()
}

#[test]
fn occlusion_errs_no_more_than_independent_cosine_rays() {
    let scene = molecule();
    let reference = openness(&scene, 4096);
    for rays in [1, 4, 16, 64] {
        // k independent rays have the variance p (1 − p) / k
        let variance: f64 = reference.iter().map(|p| p * (1.0 - p) / f64::from(rays)).sum();
        let independent = (variance / reference.len() as f64).sqrt();
        let found = openness(&scene, rays);
        let error = rms(&found, &reference);
        assert!(error <= independent * 1.02, "{rays} rays err by {error}, independent ones by {independent}");
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
        let bias = (mean(&found) - mean(&reference)).abs();
        assert!(bias < 4.0 * independent / (reference.len() as f64).sqrt() + 2e-3, "{rays} rays are biased by {bias}");
    }
}

#[test]
fn occlusion_agrees_with_f64_brute_force() {
    let mut scene = molecule();
    scene.shading = scene.shading.with_ao_rays(1024);
    let frame = drawn(&scene);
    let oracle = Oracle::new(&scene);
    let mut random = Random(5);
    for (x, y) in [(24u32, 18u32), (14, 14), (33, 20), (20, 26), (29, 9)] {
        let ray = scene.view.ray(x as f32 + 0.5, y as f32 + 0.5);
        let [origin, direction] = [ray.origin, ray.direction].map(|v| Vec3::from(v).as_dvec3());
        let Ok(Some(meeting)) = oracle.nearest(origin, direction) else { continue };
        let point = origin + meeting.distance * direction;
        let count = 4000;
        let free = (0..count).filter(|_| {
            // a unit vector added to the normal is cosine-distributed
            let unit = loop {
                let candidate = Vec3::from(random.point(1.0)).as_dvec3();
                if (1e-6..1.0).contains(&candidate.length_squared()) {
                    break candidate.normalize();
                }
            };
            let toward = (meeting.normal + unit).normalize();
            self::Oracle::is_lit(&oracle, point, toward, Some(meeting.index)).unwrap_or(true)
        });
        let expected = free.count() as f64 / f64::from(count);
        let found = f64::from(linear_from_srgb8(frame.pixel(x, y).expect("inside the picture").r));
        assert!((expected - found).abs() < 0.05, "({x}, {y}): {found}, not {expected}");
    }
}

#[test]
fn occlusion_ends_at_its_distance_and_a_closed_shell_is_dark() {
    let mut scene = molecule();
    scene.shading = scene.shading.with_ao_rays(16);
    scene.shading.ao_distance = 1e-4;
    let open = drawn(&scene).pixels().iter().filter(|pixel| pixel.r == 255).count();
    let hits = openness(&molecule(), 0).iter().filter(|&&value| value == 1.0).count();
    assert!(open * 100 >= hits * 98, "next to nothing is that near: {open} of {hits}");

    let shell = PaintedSphere { center: [0.0; 3], radius: 50.0, color: Srgba8::WHITE };
    scene.groups[0].spheres.to_mut().push(shell);
    scene.shading.ao_distance = f32::INFINITY;
    assert!(drawn(&scene).pixels().iter().all(|pixel| pixel.r == 0), "no ray leaves a shell");
}

#[test]
fn rays_within_a_sphere_meet_its_far_side_alone() {
    let mut room = SphereScene::from(View::new(Camera::look_at([0.3, 0.0, 0.0], [5.0, 0.0, 0.0]), 20, 20))
        .with_spheres(SphereGroup::from(vec![PaintedSphere { center: [0.0; 3], radius: 9.0, color: Srgba8::WHITE }]));
    room.shading.ambient = 1.0;
    for distance in [0.1f32, 9.0, 17.0, 18.5] {
        room.shading.ao_distance = distance;
        let found = openness(&room, 256);
        // a chord is as long as the diameter times a cosine, whose square is uniform
        let expected = (1.0 - f64::from(distance / 18.0).powi(2)).max(0.0);
        assert!(found.iter().all(|share| (share - expected).abs() < 0.01), "{distance}: {expected} is not {found:?}");
    }
}

#[test]
fn rays_on_the_far_side_of_a_translucent_sphere_meet_it_farther_on() {
    let ball = PaintedSphere { center: [0.0; 3], radius: 9.0, color: Srgba8::rgba(255, 255, 255, 128) };
    let mut around = scene(vec![ball], view([0.0, 0.0, 50.0], Projection::Orthographic { height: 20.0 }));
    around.shading.ambient = 1.0;
    around.shading.ao_distance = 1.0;
    for transparency in [Transparency::Surfaces, Transparency::Shell, Transparency::Solid] {
        around.shading.transparency = transparency;
        let (open, found) = (openness(&around, 0), openness(&around, 256));
        let worst = open.iter().zip(found).map(|(open, found)| (open - found).abs()).fold(0.0, f64::max);
        assert!(worst < 0.02, "{transparency:?} differs by {worst}");
    }
}
