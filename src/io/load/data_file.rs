//! A file of data as a table: the columns that a picture needs, and the rows that are drawn.

use std::sync::Arc;

use super::alternates;
use super::attached::{self, Attached};
use super::bonding;
use super::camera::Stance;
use super::canvas::CanvasTransform;
use super::colors::{self, Colors, element};
use super::column_plan::{Coloring, ColumnRefusal, ColumnRequest, Plan, RadiusFrom, Sizing};
use super::computed::{ComputedColumn, ComputedColumns};
use super::copies::{self, Chains, ColorsByPlace, PlaceSource};
use super::describe::DataSource;
use super::figure::FileKey;
use super::glyphs::{self, GlyphColumns, GlyphRequest, RowArrows, RowShape};
use super::images::{self, BadImages, Images};
use super::labels::RowLabel;
use super::molecule_style::MoleculeStyle;
use super::molecules::{self, MoleculeKeys};
use super::orientation::principal_axes;
use super::row_shapes::{self, CircleLook, Radii};
use super::selections::{Alphas, BadSelection, HighlightedRows, Selected, Selections, highlight};
use super::smoothing::Smoothing;
use super::sticks::{self, StickSizes};
use super::view_axis::{self, ViewAxis};
use super::window::{FocusKeys, FocusRows};
use crate::color::elements::Atomic;
use crate::color::{Category, ColorKey, Srgba8};
use crate::data::{Bond, BondRule, Cell, Kind, NumberSource, Positions, Summary, Table};
use crate::error::{Error, Result};
use crate::figure::{Label, LabelAnchor, LegendPart, OpacityKey, SizeKey};
use crate::io::formats::facts::{Assembly, Facts};
use crate::io::formats::painted::Painter;
use crate::io::formats::reading::{ColumnChoice, Contents, FrameRequest, Reading};
use crate::io::formats::wanted::{Axes, Field, ValueRule};
use crate::io::formats::{self, AtomStyle, Format, FormatKind, RawLayout, Topology};
use crate::io::memory_quota::Quota;
use crate::io::source::input::Input;
use crate::scene::circles::{PaintedCircle, PaintedSegment};
use crate::scene::spheres::{Gloss, PaintedSphere, Pose, Shapes, SphereGroup, SphereStore, UpAxis};

/// The file to read and the parts of it to keep.
#[derive(Clone, Debug)]
pub(crate) struct Request<'a> {
    pub(crate) format: Format,
    /// The columns of a raw file.
    pub(crate) raw: Option<&'a RawLayout>,
    /// The names of a trajectory's atoms.
    pub(crate) topology: Option<Arc<Topology>>,
    /// The columns of LAMMPS data.
    pub(crate) atom_style: Option<AtomStyle>,
    pub(crate) wishes: &'a ColumnRequest,
    /// The rows that are drawn.
    pub(crate) selections: &'a Selections,
    /// The axis of the data that points to the eye.
    pub(crate) look_along: Option<&'a ViewAxis>,
    /// Columns that the caller computes.
    pub(crate) computed: &'a [ComputedColumn],
    pub(crate) images: Images,
    /// Frames whose positions are averaged, if it is more than the one that is drawn.
    pub(crate) smooth: Option<u32>,
    pub(crate) extent: FrameRequest,
    pub(crate) bonds: &'a BondRequest,
    pub(crate) glyphs: &'a GlyphRequest,
    /// Whether there is a legend, which shows numbers that stand for radii.
    pub(crate) has_legend: bool,
    pub(crate) depth: Depth,
}

/// Bonds to find, and how molecules are drawn where no selection says.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct BondRequest {
    /// Where bonds come from.
    pub(crate) rule: BondRule,
    pub(crate) bond_radius: Option<f32>,
    pub(crate) ball_scale: Option<f32>,
    /// Whether small molecules are balls and sticks.
    pub(crate) guesses_style: bool,
}

/// Molecules of at most this many atoms are drawn as balls and sticks.
const SMALL_MOLECULE: usize = 200;

/// How much of a file is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Depth {
    /// Only the columns that drawing needs.
    Draw,
    /// To the end, with all columns, for a description.
    Describe,
}

/// A file that has been read.
pub(crate) struct DataFile {
    /// The rows that are drawn; their number alone, if they have been painted.
    pub(crate) table: Table<'static>,
    /// The rows, if they were painted as they were read.
    spheres: SphereStore<'static>,
    pub(crate) plan: Plan,
    pub(crate) facts: Facts,
    /// For a description.
    pub(crate) source: DataSource,
    /// The column with the chains of rows, for assemblies and outlines.
    chains: Option<usize>,
    /// The column of the parts between which lines are drawn.
    parts: Option<usize>,
    /// Whether the rows fill a periodic box: that of a simulation, not that of a macromolecule's crystal.
    pub(crate) fills_cell: bool,
    /// Whether the rows are a membrane.
    is_membrane: bool,
    /// Whether water is hidden by default.
    pub(super) hides_water: bool,
    /// The rows of the table that are highlighted.
    pub(crate) highlights: Vec<HighlightedRows>,
    /// Colours of rows; a category's colour does not depend on the drawn rows.
    pub(crate) colors: Colors,
    /// Radii of rows, the same whichever rows are drawn.
    pub(crate) radii: Radii,
    /// The alphas of the rows of the table.
    alphas: Alphas,
    /// The highlights of the rows of the table that have some of their own; empty if none has.
    gloss: Vec<Option<Gloss>>,
    /// Radii that selections give to rows of the table.
    selected_radii: Vec<(Vec<bool>, f32)>,
    /// The rows of the table to look at.
    focus: Option<Vec<bool>>,
    /// The column of distances to the middle of all rows, if it was computed.
    distances: Option<usize>,
    /// Directions towards the eye and up, if an axis of the data gives them.
    along: Option<[glam::Vec3; 2]>,
    /// Labels beside rows of the table.
    labels: Vec<RowLabel>,
    /// For each row that has a position, whether it is in the table; empty if all are.
    pub(super) kept: Vec<bool>,
    /// Bonds between rows of the table, if they are drawn or described.
    bonds: Vec<Bond>,
    /// The box that bonds cross.
    bond_cell: Option<Cell>,
    /// The styles of rows: none, one for all, or one for each.
    styles: Vec<MoleculeStyle>,
    /// Whether rows are balls and sticks where no selection says otherwise.
    pub(crate) is_ball_and_stick: bool,
    stick_sizes: StickSizes,
    /// Columns of ellipsoids and arrows, and the options for them.
    glyphs: (GlyphColumns, GlyphRequest),
    /// The meaning of arrows, once they are made.
    arrow_legend: Vec<LegendPart>,
    /// Notes for the user, one sentence each.
    pub(crate) notes: Vec<String>,
}

