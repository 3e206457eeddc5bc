//! The rows of a PNG, decoded in order, a few at a time, so that no picture is in memory whole.
//!
//! PNGs of 8-bit RGB and RGBA are decoded here: most of the time of a decoder is spent on undoing the Paeth filter, whose
//! pixels wait for one another, and four rows of it at once take a third of the time of one after the other. The `png` crate decodes the rows of others.

mod plain;
mod unfilter;

use std::fs::File;
use std::io::{self, BufReader};
use std::path::Path;

use png::{BitDepth, ColorType};

use crate::budget::Budget;
use crate::error::Result;
use crate::limits::check_size;
use crate::pictures::{is_png, open};
use crate::png::{check_palette, png_decoder, png_error, unreadable};
use plain::PlainRows;

/// Wider pictures are decoded whole: a header alone must not make us allocate many rows of them.
const WIDEST: u32 = 1 << 16;

/// Bytes of a pixel: 8-bit RGBA.
const PIXEL: usize = 4;

/// A PNG whose rows are read in order as 8-bit RGBA.
pub struct PngRows<'p> {
    path: &'p Path,
    budget: &'p Budget,
    decoder: RowDecoder,
    size: (u32, u32),
    rows_left: u32,
}

enum RowDecoder {
    Plain(Box<PlainRows>),
    Any(Box<png::Reader<BufReader<File>>>),
}

impl<'p> PngRows<'p> {
    /// Opens a PNG by its header. Returns `None` for files that are decoded whole: other formats, grey, 16 bits,
    /// interlaced, animated and very wide PNGs.
    ///
    /// # Errors
    /// If the file cannot be read, or is over the budget.
    pub fn open(path: &'p Path, budget: &'p Budget) -> Result<Option<Self>> {
        let mut file = open(path)?;
        if !is_png(path, &mut file)? {
            return Ok(None);
        }
        let failed = |source| png_error(path, source, budget);
        let mut decoder = png_decoder(file, budget);
        let header = decoder.read_header_info().map_err(failed)?;
        let size = (header.width, header.height);
        // only a few rows are in memory, and a difference image
        check_size(path, size, budget, PIXEL as u64)?;
        if size.0 > WIDEST {
            return Ok(None);
        }
        if let Some(plain) = PlainRows::open(open(path)?).map_err(|source| unreadable(path, source))? {
            return Ok(Some(Self {
                path,
                budget,
                decoder: RowDecoder::Plain(Box::new(plain)),
                size,
                rows_left: size.1,
            }));
        }
        let reader = decoder.read_info().map_err(failed)?;
        let info = reader.info();
        check_palette(path, info)?;
        let colored = matches!(info.color_type, ColorType::Rgb | ColorType::Rgba | ColorType::Indexed);
        let plain = info.bit_depth != BitDepth::Sixteen && !info.interlaced && info.animation_control.is_none();
        let any = |reader| Self { path, budget, decoder: RowDecoder::Any(Box::new(reader)), size, rows_left: size.1 };
        Ok((colored && plain).then(|| any(reader)))
    }

    /// Width and height.
    #[must_use]
    pub fn size(&self) -> (u32, u32) {
        self.size
    }

    /// The number of rows that have not been read.
    #[must_use]
    pub fn rows_left(&self) -> u32 {
        self.rows_left
    }

    /// Reads the next rows: as many as `rows` holds, or as are left.
    ///
    /// # Errors
    /// If the file is cut off or corrupt.
    pub fn read(&mut self, rows: &mut [u8]) -> Result<()> {
        let length = self.size.0 as usize * PIXEL;
        let count = (self.rows_left as usize).min(rows.len() / length);
        let rows = &mut rows[..count * length];
        match &mut self.decoder {
            RowDecoder::Plain(plain) => plain.read(rows).map_err(|error| error.of(self.path))?,
            RowDecoder::Any(reader) => {
                let failed = |source| png_error(self.path, source, self.budget);
                for row in rows.chunks_exact_mut(length) {
                    if reader.read_row(row).map_err(failed)?.is_none() {
                        return Err(unreadable(self.path, io::ErrorKind::UnexpectedEof.into()));
                    }
                }
            }
        }
        self.rows_left -= u32::try_from(count).unwrap_or(u32::MAX);
        if self.rows_left == 0 && count > 0 {
            self.finish()?;
        }
        Ok(())
    }

