//! Turns the circles of a scene file into layers.

use std::borrow::Cow;

use super::builder::{Builder, COLOR, SelectionKeys};
use super::columns::{PointColor, PointRadius};
use super::decode::Located;
use super::text::{BlendText, CanvasText, CircleText, GenerateText, PointsText, SceneText};
use super::values;
use crate::color::Srgba8;
use crate::error::{Error, Result};
use crate::io::formats::reading::Extent;
use crate::io::formats::{self, FormatKind};
use crate::io::load::canvas::CanvasTransform;
use crate::io::load::data_file::{self, Refuse, Request};
use crate::io::load::images::{BadImages, Images};
use crate::io::load::paint::{self, CircleLook};
use crate::io::load::picture;
use crate::io::load::plan::{ColorFrom, ColorMapping, Place, RadiusFrom, Refusal, Role, Wishes};
use crate::io::load::selections::highlight;
use crate::scene::Scene;
use crate::scene::circles::{Blend, Canvas, CircleScene, Layer, PaintedCircle, PaintedEllipse, Stroke, Style, ViewBox};
use crate::scene::generate;

/// Points that say no radius, pixels.
const POINT_RADIUS: f32 = 1.5;

/// A circle or a table of them, in the order of the file.
enum Item<'a> {
    Circle(&'a CircleText),
    Points(usize, &'a PointsText),
    Generated(&'a GenerateText),
}

impl Builder<'_> {
    pub(crate) fn circles(&mut self, scene: SceneText) -> Result<Scene<'static>> {
        if let Some(render) = &scene.render {
            return Err(self.refuse(render.offset, "render is for scenes of spheres; this one has circles"));
        }
        picture::refuse_for_circles(&self.file, self.overrides)?;
        let (place, canvas) = scene.canvas.map_or_else(Default::default, |canvas| (canvas.offset, canvas.value));
        let sides = (canvas.width.map(values::Whole::u32), canvas.height.map(values::Whole::u32));
        let drawn = self.size("canvas", place, sides.0, sides.1)?;
        // pixels of the scene are larger or smaller then
        let is_scaled = canvas.view.is_none() && self.overrides.width.is_some() != self.overrides.height.is_some();
        let size = if is_scaled { picture::own_size(sides, picture::ASPECT) } else { drawn };
        let transform = transform(&canvas, size);
        self.facts.pixels = transform.scale * f64::from(drawn.1) / f64::from(size.1);
        let circles = scene.circle.iter().map(|circle| (circle.offset, Item::Circle(&circle.value)));
        let points = scene.points.iter().enumerate();
        let points = points.map(|(index, points)| (points.offset, Item::Points(index, &points.value)));
        let generated = scene.generate.iter().map(|text| (text.offset, Item::Generated(&text.value)));
        let mut items: Vec<_> = circles.chain(points).chain(generated).collect();
        items.sort_by_key(|(offset, _)| *offset);
        let shapes = |circle: &Located<CircleText>| {
            usize::from(circle.value.fill.is_some()) + usize::from(circle.value.stroke.is_some())
        };
        let single = scene.circle.iter().map(shapes).sum();
        self.single_shapes(single, scene.circle.last().map(|circle| circle.offset))?;
        let mut layers = Vec::new();
        let mut circle_index = 0;
        for (offset, item) in items {
            match item {
                Item::Circle(circle) => {
                    self.circle(offset, circle_index, circle, &transform, &mut layers)?;
                    circle_index += 1;
                }
                Item::Points(index, points) => {
                    let circles = self.points(index, points, &transform)?;
                    self.hold_circles(circles.len());
                    layers.push(Layer::Circles(Cow::Owned(circles)));
                }
                Item::Generated(text) => {
                    let (kind, count, seed) = self.recipe(offset, text, size_of::<PaintedCircle>())?;
                    self.hold_circles(count);
                    let mut circles = generate::circles(kind, count, seed);
                    let transform = match canvas.view {
                        Some(_) => transform,
                        None => filling(&circles, size, canvas.flip_y),
                    };
                    for PaintedCircle { center, radius, .. } in &mut circles {
                        *center = transform.place(center.map(f64::from));
                        *radius = transform.length(f64::from(*radius));
                    }
                    layers.push(Layer::Circles(Cow::Owned(circles)));
                }
            }
        }
        let background = self.overrides.background.or(canvas.background.map(|color| color.0)).unwrap_or(Srgba8::WHITE);
        let blend = match canvas.blend {
            BlendText::Srgb => Blend::Srgb,
            BlendText::Linear => Blend::Linear,
        };
        let canvas = Canvas { width: size.0, height: size.1, background, blend };
        let scene = CircleScene { canvas, layers };
        if is_scaled {
            let whole =
                ViewBox { center: [size.0, size.1].map(|side| 0.5 * f64::from(side)), height: f64::from(size.1) };
            return Ok(Scene::Circles(scene.in_view_box(&whole, drawn)));
        }
        Ok(Scene::Circles(scene))
    }

    /// Adds a circle's inside, then its outline.
    fn circle(
        &self,
        offset: usize,
        index: usize,
        circle: &CircleText,
        transform: &CanvasTransform,
        layers: &mut Vec<Layer<'static>>,
    ) -> Result<()> {
        let refuse = |rule: &str| Err(self.refuse(offset, format!("circle[{index}] {rule}")));
        let radii = match (circle.radius, circle.radii) {
            (Some(radius), None) => [radius.f64(); 2],
            (None, Some(radii)) => radii.f64(),
            (Some(_), Some(_)) => return refuse("must have radius or radii, not both"),
            (None, None) => return refuse("must have the key \"radius\" or \"radii\""),
        };
        if circle.fill.is_none() && circle.stroke.is_none() {
            return refuse("must have the key \"fill\" or \"stroke\", or both");
        }
        let center = transform.place(circle.center.f64());
        let radii = radii.map(|radius| transform.length(radius));
        if let Some(fill) = circle.fill {
            if circle.radius.is_some() {
                push_circle(layers, PaintedCircle { center, radius: radii[0], color: fill.0 });
            } else {
                push_ellipse(layers, PaintedEllipse { center, radii, style: Style::Fill, color: fill.0 });
            }
        }
        if let Some(stroke) = &circle.stroke {
            let style = Style::Stroke(Stroke::new(transform.length(stroke.width.f64())));
            push_ellipse(layers, PaintedEllipse { center, radii, style, color: stroke.color.0 });
        }
        Ok(())
    }

    /// Reads a table's rows.
    fn points(&mut self, index: usize, points: &PointsText, transform: &CanvasTransform) -> Result<Vec<PaintedCircle>> {
        let input = self.open(&points.file.value)?;
        let format = formats::format_of(&input)?;
        if format.kind() != FormatKind::Table {
            let tables = formats::extensions(&[FormatKind::Table]);
            let rule = format!("points[{index}].file must be a table ({tables}), got a file of {format}");
            return Err(self.refuse(points.file.offset, rule));
        }
        let wishes = self.wishes(index, points)?;
        let path = format!("points[{index}]");
        let keys = SelectionKeys { only: &points.only, hide: &points.hide, highlight: &points.highlight };
        let selections = self.selections(&keys, &path)?;
        let request = Request {
            format,
            raw: None,
            wishes: &wishes,
            selections: &selections,
            images: Images::default(),
            extent: Extent::default(),
            depth: self.depth,
        };
        let file = input.name.clone();
        let refuse = |Refusal { role, rule }| {
            let offset = |offset: Option<usize>| offset.unwrap_or(points.file.offset);
            let (offset, key) = match role {
                Role::Axes => return Error::input(&file, 1, rule),
                Role::X => (offset(points.x.as_ref().map(|x| x.offset)), "x"),
                Role::Y => (offset(points.y.as_ref().map(|y| y.offset)), "y"),
                Role::Color => (offset(points.color.as_ref().map(|color| color.offset)), "color.column"),
                Role::ColorMap => (offset(points.color.as_ref().map(|color| color.offset)), "color.map"),
                Role::ColorRange => (offset(points.color.as_ref().map(|color| color.offset)), "color.range"),
                Role::ColorScale => (offset(points.color.as_ref().map(|color| color.offset)), "color.scale"),
                Role::Radius => (offset(points.radius.as_ref().map(|radius| radius.offset)), "radius.column"),
            };
            self.refuse(offset, format!("points[{index}].{key} {rule}"))
        };
        let bad_images =
            |BadImages { key, rule }| self.refuse(points.file.offset, format!("points[{index}].{key} {rule}"));
        let selection = |bad| self.bad_selection(&keys, &path, bad);
        let refuse = Refuse { wish: &refuse, selection: &selection, images: &bad_images };
        let data = data_file::read(input, &request, &refuse, |_| Ok(()))?;
        self.note_colors(&data);
        self.sources.push(data.source);
        self.notes.extend(data.notes);
        let look = CircleLook { radius: POINT_RADIUS, alpha: None };
        let mut circles = paint::circles(data.table, &data.plan.color, &data.plan.size, &look, transform);
        highlight(&mut circles, &data.highlights, |circle| &mut circle.color);
        Ok(circles)
    }

    /// The columns that the circles are made from.
    fn wishes(&self, index: usize, points: &PointsText) -> Result<Wishes> {
        let axes = match (&points.x, &points.y) {
            (Some(x), Some(y)) => Some([x.value.clone(), y.value.clone()]),
            (None, None) => None,
            (Some(x), None) => {
                return Err(self.refuse(x.offset, format!("points[{index}] must have y too when it has x")));
            }
            (None, Some(y)) => {
                return Err(self.refuse(y.offset, format!("points[{index}] must have x too when it has y")));
            }
        };
        let radius = match &points.radius {
            None => RadiusFrom::Constant(POINT_RADIUS),
            Some(Located { value: PointRadius::Constant(radius), .. }) => RadiusFrom::Constant(*radius),
            Some(Located { offset, value: PointRadius::Column(radius) }) => {
                let column = radius.column.clone();
                match (radius.range, radius.scale) {
                    (None, None) => RadiusFrom::Column(column),
                    (None, Some(_)) => {
                        let rule = format!("points[{index}].radius must have a range when it has a scale");
                        return Err(self.refuse(*offset, rule));
                    }
                    (Some(range), scale) => {
                        RadiusFrom::Scaled { column, range: range.f32(), scale: scale.unwrap_or_default() }
                    }
                }
            }
        };
        let (color, mapping) = match &points.color {
            None => (ColorFrom::Constant(COLOR), ColorMapping::default()),
            Some(Located { value: PointColor::Constant(color), .. }) => {
                (ColorFrom::Constant(*color), ColorMapping::default())
            }
            Some(Located { value: PointColor::Column(color), .. }) => {
                (ColorFrom::name(&color.column, COLOR), self.mapping(color, &format!("points[{index}].color"))?)
            }
        };
        Ok(Wishes { place: Place::Plane, axes, color, mapping, radius })
    }
}

