//! A scene and the view that is drawn of it.

use std::ops::Range;

use roundel::circles::{CircleScene, Layer, PaintedCircle, PaintedSegment, ViewBox};
use roundel::glam::DVec3;
use roundel::io::{LoadOptions, LoadedScene};
use roundel::spheres::{Background, PaintedSphere, Shading, SphereScene, View as SphereView};
use roundel::{Figure, Frame, RenderSettings, Renderer, Result, Scene, Srgba8};
use serde::Serialize;

use crate::view::{CameraText, View};

/// A scene, seen in the last view.
pub(crate) struct Stage {
    loaded: LoadedScene<'static>,
    home: Home,
    /// The marks as the file has them.
    figure: Figure,
    renderer: Renderer,
    frame: Frame,
}

/// The parts of a scene that views change, as the file has them.
enum Home {
    /// Without the grid of axes, which the figure lays below each view.
    Circles(CircleScene<'static>),
    Spheres(SphereView, Shading),
}

/// A scene as JavaScript knows it.
#[derive(Debug, Serialize)]
pub(crate) struct SceneFacts {
    kind: &'static str,
    width: u32,
    height: u32,
    shapes: usize,
    background: String,
    notes: Vec<String>,
    /// Whether marks stand beside the picture, which only whole pictures have.
    has_marks_beside: bool,
    camera: Option<CameraText>,
    /// Middle and radius of a sphere around all spheres.
    bounds: Option<([f64; 3], f64)>,
}

/// A shape that was picked.
#[derive(Debug, Serialize)]
pub(crate) struct PickedShape {
    /// As in records.
    pub(crate) index: u64,
    kind: &'static str,
    center: Vec<f64>,
    radius: f32,
}

impl Stage {
    pub(crate) fn new(loaded: LoadedScene<'static>) -> Result<Self> {
        let renderer = Renderer::new(&RenderSettings::default())?;
        let (home, figure) = (Home::of(&loaded), loaded.figure.clone());
        Ok(Self { loaded, home, figure, renderer, frame: Frame::new(1, 1, Srgba8::TRANSPARENT)? })
    }

    /// Puts another frame of the same data on the stage.
    pub(crate) fn replace(&mut self, loaded: LoadedScene<'static>) {
        (self.home, self.figure, self.loaded) = (Home::of(&loaded), loaded.figure.clone(), loaded);
    }

    pub(crate) fn facts(&self) -> SceneFacts {
        let LoadedScene { scene, figure, notes, .. } = &self.loaded;
        let (width, height) = scene.size();
        let (kind, shapes, background, camera, bounds) = match scene {
            Scene::Circles(scene) => {
                let layers = scene.layers.iter().skip(usize::from(figure.plane.is_some())).map(Layer::len);
                ("circles", layers.sum(), scene.canvas.background, None, None)
            }
            Scene::Spheres(scene) => {
                let shapes = scene.groups.iter().map(|group| group.spheres.len() * group.poses.len()).sum();
                let background = match scene.view.background {
                    Background::Solid(color) => color,
                    Background::Gradient { top, .. } => top,
                };
                ("spheres", shapes, background, Some(CameraText::new(scene, &scene.view.camera)), bounds(scene))
            }
        };
        let (background, notes, has_marks_beside) = (background.to_string(), notes.clone(), figure.has_marks_beside());
        SceneFacts { kind, width, height, shapes, background, notes, has_marks_beside, camera, bounds }
    }

    /// Changes the scene to a view of it.
    fn look_at(&mut self, view: Option<&View>) {
        let size = view.map_or(self.home.size(), |view| (view.width, view.height));
        self.loaded.figure = self.figure.clone();
        if view.is_some() {
            self.loaded.figure.suit_type(size);
        }
        match (&mut self.loaded.scene, &self.home) {
            (Scene::Spheres(scene), Home::Spheres(home, shading)) => {
                let given = view.and_then(|view| view.camera);
                let camera = given.map_or(home.camera, |text| text.camera(scene.origin));
                (scene.view.width, scene.view.height, scene.view.camera) = (size.0, size.1, camera);
                scene.shading = view.map_or(*shading, |view| view.quality.reduce(*shading));
            }
            (Scene::Circles(scene), Home::Circles(home)) => {
                *scene = match view {
                    Some(view) if view.view_box.is_some() || size != self.home.size() => {
                        let part = self.home.view_box(view);
                        self.loaded.figure.show_part(&part, self.home.size(), size);
                        home.in_view_box(&part, size)
                    }
                    _ => home.clone(),
                };
            }
            _ => unreachable!("both are of one scene"),
        }
        self.loaded.figure.lay_grid(&mut self.loaded.scene);
    }

