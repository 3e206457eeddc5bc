//! Formats whose crates take long to compile: tables in Apache Parquet and in Arrow's IPC format, points of laser scanners.

mod arrow;
mod arrow_messages;
mod batch;
mod las;
mod parquet;
mod parquet_pages;

use super::reading::Read;

pub(super) use arrow_messages::sniff as is_arrow;

pub(super) const ARROW: Option<Read> = Some(arrow::read);
pub(super) const LAS: Option<Read> = Some(las::read);
pub(super) const PARQUET: Option<Read> = Some(parquet::read);
