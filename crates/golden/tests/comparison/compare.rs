//! Comparisons: counts against slow and obvious code, FLIP and anti-aliasing against their reference implementations.
#![cfg(feature = "image")]

use image::{ImageBuffer, Rgba, RgbaImage};
use roundel_golden::compare::{
    Antialiasing, CompareOptions, Comparison, Limits, Mask, Metric, Rectangle, Region, Verdict, compare,
    compare_with_difference,
};
use roundel_golden::{Frame, Srgba8};

fn picture(width: u32, height: u32, pixel: impl Fn(u32, u32) -> [u8; 3]) -> RgbaImage {
    RgbaImage::from_fn(width, height, |x, y| {
        let [r, g, b] = pixel(x, y);
        Rgba([r, g, b, 255])
    })
}

fn white(width: u32, height: u32) -> RgbaImage {
    picture(width, height, |_, _| [255; 3])
}

fn run(a: &RgbaImage, b: &RgbaImage, options: &CompareOptions) -> Comparison {
    compare(a, b, options).expect("the options are in range")
}

/// Two white pictures; the first pixels of the second, in reading order, are black.
fn spoiled(count: usize) -> (RgbaImage, RgbaImage) {
    let (a, mut b) = (white(300, 300), white(300, 300));
    for pixel in b.pixels_mut().take(count) {
        *pixel = Rgba([0, 0, 0, 255]);
    }
    (a, b)
}

#[test]
fn exact_counts_every_pixel_that_differs() {
    for count in [0, 1, 255, 256, 257, 65_536, 90_000] {
        let (a, b) = spoiled(count);
        let found = run(&a, &b, &CompareOptions::default());
        assert_eq!(found.differing, count as u64);
        assert_eq!(found.is_same(), count == 0, "{count}");
        assert_eq!(found.compared, 90_000);
        assert!((found.mean - 255.0 * 0.75 * count as f64 / 90_000.0).abs() < 1e-9, "alpha is a channel that agrees");
        assert_eq!(found.largest, if count == 0 { 0.0 } else { 255.0 });
        assert_eq!(found.first, (count > 0).then_some((0, 0)));
    }
}

#[test]
fn exact_sees_one_step_of_one_channel_anywhere() {
    for (width, height) in [(1, 1), (15, 3), (16, 3), (17, 3), (33, 5)] {
        let a = white(width, height);
        for y in 0..height {
            for x in 0..width {
                for channel in 0..4 {
                    let mut b = a.clone();
                    b.get_pixel_mut(x, y).0[channel] = 254;
                    let found = run(&a, &b, &CompareOptions::default());
                    assert_eq!((found.differing, found.largest, found.first), (1, 1.0, Some((x, y))));
                    assert_eq!(found.regions, [Region { x, y, width: 1, height: 1, pixels: 1 }]);
                }
            }
        }
    }
}

#[test]
fn channel_tolerance_is_the_largest_gap_that_passes() {
    let a = picture(4, 1, |_, _| [100; 3]);
    let b = picture(4, 1, |x, _| [100, 100 + u8::try_from(x).unwrap(), 100]);
    for (tolerance, differing) in [(0.0, 3), (0.5, 3), (1.0, 2), (2.0, 1), (3.0, 0)] {
        let options = CompareOptions::default().with_metric(Metric::Channels { tolerance });
        let found = run(&a, &b, &options);
        assert_eq!((found.differing, found.largest), (differing, 3.0), "the largest gap is reported whatever passes");
    }
}

#[test]
fn limits_pass_up_to_their_count_and_share() {
    let (a, b) = spoiled(900);
    let verdict = |limits| run(&a, &b, &CompareOptions::default().with_limits(limits)).verdict;
    assert_eq!(verdict(Limits::pixels(900)), Verdict::Same);
    assert_eq!(verdict(Limits::pixels(899)), Verdict::Different);
    assert_eq!(verdict(Limits::share(0.01)), Verdict::Same);
    assert_eq!(verdict(Limits::share(0.0099)), Verdict::Different);
    assert_eq!(verdict(Limits::of(Some(899), Some(0.5))), Verdict::Different, "both must hold");
}

