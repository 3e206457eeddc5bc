//! Spheres from memory to finished pixels: the scenes of `peers/spheres3d`, by the same recipe.
//!
//! Run with `cargo bench --bench spheres`; `cargo bench --bench spheres -- S1` for one scene, `-- errors` for the errors of
//! ambient occlusion, `-- hierarchy` for the build time of the hierarchy of 16 million spheres. Each draws a frame of
//! 1920×1080; `prepare` bins the spheres by tile and light, and builds hierarchies, the rest finishes pixels.
//! The structures that depend on the spheres alone are built in the first round and kept. The scenes are
//!
//! - S1: 10⁶ spheres in a cube; also as arrays of centres, radii and colours, in the look of particles ("studio"), and
//!   with ambient occlusion without rays. S2: S1 with a hard shadow. S3: S1 with ambient occlusion by rays. S4: 10⁷
//!   spheres.
//! - S5: 10⁵ dense ones, also with ambient occlusion.
//! - B1: S1 with a bond for each sphere, a round cylinder. E1: 10⁶ turned ellipsoids.
//! - T1 and T2: the spheres of S1 and S4 with an opacity of 0.3. T3: a protein of 10⁴ atoms in the look of molecules,
//!   the inner quarter opaque in a shell of opacity 0.25, or in a medium ("solid").
//!
//! Figures and peers: docs/performance.md, "Spheres".

#![expect(
    clippy::disallowed_methods,
    clippy::cast_possible_truncation,
    reason = "made-up scenes; no picture is compared"
)]

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use roundel::color::linear_from_srgb8;
use roundel::cylinders::{Caps, PaintedCylinder};
use roundel::ellipsoids::PaintedEllipsoid;
use roundel::spheres::{
    AmbientOcclusion, Camera, DirectionalLight, PaintedSphere, Projection, Shading, ShadingPreset, SphereColumns,
    SphereScene, Transparency,
};
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

/// A bond from the centre of each sphere to about where its neighbours are, as peers/bench_embree_shapes.cpp has it.
fn bonds(spheres: &[PaintedSphere], seed: u64) -> Vec<PaintedCylinder> {
    let bond = |(i, sphere): (u64, &PaintedSphere)| {
        let end = [0, 1, 2].map(|axis| sphere.center[axis] + (uniform(seed, 3 * i + axis as u64) - 0.5) * 0.02);
        PaintedCylinder::new(sphere.center, end, 0.001, sphere.color).with_caps(Caps::Round)
    };
    (0..).zip(spheres).map(bond).collect()
}

/// A randomly rotated ellipsoid of unequal radii in the place of each sphere.
fn ellipsoids(spheres: &[PaintedSphere], seed: u64) -> Vec<PaintedEllipsoid> {
    let ellipsoid = |(i, sphere): (u64, &PaintedSphere)| {
        let turn = [0, 1, 2, 3].map(|part| uniform(seed, 4 * i + part) - 0.5);
        let radii = [1.4, 1.0, 0.7].map(|share| sphere.radius * share);
        PaintedEllipsoid::new(sphere.center, radii, sphere.color).with_rotation(turn)
    };
    (0..).zip(spheres).map(ellipsoid).collect()
}

/// The same spheres as arrays of their centres, radii and colours.
fn arrays(rows: &[PaintedSphere]) -> SphereColumns<'static> {
    let (centers, (radii, colors)): (Vec<_>, (Vec<_>, Vec<_>)) =
        rows.iter().map(|row| (row.center, (row.radius, row.color))).unzip();
    SphereColumns::new(centers, radii, colors).expect("as many of each")
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

/// A protein with its innermost quarter of atoms opaque.
fn ghost_protein(count: usize) -> Vec<PaintedSphere> {
    let mut atoms = blob(count, 5);
    let squared = |atom: &PaintedSphere| atom.center.iter().map(|along| along * along).sum::<f32>();
    atoms.sort_by(|a, b| squared(a).total_cmp(&squared(b)));
    for atom in &mut atoms[count / 4..] {
        atom.color = atom.color.with_alpha(64);
    }
    atoms
}

