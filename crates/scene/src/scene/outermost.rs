//! Candidates for the spheres with the greatest support, found in one pass before the exact directions are known.

use fearless_simd::{Level, dispatch, prelude::*};
use glam::DVec3;

use super::sphere_box::{BOX, SLACK, SphereBox};
use super::spheres::PaintedSphere;
use crate::lanes::{LANES, Sphere8, dot3_with};

/// Sectors of a range of directions: the narrower they are, the fewer spheres are kept.
const SECTORS: usize = 8;

/// Stride of the first pass over groups of lanes, so that in sorted input not every sphere sets a new maximum.
const STRIDE: usize = 64;

const MOST_DIRECTIONS: usize = 24;

/// Candidates kept before dominated ones are dropped.
const CANDIDATES: usize = 1 << 16;

/// The most candidates that are kept.
const MOST_CANDIDATES: usize = 1 << 20;

/// A superset of the spheres with the greatest support in any direction of some ranges.
///
/// A range is split into sectors. Each direction of a sector is a sum of its two ends with weights ≥ 0, so a sphere
/// whose support is below another's at both ends is below it between them, too. (The weights sum to slightly more than
/// 1; radii are widened accordingly.) Spheres dominated by either end's leader are dropped.
#[derive(Debug)]
pub struct Outermost {
    front: Front,
    candidates: Vec<PaintedSphere>,
    /// Number of candidates at which dominated ones are dropped again.
    room: usize,
    /// Whether all candidates were kept so far: the search gives up if there are too many.
    is_complete: bool,
}

/// The directions, and the leaders of each sector.
#[derive(Clone, Debug)]
struct Front {
    /// Unit vectors.
    directions: Vec<DVec3>,
    sectors: Vec<Sector>,
}

/// The directions between two of [`Front::directions`].
#[derive(Clone, Debug)]
struct Sector {
    ends: [usize; 2],
    /// Factor of a radius: its additional weight between the ends.
    slack: f64,
    /// Factor of a sphere's size: rounding error of its support between the ends.
    rounding: f64,
    /// The sphere with the greatest support at each end.
    leaders: [Leader; 2],
}

/// A sphere as seen by a sector.
#[derive(Clone, Copy, Debug)]
struct Leader {
    /// Its support at each end of the sector.
    reach: [f64; 2],
    radius: f64,
    /// The sum of the magnitudes of its numbers.
    size: f64,
}

impl Leader {
    const NONE: Self = Self { reach: [f64::NEG_INFINITY; 2], radius: 0.0, size: 0.0 };

    /// Whether it dominates another sphere: its support is at least as great in all directions of the sector.
    fn surpasses(&self, other: &Self, slack: f64, rounding: f64) -> bool {
        if slack == 0.0 {
            return other.reach[0] <= self.reach[0];
        }
        let more = slack * (self.radius - other.radius).max(0.0) + rounding * (self.size + other.size);
        other.reach[0] + more <= self.reach[0] && other.reach[1] + more <= self.reach[1]
    }

    /// Bounds of the support at both ends below which it dominates spheres of any radius, rounded down to `f32`.
    #[expect(clippy::cast_possible_truncation, reason = "rounded to an f32 with a margin")]
    fn limits(&self, slack: f64, rounding: f64) -> [f32; 2] {
        let more = slack * self.radius.max(0.0) + 2.0 * rounding * self.size;
        // spheres with values that overflow `f32` are never rejected
        self.reach.map(|reach| ((reach - more - reach.abs() * f64::from(f32::EPSILON)) as f32).min(f32::MAX))
    }
}

