//! The background, and fog: the farther a surface, the more of the background shows in its place.
//!
//! Depth is measured along the line of sight. The fog's share of a surface grows linearly between two depths, which are
//! taken from the whole scene and not from its visible part, so that crops and the frames of a film agree.

use fearless_simd::{f32x8, prelude::*};

use super::lighting::{Linear, Studio};
use super::material::linear;
use super::surface_batch::SurfaceBatch;
use crate::color::Srgba8;
use crate::lanes::{LANES, Rows3, dot, dot3_with, load3};
use crate::scene::spheres::{Background, Shading};
use crate::scene::{Rays, SphereExtents};

#[derive(Clone, Copy, Debug)]
pub(crate) struct Fog {
    forward: [f32; 3],
    /// Start depth of the fog, and the reciprocal of its depth range.
    start: f32,
    inverse: f32,
    /// The greatest share of a surface that fog hides.
    most: f32,
}

impl Fog {
    /// `None` without fog, and for a scene without depth.
    #[expect(clippy::cast_possible_truncation, reason = "rounded once from f64 on purpose")]
    pub(crate) fn new(extents: &SphereExtents, shading: &Shading, rays: &Rays) -> Option<Self> {
        let most = shading.fog.min(1.0);
        if most.is_nan() || most <= 0.0 {
            return None;
        }
        let [near, far] = extents.depths(rays)?;
        let start = near + (far - near) * f64::from(shading.fog_start.clamp(0.0, 1.0));
        let inverse = (1.0 / (far - start)).min(f64::from(f32::MAX));
        (far > near).then_some(Self { forward: rays.forward, start: start as f32, inverse: inverse as f32, most })
    }

    /// The share of a point that fog hides; the point is relative to the eye.
    pub(crate) fn hides_at(&self, point: [f32; 3]) -> f32 {
        ((dot(point, self.forward) - self.start) * self.inverse).clamp(0.0, 1.0) * self.most
    }

    /// The shares of eight surface points that fog hides; the points are relative to the eye.
    #[inline(always)]
    pub(crate) fn hides<S: Simd>(&self, simd: S, points: &Rows3) -> f32x8<S> {
        let depth = dot3_with(load3(simd, points), self.forward);
        ((depth - self.start) * self.inverse).max(0.0).min(1.0) * self.most
    }
}

impl Studio {
    /// The background that a ray shows if it meets nothing.
    #[inline(always)]
    pub(crate) fn background(&self, direction: [f32; 3]) -> Linear {
        let premultiplied = |color: Srgba8| {
            let alpha = f32::from(color.a) / 255.0;
            let [r, g, b] = linear(color).map(|channel| channel * alpha);
            [r, g, b, alpha]
        };
        match self.background {
            Background::Solid(color) => premultiplied(color),
            Background::Gradient { bottom, top } => {
                let up = 0.5 * (direction[1] + 1.0);
                let (bottom, top) = (premultiplied(bottom), premultiplied(top));
                std::array::from_fn(|i| bottom[i] * (1.0 - up) + top[i] * up)
            }
        }
    }

    /// Whether fog is blended in approximate display space (square roots). Translucent backgrounds are blended by
    /// alpha.
    fn has_opaque_background(&self) -> bool {
        match self.background {
            Background::Solid(color) => color.a == u8::MAX,
            Background::Gradient { bottom, top } => bottom.a == u8::MAX && top.a == u8::MAX,
        }
    }

    /// A channel of a surface's light, blended with the background by the share that fog hides.
    #[inline(always)]
    pub(super) fn fogged(&self, light: f32, behind: f32, hidden: f32) -> f32 {
        if self.has_opaque_background() {
            let root = light.sqrt() * (1.0 - hidden) + behind.sqrt() * hidden;
            root * root
        } else {
            light * (1.0 - hidden) + behind * hidden
        }
    }

    /// Blends the background into a batch's surfaces, by the fog in front of each.
    #[inline(always)]
    pub(super) fn hide_in_fog<S: Simd>(&self, simd: S, fog: &Fog, batch: &mut SurfaceBatch) {
        let one = f32x8::splat(simd, 1.0);
        for group in 0..batch.groups() {
            let mut hidden = fog.hides(simd, &batch.points[group]);
            if self.is_occluded() {
                // fog is thinner in deep folds, so that they stay dark
                hidden *= (f32x8::load_array_ref(simd, &batch.openness[group]) * 2.0).min(1.0);
            }
            let mut behind = [[0.0; LANES]; 4];
            for lane in 0..LANES {
                let background = self.background(batch.direction(group * LANES + lane));
                for (row, channel) in behind.iter_mut().zip(background) {
                    row[lane] = channel;
                }
            }
            let behind = behind.map(|row| f32x8::load_array(simd, row));
            for (light, behind) in batch.radiance[group].iter_mut().zip(behind) {
                let own = f32x8::load_array_ref(simd, light);
                let mixed = if self.has_opaque_background() {
                    let root = own.max(0.0).sqrt() * (one - hidden) + behind.sqrt() * hidden;
                    root * root
                } else {
                    own * (one - hidden) + behind * hidden
                };
                mixed.store_array(light);
            }
            (one - hidden + behind[3] * hidden).store_array(&mut batch.opacity[group]);
        }
    }
}
