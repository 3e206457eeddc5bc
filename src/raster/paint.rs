//! Blending shapes into a tile, and turning a finished tile into pixels.
#![expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "pixels of a tile; float casts saturate")]

use fearless_simd::prelude::*;
use fearless_simd::{f32x4, f32x8, f32x16};

use super::buffer::TileBuffer;
use super::shape::Shape;
use super::{large, precise, small};
use crate::color::{Srgba8, linear_from_srgb8, srgb8_from_linear};
use crate::frame::TileMut;
use crate::scene::{Blend, Canvas};

/// Coverage nearer to 0 or 1 than this is 0 or 1: more than every kernel's error, so that pixels that a tile's box test
/// settles and pixels that a kernel evaluates agree to the bit.
const SNAP: f32 = 1.0 / 1024.0;

/// Tables that one tile after the other uses.
#[derive(Debug)]
pub(crate) struct Tables {
    /// Columns and rows, of the whole and of its hole.
    small: [[small::Edges; 2]; 2],
    large: Box<[[large::Edges; 2]; 2]>,
    /// One row of coverage, of the whole and of its hole.
    coverage: [Vec<f32>; 2],
}

impl Default for Tables {
    fn default() -> Self {
        let row = || vec![0.0; large::EDGES + 16];
        Self { small: Default::default(), large: Default::default(), coverage: [row(), row()] }
    }
}

/// When a pixel is finished.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Finish {
    transmittance: f32,
}

impl Finish {
    /// What lies below weighs at most an eighth of an 8-bit step: of encoded values 2⁻¹¹ · 255, and in linear light
    /// 12.92 times as much in the dark.
    pub(crate) fn new(blend: Blend) -> Self {
        let transmittance = match blend {
            Blend::Srgb => 1.0 / 2048.0,
            Blend::Linear => 1.0 / 32768.0,
        };
        Self { transmittance }
    }
}

/// One ellipse's way to its coverage.
#[derive(Clone, Copy, Debug)]
enum Kernel {
    Small,
    Large(large::Arc),
    Precise,
}

impl Kernel {
    fn of(radii: [f32; 2]) -> Self {
        let [x, y] = radii;
        let (least, most) = (x.min(y), x.max(y));
        if most <= small::WIDEST && x * y <= small::LARGEST {
            Self::Small
        } else if least >= large::SMALLEST && most <= large::LARGEST {
            Self::Large(large::Arc::new(radii.map(f64::from)))
        } else {
            Self::Precise
        }
    }
}

/// Pixels of a tile, counted from its left and top edges, half-open.
#[derive(Clone, Copy, Debug)]
struct Area {
    left: usize,
    right: usize,
    top: usize,
    bottom: usize,
}

impl Area {
    /// The tile's pixels that the ellipse's box reaches; `None` when there are none.
    #[inline(always)]
    fn reached(buffer: &TileBuffer, center: [f32; 2], radii: [f32; 2]) -> Option<Self> {
        let range = |center: f32, radius: f32, start: i32, length: usize| {
            let end = start + length as i32;
            // casts saturate; rounding can only lose pixels whose coverage snaps to 0
            let first = ((center - radius).floor() as i32).clamp(start, end);
            let last = ((center + radius).ceil() as i32).clamp(start, end);
            ((first - start) as usize, (last - start) as usize)
        };
        let (left, right) = range(center[0], radii[0], buffer.x, buffer.width);
        let (top, bottom) = range(center[1], radii[1], buffer.y, buffer.height);
        (left < right && top < bottom).then_some(Self { left, right, top, bottom })
    }
}

/// Paints the shape below all that has been painted before it.
#[inline(always)]
pub(crate) fn paint<S: Simd>(simd: S, tables: &mut Tables, buffer: &mut TileBuffer, shape: &Shape, finish: Finish) {
    let Some(area) = Area::reached(buffer, shape.center, shape.outer) else { return };
    match (Kernel::of(shape.outer), shape.inner) {
        (Kernel::Small, None) => match area.right - area.left {
            0..=4 => paint_small::<S, f32x4<S>>(simd, &mut tables.small[0], buffer, shape, area, finish),
            5..=8 => paint_small::<S, f32x8<S>>(simd, &mut tables.small[0], buffer, shape, area, finish),
            _ => paint_small::<S, f32x16<S>>(simd, &mut tables.small[0], buffer, shape, area, finish),
        },
        _ => paint_rows(simd, tables, buffer, shape, area, finish),
    }
}

/// Paints a shape that covers all of the tile.
#[inline(always)]
pub(crate) fn paint_whole<S: Simd>(simd: S, buffer: &mut TileBuffer, shape: &Shape, finish: Finish) {
    let color = shape.color.map(|channel| f32x16::splat(simd, channel));
    let weight = f32x16::splat(simd, shape.alpha);
    for row in 0..buffer.height {
        for column in (0..buffer.width).step_by(16) {
            blend(simd, buffer.planes(row, column), weight, color, finish);
        }
    }
}

