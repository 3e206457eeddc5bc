//! Golden images: approved pictures that new ones are compared with.
//!
//! In the tests of any crate, [`assert_matches`] and [`Golden`] compare a picture from any renderer with a PNG of the
//! crate. [`SceneFolder`] does the same for folders of scenes, each beside its PNG. [`write_report`] writes one HTML
//! file that shows any such pictures. No golden is written unless it is named.
//!
//! ```no_run
//! use roundel::compare::Picture;
//! use roundel::golden::assert_matches;
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

mod cases;
mod rules;
mod scenes;

#[doc(inline)]
pub use roundel_golden::{
    Golden, Pending, ReportCase, ReportPicture, ReportStatus, SoftAssertions, TestedList, assert_matches, pending,
    tested, untested, write_report,
};
pub use scenes::{Case, Choice, Outcome, REPORT, SceneFolder};
