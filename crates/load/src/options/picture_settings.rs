//! Size and quality of a picture, from the scene, the caller's options and the defaults.

use crate::error::{Error, Result};
use crate::geom::{Origin, Plane};
use crate::options::load_options::LoadOptions;
use crate::options::option_table::LoadOption;
use crate::scene::check_outline_color;
use crate::scene::circles::Layer;
use crate::scene::spheres::{AmbientOcclusion, Shading, Shapes, SphereGroup, SphereScene};

/// Pixels of a picture at most. A frame has fewer; larger pictures are written while they are drawn.
const MOST_PIXELS: u64 = 1 << 32;

/// Pixels of a side at most.
const LONGEST_SIDE: u32 = 1 << 30;

/// Samples a pixel at most.
pub(crate) const MOST_SAMPLES: u32 = 4096;

/// Ambient-occlusion rays a sample at most.
pub(crate) const MOST_AO_RAYS: u32 = 4096;

/// Which lengths are accepted: all that an `f32` holds.
pub(crate) const LENGTH_RULE: &str = "must be 0 to 3.4e38";

/// Default aspect ratio, width over height.
pub const ASPECT: f64 = 4.0 / 3.0;

/// Greatest aspect ratio of pictures that follow the shape of their content.
const LONGEST_ASPECT: f64 = 3.0;

/// Default of the picture's longer side, in pixels.
const LONG_SIDE: f64 = 1280.0;

/// The sides that a scene file gives.
pub(crate) type Sides = (Option<u32>, Option<u32>);

/// The checked size of the picture: the caller's, else the scene's, else from the content's aspect ratio.
///
/// Without any side the longer is 1280 pixels. One side alone keeps the shape.
pub fn size(options: &LoadOptions, scene: Sides, aspect: f64) -> Result<(u32, u32)> {
    checked_size(options, own_size(scene, aspect))
}

/// The size of a picture that follows the shape of its content, within limits.
pub fn size_filled(options: &LoadOptions, aspect: f64) -> Result<(u32, u32)> {
    let aspect = if aspect.is_nan() { ASPECT } else { aspect.clamp(1.0 / LONGEST_ASPECT, LONGEST_ASPECT) };
    size(options, (None, None), aspect)
}

/// Refuses sides that no picture can have, before its shape is known.
pub fn check_sides(options: &LoadOptions) -> Result<()> {
    let sides = (options.width, options.height);
    // the fewest pixels
    let aspect = if sides.1.is_some() { 1.0 / LONGEST_ASPECT } else { LONGEST_ASPECT };
    checked(options, own_size(sides, aspect)).map(drop)
}

/// The size where options name none.
pub(crate) fn own_size(scene: Sides, aspect: f64) -> (u32, u32) {
    given_size(scene, aspect).unwrap_or_else(|| {
        let short = LONG_SIDE * if aspect < 1.0 { aspect } else { 1.0 / aspect };
        // even, as films need it
        let sides = (rounded(LONG_SIDE), 2 * rounded(0.5 * short));
        if aspect < 1.0 { (sides.1, sides.0) } else { sides }
    })
}

/// The size if a side is given; one side alone keeps the aspect ratio. `None` without sides.
fn given_size(sides: Sides, aspect: f64) -> Option<(u32, u32)> {
    match sides {
        (Some(width), Some(height)) => Some((width, height)),
        (Some(width), None) => Some((width, rounded(f64::from(width) * (1.0 / aspect)))),
        (None, Some(height)) => Some((rounded(f64::from(height) * aspect), height)),
        (None, None) => None,
    }
}

/// The size that options name; one side alone keeps the shape.
pub(crate) fn overridden(options: &LoadOptions, (width, height): (u32, u32)) -> (u32, u32) {
    let aspect = f64::from(width) / f64::from(height);
    given_size((options.width, options.height), aspect).unwrap_or((width, height))
}

/// The nearest number of pixels, 1 at least.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "not negative, and `as` saturates")]
fn rounded(length: f64) -> u32 {
    ((length + 0.5) as u32).max(1)
}

/// The checked size that options name, for a picture of this size without them.
pub fn checked_size(options: &LoadOptions, own: (u32, u32)) -> Result<(u32, u32)> {
    checked(options, overridden(options, own))
}

/// A size, if a picture can have it.
pub(crate) fn checked(options: &LoadOptions, size: (u32, u32)) -> Result<(u32, u32)> {
    for (name, given) in [("width", options.width), ("height", options.height)] {
        if given == Some(0) {
            return Err(Error::setting(name, "must be 1 pixel or more, got 0"));
        }
    }
    if u64::from(size.0) * u64::from(size.1) > MOST_PIXELS {
        let message = format!("times height must be at most 2^32 pixels, got {}x{}", size.0, size.1);
        return Err(Error::setting("width", message));
    }
    for (name, side) in [("width", size.0), ("height", size.1)] {
        if side > LONGEST_SIDE {
            return Err(Error::setting(name, format!("must be at most 2^30 pixels, got {side}")));
        }
    }
    options.budget.check_picture("", size)?;
    Ok(size)
}

pub(crate) fn is_given(name: &str, options: &LoadOptions) -> bool {
    match name {
        "highlight" => !options.highlight.is_empty(),
        "opacity" => !options.opacity.is_empty(),
        "style" => !options.style.is_empty(),
        "gloss" => !options.gloss.is_empty(),
        name => LoadOption::named(name).is_some_and(|option| option.is_set(options)),
    }
}

