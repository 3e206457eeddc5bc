//! `mpirun roundel render`: several processes, called ranks, each draw a part of a scene; what they see is merged tile by tile.
//!
//! Each rank streams its part and cuts what shows into as many shares as there are ranks. Share number r of every rank goes to
//! rank r, which finds what shows in its tiles; the first rank collects that, draws it and writes the file. Any
//! number of ranks writes the same bytes, those of a single process.

use std::cell::Cell;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

use mpi::collective::SystemOperation;
use mpi::datatype::{Partition, PartitionMut};
use mpi::environment::Universe;
use mpi::topology::SimpleCommunicator;
use mpi::traits::*;
use roundel::io::StreamedScene;
use roundel::{Error, Renderer, Result, StreamStatistics, VisiblePart, VisibleShare};
use serde_json::{Map, Value};

use super::statistics::Format;
use super::verdict::Verdict;

/// Variables that the programs that start ranks set.
const STARTED: [&str; 4] = ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMI_RANK", "PMIX_RANK"];

/// The ranks that this process is one of.
pub(super) struct Ranks {
    world: SimpleCommunicator,
    has_failed: Cell<bool>,
    /// Ends the communication when it is dropped, after all else.
    _universe: Universe,
}

/// Counts and times of one rank.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RankStatistics {
    pub(super) stream: StreamStatistics,
    /// Bytes sent to other ranks.
    pub(super) sent: u64,
    /// Time for reading and drawing the rank's part.
    pub(super) draw: Duration,
    /// Time for sending and receiving, and waiting for the other ranks.
    pub(super) exchange: Duration,
    /// Time for turning what shows into bytes, and for merging that of all ranks.
    pub(super) merge: Duration,
}

impl Ranks {
    /// Returns the ranks if this process was started as one of several.
    pub(super) fn join() -> Option<Self> {
        if !STARTED.iter().any(|name| std::env::var_os(name).is_some()) {
            return None;
        }
        let (universe, _) = mpi::initialize_with_threading(mpi::Threading::Funneled)?;
        let world = universe.world();
        (world.size() > 1).then_some(Self { world, has_failed: Cell::new(false), _universe: universe })
    }

    /// Whether this is the rank that writes.
    fn is_first(&self) -> bool {
        self.world.rank() == 0
    }

    /// Done, unless another rank has reported an error.
    pub(super) fn verdict(&self) -> Verdict {
        if self.has_failed.get() { Verdict::Failed } else { Verdict::Done }
    }

    /// Prepares the first rank, then the others, which find what the first has kept beside the files.
    pub(super) fn in_turn<T>(&self, prepare: impl Fn() -> Result<T>) -> Result<Option<T>> {
        let first = if self.is_first() { prepare().map(Some) } else { Ok(None) };
        let Some(prepared) = self.agree(first)? else { return Ok(None) };
        self.agree(prepared.map_or_else(prepare, Ok))
    }

    /// Waits for all ranks. Returns the value if all have one, the error if this is the first rank that has one, and
    /// nothing if another rank reports an error.
    pub(super) fn agree<T>(&self, result: Result<T>) -> Result<Option<T>> {
        let rank = self.world.rank();
        let own = if result.is_err() { rank } else { i32::MAX };
        let mut first = 0;
        self.world.all_reduce_into(&own, &mut first, SystemOperation::min());
        self.has_failed.set(first != i32::MAX);
        match result {
            Ok(value) if first == i32::MAX => Ok(Some(value)),
            Err(error) if first == rank => Err(error),
            _ => Ok(None),
        }
    }

    /// Draws this rank's part of a scene and merges it with the others'. The first rank learns what shows and what all
    /// ranks did; `None` if another rank has reported an error, or this is another rank.
    pub(super) fn visible(
        &self,
        scene: &StreamedScene,
        renderer: &Renderer,
    ) -> Result<Option<(VisiblePart, Vec<RankStatistics>)>> {
        let [rank, count] = [self.world.rank(), self.world.size()].map(unsigned);
        let start = Instant::now();
        let drawn =
            scene.stream_part(renderer, rank, count).map(|stream| (stream.statistics(), stream.into_shares(count)));
        let draw = start.elapsed();
        let Some((stream, shares)) = self.agree(drawn)? else { return Ok(None) };
        let mut statistics = RankStatistics { stream, draw, ..RankStatistics::default() };
        let mut exchange = start.elapsed().saturating_sub(draw);
        let start = Instant::now();
        let parts: Vec<Vec<u8>> = shares.iter().map(VisibleShare::to_bytes).collect();
        drop(shares);
        statistics.sent =
            parts.iter().enumerate().filter(|(to, _)| *to != rank).map(|(_, part)| part.len() as u64).sum();
        statistics.merge += start.elapsed();
        let start = Instant::now();
        let Some(received) = self.exchange(&parts)? else { return Ok(None) };
        exchange += start.elapsed();
        drop(parts);
        let start = Instant::now();
        let merged = || -> Result<VisibleShare> {
            let mut stream = renderer.stream_share(&scene.scene, rank, count)?;
            for part in &received {
                stream.add_share(&VisibleShare::from_bytes(part)?)?;
            }
            Ok(stream.into_share())
        };
        let merged = merged();
        statistics.merge += start.elapsed();
        let start = Instant::now();
        let Some(merged) = self.agree(merged)? else { return Ok(None) };
        // the first rank gets everything, the others nothing
        let mut parts = vec![Vec::new(); count];
        parts[0] = merged.to_bytes();
        if rank != 0 {
            statistics.sent += parts[0].len() as u64;
        }
        let Some(gathered) = self.exchange(&parts)? else { return Ok(None) };
        statistics.exchange = exchange + start.elapsed();
        let mut parts = vec![Vec::new(); count];
        parts[0] = statistics.to_bytes();
        let Some(of_ranks) = self.exchange(&parts)? else { return Ok(None) };
        if !self.is_first() {
            return Ok(None);
        }
        let shares: Vec<VisibleShare> =
            gathered.iter().map(|part| VisibleShare::from_bytes(part)).collect::<Result<_>>()?;
        let visible = renderer.stream(&scene.scene)?.finish_with(&shares)?;
        Ok(Some((visible, of_ranks.iter().map(|bytes| RankStatistics::from_bytes(bytes)).collect())))
    }

