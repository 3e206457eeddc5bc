//! The colours that all frames of a film share: the range of a ramp, the order of categories, the legend.

use super::load::category_order::CategoryOrder;
use super::load::column_plan::CategoryNames;
use super::load::figure::LegendChoice;
use super::load::options::LoadOptions;
use crate::color::{ColorKey, ColorRange, Scale};
use crate::figure::{Figure, LegendPart};

/// The meaning of colours that all frames share.
#[derive(Debug, Default)]
pub(super) struct FrameColors {
    /// The ends of the ramp, and whether shapes have it: the first frame shows it. Moving arrows may have a ramp, too.
    ends: Option<([f64; 2], Scale)>,
    has_ramp: bool,
    categories: CategoryOrder,
    /// The legend of the first frame, and whether another one has other counts.
    legend: Vec<LegendPart>,
    counts_differ: bool,
}

impl FrameColors {
    pub(super) fn of(figure: &Figure, categories: &CategoryNames) -> Self {
        let mut colors = Self { legend: figure.legend.clone(), ..Self::default() };
        colors.add(figure, categories);
        colors.has_ramp = colors.ends.is_some();
        colors
    }

    pub(super) fn add(&mut self, figure: &Figure, categories: &CategoryNames) {
        self.counts_differ |= figure.counts && figure.legend != self.legend;
        self.categories.add(categories.clone());
        let key = figure.legend.iter().find_map(|key| match key {
            LegendPart::Colors(ColorKey::Numbers { scale, least, most, shown, .. }) => {
                Some((shown.unwrap_or([*least, *most]), *scale))
            }
            _ => None,
        });
        let Some(([least, most], scale)) = key else { return };
        let before = self.ends.map_or([least, most], |(ends, _)| ends);
        self.ends = Some(([before[0].min(least), before[1].max(most)], scale));
    }

    /// Whether the colours depend on all frames.
    pub(super) fn are_open(&self, options: &LoadOptions) -> bool {
        self.categories.has_any() || self.is_range_open(options)
    }

    /// Whether the range is not one of two numbers that the caller gave.
    fn is_range_open(&self, options: &LoadOptions) -> bool {
        self.has_ramp && !matches!(options.color_range, Some(ColorRange::Numbers(_)))
    }

    /// States the colours; returns a note if the legend loses its counts.
    pub(super) fn fix(mut self, fixed: &mut LoadOptions) -> Option<String> {
        if self.is_range_open(fixed) {
            fixed.color_range = self.ends.map(|(ends, _)| ColorRange::Numbers(ends));
        }
        self.categories.fix_order(fixed);
        self.categories.fix_legend(fixed);
        if self.counts_differ {
            fixed.figure.legend = Some(LegendChoice::On);
        }
        self.counts_differ.then(|| "the legend has no counts, which differ from frame to frame".to_owned())
    }
}
