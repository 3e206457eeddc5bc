//! Notes about options that do not suit the rows of a file.

use std::collections::BTreeSet;
use std::fmt::Display;

use super::read::Draft;
use super::{BondRequest, is_in_degrees};
use crate::color::elements::Atomic;
use crate::color::{ColorRange, MISSING_NAME, Scale};
use crate::data::{Bond, BondRule, Cell, NumberSource};
use crate::did_you_mean::shortened;
use crate::figure::decimal;
use crate::io::load::colors::{self, Colors};
use crate::io::load::column_plan::{CategoryNames, Coloring, Plan, RadiusFrom, Sizing};
use crate::io::load::displacements::Displacements;
use crate::io::load::glyphs::RowShape;
use crate::io::load::molecule_style::MoleculeStyle;
use crate::scene::spheres::SphereStore;

pub(super) struct FileNotes {
    /// The name of the file, which begins each note.
    pub(super) file: String,
    pub(super) list: Vec<String>,
}

impl FileNotes {
    pub(super) fn add(&mut self, note: impl Display) {
        self.list.push(format!("{}: {note}", self.file));
    }

    /// Notes rows without the numbers of their shape.
    pub(super) fn add_shapeless(&mut self, rows: usize, numbers: &str, is_sphere: bool) {
        let (rows, have, are) =
            if rows == 1 { ("1 row".to_owned(), "has", "is") } else { (format!("{rows} rows"), "have", "are") };
        let rest = if is_sphere { ", and no arrow".to_owned() } else { format!(" and {are} left out") };
        self.add(format_args!("{rows} {have} no {numbers}{rest}"));
    }

    /// Notes rows that are grey because they lack something.
    fn add_missing(&mut self, missing: usize, rows: usize, what: impl Display) {
        let (have, are) = if missing == 1 { ("has", "is") } else { ("have", "are") };
        if missing > 0 {
            self.add(format_args!("{missing} of {rows} rows {have} no {what} and {are} grey"));
        }
    }

    /// Notes that an option has no effect.
    pub(super) fn add_idle(&mut self, flag: &str, reason: &str) {
        self.add(format_args!("--{flag} changes nothing: {reason}"));
    }
}

