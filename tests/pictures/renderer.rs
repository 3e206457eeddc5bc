//! The renderer itself: cancelled renders, settings that this machine does not have, pictures seen from inside a
//! sphere.

use std::sync::atomic::AtomicBool;

use roundel::circles::CircleScene;
use roundel::cylinders::PaintedCylinder;
use roundel::generate::{self, Pattern};
use roundel::geom::Plane;
use roundel::glam::Vec3;
use roundel::spheres::{Camera, ClipPlane, DirectionalLight, PaintedSphere, Shading, ShadingPreset, SphereScene};
use roundel::{Frame, RenderSettings, Renderer, Scene, SimdLevel, Srgba8, render};

/// Enough spheres for light buffers.
const MANY: usize = 5000;

/// Spheres in the box from −1 to 1, with a light from above that casts shadows.
fn shadowed(count: usize) -> SphereScene<'static> {
    SphereScene::new(Camera::look_at([0.0, 1.0, 6.0], [0.0; 3]), 96, 72)
        .with_spheres(generate::spheres(Pattern::Uniform, count, 1))
        .with_light(DirectionalLight::new([0.3, -1.0, -0.2]))
        .with_shading(Shading::default().with_shadows())
}

#[test]
fn cancelled_renders_return_none_and_leave_the_renderer_usable() {
    let mut circles = generate::circles(Pattern::Uniform, 1000, 1);
    circles.iter_mut().for_each(|circle| circle.center = circle.center.map(|place| 48.0 + 48.0 * place));
    let plain = shadowed(MANY).with_shading(Shading::default());
    let scenes: [Scene<'_>; 4] = [
        CircleScene::new(96, 96).with_layer(circles).into(),
        plain.into(),
        shadowed(100).into(),
        shadowed(MANY).into(),
    ];
    let settings = RenderSettings::default().with_tile_size(16);
    let mut renderer = Renderer::new(&settings).expect("valid settings");
    for scene in &scenes {
        let mut frame = Frame::new(1, 1, Srgba8::WHITE).expect("a small frame");
        let cancelled = renderer.render_unless_cancelled(scene, &mut frame, &AtomicBool::new(true));
        assert_eq!(cancelled.expect("within the budget"), None);
        renderer.render(scene, &mut frame).expect("within the budget");
        assert!(frame == render(scene, &settings).expect("within the budget"), "a new renderer draws the same");
    }
}

#[test]
fn shares_of_a_picture_make_up_the_whole() {
    let looks = [ShadingPreset::Headlight, ShadingPreset::Illustrative, ShadingPreset::Studio, ShadingPreset::Flat];
    let mut scenes: Vec<Scene<'_>> = looks
        .iter()
        .flat_map(|look| [100, MANY].map(|count| shadowed(count).with_shading(Shading::preset(*look)).into()))
        .collect();
    // small spheres, which are lit by the depths of the whole picture
    scenes.push(shadowed(MANY).with_shading(Shading::preset(ShadingPreset::Studio).with_splat_radius(90.0)).into());
    let mut circles = generate::circles(Pattern::Uniform, 1000, 1);
    circles.iter_mut().for_each(|circle| circle.center = circle.center.map(|place| 48.0 + 48.0 * place));
    scenes.push(CircleScene::new(96, 72).with_layer(circles).into());
    // seen through, with other shapes, cut, and large spheres around the eye
    let mut glass = generate::spheres(Pattern::Uniform, MANY, 2);
    glass.iter_mut().step_by(3).for_each(|sphere| sphere.color.a = 90);
    glass.push(PaintedSphere::new([0.5, 1.0, 5.5], 1.0, Srgba8::rgba(200, 90, 40, 60)));
    let bond = PaintedCylinder::new([-1.0, -1.0, 0.0], [1.0, 1.0, 0.5], 0.1, Srgba8::rgb(200, 90, 40));
    let plane = ClipPlane::from(Plane { normal: Vec3::new(0.36, -0.48, 0.8), offset: 0.25 });
    let shading = Shading::preset(ShadingPreset::Illustrative).with_shadows().with_outline_width(3.0);
    let mixed = shadowed(0).with_spheres(glass).with_cylinders(vec![bond]).with_shading(shading);
    scenes.push(mixed.clone().with_clip_plane(plane).into());
    scenes.push(mixed.into());
    let settings = RenderSettings::default().with_tile_size(16);
    for (number, scene) in scenes.iter().enumerate() {
        let whole = render(scene, &settings).expect("within the budget");
        let splits: [&[u32]; 3] = [&[0, 20, 72], &[0, 1, 33, 48, 200], &[0, 16, 17, 18, 64, 72]];
        let mut renderer = Renderer::new(&settings).expect("valid settings");
        for ends in splits {
            let mut joined = Vec::new();
            for band in ends.windows(2) {
                // each worker has a frame of its own
                let mut frame = Frame::new(1, 1, Srgba8::WHITE).expect("a small frame");
                let rows = renderer.render_share(scene, &mut frame, band[0]..band[1]).expect("within the budget");
                joined.extend_from_slice(&frame.pixels()[rows.start as usize * 96..rows.end as usize * 96]);
            }
            assert!(joined == whole.pixels(), "scene {number}, shares that end at {ends:?}");
        }
        let mut frame = Frame::new(1, 1, Srgba8::WHITE).expect("a small frame");
        renderer.render(scene, &mut frame).expect("within the budget");
        assert!(frame == whole, "scene {number} after shares");
    }
}

