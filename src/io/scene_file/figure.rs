//! Values of `[figure]`, which are on, off, or more than that.

use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::{self, Deserializer, IntoDeserializer, Visitor};

use super::values::WholeNumber;

/// `false`, `true`, or a value that is on in its own way.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SwitchOr<T> {
    Off,
    On,
    Is(T),
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for SwitchOr<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ChoiceVisitor<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for ChoiceVisitor<T> {
            type Value = SwitchOr<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("true, false or a value")
            }

            fn visit_bool<E: de::Error>(self, on: bool) -> Result<SwitchOr<T>, E> {
                Ok(if on { SwitchOr::On } else { SwitchOr::Off })
            }

            fn visit_i64<E: de::Error>(self, value: i64) -> Result<SwitchOr<T>, E> {
                T::deserialize(value.into_deserializer()).map(SwitchOr::Is)
            }

            fn visit_f64<E: de::Error>(self, value: f64) -> Result<SwitchOr<T>, E> {
                T::deserialize(value.into_deserializer()).map(SwitchOr::Is)
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<SwitchOr<T>, E> {
                T::deserialize(text.into_deserializer()).map(SwitchOr::Is)
            }
        }

        deserializer.deserialize_any(ChoiceVisitor(PhantomData))
    }
}

/// `legend = "counts"`.
#[derive(Clone, Copy, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub(crate) enum LegendWord {
    Counts,
}

/// Pixels that are left around the shapes when a picture is trimmed.
pub(crate) type PixelMargin = WholeNumber<0, { u16::MAX as u64 }>;
