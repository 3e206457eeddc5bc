//! A recorded session without a window: the same events, the same camera, the same pixels.

use std::fs;
use std::path::Path;

use super::event::parse_events;
use super::session::{ViewOptions, Viewer};
use crate::error::{Error, Result};

/// Plays recorded events, and writes the picture in which they end, as a screenshot is written.
///
/// # Errors
/// When the scene or the events cannot be read, or the picture cannot be written.
pub fn replay(options: &ViewOptions, events: &Path, say: &mut dyn FnMut(&str)) -> Result<()> {
    let bytes = fs::read(events).map_err(|source| Error::Io { action: "read", path: events.to_owned(), source })?;
    let file = events.display().to_string();
    let text = String::from_utf8(bytes).map_err(|_| Error::input(&file, None, "not UTF-8 text"))?;
    let events = parse_events(&file, &text)?;
    let mut viewer = Viewer::open(options)?;
    for event in &events {
        viewer.handle(event)?;
        viewer.take_said().iter().for_each(|line| say(line));
    }
    viewer.write_screenshot()?;
    viewer.take_said().iter().for_each(|line| say(line));
    Ok(())
}
