//! Builds without the feature `all-formats` recognize HDF5, and do not read it.

use super::reading::Read;

pub(super) const READER: Option<Read> = None;
