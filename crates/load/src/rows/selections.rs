//! Selections of rows: parsed, and looked up in the columns of a file. `selected_rows.rs` applies them to its rows.

use std::convert::Infallible;

use crate::color::Srgba8;
use crate::data::{Class, Expression, Kind, ListItem, NumberSource, RESIDUE};
use crate::did_you_mean::shortened;
use crate::formats::wanted::{Axes, Header, ValueRule, Wanted};
use crate::options::contact_rule::ContactRequest;
use crate::options::density_choice::DensityChoice;
use crate::options::molecule_style::MoleculeStyle;
use crate::rows::column_plan::field_named;
use crate::rows::draw_order::DrawOrder;
use crate::rows::labels::{LabelRequest, ResolvedLabel};
use crate::rows::vectors;
use crate::scene::spheres::{Gloss, SphereGroup};

/// Most values that a hint spells out.
const SPELLED: usize = 8;

/// Selections of rows, parsed and not yet looked up in a file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Selections {
    pub(crate) shown: ShownRows,
    /// Rows with a colour of their own; the last one counts.
    pub(crate) highlight: Vec<Highlight>,
    /// Rows with an alpha of their own, all of them without an expression; the last one counts.
    pub(crate) opacity: Vec<(Option<Expression>, u8)>,
    /// How many of the last of these are of a moment of a film.
    pub(crate) fading: usize,
    pub(crate) opacity_by: Option<String>,
    /// The order in which circles are drawn, unless it is that of the file.
    pub(crate) draw_order: Option<DrawOrder>,
    /// What is drawn instead of shapes: numbers of rows by pixel.
    pub(crate) density: Option<DensityChoice>,
    /// The column whose categories are panels.
    pub(crate) panel_by: Option<String>,
    /// Rows with a style of their own, all of them without an expression; the last one counts.
    pub(crate) style: Vec<(Option<Expression>, MoleculeStyle)>,
    /// Rows with highlights of their own, all of them without an expression; the last one counts.
    pub(crate) gloss: Vec<(Option<Expression>, Gloss)>,
    /// Rows with a radius of their own; the last one counts.
    pub(crate) radius: Vec<(Expression, f32)>,
    /// Rows in focus.
    pub(crate) focus: Option<Expression>,
    /// Rows whose principal axis points to the eye.
    pub(crate) along: Option<Expression>,
    /// Rows that are moved to the middle of the box.
    pub(crate) center: Option<Expression>,
    pub(crate) labels: Vec<LabelRequest>,
    /// Rows between which lines are drawn.
    pub(crate) contacts: Vec<ContactRequest>,
}

/// The rows that are drawn.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ShownRows {
    /// These alone; all if `None`.
    pub(crate) only: Option<Expression>,
    /// But not these.
    pub(crate) hide: Option<Expression>,
    /// Hide water beside polymers and lipids, unless `only` is given or `hide` mentions water.
    pub(crate) hides_water: bool,
}

