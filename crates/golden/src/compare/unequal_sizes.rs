//! Difference images of pictures whose sizes differ.

use super::comparer::{Comparer, RowPair};
use super::difference::Difference;
use super::options::{CompareOptions, Metric};
use roundel_image::color::Srgba8;
use roundel_image::error::Result;
use roundel_image::frame::Frame;
use roundel_image::picture::Picture;

/// The colour of pixels that only one of the pictures has.
const ONLY_ONE: Srgba8 = Srgba8::rgb(190, 110, 225);

/// The largest area of both pictures together, as a multiple of the larger area: two lines that cross would fill memory.
const LARGEST_AREA: u64 = 4;

/// Draws where two pictures differ that are laid over one another at their top left corners; `None` if their shapes are
/// too unlike.
pub(super) fn difference(
    expected: &Picture<'_>,
    actual: &Picture<'_>,
    options: &CompareOptions,
) -> Result<Option<Frame>> {
    let sizes = [expected.size(), actual.size()];
    let [(width, height), (actual_width, actual_height)] = sizes;
    let size = (width.max(actual_width), height.max(actual_height));
    let area = |(width, height): (u32, u32)| u64::from(width) * u64::from(height);
    if area(size) > LARGEST_AREA * sizes.map(area).into_iter().max().unwrap_or(0) {
        return Ok(None);
    }
    let metric = if let Metric::Flip { .. } = options.metric { Metric::EXACT } else { options.metric };
    let options = CompareOptions::default().with_metric(metric).with_antialiasing(options.antialiasing);
    let (a, b) = (padded(expected, size), padded(actual, size));
    let mut difference = Difference::new(size)?;
    let mut comparer = Comparer::new(size.0, size.1, &options);
    comparer.compare_rows(RowPair { expected: &a, actual: &b, first: 0 }, 0..size.1, |row, marks| {
        difference.push_row(row, marks);
    });
    let mut frame = difference.finish();
    for (row, y) in frame.pixels_mut().chunks_mut(size.0 as usize).zip(0..) {
        for (pixel, x) in row.iter_mut().zip(0..) {
            match sizes.map(|(width, height)| x < width && y < height) {
                [true, true] => {}
                [false, false] => *pixel = Srgba8::TRANSPARENT,
                _ => *pixel = ONLY_ONE,
            }
        }
    }
    Ok(Some(frame))
}

/// The samples of a picture with 16 bits a channel, transparent up to a larger size.
fn padded(picture: &Picture<'_>, (width, height): (u32, u32)) -> Vec<u16> {
    let [own, all] = [picture.size().0, width].map(|width| 4 * width as usize);
    let mut samples = vec![0; all * height as usize];
    for (row, own_row) in samples.chunks_mut(all).zip(picture.to_sixteen().chunks(own)) {
        row[..own].copy_from_slice(own_row);
    }
    samples
}
