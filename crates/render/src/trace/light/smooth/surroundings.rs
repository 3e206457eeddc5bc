//! The surroundings of a viewpoint: sorts spheres and clusters into a list of near spheres and a light map of the far
//! ones.

use fearless_simd::{f32x8, prelude::*};

use super::blockers::Blockers;
use super::coverage_masks::{self, CoverageMask, DISK_MASKS, DiskMasks};
use super::few_caps::FEW;
use super::footprints::{BINS, Disks, FOOTPRINTS, LightBlocks, LightMap, fill_light_map};
use super::near_planes::NearPlanes;
use super::shape_field::ShapeField;
use super::soft_shadows::SoftLight;
use crate::geom::Sphere;
use crate::lanes::{LANES, Sphere8, dot3, next_lane, splat3, sub};
use crate::shapes::{Exclude, differs};
use crate::trace::accel::bvh::{Bvh, ClusterHeap, Clusters, Node, SLOTS, Sphere16, WIDTH};

/// The hierarchy, and the far-field summaries of its nodes.
#[derive(Clone, Copy, Debug)]
pub(super) struct SphereField<'a> {
    pub bvh: &'a Bvh,
    pub clusters: &'a Clusters,
    /// Present if other shapes block as themselves.
    pub shapes: Option<&'a ShapeField>,
}

impl SphereField<'_> {
    /// Whether it has so few spheres that all of them are near.
    pub(super) fn has_few(&self) -> bool {
        self.bvh.leaves.len() * WIDTH <= FEW
    }
}

/// Viewpoint of the surroundings.
#[derive(Clone, Copy, Debug)]
pub(super) struct OcclusionViewpoint {
    /// World position.
    pub center: [f32; 3],
    /// Distance of the surface points from the viewpoint.
    pub radius: f32,
    /// The sphere that they lie on, in world coordinates; one that is not drawn for another shape.
    pub own: Sphere<3>,
    /// The shape that they lie on, if it is not a sphere.
    pub own_shape: Option<u32>,
    /// Spheres farther than this from a surface point are ignored.
    pub reach: f32,
    /// Clusters within reach count as one occluder up to this ratio of size to distance.
    pub opening: f32,
    /// Clip planes: distant spheres and clusters with centres on the removed side are ignored.
    pub planes: NearPlanes,
}

impl OcclusionViewpoint {
    /// The reach of distant spheres from the viewpoint: on average over the directions of its hemisphere, a surface
    /// point is two thirds of the radius nearer to them than the viewpoint is.
    #[inline(always)]
    pub(super) fn far_reach(&self) -> f32 {
        self.reach + 2.0 / 3.0 * self.radius
    }
}

/// The spheres around a viewpoint.
#[derive(Debug)]
pub(super) struct Surroundings {
    /// Spheres that look large, relative to the viewpoint; all if the scene has few.
    pub near: SphereGroups,
    /// The numbers of the pieces of other shapes that look large.
    pub near_shapes: Vec<u32>,
    /// The light that comes through between all others.
    pub far: LightMap,
    /// Whether all of the light comes through.
    pub is_clear: bool,
    blocks: LightBlocks,
    mask: CoverageMask,
    /// Number of spheres and clusters in the map.
    far_count: u64,
    /// The spheres in front of each light, and whether they are known.
    blockers: Vec<(bool, Blockers)>,
}

/// tuned: benches/spheres.rs. Spheres are near from this ratio of radius to distance on, or up to this many radii from
/// the surface. With more near spheres openness is more exact, and slower.
pub(super) const NEAR: f32 = 0.35;
pub(super) const NEAR_SURFACE: f32 = 1.86;

/// tuned: benches/spheres.rs. Clusters that let less than this share of light through block directions; the others dim
/// bins.
const OPAQUE: f32 = 0.5;

/// tuned: benches/spheres.rs. The share of the shadow of a cluster's box, or of the ellipsoid in it, that counts as its
/// outline: of the box where the cluster is sparse, of the ellipsoid where it is dense.
const SPARSE_OUTLINE: f32 = 0.85;
const DENSE_OUTLINE: f32 = 0.7;

/// tuned: benches/spheres.rs S1. Spheres of sparse clusters block this share more than their disks' area.
const SPARSE_GAIN: f32 = 0.15;

