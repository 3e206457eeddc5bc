//! Hard shadows: clears the bits of a batch's points that a light does not reach, by the occluder structure of that
//! light.

use fearless_simd::prelude::*;

use super::directional::PreparedLight;
use crate::lanes::{LANES, next_lane};
use crate::shapes::OcclusionRay;
use crate::trace::accel::bvh::EyeBvh;
use crate::trace::accel::light_buffer::LightBuffer;
use crate::trace::accel::shadow_rays::RayRecorder;
use crate::trace::shade::surface_batch::SurfaceBatch;

/// A structure that finds the spheres between a surface and a light.
#[derive(Debug)]
pub(crate) enum Occluders<'a> {
    /// The light casts no shadows.
    None,
    Buffer(LightBuffer),
    Bvh(EyeBvh<'a>),
    /// No occluders yet: the rays are recorded, to be tested against spheres that are streamed later.
    Recorder(&'a RayRecorder<'a>),
}

impl Occluders<'_> {
    /// Clears the bits of a batch's points that do not see the light; returns the number of rays cast. Opaque
    /// primitives are closed: no light from outside reaches their inner side.
    #[inline(always)]
    pub(crate) fn screen<S: Simd>(
        &self,
        simd: S,
        light: &PreparedLight,
        batch: &SurfaceBatch,
        open: &mut [u64],
    ) -> u64 {
        if let Self::None = self {
            return 0;
        }
        let mut rays = 0;
        for (open, inside) in open.iter_mut().zip(&batch.inside) {
            *open &= !inside;
            rays += u64::from(open.count_ones());
        }
        self.screen_out_of_line(simd, light, batch, open);
        rays
    }

    /// [`Occluders::screen`] as a separate function, because its caller is large already.
    fn screen_out_of_line<S: Simd>(&self, simd: S, light: &PreparedLight, batch: &SurfaceBatch, open: &mut [u64]) {
        simd.vectorize(
            #[inline(always)]
            || {
                let points = &batch.points[..open.len()];
                let exclude = batch.own;
                if let Self::Buffer(buffer) = self
                    && buffer.screen(simd, exclude, points, open)
                {
                    return;
                }
                for (points, open) in points.iter().zip(open) {
                    let mut rest = *open;
                    while let Some(lane) = next_lane(&mut rest) {
                        let lane = lane % LANES;
                        let origin = [points[0][lane], points[1][lane], points[2][lane]];
                        let (direction, length) = light.toward(origin);
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
            Self::Recorder(recorder) => {
                recorder.record(ray);
                false
            }
        }
    }
}
