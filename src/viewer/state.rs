//! Input handling: events in, a camera and requests out. No window, clock, file or thread in here.

use glam::{DVec2, DVec3};

use super::camera::{AxisView, CameraController, DragMode, DragStart, HomeView, ZoomAnchor};
use super::event::{Event, Key, MouseButton, TimedEvent};
use super::picture::PictureSpec;
use super::slider::Slider;
use crate::scene::spheres::{AmbientOcclusion, Shading, ShadingPreset};

/// Zoom factor of one notch of the wheel.
const NOTCH_ZOOM: f64 = 1.1;

/// Notches that one event may turn: more come from a faulty mouse.
const MAX_NOTCHES: f64 = 100.0;

/// A press that moves less than this before its release is a click, in pixels.
const CLICK_DISTANCE: f64 = 4.0;

/// Milliseconds for which each frame of a playing file is shown.
const FRAME_TIME_MS: u64 = 40;

#[derive(Clone, Debug)]
pub(super) struct ViewerState {
    camera: CameraController,
    /// The shading that the scene asks for.
    shading: Shading,
    pub(super) toggles: Toggles,
    cursor: DVec2,
    drag: Option<Drag>,
    /// The frames to choose from, and the one that is shown.
    pub(super) slider: Slider,
    /// Whether the key Shift is held.
    pub(super) shift: bool,
    ctrl: bool,
    time_ms: u64,
    /// When the current frame of a playing file appeared; `None` while paused.
    frame_since_ms: Option<u64>,
    pub(super) close_requested: bool,
}

/// Switches that keys turn on and off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "five independent switches")]
pub(super) struct Toggles {
    /// Numbers, scale bar and messages over the picture.
    pub(super) hud: bool,
    pub(super) help: bool,
    /// Tiles, with the number of shapes that each keeps.
    pub(super) tiles: bool,
    /// The look in place of the scene's.
    look: Option<ShadingPreset>,
    /// Whether shadows differ from the scene's setting.
    invert_shadows: bool,
    /// Whether ambient occlusion differs from the scene's setting.
    invert_ao: bool,
}

impl Default for Toggles {
    fn default() -> Self {
        Self { hud: true, help: false, tiles: false, look: None, invert_shadows: false, invert_ao: false }
    }
}

#[derive(Clone, Copy, Debug)]
struct Drag {
    button: MouseButton,
    cursor: DVec2,
    camera: DragStart,
    /// Whether the mouse has moved farther than a click may.
    moved: bool,
}

/// The action that an event requires of the viewer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum ViewerAction {
    /// Draw the picture again.
    Redraw,
    /// Draw the overlay again; the picture has not changed.
    RedrawOverlay,
    /// Find the shape under this pixel once the picture rests, and show it.
    Hover([f32; 2]),
    /// Find the shape under this pixel, and report and show it.
    Pick([f32; 2]),
    /// Find the shape under this pixel and orbit around it.
    Center([f32; 2]),
    /// Write the picture to a file.
    Screenshot,
    /// Begin to write a film to a file, or stop.
    Film,
    /// Load another scene.
    Load(LoadRequest),
}

/// The scene to load.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LoadRequest {
    Reload,
    /// The file this many places further in the list.
    StepFile(i64),
    /// The frame this many places further in the current file.
    StepFrame(i64),
    /// This frame of the current file.
    GoToFrame(u64),
    /// The current frame as part of a film, whose frames have one camera.
    Film,
}

impl ViewerState {
    pub(super) fn new(home: &HomeView, window: (u32, u32)) -> Self {
        Self {
            camera: CameraController::new(home, window),
            shading: home.shading(),
            toggles: Toggles::default(),
            cursor: DVec2::ZERO,
            drag: None,
            slider: Slider::default(),
            shift: false,
            ctrl: false,
            time_ms: 0,
            frame_since_ms: None,
            close_requested: false,
        }
    }

