//! The opacity of rows: one for all, by selection, or by a column.

use crate::color::Srgba8;

#[derive(Debug, Default)]
pub(crate) struct Alphas {
    /// The own alpha of each drawn row; empty if none has one.
    pub(crate) each: Vec<Option<u8>>,
    /// Whether a selection gave a row its alpha.
    pub(crate) is_chosen: Vec<bool>,
    /// The alpha of all others.
    pub(crate) all: Option<u8>,
    /// The column of opacities: its name, and its least and greatest opacity.
    pub(crate) by_column: Option<(String, [f64; 2])>,
    /// The alphas that legends show, if a moment of a film has others.
    pub(crate) usual: Option<Box<Alphas>>,
}

impl Alphas {
    /// One alpha for all rows, or none.
    pub(crate) fn all(all: Option<u8>) -> Self {
        Self { all, ..Self::default() }
    }

    /// The alphas that legends show.
    pub(crate) fn in_legend(&self) -> &Self {
        self.usual.as_deref().unwrap_or(self)
    }

    pub(crate) fn one(&self) -> Option<u8> {
        self.all.filter(|_| self.each.is_empty())
    }

    /// Whether a legend of colours ignores the alphas of rows: there are none, or a legend of opacities shows them.
    pub(crate) fn is_empty(&self) -> bool {
        self.by_column.is_some() || self.each.is_empty() && self.all.is_none()
    }

    pub(crate) fn of(&self, row: usize) -> Option<u8> {
        self.each.get(row).copied().unwrap_or(self.all)
    }

    /// The alpha of a row that is highlighted in a colour.
    pub(crate) fn of_highlighted(&self, row: usize, color: Srgba8) -> u8 {
        match (self.each.get(row), self.is_chosen.get(row), color.a) {
            (Some(Some(alpha)), Some(true), u8::MAX) => *alpha,
            _ => color.a,
        }
    }

    /// Gives shapes the alphas of their rows.
    pub(crate) fn apply<T>(&self, shapes: &mut [T], color: impl Fn(&mut T) -> &mut Srgba8) {
        if let Some(all) = self.one() {
            shapes.iter_mut().for_each(|shape| color(shape).a = all);
        }
        for (shape, alpha) in shapes.iter_mut().zip(&self.each) {
            if let Some(alpha) = alpha {
                color(shape).a = *alpha;
            }
        }
    }

    /// Gives highlighted shapes back the alphas that selections chose for them.
    pub(crate) fn restore<T>(&self, shapes: &mut [T], color: impl Fn(&mut T) -> &mut Srgba8) {
        for ((shape, alpha), is_chosen) in shapes.iter_mut().zip(&self.each).zip(&self.is_chosen) {
            if let (Some(alpha), true, u8::MAX) = (alpha, is_chosen, color(shape).a) {
                color(shape).a = *alpha;
            }
        }
    }
}
