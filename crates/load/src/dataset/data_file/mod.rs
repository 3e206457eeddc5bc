//! A file of data as a table: the columns that a picture needs, and the rows that are drawn.

mod description;
mod drawn_rows;
mod file_columns;
mod joined_atoms;
mod labels;
mod legend;
mod notes;
mod plane;
mod read;

use glam::{DVec3, Vec3};

use crate::color::maps::ColorMap;
use crate::color::{ColorKey, Scale, Srgba8};
use crate::data::{BondRule, NumberSource, Table};
use crate::dataset::attached;
use crate::dataset::attached::Attached;
use crate::dataset::copied_rows::CopiedRows;
use crate::dataset::copies;
use crate::dataset::copies::{Chains, ColorsByPlace, PlaceSource};
use crate::dataset::describe::DataSource;
use crate::dataset::images::{BadImages, Images};
use crate::dataset::selected_rows::{HighlightedRows, Selected, highlight};
use crate::dataset::sticks::Stick;
use crate::dataset::window::FocusRows;
use crate::error::{Error, Result};
use crate::figure::LegendPart;
use crate::formats::Format;
use crate::formats::facts::{Assembly, Facts};
use crate::formats::request::{FileHints, FrameRequest};
use crate::geom::{Origin, single};
use crate::memory_quota::Quota;
use crate::options::camera::Stance;
use crate::options::molecule_style::MoleculeStyle;
use crate::options::view_axis::ViewAxis;
use crate::rows::colors;
use crate::rows::colors::Colors;
use crate::rows::column_plan::{Coloring, ColumnRefusal, ColumnRequest, Plan, Sizing};
use crate::rows::computed::ComputedColumn;
use crate::rows::glyphs;
use crate::rows::glyphs::{GlyphColumns, GlyphRequest, RowArrows, RowShape};
use crate::rows::row_notes::{FileNotes, RowLooks};
use crate::rows::row_shapes;
use crate::rows::row_shapes::{Radii, Spread};
use crate::rows::row_tally::RowTally;
use crate::rows::selections::{BadSelection, Selections};
use crate::scene::spheres::{PaintedSphere, Pose, Shapes, SphereGroup, SphereStore, StandardView, UpAxis};

pub(crate) use crate::dataset::data_file::joined_atoms::JoinedAtoms;
pub(crate) use crate::dataset::data_file::plane::Painted;
pub(crate) use crate::dataset::data_file::read::read;

/// The file to read and the parts of it to keep.
#[derive(Clone, Debug)]
pub(crate) struct Request<'a> {
    pub(crate) format: Format,
    pub(crate) hints: FileHints,
    pub(crate) column_request: &'a ColumnRequest,
    pub(crate) selections: &'a Selections,
    /// The axis of the data that points to the eye.
    pub(crate) look_along: Option<&'a ViewAxis>,
    /// Columns that the caller computes.
    pub(crate) computed: &'a [ComputedColumn],
    pub(crate) images: Images,
    /// The number of the biological assembly to build.
    pub(crate) assembly: Option<u32>,
    /// Number of frames to average positions over, if more than one.
    pub(crate) smooth: Option<u32>,
    pub(crate) extent: FrameRequest,
    /// The origin to subtract from positions; `None` chooses one that suits the rows.
    pub(crate) origin: Option<Origin>,
    pub(crate) bonds: &'a BondRequest,
    pub(crate) glyphs: &'a GlyphRequest,
    /// The scales of the axes of the plane.
    pub(crate) scales: [Scale; 2],
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

/// How much of a file is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// Only the columns that drawing needs.
    Draw,
    /// To the end, with all columns, for a description.
    Describe,
}

pub(crate) struct DataFile {
    /// The rows that are drawn; their number alone, if they have been painted.
    pub(crate) table: Table<'static>,
    /// The rows, if they were painted as they were read.
    spheres: SphereStore<'static>,
    /// The origin that is subtracted as rows become shapes.
    pub(crate) origin: Origin,
    /// Whether the file stores places in 32 bits.
    has_single_places: bool,
    pub(crate) plan: Plan,
    pub(crate) facts: Facts,
    pub(crate) source: DataSource,
    columns: KnownColumns,
    /// What selections change about rows of the table.
    selected: Selected,
    /// Colours of rows; a category's colour does not depend on the drawn rows.
    pub(crate) colors: Colors,
    /// Radii of rows, the same whichever rows are drawn.
    pub(crate) radii: Radii,
    pub(crate) of_file: RowOrigins,
    pub(crate) molecule: JoinedAtoms,
    sight: RowSight,
    pub(crate) glyphs: RowGlyphs,
    /// Notes for the user, one sentence each.
    pub(crate) notes: Vec<String>,
}

