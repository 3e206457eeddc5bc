//! What a viewer knows: events in, camera and requests out. No window, no clock, no file and no thread in here.
//!
//! A drag is measured from where it began, so that the camera depends on where the mouse goes, not on how often it is
//! asked: a recording replays to the same camera whatever the machine.

use glam::{DVec2, DVec3};

use super::event::{Button, Event, Key, TimedEvent};
use super::orbit::{self, Extent, Orbit, Side};
use super::plane::{self, Plane};
use crate::scene::circles::ViewBox;
use crate::scene::spheres::{Camera, Shading};

/// One notch of the wheel.
const NOTCH: f64 = 1.1;

/// A press that moves less than this until its release is a click, pixels.
const CLICK: f64 = 4.0;

/// Milliseconds that a frame of a playing file stays.
const FRAME_TIME: u64 = 80;

/// Ambient-occlusion rays when they are switched on in a scene that has none.
const AO_RAYS: u32 = 16;

/// A viewer's state: driven by events, asked for a camera.
#[derive(Clone, Debug)]
pub struct ViewerState {
    size: (u32, u32),
    look: Look,
    shading: Shading,
    switches: Switches,
    cursor: DVec2,
    drag: Option<Drag>,
    shift: bool,
    ctrl: bool,
    time: u64,
    /// When the shown frame of a playing file appeared; `None` while nothing plays.
    playing: Option<u64>,
    quit: bool,
}

#[derive(Clone, Debug)]
enum Look {
    Space(Orbit),
    Flat(Plane),
}

/// What of the loaded scene the state needs to know.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Home {
    Space { camera: Camera, shading: Shading, extent: Extent },
    Flat { size: (u32, u32) },
}

/// What is looked at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Aim {
    /// Spheres, through a camera.
    Camera(Camera),
    /// A part of a picture of circles.
    ViewBox(ViewBox),
}

/// What is switched on and off by keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "five switches that know nothing of one another")]
pub struct Switches {
    /// Numbers in the corner.
    pub hud: bool,
    /// The list of keys.
    pub help: bool,
    /// Tiles and what they reject.
    pub tiles: bool,
    /// Whether shadows differ from what the scene asks for.
    flip_shadows: bool,
    /// Whether ambient occlusion differs from what the scene asks for.
    flip_ao: bool,
}

#[derive(Clone, Copy, Debug)]
struct Drag {
    button: Button,
    start: DVec2,
    /// Whether it has gone further than a click may.
    moved: bool,
    from: From,
}

#[derive(Clone, Copy, Debug)]
enum From {
    Turn(orbit::Place),
    Move(orbit::Place),
    Slide(plane::Place),
}

/// What an event asks the viewer for.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Requests {
    /// The picture has changed: draw it anew.
    pub picture: bool,
    /// Only what lies over the picture has changed.
    pub overlay: bool,
    /// Find out what is at this place of the window, and show it.
    pub pick: Option<[f32; 2]>,
    /// Find out what is at this place of the window, and turn around it from now on.
    pub center: Option<[f32; 2]>,
    /// Write the picture to a file.
    pub screenshot: bool,
    /// Show something else.
    pub load: Option<Load>,
    /// Close.
    pub quit: bool,
}

/// What to show instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Load {
    /// The same file, read again.
    Again,
    /// A file so many places further in the list.
    File(i64),
    /// A frame so many further in the file.
    Frame(i64),
}

impl ViewerState {
    pub(super) fn new(home: &Home, size: (u32, u32)) -> Self {
        let (look, shading) = match *home {
            Home::Space { camera, shading, extent } => (Look::Space(Orbit::new(camera, extent)), shading),
            Home::Flat { size: home } => (Look::Flat(Plane::new(home, size)), Shading::default()),
        };
        Self {
            size,
            look,
            shading,
            switches: Switches { hud: true, help: false, tiles: false, flip_shadows: false, flip_ao: false },
            cursor: DVec2::ZERO,
            drag: None,
            shift: false,
            ctrl: false,
            time: 0,
            playing: None,
            quit: false,
        }
    }

    /// Another scene in place of the last: the camera, as far as somebody moved it, and the switches stay.
    pub(super) fn rehome(&mut self, home: &Home) {
        self.drag = None;
        match (&mut self.look, *home) {
            (Look::Space(orbit), Home::Space { camera, shading, extent }) => {
                orbit.rehome(camera, extent);
                self.shading = shading;
            }
            (Look::Flat(plane), Home::Flat { size }) => plane.rehome(size),
            _ => self.start_over(home),
        }
    }

