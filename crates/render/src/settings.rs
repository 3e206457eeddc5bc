//! Settings that change no pixel.

use crate::budget::Budget;
use crate::simd::SimdLevel;
use crate::tiles::Culling;

/// How a picture is drawn. These settings change only time and memory, never a pixel.
///
/// ```
/// # use roundel_render as roundel;
/// use roundel::{RenderSettings, SimdLevel};
///
/// let settings = RenderSettings::default().with_threads(2).with_tile_size(64).with_simd(SimdLevel::Auto);
/// assert_eq!((settings.threads, settings.tile_size), (Some(2), Some(64)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct RenderSettings {
    /// Worker threads; `None` starts one per processor.
    pub threads: Option<usize>,
    /// Side of the square viewport tiles in pixels, 8 to 1024; `None` for the side that measured fastest.
    pub tile_size: Option<u32>,
    /// The instruction set of the lane kernels.
    pub simd: SimdLevel,
    /// Whether tiles reject shapes before they are drawn.
    pub culling: Culling,
    /// The limits on a picture, checked before work begins.
    pub budget: Budget,
}

impl Default for RenderSettings {
    fn default() -> Self {
        let (simd, culling) = (SimdLevel::Auto, Culling::On);
        Self { threads: None, tile_size: None, simd, culling, budget: Budget::default() }
    }
}

impl RenderSettings {
    /// The same settings with this many worker threads; `None` for one per processor.
    #[must_use]
    pub fn with_threads(self, threads: impl Into<Option<usize>>) -> Self {
        Self { threads: threads.into(), ..self }
    }

    /// The same settings with tiles of this side in pixels, 8 to 1024; `None` for the fastest.
    #[must_use]
    pub fn with_tile_size(self, tile_size: impl Into<Option<u32>>) -> Self {
        Self { tile_size: tile_size.into(), ..self }
    }

    /// The same settings with another instruction set.
    #[must_use]
    pub fn with_simd(self, simd: SimdLevel) -> Self {
        Self { simd, ..self }
    }

    /// The same settings with culling on or off.
    #[must_use]
    pub fn with_culling(self, culling: Culling) -> Self {
        Self { culling, ..self }
    }

    /// The same settings with another budget.
    #[must_use]
    pub fn with_budget(self, budget: Budget) -> Self {
        Self { budget, ..self }
    }
}