/// The transform of the canvas's `view`; pixels if it has none.
fn transform(canvas: &CanvasText, (width, height): (u32, u32)) -> CanvasTransform {
    let middle = [0.5 * f64::from(width), 0.5 * f64::from(height)];
    let (center, scale, flipped) = match &canvas.view {
        Some(view) => (view.center.f64(), f64::from(height) / view.height.f64(), view.flip_y),
        None => (middle, 1.0, false),
    };
    let y_sign = if flipped || canvas.flip_y { -1.0 } else { 1.0 };
    CanvasTransform { center, scale, y_sign, middle }
}

/// The transform that shows all circles in the middle of the canvas, as large as they fit.
fn filling(circles: &[PaintedCircle], (width, height): (u32, u32), flip_y: bool) -> CanvasTransform {
    let (mut least, mut greatest) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
    for circle in circles {
        for axis in 0..2 {
            let (center, radius) = (f64::from(circle.center[axis]), f64::from(circle.radius));
            least[axis] = least[axis].min(center - radius);
            greatest[axis] = greatest[axis].max(center + radius);
        }
    }
    let size = [f64::from(width), f64::from(height)];
    let scale = (0..2).map(|axis| size[axis] / (greatest[axis] - least[axis])).fold(f64::INFINITY, f64::min);
    CanvasTransform {
        center: [0, 1].map(|axis| if circles.is_empty() { 0.0 } else { 0.5 * (least[axis] + greatest[axis]) }),
        // a single point has no extent
        scale: if scale.is_finite() && scale > 0.0 { scale } else { 1.0 },
        y_sign: if flip_y { -1.0 } else { 1.0 },
        middle: size.map(|length| 0.5 * length),
    }
}

fn push_circle(layers: &mut Vec<Layer<'static>>, circle: PaintedCircle) {
    match layers.last_mut() {
        Some(Layer::Circles(circles)) => circles.to_mut().push(circle),
        _ => layers.push(Layer::Circles(Cow::Owned(vec![circle]))),
    }
}

fn push_ellipse(layers: &mut Vec<Layer<'static>>, ellipse: PaintedEllipse) {
    match layers.last_mut() {
        Some(Layer::Ellipses(ellipses)) => ellipses.to_mut().push(ellipse),
        _ => layers.push(Layer::Ellipses(Cow::Owned(vec![ellipse]))),
    }
}
