//! `roundel view`: a window to look around in, or a recorded session played back into a PNG.

use std::path::PathBuf;

use clap::Args;
use roundel::Result;
use roundel::viewer::{ViewerOptions, WindowOptions, replay, run_window};

use super::limits::Limits;
use super::options::{Making, Picture};
use super::{Verdict, print};

/// Look around in a scene or data, in a window
#[derive(Debug, Args)]
#[command(after_help = "\
Drag to orbit (circles: to pan), right drag to pan, wheel to zoom, click to pick, H for all keys, Esc to close. At rest the
picture becomes what `roundel render` draws; F12 writes it and prints the command that draws the same.

Examples:
  roundel view molecule.pdb                            a molecule
  roundel view *.toml                                  scenes, stepped through with the Up and Down keys
  roundel view scene.toml --watch                      a scene while it is written
  roundel view molecule.pdb --record session.txt       everything that the mouse and the keys do, recorded
  roundel view molecule.pdb --replay session.txt -o end.png

Exit status: 0 closed; 2 an error, as when there is no display.")]
pub(super) struct Arguments {
    /// Scenes (.toml, .json) or bare data (.csv, .tsv, .xyz, .pdb)
    #[arg(value_name = "SCENE|DATA", required = true)]
    input: Vec<PathBuf>,
    /// Where F12, or the end of a replay, writes the picture [default: a numbered name in this folder]
    #[arg(short, long, value_name = "OUT.png")]
    output: Option<PathBuf>,
    /// Read the file again when it changes, and keep the camera
    #[arg(long)]
    watch: bool,
    /// Write all events to a file
    #[arg(long, value_name = "EVENTS")]
    record: Option<PathBuf>,
    /// Play recorded events without a window, and write the picture in which they end
    #[arg(long, value_name = "EVENTS", conflicts_with_all = ["record", "watch"])]
    replay: Option<PathBuf>,
    #[command(flatten)]
    picture: Picture,
    #[command(flatten)]
    limits: Limits,
    #[command(flatten)]
    making: Making,
}

pub(super) fn run(arguments: &Arguments) -> Result<Verdict> {
    let budget = arguments.limits.budget();
    let mut options = ViewerOptions::new(&arguments.input)
        .with_overrides(arguments.picture.overrides(budget))
        .with_settings(arguments.making.settings(budget));
    options.screenshot.clone_from(&arguments.output);
    // a message that cannot be printed is not worth an error
    let on_message = |message: &str| drop(print(&format!("{message}\n")));
    if let Some(events) = &arguments.replay {
        replay(&options, events, on_message)?;
    } else {
        let mut window_options = WindowOptions::default();
        (window_options.record, window_options.watch) = (arguments.record.clone(), arguments.watch);
        run_window(&options, &window_options, on_message)?;
    }
    Ok(Verdict::Done)
}
