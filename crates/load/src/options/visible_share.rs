//! Warnings for pictures that show only a small part of the scene.

use std::borrow::Cow;

use glam::DVec3;
use rayon::prelude::*;

use crate::geom::{Plane, single};
use crate::options::load_options::LoadOptions;
use crate::rows::overlap::Disc;
use crate::scene::circles::{CircleScene, Layer, PaintedSegment};
use crate::scene::spheres::{Pose, Projection, SphereGroup, SphereScene};
use crate::scene::{Rays, Scene};

/// Shapes tested before counting all of them: most pictures need no more.
const SAMPLE: u64 = 4096;

/// A shape on the picture: its centre and its radii in pixels, or none if it is behind the eye.
pub(crate) type PictureExtent = Option<([f64; 2], [f64; 2])>;

/// Warns if the picture shows little of the scene. A part or a zoom leaves shapes out on purpose: then it warns if
/// nothing shows.
pub fn note_for(scene: &Scene<'_>, options: &LoadOptions) -> Option<String> {
    let LoadOptions { view_box, zoom, focus, x_range, y_range, .. } = options;
    let has_range = x_range.is_some() || y_range.is_some();
    let has_part = view_box.is_some() || zoom.is_some() || focus.is_some() || has_range;
    let of_sight = if has_part { note_of_part(scene) } else { note(scene) };
    of_sight.or_else(|| note_of_planes(scene))
}

/// Warns if planes cut away all spheres that would be in sight.
fn note_of_planes(scene: &Scene<'_>) -> Option<String> {
    let Scene::Spheres(scene) = scene else { return None };
    let has_planes = !scene.clip_planes.is_empty() || scene.depth_range.is_some();
    if !has_planes || scene.count() == 0 || !scene.shapes.is_empty() {
        return None;
    }
    let is_left = scene.groups.iter().any(|group| copies_in_picture(scene, group, 1).contains(&1));
    (!is_left).then(|| "the planes cut away all spheres".to_owned())
}

/// Warns if nine of ten shapes are out of sight, or all lie within one pixel.
fn note(scene: &Scene<'_>) -> Option<String> {
    let (width, height) = scene.size();
    let size = [f64::from(width), f64::from(height)];
    let (count, what, help) = match scene {
        Scene::Circles(scene) => {
            let count: usize = scene.layers.iter().map(Layer::len).sum();
            (count as u64, "circles", "fit = true in canvas, or a view, shows them")
        }
        Scene::Spheres(scene) => (scene.count(), "spheres", "a camera without eye and target shows them"),
    };
    let step = usize::try_from(count / SAMPLE + 1).unwrap_or(usize::MAX);
    let counted = |shapes: Box<dyn Iterator<Item = PictureExtent> + '_>| {
        shapes.fold((0_u64, 0_u64), |(seen, outside), shape| (seen + 1, outside + u64::from(is_outside(shape, size))))
    };
    let shapes = |step: usize| -> Box<dyn Iterator<Item = PictureExtent>> {
        match scene {
            Scene::Circles(scene) => Box::new(circles(scene, step)),
            Scene::Spheres(scene) => Box::new(spheres(scene, step)),
        }
    };
    let is_most = |(seen, outside): (u64, u64)| seen > 0 && 10 * outside >= 9 * seen;
    if is_most(counted(shapes(step))) {
        let (count, outside) = counted(shapes(1));
        if is_most((count, outside)) {
            return Some(format!("{outside} of {count} {what} lie outside of the picture; {help}"));
        }
    }
    let mut all = shapes(1).flatten();
    let ([x, y], _) = all.next()?;
    let is_near = |([a, b], radii): ([f64; 2], [f64; 2])| {
        (a - x).abs() < 0.5 && (b - y).abs() < 0.5 && radii.iter().all(|radius| *radius < 0.5)
    };
    (count > 1 && shapes(1).flatten().all(is_near)).then(|| format!("all {count} {what} lie within one pixel; {help}"))
}

