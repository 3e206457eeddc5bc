//! Outlines: hits in, the line coverage of each sample out. A line surrounds every sphere where the depth behind it
//! jumps, or another part begins.
//!
//! The samples that show a primitive, widened by the line's reach, are the samples that its line may cover. Of the
//! primitives in front of a sample, the one with the nearest silhouette decides how much of the sample lines cover. A line
//! lies outside the silhouette, on the farther surface: its inner edge is the primitive's own edge, its outer edge fades
//! over the width of a sample. Tiles have a margin as wide as the reach, so that no line depends on where tiles are cut.

#![expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "lines are at most a few pixels wide")]

use fearless_simd::{f32x8, mask32x8, prelude::*, u32x8};

use super::reach::{LineReach, ReachMask};
use super::seams::Seam;
use super::silhouettes::{CutEdge, WholeEdge};
use crate::color::Srgba8;
use crate::geom::Sphere;
use crate::lanes::{
    LANES, along_and_across, dot, dot3, dot3_with, next_lane, norm, point_at, point3, splat3, sub, sub3,
};
use crate::scene::spheres::{Shading, View};
use crate::scene::{MOST_OUTLINE_WIDTH, PrimitiveId, Rays, SphereInstances};
use crate::shapes::visit_shape;
use crate::trace::find::clip::ClipRegion;
use crate::trace::find::primary::{HitBuffer, HitLayer};
use crate::trace::find::sample_rays::{SampleGrid, SampleRays};
use crate::trace::find::visible::{VisibleSphere, VisibleSpheres};

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
    /// How far samples may show a primitive from a sample that its line covers.
    reach: LineReach,
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
    /// The primitives that a layer shows, also in the margin.
    visible: VisibleSpheres,
    /// The samples within reach of a primitive.
    within: ReachMask,
    /// Samples compared with edges since the count was taken.
    edges: u64,
}

impl OutlineScratch {
    /// Takes the count of samples compared with edges.
    pub(crate) fn take_edges(&mut self) -> u64 {
        std::mem::take(&mut self.edges)
    }
}

/// The part of samples that show no sphere.
const BACKGROUND: u32 = u32::MAX;

/// The default width in pixels: one for each [`PICTURE_OF_A_PIXEL`] pixels of the picture's longer side, but at least
/// [`LEAST_WIDTH`].
const LEAST_WIDTH: f32 = 1.0;
const PICTURE_OF_A_PIXEL: f32 = 800.0;

/// A sample that may lie on a line.
pub(super) struct FarSample {
    pub origin: [f32; 3],
    pub direction: [f32; 3],
    pub distance: f32,
}

impl FarSample {
    /// Whether it shows a primitive.
    fn is_hit(&self) -> bool {
        self.distance < f32::INFINITY
    }
}

/// The hits of a tile to be outlined.
#[derive(Clone, Copy)]
pub(crate) struct OutlinedTile<'a> {
    pub grid: SampleGrid,
    pub hits: &'a HitBuffer,
    pub rays: &'a [SampleRays],
}

/// The hits of one layer of a tile, with their rays.
struct LayerOfTile<'a> {
    grid: SampleGrid,
    layer: &'a HitLayer,
    rays: &'a SampleRays,
}

/// Some of eight consecutive samples.
#[derive(Clone, Copy)]
struct LaneGroup {
    /// The first sample.
    at: usize,
    /// A bit for each.
    lanes: u64,
}

/// A layer of samples, with the part of each; no parts if there is one.
#[derive(Clone, Copy)]
struct Surrounded<'a> {
    layer: &'a HitLayer,
    rays: &'a SampleRays,
    parts: &'a [u32],
}

