//! Arrays in NumPy's `.npz`, and single column-major arrays, as columns of one table.
//!
//! One array has the positions; others with the same number of rows become columns of the same names. Arrays of other
//! lengths are left out. Only requested arrays are read, a block of rows at a time.

use std::io::{self, Read, Seek as _, SeekFrom};

use super::npy::{self, NpyItems, Shaped, StructuredRows, TextItems};
use super::reading::Reading;
use super::records::{self, BadRow, FieldContent, FieldPlace, RecordColumn, with_color};
use super::scalar::{Endian, Scalar};
use super::wanted::{Field, Want, Wanted};
use crate::data::Kind;
use crate::did_you_mean;
use crate::error::{Error, Result};
use crate::source::columns::ColumnBuilder;
use crate::source::input::Stream;
use crate::source::seekable_file::{Reader, SeekableFile};
use crate::source::zip::{self, Member};

/// Names of arrays of positions, the most usual ones first.
#[rustfmt::skip]
const POSITIONS: [&str; 14] = [
    "positions", "position", "pos", "xyz", "coordinates", "coords", "coord", "points", "centers", "center", "centres",
    "centre", "x", "r",
];

/// Other names of columns that have a meaning.
const RENAMED: [(&str, &str); 3] = [("radii", "radius"), ("colors", "color"), ("colours", "color")];

/// Names of arrays of text whose columns have a meaning.
const SINGULAR: [(&str, &str); 5] =
    [("elements", "element"), ("symbols", "element"), ("species", "element"), ("names", "name"), ("types", "type")];

/// Names of arrays of red, green, blue and perhaps alpha.
const COLORS: [&str; 6] = ["color", "colour", "colors", "colours", "rgb", "rgba"];

/// The most columns that an array other than the positions adds.
const WIDEST: u64 = 16;

/// The most rows read at a time, and the most bytes of all arrays.
const ROWS: u64 = 1 << 16;
const BYTES: u64 = 1 << 26;

/// The most bytes of all headers: compressed, they take next to nothing in the file.
const MOST_HEADERS: u64 = 1 << 22;

/// An array in an archive, or a file that is one array.
struct NpzArray {
    name: String,
    member: Option<Member>,
    /// Bytes before its numbers.
    head: u64,
    /// Or the reason why it is not read.
    shaped: Result<Shaped, String>,
}

enum NpzSource {
    Member(zip::MemberReader),
    File(Reader),
}

impl Read for NpzSource {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Member(content) => content.read(buffer),
            Self::File(reader) => reader.read(buffer),
        }
    }
}

/// Consecutive numbers: a whole array, or one column of a column-major array.
struct Strand {
    array: usize,
    /// Bytes before the first number.
    skip: u64,
    /// Stride of the rows in bytes.
    row: usize,
    endian: Endian,
}

/// The place of a number of a row: the strand, and the place in the strand's row.
#[derive(Clone, Copy)]
struct ArrayNumber {
    strand: usize,
    place: FieldPlace,
}

/// A column of texts: `offset` is in bytes from the start of a row of its strand.
#[derive(Clone, Copy)]
struct ArrayText {
    strand: usize,
    offset: usize,
    items: TextItems,
}

#[derive(Default)]
struct ArrayLayout {
    columns: Vec<RecordColumn>,
    numbers: Vec<ArrayNumber>,
    texts: Vec<ArrayText>,
    strands: Vec<Strand>,
}

/// Whether a file is an archive whose first member is an array.
pub(super) fn sniff(bytes: &[u8]) -> bool {
    let name = || {
        let length = usize::from(u16::from_le_bytes([*bytes.get(26)?, *bytes.get(27)?]));
        bytes.get(30..30 + length)
    };
    bytes.starts_with(zip::MARK) && name().is_some_and(|name| name.ends_with(b".npy"))
}

pub(super) fn read(stream: Stream, reading: &mut Reading<'_>) -> Result<()> {
    reading.only_first_frame()?;
    let archive = SeekableFile::new(stream)?;
    let arrays = arrays(&archive)?;
    read_table(&archive, &arrays, reading)
}

