//! Highlights against the textbook form of GGX in `f64`.
#![allow(clippy::cast_possible_truncation, clippy::disallowed_methods, reason = "an oracle with a tolerance")]

use super::pixels::drawn;
use roundel::color::{linear_from_srgb8, srgb8_from_linear};
use roundel::cylinders::{Caps, PaintedCylinder};
use roundel::glam::{DVec3, Vec3};
use roundel::spheres::{
    AmbientOcclusion, Camera, ClipPlane, DirectionalLight, Gloss, PaintedSphere, Projection, Shading, ShadingPreset,
    ShapeGroup, SphereGroup, SphereScene,
};
use roundel::{Frame, RenderSettings, SimdLevel, Srgba8, render};

const BLUE: Srgba8 = Srgba8::rgb(0x20, 0x60, 0xc0);
const SIDE: u32 = 80;

/// A sphere of radius 1 before parallel rays.
fn ball(shading: Shading) -> SphereScene<'static> {
    let camera = Camera::look_at([0.0, 0.0, 9.0], [0.0; 3]).with_projection(Projection::orthographic(2.2));
    SphereScene::new(camera, SIDE, SIDE)
        .with_spheres(vec![PaintedSphere::new([0.0; 3], 1.0, BLUE)])
        .with_shading(shading)
}

/// B. Walter et al.: π · D · F · G / (4 n·l n·v) · n·l, with Smith's G in Schlick's form.
fn ggx(n: DVec3, l: DVec3, v: DVec3, (specular, roughness): (f64, f64)) -> f64 {
    let (to_light, to_eye) = (n.dot(l), n.dot(v));
    if to_light <= 0.0 {
        return 0.0;
    }
    let h = (l + v).normalize();
    let alpha = roughness * roughness;
    let cosine = n.dot(h);
    let spread = cosine * cosine * (alpha * alpha - 1.0) + 1.0;
    let d = alpha * alpha / (std::f64::consts::PI * spread * spread);
    let k = 0.5 * alpha;
    let g = |cosine: f64| cosine / (cosine * (1.0 - k) + k);
    let f0 = 0.08 * specular;
    let f = f0 + (1.0 - f0) * (1.0 - l.dot(h)).powi(5);
    std::f64::consts::PI * d * f * g(to_light) * g(to_eye) / (4.0 * to_light * to_eye) * to_light
}

/// Compares all pixels that lie on the sphere with light from these directions; `diffuse` is linear light per unit of
/// colour.
fn check(frame: &Frame, lights: &[(DVec3, f64)], gloss: (f64, f64), diffuse: impl Fn(DVec3) -> f64) -> u8 {
    let mut brightest = 0;
    for (x, y) in (0..SIDE).flat_map(|y| (0..SIDE).map(move |x| (x, y))) {
        let at = |pixel: u32| (f64::from(pixel) + 0.5 - 0.5 * f64::from(SIDE)) * 2.2 / f64::from(SIDE);
        let (right, up) = (at(x), -at(y));
        let square = 1.0 - right * right - up * up;
        // at grazing angles, pixels depend on the last bits of the normal
        if square < 0.02 {
            continue;
        }
        let normal = DVec3::new(right, up, square.sqrt());
        let specular: f64 = lights.iter().map(|(light, amount)| amount * ggx(normal, *light, DVec3::Z, gloss)).sum();
        let pixel = frame.pixel(x, y).expect("a pixel");
        for (got, color) in [(pixel.r, BLUE.r), (pixel.g, BLUE.g), (pixel.b, BLUE.b)] {
            let light = f64::from(linear_from_srgb8(color)) * diffuse(normal) + specular;
            let expected = srgb8_from_linear(light.clamp(0.0, 1.0) as f32);
            assert!(got.abs_diff(expected) <= 1, "({x}, {y}): {got} for {expected}");
            brightest = brightest.max(got);
        }
    }
    brightest
}

#[test]
fn highlights_are_those_of_ggx() {
    for (specular, roughness) in [(1.0, 0.6), (0.5, 0.35), (0.8, 0.2), (0.3, 1.0)] {
        let gloss = (f64::from(specular), f64::from(roughness));
        let shading = Shading::default().with_gloss(specular, roughness);
        // the headlight
        check(&drawn(&ball(shading)), &[(DVec3::Z, 0.8)], gloss, |normal| 0.2 + 0.8 * normal.z);
        // lights of the scene, added in linear light
        let toward = [DVec3::new(1.0, 2.0, 2.0) / 3.0, DVec3::new(-2.0, 1.0, 2.0) / 3.0];
        let mut scene = ball(shading);
        for (direction, intensity) in toward.iter().zip([0.6, 0.3]) {
            scene = scene.with_light(DirectionalLight::new((-*direction).as_vec3()).with_intensity(intensity));
        }
        let lights = [(toward[0], 0.6), (toward[1], 0.3)];
        let diffuse = |n: DVec3| 0.2 + lights.iter().map(|(l, amount)| amount * n.dot(*l).max(0.0)).sum::<f64>();
        check(&drawn(&scene), &lights, gloss, diffuse);
    }
}

