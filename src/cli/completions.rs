//! `roundel completions`: prints a shell's completion script.

use clap::Args;
use clap_complete::Shell;
use roundel::Result;

use super::CommandOutcome;
use super::output::print;

/// Print a shell completion script
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  roundel completions bash > ~/.local/share/bash-completion/completions/roundel
  roundel completions zsh > ~/.zfunc/_roundel
  roundel completions fish > ~/.config/fish/completions/roundel.fish")]
pub(super) struct CompletionsArguments {
    /// Shell that reads the script
    shell: Shell,
}

pub(super) fn run(arguments: &CompletionsArguments, mut definition: clap::Command) -> Result<CommandOutcome> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut definition, "roundel", &mut script);
    print(&String::from_utf8_lossy(&script))?;
    Ok(CommandOutcome::Done)
}
