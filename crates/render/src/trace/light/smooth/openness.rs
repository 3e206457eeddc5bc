//! Smooth ambient occlusion: the openness of surface points, and their share of soft lights, from the surroundings of
//! the sphere that they lie on.

use fearless_simd::{f32x8, mask32x8, prelude::*};

use super::caps::{CAPS, DIRECTIONS};
use super::horizon;
use super::lookups::{Bins, DISTANCE, FAR_LOOKUPS, NEAR_LOOKUPS, cells_about};
use super::near_planes::{NearPlanes, NearSpheres};
use super::patches::{self, Corner, LARGE};
use super::shape_field::ShapeField;
use super::soft_shadows::SoftLight;
use super::surroundings::{OcclusionViewpoint, SphereField, SphereGroups, Surroundings};
use crate::geom::Sphere;
use crate::lanes::{LANES, norm};
use crate::trace::accel::bvh::{Bvh, Clusters};
use crate::trace::find::clip::ClipRegion;
use crate::trace::find::sampling::tangents;
use crate::trace::shade::surface_batch::SurfaceBatch;

/// The data that openness is computed from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SmoothOcclusion<'a> {
    pub(super) field: SphereField<'a>,
    pub(super) reach: f32,
    median_radius: f32,
    /// Clusters count as one occluder up to this ratio of size to distance.
    opening: f32,
    /// Whether some spheres stand in for shapes that do not fill them.
    pub(super) has_stand_ins: bool,
    /// Whether there are so few spheres that all are near every point.
    pub(super) has_few: bool,
    /// The clip planes, which are relative to the eye, and the eye in world coordinates.
    clip: Option<(&'a ClipRegion, [f32; 3])>,
}

/// Memory for openness, kept by a thread from point to point.
#[derive(Debug)]
pub(crate) struct SmoothScratch {
    /// The shaded sphere, or one around or instead of another shape, in world coordinates.
    pub(super) own: Sphere<3>,
    /// The shaded shape, if it is not a sphere and other shapes block as themselves.
    pub(super) own_shape: Option<u32>,
    pub(super) surroundings: Surroundings,
    /// The near spheres that are above the horizon of some point of a batch.
    pub(super) facing: SphereGroups,
    /// Occluders sorted since they were counted.
    pub(crate) occluders: u64,
    /// Surroundings of the vertices of a large sphere's mesh: a direct-mapped cache, indexed by the coordinates of a
    /// vertex.
    patches: Vec<(Option<Corner>, Surroundings)>,
}

impl Default for SmoothScratch {
    fn default() -> Self {
        let (surroundings, facing) = (Surroundings::default(), SphereGroups::default());
        Self { own: Sphere::EMPTY, own_shape: None, surroundings, facing, occluders: 0, patches: Vec::new() }
    }
}

/// A primitive to shade, in world coordinates.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ShadedShape {
    /// The sphere, or the one around a shape.
    pub around: Sphere<3>,
    /// The sphere that stands in for a shape.
    pub stand_in: Sphere<3>,
    /// The index of a shape that is not a sphere.
    pub shape: Option<u32>,
}

/// A point to shade: the side from which it is seen, and the size of a pixel there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ShadedPoint {
    pub is_inside: bool,
    /// Whether the shape itself blocks the directions that leave its inside.
    pub is_enclosed: bool,
    /// Whether the shape is so translucent that edges between open and blocked directions do not show.
    pub is_faint: bool,
    /// The side of a pixel at the point, in world units.
    pub pixel: f32,
    /// The point, relative to the viewpoint, unless it lies on a sphere around the viewpoint.
    pub point: Option<[f32; 3]>,
    /// The clip planes around the point.
    pub planes: NearPlanes,
}

/// The patch of a large sphere around a vertex of its mesh.
struct Patch<'a> {
    surroundings: &'a mut Surroundings,
    /// The vertex, in world coordinates.
    center: [f32; 3],
    radius: f32,
    /// The shaded point, relative to the vertex.
    point: [f32; 3],
}

/// tuned: benches/spheres.rs. Clusters count as one occluder up to this ratio of size to distance; the second is for
/// occluders with a share so small that the difference is less than a level.
const OPENING: [f32; 2] = [1.1, 2.5];
const SMALL_SHARE: f32 = 1.0 / 16.0;

