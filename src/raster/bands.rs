//! Which rows of a group of columns an ellipse reaches, and which it covers wholly.

#![expect(clippy::cast_sign_loss, reason = "pixels of a block")]

use fearless_simd::prelude::*;
use fearless_simd::{f64x8, i32x16};

use super::block::Block;
use super::paint::Area;

/// How far, of the radii, the rim is taken to be off: 32 times what `f64` rounds.
const MARGIN: f64 = 1.0 / (1u64 << 48) as f64;

/// Groups that are looked at together.
pub(super) const GROUPS: usize = 8;

/// An ellipse, counted from a block's corner.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    center: [f64; 2],
    radii: [f64; 2],
    /// The radii's ratio, y over x.
    rise: f64,
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

impl Bounds {
    #[inline(always)]
    pub(super) fn new(block: &Block, center: [f32; 2], radii: [f32; 2]) -> Self {
        let [x, y] = center.map(f64::from);
        let radii = radii.map(f64::from);
        Self { center: [x - f64::from(block.x), y - f64::from(block.y)], rise: radii[1] / radii[0], radii }
    }

    /// The rows of groups of so many columns from `first` on. Rounding misplaces a rim by far less than the margin; what the
    /// margin misplaces is less than the slack, or is looked at pixel by pixel.
    #[inline(always)]
    pub(super) fn bands<S: Simd>(&self, simd: S, [first, columns]: [usize; 2], area: Area) -> Bands {
        let width = columns as f64;
        let steps = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0].map(|group| group * width);
        let start = f64x8::simd_from(simd, steps) + first as f64;
        let (before, behind) = (start - self.center[0], (start + width).min(area.right as f64) - self.center[0]);
        let [across, down] = self.radii.map(|radius| radius * MARGIN);
        let zero = f64x8::splat(simd, 0.0);
        let nearest = (before.max(-behind) - across).max(zero);
        let farthest = before.abs().max(behind.abs()) + across;
        let reach = self.half(simd, nearest) + down;
        let cover = self.half(simd, farthest) - down;
        let [top, bottom] = [area.top as f64, area.bottom as f64];
        let clip = |edge: f64x8<S>| edge.max(top).min(bottom);
        let (y, row) = (f64x8::splat(simd, self.center[1]), clip(f64x8::splat(simd, self.center[1].floor())));
        let reached = [clip((y - reach).floor()), clip((y + reach).ceil())];
        let (start, end) = (clip((y - cover).ceil()), clip((y + cover).floor()));
        let some = start.simd_lt(end);
        let covered = [some.select(start, row), some.select(end, row)];
        let rows = |[start, end]: [f64x8<S>; 2]| start.narrow(end).to_int::<i32x16<S>>().to_array();
        Bands { reached: rows(reached), covered: rows(covered) }
    }

    /// Half the ellipse's height at an offset from the centre.
    #[inline(always)]
    fn half<S: Simd>(&self, simd: S, offset: f64x8<S>) -> f64x8<S> {
        let x = f64x8::splat(simd, self.radii[0]);
        ((x - offset) * (x + offset)).max(0.0).sqrt() * self.rise
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fearless_simd::{Level, dispatch};

    #[test]
    fn bands_hold_what_a_disc_reaches_and_covers() {
        let area = Area { left: 0, right: 30, top: 2, bottom: 40 };
        let block = Block::default();
        for (center, radii) in [
            ([12.25, 20.5], [9.75, 9.75]),
            ([3.0, -4.0], [21.0, 21.0]),
            ([60.0, 20.0], [50.0, 50.0]),
            ([15.5, 10.5], [0.25, 0.25]),
            ([12.656, 11.95], [22.33, 1.0]),
        ] {
            let bounds = Bounds::new(&block, center, radii);
            let bands = dispatch!(Level::new(), simd => bounds.bands(simd, [0, 4], area));
            for group in 0..GROUPS {
                let Band { reached, covered } = bands.group(group);
                let columns = 4 * group..area.right.min(4 * group + 4);
                for (row, column) in (area.top..area.bottom).flat_map(|row| columns.clone().map(move |x| (row, x))) {
                    let distance = |far: bool| {
                        let along = |pixel: usize, axis: usize| {
                            let before = pixel as f32 - center[axis];
                            let (size, behind) = (before.abs(), before + 1.0);
                            let along = if far { size.max(behind.abs()) } else { before.max(-behind).max(0.0) };
                            along / radii[axis]
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
