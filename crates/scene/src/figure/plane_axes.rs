//! Axes around a picture of the plane: ticks with their numbers, names, and a light grid below the circles.

use super::date_ticks::{DateTicks, with_shared};
use super::numbers::ticks;
use super::paint::{FilledRectangle, Point, fill_rectangle};
use super::paper::Paper;
use super::text::TextLine;
use crate::color::{Scale, Srgba8};
use crate::geom::single;
use crate::scene::circles::{PaintedSegment, ViewBox};

/// Sizes in points: of lines, of ticks with and without a number, of the gap between ticks and numbers, and of the gap
/// between numbers and names.
const LINE: f64 = 0.75;
const TICK: f64 = 3.0;
const MINOR: f64 = 1.75;
const GAP: f64 = 3.0;
const NAME_GAP: f64 = 5.0;

/// Opacity of the lines of the grid, which are in the colour of the text.
pub(super) const GRID_ALPHA: u8 = 26;

/// Numbers along an axis: at most so many, and the room for each, in heights of text, along x and along y.
const MOST_TICKS: f64 = 8.0;
const ROOM: [f64; 2] = [5.0, 3.0];

/// The kind of numbers along an axis, which says how they are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AxisNumbers {
    #[default]
    Plain,
    /// Degrees, east or west.
    Longitude,
    /// Degrees, north or south.
    Latitude,
    /// Seconds since 1970-01-01 UTC, written as dates.
    Dates,
}

impl AxisNumbers {
    /// Writes a tick's number as this axis shows it; `text` is the plain number.
    fn written(self, value: f64, text: String) -> String {
        let (value, text, letters) = match self {
            Self::Plain | Self::Dates => return text,
            Self::Latitude => (value, text, ["N", "S"]),
            // longitudes from 0 to 360
            Self::Longitude if value > 180.0 && value < 360.0 => {
                let west = 360.0 - value;
                let decimals = text.split_once('.').map_or(0, |(_, decimals)| decimals.len());
                return format!("{west:.decimals$}°W");
            }
            Self::Longitude => (value, text, ["E", "W"]),
        };
        let letter = if value == 0.0 || value.abs() == 180.0 && letters[0] == "E" {
            ""
        } else {
            letters[usize::from(value < 0.0)]
        };
        format!("{}°{letter}", text.trim_start_matches('−'))
    }
}

/// An axis along one side of the picture.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlaneAxis {
    pub name: String,
    pub numbers: AxisNumbers,
    pub scale: Scale,
    /// The numbers at the left and the right, or the lower and the upper edge of the picture, on the scale.
    pub ends: [f64; 2],
}

/// Numbers along an axis.
#[derive(Clone, Debug, Default, PartialEq)]
struct Ticks {
    list: Vec<Tick>,
    /// What all dates have in common, which stands beside the name of the axis.
    shared: String,
}

/// A place along an axis.
#[derive(Clone, Debug, PartialEq)]
struct Tick {
    /// From 0 to 1.
    along: f64,
    /// Empty between the numbers of a logarithmic axis.
    text: String,
}

impl PlaneAxis {
    /// The share of the axis at a number on its scale.
    fn along(&self, on_scale: f64) -> f64 {
        (on_scale - self.ends[0]) / (self.ends[1] - self.ends[0])
    }

    /// About `wanted` round numbers, in ascending order along the axis.
    fn numbered(&self, wanted: f64) -> Ticks {
        let [first, last] = self.ends.map(|end| self.scale.inverse(end));
        let [least, most] = [first.min(last), first.max(last)];
        if !(least.is_finite() && most.is_finite() && least < most) {
            return Ticks::default();
        }
        let DateTicks { ticks, shared } = match self.numbers {
            AxisNumbers::Dates => DateTicks::new([least, most], wanted, !self.name.is_empty()),
            _ => DateTicks { ticks: ticks([least, most], self.scale, wanted), shared: String::new() },
        };
        let tick = |(value, text): (f64, String)| {
            let along = self.along(self.scale.of(value));
            (-1e-6..=1.0 + 1e-6)
                .contains(&along)
                .then(|| Tick { along: along.clamp(0.0, 1.0), text: self.numbers.written(value, text) })
        };
        let mut list: Vec<Tick> = ticks.into_iter().filter_map(tick).collect();
        list.sort_by(|a, b| a.along.total_cmp(&b.along));
        Ticks { list, shared }
    }

