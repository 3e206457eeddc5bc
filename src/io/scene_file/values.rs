//! Values of the scene format: the rules for numbers, and colours.

use std::fmt;
use std::marker::PhantomData;

use glam::Vec3;
use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{self, Deserializer, MapAccess, SeqAccess, Unexpected, Visitor};

use crate::color::{Srgba8, WRITTEN};
use crate::error::Error;
use crate::frame::Frame;
use crate::geom::Caps;
use crate::io::formats::{Format, RawLayout};
use crate::io::load::camera::{FOVS, ZOOMS};
use crate::io::load::picture_settings::{MOST_AO_RAYS, MOST_SAMPLES};
use crate::scene::MOST_LIGHT_ANGLE;
use crate::scene::spheres::{AmbientOcclusion, Anchor, ClipPlane};

/// A range of numbers.
pub(crate) trait NumberRule {
    /// Ends "must be …".
    const ACCEPTED: &'static str;
    /// The least and the greatest number that will do.
    const RANGE: [f64; 2];
    /// Whether a number will do.
    fn accepts(value: f64) -> bool {
        (Self::RANGE[0]..=Self::RANGE[1]).contains(&value)
    }
}

/// Numbers that are finite as an `f32`, too.
const LARGEST: f64 = f32::MAX as f64;

/// Any finite number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Finite;

impl NumberRule for Finite {
    const ACCEPTED: &'static str = "a finite number";
    const RANGE: [f64; 2] = [-LARGEST, LARGEST];
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct NotNegative;

impl NumberRule for NotNegative {
    const ACCEPTED: &'static str = "a finite number that is not negative";
    const RANGE: [f64; 2] = [0.0, LARGEST];
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct AboveZero;

impl NumberRule for AboveZero {
    const ACCEPTED: &'static str = "a finite number above 0";
    // as an `f32`, too
    const RANGE: [f64; 2] = [f32::MIN_POSITIVE as f64, LARGEST];
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct AboveZeroOrInfinite;

impl NumberRule for AboveZeroOrInfinite {
    const ACCEPTED: &'static str = "a number above 0, or inf";
    const RANGE: [f64; 2] = [f64::MIN_POSITIVE, f64::INFINITY];
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct ZeroToOne;

impl NumberRule for ZeroToOne {
    const ACCEPTED: &'static str = "a number from 0 to 1";
    const RANGE: [f64; 2] = [0.0, 1.0];
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct FieldOfView;

impl NumberRule for FieldOfView {
    const ACCEPTED: &'static str = "an angle from 0.01 to 179 degrees";
    const RANGE: [f64; 2] = [0.01, FOVS[1] as f64];
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct AngleAcross;

impl NumberRule for AngleAcross {
    const ACCEPTED: &'static str = "an angle from 0 to 90 degrees";
    const RANGE: [f64; 2] = [0.0, MOST_LIGHT_ANGLE as f64];
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct ZoomFactor;

impl NumberRule for ZoomFactor {
    const ACCEPTED: &'static str = "a number from 0.01 to 100";
    const RANGE: [f64; 2] = [0.01, ZOOMS[1] as f64];
}

/// A number that keeps its rule.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Number<R> {
    value: f64,
    rule: PhantomData<R>,
}

pub(crate) type Length = Number<NotNegative>;
pub(crate) type Positive = Number<AboveZero>;
pub(crate) type OcclusionReach = Number<AboveZeroOrInfinite>;
pub(crate) type Share = Number<ZeroToOne>;
pub(crate) type Degrees = Number<FieldOfView>;
pub(crate) type LightAngle = Number<AngleAcross>;
pub(crate) type Angle = Number<Finite>;
pub(crate) type ZoomLevel = Number<ZoomFactor>;

impl<R: NumberRule> Number<R> {
    /// The number, if it keeps the rule.
    pub(crate) fn of(value: f64) -> Option<Self> {
        R::accepts(value).then_some(Self { value, rule: PhantomData })
    }
}

impl<R> Number<R> {
    /// As it stands in the file.
    pub(crate) fn f64(self) -> f64 {
        self.value
    }

    /// The nearest `f32`.
    #[expect(clippy::cast_possible_truncation, reason = "rounded on purpose; rules keep what would overflow out")]
    pub(crate) fn f32(self) -> f32 {
        self.value as f32
    }
}

impl<'de, R: NumberRule> Deserialize<'de> for Number<R> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NumberVisitor<R>(PhantomData<R>);

        impl<R: NumberRule> Visitor<'_> for NumberVisitor<R> {
            type Value = Number<R>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(R::ACCEPTED)
            }

            fn visit_i64<E: de::Error>(self, value: i64) -> Result<Self::Value, E> {
                self.visit_f64(value as f64)
            }

            fn visit_f64<E: de::Error>(self, value: f64) -> Result<Self::Value, E> {
                Number::of(value).ok_or_else(|| E::invalid_value(Unexpected::Float(value), &self))
            }
        }

