//! Ambient occlusion by rays: the openness of a surface point is the share of cosine-distributed rays that meet
//! nothing.
//!
//! Most occluders are near. All points of a sphere share a list of its neighbours, gathered once; each neighbour is
//! tested against sixteen rays in one step of lanes. Only rays that leave the list's reach unblocked are traced through
//! the hierarchy, one by one, from the distance where the list ends. A list depends on its sphere alone, so the answers
//! do not depend on the order of queries.
#![expect(clippy::cast_possible_truncation, reason = "a packet has at most sixteen rays")]

use fearless_simd::{f32x8, f32x16, prelude::*};

use crate::geom::Sphere;
use crate::lanes::{LANES, load3_at, next_lane, splat3};
use crate::scene::PlacedShape;
use crate::shapes::{Exclude, OcclusionRay, Primitive, ShapeVisitor, Surface, Target, differs, visit_shape};
use crate::trace::accel::bvh::{EyeBvh, GROWTH, Sphere16, SphereList, WIDTH, load_spheres, splat};
use crate::trace::find::sampling::tangents;

/// The neighbours of a sphere, within a reach of its centre.
#[derive(Debug, Default)]
pub(crate) struct Neighbors {
    spheres: SphereList,
    /// Rays from the surface meet no other sphere before this distance.
    begin: f32,
    /// Rays from the surface have left every neighbour at this distance.
    end: f32,
}

/// tuned: benches/spheres.rs S5 ambient occlusion. Maximum number of neighbours of a sphere; where more crowd together,
/// rays are traced through the hierarchy alone.
const MOST: usize = 512;

/// tuned: benches/spheres.rs S5 ambient occlusion. Reach beyond the sphere's surface, in extents of the leaf there:
/// some two hundred neighbours where spheres are dense.
const REACH: f32 = 1.1;

impl Neighbors {
    /// Finds the neighbours of a sphere.
    pub(crate) fn gather<S: Simd>(&mut self, simd: S, bvh: EyeBvh<'_>, sphere: Sphere<3>) {
        simd.vectorize(
            #[inline(always)]
            || self.gather_inline(simd, bvh, sphere),
        );
    }

    #[inline(always)]
    fn gather_inline<S: Simd>(&mut self, simd: S, bvh: EyeBvh<'_>, Sphere { center, radius }: Sphere<3>) {
        self.spheres.clear(MOST);
        let reach = radius + REACH * bvh.leaf_extent(simd, center);
        bvh.gather(simd, center, reach, &mut self.spheres);
        // a surface point is one radius from the centre, and both have the same rounding error
        let slack = GROWTH * ((center[0].abs() + center[1].abs()) + (center[2].abs() + (reach + radius)));
        self.begin = (reach - radius - bvh.bvh.largest_radius - slack).max(0.0);
        self.end = reach + radius + bvh.bvh.largest_radius + slack;
        // rays that end at a clip plane are traced one by one
        if self.spheres.is_over_full() || bvh.clip.is_some() {
            self.spheres.clear(MOST);
            self.begin = 0.0;
        }
    }

    /// Counts the directions in which a surface point of the sphere is open up to a distance. Directions are about +z,
    /// which stands for the normal.
    pub(crate) fn open_rays<S: Simd>(
        &self,
        simd: S,
        bvh: EyeBvh<'_>,
        start: &RayStart,
        directions: &[[f32; 3]],
        distance: f32,
    ) -> u32 {
        simd.vectorize(
            #[inline(always)]
            || {
                let RayStart { surface, exclude, far_wall } = *start;
                let normal = surface.normal;
                let [tangent, bitangent] = tangents(normal);
                let mut open = 0;
                for directions in directions.chunks(WIDTH) {
                    let (x, y, z) = ([0.0; WIDTH], [0.0; WIDTH], [0.0; WIDTH]);
                    let (origin, count) = (surface.point, directions.len());
                    let mut packet = RayPacket { origin, normal, x, y, z, count, length: distance, exclude };
                    for (ray, &[u, v, w]) in directions.iter().enumerate() {
                        packet.x[ray] = (tangent[0] * u + bitangent[0] * v) + normal[0] * w;
                        packet.y[ray] = (tangent[1] * u + bitangent[1] * v) + normal[1] * w;
                        packet.z[ray] = (tangent[2] * u + bitangent[2] * v) + normal[2] * w;
                    }
                    // not `map_or`: its closure is compiled without the instructions of the level
                    let walled = match far_wall {
                        Some(wall) => wall.reached(simd, &packet, directions),
                        None => 0,
                    };
                    open += packet.count as u32 - self.blocked(simd, bvh, &packet, walled).count_ones();
                }
                open
            },
        )
    }

    /// A bit for each blocked ray of a packet that leaves from the sphere; `blocked` has the bits known before.
    #[inline(always)]
    fn blocked<S: Simd>(&self, simd: S, bvh: EyeBvh<'_>, packet: &RayPacket, mut blocked: u32) -> u32 {
        let wanted = packet.wanted();
        if blocked == wanted {
            return wanted;
        }
        for spheres in &self.spheres.groups {
            blocked |= packet.blocked_by(simd, spheres);
            if blocked & wanted == wanted {
                return wanted;
            }
        }
        let mut open = u64::from(wanted & !blocked);
        // neighbours that extend beyond the packet's length were not counted
        let begin = if self.end <= packet.length { self.begin } else { 0.0 };
        while let Some(ray) = next_lane(&mut open) {
            let direction = [packet.x[ray], packet.y[ray], packet.z[ray]];
            let (origin, length, exclude) = (packet.origin, packet.length, packet.exclude);
            blocked |= u32::from(bvh.blocks(simd, &OcclusionRay { origin, direction, begin, length, exclude })) << ray;
        }
        blocked & wanted
    }
}

