//! Light on translucent spheres: shadows that let light pass, openness and soft shadows as means over layers.
#![allow(
    clippy::disallowed_methods,
    clippy::cast_possible_truncation,
    reason = "an oracle with a tolerance; test data is in range"
)]

use std::collections::BTreeSet;

use super::pixels::{drawn, encode, linear};
use super::transparency::{Crossing, MODELS, Oracle, cameras, crowd, flat};
use crate::oracle::random::Random;
use roundel::color::linear_from_srgb8;
use roundel::geom::Plane;
use roundel::glam::{DVec3, Vec3};
use roundel::spheres::{
    AmbientOcclusion, Camera, DirectionalLight, PaintedSphere, Projection, Shading, ShadingPreset, SphereGroup,
    SphereScene, Transparency,
};
use roundel::{Frame, RenderSettings, Renderer, Scene, Srgba8, render};

/// The share of a light that passes translucent spheres on its way to a point; `None` where `f32` may decide differently.
fn light_through(oracle: &Oracle<'_>, point: DVec3, toward: DVec3) -> Option<f64> {
    let crossings = oracle.crossings(point, toward)?;
    let model = oracle.scene.shading.transparency;
    let (mut pass, mut inside, mut last) = (1.0, Vec::new(), 0.0);
    if model == Transparency::Front {
        // a light comes the other way: it enters where the ray leaves
        let mut entered = BTreeSet::new();
        let is_first = |crossing: &&Crossing| crossing.is_exit && entered.insert(oracle.spheres[crossing.sphere].3);
        let first = crossings.iter().rev().filter(is_first);
        return Some(first.map(|crossing| 1.0 - oracle.opacity(crossing.sphere)).product());
    }
    for crossing in crossings.iter().filter(|crossing| oracle.opacity(crossing.sphere) < 1.0) {
        let density = |&sphere: &usize| -(1.0 - oracle.opacity(sphere)).ln() / (2.0 * oracle.spheres[sphere].1);
        if model == Transparency::Solid && !inside.is_empty() {
            let mean = inside.iter().map(density).sum::<f64>() / inside.len() as f64;
            pass *= (-mean * (crossing.distance - last)).exp();
        }
        last = crossing.distance;
        let part = |sphere: usize| oracle.spheres[sphere].3;
        inside.retain(|sphere| !crossing.is_exit || *sphere != crossing.sphere);
        let is_wall =
            model == Transparency::Shell && inside.iter().any(|&sphere| part(sphere) == part(crossing.sphere));
        if !crossing.is_exit {
            inside.push(crossing.sphere);
        }
        if model != Transparency::Solid && !is_wall {
            pass *= 1.0 - oracle.opacity(crossing.sphere);
        }
    }
    Some(pass)
}

#[test]
fn hard_shadows_of_translucent_spheres_let_their_light_pass() {
    let translucent = crowd(60, 21, [0.15, 0.5]);
    let rows = translucent.spheres.to_vec().into_iter();
    let (spheres, parts): (Vec<_>, Vec<_>) =
        rows.zip(translucent.parts.to_vec()).filter(|(sphere, _)| sphere.color.a < 255).unzip();
    // most of the floor is seen beside the spheres that shade it
    let floor = PaintedSphere::new([0.0, 0.0, -104.0], 100.0, Srgba8::rgb(220, 200, 180));
    let light = DirectionalLight::new([0.5, -0.25, -1.0]).with_intensity(0.75);
    let toward = DVec3::new(-0.5, 0.25, 1.0).normalize();
    let camera = Camera::look_at([0.5, -8.0, -1.0], [1.5, -0.5, -3.5]).with_projection(Projection::orthographic(5.0));
    for model in MODELS {
        let scene = SphereScene::new(camera, 80, 60)
            .with_spheres(SphereGroup::from(spheres.clone()).with_parts(parts.clone()))
            .with_spheres(vec![floor])
            .with_light(light)
            .with_shading(Shading::default().with_ambient(0.25).with_shadows().with_transparency(model));
        let (frame, oracle) = (drawn(&scene), Oracle::new(&scene));
        let [mut lit, mut shaded] = [0, 0];
        for (at, pixel) in frame.pixels().iter().enumerate() {
            let (origin, direction) = oracle.view.ray((at % 80) as f64 + 0.5, (at / 80) as f64 + 0.5);
            // nothing but the floor
            let Some(crossings) = oracle.crossings(origin, direction) else { continue };
            let [seen] = crossings[..] else { continue };
            let (center, radius, color, _) = oracle.spheres[seen.sphere];
            let point = origin + direction * seen.distance;
            let normal = (point - center) / radius;
            let Some(pass) = light_through(&oracle, point + normal * 1e-9, toward) else { continue };
            let light = 0.25 + 0.75 * normal.dot(toward).max(0.0) * pass;
            let expected = (linear(color) * light).to_array().map(encode);
            for (expected, found) in expected.into_iter().zip([pixel.r, pixel.g, pixel.b].map(f64::from)) {
                assert!((expected - found).abs() <= 1.0, "{model}: pixel {at} is {pixel:?}, not {expected}");
            }
            *if pass == 1.0 { &mut lit } else { &mut shaded } += 1;
        }
        assert!(lit > 500 && shaded > 300, "{model}: {lit} pixels in the light and {shaded} in shadow say little");
    }
}

