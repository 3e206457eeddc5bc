//! Comparisons of pictures, golden tests and their report.

#[path = "../crate_under_test/mod.rs"]
mod crate_under_test;

mod compare;
mod compare_files;
mod golden_tests;
mod report;
mod sequences;
