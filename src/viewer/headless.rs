//! A viewer without a window: events in, pixels out.

use std::path::{Path, PathBuf};

use super::background::Export;
use super::camera::{HomeView, Viewpoint};
use super::event::{Event, TimedEvent};
use super::files::FileList;
use super::marks::Marks;
use super::overlay::hud::{self, HudInfo};
use super::overlay::{Screen, tiles};
use super::pick::PickedShape;
use super::progressive::ProgressiveRenderer;
use super::state::{LoadRequest, ViewerAction, ViewerState};
use crate::color::Srgba8;
use crate::error::Result;
use crate::figure::Figure;
use crate::frame::Frame;
use crate::io::LoadOptions;
use crate::scene::Scene;
use crate::scene::spheres::Shading;
use roundel_render::RenderSettings;
use roundel_render::inner::SOLID;

/// The files that a viewer opens, and how.
///
/// ```
/// use roundel::RenderSettings;
/// use roundel::viewer::ViewerOptions;
///
/// let options = ViewerOptions::new(["protein.pdb", "ligand.xyz"])
///     .with_settings(RenderSettings::default().with_threads(2))
///     .with_screenshot("picture.png");
/// assert_eq!(options.files.len(), 2);
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct ViewerOptions {
    /// Files to step through; at least one.
    pub files: Vec<PathBuf>,
    /// Replacements for what the files say, as for [`read_scene`](crate::io::read_scene). Width and height are the
    /// window's.
    pub overrides: LoadOptions,
    /// Threads, tiles and instruction set.
    pub settings: RenderSettings,
    /// The file that screenshots are written to; `None` numbers them in the working directory.
    pub screenshot: Option<PathBuf>,
}

impl ViewerOptions {
    /// Opens the first of these files, without overrides and with default settings.
    #[must_use]
    pub fn new(files: impl IntoIterator<Item = impl Into<PathBuf>>) -> Self {
        Self { files: files.into_iter().map(Into::into).collect(), ..Self::default() }
    }

    /// The same options with these overrides.
    #[must_use]
    pub fn with_overrides(self, overrides: LoadOptions) -> Self {
        Self { overrides, ..self }
    }

    /// The same options with these settings.
    #[must_use]
    pub fn with_settings(self, settings: RenderSettings) -> Self {
        Self { settings, ..self }
    }

    /// The same options with screenshots written to this file.
    #[must_use]
    pub fn with_screenshot(self, path: impl Into<PathBuf>) -> Self {
        Self { screenshot: Some(path.into()), ..self }
    }
}

/// A viewer without a window: events in, pixels out.
///
/// [`run_window`](super::run_window) shows one in a window; a program with a window of its own sends it events
/// ([`Viewer::handle`]), lets it draw ([`Viewer::draw`]) and shows its [`pixels`](Viewer::pixels):
///
/// ```
/// use roundel::RenderSettings;
/// use roundel::circles::{CircleScene, PaintedCircle};
/// use roundel::viewer::{Event, TimedEvent, Viewer};
///
/// let coin = vec![PaintedCircle::new([16.0, 12.0], 8.0, roundel::Srgba8::BLACK)];
/// let scene = CircleScene::new(32, 24).with_layer(coin);
/// let mut viewer = Viewer::new(scene.into(), &RenderSettings::default())?;
/// viewer.handle(&TimedEvent::new(0, Event::Resize { width: 320, height: 240 }))?;
/// while !viewer.is_idle() {
///     if viewer.draw()? {
///         assert_eq!(viewer.pixels().len(), 320 * 240, "show them");
///     }
/// }
/// # Ok::<(), roundel::Error>(())
/// ```
#[derive(Debug)]
pub struct Viewer {
    state: ViewerState,
    files: FileList,
    renderer: ProgressiveRenderer,
    marks: Marks,
    /// The final picture with its marks; out of date while the picture changes.
    figure: Frame,
    screen: Screen,
    /// Whether the screen is out of date.
    needs_compositing: bool,
    /// The pixel under the mouse, until its shape has been looked up.
    hover: Option<[f32; 2]>,
    picked: Option<PickedShape>,
    screenshot: Option<PathBuf>,
    settings: RenderSettings,
    export: Option<Export>,
    /// The last action or error, shown over the picture.
    status: String,
    /// Messages for the caller's user, oldest first.
    messages: Vec<String>,
}

