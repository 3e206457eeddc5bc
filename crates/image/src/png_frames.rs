//! The pictures of a PNG: one, or the frames of an animation, each as it is shown.

use std::io::{BufRead, Seek};
use std::path::{Path, PathBuf};
use std::time::Duration;

use png::{BitDepth, BlendOp, ColorType, DecodingError, DisposeOp, FrameControl};

use super::limits::check_size;
use super::png::{check_palette, gray_to_rgba, png_decoder, png_error, undecodable};
use crate::budget::Budget;
use crate::error::Result;
use crate::picture::{Picture, Samples};
use crate::sample::Sample;
use crate::sequence::TimedPicture;

/// An upper bound on how far deflate, whose ratio is at most 1032, compresses.
const BEST_COMPRESSION: u64 = 1 << 11;

/// Bytes that a pixel of an animation takes in addition, for the canvas and its copy.
const CANVAS_BYTES: u64 = 16;

/// A PNG that is decoded frame by frame.
pub(super) struct PngFrames<R: BufRead + Seek> {
    path: PathBuf,
    budget: Budget,
    reader: png::Reader<R>,
    size: (u32, u32),
    /// The frame as it is decoded.
    bytes: Vec<u8>,
    left: u32,
    /// State of an animation; `None` for a still picture.
    canvas: Option<Canvas>,
}

impl<R: BufRead + Seek> PngFrames<R> {
    /// Reads up to the first pixels, and checks the size; `length` is the number of bytes, if known.
    pub(super) fn open(
        path: &Path,
        source: R,
        length: Option<u64>,
        budget: &Budget,
        bytes_per_pixel: u64,
    ) -> Result<Self> {
        let failed = |source| png_error(path, source, budget);
        let mut decoder = png_decoder(source, budget);
        let header = decoder.read_header_info().map_err(failed)?;
        let size = (header.width, header.height);
        check_size(path, size, budget, bytes_per_pixel)?;
        let reader = decoder.read_info().map_err(failed)?;
        check_palette(path, reader.info())?;
        let control = reader.info().animation_control;
        if control.is_some() {
            check_size(path, size, budget, bytes_per_pixel + CANVAS_BYTES)?;
        }
        let bytes = reader.output_buffer_size().ok_or_else(|| failed(DecodingError::LimitsExceeded))?;
        if length.is_some_and(|length| bytes as u64 / BEST_COMPRESSION > length) {
            return Err(undecodable(path, "its header promises more pixels than its bytes can hold"));
        }
        // a picture for programs that show no animations may stand before the frames
        let is_apart = control.is_some() && reader.info().frame_control.is_none();
        Ok(Self {
            path: path.to_owned(),
            budget: *budget,
            size,
            bytes: vec![0; bytes],
            left: control.map_or(1, |control| control.num_frames.saturating_add(u32::from(is_apart))),
            canvas: control.map(|_| Canvas::new(reader.output_color_type().1, size)),
            reader,
        })
    }

    /// How often it is played; 0 for ever, or for a still picture.
    pub(super) fn plays(&self) -> u32 {
        self.reader.info().animation_control.map_or(0, |control| control.num_plays)
    }

    /// Decodes the next frame.
    fn read(&mut self) -> Result<TimedPicture<'static>> {
        let decoded = self.reader.next_frame(&mut self.bytes);
        let decoded = decoded.map_err(|source| png_error(&self.path, source, &self.budget))?;
        let bytes = &self.bytes[..decoded.buffer_size()];
        let gray = decoded.color_type == ColorType::GrayscaleAlpha;
        let samples = if decoded.bit_depth == BitDepth::Sixteen {
            let samples: Vec<u16> = bytes.as_chunks::<2>().0.iter().map(|&sample| u16::from_be_bytes(sample)).collect();
            Samples::Sixteen(if gray { gray_to_rgba(&samples) } else { samples }.into())
        } else {
            Samples::Eight(if gray { gray_to_rgba(bytes) } else { bytes.to_vec() }.into())
        };
        let (shown, delay) = match (&mut self.canvas, self.reader.info().frame_control) {
            (Some(canvas), Some(control)) => {
                (canvas.show(samples, &control), seconds(control.delay_num, control.delay_den))
            }
            _ => (samples, Duration::ZERO),
        };
        let (width, height) = self.size;
        let picture = match shown {
            Samples::Eight(samples) => Picture::from_rgba8(width, height, samples)?,
            Samples::Sixteen(samples) => Picture::from_rgba16(width, height, samples)?,
        };
        Ok(TimedPicture { picture, delay })
    }
}

