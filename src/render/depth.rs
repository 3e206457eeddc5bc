//! How far away everything in a picture is, for marks that are drawn among spheres.

use std::sync::atomic::AtomicBool;

use fearless_simd::Level;

use crate::error::Result;
use crate::scene::spheres::{Shading, SphereGroup, SphereScene};
use crate::trace::{Stage, StructureCache};

/// The least alpha of spheres that hide marks.
const SOLID: u8 = 128;

/// Samples a pixel at most.
const MOST_SAMPLES: u32 = 4;

/// The depth of the nearest sphere at some samples of every pixel.
#[derive(Clone, Debug)]
pub(crate) struct DepthMap {
    width: u32,
    samples: usize,
    /// World units along the line of sight; infinite where there is no sphere. The samples of a pixel follow one another.
    depths: Vec<f32>,
}

impl DepthMap {
    /// The share of a pixel's samples that show nothing nearer than this.
    pub(crate) fn share_beyond(&self, [x, y]: [u32; 2], depth: f64) -> f64 {
        let first = (y as usize * self.width as usize + x as usize) * self.samples;
        let beyond = self.depths[first..first + self.samples].iter().filter(|found| f64::from(**found) > depth);
        beyond.count() as f64 / self.samples as f64
    }
}

impl DepthMap {
    /// Finds the depths of a scene's picture with tiles of this side.
    ///
    /// # Errors
    /// When there are more spheres than indices.
    pub(super) fn new(level: Level, tile: u32, scene: &SphereScene<'_>) -> Result<Self> {
        let cancelled = AtomicBool::new(false);
        let scene = &*scene.cut();
        let groups = scene.groups.iter().map(|group| SphereGroup::new(group.spheres.borrowed(), &group.poses[..]));
        let samples = scene.shading.samples.clamp(1, MOST_SAMPLES);
        let bare = SphereScene {
            view: scene.view,
            groups: groups.collect(),
            lights: Vec::new(),
            shading: Shading::default().with_samples(samples),
            clip_planes: scene.clip_planes.clone(),
            slab: None,
            extents: None,
        };
        let mut cache = StructureCache::default();
        let stage = Stage::of_surfaces(level, &bare, tile, SOLID, &mut cache, &cancelled)?;
        let (width, height) = (bare.view.width, bare.view.height);
        Ok(Self { width, samples: samples as usize, depths: stage.depths(width, height, tile) })
    }
}
