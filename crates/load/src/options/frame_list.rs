//! Lists of the frames of a trajectory.

use std::fmt;
use std::str::FromStr;

use crate::error::{Error, Result};

/// Frames of a trajectory: `all`, or numbers and ranges with commas between them. A range is `A..B` or `A..B:STEP`: A is
/// its first frame, B the first that is left out; either may be missing. Numbers below 0 count from the end. Frames
/// keep the order of the list.
///
/// ```
/// # use roundel_load as roundel;
/// use roundel::io::FrameList;
///
/// let of_ten = |text: &str| text.parse::<FrameList>()?.of(10, 1000);
/// assert_eq!(of_ten("0,5,-1")?, [0, 5, 9]);
/// assert_eq!(of_ten("2..:3")?, [2, 5, 8]);
/// assert_eq!(of_ten("-3..,0")?, [7, 8, 9, 0]);
/// assert_eq!(of_ten("all")?.len(), 10);
/// assert!(of_ten("8..12").is_err(), "there are frames 0 to 9");
/// # Ok::<(), roundel::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrameList {
    items: Vec<FrameItem>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FrameItem {
    One(i64),
    Range { first: Option<i64>, end: Option<i64>, step: u64 },
}

impl FrameList {
    /// All frames.
    #[must_use]
    pub fn all() -> Self {
        Self { items: vec![FrameItem::ALL] }
    }

    /// One frame; -1 is the last one.
    #[must_use]
    pub fn one(frame: i64) -> Self {
        Self { items: vec![FrameItem::One(frame)] }
    }

    /// The frame of a list of one number.
    pub(crate) fn single(&self) -> Option<i64> {
        if let [FrameItem::One(frame)] = self.items[..] { Some(frame) } else { None }
    }

    /// Whether the list means all frames.
    #[must_use]
    pub fn is_all(&self) -> bool {
        self.items == [FrameItem::ALL]
    }

    /// Whether the frames depend on how many the trajectory has.
    pub(crate) fn needs_count(&self) -> bool {
        self.items.iter().any(|item| match *item {
            FrameItem::One(number) => number < 0,
            FrameItem::Range { first, end, .. } => {
                first.is_some_and(|first| first < 0) || end.is_none_or(|end| end < 0)
            }
        })
    }

    /// The numbers of the frames, at most `most` of them, of a trajectory that has `count` frames.
    ///
    /// # Errors
    /// If the trajectory lacks one of the frames; if there are more than `most`.
    pub fn of(&self, count: u64, most: u64) -> Result<Vec<u64>> {
        let mut frames = Vec::new();
        for item in &self.items {
            let (first, end, step) = item.bounds(count)?;
            let found = (frames.len() as u64).saturating_add((end - first).div_ceil(step));
            if found > most {
                return Err(Error::setting("frames", format!("must be at most {most}, got {found}")));
            }
            frames.extend((first..end).step_by(usize::try_from(step).unwrap_or(usize::MAX)));
        }
        Ok(frames)
    }
}

impl FrameItem {
    const ALL: Self = Self::Range { first: None, end: None, step: 1 };

    /// The first frame, the end and the step.
    fn bounds(self, count: u64) -> Result<(u64, u64, u64)> {
        let place = |number: i64| {
            if number < 0 { count.checked_sub(number.unsigned_abs()) } else { Some(number.unsigned_abs()) }
        };
        let (bounds, step, is_empty) = match self {
            Self::One(number) => (place(number).map(|first| (first, first + 1)), 1, false),
            Self::Range { first, end, step } => {
                let ends = first.map_or(Some(0), place).zip(end.map_or(Some(count), place));
                (ends, step, end.is_some() && ends.is_some_and(|(first, end)| first >= end))
            }
        };
        match bounds {
            Some((first, end)) if first < end && end <= count => Ok((first, end, step)),
            _ if is_empty => Err(Error::setting("frames", empty(self))),
            _ => Err(missing(self, count)),
        }
    }

    /// Whether no trajectory has such a range.
    fn is_empty(self) -> bool {
        matches!(self, Self::Range { first, end: Some(end), .. }
            if first.unwrap_or(0) >= end && (first.unwrap_or(0) < 0) == (end < 0))
    }
}