        deserializer.deserialize_any(NumberVisitor(PhantomData))
    }
}

/// So many numbers, all after one rule.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Numbers<const N: usize, R = Finite>(pub(super) [Number<R>; N]);

impl<const N: usize, R> Numbers<N, R> {
    /// As they stand in the file.
    pub(crate) fn f64(self) -> [f64; N] {
        self.0.map(Number::f64)
    }

    /// The nearest `f32`s.
    pub(crate) fn f32(self) -> [f32; N] {
        self.0.map(Number::f32)
    }
}

impl<'de, const N: usize, R: NumberRule> Deserialize<'de> for Numbers<N, R> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NumbersVisitor<const N: usize, R>(PhantomData<R>);

        impl<'de, const N: usize, R: NumberRule> Visitor<'de> for NumbersVisitor<N, R> {
            type Value = Numbers<N, R>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "an array of {N} numbers")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
                let mut numbers = Vec::with_capacity(N);
                while let Some(number) = items.next_element()? {
                    numbers.push(number);
                }
                let count = numbers.len();
                numbers.try_into().map(Numbers).map_err(|_| de::Error::invalid_length(count, &self))
            }
        }

        deserializer.deserialize_any(NumbersVisitor(PhantomData))
    }
}

/// Three numbers, not all 0.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Direction(pub(super) Vec3);

impl<'de> Deserialize<'de> for Direction {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let direction = Vec3::from(Numbers::<3>::deserialize(deserializer)?.f32());
        if direction == Vec3::ZERO {
            return Err(de::Error::custom("must be a direction, got 0 along every axis"));
        }
        Ok(Self(direction))
    }
}

/// A whole number of a range.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WholeNumber<const LEAST: u64, const MOST: u64>(pub(super) u64);

pub(crate) type Pixels = WholeNumber<1, { Frame::MAX_PIXELS }>;
pub(crate) type SampleCount = WholeNumber<1, { MOST_SAMPLES as u64 }>;
pub(crate) type Seed = WholeNumber<0, { i64::MAX as u64 }>;
/// How often a periodic box is copied along each edge.
pub(crate) type Copies = [WholeNumber<1, { u32::MAX as u64 }>; 3];
pub(crate) type Ordinal = WholeNumber<0, { u32::MAX as u64 }>;
pub(crate) type Channel = WholeNumber<0, 255>;
/// As many generated shapes as an index can tell apart.
pub(crate) type ShapeCount = WholeNumber<1, { u32::MAX as u64 }>;
pub(crate) type PixelCount = WholeNumber<0, { Frame::MAX_PIXELS }>;

impl<const LEAST: u64, const MOST: u64> WholeNumber<LEAST, MOST> {
    /// The number; its range must be one of `u32`.
    pub(crate) fn u32(self) -> u32 {
        u32::try_from(self.0).expect("the ranges of 32-bit numbers end within them")
    }
}

impl<'de, const LEAST: u64, const MOST: u64> Deserialize<'de> for WholeNumber<LEAST, MOST> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct WholeVisitor<const LEAST: u64, const MOST: u64>;

        impl<const LEAST: u64, const MOST: u64> Visitor<'_> for WholeVisitor<LEAST, MOST> {
            type Value = WholeNumber<LEAST, MOST>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "a whole number from {LEAST} to {MOST}")
            }

            fn visit_i64<E: de::Error>(self, value: i64) -> Result<Self::Value, E> {
                let inside = u64::try_from(value).ok().filter(|value| (LEAST..=MOST).contains(value));
                inside.map(WholeNumber).ok_or_else(|| E::invalid_value(Unexpected::Signed(value), &self))
            }
        }

        deserializer.deserialize_any(WholeVisitor)
    }
}

/// A frame, counted from 0, or from the end: -1 is the last.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FrameIndex(pub(super) i64);

impl<'de> Deserialize<'de> for FrameIndex {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct FrameVisitor;

        impl Visitor<'_> for FrameVisitor {
            type Value = FrameIndex;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a whole number")
            }

            fn visit_i64<E: de::Error>(self, value: i64) -> Result<FrameIndex, E> {
                Ok(FrameIndex(value))
            }
        }

        deserializer.deserialize_any(FrameVisitor)
    }
}

/// `"smooth"`, `"off"` or a number of rays.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OcclusionText(AmbientOcclusion);

impl OcclusionText {
    pub(crate) fn get(self) -> AmbientOcclusion {
        self.0
    }
}

impl<'de> Deserialize<'de> for OcclusionText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct OcclusionVisitor;

        impl Visitor<'_> for OcclusionVisitor {
            type Value = OcclusionText;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "\"smooth\", \"off\" or a whole number from 0 to {MOST_AO_RAYS}")
            }

            fn visit_i64<E: de::Error>(self, value: i64) -> Result<OcclusionText, E> {
                let rays = u32::try_from(value).ok().filter(|&rays| rays <= MOST_AO_RAYS);
                let rays = rays.ok_or_else(|| E::invalid_value(Unexpected::Signed(value), &self))?;
                Ok(OcclusionText(if rays == 0 { AmbientOcclusion::Off } else { AmbientOcclusion::Rays(rays) }))
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<OcclusionText, E> {
                match text {
                    "smooth" => Ok(OcclusionText(AmbientOcclusion::Smooth)),
                    "off" => Ok(OcclusionText(AmbientOcclusion::Off)),
                    _ => Err(E::invalid_value(Unexpected::Str(text), &self)),
                }
            }
        }

        deserializer.deserialize_any(OcclusionVisitor)
    }
}