/// Warns if a picture of a part of the scene shows no shape.
fn note_of_part(scene: &Scene<'_>) -> Option<String> {
    let (width, height) = scene.size();
    let size = [f64::from(width), f64::from(height)];
    let (is_seen, what) = match scene {
        // circles outside of the part may be missing from the scene
        Scene::Circles(scene) => (circles(scene, 1).any(|shape| !is_outside(shape, size)), "circle"),
        Scene::Spheres(scene) => {
            let has_others = scene.count() == 0 || !scene.shapes.is_empty();
            (has_others || spheres(scene, 1).any(|shape| !is_outside(shape, size)), "sphere")
        }
    };
    (!is_seen).then(|| format!("no {what} lies in this part of the picture"))
}

pub(crate) fn spheres_outside(scene: &SphereScene<'_>) -> u64 {
    let size = [f64::from(scene.view.width), f64::from(scene.view.height)];
    spheres(scene, 1).filter(|&shape| is_outside(shape, size)).count() as u64
}

pub(crate) fn is_outside(shape: PictureExtent, size: [f64; 2]) -> bool {
    shape.is_none_or(|(center, radii)| {
        (0..2).any(|axis| center[axis] + radii[axis] <= 0.0 || center[axis] - radii[axis] >= size[axis])
    })
}

/// Every `step`th shape of each layer.
fn circles<'a>(scene: &'a CircleScene<'_>, step: usize) -> impl Iterator<Item = PictureExtent> + 'a {
    scene.layers.iter().flat_map(move |layer| -> Box<dyn Iterator<Item = PictureExtent> + 'a> {
        match layer {
            Layer::Circles(circles) => {
                Box::new(circles.iter().step_by(step).map(|circle| shown(circle.center, [circle.radius; 2])))
            }
            Layer::Ellipses(ellipses) => Box::new(
                ellipses.iter().step_by(step).map(|ellipse| shown(ellipse.center, ellipse.outer_radii().map(single))),
            ),
            Layer::Segments(segments) => {
                Box::new(segments.iter().step_by(step).map(|PaintedSegment { start, end, width, .. }| {
                    let center = [0, 1].map(|axis| 0.5 * (start[axis] + end[axis]));
                    shown(center, [0, 1].map(|axis| 0.5 * ((end[axis] - start[axis]).abs() + width)))
                }))
            }
        }
    })
}

/// The extent of a flat shape.
pub(crate) fn shown(center: [f32; 2], radii: [f32; 2]) -> PictureExtent {
    Some((center.map(f64::from), radii.map(f64::from)))
}

/// Every `step`th sphere of each group, copies included, on the picture; radii are upper bounds.
fn spheres<'a>(scene: &'a SphereScene<'_>, step: usize) -> impl Iterator<Item = PictureExtent> + 'a {
    let project = projection(scene);
    scene.groups.iter().flat_map(move |group| {
        let spheres = group.spheres.slice();
        let instances = (0..spheres.len() * group.poses.len()).step_by(step);
        instances.map(move |index| {
            let (center, radius) = spheres.body(index % spheres.len());
            project(group.poses[index / spheres.len()].apply(center), radius)
        })
    })
}

/// How many copies of each sphere of a group are in the picture, at most `most`: in front of the camera, and not wholly
/// cut away. Others may hide them.
pub(crate) fn copies_in_picture(scene: &SphereScene<'_>, group: &SphereGroup<'_>, most: usize) -> Vec<u64> {
    let (project, planes) = (projection(scene), scene.planes_before(&scene.view));
    let size = [f64::from(scene.view.width), f64::from(scene.view.height)];
    let spheres = group.spheres.slice();
    let is_left = |center: [f32; 3], radius: f32| {
        planes.iter().all(|plane| {
            let Plane { normal, offset } = plane.boundary;
            DVec3::from(center.map(f64::from)).dot(normal.as_dvec3()) - f64::from(radius) < f64::from(offset)
        })
    };
    let is_shown = |sphere: usize, pose: &Pose| {
        let (center, radius) = spheres.body(sphere);
        let center = pose.apply(center);
        is_left(center, radius) && !is_outside(project(center, radius), size)
    };
    let copies = |sphere: usize| group.poses.iter().filter(|pose| is_shown(sphere, pose)).take(most).count() as u64;
    (0..spheres.len()).map(copies).collect()
}