    /// As many numbers as fit into `length` pixels: `extent` is the room that a text takes along the axis.
    fn fitted(&self, length: f64, size: f64, room: f64, extent: impl Fn(&str) -> f64) -> Ticks {
        let mut wanted = (length / (room * size)).clamp(1.0, MOST_TICKS);
        loop {
            let found = self.numbered(wanted);
            let overlaps = |pair: &[Tick]| {
                let room = 0.5 * (extent(&pair[0].text) + extent(&pair[1].text)) + 0.6 * size;
                (pair[1].along - pair[0].along) * length < room
            };
            if wanted <= 1.0 || !found.list.windows(2).any(overlaps) {
                return found;
            }
            wanted = (wanted - 1.0).max(1.0);
        }
    }

    /// The multiples of powers of ten between the numbers of a logarithmic axis, if they can be told apart.
    fn minor(&self, numbered: &[Tick], length: f64, size: f64) -> Vec<Tick> {
        let [least, most] = self.ends.map(|end| libm::log10(self.scale.inverse(end)));
        let decades = most - least;
        if self.scale != Scale::Log
            || !(decades.is_finite() && (1.0..30.0).contains(&decades) && length > 3.0 * size * decades)
        {
            return Vec::new();
        }
        let mut found = Vec::new();
        let mut exponent = libm::floor(least);
        while exponent <= most {
            for factor in 2..10 {
                let along = self.along(libm::log(f64::from(factor) * libm::pow(10.0, exponent)));
                let is_new = |tick: &Tick| (tick.along - along).abs() > 1e-6;
                if (0.0..=1.0).contains(&along) && numbered.iter().all(is_new) {
                    found.push(Tick { along, text: String::new() });
                }
            }
            exponent += 1.0;
        }
        found
    }
}

/// The axes of a picture of the plane: x below it, y to its left.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlaneAxes {
    pub axes: [PlaneAxis; 2],
    /// Pixels to the left of the picture, if they are fixed before its size is.
    pub left: Option<u32>,
}

impl PlaneAxes {
    /// Narrows the axes to a part of the picture: `whole` is the size of the picture, `size` the size of the part, in pixels.
    pub fn seen(&mut self, view_box: &ViewBox, whole: (u32, u32), size: (u32, u32)) {
        let [width, height] = [whole.0, whole.1].map(f64::from);
        let across = view_box.height * f64::from(size.0) / f64::from(size.1);
        let [x, y] = view_box.center;
        let shares = [
            [(x - 0.5 * across) / width, (x + 0.5 * across) / width],
            [1.0 - (y + 0.5 * view_box.height) / height, 1.0 - (y - 0.5 * view_box.height) / height],
        ];
        for (axis, shares) in self.axes.iter_mut().zip(shares) {
            let [first, last] = axis.ends;
            axis.ends = shares.map(|share| first + share * (last - first));
        }
    }

    pub(super) fn texts(&self) -> impl Iterator<Item = &str> {
        self.axes.iter().map(|axis| axis.name.as_str())
    }

    /// Lays the axes out around a picture of this size in pixels.
    pub(super) fn layout<'a>(&'a self, text: &'a TextLine, point: f64, (width, height): (u32, u32)) -> AxesLayout<'a> {
        let [x, y] = &self.axes;
        let sides = [width, height].map(f64::from);
        let across = x.fitted(sides[0], text.size, ROOM[0], |label| text.width(label));
        let up = y.fitted(sides[1], text.size, ROOM[1], |_| text.cap_height());
        let names = [with_shared(&x.name, &across.shared), with_shared(&y.name, &up.shared)];
        let (across, up) = (across.list, up.list);
        let minor = [x.minor(&across, sides[0], text.size), y.minor(&up, sides[1], text.size)];
        AxesLayout { axes: self, names, ticks: [across, up], minor, text, point, sides }
    }

    /// The lines of the grid in the pixels of a picture, below everything else.
    pub(super) fn grid(&self, text: &TextLine, point: f64, size: (u32, u32), ink: Srgba8) -> Vec<PaintedSegment> {
        let layout = self.layout(text, point, size);
        let [width, height] = layout.sides;
        let line = libm::round(0.8 * LINE * point).max(1.0);
        let color = ink.with_alpha(GRID_ALPHA);
        let mut segments = Vec::new();
        let mut push = |start: Point, end: Point| {
            segments.push(PaintedSegment::new(start.map(single), end.map(single), single(line), color));
        };
        // lines end outside of the picture, so that their round ends do not show
        for Tick { along, .. } in &layout.ticks[0] {
            let x = snapped(along * width, line) + 0.5 * line;
            push([x, -line], [x, height + line]);
        }
        for Tick { along, .. } in &layout.ticks[1] {
            let y = snapped((1.0 - along) * height, line) + 0.5 * line;
            push([-line, y], [width + line, y]);
        }
        segments
    }
}

/// The whole pixel at which a line of this width around a place begins.
fn snapped(place: f64, line: f64) -> f64 {
    libm::floor(place - 0.5 * line + 0.5)
}

