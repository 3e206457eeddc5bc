//! 3D pictures against a slow, obvious renderer in `f64` kept here, and the same bytes whatever the settings.
#![expect(
    clippy::disallowed_methods,
    clippy::cast_possible_truncation,
    reason = "an oracle with a tolerance; test data is in range"
)]

use super::pixels::{ExactView, assert_settings_change_no_byte, drawn, drawn_with, encode, linear, offsets};
use glam::{DVec3, Mat3, Vec3};
use roundel::spheres::{
    Background, Camera, DirectionalLight, Light, PaintedSphere, Pose, Projection, Shading, SphereGroup, SphereScene,
    View,
};
use roundel::{Culling, RenderSettings, SimdLevel, Srgba8};

/// The generator splitmix64.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 40) as f32 / (1u64 << 24) as f32
    }

    fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.next()
    }

    pub(crate) fn point(&mut self, reach: f32) -> [f32; 3] {
        std::array::from_fn(|_| self.between(-reach, reach))
    }

    fn color(&mut self) -> Srgba8 {
        let [r, g, b] = std::array::from_fn(|_| (self.next() * 255.0) as u8);
        Srgba8::rgb(r, g, b)
    }

    pub(crate) fn spheres(&mut self, count: usize, reach: f32, radii: [f32; 2]) -> Vec<PaintedSphere> {
        let sphere = |random: &mut Self| PaintedSphere {
            center: random.point(reach),
            radius: random.between(radii[0], radii[1]),
            color: random.color(),
        };
        (0..count).map(|_| sphere(self)).collect()
    }
}

pub(crate) const PERSPECTIVE: Projection = Projection::Perspective { fov_y_radians: 0.9 };

pub(crate) fn view(eye: [f32; 3], projection: Projection) -> View {
    let camera = Camera::look_at(eye, Vec3::ZERO).with_projection(projection);
    View::new(camera, 72, 54).with_background(Background::Solid(Srgba8::rgb(10, 20, 40)))
}

pub(crate) fn scene(spheres: Vec<PaintedSphere>, view: View) -> SphereScene<'static> {
    let group = SphereGroup::from(spheres);
    SphereScene::from(view).with_spheres(group)
}

// ---- the slow, obvious renderer ----

/// Everything in `f64`, every ray against every sphere.
pub(crate) struct Oracle {
    spheres: Vec<(DVec3, f64, Srgba8)>,
    view: ExactView,
    lamps: Vec<(DVec3, DVec3)>,
    shading: Shading,
    background: Srgba8,
}

/// A ray's hit: distance, index, normal, and the margin of the decision.
pub(crate) struct Meeting {
    pub(crate) distance: f64,
    pub(crate) index: usize,
    pub(crate) normal: DVec3,
    pub(crate) inside: bool,
}

/// Relative distance to a silhouette, a shadow's edge or another surface below which `f32` may decide differently.
const DOUBT: f64 = 1e-4;

/// Relative distance of an eye to a surface below which `f32` may not tell the sides apart: centre − eye is rounded once,
/// the rest of the decision is exact.
const EYE_DOUBT: f64 = 4.0 / (1 << 24) as f64;

impl Oracle {
    pub(crate) fn new(scene: &SphereScene<'_>) -> Self {
        let Background::Solid(background) = scene.view.background else { panic!("a solid background") };
        let placed = scene.groups.iter().flat_map(|group| {
            group.poses.iter().flat_map(|pose| {
                group.spheres.iter().map(|sphere| {
                    let center = pose.rotation.as_dmat3() * Vec3::from(sphere.center).as_dvec3();
                    (center + pose.translation.as_dvec3(), f64::from(sphere.radius), sphere.color)
                })
            })
        });
        let lamps = scene.lights.iter().map(|light| {
            let Light::Directional(light) = light else { panic!("another kind of light") };
            (-light.direction.as_dvec3().normalize(), linear(light.color) * f64::from(light.intensity))
        });
        Self {
            spheres: placed.collect(),
            view: ExactView::new(&scene.view),
            lamps: lamps.collect(),
            shading: scene.shading,
            background,
        }
    }

