//! 2D frames against a slow, obvious painter: exact areas in `f64`, back to front, one pixel at a time.
//!
//! Also the promise that threads, tiles, culling and lanes change no byte, and geometry at the edge of `f32`.
#![cfg(feature = "render")]
#![expect(
    clippy::disallowed_methods,
    clippy::cast_possible_truncation,
    reason = "an oracle with a tolerance; test data is in range"
)]

use std::borrow::Cow;
use std::time::{Duration, Instant};

use roundel::circles::{Blend, Canvas, CircleScene, Layer, PaintedCircle, PaintedEllipse, Stroke, Style};
use roundel::color::linear_from_srgb8;
use roundel::{Culling, Frame, RenderSettings, Scene, SimdLevel, Srgba8, render};

/// xorshift64*.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    fn unit(&mut self) -> f64 {
        (self.next() >> 40) as f64 / 16_777_216.0
    }

    fn within(&mut self, low: f64, high: f64) -> f32 {
        (low + (high - low) * self.unit()) as f32
    }

    fn color(&mut self, alpha: u8) -> Srgba8 {
        let [r, g, b, ..] = self.next().to_be_bytes();
        Srgba8 { r, g, b, a: alpha }
    }
}

/// ∫ clamp(√(1 − t²), low, high) style: area of the unit disc above `y = low`, below `y = high`, between two abscissae.
///
/// Integrated column by column: the disc's upper arc, clipped to the pixel's rows, is piecewise a constant or an arc.
fn disc_in_box(x: [f64; 2], y: [f64; 2]) -> f64 {
    // the part under the upper arc less the part under the lower one
    under_arc(x, y) + under_arc(x, [-y[1], -y[0]]) - (clamp1(x[1]) - clamp1(x[0])) * (y[1] - y[0])
}

fn clamp1(value: f64) -> f64 {
    value.clamp(-1.0, 1.0)
}

/// ∫ over x of (clamp(√(1 − x²), y0, y1) − y0).
fn under_arc(x: [f64; 2], y: [f64; 2]) -> f64 {
    let (from, to) = (clamp1(x[0]), clamp1(x[1]));
    let mut cuts = vec![from, to];
    for height in y {
        if height.abs() < 1.0 && height > 0.0 {
            let cut = ((1.0 - height) * (1.0 + height)).sqrt();
            cuts.extend([-cut, cut].into_iter().filter(|cut| from < *cut && *cut < to));
        }
    }
    cuts.sort_by(f64::total_cmp);
    let primitive = |t: f64| 0.5 * (t * ((1.0 - t) * (1.0 + t)).max(0.0).sqrt() + t.asin());
    let piece = |pair: &[f64]| {
        let (a, b) = (pair[0], pair[1]);
        let middle = 0.5 * (a + b);
        let arc = ((1.0 - middle) * (1.0 + middle)).max(0.0).sqrt();
        // an arc's top that touches the row is not above it
        if arc >= y[1] && y[1] < 1.0 {
            (b - a) * (y[1] - y[0])
        } else if arc <= y[0] {
            0.0
        } else {
            primitive(b) - primitive(a) - y[0] * (b - a)
        }
    };
    cuts.windows(2).map(piece).sum()
}

/// Exact share of a pixel that the ellipse covers; good to about 10⁻¹⁶ of the radii's product.
fn ellipse_coverage(center: [f32; 2], radii: [f64; 2], column: u32, row: u32) -> f64 {
    if radii[0] <= 0.0 || radii[1] <= 0.0 {
        return 0.0;
    }
    let scaled = |pixel: u32, axis: usize| {
        let start = f64::from(pixel) - f64::from(center[axis]);
        [start / radii[axis], (start + 1.0) / radii[axis]]
    };
    let (x, y) = (scaled(column, 0), scaled(row, 1));
    (disc_in_box(x, y) * radii[0] * radii[1]).clamp(0.0, 1.0)
}

