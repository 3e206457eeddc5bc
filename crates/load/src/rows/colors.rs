//! The colours of rows: of elements, of chains, of categories, of numbers.

use std::collections::{BTreeMap, BTreeSet};

use crate::color::elements::Atomic;
use crate::color::lightness::lightened;
use crate::color::maps::ColorMap;
use crate::color::{Category, ColorKey, ColorRange, MISSING_COLOR, MISSING_NAME, Scale, Srgba8, sort_categories};
use crate::data::{Block, Kind, Names, NumberSource, Residue, Table, Values, share};
use crate::did_you_mean::{nearest, shortened};
use crate::options::ranges::{Ends, ends};
use crate::rows::alphas::Alphas;
use crate::rows::column_plan::{ChannelRanges, Coloring};
use crate::rows::row_tally::RowTally;

/// Difference in L* between a chain's carbons and its other atoms.
///
/// Source: the theme "illustrative" of Mol*.
const CARBON_STEPS: f64 = 14.4;

/// Colours of rows, with all that depends on the whole table resolved.
#[derive(Clone, Debug)]
pub(crate) enum Colors {
    Constant(Srgba8),
    Literal(usize),
    /// Numbers from 0 to `full`, which for opacity may be another.
    Channels {
        channels: [usize; 3],
        alpha: Option<usize>,
        full: [f64; 2],
    },
    /// By the index of the row's name. The last list says which names are missing categories; it may be empty.
    ByName(usize, Vec<Srgba8>, Vec<bool>),
    /// By the indices of two names: the first picks a pair of colours, the second one of the pair.
    ByTwoNames {
        columns: [usize; 2],
        colors: Vec<[Srgba8; 2]>,
        is_second: Vec<bool>,
    },
    Numbers {
        source: NumberSource,
        map: ColorMap,
        scale: Scale,
        ends: Ends,
        alpha: u8,
    },
}

impl Colors {
    pub(crate) fn new(table: &Table<'_>, color: &Coloring) -> Self {
        Self::after(0, table, color)
    }

    /// The colours if the first `known` names were given before any row was read: they take the first colours of a
    /// palette.
    pub(crate) fn after(known: usize, table: &Table<'_>, color: &Coloring) -> Self {
        let by_name = |column: usize, color: &dyn Fn(&str) -> Srgba8| {
            Self::ByName(column, table.columns[column].names.iter().map(color).collect(), Vec::new())
        };
        let by_category = |column: usize, map: ColorMap, alpha: u8| {
            let names = &table.columns[column].names;
            let is_missing: Vec<bool> = names.iter().map(|name| color.is_missing(name)).collect();
            let palette = palette(map, is_missing.contains(&true));
            let place_color = |place: usize| match palette.len() {
                0 => map.category(place),
                count => palette[place % count],
            };
            let places = category_places(known, names, &is_missing, map).into_iter();
            let colors = places.map(|place| place.map_or(MISSING_COLOR, place_color).with_alpha(alpha)).collect();
            Self::ByName(column, colors, is_missing)
        };
        match color {
            Coloring::Constant(color) => Self::Constant(*color),
            Coloring::Literal(column) => Self::Literal(*column),
            Coloring::Channels { channels, alpha, constant, ranges } => {
                let [of_colors, of_alpha] = ranges.unwrap_or_else(|| channel_ranges(table, *channels, *alpha));
                match full(of_colors) {
                    Some(most) => {
                        // an opacity is a share, or has the range of the colours
                        let most_alpha = if of_alpha[1] <= 1.0 { 1.0 } else { most };
                        Self::Channels { channels: *channels, alpha: *alpha, full: [most, most_alpha] }
                    }
                    None => Self::Constant(*constant),
                }
            }
            Coloring::Chains { chains, elements, residues, map } => {
                let order = chain_order(known, &chain_sizes(table, *chains, *residues));
                chain_colors(table, &order, *chains, *elements, *map)
            }
            Coloring::ChainsOrElements { chains, elements, residues, map, constant } => {
                let sizes = chain_sizes(table, *chains, *residues);
                if sizes.iter().filter(|&&count| count > 0).count() > 1 {
                    chain_colors(table, &chain_order(known, &sizes), *chains, Some(*elements), *map)
                } else {
                    let (column, constant) = (*elements, Some(*constant));
                    Self::new(table, &Coloring::Elements { column, map: ColorMap::JMOL, constant })
                }
            }
            Coloring::Elements { column, map, constant } => {
                let names = &table.columns[*column].names;
                match constant {
                    Some(constant) if names.iter().all(|name| element(name) == Atomic::UNKNOWN) => {
                        // particles, not atoms: colours by kind, or one colour
                        if names.count() == 1 {
                            Self::Constant(*constant)
                        } else {
                            by_category(*column, ColorMap::DISTINCT, u8::MAX)
                        }
                    }
                    _ => by_name(*column, &|name| map.element(element(name).element())),
                }
            }
            Coloring::Residues(column) => {
                Self::ByName(*column, residue_colors(table.columns[*column].names.iter()), Vec::new())
            }
            Coloring::Categories { column, map, alpha, .. } => by_category(*column, *map, *alpha),
            Coloring::Numbers { source, map, signed_map, range, scale, alpha, residues } => {
                let found = |range: Option<ColorRange>| match *source {
                    NumberSource::Column(column) => match residues.and_then(|residues| polymers(table, residues)) {
                        Some(is_polymer) => {
                            let of = table.numbers(column).zip(is_polymer).filter(|(_, is_polymer)| *is_polymer);
                            let of: Vec<f64> = of.map(|(number, _)| number).collect();
                            ends(of.into_iter(), range, *scale).beside(table.numbers(column), *scale)
                        }
                        None => ends(table.numbers(column), range, *scale),
                    },
                    NumberSource::Axis(axis) => ends(table.coordinates(axis), range, *scale),
                    NumberSource::Index => ends((0..table.rows()).map(|row| row as f64), range, *scale),
                };
                let (mut map, mut ends) = (*map, found(*range));
                if let Some(of_both) = signed_map.filter(|_| ends.are_signed()) {
                    let [least, most] = ends.shown.unwrap_or([ends.least, ends.most]);
                    map = of_both;
                    ends = found(Some(ColorRange::Within { middle: 0.0, ends: [least, most] }));
                }
                Self::Numbers { source: *source, map, scale: *scale, ends, alpha: *alpha }
            }
        }
    }

