//! Estimates the expanded size of an SVG picture before it is parsed: entities, references and style rules multiply its
//! text.

use std::collections::BTreeMap;

use usvg::roxmltree::{Document, Node as Element};

/// The deepest nesting of elements; `usvg` has the same limit.
const DEEPEST: usize = 1000;

/// A reference takes as much stack as this many nested elements.
const REFERENCE: usize = 10;

/// The most style rules times elements: some seconds of work.
const MOST_MATCHES: u64 = 1 << 28;

/// A declaration takes as long as this many rules that do not match.
const DECLARATION: u64 = 4;

/// The most attributes of an element: the parser compares each with all others.
pub(super) const MOST_ATTRIBUTES: usize = 1000;

/// The widest outline, in pixels: the time to find its curves grows with its width.
const WIDEST_STROKE: f64 = 1e6;

/// Pixels of the largest unit of length, an inch.
const UNIT: f64 = 96.0;

/// Nesting of entities that is expanded: the parser refuses more than 10.
const ENTITY_DEPTH: usize = 12;

/// The expanded size of a picture; elements count once for each use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct SvgSize {
    pub(crate) elements: u64,
    /// Bytes of attributes.
    pub(crate) bytes: u64,
}

/// The bytes of a text with its entities replaced.
pub(crate) fn expanded_bytes(text: &str) -> u64 {
    let own = text.len() as u64;
    if !text.contains("<!ENTITY") {
        return own;
    }
    let mut indices: BTreeMap<&str, usize> = BTreeMap::new();
    let mut values = Vec::new();
    for declaration in text.split("<!ENTITY").skip(1) {
        let mut words = declaration.trim_start().splitn(2, [' ', '\t', '\r', '\n']);
        let (Some(name), Some(rest)) = (words.next(), words.next()) else { continue };
        let rest = rest.trim_start();
        let Some(quote) = rest.chars().next().filter(|quote| matches!(quote, '"' | '\'')) else { continue };
        let value = rest[1..].split(quote).next().unwrap_or_default();
        indices.entry(name).or_insert(values.len());
        values.push(value);
    }
    let named = |text: &str| -> Vec<usize> {
        let references = text.split('&').skip(1).filter_map(|rest| rest.split_once(';'));
        references.filter_map(|(name, _)| indices.get(name).copied()).collect()
    };
    let inner: Vec<Vec<usize>> = values.iter().map(|value| named(value)).collect();
    let mut sizes: Vec<u64> = values.iter().map(|value| value.len() as u64).collect();
    let sum = |sizes: &[u64], start: u64, named: &[usize]| {
        named.iter().fold(start, |sum, &index| sum.saturating_add(sizes[index]))
    };
    for _ in 0..ENTITY_DEPTH {
        sizes = values.iter().zip(&inner).map(|(value, inner)| sum(&sizes, value.len() as u64, inner)).collect();
    }
    sum(&sizes, own, &named(text))
}

/// The most attributes of any tag of a text, found without parsing it.
pub(super) fn most_attributes(text: &str) -> usize {
    let in_tag = |tag: &str| {
        let (mut count, mut quote) = (0, None);
        for byte in tag.bytes() {
            match (byte, quote) {
                (b'>', None) => break,
                (b'=', None) => count += 1,
                (b'"' | b'\'', None) => quote = Some(byte),
                (byte, Some(open)) if byte == open => quote = None,
                _ => {}
            }
        }
        count
    };
    // others are comments, declarations and ends of elements
    let is_element = |tag: &&str| tag.starts_with(|first: char| first.is_alphabetic() || matches!(first, '_' | ':'));
    text.split('<').skip(1).filter(is_element).map(in_tag).max().unwrap_or_default()
}

/// Refuses outlines wider than any picture needs; the error has the line.
pub(super) fn check_strokes(document: &Document<'_>) -> Result<(), (Option<u64>, String)> {
    let elements = || document.descendants().filter(Element::is_element);
    let attributes = || elements().flat_map(|element| element.attributes());
    // widths in percent or in font sizes are relative to these
    let sides = attributes().filter(|of| matches!(of.name(), "viewBox" | "width" | "height" | "font-size" | "style"));
    let numbers = sides.flat_map(|of| of.value().split([' ', ',', ':', ';'])).filter_map(|text| number(text.trim()));
    let largest = numbers.fold(UNIT, |largest, (number, _)| largest.max(number));
    let check = |text: &str, at: usize| {
        let Some((width, unit)) = number(text.trim_start_matches([' ', '\t', '\r', '\n', ':'])) else { return Ok(()) };
        let unit = match unit {
            "px" | "" => 1.0,
            "%" => 0.01 * largest,
            "em" | "ex" => largest,
            _ => UNIT,
        };
        if width * unit <= WIDEST_STROKE {
            return Ok(());
        }
        let line = u64::from(document.text_pos_at(at).row);
        Err((Some(line), format!("stroke-width must be at most {WIDEST_STROKE} pixels, got {width}")))
    };
    for attribute in attributes() {
        let at = attribute.range().start;
        if attribute.name() == "stroke-width" {
            check(attribute.value(), at)?;
        }
        if attribute.name() == "style" {
            attribute.value().split("stroke-width").skip(1).try_for_each(|rest| check(rest, at))?;
        }
    }
    for style in elements().filter(|element| element.tag_name().name() == "style") {
        for text in style.children().filter_map(|child| child.text()) {
            text.split("stroke-width").skip(1).try_for_each(|rest| check(rest, style.range().start))?;
        }
    }
    Ok(())
}

