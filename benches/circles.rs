//! Circles in memory to finished pixels, 1920×1080: a million small ones, ten thousand large ones, outlines, animation.
//!
//! Run with `cargo bench --bench circles`; `cargo bench --bench circles -- W1` for one scene. Each scene is drawn with one
//! thread and with two, and by the plain loop that everybody writes first, so that each figure has its peer in the
//! same run: bounding box, distance to the rim as coverage, back to front, one thread.
//!
//! | scene | circles | radius | alpha |
//! |---|---|---|---|
//! | W1 | 1,000,000 | 1 to 4 | 0.8 |
//! | W2 | 10,000 | 10 to 100 | 0.8 |
//! | W3 | W1 over 100 canvases, 99 % off-screen | 1 to 4 | 0.8 |
//! | W4 | 100 | 300 to 900 | 0.8 |
//! | W5 | 10,000,000 | 1.5 | 0.1 |
//! | W6 | 100,000 outlines, 1.5 wide | 4 to 40 | 0.8 |
//! | animation | 60 frames of 100,000 that move | 1 to 4 | 0.8 |
//!
//! Milliseconds on two cores of an AMD EPYC with AVX-512, medians (of W5 and the faint ones the least of some runs), and
//! those of vello_cpu 0.3 (the better of one and two workers) in the same hour; W6 of vello_cpu is 0.79 of its W1:
//!
//! | scene | 1 thread | 2 threads | plain loop | vello_cpu | times as fast as vello_cpu |
//! |---|---|---|---|---|---|
//! | W1 | 91 | 46 | 496 | 926 | 20 |
//! | W2 | 11.5 | 6.0 | 516 | 59 | 9.8 |
//! | W3 | 4.2 | 2.1 | 23.1 | 166 | 79 |
//! | W4 | 4.3 | 2.1 | 222 | 9.4 | 4.5 |
//! | W5 | 528 | 253 | 6 132 | 9 002 | 35 |
//! | W6 | 120 | 61 | | 731 | 12 |
//! | faint outlines: W6's, of alpha 1/255 | 119 | 61 | | | |
//! | faint fills: its circles | 115 | 58 | 814 | | |
//!
//! Of W6 the times are 11.1 to 12.6, as vello_cpu's W1 was 865 to 1003 within an hour. Faint circles finish no pixel, so that
//! outlines and fills look at all they reach: an outline takes as long as its fill, and a thirtieth more.
//!
//! A quarter of W5 is spent waiting for memory: 160 MB of circles in random order, each fetched by its tile, 15 ns a circle;
//! 9 ns go into lists, 21 into pixels. Working out the pixels of circles of at most 4×4 in lanes of sixteen circles made
//! it 1.5 times as fast (577 to 375 ms, side by side). Tiles of 128 pixels instead of 64 take an eighth off W5 and W6;
//! 192 would take another thirtieth off W6 and add a twentieth to W5, on one thread a seventh.
//!
//! W6 meets some 9 million groups of eight pixels of rings wider than 44 pixels. What made it faster, in turn, on one thread:
//! fixed point instead of `f64` (170 to 137 ms), for both rims one product a corner and four sums side by side for a series
//! (129), fewer branches and bounds (127), 12 terms fitted for it instead of 15, and bounds before edges (123.5), coverage
//! stretched by what a pixel's unit is (120), bounds in `f32` (118); on two threads, tiles dealt out one by one (61.6 to 59.4).
//!
//! What did not: weights of all rows before blending any, one loop for the rows above and below the centre, a list of all
//! groups of a ring before one loop over them, series of several groups side by side, one sign for a group of columns, sharing
//! what starts a loop, one loop instead of two where a hole comes soon, a shorter wait from coverage to colour (1 %, for
//! other bytes). Finished pixels fill 15 of 100 groups, too few for a branch in each.
//!
//! Coverage is within 1/512 of the exact area (`tests/raster.rs`); it is off by up to 45 of 255 in the plain loop and 100
//! in vello_cpu, which flattens circles to polygons.

#![expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "made-up scenes; pixels of a canvas")]

use std::borrow::Cow;
use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use roundel::circles::{Blend, Canvas, CircleScene, Layer, PaintedCircle, PaintedEllipse, Stroke, Style};
use roundel::{Frame, RenderSettings, Renderer, Scene, Srgba8};

const WIDTH: f32 = 1920.0;
const HEIGHT: f32 = 1080.0;
const CANVAS: Canvas = Canvas { width: 1920, height: 1080, background: Srgba8::WHITE, blend: Blend::Srgb };

/// xorshift64*.
struct Random(u64);

