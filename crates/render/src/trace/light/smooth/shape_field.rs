//! Shapes other than spheres as occluders of smooth occlusion and soft shadows: each blocks the directions in which a
//! ray meets the shape itself.
//!
//! Shapes are divided into pieces: long cylinders into short ones. Around a viewpoint, pieces that look large are tested
//! against every direction about a surface point. Distant ones block disks of directions of the map of distant light, as
//! large as their silhouettes.

use fearless_simd::{f32x8, mask32x8, prelude::*};

use super::coverage_masks::{self, CoverageMask, DISK_MASKS, DiskMasks};
use super::footprints::{Disks, FOOTPRINTS, LightBlocks};
use super::near_planes::NearPlanes;
use super::soft_shadows::SoftLight;
use super::surroundings::{NEAR, NEAR_SURFACE, OcclusionViewpoint};
use crate::geom::{Caps, Cylinder, Sphere};
use crate::lanes::{LANES, Rows3, dot, dot3_with, load3, next_lane, norm, point_at, splat3, sub};
use crate::scene::{CylinderEnd, CylinderEnds, Placeable, PlacedList, PlacedShape, PlacedShapes};
use crate::shapes::{ListVisitor, Primitive, SolidTarget, visit_lists};

/// Up to this many pieces, all are near.
const FEW: usize = 32;

/// Length of a piece of a cylinder in radii, and the most pieces of one.
const LENGTH: f32 = 8.0;
const MOST_PIECES: f32 = 32.0;

/// The shapes of a scene that are not spheres, in pieces.
#[derive(Debug)]
pub(crate) struct ShapeField {
    pieces: Vec<OccluderPiece>,
}

/// A convex part of a shape.
#[derive(Clone, Copy, Debug)]
struct OccluderPiece {
    /// The bounding sphere, in world coordinates.
    around: Sphere<3>,
    /// The piece, relative to the middle of that sphere.
    solid: PlacedShape,
    target: SolidTarget,
    /// The index of the shape.
    owner: u32,
    /// The share of a cylinder's ends that no neighbour covers.
    open_ends: f32,
}

/// A surface point among the pieces.
#[derive(Clone, Copy)]
pub(super) struct PieceQuery<'a> {
    /// In world coordinates, and relative to the viewpoint.
    pub point: [f32; 3],
    pub relative: [f32; 3],
    pub normal: [f32; 3],
    /// The shape that it lies on, if it is not a sphere.
    pub own: Option<u32>,
    /// Pieces farther than this do not block.
    pub reach: f32,
    /// The side of a pixel at the point: where surfaces coincide, the point may lie inside of the other shape by less.
    pub pixel: f32,
    /// The clip planes around the point.
    pub planes: &'a NearPlanes,
}

impl ShapeField {
    /// The visited shapes, in world coordinates; only the halves of cylinders that have the opacity.
    pub(crate) fn new(shapes: &PlacedShapes<'_>) -> Self {
        let mut indices = VisitedShapes(Vec::new());
        visit_lists(shapes, &mut indices);
        let mut parts = Vec::new();
        for (owner, halves) in indices.0 {
            push_parts(&shapes.shape(owner), halves, owner, &mut parts);
        }
        let ends = CylinderEnds::new(parts.iter().filter_map(|(part, _)| flat_ends(part)).flatten());
        let pieces = parts.iter().map(|(part, owner)| OccluderPiece::new(*part, *owner, &ends)).collect();
        Self { pieces }
    }

