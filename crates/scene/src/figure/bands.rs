//! The bands beside a picture: the title above, the legend to the right, axes and scale bar below.

use std::ops::Range;

use super::legend::LegendGround;
use super::paint::{FilledRectangle, fill_rectangle};
use super::paper::{Paper, VectorShape};
use super::plane_axes::GRID_ALPHA;
use super::space::Triad;
use super::text::TextLine;
use super::{AxesPlace, Figure, LegendPlace, MARGIN, ScaleBar, TITLE, TYPE, numbers};
use crate::budget::Budget;
use crate::color::Srgba8;
use crate::error::{Error, Result};
use crate::frame::Frame;
use crate::scene::Scene;
use crate::scene::spheres::Projection;

/// Thickness of a scale bar in points.
const BAR: f64 = 2.5;

/// The largest length of a scale bar, as a share of the picture's width, unless its length is given.
const SHARE: f64 = 0.22;

/// The share of a legend above which it covers shapes: a line or two through it, as of a box, hide nothing.
const COVERED: f64 = 0.1;

/// Sizes of the bands beside a picture, in pixels.
#[derive(Debug)]
pub(super) struct BandSizes {
    pub left: u32,
    pub top: u32,
    /// The height of the picture and of the legend beside it.
    pub middle: u32,
    pub right: u32,
    pub bottom: u32,
}

impl BandSizes {
    /// The bands of a figure beside a picture of this size. `point` is the size of a typographic point in pixels,
    /// `arms` the height of the axes, 0 without them.
    pub(super) fn new(figure: &Figure, point: f64, (width, height): (u32, u32), arms: f64) -> Self {
        let (text, title) = (TextLine::new(TYPE * point), TextLine::new(TITLE * point));
        let margin = MARGIN * point;
        let layout = figure.legend_layout(&text, point, (width, height));
        let has_legend_at = |place| !figure.legend.is_empty() && figure.legend_place() == place;
        let legend = has_legend_at(LegendPlace::Right).then(|| layout.width());
        let legend_below = if has_legend_at(LegendPlace::Below) { layout.height() + 2.0 * margin } else { 0.0 };
        // a colour bar is rounded to whole pixels, so it may be up to one higher than its room
        let middle = legend.map_or(0.0, |_| layout.height() + 2.0 * margin - 1.0);
        let line = match (&figure.title, &figure.stamp) {
            (Some(_), _) => title.cap_height(),
            (None, Some(_)) => text.cap_height(),
            (None, None) => 0.0,
        };
        let top = if line > 0.0 { line + 2.0 * margin } else { 0.0 };
        let right = legend.map_or(0.0, |width| width + 2.0 * margin);
        let bar = if figure.scale_bar.is_some() { text.cap_height() + (BAR + 5.0) * point } else { 0.0 };
        let bottom = if arms.max(bar) > 0.0 { arms.max(bar) + 2.0 * margin } else { 0.0 };
        let axes = figure.plane.as_ref().map(|axes| axes.layout(&text, point, (width, height)).margins());
        let [axes_left, axes_top, axes_right, axes_below] = axes.unwrap_or_default();
        // marks below the picture keep below its axes, even beside a high legend
        let spare = (middle - f64::from(height)).max(0.0);
        let bottom = bottom + (axes_below - spare).max(0.0) + legend_below;
        let bounds = [axes_left, top.max(axes_top), middle, right.max(axes_right), bottom];
        let [left, top, middle, right, bottom] = bounds.map(whole);
        Self { left, top, middle: middle.max(height), right, bottom }
    }
}

/// Draws the title above, the legend to the right, axes and scale bar below a picture.
#[derive(Debug)]
pub struct Bands<'a> {
    figure: &'a Figure,
    /// Pixels per point.
    point: f64,
    pixels_per_unit: f64,
    ground: LegendGround,
    triad: Option<Triad>,
    sizes: BandSizes,
    picture: (u32, u32),
}

impl<'a> Bands<'a> {
    /// The bands of a figure beside a scene's picture, which has this size.
    ///
    /// # Errors
    /// If a scale bar does not apply to the scene.
    pub(super) fn new(figure: &'a Figure, scene: &Scene<'_>, picture: (u32, u32)) -> Result<Self> {
        let point = figure.point();
        let triad = match scene {
            Scene::Spheres(scene) if figure.axes.is_some() => Some(Triad::new(&scene.view, point)),
            _ => None,
        };
        let below = triad.as_ref().filter(|_| figure.axes == Some(AxesPlace::Below));
        let arms = below.map_or(0.0, |triad| triad.reach()[1] + triad.reach()[3]);
        let sizes = BandSizes::new(figure, point, picture, arms);
        let pixels_per_unit = pixels_per_unit(scene, figure.scale_bar.as_ref())?;
        let is_canvas = matches!(scene, Scene::Circles(_));
        let ground = LegendGround { backdrop: figure.backdrop(scene), unit: legend_unit(scene), is_canvas };
        Ok(Self { figure, point, pixels_per_unit, ground, triad, sizes, picture })
    }