/// Columns with meanings of their own.
struct KnownColumns {
    /// The names of the columns of coordinates; none if the format defines positions.
    axes: Vec<String>,
    /// The chains of rows, for assemblies and outlines.
    chains: Option<usize>,
    /// The parts that outlines separate.
    parts: Option<usize>,
    /// The distances to the middle of all rows, if they were computed.
    distances: Option<usize>,
}

/// From which rows of the file the rows of the table come.
pub(crate) struct RowOrigins {
    /// For each row that has a position, whether it is in the table; empty if all are.
    pub(crate) kept: Vec<bool>,
    /// Of what the rows are copies, if copies are rows of their own.
    pub(crate) copied: Option<CopiedRows>,
}

/// The axis and the rows that the camera looks at.
struct RowSight {
    /// Directions towards the eye and up, if an axis of the data gives them.
    along: Option<[Vec3; 2]>,
    /// The residue of each row, by number, if some are in focus.
    residues: Vec<u32>,
    /// The rows of each stick, once they are made and if some rows are in focus.
    sticks: Vec<[u32; 2]>,
}

/// Ellipsoids, cylinders and arrows at rows.
pub(crate) struct RowGlyphs {
    columns: GlyphColumns,
    request: GlyphRequest,
    /// The meaning of arrows, once they are made.
    pub(crate) arrow_legend: Vec<LegendPart>,
}

/// The rows of a file as spheres.
pub(crate) struct Built {
    pub(crate) groups: Vec<SphereGroup<'static>>,
    /// Bonds, ellipsoids and arrows, with the places of their groups of spheres among these.
    pub(crate) shapes: Shapes<'static>,
    /// The meaning of colours that depend on where copies stand.
    pub(crate) colors: Option<ColorKey>,
    /// Rings around ellipsoids among the shapes; copies count.
    pub(crate) rings: u64,
}

/// Makes errors of requests that a file cannot grant.
pub(crate) struct Refuse<'a> {
    pub(crate) column: &'a dyn Fn(ColumnRefusal) -> Error,
    pub(crate) selection: &'a dyn Fn(BadSelection) -> Error,
    pub(crate) images: &'a dyn Fn(BadImages) -> Error,
}

impl DataFile {
    /// Turns the rows into spheres, highlights in their colours, and the shapes that go with them. Spheres that were
    /// painted as rows were read are handed out once.
    pub(crate) fn make_spheres(&mut self) -> (SphereStore<'static>, Attached) {
        if !self.spheres.is_empty() {
            let mut spheres = std::mem::replace(&mut self.spheres, Vec::new().into());
            if let Some(alpha) = self.selected.alphas.one() {
                spheres.set_alpha(alpha);
            }
            return (spheres, Attached::default());
        }
        let mut spheres = row_shapes::spheres(&self.table, self.origin, &self.colors, &self.radii);
        self.selected.alphas.apply(&mut spheres, |sphere| &mut sphere.color);
        highlight(&mut spheres, &self.selected.highlights, |sphere| &mut sphere.color);
        self.selected.alphas.restore(&mut spheres, |sphere| &mut sphere.color);
        for (rows, radius) in &self.selected.radii {
            let chosen = spheres.iter_mut().zip(rows).filter(|(_, selected)| **selected);
            chosen.for_each(|(sphere, _)| sphere.radius = *radius);
        }
        // arrows without particles are as long and as thick as beside them
        let left_out = self.molecule.leaves_out_any().then(|| glyphs::median_radius(&spheres)).flatten();
        let has_radius = |row: usize| self.selected.radii.iter().any(|(rows, _)| rows[row]);
        let sticks = self.molecule.join(&mut spheres, has_radius, self.plan.is_molecule());
        let RowGlyphs { columns, request, arrow_legend } = &mut self.glyphs;
        let is_suited = self.plan.size == Sizing::Suited;
        let RowArrows { mut arrows, legend } = columns.arrows(&self.table, request, is_suited, &spheres, left_out);
        *arrow_legend = legend;
        let cylinders = columns.cylinders(&self.table, self.origin, request, is_suited, &spheres);
        let ellipsoids = match request.probability {
            Some(probability) => {
                columns.displacements(&self.table, &self.facts.displacements).ellipsoids(probability, &mut spheres)
            }
            None => columns.ellipsoids(&self.table, &mut spheres),
        };
        glyphs::begin_on_ellipsoids(&mut arrows, &ellipsoids);
        if request.rows != RowShape::Sphere {
            // only the colours and parts of these spheres are used
            spheres.iter_mut().for_each(|sphere| sphere.radius = 0.0);
        }
        let mut attached = Attached { sticks, cylinders, ellipsoids, arrows, has_rings: request.has_rings };
        if let Some(copied) = &self.of_file.copied {
            copied.turn(&mut attached, self.origin);
        }
        (spheres.into(), attached)
    }

