//! Round markers of a plot: points through an affine transform, on a transparent canvas.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use numpy::{PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rayon::prelude::*;
use roundel::circles::{Canvas, CircleScene, Layer, PaintedCircle, PaintedEllipse, Stroke};
use roundel::{Frame, Renderer, Srgba8};

use crate::columns::{Column, Radii};
use crate::pool;

/// Points that a thread transforms in one go.
const CHUNK: usize = 1 << 14;

/// Discs per block: few enough for the nearer caches and for reuse of memory, enough for many threads. Fewer discs are
/// drawn as a scene. Tuned: python/benches/mpl.py.
const BLOCK: usize = 1 << 18;

/// Colours of markers: one for all, one for each (repeated from the start), or values through a table.
#[derive(FromPyObject)]
pub(crate) enum MarkerColors<'py> {
    One([u8; 4]),
    Each(PyReadonlyArray2<'py, u8>),
    Mapped(PyReadonlyArray1<'py, f64>, [f64; 2], PyReadonlyArray2<'py, u8>),
}

/// Points of the plane: (n, 2), or their two columns.
#[derive(FromPyObject)]
pub(crate) enum Places<'py> {
    Rows(PyReadonlyArray2<'py, f64>),
    Columns(PyReadonlyArray1<'py, f64>, PyReadonlyArray1<'py, f64>),
}

/// Borrowed points of the plane.
#[derive(Clone, Copy)]
enum PointSlices<'a> {
    Rows(&'a [[f64; 2]]),
    Columns(&'a [f64], &'a [f64]),
}

impl Places<'_> {
    fn slices(&self) -> PyResult<PointSlices<'_>> {
        match self {
            Self::Rows(rows) if rows.shape()[1] == 2 => Ok(PointSlices::Rows(rows.as_slice()?.as_chunks().0)),
            Self::Columns(x, y) if x.len() == y.len() => Ok(PointSlices::Columns(x.as_slice()?, y.as_slice()?)),
            _ => Err(PyValueError::new_err("points must be (n, 2), or two columns of the same length")),
        }
    }
}

impl PointSlices<'_> {
    fn len(&self) -> usize {
        match self {
            Self::Rows(rows) => rows.len(),
            Self::Columns(x, _) => x.len(),
        }
    }

    #[inline]
    fn at(&self, row: usize) -> [f64; 2] {
        match self {
            Self::Rows(rows) => rows[row],
            Self::Columns(x, y) => [x[row], y[row]],
        }
    }

    /// The rows in ranges that a thread takes in one go.
    fn ranges(&self) -> impl IndexedParallelIterator<Item = Range<usize>> + use<> {
        let count = self.len();
        (0..count.div_ceil(CHUNK)).into_par_iter().map(move |chunk| chunk * CHUNK..count.min((chunk + 1) * CHUNK))
    }
}

/// The least, the greatest and the least positive coordinate on either axis, of finite points; the first is infinite
/// if there are none.
#[pyfunction]
pub(crate) fn bounds_of_points(py: Python<'_>, points: Places<'_>) -> PyResult<[[f64; 3]; 2]> {
    let points = points.slices()?;
    let none = [[f64::INFINITY, f64::NEG_INFINITY, f64::INFINITY]; 2];
    let join = |all: &mut [f64; 3], other: [f64; 3]| {
        // each an instruction; `f64::min` asks for NaN, too
        all[0] = if other[0] < all[0] { other[0] } else { all[0] };
        all[1] = if other[1] > all[1] { other[1] } else { all[1] };
        all[2] = if other[2] < all[2] { other[2] } else { all[2] };
    };
    let join_both = |mut all: [[f64; 3]; 2], other: [[f64; 3]; 2]| {
        join(&mut all[0], other[0]);
        join(&mut all[1], other[1]);
        all
    };
    let part = |rows: Range<usize>| {
        let mut all = none;
        for row in rows {
            let [x, y] = points.at(row);
            if x.is_finite() && y.is_finite() {
                let of = |place: f64| [place, place, if place > 0.0 { place } else { f64::INFINITY }];
                all = join_both(all, [of(x), of(y)]);
            }
        }
        all
    };
    let all = || points.ranges().map(part).reduce(|| none, join_both);
    Ok(py.detach(|| pool::install(all)))
}

