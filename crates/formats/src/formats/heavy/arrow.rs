//! Tables in Apache Arrow's IPC format: streams, and files (Feather, version 2), which end with the offsets of their
//! batches.
//!
//! One batch of rows is read at a time, and only its wanted columns are decoded. Values in structures become columns,
//! and so do the items of fixed-size lists; other lists are left out.
//!
//! Source: Apache Arrow, "Arrow Columnar Format", serialization and interprocess communication.

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Date32Type, Date64Type, Decimal32Type, Decimal64Type, Decimal128Type, DurationMicrosecondType,
    DurationMillisecondType, DurationNanosecondType, DurationSecondType, Float16Type, Float32Type, Float64Type,
    Int8Type, Int16Type, Int32Type, Int64Type, Time32MillisecondType, Time32SecondType, Time64MicrosecondType,
    Time64NanosecondType, TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType,
    TimestampSecondType, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_buffer::NullBuffer;
use arrow_schema::{DataType, TimeUnit};
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use super::arrow_messages::{Batches, Messages};
use super::batch::{self, ColumnLayout, DateUnit, ROWS, SNIFFED};
use crate::data::{Kind, Values};
use crate::error::{Error, Result};
use crate::formats::guard::guarded;
use crate::formats::reading::Reading;
use crate::formats::wanted::Field;
use crate::source::columns::ColumnBuilder;
use crate::source::input::Stream;

/// The most items of a list that becomes one column per item.
const WIDEST: i32 = 16;

/// A column without columns inside.
#[derive(Clone, Debug)]
struct ArrowLeaf {
    /// Path to the column: index in the table, then in nested structures.
    path: Vec<usize>,
    /// An item of a list: its index, and the length of the list.
    item: Option<(usize, usize)>,
}

