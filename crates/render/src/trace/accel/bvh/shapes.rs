//! A hierarchy of the shapes other than spheres, with the layout of the sphere hierarchy.
//!
//! Leaves hold indices: shapes are placed when a ray reaches them.
#![expect(clippy::cast_possible_truncation, reason = "levels are few; indices fit 32 bits")]

use fearless_simd::{Level, f32x8, prelude::*};

use super::build::levels_above;
use super::rays::{BoxRays, STACK, Visit};
use super::tree::{Box3, EMPTY_BOX, GROWTH, Node, WIDTH, union, widest_axis};
use crate::lanes::{dot, next_lane};
use crate::scene::{Opacity, Placeable, PlacedList, PlacedShapes, SolidExtent};
use crate::shapes::{
    ListVisitor, OcclusionRay, Primitive, ShapeVisitor, Target, pass_of, stretches_by_half, visit_lists, visit_shape,
};

/// The shapes of a scene that are not spheres, found by rays.
#[derive(Debug)]
pub(crate) struct ShapeBvh {
    /// Indices, [`WIDTH`] to a leaf.
    leaves: Vec<u32>,
    /// From the parents of leaves to the root.
    levels: Vec<Vec<Node>>,
    /// The opacity of the halves that block, if some cylinder blocks with one half only.
    halves: Option<Opacity>,
}

/// A shape while the hierarchy is built.
#[derive(Clone, Copy)]
struct BoundedShape {
    bounds: Box3,
    index: u32,
}

impl BoundedShape {
    /// Sort key: the centre of the box along an axis; ties go to the lower index.
    fn order(&self, axis: usize) -> (i32, u32) {
        (super::tree::order(self.bounds[0][axis] * 0.5 + self.bounds[1][axis] * 0.5), self.index)
    }
}

impl ShapeBvh {
    /// Builds the hierarchy of all shapes that are drawn; `shapes` are in world coordinates.
    pub(crate) fn new(level: Level, shapes: &PlacedShapes<'_>) -> Self {
        let items = Vec::with_capacity(shapes.count() as usize);
        let mut collected = CollectedShapes { items, has_halves: false };
        visit_lists(shapes, &mut collected);
        let CollectedShapes { mut items, has_halves } = collected;
        arrange(&mut items);
        let leaf = |items: &[BoundedShape]| items.iter().fold(EMPTY_BOX, |all, item| union(all, item.bounds));
        let boxes: Vec<Box3> = items.chunks(WIDTH).map(leaf).collect();
        let halves = has_halves.then_some(shapes.cylinders.only);
        Self { leaves: items.iter().map(|item| item.index).collect(), levels: levels_above(level, &boxes), halves }
    }

    /// Whether any shape blocks a ray; the ray is relative to the eye of `shapes`.
    pub(crate) fn blocks<S: Simd>(&self, simd: S, shapes: &PlacedShapes<'_>, ray: &OcclusionRay) -> bool {
        simd.vectorize(
            #[inline(always)]
            || self.blocks_inline(simd, shapes, ray),
        )
    }

    #[inline(always)]
    fn blocks_inline<S: Simd>(&self, simd: S, shapes: &PlacedShapes<'_>, ray: &OcclusionRay) -> bool {
        let Some(top) = self.levels.len().checked_sub(1) else { return false };
        let box_rays = BoxRays::new(simd, &OcclusionRay { begin: 0.0, ..*ray }, shapes.eye());
        let mut stack = [Visit::default(); STACK];
        stack[0] = Visit { level: top as u32, node: 0 };
        let mut depth = 1;
        while depth > 0 {
            depth -= 1;
            let Visit { level, node } = stack[depth];
            let (mut met, _) = self.levels[level as usize][node as usize].intersect(simd, &box_rays);
            while let Some(lane) = next_lane(&mut met) {
                let child = node * WIDTH as u32 + lane as u32;
                if level > 0 {
                    stack[depth] = Visit { level: level - 1, node: child };
                    depth += 1;
                    continue;
                }
                let first = child as usize * WIDTH;
                let leaf = &self.leaves[first..self.leaves.len().min(first + WIDTH)];
                // loops: a closure handed to `any` is compiled without the instructions of the level
                for &index in leaf {
                    if self.shape_blocks(simd, shapes, index, ray) {
                        return true;
                    }
                }
            }
        }
        false
    }
}

