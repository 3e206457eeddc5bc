//! Legends of spheres, which wait for the camera: categories that no sphere in the picture has are left out.

use super::copies::{self, Chains};
use super::data_file::DataFile;
use super::figure::FileKey;
use super::visible_share;
use crate::color::ColorKey;
use crate::figure::LegendPart;
use crate::io::formats::facts::Assembly;
use crate::scene::spheres::SphereScene;

/// A file that a legend is about, after its groups were made.
pub(crate) struct LegendSource {
    data: DataFile,
    /// The file's first group in the scene.
    first_group: usize,
    /// The row of each sphere, by group; empty if the one group has all rows in order.
    rows: Vec<Vec<usize>>,
    /// The meaning of colours that depend on where copies stand.
    colors: Option<ColorKey>,
}

impl LegendSource {
    /// The file of groups that [`DataFile::make_groups`] made, which follow `first_group` others in the scene.
    pub(crate) fn new(
        data: DataFile,
        first_group: usize,
        assembly: Option<&(Chains, Assembly)>,
        colors: Option<ColorKey>,
    ) -> Self {
        let rows = assembly.map(|(chains, assembly)| copies::rows(chains, assembly)).unwrap_or_default();
        Self { data, first_group, rows, colors }
    }

    /// The entries of the legend; all of them if no sphere is in the picture.
    pub(crate) fn keys(&self, scene: &SphereScene<'_>) -> Vec<FileKey> {
        let mut shown = vec![false; self.data.table.rows()];
        let groups = scene.groups.iter().skip(self.first_group).take(self.rows.len().max(1));
        for (index, group) in groups.enumerate() {
            for (sphere, is_shown) in visible_share::in_picture(scene, group).into_iter().enumerate() {
                let row = match self.rows.get(index) {
                    // spheres of separate colours repeat the rows for each copy
                    Some(rows) => rows[sphere % rows.len()],
                    None => sphere % shown.len(),
                };
                shown[row] |= is_shown;
            }
        }
        let mut keys = self.data.legend(shown.contains(&true).then_some(&shown[..]), 1.0);
        if let (Some(first), Some(ColorKey::Numbers { name, least, most, shown, beyond, .. })) =
            (keys.first_mut(), &self.colors)
            && let LegendPart::Colors(ColorKey::Numbers {
                name: of,
                least: from,
                most: to,
                shown: part,
                beyond: outside,
                ..
            }) = &mut first.key
            && of == name
        {
            (*from, *to, *part, *outside) = (*least, *most, *shown, *beyond);
        }
        keys
    }
}
