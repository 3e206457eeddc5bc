//! Outlines: hits in, the line coverage of each sample out. A line surrounds every sphere where the depth behind it
//! jumps, or another part begins.
//!
//! For each sample, the spheres that show within the line's reach are found; among the ones in front of the sample, the
//! nearest silhouette decides how much of the sample the line covers. The line lies outside the silhouette, on the
//! farther surface: its inner edge is the sphere's own edge, its outer edge fades over the width of a sample. Tiles
//! have a margin as wide as the reach, so that no line depends on where tiles are cut.

#![expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "lines are at most a few pixels wide")]

use fearless_simd::prelude::*;

use super::silhouettes::{CutEdge, WholeEdge};
use crate::color::Srgba8;
use crate::geom::Sphere;
use crate::lanes::{along_and_across, dot, norm, point_at, sub};
use crate::scene::spheres::{Shading, View};
use crate::scene::{MOST_OUTLINE_WIDTH, PrimitiveId, Rays, SphereInstances};
use crate::shapes::visit_shape;
use crate::trace::find::clip::ClipRegion;
use crate::trace::find::primary::{HitBuffer, HitLayer};
use crate::trace::find::sample_rays::{SampleGrid, SampleRays};

/// Outlines of a picture.
#[derive(Clone, Debug)]
pub(crate) struct Outlines {
    rays: Rays,
    /// Pixels.
    width: f32,
    /// Lines fade in from depth jumps of this many pixels to jumps of twice as many.
    depth: f32,
    /// The least jump to a nearer surface that may be outlined: a constant, plus a share of the distance to that
    /// surface.
    least_jump: [f32; 2],
    /// Samples on a side of a pixel: the outer edge fades over one of them.
    sharpness: f32,
    /// The margin of pixels around a tile that its lines depend on.
    pub margin: u32,
    /// The window around a sample: rows down and columns to the right, in the order of their distance.
    window: Vec<(isize, isize)>,
    /// Planes that cut spheres.
    clip: Option<ClipRegion>,
    /// Whether lines are drawn against the background alone.
    is_outer: bool,
}

/// Memory kept by a thread.
#[derive(Debug, Default)]
pub(crate) struct OutlineScratch {
    /// The part that each sample of a layer belongs to.
    parts: Vec<u32>,
    /// Extremes over a window of rows, then also over a window of columns: a separable filter.
    columns: Extremes,
    windows: Extremes,
    /// The samples of a row that may lie on a line.
    flags: Vec<bool>,
    found: Vec<u32>,
}

/// The nearest depth and the range of parts around each sample of a row.
#[derive(Debug, Default)]
struct Extremes {
    nearest: Vec<f32>,
    least: Vec<u32>,
    /// The greatest part plus 1; 0 for the background.
    greatest: Vec<u32>,
}

impl Extremes {
    /// Begins with this many samples, without extremes.
    fn clear(&mut self, length: usize) {
        self.nearest.clear();
        self.nearest.resize(length, f32::INFINITY);
        self.least.clear();
        self.least.resize(length, BACKGROUND);
        self.greatest.clear();
        self.greatest.resize(length, 0);
    }
}

/// The part of samples that show no sphere.
const BACKGROUND: u32 = u32::MAX;

/// The default width in pixels: one for each [`PICTURE_OF_A_PIXEL`] pixels of the picture's longer side, but at least
/// [`LEAST_WIDTH`].
const LEAST_WIDTH: f32 = 1.0;
const PICTURE_OF_A_PIXEL: f32 = 800.0;

/// A sample that may lie on a line.
struct FarSample {
    at: usize,
    origin: [f32; 3],
    direction: [f32; 3],
    distance: f32,
    /// Whether it shows a primitive.
    is_hit: bool,
}

/// The hits of a tile to be outlined.
#[derive(Clone, Copy)]
pub(crate) struct OutlinedTile<'a> {
    pub grid: SampleGrid,
    pub hits: &'a HitBuffer,
    pub rays: &'a [SampleRays],
}

/// A layer of samples, with the part of each if there are several.
struct Surrounded<'a> {
    layer: &'a HitLayer,
    parts: Option<&'a [u32]>,
    stride: usize,
}

impl Surrounded<'_> {
    /// Offsets of the samples of a window around a sample, in its order.
    #[inline(always)]
    fn around(&self, window: &[(isize, isize)], sample: &FarSample) -> impl Iterator<Item = usize> {
        let (at, stride) = (sample.at, self.stride.cast_signed());
        window.iter().map(move |&(down, right)| at.wrapping_add_signed(down * stride + right))
    }
}

