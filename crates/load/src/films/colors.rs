//! The colours that all frames of a film share: the range of a ramp, the order of categories, the legend.

use crate::color::{ColorKey, ColorRange};
use crate::figure::LegendPart;
use crate::films::legend::FilmLegend;
use crate::films::view::Measured;
use crate::options::figure::LegendChoice;
use crate::options::load_options::{LoadOptions, TableColors};
use crate::options::ranges::union;
use crate::rows::column_plan::FoundColors;
use crate::scales::category_order::CategoryOrder;

/// The meaning of colours that all frames share.
#[derive(Debug, Default)]
pub(crate) struct FrameColors {
    /// The ends of the ramp of shapes.
    ends: Option<[f64; 2]>,
    /// Whether arrows have a ramp of their own.
    arrows_have_ramp: bool,
    categories: CategoryOrder,
    /// The tables of a scene, each with its own colours.
    tables: Vec<FramesOfTable>,
    /// The legends of the first frame's parts, and whether another frame has other counts.
    legends: Vec<Vec<LegendPart>>,
    counts_differ: bool,
    shared: FilmLegend,
}

/// The colours of a scene's table, shared by all frames.
#[derive(Debug, Default)]
struct FramesOfTable {
    ends: Option<[f64; 2]>,
    categories: CategoryOrder,
}

impl FrameColors {
    /// The colours of the parts of the first frame.
    pub(crate) fn of(first: &[Measured], options: &LoadOptions) -> Self {
        let tables = first.iter().flat_map(|part| &part.tables).map(|_| FramesOfTable::default()).collect();
        let legends = first.iter().map(|part| part.figure.legend.clone()).collect();
        let arrows_have_ramp = options.vector_color.as_ref().is_some_and(|color| color.starts_with("length"));
        let mut colors = Self { arrows_have_ramp, legends, tables, ..Self::default() };
        first.iter().enumerate().for_each(|(part, measured)| colors.add(part, measured));
        colors
    }

    /// Adds a part of a frame.
    pub(crate) fn add(&mut self, part: usize, Measured { figure, categories, tables, .. }: &Measured) {
        self.counts_differ |= figure.counts && !has_same_categories(&figure.legend, &self.legends[part]);
        self.shared.add(&figure.legend);
        for (table, FoundColors { categories, ends }) in self.tables.iter_mut().zip(tables) {
            table.categories.add(categories.clone());
            table.ends = union(table.ends, *ends);
        }
        if !self.tables.is_empty() {
            return;
        }
        self.categories.add(categories.clone());
        self.ends = union(self.ends, self.ends_of(&figure.legend));
    }

    /// The ends of the ramp of shapes in a legend; the ramp of arrows stands before the arrows.
    fn ends_of(&self, legend: &[LegendPart]) -> Option<[f64; 2]> {
        let arrows = legend.iter().position(|part| matches!(part, LegendPart::Arrows(_)));
        let of_arrows = arrows.filter(|_| self.arrows_have_ramp).and_then(|place| place.checked_sub(1));
        let mut of_shapes = legend.iter().enumerate().filter(|(place, _)| Some(*place) != of_arrows);
        of_shapes.find_map(|(_, part)| match part {
            LegendPart::Colors(key) => key.ends(),
            _ => None,
        })
    }

    pub(crate) fn are_open(&self, options: &LoadOptions) -> bool {
        let is_open = |table: &FramesOfTable| table.ends.is_some() || table.categories.has_any();
        let is_legend_open = self.draws_legend(options) && !self.shared.is_empty();
        self.categories.has_any() || self.is_range_open(options) || self.tables.iter().any(is_open) || is_legend_open
    }

    /// Whether frames have a legend: frames of a scene do unless the caller turns it off.
    fn draws_legend(&self, options: &LoadOptions) -> bool {
        options.figure.has_legend() || options.figure.legend.is_none() && !self.tables.is_empty()
    }

    /// Whether the caller leaves the ends of the ramp open.
    fn is_range_open(&self, options: &LoadOptions) -> bool {
        self.ends.is_some() && !matches!(options.color_range, Some(ColorRange::Numbers(_)))
    }

    /// Writes the shared colours into the options; returns a note if the legend loses its counts.
    pub(crate) fn fix(mut self, fixed: &mut LoadOptions) -> Option<String> {
        if self.draws_legend(fixed) {
            std::mem::take(&mut self.shared).fix(fixed);
        }
        if self.is_range_open(fixed) {
            fixed.color_range = self.ends.map(ColorRange::Numbers);
        }
        self.categories.fix_order(fixed);
        if fixed.figure.has_legend() {
            self.categories.fix_legend(fixed);
        }
        let table_colors = self.tables.into_iter().map(|FramesOfTable { ends, categories }| {
            let mut colors = TableColors { range: ends, ..TableColors::default() };
            categories.fix_table(&mut colors);
            colors
        });
        fixed.table_colors = table_colors.collect();
        if fixed.table_colors.iter().all(|colors| *colors == TableColors::default()) {
            fixed.table_colors.clear();
        }
        if self.counts_differ {
            fixed.figure.legend = Some(fixed.figure.legend.map_or(LegendChoice::ON, LegendChoice::without_counts));
        }
        self.counts_differ.then(|| "the legend has no counts, which differ from frame to frame".to_owned())
    }
}

/// Whether the categories of two legends are the same, with their counts.
fn has_same_categories(legend: &[LegendPart], other: &[LegendPart]) -> bool {
    let categories = |part: &&LegendPart| matches!(part, LegendPart::Colors(ColorKey::Categories { .. }));
    legend.iter().filter(categories).eq(other.iter().filter(categories))
}
