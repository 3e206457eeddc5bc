//! The numeric shading parameters by name: the one definition behind flags, keys of scene files, their schema and page,
//! descriptions of pictures, and Python's keywords.

use super::degrees::degrees;
use super::look::{MOST_LIGHT_ANGLE, MOST_OUTLINE_WIDTH, ShadingPreset};
use super::shading::Shading;
use crate::error::{Error, Result};

/// A numeric shading parameter that can be set by name, in the units of files and flags.
#[derive(Debug)]
pub struct ShadingNumber {
    /// The key in scene files and the keyword of Python.
    pub name: &'static str,
    /// Its meaning, in help texts and references.
    pub meaning: &'static str,
    /// The kind of value, as in help texts: `SHARE`, `INTENSITY`, `DEGREES` or `PIXELS`.
    pub value: &'static str,
    /// The least and the greatest number.
    pub range: [f32; 2],
    /// An example value in references.
    #[doc(hidden)]
    pub example: &'static str,
    /// The text of a default of `None` in references.
    #[doc(hidden)]
    pub suited: &'static str,
    /// Reads it from a shading; `None` if its value depends on the picture.
    #[doc(hidden)]
    pub get: fn(&Shading) -> Option<f32>,
    set: fn(&mut Shading, f32),
}

/// All numeric parameters, in the order of help texts and references.
///
/// To add one: a field of [`Shading`] with its default, a row here, and its use.
pub const NUMBERS: [ShadingNumber; 12] = [
    ShadingNumber {
        name: "ao_strength",
        meaning: "How much of the ambient light occlusion can take away, from 0 to 1",
        value: "SHARE",
        range: [0.0, 1.0],
        example: "0.8",
        suited: "",
        get: |shading| Some(shading.ao_strength),
        set: |shading, number| shading.ao_strength = number,
    },
    ShadingNumber {
        name: "key",
        meaning: "Intensity of the key light, over the camera's left shoulder; a scene's own lights take its place",
        value: "INTENSITY",
        range: [0.0, 100.0],
        example: "0.4",
        suited: "",
        get: |shading| Some(shading.key),
        set: |shading, number| shading.key = number,
    },
    ShadingNumber {
        name: "fill",
        meaning: "Intensity of the fill light, beside the camera, which casts no shadow",
        value: "INTENSITY",
        range: [0.0, 100.0],
        example: "0.2",
        suited: "",
        get: |shading| Some(shading.fill),
        set: |shading, number| shading.fill = number,
    },
    ShadingNumber {
        name: "key_angle",
        meaning: "Angle across the key light, from 0 for hard shadows to 90",
        value: "DEGREES",
        range: [0.0, MOST_LIGHT_ANGLE],
        example: "15",
        suited: "",
        get: |shading| Some(degrees(shading.key_angle_radians)),
        set: |shading, number| shading.key_angle_radians = number.to_radians(),
    },
    ShadingNumber {
        name: "rim",
        meaning: "Light from behind that grazes the edges of shapes, from 0 to 1, which sets them off against a dark background",
        value: "SHARE",
        range: [0.0, 1.0],
        example: "0.6",
        suited: "",
        get: |shading| Some(shading.rim),
        set: |shading, number| shading.rim = number,
    },
    ShadingNumber {
        name: "specular",
        meaning: "Strength of highlights, from 0 for matt surfaces to 1; 0.5 is plastic",
        value: "SHARE",
        range: [0.0, 1.0],
        example: "0.5",
        suited: "",
        get: |shading| Some(shading.specular),
        set: |shading, number| shading.specular = number,
    },
    ShadingNumber {
        name: "roughness",
        meaning: "How blurred highlights are, from 0.1 for small and bright ones to 1",
        value: "SHARE",
        range: [0.0, 1.0],
        example: "0.25",
        suited: "",
        get: |shading| Some(shading.roughness),
        set: |shading, number| shading.roughness = number,
    },
    ShadingNumber {
        name: "fog",
        meaning: "How much fog hides what is farthest, from 0 to 1",
        value: "SHARE",
        range: [0.0, 1.0],
        example: "0.4",
        suited: "",
        get: |shading| Some(shading.fog),
        set: |shading, number| shading.fog = number,
    },
    ShadingNumber {
        name: "fog_start",
        meaning: "Where fog begins, from 0 at the front of the spheres to 1 at their back; most of what shows lies in the front half",
        value: "SHARE",
        range: [0.0, 1.0],
        example: "0.25",
        suited: "",
        get: |shading| Some(shading.fog_start),
        set: |shading, number| shading.fog_start = number,
    },
    ShadingNumber {
        name: "outline_width",
        meaning: "Width of outlines, which may be fractional; 0 draws none",
        value: "PIXELS",
        range: [0.0, MOST_OUTLINE_WIDTH],
        example: "2.5",
        suited: "1/800 of the picture's longer side, but not less than 1,",
        get: |shading| shading.outline_width,
        set: |shading, number| shading.outline_width = Some(number),
    },
    ShadingNumber {
        name: "outline_depth",
        meaning: "Draw outlines where the depth jumps by more than this many times the size of a pixel; they are faint at \
                  first, and have their full colour where it jumps by twice as much",
        value: "PIXELS",
        range: [0.0, 1e6],
        example: "10",
        suited: "",
        get: |shading| Some(shading.outline_depth),
        set: |shading, number| shading.outline_depth = number,
    },
    ShadingNumber {
        name: "cloud_radius",
        meaning: "Light spheres of less than half this radius on the picture together, as the surface that they make up",
        value: "PIXELS",
        range: [0.0, 1e6],
        example: "2.0",
        suited: "",
        get: |shading| Some(shading.splat_radius),
        set: |shading, number| shading.splat_radius = number,
    },
];

