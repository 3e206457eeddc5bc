//! Limits on pixels, shapes and memory, checked by multiplication before anything is allocated.

use crate::error::{Error, Resource, Result};

/// Limits on a scene, its picture and the memory for both.
///
/// Each limit is checked before memory is allocated: the size of the picture against `pixels`, the number of shapes
/// (copies counted) against `shapes`, and the bytes for both, by the table in [`memory`](https://docs.rs/roundel/latest/roundel/memory/), against
/// `memory`. A scene over a limit is an [`Error::Budget`], and nothing is drawn or written.
///
/// ```
/// # use roundel_image as roundel;
/// use roundel::{Budget, Resource};
///
/// let small = Budget { pixels: 10_000, ..Budget::default() };
/// assert_eq!(small.limit(Resource::Pixels), 10_000);
/// assert_eq!(small.memory, 16 << 30);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct Budget {
    /// The number of pixels of a picture, drawn or read. A frame never has more than
    /// [`Frame::MAX_PIXELS`](crate::Frame::MAX_PIXELS).
    pub pixels: u64,
    /// The number of circles, ellipses and spheres of a scene, copies counted.
    pub shapes: u64,
    /// The number of bytes, compared with an upper estimate of everything held at once for shapes and pixels. The
    /// program and its threads take a few MiB more.
    pub memory: u64,
}

impl Default for Budget {
    /// 2²⁸ pixels (16,384 by 16,384), 2²⁸ shapes and 16 GiB: enough for a hundred million shapes, and small enough to
    /// stop a mistyped size.
    fn default() -> Self {
        Self { pixels: 1 << 28, shapes: 1 << 28, memory: 16 << 30 }
    }
}

impl Budget {
    /// No limits but the memory of the machine and the range of the types.
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

    /// Returns an error if the amount exceeds the limit; `subject` describes the request.
    #[doc(hidden)]
    pub fn check(&self, resource: Resource, amount: u64, subject: impl FnOnce() -> String) -> Result<()> {
        let limit = self.limit(resource);
        if amount <= limit { Ok(()) } else { Err(Error::Budget { subject: subject(), resource, limit }) }
    }

    /// Returns an error for a picture with too many pixels. `place` is empty, or the file's name with a colon and a
    /// space.
    #[doc(hidden)]
    pub fn check_picture(&self, place: &str, (width, height): (u32, u32)) -> Result<()> {
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
        Budget::UNLIMITED.check_picture("", (u32::MAX, u32::MAX)).expect("unlimited");
    }
}