#[test]
fn size_mismatch_is_reported_and_nothing_compared() {
    let found = run(&white(4, 5), &white(5, 4), &CompareOptions::default());
    assert_eq!(found.verdict, Verdict::SizeMismatch);
    assert_eq!((found.sizes, found.compared), ([(4, 5), (5, 4)], 0));
}

/// Laid over one another: what both have is compared, and what only one has is marked.
#[test]
fn difference_of_unequal_sizes_is_padded_and_marked() {
    let [mut a, b] = [(4, 5), (6, 3)].map(|(width, height)| white(width, height));
    a.put_pixel(1, 2, Rgba([0, 0, 0, 255]));
    for metric in [Metric::EXACT, Metric::FLIP] {
        let options = CompareOptions::default().with_metric(metric);
        let (found, image) = compare_with_difference(&a, &b, &options).unwrap();
        assert_eq!((found.verdict, found.compared), (Verdict::SizeMismatch, 0));
        let image = image.expect("sizes that are alike");
        assert_eq!((image.width(), image.height()), (6, 5));
        let [same, red] = [Srgba8::WHITE, Srgba8::rgb(255, 0, 0)];
        let [one, none] = [Srgba8::rgb(190, 110, 225), Srgba8::TRANSPARENT];
        let rows = [
            [same, same, same, same, one, one],
            [same, same, same, same, one, one],
            [same, red, same, same, one, one],
            [one, one, one, one, none, none],
            [one, one, one, one, none, none],
        ];
        assert_eq!(image.pixels(), rows.as_flattened());
    }
    // together they would have a million pixels
    let (_, image) = compare_with_difference(white(1000, 1), white(1, 1000), &CompareOptions::default()).unwrap();
    assert!(image.is_none());
}

#[test]
fn sixteen_bits_are_not_rounded_away() {
    let a = ImageBuffer::from_pixel(3, 1, Rgba([40_000_u16, 0, 0, u16::MAX]));
    let mut b = a.clone();
    b.get_pixel_mut(2, 0).0[0] += 1;
    let found = compare(&a, &b, &CompareOptions::default()).unwrap();
    assert_eq!((found.differing, found.first), (1, Some((2, 0))));
    assert!((found.largest - 1.0 / 257.0).abs() < 1e-12, "in steps of 1/255");
    let tolerant = CompareOptions::default().with_metric(Metric::Channels { tolerance: 0.5 });
    assert!(compare(&a, &b, &tolerant).unwrap().is_same());

    // 8 and 16 bits of the same colours agree
    let eight = RgbaImage::from_fn(256, 1, |x, _| Rgba([u8::try_from(x).unwrap(); 4]));
    let sixteen = ImageBuffer::from_fn(256, 1, |x, _| Rgba([u16::try_from(x * 257).unwrap(); 4]));
    assert!(compare(&eight, &sixteen, &CompareOptions::default()).unwrap().is_same());
}