    /// Sets the options of the command line that draw a view.
    pub(crate) fn set_options(&self, view: &View, options: &mut LoadOptions) {
        let size = (view.width, view.height);
        (options.width, options.height) = (Some(view.width), Some(view.height));
        match &self.home {
            // the picture of the file as it is
            _ if size == self.home.size() && view.camera.is_none() && view.view_box.is_none() => {}
            Home::Circles(_) => options.view_box = Some(self.home.view_box(view)),
            Home::Spheres(home, _) => {
                let Scene::Spheres(scene) = &self.loaded.scene else { unreachable!("both are of one scene") };
                view.camera.unwrap_or_else(|| CameraText::new(scene, &home.camera)).set(options);
            }
        }
    }

    /// Draws the tiles that begin in these rows, writes their pixels, and returns the rows that they cover.
    pub(crate) fn draw_share(&mut self, view: &View, rows: Range<u32>, pixels: &mut Vec<u8>) -> Result<Range<u32>> {
        self.look_at(Some(view));
        let Self { loaded, renderer, frame, .. } = self;
        let drawn = loaded.draw_share(renderer, frame, rows)?;
        let [start, end] = [drawn.start, drawn.end].map(|row| row as usize * view.width as usize);
        pixels.clear();
        pixels.extend(frame.pixels()[start..end].iter().flat_map(|&Srgba8 { r, g, b, a }| [r, g, b, a]));
        Ok(drawn)
    }

    /// Draws the picture with its marks; returns it, and how far the marks have moved it to the right and down.
    pub(crate) fn draw(&mut self, view: Option<&View>) -> Result<(&Frame, [i64; 2])> {
        self.look_at(view);
        let Self { loaded, renderer, frame, .. } = self;
        let drawn = loaded.draw_unless_cancelled(renderer, frame, &Default::default())?;
        Ok((frame, drawn.expect("nothing cancels it").offset))
    }

    /// Draws the marks beside a view around an empty picture; returns it, and how far the picture would be to the right
    /// and down.
    pub(crate) fn draw_marks(&mut self, view: &View) -> Result<(&Frame, [i64; 2])> {
        self.look_at(Some(view));
        let Self { loaded: LoadedScene { scene, figure, .. }, renderer, frame, .. } = self;
        *frame = Frame::new(view.width, view.height, Figure::background(scene))?;
        let offset = figure.draw_beside(renderer.budget(), scene, frame)?.offset;
        Ok((frame, offset))
    }

    /// Finds the shape that is seen in the middle of a pixel.
    pub(crate) fn pick(&mut self, view: &View, [x, y]: [u32; 2]) -> Result<Option<PickedShape>> {
        self.look_at(Some(view));
        match &self.loaded.scene {
            Scene::Spheres(scene) => {
                let index = self.renderer.sphere_at(scene, [x, y])?;
                Ok(index.and_then(|index| {
                    let PaintedSphere { center, radius, .. } = sphere(scene, index)?;
                    Some(PickedShape {
                        index: index.into(),
                        kind: "sphere",
                        center: scene.in_data(center).to_vec(),
                        radius,
                    })
                }))
            }
            Scene::Circles(_) => {
                let Home::Circles(home) = &self.home else { unreachable!("both are of one scene") };
                let ViewBox { center, height } = self.home.view_box(view);
                let scale = height / f64::from(view.height);
                let offset = |along: u32, side: u32| (f64::from(along) + 0.5 - 0.5 * f64::from(side)) * scale;
                Ok(topmost(home, [center[0] + offset(x, view.width), center[1] + offset(y, view.height)]))
            }
        }
    }
}

impl Home {
    fn of(loaded: &LoadedScene<'static>) -> Self {
        match &loaded.scene {
            Scene::Circles(scene) => {
                let mut home = scene.clone();
                // the lowest layer is the grid
                if loaded.figure.plane.is_some() {
                    home.layers.remove(0);
                }
                Self::Circles(home)
            }
            Scene::Spheres(scene) => Self::Spheres(scene.view, scene.shading),
        }
    }

    fn size(&self) -> (u32, u32) {
        match self {
            Self::Circles(scene) => (scene.canvas.width, scene.canvas.height),
            Self::Spheres(view, _) => (view.width, view.height),
        }
    }

