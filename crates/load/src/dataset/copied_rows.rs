//! Copies of rows, of an assembly or of a periodic box, as rows of their own: a column `copy` tells them apart.

use glam::{DMat3, DQuat, DVec3};

use crate::data::{Bond, Names, Table, Values};
use crate::dataset::attached::Attached;
use crate::dataset::bonding;
use crate::dataset::images::Images;
use crate::geom::{Origin, single};
use crate::scene::spheres::Pose;

/// Rows that have the same copies.
pub(crate) struct CopiedPart {
    /// Whether each row is one of them.
    pub(crate) kept: Vec<bool>,
    pub(crate) poses: Vec<Pose>,
}

/// A rotation or reflection, and the shift that follows it, in the coordinates of the file.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Placement {
    rotation: DMat3,
    shift: DVec3,
}

impl Placement {
    fn apply(&self, place: [f64; 3]) -> DVec3 {
        self.rotation * DVec3::from(place) + self.shift
    }
}

/// The origin of each row of a table of copies.
#[derive(Clone, Debug, Default)]
pub(crate) struct CopiedRows {
    /// The row of the file's table that each row is a copy of.
    pub(crate) originals: Vec<u32>,
    /// The copy that each row belongs to, from 0.
    pub(crate) copies: Vec<u32>,
    placements: Vec<Placement>,
}

impl CopiedRows {
    /// Replaces the rows of a table by their copies, one copy after the other, and bonds by those within each copy and
    /// between boxes. `columns` are filled with the numbers of copies, from 1: of names, those in `known` come first.
    ///
    /// Copies are numbered by their poses, in the order of the parts, box by box, whose shifts are given: chains that
    /// several parts place alike are one copy.
    pub(crate) fn make(
        table: &mut Table<'static>,
        bonds: &mut Vec<Bond>,
        parts: &[CopiedPart],
        images: &Images,
        shifts: &[DVec3],
        columns: &[(usize, Vec<String>)],
    ) -> Self {
        let mut poses: Vec<Pose> = Vec::new();
        for pose in parts.iter().flat_map(|part| &part.poses) {
            if !poses.contains(pose) {
                poses.push(*pose);
            }
        }
        // the rows of each pose
        let kept: Vec<Vec<bool>> = poses
            .iter()
            .map(|pose| {
                let of_pose: Vec<&CopiedPart> = parts.iter().filter(|part| part.poses.contains(pose)).collect();
                (0..table.rows()).map(|row| of_pose.iter().any(|part| part.kept[row])).collect()
            })
            .collect();
        let one = std::mem::take(&mut table.blocks);
        let mut copied = Self::default();
        let mut starts = Vec::new();
        for shift in shifts {
            for (pose, kept) in poses.iter().zip(&kept) {
                starts.push(copied.originals.len());
                let placement =
                    Placement { rotation: pose.rotation.as_dmat3(), shift: pose.translation.as_dvec3() + *shift };
                let mut of_copy = Table { columns: Vec::new(), blocks: one.clone() };
                of_copy.retain(kept);
                for block in &mut of_copy.blocks {
                    block.move_in_space(|place| placement.apply(place).to_array());
                }
                let copy = index(copied.placements.len());
                copied.placements.push(placement);
                let rows = (0..).zip(kept).filter(|(_, kept)| **kept).map(|(row, _)| row);
                copied.originals.extend(rows);
                copied.copies.resize(copied.originals.len(), copy);
                table.blocks.append(&mut of_copy.blocks);
            }
        }
        copied.fill(table, columns);
        copy_bonds(bonds, &kept, &starts, images);
        copied
    }

