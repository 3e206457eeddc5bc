//! Which rows are drawn, and which of them are highlighted.

use super::plan::ALIASES;
use crate::color::Srgba8;
use crate::data::{Class, Expression, Item, Kind, Residue, Table};
use crate::io::formats::wanted::{Header, Rule, Wanted};
use crate::io::suggest::{self, shortened};
use crate::scene::spheres::PaintedSphere;

/// Selections of rows, parsed and not yet looked up in a file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Selections {
    /// Rows that are drawn; all if `None`.
    pub(crate) only: Option<Expression>,
    /// Rows that are not drawn.
    pub(crate) hide: Option<Expression>,
    /// Rows with a colour of their own; the last one counts.
    pub(crate) highlight: Vec<(Expression, Srgba8)>,
    /// Rows with an alpha of their own, all of them without an expression; the last one counts.
    pub(crate) opacity: Vec<(Option<Expression>, u8)>,
    /// A column of opacities.
    pub(crate) opacity_by: Option<String>,
    /// Hide water beside polymers, if neither `only` nor `hide` is given.
    pub(crate) hides_water: bool,
}

/// A selection that cannot be evaluated.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BadSelection {
    pub(crate) key: &'static str,
    /// Its place among several highlights, from 0.
    pub(crate) index: usize,
    /// The rule it breaks; continues a message that begins with the flag or key.
    pub(crate) rule: String,
}

/// Selections whose columns are part of a table.
#[derive(Debug, Default)]
pub(super) struct ResolvedSelections {
    selections: Selections,
    /// Columns by the names that selections give them.
    columns: Vec<(String, usize)>,
    /// The column of residues, if water may be hidden.
    residues: Option<usize>,
    /// The column of opacities.
    opacities: Option<usize>,
}

/// Rows after selection.
#[derive(Debug, Default)]
pub(super) struct Selected {
    /// Whether each row is drawn.
    pub(super) kept: Vec<bool>,
    /// For each highlight, whether each row that is drawn has it, and its colour.
    pub(super) highlights: Vec<(Vec<bool>, Srgba8)>,
    /// Atoms of water that are hidden by default.
    pub(super) hidden_water: usize,
    /// The alpha of each row that is drawn, if rows have some of their own.
    pub(super) alphas: Alphas,
    /// Selected names that no row has, and highlights of nothing, which are probably mistakes.
    pub(super) misses: Vec<String>,
}

/// The alphas of rows.
#[derive(Debug, Default)]
pub(crate) struct Alphas {
    /// For each row that is drawn its alpha, if it has one of its own; empty if none has.
    each: Vec<Option<u8>>,
    /// Whether a selection gave a row its alpha.
    is_chosen: Vec<bool>,
    /// The alpha of all others.
    all: Option<u8>,
}

impl Alphas {
    /// One alpha for all rows, or none.
    pub(super) fn all(all: Option<u8>) -> Self {
        Self { all, ..Self::default() }
    }

    /// The one alpha of all rows.
    pub(super) fn one(&self) -> Option<u8> {
        self.all.filter(|_| self.each.is_empty())
    }

    /// Gives spheres their alphas.
    pub(super) fn apply(&self, spheres: &mut [PaintedSphere]) {
        if let Some(all) = self.one() {
            spheres.iter_mut().for_each(|sphere| sphere.color.a = all);
        }
        for (sphere, alpha) in spheres.iter_mut().zip(&self.each) {
            if let Some(alpha) = alpha {
                sphere.color.a = *alpha;
            }
        }
    }

    /// Gives highlighted spheres the alphas that selections chose for them back.
    pub(super) fn restore(&self, spheres: &mut [PaintedSphere]) {
        for ((sphere, alpha), is_chosen) in spheres.iter_mut().zip(&self.each).zip(&self.is_chosen) {
            if let (Some(alpha), true, u8::MAX) = (alpha, is_chosen, sphere.color.a) {
                sphere.color.a = *alpha;
            }
        }
    }
}

impl Selections {
    /// Whether all rows are drawn, as far as the caller says, and none looks different from what its columns say.
    pub(super) fn is_empty(&self) -> bool {
        let is_plain = self.opacity_by.is_none() && self.opacity.iter().all(|(rows, _)| rows.is_none());
        self.only.is_none() && self.hide.is_none() && self.highlight.is_empty() && is_plain
    }

    /// The alpha of all rows, if no row has one of its own.
    pub(super) fn one_alpha(&self) -> Option<u8> {
        self.opacity.last().filter(|(rows, _)| rows.is_none()).map(|(_, alpha)| *alpha)
    }

