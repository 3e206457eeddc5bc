//! Tables in Apache Parquet: columns of numbers and text; only the requested ones are read.
//!
//! Columns are decoded in parallel, a block of rows at a time. Values in structures are columns, too; lists are left
//! out.

use std::sync::Arc;

use arrow_array::types::{ArrowPrimitiveType, Float16Type};
use parquet::basic::{ConvertedType, LogicalType, TimeUnit, Type};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl, get_column_reader};
use parquet::data_type::{ByteArray, DataType};
use parquet::file::metadata::{ParquetMetaDataReader, RowGroupMetaData};
use parquet::schema::types::ColumnDescriptor;
use rayon::iter::{IntoParallelRefMutIterator, ParallelIterator};

use super::batch::{self, ColumnLayout, DateUnit, ROWS};
use super::parquet_pages::{Chunks, ParquetPages, is_read};
use crate::data::{Kind, Values};
use crate::did_you_mean::shortened;
use crate::error::{Error, Result};
use crate::formats::guard::guarded;
use crate::formats::reading::Reading;
use crate::formats::wanted::Field;
use crate::source::columns::ColumnBuilder;
use crate::source::input::Stream;
use crate::source::seekable_file::SeekableFile;

#[derive(Clone, Copy, Debug, PartialEq)]
enum ParquetMeaning {
    /// As stored; byte arrays are read as text.
    Plain,
    Unsigned,
    /// Integers that count fractions of a unit: this many make one unit.
    Decimal(f64),
    Half,
    Date(DateUnit),
}

/// A supported column of the file.
#[derive(Clone, Copy, Debug)]
struct ParquetLeaf {
    /// Index among all columns.
    index: usize,
    meaning: ParquetMeaning,
}

/// A column of a row group while it is decoded.
struct Decoding {
    leaf: ParquetLeaf,
    name: String,
    reader: ColumnReader,
    /// The definition level of present values.
    present: i16,
}

pub(super) fn read(stream: Stream, reading: &mut Reading<'_>) -> Result<()> {
    reading.only_first_frame()?;
    let quota = stream.quota;
    let chunks = Arc::new(Chunks::new(SeekableFile::new(stream)?)?);
    let file = reading.file.clone();
    let refuse = |message: String| Error::input(&file, None, message);
    let open = || ParquetMetaDataReader::new().parse_and_finish(&*chunks).map_err(|error| error.to_string());
    let metadata = guarded(open).map_err(refuse)?;
    let schema = metadata.file_metadata().schema_descr_ptr();
    let (mut leaves, mut fields, mut left_out) = (Vec::new(), Vec::new(), Vec::new());
    for (index, column) in schema.columns().iter().enumerate() {
        let path: Vec<&str> = column.path().parts().iter().map(String::as_str).collect();
        match leaf(column) {
            Some((kind, meaning)) => {
                leaves.push(ParquetLeaf { index, meaning });
                fields.push(Field::new(batch::name(&path), kind));
            }
            None => left_out.push(path.join(".")),
        }
    }
    let names: Vec<String> = fields.iter().map(|field| field.name.clone()).collect();
    if let Some(group) = metadata.row_groups().first() {
        let most = quota.memory_left() / fields.len().max(1);
        for (leaf, field) in leaves.iter().zip(&mut fields).filter(|(_, field)| field.kind == Kind::Name) {
            field.kind = kind_of_texts(*leaf, &field.name, group, &chunks, most).map_err(refuse)?;
        }
    }
    reading.facts.notes.extend(batch::left_out(&file, &left_out));
    let layout = ColumnLayout::new(fields.into_iter());
    let wanted = reading.begin(layout.header())?;
    let rows = |group: &RowGroupMetaData| u64::try_from(group.num_rows()).map_err(|_| damaged("a count of rows"));
    let total = metadata.row_groups().iter().map(rows).try_fold(0, |all: u64, rows| Ok(all.saturating_add(rows?)));
    let total = total.map_err(refuse)?;
    if total == 0 {
        return Err(refuse("the table has no rows".to_owned()));
    }
    reading.check_rows(total, || format!("{file}: the table has {total} rows"))?;
    let needed = layout.needed(&wanted, reading.wants_record());
    let decoded = needed[..leaves.len()].iter().filter(|needed| **needed).count();
    // the pages and the texts of all columns are in memory together
    let most = quota.memory_left() / decoded.max(1);
    let texts = batch::most_text(&quota, decoded);
    for group in metadata.row_groups() {
        let mut left = usize::try_from(rows(group).map_err(refuse)?).expect("rows fit the budget");
        let mut columns = Vec::new();
        for ((leaf, name), _) in leaves.iter().zip(&names).zip(&needed).filter(|(_, needed)| **needed) {
            columns.push(Decoding::new(*leaf, name, group, &chunks, most).map_err(refuse)?);
        }
        while left > 0 {
            let count = left.min(ROWS);
            let decoded = columns.par_iter_mut().map(|column| column.next(count, texts)).collect::<Vec<_>>();
            let mut decoded = decoded.into_iter();
            let mut cells = Vec::new();
            for needed in &needed[..leaves.len()] {
                let column = if *needed { decoded.next() } else { None };
                cells.push(column.transpose().map_err(refuse)?);
            }
            layout.push(reading, count, &cells)?;
            left -= count;
        }
    }
    Ok(())
}

