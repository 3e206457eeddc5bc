//! Halves a piece of the scene down to leaves, within the cache of a processor.
//!
//! The coordinates of a piece are columns of integers that order as the numbers do ([`order`]), so that lanes can
//! compare and partition them. Each partition is stable, so that equal coordinates need no index to break ties. The
//! median comes from a selection by guessed pivots ([`Bracket`]).

use fearless_simd::{Level, dispatch, f32x16, prelude::*};

use super::tree::{EMPTY_SPHERES, Sphere16, WIDTH, coordinate, left_half, order, widest_axis};

/// Columns for the spheres of a piece; a thread reuses them.
#[derive(Debug, Default)]
pub(super) struct Columns {
    /// The coordinates as integers, by [`order`], and the bits of the radius: 0 for an empty lane.
    rows: [Vec<i32>; 4],
    /// Scratch: the right half during a partition, and the coordinates that may be the median.
    spare: [Vec<i32>; 4],
}

/// Consecutive spheres of a piece: their start, a multiple of [`WIDTH`], and their number.
#[derive(Clone, Copy, Debug, Default)]
struct PieceSpan {
    start: usize,
    count: usize,
}

/// The coordinates that go left: all below `order`, and the first `ties` that equal it.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Median {
    order: i32,
    ties: usize,
}

/// The coordinate of empty lanes, greater than all others, so that they sort to the end.
const NO_SPHERE: i32 = i32::MAX;

/// Depth of the stack of spans: one for each halving of 2³² spheres, and one for the sibling of the last.
const STACK: usize = 32;

/// tuned: benches/spheres.rs, hierarchy. Once the bracket holds at most one in this many of the coordinates, they are
/// copied and the selection continues among the copies, unless there are few coordinates anyway.
const GATHERED_SHARE: usize = 4;
const GATHERED_LEAST: usize = 128;

impl Columns {
    /// Turns the spheres of a piece, which are stored in the memory of its leaves, into leaves without copies; returns
    /// the largest radius.
    pub(super) fn make_leaves(&mut self, level: Level, leaves: &mut [Sphere16], count: usize) -> f32 {
        dispatch!(level, simd => self.make_leaves_inline(simd, leaves, count))
    }

    #[inline(always)]
    fn make_leaves_inline<S: Simd>(&mut self, simd: S, leaves: &mut [Sphere16], count: usize) -> f32 {
        let room = leaves.len() * WIDTH;
        if self.rows[0].len() < room {
            for (row, spare) in self.rows.iter_mut().zip(&mut self.spare) {
                *row = vec![0; room];
                // the right half is not the larger one, and lanes are stored in whole groups
                *spare = vec![0; room / 2 + 2 * WIDTH];
            }
        }
        self.load(leaves, count);
        self.arrange(simd, count);
        for (index, leaf) in leaves.iter_mut().enumerate() {
            self.fill_leaf(simd, leaf, index * WIDTH);
        }
        coordinate(range(simd, &self.rows[3], room).1)
    }

    /// Fills the rows with `count` spheres.
    #[inline(always)]
    fn load(&mut self, leaves: &[Sphere16], count: usize) {
        let room = leaves.len() * WIDTH;
        let [xs, ys, zs, radii] = self.rows.each_mut().map(|row| &mut row[..room]);
        let rows = xs.iter_mut().zip(&mut *ys).zip(zs.iter_mut().zip(&mut *radii));
        for (&[x, y, z, radius], ((to_x, to_y), (to_z, to_radius))) in waiting(leaves)[..count].iter().zip(rows) {
            (*to_x, *to_y, *to_z, *to_radius) = (order(x), order(y), order(z), radius.to_bits().cast_signed());
        }
        for row in [xs, ys, zs] {
            row[count..].fill(NO_SPHERE);
        }
        radii[count..].fill(0);
    }

