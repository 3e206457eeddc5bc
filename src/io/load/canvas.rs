//! From the coordinates of data to the pixels of a canvas.

/// From data coordinates to pixels, with the same scale on both axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct CanvasTransform {
    /// The point in the middle of the picture.
    pub(crate) center: [f64; 2],
    /// Pixels a unit.
    pub(crate) scale: f64,
    /// −1 where y grows upwards.
    pub(crate) y_sign: f64,
    /// The middle of the picture, pixels.
    pub(crate) middle: [f64; 2],
}

impl CanvasTransform {
    /// Pixels from the top-left corner.
    pub(crate) fn place(&self, point: [f64; 2]) -> [f32; 2] {
        let x = self.middle[0] + (point[0] - self.center[0]) * self.scale;
        let y = self.middle[1] + (point[1] - self.center[1]) * self.scale * self.y_sign;
        [single(x), single(y)]
    }

    /// A length in pixels.
    pub(crate) fn length(&self, length: f64) -> f32 {
        single(length * self.scale)
    }
}

/// The nearest `f32`; beyond its range, its greatest number, far outside of any picture.
#[expect(clippy::cast_possible_truncation, reason = "rounded on purpose")]
fn single(value: f64) -> f32 {
    (value as f32).clamp(f32::MIN, f32::MAX)
}
