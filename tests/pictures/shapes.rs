//! Cylinders, ellipsoids and cones against an oracle in `f64` that only tests whether a point is inside.
//!
//! Each solid is convex, and so is its gauge along a ray: 0 at the surface, negative inside. A ternary search finds the
//! least gauge, bisection the surface. A depth is right if it is between the depths of the solid grown and shrunk by
//! 1/512 of a pixel.

use glam::{DVec3, Quat, Vec3};
use roundel::arrows::{PaintedArrow, PaintedCone};
use roundel::cylinders::{Caps, PaintedCylinder};
use roundel::ellipsoids::PaintedEllipsoid;
use roundel::geom::Plane;
use roundel::spheres::{
    Camera, DirectionalLight, Light, PaintedSphere, Pose, Projection, Shading, ShapeGroup, SphereScene, View,
};
use roundel::{GBuffer, RenderSettings, Renderer, Scene, Srgba8, render};

use super::pixels::{ExactView, assert_settings_change_no_byte, drawn, single};
use crate::oracle::random::Random;

/// The share of a pixel by which silhouettes and depths may be off.
const TOLERANCE: f64 = 1.0 / 512.0;

#[derive(Clone, Copy, Debug)]
pub(crate) enum Solid {
    Sphere(DVec3, f64),
    Cylinder { start: DVec3, end: DVec3, radius: f64, caps: Caps },
    Cone { base: DVec3, apex: DVec3, radius: f64 },
    Ellipsoid { center: DVec3, axes: [DVec3; 3], radii: [f64; 3] },
}

fn wide(point: [f32; 3]) -> DVec3 {
    DVec3::from(point.map(f64::from))
}

impl Solid {
    /// At most 0 inside the solid grown by `by`; convex.
    fn gauge(&self, p: DVec3, by: f64) -> f64 {
        match *self {
            Self::Sphere(center, radius) => p.distance(center) - radius - by,
            Self::Cylinder { start, end, radius, caps } => {
                let (length, axis) = ((end - start).length(), (end - start).normalize_or(DVec3::Z));
                let along = (p - start).dot(axis);
                match caps {
                    Caps::Round => p.distance(start + axis * along.clamp(0.0, length)) - radius - by,
                    Caps::Flat => {
                        let across = p.distance(start + axis * along) - radius;
                        across.max(-along).max(along - length) - by
                    }
                }
            }
            Self::Cone { base, apex, radius } => {
                let (height, axis) = ((base - apex).length(), (base - apex).normalize_or(DVec3::Z));
                let along = (p - apex).dot(axis);
                let across = p.distance(apex + axis * along) - along * radius / height;
                (across * height / libm::hypot(height, radius)).max(along - height) - by
            }
            Self::Ellipsoid { center, axes, radii } => {
                let radii = radii.map(|radius| radius + by);
                if radii.iter().any(|&radius| radius <= 0.0) {
                    return f64::INFINITY;
                }
                let along = |axis: usize| (p - center).dot(axes[axis]) / radii[axis];
                DVec3::new(along(0), along(1), along(2)).length() - 1.0
            }
        }
    }

    fn center(&self) -> DVec3 {
        match *self {
            Self::Sphere(center, _) | Self::Ellipsoid { center, .. } => center,
            Self::Cylinder { start, end, .. } => (start + end) / 2.0,
            Self::Cone { base, apex, .. } => (base + apex) / 2.0,
        }
    }

    fn size(&self) -> f64 {
        match *self {
            Self::Sphere(_, radius) => radius,
            Self::Ellipsoid { radii, .. } => radii[0].max(radii[1]).max(radii[2]),
            Self::Cylinder { start, end, radius, .. } => start.distance(end) / 2.0 + radius,
            Self::Cone { base, apex, radius } => base.distance(apex) / 2.0 + radius,
        }
    }

    /// The distances at which a line enters and leaves the solid grown by `by`; infinite for a miss.
    pub(crate) fn span(&self, origin: DVec3, direction: DVec3, by: f64) -> [f64; 2] {
        let gauge = |t: f64| self.gauge(origin + direction * t, by);
        let middle = (self.center() - origin).dot(direction);
        let reach = 2.0 * self.size() + by.abs();
        let (mut low, mut high) = (middle - reach, middle + reach);
        let (far_low, far_high) = (low, high);
        for _ in 0..200 {
            let (a, b) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
            if gauge(a) < gauge(b) { high = b } else { low = a }
        }
        let inside = (low + high) / 2.0;
        if gauge(inside) > 0.0 {
            return [f64::INFINITY; 2];
        }
        let halve = |mut outside: f64, mut inside: f64| {
            for _ in 0..80 {
                let t = (outside + inside) / 2.0;
                if gauge(t) > 0.0 { outside = t } else { inside = t }
            }
            inside
        };
        [halve(far_low, inside), halve(far_high, inside)]
    }

