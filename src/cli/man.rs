//! `roundel man`: manual pages from the same text as the help.

use std::path::{Path, PathBuf};

use clap::Args;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};
use roundel::io::{FileBelow, OutputKind, Overwriting};
use roundel::{Error, Result};

use super::CommandOutcome;
use super::output::{Force, print};

/// Print the manual page, or write all pages to a folder
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  roundel man | man -l -                  Read the manual page
  roundel man -o ~/.local/share/man/man1  Install the pages of all commands")]
pub(super) struct ManArguments {
    /// Folder to write one page per command to; created if missing
    #[arg(short, long, value_name = "FOLDER")]
    output: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
}

pub(super) fn run(arguments: &ManArguments, definition: clap::Command) -> Result<CommandOutcome> {
    let definition = without_help_commands(definition);
    match &arguments.output {
        Some(folder) => write_pages(definition, folder, arguments.force.overwriting())?,
        None => print(&page(definition, Path::new("<stdout>"))?)?,
    }
    Ok(CommandOutcome::Done)
}

/// Removes the `help` subcommands, which have no pages.
fn without_help_commands(command: clap::Command) -> clap::Command {
    command.disable_help_subcommand(true).mut_subcommands(without_help_commands)
}

fn write_pages(mut command: clap::Command, folder: &Path, overwriting: Overwriting) -> Result<()> {
    // names subcommands in full, such as roundel-render
    command.build();
    for subcommand in command.get_subcommands().cloned() {
        write_pages(subcommand, folder, overwriting)?;
    }
    let name = command.get_display_name().unwrap_or(command.get_name()).to_owned();
    let file = format!("{name}.1");
    let file = FileBelow::new(folder, &file, OutputKind::Manual).with_overwriting(overwriting);
    let page = page(command.name(name), &file.path())?;
    file.write(|file| file.write_all(page.as_bytes()))
}

fn page(command: clap::Command, path: &Path) -> Result<String> {
    let notes = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let mut page = Vec::new();
    let rendered =
        Man::new(command.after_help(None)).render(&mut page).and_then(|()| sections(&notes).to_writer(&mut page));
    rendered.map_err(|source| Error::Io { action: "write", path: path.to_owned(), source })?;
    Ok(String::from_utf8_lossy(&page).into_owned())
}

/// Returns the text at the end of a command's help as sections: prose becomes notes, and the lines below a heading such
/// as "Examples:" are kept.
fn sections(after_help: &str) -> Roff {
    const NOTES: &str = "NOTES";
    let mut page = Roff::new();
    let mut section = String::new();
    for block in after_help.split("\n\n").filter(|block| !block.is_empty()) {
        if let Some((heading, lines)) = block.split_once(":\n").filter(|(heading, _)| !heading.contains('\n')) {
            section = heading.to_uppercase();
            page.control("SH", [&*section]);
            add_lines(&mut page, lines);
        } else if block.starts_with(' ') {
            page.control("sp", []);
            add_lines(&mut page, block);
        } else {
            page.control(if section == NOTES { "PP" } else { "SH" }, (section != NOTES).then_some(NOTES));
            NOTES.clone_into(&mut section);
            page.text([roman(block)]);
        }
    }
    page
}

/// Adds lines that are neither joined nor justified.
fn add_lines(page: &mut Roff, lines: &str) {
    page.control("nf", []);
    for line in lines.lines() {
        page.text([roman(line.trim_start())]);
    }
    page.control("fi", []);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_prose_and_headings_keep_their_lines() {
        let page = sections("One.\n\nTwo.\n\n  kept\n\nExamples:\n  roundel x  Does x\n  roundel y\n");
        let expected =
            ".SH NOTES\nOne.\n.PP\nTwo.\n.sp\n.nf\nkept\n.fi\n.SH EXAMPLES\n.nf\nroundel x  Does x\nroundel y\n.fi\n";
        assert!(page.to_roff().ends_with(expected), "{}", page.to_roff());
    }
}
