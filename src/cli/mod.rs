//! The command line: arguments in, exit status out. One file per subcommand; no rendering logic.

// shared by subcommands
mod flags;
mod junit;
mod limits;
mod numbers;
mod output;
mod progress;
mod synonyms;
mod terminal;

// parts of `compare`
mod pairs;

// parts of `golden`
mod bless_left;
mod match_picture;
mod reply;
mod review;
mod summary;

// parts of `render`
mod demo;
#[cfg(not(feature = "mpi"))]
#[path = "one_process.rs"]
mod ranks;
#[cfg(feature = "mpi")]
mod ranks;
mod statistics;
mod stream;

// subcommands
mod compare;
mod completions;
mod export;
mod film;
mod generate;
mod golden;
mod help;
mod info;
mod man;
mod render;
mod schema;
mod selftest;
#[cfg(feature = "viewer")]
mod view;

use std::error::Error as _;
use std::ffi::OsString;
use std::io::{self, Write};

use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use roundel::{Error, Resource, Result};

/// Draw circles and spheres on the CPU, with the same pixels on every machine
#[derive(Debug, Parser)]
#[command(
    name = "roundel",
    version,
    arg_required_else_help = true,
    disable_help_subcommand = true,
    after_help = "\
Examples:
  roundel render                               Draw the demo
  roundel render molecule.pdb -o molecule.png  Draw a molecule
  roundel render places.csv --x lon --y lat    Draw a map of points
  roundel film trajectory.xtc -o film.mp4      Draw a film
  roundel view molecule.pdb                    View a molecule in a window
  roundel export molecule.pdb                  Write a page for browsers
  roundel info molecule.pdb                    List what a file contains
  roundel compare before.png after.png         Compare two images
  roundel golden check golden                  Check scenes against their images

Exit status: 0 success, or the images agree; 1 the images differ; 2 an error, told on standard error

Run `roundel COMMAND -h` for the most used flags of a command, `roundel COMMAND --help` for all, and
`roundel help selections`, colors, looks, formats, figures, films or scene for a subject."
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Render(Box<render::RenderArguments>),
    Film(Box<film::FilmArguments>),
    Export(Box<export::ExportArguments>),
    #[cfg(feature = "viewer")]
    View(Box<view::ViewArguments>),
    Info(Box<info::InfoArguments>),
    Compare(Box<compare::CompareArguments>),
    Golden(golden::GoldenArguments),
    Generate(generate::GenerateArguments),
    Schema(schema::SchemaArguments),
    Selftest(selftest::SelftestArguments),
    Completions(completions::CompletionsArguments),
    Help(help::HelpArguments),
    Man(man::ManArguments),
}

/// Draws a picture, alone or as one of several processes.
fn draw_picture(arguments: &render::RenderArguments) -> Result<CommandOutcome> {
    ranks::render(arguments)?.map_or_else(|| render::run(arguments), Ok)
}

/// Draws a film, alone or as one of several processes.
fn draw_film(arguments: &film::FilmArguments) -> Result<CommandOutcome> {
    ranks::film(arguments)?.map_or_else(|| film::run(arguments), Ok)
}

impl Command {
    fn run(&self) -> Result<CommandOutcome> {
        match self {
            Self::Render(arguments) => match arguments.pictures_of_frames()? {
                Some(pictures) => draw_film(&pictures),
                None => draw_picture(arguments),
            },
            Self::Film(arguments) => draw_film(arguments),
            Self::Export(arguments) => export::run(arguments),
            #[cfg(feature = "viewer")]
            Self::View(arguments) => view::run(arguments),
            Self::Info(arguments) => info::run(arguments),
            Self::Compare(arguments) => compare::run(arguments),
            Self::Golden(arguments) => golden::run(arguments),
            Self::Generate(arguments) => generate::run(arguments),
            Self::Schema(_) => schema::run(),
            Self::Selftest(arguments) => selftest::run(arguments),
            Self::Completions(arguments) => completions::run(arguments, Cli::command()),
            Self::Help(arguments) => help::run(arguments, help::with_sizes(Cli::command(), &[])),
            Self::Man(arguments) => man::run(arguments, Cli::command()),
        }
    }
}

/// The result of a command that did its work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CommandOutcome {
    /// Done, or the images agree: exit status 0.
    Done,
    /// The images differ: exit status 1, however many pixels differ.
    Different,
    /// Some of several images could not be compared, as printed before: exit status 2.
    Failed,
}

/// Exit status after wrong usage, invalid input, and failed reads and writes.
const ERROR_STATUS: u8 = 2;

impl CommandOutcome {
    fn status(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Different => 1,
            Self::Failed => ERROR_STATUS,
        }
    }
}

