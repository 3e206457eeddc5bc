//! Serializes colours as the text `#rrggbb` in human-readable formats, and as four bytes in others.

use std::borrow::Cow;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::srgba8::Srgba8;

impl Serialize for Srgba8 {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.collect_str(self)
        } else {
            <[u8; 4]>::from(*self).serialize(serializer)
        }
    }
}

impl<'de> Deserialize<'de> for Srgba8 {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            Cow::<str>::deserialize(deserializer)?.parse().map_err(D::Error::custom)
        } else {
            <[u8; 4]>::deserialize(deserializer).map(Self::from)
        }
    }
}
