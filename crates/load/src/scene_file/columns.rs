//! Values of the scene format that name columns of data: colours and radii.

use serde::Deserialize;
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{self, DeserializeOwned, Deserializer, MapAccess, SeqAccess, Unexpected};

use crate::color::maps::ColorMap;
use crate::color::{ColorRange, Scale, Srgba8};
use crate::options::contact_rule::ContactRule;
use crate::options::molecule_style::MoleculeStyle;
use crate::options::ranges::range_of_dates;
use crate::scene::spheres::Gloss;
use crate::scene_file::decode::Located;
use crate::scene_file::names::Name;
use crate::scene_file::scene_value;
use crate::scene_file::scene_value::{SceneValue, refusal};
use crate::scene_file::values::{Length, Numbers, Positive, Share, parse_color};

/// `radius = { column = "…", … }`
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, expecting = "a number of pixels or a table with column")]
pub(crate) struct RadiusColumn {
    /// The column.
    /// - Example: `column = "people"`
    pub(crate) column: String,
    /// Radii of the least and of the greatest number of the column, two different ones; the first may be the larger
    /// one. With 0 and another, radii are in proportion to numbers that are not negative.
    /// - Unit: pixels
    /// - Default: the numbers of the column are radii
    /// - Example: `range = [3, 24]`
    pub(crate) range: Option<Numbers<2>>,
    /// How numbers are spread over the range: `"sqrt"` makes areas of them.
    /// - Default: `"linear"`
    /// - Example: `scale = "sqrt"`
    #[cfg_attr(test, schemars(with = "Option<crate::scene_file::names::ScaleName>"))]
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
    /// Colours: separate ones for categories, those of elements (`"jmol"`, their default, or `"soft"`, which is paler),
    /// or a ramp for numbers.
    /// - Default: `"viridis"` for numbers, `"distinct"` for categories, which is `"tab10"` and more
    /// - Example: `map = "plasma"`
    pub(crate) map: Option<Name<ColorMap>>,
    /// The numbers at the ends of the ramp, dates such as `"2024-01-01,2024-06-30"`, or percentiles such as `"p2,p98"`;
    /// `"around 0"` has this number in the middle and as many on both sides. The legend shows the part with data, or with
    /// `"around 0 within -1,4"` the part between these two.
    /// - Default: all numbers but outliers
    /// - Example: `range = [1e5, 1e7]`
    pub(crate) range: Option<Located<RangeText>>,
    /// How numbers are spread over the ramp.
    /// - Default: `"linear"`
    /// - Example: `scale = "log"`
    #[cfg_attr(test, schemars(with = "Option<crate::scene_file::names::ScaleName>"))]
    pub(crate) scale: Option<Scale>,
    /// Opacity of the colours.
    /// - Default: `1.0`
    /// - Example: `alpha = 0.5`
    pub(crate) alpha: Option<Share>,
    /// Whether chains have lighter carbons, from the map `"okabe-ito"` unless another is named, as in data without a
    /// scene.
    /// - Default: `false`
    /// - Example: `lighter_carbons = true`
    #[serde(default)]
    pub(crate) lighter_carbons: bool,
}

/// `[least, most]`, percentiles as `"p2,p98"`, or a middle as `"around 0"`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RangeText(pub(crate) ColorRange);

impl SceneValue for RangeText {
    const ACCEPTED: &'static str = "an array of 2 numbers, the lesser first, percentiles such as \"p2,p98\", \
        dates such as \"2024-01-01,2024-06-30\", or a middle such as \"around 0\"";

    fn of_text<E: de::Error>(text: &str) -> Result<Self, E> {
        range_of_dates(text)
            .map_or_else(|| text.parse(), Ok)
            .map(Self)
            .map_err(|_| refusal::<Self, E>(Unexpected::Str(text)))
    }

    fn of_list<'de, A: SeqAccess<'de>>(items: A) -> Result<Self, A::Error> {
        let numbers = Numbers::<2>::deserialize(SeqAccessDeserializer::new(items))?;
        Ok(Self(ColorRange::Numbers(numbers.f64())))
    }
}

impl<'de> Deserialize<'de> for RangeText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        scene_value::read(deserializer)
    }
}

/// Pixels, or a column of them.
#[derive(Clone, Debug)]
pub(crate) enum PointRadius {
    Constant(f32),
    Column(RadiusColumn),
}

impl SceneValue for PointRadius {
    const ACCEPTED: &'static str = "a number of pixels, not negative, or a table with column";

    fn of_number<E: de::Error>(value: f64) -> Result<Self, E> {
        let radius = Length::of(value).map(|length| Self::Constant(length.f32()));
        radius.ok_or_else(|| refusal::<Self, E>(Unexpected::Float(value)))
    }

