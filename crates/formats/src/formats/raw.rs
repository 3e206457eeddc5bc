//! Rows of numbers without a header: the caller names the columns.

use super::raw_layout::RawLayout;
use super::reading::Reading;
use super::records::{self, RecordColumn, with_color};
use super::scalar::Scalar;
use crate::error::{Error, Result};
use crate::source::input::Stream;
use crate::source::pieces::Text;

pub(super) fn read(stream: Stream, reading: &mut Reading<'_>) -> Result<()> {
    let Some(RawLayout { columns, endian }) = reading.hints.raw.clone() else {
        return Err(Error::setting("format", "raw must be followed by columns and their type, as raw:x,y,z,r:f32le"));
    };
    reading.only_first_frame()?;
    let length = stream.file_length();
    let mut text = Text::new(stream);
    text.begin_binary();
    let places = records::places(columns.iter().map(|(_, scalar)| *scalar));
    let column =
        |(index, (name, scalar)): (usize, &(String, Scalar))| RecordColumn::number(name.clone(), scalar.kind(), index);
    let row: usize = columns.iter().map(|(_, scalar)| scalar.size()).sum();
    let columns = with_color(columns.iter().enumerate().map(column).collect(), |index| columns[index].1 == Scalar::U8);
    reading.begin(records::header(&columns))?;
    let share = match (reading.share, length) {
        (None, _) => 0..u64::MAX,
        (Some(share), Some(length)) => share.rows(length / row as u64),
        (Some(_), None) => {
            return Err(Error::input(&text.file, None, "compressed raw numbers cannot be read by several processes"));
        }
    };
    text.skip_bytes(share.start * row as u64)?;
    records::read(&mut text, reading, &columns, &places, endian, share.end - share.start)?;
    if reading.share.is_none_or(|share| share.process + 1 == share.count) && !text.is_at_end()? {
        let left = text.ahead().len();
        return Err(text.refuse(format!("a row has {row} bytes, but the file ends after {left} of one")));
    }
    Ok(())
}
