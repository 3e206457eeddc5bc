//! Contacts and hydrogen bonds between rows: which to find, and the dashed lines and distances that show them.

use std::collections::BTreeSet;

use glam::DVec3;

use crate::color::{Category, Srgba8};
use crate::data::{
    AtomKeys, Bond, Cell, Contact, ContactSearch, MOST_CONTACTS, Table, elements_by_row, residues_by_row,
};
use crate::dataset::sticks::Stick;
use crate::dataset::window::LeftOut;
use crate::error::{Error, Result};
use crate::geom::single;
use crate::options::contact_rule::{ContactRequest, ContactRule};
use crate::scene::spheres::PaintedSphere;

/// Radius of dashes in ångström; of particles that are no atoms, in radii of the smaller one.
const RADIUS: f32 = 0.1;
const RADIUS_OF_PARTICLES: f32 = 0.15;

/// Length of a dash and of the gap after it, in radii.
const DASH: f64 = 3.5;
const GAP: f64 = 2.5;

/// Colours of contacts and of hydrogen bonds: of no element, and clear on white and on black.
const CONTACT: Srgba8 = Srgba8::hex(0xe0_8a_00);
const HYDROGEN_BOND: Srgba8 = Srgba8::hex(0x00_98_b4);

/// Most lines whose distances are written beside them.
const MOST_LABELS: usize = 100;

/// Contacts of a request between rows of a table.
#[derive(Clone, Debug)]
pub(crate) struct FoundContacts {
    rule: ContactRule,
    list: Vec<Contact>,
}

/// Finds the contacts of each request; `chosen` are the rows of both of its selections. `keys` are the columns of atoms,
/// `bonds` all bonds between rows.
pub(crate) fn find(
    requests: &[ContactRequest],
    chosen: &[[Vec<bool>; 2]],
    table: &Table<'_>,
    keys: Option<&AtomKeys>,
    bonds: &[Bond],
    cell: Option<&Cell>,
) -> Result<Vec<FoundContacts>> {
    if requests.is_empty() || u32::try_from(table.rows()).is_err() {
        return Ok(Vec::new());
    }
    let search = ContactSearch::new(table.space().collect(), cell, bonds);
    let of_atoms = keys.map(|keys| (elements_by_row(table, keys), residues_by_row(table, keys)));
    let found = requests.iter().zip(chosen).map(|(request, [of, with])| {
        let rows = [&of[..], with];
        let list = match (request.rule, &of_atoms) {
            (ContactRule::Distance(distance), _) => search.within(rows, distance.into()),
            (ContactRule::HydrogenBond(rule), Some((elements, residues))) => {
                search.hydrogen_bonds(elements, residues, rows, rule)
            }
            (ContactRule::HydrogenBond(_), None) => Some(Vec::new()),
        };
        let message = || {
            format!("has more than {MOST_CONTACTS} lines to draw; smaller selections or a shorter distance have fewer")
        };
        let list = list.ok_or_else(|| Error::setting("contacts", message()))?;
        Ok(FoundContacts { rule: request.rule, list })
    });
    found.collect()
}

/// The contacts between rows that are kept, by their new numbers: `places` has these, or `u32::MAX`. A hydrogen that is
/// not kept leaves the line from its donor.
pub(crate) fn retain(found: &mut [FoundContacts], places: &[u32]) {
    let placed = |bond: Bond| {
        let atoms = bond.atoms.map(|row| places[row as usize]);
        (!atoms.contains(&u32::MAX)).then_some(Bond { atoms, ..bond })
    };
    for FoundContacts { list, .. } in found {
        let kept = |of: &Contact| Some(Contact { heavy: placed(of.heavy)?, light: of.light.and_then(placed), ..*of });
        *list = list.iter().filter_map(kept).collect();
    }
}

/// The contacts that are drawn: their dashes, labels, entries of the legend and notes.
#[derive(Clone, Debug, Default)]
pub(crate) struct ContactLines {
    pub(crate) dashes: Vec<Stick>,
    lines: Vec<ContactLine>,
    /// The rule of each request.
    rules: Vec<ContactRule>,
    /// The unit of lengths, after a space.
    unit: &'static str,
}

