//! The rows of a table that selections draw, highlight and label, with their colours, opacities, styles and gloss.

use std::convert::Infallible;
use std::fmt;

use crate::color::Srgba8;
use crate::data::{Expression, NumberSource, Residue, Table};
use crate::did_you_mean::{self, shortened};
use crate::options::molecule_style::MoleculeStyle;
use crate::rows::alphas::Alphas;
use crate::rows::labels::{LabelRequest, RowLabel};
use crate::rows::row_panels::RowPanels;
use crate::rows::selections::{
    BadSelection, Highlight, ResolvedSelections, Selections, ShownRows, alpha_of_all, spelled_otherwise,
};
use crate::scene::spheres::Gloss;

#[derive(Clone, Debug)]
pub(crate) struct HighlightedRows {
    /// Whether each drawn row has it.
    pub(crate) rows: Vec<bool>,
    pub(crate) color: Srgba8,
    pub(crate) label: String,
}

/// Rows after selection.
#[derive(Debug, Default)]
pub(crate) struct Selected {
    /// Whether each row is drawn.
    pub(crate) kept: Vec<bool>,
    pub(crate) highlights: Vec<HighlightedRows>,
    /// Atoms of water that are hidden by default.
    pub(crate) hidden_water: usize,
    /// The alphas of drawn rows.
    pub(crate) alphas: Alphas,
    /// The own style of each drawn row; empty if none has one.
    pub(crate) styles: Vec<Option<MoleculeStyle>>,
    /// The own gloss of each drawn row; empty if none has one.
    pub(crate) gloss: Vec<Option<Gloss>>,
    /// Radii that selections give to rows that are drawn.
    pub(crate) radii: Vec<(Vec<bool>, f32)>,
    pub(crate) focus: Option<Vec<bool>>,
    /// The rows that are drawn whose principal axis points to the eye.
    pub(crate) along: Option<Vec<bool>>,
    /// Labels of rows that are drawn, by their places among these.
    pub(crate) labels: Vec<RowLabel>,
    /// The places of drawn rows in the order in which they are drawn, unless it is that of the file.
    pub(crate) order: Option<Vec<usize>>,
    /// The numbers of drawn rows that are summed up by pixel.
    pub(crate) weights: Option<Vec<f64>>,
    /// The panels of drawn rows, or the rule that their column breaks.
    pub(crate) panels: Option<Result<RowPanels, String>>,
    /// Selected names that no row has, and highlights of nothing, which are probably mistakes.
    pub(crate) misses: Vec<String>,
    /// Whether rows have names of residues.
    pub(crate) has_residues: bool,
    /// Whether all rows, drawn or not, are a membrane.
    pub(crate) is_membrane: bool,
}

/// The rows that selections leave, and the styles that they give to rows.
#[derive(Debug)]
pub(crate) struct OwnStyles {
    /// Whether each row is left.
    pub(crate) kept: Vec<bool>,
    /// Atoms of water that are hidden by default.
    pub(crate) hidden_water: usize,
    /// The own style of each row; empty if none has one.
    pub(crate) styles: Vec<Option<MoleculeStyle>>,
    /// Styles that no row gets.
    misses: Vec<String>,
}

impl ResolvedSelections {
    fn lookup(&self, name: &str) -> NumberSource {
        let known = self.sources.iter().find(|(known, _)| known == name);
        known.map(|(_, source)| *source).expect("all columns were looked up")
    }

    /// The rows that move to the middle of the box, if the caller selects some.
    pub(crate) fn centered(&self, table: &Table<'_>) -> Option<Result<Vec<bool>, BadSelection>> {
        let rows = self.selections.center.as_ref()?.evaluate(table, &|name| self.lookup(name));
        let rule = || BadSelection { key: "center", index: 0, rule: "must select a row; none is selected".to_owned() };
        Some(if rows.contains(&true) { Ok(rows) } else { Err(rule()) })
    }

