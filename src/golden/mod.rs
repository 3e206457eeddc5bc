//! Golden images: pictures that were approved, and what is drawn now held against them.
//!
//! For your own tests: [`assert_matches`] and [`Golden`] take a picture from any renderer and a name. For folders of
//! scenes, each beside its PNG: [`check`] looks and leaves what differs to be seen, [`bless`] approves. Nothing is approved
//! unless it is named. [`write_report`] makes one HTML file of any such pictures.
//!
//! ```no_run
//! // in a test; the golden is tests/golden/sunrise.png of the crate under test
//! let image = image::RgbaImage::new(64, 64);
//! roundel::golden::assert_matches("sunrise", &image);
//! ```

mod assert;
#[cfg(feature = "scene-files")]
mod cases;
#[cfg(feature = "scene-files")]
mod folder;
#[cfg(feature = "scene-files")]
mod report;
#[cfg(feature = "scene-files")]
mod rules;

pub use assert::{Golden, assert_matches};
#[cfg(feature = "scene-files")]
pub use folder::{Case, Choice, Outcome, REPORT, bless, check, command, status};
#[cfg(feature = "scene-files")]
pub use report::{ReportCase, ReportPicture, ReportStatus, write_report};

use crate::compare::{Comparison, Verdict};

/// One line on a comparison that failed: pixels differing, largest difference, first place.
#[must_use]
pub fn summary(comparison: &Comparison) -> String {
    let [(width, height), (actual_width, actual_height)] = comparison.sizes;
    match (comparison.verdict, comparison.flip_mean) {
        (Verdict::Same, _) => "same".to_owned(),
        (Verdict::SizeMismatch, _) => {
            format!("{actual_width}x{actual_height} pixels instead of {width}x{height}")
        }
        (Verdict::Different, flip) => {
            let flip = flip.map_or(String::new(), |mean| format!("FLIP mean {mean:.6}, "));
            let place = comparison.first.map_or(String::new(), |(x, y)| format!(", first at {x},{y}"));
            let Comparison { differing, compared, largest, .. } = comparison;
            format!("{flip}{differing} of {compared} pixels differ, by up to {largest}{place}")
        }
    }
}