#[test]
fn mask_leaves_out_rectangles_and_marked_pixels() {
    let (a, b) = spoiled(600);
    let rectangle = |x, y, width, height| Mask::new().with_rectangle(Rectangle { x, y, width, height });
    let differing = |mask| {
        let found = run(&a, &b, &CompareOptions::default().with_mask(mask));
        (found.differing, found.compared)
    };
    assert_eq!(differing(rectangle(0, 0, 300, 2)), (0, 89_400));
    assert_eq!(differing(rectangle(0, 1, u32::MAX, u32::MAX)), (300, 300));
    assert_eq!(differing(rectangle(290, 1, 50, 1)), (590, 89_990), "cut off at the right");
    let two = rectangle(0, 0, 100, 1).with_rectangle(Rectangle { x: 50, y: 0, width: 100, height: 2 });
    assert_eq!(differing(two).0, 350);
    let marked = RgbaImage::from_fn(300, 300, |x, _| match x % 3 {
        0 => Rgba([255, 255, 255, 255]),
        1 => Rgba([0, 0, 0, 255]),
        _ => Rgba([255, 255, 255, 0]),
    });
    assert_eq!(differing(Mask::new().with_picture(&marked)), (400, 60_000));
    let wrong = CompareOptions::default().with_mask(Mask::new().with_picture(white(3, 3)));
    assert!(compare(&a, &b, &wrong).unwrap_err().to_string().contains("300x300, got 3x3"));
    // masks of other pictures
    for (mask, part) in [
        (rectangle(0, 0, u32::MAX, u32::MAX), "must leave pixels to compare"),
        (
            rectangle(0, 0, 300, 200).with_rectangle(Rectangle { x: 0, y: 200, width: 300, height: 100 }),
            "must leave pixels",
        ),
        (rectangle(300, 0, 5, 5), "must touch the pictures, which have 300x300 pixels, got 300,0,5,5"),
        (rectangle(0, 0, 5, 5).with_rectangle(Rectangle { x: 0, y: 300, width: 5, height: 5 }), "got 0,300,5,5"),
    ] {
        let options = CompareOptions::default().with_mask(mask);
        for b in [&a, &b] {
            assert!(compare(&a, b, &options).unwrap_err().to_string().contains(part), "{part}");
        }
    }
}

/// The 3 × 3 pixels around a pixel, clipped to the picture.
fn around(x: u32, y: u32, width: u32, height: u32) -> impl Iterator<Item = (u32, u32)> {
    let columns = x.saturating_sub(1)..(x + 2).min(width);
    (y.saturating_sub(1)..(y + 2).min(height)).flat_map(move |y| columns.clone().map(move |x| (x, y)))
}

#[test]
fn regions_agree_with_a_flood_fill() {
    // thin patterns make forks, rings and diagonal contacts
    for seed in 0..40_u32 {
        let (width, height) = (23, 19);
        let differs = |x: u32, y: u32| {
            let sum = (x * 374_761).wrapping_add(y * 668_265).wrapping_add(seed * 974_634);
            (sum.wrapping_mul(2_654_435_761) >> 16) % 100 < 10 + seed * 2
        };
        let a = white(width, height);
        let b = picture(width, height, |x, y| if differs(x, y) { [0; 3] } else { [255; 3] });
        let mut expected = Vec::new();
        let mut seen = vec![false; (width * height) as usize];
        for start in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
            let (mut queue, mut found) = (vec![start], Vec::new());
            while let Some((x, y)) = queue.pop() {
                if differs(x, y) && !std::mem::replace(&mut seen[(y * width + x) as usize], true) {
                    found.push((x, y));
                    queue.extend(around(x, y, width, height));
                }
            }
            if let (Some(left), Some(top)) = (found.iter().map(|p| p.0).min(), found.iter().map(|p| p.1).min()) {
                let right = found.iter().map(|p| p.0).max().unwrap_or(left);
                let low = found.iter().map(|p| p.1).max().unwrap_or(top);
                let pixels = found.len() as u64;
                expected.push(Region { x: left, y: top, width: right - left + 1, height: low - top + 1, pixels });
            }
        }
        expected.sort_by_key(|region| std::cmp::Reverse(region.pixels));
        let mut regions = run(&a, &b, &CompareOptions::default()).regions;
        assert!(regions.is_sorted_by_key(|region| std::cmp::Reverse(region.pixels)));
        let key = |region: &Region| (std::cmp::Reverse(region.pixels), region.y, region.x);
        regions.sort_by_key(key);
        expected.sort_by_key(key);
        assert_eq!(regions, expected, "seed {seed}");
    }
}

#[test]
fn difference_image_marks_what_differs() {
    let a = white(3, 1);
    let mut b = a.clone();
    b.put_pixel(1, 0, Rgba([0, 0, 0, 255]));
    b.put_pixel(2, 0, Rgba([0, 0, 0, 255]));
    let mask = Mask::new().with_rectangle(Rectangle { x: 2, y: 0, width: 1, height: 1 });
    let options = CompareOptions::default().with_mask(mask);
    let (_, image) = compare_with_difference(&a, &b, &options).unwrap();
    let image = image.expect("the sizes agree");
    let red = Srgba8::rgb(255, 0, 0);
    assert_eq!(image.pixel(0, 0), Some(Srgba8::WHITE));
    assert_eq!(image.pixel(1, 0), Some(red));
    assert_ne!(image.pixel(2, 0), Some(red), "masked");
}