    fn of_table<'de, A: MapAccess<'de>>(table: A) -> Result<Self, A::Error> {
        Deserialize::deserialize(MapAccessDeserializer::new(table)).map(Self::Column)
    }
}

impl<'de> Deserialize<'de> for PointRadius {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        scene_value::read(deserializer)
    }
}

/// A colour, or a column of colours, of categories or of numbers.
#[derive(Clone, Debug)]
pub(crate) enum PointColor {
    Constant(Srgba8),
    Column(ColorColumn),
}

impl SceneValue for PointColor {
    const ACCEPTED: &'static str = "a colour (#rrggbb, #rrggbbaa or a CSS name) or a table with column";

    fn of_text<E: de::Error>(text: &str) -> Result<Self, E> {
        parse_color::<Self, E>(text).map(Self::Constant)
    }

    fn of_table<'de, A: MapAccess<'de>>(table: A) -> Result<Self, A::Error> {
        Deserialize::deserialize(MapAccessDeserializer::new(table)).map(Self::Column)
    }
}

impl<'de> Deserialize<'de> for PointColor {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        scene_value::read(deserializer)
    }
}

/// A name that the data knows, or a column with a map.
#[derive(Clone, Debug)]
pub(crate) enum ColorByText {
    Name(String),
    Column(ColorColumn),
}

impl SceneValue for ColorByText {
    const ACCEPTED: &'static str = "element, chain, residue, index, constant, a column's name or a table with column";

    fn of_text<E: de::Error>(name: &str) -> Result<Self, E> {
        Ok(Self::Name(name.to_owned()))
    }

    fn of_table<'de, A: MapAccess<'de>>(table: A) -> Result<Self, A::Error> {
        Deserialize::deserialize(MapAccessDeserializer::new(table)).map(Self::Column)
    }
}

impl<'de> Deserialize<'de> for ColorByText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        scene_value::read(deserializer)
    }
}

/// One value for all rows, or a value per selection.
#[derive(Clone, Debug)]
pub(crate) enum BySelection<T> {
    All(T),
    Selections(Vec<(String, T)>),
}

/// A value that can be set for all rows or by selection.
pub(crate) trait RowValue: Sized {
    /// Completes the message "must be …".
    const ACCEPTED: &'static str;
    /// A table with a selection and its value.
    type Listed: DeserializeOwned + Into<(String, Self)>;

    /// Reads the value of all rows from a number; `None` if it cannot be one.
    fn of_number(_: f64) -> Option<Self> {
        None
    }

    /// Reads the value of all rows from text; `None` if it cannot be text.
    fn of_text<E: de::Error>(_: &str) -> Option<Result<Self, E>> {
        None
    }
}

impl<T: RowValue> SceneValue for BySelection<T> {
    const ACCEPTED: &'static str = T::ACCEPTED;

    fn of_number<E: de::Error>(value: f64) -> Result<Self, E> {
        T::of_number(value).map(Self::All).ok_or_else(|| refusal::<Self, E>(Unexpected::Float(value)))
    }

    fn of_text<E: de::Error>(text: &str) -> Result<Self, E> {
        T::of_text(text).unwrap_or_else(|| Err(refusal::<Self, E>(Unexpected::Str(text)))).map(Self::All)
    }

    fn of_list<'de, A: SeqAccess<'de>>(mut list: A) -> Result<Self, A::Error> {
        let mut selections = Vec::new();
        while let Some(selected) = list.next_element::<T::Listed>()? {
            selections.push(selected.into());
        }
        Ok(Self::Selections(selections))
    }
}

impl<'de, T: RowValue> Deserialize<'de> for BySelection<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        scene_value::read(deserializer)
    }
}

/// Alphas of rows.
pub(crate) type OpacityText = BySelection<u8>;

impl RowValue for u8 {
    const ACCEPTED: &'static str = "a number from 0 to 1, or a list of tables with select and opacity";
    type Listed = SelectedOpacity;

    fn of_number(value: f64) -> Option<Self> {
        Share::of(value).map(alpha)
    }
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

impl From<SelectedOpacity> for (String, u8) {
    fn from(SelectedOpacity { select, opacity }: SelectedOpacity) -> Self {
        (select, alpha(opacity))
    }
}

/// The alpha of an opacity from 0 to 1.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most 255")]
pub(crate) fn alpha(opacity: Share) -> u8 {
    (opacity.f32() * 255.0 + 0.5) as u8
}

/// Styles of rows.
pub(crate) type StyleText = BySelection<MoleculeStyle>;

impl RowValue for MoleculeStyle {
    const ACCEPTED: &'static str =
        "spacefill, ball-and-stick, sticks, points, trace or none, or a list of tables with select and style";
    type Listed = SelectedStyle;

