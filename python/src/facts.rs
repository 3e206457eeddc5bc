//! Facts that figures show beside shapes in memory.

use pyo3::prelude::*;
use roundel::color::{Category, ColorKey, ColorMap, Scale};
use roundel::io::FigureInfo;
use roundel::{Error, Srgba8};

use crate::error::exception;

/// Facts about shapes that Python code gives: the meaning of their colours, a periodic box, and pixels per unit of
/// length.
#[derive(FromPyObject)]
pub(crate) struct Facts(Option<Key>, Option<[[f64; 3]; 4]>, f64);

/// The meaning of colours.
#[derive(FromPyObject)]
enum Key {
    /// A name; the name of a map, its scale, the numbers at its ends, those at the ends of the part in the legend,
    /// whether there are numbers beyond either end, how many are missing, how many have each whole number of a list, and of
    /// colours by rank a few numbers and their shares.
    Numbers(String, String, String, f64, f64, Option<[f64; 2]>, (bool, bool), u64, Vec<u64>, Vec<[f64; 2]>),
    /// A name; and names, colours and counts of categories.
    Categories(String, Vec<(String, (u8, u8, u8), u64)>),
}

impl Facts {
    pub(crate) fn shape_facts(self) -> PyResult<FigureInfo> {
        let Self(key, cell, pixels) = self;
        let key = key.map(Key::color_key).transpose().map_err(exception)?;
        Ok(FigureInfo::default().with_colors(key).with_cell(cell).with_pixels_per_unit(pixels))
    }
}

impl Key {
    fn color_key(self) -> Result<ColorKey, Error> {
        Ok(match self {
            Self::Numbers(name, map, scale, least, most, shown, (below, above), missing, counts, quantiles) => {
                let map = map.parse::<ColorMap>()?.name();
                let scale: Scale = scale.parse()?;
                let (beyond, extremes) = ([below, above], [least, most]);
                let (alpha, dates) = (u8::MAX, false);
                ColorKey::Numbers {
                    name,
                    map,
                    scale,
                    least,
                    most,
                    shown,
                    beyond,
                    extremes,
                    alpha,
                    dates,
                    missing,
                    counts,
                    alphas: Vec::new(),
                    quantiles,
                }
            }
            Self::Categories(name, items) => {
                let item = |(name, (r, g, b), count)| Category::new(name, Srgba8::rgb(r, g, b), count);
                ColorKey::Categories { name, items: items.into_iter().map(item).collect() }
            }
        })
    }
}
