//! Sections of a legend other than colours: circles for sizes, swatches for opacities, and an arrow for lengths.

use super::date_ticks::{DateTicks, in_full};
use super::numbers::{number_written, round_below, ticks};
use super::paint::{
    Checkerboard, FilledRectangle, Line, Point, draw_circle, draw_line, fill_disc, fill_polygon, fill_rectangle,
};
use super::paper::Paper;
use super::text::TextLine;
use crate::color::{ColorKey, Scale, Srgba8};

/// A section of a legend.
#[derive(Clone, Debug, PartialEq)]
pub enum LegendPart {
    Colors(ColorKey),
    Sizes(SizeKey),
    Opacities(OpacityKey),
    Arrows(ArrowKey),
}

impl LegendPart {
    pub(super) fn name(&self) -> &str {
        match self {
            Self::Colors(ColorKey::Categories { name, .. } | ColorKey::Numbers { name, .. })
            | Self::Sizes(SizeKey { name, .. })
            | Self::Opacities(OpacityKey { name, .. })
            | Self::Arrows(ArrowKey { name, .. }) => name,
        }
    }

    /// The name above it.
    pub fn name_mut(&mut self) -> &mut String {
        match self {
            Self::Colors(ColorKey::Categories { name, .. } | ColorKey::Numbers { name, .. })
            | Self::Sizes(SizeKey { name, .. })
            | Self::Opacities(OpacityKey { name, .. })
            | Self::Arrows(ArrowKey { name, .. }) => name,
        }
    }

    /// All words, for a check of their letters.
    pub(super) fn texts(&self) -> impl Iterator<Item = &str> {
        let items = if let Self::Colors(ColorKey::Categories { items, .. }) = self { &items[..] } else { &[] };
        std::iter::once(self.name()).chain(items.iter().map(|item| &*item.name))
    }
}

/// The meaning of radii, or of the widths of lines.
#[derive(Clone, Debug, PartialEq)]
pub struct SizeKey {
    #[doc(hidden)]
    pub name: String,
    #[doc(hidden)]
    pub mark: SizeMark,
    /// Numbers and their sizes, the largest first: in pixels for circles and lines, in world units for spheres.
    #[doc(hidden)]
    pub samples: Vec<[f64; 2]>,
    /// Pixels per unit, for circles.
    #[doc(hidden)]
    pub pixels: f64,
    /// Whether the numbers are dates, in seconds since 1970-01-01 UTC.
    #[doc(hidden)]
    pub dates: bool,
}

/// The samples of a legend of sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SizeMark {
    /// Nested circles of these radii.
    Circles,
    /// Lines of these widths.
    Lines,
}

/// The opacities of a column, the greatest first.
#[derive(Clone, Debug, PartialEq)]
pub struct OpacityKey {
    #[doc(hidden)]
    pub name: String,
    #[doc(hidden)]
    pub samples: Vec<f64>,
}

/// The meaning of the length of arrows.
#[derive(Clone, Debug, PartialEq)]
pub struct ArrowKey {
    #[doc(hidden)]
    pub name: String,
    /// Length of the longest vector.
    #[doc(hidden)]
    pub longest: f64,
    /// World units per unit of the vectors.
    #[doc(hidden)]
    pub scale: f64,
    /// Radius of the shafts, in world units.
    #[doc(hidden)]
    pub radius: f64,
    /// The colour of all arrows, if they have one.
    #[doc(hidden)]
    pub color: Option<Srgba8>,
}

/// Height of a legend of sizes, in lines of text: the labels of three sizes.
pub(super) const SIZE_LINES: usize = 3;

/// The largest length of an arrow in a legend, in points.
const ARROW: f64 = 44.0;

/// The largest radii of the second and the third circle, as shares of the first, so that nested circles stay apart.
const SMALLER: [f64; 2] = [0.7, 0.4];

impl SizeKey {
    /// Chooses up to three round numbers in the range with clearly different sizes. `None` if no number has a size.
    pub fn new(
        name: String,
        mark: SizeMark,
        [least, most]: [f64; 2],
        dates: bool,
        size: impl Fn(f64) -> f64,
    ) -> Option<Self> {
        let mut round: Vec<f64> = Vec::new();
        if dates {
            let ticks = DateTicks::new([least, most], 5.0, false).ticks;
            round = ticks.into_iter().map(|(date, _)| date).rev().collect();
        } else if most > 0.0 {
            let mut next = round_below(most);
            // more than four decades cannot be told apart
            while next > 0.0 && next >= least.max(1e-4 * most) {
                round.push(next);
                next = round_below(0.99 * next);
            }
        }
        if round.len() < 2 && !dates {
            round = ticks([least, most], Scale::Linear, 3.0).into_iter().map(|(number, _)| number).rev().collect();
        }
        if round.is_empty() {
            round.push(most);
        }
        // for magnitudes and ranks the least number may have the largest size
        if size(least) > size(most) {
            round.reverse();
        }
        let mut candidates = round.into_iter().map(|number| [number, size(number)]).filter(|[_, size]| *size > 0.0);
        let largest = candidates.next()?;
        let mut samples = vec![largest];
        for share in SMALLER {
            samples.extend(candidates.find(|[_, size]| *size <= share * largest[1]));
        }
        Some(Self { name, mark, samples, pixels: 1.0, dates })
    }
}

