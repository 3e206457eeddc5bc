//! The quantity that the density of a table shows.

use std::fmt;
use std::str::FromStr;

/// The number that stands for the rows in a pixel.
///
/// ```
/// # use roundel_load as roundel;
/// use roundel::io::DensityChoice;
///
/// let mass: DensityChoice = "mass weight".parse()?;
/// assert_eq!(mass.to_string(), "mass weight");
/// assert!("median".parse::<DensityChoice>().is_err());
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DensityChoice {
    /// Their number.
    Count,
    /// The sum of a column.
    Sum(String),
    /// The mean of a column.
    Mean(String),
    /// The sum of a column, or of 1, in proportion to the area of each row's circle in the pixel.
    Mass(Option<String>),
}

impl DensityChoice {
    pub(crate) fn column(&self) -> Option<&str> {
        match self {
            Self::Count => None,
            Self::Sum(column) | Self::Mean(column) => Some(column),
            Self::Mass(column) => column.as_deref(),
        }
    }

    /// The name of the numbers in a legend; `bin` is the side of the squares that they are for, in pixels.
    pub(crate) fn name(&self, bin: u32) -> String {
        let of = if bin > 1 { format!("{bin}×{bin} pixels") } else { "pixel".to_owned() };
        match self {
            Self::Count => format!("rows per {of}"),
            Self::Mean(column) => format!("mean {column}"),
            Self::Mass(None) => format!("circles per {of}"),
            Self::Sum(column) | Self::Mass(Some(column)) => format!("{column} per {of}"),
        }
    }
}

impl fmt::Display for DensityChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Count => f.write_str("count"),
            Self::Sum(column) => write!(f, "sum {column}"),
            Self::Mean(column) => write!(f, "mean {column}"),
            Self::Mass(None) => f.write_str("mass"),
            Self::Mass(Some(column)) => write!(f, "mass {column}"),
        }
    }
}

impl FromStr for DensityChoice {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        let column = |column: &str| column.trim().to_owned();
        match text.trim().split_once([' ', ':']) {
            None if text.trim() == "count" => Ok(Self::Count),
            None if text.trim() == "mass" => Ok(Self::Mass(None)),
            Some(("sum", of)) => Ok(Self::Sum(column(of))),
            Some(("mean", of)) => Ok(Self::Mean(column(of))),
            Some(("mass", of)) => Ok(Self::Mass(Some(column(of)))),
            _ => Err("must be count, sum COLUMN, mean COLUMN, mass or mass COLUMN".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_are_read_as_they_are_written() {
        for text in ["count", "sum a b", "mean age", "mass", "mass weight"] {
            assert_eq!(text.parse::<DensityChoice>().expect(text).to_string(), text);
        }
        assert_eq!("sum:age".parse(), Ok(DensityChoice::Sum("age".to_owned())));
        assert!("age".parse::<DensityChoice>().is_err());
    }
}
