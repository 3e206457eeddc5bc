//! Values of the scene format: the rules for numbers, and colours.

use std::borrow::Cow;
use std::marker::PhantomData;

use glam::Vec3;
use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{self, Deserializer, MapAccess, SeqAccess, Unexpected};

use crate::color::{Srgba8, WRITTEN};
use crate::error::Error;
use crate::formats::{Format, RawLayout};
use crate::frame::Frame;
use crate::geom::Caps;
use crate::options::camera::{FOVS, ZOOMS};
use crate::options::picture_settings::{MOST_AO_RAYS, MOST_SAMPLES};
use crate::rows::smoothing::MOST_SMOOTHED;
use crate::scene::spheres::{AmbientOcclusion, Anchor, ClipPlane};
use crate::scene::{MOST_LIGHT_ANGLE, check_outline_color};
use crate::scene_file::scene_value;
use crate::scene_file::scene_value::{SceneValue, fraction_refusal, refusal};

/// A range of numbers.
pub(crate) trait NumberRule {
    /// Completes the message "must be …".
    const ACCEPTED: &'static str;
    /// The least and the greatest accepted number.
    const RANGE: [f64; 2];
}

/// The largest number that is finite as an `f32`, too.
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
    // above 0 as an `f32`, too
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

/// A number in the range of its rule.
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
    /// The number, if it is in the range.
    pub(crate) fn of(value: f64) -> Option<Self> {
        let [least, most] = R::RANGE;
        (least..=most).contains(&value).then_some(Self { value, rule: PhantomData })
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

/// The bound of `f32` that a finite number breaks, if its rule does not state that bound.
fn broken_bound<R: NumberRule>(value: f64) -> Option<&'static str> {
    let [least, most] = R::RANGE;
    let is_too_small = value > 0.0 && value < least && least == f64::from(f32::MIN_POSITIVE);
    match value {
        _ if is_too_small => Some("at least 1.2e-38"),
        value if value.is_finite() && value > most && most == LARGEST => Some("at most 3.4e38"),
        value if value.is_finite() && value < least && least == -LARGEST => Some("at least -3.4e38"),
        _ => None,
    }
}

impl<R: NumberRule> SceneValue for Number<R> {
    const ACCEPTED: &'static str = R::ACCEPTED;

    fn of_number<E: de::Error>(value: f64) -> Result<Self, E> {
        Self::of(value).ok_or_else(|| match broken_bound::<R>(value) {
            Some(bound) => E::invalid_value(Unexpected::Float(value), &bound),
            None => refusal::<Self, E>(Unexpected::Float(value)),
        })
    }
}

impl<'de, R: NumberRule> Deserialize<'de> for Number<R> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        scene_value::read(deserializer)
    }
}

/// `N` numbers under one rule.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Numbers<const N: usize, R = Finite>(pub(crate) [Number<R>; N]);

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

impl<const N: usize, R: NumberRule> SceneValue for Numbers<N, R> {
    fn accepted() -> Cow<'static, str> {
        format!("an array of {N} numbers").into()
    }

    fn of_list<'de, A: SeqAccess<'de>>(mut items: A) -> Result<Self, A::Error> {
        let mut numbers = Vec::with_capacity(N);
        while let Some(number) = items.next_element()? {
            numbers.push(number);
        }
        let count = numbers.len();
        numbers.try_into().map(Self).map_err(|_| de::Error::invalid_length(count, &&*Self::accepted()))
    }
}

impl<'de, const N: usize, R: NumberRule> Deserialize<'de> for Numbers<N, R> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        scene_value::read(deserializer)
    }
}

/// Three numbers, not all 0.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Direction(pub(crate) Vec3);

impl<'de> Deserialize<'de> for Direction {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let direction = Vec3::from(Numbers::<3>::deserialize(deserializer)?.f32());
        if direction == Vec3::ZERO {
            return Err(de::Error::custom("must be a direction, got 0 along every axis"));
        }
        Ok(Self(direction))
    }
}

/// A whole number in a range.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WholeNumber<const LEAST: u64, const MOST: u64>(pub(crate) u64);

