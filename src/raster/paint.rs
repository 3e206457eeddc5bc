//! Blending shapes into a tile.
//!
//! Coverage comes from [`super::arc`], in `f32` for what is small and in `f64` for what is not, or for the few shapes
//! beyond that from [`super::precise`]. It is stretched by [`SLACK`] at both ends, so that pixels inside and
//! outside get exactly 1 and 0: whether a kernel looked at a pixel or a bound settled it, the bits are the same.

#![expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "pixels of a tile; float casts saturate")]

use std::ops::Range;

use fearless_simd::prelude::*;
use fearless_simd::{f32x8, f32x16, f64x8};

use super::arc::{Axis, Columns, Edges, Fence, FewEdges, Real};
use super::bands::{Band, Bounds, GROUPS};
use super::block::{Block, Planes, SIDE};
use super::precise;
use super::shape::{Shape, Space};
use crate::color::Srgba8;

/// Coverage nearer to 0 or 1 than this is 0 or 1. More than any kernel's error, and with it below 1/512, for rings too.
pub(super) const SLACK: f32 = 1.0 / 4096.0;

/// The largest radius for the kernels of few pixels.
pub(super) const FEW_RADIUS: f32 = 7.0;

/// The largest product of the radii for the `f32` kernel, whose error is 2⁻²¹ of it: within the slack.
const SMALL_PRODUCT: f32 = 480.0;

/// The largest radius for the `f32` kernel: edges then lie within 2⁻¹⁸ of a pixel of where they belong.
const SMALL_RADIUS: f32 = 64.0;

/// The farthest centre for the `f32` kernel: edges are whole numbers there, and well apart.
pub(super) const SMALL_CENTER: f32 = 4_194_304.0;

/// The largest product of the radii for the `f64` kernel, whose error is 2⁻⁴⁸ of it: a slack of 2⁻¹² holds by far.
const LARGE_PRODUCT: f64 = 17_179_869_184.0;

/// Columns of a rim that are looked at together.
const COLUMNS: usize = 8;

/// Edges of columns or rows that a table holds: those of a block and of a last group of lanes.
const EDGES: usize = SIDE + 16;

/// [`SLACK`], and in the last lane, which is void, more than all of a pixel.
const VOID_LAST_OF_8: [f32; 8] = [SLACK, SLACK, SLACK, SLACK, SLACK, SLACK, SLACK, 64.0];
const VOID_LAST_OF_16: [f32; 16] = {
    let mut slack = [SLACK; 16];
    slack[15] = 256.0;
    slack
};

/// Tables that one shape after the other uses.
#[derive(Debug, Default)]
pub(super) struct Tables {
    few: FewEdges,
    /// Between columns and between rows, of the whole and of its hole.
    small: Box<[[Edges<f32, EDGES>; 2]; 2]>,
    large: Box<[[Edges<f64, EDGES>; 2]; 2]>,
}

/// Pixels of a tile, counted from its left and top edges, half-open.
#[derive(Clone, Copy, Debug)]
pub(super) struct Area {
    pub(super) left: usize,
    pub(super) right: usize,
    pub(super) top: usize,
    pub(super) bottom: usize,
}

impl Area {
    /// The tile's pixels that the ellipse's box reaches; `None` when there are none.
    #[inline(always)]
    fn reached(block: &Block, center: [f32; 2], radii: [f32; 2]) -> Option<Self> {
        let range = |axis: usize, start: i32, length: usize| {
            let (center, radius) = (f64::from(center[axis]), f64::from(radii[axis]));
            let (first, last) = (pixel((center - radius).floor()), pixel((center + radius).ceil()));
            let clip = |edge: i32| edge.saturating_sub(start).clamp(0, length as i32) as usize;
            (clip(first), clip(last))
        };
        let (left, right) = range(0, block.x, block.width);
        let (top, bottom) = range(1, block.y, block.height);
        (left < right && top < bottom).then_some(Self { left, right, top, bottom })
    }

    /// Whether anything shows through the rows, as wide as the lanes.
    #[inline(always)]
    fn shows<S: Simd, V: SimdFloat<S, Element = f32>>(&self, simd: S, block: &Block) -> bool {
        let mut shows = V::splat(simd, 0.0);
        for Planes([.., rest]) in &block.rows[self.top..self.bottom] {
            shows = shows.max(V::from_slice(simd, &rest[self.left..self.left + V::LEN]));
        }
        shows.simd_gt(0.0).any_true()
    }

    fn width(&self) -> usize {
        self.right - self.left
    }

    fn height(&self) -> usize {
        self.bottom - self.top
    }

