//! Points of laser scanners in LAS and LAZ, versions 1.0 to 1.4.
//!
//! The crate `las` reads them; a file on which it panics is refused as damaged. Coordinates are scaled and shifted as
//! the header says.

use std::io::{self, BufReader, Read, Seek, SeekFrom};

use las::{Builder as LasBuilder, Header as LasHeader, PointData, PointDataBuilder, Reader as LasReader};

use crate::data::Kind;
use crate::error::{Error, Result};
use crate::formats::guard::guarded;
use crate::formats::reading::Reading;
use crate::formats::records::{self, FieldContent, RecordColumn, fill};
use crate::formats::wanted::Field;
use crate::source::input::Stream;
use crate::source::seekable_file::SeekableFile;

/// The most points read at a time, and their bytes; at least one point.
const STEP: u64 = 1 << 16;
const STEP_BYTES: u64 = 1 << 23;

/// Fields of every file, one number each.
const FIELDS: [(&str, Kind); 7] = [
    ("x", Kind::F64),
    ("y", Kind::F64),
    ("z", Kind::F64),
    ("intensity", Kind::Integer),
    ("classification", Kind::Integer),
    ("return", Kind::Integer),
    ("returns", Kind::Integer),
];

/// The time and the colour, which are optional.
const TIME: &str = "gps_time";
const COLOR: &str = "color";

pub(super) fn read(stream: Stream, reading: &mut Reading<'_>) -> Result<()> {
    reading.only_first_frame()?;
    let whole = SeekableFile::new(stream)?;
    let refuse = |message: String| Error::input(&whole.file, None, message);
    let mut file = whole.reader();
    let promised = record_end(&mut file).and_then(|end| Ok(end.max(promised(&mut file)?)));
    let promised = promised.map_err(|source| whole.io_error(source))?;
    let bytes = whole.length()?;
    if promised > bytes {
        return Err(refuse(format!(
            "{promised} bytes of points and records are promised, but the file has {bytes} bytes"
        )));
    }
    let open = || LasReader::new(BufReader::with_capacity(1 << 16, whole.reader())).map_err(|error| error.to_string());
    let mut reader = guarded(open).map_err(refuse)?;
    let (points, format) = (reader.header().number_of_points(), *reader.header().point_format());
    if points == 0 {
        return Err(refuse("has no points".to_owned()));
    }
    if format.is_compressed && !has_items_of_its_format(reader.header()) {
        return Err(refuse("the file is damaged: its points are compressed as points of another format".to_owned()));
    }
    let mut batch = PointDataBuilder::new().for_header(reader.header()).build();
    let step = (STEP_BYTES / u64::from(format.len()).max(1)).clamp(1, STEP);
    let mut next = |batch: &mut PointData| {
        guarded(|| reader.fill_points(step, batch).map_err(|error| error.to_string())).map_err(refuse)
    };
    let mut left = points;
    let mut read = next(&mut batch)?;
    let columns = columns_of(format, &batch);
    reading.begin(records::header(&columns))?;
    reading.check_rows(points, || format!("{}: the file has {points} points", whole.file))?;
    let mut first = 0;
    while read > 0 {
        let numbers = guarded(|| Ok(numbers(&batch))).map_err(refuse)?;
        let rows = numbers[0].len();
        let wanted = reading.wanted_of_next(rows as u64);
        let part = fill(&columns, &wanted, rows, u64::MAX, |row, index| numbers[index][row])
            .map_err(|bad| bad.error(&whole.file, "point", first as u64))?;
        reading.push(part)?;
        first += rows;
        left = left.saturating_sub(rows as u64);
        if left == 0 {
            return Ok(());
        }
        read = next(&mut batch)?;
    }
    Err(refuse(format!("{points} points are promised, but the file ends after {first}")))
}

/// The columns of points of a format; `batch` has the first points.
fn columns_of(format: las::point::Format, batch: &PointData) -> Vec<RecordColumn> {
    let fields = FIELDS.into_iter().enumerate();
    let mut columns: Vec<_> = fields.map(|(index, (name, kind))| RecordColumn::number(name, kind, index)).collect();
    let mut width = FIELDS.len();
    if format.has_gps_time {
        columns.push(RecordColumn::number(TIME, Kind::F64, width));
        width += 1;
    }
    if format.has_color {
        // channels have 16 bits, but many programs write 8-bit values
        let is_narrow = batch.rgb().is_some_and(|mut colors| colors.all(|(r, g, b)| r.max(g).max(b) <= 255));
        let content = FieldContent::Color {
            channels: [width, width + 1, width + 2],
            alpha: None,
            full: if is_narrow { 255.0 } else { 65_535.0 },
        };
        columns.push(RecordColumn { field: Field::new(COLOR, Kind::Color), content });
    }
    columns
}

