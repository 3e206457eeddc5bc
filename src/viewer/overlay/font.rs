//! The embedded bitmap font: printable ASCII, eight by eight pixels.
//!
//! The glyphs come from `font8x8_basic.h` by Daniel Hepper (2010), after Marcel Sondaar's and IBM's VGA fonts, in the
//! public domain. A glyph is a `u64`: row `y` is byte `y`, counted from the lowest, and column `x` is bit `x` of it.

/// Width and height of a glyph in pixels.
pub(super) const GLYPH_SIZE: usize = 8;

/// Returns row `y` of a character's glyph, the leftmost column in the lowest bit. A character that the font lacks is
/// `?`.
pub(super) fn glyph_row(character: char, y: usize) -> u8 {
    let index = (character as usize).wrapping_sub(0x20);
    let glyph = GLYPHS.get(index).unwrap_or(&GLYPHS[usize::from(b'?' - b' ')]);
    glyph.to_le_bytes()[y]
}

/// From space to tilde.
const GLYPHS: [u64; 95] = [
    0x0000_0000_0000_0000, // space
    0x0018_0018_183c_3c18, // !
    0x0000_0000_0000_3636, // "
    0x0036_367f_367f_3636, // #
    0x000c_1f30_1e03_3e0c, // $
    0x0063_660c_1833_6300, // %
    0x006e_333b_6e1c_361c, // &
    0x0000_0000_0003_0606, // '
    0x0018_0c06_0606_0c18, // (
    0x0006_0c18_1818_0c06, // )
    0x0000_663c_ff3c_6600, // *
    0x0000_0c0c_3f0c_0c00, // +
    0x060c_0c00_0000_0000, // ,
    0x0000_0000_3f00_0000, // -
    0x000c_0c00_0000_0000, // .
    0x0001_0306_0c18_3060, // /
    0x003e_676f_7b73_633e, // 0
    0x003f_0c0c_0c0c_0e0c, // 1
    0x003f_3306_1c30_331e, // 2
    0x001e_3330_1c30_331e, // 3
    0x0078_307f_3336_3c38, // 4
    0x001e_3330_301f_033f, // 5
    0x001e_3333_1f03_061c, // 6
    0x000c_0c0c_1830_333f, // 7
    0x001e_3333_1e33_331e, // 8
    0x000e_1830_3e33_331e, // 9
    0x000c_0c00_000c_0c00, // :
    0x060c_0c00_000c_0c00, // ;
    0x0018_0c06_0306_0c18, // <
    0x0000_3f00_003f_0000, // =
    0x0006_0c18_3018_0c06, // >
    0x000c_000c_1830_331e, // ?
    0x001e_037b_7b7b_633e, // @
    0x0033_333f_3333_1e0c, // A
    0x003f_6666_3e66_663f, // B
    0x003c_6603_0303_663c, // C
    0x001f_3666_6666_361f, // D
    0x007f_4616_1e16_467f, // E
    0x000f_0616_1e16_467f, // F
    0x007c_6673_0303_663c, // G
    0x0033_3333_3f33_3333, // H
    0x001e_0c0c_0c0c_0c1e, // I
    0x001e_3333_3030_3078, // J
    0x0067_6636_1e36_6667, // K
    0x007f_6646_0606_060f, // L
    0x0063_636b_7f7f_7763, // M
    0x0063_6373_7b6f_6763, // N
    0x001c_3663_6363_361c, // O
    0x000f_0606_3e66_663f, // P
    0x0038_1e3b_3333_331e, // Q
    0x0067_6636_3e66_663f, // R
    0x001e_3338_0e07_331e, // S
    0x001e_0c0c_0c0c_2d3f, // T
    0x003f_3333_3333_3333, // U
    0x000c_1e33_3333_3333, // V
    0x0063_777f_6b63_6363, // W
    0x0063_361c_1c36_6363, // X
    0x001e_0c0c_1e33_3333, // Y
    0x007f_664c_1831_637f, // Z
    0x001e_0606_0606_061e, // [
    0x0040_6030_180c_0603, // \
    0x001e_1818_1818_181e, // ]
    0x0000_0000_6336_1c08, // ^
    0xff00_0000_0000_0000, // _
    0x0000_0000_0018_0c0c, // `
    0x006e_333e_301e_0000, // a
    0x003b_6666_3e06_0607, // b
    0x001e_3303_331e_0000, // c
    0x006e_3333_3e30_3038, // d
    0x001e_033f_331e_0000, // e
    0x000f_0606_0f06_361c, // f
    0x1f30_3e33_336e_0000, // g
    0x0067_6666_6e36_0607, // h
    0x001e_0c0c_0c0e_000c, // i
    0x1e33_3330_3030_0030, // j
    0x0067_361e_3666_0607, // k
    0x001e_0c0c_0c0c_0c0e, // l
    0x0063_6b7f_7f33_0000, // m
    0x0033_3333_331f_0000, // n
    0x001e_3333_331e_0000, // o
    0x0f06_3e66_663b_0000, // p
    0x7830_3e33_336e_0000, // q
    0x000f_0666_6e3b_0000, // r
    0x001f_301e_033e_0000, // s
    0x0018_2c0c_0c3e_0c08, // t
    0x006e_3333_3333_0000, // u
    0x000c_1e33_3333_0000, // v
    0x0036_7f7f_6b63_0000, // w
    0x0063_361c_3663_0000, // x
    0x1f30_3e33_3333_0000, // y
    0x003f_260c_193f_0000, // z
    0x0038_0c0c_070c_0c38, // {
    0x0018_1818_0018_1818, // |
    0x0007_0c0c_380c_0c07, // }
    0x0000_0000_0000_3b6e, // ~
];

#[cfg(test)]
mod tests {
    use super::*;

    fn glyph(character: char) -> String {
        let dots = |row: u8| (0..GLYPH_SIZE).map(move |x| if row >> x & 1 == 1 { '#' } else { '.' });
        (0..GLYPH_SIZE).flat_map(|y| dots(glyph_row(character, y)).chain(['\n'])).collect()
    }

    #[test]
    fn glyphs_are_upright_and_not_mirrored() {
        let letter = "##..##..\n##..##..\n##..##..\n######..\n##..##..\n##..##..\n##..##..\n........\n";
        assert_eq!(glyph('H'), letter);
        assert_eq!(glyph('L').lines().nth(6), Some("#######."), "the foot of an L points to the right");
    }

    #[test]
    fn unknown_characters_are_question_marks() {
        assert_eq!(glyph('\u{e9}'), glyph('?'));
        assert_eq!(glyph('\n'), glyph('?'));
        assert_ne!(glyph('~'), glyph('?'));
    }
}
