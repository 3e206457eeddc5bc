//! Turns the circles of a scene file into layers.

use std::borrow::Cow;

use crate::color::{Scale, Srgba8};
use crate::dataset::data_file;
use crate::dataset::data_file::{BondRequest, DataFile, Depth, Painted, Refuse, Request};
use crate::dataset::images::{BadImages, Images};
use crate::error::{Error, Result};
use crate::figure::AxisNumbers;
use crate::formats::request::{FileHints, FrameRequest};
use crate::formats::{self, Format, FormatKind};
use crate::geom::single;
use crate::options::picture_settings;
use crate::options::routes::Route;
use crate::rows::canvas::{CanvasTransform, Corners};
use crate::rows::circle_outline;
use crate::rows::circle_outline::CircleOutline;
use crate::rows::column_plan::{
    CategoryNames, ColorFrom, ColorMapping, ColumnRefusal, ColumnRequest, Dimensions, NamedAxes, RadiusFrom, Role,
};
use crate::rows::glyphs::{GlyphRequest, RowShape};
use crate::rows::row_shapes;
use crate::rows::row_shapes::CircleLook;
use crate::scales::circle_map;
use crate::scales::map_shape::{self, PlaneKind, axis_names, axis_numbers};
use crate::scene::Scene;
use crate::scene::circles::{
    Blend, Canvas, CircleScene, Layer, PaintedCircle, PaintedEllipse, PaintedSegment, Stroke, Style, VAST_RADIUS,
    ViewBox,
};
use crate::scene::generate;
use crate::scene_file::builder::{Builder, COLOR, SelectionKeys};
use crate::scene_file::columns::{ColorByText, ColorColumn, PointColor, PointRadius, RadiusColumn, RadiusUnits};
use crate::scene_file::decode::{Located, offset_of};
use crate::scene_file::tables::PlaneTable;
use crate::scene_file::text::{BlendText, CanvasText, CircleText, GenerateText, PointsText, SceneText, SegmentText};
use crate::scene_file::values::{Number, WholeNumber};

/// Default radius of points, in pixels.
const POINT_RADIUS: f32 = 1.5;

/// The colours of points keep their alpha.
const POINT_LOOK: CircleLook = CircleLook { radius: POINT_RADIUS, alpha: None };

