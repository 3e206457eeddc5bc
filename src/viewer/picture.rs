//! A loaded scene as pictures: exactly what `render` draws, and cheaper ones to keep up with the mouse.

use std::borrow::Cow;

use glam::DVec3;

use super::orbit::Extent;
use super::state::{Aim, Home};
use crate::color::Srgba8;
use crate::scene::circles::{CircleScene, Layer, PaintedCircle, ViewBox};
use crate::scene::spheres::{PaintedSphere, Projection, Shading, SphereGroup, SphereScene, View};
use crate::scene::{Scene, bounds};

/// Scenes with more shapes than this have thinner versions: about as many as two cores prepare in half a frame's time.
const THIN_FROM: u64 = 1 << 20;

/// Thinner versions are halved until they have no more shapes than this.
const THINNEST: u64 = 1 << 17;

/// A shape this many times larger than the mean is never left out: it may be the floor under everything else.
const LARGE: f64 = 8.0;

/// A scene in memory, and thinner versions of it.
#[derive(Debug)]
pub(super) struct Loaded {
    /// As it was read.
    pub(super) scene: Scene<'static>,
    /// Each with half as many shapes as the one before.
    thinner: Vec<Scene<'static>>,
}

impl Loaded {
    pub(super) fn new(scene: Scene<'static>) -> Self {
        let shapes = shapes(&scene);
        // keep one in 2^first, 2^(first + 1), …
        let first = (0..32).find(|halvings| shapes >> halvings <= THIN_FROM).expect("shapes fit 2^32 million");
        let last = (first..64).find(|halvings| shapes >> halvings <= THINNEST).expect("halved to nothing");
        let thinner =
            if first == 0 { Vec::new() } else { (first..=last).map(|halvings| thin(&scene, halvings)).collect() };
        Self { scene, thinner }
    }

    /// The scene itself (0), or one that has been thinned more and more.
    pub(super) fn thinned(&self, level: usize) -> &Scene<'static> {
        if level == 0 { &self.scene } else { &self.thinner[level - 1] }
    }

    /// How many levels [`Loaded::thinned`] has.
    pub(super) fn levels(&self) -> usize {
        1 + self.thinner.len()
    }

    /// What the state needs to know.
    pub(super) fn home(&self) -> Home {
        match &self.scene {
            Scene::Circles(scene) => Home::Flat { size: (scene.canvas.width, scene.canvas.height) },
            Scene::Spheres(scene) => {
                let [least, most] = bounds(&scene.groups).unwrap_or([DVec3::NEG_ONE, DVec3::ONE]);
                let radius = 0.5 * (most - least).length();
                let extent = Extent { center: 0.5 * (least + most), radius: if radius > 0.0 { radius } else { 1.0 } };
                Home::Space { camera: scene.view.camera, shading: scene.shading, extent }
            }
        }
    }
}

fn shapes(scene: &Scene<'_>) -> u64 {
    match scene {
        Scene::Circles(scene) => scene
            .layers
            .iter()
            .map(|layer| match layer {
                Layer::Circles(circles) => circles.len() as u64,
                Layer::Ellipses(ellipses) => ellipses.len() as u64,
            })
            .sum(),
        Scene::Spheres(scene) => {
            scene.groups.iter().map(|group| group.spheres.len() as u64 * group.poses.len() as u64).sum()
        }
    }
}

/// One shape in 2^halvings, by a hash of its index, larger or less transparent to make up for the others.
fn thin(scene: &Scene<'static>, halvings: u32) -> Scene<'static> {
    let mask = (1_u64 << halvings) - 1;
    let chosen = |index: usize| (index as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20 & mask == 0;
    match scene {
        Scene::Spheres(scene) => {
            let grow = single(libm::cbrt(f64::from(1_u32 << halvings)));
            let group = |group: &SphereGroup<'static>| {
                let large = LARGE * mean(group.spheres.iter().map(|sphere| sphere.radius));
                let kept = |(index, sphere): (usize, &PaintedSphere)| match f64::from(sphere.radius) > large {
                    true => Some(*sphere),
                    false if chosen(index) => Some(PaintedSphere { radius: sphere.radius * grow, ..*sphere }),
                    false => None,
                };
                let spheres = group.spheres.iter().enumerate().filter_map(kept).collect();
                SphereGroup { spheres: Cow::Owned(spheres), poses: group.poses.clone() }
            };
            Scene::Spheres(SphereScene {
                view: scene.view,
                groups: scene.groups.iter().map(group).collect(),
                lights: scene.lights.clone(),
                shading: scene.shading,
            })
        }
        Scene::Circles(scene) => {
            let layer = |layer: &Layer<'static>| match layer {
                Layer::Circles(circles) => {
                    let large = LARGE * mean(circles.iter().map(|circle| circle.radius));
                    let kept = |(index, circle): (usize, &PaintedCircle)| match f64::from(circle.radius) > large {
                        true => Some(*circle),
                        false if chosen(index) => {
                            Some(PaintedCircle { color: denser(circle.color, halvings), ..*circle })
                        }
                        false => None,
                    };
                    Layer::Circles(Cow::Owned(circles.iter().enumerate().filter_map(kept).collect()))
                }
                Layer::Ellipses(ellipses) => {
                    let chosen = ellipses.iter().enumerate().filter(|(index, _)| chosen(*index));
                    Layer::Ellipses(Cow::Owned(chosen.map(|(_, ellipse)| *ellipse).collect()))
                }
            };
            Scene::Circles(CircleScene { canvas: scene.canvas, layers: scene.layers.iter().map(layer).collect() })
        }
    }
}

