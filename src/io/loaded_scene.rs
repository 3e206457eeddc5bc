//! Scenes with their figures, and how both are drawn.

use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use crate::color::Srgba8;
use crate::compare::Picture;
use crate::error::{Error, Result};
use crate::figure::{Bands, DrawnMarks, Figure};
use crate::frame::Frame;
use crate::scene::Scene;
use roundel_image::output::write_file;
use roundel_image::png::encode_bands;
use roundel_load::options::load_options::LoadOptions;
use roundel_load::options::same_view;
use roundel_load::pictures::bare_data::Drawing;
use roundel_load::pictures::own_camera::OwnCamera;
use roundel_render::{Aovs, Renderer, Statistics};

/// A scene and the marks of its figure, as a file or the caller has them.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct LoadedScene<'a> {
    /// The scene.
    pub scene: Scene<'a>,
    /// Marks around the picture and on it.
    pub figure: Figure,
    /// Notes for the caller: rows that were left out, and why; a sentence each, without a full stop.
    pub notes: Vec<String>,
    /// The camera before options; `None` where other cameras need the file again.
    pub(super) camera: Option<OwnCamera>,
}

#[doc(hidden)]
impl From<Drawing> for LoadedScene<'static> {
    fn from(Drawing { scene, figure, notes, camera, .. }: Drawing) -> Self {
        Self { scene, figure, notes, camera }
    }
}

/// Facts about a picture that has been drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct RenderReport {
    /// Counts and times of the render.
    pub statistics: Statistics,
    /// How far the figure's marks have moved the scene's picture to the right and down, in pixels: negative where the
    /// picture is trimmed.
    pub offset: [i64; 2],
    /// Labels that were left out because their shapes are hidden, cut away or outside of the picture.
    pub hidden_labels: u32,
    /// Labels without room in the picture.
    pub crowded_labels: u32,
    /// Whether the legend stands on shapes.
    pub legend_covers: bool,
}

impl RenderReport {
    pub(super) fn new(statistics: Statistics, DrawnMarks { offset, place, labels, .. }: DrawnMarks) -> Self {
        let (hidden_labels, crowded_labels) = (labels.hidden, labels.crowded);
        Self { statistics, offset, hidden_labels, crowded_labels, legend_covers: place.is_covered }
    }

    /// Adds the counts and times of another part of the picture.
    pub(super) fn add(&mut self, other: &Self) {
        self.statistics = self.statistics + other.statistics;
        self.hidden_labels += other.hidden_labels;
        self.crowded_labels += other.crowded_labels;
    }

    /// A note about labels that are not in the picture, and about a legend that covers shapes.
    #[must_use]
    pub fn note(&self) -> Option<String> {
        let (hidden, crowded) = (self.hidden_labels, self.crowded_labels);
        let labels = |count: u32| if count == 1 { "1 label is".to_owned() } else { format!("{count} labels are") };
        let hidden =
            (hidden > 0).then(|| format!("{} left out, as what they name is hidden or outside", labels(hidden)));
        let crowded =
            (crowded > 0).then(|| format!("{} left out for want of room; a larger picture has more", labels(crowded)));
        let covers = "the legend covers shapes; --legend=below stands beside them".to_owned();
        let covers = self.legend_covers.then_some(covers);
        hidden.into_iter().chain(crowded).chain(covers).reduce(|one, other| format!("{one}; {other}"))
    }
}

