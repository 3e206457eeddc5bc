//! Notes about options that change nothing because of others.

use std::cell::OnceCell;

use crate::color::ColorKey;
use crate::figure::{Figure, LegendPart};
use crate::options::load_options::LoadOptions;
use crate::options::option_table::LoadOption;
use crate::options::picture_settings::is_given;
use crate::options::visible_share::depths_in_picture;
use crate::scene::NUMBERS;
use crate::scene::circles::Layer;
use crate::scene::spheres::{AmbientOcclusion, ClipPlane, Shading, ShadingPreset, SphereGroup, SphereScene};
use crate::scene::{
    Opacity, PlacedShapes, Rays, Scene, SphereExtents, SphereInstances, extent, has_cloud, is_cloud, sphere_extents,
};

/// A key of a scene file that sets the same as an option, or a light.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct GivenKey {
    /// The name of the option, [`LIGHT`] or [`LIGHT_ANGLE`].
    pub(crate) name: String,
    pub(crate) place: String,
}

/// The name of a table `[[light]]`, for which there is no option.
pub(crate) const LIGHT: &str = "light";

/// The name of the key `angle` of a light, for which there is no option.
pub(crate) const LIGHT_ANGLE: &str = "light_angle";

/// `--gloss` of selections, which is no option of one value.
const GLOSS: &str = "gloss";

/// A picture before it is drawn.
struct DrawnPicture<'a> {
    scene: &'a Scene<'a>,
    figure: &'a Figure,
    /// A bit mask of the clip planes that cut spheres, if another pass has found it: a stream keeps only visible
    /// spheres.
    cutting: Option<u64>,
    /// Whether all spheres are lit as one cloud: found by a pass over all of them, once an option asks.
    is_cloud: OnceCell<bool>,
}