/// The discs of the spheres of a group in the picture, copy after copy: a circle of the radius at the depth of the centre.
/// Centres behind the eye, and on the far side of a plane that cuts, are NaN.
pub(crate) fn discs_in_picture(scene: &SphereScene<'_>, group: &SphereGroup<'_>) -> Vec<Disc> {
    let (project, planes) = (projection(scene), scene.planes_before(&scene.view));
    let spheres = group.spheres.slice();
    let is_left = |center: [f32; 3]| {
        planes.iter().all(|plane| {
            let Plane { normal, offset } = plane.boundary;
            DVec3::from(center.map(f64::from)).dot(normal.as_dvec3()) < f64::from(offset)
        })
    };
    let disc = |index: usize| {
        let (center, radius) = spheres.body(index % spheres.len());
        let center = group.poses[index / spheres.len()].apply(center);
        let place = project(center, 0.0).filter(|_| is_left(center));
        let Some((place, _)) = place.filter(|(_, radii)| radii[0].is_finite()) else { return ([f32::NAN; 2], 0.0) };
        let seen = project(center, radius).map_or(0.0, |(_, radii)| radii[0]);
        (place.map(single), single(if seen.is_finite() { seen } else { 0.0 }))
    };
    (0..spheres.len() * group.poses.len()).into_par_iter().with_min_len(1 << 12).map(disc).collect()
}

/// The least and the greatest depth, in front of the eye, that shapes in the picture can show; `None` if there are
/// none. Of opaque spheres that nothing cuts, only the half that faces the eye shows.
pub(crate) fn depths_in_picture(scene: &SphereScene<'_>) -> Option<[f64; 2]> {
    let (project, rays) = (projection(scene), Rays::new(&scene.view));
    let size = [f64::from(scene.view.width), f64::from(scene.view.height)];
    let axis = |axis: [f32; 3]| DVec3::from(axis.map(f64::from));
    let (eye, [.., forward]) = (axis(rays.eye), rays.frame);
    let is_whole = scene.clip_planes.is_empty() && scene.depth_range.is_none();
    let own = scene.groups.iter().map(|group| (Cow::Borrowed(group), is_whole));
    let hulls = scene.shapes.hulls().into_iter().map(|hull| (Cow::Owned(hull), false));
    let mut found: Option<[f64; 2]> = None;
    for (group, is_whole) in own.chain(hulls) {
        let spheres = group.spheres.slice();
        for index in 0..spheres.len() * group.poses.len() {
            let (center, radius) = spheres.body(index % spheres.len());
            let center = group.poses[index / spheres.len()].apply(center);
            if is_outside(project(center, radius), size) {
                continue;
            }
            let (depth, radius) = ((axis(center) - eye).dot(forward), f64::from(radius));
            let shows_front = is_whole && depth > radius && group.spheres.at(index % spheres.len()).color.a == u8::MAX;
            let far = if shows_front { depth } else { depth + radius };
            let [least, most] = found.unwrap_or([f64::INFINITY, f64::NEG_INFINITY]);
            found = Some([least.min(depth - radius), most.max(far)]);
        }
    }
    found
}

/// Projects spheres, by centre and radius, to the picture of a scene's camera.
fn projection(scene: &SphereScene<'_>) -> impl Fn([f32; 3], f32) -> PictureExtent + Copy + use<> {
    let rays = Rays::new(&scene.view);
    let axis = |axis: [f32; 3]| DVec3::from(axis.map(f64::from));
    let (eye, [right, up, forward]) = (axis(rays.eye), rays.frame);
    let (middle, slope) = (rays.middle.map(f64::from), f64::from(rays.step));
    let is_parallel = matches!(scene.view.camera.projection, Projection::Orthographic { .. });
    move |center: [f32; 3], radius: f32| {
        let place = axis(center) - eye;
        let (depth, radius) = (place.dot(forward), f64::from(radius));
        if is_parallel {
            let pixels = 1.0 / slope;
            let center = [middle[0] + place.dot(right) * pixels, middle[1] - place.dot(up) * pixels];
            return (depth > -radius).then_some((center, [radius * pixels; 2]));
        }
        if depth <= radius {
            // a sphere around the eye may show anywhere, one behind it nowhere
            return (depth > -radius).then_some((middle, [f64::INFINITY; 2]));
        }
        let pixels = 1.0 / (slope * depth);
        let center = [middle[0] + place.dot(right) * pixels, middle[1] - place.dot(up) * pixels];
        // perspective stretches spheres towards the edge of the picture
        let slant = place.length() / depth;
        let grown = radius * pixels * slant * depth / (depth - radius);
        Some((center, [grown; 2]))
    }
}