/// tuned: rays on a capsid, a protein and a membrane, dry and in water. Spheres that fill 45 % of a box have the outline
/// of an ellipsoid.
const DENSEST: f32 = 2.2;

/// tuned: benches/spheres.rs, rays on a capsid. Clusters that the reach cuts count as one occluder, of which a share is
/// within reach, up to this ratio of size to distance.
const CUT_OPENING: f32 = 0.5;

/// Maximum number of near spheres. Where more crowd together, the first ones already block nearly everything.
const MOST_NEAR: usize = 4096;

/// Nodes on the stack: eight levels, each leaves at most 15 siblings.
const STACK: usize = 8 * WIDTH;

impl Default for Surroundings {
    fn default() -> Self {
        let blocks = [[1.0; LANES]; BINS / LANES];
        let mask = coverage_masks::NOTHING;
        let (near, near_shapes, blockers) = (SphereGroups::default(), Vec::new(), Vec::new());
        Self { near, near_shapes, far: [1.0; 256], is_clear: true, blocks, mask, far_count: 0, blockers }
    }
}

impl Surroundings {
    /// Sorts the spheres around a viewpoint into near and far; returns the number of spheres and clusters that block
    /// light.
    pub(super) fn gather<S: Simd>(&mut self, simd: S, field: SphereField<'_>, from: &OcclusionViewpoint) -> u64 {
        self.far_count = 0;
        simd.vectorize(
            #[inline(always)]
            || self.gather_inline(simd, field, from),
        );
        (self.near.count + self.near_shapes.len()) as u64 + self.far_count
    }

    #[inline(always)]
    fn gather_inline<S: Simd>(&mut self, simd: S, field: SphereField<'_>, from: &OcclusionViewpoint) {
        self.near.clear();
        self.blockers.iter_mut().for_each(|(are_known, _)| *are_known = false);
        self.blocks = [[1.0; LANES]; BINS / LANES];
        self.mask = coverage_masks::NOTHING;
        if field.has_few() {
            field.bvh.leaves.iter().for_each(|leaf| self.add_near(leaf, from));
        } else {
            self.look_around(simd, field, from);
        }
        if let Some(shapes) = field.shapes {
            self.far_count += shapes.gather(simd, from, &mut self.near_shapes, &mut self.mask, &mut self.blocks);
        }
        self.is_clear =
            self.mask == coverage_masks::NOTHING && self.blocks.as_flattened().iter().all(|&open| open == 1.0);
        if self.is_clear {
            self.far.fill(1.0);
            return;
        }
        fill_light_map(&mut self.far, &self.blocks);
        coverage_masks::darken(&mut self.far, &self.mask);
    }

    /// The spheres in front of a light that [`Surroundings::find_blockers`] has found.
    #[inline(always)]
    pub(super) fn blockers(&self, light: &SoftLight) -> &Blockers {
        &self.blockers[light.number].1
    }

    /// Finds the spheres in front of a light, unless they are known; `from` is the viewpoint of these surroundings.
    #[inline(always)]
    pub(super) fn find_blockers<S: Simd>(
        &mut self,
        simd: S,
        field: SphereField<'_>,
        light: &SoftLight,
        from: impl FnOnce() -> OcclusionViewpoint,
    ) {
        if self.blockers.len() <= light.number {
            self.blockers.resize_with(light.number + 1, Default::default);
        }
        let (are_known, blockers) = &mut self.blockers[light.number];
        if !*are_known {
            blockers.find(simd, field, &from(), light);
            *are_known = true;
        }
    }

    #[inline(always)]
    fn look_around<S: Simd>(&mut self, simd: S, field: SphereField<'_>, from: &OcclusionViewpoint) {
        let Some(top) = field.clusters.levels.len().checked_sub(1) else { return };
        let mut stack = [(0, 0); STACK];
        stack[0] = (top, 0);
        let mut depth = 1;
        while depth > 0 && self.near.count < MOST_NEAR {
            depth -= 1;
            let (level, node) = stack[depth];
            let heap = &field.clusters.levels[level][node];
            let mut open = self.look_at_clusters(simd, heap, &field.bvh.levels[level][node], from);
            while open != 0 {
                let child = node * WIDTH + open.trailing_zeros() as usize;
                open &= open - 1;
                if level > 0 {
                    stack[depth] = (level - 1, child);
                    depth += 1;
                } else if let Some(leaf) = field.bvh.leaves.get(child) {
                    self.look_at_spheres(simd, leaf, heap.own_share[child % WIDTH], from);
                }
            }
        }
    }