/// A filled shape of the small kind: coverage and blending in one go.
#[inline(always)]
fn paint_small<S: Simd, V: SimdFloat<S, Element = f32>>(
    simd: S,
    [columns, rows]: &mut [small::Edges; 2],
    buffer: &mut TileBuffer,
    shape: &Shape,
    area: Area,
    finish: Finish,
) {
    let [x, y] = shape.center;
    let (width, height) = (area.right - area.left, area.bottom - area.top);
    columns.fill::<S, V>(simd, buffer.x + area.left as i32, width.next_multiple_of(V::LEN) + 1, x, shape.outer[0]);
    rows.fill::<S, V>(simd, buffer.y + area.top as i32, height + 1, y, shape.outer[1]);
    let scale = V::splat(simd, shape.outer[0] * shape.outer[1]);
    let color = shape.color.map(|channel| V::splat(simd, channel));
    let alpha = V::splat(simd, shape.alpha);
    for group in (0..width).step_by(V::LEN) {
        let edges = small::Columns::<V>::new(simd, columns, group);
        let mut above = edges.area_to(simd, rows, 0);
        for row in 0..height {
            let below = edges.area_to(simd, rows, row + 1);
            let coverage = (below - above) * scale;
            above = below;
            blend(simd, buffer.planes(area.top + row, area.left + group), snap(simd, coverage) * alpha, color, finish);
        }
    }
}

/// Any other shape: row by row, the coverage of the whole less that of the hole, then the blending.
#[inline(always)]
fn paint_rows<S: Simd>(
    simd: S,
    tables: &mut Tables,
    buffer: &mut TileBuffer,
    shape: &Shape,
    area: Area,
    finish: Finish,
) {
    let color = shape.color.map(|channel| f32x16::splat(simd, channel));
    let Tables { small, large, coverage: [whole, hole] } = tables;
    let [small_whole, small_hole] = small;
    let [large_whole, large_hole] = &mut **large;
    let outer = Rim::new(simd, buffer, shape.center, shape.outer, area, small_whole, large_whole);
    let inner = shape.inner.map(|radii| Rim::new(simd, buffer, shape.center, radii, area, small_hole, large_hole));
    for row in area.top..area.bottom {
        let run = outer.cover(simd, row, whole);
        let mut empty = (run.end, run.end);
        if let Some(inner) = &inner {
            let gap = inner.cover(simd, row, hole);
            for column in (gap.start..gap.end).step_by(16) {
                let [whole, hole] = [&mut whole[column..column + 16], &mut hole[column..column + 16]];
                let rest = f32x16::from_slice(simd, whole) - f32x16::from_slice(simd, hole);
                rest.store_slice(whole);
            }
            empty = gap.solid;
        }
        for column in (run.start..run.end).step_by(16) {
            if empty.0 <= column && column + 16 <= empty.1 {
                continue;
            }
            let lanes = f32x16::from_slice(simd, &whole[column..column + 16]);
            blend(simd, buffer.planes(row, column), snap(simd, lanes) * shape.alpha, color, finish);
        }
    }
}

/// An ellipse's pixels in one row of a tile: covered from `start` to `end`, wholly within `solid`.
#[derive(Clone, Copy, Debug)]
struct Run {
    start: usize,
    end: usize,
    solid: (usize, usize),
}

/// Where one ellipse's coverage comes from.
struct Rim<'a> {
    kernel: Kernel,
    center: [f32; 2],
    radii: [f32; 2],
    /// Canvas position of the tile.
    tile: [i32; 2],
    area: Area,
    small: &'a [small::Edges; 2],
    large: &'a [large::Edges; 2],
}

impl<'a> Rim<'a> {
    #[inline(always)]
    fn new<S: Simd>(
        simd: S,
        buffer: &TileBuffer,
        center: [f32; 2],
        radii: [f32; 2],
        area: Area,
        small: &'a mut [small::Edges; 2],
        large: &'a mut [large::Edges; 2],
    ) -> Self {
        let kernel = Kernel::of(radii);
        let (x, y) = (buffer.x + area.left as i32, buffer.y + area.top as i32);
        let (width, height) = ((area.right - area.left).next_multiple_of(16) + 17, area.bottom - area.top + 1);
        match kernel {
            Kernel::Small => {
                small[0].fill::<S, f32x16<S>>(simd, x, width.min(small::EDGES), center[0], radii[0]);
                small[1].fill::<S, f32x16<S>>(simd, y, height, center[1], radii[1]);
            }
            Kernel::Large(_) => {
                let (center, radii) = (center.map(f64::from), radii.map(f64::from));
                large[0].fill(x, width, center, radii);
                large[1].fill(y, height, [center[1], center[0]], [radii[1], radii[0]]);
            }
            Kernel::Precise => {}
        }
        Self { kernel, center, radii, tile: [buffer.x, buffer.y], area, small, large }
    }

