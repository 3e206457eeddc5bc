//! Reads rows of `f32` that are spheres of one colour straight into the final arrays, without a table.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use super::painted::{OneColor, OneColorRadius};
use super::wanted::{Axes, ValueRule, Wanted};
use crate::color::Srgba8;
use crate::data::Kind;
use crate::scene::spheres::{PaintedSphere, SphereColumns};
use crate::scene::{BOX, RoughSpread, SphereChunk, SphereWriter};
use crate::source::file_rows::{FileRows, SharedRows};

/// Bytes read at a time; more for very long rows.
///
/// Tuned: benches/read.rs raw.
const BYTES: usize = 1 << 16;

/// Indices of the numbers of a row that make a sphere.
#[derive(Debug)]
pub(super) struct Placing {
    width: usize,
    center: [usize; 3],
    radius: Radius,
    color: Srgba8,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Radius {
    All(f32),
    Number(usize),
}

impl Placing {
    /// For rows of `width` numbers; `singles` has the number of each field. `None` if more than the sphere's centre and
    /// radius is wanted.
    pub(super) fn new(one_color: &OneColor, wanted: &Wanted, width: usize, singles: &[Option<usize>]) -> Option<Self> {
        let Axes::Space([x, y, z]) = wanted.axes else { return None };
        let center = [singles[x]?, singles[y]?, singles[z]?];
        let radius = match (one_color.radius, wanted.columns.as_slice()) {
            (OneColorRadius::All(radius), []) => Radius::All(radius),
            (OneColorRadius::Column(0), [want]) if want.kind == Kind::F32 && want.rule == ValueRule::Length => {
                Radius::Number(singles[want.field]?)
            }
            _ => return None,
        };
        Some(Self { width, center, radius, color: one_color.color })
    }

    /// Reads all rows; `None` if one of them has no place, or a number that breaks a rule.
    pub(super) fn read(&self, file: &FileRows) -> Option<SphereColumns<'static>> {
        let count = usize::try_from(file.rows).ok()?;
        let first = file.first()?;
        let (numbers, _) = first.as_chunks::<4>();
        let origin = self.center.map(|index| f32::from_le_bytes(numbers[index]));
        let constant = if let Radius::All(radius) = self.radius { Some(radius) } else { None };
        let mut spheres = SphereWriter::new(count, constant);
        let take = |bytes: &[u8], mut chunk: SphereChunk<'_>| chunk.write(&self.rows(bytes), origin);
        // whole boxes: both sizes are powers of two
        let rows = 1 << (BYTES / (4 * self.width)).max(BOX).ilog2();
        let spread = file.fill(rows as u64, spheres.chunks(rows), take, |a: RoughSpread, b| a.join(&b))?;
        Some(spheres.finish(spread, self.color))
    }

    /// Appends the spheres of rows that have a place; returns false if one of them is invalid.
    fn append(&self, bytes: &[u8], spheres: &mut Vec<PaintedSphere>) -> bool {
        let before = spheres.len();
        let sphere = |&[x, y, z, radius]: &[f32; 4]| PaintedSphere { center: [x, y, z], radius, color: self.color };
        spheres.extend(self.rows(bytes).iter().map(sphere));
        // fast path; the sum of finite magnitudes can overflow, too, so the slow path decides
        let is_plain = |sphere: &PaintedSphere| {
            let [x, y, z] = sphere.center.map(f32::abs);
            (x + y + z + sphere.radius < f32::INFINITY) & (sphere.radius >= 0.0)
        };
        if spheres[before..].iter().fold(true, |all, sphere| all & is_plain(sphere)) {
            return true;
        }
        spheres[before..].iter_mut().filter(|sphere| sphere.radius.is_nan()).for_each(|sphere| sphere.radius = 0.0);
        let has_place = |sphere: &PaintedSphere| !sphere.center.iter().any(|along| along.is_nan());
        let breaks = |sphere: &PaintedSphere| {
            let is_length = (0.0..=f32::MAX).contains(&sphere.radius);
            sphere.center.iter().any(|along| along.is_infinite()) || (has_place(sphere) && !is_length)
        };
        if spheres[before..].iter().any(breaks) {
            return false;
        }
        let placed: Vec<PaintedSphere> = spheres.drain(before..).filter(has_place).collect();
        spheres.extend(placed);
        true
    }

    /// Centre and radius of each row.
    fn rows<'a>(&self, bytes: &'a [u8]) -> Cow<'a, [[f32; 4]]> {
        let (numbers, _) = bytes.as_chunks::<4>();
        match (self.center, self.radius, self.width) {
            // fast paths for nearly all files
            ([0, 1, 2], Radius::Number(3), 4) if cfg!(target_endian = "little") => {
                if let Ok(rows) = bytemuck::try_cast_slice(bytes) {
                    return Cow::Borrowed(rows);
                }
            }
            ([0, 1, 2], Radius::All(radius), 3) => {
                let row = |row: &[[u8; 4]; 3]| {
                    let [x, y, z] = row.map(f32::from_le_bytes);
                    [x, y, z, radius]
                };
                return numbers.as_chunks().0.iter().map(row).collect();
            }
            _ => {}
        }
        let number = |row: &[[u8; 4]], index: usize| f32::from_le_bytes(row[index]);
        let row = |row: &[[u8; 4]]| {
            let [x, y, z] = self.center.map(|index| number(row, index));
            let radius = match self.radius {
                Radius::All(radius) => radius,
                Radius::Number(index) => number(row, index),
            };
            [x, y, z, radius]
        };
        numbers.chunks_exact(self.width).map(row).collect()
    }
}

/// Rows of `f32` that are spheres of one colour, read on demand by the threads that need them.
#[derive(Debug)]
pub struct UnreadRows {
    file: SharedRows,
    placing: Placing,
    /// Whether some rows could not be read, or break a rule.
    has_failed: AtomicBool,
}

impl UnreadRows {
    pub(super) fn new(file: FileRows, placing: Placing) -> Self {
        Self { file: SharedRows::new(file), placing, has_failed: AtomicBool::new(false) }
    }

    pub fn rows(&self) -> u64 {
        self.file.rows()
    }

    /// Appends the spheres of rows that have a place.
    pub fn read(&self, rows: Range<u64>, spheres: &mut Vec<PaintedSphere>) {
        // after a mistake the result is discarded
        if !self.has_failed() && !self.file.read(rows, |bytes| self.placing.append(bytes, spheres)).unwrap_or(false) {
            self.has_failed.store(true, Ordering::Relaxed);
        }
    }

    /// Whether some rows could not be read, or break a rule; then other rows may be missing, too.
    pub fn has_failed(&self) -> bool {
        self.has_failed.load(Ordering::Relaxed)
    }
}
