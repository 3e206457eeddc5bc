//! Formulas over columns: `sqrt(vx^2 + vy^2)`, `abs(z - 12)`.
//!
//! ```text
//! formula = ["-"] value (("+" | "-" | "*" | "/" | "^") ["-"] value)*
//! value   = NUMBER | DATE | COLUMN | "quoted column" | "(" formula ")" | FUNCTION "(" formula ("," formula)* ")"
//! ```
//!
//! Source of the parser: Dijkstra's shunting yard. A formula is a program for a stack machine, so neither parsing nor
//! evaluating nests calls.

use rayon::iter::{IndexedParallelIterator, ParallelIterator};
use rayon::slice::ParallelSliceMut;

use super::table::{Lookup, Table};
use crate::source::date::{date, leading_date};

/// Numbers computed for each row of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Formula {
    steps: Vec<Step>,
    /// The text, if it is one word, which may be a column with an odd name: `T-eff`.
    word: Option<String>,
}

/// A step of a stack machine.
#[derive(Clone, Debug, PartialEq)]
enum Step {
    Number(f64),
    Column(String),
    Negate,
    Binary(BinaryOperator),
    Call(&'static Function),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BinaryOperator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
}

#[derive(Debug, PartialEq)]
struct Function {
    name: &'static str,
    of: Arity,
}

#[derive(Clone, Copy, Debug)]
enum Arity {
    One(fn(f64) -> f64),
    Two(fn(f64, f64) -> f64),
}

impl PartialEq for Arity {
    fn eq(&self, other: &Self) -> bool {
        self.count() == other.count()
    }
}

impl Arity {
    fn count(self) -> usize {
        match self {
            Self::One(_) => 1,
            Self::Two(_) => 2,
        }
    }
}

const fn one(name: &'static str, of: fn(f64) -> f64) -> Function {
    Function { name, of: Arity::One(of) }
}

const fn two(name: &'static str, of: fn(f64, f64) -> f64) -> Function {
    Function { name, of: Arity::Two(of) }
}

const FUNCTIONS: [Function; 12] = [
    one("abs", f64::abs),
    one("sqrt", f64::sqrt),
    one("exp", libm::exp),
    one("log", libm::log),
    one("log10", libm::log10),
    one("sin", libm::sin),
    one("cos", libm::cos),
    one("tan", libm::tan),
    one("floor", libm::floor),
    one("round", libm::round),
    // NaN stays NaN, unlike with f64::min
    two("min", |a, b| if a < b || a.is_nan() { a } else { b }),
    two("max", |a, b| if a > b || a.is_nan() { a } else { b }),
];

/// A mistake in the syntax.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FormulaMistake {
    /// Its byte in the text.
    pub(crate) at: usize,
    pub(crate) expected: &'static str,
}

const VALUE: &str = "a number, a column or a bracket";
const OPERATOR: &str = "an operator or a closing bracket";
const KNOWN: &str =
    "one of the functions abs, sqrt, exp, log, log10, sin, cos, tan, floor, round, min(a, b) and max(a, b)";

/// Keywords of selections: a column of this name must be quoted.
const WORDS: [&str; 3] = ["and", "or", "not"];

