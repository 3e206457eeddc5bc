//! State shared by the parts of a scene while it is built: files, positions for messages, and the budget.

use std::path::PathBuf;

use crate::color::{ColorRange, Srgba8};
use crate::data::{Expression, HydrogenBondRule};
use crate::dataset::data_file::Depth;
use crate::dataset::describe::DataSource;
use crate::dataset::option_requests;
use crate::error::{Error, Result};
use crate::figure::Label;
use crate::formats::{self, Format};
use crate::geom::Origin;
use crate::memory_quota::Quota;
use crate::options::camera::Stance;
use crate::options::contact_rule::ContactRequest;
use crate::options::figure::{FigureFacts, FigureOptions};
use crate::options::label_text::LabelText;
use crate::options::load_options::LoadOptions;
use crate::options::picture_settings;
use crate::pictures::bare_data::SphereKind;
use crate::pictures::own_camera::OwnCamera;
use crate::rows::column_plan::{ColorMapping, FoundColors};
use crate::rows::computed::ComputedColumn;
use crate::rows::draw_order::DrawOrder;
use crate::rows::labels::LabelRequest;
use crate::rows::selections::{BadSelection, Highlight, Selections, ShownRows};
use crate::scales::legend_source::LegendSource;
use crate::scene::circles::PaintedCircle;
use crate::scene::generate::Pattern;
use crate::scene::spheres::{PaintedSphere, Pose, Shapes, SphereGroup};
use crate::scene_file::columns::{BySelection, ColorColumn, GlossByText, OpacityText, RangeText, StyleText, alpha};
use crate::scene_file::decode::{Located, offset_of};
use crate::scene_file::text::{ContactEntryText, GenerateText, HighlightText, LabelEntryText, RowsText};
use crate::scene_file::values::NamedFormat;
use crate::source::input::Input;
use crate::source::memory_files::FileSystem;

/// Colour of spheres, circles and points that have none.
pub(crate) const COLOR: Srgba8 = Srgba8::hex(0x44_77_aa);

/// The 1-based line of a byte of the text.
pub(crate) fn line(text: &str, offset: usize) -> u64 {
    text.as_bytes().iter().take(offset).filter(|&&byte| byte == b'\n').count() as u64 + 1
}

/// A scene under construction, with the context of its error messages.
pub(crate) struct Builder<'a> {
    /// The scene file's name in messages.
    pub(crate) file: String,
    pub(crate) text: String,
    /// The folder that file names in the scene are relative to.
    pub(crate) folder: PathBuf,
    pub(crate) files: FileSystem,
    pub(crate) options: &'a LoadOptions,
    pub(crate) depth: Depth,
    pub(crate) sources: Vec<DataSource>,
    /// Shapes and memory used so far, against the budget.
    pub(crate) quota: Quota,
    pub(crate) notes: Vec<String>,
    pub(crate) figure: SceneFigure,
    /// Whether files get the default picture of data without a scene (`look = "auto"`).
    pub(crate) is_auto: bool,
    pub(crate) spheres: SphereFiles,
    /// The camera of the scene before the caller's options; `None` where something is cut away for the camera.
    pub(crate) camera: Option<OwnCamera>,
    pub(crate) frames: FrameTakers,
    /// Whether the picture's size differs from the canvas of the layout.
    pub(crate) is_scaled: bool,
}

/// The marks of a scene under construction.
#[derive(Default)]
pub(crate) struct SceneFigure {
    pub(crate) options: FigureOptions,
    pub(crate) facts: FigureFacts,
    /// Labels beside shapes.
    pub(crate) labels: Vec<Label>,
    /// The files of spheres that the legend explains.
    pub(crate) legends: Vec<LegendSource>,
}