pub(super) fn read_single(stream: Stream, reading: &mut Reading<'_>) -> Result<()> {
    if reading.extent.frame > 0 || !npy::is_no_stream(&stream.head) {
        return npy::read(stream, reading);
    }
    let file = SeekableFile::new(stream)?;
    let mut reader = file.reader();
    let array = array(&file, "in the file".to_owned(), None, &mut reader)?;
    read_table(&file, &[array], reading)
}

fn read_table(archive: &SeekableFile, arrays: &[NpzArray], reading: &mut Reading<'_>) -> Result<()> {
    let refuse = |message: String| Error::input(&archive.file, None, message);
    let positions = positions(arrays).map_err(refuse)?;
    let rows = arrays[positions].rows();
    if rows == 0 {
        return Err(refuse(format!("the array {} has no rows", arrays[positions].name)));
    }
    let layout = layout(arrays, positions, rows);
    let wanted = reading.begin(records::header(&layout.columns))?;
    let promise = || format!("{}: the array {} has {rows} rows", archive.file, arrays[positions].name);
    reading.check_rows(rows, promise)?;
    let unread = arrays.iter().filter(|array| array.shaped.is_err());
    let unread: Vec<String> = unread.map(NpzArray::describe).collect();
    if !unread.is_empty() {
        let list = did_you_mean::list(unread.iter().map(String::as_str));
        reading.facts.notes.push(format!("{}: these arrays are not read: {list}", archive.file));
    }
    let used = used(&layout, &wanted, reading.wants_record());
    let strands =
        layout.strands.iter().zip(&used).filter(|(strand, used)| **used && arrays[strand.array].member.is_some());
    let unpacked = strands.fold(0_u64, |sum, (strand, _)| {
        let whole = strand.skip.saturating_add(rows.saturating_mul(strand.row as u64));
        sum.saturating_add(whole)
    });
    reading
        .check_held(unpacked, 1, || format!("{}: its arrays have {unpacked} bytes when decompressed", archive.file))?;
    let mut sources: Vec<Option<(NpzSource, Vec<u8>)>> = Vec::new();
    for (strand, used) in layout.strands.iter().zip(used) {
        let source = if used { Some((open(archive, &arrays[strand.array], strand)?, Vec::new())) } else { None };
        sources.push(source);
    }
    let row: usize =
        sources.iter().zip(&layout.strands).filter(|(source, _)| source.is_some()).map(|(_, s)| s.row).sum();
    let most = ROWS.min(BYTES / (row as u64).max(1)).max(1);
    let mut done = 0;
    while done < rows {
        let count = usize::try_from((rows - done).min(most)).expect("a few");
        for (source, strand) in sources.iter_mut().zip(&layout.strands) {
            let Some((content, bytes)) = source else { continue };
            bytes.resize(count * strand.row, 0);
            content.read_exact(bytes).map_err(|source| broken(archive, &arrays[strand.array].name, source))?;
        }
        let wanted = reading.wanted_of_next(count as u64);
        let number = |row: usize, index: usize| {
            let ArrayNumber { strand, place } = layout.numbers[index];
            let bytes = sources[strand].as_ref().map_or(&[][..], |(_, bytes)| bytes);
            let strand = &layout.strands[strand];
            place.scalar.read(&bytes[row * strand.row + place.offset..], strand.endian)
        };
        let column = |want: &Want| match layout.columns[want.field].content {
            FieldContent::Text(text) => {
                let ArrayText { strand, offset, items } = layout.texts[text];
                let bytes = sources[strand].as_ref().map_or(&[][..], |(_, bytes)| bytes);
                let rows = bytes.chunks_exact(layout.strands[strand].row);
                let texts = rows.map(|row| items.decode(&row[offset..offset + items.size()]));
                text_column(texts, want, &layout.columns[want.field].field.name)
            }
            _ => records::column(&layout.columns[want.field], want, count, number),
        };
        let part = records::fill_with(&layout.columns, &wanted, count, u64::MAX, number, column)
            .map_err(|bad| bad.error(&archive.file, "row", done))?;
        reading.push(part)?;
        done += count as u64;
    }
    Ok(())
}

