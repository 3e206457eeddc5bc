//! A bounding-volume hierarchy of spheres. [`tree`] is its layout; [`build`] builds it, from leaves that [`pieces`] and
//! [`halves`] arrange; [`rays`] has its queries. [`clusters`] summarizes nodes for distant viewpoints, and [`shapes`]
//! is the hierarchy of other shapes.

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