    /// Adds the spheres of a leaf to the near ones, except the one that is shaded.
    fn add_near(&mut self, [x, y, z, radii]: &Sphere16, from: &OcclusionViewpoint) {
        let Sphere { center, radius } = from.own;
        for lane in 0..WIDTH {
            let place = [x[lane], y[lane], z[lane]];
            if !radii[lane].is_nan() && (place, radii[lane]) != (center, radius) {
                self.near.push(sub(place, from.center), radii[lane]);
            }
        }
    }

    /// Removes the light that the clusters of a node block; returns a bit for each child that must be opened.
    #[inline(always)]
    fn look_at_clusters<S: Simd>(
        &mut self,
        simd: S,
        heap: &ClusterHeap,
        node: &Node,
        from: &OcclusionViewpoint,
    ) -> u32 {
        let (beyond, far_reach) = (from.reach + from.radius, from.far_reach());
        let (mut seen, mut done) = (0u32, 0u32);
        let center = splat3(simd, from.center);
        for group in 0..SLOTS / LANES {
            let (mut gap_squared, mut squared) = (f32x8::splat(simd, 0.0), f32x8::splat(simd, 0.0));
            let (mut size, mut farthest_squared) = (f32x8::splat(simd, 0.0), f32x8::splat(simd, 0.0));
            for (axis, center) in center.into_iter().enumerate() {
                let [min, max] = heap.extents(node, axis, group);
                let (min, max) = (f32x8::load_array_ref(simd, min), f32x8::load_array_ref(simd, max));
                let gap = (min - center).max(center - max).max(0.0);
                let along = f32x8::load_array_ref(simd, &heap.center[axis][group]) - center;
                let farthest = (max - center).max(center - min);
                gap_squared += gap * gap;
                farthest_squared += farthest * farthest;
                squared += along * along;
                size = size.max(max - min);
            }
            let zero = f32x8::splat(simd, 0.0);
            let far_reach = f32x8::splat(simd, far_reach * far_reach);
            let is_cut = gap_squared.simd_lt(far_reach) & farthest_squared.simd_gt(far_reach);
            let opening = is_cut.select(f32x8::splat(simd, CUT_OPENING), f32x8::splat(simd, from.opening));
            let is_small = (size * size).simd_lt(squared * (opening * opening)) & gap_squared.simd_gt(zero);
            let is_filled = f32x8::load_array_ref(simd, &heap.area[group]).simd_gt(zero);
            let is_beyond = gap_squared.simd_ge(f32x8::splat(simd, beyond * beyond));
            let is_reached = gap_squared.simd_lt(far_reach);
            let unfilled = !is_filled;
            seen |= bits(is_small & is_reached & is_filled) << (group * LANES);
            done |= bits(is_small | is_beyond | unfilled) << (group * LANES);
        }
        // a cluster that is accepted or rejected as a whole covers its children
        let mut above = 0;
        let mut covered = 0;
        let mut dim = 0;
        for first in [2, 4, 8, 16] {
            let level = ((1u32 << first) - 1) << first;
            dim |= seen & level & !above;
            covered = (done & level) | above;
            above = doubled(covered >> first) << (2 * first % 32);
        }
        for group in 0..SLOTS / LANES {
            let lanes = u64::from(dim >> (group * LANES) & 0xff);
            if lanes != 0 {
                self.far_count += u64::from(lanes.count_ones());
                self.dim_clusters(simd, heap, node, group, lanes, from);
            }
        }
        !(covered >> 16) & 0xffff
    }