    /// The nearest hit; `Err` if it is in doubt.
    pub(crate) fn nearest(&self, origin: DVec3, direction: DVec3) -> Result<Option<Meeting>, ()> {
        let mut best: Option<Meeting> = None;
        let mut doubtful = Vec::new();
        for (index, &(center, radius, _)) in self.spheres.iter().enumerate() {
            let oc = center - origin;
            let b = oc.dot(direction);
            let remainder = (oc - b * direction).length();
            let scale = radius.max(1e-3 * oc.length());
            let grazes = (remainder - radius).abs() < DOUBT * scale;
            let side_doubt = if self.view.is_parallel { DOUBT * scale } else { EYE_DOUBT * oc.length() };
            let starts_on = (oc.length() - radius).abs() < side_doubt;
            let half = (radius * radius - remainder * remainder).max(0.0).sqrt();
            if grazes || starts_on {
                doubtful.push(b - half);
                continue;
            }
            if remainder > radius {
                continue;
            }
            let inside = oc.length() < radius;
            let distance = if inside { b + half } else { b - half };
            if distance < 0.0 {
                continue;
            }
            if let Some(meeting) = &best
                && (meeting.distance - distance).abs() < DOUBT * distance.max(radius)
            {
                doubtful.push(distance.min(meeting.distance));
            }
            if best.as_ref().is_none_or(|meeting| distance < meeting.distance) {
                let out = (origin + distance * direction - center) / radius;
                best = Some(Meeting { distance, index, normal: if inside { -out } else { out }, inside });
            }
        }
        let limit = best.as_ref().map_or(f64::INFINITY, |meeting| meeting.distance * (1.0 + DOUBT));
        if doubtful.iter().any(|&distance| distance <= limit) { Err(()) } else { Ok(best) }
    }

    /// Whether the light reaches a point; `Err` near a shadow's edge.
    pub(crate) fn is_lit(&self, point: DVec3, toward: DVec3, own: Option<usize>) -> Result<bool, ()> {
        let mut lit = true;
        let mut doubt = false;
        for (index, &(center, radius, _)) in self.spheres.iter().enumerate() {
            if own == Some(index) {
                continue;
            }
            let oc = center - point;
            let b = oc.dot(toward);
            let remainder = (oc - b * toward).length();
            let scale = radius.max(1e-3 * oc.length());
            let ahead = b > 0.0 || oc.length() < radius;
            let edge = (remainder - radius).abs() < 4.0 * DOUBT * scale && b > -DOUBT * scale;
            let touching = (oc.length() - radius).abs() < 4.0 * DOUBT * scale;
            doubt |= edge || touching;
            lit &= !(ahead && remainder < radius);
        }
        if doubt { Err(()) } else { Ok(lit) }
    }

    /// Linear light through a canvas position; `Err` where in doubt.
    fn light(&self, x: f64, y: f64) -> Result<DVec3, ()> {
        let (origin, direction) = self.view.ray(x, y);
        let Some(meeting) = self.nearest(origin, direction)? else { return Ok(linear(self.background)) };
        let ambient = f64::from(self.shading.ambient);
        let mut light = DVec3::splat(ambient);
        if self.lamps.is_empty() {
            light += (1.0 - ambient) * -meeting.normal.dot(direction);
        }
        let point = origin + meeting.distance * direction;
        for &(toward, lamp) in &self.lamps {
            let cosine = meeting.normal.dot(toward);
            if cosine.abs() < 1e-3 && self.shading.shadows {
                return Err(());
            }
            let own = (!meeting.inside).then_some(meeting.index);
            if cosine > 0.0 && (!self.shading.shadows || self.is_lit(point, toward, own)?) {
                light += lamp * cosine;
            }
        }
        Ok(light * linear(self.spheres[meeting.index].2))
    }
}

