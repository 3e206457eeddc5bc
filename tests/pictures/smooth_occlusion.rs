//! Ambient occlusion without rays, against rays.

use crate::oracle::random::Random;
use roundel::color::linear_from_srgb8;
use roundel::ellipsoids::PaintedEllipsoid;
use roundel::geom::Plane;
use roundel::glam::{Mat3, Vec3};
use roundel::spheres::{AmbientOcclusion, Camera, PaintedSphere, Pose, Shading, SphereGroup, SphereScene};
use roundel::{Culling, Frame, RenderSettings, Renderer, Scene, SimdLevel, Srgba8, render};

const WHITE: Srgba8 = Srgba8::WHITE;
const BACKGROUND: Srgba8 = Srgba8::rgb(255, 0, 0);

/// A white scene: a pixel's brightness is its openness.
fn scene(groups: Vec<SphereGroup<'static>>, eye: [f32; 3], target: [f32; 3]) -> SphereScene<'static> {
    let mut scene = SphereScene::new(Camera::look_at(eye, target), 64, 48).with_background(BACKGROUND);
    scene.groups = groups;
    scene.with_shading(Shading::default().with_ambient(1.0).with_ambient_occlusion(AmbientOcclusion::Smooth))
}

fn plain(spheres: Vec<PaintedSphere>, eye: [f32; 3]) -> SphereScene<'static> {
    scene(vec![spheres.into()], eye, [0.0; 3])
}

fn sphere(center: [f32; 3], radius: f32) -> PaintedSphere {
    PaintedSphere::new(center, radius, WHITE)
}

/// Spheres at random positions in a ball; `radius` maps a random number from 0 to 1 to their radii.
fn cloud(count: usize, ball: f32, radius: impl Fn(f32) -> f32, seed: u64) -> Vec<PaintedSphere> {
    let mut random = Random::new(seed);
    let mut spheres = Vec::new();
    while spheres.len() < count {
        let center = [0; 3].map(|_| random.within(-f64::from(ball), f64::from(ball)));
        if Vec3::from(center).length() < ball {
            spheres.push(sphere(center, radius(random.within(0.0, 1.0))));
        }
    }
    spheres
}

/// Something like the atoms of a protein: a jittered lattice in a ball, where neighbours overlap.
fn dense() -> Vec<PaintedSphere> {
    let mut random = Random::new(7);
    let mut spheres = Vec::new();
    for index in 0..21_i32.pow(3) {
        let place = [index % 21, index / 21 % 21, index / 441].map(|along| 1.5 * (along - 10) as f32);
        let center = place.map(|along| along + random.within(-0.4, 0.4));
        if Vec3::from(place).length() < 13.0 + 2.0 * (place[0] * 0.5).round() % 3.0 {
            spheres.push(sphere(center, random.within(1.2, 1.9)));
        }
    }
    spheres
}

/// Something like a protein of several domains with clefts between them: a jittered lattice in overlapping balls.
fn domains() -> Vec<PaintedSphere> {
    const BALLS: [([f32; 3], f32); 4] =
        [([0.0, 0.0, 0.0], 15.0), ([24.0, 8.0, 3.0], 13.0), ([-6.0, 27.0, -4.0], 14.0), ([8.0, -25.0, 6.0], 12.0)];
    let mut random = Random::new(5);
    let mut spheres = Vec::new();
    for index in 0..50_i32.pow(3) {
        let place = [index % 50, index / 50 % 50, index / 2500].map(|along| 1.6 * (along - 25) as f32);
        let center = place.map(|along| along + random.within(-0.4, 0.4));
        let radius = random.within(1.2, 1.9);
        if BALLS.iter().any(|(middle, ball)| Vec3::from(place).distance(Vec3::from(*middle)) < *ball) {
            spheres.push(sphere(center, radius));
        }
    }
    spheres
}

/// A cube of touching spheres, nine each way.
fn crystal(radius: f32) -> Vec<PaintedSphere> {
    let place = |index: i32| [index % 9, index / 9 % 9, index / 81].map(|along| (2 * along - 8) as f32 * radius);
    (0..729).map(|index| sphere(place(index), radius)).collect()
}

