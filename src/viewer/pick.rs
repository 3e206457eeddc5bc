//! Which shape is under the mouse.

use glam::{DVec2, DVec3};

use super::state::Aim;
use crate::geom::{Ray, Sphere, ray_sphere};
use crate::scene::circles::{CircleScene, Layer, PaintedEllipse, ViewBox};
use crate::scene::spheres::{SphereScene, View};
use crate::scene::{Rays, Scene};

/// A shape that has been pointed at.
#[derive(Clone, Debug, PartialEq)]
pub struct Picked {
    /// Counted from 0 through the scene: layers, or groups, their poses and their spheres.
    pub index: u64,
    /// What kind of shape it is.
    pub kind: &'static str,
    /// World units, or pixels of the loaded picture.
    pub center: Vec<f32>,
    /// Of a sphere or a circle one, of an ellipse two.
    pub radii: Vec<f32>,
    /// What the file says of it, name and value.
    pub record: Vec<(String, String)>,
}

impl Picked {
    /// What is known of it, to be read by people.
    pub(super) fn lines(&self) -> Vec<String> {
        let list = |numbers: &[f32]| numbers.iter().map(f32::to_string).collect::<Vec<_>>().join(", ");
        let mut lines = vec![
            format!("{} {}", self.kind, self.index),
            format!("at {}", list(&self.center)),
            format!("radius {}", list(&self.radii)),
        ];
        lines.extend(self.record.iter().map(|(name, value)| format!("{name}: {value}")));
        lines
    }
}

/// The shape seen at a place of the window, pixels from its top-left corner: the middle of that pixel counts.
pub(super) fn pick(scene: &Scene<'_>, aim: &Aim, size: (u32, u32), cursor: [f32; 2]) -> Option<Picked> {
    let middle = cursor.map(|place| place.floor() + 0.5);
    match (scene, aim) {
        (Scene::Circles(scene), Aim::ViewBox(view_box)) => {
            let from_middle = |place: f32, side: u32| f64::from(place) - 0.5 * f64::from(side);
            let offset = DVec2::new(from_middle(middle[0], size.0), from_middle(middle[1], size.1));
            topmost(scene, view_box, offset / f64::from(size.1))
        }
        (Scene::Spheres(scene), Aim::Camera(camera)) => {
            let (width, height) = size;
            nearest(scene, &View { width, height, camera: *camera, background: scene.view.background }, middle)
        }
        _ => None,
    }
}

/// The last circle, in painter's order, that covers a place: heights of the window from its middle.
fn topmost(scene: &CircleScene<'_>, view_box: &ViewBox, offset: DVec2) -> Option<Picked> {
    let place = DVec2::from(view_box.center) + view_box.height * offset;
    let sizes = scene.layers.iter().map(|layer| match layer {
        Layer::Circles(circles) => circles.len() as u64,
        Layer::Ellipses(ellipses) => ellipses.len() as u64,
    });
    let mut end: u64 = sizes.sum();
    for layer in scene.layers.iter().rev() {
        let (found, length) = match layer {
            Layer::Circles(circles) => {
                let found = circles.iter().rposition(|circle| {
                    let radius = f64::from(circle.radius);
                    (place - dvec2(circle.center)).length_squared() <= radius * radius
                });
                (found.map(|at| (at, "circle", circles[at].center, vec![circles[at].radius])), circles.len())
            }
            Layer::Ellipses(ellipses) => {
                let found = ellipses.iter().rposition(|ellipse| covers(ellipse, place));
                (found.map(|at| (at, "ellipse", ellipses[at].center, ellipses[at].radii.to_vec())), ellipses.len())
            }
        };
        let start = end - length as u64;
        if let Some((at, kind, center, radii)) = found {
            return Some(Picked { index: start + at as u64, kind, center: center.to_vec(), radii, record: Vec::new() });
        }
        end = start;
    }
    None
}

fn covers(ellipse: &PaintedEllipse, place: DVec2) -> bool {
    let within = |radii: [f32; 2]| {
        let radii = dvec2(radii);
        radii.min_element() > 0.0 && ((place - dvec2(ellipse.center)) / radii).length_squared() <= 1.0
    };
    within(ellipse.outer_radii()) && !ellipse.hole_radii().is_some_and(within)
}

fn dvec2([x, y]: [f32; 2]) -> DVec2 {
    DVec2::new(f64::from(x), f64::from(y))
}

