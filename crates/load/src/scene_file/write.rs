//! Scenes as the text of scene files.

use std::fmt::Write;

use crate::color::Srgba8;
use crate::error::{Error, Result};
use crate::geom::{Caps, Cylinder, Origin, TurnedEllipsoid, single};
use crate::scene::circles::{Blend, Canvas, CircleScene, Layer, PaintedCircle, PaintedEllipse, PaintedSegment, Style};
use crate::scene::ellipsoids::PaintedEllipsoid;
use crate::scene::spheres::{
    AmbientOcclusion, Anchor, Background, Camera, DirectionalLight, Gloss, Light, PaintedSphere, Pose, Projection,
    Shading, ShapeGroup, Shapes, SphereGroup, SphereScene,
};
use crate::scene::{NUMBERS, Placeable, Scene, degrees};

/// The text of a scene file, TOML, that draws the same picture, with every shape written out.
///
/// Shapes that draw nothing are left out. Poses are applied to the shapes, which may change the last bit of a
/// coordinate.
///
/// # Errors
/// If scene files have no key for a part of the scene: cones, or outlines between groups, or between the parts or
/// copies of a group.
///
/// ```
/// # use roundel_load as roundel;
/// use roundel::circles::{CircleScene, PaintedCircle};
/// use roundel::{Srgba8, io};
///
/// let coin = vec![PaintedCircle::new([16.0, 12.0], 8.0, Srgba8::BLACK)];
/// let text = io::scene_to_toml(&CircleScene::new(32, 24).with_layer(coin).into())?;
/// assert!(text.contains("[[circle]]\ncenter = [16.0, 12.0]\nradius = 8.0\nfill = \"#000000\"\n"));
/// # Ok::<(), roundel::Error>(())
/// ```
pub fn scene_to_toml(scene: &Scene<'_>) -> Result<String> {
    match scene {
        Scene::Circles(scene) => Ok(circles(scene)),
        Scene::Spheres(scene) => spheres(scene),
    }
}

/// Text with a key and a value, or a table header, per line.
#[derive(Debug, Default)]
struct TomlText(String);

impl TomlText {
    fn head(&mut self, head: &str) {
        let gap = if self.0.is_empty() { "" } else { "\n" };
        self.line(&format_args!("{gap}{head}"));
    }

    /// A number, a switch, or numbers in brackets, in the fewest digits that round-trip.
    fn value(&mut self, key: &str, value: &impl std::fmt::Debug) {
        self.line(&format_args!("{key} = {value:?}"));
    }

    fn text(&mut self, key: &str, value: &impl std::fmt::Display) {
        self.line(&format_args!("{key} = \"{value}\""));
    }

    /// A value, unless it is the usual one.
    fn unless<T: PartialEq + std::fmt::Debug>(&mut self, key: &str, value: &T, usual: &T) {
        if value != usual {
            self.value(key, value);
        }
    }

    fn line(&mut self, line: &std::fmt::Arguments<'_>) {
        // writing to a String cannot fail
        let _ = writeln!(self.0, "{line}");
    }
}

fn circles(scene: &CircleScene<'_>) -> String {
    let mut text = TomlText::default();
    let Canvas { width, height, background, blend } = scene.canvas;
    text.head("[canvas]");
    text.value("width", &width);
    text.value("height", &height);
    text.text("background", &background);
    if blend == Blend::Linear {
        text.text("blend", &"linear");
    }
    for layer in &scene.layers {
        match layer {
            Layer::Circles(circles) => circles.iter().for_each(|circle| write_circle(&mut text, circle)),
            Layer::Ellipses(ellipses) => ellipses.iter().for_each(|ellipse| write_ellipse(&mut text, ellipse)),
            Layer::Segments(segments) => segments.iter().for_each(|segment| write_segment(&mut text, segment)),
        }
    }
    text.0
}

fn write_circle(text: &mut TomlText, &PaintedCircle { center, radius, color }: &PaintedCircle) {
    if is_shape(&center, &[radius]) {
        text.head("[[circle]]");
        text.value("center", &center);
        text.value("radius", &radius);
        text.text("fill", &color);
    }
}

