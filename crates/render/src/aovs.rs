//! Pictures in full precision, for files of more than 8 bits and for compositing.

use std::sync::atomic::AtomicBool;

use crate::color::decode;
use crate::error::Result;
use crate::renderer::{Renderer, SOLID};
use crate::scene::DepthMap;
use crate::scene::circles::{Blend, Canvas};
use crate::scene::spheres::{Shading, SphereGroup, SphereScene};
use crate::tiles::Culling;
use crate::trace::{GBuffer, Preparation, PreparedSpheres, StructureCache};

/// The most depth samples per pixel.
const MOST_DEPTHS: u32 = 4;

/// A picture in full precision: linear colours and, for spheres, a G-buffer.
///
/// Made by [`Renderer::render_aovs`](crate::Renderer::render_aovs). The colours are the frame's before rounding.
///
/// ```
/// # use roundel_render as roundel;
/// use roundel::spheres::{Camera, PaintedSphere, SphereScene};
/// use roundel::{RenderSettings, Renderer, Srgba8};
///
/// let ball = vec![PaintedSphere::new([0.0; 3], 1.0, Srgba8::rgb(0x44, 0x77, 0xaa))];
/// let scene = SphereScene::new(Camera::look_at([0.0, 0.0, 5.0], [0.0; 3]), 33, 33).with_spheres(ball);
/// let (layers, _) = Renderer::new(&RenderSettings::default())?.render_aovs(&scene.into())?;
/// let surfaces = layers.gbuffer.expect("spheres have surfaces");
/// let middle = 33 * 16 + 16;
/// assert_eq!((surfaces.depths[middle], surfaces.spheres[middle]), (4.0, 0));
/// assert_eq!(surfaces.normals[middle], [0.0, 0.0, 1.0]);
/// assert_eq!(layers.colors[0], [1.0; 4], "the background");
/// # Ok::<(), roundel::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Aovs {
    /// Columns of pixels.
    pub width: u32,
    /// Rows of pixels.
    pub height: u32,
    /// Premultiplied linear red, green and blue, and opacity, row by row from the top.
    pub colors: Vec<[f32; 4]>,
    /// The visible surfaces of spheres; `None` for circles.
    pub gbuffer: Option<GBuffer>,
}

impl Aovs {
    /// Colours without a G-buffer, row-major from the top.
    #[doc(hidden)]
    #[must_use]
    pub fn of_colors((width, height): (u32, u32), colors: Vec<[f32; 4]>) -> Self {
        Self { width, height, colors, gbuffer: None }
    }
}

