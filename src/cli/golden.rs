//! `roundel golden`: compares scenes with approved pictures.

use std::env;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use roundel::golden::{Case, Choice, Outcome, REPORT, SceneFolder, untested};
use roundel::io::{OutputKind, check_output_folder};
use roundel::{Error, RenderSettings, Result};

use super::CommandOutcome;
use super::bless_left;
use super::junit;
use super::limits::LimitFlags;
use super::match_picture::{self, MatchArguments};
use super::output::{Force, check_overwriting, print, printable};
use super::reply;
use super::review;
use super::summary::{self, SummaryArguments};

/// Compare scenes with the approved pictures beside them
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  roundel golden check golden
  roundel golden check golden strokes --junit results.xml --report report.html
  roundel golden bless golden raster/strokes trace/shadows
  roundel golden status golden
  roundel golden review golden
  cargo test && roundel golden untested tests/golden
  roundel golden match charts/bars screenshot.png --tolerance 1
  roundel golden summary target/golden --format json
  roundel golden bless . --from target/golden charts/bars

A folder contains scenes, NAME.toml or NAME.json, each beside its picture, NAME.png. Pictures must agree exactly, unless \
golden.toml in the folder says how much may differ, and why:

  [case.\"raster/strokes\"]
  tolerance = 1          # or threshold (YIQ), oklab, or flip (mean)
  pixels = 12            # or share; of any N x N pixels with window = N
  reason = \"the reference machine rounds the other way\"

  [folder.photos]        # all cases in this folder
  mask_transparent = true
  reason = \"the clock is erased\"

or the scene says how many pixels may differ, and by how much:

  [tolerance]
  difference = 1
  pixels = 12
  reason = \"the reference machine rounds the other way\"

NAME@2.png to NAME@9.png, and on one system NAME.linux.png and the like, are variants that are accepted, too; `bless` writes \
them by these names.

Exit status: 0 all agree; 1 some do not, or have no picture or no scene; 2 an error.")]
pub(super) struct GoldenArguments {
    #[command(subcommand)]
    action: Action,
    #[command(flatten)]
    limits: LimitFlags,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Draw every scene, compare, and write the pictures that differ and a report
    Check {
        /// Folder of scenes and pictures
        folder: PathBuf,
        /// Check only cases whose names contain one of these texts
        filters: Vec<String>,
        /// Folder for report.html, and for NAME.actual.png and NAME.diff.png of failing cases [default: scenes in the folder of the
        /// variable ROUNDEL_OUTPUT, or in target/golden]
        #[arg(long, value_name = "DIR")]
        output: Option<PathBuf>,
        /// Write a report of all cases here too, whether they fail or not
        #[arg(long, value_name = "HTML")]
        report: Option<PathBuf>,
        /// Write the results as JUnit XML
        #[arg(long, value_name = "FILE")]
        junit: Option<PathBuf>,
        #[command(flatten)]
        force: Force,
    },
    /// Approve the new pictures of failing cases
    Bless {
        /// Folder of scenes and pictures
        folder: PathBuf,
        /// Names as `check` prints them [default: every failing case; asks first at a terminal]
        #[arg(conflicts_with = "all")]
        names: Vec<String>,
        /// Approve every failing case; asks first, and does nothing where there is no terminal to ask at
        #[arg(long)]
        all: bool,
        /// Do not ask
        #[arg(long, conflicts_with = "names")]
        yes: bool,
        /// Approve pictures as a check or a test run left them in this folder, and draw nothing; FOLDER is the repository
        #[arg(long, value_name = "DIR")]
        from: Option<PathBuf>,
        /// Approve the pictures that are named behind /bless in this file, a reply to a pull request
        #[arg(long, value_name = "FILE", requires = "from", conflicts_with_all = ["names", "all", "yes"])]
        reply: Option<PathBuf>,
        #[command(flatten)]
        force: Force,
    },
    /// Print how every case compares
    Status {
        /// Folder of scenes and pictures
        folder: PathBuf,
        /// Compare only cases whose names contain one of these texts
        filters: Vec<String>,
    },
    /// Look at failing cases one by one in the terminal, and approve or discard their new pictures
    Review {
        /// Folder of scenes and pictures, or of a crate's goldens such as tests/golden, whose tests have run
        #[arg(default_value = "tests/golden")]
        folder: PathBuf,
        /// Output folder of the check or the test run [default: as of the check, or that of the tests]
        #[arg(long, value_name = "DIR")]
        output: Option<PathBuf>,
    },
    /// Compare a picture of any program with a golden, as tests of Rust do; ROUNDEL_BLESS approves it
    Match(Box<MatchArguments>),
    /// Summarize what failing tests and checks left; the exit status does not tell whether any failed
    Summary(SummaryArguments),
    /// List goldens of a crate that no test compares with; run all of its tests first
    Untested {
        /// Folder of goldens, such as tests/golden
        folder: PathBuf,
        /// Output folder of the test run [default: the variable ROUNDEL_OUTPUT, or target/golden]
        #[arg(long, value_name = "DIR")]
        output: Option<PathBuf>,
    },
}

pub(super) fn run(arguments: &GoldenArguments) -> Result<CommandOutcome> {
    let settings = RenderSettings::default().with_budget(arguments.limits.budget());
    let scenes = |folder: &Path, filters: &[String]| {
        filters.iter().fold(SceneFolder::new(folder).with_settings(settings), SceneFolder::with_filter)
    };
    match &arguments.action {
        Action::Check { folder, filters, output, report, junit, force } => {
            let overwriting = force.overwriting();
            let scenes = scenes(folder, filters).with_overwriting(overwriting);
            let output = &output.clone().unwrap_or_else(|| default_output().join(SCENES));
            check_output_folder(output)?;
            for (name, path, kind) in [("report", report, OutputKind::Page), ("junit", junit, OutputKind::TestResults)]
            {
                path.as_ref().map_or(Ok(()), |path| check_overwriting(name, path, &[], kind, overwriting))?;
            }
            let cases = scenes.check(output)?;
            if let Some(path) = report {
                scenes.write_report(path, &cases)?;
            }
            if let Some(path) = junit {
                let failure = |case: &Case| (!case.is_same()).then(|| case.found());
                let results: Vec<_> = cases.iter().map(|case| (case.name.clone(), failure(case))).collect();
                junit::write(path, "roundel golden", &results)?;
            }
            let filters: Vec<&str> = filters.iter().map(String::as_str).collect();
            print_check(&scenes, &filters, output, &cases)
        }
        Action::Bless { folder, names, all, yes, from, reply, force } => {
            if env::var_os("CI").is_some_and(|value| !value.is_empty() && value != "false") && !force.force {
                let message =
                    "is set: in continuous integration nobody sees what is approved; --force approves".to_owned();
                return Err(Error::setting("the variable CI", message));
            }
            if let Some(output) = from {
                let names = match reply {
                    Some(reply) => reply::names(reply)?,
                    None if *all => vec!["all".to_owned()],
                    None => names.clone(),
                };
                if names.is_empty() {
                    return Err(Error::setting("--from", "needs names, --all or --reply".to_owned()));
                }
                print(&bless_left::bless(folder, output, &names)?)?;
                return Ok(CommandOutcome::Done);
            }
            let choice = if names.is_empty() { Choice::All } else { Choice::Named(names.clone()) };
            let asks = !yes && (*all || (names.is_empty() && io::stdin().is_terminal()));
            bless(&scenes(folder, &[]).with_overwriting(force.overwriting()), &choice, asks)
        }
        Action::Status { folder, filters } => {
            let cases = scenes(folder, filters).status()?;
            print(&cases.iter().map(|case| format!("{}\n", case.summary())).collect::<String>())?;
            Ok(verdict(&cases))
        }
        Action::Review { folder, output } => review::run(folder, output.as_deref(), &scenes(folder, &[])),
        Action::Match(arguments) => match_picture::run(arguments),
        Action::Summary(arguments) => summary::run(arguments),
        Action::Untested { folder, output } => {
            let found = untested(folder, output.clone().unwrap_or_else(default_output))?;
            print(&found.iter().map(|golden| format!("{}\n", golden.display())).collect::<String>())?;
            Ok(if found.is_empty() { CommandOutcome::Done } else { CommandOutcome::Different })
        }
    }
}

/// The folder in the output folder that is for folders of scenes.
pub(super) const SCENES: &str = "scenes";

/// The folder that tests and checks leave their pictures in.
pub(super) fn default_output() -> PathBuf {
    env::var_os("ROUNDEL_OUTPUT")
        .filter(|value| !value.is_empty())
        .map_or_else(|| "target/golden".into(), PathBuf::from)
}

fn verdict(cases: &[Case]) -> CommandOutcome {
    if cases.iter().any(|case| matches!(case.outcome, Outcome::Failed(_))) {
        CommandOutcome::Failed
    } else if cases.iter().all(Case::is_same) {
        CommandOutcome::Done
    } else {
        CommandOutcome::Different
    }
}

/// Prints every failing case, and the commands to run next.
fn print_check(scenes: &SceneFolder, filters: &[&str], output: &Path, cases: &[Case]) -> Result<CommandOutcome> {
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
        let mut hint = format!("report: {}\n", output.join(REPORT).display());
        hint += &format!("to repeat: {}\n", scenes.command("check", filters));
        let named = failing.iter().filter(|case| case.actual.is_some()).map(|case| &*case.name);
        let named: Vec<&str> = named.collect();
        if !named.is_empty() {
            hint += &format!("if the new pictures are right: {}\n", scenes.command("bless", &named));
        }
        // the hint repeats what standard output says
        let _ = io::stderr().write_all(printable(&hint).as_bytes());
    }
    Ok(verdict(cases))
}

