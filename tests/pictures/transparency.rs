//! Translucent spheres, against a slow and obvious evaluation in double precision: all crossings of a ray, sorted and
//! composed in linear light, in each of the models.
#![allow(
    clippy::disallowed_methods,
    clippy::cast_possible_truncation,
    reason = "an oracle with a tolerance; test data is in range"
)]

use std::collections::BTreeSet;

use super::pixels::{
    ExactView, assert_settings_change_no_byte, drawn, drawn_with, encode, few_digits, linear, offsets,
};
use crate::oracle::random::Random;
use roundel::color::linear_from_srgb8;
use roundel::cylinders::PaintedCylinder;
use roundel::geom::Plane;
use roundel::glam::{DVec3, Vec3};
use roundel::spheres::{
    AmbientOcclusion, Background, Camera, PaintedSphere, Projection, Shading, ShadingPreset, SphereColumns,
    SphereGroup, SphereScene, Transparency,
};
use roundel::{Frame, RenderSettings, Srgba8};

pub(crate) const MODELS: [Transparency; 4] =
    [Transparency::Surfaces, Transparency::Shell, Transparency::Solid, Transparency::Front];

pub(crate) fn flat() -> Shading {
    Shading::preset(ShadingPreset::Flat).with_outline_width(0.0)
}

/// Spheres that overlap; two in three are translucent, in a group of two parts.
pub(crate) fn crowd(count: u32, seed: u64, radii: [f64; 2]) -> SphereGroup<'static> {
    let mut random = Random::new(seed);
    let spheres = (0..count).map(|index| {
        let [x, y, z] = [-1.6, -1.2, -1.5].map(|low| random.within(low, -low));
        let radius = random.within(radii[0], radii[1]);
        let alpha = [random.within(10.0, 250.0) as u8, random.within(30.0, 120.0) as u8, 255][index as usize % 3];
        let [x, y, z, radius] = few_digits([x, y, z, radius]);
        PaintedSphere::new([x, y, z], radius, random.color(alpha))
    });
    let parts: Vec<u32> = (0..count).map(|index| index % 2).collect();
    SphereGroup::from(spheres.collect::<Vec<_>>()).with_parts(parts)
}

pub(crate) fn cameras() -> [Camera; 3] {
    let camera = Camera::look_at([1.5, 1.0, 8.0], [0.0, 0.0, 0.0]);
    [
        camera.with_projection(Projection::perspective_degrees(28.0)),
        camera.with_projection(Projection::orthographic(4.0)),
        // inside spheres
        Camera::look_at([0.25, 0.125, -0.25], [-1.0, 0.4, 2.0]).with_projection(Projection::perspective_degrees(70.0)),
    ]
}

/// A ray enters or leaves a clipped sphere.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Crossing {
    pub(crate) distance: f64,
    pub(crate) sphere: usize,
    pub(crate) is_exit: bool,
    /// False at the origin of the ray.
    is_seen: bool,
    /// The power of the sphere on a cap, otherwise 0.
    power: f64,
    cosine: f64,
}

pub(crate) struct Oracle<'a> {
    pub(crate) scene: &'a SphereScene<'a>,
    pub(crate) view: ExactView,
    pub(crate) spheres: Vec<(DVec3, f64, Srgba8, u32)>,
    planes: Vec<(DVec3, f64)>,
}

impl<'a> Oracle<'a> {
    pub(crate) fn new(scene: &'a SphereScene<'a>) -> Self {
        let mut spheres = Vec::new();
        for (number, group) in scene.groups.iter().enumerate() {
            for (index, sphere) in group.spheres.iter().enumerate() {
                let part = group.parts.get(index).copied().unwrap_or(0) + 1000 * number as u32;
                let center = Vec3::from(sphere.center).as_dvec3();
                spheres.push((center, f64::from(sphere.radius), sphere.color, part));
            }
        }
        let planes =
            scene.clip_planes.iter().map(|plane| (plane.boundary.normal.as_dvec3(), f64::from(plane.boundary.offset)));
        Self { scene, view: ExactView::new(&scene.view), spheres, planes: planes.collect() }
    }

