//! Files of spheres, read a block of rows at a time: their rows are never in memory together.

use std::cell::RefCell;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, OnceLock};
use std::thread;

use crate::budget::Budget;
use crate::color::elements::Atomic;
use crate::data::{Kind, Names, Table};
use crate::dataset::data_file::Depth;
use crate::dataset::option_requests;
use crate::error::{Error, Result};
use crate::formats::facts::Facts;
use crate::formats::painted::{PaintedRows, Painter};
use crate::formats::placing::UnreadRows;
use crate::formats::reading::Reading;
use crate::formats::request::{ColumnChoice, RowBatch, RowShare};
use crate::formats::{self, Format, format_wanted};
use crate::geom::Origin;
use crate::memory_quota::Quota;
use crate::options::load_options::LoadOptions;
use crate::options::routes::Route;
use crate::rows::colors::{Colors, channel_ranges, element};
use crate::rows::column_plan::{ChannelRanges, Coloring, Plan, Sizing};
use crate::rows::counted_rows::{CountedRows, FileCounts};
use crate::rows::row_shapes;
use crate::rows::row_shapes::{Radii, Spread};
use crate::rows::row_tally::RowTally;
use crate::scene::SphereSink;
use crate::source::input::Input;
use crate::streams::block_facts;
use crate::streams::block_facts::BlockFacts;
use crate::streams::file_part::FilePart;
use crate::streams::sidecar;
use crate::streams::sidecar::Sidecar;
use crate::streams::streamable;

/// Approximate number of rows in a block: enough to keep all threads busy.
const ROWS: usize = 1 << 20;

/// Blocks that are read ahead.
const AHEAD: usize = 1;

/// Files whose rows are the spheres of one scene, one file after the other.
#[derive(Clone, Debug)]
pub struct BlockFiles {
    pub paths: Vec<PathBuf>,
    options: LoadOptions,
    /// Facts that depend on the rows of all files, once they are found.
    facts: Option<BlockFacts>,
    /// Whether the first pass has to find the radius that suits all rows; until then spheres have none.
    lacks_radius: bool,
    /// The file beside the data that keeps facts between runs.
    sidecar: Option<Sidecar>,
    part: FilePart,
    /// Whether a file has a periodic box; known after a pass over all rows.
    has_cell: Arc<AtomicBool>,
    /// The origin that all files share; set by the first rows that are read.
    origin: Arc<OnceLock<Origin>>,
    /// Azimuth, elevation and roll from the front to the view of a scene in memory, degrees.
    turn: Option<[f64; 3]>,
    /// Counts of the rows that are drawn; `None` in passes before and after the drawing.
    counted: Option<Arc<CountedRows>>,
}

/// The name under which facts are kept.
const FACTS: &str = "facts";

/// A block of rows, and the plan that makes spheres of it.
struct PlannedBlock {
    /// The index of its file.
    file: usize,
    rows: RowBatch,
    plan: Arc<Plan>,
}

/// Channels that carry a reader's blocks to the consumer and their memory back.
struct Exchange {
    send: SyncSender<PlannedBlock>,
    spare: Receiver<PaintedRows>,
    unread: Unread,
}

/// Which thread reads rows that can be read at any offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unread {
    /// The thread that takes the block.
    Taken,
    /// The file's own reader, as for all other rows.
    Read,
}

impl BlockFiles {
    /// Checks the request; at least one file.
    pub fn new(paths: &[PathBuf], options: &LoadOptions) -> Result<Self> {
        Route::Stream.check(options)?;
        if paths.iter().any(|path| path.as_os_str() == "-") {
            return Err(Error::setting("stream", "reads files more than once, and standard input can be read once"));
        }
        if let Some(path) = paths.iter().find(|path| path.exists() && !path.is_file()) {
            let message = format!("reads files more than once, and {} is no regular file", path.display());
            return Err(Error::setting("stream", message));
        }
        let sidecar = Sidecar::of(paths, &block_facts::reading(options));
        Ok(Self {
            paths: paths.to_vec(),
            options: options.clone(),
            facts: None,
            lacks_radius: false,
            sidecar,
            part: FilePart::ALL,
            has_cell: Arc::default(),
            origin: Arc::default(),
            turn: None,
            counted: None,
        })
    }

