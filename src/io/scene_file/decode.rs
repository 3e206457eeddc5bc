//! serde's way from a tree to a value, with messages that say key, rule and what was found.

use std::fmt;

use serde::de::value::StrDeserializer;
use serde::de::{
    self, Deserialize, DeserializeSeed, Deserializer, Expected, IntoDeserializer, MapAccess, SeqAccess, Unexpected,
    Visitor,
};
use serde::forward_to_deserialize_any;

use super::tree::{Node, Value};
use crate::io::suggest::{self, shortened};

/// Keys that are refused with a reason of their own, and not offered for others.
const RESERVED: [&str; 3] = ["aperture", "focus_distance", "max_depth"];

/// Why a tree is no scene, and where.
#[derive(Debug)]
pub(crate) struct Refusal {
    /// Keys from the value that is wrong up to the scene.
    path: Vec<Step>,
    /// Byte of the text; `None` until the value that is wrong has been left.
    offset: Option<usize>,
    /// Goes on after the path: `must be a number, got "x"`.
    rule: String,
}

#[derive(Debug)]
enum Step {
    Key(String),
    Index(usize),
}

impl Refusal {
    /// The byte of the text that is wrong.
    pub(crate) fn offset(&self) -> usize {
        self.offset.unwrap_or(0)
    }

    /// The value is inside of this place, under this name.
    fn within(mut self, offset: usize, step: Step) -> Self {
        self.offset.get_or_insert(offset);
        self.path.push(step);
        self
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, step) in self.path.iter().rev().enumerate() {
            match step {
                Step::Key(key) if index == 0 => f.write_str(key)?,
                Step::Key(key) => write!(f, ".{key}")?,
                Step::Index(index) => write!(f, "[{index}]")?,
            }
        }
        let subject = if self.path.is_empty() { "the scene " } else { " " };
        write!(f, "{subject}{}", self.rule)
    }
}

impl std::error::Error for Refusal {}

impl de::Error for Refusal {
    fn custom<T: fmt::Display>(rule: T) -> Self {
        Self { path: Vec::new(), offset: None, rule: rule.to_string() }
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        // serde's own words for what the format calls otherwise
        let expected = match expected.to_string().as_str() {
            "a sequence" => "an array of tables".to_owned(),
            "a boolean" => "true or false".to_owned(),
            "path string" => "a file's name".to_owned(),
            other => other.to_owned(),
        };
        Self::custom(format!("must be {expected}, got {}", shown(found)))
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::invalid_type(found, expected)
    }

    fn invalid_length(length: usize, expected: &dyn Expected) -> Self {
        Self::custom(format!("must be {expected}, got {length} of them"))
    }

    fn unknown_variant(found: &str, expected: &'static [&'static str]) -> Self {
        let hint = suggest::hint(found, expected.iter().copied(), "accepted");
        Self::custom(format!("has no choice {:?}{hint}", shortened(found)))
    }

    fn unknown_field(found: &str, expected: &'static [&'static str]) -> Self {
        let known = expected.iter().copied().filter(|key| !RESERVED.contains(key));
        let hint = suggest::hint(found, known, "keys");
        Self::custom(format!("has no key {:?}{hint}", shortened(found)))
    }

    fn missing_field(field: &'static str) -> Self {
        Self::custom(format!("must have the key {field:?}"))
    }
}

/// A value as the file spells it.
fn shown(found: Unexpected<'_>) -> String {
    match found {
        Unexpected::Str(text) => format!("{:?}", shortened(text)),
        Unexpected::Bool(value) => value.to_string(),
        Unexpected::Signed(value) => value.to_string(),
        Unexpected::Unsigned(value) => value.to_string(),
        Unexpected::Float(value) if value.abs() >= 1e16 => format!("{value:e}"),
        Unexpected::Float(value) => value.to_string(),
        Unexpected::Map | Unexpected::StructVariant => "a table".to_owned(),
        Unexpected::Seq => "an array".to_owned(),
        other => other.to_string(),
    }
}

