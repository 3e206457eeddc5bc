//! Files that are read a block at a time, and the index files beside long ones.

pub mod block_facts;
pub mod file_part;
pub mod sidecar;
pub mod sphere_files;
pub mod streamable;
pub mod survey;
pub mod trajectory_index;
