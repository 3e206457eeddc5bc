//! Tables in Apache Arrow's IPC format: streams, and files (Feather, version 2), which say at their end where batches begin.
//!
//! A batch of rows is read at a time, and decoded as far as its columns are wanted. Values inside of structures are columns, and so
//! are the items of lists of one length; other lists are left out.
//!
//! Source: Apache Arrow, "Arrow Columnar Format", serialization and interprocess communication.

use std::io::{self, Chain, Cursor, Read, Seek, SeekFrom};
use std::sync::Arc;
use std::vec::IntoIter;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Date32Type, Date64Type, Decimal32Type, Decimal64Type, Decimal128Type, DurationMicrosecondType,
    DurationMillisecondType, DurationNanosecondType, DurationSecondType, Float16Type, Float32Type, Float64Type,
    Int8Type, Int16Type, Int32Type, Int64Type, Time32MillisecondType, Time32SecondType, Time64MicrosecondType,
    Time64NanosecondType, TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType,
    TimestampSecondType, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_buffer::{Buffer, MutableBuffer, NullBuffer};
use arrow_ipc::{CompressionType, Message, MessageHeader};
use arrow_schema::{DataType, Schema, TimeUnit};
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use super::batch::{self, ColumnLayout, ROWS};
use super::guard::guarded;
use super::reading::Reading;
use super::wanted::Field;
use crate::data::{Kind, Values};
use crate::error::{Error, Result};
use crate::io::memory_quota::Quota;
use crate::io::source::columns::GrowingColumn;
use crate::io::source::input::{Stream, io_error};
use crate::io::source::whole::{Reader, Whole};

/// The first bytes of a file, and the last.
const FILE: &[u8] = b"ARROW1";

/// Bytes after the description of the batches: its length and the mark.
const END: usize = 10;

/// The first bytes of a message. Older ones begin with their length.
const CONTINUED: [u8; 4] = [0xff; 4];

/// The largest description of a batch or of a table.
const LARGEST_MESSAGE: u32 = 1 << 28;

/// Bytes that are made room for before they are there.
const RESERVED: u64 = 1 << 24;

/// The most bytes that a byte of LZ4 stands for.
const LARGEST_RATIO: i64 = 256;

/// The most items of a list that becomes one column per item.
const WIDEST: i32 = 16;

/// Whether a file is one of Arrow's: a file, or a stream that begins with the description of a table.
pub(super) fn sniff(bytes: &[u8]) -> bool {
    let describes = || {
        let [_, _, _, _, length @ ..] = bytes.first_chunk::<8>()?;
        let length = usize::try_from(u32::from_le_bytes(*length)).ok()?;
        let message = bytes.get(8..)?;
        let message = &message[..length.min(message.len())];
        // a message that goes on past these bytes cannot be parsed, and is taken for a schema
        Some(message.len() < length || arrow_ipc::root_as_message(message).ok()?.header_as_schema().is_some())
    };
    bytes.starts_with(FILE) || (bytes.starts_with(&CONTINUED) && describes() == Some(true))
}

/// A column of the table that is read: the way to it from the outermost one.
#[derive(Clone, Debug)]
struct ArrowLeaf {
    /// Path to the column: index in the table, then in nested structures.
    path: Vec<usize>,
    /// Which of the items of a list of how many.
    item: Option<(usize, usize)>,
}

/// The messages of a stream or a file, one after the other.
struct Messages {
    file: String,
    source: ArrowSource,
    quota: Quota,
    /// The last message without its body.
    head: Vec<u8>,
}

/// Where messages are.
enum ArrowSource {
    Stream(Chain<Cursor<Vec<u8>>, Box<dyn Read + Send>>),
    /// From the places that are left.
    File(Reader, IntoIter<u64>),
}

impl Read for ArrowSource {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Stream(stream) => stream.read(buffer),
            Self::File(file, _) => file.read(buffer),
        }
    }
}