    /// Removes the light that some clusters of a group block.
    #[inline(always)]
    fn dim_clusters<S: Simd>(
        &mut self,
        simd: S,
        heap: &ClusterHeap,
        node: &Node,
        group: usize,
        mut lanes: u64,
        from: &OcclusionViewpoint,
    ) {
        let (center, planes) = (splat3(simd, from.center), &from.planes);
        let load = |row: &[[f32; LANES]; SLOTS / LANES]| f32x8::load_array_ref(simd, &row[group]);
        // loops: a closure handed to `from_fn` is compiled without the instructions of the level
        let (mut toward, mut size) = (center, center);
        for axis in 0..3 {
            toward[axis] = load(&heap.center[axis]) - center[axis];
            let [min, max] = heap.extents(node, axis, group);
            size[axis] = f32x8::load_array_ref(simd, max) - f32x8::load_array_ref(simd, min);
        }
        if !planes.is_empty() {
            lanes &= !planes.removed(simd, toward).to_bitmask();
        }
        let squared = dot3(toward, toward);
        let inverse = f32x8::splat(simd, 1.0) / squared.sqrt();
        // the outlines of the box and of the ellipsoid in it, at distance 1 so that no scale is out of range
        let mut sides = toward;
        for axis in 0..3 {
            let [a, b] = [(axis + 1) % 3, (axis + 2) % 3];
            sides[axis] = (toward[axis] * inverse) * ((size[a] * inverse) * (size[b] * inverse));
        }
        let of_box = (sides[0].abs() + sides[1].abs()) + sides[2].abs();
        let of_ellipsoid = dot3(sides, sides).sqrt() * std::f32::consts::FRAC_PI_4;
        let density = (load(&heap.fill) * DENSEST).min(1.0);
        let outline = of_box * SPARSE_OUTLINE + (of_ellipsoid * DENSE_OUTLINE - of_box * SPARSE_OUTLINE) * density;
        // spheres at random in the outline leave exp(−depth) of it open
        let gain = (f32x8::splat(simd, 1.0) - density) * SPARSE_GAIN + 1.0;
        // the share within reach: half of a cluster whose middle is as far away as the reach
        let extent = (toward[0] * size[0]).abs() + (toward[1] * size[1]).abs() + (toward[2] * size[2]).abs();
        let room = f32x8::splat(simd, from.far_reach()) * squared.sqrt() - squared;
        let within = (room / extent.max(f32::MIN_POSITIVE) + 0.5).max(0.0).min(1.0);
        let depth = (load(&heap.area) * inverse * inverse) * gain * within / outline;
        let rest = (((depth * 0.25 + 1.0) * depth * (1.0 / 3.0) + 1.0) * depth * 0.5 + 1.0) * depth + 1.0;
        let opacity = f32x8::splat(simd, 1.0) - f32x8::splat(simd, 1.0) / rest;
        let radius = (outline * std::f32::consts::FRAC_1_PI).sqrt();
        let mut blocking = lanes & opacity.simd_ge(f32x8::splat(simd, OPAQUE)).to_bitmask();
        lanes &= !blocking;
        if blocking != 0 {
            let (positions, shares) = (DiskMasks::positions(toward, radius).to_array(), opacity.to_array());
            let masks = &*DISK_MASKS;
            while let Some(lane) = next_lane(&mut blocking) {
                let number = pattern(heap.center.each_ref().map(|row| row[group][lane]));
                masks.block_share(positions[lane], shares[lane], number, &mut self.mask);
            }
        }
        let disks = Disks::new(toward, radius, opacity);
        let (positions, opacity) = (disks.positions.to_array(), disks.opacity.to_array());
        let footprints = &*FOOTPRINTS;
        while let Some(lane) = next_lane(&mut lanes) {
            footprints.dim(simd, positions[lane], opacity[lane], &mut self.blocks);
        }
    }

