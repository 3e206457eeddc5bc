//! Schemas of values, in the parser's own words.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Deserialize;
use serde_json::{Value as Json, json};

use crate::color::Scale;
use crate::formats::Format;
use crate::options::molecule_style::MoleculeStyle;
use crate::options::picture_settings::MOST_AO_RAYS;
use crate::scene_file::columns::{
    ColorByText, ColorColumn, ContactByText, GlossByText, GlossText, OpacityText, PointColor, PointRadius,
    RadiusByText, RadiusColumn, RadiusRange, RangeText, SelectedGloss, SelectedOpacity, SelectedStyle, StyleText,
};
use crate::scene_file::decode::Located;
use crate::scene_file::figure::SwitchOr;
use crate::scene_file::names::{Name, Named, ScaleName};
use crate::scene_file::reference::page::words;
use crate::scene_file::reference::quoted;
use crate::scene_file::tree::{TreeNode, Value};
use crate::scene_file::values::{
    BackgroundText, ClipText, Color, Direction, FrameIndex, GradientText, Lambert, NamedFormat, Number, NumberRule,
    Numbers, OcclusionText, OnlyStudio, OutlineColor, WholeNumber,
};

/// The values that a type accepts, in the words of its parser.
fn accepted<T: for<'de> Deserialize<'de>>() -> String {
    let nothing = TreeNode { offset: 0, value: Value::Other("nothing") };
    let refusal = T::deserialize(&nothing).err().expect("nothing is no value").to_string();
    refusal.trim_start_matches("the scene must be ").trim_end_matches(", got nothing").to_owned()
}

/// A schema with a description of accepted values.
fn titled<T: for<'de> Deserialize<'de>>(mut schema: Json) -> Schema {
    schema["title"] = accepted::<T>().into();
    Schema::try_from(schema).expect("an object")
}

/// One of some names.
fn one_of<'a>(names: impl Iterator<Item = &'a str>) -> Schema {
    let names: Vec<&str> = names.collect();
    Schema::try_from(json!({ "title": quoted(&names, ", "), "enum": names })).expect("an object")
}

fn number<R: NumberRule>() -> Json {
    let [least, most] = R::RANGE;
    let mut schema = json!({ "type": "number" });
    match least {
        // above 0
        least if least > 0.0 && least < 1e-30 => schema["exclusiveMinimum"] = 0.into(),
        least if least > f64::from(f32::MIN) => schema["minimum"] = least.into(),
        _ => {}
    }
    if most < f64::from(f32::MAX) {
        schema["maximum"] = most.into();
    }
    schema
}

/// Colours that are written out; names are not checked.
const COLORS: &str = "^(#([0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})|[A-Za-z]+)$";

/// Opaque colours.
const OPAQUE_COLORS: &str = "^(#([0-9a-fA-F]{3}[fF]?|[0-9a-fA-F]{6}([fF]{2})?)|[A-Za-z]+)$";

impl<T: JsonSchema> JsonSchema for Located<T> {
    fn schema_name() -> Cow<'static, str> {
        format!("Located{}", T::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::json_schema(generator)
    }
}

impl<R: NumberRule> JsonSchema for Number<R> {
    fn schema_name() -> Cow<'static, str> {
        R::ACCEPTED.into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        titled::<Self>(number::<R>())
    }
}

impl<const N: usize, R: NumberRule> JsonSchema for Numbers<N, R> {
    fn schema_name() -> Cow<'static, str> {
        "Numbers".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        titled::<Self>(json!({ "type": "array", "items": number::<R>(), "minItems": N, "maxItems": N }))
    }
}

impl<const LEAST: u64, const MOST: u64> JsonSchema for WholeNumber<LEAST, MOST> {
    fn schema_name() -> Cow<'static, str> {
        "Whole".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        titled::<Self>(json!({ "type": "integer", "minimum": LEAST, "maximum": MOST }))
    }
}

impl JsonSchema for FrameIndex {
    fn schema_name() -> Cow<'static, str> {
        "FrameIndex".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        titled::<Self>(json!({ "type": "integer" }))
    }
}

impl JsonSchema for Direction {
    fn schema_name() -> Cow<'static, str> {
        "Direction".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = Numbers::<3>::json_schema(generator);
        schema.insert("title".to_owned(), "an array of 3 numbers, not all 0".into());
        schema
    }
}

impl JsonSchema for ClipText {
    fn schema_name() -> Cow<'static, str> {
        "Clip".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let title = "a plane such as \"x<12\"";
        Schema::try_from(json!({ "title": title, "type": "string", "pattern": "^[^<>]+[<>][^<>]+$" }))
            .expect("an object")
    }
}

impl JsonSchema for OcclusionText {
    fn schema_name() -> Cow<'static, str> {
        "Occlusion".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let rays = json!({ "type": "integer", "minimum": 0, "maximum": MOST_AO_RAYS });
        titled::<Self>(json!({ "anyOf": [{ "enum": ["smooth", "off"] }, rays] }))
    }
}

impl<T: Named> JsonSchema for Name<T> {
    fn schema_name() -> Cow<'static, str> {
        T::ACCEPTED.into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        one_of(T::names().into_iter())
    }
}

