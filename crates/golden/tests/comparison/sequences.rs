//! Comparisons of films: how many frames, how long each is shown, and the pixels of every frame.
#![cfg(feature = "image")]

use std::fs::{self, File};
use std::io::BufReader;
use std::path::PathBuf;
use std::time::Duration;

use image::codecs::png::PngDecoder;
use image::{AnimationDecoder, Rgba, RgbaImage};
use png::{BitDepth, BlendOp, ColorType, DisposeOp};
use roundel_golden::compare::{
    CompareOptions, Comparison, Limits, Metric, Picture, Sequence, Verdict, compare, compare_sequences,
};
use roundel_golden::{compare_each, compare_files, compare_files_with_difference, read_picture};
use tempfile::TempDir;

const SIZE: (u32, u32) = (12, 9);

/// A picture whose first pixels are red.
fn picture(red: usize) -> RgbaImage {
    let mut picture = RgbaImage::from_pixel(SIZE.0, SIZE.1, Rgba([90, 90, 90, 255]));
    picture.pixels_mut().take(red).for_each(|pixel| *pixel = Rgba([255, 0, 0, 255]));
    picture
}

/// A frame of a film: red pixels, and hundredths of a second.
type TestFrame = (usize, u16);

/// Saves an animated PNG.
fn save(folder: &TempDir, name: &str, frames: &[TestFrame], plays: u32) -> PathBuf {
    let path = folder.path().join(name);
    let mut encoder = png::Encoder::new(File::create(&path).expect("created"), SIZE.0, SIZE.1);
    encoder.set_color(ColorType::Rgba);
    encoder.set_animated(u32::try_from(frames.len()).expect("few"), plays).expect("frames");
    let mut writer = encoder.write_header().expect("written");
    for (red, delay) in frames {
        writer.set_frame_delay(*delay, 100).expect("animated");
        writer.write_image_data(picture(*red).as_raw()).expect("written");
    }
    writer.finish().expect("written");
    path
}

fn found(frames: [&[TestFrame]; 2], plays: [u32; 2], options: &CompareOptions) -> Comparison {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let [a, b] = [0, 1].map(|side| save(&folder, &format!("{side}.png"), frames[side], plays[side]));
    compare_files(a, b, options).expect("two films")
}

#[test]
fn films_that_differ_after_their_first_frame_differ() {
    let exact = CompareOptions::default();
    let film: &[TestFrame] = &[(0, 4), (3, 4), (0, 5), (7, 4)];
    for (other, plays, summary) in [
        (&[(0, 4), (3, 4), (0, 5), (7, 4)][..], [0, 0], "same"),
        (
            &[(0, 4), (3, 4), (2, 5), (1, 4)],
            [0, 0],
            "2 of 4 frames differ, the first is frame 2: 2 of 108 pixels differ, by up to 165, first at 0,0",
        ),
        (&[(0, 4), (3, 4), (0, 5)], [0, 0], "3 frames instead of 4"),
        (&[(0, 4)], [0, 0], "1 frame instead of 4"),
        (&[(0, 4), (3, 4), (0, 5), (7, 4), (7, 4)], [2, 2], "5 frames instead of 4"),
        (&[(0, 4), (3, 6), (0, 6), (7, 4)], [0, 0], "frame 1 is shown for 60 ms instead of 40"),
        (&[(0, 4), (3, 4), (0, 5), (7, 4)], [0, 1], "played once instead of for ever"),
        (
            &[(1, 4), (3, 9), (0, 5)],
            [3, 1],
            "3 frames instead of 4; 1 of 3 frames differ, the first is frame 0: 1 of 108 pixels differ, by up to 165, \
             first at 0,0; frame 1 is shown for 90 ms instead of 40; played once instead of 3 times",
        ),
    ] {
        let found = found([film, other], plays, &exact);
        assert_eq!((&*found.summary(), found.is_same()), (summary, summary == "same"));
    }
}

