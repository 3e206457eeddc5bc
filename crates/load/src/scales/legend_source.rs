//! Legends of spheres, which wait for the camera: categories that no sphere in the picture has are left out.

use crate::color::ColorKey;
use crate::dataset::copies;
use crate::dataset::copies::Chains;
use crate::dataset::data_file::DataFile;
use crate::dataset::window::LeftOut;
use crate::figure::LegendPart;
use crate::formats::facts::Assembly;
use crate::options::figure::{Counting, FileKey};
use crate::options::visible_share;
use crate::scene::spheres::SphereScene;

/// A file that a legend is about, after its groups were made.
pub(crate) struct LegendSource {
    data: DataFile,
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

    /// The entries of the legend; contacts that are left out do not count. All entries if no sphere is in the picture.
    pub(crate) fn keys(&self, scene: &SphereScene<'_>, counting: Counting, left_out: &LeftOut) -> Vec<FileKey> {
        let copies = self.copies_in_picture(scene, counting);
        let is_any_shown = copies.iter().any(|&copies| copies > 0);
        let copies = self.colored(copies);
        let mut keys = self.data.legend(is_any_shown.then_some(&copies[..]), left_out, 1.0);
        if let (Some(first), Some(ColorKey::Numbers { name, least, most, shown, beyond, extremes, .. })) =
            (keys.first_mut(), &self.colors)
            && let LegendPart::Colors(ColorKey::Numbers {
                name: of,
                least: from,
                most: to,
                shown: part,
                beyond: outside,
                extremes: reach,
                ..
            }) = &mut first.key
            && of == name
        {
            (*from, *to, *part, *outside, *reach) = (*least, *most, *shown, *beyond, *extremes);
        }
        keys
    }

    /// How many spheres in the picture have the colour of the file: highlighted ones have others.
    pub(crate) fn plain_spheres(&self, scene: &SphereScene<'_>, counting: Counting) -> u64 {
        let copies = self.colored(self.copies_in_picture(scene, counting)).into_iter().enumerate();
        copies.filter(|(row, _)| !self.data.is_highlighted(*row)).map(|(_, copies)| copies).sum()
    }

    /// How many copies of each row are in the picture.
    fn copies_in_picture(&self, scene: &SphereScene<'_>, counting: Counting) -> Vec<u64> {
        let most = match counting {
            Counting::Rows => 1,
            Counting::Copies => usize::MAX,
        };
        let mut copies = vec![0; self.data.table.rows()];
        let groups = scene.groups.iter().skip(self.first_group).take(self.rows.len().max(1));
        for (index, group) in groups.enumerate() {
            for (sphere, of_sphere) in visible_share::copies_in_picture(scene, group, most).into_iter().enumerate() {
                let row = match self.rows.get(index) {
                    // spheres of separate colours repeat the rows for each copy
                    Some(rows) => rows[sphere % rows.len()],
                    None => sphere % copies.len(),
                };
                copies[row] += of_sphere;
            }
        }
        copies
    }

    /// The copies of rows whose colours are seen.
    fn colored(&self, mut copies: Vec<u64>) -> Vec<u64> {
        (0..copies.len()).filter(|row| self.data.is_colorless(*row)).for_each(|row| copies[row] = 0);
        copies
    }
}
