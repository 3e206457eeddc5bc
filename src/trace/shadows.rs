//! Lights prepared for shading, each with the structure that finds its shadows.

use fearless_simd::prelude::*;

use super::bvh::EyeBvh;
use super::hit_batch::HitBatch;
use super::intersect::OcclusionRay;
use super::light_buffer::LightBuffer;
use super::light_space::LightFrame;
use crate::color::linear_from_srgb8;
use crate::lanes::LANES;
use crate::scene::EyeSphere;
use crate::scene::spheres::Light;

/// A directional light.
#[derive(Clone, Copy, Debug)]
pub(super) struct PreparedLight {
    /// Linear colour times intensity.
    pub color: [f32; 3],
    pub frame: LightFrame,
}

impl PreparedLight {
    /// `None` for a light without a direction.
    #[expect(clippy::cast_possible_truncation, reason = "a unit vector, rounded once from f64 on purpose")]
    pub(super) fn new(light: &Light) -> Option<Self> {
        let Light::Directional(light) = light;
        let direction = light.direction.as_dvec3();
        let toward = -(direction / direction.abs().max_element()).try_normalize()?;
        let color = [light.color.r, light.color.g, light.color.b];
        let color = color.map(|channel| linear_from_srgb8(channel) * light.intensity);
        Some(Self { color, frame: LightFrame::new([toward.x as f32, toward.y as f32, toward.z as f32]) })
    }
}

/// A structure that finds the spheres between a surface and a light.
#[derive(Debug)]
pub(super) enum Occluders<'a> {
    /// The light casts no shadows.
    None,
    Buffer(LightBuffer),
    Bvh(EyeBvh<'a>),
}

impl Occluders<'_> {
    /// Clears the bits of a batch's points that do not see the light; returns the number of rays cast.
    #[inline(always)]
    pub(super) fn screen<S: Simd>(
        &self,
        simd: S,
        light: &PreparedLight,
        sphere: EyeSphere,
        batch: &HitBatch,
        open: &mut [u64],
    ) -> u64 {
        if let Self::None = self {
            return 0;
        }
        let mut rays = 0;
        for open in &*open {
            rays += u64::from(open.count_ones());
        }
        self.screen_out_of_line(simd, light, sphere, batch, open);
        rays
    }

    /// [`Occluders::screen`] as a function of its own, because the code around it is large enough.
    fn screen_out_of_line<S: Simd>(
        &self,
        simd: S,
        light: &PreparedLight,
        sphere: EyeSphere,
        batch: &HitBatch,
        open: &mut [u64],
    ) {
        simd.vectorize(
            #[inline(always)]
            || {
                let points = &batch.points[..open.len()];
                let is_outside = batch.inside[..open.len()].iter().all(|&inside| inside == 0);
                if is_outside
                    && let Self::Buffer(buffer) = self
                    && buffer.screen(simd, sphere, points, open)
                {
                    return;
                }
                for ((points, open), &inside) in points.iter().zip(open).zip(&batch.inside) {
                    let mut rest = *open;
                    while rest != 0 {
                        let lane = rest.trailing_zeros() as usize % LANES;
                        rest &= rest - 1;
                        let exclude = if inside >> lane & 1 == 1 { EyeSphere::EMPTY } else { sphere };
                        let origin = [points[0][lane], points[1][lane], points[2][lane]];
                        let (direction, length) = (light.frame.toward(), f32::INFINITY);
                        let ray = OcclusionRay { origin, direction, begin: 0.0, length, exclude };
                        *open &= !(u64::from(self.blocks(simd, &ray)) << lane);
                    }
                }
            },
        );
    }

    #[inline(always)]
    fn blocks<S: Simd>(&self, simd: S, ray: &OcclusionRay) -> bool {
        match self {
            Self::None => false,
            Self::Buffer(buffer) => buffer.blocks(simd, ray),
            Self::Bvh(bvh) => bvh.blocks(simd, ray),
        }
    }
}