    /// Gives this opacity to all colours but literal ones and a translucent constant.
    pub(crate) fn with_alpha(mut self, alpha: Option<u8>) -> Self {
        if let Some(new) = alpha {
            match &mut self {
                Self::Literal(_) | Self::Channels { .. } => {}
                Self::Constant(color) => color.a = if color.a == 255 { new } else { color.a },
                Self::ByName(_, colors, _) => colors.iter_mut().for_each(|color| color.a = new),
                Self::ByTwoNames { colors, .. } => colors.iter_mut().flatten().for_each(|color| color.a = new),
                Self::Numbers { alpha, .. } => *alpha = new,
            }
        }
        self
    }

    /// The colour of a row; `first` rows are before the block.
    #[inline]
    pub(crate) fn color(&self, block: &Block<'_>, row: usize, first: usize) -> Srgba8 {
        match self {
            Self::Constant(color) => *color,
            Self::Literal(column) => match &block.values[*column] {
                Values::Colors(colors) if colors[row] != Values::NO_COLOR => colors[row],
                _ => MISSING_COLOR,
            },
            Self::Channels { channels, alpha, full: [most, most_alpha] } => {
                #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 255")]
                let level = |column: usize, full: f64| -> Option<u8> {
                    let value = block.values[column].number(row);
                    (!value.is_nan()).then(|| (value / full * 255.0).clamp(0.0, 255.0).round() as u8)
                };
                let [r, g, b] = channels.map(|column| level(column, *most));
                let a = alpha.map_or(Some(u8::MAX), |column| level(column, *most_alpha));
                match (r, g, b, a) {
                    (Some(r), Some(g), Some(b), Some(a)) => Srgba8 { r, g, b, a },
                    _ => MISSING_COLOR,
                }
            }
            Self::ByName(column, colors, _) => {
                block.values[*column].code(row).map_or(MISSING_COLOR, |code| colors[code as usize])
            }
            Self::ByTwoNames { columns, colors, is_second } => {
                let code = |column: usize| block.values[column].code(row).map(|code| code as usize);
                let second = code(columns[1]).is_some_and(|code| is_second[code]);
                code(columns[0]).map_or(MISSING_COLOR, |code| colors[code][usize::from(second)])
            }
            Self::Numbers { source, map, scale, ends, alpha } => {
                let value = scale.of(source_number(block, row, first, *source));
                let color =
                    if !value.is_finite() { MISSING_COLOR } else { map.number(share(value, ends.least, ends.most)) };
                color.with_alpha(*alpha)
            }
        }
    }

