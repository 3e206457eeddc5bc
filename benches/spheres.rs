//! A million spheres from memory to finished pixels: each scene of `peers/spheres3d`, made here by the same recipe.
//!
//! Run with `cargo bench --bench spheres`; `cargo bench --bench spheres -- S1` for one scene. A full frame of
//! 1920×1080 each; `prepare` lists the spheres by tile and builds what rays need, the rest finishes pixels.
//! The scenes are S1: 10⁶ spheres in a cube, S2: S1 with a hard shadow, S3: S1 with 16 ambient-occlusion rays, S4:
//! 10⁷ spheres, S5: 10⁵ dense ones, and S5 with 16 ambient-occlusion rays.
//!
//! Beside Embree 4.4 (`bench_embree … med`, packets of 8, of 16 for ambient occlusion), in turn on two cores of an AMD
//! EPYC with AVX-512; milliseconds, medians:
//!
//! | scene | roundel: prepare | roundel: all | Embree: build + render | times as fast |
//! |---|---|---|---|---|
//! | S1 | | 44 | 212 + 182 | 9.0 |
//! | S2 | | 166 | 214 + 306 | 3.1 |
//! | S3 | | 1272 | 219 + 3405 | 2.8 |
//! | S4 | 124 | 182 | 2494 + 265 | 15 |
//! | S5 | | 17 | 26 + 99 | 7.2 |
//! | S5, ambient occlusion | | 681 | 23 + 1050 | 1.6 |
//!
//! Tiles of 64 pixels instead of 32: S1 49 to 39 ms, S5 25 to 15.5, in turn, least of three; 48: 42 and 18.
//!
//! S2 took 242 ms when shadow rays went through the tree, 166 by lists in the plane across the light, in turn (least of three).
//! Of 1.6 million hits the lists cost some 30 ms and 40 ms to make; columns of 2 to 16 mean radii differ by less than the
//! noise, lists of leaves side by side and of one row for each number as well.

#![expect(
    clippy::disallowed_methods,
    clippy::cast_possible_truncation,
    reason = "made-up scenes; no picture is compared"
)]

use std::borrow::Cow;
use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use glam::Vec3;
use roundel::{
    Background, Camera, Frame, Light, PaintedSphere, Pose, Projection, Quality, Renderer, Scene, Settings, SphereGroup,
    SphereScene, Srgba8, View,
};