#[test]
fn options_out_of_range_are_refused() {
    let frame = Frame::new(1, 1, Srgba8::WHITE).unwrap();
    let bad = [
        Metric::Channels { tolerance: -1.0 },
        Metric::Channels { tolerance: f64::NAN },
        Metric::Yiq { threshold: 1.5 },
        Metric::Flip { largest_mean: 2.0, pixels_per_degree: 67.0 },
        Metric::Flip { largest_mean: 0.0, pixels_per_degree: 0.0 },
    ];
    for metric in bad {
        let options = CompareOptions::default().with_metric(metric);
        assert!(compare(&frame, &frame, &options).is_err(), "{metric:?}");
    }
    let options = CompareOptions::default().with_limits(Limits::share(-0.5));
    assert!(compare(&frame, &frame, &options).is_err());
}

/// FLIP has a limit of its own, which would make these ineffective.
#[test]
fn flip_refuses_options_that_it_does_not_use() {
    let frame = Frame::new(1, 1, Srgba8::WHITE).unwrap();
    let flip = CompareOptions::default().with_metric(Metric::FLIP);
    assert!(compare(&frame, &frame, &flip).unwrap().is_same());
    for options in [
        flip.clone().with_limits(Limits::pixels(1)),
        flip.clone().with_limits(Limits::share(0.1)),
        flip.with_antialiasing(Antialiasing::Ignored),
    ] {
        let error = compare(&frame, &frame, &options).unwrap_err().to_string();
        assert!(error.starts_with("FLIP judges by the mean error"), "{error}");
    }
}

/// Equal pictures are recognised by their samples; a copy with one hidden difference is compared pixel by pixel.
#[test]
fn equal_pictures_have_the_result_of_a_comparison_pixel_by_pixel() {
    let a = pair("noise").0;
    let mut b = a.clone();
    b.put_pixel(5, 7, Rgba([1, 2, 3, 4]));
    let place = Mask::new().with_rectangle(Rectangle { x: 5, y: 7, width: 1, height: 1 });
    let rest = place.clone().with_rectangle(Rectangle { x: 0, y: 0, width: 20, height: 20 });
    for metric in [Metric::EXACT, Metric::YIQ] {
        for mask in [&place, &rest] {
            let options = CompareOptions::default().with_metric(metric).with_mask(mask.clone());
            assert_eq!(run(&a, &a, &options), run(&a, &b, &options), "{options:?}");
        }
    }
}

#[test]
fn yiq_sees_alpha_over_dark_and_light() {
    let differing = |p: [u8; 4], q: [u8; 4]| {
        let [a, b] = [p, q].map(|pixel| RgbaImage::from_pixel(1, 1, Rgba(pixel)));
        run(&a, &b, &CompareOptions::default().with_metric(Metric::YIQ)).differing
    };
    assert_eq!(differing([255; 4], [255, 255, 255, 0]), 1, "white over white cannot be seen, over black it can");
    assert_eq!(differing([0, 0, 0, 255], [0, 0, 0, 0]), 1);
    assert_eq!(differing([9, 80, 7, 0], [200, 5, 90, 0]), 0, "what is not there has no colour");
    assert_eq!(differing([100, 100, 100, 255], [110, 100, 100, 255]), 0);
    assert_eq!(differing([100, 100, 100, 255], [180, 100, 100, 255]), 1);
}