    /// Whether colours stand for numbers or categories.
    pub(crate) fn have_meaning(&self) -> bool {
        matches!(self, Self::ByName(..) | Self::ByTwoNames { .. } | Self::Numbers { .. })
    }

    /// Whether rows have colours of their own.
    pub(crate) fn are_literal(&self) -> bool {
        matches!(self, Self::Literal(_) | Self::Channels { .. })
    }

    /// Whether each name of the column of categories says that they are missing; empty if none may.
    fn missing_names(&self) -> &[bool] {
        if let Self::ByName(_, _, is_missing) = self { is_missing } else { &[] }
    }

    /// The number of rows without a category.
    pub(crate) fn missing_categories(&self, tally: &RowTally) -> u64 {
        let Self::ByName(column, _, is_missing) = self else { return 0 };
        let missing = is_missing.iter().enumerate().filter(|(_, is_missing)| **is_missing);
        missing.map(|(code, _)| tally.of_name(*column, code)).sum()
    }

    /// The numbers at the ends of the ramp, or of its part that has numbers.
    pub(crate) fn ramp_ends(&self) -> Option<[f64; 2]> {
        let Self::Numbers { scale, ends, .. } = self else { return None };
        Some(ends.shown.unwrap_or([ends.least, ends.most]).map(|end| scale.inverse(end)))
    }

    /// The legend of the rows' colours; `shown` counts the copies of each row in the picture. `None` for one colour,
    /// for literal colours and without rows. Each colour has the most frequent alpha of its rows: their own from
    /// `alphas`, or the colour's. Categories in `listed` always have an entry.
    pub(crate) fn key(&self, table: &Table<'_>, shown: &[u64], alphas: &Alphas, listed: &[String]) -> Option<ColorKey> {
        if shown.iter().all(|&copies| copies == 0) && listed.is_empty() {
            return None;
        }
        let listed: BTreeSet<&str> = listed.iter().map(String::as_str).collect();
        let categories = |column: usize, color: &dyn Fn(usize) -> Srgba8| {
            let counts = counted(table, column, shown.iter().copied());
            let named = table.columns[column].names.iter().zip(counts).enumerate();
            let (is_missing, usual) = (self.missing_names(), usual_alphas(table.codes(column), shown, alphas));
            let is_missing = |index: usize| is_missing.get(index) == Some(&true);
            let mut missing = named.clone().filter(|(index, (_, count))| is_missing(*index) && *count > 0);
            let missing_color = missing.clone().max_by_key(|(_, (_, count))| *count).map(|(index, _)| index);
            let missing = missing.next().is_some() || listed.contains(MISSING_NAME);
            let missing_count =
                named.clone().filter(|(index, _)| is_missing(*index)).map(|(_, (_, count))| count).sum();
            let named =
                named.filter(|(index, (name, count))| !is_missing(*index) && (*count > 0 || listed.contains(name)));
            let color = |index: usize| {
                let color = color(index);
                usual.get(&u32::try_from(index).unwrap_or(u32::MAX)).map_or(color, |alpha| color.with_alpha(*alpha))
            };
            let items = named.map(|(index, (name, count))| Category::new(name.to_owned(), color(index), count));
            let missing = missing
                .then(|| Category::new(MISSING_NAME, missing_color.map_or(MISSING_COLOR, &color), missing_count));
            let mut items: Vec<Category> = items.chain(missing).collect();
            sort_categories(&mut items);
            ColorKey::Categories { name: table.columns[column].name.clone(), items }
        };
        match self {
            Self::Constant(_) | Self::Literal(_) | Self::Channels { .. } => None,
            Self::ByName(column, colors, _) => Some(categories(*column, &|index| colors[index])),
            Self::ByTwoNames { columns, colors, .. } => Some(categories(columns[0], &|index| colors[index][0])),
            Self::Numbers { source, map, scale, ends, alpha } => {
                let all = std::iter::repeat_n(Some(0), table.rows());
                let (of_ramp, usual) = (*alpha, usual_alphas(all, shown, alphas));
                let alpha = usual.get(&0).copied().unwrap_or(of_ramp);
                let mut key = ends.key(source_name(table, *source).to_owned(), *map, *scale, alpha);
                let range = key.ends();
                if let (ColorKey::Numbers { missing, counts, alphas: own, dates, .. }, NumberSource::Column(column)) =
                    (&mut key, *source)
                {
                    *dates = table.columns[column].kind == Kind::Time;
                    let numbers = table.numbers(column).zip(shown.iter().copied());
                    let is_missing = |(number, _): &(f64, u64)| !scale.of(*number).is_finite();
                    *missing = numbers.clone().filter(is_missing).map(|(_, copies)| copies).sum();
                    if let Some(range) = range.filter(|_| !*dates) {
                        *counts = ColorKey::count_whole(*scale, range, numbers.filter(|number| !is_missing(number)));
                        #[expect(
                            clippy::cast_possible_truncation,
                            clippy::cast_sign_loss,
                            reason = "few whole numbers"
                        )]
                        let place = |number: f64| (number - range[0]) as u32;
                        let places = table.numbers(column).map(|number| number.is_finite().then(|| place(number)));
                        let usual = usual_alphas(places.filter(|_| !counts.is_empty()), shown, alphas);
                        if !usual.is_empty() {
                            // numbers without shapes look like those before them
                            let mut last = of_ramp;
                            let alpha = |(at, count): (u32, &u64)| {
                                last = if *count > 0 { usual.get(&at).copied().unwrap_or(of_ramp) } else { last };
                                last
                            };
                            *own = (0..).zip(&*counts).map(alpha).collect();
                        }
                    }
                }
                Some(key)
            }
        }
    }
}