/// A sphere with nine spheres of a third of its size on it, each with nine more.
fn flake(center: Vec3, radius: f32, up: Vec3, depth: u32, spheres: &mut Vec<PaintedSphere>) {
    spheres.push(sphere(center.into(), radius));
    if depth == 0 {
        return;
    }
    let (side, other) = up.any_orthonormal_pair();
    let child = |latitude: f32, turn: f32| {
        let (sin, cos) = libm::sincosf(turn);
        (up * latitude + (side * cos + other * sin) * (1.0 - latitude * latitude).sqrt()).normalize()
    };
    let around = (0..6).map(|i| child(0.1, i as f32 * 1.047));
    let above = (0..3).map(|i| child(0.8, i as f32 * 2.094 + 0.5));
    for direction in around.chain(above) {
        flake(center + direction * (radius * 4.0 / 3.0), radius / 3.0, direction, depth - 1, spheres);
    }
}

/// Small spheres on one that is so large that it is a floor.
fn floor() -> Vec<PaintedSphere> {
    let mut random = Random::new(3);
    let mut spheres = vec![sphere([0.0, -500.0, 0.0], 499.0)];
    for _ in 0..400 {
        let (x, z) = (random.within(-12.0, 12.0), random.within(-12.0, 12.0));
        spheres.push(sphere([x, -0.6 - (x * x + z * z) / 1000.0, z], 0.4));
    }
    spheres
}

/// A ball of radius 1 with its centre at this height over a floor, which is a large sphere.
fn ball_over_floor(height: f32) -> Vec<SphereGroup<'static>> {
    vec![vec![sphere([0.0, -500.0, 0.0], 499.0), sphere([0.0, height - 1.0, 0.0], 1.0)].into()]
}

/// A ball on either side of x = 0, on a larger one as a floor.
fn balls_on_floor() -> Vec<SphereGroup<'static>> {
    let balls = vec![sphere([-1.5, 1.0, 0.0], 1.0), sphere([0.0, 1.0, 0.0], 1.0), sphere([2.0, 1.5, 1.0], 1.5)];
    vec![vec![sphere([0.0, -40.0, 0.0], 40.0)].into(), balls.into()]
}

/// Pairs of spheres, two to six radii apart.
fn pairs() -> Vec<PaintedSphere> {
    let pair = |step: i32| {
        let (x, apart) = ((4 * step - 8) as f32, (2 + step) as f32 * 0.5);
        [sphere([x, apart, 0.0], 1.0), sphere([x + 0.4, -apart, 0.3], 1.0)]
    };
    (0..5).flat_map(pair).collect()
}

/// Copies of a chain of atoms, turned and moved.
fn copies() -> Vec<SphereGroup<'static>> {
    let mut random = Random::new(11);
    let pose = |_| {
        let turn = Mat3::from_cols(Vec3::Y, Vec3::Z, Vec3::X);
        let rotation = [Mat3::IDENTITY, turn, turn * turn][(random.next() % 3) as usize];
        Pose { rotation, translation: Vec3::from([0; 3].map(|_| random.within(-12.0, 12.0))) }
    };
    let poses: Vec<Pose> = (0..60).map(pose).collect();
    let mut place = Vec3::ZERO;
    let mut atom = |_| {
        let step = Vec3::from([0; 3].map(|_| random.within(-1.0, 1.0))) - 0.2 * place;
        place += 1.5 * step.normalize();
        sphere(place.into(), 1.6)
    };
    vec![SphereGroup::new((0..60).map(&mut atom).collect::<Vec<_>>(), poses)]
}