/// Slots for the surroundings of vertices.
const PATCHES: usize = 256;

/// tuned: benches/spheres.rs with a floor. Least width of a patch in pixels.
const LEAST_PIXELS: f32 = 8.0;

impl<'a> SmoothOcclusion<'a> {
    /// Occlusion by the spheres of a hierarchy up to a distance.
    pub(crate) fn new(bvh: &'a Bvh, clusters: &'a Clusters, reach: f32, median_radius: f32) -> Self {
        let (field, opening) = (SphereField { bvh, clusters, shapes: None }, OPENING[0]);
        Self { field, reach, median_radius, opening, has_stand_ins: false, has_few: field.has_few(), clip: None }
    }

    /// The same for occluders that change at most this share of the light of a pixel.
    #[must_use]
    pub(crate) fn with_share(self, share: f32) -> Self {
        Self { opening: OPENING[usize::from(share <= SMALL_SHARE)], ..self }
    }

    /// The same for spheres cut by planes; `eye` is in world coordinates.
    #[must_use]
    pub(crate) fn clipped(self, clip: Option<&'a ClipRegion>, eye: [f32; 3]) -> Self {
        Self { clip: clip.map(|clip| (clip, eye)), ..self }
    }

    /// The same with shapes that are not in the hierarchy.
    #[must_use]
    pub(crate) fn with_shapes(self, shapes: Option<&'a ShapeField>) -> Self {
        Self { field: SphereField { shapes, ..self.field }, ..self }
    }

    /// Whether shapes that are not spheres block as themselves.
    pub(crate) fn is_exact(&self) -> bool {
        self.field.shapes.is_some()
    }

    /// The same for a hierarchy with spheres that stand in for other shapes.
    #[must_use]
    pub(crate) fn with_stand_ins(self, has_stand_ins: bool) -> Self {
        Self { has_stand_ins, ..self }
    }

    /// Prepares for points on a primitive.
    pub(crate) fn prepare<S: Simd>(&self, simd: S, scratch: &mut SmoothScratch, shaded: &ShadedShape) {
        let is_exact = self.field.shapes.is_some();
        let own = if is_exact { shaded.around } else { shaded.stand_in };
        scratch.own = own;
        scratch.own_shape = shaded.shape.filter(|_| is_exact);
        if self.has_patches(own.radius) && shaded.shape.is_none() {
            scratch.patches.resize_with(PATCHES, Default::default);
            scratch.patches.iter_mut().for_each(|(corner, _)| *corner = None);
            return;
        }
        let from = self.viewpoint(own.center, own.radius, own, scratch.own_shape);
        scratch.occluders += scratch.surroundings.gather(simd, self.field, &from);
    }

    /// The viewpoint for points of a sphere that are a radius away from a centre.
    fn viewpoint(&self, center: [f32; 3], radius: f32, own: Sphere<3>, own_shape: Option<u32>) -> OcclusionViewpoint {
        let planes = self.clip.map_or(NearPlanes::NONE, |(clip, eye)| {
            NearPlanes::new(Some(clip), std::array::from_fn(|axis| center[axis] - eye[axis]))
        });
        // no sphere is the shape itself
        let own = if own_shape.is_some() { Sphere { center, radius: 0.0 } } else { own };
        OcclusionViewpoint { center, radius, own, own_shape, reach: self.reach, opening: self.opening, planes }
    }

    /// Keeps all near spheres for points anywhere on the sphere.
    pub(crate) fn face_all(&self, scratch: &mut SmoothScratch) {
        scratch.facing.clear();
        scratch.facing.groups.extend_from_slice(&scratch.surroundings.near.groups);
    }

    /// Whether a sphere is much larger than others.
    pub(crate) fn is_large(&self, radius: f32) -> bool {
        radius > LARGE * self.median_radius
    }

    /// Whether a sphere has more than one patch.
    fn has_patches(&self, radius: f32) -> bool {
        !self.has_few && self.is_large(radius)
    }

