//! UTF-16 text, known by its byte-order mark, as UTF-8.

use std::io::{self, Read};

/// The byte order of UTF-16 text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Utf16 {
    Little,
    Big,
}

impl Utf16 {
    /// The byte order of a text with a mark whose first letter is ASCII.
    pub(super) fn of(head: &[u8]) -> Option<Self> {
        match *head {
            [0xff, 0xfe, 1..=0x7e, 0, ..] => Some(Self::Little),
            [0xfe, 0xff, 0, 1..=0x7e, ..] => Some(Self::Big),
            _ => None,
        }
    }

    pub(super) fn decoder(self, inner: Box<dyn Read + Send>) -> Utf16Reader {
        Utf16Reader { encoding: self, inner, odd: None, high: None, decoded: Vec::new(), taken: 0 }
    }

    fn unit(self, bytes: [u8; 2]) -> u16 {
        match self {
            Self::Little => u16::from_le_bytes(bytes),
            Self::Big => u16::from_be_bytes(bytes),
        }
    }
}

/// Decodes UTF-16; what is none becomes the replacement character.
pub(super) struct Utf16Reader {
    encoding: Utf16,
    inner: Box<dyn Read + Send>,
    /// The first half of a unit.
    odd: Option<u8>,
    /// The first unit of a pair.
    high: Option<u16>,
    decoded: Vec<u8>,
    taken: usize,
}

impl Utf16Reader {
    /// Decodes the next bytes; false at the end.
    fn fill(&mut self) -> io::Result<bool> {
        let mut bytes = [0; 1 << 13];
        let count = self.inner.read(&mut bytes)?;
        let odd = self.odd.take();
        let all = odd.into_iter().chain(bytes[..count].iter().copied());
        let mut units = Vec::with_capacity(count / 2 + 2);
        units.extend(self.high.take());
        let mut half = None;
        for byte in all {
            match half.take() {
                None => half = Some(byte),
                Some(first) => units.push(self.encoding.unit([first, byte])),
            }
        }
        self.odd = half;
        if count > 0 && units.last().is_some_and(|unit| (0xd800..0xdc00).contains(unit)) {
            self.high = units.pop();
        }
        self.decoded.clear();
        self.taken = 0;
        for letter in char::decode_utf16(units) {
            let letter = letter.unwrap_or(char::REPLACEMENT_CHARACTER);
            self.decoded.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes());
        }
        Ok(count > 0 || !self.decoded.is_empty())
    }
}

impl Read for Utf16Reader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.taken == self.decoded.len() {
            if !self.fill()? {
                return Ok(0);
            }
        }
        let count = buffer.len().min(self.decoded.len() - self.taken);
        buffer[..count].copy_from_slice(&self.decoded[self.taken..self.taken + count]);
        self.taken += count;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn utf16_is_decoded_in_both_byte_orders_and_over_the_ends_of_buffers() {
        let text: String = "\u{feff}x,name\n".chars().chain((0..5000).flat_map(|_| "1,ä𝄞\n".chars())).collect();
        let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        for bytes in [little, big] {
            let encoding = Utf16::of(&bytes).expect("a mark");
            let mut decoded = String::new();
            encoding.decoder(Box::new(io::Cursor::new(bytes))).read_to_string(&mut decoded).expect("text");
            assert_eq!(decoded, text);
        }
        assert_eq!(Utf16::of(b"\xff\xfe\x00\x00\x00\x3f"), None, "numbers");
    }
}