/// The files of spheres read so far.
pub(crate) struct SphereFiles {
    /// Whether spheres are atoms or particles.
    pub(crate) kind: SphereKind,
    /// Whether files fill a periodic box.
    pub(crate) fill_cell: bool,
    /// The stance of the files; the first with y up, as molecules have it, wins.
    pub(crate) stance: Option<Stance>,
    /// The origin of the single shapes, or else of the first file; known once the files are read.
    pub(crate) origin: Option<Origin>,
    /// Bonds, ellipsoids and arrows, with the indices of their groups of spheres.
    pub(crate) shapes: Shapes<'static>,
    /// Categories and colour ranges found in each file.
    pub(crate) found_colors: Vec<FoundColors>,
}

/// Who takes the caller's frame.
#[derive(Default)]
pub(crate) struct FrameTakers {
    /// Whether a file of spheres leaves its frame to the caller, and whether one leaves the smoothing.
    pub(crate) takes_frame: bool,
    pub(crate) takes_smooth: bool,
    /// Whether the caller's choice of a frame applies to a file with several.
    pub(crate) has_frame: bool,
}

/// The keys of an entry that select rows.
pub(crate) struct SelectionKeys<'a> {
    pub(crate) rows: &'a RowsText,
    pub(crate) opacity: Option<&'a Located<OpacityText>>,
    pub(crate) opacity_by: Option<&'a Located<String>>,
    /// The order in which circles are drawn, and its seed.
    pub(crate) draw_order: Option<(&'a Located<String>, u64)>,
    pub(crate) style: Option<&'a Located<StyleText>>,
    pub(crate) gloss: Option<&'a Located<GlossByText>>,
    pub(crate) center: &'a Option<Located<String>>,
    pub(crate) label: &'a [Located<LabelEntryText>],
    pub(crate) contacts: &'a [Located<ContactEntryText>],
    pub(crate) hbonds: Option<HydrogenBondRule>,
}

