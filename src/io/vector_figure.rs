//! Figures of shapes, for SVG and PDF files.

use std::path::Path;

use roundel_render::Renderer;
use roundel_vector::{PDF_FONT, VectorPicture, marks_of_canvas, marks_of_spheres};

use super::grid::SceneGrid;
use super::loaded_scene::{LoadedScene, RenderReport};
use crate::color::Srgba8;
use crate::error::{Error, Result};
use crate::figure::paper::VectorMark;
use crate::figure::{Figure, PicturePlace};
use crate::frame::Frame;
use crate::scene::Scene;
use roundel_image::output::write_file;

/// A figure whose marks are shapes, and whose scene is, if shapes can show it: circles on a canvas, and opaque spheres
/// in flat colours. Other scenes are a picture inside of it.
///
/// ```
/// use roundel::io::{LoadOptions, load};
/// use roundel::{RenderSettings, Renderer};
///
/// # let folder = std::env::temp_dir().join(format!("roundel-vector-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder)?;
/// # let (points, svg) = (folder.join("points.csv"), folder.join("points.svg"));
/// # std::fs::write(&points, "x,y\n1,2\n3,1\n")?;
/// let figure = load(&points, &LoadOptions::default())?.draw_vectors(&mut Renderer::new(&RenderSettings::default())?)?;
/// assert!(figure.notes().is_empty(), "circles are shapes");
/// figure.save(&svg)?;
/// assert!(std::fs::read_to_string(&svg)?.contains("<circle"));
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct VectorFigure {
    picture: VectorPicture,
    size: (u32, u32),
    report: RenderReport,
    notes: Vec<String>,
}

impl VectorFigure {
    /// The font of texts in a PDF that are text: every reader has it.
    pub const PDF_FONT: &str = PDF_FONT;

    /// Width and height in pixels, the unit of places in the figure.
    #[must_use]
    pub fn size(&self) -> (u32, u32) {
        self.size
    }

    /// Counts and times of the render, and labels that were left out.
    #[must_use]
    pub fn report(&self) -> RenderReport {
        self.report
    }

    /// The parts of the figure that are pictures, and why; a sentence each, without a full stop.
    #[must_use]
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// The same figure with texts as text instead of outlines, in a font that the reader's machine has: a name, or several
    /// with commas between them, as `font-family` of CSS takes them. A PDF has text in Helvetica, and outlines for others.
    /// Texts keep their lengths.
    ///
    /// # Errors
    /// [`Error::Setting`] for a name that no font has.
    pub fn with_text_in(self, font: &str) -> Result<Self> {
        /// The longest name.
        const LONGEST: usize = 200;
        let is_known = |letter: char| letter.is_alphanumeric() || " ,-_'\"".contains(letter);
        if font.trim().is_empty() || font.len() > LONGEST || !font.chars().all(is_known) {
            let message = format!("must be the name of a font, such as Helvetica or 'Open Sans', got {font:?}");
            return Err(Error::setting("vector_text", message));
        }
        Ok(Self { picture: self.picture.with_text_in(font), ..self })
    }

    /// The figure as SVG 1.1, in UTF-8. Texts are outlines unless a font is given.
    #[must_use]
    pub fn to_svg(&self) -> Vec<u8> {
        self.picture.to_svg()
    }

    /// The figure as PDF 1.7, in RGB. Texts are outlines, and there are no fonts, unless Helvetica is given.
    #[must_use]
    pub fn to_pdf(&self) -> Vec<u8> {
        self.picture.to_pdf()
    }

    /// Writes an SVG or a PDF, by the ending of the name. The same figure gives the same bytes on every machine.
    ///
    /// # Errors
    /// [`Error::Setting`] for another ending, [`Error::Io`] if the file cannot be written.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<()> {
        let path = path.as_ref();
        let has_ending = |ending: &str| path.extension().is_some_and(|found| found.eq_ignore_ascii_case(ending));
        let bytes = if has_ending("svg") {
            self.to_svg()
        } else if has_ending("pdf") {
            self.to_pdf()
        } else {
            return Err(Error::setting("output", format!("must end in .svg or .pdf, got {}", path.display())));
        };
        write_file(path, |file| file.write_all(&bytes))
    }
}

/// A scene's part of a figure.
struct VectorPart {
    /// The finished frame, with all marks.
    frame: Frame,
    marks: Vec<VectorMark>,
    place: PicturePlace,
    content: PartContent,
    report: RenderReport,
    /// Why the scene is a picture, if it is one.
    reason: Option<String>,
}

enum PartContent {
    /// In pixels of the scene's picture.
    Shapes(Vec<VectorMark>),
    /// The picture without marks.
    Pixels(Frame),
}

impl VectorPart {
    fn new(loaded: &LoadedScene<'_>, renderer: &mut Renderer) -> Result<Self> {
        let LoadedScene { scene, figure, .. } = loaded;
        let mut frame = Frame::new(1, 1, Srgba8::TRANSPARENT)?;
        let statistics = renderer.render(scene, &mut frame)?;
        figure.draw_density(&mut frame);
        let shapes = match scene {
            _ if figure.density.is_some() => Err("it is a density".to_owned()),
            Scene::Circles(scene) => marks_of_canvas(scene),
            Scene::Spheres(scene) => marks_of_spheres(scene),
        };
        let (content, reason) = match shapes {
            Ok(shapes) => (PartContent::Shapes(shapes), None),
            Err(reason) => (PartContent::Pixels(frame.clone()), Some(reason)),
        };
        let mut marks = Vec::new();
        let budget = renderer.budget();
        let drawn = figure.draw_recorded(&|scene| renderer.depths(scene), budget, scene, &mut frame, &mut marks)?;
        let report = RenderReport::new(statistics, drawn);
        Ok(Self { frame, marks, place: drawn.place, content, report, reason })
    }

