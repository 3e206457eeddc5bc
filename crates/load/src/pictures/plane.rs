//! Default pictures of tables in the plane: circles or a density, alone or in panels.

use serde_json::Value;

use crate::color::{Scale, Srgba8};
use crate::dataset::data_file;
use crate::dataset::data_file::{DataFile, Depth, Painted};
use crate::dataset::option_requests::density_colors;
use crate::error::{Error, Result};
use crate::figure::{DensityFrame, Figure, PanelLayout, PlaneAxes, PrintSize};
use crate::options::figure::{FigureFacts, FigureOptions, LegendChoice, ScaleBarChoice};
use crate::options::load_options::{LoadOptions, ShownPart};
use crate::options::panels::{FigureGrid, LONG_SIDE};
use crate::options::picture_settings;
use crate::pictures::bare_data::{Drawing, SceneKeys};
use crate::pictures::scene_table;
use crate::pictures::scene_table::SceneTable;
use crate::rows::canvas::CanvasTransform;
use crate::rows::circle_outline;
use crate::rows::circle_outline::CircleOutline;
use crate::rows::column_plan::CategoryNames;
use crate::rows::density;
use crate::rows::density::DensityPart;
use crate::rows::row_panels::RowPanels;
use crate::rows::row_shapes::{self, CircleLook};
use crate::scales::circle_map;
use crate::scales::map_shape;
use crate::scales::map_shape::{PlaneKind, axis_names, axis_numbers};
use crate::scene::circles::{Blend, Canvas, CircleScene};
use crate::scene::{CanvasZoom, Scene};

/// The least side of the picture in a panel, in pixels.
const SMALLEST_PANEL: u32 = 16;

/// Least opacity of circles that overlap in colours that a legend explains.
const FAINTEST_MEANING: f64 = 0.3;

/// The least opacity of this many circles of one colour that overlap: a few show one by one, of millions crowds do.
fn faintest(count: usize) -> f64 {
    (FAINTEST_MEANING * libm::pow(1000.0 / count.max(1) as f64, 0.35)).clamp(0.02, FAINTEST_MEANING)
}

/// The scales of the axes of the plane.
pub(crate) fn scales(options: &LoadOptions) -> [Scale; 2] {
    [options.x_scale, options.y_scale].map(Option::unwrap_or_default)
}

/// The panels that the categories of a column make of a table.
#[derive(Debug)]
pub struct PlanePanels {
    pub panels: Vec<PlanePanel>,
    pub layout: PanelLayout,
}

/// The rows of a category as a picture of their own.
#[derive(Debug)]
pub struct PlanePanel {
    pub name: String,
    pub scene: Scene<'static>,
    /// Marks around this panel.
    pub figure: Figure,
}

