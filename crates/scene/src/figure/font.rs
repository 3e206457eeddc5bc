//! Inter, the bundled font: its glyphs as a table of numbers, which a test writes from the font's file.
//!
//! The table has little-endian words of 16 bits. Four lists begin with their length in words: units per em
//! and height of capitals; letters and their glyphs, by letter; advances by glyph; pairs of glyphs and their kerning, by
//! pair. Steps of outlines follow, and [`NEXT`] after each glyph. See `Inter-LICENSE.txt`.

use std::sync::LazyLock;

use super::paint::Point;
use super::paper::CurveStep;

static TABLE: &[u8] = include_bytes!("Inter-Regular.glyphs");

/// Words that begin the steps of an outline, by the points that follow: none, one, one, three; then the next glyph.
const CLOSE: u16 = 0;
const MOVE: u16 = 1;
const LINE: u16 = 2;
const CURVE: u16 = 3;
const NEXT: u16 = 4;

pub(super) static FONT: LazyLock<Font> = LazyLock::new(|| Font::of_table(TABLE));

/// The place of a glyph in the font.
pub(super) type Glyph = u16;

/// The glyphs of a font, in its own units. Glyph 0 stands for letters that the font does not have.
pub(super) struct Font {
    pub(super) units_per_em: f64,
    pub(super) cap_height: f64,
    letters: Vec<(char, Glyph)>,
    advances: Vec<f64>,
    /// Pairs, the left glyph in the upper bits.
    kerning: Vec<(u32, f64)>,
    outlines: Vec<Vec<CurveStep>>,
}

impl Font {
    fn of_table(table: &[u8]) -> Self {
        let mut words = table.chunks_exact(2).map(|word| u16::from_le_bytes([word[0], word[1]]));
        let mut list = || {
            let length = words.next().expect("a list");
            words.by_ref().take(usize::from(length)).collect::<Vec<u16>>()
        };
        let sizes = list();
        let letters = list().chunks_exact(2).map(|pair| (letter(pair[0]), pair[1])).collect();
        let advances = list().into_iter().map(f64::from).collect();
        let kerning = list().chunks_exact(3).map(|of| (pair([of[0], of[1]]), signed(of[2]))).collect();
        Self {
            units_per_em: f64::from(sizes[0]),
            cap_height: f64::from(sizes[1]),
            letters,
            advances,
            kerning,
            outlines: outlines(words),
        }
    }

    pub(super) fn glyph(&self, letter: char) -> Option<Glyph> {
        self.letters.binary_search_by_key(&letter, |(letter, _)| *letter).ok().map(|at| self.letters[at].1)
    }

    pub(super) fn advance(&self, glyph: Glyph) -> f64 {
        self.advances[usize::from(glyph)]
    }

    /// The kerning between two glyphs; negative if they are drawn nearer to each other.
    pub(super) fn kerning(&self, glyphs: [Glyph; 2]) -> f64 {
        self.kerning.binary_search_by_key(&pair(glyphs), |(pair, _)| *pair).map_or(0.0, |at| self.kerning[at].1)
    }

    /// The outline of a glyph, y upwards; a space has none.
    pub(super) fn outline(&self, glyph: Glyph) -> &[CurveStep] {
        &self.outlines[usize::from(glyph)]
    }
}

fn letter(code: u16) -> char {
    char::from_u32(u32::from(code)).expect("letters of the font")
}

fn pair([left, right]: [Glyph; 2]) -> u32 {
    u32::from(left) << 16 | u32::from(right)
}

fn signed(word: u16) -> f64 {
    f64::from(word.cast_signed())
}

fn outlines(mut words: impl Iterator<Item = u16>) -> Vec<Vec<CurveStep>> {
    let mut outlines = vec![];
    let mut outline = vec![];
    while let Some(word) = words.next() {
        let mut point = || -> Point { [0, 1].map(|_| words.next().map_or(0.0, signed)) };
        match word {
            MOVE => outline.push(CurveStep::Move(point())),
            LINE => outline.push(CurveStep::Line(point())),
            CURVE => outline.push(CurveStep::Curve([point(), point(), point()])),
            CLOSE => outline.push(CurveStep::Close),
            NEXT => outlines.push(std::mem::take(&mut outline)),
            step => unreachable!("step {step} of the bundled font"),
        }
    }
    outlines
}

