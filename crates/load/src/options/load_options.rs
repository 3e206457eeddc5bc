//! Settings of a caller that take precedence over the file.

use crate::budget::Budget;
use crate::color::{ColorRange, ColorScale, Scale, Srgba8};
use crate::data::{BondRule, HydrogenBondRule};
use crate::formats::{AtomStyle, Format, RawLayout, Symmetry};
use crate::options::contact_rule::ContactsWith;
use crate::options::density_choice::DensityChoice;
use crate::options::figure::FigureOptions;
use crate::options::molecule_style::MoleculeStyle;
use crate::options::ranges::AxisRange;
use crate::options::view_axis::ViewAxis;
use crate::scene::circles::ViewBox;
use crate::scene::spheres::{
    AmbientOcclusion, ClipPlane, Gloss, ShadingOverrides, ShadingPreset, StandardView, Transparency,
};
use crate::source::decimal::DecimalMark;

/// Colours of a table of spheres in a scene, which frames of a film share.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct TableColors {
    /// The numbers at the ends of the ramp, unless the table says two numbers.
    pub range: Option<[f64; 2]>,
    /// As [`LoadOptions::categories`].
    pub categories: Vec<String>,
    /// As [`LoadOptions::legend_categories`].
    pub legend_categories: Vec<String>,
}

