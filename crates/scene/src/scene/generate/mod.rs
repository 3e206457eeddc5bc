//! Generated shapes: the same for a pattern, a count and a seed, on every machine and with any number of threads.
//!
//! Each shape is a function of its index alone. Random numbers are a counter-based hash of (seed, index, dimension);
//! the arithmetic is + − × ÷ √ in `f64`, and `libm` for the rest.

mod flake;
mod paint;
mod random;

use std::f64::consts::PI;
use std::ops::Range;
use std::str::FromStr;

use fearless_simd::{Level, Simd, dispatch};
use rayon::iter::{IntoParallelIterator, ParallelIterator};

use self::flake::{flake_circle, flake_sphere};
use self::paint::{by_distance, by_position, circle, ramp, sphere};
use self::random::{GROUP, RandomColumns, golden_turn, groups, normal_pair, random_in, stream};
use super::circles::PaintedCircle;
use super::spheres::PaintedSphere;
use crate::color::Srgba8;
use crate::error::{Error, Result};

/// A number in [0, 1) for an index, the same for a seed on every machine.
#[doc(hidden)]
#[must_use]
pub fn random(seed: u64, index: u64) -> f64 {
    random_in(stream(seed, 0), index)
}

/// A rule for generating shapes. All lie within −1 … 1 on every axis or, for [`Pattern::Gaussian`], nearly all.
///
/// Radii depend on the count, so that any number of shapes fills the space about equally.
///
/// ```
/// # use roundel_scene as roundel;
/// use roundel::generate::Pattern;
///
/// assert_eq!("lattice".parse::<Pattern>()?, Pattern::Lattice);
/// // one shape at a time, for any number of them
/// let last = Pattern::Lattice.sphere(999, 1000, 0);
/// assert_eq!(last.radius, 0.1, "ten in a row from -1 to 1");
/// # Ok::<(), roundel::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Pattern {
    /// Uniformly distributed in the square or cube.
    Uniform,
    /// Normally distributed, with a standard deviation of 0.3.
    Gaussian,
    /// Rows and columns of touching shapes. Ignores the seed.
    Lattice,
    /// Each shape is surrounded by smaller ones of a third of its radius, nine in space and five in the plane. Ignores
    /// the seed.
    ///
    /// Source: E. Haines, "A Proposal for Standard Graphics Environments", *IEEE CG&A* 7(11), 1987 (`balls`).
    Sphereflake,
    /// Each shape is turned by the golden angle from the one before: over a disc, like the seeds of a sunflower, or
    /// over the unit sphere. Ignores the seed.
    Sunflower,
}

impl Pattern {
    /// All patterns.
    pub const ALL: [Self; 5] = [Self::Uniform, Self::Gaussian, Self::Lattice, Self::Sphereflake, Self::Sunflower];

    /// The name that scene files and the command line use.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Uniform => "uniform",
            Self::Gaussian => "gaussian",
            Self::Lattice => "lattice",
            Self::Sphereflake => "sphereflake",
            Self::Sunflower => "sunflower",
        }
    }

    /// The sphere at `index` of `count`.
    #[must_use]
    pub fn sphere(self, index: u64, count: u64, seed: u64) -> PaintedSphere {
        SphereRule::new(self, count, seed).sphere(index)
    }

    /// The circle at `index` of `count`.
    #[must_use]
    pub fn circle(self, index: u64, count: u64, seed: u64) -> PaintedCircle {
        CircleRule::new(self, count, seed).circle(index)
    }
}

impl FromStr for Pattern {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Self::ALL.into_iter().find(|pattern| pattern.name() == text).ok_or_else(|| {
            let names = Self::ALL.map(Self::name).join(", ");
            Error::setting("kind", format!("must be one of {names}, got {text:?}"))
        })
    }
}