    /// Sorts the pieces around a viewpoint into near ones, whose numbers are stored, and distant ones, which take light
    /// from the map; returns the number of distant ones.
    pub(super) fn gather<S: Simd>(
        &self,
        simd: S,
        from: &OcclusionViewpoint,
        near: &mut Vec<u32>,
        mask: &mut CoverageMask,
        blocks: &mut LightBlocks,
    ) -> u64 {
        near.clear();
        let mut far_count = 0;
        let mut far = FarDisks { toward: [[0.0; LANES]; 3], size: [0.0; LANES], count: 0 };
        for (number, piece) in (0..).zip(&self.pieces) {
            let Sphere { center, radius } = piece.around;
            let toward = sub(center, from.center);
            let distance = norm(toward);
            if distance - radius >= from.reach + from.radius || Some(piece.owner) == from.own_shape {
                continue;
            }
            let is_large = radius > NEAR * distance || distance < radius * NEAR_SURFACE + from.radius;
            if is_large || self.pieces.len() <= FEW {
                near.push(number);
            } else if distance - radius < from.far_reach() && !from.planes.removes(toward) {
                let area = piece.silhouette(toward.map(|along| along / distance));
                far_count += 1;
                far.push(toward, (area * std::f32::consts::FRAC_1_PI).sqrt() / distance);
                if far.count == LANES {
                    far.block(simd, mask, blocks);
                }
            }
        }
        far.block(simd, mask, blocks);
        far_count
    }

    /// The pieces between the points around a viewpoint and a light.
    pub(super) fn find_blockers(&self, from: &OcclusionViewpoint, light: &SoftLight, found: &mut Vec<u32>) {
        found.clear();
        for (number, piece) in (0..).zip(&self.pieces) {
            let Sphere { center, radius } = piece.around;
            let toward = sub(center, from.center);
            let along = dot(toward, light.toward);
            let across = (dot(toward, toward) - along * along).max(0.0).sqrt();
            let farthest = along + radius + from.radius;
            let width = farthest.max(0.0) * light.radius + from.radius;
            if farthest > 0.0 && across - radius <= width && Some(piece.owner) != from.own_shape {
                found.push(number);
            }
        }
    }

    /// The directions, of 64, in which rays from a point meet some of the pieces.
    #[inline(always)]
    pub(super) fn blocked<S: Simd>(
        &self,
        simd: S,
        numbers: &[u32],
        query: &PieceQuery<'_>,
        directions: &[Rows3; 8],
    ) -> u64 {
        let mut blocked = 0u64;
        for &number in numbers {
            let piece = &self.pieces[number as usize];
            let Sphere { center, radius } = piece.around;
            let toward = sub(center, query.point);
            let squared = dot(toward, toward);
            let is_reached = squared.sqrt() - radius < query.reach;
            if dot(toward, query.normal) + radius <= radius * GRAZING || !is_reached || Some(piece.owner) == query.own {
                continue;
            }
            let power = squared - radius * radius;
            let least = if power > 0.0 { power.sqrt() * (1.0 - 1e-4) } else { f32::NEG_INFINITY };
            let origin = splat3(simd, toward.map(|along| -along));
            for (group, rows) in directions.iter().enumerate() {
                let shift = group * LANES;
                let direction = load3(simd, rows);
                let is_met = dot3_with(direction, toward).simd_ge(f32x8::splat(simd, least));
                if blocked >> shift & 0xff == 0xff || !is_met.any_true() {
                    continue;
                }
                let [enter, exit] = piece.target.crossings8(simd, origin, direction);
                let end = query.planes.room(simd, direction).min(query.reach);
                blocked |=
                    is_blocked(simd, [enter, exit], end, (SURFACE * radius).max(query.pixel)).to_bitmask() << shift;
            }
        }
        blocked
    }
}

/// The share of its radius by which an occluder must rise above the horizon. The sphere of a joint only touches the horizon of
/// its tube.
pub(super) const GRAZING: f32 = 1e-4;

/// The share of the size of a shape that is no way through it.
const SURFACE: f32 = 1e-4;

/// Which of eight rays with these crossings end in a shape. Rays that begin inside do, unless they leave it within the
/// distance `skin`: they begin at its surface, where another shape touches it.
#[inline(always)]
fn is_blocked<S: Simd>(simd: S, [enter, exit]: [f32x8<S>; 2], end: f32x8<S>, skin: f32) -> mask32x8<S> {
    let zero = f32x8::splat(simd, 0.0);
    let is_ahead = enter.simd_ge(zero) & enter.simd_le(end);
    is_ahead | (enter.simd_lt(zero) & exit.simd_gt(f32x8::splat(simd, skin)) & exit.simd_le(end))
}

