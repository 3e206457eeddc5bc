//! Colour maps: a handful of colours for categories, a ramp for numbers.
//!
//! All maps are tables; maps computed with a sine differ between platforms.

use std::str::FromStr;
use std::sync::{LazyLock, Mutex, PoisonError};

use super::elements::{ELEMENTS, Element};
use super::lightness::softened;
use super::map_tables::{PALETTES, RAMPS};
use super::ramp::Ramp;
use super::srgba8::Srgba8;
use crate::error::Error;

/// A named colour map: the colours of categories, or a ramp for numbers.
///
/// ```
/// # use roundel_image as roundel;
/// use roundel::color::ColorMap;
///
/// let map: ColorMap = "viridis".parse()?;
/// assert_eq!(map.number(1.0).to_string(), "#fde725");
/// assert_eq!(map.number(f64::NAN).to_string(), "#808080");
/// assert!(ColorMap::names().any(|name| name == "tab10"));
/// # Ok::<(), roundel::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ColorMap {
    kind: MapKind,
    /// Whether a ramp runs from its last colour to its first.
    is_reversed: bool,
}

#[derive(Clone, Copy, Debug)]
enum MapKind {
    /// One colour per category, repeated from the start for more categories.
    Categories(&'static str, &'static [u32]),
    /// The colours of elements, derived from Jmol's.
    Elements(&'static str, fn(Srgba8) -> Srgba8),
    /// Colours from the least number to the greatest.
    Ramp(&'static Ramp),
}

/// The reversed ramps, by name.
static REVERSED: LazyLock<Vec<(String, ColorMap)>> = LazyLock::new(|| {
    let ramps = ColorMap::all().filter(|map| !map.has_categories());
    ramps.map(|map| (format!("{}_r", map.name()), ColorMap { is_reversed: true, ..map })).collect()
});

/// Ramps added by [`ColorMap::add`], which live as long as the program.
static ADDED: Mutex<Vec<MapKind>> = Mutex::new(Vec::new());

const MISSING: Srgba8 = Srgba8::hex(0x80_80_80);

/// Colours that the colour-blind can tell apart, then the same lighter and darker by 20 L*.
///
/// Source: M. Okabe and K. Ito, "Color Universal Design", 2008. Black is left to lines. Yellow, which is faint on white
/// paper, comes last, in R's version.
#[rustfmt::skip]
const OKABE_ITO: [u32; 21] = [
    // sky blue, orange, bluish green, reddish purple, blue, vermillion, yellow
    0x56_b4_e9, 0xe6_9f_00, 0x00_9e_73, 0xcc_79_a7, 0x00_72_b2, 0xd5_5e_00, 0xf5_c7_10,
    0x94_ec_ff, 0xff_d5_4d, 0x58_d6_a7, 0xff_af_de, 0x5b_a6_ea, 0xff_93_40, 0xff_ff_5a,
    0x00_7f_b1, 0xa8_6c_00, 0x00_69_43, 0x94_46_73, 0x00_43_7d, 0x97_2a_00, 0xb8_92_00,
];

/// Sixty-four distinguishable colours: tab10, then farthest-point sampling against all before, white and black.
///
/// Source: C. Glasbey, G. van der Heijden, V. Toh, A. Gray, "Colour displays for categorical images", 2007: farthest
/// points, here in OKLab with doubled a and b, lightness 0.36 to 0.90, channels in steps of 32.
#[rustfmt::skip]
const DISTINCT: [u32; 64] = [
    0x1f_77_b4, 0xff_7f_0e, 0x2c_a0_2c, 0xd6_27_28, 0x94_67_bd, 0x8c_56_4b, 0xe3_77_c2, 0x7f_7f_7f,
    0xbc_bd_22, 0x17_be_cf, 0x00_00_ff, 0xe0_00_ff, 0x00_ff_00, 0x80_20_ff, 0x80_00_60, 0x00_ff_c0,
    0x40_20_a0, 0x00_60_40, 0xff_00_a0, 0xc0_c0_ff, 0x40_40_60, 0xe0_a0_a0, 0x80_80_20, 0xa0_c0_a0,
    0x60_80_ff, 0x80_00_00, 0xa0_20_c0, 0xff_c0_60, 0xc0_00_60, 0x80_e0_60, 0x60_00_80, 0x00_a0_80,
    0xff_60_80, 0xc0_80_40, 0xff_40_e0, 0x40_40_20, 0xc0_00_a0, 0x00_40_c0, 0xe0_a0_ff, 0xc0_60_ff,
    0xa0_e0_ff, 0x00_40_80, 0x00_a0_ff, 0xc0_60_80, 0x40_00_e0, 0xe0_e0_a0, 0xff_80_ff, 0x80_a0_c0,
    0xa0_80_ff, 0x80_40_80, 0x60_60_c0, 0x20_60_ff, 0xa0_40_00, 0x00_ff_80, 0x80_40_c0, 0x80_e0_a0,
    0xff_c0_e0, 0xff_00_60, 0x40_60_60, 0x60_c0_ff, 0x00_c0_00, 0x40_80_40, 0x80_a0_00, 0x80_60_80,
];

/// Tableau's ten colours of 2016, by M. Stone.
const TABLEAU10: [u32; 10] = [
    0x4e_79_a7, 0xf2_8e_2c, 0xe1_57_59, 0x76_b7_b2, 0x59_a1_4f, 0xed_c9_49, 0xaf_7a_a1, 0xff_9d_a7, 0x9c_75_5f,
    0xba_b0_ab,
];

/// Maps of the program's own, and of others than Matplotlib.
const MAPS: [MapKind; 5] = [
    MapKind::Categories("tableau10", &TABLEAU10),
    MapKind::Categories("okabe-ito", &OKABE_ITO),
    MapKind::Categories("distinct", &DISTINCT),
    MapKind::Elements("jmol", std::convert::identity),
    MapKind::Elements("soft", softened),
];

/// Other spellings of names.
const SPELLINGS: [(&str, &str); 2] = [("grey", "gray"), ("grey_r", "gray_r")];

/// The kind of data that a map is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MapUse {
    Values,
    Categories,
}

impl ColorMap {
    /// The default for chains.
    #[doc(hidden)]
    pub const OKABE_ITO: Self = Self::of(MapKind::Categories("okabe-ito", &OKABE_ITO));
    /// The default for categories: tab10, and more colours for more categories.
    #[doc(hidden)]
    pub const DISTINCT: Self = Self::of(MapKind::Categories("distinct", &DISTINCT));
    /// The default for elements.
    #[doc(hidden)]
    pub const JMOL: Self = Self::of(MapKind::Elements("jmol", std::convert::identity));
    /// The default for numbers.
    #[doc(hidden)]
    pub const VIRIDIS: Self = Self::of(MapKind::Ramp(&RAMPS[0]));