    /// All crossings, in order; `None` where `f32` may decide differently.
    pub(crate) fn crossings(&self, origin: DVec3, direction: DVec3) -> Option<Vec<Crossing>> {
        const DOUBT: f64 = 2e-4;
        let (mut begin, mut end) = ((0.0, DVec3::ZERO), (f64::INFINITY, DVec3::ZERO));
        for &(normal, offset) in &self.planes {
            let (slope, gap) = (normal.dot(direction), offset - normal.dot(origin));
            if slope.abs() < DOUBT {
                return None;
            }
            if slope > 0.0 && gap / slope < end.0 {
                end = (gap / slope, normal);
            } else if slope < 0.0 && gap / slope > begin.0 {
                begin = (gap / slope, normal);
            }
        }
        let mut crossings: Vec<Crossing> = Vec::new();
        for (index, &(center, radius, color, _)) in self.spheres.iter().enumerate() {
            let toward = center - origin;
            let along = toward.dot(direction);
            let across = (toward - along * direction).length();
            // in a medium equal spheres count once
            let is_copy =
                |&(other, size, paint, _): &(DVec3, f64, Srgba8, u32)| (other, size, paint) == (center, radius, color);
            let is_medium = self.scene.shading.transparency == Transparency::Solid;
            let is_repeated = is_medium && self.spheres[..index].iter().any(is_copy);
            if color.a == 0 || is_repeated || across > radius * (1.0 + DOUBT) {
                continue;
            }
            if across > radius * (1.0 - DOUBT) {
                return None;
            }
            let half = (radius * radius - across * across).sqrt();
            let (enter, exit) = (along - half, along + half);
            let cosine = half / radius;
            if exit < begin.0 || enter > end.0 {
                continue;
            }
            let power = |distance: f64| (distance - along).powi(2) - half * half;
            let cap = |(distance, normal): (f64, DVec3)| (distance, power(distance), normal.dot(direction).abs());
            let first = if enter >= begin.0 { (enter, 0.0, cosine) } else { cap(begin) };
            let last = if exit <= end.0 { (exit, 0.0, cosine) } else { cap(end) };
            let is_seen = enter >= begin.0 || begin.0 > 0.0;
            let first = if is_seen { first } else { (0.0, 0.0, cosine) };
            let of = |(distance, power, cosine): (f64, f64, f64), is_exit: bool, is_seen: bool| Crossing {
                distance,
                sphere: index,
                is_exit,
                is_seen,
                power,
                cosine,
            };
            crossings.push(of(first, false, is_seen));
            if color.a < 255 {
                crossings.push(of(last, true, true));
            } else if !is_seen {
                crossings.pop();
                crossings.push(of(last, false, true));
            }
        }
        let order = |a: &Crossing, b: &Crossing| {
            let power = if a.sphere == b.sphere { std::cmp::Ordering::Equal } else { a.power.total_cmp(&b.power) };
            a.distance.total_cmp(&b.distance).then(power).then((a.sphere, a.is_exit).cmp(&(b.sphere, b.is_exit)))
        };
        crossings.sort_by(order);
        let is_doubtful = |pair: &[Crossing]| {
            let (a, b) = (&pair[0], &pair[1]);
            let gap = b.distance - a.distance;
            let same = (self.spheres[a.sphere].0, self.spheres[a.sphere].1)
                == (self.spheres[b.sphere].0, self.spheres[b.sphere].1);
            let caps = a.power < 0.0 && b.power < 0.0 && (a.power - b.power).abs() > DOUBT;
            gap < DOUBT && !same && !caps && (a.is_seen || b.is_seen)
        };
        (!crossings.windows(2).any(is_doubtful)).then_some(crossings)
    }

    fn light(&self, crossing: &Crossing) -> DVec3 {
        let ambient = f64::from(self.scene.shading.ambient);
        let light = if self.scene.shading.look == ShadingPreset::Headlight {
            ambient + (1.0 - ambient) * crossing.cosine
        } else {
            1.0
        };
        linear(self.spheres[crossing.sphere].2) * light
    }

    pub(crate) fn opacity(&self, sphere: usize) -> f64 {
        f64::from(self.spheres[sphere].2.a) / 255.0
    }