impl Renderer {
    /// Prepares the shapes of at least this alpha as opaque ones, without lights and shading, and passes them to `ask`.
    ///
    /// # Errors
    /// If there are more spheres than indices.
    fn with_unlit_scene<R: Send>(
        &self,
        scene: &SphereScene<'_>,
        samples: u32,
        least_alpha: u8,
        ask: impl FnOnce(&PreparedSpheres<'_>) -> R + Send,
    ) -> Result<R> {
        let cancelled = AtomicBool::new(false);
        let rows = self.preparation([0, scene.view.height], &cancelled);
        let preparation = Preparation { culling: Culling::On, solid_from: Some(least_alpha), ..rows };
        self.pool.install(|| {
            let cut = scene.cut();
            let groups = cut.groups.iter().map(|group| SphereGroup::new(group.spheres.borrowed(), &group.poses[..]));
            let shading = Shading::default().with_samples(samples);
            let mut unlit = SphereScene::from(cut.view).with_groups(groups).with_shading(shading);
            unlit.clip_planes.clone_from(&cut.clip_planes);
            unlit.shapes = cut.shapes.borrowed();
            Ok(ask(&PreparedSpheres::new(&unlit, preparation, &mut StructureCache::default())?))
        })
    }

    pub(super) fn find_gbuffer(&self, scene: &SphereScene<'_>) -> Result<GBuffer> {
        let mut gbuffer = self.with_unlit_scene(scene, 1, 1, |prepared| prepared.gbuffer())?;
        restore_indices(scene, &mut gbuffer.spheres);
        Ok(gbuffer)
    }

    /// Finds the depths of a scene's picture, to hide marks behind spheres.
    ///
    /// # Errors
    /// If there are more spheres than indices.
    #[doc(hidden)]
    pub fn depths(&self, scene: &SphereScene<'_>) -> Result<DepthMap> {
        let samples = scene.shading.samples.clamp(1, MOST_DEPTHS);
        self.with_unlit_scene(scene, samples, SOLID, |prepared| prepared.depths())
    }

    /// Finds the sphere at the centre of a pixel: its index, counted through groups, then poses, then spheres. `None`
    /// if the pixel shows no sphere or is outside of the picture.
    ///
    /// # Errors
    /// If there are more spheres than indices.
    ///
    /// ```
    /// # use roundel_render as roundel;
    /// use roundel::spheres::{Camera, PaintedSphere, SphereScene};
    /// use roundel::{RenderSettings, Renderer, Srgba8};
    ///
    /// let ball = vec![PaintedSphere::new([0.0; 3], 1.0, Srgba8::BLACK)];
    /// let scene = SphereScene::new(Camera::look_at([0.0, 0.0, 5.0], [0.0; 3]), 33, 33).with_spheres(ball);
    /// let renderer = Renderer::new(&RenderSettings::default())?;
    /// assert_eq!((renderer.sphere_at(&scene, [16, 16])?, renderer.sphere_at(&scene, [0, 0])?), (Some(0), None));
    /// # Ok::<(), roundel::Error>(())
    /// ```
    pub fn sphere_at(&self, scene: &SphereScene<'_>, pixel: [u32; 2]) -> Result<Option<u32>> {
        if pixel[0] >= scene.view.width || pixel[1] >= scene.view.height {
            return Ok(None);
        }
        let id = self.with_unlit_scene(scene, 1, SOLID, |prepared| prepared.primitive_at(pixel))?;
        // the indices of other shapes follow the spheres' indices
        let mut index = id.map(|id| id.0).filter(|&index| u64::from(index) < scene.count());
        restore_indices(scene, index.as_mut_slice());
        Ok(index)
    }

    /// Finds the nearest primitive of every pixel, row by row from the top; [`GBuffer::NONE`] stands for none.
    /// Primitives of less than `least_alpha` are ignored. Indices count spheres, then two per cylinder, then ellipsoids
    /// and cones.
    ///
    /// # Errors
    /// If there are more spheres than indices.
    #[doc(hidden)]
    pub fn primitive_map(&self, scene: &SphereScene<'_>, least_alpha: u8) -> Result<Vec<u32>> {
        let mut indices = self.with_unlit_scene(scene, 1, least_alpha, |prepared| prepared.primitive_map())?;
        restore_indices(scene, &mut indices);
        Ok(indices)
    }
}

/// Maps indices among the spheres that clip planes leave to indices among all spheres.
fn restore_indices(scene: &SphereScene<'_>, indices: &mut [u32]) {
    if scene.is_cut() && scene.shapes.is_empty() {
        let kept = scene.kept_indices();
        for index in indices.iter_mut().filter(|index| **index != GBuffer::NONE) {
            *index = kept[*index as usize];
        }
    }
}

/// Converts straight colours in the canvas's blending space to premultiplied linear light.
#[expect(clippy::cast_possible_truncation, reason = "rounded to the nearest f32")]
pub(super) fn premultiply(colors: &mut [[f32; 4]], canvas: &Canvas) {
    for color in colors {
        let [channels @ .., opacity] = color;
        for channel in channels {
            if canvas.blend == Blend::Srgb {
                *channel = decode(f64::from(*channel)) as f32;
            }
            *channel *= *opacity;
        }
    }
}
