//! How deep circles lie over one another, and the opacity at which all of them show.

use crate::geom::single;

/// A circle: its centre and its radius, in pixels.
pub(crate) type Disc = ([f32; 2], f32);

/// Circles whose centres are asked how many others cover them, at most.
const ASKED: usize = 1024;

/// Side of a cell of the grid that finds centres, in pixels.
const CELL: f32 = 16.0;

/// Circles are opaque while less than this share of them is hidden by others, at their centres.
const FEW_HIDDEN: f64 = 0.25;

/// How dark the stacks of circles are that are higher than three in four: the opacity of all circles of one together.
const DARK: f64 = 0.9;

/// Circles above the centres of some circles, themselves included.
pub(crate) struct Overlap {
    depths: Vec<f64>,
}

impl Overlap {
    /// Counts circles over the centres of some, inside a picture of this size. Each disc stands for `each` circles.
    pub(crate) fn new(discs: &[Disc], each: f64, size: (u32, u32)) -> Self {
        let stacked = Self::counted(discs, 1.0, each, size);
        if each <= 1.0 {
            return stacked;
        }
        // scattered circles: each of the discs that are left takes the area of the circles that were left out
        let scattered = Self::counted(discs, single(each.sqrt()), 1.0, size);
        if scattered.hidden() > stacked.hidden() { scattered } else { stacked }
    }

    /// Counts discs whose radii are enlarged; each of them counts for `each`.
    fn counted(discs: &[Disc], enlarged: f32, each: f64, (width, height): (u32, u32)) -> Self {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "inside the picture")]
        let cell = |along: f32| (along / CELL) as usize;
        let sides = [width as f32, height as f32];
        let [columns, rows] = sides.map(|side| cell(side) + 1);
        let is_inside = |(center, radius): &&Disc| {
            *radius > 0.0 && (0..2).all(|axis| center[axis] >= 0.0 && center[axis] < sides[axis])
        };
        let stride = discs.len().div_ceil(ASKED).max(1);
        let asked: Vec<[f32; 2]> = discs.iter().step_by(stride).filter(is_inside).map(|(center, _)| *center).collect();
        let mut cells: Vec<Vec<usize>> = vec![Vec::new(); columns * rows];
        for (index, [x, y]) in asked.iter().enumerate() {
            cells[cell(*y) * columns + cell(*x)].push(index);
        }
        let mut counts = vec![0_u32; asked.len()];
        for &([x, y], radius) in discs.iter().filter(|(center, radius)| *radius > 0.0 && center[0].is_finite()) {
            let radius = radius * enlarged;
            let range = |along: f32, side: f32, cells: usize| {
                let [first, last] = [along - radius, along + radius].map(|end| cell(end.clamp(0.0, side)));
                first..(last + 1).min(cells)
            };
            for row in range(y, sides[1], rows) {
                for column in range(x, sides[0], columns) {
                    for &index in &cells[row * columns + column] {
                        let [dx, dy] = [asked[index][0] - x, asked[index][1] - y];
                        counts[index] += u32::from(dx * dx + dy * dy < radius * radius);
                    }
                }
            }
        }
        let mut depths: Vec<f64> =
            counts.into_iter().map(|count| 1.0 + f64::from(count.saturating_sub(1)) * each).collect();
        depths.sort_unstable_by(f64::total_cmp);
        Self { depths }
    }

    /// How many of the circles are hidden, at their centres: of a stack all but the topmost.
    fn hidden(&self) -> f64 {
        self.depths.iter().map(|depth| 1.0 - 1.0 / depth).sum()
    }

    /// The opacity at which all circles show, as an alpha not below `faintest`; `None` if few hide others, which are
    /// drawn as they are.
    pub(crate) fn suited_alpha(&self, faintest: f64) -> Option<u8> {
        let count = self.depths.len();
        if self.hidden() <= FEW_HIDDEN * count as f64 {
            return None;
        }
        let high = self.depths[(3 * count / 4).min(count - 1)];
        let opacity = 1.0 - libm::pow(1.0 - DARK, 1.0 / high);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 255")]
        let alpha = (255.0 * opacity.clamp(faintest, 1.0) + 0.5) as u8;
        Some(alpha)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Circles of radius 2 in `count` stacks of `depth`.
    fn stacks(count: u16, depth: usize) -> Vec<Disc> {
        let center = |stack: u16| [5.0 + 9.0 * f32::from(stack % 30), 5.0 + 9.0 * f32::from(stack / 30)];
        (0..count).flat_map(|stack| vec![(center(stack), 2.0); depth]).collect()
    }

    #[test]
    fn depths_are_those_of_counting_every_pair() {
        let disc = |index: u16| {
            let along = |step: f32| (f32::from(index) * step).fract();
            ([200.0 * along(0.618_034), 150.0 * along(0.754_878)], 3.0 + 20.0 * along(0.569_84))
        };
        let discs: Vec<Disc> = (0..400).map(disc).collect();
        let covers =
            |([x, y], _): &Disc, ([a, b], radius): &Disc| (x - a) * (x - a) + (y - b) * (y - b) < radius * radius;
        let mut expected: Vec<f64> =
            discs.iter().map(|of| discs.iter().filter(|by| covers(of, by)).count() as f64).collect();
        expected.sort_unstable_by(f64::total_cmp);
        assert_eq!(Overlap::new(&discs, 1.0, (200, 150)).depths, expected);
    }

    #[test]
    fn circles_apart_are_opaque_and_stacks_show_what_they_hold() {
        let alpha = |discs: &[Disc], faintest| Overlap::new(discs, 1.0, (300, 300)).suited_alpha(faintest);
        assert_eq!(alpha(&stacks(200, 1), 0.0), None);
        assert_eq!(alpha(&[], 0.0), None);
        // 1 − (1 − a)² = 0.9
        assert_eq!(alpha(&stacks(200, 2), 0.0), Some(174));
        assert_eq!(alpha(&stacks(20, 100), 0.0), Some(6));
        assert_eq!(alpha(&stacks(20, 100), 0.3), Some(77));
        let one_in_ten: Vec<Disc> = stacks(90, 1).into_iter().chain(stacks(10, 2)).collect();
        assert!(alpha(&one_in_ten[..95], 0.0).is_none());
        assert_eq!(Overlap::new(&stacks(200, 2), 3.0, (300, 300)).suited_alpha(0.0), Some(112), "each for three");
    }
}
