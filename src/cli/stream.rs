//! `roundel render --stream` and `--generate`: draws shapes without keeping them in memory.

use std::path::PathBuf;
use std::str::FromStr;

use roundel::generate::Pattern;
use roundel::io::{LoadOptions, StreamedCircles, StreamedScene};
use roundel::{Error, Frame, Renderer, Result, Statistics, StreamStatistics};

use super::numbers::{count, parsed};

/// Shapes to generate, as `uniform:1e9` or, with a seed, `uniform:1e9:7`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Generated {
    pattern: Pattern,
    count: u64,
    seed: u64,
}

impl FromStr for Generated {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut parts = text.split(':');
        let pattern = parsed(parts.next().unwrap_or_default())?;
        let rule = || "must be a kind, a number and perhaps a seed, such as uniform:1e9:1".to_owned();
        let count = count(parts.next().ok_or_else(rule)?)?;
        let seed = parts.next().map_or(Ok(1), |seed| seed.parse().map_err(|_| rule()))?;
        if parts.next().is_some() {
            return Err(rule());
        }
        Ok(Self { pattern, count, seed })
    }
}

/// A scene that is drawn a block at a time.
pub(super) enum Streamed {
    Spheres(Box<StreamedScene>),
    Circles(StreamedCircles),
}

/// The arguments that choose shapes to draw a block at a time.
#[derive(Clone, Copy, Debug)]
pub(super) struct StreamRequest {
    pub(super) generated: Option<Generated>,
    pub(super) circles: bool,
}

/// A note on a look that a stream cannot draw.
pub(super) const WITHOUT_HIDDEN: &str = "a stream forgets hidden spheres: drawn without ambient occlusion, and with hard shadows (--shadows=false leaves them out)";

impl Streamed {
    /// Prepares generated spheres, or the rows of files.
    pub(super) fn new(request: StreamRequest, input: &[PathBuf], options: &LoadOptions) -> Result<Self> {
        let scene = match request.generated {
            Some(Generated { pattern, count, seed }) if request.circles => {
                return StreamedCircles::generated(pattern, count, seed, options).map(Self::Circles);
            }
            Some(Generated { pattern, count, seed }) => StreamedScene::generated(pattern, count, seed, options),
            None => StreamedScene::files(input, options),
        };
        scene.map(|scene| Self::Spheres(Box::new(scene)))
    }

    /// Returns an error if the scene cannot be streamed, or if even a stream takes too much memory.
    pub(super) fn check(&self, renderer: &Renderer) -> Result<()> {
        match self {
            Self::Spheres(scene) => match (renderer.stream(&scene.scene), scene.without_hidden()) {
                (Err(Error::Setting { name: "stream", .. }), Some(simpler)) => {
                    renderer.stream(&simpler.scene).map(drop)
                }
                (stream, _) => stream.map(drop),
            },
            Self::Circles(_) => Ok(()),
        }
    }

    pub(super) fn dpi(&self) -> Option<f32> {
        if let Self::Spheres(scene) = self { scene.figure.dpi() } else { None }
    }

    /// Draws the scene; counts are of the whole scene. A default look that needs hidden spheres is replaced by one that
    /// does not, with a note.
    pub(super) fn draw(
        &self,
        renderer: &mut Renderer,
        frame: &mut Frame,
        mut note: impl FnMut(&str),
    ) -> Result<(Statistics, StreamStatistics)> {
        let (mut statistics, streamed) = match self {
            Self::Spheres(scene) => {
                let simpler = scene.without_hidden();
                let (scene, visible) = match (scene.visible(renderer), &simpler) {
                    (Err(Error::Setting { name: "stream", .. }), Some(simpler)) => {
                        note(WITHOUT_HIDDEN);
                        (simpler, simpler.visible(renderer)?)
                    }
                    (visible, _) => (&**scene, visible?),
                };
                scene.notes(&visible).iter().for_each(|text| note(text));
                let streamed = visible.statistics;
                (scene.draw_visible(visible, renderer, frame)?, streamed)
            }
            Self::Circles(scene) => (Statistics::default(), scene.draw(renderer, frame)?),
        };
        statistics.shapes = streamed.shapes;
        statistics.visible = streamed.reaching;
        statistics.culled = streamed.shapes.saturating_sub(streamed.reaching);
        Ok((statistics, streamed))
    }
}
