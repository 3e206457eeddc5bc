//! Legends below a picture: horizontal colour bars, and categories in few rows.

use super::{BAR_HEIGHT, BAR_WIDTH, COLUMN_GAP, GAP, LegendEntries, RampPart, SWATCH, Section, TICK};
use crate::color::{Category, ColorKey, MISSING_COLOR, MISSING_NAME, Srgba8};
use crate::figure::legend_samples::{LegendPart, LegendPen, swatch};
use crate::figure::paint::{FilledRectangle, Line, Point, draw_line, fill_polygon, fill_rectangle};
use crate::figure::paper::Paper;

impl Section<'_> {
    /// The room of the first and of the last number and of triangles, to the left and to the right of a horizontal bar.
    fn flat_ends(&self) -> [f64; 2] {
        let ticks = self.numbers().ticks;
        let half = |label: Option<&(f64, String)>| label.map_or(0.0, |(_, label)| 0.5 * self.text.width(label));
        let [low, high] = match &*self.key {
            LegendPart::Colors(ColorKey::Numbers { beyond, .. }) => {
                beyond.map(|beyond| if beyond { BAR_WIDTH * self.point } else { 0.0 })
            }
            _ => [0.0; 2],
        };
        [low.max(half(ticks.first())), high.max(half(ticks.last()))].map(libm::ceil)
    }

    /// The width of the entry for missing numbers beside a horizontal bar; 0 if none is missing.
    fn flat_missing(&self) -> f64 {
        let wide = (2.0 * SWATCH + GAP + COLUMN_GAP) * self.point + self.text.width(MISSING_NAME);
        if self.missing_line() > 0.0 { wide } else { 0.0 }
    }

    /// The length of a horizontal bar, but for the room at its ends.
    pub(super) fn flat_room(&self) -> f64 {
        (self.room.width - self.flat_missing()).max(4.0 * self.text.size).min(BAR_HEIGHT * self.point)
    }

    /// The length of a horizontal bar.
    fn flat_length(&self) -> f64 {
        let room = (self.room.width - self.flat_missing() - self.flat_ends().iter().sum::<f64>()).max(self.text.size);
        libm::round(room.min(BAR_HEIGHT * self.point))
    }

    pub(super) fn flat_bar_width(&self) -> f64 {
        self.flat_ends().iter().sum::<f64>() + self.flat_length() + self.flat_missing()
    }

    /// Draws a horizontal colour bar, the least number on the left, with its numbers below.
    pub(super) fn flat_bar(
        &self,
        paper: &mut Paper<'_>,
        corner: Point,
        ramp: RampPart,
        beyond: [bool; 2],
        pen: &LegendPen<'_>,
    ) {
        let LegendPart::Colors(ColorKey::Numbers { alpha, .. }) = &*self.key else { return };
        let (wide, length) = (libm::round(BAR_WIDTH * self.point), self.flat_length());
        let [left, top] = [libm::round(corner[0]) + self.flat_ends()[0], corner[1]];
        let squares = pen.checkerboard([left, top], 0.5 * wide);
        let first = paper.recorded();
        let mut column = 0.0;
        while column < length {
            let color = ramp.color((column + 0.5) / length);
            let part = |from: f64, to: f64| FilledRectangle {
                min: [left + column, top + from * wide],
                max: [left + column + 1.0, top + to * wide],
            };
            if ramp.alpha == u8::MAX {
                fill_rectangle(paper, &part(0.0, 1.0), color);
            } else {
                squares.fill_row(paper, &part(0.0, 0.5), color);
                squares.fill_row(paper, &part(0.5, 1.0), color);
            }
            column += 1.0;
        }
        paper.stack(first, 0, left + length);
        let triangle = |paper: &mut Paper<'_>, base: f64, tip: f64, color: Srgba8| {
            fill_polygon(paper, &[[base, top], [base, top + wide], [tip, top + 0.5 * wide]], color);
        };
        if beyond[0] {
            triangle(paper, left, left - 0.8 * wide, ramp.color(0.0));
        }
        if beyond[1] {
            triangle(paper, left + length, left + length + 0.8 * wide, ramp.color(1.0));
        }
        let below = top + wide;
        for (value, label) in self.numbers().ticks {
            let x = left + self.along(value) * length;
            let line = Line { from: [x, below], to: [x, below + TICK * self.point], width: 0.75 * self.point };
            draw_line(paper, &line, pen.ink);
            let baseline = below + (TICK + 2.0) * self.point + self.text.cap_height();
            self.text.draw(paper, [x - 0.5 * self.text.width(&label), baseline], &label, pen.ink);
        }
        if self.missing_line() > 0.0 {
            let radius = SWATCH * self.point;
            let start = left + length + self.flat_ends()[1] + COLUMN_GAP * self.point;
            let y = top + 0.5 * wide;
            swatch(paper, [start + radius, y], radius, MISSING_COLOR.with_alpha(*alpha), pen);
            let words = [start + 2.0 * radius + GAP * self.point, y + 0.5 * self.text.cap_height()];
            self.text.draw(paper, words, MISSING_NAME, pen.ink);
        }
    }

    /// All categories in the fewest rows, at most `most`, whose columns are not too wide.
    pub(super) fn flat_entries<'s>(&'s self, items: &'s [Category], most: usize) -> LegendEntries<'s> {
        let labels: Vec<_> = items.iter().map(|item| (Some(item), self.label(item))).collect();
        let gap = COLUMN_GAP * self.point;
        let width = |rows: usize| labels.chunks(rows).map(|labels| self.column_width(labels) + gap).sum::<f64>() - gap;
        let least = (1..=items.len().max(1)).find(|rows| width(*rows) <= self.room.width);
        let rows = least.unwrap_or(items.len()).clamp(1, most);
        if width(rows) <= self.room.width {
            return LegendEntries { rows, labels };
        }
        // as many columns as there is room for, and a line that counts the others
        let columns = (1..=labels.len().div_ceil(rows)).rev().find(|columns| {
            let shown = labels.chunks(rows).take(*columns);
            shown.map(|labels| self.column_width(labels) + gap).sum::<f64>() - gap <= self.room.width
        });
        let shown = (rows * columns.unwrap_or(1)).saturating_sub(1).min(labels.len());
        let mut labels = labels;
        let more = format!("and {} more", labels.len() - shown);
        labels.truncate(shown);
        labels.push((None, more));
        LegendEntries { rows, labels }
    }
}