    /// Replaces the scene by a newer version or another frame of it. A camera that the user has moved stays.
    pub(super) fn replace_scene(&mut self, home: &HomeView) {
        self.drag = None;
        self.camera.set_home(home);
        self.shading = home.shading();
    }

    /// Replaces the scene by another file's, seen from its own camera.
    pub(super) fn open_scene(&mut self, home: &HomeView) {
        self.drag = None;
        self.camera = CameraController::new(home, self.camera.window);
        self.shading = home.shading();
        self.frame_since_ms = None;
    }

    pub(super) fn handle(&mut self, event: &TimedEvent) -> Option<ViewerAction> {
        self.time_ms = self.time_ms.max(event.time_ms);
        match event.event {
            Event::Resize { width, height } => self.resize((width, height)),
            Event::Move { x, y } => self.move_cursor(DVec2::new(f64::from(x), f64::from(y))),
            Event::Press(button) => self.press(button),
            Event::Release(button) => self.release(button),
            Event::Wheel(notches) => self.wheel(f64::from(notches)),
            Event::KeyDown(key) => self.key_down(key),
            Event::KeyUp(key) => self.key_up(key),
            Event::FileChanged => Some(ViewerAction::Load(LoadRequest::Reload)),
            Event::Tick => self.tick(),
        }
    }

    fn resize(&mut self, window: (u32, u32)) -> Option<ViewerAction> {
        if window == self.camera.window {
            return None;
        }
        self.drag = None;
        self.camera.resize(window);
        Some(ViewerAction::Redraw)
    }

    fn move_cursor(&mut self, cursor: DVec2) -> Option<ViewerAction> {
        self.cursor = cursor;
        if self.slider.is_held {
            return self.slide();
        }
        let Some(drag) = &mut self.drag else { return Some(ViewerAction::Hover(self.cursor_pixel())) };
        let pixels = cursor - drag.cursor;
        drag.moved |= pixels.length() >= CLICK_DISTANCE;
        if !drag.moved {
            return None;
        }
        self.camera.drag(&drag.camera, pixels);
        Some(ViewerAction::Redraw)
    }

    fn press(&mut self, button: MouseButton) -> Option<ViewerAction> {
        let is_on_slider = self.toggles.hud && self.slider.is_under(self.cursor, self.camera.window);
        if button == MouseButton::Left && self.drag.is_none() && is_on_slider {
            self.slider.is_held = true;
            return self.slide();
        }
        if self.drag.is_none() {
            let mode = if button == MouseButton::Left && !self.shift { DragMode::Orbit } else { DragMode::Pan };
            let camera = self.camera.start_drag(mode);
            self.drag = Some(Drag { button, cursor: self.cursor, camera, moved: false });
        }
        None
    }

    fn slide(&mut self) -> Option<ViewerAction> {
        let frame = self.slider.frame_at(self.cursor.x, self.camera.window);
        (frame != self.slider.frame).then_some(ViewerAction::Load(LoadRequest::GoToFrame(frame)))
    }

    /// Takes over the number of frames, and the frame that is shown.
    pub(super) fn set_frames(&mut self, frames: u64, frame: u64) {
        (self.slider.frames, self.slider.frame) = (frames, frame);
    }

    fn release(&mut self, button: MouseButton) -> Option<ViewerAction> {
        if button == MouseButton::Left && std::mem::take(&mut self.slider.is_held) {
            return Some(ViewerAction::RedrawOverlay);
        }
        let drag = self.drag.take_if(|drag| drag.button == button)?;
        match button {
            _ if drag.moved => Some(ViewerAction::RedrawOverlay),
            MouseButton::Left => Some(ViewerAction::Pick(self.cursor_pixel())),
            MouseButton::Middle => Some(ViewerAction::Center(self.cursor_pixel())),
            MouseButton::Right => None,
        }
    }

    fn wheel(&mut self, notches: f64) -> Option<ViewerAction> {
        let factor = libm::pow(NOTCH_ZOOM, notches.clamp(-MAX_NOTCHES, MAX_NOTCHES));
        let anchor = if self.ctrl { ZoomAnchor::Cursor } else { ZoomAnchor::Target };
        self.camera.zoom(factor, self.cursor, anchor);
        self.restart_drag();
        Some(ViewerAction::Redraw)
    }

