//! Tables of columns, stored in blocks of rows.

use std::borrow::Cow;

use super::values::{Kind, Names, Values, retain};

#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// The file's name for it.
    pub name: String,
    pub kind: Kind,
    /// The distinct names, if this is a column of names.
    pub names: Names,
}

/// The source of one number a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberSource {
    Column(usize),
    /// A coordinate of the row's own position.
    Axis(usize),
    /// The row's index in the table, from 0.
    Index,
}

/// Finds the source of values for the name of a column.
pub(crate) type Lookup<'a> = dyn Fn(&str) -> NumberSource + Sync + 'a;

/// The positions of the rows of a block.
#[derive(Clone, Debug, PartialEq)]
pub enum Positions<'a> {
    /// In the plane, in the data's own units.
    Plane(Cow<'a, [[f64; 2]]>),
    /// In space, in the coordinates of the file.
    Space(Cow<'a, [[f64; 3]]>),
    /// Positions were not requested; the number of rows.
    Unknown(usize),
}

impl Positions<'_> {
    /// The number of rows.
    #[inline]
    pub fn rows(&self) -> usize {
        match self {
            Self::Plane(places) => places.len(),
            Self::Space(places) => places.len(),
            Self::Unknown(rows) => *rows,
        }
    }

    /// A coordinate of a row; NaN where there is none.
    #[inline]
    pub fn coordinate(&self, row: usize, axis: usize) -> f64 {
        match self {
            Self::Plane(places) => places[row].get(axis).copied().unwrap_or(f64::NAN),
            Self::Space(places) => places[row].get(axis).copied().unwrap_or(f64::NAN),
            Self::Unknown(_) => f64::NAN,
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Block<'a> {
    pub positions: Positions<'a>,
    /// One entry a column of the table, each with a value a row.
    pub values: Vec<Values<'a>>,
}

impl Block<'_> {
    #[inline]
    pub fn rows(&self) -> usize {
        self.positions.rows()
    }

    /// The positions in space; none if the block has others.
    #[inline]
    pub fn space(&self) -> &[[f64; 3]] {
        if let Positions::Space(places) = &self.positions { places } else { &[] }
    }

    /// The positions in the plane; none if the block has others.
    #[inline]
    pub fn plane(&self) -> &[[f64; 2]] {
        if let Positions::Plane(places) = &self.positions { places } else { &[] }
    }

    pub fn move_in_space(&mut self, mut moved: impl FnMut([f64; 3]) -> [f64; 3]) {
        self.move_rows(|_, place| moved(place));
    }

    /// Moves the positions in space, given the row of each within the block.
    pub fn move_rows(&mut self, mut moved: impl FnMut(usize, [f64; 3]) -> [f64; 3]) {
        if let Positions::Space(places) = &mut self.positions {
            places.to_mut().iter_mut().enumerate().for_each(|(row, place)| *place = moved(row, *place));
        }
    }

    /// Keeps the rows for which `kept` is true.
    pub(crate) fn retain(&mut self, kept: &[bool]) {
        match &mut self.positions {
            Positions::Plane(places) => retain(places, kept),
            Positions::Space(places) => retain(places, kept),
            Positions::Unknown(rows) => *rows = kept.iter().filter(|&&kept| kept).count(),
        }
        self.values.iter_mut().for_each(|values| values.retain(kept));
    }
}

/// A block from a reader, with its own lists of names.
#[derive(Clone, Debug)]
pub(crate) struct TablePart {
    pub(crate) block: Block<'static>,
    /// The names in each of the block's columns; empty for columns without names.
    pub(crate) names: Vec<Vec<Box<str>>>,
    /// Rows that hold one of several places of an atom.
    pub(crate) alternates: Vec<Alternate>,
    /// Number of rows left out because they have no position.
    pub(crate) unplaced: u64,
}

/// A row that holds one of several places of an atom.
#[derive(Clone, Debug, PartialEq)]
pub struct Alternate {
    /// Its index in the part.
    pub row: usize,
    /// What alternates together: a residue, by its chain, number and insertion code; or an assembly of a crystal's
    /// disorder, which begins with [`Alternate::DISORDER`].
    pub residue: Box<[u8]>,
    /// The index of the place.
    pub place: u8,
    /// The share of molecules with the atom in this place.
    pub occupancy: f32,
    /// Which symmetry image it belongs to, from 1, if its group overlaps its own images; else 0.
    pub image: u32,
}

impl Alternate {
    /// Marks an assembly of disordered atoms, which need not stand together.
    pub const DISORDER: u8 = 0;

    /// Whether it is a disordered atom of a crystal.
    pub fn is_disordered(&self) -> bool {
        self.residue.first() == Some(&Self::DISORDER)
    }
}

/// Columns, and rows in blocks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table<'a> {
    /// In the order of the request.
    pub columns: Vec<Column>,
    /// In the order of the file.
    pub blocks: Vec<Block<'a>>,
}

impl<'a> Table<'a> {
    pub fn new(columns: impl IntoIterator<Item = (String, Kind)>) -> Self {
        let column = |(name, kind)| Column { name, kind, names: Names::default() };
        Self { columns: columns.into_iter().map(column).collect(), blocks: Vec::new() }
    }

