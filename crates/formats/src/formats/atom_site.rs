//! The columns of `_atom_site`, in text and in binary CIF.

use std::collections::BTreeSet;

use glam::{DAffine3, DVec3};

use super::elements::PLAIN;
use super::macromolecule::{ATOM_ITEMS, POSITION_ITEMS};
use super::residue_ranges::{ResidueRange, structure_of};
use super::wanted::{Field, Header};
use crate::color::elements::Atomic;
use crate::data::{Alternate, Cell, Kind};
use crate::source::number::{integer, is_missing};

/// The message for missing coordinates.
pub(super) const NO_COORDINATES: &str =
    "_atom_site must have Cartn_x, Cartn_y and Cartn_z, or a cell and fract_x, fract_y and fract_z";

/// Maps items of `_atom_site` to columns.
pub(super) struct AtomSite {
    /// The available columns, and the index of each one's item.
    pub(super) fields: Vec<(Field, usize)>,
    pub(super) axes: [usize; 3],
    /// Transforms fractions of the cell's edges to Cartesian coordinates.
    pub(super) way: Option<DAffine3>,
    pub(super) alternate: Option<usize>,
    /// The assembly and the group of a disordered atom of a crystal.
    disorder: [Option<usize>; 2],
    /// Chain, number and insertion code.
    pub(super) residue: [Option<usize>; 3],
    pub(super) occupancy: Option<usize>,
    pub(super) model: Option<usize>,
    /// The stated element, the atom's name and its residue's name, which tell virtual sites.
    pub(super) names: [Option<usize>; 3],
    /// Parses the element from a value of its column.
    pub(super) symbol: fn(&[u8]) -> &'static str,
    /// Helices and strands; their column is the last.
    ranges: Vec<ResidueRange>,
}

/// What alternates together, and the place of an atom among the alternatives.
pub(super) struct Alternative {
    pub(super) together: Box<[u8]>,
    pub(super) place: u8,
    /// Whether the group has a negative number: it lies on an element of symmetry, and overlaps its own images.
    pub(super) overlaps_images: bool,
}

impl AtomSite {
    /// Stands for the item of a column that is computed.
    pub(super) const NO_ITEM: usize = usize::MAX;

