//! The light map: the share of light that arrives from each bin of directions, and the footprint by which a distant
//! disk dims it.

use std::f64::consts::TAU;
use std::sync::LazyLock;

use fearless_simd::{f32x8, i32x8, prelude::*};

use super::octahedron::{cells8, direction, dot, length, middle, normalized, point};
use crate::lanes::{LANES, Vec3x8};

/// Bins per side of a map, and in all.
pub(super) const BINS_SIDE: i32 = 12;
pub(super) const BINS: usize = (BINS_SIDE * BINS_SIDE) as usize;

/// Columns and rows of bins in a block: a block is a group of lanes.
const BLOCK: [usize; 2] = [4, 2];
const BLOCKS: usize = BINS / LANES;

/// The share of light that arrives from each bin of directions. It has an entry for every byte, so that no index is out
/// of bounds.
pub(super) type LightMap = [f32; 256];

/// A light map in blocks of neighbouring bins, the form in which disks dim it.
pub(super) type LightBlocks = [[f32; LANES]; BLOCKS];

/// Cells per side of the table's map, its classes of size, and its largest size in radians.
const SIDE: i32 = 24;
const CLASSES: i32 = 12;
const LARGEST: f32 = 0.6;

/// The blocks of bins that each disk reaches.
#[derive(Debug)]
pub(super) struct FootprintTable {
    /// Where the entries of each direction and class begin.
    starts: Vec<u32>,
    blocks: Vec<u8>,
    /// The share of each bin of a block that the disk covers.
    shares: Vec<[f32; LANES]>,
}

/// The table, built when it is first used.
pub(super) static FOOTPRINTS: LazyLock<FootprintTable> = LazyLock::new(FootprintTable::new);

/// Eight distant disks, a lane each.
pub(super) struct Disks<S: Simd> {
    /// Positions in the table.
    pub positions: i32x8<S>,
    /// The share of light that is removed where the table says 1.
    pub opacity: f32x8<S>,
}

impl<S: Simd> Disks<S> {
    /// Disks in directions of any length, of these angular radii and opacities.
    #[inline(always)]
    pub(super) fn new(axis: Vec3x8<S>, radius: f32x8<S>, opacity: f32x8<S>) -> Self {
        let simd = radius.token();
        let radius = radius.min(LARGEST);
        let class = (radius * (CLASSES as f32 / LARGEST)).min((CLASSES - 1) as f32).to_int::<i32x8<S>>();
        let of_class = (class.to_float::<f32x8<S>>() + 0.5) * (LARGEST / CLASSES as f32);
        let ratio = radius / of_class;
        let scale = (ratio * ratio).min(f32x8::splat(simd, 1.5));
        Self { positions: cells8(axis, SIDE) * CLASSES + class, opacity: opacity * scale }
    }
}

impl FootprintTable {
    #[expect(clippy::cast_possible_truncation, reason = "shares are rounded once from f64; bins are few")]
    fn new() -> Self {
        let bins: Vec<Bin> = (0..BINS).map(Bin::new).collect();
        let mut table = Self { starts: vec![0], blocks: Vec::new(), shares: Vec::new() };
        for cell in 0..(SIDE * SIDE) as usize {
            let axis = direction(cell, SIDE as usize);
            let near = bins.iter().enumerate().filter_map(|(index, bin)| {
                let cosine = dot(axis, bin.direction);
                // no bin is wider than half a radian
                (cosine > 0.4).then(|| (index, bin, libm::acos(cosine.min(1.0))))
            });
            let near: Vec<_> = near.collect();
            for class in 0..CLASSES {
                let radius = (f64::from(class) + 0.5) * f64::from(LARGEST) / f64::from(CLASSES);
                let solid_angle = TAU * (1.0 - libm::cos(radius));
                let share = |&(index, bin, angle): &(usize, &Bin, f64)| {
                    let share = ((radius - angle) / bin.width + 0.5).clamp(0.0, 1.0);
                    (share > 0.0).then_some((index, share, bin.solid_angle))
                };
                let mut reached: Vec<_> = near.iter().filter_map(share).collect();
                if reached.is_empty() {
                    let nearest = near.iter().min_by(|a, b| a.2.total_cmp(&b.2)).expect("bins are everywhere");
                    reached.push((nearest.0, 1.0, nearest.1.solid_angle));
                }
                let covered: f64 = reached.iter().map(|(_, share, solid_angle)| share * solid_angle).sum();
                let mut blocks = [[0.0; LANES]; BLOCKS];
                for (index, share, _) in reached {
                    let (block, lane) = place(index);
                    blocks[block][lane] = (share * solid_angle / covered).min(1.0) as f32;
                }
                for (block, shares) in blocks.into_iter().enumerate().filter(|(_, shares)| *shares != [0.0; LANES]) {
                    table.blocks.push(block as u8);
                    table.shares.push(shares);
                }
                table.starts.push(table.blocks.len() as u32);
            }
        }
        table
    }

