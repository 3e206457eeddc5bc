//! Positions averaged over the frames around one, and how far they are from those of another frame.

use std::path::{Path, PathBuf};

use glam::DVec3;

use crate::data::{Cell, Kind, Table};
use crate::error::{Error, Result};
use crate::formats::reading::Reading;
use crate::formats::request::{ColumnChoice, Contents, FileHints, FrameRequest};
use crate::formats::wanted::{Axes, ValueRule, Wanted};
use crate::formats::{self, Format};
use crate::memory_quota::Quota;
use crate::source::memory_files::FileSystem;

/// Most frames that are averaged: each picture reads them all.
pub(crate) const MOST_SMOOTHED: u32 = 1000;

/// A trajectory whose other frames are read, to average positions or to compare them.
pub(crate) struct OtherFrames {
    pub(crate) files: FileSystem,
    pub(crate) path: Option<PathBuf>,
    pub(crate) format: Format,
    pub(crate) hints: FileHints,
    pub(crate) quota: Quota,
}

/// The positions of a frame, with the numbers of its particles if the file has them.
struct FramePlaces {
    ids: Vec<i64>,
    places: Vec<[f64; 3]>,
}

impl OtherFrames {
    /// Replaces the positions of a frame by their means over the frames around it: fewer at the ends of the file. A
    /// particle goes the shorter way through a periodic box; where there are `id`s, they tell which particle is which.
    /// `frames` are to be averaged: the drawn one, and equally many before and after it. Returns the number of frames.
    pub(crate) fn smooth(
        &self,
        file: &str,
        frames: u32,
        frame: u64,
        cell: Option<&Cell>,
        table: &mut Table<'_>,
    ) -> Result<u32> {
        if !(1..=MOST_SMOOTHED).contains(&frames) {
            return Err(Error::setting("smooth", format!("must be 1 to {MOST_SMOOTHED} frames, got {frames}")));
        }
        let path = self.path("smooth", file)?;
        let center = self.read(path, frame)?.ok_or_else(|| mismatch("smooth", file, frame))?;
        if center.places.len() != table.rows() {
            return Err(mismatch("smooth", file, frame));
        }
        // of an even number, one frame more after than before
        let (before, after) = (u64::from((frames - 1) / 2), u64::from(frames / 2));
        let mut sums = vec![DVec3::ZERO; center.places.len()];
        let mut count = 1;
        for other in frame.saturating_sub(before)..=frame.saturating_add(after) {
            if other == frame {
                continue;
            }
            let Some(places) = self.read(path, other)? else { break };
            let places = places.in_order_of(&center).ok_or_else(|| mismatch("smooth", file, other))?;
            for ((sum, from), to) in sums.iter_mut().zip(&center.places).zip(places) {
                *sum += shortest(cell, DVec3::from(to) - DVec3::from(*from));
            }
            count += 1;
        }
        let mut sums = sums.iter();
        for block in &mut table.blocks {
            block.move_in_space(|place| {
                let way = sums.next().map_or(DVec3::ZERO, |sum| *sum / f64::from(count));
                (DVec3::from(place) + way).to_array()
            });
        }
        Ok(count)
    }

    /// How far each row has gone since another frame, by the shorter way through a periodic box.
    pub(crate) fn displacements(
        &self,
        file: &str,
        since: FrameRequest,
        frame: u64,
        cell: Option<&Cell>,
    ) -> Result<Vec<f64>> {
        let path = self.path("compute", file)?;
        let here = self.read(path, frame)?.ok_or_else(|| mismatch("compute", file, frame))?;
        let number = since.frame;
        let before = self.read_request(path, since).map_err(|error| match error {
            Error::Setting { name: "frame", message } => {
                Error::setting("compute", format!("displacement since {message}"))
            }
            other => other,
        })?;
        let before = before.in_order_of(&here).ok_or_else(|| mismatch("compute", file, number))?;
        let way = |(to, from): (&[f64; 3], [f64; 3])| shortest(cell, DVec3::from(*to) - DVec3::from(from)).length();
        Ok(here.places.iter().zip(before).map(way).collect())
    }

    /// The file, which must allow to be read again for an option.
    fn path(&self, option: &'static str, file: &str) -> Result<&Path> {
        let path = self.path.as_deref().filter(|path| self.files.reads_again(path));
        path.ok_or_else(|| Error::setting(option, format!("needs a file; {file} can be read once")))
    }

    /// The positions of a frame; `None` if there is no such frame.
    fn read(&self, path: &Path, frame: u64) -> Result<Option<FramePlaces>> {
        match self.read_request(path, FrameRequest { frame, ..FrameRequest::default() }) {
            Err(Error::Setting { name: "frame", .. }) => Ok(None),
            read => read.map(Some),
        }
    }

    fn read_request(&self, path: &Path, extent: FrameRequest) -> Result<FramePlaces> {
        let input = self.files.file(path, self.quota)?;
        let mut has_ids = false;
        let mut reading = Reading::table(&input.name.clone(), extent, self.quota, |header| {
            let mut wanted = Wanted::only(Axes::Own);
            if let Some(id) = header.find("id") {
                wanted.column(id, Kind::Integer, ValueRule::Any);
                has_ids = true;
            }
            Ok(ColumnChoice { wanted, painter: None, names: None })
        });
        reading.hints = self.hints.clone();
        formats::read(self.format, input, &mut reading)?;
        let Contents { table, .. } = reading.finish();
        #[expect(clippy::cast_possible_truncation, reason = "integers are read as such")]
        let ids = if has_ids { table.numbers(0).map(|id| id as i64).collect() } else { Vec::new() };
        Ok(FramePlaces { ids, places: table.space().collect() })
    }
}

impl FramePlaces {
    /// The positions in the order of another frame's particles; `None` if these are others.
    fn in_order_of(self, other: &Self) -> Option<Vec<[f64; 3]>> {
        if self.places.len() != other.places.len() {
            return None;
        }
        if self.ids == other.ids {
            return Some(self.places);
        }
        let mut known: Vec<(i64, [f64; 3])> = self.ids.into_iter().zip(self.places).collect();
        known.sort_unstable_by_key(|(id, _)| *id);
        let find = |id: &i64| known.binary_search_by_key(id, |(known, _)| *known).ok().map(|at| known[at].1);
        other.ids.iter().map(find).collect()
    }
}

fn mismatch(option: &'static str, file: &str, frame: u64) -> Error {
    let message = format!("is for trajectories whose frames have the same atoms; frame {frame} of {file} has others");
    Error::setting(option, message)
}

/// A way, or one of its periodic images that is shorter.
fn shortest(cell: Option<&Cell>, way: DVec3) -> DVec3 {
    let Some(cell) = cell else { return way };
    let around = (cell.edges.inverse() * way).to_array();
    let turns = [0, 1, 2].map(|axis| if cell.periodic[axis] { libm::round(around[axis]) } else { 0.0 });
    way - cell.edges * DVec3::from(turns)
}