    /// Maps items to columns; `is_number` says whether the first atom has a number for the item of an index.
    ///
    /// # Errors
    /// When there are no coordinates.
    pub(super) fn new(
        items: &[String],
        is_number: impl Fn(usize) -> bool,
        cell: Option<Cell>,
        ranges: Vec<ResidueRange>,
    ) -> Result<Self, &'static str> {
        let place = |item: &str| items.iter().position(|known| known.eq_ignore_ascii_case(item));
        let three = |items: [&str; 3]| Some([place(items[0])?, place(items[1])?, place(items[2])?]);
        let cartesian = three(["Cartn_x", "Cartn_y", "Cartn_z"]);
        let fractional = three(["fract_x", "fract_y", "fract_z"]).zip(cell);
        let (axes, way) = match (cartesian, fractional) {
            (Some(axes), _) => (axes, None),
            (None, Some((axes, cell))) => (axes, Some(DAffine3::from_mat3_translation(cell.edges, DVec3::ZERO))),
            (None, None) => return Err(NO_COORDINATES),
        };
        let mut fields: Vec<(Field, usize)> = Vec::new();
        for (item, name, kind) in ATOM_ITEMS {
            if let Some(place) = place(item).filter(|_| fields.iter().all(|(field, _)| field.name != name)) {
                fields.push((Field::new(name, kind), place));
            }
        }
        let taken: BTreeSet<usize> = fields.iter().map(|(_, place)| *place).collect();
        for (place, item) in items.iter().enumerate().filter(|(place, _)| !taken.contains(place)) {
            let known = POSITION_ITEMS.contains(&item.as_str()) || ATOM_ITEMS.iter().any(|(known, ..)| known == item);
            if !known {
                let kind = if is_number(place) { Kind::F32 } else { Kind::Name };
                fields.push((Field::new(item.clone(), kind), place));
            }
        }
        let mut labelled = false;
        if place("type_symbol").is_none()
            && let Some(label) = place("label")
        {
            labelled = true;
            fields.push((Field::new("element", Kind::Name), label));
        }
        if !ranges.is_empty() {
            fields.push((Field::new("structure", Kind::Name), Self::NO_ITEM));
        }
        let find = |name: &str| fields.iter().find(|(field, _)| field.name == name).map(|(_, place)| *place);
        let (alternate, occupancy, model) = (find("altloc"), find("occupancy"), find("model"));
        let residue = [find("chain").or_else(|| find("label_chain")), find("resid"), find("icode")];
        let stated = if labelled { None } else { find("element") };
        let names = [stated, find("name").or_else(|| place("label")), find("resname")];
        let symbol = if labelled { symbol_of_label } else { symbol };
        let disorder = ["disorder_assembly", "disorder_group"].map(place);
        Ok(Self { axes, way, alternate, disorder, residue, occupancy, model, names, ranges, fields, symbol })
    }

    pub(super) fn header(&self) -> Header {
        let find = |name: &str| self.fields.iter().position(|(field, _)| field.name == name);
        let chains = find("label_chain").or_else(|| find("chain"));
        let fields = self.fields.iter().map(|(field, _)| field.clone()).collect();
        Header { fields, has_positions: true, chains }
    }

    /// Returns the alternative that a disordered atom belongs to: residue and alternate location, or assembly and group
    /// of a crystal.
    pub(super) fn alternative<V: AsRef<[u8]>>(&self, value: &impl Fn(usize) -> V) -> Option<Alternative> {
        let known = |place: Option<usize>| place.map(value).filter(|text| !is_missing(text.as_ref()));
        if let Some(place) = known(self.alternate) {
            let residue = self.residue.map(|at| at.map(value));
            let residue = residue.each_ref().map(|text| text.as_ref().map_or(&[][..], AsRef::as_ref));
            let together = residue.join(&b' ').into();
            return Some(Alternative { together, place: place.as_ref()[0], overlaps_images: false });
        }
        let [assembly, group] = self.disorder;
        let group = known(group)?;
        let group = Some(group.as_ref()).filter(|group| *group != b"0")?;
        let assembly = known(assembly);
        let together = [&[Alternate::DISORDER][..], assembly.as_ref().map_or(&[][..], AsRef::as_ref)].concat();
        let number = integer(group);
        let place = number.map_or(group[0], |number| number.to_le_bytes()[0]);
        let overlaps_images = number.is_some_and(|number| number < 0);
        Some(Alternative { together: together.into(), place, overlaps_images })
    }

    /// The items that [`AtomSite::alternative`] reads.
    pub(super) fn alternating(&self) -> impl Iterator<Item = usize> {
        let residue = self.residue.into_iter().flatten().filter(|_| self.alternate.is_some());
        self.disorder.into_iter().chain([self.alternate]).flatten().chain(residue)
    }

    /// The name of the model of a frame, counted from 0; models are numbered in a row. `None` if the first has no
    /// number.
    pub(super) fn wanted_model(&self, first: &[u8], frame: u64) -> Option<Vec<u8>> {
        match (frame, integer(first)) {
            (0, _) => Some(first.to_vec()),
            (frame, Some(first)) => Some(first.saturating_add_unsigned(frame).to_string().into_bytes()),
            (_, None) => None,
        }
    }

    /// The structure of a residue; `last` caches the last residue and its structure.
    pub(super) fn structure(&self, residue: [&[u8]; 3], last: &mut Option<(Vec<u8>, &'static str)>) -> &'static str {
        let key = residue.join(&b' ');
        if let Some((known, structure)) = last
            && *known == key
        {
            return structure;
        }
        let chain = String::from_utf8_lossy(residue[0]).into_owned();
        let code = residue[2].first().copied().filter(|_| !is_missing(residue[2])).unwrap_or(b' ');
        let structure =
            integer(residue[1]).map_or("coil", |number| structure_of(&self.ranges, &chain, (number, code)).name());
        *last = Some((key, structure));
        structure
    }
}

/// The symbol of an element, without the charge, number or other letters that files of small molecules append.
fn symbol(text: &[u8]) -> &'static str {
    let letters = text.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    let starts = [letters, 2, 1].into_iter().filter(|&length| length <= letters);
    let element = starts.filter_map(|length| Atomic::from_symbol(&text[..length])).next();
    element.unwrap_or(Atomic::UNKNOWN).symbol()
}

/// The symbol of an element from an atom's label: in `HO1` the second letter names another atom, in `Ho1` and `CL1` it
/// belongs to the symbol.
fn symbol_of_label(text: &[u8]) -> &'static str {
    let is_single = text.get(1).is_some_and(u8::is_ascii_uppercase)
        && !text.get(..2).is_some_and(|start| PLAIN.contains(&start))
        && Atomic::from_symbol(&text[..1]).is_some();
    symbol(if is_single { &text[..1] } else { text })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_told_from_symbols_and_labels() {
        for (text, of_symbol, of_label) in [
            ("Na1+", "Na", "Na"),
            ("Siva", "Si", "Si"),
            ("Cval", "C", "C"),
            ("C12", "C", "C"),
            ("HO1", "Ho", "H"),
            ("Ho1", "Ho", "Ho"),
            ("CL1", "Cl", "Cl"),
            ("CA1", "Ca", "C"),
            ("D3", "H", "H"),
            ("ZR1", "Zr", "Zr"),
            ("Q1", "Xx", "Xx"),
            ("", "Xx", "Xx"),
        ] {
            let found = [symbol(text.as_bytes()), symbol_of_label(text.as_bytes())];
            assert_eq!(found, [of_symbol, of_label], "{text}");
        }
    }
}