/// The rows of a file as spheres.
pub(crate) struct Built {
    pub(crate) groups: Vec<SphereGroup<'static>>,
    /// Bonds, ellipsoids and arrows, with the places of their groups of spheres among these.
    pub(crate) shapes: Shapes<'static>,
    /// The meaning of colours that depend on where copies stand.
    pub(crate) colors: Option<ColorKey>,
}

/// The rows of a file as circles.
pub(crate) struct Painted {
    pub(crate) circles: Vec<PaintedCircle>,
    /// The entries of a legend, of categories inside the picture.
    pub(crate) legend: Vec<FileKey>,
    /// Circles outside of the picture.
    pub(crate) outside: usize,
}

/// Makes errors of wishes that a file cannot grant.
pub(crate) struct Refuse<'a> {
    pub(crate) wish: &'a dyn Fn(ColumnRefusal) -> Error,
    pub(crate) selection: &'a dyn Fn(BadSelection) -> Error,
    pub(crate) images: &'a dyn Fn(BadImages) -> Error,
}

/// Reads a file; `check` may refuse the plan before all is read.
pub(crate) fn read(
    input: Input,
    request: &Request<'_>,
    refuse: &Refuse<'_>,
    check: impl Fn(&Plan) -> Result<()>,
) -> Result<DataFile> {
    request.images.check().map_err(refuse.images)?;
    let (file, quota) = (input.name.clone(), input.quota);
    let smoothing = request.smooth.map(|frames| Smoothing {
        frames,
        files: input.files.clone(),
        path: input.path.clone(),
        format: request.format,
        raw: request.raw,
        topology: request.topology.clone(),
        quota,
    });
    let describe = request.depth == Depth::Describe;
    let BondRequest { rule, bond_radius, ball_scale, guesses_style } = *request.bonds;
    let wants_sticks = request.selections.style.iter().any(|(_, style)| style.has_sticks());
    // a small file may hold a small molecule; its columns cost nothing
    let is_small = input.is_short();
    let has_own_radii = matches!(request.wishes.radius, RadiusFrom::Data);
    let has_ellipsoids = request.glyphs.probability.is_some();
    let may_guess = (guesses_style && has_own_radii && is_small || has_ellipsoids)
        && request.selections.style.iter().all(|(of, _)| of.is_some());
    let is_atoms = request.format.kind() == FormatKind::Atoms;
    let is_joined = is_atoms && request.images.joins_molecules();
    let has_bonds = is_atoms && rule != BondRule::None && (describe || wants_sticks || may_guess || is_joined);
    let (mut bond_keys, mut molecule_keys, mut glyphs) = (None, MoleculeKeys::default(), GlyphColumns::default());
    let extent = FrameRequest { bonds: has_bonds, displacements: has_ellipsoids, ..request.extent };
    let (mut planned, mut chains, mut parts) = (None, None, None);
    let (mut elements, mut names, mut residues, mut focus_keys) = (None, None, None, None);
    let (mut selections, mut computed, mut unused) = (None, None, Vec::new());
    let mut reading = Reading::table(&file, extent, quota, |header| {
        let mut extended = header.clone();
        let columns = ComputedColumns::new(&file, &mut extended, request.computed, request.wishes)?;
        let mut plan = Plan::new(&file, &extended, request.wishes).map_err(refuse.wish)?;
        check(&plan)?;
        selections = Some(request.selections.resolve(&file, &extended, &mut plan.wanted).map_err(refuse.selection)?);
        let mut name = |field: Option<usize>| field.map(|field| plan.wanted.column(field, Kind::Name, ValueRule::Any));
        let described = |name: &str| header.find(name).filter(|_| describe && header.has_positions);
        chains = name(header.chains);
        // copies go by the chains of a file's assemblies, everything else by the chains of its authors
        parts = name(header.chains.and(header.find("chain")).or(header.chains));
        elements = name(described("element"));
        names = name(described("chain"));
        residues = name(described("resname"));
        if is_atoms && plan.is_solid() {
            let looks = request.selections.focus.is_some();
            focus_keys = looks.then(|| FocusKeys::resolve(header, &mut plan.wanted)).flatten();
            bond_keys = (has_bonds || is_joined).then(|| bonding::keys(header, &mut plan.wanted));
            molecule_keys = MoleculeKeys::resolve((&file, header), request.images, &mut plan.wanted)?;
        }
        if plan.is_solid() || matches!(request.glyphs.rows, RowShape::Segment { .. }) {
            glyphs = request.glyphs.resolve((&file, &extended), &mut plan.wanted).map_err(refuse.wish)?;
        }
        let wanted = columns.of_file((&file, header), &plan.wanted)?;
        let is_plain =
            !(describe || request.smooth.is_some() || request.images.wrap || columns.are_wanted(&plan.wanted))
                && glyphs.is_empty();
        let is_plain = is_plain
            && !(request.has_legend
                && row_shapes::sized_by_meaning(&plan.size, |column| {
                    extended.fields[plan.wanted.columns[column].field].name.as_str()
                }));
        let painter = if is_plain && request.selections.is_empty() { painter(&plan) } else { None };
        unused = columns.unused(request.computed, &extended, &plan.wanted);
        computed = columns.are_wanted(&plan.wanted).then_some(columns);
        planned = Some(plan);
        Ok(ColumnChoice { wanted, painter })
    });
    reading = reading.with_raw(request.raw).with_topology(request.topology.clone()).with_atom_style(request.atom_style);
    if describe {
        reading = reading.with_summaries();
    }
    formats::read(request.format, input, &mut reading)?;
    let Contents { mut table, spheres, facts, alternates, unplaced, summaries, header, .. } = reading.finish();
    let mut notes = facts.notes.clone();
    if let Some(smoothing) = &smoothing
        && smoothing.apply(&file, facts.times.frame, facts.cell.as_ref(), &mut table)? == 1
    {
        let why = if smoothing.frames == 1 { "one frame is its own mean" } else { "there are no frames around it" };
        notes.push(format!("{file}: --smooth changes nothing: {why}"));
    }
    let plan = planned.expect("every reader says which fields there are");
    if let Some(computed) = &computed {
        let cell = facts.cell.as_ref().filter(|_| header.chains.is_none());
        table = computed.complete((&file, &header), &plan.wanted, table, (cell, facts.times.frame))?;
    }
    let (raw, is_painted) = (table.rows(), !spheres.is_empty());
    let mut kept = if is_painted { Vec::new() } else { alternates::kept(raw, &alternates) };
    if !is_painted {
        table.retain(&kept);
    }
    if !describe {
        let used = "no colour, radius or selection names it";
        notes.extend(unused.iter().map(|name| format!("{file}: the computed column {name} changes nothing: {used}")));
    }
    if unplaced > 0 {
        let rows = if unplaced == 1 { "1 row has".to_owned() } else { format!("{unplaced} rows have") };
        notes.push(format!("{file}: {rows} no coordinates and {} left out", if unplaced == 1 { "is" } else { "are" }));
    }
    if table.rows() == 0 && plan.wanted.axes != Axes::None {
        return Err(Error::input(&file, None, "no row has coordinates"));
    }
    let mut source = DataSource::new(file, request.format, table.rows());
    source.models = facts.frames;
    source.times.clone_from(&facts.frame_times);
    source.time_unit = facts.times.unit;
    source.columns = header.names().map(str::to_owned).collect();
    source.alternates = (raw - table.rows()) as u64;
    if describe {
        source.ranges = ranges(&header.fields, &summaries);
        source.bounds = bounds(&table);
        source.chains = names
            .or(chains)
            .map(|column| present(&table, column).into_iter().map(|(name, _)| name).collect())
            .unwrap_or_default();
        let kinds = residues.map(|column| present(&table, column)).unwrap_or_default();
        (source.residues, source.residue_atoms) = kinds.into_iter().unzip();
        source.elements = elements.map(|column| element_counts(&table, column)).unwrap_or_default();
        source.periodic = facts.cell.map_or([false; 3], |cell| cell.periodic);
        source.cell = facts.cell.map(|cell| cell.lengths_and_angles().into());
    }
    let sum = |assembly: &Assembly| assembly.parts.iter().map(|part| part.poses.len() as u64).sum();
    let each = |assembly: &Assembly| assembly.numbers.iter().map(|&number| (number, sum(assembly))).collect::<Vec<_>>();
    source.assemblies = facts.assemblies.iter().flat_map(each).collect();
    let cell = request.images.cell(&source.file, facts.cell).map_err(refuse.images)?;
    if let (true, Some(cell)) = (request.images.wrap, &cell) {
        images::wrap(&mut table, cell);
    }
    if let (Some(flags), Some(cell)) = (molecule_keys.flags, &cell) {
        molecules::unwrap(&mut table, cell, flags);
    }
    let fills_cell = facts.cell.is_some() && header.chains.is_none();
    let bond_cell = facts.cell.filter(|_| fills_cell || is_joined);
    let mut bonds = match bond_keys {
        Some(keys) if !is_painted => bonding::bonds(&table, &keys, (&facts.bonds, &kept), rule, bond_cell.as_ref()),
        _ => Vec::new(),
    };
    if let (true, Some(keys), Some(cell)) = (is_joined, &bond_keys, &cell) {
        let centered = selections.as_ref().and_then(|selections| selections.centered(&table)).transpose();
        let centered = centered.map_err(refuse.selection)?;
        let residues = molecule_keys.residues(&table, keys);
        let endless = molecules::join(&mut table, &mut bonds, &residues, cell, centered.as_deref());
        notes.extend(endless.map(|endless| format!("{}: {endless}", source.file)));
    }
    let is_small = guesses_style && has_own_radii && is_bonded(table.rows(), &bonds);
    let is_guessed = plan.is_molecule() && (is_small || has_ellipsoids);
    if has_ellipsoids && facts.displacements.is_empty() {
        let has_sizes = glyphs.has_isotropic(&table);
        notes.push(format!(
            "{}: {}",
            source.file,
            if has_sizes {
                "has no anisotropic displacements; spheres have the size of isotropic ones"
            } else {
                "has no displacements of atoms, of which --ellipsoids could draw any"
            }
        ));
    }
    // rows that are painted as they are read depend on no other rows, so that an empty table will do
    let none = Table::default();
    let radii = Radii::new(if is_painted { &none } else { &table }, &plan.size);
    let of_all = |table: &Table<'_>| Colors::new(if is_painted { &none } else { table }, &plan.color);
    // the range of numbers follows the drawn rows
    let colors = if matches!(plan.color, Coloring::Numbers { .. }) { None } else { Some(of_all(&table)) };
    let selected = if is_painted { Selected::default() } else { selections.unwrap_or_default().select(&table) };
    let Selected {
        kept: selected,
        highlights,
        alphas,
        styles,
        gloss,
        hidden_water,
        misses,
        is_membrane,
        radii: selected_radii,
        focus,
        along,
        labels,
    } = selected;
    let alphas = if is_painted { Alphas::all(request.selections.one_alpha()) } else { alphas };
    if table.rows() > 0 && !is_painted && !selected.contains(&true) {
        let misses: String = misses.iter().map(|miss| format!("; {miss}")).collect();
        return Err(Error::input(&source.file, None, format!("the selection leaves nothing to draw{misses}")));
    }
    notes.extend(misses.iter().map(|miss| format!("{}: {miss}", source.file)));
    if hidden_water > 0 {
        let atoms =
            if hidden_water == 1 { "1 atom of water is" } else { &format!("{hidden_water} atoms of water are") };
        notes.push(format!("{}: {atoms} not drawn beside the molecule; --hide none draws all water", source.file));
    }
    let hides_water = hidden_water > 0;
    if !is_painted {
        table.retain(&selected);
        bonding::retain(&mut bonds, &selected);
    }
    if let (Some(cell), false) = (bond_cell.filter(|_| !is_joined), is_painted) {
        let broken = molecule_keys.broken(&table, &cell);
        notes.extend(broken.map(|broken| format!("{}: {broken}", source.file)));
    }
    source.bonds = bonds.len() as u64;
    let usual = if is_guessed { MoleculeStyle::BallAndStick } else { MoleculeStyle::Spacefill };
    let styles = match styles.len() {
        0 if !is_guessed => Vec::new(),
        0 => vec![usual],
        _ => styles.into_iter().map(|style| style.unwrap_or(usual)).collect(),
    };
    let stick_sizes = StickSizes { bond_radius, ball_scale, of_atoms: plan.is_molecule() };
    let has_sticks = styles.iter().any(|style| style.has_sticks());
    let idle = [
        ("bond-radius", bond_radius.is_some()),
        ("ball-scale", ball_scale.is_some()),
        // a description counts bonds; without them, a small molecule has another style
        ("bonds", !(describe || rule == BondRule::Auto || rule == BondRule::None && may_guess)),
    ];
    for (flag, _) in idle.iter().filter(|(_, is_given)| *is_given && !has_sticks) {
        notes.push(format!(
            "{}: --{flag} changes nothing: no bonds are drawn; --style ball-and-stick draws them",
            source.file
        ));
    }
    let has_only_sticks = styles.iter().all(|style| *style == MoleculeStyle::Sticks) && {
        let mut has_bond = vec![false; table.rows()];
        bonds.iter().flat_map(|bond| bond.atoms).for_each(|row| has_bond[row as usize] = true);
        has_sticks && !has_bond.contains(&false)
    };
    let says_radius =
        !matches!(request.wishes.radius, RadiusFrom::Data | RadiusFrom::Vdw) || !selected_radii.is_empty();
    let of_balls = [
        ("radius", says_radius, "--bond-radius is the radius of sticks"),
        ("ball-scale", ball_scale.is_some(), "sticks have no balls; --style ball-and-stick has"),
    ];
    for (flag, _, reason) in of_balls.iter().filter(|(_, is_given, _)| *is_given && has_only_sticks) {
        notes.push(format!("{}: --{flag} changes nothing: {reason}", source.file));
    }
    if has_sticks && bonds.is_empty() {
        notes.push(format!("{}: no bonds were found; {}", source.file, why_no_bonds(rule, &plan)));
    }
    let along = match request.look_along {
        None => None,
        Some(ViewAxis::CellEdge(edge)) => {
            let rule = || format!("along an edge is for a periodic box, which {} does not have", source.file);
            let cell = facts.cell.ok_or_else(|| Error::Setting { name: "view", message: rule() })?;
            Some(view_axis::along_edge(&cell, *edge))
        }
        Some(ViewAxis::Principal { axis, .. }) => {
            let all = vec![true; table.rows()];
            let rows = along.as_ref().unwrap_or(&all);
            let places = table.space().zip(rows).filter(|(_, selected)| **selected).map(|(place, _)| place);
            let axes = principal_axes(places).ok_or_else(|| {
                let message = "along a principal axis needs two rows or more that do not lie in one place".to_owned();
                Error::Setting { name: "view", message }
            })?;
            Some(view_axis::along_principal(axes, *axis))
        }
    };
    let colors = colors.unwrap_or_else(|| of_all(&table));
    if !is_painted {
        let shared = colors::shared_colors(&table, &plan.color, &colors);
        notes.extend(shared.map(|shared| format!("{}: {shared}", source.file)));
    }
    if let Coloring::Numbers { source: NumberSource::Column(column), .. } = plan.color
        && !is_painted
        && !table.numbers(column).any(f64::is_finite)
    {
        let name = &table.columns[column].name;
        notes.push(format!("{}: {name} has no number for what is drawn, which is grey", source.file));
    }
    let has_chain_colors = matches!(colors, Colors::ByTwoNames { .. });
    if matches!(plan.color, Coloring::ChainsOrElements { .. })
        && request.wishes.mapping.map.is_some()
        && !has_chain_colors
    {
        notes.push(format!(
            "{}: --palette changes nothing: a single chain is coloured by element; --color-by chain takes its first colour",
            source.file
        ));
    }
    let mut selected = selected.into_iter();
    kept.iter_mut().filter(|kept| **kept).for_each(|kept| *kept = selected.next().unwrap_or(true));
    if let (Some(keys), Some(rows)) = (&focus_keys, &focus) {
        notes.extend(keys.note(&source.file, &table, rows));
    }
    let distances = computed.as_ref().and_then(|computed| computed.distances(&plan.wanted));
    let mut data = DataFile {
        table,
        spheres,
        plan,
        facts,
        source,
        chains,
        parts,
        fills_cell,
        is_membrane,
        hides_water,
        highlights,
        colors,
        radii,
        alphas,
        gloss,
        selected_radii,
        focus,
        distances,
        along,
        labels,
        kept,
        bonds,
        bond_cell,
        styles,
        is_ball_and_stick: is_guessed,
        stick_sizes,
        glyphs: (glyphs, request.glyphs.clone()),
        arrow_legend: Vec::new(),
        notes,
    };
    if describe {
        (data.source.colors, data.source.highlights) = data.meanings(None);
    }
    Ok(data)
}

