//! Thinner versions of large scenes, drawn when the whole scene would take too long for a moving frame.

use std::borrow::Cow;

use crate::color::Srgba8;
use crate::geom::single;
use crate::scene::Scene;
use crate::scene::circles::{CircleScene, Layer, PaintedCircle};
use crate::scene::spheres::{PaintedSphere, SphereGroup, SphereScene};

/// The most shapes of the first thinned level: about as many as two cores prepare in half a frame's time. Tuned:
/// benches/viewer.rs, ten million spheres.
const FIRST_LEVEL_SHAPES: u64 = 1 << 20;

/// The most shapes of the last thinned level.
const LAST_LEVEL_SHAPES: u64 = 1 << 17;

/// Shapes larger than this many mean radii are in every level: one may be the floor under everything else.
const LARGE: f64 = 8.0;

#[derive(Debug)]
pub(super) struct LevelsOfDetail {
    /// With all its shapes.
    pub(super) scene: Scene<'static>,
    /// Each level has half the shapes of the previous one.
    thinned: Vec<Scene<'static>>,
}

impl LevelsOfDetail {
    /// Thins the scene if it has more than 2²⁰ shapes.
    pub(super) fn new(scene: Scene<'static>) -> Self {
        let shapes = shape_count(&scene);
        // the levels keep one shape in 2^first, 2^(first + 1), … 2^last
        let first = (0..32).find(|halvings| shapes >> halvings <= FIRST_LEVEL_SHAPES).expect("fewer than 2^52 shapes");
        let last = (first..64).find(|halvings| shapes >> halvings <= LAST_LEVEL_SHAPES).expect("shifted to zero");
        let thinned = if first == 0 { Vec::new() } else { (first..=last).map(|count| thin(&scene, count)).collect() };
        Self { scene, thinned }
    }

    /// Returns a level: 0 is the scene itself, the last is the thinnest.
    pub(super) fn level(&self, level: usize) -> &Scene<'static> {
        if level == 0 { &self.scene } else { &self.thinned[level - 1] }
    }

    /// Returns the number of levels, the scene itself included.
    pub(super) fn count(&self) -> usize {
        1 + self.thinned.len()
    }
}

fn shape_count(scene: &Scene<'_>) -> u64 {
    match scene {
        Scene::Circles(scene) => scene.layers.iter().map(|layer| layer.len() as u64).sum(),
        Scene::Spheres(scene) => scene.count(),
    }
}

/// Keeps one shape in 2^halvings. To make up for the others, spheres become larger and circles more opaque.
fn thin(scene: &Scene<'static>, halvings: u32) -> Scene<'static> {
    match scene {
        Scene::Spheres(scene) => {
            let mut thinned = SphereScene::from(scene.view)
                .with_groups(scene.groups.iter().map(|group| thin_group(group, halvings)))
                .with_lights(scene.lights.iter().copied())
                .with_shading(scene.shading);
            (thinned.origin, thinned.shapes) = (scene.origin, scene.shapes.clone());
            (thinned.clip_planes, thinned.depth_range) = (scene.clip_planes.clone(), scene.depth_range);
            thinned.extents = scene.extents.clone();
            Scene::Spheres(thinned)
        }
        Scene::Circles(scene) => {
            let layers = scene.layers.iter().map(|layer| thin_layer(layer, halvings)).collect();
            Scene::Circles(CircleScene { canvas: scene.canvas, layers })
        }
    }
}

fn thin_group(group: &SphereGroup<'static>, halvings: u32) -> SphereGroup<'static> {
    let growth = single(libm::cbrt(f64::from(1_u32 << halvings)));
    let large = LARGE * mean(group.spheres.iter().map(|sphere| sphere.radius));
    let keep = |(index, sphere): (usize, PaintedSphere)| match f64::from(sphere.radius) > large {
        true => Some(sphere),
        false if is_sampled(index, halvings) => Some(PaintedSphere { radius: sphere.radius * growth, ..sphere }),
        false => None,
    };
    let kept = group.spheres.iter().enumerate().map(keep);
    let parts = kept.clone().zip(group.parts.iter()).filter(|(kept, _)| kept.is_some()).map(|(_, part)| *part);
    let parts: Vec<u32> = parts.collect();
    let gloss = kept.clone().zip(group.gloss.iter()).filter(|(kept, _)| kept.is_some()).map(|(_, gloss)| *gloss);
    let gloss: Vec<_> = gloss.collect();
    SphereGroup::new(kept.flatten().collect::<Vec<_>>(), group.poses.clone()).with_parts(parts).with_gloss(gloss)
}

fn thin_layer(layer: &Layer<'static>, halvings: u32) -> Layer<'static> {
    match layer {
        Layer::Circles(circles) => {
            let large = LARGE * mean(circles.iter().map(|circle| circle.radius));
            let keep = |(index, circle): (usize, &PaintedCircle)| match f64::from(circle.radius) > large {
                true => Some(*circle),
                false if is_sampled(index, halvings) => {
                    Some(PaintedCircle { color: more_opaque(circle.color, halvings), ..*circle })
                }
                false => None,
            };
            Layer::Circles(Cow::Owned(circles.iter().enumerate().filter_map(keep).collect()))
        }
        Layer::Ellipses(ellipses) => Layer::Ellipses(sample(ellipses, halvings)),
        Layer::Segments(segments) => Layer::Segments(sample(segments, halvings)),
    }
}

fn sample<T: Copy>(shapes: &[T], halvings: u32) -> Cow<'static, [T]> {
    let kept = shapes.iter().enumerate().filter(|(index, _)| is_sampled(*index, halvings));
    Cow::Owned(kept.map(|(_, shape)| *shape).collect())
}

/// Selects one index in 2^halvings by a multiplicative hash, so that no regular order of shapes shows.
fn is_sampled(index: usize, halvings: u32) -> bool {
    let mask = (1_u64 << halvings) - 1;
    (index as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20 & mask == 0
}

fn mean(radii: impl Iterator<Item = f32>) -> f64 {
    let (sum, count) = radii.fold((0.0, 0_u64), |(sum, count), radius| (sum + f64::from(radius), count + 1));
    sum / count.max(1) as f64
}

/// Returns a colour as opaque as 2^halvings layers of `color`.
fn more_opaque(color: Srgba8, halvings: u32) -> Srgba8 {
    let mut transmittance = 1.0 - f32::from(color.a) / 255.0;
    for _ in 0..halvings {
        transmittance *= transmittance;
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0.5 and 255.5")]
    let a = (255.0 * (1.0 - transmittance) + 0.5) as u8;
    Srgba8 { a, ..color }
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
    fn small_scene_has_one_level() {
        assert_eq!(LevelsOfDetail::new(circles(1000, 255)).count(), 1);
    }

    #[test]
    fn thinning_halves_the_shapes_and_keeps_large_ones() {
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
}
