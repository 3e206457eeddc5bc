//! Circles and ellipses of SVG pictures, with styles, groups and transforms applied.
//!
//! The crate `usvg` resolves these, and turns every shape into a path. A path that goes once around an ellipse becomes
//! an ellipse, whether it was written as `circle`, `ellipse`, arcs or curves. Everything else is counted and left out.

use std::collections::BTreeSet;

use usvg::roxmltree::{self, Document, ParsingOptions};
use usvg::tiny_skia_path::{Path as Outline, PathSegment, Point, Transform};
use usvg::{BlendMode, Fill, Group, Node, Options, Paint, PaintOrder, Path, Tree};

use super::guard::guarded;
use super::svg_size::{Elements, MOST_ATTRIBUTES, check_strokes, most_attributes};
pub(crate) use super::svg_size::{SvgSize, expanded_bytes};
use crate::color::Srgba8;
use crate::scene::circles::{Layer, PaintedCircle, PaintedEllipse, Stroke, Style};

/// Tolerance for the points of an ellipse, relative to its squared radii: cubic Bézier curves are within 6e-4.
const ROUND: f64 = 2e-3;

/// Tolerance for axes of an ellipse that lean, relative to its squared radii: less than any pixel shows.
const LEANING: f64 = 1e-4;

/// The shapes of a picture, its size and its background.
#[derive(Debug, Default)]
pub(crate) struct SvgPicture {
    /// In pixels.
    pub(crate) size: [f32; 2],
    /// The colour of a rectangle that fills the picture below everything else.
    pub(crate) background: Option<Srgba8>,
    pub(crate) layers: Vec<Layer<'static>>,
    /// One sentence for each kind of content that is not drawn as in the file; the file's name comes before it.
    pub(crate) notes: Vec<String>,
}

/// Whether a text is SVG: its first element is `svg`.
pub(super) fn sniff(text: &str) -> bool {
    let mut rest = text.trim_start();
    loop {
        let end = if rest.starts_with("<?") {
            "?>"
        } else if rest.starts_with("<!--") {
            "-->"
        } else if rest.starts_with("<!DOCTYPE svg") {
            return true;
        } else {
            let name = rest.strip_prefix('<').map(|rest| rest.split([' ', '\n', '\r', '\t', '>', '/']).next());
            return name.flatten().is_some_and(|name| name == "svg" || name.ends_with(":svg"));
        };
        let Some((_, after)) = rest.split_once(end) else { return false };
        rest = after.trim_start();
    }
}

/// A mistake in a picture: its line, if known, and the message.
pub(crate) type Mistake = (Option<u64>, String);

pub(crate) fn read(text: &str, check: impl FnOnce(SvgSize) -> crate::error::Result<()>) -> Result<SvgPicture, Refused> {
    if most_attributes(text) > MOST_ATTRIBUTES {
        return Err(Refused::Mistake((None, format!("an element has more than {MOST_ATTRIBUTES} attributes"))));
    }
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    let document = Document::parse_with_options(text, options).map_err(|error| {
        let message = error.to_string();
        // drop the place at the end of the message
        let what = message.rsplit_once(" at ").map_or(message.as_str(), |(what, _)| what);
        Refused::Mistake((Some(u64::from(error.pos().row)), format!("not an SVG picture: {what}")))
    })?;
    let mistake = |message: String| Refused::Mistake((None, message));
    let size = Elements::new(&document).and_then(Elements::size).map_err(mistake)?;
    check(size).map_err(Refused::Budget)?;
    check_strokes(&document).map_err(Refused::Mistake)?;
    let mut options = Options::default();
    // open no other file, and decode no embedded picture
    options.image_href_resolver.resolve_data = Box::new(|_, _, _| None);
    options.image_href_resolver.resolve_string = Box::new(|_, _| None);
    let parse = || Tree::from_xmltree(&document, &options).map_err(|error| error.to_string());
    let tree = guarded(parse).map_err(mistake)?;
    let size = [tree.size().width(), tree.size().height()];
    let ids = document.descendants().filter_map(|element| element.attribute("id")).collect();
    let mut reader =
        SvgReader { picture: SvgPicture { size, ..SvgPicture::default() }, counts: Counts::default(), ids };
    reader.group(tree.root(), 1.0, Clip::default());
    reader.counts.add_unread(&document);
    let SvgReader { mut picture, counts, .. } = reader;
    picture.notes = counts.notes();
    Ok(picture)
}

/// The reason why a picture is not read.
pub(crate) enum Refused {
    Mistake(Mistake),
    Budget(crate::error::Error),
}