impl Outermost {
    /// Starts a search for ranges of directions, each from one unit vector to another less than a right angle away, or
    /// to itself.
    ///
    /// # Panics
    /// With more than two ranges and six single directions.
    pub fn new(ranges: &[[DVec3; 2]]) -> Self {
        let (mut directions, mut sectors) = (Vec::new(), Vec::new());
        let sector = |ends, slack, rounding| Sector { ends, slack, rounding, leaders: [Leader::NONE; 2] };
        for &[from, to] in ranges {
            directions.push(from);
            if from == to {
                sectors.push(sector([directions.len() - 1; 2], 0.0, 0.0));
                continue;
            }
            let angle = libm::acos(from.dot(to).clamp(-1.0, 1.0)) / SECTORS as f64;
            let across = (to - from * from.dot(to)).normalize();
            let slack = 1.0 / libm::cos(0.5 * angle) - 1.0 + 1e-12;
            for step in 1..=SECTORS {
                let (sine, cosine) = libm::sincos(angle * step as f64);
                directions.push(if step == SECTORS { to } else { from * cosine + across * sine });
                sectors.push(sector([directions.len() - 2, directions.len() - 1], slack, 1e-14));
            }
        }
        assert!(directions.len() <= MOST_DIRECTIONS, "two ranges at most");
        let front = Front { directions, sectors };
        Self { front, candidates: Vec::new(), room: CANDIDATES, is_complete: true }
    }

    /// The candidates among some spheres with their [boxes](super::sphere_boxes), to be [added](Self::add).
    pub fn candidates(&self, spheres: &[PaintedSphere], boxes: &[Option<SphereBox>]) -> Vec<PaintedSphere> {
        if !self.is_complete {
            return Vec::new();
        }
        dispatch!(Level::new(), simd => candidates(simd, self.front.clone(), spheres, boxes))
    }

    pub fn add(&mut self, candidates: Vec<PaintedSphere>) {
        for sphere in candidates {
            if self.front.advance(&sphere) {
                self.candidates.push(sphere);
            }
        }
        if self.candidates.len() > self.room {
            let Self { front, candidates, .. } = self;
            candidates.retain(|sphere| front.is_ahead(sphere));
            self.room = (2 * self.candidates.len()).clamp(CANDIDATES, MOST_CANDIDATES);
            self.is_complete &= self.candidates.len() < MOST_CANDIDATES;
        }
    }

    /// The candidates. A caller that adds only centres sets one radius for all at the end.
    pub fn candidates_mut(&mut self) -> &mut [PaintedSphere] {
        &mut self.candidates
    }

    /// The sphere with the greatest support in each of some directions within the ranges; `None` if there were too many
    /// candidates to keep.
    pub fn farthest(&self, directions: &[DVec3]) -> Option<Vec<PaintedSphere>> {
        let farthest = |direction: &DVec3| {
            let reach = |sphere: &&PaintedSphere| reach(sphere, *direction);
            let farther = |a: &&PaintedSphere, b: &&PaintedSphere| reach(a).total_cmp(&reach(b));
            self.candidates.iter().filter(|sphere| !reach(sphere).is_nan()).max_by(farther).copied()
        };
        self.is_complete.then(|| directions.iter().filter_map(farthest).collect())
    }
}

/// The support of a sphere in a direction.
fn reach(sphere: &PaintedSphere, direction: DVec3) -> f64 {
    direction.dot(DVec3::from(sphere.center.map(f64::from))) + f64::from(sphere.radius)
}

impl Front {
    /// Returns the sphere as seen by a given sector.
    fn entry(&self, sphere: &PaintedSphere) -> impl Fn(&Sector) -> Leader + use<> {
        let mut reaches = [0.0; MOST_DIRECTIONS];
        for (to, direction) in reaches.iter_mut().zip(&self.directions) {
            *to = reach(sphere, *direction);
        }
        let [x, y, z] = sphere.center.map(|along| f64::from(along).abs());
        let (radius, size) = (f64::from(sphere.radius), x + y + z + f64::from(sphere.radius).abs());
        move |sector| Leader { reach: sector.ends.map(|end| reaches[end]), radius, size }
    }

    /// Whether no leader dominates a sphere; leaders do not dominate themselves.
    fn is_ahead(&self, sphere: &PaintedSphere) -> bool {
        let entry = self.entry(sphere);
        self.sectors.iter().any(|sector| {
            let own = entry(sector);
            let surpasses =
                |leader: &Leader| leader.surpasses(&own, sector.slack, sector.rounding) && leader.reach != own.reach;
            !sector.leaders.iter().any(surpasses)
        })
    }