    /// Measures a drag in progress from the current camera, which something else has moved.
    fn restart_drag(&mut self) {
        if let Some(Drag { button, .. }) = self.drag.take() {
            self.press(button);
            if let Some(drag) = &mut self.drag {
                drag.moved = true;
            }
        }
    }

    fn key_down(&mut self, key: Key) -> Option<ViewerAction> {
        match key {
            Key::Shift => return self.hold_shift(true),
            Key::Ctrl => self.ctrl = true,
            Key::Escape => self.close_requested = true,
            Key::F12 => return Some(ViewerAction::Screenshot),
            Key::E => return Some(ViewerAction::Film),
            Key::Left => return Some(ViewerAction::Load(LoadRequest::StepFrame(-1))),
            Key::Right => return Some(ViewerAction::Load(LoadRequest::StepFrame(1))),
            Key::Up => return Some(ViewerAction::Load(LoadRequest::StepFile(-1))),
            Key::Down => return Some(ViewerAction::Load(LoadRequest::StepFile(1))),
            Key::H | Key::I | Key::T | Key::Space => {
                self.toggle_overlay(key);
                return Some(ViewerAction::RedrawOverlay);
            }
            _ => {
                if self.toggle_shading(key) {
                    return Some(ViewerAction::Redraw);
                }
                if self.move_camera(key) {
                    self.restart_drag();
                    return Some(ViewerAction::Redraw);
                }
            }
        }
        None
    }

    /// Picks again under the mouse: Shift decides whether translucent shapes count.
    fn hold_shift(&mut self, shift: bool) -> Option<ViewerAction> {
        self.shift = shift;
        let is_hovering = self.drag.is_none() && !self.slider.is_held;
        is_hovering.then(|| ViewerAction::Hover(self.cursor_pixel()))
    }

    fn key_up(&mut self, key: Key) -> Option<ViewerAction> {
        match key {
            Key::Shift => return self.hold_shift(false),
            Key::Ctrl => self.ctrl = false,
            _ => {}
        }
        None
    }

    fn toggle_overlay(&mut self, key: Key) {
        let toggles = &mut self.toggles;
        match key {
            Key::H => toggles.help = !toggles.help,
            Key::I => toggles.hud = !toggles.hud,
            Key::T => toggles.tiles = !toggles.tiles,
            _ => self.frame_since_ms = if self.is_playing() { None } else { Some(self.time_ms) },
        }
    }

    /// Handles a key that changes the shading of spheres. Returns whether it did.
    fn toggle_shading(&mut self, key: Key) -> bool {
        if self.camera.orbit_mut().is_none() {
            return false;
        }
        match key {
            Key::S => self.toggles.invert_shadows = !self.toggles.invert_shadows,
            Key::A => self.toggles.invert_ao = !self.toggles.invert_ao,
            Key::L => self.toggles.look = Some(self.next_look()),
            _ => return false,
        }
        true
    }

    /// Returns the look after the current one.
    fn next_look(&self) -> ShadingPreset {
        let look = self.shading().look;
        let next = ShadingPreset::ALL.iter().skip_while(|other| **other != look).nth(1);
        *next.unwrap_or(&ShadingPreset::ALL[0])
    }

    /// Handles a key that moves the camera. Returns whether it did.
    fn move_camera(&mut self, key: Key) -> bool {
        match (key, self.camera.orbit_mut()) {
            (Key::F, _) => self.camera.fit(),
            (Key::Enter, _) => self.camera.reset(),
            (Key::Digit1, Some(orbit)) => orbit.look_from(AxisView::Front),
            (Key::Digit3, Some(orbit)) => orbit.look_from(AxisView::Right),
            (Key::Digit7, Some(orbit)) => orbit.look_from(AxisView::Top),
            (Key::Digit9, Some(orbit)) => orbit.look_from(AxisView::Opposite),
            (Key::Digit5, Some(orbit)) => orbit.toggle_orthographic(),
            _ => return false,
        }
        true
    }

