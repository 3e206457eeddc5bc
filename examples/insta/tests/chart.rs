//! Binary snapshots of insta are compared byte by byte. With this comparator they are compared as pictures: pixels have to agree, and
//! not how a PNG is compressed; or they may differ by as much as a test says. `cargo insta review` approves them as before.

use insta::internals::SnapshotContents;
use insta::{Comparator, Settings, Snapshot, assert_binary_snapshot};
use roundel::compare::{CompareOptions, Picture, compare};
use roundel_with_insta::chart;

/// Compares PNGs as pictures.
#[derive(Clone)]
struct Pictures(CompareOptions);

impl Comparator for Pictures {
    fn matches(&self, reference: &Snapshot, test: &Snapshot) -> bool {
        let [Some(expected), Some(actual)] = [reference, test].map(picture) else { return false };
        compare(expected, actual, &self.0).is_ok_and(|found| found.is_same())
    }

    fn dyn_clone(&self) -> Box<dyn Comparator> {
        Box::new(self.clone())
    }
}

/// The picture in a snapshot of a PNG.
fn picture(snapshot: &Snapshot) -> Option<Picture<'static>> {
    let SnapshotContents::Binary(Some(bytes)) = snapshot.contents() else { return None };
    image::load_from_memory(bytes).ok().map(Picture::from)
}

/// The bytes of the snapshot.
fn png(heights: &[u32]) -> Vec<u8> {
    let (width, height, pixels) = chart(heights);
    Picture::from_rgba8(width, height, pixels).and_then(|picture| picture.encode_png()).expect("a small picture")
}

#[test]
fn chart_is_drawn() {
    let mut settings = Settings::clone_current();
    settings.set_comparator(Box::new(Pictures(CompareOptions::default())));
    settings.bind(|| assert_binary_snapshot!("chart.png", png(&[3, 9, 14, 6])));
}
