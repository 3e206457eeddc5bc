//! `roundel info`: what is in a file and what would be drawn.

use std::path::PathBuf;

use clap::Args;
use roundel::Result;
use roundel::io::describe;

use super::limits::Limits;
use super::options::Picture;
use super::{Verdict, print};

/// Say what is in a file and what would be drawn
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  roundel info molecule.pdb
  roundel info places.csv --json
  roundel generate uniform -n 1000 -o - | roundel info -")]
pub(super) struct Arguments {
    /// A scene (.toml, .json) or bare data (.csv, .tsv, .xyz, .pdb); - is standard input
    #[arg(value_name = "SCENE|DATA")]
    input: PathBuf,
    /// One JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    picture: Picture,
    #[command(flatten)]
    limits: Limits,
}

pub(super) fn run(arguments: &Arguments) -> Result<Verdict> {
    let description = describe(&arguments.input, &arguments.picture.overrides(arguments.limits.budget()))?;
    if arguments.json {
        let json = serde_json::to_string_pretty(&description).expect("a description is numbers, texts and lists");
        print(&format!("{json}\n"))?;
    } else {
        print(&description.to_string())?;
    }
    Ok(Verdict::Done)
}