    fn tick(&mut self) -> Option<ViewerAction> {
        match &mut self.frame_since_ms {
            Some(since) if self.time_ms >= *since + FRAME_TIME_MS => {
                *since = self.time_ms;
                Some(ViewerAction::Load(LoadRequest::StepFrame(1)))
            }
            _ => None,
        }
    }

    /// Moves the centre of orbiting, and with it the window's centre, to a point.
    pub(super) fn center_on(&mut self, point: DVec3) {
        if let Some(orbit) = self.camera.orbit_mut() {
            orbit.center_on(point);
        }
    }

    pub(super) fn picture(&self) -> PictureSpec {
        PictureSpec { viewpoint: self.camera.viewpoint(), shading: self.shading(), size: self.camera.window }
    }

    fn shading(&self) -> Shading {
        let mut shading = self.shading;
        if let Some(look) = self.toggles.look.filter(|look| *look != shading.look) {
            let Shading { samples, ao_distance, seed, .. } = shading;
            shading = Shading::preset(look).with_samples(samples).with_ao_distance(ao_distance).with_seed(seed);
        }
        if self.toggles.invert_shadows {
            shading.shadows = !shading.shadows;
        }
        if self.toggles.invert_ao {
            let occlusion =
                if shading.ambient_occlusion.is_on() { AmbientOcclusion::Off } else { AmbientOcclusion::Smooth };
            shading = shading.with_ambient_occlusion(occlusion);
        }
        shading
    }

    /// Returns the size of a window pixel: in world units at the target, or in pixels of the circle scene.
    pub(super) fn units_per_pixel(&self) -> f64 {
        self.camera.units_per_pixel()
    }

    /// Returns whether a file's frames are playing.
    pub(super) fn is_playing(&self) -> bool {
        self.frame_since_ms.is_some()
    }

    #[expect(clippy::cast_possible_truncation, reason = "came as an f32")]
    fn cursor_pixel(&self) -> [f32; 2] {
        [self.cursor.x as f32, self.cursor.y as f32]
    }
}

#[cfg(test)]
mod tests {
    use super::super::camera::{BoundingSphere, Viewpoint};
    use super::*;
    use crate::scene::spheres::{Camera, Projection};
    use glam::Vec3;

    fn spheres() -> ViewerState {
        let camera =
            Camera::look_at([0.0, 0.0, 10.0], [0.0; 3]).with_projection(Projection::Perspective { fov_y_radians: 0.5 });
        let bounds = BoundingSphere { center: DVec3::ZERO, radius: 2.0 };
        ViewerState::new(&HomeView::Spheres { camera, shading: Shading::default(), bounds }, (640, 480))
    }

    fn circles() -> ViewerState {
        ViewerState::new(&HomeView::Circles { size: (640, 480) }, (640, 480))
    }

    fn feed(state: &mut ViewerState, events: &[Event]) -> Option<ViewerAction> {
        let mut last = None;
        for &event in events {
            last = state.handle(&TimedEvent::new(0, event));
        }
        last
    }

    fn eye(state: &ViewerState) -> Vec3 {
        let Viewpoint::Camera(camera) = state.picture().viewpoint else { panic!("a camera") };
        camera.eye
    }

    #[test]
    fn drag_depends_only_on_its_ends() {
        let (mut often, mut once) = (spheres(), spheres());
        feed(&mut often, &[Event::Move { x: 100.0, y: 100.0 }, Event::Press(MouseButton::Left)]);
        for step in 1..=100_u16 {
            let x = 100.0 + f32::from(step);
            feed(&mut often, &[Event::Move { x, y: 100.0 - x / 7.0 }]);
        }
        feed(&mut often, &[Event::Move { x: 200.0, y: 130.0 }, Event::Release(MouseButton::Left)]);
        let start = [Event::Move { x: 100.0, y: 100.0 }, Event::Press(MouseButton::Left)];
        feed(&mut once, &start);
        feed(&mut once, &[Event::Move { x: 200.0, y: 130.0 }, Event::Release(MouseButton::Left)]);
        assert_eq!(often.picture().viewpoint, once.picture().viewpoint);
        assert_ne!(once.picture().viewpoint, spheres().picture().viewpoint);
    }