    /// Another file in place of the last: its own camera; the switches stay.
    pub(super) fn start_over(&mut self, home: &Home) {
        let kept = self.clone();
        *self = Self::new(home, self.size);
        (self.switches, self.cursor, self.shift, self.ctrl) = (kept.switches, kept.cursor, kept.shift, kept.ctrl);
        self.time = kept.time;
    }

    /// Takes in what happened.
    pub fn handle(&mut self, timed: &TimedEvent) -> Requests {
        self.time = self.time.max(timed.time);
        match timed.event {
            Event::Resize { width, height } => self.resize((width, height)),
            Event::Move { x, y } => self.move_to(DVec2::new(f64::from(x), f64::from(y))),
            Event::Press(button) => self.press(button),
            Event::Release(button) => self.release(button),
            Event::Wheel(notches) => self.wheel(f64::from(notches)),
            Event::KeyDown(key) => self.key(key),
            Event::KeyUp(Key::Shift) => self.modifier(false, self.ctrl),
            Event::KeyUp(Key::Ctrl) => self.modifier(self.shift, false),
            Event::KeyUp(_) => Requests::default(),
            Event::FileChanged => Requests { load: Some(Load::Again), ..Requests::default() },
            Event::Tick => self.tick(),
        }
    }

    fn resize(&mut self, size: (u32, u32)) -> Requests {
        if size == self.size {
            return Requests::default();
        }
        self.size = size;
        self.drag = None;
        if let Look::Flat(plane) = &mut self.look {
            plane.resize(size);
        }
        Requests::picture()
    }

    fn move_to(&mut self, cursor: DVec2) -> Requests {
        self.cursor = cursor;
        let Some(drag) = &mut self.drag else {
            return Requests { pick: Some(self.cursor_pixel()), ..Requests::default() };
        };
        let pixels = cursor - drag.start;
        drag.moved |= pixels.length() >= CLICK;
        if !drag.moved {
            return Requests::default();
        }
        let heights = pixels / f64::from(self.size.1);
        match (&mut self.look, drag.from) {
            (Look::Space(orbit), From::Turn(start)) => orbit.turn(&start, heights),
            (Look::Space(orbit), From::Move(start)) => orbit.pan(&start, heights),
            (Look::Flat(plane), From::Slide(start)) => plane.pan(&start, pixels),
            _ => return Requests::default(),
        }
        Requests::picture()
    }

    fn press(&mut self, button: Button) -> Requests {
        if self.drag.is_none() {
            let from = match &self.look {
                Look::Space(orbit) if button == Button::Left && !self.shift => From::Turn(orbit.place()),
                Look::Space(orbit) => From::Move(orbit.place()),
                Look::Flat(plane) => From::Slide(plane.place()),
            };
            self.drag = Some(Drag { button, start: self.cursor, moved: false, from });
        }
        Requests::default()
    }

    fn release(&mut self, button: Button) -> Requests {
        let Some(drag) = self.drag.take_if(|drag| drag.button == button) else { return Requests::default() };
        let mut requests = Requests::default();
        match button {
            _ if drag.moved => requests.overlay = true,
            Button::Left => requests.pick = Some(self.cursor_pixel()),
            Button::Middle => requests.center = Some(self.cursor_pixel()),
            Button::Right => {}
        }
        requests
    }

    fn wheel(&mut self, notches: f64) -> Requests {
        // two screenfuls of notches at once are a faulty mouse
        let factor = libm::pow(NOTCH, notches.clamp(-100.0, 100.0));
        match &mut self.look {
            Look::Space(orbit) => {
                let from_middle = self.cursor - 0.5 * DVec2::new(f64::from(self.size.0), f64::from(self.size.1));
                let heights = if self.ctrl { from_middle / f64::from(self.size.1) } else { DVec2::ZERO };
                orbit.zoom(factor, heights);
            }
            Look::Flat(plane) => plane.zoom(factor, self.cursor),
        }
        self.regrip();
        Requests::picture()
    }

    /// A drag that goes on goes on from here.
    fn regrip(&mut self) {
        if let Some(Drag { button, .. }) = self.drag.take() {
            self.press(button);
            if let Some(drag) = &mut self.drag {
                drag.moved = true;
            }
        }
    }

    fn modifier(&mut self, shift: bool, ctrl: bool) -> Requests {
        (self.shift, self.ctrl) = (shift, ctrl);
        Requests::default()
    }

