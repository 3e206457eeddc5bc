//! Values of the scene format that name columns of data: colours and radii.

use std::fmt;

use serde::Deserialize;
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{self, Deserializer, MapAccess, SeqAccess, Unexpected, Visitor};

use super::decode::Located;
use super::values::{Length, Map, Numbers, Share, color};
use crate::color::{ColorRange, Scale, Srgba8};

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a number of pixels or a table with column")]
pub(crate) struct RadiusColumn {
    pub(crate) column: String,
    pub(crate) range: Option<Numbers<2>>,
    pub(crate) scale: Option<Scale>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a colour or a table with column")]
pub(crate) struct ColorColumn {
    pub(crate) column: String,
    pub(crate) map: Option<Map>,
    pub(crate) range: Option<Located<RangeText>>,
    pub(crate) scale: Option<Scale>,
    pub(crate) alpha: Option<Share>,
}

/// `[least, most]`, or percentiles as `"p2,p98"`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RangeText(pub(super) ColorRange);

impl<'de> Deserialize<'de> for RangeText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct RangeVisitor;

        impl<'de> Visitor<'de> for RangeVisitor {
            type Value = RangeText;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an array of 2 numbers, the lesser first, or percentiles such as \"p2,p98\"")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<RangeText, E> {
                text.parse().map(RangeText).map_err(|_| E::invalid_value(Unexpected::Str(text), &self))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<RangeText, A::Error> {
                let numbers = Numbers::<2>::deserialize(SeqAccessDeserializer::new(items))?;
                Ok(RangeText(ColorRange::Numbers(numbers.f64())))
            }
        }

        deserializer.deserialize_any(RangeVisitor)
    }
}

/// Pixels, or a column of them.
#[derive(Clone, Debug)]
pub(crate) enum PointRadius {
    Constant(f32),
    Column(RadiusColumn),
}

impl<'de> Deserialize<'de> for PointRadius {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct RadiusVisitor;

        impl<'de> Visitor<'de> for RadiusVisitor {
            type Value = PointRadius;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number of pixels, not negative, or a table with column")
            }

            fn visit_i64<E: de::Error>(self, value: i64) -> Result<PointRadius, E> {
                self.visit_f64(value as f64)
            }

            fn visit_f64<E: de::Error>(self, value: f64) -> Result<PointRadius, E> {
                let radius = Length::of(value).map(|length| PointRadius::Constant(length.f32()));
                radius.ok_or_else(|| E::invalid_value(Unexpected::Float(value), &self))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<PointRadius, A::Error> {
                Deserialize::deserialize(MapAccessDeserializer::new(map)).map(PointRadius::Column)
            }
        }

        deserializer.deserialize_any(RadiusVisitor)
    }
}

/// A colour, or a column of colours, of categories or of numbers.
#[derive(Clone, Debug)]
pub(crate) enum PointColor {
    Constant(Srgba8),
    Column(ColorColumn),
}

impl<'de> Deserialize<'de> for PointColor {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct PointColorVisitor;

        const ACCEPTED: &str = "a colour (#rrggbb, #rrggbbaa or a CSS name) or a table with column";

        impl<'de> Visitor<'de> for PointColorVisitor {
            type Value = PointColor;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(ACCEPTED)
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<PointColor, E> {
                color(text, ACCEPTED).map(PointColor::Constant)
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<PointColor, A::Error> {
                Deserialize::deserialize(MapAccessDeserializer::new(map)).map(PointColor::Column)
            }
        }

        deserializer.deserialize_any(PointColorVisitor)
    }
}

/// A name that the data knows, or a column with a map.
#[derive(Clone, Debug)]
pub(crate) enum ColorByText {
    Name(String),
    Column(ColorColumn),
}

impl<'de> Deserialize<'de> for ColorByText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ColorByVisitor;

        impl<'de> Visitor<'de> for ColorByVisitor {
            type Value = ColorByText;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("element, chain, residue, index, constant, a column's name or a table with column")
            }

            fn visit_str<E: de::Error>(self, name: &str) -> Result<ColorByText, E> {
                Ok(ColorByText::Name(name.to_owned()))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<ColorByText, A::Error> {
                Deserialize::deserialize(MapAccessDeserializer::new(map)).map(ColorByText::Column)
            }
        }

        deserializer.deserialize_any(ColorByVisitor)
    }
}

/// `"vdw"`, a number, or a column's name.
#[derive(Clone, Debug)]
pub(crate) enum RadiusByText {
    Constant(f32),
    Name(String),
}

impl<'de> Deserialize<'de> for RadiusByText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct RadiusByVisitor;

        impl Visitor<'_> for RadiusByVisitor {
            type Value = RadiusByText;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("vdw, a number that is not negative, or a column's name")
            }

            fn visit_i64<E: de::Error>(self, value: i64) -> Result<RadiusByText, E> {
                self.visit_f64(value as f64)
            }

            fn visit_f64<E: de::Error>(self, value: f64) -> Result<RadiusByText, E> {
                let radius = Length::of(value).map(|length| RadiusByText::Constant(length.f32()));
                radius.ok_or_else(|| E::invalid_value(Unexpected::Float(value), &self))
            }

            fn visit_str<E: de::Error>(self, name: &str) -> Result<RadiusByText, E> {
                Ok(RadiusByText::Name(name.to_owned()))
            }
        }

        deserializer.deserialize_any(RadiusByVisitor)
    }
}
