//! Counts of the work of drawing.

use std::ops::Add;

/// Counts of drawing, for [`Statistics`](crate::Statistics).
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct DrawWork {
    pub shaded: u64,
    pub lit: u64,
    pub occluders: u64,
    pub edges: u64,
}

impl Add for DrawWork {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            shaded: self.shaded + other.shaded,
            lit: self.lit + other.lit,
            occluders: self.occluders + other.occluders,
            edges: self.edges + other.edges,
        }
    }
}