    #[test]
    fn click_picks_and_drag_does_not() {
        let mut state = spheres();
        feed(
            &mut state,
            &[Event::Move { x: 9.0, y: 8.0 }, Event::Press(MouseButton::Left), Event::Move { x: 10.0, y: 8.0 }],
        );
        let action = feed(&mut state, &[Event::Release(MouseButton::Left)]);
        assert_eq!(action, Some(ViewerAction::Pick([10.0, 8.0])));
        assert_eq!(state.picture().viewpoint, spheres().picture().viewpoint, "a shaky click moves nothing");
        feed(&mut state, &[Event::Press(MouseButton::Left), Event::Move { x: 60.0, y: 8.0 }]);
        assert_eq!(feed(&mut state, &[Event::Release(MouseButton::Left)]), Some(ViewerAction::RedrawOverlay));
    }

    #[test]
    fn middle_click_requests_a_new_centre() {
        let mut state = spheres();
        feed(&mut state, &[Event::Move { x: 9.0, y: 8.0 }, Event::Press(MouseButton::Middle)]);
        let action = feed(&mut state, &[Event::Release(MouseButton::Middle)]);
        assert_eq!(action, Some(ViewerAction::Center([9.0, 8.0])));
        let before = eye(&state);
        state.center_on(DVec3::new(1.0, 2.0, 3.0));
        assert!((eye(&state) - before).distance(Vec3::new(1.0, 2.0, 3.0)) < 1e-5, "the eye moves along");
    }

    #[test]
    fn left_orbits_and_right_shift_or_middle_pans() {
        let target = |state: &ViewerState| {
            let Viewpoint::Camera(camera) = state.picture().viewpoint else { panic!("a camera") };
            camera.target
        };
        let mut state = spheres();
        feed(
            &mut state,
            &[Event::Press(MouseButton::Left), Event::Move { x: 50.0, y: 0.0 }, Event::Release(MouseButton::Left)],
        );
        assert_eq!(target(&state), Vec3::ZERO);
        for (key, button) in
            [(None, MouseButton::Right), (None, MouseButton::Middle), (Some(Key::Shift), MouseButton::Left)]
        {
            let mut state = spheres();
            key.map(|key| feed(&mut state, &[Event::KeyDown(key)]));
            feed(&mut state, &[Event::Press(button), Event::Move { x: 50.0, y: 0.0 }, Event::Release(button)]);
            assert!(target(&state).x < -0.1, "{button:?}");
        }
    }

    #[test]
    fn wheel_zooms_to_the_cursor_only_with_ctrl() {
        let mut state = spheres();
        feed(&mut state, &[Event::Move { x: 600.0, y: 100.0 }, Event::Wheel(3.0)]);
        assert!((eye(&state).z - 10.0 / 1.331).abs() < 1e-4 && eye(&state).x.abs() < 1e-6, "{}", eye(&state));
        feed(&mut state, &[Event::KeyDown(Key::Ctrl), Event::Wheel(1.0), Event::KeyUp(Key::Ctrl)]);
        assert!(eye(&state).x > 0.05, "towards the cursor: {}", eye(&state));
        let mut flat = circles();
        feed(&mut flat, &[Event::Move { x: 640.0, y: 480.0 }, Event::Wheel(1.0)]);
        let Viewpoint::ViewBox(view_box) = flat.picture().viewpoint else { panic!("a view box") };
        assert!((view_box.height - 480.0 / 1.1).abs() < 1e-9 && view_box.center[0] > 320.0, "{view_box:?}");
    }