/// splitmix64 at a counter, as in gen.py.
fn hash(seed: u64, i: u64) -> u64 {
    let z = (i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(seed);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

fn uniform(seed: u64, i: u64) -> f32 {
    (hash(seed, i) >> 40) as f32 / (1u64 << 24) as f32
}

/// Spheres of one radius in the unit cube.
fn cube(count: u64, radius: f32, seed: u64) -> Vec<PaintedSphere> {
    let sphere = |i: u64| {
        let center = [0, 1, 2].map(|axis| uniform(seed, 3 * i + axis));
        let bits = hash(seed + 77, i);
        let [r, g, b] = [0, 8, 16].map(|shift| 64 + u8::try_from(bits >> shift & 127).expect("seven bits"));
        PaintedSphere { center, radius, color: Srgba8::opaque(r, g, b) }
    };
    (0..count).map(sphere).collect()
}

/// A protein-like blob: the lattice points of lowest score, jittered, in six kinds of atom.
fn blob(count: usize, seed: u64) -> Vec<PaintedSphere> {
    let mut points = Vec::new();
    for x in -48..=48 {
        for y in -48..=48 {
            for z in -48..=48 {
                let [x, y, z] = [x, y, z].map(|step| f64::from(step) * 1.5);
                let waves = (0.17 * x).sin() + (0.19 * y + 1.0).sin() + (0.23 * z + 2.0).sin();
                points.push(((x * x + y * y + z * z).sqrt() + 4.0 * waves, [x, y, z]));
            }
        }
    }
    let mut order: Vec<usize> = (0..points.len()).collect();
    order.sort_by(|&a, &b| points[a].0.total_cmp(&points[b].0));
    order.truncate(count);
    order.sort_unstable();
    let kinds = [
        (0.45, 1.2, [230, 230, 230]),
        (0.77, 1.7, [144, 144, 144]),
        (0.87, 1.55, [48, 80, 248]),
        (0.97, 1.52, [255, 13, 13]),
        (0.99, 1.8, [255, 200, 50]),
        (1.0, 1.9, [255, 128, 0]),
    ];
    let atom = |(i, &place): (usize, &usize)| {
        let i = i as u64;
        let point = points[place].1.map(|component| component as f32);
        let center = [0, 1, 2].map(|axis| point[axis] + (uniform(seed, 3 * i + axis as u64) - 0.5) * 0.9);
        let share = uniform(seed + 5, i);
        let (_, radius, [r, g, b]) = kinds[kinds.iter().take(5).filter(|kind| kind.0 < share).count()];
        PaintedSphere { center, radius, color: Srgba8::opaque(r, g, b) }
    };
    order.iter().enumerate().map(atom).collect()
}

fn scene(spheres: &[PaintedSphere], eye: [f32; 3], target: [f32; 3], fov: f32) -> SphereScene<'_> {
    let projection = Projection::Perspective { fov_y_radians: fov.to_radians() };
    let camera = Camera { eye: eye.into(), target: target.into(), up: Vec3::Y, projection };
    SphereScene {
        view: View { width: 1920, height: 1080, background: Background::Solid(Srgba8::BLACK), camera },
        groups: vec![SphereGroup { spheres: Cow::Borrowed(spheres), poses: vec![Pose::IDENTITY].into() }],
        lights: Vec::new(),
        quality: Quality { ambient: 0.0, ..Quality::default() },
    }
}

fn spheres(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("spheres");
    group.sample_size(10);
    let mut renderer = Renderer::new(&Settings::default()).expect("default settings are valid");
    let mut frame = Frame::new(1920, 1080, Srgba8::BLACK).expect("a valid size");
    let mut time = |name: &str, scene: SphereScene<'_>| {
        let is_occluded = scene.quality.ao_rays > 0;
        let scene = Scene::Spheres(scene);
        // a whole frame is drawn to time its first stage: not where the rest takes seconds
        if !is_occluded {
            group.bench_function(format!("{name} prepare"), |bencher| {
                bencher.iter_custom(|rounds| {
                    (0..rounds).map(|_| renderer.render(black_box(&scene), &mut frame).expect("it draws").prepare).sum()
                });
            });
        }
        group.bench_function(name, |bencher| {
            bencher.iter(|| renderer.render(black_box(&scene), &mut frame).expect("it draws"));
        });
    };
    let occluded = |scene: &SphereScene<'_>| Quality { ambient: 1.0, ao_rays: 16, ..scene.quality };

    let million = cube(1_000_000, 0.003, 1);
    let (eye, target) = ([0.8, 0.75, 1.9], [0.5; 3]);
    let primary = scene(&million, eye, target, 40.0);
    let light = Light { direction: Vec3::new(-0.4, -0.8, -0.45), color: Srgba8::WHITE, intensity: 0.7 };
    let shadowed = SphereScene {
        lights: vec![light],
        quality: Quality { ambient: 0.3, shadows: true, ..primary.quality },
        ..primary.clone()
    };
    let ambient = SphereScene { quality: occluded(&primary), ..primary.clone() };
    time("S1", primary);
    time("S2", shadowed);
    time("S3", ambient);
    drop(million);

    let ten_million = cube(10_000_000, 0.0015, 4);
    time("S4", scene(&ten_million, eye, target, 40.0));
    drop(ten_million);

    let dense = blob(100_000, 5);
    let primary = scene(&dense, [60.0, 40.0, 110.0], [0.0; 3], 44.0);
    let ambient = SphereScene { quality: occluded(&primary), ..primary.clone() };
    time("S5", primary);
    time("S5 ambient occlusion", ambient);
}

criterion_group!(benches, spheres);
criterion_main!(benches);
