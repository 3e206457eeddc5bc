//! Finished pixels: straight-alpha sRGB, row by row from the top.

use crate::color::Srgba8;
use crate::error::{Error, Result};

/// A finished picture, 8 bits a channel, straight alpha.
///
/// ```
/// # use roundel_image as roundel;
/// use roundel::{Frame, Srgba8};
///
/// let mut frame = Frame::new(3, 2, Srgba8::WHITE)?;
/// frame.pixels_mut()[4] = Srgba8::BLACK;
/// assert_eq!(frame.pixel(1, 1), Some(Srgba8::BLACK));
/// assert_eq!(frame.pixel(3, 0), None, "outside");
/// assert_eq!(frame.rows().map(<[_]>::len).collect::<Vec<_>>(), [3, 3]);
/// assert_eq!(frame.to_rgba_bytes().len(), 24);
/// # Ok::<(), roundel::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) pixels: Vec<Srgba8>,
}

impl Frame {
    /// The largest number of pixels of a frame: 2³⁰, or 4 GiB.
    ///
    /// ```
    /// # use roundel_image as roundel;
    /// use roundel::{Frame, Srgba8};
    ///
    /// assert_eq!(Frame::MAX_PIXELS, 1 << 30);
    /// Frame::new(1 << 20, 1 << 20, Srgba8::WHITE).unwrap_err();
    /// ```
    pub const MAX_PIXELS: u64 = 1 << 30;

    /// A frame of one colour.
    ///
    /// # Errors
    /// If a side is 0, or there are more than [`Frame::MAX_PIXELS`] pixels.
    pub fn new(width: u32, height: u32, color: Srgba8) -> Result<Self> {
        let count = Self::count(width, height)?;
        Ok(Self { width, height, pixels: vec![color; count] })
    }

    /// The number of pixels of a frame of this size.
    ///
    /// # Errors
    /// As [`Frame::new`].
    #[doc(hidden)]
    pub fn count(width: u32, height: u32) -> Result<usize> {
        let count = u64::from(width) * u64::from(height);
        if count == 0 || count > Self::MAX_PIXELS {
            let most = Self::MAX_PIXELS;
            return Err(Error::setting("frame size", format!("must have 1 to {most} pixels, got {width}x{height}")));
        }
        Ok(usize::try_from(count).expect("2^30 pixels fit an address space"))
    }

    /// The number of columns.
    #[must_use]
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The number of rows.
    #[must_use]
    pub fn height(&self) -> u32 {
        self.height
    }

    /// All pixels, row by row from the top.
    #[must_use]
    pub fn pixels(&self) -> &[Srgba8] {
        &self.pixels
    }

    /// All pixels, mutably, row by row from the top.
    pub fn pixels_mut(&mut self) -> &mut [Srgba8] {
        &mut self.pixels
    }

    /// Consumes the frame and returns its pixels, row by row from the top, without a copy.
    ///
    /// ```
    /// # use roundel_image as roundel;
    /// use roundel::{Frame, Srgba8};
    ///
    /// assert_eq!(Frame::new(2, 1, Srgba8::BLACK)?.into_pixels(), vec![Srgba8::BLACK; 2]);
    /// # Ok::<(), roundel::Error>(())
    /// ```
    #[must_use]
    pub fn into_pixels(self) -> Vec<Srgba8> {
        self.pixels
    }

    /// Consumes the frame and returns red, green, blue and alpha of every pixel, row by row from the top, in the same
    /// memory.
    ///
    /// ```
    /// # use roundel_image as roundel;
    /// use roundel::{Frame, Srgba8};
    ///
    /// assert_eq!(Frame::new(1, 1, Srgba8::rgb(1, 2, 3))?.into_rgba_bytes(), [1, 2, 3, 255]);
    /// # Ok::<(), roundel::Error>(())
    /// ```
    #[must_use]
    pub fn into_rgba_bytes(self) -> Vec<u8> {
        // std collects in place: source and target have the same size
        self.pixels.into_iter().map(<[u8; 4]>::from).collect::<Vec<_>>().into_flattened()
    }