/// Runs the command that the arguments name, and reports errors.
///
/// The first argument is the name of the program. Returns the exit status.
#[must_use]
pub fn run(arguments: Vec<OsString>) -> u8 {
    output::remove_unfinished_files_on_signals();
    let mut definition = numbers::accept_negative_numbers(help::with_sizes(Cli::command(), &arguments));
    let given = flags::with_selections(arguments.iter().cloned());
    let parsed = definition.try_get_matches_from_mut(given).and_then(|matches| {
        let cli = Cli::from_arg_matches(&matches)?;
        Ok((cli, matches.subcommand_name().unwrap_or_default().to_owned()))
    });
    let (cli, subcommand) = match parsed {
        Ok(parsed) => parsed,
        Err(mut error) => {
            synonyms::add_tip(&mut error, &definition, arguments.into_iter());
            return report_usage(&error);
        }
    };
    match cli.command.run() {
        Ok(verdict) => {
            if verdict == CommandOutcome::Failed {
                // another rank says why and ends with its status; `mpirun` ends all ranks once one has failed, which
                // might be before that message is out
                if matches!(cli.command, Command::Render(_) | Command::Film(_)) {
                    return 0;
                }
                let _ = writeln!(io::stderr(), "roundel: some pictures cannot be read or drawn; the results say which");
            }
            verdict.status()
        }
        Err(error) => {
            let could_stream = matches!(&cli.command, Command::Render(arguments) if arguments.could_stream());
            report(&error, definition.find_subcommand(&subcommand), could_stream);
            ERROR_STATUS
        }
    }
}

/// The standard library's messages about text that is not a number, and this program's.
const NUMBER_RULES: [(&str, &str); 4] = [
    ("invalid float literal", "must be a number"),
    ("cannot parse float from empty string", "must be a number"),
    ("invalid digit found in string", "must be a whole number"),
    ("cannot parse integer from empty string", "must be a whole number"),
];

/// Prints help and versions to standard output, and wrong arguments as any other error.
fn report_usage(error: &clap::Error) -> u8 {
    // failed writes are ignored: a reader that has closed the pipe (`| head`) needs no more
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => match error.print().and_then(|()| io::stdout().flush()) {
            Err(source) if source.kind() != io::ErrorKind::BrokenPipe => {
                let _ = writeln!(io::stderr(), "roundel: cannot write <stdout>: {source}");
                ERROR_STATUS
            }
            _ => 0,
        },
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            let _ = error.print();
            ERROR_STATUS
        }
        _ => {
            let text = error.to_string();
            let text = text.strip_prefix("error: ").unwrap_or(&text);
            // the first line ends in the message of the number parser
            let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
            let plain = NUMBER_RULES
                .iter()
                .find_map(|(said, rule)| first.strip_suffix(said).map(|start| format!("{start}{rule}\n{rest}")));
            let text = plain.as_deref().unwrap_or(text).trim_end();
            let _ = writeln!(io::stderr(), "roundel: {}", output::message(text));
            ERROR_STATUS
        }
    }
}

/// Prints an error and its causes to standard error, in terms of the subcommand's flags. A closed pipe is not
/// reported: its reader closed it. `could_stream` if the shapes need not be in memory.
fn report(error: &Error, subcommand: Option<&clap::Command>, could_stream: bool) {
    if let Error::Io { source, .. } = error
        && source.kind() == io::ErrorKind::BrokenPipe
    {
        return;
    }
    let mut text = match error {
        Error::Setting { name, message } => {
            format!("{} {}", flag_or_name(name, subcommand), with_flags(message, subcommand))
        }
        _ => error.to_string(),
    };
    let mut cause = error.source();
    while let Some(inner) = cause {
        // most messages quote their cause already
        let quoted = inner.to_string();
        if !text.contains(&quoted) {
            text = format!("{text}: {quoted}");
        }
        cause = inner.source();
    }
    match error {
        Error::Budget { resource, .. } => {
            text += &format!("; --limit-{} raises it", resource.name());
            if could_stream && *resource == Resource::Shapes {
                text += ", --stream draws spheres in little memory";
            }
        }
        Error::Occupied { .. } if flag_or_name("force", subcommand).starts_with('-') => {
            text = text.replace("; it is not replaced", "; --force replaces it");
        }
        Error::Window(_) => text += "; without a display, `roundel render` draws to a file",
        _ => {}
    }
    let _ = writeln!(io::stderr(), "roundel: {}", output::message(&text));
}

/// Returns the message of a setting with the flags of the other settings that it names.
fn with_flags(message: &str, subcommand: Option<&clap::Command>) -> String {
    let words: Vec<&str> = message.split(' ').collect();
    let is_pair = matches!(words[..], ["and", _, "both", ..]);
    let with_flag = |(place, word): (usize, &&str)| {
        let name = word.trim_end_matches([',', ';', ':']);
        // other names can be ordinary words of the sentence
        let is_name = name.contains('_') || is_pair && place == 1;
        if is_name { format!("{}{}", flag_or_name(name, subcommand), &word[name.len()..]) } else { (*word).to_owned() }
    };
    words.iter().enumerate().map(with_flag).collect::<Vec<_>>().join(" ")
}

/// Returns the flag of a library setting if the subcommand has one, such as `--ao-distance` for `ao_distance`, else its
/// name.
fn flag_or_name(setting: &str, subcommand: Option<&clap::Command>) -> String {
    let long = setting.replace('_', "-");
    let has = |command: &clap::Command| command.get_arguments().any(|flag| flag.get_long() == Some(&*long));
    let is_flag = |command: &clap::Command| has(command) || command.get_subcommands().any(has);
    if subcommand.is_some_and(is_flag) { format!("--{long}") } else { setting.to_owned() }
}
