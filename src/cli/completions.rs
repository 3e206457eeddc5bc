//! `roundel completions`: what makes a shell complete roundel's arguments.

use clap::Args;
use clap_complete::Shell;
use roundel::Result;

use super::{Verdict, definition, print};

/// Print a shell's completion script
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  roundel completions bash > ~/.local/share/bash-completion/completions/roundel
  roundel completions zsh > ~/.zfunc/_roundel
  roundel completions fish > ~/.config/fish/completions/roundel.fish")]
pub(super) struct Arguments {
    /// The shell
    shell: Shell,
}

pub(super) fn run(arguments: &Arguments) -> Result<Verdict> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut definition(), "roundel", &mut script);
    print(&String::from_utf8_lossy(&script))?;
    Ok(Verdict::Done)
}