/// The name of a format of data, or the layout of raw numbers.
#[derive(Clone, Debug)]
pub(crate) struct NamedFormat {
    pub(super) format: Format,
    pub(super) raw: Option<RawLayout>,
}

impl<'de> Deserialize<'de> for NamedFormat {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        let parsed = match name.strip_prefix("raw:") {
            Some(layout) => layout.parse().map(|layout| Self { format: Format::Raw, raw: Some(layout) }),
            None => name.parse().map(|format| Self { format, raw: None }),
        };
        parsed.map_err(|error| match error {
            Error::Setting { message, .. } => de::Error::custom(message),
            other => de::Error::custom(other),
        })
    }
}

/// The frame of reference of a light's direction.
#[derive(Clone, Copy, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub(crate) enum NamedAnchor {
    World,
    Camera,
}

impl From<NamedAnchor> for Anchor {
    fn from(anchor: NamedAnchor) -> Self {
        match anchor {
            NamedAnchor::World => Self::World,
            NamedAnchor::Camera => Self::Camera,
        }
    }
}

/// The name of the ends of cylinders.
#[derive(Clone, Copy, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub(crate) enum CapsName {
    Flat,
    Round,
}

impl From<CapsName> for Caps {
    fn from(caps: CapsName) -> Self {
        match caps {
            CapsName::Flat => Self::Flat,
            CapsName::Round => Self::Round,
        }
    }
}

/// A colour written out; see [`Srgba8`] for the ways.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Color(pub(super) Srgba8);

/// A colour written out.
pub(crate) fn color<E: de::Error>(text: &str, accepted: &'static str) -> Result<Srgba8, E> {
    text.parse().map_err(|_| E::invalid_value(Unexpected::Str(text), &accepted))
}

impl<'de> Deserialize<'de> for Color {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ColorVisitor;

        impl Visitor<'_> for ColorVisitor {
            type Value = Color;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(WRITTEN)
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Color, E> {
                color(text, WRITTEN).map(Color)
            }
        }

        deserializer.deserialize_any(ColorVisitor)
    }
}

/// A plane that cuts spheres, such as `"x<12"`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClipText(pub(crate) ClipPlane);

impl<'de> Deserialize<'de> for ClipText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map(Self).map_err(|error| match error {
            Error::Setting { message, .. } => de::Error::custom(message),
            other => de::Error::custom(other),
        })
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum BackgroundText {
    Solid(Srgba8),
    Gradient { bottom: Srgba8, top: Srgba8 },
}

#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(super) struct GradientText {
    /// Colour at the bottom of the picture.
    /// - Example: `bottom = "white"`
    bottom: Color,
    /// Colour at the top of the picture.
    /// - Example: `top = "#80b3ff"`
    top: Color,
}

impl<'de> Deserialize<'de> for BackgroundText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct BackgroundVisitor;

        const ACCEPTED: &str = "a colour (#rrggbb, #rrggbbaa or a CSS name) or a table with bottom and top";

        impl<'de> Visitor<'de> for BackgroundVisitor {
            type Value = BackgroundText;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(ACCEPTED)
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<BackgroundText, E> {
                color(text, ACCEPTED).map(BackgroundText::Solid)
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<BackgroundText, A::Error> {
                let GradientText { bottom, top } = Deserialize::deserialize(MapAccessDeserializer::new(map))?;
                Ok(BackgroundText::Gradient { bottom: bottom.0, top: top.0 })
            }
        }

        deserializer.deserialize_any(BackgroundVisitor)
    }
}

/// The one name that a key accepts.
fn only<'de, D: Deserializer<'de>>(deserializer: D, name: &'static str) -> Result<(), D::Error> {
    struct NameVisitor(&'static str);

    impl Visitor<'_> for NameVisitor {
        type Value = ();

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "{:?}", self.0)
        }

        fn visit_str<E: de::Error>(self, found: &str) -> Result<(), E> {
            if found == self.0 { Ok(()) } else { Err(E::invalid_value(Unexpected::Str(found), &self)) }
        }
    }

    deserializer.deserialize_any(NameVisitor(name))
}

/// `shading`: only `"studio"`.
#[derive(Debug)]
pub(crate) struct OnlyStudio;

impl<'de> Deserialize<'de> for OnlyStudio {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        only(deserializer, "studio").map(|()| Self)
    }
}

/// `material`: only `"lambert"`.
#[derive(Debug)]
pub(crate) struct Lambert;

impl<'de> Deserialize<'de> for Lambert {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        only(deserializer, "lambert").map(|()| Self)
    }
}
