//! Which rows are drawn, and which of them are highlighted.

use std::convert::Infallible;

use super::alphas::Alphas;
use super::column_plan::ALIASES;
use super::labels::{LabelRequest, ResolvedLabel, RowLabel};
use super::molecule_style::MoleculeStyle;
use crate::color::Srgba8;
use crate::data::{Class, Expression, Kind, ListItem, NumberSource, RESIDUE, Residue, Table};
use crate::io::did_you_mean::{self, shortened};
use crate::io::formats::wanted::{Axes, Header, ValueRule, Wanted};
use crate::scene::spheres::{Gloss, SphereGroup};

/// Selections of rows, parsed and not yet looked up in a file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Selections {
    /// Rows that are drawn; all if `None`.
    pub(crate) only: Option<Expression>,
    /// Rows that are not drawn.
    pub(crate) hide: Option<Expression>,
    /// Rows with a colour of their own; the last one counts.
    pub(crate) highlight: Vec<Highlight>,
    /// Rows with an alpha of their own, all of them without an expression; the last one counts.
    pub(crate) opacity: Vec<(Option<Expression>, u8)>,
    /// A column of opacities.
    pub(crate) opacity_by: Option<String>,
    /// Rows with a style of their own, all of them without an expression; the last one counts.
    pub(crate) style: Vec<(Option<Expression>, MoleculeStyle)>,
    /// Rows with highlights of their own, all of them without an expression; the last one counts.
    pub(crate) gloss: Vec<(Option<Expression>, Gloss)>,
    /// Rows with a radius of their own; the last one counts.
    pub(crate) radius: Vec<(Expression, f32)>,
    /// Rows to look at.
    pub(crate) focus: Option<Expression>,
    /// Rows whose principal axis points to the eye.
    pub(crate) along: Option<Expression>,
    /// Rows that are moved to the middle of the box.
    pub(crate) center: Option<Expression>,
    /// Labels beside rows.
    pub(crate) labels: Vec<LabelRequest>,
    /// Hide water beside polymers and lipids, unless `only` is given or `hide` says something about water.
    pub(crate) hides_water: bool,
}