    /// Reads on to the end mark, past the last checksum.
    fn finish(&mut self) -> Result<()> {
        match &mut self.decoder {
            RowDecoder::Plain(plain) => plain.finish().map_err(|error| error.of(self.path)),
            RowDecoder::Any(reader) => reader.finish().map_err(|source| png_error(self.path, source, self.budget)),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::pictures::read_picture;

    /// Noise over a gradient, so that each filter is best somewhere.
    fn samples(width: usize, height: usize, channels: usize) -> Vec<u8> {
        let mut seed = 7_u32;
        let sample = |index: usize| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let noise = if (index / (16 * channels)).is_multiple_of(3) { seed >> 24 } else { seed >> 30 };
            (index / channels % 251 + index / (channels * width) * 3).to_le_bytes()[0]
                .wrapping_add(noise.to_le_bytes()[0])
        };
        (0..width * height * channels).map(sample).collect()
    }

    fn save(path: &Path, (width, height): (usize, usize), color: ColorType, filter: png::Filter) {
        let side = |side: usize| u32::try_from(side).expect("small");
        let file = io::BufWriter::new(File::create(path).expect("created"));
        let mut encoder = png::Encoder::new(file, side(width), side(height));
        encoder.set_color(color);
        encoder.set_filter(filter);
        encoder.set_compression(png::Compression::Fast);
        let mut writer = encoder.write_header().expect("written");
        writer.write_image_data(&samples(width, height, color.samples())).expect("written");
        writer.finish().expect("written");
    }

    fn rows_of(path: &Path, at_once: usize) -> Result<Vec<u8>> {
        let budget = Budget::default();
        let mut rows = PngRows::open(path, &budget)?.expect("read by rows");
        let (width, height) = rows.size();
        let mut all = vec![0; width as usize * height as usize * PIXEL];
        for chunk in all.chunks_mut(at_once * width as usize * PIXEL) {
            rows.read(chunk)?;
        }
        assert_eq!(rows.rows_left(), 0);
        Ok(all)
    }

    /// Every filter, sizes around the four rows that are decoded together, and any number of rows at a time.
    #[test]
    fn rows_are_those_of_the_png_crate() {
        use png::Filter::{Adaptive, Avg, NoFilter, Paeth, Sub, Up};

        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.png");
        for color in [ColorType::Rgb, ColorType::Rgba] {
            for filter in [Adaptive, Avg, NoFilter, Paeth, Sub, Up] {
                for size in [(1, 1), (2, 9), (3, 4), (7, 16), (8, 8), (9, 23), (67, 41), (400, 130)] {
                    save(&path, size, color, filter);
                    let whole = read_picture(&path).expect("a picture");
                    for at_once in [1, 3, 8, 9, 64] {
                        let rows = rows_of(&path, at_once).expect("rows");
                        assert!(whole.rgba8() == Some(&rows), "{color:?} {filter:?} {size:?}, {at_once} at once");
                    }
                }
            }
        }
    }

    #[test]
    fn files_that_are_cut_or_changed_are_errors() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.png");
        save(&path, (67, 41), ColorType::Rgba, png::Filter::Paeth);
        let bytes = fs::read(&path).expect("there");
        for length in (8..bytes.len()).step_by(97).chain([bytes.len() - 1, bytes.len() - 13]) {
            fs::write(&path, &bytes[..length]).expect("written");
            let error = rows_of(&path, 5).map(drop).expect_err("cut").to_string();
            assert!(error.contains("a.png"), "{length}: {error}");
        }
        for place in (33..bytes.len()).step_by(61) {
            let mut bytes = bytes.clone();
            bytes[place] ^= 0x24;
            fs::write(&path, &bytes).expect("written");
            assert!(rows_of(&path, 5).is_err(), "changed at {place} of {}", bytes.len());
        }
    }
}