/// Sizes and colours for drawing samples.
pub(super) struct LegendPen<'a> {
    pub(super) text: &'a TextLine,
    /// Pixels per point.
    pub(super) point: f64,
    /// Height of a line of text, in pixels.
    pub(super) line: f64,
    pub(super) ink: Srgba8,
    pub(super) background: Srgba8,
    /// The colour that tones every second square under translucent samples.
    pub(super) second: Srgba8,
    /// Pixels between a sample and its label.
    pub(super) gap: f64,
}

impl LegendPen<'_> {
    /// The checkerboard under a translucent sample.
    pub(super) fn checkerboard(&self, corner: Point, side: f64) -> Checkerboard {
        Checkerboard { corner, side, background: self.background, second: self.second }
    }
}

impl SizeKey {
    fn labels(&self) -> impl Iterator<Item = String> {
        let numbers: Vec<f64> = self.samples.iter().map(|[number, _]| *number).collect();
        let texts = if self.dates { in_full(&numbers) } else { numbers.into_iter().map(number_written).collect() };
        texts.into_iter()
    }

    pub(super) fn width(&self, text: &TextLine, line: f64, gap: f64) -> f64 {
        SIZE_LINES as f64 * line + gap + text.widest(self.labels())
    }

    /// The heading, with the reduction of the samples, if any.
    pub(super) fn heading(&self, unit: f64, line: f64) -> String {
        let times = self.times_smaller(unit, line);
        if times > 1.0 { format!("{} (1:{})", self.name, number_written(times)) } else { self.name.clone() }
    }

    /// The reduction of the samples so that the largest fits: 1, 2, 5, 10 and so on.
    fn times_smaller(&self, unit: f64, line: f64) -> f64 {
        let largest = self.samples.iter().map(|[_, size]| size * unit * self.pixels).fold(0.0, f64::max);
        let needed = match self.mark {
            SizeMark::Circles => 2.0 * largest / (0.8 * SIZE_LINES as f64 * line),
            SizeMark::Lines => largest / (0.8 * line),
        };
        if !(needed > 1.0 && needed.is_finite()) {
            return 1.0;
        }
        let below = round_below(needed);
        // the next of the series, which is 2 or 2.5 times as large
        if below >= needed { below } else { round_below(2.6 * below) }
    }

    pub(super) fn draw(&self, paper: &mut Paper<'_>, corner: Point, pen: &LegendPen<'_>, unit: f64) {
        let scale = unit * self.pixels / self.times_smaller(unit, pen.line);
        match self.mark {
            SizeMark::Circles => self.draw_circles(paper, corner, pen, scale),
            SizeMark::Lines => self.draw_lines(paper, corner, pen, scale),
        }
    }

    /// Draws a line above the other, each with its label.
    fn draw_lines(&self, paper: &mut Paper<'_>, [left, top]: Point, pen: &LegendPen<'_>, scale: f64) {
        let LegendPen { text, line, ink, .. } = pen;
        let right = left + SIZE_LINES as f64 * line;
        for ((row, [_, width]), label) in (0_u32..).zip(&self.samples).zip(self.labels()) {
            let middle = top + line * (f64::from(row) + 0.5);
            let width = width * scale;
            draw_line(paper, &Line { from: [left, middle], to: [right, middle], width }, *ink);
            text.draw(paper, [right + pen.gap, middle + 0.5 * text.cap_height()], &label, *ink);
        }
    }

    /// Draws nested circles that touch at the bottom, with a label at the top of each.
    fn draw_circles(&self, paper: &mut Paper<'_>, [left, top]: Point, pen: &LegendPen<'_>, scale: f64) {
        let LegendPen { text, point, line, ink, .. } = pen;
        let box_side = SIZE_LINES as f64 * line;
        let largest = self.samples.iter().map(|[_, radius]| 2.0 * radius * scale).fold(0.0, f64::max);
        let (middle, floor) = (left + 0.5 * box_side, top + 0.2 * line + largest.min(0.8 * box_side));
        let width = 0.75 * point;
        let mut above = f64::NEG_INFINITY;
        for ([_, radius], label) in self.samples.iter().zip(self.labels()) {
            let radius = radius * scale;
            let center = [middle, floor - radius];
            draw_circle(paper, center, radius, width, *ink);
            // labels of circles of similar size must not overlap
            let y =
                (floor - 2.0 * radius + 0.5 * text.cap_height()).max(above + 0.9 * line).max(top + text.cap_height());
            above = y;
            let from = [middle, floor - 2.0 * radius + 0.5 * width];
            let to = [left + box_side, y - 0.5 * text.cap_height()];
            draw_line(paper, &Line { from, to, width: 0.5 * point }, *ink);
            text.draw(paper, [left + box_side + pen.gap, y], &label, *ink);
        }
    }
}