    /// Adds the scene and its marks to a picture, at this place.
    fn push(self, picture: &mut VectorPicture, [left, top]: [u32; 2]) -> Result<()> {
        let PicturePlace { offset, corner, size, .. } = self.place;
        let moved = [left, top].map(f64::from);
        let corner_on_page = [0, 1].map(|axis| moved[axis] + f64::from(corner[axis]));
        let shift = |marks: &mut Vec<VectorMark>, by: [f64; 2]| marks.iter_mut().for_each(|mark| mark.shift(by));
        match self.content {
            PartContent::Shapes(mut shapes) => {
                #[expect(clippy::cast_precision_loss, reason = "pixels of a picture")]
                shift(&mut shapes, [0, 1].map(|axis| moved[axis] + offset[axis] as f64));
                let end = [0, 1].map(|axis| corner_on_page[axis] + f64::from(size[axis]));
                picture.push_marks(shapes, Some([corner_on_page, end]));
            }
            PartContent::Pixels(frame) => {
                let cut = [0, 1].map(|axis| u32::try_from(i64::from(corner[axis]) - offset[axis]).unwrap_or_default());
                picture.push_pixels(frame.cropped(cut, size.into())?, corner_on_page);
            }
        }
        let mut marks = self.marks;
        shift(&mut marks, moved);
        picture.push_marks(marks, None);
        Ok(())
    }
}

/// An empty page for a finished frame.
fn page(frame: &Frame, figure: &Figure, background: Srgba8) -> VectorPicture {
    let picture = VectorPicture::new((frame.width(), frame.height()), background);
    let width =
        figure.print.millimeters.or_else(|| figure.dpi().map(|dpi| f64::from(frame.width()) / f64::from(dpi) * 25.4));
    match width {
        Some(width) => picture.with_width(width),
        None => picture,
    }
}

/// A figure that is a picture as a whole, because layers over a translucent background would cover it twice.
fn whole_picture(frame: Frame, figure: &Figure, report: RenderReport) -> VectorFigure {
    let size = (frame.width(), frame.height());
    let mut picture = page(&frame, figure, Srgba8::TRANSPARENT);
    picture.push_pixels(frame, [0.0; 2]);
    let note = "the whole figure is a picture inside of the file: its background is translucent".to_owned();
    VectorFigure { picture, size, report, notes: vec![note] }
}

fn is_translucent(background: Srgba8) -> bool {
    background.a > 0 && background.a < u8::MAX
}

impl LoadedScene<'_> {
    /// Draws the scene and its figure as shapes, for SVG and PDF files.
    ///
    /// # Errors
    /// As [`LoadedScene::draw`].
    pub fn draw_vectors(&self, renderer: &mut Renderer) -> Result<VectorFigure> {
        let background = Figure::background(&self.scene);
        let part = VectorPart::new(self, renderer)?;
        let report = part.report;
        if is_translucent(background) {
            return Ok(whole_picture(part.frame, &self.figure, report));
        }
        let mut picture = page(&part.frame, &self.figure, background);
        let size = (part.frame.width(), part.frame.height());
        let notes = part.reason.iter().map(|reason| format!("the scene is a picture inside of the figure: {reason}"));
        let notes = notes.collect();
        part.push(&mut picture, [0; 2])?;
        Ok(VectorFigure { picture, size, report, notes })
    }
}

impl SceneGrid {
    /// Draws all panels and the marks around them as shapes, for SVG and PDF files.
    ///
    /// # Errors
    /// As [`SceneGrid::draw`].
    pub fn draw_vectors(&self, renderer: &mut Renderer) -> Result<VectorFigure> {
        let parts = self.panels.iter().map(|panel| VectorPart::new(panel, renderer)).collect::<Result<Vec<_>>>()?;
        let mut report = RenderReport::default();
        parts.iter().for_each(|part| report.add(&part.report));
        let Some(first) = self.panels.first() else { return Err(Error::setting("grid", "has no panels")) };
        let scene = &first.scene;
        let drawn: Vec<(Frame, &str)> =
            parts.iter().zip(&self.captions).map(|(part, caption)| (part.frame.clone(), caption.as_str())).collect();
        let mut marks = Vec::new();
        let mut frame = self.figure.composed(scene, &self.layout, &drawn, Some(&mut marks))?;
        let panel_size = drawn.first().map_or((0, 0), |(frame, _)| (frame.width(), frame.height()));
        let place = self.figure.draw_beside_recorded(renderer.budget(), scene, &mut frame, &mut marks)?;
        report.legend_covers = place.is_covered;
        let background = Figure::background(scene);
        if is_translucent(background) {
            return Ok(whole_picture(frame, &self.figure, report));
        }
        let mut picture = page(&frame, &self.figure, background);
        let mut notes: Vec<String> = Vec::new();
        for reason in parts.iter().filter_map(|part| part.reason.as_ref()) {
            let note = format!("panels are pictures inside of the figure: {reason}");
            if !notes.contains(&note) {
                notes.push(note);
            }
        }
        let places = self.layout.places(panel_size, parts.len());
        for (part, [x, y]) in parts.into_iter().zip(places) {
            let [left, top] = place.corner;
            part.push(&mut picture, [left + x, top + y])?;
        }
        picture.push_marks(marks, None);
        let size = (frame.width(), frame.height());
        Ok(VectorFigure { picture, size, report, notes })
    }
}
