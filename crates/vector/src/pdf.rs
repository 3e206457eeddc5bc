//! Writes PDF 1.7: one page, RGB, no fonts or Helvetica alone, deterministic.

use std::collections::BTreeMap;
use std::io::Write;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use pdf_writer::types::{LineCapStyle, LineJoinStyle, TextRenderingMode};
use pdf_writer::{Content, Filter, Finish, Name, Pdf, Rect, Ref, Str, TextStr};
use roundel_image::{Frame, Srgba8};
use roundel_scene::figure::paper::{CurveStep, VectorMark, VectorPath, VectorShape, VectorText};

use crate::Point;
use crate::helvetica::encoded;
use crate::picture::{VectorLayer, VectorPicture};
use crate::svg::is_stroked;

/// Points per millimetre, and per pixel of 1/96 inch.
const PER_MILLIMETER: f64 = 72.0 / 25.4;
const PER_PIXEL: f64 = 0.75;

/// The font of texts that are written as text: every reader of PDF has it.
pub const PDF_FONT: &str = "Helvetica";

const FONT_NAME: Name<'_> = Name(b"F0");

impl VectorPicture {
    /// The picture as a PDF whose page is the picture.
    #[must_use]
    pub fn to_pdf(&self) -> Vec<u8> {
        let scale = self.millimeters.map_or(PER_PIXEL, |millimeters| millimeters * PER_MILLIMETER);
        let [width, height] = self.size.map(|side| single(side * scale));
        let mut page = PdfPage {
            content: Content::new(),
            images: Vec::new(),
            alphas: BTreeMap::new(),
            color: [None; 2],
            has_round_ends: false,
            has_text: self.font.as_deref() == Some(PDF_FONT),
            uses_font: false,
        };
        // content is in pixels, y down
        page.content.transform([single(scale), 0.0, 0.0, -single(scale), 0.0, height]);
        if self.background.a > 0 {
            let rectangle = VectorShape::Rectangle { min: [0.0; 2], max: self.size };
            page.mark(&VectorMark { shape: rectangle, color: self.background });
        }
        for layer in &self.layers {
            match layer {
                VectorLayer::Pixels { frame, corner } => page.pixels(frame, *corner),
                VectorLayer::Marks { marks, clip } => page.marks(marks, *clip),
            }
        }
        page.finish([width, height])
    }
}

/// The content of a page, and the pictures and graphics states to which it refers.
struct PdfPage<'a> {
    content: Content,
    images: Vec<&'a Frame>,
    /// Whether each alpha occurs.
    alphas: BTreeMap<u8, String>,
    /// The colour in use, for fills and for strokes.
    color: [Option<Srgba8>; 2],
    has_round_ends: bool,
    /// Whether texts are written as text.
    has_text: bool,
    /// Whether one is.
    uses_font: bool,
}

impl<'a> PdfPage<'a> {
    fn marks(&mut self, marks: &[VectorMark], clip: Option<[Point; 2]>) {
        self.content.save_state();
        if let Some([min, max]) = clip {
            self.rectangle(min, max);
            self.content.clip_nonzero().end_path();
        }
        for mark in marks {
            self.mark(mark);
        }
        self.content.restore_state();
        (self.color, self.has_round_ends) = ([None; 2], false);
    }

    fn mark(&mut self, mark: &VectorMark) {
        if mark.color.a == 0 {
            return;
        }
        self.ink(mark.color, is_stroked(mark));
        match &mark.shape {
            VectorShape::Ellipse { center, radii } => self.ellipse(*center, *radii),
            VectorShape::Ring { center, radius, width } => {
                self.content.set_line_width(rounded(*width));
                self.ellipse(*center, [*radius; 2]);
            }
            VectorShape::Rectangle { min, max } => self.rectangle(*min, *max),
            VectorShape::Line { from, to, width } => {
                self.content.set_line_width(rounded(*width));
                self.step(&CurveStep::Move(*from));
                self.step(&CurveStep::Line(*to));
            }
            VectorShape::Inside(path) => self.path(path),
            VectorShape::Along { path, width } => {
                self.content.set_line_width(rounded(*width));
                self.path(path);
            }
            VectorShape::Text(text) => {
                if self.has_text && self.line_of_text(text) {
                    return;
                }
                self.line_width(text.pen);
                self.path(&text.path);
            }
        }
        if is_stroked(mark) {
            self.content.stroke();
        } else {
            self.content.fill_nonzero();
        }
    }

