//! Line segments with round caps against areas integrated column by column, and among circles.
#![allow(
    clippy::disallowed_methods,
    clippy::cast_possible_truncation,
    reason = "an oracle with a tolerance; test data is in range"
)]

use std::borrow::Cow;

use crate::oracle::random::Random;
use roundel::circles::{Blend, Canvas, CircleScene, Layer, PaintedCircle, PaintedSegment, ViewBox};
use roundel::{Culling, Frame, RenderSettings, Scene, SimdLevel, Srgba8, render};

const CANVAS: Canvas = Canvas { width: 40, height: 24, background: Srgba8::TRANSPARENT, blend: Blend::Srgb };

fn draw(canvas: Canvas, segments: &[PaintedSegment], settings: &RenderSettings) -> Frame {
    let scene = CircleScene { canvas, layers: vec![Layer::Segments(Cow::Borrowed(segments))] };
    render(&Scene::Circles(scene), settings).expect("a valid scene draws")
}

/// The interval of the vertical line at x inside the segment: a capsule is convex, so it is the hull of the line's
/// intersections with the discs and the strip.
fn inside([start, end]: [[f64; 2]; 2], half: f64, x: f64) -> Option<[f64; 2]> {
    let mut found: Option<[f64; 2]> = None;
    let mut add = |low: f64, high: f64| {
        if low <= high {
            let so_far = found.unwrap_or([f64::INFINITY, f64::NEG_INFINITY]);
            found = Some([so_far[0].min(low), so_far[1].max(high)]);
        }
    };
    for center in [start, end] {
        let square = half * half - (x - center[0]) * (x - center[0]);
        if square >= 0.0 {
            add(center[1] - square.sqrt(), center[1] + square.sqrt());
        }
    }
    let along = [end[0] - start[0], end[1] - start[1]];
    let length = along[0].hypot(along[1]);
    if length > 0.0 {
        let [u, v] = [along[0] / length, along[1] / length];
        // 0 ≤ (x − sx) u + (y − sy) v ≤ length, and |(y − sy) u − (x − sx) v| ≤ half
        let clip = |slope: f64, offset: f64, low: f64, high: f64| {
            if slope.abs() < 1e-12 {
                return if (low..=high).contains(&offset) { [f64::NEG_INFINITY, f64::INFINITY] } else { [1.0, 0.0] };
            }
            let ends = [(low - offset) / slope, (high - offset) / slope];
            [ends[0].min(ends[1]), ends[0].max(ends[1])]
        };
        let right = x - start[0];
        let (first, second) = (clip(v, right * u, 0.0, length), clip(u, -right * v, -half, half));
        add(first[0].max(second[0]) + start[1], first[1].min(second[1]) + start[1]);
    }
    found
}

/// The area in a pixel, from thin columns of exact height.
fn coverage(segment: &PaintedSegment, column: u32, row: u32) -> f64 {
    const COLUMNS: u32 = 2000;
    let ends = [segment.start, segment.end].map(|end| end.map(f64::from));
    let (top, half) = (f64::from(row), 0.5 * f64::from(segment.width));
    let height = |index: u32| {
        let x = f64::from(column) + (f64::from(index) + 0.5) / f64::from(COLUMNS);
        inside(ends, half, x).map_or(0.0, |[low, high]| (high.min(top + 1.0) - low.max(top)).max(0.0))
    };
    (0..COLUMNS).map(height).sum::<f64>() / f64::from(COLUMNS)
}

/// The alpha of an opaque segment on transparency is 255 × coverage, rounded half up.
fn check(segment: PaintedSegment, level: SimdLevel) {
    // the slack of 1/512, half a step of rounding, and the columns' width
    const ALLOWED: f64 = 255.0 / 512.0 + 0.5 + 0.05;
    let frame = draw(CANVAS, &[segment], &RenderSettings::default().with_simd(level).with_threads(1));
    for (column, row) in (0..CANVAS.height).flat_map(|row| (0..CANVAS.width).map(move |column| (column, row))) {
        let got = f64::from(frame.pixel(column, row).expect("inside").a);
        let right = 255.0 * coverage(&segment, column, row);
        assert!((got - right).abs() <= ALLOWED, "{segment:?} at {level:?}, pixel ({column}, {row}): {got} for {right}");
    }
}

#[test]
fn segments_cover_pixels_within_a_512th() {
    let mut random = Random::new(21);
    let place = |random: &mut Random| [random.within(-4.0, 44.0), random.within(-4.0, 28.0)];
    for case in 0..150 {
        let width = 10f64.powf(-1.3 + 2.3 * random.unit()) as f32;
        check(PaintedSegment::new(place(&mut random), place(&mut random), width, Srgba8::BLACK), SimdLevel::Auto);
        if case < 20 {
            // as short as it is wide
            let start = place(&mut random);
            let end = [start[0] + random.within(-0.6, 0.6), start[1] + random.within(-0.6, 0.6)];
            check(PaintedSegment::new(start, end, width, Srgba8::BLACK), SimdLevel::Auto);
        }
    }
    for level in SimdLevel::available() {
        for (start, end, width) in [
            ([3.0, 3.0], [30.0, 3.0], 1.0),
            ([3.5, 3.25], [3.5, 20.0], 2.5),
            ([2.0, 2.0], [22.0, 22.0], 1.0),
            ([20.0, 12.0], [20.0, 12.0], 9.0),
            ([-900.0, -800.0], [900.0, 830.0], 7.0),
            ([20.25, 12.5], [20.75, 12.125], 60.0),
        ] {
            check(PaintedSegment::new(start, end, width, Srgba8::BLACK), level);
        }
    }
}

