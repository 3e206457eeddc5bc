//! Colour maps: a handful of colours for categories, a ramp for numbers.
//!
//! All maps are computed from tables and polynomials; maps computed with a sine differ between platforms.

use std::str::FromStr;
use std::sync::{LazyLock, Mutex, PoisonError};

use colorous::{Color, Gradient};

use super::elements::{ELEMENTS, Element};
use super::lightness::softened;
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
    Categories(&'static str, &'static [colorous::Color]),
    /// The colours of elements, derived from Jmol's.
    Elements(&'static str, fn(Srgba8) -> Srgba8),
    /// A continuous ramp from the least number to the greatest.
    Ramp(&'static str, Gradient),
    /// A ramp that interpolates equally spaced colours.
    Table(&'static Ramp),
}

/// A ramp that interpolates equally spaced colours.
#[derive(Debug)]
struct Ramp {
    name: &'static str,
    colors: Vec<[u8; 3]>,
}

/// Ramps of Matplotlib and of F. Crameri's scientific colour maps, one per line.
const RAMPS: &str = include_str!("ramps.txt");

static TABLES: LazyLock<Vec<Ramp>> = LazyLock::new(|| {
    let lines = RAMPS.lines().filter(|line| !line.starts_with('#'));
    let ramp = |line: &'static str| {
        let (name, digits) = line.split_once(' ')?;
        let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
        let bytes: Option<Vec<u8>> = digits.as_bytes().chunks_exact(2).map(byte).collect();
        Some(Ramp { name, colors: bytes?.as_chunks().0.to_vec() })
    };
    lines.filter_map(ramp).collect()
});

/// The reversed ramps, by name.
static REVERSED: LazyLock<Vec<(String, ColorMap)>> = LazyLock::new(|| {
    let ramps = ColorMap::all().filter(|map| !map.has_categories());
    ramps.map(|map| (format!("{}_r", map.name()), ColorMap { is_reversed: true, ..map })).collect()
});

/// Ramps added by [`ColorMap::add`], which live as long as the program.
static ADDED: Mutex<Vec<&Ramp>> = Mutex::new(Vec::new());

impl Ramp {
    /// The colour at a position from 0 to 1.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "within a short table; means of bytes")]
    fn at(&self, place: f64) -> Srgba8 {
        let along = place * (self.colors.len() - 1) as f64;
        let first = (along as usize).min(self.colors.len() - 2);
        let share = along - first as f64;
        let mix = |channel: usize| {
            let [from, to] = [first, first + 1].map(|index| f64::from(self.colors[index][channel]));
            (from + (to - from) * share + 0.5) as u8
        };
        Srgba8::rgb(mix(0), mix(1), mix(2))
    }
}

const MISSING: Srgba8 = Srgba8::hex(0x80_80_80);

/// Colours that the colour-blind can tell apart, then the same lighter and darker by 20 L*.
///
/// Source: M. Okabe and K. Ito, "Color Universal Design", 2008. Black is left to lines. Yellow, which is faint on white
/// paper, comes last, in R's version.
#[rustfmt::skip]
const OKABE_ITO: [Color; 21] = [
    // sky blue, orange, bluish green, reddish purple, blue, vermillion, yellow
    hex(0x56_b4_e9), hex(0xe6_9f_00), hex(0x00_9e_73), hex(0xcc_79_a7), hex(0x00_72_b2), hex(0xd5_5e_00), hex(0xf5_c7_10),
    hex(0x94_ec_ff), hex(0xff_d5_4d), hex(0x58_d6_a7), hex(0xff_af_de), hex(0x5b_a6_ea), hex(0xff_93_40), hex(0xff_ff_5a),
    hex(0x00_7f_b1), hex(0xa8_6c_00), hex(0x00_69_43), hex(0x94_46_73), hex(0x00_43_7d), hex(0x97_2a_00), hex(0xb8_92_00),
];

const fn hex(rgb: u32) -> Color {
    let [_, r, g, b] = rgb.to_be_bytes();
    Color { r, g, b }
}

/// Sixty-four distinguishable colours: tab10, then farthest-point sampling against all before, white and black.
///
/// Source: C. Glasbey, G. van der Heijden, V. Toh, A. Gray, "Colour displays for categorical images", 2007: farthest
/// points, here in OKLab with doubled a and b, lightness 0.36 to 0.90, channels in steps of 32.
#[rustfmt::skip]
const DISTINCT: [Color; 64] = [
    hex(0x1f_77_b4), hex(0xff_7f_0e), hex(0x2c_a0_2c), hex(0xd6_27_28), hex(0x94_67_bd), hex(0x8c_56_4b), hex(0xe3_77_c2), hex(0x7f_7f_7f),
    hex(0xbc_bd_22), hex(0x17_be_cf), hex(0x00_00_ff), hex(0xe0_00_ff), hex(0x00_ff_00), hex(0x80_20_ff), hex(0x80_00_60), hex(0x00_ff_c0),
    hex(0x40_20_a0), hex(0x00_60_40), hex(0xff_00_a0), hex(0xc0_c0_ff), hex(0x40_40_60), hex(0xe0_a0_a0), hex(0x80_80_20), hex(0xa0_c0_a0),
    hex(0x60_80_ff), hex(0x80_00_00), hex(0xa0_20_c0), hex(0xff_c0_60), hex(0xc0_00_60), hex(0x80_e0_60), hex(0x60_00_80), hex(0x00_a0_80),
    hex(0xff_60_80), hex(0xc0_80_40), hex(0xff_40_e0), hex(0x40_40_20), hex(0xc0_00_a0), hex(0x00_40_c0), hex(0xe0_a0_ff), hex(0xc0_60_ff),
    hex(0xa0_e0_ff), hex(0x00_40_80), hex(0x00_a0_ff), hex(0xc0_60_80), hex(0x40_00_e0), hex(0xe0_e0_a0), hex(0xff_80_ff), hex(0x80_a0_c0),
    hex(0xa0_80_ff), hex(0x80_40_80), hex(0x60_60_c0), hex(0x20_60_ff), hex(0xa0_40_00), hex(0x00_ff_80), hex(0x80_40_c0), hex(0x80_e0_a0),
    hex(0xff_c0_e0), hex(0xff_00_60), hex(0x40_60_60), hex(0x60_c0_ff), hex(0x00_c0_00), hex(0x40_80_40), hex(0x80_a0_00), hex(0x80_60_80),
];

/// Matplotlib's twenty colours: ten in two shades, and five in four.
#[rustfmt::skip]
const TAB20: [Color; 20] = [
    hex(0x1f_77_b4), hex(0xae_c7_e8), hex(0xff_7f_0e), hex(0xff_bb_78), hex(0x2c_a0_2c), hex(0x98_df_8a), hex(0xd6_27_28),
    hex(0xff_98_96), hex(0x94_67_bd), hex(0xc5_b0_d5), hex(0x8c_56_4b), hex(0xc4_9c_94), hex(0xe3_77_c2), hex(0xf7_b6_d2),
    hex(0x7f_7f_7f), hex(0xc7_c7_c7), hex(0xbc_bd_22), hex(0xdb_db_8d), hex(0x17_be_cf), hex(0x9e_da_e5),
];

#[rustfmt::skip]
const TAB20B: [Color; 20] = [
    hex(0x39_3b_79), hex(0x52_54_a3), hex(0x6b_6e_cf), hex(0x9c_9e_de), hex(0x63_79_39), hex(0x8c_a2_52), hex(0xb5_cf_6b),
    hex(0xce_db_9c), hex(0x8c_6d_31), hex(0xbd_9e_39), hex(0xe7_ba_52), hex(0xe7_cb_94), hex(0x84_3c_39), hex(0xad_49_4a),
    hex(0xd6_61_6b), hex(0xe7_96_9c), hex(0x7b_41_73), hex(0xa5_51_94), hex(0xce_6d_bd), hex(0xde_9e_d6),
];

#[rustfmt::skip]
const TAB20C: [Color; 20] = [
    hex(0x31_82_bd), hex(0x6b_ae_d6), hex(0x9e_ca_e1), hex(0xc6_db_ef), hex(0xe6_55_0d), hex(0xfd_8d_3c), hex(0xfd_ae_6b),
    hex(0xfd_d0_a2), hex(0x31_a3_54), hex(0x74_c4_76), hex(0xa1_d9_9b), hex(0xc7_e9_c0), hex(0x75_6b_b1), hex(0x9e_9a_c8),
    hex(0xbc_bd_dc), hex(0xda_da_eb), hex(0x63_63_63), hex(0x96_96_96), hex(0xbd_bd_bd), hex(0xd9_d9_d9),
];

const MAPS: [MapKind; 37] = [
    MapKind::Categories("okabe-ito", &OKABE_ITO),
    MapKind::Categories("tab10", &colorous::CATEGORY10),
    MapKind::Categories("tab20", &TAB20),
    MapKind::Categories("tab20b", &TAB20B),
    MapKind::Categories("tab20c", &TAB20C),
    MapKind::Categories("tableau10", &colorous::TABLEAU10),
    MapKind::Categories("accent", &colorous::ACCENT),
    MapKind::Categories("dark2", &colorous::DARK2),
    MapKind::Categories("paired", &colorous::PAIRED),
    MapKind::Categories("pastel1", &colorous::PASTEL1),
    MapKind::Categories("pastel2", &colorous::PASTEL2),
    MapKind::Categories("set1", &colorous::SET1),
    MapKind::Categories("set2", &colorous::SET2),
    MapKind::Categories("set3", &colorous::SET3),
    MapKind::Categories("distinct", &DISTINCT),
    MapKind::Elements("jmol", std::convert::identity),
    MapKind::Elements("soft", softened),
    MapKind::Ramp("viridis", colorous::VIRIDIS),
    MapKind::Ramp("inferno", colorous::INFERNO),
    MapKind::Ramp("magma", colorous::MAGMA),
    MapKind::Ramp("plasma", colorous::PLASMA),
    MapKind::Ramp("cividis", colorous::CIVIDIS),
    MapKind::Ramp("turbo", colorous::TURBO),
    MapKind::Ramp("blues", colorous::BLUES),
    MapKind::Ramp("greens", colorous::GREENS),
    MapKind::Ramp("greys", colorous::GREYS),
    MapKind::Ramp("oranges", colorous::ORANGES),
    MapKind::Ramp("purples", colorous::PURPLES),
    MapKind::Ramp("reds", colorous::REDS),
    MapKind::Ramp("ylorrd", colorous::YELLOW_ORANGE_RED),
    MapKind::Ramp("ylgnbu", colorous::YELLOW_GREEN_BLUE),
    MapKind::Ramp("rdbu", colorous::RED_BLUE),
    MapKind::Ramp("rdylbu", colorous::RED_YELLOW_BLUE),
    MapKind::Ramp("rdylgn", colorous::RED_YELLOW_GREEN),
    MapKind::Ramp("piyg", colorous::PINK_GREEN),
    MapKind::Ramp("puor", colorous::PURPLE_ORANGE),
    MapKind::Ramp("spectral", colorous::SPECTRAL),
];

/// Other spellings of names.
const SPELLINGS: [(&str, &str); 3] = [("okabe_ito", "okabe-ito"), ("grey", "gray"), ("grey_r", "gray_r")];

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
    pub const VIRIDIS: Self = Self::of(MapKind::Ramp("viridis", colorous::VIRIDIS));

    const fn of(kind: MapKind) -> Self {
        Self { kind, is_reversed: false }
    }

    /// All maps, without the reversed ramps.
    fn all() -> impl Iterator<Item = Self> + Clone {
        MAPS.into_iter().map(Self::of).chain(TABLES.iter().map(|ramp| Self::of(MapKind::Table(ramp))))
    }

    /// Finds a map by its name, in any case. The ending `_r` reverses a ramp. Matplotlib's spellings are accepted.
    #[doc(hidden)]
    pub fn from_name(name: &str) -> Option<Self> {
        let spelled = SPELLINGS.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        let name = spelled.map_or(name, |(_, own)| *own);
        let reversed = || REVERSED.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, map)| *map);
        let added = || {
            let added = ADDED.lock().unwrap_or_else(PoisonError::into_inner);
            added.iter().find(|ramp| ramp.name == name).map(|ramp| Self::of(MapKind::Table(ramp)))
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
        let numbered = (2..).map(|number| format!("{name} {number}"));
        for name in std::iter::once(name.to_owned()).chain(numbered) {
            match Self::from_name(&name).map(|map| map.kind) {
                Some(MapKind::Table(ramp)) if ramp.name == name && ramp.colors == colors => {
                    return Ok(Self::of(MapKind::Table(ramp)));
                }
                Some(_) => {}
                None => {
                    let ramp: &'static Ramp =
                        Box::leak(Box::new(Ramp { name: String::leak(name), colors: colors.to_vec() }));
                    ADDED.lock().unwrap_or_else(PoisonError::into_inner).push(ramp);
                    return Ok(Self::of(MapKind::Table(ramp)));
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
            MapKind::Categories(name, _) | MapKind::Elements(name, _) | MapKind::Ramp(name, _) => name,
            MapKind::Table(ramp) => ramp.name,
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
            MapKind::Ramp(..) | MapKind::Table(_) => None,
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
            MapKind::Categories(_, colors) => opaque(colors[index % colors.len()]),
            MapKind::Elements(..) => self.element(ELEMENTS[index % ELEMENTS.len()]),
            // steps of the golden ratio make consecutive categories differ clearly
            MapKind::Ramp(..) | MapKind::Table(_) => self.number((index as f64 * 0.618_033_988_749_895).fract()),
        }
    }

    /// The colour of a number from 0 to 1. Numbers outside are clamped, NaN is grey.
    #[must_use]
    pub fn number(self, value: f64) -> Srgba8 {
        let value = value.clamp(0.0, 1.0);
        let value = if self.is_reversed { 1.0 - value } else { value };
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to a short table")]
        let category = |count: usize| self.category(((value * count as f64) as usize).min(count - 1));
        match self.kind {
            _ if value.is_nan() => MISSING,
            MapKind::Categories(_, colors) => category(colors.len()),
            MapKind::Elements(..) => category(ELEMENTS.len()),
            MapKind::Ramp(_, ramp) => opaque(ramp.eval_continuous(value)),
            MapKind::Table(ramp) => ramp.at(value),
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
        assert_eq!((map("bwr").number(0.0), map("bwr").number(0.5)), (Srgba8::hex(0x0000ff), Srgba8::WHITE));
        assert_eq!(
            (map("coolwarm").number(0.0), map("coolwarm_r").number(0.0)),
            (Srgba8::hex(0x3b4cc0), Srgba8::hex(0xb40426))
        );
        assert_eq!(map("RdBu_r").number(1.0), map("rdbu").number(0.0));
        assert!(ColorMap::from_name("tab10_r").is_none(), "categories have no order");
        assert_eq!((map("grey_r").name(), map("okabe_ito").name()), ("gray_r", "okabe-ito"));
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
