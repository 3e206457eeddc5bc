//! Reads a data file: chooses its columns, selects its rows, and collects notes.

use glam::Vec3;

use super::{BondRequest, DataFile, Depth, Refuse, Request};
use crate::color::elements::Atomic;
use crate::data::{Bond, BondRule, Cell, Kind, NumberSource, Positions, Summary, Table};
use crate::error::{Error, Result};
use crate::io::formats::facts::Assembly;
use crate::io::formats::painted::Painter;
use crate::io::formats::reading::Reading;
use crate::io::formats::request::{ColumnChoice, Contents, FrameRequest};
use crate::io::formats::wanted::{Axes, Field, ValueRule};
use crate::io::formats::{self, FormatKind};
use crate::io::load::alphas::Alphas;
use crate::io::load::colors::{self, Colors, element};
use crate::io::load::column_plan::{Coloring, Plan, RadiusFrom};
use crate::io::load::computed::ComputedColumns;
use crate::io::load::describe::DataSource;
use crate::io::load::glyphs::{GlyphColumns, RowShape};
use crate::io::load::molecule_style::MoleculeStyle;
use crate::io::load::molecules::{self, MoleculeKeys};
use crate::io::load::orientation::principal_axes;
use crate::io::load::row_shapes::{self, Radii};
use crate::io::load::selected_rows::Selected;
use crate::io::load::smoothing::Smoothing;
use crate::io::load::sticks::StickSizes;
use crate::io::load::view_axis::{self, ViewAxis};
use crate::io::load::window::FocusKeys;
use crate::io::load::{alternates, bonding, images};
use crate::io::source::input::Input;

/// Molecules of at most this many atoms are drawn as balls and sticks.
const SMALL_MOLECULE: usize = 200;

