//! Pictures in snapshots of insta.

use std::io::Cursor;
use std::path::Path;

use ::insta::internals::SnapshotContents;
use ::insta::{Comparator, Snapshot};

use crate::compare::{CompareOptions, Picture, compare};
use roundel_image::budget::Budget;
use roundel_image::png::decode_png;

/// Compares PNGs that insta keeps by their pixels, with the feature `insta`. insta's own files and `cargo insta review` stay: another
/// encoder, or a difference that the options accept, is no change. How others differ is printed.
///
/// ```
/// use roundel_golden::InstaPictures;
/// use roundel_golden::compare::{CompareOptions, Metric};
///
/// let options = CompareOptions::default().with_metric(Metric::Channels { tolerance: 1.0 });
/// let pictures = InstaPictures::new(options);
/// // with_settings!({ comparator => Box::new(pictures) }, { assert_binary_snapshot!("chart.png", png) });
/// # drop(pictures);
/// ```
#[derive(Clone, Debug, Default)]
pub struct InstaPictures {
    options: CompareOptions,
}

impl InstaPictures {
    /// A comparator that accepts what the options do.
    #[must_use]
    pub fn new(options: CompareOptions) -> Self {
        Self { options }
    }

    /// Whether two PNGs agree, and how they differ if not.
    fn compare(&self, expected: &[u8], actual: &[u8]) -> Result<(), String> {
        let [expected, actual] = [("snapshot", expected), ("new picture", actual)].map(|(name, png)| decode(name, png));
        let found = compare(expected?, actual?, &self.options).map_err(|error| error.to_string())?;
        if found.is_same() { Ok(()) } else { Err(found.summary()) }
    }
}

impl Comparator for InstaPictures {
    fn matches(&self, reference: &Snapshot, test: &Snapshot) -> bool {
        let (SnapshotContents::Binary(Some(expected)), SnapshotContents::Binary(Some(actual))) =
            (reference.contents(), test.contents())
        else {
            // texts are compared as texts
            return reference.contents() == test.contents();
        };
        let found = self.compare(expected, actual);
        if let Err(message) = &found {
            println!("{message}");
        }
        found.is_ok()
    }

    fn dyn_clone(&self) -> Box<dyn Comparator> {
        Box::new(self.clone())
    }
}

fn decode(name: &str, png: &[u8]) -> Result<Picture<'static>, String> {
    let length = u64::try_from(png.len()).ok();
    let budget = Budget::default();
    // both are in memory
    decode_png(Path::new(name), Cursor::new(png.to_vec()), length, &budget, 8).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::Metric;
    use roundel_image::png::encode_picture;
    use roundel_image::{Frame, Srgba8};

    #[test]
    fn snapshots_are_compared_by_pixels() {
        let frame = Frame::new(4, 3, Srgba8::rgb(9, 9, 9)).unwrap();
        let darker = Frame::new(4, 3, Srgba8::rgb(9, 8, 9)).unwrap().encode_png();
        let exact = InstaPictures::default();
        let other = encode_picture(&Picture::from(&frame), Some(300.0)).unwrap();
        assert!(other != frame.encode_png() && exact.compare(&frame.encode_png(), &other) == Ok(()));
        let message = exact.compare(&frame.encode_png(), &darker).expect_err("another colour");
        assert!(message.starts_with("12 of 12 pixels differ, by up to 1"), "{message}");
        let tolerant = InstaPictures::new(CompareOptions::default().with_metric(Metric::Channels { tolerance: 1.0 }));
        assert_eq!(tolerant.compare(&frame.encode_png(), &darker), Ok(()));
        let message = exact.compare(&frame.encode_png(), b"no picture").expect_err("no PNG");
        assert!(message.contains("new picture"), "{message}");
    }
}
