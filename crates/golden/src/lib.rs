//! Golden images for tests of any renderer: approved pictures that new ones are compared with.
//!
//! In: pictures as bytes, [`Frame`]s, buffers of the `image` crate (feature `image`) or files. Out: a test that passes
//! or fails, a [`Comparison`](compare::Comparison), a difference image, a report for a browser.
//!
//! [`assert_matches`] and [`Golden`] compare a picture with a PNG of the crate under test, [`compare_files`] compares any
//! two image files, and [`write_report`] writes one HTML file that shows any such pictures. No golden is written unless
//! it is named.
//!
//! ```no_run
//! use roundel_golden::compare::Picture;
//! use roundel_golden::assert_matches;
//!
//! # fn draw_sunrise() -> Vec<u8> { Vec::new() }
//! #[test]
//! fn sunrise_is_drawn() {
//!     let pixels: Vec<u8> = draw_sunrise();
//!     let picture = Picture::from_rgba8(64, 64, pixels).expect("four bytes a pixel");
//!     assert_matches("sunrise", picture); // tests/golden/sunrise.png
//! }
//! ```
//!
//! # A failing test
//!
//! A picture that differs from its golden, or has none yet, fails the test. The message says how the two differ and
//! names the files to look at, all below cargo's target folder:
//!
//! | file | content |
//! |---|---|
//! | `target/golden/PACKAGE/NAME.actual.png` | the new picture |
//! | `target/golden/PACKAGE/NAME.diff.png` | where it differs |
//! | `target/golden/report.html` | all goldens that fail, side by side, for a browser |
//!
//! They are removed when the test passes again, or is gone. `ROUNDEL_OUTPUT` names another folder than `target/golden`.
//!
//! # Approving
//!
//! `ROUNDEL_BLESS=NAME cargo test` writes the golden of that name; several names have commas between them, and `all`
//! stands for every golden that differs. Each golden written is reported on standard error. A value that names no
//! golden approves nothing: tests that fail say so and list the names that failed. Where the variable `CI` is set,
//! nothing is approved without `ROUNDEL_FORCE=1`.
//!
//! [`untested`] lists goldens that no test compares with any more.

mod assert;
mod bless;
mod check;
pub mod compare;
mod compare_files;
mod failures;
mod gone;
#[cfg(feature = "insta")]
mod insta_pictures;
mod message;
mod output;
mod pending;
mod record;
mod report;
mod shell;
mod soft;
mod untested;
mod variants;

pub use assert::{Golden, assert_matches};
pub use compare_files::{compare_each, compare_files, compare_files_with_difference};
#[cfg(feature = "insta")]
pub use insta_pictures::InstaPictures;
pub use pending::{Pending, pending};
pub use report::{ReportCase, ReportPicture, ReportStatus, write_report};
#[cfg(feature = "image")]
pub use roundel_image::image;
#[doc(inline)]
pub use roundel_image::io::{read_picture, read_picture_within, read_png, read_sequence};
#[doc(inline)]
pub use roundel_image::{Budget, Error, Frame, Resource, Result, Srgba8};
pub use soft::SoftAssertions;
pub use untested::{TestedList, tested, untested};

/// For roundel, which compares folders of scenes with their pictures; no stability.
#[doc(hidden)]
pub mod inner {
    pub use crate::assert::AssertOutcome;
    pub use crate::check::{Check, FRAMES, Found};
    pub use crate::failures::{
        ACTUAL, Approval, DIFFERENCE, Failure, FailureFiles, Stale, remove, remove_unless, write,
    };
    pub use crate::output::{Output, run_of};
    pub use crate::shell::quoted;
    pub use crate::untested::add;
    pub use crate::variants::base_of_variant;
}