impl ShadingNumber {
    /// All numeric parameters.
    #[must_use]
    pub fn all() -> &'static [Self] {
        &NUMBERS
    }

    /// The accepted values, to follow "must be".
    #[doc(hidden)]
    pub fn accepted(&self) -> String {
        let [least, most] = self.range;
        match self.value {
            "DEGREES" => format!("an angle from {least} to {most} degrees"),
            "PIXELS" => format!("a number of pixels from {least} to {most}"),
            _ => format!("a number from {least} to {most}"),
        }
    }

    /// The unit, for references.
    #[doc(hidden)]
    pub fn unit(&self) -> Option<String> {
        matches!(self.value, "DEGREES" | "PIXELS").then(|| self.value.to_lowercase())
    }

    /// The defaults of all looks in words: "`0.0`; 0.42 in the look `studio`".
    #[doc(hidden)]
    pub fn defaults(&self) -> String {
        let shown =
            |look| (self.get)(&Shading::preset(look)).map_or(self.suited.to_owned(), |number| format!("{number:?}"));
        let usual = shown(ShadingPreset::Headlight);
        let mut groups: Vec<(String, Vec<String>)> = Vec::new();
        for look in ShadingPreset::ALL.into_iter().filter(|&look| shown(look) != usual) {
            match groups.iter_mut().find(|(number, _)| *number == shown(look)) {
                Some((_, looks)) => looks.push(format!("`{look}`")),
                None => groups.push((shown(look), vec![format!("`{look}`")])),
            }
        }
        let groups = groups.iter().map(|(number, looks)| {
            format!("{number} in the look{} {}", if looks.len() > 1 { "s" } else { "" }, looks.join(" and "))
        });
        std::iter::once(format!("`{usual}`")).chain(groups).collect::<Vec<_>>().join("; ")
    }
}

/// Shading parameters that replace a look's own.
///
/// ```
/// # use roundel_scene as roundel;
/// use roundel::spheres::{ShadingPreset, Shading, ShadingOverrides};
///
/// let numbers = ShadingOverrides::default().with("fog", 0.5)?.with("key_angle", 0.0)?;
/// let shading = Shading::preset(ShadingPreset::Studio).with_numbers(&numbers);
/// assert_eq!((shading.fog, shading.key_angle_radians, shading.key), (0.5, 0.0, 0.42));
/// assert!(ShadingOverrides::default().with("fog", 1.5).is_err(), "0 to 1");
/// # Ok::<(), roundel::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ShadingOverrides([Option<f32>; NUMBERS.len()]);

impl ShadingOverrides {
    /// The same overrides with one more. [`ShadingNumber::all`] lists the names.
    ///
    /// # Errors
    /// If no parameter has this name, or the number is out of range.
    pub fn with(mut self, name: &str, number: f32) -> Result<Self> {
        let place = NUMBERS.iter().position(|known| known.name == name).ok_or_else(|| {
            let names: Vec<_> = NUMBERS.iter().map(|known| known.name).collect();
            Error::setting("shading", format!("has no number {name:?} (numbers: {})", names.join(", ")))
        })?;
        self.0[place] = Some(number);
        self.check()?;
        Ok(self)
    }

    /// The number of this name, if it is set.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<f32> {
        self.entries().find(|(known, _)| known.name == name)?.1
    }

    /// Sets a number, to be checked by [`ShadingOverrides::check`].
    #[doc(hidden)]
    pub fn set(&mut self, name: &str, number: f32) {
        self.replace(name, Some(number));
    }

    /// Removes a number.
    #[doc(hidden)]
    pub fn unset(&mut self, name: &str) {
        self.replace(name, None);
    }

    fn replace(&mut self, name: &str, number: Option<f32>) {
        for (own, _) in self.0.iter_mut().zip(&NUMBERS).filter(|(_, known)| known.name == name) {
            *own = number;
        }
    }

    #[doc(hidden)]
    pub fn entries(&self) -> impl Iterator<Item = (&'static ShadingNumber, Option<f32>)> {
        ShadingNumber::all().iter().zip(self.0)
    }

    #[doc(hidden)]
    pub fn check(&self) -> Result<()> {
        for (&ShadingNumber { name, range: [least, most], .. }, number) in self.entries() {
            if let Some(number) = number.filter(|number| !(least..=most).contains(number)) {
                return Err(Error::Setting { name, message: format!("must be {least} to {most}, got {number}") });
            }
        }
        Ok(())
    }
}

impl Shading {
    /// The same shading with these overrides.
    #[must_use]
    pub fn with_numbers(mut self, numbers: &ShadingOverrides) -> Self {
        for (known, number) in numbers.entries() {
            if let Some(number) = number {
                (known.set)(&mut self, number);
            }
        }
        self
    }
}
