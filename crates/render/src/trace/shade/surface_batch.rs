//! Hits on one primitive, shaded together in lanes.

use std::ops::Range;

use fearless_simd::{f32x8, prelude::*, u32x8};

use crate::lanes::{LANES, Rows3, Vec3x8, dot3, first_lanes, load3, load3_at};
use crate::scene::PrimitiveId;
use crate::shapes::{Exclude, HitSide, Primitive, Surface, Target};
use crate::trace::find::clip::{ClipRegion, cut_hits};
use crate::trace::find::sample_rays::SampleRays;

/// tuned: benches/spheres.rs S2. Most samples of a batch; rays of neighbours meet the same occluders.
const MOST: usize = 256;

/// Room for the samples: copies run past the end.
const ROOM: usize = MOST + LANES;

/// Groups of lanes in a batch.
pub(crate) const GROUPS: usize = MOST / LANES;

/// Samples that show one primitive, their surface points, and the light that they reflect: all that shading sees of a
/// primitive.
#[derive(Clone, Debug)]
pub(crate) struct SurfaceBatch {
    /// The samples, counted through the planes of a tile.
    pub samples: [u32; ROOM],
    /// Their rays, one row an axis.
    origin: [[f32; ROOM]; 3],
    direction: [[f32; ROOM]; 3],
    pub count: usize,
    pub id: PrimitiveId,
    /// An index into the materials of a tile.
    pub material: usize,
    /// Relative to the eye, the viewpoint of a primitive whose points are not a radius away from its centre.
    pub viewpoint: Option<[f32; 3]>,
    /// The primitive, which rays from its surface do not meet where they start.
    pub own: Exclude,
    /// Whether the far side of the primitive shows.
    pub is_far: bool,
    /// The weight of shading by the primitive's own normals, 0 to 1; the rest is the cloud's.
    pub own_share: f32,
    /// Surface points, and normals that face the eye.
    pub points: [Rows3; GROUPS],
    pub normals: [Rows3; GROUPS],
    /// Cosines between normals and rays.
    pub cosines: [[f32; LANES]; GROUPS],
    /// A bit for each sample that sees the primitive from inside.
    pub inside: [u64; GROUPS],
    /// How samples share what smooth occlusion finds.
    pub sharing: Sharing,
    /// With [`Sharing::Canonical`] a bit for each sample without openness in some layer.
    pub closed: [u64; GROUPS],
    /// A bit for each sample that sees the cap of a cut primitive.
    pub caps: [u64; GROUPS],
    /// Openness, 0 to 1; unspecified without ambient occlusion.
    pub openness: [[f32; LANES]; GROUPS],
    /// The share of a light with soft shadows, 0 to 1, for one light at a time.
    pub lit: [[f32; LANES]; GROUPS],
    /// Light that arrives for the diffuse lobe, weighted by cosines and summed over lights.
    pub diffuse: [Rows3; GROUPS],
    /// Linear light that the specular lobe reflects, summed over lights; unspecified without one.
    pub specular: [Rows3; GROUPS],
    /// Reflected linear light; in fog, premultiplied with the opacity.
    pub radiance: [Rows3; GROUPS],
    /// Opacity in fog; unspecified without.
    pub opacity: [[f32; LANES]; GROUPS],
}

/// How the samples of a pixel share what smooth occlusion finds for them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Sharing {
    /// The first sample of a pixel finds it for all: each shows the primitive.
    #[default]
    Pixel,
    /// The sample finds it for others, but may lie in another shape: a share of 0 is kept to itself.
    Canonical,
    /// The sample takes a shared result, or else finds its own.
    Individual,
}

impl Default for SurfaceBatch {
    fn default() -> Self {
        let row = [0.0; ROOM];
        let groups = [[[0.0; LANES]; 3]; GROUPS];
        let numbers = [[0.0; LANES]; GROUPS];
        Self {
            samples: [0; ROOM],
            origin: [row; 3],
            direction: [row; 3],
            count: 0,
            id: PrimitiveId::NONE,
            material: 0,
            viewpoint: None,
            own: Exclude::NONE,
            is_far: false,
            own_share: 1.0,
            points: groups,
            normals: groups,
            cosines: numbers,
            inside: [0; GROUPS],
            sharing: Sharing::default(),
            closed: [0; GROUPS],
            caps: [0; GROUPS],
            openness: numbers,
            lit: numbers,
            diffuse: groups,
            specular: groups,
            radiance: groups,
            opacity: [[1.0; LANES]; GROUPS],
        }
    }
}