#[test]
fn limits_hold_for_every_frame() {
    let film: &[TestFrame] = &[(0, 4), (0, 4), (0, 4)];
    for (pixels, verdict, first) in
        [(0, Verdict::Different, Some(1)), (4, Verdict::Different, Some(2)), (6, Verdict::Same, None)]
    {
        let options = CompareOptions::default().with_limits(Limits::pixels(pixels));
        let found = found([film, &[(0, 4), (4, 4), (6, 4)]], [0, 0], &options);
        let sequence = found.sequence.as_ref().expect("two films");
        assert_eq!((found.verdict, sequence.first), (verdict, first), "{pixels}");
        // the frame that differs, or the one that differs most
        assert_eq!(found.differing, if pixels == 0 { 4 } else { 6 });
    }
    let film: &[TestFrame] = &[(0, 4), (0, 4)];
    let mean =
        |largest_mean| CompareOptions::default().with_metric(Metric::Flip { largest_mean, pixels_per_degree: 67.0 });
    assert_eq!(found([film, &[(0, 4), (3, 4)]], [0, 0], &mean(0.5)).verdict, Verdict::Same);
    assert_eq!(found([film, &[(0, 4), (3, 4)]], [0, 0], &mean(0.0)).verdict, Verdict::Different);
}

#[test]
fn a_film_of_one_frame_is_a_picture() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (film, still) = (save(&folder, "film.png", &[(3, 7)], 1), folder.path().join("still.png"));
    picture(3).save(&still).expect("saved");
    let found = compare_files(&film, &still, &CompareOptions::default()).expect("two pictures");
    assert_eq!((found.verdict, found.sequence), (Verdict::Same, None));
    let longer = save(&folder, "longer.png", &[(3, 7), (3, 7)], 1);
    let found = compare_files(&still, &longer, &CompareOptions::default()).expect("two pictures");
    assert_eq!(found.summary(), "2 frames instead of 1");
}

#[test]
fn difference_is_that_of_the_first_frame_that_differs() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let a = save(&folder, "a.png", &[(0, 4), (0, 4), (0, 4)], 0);
    let b = save(&folder, "b.png", &[(0, 4), (3, 4), (9, 4)], 0);
    let exact = CompareOptions::default();
    let (_, difference) = compare_files_with_difference(&a, &b, &exact).expect("two films");
    let difference = difference.expect("frames differ");
    assert_eq!(difference.pixels().iter().filter(|pixel| (pixel.r, pixel.g) == (255, 0)).count(), 3);
    let mut frames = Vec::new();
    compare_each(&a, &b, &exact, |pair| {
        frames.push((pair.frame, pair.comparison.differing, pair.actual.size()));
        Ok(())
    })
    .expect("two films");
    assert_eq!(frames, [(1, 3, SIZE), (2, 9, SIZE)]);
    // a film that ends early is no picture of its first frames
    let bytes = fs::read(&b).expect("there");
    fs::write(&b, &bytes[..bytes.len() - 60]).expect("written");
    let error = compare_files(&a, &b, &exact).expect_err("cut").to_string();
    assert!(error.contains("b.png"), "{error}");
}

