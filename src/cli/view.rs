//! `roundel view`: shows files in a window, or replays a recorded session to a PNG.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use roundel::io::{OutputKind, Overwriting, check_output};
use roundel::viewer::{ViewerOptions, WindowOptions, replay, run_window};
use roundel::{Error, Result};

use super::CommandOutcome;
use super::flags::{PerformanceFlags, PictureFlags};
use super::limits::LimitFlags;
use super::output::{check_format, message, print};

/// View scenes or data files in a window
#[derive(Debug, Args)]
#[command(after_help = "\
Drag to orbit around spheres or pan over circles, drag with the right button to pan, turn the wheel to zoom, click to pick \
a shape, with Shift also a translucent one. H lists all keys, Esc closes the window. When the view rests, the picture is refined until it is the one that \
`roundel render` draws, with the marks of its figure; F12 writes it to a file and prints the command that draws it.

Examples:
  roundel view molecule.pdb                       View a molecule
  roundel view *.toml                             Step through scenes (Up, Down)
  roundel view scene.toml --watch                 View a scene while editing it
  roundel view scene.toml --record session.txt    Record mouse and keyboard
  roundel view scene.toml --replay session.txt -o end.png

Exit status:
  0  Success
  2  Error, such as a missing display; the message is on standard error")]
pub(super) struct ViewArguments {
    /// Scenes (.toml, .json) or data (.csv, .xyz, .pdb, .cif, .gro, .dump and more)
    #[arg(value_name = "SCENE|DATA", required = true)]
    input: Vec<PathBuf>,
    /// PNG to write with F12 or after a replay [default: a new name in this folder]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Reload the file when it changes, and keep the camera
    #[arg(long)]
    watch: bool,
    /// Record all events to a file
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Replay recorded events without a window, then write the picture
    #[arg(long, value_name = "FILE", conflicts_with_all = ["record", "watch"])]
    replay: Option<PathBuf>,
    #[command(flatten)]
    picture: PictureFlags,
    #[command(flatten)]
    performance: PerformanceFlags,
    #[command(flatten)]
    limits: LimitFlags,
}

pub(super) fn run(arguments: &ViewArguments) -> Result<CommandOutcome> {
    if let Some(output) = &arguments.output {
        check_output(output, OutputKind::Picture, Overwriting::Own)?;
        check_format("output", output)?;
    }
    if let Some(record) = &arguments.record {
        if record.as_os_str() == "-" {
            return Err(Error::setting("record", "must be a file, got -"));
        }
        check_output(record, OutputKind::Session, Overwriting::Own)?;
    }
    let budget = arguments.limits.budget();
    let mut options = ViewerOptions::new(&arguments.input)
        .with_overrides(arguments.picture.options(budget))
        .with_settings(arguments.performance.settings(budget));
    options.screenshot.clone_from(&arguments.output);
    // a message that cannot be printed is not worth an error
    let on_message = |text: &str| match text.strip_prefix("note: ") {
        Some(note) => drop(writeln!(io::stderr(), "note: {}", message(note))),
        None => drop(print(&format!("{text}\n"))),
    };
    if let Some(events) = &arguments.replay {
        replay(&options, events, on_message)?;
    } else {
        let mut window_options = WindowOptions::default();
        (window_options.record, window_options.watch) = (arguments.record.clone(), arguments.watch);
        run_window(&options, &window_options, on_message)?;
    }
    Ok(CommandOutcome::Done)
}