    /// Premultiplied light and opacity through a canvas position.
    fn sample(&self, x: f64, y: f64) -> Option<(DVec3, f64)> {
        let (origin, direction) = self.view.ray(x, y);
        let crossings = self.crossings(origin, direction)?;
        let (mut sum, mut pass) = (DVec3::ZERO, 1.0);
        let mut inside: Vec<Crossing> = Vec::new();
        let mut last = 0.0;
        let mut entered = BTreeSet::new();
        for crossing in &crossings {
            let model = self.scene.shading.transparency;
            if model == Transparency::Solid && !inside.is_empty() {
                let density =
                    |entry: &Crossing| -(1.0 - self.opacity(entry.sphere)).ln() / (2.0 * self.spheres[entry.sphere].1);
                let total: f64 = inside.iter().map(density).sum();
                let through = (-total / inside.len() as f64 * (crossing.distance - last)).exp();
                let light: DVec3 = inside.iter().map(|entry| self.light(entry) * density(entry)).sum();
                sum += light / total * (pass * (1.0 - through));
                pass *= through;
            }
            last = crossing.distance;
            let opacity = self.opacity(crossing.sphere);
            if opacity == 1.0 {
                sum += self.light(crossing) * pass;
                pass = 0.0;
                break;
            }
            let part = self.spheres[crossing.sphere].3;
            if crossing.is_exit {
                inside.retain(|entry| entry.sphere != crossing.sphere);
            }
            let is_wall = inside.iter().any(|entry| self.spheres[entry.sphere].3 == part);
            if !crossing.is_exit {
                inside.push(*crossing);
            }
            let is_shown = match model {
                Transparency::Surfaces => crossing.is_seen,
                Transparency::Shell => crossing.is_seen && !is_wall,
                Transparency::Front => crossing.is_seen && !crossing.is_exit && entered.insert(part),
                _ => false,
            };
            if is_shown {
                sum += self.light(crossing) * (pass * opacity);
                pass *= 1.0 - opacity;
            }
        }
        let Background::Solid(color) = self.scene.view.background else { panic!("a solid background") };
        let alpha = f64::from(color.a) / 255.0;
        Some((sum + linear(color) * (alpha * pass), 1.0 - pass * (1.0 - alpha)))
    }
}

/// Every pixel that is not in doubt is at most 1 off.
fn assert_agrees(scene: &SphereScene<'_>, name: &str, least_share: f64) {
    let frame = drawn(scene);
    let oracle = Oracle::new(scene);
    let offsets = offsets(scene.shading.samples.max(1));
    let mut sure = 0;
    for (j, row) in frame.pixels().chunks(frame.width() as usize).enumerate() {
        for (i, pixel) in row.iter().enumerate() {
            let sum = offsets.iter().try_fold((DVec3::ZERO, 0.0), |(light, alpha), [x, y]| {
                let (of_light, of_alpha) = oracle.sample(i as f64 + x, j as f64 + y)?;
                Some((light + of_light, alpha + of_alpha))
            });
            let Some((light, alpha)) = sum else { continue };
            sure += 1;
            let count = offsets.len() as f64;
            let straight = if alpha > 0.0 { light / alpha } else { DVec3::ZERO };
            let [r, g, b] = straight.to_array().map(encode);
            let found = [pixel.r, pixel.g, pixel.b, pixel.a].map(f64::from);
            let expected = [r, g, b, alpha / count * 255.0];
            for (expected, found) in expected.into_iter().zip(found) {
                let is_close = (expected - found).abs() <= 1.0;
                assert!(is_close, "{name}: pixel ({i}, {j}) is {pixel:?}, not {:?}", [r, g, b, alpha / count * 255.0]);
            }
        }
    }
    let share = f64::from(sure) / frame.pixels().len() as f64;
    assert!(share > least_share, "{name}: only {share} of all pixels are beyond doubt");
}

#[test]
fn random_scenes_agree_with_sorted_layers_in_double_precision() {
    for model in MODELS {
        for (seed, camera) in (1..).zip(cameras()) {
            for (count, radii) in [(4, [0.5, 1.5]), (40, [0.2, 0.8]), (300, [0.05, 0.3])] {
                for shading in [flat(), Shading::default()] {
                    let scene = SphereScene::new(camera, 61, 47)
                        .with_spheres(crowd(count, seed, radii))
                        .with_background(Srgba8::rgb(200, 220, 90))
                        .with_shading(shading.with_transparency(model));
                    assert_agrees(&scene, &format!("{model}, {count} spheres, seed {seed}, {}", shading.look), 0.5);
                }
            }
        }
    }
}

