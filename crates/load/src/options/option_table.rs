//! Every option of a picture by name: the table from which flags, the viewer's command and Python's keywords are made.

use std::borrow::Cow;
use std::sync::LazyLock;

use crate::color::{ColorScale, Scale};
use crate::data::{BondRule, HydrogenBondRule};
use crate::error::Error;
use crate::formats::{AtomStyle, Format, Symmetry};
use crate::options::figure::{LegendOrder, Stamp};
use crate::options::load_options::LoadOptions;
use crate::options::option_values::{OptionKind, PAIR_SEPARATOR, Setting, Spelled};
use crate::options::routes::{
    FLAT, FLAT_ROWS, IN_MEMORY, LOADED_MARKED, LOADED_ROWS, LOADED_SOLID_ROWS, MARKED, PANELS, ROWS, Routes,
    SOLID_ROWS, SOLIDS,
};
use crate::options::view_axis::ViewAxis;
use crate::scene::spheres::{ShadingNumber, ShadingPreset, StandardView, Transparency};
use crate::source::decimal::DecimalMark;

/// The part of a picture that an option is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OptionGroup {
    /// Size and background.
    Picture,
    /// Samples, light and outlines; spheres only.
    Shading,
    /// The view; spheres only.
    Camera,
    /// Columns, colours and rows of bare data.
    Data,
    /// Marks around the picture.
    Figure,
}

/// An option of a picture: a flag of the command line, a field of [`LoadOptions`], a keyword of Python.
///
/// ```
/// # use roundel_load as roundel;
/// use roundel::io::{LoadOption, LoadOptions};
///
/// let zoom = LoadOption::named("zoom").expect("an option");
/// let mut options = LoadOptions::default();
/// zoom.set(&mut options, "1.5")?;
/// assert_eq!((options.zoom, zoom.texts(&options)), (Some(1.5), vec!["1.5".to_owned()]));
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug)]
pub struct LoadOption {
    /// The name, with underscores.
    pub name: &'static str,
    /// The part of the picture that it is about.
    pub group: OptionGroup,
    /// The value in help texts: `PIXELS`.
    pub value: &'static str,
    /// The text of help.
    pub help: Cow<'static, str>,
    /// The routes on which it applies.
    pub(crate) routes: Routes,
    slot: Slot,
}

