//! Reports of comparisons in a browser, and what the program says of the golden tests of a crate; comparisons
//! themselves are tested in crates/golden/tests.
#![cfg(feature = "cli")]

#[path = "../../crates/golden/tests/crate_under_test/mod.rs"]
mod crate_under_test;

mod report;
mod untested;
