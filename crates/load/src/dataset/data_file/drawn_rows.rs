//! Drops rows that selections leave out, or that their styles do not draw.

use std::collections::BTreeSet;

use crate::data::residues_by_row;
use crate::dataset::backbone::Backbone;
use crate::dataset::bonding;
use crate::dataset::data_file::read::Draft;
use crate::dataset::selected_rows::{OwnStyles, Selected};
use crate::error::{Error, Result};
use crate::options::molecule_style::MoleculeStyle;
use crate::rows::alphas::Alphas;

/// The rows that are left, and the chains that tubes go through.
pub(crate) struct KeptRows {
    pub(crate) selected: Selected,
    pub(crate) backbone: Backbone,
    /// The number of bonds between the rows that selections leave, whatever their styles.
    pub(crate) bonds: u64,
}

impl Draft<'_> {
    /// Drops the rows that are not drawn.
    pub(crate) fn select(&mut self) -> Result<KeptRows> {
        if self.is_painted {
            let alphas = Alphas::all(self.request.selections.one_alpha());
            let selected = Selected { alphas, ..Selected::default() };
            return Ok(KeptRows { selected, backbone: Backbone::default(), bonds: 0 });
        }
        let styled = self.columns.selections.styles(&self.table);
        let is_left = |atom: &u32| styled.kept[*atom as usize];
        let bonds = self.bonds.iter().filter(|bond| bond.atoms.iter().all(is_left)).count() as u64;
        let is_any_left = styled.kept.contains(&true);
        let (styled, backbone) = self.without_undrawn(styled);
        let mut selected = self.columns.selections.select(&self.table, styled);
        if self.table.rows() > 0 && !is_any_left {
            let misses: String = selected.misses.iter().map(|miss| format!("; {miss}")).collect();
            return Err(Error::input(&self.notes.file, None, format!("the selection leaves nothing to draw{misses}")));
        }
        std::mem::take(&mut selected.misses).into_iter().for_each(|miss| self.notes.add(miss));
        if selected.hidden_water > 0 {
            let atoms = match selected.hidden_water {
                1 => "1 atom of water is",
                count => &format!("{count} atoms of water are"),
            };
            self.notes.add(format_args!("{atoms} not drawn beside the molecule; --hide none draws all water"));
        }
        self.table.retain(&selected.kept);
        bonding::retain(&mut self.bonds, &selected.kept);
        Ok(KeptRows { selected, backbone, bonds })
    }

    /// Leaves out rows of style `none`, and atoms beside tubes. Arrows,
    /// ellipsoids and the focus are at rows of any style. Notes the residues without a tube.
    fn without_undrawn(&mut self, mut styled: OwnStyles) -> (OwnStyles, Backbone) {
        let styles = &mut styled.styles;
        let is_tube = |style: &Option<MoleculeStyle>| *style == Some(MoleculeStyle::Trace);
        let mut backbone = Backbone::default();
        if styles.iter().any(is_tube) {
            let keys = self.columns.bonds.unwrap_or_default();
            backbone = Backbone::new(&self.table, &keys, &styled.kept);
            let on_tube = backbone.rows(styles.len());
            let residues = residues_by_row(&self.table, &keys);
            let of_tubes: BTreeSet<u32> =
                residues.iter().zip(&on_tube).filter(|(_, on_tube)| **on_tube).map(|(residue, _)| *residue).collect();
            let mut left_out = BTreeSet::new();
            for (row, style) in styles.iter_mut().enumerate().filter(|(row, style)| is_tube(style) && !on_tube[*row]) {
                *style = Some(MoleculeStyle::None);
                if styled.kept[row] && !of_tubes.contains(&residues[row]) {
                    left_out.insert(residues[row]);
                }
            }
            if !left_out.is_empty() {
                let have =
                    if left_out.len() == 1 { "1 residue has" } else { &format!("{} residues have", left_out.len()) };
                let others = "--style ligand sticks draws ligands, --style ion spacefill ions";
                self.notes.add(format_args!("{have} no CA or P of a chain, and no tube; {others}"));
            }
        }
        if styles.contains(&Some(MoleculeStyle::None)) {
            let columns = &self.columns;
            let mut has_others = columns.glyphs.drawn_rows(&self.table, self.request.glyphs);
            if let Some(focus) = columns.selections.focus(&self.table) {
                has_others.iter_mut().zip(focus).for_each(|(has_others, is_in_focus)| *has_others |= is_in_focus);
            }
            for ((kept, style), has_others) in styled.kept.iter_mut().zip(&*styles).zip(has_others) {
                *kept &= *style != Some(MoleculeStyle::None) || has_others;
            }
        }
        let backbone = backbone.of_tubes(|row| is_tube(&styles[row as usize]), &bonding::places(&styled.kept));
        (styled, backbone)
    }
}
