//! Which shapes touch which tile: what no tile can show is culled, the rest is binned, painter's order kept.

pub(crate) mod circles;
