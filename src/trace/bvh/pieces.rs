//! The first halves of many spheres, found in passes over the scene before any sphere is moved.
//!
//! Each pass halves all pieces that are too large. A sample of a piece tells between which spheres its median lies: those
//! before go left, those after go right, and the few in between are kept until all are counted, and then sorted. The sample
//! decides how many those are, and nothing else.
#![expect(clippy::cast_possible_truncation, reason = "indices fit 32 bits, and numbers of pieces 16")]

use std::hint::select_unpredictable;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use super::halves::waiting_mut;
use super::tree::{Box3, EMPTY_BOX, Sphere16, WIDTH, left_half, order, widest_axis};
use crate::scene::{EyeSphere, InstanceRun, RowBuffer, SphereInstances};
use crate::trace::sampling::hash;

/// The drawable spheres of a scene, in the memory of their leaves.
#[derive(Debug)]
pub(super) struct Pieces {
    pub leaves: Vec<Sphere16>,
    /// How many spheres each piece has, in the order of leaves. Each but the last fills its leaves.
    pub counts: Vec<usize>,
}

/// Consecutive spheres of the hierarchy.
#[derive(Clone, Debug)]
struct Piece {
    /// Spheres before it.
    start: usize,
    count: usize,
    bounds: Box3,
    sample: Vec<Center>,
}

/// A sphere's centre and index.
#[derive(Clone, Copy, Debug)]
struct Center {
    position: [f32; 3],
    index: u32,
}

/// How a piece is halved: spheres below `from` go left, spheres more than `width` above go right.
#[derive(Clone, Copy, Debug)]
struct Cut {
    axis: usize,
    /// As [`order`] numbers coordinates.
    from: i32,
    width: u32,
    /// The numbers of the halves, equal if it is not halved.
    left: u16,
    right: u16,
}

/// The spheres of a piece that a pass found.
#[derive(Clone, Copy, Debug)]
struct Tally {
    count: usize,
    /// Of centres; the last numbers mean nothing.
    min: [f32; 4],
    max: [f32; 4],
}

/// Results of a pass over a chunk, by the number of the piece.
#[derive(Debug)]
struct Found {
    tallies: Vec<Tally>,
    /// Indices of spheres in between, by the left half, whose number they have until it is known where they go.
    between: Vec<Vec<u32>>,
}

/// In place of a piece's number: not drawable.
const NOT_DRAWN: u16 = u16::MAX;

/// tuned: benches/spheres.rs, hierarchy. One in this many spheres is in the sample.
const SAMPLED: usize = 128;

/// Standard deviations of the sample's median within which a piece's is looked for.
const DEVIATIONS: f32 = 3.0;

/// Chunks for each thread, and spheres of a chunk at least.
const CHUNKS: usize = 8;
const LEAST_CHUNK: usize = 1 << 13;

impl Pieces {
    /// Divides the spheres into pieces of at most `limit`, except for spheres in one place. Soon after `cancelled` is set, it
    /// returns nothing.
    pub(super) fn new(instances: &SphereInstances<'_>, limit: usize, cancelled: &AtomicBool) -> Self {
        let all = instances.count() as usize;
        let length = (all / (CHUNKS * rayon::current_num_threads())).max(LEAST_CHUNK);
        let scene = Scene { instances, chunks: instances.chunks(length), length };
        let mut numbers = vec![0; all];
        let mut pieces = vec![scene.whole(&mut numbers, limit)];
        while !cancelled.load(Ordering::Relaxed) && scene.halve(&mut pieces, &mut numbers, limit) {}
        if cancelled.load(Ordering::Relaxed) {
            return Self { leaves: Vec::new(), counts: Vec::new() };
        }
        let mut order: Vec<usize> = (0..pieces.len()).collect();
        order.sort_unstable_by_key(|&number| pieces[number].start);
        let counts = order.iter().map(|&number| pieces[number].count).collect();
        // the samples, before the leaves
        drop(pieces);
        Self { leaves: scene.in_order(&numbers, &order), counts }
    }
}

/// All spheres, in chunks for threads. Each has the number of its piece, or [`NOT_DRAWN`].
struct Scene<'a, 'b> {
    instances: &'b SphereInstances<'a>,
    chunks: Vec<Vec<InstanceRun<'a>>>,
    length: usize,
}