/// A drawable entry of the scene file; entries are drawn in file order.
enum ShapeItem<'a> {
    Circle(&'a CircleText),
    Segment(&'a SegmentText),
    Table(Layer<'static>),
    Generated(&'a GenerateText),
}

impl Builder<'_> {
    pub(crate) fn circles(&mut self, scene: SceneText) -> Result<Scene<'static>> {
        if let Some(render) = &scene.render {
            return Err(self.refuse(render.offset, "render is for scenes of spheres; this one has circles"));
        }
        Route::Circles(&self.file).check(self.options)?;
        let (place, canvas) = scene.canvas.map_or_else(Default::default, |canvas| (canvas.offset, canvas.value));
        let sides = (canvas.width.map(WholeNumber::u32), canvas.height.map(WholeNumber::u32));
        let drawn = self.size("canvas", place, sides.0, sides.1)?;
        self.check_view(&canvas)?;
        let has_single = !scene.circle.is_empty() || !scene.segment.is_empty();
        let points = scene.points.into_iter().enumerate().map(PlaneTable::of_points);
        let tables = points.chain(scene.segments.into_iter().enumerate().map(PlaneTable::of_segments));
        let tables: Vec<PlaneTable> = tables.collect();
        let fits = canvas.fit.unwrap_or(canvas.view.is_none() && !has_single) && !tables.is_empty();
        // one side alone scales the pixels of the scene
        let is_scaled = canvas.view.is_none() && !fits && self.options.width.is_some() != self.options.height.is_some();
        self.is_scaled = is_scaled;
        let size = if is_scaled { picture_settings::own_size(sides, picture_settings::ASPECT) } else { drawn };
        self.count_single(&scene.circle, &scene.segment)?;
        let transform = (!fits).then(|| view_transform(&canvas, size));
        let (transform, painted) = self.paint_tables(&tables, transform, size)?;
        self.figure.facts.pixels = transform.scale * f64::from(drawn.1) / f64::from(size.1);
        let circles = scene.circle.iter().map(|circle| (circle.offset, ShapeItem::Circle(&circle.value)));
        let points = tables.iter().zip(painted).map(|(table, layer)| (table.offset, ShapeItem::Table(layer)));
        let generated = scene.generate.iter().map(|text| (text.offset, ShapeItem::Generated(&text.value)));
        let segments = scene.segment.iter().map(|segment| (segment.offset, ShapeItem::Segment(&segment.value)));
        let mut items: Vec<_> = circles.chain(points).chain(generated).chain(segments).collect();
        items.sort_by_key(|(offset, _)| *offset);
        let mut layers = self.layers(items, &canvas, &transform, size)?;
        picture_settings::set_opacity_of_layers(self.options, &mut layers)?;
        let background = self.options.background.or(canvas.background.map(|color| color.0)).unwrap_or(Srgba8::WHITE);
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

    fn check_view(&self, canvas: &CanvasText) -> Result<()> {
        let Some(Located { offset, value: view }) = &canvas.view else { return Ok(()) };
        if canvas.fit == Some(true) {
            return Err(self.refuse(*offset, "canvas must have view or fit, not both"));
        }
        if view.height.is_some() == view.scale.is_some() {
            return Err(self.refuse(*offset, "canvas.view must have the key \"height\" or \"scale\", not both"));
        }
        Ok(())
    }

    /// Counts single shapes against the quota, and notes shapes that draw nothing.
    fn count_single(&mut self, circles: &[Located<CircleText>], segments: &[Located<SegmentText>]) -> Result<()> {
        let circle_texts = circles.iter().map(|circle| &circle.value);
        let shapes = |circle: &CircleText| usize::from(circle.fill.is_some()) + usize::from(circle.stroke.is_some());
        self.hold_single_shapes(circle_texts.clone().map(shapes).sum(), circles.last())?;
        self.hold_single_shapes(segments.len(), segments.last())?;
        let is_empty = |circle: &&CircleText| {
            let is_point = circle.radius.is_some_and(|radius| radius.f64() <= 0.0)
                || circle.radii.is_some_and(|radii| radii.f64().contains(&0.0));
            let has_ring = circle.stroke.as_ref().is_some_and(|stroke| stroke.width.f64() > 0.0);
            !has_ring && (is_point || circle.fill.is_none())
        };
        self.note_empty(circle_texts.filter(is_empty).count(), "circle", "radius or width");
        let lines = segments.iter().filter(|segment| segment.value.width.f64() <= 0.0);
        self.note_empty(lines.count(), "segment", "width");
        Ok(())
    }

    /// The layers of the items, in their order.
    fn layers(
        &mut self,
        items: Vec<(usize, ShapeItem<'_>)>,
        canvas: &CanvasText,
        transform: &CanvasTransform,
        size: (u32, u32),
    ) -> Result<Vec<Layer<'static>>> {
        let mut layers = Vec::new();
        let mut circle_index = 0;
        for (offset, item) in items {
            match item {
                ShapeItem::Circle(circle) => {
                    self.circle(offset, circle_index, circle, transform, &mut layers)?;
                    circle_index += 1;
                }
                ShapeItem::Segment(SegmentText { start, end, width, color }) => {
                    let [start, end] = [start, end].map(|point| transform.place(point.f64()));
                    let color = color.map_or(COLOR, |color| color.0);
                    let segment = PaintedSegment { start, end, width: transform.length(width.f64()), color };
                    Layer::push_segment(&mut layers, segment);
                }
                ShapeItem::Table(layer) => layers.push(layer),
                ShapeItem::Generated(text) => {
                    let (kind, count, seed) = self.recipe(offset, text, size_of::<PaintedCircle>())?;
                    self.hold_circles(count);
                    let mut circles = generate::circles(kind, count, seed);
                    let transform = match canvas.view {
                        Some(_) => *transform,
                        None => {
                            CanvasTransform { y_sign: y_sign(canvas.flip_y), ..Corners::of(&circles).filling(size) }
                        }
                    };
                    circles.iter_mut().for_each(|circle| transform.apply(circle));
                    layers.push(Layer::Circles(Cow::Owned(circles)));
                }
            }
        }
        Ok(layers)
    }

    /// Reads and paints tables. Without a transform, fits one to all of them.
    fn paint_tables(
        &mut self,
        tables: &[PlaneTable],
        transform: Option<CanvasTransform>,
        size: (u32, u32),
    ) -> Result<(CanvasTransform, Vec<Layer<'static>>)> {
        let (has_legend, fits) = (self.figure.options.has_legend(), transform.is_none());
        let (mut keys, mut notes, mut is_in_degrees) = (Vec::new(), Vec::new(), true);
        let (mut axes, mut all_labels) = (None, Vec::new());
        let mut paint = |table: &PlaneTable, data: DataFile, transform: &CanvasTransform| {
            let outline = table.text.stroke.as_ref();
            let outline =
                outline.map(|text| CircleOutline::new(text.color.0, text.width.map(|width| single(width.f64()))));
            is_in_degrees &= data.is_in_degrees();
            let (_, numbers) = axes.get_or_insert_with(|| (axis_names(&data), axis_numbers(&data)));
            // files of which not all have dates or degrees have numbers
            for (known, own) in numbers.iter_mut().zip(axis_numbers(&data)) {
                if *known != own {
                    *known = AxisNumbers::Plain;
                }
            }
            if data.has_segments() {
                let (segments, legend) = data.segments(&POINT_LOOK, transform, size);
                keys.extend(legend.into_iter().filter(|_| has_legend));
                let lost = data.table.rows() - segments.len();
                notes.extend(
                    (lost > 0).then(|| format!("{}: rows without an end are left out: {lost}", data.source.file)),
                );
                return Layer::Segments(Cow::Owned(segments));
            }
            let Painted { circles, vast, legend, outside, labels } = data.circles(&POINT_LOOK, transform, size);
            all_labels.extend(labels);
            keys.extend(legend.into_iter().filter(|_| has_legend));
            let reason = "far from the others and outside of the picture";
            notes.extend(data_file::cropped(&data.source.file, outside, circles.len(), reason).filter(|_| fits));
            circle_outline::layer(circles, &vast, outline)
        };
        let read = tables.iter().map(|table| {
            let data = self.read_table(table)?;
            // a segment takes two circles' memory
            self.hold_circles(data.table.rows() * if data.has_segments() { 2 } else { 1 });
            Ok(data)
        });
        let (transform, painted) = match transform {
            Some(transform) => {
                let painted = tables.iter().zip(read).map(|(table, data)| Ok(paint(table, data?, &transform)));
                (transform, painted.collect::<Result<Vec<_>>>()?)
            }
            None => {
                let data: Vec<DataFile> = read.collect::<Result<_>>()?;
                let transform = fit_transform(&data, size);
                (transform, tables.iter().zip(data).map(|(table, data)| paint(table, data, &transform)).collect())
            }
        };
        self.figure.facts.keys.extend(keys);
        self.figure.labels.extend(all_labels);
        if self.depth == Depth::Draw {
            self.notes.extend(notes);
        }
        is_in_degrees &= !painted.is_empty();
        self.figure.facts.stretch = Some(transform.stretch);
        let (names, numbers) = axes.unwrap_or_default();
        self.figure.facts.plane = Some(map_shape::axes(&transform, size, names, numbers, &self.figure.options));
        if is_in_degrees {
            self.figure.facts.unit = "°";
            self.figure.facts.latitude = transform.latitude();
        }
        Ok((transform, painted))
    }

    fn circle(
        &self,
        offset: usize,
        index: usize,
        circle: &CircleText,
        transform: &CanvasTransform,
        layers: &mut Vec<Layer<'static>>,
    ) -> Result<()> {
        let refuse = |rule: &str| Err(self.refuse(offset, format!("circle[{index}] {rule}")));
        let given = match (circle.radius, circle.radii) {
            (Some(radius), None) => [radius.f64(); 2],
            (None, Some(radii)) => radii.f64(),
            (Some(_), Some(_)) => return refuse("must have radius or radii, not both"),
            (None, None) => return refuse("must have the key \"radius\" or \"radii\""),
        };
        if circle.fill.is_none() && circle.stroke.is_none() {
            return refuse("must have the key \"fill\" or \"stroke\", or both");
        }
        let mut center = transform.place(circle.center.f64());
        let mut radii = given.map(|radius| f64::from(transform.length(radius)));
        let is_vast = radii[0] == radii[1] && radii[0] > VAST_RADIUS;
        if is_vast {
            let (moved, radius) = transform.circle(circle.center.f64(), given[0]);
            (center, radii) = (moved, [radius; 2]);
        }
        if let Some(fill) = circle.fill {
            if circle.radius.is_some() && !is_vast {
                Layer::push_circle(layers, PaintedCircle { center, radius: single(radii[0]), color: fill.0 });
            } else {
                Layer::push_ellipse(layers, PaintedEllipse { center, radii, style: Style::Fill, color: fill.0 });
            }
        }
        if let Some(stroke) = &circle.stroke {
            let style = Style::Stroke(Stroke::new(transform.length(stroke.width.f64())));
            Layer::push_ellipse(layers, PaintedEllipse { center, radii, style, color: stroke.color.0 });
        }
        Ok(())
    }

    fn read_table(&mut self, table: &PlaneTable) -> Result<DataFile> {
        let PlaneTable { path, text: points, end, .. } = table;
        let key = format!("{path}.file");
        let (input, format) = self.open(&key, &points.file, points.format.as_ref())?;
        if format.kind() != FormatKind::Table {
            let tables = formats::extensions(&[FormatKind::Table]);
            let rule = format!("{key} must be a table ({tables}), got a file of {format}");
            return Err(self.refuse(points.file.offset, rule));
        }
        if let Some(mark) = points.decimal.as_ref().filter(|_| format != Format::Csv) {
            let rule = format!("{path}.decimal is for tables of text; {} is {format}", points.file.value.display());
            return Err(self.refuse(mark.offset, rule));
        }
        if let Some(texts) = points.missing.as_ref().filter(|_| format != Format::Csv) {
            let rule = format!("{path}.missing is for tables of text; {} is {format}", points.file.value.display());
            return Err(self.refuse(texts.offset, rule));
        }
        let column_request = self.column_request(path, points)?;
        let keys = SelectionKeys {
            rows: &points.rows,
            opacity: points.opacity.as_ref(),
            opacity_by: points.opacity_by.as_ref(),
            draw_order: points.draw_order.as_ref().map(|order| (order, points.seed.map_or(1, |seed| seed.0))),
            style: None,
            gloss: None,
            center: &None,
            label: &points.label,
            contacts: &[],
            hbonds: None,
        };
        let selections = self.selections(&keys, path)?;
        let computed = self.computed(&points.rows.compute, path)?;
        let rows = end.as_ref().map_or(RowShape::Sphere, |end| RowShape::Segment { end: end.value.clone() });
        let glyphs = GlyphRequest { rows, ..GlyphRequest::default() };
        let request = Request {
            format,
            computed: &computed,
            hints: FileHints {
                raw: points.format.as_ref().and_then(|named| named.raw.clone()),
                decimal: points.decimal.as_ref().map(|mark| mark.value.0),
                missing: points.missing.as_ref().map(|texts| texts.value.clone()).unwrap_or_default(),
                ..FileHints::default()
            },
            column_request: &column_request,
            selections: &selections,
            look_along: None,
            smooth: None,
            images: Images::default(),
            assembly: None,
            extent: FrameRequest::default(),
            origin: None,
            bonds: &BondRequest::default(),
            glyphs: &glyphs,
            scales: [Scale::Linear; 2],
            has_legend: self.figure.options.has_legend(),
            depth: self.depth,
        };
        let file = input.name.clone();
        let refuse = |refusal| self.bad_plane_column(table, &file, refusal);
        let bad_images = |BadImages { key, rule }| self.refuse(points.file.offset, format!("{path}.{key} {rule}"));
        let selection = |bad| self.bad_selection(&keys, path, bad);
        let refuse = Refuse { column: &refuse, selection: &selection, images: &bad_images };
        let mut data = data_file::read(input, &request, &refuse, &|_| Ok(()))?;
        self.sources.push(data.source.clone());
        self.notes.append(&mut data.notes);
        Ok(data)
    }

    /// The error for a column, at the key of the table that names it.
    fn bad_plane_column(&self, table: &PlaneTable, file: &str, ColumnRefusal { role, rule }: ColumnRefusal) -> Error {
        let PlaneTable { path, text: points, end, .. } = table;
        let (color, color_key) = match (&points.color, &points.color_by) {
            (None, Some(column)) => (Some(column.offset), "color_by"),
            (color, _) => (offset_of(color), "color"),
        };
        let radius_key = if end.is_some() { "width" } else { "radius" };
        let (offset, key, part) = match role {
            Role::Axes => return Error::input(file, 1, rule),
            Role::X => (offset_of(&points.x), "x", ""),
            Role::Y | Role::Z => (offset_of(&points.y), "y", ""),
            Role::Color => (color, color_key, if color_key == "color" { ".column" } else { "" }),
            Role::ColorMap => (color, color_key, ".map"),
            Role::ColorRange => (color, color_key, ".range"),
            Role::ColorScale => (color, color_key, ".scale"),
            Role::End => (offset_of(end), "end", ""),
            Role::Radius | Role::Vectors | Role::Radii | Role::Rotation => {
                (offset_of(&points.radius), radius_key, ".column")
            }
        };
        self.refuse(offset.unwrap_or(points.file.offset), format!("{path}.{key}{part} {rule}"))
    }

    /// The columns that the circles are made from; `path` names the table in messages.
    fn column_request(&self, path: &str, points: &PointsText) -> Result<ColumnRequest> {
        let axes = match (&points.x, &points.y) {
            (Some(x), Some(y)) => Some(NamedAxes::Plane([x.value.clone(), y.value.clone()])),
            (None, None) => None,
            (Some(x), None) => {
                return Err(self.refuse(x.offset, format!("{path} must have y too when it has x")));
            }
            (None, Some(y)) => {
                return Err(self.refuse(y.offset, format!("{path} must have x too when it has y")));
            }
        };
        let radius = match &points.radius {
            None => RadiusFrom::Constant(POINT_RADIUS),
            Some(Located { value: PointRadius::Constant(radius), .. }) => RadiusFrom::Constant(*radius),
            Some(Located { offset, value: PointRadius::Column(radius) }) => self.radius_from(path, *offset, radius)?,
        };
        let (color, mapping) = self.color_from(path, points)?;
        let categories = CategoryNames::default();
        Ok(ColumnRequest { place: Dimensions::Plane, axes, color, mapping, categories, radius })
    }

    fn radius_from(&self, path: &str, offset: usize, radius: &RadiusColumn) -> Result<RadiusFrom> {
        let (column, in_data_units) = (radius.column.clone(), radius.units == RadiusUnits::Data);
        let rule = match (radius.range.map(|range| range.f32()), radius.scale) {
            (None, None) if in_data_units => return Ok(RadiusFrom::DataUnits(column)),
            (None, None) => return Ok(RadiusFrom::Column(column)),
            (Some(_), _) if in_data_units => " must have range or units, not both".to_owned(),
            (None, Some(_)) => " must have a range when it has a scale".to_owned(),
            (Some([least, most]), _) if least == most => {
                format!(".range must be two different radii, got {least} twice")
            }
            (Some(range), scale) => {
                return Ok(RadiusFrom::Scaled { column, range, scale: scale.unwrap_or_default() });
            }
        };
        Err(self.refuse(offset, format!("{path}.radius{rule}")))
    }

    /// The colours of a table's rows, and how they are mapped.
    fn color_from(&self, path: &str, points: &PointsText) -> Result<(ColorFrom, ColorMapping)> {
        let column = |color: &ColorColumn, key| {
            Ok((ColorFrom::name(&color.column, COLOR), self.mapping(color, &format!("{path}.{key}"))?))
        };
        match (&points.color, &points.color_by) {
            (Some(_), Some(color_by)) => {
                Err(self.refuse(color_by.offset, format!("{path} must have color or color_by, not both")))
            }
            (None, None) => Ok((ColorFrom::Constant(COLOR), ColorMapping::default())),
            (Some(Located { value: PointColor::Constant(color), .. }), None) => {
                Ok((ColorFrom::Constant(*color), ColorMapping::default()))
            }
            (Some(Located { value: PointColor::Column(color), .. }), None) => column(color, "color"),
            (None, Some(Located { value: ColorByText::Column(color), .. })) => column(color, "color_by"),
            (None, Some(Located { value: ColorByText::Name(name), .. })) => {
                Ok((ColorFrom::name(name, COLOR), ColorMapping::default()))
            }
        }
    }
}

/// The transform of the canvas's `view`; without one, coordinates are pixels.
fn view_transform(canvas: &CanvasText, (width, height): (u32, u32)) -> CanvasTransform {
    let middle = [0.5 * f64::from(width), 0.5 * f64::from(height)];
    let (center, scale, stretch, flipped) = match &canvas.view {
        Some(Located { value: view, .. }) => {
            let scale = match (view.height, view.scale) {
                (Some(units), _) => f64::from(height) / units.f64(),
                (None, scale) => scale.map_or(1.0, Number::f64),
            };
            (view.center.f64(), scale, view.stretch.map_or(1.0, Number::f64), view.flip_y)
        }
        None => (middle, 1.0, 1.0, false),
    };
    let scales = [Scale::Linear; 2];
    CanvasTransform { center, scale, stretch, scales, y_sign: y_sign(flipped || canvas.flip_y), middle }
}

fn y_sign(is_flipped: bool) -> f64 {
    if is_flipped { -1.0 } else { 1.0 }
}

/// Fits the rows of all tables into the picture, as for a table without a scene.
fn fit_transform(tables: &[DataFile], size: (u32, u32)) -> CanvasTransform {
    let join = |[low, high]: [[f64; 2]; 2], [least, most]: [[f64; 2]; 2]| {
        [[0, 1].map(|axis| low[axis].min(least[axis])), [0, 1].map(|axis| high[axis].max(most[axis]))]
    };
    let scales = [Scale::Linear; 2];
    let extent = tables.iter().map(|data| circle_map::extent(&data.table, &data.plan.size, scales, None));
    let extent = extent.fold([[f64::INFINITY; 2], [f64::NEG_INFINITY; 2]], join);
    let ends = tables.iter().flat_map(DataFile::plane_ends).filter(|end| end.iter().all(|along| along.is_finite()));
    let extent = ends.map(|end| [end; 2]).fold(extent, join);
    let largest = tables.iter().map(|data| row_shapes::largest_pixels(&data.table, &data.radii, POINT_RADIUS));
    let kind = if tables.iter().all(DataFile::is_in_degrees) { PlaneKind::Degrees } else { PlaneKind::Coordinates };
    circle_map::transform(extent, scales, kind.stretch(extent), largest.fold(0.0, f64::max), size)
}
