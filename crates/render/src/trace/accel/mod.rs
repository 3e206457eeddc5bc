//! Acceleration structures: hierarchies and their cache, light buffers, columns of shadow rays.

pub(super) mod bvh;
pub(super) mod cache;
pub(super) mod light_buffer;
pub(super) mod light_grid;
pub(super) mod light_space;
pub(super) mod receivers;
pub(super) mod shadow_rays;
