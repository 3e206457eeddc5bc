//! The window: `minifb`'s input becomes events, the viewer's pixels are shown.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime};

use minifb::{InputCallback, MouseMode, Window};

use super::event::{Event, HEADER, Key, MouseButton, TimedEvent};
use super::headless::{Viewer, ViewerOptions};
use crate::error::{Error, Result};
use crate::io::{OutputKind, Overwriting, check_output, write_file};

/// How long the window sleeps when nothing happens; less than a frame of a 60 Hz screen.
const IDLE_SLEEP: Duration = Duration::from_millis(8);

/// How often the pixels are shown even if they have not changed: another window may have covered them.
const REPAINT_INTERVAL: Duration = Duration::from_millis(200);

/// How often a watched file is checked for changes.
const WATCH_INTERVAL: Duration = Duration::from_millis(250);

/// Options of a window.
///
/// ```
/// use roundel::viewer::WindowOptions;
///
/// let options = WindowOptions::default().with_recording("session.txt").with_watching();
/// assert!(options.watch);
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct WindowOptions {
    /// The file that all events are written to, for [`replay`](super::replay()); `None` records nothing.
    pub record: Option<PathBuf>,
    /// Whether the current file is reloaded when it changes on disk.
    pub watch: bool,
}

impl WindowOptions {
    /// The same options with events recorded to this file.
    #[must_use]
    pub fn with_recording(self, path: impl Into<PathBuf>) -> Self {
        Self { record: Some(path.into()), ..self }
    }

    /// The same options with the current file reloaded when it changes on disk.
    #[must_use]
    pub fn with_watching(self) -> Self {
        Self { watch: true, ..self }
    }
}

/// Opens a window on files and runs it until the user closes it.
///
/// `on_message` receives the [messages](Viewer::drain_messages): shapes that were clicked on, files that were written.
///
/// # Errors
/// [`Error::Window`] when there is no display; otherwise when a file cannot be read or written.
///
/// ```no_run
/// use roundel::viewer::{ViewerOptions, WindowOptions, run_window};
///
/// let options = ViewerOptions::new(["protein.pdb"]);
/// run_window(&options, &WindowOptions::default().with_watching(), |message| println!("{message}"))?;
/// # Ok::<(), roundel::Error>(())
/// ```
pub fn run_window(
    options: &ViewerOptions,
    window_options: &WindowOptions,
    mut on_message: impl FnMut(&str),
) -> Result<()> {
    let mut viewer = Viewer::open(options)?;
    let wanted = viewer.size();
    let screen = XScreen::connect();
    let (width, height) = fitting(wanted, screen.as_ref().map(|screen| screen.size));
    if (width, height) != wanted {
        on_message(&format!(
            "note: the window has {width} x {height} pixels instead of {} x {}, which are more than the screen has",
            wanted.0, wanted.1
        ));
    }
    let mut title = title(&viewer);
    let mut window = open(&title, (width, height))?;
    drop(screen);
    let keys = KeyQueue::default();
    window.set_input_callback(Box::new(keys.clone()));
    let mut recorder = Recorder::start(window_options.record.as_deref())?;
    recorder.send(&mut viewer, Event::Resize { width, height })?;
    let mut mouse = Mouse::default();
    let mut watch = viewer.current_file().filter(|_| window_options.watch).map(FileWatch::new);
    let mut last_repaint = Instant::now();
    while window.is_open() && !viewer.close_requested() {
        let (columns, rows) = window.get_size();
        if let (Ok(width @ 1..), Ok(height @ 1..)) = (u32::try_from(columns), u32::try_from(rows))
            && viewer.size() != (width, height)
        {
            recorder.send(&mut viewer, Event::Resize { width, height })?;
        }
        for event in keys.take().into_iter().chain(mouse.events(&window)) {
            recorder.send(&mut viewer, event)?;
        }
        if let (Some(watch), Some(file)) = (&mut watch, viewer.current_file())
            && watch.has_changed(file)
        {
            recorder.send(&mut viewer, Event::FileChanged)?;
        }
        if viewer.is_playing() {
            recorder.send(&mut viewer, Event::Tick)?;
        }
        let changed = viewer.draw()?;
        viewer.drain_messages().iter().for_each(|message| on_message(message));
        let current_title = self::title(&viewer);
        if current_title != title {
            window.set_title(&current_title);
            title = current_title;
        }
        if changed || last_repaint.elapsed() >= REPAINT_INTERVAL {
            let (width, height) = viewer.size();
            window.update_with_buffer(viewer.pixels(), width as usize, height as usize).map_err(window_error)?;
            last_repaint = Instant::now();
        } else {
            std::thread::sleep(IDLE_SLEEP);
            window.update();
        }
    }
    Ok(())
}

