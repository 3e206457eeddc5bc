//! From hits to pixels: surfaces, materials, lighting, fog, outlines, resolve.

mod encode;
pub(super) mod faint;
mod fog;
pub(super) mod lighting;
pub(super) mod material;
mod medium;
pub(super) mod occlusion;
pub(super) mod outlines;
mod reach;
pub(super) mod resolve;
mod seams;
mod silhouettes;
pub(super) mod surface_batch;
