//! The legend: colour bars with ticks, lists of categories and of few whole numbers, and samples of sizes, opacities and
//! arrows.

mod flat;

use std::borrow::Cow;

use super::backdrop::Backdrop;
use super::date_ticks::{DateTicks, with_shared};
use super::legend_samples::{LegendPart, LegendPen, SIZE_LINES, swatch};
use super::numbers::{number_written, ticks};
use super::paint::{FilledRectangle, Line, Point, draw_line, fill_polygon, fill_rectangle};
use super::paper::Paper;
use super::text::TextLine;
use crate::color::maps::ColorMap;
use crate::color::{Category, ColorKey, MISSING_COLOR, MISSING_NAME, Srgba8};

/// Sizes in points.
const SWATCH: f64 = 4.5;
const GAP: f64 = 5.0;
const BAR_WIDTH: f64 = 11.0;
const BAR_HEIGHT: f64 = 150.0;
const TICK: f64 = 3.0;

/// Height of a line, relative to the size of text.
const LINE: f64 = 1.45;

/// The most columns of categories.
const MOST_COLUMNS: usize = 6;

/// In points: the largest total width of columns of categories, and the least height of a legend beside a low picture.
const MOST_WIDTH: f64 = 260.0;
const LEAST_HEIGHT: f64 = 110.0;

/// Points between columns of categories, and between legends side by side.
const COLUMN_GAP: f64 = 10.0;
const SECTION_GAP: f64 = 18.0;

/// The most letters of a name; longer ones are truncated.
const LONGEST: usize = 64;

/// A name, truncated to [`LONGEST`] letters.
fn shortened(name: &str) -> String {
    match name.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.to_owned(),
    }
}

/// Few whole numbers as a list of categories; all else as it is.
fn listed(key: &LegendPart) -> Cow<'_, LegendPart> {
    match key {
        LegendPart::Colors(ColorKey::Numbers {
            name, map, least, most, shown, alpha, missing, counts, alphas, ..
        }) if !counts.is_empty() => {
            let map = ColorMap::from_name(map).unwrap_or(ColorMap::VIRIDIS);
            let (first, whole) = (shown.map_or(*least, |[first, _]| first), [*least, *most]);
            let item = |(place, &count): (usize, &u64)| {
                let number = first + place as f64;
                let own = alphas.get(place).unwrap_or(alpha);
                let color = map.number(share(number, whole)).with_alpha(*own);
                Category::new(number_written(number), color, count)
            };
            let missing = Category::new(MISSING_NAME, MISSING_COLOR.with_alpha(*alpha), *missing);
            let numbers = counts.iter().enumerate().map(item);
            let items = numbers.chain((missing.count > 0).then_some(missing)).collect();
            Cow::Owned(LegendPart::Colors(ColorKey::Categories { name: name.clone(), items }))
        }
        key => Cow::Borrowed(key),
    }
}

/// The numbers of quantiles that leave room for `wanted` numbers along a bar: always the first and the last.
fn spaced(quantiles: &[[f64; 2]], wanted: f64) -> Vec<f64> {
    let gap = 0.8 / (libm::floor(wanted) - 1.0).max(1.0);
    let mut kept: Vec<[f64; 2]> = Vec::new();
    for quantile in quantiles {
        if kept.last().is_none_or(|last| quantile[1] - last[1] >= gap) {
            kept.push(*quantile);
        }
    }
    if let (Some(last), Some(kept_last)) = (quantiles.last(), kept.last_mut()) {
        *kept_last = if kept_last[1] > 0.0 { *last } else { *kept_last };
    }
    kept.into_iter().map(|quantile| quantile[0]).collect()
}

/// Where a legend stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LegendPlace {
    /// To the right of the picture.
    Right,
    /// Below the picture, side by side.
    Below,
    /// On the picture, in the corner with the most room.
    Inside,
}

impl LegendPlace {
    /// All, with their names.
    pub const ALL: [(Self, &str); 3] = [(Self::Right, "right"), (Self::Below, "below"), (Self::Inside, "inside")];
}

/// The room for legends, in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LegendRoom {
    pub width: f64,
    pub height: f64,
    /// Whether sections stand side by side, with horizontal colour bars, or in a column.
    pub is_flat: bool,
}

