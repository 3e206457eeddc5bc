//! Divides many spheres into pieces in one pass over the scene, before any sphere is moved.
//!
//! A random sample of the scene is halved at the median of its widest axis, as the hierarchy is, until it is divided
//! into pieces. The cuts of the sample classify all other spheres: each descends from cut to cut until it is in a
//! piece, or so near to a cut that the sample cannot tell its side (within some standard deviations of the sample's
//! median). Such spheres are pending: once all spheres are counted, each cut fills up its left half with them, so that
//! the halves have exactly the sizes that the hierarchy asks for. The sample does not depend on threads, so a scene has
//! one hierarchy.
#![expect(clippy::cast_possible_truncation, reason = "indices fit 32 bits, and numbers of parts 16")]

use std::hint::select_unpredictable;
use std::slice::IterMut;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use super::halves::waiting_mut;
use super::tree::{Box3, Sphere16, WIDTH, coordinate, left_half, order, widest_axis};
use crate::geom;
use crate::scene::{InstanceRun, RowBuffer, SphereInstances};
use crate::trace::find::sampling::hash;

/// The drawable spheres of a scene, in the memory of their leaves.
#[derive(Debug, Default)]
pub(super) struct Pieces {
    pub leaves: Vec<Sphere16>,
    /// Number of spheres of each piece, in the order of leaves. Each piece but the last fills its leaves.
    pub counts: Vec<usize>,
}

/// Centre and radius.
type SphereRow = [f32; 4];

/// Consecutive spheres of the hierarchy: two halves or a piece.
#[derive(Clone, Copy, Debug)]
struct PieceRun {
    /// Spheres before it.
    start: usize,
    count: usize,
    /// Index of the left half, followed by the right half; 0 for a piece.
    left: u16,
    axis: u16,
    /// In the numbering of [`order`]: spheres below `from` go left, spheres more than `width` above it go right, the
    /// others are pending.
    from: i32,
    width: u32,
}

/// tuned: benches/spheres.rs, hierarchy. One in this many spheres is in the sample, more in small scenes.
const SAMPLED: usize = 64;
const SAMPLED_OF_FEW: usize = 8;
const LEAST_SAMPLE: usize = 1 << 16;

/// tuned: benches/spheres.rs, hierarchy. Spheres within this many standard deviations of the sample's median are
/// pending, at first.
const DEVIATIONS: f32 = 3.5;

/// Chunks per thread, and the minimum size of a chunk.
const CHUNKS: usize = 8;
const LEAST_CHUNK: usize = 1 << 13;

impl Pieces {
    /// Divides the spheres into pieces of at most `limit`, unless nearly all of a piece share one place. Returns an
    /// empty result soon after `cancelled` is set.
    pub(super) fn new(instances: &SphereInstances<'_>, limit: usize, cancelled: &AtomicBool) -> Self {
        let all = instances.count as usize;
        let length = (all / (CHUNKS * rayon::current_num_threads())).max(LEAST_CHUNK);
        let scene = SphereChunks { instances, chunks: instances.chunks(length), length };
        let sample = if all > limit { scene.sample() } else { Vec::new() };
        let mut numbers = vec![0; all];
        let mut leaves = vec![[[0.0; WIDTH]; 4]; all.div_ceil(WIDTH)];
        let (mut count, mut deviations) = (all, DEVIATIONS);
        while !cancelled.load(Ordering::Relaxed) {
            let parts = parts(&mut sample.clone(), count, limit, deviations);
            let mut counts = scene.pass(&mut numbers, &parts, &Grid::new(&parts, bounds(&sample)));
            let tally = Tally::new(&parts, &counts);
            if tally.settled[0] != count {
                // some are not drawable
                count = tally.settled[0];
            } else if parts.iter().zip(&tally.settled).rev().skip(1).any(|(part, &settled)| settled > part.count) {
                // the sample misled
                deviations *= 2.0;
            } else {
                drop(sample);
                let pieces = tally.in_order(|part| part.left == 0);
                scene.settle(&tally, &pieces, &mut numbers, &mut counts, waiting_mut(&mut leaves));
                scene.copy(&numbers, rooms(waiting_mut(&mut leaves), &pieces, &counts), |sphere, _| *sphere);
                leaves.truncate(count.div_ceil(WIDTH));
                return Self { leaves, counts: pieces.into_iter().map(|piece| parts[piece].count).collect() };
            }
        }
        Self::default()
    }
}