    /// The rows of both selections of each request of contacts.
    pub(crate) fn contacts(&self, table: &Table<'_>) -> Vec<[Vec<bool>; 2]> {
        let rows = |of: &Expression| of.evaluate(table, &|name| self.lookup(name));
        self.selections.contacts.iter().map(|contact| [rows(&contact.of), rows(&contact.with)]).collect()
    }

    /// Whether `hide` selects no row, unless it says so or names a frame: other frames of one picture may have such
    /// rows.
    fn hides_nothing(&self, table: &Table<'_>) -> bool {
        let hide =
            self.selections.shown.hide.as_ref().filter(|hide| **hide != Expression::Nothing && !names_frame(hide));
        hide.is_some_and(|hide| !hide.evaluate(table, &|name| self.lookup(name)).contains(&true))
    }

    /// The styles of rows.
    pub(crate) fn styles(&self, table: &Table<'_>) -> OwnStyles {
        let (kept, hidden_water) = self.kept(table);
        let left = DrawnRows { resolved: self, table, kept: &kept };
        let mut misses = Vec::new();
        let of_left = left.chosen("style", &self.selections.style, &mut misses);
        let mut styles = vec![None; if of_left.is_empty() { 0 } else { kept.len() }];
        let of_kept = styles.iter_mut().zip(&kept).filter(|(_, kept)| **kept);
        of_kept.zip(of_left).for_each(|((style, _), own)| *style = own);
        OwnStyles { kept, hidden_water, styles, misses }
    }

    /// The rows in the focus, drawn or not.
    pub(crate) fn focus(&self, table: &Table<'_>) -> Option<Vec<bool>> {
        self.selections.focus.as_ref().map(|of| of.evaluate(table, &|name| self.lookup(name)))
    }

    /// The rows that are drawn, of those that are kept with their styles.
    pub(crate) fn select(&self, table: &Table<'_>, styled: OwnStyles) -> Selected {
        let OwnStyles { kept, hidden_water, styles, misses: of_styles } = styled;
        let drawn = DrawnRows { resolved: self, table, kept: &kept };
        let Selections { highlight, opacity, gloss, .. } = &self.selections;
        let highlighted = |Highlight { of, color, label }: &Highlight| {
            let (rows, label) = (drawn.selected(of), label.clone());
            HighlightedRows { rows, color: *color, label }
        };
        let highlights: Vec<HighlightedRows> = highlight.iter().map(highlighted).collect();
        let mut misses = Vec::new();
        let alphas = drawn.alphas(&mut misses);
        misses.extend(of_styles);
        let styles = if styles.is_empty() { styles } else { drawn.only(styles) };
        let gloss = drawn.chosen("gloss", gloss, &mut misses);
        drawn.note_absent_names(&mut misses);
        if misses.is_empty() && self.hides_nothing(table) {
            misses.push("--hide changes nothing: it selects no row".to_owned());
        }
        if misses.is_empty() {
            // other frames of one picture may have such rows
            let empty = highlights.iter().zip(highlight);
            let empty = empty.filter(|(rows, of)| !rows.rows.contains(&true) && !names_frame(&of.of));
            misses.extend(
                empty.map(|(rows, _)| format!("the selection of highlight {} has no row that is drawn", rows.color)),
            );
        }
        misses.extend(drawn.replaced_highlights(&highlights));
        if self.opacities.is_some() && opacity.iter().any(|(of, _)| of.is_none()) {
            misses.push("--opacity-by changes nothing: --opacity of all rows takes its place".to_owned());
        }
        let radii: Vec<(Vec<bool>, f32)> =
            self.selections.radius.iter().map(|(of, radius)| (drawn.selected(of), *radius)).collect();
        let empty = radii.iter().filter(|(rows, _)| !rows.contains(&true));
        misses.extend(empty.map(|(_, radius)| format!("the selection of radius {radius} has no row that is drawn")));
        let focus = self.selections.focus.as_ref().map(|of| drawn.selected(of));
        if focus.as_ref().is_some_and(|rows| !rows.contains(&true)) {
            misses.push("nothing that is drawn is in the focus".to_owned());
        }
        let along = self.selections.along.as_ref().map(|of| drawn.selected(of));
        let labels = drawn.labels(&mut misses);
        let order = drawn.order();
        let weights = self.weights.map(|source| drawn.only(table.source_numbers(source)));
        let panels = self.panels.map(|source| RowPanels::new(table, source, &drawn.only(0..kept.len())));
        let is_membrane = self.residues.is_some_and(|column| is_membrane(table, column));
        Selected {
            kept,
            highlights,
            hidden_water,
            alphas,
            styles,
            gloss,
            radii,
            focus,
            along,
            labels,
            order,
            weights,
            panels,
            misses,
            has_residues: self.residues.is_some(),
            is_membrane,
        }
    }

