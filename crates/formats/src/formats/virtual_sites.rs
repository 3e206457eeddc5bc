//! Virtual sites of water models and lone pairs: counted and left out, or kept if rows must match another file's.

use std::sync::atomic::{AtomicU64, Ordering};

use super::elements::is_virtual_site;
use super::reading::Reading;

/// The element of a virtual site that is kept.
pub(super) const SITE: &str = "EP";

/// Counts the virtual sites of a file.
#[derive(Debug, Default)]
pub(super) struct VirtualSites {
    are_kept: bool,
    count: AtomicU64,
}

impl VirtualSites {
    pub(super) fn new(reading: &Reading<'_>) -> Self {
        Self { are_kept: reading.keeps_virtual_sites, count: AtomicU64::new(0) }
    }

    /// Whether to leave out an atom with this stated element, name and residue; counts the sites left out.
    pub(super) fn leave_out(&self, stated: &[u8], name: &[u8], residue: &[u8]) -> bool {
        let is_site = !self.are_kept && is_virtual_site(stated, name, residue);
        if is_site {
            self.count.fetch_add(1, Ordering::Relaxed);
        }
        is_site
    }

    /// The element of a site that is kept; `None` for atoms.
    pub(super) fn kept(&self, stated: &[u8], name: &[u8], residue: &[u8]) -> Option<&'static str> {
        (self.are_kept && is_virtual_site(stated, name, residue)).then_some(SITE)
    }

    /// The number of sites left out so far.
    pub(super) fn count(&self) -> u64 {
        self.count.load(Ordering::Relaxed)
    }
}

/// A note on sites that are not drawn, if there are any.
pub(super) fn note(file: &str, sites: u64) -> Option<String> {
    match sites {
        0 => None,
        1 => Some(format!("{file}: 1 virtual site is not drawn")),
        sites => Some(format!("{file}: {sites} virtual sites are not drawn")),
    }
}
