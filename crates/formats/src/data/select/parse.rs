//! The grammar of selections.
//!
//! ```text
//! either  = both ("or" both)*
//! both    = single ("and" single)*
//! single  = "not" single | "within" NUMBER "of" single | "byres" single | "same" ("residue" | COLUMN) "as" single
//!         | "(" either ")" | "every" NUMBER | "first" NUMBER | "all" | "none" | CLASS
//!         | COLUMN value+ | formula comparison formula
//! value   = NAME | NUMBER | DATE | NUMBER ":" NUMBER | DATE ":" DATE | quoted text
//! ```
//!
//! A class is a kind of atom, such as `protein`; [`Formula`] has the grammar of formulas.

use winnow::LocatingSlice;
use winnow::combinator::{alt, cut_err, delimited, eof, fail, opt, peek, preceded, repeat, terminated};
use winnow::error::{ContextError, StrContext, StrContextValue};
use winnow::prelude::*;
use winnow::stream::Stream;
use winnow::token::{take, take_till, take_while};

use super::expression::{Class, Comparator, Expression, ListItem};
use crate::data::formula::{Formula, FormulaMistake};
use crate::source::date::date;

type SelectionText<'a> = LocatingSlice<&'a str>;

/// Deepest nesting of brackets and words: far more than anybody writes.
const DEEPEST: usize = 64;

/// The values that must follow the name of a column, for messages.
const VALUES: &str = "values such as A, 7 or 10:20, or a comparison such as > 5";

/// The rule of ranges, for messages.
const ORDER: &str = "the lesser number of a range first, as in 10:20";

/// Words of other programs, and selections that mean the same.
const FOREIGN: [(&[&str], &str); 7] = [
    (&["hetatm", "hetero", "het"], "record HETATM"),
    (&["calpha", "calphas", "alpha", "ca", "c-alpha"], "name CA"),
    (&["heavy", "noh"], "not hydrogen"),
    (&["mainchain"], "backbone"),
    (&["dna", "rna"], "nucleic"),
    (&["aromatic"], "resname PHE TYR TRP HIS"),
    (&["charged"], "resname ASP GLU LYS ARG"),
];

const ENDS: [&str; 2] = ["and", "or"];

/// Words that begin a condition of their own, with what follows them: as values of a column they are quoted.
const STARTS: [&str; 4] = ["within", "not", "byres", "same"];

/// Words of other programs before a distance, which also begin a condition.
const FOREIGN_STARTS: [&str; 6] = ["around", "beyond", "expand", "exwithin", "near_to", "pbwithin"];

/// Signs of other languages, which also end a condition, and the words for them.
const SIGNS: [(&str, &str); 5] = [("&", "and"), ("&&", "and"), ("|", "or"), ("||", "or"), ("!", "not")];

