//! Spheres of about a pixel's size, lit as parts of the surface that they form together.
//!
//! At that size the shape of a single sphere cannot be seen, and its normals are noise. The surface is known by its
//! depth in every pixel. Openness comes from how far the depths around a pixel rise above it, in eight directions; the
//! normal comes from a plane through these depths. Both cost the same for any number of spheres.
//!
//! Where spheres are so scattered in depth that neighbouring pixels do not agree on a surface, its place is taken by
//! their mean depth over a wider region: else every sphere would lie in the shadow of some nearer one, and the picture
//! would be dark.
//!
//! Openness follows M. Tarini, P. Cignoni and C. Montani, "Ambient Occlusion and Edge Cueing to Enhance Real Time
//! Molecular Visualization", *IEEE TVCG* 12(5), 2006, and C. Boucheny's eye-dome lighting (2009) in that it needs
//! depths alone.

use fearless_simd::{Level, dispatch, f32x8, prelude::*};
use rayon::prelude::*;

use super::directional::KEY;
use crate::lanes::{LANES, dot, dot3, dot3_with};
use crate::scene::{DepthMap, Rays};
use crate::trace::find::sample_rays::SampleGrid;

/// The lightness of every pixel of a picture as a cloud.
#[derive(Debug)]
pub(crate) struct CloudLight {
    /// Columns, margin included.
    width: usize,
    lightness: Vec<f32>,
}

/// Pixels around a picture that its light depends on: the reach of openness, plus the reach of the mean surface, plus
/// one for smoothing depths.
pub(crate) const MARGIN: u32 = 32 + MEAN_SIDE + 1;

/// The border around a picture, in pieces that fit into a tile of this side.
pub(crate) fn border_grids([width, height]: [u32; 2], side: u32) -> Vec<SampleGrid> {
    let intervals = |length: u32| {
        let (start, end) = (-MARGIN.cast_signed(), (length + MARGIN).cast_signed());
        let first = -MARGIN.next_multiple_of(side).cast_signed();
        let mut cuts: Vec<i32> = (first..end).step_by(side as usize).collect();
        cuts.extend([start, length.cast_signed(), end]);
        cuts.retain(|cut| (start..=end).contains(cut));
        cuts.sort_unstable();
        cuts.dedup();
        cuts.windows(2).map(|cut| [cut[0], cut[1]]).collect::<Vec<_>>()
    };
    let is_inside = |[start, end]: [i32; 2], length: u32| start >= 0 && end <= length.cast_signed();
    let mut pieces = Vec::new();
    for down in intervals(height) {
        for across in
            intervals(width).into_iter().filter(|across| !(is_inside(*across, width) && is_inside(down, height)))
        {
            let [columns, rows] = [across, down].map(|[start, end]| end.abs_diff(start));
            pieces.push(SampleGrid { x: across[0], y: down[0], width: columns, height: rows, margin: 0, abreast: 1 });
        }
    }
    pieces
}

/// Directions and distances in pixels of the openness samples.
const DIRECTIONS: [[f32; 2]; 8] = [
    [1.0, 0.0],
    [0.923_879_5, 0.382_683_43],
    [0.0, 1.0],
    [-0.382_683_43, 0.923_879_5],
    [-1.0, 0.0],
    [-0.923_879_5, -0.382_683_43],
    [0.0, -1.0],
    [0.382_683_43, -0.923_879_5],
];
const DISTANCES: [f32; 5] = [1.4, 4.0, 8.0, 16.0, 32.0];

/// Occluders farther away than this many pixels are ignored.
const REACH: f32 = 40.0;

/// Planes are fitted to depths this many steps around a pixel.
const FIT_SIDE: isize = 3;

/// How a plane is fitted to depths.
#[derive(Clone, Copy)]
struct PlaneFit {
    /// Pixels between the depths.
    step: usize,
    /// The greatest jump between depths of one surface, in pixels.
    jump: f32,
}

/// Planes of bumps, and of the surface below them.
const BUMPS: PlaneFit = PlaneFit { step: 2, jump: 16.0 };
const SURFACE: PlaneFit = PlaneFit { step: 8, jump: 48.0 };