/// The column of these texts.
fn text_column(texts: impl Iterator<Item = String>, want: &Want, name: &str) -> Result<ColumnBuilder, BadRow> {
    let mut column = ColumnBuilder::new(want.kind);
    for (row, text) in texts.enumerate() {
        let refuse = |accepted| BadRow {
            row,
            message: format!(
                "{} must be {accepted}, got {:?}",
                did_you_mean::shortened(name),
                did_you_mean::shortened(&text)
            ),
        };
        want.push(&mut column, text.as_bytes()).map_err(refuse)?;
    }
    Ok(column)
}

/// The error for a member that ends early or is damaged.
fn broken(archive: &SeekableFile, name: &str, source: io::Error) -> Error {
    if source.kind() == io::ErrorKind::UnexpectedEof {
        let message = format!("the array {name} is cut short: its header promises more rows");
        return Error::input(&archive.file, None, message);
    }
    archive.io_error(source)
}

fn arrays(archive: &SeekableFile) -> Result<Vec<NpzArray>> {
    let (mut arrays, mut headers) = (Vec::new(), 0);
    for member in zip::members(archive)? {
        let Some(name) = member.name.strip_suffix(".npy").map(str::to_owned) else { continue };
        let mut content = zip::open(archive, &member)?;
        let array = array(archive, name, Some(member), &mut content)?;
        array.check_size(&archive.file)?;
        headers += array.head;
        arrays.push(array);
        if headers > MOST_HEADERS {
            let message = "the headers of its arrays have more than 4 MiB, which are not read";
            return Err(Error::input(&archive.file, None, message));
        }
    }
    if arrays.is_empty() {
        return Err(Error::input(&archive.file, None, "the archive has no arrays: no member ends in .npy"));
    }
    Ok(arrays)
}

fn array(file: &SeekableFile, name: String, member: Option<Member>, content: &mut impl Read) -> Result<NpzArray> {
    let mut head = 0;
    let header = npy::header(|count| {
        let mut bytes = Vec::new();
        let read = content.by_ref().take(count as u64).read_to_end(&mut bytes);
        let whole = read.map_err(|source| broken(file, &name, source))? == count;
        head += count as u64;
        whole.then_some(bytes).ok_or_else(|| broken(file, &name, io::ErrorKind::UnexpectedEof.into()))
    })?;
    let shaped = header.and_then(|header| npy::shaped(&header));
    Ok(NpzArray { name, member, head, shaped })
}

impl NpzArray {
    /// Refuses a member that has more bytes than the array's header promises.
    fn check_size(&self, file: &str) -> Result<()> {
        let (Some(member), Ok(shaped)) = (&self.member, &self.shaped) else { return Ok(()) };
        let items = shaped.shape.iter().fold(1, |items: u64, length| items.saturating_mul(*length));
        let promised = self.head.saturating_add(items.saturating_mul(shaped.items.size() as u64));
        if member.size <= promised {
            return Ok(());
        }
        let (name, size) = (did_you_mean::shortened(&self.name), member.size);
        let message = format!("the array {name} must have {promised} bytes, as its header promises, got {size}");
        Err(Error::input(file, None, message))
    }

    /// The length of the first axis.
    fn rows(&self) -> u64 {
        self.shaped.as_ref().ok().and_then(|shaped| shaped.shape.first().copied()).unwrap_or(0)
    }

    fn has_axes(&self, axes: usize) -> bool {
        matches!(&self.shaped, Ok(Shaped { items: NpyItems::Numbers(..), shape, .. }) if shape.len() == axes)
    }

    /// Whether rows can be positions: two to four numbers each, or named columns.
    fn fits(&self) -> bool {
        match &self.shaped {
            Ok(Shaped { items: NpyItems::Numbers(..), shape, .. }) => shape.len() == 2 && (2..=4).contains(&shape[1]),
            Ok(Shaped { items: NpyItems::Rows(_), shape, .. }) => shape.len() == 1,
            Ok(Shaped { items: NpyItems::Texts(_), .. }) => false,
            Err(_) => false,
        }
    }