    /// Writes a text in Helvetica, stretched to its length in the bundled font; `false` if Helvetica lacks a letter.
    fn line_of_text(&mut self, text: &VectorText) -> bool {
        let Some((bytes, ems)) = encoded(&text.words) else { return false };
        if bytes.is_empty() {
            return true;
        }
        let [across, down] = text.along;
        // letters stand upright on a page whose y goes down
        let matrix = [across, down, down, -across, text.start[0], text.start[1]].map(rounded);
        self.content.begin_text().set_font(FONT_NAME, rounded(text.size)).set_text_matrix(matrix);
        self.content.set_horizontal_scaling(rounded(100.0 * text.length / (ems * text.size)));
        let mode = if text.pen.is_some() { TextRenderingMode::Stroke } else { TextRenderingMode::Fill };
        self.line_width(text.pen);
        self.content.set_text_rendering_mode(mode).show(Str(&bytes)).end_text();
        self.uses_font = true;
        true
    }

    fn line_width(&mut self, width: Option<f64>) {
        if let Some(width) = width {
            self.content.set_line_width(rounded(width));
        }
    }

    /// Sets colour and opacity.
    fn ink(&mut self, color: Srgba8, is_stroke: bool) {
        if is_stroke && !self.has_round_ends {
            self.content.set_line_cap(LineCapStyle::RoundCap).set_line_join(LineJoinStyle::RoundJoin);
            self.has_round_ends = true;
        }
        let last = &mut self.color[usize::from(is_stroke)];
        if *last == Some(color) {
            return;
        }
        let [r, g, b] = [color.r, color.g, color.b].map(|channel| rounded(f64::from(channel) / 255.0));
        if is_stroke {
            self.content.set_stroke_rgb(r, g, b);
        } else {
            self.content.set_fill_rgb(r, g, b);
        }
        *last = Some(color);
        // opacity is one for both
        self.color[usize::from(!is_stroke)] = None;
        let name = self.alphas.entry(color.a).or_insert_with(|| format!("A{}", color.a));
        self.content.set_parameters(Name(name.as_bytes()));
    }

    fn rectangle(&mut self, min: Point, max: Point) {
        self.content.rect(rounded(min[0]), rounded(min[1]), rounded(max[0] - min[0]), rounded(max[1] - min[1]));
    }

    fn ellipse(&mut self, center: Point, radii: [f64; 2]) {
        self.path(&VectorPath::ellipse(center, radii, true));
    }

    fn path(&mut self, path: &VectorPath) {
        path.0.iter().for_each(|step| self.step(step));
    }

    fn step(&mut self, step: &CurveStep) {
        match *step {
            CurveStep::Move([x, y]) => self.content.move_to(rounded(x), rounded(y)),
            CurveStep::Line([x, y]) => self.content.line_to(rounded(x), rounded(y)),
            CurveStep::Curve([a, b, c]) => {
                let [a, b, c] = [a, b, c].map(|point| point.map(rounded));
                self.content.cubic_to(a[0], a[1], b[0], b[1], c[0], c[1])
            }
            CurveStep::Close => self.content.close_path(),
        };
    }

    fn pixels(&mut self, frame: &'a Frame, [x, y]: Point) {
        let (width, height) = (f64::from(frame.width()), f64::from(frame.height()));
        self.content.save_state();
        // images fill the unit square, the first row on top
        self.content.transform([single(width), 0.0, 0.0, -single(height), single(x), single(y + height)]);
        self.content.x_object(Name(image_name(self.images.len()).as_bytes()));
        self.content.restore_state();
        self.images.push(frame);
    }

