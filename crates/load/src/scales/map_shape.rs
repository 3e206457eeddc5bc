//! The shape of a picture of a table: how long a unit of x is beside one of y, and the axes around it.

use crate::color::Scale;
use crate::dataset::data_file::DataFile;
use crate::figure::{AxisNumbers, PlaneAxes, PlaneAxis};
use crate::options::figure::FigureOptions;
use crate::rows::canvas::CanvasTransform;
use crate::scales::outliers::PlaneExtent;

/// Names of coordinates, whose units are as long along x as along y.
const COORDINATES: [[&str; 2]; 2] = [["easting", "northing"], ["e", "n"]];

/// The greatest latitude in degrees to which the width of a map is adjusted.
const POLAR: f64 = 85.0;

/// The kind of a table's axes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PlaneKind {
    /// Longitude and latitude in degrees.
    Degrees,
    /// Lengths, such as x and y.
    Coordinates,
    /// Two quantities, each with a unit of its own.
    Quantities,
}

impl PlaneKind {
    /// The kind of two columns by their names.
    pub(crate) fn of(data: &DataFile, scales: [Scale; 2]) -> Self {
        if scales != [Scale::Linear; 2] || axis_numbers(data).contains(&AxisNumbers::Dates) {
            return Self::Quantities;
        }
        if data.is_in_degrees() {
            return Self::Degrees;
        }
        let [x, y] = axis_names(data).map(|name| name.to_lowercase());
        let is_pair = COORDINATES.contains(&[x.as_str(), y.as_str()]);
        // x and y, pos_x and pos_y; columns without names are numbered
        let differ_by_letter = x != y && x.replace('x', "y") == y;
        let is_numbered = |name: &str| name.is_empty() || name.bytes().all(|byte| byte.is_ascii_digit());
        if is_pair || differ_by_letter || is_numbered(&x) || data.has_lengths() {
            Self::Coordinates
        } else {
            Self::Quantities
        }
    }

    /// The length of a unit of x in units of y; `None` where each axis fills the picture.
    pub(crate) fn stretch(self, [least, most]: PlaneExtent) -> Option<f64> {
        match self {
            Self::Degrees => {
                let latitude = 0.5 * (least[1] + most[1]);
                // beyond the poles there are no degrees of latitude
                let is_on_earth = least[1] >= -90.0 && most[1] <= 90.0;
                Some(if is_on_earth { libm::cos(latitude.clamp(-POLAR, POLAR).to_radians()) } else { 1.0 })
            }
            Self::Coordinates => Some(1.0),
            Self::Quantities => None,
        }
    }

    /// Whether axes are drawn unless the caller says otherwise.
    pub(crate) fn has_axes(self) -> bool {
        self == Self::Quantities
    }
}

/// The names of the columns of x and y.
pub(crate) fn axis_names(data: &DataFile) -> [String; 2] {
    if let [x, y] = data.axis_names() { [x.clone(), y.clone()] } else { Default::default() }
}

/// The kinds of the numbers of x and y.
pub(crate) fn axis_numbers(data: &DataFile) -> [AxisNumbers; 2] {
    if data.is_in_degrees() {
        return [AxisNumbers::Longitude, AxisNumbers::Latitude];
    }
    let [x, y, _] = data.source.date_axes;
    [x, y].map(|is_date| if is_date { AxisNumbers::Dates } else { AxisNumbers::Plain })
}

/// The axes of a picture that this transform fills, whose columns have these names and kinds of numbers.
pub(crate) fn axes(
    transform: &CanvasTransform,
    size: (u32, u32),
    names: [String; 2],
    numbers: [AxisNumbers; 2],
    options: &FigureOptions,
) -> PlaneAxes {
    let is_in_degrees = numbers[0] == AxisNumbers::Longitude;
    let own = names.map(|name| if is_in_degrees { String::new() } else { name });
    let given = [&options.x_label, &options.y_label];
    let ends = transform.ends(size);
    let axis = |index: usize| PlaneAxis {
        name: given[index].clone().unwrap_or_else(|| own[index].clone()),
        numbers: numbers[index],
        scale: transform.scales[index],
        ends: ends[index],
    };
    PlaneAxes { axes: [axis(0), axis(1)], left: None }
}