    /// Sorts the spheres into the order of leaves.
    #[inline(always)]
    fn arrange<S: Simd>(&mut self, simd: S, count: usize) {
        let mut stack = [PieceSpan::default(); STACK];
        stack[0].count = count;
        let mut depth = 1;
        while depth > 0 {
            depth -= 1;
            let span = stack[depth];
            if span.count <= WIDTH {
                continue;
            }
            let (mut least, mut most) = ([0; 3], [0; 3]);
            for axis in 0..3 {
                (least[axis], most[axis]) = range(simd, &self.rows[axis][span.start..], span.count);
            }
            let bounds = [least.map(coordinate), most.map(coordinate)];
            if bounds[0] == bounds[1] {
                self.drop_copies(span);
                continue;
            }
            let axis = widest_axis(bounds);
            let left = left_half(span.count);
            let coordinates = &self.rows[axis][span.start..][..span.count.next_multiple_of(WIDTH)];
            let [near, nearer, ..] = &mut self.spare;
            let range = Bracket { least: least[axis], most: most[axis], below: 0, inside: span.count };
            let median = median(simd, coordinates, range, left, [near, nearer]);
            match axis {
                0 => self.split::<0, S>(simd, span, median),
                1 => self.split::<1, S>(simd, span, median),
                _ => self.split::<2, S>(simd, span, median),
            }
            stack[depth] = PieceSpan { start: span.start, count: left };
            stack[depth + 1] = PieceSpan { start: span.start + left, count: span.count - left };
            depth += 2;
        }
    }

    /// Partitions a span stably: first the spheres of the left half, then the spheres of the right half.
    #[inline(always)]
    fn split<const AXIS: usize, S: Simd>(&mut self, simd: S, span: PieceSpan, median: Median) {
        let end = span.start + span.count.next_multiple_of(WIDTH);
        let [x, y, z, radius] = &mut self.rows;
        let rows = [&mut x[..end], &mut y[..end], &mut z[..end], &mut radius[..end]];
        let [x, y, z, radius] = &mut self.spare;
        let room = (end - span.start) / 2 + 2 * WIDTH;
        let spare = [&mut x[..room], &mut y[..room], &mut z[..room], &mut radius[..room]];
        let median_lanes = S::i32s::splat(simd, median.order);
        let lanes = S::i32s::LEN;
        let (mut left, mut right, mut ties) = (span.start, 0, median.ties);
        for at in (span.start..end).step_by(lanes) {
            let group = [
                S::i32s::from_slice(simd, &rows[0][at..at + lanes]),
                S::i32s::from_slice(simd, &rows[1][at..at + lanes]),
                S::i32s::from_slice(simd, &rows[2][at..at + lanes]),
                S::i32s::from_slice(simd, &rows[3][at..at + lanes]),
            ];
            let mut goes_left = group[AXIS].simd_lt(median_lanes);
            if ties > 0 {
                let first = first_bits(group[AXIS].simd_eq(median_lanes).to_bitmask(), &mut ties);
                goes_left |= S::mask32s::from_bitmask(simd, first);
            }
            let goes_right = !goes_left;
            for row in 0..4 {
                // no more lanes go left than have been loaded, so that this overwrites nothing unread
                group[row].compress(goes_left).store_slice(&mut rows[row][left..left + lanes]);
                group[row].compress(goes_right).store_slice(&mut spare[row][right..right + lanes]);
            }
            let count = goes_left.to_bitmask().count_ones() as usize;
            left += count;
            right += lanes - count;
        }
        for (row, spare) in rows.into_iter().zip(spare) {
            row[left..].copy_from_slice(&spare[..right]);
        }
    }

    /// Drops all but one of each set of equal spheres; all centres of the span are the same.
    fn drop_copies(&mut self, span: PieceSpan) {
        let radii = &mut self.rows[3][span.start..][..span.count];
        radii.sort_unstable();
        for lane in (1..radii.len()).rev() {
            if radii[lane] == radii[lane - 1] {
                radii[lane] = 0;
            }
        }
    }

