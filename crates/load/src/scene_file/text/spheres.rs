//! Files of spheres.

use std::path::PathBuf;

use serde::Deserialize;

use crate::data::{BondRule, HydrogenBondRule};
use crate::formats::{AtomStyle, Symmetry};
use crate::scene_file::columns::{ColorByText, GlossByText, OpacityText, RadiusByText, StyleText};
use crate::scene_file::decode::Located;
use crate::scene_file::names::Name;
use crate::scene_file::text::{ContactEntryText, LabelEntryText, RowsText};
use crate::scene_file::values::{Color, Copies, FrameCount, FrameIndex, NamedFormat, Ordinal, Positive, Share};
use crate::source::decimal::DecimalMark;
#[cfg(test)]
use schemars::JsonSchema;

/// `[[spheres]]`
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(crate) struct SpheresText {
    /// The file, relative to the scene: molecules, particles or a trajectory in any format that is read, or a table
    /// with columns x, y and z; it may be compressed.
    /// - Example: `file = "caffeine.xyz"`
    pub(crate) file: Located<PathBuf>,
    /// Format of the file.
    /// - Default: known by its content and its name
    /// - Example: `format = "xyz"`
    pub(crate) format: Option<NamedFormat>,
    /// Frame or model of several, counted from 0; -1 is the last. Left out, a film plays all of them, and `--frame`
    /// says which is drawn.
    /// - Default: `0`
    /// - Example: `frame = 3`
    pub(crate) frame: Option<Located<FrameIndex>>,
    /// Frames around it over which positions are averaged; periodic boxes are respected.
    /// - Default: `1`
    /// - Example: `smooth = 5`
    pub(crate) smooth: Option<Located<FrameCount>>,
    /// The file with names, elements and residues of a trajectory's atoms, relative to the scene: PSF, PRMTOP, or any
    /// format of molecules.
    /// - Default: none; a trajectory alone is drawn as particles
    /// - Example: `topology = "adk.psf"`
    pub(crate) topology: Option<Located<PathBuf>>,
    /// Columns of LAMMPS data that does not name its atom style.
    /// - Default: the style that the file names, or else the one that its atoms allow
    /// - Example: `atom_style = "full"`
    pub(crate) atom_style: Option<Located<Name<AtomStyle>>>,
    /// Decimal mark of the numbers in a table of text: `,` reads 1234,5 and 1.234,5.
    /// - Default: `"."`
    /// - Example: `decimal = ","`
    pub(crate) decimal: Option<Located<Name<DecimalMark>>>,
    /// Texts that stand for no value in a table of text.
    /// - Default: none but NA, nan, null and empty fields
    /// - Example: `missing = ["n. d."]`
    pub(crate) missing: Option<Located<Vec<String>>>,
    /// The column of the x coordinates of a table.
    /// - Default: `"x"`
    /// - Example: `x = "RA"`
    pub(crate) x: Option<Located<String>>,
    /// The column of the y coordinates of a table.
    /// - Default: `"y"`
    /// - Example: `y = "DEC"`
    pub(crate) y: Option<Located<String>>,
    /// The column of the z coordinates of a table.
    /// - Default: `"z"`
    /// - Example: `z = "redshift"`
    pub(crate) z: Option<Located<String>>,
    /// Number of the biological assembly to build.
    /// - Default: the atoms as they are in the file
    /// - Example: `assembly = 1`
    pub(crate) assembly: Option<Located<Ordinal>>,
    /// Source of the colours: `"element"`, `"chain"`, `"residue"`, `"index"`, `"constant"` (the key `color`), the name
    /// of a column, or a table with column.
    /// - Default: the file's colours, else element colours
    /// - Example: `color_by = "chain"`
    pub(crate) color_by: Option<Located<ColorByText>>,
    /// One colour for all, if there is no `color_by`.
    /// - Default: `"#4477aa"`, where the file has neither colours nor elements
    /// - Example: `color = "steelblue"`
    pub(crate) color: Option<Color>,
    /// Radius of the spheres: a number, a column, a column spread over a range, or `"vdw"` for the van der Waals radii of
    /// atoms.
    /// - Unit: world units
    /// - Default: the file's radii, else element radii, else one at which evenly spread spheres would touch
    /// - Example: `radius = 0.4`
    pub(crate) radius: Option<Located<RadiusByText>>,
    /// Whether atoms outside the periodic box are moved into it.
    /// - Default: `false`
    /// - Example: `wrap = true`
    pub(crate) wrap: Option<Located<bool>>,
    /// Whether molecules that the boundary of the periodic box breaks are joined, by their bonds, or else by residue.
    /// - Default: `false`
    /// - Example: `whole = true`
    pub(crate) whole: Option<Located<bool>>,
    /// Whether particles are moved by their image flags ix, iy and iz, so that none jumps from frame to frame.
    /// - Default: `false`
    /// - Example: `unwrap = true`
    pub(crate) unwrap: Option<Located<bool>>,
    /// Rows that are moved to the middle of the periodic box, and everything else, molecule by molecule, around them.
    /// - Default: none
    /// - Example: `center = "protein"`
    pub(crate) center: Option<Located<String>>,
    /// How many copies of the periodic box are drawn along its edges a, b and c.
    /// - Default: `[1, 1, 1]`
    /// - Example: `replicate = [2, 2, 1]`
    pub(crate) replicate: Option<Located<Copies>>,
    /// Whether the operators of the space group fill the cell of a crystal (`"cell"`), or atoms are drawn as they are
    /// listed (`"off"`): of CIF with fractions of the cell's edges.
    /// - Default: `"cell"`
    /// - Example: `symmetry = "off"`
    pub(crate) symmetry: Option<Located<Name<Symmetry>>>,
    /// The rows that are drawn.
    #[cfg_attr(test, schemars(flatten))]
    pub(crate) rows: RowsText,
    /// Texts beside rows, in which a column in braces stands for the value of a row.
    /// - Default: none
    /// - Example: `label = [{ select = "ligand", text = "{resname} {resid}" }]`
    #[serde(default)]
    pub(crate) label: Vec<Located<LabelEntryText>>,
    /// Opacity of all spheres, or of selections; the last selection that matches a row counts.
    /// - Default: the alpha of the colours
    /// - Example: `opacity = [{ select = "all", opacity = 0.25 }, { select = "chain A", opacity = 1.0 }]`
    pub(crate) opacity: Option<Located<OpacityText>>,
    /// A column with an opacity from 0 to 1 for each row.
    /// - Example: `opacity_by = "occupancy"`
    pub(crate) opacity_by: Option<Located<String>>,
    /// Style of all atoms, or of selections; the last selection that matches an atom counts: spheres of their radii
    /// (`"spacefill"`), small balls joined by cylinders (`"ball-and-stick"`), cylinders with round joints (`"sticks"`),
    /// dots (`"points"`), round tubes along chains (`"trace"`), or nothing but their arrows (`"none"`).
    /// - Default: `"spacefill"`
    /// - Example: `style = [{ select = "protein", style = "points" }, { select = "ligand", style = "sticks" }]`
    pub(crate) style: Option<Located<StyleText>>,
    /// Strength of highlights of all spheres, in the place of `specular` of the shading, or of selections: there a
    /// roughness may follow the strength, and the last selection that matches a row counts.
    /// - Default: the shading's
    /// - Example: `gloss = [{ select = "protein", gloss = 0 }, { select = "ligand", gloss = [0.8, 0.2] }]`
    pub(crate) gloss: Option<Located<GlossByText>>,
    /// Where bonds come from: the file, the dictionary of residues and distances (`"auto"`), or one of them.
    /// - Default: `"auto"`
    /// - Example: `bonds = "distance"`
    pub(crate) bonds: Option<Name<BondRule>>,
    /// Radius of sticks.
    /// - Unit: world units
    /// - Default: 0.14 between balls, 0.2 of sticks alone
    /// - Example: `bond_radius = 0.1`
    pub(crate) bond_radius: Option<Positive>,
    /// Radius of balls, in radii of their atoms.
    /// - Default: `0.25`
    /// - Example: `ball_scale = 0.3`
    pub(crate) ball_scale: Option<Positive>,
    /// Dashed lines with distances between rows of two selections that are near each other and more than three bonds apart.
    /// - Default: none
    /// - Example: `contacts = [{ select = "ligand", with = "protein", by = 3.5 }]`
    #[serde(default)]
    pub(crate) contacts: Vec<Located<ContactEntryText>>,
    /// The rule by which hydrogen bonds between all drawn atoms are dashed lines with distances.
    /// - Default: none are drawn
    /// - Example: `hbonds = "baker-hubbard"`
    pub(crate) hbonds: Option<Name<HydrogenBondRule>>,
    /// Probability that an atom is inside of its thermal ellipsoid: ellipsoids take the place of the spheres of atoms
    /// whose file has anisotropic displacements.
    /// - Example: `ellipsoids = 0.5`
    pub(crate) ellipsoids: Option<Share>,
    /// Whether opaque ellipsoids have dark rings in their principal planes, as ORTEP draws them. Each ring is a flat
    /// ellipsoid.
    /// - Default: `false`
    /// - Example: `ellipsoid_rings = true`
    #[serde(default)]
    pub(crate) ellipsoid_rings: bool,
    /// Three columns of vectors, or what their names begin with, which are drawn as arrows from the surfaces of
    /// particles; `force` and `velocity` have the other usual names, too.
    /// - Example: `vectors = "vx,vy,vz"`
    pub(crate) vectors: Option<Located<String>>,
    /// Length of arrows, per unit of their vectors.
    /// - Unit: world units
    /// - Default: the longest arrow is six radii long
    /// - Example: `vector_scale = 0.5`
    pub(crate) vector_scale: Option<Positive>,
    /// Colour of arrows: `"particle"`, `"length"`, which goes by viridis, or a colour.
    /// - Default: `"particle"`
    /// - Example: `vector_color = "length"`
    pub(crate) vector_color: Option<Located<String>>,
    /// Radius of the shafts of arrows; their heads are two times as thick and five times as long.
    /// - Unit: world units
    /// - Default: 0.15 of the median radius of the particles
    /// - Example: `vector_radius = 0.05`
    pub(crate) vector_radius: Option<Positive>,
}