/// The sphere whose surface the ray through a canvas position meets first.
fn nearest(scene: &SphereScene<'_>, view: &View, [x, y]: [f32; 2]) -> Option<Picked> {
    let [origin, direction] = Rays::new(view).ray(x, y);
    let ray = Ray { origin, direction };
    let (origin, direction) = (DVec3::from(ray.origin.map(f64::from)), DVec3::from(ray.direction.map(f64::from)));
    let eye = view.camera.eye.as_dvec3();
    let mut best: Option<(f32, Picked)> = None;
    let mut start = 0;
    for group in &scene.groups {
        for pose in group.poses.iter() {
            let rotation = pose.rotation.as_dmat3();
            for (index, sphere) in group.spheres.iter().enumerate() {
                let center = rotation * DVec3::from(sphere.center.map(f64::from)) + pose.translation.as_dvec3();
                // most spheres are far from the line: the exact test is for the few others
                let offset = center - eye - origin;
                let remainder = offset - offset.dot(direction) * direction;
                let reach = f64::from(sphere.radius) + 1e-5 * offset.length();
                if remainder.length_squared() > reach * reach {
                    continue;
                }
                let seen = Sphere { center: (center - eye).as_vec3().to_array(), radius: sphere.radius };
                let Some(distance) = ray_sphere(&ray, &seen).nearest() else { continue };
                if best.as_ref().is_none_or(|(least, _)| distance < *least) {
                    let picked = Picked {
                        index: start + index as u64,
                        kind: "sphere",
                        center: center.as_vec3().to_array().to_vec(),
                        radii: vec![sphere.radius],
                        record: Vec::new(),
                    };
                    best = Some((distance, picked));
                }
            }
            start += group.spheres.len() as u64;
        }
    }
    best.map(|(_, picked)| picked)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::color::Srgba8;
    use crate::scene::circles::{Blend, Canvas, PaintedCircle, Stroke};
    use crate::scene::spheres::{Background, Camera, PaintedSphere, Pose, Projection, Shading, SphereGroup};
    use glam::{Mat3, Vec3};
    use std::borrow::Cow;

    const RED: Srgba8 = Srgba8 { r: 255, g: 0, b: 0, a: 255 };

    fn spheres(groups: Vec<SphereGroup<'static>>, projection: Projection) -> (Scene<'static>, Aim) {
        let camera = Camera { eye: Vec3::new(0.0, 0.0, 10.0), target: Vec3::ZERO, up: Vec3::Y, projection };
        let view = View { width: 100, height: 100, background: Background::Solid(RED), camera };
        let scene = SphereScene { view, groups, lights: Vec::new(), shading: Shading::default() };
        (Scene::Spheres(scene), Aim::Camera(camera))
    }

    fn sphere(x: f32, y: f32, z: f32) -> PaintedSphere {
        PaintedSphere { center: [x, y, z], radius: 1.0, color: RED }
    }

    #[test]
    fn nearest_sphere_is_picked_and_counted_through_poses() {
        let turned = Pose { rotation: Mat3::from_diagonal(Vec3::new(-1.0, -1.0, 1.0)), translation: Vec3::ZERO };
        let first = SphereGroup {
            spheres: Cow::Owned(vec![sphere(3.0, 0.0, 0.0), sphere(0.0, 0.0, 2.0)]),
            poses: Cow::Owned(vec![Pose::IDENTITY, turned]),
        };
        let second =
            SphereGroup { spheres: Cow::Owned(vec![sphere(0.0, 0.0, 4.0)]), poses: Cow::Borrowed(&[Pose::IDENTITY]) };
        for projection in
            [Projection::Orthographic { height: 10.0 }, Projection::Perspective { fov_y_radians: 0.927_295_2 }]
        {
            let (scene, aim) = spheres(vec![first.clone(), second.clone()], projection);
            let at = |x, y| pick(&scene, &aim, (100, 100), [x, y]).map(|picked| picked.index);
            assert_eq!(at(50.0, 50.0), Some(4), "the one in front");
            assert_eq!(at(80.0, 50.0), Some(0));
            assert_eq!(at(20.0, 50.0), Some(2), "the first of the second pose");
            assert_eq!(at(50.0, 5.0), None);
        }
    }

    #[test]
    fn inside_of_a_sphere_is_picked() {
        let (mut scene, aim) = spheres(Vec::new(), Projection::Perspective { fov_y_radians: 1.0 });
        assert_eq!(pick(&scene, &aim, (100, 100), [50.0, 50.0]), None);
        if let Scene::Spheres(scene) = &mut scene {
            let spheres = vec![sphere(0.0, 0.0, 20.0), sphere(0.0, 0.0, 10.5)];
            scene.groups = vec![SphereGroup { spheres: Cow::Owned(spheres), poses: Cow::Borrowed(&[Pose::IDENTITY]) }];
        }
        assert_eq!(
            pick(&scene, &aim, (100, 100), [50.0, 50.0]).map(|picked| picked.index),
            Some(1),
            "not the one behind"
        );
    }

    #[test]
    fn topmost_circle_is_picked_through_any_zoom() {
        let circle = |x, radius| PaintedCircle { center: [x, 50.0], radius, color: RED };
        let ring = PaintedEllipse::ring([50.0, 50.0], [30.0, 20.0], Stroke::new(2.0), RED);
        let canvas = Canvas { width: 100, height: 100, background: RED, blend: Blend::Srgb };
        let layers = vec![
            Layer::Circles(Cow::Owned(vec![circle(40.0, 15.0), circle(55.0, 10.0)])),
            Layer::Ellipses(Cow::Owned(vec![ring])),
        ];
        let scene = Scene::Circles(CircleScene { canvas, layers });
        for zoom in [1.0, 8.0, 1e6] {
            let at = |x: f64| {
                let aim = Aim::ViewBox(ViewBox { center: [x, 50.0], height: 100.0 / zoom });
                pick(&scene, &aim, (101, 101), [50.0, 50.0]).map(|picked| picked.index)
            };
            assert_eq!(
                [50.0, 60.0, 40.0, 20.0, 25.4, 90.0].map(at),
                [Some(1), Some(1), Some(0), Some(2), Some(0), None]
            );
        }
    }
}
