//! Chooses the columns of a picture: by the caller's names, or else by usual names.

use super::computed;
use super::vectors;
use crate::color::maps::ColorMap;
use crate::color::{ColorRange, Scale, Srgba8};
use crate::data::{Kind, NumberSource};
use crate::io::did_you_mean::{self, shortened};
use crate::io::formats::wanted::{Axes, Field, Header, ValueRule, Wanted};
use crate::io::source::number::is_missing_name;

#[derive(Clone, Debug)]
pub(crate) enum ColorFrom {
    /// The default of the data: its column of colours, its elements, or one colour for all.
    Data(Srgba8),
    Constant(Srgba8),
    /// `element`, `chain` and the like, or a column.
    Name {
        name: String,
        /// For the name `constant`.
        constant: Srgba8,
    },
}

impl ColorFrom {
    /// A column's name, or a built-in quantity.
    pub(crate) fn name(name: &str, constant: Srgba8) -> Self {
        Self::Name { name: name.to_owned(), constant }
    }
}

/// Categories that are known before any row is read.
#[derive(Clone, Debug, Default)]
pub(crate) struct CategoryNames {
    /// Categories that take the first colours, in this order.
    pub(crate) order: Vec<String>,
    /// Categories that the legend lists whether rows have them or not.
    pub(crate) listed: Vec<String>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct FoundColors {
    pub(crate) categories: CategoryNames,
    /// The ends of the ramp, unless two numbers are given.
    #[cfg_attr(not(feature = "all-formats"), expect(dead_code, reason = "films alone share colours after loading"))]
    pub(crate) ends: Option<[f64; 2]>,
}

/// How categories and numbers become colours.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ColorMapping {
    /// `None`: literal colours, viridis for numbers, distinct for anything else, as the first row suggests.
    pub(crate) map: Option<ColorMap>,
    /// `None`: all numbers but outliers.
    pub(crate) range: Option<ColorRange>,
    pub(crate) scale: Option<Scale>,
    pub(crate) alpha: u8,
    /// Gives several chains separate colours, each with lighter carbons.
    pub(crate) shades_chains: bool,
}