impl Viewer {
    /// Reads the first file.
    ///
    /// # Errors
    /// When there is no file, it cannot be read, or a setting is out of range.
    ///
    /// ```no_run
    /// use roundel::viewer::{Viewer, ViewerOptions};
    ///
    /// let mut viewer = Viewer::open(&ViewerOptions::new(["protein.pdb"]).with_screenshot("protein.png"))?;
    /// viewer.write_screenshot()?;
    /// let messages = viewer.drain_messages();
    /// assert!(messages.last().is_some_and(|text| text.starts_with("wrote protein.png\nroundel render protein.pdb ")));
    /// # Ok::<(), roundel::Error>(())
    /// ```
    pub fn open(options: &ViewerOptions) -> Result<Self> {
        let (files, scene) = FileList::open(&options.files, &options.overrides)?;
        let viewer = Self::start(files, scene, &options.settings)?;
        let mut viewer = Self { screenshot: options.screenshot.clone(), ..viewer };
        viewer.take_notes();
        Ok(viewer)
    }

    /// Views a scene in memory, in a window of its size.
    ///
    /// # Errors
    /// When a setting is out of range, or the picture is larger than a frame can be.
    pub fn new(scene: Scene<'static>, settings: &RenderSettings) -> Result<Self> {
        Self::start(FileList::default(), scene, settings)
    }

    fn start(files: FileList, scene: Scene<'static>, settings: &RenderSettings) -> Result<Self> {
        let size = files.picture_size(&scene);
        Ok(Self {
            state: ViewerState::new(&HomeView::of(&scene), size),
            marks: Marks::around(files.figure.clone(), &scene, size),
            files,
            renderer: ProgressiveRenderer::new(scene, size, settings)?,
            figure: Frame::new(1, 1, Srgba8::TRANSPARENT)?,
            screen: Screen::default(),
            needs_compositing: true,
            hover: None,
            picked: None,
            screenshot: None,
            settings: *settings,
            export: None,
            status: String::new(),
            messages: Vec::new(),
        })
    }

    /// Updates the viewer; [`Viewer::draw`] then draws what the event changes.
    ///
    /// # Errors
    /// When a screenshot cannot be written. A file that cannot be read is not an error: the last scene stays, and a
    /// message over the picture gives the reason.
    pub fn handle(&mut self, event: &TimedEvent) -> Result<()> {
        let inner = self.in_picture(event);
        match self.state.handle(&inner) {
            None => {}
            Some(ViewerAction::Redraw) => self.invalidate(),
            Some(ViewerAction::RedrawOverlay) => self.needs_compositing = true,
            Some(ViewerAction::Hover(cursor)) => self.hover = Some(cursor),
            Some(ViewerAction::Pick(cursor)) => self.pick_and_report(cursor),
            Some(ViewerAction::Center(cursor)) => {
                if let Some(point) = self.pick(cursor).and_then(|picked| picked.shape.center()) {
                    self.state.center_on(point);
                    self.invalidate();
                }
            }
            Some(ViewerAction::Screenshot) => self.write_screenshot()?,
            Some(ViewerAction::Film) => self.begin_or_stop_film(),
            Some(ViewerAction::Load(request)) => self.load(request),
        }
        if self.state.is_playing() {
            self.files.plan_film();
        }
        Ok(())
    }

    /// Converts an event of the window to one of the picture in it.
    fn in_picture(&mut self, event: &TimedEvent) -> TimedEvent {
        let inner = match event.event {
            Event::Resize { width, height } => {
                let (width, height) = self.marks.resize((width, height));
                // the picture may keep its size where the window does not
                self.needs_compositing = true;
                Event::Resize { width, height }
            }
            #[expect(clippy::cast_precision_loss, reason = "a window has fewer than 2^24 pixels a side")]
            Event::Move { x, y } => Event::Move { x, y: y - self.marks.top() as f32 },
            other => other,
        };
        TimedEvent::new(event.time_ms, inner)
    }

    fn invalidate(&mut self) {
        self.renderer.invalidate();
        self.needs_compositing = true;
        self.hover = None;
    }