    fn key(&mut self, key: Key) -> Requests {
        let (picture, overlay) = (Requests::picture(), Requests { overlay: true, ..Requests::default() });
        let load = |load| Requests { load: Some(load), ..Requests::default() };
        let switches = &mut self.switches;
        match key {
            Key::Shift => return self.modifier(true, self.ctrl),
            Key::Ctrl => return self.modifier(self.shift, true),
            Key::Escape => {
                self.quit = true;
                return Requests { quit: true, ..Requests::default() };
            }
            Key::F12 => return Requests { screenshot: true, ..Requests::default() },
            Key::H => switches.help = !switches.help,
            Key::I => switches.hud = !switches.hud,
            Key::T => switches.tiles = !switches.tiles,
            Key::Left => return load(Load::Frame(-1)),
            Key::Right => return load(Load::Frame(1)),
            Key::Up => return load(Load::File(-1)),
            Key::Down => return load(Load::File(1)),
            Key::Space => self.playing = if self.playing.is_some() { None } else { Some(self.time) },
            Key::S | Key::A if matches!(self.look, Look::Flat(_)) => return Requests::default(),
            Key::S => {
                switches.flip_shadows = !switches.flip_shadows;
                return picture;
            }
            Key::A => {
                switches.flip_ao = !switches.flip_ao;
                return picture;
            }
            _ => {
                if !self.camera_key(key) {
                    return Requests::default();
                }
                self.regrip();
                return picture;
            }
        }
        overlay
    }

    /// Whether a key has moved the camera.
    fn camera_key(&mut self, key: Key) -> bool {
        match (&mut self.look, key) {
            (Look::Space(orbit), Key::Digit1) => orbit.look_from(Side::Front),
            (Look::Space(orbit), Key::Digit3) => orbit.look_from(Side::Right),
            (Look::Space(orbit), Key::Digit7) => orbit.look_from(Side::Top),
            (Look::Space(orbit), Key::Digit9) => orbit.look_from(Side::Opposite),
            (Look::Space(orbit), Key::Digit5) => orbit.toggle_parallel(),
            (Look::Space(orbit), Key::F) => orbit.fit(f64::from(self.size.0) / f64::from(self.size.1)),
            (Look::Space(orbit), Key::Enter) => orbit.reset(),
            (Look::Flat(plane), Key::F | Key::Enter) => plane.fit(),
            _ => return false,
        }
        true
    }

    fn tick(&mut self) -> Requests {
        match &mut self.playing {
            Some(since) if self.time >= *since + FRAME_TIME => {
                *since = self.time;
                Requests { load: Some(Load::Frame(1)), ..Requests::default() }
            }
            _ => Requests::default(),
        }
    }

    /// Turns around this point from now on, and brings it into the middle.
    pub(super) fn center_on(&mut self, point: DVec3) {
        if let Look::Space(orbit) = &mut self.look {
            orbit.center_on(point);
        }
    }

    /// What is looked at.
    #[must_use]
    pub fn aim(&self) -> Aim {
        match &self.look {
            Look::Space(orbit) => Aim::Camera(orbit.camera()),
            Look::Flat(plane) => Aim::ViewBox(plane.view_box()),
        }
    }

    /// Samples, shadows and ambient occlusion as the scene and the switches ask for.
    #[must_use]
    pub fn shading(&self) -> Shading {
        let mut shading = self.shading;
        if self.switches.flip_shadows {
            shading.shadows = !shading.shadows;
        }
        if self.switches.flip_ao {
            shading.ao_rays = if shading.ao_rays == 0 { AO_RAYS } else { 0 };
        }
        shading
    }

    /// Length of a window pixel where the mouse would grab: world units at the target, or the picture's own pixels.
    pub(super) fn units_per_pixel(&self) -> f64 {
        match &self.look {
            Look::Space(orbit) => orbit.height() / f64::from(self.size.1),
            Look::Flat(plane) => 1.0 / plane.scale(),
        }
    }

    /// The window's sides in pixels.
    #[must_use]
    pub fn size(&self) -> (u32, u32) {
        self.size
    }

    /// What is switched on.
    #[must_use]
    pub fn switches(&self) -> Switches {
        self.switches
    }

    /// Whether a file's frames are playing.
    #[must_use]
    pub fn playing(&self) -> bool {
        self.playing.is_some()
    }

    /// Whether it is time to close.
    #[must_use]
    pub fn quitting(&self) -> bool {
        self.quit
    }