/// The ranges of columns of red, green and blue, and of opacity.
pub(crate) fn channel_ranges(table: &Table<'_>, channels: [usize; 3], alpha: Option<usize>) -> ChannelRanges {
    let range = |columns: &[usize]| {
        let numbers = columns.iter().flat_map(|column| table.numbers(*column)).filter(|number| !number.is_nan());
        numbers.fold([f64::INFINITY, f64::NEG_INFINITY], |[least, most], number| [least.min(number), most.max(number)])
    };
    [range(&channels), range(alpha.as_slice())]
}

/// The number that is full red, green or blue: the least of 1, 255 and 65535 that is not exceeded. `None` for numbers that
/// are no colours.
fn full([least, most]: [f64; 2]) -> Option<f64> {
    [1.0, 255.0, 65_535.0].into_iter().find(|full| most <= *full && least >= 0.0)
}

/// The most frequent alpha of the rows of each code. No entry where most rows have no alpha of their own.
fn usual_alphas(codes: impl Iterator<Item = Option<u32>>, shown: &[u64], alphas: &Alphas) -> BTreeMap<u32, u8> {
    let mut usual = BTreeMap::new();
    let alphas = alphas.in_legend();
    if alphas.is_empty() {
        return usual;
    }
    let mut counts: BTreeMap<(u32, Option<u8>), u64> = BTreeMap::new();
    for (row, code) in codes.enumerate().filter(|(row, _)| shown[*row] > 0) {
        if let Some(code) = code {
            *counts.entry((code, alphas.of(row))).or_default() += shown[row];
        }
    }
    let mut most: BTreeMap<u32, u64> = BTreeMap::new();
    for ((code, alpha), count) in counts {
        let before = most.entry(code).or_default();
        if count > *before {
            *before = count;
            match alpha {
                Some(alpha) => usual.insert(code, alpha),
                None => usual.remove(&code),
            };
        }
    }
    usual
}

/// Whether each row is part of a protein or a nucleic acid; `None` if none is.
fn polymers(table: &Table<'_>, residues: usize) -> Option<Vec<bool>> {
    let kinds = table.columns.get(residues)?.names.iter().map(Residue::of);
    let is_polymer: Vec<bool> = kinds.map(|kind| matches!(kind, Residue::Protein | Residue::Nucleic)).collect();
    let codes = table.codes(residues);
    let of_rows: Vec<bool> = codes.map(|code| code.is_some_and(|code| is_polymer[code as usize])).collect();
    of_rows.contains(&true).then_some(of_rows)
}