impl Expression {
    /// Parses a selection, or says at which column of the text something else was expected.
    pub fn parse(text: &str) -> Result<Self, String> {
        if is_too_deep(text) {
            return Err(format!("nests brackets, not and within more than {DEEPEST} deep"));
        }
        preceded(blanks, either).parse(LocatingSlice::new(text)).map_err(|error| {
            let (before, rest) = text.split_at_checked(error.offset()).unwrap_or((text, ""));
            let found = rest.split_ascii_whitespace().next();
            let found = found.map_or_else(|| "the end".to_owned(), |word| format!("{word:?}"));
            let expected = error.inner().context().find_map(|context| match context {
                StrContext::Expected(StrContextValue::Description(expected)) => Some(*expected),
                _ => None,
            });
            let column = before.chars().count() + 1;
            if let Some((sign, word)) = sign_at(rest) {
                return format!("column {column}: {sign} is written {word}");
            }
            if expected != Some(VALUES)
                && let Some(start) = start_at(rest).filter(|_| !before.trim_end().is_empty())
            {
                if FOREIGN_STARTS.contains(&start) {
                    return format!(
                        "column {column}: {start} of other programs is written within, as in within 5 of resname HEM; as a \
                         value it is quoted, '{start}'"
                    );
                }
                return format!(
                    "column {column}: expected and {start}, as and joins two conditions, got {start}; as a value it is quoted, '{start}'"
                );
            }
            if expected == Some(VALUES) {
                let kinds: Vec<&str> =
                    Class::WORDS.iter().map(|(word, _)| *word).filter(|word| !word.ends_with('s') && *word != "strand").collect();
                let mut words = before.trim_end().rsplit([' ', '(']);
                let name = words.next().unwrap_or_default();
                // the name of a state, perhaps
                if let Some(joined) = words.next().filter(|word| ["OR", "AND"].contains(word)) {
                    let word = joined.to_lowercase();
                    return format!(
                        "column {column}: expected {VALUES}, after {name:?}, got {found}; {word} joins two conditions: as a value \
                         it is quoted, '{joined}'"
                    );
                }
                let known = FOREIGN.iter().find(|(words, _)| words.contains(&&*name.to_lowercase()));
                let help = match known {
                    Some((_, selection)) => format!("{name} of other programs is written {selection}"),
                    None => format!("kinds of atoms are {}", kinds.join(", ")),
                };
                return format!("column {column}: expected {VALUES}, after {name:?}, got {found}; {help}");
            }
            format!("column {column}: expected {}, got {found}", expected.unwrap_or("and, or, or the end"))
        })
    }
}

/// The sign that a text starts with, and the word for it.
fn sign_at(text: &str) -> Option<(&'static str, &'static str)> {
    let (sign, word) = SIGNS.into_iter().rfind(|(sign, _)| text.starts_with(sign))?;
    (!text[sign.len()..].starts_with('=')).then_some((sign, word))
}

/// The word at the start of a text, if a condition begins with it.
fn start_at(text: &str) -> Option<&'static str> {
    let mut words = text.split_whitespace();
    let (first, second) = (words.next()?, words.next()?);
    let start = STARTS.into_iter().chain(FOREIGN_STARTS).find(|start| start.eq_ignore_ascii_case(first))?;
    let begins = match start {
        _ if start == "within" || FOREIGN_STARTS.contains(&start) => finite(second).is_some(),
        "same" => words.next().is_some_and(|third| third.eq_ignore_ascii_case("as")),
        _ => true,
    };
    begins.then_some(start)
}

fn is_end(word: &str) -> bool {
    ENDS.iter().any(|end| end.eq_ignore_ascii_case(word)) || SIGNS.iter().any(|(sign, _)| *sign == word)
}

/// Whether brackets and prefix words nest too deep for a recursive parser. Chains of `and` and `or` add no depth.
fn is_too_deep(text: &str) -> bool {
    let (mut outer, mut own) = (Vec::new(), 0_usize);
    let mut quote = None;
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let length = match quote {
            Some(_) => 0,
            None => {
                rest.find(|letter: char| letter.is_whitespace() || "()<>=!\"'".contains(letter)).unwrap_or(rest.len())
            }
        };
        let (word, after) = rest.split_at(length.max(letter.len_utf8()));
        rest = after;
        match letter {
            _ if quote.is_some() => quote = quote.filter(|open| *open != letter),
            '"' | '\'' => quote = Some(letter),
            '(' => outer.push(std::mem::take(&mut own) + 1),
            ')' => own = outer.pop().unwrap_or(0),
            _ if ["not", "within", "byres", "same"].iter().any(|before| word.eq_ignore_ascii_case(before)) => own += 1,
            _ if ENDS.iter().any(|end| word.eq_ignore_ascii_case(end)) => own = 0,
            _ => continue,
        }
        if outer.iter().sum::<usize>() + own > DEEPEST {
            return true;
        }
    }
    false
}

fn expected(what: &'static str) -> StrContext {
    StrContext::Expected(StrContextValue::Description(what))
}

fn blanks(input: &mut SelectionText<'_>) -> ModalResult<()> {
    take_while(0.., char::is_whitespace).void().parse_next(input)
}