    /// Whether nothing but spheres and sticks stands for rows: no arrows, ellipsoids or cylinders.
    pub(crate) fn has_plain_rows(&self) -> bool {
        self.glyphs.columns.is_empty() && self.glyphs.request.rows == RowShape::Sphere
    }

    /// Whether a row has no style, and nothing else is drawn there.
    pub(crate) fn is_left_out(&self, row: usize) -> bool {
        self.has_plain_rows() && self.molecule.style(row) == Some(MoleculeStyle::None)
    }

    /// Whether nothing in the picture has the colour of a row: it has no style, and arrows have colours of their own.
    pub(crate) fn is_colorless(&self, row: usize) -> bool {
        let RowGlyphs { columns, request, .. } = &self.glyphs;
        self.molecule.style(row) == Some(MoleculeStyle::None) && !columns.have_row_colors(request)
    }

    /// Whether the rows fill the periodic box of a simulation (not the crystal cell of a macromolecule).
    pub(crate) fn fills_cell(&self) -> bool {
        self.facts.cell.is_some() && self.columns.chains.is_none()
    }

    /// Whether water is hidden by default.
    pub(crate) fn hides_water(&self) -> bool {
        self.selected.hidden_water > 0
    }

    /// The default view, and the focus. Up is z of particles, simulations and membranes, y of molecules.
    pub(crate) fn stance(&self) -> Stance {
        let has_z_up = !self.plan.is_molecule() || self.fills_cell() || self.selected.is_membrane;
        let up = if has_z_up { UpAxis::Z } else { UpAxis::Y };
        let stance = Stance::of(up, self.fills_cell(), self.selected.is_membrane);
        // molecules and flat boxes are seen along z, as the box stands
        let sees_top = self.selected.has_residues || self.facts.cell.is_some_and(|cell| cell.is_flat());
        let view = if stance.view == StandardView::Iso && sees_top { StandardView::Top } else { stance.view };
        Stance { view, focus: self.focus(), along: self.sight.along, ..stance }
    }

    /// The radius that was chosen for all rows, if none was given.
    pub(crate) fn suited_radius(&self) -> Option<f32> {
        match (&self.plan.size, &self.radii) {
            (Sizing::Suited | Sizing::Vdw { or_suited: true, .. }, Radii::Constant(radius)) => Some(*radius),
            _ => None,
        }
    }

    /// The rows in focus, whose spheres are the group with this index.
    pub(crate) fn focus_rows(&self, group: usize) -> Option<FocusRows> {
        let RowSight { residues, sticks, .. } = &self.sight;
        let contacts = self.molecule.contact_lines.lines().to_vec();
        let (residues, sticks) = (residues.clone(), sticks.clone());
        self.selected.focus.as_ref().map(|rows| FocusRows { group, rows: rows.clone(), residues, sticks, contacts })
    }

