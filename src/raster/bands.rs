//! Which rows of a group of columns an ellipse reaches, and which it covers wholly.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "pixels of a block"
)]

use fearless_simd::prelude::*;
use fearless_simd::{f32x8, f32x16, f64x8, i32x16};

use super::arc::Real;
use super::block::{Block, SIDE};
use super::paint::Area;

/// Numbers for bounds: `f32` up to radii of 1024, `f64` beyond.
pub(super) trait Bound: Real {
    /// How far, of the radius and twice a block's side, the rim is taken to be off: 16 times what numbers round, or more.
    const MARGIN: f64;
    /// A lane for each group.
    type Groups<S: Simd>: SimdFloat<S, Element = Self>;
    /// The first eight, then the second, whole numbers all.
    fn rows<S: Simd>(ends: [Self::Groups<S>; 2]) -> [i32; 2 * GROUPS];
}

impl Bound for f32 {
    const MARGIN: f64 = 1.0 / (1u64 << 20) as f64;
    type Groups<S: Simd> = f32x8<S>;

    #[inline(always)]
    fn rows<S: Simd>([first, second]: [f32x8<S>; 2]) -> [i32; 2 * GROUPS] {
        first.combine(second).to_int::<i32x16<S>>().to_array()
    }
}

impl Bound for f64 {
    const MARGIN: f64 = 1.0 / (1u64 << 48) as f64;
    type Groups<S: Simd> = f64x8<S>;

    #[inline(always)]
    fn rows<S: Simd>([first, second]: [f64x8<S>; 2]) -> [i32; 2 * GROUPS] {
        let both: f32x16<S> = first.narrow(second);
        both.to_int::<i32x16<S>>().to_array()
    }
}

/// Groups that are looked at together.
pub(super) const GROUPS: usize = 8;

/// An ellipse, counted from a block's corner.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds<T> {
    center: [T; 2],
    radii: [T; 2],
    margins: [T; 2],
    /// The radii's ratio, y over x.
    rise: T,
}

/// Rows of a block: `reached` holds what is not missed, `covered` what is covered wholly; both half-open, and both hold the
/// row of the centre, or the area's nearest to it, at one end at least: of concentric ellipses all of them meet there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Band {
    pub(super) reached: (usize, usize),
    pub(super) covered: (usize, usize),
}

impl Band {
    #[inline(always)]
    pub(super) fn reaches(&self, row: usize) -> bool {
        self.reached.0 <= row && row < self.reached.1
    }

    #[inline(always)]
    pub(super) fn covers(&self, row: usize) -> bool {
        self.covered.0 <= row && row < self.covered.1
    }

    /// The rows that both bands cover; both hold the centre's row.
    #[inline(always)]
    pub(super) fn covered_with(self, other: Self) -> (usize, usize) {
        (self.covered.0.max(other.covered.0), self.covered.1.min(other.covered.1))
    }

    /// A band without rows, at the upper end of what this one covers.
    #[inline(always)]
    pub(super) fn empty(self) -> Self {
        Self { reached: (self.covered.0, self.covered.0), covered: (self.covered.0, self.covered.0) }
    }
}

/// The bands of [`GROUPS`] groups side by side.
#[derive(Debug)]
pub(super) struct Bands {
    /// First rows, then those past the last.
    reached: [i32; 2 * GROUPS],
    covered: [i32; 2 * GROUPS],
}

impl Bands {
    #[inline(always)]
    pub(super) fn group(&self, group: usize) -> Band {
        let pair = |rows: &[i32; 2 * GROUPS]| (rows[group] as usize, rows[group + GROUPS] as usize);
        Band { reached: pair(&self.reached), covered: pair(&self.covered) }
    }
}

impl<T: Bound> Bounds<T> {
    #[inline(always)]
    pub(super) fn new(block: &Block, center: [f32; 2], radii: [f32; 2]) -> Self {
        let [x, y] = center.map(f64::from);
        let radii = radii.map(f64::from);
        let margins = radii.map(|radius| (radius + (2 * SIDE) as f64) * T::MARGIN);
        Self {
            center: [x - f64::from(block.x), y - f64::from(block.y)].map(T::from_f64),
            radii: radii.map(T::from_f64),
            margins: margins.map(T::from_f64),
            rise: T::from_f64(radii[1] / radii[0]),
        }
    }