/// The indices of visited shapes, and the halves that have the opacity.
struct VisitedShapes(Vec<(u32, [bool; 2])>);

impl ListVisitor for VisitedShapes {
    fn visit<T: Placeable<Solid: Primitive>>(&mut self, list: &PlacedList<'_, T>) {
        list.for_each_posed(0..list.count, |number, shape, _| {
            let mut halves = shape.colors().iter().map(|color| list.only.includes(color.a));
            let first = halves.next().unwrap_or(true);
            self.0.push((list.index(number), [first, halves.next().unwrap_or(first)]));
        });
    }
}

/// Appends the convex parts of a shape, or of its halves, and the shape's index.
fn push_parts(shape: &PlacedShape, halves: [bool; 2], owner: u32, parts: &mut Vec<(PlacedShape, u32)>) {
    match *shape {
        PlacedShape::Cylinder(cylinder) if !cylinder.is_empty() => push_cylinder(&cylinder, halves, owner, parts),
        PlacedShape::Ellipsoid(ellipsoid) if !ellipsoid.is_empty() => parts.push((*shape, owner)),
        PlacedShape::Cone(cone) if !cone.is_empty() => parts.push((*shape, owner)),
        _ => {}
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to a few")]
fn push_cylinder(cylinder: &Cylinder, halves: [bool; 2], owner: u32, parts: &mut Vec<(PlacedShape, u32)>) {
    let Cylinder { start, end, radius, caps } = *cylinder;
    let axis = sub(end, start);
    let (first, last) = (if halves[0] { 0.0 } else { 0.5 }, if halves[1] { 1.0 } else { 0.5 });
    let length = norm(axis) * (last - first);
    let count = (length / (LENGTH * radius)).ceil().clamp(1.0, MOST_PIECES) as u32;
    let mut push = |start: [f32; 3], end: [f32; 3], caps: Caps| {
        let piece = Cylinder { start, end, radius, caps };
        if !piece.is_empty() {
            parts.push((PlacedShape::Cylinder(piece), owner));
        }
    };
    // where it begins and ends, exactly: cylinders that meet have a joint
    let at = |step: u32| match step {
        0 if halves[0] => start,
        _ if step == count && halves[1] => end,
        _ => point_at(start, axis, first + (last - first) * (step as f32 / count as f32)),
    };
    for step in 0..count {
        push(at(step), at(step + 1), Caps::Flat);
    }
    if caps == Caps::Round {
        for (end, _) in [start, end].into_iter().zip(halves).filter(|(_, is_there)| *is_there) {
            push(end, end, Caps::Round);
        }
    }
}

/// The ends of a cylinder without round ends.
fn flat_ends(part: &PlacedShape) -> Option<[CylinderEnd; 2]> {
    let PlacedShape::Cylinder(Cylinder { start, end, radius, caps: Caps::Flat }) = *part else { return None };
    Some([start, end].map(|place| CylinderEnd { place, radius, alpha: u8::MAX }))
}

/// The share of a part's ends that no neighbour covers: half of a round end sticks out of its own cylinder, nothing of one
/// where two cylinders meet.
fn open_ends(part: &PlacedShape, ends: &CylinderEnds) -> f32 {
    if let Some(own) = flat_ends(part) {
        return own.iter().filter(|end| !ends.has_joint(end)).count() as f32 / 2.0;
    }
    match *part {
        PlacedShape::Cylinder(Cylinder { start: place, radius, .. }) => {
            if ends.has_joint(&CylinderEnd { place, radius, alpha: u8::MAX }) { 0.0 } else { 0.5 }
        }
        _ => 1.0,
    }
}

impl OccluderPiece {
    fn new(shape: PlacedShape, owner: u32, ends: &CylinderEnds) -> Self {
        let around = match shape {
            // closer than the sphere around round ends
            PlacedShape::Cylinder(Cylinder { start, end, radius, caps: Caps::Flat }) => {
                let half = sub(end, start).map(|along| 0.5 * along);
                Sphere { center: point_at(start, half, 1.0), radius: (dot(half, half) + radius * radius).sqrt() }
            }
            _ => shape.extent().around(),
        };
        let moved = |point: [f32; 3]| sub(point, around.center);
        let solid = match shape {
            PlacedShape::Cylinder(of) => {
                PlacedShape::Cylinder(Cylinder { start: moved(of.start), end: moved(of.end), ..of })
            }
            PlacedShape::Ellipsoid(of) => {
                PlacedShape::Ellipsoid(crate::geom::TurnedEllipsoid { center: [0.0; 3], ..of })
            }
            PlacedShape::Cone(of) => {
                PlacedShape::Cone(crate::geom::Cone { base: moved(of.base), apex: moved(of.apex), ..of })
            }
        };
        Self { around, solid, target: SolidTarget::new(solid), owner, open_ends: open_ends(&shape, ends) }
    }

    /// The area of its silhouette from far away in this unit direction.
    fn silhouette(&self, toward: [f32; 3]) -> f32 {
        const PI: f32 = std::f32::consts::PI;
        match self.solid {
            PlacedShape::Cylinder(Cylinder { start, end, radius, .. }) => {
                let axis = sub(end, start);
                let along = dot(axis, toward);
                let length = norm(axis);
                // the share of the ends that faces the viewer; a ball without length faces every way
                let facing = if length > 0.0 { (along / length).abs() } else { 1.0 };
                let across = (length * length - along * along).max(0.0).sqrt();
                PI * radius * radius * facing * self.open_ends + 2.0 * radius * across
            }
            PlacedShape::Ellipsoid(of) => {
                let [a, b, c] = of.radii;
                let [x, y, z] = of.axes.map(|axis| dot(axis, toward));
                let (x, y, z) = (b * c * x, c * a * y, a * b * z);
                PI * ((x * x + y * y) + z * z).sqrt()
            }
            PlacedShape::Cone(of) => {
                let axis = sub(of.apex, of.base);
                let along = dot(axis, toward);
                let height = norm(axis);
                let base = PI * of.radius * of.radius * (along / height).abs();
                let side = of.radius * (height * height - along * along).max(0.0).sqrt();
                base.max(side + 0.5 * base)
            }
        }
    }
}

/// Up to eight distant disks: vectors to their middles, and sines of their angular radii.
struct FarDisks {
    toward: Rows3,
    size: [f32; LANES],
    count: usize,
}

impl FarDisks {
    fn push(&mut self, toward: [f32; 3], size: f32) {
        for (row, along) in self.toward.iter_mut().zip(toward) {
            row[self.count] = along;
        }
        self.size[self.count] = size;
        self.count += 1;
    }

    /// Removes the light of the disks, and begins again.
    fn block<S: Simd>(&mut self, simd: S, mask: &mut CoverageMask, blocks: &mut LightBlocks) {
        simd.vectorize(
            #[inline(always)]
            || self.block_lanes(simd, mask, blocks),
        );
    }

    #[inline(always)]
    fn block_lanes<S: Simd>(&mut self, simd: S, mask: &mut CoverageMask, blocks: &mut LightBlocks) {
        let mut lanes = (1u64 << self.count) - 1;
        self.count = 0;
        if lanes == 0 {
            return;
        }
        let (toward, size) = (load3(simd, &self.toward), f32x8::load_array_ref(simd, &self.size));
        let positions = DiskMasks::positions(toward, size).to_array();
        let disks = Disks::new(toward, size, f32x8::splat(simd, 1.0));
        let (footprints, opacity) = (disks.positions.to_array(), disks.opacity.to_array());
        while let Some(lane) = next_lane(&mut lanes) {
            if self.size[lane] >= coverage_masks::LEAST_RADIUS {
                DISK_MASKS.block(positions[lane], mask);
            } else {
                FOOTPRINTS.dim(simd, footprints[lane], opacity[lane], blocks);
            }
        }
    }
}
