//! Values of `[figure]`: switches that may also hold a value.

use serde::Deserialize;
use serde::de::{self, DeserializeOwned, Deserializer, IntoDeserializer};

use crate::options::figure::MOST_TRIM;
use crate::scene_file::scene_value;
use crate::scene_file::scene_value::SceneValue;
use crate::scene_file::values::WholeNumber;

/// `false`, `true`, or a value, which switches on, too.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SwitchOr<T> {
    Off,
    On,
    Is(T),
}

impl<T: DeserializeOwned> SceneValue for SwitchOr<T> {
    const ACCEPTED: &'static str = "true, false or a value";

    fn of_switch<E: de::Error>(on: bool) -> Result<Self, E> {
        Ok(if on { Self::On } else { Self::Off })
    }

    fn of_whole<E: de::Error>(value: i64) -> Result<Self, E> {
        T::deserialize(value.into_deserializer()).map(Self::Is)
    }

    fn of_number<E: de::Error>(value: f64) -> Result<Self, E> {
        T::deserialize(value.into_deserializer()).map(Self::Is)
    }

    fn of_text<E: de::Error>(text: &str) -> Result<Self, E> {
        T::deserialize(text.into_deserializer()).map(Self::Is)
    }
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for SwitchOr<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        scene_value::read(deserializer)
    }
}

/// Pixels left around the shapes of a trimmed picture.
pub(crate) type PixelMargin = WholeNumber<0, { MOST_TRIM as u64 }>;
