//! Panels: pictures in a grid, each with a caption above.

use super::backdrop::Backdrop;
use super::bands::BandSizes;
use super::density::DensityFrame;
use super::labels::Label;
use super::paper::{Paper, VectorMark};
use super::text::TextLine;
use super::{Figure, TYPE};
use crate::error::Result;
use crate::frame::Frame;

/// Height of a caption and gap between panels, relative to the size of text.
const CAPTION: f64 = 1.7;
const GAP: f64 = 0.8;

/// A grid of panels of one size.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PanelLayout {
    #[doc(hidden)]
    pub columns: u32,
    #[doc(hidden)]
    pub rows: u32,
    /// Pixels between panels.
    gap: u32,
    /// Pixels above a panel.
    caption: u32,
    /// Pixels per point.
    point: f64,
    /// Pixels on the right that remain when the width is divided among the columns.
    spare: u32,
    /// Pixels for marks at the left and the right of the picture in a panel.
    margins: [u32; 2],
}

impl PanelLayout {
    /// A layout for text at this many pixels per point.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "`as` saturates")]
    pub(super) fn new([columns, rows]: [u32; 2], point: f64) -> Self {
        let pixels = |share: f64| (share * TYPE * point + 0.5) as u32;
        Self { columns, rows, gap: pixels(GAP), caption: pixels(CAPTION), point, spare: 0, margins: [0; 2] }
    }

    /// The same layout for a total width that the panels fill except for a few pixels.
    pub fn filling(self, width: u32, panel: (u32, u32)) -> Self {
        let spare = width.saturating_sub(Self { spare: 0, ..self }.size(panel).0);
        Self { spare: if spare < self.columns { spare } else { 0 }, ..self }
    }

    /// The same layout with captions above the pictures between these margins of a panel.
    pub fn with_margins(self, margins: [u32; 2]) -> Self {
        Self { margins, ..self }
    }

    /// Pixels of the whole in addition to its panels: horizontally and vertically.
    pub fn beside(&self) -> [u32; 2] {
        [
            self.gap.saturating_mul(self.columns - 1).saturating_add(self.spare),
            self.caption.saturating_mul(self.rows).saturating_add(self.gap.saturating_mul(self.rows - 1)),
        ]
    }

    /// The size of the whole, for panels of this size.
    pub fn size(&self, (width, height): (u32, u32)) -> (u32, u32) {
        let [across, down] = self.beside();
        (
            width.saturating_mul(self.columns).saturating_add(across),
            height.saturating_mul(self.rows).saturating_add(down),
        )
    }

    /// The left and upper edge of each panel.
    pub fn places(&self, (width, height): (u32, u32), count: usize) -> Vec<[u32; 2]> {
        let place = |index: u32| {
            let [column, row] = [index % self.columns, index / self.columns];
            [column * (width + self.gap), row * (height + self.gap + self.caption) + self.caption]
        };
        (0..).take(count).map(place).collect()
    }

    /// Puts the panels, row by row, into one frame. Captions are added to the record, if there is one.
    pub(super) fn composed(
        &self,
        panels: &[(Frame, &str)],
        background: Backdrop,
        record: Option<&mut Vec<VectorMark>>,
    ) -> Result<Frame> {
        let Some((first, _)) = panels.first() else { return Frame::new(1, 1, background.top) };
        let (width, height) = (first.width(), first.height());
        let (whole_width, whole_height) = self.size((width, height));
        let mut whole = Frame::new(whole_width, whole_height, background.top)?;
        let text = TextLine::new(TYPE * self.point);
        let mut paper = Paper::recording(&mut whole, record);
        let places = self.places((width, height), panels.len());
        for ([left, top], (panel, caption)) in places.into_iter().zip(panels) {
            let rows = paper.frame.pixels_mut().chunks_mut(whole_width as usize).skip(top as usize);
            for (to, from) in rows.zip(panel.rows()) {
                to[left as usize..][..from.len()].copy_from_slice(from);
            }
            let [before, after] = self.margins.map(f64::from);
            let middle = f64::from(left) + 0.5 * (f64::from(width) + before - after);
            let baseline = f64::from(top) - 0.5 * (f64::from(self.caption) - text.cap_height());
            // in smaller type if it is wider than its panel
            let line = text.fitting(caption, f64::from(width));
            let start = (middle - 0.5 * line.width(caption)).max(f64::from(left));
            line.draw(&mut paper, [start, baseline], caption, background.ink);
        }
        Ok(whole)
    }
}

impl Figure {
    /// The marks of a panel among several: the axes of the plane, these labels and this density.
    #[doc(hidden)]
    #[must_use]
    pub fn of_panel(&self, labels: Vec<Label>, density: Option<DensityFrame>) -> Self {
        Self { labels, density, plane: self.plane.clone(), stamp: None, ..self.without_bands() }
    }

    /// Pixels at the left, above, at the right and below a picture for the axes of the plane.
    #[doc(hidden)]
    #[must_use]
    pub fn margins_of_axes(&self, size: (u32, u32)) -> [u32; 4] {
        let figure = Self { plane: self.plane.clone(), ..self.without_bands() };
        let BandSizes { left, top, right, bottom, .. } = BandSizes::new(&figure, self.point(), size, 0.0);
        [left, top, right, bottom]
    }

    /// The size of a picture with the axes of the plane around it.
    #[doc(hidden)]
    #[must_use]
    pub fn size_with_axes(&self, (width, height): (u32, u32)) -> (u32, u32) {
        let [left, top, right, bottom] = self.margins_of_axes((width, height));
        let sum = |sides: [u32; 3]| sides.into_iter().fold(0, u32::saturating_add);
        (sum([left, width, right]), sum([top, height, bottom]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::color::Srgba8;

    #[test]
    fn panels_stand_in_rows_below_their_captions() {
        let layout = PanelLayout::new([2, 2], 1.0);
        assert_eq!((layout.gap, layout.caption, layout.size((20, 10))), (8, 17, (48, 62)));
        let colors = [Srgba8::rgb(9, 0, 0), Srgba8::rgb(0, 9, 0), Srgba8::rgb(0, 0, 9)];
        let panels = colors.map(|color| (Frame::new(20, 10, color).expect("small"), ""));
        let whole = layout.composed(&panels, Backdrop::solid(Srgba8::WHITE), None).expect("small");
        for (place, expected) in [
            ([0, 17], colors[0]),
            ([19, 26], colors[0]),
            ([20, 20], Srgba8::WHITE),
            ([28, 17], colors[1]),
            ([0, 52], colors[2]),
            ([19, 61], colors[2]),
            ([30, 55], Srgba8::WHITE),
        ] {
            assert_eq!(whole.pixel(place[0], place[1]), Some(expected), "{place:?}");
        }
    }
}