/// Reads the rows.
pub(super) fn read(stream: Stream, reading: &mut Reading<'_>) -> Result<()> {
    reading.only_first_frame()?;
    let (file, quota) = (stream.name.clone(), stream.quota);
    let refuse = |message: String| Error::input(&file, None, message);
    let mut messages = Messages {
        file: file.clone(),
        source: ArrowSource::Stream(Cursor::new(Vec::new()).chain(Box::new(io::empty()))),
        quota,
        head: Vec::new(),
    };
    let schema = if stream.head.starts_with(FILE) {
        let (source, schema) = opened(&Whole::new(stream)?)?;
        messages.source = source;
        schema
    } else {
        messages.source = ArrowSource::Stream(Cursor::new(stream.head).chain(stream.rest));
        messages.next()?;
        guarded(|| first_schema(&messages.head)).map_err(refuse)?
    };
    let (mut leaves, mut fields, mut left_out) = (Vec::new(), Vec::new(), Vec::new());
    for (index, field) in schema.fields().iter().enumerate() {
        flatten(field, &mut vec![index], &mut vec![field.name()], &mut |path, item, names, kind| match kind {
            Some(kind) => {
                leaves.push(ArrowLeaf { path: path.to_vec(), item });
                fields.push(Field::new(name(names, item), kind));
            }
            None => left_out.push(names.join(".")),
        });
    }
    reading.facts.notes.extend(batch::left_out(&file, &left_out));
    let layout = ColumnLayout::new(fields.into_iter());
    let wanted = reading.begin(layout.header())?;
    let needed = layout.needed(&wanted, reading.wants_record());
    let needed = &needed[..leaves.len()];
    let mut projection: Vec<usize> =
        leaves.iter().zip(needed).filter(|(_, needed)| **needed).map(|(leaf, _)| leaf.path[0]).collect();
    projection.dedup();
    let texts = batch::most_text(&quota, needed.iter().filter(|needed| **needed).count());
    let is_used = |leaf: &ArrowLeaf| projection.binary_search(&leaf.path[0]).ok();
    let schema = Arc::new(schema);
    let mut dictionaries = Default::default();
    while messages.next()? {
        let body = messages.body()?;
        let message = message(&messages.head).map_err(refuse)?;
        let rows = match message.header_type() {
            MessageHeader::DictionaryBatch => {
                let dictionary = message.header_as_dictionary_batch();
                let data = dictionary.and_then(|dictionary| dictionary.data());
                check(data, &body).map_err(refuse)?;
                let decode = || {
                    let dictionary = dictionary.ok_or("a dictionary is missing")?;
                    arrow_ipc::reader::read_dictionary(
                        &body,
                        dictionary,
                        &schema,
                        &mut dictionaries,
                        &message.version(),
                    )
                    .map_err(|error| error.to_string())
                };
                guarded(decode).map_err(refuse)?;
                let held: usize = dictionaries.values().map(|values: &ArrayRef| values.get_array_memory_size()).sum();
                quota.check_memory(held as u64, || format!("{file}: the dictionaries have {held} bytes"))?;
                continue;
            }
            MessageHeader::RecordBatch => {
                let batch = message.header_as_record_batch();
                check(batch, &body).map_err(refuse)?;
                let decode = || {
                    let batch = batch.ok_or("a batch is missing")?;
                    let (schema, version) = (schema.clone(), message.version());
                    arrow_ipc::reader::read_record_batch(
                        &body,
                        batch,
                        schema,
                        &dictionaries,
                        Some(&projection),
                        &version,
                    )
                    .map_err(|error| error.to_string())
                };
                guarded(decode).map_err(refuse)?
            }
            // whatever else there may be
            _ => continue,
        };
        drop(body);
        let total = reading.records().saturating_add(rows.num_rows() as u64);
        reading.check_rows(total, || format!("{file}: the table has {total} rows up to here"))?;
        for start in (0..rows.num_rows()).step_by(ROWS) {
            let some: RecordBatch = rows.slice(start, ROWS.min(rows.num_rows() - start));
            let columns: Vec<_> = leaves.iter().zip(needed).collect();
            let cells = columns.par_iter().map(|(leaf, needed)| match (is_used(leaf), needed) {
                (Some(place), true) => guarded(|| grow(some.column(place), leaf, texts)).map(Some),
                _ => Ok(None),
            });
            let cells: Result<Vec<_>, String> = cells.collect();
            layout.push(reading, some.num_rows(), &cells.map_err(refuse)?)?;
        }
    }
    if reading.records() == 0 {
        return Err(refuse("the table has no rows".to_owned()));
    }
    Ok(())
}

