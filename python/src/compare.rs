//! Comparing pictures, and the report of a test run.

use std::path::PathBuf;

use numpy::{IntoPyArray, PyArray3, PyArrayMethods, PyReadonlyArray3, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use roundel::compare::{
    Antialiasing, CompareOptions, Limits, Mask, Metric, Picture, Rectangle, Region, Verdict, compare_with_difference,
};
use roundel::golden::{ReportCase, ReportPicture, ReportStatus};
use roundel::io::read_picture;

use crate::drawing::interruptible;
use crate::error::exception;

/// How two pictures compare.
#[pyclass(frozen, module = "roundel")]
pub(crate) struct Comparison {
    found: roundel::compare::Comparison,
    #[pyo3(get)]
    difference: Option<Py<PyArray3<u8>>>,
}

#[pymethods]
impl Comparison {
    /// Whether the pictures agree.
    #[getter]
    fn same(&self) -> bool {
        self.found.is_same()
    }

    /// `"same"`, `"different"` or `"size_mismatch"`.
    #[getter]
    fn verdict(&self) -> &'static str {
        match self.found.verdict {
            Verdict::Same => "same",
            Verdict::Different => "different",
            Verdict::SizeMismatch => "size_mismatch",
        }
    }

    /// One line on how the pictures compare.
    #[getter]
    fn summary(&self) -> String {
        self.found.summary()
    }

    /// The number of pixels compared.
    #[getter]
    fn compared(&self) -> u64 {
        self.found.compared
    }

    /// The number of pixels that differ.
    #[getter]
    fn differing(&self) -> u64 {
        self.found.differing
    }

    /// The number of pixels that would differ, but are an edge's anti-aliasing.
    #[getter]
    fn antialiased(&self) -> u64 {
        self.found.antialiased
    }

    /// The largest difference of a channel, in steps of 1/255.
    #[getter]
    fn largest(&self) -> f64 {
        self.found.largest
    }

    /// The mean difference of a channel, in steps of 1/255.
    #[getter]
    fn mean(&self) -> f64 {
        self.found.mean
    }

    /// The mean FLIP error, 0 to 1, if that is the metric.
    #[getter]
    fn flip_mean(&self) -> Option<f64> {
        self.found.flip_mean
    }

    /// Column and row of the first differing pixel.
    #[getter]
    fn first(&self) -> Option<(u32, u32)> {
        self.found.first
    }

    /// Regions of differing pixels, the largest first: x, y, width, height, pixels.
    #[getter]
    fn regions(&self) -> Vec<(u32, u32, u32, u32, u64)> {
        let region = |region: &Region| (region.x, region.y, region.width, region.height, region.pixels);
        self.found.regions.iter().map(region).collect()
    }

    fn __bool__(&self) -> bool {
        self.found.is_same()
    }

    fn __repr__(&self) -> String {
        format!("<roundel.Comparison: {}>", self.found.summary())
    }
}

/// Pixels of a picture, (height, width, 4).
#[derive(FromPyObject)]
pub(crate) enum Pixels<'py> {
    Eight(PyReadonlyArray3<'py, u8>),
    Sixteen(PyReadonlyArray3<'py, u16>),
}

impl Pixels<'_> {
    pub(crate) fn shape(&self) -> &[usize] {
        match self {
            Self::Eight(pixels) => pixels.shape(),
            Self::Sixteen(pixels) => pixels.shape(),
        }
    }

    fn picture(&self) -> PyResult<Picture<'_>> {
        let shape = self.shape();
        let side = |side: usize| u32::try_from(side).ok().filter(|_| shape[2] == 4);
        let (Some(height), Some(width)) = (side(shape[0]), side(shape[1])) else {
            return Err(PyValueError::new_err(format!("pixels must be (height, width, 4), got {shape:?}")));
        };
        match self {
            Self::Eight(pixels) => Picture::from_rgba8(width, height, pixels.as_slice()?),
            Self::Sixteen(pixels) => Picture::from_rgba16(width, height, pixels.as_slice()?),
        }
        .map_err(exception)
    }
}

