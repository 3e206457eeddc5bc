//! Values of the scene format that name columns of data: colours and radii.

use std::fmt;

use serde::Deserialize;
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{self, Deserializer, MapAccess, SeqAccess, Unexpected, Visitor};

use super::decode::Located;
use super::names::Name;
use super::values::{Length, Numbers, Share, color};
use crate::color::maps::ColorMap;
use crate::color::{ColorRange, Scale, Srgba8};
use crate::io::load::molecule_style::MoleculeStyle;
use crate::scene::spheres::Gloss;

/// `radius = { column = "…", … }`
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, expecting = "a number of pixels or a table with column")]
pub(crate) struct RadiusColumn {
    /// The column.
    /// - Example: `column = "people"`
    pub(crate) column: String,
    /// Radii of the least and of the greatest number of the column, two different ones; the first may be the larger one.
    /// - Unit: pixels
    /// - Default: the numbers of the column are radii
    /// - Example: `range = [3, 24]`
    pub(crate) range: Option<Numbers<2>>,
    /// How numbers are spread over the range: `"sqrt"` makes areas of them.
    /// - Default: `"linear"`
    /// - Example: `scale = "sqrt"`
    pub(crate) scale: Option<Scale>,
    /// Whether the numbers of the column are radii in pixels or in the units of the coordinates; without a `range`.
    /// - Default: `"pixels"`
    /// - Example: `units = "data"`
    #[serde(default)]
    pub(crate) units: RadiusUnits,
}

/// The units of a column of radii.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub(crate) enum RadiusUnits {
    #[default]
    Pixels,
    Data,
}

/// `color = { column = "…", … }`, `color_by = { column = "…", … }`
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, expecting = "a colour or a table with column")]
pub(crate) struct ColorColumn {
    /// The column, or what stands for one: `"index"`, and `"x"`, `"y"` and `"z"` of atoms.
    /// - Example: `column = "people"`
    pub(crate) column: String,
    /// Colours: separate ones for categories, or a ramp for numbers.
    /// - Default: `"viridis"` for numbers, `"distinct"` for categories, which is `"tab10"` and more
    /// - Example: `map = "plasma"`
    pub(crate) map: Option<Name<ColorMap>>,
    /// The numbers at the ends of the ramp, or percentiles such as `"p2,p98"`; `"around 0"` has this number in the middle and as
    /// many on both sides, of which a legend shows those that there are, or with `"around 0 within -1,4"` those between.
    /// - Default: all numbers but outliers
    /// - Example: `range = [1e5, 1e7]`
    pub(crate) range: Option<Located<RangeText>>,
    /// How numbers are spread over the ramp.
    /// - Default: `"linear"`
    /// - Example: `scale = "log"`
    pub(crate) scale: Option<Scale>,
    /// Opacity of the colours.
    /// - Default: `1.0`
    /// - Example: `alpha = 0.5`
    pub(crate) alpha: Option<Share>,
    /// Whether chains have lighter carbons, from the map `"okabe-ito"` unless another is named, as in data without a scene.
    /// - Default: `false`
    /// - Example: `lighter_carbons = true`
    #[serde(default)]
    pub(crate) lighter_carbons: bool,
}

/// `[least, most]`, percentiles as `"p2,p98"`, or a middle as `"around 0"`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RangeText(pub(super) ColorRange);

impl<'de> Deserialize<'de> for RangeText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct RangeVisitor;

        impl<'de> Visitor<'de> for RangeVisitor {
            type Value = RangeText;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an array of 2 numbers, the lesser first, percentiles such as \"p2,p98\", or a middle such as \"around 0\"")
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

/// An alpha for all rows, or alphas of selections.
#[derive(Clone, Debug)]
pub(crate) enum OpacityText {
    All(u8),
    Selections(Vec<(String, u8)>),
}

/// `opacity = [{ select = "…", opacity = 0.5 }]`: rows with an opacity of their own.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, expecting = "a table with select and opacity")]
pub(crate) struct SelectedOpacity {
    /// The rows, by a selection.
    /// - Example: `select = "chain A"`
    pub(crate) select: String,
    /// Their opacity.
    /// - Example: `opacity = 1.0`
    pub(crate) opacity: Share,
}

/// The alpha of an opacity from 0 to 1.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most 255")]
pub(crate) fn alpha(opacity: Share) -> u8 {
    (opacity.f32() * 255.0 + 0.5) as u8
}

impl<'de> Deserialize<'de> for OpacityText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct OpacityVisitor;

        impl<'de> Visitor<'de> for OpacityVisitor {
            type Value = OpacityText;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number from 0 to 1, or a list of tables with select and opacity")
            }

            fn visit_i64<E: de::Error>(self, value: i64) -> Result<OpacityText, E> {
                self.visit_f64(value as f64)
            }

            fn visit_f64<E: de::Error>(self, value: f64) -> Result<OpacityText, E> {
                let share = Share::of(value).ok_or_else(|| E::invalid_value(Unexpected::Float(value), &self))?;
                Ok(OpacityText::All(alpha(share)))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<OpacityText, A::Error> {
                let mut selections = Vec::new();
                while let Some(SelectedOpacity { select, opacity }) = list.next_element()? {
                    selections.push((select, alpha(opacity)));
                }
                Ok(OpacityText::Selections(selections))
            }
        }

        deserializer.deserialize_any(OpacityVisitor)
    }
}

