//! A million circles against the viewport: each published box–sphere test, scalar and in 16 lanes.
//!
//! Run with `cargo bench --bench cull`. Circles are three arrays, x, y and radius (12 bytes a circle); `read` only sums
//! the arrays, at the speed of memory. 1, 50 or 99 % of the circles reach the viewport, in random order, sorted by x, or
//! in clusters of 300 neighbours.
//!
//! `docs/performance.md` has the figures and what follows from them.

#![expect(clippy::needless_range_loop, reason = "an axis indexes the circles and the viewport alike")]

#[path = "../tests/oracle/random.rs"]
mod random;

use std::hint::black_box;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
use fearless_simd::prelude::*;
use fearless_simd::{Level, dispatch, f32x16, mask32x16};
use random::Random;
use roundel::geom::{Aabb, Circle, overlap};

const COUNT: usize = 1_000_000;
const VIEWPORT: Aabb<2> = Aabb { min: [0.0, 0.0], max: [1920.0, 1080.0] };

struct Circles {
    x: Vec<f32>,
    y: Vec<f32>,
    radius: Vec<f32>,
}

/// The order of the circles in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    Random,
    Sorted,
    Clustered,
}

/// Circles: `percent` of them reach the viewport, the others lie outside in a world ten times as wide and high.
fn circles(percent: u32, order: Order) -> Circles {
    // neighbours of a cluster lie within a few pixels
    let (neighbors, jitter) = if order == Order::Clustered { (300, 40.0) } else { (1, 0.0) };
    let mut random = Random::new(u64::from(percent));
    let mut place = [0.0; 2];
    let circle = |index: usize| {
        if index.is_multiple_of(neighbors) {
            let hit = random.unit() * 100.0 < f64::from(percent);
            let [x, y] = [random.unit(), random.unit()];
            place = if hit { [1920.0 * x, 1080.0 * y] } else { [2000.0 + 17_000.0 * x, 10_800.0 * y - 4860.0] };
        }
        let mut near = |place: f64| random.within(place - 0.5 * jitter, place + 0.5 * jitter);
        [near(place[0]), near(place[1]), random.within(1.0, 4.0)]
    };
    let mut all: Vec<[f32; 3]> = (0..COUNT).map(circle).collect();
    if order == Order::Sorted {
        all.sort_by(|a, b| a[0].total_cmp(&b[0]));
    }
    let axis = |axis: usize| all.iter().map(|circle| circle[axis]).collect();
    Circles { x: axis(0), y: axis(1), radius: axis(2) }
}

fn one_at_a_time(circles: &Circles, test: impl Fn(&Aabb<2>, &Circle) -> bool) -> usize {
    let places = circles.x.iter().zip(&circles.y).zip(&circles.radius);
    places.filter(|((x, y), radius)| test(&VIEWPORT, &Circle { center: [**x, **y], radius: **radius })).count()
}

/// A test over sixteen circles.
#[derive(Clone, Copy)]
enum Variant {
    Arvo,
    QuickInterwoven,
    QuickFirst,
    Branchless,
    HalfExtent,
    /// Bounding boxes alone, as in binning; corners are left to the painter.
    Boxes,
}

#[inline(always)]
fn in_lanes<S: Simd>(simd: S, circles: &Circles, variant: Variant) -> usize {
    let mut hits = 0;
    let groups = circles.x.chunks_exact(16).zip(circles.y.chunks_exact(16)).zip(circles.radius.chunks_exact(16));
    for ((x, y), radius) in groups {
        let center = [f32x16::from_slice(simd, x), f32x16::from_slice(simd, y)];
        let radius = f32x16::from_slice(simd, radius);
        let hit = match variant {
            Variant::Arvo => arvo(simd, center, radius),
            Variant::QuickInterwoven => quick_interwoven(simd, center, radius),
            Variant::QuickFirst => quick_first(simd, center, radius),
            Variant::Branchless => branchless(simd, center, radius),
            Variant::HalfExtent => half_extent(simd, center, radius),
            Variant::Boxes => boxes(simd, center, radius),
        };
        hits += hit.to_bitmask().count_ones() as usize;
    }
    hits
}

/// Compares with both sides of each axis in turn.
#[inline(always)]
fn arvo<S: Simd>(simd: S, center: [f32x16<S>; 2], radius: f32x16<S>) -> mask32x16<S> {
    let zero = f32x16::splat(simd, 0.0);
    let mut squared = zero;
    for axis in 0..2 {
        let below = f32x16::splat(simd, VIEWPORT.min[axis]) - center[axis];
        let above = center[axis] - VIEWPORT.max[axis];
        let gap = below.simd_gt(0.0).select(below, above.simd_gt(0.0).select(above, zero));
        squared += gap * gap;
    }
    squared.simd_le(radius * radius)
}