/// The scene clipped by planes near its centre.
fn cut(scene: SphereScene<'static>, normals: &[[f32; 3]]) -> SphereScene<'static> {
    let planes = normals.iter().map(|&normal| {
        let normal = Vec3::from(normal);
        Plane::through(0.5 * normal.normalize(), normal)
    });
    planes.fold(scene, SphereScene::with_clip_plane)
}

/// The scene cut at an x: the greater side stays.
fn cut_at(scene: SphereScene<'static>, x: f32) -> SphereScene<'static> {
    scene.with_clip_plane(Plane::through(Vec3::new(x, 0.0, 0.0), -Vec3::X))
}

fn scenes() -> Vec<(&'static str, SphereScene<'static>)> {
    let mut flakes = Vec::new();
    flake(Vec3::ZERO, 1.0, Vec3::Y, 3, &mut flakes);
    let coincident = cloud(300, 8.0, |_| 1.0, 2).into_iter().flat_map(|one| [one; 3]).collect();
    let reach = |scene: SphereScene<'static>, distance: f32| {
        let shading = scene.shading.with_ao_distance(distance);
        scene.with_shading(shading)
    };
    let mut room = cloud(300, 8.0, |_| 0.8, 9);
    // only white spheres count
    room.push(PaintedSphere::new([0.0; 3], 20.0, BACKGROUND));
    vec![
        ("dense", plain(dense(), [14.0, 9.0, 34.0])),
        ("open", plain(cloud(3000, 10.0, |_| 0.25, 1), [0.0, 5.0, 26.0])),
        ("close", plain(cloud(3000, 10.0, |_| 0.5, 1), [3.0, 1.0, 12.0])),
        ("mixed radii", plain(cloud(4000, 10.0, |at| 0.02 + at * at * at * at * at * 2.0, 4), [0.0, 6.0, 25.0])),
        ("floor", scene(vec![floor().into()], [0.0, 6.0, 17.0], [0.0, -1.0, 0.0])),
        ("flake", plain(flakes, [1.5, 2.0, 4.5])),
        ("copies", scene(copies(), [0.0, 8.0, 38.0], [0.0; 3])),
        ("inside a sphere", reach(plain(room, [0.0, 3.0, 17.0]), 15.0)),
        ("within reach", reach(plain(cloud(3000, 10.0, |_| 0.4, 8), [0.0, 5.0, 26.0]), 2.0)),
        ("coincident", plain(coincident, [0.0, 3.0, 22.0])),
        ("one", plain(vec![sphere([0.0; 3], 1.0)], [0.0, 0.0, 4.0])),
        ("ball over a floor", scene(ball_over_floor(2.0), [0.0, 6.0, 17.0], [0.0; 3])),
        ("ball high over a floor", scene(ball_over_floor(4.0), [0.0, 6.0, 17.0], [0.0; 3])),
        ("pairs", plain(pairs(), [0.0, 0.0, 26.0])),
        ("cut", cut(plain(dense(), [14.0, 9.0, 34.0]), &[[0.3, 0.2, 1.0]])),
        ("cut, loose", cut(plain(cloud(1500, 10.0, |_| 0.9, 1), [14.0, 9.0, 34.0]), &[[0.3, 0.2, 1.0]])),
        (
            "cut to a slab",
            cut(plain(cloud(1500, 10.0, |_| 0.9, 1), [4.0, 3.0, 34.0]), &[[0.0, 0.0, 1.0], [0.0, 0.1, -1.0]]),
        ),
        ("balls on a floor, one cut", cut_at(scene(balls_on_floor(), [0.0, 6.0, 17.0], [0.0; 3]), -0.2)),
        ("balls on a floor, one cut away", cut_at(scene(balls_on_floor(), [0.0, 6.0, 17.0], [0.0; 3]), -1.2)),
        ("cut crystal", cut(plain(crystal(0.5), [4.0, 6.0, 14.0]), &[[0.1, 0.2, 1.0], [0.9, 0.3, -0.2]])),
    ]
}

/// Scenes of bodies that hide most of themselves: their blockers overlap as seen from a surface.
fn bodies() -> Vec<(&'static str, SphereScene<'static>)> {
    let reach = |scene: SphereScene<'static>, distance: f32| {
        let shading = scene.shading.with_ao_distance(distance);
        scene.with_shading(shading)
    };
    vec![
        ("domains", plain(domains(), [0.0, 0.0, 160.0])),
        ("domains from the side", plain(domains(), [140.0, 60.0, 0.0])),
        ("domains within 12", reach(plain(domains(), [0.0, 0.0, 160.0]), 12.0)),
        ("domains, near", plain(domains(), [10.0, 6.0, 48.0])),
        ("crystal within four radii", reach(plain(crystal(0.5), [4.0, 6.0, 14.0]), 2.0)),
        ("crystal within two radii", reach(plain(crystal(1.0), [8.0, 12.0, 28.0]), 2.0)),
        ("crystal", plain(crystal(0.5), [4.0, 6.0, 14.0])),
        ("crystal, near", reach(plain(crystal(0.5), [0.3, 0.5, 7.0]), 2.0)),
    ]
}

