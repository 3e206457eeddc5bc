//! Primary visibility: the rays of a tile, the nearest hit of each sample, and the spheres that show.

pub(super) mod clip;
pub(super) mod primary;
pub(super) mod sample_rays;
pub(super) mod sampling;
pub(super) mod shape_lists;
pub(super) mod visibility_buffer;
pub(super) mod visible;
