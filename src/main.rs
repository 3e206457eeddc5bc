//! The command line: `roundel --help` tells all of it.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main()
}