impl Draft<'_> {
    /// Notes rows without coordinates, and computed columns that nothing uses.
    pub(super) fn note_unused(&mut self, unplaced: u64) {
        if !self.needs.description {
            for name in &self.columns.unused {
                let used = "no colour, radius or selection names it";
                self.notes.add(format_args!("the computed column {name} changes nothing: {used}"));
            }
        }
        match unplaced {
            0 => {}
            1 => self.notes.add("1 row has no coordinates and is left out"),
            rows => self.notes.add(format_args!("{rows} rows have no coordinates and are left out")),
        }
    }

    /// Notes that atoms have no thermal ellipsoids.
    pub(super) fn note_ellipsoids(&mut self) {
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
    pub(super) fn note_broken(&mut self, cell: Option<Cell>) {
        let Some(cell) = cell.filter(|_| !self.needs.joins && !self.is_painted) else { return };
        if let Some(broken) = self.columns.molecules.broken(&self.table, &cell) {
            self.notes.add(broken);
        }
    }

    /// Notes several ligands in the focus.
    pub(super) fn note_focus(&mut self, rows: Option<&[bool]>) {
        if let (Some(keys), Some(rows)) = (&self.columns.focus, rows) {
            self.notes.list.extend(keys.note(&self.notes.file, &self.table, rows));
        }
    }

    fn displacements(&self) -> Displacements<'_> {
        self.columns.glyphs.displacements(&self.table, &self.facts.displacements)
    }

    /// Notes options of bonds, sticks and balls that do not matter for the styles of rows.
    pub(super) fn note_sticks(&mut self, styles: &[MoleculeStyle], has_selected_radii: bool) {
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

    /// Why an order of categories changes nothing.
    fn why_unordered(&self, colors: &Colors) -> Option<&'static str> {
        let Plan { color, categories, .. } = &self.columns.plan;
        if categories.order.is_empty() {
            return None;
        }
        let (Colors::ByName(column, ..) | Colors::ByTwoNames { columns: [column, _], .. }) = colors else {
            return Some("the colours are not of categories; --color-by names a column");
        };
        let names = || self.table.columns[*column].names.iter();
        let has_elements = || names().any(|name| Atomic::from_symbol(name.as_bytes()).is_some());
        if color.names() != Some(*column) || matches!(color, Coloring::Elements { .. }) && has_elements() {
            return Some("elements have colours of their own");
        }
        names().all(|name| name.parse::<usize>().is_ok()).then_some("numbers have the colours of their places")
    }

    /// Notes spheres or circles without size, unless selections have radii of their own.
    pub(super) fn note_sizes(&mut self, painted: &SphereStore<'_>, has_selected_radii: bool) {
        if has_selected_radii || self.request.glyphs.rows != RowShape::Sphere {
            return;
        }
        let Plan { size, .. } = &self.columns.plan;
        let rows = self.table.rows();
        let empty = match *size {
            Sizing::Constant(radius) if radius <= 0.0 => rows,
            Sizing::Column(_) | Sizing::DataUnits(_) if self.is_painted => {
                painted.iter().filter(|sphere| sphere.radius <= 0.0).count()
            }
            Sizing::Column(column) | Sizing::DataUnits(column) => {
                self.table.numbers(column).filter(|number| number.is_nan() || *number <= 0.0).count()
            }
            Sizing::Scaled { column, scale, .. } => {
                self.table.numbers(column).filter(|number| !scale.of(*number).is_finite()).count()
            }
            _ => 0,
        };
        if empty > 0 {
            let shapes = if self.columns.plan.is_solid() { "spheres" } else { "circles" };
            self.notes.add(format_args!(
                "{empty} of {rows} {shapes} have no radius above 0: counted and framed, they draw nothing"
            ));
        }
    }

    /// Notes numbers that the default range of colours leaves out, and a given range that leaves most out.
    pub(super) fn note_range(&mut self, colors: &Colors) {
        let (Coloring::Numbers { source, range, scale, .. }, Colors::Numbers { ends, .. }) =
            (&self.columns.plan.color, colors)
        else {
            return;
        };
        let given = match range {
            Some(ColorRange::Numbers(given)) => Some(*given),
            None | Some(ColorRange::Around(_)) => None,
            Some(ColorRange::Percentiles(_) | ColorRange::Within { .. }) => return,
        };
        // each copy is coloured by its own position
        let has_copies = self.request.images.copies() > 1 || !self.facts.assemblies.is_empty();
        if self.is_painted || has_copies && !matches!(source, NumberSource::Column(_)) {
            return;
        }
        let name = colors::source_name(&self.table, *source);
        let numbers: Box<dyn Iterator<Item = f64>> = match *source {
            NumberSource::Column(column) => Box::new(self.table.numbers(column)),
            NumberSource::Axis(axis) => Box::new(self.table.coordinates(axis)),
            NumberSource::Index => Box::new((0..self.table.rows()).map(|row| row as f64)),
        };
        let mut numbers: Vec<f64> =
            numbers.map(|number| scale.of(number)).filter(|number| number.is_finite()).collect();
        let (all, outside) = numbers.iter().fold((0_u64, 0_u64), |(all, outside), number| {
            (all + 1, outside + u64::from(!(ends.least..=ends.most).contains(number)))
        });
        let name = shortened(name);
        let colors = "have the colours of its ends";
        if let Some([least, most]) = given.filter(|_| 2 * outside > all) {
            self.notes.add(format_args!(
                "{outside} of {all} numbers of {name} are outside of the range {least} to {most} and {colors}"
            ));
        } else if given.is_none() && outside > 0 {
            let [least, most] = [ends.least, ends.most].map(|end| decimal(scale.inverse(end)));
            let help = if *scale == Scale::Linear && is_skewed(&mut numbers) {
                "--color-scale log spreads them"
            } else {
                "--color-range p0,p100 leaves out none"
            };
            self.notes.add(format_args!(
                "{outside} of {all} numbers of {name} are outside of the range {least} to {most}, which leaves out \
                 outliers, and {colors}; {help}"
            ));
        }
    }

    /// Notes places on both sides of the antimeridian, which a map tears apart.
    pub(super) fn note_antimeridian(&mut self) {
        /// Degrees of the widest gap between places that are near each other across the antimeridian.
        const GAP: usize = 180;
        if self.is_painted
            || !is_in_degrees(&self.columns.plan.wanted.axes, |field| {
                self.header.fields.get(field).map(|field| field.name.as_str())
            })
        {
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

    /// Notes the ghost atoms of quantum chemistry, which have basis functions and no nucleus.
    fn note_ghosts(&mut self) {
        let Some(column) = self.table.columns.iter().position(|column| column.name == "element") else { return };
        let names = &self.table.columns[column].names;
        let Some(ghost) = names.iter().find(|name| is_ghost(name)).map(str::to_owned) else { return };
        let is_of_ghosts: Vec<bool> = names.iter().map(is_ghost).collect();
        let rows = self.table.codes(column).flatten().filter(|code| is_of_ghosts[*code as usize]).count();
        let drawn = match rows {
            1 => "1 ghost atom, which has no nucleus, is drawn".to_owned(),
            rows => format!("{rows} ghost atoms, which have no nucleus, are drawn"),
        };
        self.notes.add(format_args!("{drawn}; --hide 'element {ghost}' leaves out {ghost}"));
    }

    /// Notes colours that do not tell rows apart.
    pub(super) fn note_colors(&mut self, colors: &Colors) {
        self.note_ghosts();
        let Plan { color, .. } = &self.columns.plan;
        if !self.is_painted {
            let shared = colors::shared_colors(&self.table, color, colors);
            shared.into_iter().for_each(|shared| self.notes.add(shared));
        }
        if let Coloring::Numbers { source: NumberSource::Column(column), scale, .. } = *color
            && !self.is_painted
        {
            let name = shortened(&self.table.columns[column].name);
            let rows = self.table.rows();
            let missing = self.table.numbers(column).filter(|number| !scale.of(*number).is_finite()).count();
            let wanted = match scale {
                Scale::Linear => "number",
                Scale::Sqrt => "number of 0 or more",
                Scale::Log => "number above 0",
            };
            if missing == rows {
                self.notes.add(format_args!("{name} has no {wanted} for what is drawn, which is grey"));
            } else {
                self.notes.add_missing(missing, rows, format_args!("{wanted} in {name}"));
            }
        }
        if !self.is_painted {
            self.notes.add_missing(colors.missing_colors(&self.table), self.table.rows(), "colour");
        }
        if let (Coloring::Channels { channels, .. }, false) = (color, self.is_painted) {
            let [red, green, blue] = channels.map(|column| shortened(&self.table.columns[column].name));
            match colors {
                Colors::Channels { full: [full, _], .. } => self.notes.add(format_args!(
                    "{red}, {green} and {blue} are colours from 0 to {full}; --color-by constant draws one"
                )),
                _ => self.notes.add(format_args!(
                    "{red}, {green} and {blue} are no colours: these go from 0 to 1, to 255 or to 65535"
                )),
            }
        }
        if let (Colors::ByName(column, ..), false) = (colors, self.is_painted) {
            let name = shortened(&self.table.columns[*column].name);
            let missing = colors.missing_categories(&self.table);
            self.notes.add_missing(missing, self.table.rows(), format_args!("category in {name}"));
        }
        if let Some(reason) = self.why_unordered(colors) {
            self.notes.add_idle("categories", reason);
        }
        if let Colors::ByName(column, ..) | Colors::ByTwoNames { columns: [column, _], .. } = colors {
            let CategoryNames { order, listed } = &self.columns.plan.categories;
            let names: BTreeSet<&str> = self.table.columns[*column].names.iter().collect();
            let is_unknown = |name: &&String| !names.contains(name.as_str()) && *name != MISSING_NAME;
            if let Some(unknown) = listed.iter().find(is_unknown) {
                let help = "--categories gives it a colour";
                self.notes.add(format_args!("the legend lists no {unknown}, which no row has; {help}"));
            }
            if let Some((name, other)) = colors::misspelt(&self.table, *column, order) {
                self.notes.add(format_args!("no row has {name:?} of --categories; did you mean {other:?}?"));
            }
        }
        let has_chain_colors = matches!(colors, Colors::ByTwoNames { .. });
        let may_have = matches!(color, Coloring::ChainsOrElements { .. });
        if may_have && !has_chain_colors && self.request.column_request.mapping.map.is_some() {
            let reason = "a single chain is coloured by element; --color-by chain takes its first colour";
            self.notes.add_idle("palette", reason);
        }
    }
}

/// Whether a name of an element is that of a ghost atom: `Bq`, with a number or an element behind it, or `Gh`.
fn is_ghost(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let name = name.trim_start_matches("x-").trim_start_matches('@');
    name == "gh" || name.strip_prefix("bq").is_some_and(|rest| rest.len() <= 3)
}

/// Whether numbers are positive and most of them are close to the least.
fn is_skewed(numbers: &mut [f64]) -> bool {
    /// The median is this many times closer to the least than to the greatest number.
    const CLOSER: f64 = 10.0;
    let middle = numbers.len() / 2;
    let (_, median, _) = numbers.select_nth_unstable_by(middle, f64::total_cmp);
    let median = *median;
    let [least, most] =
        numbers.iter().fold([f64::INFINITY, 0.0_f64], |[least, most], number| [least.min(*number), most.max(*number)]);
    least > 0.0 && most - median > CLOSER * (median - least)
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
