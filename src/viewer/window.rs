//! The window: asks `minifb` what happened, hands it to the viewer, shows what the viewer has drawn.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime};

use minifb::{InputCallback, MouseMode, Window, WindowOptions};

use super::event::{Button, Event, HEADER, Key, TimedEvent};
use super::session::{ViewOptions, Viewer};
use crate::error::{Error, Result};

/// How long the window sleeps when nothing happens; a sixtieth of a second is not felt.
const IDLE: Duration = Duration::from_millis(8);

/// The picture is shown again so often even if nothing has changed: another window may have covered it.
const REPAINT: Duration = Duration::from_millis(200);

/// How often a watched file is looked at.
const WATCH: Duration = Duration::from_millis(250);

/// What a window does beside showing a viewer.
#[derive(Clone, Debug, Default)]
pub struct WindowWishes {
    /// Where to write all events, to be replayed.
    pub record: Option<PathBuf>,
    /// Whether the shown file is read again when it changes on disk.
    pub watch: bool,
}

/// Opens a window on the files and stays until it is closed. `say` is told what was picked and written.
///
/// # Errors
/// When a file cannot be read, there is no display, or something cannot be written.
pub fn view(options: &ViewOptions, wishes: &WindowWishes, say: &mut dyn FnMut(&str)) -> Result<()> {
    let mut viewer = Viewer::open(options)?;
    let (width, height) = viewer.state().size();
    let title = format!("{} - roundel", viewer.files().path().display());
    let mut window = open(&title, (width, height))?;
    let keys = Keys::default();
    window.set_input_callback(Box::new(keys.clone()));
    let mut tape = Tape::start(wishes.record.as_deref())?;
    tape.put(&mut viewer, Event::Resize { width, height })?;
    let mut mouse = Mouse::default();
    let mut watched = wishes.watch.then(|| Watched::new(viewer.files().path()));
    let mut painted = Instant::now();
    let mut title_of = viewer.files().path().to_owned();
    while window.is_open() && !viewer.state().quitting() {
        let (columns, rows) = window.get_size();
        if let (Ok(width @ 1..), Ok(height @ 1..)) = (u32::try_from(columns), u32::try_from(rows))
            && viewer.state().size() != (width, height)
        {
            tape.put(&mut viewer, Event::Resize { width, height })?;
        }
        for event in keys.take().into_iter().chain(mouse.events(&window)) {
            tape.put(&mut viewer, event)?;
        }
        if let Some(watched) = &mut watched
            && watched.changed(viewer.files().path())
        {
            tape.put(&mut viewer, Event::FileChanged)?;
        }
        if viewer.state().playing() {
            tape.put(&mut viewer, Event::Tick)?;
        }
        let changed = viewer.draw()?;
        viewer.take_said().iter().for_each(|line| say(line));
        if viewer.files().path() != title_of {
            title_of = viewer.files().path().to_owned();
            window.set_title(&format!("{} - roundel", title_of.display()));
        }
        if changed || painted.elapsed() >= REPAINT {
            let (width, height) = viewer.state().size();
            let shown = window.update_with_buffer(viewer.pixels(), width as usize, height as usize);
            shown.map_err(|error| broken(&error))?;
            painted = Instant::now();
        } else {
            std::thread::sleep(IDLE);
            window.update();
        }
    }
    Ok(())
}

fn open(title: &str, (width, height): (u32, u32)) -> Result<Window> {
    let options = WindowOptions { resize: true, ..WindowOptions::default() };
    let mut window = Window::new(title, width as usize, height as usize, options).map_err(|error| broken(&error))?;
    // the viewer keeps its own time
    window.set_target_fps(0);
    Ok(window)
}

fn broken(error: &minifb::Error) -> Error {
    let message = format!("cannot be shown: {error}; without a display, `roundel render` draws into a file");
    Error::Setting { name: "window", message }
}

/// Time, and where events are recorded.
struct Tape {
    start: Instant,
    file: Option<(PathBuf, File)>,
}

impl Tape {
    fn start(record: Option<&Path>) -> Result<Self> {
        let mut tape = Self { start: Instant::now(), file: None };
        if let Some(path) = record {
            let file =
                File::create(path).map_err(|source| Error::Io { action: "create", path: path.to_owned(), source })?;
            tape.file = Some((path.to_owned(), file));
            tape.write(HEADER)?;
        }
        Ok(tape)
    }

    /// Records an event and hands it to the viewer.
    fn put(&mut self, viewer: &mut Viewer, event: Event) -> Result<()> {
        let time = u64::try_from(self.start.elapsed().as_millis()).expect("not open for 500 million years");
        let event = TimedEvent { time, event };
        viewer.handle(&event)?;
        self.write(&event.to_string())
    }

