//! Gloss: how surfaces reflect lights.

use std::fmt;
use std::str::FromStr;

use crate::error::{Error, Result};

/// The highlights of some surfaces, in place of those of the shading.
///
/// ```
/// # use roundel_scene as roundel;
/// use roundel::spheres::Gloss;
///
/// assert_eq!("0.5".parse::<Gloss>()?, Gloss::new(0.5));
/// assert_eq!("0.5,0.2".parse::<Gloss>()?, Gloss::new(0.5).with_roughness(0.2));
/// assert!("2".parse::<Gloss>().is_err(), "0 to 1");
/// # Ok::<(), roundel::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[non_exhaustive]
pub struct Gloss {
    /// Strength of highlights, 0 to 1, as [`Shading::specular`](super::spheres::Shading::specular).
    pub specular: f32,
    /// How blurred they are, 0 to 1; `None` for the roughness of the shading.
    pub roughness: Option<f32>,
}

impl Gloss {
    /// Highlights of this strength.
    #[must_use]
    #[inline]
    pub fn new(specular: f32) -> Self {
        Self { specular, roughness: None }
    }

    /// The same highlights of this roughness.
    #[must_use]
    #[inline]
    pub fn with_roughness(self, roughness: f32) -> Self {
        Self { roughness: Some(roughness), ..self }
    }
}

impl fmt::Display for Gloss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.specular)?;
        self.roughness.map_or(Ok(()), |roughness| write!(f, ",{roughness}"))
    }
}

impl FromStr for Gloss {
    type Err = Error;

    /// Reads a strength, or a strength and a roughness with a comma between.
    fn from_str(text: &str) -> Result<Self> {
        let share = |text: &str| text.trim().parse().ok().filter(|share| (0.0..=1.0).contains(share));
        let gloss = match text.split_once(',') {
            None => share(text).map(Self::new),
            Some((specular, roughness)) => share(specular)
                .zip(share(roughness))
                .map(|(specular, roughness)| Self::new(specular).with_roughness(roughness)),
        };
        gloss.ok_or_else(|| {
            let message =
                format!("must be a strength from 0 to 1, perhaps with a roughness, as in 0.5,0.2, got {text:?}");
            Error::setting("gloss", message)
        })
    }
}
