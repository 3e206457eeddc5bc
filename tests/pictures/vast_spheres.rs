//! Spheres that are vast beside the picture, and orthographic eyes that are far from it, against rays in `f64`.
#![expect(clippy::disallowed_methods, reason = "an oracle with a tolerance")]

use glam::{DVec3, Vec3};
use roundel::spheres::{Background, Camera, PaintedSphere, Projection, SphereGroup, SphereScene, View};
use roundel::{RenderSettings, Renderer, Scene, Srgba8};

const SIZE: [u32; 2] = [100, 75];

fn exact(point: impl Into<Vec3>) -> DVec3 {
    point.into().as_dvec3()
}

/// The ray through a canvas position, in `f64`.
fn ray(camera: &Camera, [x, y]: [f64; 2]) -> [DVec3; 2] {
    let forward = (exact(camera.target) - exact(camera.eye)).normalize();
    let right = forward.cross(exact(camera.up)).normalize();
    let up = right.cross(forward);
    let [width, height] = SIZE.map(f64::from);
    let (across, down) = (x - 0.5 * width, y - 0.5 * height);
    match camera.projection {
        Projection::Orthographic { height: extent } => {
            let step = f64::from(extent) / height;
            [exact(camera.eye) + (right * across - up * down) * step, forward]
        }
        Projection::Perspective { fov_y_radians } => {
            let step = 2.0 * (0.5 * f64::from(fov_y_radians)).tan() / height;
            [exact(camera.eye), (forward + (right * across - up * down) * step).normalize()]
        }
    }
}

/// The distance and the sphere of the nearest hit.
fn hit([origin, direction]: [DVec3; 2], spheres: &[PaintedSphere]) -> Option<(f64, Srgba8)> {
    let distance = |sphere: &PaintedSphere| {
        let (center, radius) = (exact(sphere.center) - origin, f64::from(sphere.radius));
        let along = center.dot(direction);
        let power = center.length_squared() - radius * radius;
        let discriminant = radius * radius - (center - direction * along).length_squared();
        let depth = if discriminant >= 0.0 { discriminant.sqrt() } else { return None };
        let enter = if along > 0.0 { power / (along + depth) } else { along - depth };
        let first = if enter >= 0.0 { enter } else { along + depth };
        (first >= 0.0).then_some((first, sphere.color))
    };
    spheres.iter().filter_map(distance).min_by(|a, b| a.0.total_cmp(&b.0))
}

/// Draws spheres and compares every pixel with the ray through its centre; a ray that passes a silhouette within
/// `slack` pixels may show either side. Returns the number of pixels that show no sphere.
fn compare(camera: Camera, spheres: &[PaintedSphere], slack: f64) -> usize {
    let view = View::new(camera, SIZE[0], SIZE[1]).with_background(Background::Solid(Srgba8::WHITE));
    let scene: Scene = SphereScene::from(view).with_groups(vec![SphereGroup::from(spheres.to_vec())]).into();
    let mut renderer = Renderer::new(&RenderSettings::default()).expect("it starts");
    let layers = renderer.render_aovs(&scene).expect("it draws").0;
    let surfaces = layers.gbuffer.expect("spheres have surfaces");
    let forward = (exact(camera.target) - exact(camera.eye)).normalize();
    let mut sky = 0;
    for (index, (&number, &depth)) in surfaces.spheres.iter().zip(&surfaces.depths).enumerate() {
        let middle = [index % SIZE[0] as usize, index / SIZE[0] as usize].map(|pixel| pixel as f64 + 0.5);
        let shown = spheres.get(number as usize).map(|sphere| sphere.color);
        sky += usize::from(shown.is_none());
        let around = [[0.0, 0.0], [-slack, -slack], [slack, -slack], [-slack, slack], [slack, slack]];
        let hits = around.map(|[x, y]| hit(ray(&camera, [middle[0] + x, middle[1] + y]), spheres));
        let same = hits.iter().flatten().filter(|(_, color)| Some(*color) == shown);
        let wanted = hits.iter().any(|hit| hit.map(|(_, color)| color) == shown);
        assert!(wanted, "pixel {middle:?} shows {shown:?}, not {:?}: {camera:?}", hits[0]);
        // as far as the ray's neighbours are apart, and a share of the distance itself
        let depths: Vec<f64> = same.map(|(distance, _)| distance * ray(&camera, middle)[1].dot(forward)).collect();
        let least = depths.iter().copied().fold(f64::INFINITY, f64::min);
        let most = depths.iter().copied().fold(0.0, f64::max);
        let (depth, room) = (f64::from(depth), (most - least) + 1e-5 * most);
        assert!(
            shown.is_none() || (least - room..=most + room).contains(&depth),
            "pixel {middle:?} is {depth} away, not {least} to {most}: {camera:?}"
        );
    }
    sky
}

