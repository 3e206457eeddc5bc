//! `roundel golden match`: a picture of any program, compared with a golden as tests of Rust do.

use std::env;
use std::path::PathBuf;

use clap::Args;
use roundel::golden::Golden;
use roundel::io::{Overwriting, read_sequence};
use roundel::{Budget, Error, Result};
use roundel_golden::inner::{AssertOutcome, Output, quoted, run_of};

use super::CommandOutcome;
use super::compare::RuleFlags;
use super::golden::default_output;
use super::output::print;

/// Names the run of tests that a process belongs to; without it, the processes of one parent are one run.
const RUN: &str = "ROUNDEL_RUN";

#[derive(Debug, Args)]
pub(super) struct MatchArguments {
    /// The name of the golden; with folders, charts/bars
    name: String,
    /// The new picture
    picture: PathBuf,
    /// Folder of goldens
    #[arg(long, value_name = "DIR", default_value = "tests/golden")]
    folder: PathBuf,
    /// The folder of the output folder that these tests have for themselves
    #[arg(long, value_name = "NAME", default_value = "pictures")]
    package: String,
    /// Output folder [default: the variable ROUNDEL_OUTPUT, or target/golden]
    #[arg(long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// The command that approves a picture, with {} in place of its name [default: roundel golden bless --from]
    #[arg(long, value_name = "COMMAND")]
    approve: Option<String>,
    #[command(flatten)]
    rules: RuleFlags,
}

pub(super) fn run(arguments: &MatchArguments) -> Result<CommandOutcome> {
    let MatchArguments { name, picture, folder, package, output, approve, rules } = arguments;
    let is_name = |letter: char| letter.is_alphanumeric() || "-_.".contains(letter);
    if package.is_empty() || package.starts_with('.') || !package.chars().all(is_name) {
        return Err(Error::setting("package", format!("must be the name of a folder, got {package:?}")));
    }
    let folder_of_output = output.clone().unwrap_or_else(default_output);
    let bless = format!("roundel golden bless . --from {} {{}}", quoted(&folder_of_output.to_string_lossy()));
    let output = Output {
        root: env::current_dir().unwrap_or_default(),
        package: package.clone(),
        folder: folder_of_output,
        run: env::var(RUN).map_or_else(|_| run_of("match"), |run| format!("match {run}")),
        overwriting: Overwriting::Own,
    };
    let options = rules.options(Budget::default())?;
    let golden = Golden::new(name).folder(folder);
    let found = golden.check_in(&options, &read_sequence(picture)?, &output, approve.as_deref().unwrap_or(&bless))?;
    let (text, outcome) = match found {
        AssertOutcome::Same => ("same".to_owned(), CommandOutcome::Done),
        AssertOutcome::Blessed(text) => (text, CommandOutcome::Done),
        AssertOutcome::Failed(text) => (text, CommandOutcome::Different),
    };
    print(&format!("{text}\n"))?;
    Ok(outcome)
}