fn write_segment(text: &mut TomlText, &PaintedSegment { start, end, width, color }: &PaintedSegment) {
    if is_shape(&[start, end].concat(), &[width]) {
        text.head("[[segment]]");
        text.value("start", &start);
        text.value("end", &end);
        text.value("width", &width);
        text.text("color", &color);
    }
}

fn write_ellipse(text: &mut TomlText, &PaintedEllipse { center, radii, style, color }: &PaintedEllipse) {
    let width = if let Style::Stroke(stroke) = style { stroke.width } else { 0.0 };
    if is_shape(&center, &[single(radii[0]), single(radii[1]), width]) {
        text.head("[[circle]]");
        text.value("center", &center);
        text.value("radii", &radii);
        if let Style::Stroke(stroke) = style {
            text.line(&format_args!("stroke = {{ color = \"{color}\", width = {:?} }}", stroke.width));
        } else {
            text.text("fill", &color);
        }
    }
}

fn spheres(scene: &SphereScene<'_>) -> Result<String> {
    let has_parts = |SphereGroup { parts, poses, .. }: &SphereGroup<'_>| {
        // each copy has parts of its own
        parts.iter().any(|part| *part != parts[0]) || (!parts.is_empty() && poses.len() > 1)
    };
    // parts matter to outlines alone, which also separate groups and copies
    let is_outlined = scene.shading.outline_width.is_none_or(|width| width > 0.0);
    let filled = scene.groups.iter().filter(|group| !group.spheres.is_empty());
    let copies: usize = filled.map(|group| group.poses.len()).sum();
    if is_outlined && (copies > 1 || scene.groups.iter().any(has_parts)) {
        return Err(Error::setting("scene", "has parts, such as chains, for which scene files have no key"));
    }
    let mut text = TomlText::default();
    let (view, origin) = (&scene.view, Origin::at(scene.origin));
    let Camera { eye, target, up, projection, .. } = view.camera;
    text.head("[camera]");
    text.value("eye", &scene.in_data(eye));
    text.value("target", &scene.in_data(target));
    text.value("up", &up.to_array());
    match projection {
        Projection::Perspective { fov_y_radians } => text.value("fov", &degrees(fov_y_radians)),
        Projection::Orthographic { height } => text.value("ortho_height", &height),
    }
    text.value("width", &view.width);
    text.value("height", &view.height);
    match view.background {
        Background::Solid(color) => text.text("background", &color),
        Background::Gradient { bottom, top } => {
            text.line(&format_args!("background = {{ bottom = \"{bottom}\", top = \"{top}\" }}"));
        }
    }
    if !scene.clip_planes.is_empty() {
        let planes = scene.clip_planes.iter().map(|plane| plane.in_data(origin).to_string());
        text.value("clip", &planes.collect::<Vec<_>>());
    }
    if let Some(slab) = scene.depth_range {
        text.value("slab", &slab);
    }
    write_shading(&mut text, &scene.shading);
    for light in &scene.lights {
        let Light::Directional(light) = light else {
            return Err(Error::setting("scene", "has lights for which scene files have no key"));
        };
        write_light(&mut text, light);
    }
    write_shapes(&mut text, &scene.shapes, origin)?;
    for SphereGroup { spheres, poses, gloss, .. } in &scene.groups {
        for pose in poses.iter() {
            let of = |index: usize| gloss.get(index).copied().flatten();
            for (index, sphere) in spheres.iter().enumerate() {
                write_sphere(&mut text, &sphere, pose, origin, of(index));
            }
        }
    }
    Ok(text.0)
}

fn write_shading(text: &mut TomlText, shading: &Shading) {
    let usual = Shading::preset(shading.look);
    let Shading { samples, look, ambient_occlusion, ao_distance, shadows, ambient, .. } = *shading;
    let Shading { outline_color, transparency, seed, .. } = *shading;
    text.head("[render]");
    text.text("look", &look);
    text.value("samples", &samples);
    match ambient_occlusion {
        AmbientOcclusion::Smooth => text.text("ao", &"smooth"),
        off_or_rays => text.value("ao", &off_or_rays.rays()),
    }
    text.unless("ao_distance", &ao_distance, &usual.ao_distance);
    text.unless("shadows", &shadows, &usual.shadows);
    text.unless("ambient", &ambient, &usual.ambient);
    for number in &NUMBERS {
        let (own, usual) = ((number.get)(shading), (number.get)(&usual));
        if let Some(own) = own.filter(|own| Some(*own) != usual) {
            text.value(number.name, &own);
        }
    }
    if outline_color != usual.outline_color {
        text.text("outline_color", &outline_color);
    }
    if transparency != usual.transparency {
        text.text("transparency", &transparency);
    }
    text.unless("seed", &seed, &usual.seed);
}