    /// Adds the rows that are fed to these counts.
    pub fn counting(self, counted: &Arc<CountedRows>) -> Self {
        Self { counted: Some(Arc::clone(counted)), ..self }
    }

    /// Returns the notes on rows that have been counted.
    pub fn notes(&self, counted: &CountedRows) -> Vec<String> {
        let name = |file: usize| self.paths.get(file).map(|path| path.display().to_string()).unwrap_or_default();
        counted.notes(name, |color| self.color(color))
    }

    /// The counts of the rows of a file, if they are counted.
    fn counts(&self, file: usize) -> Option<FileCounts> {
        let rows = Arc::clone(self.counted.as_ref()?);
        Some(FileCounts { rows, file: self.part.first + file })
    }

    pub fn plan(&self) -> Result<Arc<Plan>> {
        let mut found = None;
        let first = Self { paths: self.paths[..1].to_vec(), ..self.clone() };
        // an error ends the reading after the first block
        let stop = || Error::setting("stream", String::new());
        let read = first.for_each_block(Unread::Taken, |block| {
            if let RowBatch::Table(table) = &block.rows {
                self.origin_of(table);
            }
            found = Some(Arc::clone(&block.plan));
            Err(stop())
        });
        match found {
            Some(plan) => Ok(plan),
            None => read.and_then(|()| Err(Error::input(&self.name(), None, "no row has coordinates"))),
        }
    }

    /// The first file's name, for messages.
    pub fn name(&self) -> String {
        self.paths[0].display().to_string()
    }

    pub fn format(&self) -> Result<Format> {
        let input = Input::open(&self.paths[0], Quota::new(Budget::UNLIMITED))?;
        format_wanted(&input, self.options.format, self.options.raw.as_ref())
    }

    /// The rows that process number `process` of `count` draws: the rows of consecutive files, or, where there are
    /// fewer files than processes, a share of each. Files of text are not shared: the first process reads them.
    pub fn part(&self, process: usize, count: usize) -> Result<Self> {
        if count == 1 {
            return Ok(self.clone());
        }
        // categories are numbered through all files
        let has_names = self.plan()?.wanted.columns.iter().any(|want| want.kind == Kind::Name);
        let all = if has_names && self.facts.is_none() { self.clone().with_facts()? } else { self.clone() };
        let files = all.paths.len();
        if files < count {
            return Ok(Self { part: FilePart { first: 0, process, count, is_by_row: true }, ..all });
        }
        let end = |process: usize| files * process / count;
        let paths = all.paths[end(process)..end(process + 1)].to_vec();
        Ok(Self { paths, part: FilePart { first: end(process), process, count, is_by_row: false }, ..all })
    }

    /// Finds the facts about all rows, if the plan depends on them. A radius that suits all rows is found by the first
    /// pass.
    pub fn with_facts_for(mut self, plan: &Plan) -> Result<Self> {
        let of_size = matches!(plan.size, Sizing::Suited | Sizing::Vdw { or_suited: true, .. });
        let of_color = matches!(plan.color, Coloring::Elements { constant: Some(_), .. });
        let of_channels = matches!(plan.color, Coloring::Channels { .. });
        if !of_size && !of_color && !of_channels {
            return Ok(self);
        }
        self.facts = self.sidecar.as_ref().and_then(|sidecar| BlockFacts::read(sidecar.get(FACTS)?));
        self.facts = self.facts.filter(|facts| !of_channels || facts.channels.is_some());
        self.lacks_radius = self.facts.is_none() && plan.size == Sizing::Suited && self.painter(plan, None).is_some();
        if self.facts.is_some() || self.lacks_radius { Ok(self) } else { self.with_facts() }
    }

    /// Finds the radius that suits all rows from their bounding box, if it was missing; returns it.
    pub fn suit_radius(&mut self, spread: &Spread) -> Option<f32> {
        std::mem::take(&mut self.lacks_radius).then(|| {
            self.set_facts(BlockFacts { names: Vec::new(), spread: *spread, channels: None });
            spread.spacing()
        })
    }

    /// Fills in the values that the survey of the rows did not find.
    pub fn find_missing_facts(&mut self) -> Result<()> {
        if std::mem::take(&mut self.lacks_radius) {
            *self = self.clone().with_facts()?;
        }
        Ok(())
    }