/// A connection to the X server, on Linux: elsewhere the system keeps windows on the screen. It is kept until there is
/// a window, as a server may reset itself when its last client leaves.
struct XScreen {
    /// Of the screen, or of all screens side by side.
    size: (u32, u32),
    #[cfg(target_os = "linux")]
    _connection: x11rb::rust_connection::RustConnection,
}

impl XScreen {
    /// Connects; `None` without X11.
    #[cfg(target_os = "linux")]
    fn connect() -> Option<Self> {
        use x11rb::connection::Connection;

        let (connection, number) = x11rb::connect(None).ok()?;
        let screen = connection.setup().roots.get(number)?;
        let size = (screen.width_in_pixels.into(), screen.height_in_pixels.into());
        Some(Self { size, _connection: connection })
    }

    #[cfg(not(target_os = "linux"))]
    fn connect() -> Option<Self> {
        None
    }
}

/// The largest size of the same shape that fits the screen.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "less than a side of the window")]
fn fitting((width, height): (u32, u32), screen: Option<(u32, u32)>) -> (u32, u32) {
    let Some((columns, rows)) = screen.filter(|(columns, rows)| *columns > 0 && *rows > 0) else {
        return (width, height);
    };
    let scale = (f64::from(columns) / f64::from(width)).min(f64::from(rows) / f64::from(height));
    if scale >= 1.0 {
        return (width, height);
    }
    let side = |side: u32| ((f64::from(side) * scale) as u32).max(1);
    (side(width), side(height))
}

fn title(viewer: &Viewer) -> String {
    let file = viewer.current_file().unwrap_or(Path::new("scene"));
    format!("{} - roundel", file.display())
}

fn open(title: &str, (width, height): (u32, u32)) -> Result<Window> {
    let options = minifb::WindowOptions { resize: true, ..minifb::WindowOptions::default() };
    let mut window = Window::new(title, width as usize, height as usize, options).map_err(window_error)?;
    // the loop sleeps by itself
    window.set_target_fps(0);
    Ok(window)
}

fn window_error(error: minifb::Error) -> Error {
    Error::Window(Box::new(error))
}

struct Recorder {
    start: Instant,
    file: Option<(PathBuf, File)>,
}

impl Recorder {
    fn start(path: Option<&Path>) -> Result<Self> {
        let mut recorder = Self { start: Instant::now(), file: None };
        if let Some(path) = path {
            check_output(path, OutputKind::Session, Overwriting::Own)?;
            let is_stream = fs::metadata(path).is_ok_and(|found| !found.is_file());
            if !is_stream {
                // an earlier recording is replaced as a whole
                write_file(path, |file| writeln!(file, "{HEADER}"))?;
            }
            let file = OpenOptions::new().append(true).open(path);
            let file = file.map_err(|source| Error::Io { action: "write", path: path.to_owned(), source })?;
            recorder.file = Some((path.to_owned(), file));
            if is_stream {
                recorder.write(HEADER)?;
            }
        }
        Ok(recorder)
    }

    fn send(&mut self, viewer: &mut Viewer, event: Event) -> Result<()> {
        let time_ms = u64::try_from(self.start.elapsed().as_millis()).expect("fewer than 500 million years");
        let event = TimedEvent { time_ms, event };
        viewer.handle(&event)?;
        self.write(&event.to_string())
    }

    fn write(&mut self, line: &str) -> Result<()> {
        let Some((path, file)) = &mut self.file else { return Ok(()) };
        // unbuffered, so that a recording is complete up to the moment of a crash
        file.write_all(format!("{line}\n").as_bytes()).map_err(|source| Error::Io {
            action: "write",
            path: path.clone(),
            source,
        })
    }
}

/// The mouse as of the last poll.
#[derive(Default)]
struct Mouse {
    position: Option<(f32, f32)>,
    is_down: [bool; 3],
    /// Fraction of a notch that the wheel has turned beyond the last event.
    wheel_remainder: f32,
}