    #[expect(clippy::cast_possible_truncation, reason = "was an f32 when it came")]
    fn cursor_pixel(&self) -> [f32; 2] {
        [self.cursor.x as f32, self.cursor.y as f32]
    }
}

impl Requests {
    fn picture() -> Self {
        Self { picture: true, ..Self::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::spheres::Projection;
    use glam::Vec3;

    fn space() -> ViewerState {
        let camera = Camera {
            eye: Vec3::new(0.0, 0.0, 10.0),
            target: Vec3::ZERO,
            up: Vec3::Y,
            projection: Projection::Perspective { fov_y_radians: 0.5 },
        };
        let extent = Extent { center: DVec3::ZERO, radius: 2.0 };
        ViewerState::new(&Home::Space { camera, shading: Shading::default(), extent }, (640, 480))
    }

    fn flat() -> ViewerState {
        ViewerState::new(&Home::Flat { size: (640, 480) }, (640, 480))
    }

    fn feed(state: &mut ViewerState, events: &[Event]) -> Requests {
        let mut last = Requests::default();
        for &event in events {
            last = state.handle(&TimedEvent { time: 0, event });
        }
        last
    }

    fn eye(state: &ViewerState) -> Vec3 {
        let Aim::Camera(camera) = state.aim() else { panic!("a camera") };
        camera.eye
    }

    #[test]
    fn drag_depends_on_its_ends_alone() {
        let (mut often, mut once) = (space(), space());
        feed(&mut often, &[Event::Move { x: 100.0, y: 100.0 }, Event::Press(Button::Left)]);
        for step in 1..=100_u16 {
            let x = 100.0 + f32::from(step);
            feed(&mut often, &[Event::Move { x, y: 100.0 - x / 7.0 }]);
        }
        feed(&mut often, &[Event::Move { x: 200.0, y: 130.0 }, Event::Release(Button::Left)]);
        let start = [Event::Move { x: 100.0, y: 100.0 }, Event::Press(Button::Left)];
        feed(&mut once, &start);
        feed(&mut once, &[Event::Move { x: 200.0, y: 130.0 }, Event::Release(Button::Left)]);
        assert_eq!(often.aim(), once.aim());
        assert_ne!(once.aim(), space().aim());
    }

    #[test]
    fn click_picks_and_drag_does_not() {
        let mut state = space();
        feed(
            &mut state,
            &[Event::Move { x: 9.0, y: 8.0 }, Event::Press(Button::Left), Event::Move { x: 10.0, y: 8.0 }],
        );
        let requests = feed(&mut state, &[Event::Release(Button::Left)]);
        assert_eq!((requests.pick, requests.picture), (Some([10.0, 8.0]), false));
        assert_eq!(state.aim(), space().aim(), "a shaky click moves nothing");
        feed(&mut state, &[Event::Press(Button::Left), Event::Move { x: 60.0, y: 8.0 }]);
        assert_eq!(feed(&mut state, &[Event::Release(Button::Left)]).pick, None);
    }

    #[test]
    fn middle_click_asks_for_a_new_centre() {
        let mut state = space();
        feed(&mut state, &[Event::Move { x: 9.0, y: 8.0 }, Event::Press(Button::Middle)]);
        assert_eq!(feed(&mut state, &[Event::Release(Button::Middle)]).center, Some([9.0, 8.0]));
        let before = eye(&state);
        state.center_on(DVec3::new(1.0, 2.0, 3.0));
        assert!((eye(&state) - before).distance(Vec3::new(1.0, 2.0, 3.0)) < 1e-5, "the eye goes along");
    }

    #[test]
    fn left_orbits_and_right_shift_or_middle_pans() {
        let target = |state: &ViewerState| {
            let Aim::Camera(camera) = state.aim() else { panic!("a camera") };
            camera.target
        };
        let mut state = space();
        feed(&mut state, &[Event::Press(Button::Left), Event::Move { x: 50.0, y: 0.0 }, Event::Release(Button::Left)]);
        assert_eq!(target(&state), Vec3::ZERO);
        for (key, button) in [(None, Button::Right), (None, Button::Middle), (Some(Key::Shift), Button::Left)] {
            let mut state = space();
            key.map(|key| feed(&mut state, &[Event::KeyDown(key)]));
            feed(&mut state, &[Event::Press(button), Event::Move { x: 50.0, y: 0.0 }, Event::Release(button)]);
            assert!(target(&state).x < -0.1, "{button:?}");
        }
    }

    #[test]
    fn wheel_zooms_to_the_cursor_with_ctrl_alone() {
        let mut state = space();
        feed(&mut state, &[Event::Move { x: 600.0, y: 100.0 }, Event::Wheel(3.0)]);
        assert!((eye(&state).z - 10.0 / 1.331).abs() < 1e-4 && eye(&state).x.abs() < 1e-6, "{}", eye(&state));
        feed(&mut state, &[Event::KeyDown(Key::Ctrl), Event::Wheel(1.0), Event::KeyUp(Key::Ctrl)]);
        assert!(eye(&state).x > 0.05, "towards the cursor: {}", eye(&state));
        let mut flat = flat();
        feed(&mut flat, &[Event::Move { x: 640.0, y: 480.0 }, Event::Wheel(1.0)]);
        let Aim::ViewBox(view_box) = flat.aim() else { panic!("a view box") };
        assert!((view_box.height - 480.0 / 1.1).abs() < 1e-9 && view_box.center[0] > 320.0, "{view_box:?}");
    }

    #[test]
    fn enter_goes_home() {
        for mut state in [space(), flat()] {
            let home = state.aim();
            feed(&mut state, &[Event::Wheel(5.0), Event::Press(Button::Right), Event::Move { x: 90.0, y: 9.0 }]);
            assert_ne!(state.aim(), home);
            feed(&mut state, &[Event::Release(Button::Right), Event::KeyDown(Key::Enter)]);
            assert_eq!(state.aim(), home);
        }
    }

    #[test]
    fn switches_ask_for_a_picture_only_when_it_changes() {
        let mut state = space();
        assert!(feed(&mut state, &[Event::KeyDown(Key::S)]).picture && state.shading().shadows);
        assert!(feed(&mut state, &[Event::KeyDown(Key::A)]).picture && state.shading().ao_rays == AO_RAYS);
        let _ = feed(&mut state, &[Event::KeyDown(Key::S), Event::KeyDown(Key::A)]);
        assert_eq!(state.shading(), Shading::default());
        for key in [Key::H, Key::I, Key::T] {
            let requests = feed(&mut state, &[Event::KeyDown(key)]);
            assert!(requests.overlay && !requests.picture, "{key}");
        }
        assert!(!feed(&mut flat(), &[Event::KeyDown(Key::S)]).picture, "circles cast no shadow");
    }

    #[test]
    fn playing_steps_with_time() {
        let mut state = space();
        let at = |state: &mut ViewerState, time, event| state.handle(&TimedEvent { time, event }).load;
        assert_eq!(at(&mut state, 1000, Event::Tick), None);
        assert_eq!(at(&mut state, 1000, Event::KeyDown(Key::Space)), None);
        assert_eq!(at(&mut state, 1079, Event::Tick), None);
        assert_eq!(at(&mut state, 1080, Event::Tick), Some(Load::Frame(1)));
        assert_eq!(at(&mut state, 1100, Event::Tick), None);
        let _ = at(&mut state, 1101, Event::KeyDown(Key::Space));
        assert_eq!(at(&mut state, 9000, Event::Tick), None);
        assert_eq!(at(&mut state, 9000, Event::KeyDown(Key::Left)), Some(Load::Frame(-1)));
        assert_eq!(at(&mut state, 9000, Event::KeyDown(Key::Down)), Some(Load::File(1)));
        assert_eq!(at(&mut state, 9000, Event::FileChanged), Some(Load::Again));
    }

    #[test]
    fn reload_keeps_a_moved_camera() {
        let mut state = space();
        feed(&mut state, &[Event::Wheel(2.0), Event::KeyDown(Key::H)]);
        let (aim, switches) = (state.aim(), state.switches());
        let camera = Camera {
            eye: Vec3::X,
            target: Vec3::ZERO,
            up: Vec3::Y,
            projection: Projection::Orthographic { height: 3.0 },
        };
        let home =
            Home::Space { camera, shading: Shading::default(), extent: Extent { center: DVec3::ZERO, radius: 1.0 } };
        state.rehome(&home);
        assert_eq!((state.aim(), state.switches()), (aim, switches));
        state.start_over(&home);
        assert_eq!((state.aim(), state.switches()), (Aim::Camera(camera), switches));
    }

    #[test]
    fn resize_asks_for_a_picture_once() {
        let mut state = flat();
        assert!(feed(&mut state, &[Event::Resize { width: 300, height: 200 }]).picture);
        assert!(!feed(&mut state, &[Event::Resize { width: 300, height: 200 }]).picture);
        assert_eq!(state.size(), (300, 200));
    }
}