/// A picture of the plane, y up, with a size and an opacity of circles that suit the number of rows. Coordinates have one
/// scale on both axes; two quantities fill the picture. Panels have the axes, sizes and colours of all rows.
pub(crate) fn circles(
    mut data: DataFile,
    options: &LoadOptions,
    depth: Depth,
) -> Result<(Drawing, Option<PlanePanels>)> {
    let outline = CircleOutline::of(options)?;
    let scales = scales(options);
    let row_panels = data.panels().cloned().transpose().map_err(|rule| Error::setting("panel_by", rule))?;
    let ranges = [options.x_range, options.y_range];
    let extent = circle_map::extent(&data.table, &data.plan.size, scales, row_panels.as_ref());
    let extent = circle_map::ranged(extent, scales, ranges)?;
    let kind = PlaneKind::of(&data, scales);
    let stretch = kind.stretch(extent);
    let aspect = stretch.map_or(picture_settings::ASPECT, |stretch| stretch * circle_map::aspect(extent));
    let rows = row_panels.as_ref().map_or(data.table.rows(), |panels| panels.rows(panels.fullest()).count());
    let laid_out = |size: (u32, u32)| {
        let radius = circle_map::suited_radius(rows, size);
        let largest = row_shapes::largest_pixels(&data.table, &data.radii, radius);
        (CircleLook { radius, alpha: None }, circle_map::transform(extent, scales, stretch, largest, size))
    };
    let has_axes = options.figure.axes.unwrap_or(kind.has_axes());
    let axes = |transform: &CanvasTransform, size: (u32, u32)| {
        map_shape::axes(transform, size, axis_names(&data), axis_numbers(&data), &options.figure)
    };
    let in_panels = row_panels.as_ref().map(|panels| {
        let axes = |size| has_axes.then(|| axes(&laid_out(size).1, size));
        panel_layout(options, panels.names.len(), aspect, &axes)
    });
    let (layout, (width, height)) = match in_panels.transpose()? {
        None => (None, picture_settings::size_filled(options, aspect)?),
        Some((layout, size)) => (Some(layout), size),
    };
    let (mut look, transform) = laid_out((width, height));
    let plane = axes(&transform, (width, height));
    if stretch.is_none() && options.figure.scale_bar.is_some_and(|bar| bar != ScaleBarChoice::Off) {
        let message =
            format!("is for lengths; the axes of {} are two quantities, which --axes explains", data.source.file);
        return Err(Error::setting("scale_bar", message));
    }
    let density = options.density.as_ref().map(|choice| {
        let colors = density_colors(options)?;
        let part = density_part(options, (width, height))?;
        let pictures = row_panels.as_ref().map_or(1, |panels| panels.names.len());
        density::check_memory(part.size, pictures, &colors, &options.budget)?;
        data.density(choice, &look, &transform, &part, &colors)
    });
    let density = density.transpose()?;
    if density.is_none() && options.density_bin.is_some() {
        return Err(Error::setting("density_bin", "is for a density, which is not given"));
    }
    if let Some(choice) = &options.density {
        let notes = [density::note_of_weights(&data.source.file, data.weights()), data.note_of_massless(choice)];
        data.notes.extend(notes.into_iter().flatten());
    }
    let (density, density_key) = density.unzip();
    data.notes.extend(density_key.as_ref().and_then(|key| density::note_off_scale(&data.source.file, key)));
    let mut density: Vec<Option<DensityFrame>> = density.into_iter().flatten().map(Some).collect();
    if let (Some(Some(density)), None, Depth::Draw) = (density.first(), options.density_bin, depth) {
        data.notes.extend(of_squares(&data.source.file, density));
    }
    if density.is_empty() && options.opacity_by.is_none() && options.opacity.iter().all(|(rows, _)| rows.is_some()) {
        let share = options.share_at_once.unwrap_or(1.0);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of a count")]
        let at_once = (data.table.rows() as f64 * share) as usize;
        let least = if data.colors.have_meaning() { FAINTEST_MEANING } else { faintest(at_once) };
        // colours that the file gives keep their alpha
        let overlap = (!data.colors.are_literal()).then(|| data.overlap(&look, &transform, (width, height), share));
        look.alpha = overlap.and_then(|overlap| overlap.suited_alpha(least));
        // the legend shows it, too
        data.colors = data.colors.with_alpha(look.alpha);
    }
    // scenes say places by numbers, which logarithms round
    let is_said =
        depth == Depth::Describe && density.is_empty() && row_panels.is_none() && scales == [Scale::Linear; 2];
    let legend = (!density.is_empty()).then_some(LegendChoice::ON);
    let wanted = FigureOptions { axes: Some(has_axes).filter(|_| has_axes), legend, ..FigureOptions::default() };
    let wanted = options.figure.over(&wanted);
    let scene_keys = is_said.then(|| SceneKeys {
        tables: vec![("points".to_owned(), Value::from(vec![scene_table::points(&data, &look, options)]))],
        canvas: SceneTable::from_iter([("view".to_owned(), scene_table::view(&transform, height))]),
        figure: wanted.clone(),
        is_auto: false,
    });
    let is_in_degrees = kind == PlaneKind::Degrees;
    let unit = if is_in_degrees { "°" } else { "" };
    let latitude = is_in_degrees.then(|| transform.latitude()).flatten();
    let background = options.background.unwrap_or(Srgba8::WHITE);
    let canvas = Canvas { width, height, background, blend: Blend::Srgb };
    let (painted, legend, outside) = match &row_panels {
        None => {
            let mut all = data.circles(&look, &transform, (width, height));
            let (legend, outside) = (std::mem::take(&mut all.legend), all.outside);
            (vec![all], legend, outside)
        }
        Some(panels) => data.circles_of_panels(panels, &look, &transform, (width, height)),
    };
    let legend = density_key.map_or(legend, |key| vec![key]);
    let keys = if wanted.has_legend() { legend } else { Vec::new() };
    let categories = CategoryNames::of_picture(data.categories(), &keys);
    let facts = FigureFacts { keys, unit, latitude, stretch, plane: Some(plane), ..FigureFacts::default() };
    let DataFile { source, mut notes, .. } = data;
    if depth == Depth::Draw {
        let count = painted.iter().map(|painted| painted.circles.len()).sum();
        let reason = if ranges == [None; 2] {
            "far from the others and outside of the picture; --x-range and --y-range say what it shows"
        } else {
            "outside of the picture"
        };
        notes.extend(data_file::cropped(&source.file, outside, count, reason));
        notes.extend(look.alpha.map(|alpha| see_through(&source.file, alpha)));
    }
    let mut figure = wanted.figure(&source.file, &FigureFacts { pixels: transform.scale, ..facts })?;
    density.resize(painted.len(), None);
    let is_density = density.iter().any(Option::is_some);
    let mut pictures = painted.into_iter().zip(density).map(|(Painted { circles, vast, labels, .. }, density)| {
        let layers = if is_density { Vec::new() } else { vec![circle_outline::layer(circles, &vast, outline)] };
        (Scene::Circles(CircleScene { canvas, layers }), labels, density)
    });
    let (scene, panels) = match (row_panels, layout) {
        (Some(RowPanels { names, .. }), Some(layout)) => {
            figure.suit_type(layout.size(figure.size_with_axes((width, height))));
            let of_panel = |(name, (mut scene, labels, density))| {
                let figure = figure.of_panel(labels, density);
                figure.lay_grid(&mut scene);
                PlanePanel { name, scene, figure }
            };
            let panels = names.into_iter().zip(pictures).map(of_panel).collect();
            figure = figure.without_plane_axes();
            (Scene::Circles(CircleScene { canvas, layers: Vec::new() }), Some(PlanePanels { panels, layout }))
        }
        _ => {
            let (scene, labels, density) = pictures.next().expect("one picture without panels");
            (figure.labels, figure.density) = (labels, density);
            (scene, None)
        }
    };
    let (sources, tables) = (vec![source], Vec::new());
    let (camera, suited_radius, data) = (None, None, None);
    let drawing =
        Drawing { scene, sources, notes, figure, camera, categories, tables, suited_radius, scene_keys, data };
    Ok((drawing, panels))
}

