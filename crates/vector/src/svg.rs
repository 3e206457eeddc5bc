//! Writes SVG 1.1.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use roundel_image::Srgba8;
use roundel_scene::figure::paper::{CurveStep, VectorMark, VectorPath, VectorShape, VectorText};

use crate::picture::{VectorLayer, VectorPicture};

impl VectorPicture {
    /// The picture as an SVG: text in UTF-8.
    #[must_use]
    pub fn to_svg(&self) -> Vec<u8> {
        let [width, height] = self.size;
        let mut svg = SvgText { bytes: Vec::new(), font: self.font.as_deref() };
        svg.text("<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\"");
        let (per_pixel, unit) = self.millimeters.map_or((1.0, ""), |millimeters| (millimeters, "mm"));
        for (name, length) in [("width", width), ("height", height)] {
            svg.text(" ").text(name).text("=\"").number(length * per_pixel).text(unit).text("\"");
        }
        svg.attribute("viewBox", &[0.0, 0.0, width, height]);
        svg.text(">\n<!-- roundel -->\n");
        if self.background.a > 0 {
            svg.text("<rect").attribute("width", &[width]).attribute("height", &[height]).fill(self.background);
            svg.text("/>\n");
        }
        for (number, layer) in self.layers.iter().enumerate() {
            match layer {
                VectorLayer::Pixels { frame, corner } => {
                    let (width, height) = (f64::from(frame.width()), f64::from(frame.height()));
                    svg.text("<image").attribute("x", &[corner[0]]).attribute("y", &[corner[1]]);
                    svg.attribute("width", &[width]).attribute("height", &[height]);
                    svg.text(" xlink:href=\"data:image/png;base64,");
                    svg.text(&STANDARD.encode(frame.encode_png())).text("\"/>\n");
                }
                VectorLayer::Marks { marks, clip } => {
                    if let Some([min, max]) = clip {
                        let name = number.to_string();
                        svg.text("<clipPath id=\"c").text(&name).text("\"><rect");
                        svg.attribute("x", &[min[0]]).attribute("y", &[min[1]]);
                        svg.attribute("width", &[max[0] - min[0]]).attribute("height", &[max[1] - min[1]]);
                        svg.text("/></clipPath>\n<g clip-path=\"url(#c").text(&name).text(")\">\n");
                    }
                    svg.marks(marks);
                    if clip.is_some() {
                        svg.text("</g>\n");
                    }
                }
            }
        }
        svg.text("</svg>\n");
        svg.bytes
    }
}

struct SvgText<'a> {
    bytes: Vec<u8>,
    /// The font of texts, unless they are outlines.
    font: Option<&'a str>,
}