/// Markers as Python code describes them. Columns that are shorter than the points are repeated.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Markers<'py> {
    points: Places<'py>,
    /// Rows of a 2 × 3 matrix that takes points to pixels of the canvas.
    affine: [[f64; 3]; 2],
    /// Pixels.
    radii: Radii<'py>,
    faces: MarkerColors<'py>,
    /// Colours of outlines, and their width in pixels, if there are any.
    edges: Option<(MarkerColors<'py>, Radii<'py>)>,
    /// Width and height of the canvas.
    size: [u32; 2],
}

impl Markers<'_> {
    /// The arrays, which a thread without the interpreter's lock can read.
    pub(crate) fn borrowed(&self) -> PyResult<BorrowedMarkers<'_>> {
        let edges = match &self.edges {
            Some((colors, widths)) => Some((Paint::new(colors)?, lengths(widths)?)),
            None => None,
        };
        let points = Points { places: self.points.slices()?, affine: self.affine, size: self.size };
        Ok(BorrowedMarkers { points, radii: lengths(&self.radii)?, faces: Paint::new(&self.faces)?, edges })
    }
}

/// Markers in borrowed arrays.
pub(crate) struct BorrowedMarkers<'a> {
    points: Points<'a>,
    radii: Column<'a, f32>,
    faces: Paint<'a>,
    edges: Option<(Paint<'a>, Column<'a, f32>)>,
}

impl BorrowedMarkers<'_> {
    /// Draws the markers on a transparent canvas, in the order of the points, unless it is cancelled. Points with NaN
    /// are left out.
    pub(crate) fn draw(
        &self,
        renderer: &mut Renderer,
        frame: &mut Frame,
        cancelled: &AtomicBool,
    ) -> roundel::Result<()> {
        let count = self.points.places.len();
        if self.edges.is_some() || count < BLOCK {
            return renderer.render_unless_cancelled(&self.scene().into(), frame, cancelled).map(|_| ());
        }
        let mut stream = renderer.stream_circles(&self.canvas())?;
        let blocks = (0..count.div_ceil(BLOCK)).rev().map(|number| number * BLOCK..count.min((number + 1) * BLOCK));
        for block in blocks.take_while(|_| !cancelled.load(Ordering::Relaxed)) {
            stream.add_below_by_rule(block.start as u64..block.end as u64, |rows, circles| {
                #[expect(clippy::cast_possible_truncation, reason = "rows are in memory")]
                let rows = rows.start as usize..rows.end as usize;
                circles.extend(rows.map(|row| self.disc(row).unwrap_or(UNSEEN)));
            })?;
        }
        stream.finish(frame).map(|_| ())
    }

    /// A transparent canvas.
    fn canvas(&self) -> Canvas {
        let [width, height] = self.points.size;
        Canvas::new(width, height).with_background(Srgba8::TRANSPARENT)
    }

    /// The canvas with the markers that reach it.
    fn scene(&self) -> CircleScene<'static> {
        let Self { points, radii, edges, .. } = self;
        let layer = match edges {
            None => points.shapes(|row, out| out.extend(self.disc(row))),
            Some((colors, widths)) => points.shapes(|row, out| {
                let (center, radius, width) = (points.center(row), cycled(radii, row), cycled(widths, row));
                if points.is_seen(center, radius + 0.5 * width) {
                    out.push(PaintedEllipse::new(center, [f64::from(radius); 2], self.faces.at(row)));
                    out.push(PaintedEllipse::ring(center, [f64::from(radius); 2], Stroke::new(width), colors.at(row)));
                }
            }),
        };
        CircleScene::from(self.canvas()).with_layer(layer)
    }

    /// The disc of a marker without an outline, if it reaches the canvas.
    #[inline]
    fn disc(&self, row: usize) -> Option<PaintedCircle> {
        let (center, radius) = (self.points.center(row), cycled(&self.radii, row));
        self.points.is_seen(center, radius).then(|| PaintedCircle::new(center, radius, self.faces.at(row)))
    }
}

/// A circle that draws nothing.
const UNSEEN: PaintedCircle = PaintedCircle { center: [0.0; 2], radius: f32::NAN, color: Srgba8::TRANSPARENT };

/// Points of the plane and the canvas that shows them.
struct Points<'a> {
    places: PointSlices<'a>,
    affine: [[f64; 3]; 2],
    size: [u32; 2],
}

