//! The packed lists of MMTF.
//!
//! Source: "MMTF Specification", version 1.0, "Codecs". A header of twelve bytes has the codec, the number of values
//! and a parameter; all numbers are big-endian.

use super::bcif_encodings::prefix_sums;
use crate::geom::single;

pub(super) struct PackedList<'a> {
    codec: i32,
    count: usize,
    parameter: i32,
    body: &'a [u8],
}

impl<'a> PackedList<'a> {
    /// Parses the header; errors continue a message that begins with the list's name.
    pub(super) fn new(bytes: &'a [u8]) -> Result<Self, String> {
        let word =
            |at: usize| bytes.get(at..).and_then(|rest| rest.first_chunk()).map(|word| i32::from_be_bytes(*word));
        match (word(0), word(4), word(8)) {
            (Some(codec), Some(count), Some(parameter)) if count >= 0 => {
                Ok(Self { codec, count: usize::try_from(count).unwrap_or_default(), parameter, body: &bytes[12..] })
            }
            _ => Err("must begin with a codec and a count".to_owned()),
        }
    }

    /// Decodes up to `most` whole numbers.
    pub(super) fn integers(&self, most: usize) -> Result<Vec<i32>, String> {
        self.check_count(most)?;
        let values = match self.codec {
            2 => self.tiny().collect(),
            3 => self.shorts().collect(),
            4 => self.longs().collect(),
            7 => self.runs()?,
            8 => prefix_sums(self.runs()?, 0),
            14 => self.unpacked_shorts()?,
            15 => self.unpacked_tiny()?,
            codec => return Err(format!("has the codec {codec}, which is none of whole numbers")),
        };
        self.checked(values)
    }

    /// Decodes up to `most` numbers.
    pub(super) fn numbers(&self, most: usize) -> Result<Vec<f32>, String> {
        self.check_count(most)?;
        let whole = match self.codec {
            1 => {
                let (words, _) = self.body.as_chunks();
                return self.checked(words.iter().map(|word| f32::from_be_bytes(*word)).collect());
            }
            9 => self.runs()?,
            10 => prefix_sums(self.unpacked_shorts()?, 0),
            11 => self.shorts().collect(),
            12 => self.unpacked_shorts()?,
            13 => self.unpacked_tiny()?,
            codec => return Err(format!("has the codec {codec}, which is none of numbers")),
        };
        let divisor = f64::from(self.parameter);
        let values = whole.into_iter().map(|value| single(f64::from(value) / divisor)).collect();
        self.checked(values)
    }

    /// Decodes up to `most` letters; 0 means none.
    pub(super) fn letters(&self, most: usize) -> Result<Vec<u8>, String> {
        self.check_count(most)?;
        if self.codec != 6 {
            return Err(format!("has the codec {}, which is none of letters", self.codec));
        }
        self.checked(self.runs()?.into_iter().map(|letter| u8::try_from(letter).unwrap_or(0)).collect())
    }

    fn check_count(&self, most: usize) -> Result<(), String> {
        if self.count <= most {
            Ok(())
        } else {
            Err(format!("promises {} values, where at most {most} can be", self.count))
        }
    }

    fn checked<T>(&self, values: Vec<T>) -> Result<Vec<T>, String> {
        if values.len() == self.count {
            return Ok(values);
        }
        Err(format!("must have {} values, got {}", self.count, values.len()))
    }

    fn longs(&self) -> impl Iterator<Item = i32> {
        self.body.as_chunks().0.iter().map(|word| i32::from_be_bytes(*word))
    }

    fn shorts(&self) -> impl Iterator<Item = i32> {
        self.body.as_chunks().0.iter().map(|word| i32::from(i16::from_be_bytes(*word)))
    }

    fn tiny(&self) -> impl Iterator<Item = i32> {
        self.body.iter().map(|&byte| i32::from(byte.cast_signed()))
    }

    fn unpacked_shorts(&self) -> Result<Vec<i32>, String> {
        self.unpacked(self.shorts(), i32::from(i16::MIN), i32::from(i16::MAX))
    }

    fn unpacked_tiny(&self) -> Result<Vec<i32>, String> {
        self.unpacked(self.tiny(), i32::from(i8::MIN), i32::from(i8::MAX))
    }

    /// Expands run lengths: each value is followed by its count.
    fn runs(&self) -> Result<Vec<i32>, String> {
        let mut values = Vec::new();
        let (pairs, _) = self.body.as_chunks::<8>();
        for pair in pairs {
            let [value, length] = [0, 4].map(|at| i32::from_be_bytes(std::array::from_fn(|byte| pair[at + byte])));
            let length = usize::try_from(length).unwrap_or(usize::MAX);
            if length > self.count - values.len() {
                return Err(format!("has more values than the {} that it promises", self.count));
            }
            values.resize(values.len() + length, value);
        }
        Ok(values)
    }

