//! Peak memory of each stage, counted at the allocator: the table in docs/memory.md.
//!
//! Counts the bytes allocated beyond the bytes in use before, with two threads. They do not depend on the machine.

use std::borrow::Cow;
use std::sync::{Mutex, MutexGuard, PoisonError};

use glam::Vec3;
use roundel::circles::{Blend, Canvas, CircleScene, Layer, PaintedCircle};
use roundel::generate::{self, Pattern};
use roundel::spheres::{
    AmbientOcclusion, Camera, DirectionalLight, PaintedSphere, Projection, Shading, SphereColumns, SphereScene,
};
use roundel::{Budget, Error, Frame, RenderSettings, Renderer, Resource, Scene, Srgba8, Statistics};

#[global_allocator]
static ALLOCATOR: dhat::Alloc = dhat::Alloc;

/// Serializes the tests, because the allocator counts for all threads.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The most bytes that the work holds at once.
fn peak<T>(work: impl FnOnce() -> T) -> (u64, T) {
    let profiler = dhat::Profiler::builder().testing().build();
    let result = work();
    let bytes = dhat::HeapStats::get().max_bytes as u64;
    drop(profiler);
    (bytes, result)
}

/// Shapes of a small and a large scene: superlinear growth passes one bound and fails the other. One more than a power of
/// two, so that lists that grow by doubling have just grown.
const COUNTS: [usize; 2] = [(1 << 17) + 1, (1 << 20) + 1];

const THREADS: u64 = 2;

const SIZE: (u32, u32) = (1280, 960);
const PIXELS: u64 = SIZE.0 as u64 * SIZE.1 as u64;

fn settings(budget: Budget) -> RenderSettings {
    RenderSettings::default().with_threads(2).with_budget(budget)
}

/// Prints the measurements: `cargo test --bench memory -- --nocapture`.
fn tell(stage: &str, count: u64, bytes: u64) {
    eprintln!("{stage}: {:.2} bytes each for {count}, {bytes} in all", bytes as f64 / count as f64);
}

/// The peak of drawing into an existing frame.
fn drawn(scene: &Scene<'_>) -> (u64, Statistics) {
    let (width, height) = scene.size();
    let mut frame = Frame::new(width, height, Srgba8::WHITE).expect("a small frame");
    let mut renderer = Renderer::new(&settings(Budget::default())).expect("two threads");
    peak(|| renderer.render(scene, &mut frame).expect("within the budget"))
}

/// The estimate for the budget is an upper bound of a picture's memory, and a close one.
fn estimate_holds(scene: &Scene<'_>, held: u64) {
    let mut frame = Frame::new(1, 1, Srgba8::WHITE).expect("a small frame");
    let mut draw = |memory| {
        let budget = Budget { memory, ..Budget::default() };
        Renderer::new(&settings(budget)).expect("two threads").render(scene, &mut frame)
    };
    match draw(held - 1) {
        Err(Error::Budget { resource: Resource::Memory, limit, .. }) => assert_eq!(limit, held - 1),
        other => panic!("{held} bytes were not too many: {other:?}"),
    }
    draw(4 * held + (32 << 20)).expect("four times as much, and something for the threads, is enough");
}

fn circle_scene(circles: &[PaintedCircle]) -> Scene<'_> {
    let canvas = Canvas { width: SIZE.0, height: SIZE.1, background: Srgba8::WHITE, blend: Blend::Srgb };
    Scene::Circles(CircleScene { canvas, layers: vec![Layer::Circles(Cow::Borrowed(circles))] })
}

/// Circles over the whole canvas, with about this radius in pixels.
fn circles(count: usize, radius: f32) -> Vec<PaintedCircle> {
    let mut circles = generate::circles(Pattern::Uniform, count, 1);
    for circle in &mut circles {
        circle.center = [(circle.center[0] + 1.0) * 640.0, (circle.center[1] + 1.0) * 480.0];
        circle.radius = radius;
    }
    circles
}

/// A thread's own memory while it draws: the block that it paints, and a chunk of circles while it is sorted.
const CIRCLE_THREAD: u64 = 1 << 20;

/// A tile's own memory: where its lists start in 16 chunks and more, and its rows.
const CIRCLE_TILE: u64 = 1 << 11;