/// Where an option is kept.
#[derive(Clone, Copy, Debug)]
enum Slot {
    Field(fn(&mut LoadOptions) -> &mut dyn Setting),
    Number(&'static ShadingNumber),
    Look,
    Format,
    View,
    Slab,
}

/// The rule of the option `slab`.
const SLAB: &str =
    "must be two shares of the depth from 0 to 1, the lesser first, such as 0.5,1, or one thickness, such as 12";

/// Name, value, where it applies, place and help.
type OptionRow = (&'static str, &'static str, Routes, Slot, &'static str);

const fn field(field: fn(&mut LoadOptions) -> &mut dyn Setting) -> Slot {
    Slot::Field(field)
}

#[rustfmt::skip]
const PICTURE: &[OptionRow] = &[
    ("width", "PIXELS", Routes::ALL.but(Routes::CIRCLES_IN_MEMORY), field(|o| &mut o.width),
        "Width of the picture; given without a height, the picture keeps its shape"),
    ("height", "PIXELS", Routes::ALL.but(Routes::CIRCLES_IN_MEMORY), field(|o| &mut o.height),
        "Height of the picture; given without a width, the picture keeps its shape"),
    ("background", "COLOR", Routes::ALL.but(Routes::CIRCLES_IN_MEMORY), field(|o| &mut o.background),
        "Background colour: a CSS name, transparent, #rgb, #rgba, #rrggbb or #rrggbbaa"),
    ("view_box", "X,Y,HEIGHT", FLAT, field(|o| &mut o.view_box),
        "Draw only this part of the picture, given by its centre and height in the pixels of the whole picture as it \
         is without --width and --height, which are then those of the part (circles only)"),
];

/// The numbers of [`ShadingNumber`] stand before `outline_color`.
#[rustfmt::skip]
const SHADING: &[OptionRow] = &[
    ("samples", "N", SOLIDS, field(|o| &mut o.samples), "Samples per pixel"),
    ("look", "LOOK", SOLIDS, Slot::Look,
        "Look, a set of numbers for shading: illustrative (molecules without a scene), studio (particles without a \
         scene), glossy (studio with highlights), flat, headlight (scenes that name none) or auto (draws a scene as its files are drawn without one)"),
    ("ao", "smooth|off|K", SOLIDS, field(|o| &mut o.ao),
        "Ambient occlusion: `smooth` finds it without rays, a number is that of rays per sample, `off` turns it off"),
    ("ao_distance", "LENGTH", SOLIDS, field(|o| &mut o.ao_distance),
        "Only spheres up to this far away occlude, in world units"),
    ("shadows", "BOOL", SOLIDS, field(|o| &mut o.shadows),
        "Cast shadows from directional lights; --shadows=false turns them off"),
    ("ambient", "SHARE", SOLIDS, field(|o| &mut o.ambient), "Light that comes from everywhere, from 0 to 1"),
    ("outline_color", "COLOR", SOLIDS, field(|o| &mut o.outline_color), "Colour of outlines, which is opaque"),
    ("transparency", "MODEL", SOLIDS, field(|o| &mut o.transparency),
        "How translucent spheres are composed: shell, the outer surface of the touching spheres of a chain or file; front, of \
         these the first surface alone; surfaces, the front and the back of every sphere; solid, a medium that absorbs light along the way through [default: front for molecules, shell for everything else]"),
    ("seed", "SEED", SOLIDS.and(Routes::CIRCLES).but(Routes::CIRCLE_STREAM), field(|o| &mut o.seed), "Seed of all random numbers"),
];

#[rustfmt::skip]
const CAMERA: &[OptionRow] = &[
    ("view", "SIDE|AXIS", SOLIDS, Slot::View,
        "Side to look from: broadside, front, back, left, right, top, bottom or iso; several, as in front,right,top,iso, for the panels of \
         --grid; or an axis of the data that points to the eye: an \
         edge of the periodic box (a or b, with c up, or c, with b up), or a principal axis of everything or of a selection ('axis 1', 'axis 3 of chain A'; 1 is \
         the longest). Data is seen broadside, with its longest axis across the picture, unless it fills a periodic \
         box: particles in one are seen from a corner (iso), molecules along z. Of particles, simulations and membranes z is up and the front faces -y; of molecules y is up and the front \
         faces +z"),
    ("azimuth", "DEGREES", SOLIDS, field(|o| &mut o.azimuth), "Move the eye around to the right"),
    ("elevation", "DEGREES", SOLIDS, field(|o| &mut o.elevation), "Then move the eye up"),
    ("roll", "DEGREES", SOLIDS, field(|o| &mut o.roll), "Then turn the picture counter-clockwise"),
    ("zoom", "FACTOR", SOLIDS, field(|o| &mut o.zoom), "Enlarge everything by this factor"),
    ("focus", "SELECTION", LOADED_SOLID_ROWS, field(|o| &mut o.focus),
        "Look at these rows: they fill the picture, and what is in front of them is cut away (data files)"),
    ("focus_margin", "LENGTH", LOADED_SOLID_ROWS, field(|o| &mut o.focus_margin),
        "Room around the rows to look at, in world units [default: a quarter of their extent, and 2]"),
    ("clip", "AXIS<VALUE", SOLIDS, field(|o| &mut o.clip),
        "Keep only what lies on one side of a plane, such as 'x<12' or 'z>-3.5'; cut spheres show a flat cap; may be \
         given several times"),
    ("slab", "NEAR,FAR|LENGTH", SOLIDS, Slot::Slab,
        "Keep only what lies between two planes that face the camera: shares of the depth, from 0 at the front of the \
         spheres to 1 at their back; or a thickness in world units, around the focus or the middle, as in --focus ligand --slab 12"),
    ("same_view", "SCENE|JSON", SOLIDS, field(|o| &mut o.same_view),
        "Camera, size and planes of another picture: a scene file, or what `roundel info --json` printed for it"),
    ("eye", "X,Y,Z", SOLIDS, field(|o| &mut o.eye), "Position of the eye"),
    ("target", "X,Y,Z", SOLIDS, field(|o| &mut o.target), "Point at the centre of the picture"),
    ("up", "X,Y,Z", SOLIDS, field(|o| &mut o.up), "Direction that points up in the picture"),
    ("fov", "DEGREES", SOLIDS, field(|o| &mut o.fov), "Vertical field of view"),
    ("ortho", "BOOL", SOLIDS, field(|o| &mut o.ortho), "Use parallel rays; --ortho=false uses perspective"),
    ("ortho_height", "LENGTH", SOLIDS, field(|o| &mut o.ortho_height),
        "Use parallel rays, with this height of the picture in world units"),
];

#[rustfmt::skip]
const DATA: &[OptionRow] = &[
    ("x", "COLUMN", ROWS.but(Routes::ATOMS), field(|o| &mut o.x), "Column of x coordinates (tables)"),
    ("y", "COLUMN", ROWS.but(Routes::ATOMS), field(|o| &mut o.y), "Column of y coordinates (tables)"),
    ("z", "COLUMN", ROWS.but(Routes::ATOMS), field(|o| &mut o.z), "Column of z coordinates, which makes spheres of rows; with --x and --y (tables)"),
    ("r", "COLUMN", ROWS.but(Routes::ATOMS), field(|o| &mut o.r),
        "Column that sets the areas of circles, or their radii if it is named r or radius (tables)"),
    ("x_scale", "SCALE", FLAT_ROWS, field(|o| &mut o.x_scale), "How numbers are spread along x: linear, log or sqrt [default: linear]"),
    ("y_scale", "SCALE", FLAT_ROWS, field(|o| &mut o.y_scale), "The same along y"),
    ("x_range", "A,B", FLAT_ROWS, field(|o| &mut o.x_range), "Numbers or dates that the x axis shows at least, such as 0,60; others may be \
         outside of the picture [default: all but a few far off]"),
    ("y_range", "A,B", FLAT_ROWS, field(|o| &mut o.y_range), "The same along y"),
    ("color", "COLUMN", ROWS, field(|o| &mut o.color), "The same as --color-by"),
    ("color_by", "KEY", ROWS, field(|o| &mut o.color_by),
        "Colour by element, chain, residue, index or a column, or in one colour such as #1f77b4"),
    ("palette", "NAME", ROWS, field(|o| &mut o.palette),
        "Separate colours for categories: okabe-ito, which is the default for chains, distinct, the default for others, \
         with 64 colours, tab10, set2 and more; of elements jmol, which is the default, or soft, which is paler"),
    ("categories", "NAME", ROWS, field(|o| &mut o.categories),
        "Category that takes the next colour of the palette, so that several pictures agree; may be given several times, as in \
         --categories oak --categories ash. Others follow; numbers keep the colours of their places"),
    ("colormap", "NAME", ROWS, field(|o| &mut o.colormap),
        "Ramp of colours for numbers: viridis, which is the default, cividis, turbo, coolwarm, batlow and all others of \
         Matplotlib and F. Crameri; with _r at the end of its name it is reversed"),
    ("color_range", "A,B", ROWS, field(|o| &mut o.color_range),
        "Numbers at the ends of the ramp, dates such as 2024-01-01,2024-06-30, or percentiles such as p2,p98; 100,20 reverses the ramp [default: all numbers \
         but outliers]"),
    ("color_center", "NUMBER", ROWS, field(|o| &mut o.color_center),
        "Number in the middle of the ramp, such as 0 of charges; the default ramp is coolwarm then. Numbers as far below as above are \
         equally strong in colour; the legend shows the part of the ramp that has numbers, or that between --color-range A,B"),
    ("color_scale", "SCALE", ROWS, field(|o| &mut o.color_scale), "How numbers are spread over the ramp: linear, sqrt or log; or equalize, which colours the pixels of --density by the rank of their numbers, so that \
         each colour has as many [default: linear; of --density log where numbers spread widely]"),
    ("compute", "NAME = FORMULA", LOADED_ROWS, field(|o| &mut o.compute),
        "Compute a column from others, as in 'speed = sqrt(vx^2 + vy^2)', for colours, radii, selections and later formulas; may be given \
         several times. Ready-made are speed, force, distance (from the middle), coordination (neighbours in the first shell), depth \
         (below the surface) and frame (its number); 'd = distance to resname HEM', 'n = coordination within 3.5' and 'u = displacement since 0' are formulas, too"),
    ("radius", "RADIUS", ROWS, field(|o| &mut o.radius),
        "Radius of each shape: a number, a column, or vdw for the van der Waals radii of atoms; --radius 'type 2' 0.8 is \
         that of a selection, and may be given several times"),
    ("radius_range", "LEAST,MOST", LOADED_ROWS, field(|o| &mut o.radius_range),
        "Spread the numbers of the column that --r or --radius names over radii from the least to the greatest, so that areas in the \
         picture follow them: pixels of circles, world units of spheres; 12,2 gives the least number the greatest radius, and with \
         0,12 areas are in proportion to the numbers"),
    ("radius_of", "SELECTION RADIUS", LOADED_SOLID_ROWS, field(|o| &mut o.radius_of),
        "The same as --radius of a selection"),
    ("assembly", "NUMBER", LOADED_SOLID_ROWS.but(Routes::TABLE).but(Routes::ARRAY), field(|o| &mut o.assembly), "Build this biological assembly (PDB files)"),
    ("frame", "NUMBER", SOLID_ROWS.and(Routes::SCENE).but(Routes::TABLE), field(|o| &mut o.frame), "Draw this frame or model of several, counted from 0; -1 is the last (atoms)"),
    ("smooth", "FRAMES", LOADED_SOLID_ROWS.and(Routes::SCENE).but(Routes::TABLE), field(|o| &mut o.smooth),
        "Average positions over so many frames around the one that is drawn; periodic boxes are respected (trajectories)"),
    ("topology", "FILE", LOADED_SOLID_ROWS, field(|o| &mut o.topology),
        "Names, elements and residues of the atoms of a trajectory: a PSF, a PRMTOP, or any file of molecules with the same atoms"),
    ("atom_style", "STYLE", SOLID_ROWS, field(|o| &mut o.atom_style), "Columns of LAMMPS data that does not name its atom style"),
    ("decimal", "MARK", ROWS.but(Routes::ATOMS), field(|o| &mut o.decimal),
        "Decimal mark of the numbers in a table of text: , reads 1234,5 and 1.234,5 [default: .]"),
    ("missing", "TEXT", ROWS.but(Routes::ATOMS), field(|o| &mut o.missing),
        "Text that stands for no value in a table of text, beside NA, nan, null and empty fields; may be given several times"),
    ("wrap", "BOOL", LOADED_SOLID_ROWS, field(|o| &mut o.wrap), "Move what lies outside of the periodic box into it"),
    ("whole", "BOOL", LOADED_SOLID_ROWS, field(|o| &mut o.whole),
        "Join molecules that the boundary of the periodic box breaks: by their bonds, or else by residue"),
    ("unwrap", "BOOL", LOADED_SOLID_ROWS, field(|o| &mut o.unwrap),
        "Move particles by their image flags ix, iy and iz, so that none jumps from frame to frame"),
    ("center", "SELECTION", LOADED_SOLID_ROWS, field(|o| &mut o.center),
        "Move these rows to the middle of the periodic box, and everything else, molecule by molecule, around them"),
    ("replicate", "A,B,C", LOADED_SOLID_ROWS, field(|o| &mut o.replicate),
        "Draw copies of the periodic box: this many along its edges a, b and c"),
    ("symmetry", "SYMMETRY", SOLID_ROWS, field(|o| &mut o.symmetry),
        "Fill the cell of a crystal by its space group, or draw the atoms that are listed (CIF of small molecules) \
         [default: cell]"),
    ("bonds", "FROM", LOADED_SOLID_ROWS.but(Routes::TABLE), field(|o| &mut o.bonds),
        "Where bonds come from: auto (the file, the dictionary of residues, and distances where these say nothing), file, \
         distance or none [default: auto]"),
    ("bond_radius", "LENGTH", LOADED_SOLID_ROWS, field(|o| &mut o.bond_radius),
        "Radius of sticks, in world units [default: 0.14 of balls and sticks, 0.2 of sticks]"),
    ("ball_scale", "FACTOR", LOADED_SOLID_ROWS, field(|o| &mut o.ball_scale),
        "Radius of balls, in radii of their atoms [default: 0.25]"),
    ("contacts", "SELECTION SELECTION", LOADED_SOLID_ROWS, field(|o| &mut o.contacts),
        "Dashed lines with distances between rows of two selections that are at most 4 apart, as in --contacts ligand protein, and more than three \
         bonds from each other; another distance may follow, as in --contacts ligand protein 3.5, or hbonds for hydrogen bonds; may be given several times"),
    ("hbonds", "RULE", LOADED_SOLID_ROWS.but(Routes::TABLE).but(Routes::ARRAY), field(|o| &mut o.hbonds),
        "Dashed lines with distances along the hydrogen bonds between all drawn atoms, by a rule for donor, hydrogen and acceptor [default \
         rule: baker-hubbard]; without hydrogens N and O within 3.5 Å"),
    ("ellipsoids", "PROBABILITY", LOADED_SOLID_ROWS, field(|o| &mut o.ellipsoids),
        "Draw the thermal ellipsoids of atoms at this probability, such as 0.5 (PDB files with ANISOU, mmCIF with anisotropic \
         displacements)"),
    ("ellipsoid_rings", "BOOL", LOADED_SOLID_ROWS, field(|o| &mut o.ellipsoid_rings),
        "Draw dark rings around opaque ellipsoids in their principal planes, as ORTEP does"),
    ("vectors", "X,Y,Z", LOADED_SOLID_ROWS, field(|o| &mut o.vectors),
        "Columns of vectors, which are drawn as arrows from the surfaces of particles, as in --vectors vx,vy,vz, or what their names \
         begin with, as in --vectors forces; --legend says how long they are"),
    ("vector_scale", "FACTOR", LOADED_SOLID_ROWS, field(|o| &mut o.vector_scale),
        "Length of arrows, in world units per unit of the vectors [default: the longest is six radii long, \
         of all frames of a film]"),
    ("vector_color", "COLOR", LOADED_SOLID_ROWS, field(|o| &mut o.vector_color),
        "Colour of arrows: particle, length (viridis, from no length to the longest, or that of 'length 2.5') or a colour [default: \
         particle]"),
    ("vector_radius", "LENGTH", LOADED_SOLID_ROWS, field(|o| &mut o.vector_radius),
        "Radius of the shafts of arrows, in world units; heads are two times as thick [default: 0.15 of the particles' median]"),
    ("only", "SELECTION", LOADED_ROWS, field(|o| &mut o.only),
        "Draw only these rows, as in 'chain A and not water', 'ligand', 'element C N', 'resid 10:20', 'abs(z - 12) < 2', \
         'index 0:99', 'byres (within 5 of resname HEM)', 'backbone', 'helix', 'first 100'; a value that is a word of the language is quoted: \
         \"state CA 'OR' WA\""),
    ("hide", "SELECTION", LOADED_ROWS, field(|o| &mut o.hide),
        "Leave out these rows. Water beside proteins, nucleic acids and lipids is left out, too, unless there is an \
         --only or this selection is about water; --hide none draws everything"),
    ("opacity_by", "COLUMN", LOADED_ROWS, field(|o| &mut o.opacity_by), "Column with an opacity from 0 to 1 for each sphere or circle"),
    ("density", "count|mass|sum COLUMN|mean COLUMN", LOADED_ROWS.but(Routes::CIRCLE_STREAM).but(Routes::SEVERAL).but(Routes::FILM), field(|o| &mut o.density),
        "Draw what falls into each pixel, instead of circles, or of spheres as the camera sees them: the number of rows (count), the sum or the mean of a column, or the mass of circles and spheres, \
         spread over their exact areas (mass, mass COLUMN); --colormap, --color-range and --color-scale say how, the legend what; -o FILE.npy \
         writes the numbers"),
    ("density_bin", "PIXELS", LOADED_ROWS.but(Routes::CIRCLE_STREAM).but(Routes::SEVERAL).but(Routes::FILM), field(|o| &mut o.density_bin),
        "Side of the squares whose rows --density count, sum and mean take together, in pixels [default: 1; more where rows are few, which a \
         note says]"),
    ("stroke", "COLOR", FLAT_ROWS, field(|o| &mut o.stroke), "Outline circles in this colour (tables in the plane)"),
    ("stroke_width", "PIXELS", FLAT_ROWS, field(|o| &mut o.stroke_width), "Width of the outlines of circles [default: 1]"),
    ("draw_order", "random|COLUMN|-COLUMN", FLAT_ROWS, field(|o| &mut o.draw_order),
        "Order in which circles are drawn: random, by --seed, so that none of several groups hides the others; a column, its greatest numbers \
         on top; or -COLUMN, its least on top [default: that of the file]"),
    ("format", "FORMAT", Routes::ALL.but(Routes::PATTERN).but(IN_MEMORY), Slot::Format,
"Read the file in this format, whatever its name and content"),
];

#[rustfmt::skip]
const FIGURE: &[OptionRow] = &[
    ("title", "TEXT", MARKED, field(|o| &mut o.figure.title), "Text above the picture"),
    ("stamp", "time|frame|step", LOADED_MARKED.but(Routes::SEVERAL).but(Routes::PANELS).but(IN_MEMORY), field(|o| &mut o.figure.stamp),
        "State the time, the number or the step of the frame above the picture (trajectories)"),
    ("legend", "on|off|counts|below|inside", MARKED, field(|o| &mut o.figure.legend),
        "Meaning of the colours, of radii and opacities by a column, and of the length of arrows, to the right of the picture, \
         below or inside; --legend=counts also counts the shapes of each category, as does --legend=below,counts"),
    ("legend_title", "TEXT", LOADED_MARKED, field(|o| &mut o.figure.legend_title),
        "Name above the colours of the legend, in place of that of the column, such as 'B factor (Å²)'"),
    ("legend_unit", "UNIT", LOADED_MARKED, field(|o| &mut o.figure.legend_unit),
        "Unit of the coloured numbers, which stands behind their name, such as 'kcal/mol'"),
    ("legend_order", "ORDER", LOADED_MARKED, field(|o| &mut o.figure.legend_order),
        "Order of categories in the legend: file, name or count [default: file]"),
    ("legend_categories", "NAME", LOADED_ROWS.but(Routes::CIRCLE_STREAM), field(|o| &mut o.legend_categories),
        "Category of the file, or one of --categories, that the legend lists whether something in the picture has it or not; may be given \
         several times"),
    ("legend_name", "ENTRY NAME", LOADED_MARKED, field(|o| &mut o.figure.legend_name),
        "Call an entry of the legend so, as in --legend-name A 'Gαs'; may be given several times"),
    ("figure_width", "LENGTH", LOADED_MARKED, field(|o| &mut o.figure.figure_width),
        "Width of the whole figure, the legend included: 85mm, 8.5cm, 3.3in or 1000px; lengths on paper take --dpi, or 300"),
    ("scale_bar", "LENGTH", MARKED, field(|o| &mut o.figure.scale_bar),
        "Bar of a known length below the picture, which has parallel rays then; --scale-bar=20 is 20 units of the data \
         long; maps of degrees have a bar in km each way"),
    ("grid", "COLUMNSxROWS", PANELS, field(|o| &mut o.figure.grid),
        "Draw several files, --frames of one, or sides of --view side by side: panels with one camera (files that lie far apart: one \
         direction and scale; sides: one scale), one range of colours and one legend, as in --grid 2x3; width and height are those of all panels, without the legend"),
    ("panel_title", "TEXT", PANELS, field(|o| &mut o.figure.panel_title),
        "Title of a panel of --grid, in place of the name of its file, frame or side: once for all panels, or for one after the other; {name}, \
         {view}, {frame}, {time} and {step} stand for what it shows, as in 't = {time}'; may be given several times"),
    ("panel_by", "COLUMN", FLAT_ROWS.but(Routes::SINGLE).but(Routes::SEVERAL).but(Routes::FILM), field(|o| &mut o.figure.panel_by),
        "Column of a table in the plane whose categories are the panels of --grid, with the same axes, sizes and colours, and one legend, as in \
         --grid 3x2 --panel-by species"),
    ("stereo", "DEGREES", PANELS.but(Routes::FILM), field(|o| &mut o.figure.stereo),
        "A stereo pair: the pictures of both eyes, the left eye's at the left, from directions this far apart, as in --stereo 6; --stereo=-6 for \
         crossed eyes"),
    ("label", "SELECTION TEXT", LOADED_ROWS.but(Routes::CIRCLE_STREAM), field(|o| &mut o.figure.label),
        "Text beside these rows, with their columns in braces, as in --label ligand '{resname} {resid}' or --label 'name CA and \
         resid 113' 'Asp{resid}'; once for each residue where all columns are those of residues; a leader line where it stands apart; \
         beside circles those of the largest first, as many as fit; may be given several times"),
    ("axes", "BOOL", MARKED, field(|o| &mut o.figure.axes),
        "Axes around a picture of a table in the plane: ticks, numbers, names and a grid, which are drawn unless the columns are coordinates, such \
         as x and y, or longitude and latitude, of which they are degrees; --axes=false leaves them out. Of spheres the axes of the world, below the picture"),
    ("x_label", "TEXT", FLAT, field(|o| &mut o.figure.x_label), "Name of the x axis, such as 'mass (kg)' [default: that of the column]"),
    ("y_label", "TEXT", FLAT, field(|o| &mut o.figure.y_label), "Name of the y axis [default: that of the column]"),
    ("cell", "BOOL", MARKED, field(|o| &mut o.figure.cell),
        "Edges of the periodic box, which are drawn unless they are those of a macromolecule's crystal; --cell=false \
         leaves them out (spheres only)"),
    ("trim", "PIXELS", MARKED.but(Routes::PANELS).but(Routes::FILM), field(|o| &mut o.figure.trim),
        "Cut the picture to what it shows; --trim=10 leaves 10 pixels around"),
    ("scale", "FACTOR", LOADED_MARKED.but(Routes::PANELS), field(|o| &mut o.figure.scale),
        "So many times as many pixels each way; type and lines grow, too"),
    ("dpi", "DPI", MARKED, field(|o| &mut o.figure.dpi),
        "Resolution in dots per inch, which is written into the file: type of 10 points has its size on paper [default: \
         96 for a longer side of up to 640 pixels, more in proportion to it]"),
    ("font_size", "POINTS", MARKED, field(|o| &mut o.figure.font_size),
        "Size of text in points, 1/72 inch at the resolution of --dpi; lines and gaps keep their proportion to it \
         [default: 10]"),
    ("ink", "COLOR", MARKED, field(|o| &mut o.figure.ink),
        "Colour of text and lines [default: black, and white on dark backgrounds]"),
];

static OPTIONS: LazyLock<Vec<LoadOption>> = LazyLock::new(|| {
    let numbers = ShadingNumber::all().iter();
    let numbers: Vec<OptionRow> = numbers.map(|of| (of.name, of.value, SOLIDS, Slot::Number(of), of.meaning)).collect();
    let colors = SHADING.iter().position(|row| row.0 == "outline_color").unwrap_or_default();
    let groups = [
        (OptionGroup::Picture, PICTURE),
        (OptionGroup::Shading, &SHADING[..colors]),
        (OptionGroup::Shading, &numbers),
        (OptionGroup::Shading, &SHADING[colors..]),
        (OptionGroup::Camera, CAMERA),
        (OptionGroup::Data, DATA),
        (OptionGroup::Figure, FIGURE),
    ];
    let rows = groups.into_iter().flat_map(|(group, rows)| rows.iter().map(move |row| (group, *row)));
    let option = |(group, (name, value, routes, slot, help))| {
        let help = match slot {
            Slot::Format => {
                let names = Format::data_ids().collect::<Vec<_>>().join(", ");
                format!("{help}: {names}, or raw numbers by their columns and type, as raw:x,y,z,r:f32le").into()
            }
            _ => Cow::Borrowed(help),
        };
        LoadOption { name, group, value, help, routes, slot }
    };
    rows.map(option).collect()
});

impl LoadOption {
    /// Stands between the two texts of a pair in [`LoadOption::set`], where `=` could be part of either.
    pub const PAIR_SEPARATOR: char = PAIR_SEPARATOR;

    /// All options, in the order of help texts. Highlights, which are pairs, are not among them.
    #[must_use]
    pub fn all() -> &'static [Self] {
        &OPTIONS
    }

    /// The option of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        Self::all().iter().find(|option| option.name == name)
    }

