//! What is going on, on standard error and only if that is a terminal.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// How much is said beside the results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Talk {
    /// `-q`: errors alone.
    Quiet,
    /// What was written, and progress on a terminal.
    Normal,
    /// `-v`: each step and its time.
    Verbose,
}

/// Redraws a second.
const RATE: u8 = 10;

/// The steps of a work of unknown length: a line with the seconds on a terminal, and with `-v` one that stays.
pub(super) struct Steps {
    spinner: ProgressBar,
    talk: Talk,
}

impl Steps {
    pub(super) fn new(talk: Talk) -> Self {
        let spinner = bar(talk, None, "{spinner} {msg} {elapsed}");
        spinner.enable_steady_tick(Duration::from_millis(1000 / u64::from(RATE)));
        Self { spinner, talk }
    }

    pub(super) fn begin(&self, step: &'static str) {
        self.spinner.set_message(step);
    }

    /// Says with `-v` what was done, and how long it took since then.
    pub(super) fn done(&self, step: &str, since: Instant) {
        if self.talk == Talk::Verbose {
            let line = format!("{step} in {:.1} ms\n", since.elapsed().as_secs_f64() * 1000.0);
            // nobody reads it if this fails
            self.spinner.suspend(|| io::stderr().write_all(line.as_bytes())).ok();
        }
    }

    pub(super) fn finish(&self) {
        self.spinner.finish_and_clear();
    }
}

/// A bar for work of known length.
pub(super) fn counted(talk: Talk, total: u64) -> ProgressBar {
    bar(talk, Some(total), "{msg} {wide_bar} {human_pos}/{human_len} {eta}")
}

fn bar(talk: Talk, total: Option<u64>, template: &str) -> ProgressBar {
    let shown = talk != Talk::Quiet && io::stderr().is_terminal();
    let target = if shown { ProgressDrawTarget::stderr_with_hz(RATE) } else { ProgressDrawTarget::hidden() };
    let style = ProgressStyle::with_template(template).expect("the templates above are well formed");
    ProgressBar::with_draw_target(total, target).with_style(style)
}