    /// Looks up the columns of the selections, and adds them to those that are wanted.
    pub(super) fn resolve(
        &self,
        file: &str,
        header: &Header,
        wanted: &mut Wanted,
    ) -> Result<ResolvedSelections, BadSelection> {
        let mut columns = Vec::new();
        let highlights = self.highlight.iter().enumerate().map(|(index, (of, _))| ("highlight", index, of));
        let only = self.only.iter().map(|of| ("only", 0, of));
        let hide = self.hide.iter().map(|of| ("hide", 0, of));
        let opacities = self.opacity.iter().enumerate();
        let opacities = opacities.filter_map(|(index, (of, _))| Some(("opacity", index, of.as_ref()?)));
        for (key, index, expression) in only.chain(hide).chain(highlights).chain(opacities) {
            let mut resolve = |name: &str, part: &Expression| {
                let (field, kind) = find(file, header, name, part).map_err(|rule| BadSelection { key, index, rule })?;
                columns.push((name.to_owned(), wanted.column(field, kind, Rule::Any)));
                Ok(())
            };
            expression.columns(&mut resolve)?;
        }
        let residues = header.find(Class::Water.column()).filter(|_| self.hides_water && header.has_positions);
        let residues = residues.filter(|_| self.only.is_none() && self.hide.is_none());
        let residues = residues.map(|field| wanted.column(field, Kind::Name, Rule::Any));
        let opacities = self.opacity_by.as_ref().map(|name| {
            let alias = || {
                ALIASES.iter().find(|(alias, _)| alias.eq_ignore_ascii_case(name)).and_then(|(_, of)| header.find(of))
            };
            let field = header.find(name).or_else(alias).ok_or_else(|| {
                let hint = suggest::column_hint(name, header.names());
                let rule = format!("must be a column of {file}, got {:?}{hint}", shortened(name));
                BadSelection { key: "opacity_by", index: 0, rule }
            })?;
            if matches!(header.fields[field].kind, Kind::Name | Kind::Color) {
                let rule = format!("must be a column of numbers, got {}, which has names", shortened(name));
                return Err(BadSelection { key: "opacity_by", index: 0, rule });
            }
            Ok(wanted.column(field, Kind::F64, Rule::Any))
        });
        Ok(ResolvedSelections { selections: self.clone(), columns, residues, opacities: opacities.transpose()? })
    }
}

/// The field that part of a selection tests, and the type in which it is tested; or the rule that is broken.
fn find(file: &str, header: &Header, name: &str, part: &Expression) -> Result<(usize, Kind), String> {
    let alias =
        || ALIASES.iter().find(|(alias, _)| alias.eq_ignore_ascii_case(name)).and_then(|(_, of)| header.find(of));
    let field = header.find(name).or_else(alias).ok_or_else(|| match part {
        Expression::Class(class) => {
            format!("{} needs a column {name}, which {file} does not have", class.word())
        }
        _ => {
            let hint = suggest::column_hint(name, header.names());
            format!("must name columns of {file}, got {:?}{hint}", shortened(name))
        }
    })?;
    let kind = match header.fields[field].kind {
        Kind::Name | Kind::Color => Kind::Name,
        Kind::Integer => Kind::Integer,
        Kind::F32 | Kind::F64 => Kind::F64,
    };
    match part {
        Expression::Class(_) => Ok((field, Kind::Name)),
        Expression::Compare { .. } if kind == Kind::Name => {
            Err(format!("compares {}, which has names, with a number", shortened(name)))
        }
        Expression::Items { items, .. } => {
            let wrong = |item: &&Item| {
                if kind == Kind::Name { matches!(item, Item::Range(..)) } else { item.range().is_none() }
            };
            match items.iter().find(wrong) {
                Some(Item::Range(first, last)) => {
                    Err(format!("must have names for {}, got {first}:{last}", shortened(name)))
                }
                Some(Item::Name(text)) => Err(format!(
                    "must have numbers, or ranges such as 10:20, for {}, got {:?}",
                    shortened(name),
                    shortened(text)
                )),
                None => Ok((field, kind)),
            }
        }
        _ => Ok((field, kind)),
    }
}

