//! Scenes of many shapes, made by rule: every kind of shape, blending, light and camera there is.

use std::fmt::Write as _;
use std::path::Path;

use glam::Vec3;
use roundel::{
    Background, Blend, Camera, Canvas, CircleScene, Layer, Light, Overrides, PaintedCircle, PaintedEllipse, Pattern,
    Pose, Projection, Quality, Result, Scene, SphereGroup, SphereScene, Srgba8, Style, View, generate_circles,
    generate_spheres, read_scene,
};

use super::files;

/// Shapes in each.
const SHAPES: usize = 100_000;

/// The scenes by name; a changed one needs a changed manifest.
pub(super) fn scenes() -> Result<Vec<(&'static str, Scene<'static>)>> {
    let quality = Quality::default();
    let soft = Quality { samples: 2, ao_rays: 3, shadows: true, ambient: 0.4, seed: 5, ..quality };
    let near = Quality { samples: 2, ao_rays: 2, ao_distance: 0.2, ..quality };
    let smooth = Quality { samples: 3, ..quality };
    let far = perspective(Vec3::new(1.7, 1.3, 3.1));
    let parallel = Camera { projection: Projection::Orthographic { height: 2.4 }, ..far };
    let sky = Background::Gradient { bottom: Srgba8::WHITE, top: Srgba8::opaque(0x80, 0xb3, 0xff) };
    let nothing = Background::Solid(Srgba8::TRANSPARENT);
    let paper = Background::Solid(Srgba8::WHITE);
    let veil = Srgba8::opaque(0x20, 0x40, 0x60).with_alpha(0x50);
    Ok(vec![
        ("circles", circles(Pattern::Uniform, 1.0, Srgba8::WHITE, Blend::Srgb)),
        ("linear", circles(Pattern::Gaussian, 4.0, veil, Blend::Linear)),
        ("large", circles(Pattern::Sphereflake, 90.0, Srgba8::BLACK, Blend::Srgb)),
        ("outlines", outlines()),
        ("spheres", spheres(Pattern::Uniform, far, paper, quality)),
        ("shadows", spheres(Pattern::Gaussian, far, sky, soft)),
        ("parallel", spheres(Pattern::Lattice, parallel, nothing, smooth)),
        ("inside", spheres(Pattern::Sphereflake, perspective(Vec3::new(0.1, 0.2, 0.35)), paper, near)),
        ("mapped", mapped()?),
    ])
}

fn perspective(eye: Vec3) -> Camera {
    Camera { eye, target: Vec3::ZERO, up: Vec3::Y, projection: Projection::Perspective { fov_y_radians: 0.6 } }
}

/// Generated circles over a canvas, with radii so many times as large.
fn placed(pattern: Pattern, growth: f32) -> Vec<PaintedCircle> {
    let mut circles = generate_circles(pattern, SHAPES, 11);
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
    let layers = vec![Layer::Circles(placed(pattern, growth).into())];
    Scene::Circles(CircleScene { canvas: canvas(background, blend), layers })
}

/// Ellipses and rings of every shape, some thinner than a pixel, some wider than their radius.
fn outlines() -> Scene<'static> {
    let ellipse = |(index, circle): (usize, PaintedCircle)| {
        let PaintedCircle { center, radius, color } = circle;
        let stretch = [1.0, 2.5, 0.3, 8.0][index % 4];
        let style = match index % 3 {
            0 => Style::Fill,
            1 => Style::Stroke { width: 0.6 },
            _ => Style::Stroke { width: 2.5 * radius },
        };
        PaintedEllipse { center, radii: [radius * stretch, radius], style, color }
    };
    let ellipses: Vec<_> = placed(Pattern::Uniform, 3.0).into_iter().enumerate().map(ellipse).collect();
    let layers = vec![Layer::Ellipses(ellipses.into())];
    Scene::Circles(CircleScene { canvas: canvas(Srgba8::WHITE, Blend::Srgb), layers })
}

/// A table's rows, their colours and radii after its columns.
fn mapped() -> Result<Scene<'static>> {
    const SCENE: &str = "
        canvas = { width = 640, height = 480, background = '#ffffff' }
        [[points]]
        file = 'rows.csv'
        x = 'x'
        y = 'y'
        radius = { column = 'size', range = [0.5, 4], scale = 'sqrt' }
        color = { column = 'height', map = 'viridis', range = [0, 480], alpha = 0.6 }
        ";
    let mut rows = "x,y,size,height\n".to_owned();
    for PaintedCircle { center: [x, y], radius, color } in placed(Pattern::Gaussian, 1.0) {
        // writing into a string cannot fail
        let _ = writeln!(rows, "{x},{y},{radius},{}", y - f32::from(color.g));
    }
    let table = [("scene.toml", SCENE.as_bytes()), ("rows.csv", rows.as_bytes())];
    files::unpacked(&table, |folder: &Path| read_scene(&folder.join("scene.toml"), &Overrides::default()))
}

fn spheres(pattern: Pattern, camera: Camera, background: Background, quality: Quality) -> Scene<'static> {
    let light = |direction, color, intensity| Light { direction, color, intensity };
    // without shadows the headlight is tried
    let lights = match quality.shadows {
        false => Vec::new(),
        true => vec![
            light(Vec3::new(-1.0, -2.0, -0.5), Srgba8::WHITE, 0.7),
            light(Vec3::new(1.0, -0.3, -1.0), Srgba8::opaque(0xff, 0xc0, 0x80), 0.4),
        ],
    };
    let group = SphereGroup {
        spheres: generate_spheres(pattern, SHAPES, 11).into(),
        poses: vec![Pose::IDENTITY, Pose { translation: Vec3::new(0.5, -0.4, -2.5), ..Pose::IDENTITY }].into(),
    };
    Scene::Spheres(SphereScene {
        view: View { width: 96, height: 72, background, camera },
        groups: vec![group],
        lights,
        quality,
    })
}
