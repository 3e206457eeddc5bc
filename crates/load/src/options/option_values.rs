//! Values of options as the command line spells them.

use std::convert::Infallible;
use std::fmt::Display;
use std::num::{ParseFloatError, ParseIntError};
use std::str::{FromStr, ParseBoolError};

use crate::color::{ColorRange, ColorScale, Scale, Srgba8};
use crate::data::{BondRule, HydrogenBondRule};
use crate::error::Error;
use crate::formats::{AtomStyle, Symmetry};
use crate::geom::single;
use crate::options::contact_rule::ContactsWith;
use crate::options::density_choice::DensityChoice;
use crate::options::figure::{LegendChoice, LegendOrder, ScaleBarChoice, Stamp};
use crate::options::panels::FigureGrid;
use crate::options::paper::{FigureWidth, FontSize};
use crate::options::ranges::{AxisRange, range_of_dates};
use crate::scene::circles::ViewBox;
use crate::scene::spheres::{AmbientOcclusion, ClipPlane, Transparency};
use crate::source::decimal::DecimalMark;

/// The kind of value of an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OptionKind {
    /// `true` or `false`.
    Switch,
    /// A whole number from 0.
    Whole,
    /// A whole number, negative ones among them.
    Integer,
    /// A number.
    Number,
    /// This many numbers, separated by commas.
    Numbers(usize),
    /// The centre and the height of a part of the picture.
    ViewBox,
    /// Three whole numbers, separated by commas.
    Counts,
    /// A colour.
    Color,
    /// Any text.
    Text,
    /// One of some names.
    Name,
    /// A word or numbers, with a meaning of their own.
    Word,
    /// Two numbers, or two words.
    Range,
    /// A plane; several may be given.
    Plane,
    /// Any text; several may be given.
    Texts,
    /// Two texts, with `=` between them in [`LoadOption::set`](super::option_table::LoadOption::set); several pairs may
    /// be given.
    Pair,
    /// `on`, `off` or `counts`.
    Legend,
    /// `on`, `off` or a length.
    ScaleBar,
}

/// Stands between the two texts of a pair, which may both contain `=`: ASCII's unit separator.
pub(crate) const PAIR_SEPARATOR: char = '\u{1f}';

/// The place of an option, set or not.
pub(crate) trait Setting {
    fn put(&mut self, text: &str) -> Result<(), String>;
    fn texts(&self) -> Vec<String>;
    fn kind(&self) -> OptionKind;
    fn clear(&mut self);
}

/// A value with a text form. The error of a wrong text states what is accepted.
pub(crate) trait Spelled: Sized {
    const KIND: OptionKind;
    fn parse(text: &str) -> Result<Self, String>;
    fn spelled(&self) -> String;
}

impl<T: Spelled> Setting for Option<T> {
    fn clear(&mut self) {
        *self = None;
    }

    fn put(&mut self, text: &str) -> Result<(), String> {
        *self = Some(T::parse(text)?);
        Ok(())
    }

    fn texts(&self) -> Vec<String> {
        self.iter().map(T::spelled).collect()
    }

    fn kind(&self) -> OptionKind {
        T::KIND
    }
}

/// Several may be given.
impl<T: Spelled> Setting for Vec<T> {
    fn clear(&mut self) {
        self.clear();
    }

    fn put(&mut self, text: &str) -> Result<(), String> {
        self.push(T::parse(text)?);
        Ok(())
    }

    fn texts(&self) -> Vec<String> {
        self.iter().map(T::spelled).collect()
    }

    fn kind(&self) -> OptionKind {
        if T::KIND == OptionKind::Text { OptionKind::Texts } else { T::KIND }
    }
}

impl<T: Plain> Spelled for (String, T) {
    const KIND: OptionKind = OptionKind::Pair;

    fn parse(text: &str) -> Result<Self, String> {
        let pair = text.split_once(PAIR_SEPARATOR).or_else(|| text.rsplit_once('='));
        let (first, second) = pair.ok_or("must be two texts with = between them")?;
        Ok((first.to_owned(), second.parse().map_err(T::refused)?))
    }

