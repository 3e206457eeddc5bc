//! The encodings of BinaryCIF's columns.
//!
//! Source: S. Bittrich et al., "BinaryCIF and CIFTools—Lightweight, efficient and extensible macromolecular data
//! management", *PLoS Computational Biology*, 2020, and <https://github.com/molstar/BinaryCIF/blob/master/encoding.md>.

use super::scalar::{Endian, Scalar};
use crate::did_you_mean::shortened;
use crate::geom::single;
use crate::source::message_pack::{ByteSpan, PackedValue};

/// The most encodings of a column.
const MOST_STEPS: usize = 8;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Decoded {
    Bytes(Vec<u8>),
    Integers(Vec<i32>),
    Singles(Vec<f32>),
    Doubles(Vec<f64>),
    Texts(Texts),
}

/// Texts; each distinct one is stored once.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Texts {
    /// Each row's index of its text; negative for none.
    pub(super) codes: Vec<i32>,
    /// The start of each text in `text`, then the end of the last.
    offsets: Vec<usize>,
    text: Vec<u8>,
}

impl Texts {
    /// Total bytes of all rows, which may share texts.
    pub(super) fn bytes(&self) -> u64 {
        self.codes.iter().map(|&code| self.get(code).len() as u64).fold(0, u64::saturating_add)
    }

    /// The text of this code; empty for an unknown one.
    pub(super) fn get(&self, code: i32) -> &[u8] {
        let range =
            usize::try_from(code).ok().and_then(|code| Some(*self.offsets.get(code)?..*self.offsets.get(code + 1)?));
        range.and_then(|range| self.text.get(range)).unwrap_or_default()
    }
}

impl Decoded {
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Bytes(values) => values.len(),
            Self::Integers(values) => values.len(),
            Self::Singles(values) => values.len(),
            Self::Doubles(values) => values.len(),
            Self::Texts(texts) => texts.codes.len(),
        }
    }
}

/// Decodes `{ data, encoding }` to at most `most` values; `load` reads bytes of the file.
pub(super) fn decode(
    encoded: &PackedValue,
    most: usize,
    load: &dyn Fn(ByteSpan) -> Result<Vec<u8>, String>,
) -> Result<Decoded, String> {
    let PackedValue::Bytes(span) = encoded.get("data") else {
        return Err("its data must be bytes".to_owned());
    };
    steps(load(*span)?, encoded.get("encoding"), most, load)
}

/// Undoes encodings, the last first.
fn steps(
    bytes: Vec<u8>,
    encodings: &PackedValue,
    most: usize,
    load: &dyn Fn(ByteSpan) -> Result<Vec<u8>, String>,
) -> Result<Decoded, String> {
    let encodings = encodings.list();
    if encodings.is_empty() || encodings.len() > MOST_STEPS {
        return Err(format!("must have 1 to {MOST_STEPS} encodings, got {}", encodings.len()));
    }
    let mut decoded = Decoded::Bytes(bytes);
    for encoding in encodings.iter().rev() {
        decoded = undo(decoded, encoding, most, load)?;
    }
    // earlier steps may have more values: packed numbers, and runs of one
    if decoded.len() > most {
        return Err(format!("must have {most} values, got {}", decoded.len()));
    }
    Ok(decoded)
}

fn undo(
    decoded: Decoded,
    encoding: &PackedValue,
    most: usize,
    load: &dyn Fn(ByteSpan) -> Result<Vec<u8>, String>,
) -> Result<Decoded, String> {
    let number = |key: &str| {
        let found = encoding.get(key).number().filter(|number| number.is_finite());
        found.ok_or_else(|| format!("its encoding must have a number {key}"))
    };
    let kind = encoding.get("kind").text().unwrap_or_default();
    match (kind, decoded) {
        ("ByteArray", Decoded::Bytes(bytes)) => byte_array(&bytes, number("type")?),
        ("FixedPoint", Decoded::Integers(values)) => {
            let factor = number("factor")?;
            let scaled = values.iter().map(|&value| f64::from(value) / factor);
            Ok(floats(scaled, number("srcType")?))
        }
        ("IntervalQuantization", Decoded::Integers(values)) => {
            let (least, greatest, steps) = (number("min")?, number("max")?, number("numSteps")?);
            let step = if steps > 1.0 { (greatest - least) / (steps - 1.0) } else { 0.0 };
            let placed = values.iter().map(|&value| least + f64::from(value) * step);
            Ok(floats(placed, number("srcType")?))
        }
        ("RunLength", Decoded::Integers(runs)) => run_length(&runs, most),
        ("Delta", Decoded::Integers(values)) => {
            #[expect(clippy::cast_possible_truncation, reason = "saturates, and is a 32-bit number in every good file")]
            let origin = number("origin")? as i32;
            Ok(Decoded::Integers(prefix_sums(values, origin)))
        }
        ("IntegerPacking", Decoded::Integers(values)) => {
            let ends = match (number("byteCount")?, encoding.get("isUnsigned").number() == Some(1.0)) {
                (1.0, true) => [i32::from(u8::MAX), -1],
                (1.0, false) => [i32::from(i8::MAX), i32::from(i8::MIN)],
                (2.0, true) => [i32::from(u16::MAX), -1],
                (2.0, false) => [i32::from(i16::MAX), i32::from(i16::MIN)],
                (bytes, _) => return Err(format!("must be packed into 1 or 2 bytes, got {bytes}")),
            };
            Ok(Decoded::Integers(unpacked(&values, ends)))
        }
        ("StringArray", Decoded::Bytes(bytes)) => string_array(bytes, encoding, most, load).map(Decoded::Texts),
        (
            kind @ ("ByteArray"
            | "FixedPoint"
            | "IntervalQuantization"
            | "RunLength"
            | "Delta"
            | "IntegerPacking"
            | "StringArray"),
            _,
        ) => Err(format!("has the encoding {kind} where it cannot be")),
        (kind, _) => Err(format!("has an encoding that is not known, {:?}", shortened(kind))),
    }
}

