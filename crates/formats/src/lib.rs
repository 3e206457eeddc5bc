//! Reads rows of molecules, particles, points and tables from the bytes of files. Internal to roundel; no stability.
//!
//! In: files, plain or compressed, on disk or in memory. Out: a `Table` of positions and columns, or spheres at once
//! where the look of each follows from its own row.
//!
//! - [`io::Format`]: the formats, each a file in `formats` and a row in `formats/list.rs`.
//! - `source` opens, decompresses and cuts files into pieces, which all threads parse.
//! - `formats` reads the columns that are asked for.
//! - `data` has tables, bonds, cells, selections and formulas.
//!
//! Hidden modules are for the other crates of roundel.
//!
//! ```
//! use roundel_formats::data::Kind;
//! use roundel_formats::formats::reading::Reading;
//! use roundel_formats::formats::request::{ColumnChoice, FrameRequest};
//! use roundel_formats::formats::wanted::{Axes, ValueRule, Wanted};
//! use roundel_formats::formats::{format_of, read};
//! use roundel_formats::memory_quota::Quota;
//! use roundel_formats::source::input::Input;
//! use roundel_image::Budget;
//!
//! let quota = Quota::new(Budget::default());
//! let input = Input::of_bytes("x,y,mass\n1,2,0.5\n3,4,1.5\n", quota)?;
//! let format = format_of(&input)?;
//! let mut reading = Reading::table(&input.name.clone(), FrameRequest::default(), quota, |header| {
//!     let [x, y, mass] = ["x", "y", "mass"].map(|name| header.find(name).expect("a column of the file"));
//!     let mut wanted = Wanted::only(Axes::Plane([x, y]));
//!     wanted.column(mass, Kind::F64, ValueRule::NotNegative);
//!     Ok(ColumnChoice { wanted, painter: None, names: None })
//! });
//! read(format, input, &mut reading)?;
//! let table = reading.finish().table;
//! assert_eq!(table.numbers(0).collect::<Vec<_>>(), [0.5, 1.5]);
//! # Ok::<(), roundel_image::Error>(())
//! ```

#[doc(hidden)]
pub mod data;
#[doc(hidden)]
pub mod did_you_mean;
#[doc(hidden)]
pub mod formats;
#[doc(hidden)]
pub mod memory_quota;
#[doc(hidden)]
pub mod source;

/// Formats, and how files are read.
pub mod io {
    pub use crate::data::{BondRule, HydrogenBondRule};
    pub use crate::formats::facts::FrameTime;
    pub use crate::formats::{AtomStyle, Format, RawLayout, Symmetry};
    pub use crate::source::decimal::DecimalMark;
}

#[doc(hidden)]
pub use roundel_image::{Budget, Error, Result};

use roundel_image::{budget, error};
use roundel_scene::{calendar, geom, scene};

mod color {
    pub(crate) use roundel_image::color::{Srgba8, elements};
    pub(crate) use roundel_scene::color::MISSING_NAME;
}