    /// As many columns as are looked at together start at a multiple of their number: they then lie in one line of the cache.
    fn aligned(self) -> Self {
        Self { left: self.left - self.left % COLUMNS, ..self }
    }
}

/// The edge as an integer; what lies beyond any canvas saturates.
#[inline(always)]
fn pixel(edge: f64) -> i32 {
    edge as i32
}

/// A colour in every lane, and when a pixel is finished.
#[derive(Clone, Copy)]
pub(super) struct Ink<V> {
    color: [V; 3],
    /// Opacity, the weight of a pixel that is covered wholly.
    full: V,
    finished: V,
}

impl<V> Ink<V> {
    #[inline(always)]
    pub(super) fn new<S: Simd>(simd: S, shape: &Shape, space: &Space) -> Self
    where
        V: SimdFloat<S, Element = f32>,
    {
        let Srgba8 { r, g, b, .. } = shape.color;
        let value = |channel: u8| V::splat(simd, space.channels[usize::from(channel)]);
        Self {
            color: [value(r), value(g), value(b)],
            full: V::splat(simd, shape.alpha),
            finished: V::splat(simd, space.finished),
        }
    }

    /// The weight of coverage that comes times the opacity and [`stretch`]ed.
    #[inline(always)]
    fn weight<S: Simd>(&self, coverage: V, slack: V) -> V
    where
        V: SimdFloat<S, Element = f32>,
    {
        (coverage - slack).max(0.0).min(self.full)
    }

    /// Puts `weight` of the colour below what the pixels show already, from a column on.
    #[inline(always)]
    pub(super) fn blend<S: Simd>(
        &self,
        simd: S,
        Planes([red, green, blue, rest]): &mut Planes,
        column: usize,
        weight: V,
    ) where
        V: SimdFloat<S, Element = f32>,
    {
        let lanes = column..column + V::LEN;
        let (red, green) = (&mut red[lanes.clone()], &mut green[lanes.clone()]);
        let (blue, rest) = (&mut blue[lanes.clone()], &mut rest[lanes]);
        let transmittance = V::from_slice(simd, rest);
        let share = transmittance * weight;
        let [r, g, b] = self.color;
        (V::from_slice(simd, red) + share * r).store_slice(red);
        (V::from_slice(simd, green) + share * g).store_slice(green);
        (V::from_slice(simd, blue) + share * b).store_slice(blue);
        let left = transmittance - share;
        left.simd_lt(self.finished).select(V::splat(simd, 0.0), left).store_slice(rest);
    }
}

/// What coverage is multiplied by, so that less [`SLACK`] and clamped its ends are exact, and comes times the opacity.
#[inline(always)]
pub(super) fn stretch(radii: [f32; 2], alpha: f32) -> f64 {
    f64::from(radii[0]) * f64::from(radii[1]) * f64::from(alpha) * f64::from(1.0 + 2.0 * SLACK)
}

/// Paints the shape below all that has been painted before it. A pixel is finished when less than `finished` shows through.
#[inline(always)]
pub(super) fn paint<S: Simd>(simd: S, tables: &mut Tables, block: &mut Block, shape: &Shape, space: &Space) {
    let Some(area) = Area::reached(block, shape.center, shape.outer) else { return };
    match Kernel::of(shape.center, shape.outer) {
        Kernel::Small => paint_small(simd, tables, block, shape, area, space),
        Kernel::Large => paint_large(simd, tables, block, shape, area, space),
        Kernel::Huge => paint_huge(simd, block, shape, area, space),
    }
}

/// Paints a filled shape of at most [`FEW_RADIUS`], in an area that is never empty.
#[inline(always)]
pub(super) fn paint_few<S: Simd>(
    simd: S,
    tables: &mut Tables,
    block: &mut Block,
    shape: &Shape,
    area: Area,
    space: &Space,
) {
    match area.width().max(area.height()) {
        0..8 => paint_seven(simd, tables, block, shape, area, space),
        8..16 => paint_fifteen(simd, tables, block, shape, area, space),
        _ => paint_small(simd, tables, block, shape, area, space),
    }
}

/// Paints a shape that covers all of the tile.
pub(super) fn paint_whole<S: Simd>(simd: S, block: &mut Block, shape: &Shape, space: &Space) {
    simd.vectorize(
        #[inline(always)]
        || {
            let ink = Ink::<f32x16<S>>::new(simd, shape, space);
            for planes in &mut block.rows[..block.height] {
                for column in (0..block.width).step_by(16) {
                    ink.blend(simd, planes, column, ink.full);
                }
            }
        },
    );
}

/// The way to an ellipse's coverage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kernel {
    Small,
    Large,
    Huge,
}