/// A line between two rows, with its distance beside its middle.
#[derive(Clone, Debug)]
pub(crate) struct ContactLine {
    /// The index of the request.
    request: usize,
    pub(crate) rows: [u32; 2],
    /// The middle of the line.
    pub(crate) place: [f32; 3],
    pub(crate) radius: f32,
    pub(crate) text: String,
    /// Whether the hydrogen is known.
    has_hydrogen: bool,
    /// Whether the line lies inside of spheres.
    is_inside: bool,
}

impl ContactLines {
    /// All lines.
    pub(crate) fn lines(&self) -> &[ContactLine] {
        &self.lines
    }

    /// The lines whose distances are written beside them.
    pub(crate) fn labelled(&self) -> impl Iterator<Item = &ContactLine> {
        let most = if self.has_labels() { usize::MAX } else { 0 };
        self.seen().take(most)
    }

    fn has_labels(&self) -> bool {
        self.seen().count() <= MOST_LABELS
    }

    /// The lines between spheres.
    fn seen(&self) -> impl Iterator<Item = &ContactLine> {
        self.lines.iter().filter(|line| !line.is_inside)
    }

    /// The lines of a request without those in front of the focus.
    fn of_request(&self, request: usize, left_out: &LeftOut) -> impl Iterator<Item = &ContactLine> {
        self.lines.iter().filter(move |line| line.request == request && !left_out.has(line.place))
    }

    /// Entries of a legend.
    pub(crate) fn categories(&self, left_out: &LeftOut) -> Vec<Category> {
        let mut categories: Vec<Category> = Vec::new();
        for (request, rule) in self.rules.iter().enumerate() {
            let (color, count) = (color(*rule), self.of_request(request, left_out).count() as u64);
            match categories.iter_mut().find(|known| known.color == color) {
                Some(known) => known.count += count,
                None if count > 0 => categories.push(Category::new(format!("{}s", name(*rule)), color, count)),
                None => {}
            }
        }
        categories
    }

    /// How many contacts are drawn, and how many of them cannot be seen.
    pub(crate) fn notes(&self, left_out: &LeftOut) -> Vec<String> {
        let mut notes = Vec::new();
        for (request, rule) in self.rules.iter().enumerate() {
            let of_request = || self.of_request(request, left_out);
            let known = of_request().filter(|line| line.has_hydrogen).count() as u64;
            notes.push(note(*rule, of_request().count() as u64, known, self.unit));
            let inside = of_request().filter(|line| line.is_inside).count();
            if inside > 0 {
                let lie = if inside == 1 { "1 of them lies" } else { &format!("{inside} of them lie") };
                notes.push(format!("{lie} inside of spheres; --style ball-and-stick shows all"));
            }
        }
        if !self.has_labels() {
            notes.push(format!("distances are written beside at most {MOST_LABELS} lines"));
        }
        notes
    }
}

