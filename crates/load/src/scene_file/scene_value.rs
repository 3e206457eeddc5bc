//! Values of scene files that accept several notations: a number or a text, a list or a table.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{self, Deserializer, MapAccess, SeqAccess, Unexpected, Visitor};

/// A value of a scene file. A type overrides the notations that it accepts; the defaults refuse all others in its
/// words.
pub(crate) trait SceneValue: Sized {
    /// Completes the message "must be …".
    const ACCEPTED: &'static str = "";

    /// [`Self::ACCEPTED`] for texts that contain numbers of the type.
    fn accepted() -> Cow<'static, str> {
        Self::ACCEPTED.into()
    }

    fn of_switch<E: de::Error>(on: bool) -> Result<Self, E> {
        Err(refusal::<Self, E>(Unexpected::Bool(on)))
    }

    fn of_whole<E: de::Error>(value: i64) -> Result<Self, E> {
        Self::of_number(value as f64)
    }

    fn of_number<E: de::Error>(value: f64) -> Result<Self, E> {
        Err(refusal::<Self, E>(Unexpected::Float(value)))
    }

    fn of_text<E: de::Error>(text: &str) -> Result<Self, E> {
        Err(refusal::<Self, E>(Unexpected::Str(text)))
    }

    fn of_list<'de, A: SeqAccess<'de>>(_: A) -> Result<Self, A::Error> {
        Err(refusal::<Self, A::Error>(Unexpected::Seq))
    }

    fn of_table<'de, A: MapAccess<'de>>(_: A) -> Result<Self, A::Error> {
        Err(refusal::<Self, A::Error>(Unexpected::Map))
    }
}

/// The error for a value that a type does not accept.
pub(crate) fn refusal<T: SceneValue, E: de::Error>(found: Unexpected<'_>) -> E {
    E::invalid_value(found, &&*T::accepted())
}

/// The error for a fraction in place of a whole number.
pub(crate) fn fraction_refusal<T: SceneValue, E: de::Error>(found: f64) -> E {
    // 10.0 is not shown as 10
    refusal::<T, E>(Unexpected::Other(&format!("{found:?}")))
}

pub(crate) fn read<'de, T: SceneValue, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    deserializer.deserialize_any(SceneValueVisitor(PhantomData))
}

struct SceneValueVisitor<T>(PhantomData<T>);

impl<'de, T: SceneValue> Visitor<'de> for SceneValueVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&T::accepted())
    }

    fn visit_bool<E: de::Error>(self, on: bool) -> Result<T, E> {
        T::of_switch(on)
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<T, E> {
        T::of_whole(value)
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<T, E> {
        T::of_number(value)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<T, E> {
        T::of_text(text)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<T, A::Error> {
        T::of_list(items)
    }

    fn visit_map<A: MapAccess<'de>>(self, table: A) -> Result<T, A::Error> {
        T::of_table(table)
    }
}
