//! Memory for large arrays, in the system's huge pages where it has them.
//!
//! The first touch of a page of 4 KiB costs a microsecond: for hundreds of megabytes that is more than the computation.
//! Huge pages of 2 MiB save two thirds of it.

#[cfg(target_os = "linux")]
use std::time::{Duration, Instant};

#[cfg(target_os = "linux")]
use memmap2::{Advice, MmapMut};

/// Numbers, all 0 at first.
#[derive(Debug)]
pub(super) enum Pages {
    #[cfg(target_os = "linux")]
    Large(MmapMut),
    Small(Vec<f32>),
}

/// Fewer bytes are in small pages.
#[cfg(target_os = "linux")]
const LARGE: usize = 1 << 23;

/// Bytes of a large page.
#[cfg(target_os = "linux")]
const PAGE: usize = 1 << 21;

/// Large pages that are touched first; if that takes longer than as many bytes of small pages would, small ones are
/// used.
#[cfg(target_os = "linux")]
const TRIED: usize = 2;
#[cfg(target_os = "linux")]
const SLOW: Duration = Duration::from_millis(2);

impl Pages {
    pub(super) fn new(count: usize) -> Self {
        #[cfg(target_os = "linux")]
        if let Some(large) = large(count) {
            return Self::Large(large);
        }
        // zeros take no time: the system hands out memory that is
        Self::Small(vec![0.0; count])
    }

    #[inline(always)]
    pub(super) fn as_slice(&self) -> &[f32] {
        match self {
            #[cfg(target_os = "linux")]
            Self::Large(bytes) => bytemuck::cast_slice(bytes),
            Self::Small(numbers) => numbers,
        }
    }

    pub(super) fn as_mut_slice(&mut self) -> &mut [f32] {
        match self {
            #[cfg(target_os = "linux")]
            Self::Large(bytes) => bytemuck::cast_slice_mut(bytes),
            Self::Small(numbers) => numbers,
        }
    }
}

/// Large pages for `count` numbers; `None` for few.
///
/// Large pages save two thirds of the time for their first touch, but a virtual machine may have given them back to its
/// host: then each takes longer than small ones. All are small if the first ones are slow. The others are touched when
/// they are written, so that their zeros are still in the cache.
#[cfg(target_os = "linux")]
fn large(count: usize) -> Option<MmapMut> {
    let bytes = count.checked_mul(size_of::<f32>()).filter(|&bytes| bytes >= LARGE)?;
    let pages = MmapMut::map_anon(bytes).ok()?;
    // optional: elsewhere pages are small, and touched when they are written
    let _ = pages.advise(Advice::HugePage);
    let begun = Instant::now();
    for page in 0..TRIED {
        let _ = pages.advise_range(Advice::PopulateWrite, page * PAGE, PAGE);
    }
    if begun.elapsed() > SLOW {
        let _ = pages.advise(Advice::NoHugePage);
    }
    Some(pages)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_zero_and_stay_as_they_are_written() {
        for count in [0, 7, (5 << 20) + 3] {
            let mut pages = Pages::new(count);
            assert_eq!(pages.as_slice().len(), count);
            assert!(pages.as_slice().iter().all(|&number| number == 0.0));
            pages.as_mut_slice().fill(1.5);
            assert!(pages.as_slice().iter().all(|&number| number == 1.5));
        }
    }
}
