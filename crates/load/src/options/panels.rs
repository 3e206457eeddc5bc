//! The panels of a grid: how many there are, and their titles.

use std::fmt;
use std::str::FromStr;

use crate::did_you_mean::shortened;
use crate::error::{Error, Result};
use crate::formats::facts::FrameTimes;
use crate::options::figure::Stamp;
use crate::options::label_text::LabelText;
use crate::options::load_options::LoadOptions;
use crate::scene::spheres::{Camera, StandardView};

/// Default of the longer side of all panels together, in pixels: each is still as large as a small picture.
pub const LONG_SIDE: u32 = 1920;

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

impl FigureGrid {
    /// About as many rows as columns, with room for `count` panels.
    pub(crate) fn square(count: usize) -> Self {
        let count = u32::try_from(count).unwrap_or(u32::MAX).max(1);
        let columns = (1..=count).find(|side| side.saturating_mul(*side) >= count).unwrap_or(1);
        Self { columns, rows: count.div_ceil(columns) }
    }
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

/// From where a panel is seen.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PanelSide {
    /// The side, if the panels show several.
    pub view: Option<StandardView>,
    /// Degrees by which an eye of a stereo pair stands to the right of the camera.
    pub eye: Option<f32>,
}

impl PanelSide {
    /// The sides of each part, in the order of their panels.
    ///
    /// # Errors
    /// If the eyes of a stereo pair are too far apart, or in one place.
    pub fn all(options: &LoadOptions) -> Result<Vec<Self>> {
        /// Degrees between eyes at most.
        const WIDEST: f32 = 30.0;
        let eyes = match options.figure.stereo {
            None => vec![None],
            Some(angle) if angle.abs() > 0.0 && angle.abs() <= WIDEST => vec![Some(-angle / 2.0), Some(angle / 2.0)],
            Some(angle) => {
                let message = format!("must be degrees up to {WIDEST}, or down to -{WIDEST}, such as 6, got {angle}");
                return Err(Error::setting("stereo", message));
            }
        };
        let views = match &options.views[..] {
            [] => vec![None],
            views => views.iter().copied().map(Some).collect(),
        };
        Ok(views.into_iter().flat_map(|view| eyes.iter().map(move |eye| Self { view, eye: *eye })).collect())
    }

    /// The place of a camera's eye in this panel: around the target, at the same height in the picture.
    #[must_use]
    pub fn camera(&self, mut camera: Camera) -> Camera {
        let Some(degrees) = self.eye else { return camera };
        let target = camera.target.as_dvec3();
        let back = camera.eye.as_dvec3() - target;
        let right = camera.up.as_dvec3().cross(back).normalize_or_zero() * back.length();
        let (sine, cosine) = libm::sincos(f64::from(degrees).to_radians());
        camera.eye = (target + back * cosine + right * sine).as_vec3();
        camera
    }
}

impl fmt::Display for PanelSide {
    /// Writes the usual title of the panel.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let eye = self.eye.map(|degrees| if degrees < 0.0 { "left eye" } else { "right eye" });
        match (self.view, eye) {
            (Some(view), Some(eye)) => write!(f, "{view}, {eye}"),
            (Some(view), None) => view.fmt(f),
            (None, eye) => f.write_str(eye.unwrap_or_default()),
        }
    }
}

/// What a panel shows, for the words in its title.
pub struct PanelWords<'a> {
    pub name: &'a str,
    pub file: &'a str,
    pub times: FrameTimes,
    pub side: PanelSide,
}

/// The title of a panel: a text in which `{name}`, `{view}`, `{frame}`, `{time}` and `{step}` stand for what it shows.
pub fn panel_title(text: &str, words: &PanelWords<'_>) -> Result<String> {
    if text.is_empty() {
        return Ok(String::new());
    }
    let refuse = |rule: &str| Error::setting("panel_title", rule);
    let wrong = || {
        let known = if words.side == PanelSide::default() { "{name}, {frame}" } else { "{name}, {view}, {frame}" };
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
        match word {
            "name" => return Ok(words.name.to_owned()),
            "view" if words.side != PanelSide::default() => return Ok(words.side.to_string()),
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