fn empty(item: FrameItem) -> String {
    format!("must be first..end with the first frame before the end, which is left out; got {item}")
}

fn missing(item: FrameItem, count: u64) -> Error {
    let has = match count {
        0 => "no frames".to_owned(),
        1 => "one frame, 0".to_owned(),
        _ => format!("frames 0 to {}", count - 1),
    };
    Error::setting("frames", format!("must be in the trajectory, which has {has}; got {item}"))
}

impl fmt::Display for FrameItem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |number: Option<i64>| number.map(|number| number.to_string()).unwrap_or_default();
        match *self {
            Self::ALL => f.write_str("all"),
            Self::One(number) => write!(f, "{number}"),
            Self::Range { first, end, step: 1 } => write!(f, "{}..{}", text(first), text(end)),
            Self::Range { first, end, step } => write!(f, "{}..{}:{step}", text(first), text(end)),
        }
    }
}

impl fmt::Display for FrameList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, item) in self.items.iter().enumerate() {
            write!(f, "{}{item}", if index == 0 { "" } else { "," })?;
        }
        Ok(())
    }
}

impl FromStr for FrameItem {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let number = |text: &str| text.parse::<i64>().map_err(|_| ());
        let bound = |text: &str| if text.is_empty() { Ok(None) } else { number(text).map(Some) };
        let Some((first, rest)) = text.split_once("..") else { return number(text).map(Self::One) };
        let (end, step) = rest.split_once(':').unwrap_or((rest, "1"));
        let step = step.parse().ok().filter(|step| *step > 0).ok_or(())?;
        Ok(Self::Range { first: bound(first)?, end: bound(end)?, step })
    }
}

impl FromStr for FrameList {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        if text == "all" {
            return Ok(Self::all());
        }
        let items: Result<Vec<FrameItem>, ()> = text.split(',').map(|item| item.trim().parse()).collect();
        let items = items.map_err(|()| {
            let message = "must be all, or numbers and ranges with commas between them, such as 0,5,-1 or 0..50:10";
            Error::setting("frames", format!("{message}, got {text:?}"))
        })?;
        match items.iter().find(|item| item.is_empty()) {
            Some(item) => Err(Error::setting("frames", empty(*item))),
            None => Ok(Self { items }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_ten(text: &str) -> Result<Vec<u64>> {
        text.parse::<FrameList>()?.of(10, 100)
    }

    #[test]
    fn frame_lists_are_read_back_as_they_are_written() {
        for text in ["all", "0..100", "..:10", "-5..", "3..-1:2", "7", "-1", "0,5,-1", "9,0..3,..:4"] {
            let list: FrameList = text.parse().unwrap();
            assert_eq!(list.to_string(), text);
        }
        for text in
            ["", "a", "1..2..3", "1:2", "0..5:0", "0..5:-1", "1.5", "5..:", "99999999999999999999", "1,", "1,all"]
        {
            let message = text.parse::<FrameList>().expect_err(text).to_string();
            assert!(message.contains("numbers and ranges with commas"), "{text}: {message}");
        }
    }

    #[test]
    fn frames_that_are_not_there_are_refused() {
        for text in ["10", "-11", "0..11", "-11..", "10..", "9..12", "0,10"] {
            let message = of_ten(text).unwrap_err().to_string();
            assert!(message.contains("frames 0 to 9"), "{text}: {message}");
        }
        for text in ["5..5", "6..5", "..0", "-1..-3", "3..1:2", "1,5..-5"] {
            let message = of_ten(text).unwrap_err().to_string();
            assert!(message.contains("with the first frame before the end"), "{text}: {message}");
        }
    }

    #[test]
    fn frame_lists_keep_their_order() {
        assert_eq!(of_ten("..-1:4").unwrap(), [0, 4, 8]);
        assert_eq!(of_ten("4, 2,0..2,-1").unwrap(), [4, 2, 0, 1, 9]);
    }

    #[test]
    fn long_frame_lists_are_refused_before_they_are_made() {
        let list: FrameList = "0..9223372036854775807:2,1".parse().unwrap();
        let message = list.of(u64::MAX, 1024).unwrap_err().to_string();
        assert!(message.contains("at most 1024, got 4611686018427387904"), "{message}");
        assert!(!list.needs_count());
    }
}