/// The shortest length of a file of compressed points that header and chunks allow; 0 for other files. `las` allocates
/// before it reads: for the table of chunks, and for the layers of a chunk.
fn promised(file: &mut (impl Read + Seek)) -> io::Result<u64> {
    /// Offsets in the header: the start of the points; their format, with the highest bit set if they are compressed;
    /// and the length of a point.
    const OFFSET: u64 = 96;
    const FORMAT: u64 = 104;
    const LENGTH: u64 = 105;
    let (Some(offset), Some([format]), Some(length)) = (
        bytes_at(file, SeekFrom::Start(OFFSET))?,
        bytes_at(file, SeekFrom::Start(FORMAT))?,
        bytes_at(file, SeekFrom::Start(LENGTH))?,
    ) else {
        return Ok(0);
    };
    if format & 0x80 == 0 {
        return Ok(0);
    }
    let (offset, length) = (u64::from(u32::from_le_bytes(offset)), u64::from(u16::from_le_bytes(length)));
    let mut place = bytes_at(file, SeekFrom::Start(offset))?.map(u64::from_le_bytes);
    if place == Some(u64::MAX) {
        // a writer that could not go back put it at the end
        place = bytes_at(file, SeekFrom::End(-8))?.map(u64::from_le_bytes);
    }
    let (table, chunks) = match place.filter(|place| (offset + 1..1 << 63).contains(place)) {
        // after the table's version
        Some(table) => (table, bytes_at(file, SeekFrom::Start(table + 4))?.map_or(0, u32::from_le_bytes)),
        None => (file.seek(SeekFrom::End(0))?, 0),
    };
    let layers = layers(format & 0x3f, length);
    let mut chunk = offset + 8;
    while layers > 0 && chunk < table {
        // the first point, the number of points, and the length of each layer
        let mut end = chunk + length + 4;
        file.seek(SeekFrom::Start(end))?;
        for _ in 0..layers {
            let mut layer = [0; 4];
            match file.read_exact(&mut layer) {
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(u64::from(chunks)),
                read => read?,
            }
            end += 4 + u64::from(u32::from_le_bytes(layer));
        }
        if end > table {
            return Ok(end.max(u64::from(chunks)));
        }
        chunk = end;
    }
    Ok(u64::from(chunks))
}

/// The end of the first record after the points, which `las` keeps; 0 for files without one. Version 1.4 has these.
fn record_end(file: &mut (impl Read + Seek)) -> io::Result<u64> {
    /// Offsets in the header: the version in two bytes, the start of the first record, and the number of records.
    const VERSION: u64 = 24;
    const OFFSET: u64 = 235;
    const NUMBER: u64 = 243;
    /// The offset in a record of its data's length, and the bytes before the data.
    const LENGTH: u64 = 20;
    const HEADER: u64 = 60;
    let version = bytes_at(file, SeekFrom::Start(VERSION))?;
    let number = bytes_at(file, SeekFrom::Start(NUMBER))?.map_or(0, u32::from_le_bytes);
    let offset = bytes_at(file, SeekFrom::Start(OFFSET))?.map_or(0, u64::from_le_bytes);
    if version != Some([1, 4]) || number == 0 || offset == 0 {
        return Ok(0);
    }
    let length = bytes_at(file, SeekFrom::Start(offset.saturating_add(LENGTH)))?.map_or(0, u64::from_le_bytes);
    Ok(offset.saturating_add(HEADER).saturating_add(length))
}

/// The number of layers of a chunk of points of this format and length; 0 for formats before 6, which have none.
fn layers(format: u8, length: u64) -> u64 {
    // layers of colour, near infrared and wave packets; and the length without extra bytes, each a layer
    let (more, least) = match format {
        6 => (0, 30),
        7 => (1, 36),
        8 => (2, 38),
        9 => (1, 59),
        10 => (3, 67),
        _ => return 0,
    };
    9 + more + length.saturating_sub(least)
}

/// Whether compressed points have the items of their format; [`promised`] relies on their lengths.
fn has_items_of_its_format(header: &LasHeader) -> bool {
    let items = |header: &LasHeader| -> Option<Vec<_>> {
        let description = header.laz_vlr().ok()?;
        Some(description.items().iter().map(|item| (item.item_type(), item.size())).collect())
    };
    let mut usual = LasBuilder::from((1, 4));
    usual.point_format = *header.point_format();
    let Ok(mut usual) = usual.into_header() else { return false };
    usual.add_laz_vlr().is_ok() && items(header).is_some_and(|found| items(&usual) == Some(found))
}

/// Bytes at a place of a file; `None` past its end, because the reader refuses truncated files.
fn bytes_at<const N: usize>(file: &mut (impl Read + Seek), at: SeekFrom) -> io::Result<Option<[u8; N]>> {
    let mut bytes = [0; N];
    match file.seek(at).and_then(|_| file.read_exact(&mut bytes)) {
        Ok(()) => Ok(Some(bytes)),
        Err(error) if matches!(error.kind(), io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidInput) => Ok(None),
        Err(error) => Err(error),
    }
}

fn numbers(batch: &PointData) -> Vec<Vec<f64>> {
    let mut numbers: Vec<Vec<f64>> = vec![
        batch.x().collect(),
        batch.y().collect(),
        batch.z().collect(),
        batch.intensity().map(f64::from).collect(),
        batch.classification().map(f64::from).collect(),
        batch.return_number().map(f64::from).collect(),
        batch.number_of_returns().map(f64::from).collect(),
    ];
    numbers.extend(batch.gps_time().map(Iterator::collect));
    if let Some(colors) = batch.rgb() {
        let colors: Vec<(u16, u16, u16)> = colors.collect();
        numbers.push(colors.iter().map(|color| f64::from(color.0)).collect());
        numbers.push(colors.iter().map(|color| f64::from(color.1)).collect());
        numbers.push(colors.iter().map(|color| f64::from(color.2)).collect());
    }
    numbers
}