    fn spelled(&self) -> String {
        let (first, second) = (&self.0, self.1.to_string());
        let between = if second.contains(['=', PAIR_SEPARATOR]) { PAIR_SEPARATOR } else { '=' };
        format!("{first}{between}{second}")
    }
}

/// The rule without the text that was found, which the command line shows beside it.
fn rule(error: Error) -> String {
    error.rule().split(", got ").next().unwrap_or_default().to_owned()
}

/// A value that is written as it is displayed: a name, unless it has another kind.
trait Plain: FromStr<Err: BrokenRule> + Display {
    const KIND: OptionKind = OptionKind::Name;

    fn read(text: &str) -> Result<Self, Self::Err> {
        text.parse()
    }

    /// Says what the value must be.
    fn refused(error: Self::Err) -> String {
        error.rule()
    }
}

/// Why a text is no value.
trait BrokenRule {
    /// Says what the value must be.
    fn rule(self) -> String;
}

impl BrokenRule for Error {
    fn rule(self) -> String {
        Self::rule(self)
    }
}

impl BrokenRule for String {
    fn rule(self) -> String {
        self
    }
}

impl BrokenRule for Infallible {
    fn rule(self) -> String {
        match self {}
    }
}

impl BrokenRule for ParseBoolError {
    fn rule(self) -> String {
        "must be true or false".to_owned()
    }
}

impl BrokenRule for ParseIntError {
    fn rule(self) -> String {
        "must be a whole number".to_owned()
    }
}

impl BrokenRule for ParseFloatError {
    fn rule(self) -> String {
        "must be a number".to_owned()
    }
}

impl<T: Plain> Spelled for T {
    const KIND: OptionKind = T::KIND;

    fn parse(text: &str) -> Result<Self, String> {
        T::read(text).map_err(T::refused)
    }

    fn spelled(&self) -> String {
        self.to_string()
    }
}

impl Plain for bool {
    const KIND: OptionKind = OptionKind::Switch;
}

impl Plain for u32 {
    const KIND: OptionKind = OptionKind::Whole;
    fn refused(_: Self::Err) -> String {
        format!("must be a whole number from 0 to {}", Self::MAX)
    }
}

impl Plain for u64 {
    const KIND: OptionKind = OptionKind::Whole;
    fn refused(_: Self::Err) -> String {
        "must be a whole number from 0 to 2^64-1".to_owned()
    }
}

impl Plain for i64 {
    const KIND: OptionKind = OptionKind::Integer;
    fn refused(_: Self::Err) -> String {
        "must be a whole number from -2^63 to 2^63-1".to_owned()
    }
}

impl Plain for f32 {
    const KIND: OptionKind = OptionKind::Number;
}

impl Plain for f64 {
    const KIND: OptionKind = OptionKind::Number;
}

impl Plain for String {
    const KIND: OptionKind = OptionKind::Text;
}

impl Plain for Srgba8 {
    const KIND: OptionKind = OptionKind::Color;
    fn refused(error: Error) -> String {
        rule(error)
    }
}

impl Plain for ClipPlane {
    const KIND: OptionKind = OptionKind::Plane;
    fn refused(error: Error) -> String {
        rule(error)
    }
}

impl Plain for AmbientOcclusion {
    const KIND: OptionKind = OptionKind::Word;
    fn refused(_: Error) -> String {
        "must be smooth, off or a whole number from 0".to_owned()
    }
}

impl Plain for ColorRange {
    const KIND: OptionKind = OptionKind::Range;
    fn read(text: &str) -> Result<Self, Error> {
        range_of_dates(text).map_or_else(|| text.parse(), Ok)
    }
    fn refused(error: Error) -> String {
        rule(error).replace(", percentiles", ", dates such as 2024-01-01,2024-06-30, percentiles")
    }
}

impl Plain for AxisRange {
    const KIND: OptionKind = OptionKind::Range;
    fn refused(error: Error) -> String {
        rule(error)
    }
}

