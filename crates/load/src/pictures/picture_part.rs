//! What one file adds to a picture: groups of spheres and the shapes that go with them, labels, a legend, notes.

use crate::color::ColorKey;
use crate::data::Cell;
use crate::dataset::contacts::ContactLines;
use crate::dataset::copies::Chains;
use crate::dataset::data_file::{Built, DataFile};
use crate::dataset::describe::DataSource;
use crate::dataset::images::Images;
use crate::dataset::window::FocusRows;
use crate::error::Result;
use crate::figure::{Label, LegendPart};
use crate::formats::facts::Assembly;
use crate::memory_quota::Quota;
use crate::rows::selections::Selections;
use crate::scales::legend_source::LegendSource;
use crate::scene::spheres::{Shapes, SphereGroup};

/// A file as a part of a picture.
pub(crate) struct PicturePart {
    pub(crate) source: DataSource,
    pub(crate) groups: Vec<SphereGroup<'static>>,
    /// Bonds, ellipsoids and arrows, with the places of their groups of spheres among these.
    pub(crate) shapes: Shapes<'static>,
    /// The periodic box around all images, relative to the origin of the data.
    pub(crate) cell: Option<Cell>,
    pub(crate) labels: Vec<Label>,
    pub(crate) legend: LegendSource,
    /// The meaning of colours that depend on where copies stand.
    pub(crate) colors: Option<ColorKey>,
    /// The meaning of arrows.
    pub(crate) arrow_legend: Vec<LegendPart>,
    /// The rows to look at.
    pub(crate) focus: Option<FocusRows>,
    pub(crate) contacts: ContactLines,
    pub(crate) notes: Vec<String>,
}

impl PicturePart {
    /// Makes the shapes of a file, or of an assembly of it, and of its periodic images. Its groups come after `first`
    /// others in the picture; `subject` begins messages about the budget. Copies may be rows of the file already.
    pub(crate) fn make(
        mut data: DataFile,
        assembly: Option<&(Chains, Assembly)>,
        images: Images,
        selections: &Selections,
        first: usize,
        quota: &Quota,
        subject: impl Fn() -> String,
    ) -> Result<Self> {
        let (assembly, copies) =
            if data.of_file.copied.is_some() { (None, Images::default()) } else { (assembly, images) };
        let Built { groups, shapes, colors, rings } = data.make_groups(assembly, copies, quota, subject)?;
        let copied = selections.note_of_copies(&data.source.file, &groups);
        let source = data.source.clone();
        Ok(Self {
            source: DataSource { rings, colors: colors.clone().or(source.colors), ..source },
            shapes,
            cell: data.facts.cell.map(|cell| images.around(cell).relative_to(data.origin)),
            labels: data.figure_labels(&groups, assembly),
            colors: colors.clone(),
            arrow_legend: data.glyphs.arrow_legend.clone(),
            // copies of the rows stand elsewhere
            focus: data.focus_rows(first).filter(|_| assembly.is_none()),
            contacts: data.molecule.contact_lines.clone(),
            notes: [copied, data.overgrown(&groups), data.coarse(&groups)].into_iter().flatten().collect(),
            legend: LegendSource::new(data, first, assembly, colors),
            groups,
        })
    }
}