    /// The name with the shape, or with the reason why it is not read.
    fn describe(&self) -> String {
        let name = did_you_mean::shortened(&self.name);
        match &self.shaped {
            Ok(Shaped { shape, .. }) => {
                let axes: Vec<_> = shape.iter().map(u64::to_string).collect();
                format!("{name} ({})", axes.join(" x "))
            }
            Err(message) => format!("{name} ({message})"),
        }
    }
}

/// The index of the array of positions, or the message that there is none.
fn positions(arrays: &[NpzArray]) -> Result<usize, String> {
    let find = |name: &str| arrays.iter().position(|array| array.name.eq_ignore_ascii_case(name));
    // one array per coordinate
    let single = |name: &str| find(name).filter(|&array| arrays[array].has_axes(1));
    if let (Some(x), Some(y)) = (single("x"), single("y"))
        && arrays[x].rows() == arrays[y].rows()
    {
        return Ok(x);
    }
    if let Some(known) = POSITIONS.iter().find_map(|name| find(name).filter(|&array| arrays[array].fits())) {
        return Ok(known);
    }
    if let [only] = arrays
        && only.has_axes(2)
    {
        return Ok(0);
    }
    let is_color = |array: &NpzArray| COLORS.iter().any(|name| array.name.eq_ignore_ascii_case(name));
    let fitting: Vec<usize> =
        (0..arrays.len()).filter(|&array| arrays[array].fits() && !is_color(&arrays[array])).collect();
    if let [only] = fitting[..] {
        return Ok(only);
    }
    let all: Vec<_> = arrays.iter().map(NpzArray::describe).collect();
    let found = if fitting.is_empty() { "none has 2 to 4 numbers a row" } else { "several have 2 to 4 numbers a row" };
    Err(format!(
        "which array has the positions? {found}; name one positions or xyz, or three of them x, y and z (arrays: {})",
        did_you_mean::list(all.iter().map(String::as_str))
    ))
}

/// The columns of the table: first of the positions, then of other arrays with the same number of rows.
fn layout(arrays: &[NpzArray], positions: usize, rows: u64) -> ArrayLayout {
    let mut layout = ArrayLayout::default();
    let others = (0..arrays.len()).filter(|&array| array != positions && arrays[array].rows() == rows);
    for index in std::iter::once(positions).chain(others) {
        let Ok(Shaped { items, shape, by_column }) = &arrays[index].shaped else { continue };
        let name = arrays[index].name.as_str();
        let renamed = RENAMED.iter().find(|(from, _)| name.eq_ignore_ascii_case(from)).map_or(name, |(_, to)| to);
        let head = arrays[index].head;
        match (items, shape.as_slice()) {
            (NpyItems::Rows(StructuredRows { columns, places, texts, endian, size }), [_]) => {
                let first = [layout.numbers.len(), layout.texts.len()];
                let strand = layout.strands.len();
                layout.strands.push(Strand { array: index, skip: head, row: *size, endian: *endian });
                layout.texts.extend(texts.iter().map(|&(offset, items)| ArrayText { strand, offset, items }));
                layout.numbers.extend(places.iter().map(|&place| ArrayNumber { strand, place }));
                layout.columns.extend(columns.iter().cloned().map(|column| moved(column, first)));
            }
            (NpyItems::Numbers(scalar, endian), [_]) => {
                let strand = Strand { array: index, skip: head, row: scalar.size(), endian: *endian };
                layout.add(strand, &[renamed.to_owned()], *scalar);
            }
            (NpyItems::Texts(items), [_]) => {
                let strand = Strand { array: index, skip: head, row: items.size(), endian: Endian::Little };
                let name =
                    SINGULAR.iter().find(|(from, _)| name.eq_ignore_ascii_case(from)).map_or(renamed, |(_, to)| to);
                let content = FieldContent::Text(layout.texts.len());
                layout.columns.push(RecordColumn { field: Field::new(name, Kind::Name), content });
                layout.texts.push(ArrayText { strand: layout.strands.len(), offset: 0, items: *items });
                layout.strands.push(strand);
            }
            (NpyItems::Numbers(scalar, endian), &[_, width]) => {
                let Some(names) = names(renamed, width, index == positions) else { continue };
                let size = scalar.size();
                if *by_column {
                    for (name, column) in names.into_iter().zip(0..) {
                        let skip = head.saturating_add(rows.saturating_mul(size as u64).saturating_mul(column));
                        layout.add(Strand { array: index, skip, row: size, endian: *endian }, &[name], *scalar);
                    }
                } else {
                    layout.add(
                        Strand { array: index, skip: head, row: size * names.len(), endian: *endian },
                        &names,
                        *scalar,
                    );
                }
            }
            _ => {}
        }
    }
    let numbers = &layout.numbers;
    layout.columns = with_color(layout.columns, |index| numbers[index].place.scalar == Scalar::U8);
    layout
}

