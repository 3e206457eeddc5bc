//! Sizes on paper: the width of a figure, the size of its type.

use std::fmt;
use std::str::FromStr;

/// Units of length, and how many make an inch; pixels make none.
const UNITS: [(&str, f64); 5] = [("mm", 25.4), ("cm", 2.54), ("in", 1.0), ("pt", 72.0), ("px", 0.0)];

/// Dots per inch of a figure whose width is a length on paper.
pub(crate) const PRINT_DPI: f32 = 300.0;

/// The width of a figure.
///
/// ```
/// # use roundel_load as roundel;
/// use roundel::io::FigureWidth;
///
/// let column: FigureWidth = "85mm".parse()?;
/// assert_eq!((column.pixels(300.0), column.to_string()), (1004, "85mm".to_owned()));
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FigureWidth {
    number: f64,
    unit: &'static str,
}

impl FigureWidth {
    /// The pixels at a resolution in dots per inch.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "`as` saturates")]
    pub fn pixels(&self, dpi: f32) -> u32 {
        let pixels = match UNITS.iter().find(|(unit, _)| *unit == self.unit) {
            Some((_, an_inch)) if *an_inch > 0.0 => self.number / an_inch * f64::from(dpi),
            _ => self.number,
        };
        (pixels + 0.5) as u32
    }

    /// The length in millimetres; `None` for pixels.
    pub fn millimeters(&self) -> Option<f64> {
        let unit = UNITS.iter().find(|(unit, an_inch)| *unit == self.unit && *an_inch > 0.0);
        unit.map(|(_, an_inch)| self.number / an_inch * 25.4)
    }

    /// Whether it is a length on paper.
    pub(crate) fn is_on_paper(&self) -> bool {
        self.unit != "px"
    }
}

impl fmt::Display for FigureWidth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.number, self.unit)
    }
}

impl FromStr for FigureWidth {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        let unit = UNITS.iter().find_map(|(unit, _)| Some((text.trim().strip_suffix(unit)?, *unit)));
        let number = unit.and_then(|(number, unit)| Some((number.trim().parse::<f64>().ok()?, unit)));
        let is_length = |(number, _): &(f64, &str)| number.is_finite() && *number > 0.0;
        let (number, unit) = number
            .filter(is_length)
            .ok_or("must be a length with its unit, such as 85mm, 8.5cm, 3.3in, 240pt or 1000px")?;
        Ok(Self { number, unit })
    }
}

/// The size of text on paper.
///
/// ```
/// # use roundel_load as roundel;
/// use roundel::io::FontSize;
///
/// let size: FontSize = "7pt".parse()?;
/// assert_eq!((size.points, "7".parse()), (7.0, Ok(size)));
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct FontSize {
    /// In points, 1/72 inch at the resolution of the picture.
    pub points: f32,
}

impl fmt::Display for FontSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.points.fmt(f)
    }
}

impl FromStr for FontSize {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        let number = text.trim().strip_suffix("pt").unwrap_or(text).trim();
        let points =
            number.parse().map_err(|_| format!("must be a number of points, such as 7 or 7pt, got {text:?}"))?;
        Ok(Self { points })
    }
}
