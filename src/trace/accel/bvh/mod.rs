//! A bounding-volume hierarchy of spheres: its layout, how it is built, and rays through it.

mod build;
mod clusters;
mod halves;
mod pieces;
mod rays;
mod shapes;
mod tree;

pub(crate) use build::piece_limit;
pub(crate) use clusters::{ClusterHeap, Clusters, SLOTS};
pub(crate) use rays::{EyeBvh, SphereList, splat};
pub(crate) use shapes::ShapeBvh;
pub(crate) use tree::{Bvh, GROWTH, Node, Sphere16, WIDTH, load_spheres};
