//! Pixels that are left out of a comparison.

use super::picture::Picture;
use crate::error::{Error, Result};

/// Pixels that are left out of a comparison: rectangles, and the marked pixels of a mask picture.
///
/// ```
/// use roundel::compare::{CompareOptions, Mask, Rectangle, compare};
/// use roundel::{Frame, Srgba8};
///
/// let white = Frame::new(8, 8, Srgba8::WHITE)?;
/// let mut clock = white.clone();
/// clock.pixels_mut()[3] = Srgba8::BLACK;
/// let mask = Mask::new().with_rectangle(Rectangle { x: 0, y: 0, width: 8, height: 1 });
/// let found = compare(&white, &clock, &CompareOptions::default().with_mask(mask))?;
/// assert!(found.is_same());
/// assert_eq!(found.compared, 56);
/// # Ok::<(), roundel::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct Mask {
    rectangles: Vec<Rectangle>,
    picture: Option<MaskPicture>,
}

/// A rectangle of pixels. Parts outside of the picture are ignored; a rectangle entirely outside is an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Rectangle {
    /// Leftmost column.
    pub x: u32,
    /// Topmost row.
    pub y: u32,
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
}

#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct MaskPicture {
    width: u32,
    height: u32,
    masked: Vec<bool>,
}

impl Mask {
    /// A mask that leaves nothing out.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Also leaves out a rectangle.
    #[must_use]
    pub fn with_rectangle(mut self, rectangle: Rectangle) -> Self {
        self.rectangles.push(rectangle);
        self
    }

    /// Also leaves out the pixels where the mask picture is neither black nor fully transparent. A second mask picture
    /// replaces the first.
    ///
    /// ```
    /// use roundel::compare::{CompareOptions, Mask, compare};
    /// use roundel::{Frame, Srgba8};
    ///
    /// let white = Frame::new(8, 8, Srgba8::WHITE)?;
    /// let mut marks = Frame::new(8, 8, Srgba8::BLACK)?;
    /// marks.pixels_mut()[3] = Srgba8::WHITE;
    /// let options = CompareOptions::default().with_mask(Mask::new().with_picture(&marks));
    /// assert_eq!(compare(&white, &white, &options)?.compared, 63);
    /// # Ok::<(), roundel::Error>(())
    /// ```
    #[must_use]
    pub fn with_picture<'a>(mut self, picture: impl Into<Picture<'a>>) -> Self {
        let picture = picture.into();
        let (width, height) = picture.size();
        let count = width as usize * height as usize;
        let masked = (0..count).map(|index| {
            let [r, g, b, a] = picture.pixel8(index);
            a > 0 && (r, g, b) != (0, 0, 0)
        });
        self.picture = Some(MaskPicture { width, height, masked: masked.collect() });
        self
    }

    /// Returns an error if a rectangle is entirely outside of the pictures, the mask picture has another size, or no
    /// pixel is left to compare: such a mask was made for other pictures.
    pub(super) fn check(&self, (width, height): (u32, u32)) -> Result<()> {
        let outside = self.rectangles.iter().find(|rectangle| rectangle.x >= width || rectangle.y >= height);
        if let Some(Rectangle { x, y, width: columns, height: rows }) = outside {
            let message =
                format!("must touch the pictures, which have {width}x{height} pixels, got {x},{y},{columns},{rows}");
            return Err(Error::setting("mask", message));
        }
        self.check_picture((width, height))?;
        if !self.is_empty() && self.count((width, height)) == u64::from(width) * u64::from(height) {
            let message = format!("must leave pixels to compare, got one that leaves out all {width}x{height}");
            return Err(Error::setting("mask", message));
        }
        Ok(())
    }

    fn check_picture(&self, (width, height): (u32, u32)) -> Result<()> {
        let Some(mask) = &self.picture else { return Ok(()) };
        let wrong = |message| Err(Error::setting("mask picture", message));
        if (mask.width, mask.height) != (width, height) {
            let found = format!("{}x{}", mask.width, mask.height);
            return wrong(format!("must be as large as the pictures, {width}x{height}, got {found}"));
        }
        // a deserialized one can hold any number
        if mask.masked.len() as u64 != u64::from(width) * u64::from(height) {
            return wrong(format!("must mark {width}x{height} pixels, got {}", mask.masked.len()));
        }
        Ok(())
    }

    /// Sets `masked` for each pixel of row `y` and returns whether any is masked. `masked` is as long as the picture is
    /// wide.
    pub(super) fn row(&self, y: u32, masked: &mut [bool]) -> bool {
        let row = y as usize * masked.len();
        match &self.picture {
            Some(mask) => masked.copy_from_slice(&mask.masked[row..row + masked.len()]),
            None => masked.fill(false),
        }
        for rectangle in &self.rectangles {
            if y >= rectangle.y && u64::from(y) < u64::from(rectangle.y) + u64::from(rectangle.height) {
                let start = (rectangle.x as usize).min(masked.len());
                let end = (start + rectangle.width as usize).min(masked.len());
                masked[start..end].fill(true);
            }
        }
        masked.contains(&true)
    }

    /// The number of masked pixels in a picture of this size.
    pub(super) fn count(&self, (width, height): (u32, u32)) -> u64 {
        if self.is_empty() {
            return 0;
        }
        let mut row = vec![false; width as usize];
        let mut count = 0;
        for y in 0..height {
            self.row(y, &mut row);
            count += row.iter().filter(|masked| **masked).count() as u64;
        }
        count
    }

    /// Reports whether the mask leaves nothing out.
    pub(super) fn is_empty(&self) -> bool {
        self.rectangles.is_empty() && self.picture.is_none()
    }
}