pub(super) fn read(stream: Stream, reading: &mut Reading<'_>) -> Result<()> {
    reading.only_first_frame()?;
    let (messages, schema) = Messages::open(stream)?;
    let (file, quota) = (messages.file.clone(), messages.quota);
    let refuse = |message: String| Error::input(&file, None, message);
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
    let mut batches = Batches::new(messages, schema);
    find_colors(&mut batches, &leaves, &mut fields, quota.memory_left())?;
    let layout = ColumnLayout::new(fields.into_iter());
    let wanted = reading.begin(layout.header())?;
    let needed = layout.needed(&wanted, reading.wants_record());
    let columns: Vec<(&ArrowLeaf, bool)> = leaves.iter().zip(needed.iter().copied()).collect();
    let mut projection: Vec<usize> =
        columns.iter().filter(|(_, needed)| *needed).map(|(leaf, _)| leaf.path[0]).collect();
    let texts = batch::most_text(&quota, projection.len());
    projection.dedup();
    let is_used = |leaf: &ArrowLeaf| projection.binary_search(&leaf.path[0]).ok();
    while let Some(rows) = batches.next(&projection)? {
        let total = reading.records().saturating_add(rows.num_rows() as u64);
        reading.check_rows(total, || format!("{file}: the table has {total} rows up to here"))?;
        for start in (0..rows.num_rows()).step_by(ROWS) {
            let some: RecordBatch = rows.slice(start, ROWS.min(rows.num_rows() - start));
            let cells = columns.par_iter().map(|&(leaf, needed)| match is_used(leaf).filter(|_| needed) {
                Some(place) => guarded(|| grow(some.column(place), leaf, texts)).map(Some),
                None => Ok(None),
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

/// Finds the columns of text that hold colours, from the first rows.
fn find_colors(batches: &mut Batches, leaves: &[ArrowLeaf], fields: &mut [Field], texts: usize) -> Result<()> {
    let mut named = leaves.iter().zip(fields).filter(|(_, field)| field.kind == Kind::Name).collect::<Vec<_>>();
    let mut projection: Vec<usize> = named.iter().map(|(leaf, _)| leaf.path[0]).collect();
    projection.dedup();
    if projection.is_empty() {
        return Ok(());
    }
    let Some(rows) = batches.peek(&projection)? else { return Ok(()) };
    let rows = rows.slice(0, rows.num_rows().min(SNIFFED));
    for (leaf, field) in &mut named {
        let place = projection.binary_search(&leaf.path[0]).expect("each is in the projection");
        let cells = guarded(|| grow(rows.column(place), leaf, texts)).map_err(|message| batches.refuse(&message))?;
        field.kind = batch::kind_of_texts(&field.name, &cells, rows.num_rows());
    }
    Ok(())
}

/// Receives each column: its path, its item of a list, the names along the path, and its type if that is supported.
type Take<'a> = dyn FnMut(&[usize], Option<(usize, usize)>, &[&str], Option<Kind>) + 'a;

/// Visits the columns inside a column.
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

/// The type of a column; `None` if it is not supported.
fn kind(data_type: &DataType) -> Option<Kind> {
    use DataType as D;
    Some(match data_type {
        D::Boolean | D::Utf8 | D::LargeUtf8 | D::Utf8View | D::Binary | D::LargeBinary | D::BinaryView => Kind::Name,
        D::Int8 | D::Int16 | D::Int32 | D::Int64 | D::UInt8 | D::UInt16 | D::UInt32 => Kind::Integer,
        D::Time32(_) | D::Time64(_) | D::Duration(_) => Kind::Integer,
        D::Date32 | D::Date64 | D::Timestamp(..) => Kind::Time,
        D::Float16 | D::Float32 => Kind::F32,
        // half of the unsigned numbers overflow signed ones
        D::Float64 | D::UInt64 | D::Decimal32(..) | D::Decimal64(..) | D::Decimal128(..) => Kind::F64,
        D::Dictionary(_, values) if !matches!(**values, D::Dictionary(..)) => kind(values)?,
        _ => return None,
    })
}

fn grow(column: &ArrayRef, leaf: &ArrowLeaf, texts: usize) -> Result<ColumnBuilder, String> {
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
fn cells(values: &ArrayRef, rows: ArrowRows<'_>) -> Result<ColumnBuilder, String> {
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
        D::Date32 => rows.dates::<Date32Type>(values, DateUnit::Days),
        D::Date64 => rows.dates::<Date64Type>(values, DateUnit::Parts(1000)),
        D::Time32(TimeUnit::Second) => rows.integers::<Time32SecondType>(values),
        D::Time32(_) => rows.integers::<Time32MillisecondType>(values),
        D::Time64(TimeUnit::Microsecond) => rows.integers::<Time64MicrosecondType>(values),
        D::Time64(_) => rows.integers::<Time64NanosecondType>(values),
        D::Timestamp(TimeUnit::Second, _) => rows.dates::<TimestampSecondType>(values, DateUnit::Parts(1)),
        D::Timestamp(TimeUnit::Millisecond, _) => rows.dates::<TimestampMillisecondType>(values, DateUnit::Parts(1000)),
        D::Timestamp(TimeUnit::Microsecond, _) => {
            rows.dates::<TimestampMicrosecondType>(values, DateUnit::Parts(1_000_000))
        }
        D::Timestamp(TimeUnit::Nanosecond, _) => {
            rows.dates::<TimestampNanosecondType>(values, DateUnit::Parts(1_000_000_000))
        }
        D::Duration(TimeUnit::Second) => rows.integers::<DurationSecondType>(values),
        D::Duration(TimeUnit::Millisecond) => rows.integers::<DurationMillisecondType>(values),
        D::Duration(TimeUnit::Microsecond) => rows.integers::<DurationMicrosecondType>(values),
        D::Duration(TimeUnit::Nanosecond) => rows.integers::<DurationNanosecondType>(values),
        D::Float16 => ColumnBuilder::F32(rows.numbers::<Float16Type, f32>(values, f32::from, f32::NAN)),
        D::Float32 => ColumnBuilder::F32(rows.numbers::<Float32Type, f32>(values, |value| value, f32::NAN)),
        D::Float64 => rows.doubles::<Float64Type>(values, |value| value),
        D::UInt64 => rows.doubles::<UInt64Type>(values, |value| value as f64),
        &D::Decimal32(_, scale) => rows.doubles::<Decimal32Type>(values, |value| f64::from(value) / unit(scale)),
        &D::Decimal64(_, scale) => rows.doubles::<Decimal64Type>(values, |value| value as f64 / unit(scale)),
        &D::Decimal128(_, scale) => rows.doubles::<Decimal128Type>(values, |value| value as f64 / unit(scale)),
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

/// Rows, and the index of each in an array of values.
#[derive(Clone, Copy)]
struct ArrowRows<'a> {
    rows: usize,
    place: &'a dyn Fn(usize) -> Option<usize>,
    /// The most bytes that their texts may expand to.
    texts: usize,
}

impl ArrowRows<'_> {
    fn names<'v>(self, name: impl Fn(usize) -> &'v [u8]) -> Result<ColumnBuilder, String> {
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

    fn integers<T: ArrowPrimitiveType<Native: Into<i64>>>(self, values: &ArrayRef) -> ColumnBuilder {
        ColumnBuilder::Integers(self.numbers::<T, i64>(values, Into::into, Values::NO_INTEGER))
    }

    fn dates<T: ArrowPrimitiveType<Native: Into<i64>>>(self, values: &ArrayRef, unit: DateUnit) -> ColumnBuilder {
        ColumnBuilder::Times(self.numbers::<T, f64>(values, |value| batch::seconds(value.into(), unit), f64::NAN))
    }

    fn doubles<T: ArrowPrimitiveType>(self, values: &ArrayRef, number: impl Fn(T::Native) -> f64) -> ColumnBuilder {
        ColumnBuilder::F64(self.numbers::<T, f64>(values, number, f64::NAN))
    }
}

fn unit(scale: i8) -> f64 {
    batch::power_of_ten(scale.into())
}
