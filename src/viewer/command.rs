//! The command line that draws a viewer's picture.

use std::fmt::Write as _;
use std::path::Path;

use super::camera::Viewpoint;
use super::picture::PictureSpec;
use crate::color::Srgba8;
use crate::io::Overrides;
use crate::scene::degrees;
use crate::scene::spheres::{Camera, Look, Projection, Shading};

/// The parts of the command besides the viewpoint.
pub(super) struct RenderCommand<'a> {
    pub(super) input: &'a Path,
    pub(super) output: &'a Path,
    /// The flags with which the file was opened.
    pub(super) overrides: &'a Overrides,
    /// The frame of the file; the command leaves 0 out.
    pub(super) frame: u64,
    /// The shading of the scene as loaded; the command states what differs from it.
    pub(super) loaded_shading: &'a Shading,
    /// Whether the file asks for more pixels than the picture has, or fewer.
    pub(super) is_scaled: bool,
    pub(super) picture: &'a PictureSpec,
}

impl RenderCommand<'_> {
    /// Returns the command, quoted for a POSIX shell.
    pub(super) fn line(&self) -> String {
        let (width, height) = self.picture.size;
        let mut line = format!("roundel render {} -o {}", quote_path(self.input), quote_path(self.output));
        // writing into a string cannot fail
        let _ = write!(line, " -W {width} -H {height}");
        let flags = self.viewpoint_flags().into_iter().chain(self.shading_flags()).chain(self.input_flags());
        let flags = flags.chain(self.figure_flags());
        for (name, value) in flags {
            let _ = write!(line, " --{name}={}", quote(&value));
        }
        for (rows, color) in &self.overrides.highlight {
            let _ = write!(line, " --highlight {} {}", quote(rows), quote(&hex(*color)));
        }
        for (rows, opacity) in &self.overrides.opacity {
            let _ = write!(line, " --opacity {} {opacity}", quote(rows.as_deref().unwrap_or("all")));
        }
        line
    }

    fn viewpoint_flags(&self) -> Vec<(&'static str, String)> {
        match &self.picture.viewpoint {
            Viewpoint::ViewBox(view_box) => {
                let [x, y] = view_box.center;
                vec![("view-box", format!("{x},{y},{}", view_box.height))]
            }
            Viewpoint::Camera(Camera { eye, target, up, projection }) => {
                let triple = |point: &glam::Vec3| format!("{},{},{}", point.x, point.y, point.z);
                let projection = match projection {
                    Projection::Perspective { fov_y_radians } => ("fov", degrees(*fov_y_radians).to_string()),
                    Projection::Orthographic { height } => ("ortho-height", height.to_string()),
                };
                vec![("eye", triple(eye)), ("target", triple(target)), ("up", triple(up)), projection]
            }
        }
    }

    /// Returns the flags that the caller gave, and those for what the user has changed since.
    fn shading_flags(&self) -> Vec<(&'static str, String)> {
        let (overrides, loaded, now) = (self.overrides, self.loaded_shading, &self.picture.shading);
        if let Viewpoint::ViewBox(_) = self.picture.viewpoint {
            return Vec::new();
        }
        let mut flags = Vec::new();
        if overrides.samples.is_some() || now.samples != loaded.samples {
            flags.push(("samples", now.samples.to_string()));
        }
        // another look has its own
        let is_other = now.look != loaded.look;
        if is_other || overrides.ao.is_some() || now.ambient_occlusion != loaded.ambient_occlusion {
            flags.push(("ao", now.ambient_occlusion.to_string()));
        }
        if is_other || overrides.shadows.is_some() || now.shadows != loaded.shadows {
            flags.push(("shadows", now.shadows.to_string()));
        }
        flags.extend(self.look_flags());
        flags
    }

    /// Returns the flags of the look: those that the caller gave, or the look that the user has switched to.
    fn look_flags(&self) -> Vec<(&'static str, String)> {
        let (overrides, loaded, now) = (self.overrides, self.loaded_shading, &self.picture.shading);
        if now.look == loaded.look {
            let numbers = overrides.look_numbers.entries().map(|(name, number, _)| (name, number));
            let given = numbers.into_iter().filter_map(|(name, number)| Some((name, number?.to_string())));
            let flags = given.map(|(name, number)| (flag_name(name), number));
            let look = overrides.look.map(Look::name).or(overrides.auto_look.then_some("auto"));
            let look = look.map(|name| ("look", name.to_owned()));
            let ambient = overrides.ambient.map(|ambient| ("ambient", ambient.to_string()));
            let distance = overrides.ao_distance.map(|distance| ("ao-distance", distance.to_string()));
            let color = overrides.outline_color.map(|color| ("outline-color", hex(color)));
            return look.into_iter().chain(flags).chain(ambient).chain(distance).chain(color).collect();
        }
        let (look, distance) = (now.look.to_string(), now.ao_distance.to_string());
        vec![("look", look), ("ao-distance", distance), ("ambient", now.ambient.to_string())]
    }

    fn input_flags(&self) -> Vec<(&'static str, String)> {
        let overrides = self.overrides;
        let planes = overrides.clip.iter().map(|plane| ("clip", plane.to_string()));
        let flags = [
            ("transparency", overrides.transparency.map(|model| model.to_string())),
            ("opacity-by", overrides.opacity_by.clone()),
            ("slab", overrides.slab.map(|[near, far]| format!("{near},{far}"))),
            ("color-by", overrides.color_by.clone()),
            ("palette", overrides.palette.clone()),
            ("colormap", overrides.colormap.clone()),
            ("color-range", overrides.color_range.map(|value| value.to_string())),
            ("color-scale", overrides.color_scale.map(|value| value.to_string())),
            ("only", overrides.only.clone()),
            ("hide", overrides.hide.clone()),
            ("radius", overrides.radius.clone()),
            ("x", overrides.x.clone()),
            ("y", overrides.y.clone()),
            ("r", overrides.r.clone()),
            ("color", overrides.color.clone()),
            ("seed", overrides.seed.map(|value| value.to_string())),
            ("assembly", overrides.assembly.map(|value| value.to_string())),
            ("format", overrides.format.map(|format| format.id().to_owned()).filter(|_| overrides.raw.is_none())),
            ("format", overrides.raw.as_ref().map(|raw| format!("raw:{raw}"))),
            ("frame", (self.frame > 0).then(|| self.frame.to_string())),
            ("wrap", overrides.wrap.map(|wrap| wrap.to_string())),
            ("replicate", overrides.replicate.map(|[a, b, c]| format!("{a},{b},{c}"))),
            ("background", overrides.background.map(hex)),
        ];
        planes.chain(flags.into_iter().filter_map(|(name, value)| Some((name, value?)))).collect()
    }

    /// Returns the flags for marks that the caller gave.
    fn figure_flags(&self) -> Vec<(&'static str, String)> {
        let figure = &self.overrides.figure;
        let flags = [
            ("title", figure.title.clone()),
            ("legend", figure.legend.map(|legend| legend.word().to_owned())),
            ("scale-bar", figure.scale_bar.map(|bar| bar.to_string())),
            ("axes", figure.axes.map(|axes| axes.to_string())),
            ("cell", figure.cell.map(|cell| cell.to_string())),
            ("trim", figure.trim.map(|margin| margin.to_string())),
            ("dpi", figure.dpi.map(|dpi| dpi.to_string())),
            ("scale", self.is_scaled.then(|| "1".to_owned())),
        ];
        flags.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
    }
}

/// Returns the flag of a number of a look.
fn flag_name(number: &'static str) -> &'static str {
    match number {
        "ao_strength" => "ao-strength",
        "key_angle" => "key-angle",
        "fog_start" => "fog-start",
        "outline_width" => "outline-width",
        "outline_depth" => "outline-depth",
        "cloud_radius" => "cloud-radius",
        name => name,
    }
}

fn hex(color: Srgba8) -> String {
    format!("#{:02x}{:02x}{:02x}{:02x}", color.r, color.g, color.b, color.a)
}

fn quote_path(path: &Path) -> String {
    quote(&path.to_string_lossy())
}

/// Quotes a text where a POSIX shell would not take it for a single word.
fn quote(text: &str) -> String {
    let is_plain = |character: char| character.is_ascii_alphanumeric() || "-_./,:+=@%".contains(character);
    if !text.is_empty() && text.chars().all(is_plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_for_a_shell() {
        assert_eq!(quote("a/b-1.pdb"), "a/b-1.pdb");
        assert_eq!(quote("it's here"), r"'it'\''s here'");
        assert_eq!(quote(""), "''");
        assert_eq!(quote("#ff00ff"), "'#ff00ff'");
    }
}
