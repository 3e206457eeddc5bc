//! A million spheres from memory to finished pixels: each scene of `peers/spheres3d`, made here by the same recipe.
//!
//! Run with `cargo bench --bench spheres`; `cargo bench --bench spheres -- S1` for one scene, `-- errors` for how far
//! ambient occlusion is off. A full frame of 1920×1080 each; `prepare` lists the spheres by tile and light, and builds what
//! ambient-occlusion rays need, the rest finishes pixels.
//! The scenes are S1: 10⁶ spheres in a cube, S2: S1 with a hard shadow, S3: S1 with ambient occlusion, S4: 10⁷ spheres,
//! S5: 10⁵ dense ones, and S5 with ambient occlusion.
//!
//! Beside Embree 4.4 (`bench_embree … med`, packets of 8, of 16 for ambient occlusion), in turn on two cores of an AMD
//! EPYC with AVX-512; milliseconds, medians:
//!
//! | scene | roundel: prepare | roundel: all | Embree: build + render | times as fast |
//! |---|---|---|---|---|
//! | S1 | 9 | 36 | 205 + 177 | 10.6 |
//! | S2 | 18 | 69 | 215 + 290 | 7.3 |
//! | S3, 10 rays (16 of Embree's) | | 985 | 246 + 3991 | 4.3 |
//! | S3, 16 rays | | 1287 | | 3.3 |
//! | S4 | 100 | 168 | 2484 + 243 | 16 |
//! | S5 | 1.3 | 16 | 25 + 99 | 7.9 |
//! | S5, 7 rays (16 of Embree's) | | 349 | 26 + 1118 | 3.3 |
//! | S5, 16 rays | | 613 | | 1.9 |
//!
//! Occlusion rays of a pixel are stratified together, so that fewer do. k of them err, in the mean square against 4096, as
//! so many independent cosine-distributed rays: in S3 4 as 6.1, 8 as 14.7, 10 as 19.8, 16 as 35.7; in S5 4 as 8.9, 7 as
//! 20.4, 8 as 24.9, 16 as 80.8. Embree's 16, which the peer stratifies by height alone, err as 17.9 and as 19.7 (its
//! directions put into our table). Hence the rows of equal error.
//!
//! Tiles of 64 pixels instead of 32: S1 49 to 39 ms, S5 25 to 15.5, in turn, least of three; 96 and 128 differ from 64 by
//! less than the noise. Listing without divisions by the tile's side: `prepare` of S1 9.5 to 8.3.
//!
//! S2 took 242 ms when shadow rays went through the tree, 140 by lists of all spheres in the plane across the light, 125
//! by lists of those before what is seen, 106 since eight pixels were shaded at once, 68 since a tile is shaded sphere by
//! sphere (in turn, least of three). Of the 68, 8 list spheres by tile, 22 look at them, 4 note which are seen where, 10 list
//! a fifth of them for the light, 25 shade: 1.3 million rays of 85,000 spheres in tiles, of which 4 encode. What it took, in
//! turn: rays of one sphere ask together, in lanes of rays, and stop when none is left, instead of one after the other in
//! lanes of spheres 106 to 79; spheres in the column of their centre alone, floors from spheres instead of pixels 79 to 72;
//! columns of 4 radii instead of 6 and spheres looked up in a row 72 to 68. Lists of the neighbours of every sphere,
//! kept while its pixels are shaded in rows, gave 96: a sphere in the shade has 30 and more, of which the first few
//! decide.
//!
//! Of S5's rays with ambient occlusion most leave unhindered, through 4 nodes and 1.3 leaves of the tree. Lists of the
//! spheres around a hit's, a third as long, took 7 rays from 413 to 342 ms. Packets of 16 rays in like directions, with
//! interval arithmetic against boxes, took 16 rays of S5 from 689 to 541 ms, and of S3 from 1299 to 2528: small spheres
//! share too little.

#![expect(
    clippy::disallowed_methods,
    clippy::cast_possible_truncation,
    reason = "made-up scenes; no picture is compared"
)]

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use roundel::color::linear_from_srgb8;
use roundel::spheres::{Camera, DirectionalLight, PaintedSphere, Projection, Shading, SphereScene};
use roundel::{Frame, RenderSettings, Renderer, Scene, Srgba8, render};

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
        PaintedSphere { center, radius, color: Srgba8::rgb(r, g, b) }
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
        PaintedSphere { center, radius, color: Srgba8::rgb(r, g, b) }
    };
    order.iter().enumerate().map(atom).collect()
}