impl Selections {
    /// A note that copies are selected by the place and the number of their original, if that is the case.
    pub(crate) fn note_of_copies(&self, file: &str, groups: &[SphereGroup<'_>]) -> Option<String> {
        let Self { only, hide, highlight, opacity, style, gloss, radius, focus, .. } = self;
        let mut word = None;
        let mut look_at = |name: &str, _: &Expression| -> Result<(), Infallible> {
            word = word.or(["x", "y", "z", "index"].into_iter().find(|known| *known == name));
            Ok(())
        };
        let expressions = [only, hide, focus].into_iter().flatten();
        let of_rows = highlight.iter().map(|highlight| &highlight.of).chain(radius.iter().map(|(of, _)| of));
        let chosen = opacity.iter().map(|(of, _)| of).chain(style.iter().map(|(of, _)| of));
        let chosen = chosen.chain(gloss.iter().map(|(of, _)| of)).flatten();
        for expression in expressions.chain(of_rows).chain(chosen) {
            let Ok(()) = expression.columns(&mut look_at);
        }
        let has_copies = groups.iter().any(|group| group.poses.len() > 1);
        word.filter(|_| has_copies).map(|word| {
            format!("{file}: selections by {word} take that of the file: copies are selected with their original")
        })
    }
}

/// Rows with a colour of their own.
#[derive(Clone, Debug)]
pub(crate) struct Highlight {
    pub(crate) of: Expression,
    pub(crate) color: Srgba8,
    /// Its name in legends.
    pub(crate) label: String,
}

/// The rows of a highlight.
#[derive(Clone, Debug)]
pub(crate) struct HighlightedRows {
    /// Whether each row that is drawn has it.
    pub(crate) rows: Vec<bool>,
    pub(crate) color: Srgba8,
    pub(crate) label: String,
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
    /// Sources of values by the names that selections give them.
    sources: Vec<(String, NumberSource)>,
    /// The column of residues, if water may be hidden.
    residues: Option<usize>,
    /// Whether it is.
    hides_water: bool,
    /// The column of opacities.
    opacities: Option<usize>,
    /// The columns of labels.
    labels: Vec<ResolvedLabel>,
}

/// Rows after selection.
#[derive(Debug, Default)]
pub(super) struct Selected {
    /// Whether each row is drawn.
    pub(super) kept: Vec<bool>,
    pub(super) highlights: Vec<HighlightedRows>,
    /// Atoms of water that are hidden by default.
    pub(super) hidden_water: usize,
    /// The alpha of each row that is drawn, if rows have some of their own.
    pub(super) alphas: Alphas,
    /// The style of each row that is drawn, if it has one of its own; empty if none has.
    pub(super) styles: Vec<Option<MoleculeStyle>>,
    /// The highlights of each row that is drawn, if it has some of its own; empty if none has.
    pub(super) gloss: Vec<Option<Gloss>>,
    /// Radii that selections give to rows that are drawn.
    pub(super) radii: Vec<(Vec<bool>, f32)>,
    /// The rows that are drawn to look at.
    pub(super) focus: Option<Vec<bool>>,
    /// The rows that are drawn whose principal axis points to the eye.
    pub(super) along: Option<Vec<bool>>,
    /// Labels of rows that are drawn, by their places among these.
    pub(super) labels: Vec<RowLabel>,
    /// Selected names that no row has, and highlights of nothing, which are probably mistakes.
    pub(super) misses: Vec<String>,
    /// Whether the rows are a membrane, all of them counted.
    pub(super) is_membrane: bool,
}

impl Selections {
    /// Whether the caller neither leaves out rows nor changes how any row looks.
    pub(super) fn is_empty(&self) -> bool {
        let is_plain = self.opacity_by.is_none() && self.opacity.iter().all(|(rows, _)| rows.is_none());
        let is_plain = is_plain && self.style.is_empty() && self.gloss.is_empty();
        let is_whole = self.only.is_none()
            && self.hide.is_none()
            && self.focus.is_none()
            && self.center.is_none()
            && self.along.is_none();
        let is_whole = is_whole && self.labels.is_empty();
        is_whole && self.highlight.is_empty() && self.radius.is_empty() && is_plain
    }

    /// The alpha of all rows, if no row has one of its own.
    pub(super) fn one_alpha(&self) -> Option<u8> {
        self.opacity.last().filter(|(rows, _)| rows.is_none()).map(|(_, alpha)| *alpha)
    }

    /// The selections with words that could be columns or formulas settled.
    fn settled(&self, header: &Header) -> Self {
        let mut selections = self.clone();
        let parts = selections.only.iter_mut().chain(&mut selections.hide);
        let parts = parts.chain(selections.highlight.iter_mut().map(|highlight| &mut highlight.of));
        let parts = parts.chain(selections.style.iter_mut().filter_map(|(of, _)| of.as_mut()));
        let parts = parts.chain(selections.gloss.iter_mut().filter_map(|(of, _)| of.as_mut()));
        let parts = parts.chain(selections.radius.iter_mut().map(|(of, _)| of)).chain(&mut selections.focus);
        let parts = parts
            .chain(&mut selections.along)
            .chain(&mut selections.center)
            .chain(selections.labels.iter_mut().map(|label| &mut label.of));
        let parts = parts.chain(selections.opacity.iter_mut().filter_map(|(of, _)| of.as_mut()));
        parts.for_each(|of| of.settle(&|name| header.find(name).is_some()));
        selections
    }

