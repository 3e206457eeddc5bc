//! `roundel schema`: prints the JSON Schema of scene files.

use clap::Args;
use roundel::Result;
use roundel::io::scene_schema;

use super::CommandOutcome;
use super::output::print;

/// Print the JSON Schema of scene files, for completion in editors
#[derive(Debug, Args)]
#[command(after_help = "\
Editors with taplo (VS Code, Neovim, Helix, Zed) complete the keys of a TOML
file whose first line is `#:schema ./scene.schema.json`; in JSON, the key \"$schema\"
names the schema. docs/scene.md has all keys as text.

Examples:
  roundel schema > scene.schema.json")]
pub(super) struct SchemaArguments {}

pub(super) fn run() -> Result<CommandOutcome> {
    print(scene_schema())?;
    Ok(CommandOutcome::Done)
}