/// Frames that cover a part of the picture, are blended, and are removed: as the `image` crate shows them.
#[test]
fn frames_are_shown_over_one_another_as_another_decoder_does() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("parts.png");
    let disposals = [DisposeOp::None, DisposeOp::Background, DisposeOp::Previous];
    let mut encoder = png::Encoder::new(File::create(&path).expect("created"), SIZE.0, SIZE.1);
    encoder.set_color(ColorType::Rgba);
    encoder.set_animated(18, 0).expect("frames");
    let mut writer = encoder.write_header().expect("written");
    let mut seed = 1_u32;
    let mut random = || {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        seed >> 16
    };
    let mut disposal = DisposeOp::None;
    for frame in 0..18 {
        // the first frame covers the picture
        let [left, top] = if frame == 0 { [0, 0] } else { [random() % 6, random() % 5] };
        let (width, height) =
            if frame == 0 { SIZE } else { (1 + random() % (SIZE.0 - left), 1 + random() % (SIZE.1 - top)) };
        writer.reset_frame_position().expect("animated");
        writer.set_frame_dimension(width, height).expect("inside");
        writer.set_frame_position(left, top).expect("inside");
        writer.set_blend_op([BlendOp::Source, BlendOp::Over][random() as usize % 2]).expect("animated");
        // the other decoder forgets that a frame was removed before one that is undone
        let choices = if disposal == DisposeOp::Background { 2 } else { 3 };
        disposal = disposals[random() as usize % choices];
        writer.set_dispose_op(disposal).expect("animated");
        let pixels = (0..4 * width * height).map(|_| [0, 255, random().to_le_bytes()[0]][random() as usize % 3]);
        writer.write_image_data(&pixels.collect::<Vec<u8>>()).expect("written");
    }
    writer.finish().expect("written");
    let decoder = PngDecoder::new(BufReader::new(File::open(&path).expect("there"))).expect("a PNG");
    let frames = decoder.apng().expect("animated").into_frames().collect_frames().expect("frames");
    let empty = RgbaImage::new(SIZE.0, SIZE.1);
    let mut expected = Sequence::new();
    for _ in &frames {
        expected = expected.with_frame(&empty, Duration::ZERO);
    }
    // every frame differs from an empty one
    let film = folder.path().join("empty.png");
    let mut encoder = png::Encoder::new(File::create(&film).expect("created"), SIZE.0, SIZE.1);
    encoder.set_color(ColorType::Rgba);
    encoder.set_animated(18, 0).expect("frames");
    let mut writer = encoder.write_header().expect("written");
    (0..18).for_each(|_| writer.write_image_data(&empty).expect("written"));
    writer.finish().expect("written");
    let mut count = 0;
    compare_each(&film, &path, &CompareOptions::default(), |pair| {
        let other = frames[usize::try_from(pair.frame).expect("few")].buffer();
        let rounding = CompareOptions::default().with_metric(Metric::Channels { tolerance: 1.0 });
        let found = compare(other, pair.actual.clone(), &rounding)?;
        assert!(found.is_same(), "frame {}: {}", pair.frame, found.summary());
        count += 1;
        Ok(())
    })
    .expect("two films");
    assert_eq!(count, frames.len());
}

#[test]
fn frames_of_sixteen_bits_keep_them() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let save = |name: &str, low: u8| {
        let path = folder.path().join(name);
        let mut encoder = png::Encoder::new(File::create(&path).expect("created"), 2, 1);
        encoder.set_color(ColorType::GrayscaleAlpha);
        encoder.set_depth(BitDepth::Sixteen);
        encoder.set_animated(2, 0).expect("frames");
        let mut writer = encoder.write_header().expect("written");
        writer.write_image_data(&[7, 7, 255, 255, 9, 9, 128, 0]).expect("written");
        writer.write_image_data(&[7, low, 255, 255, 9, 9, 128, 0]).expect("written");
        writer.finish().expect("written");
        path
    };
    let (a, b) = (save("a.png", 7), save("b.png", 8));
    let found = compare_files(&a, &b, &CompareOptions::default()).expect("two films");
    assert_eq!((found.differing, found.largest), (1, 1.0 / 257.0), "{}", found.summary());
}

#[test]
fn sequences_in_memory_are_compared_as_files_are() {
    let [none, some] = [0, 5].map(picture);
    let delay = Duration::from_millis(40);
    let film = |second| Sequence::new().with_frame(&none, delay).with_frame(second, delay);
    let exact = CompareOptions::default();
    let found = compare_sequences(&film(&none), &film(&some), &exact).expect("two films");
    assert_eq!(found, self::found([&[(0, 4), (0, 4)], &[(0, 4), (5, 4)]], [0, 0], &exact));
    let error = compare_sequences(&film(&none), &Sequence::new(), &exact).expect_err("no frames").to_string();
    assert!(error.contains("must have frames"), "{error}");
    let still = Sequence::from(Picture::from(&some));
    assert!(compare_sequences(&still, &still, &exact).expect("two pictures").is_same());
}