/// The openness of every pixel that shows a white sphere.
fn openness(scene: &SphereScene<'static>, occlusion: AmbientOcclusion) -> Vec<f64> {
    let draw = |occlusion| {
        let scene = scene.clone().with_shading(scene.shading.with_ambient_occlusion(occlusion));
        render(&scene.into(), &RenderSettings::default()).expect("it draws")
    };
    let (open, occluded) = (draw(AmbientOcclusion::Off), draw(occlusion));
    let pixels = open.pixels().iter().zip(occluded.pixels());
    let white = pixels.filter(|(open, _)| **open == WHITE);
    white.map(|(_, occluded)| f64::from(linear_from_srgb8(occluded.g))).collect()
}

#[test]
fn openness_is_that_of_many_rays() {
    let mut wrong = Vec::new();
    let bodies = bodies().into_iter().map(|(name, scene)| (name, scene, 4096));
    for (name, scene, rays) in scenes().into_iter().map(|(name, scene)| (name, scene, 1024)).chain(bodies) {
        let wanted = openness(&scene, AmbientOcclusion::Rays(rays));
        let found = openness(&scene, AmbientOcclusion::Smooth);
        assert!(wanted.len() > 300, "{name}: {} pixels", wanted.len());
        let errors: Vec<f64> = found.iter().zip(&wanted).map(|(found, wanted)| found - wanted).collect();
        let mean = |values: &mut dyn Iterator<Item = f64>| values.sum::<f64>() / errors.len() as f64;
        let rms = mean(&mut errors.iter().map(|error| error * error)).sqrt();
        let bias = mean(&mut errors.iter().copied());
        let largest = errors.iter().fold(0.0f64, |largest, error| largest.max(error.abs()));
        let line = format!("{name}: RMS {rms:.3}, bias {bias:+.3}, largest {largest:.2}");
        println!("{line}");
        if rms > 0.05 || bias.abs() > 0.02 || largest > 0.3 {
            wrong.push(line);
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The inside of a box of spheres without a front and a lid.
fn room() -> Vec<PaintedSphere> {
    let walls = (0..625).flat_map(|index: u16| {
        let [a, b] = [index % 25, index / 25].map(|along| f32::from(along) / 12.0 - 1.0);
        [[a, b, -1.0], [-1.0, a, b], [1.0, a, b], [a, -1.0, b]]
    });
    walls.map(|center| sphere(center, 0.06)).collect()
}

#[test]
fn a_renderer_says_where_smooth_occlusion_is_far_from_rays() {
    let mut renderer = Renderer::new(&RenderSettings::default()).expect("valid settings");
    let mut error = |scene: SphereScene<'static>| renderer.occlusion_error(&scene.into()).expect("it draws");
    let of_body = error(plain(dense(), [14.0, 9.0, 34.0])).expect("some surfaces");
    assert!(!of_body.is_large(), "{of_body:?}");
    let of_room = error(plain(room(), [0.0, 1.0, 6.0])).expect("some surfaces");
    assert!(of_room.is_large() && of_room.smooth > of_room.rays, "{of_room:?}");
    let by_rays = plain(room(), [0.0, 1.0, 6.0]);
    let shading = by_rays.shading.with_ambient_occlusion(AmbientOcclusion::Rays(64));
    assert_eq!(error(by_rays.with_shading(shading)), None);
}

#[test]
fn a_sphere_that_touches_the_flat_side_of_an_ellipsoid_is_not_inside_it() {
    let disc = PaintedEllipsoid::new([0.0; 3], [1.0, 1.0, 0.2], WHITE);
    let scene = plain(vec![sphere([0.0, 0.0, 0.5], 0.3)], [4.0, 0.0, 1.5]).with_ellipsoids(vec![disc]);
    let [smooth, rays] = [AmbientOcclusion::Smooth, AmbientOcclusion::Rays(1024)].map(|of| openness(&scene, of));
    let differences = smooth.iter().zip(&rays).map(|(smooth, rays)| (smooth - rays).abs());
    let largest = differences.fold(0.0, f64::max);
    assert!(largest < 0.3, "{largest}");
}

#[test]
fn threads_tiles_culling_levels_and_a_used_renderer_change_no_byte() {
    for (name, mut scene) in scenes() {
        for samples in [1, 3] {
            scene.shading = scene.shading.with_samples(samples);
            let scene = Scene::from(scene.clone());
            let wanted = render(&scene, &RenderSettings::default()).expect("it draws");
            let check = |settings: &RenderSettings| {
                let frame = render(&scene, settings).expect("it draws");
                assert!(frame.pixels() == wanted.pixels(), "{name}, {samples} samples: {settings:?}");
            };
            for level in SimdLevel::available() {
                check(&RenderSettings::default().with_simd(level).with_threads(1));
            }
            check(&RenderSettings::default().with_tile_size(13).with_culling(Culling::Off));
            check(&RenderSettings::default().with_tile_size(1024));
            let mut renderer = Renderer::new(&RenderSettings::default()).expect("valid settings");
            let mut frame = Frame::new(1, 1, WHITE).expect("a valid size");
            for _ in 0..2 {
                renderer.render(&scene, &mut frame).expect("it draws");
                assert!(frame.pixels() == wanted.pixels(), "{name}, {samples} samples: a second time");
            }
        }
    }
}

#[test]
fn a_renderer_notices_that_spheres_have_moved() {
    let mut renderer = Renderer::new(&RenderSettings::default()).expect("valid settings");
    let mut frame = Frame::new(1, 1, WHITE).expect("a valid size");
    let mut spheres = cloud(500, 5.0, |_| 0.5, 3);
    for step in 0..4 {
        spheres[step * 100].center = [0.0, 0.0, 5.0 + step as f32 * 0.1];
        let scene = Scene::from(plain(spheres.clone(), [0.0, 2.0, 14.0]));
        renderer.render(&scene, &mut frame).expect("it draws");
        let fresh = render(&scene, &RenderSettings::default()).expect("it draws");
        assert!(frame.pixels() == fresh.pixels(), "step {step}");
    }
}

/// Spheres without a size or a position, with squares out of range, around everything, and none at all.
#[test]
fn no_scene_is_too_odd() {
    let odd = [
        ([f32::NAN, 0.0, 0.0], 1.0),
        ([0.0; 3], -1.0),
        ([0.0; 3], f32::INFINITY),
        ([0.0; 3], 1e-30),
        ([0.0; 3], 1.0),
        ([0.5, 0.0, 0.0], 1.0),
        ([1e30, 0.0, 0.0], 1e30),
        ([0.0, 3e38, 0.0], 3e38),
        ([0.0, -2e19, 0.0], 2e19),
    ];
    let odd = odd.map(|(center, radius)| sphere(center, radius));
    let one_by_one = (0..odd.len()).map(|index| vec![odd[index]]);
    for spheres in one_by_one.chain([Vec::new(), odd.to_vec(), odd[4..].to_vec()]) {
        for reach in [f32::INFINITY, 1.0, 1e-30, 1e30] {
            let mut scene = plain(spheres.clone(), [0.0, 0.0, 4.0]);
            scene.shading = scene.shading.with_ao_distance(reach);
            let scene = Scene::from(scene);
            let draw = |level| render(&scene, &RenderSettings::default().with_simd(level)).expect("it draws");
            let wanted = draw(SimdLevel::Auto);
            for level in SimdLevel::available() {
                assert!(draw(level).pixels() == wanted.pixels(), "{level}, {reach}: {spheres:?}");
            }
        }
    }
}

/// A camera orbited by one degree sees nearly the same points: their mean openness stays.
#[test]
fn openness_belongs_to_the_point_and_not_to_the_camera() {
    let spheres = cloud(800, 6.0, |_| 0.6, 6);
    let mean = |eye: [f32; 3]| {
        let scene = plain(spheres.clone(), eye);
        let values = openness(&scene, AmbientOcclusion::Smooth);
        values.iter().sum::<f64>() / values.len() as f64
    };
    let (here, turned) = (mean([0.0, 0.0, 20.0]), mean([20.0 * 0.01745, 0.0, 20.0 * 0.99985]));
    assert!((here - turned).abs() < 0.01, "{here} {turned}");
}