    fn write(&mut self, line: &str) -> Result<()> {
        let Some((path, file)) = &mut self.file else { return Ok(()) };
        // line by line, so that a recording is whole up to the moment of a crash
        file.write_all(format!("{line}\n").as_bytes()).map_err(|source| Error::Io {
            action: "write",
            path: path.clone(),
            source,
        })
    }
}

/// The mouse as it was when last asked.
#[derive(Default)]
struct Mouse {
    place: Option<(f32, f32)>,
    down: [bool; 3],
    /// Notches of the wheel that are not whole yet.
    turned: f32,
}

/// What `minifb` reports for one notch: under X11 the press and the release of a wheel button count one each.
const NOTCH: f32 = 2.0;

impl Mouse {
    /// What has happened since: first the way, then the buttons, then the wheel.
    fn events(&mut self, window: &Window) -> Vec<Event> {
        let mut events = Vec::new();
        // a drag goes on outside of the window
        let mode = if self.down.contains(&true) { MouseMode::Pass } else { MouseMode::Discard };
        let place = window.get_unscaled_mouse_pos(mode);
        if let Some((x, y)) = place
            && place != self.place
        {
            events.push(Event::Move { x, y });
            self.place = place;
        }
        let buttons = [
            (minifb::MouseButton::Left, Button::Left),
            (minifb::MouseButton::Middle, Button::Middle),
            (minifb::MouseButton::Right, Button::Right),
        ];
        for ((theirs, ours), was) in buttons.into_iter().zip(&mut self.down) {
            let down = window.get_mouse_down(theirs);
            if down != *was {
                events.push(if down { Event::Press(ours) } else { Event::Release(ours) });
                *was = down;
            }
        }
        // whole notches only, however they are split over time: a recording has the same whatever the frame rate
        self.turned += window.get_scroll_wheel().map_or(0.0, |(_, turned)| turned / NOTCH);
        let notches = self.turned.trunc();
        if notches != 0.0 {
            events.push(Event::Wheel(notches));
            self.turned -= notches;
        }
        events
    }
}

/// Keys in the order in which they went down and up: asking for their state would miss the quick ones.
#[derive(Clone, Default)]
struct Keys {
    events: Arc<Mutex<Vec<Event>>>,
}

impl Keys {
    fn take(&self) -> Vec<Event> {
        std::mem::take(&mut *self.events.lock().expect("no holder panics"))
    }
}

impl InputCallback for Keys {
    fn add_char(&mut self, _: u32) {}

    fn set_key_state(&mut self, key: minifb::Key, down: bool) {
        if let Some(key) = translated(key) {
            let event = if down { Event::KeyDown(key) } else { Event::KeyUp(key) };
            self.events.lock().expect("no holder panics").push(event);
        }
    }
}

fn translated(key: minifb::Key) -> Option<Key> {
    use minifb::Key as Theirs;
    Some(match key {
        Theirs::Key1 | Theirs::NumPad1 => Key::Digit1,
        Theirs::Key3 | Theirs::NumPad3 => Key::Digit3,
        Theirs::Key5 | Theirs::NumPad5 => Key::Digit5,
        Theirs::Key7 | Theirs::NumPad7 => Key::Digit7,
        Theirs::Key9 | Theirs::NumPad9 => Key::Digit9,
        Theirs::A => Key::A,
        Theirs::F => Key::F,
        Theirs::H => Key::H,
        Theirs::I => Key::I,
        Theirs::S => Key::S,
        Theirs::T => Key::T,
        Theirs::LeftShift | Theirs::RightShift => Key::Shift,
        Theirs::LeftCtrl | Theirs::RightCtrl => Key::Ctrl,
        Theirs::Enter | Theirs::NumPadEnter => Key::Enter,
        Theirs::Escape => Key::Escape,
        Theirs::F12 => Key::F12,
        Theirs::Space => Key::Space,
        Theirs::Left => Key::Left,
        Theirs::Right => Key::Right,
        Theirs::Up => Key::Up,
        Theirs::Down => Key::Down,
        _ => return None,
    })
}

/// A file and what it was like when last looked at.
struct Watched {
    path: PathBuf,
    seen: Option<(SystemTime, u64)>,
    looked: Instant,
}

impl Watched {
    fn new(path: &Path) -> Self {
        Self { path: path.to_owned(), seen: stamp(path), looked: Instant::now() }
    }

    /// Whether the file has changed since; another file starts afresh.
    fn changed(&mut self, path: &Path) -> bool {
        if self.path != path {
            *self = Self::new(path);
        }
        if self.looked.elapsed() < WATCH {
            return false;
        }
        self.looked = Instant::now();
        let stamp = stamp(path);
        // between being deleted and written anew there is nothing to show
        let changed = stamp.is_some() && stamp != self.seen;
        if changed {
            self.seen = stamp;
        }
        changed
    }
}

fn stamp(path: &Path) -> Option<(SystemTime, u64)> {
    let about = fs::metadata(path).ok()?;
    Some((about.modified().ok()?, about.len()))
}