/// A word: anything but blanks, brackets, comparisons and quotes.
fn word<'a>(input: &mut SelectionText<'a>) -> ModalResult<&'a str> {
    let part = |letter: char| !letter.is_whitespace() && !"()<>=!\"'".contains(letter);
    terminated(take_while(1.., part), blanks).parse_next(input)
}

/// This word, in any case.
fn keyword<'a>(expected: &'static str) -> impl ModalParser<SelectionText<'a>, (), ContextError> {
    word.verify(move |found: &str| found.eq_ignore_ascii_case(expected)).void()
}

fn quoted<'a>(input: &mut SelectionText<'a>) -> ModalResult<&'a str> {
    let between = alt((
        delimited('"', take_till(0.., '"'), cut_err('"').context(expected("a closing quote"))),
        delimited('\'', take_till(0.., '\''), cut_err('\'').context(expected("a closing quote"))),
    ));
    terminated(between, blanks).parse_next(input)
}

fn symbol<'a>(symbol: &'static str) -> impl ModalParser<SelectionText<'a>, (), ContextError> {
    terminated(symbol, blanks).void()
}

fn number(input: &mut SelectionText<'_>) -> ModalResult<f64> {
    word.verify_map(finite).parse_next(input)
}

fn finite(word: &str) -> Option<f64> {
    word.parse().ok().filter(|value: &f64| value.is_finite())
}

fn either(input: &mut SelectionText<'_>) -> ModalResult<Expression> {
    let first = both(input)?;
    let others: Vec<_> = repeat(0.., preceded(keyword("or"), cut_err(both))).parse_next(input)?;
    Ok(chain(first, others, Expression::Or))
}

fn both(input: &mut SelectionText<'_>) -> ModalResult<Expression> {
    let first = single(input)?;
    let others: Vec<_> = repeat(0.., preceded(keyword("and"), cut_err(single))).parse_next(input)?;
    Ok(chain(first, others, Expression::And))
}

/// A term alone, or all of a chain.
fn chain(first: Expression, mut others: Vec<Expression>, join: fn(Vec<Expression>) -> Expression) -> Expression {
    if others.is_empty() {
        return first;
    }
    others.insert(0, first);
    join(others)
}

/// A whole number above 0, which must follow.
fn count(input: &mut SelectionText<'_>) -> ModalResult<u64> {
    let number = word.verify_map(|word: &str| word.parse::<u64>().ok().filter(|&number| number > 0));
    cut_err(number).context(expected("a whole number above 0")).parse_next(input)
}

fn single(input: &mut SelectionText<'_>) -> ModalResult<Expression> {
    let within = (
        cut_err(number.verify(|&distance| distance >= 0.0)).context(expected("a distance")),
        preceded(cut_err(keyword("of")).context(expected("of")), cut_err(single)),
    );
    let same = (
        cut_err(alt((quoted, word))).context(expected("residue or a column")),
        preceded(cut_err(keyword("as")).context(expected("as")), cut_err(single)),
    );
    let of_residue = |name: &str| ["residue", "res"].iter().any(|word| word.eq_ignore_ascii_case(name));
    let column = |name: &str| (!of_residue(name)).then(|| name.to_owned());
    if let Some(compared) = compared(input)? {
        return Ok(compared);
    }
    alt((
        delimited(
            symbol("("),
            cut_err(either),
            cut_err(symbol(")")).context(expected("and, or, or a closing bracket")),
        ),
        preceded(keyword("not"), cut_err(single)).map(|of| Expression::Not(Box::new(of))),
        preceded(keyword("within"), within).map(|(distance, of)| Expression::Within { distance, of: Box::new(of) }),
        preceded(keyword("byres"), cut_err(single)).map(|of| Expression::Same { column: None, of: Box::new(of) }),
        preceded(keyword("same"), same).map(|(name, of)| Expression::Same { column: column(name), of: Box::new(of) }),
        alt((
            preceded(keyword("every"), count).map(Expression::Every),
            preceded(keyword("first"), count).map(Expression::First),
        )),
        alt((keyword("all").value(Expression::All), keyword("none").value(Expression::Nothing), class)),
        listed,
        fail.context(expected("a column, a kind of atom such as water, not, within, every, all, none or a bracket")),
    ))
    .parse_next(input)
}