/// Generates the spheres of a pattern in the box −1 … 1, in parallel.
///
/// ```
/// # use roundel_scene as roundel;
/// use roundel::generate::{self, Pattern};
///
/// let ten = generate::spheres(Pattern::Uniform, 10, 1);
/// assert_eq!(ten, generate::spheres(Pattern::Uniform, 10, 1));
/// assert_ne!(ten, generate::spheres(Pattern::Uniform, 10, 2));
/// ```
#[must_use]
pub fn spheres(pattern: Pattern, count: usize, seed: u64) -> Vec<PaintedSphere> {
    let rule = SphereRule::new(pattern, count as u64, seed);
    (0..count).into_par_iter().map(|index| rule.sphere(index as u64)).collect()
}

/// Appends a range of the `count` spheres of a pattern: a part of the result of [`spheres`].
///
/// ```
/// # use roundel_scene as roundel;
/// use roundel::generate::{self, Pattern};
///
/// let mut some = Vec::new();
/// generate::extend_spheres(Pattern::Uniform, 300..400, 1000, 1, &mut some);
/// assert_eq!(some, generate::spheres(Pattern::Uniform, 1000, 1)[300..400]);
/// ```
pub fn extend_spheres(pattern: Pattern, numbers: Range<u64>, count: u64, seed: u64, spheres: &mut Vec<PaintedSphere>) {
    let rule = SphereRule::new(pattern, count, seed);
    if pattern == Pattern::Uniform {
        dispatch!(Level::new(), simd => simd.vectorize(
            #[inline(always)]
            || rule.extend_uniform(numbers, spheres),
        ));
        return;
    }
    spheres.extend(numbers.map(|number| rule.sphere(number)));
}

/// A pattern for a number of spheres, with everything precomputed that is common to all.
struct SphereRule {
    pattern: Pattern,
    count: u64,
    spacing: f64,
    /// Spheres along a side of a lattice.
    side: u64,
    /// The streams of random numbers, one for each dimension.
    streams: [u64; 5],
}

impl SphereRule {
    fn new(pattern: Pattern, count: u64, seed: u64) -> Self {
        let count = count.max(1);
        let side = if pattern == Pattern::Lattice { lattice_side::<3>(count) } else { 1 };
        let streams = [0, 1, 2, 3, 4].map(|dimension| stream(seed, dimension));
        Self { pattern, count, spacing: 2.0 / libm::cbrt(count as f64), side, streams }
    }

    #[inline(always)]
    fn sphere(&self, index: u64) -> PaintedSphere {
        let Self { count, spacing, side, .. } = *self;
        let random = |dimension: usize| random_in(self.streams[dimension], index);
        match self.pattern {
            Pattern::Uniform => self.uniform([random(0), random(1), random(2), random(3)]),
            Pattern::Gaussian => {
                let [x, y] = normal_pair(random(0), random(1));
                let [z, _] = normal_pair(random(2), random(3));
                let center = [x, y, z].map(|value| 0.3 * value);
                sphere(center, spacing * (0.08 + 0.12 * random(4)), by_distance(&center))
            }
            Pattern::Lattice => {
                let center =
                    [index % side, index / side % side, index / side / side].map(|step| step_center(step, side));
                sphere(center, 1.0 / side as f64, by_position(center))
            }
            Pattern::Sphereflake => flake_sphere(index),
            Pattern::Sunflower => {
                let height = 1.0 - (2.0 * index as f64 + 1.0) / count as f64;
                let (sine, cosine) = golden_turn(index);
                let ring = (1.0 - height * height).max(0.0).sqrt();
                let radius = 0.45 * (4.0 * PI / count as f64).sqrt();
                // the far sides of the spheres stay within the unit box
                let shell = 1.0 - radius.min(0.5);
                let center = [ring * cosine, height, ring * sine].map(|value| shell * value);
                sphere(center, radius.min(0.5), ramp(0.5 + 0.5 * height))
            }
        }
    }