/// The kind of a column of text, from its first rows.
fn kind_of_texts(
    leaf: ParquetLeaf,
    name: &str,
    group: &RowGroupMetaData,
    chunks: &Arc<Chunks>,
    most: usize,
) -> Result<Kind, String> {
    let rows = usize::try_from(group.num_rows()).unwrap_or(0).min(batch::SNIFFED);
    let texts = Decoding::new(leaf, name, group, chunks, most)?.next(rows, most)?;
    Ok(batch::kind_of_texts(name, &texts, rows))
}

/// The type and meaning of a column's values; `None` if they are not supported.
fn leaf(column: &ColumnDescriptor) -> Option<(Kind, ParquetMeaning)> {
    if column.max_rep_level() > 0 {
        return None;
    }
    let decimal = match (column.logical_type_ref(), column.converted_type()) {
        (Some(LogicalType::Decimal { .. }), _) | (None, ConvertedType::DECIMAL) => {
            Some((Kind::F64, ParquetMeaning::Decimal(batch::power_of_ten(column.type_scale()))))
        }
        _ => None,
    };
    let date = match (column.logical_type_ref(), column.converted_type()) {
        (Some(LogicalType::Date), _) | (None, ConvertedType::DATE) => Some(DateUnit::Days),
        (Some(LogicalType::Timestamp(of)), _) => Some(DateUnit::Parts(match of.unit {
            TimeUnit::MILLIS => 1000,
            TimeUnit::MICROS => 1_000_000,
            TimeUnit::NANOS => 1_000_000_000,
        })),
        (None, ConvertedType::TIMESTAMP_MILLIS) => Some(DateUnit::Parts(1000)),
        (None, ConvertedType::TIMESTAMP_MICROS) => Some(DateUnit::Parts(1_000_000)),
        _ => None,
    };
    let is_unsigned = match column.logical_type_ref() {
        Some(LogicalType::Integer(kind)) => !kind.is_signed,
        Some(_) => false,
        None => matches!(column.converted_type(), ConvertedType::UINT_32 | ConvertedType::UINT_64),
    };
    match column.physical_type() {
        Type::INT32 | Type::INT64 | Type::BYTE_ARRAY | Type::FIXED_LEN_BYTE_ARRAY if decimal.is_some() => decimal,
        Type::INT32 | Type::INT64 if date.is_some() => date.map(|unit| (Kind::Time, ParquetMeaning::Date(unit))),
        Type::BOOLEAN | Type::BYTE_ARRAY => Some((Kind::Name, ParquetMeaning::Plain)),
        Type::INT32 => {
            Some((Kind::Integer, if is_unsigned { ParquetMeaning::Unsigned } else { ParquetMeaning::Plain }))
        }
        // half of the unsigned numbers overflow signed ones
        Type::INT64 if is_unsigned => Some((Kind::F64, ParquetMeaning::Unsigned)),
        Type::INT64 => Some((Kind::Integer, ParquetMeaning::Plain)),
        Type::FLOAT => Some((Kind::F32, ParquetMeaning::Plain)),
        Type::DOUBLE => Some((Kind::F64, ParquetMeaning::Plain)),
        Type::FIXED_LEN_BYTE_ARRAY if matches!(column.logical_type_ref(), Some(LogicalType::Float16)) => {
            Some((Kind::F32, ParquetMeaning::Half))
        }
        Type::INT96 | Type::FIXED_LEN_BYTE_ARRAY => None,
    }
}