/// Axes around a picture of one size.
pub(super) struct AxesLayout<'a> {
    axes: &'a PlaneAxes,
    /// The names of the axes, with what their dates have in common.
    names: [String; 2],
    /// Along x from the left, and along y from the bottom.
    ticks: [Vec<Tick>; 2],
    minor: [Vec<Tick>; 2],
    text: &'a TextLine,
    /// Pixels per point.
    point: f64,
    /// Width and height of the picture in pixels.
    sides: [f64; 2],
}

impl AxesLayout<'_> {
    fn line(&self) -> f64 {
        libm::round(LINE * self.point).max(1.0)
    }

    /// The room for the name of an axis, across the axis.
    fn name_room(&self, axis: usize) -> f64 {
        let is_named = !self.names[axis].is_empty();
        if is_named { NAME_GAP * self.point + 1.1 * self.text.size } else { 0.0 }
    }

    /// From the picture to the names, past line, ticks and numbers: below it, and to its left.
    fn numbers_room(&self) -> [f64; 2] {
        let past = self.line() + (TICK + GAP) * self.point;
        let widest = self.text.widest(self.ticks[1].iter().map(|tick| &tick.text));
        [past + self.text.cap_height(), past + widest]
    }

    /// The margins that the axes take: left, above, right and below, in pixels.
    pub(super) fn margins(&self) -> [f64; 4] {
        let [below, left] = self.numbers_room();
        let edge = 0.5 * self.text.size;
        let overhang = |tick: &Tick| 0.5 * self.text.width(&tick.text) + 1.0;
        let beyond = |of: &dyn Fn(&Tick) -> f64| self.ticks[0].iter().map(of).fold(0.0, f64::max);
        let right = beyond(&|tick| overhang(tick) - (1.0 - tick.along) * self.sides[0]);
        let before = beyond(&|tick| overhang(tick) - tick.along * self.sides[0]);
        let highest = self.ticks[1]
            .last()
            .map_or(0.0, |tick| 0.5 * self.text.cap_height() + 1.0 - (1.0 - tick.along) * self.sides[1]);
        let left = self.axes.left.map_or((left + self.name_room(1) + edge).max(before), f64::from);
        let rim = edge + self.line();
        [left, highest.max(rim), right.max(rim), below + self.name_room(0) + edge]
    }

    /// Draws the axes around the picture whose top-left corner is at `corner`.
    pub(super) fn draw(&self, paper: &mut Paper<'_>, corner: Point, ink: Srgba8) {
        let (line, point, text) = (self.line(), self.point, self.text);
        let [width, height] = self.sides;
        let [left, top] = corner;
        let (right, bottom) = (left + width, top + height);
        let mut bar = |min: Point, max: Point| fill_rectangle(paper, &FilledRectangle { min, max }, ink);
        bar([left - line, top - line], [left, bottom + line]);
        bar([right, top - line], [right + line, bottom + line]);
        bar([left, top - line], [right, top]);
        bar([left, bottom], [right, bottom + line]);
        for (ticks, length) in [(&self.ticks, TICK * point), (&self.minor, MINOR * point)] {
            for tick in &ticks[0] {
                let x = left + snapped(tick.along * width, line);
                bar([x, bottom + line], [x + line, bottom + line + length]);
            }
            for tick in &ticks[1] {
                let y = top + snapped((1.0 - tick.along) * height, line);
                bar([left - line - length, y], [left - line, y + line]);
            }
        }
        let past = line + (TICK + GAP) * point;
        for tick in &self.ticks[0] {
            let start = [left + tick.along * width - 0.5 * text.width(&tick.text), bottom + past + text.cap_height()];
            text.draw(paper, start, &tick.text, ink);
        }
        for tick in &self.ticks[1] {
            let baseline = top + (1.0 - tick.along) * height + 0.5 * text.cap_height();
            text.draw(paper, [left - past - text.width(&tick.text), baseline], &tick.text, ink);
        }
        let [below, beside] = self.numbers_room();
        let [x, y] = &self.names;
        let start = |length: f64, name: &str| (0.5 * (length - text.width(name))).max(0.0);
        let baseline = bottom + below + NAME_GAP * point + text.cap_height() + 0.1 * text.size;
        text.draw(paper, [left + start(width, x), baseline], x, ink);
        let beside = left - beside - NAME_GAP * point - 0.2 * text.size;
        text.draw_upwards(paper, [beside, bottom - start(height, y)], y, ink);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(numbers: AxisNumbers, scale: Scale, ends: [f64; 2]) -> PlaneAxis {
        PlaneAxis { numbers, scale, ends: ends.map(|end| scale.of(end)), ..PlaneAxis::default() }
    }

    fn texts(axis: &PlaneAxis) -> Vec<String> {
        axis.numbered(5.0).list.into_iter().map(|tick| tick.text).collect()
    }

    #[test]
    fn ticks_stand_where_their_numbers_are() {
        let linear = axis(AxisNumbers::Plain, Scale::Linear, [-3.0, 7.0]).numbered(5.0).list;
        let found: Vec<_> = linear.iter().map(|tick| (tick.along, tick.text.as_str())).collect();
        assert_eq!(found, [(0.1, "−2"), (0.3, "0"), (0.5, "2"), (0.7, "4"), (0.9, "6")]);
        let log = axis(AxisNumbers::Plain, Scale::Log, [1.0, 1e4]).numbered(5.0).list;
        for (tick, share) in log.iter().zip([0.0, 0.25, 0.5, 0.75, 1.0]) {
            assert!((tick.along - share).abs() < 1e-12, "{tick:?}");
        }
        assert_eq!(log.len(), 5);
        assert!(axis(AxisNumbers::Plain, Scale::Linear, [f64::NAN, 1.0]).numbered(5.0).list.is_empty());
        assert_eq!(texts(&axis(AxisNumbers::Plain, Scale::Linear, [10.0, 0.0]))[0], "10", "from the right");
    }

    #[test]
    fn degrees_have_letters() {
        let degrees = |numbers, ends| texts(&axis(numbers, Scale::Linear, ends));
        assert_eq!(degrees(AxisNumbers::Longitude, [-10.0, 10.0]), ["10°W", "5°W", "0°", "5°E", "10°E"]);
        assert_eq!(degrees(AxisNumbers::Latitude, [-1.0, 1.0]), ["1.0°S", "0.5°S", "0°", "0.5°N", "1.0°N"]);
        assert_eq!(degrees(AxisNumbers::Longitude, [170.0, 190.0])[2..], ["180°", "175°W", "170°W"]);
    }

    #[test]
    fn numbers_do_not_overlap_in_any_width() {
        let text = TextLine::new(13.0);
        for width in [40, 90, 200, 1000] {
            for ends in [[0.0, 1.0], [1_234_567.0, 1_234_569.0], [-1e-7, 3e-7], [0.0, 5e9]] {
                let axes = PlaneAxes {
                    axes: [
                        axis(AxisNumbers::Plain, Scale::Linear, ends),
                        axis(AxisNumbers::Plain, Scale::Linear, ends),
                    ],
                    left: None,
                };
                let layout = axes.layout(&text, 1.3, (width, 300));
                for pair in layout.ticks[0].windows(2) {
                    let apart = (pair[1].along - pair[0].along) * f64::from(width);
                    let room = 0.5 * (text.width(&pair[0].text) + text.width(&pair[1].text));
                    assert!(apart > room || layout.ticks[0].len() <= 2, "{width} {ends:?}: {pair:?}");
                }
                assert!(!layout.ticks[1].is_empty(), "{ends:?}");
            }
        }
    }

    #[test]
    fn dates_share_their_year_with_the_name() {
        let dates = PlaneAxis { name: "when".to_owned(), ..axis(AxisNumbers::Dates, Scale::Linear, [0.0, 31e6]) };
        assert_eq!(texts(&dates), ["1970", "Mar", "May", "Jul", "Sep", "Nov"].map(|text| text.replace("1970", "Jan")));
        let axes = PlaneAxes { axes: [dates, axis(AxisNumbers::Plain, Scale::Linear, [0.0, 1.0])], left: None };
        assert_eq!(axes.layout(&TextLine::new(13.0), 1.3, (600, 300)).names, ["when (1970)", ""]);
    }

    #[test]
    fn minor_ticks_are_multiples_of_powers_of_ten() {
        let log = axis(AxisNumbers::Plain, Scale::Log, [1.0, 100.0]);
        let minor = log.minor(&log.numbered(2.0).list, 400.0, 10.0);
        let numbered: Vec<String> = log.numbered(2.0).list.into_iter().map(|tick| tick.text).collect();
        assert_eq!(numbered, ["1", "10", "100"]);
        assert_eq!(minor.len(), 16);
        assert!((minor[0].along - libm::log10(2.0) / 2.0).abs() < 1e-12);
    }

    #[test]
    fn parts_of_a_picture_have_the_numbers_they_show() {
        let mut axes = PlaneAxes {
            axes: [
                axis(AxisNumbers::Plain, Scale::Linear, [0.0, 200.0]),
                axis(AxisNumbers::Plain, Scale::Linear, [0.0, 100.0]),
            ],
            left: None,
        };
        axes.seen(&ViewBox { center: [50.0, 25.0], height: 50.0 }, (200, 100), (400, 200));
        assert_eq!(axes.axes[0].ends, [0.0, 100.0]);
        assert_eq!(axes.axes[1].ends, [50.0, 100.0]);
    }
}
