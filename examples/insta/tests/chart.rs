//! insta keeps texts and PNG files, roundel compares the pixels of pictures.

use insta::internals::SnapshotContents;
use insta::{Comparator, Snapshot, assert_binary_snapshot, assert_snapshot, with_settings};
use insta_example::{chart, chart_png};
use roundel_golden::compare::{CompareOptions, Metric, Picture, compare};

const NUMBERS: [u32; 8] = [20, 35, 60, 90, 75, 40, 30, 10];

/// insta's own files and `cargo insta review`, with pixels instead of bytes: another encoder, or a difference that
/// `options` accept, is no change.
#[derive(Clone, Default)]
struct Pixels {
    options: CompareOptions,
}

impl Comparator for Pixels {
    fn matches(&self, reference: &Snapshot, test: &Snapshot) -> bool {
        let picture = |snapshot: &Snapshot| match snapshot.contents() {
            SnapshotContents::Binary(Some(png)) => image::load_from_memory(png).ok().map(|picture| picture.to_rgba8()),
            _ => None,
        };
        let (Some(expected), Some(actual)) = (picture(reference), picture(test)) else { return false };
        let found = compare(Picture::from(&expected), Picture::from(&actual), &self.options).expect("valid options");
        if !found.is_same() {
            println!("{}", found.summary());
        }
        found.is_same()
    }

    fn dyn_clone(&self) -> Box<dyn Comparator> {
        Box::new(self.clone())
    }
}

#[test]
fn chart_is_drawn_as_in_insta_snapshot() {
    let options = CompareOptions::default().with_metric(Metric::Channels { tolerance: 1.0 });
    with_settings!({ comparator => Box::new(Pixels { options }) }, {
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