    /// Fills a leaf with the spheres from `start` on, without copies.
    #[inline(always)]
    fn fill_leaf<S: Simd>(&self, simd: S, leaf: &mut Sphere16, start: usize) {
        for (lanes, row) in leaf.iter_mut().zip(&self.rows) {
            for (lane, &number) in lanes.iter_mut().zip(&row[start..start + WIDTH]) {
                *lane = coordinate(number);
            }
        }
        clear_copies(simd, leaf);
    }
}

/// The memory of leaves before the leaves are made: rows of centre and radius, 0 in an empty row.
pub(super) fn waiting(leaves: &[Sphere16]) -> &[[f32; 4]] {
    leaves.as_flattened().as_flattened().as_chunks().0
}

/// Mutable [`waiting`].
pub(super) fn waiting_mut(leaves: &mut [Sphere16]) -> &mut [[f32; 4]] {
    leaves.as_flattened_mut().as_flattened_mut().as_chunks_mut().0
}

/// Clears the lanes of a leaf without a radius, and copies of spheres in earlier lanes.
#[inline(always)]
fn clear_copies<S: Simd>(simd: S, leaf: &mut Sphere16) {
    let zero = f32x16::splat(simd, 0.0);
    let rows = [
        f32x16::load_array_ref(simd, &leaf[0]),
        f32x16::load_array_ref(simd, &leaf[1]),
        f32x16::load_array_ref(simd, &leaf[2]),
        f32x16::load_array_ref(simd, &leaf[3]),
    ];
    let mut cleared = !rows[3].simd_gt(zero).to_bitmask() & 0xffff;
    for lane in 1..WIDTH {
        let before = (1u64 << lane) - 1;
        let alike = rows[0].simd_eq(f32x16::splat(simd, leaf[0][lane])).to_bitmask() & before & !cleared;
        if alike != 0 {
            let is_copy = |other: usize| leaf.iter().all(|row| row[other] == row[lane]);
            let is_cleared = (0..lane).any(|other| alike >> other & 1 == 1 && is_copy(other));
            cleared |= u64::from(is_cleared) << lane;
        }
    }
    if cleared != 0 {
        for lane in (0..WIDTH).filter(|lane| cleared >> lane & 1 == 1) {
            for (row, empty) in leaf.iter_mut().zip(&EMPTY_SPHERES) {
                row[lane] = empty[lane];
            }
        }
    }
}

/// The lowest set bits, `left` of them at most; subtracts their number from `left`.
#[inline(always)]
fn first_bits(mut bits: u64, left: &mut usize) -> u64 {
    let mut first = 0;
    while bits != 0 && *left > 0 {
        let lowest = bits & bits.wrapping_neg();
        first |= lowest;
        bits ^= lowest;
        *left -= 1;
    }
    first
}

/// The least and the greatest of the first `count` numbers.
#[inline(always)]
fn range<S: Simd>(simd: S, numbers: &[i32], count: usize) -> (i32, i32) {
    let (mut least, mut most) = (S::i32s::splat(simd, i32::MAX), S::i32s::splat(simd, i32::MIN));
    let (whole, rest) = numbers[..count].split_at(count / WIDTH * WIDTH);
    for group in whole.chunks_exact(S::i32s::LEN) {
        let group = S::i32s::from_slice(simd, group);
        least = least.min(group);
        most = most.max(group);
    }
    let fold = |(least, most): (i32, i32), &number: &i32| (least.min(number), most.max(number));
    let (mut a, mut b) = rest.iter().fold((i32::MAX, i32::MIN), fold);
    for (&least, &most) in least.as_slice().iter().zip(most.as_slice()) {
        (a, b) = (a.min(least), b.max(most));
    }
    (a, b)
}

/// The bracket of the median, from `least` to `most`, with the numbers of coordinates below it and inside it.
#[derive(Clone, Copy, Debug)]
struct Bracket {
    least: i32,
    most: i32,
    below: usize,
    inside: usize,
}