    /// Whether a file has a periodic box, after a pass over all rows.
    pub fn has_cell(&self) -> bool {
        self.has_cell.load(Ordering::Relaxed)
    }

    /// Keeps the turn of the camera that a scene in memory would have.
    pub fn set_turn(&mut self, turn: Option<[f64; 3]>) {
        self.keep(self.turn_name(), turn.into_iter().flatten());
        self.turn = turn;
    }

    /// The turn of the camera that a scene in memory would have, if it is known.
    pub fn turn(&self) -> Option<[f64; 3]> {
        self.turn.or_else(|| self.recalled(self.turn_name())?.try_into().ok())
    }

    /// Whether the picture is taller than wide.
    pub fn is_tall(&self) -> bool {
        self.options.width.zip(self.options.height).is_some_and(|(width, height)| height > width)
    }

    fn turn_name(&self) -> &'static str {
        if self.is_tall() { "turn of tall pictures" } else { "turn" }
    }

    /// Numbers that have been found before and kept under a name.
    pub fn recalled(&self, name: &str) -> Option<Vec<f64>> {
        self.sidecar.as_ref().and_then(|sidecar| sidecar::numbers(sidecar.get(name)?))
    }

    /// Keeps numbers under a name for the next picture of the same files.
    pub fn keep(&mut self, name: &str, numbers: impl IntoIterator<Item = f64>) {
        if let Some(sidecar) = &mut self.sidecar {
            sidecar.set(name, sidecar::bits(numbers));
        }
    }

    /// Finds the facts about all rows.
    fn with_facts(mut self) -> Result<Self> {
        let (mut spread, mut names, mut ranges) = (Spread::default(), Vec::new(), None);
        self.for_each_block(Unread::Taken, |PlannedBlock { rows, plan, .. }| {
            match rows {
                RowBatch::Unread(rows) => self.add_unread(0, rows, None, &mut spread)?,
                RowBatch::Painted(painted) => spread.extend(painted.spheres()),
                RowBatch::Table(table) => {
                    spread = spread.join(Spread::of_places(table.space()));
                    if let Coloring::Channels { channels, alpha, .. } = plan.color {
                        let more = channel_ranges(table, channels, alpha);
                        ranges = Some(ranges.map_or(more, |known| both(known, more)));
                    }
                    names = std::mem::take(table).columns.into_iter().map(|column| column.names).collect();
                }
            }
            Ok(())
        })?;
        self.set_facts(BlockFacts { names, spread, channels: ranges });
        Ok(self)
    }

    fn set_facts(&mut self, facts: BlockFacts) {
        if let Some(sidecar) = &mut self.sidecar {
            sidecar.set(FACTS, facts.write());
        }
        self.facts = Some(facts);
    }

    /// Returns the origin that all files share; known after [`BlockFiles::plan`].
    pub fn origin(&self) -> Origin {
        self.origin.get().copied().unwrap_or_default()
    }

    /// Returns the origin that all files share; the first rows set it.
    fn origin_of(&self, table: &Table<'_>) -> Origin {
        *self.origin.get_or_init(|| Origin::of(table.space()))
    }

    /// Adds all spheres in order, while the next ones are read.
    pub fn feed(&self, sink: &mut impl SphereSink) -> Result<()> {
        let mut rows_before = vec![0; self.paths.len()];
        self.for_each_block(Unread::Taken, |PlannedBlock { file, rows, plan }| {
            let painted;
            let first = self.part.first_number(*file) + rows_before[*file];
            let spheres = match rows {
                RowBatch::Unread(rows) => {
                    rows_before[*file] += rows.rows();
                    return self.add_unread(first, rows, self.counts(*file), sink);
                }
                RowBatch::Painted(rows) => rows.spheres(),
                RowBatch::Table(table) => {
                    let size = self.size(table, &plan.size);
                    let table = std::mem::take(table);
                    let (colors, radii) = (Colors::new(&table, &self.color(&plan.color)), Radii::new(&table, &size));
                    if let Some(counts) = self.counts(*file) {
                        counts.add(RowTally::of_table(&table, &colors, &radii));
                    }
                    painted = row_shapes::spheres(&table, self.origin_of(&table), &colors, &radii);
                    &painted[..]
                }
            };
            rows_before[*file] += spheres.len() as u64;
            sink.add_at(first, spheres)
        })
    }

    /// Adds rows that the sink's own threads read.
    fn add_unread(
        &self,
        first: u64,
        rows: &UnreadRows,
        counts: Option<FileCounts>,
        sink: &mut impl SphereSink,
    ) -> Result<()> {
        sink.add_by_rule(first..first + rows.rows(), |numbers, spheres| {
            let count = numbers.end - numbers.start;
            rows.read(numbers.start - first..numbers.end - first, spheres);
            if let Some(counts) = &counts {
                let unplaced = count - spheres.len() as u64;
                counts.add(RowTally::of_spheres(spheres).join(RowTally::of_unplaced(unplaced)));
            }
        })?;
        if !rows.has_failed() {
            return Ok(());
        }
        // read again by the slow reader, whose message names the bad row
        self.for_each_block(Unread::Read, |_| Ok(()))?;
        Err(Error::input(&self.name(), None, "has changed while it was read"))
    }

    /// Paints rows as they are read; `None` if more of a row than the radius that suits all depends on other rows.
    fn painter(&self, plan: &Plan, counts: Option<FileCounts>) -> Option<Painter> {
        let has_names = plan.wanted.columns.iter().any(|want| want.kind == Kind::Name);
        let size = match (&plan.size, &self.facts) {
            (Sizing::Suited, Some(facts)) => Sizing::Constant(facts.spread.spacing()),
            // no radius is needed until it is known
            (Sizing::Suited, None) => Sizing::Constant(0.0),
            (other, _) => *other,
        };
        if has_names { None } else { row_shapes::painter(&self.color(&plan.color), &size, counts) }
    }

    /// The colours of rows, where all rows decide which number is full.
    fn color(&self, color: &Coloring) -> Coloring {
        let mut color = color.clone();
        if let (Coloring::Channels { ranges, .. }, Some(facts)) = (&mut color, &self.facts) {
            *ranges = facts.channels;
        }
        color
    }

    /// The radii of rows, where all rows decide them together.
    fn size(&self, table: &Table<'_>, size: &Sizing) -> Sizing {
        let Some(BlockFacts { names, spread, .. }) = &self.facts else { return *size };
        let is_unknown = |column: &usize| {
            let names = names.get(*column).unwrap_or(&table.columns[*column].names);
            names.iter().all(|name| element(name) == Atomic::UNKNOWN)
        };
        match size {
            Sizing::Suited => Sizing::Constant(spread.spacing()),
            Sizing::Vdw { elements, or_suited: true } if elements.as_ref().is_none_or(is_unknown) => {
                Sizing::Constant(spread.spacing())
            }
            other => *other,
        }
    }

    fn for_each_block(&self, unread: Unread, mut take: impl FnMut(&mut PlannedBlock) -> Result<()>) -> Result<()> {
        thread::scope(|scope| {
            let (send, receive) = sync_channel(AHEAD);
            let (give_back, spare) = sync_channel(AHEAD + 2);
            let reader = scope.spawn(move || self.read_all(&Exchange { send, spare, unread }));
            for mut block in receive {
                take(&mut block)?;
                if let RowBatch::Painted(rows) = block.rows {
                    // a reader that is done needs no memory
                    let _ = give_back.try_send(rows);
                }
            }
            reader.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })
    }

    /// Reads all files and sends their rows.
    fn read_all(&self, exchange: &Exchange) -> Result<()> {
        let mut names = self.facts.as_ref().map(|facts| facts.names.clone()).unwrap_or_default();
        for file in 0..self.paths.len() {
            names = self.read(file, names, exchange)?;
        }
        Ok(())
    }

    /// Reads the file with this index and sends its rows.
    fn read(&self, place: usize, names: Vec<Names>, exchange: &Exchange) -> Result<Vec<Names>> {
        let options = &self.options;
        let quota = Quota::new(Budget::UNLIMITED);
        let input = Input::open(&self.paths[place], quota)?;
        let format = format_wanted(&input, options.format, options.raw.as_ref())?;
        let file = input.name.clone();
        let is_shared = self.part.is_by_row && matches!(format, Format::Npy | Format::Raw);
        if self.part.is_by_row && !is_shared && self.part.process > 0 {
            return Ok(names);
        }
        let share = RowShare { process: self.part.process as u64, count: self.part.count as u64 };
        streamable::check_format(&file, format)?;
        option_requests::refuse_options(&file, format, options)?;
        let column_request = option_requests::column_request(options)?;
        let planned = RefCell::new(None);
        let choose = |header: &formats::wanted::Header| {
            let plan = Plan::new(&file, header, &column_request)
                .map_err(|refusal| option_requests::refuse(&file, options, refusal))?;
            option_requests::check(&file, format, &plan, options)?;
            streamable::check_plan(&file, &plan)?;
            let has_categories = matches!(plan.color, Coloring::Categories { .. });
            if !has_categories && !options.categories.is_empty() {
                let message = format!("is for colours by a column of names; color_by names one of {file}");
                return Err(Error::setting("categories", message));
            }
            let (wanted, painter, names) =
                (plan.wanted.clone(), self.painter(&plan, self.counts(place)), plan.first_names());
            planned.replace(Some(Arc::new(plan)));
            Ok(ColumnChoice { wanted, painter, names })
        };
        let hand_over = |rows: RowBatch| {
            let Some(plan) = planned.borrow().clone() else { return Ok(PaintedRows::default()) };
            // the consumer of blocks has failed, and reports why
            let ended = |_| Error::setting("stream", "has ended");
            exchange.send.send(PlannedBlock { file: place, rows, plan }).map_err(ended)?;
            Ok(exchange.spare.try_recv().unwrap_or_default())
        };
        let extent = option_requests::extent(options, Depth::Draw);
        let mut reading = Reading::table(&file, extent, quota, choose);
        reading = reading.with_origin(&self.origin).in_blocks(ROWS, exchange.unread == Unread::Taken, hand_over);
        reading.hints = option_requests::hints(&input, format, options)?;
        (reading.names, reading.share) = (names, is_shared.then_some(share));
        formats::read(format, input, &mut reading)?;
        let contents = reading.finish();
        self.has_cell.fetch_or(contents.facts.cell.is_some(), Ordering::Relaxed);
        if !contents.alternates.is_empty() {
            return Err(Error::input(&file, None, "atoms with several places are not streamed"));
        }
        if let (Some(counts), Some(plan)) = (self.counts(place), planned.borrow().clone()) {
            let Facts { notes, incomplete, .. } = &contents.facts;
            let notes = notes.iter().chain(incomplete).cloned().collect();
            counts.add(RowTally::of_unplaced(contents.unplaced));
            counts.finish(notes, plan, &contents.table);
        }
        let names = contents.table.columns.iter().map(|column| column.names.clone()).collect();
        if contents.table.rows() > 0 {
            hand_over(RowBatch::Table(contents.table))?;
        }
        Ok(names)
    }
}