/// An entry of the operator stack (shunting yard).
#[derive(Clone, Copy)]
enum Waiting {
    Negate,
    Binary(BinaryOperator),
    /// An opening bracket; with a function, the count of its arguments so far.
    Bracket(Option<(&'static Function, usize)>),
}

impl BinaryOperator {
    fn of(letter: char) -> Option<Self> {
        Some(match letter {
            '+' => Self::Add,
            '-' => Self::Subtract,
            '*' => Self::Multiply,
            '/' => Self::Divide,
            '^' => Self::Power,
            _ => return None,
        })
    }

    fn precedence(self) -> u8 {
        match self {
            Self::Add | Self::Subtract => 1,
            Self::Multiply | Self::Divide => 2,
            Self::Power => 4,
        }
    }

    fn apply(self, a: f64, b: f64) -> f64 {
        match self {
            Self::Add => a + b,
            Self::Subtract => a - b,
            Self::Multiply => a * b,
            Self::Divide => a / b,
            Self::Power if b == 2.0 => a * a,
            Self::Power => libm::pow(a, b),
        }
    }
}

impl Waiting {
    /// A sign binds closer than products and less than powers: `-x^2` is `-(x^2)`.
    fn precedence(self) -> u8 {
        match self {
            Self::Binary(operator) => operator.precedence(),
            Self::Negate => 3,
            Self::Bracket(_) => 0,
        }
    }

    fn step(self) -> Step {
        match self {
            Self::Negate => Step::Negate,
            Self::Binary(operator) => Step::Binary(operator),
            Self::Bracket(_) => unreachable!("brackets are closed before their operators are taken"),
        }
    }
}

/// Whether a letter may be in an unquoted name.
fn is_name(letter: char) -> bool {
    !letter.is_whitespace() && !"+-*/^(),<>=!\"'".contains(letter)
}

/// The length in bytes of the number at the start of a text; 0 if there is none.
fn number_length(text: &str) -> usize {
    let digits = |from: usize| text[from..].bytes().take_while(u8::is_ascii_digit).count();
    let mut length = digits(0);
    if text[length..].starts_with('.') {
        length += 1 + digits(length + 1);
    }
    if length == 0 || text[..length] == *"." {
        return 0;
    }
    if text[length..].starts_with(['e', 'E']) {
        let sign = usize::from(text[length + 1..].starts_with(['+', '-']));
        let exponent = digits(length + 1 + sign);
        if exponent > 0 {
            length += 1 + sign + exponent;
        }
    }
    length
}

/// A parser by operator precedence, for one formula.
struct FormulaParser<'a> {
    text: &'a str,
    /// The next byte.
    at: usize,
    steps: Vec<Step>,
    waiting: Vec<Waiting>,
}

impl FormulaParser<'_> {
    /// Moves past some bytes and the blanks after them.
    fn advance(&mut self, count: usize) {
        self.at = self.text.len() - self.text[self.at + count..].trim_start().len();
    }

    fn mistake(&self, expected: &'static str) -> FormulaMistake {
        FormulaMistake { at: self.at, expected }
    }

    /// Pops operators off the stack while they satisfy the condition.
    fn reduce(&mut self, mut condition: impl FnMut(&Waiting) -> bool) {
        while let Some(top) = self.waiting.pop_if(|top| condition(top)) {
            self.steps.push(top.step());
        }
    }

    /// Parses a value with its signs and opening brackets.
    fn value(&mut self) -> Result<(), FormulaMistake> {
        loop {
            match self.text[self.at..].chars().next() {
                Some('-') => self.waiting.push(Waiting::Negate),
                Some('(') => self.waiting.push(Waiting::Bracket(None)),
                Some('+') => {}
                _ if self.operand()? => return Ok(()),
                _ => continue,
            }
            self.advance(1);
        }
    }

    /// Parses a number, a column, or a function with its opening bracket; then returns false, as its arguments follow.
    fn operand(&mut self) -> Result<bool, FormulaMistake> {
        let rest = &self.text[self.at..];
        let mistake = self.mistake(VALUE);
        let letter = rest.chars().next().ok_or(mistake)?;
        let run = rest.find(|letter| !is_name(letter)).unwrap_or(rest.len());
        let (name, number) = (&rest[..run], number_length(rest));
        let (step, length) = if let Some((seconds, length)) = leading_date(rest.as_bytes()) {
            (Step::Number(seconds), length)
        } else if number > 0 && number >= run {
            (Step::Number(rest[..number].parse().map_err(|_| mistake)?), number)
        } else if let '"' | '\'' = letter {
            let unclosed = FormulaMistake { at: self.text.len(), expected: "a closing quote" };
            let length = rest[1..].find(letter).ok_or(unclosed)?;
            (Step::Column(rest[1..=length].to_owned()), length + 2)
        } else if run == 0 || WORDS.iter().any(|word| word.eq_ignore_ascii_case(name)) {
            return Err(mistake);
        } else if rest[run..].starts_with('(') {
            let function = FUNCTIONS.iter().find(|function| function.name.eq_ignore_ascii_case(name));
            let function = function.ok_or(self.mistake(KNOWN))?;
            self.waiting.push(Waiting::Bracket(Some((function, 1))));
            self.advance(run + 1);
            return Ok(false);
        } else {
            (Step::Column(name.to_owned()), run)
        };
        self.steps.push(step);
        self.advance(length);
        Ok(true)
    }

