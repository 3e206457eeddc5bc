//! A viewer without a window: files, state, pictures and what is written over them, driven by events.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use glam::DVec3;

use super::event::{Event, TimedEvent};
use super::files::Files;
use super::hud::{self, Facts};
use super::overlay;
use super::pace::{Effects, Pace, passes};
use super::pick::{Picked, pick};
use super::picture::{Loaded, coarser, picture};
use super::refine::{Pass, Refiner, Wish};
use super::screen::Screen;
use super::state::{Aim, Load, Requests, ViewerState};
use crate::color::Srgba8;
use crate::error::Result;
use crate::frame::Frame;
use crate::geom::Circle;
use crate::io::Overrides;
use crate::render::{RenderSettings, Renderer, Statistics, TileMap};
use crate::scene::Scene;

/// The picture stays as it is while moving for so long before it is refined: the next move usually comes sooner.
const REST: Duration = Duration::from_millis(60);

/// What to view and how.
#[derive(Clone, Debug, Default)]
pub struct ViewOptions {
    /// Files to step through; at least one.
    pub files: Vec<PathBuf>,
    /// As for [`crate::io::read_scene`]; width and height are the window's.
    pub overrides: Overrides,
    /// Threads, tiles and lanes.
    pub settings: RenderSettings,
    /// Where screenshots go; by default beside nothing, into the working directory, numbered.
    pub screenshot: Option<PathBuf>,
}

/// A viewer without a window: events in, pixels out.
#[derive(Debug)]
pub struct Viewer {
    state: ViewerState,
    files: Files,
    loaded: Arc<Loaded>,
    renderer: Renderer,
    refiner: Refiner,
    pace: Pace,
    /// What is shown, enlarged by `facts.divisor`.
    frame: Frame,
    facts: Facts,
    statistics: Statistics,
    /// The picture is out of date.
    stale: bool,
    /// The picture is right, but could be finer.
    coarse: bool,
    /// What lies over the picture is out of date.
    covered: bool,
    /// What each tile keeps, as long as the picture rests.
    tiles: Option<TileMap>,
    moved: Instant,
    screen: Screen,
    hover: Option<[f32; 2]>,
    picked: Option<Picked>,
    screenshot: Option<PathBuf>,
    /// What the caller should tell its user, oldest first.
    said: Vec<String>,
}

impl Viewer {
    /// Reads the first file.
    ///
    /// # Errors
    /// When it cannot be read, or the settings are out of range.
    pub fn open(options: &ViewOptions) -> Result<Self> {
        let (files, scene) = Files::open(&options.files, &options.overrides)?;
        let mut viewer = Self::start(files, scene, &options.settings)?;
        viewer.screenshot.clone_from(&options.screenshot);
        Ok(viewer)
    }

    /// Views a scene that is in memory.
    ///
    /// # Errors
    /// When the settings are out of range, or the picture is larger than a frame can be.
    pub fn new(scene: Scene<'static>, settings: &RenderSettings) -> Result<Self> {
        Self::start(Files::none(), scene, settings)
    }

    fn start(files: Files, scene: Scene<'static>, settings: &RenderSettings) -> Result<Self> {
        let loaded = Arc::new(Loaded::new(scene));
        let size = files.size(&loaded.scene);
        Ok(Self {
            state: ViewerState::new(&loaded.home(), size),
            pace: Pace::new(loaded.levels()),
            files,
            loaded,
            renderer: Renderer::new(settings)?,
            refiner: Refiner::start(settings)?,
            frame: Frame::new(size.0, size.1, Srgba8::TRANSPARENT)?,
            facts: Facts { divisor: 1, ..Facts::default() },
            statistics: Statistics::default(),
            stale: true,
            coarse: true,
            covered: true,
            tiles: None,
            moved: Instant::now(),
            screen: Screen::default(),
            hover: None,
            picked: None,
            screenshot: None,
            said: Vec::new(),
        })
    }

    /// Takes in what happened. What it changes is drawn by [`Viewer::draw`].
    ///
    /// # Errors
    /// When a screenshot cannot be written. A file that can no longer be read is only reported in the picture.
    pub fn handle(&mut self, event: &TimedEvent) -> Result<()> {
        let requests = self.state.handle(event);
        let Requests { picture, overlay, pick, center, screenshot, load, .. } = requests;
        if picture {
            self.touch();
        }
        self.covered |= overlay;
        if let (Some(at), Event::Release(_)) = (pick, event.event) {
            self.pick(at, true);
            let said =
                self.picked.as_ref().map_or_else(|| "nothing there".to_owned(), |picked| picked.lines().join(", "));
            self.said.push(said);
        } else if pick.is_some() {
            self.hover = pick;
        }
        if let Some(at) = center
            && let Some(point) = self.sphere_center(at)
        {
            self.state.center_on(point);
            self.touch();
        }
        if let Some(load) = load {
            self.load(load);
        }
        if screenshot {
            self.write_screenshot()?;
        }
        Ok(())
    }

