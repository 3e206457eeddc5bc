//! How much a caller lets a picture take: checked by multiplication before anything is allocated.

use crate::error::{Error, Resource, Result};

/// The most that a scene, its picture and the work between them may take.
///
/// Each number is checked before memory is asked for: the picture's size against `pixels`, the scene's shapes (copies
/// counted) against `shapes`, and the bytes that these come to, by the table in the crate's documentation, against
/// `memory`. What is over it is [`Error::Budget`], and nothing has been drawn or written.
///
/// ```
/// use roundel::{Budget, Error, Settings, render};
/// # use roundel::{Blend, Canvas, CircleScene, Scene, Srgba8};
/// # let canvas = Canvas { width: 200, height: 100, background: Srgba8::WHITE, blend: Blend::Srgb };
/// # let scene = Scene::Circles(CircleScene { canvas, layers: Vec::new() });
///
/// let small = Settings { budget: Budget { pixels: 10_000, ..Budget::default() }, ..Settings::default() };
/// let error = render(&scene, &small).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "the picture is 200x100, 20000 pixels, over the limit of 10000 pixels; --limit-pixels raises it"
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Pixels of a picture, drawn or read. Whatever this says, a frame has at most [`crate::MAX_PIXELS`].
    pub pixels: u64,
    /// Circles, ellipses and spheres of a scene, copies counted.
    pub shapes: u64,
    /// Bytes. What is compared with it is an estimate from above of all that is held at once for shapes and pixels; a few
    /// MiB for the program and its threads come on top.
    pub memory: u64,
}

impl Default for Budget {
    /// 2²⁸ pixels (16,384 by 16,384), 2²⁸ shapes, 16 GiB: a hundred million circles or spheres and the largest virus
    /// pass, a slip of the finger does not.
    fn default() -> Self {
        Self { pixels: 1 << 28, shapes: 1 << 28, memory: 16 << 30 }
    }
}

impl Budget {
    /// No limit but those of the machine and of the types.
    pub const UNLIMITED: Self = Self { pixels: u64::MAX, shapes: u64::MAX, memory: u64::MAX };

    /// The limit of one resource.
    #[must_use]
    pub fn limit(&self, resource: Resource) -> u64 {
        match resource {
            Resource::Pixels => self.pixels,
            Resource::Shapes => self.shapes,
            Resource::Memory => self.memory,
        }
    }

    /// Refuses an amount over the limit; `subject` says what was asked for.
    pub(crate) fn check(&self, resource: Resource, amount: u64, subject: impl FnOnce() -> String) -> Result<()> {
        let limit = self.limit(resource);
        if amount <= limit { Ok(()) } else { Err(Error::Budget { subject: subject(), resource, limit }) }
    }

    /// Refuses a picture of too many pixels. `place` is the file it stands in, with a colon and a blank, or nothing.
    pub(crate) fn check_picture(&self, place: &str, (width, height): (u32, u32)) -> Result<()> {
        let pixels = u64::from(width) * u64::from(height);
        self.check(Resource::Pixels, pixels, || format!("{place}the picture is {width}x{height}, {pixels} pixels"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn largest_picture_does_not_overflow() {
        let error = Budget::default().check_picture("", (u32::MAX, u32::MAX)).expect_err("too large");
        assert!(error.to_string().contains("18446744065119617025 pixels"), "{error}");
        Budget::UNLIMITED.check_picture("", (u32::MAX, u32::MAX)).expect("without a limit");
    }
}