    /// Makes a sphere the leader where its support is greatest. Returns whether no earlier leader dominates it.
    fn advance(&mut self, sphere: &PaintedSphere) -> bool {
        let entry = self.entry(sphere);
        let mut is_ahead = false;
        for sector in &mut self.sectors {
            let own = entry(sector);
            is_ahead |= !sector.leaders.iter().any(|leader| leader.surpasses(&own, sector.slack, sector.rounding));
            for (end, leader) in sector.leaders.iter_mut().enumerate() {
                let [here, there] = [end, 1 - end].map(|end| (own.reach[end], leader.reach[end]));
                if here.0 > here.1 || (here.0 == here.1 && there.0 > there.1) {
                    *leader = own;
                }
            }
        }
        is_ahead
    }
}

/// The support that a sphere needs to be ahead, for tests in lanes.
struct LeaderLimits {
    directions: Vec<[f32; 3]>,
    /// The ends of each sector, and [`Leader::limits`] of both leaders.
    sectors: Vec<([usize; 2], [[f32; 2]; 2])>,
}

impl LeaderLimits {
    fn of(front: &Front) -> Self {
        let sector =
            |sector: &Sector| (sector.ends, sector.leaders.map(|leader| leader.limits(sector.slack, sector.rounding)));
        let directions = front.directions.iter().map(|direction| direction.as_vec3().to_array());
        Self { directions: directions.collect(), sectors: front.sectors.iter().map(sector).collect() }
    }

    /// Whether any sphere in a box may be ahead.
    #[inline(always)]
    fn may_be_passed_in(&self, sphere_box: &SphereBox) -> bool {
        let mut reach = [0.0; MOST_DIRECTIONS];
        for (reach, direction) in reach.iter_mut().zip(&self.directions) {
            *reach = sphere_box.reach(*direction);
        }
        let is_behind = |(ends, leaders): &([usize; 2], [[f32; 2]; 2])| {
            let [from, to] = ends.map(|end| reach[end]);
            leaders.iter().any(|leader| from <= leader[0] && to <= leader[1])
        };
        sphere_box.least[3] < 0.0 || !self.sectors.iter().all(is_behind)
    }

    /// Whether any of up to eight spheres may be ahead; conservative by the rounding of `f32`.
    #[inline(always)]
    fn may_be_passed<S: Simd>(&self, simd: S, spheres: &[PaintedSphere]) -> bool {
        let mut group = Sphere8::EMPTY;
        for (lane, sphere) in spheres.iter().enumerate() {
            group.set(lane, sphere.center, sphere.radius);
        }
        let (center, radius) = group.load(simd);
        let size = (center[0].abs() + center[1].abs()) + (center[2].abs() + radius.abs());
        let most = radius + (size * SLACK + f32::MIN_POSITIVE);
        let mut reach = [most; MOST_DIRECTIONS];
        for (reach, direction) in reach.iter_mut().zip(&self.directions) {
            *reach = dot3_with(center, *direction) + most;
        }
        // a negative radius has less weight between the ends than at them
        let mut is_behind = size.simd_lt(f32::INFINITY) & radius.simd_ge(0.0);
        for ([from, to], [first, second]) in &self.sectors {
            let (from, to) = (reach[*from], reach[*to]);
            is_behind &=
                (from.simd_le(first[0]) & to.simd_le(first[1])) | (from.simd_le(second[0]) & to.simd_le(second[1]));
        }
        !is_behind.all_true()
    }
}

/// The candidates of a chunk, given the leaders so far.
#[inline(always)]
fn candidates<S: Simd>(
    simd: S,
    front: Front,
    spheres: &[PaintedSphere],
    boxes: &[Option<SphereBox>],
) -> Vec<PaintedSphere> {
    let mut search = Search { limits: LeaderLimits::of(&front), front, found: Vec::new() };
    for group in spheres.chunks(LANES).step_by(STRIDE) {
        search.test(simd, group);
    }
    for ((spheres, sphere_box), first) in spheres.chunks(BOX).zip(boxes).zip((0..).step_by(BOX / LANES)) {
        if sphere_box.is_some_and(|sphere_box| !search.limits.may_be_passed_in(&sphere_box)) {
            continue;
        }
        for (index, group) in (first..).zip(spheres.chunks(LANES)) {
            if index % STRIDE != 0 {
                search.test(simd, group);
            }
        }
    }
    let Search { front, mut found, .. } = search;
    found.retain(|sphere| front.is_ahead(sphere));
    found
}