impl SvgText<'_> {
    fn text(&mut self, text: &str) -> &mut Self {
        self.bytes.extend_from_slice(text.as_bytes());
        self
    }

    /// Writes shapes, each run of one colour as a group.
    fn marks(&mut self, marks: &[VectorMark]) {
        for run in marks.chunk_by(|a, b| a.color == b.color && is_stroked(a) == is_stroked(b)) {
            let color = run[0].color;
            if color.a == 0 {
                continue;
            }
            let is_group = run.len() > 1;
            if is_group {
                self.text("<g").ink(color, &run[0]).text(">\n");
            }
            for mark in run {
                self.mark(mark, !is_group);
            }
            if is_group {
                self.text("</g>\n");
            }
        }
    }

    fn mark(&mut self, mark: &VectorMark, has_ink: bool) {
        match &mark.shape {
            VectorShape::Ellipse { center, radii } if radii[0] == radii[1] => self.circle(*center, radii[0]),
            VectorShape::Ellipse { center: [x, y], radii } => self
                .text("<ellipse")
                .attribute("cx", &[*x])
                .attribute("cy", &[*y])
                .attribute("rx", &[radii[0]])
                .attribute("ry", &[radii[1]]),
            VectorShape::Ring { center, radius, width } => {
                self.circle(*center, *radius).attribute("stroke-width", &[*width])
            }
            VectorShape::Rectangle { min, max } => self
                .text("<rect")
                .attribute("x", &[min[0]])
                .attribute("y", &[min[1]])
                .attribute("width", &[max[0] - min[0]])
                .attribute("height", &[max[1] - min[1]]),
            VectorShape::Line { from, to, width } => {
                self.text("<path d=\"");
                self.point('M', *from);
                self.point('L', *to);
                self.text("\"").attribute("stroke-width", &[*width])
            }
            VectorShape::Inside(path) => self.path(path),
            VectorShape::Along { path, width } => self.path(path).attribute("stroke-width", &[*width]),
            VectorShape::Text(text) if self.font.is_some() => return self.line_of_text(text, mark, has_ink),
            VectorShape::Text(VectorText { path, pen: Some(width), .. }) => {
                self.path(path).attribute("stroke-width", &[*width])
            }
            VectorShape::Text(VectorText { path, .. }) => self.path(path),
        };
        if has_ink {
            self.ink(mark.color, mark);
        }
        self.text("/>\n");
    }

    /// Writes a text in the picture's font, as long as in the bundled one.
    fn line_of_text(&mut self, text: &VectorText, mark: &VectorMark, has_ink: bool) {
        let VectorText { words, start, along, size, length, pen, .. } = text;
        self.text("<text");
        if *along == [1.0, 0.0] {
            self.attribute("x", &[start[0]]).attribute("y", &[start[1]]);
        } else {
            self.text(" transform=\"matrix(");
            for number in [along[0], along[1], -along[1], along[0], start[0], start[1]] {
                self.number(number).text(" ");
            }
            self.text(")\"");
        }
        let font = escaped(self.font.unwrap_or_default());
        self.text(" font-family=\"").text(&font).text("\"").attribute("font-size", &[*size]);
        self.attribute("textLength", &[*length]);
        if let Some(width) = pen {
            self.attribute("stroke-width", &[*width]);
        }
        if has_ink {
            self.ink(mark.color, mark);
        }
        self.text(" xml:space=\"preserve\">").text(&escaped(words)).text("</text>\n");
    }

    fn circle(&mut self, [x, y]: [f64; 2], radius: f64) -> &mut Self {
        self.text("<circle").attribute("cx", &[x]).attribute("cy", &[y]).attribute("r", &[radius])
    }

    /// Writes a path; curves and lines relative to the point before, which takes fewer digits.
    fn path(&mut self, path: &VectorPath) -> &mut Self {
        self.text("<path d=\"");
        let (mut start, mut at) = ([0; 2], [0; 2]);
        for step in &path.0 {
            match step {
                CurveStep::Move(to) => {
                    self.point('M', *to);
                    at = to.map(thousandths);
                    start = at;
                }
                CurveStep::Line(to) => self.relative('l', &[*to], &mut at),
                CurveStep::Curve(points) => self.relative('c', points, &mut at),
                CurveStep::Close => {
                    self.bytes.push(b'z');
                    at = start;
                }
            }
        }
        self.text("\"")
    }

    /// Writes points relative to `at`, which moves to the last one. Differences of rounded places do not add up to errors.
    fn relative(&mut self, letter: char, points: &[[f64; 2]], at: &mut [i64; 2]) {
        self.text(letter.encode_utf8(&mut [0; 4]));
        let mut last = *at;
        let mut is_first = true;
        for place in points {
            let place = place.map(thousandths);
            for (value, from) in place.into_iter().zip(*at) {
                // a sign separates numbers
                if !is_first && value >= from {
                    self.bytes.push(b' ');
                }
                self.thousandths(value - from);
                is_first = false;
            }
            last = place;
        }
        *at = last;
    }

    fn point(&mut self, letter: char, [x, y]: [f64; 2]) {
        self.text(letter.encode_utf8(&mut [0; 4])).number(x).text(" ").number(y);
    }

    fn attribute(&mut self, name: &str, numbers: &[f64]) -> &mut Self {
        self.text(" ").text(name).text("=\"");
        for (index, number) in numbers.iter().enumerate() {
            self.text(if index > 0 { " " } else { "" }).number(*number);
        }
        self.text("\"")
    }

    /// The colour of a mark, as a fill or as a stroke.
    fn ink(&mut self, color: Srgba8, mark: &VectorMark) -> &mut Self {
        if !is_stroked(mark) {
            return self.fill(color);
        }
        self.text(" fill=\"none\"").paint("stroke", color).text(" stroke-linecap=\"round\" stroke-linejoin=\"round\"")
    }

    fn fill(&mut self, color: Srgba8) -> &mut Self {
        self.paint("fill", color)
    }

    fn paint(&mut self, name: &str, color: Srgba8) -> &mut Self {
        let Srgba8 { r, g, b, a } = color;
        self.text(&format!(" {name}=\"#{r:02x}{g:02x}{b:02x}\""));
        if a < u8::MAX {
            self.attribute(&format!("{name}-opacity"), &[f64::from(a) / 255.0]);
        }
        self
    }

    /// A number with three decimals at most: a thousandth of a pixel shows at no resolution.
    fn number(&mut self, number: f64) -> &mut Self {
        self.thousandths(thousandths(number))
    }

    #[expect(clippy::cast_possible_truncation, reason = "a digit")]
    fn thousandths(&mut self, number: i64) -> &mut Self {
        if number < 0 {
            self.text("-");
        }
        let (whole, mut rest) = (number.unsigned_abs() / 1000, number.unsigned_abs() % 1000);
        if whole > 0 || rest == 0 {
            self.text(&whole.to_string());
        }
        if rest > 0 {
            self.text(".");
        }
        while rest > 0 {
            self.bytes.push(b'0' + (rest / 100) as u8);
            rest = rest % 100 * 10;
        }
        self
    }
}

