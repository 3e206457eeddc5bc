//! Blending shapes into a tile.
//!
//! Coverage comes from [`super::arc`], in `f32` for what is small and in `f64` for what is not, or for the few shapes
//! beyond that from [`super::precise`]. It is stretched by [`SLACK`] at both ends, so that pixels inside and
//! outside get exactly 1 and 0: whether a kernel looked at a pixel or a bound settled it, the bits are the same.

#![expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "pixels of a tile; float casts saturate")]

use fearless_simd::prelude::*;
use fearless_simd::{f32x8, f32x16, f64x8};

use super::arc::{Columns, Edges, Fence, FewEdges, Real};
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

/// Edges of columns or rows that a table holds: those of a block and of a last group of lanes.
const EDGES: usize = SIDE + 16;

/// [`SLACK`], and in the last lane, which is void, more than all of a pixel.
const VOID_LAST_OF_8: [f32; 8] = [SLACK, SLACK, SLACK, SLACK, SLACK, SLACK, SLACK, 64.0];
const VOID_LAST_OF_16: [f32; 16] = {
    let mut slack = [SLACK; 16];
    slack[15] = 256.0;
    slack
};

/// Rows above which it pays to find out which of them the shape covers wholly.
const TALL: usize = 12;

/// How far, of the radii, the rows of an ellipse are taken to be off: 32 times what `f64` rounds.
const MARGIN: f64 = 1.0 / (1u64 << 48) as f64;

/// Tables that one shape after the other uses.
#[derive(Debug, Default)]
pub(super) struct Tables {
    few: FewEdges,
    /// Columns and rows, of the whole and of its hole.
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
        for [.., rest] in &block.rows[self.top..self.bottom] {
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
    pub(super) fn blend<S: Simd>(&self, simd: S, [red, green, blue, rest]: &mut Planes, column: usize, weight: V)
    where
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
        || {
            let [whole, hole] = &mut *tables.small;
            let outer = Table::fill::<S, f32x16<S>>(simd, whole, block, shape.center, shape.outer, shape.alpha, area);
            let inner = match shape.inner {
                Some(inner) => {
                    Some(Table::fill::<S, f32x16<S>>(simd, hole, block, shape.center, inner, shape.alpha, area))
                }
                None => None,
            };
            paint_groups(simd, &outer, inner.as_ref(), block, shape, area, space);
        },
    );
}

fn paint_large<S: Simd>(simd: S, tables: &mut Tables, block: &mut Block, shape: &Shape, area: Area, space: &Space) {
    simd.vectorize(
        #[inline(always)]
        || {
            let [whole, hole] = &mut *tables.large;
            let outer = Table::fill::<S, f64x8<S>>(simd, whole, block, shape.center, shape.outer, shape.alpha, area);
            let inner = match shape.inner {
                Some(inner) => {
                    Some(Table::fill::<S, f64x8<S>>(simd, hole, block, shape.center, inner, shape.alpha, area))
                }
                None => None,
            };
            paint_groups(simd, &outer, inner.as_ref(), block, shape, area, space);
        },
    );
}

/// One ellipse's edges in a tile.
struct Table<'a, T> {
    columns: &'a Edges<T, EDGES>,
    rows: &'a Edges<T, EDGES>,
    scale: T,
    bounds: Bounds,
}

impl<'a, T: Real> Table<'a, T> {
    #[inline(always)]
    fn fill<S: Simd, V: SimdFloat<S, Element = T>>(
        simd: S,
        [columns, rows]: &'a mut [Edges<T, EDGES>; 2],
        block: &Block,
        center: [f32; 2],
        radii: [f32; 2],
        alpha: f32,
        area: Area,
    ) -> Self {
        let (x, y) = (block.x + area.left as i32, block.y + area.top as i32);
        // the last group's lanes go past the shape, where the one edge more or the overhang keeps them from weighing
        columns.fill::<S, V>(simd, x, area.width() + 1, T::from_f32(center[0]), T::from_f32(radii[0]));
        rows.fill::<S, V>(simd, y, area.height() + 1, T::from_f32(center[1]), T::from_f32(radii[1]));
        Self { columns, rows, scale: T::from_f64(stretch(radii, alpha)), bounds: Bounds::new(block, center, radii) }
    }
}

