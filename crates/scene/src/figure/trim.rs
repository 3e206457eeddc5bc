//! Trimming: a frame cropped to its content.

use super::backdrop::Backdrop;
use super::paper::Paper;
use crate::color::Srgba8;
use crate::error::{Error, Result};

/// Crops a frame to the pixels that differ from the background, with a margin. A frame of only background is not
/// cropped. Returns the columns and rows removed on the left and at the top.
pub(super) fn trim(paper: &mut Paper<'_>, background: Backdrop, margin: u32) -> Result<[u32; 2]> {
    if background.top != background.bottom {
        return Err(Error::setting("trim", "is for a background of one colour"));
    }
    let frame = &*paper.frame;
    let (width, height) = (frame.width(), frame.height());
    let (mut columns, mut rows) = ([width, 0], [height, 0]);
    for (y, row) in (0..height).zip(frame.rows()) {
        let differs = |pixel: &Srgba8| *pixel != background.top;
        let Some(first) = row.iter().position(differs) else { continue };
        let last = row.iter().rposition(differs).unwrap_or(first);
        let [first, last] = [first, last].map(|x| u32::try_from(x).expect("a column"));
        (columns, rows) = ([columns[0].min(first), columns[1].max(last)], [rows[0].min(y), y]);
    }
    if columns[0] > columns[1] {
        return Ok([0; 2]);
    }
    let cut =
        |[first, last]: [u32; 2], size: u32| [first.saturating_sub(margin), last.saturating_add(margin).min(size - 1)];
    let ([left, right], [top, bottom]) = (cut(columns, width), cut(rows, height));
    let trimmed = frame.cropped([left, top], (right - left + 1, bottom - top + 1))?;
    paper.replace(trimmed, [left, top].map(|cut| -f64::from(cut)));
    Ok([left, top])
}