/// The number of rows of each chain without water; with water if there is nothing else.
fn chain_sizes(table: &Table<'_>, chains: usize, residues: Option<usize>) -> Vec<u64> {
    let all = || table.name_counts(chains);
    let Some(residues) = residues else { return all() };
    let is_water: Vec<bool> =
        table.columns[residues].names.iter().map(|name| Residue::of(name) == Residue::Water).collect();
    let mut sizes = vec![0; table.columns[chains].names.count()];
    for (chain, residue) in table.codes(chains).zip(table.codes(residues)) {
        if let (Some(chain), false) = (chain, residue.is_some_and(|code| is_water[code as usize])) {
            sizes[chain as usize] += 1;
        }
    }
    if sizes.iter().all(|&count| count == 0) { all() } else { sizes }
}

/// The chains in the order in which they take colours. Empty ones, such as water chains, come last unless they are
/// among the first `known`.
fn chain_order(known: usize, sizes: &[u64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..sizes.len()).collect();
    order.sort_by_key(|&chain| chain >= known && sizes[chain] == 0);
    order
}

/// Each chain in its own colour, with lighter carbons.
fn chain_colors(table: &Table<'_>, order: &[usize], chains: usize, elements: Option<usize>, map: ColorMap) -> Colors {
    let mut colors = vec![[MISSING_COLOR; 2]; order.len()];
    for (place, &chain) in order.iter().enumerate() {
        let color = map.category(place);
        colors[chain] = [color, lightened(color, CARBON_STEPS)];
    }
    match elements {
        Some(column) => {
            let carbon = Atomic::from_symbol(b"C");
            let is_second = table.columns[column].names.iter().map(|name| Some(element(name)) == carbon).collect();
            Colors::ByTwoNames { columns: [chains, column], colors, is_second }
        }
        None => Colors::ByName(chains, colors.into_iter().map(|[color, _]| color).collect(), Vec::new()),
    }
}

/// The colours of a palette, without its greys if there are missing categories, which are grey; empty for ramps and elements,
/// which have other colours for any number of categories.
fn palette(map: ColorMap, has_missing: bool) -> Vec<Srgba8> {
    /// A colour whose channels differ from the grey's by at most this looks grey.
    const NEAR: u8 = 24;
    let count = map.category_count().filter(|_| !map.has_elements()).unwrap_or_default();
    // the caller's own palette keeps its greys
    let has_missing = has_missing && is_built_in(map);
    let channels = |color: Srgba8| [color.r, color.g, color.b];
    let is_grey = |color: &Srgba8| {
        let pairs = channels(*color).into_iter().zip(channels(MISSING_COLOR));
        pairs.into_iter().all(|(part, grey)| part.abs_diff(grey) <= NEAR)
    };
    (0..count).map(|index| map.category(index)).filter(|color| !(has_missing && is_grey(color))).collect()
}

fn is_built_in(map: ColorMap) -> bool {
    ColorMap::names().any(|name| name == map.name())
}

/// The palette index of each category. Numbered types of particles have the index of their number, in all frames and
/// files; other categories are indexed in the order of their first rows. Missing ones have no index. In a palette of
/// the caller numbers are indexed in their order, after the first `known` names.
fn category_places(known: usize, names: &Names, is_missing: &[bool], map: ColorMap) -> Vec<Option<usize>> {
    let count = map.category_count().unwrap_or_default();
    let numbers = || names.iter().map(|name| name.parse::<u64>().ok());
    let is_number = |(number, is_missing): (Option<u64>, &bool)| number.is_some() || *is_missing;
    if !is_built_in(map) && numbers().zip(is_missing).all(is_number) {
        let mut order: Vec<(usize, Option<u64>)> = numbers().enumerate().filter(|(at, _)| !is_missing[*at]).collect();
        order.sort_by_key(|&(at, number)| (at >= known, if at < known { Some(at as u64) } else { number }));
        let mut places = vec![None; is_missing.len()];
        order.into_iter().enumerate().for_each(|(place, (at, _))| places[at] = Some(place));
        return places;
    }
    let place = |name: &str| -> Option<usize> {
        let number = name.parse::<usize>().ok().filter(|number| *number < count && number.to_string() == name)?;
        // types begin with 1
        Some((number + count - 1) % count)
    };
    let present = || names.iter().zip(is_missing).filter(|(_, is_missing)| !**is_missing).map(|(name, _)| name);
    let of_types: Option<Vec<usize>> = present().map(place).collect();
    let mut places = of_types.unwrap_or_else(|| (0..present().count()).collect()).into_iter();
    is_missing.iter().map(|is_missing| if *is_missing { None } else { places.next() }).collect()
}