/// Tells rows of a group of columns that an ellipse misses, crosses or covers.
#[derive(Clone, Copy)]
struct Bounds {
    center: [f64; 2],
    radii: [f64; 2],
    /// The radii's ratio, y over x.
    rise: f64,
}

/// Rows of a tile: `reached` holds what is not missed, `covered` what is covered wholly; both half-open.
#[derive(Clone, Copy)]
struct Rows {
    reached: (usize, usize),
    covered: (usize, usize),
}

impl Rows {
    fn covers(&self, row: usize) -> bool {
        self.covered.0 <= row && row < self.covered.1
    }

    fn reaches(&self, row: usize) -> bool {
        self.reached.0 <= row && row < self.reached.1
    }
}

impl Bounds {
    fn new(block: &Block, center: [f32; 2], radii: [f32; 2]) -> Self {
        let [x, y] = center.map(f64::from);
        let radii = radii.map(f64::from);
        Self { center: [x - f64::from(block.x), y - f64::from(block.y)], rise: radii[1] / radii[0], radii }
    }

    /// The rows of so many columns from `column` on. Rounding misplaces a rim by far less than the margin; what the margin
    /// misplaces is less than the slack, or is looked at pixel by pixel.
    #[inline(always)]
    fn rows(&self, column: usize, width: usize, area: Area) -> Rows {
        let before = column as f64 - self.center[0];
        let behind = before + width.min(area.right - column) as f64;
        let x = self.radii[0];
        let margin = self.radii.map(|radius| radius * MARGIN);
        let half = |offset: f64| self.rise * ((x - offset) * (x + offset)).max(0.0).sqrt();
        let clip = |edge: f64| pixel(edge).clamp(area.top as i32, area.bottom as i32) as usize;
        let nearest = (before.max(-behind) - margin[0]).max(0.0);
        let farthest = before.abs().max(behind.abs()) + margin[0];
        if nearest >= x {
            return Rows { reached: (area.top, area.top), covered: (area.top, area.top) };
        }
        let (reach, cover) = (half(nearest) + margin[1], half(farthest) - margin[1]);
        let reached = (clip((self.center[1] - reach).floor()), clip((self.center[1] + reach).ceil()));
        let covered = (clip((self.center[1] - cover).ceil()), clip((self.center[1] + cover).floor()));
        let covered = if covered.0 < covered.1 { covered } else { (reached.0, reached.0) };
        Rows { reached, covered }
    }
}

/// Coverage, in as many lanes as are looked at together.
type Coverage<S, T> = <<T as Real>::Columns<S> as Columns<S, T>>::Coverage;

/// The coverage of row after row of a group of columns.
struct Sweep<'a, S: Simd, T: Real> {
    columns: T::Columns<S>,
    rows: &'a Edges<T, EDGES>,
    scale: T,
    /// The area down to the last edge asked for, and which that was.
    area: <T::Columns<S> as Columns<S, T>>::Area,
    edge: usize,
}

impl<'a, S: Simd, T: Real> Sweep<'a, S, T> {
    #[inline(always)]
    fn new(simd: S, table: &Table<'a, T>, column: usize) -> Self {
        let columns = T::Columns::<S>::at(simd, table.columns, column);
        Self { area: columns.area_to(simd, table.rows, 0), edge: 0, columns, rows: table.rows, scale: table.scale }
    }

    /// Coverage times opacity of a row, counted in the table's edges, ready for [`Ink::weight`].
    #[inline(always)]
    fn row(&mut self, simd: S, row: usize) -> Coverage<S, T> {
        if self.edge != row {
            self.area = self.columns.area_to(simd, self.rows, row);
        }
        let below = self.columns.area_to(simd, self.rows, row + 1);
        let above = std::mem::replace(&mut self.area, below);
        self.edge = row + 1;
        T::Columns::<S>::between(below, above, self.scale)
    }
}