/// A floor seen from the side, and two spheres over it of these alphas.
fn covered_floor(alphas: [u8; 2], shading: Shading) -> Frame {
    let cover = |x: f32, alpha: u8| PaintedSphere::new([x, 0.9, 0.0], 0.9, Srgba8 { r: 255, g: 0, b: 0, a: alpha });
    let spheres = vec![
        PaintedSphere::new([0.0, -101.0, 0.0], 100.0, Srgba8::WHITE),
        cover(-0.7, alphas[0]),
        cover(0.7, alphas[1]),
    ];
    let camera = Camera::look_at([0.0, 6.0, 9.0], [0.0, -1.0, 1.0]).with_projection(Projection::orthographic(5.0));
    let scene = SphereScene::new(camera, 64, 48).with_background(Srgba8::BLACK);
    let light = DirectionalLight::new([0.2, -1.0, -0.1]).with_intensity(0.5).with_angle_degrees(20.0);
    drawn(&scene.with_spheres(spheres).with_light(light).with_shading(shading))
}

#[test]
fn openness_and_soft_shadows_are_means_over_layers_of_opacity() {
    let base = Shading::default().with_ambient(0.5);
    let methods = [
        base.with_ambient_occlusion(AmbientOcclusion::Smooth),
        base.with_ambient_occlusion(AmbientOcclusion::Rays(64)),
        base.with_shadows(),
    ];
    let shown = covered_floor([255, 255], flat());
    for shading in methods {
        let frame = covered_floor([102, 204], shading);
        let layers = [([0, 0], 0.2), ([0, 255], 0.4), ([255, 255], 0.4)];
        let layers = layers.map(|(alphas, share)| (covered_floor(alphas, shading), share));
        let mut darker = 0;
        // the floor beside the spheres
        for at in (0..frame.pixels().len()).filter(|&at| shown.pixels()[at] == Srgba8::WHITE) {
            let of_layer = |(layer, share): &(Frame, f64)| share * f64::from(linear_from_srgb8(layer.pixels()[at].r));
            let expected = encode(layers.iter().map(of_layer).sum());
            let found = f64::from(frame.pixels()[at].r);
            let method = shading.ambient_occlusion;
            assert!((found - expected).abs() <= 1.0, "{method:?}: pixel {at} is {found}, not {expected}");
            darker += u32::from(f64::from(layers[0].0.pixels()[at].r) - expected > 8.0);
        }
        assert!(darker > 50, "{darker} pixels in shadow say little");
    }
}