/// The unions of ranges.
fn both(known: ChannelRanges, more: ChannelRanges) -> ChannelRanges {
    [0, 1].map(|index| {
        let ([least, most], [from, to]) = (known[index], more[index]);
        [least.min(from), most.max(to)]
    })
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::ops::Range;
    use std::path::Path;

    use super::*;
    use crate::dataset::data_file::Depth;
    use crate::pictures::bare_data;
    use crate::scene::FillSpheres;
    use crate::scene::spheres::PaintedSphere;

    /// Rows of x, y, z and radius; some have no position.
    fn rows(count: u16) -> Vec<[f32; 4]> {
        let row = |index: u16| {
            [f32::from(index % 251), f32::from(index / 251), if index % 97 == 3 { f32::NAN } else { 1.0 }, 0.5]
        };
        (0..count).map(row).collect()
    }

    fn write(path: &Path, rows: &[[f32; 4]]) {
        let bytes: Vec<u8> = rows.as_flattened().iter().flat_map(|value| value.to_le_bytes()).collect();
        fs::write(path, bytes).expect("written");
    }

    fn options() -> LoadOptions {
        LoadOptions { raw: Some("x,y,z,radius:f32".parse().expect("a layout")), ..LoadOptions::default() }
    }

    fn centers(files: &BlockFiles) -> Vec<[f32; 3]> {
        spheres(files).iter().map(|sphere| sphere.center).collect()
    }

    fn spheres(files: &BlockFiles) -> Vec<PaintedSphere> {
        let mut list = List::default();
        files.feed(&mut list).expect("read");
        list.spheres
    }

    /// A sink that keeps all spheres.
    #[derive(Default)]
    struct List {
        spheres: Vec<PaintedSphere>,
        next: u64,
    }

    impl SphereSink for List {
        fn add_at(&mut self, first: u64, spheres: &[PaintedSphere]) -> Result<()> {
            assert!(first >= self.next, "numbers grow");
            self.next = first + spheres.len() as u64;
            self.spheres.extend_from_slice(spheres);
            Ok(())
        }

        fn add_by_rule(&mut self, numbers: Range<u64>, fill: impl FillSpheres) -> Result<()> {
            assert!(numbers.start >= self.next, "numbers grow");
            self.next = numbers.end;
            for first in numbers.clone().step_by(1000) {
                let mut made = Vec::new();
                fill(first..numbers.end.min(first + 1000), &mut made);
                self.spheres.extend(made);
            }
            Ok(())
        }
    }

    #[test]
    fn blocks_and_shares_are_the_rows_of_the_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.bin");
        let rows = rows(50_021);
        // two blocks and a part of one
        let repeated: Vec<[f32; 4]> = rows.iter().copied().cycle().take(2 * ROWS + 777).collect();
        for rows in [&rows, &repeated] {
            write(&path, rows);
            let placed: Vec<[f32; 3]> =
                rows.iter().filter(|[.., z, _]| !z.is_nan()).map(|&[x, y, z, _]| [x, y, z]).collect();
            let files = BlockFiles::new(std::slice::from_ref(&path), &options()).expect("a file");
            assert!(centers(&files) == placed);
            for count in [2, 3, 5] {
                let part = |process| centers(&files.part(process, count).expect("a part"));
                assert!((0..count).flat_map(part).collect::<Vec<_>>() == placed, "{count} processes");
            }
        }
    }

    #[test]
    fn a_row_that_breaks_a_rule_is_named_and_rows_without_a_place_are_not() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.bin");
        let read = |row: [f32; 4]| {
            let mut rows = rows(5000);
            rows[4000] = row;
            write(&path, &rows);
            let files = BlockFiles::new(std::slice::from_ref(&path), &options()).expect("a file");
            let mut list = List::default();
            files.feed(&mut list).map(|()| list.spheres).map_err(|error| error.to_string())
        };
        let places = read([1.0, 2.0, 3.0, 0.5]).expect("good rows").len();
        assert_eq!(read([f32::NAN, 2.0, 3.0, -1.0]).expect("a row without a place").len(), places - 1);
        let radius = read([1.0, 2.0, 3.0, f32::NAN]).expect("a row without a radius");
        assert!(radius.len() == places && radius.iter().any(|sphere| sphere.radius == 0.0));
        let message = read([1.0, 2.0, 3.0, -1.0]).expect_err("a negative radius");
        assert!(message.contains("byte 64000: radius must be a number that is not negative, got -1"), "{message}");
        let message = read([1.0, f32::INFINITY, 3.0, 1.0]).expect_err("an infinite place");
        assert!(message.contains("byte 64000: the position must be finite"), "{message}");
    }

    #[test]
    fn radii_that_suit_all_rows_are_those_of_a_table() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.bin");
        write(&path, &rows(5000));
        let options = LoadOptions { raw: Some("x,y,z,w:f32".parse().expect("a layout")), ..LoadOptions::default() };
        let files = BlockFiles::new(std::slice::from_ref(&path), &options).expect("a file");
        let mut files = files.clone().with_facts_for(&files.plan().expect("a plan")).expect("facts");
        files.find_missing_facts().expect("read");
        let radii: Vec<f32> = spheres(&files).iter().map(|sphere| sphere.radius).collect();
        let input = Input::open(&path, Quota::new(Budget::UNLIMITED)).expect("opened");
        let mut data = bare_data::table(input, Format::Raw, &options, Depth::Draw).expect("read");
        assert_eq!(radii, data.make_spheres().0.iter().map(|sphere| sphere.radius).collect::<Vec<_>>());
        assert!(radii[0] > 0.0);
    }
}
