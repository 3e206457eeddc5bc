//! Figures: annotations around and on a picture: title, legend, scale bar, axes, labels, edges of a periodic box, and
//! trimming to the content.
//!
//! A finished frame comes in, a frame with marks goes out. Title, legend, axes and scale bar are placed beside the
//! picture and cover none of it. Sizes are in points, so that they scale with the resolution.

mod backdrop;
mod bands;
mod date_ticks;
mod density;
mod font;
mod labels;
mod legend;
mod legend_samples;
mod numbers;
mod paint;
mod panels;
pub mod paper;
mod plane_axes;
mod print_size;
mod space;
mod text;
mod trim;

use std::borrow::Cow;

use crate::budget::Budget;
use crate::color::Srgba8;
use crate::error::Result;
use crate::frame::Frame;
use crate::scene::circles::{Layer, ViewBox};
use crate::scene::spheres::SphereScene;
use crate::scene::{DepthMap, Scene};
use backdrop::Backdrop;
use bands::BandSizes;
pub use bands::Bands;
pub use density::DensityFrame;
use labels::LabelPainter;
pub use labels::{Label, LabelAnchor, LabelCounts};
pub use legend::LegendPlace;
use legend::{LegendLayout, LegendRoom};
pub use legend_samples::{ArrowKey, LegendPart, OpacityKey, SizeKey, SizeMark};
pub use numbers::decimal;
pub use panels::PanelLayout;
use paper::{Paper, VectorMark};
pub use plane_axes::{AxisNumbers, PlaneAxes, PlaneAxis};
pub use print_size::PrintSize;
pub use space::CellEdges;
pub use text::TextLine;
use trim::trim;

/// Sizes in points: of text, of the title, and of margins.
const TYPE: f64 = 10.0;
const TITLE: f64 = 13.0;
const MARGIN: f64 = 9.0;

/// Width of lines in points.
const LINE: f64 = 1.0;

/// The most letters that a note lists.
const LISTED: usize = 8;

/// Finds the depths of a scene's nearest spheres, behind which marks are hidden.
pub(crate) type FindDepths<'a> = &'a dyn Fn(&SphereScene<'_>) -> Result<DepthMap>;

/// Marks around a picture and on it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figure {
    #[doc(hidden)]
    pub title: Option<String>,
    /// Text above the right end of the picture, such as the time of a frame.
    #[doc(hidden)]
    pub stamp: Option<String>,
    /// The sections of the legend, from the top.
    #[doc(hidden)]
    pub legend: Vec<LegendPart>,
    /// The room for the legend if the width of the figure is given; otherwise it is as high as the picture.
    #[doc(hidden)]
    pub legend_room: Option<LegendRoom>,
    /// Where the legend stands. Without a choice it is to the right, or below a figure of a given width if it would take
    /// more than a fifth of that.
    #[doc(hidden)]
    pub legend_place: Option<LegendPlace>,
    /// Whether other pictures have the same legend in the same place, such as the frames of a film.
    #[doc(hidden)]
    pub is_one_of_many: bool,
    /// Whether the legend shows the number of shapes of each category.
    #[doc(hidden)]
    pub counts: bool,
    #[doc(hidden)]
    pub scale_bar: Option<ScaleBar>,
    /// The axes of the world, for spheres.
    #[doc(hidden)]
    pub axes: Option<AxesPlace>,
    /// Numbers of pixels, in the place of circles.
    #[doc(hidden)]
    pub density: Option<DensityFrame>,
    /// The axes around a picture of the plane.
    #[doc(hidden)]
    pub plane: Option<PlaneAxes>,
    #[doc(hidden)]
    pub cell: Option<CellEdges>,
    /// Labels beside spheres.
    #[doc(hidden)]
    pub labels: Vec<Label>,
    /// Crop the picture to the pixels that differ from the background, with this margin in pixels.
    #[doc(hidden)]
    pub trim: Option<u32>,
    #[doc(hidden)]
    pub print: PrintSize,
    /// The colour of text and lines; otherwise black or white, whichever stands out from the background.
    #[doc(hidden)]
    pub ink: Option<Srgba8>,
}