const GREEN: Srgba8 = Srgba8::rgb(0, 200, 0);

fn ground(radius: f32) -> PaintedSphere {
    PaintedSphere::new([0.0, -radius, 0.0], radius, GREEN)
}

#[test]
fn horizons_of_vast_spheres_are_exact() {
    let balls = [0.0, 1.0, 2.0].map(|x: f32| PaintedSphere::new([x, 0.3, -x], 0.3, Srgba8::rgb(200, 0, 0)));
    for radius in [1e6, 6.36e6] {
        let mut spheres = vec![ground(radius)];
        spheres.extend(balls);
        for (eye, target) in [
            ([0.1, 0.23, 5.0], [0.1, 0.23, 0.0]),
            ([4.0, 0.2004, 3.0], [0.0, 0.2, 0.0]),
            ([3.0, 0.9, -5.0], [0.0, 0.0, 0.0]),
        ] {
            let camera = Camera::look_at(eye, target).with_projection(Projection::orthographic(2.0));
            let sky = compare(camera, &spheres, 0.02);
            assert!(sky > 1200 || eye[1] > 0.5, "{sky}: the horizon is in the picture");
        }
        for (height, pitch) in [(2.0, 0.0), (1.7, -0.02), (0.013, 0.05), (300.0, -0.1)] {
            for fov in [5.0, 50.0] {
                let eye = [0.2, height, 0.1];
                let camera = Camera::look_at(eye, [3.2, height + 5.0 * pitch, 4.1]);
                let sky = compare(camera.with_projection(Projection::perspective_degrees(fov)), &spheres, 0.02);
                assert!(sky > 250 || fov < 10.0, "{sky}: the horizon is in the picture");
            }
        }
    }
}

#[test]
fn translucent_and_cut_vast_spheres_have_the_same_horizon() {
    let camera = Camera::look_at([4.0, 0.2004, 3.0], [0.0, 0.2, 0.0]).with_projection(Projection::orthographic(2.0));
    let view = View::new(camera, SIZE[0], SIZE[1]).with_background(Background::Solid(Srgba8::WHITE));
    let drawn = |color: Srgba8, is_cut: bool| {
        let spheres = vec![PaintedSphere { color, ..ground(1e6) }];
        let mut scene = SphereScene::from(view).with_groups(vec![SphereGroup::from(spheres)]);
        if is_cut {
            scene = scene.with_clip_plane(roundel::geom::Plane::through(Vec3::new(0.0, 50.0, 0.0), Vec3::Y));
        }
        let frame = roundel::render(&scene.into(), &RenderSettings::default()).expect("it draws");
        frame.pixels().iter().map(|pixel| *pixel == Srgba8::WHITE).collect::<Vec<_>>()
    };
    let plain = drawn(GREEN, false);
    assert!(plain.iter().any(|is_sky| *is_sky) && plain.iter().any(|is_sky| !is_sky));
    assert!(drawn(GREEN.with_alpha(120), false) == plain, "translucent");
    assert!(drawn(GREEN, true) == plain, "cut above the horizon");
}

#[test]
fn orthographic_eyes_may_be_far_away() {
    let mut state = 7u32;
    let mut random = move || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / (1 << 24) as f32 * 2.0 - 1.0
    };
    let spheres: Vec<PaintedSphere> = (0..12u8)
        .map(|index| PaintedSphere::new([random(), random(), random()], 0.15, Srgba8::rgb(20 * index, 90, 200)))
        .collect();
    for distance in [1.0, 1e3, 1e6, 3e7] {
        // rounded to f32 here, so that the picture and the oracle have the same eye
        let eye = [0.601_687, 0.501_405_9, 0.621_743_3].map(|along: f32| along * distance * 5.0);
        for target in [[0.0; 3], [0.125, -0.25, 0.5]] {
            let camera = Camera::look_at(eye, target).with_projection(Projection::orthographic(3.0));
            let sky = compare(camera, &spheres, 0.02);
            assert!((2500..7250).contains(&sky), "{sky} of 7500 at {distance}");
        }
    }
}
