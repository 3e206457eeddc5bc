//! Pictures in full precision: 16 bits a channel, and depths, normals and numbers of spheres for compositing.

use roundel::circles::{Blend, CircleScene, PaintedCircle};
use roundel::color::srgb8_from_linear;
use roundel::geom::{Plane, Ray, ray_sphere};
use roundel::glam::Vec3;
use roundel::io::{FigureOptions, LoadOptions, load};
use roundel::spheres::{Camera, PaintedSphere, Pose, Projection, Shading, ShadingPreset, SphereGroup, SphereScene};
use roundel::{Aovs, Frame, GBuffer, RenderSettings, Renderer, Scene, Srgba8, render};

fn layers(scene: &Scene<'_>) -> Aovs {
    let settings = RenderSettings::default().with_tile_size(24);
    Renderer::new(&settings).expect("it starts").render_aovs(scene).expect("it draws").0
}

/// The greatest difference of a channel between 16 bits and 8, in steps of 16 bits.
fn difference(layers: &Aovs, frame: &Frame) -> u16 {
    let picture = layers.to_picture().expect("a picture");
    let samples = picture.rgba16().expect("16 bits").iter();
    let bytes = frame.to_rgba_bytes();
    samples.zip(bytes).map(|(sample, byte)| sample.abs_diff(257 * u16::from(byte))).max().unwrap_or_default()
}

fn spheres() -> Vec<PaintedSphere> {
    let sphere = |index: u8| {
        let along = f32::from(index) - 4.5;
        let color = Srgba8::rgb(25 * index, 255 - 20 * index, 90);
        PaintedSphere::new([0.5 * along, 0.3 * (along * along - 8.0) * 0.2, 0.4 * along], 0.45, color)
    };
    (0..10).map(sphere).collect()
}

fn scene(shading: Shading) -> SphereScene<'static> {
    let camera = Camera::look_at([0.0, 0.5, 9.0], [0.0; 3]).with_projection(Projection::perspective_degrees(32.0));
    let copies = vec![Pose::IDENTITY, Pose::from_translation([0.2, 1.0, -0.5])];
    SphereScene::new(camera, 90, 70)
        .with_spheres(SphereGroup::new(spheres(), copies))
        .with_spheres(vec![PaintedSphere::new([0.0, -1.2, 0.0], 0.7, Srgba8::WHITE)])
        .with_shading(shading)
}

#[test]
fn layers_are_the_frame_before_rounding() {
    for look in ShadingPreset::ALL {
        for samples in [1, 3] {
            for background in [Srgba8::WHITE, Srgba8::TRANSPARENT] {
                let scene: Scene =
                    scene(Shading::preset(look).with_samples(samples)).with_background(background).into();
                let frame = render(&scene, &RenderSettings::default()).expect("it draws");
                let layers = layers(&scene);
                for (found, &[r, g, b, a]) in frame.pixels().iter().zip(&layers.colors) {
                    let straight = |light: f32| srgb8_from_linear(if a > 0.0 && a < 1.0 { light / a } else { light });
                    assert_eq!([found.r, found.g, found.b], [r, g, b].map(straight), "{look}");
                }
                assert!(difference(&layers, &frame) <= 129, "{look}: half a step of 8 bits");
            }
        }
    }
}

#[test]
fn sixteen_bits_say_more_than_eight() {
    // a sphere under one light has more shades than 8 bits have
    let scene: Scene = scene(Shading::default()).into();
    let picture = layers(&scene).to_picture().expect("a picture");
    let mut shades: Vec<u16> = picture.rgba16().expect("16 bits").iter().step_by(4).copied().collect();
    shades.sort_unstable();
    shades.dedup();
    assert!(shades.len() > 600, "{}", shades.len());
}

#[test]
fn circles_have_sixteen_bits_in_either_blend_space() {
    for blend in [Blend::Srgb, Blend::Linear] {
        for background in [Srgba8::WHITE, Srgba8::rgb(10, 30, 50).with_alpha(40)] {
            // a hundredth of a step of 8 bits each
            let veil =
                |index: u16| PaintedCircle::new([20.0 + f32::from(index % 9), 20.0], 18.0, Srgba8::BLACK.with_alpha(1));
            let mut scene = CircleScene::new(48, 40).with_layer((0..60).map(veil).collect::<Vec<_>>());
            (scene.canvas.blend, scene.canvas.background) = (blend, background);
            let scene: Scene = scene.into();
            let frame = render(&scene, &RenderSettings::default()).expect("it draws");
            let layers = layers(&scene);
            assert!(difference(&layers, &frame) <= 129, "{blend:?}");
            assert!(layers.gbuffer.is_none());
            let picture = layers.to_picture().expect("a picture");
            let off_grid = picture.rgba16().expect("16 bits").iter().filter(|sample| **sample % 257 != 0).count();
            assert!(off_grid > 500, "{blend:?}: {off_grid}");
        }
    }
}

