//! Who stands between a surface and a directional light: spheres as circles in the plane across the light.
//!
//! Rays towards such a light are parallel, so that each stays in one column of a grid in that plane. A column lists the
//! spheres whose circles reach it, by how far they reach towards the light; a ray looks at those that reach beyond its
//! start (E. Haines, D. Greenberg, "The Light Buffer: A Shadow-Testing Accelerator", *IEEE CG&A* 6(9), 1986). Lists leave
//! out only what rounding cannot bring into the way: answers are those of the tree, to the bit.

#![expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "columns and slabs are counted from 0")]

use fearless_simd::prelude::*;
use rayon::prelude::*;

use crate::scene::{Roster, Run, Seen};
use crate::trace::sampling::across;
use crate::trace::tree::{EMPTY_LEAF, Lanes, Leaf, Probe, WIDTH, blocks, spheres_of};

/// The spheres of a roster in the way of one light.
#[derive(Debug)]
pub(crate) struct LightBuffer {
    plane: Plane,
    stripes: Vec<Stripe>,
}

/// A grid of columns along the light.
#[derive(Clone, Copy, Debug)]
struct Plane {
    /// Two unit vectors across the light, and the one towards it.
    axes: [[f32; 3]; 3],
    /// The least of all spheres along each axis, and the cells a unit of length.
    start: [f32; 3],
    inverse: [f32; 3],
    /// Columns across and down, and slabs along the light.
    cells: [u32; 3],
    /// More than rounding misplaces anything by.
    margin: f32,
}

/// Some rows of columns: spheres column by column, those that reach farthest towards the light last.
#[derive(Debug)]
struct Stripe {
    leaves: Vec<Leaf>,
    /// Where each slab of each column starts, and the end of all.
    starts: Vec<u32>,
}

/// What is asked about all spheres before the grid is laid out.
#[derive(Clone, Copy, Debug)]
struct Summary {
    count: usize,
    /// Along each axis.
    min: [f32; 3],
    max: [f32; 3],
    /// Sums of radii and of their squares.
    radii: f64,
    squares: f64,
    /// The largest sum of a sphere's coordinates and radius.
    extent: f32,
}

/// Fewer spheres are left to the tree.
const LEAST: usize = 4096;

/// The mean square of the radii over the square of their mean, at most: a large sphere among small ones makes the plane so
/// large that all of these share a column.
const UNLIKE: f64 = 16.0;

/// Spheres in a column, on average, at most.
const MOST_IN_COLUMN: f64 = 2048.0;

/// Spheres in a slab of a column, about.
const SLAB: usize = 8;

/// Side of a column in mean radii: smaller ones list spheres oftener, larger ones list more that are not in the way.
const SIDE: f64 = 12.0;

/// Stripes are filled side by side.
const STRIPES: u32 = 32;

/// Rounding misplaces a crossing, and where it lies in the plane, by some dozens of these of the scene's extent.
const MARGIN: f32 = 256.0 * f32::EPSILON;

/// Beyond this squares leave the range of `f32`.
const FARTHEST: f32 = 1e15;

impl LightBuffer {
    /// Lists everything that is drawn; `None` where few spheres or unlike sizes suit the tree better.
    pub(crate) fn new(roster: &Roster<'_>, toward: [f32; 3]) -> Option<Self> {
        let stretches = roster.stretches(1 << 14);
        let [u, v] = across(toward);
        let axes = [u, v, toward];
        let summaries: Vec<Summary> = stretches.par_iter().map(|runs| Summary::of(roster, runs, &axes)).collect();
        let summary = summaries.into_iter().fold(Summary::NONE, Summary::with);
        let plane = Plane::new(&summary, axes)?;
        let dealt: Vec<Vec<Vec<Entry>>> = stretches.par_iter().map(|runs| plane.deal(roster, runs)).collect();
        let slabs = plane.first_slab([0, plane.stripe_rows()]) as usize;
        let stripes = (0..plane.stripes()).into_par_iter();
        let stripes = stripes.map(|stripe| Stripe::new(slabs, || dealt.iter().flat_map(|dealt| &dealt[stripe])));
        Some(Self { plane, stripes: stripes.collect() })
    }

