//! The interface between the readers of formats and the rest.
//!
//! A reader announces the fields of its file (`Reading::begin`) and learns which are wanted; then it adds blocks of
//! rows in order. The rows go to a table, to summaries of every column, or, for a single row, to a record; the reader
//! need not know which.

use std::sync::{Arc, OnceLock};

use super::facts::{Facts, FrameTime};
use super::painted::{PaintedRows, Painter};
use super::parts::{
    Parse, broken_rule, merge, painted, parse_checked, push, reserve, row_of_shape, rows_alone, spare_rows, summarized,
    texts,
};
use super::placing::{Placing, UnreadRows};
use super::request::{Choose, ColumnChoice, Contents, FileHints, FrameRequest, RowBatch, RowShare, TakeRows};
use super::topology::{JoinedTopology, Topology};
use super::wanted::{Axes, Field, Header, ValueRule, Want, Wanted};
use crate::data::{Alternate, Block, Kind, Names, Summary, Table, TablePart};
use crate::error::{Error, Result};
use crate::geom::Origin;
use crate::memory_quota::Quota;
use crate::scene::spheres::{PaintedSphere, SphereStore};
use crate::source::input::Stream;
use crate::source::piece::{Flaw, Piece};
use crate::source::pieces::Text;
use crate::source::until::Until;

pub enum Destination {
    Table,
    /// The table, and a summary of every column of the file.
    TableAndSummaries,
    /// The texts of the fields of one row, counted from 0 among the rows with all wanted values.
    Row(u64),
}

/// A reader of a format.
pub(super) type Read = fn(Stream, &mut Reading<'_>) -> Result<()>;

/// The consumer of rows in blocks, and the number of rows of a block.
struct Blocks<'a> {
    rows: usize,
    /// Whether it accepts rows that have not been read.
    unread: bool,
    take: Box<TakeRows<'a>>,
}

impl Blocks<'_> {
    /// Takes the rows of a table if they fill a block; the names of categories stay.
    fn take(&mut self, table: &mut Table<'static>) -> Result<()> {
        if table.rows() < self.rows {
            return Ok(());
        }
        let rows = Table { columns: table.columns.clone(), blocks: std::mem::take(&mut table.blocks) };
        (self.take)(RowBatch::Table(rows)).map(drop)
    }
}

/// The known origin, or the one that suits these rows if they are the first with places.
fn origin_of(origin: &OnceLock<Origin>, block: &Block<'_>) -> Origin {
    match block.space() {
        [] => origin.get().copied().unwrap_or_default(),
        places => *origin.get_or_init(|| Origin::of(places.iter().copied())),
    }
}

pub struct Reading<'a> {
    /// The file's name in messages.
    pub(crate) file: String,
    pub extent: FrameRequest,
    pub hints: FileHints,
    /// The rows of an array or of raw numbers to read, if not all.
    pub share: Option<RowShare>,
    /// Whether virtual sites are kept as rows, so that rows match another file's.
    pub(super) keeps_virtual_sites: bool,
    pub(crate) facts: Facts,
    read: ReadRows,
    /// The origin to subtract from positions of painted rows; set once, and shared by the files of a stream.
    origin: Arc<OnceLock<Origin>>,
    /// The frame whose step equals the wanted frame: callers confuse steps with frames.
    pub(super) frame_of_step: Option<u64>,
    choose: Box<Choose<'a>>,
    chosen: ChosenColumns,
    pub destination: Destination,
    pub(super) quota: Quota,
    /// Present if rows are not kept.
    blocks: Option<Blocks<'a>>,
    /// Names of categories known before rows are read.
    pub names: Vec<Names>,
    topology: RowTopology,
}

/// Rows, summaries and counts read so far.
#[derive(Default)]
struct ReadRows {
    header: Header,
    table: Table<'static>,
    spheres: SphereStore<'static>,
    summaries: Vec<Summary>,
    alternates: Vec<Alternate>,
    record: Vec<(String, String)>,
    rows: u64,
    /// Rows to draw: alternative places are not drawn.
    shapes: u64,
    /// Rows without a position.
    unplaced: u64,
}

