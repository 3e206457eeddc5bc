//! Which frames of a trajectory a film shows.

use std::fmt;
use std::str::FromStr;

use crate::error::{Error, Result};

/// Frames of a trajectory: `all`, one number, or `A..B` with or without a step, `A..B:STEP`. A is the first frame, B is
/// the first that is left out; either may be missing. Numbers below 0 count from the end.
///
/// ```
/// use roundel::film::FrameRange;
///
/// let range: FrameRange = "2..:3".parse()?;
/// assert_eq!(range.of(10)?, [2, 5, 8]);
/// assert_eq!("-3..".parse::<FrameRange>()?.of(10)?, [7, 8, 9]);
/// assert_eq!("-1".parse::<FrameRange>()?.of(10)?, [9]);
/// assert_eq!("all".parse::<FrameRange>()?.of(3)?, [0, 1, 2]);
/// assert!("8..12".parse::<FrameRange>()?.of(10).is_err(), "there are frames 0 to 9");
/// # Ok::<(), roundel::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameRange {
    first: Option<i64>,
    end: Option<i64>,
    step: u64,
    /// One frame, `first`.
    is_single: bool,
}

impl FrameRange {
    /// All frames.
    pub const ALL: Self = Self { first: None, end: None, step: 1, is_single: false };

    /// The numbers of the frames, of a trajectory with `count` of them.
    ///
    /// # Errors
    /// If there are no such frames.
    pub fn of(&self, count: u64) -> Result<Vec<u64>> {
        let refuse = |found: String| {
            let has = match count {
                0 => "no frames".to_owned(),
                1 => "one frame, 0".to_owned(),
                _ => format!("frames 0 to {}", count - 1),
            };
            Err(Error::Setting {
                name: "frames",
                message: format!("must be in the trajectory, which has {has}; got {found}"),
            })
        };
        let place = |number: i64| {
            if number < 0 { count.checked_sub(number.unsigned_abs()) } else { Some(number.unsigned_abs()) }
        };
        let first = self.first.map_or(Some(0), place);
        let end = if self.is_single { first.map(|first| first + 1) } else { self.end.map_or(Some(count), place) };
        match (first, end) {
            (Some(first), Some(end)) if first < end && end <= count => {
                let step = usize::try_from(self.step).unwrap_or(usize::MAX);
                Ok((first..end).step_by(step).collect())
            }
            (Some(first), Some(end)) if !self.is_single && self.end.is_some() && first >= end => Err(Error::Setting {
                name: "frames",
                message: format!(
                    "must be first..end with the first frame before the end, which is left out; got {self}"
                ),
            }),
            _ => refuse(self.to_string()),
        }
    }
}

impl fmt::Display for FrameRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |number: Option<i64>| number.map(|number| number.to_string()).unwrap_or_default();
        match self {
            &Self::ALL => f.write_str("all"),
            Self { is_single: true, .. } => f.write_str(&text(self.first)),
            Self { step: 1, .. } => write!(f, "{}..{}", text(self.first), text(self.end)),
            _ => write!(f, "{}..{}:{}", text(self.first), text(self.end), self.step),
        }
    }
}

impl FromStr for FrameRange {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let refuse = || {
            let message = format!(
                "must be all, a number, or first..end or first..end:step, such as 0..100, ..:10 or -5.., got {text:?}"
            );
            Error::setting("frames", message)
        };
        let number = |text: &str| match text {
            "" => Ok(None),
            _ => text.parse::<i64>().map(Some).map_err(|_| refuse()),
        };
        if text == "all" {
            return Ok(Self::ALL);
        }
        let Some((first, rest)) = text.split_once("..") else {
            let first = number(text)?.ok_or_else(refuse)?;
            return Ok(Self { first: Some(first), is_single: true, ..Self::ALL });
        };
        let (end, step) = rest.split_once(':').map_or((rest, "1"), |(end, step)| (end, step));
        let step = step.parse().ok().filter(|step| *step > 0).ok_or_else(refuse)?;
        Ok(Self { first: number(first)?, end: number(end)?, step, is_single: false })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_read_back_as_they_are_written() {
        for text in ["all", "0..100", "..", "..:10", "-5..", "3..-1:2", "7", "-1"] {
            let range: FrameRange = text.parse().unwrap();
            let again: FrameRange = range.to_string().parse().unwrap();
            assert_eq!(range, again, "{text}");
        }
        for text in ["", "a", "1..2..3", "1:2", "0..5:0", "0..5:-1", "1.5", "5..:", "99999999999999999999"] {
            text.parse::<FrameRange>().expect_err(text);
        }
    }

    #[test]
    fn frames_that_are_not_there_are_refused() {
        for text in ["10", "-11", "0..11", "-11..", "10..", "9..12"] {
            let message = text.parse::<FrameRange>().unwrap().of(10).unwrap_err().to_string();
            assert!(message.contains("frames 0 to 9"), "{text}: {message}");
        }
        for text in ["5..5", "6..5", "..0", "-1..-3", "3..1:2"] {
            let message = text.parse::<FrameRange>().unwrap().of(10).unwrap_err().to_string();
            assert!(message.contains("with the first frame before the end"), "{text}: {message}");
        }
        assert_eq!("..-1:4".parse::<FrameRange>().unwrap().of(10).unwrap(), [0, 4, 8]);
    }
}
