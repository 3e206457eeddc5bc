//! `roundel info`: describes a file and the picture that would be drawn of it.

use std::path::PathBuf;

use clap::Args;
use roundel::Result;
use roundel::io::describe;

use super::flags::PictureFlags;
use super::limits::LimitFlags;
use super::output::print;
use super::verdict::CommandOutcome;

/// Print what a file contains and what would be drawn
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  roundel info molecule.pdb       List atoms, chains and bounds
  roundel info places.csv --json  List columns and bounds as JSON
  roundel generate uniform -n 1000 -o - | roundel info -

Exit status:
  0  Success
  2  Error; the message is on standard error")]
pub(super) struct InfoArguments {
    /// Scene (.toml, .json) or data (.csv, .xyz, .pdb, .cif, .gro, .dump and more); - for standard input
    #[arg(value_name = "SCENE|DATA")]
    input: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    picture: PictureFlags,
    #[command(flatten)]
    limits: LimitFlags,
}

pub(super) fn run(arguments: &InfoArguments) -> Result<CommandOutcome> {
    let overrides = arguments.picture.options(arguments.limits.budget());
    let description = describe(&arguments.input, &overrides)?;
    if arguments.json {
        let json = serde_json::to_string_pretty(&description).expect("a description holds numbers, texts and lists");
        print(&format!("{json}\n"))?;
    } else {
        print(&description.to_string())?;
    }
    Ok(CommandOutcome::Done)
}
