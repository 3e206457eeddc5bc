//! Generated scenes of many shapes: every kind of shape, blending, light and camera.

use std::fmt::Write as _;

use glam::Vec3;
use roundel::circles::{Blend, Canvas, CircleScene, Layer, PaintedCircle, PaintedEllipse, Stroke, Style};
use roundel::generate::{self, Pattern};
use roundel::io::{LoadOptions, MemoryFiles};
use roundel::spheres::{
    AmbientOcclusion, Background, Camera, DirectionalLight, Light, PaintedSphere, Pose, Projection, Shading,
    SphereGroup, SphereScene, View,
};
use roundel::{Result, Scene, Srgba8};

/// Shapes per scene.
const SHAPES: usize = 100_000;

/// Returns the scenes and their names. A changed scene needs a new manifest.
pub(super) fn scenes() -> Result<Vec<(&'static str, Scene<'static>)>> {
    let shading = Shading::default();
    let soft = shading.with_samples(2).with_ao_rays(3).with_shadows().with_ambient(0.4).with_seed(5);
    let near = shading.with_samples(2).with_ao_rays(2).with_ao_distance(0.2);
    let smooth = shading.with_samples(3);
    let without_rays = shading.with_ambient_occlusion(AmbientOcclusion::Smooth);
    let far = perspective(Vec3::new(1.7, 1.3, 3.1));
    let parallel = far.with_projection(Projection::Orthographic { height: 2.4 });
    let sky = Background::Gradient { bottom: Srgba8::WHITE, top: Srgba8::rgb(0x80, 0xb3, 0xff) };
    let nothing = Background::Solid(Srgba8::TRANSPARENT);
    let paper = Background::Solid(Srgba8::WHITE);
    let veil = Srgba8::rgb(0x20, 0x40, 0x60).with_alpha(0x50);
    Ok(vec![
        ("circles", circles(Pattern::Uniform, 1.0, Srgba8::WHITE, Blend::Srgb)),
        ("linear", circles(Pattern::Gaussian, 4.0, veil, Blend::Linear)),
        ("large", circles(Pattern::Sphereflake, 90.0, Srgba8::BLACK, Blend::Srgb)),
        ("outlines", outlines()),
        ("spheres", spheres(Pattern::Uniform, far, paper, shading)),
        ("shadows", spheres(Pattern::Gaussian, far, sky, soft)),
        ("parallel", spheres(Pattern::Lattice, parallel, nothing, smooth)),
        ("lit", spheres(Pattern::Uniform, far, paper, shading.with_shadows().with_ambient(0.3))),
        ("lit parallel", spheres(Pattern::Gaussian, parallel, nothing, smooth.with_shadows())),
        ("lit inside", spheres(Pattern::Uniform, perspective(Vec3::new(0.1, 0.2, 0.35)), sky, shading.with_shadows())),
        ("floor", floor(far, smooth.with_shadows())),
        ("open", spheres(Pattern::Uniform, far, paper, without_rays.with_ambient(1.0))),
        ("folds", spheres(Pattern::Gaussian, far, sky, without_rays.with_samples(2).with_shadows().with_ambient(0.6))),
        ("flake", spheres(Pattern::Sphereflake, parallel, paper, without_rays.with_ao_distance(0.3))),
        ("inside", spheres(Pattern::Sphereflake, perspective(Vec3::new(0.1, 0.2, 0.35)), paper, near)),
        ("mapped", mapped()?),
    ])
}

fn perspective(eye: Vec3) -> Camera {
    Camera::look_at(eye, Vec3::ZERO).with_projection(Projection::Perspective { fov_y_radians: 0.6 })
}

/// Generates circles over a canvas, with radii `growth` times as large.
fn circles_on_canvas(pattern: Pattern, growth: f32) -> Vec<PaintedCircle> {
    let mut circles = generate::circles(pattern, SHAPES, 11);
    for PaintedCircle { center, radius, .. } in &mut circles {
        // a sixth of them outside
        *center = [320.0 + 350.0 * center[0], 240.0 + 260.0 * center[1]];
        *radius *= 260.0 * growth;
    }
    circles
}

