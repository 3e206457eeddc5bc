//! Values of the scene format that are written as one of some names.

use std::str::FromStr;

use serde::Deserialize;
use serde::de::{self, Deserializer};

use crate::color::maps::ColorMap;
use crate::data::{BondRule, HydrogenBondRule};
use crate::did_you_mean::{self, shortened};
use crate::error::Error;
use crate::formats::{AtomStyle, Symmetry};
use crate::options::figure::{LegendChoice, Stamp};
use crate::options::molecule_style::MoleculeStyle;
use crate::scene::generate::Pattern;
use crate::scene::spheres::{ShadingPreset, StandardView, Transparency};
use crate::source::decimal::DecimalMark;

pub(crate) trait Named: FromStr {
    /// Completes the message "must be …".
    const ACCEPTED: &'static str;
    /// The word for all names in messages.
    const PLURAL: &'static str;
    fn names() -> Vec<&'static str>;

    /// The message about an unknown name.
    fn refusal(name: &str, _: Self::Err) -> String {
        let hint = did_you_mean::hint(name, Self::names().into_iter(), Self::PLURAL);
        format!("must be {}, got {:?}{hint}", Self::ACCEPTED, shortened(name))
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Name<T>(pub(crate) T);

impl<T: Named> Name<T> {
    /// The value of this name.
    pub(crate) fn of<E: de::Error>(name: &str) -> Result<Self, E> {
        name.parse().map(Self).map_err(|error| E::custom(T::refusal(name, error)))
    }
}

impl<'de, T: Named> Deserialize<'de> for Name<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::of(&String::deserialize(deserializer)?)
    }
}

/// A look, or `auto`, which takes the look of data without a scene.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SceneLook {
    Auto,
    Is(ShadingPreset),
}

impl FromStr for SceneLook {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        if name == "auto" { Ok(Self::Auto) } else { name.parse().map(Self::Is) }
    }
}

impl Named for SceneLook {
    const ACCEPTED: &'static str = "a look";
    const PLURAL: &'static str = "looks";
    fn names() -> Vec<&'static str> {
        ShadingPreset::ALL.map(ShadingPreset::name).into_iter().chain(["auto"]).collect()
    }
}

impl Named for Transparency {
    const ACCEPTED: &'static str = "a model of transparency";
    const PLURAL: &'static str = "models";
    fn names() -> Vec<&'static str> {
        Self::names().collect()
    }
}

impl Named for ColorMap {
    const ACCEPTED: &'static str = "a colour map";
    const PLURAL: &'static str = "maps";
    fn names() -> Vec<&'static str> {
        Self::names().collect()
    }
}

impl Named for StandardView {
    const ACCEPTED: &'static str = "a view";
    const PLURAL: &'static str = "views";
    fn names() -> Vec<&'static str> {
        Self::ALL.map(Self::name).into()
    }
}

impl Named for Symmetry {
    const ACCEPTED: &'static str = "a way to draw crystals";
    const PLURAL: &'static str = "ways";
    fn names() -> Vec<&'static str> {
        Self::ALL.map(Self::name).into()
    }
}

impl Named for AtomStyle {
    const ACCEPTED: &'static str = "an atom style";
    const PLURAL: &'static str = "styles";
    fn names() -> Vec<&'static str> {
        Self::names().collect()
    }
}

impl Named for DecimalMark {
    const ACCEPTED: &'static str = "a decimal mark";
    const PLURAL: &'static str = "marks";
    fn names() -> Vec<&'static str> {
        Self::ALL.map(Self::name).into()
    }
}

impl Named for MoleculeStyle {
    const ACCEPTED: &'static str = "a style";
    const PLURAL: &'static str = "styles";
    fn names() -> Vec<&'static str> {
        Self::ALL.map(Self::name).into()
    }

    /// The parser's message, which knows styles of other programs.
    fn refusal(_: &str, error: Error) -> String {
        error.rule()
    }
}

impl Named for BondRule {
    const ACCEPTED: &'static str = "a source of bonds";
    const PLURAL: &'static str = "sources";
    fn names() -> Vec<&'static str> {
        Self::ALL.map(Self::name).into()
    }
}

impl Named for HydrogenBondRule {
    const ACCEPTED: &'static str = "a rule of hydrogen bonds";
    const PLURAL: &'static str = "rules";
    fn names() -> Vec<&'static str> {
        Self::ALL.map(Self::name).into()
    }
}

impl Named for Stamp {
    const ACCEPTED: &'static str = "what a stamp states";
    const PLURAL: &'static str = "stamps";
    fn names() -> Vec<&'static str> {
        Self::ALL.map(|(_, name)| name).into()
    }
}

impl Named for LegendChoice {
    const ACCEPTED: &'static str = "what a legend shows and where it stands";
    const PLURAL: &'static str = "choices";
    fn names() -> Vec<&'static str> {
        Self::WORDS.into()
    }
}

impl Named for Pattern {
    const ACCEPTED: &'static str = "a kind of shapes";
    const PLURAL: &'static str = "kinds";
    fn names() -> Vec<&'static str> {
        Self::ALL.map(Self::name).into()
    }
}

/// A [`Scale`](crate::color::Scale) in the schema.
#[cfg(test)]
pub(crate) struct ScaleName;
