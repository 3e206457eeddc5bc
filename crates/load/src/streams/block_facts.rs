//! Facts about files that are read a block at a time, kept beside them between runs.

use serde_json::{Value, json};

use crate::data::Names;
use crate::options::load_options::LoadOptions;
use crate::rows::column_plan::ChannelRanges;
use crate::rows::row_shapes::Spread;
use crate::streams::sidecar;

/// Facts that depend on the rows of all files.
#[derive(Clone, Debug)]
pub(crate) struct BlockFacts {
    /// The names of categories, for each column that is read.
    pub names: Vec<Names>,
    pub spread: Spread,
    /// The ranges of columns that hold colours.
    pub channels: Option<ChannelRanges>,
}

/// The options on which facts about rows depend, as text.
pub(crate) fn reading(options: &LoadOptions) -> String {
    let LoadOptions { format, raw, x, y, z, r, radius, color, color_by, categories, .. } = options;
    let LoadOptions { frame, symmetry, atom_style, decimal, .. } = options;
    let columns = (x, y, z, r, radius, color, color_by);
    format!("{:?}", (format, raw, columns, categories, frame, symmetry, atom_style, decimal))
}

impl BlockFacts {
    pub(crate) fn write(&self) -> Value {
        let names: Vec<Vec<&str>> = self.names.iter().map(|names| names.iter().collect()).collect();
        let mut facts =
            json!({ "count": self.spread.count, "box": sidecar::bits(self.spread.corners().concat()), "names": names });
        if let Some(channels) = self.channels {
            facts["channels"] = sidecar::bits(channels.concat());
        }
        facts
    }

    pub(crate) fn read(value: &Value) -> Option<Self> {
        let corners: [f64; 6] = sidecar::numbers(value.get("box")?)?.try_into().ok()?;
        let [a, b, c, d, e, f] = corners;
        let spread = Spread::of_box(value.get("count")?.as_u64()?, [[a, b, c], [d, e, f]]);
        let names = value.get("names")?.as_array()?.iter().map(|list| {
            let mut names = Names::default();
            for name in list.as_array()? {
                names.intern(name.as_str()?)?;
            }
            Some(names)
        });
        let channels = value.get("channels").and_then(sidecar::numbers).and_then(|ends| {
            let [least, most, clear, opaque]: [f64; 4] = ends.try_into().ok()?;
            Some([[least, most], [clear, opaque]])
        });
        Some(Self { names: names.collect::<Option<_>>()?, spread, channels })
    }
}
