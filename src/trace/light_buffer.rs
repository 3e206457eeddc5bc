//! Who stands between what a picture shows and a directional light: spheres as circles in the plane across the light.
//!
//! Rays towards such a light are parallel, so that each stays in one column of a grid in that plane. A column lists the
//! spheres in it by how far they reach towards the light; a ray looks at those that reach beyond its start (E. Haines, D.
//! Greenberg, "The Light Buffer: A Shadow-Testing Accelerator", *IEEE CG&A* 6(9), 1986). The grid covers what is seen, and
//! columns list nothing that lies behind all of it: of a crowd, what is near its lit surface. Rays of one sphere look
//! together: the circles that do not reach the box around their starts (J. Arvo, "A Simple Method for Box-Sphere
//! Intersection Testing", *Graphics Gems*, 1990) are in the way of none. Lists and boxes leave out only what rounding cannot
//! bring into the way: answers are those of the tree, to the bit.

#![expect(clippy::cast_possible_truncation, reason = "places in a stripe and indices fit 32 bits")]

use fearless_simd::{Level, dispatch, f32x8, mask32x8, prelude::*};
use rayon::prelude::*;

use crate::scene::{EyeSphere, InstanceRun, SphereInstances};
use crate::tiles::spheres::LANES;
use crate::trace::light_columns::{Allowance, Dealt, Entry, LARGE, MARGIN, Plane, SLABS};
use crate::trace::lit::{Eight, lanes};
use crate::trace::patches::{Axes, Patch};
use crate::trace::sampling::across;
use crate::trace::shade::dot;
use crate::trace::tree::{Line, Probe, blocks, crossed, is_other};

/// The spheres of a roster in the way of one light.
#[derive(Debug)]
pub(crate) struct LightBuffer {
    plane: Plane,
    /// How far down each column is looked at: infinite where it is not.
    floors: Vec<f32>,
    stripes: Vec<Stripe>,
    /// Spheres that are in the way everywhere.
    large: Vec<Octet>,
}

/// Some rows of columns: spheres column by column, those that reach farthest towards the light last.
#[derive(Debug)]
struct Stripe {
    octets: Vec<Octet>,
    /// Where each slab of each column starts, and the end of all.
    starts: Vec<u32>,
}

/// Eight spheres relative to the eye, side by side: x, y, z and radius. Half a leaf of the tree's, as lists are short. Places
/// that are not filled hold NaN, which no ray meets.
type Octet = [[f32; LANES]; 4];

const EMPTY: Octet = [[f32::NAN; LANES]; 4];

/// Fewer spheres are left to the tree.
pub(crate) const LEAST: u64 = 4096;

/// Spheres in a column, on average, at most: copies at one place are better thinned, as the tree does.
const CROWD: usize = 2048;

/// Columns, at most, and spheres a column, at least.
const COLUMNS: u64 = 1 << 18;
const THIN: u64 = 16;

/// Columns that points are asked together in, at most.
const TOGETHER: usize = 16;

/// Beyond this squares leave the range of `f32`.
const FARTHEST: f32 = 1e15;

/// The axes of a light.
pub(crate) fn axes(toward: [f32; 3]) -> Axes {
    let [u, v] = across(toward);
    [u, v, toward]
}