fn class(input: &mut SelectionText<'_>) -> ModalResult<Expression> {
    let known = |word: &str| Class::WORDS.iter().find(|(known, _)| known.eq_ignore_ascii_case(word));
    word.verify_map(known).map(|(_, class)| Expression::Class(*class)).parse_next(input)
}

/// A comparison of formulas, unless something else is next.
fn compared(input: &mut SelectionText<'_>) -> ModalResult<Option<Expression>> {
    let start = input.checkpoint();
    let text: &str = input.as_ref();
    let (left, length) = match Formula::parse_start(text) {
        Ok(found) => found,
        // a mistake in what can only be a comparison
        Err(mistake) if is_comparison(text) => return refuse(input, &mistake),
        Err(_) => return Ok(None),
    };
    take(length).void().parse_next(input)?;
    let Some(comparison) = opt(comparison).parse_next(input)? else {
        input.reset(&start);
        return Ok(None);
    };
    // `chain = A` is `chain A`
    let name = || left.columns().next().filter(|name| left.word().is_none_or(|word| word == *name)).map(str::to_owned);
    if matches!(comparison, Comparator::Equal | Comparator::Unequal)
        && let Some(column) = name()
        && let Some(name) =
            opt(terminated(not_a_number, peek(alt((eof.void(), ')'.void(), keyword("and"), keyword("or"))))))
                .parse_next(input)?
    {
        let items = Expression::Items { column, items: vec![ListItem::Name(name)] };
        return Ok(Some(match comparison {
            Comparator::Equal => items,
            _ => Expression::Not(Box::new(items)),
        }));
    }
    match Formula::parse_start(input.as_ref()) {
        Ok((right, length)) => {
            take(length).void().parse_next(input)?;
            // a number to the left of a number is the name of a column
            let left = match left.word() {
                Some(word) if left.is_constant() && right.is_constant() => Formula::column(word),
                _ => left,
            };
            Ok(Some(Expression::Compare { left, comparison, right }))
        }
        Err(mistake) => refuse(input, &mistake),
    }
}

/// Fails at a mistake in a formula.
fn refuse<T>(input: &mut SelectionText<'_>, mistake: &FormulaMistake) -> ModalResult<T> {
    take(mistake.at).void().parse_next(input)?;
    cut_err(fail.context(expected(mistake.expected))).parse_next(input)
}

/// Whether a text that does not start with a bracket compares a formula, with an operator or a bracket in it, before
/// the next `and` or `or`.
fn is_comparison(text: &str) -> bool {
    let words = text.split_whitespace().take_while(|word| !ENDS.iter().any(|end| end.eq_ignore_ascii_case(word)));
    let mut is_formula = false;
    for word in words {
        if word.starts_with(['"', '\'']) {
            return false;
        }
        is_formula |= word.contains(['(', '+', '/', '^']);
        if word.contains(['<', '>', '=']) {
            return is_formula && !text.starts_with('(');
        }
    }
    false
}

/// A column and the values that it may have.
fn listed(input: &mut SelectionText<'_>) -> ModalResult<Expression> {
    let mut name = alt((quoted, word.verify(|word: &str| !is_end(word))));
    let column = name.parse_next(input)?.to_owned();
    let items = cut_err(repeat(1.., preceded(not_a_start, item)).context(expected(VALUES))).parse_next(input)?;
    Ok(Expression::Items { column, items })
}

/// Fails where a condition of its own begins.
fn not_a_start(input: &mut SelectionText<'_>) -> ModalResult<()> {
    if start_at(input.as_ref()).is_some() { fail.parse_next(input) } else { Ok(()) }
}

/// A word, or text between quotes, that is no number.
fn not_a_number(input: &mut SelectionText<'_>) -> ModalResult<String> {
    let is_free = |word: &str| finite(word).is_none() && !is_end(word);
    let name = alt((quoted, word.verify(is_free))).parse_next(input)?;
    Ok(name.to_owned())
}