    /// Drops the near spheres below the horizon of every point of a batch: they block nothing there.
    #[inline(always)]
    pub(crate) fn face<S: Simd>(
        &self,
        simd: S,
        SmoothScratch { own: Sphere { radius, .. }, surroundings, facing, .. }: &mut SmoothScratch,
        batch: &SurfaceBatch,
    ) {
        let radius = *radius;
        facing.clear();
        if batch.viewpoint.is_some() {
            facing.groups.extend_from_slice(&surroundings.near.groups);
            return;
        }
        if self.has_patches(radius) {
            return;
        }
        horizon::keep_above(simd, &surroundings.near.groups, radius, batch, facing);
    }

    /// Drops the near spheres below the horizon of one point of a sphere, which is seen from outside.
    #[inline(always)]
    pub(crate) fn face_point<S: Simd>(&self, simd: S, scratch: &mut SmoothScratch, normal: [f32; 3]) {
        let SmoothScratch { own: Sphere { radius, .. }, surroundings, facing, .. } = scratch;
        facing.clear();
        horizon::keep_above_point(simd, &surroundings.near.groups, *radius, normal, facing);
    }

    /// The size of the least feature of the light on a prepared sphere, relative to its radius; 0 if the light is not
    /// interpolated.
    pub(crate) fn least_feature(&self, scratch: &SmoothScratch) -> f32 {
        let (radius, surroundings) = (scratch.own.radius, &scratch.surroundings);
        if self.has_patches(radius) || scratch.own_shape.is_some() || !surroundings.near_shapes.is_empty() {
            return 0.0;
        }
        // light that a sphere blocks changes over its radius and its distance
        let feature = |(center, own): ([f32; 3], f32)| own.max(norm(center) - radius) / radius;
        let near = &surroundings.near;
        let spheres = (0..near.count).map(|index| near.groups[index / LANES].get(index % LANES));
        spheres.map(feature).fold(1.0, f32::min)
    }

    /// The openness of the point on the sphere with this normal, which faces the eye.
    #[inline(always)]
    pub(crate) fn openness<S: Simd>(
        &self,
        simd: S,
        scratch: &mut SmoothScratch,
        normal: [f32; 3],
        place: &ShadedPoint,
    ) -> f32 {
        let (own, ShadedPoint { is_inside, is_enclosed, is_faint, pixel, point, planes }) = (scratch.own, *place);
        if is_enclosed && self.reach >= 2.0 * own.radius {
            return 0.0;
        }
        if self.has_patches(own.radius) && point.is_none() {
            return self.openness_among_patches(simd, scratch, normal, place);
        }
        let radius = own.radius;
        simd.vectorize(
            #[inline(always)]
            || {
                let side = if is_inside { -radius } else { radius };
                let point = point.unwrap_or_else(|| scaled(normal, side));
                let blocked_by_own = if is_enclosed { self.blocked_by_own(2.0 * radius) } else { 0 };
                if scratch.own_shape.is_some() || !scratch.surroundings.near_shapes.is_empty() {
                    return self.among_shapes(simd, scratch, point, normal, place, blocked_by_own);
                }
                let (frame, near) = (tangents(normal), NearSpheres { groups: &scratch.facing.groups, planes: &planes });
                if self.has_few
                    && blocked_by_own == 0
                    && let Some(share) = self.open_under_few(simd, near, point, normal)
                {
                    return share;
                }
                let close = ((radius / pixel - CLOSE_PIXELS[0]) / (CLOSE_PIXELS[1] - CLOSE_PIXELS[0])).clamp(0.0, 1.0);
                let close = if is_faint { 0.0 } else { close };
                let mut close_light = 0.0;
                if close > 0.0 {
                    close_light = close * self.close_up(simd, scratch, point, normal, place, blocked_by_own);
                    if close >= 1.0 {
                        return close_light;
                    }
                }
                let open = !(self.blocked::<_, false>(simd, near, point, frame, normal) | blocked_by_own);
                let is_fine = !is_faint && radius > FINE_PIXELS * pixel;
                let asked = if is_fine && open == 0 { u64::MAX } else { open };
                let lookups = if is_inside { &FAR_LOOKUPS } else { &NEAR_LOOKUPS };
                let light = far_openness(simd, &scratch.surroundings, lookups.bins(normal), asked);
                if !is_fine {
                    return light;
                }
                // the mean far light over the open directions, times their share
                let light = light * (DIRECTIONS as f32 / asked.count_ones() as f32);
                let mut counts = open.count_ones();
                for turn in TURNS {
                    let frame = turned(frame, turn);
                    let blocked = self.blocked::<_, false>(simd, near, point, frame, normal);
                    counts += (!(blocked | blocked_by_own)).count_ones();
                }
                let light = light * (counts as f32 / (DIRECTIONS * (TURNS.len() + 1)) as f32);
                if close > 0.0 { close_light + (1.0 - close) * light } else { light }
            },
        )
    }