impl Default for ColorMapping {
    fn default() -> Self {
        Self { map: None, range: None, scale: None, alpha: 255, shades_chains: false }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum RadiusFrom {
    /// The default of the data: its column of radii, its elements, or a radius that suits the number of rows.
    Data,
    /// Pixels for circles, world units for spheres.
    Constant(f32),
    /// Van der Waals radii of atoms.
    Vdw,
    /// A column in pixels for circles, in world units for spheres.
    Column(String),
    /// A column in the units of the coordinates.
    DataUnits(String),
    /// A column: radii of spheres, and of circles if it is named so; other columns give the areas of circles.
    Quantity(String),
    /// A column spread over a range of radii.
    Scaled { column: String, range: [f32; 2], scale: Scale },
}

#[derive(Clone, Debug)]
pub(crate) enum NamedAxes {
    Plane([String; 2]),
    Space([String; 3]),
}

/// The caller's requests, by name.
#[derive(Clone, Debug)]
pub(crate) struct ColumnRequest {
    /// Whether circles or spheres are wanted.
    pub(crate) place: Dimensions,
    /// The columns of the coordinates, if the caller names them.
    pub(crate) axes: Option<NamedAxes>,
    pub(crate) color: ColorFrom,
    pub(crate) mapping: ColorMapping,
    pub(crate) categories: CategoryNames,
    pub(crate) radius: RadiusFrom,
}

/// Whether rows are placed in the plane or in space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dimensions {
    /// In space if the data is, else in the plane.
    Any,
    Plane,
    Space,
}

/// The least and the greatest number of red, green and blue, and of opacity.
pub(crate) type ChannelRanges = [[f64; 2]; 2];

/// Columns of red, green and blue, by their usual names.
const CHANNELS: [[&str; 3]; 3] =
    [["red", "green", "blue"], ["diffuse_red", "diffuse_green", "diffuse_blue"], ["r", "g", "b"]];

/// Columns that number residues along their chain.
const RESIDUE_NUMBERS: [&str; 2] = ["resid", "label_seq"];

#[derive(Clone, Debug)]
pub(crate) enum Coloring {
    Constant(Srgba8),
    /// Colours written in the column.
    Literal(usize),
    /// Red, green, blue and perhaps opacity, each in a column. Their ranges tell which number is full; where they are no
    /// colours, `constant` is the colour of all.
    Channels {
        channels: [usize; 3],
        alpha: Option<usize>,
        constant: Srgba8,
        /// The ranges of the three and of the fourth, if they are known before all rows are read.
        ranges: Option<ChannelRanges>,
    },
    /// Colours of the elements in the column, by a map of elements. With `constant`, colours of its categories if it
    /// names no known element, and this colour if it has a single one.
    Elements {
        column: usize,
        map: ColorMap,
        constant: Option<Srgba8>,
    },
    Residues(usize),
    Categories {
        column: usize,
        map: ColorMap,
        alpha: u8,
        /// Whether words such as `NA` say that a category is missing, which are names among atoms.
        has_missing_words: bool,
    },
    Numbers {
        source: NumberSource,
        map: ColorMap,
        /// The map of numbers on both sides of zero, which is in its middle.
        signed_map: Option<ColorMap>,
        range: Option<ColorRange>,
        scale: Scale,
        alpha: u8,
        /// The column of residues, if the range covers polymers alone, where there are some.
        residues: Option<usize>,
    },
    /// Colours of the chains in the column, lighter for carbon if there is a column of elements. Chains of water alone
    /// come last.
    Chains {
        chains: usize,
        elements: Option<usize>,
        residues: Option<usize>,
        map: ColorMap,
    },
    /// Colours of the chains if there are several, else of the elements, as [`Coloring::Elements`].
    ChainsOrElements {
        chains: usize,
        elements: usize,
        residues: Option<usize>,
        map: ColorMap,
        constant: Srgba8,
    },
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Sizing {
    Constant(f32),
    /// One radius that suits the number of rows and the extent of the data.
    Suited,
    /// Radii of the elements in the column; a suitable one for all if none of them is known.
    Vdw {
        elements: Option<usize>,
        or_suited: bool,
    },
    /// Pixels for circles, world units for spheres.
    Column(usize),
    /// In the units of the coordinates.
    DataUnits(usize),
    Scaled {
        column: usize,
        range: [f32; 2],
        scale: Scale,
    },
}

#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) wanted: Wanted,
    pub(crate) color: Coloring,
    pub(crate) categories: CategoryNames,
    pub(crate) size: Sizing,
    /// Whether rows have positions and elements, whatever colours them.
    has_elements: bool,
}

/// The column or value that a refusal is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    X,
    Y,
    Z,
    Axes,
    Color,
    ColorMap,
    ColorRange,
    ColorScale,
    Radius,
    Vectors,
    /// Columns of the other ends of lines and cylinders.
    End,
    /// Columns of the radii of ellipsoids, and of their rotations.
    Radii,
    Rotation,
}

/// Why a request cannot be granted: goes on after the name of the flag or key.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ColumnRefusal {
    pub(crate) role: Role,
    pub(crate) rule: String,
}

/// Other names of columns of atoms.
#[rustfmt::skip]
const ALIASES: [(&str, &str); 11] = [
    ("residue", "resname"), ("residue_type", "resname"), ("residue_number", "resid"), ("bfactor", "b_factor"),
    ("beta", "b_factor"), ("secondary_structure", "structure"), ("ss", "structure"), ("temp_factor", "b_factor"),
    ("plddt", "b_factor"), ("resi", "resid"), ("resn", "resname"),
];

/// Columns of the coordinates in a table, by their usual names.
const USUAL_AXES: [[&str; 2]; 7] = [
    ["x", "y"],
    ["longitude", "latitude"],
    ["lon", "lat"],
    ["long", "lat"],
    ["lng", "lat"],
    ["easting", "northing"],
    ["x_coord", "y_coord"],
];