    /// The part of the canvas in a view: all of it if the view names none.
    fn view_box(&self, view: &View) -> ViewBox {
        let (width, height) = self.size();
        let (width, height) = (f64::from(width), f64::from(height));
        let fitted = height.max(width * f64::from(view.height) / f64::from(view.width.max(1)));
        let [x, y, height] = view.view_box.unwrap_or([0.5 * width, 0.5 * height, fitted]);
        ViewBox { center: [x, y], height }
    }
}

/// A sphere around all spheres; shapes other than spheres are near them.
fn bounds(scene: &SphereScene<'_>) -> Option<([f64; 3], f64)> {
    let (mut min, mut max) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    for index in 0.. {
        let Some(PaintedSphere { center, radius, .. }) = sphere(scene, index) else { break };
        let center = DVec3::from(center.map(f64::from)) + DVec3::from(scene.origin);
        min = min.min(center - f64::from(radius));
        max = max.max(center + f64::from(radius));
    }
    (min.x <= max.x).then(|| ((0.5 * (min + max)).to_array(), 0.5 * (max - min).length()))
}

/// The sphere of this index, moved by the pose of its copy.
fn sphere(scene: &SphereScene<'_>, index: u32) -> Option<PaintedSphere> {
    let mut index = index as usize;
    for group in &scene.groups {
        let length = group.spheres.len();
        if index < length * group.poses.len() {
            let (pose, sphere) = (group.poses[index / length], group.spheres.at(index % length));
            let center = pose.rotation * roundel::glam::Vec3::from(sphere.center) + pose.translation;
            return Some(PaintedSphere { center: center.to_array(), ..sphere });
        }
        index -= length * group.poses.len();
    }
    None
}

/// The last shape in painter's order that covers a point.
fn topmost(scene: &CircleScene<'_>, point: [f64; 2]) -> Option<PickedShape> {
    let mut last = None;
    let mut index = 0;
    let mut look_at = |is_there: bool, center: [f32; 2], radius: f32, kind| {
        if is_there {
            // in the digits of the file
            let digits = |along: f32| along.to_string().parse().unwrap_or(f64::from(along));
            last = Some(PickedShape { index, kind, center: center.map(digits).to_vec(), radius });
        }
        index += 1;
    };
    for layer in &scene.layers {
        match layer {
            Layer::Circles(circles) => {
                for PaintedCircle { center, radius, .. } in circles.iter() {
                    look_at(is_within(point, *center, [*radius; 2]), *center, *radius, "circle");
                }
            }
            Layer::Ellipses(ellipses) => {
                for ellipse in ellipses.iter() {
                    let narrow = |radii: [f64; 2]| radii.map(|radius| radius as f32);
                    let (center, outer) = (ellipse.center, narrow(ellipse.outer_radii()));
                    let is_in_hole = ellipse.hole_radii().is_some_and(|hole| is_within(point, center, narrow(hole)));
                    look_at(is_within(point, center, outer) && !is_in_hole, center, outer[0].max(outer[1]), "ellipse");
                }
            }
            Layer::Segments(segments) => {
                for segment in segments.iter() {
                    let middle = std::array::from_fn(|axis| 0.5 * (segment.start[axis] + segment.end[axis]));
                    look_at(is_on_segment(segment, point), middle, 0.5 * segment.width, "segment");
                }
            }
        }
    }
    last
}

/// Whether a point is in an ellipse.
fn is_within(point: [f64; 2], center: [f32; 2], radii: [f32; 2]) -> bool {
    let away: [f64; 2] = std::array::from_fn(|axis| (point[axis] - f64::from(center[axis])) / f64::from(radii[axis]));
    away[0] * away[0] + away[1] * away[1] <= 1.0
}

/// Whether a point is within half of the width from a segment.
fn is_on_segment(segment: &PaintedSegment, point: [f64; 2]) -> bool {
    let [start, end] = [segment.start, segment.end].map(|end| end.map(f64::from));
    let [along, from] = [end, point].map(|to| [to[0] - start[0], to[1] - start[1]]);
    let length_squared = along[0] * along[0] + along[1] * along[1];
    let place = ((from[0] * along[0] + from[1] * along[1]) / length_squared.max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
    let away = [from[0] - place * along[0], from[1] - place * along[1]];
    4.0 * (away[0] * away[0] + away[1] * away[1]) <= f64::from(segment.width) * f64::from(segment.width)
}