    /// Writes the row's coverage, and 16 lanes of no coverage behind it.
    #[inline(always)]
    fn cover<S: Simd>(&self, simd: S, row: usize, out: &mut [f32]) -> Run {
        let Area { left, right, top, .. } = self.area;
        let run = self.run(row);
        let rims = [(run.start, run.solid.0), (run.solid.1, run.end)];
        for (start, end) in rims {
            for column in (start..end).step_by(16) {
                let (i, j) = (column - left, row - top);
                let lanes = match &self.kernel {
                    Kernel::Small => {
                        let columns = small::Columns::<f32x16<S>>::new(simd, &self.small[0], i);
                        let area =
                            columns.area_to(simd, &self.small[1], j + 1) - columns.area_to(simd, &self.small[1], j);
                        area * (self.radii[0] * self.radii[1])
                    }
                    Kernel::Large(arc) => large::coverage(simd, arc, &self.large[0], &self.large[1], i, j),
                    Kernel::Precise => f32x16::from_fn(simd, |lane| {
                        let (x, y) = (self.tile[0] + (column + lane) as i32, self.tile[1] + row as i32);
                        if column + lane < right { precise::coverage(self.center, self.radii, x, y) } else { 0.0 }
                    }),
                };
                lanes.store_slice(&mut out[column..column + 16]);
            }
            if start == run.start {
                out[run.solid.0..run.solid.1].fill(1.0);
            }
        }
        out[run.end..run.end + 16].fill(0.0);
        run
    }

    /// The row's pixels that the ellipse may reach, and those it covers for certain.
    #[inline(always)]
    fn run(&self, row: usize) -> Run {
        let Area { left, right, top, .. } = self.area;
        if !matches!(self.kernel, Kernel::Large(_)) {
            return Run { start: left, end: right, solid: (right, right) };
        }
        let clip = |edge: f32| ((edge as i32).saturating_sub(self.tile[0])).clamp(left as i32, right as i32) as usize;
        let [before, behind] = self.large[1].rims(row - top);
        let (start, end) = (clip(before.0), clip(behind.1));
        let solid = (clip(before.1), clip(behind.0));
        // where the rims meet nothing is covered for certain
        if solid.0 < solid.1 { Run { start, end, solid } } else { Run { start, end, solid: (end, end) } }
    }
}

/// Coverage with what is too near to 0 or 1 to tell made 0 or 1.
#[inline(always)]
fn snap<S: Simd, V: SimdFloat<S, Element = f32>>(simd: S, coverage: V) -> V {
    let (none, all) = (V::splat(simd, 0.0), V::splat(simd, 1.0));
    let coverage = coverage.simd_lt(V::splat(simd, SNAP)).select(none, coverage);
    coverage.simd_gt(V::splat(simd, 1.0 - SNAP)).select(all, coverage)
}

/// Puts `weight` of a colour below what the pixels show already.
#[inline(always)]
fn blend<S: Simd, V: SimdFloat<S, Element = f32>>(
    simd: S,
    [red, green, blue, rest]: [&mut [f32]; 4],
    weight: V,
    color: [V; 3],
    finish: Finish,
) {
    let (red, green, blue, rest) = (&mut red[..V::LEN], &mut green[..V::LEN], &mut blue[..V::LEN], &mut rest[..V::LEN]);
    let transmittance = V::from_slice(simd, rest);
    let share = transmittance * weight;
    for (plane, channel) in [red, green, blue].into_iter().zip(color) {
        (V::from_slice(simd, plane) + share * channel).store_slice(plane);
    }
    let left = transmittance - share;
    left.simd_lt(V::splat(simd, finish.transmittance)).select(V::splat(simd, 0.0), left).store_slice(rest);
}

/// Puts the background below and writes finished pixels.
pub(crate) fn finish_tile(buffer: &TileBuffer, canvas: &Canvas, tile: &mut TileMut<'_>) {
    let Srgba8 { r, g, b, a } = canvas.background;
    let background = match canvas.blend {
        Blend::Srgb => [r, g, b].map(|channel| f32::from(channel) / 255.0),
        Blend::Linear => [r, g, b].map(linear_from_srgb8),
    };
    let opacity = f32::from(a) / 255.0;
    let stride = buffer.stride;
    for (planes, pixels) in buffer.rows.chunks_exact(4 * stride).zip(&mut tile.rows) {
        for (column, pixel) in pixels.iter_mut().enumerate() {
            let rest = planes[3 * stride + column];
            let alpha = 1.0 - rest * (1.0 - opacity);
            let channel = |index: usize| {
                let light = planes[index * stride + column] + rest * opacity * background[index];
                let light = if a == 255 { light } else { light / alpha };
                match canvas.blend {
                    Blend::Srgb => (light * 255.0 + 0.5) as u8,
                    Blend::Linear => srgb8_from_linear(light),
                }
            };
            *pixel = Srgba8 { r: channel(0), g: channel(1), b: channel(2), a: (alpha * 255.0 + 0.5) as u8 };
        }
    }
}
