//! Scene files: text, to a tree of values with their places, to the tables of the format, to a scene.

mod circles;
mod decode;
mod spheres;
mod text;
mod tree;
mod values;

use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::describe::Source;
use super::ledger::Ledger;
use super::overrides::Overrides;
use super::picture;
use super::source::{Format, Input};
use super::{Depth, Tolerance};
use crate::color::Srgba8;
use crate::error::{Error, Result};
use crate::scene::Scene;
use crate::scene::circles::PaintedCircle;
use crate::scene::generate::Pattern;
use crate::scene::spheres::{PaintedSphere, Pose, SphereGroup};
use decode::Located;
use text::{ColorColumn, GenerateText, SceneText};

/// Spheres, circles and points that say no colour.
const COLOR: Srgba8 = Srgba8::hex(0x44_77_aa);

/// Reads the scene of a TOML or JSON file, and the files it names.
pub(super) fn read(
    input: Input,
    format: Format,
    overrides: &Overrides,
    depth: Depth,
) -> Result<(Scene<'static>, Vec<Source>)> {
    let (folder, ledger) = (input.folder(), input.ledger);
    let (file, text) = input.text()?;
    let scene = parse(&file, &text, format)?;
    let mut builder = Builder { file, text, folder, overrides, depth, sources: Vec::new(), ledger };
    let scene = builder.scene(scene)?;
    Ok((scene, builder.sources))
}

/// What a scene file says of golden comparisons.
pub(super) fn tolerance(input: Input, format: Format) -> Result<Option<Tolerance>> {
    let (file, text) = input.text()?;
    let Some(tolerance) = parse(&file, &text, format)?.tolerance else { return Ok(None) };
    if tolerance.reason.trim().is_empty() {
        return Err(Error::input(&file, None, "tolerance.reason must say why the picture may differ"));
    }
    Ok(Some(Tolerance { difference: tolerance.difference.u32(), pixels: tolerance.pixels.0 }))
}

/// The tables of a scene's text.
fn parse(file: &str, text: &str, format: Format) -> Result<SceneText> {
    let at = |offset, message| Error::input(file, line(text, offset), message);
    let tree = if format == Format::Json { tree::json(text) } else { tree::toml(text) };
    let tree = tree.map_err(|error| at(error.offset, error.message))?;
    SceneText::deserialize(&tree).map_err(|refusal| at(refusal.offset(), refusal.to_string()))
}

/// The line, from 1, on which a byte of the text stands.
fn line(text: &str, offset: usize) -> u64 {
    text.as_bytes().iter().take(offset).filter(|&&byte| byte == b'\n').count() as u64 + 1
}

/// A scene in the making, and what its errors need to know.
struct Builder<'a> {
    file: String,
    text: String,
    folder: PathBuf,
    overrides: &'a Overrides,
    depth: Depth,
    sources: Vec<Source>,
    ledger: Ledger,
}