/// The search for candidates in a chunk.
struct Search {
    front: Front,
    limits: LeaderLimits,
    /// Spheres that were ahead.
    found: Vec<PaintedSphere>,
}

impl Search {
    /// Tests up to eight spheres.
    #[inline(always)]
    fn test<S: Simd>(&mut self, simd: S, group: &[PaintedSphere]) {
        let Self { front, limits, found } = self;
        if limits.may_be_passed(simd, group) {
            found.extend(group.iter().filter(|sphere| front.advance(sphere)));
            *limits = LeaderLimits::of(front);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::generate::{self, Pattern};
    use crate::scene::sphere_boxes;

    /// The definition, sphere by sphere.
    fn slowly(spheres: &[PaintedSphere], directions: &[DVec3]) -> Vec<f64> {
        let farthest = |direction: &DVec3| {
            spheres.iter().map(|sphere| reach(sphere, *direction)).fold(f64::NEG_INFINITY, f64::max)
        };
        directions.iter().map(farthest).collect()
    }

    #[test]
    fn the_farthest_are_found_in_every_direction_of_the_ranges() {
        let at = |degrees: f64| {
            let (sine, cosine) = libm::sincos(degrees.to_radians());
            DVec3::new(cosine, 0.0, sine)
        };
        let (x, y) = (DVec3::new(0.6, 0.48, 0.64), DVec3::new(0.8, -0.36, -0.48));
        let turned = glam::DMat3::from_cols(x, y, x.cross(y));
        let ranges = [[at(4.0), at(37.0)], [at(170.0), at(143.0)], [DVec3::Y; 2], [DVec3::NEG_Z; 2]];
        let mut directions: Vec<DVec3> = (0..=66).map(|step| at(4.0 + 0.5 * f64::from(step))).collect();
        directions.extend((0..=54).map(|step| at(143.0 + 0.5 * f64::from(step))));
        directions.extend([DVec3::Y, DVec3::NEG_Z]);
        let mut scenes: Vec<Vec<PaintedSphere>> = Vec::new();
        for pattern in Pattern::ALL {
            scenes.push(generate::spheres(pattern, 100_003, 3));
        }
        let mut mixed = scenes[0].clone();
        for (index, sphere) in mixed.iter_mut().enumerate() {
            sphere.radius *= [0.5, 1.0, 7.0, 0.0, -3.0][index % 5];
        }
        let mut sorted = scenes[0].clone();
        sorted.sort_by(|a, b| a.center[0].total_cmp(&b.center[0]));
        let mut huge = scenes[0].clone();
        huge.iter_mut().for_each(|sphere| sphere.center = sphere.center.map(|along| along * 3e38));
        scenes.extend([mixed, sorted, huge, scenes[0][..1].to_vec(), Vec::new()]);
        for (scene, spheres) in scenes.iter().enumerate() {
            for turn in [glam::DMat3::IDENTITY, turned] {
                let ranges = ranges.map(|range| range.map(|end| turn * end));
                let directions: Vec<DVec3> = directions.iter().map(|direction| turn * *direction).collect();
                let mut outermost = Outermost::new(&ranges);
                for block in spheres.chunks(30_000) {
                    let found: Vec<_> =
                        block.chunks(9000).map(|chunk| outermost.candidates(chunk, &sphere_boxes(chunk))).collect();
                    found.into_iter().for_each(|found| outermost.add(found));
                }
                let found = outermost.farthest(&directions).expect("few candidates");
                let expected = slowly(spheres, &directions);
                assert_eq!(found.len(), if spheres.is_empty() { 0 } else { directions.len() });
                for ((sphere, direction), expected) in found.iter().zip(&directions).zip(expected) {
                    assert_eq!(reach(sphere, *direction).to_bits(), expected.to_bits(), "scene {scene}, {direction}");
                }
                assert!(outermost.candidates.len() <= 2000, "scene {scene}: {}", outermost.candidates.len());
            }
        }
    }
}
