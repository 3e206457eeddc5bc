//! The requests that an instance answers.

use roundel::io::{LoadOption, LoadOptions, MemoryFiles, render_command};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::options;
use crate::stage::Stage;
use crate::view::View;

/// A request of JavaScript's: an object with one key, what to do. (A key among the others would have serde keep them
/// all until it is found, by code as large as a reader.)
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Request {
    /// Reads a file that was added, with these options.
    Load { name: String, options: Map<String, Value> },
    /// Draws the tiles of a view that begin in the rows `rows[0]` to one before `rows[1]`, without marks beside the
    /// picture.
    Draw { view: View, rows: [u32; 2] },
    /// Draws a view, or without one the picture of the command line, and all marks of its figure.
    Picture { view: Option<View>, format: PictureFormat },
    /// Finds the shape in a pixel, and its row of the file if that is asked for.
    Pick { view: View, pixel: [u32; 2], record: bool },
    /// Writes the command that draws a view.
    Command { view: Option<View> },
    /// Lists the options.
    Options {},
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum PictureFormat {
    /// Red, green, blue and alpha of every pixel, as canvases have them.
    Rgba,
    Png,
}

/// The files of an instance, and the scene that was made of them.
#[derive(Default)]
pub(crate) struct Session {
    files: MemoryFiles,
    name: String,
    options: LoadOptions,
    stage: Option<Stage>,
    /// The pixels, or the file, that the last request made.
    bytes: Vec<u8>,
}

impl Session {
    pub(crate) fn add_file(&mut self, name: &str, content: Vec<u8>) {
        self.files = std::mem::take(&mut self.files).with(name, content);
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Answers a request with JSON, or with the text of an error.
    pub(crate) fn answer(&mut self, request: &[u8]) -> Result<String, String> {
        let request = serde_json::from_slice(request).map_err(|error| format!("not a request: {error}"))?;
        let answer = match request {
            Request::Load { name, options } => {
                let options = options::parse(&options)?;
                // first, so that there is room for another scene
                self.stage = None;
                let loaded = self.files.load(&name, &options).map_err(message)?;
                let stage = Stage::new(loaded).map_err(message)?;
                let facts = stage.facts();
                (self.name, self.options, self.stage) = (name, options, Some(stage));
                serde_json::to_value(facts).map_err(|error| error.to_string())?
            }
            Request::Draw { view, rows: [start, end] } => {
                let stage = self.stage.as_mut().ok_or(NO_SCENE)?;
                let drawn = stage.draw_share(&view, start..end, &mut self.bytes).map_err(message)?;
                json!({ "width": view.width, "rows": [drawn.start, drawn.end] })
            }
            Request::Picture { view, format } => {
                let stage = self.stage.as_mut().ok_or(NO_SCENE)?;
                let (frame, offset) = stage.draw(view.as_ref()).map_err(message)?;
                self.bytes = match format {
                    PictureFormat::Rgba => frame.to_rgba_bytes(),
                    PictureFormat::Png => frame.encode_png(),
                };
                json!({ "width": frame.width(), "height": frame.height(), "offset": offset })
            }
            Request::Pick { view, pixel, record } => {
                let stage = self.stage.as_mut().ok_or(NO_SCENE)?;
                let Some(shape) = stage.pick(&view, pixel).map_err(message)? else { return Ok("null".to_owned()) };
                // a scene file has no rows, and a shape that is not of a row has none
                let record = record.then(|| self.files.read_record(&self.name, &self.options, shape.index).ok());
                json!({ "shape": shape, "record": record.flatten().unwrap_or_default() })
            }
            Request::Command { view } => {
                let mut options = self.options.clone();
                if let (Some(view), Some(stage)) = (view, &self.stage) {
                    stage.set_options(&view, &mut options);
                }
                render_command(self.name.as_ref(), &options).into()
            }
            Request::Options {} => LoadOption::all().iter().map(options::describe).collect(),
        };
        Ok(answer.to_string())
    }
}

const NO_SCENE: &str = "no scene is loaded";

/// The text of an error and of its causes.
#[expect(clippy::needless_pass_by_value, reason = "handed to `map_err`")]
fn message(error: roundel::Error) -> String {
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(&error);
    while let Some(inner) = cause {
        let quoted = inner.to_string();
        if !text.contains(&quoted) {
            text = format!("{text}: {quoted}");
        }
        cause = inner.source();
    }
    text
}
