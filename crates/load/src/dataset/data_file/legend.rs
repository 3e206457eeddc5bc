//! The legend of a file: its colours, highlights, radii, opacities and arrows.

use crate::color::{Category, ColorKey};
use crate::data::Kind;
use crate::dataset::data_file::DataFile;
use crate::dataset::selected_rows::HighlightedRows;
use crate::dataset::window::LeftOut;
use crate::figure::{LegendPart, OpacityKey, SizeKey, SizeMark};
use crate::options::figure::FileKey;
use crate::options::molecule_style::MoleculeStyle;

impl DataFile {
    /// The legend of the colours in the picture, and the highlights: the last one of a row counts. `copies` counts the
    /// copies of each row in the picture.
    pub(crate) fn meanings(&self, copies: Option<&[u64]>) -> (Option<ColorKey>, Vec<Category>) {
        let mut shown = copies.map_or_else(|| vec![1; self.table.rows()], <[u64]>::to_vec);
        let (mut highlights, of_rows) = (Vec::new(), self.selected.alphas.in_legend());
        for HighlightedRows { rows, color, label } in self.selected.highlights.iter().rev() {
            let mut alphas = [0_u64; 256];
            for (row, (shown, _)) in shown.iter_mut().zip(rows).enumerate().filter(|(_, (_, selected))| **selected) {
                alphas[usize::from(of_rows.of_highlighted(row, *color))] += std::mem::take(shown);
            }
            let usual = (0..=u8::MAX).max_by_key(|alpha| alphas[usize::from(*alpha)]).unwrap_or(color.a);
            let usual = if of_rows.is_empty() { color.a } else { usual };
            let count: u64 = alphas.iter().sum();
            if count > 0 {
                highlights.push(Category::new(label.clone(), color.with_alpha(usual), count));
            }
        }
        highlights.reverse();
        (self.colors.key(&self.table, &shown, &self.selected.alphas, &self.plan.categories.listed), highlights)
    }

    pub(crate) fn highlighted_rows(&self) -> u64 {
        (0..self.table.rows()).filter(|row| self.is_highlighted(*row)).count() as u64
    }

    pub(crate) fn is_highlighted(&self, row: usize) -> bool {
        self.selected.highlights.iter().any(|highlight| highlight.rows[row])
    }

    /// The entries of a legend, each with the name of the file; contacts that are left out do not count. A radius of 1 by a column is
    /// `unit` pixels of circles, or world units.
    pub(crate) fn legend(&self, copies: Option<&[u64]>, left_out: &LeftOut, unit: f64) -> Vec<FileKey> {
        let (key, mut highlights) = self.meanings(copies);
        let mut of_arrows = self.glyphs.arrow_legend.clone();
        if let (Some(ColorKey::Numbers { name, .. }), Some(LegendPart::Colors(ColorKey::Numbers { name: of, .. }))) =
            (&key, of_arrows.first_mut())
            && name == of
        {
            *of = format!("length of {of}");
        }
        highlights.extend(self.molecule.contact_lines.categories(left_out));
        let items = (!highlights.is_empty()).then(|| ColorKey::Categories { name: String::new(), items: highlights });
        let colors = key.into_iter().chain(items).map(LegendPart::Colors);
        let sizes = self.size_key(copies, unit).map(LegendPart::Sizes);
        let opacities = self.selected.alphas.by_column.as_ref();
        let opacities = opacities.map(|(name, range)| LegendPart::Opacities(OpacityKey::new(name.clone(), *range)));
        let parts = colors.chain(sizes).chain(opacities).chain(of_arrows);
        parts.map(|key| FileKey { file: self.source.file.clone(), key }).collect()
    }

    /// The legend of the radii in the picture, or of the widths of segments, if they come from a column that means something
    /// else.
    fn size_key(&self, copies: Option<&[u64]>, unit: f64) -> Option<SizeKey> {
        let (column, name) = self.radii.meaning(&self.table)?;
        // balls, points and ellipsoids have other radii than their rows; tubes have the same
        let has_own_radius = |style: &MoleculeStyle| {
            matches!(style, MoleculeStyle::Spacefill | MoleculeStyle::Trace | MoleculeStyle::None)
        };
        if !self.molecule.styles.iter().all(has_own_radius)
            || self.has_shapes()
            || self.glyphs.request.probability.is_some()
        {
            return None;
        }
        let shown = |row: usize| copies.is_none_or(|copies| copies[row] > 0);
        let numbers = self.table.numbers(column).enumerate().filter(|(row, _)| shown(*row)).map(|(_, number)| number);
        let radius = |number: f64| self.radii.of_number(number) * unit;
        let drawn = numbers.filter(|number| number.is_finite() && radius(*number) > 0.0);
        let range = drawn
            .fold([f64::INFINITY, f64::NEG_INFINITY], |[least, most], number| [least.min(number), most.max(number)]);
        let dates = self.table.columns[column].kind == Kind::Time;
        let mark = if self.has_segments() { SizeMark::Lines } else { SizeMark::Circles };
        if range[0] <= range[1] { SizeKey::new(name.to_owned(), mark, range, dates, radius) } else { None }
    }
}