/// A primitive whose line is drawn.
struct Outlined {
    index: u32,
    /// The sphere, or one around another shape.
    around: Sphere<3>,
    part: u32,
    /// The least distance of a sample behind its line, unless the sample shows another part.
    behind: f32,
    opacity: f32,
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
        let margin = reach as u32;
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
            margin,
            reach: LineReach::new(margin),
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
                    self.cover_layer(simd, scratch, instances, &LayerOfTile { grid, layer, rays }, coverage);
                }
            },
        );
    }

    #[inline(always)]
    fn cover_layer<S: Simd>(
        &self,
        simd: S,
        OutlineScratch { parts, visible, within, edges }: &mut OutlineScratch,
        instances: &SphereInstances<'_>,
        &LayerOfTile { grid, layer, rays }: &LayerOfTile<'_>,
        coverage: &mut [f32],
    ) {
        let has_parts = instances.has_parts() && !self.is_outer;
        parts.clear();
        if has_parts {
            find_parts(parts, instances, layer);
        }
        let whole = SampleGrid { margin: 0, ..grid };
        visible.collect(instances, std::slice::from_ref(layer), whole);
        let seen = Surrounded { layer, rays, parts };
        for primitive in &visible.spheres {
            within.begin(grid);
            for run in visible.runs(primitive) {
                within.add(&self.reach, run.start as usize, run.length as usize);
            }
            for run in visible.runs(primitive) {
                within.remove(run.start as usize, run.length as usize);
            }
            let outlined = self.outlined(instances, primitive, has_parts);
            let is_plain = self.clip.is_none() && !instances.shapes.has(PrimitiveId(primitive.index));
            for (at, lanes) in within.groups() {
                let lanes = lanes & self.far_lanes(simd, &seen, &outlined, at);
                if lanes == 0 {
                    continue;
                }
                *edges += u64::from(lanes.count_ones());
                if is_plain {
                    self.cover_beside_sphere(simd, &seen, &outlined, LaneGroup { at, lanes }, coverage);
                } else {
                    self.cover_beside_shape(instances, &seen, &outlined, LaneGroup { at, lanes }, coverage);
                }
                if has_parts {
                    self.cover_seams(instances, &seen, &outlined, LaneGroup { at, lanes }, coverage);
                }
            }
        }
    }

    #[inline(always)]
    fn outlined(&self, instances: &SphereInstances<'_>, primitive: &VisibleSphere, has_parts: bool) -> Outlined {
        let &VisibleSphere { index, sphere: around, .. } = primitive;
        let away = if self.rays.parallel { dot(around.center, self.rays.forward) } else { norm(around.center) };
        let (nearest, [constant, slope]) = (away - around.radius, self.least_jump);
        let part = if has_parts { instances.part(index) } else { 0 };
        let behind = nearest + (constant + slope * nearest);
        Outlined { index, around, part, behind, opacity: opacity(instances.color(index)) }
    }

    /// A bit for each of eight samples that a primitive's line may cover: far behind it, or of another part.
    #[inline(always)]
    fn far_lanes<S: Simd>(&self, simd: S, seen: &Surrounded<'_>, outlined: &Outlined, at: usize) -> u64 {
        let distance = f32x8::from_slice(simd, &seen.layer.distance[at..at + LANES]);
        if self.is_outer {
            return distance.simd_eq(f32::INFINITY).to_bitmask();
        }
        let mut far = distance.simd_gt(outlined.behind).to_bitmask();
        if !seen.parts.is_empty() {
            far |= other_part(simd, seen, outlined, at).to_bitmask();
        }
        far
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

    /// Covers samples beside a sphere that no plane cuts, eight at a time.
    #[inline(always)]
    fn cover_beside_sphere<S: Simd>(
        &self,
        simd: S,
        seen: &Surrounded<'_>,
        outlined: &Outlined,
        LaneGroup { at, lanes }: LaneGroup,
        coverage: &mut [f32],
    ) {
        let Outlined { around: Sphere { center, radius }, opacity, .. } = *outlined;
        let (zero, one) = (f32x8::splat(simd, 0.0), f32x8::splat(simd, 1.0));
        let (origin, direction) = (seen.rays.origins8(simd, at), seen.rays.directions8(simd, at));
        let distance = f32x8::from_slice(simd, &seen.layer.distance[at..at + LANES]);
        // as in `edge`
        let toward = sub3(splat3(simd, center), origin);
        let along = dot3(toward, direction);
        let across = point3(toward, direction, -along);
        let length = dot3(across, across).sqrt();
        let tilt = dot3_with(across, self.rays.forward) / length;
        let gap = (length - radius) / (one - tilt * tilt).max(0.0).sqrt();
        // as in `covered_by`
        let Rays { step, parallel, forward, .. } = self.rays;
        let pixel = if parallel { f32x8::splat(simd, step) } else { along * dot3_with(direction, forward) * step };
        let gap = gap / pixel;
        let mut ramp = one;
        if self.depth > 0.0 {
            ramp = (((distance - along) / pixel) / self.depth - 1.0).max(0.0).min(1.0);
            if !seen.parts.is_empty() {
                ramp = other_part(simd, seen, outlined, at).select(one, ramp);
            }
        }
        let is_line = along.simd_gt(zero) & along.simd_lt(distance) & ramp.simd_gt(zero) & gap.simd_gt(INSIDE);
        let lanes = mask32x8::from_bitmask(simd, lanes) & is_line;
        if !lanes.any_true() {
            return;
        }
        let share = ((f32x8::splat(simd, radius) / pixel) / self.width).min(1.0);
        let shown = distance.simd_lt(f32::INFINITY).select(share * share, one);
        let covered = ((f32x8::splat(simd, self.width) - gap) * self.sharpness + 0.5).max(0.0).min(1.0);
        let covered = lanes.select(((covered * ramp) * shown) * opacity, zero);
        let coverage = &mut coverage[at..at + LANES];
        f32x8::from_slice(simd, coverage).max(covered).store_slice(coverage);
    }

    /// Covers samples beside a shape or a cut sphere, one at a time.
    fn cover_beside_shape(
        &self,
        instances: &SphereInstances<'_>,
        seen: &Surrounded<'_>,
        outlined: &Outlined,
        LaneGroup { at, mut lanes }: LaneGroup,
        coverage: &mut [f32],
    ) {
        let whole = instances.shapes.whole(outlined.index);
        while let Some(lane) = next_lane(&mut lanes) {
            let sample = seen.sample(at + lane);
            // the other half of a cylinder has the same edge
            if sample.is_hit() && instances.shapes.whole(seen.layer.index[at + lane]) == whole {
                continue;
            }
            let is_other = seen.is_other_part(outlined, at + lane);
            let covered = &mut coverage[at + lane];
            *covered = covered.max(self.covered_by(instances, outlined, &sample, is_other));
        }
    }

    /// Covers samples where their sphere meets one of another part, half of a line's width on either side.
    fn cover_seams(
        &self,
        instances: &SphereInstances<'_>,
        seen: &Surrounded<'_>,
        outlined: &Outlined,
        LaneGroup { at, mut lanes }: LaneGroup,
        coverage: &mut [f32],
    ) {
        let is_shape = |index: u32| instances.shapes.has(PrimitiveId(index));
        // two spheres meet in a plane, other shapes do not
        if is_shape(outlined.index) {
            return;
        }
        while let Some(lane) = next_lane(&mut lanes) {
            let own = seen.layer.index[at + lane];
            if !seen.is_other_part(outlined, at + lane) || is_shape(own) {
                continue;
            }
            let sample = seen.sample(at + lane);
            let is_cap = seen.layer.cosine[at + lane] < 0.0;
            let (sphere, color) = instances.sphere(own);
            let seam = Seam::new(self.clip.as_ref().filter(|_| is_cap), sphere, &sample);
            let pixel = self.pixel(sample.distance, sample.direction);
            let gap = seam.distance_to(outlined.around) / pixel;
            let radius = sphere.radius.min(outlined.around.radius);
            let found = ((0.5 * self.width - gap) * self.sharpness + 0.5).clamp(0.0, 1.0) * self.shown(radius / pixel);
            let found = found * outlined.opacity.min(opacity(color));
            let covered = &mut coverage[at + lane];
            // NaN where centres are in one place
            *covered = if found > *covered { found } else { *covered };
        }
    }

    /// The coverage of a sample by the line around a sphere.
    #[inline(always)]
    fn covered_by(
        &self,
        instances: &SphereInstances<'_>,
        &Outlined { index, around: sphere, opacity, .. }: &Outlined,
        sample: &FarSample,
        is_other: bool,
    ) -> f32 {
        let &FarSample { origin, direction, distance } = sample;
        // where the ray passes the primitive's edge, and the primitive's radius
        let (Edge { along, gap }, radius) = if instances.shapes.has(PrimitiveId(index)) {
            let shape = instances.shapes.shape(index);
            let edge = self.clip.as_ref().and_then(|clip| visit_shape(shape, CutEdge { clip, origin, direction }));
            let whole = || visit_shape(shape, WholeEdge { origin, direction, forward: self.rays.forward });
            (edge.unwrap_or_else(whole), shape.extent().radius_across())
        } else {
            let edge = self.clip.as_ref().and_then(|clip| cut_edge(clip, sphere, origin, direction));
            (edge.unwrap_or_else(|| self.edge(sphere, origin, direction)), sphere.radius)
        };
        if !(along > 0.0 && along < distance) {
            return 0.0;
        }
        let pixel = self.pixel(along, direction);
        let gap = gap / pixel;
        let ramp = if is_other || self.depth <= 0.0 {
            1.0
        } else {
            (((distance - along) / pixel) / self.depth - 1.0).clamp(0.0, 1.0)
        };
        if ramp <= 0.0 || gap.is_nan() || gap <= INSIDE {
            return 0.0;
        }
        let coverage = ((self.width - gap) * self.sharpness + 0.5).clamp(0.0, 1.0);
        let shown = if sample.is_hit() { self.shown(radius / pixel) } else { 1.0 };
        coverage * ramp * shown * opacity
    }
}

impl Surrounded<'_> {
    fn sample(&self, at: usize) -> FarSample {
        let (origin, direction) = (self.rays.origin(at), self.rays.direction(at));
        FarSample { origin, direction, distance: self.layer.distance[at] }
    }

    /// Whether a sample shows another part than a primitive's.
    fn is_other_part(&self, outlined: &Outlined, at: usize) -> bool {
        self.parts.get(at).is_some_and(|&part| part != outlined.part && part != BACKGROUND)
    }
}

/// The same for eight samples.
#[inline(always)]
fn other_part<S: Simd>(simd: S, seen: &Surrounded<'_>, outlined: &Outlined, at: usize) -> mask32x8<S> {
    let parts = u32x8::from_slice(simd, &seen.parts[at..at + LANES]);
    !(parts.simd_eq(outlined.part) | parts.simd_eq(BACKGROUND))
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