impl DataFile {
    /// Makes the rows spheres, highlights in their colours, and the shapes that go with them. Spheres that were made as rows were read
    /// are handed out once.
    pub(crate) fn make_spheres(&mut self) -> (SphereStore<'static>, Attached) {
        if !self.spheres.is_empty() {
            let mut spheres = std::mem::replace(&mut self.spheres, Vec::new().into());
            if let Some(alpha) = self.alphas.one() {
                spheres.set_alpha(alpha);
            }
            return (spheres, Attached::default());
        }
        let mut spheres = row_shapes::spheres(&self.table, &self.colors, &self.radii);
        self.alphas.apply(&mut spheres);
        highlight(&mut spheres, &self.highlights, |sphere| &mut sphere.color);
        self.alphas.restore(&mut spheres);
        for (rows, radius) in &self.selected_radii {
            let chosen = spheres.iter_mut().zip(rows).filter(|(_, selected)| **selected);
            chosen.for_each(|(sphere, _)| sphere.radius = *radius);
        }
        let sticks = if self.styles.is_empty() {
            Vec::new()
        } else {
            sticks::styled(&mut spheres, &self.styles, &self.bonds, (&self.stick_sizes, self.bond_cell.as_ref()))
        };
        let (columns, request) = &self.glyphs;
        let is_suited = self.plan.size == Sizing::Suited;
        let RowArrows { mut arrows, legend } = columns.arrows(&self.table, (request, is_suited), &spheres);
        self.arrow_legend = legend;
        let cylinders = columns.cylinders(&self.table, (request, is_suited), &spheres);
        let ellipsoids = match request.probability {
            Some(probability) => {
                columns.thermal_ellipsoids(&self.table, (&self.facts.displacements, probability), &mut spheres).0
            }
            None => columns.ellipsoids(&self.table, &mut spheres),
        };
        glyphs::begin_on_ellipsoids(&mut arrows, &ellipsoids);
        if request.rows != RowShape::Sphere {
            // only their colours and parts are wanted
            spheres.iter_mut().for_each(|sphere| sphere.radius = 0.0);
        }
        (spheres.into(), Attached { sticks, cylinders, ellipsoids, arrows })
    }

