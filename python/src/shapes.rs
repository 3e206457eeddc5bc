//! Arrays of cylinders, ellipsoids and arrows.

use std::borrow::Cow;

use numpy::{PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use roundel::arrows::PaintedArrow;
use roundel::cylinders::{Caps, PaintedCylinder};
use roundel::ellipsoids::PaintedEllipsoid;
use roundel::io::{SphereKind, figure_of_shapes};
use roundel::spheres::Shapes;

use crate::columns::{self, Colors, Radii, check, rows, shapes};
use crate::facts::Facts;
use crate::image::Image;
use crate::options;
use crate::output::OutputOptions;
use crate::renderer::Renderer;

/// The marks of a figure, the options of a picture and of its output, and the rows of the caller's arrays if some are left out.
pub(crate) type Picture<'py> = (Facts, Bound<'py, PyDict>, OutputOptions, Option<PyReadonlyArray1<'py, i64>>);

impl Renderer {
    /// Draws shapes that are no spheres; `rows` has the row of each index of a shape, if it is not its index.
    fn draw_shapes(
        &self,
        py: Python<'_>,
        (facts, picture, output, kept): Picture<'_>,
        rows: Option<Vec<i64>>,
        shapes: impl FnOnce() -> Shapes<'static> + Send,
    ) -> PyResult<Image> {
        let overrides = options::overrides(Some(&picture), self.settings.budget)?;
        let facts = facts.shape_facts()?;
        let kept = kept.as_ref().map(|kept| kept.as_slice()).transpose()?;
        let rows = match (rows, kept) {
            (Some(rows), Some(kept)) => Some(rows.into_iter().map(|row| kept[row as usize]).collect()),
            (rows, None) => rows,
            (None, Some(kept)) => Some(kept.to_vec()),
        };
        self.draw(py, &output.with_rows(rows.as_deref()), || {
            figure_of_shapes(Vec::new(), shapes(), SphereKind::Particles, &facts, &overrides).map(Cow::Owned)
        })
    }

    /// Draws cylinders: both ends (n, 3) float32 in C order, a radius or (n,) float32, colours of either half.
    pub(crate) fn draw_cylinders(
        &self,
        py: Python<'_>,
        ends: [PyReadonlyArray2<'_, f32>; 2],
        (radii, colors): (Radii<'_>, [Colors<'_>; 2]),
        is_round: bool,
        picture: Picture<'_>,
    ) -> PyResult<Image> {
        let [starts, ends] = [rows::<3>(&ends[0])?, rows::<3>(&ends[1])?];
        let count = equal("ends", starts.len(), ends.len())?;
        let radii = columns::radii(&radii, count)?;
        let [first, second] = [columns::colors(&colors[0], count)?, columns::colors(&colors[1], count)?];
        check(py, starts, &radii)?;
        let caps = if is_round { Caps::Round } else { Caps::Flat };
        let cylinder = |row: usize| {
            PaintedCylinder::new(starts[row], ends[row], radii.get(row), first.get(row))
                .with_end_color(second.get(row))
                .with_caps(caps)
        };
        self.draw_shapes(py, picture, None, || Shapes::default().with_cylinders(shapes(count, cylinder)))
    }

    /// Draws ellipsoids: centres and radii (n, 3) float32, quaternions (n, 4) float32 in the order x, y, z, w, colours.
    pub(crate) fn draw_ellipsoids(
        &self,
        py: Python<'_>,
        [centers, radii]: [PyReadonlyArray2<'_, f32>; 2],
        rotations: Option<PyReadonlyArray2<'_, f32>>,
        colors: Colors<'_>,
        picture: Picture<'_>,
    ) -> PyResult<Image> {
        let [centers, radii] = [rows::<3>(&centers)?, rows::<3>(&radii)?];
        let count = equal("radii", centers.len(), radii.len())?;
        let rotations = rotations.as_ref().map(rows::<4>).transpose()?;
        if let Some(rotations) = rotations {
            equal("rotations", count, rotations.len())?;
        }
        let colors = columns::colors(&colors, count)?;
        let ellipsoid = |row: usize| {
            let rotation = rotations.map_or(PaintedEllipsoid::UNTURNED, |rotations| rotations[row]);
            PaintedEllipsoid::new(centers[row], radii[row], colors.get(row)).with_rotation(rotation)
        };
        self.draw_shapes(py, picture, None, || Shapes::default().with_ellipsoids(shapes(count, ellipsoid)))
    }

    /// Draws arrows: starts and vectors (n, 3) float32, a radius or (n,) float32, colours.
    pub(crate) fn draw_arrows(
        &self,
        py: Python<'_>,
        [starts, vectors]: [PyReadonlyArray2<'_, f32>; 2],
        (radii, colors): (Radii<'_>, Colors<'_>),
        picture: Picture<'_>,
    ) -> PyResult<Image> {
        let [starts, vectors] = [rows::<3>(&starts)?, rows::<3>(&vectors)?];
        let count = equal("vectors", starts.len(), vectors.len())?;
        let (radii, colors) = (columns::radii(&radii, count)?, columns::colors(&colors, count)?);
        check(py, starts, &radii)?;
        let arrow = |row: usize| PaintedArrow::new(starts[row], vectors[row], radii.get(row), colors.get(row));
        let arrows = shapes(count, arrow);
        // shafts come first, then heads; some arrows lack one or both
        let numbered = || (0_i64..).zip(&arrows);
        let shafts = numbered().filter(|(_, arrow)| arrow.shaft().is_some());
        let heads = numbered().filter(|(_, arrow)| arrow.head().is_some());
        let parts: Vec<i64> = shafts.chain(heads).map(|(row, _)| row).collect();
        self.draw_shapes(py, picture, Some(parts), || Shapes::default().with_arrows(&arrows))
    }
}

fn equal(name: &str, expected: usize, found: usize) -> PyResult<usize> {
    if expected == found {
        return Ok(expected);
    }
    Err(PyValueError::new_err(format!("{name} must be ({expected}, …), got {found} rows")))
}
