//! Trajectories in GROMACS' XTC: frames with compressed positions and a box. Nanometres are converted to ångström.
//!
//! There are no names: a frame is drawn as particles. Decompression follows `xdr3dfcoord` of the xdrfile library (F.
//! van Hoesel, E. Lindahl): positions are quantized; the first of a run is packed in the range of all coordinates, the
//! others as small offsets from the one before. Every index and count is checked; existing crates trust the file.

use super::facts::FrameTime;
use super::frames;
use super::held_atoms::{self, HeldAtoms};
use super::reading::Reading;
use super::scalar::{Endian, Scalar};
use super::trr::{NANOMETRE, cell_of};
use crate::data::Cell;
use crate::error::Result;
use crate::source::frame_places::ends_anywhere;
use crate::source::input::Stream;
use crate::source::pieces::Text;

/// The first number of a frame; frames with the second mark have 64-bit lengths.
const MARKS: [u32; 2] = [1995, 2023];

/// Up to this number of atoms, positions are not compressed.
const PLAIN_ATOMS: u64 = 9;

/// Ranges of the packed numbers: the cube of range `i` takes `i` bits.
const RANGES: [u32; 73] = [
    0, 0, 0, 0, 0, 0, 0, 0, 0, 8, 10, 12, 16, 20, 25, 32, 40, 50, 64, 80, 101, 128, 161, 203, 256, 322, 406, 512, 645,
    812, 1024, 1290, 1625, 2048, 2580, 3250, 4096, 5060, 6501, 8192, 10321, 13003, 16384, 20642, 26007, 32768, 41285,
    52015, 65536, 82570, 104_031, 131_072, 165_140, 208_063, 262_144, 330_280, 416_127, 524_287, 660_561, 832_255,
    1_048_576, 1_321_122, 1_664_510, 2_097_152, 2_642_245, 3_329_021, 4_194_304, 5_284_491, 6_658_042, 8_388_607,
    10_568_983, 13_316_085, 16_777_216,
];

/// The first range that is used.
const FIRST_RANGE: usize = 9;

/// The head of a frame.
struct XtcFrame {
    atoms: u64,
    /// Whether lengths have 64 bits.
    is_long: bool,
    cell: Option<Cell>,
    time: FrameTime,
}

pub(super) fn sniff(bytes: &[u8]) -> bool {
    let numbers = bytes.get(..8).map(|bytes| [0, 4].map(|at| word(bytes, at)));
    let again = |atoms| bytes.get(52..56).is_some_and(|bytes| word(bytes, 0) == atoms);
    numbers.is_some_and(|[mark, atoms]| MARKS.contains(&mark) && atoms > 0 && again(atoms))
}

pub(super) fn read(stream: Stream, reading: &mut Reading<'_>) -> Result<()> {
    let mut text = Text::new(stream);
    text.begin_binary();
    let wanted = reading.extent.frame;
    let marks = frames::seek(&mut text, reading, ends_anywhere, |text, _| skip_frame(text))?;
    let head = begin_frame(&mut text).map_err(|error| frames::cut_off(&mut text, reading, wanted, error))?;
    let Some(frame) = head else { return Err(reading.no_frame(wanted)) };
    reading.facts.times.unit = "ps";
    reading.note_time(wanted, frame.time);
    let announced = held_atoms::begin(reading, frame.atoms, &[], &text.file)?;
    let positions = positions(&mut text, &frame).map_err(|error| frames::cut_off(&mut text, reading, wanted, error))?;
    announced.finish(reading, HeldAtoms { positions, cell: frame.cell, ..HeldAtoms::default() })?;
    frames::count(&mut text, reading, marks, |text, _| skip_frame(text))
}

fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_be_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

fn next_word(text: &mut Text) -> Result<u32> {
    Ok(word(text.exactly(4, "a frame")?, 0))
}

/// Reads a frame up to its positions; `None` at the end of the file.
fn begin_frame(text: &mut Text) -> Result<Option<XtcFrame>> {
    if text.is_at_end()? {
        return Ok(None);
    }
    let mark = next_word(text)?;
    if !MARKS.contains(&mark) {
        return Err(text.refuse(format!("a frame must begin with 1995 or 2023, got {mark}")));
    }
    let head = text.exactly(52, "a frame")?;
    let cell = cell_of(&head[12..], Scalar::F32);
    let (atoms, again) = (word(head, 0), word(head, 48));
    let time = FrameTime {
        time: Some(Scalar::F32.read(&head[8..], Endian::Big)).filter(|time| time.is_finite()),
        step: Some(i64::from(word(head, 4).cast_signed())),
    };
    if atoms == 0 || atoms > i32::MAX.unsigned_abs() {
        return Err(text.refuse(format!("must be the number of atoms, 1 or more, got {atoms}")));
    }
    if again != atoms {
        return Err(text.refuse(format!("the frame says {atoms} atoms, its positions say {again}")));
    }
    Ok(Some(XtcFrame { atoms: u64::from(atoms), is_long: mark == MARKS[1], cell, time }))
}