impl JsonSchema for NamedFormat {
    fn schema_name() -> Cow<'static, str> {
        "Format".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let Json::Object(mut schema) = one_of(Format::data_ids()).to_value() else {
            unreachable!("a schema with names")
        };
        let title = format!("{}, or raw:COLUMNS:TYPE", words(&schema.clone().into()));
        let raw = json!({ "type": "string", "pattern": "^raw:" });
        let names = schema.remove("enum");
        let schema = json!({ "title": title, "anyOf": [{ "enum": names }, raw] });
        Schema::try_from(schema).expect("an object")
    }
}

impl JsonSchema for Color {
    fn schema_name() -> Cow<'static, str> {
        "Color".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        titled::<Self>(json!({ "type": "string", "pattern": COLORS }))
    }
}

impl JsonSchema for OutlineColor {
    fn schema_name() -> Cow<'static, str> {
        "OutlineColor".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        titled::<Self>(json!({ "type": "string", "pattern": OPAQUE_COLORS }))
    }
}

impl JsonSchema for ScaleName {
    fn schema_name() -> Cow<'static, str> {
        "Scale".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        one_of(Scale::ALL.into_iter().map(Scale::name))
    }
}

impl JsonSchema for OnlyStudio {
    fn schema_name() -> Cow<'static, str> {
        "Studio".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        one_of(["studio"].into_iter())
    }
}

impl JsonSchema for Lambert {
    fn schema_name() -> Cow<'static, str> {
        "Lambert".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        one_of(["lambert"].into_iter())
    }
}

impl JsonSchema for BackgroundText {
    fn schema_name() -> Cow<'static, str> {
        "Background".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let gradient = generator.subschema_for::<GradientText>();
        titled::<Self>(json!({ "anyOf": [{ "type": "string", "pattern": COLORS }, gradient] }))
    }
}

impl JsonSchema for RangeText {
    fn schema_name() -> Cow<'static, str> {
        "Range".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let numbers = generator.subschema_for::<Numbers<2>>();
        let percentiles = json!({ "type": "string", "pattern": r"^p[0-9]+(\.[0-9]+)?,p[0-9]+(\.[0-9]+)?$" });
        titled::<Self>(json!({ "anyOf": [numbers, percentiles] }))
    }
}

impl JsonSchema for PointRadius {
    fn schema_name() -> Cow<'static, str> {
        "PointRadius".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let column = generator.subschema_for::<RadiusColumn>();
        titled::<Self>(json!({ "anyOf": [{ "type": "number", "minimum": 0 }, column] }))
    }
}

impl JsonSchema for PointColor {
    fn schema_name() -> Cow<'static, str> {
        "PointColor".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let column = generator.subschema_for::<ColorColumn>();
        titled::<Self>(json!({ "anyOf": [{ "type": "string", "pattern": COLORS }, column] }))
    }
}

impl JsonSchema for ColorByText {
    fn schema_name() -> Cow<'static, str> {
        "ColorBy".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let column = generator.subschema_for::<ColorColumn>();
        titled::<Self>(json!({ "anyOf": [{ "type": "string" }, column] }))
    }
}

impl JsonSchema for OpacityText {
    fn schema_name() -> Cow<'static, str> {
        "Opacity".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let list = generator.subschema_for::<Vec<SelectedOpacity>>();
        titled::<Self>(json!({ "anyOf": [{ "type": "number", "minimum": 0, "maximum": 1 }, list] }))
    }
}

impl JsonSchema for StyleText {
    fn schema_name() -> Cow<'static, str> {
        "Styles".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let one = generator.subschema_for::<Name<MoleculeStyle>>();
        let list = generator.subschema_for::<Vec<SelectedStyle>>();
        titled::<Self>(json!({ "anyOf": [one, list] }))
    }
}

impl JsonSchema for GlossText {
    fn schema_name() -> Cow<'static, str> {
        "Gloss".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let share = json!({ "type": "number", "minimum": 0, "maximum": 1 });
        titled::<Self>(json!({ "anyOf": [share, { "type": "array", "items": share, "minItems": 2, "maxItems": 2 }] }))
    }
}

impl JsonSchema for GlossByText {
    fn schema_name() -> Cow<'static, str> {
        "GlossBy".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let list = generator.subschema_for::<Vec<SelectedGloss>>();
        titled::<Self>(json!({ "anyOf": [{ "type": "number", "minimum": 0, "maximum": 1 }, list] }))
    }
}

impl JsonSchema for ContactByText {
    fn schema_name() -> Cow<'static, str> {
        "ContactBy".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let rules = ["hbonds", "baker-hubbard", "wernet-nilsson"];
        titled::<Self>(json!({ "anyOf": [{ "type": "number", "exclusiveMinimum": 0 }, { "enum": rules }] }))
    }
}

impl JsonSchema for RadiusByText {
    fn schema_name() -> Cow<'static, str> {
        "RadiusBy".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let range = generator.subschema_for::<RadiusRange>();
        titled::<Self>(json!({ "anyOf": [{ "type": "number", "minimum": 0 }, { "type": "string" }, range] }))
    }
}

impl<T: JsonSchema> JsonSchema for SwitchOr<T> {
    fn schema_name() -> Cow<'static, str> {
        format!("Choice{}", T::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let value = generator.subschema_for::<T>();
        let words = words(&value.clone().to_value());
        let schema = json!({ "title": format!("true, false or {words}"), "anyOf": [{ "type": "boolean" }, value] });
        Schema::try_from(schema).expect("an object")
    }
}