impl Kernel {
    #[inline(always)]
    fn of(center: [f32; 2], radii: [f32; 2]) -> Self {
        let most = radii[0].max(radii[1]);
        let reach = center[0].abs().max(center[1].abs());
        if most <= SMALL_RADIUS && radii[0] * radii[1] <= SMALL_PRODUCT && reach <= SMALL_CENTER {
            Self::Small
        } else if f64::from(radii[0]) * f64::from(radii[1]) <= LARGE_PRODUCT {
            Self::Large
        } else {
            Self::Huge
        }
    }
}

#[inline(always)]
fn paint_seven<S: Simd>(simd: S, tables: &mut Tables, block: &mut Block, shape: &Shape, area: Area, space: &Space) {
    if area.shows::<S, f32x8<S>>(simd, block) {
        let corner = [block.x + area.left as i32, block.y + area.top as i32];
        let fence = tables.few.fill_seven(simd, corner, shape.center, shape.outer);
        let slack = f32x8::simd_from(simd, VOID_LAST_OF_8);
        paint_rows(simd, fence, &tables.few, block, shape, area, space, slack);
    }
}

#[inline(always)]
fn paint_fifteen<S: Simd>(simd: S, tables: &mut Tables, block: &mut Block, shape: &Shape, area: Area, space: &Space) {
    if area.shows::<S, f32x16<S>>(simd, block) {
        let corner = [block.x + area.left as i32, block.y + area.top as i32];
        let fence = tables.few.fill_fifteen(simd, corner, shape.center, shape.outer);
        let slack = f32x16::simd_from(simd, VOID_LAST_OF_16);
        paint_rows(simd, fence, &tables.few, block, shape, area, space, slack);
    }
}

/// A filled shape of few pixels: coverage and blending in one go.
#[inline(always)]
#[expect(clippy::too_many_arguments, reason = "registers of one loop")]
fn paint_rows<S: Simd, V: SimdFloat<S, Element = f32>>(
    simd: S,
    fence: Fence<V>,
    rows: &FewEdges,
    block: &mut Block,
    shape: &Shape,
    area: Area,
    space: &Space,
    slack: V,
) {
    let scale = V::splat(simd, f32::from_f64(stretch(shape.outer, shape.alpha)));
    let slack = slack * shape.alpha;
    let ink = Ink::<V>::new(simd, shape, space);
    let mut above = fence.area_to(simd, rows, 0);
    for (planes, row) in block.rows[area.top..area.bottom].iter_mut().zip(1..16) {
        let below = fence.area_to(simd, rows, row);
        let weight = ink.weight((below - above) * scale, slack);
        above = below;
        ink.blend(simd, planes, area.left, weight);
    }
}

fn paint_small<S: Simd>(simd: S, tables: &mut Tables, block: &mut Block, shape: &Shape, area: Area, space: &Space) {
    simd.vectorize(
        #[inline(always)]
        || paint_tabled::<S, f32, f32x16<S>>(simd, &mut tables.small, block, shape, area, space),
    );
}

fn paint_large<S: Simd>(simd: S, tables: &mut Tables, block: &mut Block, shape: &Shape, area: Area, space: &Space) {
    simd.vectorize(
        #[inline(always)]
        || paint_tabled::<S, f64, f64x8<S>>(simd, &mut tables.large, block, shape, area, space),
    );
}

/// Fills in the tables of the shape, and of its hole if there is one, and paints by them.
#[inline(always)]
fn paint_tabled<S: Simd, T: Real, V: SimdFloat<S, Element = T>>(
    simd: S,
    [columns, rows]: &mut [[Edges<T, EDGES>; 2]; 2],
    block: &mut Block,
    shape: &Shape,
    area: Area,
    space: &Space,
) {
    let area = area.aligned();
    let [x, y] = shape.center.map(T::from_f32);
    // the last group's lanes may go past the shape, into edges of earlier ones: these lie in the overhang, or weigh nothing
    let across = [block.x + area.left as i32, area.width().next_multiple_of(COLUMNS) as i32 + 1];
    let down = [block.y + area.top as i32, area.height() as i32 + 1];
    for (index, radii) in [Some(shape.outer), shape.inner].into_iter().flatten().enumerate() {
        columns[index].fill::<S, V>(simd, Axis::X, across, x, T::from_f32(radii[0]));
        rows[index].fill::<S, V>(simd, Axis::Y, down, y, T::from_f32(radii[1]));
    }
    let (outer, inner) = (Table::new(columns, rows, 0, block, shape, shape.outer), shape.inner);
    let inner = inner.map(|inner| Table::new(columns, rows, 1, block, shape, inner));
    let ink = Ink::new(simd, shape, space);
    let slack = ink.full * SLACK;
    Brush { simd, outer, inner, ink, slack, area }.paint(block, &Ink::new(simd, shape, space));
}