/// The number at the start of a text, and its unit.
fn number(text: &str) -> Option<(f64, &str)> {
    let is_part = |c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | '.' | 'e' | 'E');
    let mut end = text.find(|c| !is_part(c)).unwrap_or(text.len());
    // the `e` of a unit is not an exponent
    while end > 0 && !text[..end].ends_with(|c: char| c.is_ascii_digit() || c == '.') {
        end -= 1;
    }
    let unit = text[end..].split(|c: char| !(c.is_ascii_alphabetic() || c == '%')).next().unwrap_or_default();
    Some((text[..end].parse().ok()?, unit))
}

/// Counts elements once for each use, by any reference: `usvg` copies clip paths, masks, patterns and markers as it
/// copies elements for `use`, and recurses into each.
pub(super) struct Elements<'a> {
    document: &'a Document<'a>,
    named: BTreeMap<&'a str, Element<'a, 'a>>,
    /// Sizes of referenced elements by id; 0 while an element is being counted, which ends cycles.
    known: BTreeMap<usize, Inside>,
    /// The names that style sheets refer to; any element may match their rules.
    styled: Vec<&'a str>,
}

/// The size and the depth of a subtree, with all that it refers to.
#[derive(Clone, Copy, Debug, Default)]
struct Inside {
    size: SvgSize,
    depth: usize,
}

impl Inside {
    fn add(&mut self, inner: Self, times: u64) {
        let add = |own: &mut u64, inner: u64| *own = own.saturating_add(inner.saturating_mul(times));
        add(&mut self.size.elements, inner.size.elements);
        add(&mut self.size.bytes, inner.size.bytes);
        self.depth = self.depth.max(inner.depth);
    }
}

/// The names in `url(#name)` of an attribute or a style sheet.
fn references(text: &str) -> impl Iterator<Item = &str> {
    fn name(rest: &str) -> Option<&str> {
        let rest = rest.trim_start_matches([' ', '"', '\'']).strip_prefix('#')?;
        Some(rest[..rest.find([')', '"', '\'']).unwrap_or(rest.len())].trim_end())
    }
    text.split("url(").skip(1).filter_map(name)
}

impl<'a> Elements<'a> {
    /// Refuses too many style rules.
    pub(super) fn new(document: &'a Document<'a>) -> Result<Self, String> {
        let elements = || document.descendants().filter(Element::is_element);
        let named = elements().filter_map(|element| Some((element.attribute("id")?, element))).collect();
        let sheets = || {
            let texts = elements().filter(|element| element.tag_name().name() == "style");
            texts.flat_map(|style| style.children().filter_map(|child| child.text()))
        };
        // each rule is matched against each element
        let count_of = |marks: &[char]| sheets().map(|text| text.matches(marks).count() as u64).sum::<u64>();
        let (rules, declarations) = (count_of(&['{', ',']), count_of(&[';']));
        let count = elements().count() as u64;
        if (rules + DECLARATION * declarations).saturating_mul(count) > MOST_MATCHES {
            return Err(format!(
                "{rules} rules of style with {declarations} declarations for {count} elements are too many"
            ));
        }
        Ok(Self { document, named, known: BTreeMap::new(), styled: sheets().flat_map(references).collect() })
    }

    pub(super) fn size(mut self) -> Result<SvgSize, String> {
        self.inside(self.document.root(), 0).map(|inside| inside.size)
    }

    fn inside(&mut self, element: Element<'a, 'a>, depth: usize) -> Result<Inside, String> {
        let bytes = element.attributes().map(|attribute| attribute.value().len() as u64).sum();
        let mut own = Inside { size: SvgSize { elements: 1, bytes }, depth: 0 };
        if depth > DEEPEST {
            return Err(format!("elements are nested more than {DEEPEST} deep"));
        }
        // a marker is drawn at each point of a path
        let path = element.attribute("d").or(element.attribute("points")).map_or(0, str::len) as u64;
        for attribute in element.attributes() {
            let is_marker = attribute.name().starts_with("marker") || attribute.value().contains("marker");
            let times = if is_marker { 1 + path / 2 } else { 1 };
            for name in references(attribute.value()) {
                own.add(self.used(name, depth)?, times);
            }
            if attribute.name() == "href"
                && let Some(name) = attribute.value().strip_prefix('#')
            {
                own.add(self.used(name, depth)?, 1);
            }
        }
        for index in 0..self.styled.len() {
            own.add(self.used(self.styled[index], depth)?, 1 + path / 2);
        }
        for child in element.children().filter(Element::is_element) {
            own.add(self.inside(child, depth + 1)?, 1);
        }
        own.depth += 1;
        Ok(own)
    }

    /// The size of a referenced element.
    fn used(&mut self, name: &str, depth: usize) -> Result<Inside, String> {
        let Some(target) = self.named.get(name).copied() else { return Ok(Inside::default()) };
        let id = target.id().get_usize();
        let known = match self.known.get(&id).copied() {
            Some(known) => known,
            None => {
                self.known.insert(id, Inside::default());
                let inside = self.inside(target, depth + REFERENCE)?;
                self.known.insert(id, inside);
                inside
            }
        };
        if depth + REFERENCE + known.depth > DEEPEST {
            return Err(format!("references are nested more than {} deep", DEEPEST / REFERENCE));
        }
        Ok(Inside { depth: known.depth + REFERENCE, ..known })
    }
}