fn canvas(background: Srgba8, blend: Blend) -> Canvas {
    Canvas { width: 640, height: 480, background, blend }
}

fn circles(pattern: Pattern, growth: f32, background: Srgba8, blend: Blend) -> Scene<'static> {
    let layers = vec![Layer::Circles(circles_on_canvas(pattern, growth).into())];
    Scene::Circles(CircleScene { canvas: canvas(background, blend), layers })
}

/// Ellipses and strokes of many shapes, some thinner than a pixel, some wider than their radius.
fn outlines() -> Scene<'static> {
    let ellipse = |(index, circle): (usize, PaintedCircle)| {
        let PaintedCircle { center, radius, color } = circle;
        let stretch = [1.0, 2.5, 0.3, 8.0][index % 4];
        let style = match index % 3 {
            0 => Style::Fill,
            1 => Style::Stroke(Stroke::new(0.6)),
            _ => Style::Stroke(Stroke::new(2.5 * radius)),
        };
        PaintedEllipse { center, radii: [radius * stretch, radius].map(f64::from), style, color }
    };
    let ellipses: Vec<_> = circles_on_canvas(Pattern::Uniform, 3.0).into_iter().enumerate().map(ellipse).collect();
    let layers = vec![Layer::Ellipses(ellipses.into())];
    Scene::Circles(CircleScene { canvas: canvas(Srgba8::WHITE, Blend::Srgb), layers })
}

fn mapped() -> Result<Scene<'static>> {
    const SCENE: &str = "
        canvas = { width = 640, height = 480, background = '#ffffff', fit = false }
        [[points]]
        file = 'rows.csv'
        x = 'x'
        y = 'y'
        radius = { column = 'size', range = [0.5, 4], scale = 'sqrt' }
        color = { column = 'height', map = 'viridis', range = [0, 480], alpha = 0.6 }
        ";
    let mut rows = "x,y,size,height\n".to_owned();
    for PaintedCircle { center: [x, y], radius, color } in circles_on_canvas(Pattern::Gaussian, 1.0) {
        // writing into a string cannot fail
        let _ = writeln!(rows, "{x},{y},{radius},{}", y - f32::from(color.g));
    }
    let files = MemoryFiles::new().with("scene.toml", SCENE).with("rows.csv", rows);
    files.load("scene.toml", &LoadOptions::default()).map(|loaded| loaded.scene)
}

/// Small spheres above a sphere as large as a planet.
fn floor(camera: Camera, shading: Shading) -> Scene<'static> {
    let mut spheres = generate::spheres(Pattern::Uniform, SHAPES, 11);
    spheres[0] = PaintedSphere::new([0.0, -1001.0, 0.0], 1000.0, Srgba8::rgb(0xe0, 0xd8, 0xc8));
    let scene = SphereScene::new(camera, 96, 72).with_spheres(spheres).with_shading(shading);
    scene.with_light(DirectionalLight::new([-1.0, -2.0, -0.5])).into()
}

fn spheres(pattern: Pattern, camera: Camera, background: Background, shading: Shading) -> Scene<'static> {
    let light = |direction, color, intensity| {
        Light::from(DirectionalLight::new(direction).with_color(color).with_intensity(intensity))
    };
    // scenes without shadows have the headlight
    let lights = match shading.shadows {
        false => Vec::new(),
        true => vec![
            light(Vec3::new(-1.0, -2.0, -0.5), Srgba8::WHITE, 0.7),
            light(Vec3::new(1.0, -0.3, -1.0), Srgba8::rgb(0xff, 0xc0, 0x80), 0.4),
        ],
    };
    let group = SphereGroup::new(
        generate::spheres(pattern, SHAPES, 11),
        vec![Pose::IDENTITY, Pose { translation: Vec3::new(0.5, -0.4, -2.5), ..Pose::IDENTITY }],
    );
    Scene::Spheres(
        SphereScene::from(View::new(camera, 96, 72).with_background(background))
            .with_spheres(group)
            .with_lights(lights)
            .with_shading(shading),
    )
}
