//! `--stats`: counts, times and peak memory of a render.

use std::fmt::Write as _;
use std::fs;
use std::time::Duration;

use clap::ValueEnum;
use roundel::{Statistics, StreamStatistics};
use serde_json::{Map, Value, json};

/// The format of statistics.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum StatisticsFormat {
    Text,
    Json,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Report {
    pub(super) statistics: Statistics,
    /// Present if the scene was streamed.
    pub(super) streamed: Option<StreamStatistics>,
    /// Time from file to scene.
    pub(super) load: Duration,
    /// Time from frame to PNG.
    pub(super) encode: Duration,
    /// Time of the whole command.
    pub(super) total: Duration,
}

impl Report {
    /// Returns the report in a format: lines for people, or one JSON object on one line.
    pub(super) fn to_text(self, format: StatisticsFormat) -> String {
        match format {
            StatisticsFormat::Text => self.text(),
            StatisticsFormat::Json => format!("{}\n", self.json()),
        }
    }

    fn counts(&self) -> Vec<(&'static str, u64)> {
        let streamed = self
            .streamed
            .map(|of| [("tested", of.tested), ("blocks", of.blocks), ("shown", of.visible), ("casters", of.casters)]);
        self.statistics.counts().into_iter().chain(streamed.into_iter().flatten()).collect()
    }

    fn times(&self) -> Vec<(&'static str, f64)> {
        let streamed = self.streamed.map(|of| [("read", of.read), ("cull", of.cull), ("find", of.find)]);
        let steps = [("prepare", self.statistics.prepare), ("draw", self.statistics.draw), ("encode", self.encode)];
        let steps = std::iter::once(("load", self.load)).chain(streamed.into_iter().flatten()).chain(steps);
        // rounded to microseconds: nothing finer repeats
        let steps = steps.chain([("total", self.total)]);
        steps.map(|(name, time)| (name, time.as_micros() as f64 / 1000.0)).collect()
    }

    fn json(&self) -> Value {
        let counts: Map<_, _> =
            self.counts().into_iter().map(|(name, count)| (name.to_owned(), count.into())).collect();
        let times: Map<_, _> = self.times().into_iter().map(|(name, time)| (name.to_owned(), time.into())).collect();
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

/// Returns the peak physical memory of this process; `None` where the system does not report it (other than Linux).
fn peak_memory_bytes() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kibibytes| kibibytes * 1024)
}