    fn load(&mut self, request: LoadRequest) {
        match self.files.load(request) {
            Ok(None) => {}
            Ok(Some(scene)) => {
                let home = HomeView::of(&scene);
                let (width, height) = self.marks.replace(self.files.figure.clone(), &scene);
                match request {
                    LoadRequest::StepFile(_) => self.state.open_scene(&home),
                    _ => self.state.replace_scene(&home),
                }
                self.renderer.set_scene(scene);
                self.state.handle(&TimedEvent::new(0, Event::Resize { width, height }));
                self.status = if request == LoadRequest::Reload { "reloaded".to_owned() } else { String::new() };
                self.picked = None;
                self.update_frames();
                self.invalidate();
                self.take_notes();
            }
            Err(error) => self.set_status(error.to_string()),
        }
    }

    fn set_status(&mut self, status: String) {
        self.status = status;
        self.needs_compositing = true;
    }

    /// Turns the notes of a file into messages.
    fn take_notes(&mut self) {
        self.messages.extend(self.files.take_notes().iter().map(|note| format!("note: {note}")));
    }

    /// Takes over the number of frames, if it is known.
    fn update_frames(&mut self) {
        let (frames, frame) = self.files.frames();
        self.state.set_frames(frames, frame);
        self.needs_compositing = true;
    }

    /// Waits until the frames of the file have been counted.
    pub(super) fn wait_for_frames(&mut self) {
        if self.files.wait_for_count() {
            self.take_notes();
            self.update_frames();
        }
    }

    /// Begins to write a film in the background, or stops: the film has the frames so far.
    fn begin_or_stop_film(&mut self) {
        if let Some(export) = self.export.take() {
            // dropping it ends the film
            self.set_status(format!("stopped {}", export.job.output.display()));
            return;
        }
        let output = self.files.unused_name("webp");
        self.wait_for_frames();
        let job = self.files.film_job(&self.state.picture(), output, &self.settings);
        self.export = job.map(Export::start);
        let status = if self.export.is_some() { "film: looking at all frames" } else { "a film needs a file" };
        self.set_status(status.to_owned());
    }

    /// Shows the progress of a film, or its end.
    fn update_film(&mut self) {
        let Some(export) = &self.export else { return };
        let [drawn, total] = export.progress();
        let status = format!("film: {drawn} of {total} frames; E stops it");
        let is_finished = export.is_finished();
        if total > 0 && status != self.status {
            self.set_status(status);
        }
        if is_finished {
            self.finish_film();
        }
    }

    /// Waits for the film that is being written, if there is one, and adds its name and the command that writes it to
    /// the [messages](Viewer::drain_messages).
    pub fn finish_film(&mut self) {
        let Some(export) = self.export.take() else { return };
        let job = export.job.clone();
        match export.finish() {
            Ok(frames) => {
                self.set_status(format!("wrote {}: {frames} frames", job.output.display()));
                self.messages.push(format!("{}\n{}", self.status, job.command));
            }
            Err(error) => self.set_status(error.to_string()),
        }
    }

    fn pick(&mut self, cursor: [f32; 2]) -> Option<PickedShape> {
        let least_alpha = if self.state.shift { 1 } else { SOLID };
        self.renderer.pick(&self.state.picture(), cursor, least_alpha)
    }

    /// Picks a shape and looks its record up in the file.
    fn pick_with_record(&mut self, cursor: [f32; 2]) -> Option<PickedShape> {
        let picked = self.pick(cursor)?;
        Some(PickedShape { record: self.files.record(picked.index), ..picked })
    }

    fn pick_and_report(&mut self, cursor: [f32; 2]) {
        let picked = self.pick_with_record(cursor);
        let message =
            picked.as_ref().map_or("no shape here".to_owned(), |picked| picked.lines().join(", ").replace('\t', " "));
        self.messages.push(message);
        self.set_picked(picked);
    }

    fn set_picked(&mut self, picked: Option<PickedShape>) {
        self.needs_compositing |= picked != self.picked;
        self.picked = picked;
    }

    /// Draws the next frame if one is due; returns whether [`Viewer::pixels`] changed.
    ///
    /// An outdated picture is redrawn at once, at a quality that aims at 30 frames per second. At rest, each call
    /// shows the progress of a background thread, which refines up to the picture of
    /// [`render`](crate::render()). Call it regularly until [`Viewer::is_idle`].
    ///
    /// # Errors
    /// When the window is larger than a frame can be, or the picture exceeds the budget.
    pub fn draw(&mut self) -> Result<bool> {
        if self.files.poll_count() {
            self.take_notes();
            self.update_frames();
        }
        if self.files.poll_film() {
            self.load(LoadRequest::Film);
        }
        self.update_film();
        let picture = self.state.picture();
        if self.renderer.draw(&picture)? {
            self.needs_compositing = true;
        } else if self.renderer.is_at_rest()
            && let Some(cursor) = self.hover.take()
        {
            let picked = if self.files.is_quick() { self.pick_with_record(cursor) } else { self.pick(cursor) };
            self.set_picked(picked);
        }
        if self.renderer.is_at_rest() {
            self.update_tiles()?;
        }
        let changed = self.needs_compositing;
        if changed {
            self.composite(Timing::Shown)?;
        }
        Ok(changed)
    }