impl ResolvedSelections {
    /// The rows that are drawn.
    pub(super) fn select(&self, table: &Table<'_>) -> Selected {
        let lookup = |name: &str| {
            let known = self.columns.iter().find(|(known, _)| known == name);
            known.map(|(_, column)| *column).expect("all columns were looked up")
        };
        let Selections { only, hide, highlight, opacity, .. } = &self.selections;
        let mut kept = only.as_ref().map_or_else(|| vec![true; table.rows()], |only| only.evaluate(table, &lookup));
        if let Some(hide) = hide {
            let hidden = hide.evaluate(table, &lookup);
            kept.iter_mut().zip(hidden).for_each(|(kept, hidden)| *kept &= !hidden);
        }
        let hidden_water = self.residues.map_or(0, |column| hide_water(table, column, &mut kept));
        let colored = |(of, color): &(Expression, Srgba8)| {
            let all = of.evaluate(table, &lookup);
            (all.into_iter().zip(&kept).filter(|(_, kept)| **kept).map(|(selected, _)| selected).collect(), *color)
        };
        let highlights: Vec<(Vec<bool>, Srgba8)> = highlight.iter().map(colored).collect();
        let of_kept = |all: Vec<bool>| -> Vec<bool> {
            all.into_iter().zip(&kept).filter(|(_, kept)| **kept).map(|(selected, _)| selected).collect()
        };
        let mut alphas = Alphas::all(self.selections.one_alpha().filter(|_| self.opacities.is_none()));
        let mut misses = Vec::new();
        if self.opacities.is_some() || opacity.iter().any(|(of, _)| of.is_some()) {
            let rows = kept.iter().filter(|kept| **kept).count();
            (alphas.each, alphas.is_chosen) = (vec![None; rows], vec![false; rows]);
            if let Some(column) = self.opacities {
                let numbers = table.numbers(column).zip(&kept).filter(|(_, kept)| **kept).map(|(number, _)| number);
                let mut clipped = 0;
                for (number, (alpha, is_chosen)) in numbers.zip(alphas.each.iter_mut().zip(&mut alphas.is_chosen)) {
                    clipped += usize::from(!(0.0..=1.0).contains(&number));
                    // a row whose opacity is missing is opaque
                    let opacity = if number.is_nan() { 1.0 } else { number.clamp(0.0, 1.0) };
                    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most 255")]
                    let rounded = (opacity * 255.0 + 0.5) as u8;
                    (*alpha, *is_chosen) = (Some(rounded), true);
                }
                if clipped > 0 {
                    let rows = if clipped == 1 { "1 row has".to_owned() } else { format!("{clipped} rows have") };
                    misses.push(format!("{rows} an opacity that is missing or not from 0 to 1"));
                }
            }
            for (of, new) in opacity {
                let selected = of.as_ref().map_or_else(|| vec![true; rows], |of| of_kept(of.evaluate(table, &lookup)));
                if !selected.contains(&true) {
                    misses.push(format!("no row has opacity {}", f32::from(*new) / 255.0));
                }
                for ((selected, alpha), is_chosen) in
                    selected.into_iter().zip(&mut alphas.each).zip(&mut alphas.is_chosen)
                {
                    if selected {
                        (*alpha, *is_chosen) = (Some(*new), of.is_some());
                    }
                }
            }
        }
        let of_opacity = opacity.iter().filter_map(|(of, _)| of.as_ref());
        for of in only.iter().chain(hide).chain(highlight.iter().map(|(of, _)| of)).chain(of_opacity) {
            of.absent(table, &lookup, &mut |name, absent| {
                let known = table.columns[lookup(name)].names.iter().filter(|name| !name.is_empty());
                let (name, absent) = (shortened(name), suggest::list(absent.iter().copied()));
                misses.push(format!("no row has {name} {absent} (there are {})", suggest::list(known)));
            });
        }
        if misses.is_empty() {
            let is_empty = |(selected, _): &&(Vec<bool>, Srgba8)| !selected.contains(&true);
            misses.extend(
                highlights.iter().filter(is_empty).map(|(_, color)| format!("nothing is highlighted in {color}")),
            );
        }
        Selected { kept, highlights, alphas, hidden_water, misses }
    }
}

/// Hides water where there are polymers; how many atoms that are.
fn hide_water(table: &Table<'_>, column: usize, kept: &mut [bool]) -> usize {
    let residues: Vec<Residue> = table.columns[column].names.iter().map(Residue::of).collect();
    if !residues.iter().any(|residue| matches!(residue, Residue::Protein | Residue::Nucleic)) {
        return 0;
    }
    let codes = table.values(column).flat_map(|values| (0..values.len()).map(|row| values.code(row)));
    let mut hidden = 0;
    for (kept, code) in kept.iter_mut().zip(codes) {
        if code.is_some_and(|code| residues[code as usize] == Residue::Water) {
            *kept = false;
            hidden += 1;
        }
    }
    hidden
}

/// Gives highlighted shapes their colours.
pub(crate) fn highlight<T>(
    shapes: &mut [T],
    highlights: &[(Vec<bool>, Srgba8)],
    color: impl Fn(&mut T) -> &mut Srgba8,
) {
    for (selected, new) in highlights {
        let chosen = shapes.iter_mut().zip(selected).filter(|(_, selected)| **selected);
        chosen.for_each(|(shape, _)| *color(shape) = *new);
    }
}