impl Outlines {
    /// The outlines of a picture; `None` if there are none.
    pub(crate) fn new(shading: &Shading, view: &View, rays: &Rays) -> Option<Self> {
        let usual = LEAST_WIDTH.max(view.width.max(view.height) as f32 / PICTURE_OF_A_PIXEL);
        let width = shading.outline_width.unwrap_or(usual).min(MOST_OUTLINE_WIDTH);
        if width <= 0.0 || width.is_nan() {
            return None;
        }
        let reach = width.ceil() + 1.0;
        let margin = reach.ceil() as isize;
        let square = (-margin..=margin).flat_map(|down| (-margin..=margin).map(move |right| (down, right)));
        let mut window: Vec<_> = square.filter(|(y, x)| ((y * y + x * x) as f32) <= reach * reach).collect();
        window.sort_by_key(|(down, right)| down * down + right * right);
        let sharpness = (shading.samples.max(1) as f32).sqrt();
        let depth = shading.outline_depth;
        let least_jump = if rays.parallel {
            [depth * rays.step, 0.0]
        } else {
            // pixels look smallest in the corners; a sphere's edge is hardly nearer than its visible part
            let [x, y] = rays.middle.map(|middle| middle * rays.step);
            [0.0, 0.9 * depth * rays.step / ((x * x + y * y) + 1.0).sqrt()]
        };
        Some(Self {
            rays: *rays,
            width,
            depth,
            least_jump,
            sharpness,
            margin: margin as u32,
            window,
            clip: None,
            is_outer: false,
        })
    }

    /// The same outlines around spheres that clip planes cut.
    pub(crate) fn clipped(self, clip: Option<&ClipRegion>) -> Self {
        Self { clip: clip.cloned(), ..self }
    }

    /// The same outlines against the background alone: between such small spheres there is no room for lines.
    pub(crate) fn outer(self, is_outer: bool) -> Self {
        Self { is_outer, ..self }
    }

    /// Finds the line coverage of each sample of a tile.
    pub(crate) fn cover<S: Simd>(
        &self,
        simd: S,
        scratch: &mut OutlineScratch,
        instances: &SphereInstances<'_>,
        tile: OutlinedTile<'_>,
        coverage: &mut Vec<f32>,
    ) {
        let OutlinedTile { grid, hits, rays } = tile;
        coverage.clear();
        coverage.resize(grid.plane() * hits.layers.len(), 0.0);
        simd.vectorize(
            #[inline(always)]
            || {
                for ((layer, rays), coverage) in
                    hits.layers.iter().zip(rays).zip(coverage.chunks_exact_mut(grid.plane()))
                {
                    self.cover_layer(scratch, instances, grid, layer, rays, coverage);
                }
            },
        );
    }

    #[inline(always)]
    fn cover_layer(
        &self,
        scratch: &mut OutlineScratch,
        instances: &SphereInstances<'_>,
        grid: SampleGrid,
        layer: &HitLayer,
        rays: &SampleRays,
        coverage: &mut [f32],
    ) {
        if instances.has_parts() && !self.is_outer {
            find_parts(&mut scratch.parts, instances, layer);
        } else {
            scratch.parts.clear();
        }
        for row in grid.rows() {
            self.flag_row(scratch, grid, layer, row);
            let OutlineScratch { parts, flags, found, .. } = scratch;
            for (x, _) in flags.iter().enumerate().filter(|(_, flag)| **flag) {
                let at = row + x;
                let distance = layer.distance[at];
                let (origin, direction) = (rays.origin(at), rays.direction(at));
                let sample = FarSample { at, origin, direction, distance, is_hit: distance < f32::INFINITY };
                let parts = (!parts.is_empty()).then_some(&parts[..]);
                let seen = Surrounded { layer, parts, stride: grid.stride() };
                coverage[at] = self.covered(instances, &seen, &sample, found);
            }
        }
    }