    /// A sphere of [`Pattern::Uniform`], from its random numbers.
    #[inline(always)]
    fn uniform(&self, [x, y, z, size]: [f64; 4]) -> PaintedSphere {
        let center = [2.0 * x - 1.0, 2.0 * y - 1.0, 2.0 * z - 1.0];
        sphere(center, self.spacing * (0.15 + 0.3 * size), by_position(center))
    }

    /// Appends spheres of [`Pattern::Uniform`]. The compiler vectorizes one loop per field of a sphere, but not a loop
    /// over whole spheres.
    #[inline(always)]
    fn extend_uniform(&self, numbers: Range<u64>, spheres: &mut Vec<PaintedSphere>) {
        let mut made = [PaintedSphere::new([0.0; 3], 0.0, Srgba8::BLACK); GROUP];
        for (first, length) in groups(numbers) {
            let random = RandomColumns::new(&self.streams, first);
            let [mut x, mut y, mut z, mut radius] = [[0.0; GROUP]; 4];
            let mut color = [[0; 4]; GROUP];
            for (index, x) in x.iter_mut().enumerate() {
                *x = self.uniform(random.row(index)).center[0];
            }
            for (index, y) in y.iter_mut().enumerate() {
                *y = self.uniform(random.row(index)).center[1];
            }
            for (index, z) in z.iter_mut().enumerate() {
                *z = self.uniform(random.row(index)).center[2];
            }
            for (index, radius) in radius.iter_mut().enumerate() {
                *radius = self.uniform(random.row(index)).radius;
            }
            for (index, color) in color.iter_mut().enumerate() {
                *color = self.uniform(random.row(index)).color.into();
            }
            for (index, sphere) in made.iter_mut().enumerate() {
                let center = [x[index], y[index], z[index]];
                *sphere = PaintedSphere { center, radius: radius[index], color: color[index].into() };
            }
            spheres.extend_from_slice(&made[..length]);
        }
    }
}

/// A pattern for a number of circles, with everything precomputed that is common to all.
struct CircleRule {
    pattern: Pattern,
    count: u64,
    spacing: f64,
    /// Circles along a side of a lattice.
    side: u64,
    /// The streams of random numbers, one for each dimension.
    streams: [u64; 4],
}

impl CircleRule {
    fn new(pattern: Pattern, count: u64, seed: u64) -> Self {
        let count = count.max(1);
        let side = if pattern == Pattern::Lattice { lattice_side::<2>(count) } else { 1 };
        let streams = [0, 1, 2, 3].map(|dimension| stream(seed, dimension));
        Self { pattern, count, spacing: 2.0 / (count as f64).sqrt(), side, streams }
    }

    #[inline(always)]
    fn circle(&self, index: u64) -> PaintedCircle {
        let Self { count, spacing, side, .. } = *self;
        let random = |dimension: usize| random_in(self.streams[dimension], index);
        match self.pattern {
            Pattern::Uniform => self.uniform([random(0), random(1), random(2), random(3)]),
            Pattern::Gaussian => {
                let center = normal_pair(random(0), random(1)).map(|value| 0.3 * value);
                circle(center, spacing * (0.1 + 0.2 * random(2)), by_distance(&center).with_alpha(0xc0))
            }
            Pattern::Lattice => {
                let center = [index % side, index / side].map(|step| step_center(step, side));
                circle(center, 1.0 / side as f64, by_position([center[0], center[1], 0.0]))
            }
            Pattern::Sphereflake => flake_circle(index),
            Pattern::Sunflower => {
                let share = (index as f64 + 0.5) / count as f64;
                let (sine, cosine) = golden_turn(index);
                let radius = (0.8 / (count as f64).sqrt()).min(0.5);
                let arm = (1.0 - radius) * share.sqrt();
                circle([arm * cosine, arm * sine], radius, ramp(share))
            }
        }
    }