fn scene(spheres: &[PaintedSphere], eye: [f32; 3], target: [f32; 3], fov: f32) -> SphereScene<'_> {
    let projection = Projection::Perspective { fov_y_radians: fov.to_radians() };
    let camera = Camera::look_at(eye, target).with_projection(projection);
    SphereScene::new(camera, 1920, 1080)
        .with_background(Srgba8::BLACK)
        .with_spheres(spheres)
        .with_shading(Shading::default().with_ambient(0.0))
}

/// Prints the errors of ambient occlusion against its mean over 4096 rays: root mean square, mean and largest error,
/// and k, the number of independent cosine-distributed rays with the same mean square: the share p of k such
/// rays has a variance of p (1 − p) / k.
fn print_errors(name: &str, scene: &SphereScene<'_>) {
    let white = |sphere: PaintedSphere| PaintedSphere { color: Srgba8::WHITE, ..sphere };
    let spheres: Vec<_> = scene.groups[0].spheres.iter().map(white).collect();
    let red = Srgba8::rgb(255, 0, 0);
    let mut scene = SphereScene::new(scene.view.camera, 480, 270).with_background(red).with_spheres(spheres);
    let mut openness = |ambient_occlusion: AmbientOcclusion, seed: u64| -> Vec<f64> {
        let shading = scene.shading.with_ambient(1.0).with_seed(seed);
        scene.shading = shading.with_ambient_occlusion(ambient_occlusion);
        let frame = render(&Scene::Spheres(scene.clone()), &RenderSettings::default()).expect("it draws");
        let hits = frame.pixels().iter().filter(|pixel| pixel.r == pixel.g);
        hits.map(|pixel| f64::from(linear_from_srgb8(pixel.g))).collect()
    };
    let mean = openness(AmbientOcclusion::Rays(4096), 99);
    let variance = mean.iter().map(|p| p * (1.0 - p)).sum::<f64>();
    let methods = [
        ("4 rays", AmbientOcclusion::Rays(4)),
        ("7 rays", AmbientOcclusion::Rays(7)),
        ("10 rays", AmbientOcclusion::Rays(10)),
        ("16 rays", AmbientOcclusion::Rays(16)),
        ("smooth", AmbientOcclusion::Smooth),
    ];
    for (method, ambient_occlusion) in methods {
        let errors: Vec<f64> = openness(ambient_occlusion, 0).iter().zip(&mean).map(|(a, b)| a - b).collect();
        let count = errors.len() as f64;
        let squared = errors.iter().map(|error| error * error).sum::<f64>();
        println!(
            "{name}, {method}: RMS {:.4}, bias {:+.4}, largest {:.3}, k {:.0}",
            (squared / count).sqrt(),
            errors.iter().sum::<f64>() / count,
            errors.iter().fold(0.0f64, |largest, error| largest.max(error.abs())),
            variance / squared
        );
    }
}

/// Prints the build time of the hierarchy of 16 million spheres, including the hash that identifies it: the extra time
/// to prepare an empty picture that needs it.
fn print_hierarchy() {
    let spheres = cube(1 << 24, 0.001, 4);
    let primary = scene(&spheres, [0.5, 0.5, 3.0], [0.5, 0.5, 9.0], 40.0);
    let occluded = primary.clone().with_shading(primary.shading.with_ao_rays(1));
    let [without, with] = [primary, occluded].map(Scene::Spheres);
    let mut frame = Frame::new(1920, 1080, Srgba8::BLACK).expect("a valid size");
    for _ in 0..5 {
        let mut prepare = |scene: &Scene<'_>| {
            let mut renderer = Renderer::new(&RenderSettings::default()).expect("default settings are valid");
            renderer.render(black_box(scene), &mut frame).expect("it draws").prepare.as_secs_f64()
        };
        println!("hierarchy of 16,777,216 spheres: {:.3} s", prepare(&with) - prepare(&without));
    }
}