impl LegendRoom {
    /// The room beside a picture of this height, without margins. Categories may take more than a low picture's height,
    /// colour bars do not.
    pub(super) fn beside(keys: &[LegendPart], text: &TextLine, point: f64, height: f64) -> Self {
        let least = LEAST_HEIGHT * point * keys.len() as f64;
        let room = Self { width: MOST_WIDTH * point, height: f64::INFINITY, is_flat: false };
        if keys.iter().all(|key| !matches!(&*listed(key), LegendPart::Colors(ColorKey::Categories { .. }))) {
            return Self { height, ..room };
        }
        let natural = LegendLayout::new(keys, text, point, room, false).height();
        Self { height: height.max(natural.min(least)), ..room }
    }

    /// The room below or on a picture of this size, without margins.
    pub(super) fn within(place: LegendPlace, point: f64, [width, height]: [f64; 2]) -> Self {
        match place {
            // a list of many categories may be as high as the picture is wide
            LegendPlace::Below => Self { width, height: width.max(LEAST_HEIGHT * point), is_flat: true },
            LegendPlace::Right | LegendPlace::Inside => Self { width: 0.5 * width, height, is_flat: false },
        }
    }
}

/// Legends stacked in a column of a given height, or side by side in rows.
pub(super) struct LegendLayout<'a>(Vec<Section<'a>>);

impl<'a> LegendLayout<'a> {
    pub(super) fn new(keys: &'a [LegendPart], text: &'a TextLine, point: f64, room: LegendRoom, counts: bool) -> Self {
        let LegendRoom { height, is_flat, .. } = room;
        let section =
            |key, height| Section { key: listed(key), text, point, room: LegendRoom { height, ..room }, counts };
        if let [key] = keys {
            return Self(vec![section(key, height)]);
        }
        if is_flat {
            return Self(keys.iter().map(|key| section(key, height)).collect());
        }
        // sections that need less than an even share leave the rest to the others
        let mut shares: Vec<Option<f64>> = vec![None; keys.len()];
        let gap = LINE * text.size;
        let mut rest = height - gap * (keys.len() as f64 - 1.0);
        loop {
            let open = shares.iter().filter(|share| share.is_none()).count();
            let even = rest / open.max(1) as f64;
            let needs = |(index, key): (usize, &'a LegendPart)| {
                let need = section(key, f64::INFINITY).used();
                (shares[index].is_none() && need <= even).then_some((index, need))
            };
            match keys.iter().enumerate().find_map(needs) {
                Some((index, need)) => {
                    shares[index] = Some(need);
                    rest -= need;
                }
                None => {
                    // a section that fits has its natural size
                    let height = |share: Option<f64>| if share.is_some() { f64::INFINITY } else { even };
                    return Self(keys.iter().zip(shares).map(|(key, share)| section(key, height(share))).collect());
                }
            }
        }
    }

    /// The corners of legends that stand side by side, in as many rows as the width takes, and the size of all.
    fn side_by_side(&self) -> (Vec<Point>, Point) {
        let (mut corners, mut corner, mut size, mut lower) = (Vec::new(), [0.0_f64; 2], [0.0_f64; 2], 0.0_f64);
        for section in &self.0 {
            let (width, gap) = (section.width(), SECTION_GAP * section.point);
            if corner[0] > 0.0 && corner[0] + width > section.room.width {
                corner = [0.0, lower + 0.5 * LINE * section.text.size];
            }
            corners.push(corner);
            lower = lower.max(corner[1] + section.used());
            size = [size[0].max(corner[0] + width), lower];
            corner[0] += width + gap;
        }
        (corners, size)
    }

    fn is_flat(&self) -> bool {
        self.0.first().is_some_and(|section| section.room.is_flat)
    }

    /// The width of all legends, in pixels.
    pub(super) fn width(&self) -> f64 {
        if self.is_flat() {
            return self.side_by_side().1[0];
        }
        self.0.iter().map(Section::width).fold(0.0, f64::max)
    }

