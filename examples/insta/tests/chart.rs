//! insta keeps texts and PNG files, roundel compares the pixels of pictures.

use insta::{assert_binary_snapshot, assert_snapshot, with_settings};
use insta_example::{chart, chart_png};
use roundel_golden::InstaPictures;
use roundel_golden::compare::{CompareOptions, Metric};

const NUMBERS: [u32; 8] = [20, 35, 60, 90, 75, 40, 30, 10];

/// insta's own files and `cargo insta review`, with pixels instead of bytes.
#[test]
fn chart_is_drawn_as_in_insta_snapshot() {
    let options = CompareOptions::default().with_metric(Metric::Channels { tolerance: 1.0 });
    with_settings!({ comparator => Box::new(InstaPictures::new(options)) }, {
        assert_binary_snapshot!("chart.png", chart_png(&NUMBERS));
    });
}

/// A golden of roundel beside a text of insta: its report has a slider, and names how the pictures differ.
#[test]
fn chart_is_drawn_as_in_golden() {
    let picture = chart(&NUMBERS);
    assert_snapshot!(format!("{:?}", picture.dimensions()), @"(160, 100)");
    roundel_golden::assert_matches("chart", &picture);
}