    /// The rows as circles on a canvas of this size, highlights in their colours.
    pub(crate) fn circles(
        &self,
        look: &CircleLook,
        transform: &CanvasTransform,
        (width, height): (u32, u32),
    ) -> Painted {
        let mut circles = row_shapes::circles(&self.table, &self.colors, &self.radii, look, transform);
        highlight(&mut circles, &self.highlights, |circle| &mut circle.color);
        let sides = [width, height].map(f64::from);
        let is_inside = |circle: &PaintedCircle| {
            (0..2).all(|axis| {
                let (center, radius) = (f64::from(circle.center[axis]), f64::from(circle.radius));
                center + radius > 0.0 && center - radius < sides[axis]
            })
        };
        let inside: Vec<bool> = circles.iter().map(is_inside).collect();
        let outside = inside.iter().filter(|inside| !**inside).count();
        let unit = if self.radii.is_in_data_units() { transform.length(1.0) } else { 1.0 };
        Painted { legend: self.legend(Some(&inside), f64::from(unit)), circles, outside }
    }

    /// The rows as lines to the places of two more columns, highlights in their colours; their widths are the radii of circles.
    pub(crate) fn segments(
        &self,
        look: &CircleLook,
        transform: &CanvasTransform,
        size: (u32, u32),
    ) -> (Vec<PaintedSegment>, Vec<FileKey>) {
        let Painted { circles, legend, .. } = self.circles(look, transform, size);
        let ends = self.glyphs.0.plane_ends(&self.table);
        let segment = |(circle, end): (&PaintedCircle, [f64; 2])| {
            PaintedSegment::new(circle.center, transform.place(end), circle.radius, circle.color)
        };
        let segments = circles.iter().zip(ends).filter(|(_, end)| end.iter().all(|along| along.is_finite()));
        (segments.map(segment).collect(), legend)
    }