    pub fn rows(&self) -> usize {
        self.blocks.iter().map(Block::rows).sum()
    }

    /// Adds rows at the end.
    ///
    /// # Errors
    /// The column that has more different names than [`Names::MOST`].
    pub(crate) fn push(&mut self, mut block: Block<'a>, names: &[Vec<Box<str>>]) -> Result<(), usize> {
        for (index, (column, names)) in self.columns.iter_mut().zip(names).enumerate() {
            let Values::Names(codes) = &mut block.values[index] else { continue };
            let merged: Option<Vec<u32>> = names.iter().map(|name| column.names.intern(name)).collect();
            let merged = merged.ok_or(index)?;
            if merged.iter().zip(0..).any(|(&merged, own)| merged != own) {
                codes.to_mut().iter_mut().for_each(|code| *code = merged[*code as usize]);
            }
        }
        self.blocks.push(block);
        Ok(())
    }

    /// The values of a column, block by block.
    pub fn values(&self, column: usize) -> impl Iterator<Item = &Values<'a>> + Clone {
        self.blocks.iter().map(move |block| &block.values[column])
    }

    /// The index of each row's name in the column's list of names.
    pub fn codes(&self, column: usize) -> impl Iterator<Item = Option<u32>> {
        self.values(column).flat_map(|values| (0..values.len()).map(|row| values.code(row)))
    }

    /// The number of rows of each name of a column.
    pub fn name_counts(&self, column: usize) -> Vec<u64> {
        let mut counts = vec![0; self.columns[column].names.count()];
        for of_block in self.values(column).map(Values::name_counts) {
            counts.iter_mut().zip(of_block).for_each(|(sum, count)| *sum += count);
        }
        counts
    }

    pub fn numbers(&self, column: usize) -> impl Iterator<Item = f64> + Clone {
        self.values(column).flat_map(Values::numbers)
    }

    /// The numbers of a source, one a row.
    pub fn source_numbers(&self, source: NumberSource) -> Vec<f64> {
        match source {
            NumberSource::Column(column) => self.numbers(column).collect(),
            NumberSource::Axis(axis) => self.coordinates(axis).collect(),
            NumberSource::Index => (0..self.rows()).map(|row| row as f64).collect(),
        }
    }

    pub fn coordinates(&self, axis: usize) -> impl Iterator<Item = f64> + Clone {
        let blocks = self.blocks.iter();
        blocks.flat_map(move |block| (0..block.rows()).map(move |row| block.positions.coordinate(row, axis)))
    }

    /// The positions in space of all rows.
    pub fn space(&self) -> impl Iterator<Item = [f64; 3]> + Clone {
        self.blocks.iter().flat_map(|block| block.space().iter().copied())
    }

    /// Keeps the rows for which `kept` is true.
    pub fn retain(&mut self, kept: &[bool]) {
        if kept.iter().all(|&kept| kept) {
            return;
        }
        let mut start = 0;
        for block in &mut self.blocks {
            let end = start + block.rows();
            block.retain(&kept[start..end]);
            start = end;
        }
        self.blocks.retain(|block| block.rows() > 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(codes: &[u32], names: &[&str]) -> (Block<'static>, Vec<Vec<Box<str>>>) {
        let values = vec![Values::Names(codes.to_vec().into())];
        let names = vec![names.iter().map(|&name| name.into()).collect()];
        (Block { positions: Positions::Unknown(codes.len()), values }, names)
    }

    #[test]
    fn names_of_blocks_are_merged_in_the_order_of_rows() {
        let mut table = Table::new([("chain".to_owned(), Kind::Name)]);
        for (codes, names) in [(&[0, 1, 0][..], &["A", "B"][..]), (&[0, 1], &["C", "B"]), (&[0], &["A"])] {
            let (block, names) = part(codes, names);
            table.push(block, &names).expect("few names");
        }
        let names: Vec<&str> = table.columns[0].names.iter().collect();
        assert_eq!(names, ["A", "B", "C"]);
        let codes: Vec<u32> = table.codes(0).flatten().collect();
        assert_eq!(codes, [0, 1, 0, 2, 1, 0]);
        assert_eq!(table.rows(), 6);
    }

    #[test]
    fn retain_keeps_rows_across_blocks() {
        let mut table = Table::new([("id".to_owned(), Kind::Integer)]);
        for ids in [[1, 2], [3, 4], [5, 6]] {
            let positions = Positions::Space(ids.map(|id: i16| [f64::from(id); 3]).to_vec().into());
            let values = vec![Values::Integers(ids.map(i64::from).to_vec().into())];
            table.push(Block { positions, values }, &[Vec::new()]).expect("no names");
        }
        table.retain(&[false, true, false, false, true, true]);
        assert_eq!(table.numbers(0).collect::<Vec<_>>(), [2.0, 5.0, 6.0]);
        assert_eq!(table.space().map(|[x, ..]| x).collect::<Vec<_>>(), [2.0, 5.0, 6.0]);
        assert_eq!(table.blocks.len(), 2, "empty blocks are dropped");
    }
}
