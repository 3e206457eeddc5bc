//! Pictures in full precision as files: PNG with 16 bits a channel, and OpenEXR.

use std::path::Path;

use super::output::write_file;
use crate::color::encode16;
use crate::compare::Picture;
use crate::error::Result;
use crate::frame::Frame;
use crate::render::Aovs;

impl Aovs {
    /// The colours with 16 bits a channel, straight alpha, as PNG has them.
    ///
    /// # Errors
    /// If there are no pixels.
    ///
    /// ```
    /// use roundel::circles::{Canvas, CircleScene};
    /// use roundel::{RenderSettings, Renderer, Srgba8};
    ///
    /// let scene = CircleScene::from(Canvas::new(8, 8).with_background(Srgba8::rgb(0x80, 0, 0)));
    /// let (layers, _) = Renderer::new(&RenderSettings::default())?.render_aovs(&scene.into())?;
    /// assert_eq!(layers.to_picture()?.rgba16().map(|samples| samples[0]), Some(0x8080));
    /// # Ok::<(), roundel::Error>(())
    /// ```
    pub fn to_picture(&self) -> Result<Picture<'static>> {
        let samples: Vec<u16> = self.colors.iter().flat_map(|color| encode16(*color)).collect();
        Picture::from_rgba16(self.width, self.height, samples)
    }

    /// Writes an OpenEXR file: the channels R, G, B and A in linear light times opacity; of spheres also Z, the
    /// distance along the line of sight, N.X, N.Y and N.Z, the normal in world coordinates, and id, the number of the
    /// sphere. All have 32 bits.
    ///
    /// # Errors
    /// If the file cannot be written; without the feature `image-formats`.
    ///
    /// ```no_run
    /// # let scene = roundel::circles::CircleScene::new(8, 8).into();
    /// let (layers, _) = roundel::Renderer::new(&roundel::RenderSettings::default())?.render_aovs(&scene)?;
    /// layers.save_exr("picture.exr")?;
    /// # Ok::<(), roundel::Error>(())
    /// ```
    pub fn save_exr(&self, path: impl AsRef<Path>) -> Result<()> {
        let path = path.as_ref();
        let bytes = exr_bytes(path, self)?;
        write_file(path, |file| file.write_all(&bytes))
    }
}

/// The layers with 16 bits a channel and with marks: the pixels in which the 8-bit frames `plain` and `marked` differ.
/// `[right, down]` is the offset of the picture in `marked`.
pub(super) fn with_marks(
    layers: &Aovs,
    plain: &Frame,
    marked: &Frame,
    [right, down]: [i64; 2],
) -> Result<Picture<'static>> {
    let mut samples = Vec::with_capacity(4 * marked.pixels().len());
    for (y, row) in (0..).zip(marked.rows()) {
        for (x, pixel) in (0..).zip(row) {
            let place = u32::try_from(x - right).ok().zip(u32::try_from(y - down).ok());
            let place = place.filter(|&(x, y)| plain.pixel(x, y) == Some(*pixel));
            samples.extend(match place {
                Some((x, y)) => encode16(layers.colors[y as usize * layers.width as usize + x as usize]),
                None => [pixel.r, pixel.g, pixel.b, pixel.a].map(|channel| 257 * u16::from(channel)),
            });
        }
    }
    Picture::from_rgba16(marked.width(), marked.height(), samples)
}

#[cfg(not(feature = "image-formats"))]
fn exr_bytes(_: &Path, _: &Aovs) -> Result<Vec<u8>> {
    let message = "in the format OpenEXR needs a roundel that was built with the feature image-formats".to_owned();
    Err(crate::error::Error::setting("output", message))
}

#[cfg(feature = "image-formats")]
fn exr_bytes(path: &Path, layers: &Aovs) -> Result<Vec<u8>> {
    use exr::prelude::{AnyChannel, AnyChannels, Encoding, FlatSamples, Image, Layer, LayerAttributes, WritableImage};

    use crate::error::Error;

    let color = |channel: usize| FlatSamples::F32(layers.colors.iter().map(|color| color[channel]).collect());
    let mut channels = vec![("R", color(0)), ("G", color(1)), ("B", color(2)), ("A", color(3))];
    if let Some(surfaces) = &layers.gbuffer {
        let normal = |axis: usize| FlatSamples::F32(surfaces.normals.iter().map(|normal| normal[axis]).collect());
        channels.extend([("N.X", normal(0)), ("N.Y", normal(1)), ("N.Z", normal(2))]);
        channels.push(("Z", FlatSamples::F32(surfaces.depths.clone())));
        channels.push(("id", FlatSamples::U32(surfaces.spheres.clone())));
    }
    let channels = channels.into_iter().map(|(name, samples)| AnyChannel::new(name, samples)).collect();
    let size = (layers.width as usize, layers.height as usize);
    let layer = Layer::new(size, LayerAttributes::default(), Encoding::SMALL_LOSSLESS, AnyChannels::sort(channels));
    let mut bytes = std::io::Cursor::new(Vec::new());
    // one thread, so that blocks are in order
    Image::from_layer(layer)
        .write()
        .non_parallel()
        .to_buffered(&mut bytes)
        .map_err(|source| Error::Image { path: path.to_owned(), source: Box::new(source) })?;
    Ok(bytes.into_inner())
}