#[test]
fn circles_take_8_bytes_for_each_tile_they_reach() {
    let _alone = alone();
    for (count, radius) in [(COUNTS[0], 1.5), (COUNTS[1], 1.5), (COUNTS[0], 100.0), (2000, 500.0)] {
        let circles = circles(count, radius);
        let scene = circle_scene(&circles);
        let (bytes, statistics) = drawn(&scene);
        tell("circles, for each pair with a tile", statistics.binned, bytes);
        let bound = 8 * statistics.binned + THREADS * CIRCLE_THREAD + statistics.tiles * CIRCLE_TILE;
        assert!(bytes <= bound, "{count} of radius {radius}: {bytes} bytes are more than {bound}");
        estimate_holds(&scene, bytes + count as u64 * 16 + 4 * PIXELS);
    }
}

#[test]
fn circles_that_are_not_seen_take_nothing() {
    let _alone = alone();
    let mut circles = circles(COUNTS[1], 1.5);
    circles.iter_mut().for_each(|circle| circle.center[0] -= 5000.0);
    let (bytes, statistics) = drawn(&circle_scene(&circles));
    assert_eq!(statistics.visible, 0);
    assert!(bytes <= THREADS * CIRCLE_THREAD + statistics.tiles * CIRCLE_TILE, "{bytes} bytes");
}

fn sphere_scene(spheres: &[PaintedSphere], target: Vec3, shading: Shading) -> Scene<'_> {
    let projection = Projection::Perspective { fov_y_radians: 0.7 };
    let camera = Camera::look_at(Vec3::new(0.0, 0.0, 4.0), target).with_projection(projection);
    SphereScene::new(camera, SIZE.0, SIZE.1).with_spheres(spheres).with_shading(shading).into()
}

#[test]
fn spheres_take_16_bytes_and_pixels_40() {
    let _alone = alone();
    for count in COUNTS {
        let spheres = generate::spheres(Pattern::Uniform, count, 1);
        let scene = sphere_scene(&spheres, Vec3::ZERO, Shading::default());
        let (bytes, statistics) = drawn(&scene);
        // the frame counts
        let bytes = bytes + 4 * PIXELS;
        tell("spheres in sight, with the frame", statistics.visible, bytes);
        assert!(statistics.visible > count as u64 * 9 / 10, "{statistics:?}");
        let bound = 16 * statistics.visible + 40 * PIXELS;
        assert!(bytes <= bound, "{count}: {bytes} bytes are more than {bound}");
        estimate_holds(&scene, bytes + count as u64 * 20);
    }
}

#[test]
fn borrowed_arrays_are_not_copied() {
    let _alone = alone();
    let camera =
        Camera::look_at([0.0, 0.0, 4.0], [0.0; 3]).with_projection(Projection::Perspective { fov_y_radians: 0.7 });
    for count in COUNTS {
        let rows = generate::spheres(Pattern::Uniform, count, 1);
        let centers: Vec<[f32; 3]> = rows.iter().map(|row| row.center).collect();
        let radii: Vec<f32> = rows.iter().map(|row| row.radius).collect();
        let colors: Vec<[u8; 3]> = rows.iter().map(|row| [row.color.r, row.color.g, row.color.b]).collect();
        drop(rows);
        let arrays = SphereColumns::new(&centers[..], &radii[..], &colors[..]).expect("as many of each");
        let scene = SphereScene::new(camera, SIZE.0, SIZE.1).with_spheres(arrays).into();
        let (bytes, statistics) = drawn(&scene);
        let bytes = bytes + 4 * PIXELS;
        tell("spheres of arrays in sight, with the frame", statistics.visible, bytes);
        let bound = 16 * statistics.visible + 40 * PIXELS;
        assert!(bytes <= bound, "{count}: {bytes} bytes are more than {bound}");
        estimate_holds(&scene, bytes + count as u64 * 19);
    }
}

/// Most bytes of the hierarchy per sphere, its build included: 16 in the leaves, where spheres are also sorted, 1.6 in the
/// nodes, the rest during the build.
const TREE: u64 = 20;

/// Bytes of a thread that halves a piece; a small scene is a single piece.
const HALVED: u64 = 24 << 18;

#[test]
fn ray_tree_keeps_to_its_bytes() {
    let _alone = alone();
    for count in COUNTS {
        let spheres = generate::spheres(Pattern::Uniform, count, 1);
        let shading = Shading::default().with_ao_rays(1);
        // looking away: the hierarchy has all spheres, the tiles have none
        let scene = sphere_scene(&spheres, Vec3::new(0.0, 0.0, 100.0), shading);
        let (bytes, statistics) = drawn(&scene);
        assert_eq!(statistics.visible, 0);
        tell("ray tree", count as u64, bytes);
        // a MiB for the lists of 960 tiles and the memory of threads
        assert!(bytes <= TREE * count as u64 + HALVED + (1 << 20), "{count}: {bytes} bytes");
        estimate_holds(&scene, bytes + count as u64 * 20 + 4 * PIXELS);
    }
}