    /// A circle of [`Pattern::Uniform`], from its random numbers.
    #[inline(always)]
    fn uniform(&self, [x, y, size, hue]: [f64; 4]) -> PaintedCircle {
        let [x, y] = [2.0 * x - 1.0, 2.0 * y - 1.0];
        let color = by_position([x, y, 2.0 * hue - 1.0]);
        circle([x, y], self.spacing * (0.15 + 0.6 * size), color.with_alpha(0xc0))
    }

    /// Appends circles of [`Pattern::Uniform`]; see [`SphereRule::extend_uniform`].
    #[inline(always)]
    fn extend_uniform(&self, numbers: Range<u64>, circles: &mut Vec<PaintedCircle>) {
        let mut made = [PaintedCircle::new([0.0; 2], 0.0, Srgba8::BLACK); GROUP];
        for (first, length) in groups(numbers) {
            let random = RandomColumns::new(&self.streams, first);
            let [mut x, mut y, mut radius] = [[0.0; GROUP]; 3];
            let mut color = [[0; 4]; GROUP];
            for (index, x) in x.iter_mut().enumerate() {
                *x = self.uniform(random.row(index)).center[0];
            }
            for (index, y) in y.iter_mut().enumerate() {
                *y = self.uniform(random.row(index)).center[1];
            }
            for (index, radius) in radius.iter_mut().enumerate() {
                *radius = self.uniform(random.row(index)).radius;
            }
            for (index, color) in color.iter_mut().enumerate() {
                *color = self.uniform(random.row(index)).color.into();
            }
            for (index, circle) in made.iter_mut().enumerate() {
                let center = [x[index], y[index]];
                *circle = PaintedCircle { center, radius: radius[index], color: color[index].into() };
            }
            circles.extend_from_slice(&made[..length]);
        }
    }
}

/// Appends a range of the `count` circles of a pattern: a part of the result of [`circles`].
///
/// ```
/// # use roundel_scene as roundel;
/// use roundel::generate::{self, Pattern};
///
/// let mut some = Vec::new();
/// generate::extend_circles(Pattern::Gaussian, 300..400, 1000, 1, &mut some);
/// assert_eq!(some, generate::circles(Pattern::Gaussian, 1000, 1)[300..400]);
/// ```
pub fn extend_circles(pattern: Pattern, numbers: Range<u64>, count: u64, seed: u64, circles: &mut Vec<PaintedCircle>) {
    let rule = CircleRule::new(pattern, count, seed);
    if pattern == Pattern::Uniform {
        dispatch!(Level::new(), simd => simd.vectorize(
            #[inline(always)]
            || rule.extend_uniform(numbers, circles),
        ));
        return;
    }
    circles.extend(numbers.map(|number| rule.circle(number)));
}

/// Generates the circles of a pattern in the square −1 … 1, in parallel.
///
/// ```
/// # use roundel_scene as roundel;
/// use roundel::generate::{self, Pattern};
///
/// let disc = generate::circles(Pattern::Sunflower, 500, 0);
/// assert!(disc.iter().all(|circle| circle.center[0].hypot(circle.center[1]) <= 1.0));
/// ```
#[must_use]
pub fn circles(pattern: Pattern, count: usize, seed: u64) -> Vec<PaintedCircle> {
    let rule = CircleRule::new(pattern, count as u64, seed);
    (0..count).into_par_iter().map(|index| rule.circle(index as u64)).collect()
}

