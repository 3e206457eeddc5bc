//! Comparisons with the results of rational arithmetic.
//!
//! Inputs are exact differences of `f32` numbers, the output is an [`Ordering`]. Sums of squares are evaluated in
//! `f64`, which neither overflows nor underflows on them (|x − y| is 0 or in 2⁻¹⁴⁹ … 2¹²⁹). If the error bound leaves
//! the order open, big integers decide: every finite `f32` is an integer multiple of 2⁻¹⁴⁹. Near-ties are rare in
//! scenes, but every tangency is one.

use std::cmp::Ordering;

use num_bigint::BigInt;

/// The exact difference `to − from`, stored as its operands: finite `f32`, or `f64` in the range of `f32`.
#[derive(Clone, Copy, Debug)]
pub(super) struct ExactDifference {
    from: f64,
    to: f64,
}

impl ExactDifference {
    #[inline]
    pub(super) fn new(from: impl Into<f64>, to: impl Into<f64>) -> Self {
        Self { from: from.into(), to: to.into() }
    }

    /// The difference, rounded once. It is 0 only if the exact difference is 0.
    #[inline]
    pub(super) fn length(self) -> f64 {
        self.to - self.from
    }

    /// The exact difference minus [`ExactDifference::length`] (Knuth's two-sum; exact, because nothing here can
    /// overflow).
    fn tail(self) -> f64 {
        let length = self.length();
        let subtrahend = self.to - length;
        let minuend = length + subtrahend;
        (self.to - minuend) + (subtrahend - self.from)
    }

    /// The longer of two spans.
    pub(super) fn max(self, other: Self) -> Self {
        if self.compare(other).is_lt() { other } else { self }
    }

    /// The shorter of two spans.
    pub(super) fn min(self, other: Self) -> Self {
        if self.compare(other).is_gt() { other } else { self }
    }

    /// Compares exactly: rounding is monotone, so rounded lengths that differ have the right order, and the tails
    /// decide ties.
    pub(super) fn compare(self, other: Self) -> Ordering {
        let rounded = self.length().total_cmp(&other.length());
        // adding 0 turns −0 into 0
        let tails = || (self.tail() + 0.0).total_cmp(&(other.tail() + 0.0));
        if self.length() == other.length() { tails() } else { rounded }
    }

    fn integer(self) -> BigInt {
        integer(self.to) - integer(self.from)
    }
}

/// Compares Σ spanᵢ² with radius².
///
/// The rounded sum has a relative error of at most (N + 2) u, u = 2⁻⁵³: each difference contributes twice because it is
/// squared, then the square and N − 1 additions of non-negative terms. radius² has 48 bits and is exact in `f64`.
#[inline]
pub(super) fn compare_distance<const N: usize>(spans: &[ExactDifference; N], radius: f32) -> Ordering {
    let mut squared = 0.0;
    for span in spans {
        squared += span.length() * span.length();
    }
    let limit = f64::from(radius) * f64::from(radius);
    // twice the bound, which also covers the rounding of the two thresholds
    let doubt = limit * ((N + 4) as f64 * f64::EPSILON);
    if squared < limit - doubt {
        Ordering::Less
    } else if squared > limit + doubt {
        Ordering::Greater
    } else {
        settle_distance(spans, radius)
    }
}

/// [`compare_distance`] in integers.
#[cold]
fn settle_distance(spans: &[ExactDifference], radius: f32) -> Ordering {
    let squared: BigInt = spans.iter().map(|span| span.integer().pow(2)).sum();
    squared.cmp(&integer(f64::from(radius)).pow(2))
}

/// The power of a point, Σ spanᵢ² − radius².
///
/// The error is at most 2 u of the result plus (5 N + 5) u² of the sum of all squares, u = 2⁻⁵³. Next to the surface,
/// where the plain sum cancels, 50 bits and more are correct.
///
/// Source: T. Ogita, S. M. Rump, S. Oishi, "Accurate Sum and Dot Product", *SIAM Journal on Scientific Computing*
/// 26(6), 2005, Dot2. Ours: the tails of the differences are included.
pub(super) fn power<const N: usize>(spans: &[ExactDifference; N], radius: f64) -> f64 {
    let mut sum = -(radius * radius);
    let mut rest = 0.0;
    for span in spans {
        let (length, tail) = (span.length(), span.tail());
        let square = length * length;
        let total = sum + square;
        let from_square = total - sum;
        let rounded_away = (sum - (total - from_square)) + (square - from_square);
        rest += rounded_away + square_tail(length, square) + 2.0 * length * tail;
        sum = total;
    }
    sum + rest
}

