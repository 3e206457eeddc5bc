//! The result for one pixel.

/// How a pixel compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Mark {
    /// It is equal, or differs by no more than the metric tolerates.
    Same,
    /// It differs, but is an edge's anti-aliasing.
    Antialiased,
    Differs,
    Masked,
}
