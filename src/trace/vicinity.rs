//! Ambient occlusion of one surface point: fans of rays against the spheres around it.
//!
//! Most occluders are near. All points of one sphere share a list of the spheres around it, gathered once; each of
//! these meets sixteen rays in one step of lanes. Only rays that leave the list's reach unblocked go through the
//! tree, one by one, from where the list ends. A list depends on its sphere alone, so that answers do not depend on
//! which points ask.
#![expect(clippy::cast_possible_truncation, reason = "a mask of sixteen lanes has sixteen bits")]

use fearless_simd::{f32x16, prelude::*};

use crate::scene::EyeSphere;
use crate::trace::tree::{EMPTY_LEAF, GROWTH, Gather, Leaf, Probe, Tree, WIDTH, is_other, spheres_of, spread};

/// Up to sixteen rays from one point of a surface.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fan {
    /// Relative to the eye.
    pub origin: [f32; 3],
    /// The surface's normal: no ray points below it.
    pub normal: [f32; 3],
    /// Unit directions, side by side.
    pub x: [f32; WIDTH],
    pub y: [f32; WIDTH],
    pub z: [f32; WIDTH],
    /// How many of them are meant.
    pub count: usize,
    /// How far they look.
    pub length: f32,
    /// The sphere they leave from, which they cannot meet, nor a copy of it.
    pub except: EyeSphere,
}

/// The spheres around one, within a reach of its centre.
#[derive(Debug, Default)]
pub(crate) struct Vicinity {
    leaves: Vec<Leaf>,
    count: usize,
    /// What is not listed is met no nearer than this along a ray from the surface.
    begin: f32,
    /// What is listed is left no farther than this.
    end: f32,
}

/// Spheres in a list. Where more crowd together the tree alone finds the way.
const MOST: usize = 512;

/// Reach beyond the sphere's surface, in sides of the leaf there: a list of some two hundred spheres where they are dense.
const REACH: f32 = 1.1;

impl Gather for Vicinity {
    #[inline(always)]
    fn take(&mut self, leaf: &Leaf, place: usize) -> bool {
        let at = self.count % WIDTH;
        if at == 0 {
            self.leaves.push(EMPTY_LEAF);
        }
        let last = self.leaves.len() - 1;
        for (own, row) in self.leaves[last].iter_mut().zip(leaf) {
            own[at] = row[place];
        }
        self.count += 1;
        self.count <= MOST
    }
}

impl Vicinity {
    /// Lists the spheres around one.
    pub(crate) fn list<S: Simd>(&mut self, simd: S, tree: &Tree, sphere: EyeSphere) {
        simd.vectorize(
            #[inline(always)]
            || self.list_around(simd, tree, sphere),
        );
    }

    #[inline(always)]
    fn list_around<S: Simd>(&mut self, simd: S, tree: &Tree, EyeSphere { center, radius }: EyeSphere) {
        self.leaves.clear();
        self.count = 0;
        let reach = radius + REACH * tree.neighbourhood(simd, center);
        tree.gather(simd, center, reach, self);
        // a point on the surface is the radius from the centre, and rounded as the centre is
        let slack = GROWTH * ((center[0].abs() + center[1].abs()) + (center[2].abs() + (reach + radius)));
        self.begin = (reach - radius - tree.largest - slack).max(0.0);
        self.end = reach + radius + tree.largest + slack;
        if self.count > MOST {
            self.leaves.clear();
            self.begin = 0.0;
        }
    }

    /// Which of a fan's rays are blocked, a bit each. The fan leaves from the list's sphere.
    #[inline(always)]
    pub(crate) fn blocked<S: Simd>(&self, simd: S, tree: &Tree, fan: &Fan) -> u32 {
        let wanted = (1u32 << (fan.count - 1) << 1).wrapping_sub(1);
        let mut blocked = 0;
        for leaf in &self.leaves {
            blocked |= fan.met(simd, leaf);
            if blocked & wanted == wanted {
                return wanted;
            }
        }
        let mut left = wanted & !blocked;
        // listed spheres that reach beyond the fan's length were left out
        let begin = if self.end <= fan.length { self.begin } else { 0.0 };
        while left != 0 {
            let ray = left.trailing_zeros() as usize;
            left &= left - 1;
            let direction = [fan.x[ray], fan.y[ray], fan.z[ray]];
            let probe = Probe { origin: fan.origin, direction, begin, length: fan.length, except: fan.except };
            blocked |= u32::from(tree.blocks(simd, &probe)) << ray;
        }
        blocked & wanted
    }
}

impl Fan {
    /// Which rays are blocked by the spheres of a leaf: each sphere against all rays at once.
    ///
    /// A ray meets a sphere of power c = |oc|² − r² when it points towards it and b² ≥ c; when it starts inside, in
    /// any case. So near, c does not cancel. Spheres that might be met beyond the fan's length are left out.
    #[inline(always)]
    fn met<S: Simd>(&self, simd: S, leaf: &Leaf) -> u32 {
        let [ox, oy, oz] = spread(simd, self.origin);
        let spheres = spheres_of(simd, leaf);
        let [x, y, z, r] = spheres;
        let (x, y, z) = (x - ox, y - oy, z - oz);
        let squared = (x * x + y * y) + z * z;
        let height = (x * self.normal[0] + y * self.normal[1]) + z * self.normal[2];
        let others = is_other(simd, spheres, &self.except);
        let near = (squared.sqrt() + r).simd_le(self.length);
        let mut candidates = (near & (height + r).simd_gt(0.0) & others).to_bitmask();
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
        while candidates != 0 {
            let place = candidates.trailing_zeros() as usize;
            candidates &= candidates - 1;
            let b = (dx * x[place] + dy * y[place]) + dz * z[place];
            // b·|b| ≥ c says b > 0 and b² ≥ c at once; c < 0 has to say the rest
            let power = if power[place] < 0.0 { f32::NEG_INFINITY } else { power[place].max(f32::MIN_POSITIVE) };
            blocked |= (b * b.abs()).simd_ge(power);
        }
        blocked.to_bitmask() as u32
    }
}
