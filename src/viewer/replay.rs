//! Replays a recorded session without a window: the same events, the same camera, the same pixels.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use super::event::parse_events;
use super::headless::{Viewer, ViewerOptions};
use crate::error::{Error, Result};

/// The longest recording that is read, in bytes: an hour of events at 200 a second.
const LONGEST: u64 = 1 << 24;

/// Replays recorded events without a window and saves the last picture as a screenshot.
///
/// `on_message` receives the [messages](Viewer::drain_messages), the screenshot's among them.
///
/// # Errors
/// When a file or the events cannot be read, or the picture cannot be written.
///
/// ```no_run
/// use roundel::viewer::{ViewerOptions, replay};
///
/// let options = ViewerOptions::new(["protein.pdb"]).with_screenshot("end.png");
/// replay(&options, "session.txt", |message| println!("{message}"))?;
/// # Ok::<(), roundel::Error>(())
/// ```
pub fn replay(options: &ViewerOptions, events: impl AsRef<Path>, mut on_message: impl FnMut(&str)) -> Result<()> {
    let path = events.as_ref();
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(LONGEST + 1).read_to_end(&mut bytes));
    read.map_err(|source| Error::Io { action: "read", path: path.to_owned(), source })?;
    let name = path.display().to_string();
    if bytes.len() as u64 > LONGEST {
        return Err(Error::input(&name, None, "is longer than 16 MiB, which no recording of a session is"));
    }
    let text = String::from_utf8(bytes).map_err(|_| Error::input(&name, None, "must be UTF-8 text"))?;
    let events = parse_events(&name, &text)?;
    let mut viewer = Viewer::open(options)?;
    for event in &events {
        // the number of frames was known when the events were recorded
        viewer.wait_for_frames();
        viewer.handle(event)?;
        viewer.drain_messages().iter().for_each(|message| on_message(message));
    }
    viewer.finish_film();
    viewer.write_screenshot()?;
    viewer.drain_messages().iter().for_each(|message| on_message(message));
    Ok(())
}