impl SurfaceBatch {
    /// Moves samples from the front of a run into the batch while there is room; returns how many. The first one's ray
    /// stands at offset `at`. Neither may be empty: the run, or the room.
    #[inline(always)]
    pub(crate) fn take<S: Simd>(&mut self, simd: S, rays: &SampleRays, at: usize, run: &mut Range<u32>) -> usize {
        let length = run.len().min(MOST - self.count);
        let steps = u32x8::load_array(simd, [0, 1, 2, 3, 4, 5, 6, 7]);
        for (step, sample) in (0..length).step_by(LANES).zip(run.clone().step_by(LANES)) {
            let (origin, direction) = (rays.origins8(simd, at + step), rays.directions8(simd, at + step));
            let lanes = self.count + step..self.count + step + LANES;
            for axis in 0..3 {
                origin[axis].store_slice(&mut self.origin[axis][lanes.clone()]);
                direction[axis].store_slice(&mut self.direction[axis][lanes.clone()]);
            }
            (steps + sample).store_slice(&mut self.samples[lanes]);
        }
        self.count += length;
        run.nth(length - 1);
        length
    }

    pub(crate) fn is_full(&self) -> bool {
        self.count == MOST
    }

    /// Groups of eight samples in use.
    pub(crate) fn groups(&self) -> usize {
        self.count.div_ceil(LANES)
    }

    /// A bit for each sample of a group.
    #[inline(always)]
    pub(crate) fn lanes(&self, group: usize) -> u64 {
        first_lanes(self.count - group * LANES)
    }

    /// Computes points, normals and cosines on the primitive.
    #[inline(always)]
    pub(crate) fn find_surfaces<S: Simd>(&mut self, simd: S, primitive: impl Primitive) {
        self.find_surfaces_on(simd, primitive, HitSide::Near);
    }

    /// The same on either side of the primitive.
    #[inline(always)]
    pub(crate) fn find_surfaces_on<S: Simd>(&mut self, simd: S, primitive: impl Primitive, side: HitSide) {
        (self.own, self.is_far) = (primitive.exclude(), side == HitSide::Far);
        if primitive.has_plain_surface() {
            for group in 0..self.groups() {
                let (origin, direction) = self.rays8(simd, group);
                let surface = primitive.surface8(simd, origin, direction, side);
                for axis in 0..3 {
                    surface.point[axis].store_array(&mut self.points[group][axis]);
                    surface.normal[axis].store_array(&mut self.normals[group][axis]);
                }
                surface.cosine.store_array(&mut self.cosines[group]);
                self.inside[group] = surface.is_inside.to_bitmask() & self.lanes(group);
            }
            return;
        }
        let target = primitive.target();
        self.inside.fill(0);
        for index in 0..self.count {
            let [origin, direction] = [at(&self.origin, index), at(&self.direction, index)];
            self.set_surface(index, &target.surface(origin, direction, side));
        }
    }

    /// Computes points, normals and cosines on a primitive that is not a sphere, and on its caps.
    #[inline(always)]
    pub(crate) fn find_on_shape<S: Simd>(
        &mut self,
        simd: S,
        shape: impl Primitive,
        clip: Option<&ClipRegion>,
        is_parallel: bool,
    ) {
        self.find_surfaces(simd, shape);
        if let Some(clip) = clip {
            self.move_to_caps(simd, clip, shape, is_parallel);
        }
        self.lift(simd);
    }

    /// Computes points, normals and cosines on one side of a primitive that is not a sphere.
    #[inline(always)]
    pub(crate) fn find_on_side<S: Simd>(&mut self, simd: S, shape: impl Primitive, side: HitSide) {
        self.find_surfaces_on(simd, shape, side);
        self.lift(simd);
    }

    /// Offsets surface points that are seen from outside a little outward, so that rays from there hit neither this
    /// surface nor one that touches it.
    #[inline(always)]
    fn lift<S: Simd>(&mut self, simd: S) {
        /// Bound on the rounding error of points, as a share of their distance from the eye.
        const LIFT: f32 = 16.0 * f32::EPSILON;
        for group in 0..self.groups() {
            let point = load3(simd, &self.points[group]);
            let size = point[0].abs() + (point[1].abs() + point[2].abs());
            for (axis, along) in point.into_iter().enumerate() {
                let normal = f32x8::load_array_ref(simd, &self.normals[group][axis]);
                (along + normal * (size * LIFT)).store_array(&mut self.points[group][axis]);
            }
        }
    }

    /// Moves the surface points that planes cut away to the caps, with the planes' normals.
    #[inline(always)]
    pub(crate) fn move_to_caps<S: Simd>(
        &mut self,
        simd: S,
        clip: &ClipRegion,
        primitive: impl Primitive,
        is_parallel: bool,
    ) {
        let target = primitive.target();
        for group in 0..self.groups() {
            let (origin, direction) = self.rays8(simd, group);
            let kept = clip.kept8(simd, origin, direction);
            let hits = cut_hits(simd, &target, direction, is_parallel.then_some(origin), kept);
            self.caps[group] = hits.is_cap.to_bitmask() & self.lanes(group);
            if self.caps[group] == 0 {
                continue;
            }
            let normals = clip.cap_normals(simd, origin, direction, hits.distance);
            for axis in 0..3 {
                let point = origin[axis] + direction[axis] * hits.distance;
                let (points, rows) = (&mut self.points[group][axis], &mut self.normals[group][axis]);
                hits.is_cap.select(point, f32x8::load_array_ref(simd, points)).store_array(points);
                hits.is_cap.select(normals[axis], f32x8::load_array_ref(simd, rows)).store_array(rows);
            }
            let cosines = &mut self.cosines[group];
            let cosine = dot3(normals, direction).abs();
            hits.is_cap.select(cosine, f32x8::load_array_ref(simd, cosines)).store_array(cosines);
            // a plane where the ray leaves the drawn space is seen from inside
            let is_inner = hits.distance.simd_gt(kept[0]) & hits.is_cap;
            self.inside[group] = (self.inside[group] & !self.caps[group]) | (is_inner.to_bitmask() & self.caps[group]);
        }
    }

