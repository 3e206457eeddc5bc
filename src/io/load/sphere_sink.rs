//! Receives the spheres of a stream.

use std::ops::Range;

use super::row_shapes::Spread;
use crate::error::Result;
use crate::render::shadow_stream::ShadowStream;
use crate::render::stream::SphereStream;
use crate::render::stream_chunks::in_chunks;
use crate::scene::spheres::PaintedSphere;

/// Appends the spheres of a range of numbers, or fewer, to an empty vector, on any thread.
pub(crate) trait FillSpheres: Fn(Range<u64>, &mut Vec<PaintedSphere>) + Sync {}

impl<F: Fn(Range<u64>, &mut Vec<PaintedSphere>) + Sync> FillSpheres for F {}

/// Takes spheres a block at a time, in order.
pub(crate) trait SphereSink {
    /// Adds spheres with consecutive numbers from `first` on.
    fn add_at(&mut self, first: u64, spheres: &[PaintedSphere]) -> Result<()>;

    /// Adds the spheres that `fill` makes for a range of numbers; numbers may have none.
    fn add_by_rule(&mut self, numbers: Range<u64>, fill: impl FillSpheres) -> Result<()>;
}

impl SphereSink for SphereStream<'_> {
    fn add_at(&mut self, first: u64, spheres: &[PaintedSphere]) -> Result<()> {
        self.add_at(first, spheres)
    }

    fn add_by_rule(&mut self, numbers: Range<u64>, fill: impl FillSpheres) -> Result<()> {
        self.add_by_rule(numbers, fill)
    }
}

impl SphereSink for ShadowStream<'_> {
    fn add_at(&mut self, first: u64, spheres: &[PaintedSphere]) -> Result<()> {
        self.add_at(first, spheres);
        Ok(())
    }

    fn add_by_rule(&mut self, numbers: Range<u64>, fill: impl FillSpheres) -> Result<()> {
        self.add_by_rule(numbers, fill);
        Ok(())
    }
}

impl SphereSink for Spread {
    fn add_at(&mut self, _: u64, spheres: &[PaintedSphere]) -> Result<()> {
        self.extend(spheres);
        Ok(())
    }

    fn add_by_rule(&mut self, numbers: Range<u64>, fill: impl FillSpheres) -> Result<()> {
        let found = in_chunks(numbers, |numbers, spheres| {
            fill(numbers, spheres);
            Self::of(spheres)
        });
        *self = found.into_iter().fold(*self, Self::join);
        Ok(())
    }
}