    /// Its kind of value.
    #[must_use]
    pub fn kind(&self) -> OptionKind {
        match self.slot {
            Slot::Field(field) => field(&mut LoadOptions::default()).kind(),
            Slot::Number(_) => OptionKind::Number,
            Slot::Look => OptionKind::Name,
            Slot::Format => OptionKind::Text,
            Slot::View => OptionKind::Word,
            Slot::Slab => OptionKind::Numbers(2),
        }
    }

    /// The names that it accepts, if it accepts names alone.
    #[must_use]
    pub fn names(&self) -> Vec<&'static str> {
        match (self.kind(), self.name) {
            (OptionKind::Switch, _) => vec!["true", "false"],
            (_, "look") => ShadingPreset::ALL.map(ShadingPreset::name).into_iter().chain(["auto"]).collect(),
            (_, "transparency") => Transparency::names().collect(),
            (_, "atom_style") => AtomStyle::names().collect(),
            (_, "decimal") => DecimalMark::ALL.map(DecimalMark::name).into(),
            (_, "bonds") => BondRule::ALL.map(BondRule::name).into(),
            (_, "hbonds") => HydrogenBondRule::ALL.map(HydrogenBondRule::name).into(),
            (_, "symmetry") => Symmetry::ALL.map(Symmetry::name).into(),
            (_, "legend_order") => LegendOrder::ALL.map(LegendOrder::name).into(),
            (_, "stamp") => Stamp::ALL.map(|(_, name)| name).into(),
            (_, "color_scale") => ColorScale::ALL.map(ColorScale::name).into(),
            (_, "x_scale" | "y_scale") => Scale::ALL.map(Scale::name).into(),
            _ => Vec::new(),
        }
    }

    /// The value of the flag without one, if it may stand alone.
    #[must_use]
    pub fn alone(&self) -> Option<&'static str> {
        match self.kind() {
            OptionKind::Switch => Some("true"),
            OptionKind::Legend | OptionKind::ScaleBar => Some("on"),
            OptionKind::Whole if self.name == "trim" => Some("0"),
            OptionKind::Name if self.name == "hbonds" => Some(HydrogenBondRule::BakerHubbard.name()),
            _ => None,
        }
    }

    /// Sets the option to a value as the command line has it; a plane is added to those there are.
    ///
    /// # Errors
    /// Says what the value must be. Ranges are checked where options are used.
    pub fn set(&self, options: &mut LoadOptions, text: &str) -> Result<(), String> {
        match (self.slot, text.strip_prefix("raw:")) {
            (Slot::Field(field), _) => field(options).put(text)?,
            (Slot::Number(number), _) => options.shading.set(number.name, Spelled::parse(text)?),
            (Slot::Look, _) => {
                let named = || text.parse().map_err(|_| format!("must be {}, got {text}", self.names().join(", ")));
                let look = if text == "auto" { None } else { Some(named()?) };
                (options.look, options.auto_look) = (look, look.is_none());
            }
            (Slot::Format, Some(layout)) => options.raw = Some(layout.parse().map_err(Error::rule)?),
            (Slot::Format, None) => options.format = Some(text.parse().map_err(Error::rule)?),
            (Slot::View, _) => {
                let mut sides = text.split(',').map(|side| side.trim().parse::<StandardView>()).peekable();
                let is_one = |side: &str| side.trim().parse::<ViewAxis>().is_ok();
                let is_axis = sides.peek().is_some_and(Result::is_err) || text.split(',').any(is_one);
                let (sides, axis) = match is_axis {
                    true => (Vec::new(), Some(ViewAxis::alone(text)?)),
                    false => (sides.collect::<Result<Vec<_>, _>>().map_err(Error::rule)?, None),
                };
                let one = if let [side] = sides[..] { Some(side) } else { None };
                (options.view, options.look_along) = (one, axis);
                options.views = if one.is_some() { Vec::new() } else { sides };
            }
            (Slot::Slab, _) => {
                let thickness = text.trim().parse::<f32>().ok();
                let shares = if thickness.is_some() { None } else { Some(Spelled::parse(text).map_err(|_| SLAB)?) };
                (options.slab, options.slab_thickness) = (shares, thickness);
            }
        }
        Ok(())
    }

    #[doc(hidden)]
    pub fn clear(&self, options: &mut LoadOptions) {
        match self.slot {
            Slot::Field(field) => field(options).clear(),
            Slot::Number(number) => options.shading.unset(number.name),
            Slot::Look => (options.look, options.auto_look) = (None, false),
            Slot::Format => (options.format, options.raw) = (None, None),
            Slot::View => (options.view, options.views, options.look_along) = (None, Vec::new(), None),
            Slot::Slab => (options.slab, options.slab_thickness) = (None, None),
        }
    }

    /// Its values as the command line has them: none if it is not set.
    #[must_use]
    pub fn texts(&self, options: &LoadOptions) -> Vec<String> {
        let one = match (self.slot, &options.raw) {
            (Slot::Field(field), _) => return field(&mut options.clone()).texts(),
            (Slot::Number(number), _) => options.shading.get(number.name).map(|number| number.spelled()),
            (Slot::Look, _) => {
                options.look.map(ShadingPreset::name).or(options.auto_look.then_some("auto")).map(str::to_owned)
            }
            (Slot::Format, Some(layout)) => Some(format!("raw:{layout}")),
            (Slot::Format, None) => options.format.map(|format| format.id().to_owned()),
            (Slot::View, _) => {
                let sides: Vec<_> = options.view.iter().chain(&options.views).map(|view| view.name()).collect();
                if sides.is_empty() {
                    options.look_along.as_ref().map(ToString::to_string)
                } else {
                    Some(sides.join(","))
                }
            }
            (Slot::Slab, _) => {
                options.slab.map(|slab| slab.spelled()).or(options.slab_thickness.map(|length| length.to_string()))
            }
        };
        one.into_iter().collect()
    }

    /// Whether it is set.
    #[must_use]
    pub fn is_set(&self, options: &LoadOptions) -> bool {
        !self.texts(options).is_empty()
    }
}