    /// Flags the samples of a row that lines may cover: within the margin around them depth jumps, or there are other
    /// parts.
    #[inline(always)]
    fn flag_row(&self, scratch: &mut OutlineScratch, grid: SampleGrid, layer: &HitLayer, row: usize) {
        let (margin, stride, full) = (self.margin as usize, grid.stride(), grid.width as usize);
        let OutlineScratch { parts, columns, windows, flags, .. } = scratch;
        flags.clear();
        // nearest depth within the margin
        let corner = row - margin - margin * stride;
        let rows = (corner..).step_by(stride).take(2 * margin + 1);
        columns.clear(full);
        for start in rows.clone() {
            combine(&mut columns.nearest, &layer.distance[start..start + full], lesser);
        }
        if columns.nearest.iter().all(|&distance| distance == f32::INFINITY) {
            return;
        }
        let width = grid.inner_width();
        windows.clear(width);
        for shift in 0..=2 * margin {
            combine(&mut windows.nearest, &columns.nearest[shift..shift + width], lesser);
        }
        flags.resize(width, false);
        let distances = &layer.distance[row..row + width];
        self.flag_jumps(flags, distances, &windows.nearest);
        if self.is_outer {
            for (flag, &distance) in flags.iter_mut().zip(distances) {
                *flag &= distance == f32::INFINITY;
            }
        }
        if parts.is_empty() {
            return;
        }
        for start in rows {
            let parts = &parts[start..start + full];
            combine(&mut columns.least, parts, u32::min);
            combine(&mut columns.greatest, parts, greatest);
        }
        for shift in 0..=2 * margin {
            combine(&mut windows.least, &columns.least[shift..shift + width], u32::min);
            combine(&mut windows.greatest, &columns.greatest[shift..shift + width], u32::max);
        }
        flag_parts(flags, &parts[row..row + width], windows);
    }

    /// Flags the samples of a row with a large enough jump to the nearest depth around them.
    #[inline(always)]
    fn flag_jumps(&self, flags: &mut [bool], distances: &[f32], nearest: &[f32]) {
        let [constant, slope] = self.least_jump;
        for ((flag, &distance), &nearest) in flags.iter_mut().zip(distances).zip(nearest) {
            *flag = distance - nearest > constant + slope * nearest;
        }
    }

    /// The side of a pixel at a distance along a ray.
    #[inline(always)]
    fn pixel(&self, distance: f32, direction: [f32; 3]) -> f32 {
        let Rays { step, parallel, forward, .. } = self.rays;
        if parallel { step } else { step * (distance * dot(direction, forward)) }
    }

    /// Opacity of a line between spheres; `radius` is the smaller one's in pixels: a line wider than a sphere
    /// would hide its surroundings.
    #[inline(always)]
    fn shown(&self, radius: f32) -> f32 {
        let share = (radius / self.width).min(1.0);
        share * share
    }

    /// The coverage of a sample by lines.
    #[inline(always)]
    fn covered(
        &self,
        instances: &SphereInstances<'_>,
        seen: &Surrounded<'_>,
        sample: &FarSample,
        found: &mut Vec<u32>,
    ) -> f32 {
        let own = seen.layer.index[sample.at];
        let [constant, slope] = self.least_jump;
        let mut covered: f32 = self.covered_by_seams(instances, seen, sample, found);
        let mut last = None;
        found.clear();
        for at in seen.around(&self.window, sample) {
            let (index, distance) = (seen.layer.index[at], seen.layer.distance[at]);
            if last == Some(index) || distance >= sample.distance {
                continue;
            }
            let is_other = sample.is_hit && seen.parts.is_some_and(|parts| parts[at] != parts[sample.at]);
            if !is_other && sample.distance - distance <= constant + slope * distance {
                continue;
            }
            last = Some(index);
            let whole = instances.shapes.whole(index);
            if (whole == instances.shapes.whole(own) && sample.is_hit) || found.contains(&whole) {
                continue;
            }
            found.push(whole);
            // of a cylinder in two colours the nearest half counts
            covered = covered.max(self.covered_by(instances, index, sample, is_other));
            if covered >= 1.0 {
                break;
            }
        }
        covered
    }