/// Divides a scene into parts by its sample: the whole first, then level by level.
fn parts(sample: &mut [SphereRow], count: usize, limit: usize, deviations: f32) -> Vec<PieceRun> {
    let mut parts = vec![PieceRun::piece(0, count)];
    let mut samples = vec![sample];
    let mut first = 0;
    while first < parts.len() {
        let halve = |(part, sample): (&mut PieceRun, _)| part.halve(sample, limit, deviations);
        let halves: Vec<_> = parts[first..].par_iter_mut().zip(samples).map(halve).collect();
        samples = Vec::new();
        for halves in halves {
            if let Some(halves) = halves {
                let PieceRun { start, count, .. } = parts[first];
                parts[first].left = parts.len() as u16;
                let left = left_half(count);
                parts.extend([PieceRun::piece(start, left), PieceRun::piece(start + left, count - left)]);
                samples.extend(halves);
            }
            first += 1;
        }
    }
    // the part for spheres that are not drawable
    parts.push(PieceRun::piece(count, 0));
    parts
}

/// Sphere counts of the parts; each part includes its halves.
struct Tally<'a> {
    parts: &'a [PieceRun],
    /// Spheres that are not pending at any cut above the part.
    settled: Vec<usize>,
    /// Spheres that are pending at a cut of the part or of its halves.
    waiting: Vec<usize>,
}

impl<'a> Tally<'a> {
    /// Adds up the numbers of spheres that stop in each part, given by chunk.
    fn new(parts: &'a [PieceRun], counts: &[Vec<usize>]) -> Self {
        let count = |number: usize| counts.iter().map(|counts| counts[number]).sum();
        let mut settled: Vec<usize> = (0..parts.len()).map(count).collect();
        let mut waiting = vec![0; parts.len()];
        for (number, part) in parts.iter().enumerate().rev().filter(|(_, part)| part.left > 0) {
            let left = usize::from(part.left);
            waiting[number] = settled[number] + waiting[left] + waiting[left + 1];
            settled[number] += settled[left] + settled[left + 1];
        }
        Self { parts, settled, waiting }
    }

    /// The indices of some parts in the order of leaves, each part before its halves.
    fn in_order(&self, wanted: impl Fn(&PieceRun) -> bool) -> Vec<usize> {
        let mut numbers: Vec<usize> = (0..self.parts.len() - 1).filter(|&number| wanted(&self.parts[number])).collect();
        numbers.sort_unstable_by_key(|&number| (self.parts[number].start, number));
        numbers
    }

    /// Pending spheres that cuts above the part have to supply.
    fn lack(&self, number: usize) -> usize {
        self.parts[number].count - self.settled[number]
    }

    /// Sorts pending spheres by target piece: spheres from the parent first, then the part's own, then the left half's,
    /// then the right half's.
    fn settle(&self, number: usize, spheres: &mut [SphereRow]) {
        let part = &self.parts[number];
        if part.left == 0 {
            return;
        }
        let left = usize::from(part.left);
        let lacks = [self.lack(left), self.lack(left + 1)];
        let count = lacks[0] + lacks[1];
        halve(&mut spheres[..count], usize::from(part.axis), lacks[0]);
        // moves the right half's share behind the spheres pending in the left half
        spheres[lacks[0]..count + self.waiting[left]].rotate_left(lacks[1]);
        let (to_left, to_right) = spheres.split_at_mut(lacks[0] + self.waiting[left]);
        rayon::join(|| self.settle(left, to_left), || self.settle(left + 1, to_right));
    }
}

/// Stable partition: the `count` spheres with the least coordinates along an axis come first; ties go to the earlier
/// ones.
fn halve(spheres: &mut [SphereRow], axis: usize, count: usize) {
    if count == spheres.len() {
        return;
    }
    let key = |place: usize, sphere: &SphereRow| i64::from(order(sphere[axis])) << 32 | place as i64;
    let mut keys: Vec<i64> = spheres.iter().enumerate().map(|(place, sphere)| key(place, sphere)).collect();
    let median = *keys.select_nth_unstable(count).1;
    drop(keys);
    let mut right = Vec::with_capacity(spheres.len() - count);
    let mut left = 0;
    for place in 0..spheres.len() {
        let sphere = spheres[place];
        if key(place, &sphere) < median {
            spheres[left] = sphere;
            left += 1;
        } else {
            right.push(sphere);
        }
    }
    spheres[left..].copy_from_slice(&right);
}