    /// The height of all legends, in pixels.
    pub(super) fn height(&self) -> f64 {
        if self.is_flat() {
            return self.side_by_side().1[1];
        }
        let gaps = self.0.len().saturating_sub(1) as f64;
        self.0.iter().map(|section| section.used() + LINE * section.text.size * gaps / self.0.len() as f64).sum()
    }

    /// Whether the legends are wider than this and have categories in several columns.
    pub(super) fn is_wider_than(&self, width: f64) -> bool {
        let is_in_columns = |section: &Section<'_>| {
            let LegendEntries { rows, labels } = section.entries();
            labels.len() > rows
        };
        self.width() > width && self.0.iter().any(is_in_columns)
    }

    /// Whether all categories are listed.
    pub(super) fn is_complete(&self) -> bool {
        self.0.iter().all(|section| section.entries().labels.last().is_none_or(|(item, _)| item.is_some()))
    }

    /// Draws the legends below and to the right of a corner.
    pub(super) fn draw(&self, paper: &mut Paper<'_>, [left, mut top]: Point, ground: LegendGround) {
        if self.is_flat() {
            for (section, [right, down]) in self.0.iter().zip(self.side_by_side().0) {
                section.draw(paper, [left + right, top + down], ground);
            }
            return;
        }
        for section in &self.0 {
            section.draw(paper, [left, top], ground);
            top += section.used() + LINE * section.text.size;
        }
    }
}

/// What a legend is drawn for, and on.
#[derive(Clone, Copy, Debug)]
pub(super) struct LegendGround {
    pub(super) backdrop: Backdrop,
    /// Pixels per unit of length.
    pub(super) unit: f64,
    /// Whether it explains circles, which lie on the background.
    pub(super) is_canvas: bool,
}

impl LegendGround {
    /// The colour of every second square under translucent samples: that of the background shows them as circles are.
    fn second_square(&self) -> Srgba8 {
        let Backdrop { bottom, ink, .. } = self.backdrop;
        if self.is_canvas && bottom.a == u8::MAX { bottom } else { ink }
    }
}

/// The entries of a list of categories, column by column.
struct LegendEntries<'a> {
    /// Entries per column.
    rows: usize,
    labels: Vec<(Option<&'a Category>, String)>,
}

/// The part of a colour map that a bar shows.
#[derive(Clone, Copy)]
struct RampPart {
    map: ColorMap,
    /// Both ends, as shares of the map.
    ends: [f64; 2],
    alpha: u8,
}

impl RampPart {
    /// The colour at a share of the bar's height, from the bottom.
    fn color(self, share: f64) -> Srgba8 {
        let [first, last] = self.ends;
        self.map.number(first + share * (last - first)).with_alpha(self.alpha)
    }
}

/// The position of a number between two, from 0 to 1; ½ if they are equal.
fn share(number: f64, [least, most]: [f64; 2]) -> f64 {
    // halves, which are exact, because the distance of ±1e308 is no f64
    if most > least { (0.5 * number - 0.5 * least) / (0.5 * most - 0.5 * least) } else { 0.5 }
}

/// One section of a legend, laid out for a column of a given height.
struct Section<'a> {
    key: Cow<'a, LegendPart>,
    text: &'a TextLine,
    /// Pixels per point.
    point: f64,
    room: LegendRoom,
    counts: bool,
}