impl Scene<'_, '_> {
    /// All drawable spheres as one piece.
    fn whole(&self, numbers: &mut [u16], limit: usize) -> Piece {
        let all = numbers.len();
        let tally = |(runs, mut numbers): (&Vec<InstanceRun<'_>>, &mut [u16])| {
            let mut tally = Tally::EMPTY;
            for_each_block(runs, |spheres, _| {
                let (own, behind) = std::mem::take(&mut numbers).split_at_mut(spheres.len());
                numbers = behind;
                for (&[x, y, z, radius], number) in spheres.iter().zip(own) {
                    if (EyeSphere { center: [x, y, z], radius }).is_drawable() {
                        tally.add([x, y, z, radius]);
                    } else {
                        *number = NOT_DRAWN;
                    }
                }
            });
            tally
        };
        let chunks = self.chunks.par_iter().zip(numbers.par_chunks_mut(self.length));
        let tally = chunks.map(tally).reduce(|| Tally::EMPTY, Tally::and);
        let sampled = |number: usize| {
            let sphere = self.instances.in_world(sampled_index(number));
            sphere.is_drawable().then_some(Center { position: sphere.center, index: sampled_index(number) })
        };
        let samples = if tally.count > limit { all / SAMPLED } else { 0 };
        let sample = (0..samples).into_par_iter().filter_map(sampled).collect();
        Piece::new(0, tally, sample)
    }

    /// Halves all pieces that are too large; returns whether there were any.
    fn halve(&self, pieces: &mut Vec<Piece>, numbers: &mut [u16], limit: usize) -> bool {
        let mut next = pieces.len();
        let mut cuts = Vec::new();
        for (number, piece) in pieces.iter().enumerate() {
            if piece.count > limit && piece.bounds[0] != piece.bounds[1] {
                cuts.push(Cut { right: next as u16, axis: widest_axis(piece.bounds), ..Cut::none(number) });
                next += 1;
            } else {
                cuts.push(Cut::none(number));
            }
        }
        if next == pieces.len() {
            return false;
        }
        cuts.par_iter_mut().zip(&*pieces).filter(|(cut, _)| cut.is_cut()).for_each(|(cut, piece)| {
            let [from, to] = piece.bracket(cut.axis);
            (cut.from, cut.width) = (from, to.wrapping_sub(from).cast_unsigned());
        });
        pieces.resize(next, Piece::new(0, Tally::EMPTY, Vec::new()));
        while cuts.iter().any(Cut::is_cut) {
            cuts.extend((cuts.len()..next).map(Cut::none));
            let mut found = self.pass(numbers, &cuts);
            let medians = cuts.par_iter().enumerate().map(|(number, cut)| {
                let is_left = cut.is_cut() && usize::from(cut.left) == number;
                if is_left { self.median(&found, cut, left_half(pieces[number].count)) } else { None }
            });
            let medians: Vec<Option<i64>> = medians.collect();
            self.settle(numbers, &mut found, &cuts, &medians);
            let done = std::mem::replace(&mut cuts, (0..next).map(Cut::none).collect());
            for (number, cut) in done.into_iter().enumerate() {
                let [left, right] = [cut.left, cut.right].map(usize::from);
                if left == right || left != number {
                    continue;
                }
                let Some(median) = medians[number] else {
                    // the sample misled: all are in between
                    (cuts[left], cuts[right]) = (cut.of_all(), cut.of_all());
                    continue;
                };
                let tally =
                    |number: usize| found.iter().map(|found| found.tallies[number]).fold(Tally::EMPTY, Tally::and);
                let (start, sample) = (pieces[left].start, std::mem::take(&mut pieces[left].sample));
                let (before, after) = sample.into_iter().partition(|center| center.key(cut.axis) < median);
                let halves = [tally(left), tally(right)];
                pieces[left] = Piece::new(start, halves[0], before);
                pieces[right] = Piece::new(start + halves[0].count, halves[1], after);
            }
        }
        true
    }

    /// Gives every sphere the number of the half it is in.
    fn pass(&self, numbers: &mut [u16], cuts: &[Cut]) -> Vec<Found> {
        let pass = |(runs, mut numbers): (&Vec<InstanceRun<'_>>, &mut [u16])| {
            let mut found = Found { tallies: vec![Tally::EMPTY; cuts.len()], between: vec![Vec::new(); cuts.len()] };
            for_each_block(runs, |spheres, first| {
                let (own, behind) = std::mem::take(&mut numbers).split_at_mut(spheres.len());
                numbers = behind;
                found.pass(spheres, own, first, cuts);
            });
            found
        };
        let chunks = self.chunks.par_iter().zip(numbers.par_chunks_mut(self.length));
        chunks.map(pass).collect()
    }