/// Draws contacts as dashed lines between the surfaces of their spheres. `has_atoms` says whether lengths are in ångström.
pub(crate) fn lines(
    found: &[FoundContacts],
    spheres: &[PaintedSphere],
    cell: Option<&Cell>,
    has_atoms: bool,
) -> ContactLines {
    let is_drawn = |row: u32| spheres.get(row as usize).is_some_and(|sphere| sphere.radius > 0.0 && sphere.color.a > 0);
    let mut drawn = BTreeSet::new();
    let unit = if has_atoms { " Å" } else { "" };
    let rules = found.iter().map(|found| found.rule).collect();
    let mut lines = ContactLines { rules, unit, ..ContactLines::default() };
    for (request, FoundContacts { rule, list }) in found.iter().enumerate() {
        for Contact { heavy, light, has_hydrogen } in list {
            let line = light.filter(|light| light.atoms.into_iter().all(is_drawn)).unwrap_or(*heavy);
            if !line.atoms.into_iter().all(is_drawn) {
                continue;
            }
            // another request may draw the same line
            let [a, b] = line.atoms;
            if !drawn.insert(([a.min(b), a.max(b)], is_of_hydrogen(*rule))) {
                continue;
            }
            let ends = line.atoms.map(|row| spheres[row as usize]);
            let least = ends[0].radius.min(ends[1].radius);
            let radius = if has_atoms { RADIUS } else { RADIUS_OF_PARTICLES * least };
            let shift = cell.map_or(DVec3::ZERO, |cell| cell.edges * DVec3::from(line.image.map(f64::from)));
            let before = lines.dashes.len();
            let dash = Stick::free(line.atoms, [[0.0; 3]; 2], radius).with_color(color(*rule));
            let (place, length) = add_dashes(&mut lines.dashes, dash, radius, ends, shift);
            lines.lines.push(ContactLine {
                request,
                rows: line.atoms,
                place,
                radius,
                text: format!("{length:.1}{unit}"),
                has_hydrogen: *has_hydrogen,
                is_inside: lines.dashes.len() == before,
            });
        }
    }
    lines
}

fn is_of_hydrogen(rule: ContactRule) -> bool {
    matches!(rule, ContactRule::HydrogenBond(_))
}

fn color(rule: ContactRule) -> Srgba8 {
    if is_of_hydrogen(rule) { HYDROGEN_BOND } else { CONTACT }
}

fn name(rule: ContactRule) -> &'static str {
    match rule {
        ContactRule::Distance(_) => "contact",
        ContactRule::HydrogenBond(_) => "hydrogen bond",
    }
}

/// Says how many contacts are drawn by a rule; `known` of them have a known hydrogen.
fn note(rule: ContactRule, count: u64, known: u64, unit: &str) -> String {
    let name = name(rule);
    let names = if count == 1 { format!("1 {name}") } else { format!("{count} {name}s") };
    match rule {
        ContactRule::Distance(distance) if count == 0 => {
            format!("no contacts within {distance}{unit} between rows that are drawn")
        }
        ContactRule::HydrogenBond(_) if count == 0 => "no hydrogen bonds between atoms that are drawn".to_owned(),
        ContactRule::Distance(distance) => format!("{names} within {distance}{unit}"),
        ContactRule::HydrogenBond(rule) if known == count => format!("{names} by the rule {rule}"),
        ContactRule::HydrogenBond(_) if known == 0 => {
            format!("{names} of N and O within 3.5 Å: without hydrogens, angles to bonds are at least 90°")
        }
        ContactRule::HydrogenBond(rule) => {
            let rest = count - known;
            format!("{names}, {known} by the rule {rule}, {rest} of N and O without hydrogens within 3.5 Å")
        }
    }
}

/// Adds the dashes of a line between two spheres, the second of them moved by `shift` across the periodic boundary: there
/// the line goes on from the place of the second. Returns the middle of the line, and the distance of the spheres.
fn add_dashes(
    dashes: &mut Vec<Stick>,
    dash: Stick,
    radius: f32,
    [first, second]: [PaintedSphere; 2],
    shift: DVec3,
) -> ([f32; 3], f64) {
    let [from, to] = [first, second].map(|sphere| DVec3::from(sphere.center.map(f64::from)));
    let along = to + shift - from;
    let length = along.length();
    let [start, end] = [f64::from(first.radius), length - f64::from(second.radius)];
    let middle = (from + along * (0.5 * (start + end) / length)).to_array().map(single);
    if end <= start {
        return (middle, length);
    }
    let radius = f64::from(radius);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at least 1")]
    let count = ((end - start) / (radius * (DASH + GAP))).round().clamp(1.0, 1e4) as u32;
    let period = (end - start) / f64::from(count);
    let half = (0.5 * radius * DASH).min(0.5 * period);
    for step in 0..count {
        let at = start + (f64::from(step) + 0.5) * period;
        // dashes beyond the boundary stand at the second sphere
        let moved = if 2.0 * at > length { shift } else { DVec3::ZERO };
        let ends = [at - half, at + half].map(|at| (from + along * (at / length) - moved).to_array().map(single));
        dashes.push(dash.between(ends));
    }
    (middle, length)
}

