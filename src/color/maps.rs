//! Colour maps: categories to a handful of colours, numbers to a ramp.
//!
//! Only maps computed from tables and polynomials are offered: those computed with a sine differ between platforms.

use colorous::Gradient;

use super::srgba8::Srgba8;

/// A named colour map.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ColorMap {
    /// One colour per category, repeated if there are more categories.
    Categories(&'static str, &'static [colorous::Color]),
    /// A continuous ramp from the least number to the greatest.
    Ramp(&'static str, Gradient),
}

/// All maps.
const MAPS: [ColorMap; 30] = [
    ColorMap::Categories("tab10", &colorous::CATEGORY10),
    ColorMap::Categories("tableau10", &colorous::TABLEAU10),
    ColorMap::Categories("accent", &colorous::ACCENT),
    ColorMap::Categories("dark2", &colorous::DARK2),
    ColorMap::Categories("paired", &colorous::PAIRED),
    ColorMap::Categories("pastel1", &colorous::PASTEL1),
    ColorMap::Categories("pastel2", &colorous::PASTEL2),
    ColorMap::Categories("set1", &colorous::SET1),
    ColorMap::Categories("set2", &colorous::SET2),
    ColorMap::Categories("set3", &colorous::SET3),
    ColorMap::Ramp("viridis", colorous::VIRIDIS),
    ColorMap::Ramp("inferno", colorous::INFERNO),
    ColorMap::Ramp("magma", colorous::MAGMA),
    ColorMap::Ramp("plasma", colorous::PLASMA),
    ColorMap::Ramp("cividis", colorous::CIVIDIS),
    ColorMap::Ramp("turbo", colorous::TURBO),
    ColorMap::Ramp("blues", colorous::BLUES),
    ColorMap::Ramp("greens", colorous::GREENS),
    ColorMap::Ramp("greys", colorous::GREYS),
    ColorMap::Ramp("oranges", colorous::ORANGES),
    ColorMap::Ramp("purples", colorous::PURPLES),
    ColorMap::Ramp("reds", colorous::REDS),
    ColorMap::Ramp("ylorrd", colorous::YELLOW_ORANGE_RED),
    ColorMap::Ramp("ylgnbu", colorous::YELLOW_GREEN_BLUE),
    ColorMap::Ramp("rdbu", colorous::RED_BLUE),
    ColorMap::Ramp("rdylbu", colorous::RED_YELLOW_BLUE),
    ColorMap::Ramp("rdylgn", colorous::RED_YELLOW_GREEN),
    ColorMap::Ramp("piyg", colorous::PINK_GREEN),
    ColorMap::Ramp("puor", colorous::PURPLE_ORANGE),
    ColorMap::Ramp("spectral", colorous::SPECTRAL),
];

impl ColorMap {
    /// The default for categories.
    pub(crate) const TAB10: Self = Self::Categories("tab10", &colorous::CATEGORY10);
    /// The default for numbers.
    pub(crate) const VIRIDIS: Self = Self::Ramp("viridis", colorous::VIRIDIS);

    /// The map with this name.
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        MAPS.into_iter().find(|map| map.name() == name)
    }

    /// The names of all maps.
    pub(crate) fn names() -> impl Iterator<Item = &'static str> + Clone {
        MAPS.into_iter().map(Self::name)
    }

    /// The name that scenes use.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Categories(name, _) | Self::Ramp(name, _) => name,
        }
    }

    /// The colour of the category with this index, counted from 0 in order of appearance.
    pub(crate) fn category(self, index: usize) -> Srgba8 {
        match self {
            Self::Categories(_, colors) => opaque(colors[index % colors.len()]),
            // steps of the golden ratio: consecutive categories get unlike colours
            Self::Ramp(_, ramp) => opaque(ramp.eval_continuous((index as f64 * 0.618_033_988_749_895).fract())),
        }
    }

    /// The colour of a number from 0 to 1.
    pub(crate) fn number(self, value: f64) -> Srgba8 {
        match self {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to a short table")]
            Self::Categories(_, colors) => {
                opaque(colors[((value * colors.len() as f64) as usize).min(colors.len() - 1)])
            }
            Self::Ramp(_, ramp) => opaque(ramp.eval_continuous(value)),
        }
    }
}

fn opaque(color: colorous::Color) -> Srgba8 {
    Srgba8::rgb(color.r, color.g, color.b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn map_ends_are_as_published() {
        assert_eq!(ColorMap::VIRIDIS.number(0.0), Srgba8::hex(0x440154));
        assert_eq!(ColorMap::VIRIDIS.number(1.0), Srgba8::hex(0xfde725));
        assert_eq!(ColorMap::TAB10.category(0), Srgba8::hex(0x1f77b4));
        assert_eq!(ColorMap::TAB10.category(13), Srgba8::hex(0xd62728), "ten colours, repeated");
    }

    #[test]
    fn map_names_are_found_and_distinct() {
        let names: Vec<_> = ColorMap::names().collect();
        for (index, name) in names.iter().enumerate() {
            assert!(!names[..index].contains(name));
            assert_eq!(ColorMap::from_name(name).map(ColorMap::name), Some(*name));
        }
    }

    #[test]
    fn map_takes_any_number() {
        for name in ColorMap::names() {
            let map = ColorMap::from_name(name).expect("listed");
            for value in [f64::NAN, f64::NEG_INFINITY, -1.0, 0.0, 0.999_999, 1.0, 2.0, f64::INFINITY] {
                map.number(value);
            }
            map.category(usize::MAX);
        }
    }
}