/// The names that take colours of a palette, in this order; elements have colours of their own.
pub(crate) fn names_in_order(known: usize, table: &Table<'_>, color: &Coloring) -> Vec<String> {
    if matches!(color, Coloring::Elements { .. }) {
        return Vec::new();
    }
    let Some(column) = color.names().and_then(|column| table.columns.get(column)) else { return Vec::new() };
    let mut names: Vec<&str> = column.names.iter().filter(|name| !color.is_missing(name)).collect();
    // where some are missing, palettes lack their grey: in all frames and files
    names.extend(column.names.iter().find(|name| color.is_missing(name)));
    let order = match color {
        Coloring::Chains { chains, residues, .. } | Coloring::ChainsOrElements { chains, residues, .. } => {
            chain_order(known, &chain_sizes(table, *chains, *residues))
        }
        _ => (0..names.len()).collect(),
    };
    order.into_iter().map(|place| names[place].to_owned()).collect()
}

/// The first of the given categories that no row has and that looks like another category of the table, and the other
/// category. Categories that look like none may belong to other pictures.
pub(crate) fn misspelt<'a>(
    table: &'a Table<'_>,
    column: usize,
    given: &'a [String],
    tally: &RowTally,
) -> Option<(&'a str, &'a str)> {
    let names = table.columns[column].names.iter().enumerate();
    let known: BTreeSet<&str> =
        names.filter_map(|(code, name)| (tally.of_name(column, code) > 0).then_some(name)).collect();
    let others = known.iter().copied().filter(|name| !given.iter().any(|given| given == name));
    let mut missing = given.iter().map(String::as_str).filter(|name| !known.contains(name));
    missing.find_map(|name| Some((name, nearest(name, others.clone())?)))
}

/// How many rows have each name of a column, each row counted as often as it has copies.
fn counted(table: &Table<'_>, column: usize, copies: impl Iterator<Item = u64>) -> Vec<u64> {
    let mut of_names = vec![0; table.columns[column].names.count()];
    for (code, copies) in table.codes(column).zip(copies) {
        if let Some(code) = code {
            of_names[code as usize] += copies;
        }
    }
    of_names
}

/// A note that categories of the rows share colours, because the palette has fewer.
pub(crate) fn shared_colors(
    table: &Table<'_>,
    coloring: &Coloring,
    colors: &Colors,
    tally: &RowTally,
) -> Option<String> {
    let (column, map) = match coloring {
        Coloring::Categories { column, map, .. }
        | Coloring::Chains { chains: column, map, .. }
        | Coloring::ChainsOrElements { chains: column, map, .. } => (*column, Some(*map)),
        Coloring::Residues(column) => (*column, None),
        _ => return None,
    };
    let color = |code: usize| match colors {
        Colors::ByName(of, colors, _) if *of == column => Some(colors[code]),
        Colors::ByTwoNames { columns, colors, .. } if columns[0] == column => Some(colors[code][0]),
        _ => None,
    };
    let named = table.columns[column].names.iter().enumerate().filter(|(_, name)| !coloring.is_missing(name));
    // related amino acids share colours on purpose
    let counts = |(code, name): &(usize, &str)| {
        tally.of_name(column, *code) > 0 && (map.is_some() || residue_color(name).is_none())
    };
    let each: Vec<Srgba8> = named.filter(counts).map(|(code, _)| color(code)).collect::<Option<_>>()?;
    let different = each.iter().map(|color| [color.r, color.g, color.b]).collect::<BTreeSet<_>>().len();
    if different == each.len() {
        return None;
    }
    let (of, name) = (each.len(), shortened(&table.columns[column].name));
    let palette = map.map(|map| format!(" of the palette {}", map.name())).unwrap_or_default();
    let most =
        ColorMap::DISTINCT.category_count().filter(|most| map.is_some_and(|map| map.category_count() < Some(*most)));
    let help = most.map(|most| format!("; --palette distinct has {most}")).unwrap_or_default();
    Some(format!("{of} categories of {name} share {different} colours{palette}{help}"))
}

