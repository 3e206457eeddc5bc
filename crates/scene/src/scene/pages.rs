//! Memory for large arrays, in huge pages if the system has them.
//!
//! The first access to a page of 4 KiB costs a microsecond, which adds up to more than the computation for hundreds of
//! megabytes. Huge pages of 2 MiB save two thirds of that.

#[cfg(target_os = "linux")]
use std::time::{Duration, Instant};

#[cfg(target_os = "linux")]
use memmap2::{Advice, MmapMut};

/// Numbers, initially 0.
#[derive(Debug)]
pub(super) enum Pages {
    #[cfg(target_os = "linux")]
    Large(MmapMut),
    Small(Vec<f32>),
}

/// Fewer bytes than this use small pages.
#[cfg(target_os = "linux")]
const LARGE: usize = 1 << 23;

/// Bytes of a large page.
#[cfg(target_os = "linux")]
const PAGE: usize = 1 << 21;

/// Number of large pages that are populated first, and the time above which small pages are used: about what as many
/// bytes of small pages take.
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
        // the system provides zeroed memory, so this takes no time
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

/// Large pages for `count` numbers; `None` for small arrays.
///
/// A virtual machine may have returned large pages to its host; then they are slower to populate than small ones. If
/// the first ones are slow, all pages are small. The others are populated when they are written, so that their zeros
/// are still in the cache.
#[cfg(target_os = "linux")]
fn large(count: usize) -> Option<MmapMut> {
    let bytes = count.checked_mul(size_of::<f32>()).filter(|&bytes| bytes >= LARGE)?;
    let pages = MmapMut::map_anon(bytes).ok()?;
    // optional: without it pages are small, and populated when they are written
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