/// Reads a file; `check` may refuse the plan before all is read.
pub(crate) fn read(
    input: Input,
    request: &Request<'_>,
    refuse: &Refuse<'_>,
    check: &dyn Fn(&Plan) -> Result<()>,
) -> Result<DataFile> {
    request.images.check().map_err(refuse.images)?;
    let (file, quota) = (input.name.clone(), input.quota);
    let smoothing = request.smooth.map(|frames| Smoothing {
        frames,
        files: input.files.clone(),
        path: input.path.clone(),
        format: request.format,
        hints: request.hints.clone(),
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
    reading = reading.with_hints(request.hints.clone());
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
        source.describe_rows(&table, facts.cell, NamedColumns { chains: names.or(chains), residues, elements });
    }
    let sum = |assembly: &Assembly| assembly.parts.iter().map(|part| part.poses.len() as u64).sum();
    let each = |assembly: &Assembly| assembly.numbers.iter().map(|&number| (number, sum(assembly))).collect::<Vec<_>>();
    source.assemblies = facts.assemblies.iter().flat_map(each).collect();
    let cell = request.images.cell(&source.file, facts.cell).map_err(refuse.images)?;
    if let (true, Some(cell)) = (request.images.wrap, &cell)
        && !images::wrap(&mut table, cell)
    {
        notes.push(format!("{}: --wrap changes nothing: all rows are in the box", source.file));
    }
    if let (Some(flags), Some(cell)) = (molecule_keys.flags, &cell)
        && !molecules::unwrap(&mut table, cell, flags)
    {
        notes.push(format!("{}: --unwrap changes nothing: all image flags are 0", source.file));
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
        let note = molecules::join(&mut table, &mut bonds, &residues, cell, centered.as_deref());
        notes.extend(note.map(|note| format!("{}: {note}", source.file)));
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
    let says_radius =
        !matches!(request.wishes.radius, RadiusFrom::Data | RadiusFrom::Vdw) || !selected_radii.is_empty();
    let idle = [
        ("bond-radius", bond_radius.is_some()),
        ("ball-scale", ball_scale.is_some()),
        // a description counts bonds; without them, a small molecule has another style
        ("bonds", !(describe || rule == BondRule::Auto || rule == BondRule::None && may_guess)),
    ];
    if !has_sticks {
        let idle = idle.iter().filter(|(_, is_given)| *is_given);
        notes.extend(idle.map(|(flag, _)| {
            let reason = "no bonds are drawn; --style ball-and-stick draws them";
            format!("{}: --{flag} changes nothing: {reason}", source.file)
        }));
    } else if bonds.is_empty() {
        notes.push(format!("{}: no bonds were found; {}", source.file, why_no_bonds(rule, &plan)));
    } else if has_only_sticks(&styles, table.rows(), &bonds) {
        let of_balls = [
            ("radius", says_radius, "--bond-radius is the radius of sticks"),
            ("ball-scale", ball_scale.is_some(), "sticks have no balls; --style ball-and-stick has"),
        ];
        let idle = of_balls.iter().filter(|(_, is_given, _)| *is_given);
        notes.extend(idle.map(|(flag, _, reason)| format!("{}: --{flag} changes nothing: {reason}", source.file)));
    }
    let along = match request.look_along {
        None => None,
        Some(axis) => Some(view_along(axis, &table, facts.cell, (&source.file, along.as_deref()))?),
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

/// Whether every row is at the end of a stick, so that no balls are drawn.
fn has_only_sticks(styles: &[MoleculeStyle], rows: usize, bonds: &[Bond]) -> bool {
    let mut has_bond = vec![false; rows];
    bonds.iter().flat_map(|bond| bond.atoms).for_each(|row| has_bond[row as usize] = true);
    styles.iter().all(|style| *style == MoleculeStyle::Sticks) && !has_bond.contains(&false)
}

/// The direction of view along an edge of the box, or a principal axis of some rows or of all.
fn view_along(
    axis: &ViewAxis,
    table: &Table<'_>,
    cell: Option<Cell>,
    (file, rows): (&str, Option<&[bool]>),
) -> Result<[Vec3; 2]> {
    match axis {
        ViewAxis::CellEdge(edge) => {
            let message = || format!("along an edge is for a periodic box, which {file} does not have");
            let cell = cell.ok_or_else(|| Error::setting("view", message()))?;
            Ok(view_axis::along_edge(&cell, *edge))
        }
        ViewAxis::Principal { axis, .. } => {
            let is_meant = |row: usize| rows.is_none_or(|rows| rows[row]);
            let places = table.space().enumerate().filter(|(row, _)| is_meant(*row)).map(|(_, place)| place);
            let axes = principal_axes(places).ok_or_else(|| {
                Error::setting("view", "along a principal axis needs two rows or more that do not lie in one place")
            })?;
            Ok(view_axis::along_principal(axes, *axis))
        }
    }
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

/// Paints rows as they are read, if nothing else is made of them.
fn painter(plan: &Plan) -> Option<Painter> {
    let has_names = plan.wanted.columns.iter().any(|want| want.kind == Kind::Name);
    // the legend marks values beyond a given range
    let has_legend = matches!(plan.color, Coloring::Numbers { .. });
    if !plan.is_solid() || has_names || has_legend { None } else { row_shapes::painter(&plan.color, &plan.size) }
}

/// Columns of names that a description counts.
struct NamedColumns {
    chains: Option<usize>,
    residues: Option<usize>,
    elements: Option<usize>,
}

impl DataSource {
    /// Describes the rows of a file: names, bounding box and periodic box.
    fn describe_rows(&mut self, table: &Table<'_>, cell: Option<Cell>, columns: NamedColumns) {
        let counted = |column: Option<usize>| column.map(|column| present(table, column)).unwrap_or_default();
        self.bounds = bounds(table);
        self.chains = counted(columns.chains).into_iter().map(|(name, _)| name).collect();
        (self.residues, self.residue_atoms) = counted(columns.residues).into_iter().unzip();
        self.elements = columns.elements.map(|column| element_counts(table, column)).unwrap_or_default();
        self.periodic = cell.map_or([false; 3], |cell| cell.periodic);
        self.cell = cell.map(|cell| cell.lengths_and_angles().into());
    }
}

/// Names that rows have, in the order of their first rows, and how many have each.
fn present(table: &Table<'_>, column: usize) -> Vec<(String, u64)> {
    let names = &table.columns[column].names;
    let mut counts = vec![0_u64; names.len()];
    table.codes(column).flatten().for_each(|code| counts[code as usize] += 1);
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