/// Pairs that any program can reproduce from integers alone.
fn pair(name: &str) -> (RgbaImage, RgbaImage) {
    let (width, height) = (96, 64);
    let byte = |value: u32| u8::try_from(value).expect("at most 255");
    let ramps = |x, y| [x * 255 / (width - 1), y * 255 / (height - 1), (x + y) * 255 / (width + height - 2)].map(byte);
    let check = |x: u32, y: u32| if (x / 8 + y / 8) % 2 == 1 { [230; 3] } else { [20; 3] };
    let disc = |x: u32, y: u32, center: u32| {
        if x.abs_diff(center).pow(2) + y.abs_diff(30).pow(2) <= 625 { [200, 60, 40] } else { [240, 240, 250] }
    };
    let hash = |x: u32, y: u32| (x * 7919 + y * 104_729).wrapping_mul(2_654_435_761);
    let channels = |hash: u32| [hash >> 24, hash >> 16 & 255, hash >> 8 & 255];
    let shaken = |x, y| {
        let hash = hash(x, y);
        let next = hash.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let shake = |channel: usize| (channels(hash)[channel] + (next >> [20, 12, 4][channel] & 15)).saturating_sub(8);
        [0, 1, 2].map(shake).map(|value| byte(value.min(255)))
    };
    // a disc with an anti-aliased edge, 16 × 16 samples a pixel, moved by sixteenths
    let soft = |x: u32, y: u32, shift: u32| {
        let inside = (0..256).filter(|sample| {
            let (sx, sy) = (16 * x + sample % 16 + shift, 16 * y + sample / 16);
            sx.abs_diff(700).pow(2) + sy.abs_diff(500).pow(2) <= 160_000
        });
        let covered = u32::try_from(inside.count()).expect("at most 256");
        [byte(250 - covered * 240 / 256), byte(230 - covered * 200 / 256), 200]
    };
    let both = |a: &dyn Fn(u32, u32) -> [u8; 3], b: &dyn Fn(u32, u32) -> [u8; 3]| {
        (picture(width, height, a), picture(width, height, b))
    };
    match name {
        "ramps" => both(&ramps, &|x, y| {
            let [r, g, b] = ramps(x, y);
            [r.saturating_add(10), g, b]
        }),
        "checks" => both(&check, &|x, y| check(x + 1, y)),
        "discs" => both(&|x, y| disc(x, y, 40), &|x, y| disc(x, y, 43)),
        "blue-green" => both(&|_, _| [0, 255, 0], &|_, _| [0, 0, 255]),
        "noise" => both(&|x, y| channels(hash(x, y)).map(byte), &shaken),
        "soft-3" => both(&|x, y| soft(x, y, 0), &|x, y| soft(x, y, 3)),
        "soft-8" => both(&|x, y| soft(x, y, 0), &|x, y| soft(x, y, 8)),
        "soft-40" => both(&|x, y| soft(x, y, 0), &|x, y| soft(x, y, 40)),
        other => panic!("no pair is called {other}"),
    }
}

/// Means of the FLIP authors' own program (flip-evaluator 1.7 from PyPI), at two distances.
#[test]
fn flip_means_agree_with_the_reference() {
    let means = [
        ("ramps", 67.0, 0.120_410_6),
        ("ramps", 30.0, 0.118_874_9),
        ("checks", 67.0, 0.291_661_6),
        ("checks", 30.0, 0.245_251_5),
        ("discs", 67.0, 0.136_517_7),
        ("discs", 30.0, 0.099_521_4),
        ("blue-green", 67.0, 1.0),
        ("blue-green", 30.0, 1.0),
        ("noise", 67.0, 0.035_532_8),
        ("noise", 30.0, 0.090_933_5),
    ];
    for (name, pixels_per_degree, mean) in means {
        let (a, b) = pair(name);
        let metric = Metric::Flip { largest_mean: mean, pixels_per_degree };
        let found = run(&a, &b, &CompareOptions::default().with_metric(metric)).flip_mean.expect("FLIP was asked for");
        assert!((found - mean).abs() < 2e-5, "{name} at {pixels_per_degree}: {mean}, got {found}");
    }
}

#[test]
fn flip_of_equal_pictures_is_nothing() {
    let (a, _) = pair("noise");
    let found = run(&a, &a, &CompareOptions::default().with_metric(Metric::FLIP));
    assert_eq!((found.verdict, found.differing, found.flip_mean), (Verdict::Same, 0, Some(0.0)));
}

