//! Receives the spheres of a stream, which are made a chunk at a time, in parallel.

use std::ops::Range;

use rayon::prelude::*;

use super::spheres::PaintedSphere;
use crate::error::Result;

/// tuned: "Larger than memory" in docs/performance.md. Spheres per parallel task: they fit a core's cache.
const CHUNK: usize = 1 << 14;

/// Maps each chunk of a range of numbers on all threads of the pool; results are in the order of the chunks. `of_chunk`
/// gets an empty buffer for the spheres.
pub fn in_chunks<T: Send>(
    numbers: Range<u64>,
    of_chunk: impl Fn(Range<u64>, &mut Vec<PaintedSphere>) -> T + Sync,
) -> Vec<T> {
    let end = numbers.end;
    let chunks: Vec<_> = numbers.step_by(CHUNK).map(|first| first..end.min(first + CHUNK as u64)).collect();
    let of_chunk = |buffer: &mut Vec<PaintedSphere>, range: Range<u64>| {
        buffer.clear();
        of_chunk(range, buffer)
    };
    chunks.into_par_iter().with_max_len(1).map_init(Vec::new, of_chunk).collect()
}

/// Appends the spheres of a range of numbers, or fewer, to an empty vector, on any thread.
pub trait FillSpheres: Fn(Range<u64>, &mut Vec<PaintedSphere>) + Sync {}

impl<F: Fn(Range<u64>, &mut Vec<PaintedSphere>) + Sync> FillSpheres for F {}

/// Takes spheres a block at a time, in order.
pub trait SphereSink {
    /// Adds spheres with consecutive numbers from `first` on.
    fn add_at(&mut self, first: u64, spheres: &[PaintedSphere]) -> Result<()>;

    /// Adds the spheres that `fill` makes for a range of numbers; numbers may have none.
    fn add_by_rule(&mut self, numbers: Range<u64>, fill: impl FillSpheres) -> Result<()>;
}