    /// Parses closing brackets, then an operator or a comma. Returns whether a value must follow; false at the end.
    fn operator(&mut self) -> Result<bool, FormulaMistake> {
        loop {
            let letter = self.text[self.at..].chars().next();
            if letter == Some(',') {
                return self.comma();
            }
            if letter != Some(')') {
                return self.binary(letter.and_then(BinaryOperator::of));
            }
            if !self.close()? {
                return Ok(false);
            }
        }
    }

    /// Returns false at the end of the formula.
    fn binary(&mut self, operator: Option<BinaryOperator>) -> Result<bool, FormulaMistake> {
        let Some(operator) = operator else {
            let is_open = self.waiting.iter().any(|top| matches!(top, Waiting::Bracket(_)));
            return if is_open { Err(self.mistake(OPERATOR)) } else { Ok(false) };
        };
        self.reduce(|top| {
            let (own, other) = (operator.precedence(), top.precedence());
            other > own || (other == own && operator != BinaryOperator::Power)
        });
        self.waiting.push(Waiting::Binary(operator));
        self.advance(1);
        Ok(true)
    }

    /// Returns false at a bracket around the formula, which is not part of it.
    fn close(&mut self) -> Result<bool, FormulaMistake> {
        self.reduce(|top| !matches!(top, Waiting::Bracket(_)));
        match self.waiting.pop() {
            None => return Ok(false),
            Some(Waiting::Bracket(None)) => {}
            Some(Waiting::Bracket(Some((function, count)))) if count == function.of.count() => {
                self.steps.push(Step::Call(function));
            }
            Some(_) => return Err(self.mistake("a comma and another value")),
        }
        self.advance(1);
        Ok(true)
    }

    /// Returns false at a comma after the formula, which is not part of it.
    fn comma(&mut self) -> Result<bool, FormulaMistake> {
        self.reduce(|top| !matches!(top, Waiting::Bracket(_)));
        match self.waiting.pop() {
            None => return Ok(false),
            Some(Waiting::Bracket(Some((function, count)))) if count < function.of.count() => {
                self.waiting.push(Waiting::Bracket(Some((function, count + 1))));
            }
            Some(_) => return Err(self.mistake(OPERATOR)),
        }
        self.advance(1);
        Ok(true)
    }
}

impl Formula {
    pub fn column(name: &str) -> Self {
        Self { steps: vec![Step::Column(name.to_owned())], word: None }
    }