fn coverage(shape: &PaintedEllipse, column: u32, row: u32) -> f64 {
    let radii = shape.radii.map(f64::from);
    match shape.style {
        Style::Fill => ellipse_coverage(shape.center, radii, column, row),
        Style::Stroke(stroke) => {
            let half = 0.5 * f64::from(stroke.width);
            let outer = ellipse_coverage(shape.center, radii.map(|radius| radius + half), column, row);
            outer - ellipse_coverage(shape.center, radii.map(|radius| radius - half), column, row)
        }
        other => panic!("{other:?}"),
    }
}

fn decode(value: u8, blend: Blend) -> f64 {
    match blend {
        Blend::Srgb => f64::from(value) / 255.0,
        Blend::Linear => f64::from(linear_from_srgb8(value)),
    }
}

fn encode(value: f64, blend: Blend) -> f64 {
    let encoded = match blend {
        Blend::Srgb => value,
        Blend::Linear if value <= 0.003_130_8 => value * 12.92,
        Blend::Linear => 1.055 * value.powf(1.0 / 2.4) - 0.055,
    };
    255.0 * encoded
}

/// The pixel's red, green, blue and alpha, 0 to 255, not rounded: every shape over what lies below it.
fn paint(canvas: &Canvas, shapes: &[PaintedEllipse], column: u32, row: u32) -> [f64; 4] {
    let back = canvas.background;
    let mut alpha = f64::from(back.a) / 255.0;
    let mut light = [back.r, back.g, back.b].map(|channel| alpha * decode(channel, canvas.blend));
    for shape in shapes {
        let weight = coverage(shape, column, row) * f64::from(shape.color.a) / 255.0;
        let color = [shape.color.r, shape.color.g, shape.color.b].map(|channel| decode(channel, canvas.blend));
        for (light, color) in light.iter_mut().zip(color) {
            *light = *light * (1.0 - weight) + color * weight;
        }
        alpha = alpha * (1.0 - weight) + weight;
    }
    let straight = light.map(|light| if alpha > 0.0 { encode(light / alpha, canvas.blend) } else { 0.0 });
    [straight[0], straight[1], straight[2], 255.0 * alpha]
}

const SRGB: Canvas = Canvas { width: 96, height: 80, background: Srgba8::WHITE, blend: Blend::Srgb };

fn scene(canvas: Canvas, shapes: &[PaintedEllipse]) -> Scene<'_> {
    Scene::Circles(CircleScene { canvas, layers: vec![Layer::Ellipses(Cow::Borrowed(shapes))] })
}

fn draw(canvas: Canvas, shapes: &[PaintedEllipse], settings: &RenderSettings) -> Frame {
    render(&scene(canvas, shapes), settings).expect("settings in range")
}

/// Holds a frame against the oracle: colours may be 1 off, and none are told where next to nothing was painted.
fn assert_right(canvas: Canvas, shapes: &[PaintedEllipse], name: &str) {
    let frame = draw(canvas, shapes, &RenderSettings::default());
    for row in 0..canvas.height {
        for column in 0..canvas.width {
            let pixel = frame.pixel(column, row).expect("inside");
            let right = paint(&canvas, shapes, column, row);
            let got = [pixel.r, pixel.g, pixel.b, pixel.a].map(f64::from);
            // straight colour of a faint pixel is as uncertain as its alpha is small
            let tolerance = if right[3] < 254.5 { 1.0 + 200.0 / right[3].max(0.5) } else { 1.0 };
            for channel in 0..4 {
                let allowed = 0.5 + if channel == 3 { 1.0 } else { tolerance };
                assert!(
                    (got[channel] - right[channel]).abs() < allowed,
                    "{name}: pixel ({column}, {row}) is {got:?}, right is {right:?}"
                );
            }
        }
    }
}

fn circle(center: [f32; 2], radius: f32, color: Srgba8) -> PaintedEllipse {
    PaintedEllipse { center, radii: [radius; 2], style: Style::Fill, color }
}

