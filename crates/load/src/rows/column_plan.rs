//! Chooses the columns of a picture: by the caller's names, or else by usual names.

use crate::color::maps::ColorMap;
use crate::color::{ColorRange, Scale, Srgba8};
use crate::data::NumberSource;
use crate::formats::STRUCTURES;
use crate::formats::wanted::{Axes, Header, Wanted};
use crate::rows::column_resolver::ColumnResolver;
use crate::source::number::is_missing_name;

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
pub struct CategoryNames {
    /// Categories that take the first colours, in this order.
    pub(crate) order: Vec<String>,
    /// Categories that the legend lists whether rows have them or not.
    pub(crate) listed: Vec<String>,
}

#[derive(Clone, Debug, Default)]
pub struct FoundColors {
    pub(crate) categories: CategoryNames,
    /// The ends of the ramp, unless two numbers are given.
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
pub struct Plan {
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
    /// The column of categories, and the ones that take the first colours, if the caller orders them.
    pub(crate) fn first_names(&self) -> Option<(usize, Vec<String>)> {
        let order = &self.categories.order;
        self.color.names().filter(|_| !order.is_empty()).map(|column| (column, order.clone()))
    }

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
        let mut categories = column_request.categories.clone();
        let of_color = color.names().map(|column| &header.fields[wanted.columns[column].field].name);
        let is_structure = header.chains.is_some() && of_color.is_some_and(|name| name == "structure");
        if categories.order.is_empty() && is_structure {
            categories.order = STRUCTURES.map(str::to_owned).to_vec();
        }
        Ok(Self { wanted, color, categories, size, has_elements })
    }

    /// Whether the rows are atoms of known elements.
    pub fn is_molecule(&self) -> bool {
        self.has_elements
    }

    pub(crate) fn is_solid(&self) -> bool {
        matches!(self.wanted.axes, Axes::Own | Axes::Space(_))
    }
}

/// The field of this name or alias.
pub(crate) fn field_named(header: &Header, name: &str) -> Option<usize> {
    header.find(name).or_else(|| {
        let (_, name) = ALIASES.iter().find(|(alias, _)| alias.eq_ignore_ascii_case(name))?;
        header.find(name)
    })
}
