//! 2D frames against a slow, obvious painter (`oracle/painter.rs`), and geometry at the edge of `f32`.
//!
//! Also the promise that threads, tiles, culling and lanes change no byte.
#![expect(
    clippy::disallowed_methods,
    clippy::cast_possible_truncation,
    reason = "an oracle with a tolerance; test data is in range"
)]

use std::borrow::Cow;

use crate::oracle::painter::{coverage, pixel};
use crate::oracle::random::Random;
use roundel::circles::{Blend, Canvas, CircleScene, Layer, PaintedCircle, PaintedEllipse, Stroke, Style};
use roundel::{Culling, Frame, RenderSettings, Scene, SimdLevel, Srgba8, render};

const SRGB: Canvas = Canvas { width: 96, height: 80, background: Srgba8::WHITE, blend: Blend::Srgb };

fn scene(canvas: Canvas, shapes: &[PaintedEllipse]) -> Scene<'_> {
    Scene::Circles(CircleScene { canvas, layers: vec![Layer::Ellipses(Cow::Borrowed(shapes))] })
}

fn draw(canvas: Canvas, shapes: &[PaintedEllipse], settings: &RenderSettings) -> Frame {
    render(&scene(canvas, shapes), settings).expect("settings in range")
}

/// Compares a frame with the oracle: colours may be 1 off, and more where alpha is small.
fn assert_right(canvas: Canvas, shapes: &[PaintedEllipse], name: &str) {
    let frame = draw(canvas, shapes, &RenderSettings::default());
    for row in 0..canvas.height {
        for column in 0..canvas.width {
            let Srgba8 { r, g, b, a } = frame.pixel(column, row).expect("inside");
            let got = [r, g, b, a].map(f64::from);
            let right = pixel(&canvas, shapes, column, row);
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
    PaintedEllipse { center, radii: [f64::from(radius); 2], style: Style::Fill, color }
}

fn random_shapes(seed: u64, count: usize) -> Vec<PaintedEllipse> {
    let mut random = Random::new(seed);
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
        PaintedEllipse { center, radii, style, color: random.color(alpha) }
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
        let mut random = Random::new(77 + u64::from(alpha));
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

/// Coverage in the picture: the alpha of an opaque shape on transparency is 255 × coverage, rounded half up.
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
            let right = 255.0 * coverage(&shape, column, row);
            assert!(
                (got - right).abs() <= ALLOWED,
                "{shape:?} at {level:?}, pixel ({column}, {row}): {got} for {right}"
            );
        }
    }
}

#[test]
fn coverage_is_within_a_512th_for_every_radius_and_level() {
    let radii = [0.05, 0.2, 0.5, 1.0, 1.5, 2.7, 4.0, 7.9, 12.0, 21.8, 22.0, 40.0, 100.0, 900.0, 1e4, 1e5];
    for level in SimdLevel::available() {
        let mut random = Random::new(5);
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
    let mut random = Random::new(9);
    for case in 0..400 {
        let radii = [10f64.powf(-1.3 + 4.0 * random.unit()), 10f64.powf(-1.3 + 4.0 * random.unit())];
        let center = [random.within(-radii[0], 40.0 + radii[0]), random.within(0.0, 24.0)];
        let style = if case % 2 == 0 { Style::Fill } else { Style::Stroke(Stroke::new(random.within(0.05, 6.0))) };
        let shape = PaintedEllipse { center, radii, style, color: Srgba8::BLACK };
        assert_coverage(&shape, [0, 0], SimdLevel::Auto);
    }
}

#[test]
fn coverage_of_large_rings_and_ellipses_is_within_a_512th() {
    // sums of radii and half widths in 64ths are exact in f32
    let round = |length: f64| (64.0 * length).round() / 64.0;
    let mut random = Random::new(11);
    for case in 0..400 {
        let radii = [0, 1].map(|_| round(10f64.powf(1.5 + 3.5 * random.unit())));
        // a point of the rim on the canvas
        let angle = f64::from(random.within(0.0, std::f64::consts::TAU));
        let place = [20.0 - radii[0] * angle.cos(), 12.0 - radii[1] * angle.sin()];
        let center = place.map(|along| (along + random.unit()) as f32);
        let half_width = round(0.02 + 3.0 * random.unit());
        let style = if case % 2 == 0 { Style::Fill } else { Style::Stroke(Stroke::new(2.0 * half_width as f32)) };
        let shape = PaintedEllipse { center, radii, style, color: Srgba8::BLACK };
        assert_coverage(&shape, [0, 0], SimdLevel::Auto);
    }
}

#[test]
fn areas_add_up_to_the_circle() {
    let mut random = Random::new(3);
    for _ in 0..40 {
        let radius = random.within(0.5, 36.0);
        let center = [random.within(40.0, 56.0), random.within(38.0, 42.0)];
        let canvas = Canvas { background: Srgba8::TRANSPARENT, ..SRGB };
        let frame = draw(canvas, &[circle(center, radius, Srgba8::BLACK)], &RenderSettings::default());
        let sum: f64 = frame.pixels().iter().map(|pixel| f64::from(pixel.a) / 255.0).sum();
        let area = std::f64::consts::PI * f64::from(radius) * f64::from(radius);
        // rounding moves each rim pixel by at most half a step, in either direction
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
    let shapes: Vec<_> = random_shapes(8, 200)
        .into_iter()
        .map(|shape| circle(shape.center, shape.radii[0] as f32, shape.color))
        .collect();
    let compact = |shape: &PaintedEllipse| PaintedCircle {
        center: shape.center,
        radius: shape.radii[0] as f32,
        color: shape.color,
    };
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
                let right = 255.0 * coverage(&shape, column, row);
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
                    radii: [radius, other].map(f64::from),
                    style: Style::Fill,
                    color: Srgba8::BLACK.with_alpha(9),
                });
                let style = Style::Stroke(Stroke::new(other));
                shapes.push(PaintedEllipse {
                    center: [x, 1.0],
                    radii: [f64::from(radius); 2],
                    style,
                    color: Srgba8::BLACK,
                });
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
fn ten_million_circles_on_one_pixel_are_opaque_there() {
    let dot = PaintedCircle { center: [10.5, 10.5], radius: 0.4, color: Srgba8::BLACK.with_alpha(1) };
    let dots = vec![dot; 10_000_000];
    let canvas = Canvas { width: 32, height: 32, ..SRGB };
    let scene = Scene::Circles(CircleScene { canvas, layers: vec![Layer::Circles(Cow::Borrowed(&dots))] });
    let frame = render(&scene, &RenderSettings::default()).expect("in range");
    assert_eq!(frame.pixel(10, 10), Some(Srgba8::BLACK));
    assert_eq!(frame.pixel(12, 10), Some(Srgba8::WHITE));
}