impl Builder<'_> {
    /// What is said of a place of the scene file, with its line.
    fn at(&self, offset: usize, subject: &str) -> String {
        format!("{}:{}: {subject}", self.file, line(&self.text, offset))
    }

    /// Notes spheres that are read.
    fn hold(&mut self, groups: &[SphereGroup<'_>]) {
        for group in groups {
            let (spheres, poses) = (group.spheres.len() as u64, group.poses.len() as u64);
            let memory = spheres * size_of::<PaintedSphere>() as u64 + poses * size_of::<Pose>() as u64;
            self.ledger.hold(spheres.saturating_mul(poses), memory);
        }
    }

    /// Notes shapes that the scene file has itself, the last of them at `offset`.
    fn single_shapes(&mut self, count: usize, offset: Option<usize>) -> Result<()> {
        /// More than any shape is.
        const EACH: u64 = 64;
        let count = count as u64;
        self.ledger.check(count, EACH, || self.at(offset.unwrap_or(0), &format!("{count} shapes up to here")))?;
        self.ledger.hold(count, count * EACH);
        Ok(())
    }

    /// Notes circles that are there.
    fn hold_circles(&mut self, count: usize) {
        self.ledger.hold(count as u64, count as u64 * size_of::<PaintedCircle>() as u64);
    }

    /// What to make, how many and from which seed, if the budget has room for it.
    fn recipe(&self, offset: usize, text: &GenerateText, each: usize) -> Result<(Pattern, usize, u64)> {
        let count = text.count.0;
        self.ledger.check(count, each as u64, || self.at(offset, &format!("generate.count is {count}")))?;
        let shapes = usize::try_from(count).expect("32 bits fit an address space");
        Ok((text.kind.0, shapes, text.seed.map_or(1, |seed| seed.0)))
    }

    /// An error at a place of the scene file.
    fn refuse(&self, offset: usize, message: impl Into<String>) -> Error {
        Error::input(&self.file, line(&self.text, offset), message)
    }

    fn scene(&mut self, scene: SceneText) -> Result<Scene<'static>> {
        let file = self.file.clone();
        let given = [
            ("x", self.overrides.x.is_some()),
            ("y", self.overrides.y.is_some()),
            ("r", self.overrides.r.is_some()),
            ("color", self.overrides.color.is_some()),
            ("color_by", self.overrides.color_by.is_some()),
            ("radius", self.overrides.radius.is_some()),
            ("assembly", self.overrides.assembly.is_some()),
            ("frame", self.overrides.frame.is_some()),
        ];
        picture::refuse(&given, || format!("is for bare data; the scene {file} says it itself"))?;
        let first = |offsets: [Option<usize>; 4]| offsets.into_iter().flatten().min();
        let flat = first([
            scene.canvas.as_ref().map(|canvas| canvas.offset),
            scene.circle.first().map(|circle| circle.offset),
            scene.points.first().map(|points| points.offset),
            None,
        ]);
        let solid = first([
            scene.camera.as_ref().map(|camera| camera.offset),
            scene.light.first().map(|light| light.offset),
            scene.sphere.first().map(|sphere| sphere.offset),
            scene.spheres.first().map(|spheres| spheres.offset),
        ]);
        match (flat, solid) {
            (Some(flat), Some(solid)) => Err(self.refuse(
                flat.max(solid),
                "a scene has either a canvas with circle and points or a camera with light, sphere and spheres, not both",
            )),
            (None, None) if !scene.generate.is_empty() => self.spheres(scene),
            (None, None) => Err(Error::input(
                &self.file,
                None,
                "the scene is empty: it must have a canvas, circle or points, or a camera, sphere or spheres",
            )),
            (Some(_), None) => self.circles(scene),
            (None, Some(_)) => self.spheres(scene),
        }
    }

    /// The picture's size: the scene's where nothing overrides it, the default where the scene is silent.
    fn size(&self, table: &str, offset: usize, width: Option<u32>, height: Option<u32>) -> Result<(u32, u32)> {
        let size = (width.unwrap_or(picture::SIZE.0), height.unwrap_or(picture::SIZE.1));
        let own = self.overrides.width.is_none() && self.overrides.height.is_none();
        picture::size(self.overrides, size).map_err(|error| match error {
            Error::Setting { name, message } if own => self.refuse(offset, format!("{table}.{name} {message}")),
            Error::Budget { subject, resource, limit } if own => {
                Error::Budget { subject: self.at(offset, &subject), resource, limit }
            }
            other => other,
        })
    }

    /// Opens a file named in the scene.
    fn open(&self, path: &Path) -> Result<Input> {
        Input::file(&self.folder.join(path), self.ledger)
    }

    /// The numbers at a map's ends, in order.
    fn range(&self, color: &ColorColumn, path: &str) -> Result<Option<[f64; 2]>> {
        let Some(Located { offset, value }) = &color.range else { return Ok(None) };
        let [least, most] = value.f64();
        if least < most {
            return Ok(Some([least, most]));
        }
        let rule = format!("{path}.range must be two numbers, the lesser first, got [{least}, {most}]");
        Err(self.refuse(*offset, rule))
    }
}

/// 8 bits of opacity, rounded half up.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 255 by the format's rule")]
fn opacity(color: &ColorColumn) -> u8 {
    color.alpha.map_or(255, |alpha| (alpha.f64() * 255.0 + 0.5) as u8)
}
