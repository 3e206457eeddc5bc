//! The message of a failing golden: how the pictures differ, which files to look at, and what approves the new picture.

use std::fmt::Write as _;

use super::bless::{self, Bless};
use super::check::{Check, Found};
use super::failures::FailureFiles;
use super::shell::quoted;
use roundel_image::error::Result;

/// If more goldens failed, only the report lists their names.
const MOST_NAMES: usize = 20;

/// The parts of a failure's message.
pub(super) struct Message<'m> {
    pub(super) name: &'m str,
    pub(super) found: &'m Found,
    pub(super) check: &'m Check<'m>,
    pub(super) bless: &'m Bless,
    pub(super) approver: &'m Approver<'m>,
}

impl Message<'_> {
    /// The lines; `files` are those that the failure left.
    pub(super) fn text(&self, files: Result<FailureFiles>) -> String {
        let Self { name, found, check, bless, approver } = self;
        let mut message = format!("golden {name}: {}", found.summary());
        let mut line = |label: &str, text: &dyn std::fmt::Display| {
            // writing to a String cannot fail
            let _ = write!(message, "\n  {label:<12}{text}");
        };
        if let Some(allowed) = check.options.allowed() {
            line("allowed:", &allowed);
        }
        let golden = match found {
            Found::Differs { golden, .. } => golden.clone(),
            _ => check.folder.join(format!("{}.png", check.name)),
        };
        line("expected:", &golden.display());
        let mut failed = Vec::new();
        match files {
            Ok(files) => {
                line("actual:", &files.actual.display());
                if let Some(difference) = files.difference {
                    line("difference:", &difference.display());
                }
                line("report:", &files.report.display());
                failed = files.failed;
            }
            Err(error) => line("not saved:", &error),
        }
        if let Some(complaint) = bless.complaint() {
            line("not blessed:", &format!(" {complaint}"));
        }
        let _ = write!(message, "\nif the new picture is right: {}", approver.command(&[name], None));
        if (2..=MOST_NAMES).contains(&failed.len()) {
            let names: Vec<&str> = failed.iter().map(String::as_str).collect();
            let _ =
                write!(message, "\nif all {} that failed so far are: {}", names.len(), approver.command(&names, None));
        } else if failed.len() > MOST_NAMES {
            let _ = write!(message, "\n{} failed so far; the report lists them", failed.len());
        }
        message
    }
}

/// The program or command that approves goldens.
#[derive(Debug)]
pub(super) enum Approver<'a> {
    /// `cargo test`, or nextest where that runs the test.
    CargoTest,
    /// Another command, with `{}` in place of the names.
    Command(&'a str),
}

impl Approver<'_> {
    /// The command that approves goldens.
    pub(super) fn command(&self, names: &[&str], package: Option<&str>) -> String {
        let names = quoted(&names.join(","));
        match self {
            Self::Command(command) => command.replace("{}", &names),
            Self::CargoTest => {
                let tool = if std::env::var_os("NEXTEST").is_some() { "cargo nextest run" } else { "cargo test" };
                let package = package.map_or(String::new(), |package| format!(" -p {package}"));
                format!("{}={names} {tool}{package}", bless::VARIABLE)
            }
        }
    }
}
