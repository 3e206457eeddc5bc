//! Openness and soft light at points among shapes that are not spheres: directions are tested against the shapes
//! themselves.

use fearless_simd::prelude::*;

use super::caps::{CAPS, DIRECTIONS};
use super::lookups::DISTANCE;
use super::near_planes::NearSpheres;
use super::openness::{
    CLOSE_TURNS, EIGHTH_TURN, FINE_PIXELS, ShadedPoint, SmoothOcclusion, SmoothScratch, TURNS, mean_over_turns, over,
};
use super::shape_field::PieceQuery;
use super::soft_shadows::SoftLight;
use super::surroundings::Surroundings;
use crate::lanes::load3;

/// Rotations of the directions about the normal, on shapes that are small in the picture.
const SHAPE_TURNS: usize = 4;

impl SmoothOcclusion<'_> {
    /// Openness at a point among shapes that are not spheres, or on one: each of many directions is tested against the
    /// shapes themselves and looked up in the map on its own.
    pub(super) fn among_shapes<S: Simd>(
        &self,
        simd: S,
        scratch: &SmoothScratch,
        point: [f32; 3],
        normal: [f32; 3],
        place: &ShadedPoint,
        blocked_by_own: u64,
    ) -> f32 {
        let (own, surroundings) = (scratch.own, &scratch.surroundings);
        let near = NearSpheres { groups: &scratch.facing.groups, planes: &place.planes };
        let shift = over(point, own.radius * DISTANCE);
        let query = self.query(own.center, point, normal, scratch.own_shape, place);
        let turns = if place.is_faint {
            1
        } else if own.radius > FINE_PIXELS * place.pixel {
            CLOSE_TURNS
        } else {
            SHAPE_TURNS
        };
        let turn = if turns == CLOSE_TURNS { EIGHTH_TURN } else { TURNS[1] };
        simd.vectorize(
            #[inline(always)]
            || {
                mean_over_turns(
                    simd,
                    &surroundings.far,
                    normal,
                    shift,
                    turns,
                    turn,
                    #[inline(always)]
                    |frame| {
                        let blocked = self.blocked::<_, true>(simd, near, point, frame, normal) | blocked_by_own;
                        if blocked == u64::MAX {
                            return blocked;
                        }
                        blocked | self.blocked_by_shapes(simd, &surroundings.near_shapes, &query, frame)
                    },
                )
            },
        )
    }

    /// A point, relative to a viewpoint in world coordinates, among shapes.
    pub(super) fn query<'b>(
        &self,
        viewpoint: [f32; 3],
        point: [f32; 3],
        normal: [f32; 3],
        own: Option<u32>,
        place: &'b ShadedPoint,
    ) -> PieceQuery<'b> {
        let in_world = std::array::from_fn(|axis| viewpoint[axis] + point[axis]);
        PieceQuery {
            point: in_world,
            relative: point,
            normal,
            own,
            reach: self.reach,
            pixel: place.pixel,
            planes: &place.planes,
        }
    }

    /// The directions about a normal that near shapes block.
    #[inline(always)]
    pub(super) fn blocked_by_shapes<S: Simd>(
        &self,
        simd: S,
        near: &[u32],
        query: &PieceQuery<'_>,
        [tangent, bitangent]: [[f32; 3]; 2],
    ) -> u64 {
        let Some(shapes) = self.field.shapes.filter(|_| !near.is_empty()) else { return 0 };
        let mut directions = CAPS.directions;
        for rows in &mut directions {
            let [x, y, z] = load3(simd, rows);
            for (axis, row) in rows.iter_mut().enumerate() {
                let along = (x * tangent[axis] + y * bitangent[axis]) + z * query.normal[axis];
                along.store_array(row);
            }
        }
        shapes.blocked(simd, near, query, &directions)
    }

    /// The share of a light that arrives past spheres and other shapes.
    #[inline(always)]
    pub(super) fn light_past_all<S: Simd>(
        &self,
        simd: S,
        surroundings: &Surroundings,
        near: NearSpheres<'_>,
        shift: [f32; 3],
        query: &PieceQuery<'_>,
        light: &SoftLight,
    ) -> f32 {
        let past_spheres = light.arriving(simd, surroundings, near, query.relative, shift);
        let blockers = surroundings.blockers(light);
        let Some(shapes) = self.field.shapes.filter(|_| !blockers.shapes.is_empty()) else { return past_spheres };
        let query = PieceQuery { reach: f32::INFINITY, ..*query };
        let hidden = shapes.blocked(simd, &blockers.shapes, &query, &light.disk);
        let share = |hidden: u64| hidden.count_zeros() as f32 * (1.0 / DIRECTIONS as f32);
        if hidden == 0 || blockers.are_crowd {
            return past_spheres * share(hidden);
        }
        // spheres and shapes that overlap count once
        share(hidden | light.hidden(simd, NearSpheres { groups: &blockers.spheres.groups, ..near }, query.relative))
    }
}