/// The surface point where rays start.
#[derive(Clone, Copy)]
pub(crate) struct RayStart {
    pub surface: Surface,
    /// The sphere of the surface, which rays do not meet where they start.
    pub exclude: Exclude,
    /// Present if rays start on the inner side of an occluder, which they meet again.
    pub far_wall: Option<FarWall>,
}

/// The far side of an occluder, seen from its inner side.
#[derive(Clone, Copy)]
pub(crate) enum FarWall {
    Sphere { diameter: f32 },
    Shape(PlacedShape),
}

impl FarWall {
    /// A bit for each ray of a packet that meets the wall within the packet's length. The chord of a sphere is its
    /// diameter times the cosine to the normal, which is z in `directions` about +z.
    #[inline(always)]
    fn reached<S: Simd>(self, simd: S, packet: &RayPacket, directions: &[[f32; 3]]) -> u32 {
        let mut reached = 0;
        match self {
            Self::Sphere { diameter } => {
                for (ray, &[_, _, cosine]) in directions.iter().enumerate() {
                    reached |= u32::from(cosine * diameter <= packet.length) << ray;
                }
            }
            Self::Shape(shape) => reached = visit_shape(shape, EndsWithin { simd, packet }),
        }
        reached
    }
}

/// Up to sixteen rays from one surface point.
#[derive(Clone, Copy, Debug)]
struct RayPacket {
    /// Relative to the eye.
    origin: [f32; 3],
    /// The surface normal: no ray points below it.
    normal: [f32; 3],
    /// Unit directions, side by side.
    x: [f32; WIDTH],
    y: [f32; WIDTH],
    z: [f32; WIDTH],
    /// Rays in use.
    count: usize,
    /// Length of the rays.
    length: f32,
    exclude: Exclude,
}

/// A bit for each ray that does not leave a shape within the packet's length. Where rounding makes the ray miss, it
/// grazes the shape and leaves it at once.
struct EndsWithin<'p, S> {
    simd: S,
    packet: &'p RayPacket,
}

impl<S: Simd> ShapeVisitor for EndsWithin<'_, S> {
    type Output = u32;

    #[inline(always)]
    fn visit<P: Primitive>(self, shape: P) -> u32 {
        let Self { simd, packet } = self;
        let (target, origin) = (shape.target(), splat3(simd, packet.origin));
        let length = f32x8::splat(simd, packet.length);
        let mut within = 0;
        for first in (0..packet.count).step_by(LANES) {
            let direction = load3_at(simd, [&packet.x, &packet.y, &packet.z], first);
            let approach = target.approach(simd, direction, Some(origin));
            let [_, exit] = target.crossings(simd, approach, true);
            within |= ((!exit.simd_gt(length)).to_bitmask() as u32) << first;
        }
        within & packet.wanted()
    }
}

impl RayPacket {
    /// A bit for each ray in use.
    #[inline(always)]
    fn wanted(&self) -> u32 {
        (1u32 << (self.count - 1) << 1).wrapping_sub(1)
    }

    /// A bit for each ray that one of sixteen spheres blocks: each sphere against all rays at once.
    ///
    /// A ray meets a sphere of power c = |oc|² − r² if it points towards it and b² ≥ c; from inside it always does.
    /// Near the sphere c does not cancel. Spheres that might be met beyond the rays' length are left out.
    #[inline(always)]
    fn blocked_by<S: Simd>(&self, simd: S, spheres: &Sphere16) -> u32 {
        let [ox, oy, oz] = splat(simd, self.origin);
        let spheres = load_spheres(simd, spheres);
        let [x, y, z, r] = spheres;
        let (x, y, z) = (x - ox, y - oy, z - oz);
        let squared = (x * x + y * y) + z * z;
        let height = (x * self.normal[0] + y * self.normal[1]) + z * self.normal[2];
        let is_other = differs(simd, spheres, &self.exclude);
        let is_near = (squared.sqrt() + r).simd_le(self.length);
        let mut candidates = (is_near & (height + r).simd_gt(0.0) & is_other).to_bitmask();
        if candidates == 0 {
            return 0;
        }
        let power = (squared - r * r).to_array();
        let (x, y, z) = (x.to_array(), y.to_array(), z.to_array());
        let dx = f32x16::load_array_ref(simd, &self.x);
        let dy = f32x16::load_array_ref(simd, &self.y);
        let dz = f32x16::load_array_ref(simd, &self.z);
        let zero = f32x16::splat(simd, 0.0);
        let mut blocked = zero.simd_gt(zero);
        while let Some(lane) = next_lane(&mut candidates) {
            let b = (dx * x[lane] + dy * y[lane]) + dz * z[lane];
            // b·|b| ≥ c says b > 0 and b² ≥ c at once, except for c < 0
            let power = if power[lane] < 0.0 { f32::NEG_INFINITY } else { power[lane].max(f32::MIN_POSITIVE) };
            blocked |= (b * b.abs()).simd_ge(power);
        }
        blocked.to_bitmask() as u32
    }
}
