//! Rules of contacts between rows: a distance, or the geometry of hydrogen bonds.

use std::fmt;
use std::str::FromStr;

use crate::data::{Expression, HydrogenBondRule};
use crate::did_you_mean::shortened;
use crate::options::option_values::PAIR_SEPARATOR;

/// Distance of contacts in world units, unless the caller gives one.
const DISTANCE: f32 = 4.0;

/// The rule by which two rows are in contact.
///
/// ```
/// # use roundel_load as roundel;
/// use roundel::io::ContactRule;
/// use roundel_formats::io::HydrogenBondRule;
///
/// assert_eq!("3.5".parse(), Ok(ContactRule::Distance(3.5)));
/// assert_eq!("hbonds".parse(), Ok(ContactRule::HydrogenBond(HydrogenBondRule::BakerHubbard)));
/// assert!("-2".parse::<ContactRule>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum ContactRule {
    /// They are at most this far apart, in world units, and more than three bonds from each other.
    Distance(f32),
    /// They are the donor and the acceptor of a hydrogen bond.
    HydrogenBond(HydrogenBondRule),
}

impl ContactRule {
    /// Whether a text is meant as a rule, and not as the name of a file.
    #[must_use]
    pub fn is_named(text: &str) -> bool {
        text.parse::<f32>().is_ok() || text.parse::<Self>().is_ok()
    }
}

impl Default for ContactRule {
    fn default() -> Self {
        Self::Distance(DISTANCE)
    }
}

impl fmt::Display for ContactRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Distance(distance) => distance.fmt(f),
            Self::HydrogenBond(rule) => rule.fmt(f),
        }
    }
}

impl FromStr for ContactRule {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || {
            let names = HydrogenBondRule::ALL.map(HydrogenBondRule::name).join(" or ");
            format!("must be contacts by a positive distance, hbonds, {names}, got {:?}", shortened(text))
        };
        match (text.parse::<f32>(), text) {
            (Ok(distance), _) if distance > 0.0 && distance.is_finite() => Ok(Self::Distance(distance)),
            (Ok(_), _) => Err(wrong()),
            (_, "hbonds") => Ok(Self::HydrogenBond(HydrogenBondRule::default())),
            (_, name) => name.parse().map(Self::HydrogenBond).map_err(|_| wrong()),
        }
    }
}

/// The second of two selections between which contacts are drawn, and their rule.
///
/// As a text it is the selection and, unless the rule is a distance of 4, a unit separator (`\u{1f}`) and the rule.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ContactsWith {
    /// The rows, by a selection.
    pub select: String,
    /// The rule of the contacts.
    pub rule: ContactRule,
}

impl fmt::Display for ContactsWith {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.select)?;
        if self.rule == ContactRule::default() { Ok(()) } else { write!(f, "{PAIR_SEPARATOR}{}", self.rule) }
    }
}

impl FromStr for ContactsWith {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (select, rule) = match text.split_once(PAIR_SEPARATOR) {
            Some((select, rule)) => (select, rule.parse()?),
            None => (text, ContactRule::default()),
        };
        Ok(Self { select: select.to_owned(), rule })
    }
}

/// Contacts that the caller asks for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ContactRequest {
    pub(crate) of: Expression,
    pub(crate) with: Expression,
    pub(crate) rule: ContactRule,
}

impl ContactRequest {
    /// The hydrogen bonds between all rows.
    pub(crate) fn hydrogen_bonds(rule: HydrogenBondRule) -> Self {
        Self { of: Expression::All, with: Expression::All, rule: ContactRule::HydrogenBond(rule) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contacts_are_read_back_as_they_are_spelled() {
        for rule in [ContactRule::default(), ContactRule::Distance(3.5), "wernet-nilsson".parse().expect("a rule")] {
            let with = ContactsWith { select: "resid 113 = 4".to_owned(), rule };
            assert_eq!(with.to_string().parse(), Ok(with));
        }
        assert!("protein\u{1f}near".parse::<ContactsWith>().expect_err("no rule").contains("a positive distance"));
    }
}