/// Most bytes of the hierarchy and its clusters per sphere.
const SMOOTH: u64 = 24;

#[test]
fn smooth_occlusion_keeps_to_24_bytes() {
    let _alone = alone();
    for count in COUNTS {
        let spheres = generate::spheres(Pattern::Uniform, count, 1);
        let shading = Shading::default().with_ambient_occlusion(AmbientOcclusion::Smooth);
        // looking away, as above
        let scene = sphere_scene(&spheres, Vec3::new(0.0, 0.0, 100.0), shading);
        let (bytes, statistics) = drawn(&scene);
        assert_eq!(statistics.visible, 0);
        tell("smooth occlusion", count as u64, bytes);
        // a MiB as above, and one for the tables
        assert!(bytes <= SMOOTH * count as u64 + HALVED + (2 << 20), "{count}: {bytes} bytes");
        estimate_holds(&scene, bytes + count as u64 * 20 + 4 * PIXELS);
    }
}

/// Most bytes of a light buffer per sphere of similar sizes, its build included, and of pending hits per pixel where
/// spheres are several pixels wide.
const LIGHT: u64 = 48;
const SHADED: u64 = 8;

#[test]
fn light_buffers_keep_to_their_bytes() {
    let _alone = alone();
    for count in COUNTS {
        let spheres = generate::spheres(Pattern::Uniform, count, 1);
        // from behind the scene, so that every sphere may block the light of something visible
        let towards = |shadows: bool| {
            let mut shading = Shading::default();
            shading.shadows = shadows;
            let mut scene = sphere_scene(&spheres, Vec3::ZERO, shading);
            let Scene::Spheres(SphereScene { view, lights, .. }) = &mut scene else { panic!("spheres") };
            let direction = view.camera.eye - view.camera.target;
            lights.push(DirectionalLight::new(direction).into());
            scene
        };
        let (without, _) = drawn(&towards(false));
        let (bytes, statistics) = drawn(&towards(true));
        assert!(statistics.visible > count as u64 / 2, "{} of {count} are in sight", statistics.visible);
        tell("light buffer", count as u64, bytes - without);
        assert!(bytes - without <= LIGHT * count as u64 + SHADED * PIXELS, "{count}: {bytes} bytes, {without} without");
        estimate_holds(&towards(true), bytes + count as u64 * 20 + 4 * PIXELS);
    }
}

#[test]
fn generated_shapes_take_their_size() {
    let _alone = alone();
    for count in COUNTS {
        let bytes = peak(|| generate::spheres(Pattern::Gaussian, count, 1)).0;
        assert!(bytes <= 20 * count as u64 + (1 << 16), "{bytes} bytes for {count} spheres");
        let bytes = peak(|| generate::circles(Pattern::Gaussian, count, 1)).0;
        assert!(bytes <= 16 * count as u64 + (1 << 16), "{bytes} bytes for {count} circles");
    }
}

#[test]
fn png_is_written_with_so_many_bytes_a_pixel() {
    let _alone = alone();
    let folder = tempfile::tempdir().expect("a folder");
    for alpha in [255, 100] {
        let frame = Frame::new(SIZE.0, SIZE.1, Srgba8 { r: 1, g: 2, b: 3, a: alpha }).expect("a small frame");
        let bytes = peak(|| frame.save_png(folder.path().join("a.png")).expect("written")).0;
        tell("PNG", PIXELS, bytes);
        assert!(bytes <= 4 * PIXELS + (1 << 18), "{bytes}");
    }
}

mod files {
    use std::fmt::Write as _;
    use std::fs;

    use roundel::compare::{CompareOptions, Metric};
    use roundel::io::{LoadOptions, compare_files, compare_files_with_difference, read_scene};

    use super::*;

    /// Text in memory while two threads parse it: two batches of eight pieces a thread.
    const TEXT: u64 = 2 * 8 * THREADS * (1 << 18);

