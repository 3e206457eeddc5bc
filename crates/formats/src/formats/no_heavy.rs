//! Builds without the feature `heavy-formats` recognize its formats, and do not read them.

use super::reading::Read;

pub(super) const ARROW: Option<Read> = None;
pub(super) const LAS: Option<Read> = None;
pub(super) const PARQUET: Option<Read> = None;

pub(super) fn is_arrow(bytes: &[u8]) -> bool {
    bytes.starts_with(b"ARROW1")
}