    /// A note if neighbours may be drawn as one: 32 bits, of the file or of the scene, do not tell places a quarter of a
    /// radius apart. Some thousand rows are asked.
    pub(crate) fn coarse(&self, groups: &[SphereGroup<'_>]) -> Option<String> {
        let spheres = &groups.first()?.spheres;
        let sample: Vec<PaintedSphere> = (0..spheres.len().min(Origin::SAMPLE)).map(|row| spheres.at(row)).collect();
        let mut radii: Vec<f32> = sample.iter().map(|sphere| sphere.radius).filter(|radius| *radius > 0.0).collect();
        radii.sort_unstable_by(f32::total_cmp);
        let radius = radii.get(radii.len() / 2)?;
        let greatest = |places: &mut dyn Iterator<Item = [f64; 3]>| {
            places.flatten().map(f64::abs).filter(|along| along.is_finite()).fold(0.0, f64::max)
        };
        let reach = greatest(&mut sample.iter().map(|sphere| sphere.center.map(f64::from)));
        let far = greatest(&mut sample.iter().map(|sphere| self.origin.added(sphere.center)));
        let single_step = |along: f64| f64::from(single(along).next_up()) - f64::from(single(along));
        let stored = if self.has_single_places { single_step(far) } else { far.next_up() - far };
        let step = stored.max(single_step(reach));
        let bits = if stored < step || self.has_single_places { 32 } else { 64 };
        (step > 0.25 * f64::from(*radius)).then(|| {
            let file = &self.source.file;
            format!("{file}: places are told apart in steps of {step}: {bits} bits have no more digits so far from the others, or from 0")
        })
    }

    /// A note if one sphere with a radius from a column contains most of the others.
    pub(crate) fn overgrown(&self, groups: &[SphereGroup<'_>]) -> Option<String> {
        let (Sizing::Column(_) | Sizing::DataUnits(_), [group]) = (&self.plan.size, groups) else { return None };
        row_shapes::overgrown(&self.source.file, &group.spheres)
    }

    fn focus(&self) -> Option<PaintedSphere> {
        let rows = self.selected.focus.as_ref()?;
        let places = || self.table.space().zip(rows).filter(|(_, selected)| **selected).map(|(place, _)| place);
        let spread = Spread::of_places(places());
        let [least, most] = spread.corners().map(DVec3::from);
        let middle = 0.5 * (least + most);
        let square = |place: [f64; 3]| (DVec3::from(place) - middle).length_squared();
        let radius = places().map(square).fold(0.0, f64::max).sqrt();
        let center = self.origin.subtracted(middle.to_array());
        (spread.count > 0).then(|| PaintedSphere::new(center, single(radius), Srgba8::BLACK))
    }

    /// Whether the coordinates of the plane are degrees, by the names of their columns.
    pub(crate) fn is_in_degrees(&self) -> bool {
        is_in_degrees(&self.columns.axes)
    }

    /// The names of the columns of coordinates; none if the format defines positions.
    pub(crate) fn axis_names(&self) -> &[String] {
        &self.columns.axes
    }

    /// The names that take colours of a palette, in this order.
    pub(crate) fn categories(&self) -> Vec<String> {
        colors::names_in_order(self.plan.categories.order.len(), &self.table, &self.plan.color)
    }

    /// Whether radii of circles are lengths in the units of the coordinates.
    pub(crate) fn has_lengths(&self) -> bool {
        self.radii.is_in_data_units()
    }

    /// The numbers at the ends of the ramp of colours, or of its part that has numbers.
    pub(crate) fn ramp_ends(&self) -> Option<[f64; 2]> {
        self.colors.ramp_ends()
    }

    /// The note on numbers beyond a range of colours that several files have in common and nobody has given.
    pub(crate) fn note_of_common_range(&self, file: &str) -> Option<String> {
        let mut plan = self.plan.clone();
        match &mut plan.color {
            Coloring::Numbers { source: NumberSource::Column(_), range, .. } => *range = None,
            _ => return None,
        }
        let tally = &RowTally::of_table(&self.table, &self.colors, &self.radii);
        let mut notes = FileNotes { file: file.to_owned(), list: Vec::new() };
        RowLooks { plan: &plan, table: &self.table, colors: &self.colors, tally }.note_range(&mut notes);
        notes.list.pop()
    }

    /// Whether columns of radii make ellipsoids of rows.
    pub(crate) fn has_shapes(&self) -> bool {
        self.glyphs.columns.has_shapes()
    }

    /// Turns the rows into groups with their chains as parts: copies of an assembly and periodic images, whose colours
    /// by position are their own. `subject` begins messages about the budget.
    pub(crate) fn make_groups(
        &mut self,
        assembly: Option<&(Chains, Assembly)>,
        images: Images,
        quota: &Quota,
        subject: impl Fn() -> String,
    ) -> Result<Built> {
        let has_copies = assembly.is_some() || images.copies() > 1 || self.of_file.copied.is_some();
        let by_place = self.colors_by_place(assembly).filter(|_| has_copies);
        let (groups, attached) = match assembly {
            None => {
                let parts = self.parts();
                let (spheres, attached) = self.make_spheres();
                if self.selected.focus.is_some() {
                    self.sight.sticks = attached.sticks.iter().map(Stick::atoms).collect();
                }
                let group = SphereGroup::new(spheres, &[Pose::IDENTITY][..]).with_parts(parts);
                (vec![group.with_gloss(self.selected.gloss.clone())], vec![attached])
            }
            Some((chains, assembly)) => {
                let (mut spheres, attached) = self.make_spheres();
                let parts = copies::rows_kept(chains, assembly);
                let attached = parts.iter().map(|kept| attached.kept(kept)).collect();
                (copies::groups(spheres.to_mut(), &self.parts(), &self.selected.gloss, chains, assembly), attached)
            }
        };
        let groups = images.replicate(groups, self.facts.cell, quota, &subject)?;
        let bytes: u64 = attached.iter().map(Attached::bytes).sum();
        quota.check_memory(bytes, || format!("{} has bonds, ellipsoids or arrows", subject()))?;
        let rings = groups.iter().zip(&attached).map(|(group, attached)| attached.rings(group)).sum();
        let Some(by_place) = by_place else {
            let shapes = attached::shapes(&groups, &attached);
            return Ok(Built { groups, shapes, colors: None, rings });
        };
        let (painted, ends) = by_place.paint(&groups, quota, &subject)?;
        let shapes = attached::shapes_in_place(&painted, &attached, &groups);
        let colors = self.meanings(None).0.map(|key| match key {
            ColorKey::Numbers { name, map, scale, alpha, .. } => {
                let map = ColorMap::from_name(map).unwrap_or(ColorMap::VIRIDIS);
                ends.key(name, map, scale, alpha)
            }
            categories => categories,
        });
        Ok(Built { groups: painted, shapes, colors, rings })
    }

    /// Colours by position or index, which differ between the copies of a row.
    fn colors_by_place(&self, assembly: Option<&(Chains, Assembly)>) -> Option<ColorsByPlace> {
        let Coloring::Numbers { source, map, range, scale, .. } = self.plan.color else { return None };
        let source = match source {
            NumberSource::Axis(axis) => PlaceSource::Axis(axis),
            NumberSource::Index => PlaceSource::Index,
            NumberSource::Column(column) if self.columns.distances == Some(column) => PlaceSource::Distance,
            NumberSource::Column(column) => {
                // a file may have its coordinates as columns, too
                let axis = ["x", "y", "z"].iter().position(|axis| self.table.columns[column].name == *axis);
                PlaceSource::Axis(axis?)
            }
        };
        let mut marks = if self.selected.highlights.is_empty() { Vec::new() } else { vec![false; self.table.rows()] };
        for HighlightedRows { rows, .. } in &self.selected.highlights {
            marks.iter_mut().zip(rows).for_each(|(mark, selected)| *mark |= selected);
        }
        let rows = assembly.map(|(chains, assembly)| copies::rows(chains, assembly)).unwrap_or_default();
        Some(ColorsByPlace { source, map, range, scale, marks, rows, origin: self.origin })
    }

    /// The part of each row, as a number: its chain, by the name that selections use. Outlines separate parts.
    fn parts(&self) -> Vec<u32> {
        let parts = self.columns.parts.map(|column| Chains::new(&self.table, column).codes).unwrap_or_default();
        match &self.of_file.copied {
            Some(copied) => copied.parts(parts),
            None => parts,
        }
    }

    /// The assembly of that number and the chains of the rows, or the rule that the number breaks.
    pub(crate) fn assembly(&self, number: u32) -> Result<(Chains, Assembly), String> {
        let chains = self.columns.chains.map(|column| Chains::new(&self.table, column)).unwrap_or_default();
        let assembly = copies::assembly(&self.source.file, &self.facts, &chains, number)?;
        Ok((chains, assembly.relative_to(self.origin)))
    }
}

/// A note on points outside of the picture, and why they are.
pub(crate) fn cropped(file: &str, outside: usize, all: usize, reason: &str) -> Option<String> {
    let are = if outside == 1 { "is" } else { "are" };
    (outside > 0).then(|| format!("{file}: {outside} of {all} points {are} {reason}"))
}

/// Whether two coordinates are degrees, by the names of their columns.
fn is_in_degrees(axes: &[String]) -> bool {
    const LONGITUDES: [&str; 4] = ["longitude", "lon", "long", "lng"];
    const LATITUDES: [&str; 2] = ["latitude", "lat"];
    let [x, y] = axes else { return false };
    // also as a part of a name, such as from_lon
    let is_one_of = |name: &str, names: &[&str]| {
        let mut parts = name.split(|letter: char| !letter.is_alphanumeric());
        parts.any(|part| names.iter().any(|known| known.eq_ignore_ascii_case(part)))
    };
    is_one_of(x, &LONGITUDES) && is_one_of(y, &LATITUDES)
}