impl Decoding {
    fn new(
        leaf: ParquetLeaf,
        name: &str,
        group: &RowGroupMetaData,
        chunks: &Arc<Chunks>,
        most: usize,
    ) -> Result<Self, String> {
        let name = shortened(name);
        let column = group.columns().get(leaf.index).ok_or_else(|| damaged("a list of columns"))?;
        let start = column.dictionary_page_offset().unwrap_or(0).min(column.data_page_offset());
        if start < 0 || column.compressed_size() < 0 {
            return Err(damaged(&format!("the place of the column {name}")));
        }
        let codec = column.compression_codec();
        if !is_read(codec) {
            let read = "uncompressed ones, and those of snappy, gzip, zstd and lz4 (raw)";
            return Err(format!("the column {name} is compressed by {codec:?}, which is not read; {read} are"));
        }
        let rows = usize::try_from(group.num_rows()).unwrap_or(0);
        let pages = guarded(|| ParquetPages::new(chunks, column, rows, most).map_err(|error| error.to_string()))?;
        let descriptor = column.column_descr_ptr();
        let present = descriptor.max_def_level();
        let reader = guarded(|| Ok(get_column_reader(descriptor, Box::new(pages))))?;
        Ok(Self { leaf, name, reader, present })
    }

    /// Decodes the next rows; their texts may expand to `texts` bytes.
    fn next(&mut self, rows: usize, texts: usize) -> Result<ColumnBuilder, String> {
        let Self { leaf, name, reader, present } = self;
        guarded(|| decode(reader, *present, rows, texts, leaf.meaning))
            .map_err(|message| message.replacen("damaged", &format!("damaged in the column {name}"), 1))
    }
}

fn decode(
    reader: &mut ColumnReader,
    present: i16,
    rows: usize,
    texts: usize,
    meaning: ParquetMeaning,
) -> Result<ColumnBuilder, String> {
    let unit = if let ParquetMeaning::Decimal(unit) = meaning { Some(unit) } else { None };
    match reader {
        ColumnReader::BoolColumnReader(reader) => {
            let cells = Cells::read(reader, present, rows)?;
            cells.names(|value| if *value { b"true".as_slice() } else { b"false" }, texts)
        }
        ColumnReader::Int32ColumnReader(reader) => {
            let cells = Cells::read(reader, present, rows)?;
            Ok(match (unit, meaning) {
                (Some(unit), _) => ColumnBuilder::F64(cells.map(|value| f64::from(*value) / unit, f64::NAN)),
                (None, ParquetMeaning::Date(unit)) => {
                    ColumnBuilder::Times(cells.map(|value| batch::seconds(i64::from(*value), unit), f64::NAN))
                }
                (None, ParquetMeaning::Unsigned) => {
                    ColumnBuilder::Integers(cells.map(|value| i64::from(value.cast_unsigned()), Values::NO_INTEGER))
                }
                _ => ColumnBuilder::Integers(cells.map(|value| i64::from(*value), Values::NO_INTEGER)),
            })
        }
        ColumnReader::Int64ColumnReader(reader) => {
            let cells = Cells::read(reader, present, rows)?;
            Ok(match (unit, meaning) {
                (Some(unit), _) => ColumnBuilder::F64(cells.map(|value| *value as f64 / unit, f64::NAN)),
                (None, ParquetMeaning::Date(unit)) => {
                    ColumnBuilder::Times(cells.map(|value| batch::seconds(*value, unit), f64::NAN))
                }
                (None, ParquetMeaning::Unsigned) => {
                    ColumnBuilder::F64(cells.map(|value| value.cast_unsigned() as f64, f64::NAN))
                }
                _ => ColumnBuilder::Integers(cells.map(|value| *value, Values::NO_INTEGER)),
            })
        }
        ColumnReader::FloatColumnReader(reader) => {
            Ok(ColumnBuilder::F32(Cells::read(reader, present, rows)?.map(|value| *value, f32::NAN)))
        }
        ColumnReader::DoubleColumnReader(reader) => {
            Ok(ColumnBuilder::F64(Cells::read(reader, present, rows)?.map(|value| *value, f64::NAN)))
        }
        ColumnReader::ByteArrayColumnReader(reader) => {
            let cells = Cells::read(reader, present, rows)?;
            Ok(match unit {
                Some(unit) => ColumnBuilder::F64(cells.map(|value| decimal(value.data()) / unit, f64::NAN)),
                None => cells.names(ByteArray::data, texts)?,
            })
        }
        ColumnReader::FixedLenByteArrayColumnReader(reader) => {
            let cells = Cells::read(reader, present, rows)?;
            Ok(match unit {
                Some(unit) => ColumnBuilder::F64(cells.map(|value| decimal(value.data()) / unit, f64::NAN)),
                None => ColumnBuilder::F32(cells.map(|value| half(value.data()), f32::NAN)),
            })
        }
        ColumnReader::Int96ColumnReader(_) => Err("a type that is not read".to_owned()),
    }
}