/// The exact square of `number` minus `square`, its rounded square (Dekker's product).
fn square_tail(number: f64, square: f64) -> f64 {
    // 2²⁷ + 1 splits 53 bits into halves whose products are exact
    let shifted = 134_217_729.0 * number;
    let high = shifted - (shifted - number);
    let low = number - high;
    ((high * high - square) + 2.0 * high * low) + low * low
}

/// Compares Σ (spanᵢ / radiusᵢ)² with 1. On an axis of radius 0, any span other than 0 is greater.
///
/// The rounded sum has a relative error of at most (N + 4) u: as in [`compare_distance`], plus the division, which
/// contributes twice because it is squared. Quotients are in 2⁻²⁷⁷ … 2²⁷⁸, so their squares neither overflow nor
/// underflow.
#[inline]
pub(super) fn compare_scaled_distance<const N: usize>(spans: &[ExactDifference; N], radii: &[f32; N]) -> Ordering {
    let mut squared = 0.0;
    for (span, &radius) in spans.iter().zip(radii) {
        let length = span.length();
        if radius > 0.0 {
            let share = length / f64::from(radius);
            squared += share * share;
        } else if length != 0.0 {
            return Ordering::Greater;
        }
    }
    let doubt = (N + 6) as f64 * f64::EPSILON;
    if squared < 1.0 - doubt {
        Ordering::Less
    } else if squared > 1.0 + doubt {
        Ordering::Greater
    } else {
        settle_scaled_distance(spans, radii)
    }
}

/// [`compare_scaled_distance`] in integers: both sides are multiplied by the squares of all radii other than 0.
#[cold]
fn settle_scaled_distance(spans: &[ExactDifference], radii: &[f32]) -> Ordering {
    let mut sum = BigInt::ZERO;
    let mut product = BigInt::from(1);
    for (span, &radius) in spans.iter().zip(radii).filter(|(_, radius)| **radius > 0.0) {
        // sum / product + span² / radius²
        let squared_radius = integer(f64::from(radius)).pow(2);
        sum = sum * &squared_radius + span.integer().pow(2) * &product;
        product *= squared_radius;
    }
    sum.cmp(&product)
}

/// A finite `f32` number as a multiple of 2⁻¹⁴⁹.
pub(super) fn integer(number: f64) -> BigInt {
    let bits = number.to_bits();
    let biased = (bits >> 52) & 0x7ff;
    if biased == 0 {
        // an f32 is 0 or far above the subnormals of f64
        return BigInt::ZERO;
    }
    // the 24 significant bits of an f32, and the exponent of the last of them
    let significand = i32::try_from(((bits & ((1 << 52) - 1)) | (1 << 52)) >> 29).expect("24 bits");
    let shift = i64::try_from(biased).expect("11 bits") - 1023 - 23 + 149;
    // the significand of a subnormal f32 ends in zeros, which are shifted out
    let magnitude = if shift >= 0 { BigInt::from(significand) << shift } else { BigInt::from(significand >> -shift) };
    if number < 0.0 { -magnitude } else { magnitude }
}

/// Compares (f · d)² − |d|² (|f|² − r²) with 0, for f from a line's origin to the centre: the sign of the discriminant
/// of line and sphere.
#[cold]
pub(super) fn compare_discriminant(to_center: &[ExactDifference], direction: &[f64], radius: f64) -> Ordering {
    let direction: Vec<BigInt> = direction.iter().map(|&component| integer(component)).collect();
    let to_center: Vec<BigInt> = to_center.iter().map(|span| span.integer()).collect();
    let along: BigInt = to_center.iter().zip(&direction).map(|(f, d)| f * d).sum();
    let length_squared: BigInt = direction.iter().map(|d| d.pow(2)).sum();
    let power = to_center.iter().map(|f| f.pow(2)).sum::<BigInt>() - integer(radius).pow(2);
    along.pow(2).cmp(&(length_squared * power))
}

/// Compares f · d with 0, for f from a line's origin to the centre.
#[cold]
pub(super) fn compare_projection(to_center: &[ExactDifference], direction: &[f64]) -> Ordering {
    let projection: BigInt = to_center.iter().zip(direction).map(|(f, &d)| f.integer() * integer(d)).sum();
    projection.cmp(&BigInt::ZERO)
}
