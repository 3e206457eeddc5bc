//! Difference images.

use roundel_image::color::Srgba8;
use roundel_image::error::Result;
use roundel_image::frame::Frame;
use roundel_image::sample::Sample;

const DIFFERS: Srgba8 = Srgba8::rgb(255, 0, 0);
/// The colour of pixels that are only the anti-aliasing of an edge.
const ANTIALIASED: Srgba8 = Srgba8::rgb(255, 200, 0);
/// The colour of pixels that were not compared.
const MASKED: Srgba8 = Srgba8::rgb(120, 160, 255);

/// How a pixel compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Mark {
    /// Equal, or different within the metric's tolerance.
    Same,
    /// Different, but only the anti-aliasing of an edge.
    Antialiased,
    Differs,
    Masked,
}

/// A difference image, drawn row by row: the expected picture in faint grey, marked pixels in colour.
#[derive(Debug)]
pub(crate) struct Difference {
    frame: Frame,
    /// Number of pixels drawn so far.
    drawn: usize,
}

impl Difference {
    pub(crate) fn new((width, height): (u32, u32)) -> Result<Self> {
        Ok(Self { frame: Frame::new(width, height, Srgba8::WHITE)?, drawn: 0 })
    }

    pub(crate) fn push_row<T: Sample>(&mut self, expected: &[[T; 4]], marks: &[Mark]) {
        let row = &mut self.frame.pixels_mut()[self.drawn..][..marks.len()];
        for ((pixel, mark), expected) in row.iter_mut().zip(marks).zip(expected) {
            *pixel = match mark {
                Mark::Differs => DIFFERS,
                Mark::Antialiased => ANTIALIASED,
                Mark::Masked => MASKED,
                Mark::Same => faint(expected.map(Sample::eight)),
            };
        }
        self.drawn += marks.len();
    }

    pub(crate) fn finish(self) -> Frame {
        self.frame
    }
}

/// A pixel's luma on white, at a quarter of its contrast.
fn faint([r, g, b, a]: [u8; 4]) -> Srgba8 {
    // BT.601, in 1/256
    let luma = (77 * u32::from(r) + 150 * u32::from(g) + 29 * u32::from(b)) / 256;
    let shade = (255 - luma) * u32::from(a) / 255 / 4;
    let gray = u8::try_from(255 - shade).unwrap_or(0);
    Srgba8::rgb(gray, gray, gray)
}

/// FLIP's errors in magma colours; zero is nearly black.
pub(super) fn error_map((width, height): (u32, u32), errors: &[f32]) -> Result<Frame> {
    let mut frame = Frame::new(width, height, Srgba8::BLACK)?;
    for (pixel, &error) in frame.pixels_mut().iter_mut().zip(errors) {
        *pixel = magma(error);
    }
    Ok(frame)
}

/// Every 15th of the 256 magma colours (S. van der Walt and N. Smith, 2015). Linear interpolation is within 3 of the
/// rest.
const MAGMA: [[u8; 3]; 18] = [
    [0, 0, 4],
    [9, 7, 32],
    [26, 16, 66],
    [49, 17, 101],
    [74, 16, 121],
    [98, 25, 128],
    [121, 34, 130],
    [145, 43, 129],
    [170, 51, 125],
    [194, 59, 117],
    [217, 70, 107],
    [236, 88, 96],
    [247, 114, 92],
    [252, 142, 100],
    [254, 170, 116],
    [254, 198, 138],
    [253, 226, 163],
    [252, 253, 191],
];

/// The magma colour of an error, 0 to 1.
#[expect(clippy::cast_possible_truncation, reason = "0 to 255")]
fn magma(error: f32) -> Srgba8 {
    let value = (error.clamp(0.0, 1.0) * 255.0 + 0.5) as usize;
    let (stop, part) = (value / 15, value % 15);
    let next = (stop + 1).min(MAGMA.len() - 1);
    let [r, g, b] = std::array::from_fn(|channel| {
        let [from, to] = [MAGMA[stop][channel], MAGMA[next][channel]].map(usize::from);
        ((from * (15 - part) + to * part + 7) / 15) as u8
    });
    Srgba8::rgb(r, g, b)
}