    /// Reads a file and prints its peak per shape.
    fn reading(name: &str, text: &str, count: usize, overrides: &LoadOptions, bound: u64) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(name);
        fs::write(&path, text).expect("written");
        let (bytes, scene) = peak(|| read_scene(&path, overrides).expect(name));
        tell(name, count as u64, bytes);
        assert!(bytes <= bound * count as u64 + TEXT + (1 << 20), "{name}, {count}: {bytes} bytes");
        drop(scene);
        // the budget knows the rest: as much as was held is refused or just enough
        let tight = Budget { memory: bytes.saturating_sub(TEXT) / 2, ..Budget::default() };
        let refused = read_scene(&path, &LoadOptions { budget: tight, ..overrides.clone() });
        assert!(matches!(refused, Err(Error::Budget { resource: Resource::Memory, .. })), "{refused:?}");
    }

    /// `count` lines, each made of its number.
    fn lines(head: &str, count: usize, line: impl Fn(&mut String, usize)) -> String {
        let mut text = head.to_owned();
        (0..count).for_each(|index| line(&mut text, index));
        text
    }

    #[test]
    fn table_rows_keep_to_their_bytes() {
        let _alone = alone();
        for count in COUNTS {
            let flat = lines("x,y,radius,color\n", count, |text, i| {
                let _ = writeln!(text, "{},{},0.5,#102030", i % 1000, i / 1000);
            });
            reading("circles.csv", &flat, count, &LoadOptions::default(), 72);
            let by_value = LoadOptions { color: Some("x".into()), r: Some("y".into()), ..LoadOptions::default() };
            reading("scaled.csv", &flat, count, &by_value, 72);
            let plain = lines("x,y,z,radius\n", count, |text, i| {
                let _ = writeln!(text, "{},{},{i},0.5", i % 1000, i / 1000);
            });
            // painted as they are read: 20 bytes, and a quarter of spare capacity
            reading("spheres.csv", &plain, count, &LoadOptions::default(), 32);
            let solid = lines("x,y,z,radius,color\n", count, |text, i| {
                let _ = writeln!(text, "{},{},{i},0.5,#102030", i % 1000, i / 1000);
            });
            // kept as a table, because a note counts the texts that are no colours
            reading("painted.csv", &solid, count, &LoadOptions::default(), 64);
            let by_value = LoadOptions { color: Some("z".into()), ..LoadOptions::default() };
            reading("colored.csv", &solid, count, &by_value, 96);
        }
    }

    #[test]
    fn arrays_take_their_spheres() {
        let _alone = alone();
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.npy");
        for count in COUNTS {
            let header = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({count}, 4), }}");
            let mut file = [b"\x93NUMPY\x01\0\x76\0".as_slice(), format!("{header:<117}\n").as_bytes()].concat();
            for sphere in generate::spheres(Pattern::Uniform, count, 1) {
                let [x, y, z] = sphere.center;
                file.extend([x, y, z, sphere.radius].map(f32::to_le_bytes).as_flattened());
            }
            fs::write(&path, file).expect("written");
            let (bytes, scene) = peak(|| read_scene(&path, &LoadOptions::default()).expect("an array"));
            tell("array", count as u64, bytes);
            drop(scene);
            assert!(bytes <= 20 * count as u64 + (1 << 20), "{count}: {bytes} bytes");
        }
    }

    #[test]
    fn atoms_keep_to_their_bytes() {
        let _alone = alone();
        for count in COUNTS {
            let xyz = lines(&format!("{count}\n\n"), count, |text, i| {
                let _ = writeln!(text, "C {} {} {i} 0.25", i % 100, i / 100);
            });
            let by_column = LoadOptions { color_by: Some("column5".into()), ..LoadOptions::default() };
            reading("atoms.xyz", &xyz, count, &by_column, 80);
            let both = LoadOptions { radius: Some("column5".into()), ..by_column };
            reading("sized.xyz", &xyz, count, &both, 80);
            let pdb = lines("", count, |text, i| {
                let (x, y, z) = (i % 100, i / 100 % 100, i / 10_000 % 1000);
                let _ = writeln!(
                    text,
                    "ATOM  {:>5}  CA  ALA A{:>4}    {x:8.3}{y:8.3}{z:8.3}  1.00 20.00           C",
                    i % 100_000,
                    i % 10_000
                );
            });
            reading("atoms.pdb", &pdb, count, &LoadOptions::default(), 80);
        }
    }

    #[test]
    fn scene_text_keeps_to_its_bytes() {
        let _alone = alone();
        let circles = lines("[canvas]\n", 20_000, |text, i| {
            let _ = writeln!(text, "[[circle]]\ncenter=[{i},1]\nradius=1\nfill=\"#123\"");
        });
        reading("scene.toml", &circles, circles.len(), &LoadOptions::default(), 128);
        // the densest text possible
        let rows = lines("{\"canvas\":{},\"circle\":[", 20_000, |text, i| {
            let _ = write!(text, "{}{{\"center\":[1,1],\"radius\":1,\"fill\":\"#123\"}}", if i > 0 { "," } else { "" });
        });
        let rows = rows + "]}";
        reading("scene.json", &rows, rows.len(), &LoadOptions::default(), 128);
    }

    #[test]
    fn hostile_text_keeps_to_its_bytes() {
        let _alone = alone();
        let folder = tempfile::tempdir().expect("a folder");
        let mega = 1 << 20;
        for (name, text) in [
            ("tables.toml", "[[circle]]\n".repeat(mega / 11)),
            ("array.toml", format!("a=[{}1]", "1,".repeat(mega / 2))),
            ("array.json", format!("{{\"a\":[{}1]}}", "1,".repeat(mega / 2))),
            ("empty.json", format!("{{\"a\":[{}{{}}]}}", "{},".repeat(mega / 3))),
            ("nested.json", format!("{{\"a\":[{}[]]}}", "[[[]]],".repeat(mega / 7))),
            ("keys.toml", (0..mega / 8).map(|i| format!("k{i}=1\n")).collect()),
        ] {
            let path = folder.path().join(name);
            fs::write(&path, &text).expect("written");
            let (bytes, read) = peak(|| read_scene(&path, &LoadOptions::default()).map(|_| ()));
            read.expect_err("no scene");
            tell(name, text.len() as u64, bytes);
            assert!(bytes <= 128 * text.len() as u64, "{name}: {bytes} bytes");
        }
    }

    #[test]
    fn comparison_keeps_to_its_bytes() {
        let _alone = alone();
        let folder = tempfile::tempdir().expect("a folder");
        let (a, b) = (folder.path().join("a.png"), folder.path().join("b.png"));
        let mut frame = Frame::new(1024, 1024, Srgba8::WHITE).expect("a small frame");
        frame.save_png(&a).expect("written");
        frame.pixels_mut()[77] = Srgba8 { r: 0, g: 0, b: 0, a: 255 };
        frame.save_png(&b).expect("written");
        let pixels = 1 << 20;
        let exact = CompareOptions::default();
        let bytes = peak(|| compare_files(&a, &b, &exact).expect("compared")).0;
        tell("compare, row by row", pixels, bytes);
        assert!(bytes <= 8 << 20, "{bytes}");
        let bytes = peak(|| compare_files_with_difference(&a, &b, &exact).expect("compared")).0;
        tell("compare, with a difference image", pixels, bytes);
        assert!(bytes <= (8 << 20) + 4 * pixels, "{bytes}");
        let flip = exact.with_metric(Metric::FLIP);
        let bytes = peak(|| compare_files(&a, &b, &flip).expect("compared")).0;
        tell("compare, FLIP", pixels, bytes);
        // two pictures, the errors, two canvases of decoders that wait for another frame, and strips of the filters
        assert!(bytes <= 20 * pixels + (2 << 20), "{bytes}");
    }
}