    /// The picture is wrong from now on.
    fn touch(&mut self) {
        self.refiner.cancel();
        (self.stale, self.coarse, self.covered) = (true, true, true);
        self.moved = Instant::now();
        self.hover = None;
        self.tiles = None;
    }

    fn load(&mut self, load: Load) {
        let again = load == Load::Again;
        match self.files.load(load) {
            Ok(None) => {}
            Ok(Some(scene)) => {
                self.loaded = Arc::new(Loaded::new(scene));
                let home = self.loaded.home();
                if let Load::File(_) = load {
                    self.state.start_over(&home)
                } else {
                    self.state.rehome(&home)
                }
                if self.pace.levels() != self.loaded.levels() {
                    self.pace = Pace::new(self.loaded.levels());
                }
                self.facts.message = if again { "read again".to_owned() } else { String::new() };
                self.picked = None;
                self.touch();
            }
            Err(error) => {
                self.facts.message = error.to_string();
                self.covered = true;
            }
        }
    }

    fn sphere_center(&self, at: [f32; 2]) -> Option<DVec3> {
        let picked = pick(&self.loaded.scene, &self.state.aim(), self.state.size(), at)?;
        let [x, y, z] = picked.center[..] else { return None };
        Some(DVec3::new(f64::from(x), f64::from(y), f64::from(z)))
    }

    fn pick(&mut self, at: [f32; 2], asks_file: bool) {
        let mut picked = pick(&self.loaded.scene, &self.state.aim(), self.state.size(), at);
        if let Some(picked) = &mut picked
            && asks_file
        {
            picked.record = self.files.record(picked.index);
        }
        self.covered |= picked != self.picked;
        self.picked = picked;
    }

    /// Draws what is due: at once and as fine as there is time for when the picture is out of date, else what the
    /// background has finished by now. Returns whether [`Viewer::pixels`] have changed.
    ///
    /// # Errors
    /// When the window is larger than a frame can be.
    pub fn draw(&mut self) -> Result<bool> {
        if self.stale {
            self.draw_moving()?;
        } else if let Some(pass) = self.refiner.poll() {
            self.take(pass?);
        } else if self.coarse && !self.refiner.busy() && self.moved.elapsed() >= REST {
            self.refiner.wish(self.wish());
        } else if let Some(at) = self.hover.take_if(|_| self.moved.elapsed() >= REST) {
            self.pick(at, self.files.is_quick());
        }
        if !self.stale && self.moved.elapsed() >= REST {
            self.map_tiles()?;
        }
        let changed = self.covered;
        if changed {
            self.cover();
        }
        Ok(changed)
    }

    /// Finds what each tile keeps, when that is asked for and not known yet.
    fn map_tiles(&mut self) -> Result<()> {
        if self.state.switches().tiles && self.tiles.is_none() {
            // neither samples nor effects change what tiles keep
            let shading = Effects::Plain.of(self.state.shading());
            let scene = picture(&self.loaded.scene, &self.state.aim(), shading, self.state.size());
            self.tiles = Some(self.renderer.map_tiles(&scene)?);
            self.covered = true;
        }
        Ok(())
    }

    /// A frame in time, whatever the scene.
    fn draw_moving(&mut self) -> Result<()> {
        let start = Instant::now();
        let detail = self.pace.detail();
        let wanted = self.state.shading();
        let (aim, size) = coarser(&self.state.aim(), self.state.size(), detail.divisor);
        let shading = detail.effects.of(wanted);
        let scene = picture(self.loaded.thinned(detail.level), &aim, shading, size);
        self.statistics = self.renderer.render(&scene, &mut self.frame)?;
        drop(scene);
        let time = start.elapsed();
        self.pace.learn(wanted, self.statistics.prepare, time);
        self.stale = false;
        self.coarse =
            !(detail.divisor == 1 && detail.level == 0 && (detail.effects == Effects::Full || shading == wanted));
        (self.facts.time, self.facts.shading) = (Some(time), shading);
        (self.facts.divisor, self.facts.thinned) = (detail.divisor, detail.level > 0);
        self.covered = true;
        self.moved = Instant::now();
        Ok(())
    }

    fn wish(&self) -> Wish {
        let (loaded, aim, size) = (Arc::clone(&self.loaded), self.state.aim(), self.state.size());
        let mut passes = match aim {
            Aim::Camera(_) => passes(self.state.shading()),
            // circles have one quality
            Aim::ViewBox(_) => vec![self.state.shading()],
        };
        if self.facts.divisor == 1 && !self.facts.thinned && passes.len() > 1 {
            // is shown already
            passes.retain(|pass| *pass != self.facts.shading);
        }
        Wish { loaded, aim, size, passes }
    }

    fn take(&mut self, pass: Pass) {
        self.frame = pass.frame;
        self.statistics = pass.statistics;
        self.coarse = !pass.last;
        (self.facts.time, self.facts.shading) = (Some(pass.time), pass.shading);
        (self.facts.divisor, self.facts.thinned) = (1, false);
        self.covered = true;
    }