    /// Openness at a point of a sphere so large in the picture that the cells of the tables would be visible: each of
    /// many directions is tested against the caps themselves and looked up in the map on its own.
    #[inline(always)]
    fn close_up<S: Simd>(
        &self,
        simd: S,
        scratch: &SmoothScratch,
        point: [f32; 3],
        normal: [f32; 3],
        place: &ShadedPoint,
        blocked_by_own: u64,
    ) -> f32 {
        let shift = shift_on_sphere(normal, place.is_inside);
        let near = NearSpheres { groups: &scratch.facing.groups, planes: &place.planes };
        if blocked_by_own == 0 {
            let open = self.open_in_rows(simd, &scratch.surroundings, near, point, normal, shift);
            if let Some(open) = open {
                return open;
            }
        }
        mean_over_turns(
            simd,
            &scratch.surroundings.far,
            normal,
            shift,
            CLOSE_TURNS,
            EIGHTH_TURN,
            #[inline(always)]
            |frame| self.blocked::<_, true>(simd, near, point, frame, normal) | blocked_by_own,
        )
    }

    /// The share of a light that reaches the point on the sphere with this normal, which faces the eye.
    #[inline(always)]
    pub(crate) fn light<S: Simd>(
        &self,
        simd: S,
        scratch: &mut SmoothScratch,
        normal: [f32; 3],
        place: &ShadedPoint,
        light: &SoftLight,
    ) -> f32 {
        let own = scratch.own;
        if place.is_enclosed {
            return 0.0;
        }
        if self.has_patches(own.radius) && place.point.is_none() {
            return self.light_among_patches(simd, scratch, normal, place, light);
        }
        simd.vectorize(
            #[inline(always)]
            || {
                let side = if place.is_inside { -own.radius } else { own.radius };
                let point = place.point.unwrap_or_else(|| scaled(normal, side));
                let near = NearSpheres { groups: &scratch.facing.groups, planes: &place.planes };
                let surroundings = &mut scratch.surroundings;
                let own_shape = scratch.own_shape;
                let from = || self.viewpoint(own.center, own.radius, own, own_shape);
                surroundings.find_blockers(simd, self.field, light, from);
                let shift = shift_on_sphere(normal, place.is_inside);
                let query = self.query(own.center, point, normal, own_shape, place);
                self.light_past_all(simd, surroundings, near, shift, &query, light)
            },
        )
    }

    /// The share of a light that reaches a point on a large sphere.
    fn light_among_patches<S: Simd>(
        &self,
        simd: S,
        scratch: &mut SmoothScratch,
        normal: [f32; 3],
        place: &ShadedPoint,
        light: &SoftLight,
    ) -> f32 {
        let (own, &ShadedPoint { is_inside, pixel, planes, .. }) = (scratch.own, place);
        let outward = if is_inside { scaled(normal, -1.0) } else { normal };
        simd.vectorize(
            #[inline(always)]
            || {
                let halvings = patches::halvings(own.radius, self.median_radius, LEAST_PIXELS * pixel);
                let mut sum = 0.0;
                for (corner, share) in patches::corners_of_meshes(halvings, outward) {
                    let patch = self.patch(simd, scratch, own, corner, outward);
                    let Patch { surroundings, center, radius, point } = patch;
                    let shift = over(point, radius * DISTANCE);
                    let from = || self.viewpoint(center, radius, own, None);
                    surroundings.find_blockers(simd, self.field, light, from);
                    let near = NearSpheres { groups: &surroundings.near.groups, planes: &planes };
                    let query = self.query(center, point, normal, None, place);
                    sum += share * self.light_past_all(simd, surroundings, near, shift, &query, light);
                }
                sum
            },
        )
    }