/// Draws the scene both ways; every pixel that is not in doubt agrees, and most are not.
fn assert_agrees(scene: &SphereScene<'_>, offsets: &[[f64; 2]], name: &str) {
    let frame = drawn(scene);
    let oracle = Oracle::new(scene);
    let (mut sure, mut hits) = (0, 0);
    for (j, row) in frame.pixels().chunks(frame.width() as usize).enumerate() {
        for (i, pixel) in row.iter().enumerate() {
            let sum = offsets.iter().try_fold(DVec3::ZERO, |sum, offset| {
                oracle.light(i as f64 + offset[0], j as f64 + offset[1]).map(|light| sum + light)
            });
            let Ok(sum) = sum else { continue };
            sure += 1;
            let expected = (sum / offsets.len() as f64).to_array().map(encode);
            let found = [pixel.r, pixel.g, pixel.b].map(f64::from);
            for (expected, found) in expected.into_iter().zip(found) {
                assert!((expected - found).abs() <= 0.6, "{name}: pixel ({i}, {j}) is {pixel:?}, not {expected}");
            }
            hits += usize::from(*pixel != oracle.background);
        }
    }
    let count = frame.pixels().len();
    let least = count * 7 / 10 / offsets.len().isqrt();
    assert!(sure > least, "{name}: only {sure} of {count} pixels are beyond doubt");
    assert!(hits > count / 50, "{name}: only {hits} pixels show a sphere");
}

const CENTER: [[f64; 2]; 1] = [[0.5, 0.5]];

/// Lights from three sides, one of them off-white and one whose direction is not a unit vector.
fn lights() -> Vec<Light> {
    let light = |direction: [f32; 3], color, intensity| {
        Light::from(DirectionalLight::new(direction).with_color(color).with_intensity(intensity))
    };
    vec![
        light([-1.0, -2.0, -0.5], Srgba8::WHITE, 0.5),
        light([300.0, -100.0, -200.0], Srgba8::rgb(255, 200, 90), 0.4),
        light([0.1, 0.9, -0.4], Srgba8::rgb(90, 120, 255), 0.2),
    ]
}

// ---- right ----

#[test]
fn random_scenes_agree_with_f64_brute_force() {
    for seed in 0..12 {
        let mut random = Random(seed);
        let count = [3, 30, 300][seed as usize % 3];
        let spheres = random.spheres(count, 2.0, [0.05, 1.5 / (count as f32).cbrt()]);
        let eye = [random.between(-1.0, 1.0), random.between(-1.0, 1.0), 5.0];
        let projection = if seed % 2 == 0 { PERSPECTIVE } else { Projection::Orthographic { height: 4.0 } };
        assert_agrees(&scene(spheres, view(eye, projection)), &CENTER, &format!("seed {seed}"));
    }
}

#[test]
fn spheres_around_across_and_behind_the_eye_agree_with_brute_force() {
    for seed in 0..8 {
        let mut random = Random(100 + seed);
        let mut spheres = random.spheres(60, 3.0, [0.05, 0.5]);
        // one around the eye, some beside it that cross its plane, one far behind
        let eye = [0.3, 0.2, 1.0];
        let place = |x: f32, y: f32, z: f32, radius| PaintedSphere {
            center: [x, y, z],
            radius,
            color: Srgba8::rgb(200, 100, 50),
        };
        if seed % 2 == 0 {
            spheres.push(place(0.35, 0.1, 1.1, 4.0));
        }
        spheres.push(place(2.0, 0.2, 1.05, 1.6));
        spheres.push(place(0.3, -2.0, 0.9, 1.9));
        spheres.push(place(0.0, 0.0, 30.0, 20.0));
        let projection = if seed < 6 { PERSPECTIVE } else { Projection::Orthographic { height: 3.0 } };
        assert_agrees(&scene(spheres, view(eye, projection)), &CENTER, &format!("seed {seed}"));
    }
}