/// Refuses the first of the named options that is given.
pub(crate) fn refuse_given(
    names: impl IntoIterator<Item = &'static str>,
    options: &LoadOptions,
    message: impl Fn() -> String,
) -> Result<()> {
    match names.into_iter().find(|name| is_given(name, options)) {
        Some(name) => Err(Error::setting(name, message())),
        None => Ok(()),
    }
}

/// Refuses the first option that is given.
pub(crate) fn refuse(given: &[(&'static str, bool)], message: impl Fn() -> String) -> Result<()> {
    match given.iter().find(|(_, given)| *given) {
        Some((name, _)) => Err(Error::setting(name, message())),
        None => Ok(()),
    }
}

/// An opacity from 0 to 1 as an alpha, or the rule that it breaks.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most 255")]
pub(crate) fn alpha(opacity: f32) -> Result<u8> {
    if !(0.0..=1.0).contains(&opacity) {
        return Err(Error::setting("opacity", format!("must be 0 to 1, got {opacity}")));
    }
    Ok((opacity * 255.0 + 0.5) as u8)
}

/// Gives all shapes of a scene the caller's opacity, if there is one for all.
pub fn set_opacity(options: &LoadOptions, groups: &mut [SphereGroup<'_>], shapes: &mut Shapes<'_>) -> Result<()> {
    if let Some((None, opacity)) = options.opacity.last() {
        let alpha = alpha(*opacity)?;
        groups.iter_mut().for_each(|group| group.spheres.set_alpha(alpha));
        shapes.set_alpha(alpha);
    }
    Ok(())
}

/// The same for the layers of a canvas.
pub(crate) fn set_opacity_of_layers(options: &LoadOptions, layers: &mut [Layer<'_>]) -> Result<()> {
    if let Some((None, opacity)) = options.opacity.last() {
        let alpha = alpha(*opacity)?;
        for layer in layers {
            match layer {
                Layer::Circles(circles) => circles.to_mut().iter_mut().for_each(|shape| shape.color.a = alpha),
                Layer::Ellipses(ellipses) => ellipses.to_mut().iter_mut().for_each(|shape| shape.color.a = alpha),
                Layer::Segments(segments) => segments.to_mut().iter_mut().for_each(|shape| shape.color.a = alpha),
            }
        }
    }
    Ok(())
}

/// Applies the caller's slab and clip planes to a scene.
pub(crate) fn cut<'a>(options: &LoadOptions, mut scene: SphereScene<'a>) -> Result<SphereScene<'a>> {
    if let Some(slab) = options.slab {
        if !is_slab(slab) {
            return Err(Error::setting("slab", format!("{SLAB_RULE}, got {},{}", slab[0], slab[1])));
        }
        scene.depth_range = Some(slab);
    }
    if !options.clip.is_empty() {
        let origin = Origin::at(scene.origin);
        scene.clip_planes = options.clip.iter().map(|plane| plane.relative_to(origin)).collect();
    }
    if let Some(thickness) = options.slab_thickness {
        if !(thickness > 0.0 && thickness.is_finite()) {
            let message = format!("must be {SLAB_SHARES}, or one positive thickness, got {thickness}");
            return Err(Error::setting("slab", message));
        }
        let camera = scene.view.camera;
        let toward_eye = (camera.eye - camera.target).normalize_or_zero();
        for normal in [toward_eye, -toward_eye] {
            scene.clip_planes.push(Plane::through(camera.target + 0.5 * thickness * normal, normal).into());
        }
    }
    Ok(scene)
}

/// Which shares of the depth bound a slab.
pub(crate) const SLAB_RULE: &str = "must be two numbers from 0 to 1, the lesser first";
const SLAB_SHARES: &str = "two numbers from 0 to 1, the lesser first";

/// Whether two shares of the depth bound a slab.
pub(crate) fn is_slab([near, far]: [f32; 2]) -> bool {
    0.0 <= near && near < far && far <= 1.0
}

/// The base shading, overridden by checked options.
pub fn shading(options: &LoadOptions, base: Shading) -> Result<Shading> {
    let refuse = |name, message| Err(Error::setting(name, message));
    if let Some(samples) = options.samples.filter(|samples| !(1..=MOST_SAMPLES).contains(samples)) {
        return refuse("samples", format!("must be 1 to {MOST_SAMPLES}, got {samples}"));
    }
    if let Some(rays) = options.ao.map(AmbientOcclusion::rays).filter(|&rays| rays > MOST_AO_RAYS) {
        return refuse("ao", format!("must be 0 to {MOST_AO_RAYS}, got {rays}"));
    }
    if let Some(distance) = options.ao_distance.filter(|distance| distance.is_nan() || *distance <= 0.0) {
        return refuse("ao_distance", format!("must be positive, got {distance}"));
    }
    if let Some(ambient) = options.ambient.filter(|ambient| !(0.0..=1.0).contains(ambient)) {
        return refuse("ambient", format!("must be 0 to 1, got {ambient}"));
    }
    options.outline_color.map_or(Ok(()), check_outline_color)?;
    options.shading.check()?;
    let mut shading = base.with_numbers(&options.shading);
    shading.samples = options.samples.unwrap_or(base.samples);
    shading.ambient_occlusion = options.ao.unwrap_or(base.ambient_occlusion);
    shading.ao_distance = options.ao_distance.unwrap_or(base.ao_distance);
    shading.shadows = options.shadows.unwrap_or(base.shadows);
    shading.ambient = options.ambient.unwrap_or(base.ambient);
    shading.transparency = options.transparency.unwrap_or(base.transparency);
    shading.seed = options.seed.unwrap_or(base.seed);
    shading.outline_color = options.outline_color.unwrap_or(base.outline_color);
    Ok(shading)
}