    /// The size of the picture with its bands.
    #[doc(hidden)]
    #[must_use]
    pub fn size(&self) -> (u32, u32) {
        let BandSizes { left, top, middle, right, bottom } = self.sizes;
        (self.picture.0.saturating_add(left).saturating_add(right), middle.saturating_add(top).saturating_add(bottom))
    }

    /// The number of rows above the picture.
    #[doc(hidden)]
    #[must_use]
    pub fn top(&self) -> u32 {
        self.sizes.top
    }

    /// Draws the bands around a picture. Returns its place between them, and whether the legend covers shapes.
    pub(super) fn draw(&self, budget: &Budget, paper: &mut Paper<'_>) -> Result<([u32; 2], bool)> {
        let BandSizes { left, top, .. } = self.sizes;
        let size = self.size();
        budget.check_picture("with its figure ", size)?;
        let whole = self.blank(0..size.1, Some(paper.frame))?;
        paper.replace(whole, [left, top].map(f64::from));
        if self.ground.backdrop.top != self.ground.backdrop.bottom {
            let (min, max) = ([0.0, 0.0], [size.0, top].map(f64::from));
            paper.record(self.ground.backdrop.top, || VectorShape::Rectangle { min, max });
        }
        Ok(([left, top], self.marks(paper)?))
    }

    /// Some rows of the figure; `picture` has those of them that show the picture.
    ///
    /// # Errors
    /// If a scale bar of the length that is given does not fit.
    #[doc(hidden)]
    pub fn rows(&self, rows: Range<u32>, picture: Option<&Frame>) -> Result<Frame> {
        let mut frame = self.blank(rows.clone(), picture)?;
        self.marks(&mut Paper::of_rows(&mut frame, rows.start))?;
        Ok(frame)
    }

    /// Rows of the figure without marks.
    fn blank(&self, rows: Range<u32>, picture: Option<&Frame>) -> Result<Frame> {
        let BandSizes { left, top, .. } = self.sizes;
        let mut blank = Frame::new(self.size().0, rows.end - rows.start, self.ground.backdrop.bottom)?;
        let width = blank.width() as usize;
        let above = rows.end.min(top).saturating_sub(rows.start) as usize;
        blank.pixels_mut()[..width * above].fill(self.ground.backdrop.top);
        let below = blank.pixels_mut().chunks_mut(width).skip(above);
        let shown = picture.into_iter().flat_map(Frame::rows);
        below.zip(shown).for_each(|(to, from)| to[left as usize..][..from.len()].copy_from_slice(from));
        Ok(blank)
    }

    /// Draws the marks. Returns whether the legend covers shapes.
    fn marks(&self, paper: &mut Paper<'_>) -> Result<bool> {
        let Self { figure, point, ground: LegendGround { backdrop: background, .. }, picture, triad, .. } = self;
        let (text, title) = (TextLine::new(TYPE * point), TextLine::new(TITLE * point));
        let margin = MARGIN * point;
        let layout = figure.legend_layout(&text, *point, *picture);
        let BandSizes { left, top, middle, bottom, .. } = self.sizes;
        let (width, left) = (f64::from(self.size().0), f64::from(left));
        let end = left + f64::from(picture.0);

        if let Some(words) = &figure.title {
            // centred over the picture as far as the figure has room, and in smaller type if it is wider than that
            let (natural, room) = (title.width(words), width - 2.0 * margin);
            let (line, width) = (title.fitting(words, room), natural.min(room));
            let start = (left + 0.5 * (f64::from(picture.0) - width)).min(margin + room - width).max(margin);
            line.draw(paper, [start, margin + title.cap_height()], words, background.ink);
        }
        if let Some(words) = &figure.stamp {
            // on the title's line, at a position that does not depend on the title
            let start = match &figure.title {
                Some(_) => (end - margin - text.width(words)).max(margin),
                None => left + margin,
            };
            let cap = if figure.title.is_some() { title.cap_height() } else { text.cap_height() };
            text.draw(paper, [start, margin + cap], words, background.ink);
        }
        if let Some(axes) = &figure.plane {
            axes.layout(&text, *point, *picture).draw(paper, [left, f64::from(top)], background.ink);
        }
        let mut floor = f64::from(top + middle + bottom) - margin;
        let mut covers = false;
        if !figure.legend.is_empty() {
            let corner = match figure.legend_place() {
                LegendPlace::Right => [end + margin, f64::from(top) + margin],
                LegendPlace::Below => {
                    let lower = floor - layout.height();
                    floor = lower - 2.0 * margin;
                    [left + margin, lower]
                }
                LegendPlace::Inside => {
                    let size = [layout.width(), layout.height()];
                    let (corner, share) = self.clear_corner(paper, size, [left, f64::from(top)], *picture);
                    covers = share > COVERED;
                    corner
                }
            };
            layout.draw(paper, corner, self.ground);
        }
        if let Some(triad) = triad {
            let [reach, _, _, down] = triad.reach();
            let (start, floor) = match figure.axes {
                Some(AxesPlace::Inside) => (left, f64::from(top) + f64::from(picture.1) - margin),
                _ => (0.0, floor),
            };
            triad.draw(paper, [start + margin + reach, floor - down], &text, background.ink);
        }
        if let Some(bar) = &figure.scale_bar {
            self.scale_bar(paper, bar, &text, [end - margin, floor])?;
        }
        Ok(covers)
    }