/// The columns to read.
struct ChosenColumns {
    /// The caller's columns, followed by columns for summaries only.
    wanted: Wanted,
    /// The number of the caller's columns.
    kept: usize,
    painter: Option<Painter>,
}

/// The topology whose columns are joined to the rows.
#[derive(Default)]
struct RowTopology {
    offered: Option<Arc<Topology>>,
    joined: Option<JoinedTopology>,
}

impl<'a> Reading<'a> {
    /// Reads the columns that `choose` picks into a table.
    pub fn table(
        file: &str,
        extent: FrameRequest,
        quota: Quota,
        choose: impl FnMut(&Header) -> Result<ColumnChoice> + 'a,
    ) -> Self {
        Self {
            file: file.to_owned(),
            extent,
            hints: FileHints::default(),
            share: None,
            keeps_virtual_sites: false,
            facts: Facts { frames: 1, ..Facts::default() },
            read: ReadRows::default(),
            origin: Arc::default(),
            frame_of_step: None,
            choose: Box::new(choose),
            chosen: ChosenColumns { wanted: Wanted::only(Axes::None), kept: 0, painter: None },
            destination: Destination::Table,
            quota,
            blocks: None,
            names: Vec::new(),
            topology: RowTopology::default(),
        }
    }

    /// Hands the rows over to `take` whenever the table holds this many; the last rows stay in the table.
    #[must_use]
    pub fn in_blocks(
        mut self,
        rows: usize,
        unread: bool,
        take: impl FnMut(RowBatch) -> Result<PaintedRows> + 'a,
    ) -> Self {
        self.blocks = Some(Blocks { rows, unread, take: Box::new(take) });
        self
    }

    /// Records the time of the wanted frame and, if frames are counted, of the first frames.
    pub(super) fn note_time(&mut self, frame: u64, time: FrameTime) {
        /// Most frames whose times are kept.
        const MOST: u64 = 1 << 16;
        if frame == self.extent.frame {
            self.facts.times.read = time;
        }
        if self.frame_of_step.is_none()
            && time.step.and_then(|step| u64::try_from(step).ok()) == Some(self.extent.frame)
        {
            self.frame_of_step = Some(frame);
        }
        let is_next = frame < MOST && frame == self.facts.frame_times.len() as u64;
        if self.extent.count_frames && is_next && time != FrameTime::default() {
            self.facts.frame_times.push(time);
        }
    }

    /// Records the number of frames, if counting was requested.
    pub(super) fn note_frames(&mut self, frames: u64) {
        self.facts.frames = if self.extent.count_frames { frames } else { 1 };
    }

    /// Returns the parts that were read.
    pub fn finish(self) -> Contents {
        let frame = self.extent.frame;
        let origin = self.origin.get().copied().unwrap_or_default();
        let Self { read, mut facts, .. } = self;
        let ReadRows { header, table, spheres, summaries, alternates, unplaced, record, .. } = read;
        facts.times.frame = frame;
        Contents { header, facts, table, spheres, origin, summaries, alternates, unplaced, record }
    }

    /// Subtracts this origin from places of painted rows, instead of one that suits the first rows.
    pub fn set_origin(&mut self, origin: Option<Origin>) {
        if let Some(origin) = origin {
            self.origin = Arc::new(OnceLock::from(origin));
        }
    }

    /// Shares the origin with other files.
    #[must_use]
    pub fn with_origin(mut self, origin: &Arc<OnceLock<Origin>>) -> Self {
        self.origin = Arc::clone(origin);
        self
    }

