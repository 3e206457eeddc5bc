//! Reads a data file: chooses its columns, places and selects its rows, and collects notes.

use glam::{DVec3, Vec3};

use crate::color::Scale;
use crate::data::{Alternate, Bond, Cell, Kind, Summary, Table};
use crate::dataset::contacts;
use crate::dataset::contacts::{ContactLines, FoundContacts};
use crate::dataset::copied_rows::{CopiedPart, CopiedRows};
use crate::dataset::copies;
use crate::dataset::copies::Chains;
use crate::dataset::data_file::description;
use crate::dataset::data_file::description::NamedColumns;
use crate::dataset::data_file::drawn_rows::KeptRows;
use crate::dataset::data_file::file_columns::{FileColumns, Needs, guesses_small};
use crate::dataset::data_file::{
    BondRequest, DataFile, JoinedAtoms, KnownColumns, Refuse, Request, RowGlyphs, RowOrigins, RowSight,
};
use crate::dataset::describe::DataSource;
use crate::dataset::images::BadImages;
use crate::dataset::molecules;
use crate::dataset::sticks::StickSizes;
use crate::dataset::{alternates, bonding, images};
use crate::error::{Error, Result};
use crate::formats;
use crate::formats::facts::{Assembly, Facts};
use crate::formats::reading::{Destination, Reading};
use crate::formats::request::{Contents, FrameRequest};
use crate::formats::wanted::{Axes, Header};
use crate::geom::Origin;
use crate::memory_quota::Quota;
use crate::options::molecule_style::MoleculeStyle;
use crate::options::orientation::principal_axes;
use crate::options::view_axis;
use crate::options::view_axis::ViewAxis;
use crate::rows::canvas::on_scales;
use crate::rows::colors::Colors;
use crate::rows::column_plan::{Coloring, Plan, RadiusFrom};
use crate::rows::computed::TrajectoryFrame;
use crate::rows::computed_places::rows_with_places;
use crate::rows::glyphs::RowShape;
use crate::rows::row_notes::FileNotes;
use crate::rows::row_shapes::Radii;
use crate::rows::row_tally::RowTally;
use crate::rows::smoothing::OtherFrames;
use crate::scene::spheres::{Pose, SphereStore};
use crate::source::input::Input;

/// Molecules of at most this many atoms are drawn as balls and sticks.
const SMALL_MOLECULE: usize = 200;

/// Upper bound of the bytes that an atom of a molecule takes in a table while bonds are found.
const BONDING: u64 = 320;

/// Reads a file; `check` may refuse the plan before all is read.
pub(crate) fn read(
    input: Input,
    request: &Request<'_>,
    refuse: &Refuse<'_>,
    check: &dyn Fn(&Plan) -> Result<()>,
) -> Result<DataFile> {
    request.images.check().map_err(refuse.images)?;
    let (file, quota) = (input.name.clone(), input.quota);
    let others = OtherFrames {
        files: input.files.clone(),
        path: input.path.clone(),
        format: request.format,
        hints: request.hints.clone(),
        quota,
    };
    let needs = Needs::of(request, input.is_short());
    let extent = FrameRequest { bonds: needs.bonds, displacements: needs.ellipsoids, ..request.extent };
    let mut columns = None;
    let mut reading = Reading::table(&file, extent, quota, |header| {
        let (found, choice) = FileColumns::choose(&file, header, request, needs, refuse, check)?;
        columns = Some(found);
        Ok(choice)
    });
    reading.hints = request.hints.clone();
    reading.set_origin(request.origin);
    if needs.description {
        reading.destination = Destination::TableAndSummaries;
    }
    formats::read(request.format, input, &mut reading)?;
    let Contents { header, facts, table, spheres, summaries, alternates, unplaced, origin, .. } = reading.finish();
    let mut draft = Draft {
        quota,
        request,
        refuse,
        needs,
        columns: columns.expect("every reader says which fields there are"),
        notes: FileNotes { file, list: facts.notes.iter().chain(&facts.incomplete).cloned().collect() },
        header,
        facts,
        table,
        is_painted: !spheres.is_empty(),
        kept: Vec::new(),
        images: Vec::new(),
        bonds: Vec::new(),
    };
    let misplaced = draft.complete_table(&others)?;
    let rows = draft.table.rows();
    draft.drop_alternates(&alternates);
    draft.note_unused(unplaced + misplaced);
    let has_places = draft.columns.plan.wanted.axes != Axes::None;
    if draft.table.rows() == 0 && has_places && !draft.facts.is_empty_frame {
        return Err(Error::input(&draft.notes.file, None, "no row has coordinates"));
    }
    let source = draft.source(rows - draft.table.rows(), &summaries);
    draft.drop_shapeless();
    draft.drop_off_scale()?;
    draft.finish(source, spheres, origin)
}