impl LoadedScene<'_> {
    /// The same picture from the camera that these options ask for, without reading the file again: `view`, `azimuth`,
    /// `elevation`, `roll`, `zoom`, `eye`, `target`, `up`, `fov`, `ortho` and `ortho_height`. What they leave out is as the file
    /// has it, not as in this scene; other options do not count. The picture keeps its size.
    ///
    /// Returns `None` for circles, for several files, and where a focus or a slab of one thickness cuts shapes away, rows
    /// decide on the side, or a legend names the visible shapes: then the file must be read again.
    ///
    /// # Errors
    /// When an option is out of range, or there is no such camera.
    ///
    /// ```
    /// use roundel::io::{LoadOptions, load};
    ///
    /// let options = LoadOptions { width: Some(64), height: Some(48), ..LoadOptions::default() };
    /// let caffeine = load("docs/scenes/caffeine.xyz", &options)?;
    /// let options = LoadOptions { azimuth: Some(30.0), ..options };
    /// let turned = load("docs/scenes/caffeine.xyz", &options)?;
    /// let seen = caffeine.seen_with(&options)?.expect("molecules have a camera");
    /// assert_eq!(seen.scene, turned.scene);
    /// # Ok::<(), roundel::Error>(())
    /// ```
    pub fn seen_with(&self, options: &LoadOptions) -> Result<Option<LoadedScene<'_>>> {
        let (Some(own), Scene::Spheres(scene), []) = (self.camera, &self.scene, &self.figure.legend[..]) else {
            return Ok(None);
        };
        if options.look_along.is_some() || !options.views.is_empty() {
            return Ok(None);
        }
        let options = &*same_view::applied(options)?;
        let mut view = scene.view;
        view.camera = own.changed(scene, self.figure.cell.as_ref(), options)?;
        let scene = Scene::Spheres(scene.borrowed(view));
        let (figure, notes) = (self.figure.clone(), self.notes.clone());
        Ok(Some(LoadedScene { scene, figure, notes, camera: self.camera }))
    }

    /// The numbers of a density ([`LoadOptions::density`](super::LoadOptions::density)) as width, height and rows of pixels, the first on top; 0 where
    /// no row is, NaN for means.
    #[must_use]
    pub fn density(&self) -> Option<(u32, u32, &[f64])> {
        self.figure.density.as_ref().map(|density| (density.width, density.height, &density.numbers[..]))
    }

    /// Draws the scene and its figure.
    ///
    /// # Errors
    /// As [`Renderer::render`]; when the figure needs something that the scene lacks.
    pub fn draw(&self, renderer: &mut Renderer, frame: &mut Frame) -> Result<Statistics> {
        let drawn = self.draw_unless_cancelled(renderer, frame, &AtomicBool::new(false))?;
        Ok(drawn.expect("nothing cancels it").statistics)
    }

    /// Draws as [`LoadedScene::draw`] does, but stops soon once `cancelled` is set. Returns `None` if it stopped; the
    /// frame's pixels are unspecified then.
    ///
    /// # Errors
    /// As [`LoadedScene::draw`].
    pub fn draw_unless_cancelled(
        &self,
        renderer: &mut Renderer,
        frame: &mut Frame,
        cancelled: &AtomicBool,
    ) -> Result<Option<RenderReport>> {
        let Some(statistics) = renderer.render_unless_cancelled(&self.scene, frame, cancelled)? else {
            return Ok(None);
        };
        let marks = self.figure.draw(&|scene| renderer.depths(scene), renderer.budget(), &self.scene, frame)?;
        Ok(Some(RenderReport::new(statistics, marks)))
    }

    /// Writes the figure as PNG while it is drawn, in bands of rows ([`Renderer::render_bands`]). `progress` gets the share of
    /// the rows that are done. Returns the figure's size, too; `None`, and nothing is written, if marks need the whole picture
    /// at once.
    ///
    /// # Errors
    /// As [`LoadedScene::draw`]; if the file cannot be written.
    #[doc(hidden)]
    pub fn save_bands(
        &self,
        renderer: &mut Renderer,
        path: &Path,
        progress: &mut dyn FnMut(f64),
    ) -> Result<Option<((u32, u32), Statistics)>> {
        let Some(marks) = self.figure.bands(&self.scene)? else { return Ok(None) };
        let (size, mut drawn) = (marks.size(), Ok(Statistics::default()));
        renderer.budget().check_picture("with its figure ", size)?;
        let written = write_file(path, |file| {
            encode_bands(size, Figure::is_opaque(&self.scene), self.figure.dpi(), file, |write| {
                let failed = |source| Error::Io { action: "write", path: path.to_owned(), source };
                drawn = self.draw_bands(renderer, &marks, &mut |band| write(band).map_err(failed), progress);
                drawn.as_ref().map(|_| ()).map_err(|error| io::Error::other(error.to_string()))
            })
        });
        let statistics = drawn?;
        written.map(|()| Some((size, statistics)))
    }

    /// Draws the figure in bands of rows: those above the picture, bands of the picture, those below it.
    fn draw_bands(
        &self,
        renderer: &mut Renderer,
        marks: &Bands<'_>,
        take: &mut dyn FnMut(&Frame) -> Result<()>,
        progress: &mut dyn FnMut(f64),
    ) -> Result<Statistics> {
        let (top, height) = (marks.top(), self.scene.size().1);
        let mut put = |rows: Range<u32>, picture: Option<&Frame>| {
            if rows.is_empty() { Ok(()) } else { take(&marks.rows(rows, picture)?) }
        };
        put(0..top, None)?;
        let mut done = 0;
        let statistics = renderer.render_bands(&self.scene, &mut |band| {
            put(top + done..top + done + band.height(), Some(band))?;
            done += band.height();
            progress(f64::from(done) / f64::from(height));
            Ok(())
        })?;
        put(top + height..marks.size().1, None)?;
        Ok(statistics)
    }

    /// Draws a share of the scene's picture as [`Renderer::render_share`] does, with the edges of a box, and no marks
    /// beside the picture.
    ///
    /// # Errors
    /// As [`Renderer::render_share`].
    pub fn draw_share(&self, renderer: &mut Renderer, frame: &mut Frame, rows: Range<u32>) -> Result<Range<u32>> {
        let share = renderer.render_share(&self.scene, frame, rows)?;
        self.figure.draw_cell(&|scene| renderer.depths(scene), &self.scene, frame, 1)?;
        Ok(share)
    }

    /// Draws the scene and its figure with 16 bits a channel. Pixels that marks touch have the accuracy of 8.
    ///
    /// # Errors
    /// As [`LoadedScene::draw`].
    pub fn draw_16_bits(&self, renderer: &mut Renderer) -> Result<(Picture<'static>, Statistics)> {
        let drawn = self.draw_16_bits_unless_cancelled(renderer, &AtomicBool::new(false))?;
        let (picture, drawn) = drawn.expect("nothing cancels it");
        Ok((picture, drawn.statistics))
    }

    /// Draws as [`LoadedScene::draw_16_bits`] does, but stops soon once `cancelled` is set. Returns `None` if it
    /// stopped.
    ///
    /// # Errors
    /// As [`LoadedScene::draw`].
    pub fn draw_16_bits_unless_cancelled(
        &self,
        renderer: &mut Renderer,
        cancelled: &AtomicBool,
    ) -> Result<Option<(Picture<'static>, RenderReport)>> {
        let mut frame = Frame::new(1, 1, Srgba8::TRANSPARENT)?;
        let Some((colors, statistics)) = renderer.render_with_colors(&self.scene, &mut frame, cancelled)? else {
            return Ok(None);
        };
        let layers = Aovs::of_colors(self.scene.size(), colors);
        if self.figure.is_empty() {
            return Ok(Some((layers.to_picture()?, RenderReport::new(statistics, DrawnMarks::default()))));
        }
        let plain = frame.clone();
        let marks = self.figure.draw(&|scene| renderer.depths(scene), renderer.budget(), &self.scene, &mut frame)?;
        Ok(Some((layers.with_marks(&plain, &frame, marks.offset)?, RenderReport::new(statistics, marks))))
    }

    /// Draws the scene in full precision, as OpenEXR files have it. The edges of a box are left out.
    ///
    /// # Errors
    /// As [`LoadedScene::draw`]; when the figure has marks beside the picture, for which layers have no room.
    pub fn draw_aovs(&self, renderer: &mut Renderer) -> Result<(Aovs, Statistics)> {
        if let Some(name) = self.figure.mark_beside() {
            return Err(Error::setting(name, "is for PNG; an OpenEXR file holds the picture alone"));
        }
        renderer.render_aovs(&self.scene)
    }
}
