//! Chooses the coverage kernel for a shape, and fills the shape with it: filled shapes of few pixels go to
//! [`SmallRows`], others by radius and centre to tables in `f32`, tables in fixed point, or single pixels in `f64`.

#![expect(clippy::cast_possible_truncation, clippy::cast_possible_wrap, reason = "pixels of a block")]

use fearless_simd::prelude::*;
use fearless_simd::{f32x8, f32x16};

use super::blend::{BlendSpace, Ink};
use super::block::{PixelBlock, PixelRect};
use super::coverage::fixed::{self, FixedTables};
use super::coverage::float::{self, FloatTables};
use super::coverage::per_pixel::PerPixel;
use super::coverage::rim::EdgeTables;
use super::coverage::small::SmallRows;
use super::fill;
use super::shape::RasterShape;

/// Scratch memory of the kernels, reused from shape to shape.
#[derive(Debug, Default)]
pub(super) struct Tables {
    small: SmallRows,
    float: Box<FloatTables>,
    fixed: Box<FixedTables>,
    per_pixel: PerPixel,
}

/// The kernels of shapes of any size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kernel {
    Float,
    Fixed,
    PerPixel,
}

impl Kernel {
    #[inline(always)]
    pub(super) fn of(shape: &RasterShape) -> Self {
        let most = shape.radii[0].max(shape.radii[1]);
        let farthest = shape.center[0].abs().max(shape.center[1].abs());
        if shape.beyond != [0.0; 2] {
            Self::PerPixel
        } else if most <= float::MAX_RADIUS
            && shape.radii[0] * shape.radii[1] <= float::MAX_PRODUCT
            && farthest <= float::MAX_CENTER
        {
            Self::Float
        } else if most.max(farthest) <= fixed::MAX_CENTER
            && f64::from(shape.radii[0]) * f64::from(shape.radii[1]) <= fixed::MAX_PRODUCT
        {
            Self::Fixed
        } else {
            Self::PerPixel
        }
    }
}

/// Fills a shape of any size.
#[inline(always)]
pub(super) fn fill_shape<S: Simd>(
    simd: S,
    tables: &mut Tables,
    block: &mut PixelBlock,
    shape: &RasterShape,
    space: &BlendSpace,
) {
    let [radii, _] = shape.exact_radii();
    let Some(rect) = PixelRect::touched(block, shape.center, radii) else { return };
    match Kernel::of(shape) {
        Kernel::Float => fill_spans(simd, &mut *tables.float, block, rect, shape, space),
        Kernel::Fixed => fill_spans(simd, &mut *tables.fixed, block, rect, shape, space),
        Kernel::PerPixel => fill_spans(simd, &mut tables.per_pixel, block, rect, shape, space),
    }
}

/// Fills a shape without a hole and of at most [`super::coverage::small::MAX_RADIUS`], in a rectangle that is not
/// empty.
#[inline(always)]
pub(super) fn fill_small<S: Simd>(
    simd: S,
    tables: &mut Tables,
    block: &mut PixelBlock,
    rect: PixelRect,
    shape: &RasterShape,
    space: &BlendSpace,
) {
    let corner = [block.x + rect.left as i32, block.y + rect.top as i32];
    match rect.width().max(rect.height()) {
        0..8 => {
            if block.shows_through::<S, f32x8<S>>(simd, rect) {
                let edges = tables.small.seven(simd, shape, corner);
                fill::fill_small(simd, &Ink::new(simd, shape, space), block, rect, edges.sweep(simd));
            }
        }
        8..16 => {
            if block.shows_through::<S, f32x16<S>>(simd, rect) {
                let edges = tables.small.fifteen(simd, shape, corner);
                fill::fill_small(simd, &Ink::new(simd, shape, space), block, rect, edges.sweep(simd));
            }
        }
        // rounding made the box larger
        _ => fill_spans(simd, &mut *tables.float, block, rect, shape, space),
    }
}

/// Not inlined, so that it is compiled once per instruction set.
fn fill_spans<S: Simd, T: EdgeTables>(
    simd: S,
    tables: &mut T,
    block: &mut PixelBlock,
    rect: PixelRect,
    shape: &RasterShape,
    space: &BlendSpace,
) {
    simd.vectorize(
        #[inline(always)]
        || fill::fill_spans(simd, tables, block, rect, shape, space),
    );
}