    /// The key of the sphere that `half` spheres of a piece come before; `None` if it is not in between.
    fn median(&self, found: &[Found], cut: &Cut, half: usize) -> Option<i64> {
        let left = usize::from(cut.left);
        let before = found.iter().map(|found| found.tallies[left].count).sum::<usize>();
        let rank = half.checked_sub(before)?;
        let between = found.iter().flat_map(|found| &found.between[left]);
        let mut keys = Vec::with_capacity(found.iter().map(|found| found.between[left].len()).sum());
        keys.extend(between.map(|&index| self.center(index).key(cut.axis)));
        if rank < keys.len() {
            Some(*keys.select_nth_unstable(rank).1)
        } else {
            (rank == keys.len()).then_some(i64::MAX)
        }
    }

    fn center(&self, index: u32) -> Center {
        Center { position: self.instances.in_world(index).center, index }
    }

    /// Puts the spheres in between into the halves where they belong, if the median is known.
    fn settle(&self, numbers: &mut [u16], found: &mut [Found], cuts: &[Cut], medians: &[Option<i64>]) {
        let chunks = numbers.par_chunks_mut(self.length).zip(found).enumerate();
        chunks.for_each(|(chunk, (numbers, Found { tallies, between }))| {
            let first = chunk * self.length;
            for ((between, cut), median) in between.iter().zip(cuts).zip(medians) {
                let Some(median) = median else { continue };
                for &index in between {
                    let center = self.center(index);
                    let number = if center.key(cut.axis) < *median { cut.left } else { cut.right };
                    numbers[center.index as usize - first] = number;
                    let [x, y, z] = center.position;
                    tallies[usize::from(number)].add([x, y, z, 0.0]);
                }
            }
        });
    }

    /// Copies all spheres into the memory of leaves, by the order of their pieces, in each by index.
    fn in_order(&self, numbers: &[u16], order: &[usize]) -> Vec<Sphere16> {
        let count = |numbers: &[u16]| {
            let mut counts = vec![0; order.len()];
            for &number in numbers.iter().filter(|&&number| number != NOT_DRAWN) {
                counts[usize::from(number)] += 1;
            }
            counts
        };
        let counts: Vec<Vec<usize>> = numbers.par_chunks(self.length).map(count).collect();
        let all = counts.iter().flatten().sum::<usize>();
        let mut leaves = vec![[[0.0; WIDTH]; 4]; all.div_ceil(WIDTH)];
        let mut rest = waiting_mut(&mut leaves);
        let mut room: Vec<Vec<_>> = counts.iter().map(|_| (0..order.len()).map(|_| [].iter_mut()).collect()).collect();
        for &number in order {
            for (room, counts) in room.iter_mut().zip(&counts) {
                let (own, behind) = rest.split_at_mut(counts[number]);
                room[number] = own.iter_mut();
                rest = behind;
            }
        }
        let chunks = self.chunks.par_iter().zip(numbers.par_chunks(self.length)).zip(room);
        chunks.for_each(|((runs, numbers), mut room)| {
            let mut numbers = numbers.iter();
            for_each_block(runs, |spheres, _| {
                for (sphere, &number) in spheres.iter().zip(&mut numbers) {
                    if let Some(waiting) = room.get_mut(usize::from(number)).and_then(Iterator::next) {
                        *waiting = *sphere;
                    }
                }
            });
        });
        leaves
    }
}

/// Spheres of which all are placed before any is compared: components of what was just stored as a whole are waited for.
const BLOCK: usize = 256;