fn random_shapes(seed: u64, count: usize) -> Vec<PaintedEllipse> {
    let mut random = Random(seed);
    let shape = |_| {
        let radius = 10f64.powf(-1.0 + 3.95 * random.unit());
        let center = [random.within(-60.0, 156.0), random.within(-60.0, 140.0)];
        let aspect = if random.unit() < 0.5 { 1.0 } else { 10f64.powf(-1.5 * random.unit()) };
        let radii = if random.unit() < 0.5 { [radius, radius * aspect] } else { [radius * aspect, radius] };
        let style = match random.next() % 3 {
            0 => Style::Stroke(Stroke::new(random.within(0.1, 8.0))),
            _ => Style::Fill,
        };
        let alpha = [1, 26, 128, 204, 255][(random.next() >> 32) as usize % 5];
        PaintedEllipse { center, radii: radii.map(|radius| radius as f32), style, color: random.color(alpha) }
    };
    (0..count).map(shape).collect()
}

#[test]
fn random_scenes_are_within_one_of_the_oracle() {
    let translucent = Srgba8 { r: 200, g: 40, b: 90, a: 100 };
    for seed in 1..=12 {
        let shapes = random_shapes(u64::wrapping_mul(seed, 0x9E37_79B9_7F4A_7C15), 60);
        let background = [Srgba8::WHITE, translucent, Srgba8::TRANSPARENT, Srgba8::BLACK][seed as usize % 4];
        let blend = if seed % 3 == 0 { Blend::Linear } else { Blend::Srgb };
        assert_right(Canvas { background, blend, ..SRGB }, &shapes, &format!("seed {seed}"));
    }
}

#[test]
fn thousand_stacked_circles_do_not_drift() {
    for alpha in [1, 3, 26, 255] {
        let mut random = Random(77 + u64::from(alpha));
        let stack = |_| circle([40.0, 30.0], random.within(3.0, 30.0), random.color(alpha));
        let shapes: Vec<_> = (0..1000).map(stack).collect();
        for blend in [Blend::Srgb, Blend::Linear] {
            assert_right(Canvas { blend, width: 80, height: 64, ..SRGB }, &shapes, &format!("alpha {alpha} {blend:?}"));
        }
    }
}

#[test]
fn circles_that_share_a_rim_pixel_blend_there() {
    let ink = |r, g, b| Srgba8::rgb(r, g, b);
    let shapes = [circle([20.3, 20.0], 10.0, ink(255, 0, 0)), circle([40.9, 20.0], 10.6, ink(0, 0, 255))];
    assert_right(SRGB, &shapes, "neighbours");
    assert_right(SRGB, &[shapes[0], shapes[0]], "the same twice");
}

/// Coverage as the picture shows it: alpha of an opaque shape on nothing is 255 × coverage, halves up.
fn assert_coverage(shape: &PaintedEllipse, origin: [i32; 2], level: SimdLevel) {
    // the slack of 1/512, and half a step of rounding
    const ALLOWED: f64 = 255.0 / 512.0 + 0.5 + 1e-6;
    let canvas = Canvas { width: 40, height: 24, background: Srgba8::TRANSPARENT, blend: Blend::Srgb };
    let center = [shape.center[0] - origin[0] as f32, shape.center[1] - origin[1] as f32];
    let shape = PaintedEllipse { center, ..*shape };
    let frame = draw(canvas, &[shape], &RenderSettings::default().with_simd(level).with_threads(1));
    for row in 0..canvas.height {
        for column in 0..canvas.width {
            let got = f64::from(frame.pixel(column, row).expect("inside").a);
            let right = 255.0 * exact(&shape, column, row);
            assert!(
                (got - right).abs() <= ALLOWED,
                "{shape:?} at {level:?}, pixel ({column}, {row}): {got} for {right}"
            );
        }
    }
}

/// The oracle for circles of any size; the public formula has a test of its own against rational arithmetic.
fn exact(shape: &PaintedEllipse, column: u32, row: u32) -> f64 {
    let circle = roundel::geom::Circle { center: shape.center, radius: shape.radii[0] };
    if shape.radii[0] > 1000.0 && shape.radii[0] == shape.radii[1] && shape.style == Style::Fill {
        roundel::geom::pixel_coverage(&circle, column as i32, row as i32)
    } else {
        coverage(shape, column, row)
    }
}

