//! A million circles against the viewport: each published box–sphere test, one at a time and sixteen in lanes.
//!
//! Run with `cargo bench --bench cull`. Circles are three arrays, x, y and radius (12 bytes a circle); `read` adds the
//! arrays up and does nothing else: the memory's own speed. Circles that reach the viewport are 1, 50 or 99 of a
//! hundred, in random order, sorted by x, or in clusters of a few hundred neighbours.
//!
//! Microseconds for a million, AMD EPYC with AVX-512, one of two cores, medians, random order (clustered and sorted below):
//!
//! | test | 1 % hit | 50 % | 99 % | 1 %, lanes | 50 %, lanes | 99 %, lanes |
//! |---|---|---|---|---|---|---|
//! | plain read of the arrays | | | | 155–310 | 160–230 | 170 |
//! | Arvo | 14 600 | 19 000 | 3 500 | 206 | 161 | 163 |
//! | quick rejections interwoven | 2 900 | 16 300 | 3 700 | 155 | 182 | 181 |
//! | quick rejections first | 1 400 | 11 100 | 5 400 | 155 | 254 | 254 |
//! | branchless | 4 600 | 3 900 | 3 900 | 161 | 161 | 160 |
//! | half-extent | 5 700 | 15 400 | 5 100 | 146 | 141 | 139 |
//! | boxes alone | | | | 152 | 140 | 146 |
//!
//! One at a time the literature's advice holds: quick rejections first where most circles are far off, the branchless form
//! where the answer is anyone's guess; in random order at 50 % a mispredicted branch costs four times the arithmetic
//! (sorted or clustered, the same tests take 3 200 to 7 500). In lanes it no longer does: every form but QRF reads at
//! the memory's own speed, twenty times as fast, and an early way out only pays when all sixteen agree. So the lists of
//! circles are made with the boxes in lanes ([`Variant::Boxes`], which also gives the tiles), and Arvo's test is kept for
//! the tiles of a shape that reaches several.

#![expect(clippy::needless_range_loop, reason = "an axis indexes the circles and the viewport alike")]

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use fearless_simd::prelude::*;
use fearless_simd::{Level, dispatch, f32x16, mask32x16};
use roundel::geom::{Aabb, Circle, overlap};

const COUNT: usize = 1_000_000;
const VIEWPORT: Aabb<2> = Aabb { min: [0.0, 0.0], max: [1920.0, 1080.0] };

struct Circles {
    x: Vec<f32>,
    y: Vec<f32>,
    radius: Vec<f32>,
}

/// splitmix64 at a counter, 0 to 1.
fn random(seed: u64, counter: u64) -> f32 {
    let z = (counter + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(seed);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((z ^ (z >> 31)) >> 40) as f32 / (1u32 << 24) as f32
}

/// So many of a hundred circles reach the viewport; the others lie anywhere in a world ten times as wide and high.
fn circles(hits: u32, order: &str) -> Circles {
    let circle = |index: usize| {
        // neighbours in a cluster draw from one place, a few pixels about
        let (place, jitter) = if order == "clustered" { (index / 300, 40.0) } else { (index, 0.0) };
        let draw = |what| random(what, place as u64);
        let shift = |what| jitter * (random(what, index as u64) - 0.5);
        let hit = draw(1) * 100.0 < hits as f32;
        let [x, y] = [draw(2), draw(3)];
        let at = if hit { [1920.0 * x, 1080.0 * y] } else { [2000.0 + 17_000.0 * x, 10_800.0 * y - 4860.0] };
        [at[0] + shift(4), at[1] + shift(5), 1.0 + 3.0 * random(6, index as u64)]
    };
    let mut all: Vec<[f32; 3]> = (0..COUNT).map(circle).collect();
    if order == "sorted" {
        all.sort_by(|a, b| a[0].total_cmp(&b[0]));
    }
    let axis = |axis: usize| all.iter().map(|circle| circle[axis]).collect();
    Circles { x: axis(0), y: axis(1), radius: axis(2) }
}

fn one_at_a_time(circles: &Circles, test: impl Fn(&Aabb<2>, &Circle) -> bool) -> usize {
    let places = circles.x.iter().zip(&circles.y).zip(&circles.radius);
    places.filter(|((x, y), radius)| test(&VIEWPORT, &Circle { center: [**x, **y], radius: **radius })).count()
}

/// The five tests over sixteen circles.
#[derive(Clone, Copy)]
enum Variant {
    Arvo,
    QuickInterwoven,
    QuickFirst,
    Branchless,
    HalfExtent,
    /// Box against box alone, which is what lists circles by tile: corners are left to the painter.
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

/// Both sides of each axis asked for in turn.
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

/// Gives up after an axis along which all sixteen are out of reach.
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

/// Folded to one corner of a box about the origin.
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

fn cull(criterion: &mut Criterion) {
    let level = Level::new();
    for hits in [1, 50, 99] {
        for order in ["random", "sorted", "clustered"] {
            let circles = circles(hits, order);
            let mut group = criterion.benchmark_group(format!("{hits} % {order}"));
            group.throughput(Throughput::Bytes(12 * COUNT as u64)).sample_size(20);
            group.bench_function("read", |b| b.iter(|| dispatch!(level, simd => read(simd, black_box(&circles)))));
            macro_rules! scalar {
                ($($name:literal $test:ident),*) => {$(
                    group.bench_function(concat!($name, ", one at a time"), |b| {
                        b.iter(|| one_at_a_time(black_box(&circles), overlap::$test::<2>));
                    });
                )*};
            }
            scalar!("Arvo" arvo, "QRI" quick_interwoven, "QRF" quick_first, "branchless" branchless, "half-extent" half_extent);
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
