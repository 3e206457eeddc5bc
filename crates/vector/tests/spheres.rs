//! Spheres as shapes against the nearest hit of rays, at random points of the picture.

#![expect(clippy::cast_possible_truncation, reason = "small random numbers")]

use roundel_image::Srgba8;
use roundel_scene::figure::paper::{CurveStep, VectorMark, VectorPath, VectorShape};
use roundel_scene::spheres::{Camera, PaintedSphere, Projection, Shading, ShadingPreset, SphereScene};
use roundel_vector::marks_of_spheres;

const SIZE: [u32; 2] = [96, 72];

/// Random numbers that are the same on every machine (SplitMix64).
struct Random(u64);

impl Random {
    /// From 0 to 1.
    fn share(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((bits ^ (bits >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn within(&mut self, least: f64, most: f64) -> f32 {
        (least + self.share() * (most - least)) as f32
    }

    fn below(&mut self, count: usize) -> usize {
        ((self.share() * count as f64) as usize).min(count - 1)
    }
}

fn scene(spheres: Vec<PaintedSphere>, projection: Projection) -> SphereScene<'static> {
    let mut shading = Shading::preset(ShadingPreset::Flat);
    shading.outline_width = Some(0.0);
    let camera = Camera::look_at([0.0, 0.0, 20.0], [0.0; 3]).with_projection(projection);
    SphereScene::new(camera, SIZE[0], SIZE[1]).with_spheres(spheres).with_shading(shading)
}

/// A colour of its own for each sphere.
fn color(index: usize) -> Srgba8 {
    let [_, r, g, b] = (index as u32 + 1).to_be_bytes();
    Srgba8::rgb(r, g, b)
}

/// Spheres of all sizes; some equal, touch, contain or halve others, or have their centre at the same depth.
fn spheres(random: &mut Random, count: usize) -> Vec<PaintedSphere> {
    let mut spheres: Vec<PaintedSphere> = Vec::new();
    while spheres.len() < count {
        let index = spheres.len();
        let center = [random.within(-6.0, 6.0), random.within(-4.0, 4.0), random.within(-5.0, 5.0)];
        let mut sphere = PaintedSphere::new(center, random.within(0.2, 2.5), color(index));
        if index > 0 && random.share() < 0.5 {
            let other = spheres[random.below(index)];
            let apart = other.radius + sphere.radius;
            match random.below(7) {
                0 => (sphere.center, sphere.radius) = (other.center, other.radius),
                1 => sphere.center = other.center,
                // touching from outside and from inside
                2 => sphere.center = [other.center[0] + apart, other.center[1], other.center[2]],
                3 => sphere.center = [other.center[0], other.center[1], other.center[2] + apart],
                4 => {
                    sphere.radius = 0.5 * other.radius;
                    sphere.center = [other.center[0], other.center[1] + sphere.radius, other.center[2]];
                }
                5 => sphere.center[2] = other.center[2],
                _ => sphere.radius = other.radius,
            }
        }
        spheres.push(sphere);
    }
    spheres
}

fn squared(number: f64) -> f64 {
    number * number
}

/// The colour of the sphere that the ray through a point of the picture meets first; ties go to the lower index.
fn nearest(scene: &SphereScene<'_>, spheres: &[PaintedSphere], [x, y]: [f64; 2]) -> Option<Srgba8> {
    let up = [SIZE[0], SIZE[1]].map(|side| 0.5 * f64::from(side));
    let (height, is_parallel) = match scene.view.camera.projection {
        Projection::Orthographic { height } => (f64::from(height), true),
        Projection::Perspective { fov_y_radians } => (2.0 * libm::tan(0.5 * f64::from(fov_y_radians)), false),
    };
    let step = height / f64::from(SIZE[1]);
    let across = [(x - up[0]) * step, (up[1] - y) * step];
    let (origin, direction) = if is_parallel {
        ([across[0], across[1], 20.0], [0.0, 0.0, -1.0])
    } else {
        let length = (across[0] * across[0] + across[1] * across[1] + 1.0).sqrt();
        ([0.0, 0.0, 20.0], [across[0] / length, across[1] / length, -1.0 / length])
    };
    let mut best: Option<(f64, Srgba8)> = None;
    for sphere in spheres {
        let toward = [0, 1, 2].map(|axis| f64::from(sphere.center[axis]) - origin[axis]);
        let along: f64 = (0..3).map(|axis| toward[axis] * direction[axis]).sum();
        let off: f64 = (0..3).map(|axis| squared(toward[axis] - along * direction[axis])).sum();
        let room = squared(f64::from(sphere.radius)) - off;
        if room < 0.0 {
            continue;
        }
        let distance = along - room.sqrt();
        if best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, sphere.color));
        }
    }
    best.map(|(_, color)| color)
}

/// A mark as polygons with many corners.
fn polygon(path: &VectorPath) -> Vec<[f64; 2]> {
    let mut corners: Vec<[f64; 2]> = Vec::new();
    for step in &path.0 {
        match *step {
            CurveStep::Move(to) | CurveStep::Line(to) => corners.push(to),
            CurveStep::Curve([b, c, d]) => {
                let a = *corners.last().expect("a start");
                corners.extend((1..=64).map(|part| {
                    let t = f64::from(part) / 64.0;
                    let s = 1.0 - t;
                    [0, 1].map(|axis| {
                        s * s * s * a[axis] + 3.0 * s * t * (s * b[axis] + t * c[axis]) + t * t * t * d[axis]
                    })
                }));
            }
            CurveStep::Close => {}
        }
    }
    corners
}

