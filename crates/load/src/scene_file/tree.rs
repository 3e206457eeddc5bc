//! TOML and JSON as one tree of values with their offsets in the text.

use std::collections::BTreeSet;
use std::fmt;

use serde::de::{Deserializer as _, MapAccess, Visitor};
use serde_json::value::RawValue;
use toml::de::{DeTable, DeValue};

use crate::did_you_mean::shortened;

/// Greatest nesting of tables in a scene.
const DEEPEST: usize = 16;

/// A value, and the byte of the text where it starts.
#[derive(Clone, Debug)]
pub(crate) struct TreeNode {
    pub(crate) offset: usize,
    pub(crate) value: Value,
}

/// Values common to TOML and JSON; others are [`Value::Other`].
#[derive(Clone, Debug)]
pub(crate) enum Value {
    Table(Vec<KeyValue>),
    Array(Vec<TreeNode>),
    Text(String),
    Integer(i64),
    Float(f64),
    Boolean(bool),
    /// A name for messages: `a date`, `null`.
    Other(&'static str),
}

/// A key of a table with its offset, and its value.
#[derive(Clone, Debug)]
pub(crate) struct KeyValue {
    pub(crate) key: String,
    pub(crate) offset: usize,
    pub(crate) node: TreeNode,
}

impl TreeNode {
    /// Renames the key at a byte of the text, or removes it if there is no name or its table has that name already.
    pub(crate) fn rename_key(&mut self, offset: usize, name: Option<&str>) {
        match &mut self.value {
            Value::Table(entries) => {
                let Some(place) = entries.iter().position(|entry| entry.offset == offset) else {
                    return entries.iter_mut().for_each(|entry| entry.node.rename_key(offset, name));
                };
                match name.filter(|name| entries.iter().all(|entry| entry.key != *name)) {
                    Some(name) => name.clone_into(&mut entries[place].key),
                    None => drop(entries.remove(place)),
                }
            }
            Value::Array(items) => items.iter_mut().for_each(|item| item.rename_key(offset, name)),
            _ => {}
        }
    }
}

/// Why a text cannot be read, and where.
#[derive(Debug)]
pub(crate) struct Unreadable {
    pub(crate) offset: usize,
    pub(crate) message: String,
}

pub(crate) fn toml(text: &str) -> Result<TreeNode, Unreadable> {
    let document = DeTable::parse(text).map_err(|error| Unreadable {
        offset: error.span().map_or(0, |span| span.start),
        message: format!("not TOML: {}", error.message().replace('\n', ", ")),
    })?;
    Ok(TreeNode { offset: 0, value: toml_table(document.into_inner(), 0)? })
}

fn toml_table(table: DeTable<'_>, depth: usize) -> Result<Value, Unreadable> {
    let mut entries = Vec::with_capacity(table.len());
    for (key, value) in table {
        let offset = key.span().start;
        let node_offset = value.span().start;
        let value = toml_value(value.into_inner(), node_offset, depth + 1)?;
        let key = key.into_inner().into_owned();
        entries.push(KeyValue { key, offset, node: TreeNode { offset: node_offset, value } });
    }
    // in file order, so that the first mistake is reported
    entries.sort_by_key(|entry| entry.offset);
    Ok(Value::Table(entries))
}

fn toml_value(value: DeValue<'_>, offset: usize, depth: usize) -> Result<Value, Unreadable> {
    check_depth(offset, depth)?;
    let too_large = || Unreadable { offset, message: "the number has too many digits".to_owned() };
    Ok(match value {
        DeValue::String(text) => Value::Text(text.into_owned()),
        DeValue::Integer(number) => {
            Value::Integer(i64::from_str_radix(number.as_str(), number.radix()).map_err(|_| too_large())?)
        }
        DeValue::Float(number) => Value::Float(number.as_str().parse().map_err(|_| too_large())?),
        DeValue::Boolean(value) => Value::Boolean(value),
        DeValue::Datetime(_) => Value::Other("a date"),
        DeValue::Array(items) => {
            let node = |item: toml::Spanned<DeValue<'_>>| {
                let offset = item.span().start;
                Ok(TreeNode { offset, value: toml_value(item.into_inner(), offset, depth + 1)? })
            };
            Value::Array(items.into_iter().map(node).collect::<Result<_, _>>()?)
        }
        DeValue::Table(table) => toml_table(table, depth)?,
    })
}