impl<R: BufRead + Seek> Iterator for PngFrames<R> {
    type Item = Result<TimedPicture<'static>>;

    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        let frame = self.read();
        if frame.is_err() {
            self.left = 0;
        }
        Some(frame)
    }
}

/// The canvas of an animation before its next frame, of 8 or 16 bits a channel.
enum Canvas {
    Eight(Layer<u8>),
    Sixteen(Layer<u16>),
}

impl Canvas {
    /// Transparent.
    fn new(depth: BitDepth, (width, height): (u32, u32)) -> Self {
        let (width, height) = (width as usize, height as usize);
        match depth {
            BitDepth::Sixteen => Self::Sixteen(Layer { pixels: vec![[0; 4]; width * height], width }),
            _ => Self::Eight(Layer { pixels: vec![[0; 4]; width * height], width }),
        }
    }

    /// Draws a frame, and returns what is shown then.
    fn show(&mut self, frame: Samples<'_>, control: &FrameControl) -> Samples<'static> {
        match (self, frame) {
            (Self::Eight(layer), Samples::Eight(frame)) => Samples::Eight(layer.show(&frame, control).into()),
            (Self::Sixteen(layer), Samples::Sixteen(frame)) => Samples::Sixteen(layer.show(&frame, control).into()),
            _ => unreachable!("all frames have the depth of the header"),
        }
    }
}

struct Layer<T> {
    pixels: Vec<[T; 4]>,
    width: usize,
}

impl<T: Sample + Default> Layer<T> {
    fn show(&mut self, frame: &[T], control: &FrameControl) -> Vec<T> {
        let before = (control.dispose_op == DisposeOp::Previous).then(|| self.pixels.clone());
        let (frame, _) = frame.as_chunks::<4>();
        self.each_row(control, |row, number| {
            let width = row.len();
            for (under, over) in row.iter_mut().zip(&frame[number * width..]) {
                *under = match control.blend_op {
                    BlendOp::Source => *over,
                    BlendOp::Over => over_pixel(*over, *under),
                };
            }
        });
        let shown = self.pixels.as_flattened().to_vec();
        match (control.dispose_op, before) {
            (DisposeOp::Previous, Some(before)) => self.pixels = before,
            (DisposeOp::Background, _) => self.each_row(control, |row, _| row.fill([T::default(); 4])),
            _ => {}
        }
        shown
    }

    /// Calls `with` with each row that a frame covers, and its number in the frame.
    fn each_row(&mut self, control: &FrameControl, mut with: impl FnMut(&mut [[T; 4]], usize)) {
        let (left, top) = (control.x_offset as usize, control.y_offset as usize);
        let (width, height) = (control.width as usize, control.height as usize);
        let rows = self.pixels.chunks_mut(self.width).skip(top).take(height);
        rows.enumerate().for_each(|(number, row)| with(&mut row[left..left + width], number));
    }
}

/// A straight-alpha pixel over another one.
///
/// Source: Portable Network Graphics (PNG) Specification, third edition, 13.16.
fn over_pixel<T: Sample>(over: [T; 4], under: [T; 4]) -> [T; 4] {
    let most = 255 * u64::from(T::PER_STEP);
    let [above, below] = [over, under].map(|pixel| u64::from(pixel[3].value()));
    if above == 0 {
        return under;
    }
    if above == most || below == 0 {
        return over;
    }
    // the shares of both, in 1/most²
    let (share, rest) = (above * most, (most - above) * below);
    let all = share + rest;
    let mixed = |channel: usize| {
        let [over, under] = [over, under].map(|pixel| u64::from(pixel[channel].value()));
        (over * share + under * rest + all / 2) / all
    };
    let alpha = (all + most / 2) / most;
    [mixed(0), mixed(1), mixed(2), alpha].map(|value| T::of(u16::try_from(value).unwrap_or(u16::MAX)))
}

/// A fraction of seconds; a denominator of 0 is 100.
fn seconds(numerator: u16, denominator: u16) -> Duration {
    let denominator = if denominator == 0 { 100 } else { denominator };
    Duration::from_secs(u64::from(numerator)) / u32::from(denominator)
}