/// Counts of content that is left out or drawn differently.
#[derive(Debug, Default)]
struct Counts {
    paths: u64,
    turned: u64,
    painted: u64,
    dashed: u64,
    texts: u64,
    images: u64,
    uneven: u64,
    cut: u64,
    /// Shapes cut by a nested viewport.
    cropped: u64,
    /// Shapes that ask for edges without antialiasing.
    hard: u64,
    faded: u64,
    effects: u64,
}

impl Counts {
    /// Counts text and images, which `usvg` does not report here.
    fn add_unread(&mut self, document: &Document<'_>) {
        const ELSEWHERE: [&str; 6] = ["defs", "symbol", "clipPath", "mask", "pattern", "marker"];
        for element in document.descendants().filter(roxmltree::Node::is_element) {
            let count = match element.tag_name().name() {
                "text" => &mut self.texts,
                "image" | "foreignObject" => &mut self.images,
                _ => continue,
            };
            let is_drawn = !element.ancestors().any(|outer| ELSEWHERE.contains(&outer.tag_name().name()));
            *count += u64::from(is_drawn);
        }
    }

    fn notes(&self) -> Vec<String> {
        let sentence = |counts: &[(u64, &str, &str)]| {
            let of = |&(count, one, many): &(u64, &str, &str)| match count {
                0 => None,
                1 => Some(format!("1 {one}")),
                count => Some(format!("{count} {many}")),
            };
            let parts: Vec<String> = counts.iter().filter_map(of).collect();
            let (last, others) = parts.split_last()?;
            let all = if others.is_empty() { last.clone() } else { format!("{} and {last}", others.join(", ")) };
            let total: u64 = counts.iter().map(|(count, ..)| count).sum();
            Some((all, if total == 1 { "is" } else { "are" }))
        };
        let left_out = sentence(&[
            (self.paths, "path", "paths"),
            (self.texts, "text", "texts"),
            (self.images, "image", "images"),
            (self.turned, "turned ellipse", "turned ellipses"),
            (self.painted, "gradient or pattern", "gradients and patterns"),
            (self.dashed, "dashed outline", "dashed outlines"),
        ]);
        let cropped =
            sentence(&[(self.cropped, "shape that a nested viewport cuts", "shapes that nested viewports cut")]);
        let hard = sentence(&[(self.hard, "shape with shape-rendering", "shapes with shape-rendering")]);
        let cut = sentence(&[(self.cut, "shape that a clip path cuts", "shapes that clip paths cut")]);
        let faded = sentence(&[(self.faded, "group", "groups")]);
        let uneven = sentence(&[(self.uneven, "unevenly scaled outline", "unevenly scaled outlines")]);
        let effects = sentence(&[(self.effects, "mask, filter or blend mode", "masks, filters and blend modes")]);
        let notes = [
            left_out.map(|(what, are)| format!("{what} {are} left out; only circles and ellipses are drawn")),
            cropped.map(|(what, are)| format!("{what} {are} left out")),
            cut.map(|(what, are)| format!("{what} {are} drawn whole")),
            hard.map(|(what, are)| format!("{what} {are} drawn with smooth edges")),
            faded.map(|(what, are)| format!("{what} of shapes {are} translucent: each shape is drawn so by itself")),
            uneven.map(|(what, are)| format!("{what} {are} drawn with one width all around")),
            effects.map(|(what, are)| format!("{what} {are} not applied")),
        ];
        notes.into_iter().flatten().collect()
    }
}

/// Least and greatest corner, in pixels.
type ClipBox = [[f64; 2]; 2];

/// The rectangles that clip shapes; `None` without clipping.
#[derive(Clone, Copy, Debug, Default)]
struct Clip {
    /// Nested viewports alone.
    viewport: Option<ClipBox>,
    /// Viewports and clip paths.
    all: Option<ClipBox>,
}

impl Clip {
    /// Intersects these rectangles with another.
    fn with(self, corners: ClipBox, is_viewport: bool) -> Self {
        let cut = |outer: Option<ClipBox>| Some(outer.map_or(corners, |outer| common(outer, corners)));
        Self { viewport: if is_viewport { cut(self.viewport) } else { self.viewport }, all: cut(self.all) }
    }
}

/// Collects the shapes of a picture.
struct SvgReader<'a> {
    picture: SvgPicture,
    counts: Counts,
    /// The names of the file's elements; clip paths with other names come from nested viewports.
    ids: BTreeSet<&'a str>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Ellipse {
    center: [f64; 2],
    radii: [f64; 2],
}