    /// Whether rows are lines in the plane.
    pub(crate) fn has_segments(&self) -> bool {
        matches!(self.glyphs.1.rows, RowShape::Segment { .. })
    }

    /// The other ends of rows that are lines in the plane.
    pub(crate) fn plane_ends(&self) -> Vec<[f64; 2]> {
        self.glyphs.0.plane_ends(&self.table)
    }

    /// The axis that is up: z of particles, simulations and membranes, y of molecules.
    pub(crate) fn up_axis(&self) -> UpAxis {
        if !self.plan.is_molecule() || self.fills_cell || self.is_membrane { UpAxis::Z } else { UpAxis::Y }
    }

    /// The side from which the rows are seen if nobody says another, and those to look at.
    pub(crate) fn stance(&self) -> Stance {
        Stance {
            focus: self.focus(),
            along: self.along,
            ..Stance::of(self.up_axis(), self.fills_cell, self.is_membrane)
        }
    }

    /// The radius that was chosen for all rows, if none was given.
    pub(crate) fn suited_radius(&self) -> Option<f32> {
        match (&self.plan.size, &self.radii) {
            (Sizing::Suited | Sizing::Vdw { or_suited: true, .. }, Radii::Constant(radius)) => Some(*radius),
            _ => None,
        }
    }

