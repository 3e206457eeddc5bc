//! Pixels that are left out of a comparison.

use roundel_image::error::{Error, Result};
use roundel_image::picture::Picture;
use roundel_image::sample::Sample;

/// Pixels that are left out of a comparison: rectangles, the marked pixels of a mask picture, and where the expected
/// picture is transparent.
///
/// ```
/// use roundel_golden::compare::{CompareOptions, Mask, Rectangle, compare};
/// use roundel_golden::{Frame, Srgba8};
///
/// let white = Frame::new(8, 8, Srgba8::WHITE)?;
/// let mut clock = white.clone();
/// clock.pixels_mut()[3] = Srgba8::BLACK;
/// let mask = Mask::new().with_rectangle(Rectangle { x: 0, y: 0, width: 8, height: 1 });
/// let found = compare(&white, &clock, &CompareOptions::default().with_mask(mask))?;
/// assert!(found.is_same());
/// assert_eq!(found.compared, 56);
/// # Ok::<(), roundel_golden::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct Mask {
    rectangles: Vec<Rectangle>,
    picture: Option<MaskPicture>,
    transparent: bool,
}

/// A rectangle of pixels. Parts outside of the picture are ignored; a rectangle entirely outside is an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
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

#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
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
    /// use roundel_golden::compare::{CompareOptions, Mask, compare};
    /// use roundel_golden::{Frame, Srgba8};
    ///
    /// let white = Frame::new(8, 8, Srgba8::WHITE)?;
    /// let mut marks = Frame::new(8, 8, Srgba8::BLACK)?;
    /// marks.pixels_mut()[3] = Srgba8::WHITE;
    /// let options = CompareOptions::default().with_mask(Mask::new().with_picture(&marks));
    /// assert_eq!(compare(&white, &white, &options)?.compared, 63);
    /// # Ok::<(), roundel_golden::Error>(())
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

    /// Also leaves out the pixels that are fully transparent in the expected picture: whoever paints over a part of a
    /// golden with an eraser says that it may change.
    ///
    /// ```
    /// use roundel_golden::compare::{CompareOptions, Mask, compare};
    /// use roundel_golden::{Frame, Srgba8};
    ///
    /// let mut golden = Frame::new(8, 8, Srgba8::WHITE)?;
    /// golden.pixels_mut()[3] = Srgba8::TRANSPARENT;
    /// let options = CompareOptions::default().with_mask(Mask::new().with_transparent_parts());
    /// let found = compare(&golden, &Frame::new(8, 8, Srgba8::WHITE)?, &options)?;
    /// assert!(found.is_same() && found.compared == 63);
    /// # Ok::<(), roundel_golden::Error>(())
    /// ```
    #[must_use]
    pub fn with_transparent_parts(self) -> Self {
        Self { transparent: true, ..self }
    }

    /// Whether transparent parts of the expected picture are left out.
    pub(crate) fn has_transparent_parts(&self) -> bool {
        self.transparent
    }

    /// Returns an error if a rectangle is entirely outside of the pictures, or the mask picture has another size: such a
    /// mask was made for other pictures.
    pub(super) fn check(&self, (width, height): (u32, u32)) -> Result<()> {
        let outside = self.rectangles.iter().find(|rectangle| rectangle.x >= width || rectangle.y >= height);
        if let Some(Rectangle { x, y, width: columns, height: rows }) = outside {
            let message =
                format!("must touch the pictures, which have {width}x{height} pixels, got {x},{y},{columns},{rows}");
            return Err(Error::setting("mask", message));
        }
        self.check_picture((width, height))?;
        let all = u64::from(width) * u64::from(height);
        self.check_count(all - self.count((width, height)), (width, height))
    }

    /// Returns an error if the mask leaves no pixel to compare.
    pub(super) fn check_count(&self, compared: u64, (width, height): (u32, u32)) -> Result<()> {
        if self.is_empty() || compared > 0 || width == 0 || height == 0 {
            return Ok(());
        }
        let message = format!("must leave pixels to compare, got one that leaves out all {width}x{height}");
        Err(Error::setting("mask", message))
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

    /// Sets `masked` for each pixel of row `y`, which `expected` holds, and returns whether any is masked.
    pub(super) fn row<T: Sample>(&self, y: u32, expected: &[[T; 4]], masked: &mut [bool]) -> bool {
        if self.is_empty() {
            return false;
        }
        self.fixed_row(y, masked);
        if self.transparent {
            for (masked, pixel) in masked.iter_mut().zip(expected) {
                *masked |= pixel[3].value() == 0;
            }
        }
        masked.contains(&true)
    }

    /// Sets `masked` for each pixel of row `y` that rectangles or the mask picture leave out. `masked` is as long as the
    /// picture is wide.
    fn fixed_row(&self, y: u32, masked: &mut [bool]) {
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
    }

    /// The number of pixels in a picture of this size that rectangles or the mask picture leave out.
    pub(super) fn count(&self, (width, height): (u32, u32)) -> u64 {
        if self.rectangles.is_empty() && self.picture.is_none() {
            return 0;
        }
        let mut row = vec![false; width as usize];
        let mut count = 0;
        for y in 0..height {
            self.fixed_row(y, &mut row);
            count += row.iter().filter(|masked| **masked).count() as u64;
        }
        count
    }

    /// Reports whether the mask leaves nothing out.
    pub(super) fn is_empty(&self) -> bool {
        self.rectangles.is_empty() && self.picture.is_none() && !self.transparent
    }
}