#[test]
fn surfaces_are_those_of_rays_through_pixels() {
    let front = Plane::through(Vec3::new(0.0, 0.0, 0.6), Vec3::Z);
    for scene in [scene(Shading::preset(ShadingPreset::Studio)), scene(Shading::default()).with_clip_plane(front)] {
        let is_cut = !scene.clip_planes.is_empty();
        let mut all = spheres();
        all.extend(spheres().into_iter().map(|sphere| {
            let [x, y, z] = sphere.center;
            PaintedSphere { center: [x + 0.2, y + 1.0, z - 0.5], ..sphere }
        }));
        all.push(PaintedSphere::new([0.0, -1.2, 0.0], 0.7, Srgba8::WHITE));
        let forward = (scene.view.camera.target - scene.view.camera.eye).normalize();
        let view = scene.view;
        let GBuffer { depths, normals, spheres, .. } = layers(&scene.into()).gbuffer.expect("spheres have surfaces");
        let (mut hits, mut caps, mut doubtful) = (0, 0, 0);
        for (pixel, (x, y)) in (0..70).flat_map(|y| (0..90).map(move |x| (x, y))).enumerate() {
            let Ray { origin, direction } = view.ray(x as f32 + 0.5, y as f32 + 0.5);
            let (start, along) = (Vec3::from(origin), Vec3::from(direction));
            // rays come from the front; the plane cuts the front away
            let begin = if is_cut { (0.6 - start.z) / along.z } else { 0.0 };
            let seen = all.iter().enumerate().filter_map(|(index, sphere)| {
                let ball = roundel::geom::Sphere { center: sphere.center, radius: sphere.radius };
                match ray_sphere(&Ray { origin, direction }, &ball) {
                    roundel::geom::RaySphere::Outside { enter, exit } if exit > begin => {
                        Some((index, enter.max(begin)))
                    }
                    _ => None,
                }
            });
            let nearest = seen.min_by(|a, b| a.1.total_cmp(&b.1));
            let Some((index, distance)) = nearest else {
                doubtful += u32::from(spheres[pixel] != GBuffer::NONE);
                continue;
            };
            let depth = distance * along.dot(forward);
            if (depths[pixel] - depth).abs() > 1e-3 {
                doubtful += 1;
                continue;
            }
            if distance == begin {
                assert_eq!(normals[pixel], [0.0, 0.0, 1.0]);
                caps += 1;
                continue;
            }
            if spheres[pixel] as usize != index {
                doubtful += 1;
                continue;
            }
            let normal = (start + distance * along - Vec3::from(all[index].center)) / all[index].radius;
            assert!((normal - Vec3::from(normals[pixel])).length() < 0.01, "{x}, {y}");
            hits += 1;
        }
        println!("{hits} surfaces, {caps} caps, {doubtful} in doubt");
        assert!(hits > 500 && doubtful < 12 && (caps > 100) == is_cut, "{hits} {caps} {doubtful}");
    }
}

#[test]
fn figures_have_sixteen_bits_where_no_mark_is() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/golden/trace/peptides.pdb");
    let mut figure = FigureOptions::default();
    (figure.title, figure.trim, figure.axes) = (Some("Peptides".to_owned()), Some(2), Some(true));
    let overrides = LoadOptions { width: Some(120), height: Some(100), figure, ..LoadOptions::default() };
    let loaded = load(file, &overrides).expect("a molecule");
    let mut renderer = Renderer::new(&RenderSettings::default()).expect("it starts");
    let mut frame = Frame::new(1, 1, Srgba8::WHITE).expect("small");
    loaded.draw(&mut renderer, &mut frame).expect("it draws");
    let (picture, _) = loaded.draw_16_bits(&mut renderer).expect("it draws");
    assert_eq!(picture.size(), (frame.width(), frame.height()));
    let samples = picture.rgba16().expect("16 bits");
    let most =
        samples.iter().zip(frame.to_rgba_bytes()).map(|(sample, byte)| sample.abs_diff(257 * u16::from(byte))).max();
    assert!(most <= Some(129), "{most:?}");
    assert!(samples.iter().filter(|sample| **sample % 257 != 0).count() > 5000, "more than 8 bits");
    let error = loaded.draw_aovs(&mut renderer).expect_err("a title is no layer").to_string();
    assert_eq!(error, "title is for PNG; an OpenEXR file holds the picture alone");
}

#[cfg(not(feature = "image-formats"))]
#[test]
fn exr_names_the_feature_that_it_needs() {
    let layers = layers(&scene(Shading::default()).into());
    let error = layers.save_exr("never.exr").expect_err("a feature is missing").to_string();
    assert!(error.ends_with("built with the feature image-formats"), "{error}");
    assert!(!std::path::Path::new("never.exr").exists());
}