/// Reads the length of the packed bytes; returns it and its padded length, a multiple of four.
fn length(text: &mut Text, is_long: bool) -> Result<(u64, u64)> {
    let high = if is_long { u64::from(next_word(text)?) } else { 0 };
    let length = high << 32 | u64::from(next_word(text)?);
    Ok((length, length.saturating_add(3) / 4 * 4))
}

/// Skips a frame, and returns its time; `None` at the end of the file.
fn skip_frame(text: &mut Text) -> Result<Option<FrameTime>> {
    let Some(frame) = begin_frame(text)? else { return Ok(None) };
    if frame.atoms <= PLAIN_ATOMS {
        frames::skip_bytes(text, frame.atoms * 12)?;
        return Ok(Some(frame.time));
    }
    text.exactly(32, "a frame")?;
    let (_, padded) = length(text, frame.is_long)?;
    frames::skip_bytes(text, padded)?;
    Ok(Some(frame.time))
}

fn positions(text: &mut Text, frame: &XtcFrame) -> Result<Vec<[f64; 3]>> {
    if frame.atoms <= PLAIN_ATOMS {
        let bytes = text.exactly(usize::try_from(frame.atoms).expect("a few") * 12, "positions")?;
        let number = |bytes: &[u8]| Scalar::F32.read(bytes, Endian::Big) * NANOMETRE;
        let place = |place: &[u8]| [number(place), number(&place[4..]), number(&place[8..])];
        return Ok(bytes.chunks_exact(12).map(place).collect());
    }
    let head = text.exactly(32, "positions")?;
    let precision = Scalar::F32.read(head, Endian::Big);
    let integer = |index: usize| i64::from(word(head, 4 + 4 * index).cast_signed());
    let (least, most) = ([0, 1, 2].map(integer), [3, 4, 5].map(integer));
    let range = integer(6);
    let (length, padded) = length(text, frame.is_long)?;
    let refuse = |text: &Text, message: &str| Err(text.refuse(message));
    if !(precision.is_finite() && precision > 0.0) {
        return refuse(text, "the precision must be positive");
    }
    let sizes = [0, 1, 2].map(|axis| most[axis] - least[axis] + 1);
    let Some(sizes) =
        sizes.map(|size| u32::try_from(size).ok().filter(|&size| size > 0)).into_iter().collect::<Option<Vec<_>>>()
    else {
        return refuse(text, "the greatest position must not be below the least");
    };
    let Some(range) = usize::try_from(range).ok().filter(|range| (FIRST_RANGE..RANGES.len()).contains(range)) else {
        return refuse(text, "the index of the range must be from 9 to 72");
    };
    let Ok(padded) = usize::try_from(padded) else { return refuse(text, "positions of more bytes than memory has") };
    // an atom takes at least two bits
    if length.saturating_mul(4) < frame.atoms {
        return refuse(text, &format!("{} atoms do not fit in {length} bytes", frame.atoms));
    }
    let bytes = text.exactly(padded, "positions")?;
    let packed = Packed { least, sizes: [sizes[0], sizes[1], sizes[2]], range, precision };
    match packed.unpack(bytes, usize::try_from(frame.atoms).unwrap_or(usize::MAX)) {
        Some(positions) => Ok(positions),
        None => refuse(text, "positions are not packed as they should be"),
    }
}

struct Packed {
    least: [i64; 3],
    sizes: [u32; 3],
    range: usize,
    precision: f64,
}