/// A value, and the byte of the text where it starts.
#[derive(Clone, Debug)]
pub(crate) struct Located<T> {
    pub(crate) offset: usize,
    pub(crate) value: T,
}

/// By this name a [`Located`] asks for the place along with the value.
const LOCATED: &str = "roundel::Located";

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Located<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Pair<T>(std::marker::PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for Pair<T> {
            type Value = Located<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a value of a scene file's tree")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut pair: A) -> Result<Self::Value, A::Error> {
                let missing = || de::Error::custom("must come from a scene file's tree");
                let offset = pair.next_element()?.ok_or_else(missing)?;
                let value = pair.next_element()?.ok_or_else(missing)?;
                Ok(Located { offset, value })
            }
        }

        deserializer.deserialize_newtype_struct(LOCATED, Pair(std::marker::PhantomData))
    }
}

/// The place, then the value.
struct Pair<'a> {
    node: &'a Node,
    place_taken: bool,
}

impl<'de> SeqAccess<'de> for Pair<'_> {
    type Error = Refusal;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Refusal> {
        if std::mem::replace(&mut self.place_taken, true) {
            return seed.deserialize(self.node).map(Some);
        }
        seed.deserialize(self.node.offset.into_deserializer()).map(Some)
    }
}

impl<'de> Deserializer<'de> for &Node {
    type Error = Refusal;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refusal> {
        match &self.value {
            Value::Table(entries) => visitor.visit_map(Entries { entries: entries.iter(), current: None }),
            Value::Array(items) => visitor.visit_seq(Items { items: items.iter().enumerate() }),
            Value::Text(text) => visitor.visit_str(text),
            Value::Integer(value) => visitor.visit_i64(*value),
            Value::Float(value) => visitor.visit_f64(*value),
            Value::Boolean(value) => visitor.visit_bool(*value),
            Value::Other(name) => Err(de::Error::invalid_type(Unexpected::Other(name), &visitor)),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refusal> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value, Refusal> {
        if name == LOCATED {
            return visitor.visit_seq(Pair { node: self, place_taken: false });
        }
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Refusal> {
        match &self.value {
            Value::Text(text) => visitor.visit_enum(StrDeserializer::new(text)),
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Refusal> {
        match self.value {
            // serde would take an array's items for the fields in order
            Value::Array(_) => Err(de::Error::invalid_type(Unexpected::Seq, &visitor)),
            _ => self.deserialize_any(visitor),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map identifier ignored_any
    }
}

/// A table's keys and values.
struct Entries<'a> {
    entries: std::slice::Iter<'a, super::tree::Entry>,
    current: Option<&'a super::tree::Entry>,
}

impl<'de> MapAccess<'de> for Entries<'_> {
    type Error = Refusal;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Refusal> {
        self.current = self.entries.next();
        let Some(entry) = self.current else { return Ok(None) };
        let key = seed.deserialize(StrDeserializer::new(&entry.key));
        key.map(Some).map_err(|mut refusal: Refusal| {
            // an unknown key is the table's mistake, at the key's place
            refusal.offset.get_or_insert(entry.offset);
            refusal
        })
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Refusal> {
        let entry = self.current.expect("serde asks for a key before its value");
        let step = || Step::Key(entry.key.clone());
        seed.deserialize(&entry.node).map_err(|refusal| refusal.within(entry.node.offset, step()))
    }
}

/// An array's values.
struct Items<'a> {
    items: std::iter::Enumerate<std::slice::Iter<'a, Node>>,
}

impl<'de> SeqAccess<'de> for Items<'_> {
    type Error = Refusal;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Refusal> {
        let Some((index, node)) = self.items.next() else { return Ok(None) };
        let value = seed.deserialize(node);
        value.map(Some).map_err(|refusal| refusal.within(node.offset, Step::Index(index)))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.items.len())
    }
}
