//! Blending shapes into a tile.
//!
//! Coverage comes from [`super::arc`] in `f32` for what is small, from [`super::fixed`] in fixed point for what is not, from
//! [`super::arc`] again, in `f64`, for the few shapes beyond that and from [`super::precise`] for the rest. It is stretched by
//! [`SLACK`] at both ends, so that pixels inside and outside get exactly 1 and 0: whether a kernel looked at a pixel or
//! a bound settled it, the bits are the same.

#![expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "pixels of a tile; float casts saturate")]

use fearless_simd::prelude::*;
use fearless_simd::{f32x8, f32x16};

use super::arc::{Fence, FewEdges, Real};
use super::bands::Bounds;
use super::block::{Block, Planes};
use super::brush;
use super::fixed::FixedRims;
use super::precise;
use super::rim::{FloatRims, Rims};
use super::shape::{Shape, Space};
use crate::color::Srgba8;

/// Coverage nearer to 0 or 1 than this is 0 or 1. More than any kernel's error, and with it below 1/512, for rings too.
pub(super) const SLACK: f32 = 1.0 / (1 << SLACK_BITS) as f32;

/// The slack's binary places.
pub(super) const SLACK_BITS: u32 = 12;

/// The largest radius for the kernels of few pixels.
pub(super) const FEW_RADIUS: f32 = 7.0;

/// The largest product of the radii for the `f32` kernel, whose error is 2⁻²¹ of it: within the slack.
const SMALL_PRODUCT: f32 = 480.0;

/// The largest radius for the `f32` kernel: edges then lie within 2⁻¹⁸ of a pixel of where they belong.
const SMALL_RADIUS: f32 = 64.0;

/// The farthest centre for the `f32` and the fixed-point kernel: edges are whole numbers there, and well apart.
pub(super) const SMALL_CENTER: f32 = 4_194_304.0;

/// The largest radius for the fixed-point kernel: areas are below 2²¹ then, errors below 2⁻²⁰.
const MEDIUM_RADIUS: f32 = 1024.0;

/// The largest product of the radii for the `f64` kernel, whose error is 2⁻⁴⁸ of it: a slack of 2⁻¹² holds by far.
const LARGE_PRODUCT: f64 = 17_179_869_184.0;

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
    small: Box<FloatRims<f32>>,
    medium: Box<FixedRims>,
    large: Box<FloatRims<f64>>,
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

    pub(super) fn width(&self) -> usize {
        self.right - self.left
    }

    pub(super) fn height(&self) -> usize {
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
    pub(super) full: V,
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
    pub(super) fn weight<S: Simd>(&self, coverage: V, slack: V) -> V
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
        left.simd_ge(self.finished).select(left, V::splat(simd, 0.0)).store_slice(rest);
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
        Kernel::Small => paint_rims(simd, &mut *tables.small, block, shape, area, space),
        Kernel::Medium => paint_rims(simd, &mut *tables.medium, block, shape, area, space),
        Kernel::Large => paint_rims(simd, &mut *tables.large, block, shape, area, space),
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
        _ => paint_rims(simd, &mut *tables.small, block, shape, area, space),
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
    Medium,
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
        } else if most <= MEDIUM_RADIUS && reach <= SMALL_CENTER {
            Self::Medium
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

/// Paints a shape by tables of its edges. A call of its own, compiled once an instruction set.
fn paint_rims<S: Simd, T: Rims>(simd: S, rims: &mut T, block: &mut Block, shape: &Shape, area: Area, space: &Space) {
    simd.vectorize(
        #[inline(always)]
        || brush::paint(simd, rims, block, shape, area, space),
    );
}

/// A shape beyond the tables, pixel by pixel at its rim.
fn paint_huge<S: Simd>(simd: S, block: &mut Block, shape: &Shape, area: Area, space: &Space) {
    simd.vectorize(
        #[inline(always)]
        || {
            let ink = Ink::<f32x16<S>>::new(simd, shape, space);
            let slack = f32x16::splat(simd, SLACK * shape.alpha);
            let stretch = shape.alpha * (1.0 + 2.0 * SLACK);
            let outer = Bounds::<f64>::new(block, shape.center, shape.outer);
            let hole = shape.inner.map(|radii| (radii, Bounds::<f64>::new(block, shape.center, radii)));
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
