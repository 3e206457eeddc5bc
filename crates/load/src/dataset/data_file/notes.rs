//! Notes about options that do not suit the rows of a file.

use crate::data::{Bond, BondRule, Cell, NumberSource};
use crate::dataset::data_file::read::Draft;
use crate::dataset::data_file::{BondRequest, is_in_degrees};
use crate::dataset::describe::DataSource;
use crate::options::molecule_style::MoleculeStyle;
use crate::rows::colors::Colors;
use crate::rows::column_plan::{Coloring, Plan, RadiusFrom};
use crate::rows::displacements::Displacements;
use crate::rows::glyphs::RowShape;
use crate::rows::row_notes::RowLooks;
use crate::rows::row_tally::RowTally;

impl Draft<'_> {
    /// Notes rows without coordinates, text in another encoding, and computed columns that nothing uses.
    pub(crate) fn note_unused(&mut self, unplaced: u64) {
        if !self.needs.description {
            for name in &self.columns.unused {
                let used = "no colour, radius or selection names it";
                self.notes.add(format_args!("the computed column {name} changes nothing: {used}"));
            }
        }
        self.notes.add_unplaced(unplaced);
        let names = self.table.columns.iter().flat_map(|column| column.names.iter());
        if self.header.names().chain(names).any(|name| name.contains(char::REPLACEMENT_CHARACTER)) {
            self.notes.add("some text is not UTF-8, and shows as \u{fffd}: convert the file, as by iconv");
        }
    }

    /// Notes that atoms have no thermal ellipsoids.
    pub(crate) fn note_ellipsoids(&mut self) {
        if !self.needs.ellipsoids || !self.facts.displacements.is_empty() {
            return;
        }
        let note = if self.displacements().has_isotropic() {
            "has no anisotropic displacements; spheres have the size of isotropic ones"
        } else {
            "has no displacements of atoms, of which --ellipsoids could draw any"
        };
        self.notes.add(note);
    }

    /// Notes molecules that the box breaks, unless they are joined.
    pub(crate) fn note_broken(&mut self, cell: Option<Cell>) {
        let Some(cell) = cell.filter(|_| !self.needs.joins && !self.is_painted) else { return };
        if let Some(broken) = self.columns.molecules.broken(&self.table, &cell) {
            self.notes.add(broken);
        }
    }

    /// Notes that the first assembly of the file has copies that are not drawn.
    pub(crate) fn note_copies(&mut self, source: &DataSource) {
        let is_whole = self.request.assembly.is_none() && self.request.selections.shown.only.is_none();
        let first = source.assemblies.first().filter(|(_, copies)| *copies > 1);
        if let Some((number, copies)) = first.filter(|_| is_whole) {
            let all = format_args!("--assembly {number} draws all");
            self.notes.add(format_args!("1 of the {copies} copies in assembly {number} is drawn; {all}"));
        }
    }

    /// Notes several ligands in the focus.
    pub(crate) fn note_focus(&mut self, rows: Option<&[bool]>) {
        if let (Some(keys), Some(rows)) = (&self.columns.focus, rows) {
            self.notes.list.extend(keys.note(&self.notes.file, &self.table, rows));
        }
    }

    fn displacements(&self) -> Displacements<'_> {
        self.columns.glyphs.displacements(&self.table, &self.facts.displacements)
    }

    /// Notes options of bonds, sticks and balls that do not matter for the styles of rows.
    pub(crate) fn note_sticks(&mut self, styles: &[MoleculeStyle], has_selected_radii: bool) {
        let BondRequest { rule, bond_radius, ball_scale, .. } = *self.request.bonds;
        let has_radius =
            !matches!(self.request.column_request.radius, RadiusFrom::Data | RadiusFrom::Vdw) || has_selected_radii;
        let has_sticks = styles.iter().any(|style| style.has_sticks());
        let mut idle = Vec::new();
        if !has_sticks {
            // a description counts bonds; without them, a small molecule has another style
            let counts = self.needs.description || rule == BondRule::None && self.needs.may_guess;
            let is_idle = !(counts || rule == BondRule::Auto);
            let reason = "no bonds are drawn; --style ball-and-stick draws them";
            idle.push(("bond-radius", bond_radius.is_some(), reason));
            idle.push(("ball-scale", ball_scale.is_some(), reason));
            idle.push(("bonds", is_idle, reason));
        } else if self.bonds.is_empty() {
            self.notes.add(format_args!("no bonds were found; {}", why_no_bonds(rule, &self.columns.plan)));
        } else if has_only_sticks(styles, self.table.rows(), &self.bonds) {
            idle.push(("radius", has_radius, "--bond-radius is the radius of sticks"));
            idle.push(("ball-scale", ball_scale.is_some(), "sticks have no balls; --style ball-and-stick has"));
        }
        if self.needs.ellipsoids && self.displacements().are_known(self.table.rows()) {
            let reason = "every ball is an ellipsoid";
            idle.retain(|(flag, ..)| !["radius", "ball-scale"].contains(flag));
            idle.extend([("radius", has_radius, reason), ("ball-scale", ball_scale.is_some(), reason)]);
        }
        for (flag, _, reason) in idle.into_iter().filter(|(_, is_idle, _)| *is_idle) {
            self.notes.add_idle(flag, reason);
        }
    }

    /// Notes rows that are not drawn as the file says, and options of colours that change nothing.
    pub(crate) fn note_rows(&mut self, mut tally: RowTally, colors: &Colors, has_selected_radii: bool) {
        let plan = &self.columns.plan;
        let has_copies = self.request.images.copies() > 1 || !self.facts.assemblies.is_empty();
        if has_copies
            && matches!(plan.color, Coloring::Numbers { source: NumberSource::Axis(_) | NumberSource::Index, .. })
        {
            // each copy is coloured by its own position
            (tally.colorless, tally.beyond) = (0, 0);
        }
        let looks = RowLooks { plan, table: &self.table, colors, tally: &tally };
        looks.note_colors(&mut self.notes);
        let has_chain_colors = matches!(colors, Colors::ByTwoNames { .. });
        let may_have = matches!(plan.color, Coloring::ChainsOrElements { .. });
        if may_have && !has_chain_colors && self.request.column_request.mapping.map.is_some() {
            let reason = "a single chain is coloured by element; --color-by chain takes its first colour";
            self.notes.add_idle("palette", reason);
        }
        looks.note_range(&mut self.notes);
        // a density counts rows without size as points
        let has_sizes = self.request.glyphs.rows == RowShape::Sphere && self.request.selections.density.is_none();
        if has_sizes && !has_selected_radii {
            looks.note_sizes(&mut self.notes);
        }
    }

    /// Notes places on both sides of the antimeridian, which a map tears apart.
    pub(crate) fn note_antimeridian(&mut self) {
        /// Degrees of the widest gap between places that are near each other across the antimeridian.
        const GAP: usize = 180;
        if self.is_painted || !is_in_degrees(&self.columns.axes) {
            return;
        }
        let mut is_taken = [false; 360];
        let (mut west, mut east) = (0_u64, 0_u64);
        for longitude in self.table.coordinates(0).filter(|longitude| (-180.0..=180.0).contains(longitude)) {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 360")]
            let degree = (longitude + 180.0) as usize;
            is_taken[degree.min(359)] = true;
            if longitude < 0.0 { west += 1 } else { east += 1 }
        }
        let gap = |from: usize| is_taken[from..].iter().position(|taken| *taken);
        let widest =
            (0..360).filter(|&degree| is_taken[degree] && degree < 359).filter_map(|degree| gap(degree + 1)).max();
        if west > 0 && east > 0 && widest.is_some_and(|widest| widest >= GAP) {
            self.notes.add(format_args!(
                "places on both sides of the antimeridian are drawn at opposite ends ({west} west, {east} east of it); \
                 longitudes from 0 to 360 join them: add 360 to those below 0"
            ));
        }
    }
}

/// Whether every row is at the end of a stick, so that no balls are drawn.
fn has_only_sticks(styles: &[MoleculeStyle], rows: usize, bonds: &[Bond]) -> bool {
    let mut has_bond = vec![false; rows];
    bonds.iter().flat_map(|bond| bond.atoms).for_each(|row| has_bond[row as usize] = true);
    styles.iter().all(|style| *style == MoleculeStyle::Sticks) && !has_bond.contains(&false)
}

/// Why a file has no bonds.
fn why_no_bonds(rule: BondRule, plan: &Plan) -> &'static str {
    match rule {
        BondRule::File => "the file lists none; --bonds auto finds them by distance",
        BondRule::None => "--bonds none says so",
        _ if !plan.is_molecule() => "elements of atoms are not known",
        _ => "atoms are far apart, or of elements that do not bond",
    }
}