    /// Dims the bins that a disk covers.
    #[inline(always)]
    pub(super) fn dim<S: Simd>(&self, simd: S, position: i32, opacity: f32, map: &mut LightBlocks) {
        let position = position as usize;
        let range = self.starts[position] as usize..self.starts[position + 1] as usize;
        let one = f32x8::splat(simd, 1.0);
        for (&block, shares) in self.blocks[range.clone()].iter().zip(&self.shares[range]) {
            let light = &mut map[usize::from(block)];
            let rest = (one - f32x8::load_array_ref(simd, shares) * opacity).max(0.0);
            (f32x8::load_array_ref(simd, light) * rest).store_array(light);
        }
    }
}

/// The block and the lane of a bin.
fn place(bin: usize) -> (usize, usize) {
    let [width, height] = BLOCK;
    let (column, row) = (bin % BINS_SIDE as usize, bin / BINS_SIDE as usize);
    let block = row / height * (BINS_SIDE as usize / width) + column / width;
    (block, row % height * width + column % width)
}

/// Copies the bins of blocks into a row-major map.
pub(super) fn fill_light_map(map: &mut LightMap, blocks: &LightBlocks) {
    let [width, height] = BLOCK;
    for (block, light) in blocks.iter().enumerate() {
        let across = BINS_SIDE as usize / width;
        let first = block / across * height * BINS_SIDE as usize + block % across * width;
        for (row, light) in light.chunks_exact(width).enumerate() {
            map[first + row * BINS_SIDE as usize..][..width].copy_from_slice(light);
        }
    }
}

/// A bin of the light map.
struct Bin {
    direction: [f64; 3],
    /// Steradians.
    solid_angle: f64,
    /// Side of a square with this solid angle, in radians.
    width: f64,
}

impl Bin {
    fn new(index: usize) -> Self {
        /// Samples per side.
        const FINE: usize = 8;
        let side = BINS_SIDE as usize * FINE;
        let (mut sum, mut solid_angle) = ([0.0; 3], 0.0);
        for sample in 0..FINE * FINE {
            let column = index % BINS_SIDE as usize * FINE + sample % FINE;
            let row = index / BINS_SIDE as usize * FINE + sample / FINE;
            let point = point([column, row].map(|at| middle(at, side)));
            let distance = length(point);
            let step = 2.0 / side as f64;
            let part = step * step / (distance * distance * distance);
            solid_angle += part;
            for (sum, along) in sum.iter_mut().zip(point) {
                *sum += along * (part / distance);
            }
        }
        Self { direction: normalized(sum), solid_angle, width: solid_angle.sqrt() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_cover_the_sphere() {
        let bins: Vec<Bin> = (0..BINS).map(Bin::new).collect();
        let whole: f64 = bins.iter().map(|bin| bin.solid_angle).sum();
        assert!((whole - 2.0 * TAU).abs() < 1e-2, "{whole}");
    }

    #[test]
    fn footprints_cover_the_solid_angle_of_their_disks() {
        let bins: Vec<Bin> = (0..BINS).map(Bin::new).collect();
        let table = &*FOOTPRINTS;
        for position in 0..table.starts.len() - 1 {
            let range = table.starts[position] as usize..table.starts[position + 1] as usize;
            let mut reached = [[0.0; LANES]; BLOCKS];
            for at in range {
                reached[usize::from(table.blocks[at])] = table.shares[at];
            }
            let mut shares = [0.0; 256];
            fill_light_map(&mut shares, &reached);
            let covered = shares.iter().zip(&bins).map(|(share, bin)| f64::from(*share) * bin.solid_angle);
            let radius = ((position % CLASSES as usize) as f64 + 0.5) * f64::from(LARGEST) / f64::from(CLASSES);
            let ratio = covered.sum::<f64>() / (TAU * (1.0 - libm::cos(radius)));
            assert!((0.85..=1.001).contains(&ratio), "{position}: {ratio}");
        }
    }
}
