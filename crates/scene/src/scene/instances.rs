//! All spheres of a scene under one running index, placed by their poses and relative to the eye.

use std::ops::Range;

use glam::Mat3;
use rayon::prelude::*;

use super::shape_kinds::PlacedShapes;
use super::sphere_list::{RowBuffer, SphereSlice};
use super::spheres::{Gloss, PaintedSphere, Pose, Shapes, SphereGroup};
use crate::color::Srgba8;
use crate::geom::Sphere;

/// All spheres of a scene: through groups, then poses, then spheres. Copies are placed on demand.
#[derive(Debug)]
pub struct SphereInstances<'a> {
    groups: Vec<IndexedGroup<'a>>,
    /// World position of the eye that positions are relative to.
    #[doc(hidden)]
    pub eye: [f32; 3],
    #[doc(hidden)]
    pub count: u64,
    /// Parts of all groups.
    part_count: u32,
    /// The parts of shapes whose companions have no spheres.
    lone_parts: Vec<LoneParts>,
    only: Opacity,
    /// Primitives other than spheres. Their indices follow the spheres' indices.
    #[doc(hidden)]
    pub shapes: PlacedShapes<'a>,
}

/// The opacity of the spheres that are returned as rows. Other spheres keep their indices and get a radius that is not
/// drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Opacity {
    #[default]
    Any,
    /// With an alpha of 255.
    Opaque,
    /// With an alpha from 1 to 254; spheres of alpha 0 are invisible.
    Translucent,
    /// With at least this alpha.
    AtLeast(u8),
}

impl Opacity {
    #[inline(always)]
    pub fn includes(self, alpha: u8) -> bool {
        match self {
            Self::Any => true,
            Self::Opaque => alpha == u8::MAX,
            Self::Translucent => (1..u8::MAX).contains(&alpha),
            Self::AtLeast(least) => alpha >= least,
        }
    }

    /// Whether a shape with this range of alphas is included. A shape is opaque if all its parts are.
    #[inline(always)]
    pub(crate) fn includes_shape(self, [least, greatest]: [u8; 2]) -> bool {
        match self {
            Self::Any => true,
            Self::Opaque => least == u8::MAX,
            Self::Translucent => least < u8::MAX && greatest > 0,
            Self::AtLeast(alpha) => greatest >= alpha,
        }
    }
}

/// The index of a primitive in a scene, counted through groups, then poses, then spheres.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PrimitiveId(pub u32);

impl PrimitiveId {
    /// No primitive.
    #[doc(hidden)]
    pub const NONE: Self = Self(u32::MAX);
}

/// A group and the range of its indices.
#[derive(Clone, Copy, Debug)]
struct IndexedGroup<'a> {
    /// Its index among all groups, including empty ones.
    number: usize,
    start: u64,
    end: u64,
    spheres: SphereSlice<'a>,
    poses: &'a [Pose],
    parts: &'a [u32],
    gloss: &'a [Option<Gloss>],
    /// Number of the first copy's first part, and number of parts in a copy.
    first_part: u32,
    part_count: u32,
    /// The only pose is the identity, as in nearly all scenes.
    is_plain: bool,
}

impl IndexedGroup<'_> {
    /// An index as counted from the group's first sphere.
    #[inline(always)]
    fn local(&self, index: u32) -> usize {
        usize::try_from(u64::from(index) - self.start).expect("indices fit 32 bits")
    }

    /// The number of a part of a copy among all of a scene.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "copies are at most as many as indices")]
    fn part(&self, copy: usize, part: u32) -> u32 {
        self.first_part.wrapping_add(self.part_count.wrapping_mul(copy as u32)).wrapping_add(part)
    }
}

/// The parts of the shapes that share a companion without spheres.
#[derive(Clone, Copy, Debug)]
struct LoneParts {
    companion: usize,
    /// Number of the first copy's first part, and number of parts in a copy.
    first: u32,
    count: u32,
}

/// Consecutive instances that share a pose.
#[derive(Clone, Copy, Debug)]
pub struct InstanceRun<'a> {
    /// Index of the first instance.
    pub start: u32,
    spheres: SphereSlice<'a>,
    /// `None` for the identity.
    pub pose: Option<&'a Pose>,
    only: Opacity,
}

