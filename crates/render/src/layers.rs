//! Pictures in full precision as files: PNG with 16 bits a channel, and OpenEXR.

use std::path::Path;

use roundel_image::Picture;
use roundel_image::io::write_file;

use crate::aovs::Aovs;
use crate::color::encode16;
use crate::error::Result;
use crate::frame::Frame;

impl Aovs {
    /// The colours with 16 bits a channel, straight alpha, as PNG has them.
    ///
    /// # Errors
    /// If there are no pixels.
    ///
    /// ```
    /// # use roundel_render as roundel;
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
    /// # use roundel_render as roundel;
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

    /// The colours with 16 bits a channel and with marks: the pixels in which the 8-bit frames `plain` and `marked`
    /// differ. `[right, down]` is the offset of the picture in `marked`.
    ///
    /// # Errors
    /// If there are no pixels.
    #[doc(hidden)]
    pub fn with_marks(&self, plain: &Frame, marked: &Frame, [right, down]: [i64; 2]) -> Result<Picture<'static>> {
        let mut samples = Vec::with_capacity(4 * marked.pixels().len());
        for (y, row) in (0..).zip(marked.rows()) {
            for (x, pixel) in (0..).zip(row) {
                let place = u32::try_from(x - right).ok().zip(u32::try_from(y - down).ok());
                let place = place.filter(|&(x, y)| plain.pixel(x, y) == Some(*pixel));
                samples.extend(match place {
                    Some((x, y)) => encode16(self.colors[y as usize * self.width as usize + x as usize]),
                    None => [pixel.r, pixel.g, pixel.b, pixel.a].map(|channel| 257 * u16::from(channel)),
                });
            }
        }
        Picture::from_rgba16(marked.width(), marked.height(), samples)
    }
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

#[cfg(all(test, feature = "image-formats"))]
mod tests {
    use crate::color::Srgba8;
    use crate::scene::spheres::{Camera, PaintedSphere, Shading, ShadingPreset, SphereScene};
    use crate::{RenderSettings, Renderer};

    #[test]
    fn exr_is_read_back() {
        use exr::prelude::{FlatSamples, read_first_flat_layer_from_file};

        let balls = [[-0.4, 0.0, 0.0], [0.4, 0.2, 0.3]].map(|center| PaintedSphere::new(center, 0.6, Srgba8::BLACK));
        let scene = SphereScene::new(Camera::look_at([0.0, 0.0, 5.0], [0.0; 3]), 90, 70).with_spheres(&balls[..]);
        let scene = scene.with_shading(Shading::preset(ShadingPreset::Studio)).with_background(Srgba8::TRANSPARENT);
        let mut renderer = Renderer::new(&RenderSettings::default()).expect("it starts");
        let (layers, _) = renderer.render_aovs(&scene.into()).expect("it draws");
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("picture.exr");
        layers.save_exr(&path).expect("it is written");
        let once = std::fs::read(&path).expect("the file");
        layers.save_exr(&path).expect("it is written");
        assert_eq!(once, std::fs::read(&path).expect("the file"), "the same bytes each time");
        let image = read_first_flat_layer_from_file(&path).expect("OpenEXR");
        assert_eq!(image.layer_data.size, exr::prelude::Vec2(90, 70));
        let channels = &image.layer_data.channel_data.list;
        let names: Vec<String> = channels.iter().map(|channel| channel.name.to_string()).collect();
        assert_eq!(names, ["A", "B", "G", "N.X", "N.Y", "N.Z", "R", "Z", "id"]);
        let numbers =
            |name: &str| match &channels[names.iter().position(|own| own == name).expect("a channel")].sample_data {
                FlatSamples::F32(numbers) => numbers.clone(),
                other => panic!("{name} has 32-bit floats, got {other:?}"),
            };
        let surfaces = layers.gbuffer.as_ref().expect("spheres have surfaces");
        for (index, name) in ["R", "G", "B", "A"].into_iter().enumerate() {
            assert_eq!(numbers(name), layers.colors.iter().map(|color| color[index]).collect::<Vec<_>>());
        }
        for (axis, name) in ["N.X", "N.Y", "N.Z"].into_iter().enumerate() {
            assert_eq!(numbers(name), surfaces.normals.iter().map(|normal| normal[axis]).collect::<Vec<_>>());
        }
        assert_eq!(numbers("Z"), surfaces.depths);
        let FlatSamples::U32(ids) = &channels[8].sample_data else { panic!("whole numbers") };
        assert_eq!(*ids, surfaces.spheres);
    }
}