/// Selects the number with `rank` others before it: guesses a pivot, counts the numbers below it, narrows the bracket.
/// The numbers fill whole groups of lanes, with [`NO_SPHERE`] at the end.
#[inline(always)]
fn median<'a, S: Simd>(
    simd: S,
    mut numbers: &'a [i32],
    mut bracket: Bracket,
    mut rank: usize,
    mut room: [&'a mut [i32]; 2],
) -> Median {
    let lanes = S::i32s::LEN;
    let mut guesses = 0u32;
    while bracket.least < bracket.most {
        let guess = bracket.guess(rank, guesses);
        guesses += 1;
        let at = S::i32s::splat(simd, guess);
        let mut below = 0;
        for group in numbers.chunks_exact(lanes) {
            below += S::i32s::from_slice(simd, group).simd_lt(at).to_bitmask().count_ones() as usize;
        }
        if below == rank {
            return Median { order: guess, ties: 0 };
        }
        let Bracket { below: before, inside, .. } = bracket;
        if below < rank {
            bracket = Bracket { least: guess, below, inside: inside - (below - before), ..bracket };
        } else {
            bracket = Bracket { most: guess - 1, inside: below - before, ..bracket };
        }
        if guesses.is_multiple_of(TIGHTENED) {
            bracket.tighten(simd, numbers);
        }
        if numbers.len() > GATHERED_LEAST && bracket.inside * GATHERED_SHARE <= numbers.len() {
            let [to, next] = room;
            let (least, most) = (S::i32s::splat(simd, bracket.least), S::i32s::splat(simd, bracket.most));
            let mut count = 0;
            for group in numbers.chunks_exact(lanes) {
                let group = S::i32s::from_slice(simd, group);
                let is_inside = group.simd_ge(least) & group.simd_le(most);
                group.compress(is_inside).store_slice(&mut to[count..count + lanes]);
                count += is_inside.to_bitmask().count_ones() as usize;
            }
            let end = count.next_multiple_of(WIDTH);
            to[count..end].fill(NO_SPHERE);
            (rank, bracket.below) = (rank - bracket.below, 0);
            let (gathered, rest) = to.split_at_mut(end);
            (numbers, room) = (gathered, [next, rest]);
        }
    }
    Median { order: bracket.least, ties: rank - bracket.below }
}

impl Bracket {
    /// Next pivot, above the minimum: interpolated; then biased to the centre so that the far end moves; now and then
    /// plain bisection, which always halves the bracket.
    #[inline(always)]
    fn guess(&self, rank: usize, guesses: u32) -> i32 {
        let share = (rank - self.below) as f32 / self.inside as f32;
        let guess = match guesses % TIGHTENED {
            3 => i32::midpoint(self.least, self.most),
            1 => self.between(share * 0.5 + 0.25),
            _ => self.between(share),
        };
        guess.clamp(self.least + 1, self.most)
    }

    /// The pivot at this share of the bracket's width.
    #[inline(always)]
    fn between(&self, share: f32) -> i32 {
        order(coordinate(self.least) * (1.0 - share) + coordinate(self.most) * share)
    }

    /// Narrows the bracket to the least and the greatest number inside it.
    #[inline(always)]
    fn tighten<S: Simd>(&mut self, simd: S, numbers: &[i32]) {
        let (from, to) = (S::i32s::splat(simd, self.least), S::i32s::splat(simd, self.most));
        let (mut least, mut most) = (to, from);
        for group in numbers.chunks_exact(S::i32s::LEN) {
            let group = S::i32s::from_slice(simd, group);
            let is_inside = group.simd_ge(from) & group.simd_le(to);
            least = is_inside.select(least.min(group), least);
            most = is_inside.select(most.max(group), most);
        }
        self.least = least.as_slice().iter().fold(i32::MAX, |a, &b| a.min(b));
        self.most = most.as_slice().iter().fold(i32::MIN, |a, &b| a.max(b));
    }
}

/// One pivot in this many bisects, and then narrows the bracket to existing numbers.
const TIGHTENED: u32 = 4;
