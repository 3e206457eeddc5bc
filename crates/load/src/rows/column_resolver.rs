//! The search for columns: names that the caller gives, and usual names of coordinates, colours and radii.

use crate::color::maps::ColorMap;
use crate::color::{Scale, Srgba8};
use crate::data::{Kind, NumberSource};
use crate::did_you_mean::{self, shortened};
use crate::formats::wanted::{Axes, Field, Header, ValueRule, Wanted};
use crate::rows::column_plan::{
    ColorFrom, ColorMapping, Coloring, ColumnRefusal, Dimensions, NamedAxes, RadiusFrom, Role, Sizing, field_named,
};
use crate::rows::{computed, vectors};

/// Columns of red, green and blue, by their usual names.
const CHANNELS: [[&str; 3]; 3] =
    [["red", "green", "blue"], ["diffuse_red", "diffuse_green", "diffuse_blue"], ["r", "g", "b"]];

/// Columns that number residues along their chain.
const RESIDUE_NUMBERS: [&str; 2] = ["resid", "label_seq"];

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

/// Radii in pixels over which a quantity is spread: circles have areas in proportion to it. Dates have no 0.
const RADII: [f32; 2] = [0.0, 12.0];
const RADII_OF_DATES: [f32; 2] = [1.0, 12.0];

/// Finds the columns of a header that a request names or leaves open.
pub(crate) struct ColumnResolver<'a> {
    pub(crate) file: &'a str,
    pub(crate) header: &'a Header,
}

impl ColumnResolver<'_> {
    fn find(&self, role: Role, name: &str) -> Result<usize, ColumnRefusal> {
        self.header.find(name).ok_or_else(|| {
            let hint = vectors::column_hint(name, self.header, self.header.names());
            let rule = format!("must be a column of {}, got {:?}{hint}", self.file, shortened(name));
            ColumnRefusal { role, rule }
        })
    }

    pub(crate) fn axes(&self, place: Dimensions, named: Option<&NamedAxes>) -> Result<Axes, ColumnRefusal> {
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

    pub(crate) fn color(
        &self,
        from: &ColorFrom,
        mapping: &ColorMapping,
        wanted: &mut Wanted,
    ) -> Result<Coloring, ColumnRefusal> {
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

    pub(crate) fn check_mapping(&self, color: &Coloring, mapping: &ColorMapping) -> Result<(), ColumnRefusal> {
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
            let by_names = if has_map { ", and these are by names" } else { "" };
            let rule = format!("is for colours by {what}{by_names}; color_by names a column of {}", self.file);
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
    pub(crate) fn check_kind(&self, color: &ColorFrom, mapping: &ColorMapping) -> Result<(), ColumnRefusal> {
        let ColorFrom::Name { name, .. } = color else { return Ok(()) };
        let is_ramp = mapping.map.is_some_and(|map| !map.has_categories());
        let field = field_named(self.header, name).map(|field| &self.header.fields[field]);
        if mapping.map.is_some() && !is_ramp && field.is_some_and(|field| field.is_computed && field.kind == Kind::F64)
        {
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
        let by_copy = if name == computed::COPY { ", which" } else { "; copy" };
        let by_copy = format!("{by_copy} numbers copies of --assembly and --replicate");
        let of = vector.map(|vector| format!(", the length of {vector} that it does not have"));
        let of = of.or_else(|| (is_copy && self.header.has_positions).then_some(by_copy));
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
            (None, Kind::Integer) if matches!(name, "type" | "mol" | "molecule" | computed::COPY) => {
                Some(ColorMap::DISTINCT)
            }
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
        // coordinates and dates have no sign of their own
        let is_coordinate = wanted.axes.fields().contains(&field) || ["x", "y", "z"].contains(&name);
        let is_signed = map.is_none() && scale == Scale::Linear && !is_coordinate && kind != Kind::Time;
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

    pub(crate) fn size(&self, from: &RadiusFrom, wanted: &mut Wanted) -> Result<Sizing, ColumnRefusal> {
        let elements = || self.header.find("element").filter(|_| self.header.has_positions);
        let length = |wanted: &mut Wanted, field| {
            // the rim of a vast circle is a difference of large numbers
            let kind = if matches!(wanted.axes, Axes::Plane(_)) { Kind::F64 } else { Kind::F32 };
            wanted.column(field, kind, ValueRule::Length)
        };
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
                    let field = self.find(Role::Radius, name)?;
                    let range = if self.header.fields[field].kind == Kind::Time { RADII_OF_DATES } else { RADII };
                    RadiusFrom::Scaled { column, range, scale: Scale::Sqrt }
                };
                return self.size(&from, wanted);
            }
            RadiusFrom::Scaled { column, range, scale } => {
                let field = self.find(Role::Radius, column)?;
                // dates have no roots
                let scale = if self.header.fields[field].kind == Kind::Time { Scale::Linear } else { *scale };
                let column = wanted.column(field, Kind::F64, rule(scale));
                Sizing::Scaled { column, range: *range, scale }
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
                // a computed column is a radius only if the caller names it, or in place of a diameter
                let is_channel = |field: usize| {
                    let has = |name| self.header.find(name).is_some();
                    self.header.fields[field].name.eq_ignore_ascii_case("r") && has("g") && has("b")
                };
                let is_own = |field: &usize| !self.header.fields[*field].is_computed && !is_channel(*field);
                let named = RADIUS_NAMES.iter().find_map(|name| self.header.find(name).filter(is_own));
                let numbered = (self.header.fields.len() == 4 && self.header.find("4") == Some(3)).then_some(3);
                let halved = || self.header.find("diameter").and_then(|_| self.header.find(computed::HALF_DIAMETER));
                match (named.or(numbered).or_else(halved), elements()) {
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

/// The numbers that a scale of radii accepts; on a logarithmic one, those that are not positive are missing.
fn rule(scale: Scale) -> ValueRule {
    match scale {
        Scale::Linear | Scale::Log => ValueRule::Any,
        Scale::Sqrt => ValueRule::NotNegative,
    }
}
