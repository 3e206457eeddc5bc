//! Comparisons of pictures and files, and golden tests of a crate under test.

#[path = "../crate_under_test/mod.rs"]
mod crate_under_test;

mod compare;
mod compare_files;
mod golden_tests;
mod sequences;