/// Divides memory into slots, part by part, with a slot for the spheres of each chunk.
fn rooms<'a>(
    mut memory: &'a mut [SphereRow],
    parts: &[usize],
    counts: &[Vec<usize>],
) -> Vec<Vec<IterMut<'a, SphereRow>>> {
    let none = |counts: &Vec<usize>| counts.iter().map(|_| IterMut::default()).collect();
    let mut rooms: Vec<Vec<_>> = counts.iter().map(none).collect();
    for &part in parts {
        for (rooms, counts) in rooms.iter_mut().zip(counts) {
            let (room, behind) = std::mem::take(&mut memory).split_at_mut(counts[part]);
            (rooms[part], memory) = (room.iter_mut(), behind);
        }
    }
    rooms
}

/// All spheres, in chunks for threads.
struct SphereChunks<'a, 'b> {
    instances: &'b SphereInstances<'a>,
    chunks: Vec<Vec<InstanceRun<'a>>>,
    length: usize,
}

impl SphereChunks<'_, '_> {
    /// The drawable spheres of the sample.
    fn sample(&self) -> Vec<SphereRow> {
        let all = self.instances.count as usize;
        let sampled = |number: usize| {
            let sphere = self.instances.in_world(sampled_index(all, number));
            let [x, y, z] = sphere.center;
            sphere.is_drawable().then_some([x, y, z, sphere.radius])
        };
        (0..all / sample_step(all)).into_par_iter().filter_map(sampled).collect()
    }

    /// Gives every sphere the number of the part where it stops; counts them, chunk by chunk.
    fn pass(&self, numbers: &mut [u16], parts: &[PieceRun], grid: &Grid) -> Vec<Vec<usize>> {
        let pass = |(runs, mut numbers): (&Vec<InstanceRun<'_>>, &mut [u16])| {
            let mut counts = vec![0; parts.len()];
            for_each_block(runs, |spheres| {
                let (own, behind) = std::mem::take(&mut numbers).split_at_mut(spheres.len());
                numbers = behind;
                find_parts(spheres, own, parts, grid);
                for &number in &*own {
                    counts[usize::from(number)] += 1;
                }
            });
            counts
        };
        let chunks = self.chunks.par_iter().zip(numbers.par_chunks_mut(self.length));
        chunks.map(pass).collect()
    }

    /// Assigns pending spheres to pieces, and counts them there; `memory` is scratch.
    fn settle(
        &self,
        tally: &Tally<'_>,
        pieces: &[usize],
        numbers: &mut [u16],
        counts: &mut [Vec<usize>],
        memory: &mut [SphereRow],
    ) {
        let (waiting, _) = memory.split_at_mut(tally.waiting[0]);
        let halved = tally.in_order(|part| part.left > 0);
        // places in the scene instead of radii
        let entry = |&[x, y, z, _]: &SphereRow, place| [x, y, z, f32::from_bits(place)];
        self.copy(numbers, rooms(waiting, &halved, counts), entry);
        tally.settle(0, waiting);
        let mut waiting = waiting.iter();
        for &piece in pieces {
            for &[.., place] in waiting.by_ref().take(tally.lack(piece)) {
                let place = place.to_bits() as usize;
                numbers[place] = piece as u16;
                counts[place / self.length][piece] += 1;
            }
        }
    }

    /// Copies spheres into the slots of their parts, in the order of the scene. Some parts have no slot.
    fn copy(
        &self,
        numbers: &[u16],
        rooms: Vec<Vec<IterMut<'_, SphereRow>>>,
        entry: impl Fn(&SphereRow, u32) -> SphereRow + Sync,
    ) {
        let chunks = self.chunks.par_iter().zip(numbers.par_chunks(self.length)).zip(rooms);
        chunks.enumerate().for_each(|(chunk, ((runs, numbers), mut rooms))| {
            let mut numbers = (chunk * self.length..).zip(numbers);
            for_each_block(runs, |spheres| {
                for (sphere, (place, &number)) in spheres.iter().zip(&mut numbers) {
                    if let Some(room) = rooms[usize::from(number)].next() {
                        *room = entry(sphere, place as u32);
                    }
                }
            });
        });
    }
}

