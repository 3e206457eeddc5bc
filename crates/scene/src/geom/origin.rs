//! The point of the data at which a scene has its zero.

use glam::DVec3;

use super::single;

/// Where a scene of `f32` begins in the `f64` coordinates of its data. It is subtracted once, as rows become shapes.
///
/// The rule: on each axis the median of the first rows, rounded to a power of two near the spread of these rows, if it
/// is at least 64 spreads from 0; else 0, which changes nothing. The spread is the distance between the quartiles
/// on the axis where it is greatest. The difference of a coordinate and such an origin is exact in `f64`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Origin(DVec3);

/// The least number of spreads between data and 0 at which an origin is subtracted: nearer data keeps at least 17 bits
/// of each coordinate below its spread.
const FAR: f64 = 64.0;

/// The distance from 0 at which rows that are all in one place are far.
const FAR_PLACE: f64 = 4096.0;

impl Origin {
    /// Rows that decide.
    #[doc(hidden)]
    pub const SAMPLE: usize = 1 << 10;

    /// The origin that suits rows with these places, of which the first are asked.
    pub fn of(places: impl Iterator<Item = [f64; 3]>) -> Self {
        let sample: Vec<[f64; 3]> = places.take(Self::SAMPLE).collect();
        let quartiles = [0, 1, 2].map(|axis| {
            let mut along: Vec<f64> =
                sample.iter().map(|place| place[axis]).filter(|along| along.is_finite()).collect();
            along.sort_unstable_by(f64::total_cmp);
            let at = |share: usize| along.get(share * along.len() / 4).copied().unwrap_or(0.0);
            [at(1), at(2), at(3)]
        });
        let spread = quartiles.iter().map(|[low, _, high]| high - low).fold(0.0, f64::max);
        let along = quartiles.map(|[_, middle, _]| {
            let far = if spread > 0.0 { FAR * spread } else { FAR_PLACE };
            if middle.abs() < far {
                return 0.0;
            }
            let step = power_of_two(if spread > 0.0 { spread } else { middle.abs() / FAR_PLACE });
            let rounded = (middle / step).round() * step;
            if rounded.is_finite() { rounded } else { middle }
        });
        Self(along.into())
    }

    /// An origin at this point.
    pub fn at(point: [f64; 3]) -> Self {
        Self(point.into())
    }

    /// The point in the coordinates of the data.
    pub fn point(self) -> DVec3 {
        self.0
    }

    /// Whether nothing is subtracted.
    pub fn is_zero(self) -> bool {
        self.0 == DVec3::ZERO
    }

    /// A place of the data in the scene.
    #[inline]
    pub fn subtracted(self, [x, y, z]: [f64; 3]) -> [f32; 3] {
        [single(x - self.0.x), single(y - self.0.y), single(z - self.0.z)]
    }

    /// A place of the scene in the data.
    #[inline]
    pub fn added(self, place: [f32; 3]) -> [f64; 3] {
        (DVec3::from(place.map(f64::from)) + self.0).to_array()
    }

    /// A place of the scene in the data, in the fewest decimals from which [`Origin::subtracted`] gives the same place.
    pub fn added_short(self, place: [f32; 3]) -> [f64; 3] {
        [0, 1, 2].map(|axis| {
            let (exact, along) = (self.added(place)[axis], place[axis]);
            if self.0[axis] == 0.0 {
                return along.to_string().parse().unwrap_or(exact);
            }
            shortest(exact, |short| single(short - self.0[axis]) == along)
        })
    }
}

/// The number in the fewest decimals for which `is_same` holds.
pub fn shortest(value: f64, is_same: impl Fn(f64) -> bool) -> f64 {
    let decimals = |count: usize| format!("{value:.count$}").parse().unwrap_or(value);
    (0..17).map(decimals).find(|short| is_same(*short)).unwrap_or(value)
}

/// The greatest power of two that is no greater than a positive number.
fn power_of_two(value: f64) -> f64 {
    libm::exp2(libm::floor(libm::log2(value)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_is_subtracted_from_far_rows_alone() {
        let near = (0..50).map(|row| [0.1 * f64::from(row), 3.0 - f64::from(row), 200.0]);
        assert!(Origin::of(near).is_zero());
        let far = |row: i32| [652_300.0, 5_437_100.0 + 0.1 * f64::from(row), 0.0];
        let origin = Origin::of((0..20).map(far));
        assert_eq!(origin.point(), DVec3::new(652_300.0, 5_437_101.0, 0.0));
        for row in 0..20 {
            assert_eq!(origin.subtracted(far(row))[1], single(far(row)[1] - 5_437_101.0), "exact in f64, rounded once");
        }
    }

    #[test]
    fn rows_in_one_place_are_far_by_their_distance() {
        assert!(Origin::of([[100.0, 3.0, 0.0]].into_iter()).is_zero());
        let place = [5_437_100.1, 0.0, -1e9];
        let apart = Origin::of([place].into_iter()).subtracted(place);
        assert!(apart.iter().all(|along| along.abs() < 1e6), "{apart:?}");
        assert!(Origin::of(std::iter::empty()).is_zero());
        assert!(Origin::of([[f64::MAX; 3], [f64::MIN; 3]].into_iter()).point().is_finite());
    }
}
