//! The program as a user meets it, and the rules that the repository keeps.

#[path = "../files/mod.rs"]
mod files;

mod cli;
mod compare_command;
mod demo;
mod disk;
#[cfg(all(feature = "cli", unix))]
mod endless;
mod export;
mod film;
mod film_panels;
mod film_times;
mod gallery;
mod generated;
mod golden;
mod help;
mod idle_flags;
mod layers;
mod limits;
mod lints;
#[cfg(all(feature = "cli", unix))]
mod messages;
mod outputs;
mod pages;
mod renderer;
#[cfg(feature = "cli")]
mod running;
mod selftest;
#[cfg(all(feature = "cli", unix))]
mod shell;
mod streams;
mod summary;
mod trajectories;
mod vectors;
mod viewer;
mod window;
