//! `roundel golden`: scenes held against approved pictures.

use std::env;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use roundel::golden::{self, Case, Choice, Outcome};
use roundel::{Error, RenderSettings, Result};

use super::limits::LimitFlags;
use super::output::print;
use super::verdict::Verdict;

/// Hold scenes against the approved pictures beside them
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  roundel golden check golden
  roundel golden bless golden raster/strokes trace/shadows
  roundel golden status golden

A folder holds scenes, NAME.toml or NAME.json, each beside its picture, NAME.png. Pictures must agree exactly, unless the
folder's golden.toml says what may differ, and why:

  [case.\"raster/strokes\"]
  tolerance = 1          # or threshold (YIQ), or flip (mean)
  pixels = 12            # or share
  reason = \"the reference machine rounds the other way\"

or a scene says it of itself: so many pixels may differ, by so much at most:

  [tolerance]
  difference = 1
  pixels = 12
  reason = \"the reference machine rounds the other way\"

Exit status: 0 all agree; 1 some do not, or have no picture or no scene; 2 an error.")]
pub(super) struct Arguments {
    #[command(subcommand)]
    action: Action,
    #[command(flatten)]
    limits: LimitFlags,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Draw every scene and compare; leave what differs, and a report, where it can be looked at
    Check {
        /// Folder of scenes and pictures
        folder: PathBuf,
        /// Where report.html, and NAME.actual.png and NAME.diff.png of failing cases, go
        #[arg(long, value_name = "DIR", default_value = "target/golden")]
        output: PathBuf,
    },
    /// Approve what is drawn now, of failing cases that are named
    Bless {
        /// Folder of scenes and pictures
        folder: PathBuf,
        /// Names as `check` prints them
        #[arg(required_unless_present = "all", conflicts_with = "all")]
        names: Vec<String>,
        /// Every failing case; asks first
        #[arg(long)]
        all: bool,
        /// Do not ask
        #[arg(long, requires = "all")]
        yes: bool,
    },
    /// Say of every case how it stands
    Status {
        /// Folder of scenes and pictures
        folder: PathBuf,
    },
}

pub(super) fn run(arguments: &Arguments) -> Result<Verdict> {
    let settings = RenderSettings::default().with_budget(arguments.limits.budget());
    match &arguments.action {
        Action::Check { folder, output } => {
            let cases = golden::check(folder, output, &settings)?;
            check(folder, output, &cases)
        }
        Action::Bless { folder, names, all, yes } => {
            let choice = if *all { Choice::All } else { Choice::Named(names.clone()) };
            bless(folder, &choice, *yes, &settings)
        }
        Action::Status { folder } => {
            let cases = golden::status(folder, &settings)?;
            print(&cases.iter().map(|case| format!("{}\n", case.summary())).collect::<String>())?;
            Ok(verdict(&cases))
        }
    }
}

fn verdict(cases: &[Case]) -> Verdict {
    if cases.iter().all(Case::is_same) { Verdict::Done } else { Verdict::Different }
}

/// Prints a line for every failing case, and what to run next.
fn check(folder: &Path, output: &Path, cases: &[Case]) -> Result<Verdict> {
    let failing: Vec<&Case> = cases.iter().filter(|case| !case.is_same()).collect();
    let mut text: String = failing.iter().map(|case| format!("{}\n", case.summary())).collect();
    for case in &failing {
        for path in [&case.actual, &case.difference].into_iter().flatten() {
            text += &format!("  {}\n", path.display());
        }
    }
    text += &format!("{} of {} cases agree\n", cases.len() - failing.len(), cases.len());
    print(&text)?;
    if !failing.is_empty() {
        let mut hint = format!("to look at them: {}\n", output.join(golden::REPORT).display());
        hint += &format!("to reproduce: {}\n", golden::command("check", folder, &[]));
        let named = failing.iter().filter(|case| case.outcome != Outcome::NoScene).map(|case| &*case.name);
        let named: Vec<&str> = named.collect();
        if !named.is_empty() {
            hint += &format!("to approve, once looked at: {}\n", golden::command("bless", folder, &named));
        }
        // nothing is lost with it
        let _ = io::stderr().write_all(hint.as_bytes());
    }
    Ok(verdict(cases))
}

fn bless(folder: &Path, choice: &Choice, yes: bool, settings: &RenderSettings) -> Result<Verdict> {
    if *choice == Choice::All && !yes {
        let cases = golden::status(folder, settings)?;
        let failing: Vec<&Case> = cases.iter().filter(|case| !case.is_same()).collect();
        if !failing.is_empty() && !confirmed(&failing)? {
            return Ok(Verdict::Different);
        }
    }
    let blessed = golden::bless(folder, choice, settings)?;
    let mut text: String = blessed.iter().map(|case| format!("blessed {}\n", case.name)).collect();
    if blessed.is_empty() {
        text += "nothing to bless: what was named agrees already\n";
    }
    print(&text)?;
    Ok(Verdict::Done)
}

/// Lists what would be approved and asks; no one to ask is an error.
fn confirmed(failing: &[&Case]) -> Result<bool> {
    if !io::stdin().is_terminal() || env::var_os("CI").is_some() {
        let message = "asks before it approves, and there is no terminal to ask at; --yes approves without asking";
        return Err(Error::Setting { name: "--all", message: message.to_owned() });
    }
    let mut question: String = failing.iter().map(|case| format!("{}\n", case.summary())).collect();
    question += &format!("bless these {}? [y/N] ", failing.len());
    let asked = |source| Error::Io { action: "ask at", path: "<terminal>".into(), source };
    io::stderr().write_all(question.as_bytes()).map_err(asked)?;
    let mut answer = String::new();
    io::stdin().read_line(&mut answer).map_err(asked)?;
    Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
}
