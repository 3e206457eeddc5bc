//! `--stats`: counts, times and peak memory of a render.

use std::fmt::Write as _;
use std::fs;
use std::time::Duration;

use clap::ValueEnum;
use roundel::Statistics;
use serde_json::{Map, Value, json};

/// The format of statistics.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    Text,
    Json,
}

/// Statistics of a render and the steps around it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Report {
    pub(super) statistics: Statistics,
    /// Time from file to scene.
    pub(super) load: Duration,
    /// Time from frame to PNG.
    pub(super) encode: Duration,
    /// Time of the whole command.
    pub(super) total: Duration,
}

impl Report {
    /// Returns the report in a format: lines for people, or one JSON object on one line.
    pub(super) fn to_text(self, format: Format) -> String {
        match format {
            Format::Text => self.text(),
            Format::Json => format!("{}\n", self.json()),
        }
    }

    fn times(&self) -> [(&'static str, f64); 5] {
        let steps = [
            ("load", self.load),
            ("prepare", self.statistics.prepare),
            ("draw", self.statistics.draw),
            ("encode", self.encode),
            ("total", self.total),
        ];
        // rounded to microseconds: nothing finer repeats
        steps.map(|(name, time)| (name, time.as_micros() as f64 / 1000.0))
    }

    fn json(&self) -> Value {
        let counts: Map<_, _> =
            self.statistics.counts().map(|(name, count)| (name.to_owned(), count.into())).into_iter().collect();
        let times: Map<_, _> = self.times().map(|(name, time)| (name.to_owned(), time.into())).into_iter().collect();
        json!({ "counts": counts, "times_ms": times, "peak_memory_bytes": peak_memory_bytes() })
    }

    fn text(&self) -> String {
        let mut text = String::new();
        // writing into a string cannot fail
        for (name, count) in self.statistics.counts() {
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

/// Returns the peak physical memory of this process; `None` where the system does not report it (other than Linux).
fn peak_memory_bytes() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kibibytes| kibibytes * 1024)
}
