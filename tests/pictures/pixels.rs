//! Pictures of a scene drawn in several ways, and the rays, colours and samples that oracles share.

use glam::DVec3;
use roundel::color::linear_from_srgb8;
use roundel::spheres::{Camera, Projection, SphereScene, View};
use roundel::{Culling, Frame, RenderSettings, SimdLevel, Srgba8, render};

pub(crate) fn drawn(scene: &SphereScene<'_>) -> Frame {
    drawn_with(scene, &RenderSettings::default())
}

pub(crate) fn drawn_with(scene: &SphereScene<'_>, settings: &RenderSettings) -> Frame {
    render(&scene.clone().into(), settings).expect("it draws")
}

/// Asserts that instruction sets, tile sizes, culling and threads change no byte.
pub(crate) fn assert_settings_change_no_byte(scene: &SphereScene<'_>, tiles: &[u32], name: &str) {
    let expected = drawn(scene);
    let one = RenderSettings::default().with_threads(1);
    let mut settings = vec![
        one.with_threads(3).with_tile_size(1024),
        one.with_threads(3).with_tile_size(29).with_culling(Culling::Off),
    ];
    settings.extend(tiles.iter().map(|&size| one.with_tile_size(size)));
    settings.extend(SimdLevel::available().into_iter().map(|level| one.with_simd(level)));
    for settings in settings {
        assert!(drawn_with(scene, &settings) == expected, "{name}: {settings:?} draws other bytes");
    }
}

/// Asserts that parts of a picture are drawn as the whole is. `draw` gets an orthographic camera and a size.
pub(crate) fn assert_crops_equal_the_whole(draw: impl Fn(Camera, u32, u32) -> Frame, name: &str) {
    let crop = |[x, y, width, height]: [u32; 4]| {
        // 16 pixels to a unit, so that every number is exact
        let [x, y] = [x as f32 + 0.5 * width as f32, y as f32 + 0.5 * height as f32].map(|v| v / 16.0 - 2.0);
        let camera = Camera::look_at([x, -y, 9.0], [x, -y, 0.0]);
        draw(camera.with_projection(Projection::orthographic(height as f32 / 16.0)), width, height)
    };
    let whole = crop([0, 0, 64, 64]);
    for [x, y, width, height] in [[0, 0, 32, 32], [20, 12, 16, 32], [46, 50, 18, 14]] {
        let part = crop([x, y, width, height]);
        for (row, column) in (0..height).flat_map(|row| (0..width).map(move |column| (row, column))) {
            let (found, wanted) = (part.pixel(column, row), whole.pixel(x + column, y + row));
            assert_eq!(found, wanted, "{name}: {column}, {row} of the part at {x}, {y}");
        }
    }
}

/// The axes and rays of a view in `f64`, derived from eye, target, up and projection alone.
pub(crate) struct ExactView {
    pub(crate) eye: DVec3,
    pub(crate) right: DVec3,
    pub(crate) up: DVec3,
    pub(crate) forward: DVec3,
    /// Width of a pixel; in perspective at a depth of 1.
    pub(crate) step: f64,
    pub(crate) is_parallel: bool,
    size: [f64; 2],
}

impl ExactView {
    pub(crate) fn new(view: &View) -> Self {
        let Camera { eye, target, up, projection, .. } = view.camera;
        let [eye, target, up] = [eye, target, up].map(|vector| vector.as_dvec3());
        let forward = (target - eye).normalize();
        let right = forward.cross(up).normalize();
        let (extent, is_parallel) = match projection {
            Projection::Perspective { fov_y_radians } => (2.0 * libm::tan(f64::from(fov_y_radians) / 2.0), false),
            Projection::Orthographic { height } => (f64::from(height), true),
        };
        let size = [view.width, view.height].map(f64::from);
        Self { eye, right, up: right.cross(forward), forward, step: extent / size[1], is_parallel, size }
    }

    /// Origin and unit direction of the ray through a canvas position.
    pub(crate) fn ray(&self, x: f64, y: f64) -> (DVec3, DVec3) {
        let [width, height] = self.size;
        let across = self.right * ((x - width / 2.0) * self.step) + self.up * ((height / 2.0 - y) * self.step);
        if self.is_parallel {
            (self.eye + across, self.forward)
        } else {
            (self.eye, (self.forward + across).normalize())
        }
    }
}

pub(crate) fn linear(color: Srgba8) -> DVec3 {
    DVec3::from([color.r, color.g, color.b].map(|channel| f64::from(linear_from_srgb8(channel))))
}

/// 8-bit value of linear light before rounding.
pub(crate) fn encode(linear: f64) -> f64 {
    let linear = linear.clamp(0.0, 1.0);
    255.0 * if linear <= 0.003_130_8 { 12.92 * linear } else { 1.055 * libm::pow(linear, 1.0 / 2.4) - 0.055 }
}

/// Sub-pixel positions of samples: the R2 sequence of M. Roberts.
pub(crate) fn offsets(count: u32) -> Vec<[f64; 2]> {
    const PLASTIC: [f64; 2] = [0.754_877_666_246_692_7, 0.569_840_290_998_053_3];
    (0..count).map(|i| PLASTIC.map(|step| (0.5 + f64::from(i) * step).fract())).collect()
}

/// Rounds to few digits, so that moving the camera rounds nothing.
pub(crate) fn few_digits(numbers: [f32; 4]) -> [f32; 4] {
    numbers.map(|number| (number * 1024.0).round() / 1024.0)
}

#[expect(clippy::cast_possible_truncation, reason = "rounded to the nearest f32")]
pub(crate) fn single(value: f64) -> f32 {
    value as f32
}
