//! Pictures in order, each shown for a time: films, such as animated PNGs.
//!
//! Frames are compared one by one as they are decoded, so that two of each film are in memory at most.

use std::sync::mpsc::sync_channel;
use std::thread;
use std::time::Duration;

use roundel_image::sequence::FrameSource;

use super::comparison::{Comparison, Verdict};
use super::options::CompareOptions;
use super::{Picture, Sequence};
use roundel_image::error::{Error, Result};

/// The largest difference of two delays that are the same: files hold fractions of a second.
const SAME_DELAY: Duration = Duration::from_micros(10);

/// How the frames of two films compare.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[non_exhaustive]
pub struct SequenceComparison {
    /// The number of frames of the expected and of the actual film.
    pub frames: [u64; 2],
    /// The number of frames whose pixels differ, of the frames that both films have.
    pub differing: u64,
    /// The first of these frames, counted from 0.
    pub first: Option<u64>,
    /// The first frame that is not shown for the same time; `None` if one of the films is a single picture.
    pub delay: Option<DelayDifference>,
    /// How often each film is played; 0 for ever, or if one of them is a single picture.
    pub plays: [u32; 2],
}

/// A frame that the expected and the actual film show for different times.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct DelayDifference {
    /// The frame, counted from 0.
    pub frame: u64,
    /// The two times.
    pub delays: [Duration; 2],
}

impl SequenceComparison {
    fn is_same(&self) -> bool {
        let [expected, actual] = self.frames;
        expected == actual && self.differing == 0 && self.delay.is_none() && self.plays[0] == self.plays[1]
    }

    /// The differences in words. `picture` describes the first frame that differs.
    pub(super) fn summary(&self, picture: &str) -> String {
        let [expected, actual] = self.frames;
        let mut parts = Vec::new();
        if expected != actual {
            let frames = if actual == 1 { "frame" } else { "frames" };
            parts.push(format!("{actual} {frames} instead of {expected}"));
        }
        if let Some(first) = self.first {
            let Self { differing, .. } = self;
            let both = expected.min(actual);
            parts.push(format!("{differing} of {both} frames differ, the first is frame {first}: {picture}"));
        }
        if let Some(DelayDifference { frame, delays }) = self.delay {
            let [expected, actual] = delays.map(|delay| delay.as_micros() as f64 / 1000.0);
            parts.push(format!("frame {frame} is shown for {actual} ms instead of {expected}"));
        }
        if self.plays[0] != self.plays[1] {
            let [expected, actual] = self.plays.map(|plays| match plays {
                0 => "for ever".to_owned(),
                1 => "once".to_owned(),
                plays => format!("{plays} times"),
            });
            parts.push(format!("played {actual} instead of {expected}"));
        }
        parts.join("; ")
    }
}

/// Two pictures that differ, and which frames they are.
#[derive(Debug)]
#[non_exhaustive]
pub struct DifferingPictures<'p> {
    /// The frame, counted from 0.
    pub frame: u64,
    /// The expected picture.
    pub expected: &'p Picture<'p>,
    /// The actual picture.
    pub actual: &'p Picture<'p>,
    /// How they compare.
    pub comparison: &'p Comparison,
}

/// Compares two sequences: the number of frames, how often they are played, and each frame with its delay.
///
/// [`Limits`](super::Limits) apply to every frame. The numbers of the result are about the first frame that differs, or
/// else about the frame with the most differing pixels.
///
/// ```
/// use std::time::Duration;
/// use roundel_golden::compare::{CompareOptions, Sequence, compare_sequences};
/// use roundel_golden::{Frame, Srgba8};
///
/// let [white, black] = [Srgba8::WHITE, Srgba8::BLACK].map(|color| Frame::new(8, 8, color).expect("a size"));
/// let delay = Duration::from_millis(40);
/// let expected = Sequence::new().with_frame(&white, delay).with_frame(&white, delay);
/// let actual = Sequence::new().with_frame(&white, delay).with_frame(&black, delay);
/// let found = compare_sequences(&expected, &actual, &CompareOptions::default())?;
/// assert_eq!(
///     found.summary(),
///     "1 of 2 frames differ, the first is frame 1: 64 of 64 pixels differ, by up to 255, first at 0,0"
/// );
/// # Ok::<(), roundel_golden::Error>(())
/// ```
///
/// # Errors
/// As [`compare`](super::compare), and if a sequence has no frames.
pub fn compare_sequences(
    expected: &Sequence<'_>,
    actual: &Sequence<'_>,
    options: &CompareOptions,
) -> Result<Comparison> {
    compare_sources(|| Ok(expected.source()), || Ok(actual.source()), options, &mut |_| Ok(()))
}

