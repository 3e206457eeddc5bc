//! Hits of one sphere that lights alone shine on, eight at a time.
//!
//! The arithmetic is that of one hit, [`crate::trace::shade`], lane by lane: the same pixels. Eyes inside a sphere and
//! numbers whose squares leave the range of `f32` are left to it.

use fearless_simd::{f32x8, prelude::*, u32x8};

use crate::scene::EyeSphere;
use crate::tiles::spheres::LANES;
use crate::trace::visibility::Paths;

/// Eight vectors, one row an axis.
pub(super) type Eight = [[f32; LANES]; 3];

/// The components of eight vectors, a lane each.
#[inline(always)]
pub(super) fn lanes<S: Simd>(simd: S, [x, y, z]: &Eight) -> [f32x8<S>; 3] {
    [f32x8::load_array_ref(simd, x), f32x8::load_array_ref(simd, y), f32x8::load_array_ref(simd, z)]
}

/// A bit for each of the first lanes of eight, or for all.
#[inline(always)]
pub(super) fn first_lanes(count: usize) -> u64 {
    (1 << count.min(LANES)) - 1
}

/// Samples of one sphere that are shaded together: rays of neighbours meet the same.
#[derive(Clone, Debug)]
pub(super) struct Batch {
    /// Where the samples are among all.
    pub samples: [u32; ROOM],
    /// Their rays, one row an axis.
    start: [[f32; ROOM]; 3],
    direction: [[f32; ROOM]; 3],
    /// How many there are.
    pub count: usize,
    /// Where their rays meet the sphere, and the normals there, which face the eye.
    pub points: [Eight; GROUPS],
    pub normals: [Eight; GROUPS],
    /// A bit for each that sees the sphere from inside.
    pub inside: [u64; GROUPS],
    /// What they reflect, linear.
    pub light: [Eight; GROUPS],
}

/// Samples of a batch at most, and the room for them: copies run past the end.
const MOST: usize = 256;
const ROOM: usize = MOST + LANES;
pub(super) const GROUPS: usize = MOST / LANES;

impl Default for Batch {
    fn default() -> Self {
        let row = [0.0; ROOM];
        let groups = [[[0.0; LANES]; 3]; GROUPS];
        let (points, normals, light) = (groups, groups, groups);
        let (samples, inside) = ([0; ROOM], [0; GROUPS]);
        Self { samples, start: [row; 3], direction: [row; 3], count: 0, points, normals, inside, light }
    }
}

/// Whether plain `f32` serves to tell where rays from outside meet a sphere.
#[inline(always)]
pub(super) fn is_plain(EyeSphere { center: [x, y, z], radius }: EyeSphere) -> bool {
    let size = x.abs().max(y.abs()).max(z.abs()).max(radius);
    size > 1e-12 && size < 1e18 && (x * x + y * y) + z * z > radius * radius * 1.001
}

impl Batch {
    /// Takes as many samples from the front of a run as there is room for: `at` in the paths, `sample` among all.
    #[inline(always)]
    pub(super) fn take<S: Simd>(&mut self, simd: S, paths: &Paths, at: usize, sample: u32, length: usize) -> usize {
        let length = length.min(MOST - self.count);
        let steps = u32x8::load_array(simd, [0, 1, 2, 3, 4, 5, 6, 7]);
        for (step, sample) in (0..length).step_by(LANES).zip((sample..).step_by(LANES)) {
            let [start, direction] = paths.lanes(simd, at + step);
            let place = self.count + step..self.count + step + LANES;
            for axis in 0..3 {
                start[axis].store_slice(&mut self.start[axis][place.clone()]);
                direction[axis].store_slice(&mut self.direction[axis][place.clone()]);
            }
            (steps + sample).store_slice(&mut self.samples[place]);
        }
        self.count += length;
        length
    }

    pub(super) fn is_full(&self) -> bool {
        self.count == MOST
    }

    /// Groups of eight samples, the last one filled up.
    pub(super) fn groups(&self) -> usize {
        self.count.div_ceil(LANES)
    }

    /// A bit for each sample of a group.
    #[inline(always)]
    pub(super) fn lanes(&self, group: usize) -> u64 {
        first_lanes(self.count - group * LANES)
    }

    /// Finds where the rays meet their sphere.
    #[inline(always)]
    pub(super) fn meet<S: Simd>(&mut self, simd: S, EyeSphere { center: [x, y, z], radius }: EyeSphere) {
        let splat = |number: f32| f32x8::splat(simd, number);
        let (center, r) = ([splat(x), splat(y), splat(z)], splat(radius));
        let inverse_radius = splat(1.0) / r.max(f32::MIN_POSITIVE);
        let radius = splat(1.0) / inverse_radius;
        for group in 0..self.groups() {
            let lanes = group * LANES..(group + 1) * LANES;
            let load = |rows: &[[f32; ROOM]; 3]| {
                [
                    f32x8::from_slice(simd, &rows[0][lanes.clone()]),
                    f32x8::from_slice(simd, &rows[1][lanes.clone()]),
                    f32x8::from_slice(simd, &rows[2][lanes.clone()]),
                ]
            };
            let (start, d) = (load(&self.start), load(&self.direction));
            let oc = [center[0] - start[0], center[1] - start[1], center[2] - start[2]];
            let b = dot(oc, d);
            let f = [oc[0] - b * d[0], oc[1] - b * d[1], oc[2] - b * d[2]];
            let depth = (r * r - dot(f, f)).max(0.0).sqrt();
            let starts = !(start[0].simd_eq(0.0) & start[1].simd_eq(0.0) & start[2].simd_eq(0.0));
            let inside = starts & b.simd_lt(depth);
            let side = inside.select(splat(-1.0), splat(1.0));
            let reach = radius * side;
            for axis in 0..3 {
                let normal = -(f[axis] * side + depth * d[axis]) * inverse_radius;
                normal.store_array(&mut self.normals[group][axis]);
                (center[axis] + normal * reach).store_array(&mut self.points[group][axis]);
            }
            self.inside[group] = inside.to_bitmask() & self.lanes(group);
        }
    }
}

#[inline(always)]
fn dot<S: Simd>(a: [f32x8<S>; 3], b: [f32x8<S>; 3]) -> f32x8<S> {
    (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2]
}