/// A number in thousandths, rounded.
#[expect(clippy::cast_possible_truncation, reason = "clamped")]
fn thousandths(number: f64) -> i64 {
    const FAR: f64 = 1e9;
    libm::round(number.clamp(-FAR, FAR) * 1000.0) as i64
}

/// A text with the characters that XML reserves as entities.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Whether a mark is the path of a pen.
pub(crate) fn is_stroked(mark: &VectorMark) -> bool {
    match &mark.shape {
        VectorShape::Ring { .. } | VectorShape::Line { .. } | VectorShape::Along { .. } => true,
        VectorShape::Text(text) => text.pen.is_some(),
        VectorShape::Ellipse { .. } | VectorShape::Rectangle { .. } | VectorShape::Inside(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(marks: Vec<VectorMark>) -> String {
        let mut picture = VectorPicture::new((10, 10), Srgba8::TRANSPARENT);
        picture.push_marks(marks, None);
        String::from_utf8(picture.to_svg()).expect("text")
    }

    #[test]
    fn numbers_have_three_decimals_at_most() {
        let mut svg = SvgText { bytes: Vec::new(), font: None };
        for number in [0.0, -0.0, 1.0, -0.5, 12.3456, 1e-9, -7.0005, 100.01] {
            svg.number(number).text(";");
        }
        assert_eq!(String::from_utf8(svg.bytes).expect("text"), "0;0;1;-.5;12.346;0;-7.001;100.01;");
    }

    #[test]
    fn paths_are_relative_and_come_back() {
        let steps = vec![
            CurveStep::Move([1.0, 2.0]),
            CurveStep::Line([3.5, 1.0]),
            CurveStep::Curve([[3.5, 1.25], [4.0, 2.0], [1.0, 3.0]]),
            CurveStep::Close,
        ];
        let shape = VectorShape::Inside(VectorPath(steps));
        let svg = text(vec![VectorMark { shape, color: Srgba8::BLACK.with_alpha(51) }]);
        let path = "<path d=\"M1 2l2.5-1c0 .25 .5 1-2.5 2z\" fill=\"#000000\" fill-opacity=\".2\"/>";
        assert!(svg.contains(path), "{svg}");
    }

    #[test]
    fn texts_are_text_on_request() {
        let text = VectorText {
            words: "R&D <5".to_owned(),
            start: [1.0, 9.0],
            along: [0.0, -1.0],
            size: 8.0,
            length: 30.5,
            path: VectorPath(vec![CurveStep::Move([1.0, 1.0])]),
            pen: None,
        };
        let mut picture = VectorPicture::new((10, 10), Srgba8::TRANSPARENT);
        picture.push_marks(vec![VectorMark { shape: VectorShape::Text(text), color: Srgba8::BLACK }], None);
        let outlines = String::from_utf8(picture.to_svg()).expect("text");
        assert!(outlines.contains("<path d=\"M1 1\"") && !outlines.contains("<text"), "{outlines}");
        let written = String::from_utf8(picture.with_text_in("\"Open Sans\", serif").to_svg()).expect("text");
        for part in [
            "<text transform=\"matrix(0 -1 1 0 1 9 )\" font-family=\"&quot;Open Sans&quot;, serif\"",
            "textLength=\"30.5\"",
            ">R&amp;D &lt;5</text>",
        ] {
            assert!(written.contains(part), "{written}");
        }
    }

    #[test]
    fn invisible_shapes_are_left_out() {
        let shape = VectorShape::Rectangle { min: [0.0; 2], max: [1.0; 2] };
        let svg = text(vec![VectorMark { shape, color: Srgba8::TRANSPARENT }]);
        assert!(!svg.contains("<rect"), "{svg}");
    }
}
