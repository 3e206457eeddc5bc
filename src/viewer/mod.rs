//! A window to look around in scenes, and the same viewer without a window.
//!
//! - [`run_window`] opens files in a window until the user closes it.
//! - [`Viewer`] is the viewer without a window: [`Event`]s in, pixels out. Programs show it in windows of their own,
//!   and tests drive it.
//! - [`replay`] runs a recorded session and writes its last picture, the same on every machine.
//!
//! While the view changes, frame quality adapts to the frame rate. At rest the picture is refined to
//! exactly what [`render`](crate::render()) draws.
//!
//! ```
//! use roundel::spheres::{Camera, PaintedSphere, SphereScene};
//! use roundel::viewer::{Event, MouseButton, TimedEvent, Viewer};
//! use roundel::{RenderSettings, Srgba8};
//!
//! let spheres = vec![
//!     PaintedSphere::new([0.0, 0.0, 0.0], 1.0, Srgba8::rgb(0x44, 0x77, 0xaa)),
//!     PaintedSphere::new([0.0, 0.0, 2.0], 0.5, Srgba8::rgb(0xee, 0x66, 0x77)),
//! ];
//! let camera = Camera::look_at([0.0, 0.0, 8.0], [0.0; 3]);
//! let scene = SphereScene::new(camera, 64, 48).with_spheres(spheres);
//! let mut viewer = Viewer::new(scene.into(), &RenderSettings::default())?;
//! let before = viewer.finish()?.clone();
//!
//! // drag from the window's centre to the right: the camera orbits to the left
//! let drag = [
//!     Event::Move { x: 32.0, y: 24.0 },
//!     Event::Press(MouseButton::Left),
//!     Event::Move { x: 56.0, y: 24.0 },
//!     Event::Release(MouseButton::Left),
//! ];
//! for event in drag {
//!     viewer.handle(&TimedEvent::new(0, event))?;
//! }
//! assert_ne!(*viewer.finish()?, before);
//! # Ok::<(), roundel::Error>(())
//! ```

// layer 0: input, and the camera that it moves
mod camera;
mod event;

// layer 1: the picture to draw, the frames to choose from
mod picture;
mod slider;

// layer 2: the state that events change, background work, how the picture is drawn, the shape under the mouse
mod background;
mod command;
mod pick;
mod progressive;
mod state;

// layer 3: the files, and the text over the picture
mod files;
mod marks;
mod overlay;

// layer 4: all of it without a window
mod headless;

// layer 5: a window, or a recorded session
mod replay;
mod window;

pub use camera::Viewpoint;
pub use event::{Event, Key, MouseButton, TimedEvent, parse_events};
pub use headless::{Viewer, ViewerOptions};
pub use pick::{PickedShape, Shape};
pub use replay::replay;
pub use window::{WindowOptions, run_window};