impl Builder<'_> {
    /// The origin to subtract from positions.
    pub(crate) fn origin(&self) -> Origin {
        self.spheres.origin.unwrap_or_default()
    }

    /// The start of a message about a position in the scene file: file, line and subject.
    pub(crate) fn at(&self, offset: usize, subject: &str) -> String {
        format!("{}:{}: {subject}", self.file, line(&self.text, offset))
    }

    /// Counts spheres against the quota.
    pub(crate) fn hold_spheres(&mut self, groups: &[SphereGroup<'_>]) {
        for group in groups {
            let (spheres, poses) = (group.spheres.len() as u64, group.poses.len() as u64);
            let memory = spheres * size_of::<PaintedSphere>() as u64 + poses * size_of::<Pose>() as u64;
            self.quota.hold(spheres.saturating_mul(poses), memory);
        }
    }

    /// Checks and counts shapes that the scene file spells out; `last` is the last table of them.
    pub(crate) fn hold_single_shapes<T>(&mut self, count: usize, last: Option<&Located<T>>) -> Result<()> {
        /// Bytes: more than any shape takes.
        const EACH: u64 = 64;
        let count = count as u64;
        let offset = last.map_or(0, |table| table.offset);
        self.quota.check(count, EACH, || self.at(offset, &format!("{count} shapes up to here")))?;
        self.quota.hold(count, count * EACH);
        Ok(())
    }

    /// Counts circles against the quota.
    pub(crate) fn hold_circles(&mut self, count: usize) {
        self.quota.hold(count as u64, count as u64 * size_of::<PaintedCircle>() as u64);
    }

    /// Pattern, count and seed of generated shapes. Fails if they exceed the budget.
    pub(crate) fn recipe(&self, offset: usize, text: &GenerateText, each: usize) -> Result<(Pattern, usize, u64)> {
        let count = text.count.0;
        self.quota.check(count, each as u64, || self.at(offset, &format!("generate.count is {count}")))?;
        let shapes = usize::try_from(count).expect("32 bits fit an address space");
        Ok((text.kind.0, shapes, text.seed.map_or(1, |seed| seed.0)))
    }

    /// An error at a position in the scene file.
    pub(crate) fn refuse(&self, offset: usize, message: impl Into<String>) -> Error {
        Error::input(&self.file, line(&self.text, offset), message)
    }

    /// The picture's size: the options override the scene, which overrides the default. One side alone keeps the aspect
    /// ratio.
    pub(crate) fn size(
        &self,
        table: &str,
        offset: usize,
        width: Option<u32>,
        height: Option<u32>,
    ) -> Result<(u32, u32)> {
        let own = self.options.width.is_none() && self.options.height.is_none();
        picture_settings::size(self.options, (width, height), picture_settings::ASPECT).map_err(|error| match error {
            Error::Setting { name, message } if own => self.refuse(offset, format!("{table}.{name} {message}")),
            Error::Budget { subject, resource, limit } if own => {
                Error::Budget { subject: self.at(offset, &subject), resource, limit }
            }
            other => other,
        })
    }

    /// Opens the file at a key. Its format is named by the scene, or else detected.
    pub(crate) fn open(
        &self,
        key: &str,
        file: &Located<PathBuf>,
        named: Option<&NamedFormat>,
    ) -> Result<(Input, Format)> {
        let refuse = |error: Error| self.refuse(file.offset, format!("{key}: {error}"));
        let input = self.files.file(&self.folder.join(&file.value), self.quota).map_err(|error| match error {
            Error::Io { .. } => refuse(error),
            other => other,
        })?;
        let raw = named.and_then(|named| named.raw.as_ref());
        let format = formats::format_wanted(&input, named.filter(|_| raw.is_none()).map(|named| named.format), raw);
        let format = format.map_err(refuse)?;
        Ok((input, format))
    }

    /// Parses an entry's selections of rows; `path` names the entry in messages.
    pub(crate) fn selections(&self, keys: &SelectionKeys<'_>, path: &str) -> Result<Selections> {
        let parse = |offset, key: &str, text: &str| {
            Expression::parse(text).map_err(|message| self.refuse(offset, format!("{path}.{key} {text:?}, {message}")))
        };
        let one = |text: &Option<Located<String>>, key| {
            text.as_ref().map(|Located { offset, value }| parse(*offset, key, value)).transpose()
        };
        let highlight =
            keys.rows.highlight.iter().map(|Located { offset, value: HighlightText { select, color, label } }| {
                let of = parse(*offset, "highlight", select)?;
                Ok(Highlight { of, color: color.0, label: label.as_ref().unwrap_or(select).clone() })
            });
        let labels = keys.label.iter().map(|Located { offset, value: LabelEntryText { select, text } }| {
            let of = parse(*offset, "label", select)?;
            let text = LabelText::parse(text);
            let text = text.map_err(|message| self.refuse(*offset, format!("{path}.label {message}")))?;
            Ok(LabelRequest { of, text })
        });
        let contacts = keys.contacts.iter().map(|Located { offset, value: ContactEntryText { select, with, by } }| {
            let (of, with) = (parse(*offset, "contacts", select)?, parse(*offset, "contacts", with)?);
            Ok(ContactRequest { of, with, rule: by.map(|by| by.0).unwrap_or_default() })
        });
        let contacts = contacts.chain(keys.hbonds.map(|rule| Ok(ContactRequest::hydrogen_bonds(rule))));
        Ok(Selections {
            shown: ShownRows {
                only: one(&keys.rows.only, "only")?,
                hide: one(&keys.rows.hide, "hide")?,
                hides_water: self.is_auto,
            },
            highlight: highlight.collect::<Result<_>>()?,
            opacity: self.by_selection(keys.opacity, &format!("{path}.opacity"))?,
            fading: 0,
            opacity_by: keys.opacity_by.map(|column| column.value.clone()),
            draw_order: keys.draw_order.map(|(order, seed)| DrawOrder::parse(&order.value, seed)),
            style: self.by_selection(keys.style, &format!("{path}.style"))?,
            gloss: self.by_selection(keys.gloss, &format!("{path}.gloss"))?,
            center: one(keys.center, "center")?,
            labels: labels.collect::<Result<_>>()?,
            contacts: contacts.collect::<Result<_>>()?,
            ..Selections::default()
        })
    }

    pub(crate) fn computed(&self, texts: &[Located<String>], path: &str) -> Result<Vec<ComputedColumn>> {
        let parse = |Located { offset, value }: &Located<String>| {
            ComputedColumn::parse(value).map_err(|message| self.refuse(*offset, format!("{path}.compute {message}")))
        };
        texts.iter().map(parse).collect()
    }

    /// Parses the selections of a key, each with its value; `None` selects all rows.
    fn by_selection<T: Copy>(
        &self,
        text: Option<&Located<BySelection<T>>>,
        key: &str,
    ) -> Result<Vec<(Option<Expression>, T)>> {
        let Some(Located { offset, value }) = text else { return Ok(Vec::new()) };
        let list = match value {
            BySelection::All(value) => return Ok(vec![(None, *value)]),
            BySelection::Selections(list) => list,
        };
        let parsed = list.iter().map(|(select, value)| {
            let rows = Expression::parse(select);
            let rows = rows.map_err(|message| self.refuse(*offset, format!("{key} {select:?}, {message}")))?;
            Ok((Some(rows), *value))
        });
        parsed.collect()
    }

    /// The error for a selection that does not fit the file.
    pub(crate) fn bad_selection(&self, keys: &SelectionKeys<'_>, path: &str, bad: BadSelection) -> Error {
        let BadSelection { key, index, rule } = bad;
        let offset = match key {
            "only" => offset_of(&keys.rows.only),
            "hide" => offset_of(&keys.rows.hide),
            "opacity" => keys.opacity.map(|text| text.offset),
            "opacity_by" => keys.opacity_by.map(|text| text.offset),
            "draw_order" => keys.draw_order.map(|(text, _)| text.offset),
            "style" => keys.style.map(|text| text.offset),
            "gloss" => keys.gloss.map(|text| text.offset),
            "center" => offset_of(keys.center),
            "label" => keys.label.get(index).map(|text| text.offset),
            "contacts" => keys.contacts.get(index).map(|text| text.offset),
            _ => keys.rows.highlight.get(index).map(|text| text.offset),
        };
        self.refuse(offset.unwrap_or_default(), format!("{path}.{key} {rule}"))
    }

    pub(crate) fn mapping(&self, color: &ColorColumn, path: &str) -> Result<ColorMapping> {
        if let Some(Located { offset, value: RangeText(range) }) = &color.range {
            let rule = match (range, color.scale) {
                (ColorRange::Numbers([least, most]), _) if least == most => {
                    Some(format!("must be two different numbers, got [{least}, {most}]"))
                }
                (ColorRange::Numbers([least, most]), Some(scale)) if !scale.of(*least).is_finite() => {
                    Some(format!("must be positive for the scale {scale}, got [{least}, {most}]"))
                }
                (ColorRange::Around(middle) | ColorRange::Within { middle, .. }, Some(scale))
                    if !scale.of(*middle).is_finite() =>
                {
                    Some(format!("must have a positive middle for the scale {scale}, got {middle}"))
                }
                _ => None,
            };
            if let Some(rule) = rule {
                return Err(self.refuse(*offset, format!("{path}.range {rule}")));
            }
        }
        let range = color.range.as_ref().map(|range| range.value.0);
        let (map, range) = option_requests::in_order(color.map.map(|map| map.0), range);
        Ok(ColorMapping {
            map,
            range,
            scale: color.scale,
            alpha: color.alpha.map_or(255, alpha),
            shades_chains: color.lighter_carbons || self.is_auto,
        })
    }
}
