//! Pictures in order, each shown for a time: films, such as animated PNGs.

use std::time::Duration;

use crate::error::Result;
use crate::picture::Picture;

/// A picture of a sequence.
#[derive(Clone, Debug)]
pub struct TimedPicture<'a> {
    /// The picture.
    pub picture: Picture<'a>,
    /// The time for which it is shown.
    pub delay: Duration,
}

/// Pictures in order, each shown for a time. A picture alone is a sequence of one.
///
/// ```
/// # use roundel_image as roundel;
/// use std::time::Duration;
/// use roundel::{Frame, Sequence, Srgba8};
///
/// let [white, black] = [Srgba8::WHITE, Srgba8::BLACK].map(|color| Frame::new(8, 8, color).expect("a size"));
/// let delay = Duration::from_millis(40);
/// let blinking = Sequence::new().with_frame(&white, delay).with_frame(&black, delay);
/// assert!(blinking.encode_png()?.starts_with(b"\x89PNG"), "an animated PNG");
/// # Ok::<(), roundel::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Sequence<'a> {
    frames: Vec<TimedPicture<'a>>,
    plays: u32,
}

impl<'a> Sequence<'a> {
    /// Starts without frames.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The same sequence with one more frame.
    #[must_use]
    pub fn with_frame(mut self, picture: impl Into<Picture<'a>>, delay: Duration) -> Self {
        self.frames.push(TimedPicture { picture: picture.into(), delay });
        self
    }

    /// The same sequence, played this many times. The default is 0: for ever.
    #[must_use]
    pub fn with_plays(self, plays: u32) -> Self {
        Self { plays, ..self }
    }

    /// The frames in order.
    #[must_use]
    pub fn frames(&self) -> &[TimedPicture<'a>] {
        &self.frames
    }

    /// How often it is played; 0 for ever.
    #[must_use]
    pub fn plays(&self) -> u32 {
        self.plays
    }

    /// The frames as they are read from files.
    #[doc(hidden)]
    #[must_use]
    pub fn source(&self) -> FrameSource<'_> {
        FrameSource { frames: Box::new(self.frames.iter().cloned().map(Ok)), plays: self.plays, left_out: None }
    }
}

impl<'a, P: Into<Picture<'a>>> From<P> for Sequence<'a> {
    /// The picture alone.
    fn from(picture: P) -> Self {
        Self::new().with_frame(picture, Duration::ZERO)
    }
}

impl<'a> From<&Sequence<'a>> for Sequence<'a> {
    fn from(sequence: &Sequence<'a>) -> Self {
        sequence.clone()
    }
}

/// The frames of a sequence in memory or in a file.
#[doc(hidden)]
pub struct FrameSource<'a> {
    pub frames: Box<dyn Iterator<Item = Result<TimedPicture<'a>>> + 'a>,
    /// How often they are played; 0 for ever.
    pub plays: u32,
    /// Pictures of the file that are not among the frames, in words.
    pub left_out: Option<String>,
}