/// A bar of a known length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScaleBar {
    /// The length of a unit from west to east, in units from north to south as they are drawn.
    #[doc(hidden)]
    pub stretch: f64,
    /// In units of the data; `None` for a round length that suits the picture.
    #[doc(hidden)]
    pub length: Option<f64>,
    /// Written after the number.
    #[doc(hidden)]
    pub unit: &'static str,
    /// Pixels per unit, for circles.
    #[doc(hidden)]
    pub pixels: f64,
    /// The latitude at the centre of a map in degrees. Its default bars are in kilometres: one from west to east and
    /// one from north to south, because degrees of longitude are shorter.
    #[doc(hidden)]
    pub latitude: Option<f64>,
}

impl Figure {
    /// Notes about letters of the figure's texts and of these captions that the font lacks, and about text whose
    /// background is not known.
    #[doc(hidden)]
    pub fn notes(&self, scene: &Scene<'_>, captions: &[String]) -> Vec<String> {
        let is_clear = Self::background(scene).a < 128 && self.ink.is_none();
        let has_text =
            !captions.is_empty() || self.mark_beside().is_some_and(|mark| !["trim", "density"].contains(&mark));
        let ink = (is_clear && has_text)
            .then(|| "text and lines are black on the transparent picture; --ink white is for dark slides".to_owned());
        self.note_of_letters(captions).into_iter().chain(ink).collect()
    }

    fn note_of_letters(&self, captions: &[String]) -> Option<String> {
        let font = TextLine::new(1.0);
        let own = self.title.iter().chain(&self.stamp).chain(self.labels.iter().map(|label| &label.text));
        let own = own.map(String::as_str).chain(self.plane.iter().flat_map(PlaneAxes::texts));
        let texts =
            own.chain(captions.iter().map(String::as_str)).chain(self.legend.iter().flat_map(LegendPart::texts));
        let mut missing: Vec<char> = Vec::new();
        for letter in texts.flat_map(str::chars).filter(|letter| !font.has(*letter)) {
            if !missing.contains(&letter) && missing.len() <= LISTED {
                missing.push(letter);
            }
        }
        let more = if missing.len() > LISTED { " and others" } else { "" };
        let listed: Vec<String> = missing.iter().take(LISTED).map(char::to_string).collect();
        (!missing.is_empty())
            .then(|| format!("the font has no {}{more}: they are blank in the picture", listed.join(", ")))
    }

