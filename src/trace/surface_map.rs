//! Depths, normals and spheres of a picture.

/// GBuffer of a picture, row by row.
#[derive(Debug)]
pub(crate) struct SurfaceMap {
    /// Along the line of sight; infinite without a hit.
    pub depths: Vec<f32>,
    /// Towards the eye; 0 without a hit.
    pub normals: Vec<[f32; 3]>,
    /// Indices of spheres; `u32::MAX` without a hit.
    pub spheres: Vec<u32>,
}