    /// The distance at which a ray first hits the surface of the solid grown by `by`; infinite for a miss.
    fn distance(&self, origin: DVec3, direction: DVec3, by: f64) -> f64 {
        let [enter, exit] = self.span(origin, direction, by);
        if enter >= 0.0 {
            enter
        } else if exit >= 0.0 {
            exit
        } else {
            f64::INFINITY
        }
    }
}

/// The solids of a scene, copies included.
pub(crate) fn solids(scene: &SphereScene<'_>) -> Vec<Solid> {
    let mut solids = Vec::new();
    for group in &scene.groups {
        solids.extend(group.spheres.iter().map(|sphere| Solid::Sphere(wide(sphere.center), f64::from(sphere.radius))));
    }
    let place = |pose: &Pose, p: [f32; 3]| pose.rotation.as_dmat3() * wide(p) + pose.translation.as_dvec3();
    for group in &scene.shapes.cylinders {
        for pose in group.poses.iter() {
            solids.extend(group.shapes.iter().map(|shape| Solid::Cylinder {
                start: place(pose, shape.start),
                end: place(pose, shape.end),
                radius: f64::from(shape.radius),
                caps: shape.caps,
            }));
        }
    }
    for group in &scene.shapes.ellipsoids {
        for pose in group.poses.iter() {
            solids.extend(group.shapes.iter().map(|shape| {
                let turn = Quat::from_array(shape.rotation).as_dquat().normalize();
                Solid::Ellipsoid {
                    center: place(pose, shape.center),
                    axes: [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| pose.rotation.as_dmat3() * (turn * axis)),
                    radii: shape.radii.map(f64::from),
                }
            }));
        }
    }
    for group in &scene.shapes.cones {
        for pose in group.poses.iter() {
            solids.extend(group.shapes.iter().map(|shape| Solid::Cone {
                base: place(pose, shape.base),
                apex: place(pose, shape.apex),
                radius: f64::from(shape.radius),
            }));
        }
    }
    solids
}

/// Compares every depth of a picture with the oracle's; returns how many pixels show something.
fn check(name: &str, scene: &SphereScene<'_>) -> usize {
    let solids = solids(scene);
    let renderer = Renderer::new(&RenderSettings::default().with_threads(1));
    let found = renderer.and_then(|mut renderer| renderer.gbuffer(&Scene::Spheres(scene.clone())));
    let found = found.expect("a valid scene draws").expect("a scene in space");
    let view = ExactView::new(&scene.view);
    let mut shown = 0;
    for (pixel, &depth) in found.depths.iter().enumerate() {
        let at = u32::try_from(pixel).expect("a small picture");
        let (x, y) = (at % scene.view.width, at / scene.view.width);
        let (origin, direction) = view.ray(f64::from(x) + 0.5, f64::from(y) + 0.5);
        let (mut least, mut most) = (f64::INFINITY, f64::INFINITY);
        for solid in &solids {
            let away = if view.is_parallel { 1.0 } else { solid.center().distance(origin).max(solid.size()) };
            let by = TOLERANCE * view.step * away;
            let ends = [solid.distance(origin, direction, by), solid.distance(origin, direction, -by)];
            // an eye between both surfaces may see either side
            let is_between = solid.gauge(origin, by) <= 0.0 && solid.gauge(origin, -by) > 0.0;
            least = if is_between { 0.0 } else { least.min(ends[0].min(ends[1])) };
            most = most.min(ends[0].max(ends[1]));
        }
        let distance = f64::from(depth) / direction.dot(view.forward);
        let slack = 1e-6 * distance;
        assert!(
            (depth == f32::INFINITY && most == f64::INFINITY)
                || (distance + slack >= least && distance - slack <= most),
            "{name}: pixel {x}, {y}: {distance} is not in {least} to {most}"
        );
        assert_eq!(depth == f32::INFINITY, found.spheres[pixel] == GBuffer::NONE);
        shown += usize::from(depth < f32::INFINITY);
    }
    shown
}

fn point(random: &mut Random, reach: f64) -> [f32; 3] {
    std::array::from_fn(|_| random.within(-reach, reach))
}