/// Settings that take the place of a scene file's own, or of the defaults for bare data; `None` leaves them alone.
///
/// One field per flag of `roundel render` that names the picture, and the budget. A field that means nothing for what
/// the file holds (an eye for flat circles, a column for a scene) is refused, never ignored.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LoadOptions {
    /// The file's format; `None` recognizes it by content and name.
    pub format: Option<Format>,
    /// The columns of a file that has rows of numbers and nothing else, whose format then is [`Format::Raw`].
    pub raw: Option<RawLayout>,
    /// Columns of pixels. Without a height the picture keeps its shape.
    pub width: Option<u32>,
    /// Rows of pixels. Without a width the picture keeps its shape.
    pub height: Option<u32>,
    /// One colour below or behind everything.
    pub background: Option<Srgba8>,
    /// Samples a pixel; spheres only.
    pub samples: Option<u32>,
    /// The look, whose numbers take the place of the scene's; spheres only.
    pub look: Option<ShadingPreset>,
    /// Draws a scene as its files are drawn without one, as `look = "auto"` in it does, unless `look` names a look; no
    /// change for bare data; spheres only.
    pub auto_look: bool,
    /// Numbers of the look that are set alone; spheres only.
    pub shading: ShadingOverrides,
    /// Colour of outlines; spheres only.
    pub outline_color: Option<Srgba8>,
    /// How ambient occlusion is found; spheres only.
    pub ao: Option<AmbientOcclusion>,
    /// How far away spheres still occlude, in world units; spheres only.
    pub ao_distance: Option<f32>,
    /// Whether directional lights cast shadows; spheres only.
    pub shadows: Option<bool>,
    /// Light from everywhere, 0 to 1; spheres only.
    pub ambient: Option<f32>,
    /// How translucent spheres are composed; spheres only.
    pub transparency: Option<Transparency>,
    /// Seed of every random number; spheres only.
    pub seed: Option<u64>,
    /// Whether the rays are parallel; spheres only.
    pub ortho: Option<bool>,
    /// The place of the data that is subtracted from all places before they are rounded to `f32`, and becomes the zero of
    /// the scene; `None` chooses one that suits the data, and none near 0. Spheres only.
    pub origin: Option<[f64; 3]>,
    /// Position of the eye, in the coordinates of the data; spheres only.
    pub eye: Option<[f64; 3]>,
    /// The point in the picture's middle; spheres only.
    pub target: Option<[f64; 3]>,
    /// The direction that is up in the picture; spheres only.
    pub up: Option<[f32; 3]>,
    /// Degrees between the picture's top and bottom edge; spheres only.
    pub fov: Option<f32>,
    /// The side from which an automatic camera sees the spheres; spheres only.
    pub view: Option<StandardView>,
    /// The sides from which the panels of a grid look, in place of one side; bare data in space only.
    pub views: Vec<StandardView>,
    /// The axis of the data that points to the eye of an automatic camera, instead of a side; bare data in space only.
    pub look_along: Option<ViewAxis>,
    /// A scene file, or the JSON of `roundel info`, whose camera this picture has; spheres only.
    pub same_view: Option<String>,
    /// Degrees by which the eye goes around to the right; spheres only.
    pub azimuth: Option<f32>,
    /// Degrees by which the eye then goes up; spheres only.
    pub elevation: Option<f32>,
    /// Degrees by which the picture then turns counter-clockwise; spheres only.
    pub roll: Option<f32>,
    /// How many times as large everything is drawn; spheres only.
    pub zoom: Option<f32>,
    /// Planes that cut spheres, instead of the scene's; empty keeps the scene's. Spheres only.
    pub clip: Vec<ClipPlane>,
    /// Two planes that face the camera, between which spheres are drawn: shares of the depth of all spheres. Spheres
    /// only.
    pub slab: Option<[f32; 2]>,
    /// Keep only what lies in a slab of this thickness around the point that the camera looks at, in world units;
    /// spheres only.
    pub slab_thickness: Option<f32>,
    /// `element`, `chain`, `residue`, `index`, `constant`, a column's name, or a colour; bare data only.
    pub color_by: Option<String>,
    /// The name of a map of separate colours, for categories; bare data only.
    pub palette: Option<String>,
    /// Names that take the first colours of a map of separate ones, in this order: so categories have the same colours
    /// in several pictures, whatever the order of their rows; bare data only.
    pub categories: Vec<String>,
    /// Categories that the legend has whether rows in the picture have them or not; bare data only.
    pub legend_categories: Vec<String>,
    /// What all frames of a film share of the colours of each table of spheres, in the order of the file; scenes only.
    pub table_colors: Vec<TableColors>,
    /// The name of a ramp of colours, for numbers; bare data only.
    pub colormap: Option<String>,
    /// Which numbers are at the ends of the ramp; `None` leaves outliers beyond. Bare data only.
    pub color_range: Option<ColorRange>,
    /// The number in the middle of the ramp; bare data only.
    pub color_center: Option<f64>,
    /// How numbers are spread over the ramp; bare data only.
    pub color_scale: Option<ColorScale>,
    /// `vdw`, a number, or a column's name; bare data only.
    pub radius: Option<String>,
    /// The column of the first coordinate; bare tables only.
    pub x: Option<String>,
    /// The column of the second coordinate; bare tables only.
    pub y: Option<String>,
    /// The column of the third coordinate, which makes spheres of rows; bare tables only.
    pub z: Option<String>,
    /// The column of the radius; bare tables only.
    pub r: Option<String>,
    /// How numbers are spread along x; bare tables in the plane only.
    pub x_scale: Option<Scale>,
    /// How numbers are spread along y; bare tables in the plane only.
    pub y_scale: Option<Scale>,
    /// What the x axis shows at least; bare tables in the plane only.
    pub x_range: Option<AxisRange>,
    /// What the y axis shows at least; bare tables in the plane only.
    pub y_range: Option<AxisRange>,
    /// Another name of `color_by`; a column, for most tables. Bare data only.
    pub color: Option<String>,
    /// The number of the biological assembly to build; bare molecules only.
    pub assembly: Option<u32>,
    /// Of several frames or models the one of this index, from 0; -1 is the last one, -2 the one before. Bare atoms
    /// only.
    pub frame: Option<i64>,
    /// Number of frames over which positions are averaged, around the drawn one. An atom goes the shorter way through a
    /// periodic box.
    pub smooth: Option<u32>,
    /// The file with names, elements and residues of the atoms of a trajectory, which has positions alone; bare
    /// trajectories only.
    pub topology: Option<String>,
    /// The columns of LAMMPS data that does not name its atom style; bare LAMMPS data only.
    pub atom_style: Option<AtomStyle>,
    /// The decimal mark of the numbers in a table of text; a point if left out.
    pub decimal: Option<DecimalMark>,
    /// Texts that stand for missing values in a table of text.
    pub missing: Vec<String>,
    /// Whether what lies outside of the periodic box is moved into it; bare data with a box only.
    pub wrap: Option<bool>,
    /// Whether molecules that the boundary of the periodic box breaks are joined, by their bonds, or else by residue;
    /// bare data with a box only.
    pub whole: Option<bool>,
    /// Whether rows are moved by their image flags, so that none jumps from frame to frame; bare data with a box only.
    pub unwrap: Option<bool>,
    /// A selection of rows that is moved to the middle of the periodic box, and everything else around it; bare data
    /// with a box only.
    pub center: Option<String>,
    /// How many copies of the periodic box stand along its edges a, b and c; bare data with a box only.
    pub replicate: Option<[u32; 3]>,
    /// Whether the operators of the space group fill the cell of a crystal; bare CIF of small molecules only.
    pub symmetry: Option<Symmetry>,
    /// Where bonds come from; bare molecules only.
    pub bonds: Option<BondRule>,
    /// Selections of rows and their styles, the last that holds a row counts; no selection means all rows. Bare data in
    /// space only.
    pub style: Vec<(Option<String>, MoleculeStyle)>,
    /// Selections of rows and their highlights, the last that holds a row counts; no selection means all rows. Bare
    /// data in space only.
    pub gloss: Vec<(Option<String>, Gloss)>,
    /// The radius of sticks, in world units; bare data in space only.
    pub bond_radius: Option<f32>,
    /// The radius of balls, in radii of atoms; bare data in space only.
    pub ball_scale: Option<f32>,
    /// Selections of rows, and others with which they have contacts: dashed lines with distances; bare data in space only.
    pub contacts: Vec<(String, ContactsWith)>,
    /// The rule by which hydrogen bonds are drawn as dashed lines with distances; bare molecules only.
    pub hbonds: Option<HydrogenBondRule>,
    /// The probability that an atom is inside of its thermal ellipsoid, by which ellipsoids take the place of spheres;
    /// bare molecules with anisotropic displacements only.
    pub ellipsoids: Option<f32>,
    /// Whether opaque ellipsoids have dark rings in their principal planes; bare data in space only.
    pub ellipsoid_rings: Option<bool>,
    /// Three columns of vectors, with commas between, or what their names begin with: rows get arrows; bare data in
    /// space only.
    pub vectors: Option<String>,
    /// World units of an arrow per unit of its vector; bare data in space only.
    pub vector_scale: Option<f32>,
    /// The colour of arrows: `particle`, `length` or a colour; bare data in space only.
    pub vector_color: Option<String>,
    /// Radius of the shafts of arrows, in world units; bare data in space only.
    pub vector_radius: Option<f32>,
    /// Columns that are computed from others, such as `speed = sqrt(vx^2 + vy^2)`; bare data only.
    pub compute: Vec<String>,
    /// Selections of rows and their radii, the last that holds a row counts; bare data in space only.
    pub radius_of: Vec<(String, f32)>,
    /// The least and the greatest radius of spheres, or circles, whose radii go by a column; bare data only.
    pub radius_range: Option<[f32; 2]>,
    /// A selection of rows to look at: the camera shows them, and what is in front of them is cut away. Bare data in
    /// space only.
    pub focus: Option<String>,
    /// World units around the rows to look at.
    pub focus_margin: Option<f32>,
    /// A selection of rows to draw, such as `chain A and not water`; bare data only.
    pub only: Option<String>,
    /// A selection of rows to leave out. Water beside proteins, nucleic acids and lipids is not drawn either, unless
    /// `only` is given or this selection is about water; `none` draws everything. Bare data only.
    pub hide: Option<String>,
    /// Selections of rows and their colours, the last that holds a row counts; bare data only.
    pub highlight: Vec<(String, Srgba8)>,
    /// Names of the highlights in legends, in their order; the text of the selection where there is none, or an empty
    /// one.
    pub highlight_labels: Vec<String>,
    /// Selections of rows and their opacities from 0 to 1, the last that holds a row counts; no selection means all
    /// rows, and is for scenes, too.
    pub opacity: Vec<(Option<String>, f32)>,
    /// The same for rows that are not shown, or fade, at this moment of a film; legends show what they look like otherwise.
    pub fade: Vec<(Option<String>, f32)>,
    /// The largest share of the rows that a moment of a film shows, if these are not all.
    #[doc(hidden)]
    pub share_at_once: Option<f64>,
    /// The name of a column of opacities from 0 to 1; bare data only.
    pub opacity_by: Option<String>,
    /// Number that is drawn for the rows in each pixel, in the place of circles or spheres; bare data only.
    pub density: Option<DensityChoice>,
    /// The side in pixels of the squares whose rows a density counts; `None` for one that suits the rows.
    pub density_bin: Option<u32>,
    /// The colour of the outlines of circles; bare tables in the plane only.
    pub stroke: Option<Srgba8>,
    /// The width of the outlines in pixels; bare tables in the plane only.
    pub stroke_width: Option<f32>,
    /// The order in which circles are drawn: `random`, by `seed`; a column of numbers, the greatest on top; or `-` and a
    /// column, the least on top. Bare tables in the plane only.
    pub draw_order: Option<String>,
    /// World units from the picture's bottom to its top edge, the rays being parallel; spheres only.
    pub ortho_height: Option<f32>,
    /// The part of the picture to draw, in pixels of the whole picture at its own size; `width` and `height` are the
    /// size of the drawn part; circles only.
    pub view_box: Option<ViewBox>,
    /// The part that is drawn of a picture that is laid out as a whole.
    #[doc(hidden)]
    pub shown: Option<ShownPart>,
    /// Marks around the picture and on it.
    pub figure: FigureOptions,
    /// Limits on the scene's size while it is read; they change no pixel.
    pub budget: Budget,
}

/// A part of a picture, and the sides that it is given.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShownPart {
    pub view_box: ViewBox,
    pub width: Option<u32>,
    pub height: Option<u32>,
}