/// The scene with ambient light only, and occlusion without rays.
fn smooth(scene: SphereScene<'_>) -> SphereScene<'_> {
    let shading = scene.shading.with_ambient(1.0).with_ambient_occlusion(AmbientOcclusion::Smooth);
    scene.with_shading(shading)
}

fn spheres(criterion: &mut Criterion) {
    let errors = std::env::args().any(|argument| argument == "errors");
    if std::env::args().any(|argument| argument == "hierarchy") {
        print_hierarchy();
        return;
    }
    let mut group = criterion.benchmark_group("spheres");
    group.sample_size(10);
    let mut renderer = Renderer::new(&RenderSettings::default()).expect("default settings are valid");
    let mut frame = Frame::new(1920, 1080, Srgba8::BLACK).expect("a valid size");
    let mut time = |name: &str, scene: SphereScene<'_>| {
        let is_occluded = scene.shading.ambient_occlusion.is_on();
        let scene = Scene::Spheres(scene);
        // timing the first stage draws a whole frame; skipped where that takes seconds
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
        print_errors("S3", &primary);
    }
    let ambient = |rays: u32| primary.clone().with_shading(occluded(&primary, rays));
    let translucent = |spheres: &[PaintedSphere]| -> Vec<PaintedSphere> {
        let of = |sphere: &PaintedSphere| PaintedSphere { color: sphere.color.with_alpha(77), ..*sphere };
        spheres.iter().map(of).collect()
    };
    let ghosts = translucent(&million);
    for model in [Transparency::Surfaces, Transparency::Shell, Transparency::Solid, Transparency::Front] {
        let ghost = scene(&ghosts, eye, target, 40.0);
        let shading = ghost.shading.with_transparency(model);
        time(&format!("T1 {model}"), ghost.with_shading(shading));
    }
    let faint: Vec<PaintedSphere> =
        million.iter().map(|sphere| PaintedSphere { color: sphere.color.with_alpha(13), ..*sphere }).collect();
    let medium = smooth(scene(&faint, eye, target, 40.0));
    let shading = medium.shading.with_transparency(Transparency::Solid);
    time("T1 solid smooth occlusion", medium.with_shading(shading));
    drop((ghosts, faint));
    let protein = ghost_protein(10_000);
    let shading = Shading::preset(ShadingPreset::Illustrative).with_samples(4);
    let ghost = scene(&protein, [25.0, 20.0, 60.0], [0.0; 3], 44.0).with_background(Srgba8::WHITE);
    let medium = shading.with_transparency(Transparency::Solid);
    time("T3", ghost.clone().with_shading(shading));
    time("T3 solid", ghost.with_shading(medium));
    time("S1 studio", primary.clone().with_shading(Shading::preset(ShadingPreset::Studio)));
    let joined = primary.clone().with_cylinders(bonds(&million, 11));
    time("B1 smooth occlusion", smooth(joined.clone()));
    time("B1", joined);
    let grains = scene(&[], eye, target, 40.0).with_ellipsoids(ellipsoids(&million, 12));
    time("E1 smooth occlusion", smooth(grains.clone()));
    time("E1", grains);
    time("S3", ambient(16));
    time("S3 10 rays", ambient(10));
    time("S1 smooth occlusion", smooth(primary.clone()));
    time("S2", shadowed);
    let mut in_arrays = primary.clone();
    in_arrays.groups = vec![arrays(&million).into()];
    time("S1 arrays", in_arrays);
    time("S1", primary);
    drop(million);

    let ten_million = cube(10_000_000, 0.0015, 4);
    time("S4", scene(&ten_million, eye, target, 40.0));
    let ghosts = translucent(&ten_million);
    let ghost = scene(&ghosts, eye, target, 40.0);
    let shading = ghost.shading.with_transparency(Transparency::Surfaces);
    time("T2 surfaces", ghost.with_shading(shading));
    drop(ghosts);
    drop(ten_million);

    let dense = blob(100_000, 5);
    let primary = scene(&dense, [60.0, 40.0, 110.0], [0.0; 3], 44.0);
    if errors {
        print_errors("S5", &primary);
        return;
    }
    let ambient = |rays: u32| primary.clone().with_shading(occluded(&primary, rays));
    time("S5 smooth occlusion", smooth(primary.clone()));
    time("S5 ambient occlusion", ambient(16));
    time("S5 ambient occlusion 7 rays", ambient(7));
    time("S5", primary);
}

criterion_group!(benches, spheres);
criterion_main!(benches);
