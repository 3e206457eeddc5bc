//! Positions averaged over the frames around one.

use std::path::{Path, PathBuf};

use glam::DVec3;

use crate::data::{Cell, Kind, Table};
use crate::error::{Error, Result};
use crate::io::formats::reading::Reading;
use crate::io::formats::request::{ColumnChoice, Contents, FileHints, FrameRequest};
use crate::io::formats::wanted::{Axes, ValueRule, Wanted};
use crate::io::formats::{self, Format};
use crate::io::memory_quota::Quota;
use crate::io::source::memory_files::FileSystem;

/// Most frames that are averaged: each picture reads them all.
pub(crate) const MOST_SMOOTHED: u32 = 1000;

/// A trajectory with frames to average.
pub(super) struct Smoothing {
    /// Frames to average: the drawn one, and equally many before and after it, fewer near the ends.
    pub(super) frames: u32,
    pub(super) files: FileSystem,
    pub(super) path: Option<PathBuf>,
    pub(super) format: Format,
    pub(super) hints: FileHints,
    pub(super) quota: Quota,
}

/// The positions of a frame, with the numbers of its particles if the file has them.
struct FramePlaces {
    ids: Vec<i64>,
    places: Vec<[f64; 3]>,
}

impl Smoothing {
    /// Replaces the positions of a frame by their means over the frames around it: fewer at the ends of the file. A
    /// particle goes the shorter way through a periodic box; where there are `id`s, they tell which particle is which.
    /// Returns the number of frames.
    pub(super) fn apply(&self, file: &str, frame: u64, cell: Option<&Cell>, table: &mut Table<'_>) -> Result<u32> {
        if !(1..=MOST_SMOOTHED).contains(&self.frames) {
            return Err(Error::setting("smooth", format!("must be 1 to {MOST_SMOOTHED} frames, got {}", self.frames)));
        }
        let Some(path) = self.path.as_ref().filter(|path| self.files.reads_again(path)) else {
            return Err(Error::setting("smooth", format!("needs a file; {file} can be read once")));
        };
        let center = self.read(path, frame)?.ok_or_else(|| self.mismatch(file, frame))?;
        if center.places.len() != table.rows() {
            return Err(self.mismatch(file, frame));
        }
        // of an even number, one frame more after than before
        let (before, after) = (u64::from((self.frames - 1) / 2), u64::from(self.frames / 2));
        let inverse = cell.map(|cell| cell.edges.inverse());
        let mut sums = vec![DVec3::ZERO; center.places.len()];
        let mut count = 1;
        for other in frame.saturating_sub(before)..=frame.saturating_add(after) {
            if other == frame {
                continue;
            }
            let Some(places) = self.read(path, other)? else { break };
            let places = places.in_order_of(&center).ok_or_else(|| self.mismatch(file, other))?;
            for ((sum, from), to) in sums.iter_mut().zip(&center.places).zip(places) {
                let mut way = DVec3::from(to) - DVec3::from(*from);
                if let (Some(cell), Some(inverse)) = (cell, &inverse) {
                    let around = (*inverse * way).to_array();
                    let turns = [0, 1, 2].map(|axis| if cell.periodic[axis] { libm::round(around[axis]) } else { 0.0 });
                    way -= cell.edges * DVec3::from(turns);
                }
                *sum += way;
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

    fn mismatch(&self, file: &str, frame: u64) -> Error {
        let message =
            format!("is for trajectories whose frames have the same atoms; frame {frame} of {file} has others");
        Error::setting("smooth", message)
    }

    /// The positions of a frame; `None` if there is no such frame.
    fn read(&self, path: &Path, frame: u64) -> Result<Option<FramePlaces>> {
        let input = self.files.file(path, self.quota)?;
        let extent = FrameRequest { frame, ..FrameRequest::default() };
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
        match formats::read(self.format, input, &mut reading) {
            Ok(()) => {}
            Err(Error::Setting { name: "frame", .. }) => return Ok(None),
            Err(error) => return Err(error),
        }
        let Contents { table, .. } = reading.finish();
        #[expect(clippy::cast_possible_truncation, reason = "integers are read as such")]
        let ids = if has_ids { table.numbers(0).map(|id| id as i64).collect() } else { Vec::new() };
        Ok(Some(FramePlaces { ids, places: table.space().collect() }))
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
