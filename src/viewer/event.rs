//! Input events, and the text format of recorded sessions: one event per line.
//!
//! ```text
//! # roundel events
//! 0 resize 640 480
//! 120 move 300.5 200
//! 130 press left
//! 180 release left
//! 200 wheel 1
//! 240 key-down H
//! ```
//!
//! A line starts with the time in milliseconds since the viewer opened; times never decrease.

use std::fmt;

use crate::error::{Error, Result};

/// An input to a viewer.
///
/// ```
/// use roundel::viewer::{Event, Key};
///
/// assert_eq!(Event::Move { x: 300.5, y: 200.0 }.to_string(), "move 300.5 200");
/// assert_eq!(Event::KeyDown(Key::F12).to_string(), "key-down F12");
/// assert_eq!(Event::Wheel(-1.0).to_string(), "wheel -1");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Event {
    /// The window has a new size, in pixels.
    Resize {
        /// Columns of pixels.
        width: u32,
        /// Rows of pixels.
        height: u32,
    },
    /// The mouse has moved to this position, in pixels from the window's top-left corner.
    Move {
        /// To the right.
        x: f32,
        /// Down.
        y: f32,
    },
    /// A mouse button goes down.
    Press(MouseButton),
    /// A mouse button comes up.
    Release(MouseButton),
    /// The wheel turns by this many notches; positive is away from the user.
    Wheel(f32),
    /// A key goes down.
    KeyDown(Key),
    /// A key comes up.
    KeyUp(Key),
    /// The current file has changed on disk.
    FileChanged,
    /// Time passes: playing files advance. Send it regularly while [`Viewer::is_playing`](super::Viewer::is_playing).
    Tick,
}

/// A mouse button.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MouseButton {
    /// A drag orbits around spheres and pans over circles; a click picks.
    Left,
    /// A drag pans; a click sets the centre of orbiting.
    Middle,
    /// A drag pans.
    Right,
}

/// A key that the viewer handles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Key {
    /// Looks at spheres from the front.
    Digit1,
    /// Looks at spheres from the right.
    Digit3,
    /// Switches between perspective and parallel rays.
    Digit5,
    /// Looks at spheres from the top.
    Digit7,
    /// Looks at spheres from the opposite side.
    Digit9,
    /// Switches ambient occlusion on or off.
    A,
    /// Writes a film of the file's frames, or around one of them.
    E,
    /// Fits everything into the window.
    F,
    /// Shows or hides the help.
    H,
    /// Shows or hides the numbers.
    I,
    /// Switches to the next look.
    L,
    /// Switches shadows on or off.
    S,
    /// Shows or hides the tiles.
    T,
    /// While down, a drag with the left button pans.
    Shift,
    /// While down, the wheel zooms to the mouse.
    Ctrl,
    /// Returns to the first view.
    Enter,
    /// Asks to close the viewer.
    Escape,
    /// Writes a screenshot.
    F12,
    /// Plays the frames of a file, or stops.
    Space,
    /// Shows the previous frame of a file.
    Left,
    /// Shows the next frame of a file.
    Right,
    /// Shows the previous file.
    Up,
    /// Shows the next file.
    Down,
}

const BUTTONS: [(MouseButton, &str); 3] =
    [(MouseButton::Left, "left"), (MouseButton::Middle, "middle"), (MouseButton::Right, "right")];

#[rustfmt::skip]
const KEYS: [(Key, &str); 23] = [
    (Key::Digit1, "1"), (Key::Digit3, "3"), (Key::Digit5, "5"), (Key::Digit7, "7"), (Key::Digit9, "9"), (Key::A, "A"),
    (Key::E, "E"), (Key::F, "F"), (Key::H, "H"), (Key::I, "I"), (Key::L, "L"), (Key::S, "S"), (Key::T, "T"),
    (Key::Shift, "Shift"), (Key::Ctrl, "Ctrl"), (Key::Enter, "Enter"), (Key::Escape, "Escape"), (Key::F12, "F12"),
    (Key::Space, "Space"), (Key::Left, "Left"), (Key::Right, "Right"), (Key::Up, "Up"), (Key::Down, "Down"),
];

impl fmt::Display for MouseButton {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(BUTTONS.iter().find(|(button, _)| button == self).expect("every button has a name").1)
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(KEYS.iter().find(|(key, _)| key == self).expect("every key has a name").1)
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Resize { width, height } => write!(f, "resize {width} {height}"),
            Self::Move { x, y } => write!(f, "move {x} {y}"),
            Self::Press(button) => write!(f, "press {button}"),
            Self::Release(button) => write!(f, "release {button}"),
            Self::Wheel(notches) => write!(f, "wheel {notches}"),
            Self::KeyDown(key) => write!(f, "key-down {key}"),
            Self::KeyUp(key) => write!(f, "key-up {key}"),
            Self::FileChanged => f.write_str("file-changed"),
            Self::Tick => f.write_str("tick"),
        }
    }
}