    /// Reports whether there is nothing to draw or trim.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.cell.is_none() && self.mark_beside().is_none()
    }

    /// Reports whether the picture is enlarged or reduced.
    #[doc(hidden)]
    pub fn is_scaled(&self) -> bool {
        self.print.factor() != 1.0
    }

    /// Reports whether there is a scale bar.
    #[doc(hidden)]
    pub fn has_scale_bar(&self) -> bool {
        self.scale_bar.is_some()
    }

    /// An upper bound of the margins for marks beside a picture of this height, for any camera.
    #[doc(hidden)]
    pub fn room(&self, height: u32, is_solid: bool) -> Room {
        let point = self.point();
        let arms =
            if self.axes == Some(AxesPlace::Below) && is_solid { space::Triad::MOST_HEIGHT * point } else { 0.0 };
        let bands = BandSizes::new(self, point, (height, height), arms);
        Room { top: bands.top, right: bands.right, bottom: bands.bottom + bands.middle.saturating_sub(height) }
    }

    /// The colour beside a scene's picture.
    #[doc(hidden)]
    pub fn background(scene: &Scene<'_>) -> Srgba8 {
        Backdrop::behind(scene).bottom
    }

    /// Whether no pixel of a picture is translucent.
    #[doc(hidden)]
    #[must_use]
    pub fn is_opaque(scene: &Scene<'_>) -> bool {
        let Backdrop { top, bottom, .. } = Backdrop::behind(scene);
        [top, bottom].iter().all(|color| color.a == u8::MAX)
    }

    /// Pixels per point of type of the usual size.
    fn point(&self) -> f64 {
        self.print.point()
    }

    fn backdrop(&self, scene: &Scene<'_>) -> Backdrop {
        let backdrop = Backdrop::behind(scene);
        Backdrop { ink: self.ink.unwrap_or(backdrop.ink), ..backdrop }
    }

    /// Sizes text for a picture of this size, unless a resolution is given.
    #[doc(hidden)]
    pub fn suit_type(&mut self, size: (u32, u32)) {
        self.print.suit(size);
    }

    /// The same figure with only the marks on the picture.
    #[doc(hidden)]
    pub fn without_bands(&self) -> Self {
        Self { title: None, legend: Vec::new(), scale_bar: None, axes: None, plane: None, trim: None, ..self.clone() }
    }

    /// The same figure without axes around a picture of the plane.
    #[doc(hidden)]
    #[must_use]
    pub fn without_plane_axes(self) -> Self {
        Self { plane: None, ..self }
    }

    /// Lays the grid of the axes below the circles of a scene.
    #[doc(hidden)]
    pub fn lay_grid(&self, scene: &mut Scene<'_>) {
        let (Some(axes), size, ink) = (&self.plane, scene.size(), self.backdrop(scene).ink) else { return };
        if let Scene::Circles(scene) = scene {
            let text = TextLine::new(TYPE * self.point());
            let lines = axes.grid(&text, self.point(), size, ink);
            scene.layers.insert(0, Layer::Segments(Cow::Owned(lines)));
        }
    }

    #[doc(hidden)]
    pub fn panel_layout(&self, panels: [u32; 2]) -> PanelLayout {
        PanelLayout::new(panels, self.point())
    }

    /// Composes panels with captions in one frame, on the background of a scene.
    #[doc(hidden)]
    pub fn composed(
        &self,
        scene: &Scene<'_>,
        layout: &PanelLayout,
        panels: &[(Frame, &str)],
        record: Option<&mut Vec<VectorMark>>,
    ) -> Result<Frame> {
        layout.composed(panels, self.backdrop(scene), record)
    }

    /// Where the legend stands.
    fn legend_place(&self) -> LegendPlace {
        self.legend_place.unwrap_or(LegendPlace::Right)
    }

    /// The legend of a picture of this size.
    fn legend_layout<'a>(&'a self, text: &'a TextLine, point: f64, size: (u32, u32)) -> LegendLayout<'a> {
        let [width, height] = [size.0, size.1].map(|side| f64::from(side) - 2.0 * MARGIN * point);
        let room = match self.legend_place() {
            LegendPlace::Right => {
                self.legend_room.unwrap_or_else(|| LegendRoom::beside(&self.legend, text, point, height))
            }
            place => LegendRoom::within(place, point, [width, height]),
        };
        LegendLayout::new(&self.legend, text, point, room, self.counts)
    }

    /// Fits the legend beside a picture, so that both together are `pixels` wide; `aspect` is the picture's height over
    /// its width. Returns the width to the right of the picture.
    #[doc(hidden)]
    pub fn fit_legend(&mut self, pixels: f64, aspect: f64) -> u32 {
        /// The largest share of the width for a legend in columns.
        const SHARE: f64 = 0.55;
        /// The factor by which the legend's height grows until it is complete, and the largest height, as a share of
        /// the width.
        const STEP: f64 = 1.25;
        const HIGHEST: f64 = 1.2;
        /// The share of the width above which a legend goes below the picture, unless its place is chosen.
        const WIDE: f64 = 0.2;
        let point = self.point();
        let text = TextLine::new(TYPE * point);
        let margins = 2.0 * MARGIN * point;
        let width = SHARE * pixels - margins;
        let layout = |room| LegendLayout::new(&self.legend, &text, point, room, self.counts);
        // start with the height of the picture beside a legend of one column
        let column = layout(LegendRoom { width, height: f64::INFINITY, is_flat: false }).width();
        let picture = (pixels - column - margins) * aspect - margins;
        let mut room = LegendRoom { width, ..LegendRoom::beside(&self.legend, &text, point, picture) };
        while room.height < HIGHEST * pixels {
            let layout = layout(room);
            if layout.is_complete() && !layout.is_wider_than(width) {
                break;
            }
            room.height *= STEP;
        }
        let beside = layout(room).width() + margins;
        if self.legend_place.is_none() && !self.legend.is_empty() && beside > WIDE * pixels {
            self.legend_place = Some(LegendPlace::Below);
        }
        self.legend_room = Some(room);
        let [mut left, mut right] = [0, BandSizes::new(self, point, (0, 0), 0.0).right];
        if self.plane.is_none() {
            return right;
        }
        // the room for the numbers of axes depends on the size of the picture, which depends on that room
        for _ in 0..4 {
            let width = (pixels - f64::from(left) - f64::from(right)).max(1.0);
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "`as` saturates")]
            let size = [width, width * aspect].map(|side| (side + 0.5) as u32);
            let bands = BandSizes::new(self, point, size.into(), 0.0);
            [left, right] = [bands.left, bands.right];
        }
        self.plane.iter_mut().for_each(|axes| axes.left = Some(left));
        right.saturating_add(left)
    }

    /// Moves the labels of circles to a picture of this size that shows a part of the whole.
    #[doc(hidden)]
    pub fn move_labels(&mut self, view_box: &ViewBox, size: (u32, u32)) {
        let scale = f64::from(size.1) / view_box.height;
        for anchor in self.labels.iter_mut().flat_map(|label| &mut label.anchors) {
            anchor.place.x = (anchor.place.x - view_box.center[0]) * scale + 0.5 * f64::from(size.0);
            anchor.place.y = (anchor.place.y - view_box.center[1]) * scale + 0.5 * f64::from(size.1);
            anchor.radius *= scale;
        }
    }

    /// Changes the marks of a picture of circles to those of a part of it: `whole` is the size of the picture, `size`
    /// the size of the part.
    #[doc(hidden)]
    pub fn show_part(&mut self, view_box: &ViewBox, whole: (u32, u32), size: (u32, u32)) {
        self.scale_circles(f64::from(size.1) / view_box.height);
        self.move_labels(view_box, size);
        self.plane.iter_mut().for_each(|axes| axes.seen(view_box, whole, size));
    }

    /// Multiplies the pixels per unit of circles.
    #[doc(hidden)]
    pub fn scale_circles(&mut self, times: f64) {
        if let Some(bar) = &mut self.scale_bar {
            bar.pixels *= times;
        }
        for part in &mut self.legend {
            if let LegendPart::Sizes(sizes) = part {
                sizes.pixels *= times;
            }
        }
    }

    /// The name of a mark that needs a margin, or trims; formats without margins do not support it. The edges of a box
    /// need none.
    #[doc(hidden)]
    pub fn mark_beside(&self) -> Option<&'static str> {
        let marks = [
            ("title", self.title.is_some()),
            ("stamp", self.stamp.is_some()),
            ("legend", !self.legend.is_empty()),
            ("scale_bar", self.scale_bar.is_some()),
            ("axes", self.axes.is_some() || self.plane.is_some()),
            ("label", !self.labels.is_empty()),
            ("density", self.density.is_some()),
            ("trim", self.trim.is_some()),
        ];
        marks.into_iter().find(|(_, is_drawn)| *is_drawn).map(|(name, _)| name)
    }

    /// The resolution in dots per inch, if it is given.
    #[must_use]
    pub fn dpi(&self) -> Option<f32> {
        self.print.dpi
    }

    /// Reports whether there are marks beside the picture or labels, or it is trimmed. The share of a process leaves
    /// these out.
    #[must_use]
    pub fn has_marks_beside(&self) -> bool {
        self.mark_beside().is_some()
    }

    /// Draws the marks on a scene's finished picture, and around it.
    ///
    /// # Errors
    /// If the figure exceeds the size of a frame, or a mark does not apply to the scene.
    #[doc(hidden)]
    pub fn draw(
        &self,
        depths: FindDepths<'_>,
        budget: &Budget,
        scene: &Scene<'_>,
        frame: &mut Frame,
    ) -> Result<DrawnMarks> {
        self.draw_density(frame);
        self.draw_on(depths, budget, scene, &mut Paper::new(frame))
    }

    /// Draws the numbers of a density, if there are any, in the place of circles.
    #[doc(hidden)]
    pub fn draw_density(&self, frame: &mut Frame) {
        self.density.iter().for_each(|density| density.draw(frame));
    }

    /// Draws as [`Figure::draw`] does, and adds the marks to a list, in pixels of the finished frame. The numbers of a
    /// density are no mark: the frame must show them.
    ///
    /// # Errors
    /// As [`Figure::draw`].
    #[doc(hidden)]
    pub fn draw_recorded(
        &self,
        depths: FindDepths<'_>,
        budget: &Budget,
        scene: &Scene<'_>,
        frame: &mut Frame,
        record: &mut Vec<VectorMark>,
    ) -> Result<DrawnMarks> {
        self.draw_on(depths, budget, scene, &mut Paper::recording(frame, Some(record)))
    }

    fn draw_on(
        &self,
        depths: FindDepths<'_>,
        budget: &Budget,
        scene: &Scene<'_>,
        paper: &mut Paper<'_>,
    ) -> Result<DrawnMarks> {
        self.draw_edges(depths, scene, paper, 1)?;
        let labels = self.labels_on(depths, scene, paper)?;
        let place = self.beside(budget, scene, paper)?;
        Ok(DrawnMarks { offset: place.offset, place, labels })
    }

    /// Draws the labels on a frame that is the scene's picture.
    ///
    /// # Errors
    /// If there are more spheres than indices.
    #[doc(hidden)]
    pub fn draw_labels(&self, depths: FindDepths<'_>, scene: &Scene<'_>, frame: &mut Frame) -> Result<LabelCounts> {
        self.labels_on(depths, scene, &mut Paper::new(frame))
    }

    fn labels_on(&self, depths: FindDepths<'_>, scene: &Scene<'_>, paper: &mut Paper<'_>) -> Result<LabelCounts> {
        if self.labels.is_empty() {
            return Ok(LabelCounts::default());
        }
        let (point, background) = (self.point(), self.backdrop(scene));
        let text = TextLine::new(TYPE * point);
        let size = (paper.frame.width(), paper.frame.height());
        Ok(match scene {
            Scene::Spheres(spheres) => {
                let depths = depths(spheres)?;
                let painter = LabelPainter { size, depths: &depths, text: &text, point, background };
                painter.draw_of_spheres(paper, spheres, &self.labels)
            }
            Scene::Circles(_) => {
                let mut depths = DepthMap::new([size.0, size.1], 0, 1);
                let is_drawn = |pixel: &Srgba8| background.differs(*pixel, plane_axes::GRID_ALPHA);
                let shown = depths.depths.iter_mut().zip(paper.frame.pixels()).filter(|(_, pixel)| is_drawn(pixel));
                shown.for_each(|(depth, _)| *depth = 0.0);
                let painter = LabelPainter { size, depths: &depths, text: &text, point, background };
                painter.draw_of_circles(paper, &self.labels)
            }
        })
    }

    /// Draws the edges of a box on a reduced frame: one pixel for `side` by `side` pixels of the picture.
    ///
    /// # Errors
    /// If there are more spheres than indices.
    #[doc(hidden)]
    pub fn draw_cell(&self, depths: FindDepths<'_>, scene: &Scene<'_>, frame: &mut Frame, side: u32) -> Result<()> {
        self.draw_edges(depths, scene, &mut Paper::new(frame), side)
    }

    fn draw_edges(&self, depths: FindDepths<'_>, scene: &Scene<'_>, paper: &mut Paper<'_>, side: u32) -> Result<()> {
        let (Some(cell), Scene::Spheres(spheres)) = (&self.cell, scene) else { return Ok(()) };
        let depths = depths(spheres)?;
        let color = self.ink.unwrap_or(match Backdrop::behind(scene).ink {
            Srgba8::BLACK => Srgba8::rgb(0x30, 0x30, 0x30),
            _ => Srgba8::rgb(0xd0, 0xd0, 0xd0),
        });
        cell.draw(paper, &spheres.view, &depths, LINE * self.point() / f64::from(side), color);
        Ok(())
    }

    /// The marks beside a scene's picture, for pictures that are drawn in rows; `None` where some need the whole
    /// picture.
    ///
    /// # Errors
    /// If a scale bar does not apply to the scene.
    #[doc(hidden)]
    pub fn bands<'a>(&'a self, scene: &Scene<'_>) -> Result<Option<Bands<'a>>> {
        let covers = !self.legend.is_empty() && self.legend_place() == LegendPlace::Inside;
        if covers || self.cell.is_some() || self.trim.is_some() || self.density.is_some() || !self.labels.is_empty() {
            return Ok(None);
        }
        Bands::new(self, scene, scene.size()).map(Some)
    }

    /// Trims a finished picture and draws the marks beside it.
    ///
    /// # Errors
    /// As [`Figure::draw`], and if the figure exceeds the budget.
    #[doc(hidden)]
    pub fn draw_beside(&self, budget: &Budget, scene: &Scene<'_>, frame: &mut Frame) -> Result<PicturePlace> {
        self.beside(budget, scene, &mut Paper::new(frame))
    }

    /// Draws as [`Figure::draw_beside`] does, and adds the marks to a list.
    ///
    /// # Errors
    /// As [`Figure::draw_beside`].
    #[doc(hidden)]
    pub fn draw_beside_recorded(
        &self,
        budget: &Budget,
        scene: &Scene<'_>,
        frame: &mut Frame,
        record: &mut Vec<VectorMark>,
    ) -> Result<PicturePlace> {
        self.beside(budget, scene, &mut Paper::recording(frame, Some(record)))
    }

    fn beside(&self, budget: &Budget, scene: &Scene<'_>, paper: &mut Paper<'_>) -> Result<PicturePlace> {
        let background = self.backdrop(scene);
        let [left, cut_top] = match self.trim {
            Some(margin) => trim(paper, background, margin)?,
            None => [0; 2],
        };
        let size = [paper.frame.width(), paper.frame.height()];
        if self.mark_beside().is_none_or(|mark| mark == "trim" || mark == "label") {
            let offset = [-i64::from(left), -i64::from(cut_top)];
            return Ok(PicturePlace { offset, corner: [0; 2], size, is_covered: false });
        }
        let (corner, is_covered) = Bands::new(self, scene, size.into())?.draw(budget, paper)?;
        let offset = [i64::from(corner[0]) - i64::from(left), i64::from(corner[1]) - i64::from(cut_top)];
        Ok(PicturePlace { offset, corner, size, is_covered })
    }
}

/// Where the axes of space stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AxesPlace {
    Below,
    /// In the lower left corner of the picture, on top of the shapes.
    Inside,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DrawnMarks {
    /// By how much they moved the picture to the right and down, in pixels.
    #[doc(hidden)]
    pub offset: [i64; 2],
    #[doc(hidden)]
    pub place: PicturePlace,
    #[doc(hidden)]
    pub labels: LabelCounts,
}

/// Where a scene's picture lies in its figure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PicturePlace {
    /// By how much it moved to the right and down, in pixels.
    #[doc(hidden)]
    pub offset: [i64; 2],
    /// The corner and the size of the part that shows.
    #[doc(hidden)]
    pub corner: [u32; 2],
    #[doc(hidden)]
    pub size: [u32; 2],
    /// Whether the legend stands on shapes.
    #[doc(hidden)]
    pub is_covered: bool,
}

/// Margins above, to the right of and below a picture, in pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Room {
    #[doc(hidden)]
    pub top: u32,
    #[doc(hidden)]
    pub right: u32,
    #[doc(hidden)]
    pub bottom: u32,
}