    /// Whether each row is drawn, and how many atoms of water are not, by default.
    fn kept(&self, table: &Table<'_>) -> (Vec<bool>, usize) {
        let lookup = |name: &str| self.lookup(name);
        let ShownRows { only, hide, .. } = &self.selections.shown;
        let mut kept = only.as_ref().map_or_else(|| vec![true; table.rows()], |only| only.evaluate(table, &lookup));
        if let Some(hide) = hide {
            let hidden = hide.evaluate(table, &lookup);
            kept.iter_mut().zip(hidden).for_each(|(kept, hidden)| *kept &= !hidden);
        }
        let residues = self.residues.filter(|_| self.hides_water);
        let hidden_water = residues.map_or(0, |column| hide_water(table, column, &mut kept));
        (kept, hidden_water)
    }
}

/// The rows that are drawn, over which selections are evaluated. Selections of nothing are noted in `misses`.
struct DrawnRows<'a> {
    resolved: &'a ResolvedSelections,
    table: &'a Table<'a>,
    kept: &'a [bool],
}

impl DrawnRows<'_> {
    /// Drops the values of rows that are not drawn.
    fn only<T>(&self, all: impl IntoIterator<Item = T>) -> Vec<T> {
        all.into_iter().zip(self.kept).filter(|(_, kept)| **kept).map(|(value, _)| value).collect()
    }

    /// Whether each row is selected.
    fn selected(&self, of: &Expression) -> Vec<bool> {
        self.only(of.evaluate(self.table, &|name| self.resolved.lookup(name)))
    }

    /// Whether each row is selected; all are if no selection is named.
    fn selected_or_all(&self, of: Option<&Expression>) -> Vec<bool> {
        of.map_or_else(|| self.only(vec![true; self.kept.len()]), |of| self.selected(of))
    }

    fn alphas(&self, misses: &mut Vec<String>) -> Alphas {
        let Selections { opacity, fading, .. } = &self.resolved.selections;
        let alphas = self.alphas_of(opacity, misses);
        if *fading == 0 {
            return alphas;
        }
        let usual = self.alphas_of(&opacity[..opacity.len() - fading], &mut Vec::new());
        Alphas { usual: Some(Box::new(usual)), ..alphas }
    }

    fn alphas_of(&self, opacity: &[(Option<Expression>, u8)], misses: &mut Vec<String>) -> Alphas {
        let (column, one) = (self.resolved.opacities, alpha_of_all(opacity));
        if column.is_none() && opacity.iter().all(|(of, _)| of.is_none()) {
            return Alphas::all(one);
        }
        let mut alphas = Alphas::all(one.filter(|_| column.is_none()));
        let rows = self.kept.iter().filter(|kept| **kept).count();
        (alphas.each, alphas.is_chosen) = (vec![None; rows], vec![false; rows]);
        if let Some(column) = column {
            let range = self.alphas_by_column(column, &mut alphas, misses);
            alphas.by_column = range.map(|range| (self.table.columns[column].name.clone(), range));
        }
        let mut is_set = vec![false; rows];
        // from the last one, which counts
        for (of, new) in opacity.iter().rev() {
            let selected = self.selected_or_all(of.as_ref());
            let mut is_seen = false;
            for row in (0..rows).filter(|row| selected[*row]) {
                if !std::mem::replace(&mut is_set[row], true) {
                    (alphas.each[row], alphas.is_chosen[row], is_seen) = (Some(*new), of.is_some(), true);
                }
            }
            let value = (f64::from(*new) / 2.55).round() / 100.0;
            misses.extend(self.miss("opacity", of.as_ref(), &value, is_seen, &selected));
        }
        alphas
    }

    /// Takes opacities from a column. Returns their range, unless an opacity of all rows takes their place.
    fn alphas_by_column(&self, column: usize, alphas: &mut Alphas, misses: &mut Vec<String>) -> Option<[f64; 2]> {
        let numbers = self.only(self.table.numbers(column));
        let clipped = numbers.iter().filter(|number| !(0.0..=1.0).contains(*number)).count();
        // a row whose opacity is missing is opaque
        let opacities = numbers.into_iter().map(|number| if number.is_nan() { 1.0 } else { number.clamp(0.0, 1.0) });
        let (mut least, mut most) = (1.0_f64, 0.0_f64);
        for (opacity, alpha) in opacities.zip(&mut alphas.each) {
            (least, most) = (least.min(opacity), most.max(opacity));
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most 255")]
            let rounded = (opacity * 255.0 + 0.5) as u8;
            *alpha = Some(rounded);
        }
        alphas.is_chosen.fill(true);
        if clipped > 0 {
            let rows = if clipped == 1 { "1 row has".to_owned() } else { format!("{clipped} rows have") };
            misses.push(format!("{rows} an opacity that is missing or not from 0 to 1"));
        }
        let is_replaced = self.resolved.selections.opacity.iter().any(|(of, _)| of.is_none());
        (least <= most && !is_replaced).then_some([least, most])
    }

    /// For each row the last value that selects it; empty if there are no values.
    fn chosen<T: Copy + fmt::Display>(
        &self,
        name: &str,
        given: &[(Option<Expression>, T)],
        misses: &mut Vec<String>,
    ) -> Vec<Option<T>> {
        let mut values = Vec::new();
        // from the last one, which counts
        for (of, new) in given.iter().rev() {
            let selected = self.selected_or_all(of.as_ref());
            values.resize(selected.len(), None);
            let rows = values.iter_mut().zip(&selected).filter(|(_, selected)| **selected).map(|(value, _)| value);
            let mut is_seen = false;
            for value in rows.filter(|value| value.is_none()) {
                (*value, is_seen) = (Some(*new), true);
            }
            misses.extend(self.miss(name, of.as_ref(), new, is_seen, &selected));
        }
        values
    }

    /// Notes on highlights that later ones cover entirely.
    fn replaced_highlights(&self, highlights: &[HighlightedRows]) -> Vec<String> {
        let mut is_set = vec![false; highlights.first().map_or(0, |first| first.rows.len())];
        let mut notes = Vec::new();
        for HighlightedRows { rows, color, .. } in highlights.iter().rev() {
            let is_seen = rows.iter().zip(&is_set).any(|(selected, is_set)| *selected && !is_set);
            if rows.contains(&true) {
                notes.extend(self.miss("highlight", Some(&Expression::All), color, is_seen, rows));
            }
            is_set.iter_mut().zip(rows).for_each(|(is_set, selected)| *is_set |= selected);
        }
        notes
    }

    /// A note about a value that no row gets.
    fn miss(
        &self,
        name: &str,
        of: Option<&Expression>,
        value: &dyn fmt::Display,
        is_seen: bool,
        selected: &[bool],
    ) -> Option<String> {
        if !selected.contains(&true) {
            return Some(format!("the selection of {name} {value} has no row that is drawn"));
        }
        // other frames of one picture may show it
        let is_replaced = !is_seen && !self.resolved.selections.expressions().any(|(_, _, of)| names_frame(of));
        let whose = if of.is_some() { " of a selection" } else { "" };
        is_replaced.then(|| format!("--{name} {value}{whose} changes nothing: later ones select all of its rows"))
    }

    fn note_absent_names(&self, misses: &mut Vec<String>) {
        let lookup = |name: &str| self.resolved.lookup(name);
        for (_, _, of) in self.resolved.selections.expressions() {
            of.absent(self.table, &lookup, &mut |name, absent| {
                let NumberSource::Column(column) = lookup(name) else { return };
                let known = self.table.columns[column].names.iter().filter(|name| !name.is_empty());
                let is_known = |part: &str| known.clone().any(|name| name == part);
                let hint = absent.iter().find_map(|text| spelled_otherwise(name, text, &is_known)).unwrap_or_default();
                let (name, absent) = (shortened(name), did_you_mean::list(absent.iter().copied()));
                misses.push(format!("no row has {name} {absent}{hint} (there are {})", did_you_mean::list(known)));
            });
        }
    }

    /// The places of rows in the order in which they are drawn, if the caller asks for one.
    fn order(&self) -> Option<Vec<usize>> {
        let order = self.resolved.selections.draw_order.as_ref()?;
        let numbers = self.resolved.order.map(|column| self.only(self.table.numbers(column))).unwrap_or_default();
        Some(order.places(&self.only(0..self.kept.len()), &numbers))
    }

    fn labels(&self, misses: &mut Vec<String>) -> Vec<RowLabel> {
        let mut labels = Vec::new();
        for (LabelRequest { of, text }, resolved) in self.resolved.selections.labels.iter().zip(&self.resolved.labels) {
            let selected = of.evaluate(self.table, &|name| self.resolved.lookup(name));
            let is_drawn = |row: &usize| selected[*row] && self.kept[*row];
            let rows: Vec<usize> = (0..self.kept.len()).filter(is_drawn).collect();
            if rows.is_empty() {
                misses.push("a label names nothing that is drawn".to_owned());
            }
            labels.extend(text.labels(self.table, resolved, &rows));
        }
        let mut places = vec![0; self.kept.len()];
        let mut next = 0;
        for (place, kept) in places.iter_mut().zip(self.kept) {
            *place = next;
            next += usize::from(*kept);
        }
        labels.iter_mut().flat_map(|label| &mut label.rows).for_each(|row| *row = places[*row]);
        labels
    }
}

