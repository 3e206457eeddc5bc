//! The share of each pixel that a shape covers, by exact areas; knows no colour.
//!
//! | kernel | shapes | numbers |
//! |---|---|---|
//! | [`tiny`] | filled, up to 4×4 pixels | `f32`, sixteen shapes at a time |
//! | [`small`] | filled, up to 15×15 pixels | `f32`, a row at a time |
//! | [`float`] | small radii | `f32`, edge tables |
//! | [`fixed`] | radii up to 131 072 | fixed point, edge tables |
//! | [`per_pixel`] | all others | `f64`, a pixel at a time |
//!
//! Every kernel returns *weights*, coverage times opacity, stretched by [`weight::SLACK`] at both ends: a pixel wholly
//! outside weighs exactly 0, one wholly inside exactly the opacity. So the bits are the same whether a kernel computes
//! a pixel or [`row_spans`] skips it. The first three take the same steps in the same order, since the cut into tiles
//! decides which of them a shape goes to.

pub(super) mod fixed;
pub(super) mod float;
pub(super) mod per_pixel;
pub(super) mod rim;
pub(super) mod row_spans;
#[cfg(test)]
pub(super) mod scalar;
pub(super) mod segment;
pub(super) mod small;
pub(super) mod tiny;
pub(super) mod weight;