/// Streamed spheres take memory per pixel, and none per sphere.
#[test]
fn streams_keep_to_their_bytes() {
    let _alone = alone();
    let scene = SphereScene::new(Camera::look_at([0.0, 0.0, 5.0], [0.0; 3]), SIZE.0, SIZE.1);
    let renderer = Renderer::new(&settings(Budget::default())).expect("two threads");
    let held = COUNTS.map(|count| {
        let (bytes, visible) = peak(|| {
            let mut stream = renderer.stream(&scene).expect("within the budget").with_block(1 << 14);
            let fill = |numbers: std::ops::Range<u64>, spheres: &mut Vec<PaintedSphere>| {
                generate::extend_spheres(Pattern::Uniform, numbers, count as u64, 1, spheres);
            };
            stream.add_by_rule(0..count as u64, fill).expect("no hidden spheres");
            stream.finish().expect("fewer spheres than indices").numbers.len() as u64
        });
        tell("streams", count as u64, bytes);
        // the visible spheres become a scene, sorted by number first
        bytes - visible * 64
    });
    assert!(held.iter().all(|bytes| *bytes < 76 * PIXELS + (64 << 20)), "{held:?}");
    assert!(held[1] < held[0] + (24 << 20), "eight times as many take no more: {held:?}");
    let tight = Budget { memory: 64 << 20, ..Budget::default() };
    let error = Renderer::new(&settings(tight)).expect("two threads").stream(&scene).expect_err("not enough memory");
    assert!(matches!(error, Error::Budget { resource: Resource::Memory, .. }), "{error}");
}