    fn update_tiles(&mut self) -> Result<()> {
        if self.state.toggles.tiles {
            self.needs_compositing |= self.renderer.update_tiles(&self.state.picture())?;
        }
        Ok(())
    }

    /// Waits for the final picture and returns it: the pixels that [`render`](crate::render()) draws, and the marks of
    /// the file's figure, without overlay.
    ///
    /// # Errors
    /// As for [`Viewer::draw`].
    pub fn finish(&mut self) -> Result<&Frame> {
        if self.files.wait_for_film() {
            self.load(LoadRequest::Film);
        }
        let picture = self.state.picture();
        self.needs_compositing |= self.renderer.finish(&picture)?;
        let Some(figure) = self.marks.figure() else { return Ok(&self.renderer.frame) };
        self.figure = self.renderer.marked(figure, &picture)?;
        Ok(&self.figure)
    }

    /// Waits for the final picture and returns it with the overlay: what a window shows at rest, except for times. The
    /// pixels are the same on every machine.
    ///
    /// The overlay shows the number of culled shapes and, if switched on, tiles; both depend on the tile size in the
    /// settings.
    ///
    /// # Errors
    /// As for [`Viewer::draw`].
    ///
    /// ```
    /// use roundel::RenderSettings;
    /// use roundel::circles::CircleScene;
    /// use roundel::viewer::Viewer;
    ///
    /// let mut viewer = Viewer::new(CircleScene::new(320, 240).into(), &RenderSettings::default())?;
    /// let with_overlay = viewer.render_still()?;
    /// assert_ne!(*viewer.finish()?, with_overlay, "the overlay has text in a corner");
    /// assert_eq!(viewer.quality(), "finished");
    /// # Ok::<(), roundel::Error>(())
    /// ```
    pub fn render_still(&mut self) -> Result<Frame> {
        self.wait_for_frames();
        self.finish()?;
        self.update_tiles()?;
        self.composite(Timing::Hidden)?;
        // the next draw shows times again
        self.needs_compositing = true;
        let (width, height) = self.size();
        let mut frame = Frame::new(width, height, Srgba8::TRANSPARENT)?;
        frame.pixels_mut().iter_mut().zip(self.screen.pixels()).for_each(|(to, &from)| *to = Srgba8::hex(from));
        Ok(frame)
    }

    /// Writes the final picture to a file, and adds the file's name and the command that draws it to the
    /// [messages](Viewer::drain_messages).
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn write_screenshot(&mut self) -> Result<()> {
        let path = self.screenshot.clone().unwrap_or_else(|| self.files.unused_name("png"));
        match self.files.figure.dpi() {
            Some(dpi) => self.finish()?.save_png_with_dpi(&path, dpi)?,
            None => self.finish()?.save_png(&path)?,
        }
        self.set_status(format!("wrote {}", path.display()));
        let command = self.render_command(&path);
        self.messages.push(format!("{}\n{command}", self.status));
        Ok(())
    }

    /// Returns the command line with which the `roundel` program draws the final picture into a file.
    ///
    /// ```
    /// use roundel::RenderSettings;
    /// use roundel::circles::CircleScene;
    /// use roundel::viewer::Viewer;
    ///
    /// let viewer = Viewer::new(CircleScene::new(32, 24).into(), &RenderSettings::default())?;
    /// println!("{}", viewer.render_command("picture.png"));
    /// # Ok::<(), roundel::Error>(())
    /// ```
    #[must_use]
    pub fn render_command(&self, output: impl AsRef<Path>) -> String {
        self.files.render_command(&self.state.picture(), output.as_ref())
    }