#[test]
fn planet_under_an_eye_two_above_it_agrees_with_brute_force() {
    let radius = 6.36e6;
    let planet = PaintedSphere { center: [0.0, -radius, 0.0], radius, color: Srgba8::rgb(80, 160, 80) };
    let mut ground = scene(vec![planet], view([0.0, 2.0, 0.0], PERSPECTIVE));
    ground.view.camera.target = Vec3::new(0.0, 1.0, -2.0);
    assert_agrees(&ground, &CENTER, "planet");
}

#[test]
fn lights_and_hard_shadows_agree_with_brute_force() {
    for seed in 0..8 {
        let mut random = Random(200 + seed);
        let spheres = random.spheres(80, 1.5, [0.1, 0.6]);
        let projection = if seed % 4 < 3 { PERSPECTIVE } else { Projection::Orthographic { height: 4.0 } };
        let mut lit = scene(spheres, view([0.5, 1.0, 4.5], projection));
        lit.lights = lights();
        lit.shading.shadows = seed % 2 == 0;
        assert_agrees(&lit, &CENTER, &format!("seed {seed}"));
    }
}

/// Scenes of more than 4096 spheres find shadows by light buffers, at every instruction set.
#[test]
fn hard_shadows_of_many_spheres_agree_with_brute_force() {
    for (seed, projection) in [(210, PERSPECTIVE), (211, Projection::Orthographic { height: 4.0 })] {
        let mut random = Random(seed);
        let mut spheres = random.spheres(5000, 1.5, [0.02, 0.12]);
        spheres.push(PaintedSphere::new([0.0, -52.0, 0.0], 50.0, Srgba8::rgb(200, 200, 180)));
        let mut lit = scene(spheres, view([0.5, 1.0, 4.5], projection));
        lit.lights = lights();
        lit.shading.shadows = true;
        assert_agrees(&lit, &CENTER, &format!("seed {seed}"));
        let expected = drawn(&lit);
        for simd in SimdLevel::available() {
            let settings = RenderSettings::default().with_simd(simd).with_threads(3).with_tile_size(24);
            assert!(drawn_with(&lit, &settings) == expected, "{simd} draws other bytes");
        }
    }
}

#[test]
fn samples_are_the_mean_of_their_positions_in_linear_light() {
    for count in [1, 2, 4, 16] {
        let mut random = Random(300 + u64::from(count));
        let mut many = scene(random.spheres(6, 1.0, [0.4, 0.9]), view([0.0, 0.0, 5.0], PERSPECTIVE));
        many.shading.samples = count;
        assert_agrees(&many, &offsets(count), &format!("{count} samples"));
    }
}

#[test]
fn poses_draw_the_same_bytes_as_expanded_copies() {
    let mut random = Random(7);
    let spheres = random.spheres(50, 0.5, [0.05, 0.2]);
    // quarter turns and whole numbers, so that placing rounds exactly as the copies below do
    let turn = Mat3::from_cols(Vec3::Y, Vec3::NEG_X, Vec3::Z);
    let poses: Vec<Pose> = [[-1.0, 0.0, 0.0], [1.0, 0.5, -0.25], [0.0, -1.0, 0.5]]
        .into_iter()
        .map(|translation| Pose { rotation: turn, translation: translation.into() })
        .chain([Pose::IDENTITY])
        .collect();
    let copies = poses.iter().flat_map(|pose| {
        spheres.iter().map(|sphere| {
            let center = pose.rotation * Vec3::from(sphere.center) + pose.translation;
            PaintedSphere { center: center.to_array(), ..*sphere }
        })
    });
    let mut expanded = scene(copies.collect(), view([0.0, 1.0, 4.0], PERSPECTIVE));
    expanded.lights = lights();
    expanded.shading = expanded.shading.with_shadows().with_ao_rays(4);
    let mut posed = expanded.clone();
    posed.groups = vec![SphereGroup::new(spheres, poses)];
    assert_eq!(drawn(&posed), drawn(&expanded));
}