pub(crate) struct Draft<'a> {
    /// The memory that is left.
    quota: Quota,
    pub(crate) request: &'a Request<'a>,
    refuse: &'a Refuse<'a>,
    pub(crate) needs: Needs,
    pub(crate) columns: FileColumns,
    pub(crate) header: Header,
    pub(crate) facts: Facts,
    pub(crate) table: Table<'static>,
    /// Whether rows were painted as they were read: then the table has their number alone.
    pub(crate) is_painted: bool,
    /// For each row that has a position, whether it is in the table; empty if all are.
    kept: Vec<bool>,
    /// For each row that has a position, which symmetry image it belongs to, as in [`Alternate::image`]; empty if none
    /// does.
    images: Vec<u32>,
    pub(crate) bonds: Vec<Bond>,
    pub(crate) notes: FileNotes,
}

impl Draft<'_> {
    /// Averages positions, and adds the columns that are computed from others. Returns the number of rows that are left out, because
    /// they have no computed coordinates.
    fn complete_table(&mut self, others: &OtherFrames) -> Result<u64> {
        let Self { facts, table, .. } = self;
        if let Some(frames) = self.request.smooth
            && others.smooth(&self.notes.file, frames, facts.times.frame, facts.cell.as_ref(), table)? == 1
        {
            let is_alone = frames == 1;
            let reason = if is_alone { "one frame is its own mean" } else { "there are no frames around it" };
            self.notes.add_idle("smooth", reason);
        }
        if let Some(computed) = &self.columns.computed {
            let cell = self.facts.cell.as_ref().filter(|_| self.header.chains.is_none());
            let (file, wanted) = (self.notes.file.as_str(), &self.columns.plan.wanted);
            let table = std::mem::take(&mut self.table);
            let since = |since: FrameRequest| {
                // unwrapped coordinates say the whole way
                let cell = cell.filter(|_| !self.facts.is_unwrapped);
                others.displacements(file, since, self.facts.times.frame, cell)
            };
            let frame = TrajectoryFrame { cell, number: self.facts.times.frame, since: &since };
            self.table = computed.complete(file, &self.header, wanted, table, &frame)?;
            let placed = rows_with_places(&self.table);
            self.table.retain(&placed);
            return Ok(placed.iter().filter(|placed| !**placed).count() as u64);
        }
        Ok(0)
    }

    /// Keeps one of the alternate locations of each atom.
    fn drop_alternates(&mut self, alternates: &[Alternate]) {
        if !self.is_painted {
            self.kept = alternates::kept(self.table.rows(), alternates);
            self.images = alternates::images(self.table.rows(), alternates);
            let is_lost = |alternate: &&Alternate| alternate.is_disordered() && !self.kept[alternate.row];
            let lost = alternates.iter().filter(is_lost).count();
            if lost > 0 {
                let left_out = if lost == 1 { "1 atom is" } else { &format!("{lost} atoms are") };
                self.notes.add(format_args!("of disordered groups the most occupied is drawn: {left_out} left out"));
            }
            self.table.retain(&self.kept);
        }
    }

    /// Leaves out rows without the numbers of their shape. Spheres stay; a note counts those without an arrow.
    fn drop_shapeless(&mut self) {
        if self.is_painted {
            return;
        }
        let Some((shaped, numbers)) = self.columns.glyphs.shaped(&self.table, self.request.glyphs) else { return };
        let lost = shaped.iter().filter(|shaped| !**shaped).count();
        let is_sphere = self.request.glyphs.rows == RowShape::Sphere;
        if lost == 0 {
            return;
        }
        self.notes.add_shapeless(lost, numbers, is_sphere);
        // without any row there is no picture
        if !is_sphere && lost < shaped.len() {
            self.table.retain(&shaped);
            keep(&mut self.kept, shaped);
        }
    }

    /// Leaves out rows without a place on the scales of the axes.
    fn drop_off_scale(&mut self) -> Result<()> {
        let scales = self.request.scales;
        if scales == [Scale::Linear; 2] || !matches!(self.columns.plan.wanted.axes, Axes::Plane(_)) {
            return Ok(());
        }
        let places = self.table.blocks.iter().flat_map(|block| block.plane().iter());
        let has_place = |place: &[f64; 2]| on_scales(scales, *place).iter().all(|along| along.is_finite());
        let placed: Vec<bool> = places.map(has_place).collect();
        let lost = placed.iter().filter(|placed| !**placed).count();
        if lost == placed.len() {
            let message = "no row has a place on the scales of x and y; on a logarithmic scale numbers are positive";
            return Err(Error::input(&self.notes.file, None, message));
        }
        if lost > 0 {
            let lost = match lost {
                1 => "1 row without a place on the scales of x and y is left out".to_owned(),
                _ => format!("{lost} rows without a place on the scales of x and y are left out"),
            };
            self.notes.add(lost);
            self.table.retain(&placed);
            keep(&mut self.kept, placed);
        }
        Ok(())
    }

    fn source(&self, alternates: usize, summaries: &[Summary]) -> DataSource {
        let Self { facts, table, header, columns, .. } = self;
        let mut source = DataSource::new(self.notes.file.clone(), self.request.format, table.rows());
        source.models = facts.frames;
        source.times.clone_from(&facts.frame_times);
        source.time_unit = facts.times.unit;
        source.columns = header.names().map(str::to_owned).collect();
        for (axis, field) in columns.plan.wanted.axes.fields().iter().enumerate() {
            source.date_axes[axis] = header.fields.get(*field).is_some_and(|field| field.kind == Kind::Time);
        }
        let dates = header.fields.iter().filter(|field| field.kind == Kind::Time);
        source.dates = dates.map(|field| field.name.clone()).collect();
        source.alternates = alternates as u64;
        if self.needs.description {
            source.ranges = description::ranges(&header.fields, summaries);
            let named = NamedColumns { chains: columns.named.chains.or(columns.chains), ..columns.named };
            source.describe_rows(table, facts.cell, named);
        }
        // chains may have different numbers of copies
        let most = |assembly: &Assembly| assembly.parts.iter().map(|part| part.poses.len() as u64).max().unwrap_or(0);
        let each =
            |assembly: &Assembly| assembly.numbers.iter().map(|&number| (number, most(assembly))).collect::<Vec<_>>();
        source.assemblies = facts.assemblies.iter().flat_map(each).collect();
        source
    }

    /// Whether the rows fill the periodic box of a simulation.
    fn fills_cell(&self) -> bool {
        self.facts.cell.is_some() && self.header.chains.is_none()
    }

    /// Wraps, unwraps or joins rows in their periodic box, and finds bonds. Returns the box that bonds cross.
    fn place(&mut self) -> Result<Option<Cell>> {
        let Self { request, refuse, needs, .. } = *self;
        let cell = request.images.cell(&self.notes.file, self.facts.cell).map_err(refuse.images)?;
        if let (true, Some(cell)) = (request.images.wrap, &cell)
            && !images::wrap(&mut self.table, cell)
        {
            self.notes.add_idle("wrap", "all rows are in the box");
        }
        if let (true, Some(cell)) = (request.images.unwrap, &cell) {
            match self.columns.molecules.flags {
                _ if self.facts.is_unwrapped => {
                    self.notes.add_idle("unwrap", "the coordinates of the file are unwrapped");
                }
                Some(flags) => {
                    if !molecules::unwrap(&mut self.table, cell, flags) {
                        self.notes.add_idle("unwrap", "all image flags are 0");
                    }
                }
                None => {
                    let file = &self.notes.file;
                    let message = format!(
                        "is for image flags ix, iy and iz, which {file} does not have; --whole joins molecules"
                    );
                    return Err(Error::setting("unwrap", message));
                }
            }
        }
        let bond_cell = self.facts.cell.filter(|_| self.fills_cell() || needs.joins);
        let keys = self.columns.bonds.as_ref().filter(|_| !self.is_painted && (needs.bonds || needs.joins));
        let Some(keys) = keys else { return Ok(bond_cell) };
        let atoms = self.table.rows() as u64;
        let takes = || format!("{}: finding the bonds of {atoms} atoms", self.notes.file);
        if let Err(error) = self.quota.check_memory(atoms.saturating_mul(BONDING), takes) {
            if !needs.description {
                return Err(error);
            }
            let note =
                format_args!("the bonds of {atoms} atoms are not counted: more memory than the limit would be taken");
            self.notes.add(note);
            return Ok(bond_cell);
        }
        let (listed, rule) = (&self.facts.bonds, request.bonds.rule);
        let cell_of_bonds = bond_cell.as_ref();
        self.bonds = bonding::bonds(&self.table, keys, listed, &self.kept, &self.images, rule, cell_of_bonds);
        if let (true, Some(cell)) = (needs.joins, &cell) {
            let centered = self.columns.selections.centered(&self.table).transpose().map_err(refuse.selection)?;
            let residues = self.columns.molecules.residues(&self.table, keys);
            let note = molecules::join(&mut self.table, &mut self.bonds, &residues, cell, centered.as_deref());
            note.into_iter().for_each(|note| self.notes.add(note));
        }
        Ok(bond_cell)
    }

    /// Finds the contacts between rows, drawn or not: hidden hydrogens count.
    fn contacts(&self, cell: Option<&Cell>) -> Result<Vec<FoundContacts>> {
        let Self { request, columns, table, bonds, .. } = self;
        let (requests, keys) = (&request.selections.contacts, columns.bonds.as_ref());
        if self.is_painted || requests.is_empty() {
            return Ok(Vec::new());
        }
        contacts::find(requests, &columns.selections.contacts(table), table, keys, bonds, cell)
    }

    /// Makes a row of each copy of a row, if the caller tells copies apart.
    fn copy_rows(&mut self) -> Result<Option<CopiedRows>> {
        /// Upper bound of the bytes of a row, its columns aside.
        const ROW: u64 = 128;
        let Self { request, refuse, .. } = *self;
        let columns = self.columns.copies();
        if columns.is_empty() {
            return Ok(None);
        }
        let file = self.notes.file.as_str();
        let everything = || CopiedPart { kept: vec![true; self.table.rows()], poses: vec![Pose::IDENTITY] };
        let parts = match request.assembly {
            None => vec![everything()],
            Some(number) => {
                let chains = self.columns.chains.map(|column| Chains::new(&self.table, column)).unwrap_or_default();
                let assembly = copies::assembly(file, &self.facts, &chains, number)
                    .map_err(|rule| (refuse.images)(BadImages { key: "assembly", rule }))?;
                let kept = copies::rows_kept(&chains, assembly).into_iter().zip(&assembly.parts);
                kept.map(|(kept, part)| CopiedPart { kept, poses: part.poses.clone() }).collect()
            }
        };
        let images = &request.images;
        let shifts = self.facts.cell.map_or_else(|| vec![DVec3::ZERO], |cell| images.shifts(&cell));
        let rows = |part: &CopiedPart| {
            let kept = part.kept.iter().filter(|kept| **kept).count() as u64;
            kept.saturating_mul(part.poses.len() as u64)
        };
        let count = parts.iter().map(rows).fold(0_u64, u64::saturating_add).saturating_mul(images.copies());
        let takes = || format!("{file} has {count} spheres in copies");
        self.quota.check(count, 0, takes)?;
        let each = ROW + 8 * self.table.columns.len() as u64;
        let has_numbers = count <= u64::from(u32::MAX);
        self.quota.check_memory(if has_numbers { count.saturating_mul(each) } else { u64::MAX }, takes)?;
        let Plan { color, categories, .. } = &self.columns.plan;
        let known = |column| if color.names() == Some(column) { categories.order.clone() } else { Vec::new() };
        let columns: Vec<_> = columns.into_iter().map(|column| (column, known(column))).collect();
        let copied = CopiedRows::make(&mut self.table, &mut self.bonds, &parts, images, &shifts, &columns);
        Ok(Some(copied))
    }

    /// The table that colours and radii come from. Painted rows depend on no other rows: an empty table is enough for
    /// them.
    fn rows(&self) -> &Table<'static> {
        const NONE: &Table<'static> = &Table { columns: Vec::new(), blocks: Vec::new() };
        if self.is_painted { NONE } else { &self.table }
    }

    fn colors(&self) -> Colors {
        let Plan { color, categories, .. } = &self.columns.plan;
        Colors::after(categories.order.len(), self.rows(), color)
    }

    /// The view along an edge of the box, or a principal axis of some rows or of all, if the caller asks for one.
    fn view_along(&self, rows: Option<&[bool]>) -> Result<Option<[Vec3; 2]>> {
        Ok(match self.request.look_along {
            None => None,
            Some(ViewAxis::CellEdge(edge)) => {
                let file = &self.notes.file;
                let message = || format!("along an edge is for a periodic box, which {file} does not have");
                let cell = self.facts.cell.ok_or_else(|| Error::setting("view", message()))?;
                Some(view_axis::along_edge(&cell, *edge))
            }
            Some(ViewAxis::Principal { axis, .. }) => {
                let is_meant = |row: usize| rows.is_none_or(|rows| rows[row]);
                let places = self.table.space().enumerate().filter(|(row, _)| is_meant(*row)).map(|(_, place)| place);
                let axes = principal_axes(places).ok_or_else(|| {
                    Error::setting("view", "along a principal axis needs two rows or more that do not lie in one place")
                })?;
                Some(view_axis::along_principal(axes, *axis))
            }
        })
    }

    /// `painted` is the origin of rows that were painted.
    fn finish(mut self, mut source: DataSource, spheres: SphereStore<'static>, painted: Origin) -> Result<DataFile> {
        let BondRequest { bond_radius, ball_scale, .. } = *self.request.bonds;
        let bond_cell = self.place()?;
        let is_small = guesses_small(self.request) && is_bonded(self.table.rows(), &self.bonds);
        let mut radii = Radii::new(self.rows(), &self.columns.plan.size);
        let mut copied = self.copy_rows()?;
        // a radius for all rows follows from the distances within one copy
        if copied.is_some() && !matches!(radii, Radii::Constant(_)) {
            radii = Radii::new(self.rows(), &self.columns.plan.size);
        }
        // bonds between copies go from one box to the next
        let bond_cell = bond_cell.map(|cell| if copied.is_some() { self.request.images.around(cell) } else { cell });
        let mut contacts = self.contacts(bond_cell.as_ref())?;
        let is_guessed = self.columns.plan.is_molecule() && (is_small || self.needs.ellipsoids);
        self.note_ellipsoids();
        // categories have the same colours for any selection, while the range of numbers follows the drawn rows
        let is_by_number = matches!(self.columns.plan.color, Coloring::Numbers { .. });
        let colors = (!is_by_number).then(|| self.colors());
        let KeptRows { mut selected, backbone, bonds } = self.select()?;
        if !contacts.is_empty() {
            contacts::retain(&mut contacts, &bonding::places(&selected.kept));
        }
        self.note_antimeridian();
        self.note_broken(bond_cell);
        self.note_copies(&source);
        let has_own_radii = !matches!(self.request.column_request.radius, RadiusFrom::Data | RadiusFrom::Vdw);
        source.bonds = bonds;
        let styles = styles(std::mem::take(&mut selected.styles), is_guessed);
        let has_selected_radii = !selected.radii.is_empty();
        self.note_sticks(&styles, has_selected_radii);
        let along = self.view_along(selected.along.as_deref())?;
        let colors = colors.unwrap_or_else(|| self.colors());
        let tally = if self.is_painted {
            RowTally::of_painted(&spheres, &radii)
        } else {
            RowTally::of_table(&self.table, &colors, &radii)
        };
        self.note_rows(tally, &colors, has_selected_radii);
        if let Some(copied) = &mut copied {
            copied.retain(&selected.kept);
        } else if !self.kept.is_empty() {
            keep(&mut self.kept, std::mem::take(&mut selected.kept));
        }
        self.note_focus(selected.focus.as_deref());
        let keys = self.columns.focus.as_ref().filter(|_| selected.focus.is_some());
        let residues = keys.map(|keys| keys.residues(&self.table)).unwrap_or_default();
        let has_single_places = match self.columns.plan.wanted.axes {
            Axes::Space(fields) => {
                fields.iter().all(|field| self.header.fields.get(*field).is_some_and(|field| field.kind == Kind::F32))
            }
            Axes::Own => self.request.format.has_single_places(),
            Axes::None | Axes::Plane(_) => false,
        };
        let Self { request, needs, columns, facts, table, kept, bonds, notes, .. } = self;
        let FileColumns { plan, axes, computed, chains, parts, glyphs, .. } = columns;
        let origin = match spheres.is_empty() {
            true => request.origin.unwrap_or_else(|| Origin::of(table.space())),
            false => painted,
        };
        let mut data = DataFile {
            table,
            spheres,
            origin,
            has_single_places,
            facts,
            source,
            columns: KnownColumns {
                axes,
                chains,
                parts,
                distances: computed.and_then(|computed| computed.distances(&plan.wanted)),
            },
            selected,
            colors,
            radii,
            of_file: RowOrigins { kept, copied },
            molecule: JoinedAtoms {
                bonds,
                cell: bond_cell,
                styles,
                is_ball_and_stick: is_guessed,
                sizes: StickSizes { bond_radius, ball_scale, of_atoms: plan.is_molecule(), has_own_radii },
                backbone,
                contacts,
                contact_lines: ContactLines::default(),
            },
            sight: RowSight { along, residues, sticks: Vec::new() },
            glyphs: RowGlyphs { columns: glyphs, request: request.glyphs.clone(), arrow_legend: Vec::new() },
            notes: notes.list,
            plan,
        };
        if needs.description {
            (data.source.colors, data.source.highlights) = data.meanings(None);
        }
        Ok(data)
    }
}