    /// The rows of groups of so many columns from `first` on. Rounding misplaces a rim by far less than the margin; what the
    /// margin misplaces is looked at pixel by pixel.
    #[inline(always)]
    pub(super) fn bands<S: Simd>(&self, simd: S, [first, columns]: [usize; 2], area: Area) -> Bands {
        let splat = |value: T| T::Groups::<S>::splat(simd, value);
        let edge = |edge: usize| T::edge(edge as i32);
        let mut starts = splat(edge(0));
        for (group, start) in starts.as_mut_slice().iter_mut().enumerate() {
            *start = edge(first + group * columns);
        }
        let before = starts - self.center[0];
        let behind = (starts + edge(columns)).min(edge(area.right)) - self.center[0];
        let [across, down] = self.margins;
        let nearest = (before.max(-behind) - across).max(splat(edge(0)));
        let farthest = before.abs().max(behind.abs()) + across;
        let reach = self.half(simd, nearest) + down;
        let cover = self.half(simd, farthest) - down;
        let [top, bottom] = [splat(edge(area.top)), splat(edge(area.bottom))];
        let y = splat(self.center[1]);
        let row = y.floor().max(top).min(bottom);
        let reached = [(y - reach).floor().max(top).min(bottom), (y + reach).ceil().max(top).min(bottom)];
        let (start, end) = ((y - cover).ceil().max(top).min(bottom), (y + cover).floor().max(top).min(bottom));
        let some = start.simd_lt(end);
        let covered = [some.select(start, row), some.select(end, row)];
        Bands { reached: T::rows(reached), covered: T::rows(covered) }
    }

    /// Half the ellipse's height at an offset from the centre.
    #[inline(always)]
    fn half<S: Simd>(&self, simd: S, offset: T::Groups<S>) -> T::Groups<S> {
        let x = T::Groups::<S>::splat(simd, self.radii[0]);
        ((x - offset) * (x + offset)).max(T::edge(0)).sqrt() * self.rise
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fearless_simd::{Level, dispatch};

    #[test]
    fn bands_hold_what_a_disc_reaches_and_covers() {
        hold::<f32>();
        hold::<f64>();
    }

    fn hold<T: Bound>() {
        let area = Area { left: 0, right: 30, top: 2, bottom: 40 };
        let block = Block::default();
        for (center, radii) in [
            ([12.25, 20.5], [9.75, 9.75]),
            ([3.0, -4.0], [21.0, 21.0]),
            ([60.0, 20.0], [50.0, 50.0]),
            ([15.5, 10.5], [0.25, 0.25]),
            ([12.656, 11.95], [22.33, 1.0]),
            ([1000.0, 20.0], [990.0, 990.0]),
            ([15.0, 900.0], [1000.0, 893.5]),
        ] {
            let bands =
                dispatch!(Level::new(), simd => Bounds::<T>::new(&block, center, radii).bands(simd, [0, 4], area));
            for group in 0..GROUPS {
                let Band { reached, covered } = bands.group(group);
                let columns = 4 * group..area.right.min(4 * group + 4);
                for (row, column) in (area.top..area.bottom).flat_map(|row| columns.clone().map(move |x| (row, x))) {
                    let distance = |far: bool| {
                        let along = |pixel: usize, axis: usize| {
                            let before = pixel as f64 - f64::from(center[axis]);
                            let (size, behind) = (before.abs(), before + 1.0);
                            let along = if far { size.max(behind.abs()) } else { before.max(-behind).max(0.0) };
                            along / f64::from(radii[axis])
                        };
                        let (x, y) = (along(column, 0), along(row, 1));
                        (x * x + y * y).sqrt()
                    };
                    let inside = |rows: (usize, usize)| rows.0 <= row && row < rows.1;
                    assert!(distance(false) >= 1.0 || inside(reached), "{center:?} misses {column}, {row}");
                    assert!(distance(true) <= 1.0 || !inside(covered), "{center:?} covers {column}, {row}");
                }
            }
        }
    }
}