#[test]
fn levels_of_other_processors_are_refused_with_the_available_ones() {
    let available = SimdLevel::available();
    let foreign = if cfg!(target_arch = "aarch64") { SimdLevel::Avx2 } else { SimdLevel::Neon };
    assert!(!available.contains(&foreign));
    let error = Renderer::new(&RenderSettings::default().with_simd(foreign)).expect_err("not this processor's");
    let names: Vec<_> = available.into_iter().map(SimdLevel::name).collect();
    let expected =
        format!("simd {foreign} is not supported by this processor or build, which has {}", names.join(", "));
    assert_eq!(error.to_string(), expected);
    assert!(Renderer::new(&RenderSettings::default().with_tile_size(7)).is_err());
}

#[test]
fn no_light_enters_a_sphere_around_the_eye() {
    let red = Srgba8::rgb(0xff, 0, 0);
    let shell = PaintedSphere::new([0.0; 3], 3.0, red);
    // by the hierarchy and by light buffers; spheres out of view cast shadows, too
    for outside in [0, MANY] {
        let mut spheres = generate::spheres(Pattern::Lattice, outside, 0);
        spheres.iter_mut().for_each(|sphere| sphere.center[1] += 20.0);
        spheres.push(shell);
        let ambient = 0.25;
        let scene = SphereScene::new(Camera::look_at([0.0; 3], [0.0, 0.0, -1.0]), 40, 30)
            .with_spheres(spheres)
            .with_light(DirectionalLight::new([0.0, -1.0, -1.0]))
            .with_shading(Shading::default().with_ambient(ambient));
        let dark = scene.clone().with_shading(scene.shading.with_shadows());
        // 0.25 of linear red, encoded: 255 · (1.055 · 0.25^(1/2.4) − 0.055) = 136.96
        let ambient_only = Srgba8::rgb(137, 0, 0);
        for level in SimdLevel::available() {
            let settings = RenderSettings::default().with_simd(level);
            let frame = render(&dark.clone().into(), &settings).expect("drawn");
            assert!(frame.pixels().iter().all(|&pixel| pixel == ambient_only), "{level}, {outside} spheres outside");
        }
        let lit = render(&scene.into(), &RenderSettings::default()).expect("drawn");
        assert!(lit.pixels().iter().any(|pixel| pixel.r > 137), "without shadows, light passes the shell");
    }
}

#[test]
fn shadows_without_light_buffers_are_the_same() {
    // so large that light buffers give way to the hierarchy; a power of two, so that every rounding is the same
    let unit = (1_u64 << 60) as f32;
    let near = shadowed(MANY);
    let mut spheres = generate::spheres(Pattern::Uniform, MANY, 1);
    for sphere in &mut spheres {
        sphere.center = sphere.center.map(|coordinate| unit * coordinate);
        sphere.radius *= unit;
    }
    let mut camera = near.view.camera;
    camera.eye *= unit;
    let far = SphereScene::new(camera, 96, 72)
        .with_spheres(spheres)
        .with_lights(near.lights.iter().copied())
        .with_shading(near.shading);
    let unshadowed = near.clone().with_shading(Shading::default());
    let draw = |scene: SphereScene<'_>, level| {
        render(&scene.into(), &RenderSettings::default().with_simd(level)).expect("drawn")
    };
    for level in SimdLevel::available() {
        let shadowed = draw(near.clone(), level);
        assert!(shadowed == draw(far.clone(), level), "{level}");
        assert!(shadowed != draw(unshadowed.clone(), level), "{level}: there are shadows");
    }
}

#[test]
fn shadows_of_spheres_out_of_sight_leave_the_background() {
    let away = Camera::look_at([0.0, 1.0, 6.0], [0.0, 1.0, 12.0]);
    let scene = SphereScene::new(away, 96, 72)
        .with_spheres(generate::spheres(Pattern::Uniform, MANY, 1))
        .with_light(DirectionalLight::new([0.3, -1.0, -0.2]))
        .with_shading(Shading::default().with_shadows());
    let frame = render(&scene.into(), &RenderSettings::default()).expect("drawn");
    assert!(frame.pixels().iter().all(|&pixel| pixel == Srgba8::WHITE));
}

#[test]
fn bands_are_the_rows_of_the_picture() {
    let mut circles = generate::circles(Pattern::Uniform, 1000, 1);
    circles.iter_mut().for_each(|circle| {
        circle.center = [500.0 + 500.0 * circle.center[0], 3000.0 + 3000.0 * circle.center[1]];
        circle.radius *= 500.0;
    });
    let mut spheres = shadowed(MANY);
    (spheres.view.width, spheres.view.height) = (1000, 6000);
    let scenes: [Scene<'_>; 2] = [CircleScene::new(1000, 6000).with_layer(circles).into(), spheres.into()];
    let mut renderer = Renderer::new(&RenderSettings::default()).expect("valid settings");
    for scene in &scenes {
        let (mut rows, mut bands) = (Vec::new(), 0);
        let take = &mut |band: &Frame| {
            bands += 1;
            rows.extend_from_slice(band.pixels());
            Ok(())
        };
        let statistics = renderer.render_bands(scene, take).expect("a picture in bands");
        let mut whole = Frame::new(1, 1, Srgba8::WHITE).expect("a small frame");
        let expected = renderer.render(scene, &mut whole).expect("a picture");
        assert!(rows == whole.pixels() && bands > 1, "{bands} bands");
        assert_eq!((statistics.tiles, statistics.shapes), (expected.tiles, expected.shapes));
    }
}