/// Depths are averaged with neighbours no farther away than this, in pixels.
const SMOOTH_JUMP: f32 = 6.0;

/// Where spheres are scattered in depth, so that they make up no surface, their mean depth over this many pixels to
/// each side takes its place.
const MEAN_SIDE: u32 = 8;

/// The mean share of neighbouring pixels on the same surface: up to the first number spheres make up no surface, from
/// the second on they do.
const AGREEMENT: [f32; 2] = [0.35, 0.75];

/// The lightness of every pixel of a picture with these depths, one per pixel.
pub(crate) fn light(map: &DepthMap, level: Level, rays: &Rays) -> CloudLight {
    let map = DepthRows { width: map.width, depths: &map.depths };
    let size = [map.rows(), map.width];
    let smoothed = fill_rows([map.rows(), 2 * map.width], |row, out| {
        dispatch!(level, simd => simd.vectorize(#[inline(always)] || map.smooth_row(row, rays, out)));
    });
    let depths = fill_rows(size, |row, out| {
        dispatch!(level, simd => simd.vectorize(#[inline(always)] || map.surface_row(row, &smoothed, out)));
    });
    drop(smoothed);
    let surface = DepthRows { depths: &depths, ..map };
    let lightness = fill_rows(size, |row, out| {
        dispatch!(level, simd => simd.vectorize(#[inline(always)] || surface.light_row(simd, row, rays, out)));
    });
    CloudLight { width: map.width, lightness }
}

/// Depths of a picture and its margin, row by row.
#[derive(Clone, Copy)]
struct DepthRows<'a> {
    width: usize,
    depths: &'a [f32],
}

impl DepthRows<'_> {
    fn rows(&self) -> usize {
        self.depths.len() / self.width
    }

    /// The overlap of two rows when the second is shifted: its offset in the first, and the part of each.
    #[inline(always)]
    fn moved(&self, row: usize, [right, down]: [isize; 2]) -> Option<(usize, &[f32])> {
        let other = row.checked_add_signed(down).filter(|&other| other < self.rows())?;
        let other = &self.depths[other * self.width..][..self.width];
        let shift = right.unsigned_abs();
        if shift >= self.width {
            return None;
        }
        Some(if right >= 0 { (0, &other[shift..]) } else { (shift, &other[..self.width - shift]) })
    }

    fn row(&self, row: usize) -> &[f32] {
        &self.depths[row * self.width..][..self.width]
    }

    /// The sizes of pixels at the depths of a row.
    #[inline(always)]
    fn pixels(&self, row: usize, rays: &Rays) -> Vec<f32> {
        let size = |&depth: &f32| if rays.parallel { rays.step } else { rays.step * depth };
        self.row(row).iter().map(size).collect()
    }

    /// The mean of the depths around each pixel that belong to the same surface; then their share of all depths around
    /// it, 1 without any.
    #[inline(always)]
    fn smooth_row(&self, row: usize, rays: &Rays, out: &mut [f32]) {
        let (depths, pixels) = (self.row(row), self.pixels(row, rays));
        let (out, agreement) = out.split_at_mut(self.width);
        let mut weights = vec![1.0; self.width];
        let mut counts = vec![0.0; self.width];
        out.copy_from_slice(depths);
        for down in -1..=1 {
            for right in -1..=1 {
                let Some((start, other)) = self.moved(row, [right, down]).filter(|_| [right, down] != [0, 0]) else {
                    continue;
                };
                let own = depths[start..].iter().zip(&pixels[start..]);
                let sums = out[start..].iter_mut().zip(&mut weights[start..]).zip(&mut counts[start..]);
                for ((((sum, weight), count), (&depth, &pixel)), &other) in sums.zip(own).zip(other) {
                    let is_same = (other - depth).abs() < SMOOTH_JUMP * pixel;
                    *count += if other < f32::INFINITY { 1.0 } else { 0.0 };
                    *sum += if is_same { other } else { 0.0 };
                    *weight += if is_same { 1.0 } else { 0.0 };
                }
            }
        }
        for ((sum, agreement), (&weight, &count)) in out.iter_mut().zip(agreement).zip(weights.iter().zip(&counts)) {
            *sum /= weight;
            *agreement = if count > 0.0 { (weight - 1.0) / count } else { 1.0 };
        }
    }

    /// The surface of a row of pixels: the smoothed depths, or the mean ones where depths do not agree.
    #[inline(always)]
    fn surface_row(&self, row: usize, smoothed: &[f32], out: &mut [f32]) {
        let width = self.width;
        let [mut depths, mut agreements, mut counts] = [vec![0.0; width], vec![0.0; width], vec![0.0; width]];
        let side = MEAN_SIDE as usize;
        for row in row.saturating_sub(side)..(row + side + 1).min(self.rows()) {
            let agreement = &smoothed[(2 * row + 1) * width..][..width];
            let sums = depths.iter_mut().zip(&mut agreements).zip(&mut counts);
            for (((sum, share), count), (&depth, &agreement)) in sums.zip(self.row(row).iter().zip(agreement)) {
                let is_seen = depth < f32::INFINITY;
                *sum += if is_seen { depth } else { 0.0 };
                *share += if is_seen { agreement } else { 0.0 };
                *count += if is_seen { 1.0 } else { 0.0 };
            }
        }
        let (depths, agreements, counts) = (across(&depths), across(&agreements), across(&counts));
        let smoothed = &smoothed[2 * row * width..][..width];
        let sums = depths.iter().zip(&agreements).zip(&counts);
        for ((out, &smoothed), ((&depth, &agreement), &count)) in out.iter_mut().zip(smoothed).zip(sums) {
            let share = (agreement / count - AGREEMENT[0]) / (AGREEMENT[1] - AGREEMENT[0]);
            let mean = depth / count;
            let mixed = mean + (smoothed - mean) * share.max(0.0);
            // NaN where nothing is seen
            *out = if share < 1.0 && smoothed < f32::INFINITY { mixed } else { smoothed };
        }
    }

    /// The lightness of a row of smoothed depths.
    #[inline(always)]
    fn light_row<S: Simd>(&self, simd: S, row: usize, rays: &Rays, out: &mut [f32]) {
        let openness = self.openness(row, rays);
        // not a closure handed to `map`, which would be compiled without the instructions of the level
        let (near, far) = (self.key_cosines(simd, row, rays, BUMPS), self.key_cosines(simd, row, rays, SURFACE));
        for (((light, openness), near), far) in out.iter_mut().zip(openness).zip(near).zip(far) {
            let lightness = (0.35 + 0.65 * openness) * (0.6 + 0.3 * (near + far));
            *light = if lightness < 1.0 { lightness } else { 1.0 };
        }
    }

    /// How open each pixel of a row is.
    #[inline(always)]
    fn openness(&self, row: usize, rays: &Rays) -> Vec<f32> {
        let (depths, pixels) = (self.row(row), self.pixels(row, rays));
        let mut sums = vec![0.0; self.width];
        let mut slopes = vec![0.0; self.width];
        for direction in DIRECTIONS {
            slopes.fill(0.0);
            for distance in DISTANCES {
                #[expect(clippy::cast_possible_truncation, reason = "a few pixels")]
                let offset = direction.map(|along| (along * distance).round() as isize);
                let falloff = (1.0 - (distance / REACH) * (distance / REACH)) / distance;
                let Some((start, other)) = self.moved(row, offset) else { continue };
                for ((slope, &depth), &other) in slopes[start..].iter_mut().zip(&depths[start..]).zip(other) {
                    let rise = (depth - other) * falloff;
                    *slope = if rise > *slope { rise } else { *slope };
                }
            }
            for ((sum, &slope), &pixel) in sums.iter_mut().zip(&slopes).zip(&pixels) {
                let slope = slope / pixel;
                *sum += 1.0 / (1.0 + slope * slope);
            }
        }
        sums.iter_mut().for_each(|sum| *sum *= 1.0 / DIRECTIONS.len() as f32);
        sums
    }

    /// The cosines between the key light and the planes through the depths around each pixel of a row, padded to whole
    /// groups of eight pixels. The sums of a group stay in registers.
    #[inline(always)]
    fn key_cosines<S: Simd>(&self, simd: S, row: usize, rays: &Rays, fit: PlaneFit) -> Vec<f32> {
        let PlaneFit { step, jump } = fit;
        const REACH: usize = FIT_SIDE.unsigned_abs();
        let mut cosines = self.pixels(row, rays);
        cosines.resize(self.width.next_multiple_of(LANES), 0.0);
        // the rows around, with depths around the picture that are on no surface
        let (margin, length) = (REACH * step, cosines.len() + 2 * REACH * step);
        let mut around = vec![f32::INFINITY; (2 * REACH + 1) * length];
        for (down, padded) in (-FIT_SIDE..=FIT_SIDE).zip(around.chunks_exact_mut(length)) {
            if let Some(other) = row.checked_add_signed(down * step.cast_signed()).filter(|&other| other < self.rows())
            {
                padded[margin..margin + self.width].copy_from_slice(self.row(other));
            }
        }
        let zero = f32x8::splat(simd, 0.0);
        let (eights, _) = cosines.as_chunks_mut::<LANES>();
        for (x, cosines) in (0..).step_by(LANES).zip(eights) {
            let depth = f32x8::from_slice(simd, &around[REACH * length + margin + x..][..LANES]);
            let pixel = f32x8::load_array_ref(simd, cosines);
            let [mut across, mut columns, mut along, mut rows] = [zero; 4];
            for (down, padded) in (-FIT_SIDE..=FIT_SIDE).zip(around.chunks_exact(length)) {
                let y = (down * step.cast_signed()) as f32;
                for right in -FIT_SIDE..=FIT_SIDE {
                    let x_step = (right * step.cast_signed()) as f32;
                    let start = x + (right + FIT_SIDE).unsigned_abs() * step;
                    let rise = f32x8::from_slice(simd, &padded[start..start + LANES]) - depth;
                    let is_same = rise.abs().simd_lt(pixel * jump);
                    let rise = is_same.select(rise, zero);
                    across += rise * x_step;
                    columns += is_same.select(f32x8::splat(simd, x_step * x_step), zero);
                    along += rise * y;
                    rows += is_same.select(f32x8::splat(simd, y * y), zero);
                }
            }
            let slope = |sum: f32x8<S>, weight: f32x8<S>| weight.simd_gt(zero).select(sum / weight, zero);
            let normal = [slope(across, columns), -slope(along, rows), pixel];
            let along_key = dot3_with(normal, KEY) / (dot3(normal, normal).sqrt() * dot(KEY, KEY).sqrt());
            along_key.simd_gt(zero).select(along_key, zero).store_array(cosines);
        }
        cosines
    }
}

/// Computes rows of equal length in parallel.
fn fill_rows([rows, width]: [usize; 2], fill: impl Fn(usize, &mut [f32]) + Sync) -> Vec<f32> {
    let mut out = vec![0.0; rows * width];
    out.par_chunks_mut(width).enumerate().for_each(|(row, out)| fill(row, out));
    out
}

/// Box sums along a row: each number and [`MEAN_SIDE`] neighbours on each side.
#[inline(always)]
fn across(row: &[f32]) -> Vec<f32> {
    let side = MEAN_SIDE as usize;
    let mut padded = vec![0.0; row.len() + 2 * side];
    padded[side..][..row.len()].copy_from_slice(row);
    let mut sums = vec![0.0; row.len()];
    for shift in 0..=2 * side {
        for (sum, &number) in sums.iter_mut().zip(&padded[shift..]) {
            *sum += number;
        }
    }
    sums
}

impl CloudLight {
    /// The lightness of a pixel.
    #[inline(always)]
    pub(crate) fn lightness(&self, [x, y]: [u32; 2]) -> f32 {
        self.lightness[(y + MARGIN) as usize * self.width + (x + MARGIN) as usize]
    }
}