    /// Announces the fields of the file; returns the wanted columns.
    pub(crate) fn begin(&mut self, mut header: Header) -> Result<Wanted> {
        let renamed = header.name_apart();
        self.facts.notes.extend(renamed.map(|note| format!("{}: {note}", self.file)));
        let (ColumnChoice { mut wanted, painter, names }, joined) = match self.topology.offered.take() {
            None => ((self.choose)(&header)?, None),
            Some(topology) => {
                let extended = topology.extended(&header);
                let choice = (self.choose)(&extended)?;
                let (choice, joined) = JoinedTopology::split(topology, &header, extended, choice);
                (choice, Some(joined))
            }
        };
        self.topology.joined = joined;
        self.chosen.painter = painter.filter(|_| matches!(self.destination, Destination::Table));
        self.chosen.kept = wanted.columns.len();
        wanted.columns.iter_mut().for_each(|want| *want = want.of_kind(header.fields[want.field].kind));
        let columns = wanted.columns.iter().map(|want| (header.fields[want.field].name.clone(), want.kind));
        self.read.table = Table::new(columns);
        for (column, names) in self.read.table.columns.iter_mut().zip(std::mem::take(&mut self.names)) {
            column.names = names;
        }
        if let Some((column, names)) = names {
            for name in &names {
                self.read.table.columns[column].names.intern(name);
            }
        }
        if matches!(self.destination, Destination::TableAndSummaries) {
            for (field, Field { kind, .. }) in header.fields.iter().enumerate() {
                if wanted.find(field).is_none() {
                    wanted.columns.push(Want { field, kind: *kind, rule: ValueRule::Lenient });
                }
            }
            self.read.summaries.clear();
        }
        self.read.header = header;
        self.chosen.wanted = wanted.clone();
        Ok(wanted)
    }

    /// Takes the topology that is joined to the rows once they are read, unless the reader itself asks for it.
    pub(super) fn offer_topology(&mut self) {
        self.topology.offered = self.hints.topology.clone();
    }

    /// The topology, for readers that join its columns themselves.
    pub(super) fn take_topology(&mut self) -> Option<Arc<Topology>> {
        self.topology.offered = None;
        self.hints.topology.clone()
    }

    /// Joins the columns and bonds of the topology to the rows.
    pub(super) fn join_topology(&mut self) -> Result<()> {
        let Some(joined) = self.topology.joined.take() else { return Ok(()) };
        let rows = joined.rows(&self.read.table, &self.file)?;
        if self.extent.bonds {
            joined.add_bonds(&mut self.facts.bonds, &rows);
        }
        self.read.table = joined.table(std::mem::take(&mut self.read.table), &rows)?;
        self.read.header = joined.header;
        Ok(())
    }

    /// Checks that `rows` rows fit the budget; `subject` begins the message.
    pub(crate) fn check_rows(&self, rows: u64, subject: impl Fn() -> String) -> Result<()> {
        self.quota.check(rows, self.chosen.wanted.row_bytes(), subject)
    }

    /// Checks that rows of `each` bytes, which a reader holds in memory, fit the budget; `subject` begins the message.
    pub(crate) fn check_held(&self, rows: u64, each: u64, subject: impl Fn() -> String) -> Result<()> {
        self.quota.check_memory(rows.saturating_mul(each), subject)
    }

    /// Checks that this many short texts fit the budget; `subject` begins the message.
    pub(crate) fn check_texts(&self, texts: u64, subject: impl Fn() -> String) -> Result<()> {
        /// Bytes of a text, including the allocator's overhead.
        const TEXT: u64 = 64;
        self.quota.check_memory(texts.saturating_mul(TEXT), || format!("{} has {texts} values", subject()))
    }

    /// The rows that still fit the budget.
    fn room(&self) -> u64 {
        self.quota.room(self.chosen.wanted.row_bytes()).saturating_sub(self.read.shapes)
    }