impl Random {
    fn new(seed: u64) -> Self {
        let mut random = Self(seed);
        for _ in 0..16 {
            random.next();
        }
        random
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn within(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * ((self.next() >> 40) as f32 / (1u32 << 24) as f32)
    }
}

/// Circles all over a world so many times as wide and as high as the canvas, which lies in its middle.
fn circles(seed: u64, count: usize, [least, most]: [f32; 2], alpha: u8, world: f32) -> Vec<PaintedCircle> {
    let mut random = Random::new(seed);
    let [left, top] = [WIDTH, HEIGHT].map(|side| side * (1.0 - world) / 2.0);
    let circle = |_| {
        let center = [random.within(left, left + WIDTH * world), random.within(top, top + HEIGHT * world)];
        let radius = if least < most { random.within(least, most) } else { least };
        let [r, g, b, ..] = random.next().to_be_bytes();
        PaintedCircle { center, radius, color: Srgba8 { r, g, b, a: alpha } }
    };
    (0..count).map(circle).collect()
}

fn outlines(circles: &[PaintedCircle]) -> Vec<PaintedEllipse> {
    let outline = |circle: &PaintedCircle| PaintedEllipse {
        center: circle.center,
        radii: [circle.radius; 2],
        style: Style::Stroke(Stroke::new(1.5)),
        color: circle.color,
    };
    circles.iter().map(outline).collect()
}

fn scene(layer: Layer<'_>) -> Scene<'_> {
    Scene::Circles(CircleScene { canvas: CANVAS, layers: vec![layer] })
}

/// What a user would write in an hour: coverage is ½ + radius − distance, clamped.
fn plain_loop(circles: &[PaintedCircle], pixels: &mut [[f32; 3]]) {
    pixels.fill([1.0; 3]);
    for PaintedCircle { center: [x, y], radius, color } in circles {
        let alpha = f32::from(color.a) / 255.0;
        let ink = [color.r, color.g, color.b].map(|channel| f32::from(channel) / 255.0);
        let range = |center: f32, length: f32| {
            let (low, high) = ((center - radius - 0.5).floor(), (center + radius + 0.5).ceil());
            low.clamp(0.0, length) as usize..high.clamp(0.0, length) as usize
        };
        for row in range(*y, HEIGHT) {
            let dy = row as f32 + 0.5 - y;
            let pixels = &mut pixels[row * 1920..][range(*x, WIDTH)];
            for (column, pixel) in range(*x, WIDTH).zip(pixels) {
                let dx = column as f32 + 0.5 - x;
                let weight = alpha * (0.5 + radius - (dx * dx + dy * dy).sqrt()).clamp(0.0, 1.0);
                for (channel, ink) in pixel.iter_mut().zip(ink) {
                    *channel += weight * (ink - *channel);
                }
            }
        }
    }
}

fn measure(criterion: &mut Criterion, name: &str, layer: &Layer<'_>) {
    let mut group = criterion.benchmark_group(name);
    group.sample_size(10);
    for threads in [1, 2] {
        let settings = RenderSettings::default().with_threads(threads);
        let mut renderer = Renderer::new(&settings).expect("settings in range");
        let mut frame = Frame::new(CANVAS.width, CANVAS.height, Srgba8::WHITE).expect("a frame of that size");
        let scene = scene(layer.clone());
        group.bench_function(BenchmarkId::new("threads", threads), |bencher| {
            bencher.iter(|| renderer.render(black_box(&scene), &mut frame).expect("draws"));
        });
    }
    if let Layer::Circles(circles) = layer {
        let mut pixels = vec![[0.0; 3]; 1920 * 1080];
        group.bench_function("plain loop", |bencher| bencher.iter(|| plain_loop(black_box(circles), &mut pixels)));
    }
    group.finish();
}

fn scenes(criterion: &mut Criterion) {
    measure(criterion, "W1", &Layer::Circles(circles(0x2d01, 1_000_000, [1.0, 4.0], 204, 1.0).into()));
    measure(criterion, "W2", &Layer::Circles(circles(0x2d02, 10_000, [10.0, 100.0], 204, 1.0).into()));
    measure(criterion, "W3", &Layer::Circles(circles(0x2d03, 1_000_000, [1.0, 4.0], 204, 10.0).into()));
    measure(criterion, "W4", &Layer::Circles(circles(0x2d04, 100, [300.0, 900.0], 204, 1.0).into()));
    measure(criterion, "W5", &Layer::Circles(circles(0x2d05, 10_000_000, [1.5, 1.5], 26, 1.0).into()));
    let discs = circles(0x2d07, 100_000, [4.0, 40.0], 204, 1.0);
    measure(criterion, "W6", &Layer::Ellipses(outlines(&discs).into()));
    measure(criterion, "W6 filled", &Layer::Circles(discs.into()));
    // next to transparent: no pixel is ever finished, so that outlines and fills look at all they reach
    let faint = circles(0x2d07, 100_000, [4.0, 40.0], 1, 1.0);
    measure(criterion, "faint outlines", &Layer::Ellipses(outlines(&faint).into()));
    measure(criterion, "faint fills", &Layer::Circles(faint.into()));
}

/// The renderer keeps its buffers; the scene borrows what the caller moves.
fn animation(criterion: &mut Criterion) {
    let mut moving = circles(0x2d08, 100_000, [1.0, 4.0], 204, 1.0);
    let mut renderer = Renderer::new(&RenderSettings::default()).expect("default settings");
    let mut frame = Frame::new(CANVAS.width, CANVAS.height, Srgba8::WHITE).expect("a frame of that size");
    let mut group = criterion.benchmark_group("animation");
    group.sample_size(10);
    group.bench_function("60 frames", |bencher| {
        bencher.iter(|| {
            for _ in 0..60 {
                for circle in &mut moving {
                    let [x, _] = &mut circle.center;
                    *x += 0.25 * circle.radius;
                    if *x > WIDTH {
                        *x -= WIDTH;
                    }
                }
                renderer.render(&scene(Layer::Circles(Cow::Borrowed(&moving))), &mut frame).expect("draws");
            }
        });
    });
}

criterion_group!(benches, scenes, animation);
criterion_main!(benches);
