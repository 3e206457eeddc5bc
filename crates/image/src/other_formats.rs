//! Image files other than PNG, decoded by the `image` crate.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use image::{DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader};

use super::limits::check_size;
use super::png::{undecodable, unreadable};
use crate::budget::Budget;
use crate::error::{Error, Resource, Result};
use crate::picture::Picture;

pub(super) fn decode_other(
    path: &Path,
    file: BufReader<File>,
    budget: &Budget,
    bytes_per_pixel: u64,
) -> Result<Picture<'static>> {
    let failed = |source| match source {
        ImageError::Limits(_) => {
            let subject = format!("{}: the picture as it is decoded", path.display());
            Error::Budget { subject, resource: Resource::Memory, limit: budget.memory }
        }
        source => image_error(path, source),
    };
    let mut reader = reader_of(path, file)?;
    let mut limits = image::Limits::default();
    limits.max_alloc = Some(budget.memory);
    reader.limits(limits);
    let decoder = reader.into_decoder().map_err(failed)?;
    check_size(path, decoder.dimensions(), budget, bytes_per_pixel)?;
    Ok(DynamicImage::from_decoder(decoder).map_err(failed)?.into())
}

pub(super) fn other_size(path: &Path, file: BufReader<File>) -> Result<(u32, u32)> {
    reader_of(path, file)?.into_dimensions().map_err(|source| image_error(path, source))
}

fn reader_of(path: &Path, mut file: BufReader<File>) -> Result<ImageReader<BufReader<File>>> {
    // from the buffered bytes: guessing through the reader seeks, which devices do not allow
    let start = file.fill_buf().map_err(|source| unreadable(path, source))?;
    let format = match (image::guess_format(start), ImageFormat::from_path(path)) {
        (Ok(format), _) => format,
        (Err(_), Ok(format)) if format != ImageFormat::Png => format,
        _ => return Err(undecodable(path, "it is not an image of a supported format")),
    };
    Ok(ImageReader::with_format(file, format))
}

fn image_error(path: &Path, source: ImageError) -> Error {
    match source {
        ImageError::IoError(source) => unreadable(path, source),
        source => undecodable(path, source),
    }
}