    #[test]
    fn enter_returns_to_the_home_view() {
        for mut state in [spheres(), circles()] {
            let home = state.picture().viewpoint;
            feed(&mut state, &[Event::Wheel(5.0), Event::Press(MouseButton::Right), Event::Move { x: 90.0, y: 9.0 }]);
            assert_ne!(state.picture().viewpoint, home);
            feed(&mut state, &[Event::Release(MouseButton::Right), Event::KeyDown(Key::Enter)]);
            assert_eq!(state.picture().viewpoint, home);
        }
    }

    #[test]
    fn toggles_redraw_the_picture_only_when_it_changes() {
        let mut state = spheres();
        assert_eq!(feed(&mut state, &[Event::KeyDown(Key::S)]), Some(ViewerAction::Redraw));
        assert_eq!(feed(&mut state, &[Event::KeyDown(Key::A)]), Some(ViewerAction::Redraw));
        assert!(state.picture().shading.shadows && state.picture().shading.ambient_occlusion.is_on());
        let _ = feed(&mut state, &[Event::KeyDown(Key::S), Event::KeyDown(Key::A)]);
        assert_eq!(state.picture().shading, Shading::default());
        for key in [Key::H, Key::I, Key::T] {
            assert_eq!(feed(&mut state, &[Event::KeyDown(key)]), Some(ViewerAction::RedrawOverlay), "{key}");
        }
        assert_eq!(feed(&mut circles(), &[Event::KeyDown(Key::S)]), None, "circles cast no shadow");
    }

    #[test]
    fn playing_steps_frames_with_time() {
        let mut state = spheres();
        let at = |state: &mut ViewerState, time, event| match state.handle(&TimedEvent::new(time, event)) {
            Some(ViewerAction::Load(request)) => Some(request),
            _ => None,
        };
        assert_eq!(at(&mut state, 1000, Event::Tick), None);
        assert_eq!(at(&mut state, 1000, Event::KeyDown(Key::Space)), None);
        assert_eq!(at(&mut state, 1039, Event::Tick), None);
        assert_eq!(at(&mut state, 1040, Event::Tick), Some(LoadRequest::StepFrame(1)));
        assert_eq!(at(&mut state, 1060, Event::Tick), None);
        let _ = at(&mut state, 1061, Event::KeyDown(Key::Space));
        assert_eq!(at(&mut state, 9000, Event::Tick), None);
        assert_eq!(at(&mut state, 9000, Event::KeyDown(Key::Left)), Some(LoadRequest::StepFrame(-1)));
        assert_eq!(at(&mut state, 9000, Event::KeyDown(Key::Down)), Some(LoadRequest::StepFile(1)));
        assert_eq!(at(&mut state, 9000, Event::FileChanged), Some(LoadRequest::Reload));
    }

    #[test]
    fn reload_keeps_a_moved_camera() {
        let mut state = spheres();
        feed(&mut state, &[Event::Wheel(2.0), Event::KeyDown(Key::H)]);
        let (moved, toggles) = (state.picture().viewpoint, state.toggles);
        let camera = Camera::look_at(Vec3::X, Vec3::ZERO).with_projection(Projection::Orthographic { height: 3.0 });
        let home = HomeView::Spheres {
            camera,
            shading: Shading::default(),
            bounds: BoundingSphere { center: DVec3::ZERO, radius: 1.0 },
        };
        state.replace_scene(&home);
        assert_eq!((state.picture().viewpoint, state.toggles), (moved, toggles));
        state.open_scene(&home);
        assert_eq!((state.picture().viewpoint, state.toggles), (Viewpoint::Camera(camera), toggles));
    }

    #[test]
    fn resize_redraws_once() {
        let mut state = circles();
        let resize = Event::Resize { width: 300, height: 200 };
        assert_eq!(feed(&mut state, &[resize]), Some(ViewerAction::Redraw));
        assert_eq!(feed(&mut state, &[resize]), None);
        assert_eq!(state.picture().size, (300, 200));
    }
}
