//! Finds the spheres between a receiver and a light: a few are kept one by one, a crowd is left to the light map.

use fearless_simd::{f32x16, mask32x16, prelude::*};

use super::soft_shadows::SoftLight;
use super::surroundings::{OcclusionViewpoint, SphereField, SphereGroups};
use crate::lanes::next_lane;
use crate::shapes::{Exclude, differs};
use crate::trace::accel::bvh::{Bvh, Node, Sphere16, WIDTH, load_spheres, splat};

/// The spheres that may hide some of a light from the points around a viewpoint.
#[derive(Debug, Default)]
pub(super) struct Blockers {
    /// Relative to the viewpoint; incomplete for a crowd.
    pub spheres: SphereGroups,
    /// The numbers of the pieces of other shapes.
    pub shapes: Vec<u32>,
    pub are_crowd: bool,
}

/// tuned: benches/spheres.rs S1 studio. Maximum number of spheres kept one by one.
const MOST: usize = 48;

/// Nodes on the stack: eight levels, each leaves at most 15 siblings.
const STACK: usize = 8 * WIDTH;

/// The space between the points around a viewpoint and a light, as a truncated cone: all lines from the points to the
/// light lie in it.
struct LightCone<S: Simd> {
    apex: [f32x16<S>; 3],
    toward: [f32; 3],
    /// At the viewpoint.
    radius: f32,
    /// Growth of the radius with distance.
    slope: f32,
}

impl Blockers {
    /// Finds the spheres and other shapes that are in the way of a light.
    pub(super) fn find<S: Simd>(
        &mut self,
        simd: S,
        field: SphereField<'_>,
        from: &OcclusionViewpoint,
        light: &SoftLight,
    ) {
        if let Some(shapes) = field.shapes {
            shapes.find_blockers(from, light, &mut self.shapes);
        }
        simd.vectorize(
            #[inline(always)]
            || self.find_inline(simd, field.bvh, from, light),
        );
    }

    #[inline(always)]
    fn find_inline<S: Simd>(&mut self, simd: S, bvh: &Bvh, from: &OcclusionViewpoint, light: &SoftLight) {
        self.spheres.clear();
        self.are_crowd = false;
        let Some(top) = bvh.levels.len().checked_sub(1) else { return };
        let apex = splat(simd, from.center);
        let cone = LightCone { apex, toward: light.toward, radius: from.radius, slope: light.radius };
        let mut stack = [(0, 0); STACK];
        stack[0] = (top, 0);
        let mut depth = 1;
        while depth > 0 {
            depth -= 1;
            let (level, node) = stack[depth];
            let mut met = cone.meets_boxes(simd, &bvh.levels[level][node]).to_bitmask();
            while let Some(lane) = next_lane(&mut met) {
                let child = node * WIDTH + lane;
                if level > 0 {
                    stack[depth] = (level - 1, child);
                    depth += 1;
                } else if let Some(leaf) = bvh.leaves.get(child) {
                    self.add(simd, leaf, &cone, from);
                    if self.spheres.count > MOST {
                        self.are_crowd = true;
                        return;
                    }
                }
            }
        }
    }

    /// Adds the spheres of a leaf that meet the cone.
    #[inline(always)]
    fn add<S: Simd>(&mut self, simd: S, leaf: &Sphere16, cone: &LightCone<S>, from: &OcclusionViewpoint) {
        let [x, y, z, radius] = load_spheres(simd, leaf);
        let toward = [x - cone.apex[0], y - cone.apex[1], z - cone.apex[2]];
        let squared = (toward[0] * toward[0] + toward[1] * toward[1]) + toward[2] * toward[2];
        let is_other = differs(simd, [x, y, z, radius], &Exclude { sphere: from.own });
        let mut met = (cone.meets(simd, toward, squared, radius) & is_other).to_bitmask();
        if met == 0 {
            return;
        }
        let rows = [toward[0].to_array(), toward[1].to_array(), toward[2].to_array(), radius.to_array()];
        while let Some(lane) = next_lane(&mut met) {
            self.spheres.push([rows[0][lane], rows[1][lane], rows[2][lane]], rows[3][lane]);
        }
    }
}

impl<S: Simd> LightCone<S> {
    /// Which children's boxes it may meet, by their circumspheres.
    #[inline(always)]
    fn meets_boxes(&self, simd: S, node: &Node) -> mask32x16<S> {
        let mut toward = self.apex;
        let (mut squared, mut size) = (f32x16::splat(simd, 0.0), f32x16::splat(simd, 0.0));
        for ((toward, min), max) in toward.iter_mut().zip(&node.min).zip(&node.max) {
            let min = f32x16::load_array_ref(simd, min);
            let half = (f32x16::load_array_ref(simd, max) - min) * 0.5;
            *toward = (min + half) - *toward;
            squared += *toward * *toward;
            size += half * half;
        }
        self.meets(simd, toward, squared, size.sqrt())
    }

    /// Which spheres it meets; they are relative to the viewpoint.
    #[inline(always)]
    fn meets(&self, simd: S, [x, y, z]: [f32x16<S>; 3], squared: f32x16<S>, radius: f32x16<S>) -> mask32x16<S> {
        let [toward_x, toward_y, toward_z] = self.toward;
        let along = (x * toward_x + y * toward_y) + z * toward_z;
        let across = (squared - along * along).max(0.0).sqrt();
        let farthest = along + radius + self.radius;
        let width = farthest.max(0.0) * self.slope + self.radius;
        (across - radius).simd_le(width) & farthest.simd_gt(f32x16::splat(simd, 0.0))
    }
}