/// The places of the batches of a file, dictionaries first, and the description of its table.
fn opened(file: &Whole) -> Result<(ArrowSource, Schema)> {
    let refuse = |message: String| Error::input(&file.file, None, message);
    let short = || refuse("the file is cut short".to_owned());
    let broken = |source| file.io_error(source);
    let mut reader = file.reader();
    let length = reader.seek(SeekFrom::End(0)).map_err(broken)?;
    let end = length.checked_sub(END as u64).ok_or_else(short)?;
    let mut last = [0; END];
    reader.seek(SeekFrom::Start(end)).map_err(broken)?;
    reader.read_exact(&mut last).map_err(broken)?;
    let size = last.first_chunk().map_or(0, |size| u32::from_le_bytes(*size));
    let start = end.checked_sub(u64::from(size)).filter(|_| last.ends_with(FILE)).ok_or_else(short)?;
    reader.seek(SeekFrom::Start(start)).map_err(broken)?;
    let mut footer = Vec::new();
    reader.by_ref().take(u64::from(size)).read_to_end(&mut footer).map_err(broken)?;
    let open = || {
        let footer = arrow_ipc::root_as_footer(&footer).map_err(|_| "the list of batches cannot be read".to_owned())?;
        let table = schema(footer.schema().ok_or("the table is not described")?)?;
        let blocks = footer.dictionaries().into_iter().flatten().chain(footer.recordBatches().into_iter().flatten());
        let places = blocks.map(|block| u64::try_from(block.offset()).map_err(|_| "a batch has no place".to_owned()));
        Ok((places.collect::<Result<Vec<_>, String>>()?, table))
    };
    let (places, table) = guarded(open).map_err(refuse)?;
    Ok((ArrowSource::File(reader, places.into_iter()), table))
}

impl Messages {
    /// Reads the next message without its body; false at the end.
    fn next(&mut self) -> Result<bool> {
        if let ArrowSource::File(file, places) = &mut self.source {
            let Some(place) = places.next() else { return Ok(false) };
            file.seek(SeekFrom::Start(place)).map_err(|source| io_error(&self.file, source))?;
        }
        let is_file = matches!(self.source, ArrowSource::File(..));
        let mut length = [0; 4];
        if !self.fill(&mut length)? {
            return if is_file { Err(self.refuse("the file is cut short")) } else { Ok(false) };
        }
        if length == CONTINUED && !self.fill(&mut length)? {
            return Err(self.refuse("the file is cut short"));
        }
        let length = u32::from_le_bytes(length);
        if length == 0 {
            return Ok(false);
        }
        if length > LARGEST_MESSAGE {
            return Err(self.refuse("the file is damaged: the description of a batch is too long"));
        }
        self.head.clear();
        let read = self.source.by_ref().take(u64::from(length)).read_to_end(&mut self.head);
        if read.map_err(|source| io_error(&self.file, source))? as u64 != u64::from(length) {
            return Err(self.refuse("the file is cut short"));
        }
        Ok(true)
    }

    /// Reads the body of that message.
    fn body(&mut self) -> Result<Buffer> {
        let length = message(&self.head).map_err(|message| self.refuse(&message))?.bodyLength();
        let length = u64::try_from(length).map_err(|_| self.refuse("the file is damaged: a batch has no length"))?;
        self.quota.check_memory(length, || format!("{}: a batch has {length} bytes", self.file))?;
        // sized by the bytes that exist, not by the stated length, and aligned for numbers
        let mut bytes = MutableBuffer::new(0);
        let mut read = 0;
        while read < length {
            let end = length.min((2 * read).max(RESERVED));
            bytes.resize(usize::try_from(end).expect("a batch fits memory"), 0);
            let start = usize::try_from(read).expect("less than before");
            if !self.fill(&mut bytes.as_slice_mut()[start..])? {
                return Err(self.refuse("the file is cut short"));
            }
            read = end;
        }
        Ok(bytes.into())
    }

