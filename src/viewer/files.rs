//! The files of a viewer: which one is shown, which of its frames, and the command that draws the same.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::state::{Aim, Load, ViewerState};
use crate::color::Srgba8;
use crate::error::{Error, Result};
use crate::io::{Overrides, read_record, read_scene};
use crate::scene::Scene;
use crate::scene::spheres::{Projection, Shading};

/// A list of files, and the place in it.
#[derive(Clone, Debug)]
pub(super) struct Files {
    paths: Vec<PathBuf>,
    current: usize,
    frame: u64,
    /// As the caller gave them, less the window's size where the picture does not depend on it.
    overrides: Overrides,
    window: (Option<u32>, Option<u32>),
    /// Of the scene as read.
    shading: Shading,
    /// How long the last reading took.
    reading: Duration,
}

/// A file that is read within this time is asked about whatever the mouse is over; a click asks of any file.
const QUICK: Duration = Duration::from_millis(20);

impl Files {
    /// Reads the first file.
    pub(super) fn open(paths: &[PathBuf], overrides: &Overrides) -> Result<(Self, Scene<'static>)> {
        if paths.is_empty() {
            return Err(Error::Setting { name: "file", message: "is missing: there is nothing to view".to_owned() });
        }
        let mut files = Self {
            paths: paths.to_vec(),
            current: 0,
            frame: overrides.frame.unwrap_or(0),
            overrides: overrides.clone(),
            window: (overrides.width, overrides.height),
            shading: Shading::default(),
            reading: Duration::ZERO,
        };
        let scene = files.read()?;
        Ok((files, scene))
    }

    /// No file: a scene in memory.
    pub(super) fn none() -> Self {
        Self {
            paths: Vec::new(),
            current: 0,
            frame: 0,
            overrides: Overrides::default(),
            window: (None, None),
            shading: Shading::default(),
            reading: Duration::ZERO,
        }
    }

