//! Parts shared by LAMMPS' dumps and data files: the box, the names of columns, and lines of atoms.

use glam::{DAffine3, DMat3, DVec3};

use super::reading::Reading;
use super::wanted::{Axes, Field, Wanted};
use crate::color::elements::symbol_of_species;
use crate::data::{Cell, Kind};
use crate::error::Result;
use crate::source::number::{integer, number};
use crate::source::piece::Piece;
use crate::source::pieces::Text;
use crate::source::rows::{RowParser, RowPosition, Separator};
use crate::source::until::Until;

/// The bounds of a box along the axes, and its tilt factors.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct BoxBounds {
    pub(super) least: [f64; 3],
    pub(super) greatest: [f64; 3],
    /// xy, xz, yz.
    pub(super) tilt: [f64; 3],
}

impl BoxBounds {
    /// Converts the bounding box of a tilted box, which dumps state, to the bounds of the box.
    ///
    /// Source: LAMMPS documentation, "Triclinic (non-orthogonal) simulation boxes".
    pub(super) fn of_bounding_box(self) -> Self {
        let [xy, xz, yz] = self.tilt;
        let mut bounds = self;
        bounds.least[0] -= 0_f64.min(xy).min(xz).min(xy + xz);
        bounds.greatest[0] -= 0_f64.max(xy).max(xz).max(xy + xz);
        bounds.least[1] -= 0_f64.min(yz);
        bounds.greatest[1] -= 0_f64.max(yz);
        bounds
    }

    pub(super) fn cell(&self) -> Option<Cell> {
        let [x, y, z] = std::array::from_fn(|axis| self.greatest[axis] - self.least[axis]);
        let [xy, xz, yz] = self.tilt;
        let edges = DMat3::from_cols(DVec3::new(x, 0.0, 0.0), DVec3::new(xy, y, 0.0), DVec3::new(xz, yz, z));
        Cell::new(DVec3::from(self.least), edges)
    }
}

/// The layout of lines of atoms.
pub(super) struct AtomLines {
    pub(super) fields: Vec<Field>,
    pub(super) axes: [usize; 3],
    /// Transforms file coordinates to world coordinates.
    pub(super) way: Option<DAffine3>,
    /// Whether lines have exactly the named columns.
    pub(super) is_exact: bool,
}

impl AtomLines {
    /// The layout for these columns, with types guessed from the first line.
    pub(super) fn new(names: &[String], first: &str, axes: [usize; 3], way: Option<DAffine3>) -> Self {
        let mut words = first.split_ascii_whitespace();
        let field = |name: &String| {
            let word = words.next().unwrap_or("0").as_bytes();
            let whole =
                matches!(name.as_str(), "id" | "type" | "mol" | "molecule" | "ix" | "iy" | "iz" | "proc" | "procp1");
            let kind = match (number(word), integer(word)) {
                (Some(_), Some(_)) if whole => Kind::Integer,
                (Some(_), _) if name != "element" => Kind::F32,
                _ => Kind::Name,
            };
            Field::new(name.clone(), kind)
        };
        Self { fields: names.iter().map(field).collect(), axes, way, is_exact: false }
    }

    pub(super) fn read(&self, text: &mut Text, reading: &mut Reading<'_>, count: u64) -> Result<()> {
        let name = |place: usize| self.fields.get(place).map(|field| field.name.clone()).unwrap_or_default();
        let element = self.fields.iter().position(|field| field.name == "element");
        let parse = |piece: &Piece, wanted: &Wanted, room: u64| {
            let positions = wanted.axes != Axes::None;
            let rows = RowParser {
                separator: Separator::Blanks,
                fields: if self.is_exact { self.fields.len() } else { 0 },
                comment: None,
                has_gaps: false,
                short: "must be an atom with all of its columns",
                dimensions: match self.way {
                    _ if !positions => RowPosition::None,
                    Some(way) => RowPosition::Moved(way),
                    None => RowPosition::Space,
                },
                sinks: wanted.sinks(|field| field, if positions { &self.axes } else { &[] }),
                kinds: wanted.kinds(),
                meaning: element
                    .and_then(|field| wanted.find(field))
                    .map(|column| (column, symbol_of_species as fn(&str) -> &str)),
                name: &name,
            };
            rows.parse(piece, room)
        };
        let before = reading.rows();
        reading.parse(text, Until::Lines(count), &parse)?;
        let read = reading.rows() - before;
        if read < count {
            return Err(text.refuse(format!("{count} atoms are promised, but the file ends after {read}")));
        }
        Ok(())
    }
}
