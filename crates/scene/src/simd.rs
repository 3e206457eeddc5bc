//! SIMD levels of the lane kernels, and detection of the levels that this processor supports.

use std::fmt;
use std::str::FromStr;

use fearless_simd::Level;

use crate::error::{Error, Result};

/// The instruction set of the lane kernels. Every level produces the same bits.
///
/// ```
/// # use roundel_scene as roundel;
/// use roundel::SimdLevel;
///
/// assert_eq!("avx2".parse::<SimdLevel>()?, SimdLevel::Avx2);
/// assert!(!SimdLevel::available().is_empty());
/// # Ok::<(), roundel::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum SimdLevel {
    /// The best level this processor supports.
    #[default]
    Auto,
    /// Plain scalar code, compiled only for processors without any of the levels below, or with
    /// `--cfg roundel_scalar`.
    Scalar,
    /// 128-bit x86: every x86-64 processor.
    Sse2,
    /// 128-bit x86 with rounding and blending instructions (2008 and later).
    #[serde(rename = "sse4.2")]
    Sse42,
    /// 256-bit x86.
    Avx2,
    /// 512-bit x86 (Ice Lake and later, Zen 4 and later).
    Avx512,
    /// 128-bit ARM: every aarch64 processor.
    Neon,
    /// 128-bit WebAssembly, in modules compiled with `-C target-feature=+simd128`.
    Simd128,
}

impl SimdLevel {
    /// Every level, best first, and [`SimdLevel::Auto`] at the end.
    const ALL: [Self; 8] =
        [Self::Avx512, Self::Avx2, Self::Sse42, Self::Sse2, Self::Neon, Self::Simd128, Self::Scalar, Self::Auto];

    /// The name the command line uses.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Scalar => "scalar",
            Self::Sse2 => "sse2",
            Self::Sse42 => "sse4.2",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
            Self::Neon => "neon",
            Self::Simd128 => "simd128",
        }
    }

    /// The levels compiled into this build, best first; [`SimdLevel::Auto`] is not among them.
    #[must_use]
    pub fn compiled() -> Vec<Self> {
        let x86 = cfg!(any(target_arch = "x86", target_arch = "x86_64"));
        let is_compiled = |level: &Self| match level {
            Self::Auto => false,
            Self::Scalar => scalar().is_some(),
            Self::Sse2 | Self::Sse42 | Self::Avx2 | Self::Avx512 => x86,
            Self::Neon => cfg!(target_arch = "aarch64"),
            Self::Simd128 => cfg!(all(target_arch = "wasm32", target_feature = "simd128")),
        };
        Self::ALL.into_iter().filter(is_compiled).collect()
    }

    /// The levels compiled into this build that this processor supports, best first.
    ///
    /// ```
    /// # use roundel_scene as roundel;
    /// use roundel::SimdLevel;
    ///
    /// // the best is first, and is the one that `SimdLevel::Auto` chooses
    /// for level in SimdLevel::available() {
    ///     println!("{level}");
    /// }
    /// assert!(SimdLevel::available().len() <= SimdLevel::compiled().len());
    /// ```
    #[must_use]
    pub fn available() -> Vec<Self> {
        Self::compiled().into_iter().filter(|level| level.detect().is_some()).collect()
    }

    /// Proof that this processor supports the level.
    ///
    /// # Errors
    /// [`Error::Setting`] when it does not, or the level is not compiled in.
    #[doc(hidden)]
    pub fn token(self) -> Result<Level> {
        self.detect().ok_or_else(|| {
            let available: Vec<_> = Self::available().into_iter().map(Self::name).collect();
            let (name, available) = (self.name(), available.join(", "));
            Error::setting("simd", format!("{name} is not supported by this processor or build, which has {available}"))
        })
    }

    /// Proof that this processor supports the level; `None` when it does not, or the level is not compiled in.
    fn detect(self) -> Option<Level> {
        let best = Level::new();
        match self {
            Self::Auto => Some(best),
            Self::Scalar => scalar(),
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Self::Sse2 => best.as_sse2().map(Level::Sse2),
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Self::Sse42 => best.as_sse4_2().map(Level::Sse4_2),
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Self::Avx2 => best.as_avx2().map(Level::Avx2),
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Self::Avx512 => best.as_avx512().map(Level::Avx512),
            #[cfg(target_arch = "aarch64")]
            Self::Neon => best.as_neon().map(Level::Neon),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Self::Simd128 => best.as_wasm_simd128().map(Level::WasmSimd128),
            _ => None,
        }
    }
}

/// Every level to test lane kernels at.
///
/// # Panics
/// Never: available levels are supported.
#[doc(hidden)]
#[must_use]
pub fn levels() -> Vec<Level> {
    SimdLevel::available().into_iter().map(|level| level.detect().expect("available levels are supported")).collect()
}

#[cfg(roundel_scalar)]
#[expect(clippy::unnecessary_wraps, reason = "there may be none otherwise")]
fn scalar() -> Option<Level> {
    Some(Level::fallback())
}

#[cfg(not(roundel_scalar))]
fn scalar() -> Option<Level> {
    let baseline = Level::baseline();
    baseline.is_fallback().then_some(baseline)
}

impl fmt::Display for SimdLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for SimdLevel {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        Self::ALL.into_iter().find(|level| level.name() == name).ok_or_else(|| {
            let names = Self::ALL.map(Self::name).join(", ");
            Error::setting("simd", format!("must be one of {names}, got {name}"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for level in SimdLevel::ALL {
            assert_eq!(level.name().parse::<SimdLevel>().expect("a name"), level);
        }
        let error = "sse5".parse::<SimdLevel>().expect_err("no such level").to_string();
        assert_eq!(error, "simd must be one of avx512, avx2, sse4.2, sse2, neon, simd128, scalar, auto, got sse5");
    }

    #[test]
    fn auto_is_the_first_available_level() {
        let first = SimdLevel::available()[0].detect().expect("available");
        let auto = SimdLevel::Auto.detect().expect("always available");
        assert_eq!(format!("{first:?}"), format!("{auto:?}"));
    }
}
