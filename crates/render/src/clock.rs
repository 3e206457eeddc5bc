//! The system's clock, or none: WebAssembly in a browser has no time of its own.

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub(crate) use std::time::Instant;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub(crate) use missing::Instant;

/// A clock that stands still, for targets where std's clock panics.
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod missing {
    use std::ops::Sub;
    use std::time::Duration;

    /// A moment; all of them are equal.
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct Instant;

    impl Instant {
        pub(crate) fn now() -> Self {
            Self
        }

        pub(crate) fn elapsed(self) -> Duration {
            Duration::ZERO
        }
    }

    impl Sub for Instant {
        type Output = Duration;

        fn sub(self, _: Self) -> Duration {
            Duration::ZERO
        }
    }
}
