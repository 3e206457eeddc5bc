//! `mpirun roundel render`: several processes, called ranks, each draw a part of a scene; their visible spheres are
//! merged tile by tile.
//!
//! Each rank streams its part and splits its visible spheres into one share per rank. Share r of every rank goes to
//! rank r, which resolves visibility in its tiles; the first rank collects the result, draws it and writes the file.
//! Any number of ranks writes the bytes of a single process.

mod film;
mod render;

use std::cell::Cell;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

use mpi::collective::SystemOperation;
use mpi::datatype::{Partition, PartitionMut};
use mpi::environment::Universe;
use mpi::topology::SimpleCommunicator;
use mpi::traits::*;
use roundel::io::StreamedScene;
use roundel::{Error, Renderer, Result, SceneShard, StreamStatistics, VisibleScene};
use serde_json::{Map, Value};

use super::CommandOutcome;
use super::film::FilmArguments;
use super::render::RenderArguments;
use super::statistics::StatisticsFormat;
use super::stream::WITHOUT_HIDDEN;

/// Environment variables that MPI launchers set.
const STARTED: [&str; 4] = ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMI_RANK", "PMIX_RANK"];

/// This process as one of several ranks.
pub(super) struct Ranks {
    world: SimpleCommunicator,
    has_failed: Cell<bool>,
    /// Ends the communication when dropped, after all other fields.
    _universe: Universe,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RankStatistics {
    pub(super) stream: StreamStatistics,
    /// Bytes sent to other ranks.
    pub(super) sent: u64,
    /// Time for reading and drawing the rank's part.
    pub(super) draw: Duration,
    /// Time for sending and receiving, and waiting for the other ranks.
    pub(super) exchange: Duration,
    /// Time for encoding visible spheres, and for merging all ranks' spheres.
    pub(super) merge: Duration,
}

/// Draws as one of several processes; `None` in a process of its own.
pub(super) fn render(arguments: &RenderArguments) -> Result<Option<CommandOutcome>> {
    Ranks::join().map(|ranks| render::run(&ranks, arguments)).transpose()
}

/// Draws a film as one of several processes; `None` in a process of its own.
pub(super) fn film(arguments: &FilmArguments) -> Result<Option<CommandOutcome>> {
    Ranks::join().map(|ranks| film::run(&ranks, arguments)).transpose()
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

    /// The number of this rank, and the number of ranks.
    pub(super) fn place(&self) -> [u64; 2] {
        [self.world.rank(), self.world.size()].map(|number| unsigned(number) as u64)
    }

    /// Gathers a message from each rank on the first, in the order of ranks; other ranks get empty ones.
    pub(super) fn gather(&self, message: Vec<u8>) -> Vec<Vec<u8>> {
        let mut parts = vec![Vec::new(); unsigned(self.world.size())];
        parts[0] = message;
        self.exchange(&parts)
    }

    pub(super) fn is_first(&self) -> bool {
        self.world.rank() == 0
    }

    /// Done, unless another rank has reported an error.
    pub(super) fn verdict(&self) -> CommandOutcome {
        if self.has_failed.get() { CommandOutcome::Failed } else { CommandOutcome::Done }
    }

    /// Prepares the first rank, then the others, which use the indexes that the first has written.
    pub(super) fn in_turn<T>(&self, prepare: impl Fn() -> Result<T>) -> Result<Option<T>> {
        let first = if self.is_first() { prepare().map(Some) } else { Ok(None) };
        let Some(prepared) = self.agree(first)? else { return Ok(None) };
        self.agree(prepared.map_or_else(prepare, Ok))
    }

    /// Waits for all ranks. Returns whether `own` is true on any of them.
    fn any(&self, own: bool) -> bool {
        let mut any = 0;
        self.world.all_reduce_into(&i32::from(own), &mut any, SystemOperation::max());
        any == 1
    }

    /// Waits for all ranks. Returns the value if all ranks have one, the error if this is the first rank with an error,
    /// and `None` if another rank reports its error.
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

    /// Draws this rank's part of a scene and merges it with the others'. Returns the visible scene and the statistics
    /// of all ranks on the first rank, `None` on others or if another rank has reported an error.
    pub(super) fn visible(
        &self,
        scene: &StreamedScene,
        renderer: &Renderer,
        mut note: impl FnMut(&str),
    ) -> Result<Option<(VisibleScene, Vec<RankStatistics>)>> {
        let start = Instant::now();
        let (simpler, drawn) = self.draw_part(scene, renderer, &mut note);
        let scene = simpler.as_ref().unwrap_or(scene);
        let draw = start.elapsed();
        let Some((stream, shares)) = self.agree(drawn)? else { return Ok(None) };
        let exchange = start.elapsed().saturating_sub(draw);
        let mut statistics = RankStatistics { stream, draw, exchange, ..RankStatistics::default() };
        let Some(merged) = self.merge(scene, renderer, shares, &mut statistics)? else { return Ok(None) };
        let Some(mut joined) = self.collect(scene, renderer, &merged, &mut statistics)? else { return Ok(None) };
        let counts = self.gather(scene.counts());
        if let Some(visible) = joined.as_ref().filter(|_| self.is_first()) {
            counts.iter().skip(1).for_each(|counts| scene.add_counts(counts));
            scene.notes(visible).iter().for_each(|text| note(text));
        }
        if let Some(visible) = joined.take_if(|_| scene.scene.casts_hard_shadows()) {
            let Some(lit) = self.add_casters(scene, renderer, visible, &mut statistics)? else { return Ok(None) };
            joined = lit;
        }
        let of_ranks = self.gather(statistics.to_bytes());
        Ok(joined.map(|visible| (visible, of_ranks.iter().map(|bytes| RankStatistics::from_bytes(bytes)).collect())))
    }

    /// Draws this rank's part, split into a share for each rank. If a rank cannot stream the scene, all ranks draw a
    /// simpler one, which is also returned.
    fn draw_part(
        &self,
        scene: &StreamedScene,
        renderer: &Renderer,
        note: &mut impl FnMut(&str),
    ) -> (Option<StreamedScene>, Result<(StreamStatistics, Vec<SceneShard>)>) {
        let [rank, count] = [self.world.rank(), self.world.size()].map(unsigned);
        let draw = |scene: &StreamedScene| {
            let stream = scene.stream_part(renderer, rank, count)?;
            Ok((stream.statistics(), stream.into_shares(count)))
        };
        let mut drawn = draw(scene);
        let needs_hidden = self.any(matches!(drawn, Err(Error::Setting { name: "stream", .. })));
        let simpler = scene.without_hidden().filter(|_| needs_hidden);
        if let Some(simpler) = &simpler {
            if self.is_first() {
                note(WITHOUT_HIDDEN);
            }
            drawn = draw(simpler);
        }
        (simpler, drawn)
    }

    /// Sends each rank its share, and merges the shares that it receives.
    fn merge(
        &self,
        scene: &StreamedScene,
        renderer: &Renderer,
        shares: Vec<SceneShard>,
        statistics: &mut RankStatistics,
    ) -> Result<Option<SceneShard>> {
        let [rank, count] = [self.world.rank(), self.world.size()].map(unsigned);
        let start = Instant::now();
        let parts: Vec<Vec<u8>> = shares.iter().map(SceneShard::to_bytes).collect();
        drop(shares);
        statistics.merge += start.elapsed();
        let received = self.exchange_counted(parts, statistics);
        let start = Instant::now();
        let merge = || -> Result<SceneShard> {
            let mut stream = renderer.stream_share(&scene.scene, rank, count)?;
            for part in &received {
                stream.add_share(&SceneShard::from_bytes(part)?)?;
            }
            Ok(stream.into_share())
        };
        let merged = merge();
        statistics.merge += start.elapsed();
        let start = Instant::now();
        let merged = self.agree(merged);
        statistics.exchange += start.elapsed();
        merged
    }

    /// Joins the merged shares of all ranks on the first; on every rank if all of them look for shadow casters.
    fn collect(
        &self,
        scene: &StreamedScene,
        renderer: &Renderer,
        merged: &SceneShard,
        statistics: &mut RankStatistics,
    ) -> Result<Option<Option<VisibleScene>>> {
        let takes_all = |rank: usize| rank == 0 || scene.scene.casts_hard_shadows();
        let bytes = merged.to_bytes();
        let ranks = 0..unsigned(self.world.size());
        let parts = ranks.map(|to| if takes_all(to) { bytes.clone() } else { Vec::new() }).collect();
        let gathered = self.exchange_counted(parts, statistics);
        let join = || -> Result<VisibleScene> {
            let shares: Vec<SceneShard> =
                gathered.iter().map(|part| SceneShard::from_bytes(part)).collect::<Result<_>>()?;
            renderer.stream(&scene.scene)?.finish_with(&shares)
        };
        self.agree(if takes_all(unsigned(self.world.rank())) { join().map(Some) } else { Ok(None) })
    }

    /// Collects the shadow casters in the parts of all ranks on the first.
    fn add_casters(
        &self,
        scene: &StreamedScene,
        renderer: &Renderer,
        visible: VisibleScene,
        statistics: &mut RankStatistics,
    ) -> Result<Option<Option<VisibleScene>>> {
        let [rank, count] = [self.world.rank(), self.world.size()].map(unsigned);
        let start = Instant::now();
        let found = scene.casters_of_part(renderer, &visible, rank, count);
        statistics.draw += start.elapsed();
        let Some(found) = self.agree(found)? else { return Ok(None) };
        let mut parts = vec![Vec::new(); count];
        if let Some((casters, pass)) = found {
            statistics.stream = statistics.stream.with_pass(pass);
            parts[0] = casters.to_bytes();
        }
        let casters = self.exchange_counted(parts, statistics);
        let shares = casters.iter().filter(|part| !part.is_empty()).map(|part| SceneShard::from_bytes(part));
        let Some(shares) = self.agree(shares.collect::<Result<Vec<_>>>())? else { return Ok(None) };
        Ok(Some(self.is_first().then(|| visible.with_casters(&shares))))
    }

    /// Sends one message to each rank and returns the messages that it receives; counts bytes and time.
    fn exchange_counted(&self, parts: Vec<Vec<u8>>, statistics: &mut RankStatistics) -> Vec<Vec<u8>> {
        statistics.sent += sent_to_others(&parts, unsigned(self.world.rank()));
        let start = Instant::now();
        let received = self.exchange(&parts);
        statistics.exchange += start.elapsed();
        received
    }

    /// Sends one message to each rank and returns the received messages, in the order of ranks.
    fn exchange(&self, parts: &[Vec<u8>]) -> Vec<Vec<u8>> {
        let sent: Vec<u64> = parts.iter().map(|part| part.len() as u64).collect();
        let mut lengths = vec![0_u64; parts.len()];
        self.world.all_to_all_into(&sent, &mut lengths);
        let longest = sent.into_iter().max().unwrap_or(0);
        let mut rounds = 0;
        self.world.all_reduce_into(&longest.div_ceil(PIECE), &mut rounds, SystemOperation::max());
        let mut received: Vec<Vec<u8>> = vec![Vec::new(); parts.len()];
        for start in (0..rounds).map(|round| round * PIECE) {
            let range = |length: u64| usize_of(length.min(start))..usize_of(length.min(start + PIECE));
            let own: Vec<&[u8]> = parts.iter().map(|part| &part[range(part.len() as u64)]).collect();
            let sent = layout(own.iter().map(|piece| piece.len()));
            let expected = layout(lengths.iter().map(|&length| range(length).len()));
            // an extra byte each: MPI refuses two buffers at one address, which empty ones have
            let bytes = [&own.concat()[..], &[0]].concat();
            let mut all = vec![0_u8; expected.0.iter().copied().map(unsigned).sum::<usize>() + 1];
            self.world.all_to_all_varcount_into(
                &Partition::new(&bytes[..], &sent.0[..], &sent.1[..]),
                &mut PartitionMut::new(&mut all[..], &expected.0[..], &expected.1[..]),
            );
            for (message, (&length, &place)) in received.iter_mut().zip(expected.0.iter().zip(&expected.1)) {
                message.extend_from_slice(&all[unsigned(place)..][..unsigned(length)]);
            }
        }
        received
    }
}

/// Bytes per exchange: MPI counts the bytes of all ranks together in 32 bits.
const PIECE: u64 = 1 << 20;

/// Lengths and offsets of consecutive pieces.
fn layout(lengths: impl Iterator<Item = usize>) -> (Vec<i32>, Vec<i32>) {
    let mut place = 0;
    let entry = |length: usize| {
        let length = i32::try_from(length).expect("a piece is short");
        place += length;
        (length, place - length)
    };
    lengths.map(entry).unzip()
}

/// Bytes for ranks other than this one.
fn sent_to_others(parts: &[Vec<u8>], rank: usize) -> u64 {
    parts.iter().enumerate().filter(|(to, _)| *to != rank).map(|(_, part)| part.len() as u64).sum()
}

/// A length in memory.
fn usize_of(length: u64) -> usize {
    usize::try_from(length).expect("messages are in memory")
}

/// A count from MPI, which is never negative.
fn unsigned(number: i32) -> usize {
    usize::try_from(number).expect("a count")
}

impl RankStatistics {
    /// Encodes the counts and times.
    fn to_bytes(self) -> Vec<u8> {
        let Self { stream, sent, draw, exchange, merge } = self;
        let counts = [stream.shapes, stream.reaching, stream.casters, sent];
        let times = [stream.read, stream.cull, stream.find, draw, exchange, merge];
        let micros = |time: Duration| u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        counts.into_iter().chain(times.map(micros)).flat_map(u64::to_le_bytes).collect()
    }

