//! A lookup table of spherical caps: the directions of a hemisphere that a cap covers, as bits of a word.

use std::f64::consts::{FRAC_1_SQRT_2, TAU};
use std::sync::LazyLock;

use fearless_simd::{f32x8, i32x8, prelude::*};

use super::octahedron::{cells8, direction, dot};
use crate::lanes::{LANES, Rows3, Vec3x8};

/// Directions of a hemisphere.
pub(super) const DIRECTIONS: usize = 64;

/// Cells per side of the table's map, and its classes of size.
const SIDE: i32 = 32;
const CLASSES: i32 = 16;

/// Table position of the empty word.
pub(super) const NO_CAP: i32 = SIDE * SIDE * CLASSES;

/// Directions about +z, and the words of the caps among them.
#[derive(Debug)]
pub(super) struct CapTable {
    /// Cosine-distributed unit directions, neighbours grouped.
    pub directions: [Rows3; DIRECTIONS / LANES],
    /// A word for each direction of a cap's axis and each class of the cap's size.
    words: Vec<u64>,
}

/// The table, built when it is first used.
pub(super) static CAPS: LazyLock<CapTable> = LazyLock::new(CapTable::new);

impl CapTable {
    #[expect(clippy::cast_possible_truncation, reason = "directions are rounded once from f64 on purpose")]
    fn new() -> Self {
        let directions = directions();
        let mut words = vec![0; NO_CAP as usize + 1];
        for (cell, words) in words[..NO_CAP as usize].chunks_mut(CLASSES as usize).enumerate() {
            let axis = direction(cell, SIDE as usize);
            for (bit, &direction) in directions.iter().enumerate() {
                let half_sine = ((1.0 - dot(axis, direction)).max(0.0) * 0.5).sqrt();
                for (word, class) in words.iter_mut().zip(0..) {
                    if half_sine <= (f64::from(class) + 0.5) * (FRAC_1_SQRT_2 / f64::from(CLASSES)) {
                        *word |= 1 << bit;
                    }
                }
            }
        }
        let mut rows = [[[0.0; LANES]; 3]; DIRECTIONS / LANES];
        for (index, direction) in directions.iter().enumerate() {
            for axis in 0..3 {
                rows[index / LANES][axis][index % LANES] = direction[axis] as f32;
            }
        }
        Self { directions: rows, words }
    }

    /// The positions in the table of eight caps, with an axis of any length and the cosine of the cap's angular radius,
    /// 0 to 1.
    #[inline(always)]
    pub(super) fn positions<S: Simd>(axis: Vec3x8<S>, cosine: f32x8<S>) -> i32x8<S> {
        let simd = cosine.token();
        let half_sine = ((f32x8::splat(simd, 1.0) - cosine).max(0.0) * 0.5).sqrt();
        let class = (half_sine * (CLASSES as f32 * std::f32::consts::SQRT_2)).min((CLASSES - 1) as f32);
        cells8(axis, SIDE) * CLASSES + class.to_int::<i32x8<S>>()
    }

    /// The directions in a cap.
    #[inline(always)]
    pub(super) fn word(&self, position: i32) -> u64 {
        self.words[position as usize]
    }
}

/// Cosine-distributed directions: points of a sunflower in the unit disk, lifted to the hemisphere (Malley's method),
/// in the order of their sectors.
fn directions() -> Vec<[f64; 3]> {
    /// The golden angle as a share of the whole turn.
    const GOLDEN: f64 = 0.381_966_011_250_105_2;
    let mut points: Vec<(f64, f64)> = (0..DIRECTIONS)
        .map(|index| {
            let turn = index as f64 * GOLDEN;
            (turn - libm::floor(turn), (index as f64 + 0.5) / DIRECTIONS as f64)
        })
        .collect();
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    let lift = |(turn, squared): (f64, f64)| {
        let (sin, cos) = libm::sincos(turn * TAU);
        let radius = squared.sqrt();
        [radius * cos, radius * sin, (1.0 - squared).sqrt()]
    };
    points.into_iter().map(lift).collect()
}
