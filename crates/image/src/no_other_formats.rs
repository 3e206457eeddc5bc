//! Image files other than PNG, in a build that does not read them.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use super::png::undecodable;
use crate::budget::Budget;
use crate::error::Result;
use crate::sequence::FrameSource;

const NOT_A_PNG: &str = "it is not a PNG, and roundel is built without the feature `image-formats`";

pub(super) fn other_frames(path: &Path, _: BufReader<File>, _: &Budget, _: u64) -> Result<FrameSource<'static>> {
    Err(undecodable(path, NOT_A_PNG))
}

pub(super) fn other_size(path: &Path, _: BufReader<File>) -> Result<(u32, u32)> {
    Err(undecodable(path, NOT_A_PNG))
}