#[test]
fn the_look_glossy_has_the_highlights_of_its_lights() {
    let mut shading = Shading::preset(ShadingPreset::Glossy).with_fog(0.0).with_splat_radius(0.0);
    shading.shadows = false;
    let shading = shading.with_ambient_occlusion(AmbientOcclusion::Off);
    let (key, fill) = (DVec3::new(-1.0, 1.0, 1.0).normalize(), DVec3::new(0.2, 0.2, 0.959).normalize());
    let lights = [(key, f64::from(shading.key)), (fill, f64::from(shading.fill))];
    let diffuse = |n: DVec3| {
        let sum: f64 = lights.iter().map(|(l, amount)| amount * n.dot(*l).max(0.0)).sum();
        let lightness = (f64::from(shading.ambient) + sum).min(1.0);
        lightness * lightness * (0.75 + 0.25 * lightness)
    };
    let gloss = (f64::from(shading.specular), f64::from(shading.roughness));
    let brightest = check(&drawn(&ball(shading)), &lights, gloss, diffuse);
    assert!(brightest > 225, "highlights show: {brightest}");
}

#[test]
fn shadows_take_highlights_away() {
    let light = DirectionalLight::new([0.0, 0.0, -1.0]);
    let (dull, glossy) = (Shading::default().with_shadows(), Shading::default().with_shadows().with_gloss(1.0, 0.3));
    // a small sphere at the light's side of the ball, behind the eye
    let scene = |shading: Shading| {
        let camera = Camera::look_at([0.0, 0.0, 3.0], [0.0; 3]).with_projection(Projection::orthographic(2.2));
        let shade = PaintedSphere::new([0.0, 0.0, 20.0], 5.0, Srgba8::WHITE);
        SphereScene::new(camera, SIDE, SIDE)
            .with_spheres(vec![PaintedSphere::new([0.0; 3], 1.0, BLUE), shade])
            .with_light(light)
            .with_shading(shading)
    };
    assert_eq!(drawn(&scene(dull)), drawn(&scene(glossy)));
}

#[test]
fn caps_have_no_highlights() {
    let front = ClipPlane::from(roundel::geom::Plane::through(Vec3::ZERO, Vec3::Z));
    let pixel = |shading: Shading| drawn(&ball(shading).with_clip_plane(front)).pixel(SIDE / 2, SIDE / 2);
    assert_eq!(pixel(Shading::default()), pixel(Shading::default().with_gloss(1.0, 0.3)));
}

#[test]
fn gloss_of_0_changes_no_byte_and_levels_agree() {
    for look in ShadingPreset::ALL {
        let shading = Shading::preset(look);
        let [one, other] = [0.35, 0.9].map(|roughness| drawn(&ball(shading.with_gloss(0.0, roughness))));
        assert_eq!(one, other, "{look}");
    }
    let scene = ball(Shading::preset(ShadingPreset::Glossy).with_gloss(0.9, 0.15)).into();
    let usual = render(&scene, &RenderSettings::default()).expect("it draws");
    for level in SimdLevel::available() {
        let settings = RenderSettings::default().with_simd(level).with_tile_size(24);
        assert!(render(&scene, &settings).expect("it draws") == usual, "{level}");
    }
}

#[test]
fn gloss_of_some_is_that_of_the_shading_for_them() {
    let base = Shading::default().with_ambient(0.3);
    let camera = Camera::look_at([0.0, 0.0, 9.0], [0.0; 3]).with_projection(Projection::orthographic(2.2));
    let pair = |x: f32| PaintedSphere::new([x, 0.0, 0.0], 0.5, BLUE);
    let rod = PaintedCylinder::new([0.0, -0.9, 0.0], [0.0, 0.9, 0.0], 0.2, BLUE).with_caps(Caps::Round);
    let scene = |shading: Shading, spheres: Vec<Option<Gloss>>, rods: Vec<Option<Gloss>>| {
        let group = SphereGroup::from(vec![pair(-0.55), pair(0.55)]).with_gloss(spheres);
        SphereScene::new(camera, SIDE, SIDE)
            .with_spheres(group)
            .with_cylinders(ShapeGroup::from(vec![rod]).with_gloss(rods))
            .with_shading(shading)
    };
    let glossy = drawn(&scene(base.with_gloss(0.8, 0.3), Vec::new(), Vec::new()));
    let dull = drawn(&scene(base, Vec::new(), Vec::new()));
    let own = Some(Gloss::new(0.8).with_roughness(0.3));
    let mixed = drawn(&scene(base, vec![own, None], vec![own]));
    let none = Some(Gloss::new(0.0));
    let rest = drawn(&scene(base.with_gloss(0.8, 0.3), vec![None, none], vec![None]));
    assert_eq!(mixed, rest, "by what is glossy, and by what is not");
    assert!(glossy != dull);
    for (index, pixel) in mixed.pixels().iter().enumerate() {
        // the rod and the sphere to its right overlap between
        match index % (SIDE as usize) {
            0..42 => assert!(*pixel == glossy.pixels()[index], "{index}"),
            48.. => assert!(*pixel == dull.pixels()[index], "{index}"),
            _ => {}
        }
    }
}