/// Names of columns that are lengths in the units of the coordinates, not quantities.
const RADIUS_NAMES: [&str; 2] = ["radius", "r"];

/// Radii in pixels over which a quantity is spread.
const RADII: [f32; 2] = [1.0, 12.0];

impl Coloring {
    /// Whether a name of a category says that it is missing.
    pub(crate) fn is_missing(&self, name: &str) -> bool {
        match self {
            Self::Categories { has_missing_words: true, .. } => is_missing_name(name),
            Self::Categories { .. } => name.is_empty(),
            _ => false,
        }
    }

    /// The column whose names take colours of a palette.
    pub(crate) fn names(&self) -> Option<usize> {
        match self {
            Self::Categories { column, .. }
            | Self::Residues(column)
            | Self::Elements { column, constant: Some(_), .. } => Some(*column),
            Self::Chains { chains, .. } | Self::ChainsOrElements { chains, .. } => Some(*chains),
            _ => None,
        }
    }
}

impl Plan {
    /// Resolves the requested columns; `file` is the name for messages.
    pub(crate) fn new(file: &str, header: &Header, column_request: &ColumnRequest) -> Result<Self, ColumnRefusal> {
        let resolver = ColumnResolver { file, header };
        let axes = resolver.axes(column_request.place, column_request.axes.as_ref())?;
        let mut wanted = Wanted::only(axes);
        let color = resolver.color(&column_request.color, &column_request.mapping, &mut wanted)?;
        resolver.check_mapping(&color, &column_request.mapping)?;
        resolver.check_kind(&column_request.color, &column_request.mapping)?;
        let size = resolver.size(&column_request.radius, &mut wanted)?;
        let has_elements = header.has_positions && header.find("element").is_some();
        Ok(Self { wanted, color, categories: column_request.categories.clone(), size, has_elements })
    }

    /// Whether the rows are atoms of known elements.
    pub(crate) fn is_molecule(&self) -> bool {
        self.has_elements
    }

    pub(crate) fn is_solid(&self) -> bool {
        matches!(self.wanted.axes, Axes::Own | Axes::Space(_))
    }
}

struct ColumnResolver<'a> {
    file: &'a str,
    header: &'a Header,
}