/// Compares two arrays of pixels, and draws the difference.
#[pyfunction]
#[pyo3(signature = (
    expected, actual, *, tolerance=None, threshold=None, oklab=None, flip=None, pixels_per_degree=67.0, pixels=None, share=None,
    window=None, ignore_antialiasing=false, mask=Vec::new(), mask_image=None, mask_transparent=false
))]
#[expect(clippy::too_many_arguments, reason = "keyword arguments")]
pub(crate) fn compare(
    py: Python<'_>,
    expected: Pixels<'_>,
    actual: Pixels<'_>,
    tolerance: Option<f64>,
    threshold: Option<f64>,
    oklab: Option<f64>,
    flip: Option<f64>,
    pixels_per_degree: f32,
    pixels: Option<u64>,
    share: Option<f64>,
    window: Option<u32>,
    ignore_antialiasing: bool,
    mask: Vec<(u32, u32, u32, u32)>,
    mask_image: Option<Pixels<'_>>,
    mask_transparent: bool,
) -> PyResult<Comparison> {
    let metric = match (tolerance, threshold, oklab, flip) {
        (tolerance, None, None, None) => Metric::Channels { tolerance: tolerance.unwrap_or(0.0) },
        (None, Some(threshold), None, None) => Metric::Yiq { threshold },
        (None, None, Some(threshold), None) => Metric::Oklab { threshold },
        (None, None, None, Some(largest_mean)) => Metric::Flip { largest_mean, pixels_per_degree },
        _ => return Err(PyValueError::new_err("only one of tolerance, threshold, oklab and flip can be given")),
    };
    let limits = Limits::given(metric, pixels, share, window).map_err(exception)?;
    let rectangle = |mask: Mask, (x, y, width, height)| mask.with_rectangle(Rectangle { x, y, width, height });
    let transparent = if mask_transparent { Mask::new().with_transparent_parts() } else { Mask::new() };
    let mut mask = mask.into_iter().fold(transparent, rectangle);
    if let Some(picture) = &mask_image {
        mask = mask.with_picture(picture.picture()?);
    }
    let antialiasing = if ignore_antialiasing { Antialiasing::Ignored } else { Antialiasing::Counts };
    let options = CompareOptions::default().with_metric(metric).with_limits(limits).with_mask(mask);
    let options = options.with_antialiasing(antialiasing);
    let (expected, actual) = (expected.picture()?, actual.picture()?);
    let (found, difference) = interruptible(py, |_| compare_with_difference(expected, actual, &options))?;
    let difference = difference.map(|frame| {
        let shape = [frame.height() as usize, frame.width() as usize, 4];
        frame.into_rgba_bytes().into_pyarray(py).reshape(shape).map(Bound::unbind)
    });
    Ok(Comparison { found, difference: difference.transpose()? })
}

/// The bytes of a PNG of an array of pixels.
#[pyfunction]
pub(crate) fn encode_png<'py>(py: Python<'py>, pixels: Pixels<'py>) -> PyResult<Bound<'py, PyBytes>> {
    let picture = pixels.picture()?;
    let bytes = interruptible(py, |_| picture.encode_png())?;
    Ok(PyBytes::new(py, &bytes))
}

/// Reads an image file of any format: (height, width, 4) uint8, or uint16 for files with 16 bits a channel.
#[pyfunction]
pub(crate) fn read_image(py: Python<'_>, path: PathBuf) -> PyResult<Bound<'_, PyAny>> {
    let picture = interruptible(py, |_| read_picture(&path))?;
    let (width, height) = picture.size();
    let shape = [height as usize, width as usize, 4];
    if let Some(samples) = picture.rgba16() {
        return Ok(samples.to_vec().into_pyarray(py).reshape(shape)?.into_any());
    }
    let bytes = picture.rgba8().unwrap_or_default().to_vec();
    Ok(bytes.into_pyarray(py).reshape(shape)?.into_any())
}

/// A case of a report: name, status, summary, how to approve it, files of the expected picture, PNGs of the actual one
/// and of the difference, regions.
type Case = (
    String,
    String,
    String,
    Option<String>,
    Option<PathBuf>,
    Option<Vec<u8>>,
    Option<Vec<u8>>,
    Vec<(u32, u32, u32, u32, u64)>,
);

/// Writes a report of pictures in one HTML file.
#[pyfunction]
pub(crate) fn write_report(py: Python<'_>, path: PathBuf, title: &str, cases: Vec<Case>) -> PyResult<()> {
    let case = |(name, status, summary, approve, expected, actual, difference, regions): Case| {
        let status = match &*status {
            "new" => ReportStatus::New,
            "same" => ReportStatus::Same,
            "missing" => ReportStatus::Missing,
            _ => ReportStatus::Changed,
        };
        let mut case = ReportCase::new(name, status, summary);
        case.approve = approve;
        case.expected = expected.map(ReportPicture::File);
        case.actual = actual.map(ReportPicture::Png);
        case.difference = difference.map(ReportPicture::Png);
        let region = |(x, y, width, height, pixels)| Region { x, y, width, height, pixels };
        case.regions = regions.into_iter().map(region).collect();
        case
    };
    let cases: Vec<ReportCase> = cases.into_iter().map(case).collect();
    interruptible(py, |_| roundel::golden::write_report(&path, title, &cases))
}