#[test]
fn flip_sees_alpha() {
    let a = white(40, 40);
    let mut b = a.clone();
    b.get_pixel_mut(20, 20).0[3] = 0;
    let found = run(&a, &b, &CompareOptions::default().with_metric(Metric::FLIP));
    assert_eq!(found.verdict, Verdict::Different);
    assert!(found.flip_mean.unwrap() > 1e-4);
}

/// Counts of pixelmatch 8.0.0 from npm, without and with its anti-aliasing test.
#[test]
fn oklab_counts_agree_with_pixelmatch_8() {
    for (name, threshold, all, real) in [
        ("ramps", 0.1, 0, 0),
        ("ramps", 0.02, 3263, 3263),
        ("checks", 0.1, 768, 768),
        ("discs", 0.1, 298, 298),
        ("blue-green", 0.5, 6144, 6144),
        ("noise", 0.02, 2585, 2585),
        ("noise", 0.05, 2, 2),
        ("soft-3", 0.1, 80, 0),
        ("soft-3", 0.02, 167, 0),
        ("soft-8", 0.1, 142, 0),
        ("soft-40", 0.1, 354, 85),
        ("soft-40", 0.02, 405, 85),
    ] {
        let (a, b) = pair(name);
        let options = CompareOptions::default().with_metric(Metric::Oklab { threshold });
        assert_eq!(run(&a, &b, &options).differing, all, "{name} at {threshold}");
        let found = run(&a, &b, &options.with_antialiasing(Antialiasing::Ignored));
        assert_eq!((found.differing, found.antialiased), (real, all - real), "{name} at {threshold}");
    }
}

/// Counts of pixelmatch 8 from npm with `windowSize`, without and with its anti-aliasing test.
#[test]
fn densest_windows_agree_with_pixelmatch_8() {
    for (name, threshold, side, all, real) in [
        ("noise", 0.02, 1, 1, 1),
        ("noise", 0.02, 3, 7, 7),
        ("noise", 0.02, 8, 36, 36),
        ("noise", 0.02, 40, 696, 696),
        ("noise", 0.02, 1000, 1733, 1733),
        ("discs", 0.1, 8, 24, 24),
        ("discs", 0.1, 16, 48, 48),
        ("discs", 0.1, 40, 130, 130),
        ("soft-40", 0.1, 3, 9, 5),
        ("soft-40", 0.1, 8, 28, 12),
        ("soft-40", 0.1, 16, 57, 21),
        ("soft-40", 0.1, 64, 354, 85),
        ("checks", 0.1, 16, 32, 32),
        ("checks", 0.1, 1000, 512, 512),
    ] {
        let (a, b) = pair(name);
        let options = |pixels| {
            let limits = Limits::pixels(pixels).with_window(side);
            CompareOptions::default().with_metric(Metric::Oklab { threshold }).with_limits(limits)
        };
        for (antialiasing, count) in [(Antialiasing::Counts, all), (Antialiasing::Ignored, real)] {
            let found = run(&a, &b, &options(count).with_antialiasing(antialiasing));
            let densest = found.densest.expect("pixels differ");
            assert_eq!((densest.pixels, found.verdict), (count, Verdict::Same), "{name}, {side}");
            let verdict = run(&a, &b, &options(count - 1).with_antialiasing(antialiasing)).verdict;
            assert_eq!(verdict, Verdict::Different, "{name}, {side}");
        }
    }
}