/// Paints sixteen columns after the other: rows that are covered as they are, then the rim in smaller groups.
#[inline(always)]
fn paint_groups<S: Simd, T: Real>(
    simd: S,
    outer: &Table<'_, T>,
    inner: Option<&Table<'_, T>>,
    block: &mut Block,
    shape: &Shape,
    area: Area,
    space: &Space,
) {
    let ink = Ink::<f32x16<S>>::new(simd, shape, space);
    let fine = Ink::<Coverage<S, T>>::new(simd, shape, space);
    for column in (area.left..area.right).step_by(16) {
        let mut covered = (area.top, area.top);
        if inner.is_none() && area.height() >= TALL {
            covered = outer.bounds.rows(column, 16, area).covered;
            for planes in &mut block.rows[covered.0..covered.1] {
                if shows::<S, f32x16<S>>(simd, planes, column) {
                    ink.blend(simd, planes, column, ink.full);
                }
            }
        }
        let end = area.right.min(column + 16);
        for column in (column..end).step_by(Coverage::<S, T>::LEN) {
            paint_rim(simd, outer, inner, block, &fine, area, column, covered);
        }
    }
}

/// Whether any of a few pixels of a row shows something.
#[inline(always)]
fn shows<S: Simd, V: SimdFloat<S, Element = f32>>(simd: S, [.., rest]: &Planes, column: usize) -> bool {
    V::from_slice(simd, &rest[column..column + V::LEN]).simd_gt(0.0).any_true()
}

/// Paints a group of columns row by row, but for the rows that are covered; those that a bound settles need no coverage.
#[inline(always)]
#[expect(clippy::too_many_arguments, reason = "registers of one loop")]
fn paint_rim<S: Simd, T: Real>(
    simd: S,
    outer: &Table<'_, T>,
    inner: Option<&Table<'_, T>>,
    block: &mut Block,
    ink: &Ink<Coverage<S, T>>,
    area: Area,
    column: usize,
    covered: (usize, usize),
) {
    let lanes = Coverage::<S, T>::LEN;
    let slack = ink.full * SLACK;
    let all = Rows { reached: (area.top, area.bottom), covered: (area.top, area.top) };
    let whole = if area.height() < TALL { all } else { outer.bounds.rows(column, lanes, area) };
    let mut outside = Sweep::new(simd, outer, column - area.left);
    let (mut hole, mut inside) = (None, None);
    if let Some(inner) = inner {
        hole = Some(inner.bounds.rows(column, lanes, area));
        inside = Some(Sweep::new(simd, inner, column - area.left));
    }
    let mut row = whole.reached.0;
    while row < whole.reached.1 {
        if row == covered.0 && covered.0 < covered.1 {
            row = covered.1;
            continue;
        }
        if let Some(hole) = hole
            && hole.covers(row)
        {
            row = hole.covered.1;
            continue;
        }
        let planes = &mut block.rows[row];
        if shows::<S, Coverage<S, T>>(simd, planes, column) {
            let mut weight =
                if whole.covers(row) { ink.full } else { ink.weight(outside.row(simd, row - area.top), slack) };
            if let (Some(hole), Some(inside)) = (hole, &mut inside)
                && hole.reaches(row)
            {
                weight -= ink.weight(inside.row(simd, row - area.top), slack);
            }
            ink.blend(simd, planes, column, weight);
        }
        row += 1;
    }
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
                let whole = outer.rows(column, 16, area);
                let hole = hole.map(|(radii, bounds)| (radii, bounds.rows(column, 16, area)));
                for row in whole.reached.0..whole.reached.1 {
                    let corner = [block.x + column as i32, block.y + row as i32];
                    let mut weight = ink.full;
                    if !whole.covers(row) {
                        let coverage = precise::coverages(shape.center, shape.outer, corner);
                        weight = ink.weight(f32x16::simd_from(simd, coverage) * stretch, slack);
                    }
                    if let Some((radii, hole)) = hole {
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