enum Filled {
    Disc([f64; 2], f64),
    Polygon(Vec<[f64; 2]>),
}

impl Filled {
    fn new(mark: &VectorMark) -> Self {
        match &mark.shape {
            VectorShape::Ellipse { center, radii } => Self::Disc(*center, radii[0]),
            VectorShape::Inside(path) => Self::Polygon(polygon(path)),
            other => panic!("{other:?}"),
        }
    }

    fn contains(&self, [x, y]: [f64; 2]) -> bool {
        match self {
            Self::Disc(center, radius) => squared(x - center[0]) + squared(y - center[1]) < radius * radius,
            Self::Polygon(corners) => {
                let crossings = corners
                    .iter()
                    .zip(corners.iter().cycle().skip(1))
                    .filter(|(a, b)| (a[1] > y) != (b[1] > y) && x < (b[0] - a[0]) * (y - a[1]) / (b[1] - a[1]) + a[0]);
                crossings.count() % 2 == 1
            }
        }
    }
}

/// Compares a scene's shapes with rays at random points that are not within a 250th of a pixel of an edge.
fn check(random: &mut Random, spheres: Vec<PaintedSphere>, projection: Projection, name: &str) {
    const EDGE: f64 = 0.004;
    let scene = scene(spheres.clone(), projection);
    let marks = marks_of_spheres(&scene).expect("flat and opaque");
    let filled: Vec<(Filled, Srgba8)> = marks.iter().map(|mark| (Filled::new(mark), mark.color)).collect();
    let mut compared = 0;
    for _ in 0..800 {
        let point = [random.share() * f64::from(SIZE[0]), random.share() * f64::from(SIZE[1])];
        let expected = nearest(&scene, &spheres, point);
        let around = [[EDGE, 0.0], [-EDGE, 0.0], [0.0, EDGE], [0.0, -EDGE]];
        let is_edge =
            around.iter().any(|by| nearest(&scene, &spheres, [point[0] + by[0], point[1] + by[1]]) != expected);
        if is_edge {
            continue;
        }
        let found = filled.iter().rev().find(|(shape, _)| shape.contains(point)).map(|(_, color)| *color);
        assert_eq!(found, expected, "{name} at {point:?}: {spheres:?}");
        compared += 1;
    }
    assert!(compared > 700, "{name}: {compared}");
}

#[test]
fn shapes_show_what_parallel_rays_meet() {
    let mut random = Random(7);
    for round in 0..200 {
        let count = 2 + random.below(if round % 10 == 0 { 120 } else { 16 });
        let spheres = spheres(&mut random, count);
        check(&mut random, spheres, Projection::orthographic(9.0), &format!("parallel {round}"));
    }
}

#[test]
fn shapes_show_what_rays_of_one_eye_meet() {
    let mut random = Random(8);
    for round in 0..100 {
        let count = 2 + random.below(16);
        let spheres = spheres(&mut random, count);
        check(&mut random, spheres, Projection::perspective_degrees(30.0), &format!("perspective {round}"));
    }
}

#[test]
fn spheres_that_show_nowhere_have_no_shape() {
    let front = PaintedSphere::new([0.0, 0.0, 5.0], 2.0, color(0));
    let hidden = PaintedSphere::new([0.1, 0.0, 0.0], 1.5, color(1));
    let inside = PaintedSphere::new([0.0, 0.3, 5.0], 0.5, color(2));
    let outside = PaintedSphere::new([50.0, 0.0, 0.0], 1.0, color(3));
    let scene = scene(vec![hidden, inside, outside, front], Projection::orthographic(9.0));
    let marks = marks_of_spheres(&scene).expect("flat");
    let disc = VectorShape::Ellipse { center: [48.0, 36.0], radii: [16.0; 2] };
    assert_eq!(marks, [VectorMark { shape: disc, color: color(0) }]);
}

#[test]
fn other_scenes_have_reasons() {
    let ball = || vec![PaintedSphere::new([0.0; 3], 1.0, color(0))];
    let flat = scene(ball(), Projection::orthographic(9.0));
    assert!(marks_of_spheres(&flat).is_ok());
    let shaded = flat.clone().with_shading(Shading::preset(ShadingPreset::Studio));
    assert!(marks_of_spheres(&shaded).expect_err("shaded").contains("shaded"));
    let outlined = flat.clone().with_shading(Shading::preset(ShadingPreset::Flat));
    assert!(marks_of_spheres(&outlined).expect_err("outlined").contains("outlines"));
    let clear = vec![PaintedSphere::new([0.0; 3], 1.0, color(0).with_alpha(9))];
    let clear = scene(clear, Projection::orthographic(9.0));
    assert!(marks_of_spheres(&clear).expect_err("clear").contains("translucent"));
    let near = scene(vec![PaintedSphere::new([0.0, 0.0, 19.5], 1.0, color(0))], Projection::orthographic(9.0));
    assert!(marks_of_spheres(&near).expect_err("near").contains("eye"));
}