    const fn of(kind: MapKind) -> Self {
        Self { kind, is_reversed: false }
    }

    /// All maps, without the reversed ramps.
    fn all() -> impl Iterator<Item = Self> + Clone {
        let palettes = PALETTES.iter().map(|(name, colors)| MapKind::Categories(name, colors));
        palettes.chain(MAPS).chain(RAMPS.iter().map(MapKind::Ramp)).map(Self::of)
    }

    /// Finds a map by its name, in any case. The ending `_r` reverses a ramp. Matplotlib's spellings are accepted.
    #[doc(hidden)]
    pub fn from_name(name: &str) -> Option<Self> {
        let spelled = SPELLINGS.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        let name = spelled.map_or(name, |(_, own)| *own);
        let reversed = || REVERSED.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, map)| *map);
        let added = || {
            let added = ADDED.lock().unwrap_or_else(PoisonError::into_inner);
            added.iter().map(|kind| Self::of(*kind)).find(|map| map.name() == name)
        };
        Self::all().find(|map| map.name().eq_ignore_ascii_case(name)).or_else(reversed).or_else(added)
    }

    /// Adds a ramp that interpolates equally spaced colours. From now on its name is accepted wherever a map is named,
    /// until the program ends. If the name already belongs to other colours, a number is appended to it:
    /// [`ColorMap::name`] returns the new name.
    ///
    /// # Errors
    /// If there are fewer than two colours.
    ///
    /// ```
    /// # use roundel_image as roundel;
    /// use roundel::color::ColorMap;
    ///
    /// let dusk = ColorMap::add("dusk", &[[20, 20, 60], [250, 180, 120]])?;
    /// assert_eq!("dusk".parse::<ColorMap>()?.number(0.5), dusk.number(0.5));
    /// assert_eq!(ColorMap::add("viridis", &[[0; 3], [9; 3]])?.name(), "viridis 2");
    /// # Ok::<(), roundel::Error>(())
    /// ```
    pub fn add(name: &str, colors: &[[u8; 3]]) -> Result<Self, Error> {
        if colors.len() < 2 {
            return Err(Error::setting("colormap", format!("must have two colours or more, got {}", colors.len())));
        }
        let ramp = Ramp::through(colors);
        let colors = ramp.colors().to_vec();
        Ok(Self::named(
            name,
            |kind| matches!(kind, MapKind::Ramp(known) if known.colors()[..] == colors[..]),
            |name| MapKind::Ramp(Box::leak(Box::new(ramp.named(name)))),
        ))
    }

    /// Adds colours of categories, as [`ColorMap::add`] adds a ramp.
    ///
    /// # Errors
    /// If there is no colour.
    ///
    /// ```
    /// # use roundel_image as roundel;
    /// use roundel::Srgba8;
    /// use roundel::color::ColorMap;
    ///
    /// let flags = ColorMap::add_palette("flags", &[[200, 0, 0], [255, 255, 255]])?;
    /// assert_eq!("flags".parse::<ColorMap>()?.category(1), Srgba8::WHITE);
    /// assert_eq!(flags.category(2), flags.category(0));
    /// # Ok::<(), roundel::Error>(())
    /// ```
    pub fn add_palette(name: &str, colors: &[[u8; 3]]) -> Result<Self, Error> {
        if colors.is_empty() {
            return Err(Error::setting("palette", "must have a colour at least"));
        }
        let colors: Vec<u32> = colors.iter().map(|[r, g, b]| u32::from_be_bytes([0, *r, *g, *b])).collect();
        Ok(Self::named(
            name,
            |kind| matches!(kind, MapKind::Categories(_, known) if known == colors),
            |name| MapKind::Categories(name, colors.clone().leak()),
        ))
    }

    /// The map of this name that has the same colours, or else a new one.
    fn named(name: &str, is_same: impl Fn(MapKind) -> bool, made: impl FnOnce(&'static str) -> MapKind) -> Self {
        let numbered = (2..).map(|number| format!("{name} {number}"));
        for name in std::iter::once(name.to_owned()).chain(numbered) {
            match Self::from_name(&name) {
                Some(known) if known.name() == name && is_same(known.kind) => return known,
                Some(_) => {}
                None => {
                    let kind = made(String::leak(name));
                    ADDED.lock().unwrap_or_else(PoisonError::into_inner).push(kind);
                    return Self::of(kind);
                }
            }
        }
        unreachable!("there are numbers enough")
    }

    /// The names of all maps. A ramp's name with `_r` appended is the reversed ramp.
    pub fn names() -> impl Iterator<Item = &'static str> + Clone {
        Self::all().map(Self::name)
    }

    #[doc(hidden)]
    pub fn names_for(use_of_map: MapUse) -> impl Iterator<Item = &'static str> + Clone {
        Self::all().filter(move |map| map.is_for(use_of_map)).map(Self::name)
    }

    #[doc(hidden)]
    pub fn is_for(self, use_of_map: MapUse) -> bool {
        self.has_categories() == (use_of_map == MapUse::Categories)
    }

    /// The reversed ramp; maps of categories stay as they are.
    #[doc(hidden)]
    pub fn reversed(self) -> Self {
        if self.has_categories() { self } else { Self { is_reversed: !self.is_reversed, ..self } }
    }

    /// The name that scenes use.
    #[must_use]
    pub fn name(self) -> &'static str {
        let name = match self.kind {
            MapKind::Categories(name, _) | MapKind::Elements(name, _) => name,
            MapKind::Ramp(ramp) => ramp.name,
        };
        if !self.is_reversed {
            return name;
        }
        let reversed = REVERSED.iter().find(|(known, _)| known.strip_suffix("_r") == Some(name));
        reversed.map_or(name, |(reversed, _)| reversed)
    }

    /// The number of colours for categories; `None` for a ramp, which has no limit.
    #[doc(hidden)]
    pub fn category_count(self) -> Option<usize> {
        match self.kind {
            MapKind::Categories(_, colors) => Some(colors.len()),
            MapKind::Elements(..) => Some(ELEMENTS.len()),
            MapKind::Ramp(_) => None,
        }
    }

    /// Whether the map is for categories.
    #[must_use]
    pub fn has_categories(self) -> bool {
        matches!(self.kind, MapKind::Categories(..) | MapKind::Elements(..))
    }

    /// Whether the map is for elements.
    #[must_use]
    pub fn has_elements(self) -> bool {
        matches!(self.kind, MapKind::Elements(..))
    }

    /// The colour of an element: Jmol's colour if the map is not for elements.
    #[must_use]
    pub fn element(self, element: Element) -> Srgba8 {
        match self.kind {
            MapKind::Elements(_, tone) => tone(element.color),
            _ => element.color,
        }
    }

    /// The colour of the category with this index, counted from 0 in order of appearance. In maps of elements, the
    /// index is the atomic number − 1.
    #[must_use]
    pub fn category(self, index: usize) -> Srgba8 {
        match self.kind {
            MapKind::Categories(_, colors) => Srgba8::hex(colors[index % colors.len()]),
            MapKind::Elements(..) => self.element(ELEMENTS[index % ELEMENTS.len()]),
            // steps of the golden ratio make consecutive categories differ clearly
            MapKind::Ramp(_) => self.number((index as f64 * 0.618_033_988_749_895).fract()),
        }
    }

    /// The colour of a number from 0 to 1. Numbers outside are clamped, NaN is grey.
    #[must_use]
    pub fn number(self, value: f64) -> Srgba8 {
        let value = value.clamp(0.0, 1.0);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to a short table")]
        let category = |count: usize| self.category(((value * count as f64) as usize).min(count - 1));
        match self.kind {
            _ if value.is_nan() => MISSING,
            MapKind::Categories(_, colors) => category(colors.len()),
            MapKind::Elements(..) => category(ELEMENTS.len()),
            MapKind::Ramp(ramp) if self.is_reversed => ramp.reversed_at(value),
            MapKind::Ramp(ramp) => ramp.at(value),
        }
    }
}