fn names_frame(of: &Expression) -> bool {
    let mut names_frame = false;
    let Ok(()) = of.columns(&mut |name: &str, _: &Expression| -> Result<(), Infallible> {
        names_frame |= name == "frame";
        Ok(())
    });
    names_frame
}

/// Whether one in five atoms that are no water belongs to a lipid.
fn is_membrane(table: &Table<'_>, column: usize) -> bool {
    let residues: Vec<Residue> = table.columns[column].names.iter().map(Residue::of).collect();
    if !residues.contains(&Residue::Lipid) {
        return false;
    }
    let codes = table.codes(column).flatten();
    let (mut dry, mut lipid) = (0_u64, 0_u64);
    for code in codes {
        dry += u64::from(residues[code as usize] != Residue::Water);
        lipid += u64::from(residues[code as usize] == Residue::Lipid);
    }
    5 * lipid >= dry
}

/// Hides water where there are polymers or lipids; returns the number of hidden atoms.
fn hide_water(table: &Table<'_>, column: usize, kept: &mut [bool]) -> usize {
    let residues: Vec<Residue> = table.columns[column].names.iter().map(Residue::of).collect();
    if !residues.iter().any(|residue| matches!(residue, Residue::Protein | Residue::Nucleic | Residue::Lipid)) {
        return 0;
    }
    let codes = table.codes(column);
    let mut hidden = 0;
    for (kept, code) in kept.iter_mut().zip(codes) {
        if code.is_some_and(|code| residues[code as usize] == Residue::Water) {
            hidden += usize::from(*kept);
            *kept = false;
        }
    }
    hidden
}

/// Gives highlighted shapes their colours.
pub(crate) fn highlight<T>(shapes: &mut [T], highlights: &[HighlightedRows], color: impl Fn(&mut T) -> &mut Srgba8) {
    for HighlightedRows { rows, color: new, .. } in highlights {
        let chosen = shapes.iter_mut().zip(rows).filter(|(_, selected)| **selected);
        chosen.for_each(|(shape, _)| *color(shape) = *new);
    }
}
