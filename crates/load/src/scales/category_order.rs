//! One order of categories for all frames of a film and all files of a picture, so that each has the same colour
//! everywhere.

use std::collections::BTreeSet;

use crate::color::ColorKey;
use crate::figure::LegendPart;
use crate::options::figure::FileKey;
use crate::options::load_options::{LoadOptions, TableColors};
use crate::rows::column_plan::CategoryNames;

/// The categories of the parts so far, in the order of their first rows.
#[derive(Debug, Default)]
pub(crate) struct CategoryOrder {
    order: NameList,
    listed: NameList,
}

/// Names of several parts, each once.
#[derive(Debug, Default)]
struct NameList {
    names: Vec<String>,
    known: BTreeSet<String>,
    /// Number of parts so far, and whether `names` does not begin with the names of one of them.
    parts: usize,
    is_mixed: bool,
    /// The least number of names in a part.
    least: usize,
}

impl NameList {
    fn add(&mut self, names: Vec<String>) {
        self.least = if self.parts == 0 { names.len() } else { self.least.min(names.len()) };
        self.parts += 1;
        for name in &names {
            if self.known.insert(name.clone()) {
                self.names.push(name.clone());
            }
        }
        self.is_mixed |= !self.names.starts_with(&names);
    }

    /// Whether a part lacks some name.
    fn differs(&self) -> bool {
        self.least < self.names.len()
    }
}

impl CategoryNames {
    /// The names of a picture in the order of their colours, and the names in its legend.
    pub(crate) fn of_picture(order: Vec<String>, legend: &[FileKey]) -> Self {
        let categories = legend.iter().filter_map(|FileKey { key, .. }| match key {
            // highlights have no name
            LegendPart::Colors(ColorKey::Categories { name, items }) if !name.is_empty() => Some(items),
            _ => None,
        });
        let listed = categories.flatten().map(|item| item.name.clone()).collect();
        Self { order, listed }
    }
}

impl CategoryOrder {
    pub(crate) fn add(&mut self, CategoryNames { order, listed }: CategoryNames) {
        self.order.add(order);
        self.listed.add(listed);
    }

    pub(crate) fn has_any(&self) -> bool {
        !self.order.names.is_empty()
    }

    /// Writes the order into the options, unless each part has it anyway; returns whether that changes them.
    pub(crate) fn fix_order(&mut self, options: &mut LoadOptions) -> bool {
        // a part with a single name may not be coloured by the palette
        let is_single = self.order.least == 1 && self.order.names.len() > 1;
        let changes = (self.order.is_mixed || is_single) && options.categories != self.order.names;
        if changes {
            options.categories.clone_from(&self.order.names);
        }
        changes
    }

    /// Sets the categories of the legend, so that all parts list the same ones.
    pub(crate) fn fix_legend(self, options: &mut LoadOptions) {
        if self.listed.differs() || self.listed.is_mixed {
            (options.categories, options.legend_categories) = (self.order.names, self.listed.names);
        }
    }

    /// The same for a table of a scene.
    pub(crate) fn fix_table(mut self, colors: &mut TableColors) {
        let mut options = LoadOptions::default();
        self.fix_order(&mut options);
        self.fix_legend(&mut options);
        (colors.categories, colors.legend_categories) = (options.categories, options.legend_categories);
    }
}