/// Early out after an axis along which all sixteen miss.
#[inline(always)]
fn quick_interwoven<S: Simd>(simd: S, center: [f32x16<S>; 2], radius: f32x16<S>) -> mask32x16<S> {
    let mut squared = f32x16::splat(simd, 0.0);
    for axis in 0..2 {
        let below = f32x16::splat(simd, VIEWPORT.min[axis]) - center[axis];
        let gap = below.max(center[axis] - VIEWPORT.max[axis]).max(0.0);
        let reached = gap.simd_le(radius);
        if !reached.any_true() {
            return reached;
        }
        squared += gap * gap;
    }
    squared.simd_le(radius * radius)
}

/// Box against box for all axes, and only then the squares.
#[inline(always)]
fn quick_first<S: Simd>(simd: S, center: [f32x16<S>; 2], radius: f32x16<S>) -> mask32x16<S> {
    let reached = boxes(simd, center, radius);
    if reached.any_true() { branchless(simd, center, radius) } else { reached }
}

#[inline(always)]
fn branchless<S: Simd>(simd: S, center: [f32x16<S>; 2], radius: f32x16<S>) -> mask32x16<S> {
    let mut squared = f32x16::splat(simd, 0.0);
    for axis in 0..2 {
        let below = f32x16::splat(simd, VIEWPORT.min[axis]) - center[axis];
        let gap = below.max(center[axis] - VIEWPORT.max[axis]).max(0.0);
        squared += gap * gap;
    }
    squared.simd_le(radius * radius)
}

/// Folds the plane to one corner of a box about the origin.
#[inline(always)]
fn half_extent<S: Simd>(simd: S, center: [f32x16<S>; 2], radius: f32x16<S>) -> mask32x16<S> {
    let mut squared = f32x16::splat(simd, 0.0);
    for axis in 0..2 {
        let half = 0.5 * (VIEWPORT.max[axis] - VIEWPORT.min[axis]);
        let gap = ((center[axis] - (VIEWPORT.min[axis] + half)).abs() - half).max(0.0);
        squared += gap * gap;
    }
    squared.simd_le(radius * radius)
}

#[inline(always)]
fn boxes<S: Simd>(_: S, center: [f32x16<S>; 2], radius: f32x16<S>) -> mask32x16<S> {
    let mut reached = (center[0] + radius).simd_gt(VIEWPORT.min[0]);
    for axis in 0..2 {
        reached &= (center[axis] + radius).simd_gt(VIEWPORT.min[axis]);
        reached &= (center[axis] - radius).simd_le(VIEWPORT.max[axis]);
    }
    reached
}

#[inline(always)]
fn read<S: Simd>(simd: S, circles: &Circles) -> f32 {
    let mut sum = [f32x16::splat(simd, 0.0); 3];
    for (sum, axis) in sum.iter_mut().zip([&circles.x, &circles.y, &circles.radius]) {
        for lanes in axis.chunks_exact(16) {
            *sum += f32x16::from_slice(simd, lanes);
        }
    }
    sum.into_iter().map(|lanes| lanes.as_slice().iter().sum::<f32>()).sum()
}

/// One test, one circle at a time. Generic, so that each test is inlined.
fn measure(
    group: &mut BenchmarkGroup<'_, WallTime>,
    name: &str,
    circles: &Circles,
    test: impl Fn(&Aabb<2>, &Circle) -> bool,
) {
    group.bench_function(format!("{name}, one at a time"), |b| b.iter(|| one_at_a_time(black_box(circles), &test)));
}

fn cull(criterion: &mut Criterion) {
    let level = Level::new();
    for percent in [1, 50, 99] {
        for order in [Order::Random, Order::Sorted, Order::Clustered] {
            let circles = circles(percent, order);
            let mut group = criterion.benchmark_group(format!("{percent} % {order:?}").to_lowercase());
            group.throughput(Throughput::Bytes(12 * COUNT as u64)).sample_size(20);
            group.bench_function("read", |b| b.iter(|| dispatch!(level, simd => read(simd, black_box(&circles)))));
            measure(&mut group, "Arvo", &circles, overlap::arvo);
            measure(&mut group, "QRI", &circles, overlap::quick_interwoven);
            measure(&mut group, "QRF", &circles, overlap::quick_first);
            measure(&mut group, "branchless", &circles, overlap::branchless);
            measure(&mut group, "half-extent", &circles, overlap::half_extent);
            let variants = [
                ("Arvo", Variant::Arvo),
                ("QRI", Variant::QuickInterwoven),
                ("QRF", Variant::QuickFirst),
                ("branchless", Variant::Branchless),
                ("half-extent", Variant::HalfExtent),
                ("boxes", Variant::Boxes),
            ];
            for (name, variant) in variants {
                group.bench_function(format!("{name}, lanes"), |b| {
                    b.iter(|| dispatch!(level, simd => in_lanes(simd, black_box(&circles), variant)));
                });
            }
            group.finish();
        }
    }
}

criterion_group!(benches, cull);
criterion_main!(benches);