impl SvgReader<'_> {
    /// Adds the shapes of a group with the opacity and the clip of its parents.
    fn group(&mut self, group: &Group, opacity: f32, clip: Clip) {
        let mut clip = clip;
        let mut is_cut = false;
        if let Some(path) = group.clip_path() {
            let transform = group.abs_transform().pre_concat(path.transform());
            match path.root().children() {
                [Node::Path(inner)] if path.clip_path().is_none() => match rectangle(inner, transform) {
                    Some(corners) => clip = clip.with(corners, !self.ids.contains(path.id())),
                    None => is_cut = true,
                },
                _ => is_cut = true,
            }
        }
        self.counts.effects += u64::from(group.mask().is_some()) + group.filters().len() as u64;
        self.counts.effects += u64::from(group.blend_mode() != BlendMode::Normal);
        let own = group.opacity().get();
        let merged = if own < 1.0 { as_one(group) } else { None };
        if own < 1.0 && merged.is_none() && shapes(group) > 1 {
            self.counts.faded += 1;
        }
        let before = self.shapes();
        if let Some(path) = merged {
            self.path(path, opacity * own, clip, true);
        } else {
            for node in group.children() {
                match node {
                    Node::Group(inner) => self.group(inner, opacity * own, clip),
                    Node::Path(path) => self.path(path, opacity * own, clip, false),
                    // `add_unread` counts these
                    Node::Image(_) | Node::Text(_) => {}
                }
            }
        }
        if is_cut {
            self.counts.cut += self.shapes() - before;
        }
    }

    fn shapes(&self) -> u64 {
        self.picture.layers.iter().map(|layer| layer.len() as u64).sum()
    }

    /// Adds a path; `as_one` draws outline and inside as one shape of one colour.
    fn path(&mut self, path: &Path, opacity: f32, clip: Clip, as_one: bool) {
        if !path.is_visible() || (path.fill().is_none() && path.stroke().is_none()) {
            return;
        }
        let Some(own) = ellipse(path.data()) else {
            if !self.is_background(path, opacity) {
                self.counts.paths += 1;
            }
            return;
        };
        let transform = path.abs_transform();
        let Some(ellipse) = own.transformed(transform) else {
            self.counts.turned += 1;
            return;
        };
        let scale =
            f64::from(transform.sx) * f64::from(transform.sy) - f64::from(transform.kx) * f64::from(transform.ky);
        let width = path.stroke().map_or(0.0, |stroke| f64::from(stroke.width().get()) * scale.abs().sqrt());
        self.counts.hard += u64::from(!path.rendering_mode().use_shape_antialiasing());
        if let Some(corners) = clip.all {
            let reach = [0, 1].map(|axis| ellipse.radii[axis] + 0.5 * width);
            let [least, most] = [-1.0, 1.0].map(|side| [0, 1].map(|axis| ellipse.center[axis] + side * reach[axis]));
            if (0..2).any(|axis| most[axis] <= corners[0][axis] || least[axis] >= corners[1][axis]) {
                return;
            }
            let is_inside =
                |[low, high]: ClipBox| (0..2).all(|axis| least[axis] >= low[axis] && most[axis] <= high[axis]);
            if clip.viewport.is_some_and(|viewport| !is_inside(viewport)) {
                self.counts.cropped += 1;
                return;
            }
            self.counts.cut += u64::from(!is_inside(corners));
        }
        if as_one {
            let radii = ellipse.radii.map(|radius| radius + 0.5 * width);
            return self.fill(path.fill(), Ellipse { radii, ..ellipse }, opacity);
        }
        if path.paint_order() == PaintOrder::StrokeAndFill {
            self.stroke(path, ellipse, width, opacity);
            self.fill(path.fill(), ellipse, opacity);
        } else {
            self.fill(path.fill(), ellipse, opacity);
            self.stroke(path, ellipse, width, opacity);
        }
    }

    fn fill(&mut self, fill: Option<&Fill>, ellipse: Ellipse, opacity: f32) {
        let Some(fill) = fill else { return };
        let Some(color) = self.color(fill.paint(), fill.opacity().get() * opacity) else { return };
        let (center, radii) = (single(ellipse.center), single(ellipse.radii));
        let layers = &mut self.picture.layers;
        if (ellipse.radii[0] - ellipse.radii[1]).abs() <= LEANING * ellipse.radii[0] {
            Layer::push_circle(layers, PaintedCircle { center, radius: radii[0], color });
        } else {
            Layer::push_ellipse(layers, PaintedEllipse { center, radii, style: Style::Fill, color });
        }
    }

    fn stroke(&mut self, path: &Path, ellipse: Ellipse, width: f64, opacity: f32) {
        let Some(stroke) = path.stroke() else { return };
        if stroke.dasharray().is_some() {
            self.counts.dashed += 1;
            return;
        }
        let Some(color) = self.color(stroke.paint(), stroke.opacity().get() * opacity) else { return };
        let unit = Ellipse { center: [0.0; 2], radii: [1.0; 2] };
        let even = unit.transformed(path.abs_transform());
        let is_even = even.is_some_and(|even| (even.radii[0] - even.radii[1]).abs() <= 1e-3 * even.radii[0]);
        self.counts.uneven += u64::from(!is_even);
        let [width, _] = single([width, 0.0]);
        let style = Style::Stroke(Stroke::new(width));
        let (center, radii) = (single(ellipse.center), single(ellipse.radii));
        Layer::push_ellipse(&mut self.picture.layers, PaintedEllipse { center, radii, style, color });
    }

    /// The colour of a paint, if it has a single one.
    fn color(&mut self, paint: &Paint, opacity: f32) -> Option<Srgba8> {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 255")]
        let a = (opacity * 255.0).clamp(0.0, 255.0).round() as u8;
        let Paint::Color(color) = paint else {
            self.counts.painted += 1;
            return None;
        };
        Some(Srgba8 { r: color.red, g: color.green, b: color.blue, a })
    }

    /// Whether a path is a rectangle of one colour that fills the picture below everything else. If so, it becomes the
    /// background.
    fn is_background(&mut self, path: &Path, opacity: f32) -> bool {
        let (Some(fill), None) = (path.fill(), path.stroke()) else { return false };
        let &Paint::Color(color) = fill.paint() else { return false };
        let opaque = fill.opacity().get() * opacity >= 1.0;
        let fills = rectangle(path, Transform::identity()).is_some_and(|[least, most]| {
            let size = self.picture.size.map(f64::from);
            (0..2).all(|axis| least[axis] <= 0.01 && most[axis] >= size[axis] - 0.01)
        });
        let is_background = opaque && fills && self.picture.layers.is_empty();
        if is_background {
            self.picture.background = Some(Srgba8::rgb(color.red, color.green, color.blue));
        }
        is_background
    }
}