    fn finish(self, [width, height]: [f32; 2]) -> Vec<u8> {
        let [catalog, info, pages, page_number, content] = [1, 2, 3, 4, 5].map(Ref::new);
        let mut next = 6;
        let mut number = || {
            next += 1;
            Ref::new(next - 1)
        };
        let mut pdf = Pdf::new();
        // first, where a check of the file's kind finds it
        pdf.document_info(info).producer(TextStr("roundel"));
        pdf.catalog(catalog).pages(pages);
        pdf.pages(pages).kids([page_number]).count(1);
        let states: Vec<(&str, Ref)> = self.alphas.values().map(|name| (name.as_str(), number())).collect();
        let images: Vec<(String, Ref, Ref)> =
            (0..self.images.len()).map(|index| (image_name(index), number(), number())).collect();
        let font = self.uses_font.then(&mut number);
        let mut page = pdf.page(page_number);
        page.media_box(Rect::new(0.0, 0.0, width, height)).parent(pages).contents(content);
        page.group().transparency().isolated(true).color_space().device_rgb();
        let mut resources = page.resources();
        resources.ext_g_states().pairs(states.iter().map(|(name, number)| (Name(name.as_bytes()), *number)));
        resources.x_objects().pairs(images.iter().map(|(name, number, _)| (Name(name.as_bytes()), *number)));
        if let Some(font) = font {
            resources.fonts().pair(FONT_NAME, font);
        }
        resources.finish();
        page.finish();
        if let Some(font) = font {
            let encoding = Name(b"WinAnsiEncoding");
            pdf.type1_font(font).base_font(Name(PDF_FONT.as_bytes())).encoding_predefined(encoding);
        }
        for ((_, number), alpha) in states.iter().zip(self.alphas.keys()) {
            let alpha = rounded(f64::from(*alpha) / 255.0);
            pdf.ext_graphics(*number).non_stroking_alpha(alpha).stroking_alpha(alpha);
        }
        for ((_, number, mask), frame) in images.into_iter().zip(&self.images) {
            write_image(&mut pdf, frame, number, mask);
        }
        pdf.stream(content, &compressed(&self.content.finish())).filter(Filter::FlateDecode);
        pdf.finish()
    }
}

fn image_name(index: usize) -> String {
    format!("I{index}")
}

/// Writes an image, and its alpha as a mask if it is not opaque.
fn write_image(pdf: &mut Pdf, frame: &Frame, number: Ref, mask: Ref) {
    let [width, height] = [frame.width(), frame.height()].map(u32::cast_signed);
    let colors = compressed(&frame.to_rgb_bytes());
    let mut image = pdf.image_xobject(number, &colors);
    image.width(width).height(height).bits_per_component(8).filter(Filter::FlateDecode);
    image.color_space().device_rgb();
    if frame.is_opaque() {
        return;
    }
    image.s_mask(mask);
    image.finish();
    let alphas: Vec<u8> = frame.pixels().iter().map(|pixel| pixel.a).collect();
    let alphas = compressed(&alphas);
    let mut image = pdf.image_xobject(mask, &alphas);
    image.width(width).height(height).bits_per_component(8).filter(Filter::FlateDecode);
    image.color_space().device_gray();
}

fn compressed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).expect("memory can be written to")
}

/// A number with three decimals at most.
fn rounded(number: f64) -> f32 {
    const FAR: f64 = 1e6;
    single(libm::round(number.clamp(-FAR, FAR) * 1000.0) / 1000.0)
}

#[expect(clippy::cast_possible_truncation, reason = "rounds; what is far outside of a page becomes infinite")]
fn single(number: f64) -> f32 {
    number as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_as_wide_as_the_figure() {
        let mut picture = VectorPicture::new((1004, 502), Srgba8::WHITE).with_width(85.0);
        let shape = VectorShape::Line { from: [1.0, 1.0], to: [5.0, 5.0], width: 2.0 };
        picture.push_marks(vec![VectorMark { shape, color: Srgba8::BLACK.with_alpha(128) }], None);
        picture.push_pixels(Frame::new(2, 2, Srgba8::BLACK.with_alpha(9)).expect("small"), [1.0, 1.0]);
        let pdf = picture.to_pdf();
        let text = String::from_utf8_lossy(&pdf);
        assert!(text.contains("/MediaBox [0 0 240.9448"), "{text}");
        assert!(text.contains("/SMask") && text.contains("/CA 0.502") && !text.contains("/Font"), "{text}");
        assert_eq!(pdf, picture.to_pdf());
        let head = &pdf[..200];
        assert!(head.windows(19).any(|part| part == b"/Producer (roundel)"), "where its kind is looked for");
    }
}
