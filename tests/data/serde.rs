//! Every serializable type comes back equal, from JSON and from TOML.

use std::fmt::Debug;

use ::serde::Serialize;
use ::serde::de::DeserializeOwned;
use roundel::circles::{Blend, Canvas, CircleScene, PaintedCircle, PaintedEllipse, Stroke, ViewBox};
use roundel::compare::{Antialiasing, CompareOptions, Limits, Mask, Metric, Picture, Rectangle, compare};
use roundel::generate::Pattern;
use roundel::geom::{Aabb, Body, Ellipsoid, Plane, PlaneBox, Ray, RaySphere, Side, Sphere};
use roundel::glam::{Mat3, Vec3};
use roundel::spheres::{
    Background, Camera, DirectionalLight, Framing, PaintedSphere, Pose, Projection, Shading, SphereGroup, SphereScene,
};
use roundel::{Budget, Culling, Frame, RenderSettings, Scene, SimdLevel, Srgba8, Statistics, render};

/// The value in a document: TOML has no numbers outside of tables.
#[derive(Debug, PartialEq, Serialize, ::serde::Deserialize)]
struct Document<T> {
    value: T,
}

/// Writes and reads the value in both formats, and returns it as JSON.
fn round_trip<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: T) -> String {
    let document = Document { value };
    let toml = toml::to_string(&document).expect("TOML");
    assert_eq!(toml::from_str::<Document<T>>(&toml).expect(&toml), document, "{toml}");
    let json = serde_json::to_string(&document.value).expect("JSON");
    assert_eq!(serde_json::from_str::<T>(&json).expect(&json), document.value, "{json}");
    json
}

const RED: Srgba8 = Srgba8::rgb(0xd6, 0x27, 0x28);

#[test]
fn colors_are_text() {
    assert_eq!(round_trip(RED), "\"#d62728\"");
    assert_eq!(round_trip(RED.with_alpha(0x80)), "\"#d6272880\"");
    let error = serde_json::from_str::<Srgba8>("\"reddish\"").expect_err("no colour").to_string();
    assert!(error.starts_with("color must be ") && error.contains("\"reddish\""), "{error}");
}