    fn from_bytes(bytes: &[u8]) -> Self {
        let mut words = bytes.as_chunks::<8>().0.iter().map(|word| u64::from_le_bytes(*word));
        let mut next = || words.next().unwrap_or_default();
        let mut stream = StreamStatistics::default();
        (stream.shapes, stream.reaching, stream.casters) = (next(), next(), next());
        let sent = next();
        let mut time = || Duration::from_micros(next());
        (stream.read, stream.cull, stream.find) = (time(), time(), time());
        Self { stream, sent, draw: time(), exchange: time(), merge: time() }
    }

    /// One line about the rank's work, as text or as a JSON object.
    pub(super) fn to_text(self, rank: usize, format: StatisticsFormat) -> String {
        let entries = self.entries();
        match format {
            StatisticsFormat::Text => {
                let mut text = format!("rank {rank}:");
                for (name, value) in entries {
                    let _ = write!(text, " {name} {value}");
                }
                text + "\n"
            }
            StatisticsFormat::Json => {
                let entries = entries.map(|(name, value)| (name.to_owned(), Value::from(value)));
                let entries: Map<_, _> = std::iter::once(("rank".to_owned(), rank.into())).chain(entries).collect();
                format!("{}\n", Value::from(entries))
            }
        }
    }

    /// Counts and times with their names.
    fn entries(&self) -> [(&'static str, f64); 10] {
        let millis = |time: Duration| time.as_micros() as f64 / 1000.0;
        [
            ("shapes", self.stream.shapes as f64),
            ("reaching", self.stream.reaching as f64),
            ("casters", self.stream.casters as f64),
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