/// One ellipse's edges in a block.
struct Table<'a, T> {
    columns: &'a Edges<T, EDGES>,
    rows: &'a Edges<T, EDGES>,
    scale: T,
    bounds: Bounds,
}

impl<'a, T: Real> Table<'a, T> {
    #[inline(always)]
    fn new(
        columns: &'a [Edges<T, EDGES>; 2],
        rows: &'a [Edges<T, EDGES>; 2],
        index: usize,
        block: &Block,
        shape: &Shape,
        radii: [f32; 2],
    ) -> Self {
        let scale = T::from_f64(stretch(radii, shape.alpha));
        Self { columns: &columns[index], rows: &rows[index], scale, bounds: Bounds::new(block, shape.center, radii) }
    }
}

/// Rows of an area on one side of an ellipse's centre, or across it only in the first of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Half {
    Upper,
    Lower,
}

/// The coverage of row after row of a group of columns.
struct Sweep<'a, S: Simd, T: Real> {
    columns: T::Columns<S>,
    rows: &'a Edges<T, EDGES>,
    scale: T,
    /// The area down to the last row's edge.
    area: <T::Columns<S> as Columns<S, T>>::Area,
}

impl<'a, S: Simd, T: Real> Sweep<'a, S, T> {
    /// From a row on; both count in the table's edges.
    #[inline(always)]
    fn new(simd: S, table: &Table<'a, T>, half: Half, column: usize, row: usize) -> Self {
        let columns = T::Columns::<S>::at(simd, table.columns, column);
        let side = match half {
            Half::Upper => T::from(-1i8),
            Half::Lower => T::from(1i8),
        };
        // all edges but the first lie on that side: their common sign goes into the scale
        let area = columns.area_to(simd, table.rows, row) * (side * table.rows.side(row));
        Self { columns, rows: table.rows, scale: side * table.scale, area }
    }

    /// Coverage times opacity down to the next edge, ready for [`Ink::weight`].
    #[inline(always)]
    fn next(&mut self, simd: S, edge: usize) -> f32x8<S> {
        let below = self.columns.area_to(simd, self.rows, edge);
        let above = std::mem::replace(&mut self.area, below);
        T::Columns::<S>::between(below, above, self.scale)
    }
}

/// An ellipse or ring, a block, and what one is painted into the other with.
struct Brush<'a, S: Simd, T: Real> {
    simd: S,
    outer: Table<'a, T>,
    inner: Option<Table<'a, T>>,
    ink: Ink<f32x8<S>>,
    slack: f32x8<S>,
    area: Area,
}