#[test]
fn coverage_is_within_a_512th_for_every_radius_and_level() {
    let radii = [0.05, 0.2, 0.5, 1.0, 1.5, 2.7, 4.0, 7.9, 12.0, 21.8, 22.0, 40.0, 100.0, 900.0, 1e4, 1e5];
    for level in SimdLevel::available() {
        let mut random = Random(5);
        for radius in radii {
            for step in 0..16u8 {
                // a grid of sub-pixel places, the rim somewhere on the canvas
                let place = [f32::from(step % 4) * 0.25, f32::from(step / 4) * 0.25];
                let angle = f64::from(random.within(0.0, std::f64::consts::TAU));
                let toward =
                    [angle.cos(), angle.sin()].map(|part| (part * f64::from((radius - 4.0f32).max(0.0))) as f32);
                let center = [20.0 + place[0] + toward[0].round(), 12.0 + place[1] + toward[1].round()];
                assert_coverage(&circle(center, radius, Srgba8::BLACK), [0, 0], level);
            }
        }
    }
}

#[test]
fn coverage_of_rings_and_ellipses_is_within_a_512th() {
    let mut random = Random(9);
    for case in 0..400 {
        let radii = [10f64.powf(-1.3 + 4.0 * random.unit()) as f32, 10f64.powf(-1.3 + 4.0 * random.unit()) as f32];
        let center = [random.within(-f64::from(radii[0]), 40.0 + f64::from(radii[0])), random.within(0.0, 24.0)];
        let style = if case % 2 == 0 { Style::Fill } else { Style::Stroke(Stroke::new(random.within(0.05, 6.0))) };
        let shape = PaintedEllipse { center, radii, style, color: Srgba8::BLACK };
        assert_coverage(&shape, [0, 0], SimdLevel::Auto);
    }
}

#[test]
fn areas_add_up_to_the_circle() {
    let mut random = Random(3);
    for _ in 0..40 {
        let radius = random.within(0.5, 36.0);
        let center = [random.within(40.0, 56.0), random.within(38.0, 42.0)];
        let canvas = Canvas { background: Srgba8::TRANSPARENT, ..SRGB };
        let frame = draw(canvas, &[circle(center, radius, Srgba8::BLACK)], &RenderSettings::default());
        let sum: f64 = frame.pixels().iter().map(|pixel| f64::from(pixel.a) / 255.0).sum();
        let area = std::f64::consts::PI * f64::from(radius) * f64::from(radius);
        // each rim pixel is rounded by at most half a step, and they go either way
        assert!((sum - area).abs() < 0.02 + 0.002 * f64::from(radius), "radius {radius}: {sum} for {area}");
    }
}

#[test]
fn bytes_do_not_depend_on_threads_tiles_culling_or_lanes() {
    let mut shapes = random_shapes(42, 300);
    // cut by tiles of 8 into pieces as wide as a tile
    shapes.push(circle([12.0, 8.0], 6.0, Srgba8::BLACK));
    let canvas = Canvas { width: 203, height: 151, ..SRGB };
    let expected = draw(canvas, &shapes, &RenderSettings::default());
    let same = |settings: RenderSettings| assert!(draw(canvas, &shapes, &settings) == expected, "{settings:?}");
    for threads in [1, 2, 7] {
        same(RenderSettings::default().with_threads(threads));
    }
    for tile in [8, 9, 13, 16, 31, 32, 64, 77, 128, 200, 1024] {
        for culling in [Culling::On, Culling::Off] {
            same(RenderSettings::default().with_tile_size(tile).with_culling(culling));
        }
    }
    for simd in SimdLevel::available() {
        same(RenderSettings::default().with_simd(simd));
        same(RenderSettings::default().with_simd(simd).with_tile_size(19).with_culling(Culling::Off));
    }
}