    /// The rows to look at, whose spheres are the group of this place.
    pub(crate) fn focus_rows(&self, group: usize) -> Option<FocusRows> {
        self.focus.as_ref().map(|rows| FocusRows { group, rows: rows.clone() })
    }

    /// A note if one sphere, whose radius a column says, holds most of the others.
    pub(crate) fn overgrown(&self, groups: &[SphereGroup<'_>]) -> Option<String> {
        let (Sizing::Column(_) | Sizing::DataUnits(_), [group]) = (&self.plan.size, groups) else { return None };
        row_shapes::overgrown(&self.source.file, &group.spheres)
    }

    /// A ball around the rows to look at.
    #[expect(clippy::cast_possible_truncation, reason = "rounded to the nearest f32, as spheres are")]
    fn focus(&self) -> Option<PaintedSphere> {
        let rows = self.focus.as_ref()?;
        let places: Vec<[f64; 3]> = self
            .table
            .space()
            .zip(rows)
            .filter(|(_, selected)| **selected)
            .map(|(place, _)| place.map(f64::from))
            .collect();
        let end =
            |axis: usize, of: fn(f64, f64) -> f64, start: f64| places.iter().map(|place| place[axis]).fold(start, of);
        let middle =
            [0, 1, 2].map(|axis| 0.5 * (end(axis, f64::min, f64::INFINITY) + end(axis, f64::max, f64::NEG_INFINITY)));
        let square = |place: &[f64; 3]| -> f64 {
            (0..3).map(|axis| (place[axis] - middle[axis]) * (place[axis] - middle[axis])).sum()
        };
        let radius = places.iter().map(square).fold(0.0, f64::max).sqrt();
        (!places.is_empty()).then(|| PaintedSphere::new(middle.map(|value| value as f32), radius as f32, Srgba8::BLACK))
    }

    /// Whether the coordinates of the plane are degrees, by the names of their columns.
    pub(crate) fn is_in_degrees(&self) -> bool {
        const LONGITUDES: [&str; 4] = ["longitude", "lon", "long", "lng"];
        const LATITUDES: [&str; 2] = ["latitude", "lat"];
        let Axes::Plane(fields) = self.plan.wanted.axes else { return false };
        let is_one_of = |field: usize, names: &[&str]| {
            self.source
                .columns
                .get(field)
                .is_some_and(|name| names.iter().any(|known| known.eq_ignore_ascii_case(name)))
        };
        is_one_of(fields[0], &LONGITUDES) && is_one_of(fields[1], &LATITUDES)
    }

    /// Whether columns of radii make ellipsoids of rows.
    pub(crate) fn has_shapes(&self) -> bool {
        self.glyphs.0.has_shapes()
    }

    /// The meaning of the colours of the rows that are in the picture, and the highlights: the last one of a row counts.
    pub(crate) fn meanings(&self, inside: Option<&[bool]>) -> (Option<ColorKey>, Vec<Category>) {
        let mut shown = inside.map_or_else(|| vec![true; self.table.rows()], <[bool]>::to_vec);
        let mut highlights = Vec::new();
        for HighlightedRows { rows, color, label } in self.highlights.iter().rev() {
            let mut alphas = [0_u64; 256];
            for (row, (shown, _)) in
                shown.iter_mut().zip(rows).enumerate().filter(|(_, (shown, selected))| **shown && **selected)
            {
                *shown = false;
                alphas[usize::from(self.alphas.of_highlighted(row, *color))] += 1;
            }
            let usual = (0..=u8::MAX).max_by_key(|alpha| alphas[usize::from(*alpha)]).unwrap_or(color.a);
            let usual = if self.alphas.is_empty() { color.a } else { usual };
            let count: u64 = alphas.iter().sum();
            if count > 0 {
                highlights.push(Category::new(label.clone(), color.with_alpha(usual), count));
            }
        }
        highlights.reverse();
        (self.colors.key(&self.table, &shown, &self.alphas), highlights)
    }

    /// The entries of a legend, each with the name of the file. A radius of 1 by a column is `unit` pixels of circles, or world units.
    pub(crate) fn legend(&self, inside: Option<&[bool]>, unit: f64) -> Vec<FileKey> {
        let (key, highlights) = self.meanings(inside);
        let items = (!highlights.is_empty()).then(|| ColorKey::Categories { name: String::new(), items: highlights });
        let colors = key.into_iter().chain(items).map(LegendPart::Colors);
        let sizes = self.size_key(inside, unit).map(LegendPart::Sizes);
        let opacities = self.alphas.by_column.as_ref();
        let opacities = opacities.map(|(name, range)| LegendPart::Opacities(OpacityKey::new(name.clone(), *range)));
        let parts = colors.chain(sizes).chain(opacities).chain(self.arrow_legend.iter().cloned());
        parts.map(|key| FileKey { file: self.source.file.clone(), key }).collect()
    }

    /// The meaning of the radii of the rows that are in the picture, if a column of something else says them.
    fn size_key(&self, inside: Option<&[bool]>, unit: f64) -> Option<SizeKey> {
        let (column, name) = self.radii.meaning(&self.table)?;
        // balls, points and ellipsoids have other radii
        if !self.styles.is_empty() || self.has_shapes() || self.glyphs.1.probability.is_some() {
            return None;
        }
        let shown = |row: usize| inside.is_none_or(|inside| inside[row]);
        let numbers = self.table.numbers(column).enumerate().filter(|(row, _)| shown(*row)).map(|(_, number)| number);
        let radius = |number: f64| self.radii.of_number(number) * unit;
        let drawn = numbers.filter(|number| number.is_finite() && radius(*number) > 0.0);
        let range = drawn
            .fold([f64::INFINITY, f64::NEG_INFINITY], |[least, most], number| [least.min(number), most.max(number)]);
        if range[0] <= range[1] { SizeKey::new(name.to_owned(), range, radius) } else { None }
    }

    /// Makes the rows groups whose parts are their chains: copies of an assembly and periodic images, coloured where they stand.
    /// `subject` begins messages about the budget.
    pub(crate) fn make_groups(
        &mut self,
        assembly: Option<&(Chains, Assembly)>,
        images: Images,
        quota: &Quota,
        subject: impl Fn() -> String,
    ) -> Result<Built> {
        let has_copies = assembly.is_some() || images.copies() > 1;
        let by_place = self.colors_by_place(assembly).filter(|_| has_copies);
        let (groups, attached) = match assembly {
            None => {
                let parts = self.parts();
                let (spheres, attached) = self.make_spheres();
                let group = SphereGroup::new(spheres, &[Pose::IDENTITY][..]).with_parts(parts);
                (vec![group.with_gloss(self.gloss.clone())], vec![attached])
            }
            Some((chains, assembly)) => {
                let (mut spheres, attached) = self.make_spheres();
                let parts = copies::rows_kept(chains, assembly);
                let attached = parts.iter().map(|kept| attached.kept(kept)).collect();
                (copies::groups((spheres.to_mut(), &self.parts()), &self.gloss, chains, assembly), attached)
            }
        };
        let groups = images.replicate(groups, self.facts.cell, quota, &subject)?;
        let bytes: u64 = attached.iter().map(Attached::bytes).sum();
        quota.check_memory(bytes, || format!("{} has bonds, ellipsoids or arrows", subject()))?;
        let Some(by_place) = by_place else {
            let shapes = attached::shapes(&groups, &attached);
            return Ok(Built { groups, shapes, colors: None });
        };
        let (painted, ends) = by_place.paint(&groups, quota, &subject)?;
        let shapes = attached::shapes_in_place(&painted, &attached, &groups);
        let colors = self.meanings(None).0.map(|key| match key {
            ColorKey::Numbers { name, map, scale, alpha, .. } => {
                let (least, most) = (scale.inverse(ends.least), scale.inverse(ends.most));
                ColorKey::Numbers { name, map, scale, least, most, beyond: ends.beyond, alpha }
            }
            categories @ ColorKey::Categories { .. } => categories,
        });
        Ok(Built { groups: painted, shapes, colors })
    }

    /// The labels of rows as their groups have them, which [`DataFile::make_groups`] made: beside the first copy of each.
    pub(crate) fn figure_labels(
        &self,
        groups: &[SphereGroup<'_>],
        assembly: Option<&(Chains, Assembly)>,
    ) -> Vec<Label> {
        if self.labels.is_empty() {
            return Vec::new();
        }
        let rows = assembly.map(|(chains, assembly)| copies::rows(chains, assembly)).unwrap_or_default();
        let mut anchors: Vec<Option<LabelAnchor>> = vec![None; self.table.rows()];
        for (index, group) in groups.iter().enumerate() {
            let Some(pose) = group.poses.first() else { continue };
            let count = rows.get(index).map_or(anchors.len(), Vec::len).min(group.spheres.len());
            for sphere in 0..count {
                let row = rows.get(index).map_or(sphere, |rows| rows[sphere]);
                let (center, radius) = group.spheres.slice().body(sphere);
                let place = glam::DVec3::from(pose.apply(center).map(f64::from));
                anchors[row].get_or_insert(LabelAnchor { place, radius: f64::from(radius) });
            }
        }
        let label = |RowLabel { rows, text }: &RowLabel| Label {
            text: text.clone(),
            anchors: rows.iter().filter_map(|row| anchors[*row]).collect(),
        };
        self.labels.iter().map(label).collect()
    }

    /// The colours of rows by place or number, which copies do not share.
    fn colors_by_place(&self, assembly: Option<&(Chains, Assembly)>) -> Option<ColorsByPlace> {
        let Coloring::Numbers { source, map, range, scale, alpha, .. } = self.plan.color else { return None };
        let source = match source {
            NumberSource::Axis(axis) => PlaceSource::Axis(axis),
            NumberSource::Index => PlaceSource::Index,
            NumberSource::Column(column) if self.distances == Some(column) => PlaceSource::Distance,
            NumberSource::Column(column) => {
                // a file may have its coordinates as columns, too
                let axis = ["x", "y", "z"].iter().position(|axis| self.table.columns[column].name == *axis);
                PlaceSource::Axis(axis?)
            }
        };
        let mut marks = if self.highlights.is_empty() { Vec::new() } else { vec![None; self.table.rows()] };
        for HighlightedRows { rows, color, .. } in &self.highlights {
            marks.iter_mut().zip(rows).filter(|(_, selected)| **selected).for_each(|(mark, _)| *mark = Some(*color));
        }
        let rows = assembly.map(|(chains, assembly)| copies::rows(chains, assembly)).unwrap_or_default();
        Some(ColorsByPlace { source, map, range, scale, alpha, marks, rows })
    }

    /// The chains of all rows, of files that have some.
    pub(crate) fn chains(&self) -> Option<Chains> {
        self.chains.map(|column| Chains::new(&self.table, column))
    }

    /// For each row a number of its part, between which lines are drawn: its chain by the name that selections have.
    fn parts(&self) -> Vec<u32> {
        self.parts.map(|column| Chains::new(&self.table, column).into_codes()).unwrap_or_default()
    }

    /// The assembly of that number and the chains of the rows, or the rule that the number breaks.
    pub(crate) fn assembly(&self, number: u32) -> Result<(Chains, Assembly), String> {
        let chains = self.chains().unwrap_or_default();
        let assembly = copies::assembly(&self.source.file, &self.facts, &chains, number)?.clone();
        Ok((chains, assembly))
    }
}

/// Whether the rows are a small molecule: three of four of its atoms have bonds.
fn is_bonded(rows: usize, bonds: &[Bond]) -> bool {
    let mut has_bond = vec![false; if rows <= SMALL_MOLECULE { rows } else { 0 }];
    for row in bonds.iter().flat_map(|bond| bond.atoms) {
        if let Some(has_bond) = has_bond.get_mut(row as usize) {
            *has_bond = true;
        }
    }
    4 * has_bond.iter().filter(|has_bond| **has_bond).count() >= 3 * rows && rows > 1
}

/// Why a file has no bonds.
fn why_no_bonds(rule: BondRule, plan: &Plan) -> &'static str {
    match rule {
        BondRule::File => "the file lists none; --bonds auto finds them by distance",
        BondRule::None => "--bonds none says so",
        _ if !plan.is_molecule() => "elements of atoms are not known",
        _ => "atoms are far apart, or of elements that do not bond",
    }
}

/// A note about points that the frame of a picture leaves out, which this program chose.
pub(crate) fn cropped(file: &str, outside: usize, all: usize) -> Option<String> {
    let are = if outside == 1 { "is" } else { "are" };
    (outside > 0)
        .then(|| format!("{file}: {outside} of {all} points {are} far from the others and outside of the picture"))
}

/// Paints rows as they are read, if nothing else is made of them.
fn painter(plan: &Plan) -> Option<Painter> {
    let has_names = plan.wanted.columns.iter().any(|want| want.kind == Kind::Name);
    // the legend marks values beyond a given range
    let has_legend = matches!(plan.color, Coloring::Numbers { .. });
    if !plan.is_solid() || has_names || has_legend { None } else { row_shapes::painter(&plan.color, &plan.size) }
}

/// Names that rows have, in the order of their first rows, and how many have each.
fn present(table: &Table<'_>, column: usize) -> Vec<(String, u64)> {
    let names = &table.columns[column].names;
    let mut counts = vec![0_u64; names.len()];
    for values in table.values(column) {
        (0..values.len()).filter_map(|row| values.code(row)).for_each(|code| counts[code as usize] += 1);
    }
    let named = names.iter().map(str::to_owned).zip(counts);
    named.filter(|(_, count)| *count > 0).collect()
}

/// Atoms by element, the most frequent first.
fn element_counts(table: &Table<'_>, column: usize) -> Vec<(String, u64)> {
    let mut counts = vec![0_u64; 256];
    for (name, count) in present(table, column) {
        counts[usize::from(element(&name).0)] += count;
    }
    let present = (0..=u8::MAX).zip(counts).filter(|(_, count)| *count > 0);
    let mut elements: Vec<_> = present.map(|(number, count)| (Atomic(number).symbol().to_owned(), count)).collect();
    elements.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    elements
}

/// The least and the greatest number of columns that have some.
fn ranges(fields: &[Field], summaries: &[Summary]) -> Vec<(String, [f64; 2])> {
    let range = |(field, summary): (&Field, &Summary)| match summary {
        Summary::Numbers { least, greatest, .. } if least <= greatest => {
            Some((field.name.clone(), [*least, *greatest]))
        }
        _ => None,
    };
    fields.iter().zip(summaries).filter_map(range).collect()
}

/// The box of all positions, least and greatest corner.
fn bounds(table: &Table<'_>) -> Option<[Vec<f64>; 2]> {
    let dimensions = match &table.blocks.first()?.positions {
        Positions::Plane(_) => 2,
        Positions::Space(_) => 3,
        Positions::Unknown(_) => return None,
    };
    let (mut least, mut greatest) = (vec![f64::INFINITY; dimensions], vec![f64::NEG_INFINITY; dimensions]);
    for block in &table.blocks {
        for axis in 0..dimensions {
            for row in 0..block.rows() {
                let value = block.positions.coordinate(row, axis);
                least[axis] = least[axis].min(value);
                greatest[axis] = greatest[axis].max(value);
            }
        }
    }
    Some([least, greatest])
}
