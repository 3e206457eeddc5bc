//! Bonds, tubes and contacts between the atoms of a file, and the styles that draw them.

use crate::data::{Bond, Cell};
use crate::dataset::backbone;
use crate::dataset::backbone::Backbone;
use crate::dataset::contacts;
use crate::dataset::contacts::{ContactLines, FoundContacts};
use crate::dataset::sticks;
use crate::dataset::sticks::{Stick, StickSizes};
use crate::options::molecule_style::MoleculeStyle;
use crate::scene::spheres::PaintedSphere;

pub(crate) struct JoinedAtoms {
    /// Bonds between rows of the table, if they are drawn or described.
    pub(super) bonds: Vec<Bond>,
    /// The box that bonds cross.
    pub(super) cell: Option<Cell>,
    /// The styles of rows: none, one for all, or one for each. Atoms beside tubes have none.
    pub(super) styles: Vec<MoleculeStyle>,
    /// Whether rows are balls and sticks by default.
    pub(crate) is_ball_and_stick: bool,
    pub(super) sizes: StickSizes,
    /// Chains that tubes go through.
    pub(super) backbone: Backbone,
    pub(super) contacts: Vec<FoundContacts>,
    /// The lines of contacts, once they are made.
    pub(crate) contact_lines: ContactLines,
}

impl JoinedAtoms {
    /// The style of a row, if rows have styles.
    pub(super) fn style(&self, row: usize) -> Option<MoleculeStyle> {
        self.styles.get(row).or(self.styles.first()).copied()
    }

    /// Whether a row has no style, so that no sphere stands for it.
    pub(super) fn leaves_out_any(&self) -> bool {
        self.styles.contains(&MoleculeStyle::None)
    }

    /// Makes the sticks, tubes and lines between spheres, and sizes spheres as their styles ask for; `has_radius` tells the rows
    /// whose radius is given.
    pub(super) fn join(
        &mut self,
        spheres: &mut [PaintedSphere],
        has_radius: impl Fn(usize) -> bool,
        is_molecule: bool,
    ) -> Vec<Stick> {
        let mut joining = Vec::new();
        if !self.styles.is_empty() {
            self.size_tubes(spheres, has_radius);
            joining = sticks::styled(spheres, &self.styles, &self.bonds, &self.sizes, self.cell.as_ref());
            self.backbone.add_tubes(&mut joining, spheres);
        }
        self.contact_lines = contacts::lines(&self.contacts, spheres, self.cell.as_ref(), is_molecule);
        joining.append(&mut self.contact_lines.dashes);
        joining
    }

    /// Gives atoms on tubes the radius of tubes unless radii are given.
    fn size_tubes(&self, spheres: &mut [PaintedSphere], has_radius: impl Fn(usize) -> bool) {
        if self.sizes.has_own_radii {
            return;
        }
        for (row, sphere) in spheres.iter_mut().enumerate() {
            if self.style(row) == Some(MoleculeStyle::Trace) && !has_radius(row) {
                sphere.radius = backbone::RADIUS;
            }
        }
    }
}
