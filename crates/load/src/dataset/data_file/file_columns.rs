//! Finds the columns that a picture needs in the header of a file.

use crate::data::{AtomKeys, BondRule, Kind};
use crate::dataset::bonding;
use crate::dataset::data_file::description::NamedColumns;
use crate::dataset::data_file::{Depth, Refuse, Request};
use crate::dataset::molecules::MoleculeKeys;
use crate::dataset::window::FocusKeys;
use crate::error::Result;
use crate::formats::painted::Painter;
use crate::formats::request::ColumnChoice;
use crate::formats::wanted::{Header, ValueRule};
use crate::formats::{Format, FormatKind};
use crate::options::molecule_style::MoleculeStyle;
use crate::rows::column_plan::{Coloring, Plan, RadiusFrom};
use crate::rows::computed::ComputedColumns;
use crate::rows::glyphs::{GlyphColumns, RowShape};
use crate::rows::row_shapes;
use crate::rows::selections::ResolvedSelections;

/// Kinds of content that a request needs besides positions, colours and radii.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Needs {
    pub(crate) description: bool,
    pub(crate) bonds: bool,
    pub(crate) ellipsoids: bool,
    /// Whether molecules are joined over periodic boundaries.
    pub(crate) joins: bool,
    pub(crate) atoms: bool,
    /// Whether the columns of atoms are read without bonds, too: for contacts and tubes.
    pub(crate) keys: bool,
    /// Whether a small molecule may become balls and sticks.
    pub(crate) may_guess: bool,
}

impl Needs {
    /// The needs of a request for a file; `is_short` if the whole file is read already.
    pub(crate) fn of(request: &Request<'_>, is_short: bool) -> Self {
        let description = request.depth == Depth::Describe;
        let styles = &request.selections.style;
        let ellipsoids = request.glyphs.probability.is_some();
        // a small file may hold a small molecule; its columns cost nothing
        let may_be_small = guesses_small(request) && is_short;
        let may_guess = (may_be_small || ellipsoids) && styles.iter().all(|(of, _)| of.is_some());
        let atoms = request.format.kind() == FormatKind::Atoms;
        let joins = atoms && request.images.joins_molecules();
        let has_contacts = !request.selections.contacts.is_empty();
        let has_sticks = styles.iter().any(|(_, style)| style.has_sticks());
        let uses_bonds = description || may_guess || joins || has_sticks || has_contacts;
        let keys = atoms && (has_contacts || styles.iter().any(|(_, style)| *style == MoleculeStyle::Trace));
        let bonds = atoms && request.bonds.rule != BondRule::None && uses_bonds;
        Self { description, bonds, ellipsoids, joins, atoms, keys, may_guess }
    }
}

/// Whether a small molecule is drawn as balls and sticks.
pub(crate) fn guesses_small(request: &Request<'_>) -> bool {
    request.bonds.guesses_style && matches!(request.column_request.radius, RadiusFrom::Data)
}

impl Request<'_> {
    /// Whether rows have copies.
    fn has_copies(&self) -> bool {
        self.assembly.is_some() || self.images.copies() > 1
    }
}

/// The columns of a file that a request uses.
pub(crate) struct FileColumns {
    pub(crate) plan: Plan,
    /// The names of the columns of coordinates, which may be computed.
    pub(crate) axes: Vec<String>,
    pub(crate) selections: ResolvedSelections,
    /// Computed columns, if the plan uses some.
    pub(crate) computed: Option<ComputedColumns>,
    /// Names of computed columns that the plan does not use.
    pub(crate) unused: Vec<String>,
    pub(crate) chains: Option<usize>,
    /// The chains of the authors, which outlines separate.
    pub(crate) parts: Option<usize>,
    pub(crate) named: NamedColumns,
    pub(crate) focus: Option<FocusKeys>,
    pub(crate) bonds: Option<AtomKeys>,
    pub(crate) molecules: MoleculeKeys,
    pub(crate) glyphs: GlyphColumns,
}