/// The only path of a group, if its inside and its outline look like one opaque shape.
fn as_one(group: &Group) -> Option<&Path> {
    let [Node::Path(path)] = group.children() else { return None };
    let (fill, stroke) = (path.fill()?, path.stroke()?);
    let same = match (fill.paint(), stroke.paint()) {
        (Paint::Color(fill), Paint::Color(stroke)) => fill == stroke,
        _ => false,
    };
    let opaque = fill.opacity().get() >= 1.0 && stroke.opacity().get() >= 1.0;
    (same && opaque && stroke.dasharray().is_none()).then_some(path)
}

/// Counts fills and outlines.
fn shapes(group: &Group) -> u64 {
    let of = |node: &Node| match node {
        Node::Group(inner) => shapes(inner),
        Node::Path(path) => u64::from(path.fill().is_some()) + u64::from(path.stroke().is_some()),
        Node::Image(_) | Node::Text(_) => 0,
    };
    group.children().iter().map(of).sum()
}

fn common([least, most]: ClipBox, other: ClipBox) -> ClipBox {
    [[0, 1].map(|axis| least[axis].max(other[0][axis])), [0, 1].map(|axis| most[axis].min(other[1][axis]))]
}

/// The corners of a path that is an axis-aligned rectangle, in pixels.
fn rectangle(path: &Path, outer: Transform) -> Option<ClipBox> {
    let mut points = Vec::new();
    for segment in path.data().segments() {
        match segment {
            PathSegment::MoveTo(point) | PathSegment::LineTo(point) => points.push(point),
            PathSegment::Close => {}
            PathSegment::QuadTo(..) | PathSegment::CubicTo(..) => return None,
        }
    }
    let transform = outer.pre_concat(path.abs_transform());
    transform.map_points(&mut points);
    let points: Vec<[f64; 2]> = points.into_iter().map(pair).collect();
    let (first, rest) = points.split_first()?;
    let grow = |[least, most]: ClipBox, point: &[f64; 2]| {
        [[0, 1].map(|axis| least[axis].min(point[axis])), [0, 1].map(|axis| most[axis].max(point[axis]))]
    };
    let corners = rest.iter().fold([*first; 2], grow);
    let near = |a: f64, b: f64| (a - b).abs() <= 1e-3;
    let is_corner = |point: &[f64; 2]| (0..2).all(|axis| corners.iter().any(|corner| near(corner[axis], point[axis])));
    (matches!(points.len(), 4 | 5) && points.iter().all(is_corner)).then_some(corners)
}