/// Scroll units that `minifb` reports for one notch: under X11, press and release of a wheel button count one each.
const UNITS_PER_NOTCH: f32 = 2.0;

impl Mouse {
    /// Returns the events since the last poll: moves, then buttons, then the wheel.
    fn events(&mut self, window: &Window) -> Vec<Event> {
        let mut events = Vec::new();
        // a drag continues outside the window
        let mode = if self.is_down.contains(&true) { MouseMode::Pass } else { MouseMode::Discard };
        let position = window.get_unscaled_mouse_pos(mode);
        if let Some((x, y)) = position
            && position != self.position
        {
            events.push(Event::Move { x, y });
            self.position = position;
        }
        let buttons = [
            (minifb::MouseButton::Left, MouseButton::Left),
            (minifb::MouseButton::Middle, MouseButton::Middle),
            (minifb::MouseButton::Right, MouseButton::Right),
        ];
        for ((theirs, ours), was_down) in buttons.into_iter().zip(&mut self.is_down) {
            let is_down = window.get_mouse_down(theirs);
            if is_down != *was_down {
                events.push(if is_down { Event::Press(ours) } else { Event::Release(ours) });
                *was_down = is_down;
            }
        }
        // whole notches only, so that a recording does not depend on the frame rate
        self.wheel_remainder += window.get_scroll_wheel().map_or(0.0, |(_, units)| units / UNITS_PER_NOTCH);
        let notches = self.wheel_remainder.trunc();
        if notches != 0.0 {
            events.push(Event::Wheel(notches));
            self.wheel_remainder -= notches;
        }
        events
    }
}

/// Key presses and releases in their order. Polling the state of keys would miss short presses.
#[derive(Clone, Default)]
struct KeyQueue {
    events: Arc<Mutex<Vec<Event>>>,
}

impl KeyQueue {
    fn take(&self) -> Vec<Event> {
        std::mem::take(&mut *self.events.lock().expect("no holder panics"))
    }
}

impl InputCallback for KeyQueue {
    fn add_char(&mut self, _: u32) {}

    fn set_key_state(&mut self, key: minifb::Key, is_down: bool) {
        if let Some(key) = translate(key) {
            let event = if is_down { Event::KeyDown(key) } else { Event::KeyUp(key) };
            self.events.lock().expect("no holder panics").push(event);
        }
    }
}

fn translate(key: minifb::Key) -> Option<Key> {
    use minifb::Key as Theirs;
    Some(match key {
        Theirs::Key1 | Theirs::NumPad1 => Key::Digit1,
        Theirs::Key3 | Theirs::NumPad3 => Key::Digit3,
        Theirs::Key5 | Theirs::NumPad5 => Key::Digit5,
        Theirs::Key7 | Theirs::NumPad7 => Key::Digit7,
        Theirs::Key9 | Theirs::NumPad9 => Key::Digit9,
        Theirs::A => Key::A,
        Theirs::E => Key::E,
        Theirs::F => Key::F,
        Theirs::H => Key::H,
        Theirs::I => Key::I,
        Theirs::L => Key::L,
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

/// Notices changes of a file by its time of modification and its length.
struct FileWatch {
    path: PathBuf,
    last_stamp: Option<FileStamp>,
    last_check: Instant,
}

/// Time of modification and length.
type FileStamp = (SystemTime, u64);

impl FileWatch {
    fn new(path: &Path) -> Self {
        Self { path: path.to_owned(), last_stamp: stamp(path), last_check: Instant::now() }
    }

    /// Returns whether the file has changed since the last check. Another path starts a new watch.
    fn has_changed(&mut self, path: &Path) -> bool {
        if self.path != path {
            *self = Self::new(path);
        }
        if self.last_check.elapsed() < WATCH_INTERVAL {
            return false;
        }
        self.last_check = Instant::now();
        let stamp = stamp(path);
        // a file that is being replaced may be missing for a moment
        let has_changed = stamp.is_some() && stamp != self.last_stamp;
        if has_changed {
            self.last_stamp = stamp;
        }
        has_changed
    }
}

fn stamp(path: &Path) -> Option<FileStamp> {
    let metadata = fs::metadata(path).ok()?;
    Some((metadata.modified().ok()?, metadata.len()))
}