    /// Fills the buffer; false at the end of the stream.
    fn fill(&mut self, bytes: &mut [u8]) -> Result<bool> {
        let mut filled = 0;
        while filled < bytes.len() {
            match self.source.read(&mut bytes[filled..]) {
                Ok(0) if filled == 0 => return Ok(false),
                Ok(0) => return Err(self.refuse("the file is cut short")),
                Ok(count) => filled += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(source) => return Err(io_error(&self.file, source)),
            }
        }
        Ok(true)
    }

    fn refuse(&self, message: &str) -> Error {
        Error::input(&self.file, None, message)
    }
}

fn message(head: &[u8]) -> Result<Message<'_>, String> {
    arrow_ipc::root_as_message(head).map_err(|_| "the file is damaged: a message cannot be read".to_owned())
}

fn first_schema(head: &[u8]) -> Result<Schema, String> {
    let found = arrow_ipc::root_as_message(head).ok().and_then(|message| message.header_as_schema());
    schema(found.ok_or("it does not begin with the description of a table")?)
}

fn schema(schema: arrow_ipc::Schema<'_>) -> Result<Schema, String> {
    if !schema.endianness().equals_to_target_endianness() {
        return Err("numbers are in the other order of bytes".to_owned());
    }
    arrow_ipc::convert::try_fb_to_schema(schema).map_err(|error| error.to_string())
}

/// Refuses batches with an unsupported compression, with buffers outside of their bodies, and with buffers that claim an impossible
/// size: the decoder would panic, or allocate that much.
fn check(batch: Option<arrow_ipc::RecordBatch<'_>>, body: &[u8]) -> Result<(), String> {
    let Some(batch) = batch else { return Ok(()) };
    let compression = batch.compression().map(|compression| compression.codec());
    if let Some(codec) = compression.filter(|codec| *codec != CompressionType::LZ4_FRAME) {
        let codec = codec.variant_name().unwrap_or("an unknown method").to_lowercase();
        return Err(format!("batches compressed by {codec} are not read; uncompressed ones and those of lz4 are"));
    }
    for part in batch.buffers().into_iter().flatten() {
        let (start, length) = (usize::try_from(part.offset()), usize::try_from(part.length()));
        let bytes = match (start, length) {
            (Ok(start), Ok(length)) => body.get(start..).and_then(|bytes| bytes.get(..length)),
            _ => None,
        };
        let Some(bytes) = bytes else {
            return Err("the file is damaged: a part of a batch is outside of it".to_owned());
        };
        let size = bytes.first_chunk().map_or(0, |bytes| i64::from_le_bytes(*bytes));
        if compression.is_some() && size > part.length().saturating_mul(LARGEST_RATIO) {
            return Err("the file is damaged: a part of a batch says that it is larger than it can be".to_owned());
        }
    }
    Ok(())
}

/// Receives each column: its path, the item of a list, the names along the path, and the type if it can be read.
type Take<'a> = dyn FnMut(&[usize], Option<(usize, usize)>, &[&str], Option<Kind>) + 'a;

/// Finds the columns that a column consists of.
fn flatten<'a>(
    field: &'a arrow_schema::Field,
    path: &mut Vec<usize>,
    names: &mut Vec<&'a String>,
    take: &mut Take<'_>,
) {
    let texts: Vec<&str> = names.iter().map(|name| name.as_str()).collect();
    match field.data_type() {
        DataType::Struct(fields) => {
            for (index, field) in fields.iter().enumerate() {
                path.push(index);
                names.push(field.name());
                flatten(field, path, names, take);
                path.pop();
                names.pop();
            }
        }
        &DataType::FixedSizeList(ref items, count) if (1..=WIDEST).contains(&count) => {
            let kind = kind(items.data_type());
            if kind.is_none() {
                return take(path, None, &texts, None);
            }
            let count = usize::try_from(count).unwrap_or(0);
            (0..count).for_each(|item| take(path, Some((item, count)), &texts, kind));
        }
        other => take(path, None, &texts, kind(other)),
    }
}