impl ArrayLayout {
    /// Adds the interleaved columns of a strand.
    fn add(&mut self, strand: Strand, names: &[String], scalar: Scalar) {
        for (name, place) in names.iter().zip(records::places(std::iter::repeat_n(scalar, names.len()))) {
            self.columns.push(RecordColumn::number(name.clone(), scalar.kind(), self.numbers.len()));
            self.numbers.push(ArrayNumber { strand: self.strands.len(), place });
        }
        self.strands.push(strand);
    }
}

/// The names of the columns of an array of two axes; `None` if there are too many.
fn names(name: &str, width: u64, is_positions: bool) -> Option<Vec<String>> {
    if is_positions {
        let (columns, _) = npy::plain(Scalar::F32, width)?;
        return Some(columns.into_iter().map(|column| column.field.name).collect());
    }
    if !(1..=WIDEST).contains(&width) {
        return None;
    }
    if matches!(width, 3 | 4) && COLORS.iter().any(|known| name.eq_ignore_ascii_case(known)) {
        let channels = ["red", "green", "blue", "alpha"].into_iter().map(str::to_owned);
        return Some(channels.take(usize::try_from(width).unwrap_or(3)).collect());
    }
    Some((1..=width).map(|column| if width == 1 { name.to_owned() } else { format!("{name}{column}") }).collect())
}

/// A column with its indices of numbers and of texts shifted.
fn moved(column: RecordColumn, [first, first_text]: [usize; 2]) -> RecordColumn {
    let content = match column.content {
        FieldContent::Number(index) => FieldContent::Number(index + first),
        FieldContent::Color { channels, alpha, full } => FieldContent::Color {
            channels: channels.map(|index| index + first),
            alpha: alpha.map(|index| index + first),
            full,
        },
        FieldContent::Text(index) => FieldContent::Text(index + first_text),
    };
    RecordColumn { content, ..column }
}

fn used(layout: &ArrayLayout, wanted: &Wanted, all: bool) -> Vec<bool> {
    let mut used = vec![all; layout.strands.len()];
    for field in wanted.fields() {
        let column = &layout.columns[field];
        column.numbers().for_each(|index| used[layout.numbers[index].strand] = true);
        if let FieldContent::Text(text) = column.content {
            used[layout.texts[text].strand] = true;
        }
    }
    used
}

fn open(archive: &SeekableFile, array: &NpzArray, strand: &Strand) -> Result<NpzSource> {
    let Some(member) = &array.member else {
        let mut reader = archive.reader();
        reader.seek(SeekFrom::Start(strand.skip)).map_err(|source| archive.io_error(source))?;
        return Ok(NpzSource::File(reader));
    };
    let mut content = zip::open(archive, member)?;
    let skipped = io::copy(&mut content.by_ref().take(strand.skip), &mut io::sink());
    skipped.map_err(|source| broken(archive, &array.name, source))?;
    Ok(NpzSource::Member(content))
}