    /// Reads rows of text on all threads, up to `until`.
    ///
    /// `parse` returns the wanted columns of a piece's rows; more than `room` rows are an error.
    pub(crate) fn parse(&mut self, text: &mut Text, mut until: Until, parse: &Parse<'_>) -> Result<()> {
        let wanted = self.chosen.wanted.clone();
        if let Destination::Row(row) = self.destination {
            return self.parse_row(text, until, row, parse);
        }
        let summaries = matches!(self.destination, Destination::TableAndSummaries);
        let kept = self.chosen.kept;
        let painter = self.chosen.painter.clone().filter(|_| self.blocks.is_none());
        let origin = Arc::clone(&self.origin);
        let part = |piece: &Piece| {
            let part = parse_checked(piece, &wanted, &self.read.header, parse)?;
            if let Some(painter) = &painter {
                let origin = origin_of(&origin, &part.block);
                let mut spheres = Vec::with_capacity(part.block.rows());
                let part = painted(part, painter, origin, &mut spheres);
                return Ok((part, Vec::new(), spheres));
            }
            let fields = self.read.header.fields.len();
            let (part, summaries) =
                if summaries { summarized(part, &wanted, kept, fields) } else { (part, Vec::new()) };
            Ok((part, summaries, Vec::new()))
        };
        let room = self.quota.room(wanted.row_bytes());
        let (mut rows, mut shapes, mut taken) = (self.read.rows, self.read.shapes, Vec::new());
        let file = self.file.clone();
        let (table, mut alternates, mut unplaced) = (&mut self.read.table, Vec::new(), 0);
        let (blocks, all_spheres) = (&mut self.blocks, &mut self.read.spheres);
        let mut take_part =
            |piece: &Piece, (part, summaries, spheres): (TablePart, Vec<Summary>, Vec<PaintedSphere>)| {
                let count = part.block.rows() as u64;
                let spare = spare_rows(&part.alternates);
                let left = room.saturating_sub(shapes);
                if count - spare.len() as u64 > left {
                    let first_over = row_of_shape(left, &spare);
                    let flaw = parse(piece, &wanted, first_over).map_or_else(|flaw| flaw.at, |_| 0);
                    return Err(self.quota.refuse(room, wanted.row_bytes(), &piece.describe(&file, flaw)));
                }
                shapes += count - spare.len() as u64;
                push(table, part, rows, &mut alternates, &mut unplaced)
                    .map_err(|message| piece.refuse(&file, Flaw { at: 0, message }))?;
                if !spheres.is_empty() {
                    let all_spheres = all_spheres.to_mut();
                    reserve(all_spheres, spheres.len());
                    all_spheres.extend_from_slice(&spheres);
                }
                rows += count;
                merge(&mut taken, summaries);
                blocks.as_mut().map_or(Ok(()), |blocks| blocks.take(table))
            };
        // the first rows decide the origin before other threads paint theirs
        while painter.is_some() && origin.get().is_none() {
            let Some(piece) = text.piece(&mut until)? else { break };
            let parsed = part(&piece).map_err(|flaw| piece.refuse(&file, flaw))?;
            take_part(&piece, parsed)?;
        }
        text.parse(until, part, take_part)?;
        (self.read.rows, self.read.shapes) = (rows, shapes);
        self.read.alternates.extend(alternates);
        self.read.unplaced += unplaced;
        merge(&mut self.read.summaries, taken);
        Ok(())
    }

    /// Reads up to `rows` rows of `size` bytes on all threads; `parse` as for [`Reading::parse`].
    ///
    /// If all numbers are `f32`, `singles` has the index of each field's number.
    pub(crate) fn parse_rows(
        &mut self,
        text: &mut Text,
        rows: u64,
        size: usize,
        singles: Option<&[Option<usize>]>,
        parse: &Parse<'_>,
    ) -> Result<()> {
        self.find_origin(text, rows, size, parse);
        let placed = singles.map_or(Ok(0), |singles| self.place_rows(text, rows, size, singles))?;
        if placed > 0 {
            return Ok(());
        }
        let painted = self.paint_rows(text, rows, size, parse)?;
        self.parse(text, Until::Rows { left: rows - painted, size }, parse)
    }

