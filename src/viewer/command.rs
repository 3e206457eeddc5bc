//! The command line that draws a viewer's picture.

use std::fmt::Write as _;
use std::path::Path;

use super::camera::Viewpoint;
use super::picture::PictureSpec;
use crate::geom::Origin;
use crate::io::{LoadOption, LoadOptions, OptionGroup, OptionKind};
use crate::scene::degrees;
use crate::scene::spheres::{Camera, Projection, Shading};
use roundel_load::options::command_line::{pair_flags, quote, quote_path};

/// The parts of the command besides the viewpoint.
pub(super) struct RenderCommand<'a> {
    pub(super) input: &'a Path,
    pub(super) output: &'a Path,
    /// The flags of a film's motion, empty if all frames play; `None` for a picture.
    pub(super) film: Option<&'a str>,
    /// The flags that opened the file.
    pub(super) options: &'a LoadOptions,
    /// The frame of the file; the command leaves 0 out.
    pub(super) frame: u64,
    /// The shading of the scene as loaded; the command states the differences.
    pub(super) loaded_shading: &'a Shading,
    /// Whether the file scales the number of pixels, which the picture does not.
    pub(super) is_scaled: bool,
    pub(super) picture: &'a PictureSpec,
    /// What was subtracted from places of the data.
    pub(super) origin: Origin,
}

impl RenderCommand<'_> {
    /// Returns the command, quoted for a POSIX shell.
    pub(super) fn line(&self) -> String {
        let (width, height) = self.picture.size;
        let verb = if self.film.is_some() { "film" } else { "render" };
        let mut line = format!("roundel {verb} {} -o {}", quote_path(self.input), quote_path(self.output));
        if let Some(motion) = self.film.filter(|motion| !motion.is_empty()) {
            let _ = write!(line, " {motion}");
        }
        // writing into a string cannot fail
        let _ = write!(line, " -W {width} -H {height}");
        for (name, value) in self.flags() {
            let _ = write!(line, " --{}={}", name.replace('_', "-"), quote(&value));
        }
        line + &pair_flags(self.options)
    }

    fn flags(&self) -> impl Iterator<Item = (&'static str, String)> {
        self.viewpoint_flags().into_iter().chain(self.changed_flags()).chain(self.given_flags())
    }

    /// Returns the options that the command states.
    pub(super) fn options(&self) -> LoadOptions {
        let (width, height) = self.picture.size;
        let mut options = self.options.clone();
        for option in LoadOption::all().iter().filter(|option| option.kind() != OptionKind::Pair) {
            option.clear(&mut options);
        }
        (options.width, options.height) = (Some(width), Some(height));
        for (name, value) in self.flags() {
            let option = LoadOption::named(name).expect("flags are options");
            option.set(&mut options, &value).expect("flags are read back as they are spelled");
        }
        options
    }

    fn viewpoint_flags(&self) -> Vec<(&'static str, String)> {
        match &self.picture.viewpoint {
            Viewpoint::ViewBox(view_box) => {
                let [x, y] = view_box.center;
                vec![("view-box", format!("{x},{y},{}", view_box.height))]
            }
            Viewpoint::Camera(Camera { eye, target, up, projection, .. }) => {
                let triple = |[x, y, z]: [f64; 3]| format!("{x},{y},{z}");
                let [eye, target] = [eye, target].map(|point| triple(self.origin.added_short(point.to_array())));
                let up = format!("{},{},{}", up.x, up.y, up.z);
                let projection = match projection {
                    Projection::Perspective { fov_y_radians } => ("fov", degrees(*fov_y_radians).to_string()),
                    Projection::Orthographic { height } => ("ortho-height", height.to_string()),
                };
                vec![("eye", eye), ("target", target), ("up", up), projection]
            }
        }
    }

    /// Returns the flags for the parts of the shading and of the picture that the user may have changed since.
    fn changed_flags(&self) -> Vec<(&'static str, String)> {
        let (options, loaded, now) = (self.options, self.loaded_shading, &self.picture.shading);
        let is_other = now.look != loaded.look;
        let flags = [
            ("samples", now.samples.to_string(), options.samples.is_some() || now.samples != loaded.samples),
            (
                "ao",
                now.ambient_occlusion.to_string(),
                is_other || options.ao.is_some() || now.ambient_occlusion != loaded.ambient_occlusion,
            ),
            (
                "shadows",
                now.shadows.to_string(),
                is_other || options.shadows.is_some() || now.shadows != loaded.shadows,
            ),
            // another look has its own values
            ("look", now.look.to_string(), is_other),
            ("ao_distance", now.ao_distance.to_string(), is_other),
            ("ambient", now.ambient.to_string(), is_other),
        ];
        let is_solid = matches!(self.picture.viewpoint, Viewpoint::Camera(_));
        let flags = flags.into_iter().map(|(name, value, is_stated)| (name, value, is_solid && is_stated));
        let whole = [
            ("frame", self.frame.to_string(), self.frame > 0 && self.film.is_none_or(|motion| !motion.is_empty())),
            ("scale", "1".to_owned(), self.is_scaled),
        ];
        flags.chain(whole).filter(|(.., is_stated)| *is_stated).map(|(name, value, _)| (name, value)).collect()
    }

    /// Returns the flags that the caller gave and that still hold.
    fn given_flags(&self) -> Vec<(&'static str, String)> {
        let has_own_look = self.picture.shading.look == self.loaded_shading.look;
        let holds = |option: &&LoadOption| match (option.group, option.name) {
            (OptionGroup::Picture, name) => name == "background",
            (OptionGroup::Camera, name) => ["clip", "slab"].contains(&name),
            (OptionGroup::Shading, "samples" | "ao" | "shadows") => false,
            (OptionGroup::Shading, name) => has_own_look || name == "seed",
            (_, name) => !["frame", "scale", "figure_width"].contains(&name),
        };
        let given = LoadOption::all().iter().filter(holds).filter(|option| option.kind() != OptionKind::Pair);
        given.flat_map(|option| option.texts(self.options).into_iter().map(|value| (option.name, value))).collect()
    }
}