    /// Sends one message to each rank and returns those received, in the order of ranks; `None` if another rank has reported an
    /// error.
    fn exchange(&self, parts: &[Vec<u8>]) -> Result<Option<Vec<Vec<u8>>>> {
        let counts = |lengths: &[u64]| -> Option<(Vec<i32>, Vec<i32>)> {
            let mut start = 0_i32;
            let mut starts = Vec::new();
            let mut counts = Vec::new();
            for &length in lengths {
                let length = i32::try_from(length).ok()?;
                starts.push(start);
                counts.push(length);
                start = start.checked_add(length)?;
            }
            Some((counts, starts))
        };
        let sent: Vec<u64> = parts.iter().map(|part| part.len() as u64).collect();
        let mut lengths = vec![0_u64; parts.len()];
        self.world.all_to_all_into(&sent, &mut lengths);
        let fits = counts(&sent).zip(counts(&lengths)).ok_or_else(|| {
            let message =
                "exchange more than 2 GiB at once; fewer pixels or samples, or more ranks, take less".to_owned();
            Error::Setting { name: "ranks", message }
        });
        // all ranks or none go on
        let Some(((sent, sent_starts), (received, received_starts))) = self.agree(fits)? else { return Ok(None) };
        // a byte more each: MPI refuses two buffers in one place, where empty ones are
        let bytes = [&parts.concat()[..], &[0]].concat();
        let mut all = vec![0_u8; received.iter().copied().map(unsigned).sum::<usize>() + 1];
        self.world.all_to_all_varcount_into(
            &Partition::new(&bytes[..], sent, sent_starts),
            &mut PartitionMut::new(&mut all[..], &received[..], &received_starts[..]),
        );
        let ranges = received_starts.into_iter().zip(received).map(|(start, length)| {
            let start = unsigned(start);
            all[start..start + unsigned(length)].to_vec()
        });
        Ok(Some(ranges.collect()))
    }
}

/// A number of MPI's, which are never negative where they count.
fn unsigned(number: i32) -> usize {
    usize::try_from(number).expect("a count")
}

impl RankStatistics {
    /// The counts and times as bytes, to be sent.
    fn to_bytes(self) -> Vec<u8> {
        let Self { stream, sent, draw, exchange, merge } = self;
        let counts = [stream.shapes, stream.reaching, sent];
        let times = [stream.read, stream.cull, stream.find, draw, exchange, merge];
        let micros = |time: Duration| u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        counts.into_iter().chain(times.map(micros)).flat_map(u64::to_le_bytes).collect()
    }

    fn from_bytes(bytes: &[u8]) -> Self {
        let mut words = bytes.as_chunks::<8>().0.iter().map(|word| u64::from_le_bytes(*word));
        let mut next = || words.next().unwrap_or_default();
        let mut stream = StreamStatistics::default();
        (stream.shapes, stream.reaching) = (next(), next());
        let sent = next();
        let mut time = || Duration::from_micros(next());
        (stream.read, stream.cull, stream.find) = (time(), time(), time());
        Self { stream, sent, draw: time(), exchange: time(), merge: time() }
    }

    /// One line: what the rank did, as text or as a JSON object.
    pub(super) fn to_text(self, rank: usize, format: Format) -> String {
        let entries = self.entries();
        match format {
            Format::Text => {
                let mut text = format!("rank {rank}:");
                for (name, value) in entries {
                    let _ = write!(text, " {name} {value}");
                }
                text + "\n"
            }
            Format::Json => {
                let entries = entries.map(|(name, value)| (name.to_owned(), Value::from(value)));
                let entries: Map<_, _> = std::iter::once(("rank".to_owned(), rank.into())).chain(entries).collect();
                format!("{}\n", Value::from(entries))
            }
        }
    }

    /// Counts and times with their names.
    fn entries(&self) -> [(&'static str, f64); 9] {
        let millis = |time: Duration| time.as_micros() as f64 / 1000.0;
        [
            ("shapes", self.stream.shapes as f64),
            ("reaching", self.stream.reaching as f64),
            ("bytes_sent", self.sent as f64),
            ("read_ms", millis(self.stream.read)),
            ("cull_ms", millis(self.stream.cull)),
            ("find_ms", millis(self.stream.find)),
            ("draw_ms", millis(self.draw)),
            ("exchange_ms", millis(self.exchange)),
            ("merge_ms", millis(self.merge)),
        ]
    }
}
