//! The program as a user meets it, and the rules that the repository keeps.

#[path = "../files/mod.rs"]
mod files;

mod cli;
mod compare_command;
#[cfg(all(feature = "cli", unix))]
mod endless;
mod export;
mod film;
mod gallery;
mod golden;
mod help;
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
#[cfg(all(feature = "cli", unix))]
mod shell;
mod summary;
mod trajectories;
mod viewer;
