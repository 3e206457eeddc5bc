//! Comparisons that come out as in rational arithmetic.
//!
//! In come exact differences of `f32` numbers, out goes an [`Ordering`]. Sums of their squares are evaluated in
//! `f64`, which neither overflows nor underflows on them (|x − y| is 0 or in 2⁻¹⁴⁹ … 2¹²⁹); when the proven error
//! bound leaves the order open, big integers settle it: every finite `f32` is an integer multiple of 2⁻¹⁴⁹.
//! Near-ties are rare in scenes, but every tangency is one.

use std::cmp::Ordering;

use num_bigint::BigInt;

/// The exact difference `to − from` of two numbers, kept as its ends: any two finite `f32`, or `f64` of their size.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    from: f64,
    to: f64,
}

impl Span {
    #[inline]
    pub(super) fn new(from: impl Into<f64>, to: impl Into<f64>) -> Self {
        Self { from: from.into(), to: to.into() }
    }

    /// The difference, rounded once; 0 only when it is 0.
    #[inline]
    pub(super) fn length(self) -> f64 {
        self.to - self.from
    }

    /// What [`Span::length`] rounded away (Knuth's two-sum; exact, since nothing here can overflow).
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

    /// Exact: rounding is monotone, so lengths that round apart are in that order, and the tails settle the rest.
    pub(super) fn compare(self, other: Self) -> Ordering {
        let rounded = self.length().total_cmp(&other.length());
        // adding 0 makes −0 and 0 one
        let tails = || (self.tail() + 0.0).total_cmp(&(other.tail() + 0.0));
        if self.length() == other.length() { tails() } else { rounded }
    }

    fn integer(self) -> BigInt {
        integer(self.to) - integer(self.from)
    }
}

/// How Σ spanᵢ² compares with radius².
///
/// The rounded sum is within (N + 2) u of the true one, u = 2⁻⁵³: each difference, doubled by the square, the square
/// and N − 1 additions of what is never negative. radius² is exact in `f64`: 48 bits.
#[inline]
pub(super) fn compare_distance<const N: usize>(spans: &[Span; N], radius: f32) -> Ordering {
    let mut squared = 0.0;
    for span in spans {
        squared += span.length() * span.length();
    }
    let limit = f64::from(radius) * f64::from(radius);
    // twice the bound, which also covers what is lost in forming the two thresholds
    let doubt = limit * ((N + 4) as f64 * f64::EPSILON);
    if squared < limit - doubt {
        Ordering::Less
    } else if squared > limit + doubt {
        Ordering::Greater
    } else {
        settle_distance(spans, radius)
    }
}

#[cold]
fn settle_distance(spans: &[Span], radius: f32) -> Ordering {
    let squared: BigInt = spans.iter().map(|span| span.integer().pow(2)).sum();
    squared.cmp(&integer(f64::from(radius)).pow(2))
}

/// Σ spanᵢ² − radius², the power of a point: within 2 u of itself and (5 N + 5) u² of all squares, so that next to the
/// surface, where the plain sum is all cancellation, 50 bits and more are right.
///
/// Source: T. Ogita, S. M. Rump, S. Oishi, "Accurate Sum and Dot Product", *SIAM Journal on Scientific Computing* 26(6),
/// 2005, Dot2, with what the differences rounded away taken in.
pub(super) fn power<const N: usize>(spans: &[Span; N], radius: f64) -> f64 {
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

/// What `square`, the rounded square of `number`, left off (Dekker's product).
fn square_tail(number: f64, square: f64) -> f64 {
    // 2²⁷ + 1 cuts 53 bits into halves whose products are exact
    let shifted = 134_217_729.0 * number;
    let high = shifted - (shifted - number);
    let low = number - high;
    ((high * high - square) + 2.0 * high * low) + low * low
}

/// How Σ (spanᵢ / radiusᵢ)² compares with 1. Along a radius of 0 only a span of 0 is not beyond all measure.
///
/// The rounded sum is within (N + 4) u of the true one: as above, plus the division, doubled by the square. Quotients
/// lie in 2⁻²⁷⁷ … 2²⁷⁸, so that their squares are safe as well.
#[inline]
pub(super) fn compare_scaled_distance<const N: usize>(spans: &[Span; N], radii: &[f32; N]) -> Ordering {
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

/// Multiplied through by the squares of all radii that are not 0.
#[cold]
fn settle_scaled_distance(spans: &[Span], radii: &[f32]) -> Ordering {
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
        // an f32 number is 0 or far above the subnormals of f64
        return BigInt::ZERO;
    }
    // the 24 significant bits that an f32 has, and the exponent of the last of them
    let significand = i32::try_from(((bits & ((1 << 52) - 1)) | (1 << 52)) >> 29).expect("24 bits");
    let shift = i64::try_from(biased).expect("11 bits") - 1023 - 23 + 149;
    // a subnormal f32 ends in zeros that are shifted out again
    let magnitude = if shift >= 0 { BigInt::from(significand) << shift } else { BigInt::from(significand >> -shift) };
    if number < 0.0 { -magnitude } else { magnitude }
}

/// How (f · d)² − |d|² (|f|² − r²) compares with 0, f from a line's origin to the centre: the sign of the discriminant
/// of line and sphere.
#[cold]
pub(super) fn compare_discriminant(to_center: &[Span], direction: &[f64], radius: f64) -> Ordering {
    let direction: Vec<BigInt> = direction.iter().map(|&component| integer(component)).collect();
    let to_center: Vec<BigInt> = to_center.iter().map(|span| span.integer()).collect();
    let along: BigInt = to_center.iter().zip(&direction).map(|(f, d)| f * d).sum();
    let length_squared: BigInt = direction.iter().map(|d| d.pow(2)).sum();
    let power = to_center.iter().map(|f| f.pow(2)).sum::<BigInt>() - integer(radius).pow(2);
    along.pow(2).cmp(&(length_squared * power))
}

/// How f · d compares with 0, f from a line's origin to the centre.
#[cold]
pub(super) fn compare_projection(to_center: &[Span], direction: &[f64]) -> Ordering {
    let projection: BigInt = to_center.iter().zip(direction).map(|(f, &d)| f.integer() * integer(d)).sum();
    projection.cmp(&BigInt::ZERO)
}