#[test]
fn geometry_comes_back() {
    assert_eq!(round_trip(Aabb::new([0.0, 0.5], [1.0, 2.0])), r#"{"min":[0.0,0.5],"max":[1.0,2.0]}"#);
    round_trip(Sphere::new([0.1, 0.2, 0.3], 0.4));
    round_trip(Ellipsoid::new([0.1, 0.2, 0.3], [1.0, 2.0, 3.0]));
    round_trip(Ray::toward([0.1, 0.2, 0.3], [1.0, 2.0, 3.0]));
    round_trip(Plane::through(Vec3::ONE, Vec3::Y));
    round_trip(PlaneBox::from_aabb(&Aabb::new([0.0; 3], [4.0; 3])));
    assert_eq!(round_trip(RaySphere::Outside { enter: 1.5, exit: 2.5 }), r#"{"outside":{"enter":1.5,"exit":2.5}}"#);
    assert_eq!(round_trip(Side::Intersecting), "\"intersecting\"");
    assert_eq!(round_trip(Body::Hollow), "\"hollow\"");
}

#[test]
fn comparisons_come_back() {
    let mask_picture = Picture::from_rgba8(2, 1, vec![0, 0, 0, 255, 255, 255, 255, 255]).expect("two pixels");
    let mask = Mask::new().with_rectangle(Rectangle { x: 1, y: 0, width: 3, height: 4 }).with_picture(mask_picture);
    let options = CompareOptions::default()
        .with_metric(Metric::YIQ)
        .with_antialiasing(Antialiasing::Ignored)
        .with_limits(Limits::of(Some(20), Some(0.1)).with_window(16))
        .with_mask(mask);
    assert!(round_trip(options.clone()).contains(r#""metric":{"yiq":{"threshold":0.1}},"antialiasing":"ignored""#));
    assert_eq!(serde_json::from_str::<CompareOptions>("{}").expect("defaults"), CompareOptions::default());

    let white = Frame::new(2, 1, Srgba8::WHITE).expect("small");
    let black = Frame::new(2, 1, Srgba8::BLACK).expect("small");
    round_trip(compare(&white, &black, &CompareOptions::default()).expect("compared"));
    let back: CompareOptions = serde_json::from_str(&round_trip(options)).expect("options");
    assert_eq!(compare(&white, &black, &back).expect("compared").compared, 1, "the mask leaves one pixel out");
}

#[test]
fn masks_with_too_few_marks_are_refused() {
    let text = r#"{"mask":{"picture":{"width":2,"height":1,"masked":[true]}}}"#;
    let options: CompareOptions = serde_json::from_str(text).expect("options");
    let white = Frame::new(2, 1, Srgba8::WHITE).expect("small");
    let error = compare(&white, &white, &options).expect_err("one mark").to_string();
    assert_eq!(error, "mask picture must mark 2x1 pixels, got 1");
}

#[test]
fn circle_scenes_draw_the_same_after_a_round_trip() {
    let canvas = Canvas::new(40, 30).with_background(RED.with_alpha(9)).with_blend(Blend::Linear);
    let scene =
        CircleScene::from(canvas).with_layer(vec![PaintedCircle::new([10.3, 11.7], 8.1, RED)]).with_layer(vec![
            PaintedEllipse::new([20.0, 15.0], [9.0, 4.0], Srgba8::BLACK.with_alpha(77)),
            PaintedEllipse::ring([20.0, 15.0], [9.0, 4.0], Stroke::new(2.0), Srgba8::BLACK),
        ]);
    let scene = Scene::from(scene);
    let back: Scene<'_> = serde_json::from_str(&round_trip(scene.clone())).expect("a scene");
    let settings = RenderSettings::default().with_threads(1);
    assert_eq!(render(&back, &settings).expect("drawn"), render(&scene, &settings).expect("drawn"));
    round_trip(ViewBox { center: [1.0, 2.0], height: 3.0 });
    round_trip(Pattern::Sunflower);
}

#[test]
fn sphere_scenes_come_back() {
    let sky = Background::Gradient { bottom: Srgba8::BLACK, top: RED };
    let pose = Pose { rotation: Mat3::from_diagonal(Vec3::new(-1.0, 1.0, 1.0)), translation: Vec3::X };
    let camera = Camera::look_at([0.0, 1.0, 5.0], [0.0; 3]).with_up([0.0, 0.0, 1.0]);
    let group = SphereGroup::new(vec![PaintedSphere::new([0.0, 0.5, 0.0], 1.0, RED)], vec![pose, Pose::IDENTITY]);
    let mut scene = SphereScene::new(camera, 40, 30).with_spheres(group);
    scene.view = scene.view.with_background(sky);
    scene.lights.push(DirectionalLight::new([-1.0, -1.0, -0.5]).with_color(RED).with_intensity(0.8).into());
    scene.shading = Shading::default().with_samples(4).with_ao_rays(16).with_ao_distance(2.5).with_shadows();
    round_trip(Scene::from(scene));
    assert!(round_trip(Shading::default()).contains(r#""ao_distance":null"#), "an infinite distance");
    assert_eq!(
        serde_json::from_str::<Shading>(r#"{"samples":4}"#).expect("defaults"),
        Shading::default().with_samples(4)
    );
    round_trip(Framing { toward_eye: Vec3::Z, up: Vec3::Y, aspect: 1.5 });
    round_trip(Projection::orthographic(3.0));
}

#[test]
fn settings_come_back() {
    let settings = RenderSettings::default()
        .with_threads(3)
        .with_tile_size(64)
        .with_simd(SimdLevel::Sse42)
        .with_culling(Culling::Off)
        .with_budget(Budget { pixels: 1, shapes: 2, memory: 3 });
    assert_eq!(
        round_trip(settings),
        r#"{"threads":3,"tile_size":64,"simd":"sse4.2","culling":"off","budget":{"pixels":1,"shapes":2,"memory":3}}"#
    );
    assert_eq!(serde_json::from_str::<RenderSettings>("{}").expect("defaults"), RenderSettings::default());
    round_trip(RenderSettings::default());
    round_trip(Statistics::default());
}
