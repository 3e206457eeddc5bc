//! Partly occupied atoms of two elements at one place, without letters that tell them apart, as in crystals of mixed metals.

use std::collections::BTreeMap;

use crate::data::Alternate;

/// A partly occupied atom.
struct Occupant<'a> {
    row: usize,
    element: &'a str,
    occupancy: f32,
}

/// The partly occupied atoms of a piece of text, by the text of their coordinates.
#[derive(Default)]
pub(super) struct SharedSites<'a>(BTreeMap<&'a [u8], Vec<Occupant<'a>>>);

impl<'a> SharedSites<'a> {
    /// Adds an atom if it is partly occupied. Many programs write zeros for occupancies that they do not know.
    pub(super) fn add(&mut self, row: usize, place: &'a [u8], occupancy: f32, element: impl Fn() -> &'a str) {
        if occupancy > 0.0 && occupancy < 1.0 {
            self.0.entry(place).or_default().push(Occupant { row, element: element(), occupancy });
        }
    }

    /// The atoms of sites that several elements share, which alternate.
    pub(super) fn alternates(self) -> impl Iterator<Item = Alternate> {
        let is_shared = |site: &Vec<Occupant<'_>>| site.iter().any(|atom| atom.element != site[0].element);
        self.0.into_iter().filter(move |(_, site)| is_shared(site)).flat_map(|(place, site)| {
            let elements: Vec<&str> = site.iter().map(|atom| atom.element).collect();
            let residue: Box<[u8]> = [&[Alternate::DISORDER], place].concat().into();
            site.into_iter().map(move |Occupant { row, element, occupancy }| {
                let first = elements.iter().position(|known| **known == *element).unwrap_or_default();
                let place = u8::try_from(first).unwrap_or(u8::MAX);
                Alternate { row, residue: residue.clone(), place, occupancy, image: 0 }
            })
        })
    }
}
