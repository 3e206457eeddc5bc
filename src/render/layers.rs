//! A picture in full precision, for files of more than 8 bits and for compositing.

use std::sync::atomic::AtomicBool;

use fearless_simd::Level;

use crate::color::decode;
use crate::error::Result;
use crate::scene::circles::{Blend, Canvas};
use crate::scene::spheres::{Shading, SphereGroup, SphereScene};
use crate::trace::{Stage, StructureCache, SurfaceMap};

/// A picture in full precision: linear colours, and of spheres depths, normals and numbers.
///
/// [`Renderer::render_layers`](crate::Renderer::render_layers) draws one. The colours are those of the frame before they are
/// rounded.
///
/// ```
/// use roundel::spheres::{Camera, PaintedSphere, SphereScene};
/// use roundel::{RenderSettings, Renderer, Srgba8};
///
/// let ball = vec![PaintedSphere::new([0.0; 3], 1.0, Srgba8::rgb(0x44, 0x77, 0xaa))];
/// let scene = SphereScene::new(Camera::look_at([0.0, 0.0, 5.0], [0.0; 3]), 33, 33).with_spheres(ball);
/// let (layers, _) = Renderer::new(&RenderSettings::default())?.render_layers(&scene.into())?;
/// let surfaces = layers.surfaces.expect("spheres have surfaces");
/// let middle = 33 * 16 + 16;
/// assert_eq!((surfaces.depths[middle], surfaces.spheres[middle]), (4.0, 0));
/// assert_eq!(surfaces.normals[middle], [0.0, 0.0, 1.0]);
/// assert_eq!(layers.colors[0], [1.0; 4], "the background");
/// # Ok::<(), roundel::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Layers {
    /// Columns of pixels.
    pub width: u32,
    /// Rows of pixels.
    pub height: u32,
    /// Red, green and blue as linear light times opacity, and the opacity, row by row from the top.
    pub colors: Vec<[f32; 4]>,
    /// The surfaces of spheres; `None` for circles.
    pub surfaces: Option<Surfaces>,
}

/// The surface in the middle of each pixel, row by row from the top: the first one, however translucent it is.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Surfaces {
    /// Distances from the eye along the line of sight, in world units; infinite where there is no sphere.
    pub depths: Vec<f32>,
    /// Unit normals in world coordinates that face the eye; 0 where there is no sphere.
    pub normals: Vec<[f32; 3]>,
    /// Indices of the spheres in the scene, through groups, then poses, then spheres; [`Surfaces::NONE`] where there is none.
    pub spheres: Vec<u32>,
}

impl Surfaces {
    /// The index of no sphere.
    pub const NONE: u32 = u32::MAX;

    /// The surfaces of a scene's picture, found with tiles of this side.
    ///
    /// # Errors
    /// When there are more spheres than indices.
    pub(super) fn new(level: Level, tile: u32, scene: &SphereScene<'_>) -> Result<Self> {
        let cancelled = AtomicBool::new(false);
        let cut = scene.cut();
        let groups = cut.groups.iter().map(|group| SphereGroup::new(group.spheres.borrowed(), &group.poses[..]));
        let mut bare = SphereScene::from(cut.view).with_groups(groups).with_shading(Shading::default());
        bare.clip_planes.clone_from(&cut.clip_planes);
        let mut cache = StructureCache::default();
        let stage = Stage::of_surfaces(level, &bare, tile, 1, &mut cache, &cancelled)?;
        let SurfaceMap { depths, normals, mut spheres } = stage.surfaces(bare.view.width, bare.view.height, tile);
        if scene.is_cut() {
            let left = scene.left_indices();
            for index in spheres.iter_mut().filter(|index| **index != Self::NONE) {
                *index = left[*index as usize];
            }
        }
        Ok(Self { depths, normals, spheres })
    }
}

/// Turns straight colours as circles are blended into linear light times opacity.
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