    fn of_text<E: de::Error>(name: &str) -> Option<Result<Self, E>> {
        Some(Name::of(name).map(|Name(style)| style))
    }
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

impl From<SelectedStyle> for (String, MoleculeStyle) {
    fn from(SelectedStyle { select, style }: SelectedStyle) -> Self {
        (select, style.0)
    }
}

/// The strength of highlights, or their strength and roughness.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GlossText(Gloss);

#[doc(hidden)]
impl From<GlossText> for Gloss {
    fn from(text: GlossText) -> Self {
        text.0
    }
}

impl SceneValue for GlossText {
    const ACCEPTED: &'static str = "a strength from 0 to 1, or an array of a strength and a roughness";

    fn of_number<E: de::Error>(value: f64) -> Result<Self, E> {
        let strength = Share::of(value).ok_or_else(|| refusal::<Self, E>(Unexpected::Float(value)))?;
        Ok(Self(Gloss::new(strength.f32())))
    }

    fn of_list<'de, A: SeqAccess<'de>>(items: A) -> Result<Self, A::Error> {
        let [specular, roughness] = Numbers::<2>::deserialize(SeqAccessDeserializer::new(items))?.f64();
        let share =
            |value| Share::of(value).ok_or_else(|| refusal::<Self, A::Error>(Unexpected::Float(value))).map(Share::f32);
        Ok(Self(Gloss::new(share(specular)?).with_roughness(share(roughness)?)))
    }
}

impl<'de> Deserialize<'de> for GlossText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        scene_value::read(deserializer)
    }
}

/// Highlights of rows.
pub(crate) type GlossByText = BySelection<Gloss>;

impl RowValue for Gloss {
    const ACCEPTED: &'static str = "a strength from 0 to 1, or a list of tables with select and gloss";
    type Listed = SelectedGloss;

    fn of_number(value: f64) -> Option<Self> {
        Share::of(value).map(|strength| Self::new(strength.f32()))
    }
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

impl From<SelectedGloss> for (String, Gloss) {
    fn from(SelectedGloss { select, gloss }: SelectedGloss) -> Self {
        (select, gloss.0)
    }
}

/// `radius = { column = "…", range = […] }` of shapes in space
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, expecting = "a radius or a table with column and range")]
pub(crate) struct RadiusRange {
    /// The column.
    /// - Example: `column = "mass"`
    pub(crate) column: String,
    /// Radii of the least and of the greatest number of the column, two different ones; the first may be the larger
    /// one. With 0 and another, radii are in proportion to numbers that are not negative. Each table has a range of its
    /// own, and its own least and greatest number.
    /// - Unit: world units
    /// - Example: `range = [0.2, 1.5]`
    pub(crate) range: Numbers<2>,
    /// How numbers are spread over the range: `"sqrt"` makes areas of them.
    /// - Default: `"linear"`
    /// - Example: `scale = "sqrt"`
    #[cfg_attr(test, schemars(with = "Option<crate::scene_file::names::ScaleName>"))]
    pub(crate) scale: Option<Scale>,
}

/// A distance, or a rule of hydrogen bonds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ContactByText(pub(crate) ContactRule);

impl SceneValue for ContactByText {
    const ACCEPTED: &'static str = "a positive distance, hbonds, baker-hubbard or wernet-nilsson";

    fn of_number<E: de::Error>(value: f64) -> Result<Self, E> {
        let distance = Positive::of(value).map(|distance| Self(ContactRule::Distance(distance.f32())));
        distance.ok_or_else(|| refusal::<Self, E>(Unexpected::Float(value)))
    }

    fn of_text<E: de::Error>(name: &str) -> Result<Self, E> {
        name.parse().map(Self).map_err(|_| refusal::<Self, E>(Unexpected::Str(name)))
    }
}

impl<'de> Deserialize<'de> for ContactByText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        scene_value::read(deserializer)
    }
}

/// `"vdw"`, a number, a column's name, or a column spread over a range.
#[derive(Clone, Debug)]
pub(crate) enum RadiusByText {
    Constant(f32),
    Name(String),
    Range(RadiusRange),
}

impl SceneValue for RadiusByText {
    const ACCEPTED: &'static str =
        "vdw, a number that is not negative, a column's name, or a table with column and range";

    fn of_table<'de, A: MapAccess<'de>>(table: A) -> Result<Self, A::Error> {
        Deserialize::deserialize(MapAccessDeserializer::new(table)).map(Self::Range)
    }

    fn of_number<E: de::Error>(value: f64) -> Result<Self, E> {
        let radius = Length::of(value).map(|length| Self::Constant(length.f32()));
        radius.ok_or_else(|| refusal::<Self, E>(Unexpected::Float(value)))
    }

    fn of_text<E: de::Error>(name: &str) -> Result<Self, E> {
        Ok(Self::Name(name.to_owned()))
    }
}

impl<'de> Deserialize<'de> for RadiusByText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        scene_value::read(deserializer)
    }
}