fn scene(spheres: &[PaintedSphere], eye: [f32; 3], target: [f32; 3], fov: f32) -> SphereScene<'_> {
    let projection = Projection::Perspective { fov_y_radians: fov.to_radians() };
    let camera = Camera::look_at(eye, target).with_projection(projection);
    SphereScene::new(camera, 1920, 1080)
        .with_background(Srgba8::BLACK)
        .with_spheres(spheres)
        .with_shading(Shading::default().with_ambient(0.0))
}

/// How far ambient occlusion is off its mean over 4096 rays, told as the independent cosine-distributed rays that are off as
/// far: a share p of k such rays has a variance of p (1 − p) / k.
fn tell_errors(name: &str, scene: &SphereScene<'_>) {
    let white = |sphere: &PaintedSphere| PaintedSphere { color: Srgba8::WHITE, ..*sphere };
    let spheres: Vec<_> = scene.groups[0].spheres.iter().map(white).collect();
    let red = Srgba8::rgb(255, 0, 0);
    let mut scene = SphereScene::new(scene.view.camera, 480, 270).with_background(red).with_spheres(spheres);
    let mut openness = |ao_rays: u32, seed: u64| -> Vec<f64> {
        scene.shading = scene.shading.with_ambient(1.0).with_ao_rays(ao_rays).with_seed(seed);
        let frame = render(&Scene::Spheres(scene.clone()), &RenderSettings::default()).expect("it draws");
        let hits = frame.pixels().iter().filter(|pixel| pixel.r == pixel.g);
        hits.map(|pixel| f64::from(linear_from_srgb8(pixel.g))).collect()
    };
    let mean = openness(4096, 99);
    let variance = mean.iter().map(|p| p * (1.0 - p)).sum::<f64>();
    for rays in [4, 7, 8, 10, 16] {
        let mut squared = |seed| openness(rays, seed).iter().zip(&mean).map(|(a, b)| (a - b) * (a - b)).sum::<f64>();
        println!("{name}: {rays} rays err as {:.1} independent ones", 2.0 * variance / (squared(0) + squared(1)));
    }
}

fn spheres(criterion: &mut Criterion) {
    let errors = std::env::args().any(|argument| argument == "errors");
    let mut group = criterion.benchmark_group("spheres");
    group.sample_size(10);
    let mut renderer = Renderer::new(&RenderSettings::default()).expect("default settings are valid");
    let mut frame = Frame::new(1920, 1080, Srgba8::BLACK).expect("a valid size");
    let mut time = |name: &str, scene: SphereScene<'_>| {
        let is_occluded = scene.shading.ao_rays > 0;
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
    let occluded = |scene: &SphereScene<'_>, ao_rays: u32| scene.shading.with_ambient(1.0).with_ao_rays(ao_rays);

    let million = cube(1_000_000, 0.003, 1);
    let (eye, target) = ([0.8, 0.75, 1.9], [0.5; 3]);
    let primary = scene(&million, eye, target, 40.0);
    let light = DirectionalLight::new([-0.4, -0.8, -0.45]).with_intensity(0.7);
    let shading = primary.shading.with_ambient(0.3).with_shadows();
    let shadowed = primary.clone().with_light(light).with_shading(shading);
    if errors {
        tell_errors("S3", &primary);
    }
    let ambient = |rays: u32| primary.clone().with_shading(occluded(&primary, rays));
    time("S3", ambient(16));
    time("S3 10 rays", ambient(10));
    time("S2", shadowed);
    time("S1", primary);
    drop(million);

    let ten_million = cube(10_000_000, 0.0015, 4);
    time("S4", scene(&ten_million, eye, target, 40.0));
    drop(ten_million);

    let dense = blob(100_000, 5);
    let primary = scene(&dense, [60.0, 40.0, 110.0], [0.0; 3], 44.0);
    if errors {
        tell_errors("S5", &primary);
        return;
    }
    let ambient = |rays: u32| primary.clone().with_shading(occluded(&primary, rays));
    time("S5 ambient occlusion", ambient(16));
    time("S5 ambient occlusion 7 rays", ambient(7));
    time("S5", primary);
}

criterion_group!(benches, spheres);
criterion_main!(benches);