/// The name of a column: items of a list are numbered, but items of positions and velocities are coordinates.
fn name(names: &[&str], item: Option<(usize, usize)>) -> String {
    let name = batch::name(names);
    match (item, name.as_str()) {
        (None, _) => name,
        (Some((item, 2 | 3)), "position" | "positions" | "pos" | "xyz" | "center") => ["x", "y", "z"][item].to_owned(),
        (Some((item, 3)), "velocity" | "velocities" | "vel") => ["vx", "vy", "vz"][item].to_owned(),
        (Some((item, _)), name) => format!("{name}{}", item + 1),
    }
}

/// The type of a column; `None` if it is not read.
fn kind(data_type: &DataType) -> Option<Kind> {
    use DataType as D;
    Some(match data_type {
        D::Boolean | D::Utf8 | D::LargeUtf8 | D::Utf8View | D::Binary | D::LargeBinary | D::BinaryView => Kind::Name,
        D::Int8 | D::Int16 | D::Int32 | D::Int64 | D::UInt8 | D::UInt16 | D::UInt32 => Kind::Integer,
        D::Date32 | D::Date64 | D::Time32(_) | D::Time64(_) | D::Timestamp(..) | D::Duration(_) => Kind::Integer,
        D::Float16 | D::Float32 => Kind::F32,
        // half of all unsigned numbers are too large for signed ones
        D::Float64 | D::UInt64 | D::Decimal32(..) | D::Decimal64(..) | D::Decimal128(..) => Kind::F64,
        D::Dictionary(_, values) if !matches!(**values, D::Dictionary(..)) => kind(values)?,
        _ => return None,
    })
}

/// The values of a column.
fn grow(column: &ArrayRef, leaf: &ArrowLeaf, texts: usize) -> Result<GrowingColumn, String> {
    let (mut column, mut nulls) = (column.clone(), column.nulls().cloned());
    for &index in &leaf.path[1..] {
        column = column.as_struct().column(index).clone();
        nulls = NullBuffer::union(nulls.as_ref(), column.nulls());
    }
    let rows = column.len();
    let Some((item, count)) = leaf.item else {
        let place = |row: usize| nulls.as_ref().is_none_or(|nulls| nulls.is_valid(row)).then_some(row);
        return cells(&column, ArrowRows { rows, place: &place, texts });
    };
    let list = column.as_fixed_size_list();
    let (values, first) = (list.values().clone(), list.value_offset_at(0));
    let place = |row: usize| {
        let place = first + row * count + item;
        (nulls.as_ref().is_none_or(|nulls| nulls.is_valid(row)) && values.is_valid(place)).then_some(place)
    };
    cells(&values, ArrowRows { rows, place: &place, texts })
}

