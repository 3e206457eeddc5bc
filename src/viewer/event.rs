//! What happens to a viewer, and its written form: one event a line, so that a session can be recorded and replayed.
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
//! The first word is the time in milliseconds since the viewer opened; times never decrease.

use std::fmt;

use crate::error::{Error, Result};

/// Something that happens to a viewer.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Event {
    /// The window has a new size, pixels.
    Resize {
        /// Columns.
        width: u32,
        /// Rows.
        height: u32,
    },
    /// The mouse is elsewhere: pixels from the window's top-left corner.
    Move {
        /// To the right.
        x: f32,
        /// Down.
        y: f32,
    },
    /// A mouse button goes down.
    Press(Button),
    /// A mouse button comes up.
    Release(Button),
    /// The wheel turns by so many notches, away from the user.
    Wheel(f32),
    /// A key goes down.
    KeyDown(Key),
    /// A key comes up.
    KeyUp(Key),
    /// The shown file has changed on disk.
    FileChanged,
    /// Time passes: what plays may go on.
    Tick,
}

/// A mouse button.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Button {
    /// Orbits or pans; a click picks.
    Left,
    /// Pans; a click sets the centre.
    Middle,
    /// Pans.
    Right,
}

/// The keys that mean something to a viewer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "a key is described by its name; what it does stands in `help`")]
pub enum Key {
    Digit1,
    Digit3,
    Digit5,
    Digit7,
    Digit9,
    A,
    F,
    H,
    I,
    S,
    T,
    Shift,
    Ctrl,
    Enter,
    Escape,
    F12,
    Space,
    Left,
    Right,
    Up,
    Down,
}

const BUTTONS: [(Button, &str); 3] = [(Button::Left, "left"), (Button::Middle, "middle"), (Button::Right, "right")];

const KEYS: [(Key, &str); 21] = [
    (Key::Digit1, "1"),
    (Key::Digit3, "3"),
    (Key::Digit5, "5"),
    (Key::Digit7, "7"),
    (Key::Digit9, "9"),
    (Key::A, "A"),
    (Key::F, "F"),
    (Key::H, "H"),
    (Key::I, "I"),
    (Key::S, "S"),
    (Key::T, "T"),
    (Key::Shift, "Shift"),
    (Key::Ctrl, "Ctrl"),
    (Key::Enter, "Enter"),
    (Key::Escape, "Escape"),
    (Key::F12, "F12"),
    (Key::Space, "Space"),
    (Key::Left, "Left"),
    (Key::Right, "Right"),
    (Key::Up, "Up"),
    (Key::Down, "Down"),
];

impl fmt::Display for Button {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(BUTTONS.iter().find(|(button, _)| button == self).expect("all buttons are named").1)
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(KEYS.iter().find(|(key, _)| key == self).expect("all keys are named").1)
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

/// An event and when it happens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimedEvent {
    /// Milliseconds since the viewer opened.
    pub time: u64,
    /// What happens.
    pub event: Event,
}

impl fmt::Display for TimedEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.time, self.event)
    }
}

/// The first line of a recording.
pub(crate) const HEADER: &str = "# roundel events";

/// Reads a recording back: what [`TimedEvent`]'s `Display` wrote, a line each. `file` is its name for messages.
///
/// Empty lines and lines that start with `#` say nothing.
///
/// # Errors
/// When a line is no event, or an earlier one than the line before it.
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
        if let Some(last) = events.last().filter(|last| last.time > event.time) {
            return Err(refuse(format!("times must not decrease, got {} after {}", event.time, last.time)));
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
    Some(TimedEvent { time: time.parse().ok()?, event })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recording_reads_back_what_was_written() {
        let mut events = vec![
            Event::Resize { width: 640, height: 480 },
            Event::Move { x: 300.5, y: -2.0 },
            Event::Wheel(-1.0),
            Event::FileChanged,
            Event::Tick,
        ];
        events.extend(BUTTONS.iter().flat_map(|&(button, _)| [Event::Press(button), Event::Release(button)]));
        events.extend(KEYS.iter().flat_map(|&(key, _)| [Event::KeyDown(key), Event::KeyUp(key)]));
        let events: Vec<_> = events.into_iter().zip(7..).map(|(event, time)| TimedEvent { time, event }).collect();
        let text: String = events.iter().map(|event| format!("{event}\n")).collect();
        assert_eq!(parse_events("t", &format!("{HEADER}\n\n{text}")).expect("reads"), events);
    }

    #[test]
    fn what_is_no_event_is_refused_with_its_line() {
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
        let error = parse_events("e", "7 tick\n6 tick\n").expect_err("goes back").to_string();
        assert_eq!(error, "e:2: times must not decrease, got 6 after 7");
    }
}
