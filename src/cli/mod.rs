//! Arguments in, exit status out. One file per subcommand; no rendering logic.

mod compare;
mod completions;
mod demo;
mod generate;
mod golden;
mod info;
mod limits;
mod man;
mod options;
mod output;
mod progress;
mod render;
mod selftest;
mod statistics;
#[cfg(feature = "viewer")]
mod view;

use std::error::Error as _;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, Subcommand};
use roundel::{Error, Result};

/// How a command that did its work ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    /// Done, or the images agree: exit status 0.
    Done,
    /// The images differ: exit status 1, however many pixels do.
    Different,
}

impl From<Verdict> for ExitCode {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Done => Self::SUCCESS,
            Verdict::Different => Self::from(DIFFERENT),
        }
    }
}

/// Exit status of images that differ.
const DIFFERENT: u8 = 1;

/// Exit status of bad usage, bad input and failed reading or writing.
const TROUBLE: u8 = 2;

/// Draws circles and spheres on the CPU, with the same pixels on every machine.
#[derive(Debug, Parser)]
#[command(
    name = "roundel",
    version,
    arg_required_else_help = true,
    after_help = "\
Examples:
  roundel render                               the built-in demo, into roundel-demo.png
  roundel render molecule.pdb -o molecule.png  a space-filling molecule
  roundel render places.csv --x lon --y lat    a map of points, into places.png
  roundel compare before.png after.png         whether two images agree
  roundel golden check golden                  whether scenes still draw what was approved
  roundel info molecule.pdb                    what is in a file, and what would be drawn

Exit status: 0 done, or the images agree; 1 the images differ; 2 an error, said on standard error."
)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Render(Box<render::Arguments>),
    #[cfg(feature = "viewer")]
    View(Box<view::Arguments>),
    Info(Box<info::Arguments>),
    Compare(Box<compare::Arguments>),
    Golden(golden::Arguments),
    Generate(generate::Arguments),
    Selftest(selftest::Arguments),
    Completions(completions::Arguments),
    Man(man::Arguments),
}

/// Reads the arguments, does what they say, and tells how it went.
pub(crate) fn main() -> ExitCode {
    output::discard_on_signals();
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return usage(&error),
    };
    let outcome = match arguments.command {
        Command::Render(arguments) => render::run(&arguments),
        #[cfg(feature = "viewer")]
        Command::View(arguments) => view::run(&arguments),
        Command::Info(arguments) => info::run(&arguments),
        Command::Compare(arguments) => compare::run(&arguments),
        Command::Golden(arguments) => golden::run(&arguments),
        Command::Generate(arguments) => generate::run(&arguments),
        Command::Selftest(arguments) => selftest::run(&arguments),
        Command::Completions(arguments) => completions::run(&arguments),
        Command::Man(arguments) => man::run(&arguments),
    };
    match outcome {
        Ok(verdict) => verdict.into(),
        Err(error) => {
            report(&error);
            TROUBLE.into()
        }
    }
}

/// Shows help and versions on standard output, and wrong arguments as any other error.
fn usage(error: &clap::Error) -> ExitCode {
    // a reader that has gone away (`| head`) has seen what it wanted: failed writes are let be
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            let _ = error.print();
            ExitCode::SUCCESS
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            let _ = error.print();
            TROUBLE.into()
        }
        _ => {
            let text = error.to_string();
            let text = text.strip_prefix("error: ").unwrap_or(&text);
            let _ = write!(io::stderr(), "roundel: {text}");
            TROUBLE.into()
        }
    }
}

/// Says on standard error what went wrong. A reader of standard output that has gone away needs no telling.
fn report(error: &Error) {
    if let Error::Io { source, .. } = error
        && source.kind() == io::ErrorKind::BrokenPipe
    {
        return;
    }
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        // most messages quote their cause already
        let quoted = inner.to_string();
        if !text.contains(&quoted) {
            text = format!("{text}: {quoted}");
        }
        cause = inner.source();
    }
    if let Error::Budget { resource, .. } = error {
        text = format!("{text}; --limit-{} raises it", resource.name());
    }
    if let Error::Window(_) = error {
        text += "; without a display, `roundel render` draws to a file";
    }
    let _ = writeln!(io::stderr(), "roundel: {text}");
}

/// Writes text to standard output.
fn print(text: &str) -> Result<()> {
    let mut stdout = io::stdout().lock();
    let written = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
    written.map_err(|source| Error::Io { action: "write", path: "<stdout>".into(), source })
}

/// The whole command line as clap knows it, for completions and manual pages.
fn definition() -> clap::Command {
    Arguments::command()
}