#[test]
fn exact_ties_go_to_the_lower_index() {
    let sphere = |color| PaintedSphere { center: [0.0; 3], radius: 1.0, color };
    let (red, blue) = (Srgba8::rgb(255, 0, 0), Srgba8::rgb(0, 0, 255));
    for [first, second] in [[red, blue], [blue, red]] {
        let pair = |spheres: Vec<PaintedSphere>| drawn(&scene(spheres, view([0.0, 0.0, 5.0], PERSPECTIVE)));
        assert_eq!(pair(vec![sphere(first), sphere(second)]), pair(vec![sphere(first)]));
        let far = PaintedSphere { center: [0.0, 0.0, -3.0], radius: 0.5, color: blue };
        assert_eq!(pair(vec![sphere(first), far, sphere(second)]), pair(vec![sphere(first)]));
    }
}

#[test]
fn gradient_is_mixed_in_linear_light_by_the_rays_height() {
    let (bottom, top) = (Srgba8::rgb(255, 255, 255), Srgba8::rgb(20, 90, 250));
    let mut empty = view([0.0, 0.0, 5.0], Projection::Perspective { fov_y_radians: 2.0 });
    empty.background = Background::Gradient { bottom, top };
    let frame = drawn(&scene(Vec::new(), empty));
    for (x, y) in [(0, 0), (36, 27), (71, 53), (10, 40)] {
        let up = f64::from(empty.ray(x as f32 + 0.5, y as f32 + 0.5).direction[1]);
        let share = 0.5 * (up + 1.0);
        let expected = (linear(bottom) * (1.0 - share) + linear(top) * share).to_array().map(encode);
        let pixel = frame.pixel(x, y).expect("inside the picture");
        for (expected, found) in expected.into_iter().zip([pixel.r, pixel.g, pixel.b]) {
            assert!((expected - f64::from(found)).abs() <= 0.6, "({x}, {y}): {pixel:?}");
        }
    }
}

#[test]
fn translucent_background_stays_as_it_is_and_mixes_at_silhouettes() {
    let background = Srgba8 { r: 200, g: 100, b: 50, a: 60 };
    let sphere = PaintedSphere { center: [0.0; 3], radius: 1.0, color: Srgba8::WHITE };
    let mut one = scene(vec![sphere], view([0.0, 0.0, 5.0], PERSPECTIVE));
    one.view.background = Background::Solid(background);
    one.shading.samples = 16;
    let frame = drawn(&one);
    assert_eq!(frame.pixel(0, 0), Some(background));
    assert_eq!(frame.pixel(36, 27).map(|pixel| pixel.a), Some(255));
    assert!(frame.pixels().iter().any(|pixel| pixel.a > 60 && pixel.a < 255), "a silhouette is in between");
}

// ---- ambient occlusion ----

// ---- the same bytes ----

#[test]
fn settings_change_no_byte() {
    let mut random = Random(21);
    let mut spheres = random.spheres(400, 2.0, [0.02, 0.4]);
    spheres.extend(random.spheres(5, 6.0, [0.5, 3.0]));
    for (case, projection) in
        [PERSPECTIVE, Projection::Orthographic { height: 5.0 }, Projection::Perspective { fov_y_radians: 2.6 }]
            .into_iter()
            .enumerate()
    {
        let mut all = scene(spheres.clone(), view([0.2, 0.4, 2.5], projection));
        all.lights = lights();
        all.lights.truncate(case);
        all.shading = all.shading.with_samples(3).with_ao_rays(5).with_shadows().with_seed(9);
        if case == 1 {
            all.shading.samples = 1;
            all.view.background = Background::Gradient { bottom: Srgba8::BLACK, top: Srgba8::WHITE };
        }
        assert_settings_change_no_byte(&all, &[8, 13, 31, 64, 100, 128], &format!("case {case}"));
    }
}

// ---- extremes ----