impl Selections {
    /// All selections, each with its key and its place among several of that key.
    pub(crate) fn expressions(&self) -> impl Iterator<Item = (&'static str, usize, &Expression)> {
        fn listed<'a>(
            key: &'static str,
            of: impl Iterator<Item = Option<&'a Expression>>,
        ) -> impl Iterator<Item = (&'static str, usize, &'a Expression)> {
            of.enumerate().filter_map(move |(index, of)| Some((key, index, of?)))
        }
        let Self { shown, highlight, opacity, style, gloss, radius, focus, along, center, labels, contacts, .. } = self;
        listed("only", [shown.only.as_ref()].into_iter())
            .chain(listed("hide", [shown.hide.as_ref()].into_iter()))
            .chain(listed("highlight", highlight.iter().map(|highlight| Some(&highlight.of))))
            .chain(listed("opacity", opacity.iter().map(|(of, _)| of.as_ref())))
            .chain(listed("style", style.iter().map(|(of, _)| of.as_ref())))
            .chain(listed("gloss", gloss.iter().map(|(of, _)| of.as_ref())))
            .chain(listed("radius", radius.iter().map(|(of, _)| Some(of))))
            .chain(listed("focus", [focus.as_ref()].into_iter()))
            .chain(listed("view", [along.as_ref()].into_iter()))
            .chain(listed("center", [center.as_ref()].into_iter()))
            .chain(listed("label", labels.iter().map(|label| Some(&label.of))))
            .chain(listed("contacts", contacts.iter().map(|contact| Some(&contact.of))))
            .chain(listed("contacts", contacts.iter().map(|contact| Some(&contact.with))))
    }

    /// A note that copies are selected by the place and the number of their original, if that is the case.
    pub(crate) fn note_of_copies(&self, file: &str, groups: &[SphereGroup<'_>]) -> Option<String> {
        let mut word = None;
        let mut look_at = |name: &str, _: &Expression| -> Result<(), Infallible> {
            word = word.or(["x", "y", "z", "index"].into_iter().find(|known| *known == name));
            Ok(())
        };
        for (_, _, expression) in self.expressions().filter(|(key, ..)| !["view", "center", "label"].contains(key)) {
            let Ok(()) = expression.columns(&mut look_at);
        }
        let has_copies = groups.iter().any(|group| group.poses.len() > 1);
        word.filter(|_| has_copies).map(|word| {
            format!("{file}: selections by {word} take that of the file: copies are selected with their original")
        })
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Highlight {
    pub(crate) of: Expression,
    pub(crate) color: Srgba8,
    /// Its name in legends.
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

#[derive(Debug, Default)]
pub(crate) struct ResolvedSelections {
    pub(crate) selections: Selections,
    /// Sources of values by the names that selections give them.
    pub(crate) sources: Vec<(String, NumberSource)>,
    /// The column of residues, if water may be hidden.
    pub(crate) residues: Option<usize>,
    /// Whether water is hidden.
    pub(crate) hides_water: bool,
    pub(crate) opacities: Option<usize>,
    /// The column by which circles are drawn one after the other.
    pub(crate) order: Option<usize>,
    /// The column that is summed up by pixel.
    pub(crate) weights: Option<NumberSource>,
    /// The column whose categories are panels.
    pub(crate) panels: Option<NumberSource>,
    pub(crate) labels: Vec<ResolvedLabel>,
}

/// The last of these alphas, if it is for all rows.
pub(crate) fn alpha_of_all(opacity: &[(Option<Expression>, u8)]) -> Option<u8> {
    opacity.last().filter(|(rows, _)| rows.is_none()).map(|(_, alpha)| *alpha)
}

impl Selections {
    /// Whether the caller neither leaves out rows nor changes how any row looks.
    pub(crate) fn is_empty(&self) -> bool {
        let is_plain = self.opacity_by.is_none()
            && self.draw_order.is_none()
            && self.summed_column().is_none()
            && self.panel_by.is_none()
            && self.style.is_empty()
            && self.gloss.is_empty();
        is_plain && self.expressions().next().is_none()
    }

    /// The column that a density sums up.
    fn summed_column(&self) -> Option<&str> {
        self.density.as_ref()?.column()
    }

    /// The alpha of all rows, if no row has one of its own.
    pub(crate) fn one_alpha(&self) -> Option<u8> {
        alpha_of_all(&self.opacity)
    }

    /// The selections with words that could be columns or formulas settled.
    fn settled(&self, header: &Header) -> Self {
        let mut selections = self.clone();
        let Self { shown, highlight, opacity, style, gloss, radius, focus, along, center, labels, contacts, .. } =
            &mut selections;
        let single = [&mut shown.only, &mut shown.hide, focus, along, center].into_iter().flatten();
        let listed = highlight.iter_mut().map(|highlight| &mut highlight.of);
        let listed =
            listed.chain(radius.iter_mut().map(|(of, _)| of)).chain(labels.iter_mut().map(|label| &mut label.of));
        let listed = listed.chain(contacts.iter_mut().flat_map(|contact| [&mut contact.of, &mut contact.with]));
        let of_all_rows = opacity.iter_mut().map(|(of, _)| of).chain(style.iter_mut().map(|(of, _)| of));
        let of_all_rows = of_all_rows.chain(gloss.iter_mut().map(|(of, _)| of)).flatten();
        single.chain(listed).chain(of_all_rows).for_each(|of| of.settle(&|name| header.find(name).is_some()));
        selections
    }

    /// Resolves the columns of the selections and adds them to the request.
    pub(crate) fn resolve(
        &self,
        file: &str,
        header: &Header,
        wanted: &mut Wanted,
    ) -> Result<ResolvedSelections, BadSelection> {
        let selections = self.settled(header);
        let mut sources = Vec::new();
        for (key, index, expression) in selections.expressions() {
            let found = expression_sources(file, header, expression, wanted);
            sources.extend(found.map_err(|rule| BadSelection { key, index, rule })?);
        }
        let residues = header.find(Class::RESIDUES).filter(|_| self.shown.hides_water && header.has_positions);
        let hides_water =
            self.shown.only.is_none() && !self.shown.hide.as_ref().is_some_and(Expression::decides_on_water);
        let residues = residues.map(|field| wanted.column(field, Kind::Name, ValueRule::Any));
        let axes = wanted.axes;
        let mut numbers = |key, name: &str| -> Result<usize, BadSelection> {
            let field = number_field(file, header, name).map_err(|rule| BadSelection { key, index: 0, rule })?;
            Ok(wanted.column(field, Kind::F64, ValueRule::Any))
        };
        let opacities = self.opacity_by.as_ref().map(|name| numbers("opacity_by", name)).transpose()?;
        let weights = self.summed_column().map(|name| match place(header, axes, name, &Expression::All) {
            Some(Ok(source)) => Ok(source),
            _ => numbers("density", name).map(NumberSource::Column),
        });
        let weights = weights.transpose()?;
        let order = self.draw_order.as_ref().and_then(DrawOrder::column);
        let order = order.map(|name| numbers("draw_order", name)).transpose()?;
        let panels = self.panel_by.as_ref().map(|name| {
            let field =
                any_field(file, header, name).map_err(|rule| BadSelection { key: "panel_by", index: 0, rule })?;
            Ok(NumberSource::Column(wanted.column(field, read_kind(header.fields[field].kind), ValueRule::Any)))
        });
        let panels = panels.transpose()?;
        let resolved = |(index, label): (usize, &LabelRequest)| {
            let place = |name: &str| place(header, axes, name, &Expression::All)?.ok();
            let resolved = label.text.resolve(file, header, wanted, &place);
            resolved.map_err(|bad| BadSelection { index, ..bad })
        };
        let labels = selections.labels.iter().enumerate().map(resolved).collect::<Result<_, _>>()?;
        Ok(ResolvedSelections { selections, sources, residues, hides_water, opacities, order, weights, panels, labels })
    }
}

/// The field of a column, or the broken rule.
fn any_field(file: &str, header: &Header, name: &str) -> Result<usize, String> {
    field_named(header, name).ok_or_else(|| {
        let hint = vectors::column_hint(name, header, header.names());
        format!("must be a column of {file}, got {:?}{hint}", shortened(name))
    })
}

/// The field of a column of numbers, or the broken rule.
fn number_field(file: &str, header: &Header, name: &str) -> Result<usize, String> {
    let field = any_field(file, header, name)?;
    if matches!(header.fields[field].kind, Kind::Name | Kind::Color) {
        return Err(format!("must be a column of numbers, got {}, which has names", shortened(name)));
    }
    Ok(field)
}

/// The sources of the values that a selection tests, by the names that it gives them; their columns are added to the
/// wanted ones.
///
/// # Errors
/// The rule that a part breaks.
pub(crate) fn expression_sources(
    file: &str,
    header: &Header,
    expression: &Expression,
    wanted: &mut Wanted,
) -> Result<Vec<(String, NumberSource)>, String> {
    let mut sources = Vec::new();
    let mut resolve = |name: &str, part: &Expression| -> Result<(), String> {
        // files have only some of the columns that tell residues apart
        if matches!(part, Expression::Same { column: None, .. }) && name != RESIDUE[0] && header.find(name).is_none() {
            sources.push((name.to_owned(), NumberSource::Index));
            return Ok(());
        }
        let source = match place(header, wanted.axes, name, part) {
            Some(source) => source?,
            None => {
                let (field, kind) = find(file, header, name, part).map_err(|rule| match part {
                    // only a name that no column has may be a value that was not quoted
                    Expression::Items { .. } if field_named(header, name).is_none() => {
                        rule + &joined_before(expression, name).unwrap_or_default()
                    }
                    _ => rule,
                })?;
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

/// The last part of a selection's text.
fn last_part(expression: &Expression) -> &Expression {
    match expression {
        Expression::Or(terms) | Expression::And(terms) => terms.last().map_or(expression, last_part),
        Expression::Not(of) | Expression::Within { of, .. } | Expression::Same { of, .. } => last_part(of),
        part => part,
    }
}

/// Words of other programs for atoms near a selection.
const NEIGHBOURS: [&str; 7] = ["around", "bonded", "bound_to", "extend", "near_to", "neighbor", "neighbour"];

/// The field and type that a part of a selection tests, or the broken rule.
fn find(file: &str, header: &Header, name: &str, part: &Expression) -> Result<(usize, Kind), String> {
    let field = field_named(header, name).ok_or_else(|| match part {
        Expression::Class(class) => {
            format!("{} needs a column {name}, which {file} does not have", class.word())
        }
        Expression::Same { column: None, .. } => {
            format!("byres needs a column {name}, which {file} does not have; `same COLUMN as` compares any column")
        }
        _ => {
            if NEIGHBOURS.contains(&name) {
                return format!(
                    "must name columns of {file}, got {name:?}; near other atoms is written within 2 of (…)"
                );
            }
            let hint = vectors::column_hint(name, header, header.names());
            format!("must name columns of {file}, got {:?}{hint}", shortened(name))
        }
    })?;
    let mut kind = read_kind(header.fields[field].kind);
    if let Expression::Items { items, .. } = part
        && kind == Kind::Time
        && items.iter().any(|item| item.range().is_none())
    {
        // parts of dates, such as 2024-01-*
        kind = Kind::Name;
    }
    match part {
        Expression::Class(_) => Ok((field, Kind::Name)),
        Expression::Compare { .. } if kind == Kind::Name => {
            Err(format!("compares {}, which has names, with a number", shortened(name)))
        }
        Expression::Items { items, .. } => check_items(name, kind, items).map(|()| (field, kind)),
        _ => Ok((field, kind)),
    }
}

/// The type as which a column is read for selections and labels.
pub(crate) fn read_kind(kind: Kind) -> Kind {
    match kind {
        Kind::Name | Kind::Color => Kind::Name,
        Kind::Integer => Kind::Integer,
        Kind::Time => Kind::Time,
        Kind::F32 | Kind::F64 => Kind::F64,
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
            "must have numbers, or ranges such as 10:20, for {}, got {:?}{}",
            shortened(name),
            shortened(text),
            spelled_otherwise(name, text, &|part| part.parse::<f64>().is_ok()).unwrap_or_default()
        )),
        None => Ok(()),
    }
}

/// A hint for values that other programs' users join by commas, `+` or `-`: how they are written here.
pub(crate) fn spelled_otherwise(column: &str, text: &str, is_value: &dyn Fn(&str) -> bool) -> Option<String> {
    let written = |part: &str| match part.split_once(['-', ':']) {
        Some((first, last)) if first.parse::<f64>().is_ok() && last.parse::<f64>().is_ok() => {
            Some(format!("{first}:{last}"))
        }
        _ => is_value(part).then(|| part.to_owned()),
    };
    let parts = text.split([',', '+']).filter(|part| !part.is_empty()).take(SPELLED);
    let parts: Vec<String> = parts.map(written).collect::<Option<_>>()?;
    let is_other = !parts.is_empty() && parts != [text];
    is_other.then(|| format!("; as values it is written {} {}", shortened(column), parts.join(" ")))
}