/// The axis-aligned ellipse that a path goes around once.
fn ellipse(outline: &Outline) -> Option<Ellipse> {
    let bounds = outline.compute_tight_bounds()?;
    let [left, top, right, bottom] = [bounds.left(), bounds.top(), bounds.right(), bounds.bottom()].map(f64::from);
    let center = [0.5 * (left + right), 0.5 * (top + bottom)];
    let radii = [0.5 * (right - left), 0.5 * (bottom - top)];
    if !(radii[0] > 0.0 && radii[1] > 0.0) {
        return None;
    }
    let on_circle = |[x, y]: [f64; 2]| [(x - center[0]) / radii[0], (y - center[1]) / radii[1]];
    let is_round = |[x, y]: [f64; 2]| (x * x + y * y - 1.0).abs() <= ROUND;
    let (mut last, mut area, mut starts) = ([0.0; 2], 0.0, 0);
    for segment in outline.segments() {
        let curve: &dyn Fn(f64) -> [f64; 2] = match segment {
            PathSegment::MoveTo(point) => {
                (last, starts) = (pair(point), starts + 1);
                continue;
            }
            PathSegment::Close => continue,
            PathSegment::LineTo(point) => {
                // only closing lines, as short as a rounding error
                let (from, to) = (on_circle(last), on_circle(pair(point)));
                if (0..2).any(|axis| (from[axis] - to[axis]).abs() > ROUND) {
                    return None;
                }
                continue;
            }
            PathSegment::QuadTo(a, b) => &quadratic(last, pair(a), pair(b)),
            PathSegment::CubicTo(a, b, c) => &cubic(last, pair(a), pair(b), pair(c)),
        };
        let mut before = on_circle(last);
        for step in 1..=8 {
            let point = on_circle(curve(0.125 * f64::from(step)));
            if !is_round(point) {
                return None;
            }
            area += 0.5 * (before[0] * point[1] - before[1] * point[0]);
            before = point;
        }
        last = curve(1.0);
    }
    // the area of a unit circle, slightly less because steps are straight; twice that for two turns
    let once = (2.8..3.3).contains(&area.abs());
    (starts == 1 && once).then_some(Ellipse { center, radii })
}

impl Ellipse {
    /// Transforms the ellipse; `None` if its axes lean afterwards.
    fn transformed(self, transform: Transform) -> Option<Self> {
        let Self { center: [x, y], radii: [along, across] } = self;
        let [sx, kx, ky, sy, tx, ty] =
            [transform.sx, transform.kx, transform.ky, transform.sy, transform.tx, transform.ty].map(f64::from);
        // the points are M times a unit circle; M·Mᵀ has the squared radii, and off its diagonal how far the axes lean
        let [a, b, c, d] = [sx * along, kx * across, ky * along, sy * across];
        let (first, second, mixed) = (a * a + b * b, c * c + d * d, a * c + b * d);
        let center = [sx * x + kx * y + tx, ky * x + sy * y + ty];
        let found = Self { center, radii: [first.sqrt(), second.sqrt()] };
        let fits = |value: &f64| value.abs() <= f64::from(f32::MAX);
        let is_finite = center.iter().chain(&found.radii).all(fits);
        (is_finite && mixed.abs() <= LEANING * first.max(second)).then_some(found)
    }
}

fn quadratic(from: [f64; 2], a: [f64; 2], b: [f64; 2]) -> impl Fn(f64) -> [f64; 2] {
    move |t| {
        let s = 1.0 - t;
        [0, 1].map(|axis| s * s * from[axis] + 2.0 * s * t * a[axis] + t * t * b[axis])
    }
}

fn cubic(from: [f64; 2], a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> impl Fn(f64) -> [f64; 2] {
    move |t| {
        let s = 1.0 - t;
        let [first, second, third, fourth] = [s * s * s, 3.0 * s * s * t, 3.0 * s * t * t, t * t * t];
        [0, 1].map(|axis| first * from[axis] + second * a[axis] + third * b[axis] + fourth * c[axis])
    }
}

fn pair(point: Point) -> [f64; 2] {
    [f64::from(point.x), f64::from(point.y)]
}

#[expect(clippy::cast_possible_truncation, reason = "rounded to the nearest f32; what overflows was refused")]
fn single(pair: [f64; 2]) -> [f32; 2] {
    pair.map(|value| value as f32)
}