impl<S: Simd, T: Real> Brush<'_, S, T> {
    /// Paints two groups of columns after the other: of an ellipse without a hole the rows that both cover in one go.
    #[inline(always)]
    fn paint(&self, block: &mut Block, wide: &Ink<f32x16<S>>) {
        let area = self.area;
        for first in (area.left..area.right).step_by(GROUPS * COLUMNS) {
            let end = area.right.min(first + GROUPS * COLUMNS);
            let outer = self.outer.bounds.bands(self.simd, [first, COLUMNS], area);
            let inner = self.inner.as_ref().map(|inner| inner.bounds.bands(self.simd, [first, COLUMNS], area));
            for (group, column) in (first..end).step_by(COLUMNS).enumerate() {
                let whole = outer.group(group);
                let hole = if let Some(inner) = &inner {
                    inner.group(group)
                } else if column + COLUMNS < end || group % 2 == 1 {
                    let pair = whole.covered_with(outer.group(group ^ 1));
                    if group % 2 == 0 {
                        self.paint_wide(block, wide, column, pair);
                    }
                    Band { reached: pair, covered: pair }
                } else {
                    whole.centre()
                };
                self.paint_group(block, column, whole, hole);
            }
        }
    }

    /// Paints a group of columns: its upper half, then its lower. Rows that the hole covers are left as they are.
    #[inline(always)]
    fn paint_group(&self, block: &mut Block, column: usize, whole: Band, hole: Band) {
        let (mut above, mut below) = (whole.reached.0, whole.reached.1);
        if self.inner.is_none() || whole.covered.0 < hole.reached.0 {
            self.paint_rim(block, column, Half::Upper, whole.reached.0..whole.covered.0);
            self.paint_plain(block, column, whole.covered.0..hole.reached.0);
            above = hole.reached.0;
        }
        if self.inner.is_none() || hole.reached.1 < whole.covered.1 {
            self.paint_plain(block, column, hole.reached.1..whole.covered.1);
            self.paint_rim(block, column, Half::Lower, whole.covered.1..whole.reached.1);
            below = hole.reached.1;
        }
        self.paint_rims(block, column, Half::Upper, above..hole.covered.0);
        self.paint_rims(block, column, Half::Lower, hole.covered.1..below);
    }

    /// Paints rows of two groups of columns that are covered wholly.
    #[inline(always)]
    fn paint_wide(&self, block: &mut Block, wide: &Ink<f32x16<S>>, column: usize, (start, end): (usize, usize)) {
        for row in start..end {
            let planes = &mut block.rows[row];
            if shows::<S, f32x16<S>>(self.simd, planes, column) {
                wide.blend(self.simd, planes, column, wide.full);
            }
        }
    }

    /// Paints rows that are covered wholly.
    #[inline(always)]
    fn paint_plain(&self, block: &mut Block, column: usize, rows: Range<usize>) {
        for row in rows {
            let planes = &mut block.rows[row];
            if shows::<S, f32x8<S>>(self.simd, planes, column) {
                self.ink.blend(self.simd, planes, column, self.ink.full);
            }
        }
    }

    /// Paints rows that the rim crosses.
    #[inline(always)]
    fn paint_rim(&self, block: &mut Block, column: usize, half: Half, rows: Range<usize>) {
        if rows.is_empty() {
            return;
        }
        let Area { left, top, .. } = self.area;
        let mut sweep = Sweep::new(self.simd, &self.outer, half, column - left, rows.start - top);
        for row in rows {
            let weight = self.ink.weight(sweep.next(self.simd, row + 1 - top), self.slack);
            self.ink.blend(self.simd, &mut block.rows[row], column, weight);
        }
    }

    /// Paints rows that the rims of both ellipses may cross.
    #[inline(always)]
    fn paint_rims(&self, block: &mut Block, column: usize, half: Half, rows: Range<usize>) {
        let Some(inner) = &self.inner else { return };
        if rows.is_empty() {
            return;
        }
        let Area { left, top, .. } = self.area;
        let mut outside = Sweep::new(self.simd, &self.outer, half, column - left, rows.start - top);
        let mut inside = Sweep::new(self.simd, inner, half, column - left, rows.start - top);
        for row in rows {
            let covered = self.ink.weight(outside.next(self.simd, row + 1 - top), self.slack);
            let hole = self.ink.weight(inside.next(self.simd, row + 1 - top), self.slack);
            self.ink.blend(self.simd, &mut block.rows[row], column, covered - hole);
        }
    }
}

/// Whether any of a few pixels of a row shows something.
#[inline(always)]
fn shows<S: Simd, V: SimdFloat<S, Element = f32>>(simd: S, Planes([.., rest]): &Planes, column: usize) -> bool {
    V::from_slice(simd, &rest[column..column + V::LEN]).simd_gt(0.0).any_true()
}

/// A shape beyond the tables, pixel by pixel at its rim.
fn paint_huge<S: Simd>(simd: S, block: &mut Block, shape: &Shape, area: Area, space: &Space) {
    simd.vectorize(
        #[inline(always)]
        || {
            let ink = Ink::<f32x16<S>>::new(simd, shape, space);
            let slack = f32x16::splat(simd, SLACK * shape.alpha);
            let stretch = shape.alpha * (1.0 + 2.0 * SLACK);
            let outer = Bounds::new(block, shape.center, shape.outer);
            let hole = shape.inner.map(|radii| (radii, Bounds::new(block, shape.center, radii)));
            for column in (area.left..area.right).step_by(16) {
                let whole = outer.bands(simd, [column, 16], area).group(0);
                let hole = hole.map(|(radii, bounds)| (radii, bounds.bands(simd, [column, 16], area).group(0)));
                for row in whole.reached.0..whole.reached.1 {
                    let corner = [block.x + column as i32, block.y + row as i32];
                    let mut weight = ink.full;
                    if !whole.covers(row) {
                        let coverage = precise::coverages(shape.center, shape.outer, corner);
                        weight = ink.weight(f32x16::simd_from(simd, coverage) * stretch, slack);
                    }
                    if let Some((radii, hole)) = hole
                        && hole.reaches(row)
                    {
                        let mut inside = ink.full;
                        if !hole.covers(row) {
                            let coverage = precise::coverages(shape.center, radii, corner);
                            inside = ink.weight(f32x16::simd_from(simd, coverage) * stretch, slack);
                        }
                        weight -= inside;
                    }
                    ink.blend(simd, &mut block.rows[row], column, weight);
                }
            }
        },
    );
}