    /// Line coverage of a sample where its sphere meets spheres of other parts, half of a line's width on either side.
    fn covered_by_seams(
        &self,
        instances: &SphereInstances<'_>,
        seen: &Surrounded<'_>,
        sample: &FarSample,
        found: &mut Vec<u32>,
    ) -> f32 {
        let Some(parts) = seen.parts.filter(|_| sample.is_hit) else { return 0.0 };
        let layer = seen.layer;
        let mut seam = None;
        let mut covered: f32 = 0.0;
        found.clear();
        for at in seen.around(&self.window, sample) {
            let index = layer.index[at];
            let is_shape = |at: usize| instances.shapes.has(PrimitiveId(layer.index[at]));
            if parts[at] == parts[sample.at] || parts[at] == BACKGROUND || found.contains(&index) {
                continue;
            }
            // two spheres meet in a plane, other shapes do not
            if is_shape(at) || is_shape(sample.at) {
                continue;
            }
            found.push(index);
            let seam = *seam.get_or_insert_with(|| {
                let is_cap = layer.cosine[sample.at] < 0.0;
                Seam::new(self.clip.as_ref().filter(|_| is_cap), instances.sphere(layer.index[sample.at]).0, sample)
            });
            let (other, color) = instances.sphere(index);
            let pixel = self.pixel(sample.distance, sample.direction);
            let gap = seam.distance_to(other) / pixel;
            let radius = seam.sphere.radius.min(other.radius);
            let coverage =
                ((0.5 * self.width - gap) * self.sharpness + 0.5).clamp(0.0, 1.0) * self.shown(radius / pixel);
            let coverage = coverage * opacity(color).min(opacity(instances.color(layer.index[sample.at])));
            // NaN where centres are in one place
            covered = if coverage > covered { coverage } else { covered };
        }
        covered
    }

    /// The coverage of a sample by the line around a sphere.
    #[inline(always)]
    fn covered_by(&self, instances: &SphereInstances<'_>, index: u32, sample: &FarSample, is_other: bool) -> f32 {
        let (origin, direction) = (sample.origin, sample.direction);
        // where the ray passes the primitive's edge, and the primitive's radius and colour
        let (Edge { along, gap }, radius, color) = if instances.shapes.has(PrimitiveId(index)) {
            let shape = instances.shapes.shape(index);
            let edge = self.clip.as_ref().and_then(|clip| visit_shape(shape, CutEdge { clip, origin, direction }));
            let whole = || visit_shape(shape, WholeEdge { origin, direction, forward: self.rays.forward });
            (edge.unwrap_or_else(whole), shape.extent().radius_across(), instances.color(index))
        } else {
            let (sphere, color) = instances.sphere(index);
            let edge = self.clip.as_ref().and_then(|clip| cut_edge(clip, sphere, origin, direction));
            (edge.unwrap_or_else(|| self.edge(sphere, origin, direction)), sphere.radius, color)
        };
        if !(along > 0.0 && along < sample.distance) {
            return 0.0;
        }
        let pixel = self.pixel(along, direction);
        let gap = gap / pixel;
        let ramp = if is_other || self.depth <= 0.0 {
            1.0
        } else {
            (((sample.distance - along) / pixel) / self.depth - 1.0).clamp(0.0, 1.0)
        };
        if ramp <= 0.0 || gap.is_nan() || gap <= INSIDE {
            return 0.0;
        }
        let coverage = ((self.width - gap) * self.sharpness + 0.5).clamp(0.0, 1.0);
        let shown = if sample.is_hit { self.shown(radius / pixel) } else { 1.0 };
        coverage * ramp * shown * opacity(color)
    }
}

/// The opacity of a sphere's line.
#[inline(always)]
fn opacity(color: Srgba8) -> f32 {
    f32::from(color.a) / 255.0
}

/// Where a ray passes the edge of a primitive.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    /// Distance along the ray.
    pub along: f32,
    /// Signed distance of the ray from the edge, in the plane of the picture; negative inside. World units.
    pub gap: f32,
}

impl Outlines {
    /// Where a ray passes the silhouette of a sphere.
    #[inline(always)]
    fn edge(&self, sphere: Sphere<3>, origin: [f32; 3], direction: [f32; 3]) -> Edge {
        let (along, across) = along_and_across(sub(sphere.center, origin), direction);
        let length = norm(across);
        // how fast the ray moves away from the centre along the picture
        let tilt = dot(across, self.rays.forward) / length;
        Edge { along, gap: (length - sphere.radius) / (1.0 - tilt * tilt).max(0.0).sqrt() }
    }
}

/// A point of a sphere's surface or cap, near which the sphere may meet others.
#[derive(Clone, Copy)]
struct Seam {
    sphere: Sphere<3>,
    point: [f32; 3],
    /// Power of the point to the sphere: 0 on the sphere's own surface.
    power: f32,
    normal: [f32; 3],
    direction: [f32; 3],
}

/// Least cosine between normal and ray for a surface to count: at a grazing angle any surface would seem near.
const LEAST_COSINE: f32 = 0.25;