/// The present values of some rows.
struct Cells<T> {
    /// Definition levels, one a row; empty if no value can be missing.
    levels: Vec<i16>,
    present: i16,
    values: Vec<T>,
    rows: usize,
}

impl<T> Cells<T> {
    fn read<D: DataType<T = T>>(reader: &mut ColumnReaderImpl<D>, present: i16, rows: usize) -> Result<Self, String> {
        let (mut levels, mut values) = (Vec::new(), Vec::new());
        let mut found = 0;
        while found < rows {
            let levels = (present > 0).then_some(&mut levels);
            let (count, ..) = reader
                .read_records(rows - found, levels, None, &mut values)
                .map_err(|error| error.to_string().replace("Parquet error: ", ""))?;
            if count == 0 {
                return Err("a column ends before its last row".to_owned());
            }
            found += count;
        }
        let there = if present > 0 { levels.iter().filter(|level| **level == present).count() } else { rows };
        if values.len() < there || (present > 0 && levels.len() < rows) {
            return Err("a column has fewer values than rows".to_owned());
        }
        Ok(Self { levels, present, values, rows })
    }

    /// The value of each row, if it is present.
    fn rows(&self) -> impl Iterator<Item = Option<&T>> {
        let mut values = self.values.iter();
        let is_missing = |row: usize| self.levels.get(row).is_some_and(|level| *level != self.present);
        (0..self.rows).map(move |row| if is_missing(row) { None } else { values.next() })
    }

    /// The value of each row; `missing` where there is none.
    fn map<U: Copy>(&self, value: impl Fn(&T) -> U, missing: U) -> Vec<U> {
        self.rows().map(|found| found.map_or(missing, &value)).collect()
    }

    fn names<'a>(&'a self, name: impl Fn(&'a T) -> &'a [u8], most: usize) -> Result<ColumnBuilder, String> {
        batch::names(self.rows().map(|found| found.map(&name)), most)
    }
}

/// A big-endian whole number of any size.
fn decimal(bytes: &[u8]) -> f64 {
    let Some((&first, rest)) = bytes.split_first() else { return 0.0 };
    rest.iter().fold(f64::from(first.cast_signed()), |value, &byte| value * 256.0 + f64::from(byte))
}

/// A number of 16 bits.
fn half(bytes: &[u8]) -> f32 {
    type Half = <Float16Type as ArrowPrimitiveType>::Native;
    bytes.first_chunk().map_or(f32::NAN, |bytes| Half::from_le_bytes(*bytes).to_f32())
}

/// The message for a file that contradicts itself.
fn damaged(part: &str) -> String {
    format!("the file is damaged: {part} is wrong")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_16_bits_are_read() {
        assert_eq!((half(&0xc000_u16.to_le_bytes()), half(&[1, 0])), (-2.0, 5.960_464_5e-8));
    }

    #[test]
    fn decimals_have_a_sign() {
        assert_eq!((decimal(&[0, 1, 0]), decimal(&[0xff, 0xfe]), decimal(&[])), (256.0, -2.0, 0.0));
    }
}
