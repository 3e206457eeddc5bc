//! Rows of `f32` that are spheres of one colour: their numbers go where they are to stay, with nothing in between.

use super::painted::{OneColor, OneColorRadius};
use super::wanted::{Axes, Rule, Wanted};
use crate::color::Srgba8;
use crate::data::Kind;
use crate::io::source::file_rows::{CHUNK, FileRows};
use crate::scene::spheres::SphereArrays;
use crate::scene::{RoughSpread, SphereChunk, SphereWriter};

/// The numbers of a row that make a sphere.
#[derive(Debug)]
pub(super) struct Placing {
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
    /// The numbers of the fields that are wanted; `singles` are the numbers of all fields. `None` if something else is wanted, too.
    pub(super) fn new(one_color: &OneColor, wanted: &Wanted, singles: &[Option<usize>]) -> Option<Self> {
        let Axes::Space([x, y, z]) = wanted.axes else { return None };
        let center = [singles[x]?, singles[y]?, singles[z]?];
        let radius = match (one_color.radius, wanted.columns.as_slice()) {
            (OneColorRadius::All(radius), []) => Radius::All(radius),
            (OneColorRadius::Column(0), [want]) if want.kind == Kind::F32 && want.rule != Rule::Positive => {
                Radius::Number(singles[want.field]?)
            }
            _ => return None,
        };
        Some(Self { center, radius, color: one_color.color })
    }

    /// Reads rows; `None` if one of them has no place, or numbers that break a rule.
    pub(super) fn read(&self, file: &FileRows) -> Option<SphereArrays<'static>> {
        let count = usize::try_from(file.rows()).ok()?;
        let first = file.first()?;
        let (numbers, _) = first.as_chunks::<4>();
        let origin = self.center.map(|index| f32::from_le_bytes(numbers[index]));
        let constant = if let Radius::All(radius) = self.radius { Some(radius) } else { None };
        let mut spheres = SphereWriter::new(count, constant);
        let width = numbers.len();
        let take = |bytes: &[u8], mut chunk: SphereChunk<'_>| {
            self.place(bytes.as_chunks().0, width, &mut chunk);
            chunk.summarize(origin)
        };
        let spread = file.fill(spheres.chunks(CHUNK), take, |a: RoughSpread, b| a.join(&b))?;
        Some(spheres.finish(spread, self.color))
    }

    /// Puts the numbers of rows into their places.
    fn place(&self, numbers: &[[u8; 4]], width: usize, chunk: &mut SphereChunk<'_>) {
        let SphereChunk { centers, radii, .. } = chunk;
        let number = |bytes: [u8; 4]| f32::from_le_bytes(bytes);
        match (self.center, self.radius, width) {
            // nearly all files: known before the loops
            ([0, 1, 2], Radius::All(_), 3) => {
                centers.as_flattened_mut().iter_mut().zip(numbers).for_each(|(to, &from)| *to = number(from));
            }
            ([0, 1, 2], Radius::Number(3), 4) => {
                for ((center, radius), row) in centers.iter_mut().zip(&mut **radii).zip(numbers.as_chunks::<4>().0) {
                    let [x, y, z, r] = row.map(number);
                    (*center, *radius) = ([x, y, z], r);
                }
            }
            (from, radius, _) => {
                for (center, row) in centers.iter_mut().zip(numbers.chunks_exact(width)) {
                    *center = from.map(|index| number(row[index]));
                }
                if let Radius::Number(index) = radius {
                    for (radius, row) in radii.iter_mut().zip(numbers.chunks_exact(width)) {
                        *radius = number(row[index]);
                    }
                }
            }
        }
    }
}