    /// Fills columns with the numbers of copies, from 1.
    fn fill(&self, table: &mut Table<'static>, columns: &[(usize, Vec<String>)]) {
        for (column, known) in columns {
            let mut names = Names::default();
            let mut code = |name: &str| names.intern(name).unwrap_or_default();
            let numbers = (1..=self.placements.len()).map(|copy| copy.to_string());
            let codes: Vec<u32> = known.iter().cloned().chain(numbers).map(|name| code(&name)).collect();
            let codes = &codes[known.len()..];
            let mut copies = self.copies.iter().copied();
            for block in &mut table.blocks {
                let of_block = copies.by_ref().take(block.rows());
                let values = &mut block.values[*column];
                *values = match values {
                    Values::Names(_) => Values::Names(of_block.map(|copy| codes[copy as usize]).collect()),
                    Values::Integers(_) => Values::Integers(of_block.map(|copy| i64::from(copy) + 1).collect()),
                    #[expect(clippy::cast_precision_loss, reason = "exact up to 2^24 copies, of which there are 2^22")]
                    Values::F32(_) => Values::F32(of_block.map(|copy| (copy + 1) as f32).collect()),
                    _ => Values::F64(of_block.map(|copy| f64::from(copy) + 1.0).collect()),
                };
            }
            table.columns[*column].names = names;
        }
    }

    /// Keeps the rows for which `kept` is true.
    pub(crate) fn retain(&mut self, kept: &[bool]) {
        for rows in [&mut self.originals, &mut self.copies] {
            let mut kept = kept.iter();
            rows.retain(|_| kept.next().copied().unwrap_or(false));
        }
    }

    /// Numbers parts anew in each copy: `parts` has that of each row, or is empty.
    pub(crate) fn parts(&self, parts: Vec<u32>) -> Vec<u32> {
        let of_copy = parts.iter().max().map_or(1, |most| most.saturating_add(1));
        let part = |row: usize| parts.get(row).copied().unwrap_or(0);
        let numbered = |(row, copy): (usize, &u32)| copy.wrapping_mul(of_copy).wrapping_add(part(row));
        self.copies.iter().enumerate().map(numbered).collect()
    }

    /// Turns the ellipsoids, arrows and cylinders of rows as their copies are turned; they were made of columns, which
    /// hold the directions of the originals.
    pub(crate) fn turn(&self, attached: &mut Attached, origin: Origin) {
        let placement = |row: u32| &self.placements[self.copies[row as usize] as usize];
        for of in &mut attached.ellipsoids {
            let DMat3 { x_axis, y_axis, z_axis } = placement(of.row).rotation;
            // an ellipsoid is its own mirror image in its centre
            let side = if x_axis.cross(y_axis).dot(z_axis) < 0.0 { -1.0 } else { 1.0 };
            let turn = DQuat::from_mat3(&DMat3::from_cols(side * x_axis, side * y_axis, side * z_axis));
            if turn != DQuat::IDENTITY {
                of.rotation = (turn * DQuat::from_array(of.rotation.map(f64::from))).to_array().map(single);
            }
        }
        for of in &mut attached.arrows {
            let turned = |along: [f32; 3]| {
                (placement(of.row).rotation * DVec3::from(along.map(f64::from))).to_array().map(single)
            };
            (of.offset, of.vector) = (turned(of.offset), turned(of.vector));
        }
        for of in &mut attached.cylinders {
            of.end = origin.subtracted(placement(of.row).apply(origin.added(of.end)).to_array());
        }
    }
}

/// A number of rows or copies, which are at most [`u32::MAX`].
fn index(number: usize) -> u32 {
    u32::try_from(number).expect("rows are counted before they are copied")
}

/// Bonds of each copy; `kept` are the rows of each pose, `starts` the first rows of copies.
fn copy_bonds(bonds: &mut Vec<Bond>, kept: &[Vec<bool>], starts: &[usize], images: &Images) {
    let one = std::mem::take(bonds);
    if one.is_empty() {
        return;
    }
    let poses = kept.len();
    for (pose, kept) in kept.iter().enumerate() {
        let places = bonding::places(kept);
        let of_pose = one.iter().filter(|bond| bond.atoms.iter().all(|row| kept[*row as usize]));
        let of_pose: Vec<&Bond> = of_pose.collect();
        // in each box the copies of all poses follow one another
        for at in 0..starts.len() / poses {
            let start = |at: usize| index(starts[at * poses + pose]);
            bonds.extend(of_pose.iter().map(|bond| {
                let (beside, image) = images.beside(at, bond.image);
                let [first, second] = bond.atoms.map(|row| places[row as usize]);
                Bond { atoms: [start(at) + first, start(beside) + second], image, ..**bond }
            }));
        }
    }
}