    /// Finds the corner of the picture where a legend of this size covers the least, the upper right one if several are
    /// free, and pales it if something is there. `from` is the picture's place. Returns the legend's place, and the share of
    /// it that shows something.
    fn clear_corner(
        &self,
        paper: &mut Paper<'_>,
        [wide, high]: [f64; 2],
        from: [f64; 2],
        (width, height): (u32, u32),
    ) -> ([f64; 2], f64) {
        /// Opacity of the ground under a legend.
        const GROUND: u8 = 217;
        let margin = MARGIN * self.point;
        let far = [f64::from(width) - wide, f64::from(height) - high].map(|room| (room - margin).max(margin));
        let corners = [[far[0], margin], [margin, margin], [far[0], far[1]], [margin, far[1]]];
        let ground = |[x, y]: [f64; 2]| {
            let min = [from[0] + x - 0.5 * margin, from[1] + y - 0.5 * margin];
            FilledRectangle { min, max: [min[0] + wide + margin, min[1] + high + margin] }
        };
        // lines of a grid are not worth a corner
        let is_plane = self.figure.plane.is_some();
        let shows = |pixel: Srgba8| !self.ground.backdrop.shows_alone_in(pixel);
        let shows_shapes =
            |pixel: Srgba8| shows(pixel) && (!is_plane || self.ground.backdrop.differs(pixel, GRID_ALPHA));
        let covered = |corner: &[f64; 2], shows: &dyn Fn(Srgba8) -> bool| {
            let FilledRectangle { min, max } = ground(*corner);
            let [columns, rows] = [0, 1].map(|axis| whole(min[axis].max(0.0))..whole(max[axis]));
            let columns = columns.start.min(paper.frame.width())..columns.end.min(paper.frame.width());
            let rows = rows.start.min(paper.frame.height())..rows.end.min(paper.frame.height());
            let places = rows.flat_map(|y| columns.clone().map(move |x| (x, y)));
            places.filter(|(x, y)| paper.frame.pixel(*x, *y).is_some_and(shows)).count()
        };
        let many = if self.figure.is_one_of_many { 1 } else { corners.len() };
        let best = (0..many).min_by_key(|index| covered(&corners[*index], &shows_shapes)).unwrap_or(0);
        let share = covered(&corners[best], &shows_shapes) as f64 / ((wide + margin) * (high + margin));
        if covered(&corners[best], &shows) > 0 && self.ground.backdrop.bottom.a > 0 {
            let alpha = if self.ground.backdrop.bottom.a == u8::MAX { GROUND } else { self.ground.backdrop.bottom.a };
            fill_rectangle(paper, &ground(corners[best]), self.ground.backdrop.bottom.with_alpha(alpha));
        }
        ([from[0] + corners[best][0], from[1] + corners[best][1]], share)
    }