    /// Finds the origin from the first rows of a regular file, if rows are painted.
    fn find_origin(&self, text: &Text, rows: u64, size: usize, parse: &Parse<'_>) {
        if self.chosen.painter.is_none() || self.origin.get().is_some() {
            return;
        }
        let Some(file) = text.rows_of_file(rows, size) else { return };
        // a mistake in a row is reported when all rows are read
        let _ = file.scan(|piece| {
            let part = parse_checked(piece, &self.chosen.wanted, &self.read.header, parse).ok()?;
            origin_of(&self.origin, &part.block);
            self.origin.get().is_none().then_some(())
        });
    }

    /// Fast path for rows of `f32` of one colour in a regular file: reads them straight into the final arrays, or
    /// passes the file range on. Returns the number of rows; 0 if it does not apply or a sphere is invalid.
    fn place_rows(&mut self, text: &mut Text, rows: u64, size: usize, singles: &[Option<usize>]) -> Result<u64> {
        let one_color =
            self.chosen.painter.as_ref().and_then(|painter| painter.one_color).filter(|_| self.read.table.rows() == 0);
        let Some(one_color) = one_color.filter(|_| self.origin.get().is_none_or(|origin| origin.is_zero())) else {
            return Ok(0);
        };
        let Some(placing) = Placing::new(&one_color, &self.chosen.wanted, size / size_of::<f32>(), singles) else {
            return Ok(0);
        };
        let Some(file) = text.rows_of_file(rows, size) else { return Ok(0) };
        if file.rows > self.room() {
            return Ok(0);
        }
        let (count, end) = (file.rows, file.end());
        match &mut self.blocks {
            Some(Blocks { unread: true, take, .. }) => {
                take(RowBatch::Unread(UnreadRows::new(file, placing)))?;
            }
            Some(_) => return Ok(0),
            None => {
                let Some(spheres) = placing.read(&file) else { return Ok(0) };
                self.read.spheres = spheres.into();
                self.read.table.blocks.push(rows_alone(self.read.spheres.len()));
            }
        }
        self.read.rows += count;
        self.read.shapes += count;
        text.jump(end)?;
        Ok(count)
    }

    /// Fast path for painted rows in a regular file: writes spheres straight into the final array. Returns the number
    /// of rows; 0 if it does not apply.
    fn paint_rows(&mut self, text: &mut Text, rows: u64, size: usize, parse: &Parse<'_>) -> Result<u64> {
        let Some(painter) = &self.chosen.painter else { return Ok(0) };
        let Some(file) = text.rows_of_file(rows, size) else { return Ok(0) };
        if file.rows > self.room() {
            // the slow path reports the first row over the budget
            return Ok(0);
        }
        let origin = self.origin.get().copied().unwrap_or_default();
        let make = |piece: &Piece, spheres: &mut Vec<PaintedSphere>| {
            let part = parse_checked(piece, &self.chosen.wanted, &self.read.header, parse)?;
            painter.paint(&part.block, origin, spheres);
            Ok(())
        };
        let (mut placed, mut painted) = (0, PaintedRows::default());
        if let Some(Blocks { rows, take, .. }) = &mut self.blocks {
            let (block, rows) = (*rows, *rows as u64);
            for first in (0..file.rows).step_by(block) {
                painted.read(&file, first..file.rows.min(first + rows), make)?;
                placed += painted.spheres().len() as u64;
                painted = take(RowBatch::Painted(painted))?;
            }
        } else {
            painted.read(&file, 0..file.rows, make)?;
            placed += painted.spheres().len() as u64;
            painted.append_to(self.read.spheres.to_mut());
            self.read.table.blocks.push(rows_alone(self.read.spheres.len() - self.read.table.rows()));
        }
        self.read.rows += placed;
        self.read.shapes += placed;
        self.read.unplaced += file.rows - placed;
        text.jump(file.end())?;
        Ok(file.rows)
    }