    /// Whether any sphere is in the way of a probe towards the light.
    #[inline(always)]
    pub(crate) fn blocks<S: Simd>(&self, simd: S, probe: &Probe) -> bool {
        let Plane { axes, cells, margin, .. } = &self.plane;
        let at = |axis: usize| dot(probe.origin, axes[axis]);
        let (column, row) = (self.plane.cell(0, at(0)), self.plane.cell(1, at(1)));
        let slab = self.plane.cell(2, at(2) - margin);
        let rows = self.plane.stripe_rows();
        let stripe = &self.stripes[(row / rows) as usize];
        let first = self.plane.first_slab([column, row % rows]) as usize;
        let (start, end) = (stripe.starts[first + slab as usize], stripe.starts[first + cells[2] as usize]);
        let lanes = Lanes::new(simd, probe);
        // the first and the last leaf may hold spheres of other columns: what they block is blocked
        let leaves = start as usize / WIDTH..(end as usize).div_ceil(WIDTH);
        stripe.leaves[leaves].iter().any(|leaf| blocks(spheres_of(simd, leaf), &lanes))
    }
}

/// A sphere in a slab of a stripe.
#[derive(Clone, Copy, Debug)]
struct Entry {
    slab: u32,
    seen: Seen,
}

impl Summary {
    const NONE: Self =
        Self { count: 0, min: [f32::INFINITY; 3], max: [f32::NEG_INFINITY; 3], radii: 0.0, squares: 0.0, extent: 0.0 };

    fn of(roster: &Roster<'_>, runs: &[Run<'_>], axes: &[[f32; 3]; 3]) -> Self {
        let mut summary = Self::NONE;
        for (_, Seen { center, radius }) in roster.drawn(runs) {
            for ((axis, min), max) in axes.iter().zip(&mut summary.min).zip(&mut summary.max) {
                let along = dot(center, *axis);
                (*min, *max) = (min.min(along - radius), max.max(along + radius));
            }
            summary.count += 1;
            summary.radii += f64::from(radius);
            summary.squares += f64::from(radius) * f64::from(radius);
            summary.extent = summary.extent.max((center[0].abs() + center[1].abs()) + (center[2].abs() + radius));
        }
        summary
    }

    fn with(self, other: Self) -> Self {
        Self {
            count: self.count + other.count,
            min: std::array::from_fn(|axis| self.min[axis].min(other.min[axis])),
            max: std::array::from_fn(|axis| self.max[axis].max(other.max[axis])),
            radii: self.radii + other.radii,
            squares: self.squares + other.squares,
            extent: self.extent.max(other.extent),
        }
    }
}

impl Plane {
    fn new(summary: &Summary, axes: [[f32; 3]; 3]) -> Option<Self> {
        let Summary { count, min, max, radii, squares, extent } = *summary;
        let (spheres, margin) = (count as f64, extent * MARGIN);
        let alike = squares * spheres <= UNLIKE * radii * radii;
        if count < LEAST || extent > FARTHEST || !alike {
            return None;
        }
        let length = |axis: usize| f64::from(max[axis]) - f64::from(min[axis]);
        // about as many columns as a quarter of the spheres at most, and along either axis no more than spheres
        let least = (4.0 * length(0) * length(1) / spheres).sqrt().max(length(0).max(length(1)) / spheres);
        let least = least.max(8.0 * f64::from(margin));
        let side = (SIDE * radii / spheres).max(least);
        // a circle reaches (1 + 2r / side)² columns: less than two, as radii are alike
        let pairs = spheres + 4.0 * radii / side + 4.0 * squares / (side * side);
        let columns = [0, 1].map(|axis| (length(axis) / side).ceil().max(1.0));
        if pairs > MOST_IN_COLUMN * columns[0] * columns[1] {
            return None;
        }
        let slabs = (pairs / (SLAB as f64 * columns[0] * columns[1])).ceil().clamp(1.0, 4096.0);
        let [across, down] = columns.map(|columns| columns as u32);
        let inverse = [1.0 / side, 1.0 / side, slabs / length(2)].map(|inverse| inverse as f32);
        Some(Self { axes, start: min, inverse, cells: [across, down, slabs as u32], margin })
    }

    /// The cell along an axis; what lies beyond belongs to the first and the last. Never decreases.
    #[inline(always)]
    fn cell(&self, axis: usize, along: f32) -> u32 {
        (((along - self.start[axis]) * self.inverse[axis]) as u32).min(self.cells[axis] - 1)
    }

    /// Rows of columns in a stripe.
    #[inline(always)]
    fn stripe_rows(&self) -> u32 {
        self.cells[1].div_ceil(STRIPES)
    }

    fn stripes(&self) -> usize {
        self.cells[1].div_ceil(self.stripe_rows()) as usize
    }

    /// The first slab of a column, both counted in a stripe.
    #[inline(always)]
    fn first_slab(&self, [column, row]: [u32; 2]) -> u32 {
        (row * self.cells[0] + column) * self.cells[2]
    }