    /// The picture at rest: exactly what [`crate::render()`] draws of this scene, seen so. Waits until it is finished.
    ///
    /// # Errors
    /// When the window is larger than a frame can be.
    pub fn finish(&mut self) -> Result<&Frame> {
        if self.stale || self.coarse {
            self.refiner.cancel();
            let (aim, shading, size) = (self.state.aim(), self.state.shading(), self.state.size());
            let scene = picture(&self.loaded.scene, &aim, shading, size);
            let start = Instant::now();
            self.statistics = self.renderer.render(&scene, &mut self.frame)?;
            (self.stale, self.coarse, self.covered) = (false, false, true);
            (self.facts.time, self.facts.shading) = (Some(start.elapsed()), shading);
            (self.facts.divisor, self.facts.thinned) = (1, false);
        }
        Ok(&self.frame)
    }

    /// What a window shows at rest, text and tiles over the picture, but for the time it took: the same on every machine.
    ///
    /// The culled shapes, and with tiles switched on their side, are those of the settings.
    ///
    /// # Errors
    /// When the window is larger than a frame can be.
    pub fn still(&mut self) -> Result<Frame> {
        self.finish()?;
        self.map_tiles()?;
        let time = self.facts.time.take();
        self.cover();
        // as it was, at the next drawing
        (self.facts.time, self.covered) = (time, true);
        let (width, height) = self.state.size();
        let mut frame = Frame::new(width, height, Srgba8::TRANSPARENT)?;
        frame.pixels_mut().iter_mut().zip(self.screen.pixels()).for_each(|(to, &from)| *to = Srgba8::hex(from));
        Ok(frame)
    }

    /// Writes the picture at rest to a file, and says its name and the command that draws the same.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write_screenshot(&mut self) -> Result<()> {
        self.finish()?;
        let path = match &self.screenshot {
            Some(path) => path.clone(),
            None => self.files.unused_name(),
        };
        self.frame.save_png(&path)?;
        self.facts.message = format!("wrote {}", path.display());
        self.covered = true;
        self.said.push(format!("{}\n{}", self.facts.message, self.command(&path)));
        Ok(())
    }

    /// The command line that draws the picture at rest into a file.
    #[must_use]
    pub fn command(&self, out: &std::path::Path) -> String {
        self.files.command(&self.state, out)
    }

    fn cover(&mut self) {
        self.screen.show(&self.frame, self.facts.divisor, self.state.size());
        let circle = self.circle();
        if let Some(tiles) = self.tiles.as_ref().filter(|_| self.state.switches().tiles) {
            overlay::draw(&mut self.screen, tiles, circle.as_ref());
        }
        (self.facts.shapes, self.facts.culled) = (self.statistics.shapes, self.statistics.culled);
        self.facts.finished = !self.coarse && !self.stale;
        self.facts.place = self.files.place();
        hud::write(&mut self.screen, &self.state, &self.facts, self.picked.as_ref());
        self.covered = false;
    }

    /// The picked circle in pixels of the window.
    fn circle(&self) -> Option<Circle> {
        let (Aim::ViewBox(view_box), Some(picked)) = (self.state.aim(), &self.picked) else { return None };
        let ([x, y], [radius]) = (&picked.center[..], &picked.radii[..]) else { return None };
        let (width, height) = self.state.size();
        let scale = f64::from(height) / view_box.height;
        let place = |at: f32, middle: f64, side: u32| single((f64::from(at) - middle) * scale + 0.5 * f64::from(side));
        let [middle_x, middle_y] = view_box.center;
        let center = [place(*x, middle_x, width), place(*y, middle_y, height)];
        Some(Circle { center, radius: single(f64::from(*radius) * scale) })
    }

    /// What a window shows, as of the last [`Viewer::draw`]: `0x00RRGGBB`, row by row from the top.
    #[must_use]
    pub fn pixels(&self) -> &[u32] {
        self.screen.pixels()
    }

    /// The state, to be asked for the camera and the window's size.
    #[must_use]
    pub fn state(&self) -> &ViewerState {
        &self.state
    }

    /// What was last clicked or hovered over.
    #[must_use]
    pub fn picked(&self) -> Option<&Picked> {
        self.picked.as_ref()
    }

    /// The picture as it is shown, coarser than the window while something moves.
    #[must_use]
    pub fn frame(&self) -> &Frame {
        &self.frame
    }

    /// How fine the shown picture is, in words.
    #[must_use]
    pub fn detail(&self) -> String {
        hud::detail(&self.facts)
    }

    /// Whether nothing will change until the next event.
    #[must_use]
    pub fn resting(&self) -> bool {
        !self.stale && !self.coarse && !self.covered && self.hover.is_none()
    }

    /// What the user should be told, oldest first: what was picked, files written and their commands.
    pub fn take_said(&mut self) -> Vec<String> {
        std::mem::take(&mut self.said)
    }

    /// The files whose changes a watcher should report with [`Event::FileChanged`].
    pub(super) fn files(&self) -> &Files {
        &self.files
    }
}

#[expect(clippy::cast_possible_truncation, reason = "rounded to the nearest f32")]
fn single(value: f64) -> f32 {
    value as f32
}