/// An event and the time at which it happens. `Display` writes it as a line of a recording.
///
/// ```
/// use roundel::viewer::{Event, MouseButton, TimedEvent};
///
/// assert_eq!(TimedEvent::new(130, Event::Press(MouseButton::Left)).to_string(), "130 press left");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimedEvent {
    /// Milliseconds since the viewer opened.
    pub time_ms: u64,
    /// The event.
    pub event: Event,
}

impl TimedEvent {
    /// An event this many milliseconds after the viewer opened.
    #[must_use]
    pub fn new(time_ms: u64, event: Event) -> Self {
        Self { time_ms, event }
    }
}

impl fmt::Display for TimedEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.time_ms, self.event)
    }
}

/// The first line of a recording.
pub(super) const HEADER: &str = "# roundel events";

/// Parses a recording, one event per line as written by [`TimedEvent`]'s `Display`.
///
/// Empty lines and lines that start with `#` are skipped. `file` is the name that error messages give.
///
/// # Errors
/// [`Error::Input`] with the line number, when a line is not an event or is earlier than the event before it.
///
/// ```
/// use roundel::viewer::{Event, Key, parse_events};
///
/// let events = parse_events("session.txt", "0 resize 640 480\n240 key-down H\n")?;
/// assert_eq!((events[1].time_ms, events[1].event), (240, Event::KeyDown(Key::H)));
/// let error = parse_events("session.txt", "0 jump").unwrap_err();
/// assert!(error.to_string().starts_with("session.txt:1: "));
/// # Ok::<(), roundel::Error>(())
/// ```
pub fn parse_events(file: &str, text: &str) -> Result<Vec<TimedEvent>> {
    let mut events: Vec<TimedEvent> = Vec::new();
    for (line, number) in text.lines().zip(1_u64..) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let refuse = |message: String| Error::input(file, number, message);
        let event = parse(line).ok_or_else(|| {
            let shown: String = line.chars().take(40).collect();
            refuse(format!("must be a time and an event such as \"120 press left\", got {shown:?}"))
        })?;
        if let Some(last) = events.last().filter(|last| last.time_ms > event.time_ms) {
            return Err(refuse(format!("times must not decrease, got {} after {}", event.time_ms, last.time_ms)));
        }
        events.push(event);
    }
    Ok(events)
}

fn parse(line: &str) -> Option<TimedEvent> {
    let words: Vec<_> = line.split_ascii_whitespace().collect();
    let (&time, words) = words.split_first()?;
    let side = |word: &str| word.parse().ok().filter(|side| (1..=1 << 15).contains(side));
    let number = |word: &str| word.parse().ok().filter(|number: &f32| number.is_finite());
    let key = |word: &str| KEYS.iter().find(|(_, name)| *name == word).map(|(key, _)| *key);
    let button = |word: &str| BUTTONS.iter().find(|(_, name)| *name == word).map(|(button, _)| *button);
    let event = match *words {
        ["resize", width, height] => Event::Resize { width: side(width)?, height: side(height)? },
        ["move", x, y] => Event::Move { x: number(x)?, y: number(y)? },
        ["press", name] => Event::Press(button(name)?),
        ["release", name] => Event::Release(button(name)?),
        ["wheel", notches] => Event::Wheel(number(notches)?),
        ["key-down", name] => Event::KeyDown(key(name)?),
        ["key-up", name] => Event::KeyUp(key(name)?),
        ["file-changed"] => Event::FileChanged,
        ["tick"] => Event::Tick,
        _ => return None,
    };
    Some(TimedEvent { time_ms: time.parse().ok()?, event })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recording_parses_to_the_events_written() {
        let mut events = vec![
            Event::Resize { width: 640, height: 480 },
            Event::Move { x: 300.5, y: -2.0 },
            Event::Wheel(-1.0),
            Event::FileChanged,
            Event::Tick,
        ];
        events.extend(BUTTONS.iter().flat_map(|&(button, _)| [Event::Press(button), Event::Release(button)]));
        events.extend(KEYS.iter().flat_map(|&(key, _)| [Event::KeyDown(key), Event::KeyUp(key)]));
        let events: Vec<_> = events.into_iter().zip(7..).map(|(event, time)| TimedEvent::new(time, event)).collect();
        let text: String = events.iter().map(|event| format!("{event}\n")).collect();
        assert_eq!(parse_events("t", &format!("{HEADER}\n\n{text}")).expect("parses"), events);
    }

    #[test]
    fn malformed_line_is_refused_with_its_number() {
        for line in [
            "5",
            "x tick",
            "5 tock",
            "5 press up",
            "5 move 1",
            "5 move nan 1",
            "5 resize 0 3",
            "5 key-down Q",
            "-1 tick",
        ] {
            let error = parse_events("e", &format!("1 tick\n{line}\n")).expect_err(line).to_string();
            assert!(error.starts_with("e:2: must be a time and an event"), "{error}");
        }
        let error = parse_events("e", "7 tick\n6 tick\n").expect_err("time decreases").to_string();
        assert_eq!(error, "e:2: times must not decrease, got 6 after 7");
    }
}