/// The first window, in reading order of its lower right corner, that has the most differing pixels.
#[test]
fn densest_window_is_that_of_a_slow_count() {
    let (a, b) = pair("noise");
    let differs = |x: u32, y: u32| a.get_pixel(x, y) != b.get_pixel(x, y) && (x * 7 + y * 3) % 11 < 2;
    let b = RgbaImage::from_fn(96, 64, |x, y| if differs(x, y) { *b.get_pixel(x, y) } else { *a.get_pixel(x, y) });
    for side in [1, 2, 5, 16, 63, 64] {
        let count = |left: u32, top: u32| {
            (top..top + side)
                .flat_map(|y| (left..left + side).map(move |x| (x, y)))
                .filter(|&(x, y)| differs(x, y))
                .count()
        };
        let places = (0..=64 - side).flat_map(|y| (0..=96 - side).map(move |x| (x, y)));
        let (x, y, most) = places
            .map(|(x, y)| (x, y, count(x, y) as u64))
            .fold((0, 0, 0), |best, next| if next.2 > best.2 { next } else { best });
        let options = CompareOptions::default().with_limits(Limits::pixels(0).with_window(side));
        let found = run(&a, &b, &options);
        let expected = Region { x, y, width: side, height: side, pixels: most };
        assert_eq!(found.densest, Some(expected));
        assert!(found.summary().contains(&format!("pixels differ, {most} in {side}x{side} at {x},{y}, by up to")));
    }
    let all = CompareOptions::default().with_limits(Limits::share(0.5).with_window(1));
    assert!(!run(&a, &b, &all).is_same(), "each window of one pixel that differs differs as a whole");
}

#[test]
fn transparent_parts_of_the_expected_picture_are_left_out_if_asked_for() {
    let mut golden = white(6, 4);
    for x in 1..4 {
        *golden.get_pixel_mut(x, 2) = Rgba([9, 9, 9, 0]);
    }
    let mut clock = white(6, 4);
    clock.put_pixel(2, 2, Rgba([0, 0, 0, 255]));
    let options = CompareOptions::default().with_mask(Mask::new().with_transparent_parts());
    assert_eq!(run(&golden, &clock, &CompareOptions::default()).differing, 3);
    let found = run(&golden, &clock, &options);
    assert_eq!((found.verdict, found.compared), (Verdict::Same, 21));
    assert_eq!(run(&golden, &golden, &options).compared, 21, "of equal pictures, too");
    let (_, image) = compare_with_difference(&golden, &clock, &options).unwrap();
    assert_eq!(image.expect("of one size").pixel(2, 2), Some(Srgba8::rgb(120, 160, 255)));
    clock.put_pixel(0, 2, Rgba([0, 0, 0, 255]));
    assert_eq!(run(&golden, &clock, &options).first, Some((0, 2)));
    // in the actual picture they count
    assert_eq!(run(&white(6, 4), &golden, &options).differing, 3);
    let clear = RgbaImage::new(2, 2);
    let error = compare(&clear, &clear, &options).unwrap_err().to_string();
    assert!(error.contains("must leave pixels to compare"), "{error}");
}

/// Counts of pixelmatch 7.2 from npm, without and with its anti-aliasing test.
///
/// On the fixtures of pixelmatch's own tests (pairs 1 to 4, in the npm package 4.0.2; not copied here) `roundel compare
/// --threshold 0.05`, without and with `--ignore-antialiasing`, counts as version 7.2 does: 251 and 143, 13090 and 12437,
/// 404 and 212, 41623 and 36049. Definitions differ for translucent pixels: pixelmatch blends them over a pattern that
/// depends on the pixel's position, ours over black and over white, and takes the larger difference.
#[test]
fn antialiasing_counts_agree_with_pixelmatch() {
    let counts = [
        ("ramps", 0.1, 0, 0),
        ("ramps", 0.02, 5888, 5888),
        ("checks", 0.1, 768, 768),
        ("discs", 0.1, 298, 298),
        ("noise", 0.02, 1491, 1491),
        ("soft-3", 0.1, 65, 0),
        ("soft-3", 0.02, 166, 0),
        ("soft-8", 0.1, 136, 0),
        ("soft-40", 0.1, 353, 85),
        ("soft-40", 0.02, 409, 85),
    ];
    for (name, threshold, all, real) in counts {
        let (a, b) = pair(name);
        let metric = Metric::Yiq { threshold };
        let count = |antialiasing| {
            let found = run(&a, &b, &CompareOptions::default().with_metric(metric).with_antialiasing(antialiasing));
            (found.differing, found.antialiased)
        };
        assert_eq!(count(Antialiasing::Counts), (all, 0), "{name}");
        assert_eq!(count(Antialiasing::Ignored), (real, all - real), "{name}");
    }
}