    /// Parses a formula that takes up the whole text.
    ///
    /// # Errors
    /// Says at which column of the text something else was expected.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mistake = match Self::parse_start(text) {
            Ok((formula, end)) if text[end..].trim().is_empty() => return Ok(formula),
            Ok((_, end)) => FormulaMistake { at: end, expected: "an operator or the end" },
            Err(mistake) => mistake,
        };
        let found = text[mistake.at..].split_ascii_whitespace().next();
        let found = found.map_or_else(|| "the end".to_owned(), |word| format!("{word:?}"));
        Err(format!("column {}: expected {}, got {found}", text[..mistake.at].chars().count() + 1, mistake.expected))
    }

    /// Parses the formula that a text starts with; returns it and the byte where it ends, past blanks.
    pub(crate) fn parse_start(text: &str) -> Result<(Self, usize), FormulaMistake> {
        let mut parser = FormulaParser { text, at: 0, steps: Vec::new(), waiting: Vec::new() };
        parser.advance(0);
        let start = parser.at;
        parser.value()?;
        while parser.operator()? {
            parser.value()?;
        }
        parser.reduce(|_| true);
        let FormulaParser { at: end, steps, .. } = parser;
        let word = text[start..end].trim_end();
        let is_word = !word.contains(|letter: char| letter.is_whitespace() || "(),\"'".contains(letter));
        Ok((Self { steps, word: is_word.then(|| word.to_owned()) }, end))
    }

    /// The text, if it is one word without brackets and quotes.
    pub fn word(&self) -> Option<&str> {
        self.word.as_deref()
    }

    /// Whether it is the same number for all rows.
    pub fn is_constant(&self) -> bool {
        self.columns().next().is_none()
    }

    /// Turns a formula of one word into a column if there is one of this name, and quoted dates into numbers unless a column
    /// has this name.
    pub fn settle(&mut self, is_column: &dyn Fn(&str) -> bool) {
        if let Some(word) = self.word.take_if(|word| is_column(word)) {
            *self = Self::column(&word);
        }
        // a date between quotes
        for step in &mut self.steps {
            if let Step::Column(name) = step
                && let Some(seconds) = date(name.as_bytes()).filter(|_| !is_column(name))
            {
                *step = Step::Number(seconds);
            }
        }
    }

    /// Substitutes named formulas for their names; `None` if the result has more than `most` steps.
    pub fn inlined<'a>(&self, named: impl Fn(&str) -> Option<&'a Self>, most: usize) -> Option<Self> {
        let mut steps = Vec::new();
        for step in &self.steps {
            match step {
                Step::Column(name) => match named(name) {
                    Some(formula) => steps.extend_from_slice(&formula.steps),
                    None => steps.push(step.clone()),
                },
                other => steps.push(other.clone()),
            }
            if steps.len() > most {
                return None;
            }
        }
        Some(Self { steps, word: self.word.clone() })
    }

    pub fn columns(&self) -> impl Iterator<Item = &str> {
        self.steps.iter().filter_map(|step| if let Step::Column(name) = step { Some(name.as_str()) } else { None })
    }

    /// Computes a number for each row; NaN where a column lacks one.
    pub fn evaluate(&self, table: &Table<'_>, lookup: &Lookup<'_>) -> Vec<f64> {
        /// Rows computed together.
        const ROWS: usize = 1024;
        let mut columns: Vec<(&str, Vec<f64>)> = Vec::new();
        for name in self.columns() {
            if columns.iter().all(|(known, _)| *known != name) {
                columns.push((name, table.source_numbers(lookup(name))));
            }
        }
        if let [Step::Column(_)] = self.steps[..]
            && let Some((_, numbers)) = columns.pop()
        {
            return numbers;
        }
        let mut all = vec![0.0; table.rows()];
        all.par_chunks_mut(ROWS).enumerate().for_each(|(chunk, out)| {
            let (first, rows) = (chunk * ROWS, out.len());
            let mut stack: Vec<Vec<f64>> = Vec::new();
            let pop = |stack: &mut Vec<Vec<f64>>| stack.pop().expect("a formula has as many values as it needs");
            for step in &self.steps {
                let value = match step {
                    Step::Number(number) => vec![*number; rows],
                    Step::Column(name) => {
                        let numbers = columns.iter().find(|(known, _)| known == name);
                        numbers.expect("all columns were looked up").1[first..first + rows].to_vec()
                    }
                    Step::Negate => pop(&mut stack).into_iter().map(|value| -value).collect(),
                    Step::Call(Function { of: Arity::One(of), .. }) => pop(&mut stack).into_iter().map(of).collect(),
                    Step::Binary(operator) => {
                        let (b, a) = (pop(&mut stack), pop(&mut stack));
                        a.into_iter().zip(b).map(|(a, b)| operator.apply(a, b)).collect()
                    }
                    Step::Call(Function { of: Arity::Two(of), .. }) => {
                        let (b, a) = (pop(&mut stack), pop(&mut stack));
                        a.into_iter().zip(b).map(|(a, b)| of(a, b)).collect()
                    }
                };
                stack.push(value);
            }
            out.copy_from_slice(&pop(&mut stack));
        });
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::table::{Block, NumberSource, Positions};

    fn value(text: &str) -> f64 {
        let mut table = Table::new([]);
        let positions = Positions::Space(vec![[3.0, 4.0, -12.0]].into());
        table.push(Block { positions, values: Vec::new() }, &[]).expect("no names");
        let lookup =
            |name: &str| NumberSource::Axis(["x", "y", "z"].iter().position(|axis| *axis == name).expect(name));
        Formula::parse(text).expect(text).evaluate(&table, &lookup)[0]
    }

    #[test]
    fn formulas_compute_as_written() {
        for (text, expected) in [
            ("x", 3.0),
            ("sqrt(x^2+y^2+z^2)", 13.0),
            ("-x^2", -9.0),
            ("(-x)^2", 9.0),
            ("2^3^2", 512.0),
            ("x - y - z", 11.0),
            ("x/y/2", 0.375),
            ("2*x+y*3", 18.0),
            ("2 - -3", 5.0),
            ("abs(z - 12) * 1e-1", 2.4),
            ("min(x, y) + max(x,y)*10", 43.0),
            ("max(min(1,2),-(3))", 1.0),
            ("\"x\" + 'y'", 7.0),
            ("floor(-.5) + round(2.5)", 2.0),
            ("log10(1E3)", 3.0),
        ] {
            assert!((value(text) - expected).abs() < 1e-12, "{text}: {}", value(text));
        }
    }

    #[test]
    fn mistakes_are_told_by_their_column() {
        for (text, expected) in [
            ("", format!("column 1: expected {VALUE}, got the end")),
            ("x +", format!("column 4: expected {VALUE}, got the end")),
            ("x * * y", format!("column 5: expected {VALUE}, got \"*\"")),
            ("(x + y", format!("column 7: expected {OPERATOR}, got the end")),
            ("x y", "column 3: expected an operator or the end, got \"y\"".to_owned()),
            ("x + y)", "column 6: expected an operator or the end, got \")\"".to_owned()),
            ("min(x)", "column 6: expected a comma and another value, got \")\"".to_owned()),
            ("abs(x, y)", format!("column 6: expected {OPERATOR}, got \",\"")),
            ("sine(x)", format!("column 1: expected {KNOWN}, got \"sine(x)\"")),
            ("x + 'y", "column 7: expected a closing quote, got the end".to_owned()),
            ("x and y", "column 3: expected an operator or the end, got \"and\"".to_owned()),
        ] {
            assert_eq!(Formula::parse(text), Err(expected), "{text}");
        }
    }

    #[test]
    fn formulas_of_any_depth_need_no_stack() {
        for (open, close) in [("(", ")"), ("-", ""), ("abs(", ")"), ("x^", ""), ("x+", "")] {
            let text = format!("{}x{}", open.repeat(100_000), close.repeat(100_000));
            assert!(Formula::parse(&text).is_ok(), "{open}");
        }
    }

    #[test]
    fn dates_are_numbers_unless_a_column_has_their_name() {
        let (formula, end) = Formula::parse_start("2024-01-31 12:00 and x").expect("a formula");
        assert_eq!((end, formula.steps), (17, vec![Step::Number(1_706_702_400.0)]));
        let mut later = Formula::parse("'2024-01-31' + 3600").expect("a formula");
        let mut column = later.clone();
        later.settle(&|_| false);
        assert!(later.is_constant());
        column.settle(&|name| name == "2024-01-31");
        assert_eq!(column.columns().collect::<Vec<_>>(), ["2024-01-31"]);
        let mut bare = Formula::parse("2024-01-31").expect("a formula");
        bare.settle(&|name| name == "2024-01-31");
        assert_eq!(bare.columns().count(), 1, "as before");
    }

    #[test]
    fn words_may_be_columns_of_their_own() {
        let (mut formula, end) = Formula::parse_start("T-eff > 5").expect("a formula");
        assert_eq!((end, formula.columns().collect::<Vec<_>>()), (6, vec!["T", "eff"]));
        formula.settle(&|name| name == "T-eff");
        assert_eq!(formula.columns().collect::<Vec<_>>(), ["T-eff"]);
        assert_eq!(
            Formula::parse("2theta").expect("a name"),
            Formula { word: Some("2theta".into()), ..Formula::column("2theta") }
        );
    }
}