/// The values of rows, gathered by index; an index may be missing.
fn cells(values: &ArrayRef, rows: ArrowRows<'_>) -> Result<GrowingColumn, String> {
    use DataType as D;
    Ok(match values.data_type() {
        D::Boolean => {
            let values = values.as_boolean();
            rows.names(|at| if values.value(at) { b"true".as_slice() } else { b"false" })?
        }
        D::Utf8 => rows.names(|at| values.as_string::<i32>().value(at).as_bytes())?,
        D::LargeUtf8 => rows.names(|at| values.as_string::<i64>().value(at).as_bytes())?,
        D::Utf8View => rows.names(|at| values.as_string_view().value(at).as_bytes())?,
        D::Binary => rows.names(|at| values.as_binary::<i32>().value(at))?,
        D::LargeBinary => rows.names(|at| values.as_binary::<i64>().value(at))?,
        D::BinaryView => rows.names(|at| values.as_binary_view().value(at))?,
        D::Int8 => rows.integers::<Int8Type>(values),
        D::Int16 => rows.integers::<Int16Type>(values),
        D::Int32 => rows.integers::<Int32Type>(values),
        D::Int64 => rows.integers::<Int64Type>(values),
        D::UInt8 => rows.integers::<UInt8Type>(values),
        D::UInt16 => rows.integers::<UInt16Type>(values),
        D::UInt32 => rows.integers::<UInt32Type>(values),
        D::Date32 => rows.integers::<Date32Type>(values),
        D::Date64 => rows.integers::<Date64Type>(values),
        D::Time32(TimeUnit::Second) => rows.integers::<Time32SecondType>(values),
        D::Time32(_) => rows.integers::<Time32MillisecondType>(values),
        D::Time64(TimeUnit::Microsecond) => rows.integers::<Time64MicrosecondType>(values),
        D::Time64(_) => rows.integers::<Time64NanosecondType>(values),
        D::Timestamp(TimeUnit::Second, _) => rows.integers::<TimestampSecondType>(values),
        D::Timestamp(TimeUnit::Millisecond, _) => rows.integers::<TimestampMillisecondType>(values),
        D::Timestamp(TimeUnit::Microsecond, _) => rows.integers::<TimestampMicrosecondType>(values),
        D::Timestamp(TimeUnit::Nanosecond, _) => rows.integers::<TimestampNanosecondType>(values),
        D::Duration(TimeUnit::Second) => rows.integers::<DurationSecondType>(values),
        D::Duration(TimeUnit::Millisecond) => rows.integers::<DurationMillisecondType>(values),
        D::Duration(TimeUnit::Microsecond) => rows.integers::<DurationMicrosecondType>(values),
        D::Duration(TimeUnit::Nanosecond) => rows.integers::<DurationNanosecondType>(values),
        D::Float16 => GrowingColumn::F32(rows.numbers::<Float16Type, f32>(values, f32::from, f32::NAN)),
        D::Float32 => GrowingColumn::F32(rows.numbers::<Float32Type, f32>(values, |value| value, f32::NAN)),
        D::Float64 => GrowingColumn::F64(rows.numbers::<Float64Type, f64>(values, |value| value, f64::NAN)),
        D::UInt64 => GrowingColumn::F64(rows.numbers::<UInt64Type, f64>(values, |value| value as f64, f64::NAN)),
        &D::Decimal32(_, scale) => GrowingColumn::F64(rows.numbers::<Decimal32Type, f64>(
            values,
            |value| f64::from(value) / unit(scale),
            f64::NAN,
        )),
        &D::Decimal64(_, scale) => {
            GrowingColumn::F64(rows.numbers::<Decimal64Type, f64>(values, |value| value as f64 / unit(scale), f64::NAN))
        }
        &D::Decimal128(_, scale) => GrowingColumn::F64(rows.numbers::<Decimal128Type, f64>(
            values,
            |value| value as f64 / unit(scale),
            f64::NAN,
        )),
        D::Dictionary(..) => {
            let dictionary = values.as_any_dictionary();
            let (keys, values) = (dictionary.keys(), dictionary.values());
            let places = if values.is_empty() { Vec::new() } else { dictionary.normalized_keys() };
            let place = |row: usize| {
                let key = (rows.place)(row).filter(|&at| keys.is_valid(at))?;
                places.get(key).copied().filter(|&at| values.is_valid(at))
            };
            cells(values, ArrowRows { place: &place, ..rows })?
        }
        other => return Err(format!("{other} is not read")),
    })
}

/// Rows, and the place of each among values.
#[derive(Clone, Copy)]
struct ArrowRows<'a> {
    rows: usize,
    place: &'a dyn Fn(usize) -> Option<usize>,
    /// The most bytes that their texts stand for.
    texts: usize,
}

impl ArrowRows<'_> {
    fn names<'v>(self, name: impl Fn(usize) -> &'v [u8]) -> Result<GrowingColumn, String> {
        batch::names((0..self.rows).map(|row| (self.place)(row).map(&name)), self.texts)
    }

    fn numbers<T: ArrowPrimitiveType, U: Copy>(
        self,
        values: &ArrayRef,
        number: impl Fn(T::Native) -> U,
        missing: U,
    ) -> Vec<U> {
        let values = values.as_primitive::<T>().values();
        (0..self.rows).map(|row| (self.place)(row).map_or(missing, |at| number(values[at]))).collect()
    }

    fn integers<T: ArrowPrimitiveType<Native: Into<i64>>>(self, values: &ArrayRef) -> GrowingColumn {
        GrowingColumn::Integers(self.numbers::<T, i64>(values, Into::into, Values::NO_INTEGER))
    }
}

/// A power of ten: multiplied, because powers of std are not the same everywhere.
fn unit(scale: i8) -> f64 {
    (0..scale.clamp(0, 64)).fold(1.0, |unit, _| unit * 10.0)
}