/// Some shapes of every kind within `reach`.
fn mixed<'a>(random: &mut Random, view: View, (count, reach): (usize, f64)) -> SphereScene<'a> {
    let mut cylinders = Vec::new();
    let (mut ellipsoids, mut cones, mut spheres) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..count {
        let [a, b] = [point(random, reach), point(random, reach)];
        let caps = if random.unit() < 0.5 { Caps::Flat } else { Caps::Round };
        let rod = PaintedCylinder::new(a, b, random.within(0.01 * reach, 0.3 * reach), random.color(255));
        cylinders.push(rod.with_caps(caps).with_end_color(random.color(255)));
        let radii = std::array::from_fn(|_| random.within(0.02 * reach, 0.5 * reach));
        let turn: [f32; 4] = std::array::from_fn(|_| random.within(-1.0, 1.0));
        ellipsoids.push(PaintedEllipsoid::new(point(random, reach), radii, random.color(255)).with_rotation(turn));
        let [a, b] = [point(random, reach), point(random, reach)];
        cones.push(PaintedCone::new(a, b, random.within(0.01 * reach, 0.4 * reach), random.color(255)));
        spheres.push(PaintedSphere::new(point(random, reach), random.within(0.0, 0.2 * reach), random.color(255)));
    }
    let scene = SphereScene::from(view).with_spheres(spheres);
    scene.with_cylinders(cylinders).with_ellipsoids(ellipsoids).with_cones(cones)
}

fn view(eye: [f32; 3], projection: Projection) -> View {
    View::new(Camera::look_at(eye, Vec3::ZERO).with_projection(projection), 64, 48)
}

const PERSPECTIVE: Projection = Projection::Perspective { fov_y_radians: 0.7 };

#[test]
fn depths_are_those_of_the_oracle() {
    let mut random = Random::new(1);
    let mut shown = 0;
    for round in 0..12 {
        let reach = [1.0, 1e-3, 1e4][round % 3];
        let away = [5.0, 40.0, 1.2, 0.3][round % 4] * reach;
        let eye = point(&mut random, 1.0);
        let eye = Vec3::from(eye).normalize_or(Vec3::Z) * single(away);
        let parallel = Projection::Orthographic { height: single(2.5 * reach) };
        for projection in [PERSPECTIVE, parallel] {
            let scene = mixed(&mut random, view(eye.to_array(), projection), (6, reach));
            shown += check(&format!("round {round}"), &scene);
        }
    }
    assert!(shown > 10_000, "{shown} pixels say little");
}

/// A shape of each kind around an eye.
fn rooms(color: Srgba8) -> [SphereScene<'static>; 4] {
    let view = View::new(Camera::look_at([0.1, 0.05, 0.2], [1.0, 0.3, -0.5]), 48, 36);
    let scene = || SphereScene::from(view);
    let rod = PaintedCylinder::new([-1.0, 0.0, 0.0], [2.0, 0.5, 0.0], 0.8, color);
    [
        scene().with_cylinders(vec![rod]),
        scene().with_cylinders(vec![rod.with_caps(Caps::Round)]),
        scene().with_ellipsoids(vec![PaintedEllipsoid::new([0.0; 3], [2.0, 1.0, 0.7], color)]),
        scene().with_cones(vec![PaintedCone::new([-2.0, 0.0, 0.0], [2.0, 0.0, 0.0], 2.0, color)]),
    ]
}

#[test]
fn eye_inside_of_each_shape_sees_its_far_side() {
    for (index, scene) in rooms(Srgba8::BLACK).into_iter().enumerate() {
        assert_eq!(check(&format!("shape {index}"), &scene), 48 * 36);
    }
}

#[test]
fn no_light_enters_a_closed_shape() {
    for (index, scene) in rooms(Srgba8::WHITE).into_iter().enumerate() {
        let mut open = scene.clone();
        open.shading = Shading::default().with_ambient(1.0).with_ao_rays(16);
        let lamps = [[0.3, -0.5, -1.0], [-1.0, 0.0, 0.2]].map(DirectionalLight::new);
        let mut lit = scene.with_lights(lamps.map(Light::from));
        lit.shading = Shading::default().with_ambient(0.0).with_shadows();
        for scene in [&open, &lit] {
            assert!(drawn(scene).pixels().iter().all(|pixel| pixel.r == 0), "shape {index}");
        }
        // rays that end before the far wall
        open.shading.ao_distance = 1e-4;
        let bright = drawn(&open).pixels().iter().filter(|pixel| pixel.r == 255).count();
        assert!(bright * 100 >= 48 * 36 * 95, "{bright} pixels of shape {index} are open");
    }
}