#[test]
fn segments_far_away_and_very_wide_are_as_exact() {
    let mut random = Random::new(5);
    for _ in 0..40 {
        // through the canvas, from far away
        let [x, y] = [random.within(0.0, 40.0), random.within(0.0, 24.0)].map(f64::from);
        let angle = f64::from(random.within(0.0, std::f64::consts::TAU));
        let (length, width) = (10f64.powf(2.0 + 2.0 * random.unit()), 10f64.powf(3.0 * random.unit()));
        let across = [-angle.sin() * 0.5 * width, angle.cos() * 0.5 * width];
        let end = |sign: f64| {
            [(x + across[0] + sign * length * angle.cos()) as f32, (y + across[1] + sign * length * angle.sin()) as f32]
        };
        check(PaintedSegment::new(end(-1.0), end(1.0), width as f32, Srgba8::BLACK), SimdLevel::Auto);
    }
}

fn graph(seed: u64) -> (Vec<PaintedCircle>, Vec<PaintedSegment>) {
    let mut random = Random::new(seed);
    let nodes: Vec<PaintedCircle> = (0..60)
        .map(|_| {
            let center = [random.within(-10.0, 210.0), random.within(-10.0, 160.0)];
            PaintedCircle::new(center, random.within(1.0, 9.0), Srgba8::rgb(200, 60, 30).with_alpha(180))
        })
        .collect();
    let edges = (0..150).map(|index| {
        let ends = [index * 7 % 60, (index * 13 + 5) % 60].map(|node| nodes[node].center);
        let width = random.within(0.2, 6.0);
        PaintedSegment::new(ends[0], ends[1], width, Srgba8::rgb(30, 60, 160).with_alpha(90))
    });
    let edges = edges.collect();
    (nodes, edges)
}

#[test]
fn segments_do_not_depend_on_threads_tiles_culling_or_lanes() {
    let (nodes, edges) = graph(3);
    let canvas = Canvas { width: 203, height: 151, background: Srgba8::WHITE, blend: Blend::Srgb };
    let layers = vec![Layer::from(&edges[..]), Layer::from(&nodes[..]), Layer::from(&edges[..30])];
    let scene = Scene::Circles(CircleScene { canvas, layers });
    let draw = |settings: &RenderSettings| render(&scene, settings).expect("a valid scene draws");
    let expected = draw(&RenderSettings::default());
    let same = |settings: RenderSettings| assert!(draw(&settings) == expected, "{settings:?}");
    for tile in [8, 9, 13, 16, 31, 64, 77, 128, 1024] {
        for culling in [Culling::On, Culling::Off] {
            same(RenderSettings::default().with_tile_size(tile).with_culling(culling).with_threads(3));
        }
    }
    for simd in SimdLevel::available() {
        same(RenderSettings::default().with_simd(simd));
        same(RenderSettings::default().with_simd(simd).with_tile_size(19).with_culling(Culling::Off));
    }
}

#[test]
fn segments_keep_painters_order_among_circles() {
    let (red, blue) = (Srgba8::rgb(255, 0, 0), Srgba8::rgb(0, 0, 255));
    let line = vec![PaintedSegment::new([2.0, 12.0], [38.0, 12.0], 6.0, red)];
    let coin = vec![PaintedCircle::new([20.0, 12.0], 8.0, blue)];
    let canvas = Canvas { background: Srgba8::WHITE, ..CANVAS };
    let middle = |layers: Vec<Layer<'static>>| {
        let scene = Scene::Circles(CircleScene { canvas, layers });
        render(&scene, &RenderSettings::default()).expect("it draws").pixel(20, 12)
    };
    assert_eq!(middle(vec![line.clone().into(), coin.clone().into()]), Some(blue));
    assert_eq!(middle(vec![coin.into(), line.into()]), Some(red));
}

#[test]
fn segments_with_bad_numbers_draw_nothing() {
    for (start, end, width) in [
        ([f32::NAN, 1.0], [9.0, 9.0], 2.0),
        ([1.0, 1.0], [f32::INFINITY, 9.0], 2.0),
        ([1.0, 1.0], [9.0, 9.0], f32::NAN),
        ([1.0, 1.0], [9.0, 9.0], -2.0),
        ([1.0, 1.0], [9.0, 9.0], 0.0),
        ([1.0, 1.0], [9.0, 9.0], f32::INFINITY),
    ] {
        for culling in [Culling::On, Culling::Off] {
            let settings = RenderSettings::default().with_culling(culling);
            let frame = draw(CANVAS, &[PaintedSegment::new(start, end, width, Srgba8::BLACK)], &settings);
            assert!(frame.pixels().iter().all(|pixel| pixel.a == 0), "{start:?} {end:?} {width}");
        }
    }
    // the largest numbers of f32
    let far = PaintedSegment::new([f32::MIN, 0.0], [f32::MAX, 24.0], 1.0, Srgba8::BLACK);
    draw(CANVAS, &[far], &RenderSettings::default());
}

#[test]
fn enlarged_segments_are_those_of_an_enlarged_scene() {
    let line = PaintedSegment::new([10.0, 4.0], [30.0, 20.0], 2.0, Srgba8::BLACK);
    let scene = CircleScene { canvas: CANVAS, layers: vec![vec![line].into()] };
    let part = scene.in_view_box(&ViewBox { center: [20.0, 12.0], height: 6.0 }, (40, 24));
    let expected = PaintedSegment::new([-20.0, -20.0], [60.0, 44.0], 8.0, Srgba8::BLACK);
    assert_eq!(part.layers, [Layer::from(vec![expected])]);
    let other = scene.in_view_box(&ViewBox { center: [0.0, 24.0], height: 6.0 }, (40, 24));
    assert!(other.layers[0].is_empty(), "out of sight");
}
