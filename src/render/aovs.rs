//! Pictures in full precision, for files of more than 8 bits and for compositing.

use std::sync::atomic::AtomicBool;

use fearless_simd::Level;

use super::SOLID;
use crate::color::decode;
use crate::error::Result;
use crate::scene::PrimitiveId;
use crate::scene::circles::{Blend, Canvas};
use crate::scene::spheres::{Shading, SphereGroup, SphereScene};
use crate::tiles::Culling;
use crate::trace::{GBuffer, Preparation, PreparedSpheres, StructureCache};

/// A picture in full precision: linear colours and, for spheres, a G-buffer.
///
/// Made by [`Renderer::render_aovs`](crate::Renderer::render_aovs). The colours are those of the frame before rounding.
///
/// ```
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

/// Prepares only the shapes of at least this alpha, as opaque ones without lights and shading, and passes them to
/// `ask`.
///
/// # Errors
/// When there are more spheres than indices.
pub(super) fn with_bare_stage<R>(
    level: Level,
    tile: u32,
    scene: &SphereScene<'_>,
    samples: u32,
    least_alpha: u8,
    ask: impl FnOnce(&PreparedSpheres<'_>) -> R,
) -> Result<R> {
    let cancelled = AtomicBool::new(false);
    let cut = scene.cut();
    let groups = cut.groups.iter().map(|group| SphereGroup::new(group.spheres.borrowed(), &group.poses[..]));
    let shading = Shading::default().with_samples(samples);
    let mut bare = SphereScene::from(cut.view).with_groups(groups).with_shading(shading);
    bare.clip_planes.clone_from(&cut.clip_planes);
    bare.shapes = cut.shapes.borrowed();
    let (rows, culling) = ([0, bare.view.height], Culling::On);
    let preparation = Preparation { level, tile, rows, culling, solid_from: Some(least_alpha), cancelled: &cancelled };
    Ok(ask(&PreparedSpheres::new(&bare, preparation, &mut StructureCache::default())?))
}

/// The G-buffer of the shapes of at least this alpha, found with tiles of this side.
///
/// # Errors
/// When there are more spheres than indices.
pub(super) fn gbuffer(level: Level, tile: u32, scene: &SphereScene<'_>, least_alpha: u8) -> Result<GBuffer> {
    let mut gbuffer = with_bare_stage(level, tile, scene, 1, least_alpha, |stage| stage.gbuffer())?;
    restore_indices(scene, &mut gbuffer.spheres);
    Ok(gbuffer)
}

/// Maps indices among the spheres that clip planes leave to indices among all spheres.
fn restore_indices(scene: &SphereScene<'_>, indices: &mut [u32]) {
    if scene.is_cut() && scene.shapes.is_empty() {
        let left = scene.left_indices();
        for index in indices.iter_mut().filter(|index| **index != GBuffer::NONE) {
            *index = left[*index as usize];
        }
    }
}

/// The nearest primitive of at least this alpha at the centre of every pixel, row by row from the top;
/// [`GBuffer::NONE`] stands for none.
///
/// # Errors
/// When there are more spheres than indices.
#[cfg(feature = "viewer")]
pub(super) fn primitive_map(level: Level, tile: u32, scene: &SphereScene<'_>, least_alpha: u8) -> Result<Vec<u32>> {
    let mut indices = with_bare_stage(level, tile, scene, 1, least_alpha, |stage| stage.primitive_map())?;
    restore_indices(scene, &mut indices);
    Ok(indices)
}

/// The index of the nearest sphere with an alpha of at least [`SOLID`] at the centre of a pixel, found with tiles of
/// this side.
///
/// # Errors
/// When there are more spheres than indices.
pub(super) fn sphere_at(level: Level, tile: u32, scene: &SphereScene<'_>, pixel: [u32; 2]) -> Result<Option<u32>> {
    let id = with_bare_stage(level, tile, scene, 1, SOLID, |stage| stage.primitive_at(pixel))?;
    let count = scene.count();
    let id = id.filter(|id| u64::from(id.0) < count || scene.is_cut() && scene.shapes.is_empty());
    Ok(id.map(
        |PrimitiveId(index)| {
            if scene.is_cut() && scene.shapes.is_empty() { scene.left_indices()[index as usize] } else { index }
        },
    ))
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