impl FromStr for ColorMap {
    type Err = Error;

    /// Reads a name of [`ColorMap::names`].
    fn from_str(name: &str) -> Result<Self, Error> {
        Self::from_name(name).ok_or_else(|| {
            let names: Vec<&str> = Self::names().collect();
            Error::setting("colormap", format!("must be one of {}, got {name:?}", names.join(", ")))
        })
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn map_ends_are_as_published() {
        assert_eq!(ColorMap::VIRIDIS.number(0.0), Srgba8::hex(0x440154));
        assert_eq!(ColorMap::VIRIDIS.number(1.0), Srgba8::hex(0xfde725));
        let tab10 = ColorMap::from_name("tab10").expect("a map");
        assert_eq!(tab10.category(0), Srgba8::hex(0x1f77b4));
        assert_eq!(tab10.category(13), Srgba8::hex(0xd62728), "ten colours, repeated");
        for index in 0..64 {
            let color = ColorMap::DISTINCT.category(index);
            assert!(index >= 10 || color == tab10.category(index), "tab10 comes first");
            assert!((0..index).all(|other| ColorMap::DISTINCT.category(other) != color), "{index} has its own colour");
        }
    }

    #[test]
    fn okabe_ito_repeats_lighter_and_darker() {
        use super::super::lightness::lightened;

        for index in 0..7 {
            let color = ColorMap::OKABE_ITO.category(index);
            assert_eq!(ColorMap::OKABE_ITO.category(index + 7), lightened(color, 20.0), "{index}");
            assert_eq!(ColorMap::OKABE_ITO.category(index + 14), lightened(color, -20.0), "{index}");
        }
        assert_eq!(ColorMap::OKABE_ITO.category(6), Srgba8::hex(0xf5_c7_10));
        assert_eq!(ColorMap::OKABE_ITO.category(21), ColorMap::OKABE_ITO.category(0));
    }

    #[test]
    fn ramps_are_reversed_and_those_of_tables_have_their_ends() {
        let map = |name: &str| ColorMap::from_name(name).expect(name);
        assert_eq!((map("viridis_r").number(0.0), map("viridis_r").name()), (Srgba8::hex(0xfde725), "viridis_r"));
        assert_eq!(map("Viridis").reversed().reversed().name(), "viridis");
        assert_eq!((map("bwr").number(0.0), map("bwr").number(0.5)), (Srgba8::hex(0x0000ff), Srgba8::hex(0xfffefe)));
        assert_eq!(
            (map("coolwarm").number(0.0), map("coolwarm_r").number(0.0)),
            (Srgba8::hex(0x3b4cc0), Srgba8::hex(0xb40426))
        );
        assert_eq!(map("RdBu_r").number(1.0), map("rdbu").number(0.0));
        assert!(ColorMap::from_name("tab10_r").is_none(), "categories have no order");
        assert_eq!(map("grey_r").name(), "gray_r");
        assert_eq!(
            (map("tab20").category(1), map("tab20c").category(19)),
            (Srgba8::hex(0xaec7e8), Srgba8::hex(0xd9d9d9))
        );
        assert_eq!([0.0, 1.0].map(|end| map("flag").number(end)), [Srgba8::hex(0xff0000), Srgba8::BLACK]);
        for name in ["batlow", "vik", "roma", "hot", "jet", "seismic", "twilight", "terrain"] {
            assert_ne!(map(name).number(0.2), map(name).number(0.8), "{name}");
        }
    }

    #[test]
    fn ramps_have_matplotlibs_colors_for_256_equal_intervals() {
        let map = |name: &str| ColorMap::from_name(name).expect(name);
        // the two halves of the map differ by more in the middle than anywhere else
        let [below, above] = [0.499_99, 0.5].map(|number| map("oleron").number(number));
        assert_eq!((below, above), (Srgba8::hex(0xe6_f2_ff), Srgba8::hex(0x1a_4c_00)));
        assert_eq!((map("oleron_r").number(0.499_99), map("oleron_r").number(0.5)), (above, below));
        for name in ColorMap::names_for(MapUse::Values) {
            for place in 0..256 {
                let [edge, middle] = [f64::from(place) / 255.0, (f64::from(place) + 0.5) / 256.0];
                assert_eq!(map(name).number(edge), map(name).number(middle), "{name} {place}");
                assert_eq!(map(name).number(edge), map(name).reversed().number(1.0 - middle), "{name} {place}");
            }
        }
    }

    #[test]
    fn ramps_of_matplotlibs_names_are_matplotlibs() {
        // by matplotlib.colormaps[name](number / 255)
        let originals = [
            ("puor", [0xbb5f08, 0xfeddaf]),
            ("turbo", [0x4666dd, 0x3ff68a]),
            ("cividis", [0x163770, 0x656870]),
            ("rdylgn", [0xdc3b2c, 0xfedc88]),
            ("spectral", [0xda464d, 0xfedc88]),
            ("rdylbu", [0xdc3b2c, 0xfedc8c]),
            ("rdbu", [0xb82531, 0xfcd7c2]),
            ("piyg", [0xc92b86, 0xfcdded]),
            ("twilight", [0x99b8c8, 0x562182]),
        ];
        for (name, colors) in originals {
            let map = ColorMap::from_name(name).expect(name);
            for (number, original) in [30.0, 100.0].into_iter().zip(colors.map(Srgba8::hex)) {
                let found = map.number(number / 255.0);
                let channels = [(found.r, original.r), (found.g, original.g), (found.b, original.b)];
                assert!(channels.into_iter().all(|(found, own)| found.abs_diff(own) <= 2), "{name}: {found}");
            }
        }
    }

    #[test]
    fn tables_are_the_maps_of_matplotlib() {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/src/color/map_tables.py");
        let table = concat!(env!("CARGO_MANIFEST_DIR"), "/src/color/map_tables.rs");
        let found = Command::new("python3").args(["-c", "import cmcrameri, matplotlib, numpy"]).output();
        if !found.is_ok_and(|found| found.status.success()) {
            eprintln!("skipped: the packages matplotlib and cmcrameri are missing (pip install matplotlib cmcrameri)");
            return;
        }
        let checked = Command::new("python3").args([script, "--check", table]).output().expect("Python");
        let [words, errors] = [checked.stdout, checked.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
        assert!(checked.status.success(), "{words}{errors}");
    }

    #[test]
    fn soft_colors_keep_their_hue_and_stay_apart() {
        let map = ColorMap::from_name("soft").expect("a map");
        let soft = |symbol: &str| map.element(Element::from_symbol(symbol).expect("an element")).to_string();
        let found = ["H", "C", "N", "O", "S", "P"].map(soft);
        assert_eq!(found, ["#efefef", "#919191", "#4567d6", "#e35648", "#edef78", "#e58d53"]);
        for (index, element) in ELEMENTS.into_iter().enumerate() {
            let [jmol, soft] = [ColorMap::JMOL, map].map(|map| map.element(element));
            assert_eq!((jmol, soft), (element.color, map.category(index)));
            let spread = |color: Srgba8| color.r.max(color.g).max(color.b) - color.r.min(color.g).min(color.b);
            assert!(spread(soft) <= spread(jmol), "{}: {jmol} {soft}", element.symbol);
        }
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
                let _ = map.number(value);
            }
            let _ = map.category(usize::MAX);
        }
    }
}