    fn read(&mut self) -> Result<Scene<'static>> {
        let start = Instant::now();
        let frame = (self.frame > 0).then_some(self.frame).or(self.overrides.frame);
        let wanted = Overrides { frame, ..self.overrides.clone() };
        let mut scene = read_scene(&self.paths[self.current], &wanted)?;
        if let Scene::Circles(_) = scene
            && self.window != (None, None)
        {
            // circles are laid out in the picture's own size, of which the window shows a part
            let wanted = Overrides { width: None, height: None, ..wanted };
            scene = read_scene(&self.paths[self.current], &wanted)?;
        }
        if let Scene::Spheres(scene) = &scene {
            self.shading = scene.shading;
        }
        self.reading = start.elapsed();
        Ok(scene)
    }

    /// Size of the window at first.
    pub(super) fn size(&self, scene: &Scene<'_>) -> (u32, u32) {
        let (width, height) = scene.size();
        (self.window.0.unwrap_or(width), self.window.1.unwrap_or(height))
    }

    /// Reads what is wanted instead; `None` when there is nothing else to show. After an error all is as before.
    pub(super) fn load(&mut self, load: Load) -> Result<Option<Scene<'static>>> {
        let before = (self.current, self.frame);
        match load {
            _ if self.paths.is_empty() => return Ok(None),
            Load::Again => {}
            Load::File(_) if self.paths.len() == 1 => return Ok(None),
            Load::File(step) => {
                let count = i64::try_from(self.paths.len()).expect("a list of arguments is short");
                let next = (i64::try_from(self.current).expect("in the list") + step).rem_euclid(count);
                (self.current, self.frame) = (usize::try_from(next).expect("from 0"), 0);
            }
            Load::Frame(step) => match self.frame.checked_add_signed(step) {
                Some(frame) => self.frame = frame,
                None => return Ok(None),
            },
        }
        let read = match (self.read(), load) {
            // past the last frame comes the first again
            (Err(Error::Setting { name: "frame", .. }), Load::Frame(1..)) if before.1 > 0 => {
                self.frame = 0;
                self.read()
            }
            // no frames at all
            (Err(Error::Setting { name: "frame", .. }), Load::Frame(_)) => {
                (self.current, self.frame) = before;
                return Ok(None);
            }
            (read, _) => read,
        };
        if read.is_err() {
            (self.current, self.frame) = before;
        }
        read.map(Some)
    }

    /// The file that is shown; `-` for a scene in memory.
    pub(super) fn path(&self) -> &Path {
        self.paths.get(self.current).map_or(Path::new("-"), PathBuf::as_path)
    }

    /// File and frame for the screen; empty where there is only one.
    pub(super) fn place(&self) -> String {
        let mut place = String::new();
        if self.paths.len() > 1 {
            let name = self.path().file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
            let _ = write!(place, "{name} ({} of {})", self.current + 1, self.paths.len());
        }
        if self.frame > 0 {
            let _ = write!(place, "{}frame {}", if place.is_empty() { "" } else { ", " }, self.frame);
        }
        place
    }

    /// A name in the working directory that no file has: the shown file's, numbered.
    pub(super) fn unused_name(&self) -> PathBuf {
        let stem = self.path().file_stem().map(|stem| stem.to_string_lossy()).unwrap_or_default();
        let stem = if stem.is_empty() || stem == "-" { "roundel".into() } else { stem };
        let names = (1_u64..).map(|number| PathBuf::from(format!("{stem}-{number}.png")));
        names.into_iter().find(|name| !name.exists()).expect("some number is free")
    }

    /// What the file says of a shape, name and value; empty where it says nothing or can no longer be read.
    pub(super) fn record(&self, index: u64) -> Vec<(String, String)> {
        let wanted = Overrides { frame: (self.frame > 0).then_some(self.frame), ..self.overrides.clone() };
        read_record(self.path(), &wanted, index).unwrap_or_default()
    }

    /// Whether the file is read so quickly that it can be asked about everything the mouse passes over.
    pub(super) fn is_quick(&self) -> bool {
        self.reading <= QUICK
    }

    /// The command line that draws what the state looks at.
    pub(super) fn command(&self, state: &ViewerState, out: &Path) -> String {
        let overrides = &self.overrides;
        let mut line = format!("roundel render {} -o {}", quoted(self.path()), quoted(out));
        let (width, height) = state.size();
        let _ = write!(line, " -W {width} -H {height}");
        let mut flag = |name: &str, value: &str| {
            let _ = write!(line, " --{name}={}", quoted(Path::new(value)));
        };
        let triple = |point: glam::Vec3| format!("{},{},{}", point.x, point.y, point.z);
        match state.aim() {
            Aim::ViewBox(view_box) => {
                let [x, y] = view_box.center;
                flag("view-box", &format!("{x},{y},{}", view_box.height));
            }
            Aim::Camera(camera) => {
                flag("eye", &triple(camera.eye));
                flag("target", &triple(camera.target));
                flag("up", &triple(camera.up));
                match camera.projection {
                    Projection::Perspective { fov_y_radians } => flag("fov", &degrees(fov_y_radians).to_string()),
                    Projection::Orthographic { height } => flag("ortho-height", &height.to_string()),
                }
                let shading = state.shading();
                let asked = |given: bool, same: bool| given || !same;
                if asked(overrides.samples.is_some(), shading.samples == self.shading.samples) {
                    flag("samples", &shading.samples.to_string());
                }
                if asked(overrides.ao.is_some(), shading.ao_rays == self.shading.ao_rays) {
                    flag("ao", &shading.ao_rays.to_string());
                }
                if asked(overrides.shadows.is_some(), shading.shadows == self.shading.shadows) {
                    flag("shadows", &shading.shadows.to_string());
                }
            }
        }
        let texts = [
            ("color-by", &overrides.color_by),
            ("radius", &overrides.radius),
            ("x", &overrides.x),
            ("y", &overrides.y),
            ("r", &overrides.r),
            ("color", &overrides.color),
        ];
        for (name, text) in texts {
            text.iter().for_each(|text| flag(name, text));
        }
        let numbers = [
            ("ao-distance", overrides.ao_distance.map(|value| value.to_string())),
            ("ambient", overrides.ambient.map(|value| value.to_string())),
            ("seed", overrides.seed.map(|value| value.to_string())),
            ("assembly", overrides.assembly.map(|value| value.to_string())),
            ("frame", (self.frame > 0).then(|| self.frame.to_string())),
            ("background", overrides.background.map(hex)),
        ];
        for (name, number) in numbers {
            number.iter().for_each(|number| flag(name, number));
        }
        line
    }
}

fn hex(color: Srgba8) -> String {
    format!("#{:02x}{:02x}{:02x}{:02x}", color.r, color.g, color.b, color.a)
}

/// Degrees that become exactly these radians when they are read, as some do for any angle that was read from degrees.
fn degrees(radians: f32) -> f32 {
    let near = radians.to_degrees();
    // as somebody would write them, if that is exact
    for digits in 0..4 {
        let rounded: f32 = format!("{near:.digits$}").parse().expect("a number as it was written");
        if rounded.to_radians() == radians {
            return rounded;
        }
    }
    let (mut below, mut above) = (near, near);
    for _ in 0..8 {
        if let Some(found) = [below, above].into_iter().find(|degrees| degrees.to_radians() == radians) {
            return found;
        }
        (below, above) = (below.next_down(), above.next_up());
    }
    near
}

/// As a shell takes it for one word.
fn quoted(path: &Path) -> String {
    let text = path.to_string_lossy();
    let plain = |character: char| character.is_ascii_alphanumeric() || "-_./,:+=@%".contains(character);
    if !text.is_empty() && text.chars().all(plain) {
        text.into_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn degrees_read_back_to_the_same_radians() {
        for tenth in 1..1790_u16 {
            let radians = (f32::from(tenth) * 0.1).to_radians();
            assert_eq!(degrees(radians).to_radians(), radians, "{tenth}");
        }
        assert_eq!(degrees(30.0_f32.to_radians()), 30.0);
    }

    #[test]
    fn names_are_quoted_for_a_shell() {
        assert_eq!(quoted(Path::new("a/b-1.pdb")), "a/b-1.pdb");
        assert_eq!(quoted(Path::new("it's here")), r"'it'\''s here'");
        assert_eq!(quoted(Path::new("")), "''");
        assert_eq!(quoted(Path::new("#ff00ff")), "'#ff00ff'");
    }
}