#[cfg(test)]
mod tests {
    use glam::DMat3;

    use super::*;
    use crate::data::BondOrder;

    fn contact(image: [i16; 3]) -> FoundContacts {
        let heavy = Bond { image, ..Bond::new(0, 1, BondOrder::Single) };
        FoundContacts {
            rule: ContactRule::Distance(4.0),
            list: vec![Contact { heavy, light: None, has_hydrogen: false }],
        }
    }

    fn atoms(xs: [f32; 2], radius: f32) -> Vec<PaintedSphere> {
        xs.iter().map(|&x| PaintedSphere::new([x, 0.0, 0.0], radius, Srgba8::WHITE)).collect()
    }

    #[test]
    fn contacts_are_dashed_between_surfaces() {
        let found = lines(&[contact([0; 3])], &atoms([0.0, 3.26], 0.4), None, true);
        assert_eq!(found.dashes.len(), 4);
        let ends: Vec<f32> = found.dashes.iter().flat_map(|dash| dash.ends().map(|end| end[0])).collect();
        assert!(ends.is_sorted() && ends[0] > 0.4 && ends[7] < 2.86, "{ends:?}");
        assert!((ends[0] - 0.4 - (2.86 - ends[7])).abs() < 1e-5, "both ends alike: {ends:?}");
        assert_eq!((found.lines[0].text.as_str(), found.lines[0].place[0]), ("3.3 Å", 1.63));
        let all = LeftOut::default();
        assert_eq!((found.categories(&all)[0].count, found.notes(&all)), (1, vec!["1 contact within 4 Å".to_owned()]));
    }

    #[test]
    fn contacts_across_a_boundary_go_on_at_the_other_side() {
        let cell = Cell::new(DVec3::ZERO, DMat3::from_diagonal(DVec3::splat(10.0))).expect("a volume");
        let found = lines(&[contact([-1, 0, 0])], &atoms([1.0, 8.0], 0.3), Some(&cell), true);
        let ends: Vec<f32> = found.dashes.iter().flat_map(|dash| dash.ends().map(|end| end[0])).collect();
        assert!(ends.iter().all(|x| (-0.6..0.7).contains(x) || (8.3..9.7).contains(x)), "{ends:?}");
        assert_eq!(found.lines[0].text, "3.0 Å");
    }

    #[test]
    fn contacts_that_nothing_shows_are_noted_or_left_out() {
        let found = lines(&[contact([0; 3])], &atoms([0.0, 3.0], 1.7), None, true);
        assert!(found.dashes.is_empty() && found.labelled().next().is_none());
        let notes = found.notes(&LeftOut::default());
        assert!(notes[1].contains("inside of spheres"), "{notes:?}");
        let found = lines(&[contact([0; 3])], &atoms([0.0, 3.0], 0.0), None, true);
        assert_eq!(found.notes(&LeftOut::default()), ["no contacts within 4 Å between rows that are drawn"]);
    }

    #[test]
    fn contacts_of_a_hidden_hydrogen_begin_at_the_donor() {
        let heavy = Bond::new(0, 2, BondOrder::Single);
        let light = Some(Bond::new(1, 2, BondOrder::Single));
        let mut found =
            [FoundContacts { rule: ContactRule::default(), list: vec![Contact { heavy, light, has_hydrogen: true }] }];
        retain(&mut found, &[0, u32::MAX, 1]);
        let [FoundContacts { list, .. }] = &found;
        assert_eq!(list[0].heavy.atoms, [0, 1]);
        let lines = lines(&found, &atoms([0.0, 3.0], 0.3), None, true);
        assert_eq!(lines.lines[0].rows, [0, 1]);
        retain(&mut found, &[0, u32::MAX]);
        assert!(found[0].list.is_empty());
    }
}