/// Unmarks kept rows that are not left; without marks, all rows were kept.
fn keep(kept: &mut Vec<bool>, left: Vec<bool>) {
    if kept.is_empty() {
        *kept = left;
    } else {
        let mut left = left.into_iter();
        kept.iter_mut().filter(|kept| **kept).for_each(|kept| *kept = left.next().unwrap_or(true));
    }
}

/// The styles of rows: none, one for all, or one for each. `own` are the styles by selection.
fn styles(own: Vec<Option<MoleculeStyle>>, is_guessed: bool) -> Vec<MoleculeStyle> {
    let usual = if is_guessed { MoleculeStyle::BallAndStick } else { MoleculeStyle::Spacefill };
    if own.is_empty() {
        return if is_guessed { vec![usual] } else { Vec::new() };
    }
    own.into_iter().map(|style| style.unwrap_or(usual)).collect()
}

/// Whether the rows are a small molecule: at least three in four of its atoms have bonds.
fn is_bonded(rows: usize, bonds: &[Bond]) -> bool {
    let mut has_bond = vec![false; if rows <= SMALL_MOLECULE { rows } else { 0 }];
    for row in bonds.iter().flat_map(|bond| bond.atoms) {
        if let Some(has_bond) = has_bond.get_mut(row as usize) {
            *has_bond = true;
        }
    }
    4 * has_bond.iter().filter(|has_bond| **has_bond).count() >= 3 * rows && rows > 1
}