    /// Sums up parts of large numbers: a part at an end of its range continues in the next one.
    fn unpacked(&self, parts: impl Iterator<Item = i32>, least: i32, most: i32) -> Result<Vec<i32>, String> {
        let (mut values, mut sum) = (Vec::new(), 0_i32);
        for part in parts {
            sum = sum.wrapping_add(part);
            if part != least && part != most {
                if values.len() == self.count {
                    return Err(format!("has more values than the {} that it promises", self.count));
                }
                values.push(sum);
                sum = 0;
            }
        }
        Ok(values)
    }
}

/// Decodes texts of equal length, without the zeros that pad them.
pub(super) fn texts_of(packed: &PackedList<'_>, most: usize) -> Result<Vec<String>, String> {
    packed.check_count(most)?;
    let length = usize::try_from(packed.parameter).unwrap_or(0);
    if packed.codec != 5 || length == 0 {
        return Err(format!("has the codec {} and texts of {length} bytes", packed.codec));
    }
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim_end_matches('\0').to_owned();
    packed.checked(packed.body.chunks_exact(length).map(text).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packed(codec: i32, count: i32, parameter: i32, body: &[u8]) -> Vec<u8> {
        let header = [codec, count, parameter].map(i32::to_be_bytes).concat();
        [header.as_slice(), body].concat()
    }

    fn words(values: &[i32]) -> Vec<u8> {
        values.iter().flat_map(|value| value.to_be_bytes()).collect()
    }

    fn shorts(values: &[i16]) -> Vec<u8> {
        values.iter().flat_map(|value| value.to_be_bytes()).collect()
    }

    #[test]
    fn examples_of_the_specification_are_decoded() {
        let integers =
            |bytes: &[u8]| PackedList::new(bytes).and_then(|list| list.integers(100)).expect("whole numbers");
        assert_eq!(integers(&packed(4, 3, 0, &words(&[1, -2, 70_000]))), [1, -2, 70_000]);
        assert_eq!(integers(&packed(7, 5, 0, &words(&[1, 2, 7, 3]))), [1, 1, 7, 7, 7]);
        assert_eq!(integers(&packed(8, 5, 0, &words(&[1, 4, 2, 1]))), [1, 2, 3, 4, 6]);
        assert_eq!(integers(&packed(15, 3, 0, &[127, 41, 34, 0x80, 0xff])), [168, 34, -129]);
        let numbers = |bytes: &[u8]| PackedList::new(bytes).and_then(|list| list.numbers(100)).expect("numbers");
        assert_eq!(numbers(&packed(10, 4, 1000, &shorts(&[18_200, 100, -100, 500]))), [18.2, 18.3, 18.2, 18.7]);
        assert_eq!(numbers(&packed(10, 2, 1000, &shorts(&[32_767, 3, -1000]))), [32.77, 31.77]);
        assert_eq!(numbers(&packed(9, 3, 100, &words(&[100, 3]))), [1.0; 3]);
        let list = packed(5, 2, 4, b"A\0\0\0DA\0\0");
        assert_eq!(PackedList::new(&list).and_then(|list| texts_of(&list, 9)).expect("texts"), ["A", "DA"]);
        let list = packed(6, 3, 0, &words(&[0, 2, 66, 1]));
        assert_eq!(PackedList::new(&list).and_then(|list| list.letters(3)).expect("letters"), [0, 0, b'B']);
    }

    #[test]
    fn lists_that_promise_too_much_take_no_memory() {
        for (list, message) in [
            (packed(7, i32::MAX, 0, &words(&[1, i32::MAX])), "promises 2147483647 values, where at most 100 can be"),
            (packed(7, 5, 0, &words(&[1, 99])), "has more values than the 5 that it promises"),
            (packed(7, 5, 0, &words(&[1, -1])), "has more values than the 5 that it promises"),
            (packed(14, 5, 0, &shorts(&[1, 2])), "must have 5 values, got 2"),
            (packed(99, 5, 0, &[]), "has the codec 99, which is none of whole numbers"),
            (packed(7, -5, 0, &[]), "must begin with a codec and a count"),
        ] {
            let found = PackedList::new(&list).and_then(|list| list.integers(100));
            assert_eq!(found, Err(message.to_owned()));
        }
    }
}