    /// The openness of a point on a large sphere.
    fn openness_among_patches<S: Simd>(
        &self,
        simd: S,
        scratch: &mut SmoothScratch,
        normal: [f32; 3],
        place: &ShadedPoint,
    ) -> f32 {
        let (own, &ShadedPoint { is_inside, is_enclosed, pixel, planes, .. }) = (scratch.own, place);
        simd.vectorize(
            #[inline(always)]
            || {
                let blocked_by_own = if is_enclosed { self.blocked_by_own(2.0 * own.radius) } else { 0 };
                let outward = if is_inside { scaled(normal, -1.0) } else { normal };
                let halvings = patches::halvings(own.radius, self.median_radius, LEAST_PIXELS * pixel);
                let frame = tangents(normal);
                let mut cells = [[0; LANES]; DIRECTIONS / LANES];
                for (cells, directions) in cells.iter_mut().zip(&CAPS.directions) {
                    *cells = cells_about(simd, directions, frame, normal, [0.0; 3]).to_array();
                }
                let mut sum = 0.0;
                for (corner, share) in patches::corners_of_meshes(halvings, outward) {
                    let patch = self.patch(simd, scratch, own, corner, outward);
                    let Patch { surroundings, center, point, .. } = patch;
                    let near = NearSpheres { groups: &surroundings.near.groups, planes: &planes };
                    let mut blocked = self.blocked::<_, false>(simd, near, point, frame, normal) | blocked_by_own;
                    let query = self.query(center, point, normal, None, place);
                    let by_shapes = self.blocked_by_shapes(simd, &surroundings.near_shapes, &query, frame);
                    blocked |= by_shapes;
                    let open = !blocked;
                    // the map of a vertex is computed at the vertex; points in between get the interpolated mean
                    let mut arriving = mean_of_open(
                        simd,
                        open,
                        #[inline(always)]
                        |group, light| store_light(&surroundings.far, &cells[group], light),
                    );
                    if open != 0
                        && (blocked_by_own | by_shapes) == 0
                        && let Some(exact) = self.open_under_few(simd, near, point, normal)
                    {
                        arriving = arriving * (DIRECTIONS as f32 / open.count_ones() as f32) * exact;
                    }
                    sum += share * arriving;
                }
                sum
            },
        )
    }

    /// The patch of a large sphere around a vertex of its mesh.
    #[inline(always)]
    fn patch<'b, S: Simd>(
        &self,
        simd: S,
        scratch: &'b mut SmoothScratch,
        own: Sphere<3>,
        corner: Corner,
        outward: [f32; 3],
    ) -> Patch<'b> {
        let axis = patches::direction(corner);
        let radius = patches::patch_radius(own.radius, corner.halvings);
        let steps = corner.place.into_iter().zip([1, 7, 61]);
        let place = steps.fold(corner.halvings.wrapping_mul(37), |place, (along, step)| {
            place.wrapping_add(along.cast_unsigned().wrapping_mul(step))
        });
        let place = place as usize;
        let (kept, surroundings) = &mut scratch.patches[place % PATCHES];
        let center = std::array::from_fn(|i| own.center[i] + axis[i] * own.radius);
        if *kept != Some(corner) {
            scratch.occluders += surroundings.gather(simd, self.field, &self.viewpoint(center, radius, own, None));
            *kept = Some(corner);
        }
        let [x, y, z] = outward;
        let point = scaled([x - axis[0], y - axis[1], z - axis[2]], own.radius);
        Patch { surroundings, center, radius, point }
    }
}

/// On spheres of a larger radius in pixels, the edges between open and blocked directions become visible. There
/// openness is the mean over several rotations of the directions about the normal, given by cosine and sine.
pub(super) const FINE_PIXELS: f32 = 32.0;
pub(super) const TURNS: [[f32; 2]; 3] =
    [[0.920_504_9, 0.390_731_1], [0.681_998_4, 0.731_353_7], [0.325_568_15, 0.945_518_6]];

/// Between these radii in pixels, openness is blended into [`SmoothOcclusion::close_up`], the mean over eight rotations.
const CLOSE_PIXELS: [f32; 2] = [48.0, 72.0];
pub(super) const CLOSE_TURNS: usize = 8;