    /// Sorts the spheres of a leaf; this share of their disks counts as their own.
    #[inline(always)]
    fn look_at_spheres<S: Simd>(&mut self, simd: S, leaf: &Sphere16, share: f32, from: &OcclusionViewpoint) {
        for half in 0..WIDTH / LANES {
            let lanes = half * LANES..(half + 1) * LANES;
            let row = |row: usize| f32x8::from_slice(simd, &leaf[row][lanes.clone()]);
            let (center, radius) = ([row(0), row(1), row(2)], row(3));
            let toward = [center[0] - from.center[0], center[1] - from.center[1], center[2] - from.center[2]];
            let squared = dot3(toward, toward);
            let distance = squared.sqrt();
            let zero = f32x8::splat(simd, 0.0);
            let is_reached = (distance - radius).simd_lt(f32x8::splat(simd, from.reach + from.radius));
            let is_other = is_reached
                & differs(simd, [center[0], center[1], center[2], radius], &Exclude { sphere: from.own })
                & (squared.simd_gt(zero) | radius.simd_gt(f32x8::splat(simd, from.own.radius)));
            let overlap = radius * NEAR_SURFACE + from.radius;
            let is_large = (radius * radius).simd_gt(squared * (NEAR * NEAR)) | squared.simd_lt(overlap * overlap);
            let mut near = (is_other & is_large).to_bitmask();
            let is_far = (distance - radius).simd_lt(f32x8::splat(simd, from.far_reach()));
            let mut far = (is_other & is_far & !is_large).to_bitmask();
            if far != 0 && !from.planes.is_empty() {
                far &= !from.planes.removed(simd, toward).to_bitmask();
            }
            if near != 0 {
                let rows = [toward[0].to_array(), toward[1].to_array(), toward[2].to_array()];
                let radius = radius.to_array();
                while self.near.count < MOST_NEAR
                    && let Some(lane) = next_lane(&mut near)
                {
                    self.near.push([rows[0][lane], rows[1][lane], rows[2][lane]], radius[lane]);
                }
            }
            self.far_count += u64::from(far.count_ones());
            if far != 0 {
                let size = radius / distance;
                let least = f32x8::splat(simd, coverage_masks::LEAST_RADIUS);
                let mut blocking = far & size.simd_ge(least).to_bitmask();
                far &= !blocking;
                if blocking != 0 {
                    let positions = DiskMasks::positions(toward, size).to_array();
                    let masks = &*DISK_MASKS;
                    while let Some(lane) = next_lane(&mut blocking) {
                        masks.block(positions[lane], &mut self.mask);
                    }
                }
            }
            if far != 0 {
                let disks = Disks::new(toward, radius / distance, f32x8::splat(simd, share));
                let (positions, opacity) = (disks.positions.to_array(), disks.opacity.to_array());
                let footprints = &*FOOTPRINTS;
                while let Some(lane) = next_lane(&mut far) {
                    footprints.dim(simd, positions[lane], opacity[lane], &mut self.blocks);
                }
            }
        }
    }
}

/// A hash of a place: neighbouring places get unrelated numbers.
#[inline(always)]
fn pattern(place: [f32; 3]) -> u32 {
    let [x, y, z] = place.map(f32::to_bits);
    (x ^ y.rotate_left(9) ^ z.rotate_left(19)).wrapping_mul(0x9e37_79b9) >> 27
}

/// Some spheres, eight side by side.
#[derive(Debug, Default)]
pub(super) struct SphereGroups {
    pub groups: Vec<Sphere8>,
    pub count: usize,
}

impl SphereGroups {
    pub(super) fn clear(&mut self) {
        self.groups.clear();
        self.count = 0;
    }

    pub(super) fn push(&mut self, center: [f32; 3], radius: f32) {
        let lane = self.count % LANES;
        if lane == 0 {
            self.groups.push(Sphere8::EMPTY);
        }
        if let Some(group) = self.groups.last_mut() {
            group.set(lane, center, radius);
        }
        self.count += 1;
    }
}

/// A bit for each lane.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "eight lanes")]
fn bits<S: Simd>(mask: fearless_simd::mask32x8<S>) -> u32 {
    mask.to_bitmask() as u32
}

/// Each of sixteen bits twice, side by side.
#[inline(always)]
fn doubled(bits: u32) -> u32 {
    let bits = bits & 0xffff;
    let bits = (bits | bits << 8) & 0x00ff_00ff;
    let bits = (bits | bits << 4) & 0x0f0f_0f0f;
    let bits = (bits | bits << 2) & 0x3333_3333;
    let bits = (bits | bits << 1) & 0x5555_5555;
    bits | bits << 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_doubled() {
        assert_eq!(doubled(0), 0);
        assert_eq!(doubled(0b1011), 0b1100_1111);
        assert_eq!(doubled(0xffff), u32::MAX);
        assert_eq!(doubled(0x8001), 0xc000_0003);
    }
}