impl LightBuffer {
    /// Lists what stands between the points in `patches` and the light of those axes; `None` where the tree does better:
    /// many large spheres among small ones, crowds, numbers near the ends of `f32`. `usual` is the radius of the usual sphere.
    pub(crate) fn new(
        level: Level,
        (roster, usual): (&SphereInstances<'_>, f32),
        axes: Axes,
        patches: &[&[Patch]],
    ) -> Option<Self> {
        let whole = |patches: &&[Patch]| patches.iter().fold(Patch::NONE, Patch::with);
        let whole = patches.par_iter().map(whole).reduce(|| Patch::NONE, |a, b| a.with(&b));
        if whole.extent > FARTHEST {
            return None;
        }
        let plane = Plane::new(axes, &whole, usual, (roster.count() / THIN).clamp(1, COLUMNS))?;
        let floors = patches.par_chunks(patches.len().div_ceil(16).max(1)).map(|patches| plane.floors(patches));
        let floors = floors.reduce(Vec::new, lowest);
        let stretches = roster.stretches(1 << 14);
        let allowance = Allowance::new(roster.count());
        let deal =
            |runs: &Vec<InstanceRun<'_>>| dispatch!(level, simd => plane.deal(simd, roster, runs, &floors, &allowance));
        let dealt: Vec<Dealt> = stretches.par_iter().map(deal).collect::<Option<_>>()?;
        let large: Vec<EyeSphere> = dealt.iter().flat_map(|dealt| &dealt.large).copied().collect();
        let listed = dealt.iter().flat_map(|dealt| &dealt.stripes).map(Vec::len).sum::<usize>();
        let is_far = large
            .iter()
            .any(|&EyeSphere { center: [x, y, z], radius }| (x.abs() + y.abs()) + (z.abs() + radius) > FARTHEST);
        if is_far || large.len() > LARGE || listed > CROWD * floors.len() {
            return None;
        }
        let slabs = plane.first_slab([0, 1 << plane.shift]) as usize;
        let stripes = (0..plane.stripes()).into_par_iter();
        let stripes =
            stripes.map(|stripe| Stripe::new(slabs, || dealt.iter().flat_map(|dealt| &dealt.stripes[stripe])));
        let large = large.chunks(LANES).map(octet).collect();
        Some(Self { plane, stripes: stripes.collect(), floors, large })
    }

    /// The spheres listed in a column that reach beyond a point along the light.
    #[inline(always)]
    fn beyond(&self, [column, row]: [u32; 2], along: f32) -> &[Octet] {
        let slab = self.plane.slab(along, self.floors[self.plane.column([column, row])]);
        let (stripe, row) = self.plane.stripe(row);
        let stripe = &self.stripes[stripe];
        let first = self.plane.first_slab([column, row]) as usize;
        let (start, end) = (stripe.starts[first + slab as usize], stripe.starts[first + SLABS as usize]);
        // the first and the last octet may hold spheres of other columns: what they block is blocked
        &stripe.octets[start as usize / LANES..(end as usize).div_ceil(LANES)]
    }

    /// Whether any sphere is in the way of a probe towards the light, from a point in one of the patches.
    #[inline(always)]
    pub(crate) fn blocks<S: Simd>(&self, simd: S, probe: &Probe) -> bool {
        let at = |axis: usize| dot(probe.origin, self.plane.axes[axis]);
        let [u, v, w] = [at(0), at(1), at(2)];
        let line = Line::<f32x8<S>>::new(simd, probe);
        for row in self.plane.around(1, v, v) {
            for column in self.plane.around(0, u, u) {
                if any_blocks(simd, self.beyond([column, row], w - self.plane.margin), &line) {
                    return true;
                }
            }
        }
        any_blocks(simd, &self.large, &line)
    }

    /// Clears the bits of points that do not see the light, of some on a sphere's surface; `false` where they lie too far
    /// apart to be asked together.
    #[inline(always)]
    pub(super) fn screen<S: Simd>(&self, simd: S, except: EyeSphere, points: &[Eight], open: &mut [u64]) -> bool {
        let Plane { axes, margin, .. } = self.plane;
        let splat = |number: f32| f32x8::splat(simd, number);
        let (mut min, mut max) = ([splat(f32::INFINITY); 3], [splat(f32::NEG_INFINITY); 3]);
        let mut left = 0;
        for (points, &open) in points.iter().zip(&*open) {
            let [x, y, z] = lanes(simd, points);
            let open_lanes = mask32x8::from_bitmask(simd, open);
            for axis in 0..3 {
                let [ax, ay, az] = axes[axis];
                let along = (x * ax + y * ay) + z * az;
                min[axis] = open_lanes.select(min[axis].min(along), min[axis]);
                max[axis] = open_lanes.select(max[axis].max(along), max[axis]);
            }
            left |= open;
        }
        if left == 0 {
            return true;
        }
        let ([u0, v0, w0], [u1, v1, _]) = (min, max);
        let [u0, v0, w0] = [u0.reduce_min(), v0.reduce_min(), w0.reduce_min() - margin];
        let [u1, v1] = [u1.reduce_max(), v1.reduce_max()];
        let (columns, rows) = (self.plane.around(0, u0, u1), self.plane.around(1, v0, v1));
        if (columns.end() - columns.start() + 1) * (rows.end() - rows.start() + 1) > TOGETHER as u32 {
            return false;
        }
        let length = splat(f32::INFINITY);
        let toward = [splat(axes[2][0]), splat(axes[2][1]), splat(axes[2][2])];
        let mut lists = [&self.large[..]; TOGETHER + 1];
        let mut count = 0;
        for row in rows {
            for column in columns.clone() {
                lists[count] = self.beyond([column, row], w0);
                count += 1;
            }
        }
        for list in &lists[..=count] {
            for octet in *list {
                let [x, y, z, r] = spheres_of(simd, octet);
                let along = |axis: usize| (x * axes[axis][0] + y * axes[axis][1]) + z * axes[axis][2];
                let (u, v, w) = (along(0), along(1), along(2));
                let reach = r + (((x.abs() + y.abs()) + (z.abs() + r)) * MARGIN + margin);
                // the box around the points against the sphere's circle
                let (du, dv) = ((u0 - u).max(u - u1).max(0.0), (v0 - v).max(v - v1).max(0.0));
                // squares of very small numbers have few bits left
                let near = (du * du + dv * dv).simd_le(reach * reach + f32::MIN_POSITIVE) & (w + reach).simd_ge(w0);
                let mut near = (near & is_other(simd, [x, y, z, r], &except)).to_bitmask();
                while near != 0 {
                    let lane = near.trailing_zeros() as usize % LANES;
                    near &= near - 1;
                    let [xs, ys, zs, radii] = octet;
                    let sphere = [splat(xs[lane]), splat(ys[lane]), splat(zs[lane]), splat(radii[lane])];
                    left = 0;
                    for (points, open) in points.iter().zip(&mut *open) {
                        if *open != 0 {
                            let line = Line { origin: lanes(simd, points), direction: toward, length, except };
                            *open &= !crossed(simd, sphere, &line).to_bitmask();
                            left |= *open;
                        }
                    }
                    if left == 0 {
                        return true;
                    }
                }
            }
        }
        true
    }
}

/// Whether any of some spheres is in the way.
#[inline(always)]
fn any_blocks<S: Simd>(simd: S, octets: &[Octet], line: &Line<f32x8<S>>) -> bool {
    for octet in octets {
        if blocks(simd, spheres_of(simd, octet), line) {
            return true;
        }
    }
    false
}

/// Up to eight spheres side by side.
fn octet(spheres: &[EyeSphere]) -> Octet {
    let mut octet = EMPTY;
    for (lane, &sphere) in spheres.iter().enumerate() {
        put(&mut octet, lane, sphere);
    }
    octet
}

#[inline(always)]
fn put(octet: &mut Octet, lane: usize, EyeSphere { center: [x, y, z], radius }: EyeSphere) {
    for (row, number) in octet.iter_mut().zip([x, y, z, radius]) {
        row[lane] = number;
    }
}

/// The numbers of an octet, a lane each.
#[inline(always)]
fn spheres_of<S: Simd>(simd: S, [x, y, z, radius]: &Octet) -> [f32x8<S>; 4] {
    [
        f32x8::load_array_ref(simd, x),
        f32x8::load_array_ref(simd, y),
        f32x8::load_array_ref(simd, z),
        f32x8::load_array_ref(simd, radius),
    ]
}

/// The median radius of some spheres all over the roster.
pub(crate) fn usual_radius(roster: &SphereInstances<'_>) -> f32 {
    let step = (roster.count() / 255).max(1) as usize;
    let mut radii: Vec<f32> =
        (0..roster.count()).step_by(step).map(|index| roster.sphere(index as u32).0.radius).collect();
    let middle = radii.len() / 2;
    *radii.select_nth_unstable_by(middle, f32::total_cmp).1
}

/// The lower of each two floors; none are as good as none at all.
fn lowest(mut floors: Vec<f32>, others: Vec<f32>) -> Vec<f32> {
    if floors.is_empty() {
        return others;
    }
    for (floor, other) in floors.iter_mut().zip(others) {
        *floor = floor.min(other);
    }
    floors
}

impl Stripe {
    fn new<'a, I: Iterator<Item = &'a Entry>>(slabs: usize, entries: impl Fn() -> I) -> Self {
        let mut starts = vec![0u32; slabs + 1];
        for entry in entries() {
            starts[entry.slab as usize + 1] += 1;
        }
        let mut count = 0;
        for start in &mut starts {
            count += *start;
            *start = count;
        }
        let mut octets = vec![EMPTY; (count as usize).div_ceil(LANES)];
        let mut places = starts.clone();
        for entry in entries() {
            let place = &mut places[entry.slab as usize];
            put(&mut octets[*place as usize / LANES], *place as usize % LANES, entry.seen);
            *place += 1;
        }
        Self { octets, starts }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::generate::{self, Pattern};
    use crate::scene::spheres::{PaintedSphere, Pose, SphereGroup};
    use crate::trace::tree::Tree;
    use std::borrow::Cow;

    /// Boxes around points, seven at a time.
    fn boxes(points: &[[f32; 3]], axes: &Axes) -> Vec<Patch> {
        let patch = |point: &[f32; 3]| {
            let along = axes.map(|axis| dot(*point, axis));
            Patch { min: along, max: [along[0], along[1]], extent: point.iter().map(|along| along.abs()).sum() }
        };
        points.chunks(7).map(|points| points.iter().map(patch).fold(Patch::NONE, |a, b| a.with(&b))).collect()
    }

    /// Every way out of a few thousand spheres' surfaces, and out of the middle, answered by the tree and by the buffer, one
    /// by one and sphere by sphere; of all of them, and of some in a corner, which lists leave most spheres out for. Every
    /// 97th sphere is too large for one column, the last for any number.
    #[test]
    fn answers_are_those_of_the_tree() {
        for (pattern, scale) in [(Pattern::Uniform, 1.0), (Pattern::Gaussian, 1e-12), (Pattern::Lattice, 1e9)] {
            let mut spheres = generate::spheres(pattern, 6000, 3);
            for (sphere, index) in spheres.iter_mut().zip(0..) {
                sphere.center = sphere.center.map(|along| along * scale);
                sphere.radius *= if index % 97 == 0 { 2.5 * scale } else { scale };
            }
            spheres[5999] = PaintedSphere { center: [0.0, 0.0, -3.5 * scale], radius: 2.0 * scale, ..spheres[5999] };
            let poses = [Pose::IDENTITY];
            let groups = [SphereGroup { spheres: Cow::Borrowed(&spheres[..]), poses: Cow::Borrowed(&poses[..]) }];
            let roster = SphereInstances::new(&groups, [0.5 * scale; 3]);
            let (tree, level) = (Tree::new(&roster), Level::new());
            for toward in [[0.0, 0.0, 1.0], [0.6, 0.0, -0.8], [0.48, -0.6, 0.64]] {
                for most in [f32::INFINITY, -0.2 * scale] {
                    let mut probes = Vec::new();
                    for index in 0..6000 {
                        let (except, _) = roster.sphere(index);
                        for normal in [toward, [0.8, 0.6, 0.0], [0.0; 3]] {
                            let origin: [f32; 3] =
                                std::array::from_fn(|axis| except.center[axis] + normal[axis] * except.radius);
                            let probe = Probe { origin, direction: toward, begin: 0.0, length: f32::INFINITY, except };
                            probes.extend(origin.iter().all(|along| *along < most).then_some(probe));
                        }
                    }
                    let points: Vec<_> = probes.iter().map(|probe| probe.origin).collect();
                    let patches = boxes(&points, &axes(toward));
                    let buffer = LightBuffer::new(level, (&roster, usual_radius(&roster)), axes(toward), &[&patches])
                        .expect("like sizes");
                    let answers = probes.iter().map(|probe| {
                        let answer = dispatch!(level, simd => buffer.blocks(simd, probe));
                        assert_eq!(answer, dispatch!(level, simd => tree.blocks(simd, probe)), "{pattern:?} {probe:?}");
                        answer
                    });
                    let answers: Vec<bool> = answers.collect();
                    let of_one = probes.chunk_by(|a, b| a.except == b.except);
                    let mut rest = &answers[..];
                    for probes in of_one {
                        let mut points = [[0.0; LANES]; 3];
                        for (lane, probe) in probes.iter().enumerate() {
                            (0..3).for_each(|axis| points[axis][lane] = probe.origin[axis]);
                        }
                        let mut open = [(1 << probes.len()) - 1];
                        let except = probes[0].except;
                        let is_screened = dispatch!(level, simd => buffer.screen(simd, except, &[points], &mut open));
                        let (own, others) = rest.split_at(probes.len());
                        rest = others;
                        if !is_screened {
                            assert!(except.radius > scale, "{except:?} is small");
                            continue;
                        }
                        let screened: Vec<bool> = (0..own.len()).map(|lane| open[0] >> lane & 1 == 0).collect();
                        assert_eq!(own, screened, "{pattern:?} {probes:?}");
                    }
                    let blocked = answers.iter().filter(|blocked| **blocked).count();
                    let asked = probes.len();
                    assert!(asked > 100 && (1..asked).contains(&blocked), "{blocked} of {asked} tell nothing");
                }
            }
        }
    }

    #[test]
    fn crowds_and_unlike_sizes_are_left_to_the_tree() {
        let listed = |scale: f32, large: usize, largest: f32| {
            let mut spheres = generate::spheres(Pattern::Uniform, 20_000, 3);
            for sphere in &mut spheres {
                sphere.center = sphere.center.map(|along| along * scale);
            }
            spheres[..large].iter_mut().for_each(|sphere| sphere.radius = largest);
            let poses = [Pose::IDENTITY];
            let groups = [SphereGroup { spheres: Cow::Borrowed(&spheres[..]), poses: Cow::Borrowed(&poses[..]) }];
            let axes = axes([0.0, 1.0, 0.0]);
            let points: Vec<_> = spheres.iter().map(|sphere| sphere.center).collect();
            let roster = SphereInstances::new(&groups, [0.0; 3]);
            LightBuffer::new(Level::new(), (&roster, usual_radius(&roster)), axes, &[&boxes(&points, &axes)]).is_some()
        };
        assert!(listed(1.0, 0, 0.0));
        assert!(listed(1.0, 3, 0.3));
        assert!(listed(1.0, 2, 100.0));
        assert!(!listed(1.0, 200, 100.0));
        assert!(!listed(1.0, 2, 1e16));
        assert!(!listed(1.0, 3000, 0.3));
        assert!(!listed(1e-4, 0, 0.0));
    }
}