    /// Lists the spheres of a stretch, stripe by stripe.
    fn deal(&self, roster: &Roster<'_>, runs: &[Run<'_>]) -> Vec<Vec<Entry>> {
        let (stripes, rows) = (self.stripes(), self.stripe_rows());
        let each = runs.iter().map(|run| run.spheres.len()).sum::<usize>() * 2 / stripes;
        let mut dealt: Vec<_> = (0..stripes).map(|_| Vec::with_capacity(each)).collect();
        for (_, seen) in roster.drawn(runs) {
            let Seen { center, radius } = seen;
            let [x, y, z] = [0, 1, 2].map(|axis| dot(center, self.axes[axis]));
            let reach = radius + self.margin;
            let slab = self.cell(2, z + radius);
            for row in self.cell(1, y - reach)..=self.cell(1, y + reach) {
                for column in self.cell(0, x - reach)..=self.cell(0, x + reach) {
                    let slab = self.first_slab([column, row % rows]) + slab;
                    dealt[(row / rows) as usize].push(Entry { slab, seen });
                }
            }
        }
        dealt
    }
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
        let mut leaves = vec![EMPTY_LEAF; (count as usize).div_ceil(WIDTH)];
        let mut places = starts.clone();
        for entry in entries() {
            let place = &mut places[entry.slab as usize];
            let Seen { center: [x, y, z], radius } = entry.seen;
            let leaf = &mut leaves[*place as usize / WIDTH];
            for (row, number) in leaf.iter_mut().zip([x, y, z, radius]) {
                row[*place as usize % WIDTH] = number;
            }
            *place += 1;
        }
        Self { leaves, starts }
    }
}

#[inline(always)]
fn dot(a: [f32; 3], b: [f32; 3]) -> f32 {
    (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Pattern, Pose, SphereGroup, generate_spheres};
    use crate::trace::tree::Tree;
    use fearless_simd::{Level, dispatch};
    use std::borrow::Cow;

    /// Every way out of a few thousand spheres' surfaces, and out of the middle, answered by the tree and by the buffer.
    #[test]
    fn answers_are_those_of_the_tree() {
        for (pattern, scale) in [(Pattern::Uniform, 1.0), (Pattern::Gaussian, 1e-12), (Pattern::Lattice, 1e9)] {
            let mut spheres = generate_spheres(pattern, 6000, 3);
            for sphere in &mut spheres {
                sphere.center = sphere.center.map(|along| along * scale);
                sphere.radius *= scale;
            }
            let poses = [Pose::IDENTITY];
            let groups = [SphereGroup { spheres: Cow::Borrowed(&spheres[..]), poses: Cow::Borrowed(&poses[..]) }];
            let roster = Roster::new(&groups, [0.5 * scale; 3]);
            let tree = Tree::new(&roster);
            for toward in [[0.0, 0.0, 1.0], [0.6, 0.0, -0.8], [0.48, -0.6, 0.64]] {
                let buffer = LightBuffer::new(&roster, toward).expect("like sizes");
                let mut blocked = 0;
                for index in 0..6000 {
                    let (except, _) = roster.sphere(index);
                    for normal in [toward, [0.8, 0.6, 0.0], [0.0; 3]] {
                        let origin = std::array::from_fn(|axis| except.center[axis] + normal[axis] * except.radius);
                        let probe = Probe { origin, direction: toward, begin: 0.0, length: f32::INFINITY, except };
                        let level = Level::new();
                        let answer = dispatch!(level, simd => buffer.blocks(simd, &probe));
                        assert_eq!(
                            answer,
                            dispatch!(level, simd => tree.blocks(simd, &probe)),
                            "{pattern:?} {probe:?}"
                        );
                        blocked += u32::from(answer);
                    }
                }
                assert!((1000..17_000).contains(&blocked), "{blocked} of 18,000 tell nothing");
            }
        }
    }

    #[test]
    fn few_spheres_and_unlike_sizes_are_left_to_the_tree() {
        let listed = |count: usize, largest: f32| {
            let mut spheres = generate_spheres(Pattern::Uniform, count, 3);
            spheres[0].radius = largest;
            let poses = [Pose::IDENTITY];
            let groups = [SphereGroup { spheres: Cow::Borrowed(&spheres[..]), poses: Cow::Borrowed(&poses[..]) }];
            LightBuffer::new(&Roster::new(&groups, [0.0; 3]), [0.0, 1.0, 0.0]).is_some()
        };
        assert!(listed(6000, 0.01));
        assert!(!listed(100, 0.01));
        assert!(!listed(6000, 1e6));
        assert!(!listed(6000, 1e20));
    }
}
