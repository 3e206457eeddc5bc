//! The pixel buffer: finished straight-alpha sRGB pixels, row by row from the top.

use crate::color::Srgba8;
use crate::error::{Error, Result};

/// A finished picture, 8 bits a channel, straight alpha.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    width: u32,
    height: u32,
    pixels: Vec<Srgba8>,
}

/// The largest frame: 2³⁰ pixels, 4 GiB.
pub const MAX_PIXELS: u64 = 1 << 30;

impl Frame {
    /// A frame of one colour.
    ///
    /// # Errors
    /// When a side is 0 or the product passes [`MAX_PIXELS`].
    pub fn new(width: u32, height: u32, color: Srgba8) -> Result<Self> {
        let count = Self::count(width, height)?;
        Ok(Self { width, height, pixels: vec![color; count] })
    }

    /// Pixels of a frame of that size, if there can be one.
    pub(crate) fn count(width: u32, height: u32) -> Result<usize> {
        let count = u64::from(width) * u64::from(height);
        if count == 0 || count > MAX_PIXELS {
            let message = format!("must have 1 to {MAX_PIXELS} pixels, got {width}x{height}");
            return Err(Error::Setting { name: "frame size", message });
        }
        Ok(usize::try_from(count).expect("2^30 pixels fit an address space"))
    }

    /// Columns of pixels.
    #[must_use]
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Rows of pixels.
    #[must_use]
    pub fn height(&self) -> u32 {
        self.height
    }

    /// All pixels, row by row from the top.
    #[must_use]
    pub fn pixels(&self) -> &[Srgba8] {
        &self.pixels
    }

    /// All pixels, to be changed in place.
    pub fn pixels_mut(&mut self) -> &mut [Srgba8] {
        &mut self.pixels
    }

    /// The pixel in column `x` of row `y`; `None` outside.
    #[must_use]
    pub fn pixel(&self, x: u32, y: u32) -> Option<Srgba8> {
        let inside = x < self.width && y < self.height;
        inside.then(|| self.pixels[y as usize * self.width as usize + x as usize])
    }

    /// The frame cut into square tiles, band by band from the top, each with its own rows of pixels.
    #[must_use]
    pub fn tiles_mut(&mut self, size: u32) -> Vec<TileMut<'_>> {
        let (width, side) = (self.width as usize, size as usize);
        let mut tiles = Vec::new();
        for (y, rows) in (0..self.height).step_by(side).zip(self.pixels.chunks_mut(width * side)) {
            let start = tiles.len();
            let columns = (0..self.width).step_by(side);
            tiles.extend(columns.map(|x| TileMut { x, y, rows: Vec::with_capacity(side) }));
            for row in rows.chunks_mut(width) {
                for (tile, part) in tiles[start..].iter_mut().zip(row.chunks_mut(side)) {
                    tile.rows.push(part);
                }
            }
        }
        tiles
    }
}

/// One square tile of a frame; tiles at the right and bottom edges may be cut short.
#[derive(Debug)]
pub struct TileMut<'a> {
    /// Column of the tile's left edge.
    pub x: u32,
    /// Row of the tile's top edge.
    pub y: u32,
    /// The tile's part of each of its rows, top to bottom.
    pub rows: Vec<&'a mut [Srgba8]>,
}
