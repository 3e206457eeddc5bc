//! Helvetica, one of the fonts that every reader of PDF has: codes and widths of its letters.

/// Widths of the letters from space to tilde, in thousandths of an em.
///
/// Source: Adobe Core 14 AFM, Helvetica.
const WIDTHS: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556,
    556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833,
    722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556,
    556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334,
    260, 334, 584,
];

/// Letters beyond ASCII: their codes in `WinAnsiEncoding` and their widths.
const OTHERS: [(char, u8, u16); 10] = [
    ('°', 0xb0, 400),
    ('±', 0xb1, 584),
    ('²', 0xb2, 333),
    ('³', 0xb3, 333),
    ('·', 0xb7, 278),
    ('Å', 0xc5, 667),
    ('×', 0xd7, 584),
    ('–', 0x96, 556),
    ('—', 0x97, 1000),
    ('…', 0x85, 1000),
];

/// The bytes of a text in `WinAnsiEncoding` and its length in ems; `None` if Helvetica lacks a letter.
pub(crate) fn encoded(text: &str) -> Option<(Vec<u8>, f64)> {
    let letter = |letter: char| match u8::try_from(letter) {
        Ok(code @ 0x20..=0x7e) => Some((code, WIDTHS[usize::from(code - 0x20)])),
        _ => OTHERS.iter().find(|(known, ..)| *known == letter).map(|(_, code, width)| (*code, *width)),
    };
    let letters: Vec<(u8, u16)> = text.chars().map(letter).collect::<Option<_>>()?;
    let length = letters.iter().map(|(_, width)| f64::from(*width) / 1000.0).sum();
    Some((letters.into_iter().map(|(code, _)| code).collect(), length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_have_codes_and_widths() {
        let (bytes, length) = encoded("Az~ 5 Å").expect("in Helvetica");
        assert_eq!(bytes, b"Az~ 5 \xc5");
        assert!((length - (0.667 + 0.5 + 0.584 + 2.0 * 0.278 + 0.556 + 0.667)).abs() < 1e-9, "{length}");
        assert_eq!(encoded("α"), None, "outlines show it");
    }
}