    /// The rows of pixels, from the top.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[Srgba8]> {
        self.pixels.chunks(self.width as usize)
    }

    /// Red, green, blue and alpha of every pixel, row by row from the top.
    #[must_use]
    pub fn to_rgba_bytes(&self) -> Vec<u8> {
        self.pixels.iter().flat_map(|&Srgba8 { r, g, b, a }| [r, g, b, a]).collect()
    }

    /// Red, green and blue of every pixel, row by row from the top.
    #[doc(hidden)]
    #[must_use]
    pub fn to_rgb_bytes(&self) -> Vec<u8> {
        self.pixels.iter().flat_map(|pixel| [pixel.r, pixel.g, pixel.b]).collect()
    }

    /// Reports whether every pixel has an alpha of 255.
    #[doc(hidden)]
    pub fn is_opaque(&self) -> bool {
        self.pixels.iter().all(|pixel| pixel.a == u8::MAX)
    }

    /// Every pixel as `0x00rrggbb`, row by row from the top: the buffers of minifb and softbuffer. Alpha is left out.
    ///
    /// ```
    /// # use roundel_image as roundel;
    /// use roundel::{Frame, Srgba8};
    ///
    /// let frame = Frame::new(2, 1, Srgba8::rgb(1, 2, 3))?;
    /// let buffer: Vec<u32> = frame.pixels_0rgb().collect();
    /// assert_eq!(buffer, [0x01_02_03; 2]);
    /// # Ok::<(), roundel::Error>(())
    /// ```
    pub fn pixels_0rgb(&self) -> impl ExactSizeIterator<Item = u32> {
        self.pixels.iter().map(|&Srgba8 { r, g, b, .. }| u32::from_be_bytes([0, r, g, b]))
    }

    /// The pixel in column `x` of row `y`; `None` outside.
    #[must_use]
    pub fn pixel(&self, x: u32, y: u32) -> Option<Srgba8> {
        let inside = x < self.width && y < self.height;
        inside.then(|| self.pixels[y as usize * self.width as usize + x as usize])
    }

    /// The part of this frame to the right of and below a pixel.
    ///
    /// # Errors
    /// As [`Frame::new`].
    ///
    /// # Panics
    /// If the part reaches beyond the frame.
    #[doc(hidden)]
    pub fn cropped(&self, [left, top]: [u32; 2], (width, height): (u32, u32)) -> Result<Self> {
        let mut part = Self::new(width, height, Srgba8::TRANSPARENT)?;
        for (to, from) in part.pixels_mut().chunks_mut(width as usize).zip(self.rows().skip(top as usize)) {
            to.copy_from_slice(&from[left as usize..][..width as usize]);
        }
        Ok(part)
    }

    /// This frame magnified, each pixel as a square of `side` by `side` pixels, and cropped around its centre to the
    /// given size.
    ///
    /// # Errors
    /// As [`Frame::new`].
    #[doc(hidden)]
    pub fn enlarged(&self, side: u32, (width, height): (u32, u32)) -> Result<Self> {
        let mut enlarged = Self::new(width, height, Srgba8::TRANSPARENT)?;
        let (left, top) = ((self.width * side - width) / 2, (self.height * side - height) / 2);
        for (y, to) in (0..height).zip(enlarged.pixels_mut().chunks_mut(width as usize)) {
            let from = &self.pixels()[((y + top) / side * self.width) as usize..][..self.width as usize];
            (0..width).zip(to).for_each(|(x, to)| *to = from[((x + left) / side) as usize]);
        }
        Ok(enlarged)
    }

    /// Splits the frame into square tiles, band by band from the top. Each tile borrows its part of the pixels.
    #[doc(hidden)]
    pub fn tiles_mut(&mut self, size: u32) -> Vec<TileMut<'_>> {
        self.tiles_with_colors(size, &mut [])
    }

    /// Splits the frame into square tiles, each with its part of `colors`, which has one colour per pixel or none.
    #[doc(hidden)]
    pub fn tiles_with_colors<'a>(&'a mut self, size: u32, colors: &'a mut [[f32; 4]]) -> Vec<TileMut<'a>> {
        let (width, side) = (self.width as usize, size as usize);
        let mut tiles = Vec::new();
        for y in (0..self.height).step_by(side) {
            let columns = (0..self.width).step_by(side);
            tiles.extend(columns.map(|x| TileMut { x, y, rows: Vec::with_capacity(side), colors: Vec::new() }));
        }
        let first_of_band = |y: usize| y / side * width.div_ceil(side);
        for (y, row) in self.pixels.chunks_mut(width).enumerate() {
            for (tile, part) in tiles[first_of_band(y)..].iter_mut().zip(row.chunks_mut(side)) {
                tile.rows.push(part);
            }
        }
        for (y, row) in colors.chunks_mut(width).enumerate() {
            for (tile, part) in tiles[first_of_band(y)..].iter_mut().zip(row.chunks_mut(side)) {
                tile.colors.push(part);
            }
        }
        tiles
    }
}

/// One square tile of a frame. Tiles at the right and bottom edges may be smaller.
#[derive(Debug)]
pub struct TileMut<'a> {
    /// The column of the tile's left edge.
    pub x: u32,
    /// The row of the tile's top edge.
    pub y: u32,
    /// The tile's part of each of its rows, from top to bottom.
    pub rows: Vec<&'a mut [Srgba8]>,
    /// The same rows of colours in full precision; empty if they are not needed. Circles write straight alpha in the
    /// space that they are blended in, spheres premultiplied linear light.
    pub colors: Vec<&'a mut [[f32; 4]]>,
}
