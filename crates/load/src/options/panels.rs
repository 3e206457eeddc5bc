//! The panels of a grid: how many there are, and their titles.

use std::fmt;
use std::str::FromStr;

use crate::did_you_mean::shortened;
use crate::error::{Error, Result};
use crate::formats::facts::FrameTimes;
use crate::options::figure::Stamp;
use crate::options::label_text::LabelText;
use crate::scene::spheres::StandardView;

/// Panels across and down.
///
/// ```
/// # use roundel_load as roundel;
/// use roundel::io::FigureGrid;
///
/// let grid: FigureGrid = "2x3".parse()?;
/// assert_eq!((grid.columns, grid.rows, grid.to_string()), (2, 3, "2x3".to_owned()));
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FigureGrid {
    /// Side by side.
    pub columns: u32,
    /// Below each other.
    pub rows: u32,
}

impl fmt::Display for FigureGrid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.columns, self.rows)
    }
}

impl FromStr for FigureGrid {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        /// Panels a side at most.
        const MOST: u32 = 32;
        let parts = text.split_once(['x', '×', ',']);
        let side = |text: &str| text.trim().parse().ok().filter(|side| (1..=MOST).contains(side));
        parts
            .and_then(|(columns, rows)| Some(Self { columns: side(columns)?, rows: side(rows)? }))
            .ok_or_else(|| format!("must be panels across and down, from 1 to {MOST} each, such as 2x3"))
    }
}

/// What a panel shows, for the words in its title.
pub struct PanelWords<'a> {
    pub name: &'a str,
    pub file: &'a str,
    pub times: FrameTimes,
    /// The side, if the panels show several.
    pub view: Option<StandardView>,
}

/// The title of a panel: a text in which `{name}`, `{view}`, `{frame}`, `{time}` and `{step}` stand for what it shows.
pub fn panel_title(text: &str, words: &PanelWords<'_>) -> Result<String> {
    if text.is_empty() {
        return Ok(String::new());
    }
    let refuse = |rule: &str| Error::setting("panel_title", rule);
    let wrong = || {
        let known = if words.view.is_some() { "{name}, {view}, {frame}" } else { "{name}, {frame}" };
        refuse(&format!(
            "must be a text with {known}, {{time}} and {{step}} as its only braces, got {:?}",
            shortened(text)
        ))
    };
    let parsed = LabelText::parse(text).map_err(|_| wrong())?;
    let value = |(word, decimals): (&str, Option<usize>)| {
        if decimals.is_some() {
            return Err(wrong());
        }
        match (word, words.view) {
            ("name", _) => return Ok(words.name.to_owned()),
            ("view", Some(view)) => return Ok(view.to_string()),
            _ => {}
        }
        let (stamp, _) = Stamp::ALL.iter().find(|(_, stamp)| *stamp == word).ok_or_else(wrong)?;
        let found = stamp.text(words.file, Some(words.times)).map_err(|error| refuse(&error.rule()))?;
        // the number alone: the text around it says of what
        Ok(found.strip_prefix(&format!("{word} ")).map(str::to_owned).unwrap_or(found))
    };
    let values: Vec<String> = parsed.values().map(value).collect::<Result<_>>()?;
    Ok(parsed.filled(values.iter().map(String::as_str)))
}