impl ShapeBvh {
    #[inline(always)]
    fn shape_blocks<S: Simd>(&self, simd: S, shapes: &PlacedShapes<'_>, index: u32, ray: &OcclusionRay) -> bool {
        let only = self.halves.filter(|_| shapes.has_halves(index));
        let halves = only.map(|only| [index, index + 1].map(|half| only.includes(shapes.color(half).a)));
        visit_shape(shapes.shape(index), BlocksRay { simd, ray, halves })
    }
}

/// Whether a shape, or some of its halves, block a ray. A ray that starts inside is blocked, except within rounding of the surface: there
/// another shape touches this one.
struct BlocksRay<'a, S> {
    simd: S,
    ray: &'a OcclusionRay,
    /// The halves that block, unless both do.
    halves: Option<[bool; 2]>,
}

impl<S: Simd> ShapeVisitor for BlocksRay<'_, S> {
    type Output = bool;

    #[inline(always)]
    fn visit<P: Primitive>(self, shape: P) -> bool {
        let Self { simd, ray, halves } = self;
        let target = shape.target();
        let (approach, span) = pass_of(simd, &target, ray.origin, ray.direction);
        if span[0].is_nan() {
            return false;
        }
        let stretches = match halves {
            None => [span; 2],
            Some(_) => stretches_by_half(simd, &target, approach, span),
        };
        let is_there = halves.unwrap_or([true, false]);
        let mut begins_in = false;
        for half in 0..2 {
            let [enter, exit] = stretches[half];
            if is_there[half] && enter >= 0.0 && enter <= ray.length {
                return true;
            }
            begins_in |= is_there[half] && enter < 0.0 && exit >= 0.0 && exit <= ray.length;
        }
        if !begins_in {
            return false;
        }
        let size = dot(ray.origin, ray.origin).sqrt();
        let depth = target.depth_at(simd, approach, f32x8::splat(simd, 0.0)).to_array()[0];
        depth < -(shape.thickness() * (64.0 * f32::EPSILON)).sqrt() * size.sqrt()
    }
}

/// The shapes that are drawn.
struct CollectedShapes {
    items: Vec<BoundedShape>,
    /// Whether only one half of some cylinder has the opacity of the list.
    has_halves: bool,
}

impl ListVisitor for CollectedShapes {
    fn visit<T: Placeable>(&mut self, list: &PlacedList<'_, T>) {
        list.for_each_posed(0..list.count, |number, shape, pose| {
            self.has_halves |= !shape.alphas().iter().all(|&alpha| list.only.includes(alpha));
            let [min, max] = shape.placed(pose, list.eye).bounds();
            if min.iter().zip(&max).all(|(min, max)| min <= max && min.is_finite() && max.is_finite()) {
                let grown = |at: f32| at.abs() * GROWTH;
                let bounds = [min.map(|at| at - grown(at)), max.map(|at| at + grown(at))];
                self.items.push(BoundedShape { bounds, index: list.index(number) });
            }
        });
    }
}

/// Orders items so that leaves of [`WIDTH`], and their parents, hold neighbours.
fn arrange(items: &mut [BoundedShape]) {
    if items.len() <= WIDTH {
        return;
    }
    let bounds = items.iter().fold(EMPTY_BOX, |all, item| union(all, item.bounds));
    let axis = widest_axis(bounds);
    let leaves = items.len().div_ceil(WIDTH);
    // the left half is complete
    let left = (leaves.next_power_of_two() / 2) * WIDTH;
    items.select_nth_unstable_by_key(left, |item| item.order(axis));
    let (front, behind) = items.split_at_mut(left);
    rayon::join(|| arrange(front), || arrange(behind));
}