impl Seam {
    fn new(cap: Option<&ClipRegion>, sphere: Sphere<3>, sample: &FarSample) -> Self {
        let &FarSample { origin, direction, distance, .. } = sample;
        let point = point_at(origin, direction, distance);
        let outward = sub(point, sphere.center);
        let of_cap = cap.and_then(|clip| clip.normal_at(point));
        let power = of_cap.map_or(0.0, |_| dot(outward, outward) - sphere.radius * sphere.radius);
        let normal = of_cap.unwrap_or_else(|| outward.map(|along| along / sphere.radius));
        Self { sphere, point, power, normal, direction }
    }

    /// Distance in the picture from the point to where the sphere meets another, in world units. Spheres meet in their
    /// radical plane: its points have the same power to both.
    fn distance_to(&self, other: Sphere<3>) -> f32 {
        let outward = sub(self.point, other.center);
        let apart = (dot(outward, outward) - other.radius * other.radius) - self.power;
        // how fast that grows along the surface where the ray moves in the picture
        let growth: [f32; 3] = std::array::from_fn(|axis| 2.0 * (self.sphere.center[axis] - other.center[axis]));
        let cosine = dot(self.normal, self.direction).abs().max(LEAST_COSINE);
        let tilt = dot(growth, self.direction) / cosine;
        let along = point_at(growth, self.normal, tilt);
        apart.max(0.0) / norm(along)
    }
}

/// Where a ray passes the rim of a sphere's cap, where planes cut the sphere's silhouette away; `None` elsewhere.
pub(super) fn cut_edge(clip: &ClipRegion, sphere: Sphere<3>, origin: [f32; 3], direction: [f32; 3]) -> Option<Edge> {
    let from_center = sub(origin, sphere.center);
    let (_, across) = along_and_across(from_center, direction);
    let scale = sphere.radius / norm(across);
    let silhouette = point_at(sphere.center, across, scale);
    let (normal, offset) = clip.cutting_plane(silhouette)?;
    // the rim is a circle in the plane
    let outside = (dot(silhouette, normal) - offset) - dot(across, normal) * scale;
    let rim = (sphere.radius * sphere.radius - outside * outside).sqrt();
    let slope = dot(direction, normal);
    let distance = -(dot(from_center, normal) + outside) / slope;
    let in_plane: [f32; 3] =
        std::array::from_fn(|axis| from_center[axis] + direction[axis] * distance + normal[axis] * outside);
    let length = norm(in_plane);
    // how fast the distance from the rim grows in the picture
    let tilt = dot(in_plane, direction) / (length * slope);
    Some(Edge { along: distance, gap: (length - rim) / (tilt * tilt + 1.0).sqrt() })
}

/// A ray that misses a sphere is at most this many pixels inside it after rounding.
const INSIDE: f32 = -0.125;

/// Finds the part of the sphere that each sample shows.
#[inline(always)]
fn find_parts(parts: &mut Vec<u32>, instances: &SphereInstances<'_>, layer: &HitLayer) {
    parts.clear();
    let mut last = (0, BACKGROUND);
    parts.extend(layer.distance.iter().zip(&layer.index).map(|(&distance, &index)| {
        if distance == f32::INFINITY {
            return BACKGROUND;
        }
        if last.0 != index || last.1 == BACKGROUND {
            last = (index, instances.part(index));
        }
        last.1
    }));
}

/// Flags the samples of a row with other parts than their own around them.
#[inline(always)]
fn flag_parts(flags: &mut [bool], parts: &[u32], windows: &Extremes) {
    let ranges = windows.least.iter().zip(&windows.greatest);
    for ((flag, &part), (&least, &greatest)) in flags.iter_mut().zip(parts).zip(ranges) {
        *flag |= part != BACKGROUND && (least != part || greatest != part.wrapping_add(1));
    }
}

/// Combines the numbers of a row with the numbers so far.
#[inline(always)]
fn combine<T: Copy>(so_far: &mut [T], row: &[T], pick: impl Fn(T, T) -> T) {
    for (so_far, &number) in so_far.iter_mut().zip(row) {
        *so_far = pick(*so_far, number);
    }
}

#[inline(always)]
fn lesser(so_far: f32, distance: f32) -> f32 {
    if distance < so_far { distance } else { so_far }
}

/// The greatest part plus 1, so that the background counts as 0.
#[inline(always)]
fn greatest(so_far: u32, part: u32) -> u32 {
    part.wrapping_add(1).max(so_far)
}
