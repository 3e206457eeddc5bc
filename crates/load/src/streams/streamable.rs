//! Files that can be drawn a block at a time: rows of tables and particles whose picture does not depend on all of them.

use crate::color::ColorRange;
use crate::data::NumberSource;
use crate::error::{Error, Result};
use crate::formats::{Format, FormatKind};
use crate::rows::column_plan::{Coloring, Plan, Sizing};

/// Refuses scene files and molecules, which are never too large for memory.
pub(crate) fn check_format(file: &str, format: Format) -> Result<()> {
    let is_streamed = match format.kind() {
        FormatKind::Table => true,
        FormatKind::Atoms => matches!(format, Format::Xyz | Format::LammpsDump | Format::LammpsData),
        FormatKind::Scene | FormatKind::Topology => false,
    };
    if is_streamed {
        return Ok(());
    }
    Err(Error::setting("stream", format!("is for tables, arrays, XYZ files and those of LAMMPS; {file} is another")))
}

/// Refuses plans that depend on all rows.
pub(crate) fn check_plan(file: &str, plan: &Plan) -> Result<()> {
    let refuse = |name, message: String| Err(Error::setting(name, message));
    if !plan.is_solid() {
        return refuse("stream", format!("is for spheres; {file} is drawn as circles"));
    }
    match &plan.color {
        Coloring::Numbers { source: NumberSource::Index, .. } => {
            refuse("color_by", "must be a column where files are streamed, got index".to_owned())
        }
        Coloring::Numbers { range, .. } if !matches!(range, Some(ColorRange::Numbers(_))) => {
            refuse("color_range", "must be two numbers where files are streamed: others depend on all rows".to_owned())
        }
        Coloring::Chains { .. } | Coloring::ChainsOrElements { .. } => {
            refuse("color_by", "must not be chains where files are streamed: they depend on all rows".to_owned())
        }
        _ => match plan.size {
            Sizing::Scaled { .. } => {
                refuse("radius", "must be in the units of the data where files are streamed".to_owned())
            }
            _ => Ok(()),
        },
    }
}