/// Visits the spheres of some runs, at most [`BLOCK`] at a time: centres in world coordinates, radii, and the index of the first.
#[inline(always)]
fn for_each_block(runs: &[InstanceRun<'_>], mut visit: impl FnMut(&[[f32; 4]], u32)) {
    let mut buffer = RowBuffer::EMPTY;
    let mut placed = [[0.0; 4]; BLOCK];
    for &(mut run) in runs {
        while let Some((start, rows)) = run.take_rows(&mut buffer) {
            for (rows, first) in rows.chunks(BLOCK).zip((start..).step_by(BLOCK)) {
                for (placed, sphere) in placed.iter_mut().zip(rows) {
                    let [x, y, z] = run.pose.map_or(sphere.center, |pose| pose.apply(sphere.center));
                    *placed = [x, y, z, sphere.radius];
                }
                visit(&placed[..rows.len()], first);
            }
        }
    }
}

impl Found {
    /// Gives the spheres of a block, of which the first has that index, the numbers of the halves they are in.
    #[inline(always)]
    fn pass(&mut self, spheres: &[[f32; 4]], numbers: &mut [u16], first: u32, cuts: &[Cut]) {
        for ((sphere, number), index) in spheres.iter().zip(numbers).zip(first..) {
            if *number == NOT_DRAWN {
                continue;
            }
            let cut = &cuts[usize::from(*number)];
            let along = order(sphere[cut.axis & 3]);
            // a branch only where it is foreseen: few spheres are in between
            *number = select_unpredictable(along < cut.from, cut.left, cut.right);
            if along.wrapping_sub(cut.from).cast_unsigned() <= cut.width {
                *number = cut.left;
                self.between[usize::from(cut.left)].push(index);
            } else {
                self.tallies[usize::from(*number)].add(*sphere);
            }
        }
    }
}

/// The index of a sphere in the sample: hashed, so that it differs from any pattern in the order of spheres.
pub(super) fn sampled_index(number: usize) -> u32 {
    (number * SAMPLED) as u32 + (hash(number as u64) % SAMPLED as u64) as u32
}

impl Piece {
    fn new(start: usize, tally: Tally, sample: Vec<Center>) -> Self {
        Self { start, count: tally.count, bounds: tally.bounds(), sample }
    }

    /// Coordinates between which the median lies, most probably.
    fn bracket(&self, axis: usize) -> [i32; 2] {
        let mut keys: Vec<i32> = self.sample.iter().map(|center| order(center.position[axis])).collect();
        let (share, sampled) = (left_half(self.count) as f32 / self.count as f32, keys.len() as f32);
        let margin = DEVIATIONS * (share * (1.0 - share) * sampled).sqrt() + 1.0;
        let [from, to] = [share * sampled - margin, share * sampled + margin];
        let mut key = |rank: f32| *keys.select_nth_unstable(rank as usize).1;
        [if from < 0.0 { i32::MIN } else { key(from) }, if to >= sampled { i32::MAX } else { key(to) }]
    }
}

impl Center {
    /// A number that orders centres along an axis, those in one place by their indices.
    #[inline(always)]
    fn key(&self, axis: usize) -> i64 {
        i64::from(order(self.position[axis])) << 32 | i64::from(self.index)
    }
}

impl Cut {
    /// No cut: all spheres of the piece go left and keep its number.
    fn none(number: usize) -> Self {
        Self { axis: 0, from: i32::MAX, width: 0, left: number as u16, right: number as u16 }
    }

    /// The same cut, which keeps all spheres in between.
    fn of_all(self) -> Self {
        Self { from: i32::MIN, width: u32::MAX, ..self }
    }

    fn is_cut(&self) -> bool {
        self.left != self.right
    }
}

impl Tally {
    const EMPTY: Self = Self { count: 0, min: [f32::INFINITY; 4], max: [f32::NEG_INFINITY; 4] };

    #[inline(always)]
    fn add(&mut self, sphere: [f32; 4]) {
        self.count += 1;
        let mut is_outside = false;
        for ((min, max), along) in self.min.iter().zip(&self.max).zip(sphere) {
            is_outside |= (along < *min) | (along > *max);
        }
        // seldom: numbers that are written and read again at once are waited for
        if is_outside {
            self.grow(sphere);
        }
    }

    #[cold]
    fn grow(&mut self, sphere: [f32; 4]) {
        for ((min, max), along) in self.min.iter_mut().zip(&mut self.max).zip(sphere) {
            (*min, *max) = (min.min(along), max.max(along));
        }
    }

    fn and(self, other: Self) -> Self {
        Self {
            count: self.count + other.count,
            min: std::array::from_fn(|axis| self.min[axis].min(other.min[axis])),
            max: std::array::from_fn(|axis| self.max[axis].max(other.max[axis])),
        }
    }

    fn bounds(&self) -> Box3 {
        if self.count == 0 {
            return EMPTY_BOX;
        }
        [self.min, self.max].map(|[x, y, z, _]| [x, y, z])
    }
}