pub(crate) type Pixels = WholeNumber<1, { Frame::MAX_PIXELS }>;
pub(crate) type SampleCount = WholeNumber<1, { MOST_SAMPLES as u64 }>;
pub(crate) type Seed = WholeNumber<0, { i64::MAX as u64 }>;
/// How often a periodic box is copied along each edge.
pub(crate) type Copies = [WholeNumber<1, { u32::MAX as u64 }>; 3];
pub(crate) type Ordinal = WholeNumber<0, { u32::MAX as u64 }>;
pub(crate) type Channel = WholeNumber<0, 255>;
/// Number of frames over which positions are averaged.
pub(crate) type FrameCount = WholeNumber<1, { MOST_SMOOTHED as u64 }>;
/// Number of generated shapes, which have 32-bit indices.
pub(crate) type ShapeCount = WholeNumber<1, { u32::MAX as u64 }>;
pub(crate) type PixelCount = WholeNumber<0, { Frame::MAX_PIXELS }>;

impl<const LEAST: u64, const MOST: u64> WholeNumber<LEAST, MOST> {
    /// The number, whose range must be within `u32`.
    pub(crate) fn u32(self) -> u32 {
        u32::try_from(self.0).expect("the ranges of 32-bit numbers end within them")
    }
}

impl<const LEAST: u64, const MOST: u64> SceneValue for WholeNumber<LEAST, MOST> {
    fn accepted() -> Cow<'static, str> {
        format!("a whole number from {LEAST} to {MOST}").into()
    }

    fn of_whole<E: de::Error>(value: i64) -> Result<Self, E> {
        let inside = u64::try_from(value).ok().filter(|value| (LEAST..=MOST).contains(value));
        inside.map(Self).ok_or_else(|| refusal::<Self, E>(Unexpected::Signed(value)))
    }

    fn of_number<E: de::Error>(value: f64) -> Result<Self, E> {
        Err(fraction_refusal::<Self, E>(value))
    }
}

impl<'de, const LEAST: u64, const MOST: u64> Deserialize<'de> for WholeNumber<LEAST, MOST> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        scene_value::read(deserializer)
    }
}

/// A frame, counted from 0, or from the end: -1 is the last.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FrameIndex(pub(crate) i64);

impl SceneValue for FrameIndex {
    const ACCEPTED: &'static str = "a whole number";

    fn of_whole<E: de::Error>(value: i64) -> Result<Self, E> {
        Ok(Self(value))
    }

    fn of_number<E: de::Error>(value: f64) -> Result<Self, E> {
        Err(fraction_refusal::<Self, E>(value))
    }
}

impl<'de> Deserialize<'de> for FrameIndex {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        scene_value::read(deserializer)
    }
}

/// `"smooth"`, `"off"` or a number of rays.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OcclusionText(pub(crate) AmbientOcclusion);

impl SceneValue for OcclusionText {
    fn accepted() -> Cow<'static, str> {
        format!("\"smooth\", \"off\" or a whole number from 0 to {MOST_AO_RAYS}").into()
    }

    fn of_whole<E: de::Error>(value: i64) -> Result<Self, E> {
        match u32::try_from(value) {
            Ok(0) => Ok(Self(AmbientOcclusion::Off)),
            Ok(rays) if rays <= MOST_AO_RAYS => Ok(Self(AmbientOcclusion::Rays(rays))),
            _ => Err(refusal::<Self, E>(Unexpected::Signed(value))),
        }
    }

    fn of_number<E: de::Error>(value: f64) -> Result<Self, E> {
        Err(fraction_refusal::<Self, E>(value))
    }

    fn of_text<E: de::Error>(text: &str) -> Result<Self, E> {
        match text {
            "smooth" => Ok(Self(AmbientOcclusion::Smooth)),
            "off" => Ok(Self(AmbientOcclusion::Off)),
            _ => Err(refusal::<Self, E>(Unexpected::Str(text))),
        }
    }
}

impl<'de> Deserialize<'de> for OcclusionText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        scene_value::read(deserializer)
    }
}

/// The name of a format of data, or the layout of raw numbers.
#[derive(Clone, Debug)]
pub(crate) struct NamedFormat {
    pub(crate) format: Format,
    pub(crate) raw: Option<RawLayout>,
}

