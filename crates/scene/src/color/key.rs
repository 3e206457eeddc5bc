//! The meaning of a picture's colours.

use serde::Serialize;

use roundel_image::color::{Scale, Srgba8};

/// The meaning of the colours of a file's shapes, for a legend.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ColorKey {
    /// A colour for each category.
    Categories {
        /// The column, or the property that takes its place.
        name: String,
        /// In the order of the file.
        items: Vec<Category>,
    },
    /// A colour map for numbers.
    Numbers {
        /// The column, or the property that takes its place.
        name: String,
        /// The name of the map.
        map: &'static str,
        /// How the numbers are mapped to colours.
        scale: Scale,
        /// The number with the map's first colour.
        least: f64,
        /// The number with the map's last colour.
        most: f64,
        /// The range of numbers that the legend shows; `None` for the whole map. A map that is centred on a number
        /// extends beyond the data on one side.
        #[serde(skip_serializing_if = "Option::is_none")]
        shown: Option<[f64; 2]>,
        /// Whether there are numbers below `least`, and numbers above `most`.
        beyond: [bool; 2],
        /// The least and the greatest of the numbers.
        #[serde(skip)]
        extremes: [f64; 2],
        /// The opacity of most shapes; 255 is opaque.
        #[serde(skip_serializing_if = "is_opaque")]
        alpha: u8,
        /// Whether the numbers are dates, in seconds since 1970-01-01 UTC.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        dates: bool,
        /// The number of shapes without a number, which are grey.
        #[serde(skip_serializing_if = "is_zero")]
        missing: u64,
        /// The number of shapes of each whole number that the legend shows, if there are no others and few of these; else
        /// empty.
        #[serde(skip)]
        counts: Vec<u64>,
        /// The opacity of most shapes of each of these whole numbers; empty if all have `alpha`.
        #[serde(skip)]
        alphas: Vec<u8>,
        /// Of numbers that are coloured by rank, some numbers and their places on the map from 0 to 1, in ascending order; else
        /// empty.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        quantiles: Vec<[f64; 2]>,
    },
}

/// The most whole numbers that a legend lists.
const MOST_LISTED: usize = 12;

/// The legend's name for shapes without a category or a number.
pub const MISSING_NAME: &str = "missing";

/// The colour of shapes without a category or a number.
pub const MISSING_COLOR: Srgba8 = Srgba8::hex(0x80_80_80);

/// Sorts categories for a legend: numbers by their value, what is missing last.
pub fn sort_categories(items: &mut [Category]) {
    let number = |item: &Category| item.name.parse::<f64>().ok();
    let is_missing = |item: &Category| item.name == MISSING_NAME;
    if items.iter().all(|item| is_missing(item) || number(item).is_some()) {
        items.sort_by(|a, b| number(a).unwrap_or(f64::INFINITY).total_cmp(&number(b).unwrap_or(f64::INFINITY)));
    }
    items.sort_by_key(is_missing);
}

impl ColorKey {
    /// The numbers at the ends of the legend; `None` for categories.
    #[doc(hidden)]
    pub fn ends(&self) -> Option<[f64; 2]> {
        let Self::Numbers { least, most, shown, .. } = self else { return None };
        Some(shown.unwrap_or([*least, *most]))
    }

    /// Counts whole numbers from the least to the greatest one of a legend, each as often as it comes with. Empty on a scale
    /// that is not linear, without numbers, if one is no whole number or lies beyond, and if they are too many to be listed.
    #[doc(hidden)]
    pub fn count_whole(scale: Scale, [least, most]: [f64; 2], numbers: impl Iterator<Item = (f64, u64)>) -> Vec<u64> {
        let is_whole = least.fract() == 0.0 && most.fract() == 0.0;
        if scale != Scale::Linear || !is_whole || !(0.0..MOST_LISTED as f64).contains(&(most - least)) {
            return Vec::new();
        }
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "few whole numbers")]
        let place = |number: f64| (number - least) as usize;
        let mut counts = vec![0; place(most) + 1];
        for (number, copies) in numbers.filter(|(_, copies)| *copies > 0) {
            match counts.get_mut(place(number)) {
                Some(count) if number.fract() == 0.0 && number >= least => *count += copies,
                _ => return Vec::new(),
            }
        }
        if counts.iter().all(|count| *count == 0) { Vec::new() } else { counts }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde calls it")]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde calls it")]
fn is_opaque(alpha: &u8) -> bool {
    *alpha == u8::MAX
}

/// A category and its colour.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Category {
    /// The name in the file.
    pub name: String,
    /// The colour of its shapes, with the opacity of most of them.
    #[serde(serialize_with = "text")]
    pub color: Srgba8,
    /// The number of its shapes.
    pub count: u64,
}

impl Category {
    /// A category with the colour and the number of its shapes.
    #[must_use]
    pub fn new(name: impl Into<String>, color: Srgba8, count: u64) -> Self {
        Self { name: name.into(), color, count }
    }
}

fn text<S: serde::Serializer>(color: &Srgba8, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(color)
}
