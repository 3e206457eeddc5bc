//! A bounding-volume hierarchy of spheres: its layout, how it is built, and rays through it.

mod build;
mod clusters;
mod halves;
mod pieces;
mod rays;
mod tree;

pub(crate) use build::piece_limit;
pub(super) use clusters::{ClusterHeap, Clusters, SLOTS};
pub(super) use rays::{EyeBvh, SphereList, splat};
pub(super) use tree::{Bvh, GROWTH, Node, Sphere16, WIDTH, load_spheres};