fn bless(scenes: &SceneFolder, choice: &Choice, asks: bool) -> Result<CommandOutcome> {
    if asks {
        let cases = scenes.status()?;
        let failing: Vec<&Case> = cases.iter().filter(|case| !case.is_same()).collect();
        if !failing.is_empty() && !confirmed(&failing)? {
            return Ok(CommandOutcome::Different);
        }
    }
    let blessed = scenes.bless(choice)?;
    let mut text: String = blessed.iter().map(|case| format!("blessed {}\n", case.name)).collect();
    if blessed.is_empty() {
        text += "nothing to bless: the pictures agree already\n";
    }
    print(&text)?;
    Ok(CommandOutcome::Done)
}

/// Lists the failing cases and asks whether to approve them. Fails without a terminal to ask at.
fn confirmed(failing: &[&Case]) -> Result<bool> {
    if !io::stdin().is_terminal() || env::var_os("CI").is_some() {
        let message = "asks before it approves, and there is no terminal to ask at; --yes approves without asking";
        return Err(Error::setting("--all", message));
    }
    let mut question: String = failing.iter().map(|case| format!("{}\n", case.summary())).collect();
    question += &format!("bless these {}? [y/N] ", failing.len());
    let asked = |source| Error::Io { action: "ask at", path: "<terminal>".into(), source };
    io::stderr().write_all(question.as_bytes()).map_err(asked)?;
    let mut answer = String::new();
    io::stdin().read_line(&mut answer).map_err(asked)?;
    Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
}