impl Section<'_> {
    /// The height of the section, in pixels.
    fn used(&self) -> f64 {
        match &*self.key {
            LegendPart::Colors(ColorKey::Categories { .. }) => self.lines(self.entries().rows),
            LegendPart::Sizes(_) => self.lines(SIZE_LINES),
            LegendPart::Opacities(key) => self.lines(key.samples.len()),
            LegendPart::Arrows(_) => self.lines(1),
            LegendPart::Colors(ColorKey::Numbers { .. }) if self.room.is_flat => {
                self.heading() + (BAR_WIDTH + TICK) * self.point + LINE * self.text.size
            }
            LegendPart::Colors(ColorKey::Numbers { beyond, .. }) => {
                let triangles = beyond.iter().filter(|beyond| **beyond).count() as f64;
                self.heading() + triangles * BAR_WIDTH * self.point + self.bar_height() + self.missing_line()
            }
        }
    }

    /// The height of this many lines and the heading.
    fn lines(&self, rows: usize) -> f64 {
        LINE * self.text.size * (rows as f64 + f64::from(u8::from(self.has_heading())))
    }

    /// The width of the section, in pixels.
    fn width(&self) -> f64 {
        let (gap, line) = (GAP * self.point, LINE * self.text.size);
        let mut heading = shortened(self.key.name());
        let body = match &*self.key {
            LegendPart::Sizes(key) => {
                // room for any reduction of up to two digits
                heading.push_str(" (1:20)");
                key.width(self.text, line, gap)
            }
            LegendPart::Opacities(key) => 2.0 * SWATCH * self.point + gap + self.text.widest(key.labels()),
            LegendPart::Arrows(key) => key.width(self.text, self.point, gap),
            LegendPart::Colors(ColorKey::Categories { .. }) => {
                let LegendEntries { rows, labels } = self.entries();
                let columns = labels.chunks(rows.max(1)).map(|labels| self.column_width(labels));
                let gaps = labels.len().div_ceil(rows.max(1)).saturating_sub(1) as f64 * COLUMN_GAP * self.point;
                columns.sum::<f64>() + gaps
            }
            LegendPart::Colors(ColorKey::Numbers { .. }) => {
                let DateTicks { ticks, shared } = self.numbers();
                heading = with_shared(&heading, &shared);
                if self.room.is_flat {
                    return self.flat_bar_width().max(self.text.width(&heading));
                }
                let bar =
                    (BAR_WIDTH + TICK + GAP) * self.point + self.text.widest(ticks.iter().map(|(_, label)| label));
                let missing = (2.0 * SWATCH + GAP) * self.point + self.text.width(MISSING_NAME);
                if self.missing_line() > 0.0 { bar.max(missing) } else { bar }
            }
        };
        body.max(self.text.width(&heading))
    }

    /// Draws the section below and to the right of a corner.
    fn draw(&self, paper: &mut Paper<'_>, corner: Point, ground: LegendGround) {
        let line = LINE * self.text.size;
        let LegendGround { backdrop: Backdrop { bottom: background, ink, .. }, unit, .. } = ground;
        let baseline = corner[1] + 0.5 * (line + self.text.cap_height());
        let (second, gap) = (ground.second_square(), GAP * self.point);
        let pen = LegendPen { text: self.text, point: self.point, line, ink, background, second, gap };
        let heading = match &*self.key {
            LegendPart::Sizes(key) => shortened(&key.heading(unit, line)),
            _ => with_shared(&shortened(self.key.name()), &self.numbers().shared),
        };
        self.text.draw(paper, [corner[0], baseline], &heading, ink);
        let below = [corner[0], corner[1] + if self.has_heading() { line } else { 0.0 }];
        match &*self.key {
            LegendPart::Sizes(key) => key.draw(paper, below, &pen, unit),
            LegendPart::Opacities(key) => key.draw(paper, below, &pen, SWATCH * self.point),
            LegendPart::Arrows(key) => key.draw(paper, below, &pen, unit),
            LegendPart::Colors(ColorKey::Categories { .. }) => {
                let LegendEntries { rows, labels } = self.entries();
                let mut left = corner[0];
                for column in labels.chunks(rows.max(1)) {
                    for (row, (item, label)) in (u32::from(self.has_heading())..).zip(column) {
                        let y = baseline + f64::from(row) * line;
                        let radius = SWATCH * self.point;
                        if let Some(item) = item {
                            let center = [left + radius, y - 0.5 * self.text.cap_height()];
                            swatch(paper, center, radius, item.color, &pen);
                        }
                        self.text.draw(paper, [left + 2.0 * radius + GAP * self.point, y], label, ink);
                    }
                    left += self.column_width(column) + COLUMN_GAP * self.point;
                }
            }
            LegendPart::Colors(ColorKey::Numbers { map, scale, least, most, shown, beyond, alpha, .. }) => {
                let map = ColorMap::from_name(map).unwrap_or(ColorMap::VIRIDIS);
                let range = shown.unwrap_or([*least, *most]);
                let ends = range.map(|end| scale.of(end));
                let whole = [*least, *most].map(|end| scale.of(end));
                let part = shown.map_or([0.0, 1.0], |_| ends.map(|end| share(end, whole)));
                let ramp = RampPart { map, ends: part, alpha: *alpha };
                let triangle = BAR_WIDTH * self.point;
                if self.room.is_flat {
                    self.flat_bar(paper, [corner[0], libm::round(corner[1] + self.heading())], ramp, *beyond, &pen);
                    return;
                }
                // aligned to pixels, so that each row has one colour of the ramp
                let top = libm::round(corner[1] + self.heading() + if beyond[1] { triangle } else { 0.0 });
                self.bar(paper, [corner[0], top], ramp, *beyond, &pen);
                self.ticks(paper, [corner[0], top], ink);
                if self.missing_line() > 0.0 {
                    let radius = SWATCH * self.point;
                    let lower = top + self.bar_height() + if beyond[0] { triangle } else { 0.0 };
                    let y = lower + 0.5 * self.missing_line();
                    swatch(paper, [corner[0] + radius, y], radius, MISSING_COLOR.with_alpha(*alpha), &pen);
                    let start = [corner[0] + 2.0 * radius + GAP * self.point, y + 0.5 * self.text.cap_height()];
                    self.text.draw(paper, start, MISSING_NAME, ink);
                }
            }
        }
    }

    /// Draws the colour bar, with triangles for numbers beyond its ends, on a checkerboard if the shapes are
    /// translucent.
    fn bar(&self, paper: &mut Paper<'_>, corner: Point, ramp: RampPart, beyond: [bool; 2], pen: &LegendPen<'_>) {
        let [left, top] = corner;
        let (width, height) = (BAR_WIDTH * self.point, self.bar_height());
        let squares = pen.checkerboard(corner, 0.5 * width);
        let first = paper.recorded();
        let mut row = 0.0;
        while row < height {
            let color = ramp.color(1.0 - (row + 0.5) / height);
            let rectangle = FilledRectangle { min: [left, top + row], max: [left + width, top + row + 1.0] };
            if ramp.alpha == u8::MAX {
                fill_rectangle(paper, &rectangle, color);
            } else {
                squares.fill_row(paper, &rectangle, color);
            }
            row += 1.0;
        }
        paper.stack(first, 1, top + height);
        let triangle = |paper: &mut Paper<'_>, base: f64, tip: f64, color: Srgba8| {
            let corners = [[left, base], [left + width, base], [left + 0.5 * width, tip]];
            fill_polygon(paper, &corners, color);
        };
        if beyond[1] {
            triangle(paper, top, top - 0.8 * width, ramp.color(1.0));
        }
        if beyond[0] {
            triangle(paper, top + height, top + height + 0.8 * width, ramp.color(0.0));
        }
    }

    /// The numbers beside a colour bar.
    fn numbers(&self) -> DateTicks {
        let LegendPart::Colors(ColorKey::Numbers { least, most, shown, scale, dates, quantiles, .. }) = &*self.key
        else {
            return DateTicks::default();
        };
        let (range, wanted) = (shown.unwrap_or([*least, *most]), self.tick_count());
        if !quantiles.is_empty() {
            let ticks = spaced(quantiles, wanted).into_iter().map(|number| (number, number_written(number))).collect();
            return DateTicks { ticks, shared: String::new() };
        }
        if *dates {
            return DateTicks::new(range, wanted, self.has_heading());
        }
        DateTicks { ticks: ticks(range, *scale, wanted), shared: String::new() }
    }

    /// The place of a number along the bar, from 0 to 1.
    fn along(&self, number: f64) -> f64 {
        let LegendPart::Colors(ColorKey::Numbers { least, most, shown, scale, quantiles, .. }) = &*self.key else {
            return 0.0;
        };
        let quantile = quantiles.iter().find(|quantile| quantile[0] == number);
        let ends = || shown.unwrap_or([*least, *most]).map(|end| scale.of(end));
        quantile.map_or_else(|| share(scale.of(number), ends()), |quantile| quantile[1])
    }

    fn ticks(&self, paper: &mut Paper<'_>, [left, top]: Point, ink: Srgba8) {
        let (width, height) = (BAR_WIDTH * self.point, self.bar_height());
        for (value, label) in self.numbers().ticks {
            let y = top + (1.0 - self.along(value)) * height;
            let start = left + width;
            let line = Line { from: [start, y], to: [start + TICK * self.point, y], width: 0.75 * self.point };
            draw_line(paper, &line, ink);
            let baseline = y + 0.5 * self.text.cap_height();
            self.text.draw(paper, [start + (TICK + GAP) * self.point - 2.0 * self.point, baseline], &label, ink);
        }
    }

    fn has_heading(&self) -> bool {
        !self.key.name().is_empty()
    }

    /// The height of the name above a colour bar.
    fn heading(&self) -> f64 {
        if self.has_heading() { 1.3 * LINE * self.text.size } else { 0.0 }
    }

    /// The height of the entry for missing numbers below a colour bar; 0 if none is missing.
    fn missing_line(&self) -> f64 {
        match &*self.key {
            LegendPart::Colors(ColorKey::Numbers { missing: 1.., .. }) => 1.3 * LINE * self.text.size,
            _ => 0.0,
        }
    }

    fn bar_height(&self) -> f64 {
        // without the name above, a triangle at each end and the entry for missing numbers
        let room = self.room.height - self.heading() - 2.0 * BAR_WIDTH * self.point - self.missing_line();
        libm::round(room.min(BAR_HEIGHT * self.point).max(4.0 * self.text.size))
    }

    fn tick_count(&self) -> f64 {
        if self.room.is_flat {
            return (self.flat_room() / (5.0 * self.text.size)).clamp(2.0, 5.0);
        }
        (self.bar_height() / (2.2 * self.text.size)).clamp(2.0, 5.0)
    }

    /// The width of a column of categories, in pixels.
    fn column_width(&self, labels: &[(Option<&Category>, String)]) -> f64 {
        (2.0 * SWATCH + GAP) * self.point + self.text.widest(labels.iter().map(|(_, label)| label))
    }

    /// The categories that fit, and a line that counts the others, in the fewest columns that hold all without being
    /// too wide.
    fn entries(&self) -> LegendEntries<'_> {
        let LegendPart::Colors(ColorKey::Categories { items, .. }) = &*self.key else {
            return LegendEntries { rows: 0, labels: Vec::new() };
        };
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "`as` saturates")]
        let room = ((self.room.height / (LINE * self.text.size)) as usize)
            .saturating_sub(usize::from(self.has_heading()))
            .max(2);
        if self.room.is_flat {
            return self.flat_entries(items, room);
        }
        let wanted = items.len().div_ceil(room).clamp(1, MOST_COLUMNS);
        let columns = (1..=wanted).rev().find(|&columns| columns == 1 || self.fits(items, room, columns)).unwrap_or(1);
        let all = room * columns;
        let shown = if items.len() > all { all - 1 } else { items.len() };
        let mut labels: Vec<_> = items.iter().take(shown).map(|item| (Some(item), self.label(item))).collect();
        if items.len() > shown {
            labels.push((None, format!("and {} more", items.len() - shown)));
        }
        LegendEntries { rows: labels.len().div_ceil(columns), labels }
    }

    fn label(&self, item: &Category) -> String {
        let name = if item.name.is_empty() { "–".to_owned() } else { shortened(&item.name) };
        let count = if self.counts { format!(" ({})", item.count) } else { String::new() };
        let label = name.clone() + &count;
        let room = self.room.width - (2.0 * SWATCH + GAP) * self.point;
        if !self.room.is_flat || self.text.width(&label) <= room {
            return label;
        }
        // below a picture there is no more room than it is wide
        let ends = name.char_indices().rev().map(|(end, _)| end);
        let mut parts = ends.map(|end| format!("{}…{count}", name[..end].trim_end()));
        parts.find(|part| self.text.width(part) <= room).unwrap_or(count)
    }

    /// Whether this many columns are not too wide.
    fn fits(&self, items: &[Category], room: usize, columns: usize) -> bool {
        let shown: Vec<_> = items.iter().take(room * columns).map(|item| (None, shortened(&item.name))).collect();
        let width: f64 = shown.chunks(room).map(|labels| self.column_width(labels) + COLUMN_GAP * self.point).sum();
        width <= self.room.width
    }
}