/// The layout of so many panels, and the size of the picture in each, without its axes.
fn panel_layout(
    options: &LoadOptions,
    count: usize,
    aspect: f64,
    axes: &dyn Fn((u32, u32)) -> Option<PlaneAxes>,
) -> Result<(PanelLayout, (u32, u32))> {
    let grid = options.figure.grid.unwrap_or_else(|| FigureGrid::square(count));
    let room = grid.columns as usize * grid.rows as usize;
    if count > room {
        let column = options.figure.panel_by.as_deref().unwrap_or_default();
        let message = format!("must have room for the {count} categories of {column}, got {grid}, which has {room}");
        return Err(Error::setting("grid", message));
    }
    let is_wide = aspect * f64::from(grid.columns) >= f64::from(grid.rows);
    let (width, height) = match (options.width, options.height) {
        (None, None) if is_wide => (Some(LONG_SIDE), None),
        (None, None) => (None, Some(LONG_SIDE)),
        given => given,
    };
    let mut figure = Figure { print: PrintSize { scale: 1.0, ..options.figure.print_size() }, ..Figure::default() };
    let (mut layout, mut size) = (PanelLayout::default(), (LONG_SIDE, LONG_SIDE));
    // the size of type and the room for numbers depend on the size of the picture, and the other way round
    for _ in 0..4 {
        let long = width.or(height).unwrap_or(LONG_SIDE);
        figure.suit_type(if layout.columns == 0 { (long, long) } else { layout.size(figure.size_with_axes(size)) });
        layout = figure.panel_layout([grid.columns, grid.rows]);
        figure.plane = axes(size);
        let (whole_width, whole_height) = figure.size_with_axes(size);
        let beside = layout.beside();
        let share = |side: u32, beside: u32, count: u32, marks: u32| {
            (side.saturating_sub(beside) / count).saturating_sub(marks).max(1)
        };
        let across = width.map(|width| share(width, beside[0], grid.columns, whole_width - size.0));
        let down = height.map(|height| share(height, beside[1], grid.rows, whole_height - size.1));
        let of_panel = LoadOptions { width: across, height: down, ..options.clone() };
        size = picture_settings::size_filled(&of_panel, aspect)?;
    }
    figure.plane = axes(size);
    let whole = layout.size(figure.size_with_axes(size));
    if size.0.min(size.1) < SMALLEST_PANEL {
        let column = options.figure.panel_by.as_deref().unwrap_or_default();
        let message = format!(
            "{column} has {count} categories, whose panels have no room on {}x{} pixels; a larger --width has, --only draws fewer",
            whole.0, whole.1
        );
        return Err(Error::setting("panel_by", message));
    }
    options.budget.check_picture("with all its panels ", whole)?;
    let [left, _, right, _] = figure.margins_of_axes(size);
    let layout = layout.filling(width.unwrap_or(whole.0), figure.size_with_axes(size)).with_margins([left, right]);
    Ok((layout, size))
}

/// The part of a picture whose density is drawn; `own` is the size of the whole.
fn density_part(options: &LoadOptions, own: (u32, u32)) -> Result<DensityPart> {
    let Some(ShownPart { view_box, width, height }) = options.shown else {
        return Ok(DensityPart { size: own, zoom: None });
    };
    let size = picture_settings::checked_size(&LoadOptions { width, height, ..options.clone() }, own)?;
    Ok(DensityPart { size, zoom: Some(CanvasZoom::new(&view_box, size)) })
}

/// The note on a density whose numbers are those of squares of several pixels.
pub(crate) fn of_squares(file: &str, density: &DensityFrame) -> Option<String> {
    let side = density.side;
    let note = format!(
        "{file}: rows are few for so many pixels; --density takes squares of {side}, --density-bin 1 takes pixels"
    );
    (side > 1).then_some(note)
}

/// The note on circles that are drawn translucent because they overlap.
fn see_through(file: &str, alpha: u8) -> String {
    let opacity = (f64::from(alpha) / 2.55).round() / 100.0;
    format!(
        "{file}: circles overlap and are drawn at an opacity of {opacity}, so that all show; --opacity sets another"
    )
}