fn check_depth(offset: usize, depth: usize) -> Result<(), Unreadable> {
    if depth <= DEEPEST {
        return Ok(());
    }
    Err(Unreadable { offset, message: format!("values are nested deeper than {DEEPEST} levels") })
}

/// The tree of a JSON document.
///
/// Reads one level at a time, with its values as slices of the text: the address of a slice gives the value's offset.
pub(crate) fn json(text: &str) -> Result<TreeNode, Unreadable> {
    let whole: &RawValue = serde_json::from_str(text).map_err(|error| unreadable(&error, text, 0))?;
    json_node(whole, text, 0)
}

fn json_node(piece: &RawValue, text: &str, depth: usize) -> Result<TreeNode, Unreadable> {
    let piece = piece.get();
    let offset = piece.as_ptr().addr() - text.as_ptr().addr();
    check_depth(offset, depth)?;
    let wrong = |error: serde_json::Error| unreadable(&error, piece, offset);
    let value = match piece.as_bytes().first() {
        Some(b'{') => {
            let pairs = serde_json::Deserializer::from_str(piece).deserialize_map(Pairs).map_err(wrong)?;
            let mut known = BTreeSet::new();
            let entry = |(key, piece): (String, &RawValue)| {
                let node = json_node(piece, text, depth + 1)?;
                if !known.insert(key.clone()) {
                    let message = format!("not JSON: duplicate key {:?}", shortened(&key));
                    return Err(Unreadable { offset: node.offset, message });
                }
                Ok(KeyValue { key, offset: node.offset, node })
            };
            Value::Table(pairs.into_iter().map(entry).collect::<Result<_, _>>()?)
        }
        Some(b'[') => {
            let pieces: Vec<&RawValue> = serde_json::from_str(piece).map_err(wrong)?;
            Value::Array(pieces.into_iter().map(|piece| json_node(piece, text, depth + 1)).collect::<Result<_, _>>()?)
        }
        Some(b'"') => Value::Text(serde_json::from_str(piece).map_err(wrong)?),
        Some(b't') => Value::Boolean(true),
        Some(b'f') => Value::Boolean(false),
        Some(b'n') => Value::Other("null"),
        _ => match piece.parse() {
            Ok(integer) => Value::Integer(integer),
            Err(_) => Value::Float(serde_json::from_str(piece).map_err(wrong)?),
        },
    };
    Ok(TreeNode { offset, value })
}

/// serde_json's message, and its line and column as an offset in the whole text.
fn unreadable(error: &serde_json::Error, piece: &str, start: usize) -> Unreadable {
    let message = error.to_string();
    let message = message.split(" at line ").next().unwrap_or_default();
    let line_start = piece.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum::<usize>();
    let offset = start + (line_start + error.column().saturating_sub(1)).min(piece.len());
    Unreadable { offset, message: format!("not JSON: {message}") }
}

/// Collects keys and values in file order.
struct Pairs;

impl<'de> Visitor<'de> for Pairs {
    type Value = Vec<(String, &'de RawValue)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut pairs = Vec::new();
        while let Some(pair) = map.next_entry()? {
            pairs.push(pair);
        }
        Ok(pairs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str, offset: usize) -> usize {
        text[..offset].matches('\n').count() + 1
    }

    #[test]
    fn tree_knows_where_values_stand() {
        let json_text = "{\n \"a\": [1,\n  2.5],\n \"b\": {\"c\": \"x\"}}";
        let toml_text = "a = [1,\n  2.5]\n\n[b]\nc = \"x\"";
        for (text, tree, lines) in [
            (json_text, json(json_text).expect("valid"), [2, 3, 4]),
            (toml_text, toml(toml_text).expect("valid"), [1, 2, 5]),
        ] {
            let Value::Table(entries) = &tree.value else { panic!("a table") };
            let (Value::Array(items), Value::Table(inner)) = (&entries[0].node.value, &entries[1].node.value) else {
                panic!("an array and a table")
            };
            let found = [items[0].offset, items[1].offset, inner[0].node.offset].map(|offset| line(text, offset));
            assert_eq!(found, lines, "{text}");
        }
    }

    #[test]
    fn tree_refuses_deep_nesting_in_no_time() {
        for depth in [17, 100, 100_000] {
            let text = "[".repeat(depth) + &"]".repeat(depth);
            assert!(json(&format!("{{\"a\": {text}}}")).is_err(), "JSON, {depth} deep");
            assert!(toml(&format!("a = {text}")).is_err(), "TOML, {depth} deep");
        }
    }
}