/// Spheres placed before any of them is compared: reading a component right after storing the whole sphere would stall.
const BLOCK: usize = 256;

/// Visits the spheres of some runs, at most [`BLOCK`] at a time, in world coordinates.
#[inline(always)]
fn for_each_block(runs: &[InstanceRun<'_>], mut visit: impl FnMut(&[SphereRow])) {
    let mut buffer = RowBuffer::EMPTY;
    let mut placed = [[0.0; 4]; BLOCK];
    for &(mut run) in runs {
        while let Some((_, rows)) = run.take_rows(&mut buffer) {
            for rows in rows.chunks(BLOCK) {
                for (placed, sphere) in placed.iter_mut().zip(rows) {
                    let [x, y, z] = run.pose.map_or(sphere.center, |pose| pose.apply(sphere.center));
                    *placed = [x, y, z, sphere.radius];
                }
                visit(&placed[..rows.len()]);
            }
        }
    }
}

/// Sampling stride: one sphere in this many.
fn sample_step(all: usize) -> usize {
    (all / LEAST_SAMPLE).clamp(SAMPLED_OF_FEW, SAMPLED)
}

/// The index of a sphere in the sample: hashed, so that it differs from any pattern in the order of spheres.
pub(super) fn sampled_index(all: usize, number: usize) -> u32 {
    let step = sample_step(all);
    (number * step + hash(number as u64) as usize % step) as u32
}

/// Gives the spheres of a block the numbers of the parts where they stop.
///
/// One step of all spheres at a time, without branches, because directions are unpredictable.
#[inline(always)]
fn find_parts(spheres: &[SphereRow], numbers: &mut [u16], parts: &[PieceRun], grid: &Grid) {
    let mut cells = [0; BLOCK];
    for (cell, sphere) in cells.iter_mut().zip(spheres) {
        *cell = grid.cell_of(sphere);
    }
    for (number, cell) in numbers.iter_mut().zip(cells) {
        *number = grid.numbers[cell as usize];
    }
    let mut going = [0u16; BLOCK];
    let mut count = 0;
    for (place, &number) in (0..).zip(&*numbers) {
        going[count] = place;
        count += usize::from(parts[usize::from(number)].left > 0);
    }
    while count > 0 {
        let first = std::mem::take(&mut count);
        for step in 0..first {
            let place = usize::from(going[step]);
            let part = &parts[usize::from(numbers[place])];
            let along = order(spheres[place][usize::from(part.axis & 3)]);
            let next = part.left + u16::from(along >= part.from);
            let waits = part.holds(along);
            numbers[place] = select_unpredictable(waits, numbers[place], next);
            going[count] = place as u16;
            count += usize::from(!waits & (parts[usize::from(next)].left > 0));
        }
    }
}

/// The box around centres.
fn bounds(spheres: &[SphereRow]) -> Box3 {
    let corner = |pick: fn(f32, f32) -> f32, from: f32| {
        spheres.iter().fold([from; 3], |corner, sphere| [0, 1, 2].map(|axis| pick(corner[axis], sphere[axis])))
    };
    [corner(f32::min, f32::INFINITY), corner(f32::max, f32::NEG_INFINITY)]
}

/// A grid over the sample. A cell stores the piece of its spheres, or the first cut that crosses the cell.
struct Grid {
    min: [f32; 3],
    scale: [f32; 3],
    /// Logarithm of the number of cells along an axis. One more cell at the end is for spheres that are not drawable.
    power: u32,
    numbers: Vec<u16>,
}

/// tuned: benches/spheres.rs, hierarchy. Spheres of a cell, and cells along an axis as a power of two.
const CELL: usize = 16;
const MOST_CELLS: u32 = 6;

/// From this value on every `f32` is an integer.
const INTEGERS: f32 = (1 << 23) as f32;

impl Grid {
    fn new(parts: &[PieceRun], [min, max]: Box3) -> Self {
        let power = (((parts[0].count / CELL) | 1).ilog2() / 3).min(MOST_CELLS);
        let scale = [0, 1, 2].map(|axis| (1 << power) as f32 / (max[axis] - min[axis]));
        let mut grid = Self { min, scale, power, numbers: Vec::new() };
        let in_cells = |part: &PieceRun| {
            let axis = usize::from(part.axis);
            let cell = |order: i32| grid.cell(axis, coordinate(order)).cast_signed();
            let [from, to] = [part.from, part.from.wrapping_add(part.width.cast_signed())].map(cell);
            PieceRun { from, width: (to - from) as u32, ..*part }
        };
        let parts: Vec<PieceRun> = parts.iter().map(in_cells).collect();
        let number = |cell: usize| {
            let cell = [0, 1, 2].map(|axis| (cell >> (axis * power) & ((1 << power) - 1)) as i32);
            stop(&parts, |axis| cell[axis]) as u16
        };
        grid.numbers = (0..1 << (3 * power)).into_par_iter().map(number).collect();
        grid.numbers.push(parts.len() as u16 - 1);
        grid
    }

    /// The cell along an axis: monotonic in the coordinate.
    #[inline(always)]
    fn cell(&self, axis: usize, along: f32) -> u32 {
        let cells = ((1 << self.power) - 1) as f32;
        let cell = (along - self.min[axis]) * self.scale[axis];
        let cell = if cell > 0.0 { cell } else { 0.0 };
        let cell = if cell < cells { cell } else { cells };
        // the lowest bits hold the rounded integer
        (cell + INTEGERS).to_bits() - INTEGERS.to_bits()
    }

    /// The cell of a sphere; spheres that cannot be drawn share one.
    #[inline(always)]
    fn cell_of(&self, &[x, y, z, radius]: &SphereRow) -> u32 {
        let cell = (self.cell(2, z) << self.power | self.cell(1, y)) << self.power | self.cell(0, x);
        let is_drawable = (geom::Sphere { center: [x, y, z], radius }).is_drawable();
        if is_drawable { cell } else { 1 << (3 * self.power) }
    }
}

/// The part where the descent of a cell's spheres starts.
fn stop(parts: &[PieceRun], along: impl Fn(usize) -> i32) -> usize {
    let mut number = 0;
    loop {
        let part = &parts[number];
        let along = along(usize::from(part.axis & 3));
        if part.left == 0 || part.holds(along) {
            return number;
        }
        number = usize::from(part.left) + usize::from(along >= part.from);
    }
}

impl PieceRun {
    fn piece(start: usize, count: usize) -> Self {
        Self { start, count, left: 0, axis: 0, from: 0, width: 0 }
    }

    /// Whether a number is too near to the cut to tell the side.
    #[inline(always)]
    fn holds(&self, along: i32) -> bool {
        along.wrapping_sub(self.from).cast_unsigned() <= self.width
    }

    /// Finds where the part is cut, and the samples of its halves; `None` for a piece.
    fn halve<'a>(
        &mut self,
        sample: &'a mut [SphereRow],
        limit: usize,
        deviations: f32,
    ) -> Option<[&'a mut [SphereRow]; 2]> {
        if self.count <= limit {
            return None;
        }
        let bounds = bounds(sample);
        if bounds[0] == bounds[1] {
            return None;
        }
        let axis = widest_axis(bounds);
        let (share, sampled) = (left_half(self.count) as f32 / self.count as f32, sample.len() as f32);
        let margin = deviations * (share * (1.0 - share) * sampled).sqrt() + 1.0;
        let middle = (share * sampled) as usize;
        halve(sample, axis, middle);
        let halves: [_; 2] = sample.split_at_mut(middle).into();
        let [mut left, mut right] =
            halves.each_ref().map(|half| half.iter().map(|sphere| order(sphere[axis])).collect::<Vec<_>>());
        let (from, to) = (left.len() as f32 - margin, margin as usize);
        let from = if from < 0.0 { order(f32::NEG_INFINITY) } else { *left.select_nth_unstable(from as usize).1 };
        let to = if to >= right.len() { order(f32::INFINITY) } else { *right.select_nth_unstable(to).1 };
        (self.axis, self.from, self.width) = (axis as u16, from, to.wrapping_sub(from).cast_unsigned());
        Some(halves)
    }
}
