//! Measures how far smooth occlusion is from rays in a picture.

use std::fmt::{self, Display, Formatter};

use crate::color::Srgba8;
use crate::error::Result;
use crate::renderer::Renderer;
use crate::scene::Scene;
use crate::scene::spheres::{AmbientOcclusion, Shading, SphereGroup, SphereScene, View};

/// The difference between smooth occlusion and rays in a picture; returned by [`Renderer::occlusion_error`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct OcclusionError {
    /// Mean openness of the surfaces by smooth occlusion, from 0 to 1.
    pub smooth: f64,
    /// Mean openness of the surfaces by rays.
    pub rays: f64,
    /// Root of the mean squared difference.
    pub rms: f64,
}

/// Height in pixels of the picture that is measured.
const HEIGHT: u32 = 24;

/// Rays per pixel.
const RAYS: u32 = 144;

/// Fewest pixels with a surface that say something.
const LEAST_PIXELS: usize = 40;

/// Most shapes for which a hierarchy for rays takes much less time than the picture.
const MOST_SHAPES: u64 = 1 << 18;

impl OcclusionError {
    /// The most difference of the means that smooth occlusion promises.
    const MOST_BIAS: f64 = 0.02;

    /// The most RMS difference that it promises, 0.05, with the noise of the rays.
    const MOST_RMS: f64 = 0.07;

    /// Whether smooth occlusion differs from rays by more than it promises.
    pub fn is_large(&self) -> bool {
        (self.smooth - self.rays).abs() > Self::MOST_BIAS || self.rms > Self::MOST_RMS
    }
}

impl Display for OcclusionError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { smooth, rays, rms } = self;
        write!(f, "smooth occlusion leaves {smooth:.2} of the surfaces open, and rays {rays:.2} (RMS {rms:.2})")
    }
}

impl Renderer {
    /// Compares smooth occlusion with rays at some hundred points of a picture. `None` if the scene has no smooth
    /// occlusion, shows few surfaces, or has more than 2¹⁸ shapes.
    ///
    /// # Errors
    /// If the scene exceeds the budget.
    ///
    /// ```
    /// # use roundel_render as roundel;
    /// use roundel::spheres::{AmbientOcclusion, Camera, PaintedSphere, Shading, SphereScene};
    /// use roundel::{RenderSettings, Renderer, Srgba8};
    ///
    /// let ball = |x: f32| PaintedSphere::new([x, 0.0, 0.0], 1.0, Srgba8::WHITE);
    /// let shading = Shading::default().with_ambient_occlusion(AmbientOcclusion::Smooth);
    /// let scene = SphereScene::new(Camera::look_at([0.0, 0.0, 5.0], [0.0; 3]), 320, 240)
    ///     .with_spheres(vec![ball(-1.0), ball(1.0)])
    ///     .with_shading(shading);
    /// let error = Renderer::new(&RenderSettings::default())?.occlusion_error(&scene.into())?.expect("two balls");
    /// assert!(!error.is_large() && error.rays < 0.95);
    /// # Ok::<(), roundel::Error>(())
    /// ```
    pub fn occlusion_error(&mut self, scene: &Scene<'_>) -> Result<Option<OcclusionError>> {
        let Scene::Spheres(scene) = scene else { return Ok(None) };
        let is_smooth = scene.shading.ambient_occlusion == AmbientOcclusion::Smooth;
        if !is_smooth || scene.count() + scene.shapes.count() > MOST_SHAPES {
            return Ok(None);
        }
        let mut lit = |occlusion| -> Result<Vec<[f32; 4]>> {
            Ok(self.render_aovs(&Scene::Spheres(ambient(scene, occlusion)))?.0.colors)
        };
        let (open, smooth) = (lit(AmbientOcclusion::Off)?, lit(AmbientOcclusion::Smooth)?);
        let rays = lit(AmbientOcclusion::Rays(RAYS))?;
        let pairs: Vec<[f64; 2]> = open.iter().zip(smooth.iter().zip(&rays)).filter_map(shares).collect();
        if pairs.len() < LEAST_PIXELS {
            return Ok(None);
        }
        let mean = |of: &dyn Fn(&[f64; 2]) -> f64| pairs.iter().map(of).sum::<f64>() / pairs.len() as f64;
        let square = mean(&|[smooth, rays]| (smooth - rays) * (smooth - rays));
        let (smooth, rays) = (mean(&|pair| pair[0]), mean(&|pair| pair[1]));
        Ok(Some(OcclusionError { smooth, rays, rms: square.sqrt() }))
    }
}

/// A small picture of the scene in ambient light alone.
fn ambient<'a>(scene: &'a SphereScene<'_>, occlusion: AmbientOcclusion) -> SphereScene<'a> {
    let View { camera, width, height, .. } = scene.view;
    let small = (HEIGHT * width / height.max(1)).clamp(HEIGHT / 2, 4 * HEIGHT);
    let view = View::new(camera, small, HEIGHT).with_background(Srgba8::TRANSPARENT);
    let groups = scene.groups.iter().map(|group| SphereGroup::new(group.spheres.borrowed(), &group.poses[..]));
    let shading = Shading::default().with_ambient(1.0).with_ambient_occlusion(occlusion);
    let shading = shading.with_ao_distance(scene.shading.ao_distance);
    let mut ambient = SphereScene::from(view).with_groups(groups).with_shading(shading);
    ambient.clip_planes.clone_from(&scene.clip_planes);
    ambient.shapes = scene.shapes.borrowed();
    ambient
}

/// The openness of a pixel by smooth occlusion and by rays, from its colours without occlusion and with both; `None`
/// where it shows nothing but black.
fn shares((open, (smooth, rays)): (&[f32; 4], (&[f32; 4], &[f32; 4]))) -> Option<[f64; 2]> {
    let channel = (0..3).max_by(|&one, &other| open[one].total_cmp(&open[other]))?;
    let full = f64::from(open[channel]);
    (full > 0.0).then(|| [smooth, rays].map(|lit| f64::from(lit[channel]) / full))
}