/// The number that colours a row; `first` rows precede the block.
#[inline]
pub(crate) fn source_number(block: &Block<'_>, row: usize, first: usize, source: NumberSource) -> f64 {
    match source {
        NumberSource::Column(column) => block.values[column].number(row),
        NumberSource::Axis(axis) => block.positions.coordinate(row, axis),
        NumberSource::Index => (first + row) as f64,
    }
}

/// The name of the numbers that colour rows.
pub(crate) fn source_name<'a>(table: &'a Table<'_>, source: NumberSource) -> &'a str {
    match source {
        NumberSource::Column(column) => &table.columns[column].name,
        NumberSource::Axis(axis) => ["x", "y", "z"][axis],
        NumberSource::Index => "index",
    }
}

/// The element of a name in a column of elements.
pub(crate) fn element(name: &str) -> Atomic {
    Atomic::from_symbol(name.as_bytes()).unwrap_or(Atomic::UNKNOWN)
}

/// Colours of residues by name: fixed for amino acids and nucleotides, separate for each other name.
fn residue_colors<'a>(names: impl Iterator<Item = &'a str>) -> Vec<Srgba8> {
    let mut next = 0;
    let color = |name: &str| {
        residue_color(name).unwrap_or_else(|| {
            next += 1;
            Srgba8::hex(OTHER_RESIDUES[(next - 1) % OTHER_RESIDUES.len()])
        })
    };
    names.map(color).collect()
}

/// Colours of residues that are neither amino acids nor nucleotides, far from the colours of these and from one
/// another.
///
/// Source: Jmol's colour of all others, then farthest points as in the map `distinct`, beginning with the colours of
/// [`residue_color`].
#[rustfmt::skip]
const OTHER_RESIDUES: [u32; 41] = [
    0xbe_a0_6e,
    0xff_00_ff, 0xa0_20_ff, 0x80_00_40, 0x00_ff_00, 0xff_20_a0, 0x80_40_00, 0x20_40_60, 0xa0_a0_40,
    0x60_00_80, 0xff_a0_e0, 0x00_a0_ff, 0x60_c0_00, 0x60_00_ff, 0x00_80_a0, 0x40_a0_80, 0x20_60_40,
    0xc0_00_c0, 0x80_60_ff, 0xc0_40_60, 0xff_80_ff, 0x60_40_60, 0xe0_e0_a0, 0xa0_00_00, 0x80_c0_e0,
    0xa0_00_80, 0x60_00_c0, 0xa0_60_80, 0xc0_60_00, 0xc0_80_ff, 0x00_e0_a0, 0x00_00_c0, 0x60_60_00,
    0xe0_c0_ff, 0x40_60_a0, 0xff_00_60, 0xe0_c0_40, 0xa0_e0_c0, 0x60_40_a0, 0xff_c0_80, 0x40_40_20,
];

/// Jmol's colours of amino acids ("amino") and nucleotides ("shapely"), under the names of force fields, too; `None`
/// for others.
fn residue_color(name: &str) -> Option<Srgba8> {
    let base = name.strip_prefix(['D', 'R']).filter(|base| base.len() == 1).unwrap_or(name);
    Some(Srgba8::hex(match base {
        "ASP" | "GLU" | "ASH" | "GLH" => 0xe6_0a_0a,
        "CYS" | "MET" | "CYX" | "CYM" | "CYS2" | "MSE" => 0xe6_e6_00,
        "LYS" | "ARG" | "LYN" | "ARGN" => 0x14_5a_ff,
        "SER" | "THR" => 0xfa_96_00,
        "PHE" | "TYR" => 0x32_32_aa,
        "ASN" | "GLN" => 0x00_dc_dc,
        "GLY" => 0xeb_eb_eb,
        "LEU" | "VAL" | "ILE" => 0x0f_82_0f,
        "ALA" => 0xc8_c8_c8,
        "TRP" => 0xb4_5a_b4,
        "HIS" | "HID" | "HIE" | "HIP" | "HSD" | "HSE" | "HSP" | "HISA" | "HISB" | "HISD" | "HISE" | "HISH" => {
            0x82_82_d2
        }
        "PRO" => 0xdc_96_82,
        "A" | "ADE" => 0xa0_a0_ff,
        "C" | "CYT" => 0xff_8c_4b,
        "G" | "GUA" => 0xff_70_70,
        "T" | "THY" => 0xa0_ff_a0,
        "U" | "URA" => 0xff_80_80,
        _ => return None,
    }))
}