/// Why an option changes nothing; `None` if it does.
type IdleReason = fn(&DrawnPicture<'_>) -> Option<String>;

/// An option that depends on others.
struct IdleRule {
    name: &'static str,
    /// Whether its value asks for something: a light without shadows never misses them.
    asks: fn(&DrawnPicture<'_>) -> bool,
    /// The first one that holds is given.
    reasons: &'static [IdleReason],
}

const fn rule(name: &'static str, reasons: &'static [IdleReason]) -> IdleRule {
    IdleRule { name, asks: |_| true, reasons }
}

/// All other options change something wherever they are not refused; `tests/data/idle_options.rs` tries them.
const RULES: [IdleRule; 33] = [
    rule("ellipsoid_rings", &[no_ellipsoids]),
    IdleRule { asks: has_shadows_or_takes_them, ..rule("shadows", &[no_light_to_shadow, lit_as_cloud]) },
    rule(LIGHT, &[lit_as_cloud]),
    rule("ambient", &[lit_as_cloud]),
    rule("key", &[own_lights, full_ambient, lit_as_cloud]),
    rule("fill", &[own_lights, full_ambient, lit_as_cloud]),
    rule("rim", &[full_ambient, lit_as_cloud]),
    rule("key_angle", &[own_lights, no_light, no_shadows, lit_as_cloud]),
    rule(LIGHT_ANGLE, &[no_shadows, lit_as_cloud]),
    IdleRule {
        asks: |of| of.shading().is_some_and(|of| of.specular > 0.0),
        ..rule("specular", &[no_highlights, lit_as_cloud])
    },
    rule(GLOSS, &[no_highlights, lit_as_cloud]),
    rule("roughness", &[no_gloss, no_highlights, lit_as_cloud]),
    rule("ao", &[no_light_to_occlude, lit_as_cloud]),
    rule("ao_distance", &[no_occlusion, lit_as_cloud]),
    rule("ao_strength", &[no_occlusion_to_strengthen, lit_as_cloud]),
    IdleRule { asks: |of| of.shading().is_some_and(|of| of.fog > 0.0), ..rule("fog", &[begins_behind]) },
    rule("fog_start", &[no_fog]),
    rule("cloud_radius", &[none_small]),
    rule("outline_depth", &[no_outlines, has_outer_lines]),
    rule("outline_color", &[no_outlines]),
    rule("transparency", &[no_translucency]),
    rule("seed", &[nothing_random, lit_as_cloud]),
    IdleRule { asks: |of| of.figure.counts, ..rule("legend", &[nothing_counted]) },
    rule("legend_order", &[no_legend, no_categories]),
    rule("legend_categories", &[no_legend, no_categories]),
    rule("legend_title", &[no_legend]),
    rule("legend_unit", &[no_legend]),
    rule("legend_name", &[no_legend]),
    rule("draw_order", &[circles_alike]),
    rule("x_label", &[no_axes]),
    rule("y_label", &[no_axes]),
    rule("font_size", &[no_marks]),
    rule("ink", &[no_marks]),
];

/// A sentence for each option that was given and changes no pixel.
pub fn notes(scene: &Scene<'_>, figure: &Figure, options: &LoadOptions) -> Vec<String> {
    DrawnPicture { scene, figure, cutting: None, is_cloud: OnceCell::new() }.notes_of_options(options)
}

/// The same for the visible part of a stream; `cutting` is a bit mask of the planes that cut its spheres.
pub fn notes_of_stream(visible: &SphereScene<'_>, figure: &Figure, options: &LoadOptions, cutting: u64) -> Vec<String> {
    let scene = &Scene::Spheres(visible.borrowed(visible.view));
    DrawnPicture { scene, figure, cutting: Some(cutting), is_cloud: OnceCell::new() }.notes_of_options(options)
}

/// The same for keys of a scene file that no option overrides and that differ from the look.
pub(crate) fn notes_of_keys(
    scene: &Scene<'_>,
    figure: &Figure,
    options: &LoadOptions,
    keys: &[GivenKey],
) -> Vec<String> {
    let picture = DrawnPicture { scene, figure, cutting: None, is_cloud: OnceCell::new() };
    let places = |name: &str| {
        if picture.is_usual(name) {
            return Vec::new();
        }
        keys.iter().filter(|key| key.name == name && !is_given(name, options)).map(|key| key.place.clone()).collect()
    };
    picture.notes(places)
}

impl DrawnPicture<'_> {
    /// A note for each option that changes nothing.
    fn notes_of_options(&self, options: &LoadOptions) -> Vec<String> {
        let is_shuffled = options.draw_order.as_deref() == Some("random");
        let flag = |name: &str| {
            if name == "seed" && is_shuffled {
                return Vec::new();
            }
            let words = if name == "legend" { "legend=counts" } else { name };
            if is_given(name, options) { vec![format!("--{}", words.replace('_', "-"))] } else { Vec::new() }
        };
        let mut notes = self.notes(flag);
        notes.extend(self.notes_of_planes(options));
        notes.extend(self.note_of_slab(options));
        notes.extend(self.spheres().filter(|_| is_given("fog", options)).and_then(note_of_fog));
        notes
    }

    /// A note for each place where an idle option is given.
    fn notes(&self, places: impl Fn(&str) -> Vec<String>) -> Vec<String> {
        let mut notes = Vec::new();
        for IdleRule { name, asks, reasons } in RULES {
            let places = places(name);
            if places.is_empty() || !asks(self) {
                continue;
            }
            if let Some(reason) = reasons.iter().find_map(|reason| reason(self)) {
                notes.extend(places.into_iter().map(|place| format!("{place} changes nothing: {reason}")));
            }
        }
        notes
    }

    /// A note for each plane that leaves all shapes on its side.
    fn notes_of_planes(&self, options: &LoadOptions) -> Vec<String> {
        let Some(scene) = self.spheres().filter(|_| !options.clip.is_empty()) else { return Vec::new() };
        let shapes = scene.framed();
        let texts = LoadOption::named("clip").map(|option| option.texts(options)).unwrap_or_default();
        // the scene's planes are relative to its origin; the caller's come first
        let planes = (0..).zip(&scene.clip_planes);
        let idle = planes.zip(texts).filter(|((index, plane), _)| self.cuts_nothing(*index, plane, &shapes));
        idle.map(|(_, text)| format!("--clip '{text}' changes nothing: all spheres lie on that side")).collect()
    }

    /// A note about a slab that all shapes lie in.
    fn note_of_slab(&self, options: &LoadOptions) -> Option<String> {
        let scene = self.spheres()?;
        if options.slab == Some([0.0, 1.0]) {
            return Some("--slab 0,1 changes nothing: it is all of the depth".to_owned());
        }
        let thickness = options.slab_thickness?;
        let shapes = scene.framed();
        // its two planes were added last
        let others = scene.clip_planes.len().checked_sub(2)?;
        let mut of_slab = (0..).zip(&scene.clip_planes).skip(others);
        of_slab
            .all(|(index, plane)| self.cuts_nothing(index, plane, &shapes))
            .then(|| format!("--slab {thickness} changes nothing: all spheres lie between its planes"))
    }

    /// Whether all shapes lie on the side of a plane that is kept.
    fn cuts_nothing(&self, index: u32, plane: &ClipPlane, shapes: &[SphereGroup<'_>]) -> bool {
        if let Some(cutting) = self.cutting {
            return cutting.checked_shr(index).is_some_and(|bits| bits & 1 == 0);
        }
        let [reach] = extent(shapes, [plane.boundary.normal.as_dvec3()]);
        reach.is_finite() && reach < f64::from(plane.boundary.offset)
    }

    /// The scene, if it has spheres. Options for spheres alone are refused elsewhere.
    fn spheres(&self) -> Option<&SphereScene<'_>> {
        if let Scene::Spheres(scene) = self.scene { Some(scene) } else { None }
    }

    fn shading(&self) -> Option<&Shading> {
        self.spheres().map(|scene| &scene.shading)
    }

    /// Whether a number of the shading equals the number of its look, as in scenes that this program writes.
    fn is_usual(&self, name: &str) -> bool {
        let Some(scene) = self.spheres() else { return false };
        let (shading, usual) = (&scene.shading, &Shading::preset(scene.shading.look));
        match name {
            "seed" => shading.seed == usual.seed,
            "transparency" => shading.transparency == usual.transparency,
            _ => NUMBERS.iter().any(|known| known.name == name && (known.get)(shading) == (known.get)(usual)),
        }
    }

    /// Whether all spheres are lit as one cloud, from the depths of the picture.
    fn is_all_cloud(&self) -> Option<bool> {
        let scene = self.spheres()?;
        // most pictures have no such spheres, and need no pass over all of them
        if scene.shading.splat_radius <= 0.0 || !scene.shapes.is_empty() {
            return Some(false);
        }
        Some(*self.is_cloud.get_or_init(|| is_cloud(&cut_extents(scene), &scene.shading, &scene.view)))
    }
}

/// The extents of the spheres that planes leave; a stream knows them.
fn cut_extents(scene: &SphereScene<'_>) -> SphereExtents {
    let own = scene.extents.as_deref().copied();
    own.unwrap_or_else(|| sphere_extents(&scene.cut().groups, &Rays::new(&scene.view)))
}

/// Whether the picture has shadows, or would have without the option.
fn has_shadows_or_takes_them(of: &DrawnPicture<'_>) -> bool {
    of.shading().is_some_and(|shading| shading.shadows || Shading::preset(shading.look).shadows)
}

fn lit_as_cloud(of: &DrawnPicture<'_>) -> Option<String> {
    let reason = "spheres as small as pixels are lit together, by their depths; larger ones, --zoom or \
                  --cloud-radius 0 have light of their own";
    of.is_all_cloud()?.then(|| reason.to_owned())
}

fn has_outer_lines(of: &DrawnPicture<'_>) -> Option<String> {
    let reason = "spheres as small as pixels have lines against the background alone";
    of.is_all_cloud()?.then(|| reason.to_owned())
}

fn own_lights(of: &DrawnPicture<'_>) -> Option<String> {
    let has_own = !of.spheres()?.lights.is_empty();
    has_own.then(|| "lights of the scene take the place of those of a look".to_owned())
}

fn no_light(of: &DrawnPicture<'_>) -> Option<String> {
    let scene = of.spheres()?;
    let Shading { look, key, .. } = scene.shading;
    (scene.lights.is_empty() && key <= 0.0)
        .then(|| format!("the look {look} has no light that casts shadows; --look studio and --key 0.4 have one"))
}

fn no_light_to_shadow(of: &DrawnPicture<'_>) -> Option<String> {
    if of.shading()?.shadows { no_light(of) } else { None }
}

fn no_highlights(of: &DrawnPicture<'_>) -> Option<String> {
    let scene = of.spheres()?;
    let Shading { look, key, fill, .. } = scene.shading;
    let is_dark = scene.lights.is_empty() && key <= 0.0 && fill <= 0.0 && look != ShadingPreset::Headlight;
    is_dark
        .then(|| format!("the look {look} has no light that could be reflected; --look glossy and --key 0.4 have one"))
}

fn no_gloss(of: &DrawnPicture<'_>) -> Option<String> {
    (!of.spheres()?.is_glossy()).then(|| "highlights have no strength without --specular".to_owned())
}

fn full_ambient(of: &DrawnPicture<'_>) -> Option<String> {
    let Shading { ambient, ambient_occlusion, .. } = *of.shading()?;
    let is_full = ambient >= 1.0 && !ambient_occlusion.is_on();
    is_full.then(|| "ambient light alone is as bright as can be; --ambient 0.5 leaves room for other light".to_owned())
}

fn no_shadows(of: &DrawnPicture<'_>) -> Option<String> {
    let reason = "the angle across a light shows in shadows, which --shadows casts";
    (!of.shading()?.shadows).then(|| reason.to_owned())
}

fn no_ambient(of: &DrawnPicture<'_>) -> Option<String> {
    (of.shading()?.ambient <= 0.0).then(|| "there is no ambient light to take away".to_owned())
}

fn no_occlusion(of: &DrawnPicture<'_>) -> Option<String> {
    match of.shading()?.ambient_occlusion {
        AmbientOcclusion::Off | AmbientOcclusion::Rays(0) => {
            Some("there is no ambient occlusion; --ao smooth adds it".to_owned())
        }
        _ if of.shading()?.ao_strength <= 0.0 => Some("--ao-strength 0 lets occlusion take no light away".to_owned()),
        _ => no_ambient(of),
    }
}

fn nothing_counted(of: &DrawnPicture<'_>) -> Option<String> {
    let is_counted =
        |key: &LegendPart| matches!(key, LegendPart::Colors(ColorKey::Numbers { counts, .. }) if !counts.is_empty());
    if of.figure.legend.iter().any(is_counted) { None } else { no_categories(of) }
}

fn no_categories(of: &DrawnPicture<'_>) -> Option<String> {
    let has_some = of.figure.legend.iter().any(|key| matches!(key, LegendPart::Colors(ColorKey::Categories { .. })));
    (!has_some).then(|| "the legend has no categories".to_owned())
}

fn no_outlines(of: &DrawnPicture<'_>) -> Option<String> {
    let Shading { look, outline_width, .. } = *of.shading()?;
    let has_none = outline_width.is_some_and(|width| width <= 0.0);
    has_none.then(|| format!("the look {look} has no outlines without --outline-width"))
}

fn no_translucency(of: &DrawnPicture<'_>) -> Option<String> {
    let scene = of.spheres()?;
    let has_shape = PlacedShapes::new(&scene.shapes, [0.0; 3], 0).only(Opacity::Translucent).has_any();
    let [least, _] = SphereInstances::new(&scene.groups, [0.0; 3]).alphas();
    let reason = "nothing in the picture is translucent; --opacity makes things so";
    (least == u8::MAX && !has_shape).then(|| reason.to_owned())
}

fn no_ellipsoids(of: &DrawnPicture<'_>) -> Option<String> {
    let mut ellipsoids = of.spheres()?.shapes.ellipsoids.iter().flat_map(|group| group.shapes.iter());
    let has_rings = ellipsoids.any(|ellipsoid| ellipsoid.color.a == u8::MAX);
    (!has_rings).then(|| "there are no opaque ellipsoids; --ellipsoids 0.5 draws those of atoms".to_owned())
}

fn nothing_random(of: &DrawnPicture<'_>) -> Option<String> {
    let Some(shading) = of.shading() else {
        return Some("nothing in this picture is random; --draw-order random is".to_owned());
    };
    let is_fixed = shading.ambient_occlusion.rays() == 0;
    is_fixed.then(|| "nothing in this picture is random; --ao with a number of rays is".to_owned())
}

fn circles_alike(of: &DrawnPicture<'_>) -> Option<String> {
    let Scene::Circles(scene) = of.scene else { return None };
    let [Layer::Circles(circles)] = &scene.layers[..] else { return None };
    let first = circles.first()?.color;
    let are_alike = first.a == u8::MAX && circles.iter().all(|circle| circle.color == first);
    are_alike.then(|| "all circles have one opaque colour; --color-by tells them apart".to_owned())
}

fn no_marks(of: &DrawnPicture<'_>) -> Option<String> {
    of.figure.is_empty().then(|| "there is no text and no line beside the picture".to_owned())
}

fn no_axes(of: &DrawnPicture<'_>) -> Option<String> {
    of.figure.plane.is_none().then(|| "there are no axes; --axes draws them".to_owned())
}

fn no_legend(of: &DrawnPicture<'_>) -> Option<String> {
    of.figure.legend.is_empty().then(|| "there is no legend; --legend draws one".to_owned())
}

fn no_light_to_occlude(of: &DrawnPicture<'_>) -> Option<String> {
    if of.shading()?.ambient_occlusion.is_on() { no_ambient(of) } else { None }
}

fn no_occlusion_to_strengthen(of: &DrawnPicture<'_>) -> Option<String> {
    if of.shading()?.ao_strength > 0.0 { no_occlusion(of) } else { None }
}

fn begins_behind(of: &DrawnPicture<'_>) -> Option<String> {
    let scene = of.spheres()?;
    let start = scene.shading.fog_start;
    let reason = |share: f32| format!("what shows lies in front of where it begins; --fog-start {share} begins sooner");
    if start >= 1.0 {
        return Some(reason(0.5));
    }
    let [begin, _] = fog_depths(scene)?;
    let [_, shown] = depths_in_picture(scene)?;
    (shown <= begin).then(|| reason(0.0))
}

/// The depths at which fog begins and at which it is full.
fn fog_depths(scene: &SphereScene<'_>) -> Option<[f64; 2]> {
    let rays = Rays::new(&scene.view);
    // a stream keeps the depths of all spheres, but only the visible spheres
    let own = scene.extents.as_deref().copied();
    let [near, far] = own.unwrap_or_else(|| scene.kept_extents(&rays)).depths(&rays)?;
    Some([near + (far - near) * f64::from(scene.shading.fog_start.clamp(0.0, 1.0)), far])
}

/// Notes fog that leaves hardly anything to see.
fn note_of_fog(scene: &SphereScene<'_>) -> Option<String> {
    /// Least opacity of fog in front of everything visible that is noted.
    const HIDDEN: f64 = 0.95;
    let fog = f64::from(scene.shading.fog);
    if fog < HIDDEN {
        return None;
    }
    let ([begin, full], [nearest, _]) = (fog_depths(scene)?, depths_in_picture(scene)?);
    let hidden = fog * ((nearest - begin) / (full - begin)).clamp(0.0, 1.0);
    (hidden >= HIDDEN).then(|| {
        let share = 100.0 * hidden;
        format!("fog hides {share:.0} % or more of all that shows; --fog-start begins it farther away, --fog 0.5 makes it thinner")
    })
}

/// No sphere is small enough to be lit as a cloud, by this radius or the look's.
fn none_small(of: &DrawnPicture<'_>) -> Option<String> {
    let scene = of.spheres()?;
    let with_splat_radius = |radius: f32| {
        let mut shading = scene.shading;
        shading.splat_radius = radius;
        shading
    };
    let usual = Shading::preset(scene.shading.look).splat_radius;
    let most = with_splat_radius(scene.shading.splat_radius.max(usual));
    let extents = cut_extents(scene);
    if !has_cloud(&extents, &most, &scene.view) {
        return Some("no sphere is so small on the picture".to_owned());
    }
    let [_, most] = SphereInstances::new(&scene.groups, [0.0; 3]).alphas();
    let is_same =
        is_cloud(&extents, &scene.shading, &scene.view) == is_cloud(&extents, &with_splat_radius(usual), &scene.view);
    (most < u8::MAX && is_same).then(|| "translucent spheres have light of their own".to_owned())
}

fn no_fog(of: &DrawnPicture<'_>) -> Option<String> {
    (of.shading()?.fog <= 0.0).then(|| "there is no fog without --fog".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_options() {
        for IdleRule { name, .. } in RULES.iter().filter(|rule| ![LIGHT, LIGHT_ANGLE, GLOSS].contains(&rule.name)) {
            assert!(LoadOption::named(name).is_some(), "{name}");
        }
    }
}
