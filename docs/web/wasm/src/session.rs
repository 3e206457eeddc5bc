//! The requests that an instance answers.

use roundel::Scene;
use roundel::io::{FrameSeries, LoadOption, LoadOptions, LoadedScene, MemoryFiles, render_command};
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
    /// Finds the frames of the file, and what their pictures share; views may name a frame from then on. The answer has
    /// no frames if the file has one, and a note if it is too long.
    Frames {},
    /// Draws the tiles of a view that begin in the rows `rows[0]` to one before `rows[1]`, without marks beside the
    /// picture.
    Draw { view: View, rows: [u32; 2] },
    /// Draws a view, or without one the picture of the command line, and all marks of its figure.
    Picture { view: Option<View>, format: PictureFormat },
    /// Draws the marks beside a view around an empty picture.
    Marks { view: View },
    /// Finds the shape in a pixel, and its row of the file if that is asked for.
    Pick { view: View, pixel: [u32; 2], record: bool },
    /// Writes the command that draws a view.
    Command { view: Option<View> },
    /// Lists the options.
    Options {},
}

impl Request {
    /// The view that is drawn, or looked into.
    fn view(&self) -> Option<&View> {
        match self {
            Self::Draw { view, .. } | Self::Marks { view } | Self::Pick { view, .. } => Some(view),
            Self::Picture { view, .. } | Self::Command { view } => view.as_ref(),
            Self::Load { .. } | Self::Frames {} | Self::Options {} => None,
        }
    }
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
    /// The options of the picture of the command line, and those of views, which have sizes of their own.
    given: LoadOptions,
    options: LoadOptions,
    /// The frames of the file, if they were asked for, and the one that is on the stage.
    frames: Option<FrameSeries>,
    frame: u64,
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
        let request: Request = serde_json::from_slice(request).map_err(|error| format!("not a request: {error}"))?;
        if let Some(frame) = request.view().and_then(|view| view.frame) {
            self.show_frame(frame)?;
        }
        let answer = match request {
            Request::Load { name, options } => {
                let given = options::parse(&options)?;
                // first, so that there is room for another scene
                (self.stage, self.frames) = (None, None);
                let loaded = self.files.load(&name, &given).map_err(message)?;
                let size = loaded.scene.size();
                let options = options_of_views(&given, &loaded);
                let loaded =
                    if options == given { loaded } else { self.files.load(&name, &options).map_err(message)? };
                let stage = Stage::new(loaded).map_err(message)?;
                let mut facts = serde_json::to_value(stage.facts()).map_err(|error| error.to_string())?;
                // the places of view boxes
                facts["canvas"] = json!([facts["width"], facts["height"]]);
                (facts["width"], facts["height"]) = (json!(size.0), json!(size.1));
                facts["view_box"] = json!(given.view_box.map(|part| [part.center[0], part.center[1], part.height]));
                (self.name, self.given, self.options, self.stage) = (name, given, options, Some(stage));
                facts
            }
            Request::Frames {} => self.find_frames()?,
            Request::Draw { view, rows: [start, end] } => {
                let stage = self.stage.as_mut().ok_or(NO_SCENE)?;
                let drawn = stage.draw_share(&view, start..end, &mut self.bytes).map_err(message)?;
                json!({ "width": view.width, "rows": [drawn.start, drawn.end] })
            }
            Request::Marks { view } => {
                let stage = self.stage.as_mut().ok_or(NO_SCENE)?;
                let (frame, offset) = stage.draw_marks(&view).map_err(message)?;
                self.bytes = frame.to_rgba_bytes();
                json!({ "width": frame.width(), "height": frame.height(), "offset": offset })
            }
            Request::Picture { view, format } => {
                let mut own;
                let stage = match &view {
                    Some(_) => self.stage.as_mut().ok_or(NO_SCENE)?,
                    None if self.frames.is_none() && self.options == self.given => {
                        self.stage.as_mut().ok_or(NO_SCENE)?
                    }
                    None => {
                        own =
                            Stage::new(self.files.load(&self.name, &self.given).map_err(message)?).map_err(message)?;
                        &mut own
                    }
                };
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
                let record =
                    record.then(|| self.files.read_record(&self.name, &self.drawn_options(), shape.index).ok());
                json!({ "shape": shape, "record": record.flatten().unwrap_or_default() })
            }
            Request::Command { view } => {
                let options = match view {
                    Some(view) => {
                        let mut options = self.drawn_options();
                        self.stage.iter().for_each(|stage| stage.set_options(&view, &mut options));
                        options
                    }
                    None => self.given.clone(),
                };
                render_command(self.name.as_ref(), &options).into()
            }
            Request::Options {} => LoadOption::all().iter().map(options::describe).collect(),
        };
        Ok(answer.to_string())
    }

    /// The options of the scene on the stage.
    fn drawn_options(&self) -> LoadOptions {
        self.frames.as_ref().map_or_else(|| self.options.clone(), |frames| frames.options(self.frame))
    }

    /// Puts a frame on the stage, unless it is there.
    fn show_frame(&mut self, frame: u64) -> Result<(), String> {
        if let (Some(frames), Some(stage)) = (&self.frames, &mut self.stage)
            && frame != self.frame
        {
            stage.replace(self.files.load(&self.name, &frames.options(frame)).map_err(message)?);
            self.frame = frame;
        }
        Ok(())
    }

    /// Finds the frames of the file, and puts the first one to show on the stage.
    fn find_frames(&mut self) -> Result<Value, String> {
        let stage = self.stage.as_mut().ok_or(NO_SCENE)?;
        let bytes: usize = self.files.names().filter_map(|name| self.files.get(name)).map(<[u8]>::len).sum();
        if bytes > FrameSeries::LARGEST_OF_PAGES {
            let has_more = self.files.load(&self.name, &second_frame(&self.options)).is_ok();
            let note = format!(
                "{} has {} MB; frames of files up to {} MB are played, `roundel view` plays longer ones",
                self.name,
                bytes / 1_000_000,
                FrameSeries::LARGEST_OF_PAGES / 1_000_000
            );
            return Ok(json!({ "frames": 1, "note": has_more.then_some(note) }));
        }
        let frames = match self.files.frames(&self.name, &self.options) {
            Ok(Some(frames)) => frames,
            Ok(None) => return Ok(json!({ "frames": 1 })),
            // the first frame has been read
            Err(error) => return Ok(json!({ "frames": 1, "note": format!("frames do not play: {}", message(error)) })),
        };
        let first = frames.first();
        stage.replace(self.files.load(&self.name, &frames.options(first)).map_err(message)?);
        let mut facts = serde_json::to_value(stage.facts()).map_err(|error| error.to_string())?;
        (facts["frames"], facts["frame"], facts["notes"]) = (json!(frames.len()), json!(first), json!(frames.notes()));
        (self.frames, self.frame) = (Some(frames), first);
        Ok(facts)
    }
}