    /// Counts rows, and reads the texts of the wanted one.
    fn parse_row(&mut self, text: &mut Text, until: Until, row: u64, parse: &Parse<'_>) -> Result<()> {
        let axes = self.chosen.wanted.axes;
        let count = |piece: &Piece| parse(piece, &Wanted::only(axes), u64::MAX);
        let all = self.all_fields();
        let mut start = self.read.rows;
        let file = self.file.clone();
        let (header, record, unplaced) = (&self.read.header, &mut self.read.record, &mut self.read.unplaced);
        text.parse(until, count, |piece, part| {
            *unplaced += part.unplaced;
            let end = start + part.block.rows() as u64;
            if (start..end).contains(&row) {
                let part = parse(piece, &all, u64::MAX).map_err(|flaw| piece.refuse(&file, flaw))?;
                let row = usize::try_from(row - start).expect("rows of a piece are counted in memory");
                *record = texts(&part, row, header);
            }
            start = end;
            Ok(())
        })?;
        self.read.rows = start;
        Ok(())
    }

    pub(super) fn field_name(&self, field: usize) -> String {
        self.read.header.fields[field].name.clone()
    }

    /// Whether the record of one row is read, which needs every field.
    pub(crate) fn wants_record(&self) -> bool {
        matches!(self.destination, Destination::Row(_))
    }

    /// The columns that the next `rows` rows must have when they are pushed: all if they include the record's row.
    pub(crate) fn wanted_of_next(&self, rows: u64) -> Wanted {
        match self.destination {
            Destination::Row(row) if (self.read.rows..self.read.rows.saturating_add(rows)).contains(&row) => {
                self.all_fields()
            }
            _ => self.chosen.wanted.clone(),
        }
    }

    fn all_fields(&self) -> Wanted {
        let all =
            (0..self.read.header.fields.len()).map(|field| Want { field, kind: Kind::Name, rule: ValueRule::Any });
        Wanted { axes: self.chosen.wanted.axes, columns: all.collect() }
    }

    /// Adds rows that were not parsed from pieces of text; the caller has checked that they fit.
    pub(crate) fn push(&mut self, part: TablePart) -> Result<()> {
        let rows = part.block.rows() as u64;
        if let Destination::Row(row) = self.destination {
            if (self.read.rows..self.read.rows + rows).contains(&row) {
                let row = usize::try_from(row - self.read.rows).expect("rows of a block are in memory");
                self.read.record = texts(&part, row, &self.read.header);
            }
            self.read.rows += rows;
            self.read.unplaced += part.unplaced;
            return Ok(());
        }
        if let Some((row, message)) = broken_rule(&part, &self.chosen.wanted, &self.read.header) {
            return Err(Error::input(&self.file, None, format!("row {}: {message}", self.read.rows + row as u64 + 1)));
        }
        let part = if matches!(self.destination, Destination::TableAndSummaries) {
            let (part, summaries) =
                summarized(part, &self.chosen.wanted, self.chosen.kept, self.read.header.fields.len());
            merge(&mut self.read.summaries, summaries);
            part
        } else if let Some(painter) = self.chosen.painter.as_ref().filter(|_| self.blocks.is_none()) {
            let origin = origin_of(&self.origin, &part.block);
            let spheres = self.read.spheres.to_mut();
            reserve(spheres, part.block.rows());
            painted(part, painter, origin, spheres)
        } else {
            part
        };
        let refuse = |message| Error::input(&self.file, None, message);
        push(&mut self.read.table, part, self.read.rows, &mut self.read.alternates, &mut self.read.unplaced)
            .map_err(refuse)?;
        self.read.rows += rows;
        let names: u64 = self.read.table.columns.iter().map(|column| column.names.bytes()).sum();
        self.quota.check_memory(names, || format!("{}: the names in its columns have {names} bytes", self.file))?;
        self.blocks.as_mut().map_or(Ok(()), |blocks| blocks.take(&mut self.read.table))
    }

    /// Rows read so far that have a position.
    pub(super) fn rows(&self) -> u64 {
        self.read.rows
    }

    /// Rows read so far, including rows without a position.
    pub(crate) fn records(&self) -> u64 {
        self.read.rows + self.read.unplaced
    }
}
