//! `roundel man`: the manual, from the same text as the help.

use std::fs;
use std::iter;
use std::path::{Path, PathBuf};

use clap::Args;
use clap_mangen::Man;
use roundel::io::write_file;
use roundel::{Error, Result};

use super::{Verdict, definition, print};

/// Print the manual page, or write one page per subcommand into a folder
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  roundel man | man -l -
  roundel man -o ~/.local/share/man/man1       then: man roundel-render")]
pub(super) struct Arguments {
    /// Folder for one page per subcommand; made if it is not there
    #[arg(short, long, value_name = "FOLDER")]
    output: Option<PathBuf>,
}

pub(super) fn run(arguments: &Arguments) -> Result<Verdict> {
    let mut command = definition();
    let Some(folder) = &arguments.output else {
        print(&page(command, Path::new("<stdout>"))?)?;
        return Ok(Verdict::Done);
    };
    fs::create_dir_all(folder).map_err(|source| Error::Io { action: "create", path: folder.clone(), source })?;
    // gives subcommands their whole names, as roundel-render
    command.build();
    let subcommands: Vec<_> = command.get_subcommands().filter(|sub| sub.get_name() != "help").cloned().collect();
    for command in iter::once(command).chain(subcommands) {
        let name = command.get_display_name().unwrap_or(command.get_name()).to_owned();
        let path = folder.join(format!("{name}.1"));
        let page = page(command.name(name), &path)?;
        write_file(&path, |file| file.write_all(page.as_bytes()))?;
    }
    Ok(Verdict::Done)
}

fn page(command: clap::Command, path: &Path) -> Result<String> {
    let mut page = Vec::new();
    let rendered = Man::new(command).render(&mut page);
    rendered.map_err(|source| Error::Io { action: "write", path: path.to_owned(), source })?;
    Ok(String::from_utf8_lossy(&page).into_owned())
}
