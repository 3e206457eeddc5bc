//! `--stats`: what a render saw, how long each step took, and the most memory it held.

use std::fmt::Write as _;
use std::fs;
use std::time::Duration;

use clap::ValueEnum;
use roundel::Statistics;
use serde_json::{Map, Value, json};

/// How statistics are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Form {
    /// For people
    Text,
    /// One JSON object on one line
    Json,
}

/// A render and the steps around it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Report {
    /// What the renderer says.
    pub(super) drawn: Statistics,
    /// File to scene.
    pub(super) load: Duration,
    /// Frame to PNG.
    pub(super) encode: Duration,
    /// All of it, from the first byte read.
    pub(super) total: Duration,
}

impl Report {
    /// The report in its form, for standard error.
    pub(super) fn show(&self, form: Form) -> String {
        match form {
            Form::Text => self.text(),
            Form::Json => format!("{}\n", self.json()),
        }
    }

    fn counts(&self) -> [(&'static str, u64); 6] {
        let Statistics { shapes, culled, visible, binned, tiles, rays, .. } = self.drawn;
        let seen = [("shapes", shapes), ("culled", culled), ("visible", visible)];
        let worked = [("binned", binned), ("tiles", tiles), ("rays", rays)];
        [seen[0], seen[1], seen[2], worked[0], worked[1], worked[2]]
    }

    fn times(&self) -> [(&'static str, f64); 5] {
        let steps = [
            ("load", self.load),
            ("prepare", self.drawn.prepare),
            ("draw", self.drawn.draw),
            ("encode", self.encode),
            ("total", self.total),
        ];
        // microseconds are as fine as such times repeat
        steps.map(|(name, time)| (name, time.as_micros() as f64 / 1000.0))
    }

    fn json(&self) -> Value {
        let counts: Map<_, _> =
            self.counts().map(|(name, count)| (name.to_owned(), count.into())).into_iter().collect();
        let times: Map<_, _> = self.times().map(|(name, time)| (name.to_owned(), time.into())).into_iter().collect();
        json!({ "counts": counts, "times_ms": times, "peak_memory_bytes": peak_memory_bytes() })
    }

    fn text(&self) -> String {
        let mut text = String::new();
        // writing into a string cannot fail
        for (name, count) in self.counts() {
            let _ = writeln!(text, "{name:<8}{count:>14}");
        }
        for (name, time) in self.times() {
            let _ = writeln!(text, "{name:<8}{time:>14.1} ms");
        }
        if let Some(bytes) = peak_memory_bytes() {
            let _ = writeln!(text, "{:<8}{:>14.1} MiB", "memory", bytes as f64 / f64::from(1 << 20));
        }
        text
    }
}

/// The most physical memory the program has held so far, where the system tells (Linux).
fn peak_memory_bytes() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kibibytes| kibibytes * 1024)
}
