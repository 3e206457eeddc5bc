//! Labels of rows and of contacts in space.

use glam::DVec3;

use crate::dataset::contacts::ContactLine;
use crate::dataset::copies;
use crate::dataset::copies::Chains;
use crate::dataset::data_file::DataFile;
use crate::figure::{Label, LabelAnchor};
use crate::formats::facts::Assembly;
use crate::rows::labels::RowLabel;
use crate::scene::spheres::{PaintedSphere, SphereGroup};

impl DataFile {
    /// The labels of rows in the groups of [`DataFile::make_groups`], beside the first copy of each row.
    pub(crate) fn figure_labels(
        &self,
        groups: &[SphereGroup<'_>],
        assembly: Option<&(Chains, Assembly)>,
    ) -> Vec<Label> {
        let of_contacts = self.labels_of_contacts(groups, assembly);
        if self.selected.labels.is_empty() {
            return of_contacts;
        }
        let rows = assembly.map(|(chains, assembly)| copies::rows(chains, assembly)).unwrap_or_default();
        let mut anchors: Vec<Option<LabelAnchor>> = vec![None; self.table.rows()];
        for (index, group) in groups.iter().enumerate() {
            let Some(pose) = group.poses.first() else { continue };
            let count = rows.get(index).map_or(anchors.len(), Vec::len).min(group.spheres.len());
            for sphere in 0..count {
                let row = rows.get(index).map_or(sphere, |rows| rows[sphere]);
                let PaintedSphere { center, radius, color } = group.spheres.at(sphere);
                // nothing to see
                if color.a == 0 || self.is_left_out(row) {
                    continue;
                }
                let place = DVec3::from(pose.apply(center).map(f64::from));
                anchors[row].get_or_insert(LabelAnchor { place, radius: f64::from(radius) });
            }
        }
        let label = |RowLabel { rows, text }: &RowLabel| Label {
            text: text.clone(),
            anchors: rows.iter().filter_map(|row| anchors[*row]).collect(),
        };
        self.selected.labels.iter().map(label).chain(of_contacts).collect()
    }

    /// The distances of contacts, beside the lines of the first copy.
    fn labels_of_contacts(&self, groups: &[SphereGroup<'_>], assembly: Option<&(Chains, Assembly)>) -> Vec<Label> {
        let rows = assembly.map(|(chains, assembly)| copies::rows(chains, assembly)).unwrap_or_default();
        let label = |label: &ContactLine| {
            let is_in = |index: usize| {
                let has = |row: &u32| rows.get(index).is_none_or(|rows| rows.binary_search(&(*row as usize)).is_ok());
                label.rows.iter().all(has)
            };
            let (_, group) = groups.iter().enumerate().find(|(index, _)| is_in(*index))?;
            let place = DVec3::from(group.poses.first()?.apply(label.place).map(f64::from));
            Some(Label {
                text: label.text.clone(),
                anchors: vec![LabelAnchor { place, radius: f64::from(label.radius) }],
            })
        };
        self.molecule.contact_lines.labelled().filter_map(label).collect()
    }
}
