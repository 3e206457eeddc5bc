//! The mapping of numbers to a colour map or to radii.

use std::fmt;
use std::str::FromStr;

use crate::error::Error;

/// How numbers are mapped to colours or radii.
///
/// ```
/// # use roundel_image as roundel;
/// use roundel::color::Scale;
///
/// assert_eq!("log".parse::<Scale>()?, Scale::Log);
/// # Ok::<(), roundel::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Scale {
    /// In proportion to the numbers.
    #[default]
    Linear,
    /// In proportion to their square roots; they must not be negative.
    Sqrt,
    /// In proportion to their logarithms; they must be positive.
    Log,
}

impl Scale {
    /// All scales.
    pub const ALL: [Self; 3] = [Self::Linear, Self::Sqrt, Self::Log];

    /// The name in scenes and on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Linear => "linear",
            Self::Sqrt => "sqrt",
            Self::Log => "log",
        }
    }

    /// Transforms a number.
    #[doc(hidden)]
    pub fn of(self, value: f64) -> f64 {
        match self {
            Self::Linear => value,
            Self::Sqrt => value.sqrt(),
            Self::Log => libm::log(value),
        }
    }

    /// The inverse of [`Scale::of`].
    #[doc(hidden)]
    pub fn inverse(self, spread: f64) -> f64 {
        match self {
            Self::Linear => spread,
            Self::Sqrt => spread * spread,
            Self::Log => libm::exp(spread),
        }
    }
}

impl FromStr for Scale {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        Self::ALL.into_iter().find(|scale| scale.name() == name).ok_or_else(|| {
            let names = Self::ALL.map(Self::name).join(", ");
            Error::setting("scale", format!("must be one of {names}, got {name:?}"))
        })
    }
}

impl fmt::Display for Scale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How numbers are spread over a colour map.
///
/// ```
/// # use roundel_image as roundel;
/// use roundel::color::{ColorScale, Scale};
///
/// assert_eq!("log".parse::<ColorScale>()?, Scale::Log.into());
/// assert_eq!("equalize".parse::<ColorScale>()?, ColorScale::Equalize);
/// # Ok::<(), roundel::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColorScale {
    /// By their size.
    By(Scale),
    /// By their rank, so that each colour stands for as many pixels of a density.
    Equalize,
}

impl ColorScale {
    /// All scales.
    pub const ALL: [Self; 4] = {
        let [linear, sqrt, log] = Scale::ALL;
        [Self::By(linear), Self::By(sqrt), Self::By(log), Self::Equalize]
    };

    /// The name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::By(scale) => scale.name(),
            Self::Equalize => "equalize",
        }
    }
}

impl From<Scale> for ColorScale {
    fn from(scale: Scale) -> Self {
        Self::By(scale)
    }
}

impl FromStr for ColorScale {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        Self::ALL.into_iter().find(|scale| scale.name() == name).ok_or_else(|| {
            let names = Self::ALL.map(Self::name).join(", ");
            Error::setting("color_scale", format!("must be one of {names}, got {name:?}"))
        })
    }
}

impl fmt::Display for ColorScale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The numbers that get the first and the last colour of a map. Numbers outside are clamped to these colours.
///
/// ```
/// # use roundel_image as roundel;
/// use roundel::color::ColorRange;
///
/// assert_eq!("0,80".parse::<ColorRange>()?, ColorRange::Numbers([0.0, 80.0]));
/// assert_eq!("p2,p98".parse::<ColorRange>()?, ColorRange::Percentiles([2.0, 98.0]));
/// # Ok::<(), roundel::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ColorRange {
    /// Two numbers.
    Numbers([f64; 2]),
    /// Two percentiles of all values.
    Percentiles([f64; 2]),
    /// A range around this number that covers all values except outliers. A legend shows the part that has values.
    Around(f64),
    /// A range that is symmetric about a middle and reaches both ends. A legend shows the part between the ends.
    Within {
        /// The number with the colour in the middle of the map.
        middle: f64,
        /// The ends, the lesser first.
        ends: [f64; 2],
    },
}