#[cfg(test)]
mod tests {
    use ttf_parser::{Face, GlyphId, OutlineBuilder};

    use super::*;

    /// The steps of a glyph's outline as words of the table.
    #[derive(Default)]
    struct Steps(Vec<u16>);

    impl Steps {
        #[expect(clippy::cast_possible_truncation, reason = "compared with the number itself")]
        fn push(&mut self, step: u16, points: &[f32]) {
            let word = |&number: &f32| {
                let word = number as i16;
                assert_eq!(f32::from(word), number, "outlines have whole numbers");
                word.cast_unsigned()
            };
            self.0.push(step);
            self.0.extend(points.iter().map(word));
        }
    }

    impl OutlineBuilder for Steps {
        fn move_to(&mut self, x: f32, y: f32) {
            self.push(MOVE, &[x, y]);
        }
        fn line_to(&mut self, x: f32, y: f32) {
            self.push(LINE, &[x, y]);
        }
        fn quad_to(&mut self, _: f32, _: f32, _: f32, _: f32) {
            unreachable!("this font has cubic curves");
        }
        fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
            self.push(CURVE, &[x1, y1, x2, y2, x, y]);
        }
        fn close(&mut self) {
            self.push(CLOSE, &[]);
        }
    }

    /// The table of a font's file.
    fn table(face: &Face<'_>) -> Vec<u8> {
        let glyphs = || (0..face.number_of_glyphs()).map(GlyphId);
        let letters = || ('\0'..='\u{ffff}').filter_map(|letter| Some((letter, face.glyph_index(letter)?.0)));
        let kern = face.tables().kern.expect("a table of kerning").subtables.into_iter().next().expect("its pairs");
        let pairs = glyphs().flat_map(|left| glyphs().map(move |right| (left, right)));
        let kerning = pairs.filter_map(|(left, right)| {
            let units = kern.glyphs_kerning(left, right).filter(|units| *units != 0)?;
            Some([left.0, right.0, units.cast_unsigned()])
        });
        let code = |letter: char| u16::try_from(u32::from(letter)).expect("of the first plane");
        let height = face.capital_height().expect("a height of capitals").cast_unsigned();
        let lists: [Vec<u16>; 4] = [
            vec![face.units_per_em(), height],
            letters().flat_map(|(letter, glyph)| [code(letter), glyph]).collect(),
            glyphs().map(|glyph| face.glyph_hor_advance(glyph).unwrap_or_default()).collect(),
            kerning.flatten().collect(),
        ];
        let mut words = vec![];
        for list in lists {
            words.push(u16::try_from(list.len()).expect("short"));
            words.extend(list);
        }
        for glyph in glyphs() {
            let mut steps = Steps(words);
            // a glyph without an outline is a space
            let _ = face.outline_glyph(glyph, &mut steps);
            words = steps.0;
            words.push(NEXT);
        }
        words.into_iter().flat_map(u16::to_le_bytes).collect()
    }

    #[test]
    fn the_table_is_that_of_the_file() {
        let file: &[u8] = include_bytes!("Inter-Regular.otf");
        let written = table(&Face::parse(file, 0).expect("whole"));
        if std::env::var("ROUNDEL_BLESS").is_ok_and(|names| names == "all") {
            let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/figure/Inter-Regular.glyphs");
            std::fs::write(path, written).expect("writable");
            return;
        }
        assert!(written == TABLE, "ROUNDEL_BLESS=all writes it again");
        assert_eq!(FONT.outlines.len(), FONT.advances.len());
    }

    #[test]
    fn letters_of_figures_are_in_the_font() {
        for letter in "AZaz09 −–—×·±°µÅÖßé²³⁰⁴⁹⁻₂αβγσω≤≥≈∞".chars() {
            assert!(FONT.glyph(letter).is_some(), "{letter}");
        }
        assert_eq!(FONT.glyph('語'), None);
    }
}
