//! The `roundel` program. `roundel --help` describes its subcommands.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main()
}