fn mean(radii: impl Iterator<Item = f32>) -> f64 {
    let (sum, count) = radii.fold((0.0, 0_u64), |(sum, count), radius| (sum + f64::from(radius), count + 1));
    sum / count.max(1) as f64
}

/// As opaque as 2^halvings layers of a colour.
fn denser(color: Srgba8, halvings: u32) -> Srgba8 {
    let mut clear = 1.0 - f32::from(color.a) / 255.0;
    for _ in 0..halvings {
        clear *= clear;
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0.5 and 255.5")]
    let a = (255.0 * (1.0 - clear) + 0.5) as u8;
    Srgba8 { a, ..color }
}

/// The scene as `render` draws it: seen so, of this size and quality. Of spheres nothing is copied.
pub(super) fn picture<'a>(scene: &'a Scene<'_>, aim: &Aim, shading: Shading, (width, height): (u32, u32)) -> Scene<'a> {
    match (scene, aim) {
        (Scene::Circles(scene), Aim::ViewBox(view_box)) => Scene::Circles(scene.in_view_box(view_box, (width, height))),
        (Scene::Spheres(scene), Aim::Camera(camera)) => Scene::Spheres(SphereScene {
            view: View { width, height, background: scene.view.background, camera: *camera },
            groups: scene
                .groups
                .iter()
                .map(|group| SphereGroup {
                    spheres: Cow::Borrowed(&group.spheres[..]),
                    poses: Cow::Borrowed(&group.poses[..]),
                })
                .collect(),
            lights: scene.lights.clone(),
            shading,
        }),
        _ => unreachable!("the state looks at circles through a window and at spheres through a camera"),
    }
}

/// The same aim for a picture with one pixel for each square of `divisor` by `divisor` pixels, and that picture's size.
///
/// The squares are centred on the window and cover it; what they cover beyond it widens the aim.
pub(super) fn coarser(aim: &Aim, size: (u32, u32), divisor: u32) -> (Aim, (u32, u32)) {
    if divisor == 1 {
        return (*aim, size);
    }
    let coarse = (size.0.div_ceil(divisor), size.1.div_ceil(divisor));
    let wider = f64::from(coarse.1 * divisor) / f64::from(size.1);
    let aim = match *aim {
        Aim::ViewBox(view_box) => Aim::ViewBox(ViewBox { height: view_box.height * wider, ..view_box }),
        Aim::Camera(mut camera) => {
            camera.projection = match camera.projection {
                Projection::Orthographic { height } => {
                    Projection::Orthographic { height: single(f64::from(height) * wider) }
                }
                Projection::Perspective { fov_y_radians } => {
                    let tangent = libm::tan(0.5 * f64::from(fov_y_radians)) * wider;
                    Projection::Perspective { fov_y_radians: single(2.0 * libm::atan(tangent)) }
                }
            };
            Aim::Camera(camera)
        }
    };
    (aim, coarse)
}

#[expect(clippy::cast_possible_truncation, reason = "rounded to the nearest f32")]
fn single(value: f64) -> f32 {
    value as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::circles::{Blend, Canvas};

    fn circles(count: usize, alpha: u8) -> Scene<'static> {
        let color = Srgba8 { r: 9, g: 8, b: 7, a: alpha };
        let mut circles = vec![PaintedCircle { center: [1.0; 2], radius: 1.0, color }; count];
        circles[3].radius = 100.0;
        let canvas = Canvas { width: 8, height: 8, background: Srgba8::TRANSPARENT, blend: Blend::Srgb };
        Scene::Circles(CircleScene { canvas, layers: vec![Layer::Circles(Cow::Owned(circles))] })
    }

    #[test]
    fn small_scenes_are_not_thinned() {
        assert_eq!(Loaded::new(circles(1000, 255)).levels(), 1);
    }

    #[test]
    fn thinning_halves_and_keeps_what_is_large() {
        let scene = circles(1 << 16, 16);
        for halvings in 1..6 {
            let Scene::Circles(thinned) = thin(&scene, halvings) else { panic!("circles stay circles") };
            let [Layer::Circles(kept)] = &thinned.layers[..] else { panic!("one layer of circles") };
            let expected = 65536.0 / f64::from(1 << halvings);
            assert!((kept.len() as f64 / expected - 1.0).abs() < 0.1, "{} of {expected}", kept.len());
            assert!(kept.iter().any(|circle| circle.radius == 100.0 && circle.color.a == 16));
            assert!(kept.iter().any(|circle| circle.radius == 1.0 && circle.color.a > 16));
        }
    }

    #[test]
    fn coarse_pictures_cover_the_window_evenly() {
        let aim = Aim::ViewBox(ViewBox { center: [5.0, 6.0], height: 100.0 });
        let (coarse, size) = coarser(&aim, (101, 50), 4);
        assert_eq!(size, (26, 13));
        assert_eq!(coarse, Aim::ViewBox(ViewBox { center: [5.0, 6.0], height: 104.0 }), "52 rows in place of 50");
        assert_eq!(coarser(&aim, (101, 50), 1), (aim, (101, 50)));
    }
}