impl OpacityKey {
    pub fn new(name: String, [least, most]: [f64; 2]) -> Self {
        let round = |opacity: f64| (opacity.clamp(0.0, 1.0) * 100.0).round() / 100.0;
        let mut samples = vec![round(most), round(0.5 * (least + most)), round(least)];
        samples.dedup();
        Self { name, samples }
    }

    pub(super) fn labels(&self) -> impl Iterator<Item = String> {
        self.samples.iter().map(|opacity| number_written(*opacity))
    }

    /// Draws a column of swatches in the colour of the text.
    pub(super) fn draw(&self, paper: &mut Paper<'_>, [left, top]: Point, pen: &LegendPen<'_>, radius: f64) {
        for ((row, opacity), label) in (0_u32..).zip(&self.samples).zip(self.labels()) {
            let y = top + pen.line * f64::from(row) + 0.5 * (pen.line + pen.text.cap_height());
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most 255")]
            let color = pen.ink.with_alpha((opacity * 255.0 + 0.5) as u8);
            swatch(paper, [left + radius, y - 0.5 * pen.text.cap_height()], radius, color, pen);
            pen.text.draw(paper, [left + 2.0 * radius + pen.gap, y], &label, pen.ink);
        }
    }
}

impl ArrowKey {
    pub(super) fn width(&self, text: &TextLine, point: f64, gap: f64) -> f64 {
        // the number depends on the camera; these are the widest labels
        ARROW * point + gap + text.widest(["2×10⁻⁹⁹", "200000"])
    }

    /// Draws an arrow at the scale of the picture, and the number it stands for.
    pub(super) fn draw(&self, paper: &mut Paper<'_>, [left, top]: Point, pen: &LegendPen<'_>, unit: f64) {
        let LegendPen { text, point, line, ink, .. } = pen;
        let per_number = (self.scale * unit).abs();
        let number = round_below(self.longest.min(ARROW * point / per_number));
        let length = number * per_number;
        let label = number_written(number);
        let color = self.color.unwrap_or(*ink);
        // as thick as in the picture, if that is visible and leaves room for a head
        let half = (self.radius * unit).min(3.0 * point).min(0.2 * length).max(0.5 * point);
        let head = (5.0 * half).min(length);
        let middle = top + 0.5 * line;
        let shaft = FilledRectangle { min: [left, middle - half], max: [left + length - head, middle + half] };
        fill_rectangle(paper, &shaft, color);
        let base = left + length - head;
        let tip = [[base, middle - 2.0 * half], [left + length, middle], [base, middle + 2.0 * half]];
        fill_polygon(paper, &tip, color);
        text.draw(paper, [left + length + pen.gap, middle + 0.5 * text.cap_height()], &label, *ink);
    }
}

/// The colour of the rim of swatches.
const RIM: Srgba8 = Srgba8::rgb(0x80, 0x80, 0x80);

/// Draws a disc with a rim, so that white stands out on white; on a checkerboard if the colour is translucent.
pub(super) fn swatch(paper: &mut Paper<'_>, center: Point, radius: f64, color: Srgba8, pen: &LegendPen<'_>) {
    fill_disc(paper, center, radius, RIM);
    let inner = radius - 0.5 * pen.point;
    if color.a == u8::MAX {
        fill_disc(paper, center, inner, color);
    } else {
        pen.checkerboard(center, inner).fill_disc(paper, center, inner, color);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(range: [f64; 2], radius: impl Fn(f64) -> f64) -> Vec<f64> {
        SizeKey::new(String::new(), SizeMark::Circles, range, false, radius)
            .expect("sizes")
            .samples
            .iter()
            .map(|[number, _]| *number)
            .collect()
    }

    #[test]
    fn sizes_are_round_and_apart() {
        assert_eq!(numbers([1.0, 90.0], f64::sqrt), [50.0, 20.0, 5.0]);
        assert_eq!(numbers([3.0, 4.0], |number| number), [4.0]);
        assert_eq!(numbers([7.3, 7.3], |number| number), [7.3]);
        assert_eq!(numbers([-9.0, -1.0], |number| 10.0 + number), [-2.0, -6.0, -8.0]);
        assert!(SizeKey::new(String::new(), SizeMark::Circles, [1.0, 2.0], false, |_| 0.0).is_none());
        assert_eq!(numbers([1.0, 90.0], |number| 10.0 - number.sqrt()), [1.0, 20.0, 50.0], "largest circle first");
    }

    #[test]
    fn circles_that_are_too_large_are_smaller_by_a_round_factor() {
        let times = |radius: f64| {
            let key = SizeKey {
                name: "r".to_owned(),
                mark: SizeMark::Circles,
                samples: vec![[1.0, radius]],
                pixels: 1.0,
                dates: false,
            };
            (key.times_smaller(1.0, 20.0), key.heading(1.0, 20.0))
        };
        assert_eq!(times(24.0), (1.0, "r".to_owned()));
        assert_eq!(times(24.1), (2.0, "r (1:2)".to_owned()));
        assert_eq!(times(49.0).0, 5.0);
        assert_eq!(times(120.1).0, 10.0);
        assert_eq!(times(f64::INFINITY).0, 1.0);
    }
}