    /// Draws a scale bar with its length above it, at this lower right corner. A map in degrees gets two, if there is
    /// room.
    fn scale_bar(&self, paper: &mut Paper<'_>, bar: &ScaleBar, text: &TextLine, corner: [f64; 2]) -> Result<()> {
        let [right, bottom] = corner;
        let room = right.max(1.0);
        if let (None, Some(latitude)) = (bar.length, bar.latitude) {
            let bars = kilometers(latitude, room, self.pixels_per_unit, bar.stretch);
            if let [(pixels, label)] = &bars[..] {
                self.bar(paper, *pixels, label, text, corner);
                return Ok(());
            }
            let widths: Vec<f64> = bars.iter().map(|(pixels, label)| pixels.max(text.width(label))).collect();
            let gap = 2.0 * text.width("km");
            if widths[0] + gap + widths[1] <= room {
                let ends = [right - widths[1] - gap, right];
                for ((pixels, label), right) in bars.iter().zip(ends) {
                    self.bar(paper, *pixels, label, text, [right, bottom]);
                }
                return Ok(());
            }
        }
        let length = bar.length.unwrap_or_else(|| numbers::round_below(SHARE * room / self.pixels_per_unit));
        let pixels = length * self.pixels_per_unit;
        // a bar that is shorter or longer than it says would be wrong
        if bar.length.is_some() && !(1.0..=room).contains(&pixels) {
            let least = numbers::round_up(1.0 / self.pixels_per_unit);
            let most = numbers::round_below(room / self.pixels_per_unit);
            let message = format!("must be {least:?} to {most:?} in this picture, got {length:?}");
            return Err(Error::setting("scale_bar", message));
        }
        let label = numbers::number_written(length);
        let label = match bar.unit {
            "" => label,
            "°" => label + bar.unit,
            unit => format!("{label} {unit}"),
        };
        self.bar(paper, pixels, &label, text, corner);
        Ok(())
    }

    /// Draws a bar and the label above it, at this lower right corner.
    fn bar(&self, paper: &mut Paper<'_>, pixels: f64, label: &str, text: &TextLine, [right, bottom]: [f64; 2]) {
        let left = right - pixels.max(text.width(label));
        let middle = 0.5 * (left + right);
        let rectangle = FilledRectangle {
            min: [middle - 0.5 * pixels, bottom - BAR * self.point],
            max: [middle + 0.5 * pixels, bottom],
        };
        fill_rectangle(paper, &rectangle, self.ground.backdrop.ink);
        let start = [middle - 0.5 * text.width(label), bottom - (BAR + 5.0) * self.point];
        text.draw(paper, start, label, self.ground.backdrop.ink);
    }
}

/// The north–south and west–east scale bars of a map in degrees at a latitude: lengths in pixels and labels. One alone
/// where kilometres are as long either way. `stretch` is the length of a degree of longitude per degree of latitude.
fn kilometers(latitude: f64, room: f64, pixels_per_degree: f64, stretch: f64) -> Vec<(f64, String)> {
    /// Kilometres per degree of a great circle, for the mean radius of 6371.0088 km.
    ///
    /// Source: H. Moritz, "Geodetic Reference System 1980", R1.
    const DEGREE: f64 = 111.195_080;
    let hemisphere = if latitude < 0.0 { "S" } else { "N" };
    let at = format!(" at {:.0}° {hemisphere}", latitude.abs());
    let parallel = DEGREE * libm::cos(latitude.to_radians());
    let bar = |pixels: f64, kilometers: f64, way: &str, at: &str| {
        let pixels_per_kilometer = pixels / kilometers;
        let length = numbers::round_below(SHARE * room / pixels_per_kilometer);
        (length * pixels_per_kilometer, format!("{} km{way}{at}", numbers::number_written(length)))
    };
    let across = pixels_per_degree * stretch;
    if (across / parallel * DEGREE / pixels_per_degree - 1.0).abs() < 1e-3 {
        return vec![bar(pixels_per_degree, DEGREE, "", &at)];
    }
    vec![bar(pixels_per_degree, DEGREE, " N–S", ""), bar(across, parallel, " W–E", &at)]
}

/// A length rounded up to whole pixels.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "not negative, and `as` saturates")]
fn whole(length: f64) -> u32 {
    libm::ceil(length) as u32
}

/// Pixels per unit of length.
fn pixels_per_unit(scene: &Scene<'_>, bar: Option<&ScaleBar>) -> Result<f64> {
    let Some(bar) = bar else { return Ok(1.0) };
    match scene {
        Scene::Circles(_) => Ok(bar.pixels),
        Scene::Spheres(scene) => match scene.view.camera.projection {
            Projection::Orthographic { height } => Ok(f64::from(scene.view.height) / f64::from(height)),
            Projection::Perspective { .. } => {
                let message = "is for parallel rays (ortho); in perspective lengths depend on the distance".to_owned();
                Err(Error::setting("scale_bar", message))
            }
        },
    }
}

/// Pixels per world unit of the radii and arrows in a legend: in perspective, at the camera's target.
fn legend_unit(scene: &Scene<'_>) -> f64 {
    let Scene::Spheres(scene) = scene else { return 1.0 };
    let camera = &scene.view.camera;
    let height = match camera.projection {
        Projection::Orthographic { height } => f64::from(height),
        Projection::Perspective { fov_y_radians } => {
            let distance = f64::from(camera.eye.distance(camera.target));
            2.0 * libm::tan(0.5 * f64::from(fov_y_radians)) * distance
        }
    };
    f64::from(scene.view.height) / height
}
