//! The built-in demo: a liposome in front of a sunflower of circles.

mod liposome;

use glam::Vec3;
use roundel::circles::{Canvas, CircleScene, PaintedCircle, PaintedEllipse, Stroke};
use roundel::generate::{self, Pattern};
use roundel::io::LoadOptions;
use roundel::spheres::{AmbientOcclusion, Camera, DirectionalLight, Light, Projection, Shading, SphereScene};
use roundel::{Budget, Error, Frame, Renderer, Result, Scene, Srgba8, Statistics};
use roundel_load::options::picture_settings::{checked_size, shading as checked_shading};

/// Default width and height of the picture.
const SIZE: (u32, u32) = (1280, 960);

const BACKGROUND: Srgba8 = Srgba8::rgb(0xfa, 0xf6, 0xee);

const CIRCLES: usize = 1600;

/// The demo's two scenes: circles, and spheres on a transparent background over them.
pub(super) struct Demo {
    below: Scene<'static>,
    above: Scene<'static>,
}

impl Demo {
    pub(super) fn new(options: &LoadOptions) -> Result<Self> {
        let background = options.background.unwrap_or(BACKGROUND);
        let unused = LoadOptions {
            width: None,
            height: None,
            background: None,
            samples: None,
            ao: None,
            budget: Budget::default(),
            ..options.clone()
        };
        if unused != LoadOptions::default() {
            let message = "accepts only --width, --height, --background, --samples and --ao; the other flags need a scene or data";
            return Err(Error::setting("the demo", message));
        }
        let size = checked_size(options, SIZE)?;
        let mut usual = Shading::default().with_samples(4).with_shadows().with_ambient(0.6);
        usual.ambient_occlusion = AmbientOcclusion::Smooth;
        let shading = checked_shading(options, usual)?;
        Ok(Self { below: circles(size, background), above: spheres(size, shading)? })
    }

    /// Draws the circles and the spheres over them.
    pub(super) fn draw(&self, renderer: &mut Renderer, frame: &mut Frame) -> Result<Statistics> {
        let mut spheres = frame.clone();
        let below = renderer.render(&self.below, frame)?;
        let above = renderer.render(&self.above, &mut spheres)?;
        for (pixel, over) in frame.pixels_mut().iter_mut().zip(spheres.pixels()) {
            *pixel = source_over(*pixel, *over);
        }
        Ok(below + above)
    }
}

/// A disc of circles inside two rings.
fn circles((width, height): (u32, u32), background: Srgba8) -> Scene<'static> {
    let middle = [width as f32 / 2.0, height as f32 / 2.0];
    let scale = 0.45 * width.min(height) as f32;
    let mut fills = generate::circles(Pattern::Sunflower, CIRCLES, 0);
    for (index, PaintedCircle { center, radius, color }) in fills.iter_mut().enumerate() {
        for axis in 0..2 {
            center[axis] = middle[axis] + scale * center[axis];
        }
        // larger toward the rim, until they overlap
        *radius *= scale * (0.75 + 0.6 * index as f32 / CIRCLES as f32);
        *color = color.with_alpha(0xb4);
    }
    let ring = |radius: f32, width: f32| {
        let (stroke, color) = (Stroke::new(scale * width), Srgba8::rgb(0x1b, 0x26, 0x59));
        PaintedEllipse::ring(middle, [f64::from(scale * radius); 2], stroke, color)
    };
    let canvas = Canvas::new(width, height).with_background(background);
    CircleScene::from(canvas).with_layer(fills).with_layer(vec![ring(1.035, 0.012), ring(1.075, 0.03)]).into()
}

/// The liposome on a transparent background.
fn spheres((width, height): (u32, u32), shading: Shading) -> Result<Scene<'static>> {
    let camera = Camera::look_at(Vec3::new(150.0, 135.0, 520.0), Vec3::ZERO)
        .with_projection(Projection::Perspective { fov_y_radians: 0.5 });
    let sun = Light::from(
        DirectionalLight::new(Vec3::new(0.5, -1.0, -0.75))
            .with_color(Srgba8::rgb(0xff, 0xf4, 0xe2))
            .with_intensity(0.7),
    );
    let scene = SphereScene::new(camera, width, height)
        .with_background(Srgba8::TRANSPARENT)
        .with_groups(liposome::groups()?)
        .with_light(sun)
        .with_shading(shading);
    Ok(scene.into())
}

/// Composites one straight-alpha colour over another, in sRGB-encoded values.
fn source_over(below: Srgba8, above: Srgba8) -> Srgba8 {
    let over = u32::from(above.a) * 255;
    let under = u32::from(below.a) * (255 - u32::from(above.a));
    let alpha = over + under;
    if alpha == 0 {
        return Srgba8::TRANSPARENT;
    }
    let byte = |value: u32| u8::try_from(value).expect("a mean of bytes is a byte");
    let mix = |above: u8, below: u8| byte((u32::from(above) * over + u32::from(below) * under + alpha / 2) / alpha);
    let a = byte((alpha + 127) / 255);
    Srgba8 { r: mix(above.r, below.r), g: mix(above.g, below.g), b: mix(above.b, below.b), a }
}