/// Frames of the actual film that may wait for the comparison.
const AHEAD: usize = 1;

/// Compares frame by frame, and passes pairs that differ to `each`. A thread opens and decodes the actual film, this one
/// the expected film.
pub(crate) fn compare_sources<'e, 'a>(
    expected: impl FnOnce() -> Result<FrameSource<'e>>,
    actual: impl FnOnce() -> Result<FrameSource<'a>> + Send,
    options: &CompareOptions,
    each: &mut dyn FnMut(DifferingPictures<'_>) -> Result<()>,
) -> Result<Comparison> {
    let (opened, open) = sync_channel(1);
    let (send, receive) = sync_channel(AHEAD);
    thread::scope(|scope| {
        scope.spawn(move || match actual() {
            Err(error) => drop(opened.send(Err(error))),
            Ok(source) => {
                let sent = opened.send(Ok((source.plays, source.left_out)));
                // until the comparison ends early
                let _ = sent.is_ok() && source.frames.into_iter().all(|frame| send.send(frame).is_ok());
            }
        });
        let expected = expected()?;
        let (plays, left_out) = open.recv().expect("one message")?;
        compare_frames(expected, FrameSource { frames: Box::new(receive.into_iter()), plays, left_out }, options, each)
    })
}

fn compare_frames(
    mut expected: FrameSource<'_>,
    mut actual: FrameSource<'_>,
    options: &CompareOptions,
    each: &mut dyn FnMut(DifferingPictures<'_>) -> Result<()>,
) -> Result<Comparison> {
    let plays = [expected.plays, actual.plays];
    let mut found = SequenceComparison { frames: [0; 2], differing: 0, first: None, delay: None, plays };
    let mut shown: Option<Comparison> = None;
    loop {
        let frame = found.frames[0];
        let (a, b) = (expected.frames.next().transpose()?, actual.frames.next().transpose()?);
        found.frames[0] += u64::from(a.is_some());
        found.frames[1] += u64::from(b.is_some());
        let (a, b) = match (a, b) {
            (Some(a), Some(b)) => (a, b),
            (None, None) => break,
            // the frames of the longer one are counted to its end
            _ => continue,
        };
        let (comparison, _) = super::compare_pictures(&a.picture, &b.picture, options, None)?;
        if a.delay.abs_diff(b.delay) > SAME_DELAY && found.delay.is_none() {
            found.delay = Some(DelayDifference { frame, delays: [a.delay, b.delay] });
        }
        if !comparison.is_same() {
            let (expected, actual) = (&a.picture, &b.picture);
            each(DifferingPictures { frame, expected, actual, comparison: &comparison })?;
            found.differing += 1;
        }
        let is_shown = match &shown {
            None => true,
            Some(_) if found.first.is_some() => false,
            Some(before) => !comparison.is_same() || comparison.differing > before.differing,
        };
        if is_shown {
            found.first = (!comparison.is_same()).then_some(frame);
            shown = Some(comparison);
        }
    }
    if found.frames.contains(&1) {
        // a picture alone is shown for no time and never again
        (found.delay, found.plays) = (None, [0; 2]);
    }
    let mut shown = shown.ok_or_else(|| Error::setting("a sequence", "must have frames"))?;
    shown.left_out = left_out([expected.left_out, actual.left_out]);
    if found.frames != [1, 1] {
        if shown.is_same() && !found.is_same() {
            shown.verdict = Verdict::Different;
        }
        shown.sequence = Some(found);
    }
    Ok(shown)
}

fn left_out(sides: [Option<String>; 2]) -> Option<String> {
    let sides: Vec<String> = sides.into_iter().flatten().collect();
    (!sides.is_empty()).then(|| sides.join(", "))
}