impl ColumnResolver<'_> {
    fn find(&self, role: Role, name: &str) -> Result<usize, ColumnRefusal> {
        self.header.find(name).ok_or_else(|| {
            let hint = vectors::column_hint(name, self.header, self.header.names());
            let rule = format!("must be a column of {}, got {:?}{hint}", self.file, shortened(name));
            ColumnRefusal { role, rule }
        })
    }

    fn axes(&self, place: Dimensions, named: Option<&NamedAxes>) -> Result<Axes, ColumnRefusal> {
        let header = self.header;
        match named {
            Some(NamedAxes::Plane([x, y])) => {
                return Ok(Axes::Plane([self.find(Role::X, x)?, self.find(Role::Y, y)?]));
            }
            Some(NamedAxes::Space([x, y, z])) => {
                let axes = [self.find(Role::X, x)?, self.find(Role::Y, y)?, self.find(Role::Z, z)?];
                return Ok(Axes::Space(axes));
            }
            None => {}
        }
        if header.has_positions && place != Dimensions::Plane {
            return Ok(Axes::Own);
        }
        let numbered = header.names().zip(1..).all(|(name, number)| name == number.to_string());
        if place != Dimensions::Plane {
            if let (Some(x), Some(y), Some(z)) = (header.find("x"), header.find("y"), header.find("z")) {
                return Ok(Axes::Space([x, y, z]));
            }
            if numbered && matches!(header.fields.len(), 3 | 4) {
                return Ok(Axes::Space([0, 1, 2]));
            }
        }
        if place == Dimensions::Space {
            let rule = format!("must have columns x, y and z (columns: {})", did_you_mean::list(header.names()));
            return Err(ColumnRefusal { role: Role::Axes, rule });
        }
        let pair = |[x, y]: &[&str; 2]| Some(Axes::Plane([header.find(x)?, header.find(y)?]));
        if let Some(axes) = USUAL_AXES.iter().find_map(pair) {
            return Ok(axes);
        }
        if numbered && header.fields.len() == 2 {
            return Ok(Axes::Plane([0, 1]));
        }
        let rule = format!(
            "which columns are the coordinates? none have the usual names, such as x and y or longitude and latitude; \
             name them as x and y, and z for spheres (columns: {})",
            did_you_mean::list(header.names())
        );
        Err(ColumnRefusal { role: Role::Axes, rule })
    }

    fn color(&self, from: &ColorFrom, mapping: &ColorMapping, wanted: &mut Wanted) -> Result<Coloring, ColumnRefusal> {
        match from {
            ColorFrom::Constant(color) => Ok(Coloring::Constant(*color)),
            ColorFrom::Data(constant) => Ok(self.usual_color(*constant, mapping, wanted)),
            ColorFrom::Name { name, constant } => {
                let column = field_named(self.header, name);
                let &ColorMapping { map, range, scale, alpha, .. } = mapping;
                let (map, scale) = (map.unwrap_or(ColorMap::VIRIDIS), scale.unwrap_or_default());
                let number = |source| {
                    let (signed_map, residues) = (None, None);
                    Coloring::Numbers { source, map, signed_map, range, scale, alpha, residues }
                };
                match (column, name.as_str()) {
                    (Some(field), _) => Ok(self.column_color(field, mapping, wanted)),
                    (None, "constant") => Ok(Coloring::Constant(*constant)),
                    (None, "index") => Ok(number(NumberSource::Index)),
                    (None, "x" | "y" | "z") if self.header.has_positions => {
                        let axis = ["x", "y", "z"].iter().position(|axis| axis == name).unwrap_or_default();
                        Ok(number(NumberSource::Axis(axis)))
                    }
                    (None, name) => match (name.parse(), self.channels()) {
                        (Ok(color), _) => Ok(Coloring::Constant(color)),
                        (_, Some(channels)) if ["color", "colour"].iter().any(|own| name.eq_ignore_ascii_case(own)) => {
                            Ok(self.by_channels(&channels, *constant, wanted))
                        }
                        _ if name.contains(',') => {
                            let channels = self.channels_named(name)?;
                            Ok(self.by_channels(&channels, *constant, wanted))
                        }
                        _ => Err(self.no_color(name)),
                    },
                }
            }
        }
    }

    fn check_mapping(&self, color: &Coloring, mapping: &ColorMapping) -> Result<(), ColumnRefusal> {
        let is_numbers = matches!(color, Coloring::Numbers { .. });
        let is_elements = matches!(color, Coloring::Elements { .. });
        if let Some(map) = mapping.map.filter(|map| map.has_elements() && !is_elements) {
            let rule = format!("{} has the colours of elements; color_by element takes them", map.name());
            return Err(ColumnRefusal { role: Role::ColorMap, rule });
        }
        let has_map = is_numbers
            || is_elements && mapping.map.is_some_and(ColorMap::has_elements)
            || matches!(
                color,
                Coloring::Categories { .. } | Coloring::Chains { .. } | Coloring::ChainsOrElements { .. }
            );
        let refuse = |role, what: &str| {
            let rule = format!("is for colours by {what}; color_by names a column of {}", self.file);
            Err(ColumnRefusal { role, rule })
        };
        if mapping.map.is_some() && !has_map {
            return refuse(Role::ColorMap, "a column");
        }
        if mapping.map.is_some_and(|map| !map.has_categories()) && !is_numbers {
            let rule = format!("is for numbers, and {} is coloured by categories; color_by names a column", self.file);
            return Err(ColumnRefusal { role: Role::ColorMap, rule });
        }
        if mapping.range.is_some() && !is_numbers {
            return refuse(Role::ColorRange, "numbers");
        }
        if mapping.scale.is_some() && !is_numbers {
            return refuse(Role::ColorScale, "numbers");
        }
        Ok(())
    }

    /// Refuses a ramp for a column of names, and separate colours for a computed column, which holds numbers.
    fn check_kind(&self, color: &ColorFrom, mapping: &ColorMapping) -> Result<(), ColumnRefusal> {
        let ColorFrom::Name { name, .. } = color else { return Ok(()) };
        let is_ramp = mapping.map.is_some_and(|map| !map.has_categories());
        let field = field_named(self.header, name).map(|field| &self.header.fields[field]);
        if mapping.map.is_some() && !is_ramp && field.is_some_and(|field| field.is_computed) {
            let name = shortened(name);
            let rule =
                format!("is for categories, and {name} holds computed numbers; a colormap has colours for those");
            return Err(ColumnRefusal { role: Role::ColorMap, rule });
        }
        let has_names = field.is_some_and(|field| field.kind == Kind::Name);
        if is_ramp && has_names {
            let rule = format!("is for numbers, and {} holds names; a palette has colours for those", shortened(name));
            return Err(ColumnRefusal { role: Role::ColorMap, rule });
        }
        Ok(())
    }

    fn no_color(&self, name: &str) -> ColumnRefusal {
        let more: &[&str] = if self.header.has_positions { &["x", "y", "z", "index"] } else { &[] };
        let more = more.iter().copied().filter(|name| self.header.names().all(|own| own != *name));
        let known = self.header.names().chain(more);
        let hint = vectors::column_hint(name, self.header, known);
        let length = vectors::ready_made(name).unwrap_or(name);
        let vector = computed::vector_of(length).filter(|_| self.header.find(length).is_none());
        let is_copy = ["copy", "copies", "image", "instance", "replica"].contains(&name);
        let by_copy =
            ", but copies have no number; index goes through them one by one, x, y, z and distance through space";
        let of = vector.map(|vector| format!(", the length of {vector} that it does not have"));
        let of = of.or_else(|| (is_copy && self.header.has_positions).then(|| by_copy.to_owned()));
        let of = of.unwrap_or_default();
        let rule = format!("must be a column of {} or a colour, got {:?}{of}{hint}", self.file, shortened(name));
        ColumnRefusal { role: Role::Color, rule }
    }

    /// The colour that the data itself suggests.
    fn usual_color(&self, constant: Srgba8, mapping: &ColorMapping, wanted: &mut Wanted) -> Coloring {
        if let Some(field) = self.header.find("color").or_else(|| self.header.find("colour")) {
            return self.column_color(field, mapping, wanted);
        }
        if let Some(channels) = self.channels() {
            return self.by_channels(&channels, constant, wanted);
        }
        if !self.header.has_positions {
            return Coloring::Constant(constant);
        }
        let mut names = |field| wanted.column(field, Kind::Name, ValueRule::Any);
        if let Some(field) = self.header.find("element") {
            let elements = names(field);
            let of_elements = mapping.map.filter(|map| map.has_elements());
            let shades_chains = mapping.shades_chains && of_elements.is_none();
            return match self.header.find("chain").filter(|_| shades_chains) {
                Some(chains) => {
                    let map = mapping.map.unwrap_or(ColorMap::OKABE_ITO);
                    let residues = self.header.find("resname").map(&mut names);
                    Coloring::ChainsOrElements { chains: names(chains), elements, residues, map, constant }
                }
                None => Coloring::Elements {
                    column: elements,
                    map: of_elements.unwrap_or(ColorMap::JMOL),
                    constant: Some(constant),
                },
            };
        }
        match self.header.find("type") {
            Some(field) => Coloring::Categories {
                column: names(field),
                map: mapping.map.unwrap_or(ColorMap::DISTINCT),
                alpha: mapping.alpha,
                has_missing_words: false,
            },
            None => Coloring::Constant(constant),
        }
    }

    /// The columns of red, green, blue and perhaps opacity.
    fn channels(&self) -> Option<Vec<usize>> {
        let number = |name: &str| {
            let field = self.header.find(name)?;
            let Field { kind, is_computed, .. } = &self.header.fields[field];
            (!matches!(kind, Kind::Name | Kind::Color) && !is_computed).then_some(field)
        };
        let found = |names: &[&str; 3]| names.iter().map(|name| number(name)).collect::<Option<Vec<usize>>>();
        let mut channels = CHANNELS.iter().find_map(found)?;
        channels.extend(number("alpha").or_else(|| number("a")));
        Some(channels)
    }

    /// The columns of red, green, blue and perhaps opacity that the caller names, with commas between them.
    fn channels_named(&self, names: &str) -> Result<Vec<usize>, ColumnRefusal> {
        let fields: Vec<usize> =
            names.split(',').map(|name| self.find(Role::Color, name.trim())).collect::<Result<_, _>>()?;
        if let 3 | 4 = fields.len() {
            return Ok(fields);
        }
        let rule = format!("must name three columns, red, green and blue, or four with alpha, got {}", fields.len());
        Err(ColumnRefusal { role: Role::Color, rule })
    }

    fn by_channels(&self, fields: &[usize], constant: Srgba8, wanted: &mut Wanted) -> Coloring {
        let columns: Vec<usize> = fields.iter().map(|field| wanted.column(*field, Kind::F32, ValueRule::Any)).collect();
        let channels = [columns[0], columns[1], columns[2]];
        Coloring::Channels { channels, alpha: columns.get(3).copied(), constant, ranges: None }
    }

    /// Coloured by a column, as its values suggest unless a map is given.
    fn column_color(&self, field: usize, mapping: &ColorMapping, wanted: &mut Wanted) -> Coloring {
        let &ColorMapping { map, range, scale, alpha, shades_chains } = mapping;
        let header = &self.header.fields[field];
        let name = header.name.as_str();
        let has_elements = map.map_or(self.header.has_positions, ColorMap::has_elements);
        if has_elements && name == "element" {
            let column = wanted.column(field, Kind::Name, ValueRule::Any);
            return Coloring::Elements { column, map: map.unwrap_or(ColorMap::JMOL), constant: None };
        }
        if self.header.has_positions && map.is_none() && name == "resname" {
            return Coloring::Residues(wanted.column(field, Kind::Name, ValueRule::Any));
        }
        if shades_chains && self.header.has_positions && name == "chain" && map.is_none_or(ColorMap::has_categories) {
            let mut names = |field| wanted.column(field, Kind::Name, ValueRule::Any);
            let (chains, elements) = (names(field), self.header.find("element").map(&mut names));
            let residues = self.header.find("resname").map(names);
            return Coloring::Chains { chains, elements, residues, map: map.unwrap_or(ColorMap::OKABE_ITO) };
        }
        let category = match (map, header.kind) {
            (Some(map), _) if map.has_categories() => Some(map),
            (None, Kind::Color) => return Coloring::Literal(wanted.column(field, Kind::Color, ValueRule::Any)),
            (None, Kind::Name) => Some(ColorMap::DISTINCT),
            // numbers that only tell kinds apart
            (None, Kind::Integer) if matches!(name, "type" | "mol" | "molecule") => Some(ColorMap::DISTINCT),
            _ => None,
        };
        if let Some(map) = category {
            let column = wanted.column(field, Kind::Name, ValueRule::Any);
            return Coloring::Categories { column, map, alpha, has_missing_words: !self.header.has_positions };
        }
        let kind = match header.kind {
            Kind::Name | Kind::Color => Kind::F64,
            kind => kind,
        };
        let scale = scale.unwrap_or_default();
        // coordinates have no sign of their own
        let is_coordinate = wanted.axes.fields().contains(&field) || ["x", "y", "z"].contains(&name);
        let is_signed = map.is_none() && scale == Scale::Linear && !is_coordinate;
        let signed_map = ColorMap::from_name("coolwarm").filter(|_| is_signed);
        // what the scale does not take is missing
        let source = NumberSource::Column(wanted.column(field, kind, ValueRule::Any));
        // water and ligands continue the numbers of the chain, or begin at 1000
        let is_place = self.header.has_positions && RESIDUE_NUMBERS.contains(&name);
        let residues = self.header.find("resname").filter(|_| is_place);
        let residues = residues.map(|field| wanted.column(field, Kind::Name, ValueRule::Any));
        let map = map.unwrap_or(ColorMap::VIRIDIS);
        Coloring::Numbers { source, map, signed_map, range, scale, alpha, residues }
    }

    fn size(&self, from: &RadiusFrom, wanted: &mut Wanted) -> Result<Sizing, ColumnRefusal> {
        let elements = || self.header.find("element").filter(|_| self.header.has_positions);
        let length = |wanted: &mut Wanted, field| wanted.column(field, Kind::F32, ValueRule::Length);
        Ok(match from {
            RadiusFrom::Constant(radius) => Sizing::Constant(*radius),
            RadiusFrom::Column(name) => Sizing::Column(length(wanted, self.find(Role::Radius, name)?)),
            RadiusFrom::DataUnits(name) => Sizing::DataUnits(length(wanted, self.find(Role::Radius, name)?)),
            RadiusFrom::Quantity(name) => {
                let is_length = RADIUS_NAMES.iter().any(|known| name.eq_ignore_ascii_case(known));
                let is_plane = matches!(wanted.axes, Axes::Plane(_));
                let column = name.clone();
                let from = if is_length || !is_plane {
                    RadiusFrom::DataUnits(column)
                } else {
                    RadiusFrom::Scaled { column, range: RADII, scale: Scale::Sqrt }
                };
                return self.size(&from, wanted);
            }
            RadiusFrom::Scaled { column, range, scale } => {
                let column = wanted.column(self.find(Role::Radius, column)?, Kind::F64, rule(*scale));
                Sizing::Scaled { column, range: *range, scale: *scale }
            }
            RadiusFrom::Vdw if !self.header.has_positions => {
                let rule = "vdw is for atoms; a table has none".to_owned();
                return Err(ColumnRefusal { role: Role::Radius, rule });
            }
            RadiusFrom::Vdw => {
                let elements = elements().map(|field| wanted.column(field, Kind::Name, ValueRule::Any));
                Sizing::Vdw { elements, or_suited: false }
            }
            RadiusFrom::Data => {
                // a computed column is a radius only if the caller names it
                let is_channel = |field: usize| {
                    let has = |name| self.header.find(name).is_some();
                    self.header.fields[field].name.eq_ignore_ascii_case("r") && has("g") && has("b")
                };
                let is_own = |field: &usize| !self.header.fields[*field].is_computed && !is_channel(*field);
                let named = RADIUS_NAMES.iter().find_map(|name| self.header.find(name).filter(is_own));
                let numbered = (self.header.fields.len() == 4 && self.header.find("4") == Some(3)).then_some(3);
                match (named.or(numbered), elements()) {
                    (Some(field), _) => Sizing::DataUnits(length(wanted, field)),
                    (None, Some(field)) => {
                        let elements = Some(wanted.column(field, Kind::Name, ValueRule::Any));
                        Sizing::Vdw { elements, or_suited: true }
                    }
                    (None, None) => Sizing::Suited,
                }
            }
        })
    }
}

/// The field of this name or alias.
pub(super) fn field_named(header: &Header, name: &str) -> Option<usize> {
    header.find(name).or_else(|| {
        let (_, name) = ALIASES.iter().find(|(alias, _)| alias.eq_ignore_ascii_case(name))?;
        header.find(name)
    })
}

/// The numbers that a scale of radii accepts; on a logarithmic one, those that are not positive are missing.
fn rule(scale: Scale) -> ValueRule {
    match scale {
        Scale::Linear | Scale::Log => ValueRule::Any,
        Scale::Sqrt => ValueRule::NotNegative,
    }
}
