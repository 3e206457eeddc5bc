//! The `roundel` program. `roundel --help` describes its subcommands.

use std::process::ExitCode;

fn main() -> ExitCode {
    roundel::cli::run(std::env::args_os().collect()).into()
}