impl Packed {
    /// Unpacks the positions; `None` if the bits are invalid.
    fn unpack(&self, bytes: &[u8], atoms: usize) -> Option<Vec<[f64; 3]>> {
        let mut bits = Bits { bytes, at: 0 };
        let mut positions = Vec::with_capacity(atoms.min(bytes.len() * 4));
        let scale = NANOMETRE / self.precision;
        let placed = |at: [i64; 3]| at.map(|value| value as f64 * scale);
        let mut range = self.range;
        let mut run = 0;
        while positions.len() < atoms {
            let whole = self.whole(&mut bits)?;
            let mut last = [0, 1, 2].map(|axis| whole[axis] + self.least[axis]);
            let mut change = 0_i64;
            if bits.take(1)? == 1 {
                let code = i64::try_from(bits.take(5)?).ok()?;
                change = code % 3 - 1;
                run = code - code % 3;
            }
            if run == 0 {
                positions.push(placed(last));
            }
            let half = i64::from(RANGES[range] / 2);
            for step in 0..run / 3 {
                let near = bits.three(u32::try_from(range).ok()?, [RANGES[range]; 3])?;
                let next = [0, 1, 2].map(|axis| near[axis] + last[axis] - half);
                if step == 0 {
                    // the first two are swapped, so that hydrogens are stored as offsets from their oxygen
                    positions.push(placed(next));
                    positions.push(placed(last));
                } else {
                    positions.push(placed(next));
                }
                last = next;
            }
            range = range.checked_add_signed(isize::try_from(change).ok()?)?;
            if !(FIRST_RANGE..RANGES.len()).contains(&range) {
                return None;
            }
        }
        (positions.len() == atoms).then_some(positions)
    }

    /// Unpacks a position in the range of all coordinates.
    fn whole(&self, bits: &mut Bits<'_>) -> Option<[i64; 3]> {
        /// If a size is above this, each coordinate is packed separately.
        const LARGEST: u32 = 0xff_ffff;
        let width = |size: u32| u32::BITS - size.leading_zeros();
        if self.sizes.iter().any(|&size| size > LARGEST) {
            let mut place = [0; 3];
            for (place, &size) in place.iter_mut().zip(&self.sizes) {
                *place = i64::try_from(bits.take(width(size))?).ok()?;
            }
            return Some(place);
        }
        let product: u128 = self.sizes.iter().map(|&size| u128::from(size)).product();
        bits.three(u128::BITS - product.leading_zeros(), self.sizes)
    }
}

/// A bit reader, highest bit of a byte first.
struct Bits<'a> {
    bytes: &'a [u8],
    /// Bits taken.
    at: usize,
}

impl Bits<'_> {
    /// The next bits as a number; `None` past the end.
    fn take(&mut self, count: u32) -> Option<u64> {
        let mut value = 0;
        let mut left = count;
        while left > 0 {
            let byte = u64::from(*self.bytes.get(self.at / 8)?);
            let offset = u32::try_from(self.at % 8).ok()?;
            let some = left.min(8 - offset);
            value = value << some | (byte >> (8 - offset - some)) & ((1 << some) - 1);
            self.at += some as usize;
            left -= some;
        }
        Some(value)
    }

    /// Unpacks three numbers below these sizes from `bits` bits, lowest byte first.
    fn three(&mut self, bits: u32, sizes: [u32; 3]) -> Option<[i64; 3]> {
        let (mut packed, mut shift, mut left) = (0_u128, 0, bits);
        while left > 0 {
            let some = left.min(8);
            packed |= u128::from(self.take(some)?) << shift;
            (shift, left) = (shift + 8, left - some);
        }
        let (second, third) = (u128::from(sizes[1]), u128::from(sizes[2]));
        let place = [packed / third / second, packed / third % second, packed % third];
        let [x, y, z] = place.map(|value| i64::try_from(value).ok());
        Some([x?, y?, z?])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_taken_from_the_highest() {
        let mut bits = Bits { bytes: &[0b1010_0001, 0b1111_0000], at: 0 };
        assert_eq!(
            [bits.take(1), bits.take(3), bits.take(6), bits.take(6)],
            [Some(1), Some(2), Some(0b00_0111), Some(0b11_0000)]
        );
        assert_eq!(bits.take(1), None);
    }

    #[test]
    fn three_numbers_are_unpacked() {
        // 3 + 10 · (2 + 7 · 1) = 93
        let mut bits = Bits { bytes: &[93], at: 0 };
        assert_eq!(bits.three(8, [3, 7, 10]), Some([1, 2, 3]));
    }

    #[test]
    fn ranges_fill_their_bits() {
        for (bits, &range) in RANGES.iter().enumerate().skip(FIRST_RANGE) {
            let cube = u128::from(range).pow(3);
            assert!(cube <= 1 << bits && cube > (1 << bits) / 2, "{bits}: {range}");
        }
    }
}