fn comparison(input: &mut SelectionText<'_>) -> ModalResult<Comparator> {
    alt((
        symbol("<=").value(Comparator::AtMost),
        symbol(">=").value(Comparator::AtLeast),
        symbol("!=").value(Comparator::Unequal),
        symbol("==").value(Comparator::Equal),
        symbol("<").value(Comparator::Less),
        symbol(">").value(Comparator::More),
        symbol("=").value(Comparator::Equal),
    ))
    .parse_next(input)
}

fn item(input: &mut SelectionText<'_>) -> ModalResult<ListItem> {
    let range = |word: &str| {
        let (first, last) = word.split_once(':')?;
        let value = |text: &str| finite(text).or_else(|| date(text.as_bytes()));
        Some(ListItem::Range(value(first)?, value(last)?))
    };
    let is_reversed = |word: &str| matches!(range(word), Some(ListItem::Range(least, most)) if least > most);
    let plain = word.verify(|word: &str| !is_end(word));
    alt((
        preceded(peek(word.verify(is_reversed)), cut_err(fail.context(expected(ORDER)))),
        quoted.map(|text| ListItem::Name(text.to_owned())),
        plain.map(|word| range(word).unwrap_or(ListItem::Name(word.to_owned()))),
    ))
    .parse_next(input)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items(column: &str, items: &[&str]) -> Expression {
        let items = items.iter().map(|&item| ListItem::Name(item.to_owned())).collect();
        Expression::Items { column: column.to_owned(), items }
    }

    #[test]
    fn and_binds_closer_than_or_and_not_closest() {
        let parsed = Expression::parse("chain A B or not water and element C").expect("a selection");
        let (a, b, c) = (items("chain", &["A", "B"]), Expression::Class(Class::Water), items("element", &["C"]));
        let not = Expression::Not(Box::new(b.clone()));
        let and = Expression::And(vec![not, c.clone()]);
        assert_eq!(parsed, Expression::Or(vec![a.clone(), and]));
        let parsed = Expression::parse(" NOT (chain A B OR water) ").expect("a selection");
        assert_eq!(parsed, Expression::Not(Box::new(Expression::Or(vec![a, b]))));
    }

    #[test]
    fn names_may_follow_a_sign_of_equality() {
        for text in ["chain = A", "chain==A", "chain = 'A'"] {
            assert_eq!(Expression::parse(text), Ok(items("chain", &["A"])), "{text}");
        }
        let not = Expression::Not(Box::new(items("chain", &["A"])));
        assert_eq!(Expression::parse("chain != A"), Ok(not));
        assert!(matches!(Expression::parse("mass = 5"), Ok(Expression::Compare { .. })));
    }

    #[test]
    fn values_are_names_numbers_ranges_and_quoted() {
        let quoted = ["within", "5", "not", "same"];
        assert_eq!(Expression::parse("kind 'within' 5 'not' same"), Ok(items("kind", &quoted)));
        let parsed = Expression::parse("resid 7 10:20 -5:-1.5 'a b'").expect("a selection");
        let expected = [
            ListItem::Name("7".to_owned()),
            ListItem::Range(10.0, 20.0),
            ListItem::Range(-5.0, -1.5),
            ListItem::Name("a b".to_owned()),
        ];
        assert_eq!(parsed, Expression::Items { column: "resid".to_owned(), items: expected.to_vec() });
        let parsed = Expression::parse("\"my mass\">=1e3").expect("a selection");
        let Expression::Compare { left, comparison, right } = parsed else { panic!("a comparison") };
        assert_eq!((left.columns().collect::<Vec<_>>(), comparison), (vec!["my mass"], Comparator::AtLeast));
        assert!(right.is_constant());
        let parsed = Expression::parse("within 5 of every 10").expect("a selection");
        assert_eq!(parsed, Expression::Within { distance: 5.0, of: Box::new(Expression::Every(10)) });
    }

    #[test]
    fn mistakes_are_told_by_their_column() {
        let start = "a column, a kind of atom such as water, not, within, every, all, none or a bracket";
        let kinds = "kinds of atoms are protein, nucleic, polymer, water, ion, ligand, lipid, hydrogen, metal, \
                     backbone, sidechain, helix, sheet";
        let and = |column: &str, word: &str| {
            format!(
                "{column}: expected and {word}, as and joins two conditions, got {word}; as a value it is quoted, '{word}'"
            )
        };
        let foreign = |column: &str, word: &str| {
            format!(
                "{column}: {word} of other programs is written within, as in within 5 of resname HEM; as a value it is \
                 quoted, '{word}'"
            )
        };
        for (text, expected) in [
            ("", format!("column 1: expected {start}, got the end")),
            ("chain", format!("column 6: expected {VALUES}, after \"chain\", got the end; {kinds}")),
            ("not (heme)", format!("column 10: expected {VALUES}, after \"heme\", got \")\"; {kinds}")),
            ("chain and water", format!("column 7: expected {VALUES}, after \"chain\", got \"and\"; {kinds}")),
            ("water and", format!("column 10: expected {start}, got the end")),
            ("(water", "column 7: expected and, or, or a closing bracket, got the end".to_owned()),
            ("water)", "column 6: expected and, or, or the end, got \")\"".to_owned()),
            ("mass >", "column 7: expected a number, a column or a bracket, got the end".to_owned()),
            ("vx^2 + > 4", "column 8: expected a number, a column or a bracket, got \">\"".to_owned()),
            ("same chain water", "column 12: expected as, got \"water\"".to_owned()),
            ("within near of water", "column 8: expected a distance, got \"near\"".to_owned()),
            ("within 5 water", "column 10: expected of, got \"water\"".to_owned()),
            ("resid 7 10:5", format!("column 9: expected {ORDER}, got \"10:5\"")),
            (
                "calpha or water",
                format!(
                    "column 8: expected {VALUES}, after \"calpha\", got \"or\"; calpha of other programs is written name CA"
                ),
            ),
            ("every 0", "column 7: expected a whole number above 0, got \"0\"".to_owned()),
            ("chain 'A", "column 9: expected a closing quote, got the end".to_owned()),
            ("name CA within 5 of ligand", and("column 9", "within")),
            ("resname LIG around 5", foreign("column 13", "around")),
            ("name CA exwithin 3 of ligand", foreign("column 9", "exwithin")),
            ("(chain A B NOT water)", and("column 12", "not")),
            ("chain A byres ligand", and("column 9", "byres")),
            ("mass > 5 same residue as ligand", and("column 10", "same")),
            (
                "heme within 5 of ligand",
                format!("column 6: expected {VALUES}, after \"heme\", got \"within\"; {kinds}"),
            ),
            ("chain A & resid 5", "column 9: & is written and".to_owned()),
            ("water || ion", "column 7: || is written or".to_owned()),
            ("!water", "column 1: ! is written not".to_owned()),
        ] {
            assert_eq!(Expression::parse(text), Err(expected), "{text}");
        }
    }

    #[test]
    fn chains_have_any_length_and_nesting_a_limit() {
        // on the stack of a thread, which is smaller than the main thread's
        for text in ["water", "not water", "(water)", "within 5 of water", "name 'a (' 'not'"] {
            let chain = vec![text; 50_000].join(" or ");
            let Ok(Expression::Or(terms)) = Expression::parse(&chain) else { panic!("a chain of {text}") };
            assert_eq!(terms.len(), 50_000);
            let chain = vec![text; 50_000].join(" and ");
            assert!(matches!(Expression::parse(&chain), Ok(Expression::And(_))));
        }
        for (open, close) in
            [("(", ")"), ("not ", ""), ("within 1 of ", ""), ("not (", ")"), ("byres ", ""), ("same x as ", "")]
        {
            let nested = |times: usize| format!("{}water{}", open.repeat(times), close.repeat(times));
            assert!(Expression::parse(&nested(32)).is_ok(), "{open}");
            let refused = Expression::parse(&nested(100_000));
            assert_eq!(refused, Err("nests brackets, not and within more than 64 deep".to_owned()), "{open}");
        }
    }
}
