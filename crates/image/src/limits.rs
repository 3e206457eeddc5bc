//! Limits on pictures that are read, checked against their headers before pixels are decoded.

use std::path::Path;

use crate::budget::Budget;
use crate::error::{Error, Resource, Result};
use crate::frame::Frame;

/// Returns an error for a picture over the budget when each pixel takes `bytes_per_pixel`, or larger than any frame.
pub fn check_size(path: &Path, size: (u32, u32), budget: &Budget, bytes_per_pixel: u64) -> Result<()> {
    let place = format!("{}: ", path.display());
    let pixels = u64::from(size.0) * u64::from(size.1);
    if pixels > Frame::MAX_PIXELS {
        let most = Frame::MAX_PIXELS;
        let message = format!("{place}must have at most {most} pixels, got {}x{}", size.0, size.1);
        return Err(Error::setting("a picture", message));
    }
    budget.check_picture(&place, size)?;
    budget.check(Resource::Memory, pixels * bytes_per_pixel, || {
        let takes = Resource::Memory.amount(pixels * bytes_per_pixel);
        format!("{place}the picture is {}x{}, which takes {takes}", size.0, size.1)
    })
}