#[test]
fn the_inside_of_an_ellipsoid_is_that_of_a_sphere() {
    for (color, eye, distances) in [
        (Srgba8::WHITE, [0.3, 0.0, 0.0], [1.0, 9.0, 17.0]),
        (Srgba8::rgba(255, 255, 255, 128), [0.0, 0.0, 50.0], [1.0, 9.0, f32::INFINITY]),
    ] {
        let view = View::new(Camera::look_at(eye, [5.0, 0.0, 0.0]), 24, 24);
        let ball = PaintedSphere { center: [0.0; 3], radius: 9.0, color };
        let mut sphere = SphereScene::from(view).with_spheres(vec![ball]);
        let mut ellipsoid =
            SphereScene::from(view).with_ellipsoids(vec![PaintedEllipsoid::new([0.0; 3], [9.0; 3], color)]);
        for distance in distances {
            let mut shading = Shading::default().with_ambient(1.0).with_ao_rays(64);
            shading.ao_distance = distance;
            (sphere.shading, ellipsoid.shading) = (shading, shading);
            let (expected, found) = (drawn(&sphere), drawn(&ellipsoid));
            let pairs = expected.pixels().iter().zip(found.pixels());
            let differ = pairs.filter(|(one, other)| one.r.abs_diff(other.r) > 3).count();
            assert!(differ <= 6, "{differ} pixels differ at {distance}");
        }
    }
}

#[test]
fn copies_are_placed_by_their_poses() {
    let mut random = Random::new(5);
    let turn = glam::Mat3::from_quat(Quat::from_xyzw(0.1, 0.5, -0.2, 0.8).normalize());
    let poses = vec![
        Pose::IDENTITY,
        Pose { rotation: turn, translation: Vec3::new(1.5, 0.0, 0.5) },
        Pose { rotation: glam::Mat3::from_diagonal(Vec3::new(-1.0, 1.0, 1.0)), translation: Vec3::new(-1.5, 0.3, 0.0) },
    ];
    let shapes = mixed(&mut random, view([0.0, 1.0, 6.0], PERSPECTIVE), (3, 1.0)).shapes;
    let mut scene = SphereScene::from(view([0.0, 1.0, 6.0], PERSPECTIVE));
    scene.shapes.cylinders.push(ShapeGroup::new(shapes.cylinders[0].shapes.to_vec(), poses.clone()));
    scene.shapes.ellipsoids.push(ShapeGroup::new(shapes.ellipsoids[0].shapes.to_vec(), poses.clone()));
    scene.shapes.cones.push(ShapeGroup::new(shapes.cones[0].shapes.to_vec(), poses));
    assert!(check("copies", &scene) > 500);
}

#[test]
fn degenerate_shapes_draw_nothing_or_what_is_left_of_them() {
    let view = view([0.0, 0.0, 5.0], PERSPECTIVE);
    let black = Srgba8::BLACK;
    let nothing = SphereScene::from(view)
        .with_cylinders(vec![
            PaintedCylinder::new([0.0; 3], [0.0; 3], 1.0, black),
            PaintedCylinder::new([f32::NAN; 3], [1.0; 3], 1.0, black),
            PaintedCylinder::new([0.0; 3], [f32::INFINITY; 3], 1.0, black).with_caps(Caps::Round),
            PaintedCylinder::new([0.0; 3], [1.0; 3], -1.0, black),
            PaintedCylinder::new([0.0; 3], [1.0; 3], 0.0, black),
        ])
        .with_ellipsoids(vec![
            PaintedEllipsoid::new([0.0; 3], [1.0, 0.0, 0.0], black),
            PaintedEllipsoid::new([0.0; 3], [1.0, f32::NAN, 1.0], black),
            PaintedEllipsoid::new([0.0; 3], [1.0, -1.0, 1.0], black),
            PaintedEllipsoid::new([0.0; 3], [1.0; 3], black).with_rotation([0.0; 4]),
        ])
        .with_cones(vec![
            PaintedCone::new([0.0; 3], [0.0; 3], 1.0, black),
            PaintedCone::new([0.0; 3], [f32::NAN; 3], 1.0, black),
        ])
        .with_arrows(&[PaintedArrow::new([0.0; 3], [0.0; 3], 1.0, black)]);
    let frame = render(&nothing.into(), &RenderSettings::default()).expect("a valid scene draws");
    assert!(frame.pixels().iter().all(|&pixel| pixel == Srgba8::WHITE));
    let ball = PaintedCylinder::new([0.0; 3], [0.0; 3], 1.0, black).with_caps(Caps::Round);
    assert!(check("ball", &SphereScene::from(view).with_cylinders(vec![ball])) > 100);
    let disc = PaintedEllipsoid::new([0.0; 3], [1.0, 0.8, 0.0], black).with_rotation([0.3, 0.2, 0.1, 0.9]);
    assert!(check("disc", &SphereScene::from(view).with_ellipsoids(vec![disc])) > 100);
}

