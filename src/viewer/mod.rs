//! A window to look around in: frames to the screen, mouse and keys to the camera.
//!
//! [`ViewerState`] is a plain struct: events in, a camera and requests out. [`Viewer`] adds files and pictures: a frame in
//! time while something moves, at a detail that `pace` learns from the clock, and at rest the very picture that
//! `render` draws, refined in the background by `refine`. Only `window` knows of `minifb`; everything else runs
//! headless, and a recorded session replays to the same pixels.

mod event;
mod files;
mod font;
mod hud;
mod orbit;
mod overlay;
mod pace;
mod pick;
mod picture;
mod plane;
mod refine;
mod replay;
mod screen;
mod session;
mod state;
mod window;

pub use event::{Button, Event, Key, TimedEvent, parse_events};
pub use pick::Picked;
pub use replay::replay;
pub use session::{ViewOptions, Viewer};
pub use state::{Aim, Load, Requests, Switches, ViewerState};
pub use window::{WindowWishes, view};