/// Spheres of one parallel task that reads alphas.
const ALPHAS: usize = 1 << 14;

impl Pose {
    /// World position of a point of the group.
    #[inline(always)]
    #[doc(hidden)]
    pub fn apply(&self, [px, py, pz]: [f32; 3]) -> [f32; 3] {
        let Mat3 { x_axis: x, y_axis: y, z_axis: z } = self.rotation;
        let t = self.translation;
        [
            ((x.x * px + y.x * py) + z.x * pz) + t.x,
            ((x.y * px + y.y * py) + z.y * pz) + t.y,
            ((x.z * px + y.z * py) + z.z * pz) + t.z,
        ]
    }

    /// The pose unless it is the identity, which would change no bit.
    #[inline(always)]
    pub(super) fn unless_identity(&self) -> Option<&Self> {
        (*self != Self::IDENTITY).then_some(self)
    }
}

impl<'a> SphereInstances<'a> {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "parts are at most as many as spheres, whose indices fit 32 bits"
    )]
    pub fn new(groups: &'a [SphereGroup<'a>], eye: [f32; 3]) -> Self {
        let (mut count, mut part_count) = (0, 0u32);
        let filled =
            groups.iter().enumerate().filter(|(_, group)| !group.spheres.is_empty() && !group.poses.is_empty());
        let groups = filled.map(|(number, group)| {
            let start = count;
            count += group.spheres.len() as u64 * group.poses.len() as u64;
            let is_plain = group.poses[..] == [Pose::IDENTITY];
            let (spheres, poses, parts) = (group.spheres.slice(), &group.poses[..], &group.parts[..]);
            let (first_part, of_copy) = (part_count, parts.iter().max().map_or(1, |most| most.saturating_add(1)));
            part_count = first_part.wrapping_add(of_copy.wrapping_mul(poses.len() as u32));
            let gloss = &group.gloss[..];
            let part_count = of_copy;
            IndexedGroup { number, start, end: count, spheres, poses, parts, gloss, first_part, part_count, is_plain }
        });
        let groups = groups.collect();
        let (lone_parts, shapes) = (Vec::new(), PlacedShapes::none(count));
        Self { groups, eye, count, part_count, lone_parts, only: Opacity::Any, shapes }
    }

    /// The same instances, followed by other shapes.
    pub fn with_shapes(mut self, shapes: &'a Shapes<'a>) -> Self {
        for (companion, (count, copies)) in shapes.part_counts() {
            if !self.groups.iter().any(|group| group.number == companion) {
                self.lone_parts.push(LoneParts { companion, first: self.part_count, count });
                self.part_count = self.part_count.wrapping_add(count.wrapping_mul(copies));
            }
        }
        Self { shapes: PlacedShapes::new(shapes, self.eye, self.count), ..self }
    }

    /// The same instances in world coordinates.
    pub fn to_world(&self) -> Self {
        self.seen_from([0.0; 3])
    }

    /// The least and the greatest alpha of all instances.
    pub fn alphas(&self) -> [u8; 2] {
        let chunks = self.groups.par_iter().flat_map(|group| group.spheres.par_chunks(ALPHAS));
        let both = |a: [u8; 2], b: [u8; 2]| [a[0].min(b[0]), a[1].max(b[1])];
        chunks.map(|spheres| spheres.alphas()).reduce(|| [u8::MAX, 0], both)
    }

    /// The number of spheres and of other shapes with each alpha; copies count once.
    pub fn alpha_counts(&self) -> [u64; 256] {
        let chunks = self.groups.par_iter().flat_map(|group| group.spheres.par_chunks(ALPHAS));
        let count = |spheres: SphereSlice<'_>| {
            let mut counts = [0; 256];
            for index in 0..spheres.len() {
                counts[usize::from(spheres.color(index).a)] += 1;
            }
            counts
        };
        let sum = |a: [u64; 256], b: [u64; 256]| std::array::from_fn(|alpha| a[alpha] + b[alpha]);
        let mut counts = chunks.map(count).reduce(|| [0; 256], sum);
        self.shapes.count_alphas(&mut counts);
        counts
    }

    /// The same instances, relative to another eye.
    pub fn seen_from(&self, eye: [f32; 3]) -> Self {
        let (groups, lone_parts) = (self.groups.clone(), self.lone_parts.clone());
        Self { eye, groups, lone_parts, shapes: self.shapes.seen_from(eye), ..*self }
    }

    /// The same instances, filtered by opacity when read as rows.
    pub fn only(&self, only: Opacity) -> Self {
        let (groups, lone_parts) = (self.groups.clone(), self.lone_parts.clone());
        Self { only, groups, lone_parts, shapes: self.shapes.only(only), ..*self }
    }

    /// For the sphere with this index: the spheres of its group, its index among them, and its pose.
    #[inline(always)]
    fn find(&self, index: u32) -> (&SphereSlice<'a>, usize, Option<&'a Pose>) {
        let group = self.group(index);
        let local = group.local(index);
        if group.is_plain {
            return (&group.spheres, local, None);
        }
        let length = group.spheres.len();
        (&group.spheres, local % length, group.poses[local / length].unless_identity())
    }

    /// Whether the scene has more than one part.
    pub fn has_parts(&self) -> bool {
        self.part_count > 1
    }

    /// The number of the part that the sphere with this index belongs to.
    #[inline(always)]
    pub fn part(&self, index: u32) -> u32 {
        if self.shapes.has(PrimitiveId(index)) {
            return self.part_of_shape(index);
        }
        let group = self.group(index);
        let (length, local) = (group.spheres.len(), group.local(index));
        let (copy, local) = if group.is_plain { (0, local) } else { (local / length, local % length) };
        let part = group.parts.get(local).copied().unwrap_or(0);
        group.part(copy, part)
    }

    /// The part of a primitive other than a sphere, which is a part of its companion group of spheres.
    #[cold]
    #[expect(clippy::cast_possible_truncation, reason = "copies are at most as many as indices")]
    fn part_of_shape(&self, index: u32) -> u32 {
        let (companion, copy, part) = self.shapes.part(index);
        if let Some(group) = self.groups.iter().find(|group| group.number == companion) {
            return group.part(copy, part);
        }
        let lone = self.lone_parts.iter().find(|lone| lone.companion == companion);
        let LoneParts { first, count, .. } = *lone.expect("each companion of the shapes has parts");
        first.wrapping_add(count.wrapping_mul(copy as u32)).wrapping_add(part)
    }

    /// The primitive's own highlights, if it has any.
    #[inline]
    pub fn gloss(&self, index: u32) -> Option<Gloss> {
        if self.shapes.has(PrimitiveId(index)) {
            return self.shapes.gloss(index);
        }
        let group = self.group(index);
        if group.gloss.is_empty() {
            return None;
        }
        let local = group.local(index);
        group.gloss.get(local % group.spheres.len()).copied().flatten()
    }

    #[inline(always)]
    fn group(&self, index: u32) -> &IndexedGroup<'a> {
        let index = u64::from(index);
        if index < self.groups[0].end {
            return &self.groups[0];
        }
        &self.groups[self.groups.partition_point(|group| group.end <= index)]
    }

    /// The sphere with this index, relative to the eye, and its colour.
    #[inline(always)]
    pub fn sphere(&self, index: u32) -> (Sphere<3>, Srgba8) {
        let (spheres, local, pose) = self.find(index);
        let sphere = spheres.sphere(local);
        (self.place(&sphere, pose), sphere.color)
    }

    /// A bounding sphere of the primitive with this index, in world coordinates; a sphere is its own.
    #[inline]
    pub fn in_world(&self, index: u32) -> Sphere<3> {
        if self.shapes.has(PrimitiveId(index)) {
            return self.shapes.seen_from([0.0; 3]).shape(index).extent().around();
        }
        let (spheres, local, pose) = self.find(index);
        let (center, radius) = spheres.body(local);
        Sphere { center: pose.map_or(center, |pose| pose.apply(center)), radius }
    }

    /// A bounding sphere of the primitive with this index, relative to the eye; a sphere is its own.
    #[inline(always)]
    pub fn sphere_around(&self, index: u32) -> Sphere<3> {
        if self.shapes.has(PrimitiveId(index)) {
            return self.shapes.shape(index).extent().around();
        }
        self.sphere(index).0
    }

    /// The sphere that replaces a primitive in occlusion without rays, in world coordinates.
    #[inline]
    pub fn stand_in(&self, index: u32) -> Sphere<3> {
        if self.shapes.has(PrimitiveId(index)) {
            let shape = self.shapes.seen_from([0.0; 3]).shape(index);
            return shape.extent().stand_in();
        }
        self.in_world(index)
    }

    #[inline(always)]
    pub fn radius(&self, index: u32) -> f32 {
        let (spheres, local, _) = self.find(index);
        spheres.radius(local)
    }

    #[inline(always)]
    pub fn color(&self, index: u32) -> Srgba8 {
        if self.shapes.has(PrimitiveId(index)) {
            return self.shapes.color(index);
        }
        let (spheres, local, _) = self.find(index);
        spheres.color(local)
    }

    /// A sphere placed by its pose, relative to the eye.
    #[inline(always)]
    pub fn place(&self, sphere: &PaintedSphere, pose: Option<&Pose>) -> Sphere<3> {
        let [x, y, z] = match pose {
            None => sphere.center,
            Some(pose) => pose.apply(sphere.center),
        };
        Sphere { center: [x - self.eye[0], y - self.eye[1], z - self.eye[2]], radius: sphere.radius }
    }

    /// All instances in chunks of at most `length`; a chunk is a list of runs.
    pub fn chunks(&self, length: usize) -> Vec<Vec<InstanceRun<'a>>> {
        let mut chunks = Vec::new();
        let (mut chunk, mut room) = (Vec::new(), length);
        let mut start = 0u32;
        for group in &self.groups {
            for pose in group.poses {
                let mut rest = group.spheres;
                while !rest.is_empty() {
                    let (spheres, behind) = rest.split_at(rest.len().min(room));
                    chunk.push(InstanceRun { start, spheres, pose: pose.unless_identity(), only: self.only });
                    start += u32::try_from(spheres.len()).expect("indices fit 32 bits");
                    room -= spheres.len();
                    rest = behind;
                    if room == 0 {
                        chunks.push(std::mem::take(&mut chunk));
                        room = length;
                    }
                }
            }
        }
        if !chunk.is_empty() {
            chunks.push(chunk);
        }
        chunks
    }

    /// Median radius of a sample of the spheres or, without spheres, of the other shapes; 0 without either.
    #[expect(clippy::cast_possible_truncation, reason = "indices fit 32 bits")]
    pub fn median_radius(&self) -> f32 {
        let step = (self.count / 255).max(1) as usize;
        let mut radii: Vec<f32> = (0..self.count).step_by(step).map(|index| self.radius(index as u32)).collect();
        if radii.is_empty() {
            let Range { start, end } = self.shapes.indices();
            let step = ((end - start) / 255).max(1) as usize;
            radii.extend((start..end).step_by(step).map(|index| self.shapes.shape(index).extent().radius_across()));
        }
        let middle = radii.len() / 2;
        if radii.is_empty() { 0.0 } else { *radii.select_nth_unstable_by(middle, f32::total_cmp).1 }
    }
}

impl InstanceRun<'_> {
    /// The least and the greatest alpha of the rest of the run.
    pub fn alphas(&self) -> [u8; 2] {
        self.spheres.alphas()
    }

    /// Whether the spheres are stored as arrays: then rows come without colours.
    pub fn has_arrays(&self) -> bool {
        matches!(self.spheres, SphereSlice::Arrays(_))
    }

    /// Takes spheres from the front as rows without colours, with the index of the first; `None` at the end.
    #[inline(always)]
    pub fn take_rows<'b>(&mut self, buffer: &'b mut RowBuffer) -> Option<(u32, &'b [PaintedSphere])>
    where
        Self: 'b,
    {
        if self.spheres.is_empty() {
            return None;
        }
        let rows = match self.only {
            Opacity::Any => self.spheres.take_rows(buffer),
            only => self.spheres.take_rows_with(|color| only.includes(color.a), buffer),
        };
        let start = self.start;
        self.start += u32::try_from(rows.len()).expect("indices fit 32 bits");
        Some((start, rows))
    }
}