impl LoadOptions {
    /// These options, and the values of `base` for options of the table that are not set here.
    pub(crate) fn over(&self, base: &Self) -> Self {
        let mut options = self.clone();
        for option in LoadOption::all().iter().filter(|option| !option.is_set(self)) {
            for text in option.texts(base) {
                option.set(&mut options, &text).expect("an option is read back as it is spelled");
            }
        }
        options
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read_back_as_they_are_spelled() {
        let example = |option: &LoadOption| match option.kind() {
            OptionKind::Switch => "false",
            OptionKind::Whole => "7",
            OptionKind::Integer => "-7",
            OptionKind::Number => "0.3",
            OptionKind::Numbers(2) => "0.1,0.7",
            OptionKind::Numbers(_) | OptionKind::ViewBox => "1.5,2,3.25",
            OptionKind::Counts => "2,3,4",
            OptionKind::Color => "#12345678",
            OptionKind::Text if option.name == "format" => "raw:x,y,z:f32le",
            OptionKind::Text => "a b",
            OptionKind::Name => option.names()[1],
            OptionKind::Word if option.name == "ao" => "12",
            OptionKind::Word if option.name == "figure_width" => "85mm",
            OptionKind::Word if option.name == "density" => "sum a b",
            OptionKind::Word if option.name == "grid" => "2x3",
            OptionKind::Word => "axis 2 of chain A",
            OptionKind::Range => "0,60",
            OptionKind::Plane => "x<12",
            OptionKind::Texts => "a = b + 1",
            OptionKind::Pair => "type 2=0.8",
            OptionKind::Legend => "counts",
            OptionKind::ScaleBar => "2.5",
        };
        for option in LoadOption::all() {
            let (mut options, mut again) = (LoadOptions::default(), LoadOptions::default());
            assert!(!option.is_set(&options), "{}", option.name);
            option.set(&mut options, example(option)).expect(option.name);
            let texts = option.texts(&options);
            texts.iter().try_for_each(|text| option.set(&mut again, text)).expect(option.name);
            assert!(option.is_set(&options) && again == options, "{}: {texts:?}", option.name);
            assert_eq!(LoadOptions::default().over(&options), options, "{}", option.name);
            assert_eq!(options.over(&LoadOptions::default()), options, "{}", option.name);
            let set = LoadOption::all().iter().filter(|other| other.is_set(&options)).count();
            assert_eq!(set, 1, "{} sets others, too", option.name);
        }
    }
}