fn write_light(text: &mut TomlText, light: &DirectionalLight) {
    let &DirectionalLight { direction, color, intensity, angle_radians, anchor, .. } = light;
    text.head("[[light]]");
    text.value("direction", &direction.to_array());
    if color != Srgba8::WHITE {
        text.text("color", &color);
    }
    text.value("intensity", &intensity);
    text.unless("angle", &degrees(angle_radians), &0.0);
    if anchor == Anchor::Camera {
        text.text("anchor", &"camera");
    }
}

/// Cylinders and ellipsoids; there is no key for cones.
fn write_shapes(text: &mut TomlText, shapes: &Shapes<'_>, origin: Origin) -> Result<()> {
    if shapes.cones.iter().any(|group| group.count() > 0) {
        return Err(Error::setting("scene", "has cones, for which scene files have no key"));
    }
    for group in &shapes.cylinders {
        for (pose, shape, gloss) in placed(group) {
            let Cylinder { start, end, radius, caps } = shape.placed(pose, [0.0; 3]);
            if !is_shape(&[start, end].concat(), &[radius]) {
                continue;
            }
            text.head("[[cylinder]]");
            text.value("start", &origin.added_short(start));
            text.value("end", &origin.added_short(end));
            text.value("radius", &radius);
            if caps == Caps::Round {
                text.text("caps", &"round");
            }
            text.text("color", &shape.colors[0]);
            if shape.colors[1] != shape.colors[0] {
                text.text("color2", &shape.colors[1]);
            }
            write_gloss(text, gloss);
        }
    }
    for group in &shapes.ellipsoids {
        for (pose, shape, gloss) in placed(group) {
            let TurnedEllipsoid { center, radii, .. } = shape.placed(pose, [0.0; 3]);
            let rotation = shape.rotation_in(pose);
            if is_shape(&[&center[..], &rotation].concat(), &radii) && rotation != [0.0; 4] {
                text.head("[[ellipsoid]]");
                text.value("center", &origin.added_short(center));
                text.value("radii", &radii);
                text.unless("rotation", &rotation, &PaintedEllipsoid::UNTURNED);
                text.text("color", &shape.color);
                write_gloss(text, gloss);
            }
        }
    }
    Ok(())
}

/// The shapes of a group with their highlights, once per pose.
fn placed<'b, T: Clone>(group: &'b ShapeGroup<'_, T>) -> impl Iterator<Item = (&'b Pose, &'b T, Option<Gloss>)> {
    let gloss = |index: usize| group.gloss.get(index).copied().flatten();
    let shapes = move |pose| group.shapes.iter().enumerate().map(move |(index, shape)| (pose, shape, gloss(index)));
    group.poses.iter().flat_map(shapes)
}

fn write_gloss(text: &mut TomlText, gloss: Option<Gloss>) {
    match gloss {
        Some(Gloss { specular, roughness: Some(roughness), .. }) => text.value("gloss", &[specular, roughness]),
        Some(Gloss { specular, .. }) => text.value("gloss", &specular),
        None => {}
    }
}

fn write_sphere(
    text: &mut TomlText,
    &PaintedSphere { center, radius, color }: &PaintedSphere,
    pose: &Pose,
    origin: Origin,
    gloss: Option<Gloss>,
) {
    let center = if *pose == Pose::IDENTITY { center } else { pose.apply(center) };
    if is_shape(&center, &[radius]) {
        text.head("[[sphere]]");
        text.value("center", &origin.added_short(center));
        text.value("radius", &radius);
        text.text("color", &color);
        write_gloss(text, gloss);
    }
}

/// Whether a shape can be drawn: its numbers are finite and its lengths not negative.
fn is_shape(center: &[f32], lengths: &[f32]) -> bool {
    center.iter().all(|part| part.is_finite()) && lengths.iter().all(|length| length.is_finite() && *length >= 0.0)
}