    /// Resolves the columns of the selections and adds them to the request.
    pub(super) fn resolve(
        &self,
        file: &str,
        header: &Header,
        wanted: &mut Wanted,
    ) -> Result<ResolvedSelections, BadSelection> {
        let selections = self.settled(header);
        let mut sources = Vec::new();
        let highlights =
            selections.highlight.iter().enumerate().map(|(index, Highlight { of, .. })| ("highlight", index, of));
        let only = selections.only.iter().map(|of| ("only", 0, of));
        let hide = selections.hide.iter().map(|of| ("hide", 0, of));
        let opacities = selections.opacity.iter().enumerate();
        let opacities = opacities.filter_map(|(index, (of, _))| Some(("opacity", index, of.as_ref()?)));
        let styles = selections.style.iter().enumerate();
        let styles = styles.filter_map(|(index, (of, _))| Some(("style", index, of.as_ref()?)));
        let styles = styles.chain(
            selections.gloss.iter().enumerate().filter_map(|(index, (of, _))| Some(("gloss", index, of.as_ref()?))),
        );
        let radii = selections.radius.iter().enumerate().map(|(index, (of, _))| ("radius", index, of));
        let focus = selections.focus.iter().map(|of| ("focus", 0, of));
        let center = selections.center.iter().map(|of| ("center", 0, of));
        let columns = only.chain(hide).chain(highlights).chain(opacities).chain(styles).chain(radii);
        let labels = selections.labels.iter().enumerate().map(|(index, label)| ("label", index, &label.of));
        let along = selections.along.iter().map(|of| ("view", 0, of));
        let columns = columns.chain(focus).chain(along).chain(center).chain(labels);
        for (key, index, expression) in columns {
            let found = expression_sources((file, header), expression, wanted);
            sources.extend(found.map_err(|rule| BadSelection { key, index, rule })?);
        }
        let residues = header.find(Class::RESIDUES).filter(|_| self.hides_water && header.has_positions);
        let hides_water = self.only.is_none() && !self.hide.as_ref().is_some_and(Expression::decides_on_water);
        let residues = residues.map(|field| wanted.column(field, Kind::Name, ValueRule::Any));
        let opacities = self.opacity_by.as_ref().map(|name| {
            let alias = || {
                ALIASES.iter().find(|(alias, _)| alias.eq_ignore_ascii_case(name)).and_then(|(_, of)| header.find(of))
            };
            let field = header.find(name).or_else(alias).ok_or_else(|| {
                let hint = did_you_mean::column_hint(name, header.names());
                let rule = format!("must be a column of {file}, got {:?}{hint}", shortened(name));
                BadSelection { key: "opacity_by", index: 0, rule }
            })?;
            if matches!(header.fields[field].kind, Kind::Name | Kind::Color) {
                let rule = format!("must be a column of numbers, got {}, which has names", shortened(name));
                return Err(BadSelection { key: "opacity_by", index: 0, rule });
            }
            Ok(wanted.column(field, Kind::F64, ValueRule::Any))
        });
        let opacities = opacities.transpose()?;
        let axes = wanted.axes;
        let resolved = |(index, label): (usize, &LabelRequest)| {
            let place = |name: &str| place(header, axes, name, &Expression::All)?.ok();
            let resolved = label.text.resolve((file, header), wanted, &place);
            resolved.map_err(|bad| BadSelection { index, ..bad })
        };
        let labels = selections.labels.iter().enumerate().map(resolved).collect::<Result<_, _>>()?;
        Ok(ResolvedSelections { selections, sources, residues, hides_water, opacities, labels })
    }
}

/// The sources of the values that a selection tests, by the names that it gives them; their columns are added to the wanted ones.
///
/// # Errors
/// The rule that a part breaks.
pub(super) fn expression_sources(
    (file, header): (&str, &Header),
    expression: &Expression,
    wanted: &mut Wanted,
) -> Result<Vec<(String, NumberSource)>, String> {
    let mut sources = Vec::new();
    let mut resolve = |name: &str, part: &Expression| -> Result<(), String> {
        // of the columns that tell residues apart, files have some
        if matches!(part, Expression::Same { column: None, .. }) && name != RESIDUE[0] && header.find(name).is_none() {
            sources.push((name.to_owned(), NumberSource::Index));
            return Ok(());
        }
        let source = match place(header, wanted.axes, name, part) {
            Some(source) => source?,
            None => {
                let (field, kind) = find(file, header, name, part)
                    .map_err(|rule| rule + &joined_before(expression, name).unwrap_or_default())?;
                NumberSource::Column(wanted.column(field, kind, ValueRule::Any))
            }
        };
        sources.push((name.to_owned(), source));
        Ok(())
    };
    expression.columns(&mut resolve)?;
    Ok(sources)
}

/// The source of the words x, y, z and index where no column has that name; or the rule that is broken.
fn place(header: &Header, axes: Axes, name: &str, part: &Expression) -> Option<Result<NumberSource, String>> {
    let is_known = |name: &str| header.find(name).is_some();
    let dimensions = match axes {
        Axes::None => 0,
        Axes::Plane(_) => 2,
        Axes::Own | Axes::Space(_) => 3,
    };
    let source = match name {
        "index" if !is_known(name) => NumberSource::Index,
        _ => NumberSource::Axis(
            ["x", "y", "z"].iter().take(dimensions).position(|axis| *axis == name && !is_known(axis))?,
        ),
    };
    Some(match part {
        Expression::Items { items, .. } => check_items(name, Kind::F64, items).map(|()| source),
        _ => Ok(source),
    })
}

/// A hint for a word behind `or` or `and` that names no column: in `state CA OR WA` all three may be states.
fn joined_before(expression: &Expression, name: &str) -> Option<String> {
    let (word, terms) = match expression {
        Expression::Or(terms) => ("or", terms),
        Expression::And(terms) => ("and", terms),
        Expression::Not(of) | Expression::Within { of, .. } | Expression::Same { of, .. } => {
            return joined_before(of, name);
        }
        _ => return None,
    };
    let is_first = |part: &Expression| {
        let mut first = None;
        let _ = part.columns(&mut |column: &str, _: &Expression| {
            first = Some(column.to_owned());
            Err(())
        });
        first.as_deref() == Some(name)
    };
    for (before, term) in terms.iter().zip(terms.iter().skip(1)) {
        if let (Expression::Items { column, .. }, true) = (last_part(before), is_first(term)) {
            let (column, quoted) = (shortened(column), word.to_uppercase());
            return Some(format!("; {word} joins two conditions: as a value of {column} it is quoted, '{quoted}'"));
        }
    }
    terms.iter().find_map(|term| joined_before(term, name))
}

/// The part of a selection that stands last in its text.
fn last_part(expression: &Expression) -> &Expression {
    match expression {
        Expression::Or(terms) | Expression::And(terms) => terms.last().map_or(expression, last_part),
        Expression::Not(of) | Expression::Within { of, .. } | Expression::Same { of, .. } => last_part(of),
        part => part,
    }
}

/// The field and type that a part of a selection tests, or the broken rule.
fn find(file: &str, header: &Header, name: &str, part: &Expression) -> Result<(usize, Kind), String> {
    let alias =
        || ALIASES.iter().find(|(alias, _)| alias.eq_ignore_ascii_case(name)).and_then(|(_, of)| header.find(of));
    let field = header.find(name).or_else(alias).ok_or_else(|| match part {
        Expression::Class(class) => {
            format!("{} needs a column {name}, which {file} does not have", class.word())
        }
        Expression::Same { column: None, .. } => {
            format!("byres needs a column {name}, which {file} does not have; `same COLUMN as` compares any column")
        }
        _ => {
            let hint = did_you_mean::column_hint(name, header.names());
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
        Expression::Items { items, .. } => check_items(name, kind, items).map(|()| (field, kind)),
        _ => Ok((field, kind)),
    }
}

/// Refuses ranges where a column has names, and names where it has numbers.
fn check_items(name: &str, kind: Kind, items: &[ListItem]) -> Result<(), String> {
    let wrong = |item: &&ListItem| {
        if kind == Kind::Name { matches!(item, ListItem::Range(..)) } else { item.range().is_none() }
    };
    match items.iter().find(wrong) {
        Some(ListItem::Range(first, last)) => {
            Err(format!("must have names for {}, got {first}:{last}", shortened(name)))
        }
        Some(ListItem::Name(text)) => Err(format!(
            "must have numbers, or ranges such as 10:20, for {}, got {:?}",
            shortened(name),
            shortened(text)
        )),
        None => Ok(()),
    }
}

impl ResolvedSelections {
    /// The source of numbers that a selection's name stands for.
    fn lookup(&self, name: &str) -> NumberSource {
        let known = self.sources.iter().find(|(known, _)| known == name);
        known.map(|(_, source)| *source).expect("all columns were looked up")
    }

    /// The labels of the rows that are drawn. Those that label none are noted.
    fn labels(&self, table: &Table<'_>, kept: &[bool], misses: &mut Vec<String>) -> Vec<RowLabel> {
        let mut labels = Vec::new();
        for (LabelRequest { of, text }, resolved) in self.selections.labels.iter().zip(&self.labels) {
            let selected = of.evaluate(table, &|name| self.lookup(name));
            let is_drawn = |row: &usize| selected[*row] && kept[*row];
            let rows: Vec<usize> = (0..kept.len()).filter(is_drawn).collect();
            if rows.is_empty() {
                misses.push("a label names nothing that is drawn".to_owned());
            }
            labels.extend(text.labels(table, resolved, &rows));
        }
        let mut places = vec![0; kept.len()];
        let mut next = 0;
        for (place, kept) in places.iter_mut().zip(kept) {
            *place = next;
            next += usize::from(*kept);
        }
        labels.iter_mut().flat_map(|label| &mut label.rows).for_each(|row| *row = places[*row]);
        labels
    }

    /// The rows that are moved to the middle of the box, if there are to be some.
    pub(super) fn centered(&self, table: &Table<'_>) -> Option<Result<Vec<bool>, BadSelection>> {
        let rows = self.selections.center.as_ref()?.evaluate(table, &|name| self.lookup(name));
        let rule = || BadSelection { key: "center", index: 0, rule: "must select a row; none is selected".to_owned() };
        Some(if rows.contains(&true) { Ok(rows) } else { Err(rule()) })
    }

    /// The rows that are drawn.
    pub(super) fn select(&self, table: &Table<'_>) -> Selected {
        let lookup = |name: &str| self.lookup(name);
        let Selections { only, hide, highlight, opacity, style, gloss, .. } = &self.selections;
        let mut kept = only.as_ref().map_or_else(|| vec![true; table.rows()], |only| only.evaluate(table, &lookup));
        if let Some(hide) = hide {
            let hidden = hide.evaluate(table, &lookup);
            kept.iter_mut().zip(hidden).for_each(|(kept, hidden)| *kept &= !hidden);
        }
        let hidden = self.residues.filter(|_| self.hides_water);
        let hidden_water = hidden.map_or(0, |column| hide_water(table, column, &mut kept));
        let is_membrane = self.residues.is_some_and(|column| is_membrane(table, column));
        let colored = |Highlight { of, color, label }: &Highlight| {
            let all = of.evaluate(table, &lookup);
            let rows = all.into_iter().zip(&kept).filter(|(_, kept)| **kept).map(|(selected, _)| selected).collect();
            HighlightedRows { rows, color: *color, label: label.clone() }
        };
        let highlights: Vec<HighlightedRows> = highlight.iter().map(colored).collect();
        let of_kept = |all: Vec<bool>| -> Vec<bool> {
            all.into_iter().zip(&kept).filter(|(_, kept)| **kept).map(|(selected, _)| selected).collect()
        };
        let mut alphas = Alphas::all(self.selections.one_alpha().filter(|_| self.opacities.is_none()));
        let mut misses = Vec::new();
        let all_rows = opacity.iter().rposition(|(of, _)| of.is_none());
        if self.opacities.is_some() || opacity.iter().any(|(of, _)| of.is_some()) {
            let rows = kept.iter().filter(|kept| **kept).count();
            (alphas.each, alphas.is_chosen) = (vec![None; rows], vec![false; rows]);
            if let Some(column) = self.opacities {
                let numbers = table.numbers(column).zip(&kept).filter(|(_, kept)| **kept).map(|(number, _)| number);
                let mut clipped = 0;
                let (mut least, mut most) = (1.0_f64, 0.0_f64);
                for (number, (alpha, is_chosen)) in numbers.zip(alphas.each.iter_mut().zip(&mut alphas.is_chosen)) {
                    clipped += usize::from(!(0.0..=1.0).contains(&number));
                    // a row whose opacity is missing is opaque
                    let opacity = if number.is_nan() { 1.0 } else { number.clamp(0.0, 1.0) };
                    (least, most) = (least.min(opacity), most.max(opacity));
                    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most 255")]
                    let rounded = (opacity * 255.0 + 0.5) as u8;
                    (*alpha, *is_chosen) = (Some(rounded), true);
                }
                if least <= most && all_rows.is_none() {
                    alphas.by_column = Some((table.columns[column].name.clone(), [least, most]));
                }
                if clipped > 0 {
                    let rows = if clipped == 1 { "1 row has".to_owned() } else { format!("{clipped} rows have") };
                    misses.push(format!("{rows} an opacity that is missing or not from 0 to 1"));
                }
            }
            for (of, new) in opacity {
                let selected = of.as_ref().map_or_else(|| vec![true; rows], |of| of_kept(of.evaluate(table, &lookup)));
                if !selected.contains(&true) {
                    misses.push(format!("no row has opacity {}", (f64::from(*new) / 2.55).round() / 100.0));
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
        let mut styles = Vec::new();
        for (of, new) in style {
            let rows = kept.iter().filter(|kept| **kept).count();
            styles.resize(rows, None);
            let selected = of.as_ref().map_or_else(|| vec![true; rows], |of| of_kept(of.evaluate(table, &lookup)));
            if !selected.contains(&true) {
                misses.push(format!("no row has style {new}"));
            }
            let chosen = styles.iter_mut().zip(selected).filter(|(_, selected)| *selected);
            chosen.for_each(|(style, _)| *style = Some(*new));
        }
        let mut glosses = Vec::new();
        for (of, new) in gloss {
            let rows = kept.iter().filter(|kept| **kept).count();
            glosses.resize(rows, None);
            let selected = of.as_ref().map_or_else(|| vec![true; rows], |of| of_kept(of.evaluate(table, &lookup)));
            if !selected.contains(&true) {
                misses.push(format!("no row has gloss {new}"));
            }
            let chosen = glosses.iter_mut().zip(selected).filter(|(_, selected)| *selected);
            chosen.for_each(|(gloss, _)| *gloss = Some(*new));
        }
        let of_style = style.iter().filter_map(|(of, _)| of.as_ref());
        let of_style = of_style.chain(gloss.iter().filter_map(|(of, _)| of.as_ref()));
        let of_opacity = opacity.iter().filter_map(|(of, _)| of.as_ref());
        let of_opacity =
            of_opacity.chain(self.selections.radius.iter().map(|(of, _)| of)).chain(&self.selections.focus);
        let of_opacity = of_opacity
            .chain(&self.selections.along)
            .chain(&self.selections.center)
            .chain(self.selections.labels.iter().map(|label| &label.of));
        for of in only
            .iter()
            .chain(hide)
            .chain(highlight.iter().map(|highlight| &highlight.of))
            .chain(of_opacity)
            .chain(of_style)
        {
            of.absent(table, &lookup, &mut |name, absent| {
                let NumberSource::Column(column) = lookup(name) else { return };
                let known = table.columns[column].names.iter().filter(|name| !name.is_empty());
                let (name, absent) = (shortened(name), did_you_mean::list(absent.iter().copied()));
                misses.push(format!("no row has {name} {absent} (there are {})", did_you_mean::list(known)));
            });
        }
        if misses.is_empty() {
            // of several frames in one picture, others may have it
            let is_of_frame = |highlight: &Highlight| {
                let mut names_frame = false;
                let Ok(()) = highlight.of.columns(&mut |name: &str, _: &Expression| -> Result<(), Infallible> {
                    names_frame |= name == "frame";
                    Ok(())
                });
                names_frame
            };
            let empty =
                highlights.iter().zip(highlight).filter(|(rows, of)| !rows.rows.contains(&true) && !is_of_frame(of));
            let empty = empty.map(|(rows, _)| rows);
            misses.extend(empty.map(|highlight| format!("nothing is highlighted in {}", highlight.color)));
        }
        let idle = [overridden("opacity", opacity), overridden("style", style), overridden("gloss", gloss)];
        misses.extend(idle.into_iter().flatten());
        if self.opacities.is_some() && all_rows.is_some() {
            misses.push("--opacity-by changes nothing: --opacity of all rows takes its place".to_owned());
        }
        let radii: Vec<(Vec<bool>, f32)> =
            self.selections.radius.iter().map(|(of, radius)| (of_kept(of.evaluate(table, &lookup)), *radius)).collect();
        let empty = radii.iter().filter(|(rows, _)| !rows.contains(&true));
        misses.extend(empty.map(|(_, radius)| format!("no row has the radius {radius}")));
        let focus = self.selections.focus.as_ref().map(|of| of_kept(of.evaluate(table, &lookup)));
        if focus.as_ref().is_some_and(|rows| !rows.contains(&true)) {
            misses.push("nothing that is drawn is in the focus".to_owned());
        }
        let gloss = glosses;
        let along = self.selections.along.as_ref().map(|of| of_kept(of.evaluate(table, &lookup)));
        let labels = self.labels(table, &kept, &mut misses);
        Selected {
            along,
            kept,
            highlights,
            alphas,
            styles,
            gloss,
            hidden_water,
            misses,
            is_membrane,
            radii,
            focus,
            labels,
        }
    }
}

/// A note about selections whose values are replaced by a later value for all rows.
fn overridden<T>(name: &str, given: &[(Option<Expression>, T)]) -> Option<String> {
    let last = given.iter().rposition(|(of, _)| of.is_none())?;
    let before = given[..last].iter().any(|(of, _)| of.is_some());
    before.then(|| format!("--{name} of a selection changes nothing: a later one is that of all rows"))
}

/// Whether one in five atoms that are no water belongs to a lipid.
fn is_membrane(table: &Table<'_>, column: usize) -> bool {
    let residues: Vec<Residue> = table.columns[column].names.iter().map(Residue::of).collect();
    if !residues.contains(&Residue::Lipid) {
        return false;
    }
    let codes = table.values(column).flat_map(|values| (0..values.len()).filter_map(|row| values.code(row)));
    let (mut dry, mut lipid) = (0_u64, 0_u64);
    for code in codes {
        dry += u64::from(residues[code as usize] != Residue::Water);
        lipid += u64::from(residues[code as usize] == Residue::Lipid);
    }
    5 * lipid >= dry
}

/// Hides water where there are polymers or lipids; how many atoms that are.
fn hide_water(table: &Table<'_>, column: usize, kept: &mut [bool]) -> usize {
    let residues: Vec<Residue> = table.columns[column].names.iter().map(Residue::of).collect();
    if !residues.iter().any(|residue| matches!(residue, Residue::Protein | Residue::Nucleic | Residue::Lipid)) {
        return 0;
    }
    let codes = table.values(column).flat_map(|values| (0..values.len()).map(|row| values.code(row)));
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