#[cfg(feature = "image-formats")]
#[test]
fn films_of_other_formats_are_compared_to_their_ends() {
    use image::codecs::gif::{GifEncoder, Repeat};
    use image::{Delay, Frame};

    let folder = tempfile::tempdir().expect("a temporary folder");
    let gif = |name: &str, frames: &[TestFrame]| {
        let path = folder.path().join(name);
        let mut encoder = GifEncoder::new(File::create(&path).expect("created"));
        encoder.set_repeat(Repeat::Infinite).expect("written");
        for (red, delay) in frames {
            let delay = Delay::from_numer_denom_ms(u32::from(*delay) * 10, 1);
            encoder.encode_frame(Frame::from_parts(picture(*red), 0, 0, delay)).expect("written");
        }
        path
    };
    let film: &[TestFrame] = &[(0, 4), (3, 4), (5, 6)];
    let (a, b) = (gif("a.gif", film), gif("b.gif", &[(0, 4), (3, 4), (6, 6)]));
    let found = |b: &PathBuf| compare_files(&a, b, &CompareOptions::default()).expect("two films").summary();
    assert!(found(&b).starts_with("1 of 3 frames differ, the first is frame 2: 1 of 108 pixels"), "{}", found(&b));
    assert_eq!(found(&save(&folder, "same.png", film, 0)), "same", "an animated PNG with the same frames");
    assert_eq!(found(&gif("c.gif", &[(0, 4), (3, 4), (5, 7)])), "frame 2 is shown for 70 ms instead of 60");
    let first = read_picture(&a).expect("a picture");
    assert!(compare(picture(0), first, &CompareOptions::default()).expect("compared").is_same());
}

/// An icon of several sizes, and a TIFF of several pages.
#[cfg(feature = "image-formats")]
#[test]
fn pictures_that_are_left_out_are_named() {
    use image::codecs::ico::{IcoEncoder, IcoFrame};

    let folder = tempfile::tempdir().expect("a temporary folder");
    let icon = |name: &str, sizes: &[u32], red: usize| {
        let path = folder.path().join(name);
        let frames: Vec<IcoFrame<'_>> = sizes
            .iter()
            .map(|&size| {
                let mut picture = RgbaImage::new(size, size);
                picture.pixels_mut().take(red).for_each(|pixel| *pixel = Rgba([255, 0, 0, 255]));
                IcoFrame::as_png(picture.as_raw(), size, size, image::ExtendedColorType::Rgba8).expect("encoded")
            })
            .collect();
        IcoEncoder::new(File::create(&path).expect("created")).encode_images(&frames).expect("written");
        path
    };
    let (a, b) = (icon("a.ico", &[8, 16], 0), icon("b.ico", &[16], 0));
    let found = compare_files(&a, &b, &CompareOptions::default()).expect("two icons");
    let left_out = format!("same; not compared: all but the largest of the 2 pictures of {}", a.display());
    assert_eq!((found.is_same(), found.summary()), (true, left_out));
    // a TIFF of one page, and the same with a copy of its directory
    let tiff = folder.path().join("a.tiff");
    picture(2).save(&tiff).expect("saved");
    let mut bytes = fs::read(&tiff).expect("there");
    let number = |at: usize, length: usize| (0..length).map(|byte| (bytes[at + byte] as usize) << (8 * byte)).sum();
    let directory: usize = number(4, 4);
    let entries: usize = number(directory, 2);
    let next = directory + 2 + 12 * entries;
    assert_eq!(&bytes[next..next + 4], [0; 4], "little-endian, and no second page");
    let found = |bytes: &[u8]| {
        let path = folder.path().join("b.tiff");
        fs::write(&path, bytes).expect("written");
        compare_files(&tiff, &path, &CompareOptions::default()).expect("two pictures").summary()
    };
    assert_eq!(found(&[&bytes[..], &[0]].concat()), "same");
    let second = u32::try_from(bytes.len()).expect("small");
    bytes.extend_from_within(directory..next + 4);
    bytes[next..next + 4].copy_from_slice(&second.to_le_bytes());
    let summary = found(&bytes);
    assert!(summary.starts_with("same; not compared: all pages but the first of "), "{summary}");
}