/// A scene with all lengths multiplied, behind a cut plane.
fn scaled(scene: &SphereScene<'_>, projection: Projection, factor: f32) -> SphereScene<'static> {
    let by = |point: [f32; 3]| point.map(|along| along * factor);
    let eye = by([1.0, 2.0, 4.0]);
    let projection = match projection {
        Projection::Orthographic { height } => Projection::Orthographic { height: height * factor },
        perspective => perspective,
    };
    let shapes = &scene.shapes;
    let cylinder = |rod: &PaintedCylinder| PaintedCylinder {
        start: by(rod.start),
        end: by(rod.end),
        radius: rod.radius * factor,
        ..*rod
    };
    let ellipsoid =
        |leaf: &PaintedEllipsoid| PaintedEllipsoid { center: by(leaf.center), radii: by(leaf.radii), ..*leaf };
    let cone = |head: &PaintedCone| PaintedCone {
        base: by(head.base),
        apex: by(head.apex),
        radius: head.radius * factor,
        ..*head
    };
    SphereScene::from(view(eye, projection))
        .with_cylinders(shapes.cylinders[0].shapes.iter().map(cylinder).collect::<Vec<_>>())
        .with_ellipsoids(shapes.ellipsoids[0].shapes.iter().map(ellipsoid).collect::<Vec<_>>())
        .with_cones(shapes.cones[0].shapes.iter().map(cone).collect::<Vec<_>>())
        .with_clip_plane(Plane::through(Vec3::new(0.0, 0.0, 0.25 * factor), Vec3::Z))
}

#[test]
fn lengths_times_a_power_of_two_change_no_byte() {
    let mut random = Random::new(13);
    for projection in [PERSPECTIVE, Projection::Orthographic { height: 2.5 }] {
        let scene = mixed(&mut random, view([0.0; 3], PERSPECTIVE), (8, 1.0));
        let [one, others @ ..] = [0, -20, 24, -34, 34, -80, 80].map(|power| {
            let factor = libm::scalbnf(1.0, power);
            (power, drawn(&scaled(&scene, projection, factor)))
        });
        for (power, frame) in others {
            assert!(frame == one.1, "2^{power}, {projection:?}");
        }
    }
}

#[test]
fn settings_change_no_byte() {
    let mut random = Random::new(9);
    let scene = mixed(&mut random, view([1.0, 2.0, 4.0], PERSPECTIVE), (20, 1.0))
        .with_light(DirectionalLight::new([-1.0, -1.0, -0.5]))
        .with_shading(Shading::default().with_samples(2).with_shadows());
    assert_settings_change_no_byte(&scene, &[8, 24, 256], "shapes");
}

#[test]
fn joints_of_round_cylinders_and_spheres_have_no_seams() {
    let color = Srgba8::rgb(200, 120, 60);
    let (a, b) = ([-0.7, -0.3, 0.2], [0.8, 0.4, -0.1]);
    let rod = PaintedCylinder::new(a, b, 0.3, color).with_caps(Caps::Round);
    let alone = SphereScene::from(view([0.5, 1.0, 4.0], PERSPECTIVE)).with_cylinders(vec![rod]);
    let balls = vec![PaintedSphere::new(a, 0.3, color), PaintedSphere::new(b, 0.3, color)];
    let flat = rod.with_caps(Caps::Flat);
    let jointed = SphereScene::from(alone.view).with_spheres(balls).with_cylinders(vec![flat]);
    let draw = |scene: SphereScene<'static>| render(&scene.into(), &RenderSettings::default()).expect("it draws");
    let (alone, jointed) = (draw(alone), draw(jointed));
    let largest = alone
        .pixels()
        .iter()
        .zip(jointed.pixels())
        .map(|(a, b)| [a.r.abs_diff(b.r), a.g.abs_diff(b.g), a.b.abs_diff(b.b)].into_iter().max().unwrap_or(0));
    assert!(largest.max() <= Some(1));
}
