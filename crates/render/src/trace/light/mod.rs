//! Light that reaches a point: directional lights, hard and soft shadows, shadows of translucent shapes, ambient
//! occlusion, and small spheres lit as one surface.

pub(super) mod ao_rays;
pub(super) mod cloud;
pub(super) mod directional;
pub(super) mod shadows;
pub(super) mod smooth;
pub(super) mod translucent_shadows;