/// The options of a scene for views of it: the size is the view's, which shows a part of a canvas or all of it.
fn options_of_views(given: &LoadOptions, loaded: &LoadedScene<'_>) -> LoadOptions {
    let mut options = given.clone();
    (options.figure.figure_width, options.figure.trim) = (None, None);
    if loaded.figure.is_scaled() {
        options.figure.scale = Some(1.0);
    }
    if matches!(loaded.scene, Scene::Circles(_)) {
        (options.width, options.height, options.view_box) = (None, None, None);
    }
    options
}

/// Options that read the second frame of a file.
fn second_frame(options: &LoadOptions) -> LoadOptions {
    LoadOptions { frame: Some(1), ..options.clone() }
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A session with one file, read with these options.
    fn session(name: &str, content: impl Into<Vec<u8>>, options: &Value) -> (Session, Value) {
        let mut session = Session::default();
        session.add_file(name, content.into());
        let facts = ask(&mut session, &json!({ "load": { "name": name, "options": options } }));
        (session, facts)
    }

    fn ask(session: &mut Session, request: &Value) -> Value {
        let answer =
            session.answer(request.to_string().as_bytes()).unwrap_or_else(|error| panic!("{request}: {error}"));
        serde_json::from_str(&answer).expect("JSON")
    }

    /// Two argon atoms, one of which moves away and gets warmer.
    fn run() -> String {
        let head = "2\nProperties=species:S:1:pos:R:3:heat:R:1\nAr 0 0 0 1\n";
        (0..5).map(|frame| format!("{head}Ar {} 0 0 {}\n", 4 + frame, 2 + frame)).collect()
    }

    fn marks(session: &mut Session, view: &Value) -> (Value, Vec<u8>) {
        let answer = ask(session, &json!({ "marks": { "view": view } }));
        (answer, session.bytes().to_vec())
    }

    #[test]
    fn frames_share_camera_and_range_of_colors() {
        let options = json!({ "color_by": "heat", "legend": true });
        let (mut session, facts) = session("run.xyz", run(), &options);
        let found = ask(&mut session, &json!({ "frames": {} }));
        assert_eq!((&found["frames"], &found["frame"]), (&json!(5), &json!(0)));
        assert_ne!(found["camera"], facts["camera"], "all frames are in the picture");
        let view = |frame: u64| json!({ "width": 160, "height": 90, "frame": frame });
        let commands: Vec<String> = [0, 4]
            .map(|frame| ask(&mut session, &json!({ "command": { "view": view(frame) } })))
            .map(|command| command.as_str().expect("a text").replace("--frame=4", "--frame=0"))
            .into();
        assert_eq!(commands[0], commands[1], "but for the frame");
        assert!(commands[0].contains("--color-range=1,6"), "{}", commands[0]);
        assert_eq!(marks(&mut session, &view(0)), marks(&mut session, &view(4)), "the legend stays");
        // the frame that is asked for is drawn, whichever came before
        let mut drawn = |frame: u64| {
            ask(&mut session, &json!({ "picture": { "view": view(frame), "format": "rgba" } }));
            session.bytes().to_vec()
        };
        let [first, last, again] = [0, 4, 0].map(&mut drawn);
        assert!(first == again && first != last);
        let single = ask(&mut session, &json!({ "pick": { "view": view(3), "pixel": [0, 0], "record": true } }));
        assert_eq!(single, Value::Null);
    }

    #[test]
    fn a_frame_of_the_options_is_first() {
        let (mut session, _) = session("run.xyz", run(), &json!({ "frame": -2 }));
        assert_eq!(ask(&mut session, &json!({ "frames": {} }))["frame"], json!(3));
        // the picture of the command line is that of its options
        ask(&mut session, &json!({ "picture": { "view": null, "format": "rgba" } }));
        let own = session.bytes().to_vec();
        let (mut single, _) = super::tests::session("run.xyz", run(), &json!({ "frame": 3 }));
        ask(&mut single, &json!({ "picture": { "view": null, "format": "rgba" } }));
        assert!(own == single.bytes());
    }

    #[test]
    fn files_without_frames_have_one() {
        for (name, text) in [("t.csv", "x,y\n1,2\n3,4\n".to_owned()), ("one.xyz", run()[..62].to_owned())] {
            let (mut session, _) = session(name, text, &json!({}));
            assert_eq!(ask(&mut session, &json!({ "frames": {} })), json!({ "frames": 1 }), "{name}");
        }
    }

    #[test]
    fn trajectories_above_the_limit_show_a_frame_and_say_so() {
        let mut long = run();
        while long.len() <= FrameSeries::LARGEST_OF_PAGES {
            long = long.repeat(8);
        }
        let (mut session, _) = session("long.xyz", long, &json!({}));
        let found = ask(&mut session, &json!({ "frames": {} }));
        assert_eq!(found["frames"], json!(1));
        let note = found["note"].as_str().expect("a note");
        assert!(note.starts_with("long.xyz has ") && note.contains("50 MB") && note.contains("roundel view"), "{note}");
    }

    #[test]
    fn a_broken_frame_leaves_the_first() {
        let (mut session, _) = session("run.xyz", run().replace("Ar 6 0 0 4", "Ar 6 zero 0 4"), &json!({}));
        let found = ask(&mut session, &json!({ "frames": {} }));
        assert_eq!(found["frames"], json!(1));
        assert!(found["note"].as_str().is_some_and(|note| note.starts_with("frames do not play: run.xyz:")), "{found}");
    }

    #[test]
    fn marks_surround_an_empty_picture_as_they_do_the_final_one() {
        let map = "x,y,size\n1,2,1\n3,4,2\n5,1,9\n";
        let options = json!({ "color": "size", "legend": true, "title": "A map", "axes": true });
        let (mut session, _) = session("map.csv", map, &options);
        for view in [
            json!({ "width": 320, "height": 200 }),
            json!({ "width": 200, "height": 200, "view_box": [400.0, 300.0, 90.0] }),
        ] {
            let (answer, beside) = marks(&mut session, &view);
            let picture = ask(&mut session, &json!({ "picture": { "view": view, "format": "rgba" } }));
            assert_eq!(answer, picture);
            let [width, height] = ["width", "height"].map(|side| answer[side].as_u64().expect("a number") as usize);
            let [left, top] = [0, 1].map(|axis| answer["offset"][axis].as_i64().expect("a number") as usize);
            let sides = ["width", "height"].map(|side| view[side].as_u64().expect("a number") as usize);
            assert!(left > 0 && top > 0 && width > left + sides[0] && height > top + sides[1]);
            let is_inside = |index: usize| {
                let (x, y) = (index % width, index / width);
                (left..left + sides[0]).contains(&x) && (top..top + sides[1]).contains(&y)
            };
            let pixels = |bytes: &[u8]| -> Vec<[u8; 4]> {
                let pixels = bytes.chunks_exact(4).map(|pixel| [pixel[0], pixel[1], pixel[2], pixel[3]]).enumerate();
                pixels.filter(|(index, _)| !is_inside(*index)).map(|(_, pixel)| pixel).collect()
            };
            assert!(pixels(&beside) == pixels(session.bytes()), "the same marks");
        }
    }

    #[test]
    fn views_of_a_canvas_have_its_own_places_whatever_the_size_of_the_picture() {
        let commands = [json!({}), json!({ "width": 300, "scale": 2, "view_box": [100, 100, 50] })].map(|options| {
            let (mut session, facts) = session("map.csv", "x,y\n0,0\n10,10\n5,5\n", &options);
            let view = json!({ "width": 300, "height": 200, "view_box": [640, 640, 90] });
            (facts["canvas"].clone(), ask(&mut session, &json!({ "command": { "view": view } })))
        });
        assert_eq!(commands[0].0, commands[1].0);
        let command = commands[1].1.as_str().expect("a text");
        assert!(command.contains("--width=300 --height=200") && command.contains("--view-box=640,640,90"), "{command}");
        assert!(command.contains("--scale=1") && !command.contains("--scale=2"), "{command}");
    }

    #[test]
    fn axes_add_no_shapes_to_pick() {
        let view = json!({ "width": 300, "height": 300 });
        let picked = |options: &Value| {
            let (mut session, facts) = session("map.csv", "x,y\n0,0\n10,10\n5,5\n", options);
            let pixel = [150, 150];
            (
                ask(&mut session, &json!({ "pick": { "view": view, "pixel": pixel, "record": true } })),
                facts["shapes"].clone(),
            )
        };
        let [plain, with_axes] = [json!({}), json!({ "axes": true })].map(|options| picked(&options));
        assert_eq!(plain.0["shape"]["index"], json!(2));
        assert_eq!(plain.0["record"], with_axes.0["record"]);
        assert_eq!(plain, with_axes);
    }
}
