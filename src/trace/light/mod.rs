//! Light that reaches a point: directional lights and shadows, also through translucent spheres, ambient occlusion,
//! small spheres as one surface.

pub(super) mod ao_rays;
pub(super) mod cloud;
pub(super) mod directional;
pub(super) mod shadows;
pub(super) mod smooth;
pub(super) mod translucent_shadows;
