//! Results of drawing: pixels with 8 or 16 bits a channel, and arrays of depths, spheres and normals on request.

use std::sync::atomic::AtomicBool;

use pyo3::FromPyObject;
use roundel::compare::Picture;
use roundel::io::{LoadedScene, RenderReport};
use roundel::{Error, Frame, GBuffer, Renderer, Result, Srgba8, Statistics};

/// Bits a channel, and the names of arrays. Python code has checked both.
#[derive(FromPyObject)]
pub(crate) struct OutputOptions(u32, Vec<String>);

/// The pixels and arrays that are asked for.
pub(crate) struct Output<'a> {
    bits: u32,
    arrays: &'a [String],
    /// The row of each sphere, if it is not its index.
    rows: Option<&'a [i64]>,
}

impl OutputOptions {
    /// The output for spheres of these rows; `None` for all rows.
    pub(crate) fn with_rows<'a>(&'a self, rows: Option<&'a [i64]>) -> Output<'a> {
        Output { bits: self.0, arrays: &self.1, rows }
    }
}

/// A picture that is drawn, before it is handed to Python.
pub(crate) struct Finished {
    pub(crate) size: (u32, u32),
    pub(crate) pixels: FinishedPixels,
    pub(crate) dpi: Option<f32>,
    pub(crate) statistics: Statistics,
    pub(crate) surfaces: SurfaceArrays,
}

/// Samples of red, green, blue and alpha, row by row from the top.
pub(crate) enum FinishedPixels {
    Eight(Vec<u8>),
    Sixteen(Vec<u16>),
}

/// The surface in the middle of each pixel, as far as it was asked for.
#[derive(Default)]
pub(crate) struct SurfaceArrays {
    pub(crate) depth: Option<Vec<f32>>,
    pub(crate) index: Option<Vec<i64>>,
    pub(crate) normal: Option<Vec<[f32; 3]>>,
}

impl Output<'_> {
    /// Draws a scene and its figure; `None` if it was cancelled.
    pub(crate) fn draw(
        &self,
        renderer: &mut Renderer,
        loaded: &LoadedScene<'_>,
        cancelled: &AtomicBool,
    ) -> Result<Option<Finished>> {
        if let (Some(name), roundel::Scene::Circles(_)) = (self.arrays.first(), &loaded.scene) {
            let message = format!("are for spheres; circles have no {name}");
            return Err(Error::Setting { name: "arrays", message });
        }
        let (size, pixels, RenderReport { statistics, offset, .. }) = if self.bits == 16 {
            let Some((picture, drawn)) = loaded.draw_16_bits_unless_cancelled(renderer, cancelled)? else {
                return Ok(None);
            };
            (picture.size(), FinishedPixels::Sixteen(samples(&picture)), drawn)
        } else {
            let mut frame = Frame::new(1, 1, Srgba8::TRANSPARENT)?;
            let Some(drawn) = loaded.draw_unless_cancelled(renderer, &mut frame, cancelled)? else {
                return Ok(None);
            };
            ((frame.width(), frame.height()), FinishedPixels::Eight(frame.into_rgba_bytes()), drawn)
        };
        let surfaces = match self.arrays.is_empty() {
            true => None,
            false => renderer.gbuffer(&loaded.scene)?,
        };
        let place = Placement { from: loaded.scene.size(), to: size, offset };
        let surfaces = surfaces.map(|surfaces| self.arrays(surfaces, &place)).unwrap_or_default();
        Ok(Some(Finished { size, pixels, dpi: loaded.figure.dpi(), statistics, surfaces }))
    }

    fn arrays(&self, surfaces: GBuffer, place: &Placement) -> SurfaceArrays {
        let is_wanted = |name: &str| self.arrays.iter().any(|array| array == name);
        let row = |index: u32| match (index, self.rows) {
            (GBuffer::NONE, _) => -1,
            (index, None) => i64::from(index),
            (index, Some(rows)) => rows[index as usize],
        };
        let GBuffer { depths, normals, spheres, .. } = surfaces;
        SurfaceArrays {
            depth: is_wanted("depth").then(|| place.placed(depths, f32::INFINITY)),
            index: is_wanted("index").then(|| place.placed(spheres.into_iter().map(row).collect(), -1)),
            normal: is_wanted("normal").then(|| place.placed(normals, [0.0; 3])),
        }
    }
}

fn samples(picture: &Picture<'_>) -> Vec<u16> {
    picture.rgba16().unwrap_or_default().to_vec()
}

/// The position of a scene's picture within its figure.
struct Placement {
    from: (u32, u32),
    to: (u32, u32),
    /// Pixels to the right and down.
    offset: [i64; 2],
}

impl Placement {
    /// Values of pixels, moved with the picture; `none` for pixels outside of it.
    fn placed<T: Copy>(&self, values: Vec<T>, none: T) -> Vec<T> {
        if self.from == self.to && self.offset == [0; 2] {
            return values;
        }
        let (width, height) = (self.from.0 as usize, self.from.1 as usize);
        let source = |to: usize, offset: i64, side: usize| {
            let at = i64::try_from(to).ok()?.checked_sub(offset)?;
            usize::try_from(at).ok().filter(|&at| at < side)
        };
        let mut placed = Vec::with_capacity(self.to.0 as usize * self.to.1 as usize);
        for y in 0..self.to.1 as usize {
            let row = source(y, self.offset[1], height).map(|row| &values[row * width..][..width]);
            let value = |x| row.and_then(|row| source(x, self.offset[0], width).map(|x| row[x]));
            placed.extend((0..self.to.0 as usize).map(|x| value(x).unwrap_or(none)));
        }
        placed
    }
}