/// Cosine and sine of an eighth of a turn.
pub(super) const EIGHTH_TURN: [f32; 2] = [std::f32::consts::FRAC_1_SQRT_2, std::f32::consts::FRAC_1_SQRT_2];

/// Averages the far light over the directions that are open in any of several frames about a normal, each turned from
/// the one before; `blocked` finds the directions that near occluders block in a frame.
#[inline(always)]
pub(super) fn mean_over_turns<S: Simd>(
    simd: S,
    far: &[f32; 256],
    normal: [f32; 3],
    shift: [f32; 3],
    turns: usize,
    turn: [f32; 2],
    blocked: impl Fn([[f32; 3]; 2]) -> u64,
) -> f32 {
    let mut frame = tangents(normal);
    let mut sum = 0.0;
    for _ in 0..turns {
        let open = !blocked(frame);
        if open != 0 {
            sum += mean_of_open(
                simd,
                open,
                #[inline(always)]
                |group, light| {
                    let cells = cells_about(simd, &CAPS.directions[group], frame, normal, shift).to_array();
                    store_light(far, &cells, light);
                },
            );
        }
        frame = turned(frame, turn);
    }
    sum / turns as f32
}

/// Two tangents turned about their normal.
#[inline(always)]
pub(super) fn turned([tangent, bitangent]: [[f32; 3]; 2], [cosine, sine]: [f32; 2]) -> [[f32; 3]; 2] {
    let mix = |along: f32, across: f32| std::array::from_fn(|i| tangent[i] * along + bitangent[i] * across);
    [mix(cosine, sine), mix(-sine, cosine)]
}

/// Stores the light from eight cells of a map.
#[inline(always)]
fn store_light(far: &[f32; 256], cells: &[i32; LANES], light: &mut [f32; LANES]) {
    for (light, cell) in light.iter_mut().zip(cells) {
        *light = far[cell.cast_unsigned() as usize];
    }
}

#[inline(always)]
fn scaled([x, y, z]: [f32; 3], by: f32) -> [f32; 3] {
    [x * by, y * by, z * by]
}

#[inline(always)]
pub(super) fn over([x, y, z]: [f32; 3], by: f32) -> [f32; 3] {
    [x / by, y / by, z / by]
}

/// The shift from directions at a point of a sphere to directions at its middle.
#[inline(always)]
fn shift_on_sphere(normal: [f32; 3], is_inside: bool) -> [f32; 3] {
    over(normal, if is_inside { -DISTANCE } else { DISTANCE })
}

/// The mean over all 64 directions of the light from the open ones, looked up in their bins.
#[inline(always)]
fn far_openness<S: Simd>(simd: S, surroundings: &Surroundings, bins: &Bins, open: u64) -> f32 {
    if surroundings.is_clear {
        return open.count_ones() as f32 * (1.0 / DIRECTIONS as f32);
    }
    mean_of_open(
        simd,
        open,
        #[inline(always)]
        |group, light| {
            // a loop: `map` of an array becomes a call for each direction
            for (light, &bin) in light.iter_mut().zip(&bins[group]) {
                *light = surroundings.far[usize::from(bin)];
            }
        },
    )
}

/// The mean over all directions of the light from the open ones; `find_light` stores the light of a group.
#[inline(always)]
fn mean_of_open<S: Simd>(simd: S, open: u64, find_light: impl Fn(usize, &mut [f32; LANES])) -> f32 {
    const GROUPS: usize = DIRECTIONS / LANES;
    let of_group = |group: usize| open >> (group * LANES) & 0xff;
    // all are stored before any is loaded: a vector load right after scalar stores would stall
    let mut lights = [[0.0; LANES]; GROUPS];
    for (group, lights) in lights.iter_mut().enumerate() {
        if of_group(group) != 0 {
            find_light(group, lights);
        }
    }
    let zero = f32x8::splat(simd, 0.0);
    let mut sums = zero;
    for (group, lights) in lights.iter().enumerate() {
        sums += mask32x8::from_bitmask(simd, of_group(group)).select(f32x8::load_array_ref(simd, lights), zero);
    }
    let [a, b, c, d, e, f, g, h] = sums.to_array();
    (((a + b) + (c + d)) + ((e + f) + (g + h))) * (1.0 / DIRECTIONS as f32)
}