/// A style for all rows, or styles of selections.
#[derive(Clone, Debug)]
pub(crate) enum StyleText {
    All(MoleculeStyle),
    Selections(Vec<(String, MoleculeStyle)>),
}

/// `style = [{ select = "…", style = "sticks" }]`: rows with a style of their own.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, expecting = "a table with select and style")]
pub(crate) struct SelectedStyle {
    /// The rows, by a selection.
    /// - Example: `select = "ligand"`
    pub(crate) select: String,
    /// Their style.
    /// - Example: `style = "sticks"`
    pub(crate) style: Name<MoleculeStyle>,
}

impl<'de> Deserialize<'de> for StyleText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct StyleVisitor;

        impl<'de> Visitor<'de> for StyleVisitor {
            type Value = StyleText;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("spacefill, ball-and-stick, sticks or points, or a list of tables with select and style")
            }

            fn visit_str<E: de::Error>(self, name: &str) -> Result<StyleText, E> {
                Name::of(name).map(|Name(style)| StyleText::All(style))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<StyleText, A::Error> {
                let mut selections = Vec::new();
                while let Some(SelectedStyle { select, style }) = list.next_element()? {
                    selections.push((select, style.0));
                }
                Ok(StyleText::Selections(selections))
            }
        }

        deserializer.deserialize_any(StyleVisitor)
    }
}

/// The strength of highlights, or their strength and roughness.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GlossText(Gloss);

impl From<GlossText> for Gloss {
    fn from(text: GlossText) -> Self {
        text.0
    }
}

impl<'de> Deserialize<'de> for GlossText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct GlossVisitor;

        impl<'de> Visitor<'de> for GlossVisitor {
            type Value = GlossText;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a strength from 0 to 1, or an array of a strength and a roughness")
            }

            fn visit_i64<E: de::Error>(self, value: i64) -> Result<GlossText, E> {
                self.visit_f64(value as f64)
            }

            fn visit_f64<E: de::Error>(self, value: f64) -> Result<GlossText, E> {
                let strength = Share::of(value).ok_or_else(|| E::invalid_value(Unexpected::Float(value), &self))?;
                Ok(GlossText(Gloss::new(strength.f32())))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<GlossText, A::Error> {
                let [specular, roughness] = Numbers::<2>::deserialize(SeqAccessDeserializer::new(items))?.f64();
                let refuse = |value| de::Error::invalid_value(Unexpected::Float(value), &self);
                let [specular, roughness] = [
                    Share::of(specular).ok_or_else(|| refuse(specular))?,
                    Share::of(roughness).ok_or_else(|| refuse(roughness))?,
                ];
                Ok(GlossText(Gloss::new(specular.f32()).with_roughness(roughness.f32())))
            }
        }

        deserializer.deserialize_any(GlossVisitor)
    }
}

/// Highlights of all rows, or of selections.
#[derive(Clone, Debug)]
pub(crate) enum GlossByText {
    All(Gloss),
    Selections(Vec<(String, Gloss)>),
}

/// `gloss = [{ select = "…", gloss = 0.5 }]`: rows with highlights of their own.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, expecting = "a table with select and gloss")]
pub(crate) struct SelectedGloss {
    /// The rows, by a selection.
    /// - Example: `select = "ligand"`
    pub(crate) select: String,
    /// The strength of their highlights, or their strength and roughness.
    /// - Example: `gloss = [0.8, 0.2]`
    pub(crate) gloss: GlossText,
}

impl<'de> Deserialize<'de> for GlossByText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct GlossByVisitor;

        impl<'de> Visitor<'de> for GlossByVisitor {
            type Value = GlossByText;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a strength from 0 to 1, or a list of tables with select and gloss")
            }

            fn visit_i64<E: de::Error>(self, value: i64) -> Result<GlossByText, E> {
                self.visit_f64(value as f64)
            }

            fn visit_f64<E: de::Error>(self, value: f64) -> Result<GlossByText, E> {
                let strength = Share::of(value).ok_or_else(|| E::invalid_value(Unexpected::Float(value), &self))?;
                Ok(GlossByText::All(Gloss::new(strength.f32())))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<GlossByText, A::Error> {
                let mut selections = Vec::new();
                while let Some(SelectedGloss { select, gloss }) = list.next_element()? {
                    selections.push((select, gloss.0));
                }
                Ok(GlossByText::Selections(selections))
            }
        }

        deserializer.deserialize_any(GlossByVisitor)
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
