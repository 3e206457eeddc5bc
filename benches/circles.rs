//! Circles in memory to finished pixels, 1920×1080: a million small ones, ten thousand large ones, outlines, animation.
//!
//! Run with `cargo bench --bench circles`; `cargo bench --bench circles -- W1` for one scene. Each scene is drawn with
//! one thread and with two, and for comparison in the same run by a naive loop: bounding box, distance to the rim as
//! coverage, back to front, one thread.
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
//! | mass | 10,000,000 masses spread over 1024×1024 pixels (`benches/peers/mass.py`) | 0.5; 2 | |
//!
//! `docs/performance.md` has the figures beside the peers' and the failed attempts.

#![expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "made-up scenes; pixels of a canvas")]

#[path = "../tests/oracle/random.rs"]
mod random;

use std::borrow::Cow;
use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use random::Random;
use roundel::circles::{Blend, Canvas, CircleScene, Layer, PaintedCircle, PaintedEllipse, Stroke, Style};
use roundel::geom::{Circle, masses_of_discs};
use roundel::{Frame, RenderSettings, Renderer, Scene, Srgba8};

const WIDTH: f32 = 1920.0;
const HEIGHT: f32 = 1080.0;
const CANVAS: Canvas = Canvas { width: 1920, height: 1080, background: Srgba8::WHITE, blend: Blend::Srgb };

/// Circles with random positions and colours.
struct Crowd {
    seed: u64,
    count: usize,
    /// Least and largest.
    radii: [f64; 2],
    alpha: u8,
    /// Side of the world over side of the canvas, which is centred in it.
    world: f64,
}

impl Crowd {
    fn circles(&self) -> Vec<PaintedCircle> {
        let mut random = Random::new(self.seed);
        let [x, y] = [WIDTH, HEIGHT].map(|side| {
            let side = f64::from(side);
            [side * (1.0 - self.world) / 2.0, side * (1.0 + self.world) / 2.0]
        });
        let [least, most] = self.radii;
        let circle = |_| {
            let center = [random.within(x[0], x[1]), random.within(y[0], y[1])];
            let radius = if least < most { random.within(least, most) } else { least as f32 };
            PaintedCircle { center, radius, color: random.color(self.alpha) }
        };
        (0..self.count).map(circle).collect()
    }
}

fn outlines(circles: &[PaintedCircle]) -> Vec<PaintedEllipse> {
    let outline = |circle: &PaintedCircle| PaintedEllipse {
        center: circle.center,
        radii: [f64::from(circle.radius); 2],
        style: Style::Stroke(Stroke::new(1.5)),
        color: circle.color,
    };
    circles.iter().map(outline).collect()
}

fn scene(layer: Layer<'_>) -> Scene<'_> {
    Scene::Circles(CircleScene { canvas: CANVAS, layers: vec![layer] })
}

/// A loop that a user writes in an hour: coverage is ½ + radius − distance, clamped.
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
    let w1 = Crowd { seed: 0x2d01, count: 1_000_000, radii: [1.0, 4.0], alpha: 204, world: 1.0 };
    let w2 = Crowd { seed: 0x2d02, count: 10_000, radii: [10.0, 100.0], ..w1 };
    let w3 = Crowd { seed: 0x2d03, world: 10.0, ..w1 };
    let w4 = Crowd { seed: 0x2d04, count: 100, radii: [300.0, 900.0], ..w1 };
    let w5 = Crowd { seed: 0x2d05, count: 10_000_000, radii: [1.5, 1.5], alpha: 26, ..w1 };
    let w6 = Crowd { seed: 0x2d07, count: 100_000, radii: [4.0, 40.0], ..w1 };
    for (name, crowd) in [("W1", w1), ("W2", w2), ("W3", w3), ("W4", w4), ("W5", w5)] {
        measure(criterion, name, &Layer::Circles(crowd.circles().into()));
    }
    // almost transparent: no pixel is ever finished, so that outlines and fills compute every pixel they reach
    let faint = Crowd { alpha: 1, ..w6 };
    for (outlined, filled, crowd) in [("W6", "W6 filled", w6), ("faint outlines", "faint fills", faint)] {
        let circles = crowd.circles();
        measure(criterion, outlined, &Layer::Ellipses(outlines(&circles).into()));
        measure(criterion, filled, &Layer::Circles(circles.into()));
    }
}

/// The renderer keeps its buffers; the scene borrows the circles that the caller moves.
fn animation(criterion: &mut Criterion) {
    let crowd = Crowd { seed: 0x2d08, count: 100_000, radii: [1.0, 4.0], alpha: 204, world: 1.0 };
    let mut moving = crowd.circles();
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

/// Exact masses, on the threads of the machine.
fn masses(criterion: &mut Criterion) {
    const COUNT: usize = 10_000_000;
    const SIDE: f64 = 1024.0;
    let mut random = Random::new(0x2d08);
    let centers: Vec<[f32; 2]> = (0..COUNT).map(|_| [random.within(0.0, SIDE), random.within(0.0, SIDE)]).collect();
    let mut group = criterion.benchmark_group("mass");
    group.sample_size(10);
    for radius in [0.5, 2.0] {
        let disc = |index: usize| (Circle { center: centers[index], radius }, 1.0);
        group.bench_function(BenchmarkId::new("radius", radius), |bencher| {
            bencher.iter(|| masses_of_discs(black_box(COUNT), disc, [SIDE as u32; 2]));
        });
    }
    group.finish();
}

criterion_group!(benches, scenes, animation, masses);
criterion_main!(benches);