    /// Draws frame and overlay to the screen.
    fn composite(&mut self, timing: Timing) -> Result<()> {
        let picture = self.state.picture();
        if let Some(figure) = self.marks.figure() {
            let marked = self.renderer.marked(&Figure { trim: None, ..figure.clone() }, &picture)?;
            let window = self.marks.in_window(&marked, self.renderer.scene())?;
            self.screen.show(&window, 1, self.marks.window);
        } else {
            self.screen.show(&self.renderer.frame, self.renderer.info.divisor, picture.size);
        }
        let info = &self.renderer.info;
        if let Some(map) = self.renderer.tiles.as_ref().filter(|_| self.state.toggles.tiles) {
            let circle = self.picked.as_ref().and_then(|picked| picked.circle_in_window(&picture));
            tiles::draw(&mut self.screen, map, circle.as_ref(), self.marks.top());
        }
        let hud_info = HudInfo {
            frame: info,
            time: (timing == Timing::Shown).then_some(info.time),
            position: &self.files.position(),
            message: &self.status,
            picked: self.picked.as_ref(),
            rows_beside: self.marks.rows_beside(),
            has_scale_bar: self.marks.figure().is_some_and(Figure::has_scale_bar),
        };
        hud::draw(&mut self.screen, &self.state, &hud_info);
        self.needs_compositing = false;
        Ok(())
    }

    /// Returns the window's pixels as of the last [`Viewer::draw`]: `0x00RRGGBB`, row by row from the top.
    #[must_use]
    pub fn pixels(&self) -> &[u32] {
        self.screen.pixels()
    }

    /// Returns the frame under the overlay. While the picture changes it may be smaller than the window.
    #[must_use]
    pub fn frame(&self) -> &Frame {
        &self.renderer.frame
    }

    /// Describes the quality of the frame: `finished`, `refining`, `thinned` or `1/2 size`.
    #[must_use]
    pub fn quality(&self) -> String {
        hud::quality(&self.renderer.info)
    }

    /// Returns width and height of the window in pixels.
    #[must_use]
    pub fn size(&self) -> (u32, u32) {
        self.marks.window
    }

    /// Returns the current camera or view box.
    #[must_use]
    pub fn viewpoint(&self) -> Viewpoint {
        self.state.picture().viewpoint
    }

    /// Returns the shading of the final picture: the scene's with the user's changes.
    #[must_use]
    pub fn shading(&self) -> Shading {
        self.state.picture().shading
    }

    /// Returns the shape that was clicked on or hovered over last.
    #[must_use]
    pub fn picked(&self) -> Option<&PickedShape> {
        self.picked.as_ref()
    }

    /// Returns the current file, whose changes [`Event::FileChanged`] reports; `None` for a scene in memory.
    #[must_use]
    pub fn current_file(&self) -> Option<&Path> {
        self.files.current()
    }

    /// Returns whether a file's frames are playing and [`Event::Tick`] is needed.
    ///
    /// ```
    /// use roundel::RenderSettings;
    /// use roundel::circles::CircleScene;
    /// use roundel::viewer::{Event, Key, TimedEvent, Viewer};
    ///
    /// let mut viewer = Viewer::new(CircleScene::new(32, 24).into(), &RenderSettings::default())?;
    /// viewer.handle(&TimedEvent::new(0, Event::KeyDown(Key::Space)))?;
    /// assert!(viewer.is_playing());
    /// viewer.handle(&TimedEvent::new(40, Event::Tick))?;
    /// viewer.handle(&TimedEvent::new(50, Event::KeyDown(Key::Escape)))?;
    /// assert!(viewer.close_requested());
    /// # Ok::<(), roundel::Error>(())
    /// ```
    #[must_use]
    pub fn is_playing(&self) -> bool {
        self.state.is_playing()
    }

    /// Returns whether nothing will change until the next event.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        let is_busy = self.files.is_busy() || self.export.is_some();
        self.renderer.is_final() && !self.needs_compositing && self.hover.is_none() && !is_busy
    }

    /// Returns whether the user has asked to close the viewer.
    #[must_use]
    pub fn close_requested(&self) -> bool {
        self.state.close_requested
    }

    /// Removes and returns the messages for the user, oldest first: shapes that were clicked on, files that were
    /// written. Messages that begin with `note: ` name parts of a file that are not shown.
    pub fn drain_messages(&mut self) -> Vec<String> {
        std::mem::take(&mut self.messages)
    }
}

/// Whether the overlay states the time of the frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Timing {
    Shown,
    Hidden,
}
