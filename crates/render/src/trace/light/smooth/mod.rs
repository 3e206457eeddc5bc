//! Ambient occlusion and soft shadows without rays.
//!
//! The spheres around a sphere are sorted once: near ones into a list, all others, and clusters of them that look no
//! larger, into a map of the light that comes through from each direction ([`Surroundings`]). There opaque ones block
//! bits of a finer grid, so that spheres behind others do not count again. At a surface point every near sphere covers
//! a cap of the hemisphere: a table gives the cap as a 64-bit word, a bit for each of 64 cosine-distributed directions,
//! and the words of all near spheres are joined by OR. The openness is the mean of the map over the directions that
//! stay open. If spheres are few, each covers an exact share of the hemisphere instead, and words only measure how far
//! caps overlap.
//!
//! All of it is a function of the spheres alone, in world coordinates, so that crops, tiles and the frames of a film
//! agree. Clusters stand for spheres as in J. Barnes and P. Hut, "A Hierarchical O(N log N) Force-Calculation
//! Algorithm", *Nature* 324 (1986); 64-bit hemispheres were used for blockers in S. Laine and T. Karras, "Two Methods
//! for Fast Ray-Cast Ambient Occlusion", EGSR 2010.

mod among_shapes;
mod blockers;
mod caps;
mod coverage_masks;
mod few_caps;
mod footprints;
mod hemisphere_rows;
mod horizon;
mod lookups;
mod near_planes;
mod near_spheres;
mod nets;
mod octahedron;
mod openness;
mod patches;
mod shape_field;
mod soft_shadows;
mod surroundings;

pub(crate) use near_planes::NearPlanes;
pub(crate) use nets::{LEAST_RADIUS, LightNet};
pub(crate) use openness::{ShadedPoint, ShadedShape, SmoothOcclusion, SmoothScratch};
pub(crate) use shape_field::ShapeField;
pub(crate) use soft_shadows::SoftLight;
