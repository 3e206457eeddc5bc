//! The intersection tests and areas of `geom` against exact arithmetic.

#[path = "../oracle/mod.rs"]
mod oracle;

mod coverage;
mod exact;
mod overlap;
mod planes;
mod rays;
