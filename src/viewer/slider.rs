//! The slider at the bottom of the picture, which chooses a frame of a file.

use glam::DVec2;

/// Height in pixels of the strip where a press takes hold of the slider.
pub(super) const SLIDER_HEIGHT: u32 = 20;

/// Pixels to the left and to the right of the slider.
const MARGIN: u32 = 10;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Slider {
    /// The number of frames; 0 until they have been counted.
    pub(super) frames: u64,
    pub(super) frame: u64,
    /// Whether the mouse holds it.
    pub(super) is_held: bool,
}

impl Slider {
    /// Whether there are frames to choose from, and room for the slider in a picture of this size.
    pub(super) fn is_shown(&self, (width, height): (u32, u32)) -> bool {
        self.frames > 1 && width > 8 * MARGIN && height > 4 * SLIDER_HEIGHT
    }

    /// Whether a place in the picture is on the slider.
    pub(super) fn is_under(&self, cursor: DVec2, size: (u32, u32)) -> bool {
        let y = f64::from(size.1) - cursor.y;
        self.is_shown(size) && (0.0..f64::from(SLIDER_HEIGHT)).contains(&y)
    }

    /// The frame nearest to a column of the picture.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to the frames")]
    pub(super) fn frame_at(&self, x: f64, (width, _): (u32, u32)) -> u64 {
        let last = self.frames.saturating_sub(1);
        let share = (x - f64::from(MARGIN)) / f64::from(width.saturating_sub(2 * MARGIN).max(1));
        (share.clamp(0.0, 1.0) * last as f64 + 0.5) as u64
    }

    /// The first and the last column of the slider, and the column of the current frame.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "columns of a picture")]
    pub(super) fn columns(&self, (width, _): (u32, u32)) -> [u32; 3] {
        let (first, last) = (MARGIN, width.saturating_sub(MARGIN));
        let share = self.frame as f64 / self.frames.saturating_sub(1).max(1) as f64;
        let place = f64::from(first) + share.min(1.0) * f64::from(last - first);
        [first, last, place as u32]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_stand_where_they_are_taken_hold_of() {
        let size = (640, 480);
        for frames in [2, 5, 100] {
            for frame in 0..frames {
                let slider = Slider { frames, frame, is_held: false };
                let [first, last, place] = slider.columns(size);
                assert!(first <= place && place <= last);
                assert_eq!(slider.frame_at(f64::from(place), size), frame, "{frames}");
            }
            let slider = Slider { frames, ..Slider::default() };
            assert_eq!((slider.frame_at(-50.0, size), slider.frame_at(1e9, size)), (0, frames - 1));
            assert!(slider.is_under(DVec2::new(5.0, 470.0), size) && !slider.is_under(DVec2::new(5.0, 400.0), size));
        }
        assert!(!Slider::default().is_under(DVec2::new(5.0, 470.0), size));
    }
}