impl FileColumns {
    /// The columns with the numbers of copies.
    pub(crate) fn copies(&self) -> Vec<usize> {
        self.computed.as_ref().map_or_else(Vec::new, |computed| computed.copies(&self.plan.wanted))
    }

    /// Finds the columns in a header; `check` may refuse the plan. Also returns the columns to read.
    pub(crate) fn choose(
        file: &str,
        header: &Header,
        request: &Request<'_>,
        needs: Needs,
        refuse: &Refuse<'_>,
        check: &dyn Fn(&Plan) -> Result<()>,
    ) -> Result<(Self, ColumnChoice)> {
        let mut extended = header.clone();
        let computed =
            ComputedColumns::new(file, &mut extended, request.computed, request.column_request, request.has_copies())?;
        let mut plan = Plan::new(file, &extended, request.column_request).map_err(refuse.column)?;
        check(&plan)?;
        let selections = request.selections.resolve(file, &extended, &mut plan.wanted).map_err(refuse.selection)?;
        let mut name = |field: Option<usize>| field.map(|field| plan.wanted.column(field, Kind::Name, ValueRule::Any));
        let described = |name: &str| header.find(name).filter(|_| needs.description && header.has_positions);
        let chains = name(header.chains);
        // copies go by the chains of a file's assemblies, everything else by the chains of its authors
        let parts = name(header.chains.and(header.find("chain")).or(header.chains));
        let elements = name(described("element"));
        let named = NamedColumns { chains: name(described("chain")), residues: name(described("resname")), elements };
        let (mut focus, mut bonds, mut molecules) = (None, None, MoleculeKeys::default());
        if needs.atoms && plan.is_solid() {
            let looks = request.selections.focus.is_some();
            focus = looks.then(|| FocusKeys::resolve(header, &mut plan.wanted)).flatten();
            bonds = (needs.bonds || needs.joins || needs.keys).then(|| bonding::keys(header, &mut plan.wanted));
            molecules = MoleculeKeys::resolve(header, request.images, &mut plan.wanted);
        }
        let has_glyphs = plan.is_solid() || matches!(request.glyphs.rows, RowShape::Segment { .. });
        let glyphs = if has_glyphs {
            request.glyphs.resolve(file, &extended, &mut plan.wanted).map_err(refuse.column)?
        } else {
            GlyphColumns::default()
        };
        let wanted = computed.of_file(file, header, &plan.wanted)?;
        let axes = plan.wanted.axes.fields().iter().map(|&field| extended.fields[field].name.clone()).collect();
        let computes = computed.are_wanted(&plan.wanted);
        let field_name = |column: usize| extended.fields[plan.wanted.columns[column].field].name.as_str();
        let needs_table = needs.description
            || request.smooth.is_some()
            || request.images.wrap
            || computes
            || !glyphs.is_empty()
            || !request.selections.is_empty()
            // texts that are no colours are counted
            || matches!(plan.color, Coloring::Literal(_)) && is_text(request.format)
            || request.has_legend && row_shapes::sized_by_meaning(&plan.size, field_name);
        let painter = if needs_table { None } else { painter(&plan) };
        let unused = computed.unused(request.computed, &extended, &plan.wanted);
        let computed = computes.then_some(computed);
        let found =
            Self { plan, axes, selections, computed, unused, chains, parts, named, focus, bonds, molecules, glyphs };
        let names = found.plan.first_names();
        Ok((found, ColumnChoice { wanted, painter, names }))
    }
}

/// Whether colours are written as texts.
fn is_text(format: Format) -> bool {
    matches!(format, Format::Csv | Format::PointCloud | Format::Xyz)
}

/// Paints rows as they are read, if nothing else is made of them.
fn painter(plan: &Plan) -> Option<Painter> {
    let has_names = plan.wanted.columns.iter().any(|want| want.kind == Kind::Name);
    // the legend marks values beyond a given range
    let has_legend = matches!(plan.color, Coloring::Numbers { .. });
    if !plan.is_solid() || has_names || has_legend { None } else { row_shapes::painter(&plan.color, &plan.size, None) }
}