/// Decodes numbers of type `kind`.
fn byte_array(bytes: &[u8], kind: f64) -> Result<Decoded, String> {
    #[expect(clippy::cast_possible_truncation, reason = "a small whole number, or refused")]
    let scalar = match kind as i64 {
        1 => Scalar::I8,
        2 => Scalar::I16,
        3 => Scalar::I32,
        4 => Scalar::U8,
        5 => Scalar::U16,
        6 => Scalar::U32,
        32 => Scalar::F32,
        33 => Scalar::F64,
        _ => return Err(format!("has numbers of a type that is not known, {kind}")),
    };
    let values = bytes.chunks_exact(scalar.size()).map(|bytes| scalar.read(bytes, Endian::Little));
    #[expect(clippy::cast_possible_truncation, reason = "whole numbers of 32 bits, and numbers that were an f32")]
    Ok(match scalar {
        Scalar::F32 => Decoded::Singles(values.map(|value| value as f32).collect()),
        Scalar::F64 => Decoded::Doubles(values.collect()),
        Scalar::U32 => {
            let values: Option<Vec<i32>> =
                values.map(|value| (value <= f64::from(i32::MAX)).then_some(value as i32)).collect();
            Decoded::Integers(values.ok_or("has a whole number above 2^31, which is not read")?)
        }
        _ => Decoded::Integers(values.map(|value| value as i32).collect()),
    })
}

fn floats(values: impl Iterator<Item = f64>, kind: f64) -> Decoded {
    if kind == 33.0 { Decoded::Doubles(values.collect()) } else { Decoded::Singles(values.map(single).collect()) }
}

/// Expands pairs of a value and its count.
fn run_length(runs: &[i32], most: usize) -> Result<Decoded, String> {
    let mut values = Vec::new();
    for run in runs.chunks_exact(2) {
        let count = usize::try_from(run[1]).map_err(|_| format!("is repeated {} times", run[1]))?;
        if count > most - values.len() {
            return Err(format!("must have {most} values, got more"));
        }
        values.extend(std::iter::repeat_n(run[0], count));
    }
    Ok(Decoded::Integers(values))
}

/// Prefix sums of differences.
pub(super) fn prefix_sums(mut values: Vec<i32>, origin: i32) -> Vec<i32> {
    let mut sum = origin;
    for value in &mut values {
        sum = sum.wrapping_add(*value);
        *value = sum;
    }
    values
}

/// Sums up values up to the first that is not at an end of their range.
fn unpacked(values: &[i32], ends: [i32; 2]) -> Vec<i32> {
    let mut sums = Vec::with_capacity(values.len());
    let mut sum = 0_i32;
    for &value in values {
        sum = sum.wrapping_add(value);
        if !ends.contains(&value) {
            sums.push(sum);
            sum = 0;
        }
    }
    sums
}

/// Decodes indices into concatenated texts.
fn string_array(
    codes: Vec<u8>,
    encoding: &PackedValue,
    most: usize,
    load: &dyn Fn(ByteSpan) -> Result<Vec<u8>, String>,
) -> Result<Texts, String> {
    let codes = match steps(codes, encoding.get("dataEncoding"), most, load)? {
        Decoded::Integers(codes) => codes,
        _ => return Err("must have whole numbers as indices of texts".to_owned()),
    };
    let text = match encoding.get("stringData") {
        PackedValue::Text(text) => text.as_bytes().to_vec(),
        PackedValue::Bytes(span) => load(*span)?,
        _ => return Err("must have a text stringData".to_owned()),
    };
    let PackedValue::Bytes(span) = encoding.get("offsets") else {
        return Err("must have bytes as offsets".to_owned());
    };
    // one offset more would make the same text empty twice
    let limit = text.len().saturating_add(2);
    let offsets = match steps(load(*span)?, encoding.get("offsetEncoding"), limit, load)? {
        Decoded::Integers(offsets) => offsets,
        _ => return Err("must have whole numbers as offsets".to_owned()),
    };
    let offsets = offsets.into_iter().map(|offset| usize::try_from(offset).unwrap_or(usize::MAX)).collect();
    Ok(Texts { codes, offsets, text })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_unpacked_and_repeated() {
        assert_eq!(unpacked(&[1, 127, 127, 3, -128, -2, 127, 0], [127, -128]), [1, 257, -130, 127]);
        assert_eq!(unpacked(&[255, 0, 254], [255, -1]), [255, 254]);
        assert_eq!(run_length(&[7, 2, -1, 3], 5), Ok(Decoded::Integers(vec![7, 7, -1, -1, -1])));
        run_length(&[7, 2_000_000_000], 5).expect_err("too many");
        run_length(&[7, -1], 5).expect_err("fewer than none");
    }

    #[test]
    fn texts_outside_of_their_data_are_empty() {
        let texts = Texts { codes: vec![0, 1, 2, -1], offsets: vec![0, 2, 9], text: b"CAN".to_vec() };
        assert_eq!([0, 1, 2, -1].map(|code| texts.get(code)), [&b"CA"[..], b"", b"", b""]);
    }
}