impl<'de> Deserialize<'de> for NamedFormat {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        let parsed = match name.strip_prefix("raw:") {
            Some(layout) => layout.parse().map(|layout| Self { format: Format::Raw, raw: Some(layout) }),
            None => name.parse().map(|format| Self { format, raw: None }),
        };
        parsed.map_err(|error: Error| de::Error::custom(error.rule()))
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

#[doc(hidden)]
impl From<NamedAnchor> for Anchor {
    fn from(anchor: NamedAnchor) -> Self {
        match anchor {
            NamedAnchor::World => Self::World,
            NamedAnchor::Camera => Self::Camera,
        }
    }
}

/// How cylinders end.
#[derive(Clone, Copy, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub(crate) enum CapsName {
    Flat,
    Round,
}

#[doc(hidden)]
impl From<CapsName> for Caps {
    fn from(caps: CapsName) -> Self {
        match caps {
            CapsName::Flat => Self::Flat,
            CapsName::Round => Self::Round,
        }
    }
}

/// A colour as text; see [`Srgba8`] for the notations.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Color(pub(crate) Srgba8);

impl SceneValue for Color {
    const ACCEPTED: &'static str = WRITTEN;

    fn of_text<E: de::Error>(text: &str) -> Result<Self, E> {
        parse_color::<Self, E>(text).map(Self)
    }
}

/// Parses a colour; the error says what `T` accepts.
pub(crate) fn parse_color<T: SceneValue, E: de::Error>(text: &str) -> Result<Srgba8, E> {
    text.parse().map_err(|_| refusal::<T, E>(Unexpected::Str(text)))
}

impl<'de> Deserialize<'de> for Color {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        scene_value::read(deserializer)
    }
}

/// A colour of outlines.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OutlineColor(pub(crate) Srgba8);

impl SceneValue for OutlineColor {
    const ACCEPTED: &'static str = "an opaque colour (#rrggbb or a CSS name)";

    fn of_text<E: de::Error>(text: &str) -> Result<Self, E> {
        let color = parse_color::<Self, E>(text)?;
        check_outline_color(color).map(|()| Self(color)).map_err(|error| E::custom(error.rule()))
    }
}

impl<'de> Deserialize<'de> for OutlineColor {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        scene_value::read(deserializer)
    }
}

/// A plane that cuts spheres, such as `"x<12"`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClipText(pub(crate) ClipPlane);

impl<'de> Deserialize<'de> for ClipText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map(Self).map_err(|error: Error| de::Error::custom(error.rule()))
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
pub(crate) struct GradientText {
    /// Colour of the sky straight down, along the world's −y.
    /// - Example: `bottom = "white"`
    bottom: Color,
    /// Colour of the sky straight up, along the world's y.
    /// - Example: `top = "#80b3ff"`
    top: Color,
}

impl SceneValue for BackgroundText {
    const ACCEPTED: &'static str = "a colour (#rrggbb, #rrggbbaa or a CSS name) or a table with bottom and top";

    fn of_text<E: de::Error>(text: &str) -> Result<Self, E> {
        parse_color::<Self, E>(text).map(Self::Solid)
    }

    fn of_table<'de, A: MapAccess<'de>>(table: A) -> Result<Self, A::Error> {
        let GradientText { bottom, top } = Deserialize::deserialize(MapAccessDeserializer::new(table))?;
        Ok(Self::Gradient { bottom: bottom.0, top: top.0 })
    }
}

impl<'de> Deserialize<'de> for BackgroundText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        scene_value::read(deserializer)
    }
}

/// `shading`: only `"studio"`.
#[derive(Debug)]
pub(crate) struct OnlyStudio;

impl SceneValue for OnlyStudio {
    const ACCEPTED: &'static str = "\"studio\"";

    fn of_text<E: de::Error>(text: &str) -> Result<Self, E> {
        if text == "studio" { Ok(Self) } else { Err(refusal::<Self, E>(Unexpected::Str(text))) }
    }
}

impl<'de> Deserialize<'de> for OnlyStudio {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        scene_value::read(deserializer)
    }
}

/// `material`: only `"lambert"`.
#[derive(Debug)]
pub(crate) struct Lambert;

impl SceneValue for Lambert {
    const ACCEPTED: &'static str = "\"lambert\"";

    fn of_text<E: de::Error>(text: &str) -> Result<Self, E> {
        if text == "lambert" { Ok(Self) } else { Err(refusal::<Self, E>(Unexpected::Str(text))) }
    }
}

impl<'de> Deserialize<'de> for Lambert {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        scene_value::read(deserializer)
    }
}
