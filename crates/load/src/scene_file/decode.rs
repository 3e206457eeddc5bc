//! A serde deserializer over a tree, with messages that name the key, the rule and the value.

use std::fmt;

use serde::de::value::StrDeserializer;
use serde::de::{
    self, Deserialize, DeserializeSeed, Deserializer, Expected, IntoDeserializer, MapAccess, SeqAccess, Unexpected,
    Visitor,
};
use serde::forward_to_deserialize_any;

use crate::did_you_mean::{self, shortened};
use crate::scene::NUMBERS;
use crate::scene::spheres::{ShadingNumber, ShadingOverrides};
use crate::scene_file::tree::{KeyValue, TreeNode, Value};

/// Why a tree is no scene, and where.
#[derive(Debug)]
pub(crate) struct Refusal {
    /// Keys and indices from the wrong value up to the scene.
    path: Vec<PathStep>,
    /// Byte of the text; `None` until an enclosing table or array has set it.
    offset: Option<usize>,
    /// Follows the path in the message: `must be a number, got "x"`.
    rule: String,
    /// Set if a key is unknown.
    unknown: Option<UnknownKey>,
}

#[derive(Debug)]
pub(crate) struct UnknownKey {
    /// The nearest known key, if one is near.
    pub(crate) meant: Option<String>,
    /// The rule without the list of known keys.
    rule: String,
}

#[derive(Debug)]
enum PathStep {
    Key(String),
    Index(usize),
}

impl Refusal {
    /// The byte of the text that is wrong.
    pub(crate) fn offset(&self) -> usize {
        self.offset.unwrap_or(0)
    }

    /// The unknown key, if there is one.
    pub(crate) fn unknown(&self) -> Option<&UnknownKey> {
        self.unknown.as_ref()
    }

    /// The message about an unknown key without the list of known keys; `None` for other mistakes.
    pub(crate) fn brief(&self) -> Option<String> {
        Some(format!("{}{}", self.subject(), self.unknown.as_ref()?.rule))
    }

    /// The start of a message: the path of the value, and a space.
    fn subject(&self) -> String {
        let mut subject = String::new();
        for step in self.path.iter().rev() {
            subject += &match step {
                PathStep::Key(key) if subject.is_empty() => key.clone(),
                PathStep::Key(key) => format!(".{key}"),
                PathStep::Index(index) => format!("[{index}]"),
            };
        }
        if subject.is_empty() { "the scene ".to_owned() } else { subject + " " }
    }

    fn unknown_key(found: &str, known: &[&str]) -> Self {
        let known = known.iter().copied();
        let rule = format!("has no key {:?}", shortened(found));
        let meant = did_you_mean::nearest(found, known.clone()).map(str::to_owned);
        let brief = rule.clone() + &did_you_mean::question(found, known.clone());
        let hint = did_you_mean::hint(found, known, "keys");
        Self { unknown: Some(UnknownKey { meant, rule: brief }), ..de::Error::custom(rule + &hint) }
    }

    /// Adds the enclosing step of the path, and its offset unless there is one.
    #[cold]
    fn within(mut self, offset: usize, step: PathStep) -> Self {
        self.offset.get_or_insert(offset);
        self.path.push(step);
        self
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.subject(), self.rule)
    }
}

impl std::error::Error for Refusal {}

impl de::Error for Refusal {
    fn custom<T: fmt::Display>(rule: T) -> Self {
        Self { path: Vec::new(), offset: None, rule: rule.to_string(), unknown: None }
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        // serde's words in terms of the format
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
        let hint = did_you_mean::hint(found, expected.iter().copied(), "accepted");
        Self::custom(format!("has no choice {:?}{hint}", shortened(found)))
    }

    fn unknown_field(found: &str, expected: &'static [&'static str]) -> Self {
        Self::unknown_key(found, expected)
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
#[derive(Clone, Debug, Default)]
pub(crate) struct Located<T> {
    pub(crate) offset: usize,
    pub(crate) value: T,
}

/// The offset of a key's value, if the key is set.
pub(crate) fn offset_of<T>(key: &Option<Located<T>>) -> Option<usize> {
    key.as_ref().map(|key| key.offset)
}

/// [`Located`] requests the offset along with the value by this newtype name.
const LOCATED: &str = "roundel::Located";

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Located<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct LocatedVisitor<T>(std::marker::PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for LocatedVisitor<T> {
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

        deserializer.deserialize_newtype_struct(LOCATED, LocatedVisitor(std::marker::PhantomData))
    }
}

/// Yields the offset, then the value.
struct LocatedAccess<'a> {
    node: &'a TreeNode,
    place_taken: bool,
}