#[test]
fn a_medium_is_lit_without_rays_about_as_with_them() {
    let lit = |camera: Camera, occlusion: AmbientOcclusion| {
        let shading = Shading::preset(ShadingPreset::Headlight).with_ambient(1.0).with_ambient_occlusion(occlusion);
        let spheres = crowd(200, 11, [0.2, 0.5]);
        let scene = SphereScene::new(camera, 80, 60).with_spheres(spheres).with_background(Srgba8::WHITE);
        drawn(&scene.with_shading(shading.with_transparency(Transparency::Solid).with_samples(1)))
    };
    for camera in cameras() {
        let (smooth, rays) = (lit(camera, AmbientOcclusion::Smooth), lit(camera, AmbientOcclusion::Rays(64)));
        let levels = |frame: &Frame| {
            frame.pixels().iter().flat_map(|pixel| [pixel.r, pixel.g, pixel.b]).map(f64::from).collect::<Vec<_>>()
        };
        let differences: Vec<f64> =
            levels(&smooth).iter().zip(levels(&rays)).map(|(smooth, rays)| smooth - rays).collect();
        let count = differences.len() as f64;
        let bias = differences.iter().sum::<f64>() / count;
        let size = (differences.iter().map(|levels| levels * levels).sum::<f64>() / count).sqrt();
        assert!(bias.abs() < 3.0 && size < 8.0, "bias {bias:.2}, root mean square {size:.2} levels");
    }
}

#[test]
fn a_plane_beside_all_spheres_changes_no_light() {
    let shading = Shading::preset(ShadingPreset::Illustrative).with_ambient_occlusion(AmbientOcclusion::Smooth);
    for model in MODELS {
        let scene = SphereScene::new(cameras()[0], 60, 45).with_spheres(crowd(200, 12, [0.2, 0.5]));
        let scene = scene.with_shading(shading.with_transparency(model).with_samples(4));
        let whole = drawn(&scene);
        let cut = drawn(&scene.with_clip_plane(Plane::through(Vec3::new(50.0, 0.0, 0.0), Vec3::X)));
        let channels = |frame: &Frame| frame.pixels().iter().flat_map(|pixel| [pixel.r, pixel.g, pixel.b]).collect();
        let [whole, cut]: [Vec<u8>; 2] = [&whole, &cut].map(channels);
        let most = whole.iter().zip(&cut).map(|(&whole, &cut)| whole.abs_diff(cut)).max();
        assert!(most <= Some(1), "{model}: {most:?} levels");
    }
}

#[test]
fn surfaces_drawn_after_a_medium_are_lit_as_surfaces() {
    let shading = Shading::preset(ShadingPreset::Illustrative).with_samples(1);
    let lit = |model: Transparency| {
        let scene = SphereScene::new(cameras()[0], 60, 45).with_spheres(crowd(100, 12, [0.2, 0.5]));
        Scene::from(scene.with_shading(shading.with_transparency(model)))
    };
    let settings = RenderSettings::default().with_threads(1);
    let mut renderer = Renderer::new(&settings).expect("valid settings");
    let mut frame = Frame::new(60, 45, Srgba8::BLACK).expect("a valid size");
    renderer.render(&lit(Transparency::Solid), &mut frame).expect("it draws");
    renderer.render(&lit(Transparency::Surfaces), &mut frame).expect("it draws");
    assert!(frame == render(&lit(Transparency::Surfaces), &settings).expect("it draws"));
}

#[test]
fn light_of_translucent_spheres_is_a_mean_over_samples() {
    let light = DirectionalLight::new([-1.0, -0.5, -0.2]);
    let side = SphereScene::new(cameras()[1], 40, 30).with_light(light);
    let rim = SphereScene::new(cameras()[1], 40, 30).with_shading(flat().with_ambient(0.3).with_rim(0.7));
    for scene in [side, rim] {
        // a medium is thin at the edges of spheres
        for model in [Transparency::Surfaces, Transparency::Shell, Transparency::Front] {
            let with_alpha = |alpha: u8| {
                let mut random = Random::new(5);
                // a few pixels wide, and none behind another
                let spheres = (0..12u8).map(|place| {
                    let [x, y] = [f32::from(place % 4) - 1.6, f32::from(place / 4) - 1.1];
                    PaintedSphere::new([x, y, 0.0], random.within(0.06, 0.4), Srgba8::WHITE.with_alpha(alpha))
                });
                let spheres = spheres.collect::<Vec<_>>();
                let shading = scene.shading.with_samples(16).with_transparency(model);
                drawn(&scene.clone().with_spheres(spheres).with_shading(shading))
            };
            let (opaque, nearly) = (with_alpha(255), with_alpha(254));
            for (index, (one, other)) in opaque.pixels().iter().zip(nearly.pixels()).enumerate() {
                assert!(one.r.abs_diff(other.r) < 5, "{model}, pixel {index}: {one} {other}");
            }
        }
    }
}