impl ColorRange {
    /// The range with the lesser end first, and whether the ends were swapped.
    #[doc(hidden)]
    pub fn ascending(self) -> (Self, bool) {
        match self {
            Self::Numbers([first, last]) if first > last => (Self::Numbers([last, first]), true),
            Self::Percentiles([first, last]) if first > last => (Self::Percentiles([last, first]), true),
            Self::Within { middle, ends: [first, last] } if first > last => {
                (Self::Within { middle, ends: [last, first] }, true)
            }
            other => (other, false),
        }
    }
}

impl fmt::Display for ColorRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Numbers([first, last]) => write!(f, "{first},{last}"),
            Self::Percentiles([first, last]) => write!(f, "p{first},p{last}"),
            Self::Around(middle) => write!(f, "around {middle}"),
            Self::Within { middle, ends: [first, last] } => write!(f, "around {middle} within {first},{last}"),
        }
    }
}

impl FromStr for ColorRange {
    type Err = Error;

    /// Reads `A,B`, `pA,pB`, `around A` or `around A within B,C`. Where the first number is the greater one, the
    /// colours are reversed.
    fn from_str(text: &str) -> Result<Self, Error> {
        let refuse = || {
            let message = format!(
                "must be two different numbers such as 0,80, percentiles such as p2,p98, or a middle such as around 0, got {text:?}"
            );
            Error::setting("color_range", message)
        };
        let number = |text: &str| text.parse::<f64>().ok().filter(|value| value.is_finite());
        if let Some(middle) = text.trim().strip_prefix("around ") {
            let Some((middle, ends)) = middle.split_once(" within ") else {
                return number(middle.trim()).map(Self::Around).ok_or_else(refuse);
            };
            return match (number(middle.trim()), ends.parse()) {
                (Some(middle), Ok(Self::Numbers(ends))) => Ok(Self::Within { middle, ends }),
                _ => Err(refuse()),
            };
        }
        let (first, last) = text.split_once(',').ok_or_else(refuse)?;
        let (first, last) = (first.trim(), last.trim());
        let percent = |text: &str| number(text.strip_prefix('p')?).filter(|value| (0.0..=100.0).contains(value));
        let range = match (number(first).zip(number(last)), percent(first).zip(percent(last))) {
            (Some((first, last)), _) if first != last => Self::Numbers([first, last]),
            (_, Some((first, last))) if first != last => Self::Percentiles([first, last]),
            _ => return Err(refuse()),
        };
        Ok(range)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_two_numbers_or_two_percentiles_in_order() {
        assert_eq!(" -1e3, 2".parse::<ColorRange>().expect("numbers"), ColorRange::Numbers([-1000.0, 2.0]));
        assert_eq!("p0,p100".parse::<ColorRange>().expect("percentiles"), ColorRange::Percentiles([0.0, 100.0]));
        for text in ["-2.5,1000", "p2,p97.5", "100,20", "p98,p2", "around -1.5", "around 0 within -1,4"] {
            assert_eq!(text.parse::<ColorRange>().expect(text).to_string(), text);
        }
        assert_eq!(ColorRange::Numbers([2.0, 1.0]).ascending(), (ColorRange::Numbers([1.0, 2.0]), true));
        for text in [
            "",
            "1",
            "1,",
            "1,1",
            "p2,98",
            "p-1,p50",
            "p50,p101",
            "nan,1",
            "0,inf",
            "1,2,3",
            "p9,p9",
            "around x",
            "around 0 within p2,p98",
        ] {
            text.parse::<ColorRange>().expect_err(text);
        }
    }

    #[test]
    fn scales_go_there_and_back() {
        for scale in Scale::ALL {
            assert_eq!(scale.name().parse::<Scale>().expect("its own name"), scale);
            for value in [0.25, 1.0, 7.0, 1e6] {
                assert!((scale.inverse(scale.of(value)) / value - 1.0).abs() < 1e-12, "{scale} {value}");
            }
        }
        assert_eq!((Scale::Sqrt.of(9.0), Scale::Log.of(1.0)), (3.0, 0.0));
    }
}