    /// Moves all samples to the start or the end of their clipped rays, on the clip planes.
    #[inline(always)]
    pub(crate) fn put_on_planes<S: Simd>(&mut self, simd: S, clip: &ClipRegion, side: HitSide) {
        for group in 0..self.groups() {
            let (origin, direction) = self.rays8(simd, group);
            let [begin, end] = clip.kept8(simd, origin, direction);
            let distance = if side == HitSide::Near { begin } else { end };
            let normals = clip.cap_normals(simd, origin, direction, distance);
            for axis in 0..3 {
                (origin[axis] + direction[axis] * distance).store_array(&mut self.points[group][axis]);
                normals[axis].store_array(&mut self.normals[group][axis]);
            }
            dot3(normals, direction).abs().store_array(&mut self.cosines[group]);
            self.caps[group] = self.lanes(group);
        }
    }

    /// How much light a sample on a cap sees: all of it from outside, because nothing is left on the far side of the
    /// plane, none from inside. `None` for a sample on a primitive's own surface.
    #[inline(always)]
    pub(crate) fn openness_of_cap(&self, index: usize) -> Option<f32> {
        let (group, lane) = (index / LANES, index % LANES);
        let is_cap = self.caps[group] >> lane & 1 == 1;
        is_cap.then(|| if self.inside[group] >> lane & 1 == 1 { 0.0 } else { 1.0 })
    }

    fn set_surface(&mut self, index: usize, surface: &Surface) {
        let (group, lane) = (index / LANES, index % LANES);
        for axis in 0..3 {
            self.points[group][axis][lane] = surface.point[axis];
            self.normals[group][axis][lane] = surface.normal[axis];
        }
        self.cosines[group][lane] = surface.cosine;
        self.inside[group] |= u64::from(surface.is_inside) << lane;
    }

    /// The origins and directions of eight samples' rays.
    #[inline(always)]
    fn rays8<S: Simd>(&self, simd: S, group: usize) -> (Vec3x8<S>, Vec3x8<S>) {
        (load3_at(simd, rows_of(&self.origin), group * LANES), self.directions8(simd, group))
    }

    /// The directions of eight samples' rays.
    #[inline(always)]
    pub(crate) fn directions8<S: Simd>(&self, simd: S, group: usize) -> Vec3x8<S> {
        load3_at(simd, rows_of(&self.direction), group * LANES)
    }

    /// The direction of one sample's ray; samples may be fewer.
    #[inline(always)]
    pub(crate) fn direction(&self, index: usize) -> [f32; 3] {
        at(&self.direction, index)
    }

    /// The normal of one sample.
    #[inline(always)]
    pub(crate) fn normal(&self, index: usize) -> [f32; 3] {
        let rows = &self.normals[index / LANES];
        let lane = index % LANES;
        [rows[0][lane], rows[1][lane], rows[2][lane]]
    }

    /// The surface point of one sample relative to the viewpoint; `None` if it is along the normal.
    #[inline(always)]
    pub(crate) fn relative_to_viewpoint(&self, index: usize) -> Option<[f32; 3]> {
        let rows = &self.points[index / LANES];
        self.viewpoint.map(|center| [0, 1, 2].map(|axis| rows[axis][index % LANES] - center[axis]))
    }

    /// The surface point of one sample.
    #[inline(always)]
    pub(crate) fn surface(&self, index: usize) -> Surface {
        let (group, lane) = (index / LANES, index % LANES);
        let vector = |rows: &Rows3| [rows[0][lane], rows[1][lane], rows[2][lane]];
        Surface {
            point: vector(&self.points[group]),
            normal: vector(&self.normals[group]),
            cosine: self.cosines[group][lane],
            is_inside: self.inside[group] >> lane & 1 == 1,
        }
    }
}

/// One row an axis. Written out, as `map` of an array may become calls.
#[inline(always)]
fn rows_of([x, y, z]: &[[f32; ROOM]; 3]) -> [&[f32]; 3] {
    [x, y, z]
}

#[inline(always)]
fn at([x, y, z]: &[[f32; ROOM]; 3], index: usize) -> [f32; 3] {
    [x[index], y[index], z[index]]
}