#[test]
fn a_million_spheres_at_one_point_draw_as_one() {
    let sphere = |color| PaintedSphere { center: [0.1, 0.2, 0.3], radius: 1.0, color };
    let mut heap = vec![sphere(Srgba8::BLACK); 1_000_000];
    heap[0].color = Srgba8::WHITE;
    let one = scene(vec![sphere(Srgba8::WHITE)], view([0.0, 0.0, 5.0], PERSPECTIVE));
    assert_eq!(drawn(&scene(heap, one.view)), drawn(&one));
}

#[test]
fn spheres_behind_the_camera_are_not_seen() {
    let mut random = Random(31);
    let mut behind = random.spheres(10_000, 1.0, [0.01, 0.3]);
    behind.iter_mut().for_each(|sphere| sphere.center[2] += 7.0);
    let frame = drawn(&scene(behind, view([0.0, 0.0, 5.0], PERSPECTIVE)));
    assert!(frame.pixels().iter().all(|&pixel| pixel == Srgba8::rgb(10, 20, 40)));
}

#[test]
fn any_unit_of_length_draws_the_same_picture() {
    // powers of two scale without rounding
    let mut random = Random(41);
    let spheres = random.spheres(100, 1.0, [0.05, 0.4]);
    let one = scene(spheres.clone(), view([0.5, 0.25, 4.0], PERSPECTIVE));
    let expected = drawn(&one);
    for power in [-90, -40, 40, 90] {
        let scale = 2.0f32.powi(power);
        let mut scaled = one.clone();
        scaled.view.camera.eye *= scale;
        for sphere in scaled.groups[0].spheres.to_mut() {
            sphere.center = sphere.center.map(|component| component * scale);
            sphere.radius *= scale;
        }
        assert!(drawn(&scaled) == expected, "2^{power}");
    }
}

#[test]
fn extreme_numbers_draw_without_panic() {
    let color = Srgba8::WHITE;
    let numbers = [0.0, 1e-30, -1e30, 1e30, f32::MAX, f32::MIN_POSITIVE, f32::NAN, f32::INFINITY, -1.0];
    let mut spheres = Vec::new();
    for &x in &numbers {
        for &z in &numbers {
            spheres.extend(numbers.map(|radius| PaintedSphere { center: [x, -x, z], radius, color }));
        }
    }
    let cases = [
        view([0.0, 0.0, 5.0], PERSPECTIVE),
        view([0.0; 3], PERSPECTIVE),
        view([1e30, -1e30, 1e30], PERSPECTIVE),
        view([0.0, 0.0, 5.0], Projection::Orthographic { height: 1e30 }),
        view([0.0, 3.0, 0.0], Projection::Perspective { fov_y_radians: 3.2 }),
    ];
    for view in cases {
        let mut all = scene(spheres.clone(), view);
        all.lights = lights();
        all.shading = all.shading.with_shadows().with_ao_rays(2);
        let expected = drawn(&all);
        let level = RenderSettings::default()
            .with_simd(SimdLevel::available()[SimdLevel::available().len() - 1])
            .with_culling(Culling::Off);
        assert!(drawn_with(&all, &level) == expected, "{view:?}");
    }
    let mut tiny = scene(spheres, view([0.0, 0.0, 5.0], PERSPECTIVE));
    (tiny.view.width, tiny.view.height) = (1, 1);
    assert_eq!(drawn(&tiny).pixels().len(), 1);
}

#[test]
fn empty_spheres_and_empty_groups_draw_nothing() {
    let color = Srgba8::WHITE;
    let empty = [-1.0, 0.0, f32::NAN, f32::INFINITY].map(|radius| PaintedSphere { center: [0.0; 3], radius, color });
    let mut nothing = scene(empty.to_vec(), view([0.0, 0.0, 5.0], PERSPECTIVE));
    nothing.groups.push(SphereGroup::from(Vec::new()));
    nothing.groups.push(SphereGroup::new(empty.to_vec(), Vec::new()));
    assert!(drawn(&nothing).pixels().iter().all(|&pixel| pixel == Srgba8::rgb(10, 20, 40)));
}