impl Points<'_> {
    /// What `push` makes of each row, in order.
    fn shapes<T: Send>(&self, push: impl Fn(usize, &mut Vec<T>) + Sync) -> Layer<'static>
    where
        Layer<'static>: From<Vec<T>>,
    {
        let chunks = self.places.ranges().map(|rows| {
            let mut shapes = Vec::with_capacity(rows.len());
            rows.for_each(|row| push(row, &mut shapes));
            shapes
        });
        let chunks: Vec<Vec<T>> = chunks.collect();
        let mut shapes = Vec::with_capacity(chunks.iter().map(Vec::len).sum());
        chunks.into_iter().for_each(|mut chunk| shapes.append(&mut chunk));
        shapes.into()
    }

    /// The place of a row in pixels of the canvas.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "rounded once")]
    fn center(&self, row: usize) -> [f32; 2] {
        let ([x, y], [[a, b, c], [d, e, f]]) = (self.places.at(row), self.affine);
        [((a * x + b * y) + c) as f32, ((d * x + e * y) + f) as f32]
    }

    /// Whether a disc reaches the canvas; not with NaN.
    fn is_seen(&self, center: [f32; 2], radius: f32) -> bool {
        let reaches = |axis: usize| center[axis] + radius > 0.0 && center[axis] - radius < self.size[axis] as f32;
        reaches(0) && reaches(1)
    }
}

/// Colours by row.
enum Paint<'a> {
    One(Srgba8),
    Each(&'a [[u8; 4]]),
    Mapped { values: &'a [f64], range: [f64; 2], table: &'a [[u8; 4]] },
}

impl<'a> Paint<'a> {
    fn new(colors: &'a MarkerColors<'_>) -> PyResult<Self> {
        match colors {
            MarkerColors::One(color) => Ok(Self::One((*color).into())),
            MarkerColors::Each(colors) => match rgba(colors)? {
                [] => Err(PyValueError::new_err("colours must not be empty")),
                each => Ok(Self::Each(each)),
            },
            MarkerColors::Mapped(values, range, table) => match (values.as_slice()?, rgba(table)?) {
                ([], _) | (_, [] | [_] | [_, _] | [_, _, _]) => {
                    Err(PyValueError::new_err("values must not be empty, and a table has four colours or more"))
                }
                (values, table) => Ok(Self::Mapped { values, range: *range, table }),
            },
        }
    }

    fn at(&self, row: usize) -> Srgba8 {
        match *self {
            Self::One(color) => color,
            Self::Each(colors) => colors[repeated(row, colors.len())].into(),
            Self::Mapped { values, range, table } => {
                table[slot(values[repeated(row, values.len())], range, table.len())].into()
            }
        }
    }
}

/// The index of a value in a colour table laid out as matplotlib's: it ends with the colours for values below the
/// range, above it, and missing ones.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and the number of colours")]
fn slot(value: f64, [least, greatest]: [f64; 2], length: usize) -> usize {
    let colors = length - 3;
    let share = if least == greatest { 0.0 } else { (value - least) / (greatest - least) };
    let place = share * colors as f64;
    if value.is_nan() || place.is_nan() {
        colors + 2
    } else if place < 0.0 {
        colors
    } else if place > colors as f64 {
        colors + 1
    } else {
        (place as usize).min(colors - 1)
    }
}

fn rgba<'a>(colors: &'a PyReadonlyArray2<'_, u8>) -> PyResult<&'a [[u8; 4]]> {
    if colors.shape()[1] != 4 {
        return Err(PyValueError::new_err(format!("colours must be (n, 4), got {:?}", colors.shape())));
    }
    Ok(colors.as_slice()?.as_chunks().0)
}

/// Lengths in pixels by row.
fn lengths<'a>(lengths: &'a Radii<'_>) -> PyResult<Column<'a, f32>> {
    match lengths {
        Radii::One(length) => Ok(Column::One(*length)),
        Radii::Each(each) if !each.is_empty() => Ok(Column::Each(each.as_slice()?)),
        _ => Err(PyValueError::new_err("lengths must be a number or an array that is not empty")),
    }
}

/// The row of a repeated column; without a division where it is not repeated.
#[inline]
fn repeated(row: usize, length: usize) -> usize {
    if row < length { row } else { row % length }
}

fn cycled(lengths: &Column<'_, f32>, row: usize) -> f32 {
    match lengths {
        Column::One(length) => *length,
        Column::Each(each) => each[repeated(row, each.len())],
    }
}
