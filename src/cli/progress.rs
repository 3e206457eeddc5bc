//! Progress on standard error, if that is a terminal.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use roundel::{OcclusionError, Result};

use super::output::message;

/// How much to print besides results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verbosity {
    /// `-q`: errors only.
    Quiet,
    /// The files written, and progress on a terminal.
    Normal,
    /// `-v`: also each step and its time.
    Verbose,
}

impl Verbosity {
    /// The verbosity that `-q` and `-v` ask for.
    pub(super) fn of_flags(is_quiet: bool, is_verbose: bool) -> Self {
        match (is_quiet, is_verbose) {
            (true, _) => Self::Quiet,
            (false, false) => Self::Normal,
            (false, true) => Self::Verbose,
        }
    }
}

/// Redraws per second.
const REFRESH_RATE: u8 = 10;

/// Progress of steps of unknown length: a spinner with the seconds elapsed and, with `-v`, a line per finished step.
pub(super) struct Steps {
    spinner: ProgressBar,
    verbosity: Verbosity,
}

impl Steps {
    pub(super) fn new(verbosity: Verbosity) -> Self {
        let spinner = bar(verbosity, None, "{spinner} {msg} {elapsed}");
        spinner.enable_steady_tick(Duration::from_millis(1000 / u64::from(REFRESH_RATE)));
        Self { spinner, verbosity }
    }

    pub(super) fn begin(&self, step: &'static str) {
        self.spinner.set_message(step);
    }

    /// Says which share of the current step is done.
    pub(super) fn share_done(&self, share: f64) {
        self.spinner.set_message(format!("drawing {:.0} %", 100.0 * share));
    }

    /// With `-v`, prints what was done and how long it took since `start`.
    pub(super) fn done(&self, step: &str, start: Instant) {
        if self.verbosity == Verbosity::Verbose {
            self.print(&format!("{} in {:.1} ms\n", message(step), start.elapsed().as_secs_f64() * 1000.0));
        }
    }

    /// Whether notes are printed.
    pub(super) fn has_notes(&self) -> bool {
        self.verbosity != Verbosity::Quiet
    }

    pub(super) fn note(&self, note: &str) {
        if self.has_notes() {
            self.print(&format!("note: {}\n", message(note)));
        }
    }

    /// Says how far smooth occlusion is from rays in a picture, if that is more than it promises. The comparison is made
    /// only for notes.
    pub(super) fn note_occlusion(&self, compare: impl FnOnce() -> Result<Option<OcclusionError>>) {
        // a scene too large for rays has been drawn without them
        let found = self.has_notes().then(compare).and_then(|found| found.ok().flatten());
        if let Some(error) = found.filter(OcclusionError::is_large) {
            self.note(&format!("{error}; --ao 64 casts rays"));
        }
    }

    fn print(&self, line: &str) {
        // a line that cannot be printed is not worth an error
        self.spinner.suspend(|| io::stderr().write_all(line.as_bytes())).ok();
    }

    pub(super) fn finish(&self) {
        self.spinner.finish_and_clear();
    }
}

pub(super) fn counted(verbosity: Verbosity, total: u64) -> ProgressBar {
    bar(verbosity, Some(total), "{msg} {wide_bar} {human_pos}/{human_len} {eta}")
}

/// Progress of a film: frames, frames a second and the time left.
pub(super) fn of_film(verbosity: Verbosity, total: u64) -> ProgressBar {
    bar(verbosity, Some(total), "drawing {wide_bar} {human_pos}/{human_len} frames, {per_sec}, {eta} left")
}

fn bar(verbosity: Verbosity, total: Option<u64>, template: &str) -> ProgressBar {
    let is_shown = verbosity != Verbosity::Quiet && io::stderr().is_terminal();
    let target = if is_shown { ProgressDrawTarget::stderr_with_hz(REFRESH_RATE) } else { ProgressDrawTarget::hidden() };
    let style = ProgressStyle::with_template(template).expect("the templates above are valid");
    ProgressBar::with_draw_target(total, target).with_style(style)
}