impl Plain for Transparency {}
impl Plain for Symmetry {}
impl Plain for AtomStyle {}
impl Plain for DecimalMark {}
impl Plain for BondRule {}
impl Plain for HydrogenBondRule {}
impl Plain for ContactsWith {}
impl Plain for Scale {}
impl Plain for ColorScale {}
impl Plain for LegendOrder {}
impl Plain for Stamp {}

impl Plain for DensityChoice {
    const KIND: OptionKind = OptionKind::Word;
}

impl Plain for FontSize {
    const KIND: OptionKind = OptionKind::Number;
}

impl Plain for FigureWidth {
    const KIND: OptionKind = OptionKind::Word;
}

impl Plain for FigureGrid {
    const KIND: OptionKind = OptionKind::Word;
}

impl Plain for LegendChoice {
    const KIND: OptionKind = OptionKind::Legend;
}

impl Plain for ScaleBarChoice {
    const KIND: OptionKind = OptionKind::ScaleBar;
}

fn numbers<T: FromStr, const N: usize>(text: &str) -> Option<[T; N]> {
    let parts: Option<Vec<T>> = text.split(',').map(|part| part.trim().parse().ok()).collect();
    parts?.try_into().ok()
}

fn joined(numbers: &[impl ToString]) -> String {
    numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}

impl Spelled for ViewBox {
    const KIND: OptionKind = OptionKind::ViewBox;

    fn parse(text: &str) -> Result<Self, String> {
        match numbers(text) {
            Some([x, y, height]) if [x, y, height].iter().all(|part: &f64| part.is_finite()) && height > 0.0 => {
                Ok(Self { center: [x, y], height })
            }
            _ => Err("must be three numbers separated by commas, the last positive, such as 640,480,120".to_owned()),
        }
    }

    fn spelled(&self) -> String {
        joined(&[self.center[0], self.center[1], self.height])
    }
}

impl Spelled for [f32; 2] {
    const KIND: OptionKind = OptionKind::Numbers(2);

    fn parse(text: &str) -> Result<Self, String> {
        numbers(text).ok_or_else(|| "must be two numbers separated by commas, such as 0.5,1".to_owned())
    }

    fn spelled(&self) -> String {
        joined(self)
    }
}

const THREE_NUMBERS: &str = "must be three finite numbers separated by commas, such as 1,2.5,-3";

impl Spelled for [f32; 3] {
    const KIND: OptionKind = OptionKind::Numbers(3);

    fn parse(text: &str) -> Result<Self, String> {
        let parts = numbers(text).filter(|parts: &Self| parts.iter().all(|part| part.is_finite()));
        parts.ok_or_else(|| THREE_NUMBERS.to_owned())
    }

    fn spelled(&self) -> String {
        joined(self)
    }
}

impl Spelled for [f64; 3] {
    const KIND: OptionKind = OptionKind::Numbers(3);

    fn parse(text: &str) -> Result<Self, String> {
        let parts = numbers(text).filter(|parts: &Self| parts.iter().all(|part| single(*part).is_finite()));
        parts.ok_or_else(|| THREE_NUMBERS.to_owned())
    }

    fn spelled(&self) -> String {
        joined(self)
    }
}

impl Spelled for [u32; 3] {
    const KIND: OptionKind = OptionKind::Counts;

    fn parse(text: &str) -> Result<Self, String> {
        // 2x2x1 is as good as 2,2,1
        let parts = numbers(&text.replace('x', ",")).filter(|parts: &Self| !parts.contains(&0));
        parts.ok_or_else(|| "must be three whole numbers from 1, such as 2,2,1 or 2x2x1".to_owned())
    }

    fn spelled(&self) -> String {
        joined(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_separated_by_commas_or_crosses() {
        for text in ["2,2,1", "2x2x1", "2, 2, 1"] {
            assert_eq!(<[u32; 3]>::parse(text), Ok([2, 2, 1]), "{text}");
        }
        for text in ["2", "2x2", "2x2x0", "2xx2", "x"] {
            let refused = <[u32; 3]>::parse(text).expect_err(text);
            assert!(refused.contains("such as 2,2,1 or 2x2x1"), "{refused}");
        }
    }
}
