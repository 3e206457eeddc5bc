//! Rows of numbers and nothing else: the caller says which columns there are.

use super::raw_layout::RawLayout;
use super::reading::{Field, Header, Reading};
use super::records::{self, Column, Content, with_color};
use super::scalar::Scalar;
use crate::error::{Error, Result};
use crate::io::source::input::Stream;
use crate::io::source::pieces::Text;

/// Reads the rows.
pub(super) fn read(stream: Stream, reading: &mut Reading<'_>) -> Result<()> {
    let Some(RawLayout { columns, endian }) = reading.raw.clone() else {
        let message = "raw must be followed by columns and their type, as raw:x,y,z,r:f32le".to_owned();
        return Err(Error::Setting { name: "format", message });
    };
    if reading.extent.frame > 0 {
        return Err(reading.no_frame(1));
    }
    let mut text = Text::new(stream);
    text.begin_binary();
    let places = records::places(columns.iter().map(|(_, scalar)| *scalar));
    let column = |(index, (name, scalar)): (usize, &(String, Scalar))| Column {
        field: Field::new(name.clone(), scalar.kind()),
        content: Content::Number(index),
    };
    let row: usize = columns.iter().map(|(_, scalar)| scalar.size()).sum();
    let columns = with_color(columns.iter().enumerate().map(column).collect());
    let fields = columns.iter().map(|column| column.field.clone()).collect();
    reading.begin(Header { fields, has_positions: false, chains: None })?;
    records::read(&mut text, reading, &columns, &places, endian, u64::MAX)?;
    if !text.is_at_end()? {
        let left = text.ahead().len();
        return Err(text.refuse(format!("a row has {row} bytes, but the file ends after {left} of one")));
    }
    Ok(())
}