impl<'de> SeqAccess<'de> for LocatedAccess<'_> {
    type Error = Refusal;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Refusal> {
        if std::mem::replace(&mut self.place_taken, true) {
            return seed.deserialize(self.node).map(Some);
        }
        seed.deserialize(self.node.offset.into_deserializer()).map(Some)
    }
}

impl<'de> Deserializer<'de> for &TreeNode {
    type Error = Refusal;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refusal> {
        match &self.value {
            Value::Table(entries) => visitor.visit_map(Entries::new(entries)),
            Value::Array(items) => visitor.visit_seq(Items { items: items.iter().enumerate() }),
            Value::Text(text) => visitor.visit_str(text),
            Value::Integer(value) => visitor.visit_i64(*value),
            Value::Float(value) => visitor.visit_f64(*value),
            Value::Boolean(value) => visitor.visit_bool(*value),
            Value::Other(_) => Err(self.refusal(&visitor)),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refusal> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value, Refusal> {
        if name == LOCATED {
            return visitor.visit_seq(LocatedAccess { node: self, place_taken: false });
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
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Refusal> {
        match &self.value {
            // arrays are refused: serde would read their items as the fields in order
            Value::Table(entries) => visitor.visit_map(Entries::of_struct(entries, fields)),
            _ => Err(self.refusal(&visitor)),
        }
    }

    // one kind of value each: visitors are not instantiated for the others

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refusal> {
        match &self.value {
            Value::Table(entries) => visitor.visit_map(Entries::new(entries)),
            _ => Err(self.refusal(&visitor)),
        }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refusal> {
        match &self.value {
            Value::Array(items) => visitor.visit_seq(Items { items: items.iter().enumerate() }),
            _ => Err(self.refusal(&visitor)),
        }
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Refusal> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refusal> {
        match &self.value {
            Value::Text(text) => visitor.visit_str(text),
            _ => Err(self.refusal(&visitor)),
        }
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refusal> {
        self.deserialize_str(visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char bytes byte_buf unit unit_struct tuple_struct
        identifier ignored_any
    }
}

impl TreeNode {
    /// The refusal of a value of the wrong kind.
    fn refusal(&self, expected: &dyn Expected) -> Refusal {
        let found = match &self.value {
            Value::Table(_) => Unexpected::Map,
            Value::Array(_) => Unexpected::Seq,
            Value::Text(text) => Unexpected::Str(text),
            Value::Integer(value) => Unexpected::Signed(*value),
            Value::Float(value) => Unexpected::Float(*value),
            Value::Boolean(value) => Unexpected::Bool(*value),
            Value::Other(name) => Unexpected::Other(name),
        };
        de::Error::invalid_type(found, expected)
    }
}

/// The field of a table that takes the keys of [`NUMBERS`].
const NUMBERS_FIELD: &str = "numbers";

/// The field of a table that takes the keys of [`ROWS`].
const ROWS_FIELD: &str = "rows";

/// The keys that select rows of a file.
const ROWS: [&str; 4] = ["compute", "only", "hide", "highlight"];

/// The keys that a field takes: its name, or the keys of its group.
fn keys_of(field: &'static str) -> Vec<&'static str> {
    match field {
        NUMBERS_FIELD => NUMBERS.iter().map(|number| number.name).collect(),
        ROWS_FIELD => ROWS.to_vec(),
        field => vec![field],
    }
}

/// A table's keys and values.
struct Entries<'a> {
    entries: std::slice::Iter<'a, KeyValue>,
    current: Option<&'a KeyValue>,
    group: Option<KeyGroup>,
}

/// Keys of a table that form one field. serde's `flatten` does the same, but loses the offsets of values.
struct KeyGroup {
    field: &'static str,
    fields: &'static [&'static str],
    found: Vec<KeyValue>,
    /// `found`, once all other keys have been read. A node, so that all values have one deserializer.
    node: Option<TreeNode>,
}

impl<'a> Entries<'a> {
    fn new(entries: &'a [KeyValue]) -> Self {
        Self { entries: entries.iter(), current: None, group: None }
    }

    fn of_struct(entries: &'a [KeyValue], fields: &'static [&'static str]) -> Self {
        let field = fields.iter().find(|field| [NUMBERS_FIELD, ROWS_FIELD].contains(field));
        let group = field.map(|field| KeyGroup { field, fields, found: Vec::new(), node: None });
        Self { group, ..Self::new(entries) }
    }

    /// The next entry outside of the group; gathers the group's entries on the way.
    fn next_entry(&mut self) -> Result<Option<&'a KeyValue>, Refusal> {
        let Some(group) = &mut self.group else { return Ok(self.entries.next()) };
        for entry in self.entries.by_ref() {
            if !keys_of(group.field).contains(&&*entry.key) {
                group.check(entry)?;
                return Ok(Some(entry));
            }
            group.found.push(entry.clone());
        }
        Ok(None)
    }

    /// The next key and its offset; at the end the field of the group, if there is one.
    fn next_key(&mut self) -> Result<Option<(&str, Option<usize>)>, Refusal> {
        self.current = self.next_entry()?;
        if let Some(entry) = self.current {
            return Ok(Some((&entry.key, Some(entry.offset))));
        }
        let Some(group) = self.group.as_mut().filter(|group| group.node.is_none()) else { return Ok(None) };
        let value = Value::Table(std::mem::take(&mut group.found));
        group.node = Some(TreeNode { offset: 0, value });
        Ok(Some((group.field, None)))
    }

    /// Places the refusal of a value at the current key. Out of line, once for all types of values.
    #[cold]
    #[inline(never)]
    fn within_current(&self, refusal: Refusal) -> Refusal {
        match self.current {
            Some(entry) => refusal.within(entry.node.offset, PathStep::Key(entry.key.clone())),
            None => refusal,
        }
    }
}

impl KeyGroup {
    /// Refuses a key that is no field.
    fn check(&self, entry: &KeyValue) -> Result<(), Refusal> {
        if entry.key != self.field && self.fields.contains(&&*entry.key) {
            return Ok(());
        }
        let known: Vec<_> = self.fields.iter().flat_map(|field| keys_of(field)).collect();
        let mut refusal = Refusal::unknown_key(&entry.key, &known);
        refusal.offset = Some(entry.offset);
        Err(refusal)
    }
}

impl<'de> MapAccess<'de> for Entries<'_> {
    type Error = Refusal;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Refusal> {
        let Some((key, offset)) = self.next_key()? else { return Ok(None) };
        let key = seed.deserialize(StrDeserializer::new(key));
        key.map(Some).map_err(|mut refusal: Refusal| {
            // an unknown key is the table's mistake, but has its own offset
            refusal.offset = refusal.offset.or(offset);
            refusal
        })
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Refusal> {
        let group = self.group.as_ref().and_then(|group| group.node.as_ref());
        let node = self.current.map(|entry| &entry.node).or(group).expect("serde asks for a key before its value");
        seed.deserialize(node).map_err(|refusal| self.within_current(refusal))
    }
}

/// The numbers of the shading that a table sets.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct NumbersText(pub(crate) ShadingOverrides);

impl<'de> Deserialize<'de> for NumbersText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NumbersVisitor;

        impl<'de> Visitor<'de> for NumbersVisitor {
            type Value = NumbersText;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a table")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<NumbersText, A::Error> {
                let mut numbers = ShadingOverrides::default();
                while let Some(name) = map.next_key::<String>()? {
                    let number = NUMBERS.iter().find(|number| number.name == name);
                    let number = number.ok_or_else(|| de::Error::custom("must be a number of the shading"))?;
                    numbers.set(&name, map.next_value_seed(InRange(number))?);
                }
                Ok(NumbersText(numbers))
            }
        }

        deserializer.deserialize_map(NumbersVisitor)
    }
}

/// Reads a number of the shading and checks its range.
struct InRange<'a>(&'a ShadingNumber);

impl<'de> DeserializeSeed<'de> for InRange<'_> {
    type Value = f32;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<f32, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl Visitor<'_> for InRange<'_> {
    type Value = f32;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.accepted())
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<f32, E> {
        self.visit_f64(value as f64)
    }

    #[expect(clippy::cast_possible_truncation, reason = "rounded to the nearest f32 of the range")]
    fn visit_f64<E: de::Error>(self, value: f64) -> Result<f32, E> {
        let [least, most] = self.0.range.map(f64::from);
        if !(least..=most).contains(&value) {
            return Err(E::invalid_type(Unexpected::Float(value), &self));
        }
        Ok(value as f32)
    }
}

/// An array's values.
struct Items<'a> {
    items: std::iter::Enumerate<std::slice::Iter<'a, TreeNode>>,
}

impl<'de> SeqAccess<'de> for Items<'_> {
    type Error = Refusal;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Refusal> {
        let Some((index, node)) = self.items.next() else { return Ok(None) };
        let value = seed.deserialize(node);
        value.map(Some).map_err(|refusal| refusal.within(node.offset, PathStep::Index(index)))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.items.len())
    }
}