/// The least side whose square or cube is at least `count`.
fn lattice_side<const N: u32>(count: u64) -> u64 {
    let holds = |side: u64| u128::from(side).pow(N) >= u128::from(count);
    let (mut low, mut high) = (1, 1u64 << 32);
    while low < high {
        let middle = low + (high - low) / 2;
        if holds(middle) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    low
}

/// The centre of a step on an axis from −1 to 1.
fn step_center(step: u64, side: u64) -> f64 {
    (2.0 * step as f64 + 1.0) / side as f64 - 1.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn distance(a: &PaintedSphere, b: &PaintedSphere) -> f32 {
        let [x, y, z] = [0, 1, 2].map(|i| a.center[i] - b.center[i]);
        (x * x + y * y + z * z).sqrt()
    }

    #[test]
    fn flake_children_touch_their_parent_and_no_sibling_overlaps() {
        let spheres = spheres(Pattern::Sphereflake, 820, 0);
        for (index, child) in spheres.iter().enumerate().skip(1) {
            let parent = &spheres[(index - 1) / 9];
            assert!((distance(child, parent) - child.radius - parent.radius).abs() < 1e-5, "{index}");
            let first = (index - 1) / 9 * 9 + 1;
            for sibling in &spheres[first..index] {
                assert!(distance(child, sibling) > 1.99 * child.radius, "{index}");
            }
        }
    }

    #[test]
    fn lattice_neighbours_touch() {
        let spheres = spheres(Pattern::Lattice, 27, 0);
        assert!((distance(&spheres[0], &spheres[1]) - 2.0 * spheres[0].radius).abs() < 1e-6);
        assert_eq!(lattice_side::<3>(27), 3);
        assert_eq!(lattice_side::<3>(28), 4);
        assert_eq!(lattice_side::<2>(u64::MAX), 1 << 32);
    }

    #[test]
    fn all_but_the_gaussian_stay_in_the_unit_box() {
        for pattern in Pattern::ALL.into_iter().filter(|&pattern| pattern != Pattern::Gaussian) {
            for count in [1, 2, 1000] {
                for sphere in spheres(pattern, count, 7) {
                    assert!(sphere.radius > 0.0 && sphere.center.iter().all(|value| value.abs() <= 1.0), "{sphere:?}");
                }
                for circle in circles(pattern, count, 7) {
                    assert!(circle.radius > 0.0 && circle.center.iter().all(|value| value.abs() <= 1.0), "{circle:?}");
                }
            }
        }
    }

    #[test]
    fn random_has_the_mean_and_variance_of_its_kind() {
        let count = 10_000;
        let [first, second, other] = [0, 1, 5].map(|dimension| stream(3, dimension));
        let uniform: Vec<f64> = (0..count).map(|index| random_in(other, index)).collect();
        let mean = uniform.iter().sum::<f64>() / count as f64;
        assert!((mean - 0.5).abs() < 0.015, "{mean}");
        let normal = (0..count).flat_map(|index| normal_pair(random_in(first, index), random_in(second, index)));
        let variance = normal.map(|value| value * value).sum::<f64>() / (2.0 * count as f64);
        assert!((variance - 1.0).abs() < 0.05, "{variance}");
    }

    #[test]
    fn groups_hold_the_shapes_of_single_numbers() {
        let first = (1 << 53) - 3;
        for numbers in [0..0, 5..6, 60..200, first..first + 130] {
            let (count, seed) = (1 << 54, 3);
            let (mut spheres, mut circles) = (Vec::new(), Vec::new());
            extend_spheres(Pattern::Uniform, numbers.clone(), count, seed, &mut spheres);
            extend_circles(Pattern::Uniform, numbers.clone(), count, seed, &mut circles);
            let sphere = |number| Pattern::Uniform.sphere(number, count, seed);
            let circle = |number| Pattern::Uniform.circle(number, count, seed);
            assert_eq!(spheres, numbers.clone().map(sphere).collect::<Vec<_>>(), "{numbers:?}");
            assert_eq!(circles, numbers.clone().map(circle).collect::<Vec<_>>(), "{numbers:?}");
        }
    }

    #[test]
    fn generated_shapes_do_not_depend_on_the_number_of_threads() {
        let with = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads start");
            pool.install(|| spheres(Pattern::Gaussian, 10_000, 1))
        };
        assert_eq!(with(1), with(7));
    }
}