#[test]
fn samples_are_composed_one_by_one() {
    for model in MODELS {
        for samples in [2, 4, 16] {
            let scene = SphereScene::new(cameras()[0], 40, 31)
                .with_spheres(crowd(24, 7, [0.3, 0.9]))
                .with_background(Srgba8::rgba(20, 40, 90, 100))
                .with_shading(flat().with_transparency(model).with_samples(samples));
            assert_agrees(&scene, &format!("{model}, {samples} samples"), 0.2);
        }
    }
}

/// Two walls that meet in an edge.
fn cut(scene: SphereScene<'static>) -> SphereScene<'static> {
    scene
        .with_clip_plane(Plane::through(Vec3::new(0.4, 0.2, 0.5), Vec3::new(0.3, 0.2, 1.0)))
        .with_clip_plane(Plane::through(Vec3::new(-0.7, 0.0, 0.0), Vec3::new(-1.0, 0.1, 0.4)))
}

#[test]
fn cut_spheres_have_caps_that_are_surfaces() {
    for model in MODELS {
        for (seed, camera) in (11..).zip(cameras()) {
            for shading in [flat(), Shading::default()] {
                for (count, radii) in [(30, [0.3, 0.9]), (200, [0.05, 0.9])] {
                    let scene = SphereScene::new(camera, 53, 41)
                        .with_spheres(crowd(count, seed, radii))
                        .with_background(Srgba8::WHITE)
                        .with_shading(shading.with_transparency(model));
                    let name = format!("{model}, cut, {count} spheres, seed {seed}, {}", shading.look);
                    assert_agrees(&cut(scene), &name, 0.1);
                }
            }
        }
    }
}

#[test]
fn touching_nested_and_coincident_spheres_are_composed_by_number() {
    let sphere = |x: f32, radius: f32, color: Srgba8| PaintedSphere::new([x, 0.0, 0.0], radius, color);
    let [red, green, blue] = [[200, 30, 40], [30, 180, 60], [40, 60, 220]].map(|[r, g, b]| Srgba8::rgb(r, g, b));
    let spheres = vec![
        // one inside another, which has the same centre
        sphere(-1.5, 0.75, red.with_alpha(100)),
        sphere(-1.5, 0.5, green.with_alpha(150)),
        // in one place
        sphere(0.0, 0.5, green.with_alpha(90)),
        sphere(0.0, 0.5, blue.with_alpha(90)),
        sphere(0.0, 0.5, red.with_alpha(90)),
        sphere(0.0, 0.5, green.with_alpha(90)),
        // touch
        sphere(1.0, 0.5, blue.with_alpha(60)),
        sphere(2.0, 0.5, red.with_alpha(0)),
        // an opaque one in the same place
        sphere(1.75, 0.25, red),
        sphere(1.75, 0.25, blue.with_alpha(200)),
    ];
    for model in MODELS {
        for projection in [Projection::orthographic(4.0), Projection::perspective_degrees(30.0)] {
            let camera = Camera::look_at([0.0, 0.0, 8.0], [0.0; 3]).with_projection(projection);
            let scene = SphereScene::new(camera, 120, 60)
                .with_spheres(spheres.clone())
                .with_shading(flat().with_transparency(model));
            assert_agrees(&scene, &format!("{model}, nested"), 0.8);
        }
    }
}

/// Copies between which other spheres come in some tiles.
#[test]
fn equal_spheres_show_alike_in_all_tiles() {
    let sphere = |x: f32, color: [u8; 3]| {
        let [r, g, b] = color;
        PaintedSphere::new([x, 0.0, 0.0], 1.0, Srgba8::rgba(r, g, b, 128))
    };
    let (left, right) = (-0.5, 0.5);
    let [red, green, blue] = [[255, 0, 0], [0, 255, 0], [0, 0, 255]];
    for spheres in [
        [sphere(left, red), sphere(right, green), sphere(left, blue)],
        [sphere(left, red), sphere(right, green), sphere(left, red)],
        [sphere(left, red), sphere(left, red), sphere(right, green)],
    ] {
        for model in MODELS {
            let camera = Camera::look_at([0.0, 0.0, 5.0], [0.0; 3]).with_projection(Projection::orthographic(4.0));
            let scene = SphereScene::new(camera, 160, 120)
                .with_spheres(spheres.to_vec())
                .with_shading(flat().with_transparency(model));
            assert_settings_change_no_byte(&scene, &[8, 37], &format!("{model}, equal"));
            assert_agrees(&scene, &format!("{model}, equal"), 0.3);
        }
    }
}

/// Translucent spheres that all contain a point, of few opacities.
fn nest(random: &mut Random, count: u32, radii: [f64; 2], alphas: [u8; 4]) -> Vec<PaintedSphere> {
    let sphere = |index: u32| {
        let center = [0; 3].map(|_| random.within(-0.9, 0.9));
        let [r, g, b] = [0; 3].map(|_| random.within(0.0, 255.0) as u8);
        let color = Srgba8::rgba(r, g, b, alphas[index as usize % 4]);
        PaintedSphere::new(center, random.within(radii[0], radii[1]), color)
    };
    (0..count).map(sphere).collect()
}

/// More crossings wait than a sample has room for, and crossings on the plane have equal distances.
#[test]
fn many_caps_on_a_plane_are_composed_alike_in_all_tiles() {
    for seed in 0..8 {
        let mut random = Random::new(seed);
        let camera = Camera::look_at([0.0, 0.0, 5.0], [0.0; 3]).with_projection(Projection::orthographic(3.0));
        let scene = SphereScene::new(camera, 100, 75)
            .with_spheres(nest(&mut random, 24, [1.0, 1.4], [250, 120, 200, 40]))
            .with_spheres(vec![PaintedSphere::new([-1.2, 0.0, -1.0], 1.6, Srgba8::WHITE)])
            .with_shading(flat().with_transparency(Transparency::Surfaces))
            .with_clip_plane(Plane::through(Vec3::new(0.0, 0.0, 0.2), Vec3::Z));
        assert_settings_change_no_byte(&scene, &[8, 21], &format!("seed {seed}"));
    }
}

#[test]
fn lines_seen_from_inside_many_shapes_are_alike_in_all_tiles() {
    for seed in 0..4 {
        let mut random = Random::new(seed);
        let camera = Camera::look_at([0.0; 3], [0.0, 0.0, -1.0]).with_projection(Projection::orthographic(6.0));
        for model in MODELS {
            let scene = SphereScene::new(camera, 100, 75)
                .with_spheres(nest(&mut random, 14, [2.1, 4.0], [10, 40, 40, 60]))
                .with_shading(flat().with_outline_width(2.0).with_transparency(model));
            assert_settings_change_no_byte(&scene, &[8, 21], &format!("{model}, seed {seed}"));
        }
    }
}

/// The greatest difference of a channel.
fn farthest(one: &Frame, two: &Frame) -> u8 {
    let pixels = one.pixels().iter().zip(two.pixels());
    let channels = pixels.flat_map(|(one, two)| [(one.r, two.r), (one.g, two.g), (one.b, two.b), (one.a, two.a)]);
    channels.map(|(one, two)| one.abs_diff(two)).max().unwrap_or_default()
}

#[test]
fn a_faint_sphere_leaves_the_line_around_an_opaque_one() {
    let opaque = PaintedSphere::new([1.4, -0.85, -0.3], 0.3, Srgba8::rgb(185, 85, 254));
    let faint = PaintedSphere::new([1.25, -0.35, 0.75], 0.65, Srgba8::rgba(160, 237, 238, 1));
    let camera = Camera::look_at([0.0, 0.0, 8.0], [0.0; 3]).with_projection(Projection::perspective_degrees(30.0));
    for model in MODELS {
        let draw = |spheres: Vec<PaintedSphere>| {
            let shading = flat().with_outline_width(1.5).with_samples(2).with_transparency(model);
            drawn(&SphereScene::new(camera, 160, 120).with_spheres(spheres).with_shading(shading))
        };
        let far = farthest(&draw(vec![opaque]), &draw(vec![opaque, faint]));
        // 1/255 of linear light over black, twice, is 19 levels
        assert!(far < 24, "{model}: {far}");
    }
}

/// Half a cylinder behind the seam is lit as the half where the ray enters: on a cap, or from inside.
#[test]
fn halves_of_a_medium_are_lit_alike() {
    let draw = |color2: Srgba8, is_inside: bool| {
        let mut rod = PaintedCylinder::new([-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], 0.6, Srgba8::rgba(48, 128, 224, 128));
        rod.colors[1] = color2;
        let shading = Shading::preset(ShadingPreset::Studio).with_outline_width(0.0).with_fog(0.0);
        let shading = shading.with_ambient_occlusion(AmbientOcclusion::Off).with_transparency(Transparency::Solid);
        let camera = if is_inside {
            Camera::look_at([0.5, 0.1, 0.1], [-5.0, 0.1, -0.3]).with_projection(Projection::perspective_degrees(70.0))
        } else {
            Camera::look_at([3.0, 0.0, 4.0], [0.0; 3]).with_projection(Projection::orthographic(4.0))
        };
        let scene = SphereScene::new(camera, 80, 60).with_cylinders(vec![rod]).with_shading(shading);
        let plane = Plane::through(Vec3::new(0.0, 0.0, 0.2), Vec3::Z);
        drawn(&if is_inside { scene } else { scene.with_clip_plane(plane) })
    };
    for is_inside in [false, true] {
        let [one, two] = [48, 49].map(|red| draw(Srgba8::rgba(red, 128, 224, 128), is_inside));
        let far = farthest(&one, &two);
        assert!(far <= 1, "inside {is_inside}: {far}");
    }
}

/// The openness of a large, faint sphere is found for few rays; some meet it inside another sphere.
#[test]
fn faint_spheres_have_no_dark_specks_where_others_come_through() {
    let mut spheres = vec![PaintedSphere::new([0.0; 3], 1.5, Srgba8::rgba(255, 255, 255, 127))];
    spheres.extend((0..5).map(|step| {
        let along = step as f32;
        PaintedSphere::new([0.5 * along - 1.0, 0.3 * along - 0.5, 1.0], 0.35, Srgba8::rgb(64, 64, 255))
    }));
    let camera = Camera::look_at([0.0, 0.0, 8.0], [0.0; 3]).with_projection(Projection::perspective_degrees(35.0));
    let draw = |samples: u32, size: u32| {
        let shading = Shading::preset(ShadingPreset::Illustrative).with_outline_width(0.0).with_splat_radius(0.0);
        let shading = shading.with_samples(samples).with_fog(0.0).with_transparency(Transparency::Surfaces);
        drawn(&SphereScene::new(camera, size, size).with_spheres(spheres.clone()).with_shading(shading))
    };
    // every sample is lit where there is one in a pixel
    let (found, fine) = (draw(16, 100), draw(1, 400));
    let channel = |frame: &Frame, x: u32, y: u32| linear_from_srgb8(frame.pixel(x, y).expect("inside").g);
    let mut farthest = 0.0_f64;
    for (x, y) in (0..100).flat_map(|y| (0..100).map(move |x| (x, y))) {
        let parts = (0..16).map(|part| channel(&fine, 4 * x + part % 4, 4 * y + part / 4));
        let mean = encode(f64::from(parts.sum::<f32>()) / 16.0);
        farthest = farthest.max((mean - f64::from(found.pixel(x, y).expect("inside").g)).abs());
    }
    assert!(farthest < 40.0, "{farthest} levels");
}

#[test]
fn settings_change_no_byte() {
    for (index, model) in MODELS.into_iter().enumerate() {
        let look = if index == 0 { ShadingPreset::Studio } else { ShadingPreset::Illustrative };
        let lit = Shading::preset(look).with_splat_radius(0.0);
        for shading in [flat().with_samples(3), lit.with_samples(2)] {
            for is_cut in [false, true] {
                let scene = SphereScene::new(cameras()[index % 3], 90, 70)
                    .with_spheres(crowd(150, 5, [0.1, 0.5]))
                    .with_spheres(crowd(60, 6, [0.3, 0.6]))
                    .with_background(Srgba8::rgba(250, 240, 200, 90))
                    .with_shading(shading.with_transparency(model));
                let scene = if is_cut { cut(scene) } else { scene };
                let name = format!("{model}, {}, cut {is_cut}", shading.look);
                assert_settings_change_no_byte(&scene, &[8, 13, 31, 64], &name);
            }
        }
    }
}

#[test]
fn a_finished_sample_takes_no_more_light_in_any_tile() {
    let white = Srgba8::rgba(255, 255, 255, 64);
    for seed in 0..4 {
        let mut random = Random::new(seed);
        let spheres = (0..3000).map(|_| {
            let center = [-1.6, -1.2, -1.5].map(|low| random.within(low, -low));
            PaintedSphere::new(center, random.within(0.2, 0.5), white)
        });
        let shading = Shading::preset(ShadingPreset::Headlight).with_transparency(Transparency::Surfaces);
        let scene = SphereScene::new(cameras()[0], 300, 225)
            .with_spheres(spheres.collect::<Vec<_>>())
            .with_shading(shading.with_samples(1));
        let frame = drawn(&scene);
        let small = RenderSettings::default().with_tile_size(8);
        assert!(drawn_with(&scene, &small) == frame, "seed {seed}");
    }
}

#[test]
fn planes_remove_the_same_of_translucent_and_opaque_spheres() {
    for model in MODELS {
        for camera in [[3.0, 2.0, 5.0], [0.5, -0.7, 6.0], [-4.0, 3.0, -2.0]] {
            let scene = SphereScene::new(Camera::look_at(camera, [0.0; 3]), 60, 45)
                .with_shading(flat().with_samples(1).with_transparency(model))
                .with_clip_plane(Plane::through(Vec3::ZERO, Vec3::Z))
                .with_clip_plane(Plane::through(Vec3::ZERO, Vec3::NEG_Y));
            let shown = |alpha: u8| {
                let sphere = PaintedSphere::new([0.0; 3], 1.0, Srgba8::WHITE.with_alpha(alpha));
                let frame = drawn(&scene.clone().with_spheres(vec![sphere]).with_background(Srgba8::BLACK));
                frame.pixels().iter().map(|pixel| pixel.r > 0).collect::<Vec<_>>()
            };
            assert!(shown(255) == shown(100), "{model}, from {camera:?}");
        }
    }
}

#[test]
fn arrays_and_rows_draw_the_same() {
    let group = crowd(200, 9, [0.1, 0.4]);
    let rows = group.spheres.to_vec();
    let centers: Vec<[f32; 3]> = rows.iter().map(|row| row.center).collect();
    let radii: Vec<f32> = rows.iter().map(|row| row.radius).collect();
    let colors: Vec<[u8; 4]> = rows.iter().map(|row| [row.color.r, row.color.g, row.color.b, row.color.a]).collect();
    let arrays = SphereColumns::new(centers, radii, &colors[..]).expect("as many of each");
    let scene = SphereScene::new(cameras()[0], 64, 48).with_shading(flat());
    assert!(drawn(&scene.clone().with_spheres(rows)) == drawn(&scene.with_spheres(arrays)));
}

#[test]
fn a_million_spheres_at_one_point_take_neither_memory_nor_time() {
    let ball = PaintedSphere::new([0.0; 3], 1.0, Srgba8::rgba(200, 40, 40, 128));
    let camera = Camera::look_at([0.0, 0.0, 5.0], [0.0; 3]);
    for model in MODELS {
        let draw = |count: usize| {
            let scene = SphereScene::new(camera, 16, 16).with_spheres(vec![ball; count]);
            drawn(&scene.with_shading(flat().with_transparency(model)))
        };
        // in `surfaces` thirty of them hide everything
        let few = if model == Transparency::Surfaces { 30 } else { 1 };
        assert!(draw(1_000_000) == draw(few), "{model}");
    }
}

#[test]
fn a_million_spheres_behind_one_pixel_are_bounded() {
    let mut random = Random::new(3);
    let color = Srgba8::rgba(200, 40, 40, 100);
    // all overlap, and all of them are behind the middle pixel of 33
    let center = |random: &mut Random| [0.0, 0.0, random.within(-0.5, 0.5)];
    let spheres: Vec<_> = (0..1_000_000).map(|_| PaintedSphere::new(center(&mut random), 1.0, color)).collect();
    let camera = Camera::look_at([0.0, 0.0, 5.0], [0.0; 3]).with_projection(Projection::orthographic(66.0));
    for model in MODELS {
        let scene = SphereScene::new(camera, 33, 33)
            .with_spheres(spheres.clone())
            .with_shading(flat().with_transparency(model));
        let frame = drawn(&scene);
        let tiles = RenderSettings::default().with_tile_size(8).with_threads(2);
        assert!(drawn_with(&scene, &tiles) == frame, "{model}");
        let pixel = frame.pixel(16, 16).expect("inside");
        if model == Transparency::Shell {
            // the front and the back of the union
            let pass = (1.0 - 100.0 / 255.0f64).powi(2);
            let mixed = encode(f64::from(linear_from_srgb8(40)) * (1.0 - pass) + pass);
            assert!((f64::from(pixel.g) - mixed).abs() <= 1.0, "{pixel:?}, not {mixed}");
        } else if model == Transparency::Surfaces {
            assert_eq!(pixel, color.with_alpha(255));
        }
    }
}