#[test]
fn layers_of_circles_draw_what_filled_ellipses_draw() {
    let shapes: Vec<_> =
        random_shapes(8, 200).into_iter().map(|shape| circle(shape.center, shape.radii[0], shape.color)).collect();
    let compact =
        |shape: &PaintedEllipse| PaintedCircle { center: shape.center, radius: shape.radii[0], color: shape.color };
    let circles: Vec<_> = shapes.iter().map(compact).collect();
    let (below, above) = circles.split_at(70);
    let layers = vec![Layer::Circles(Cow::Borrowed(below)), Layer::Circles(Cow::Borrowed(above))];
    let scene = Scene::Circles(CircleScene { canvas: SRGB, layers });
    assert!(
        render(&scene, &RenderSettings::default()).expect("in range")
            == draw(SRGB, &shapes, &RenderSettings::default())
    );
}

#[test]
fn rim_of_a_huge_circle_crosses_the_canvas_where_it_should() {
    for (center, radius) in [([1e9, 40.0], 1e9), ([-1e9 + 64.0, 40.0], 1e9), ([48.0, 3e7], 3e7), ([1e30, 0.0], 1e30)] {
        let shape = circle(center, radius, Srgba8::BLACK);
        let canvas = Canvas { background: Srgba8::TRANSPARENT, ..SRGB };
        let frame = draw(canvas, &[shape], &RenderSettings::default().with_tile_size(24));
        for row in 0..canvas.height {
            for column in 0..canvas.width {
                let got = f64::from(frame.pixel(column, row).expect("inside").a);
                let right = 255.0 * exact(&shape, column, row);
                assert!((got - right).abs() <= 1.0, "{shape:?} pixel ({column}, {row}): {got} for {right}");
            }
        }
    }
}

#[test]
fn extreme_numbers_draw_nothing_or_something_but_never_stop() {
    let extremes = [0.0, -1.0, 1e-30, 1e-45, 0.5, 1e4, 1e30, -1e30, f32::MAX, f32::INFINITY, f32::NAN];
    let mut shapes = Vec::new();
    for x in extremes {
        for radius in extremes {
            for other in extremes {
                shapes.push(PaintedEllipse {
                    center: [x, other],
                    radii: [radius, other],
                    style: Style::Fill,
                    color: Srgba8::BLACK.with_alpha(9),
                });
                let style = Style::Stroke(Stroke::new(other));
                shapes.push(PaintedEllipse { center: [x, 1.0], radii: [radius; 2], style, color: Srgba8::BLACK });
            }
        }
    }
    for (width, height) in [(1, 1), (40, 3)] {
        let canvas = Canvas { width, height, ..SRGB };
        let one = draw(canvas, &shapes, &RenderSettings::default());
        let other = draw(canvas, &shapes, &RenderSettings::default().with_tile_size(8).with_culling(Culling::Off));
        assert!(one == other, "{width}x{height}");
    }
    let empty: Vec<_> = shapes.into_iter().filter(|s| !(s.radii[0] > 0.0 && s.radii[0].is_finite())).collect();
    let filled: Vec<_> = empty.into_iter().filter(|shape| shape.style == Style::Fill).collect();
    let frame = draw(SRGB, &filled, &RenderSettings::default());
    assert!(frame.pixels().iter().all(|pixel| *pixel == Srgba8::WHITE), "a shape without a size paints nothing");
}

#[test]
fn ten_million_circles_on_one_pixel_take_sane_time() {
    let dot = PaintedCircle { center: [10.5, 10.5], radius: 0.4, color: Srgba8::BLACK.with_alpha(1) };
    let dots = vec![dot; 10_000_000];
    let canvas = Canvas { width: 32, height: 32, ..SRGB };
    let scene = Scene::Circles(CircleScene { canvas, layers: vec![Layer::Circles(Cow::Borrowed(&dots))] });
    let start = Instant::now();
    let frame = render(&scene, &RenderSettings::default()).expect("in range");
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
    assert_eq!(frame.pixel(10, 10), Some(Srgba8::BLACK));
    assert_eq!(frame.pixel(12, 10), Some(Srgba8::WHITE));
}
