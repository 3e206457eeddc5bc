//! Notes about options that change nothing because of others.

use super::options::LoadOptions;
use crate::scene::Scene;
use crate::scene::spheres::{AmbientOcclusion, Shading, ShadingPreset, SphereScene};

/// A sentence for each option that was given and changes no pixel of this scene.
pub(crate) fn notes(scene: &Scene<'_>, overrides: &LoadOptions) -> Vec<String> {
    let Scene::Spheres(scene) = scene else { return Vec::new() };
    let reasons = reasons(scene, overrides).into_iter();
    reasons.filter_map(|(option, reason)| reason.map(|reason| format!("{option} changes nothing: {reason}"))).collect()
}

/// The options that are given, and why each changes nothing, if it does not.
fn reasons(scene: &SphereScene<'_>, overrides: &LoadOptions) -> Vec<(&'static str, Option<String>)> {
    let Shading { look, ambient_occlusion, ambient, shadows, key, fill, fog, outline_width, .. } = scene.shading;
    let is_given = |name| overrides.shading.get(name).is_some();
    let has_own_lights = !scene.lights.is_empty();
    let lights = || has_own_lights.then(|| "lights of the scene take the place of those of a look".to_owned());
    let no_light = || {
        let is_dark = !has_own_lights && key <= 0.0;
        is_dark
            .then(|| format!("the look {look} has no light that casts shadows; --look studio and --key 0.4 have one"))
    };
    let no_ao = || match ambient_occlusion {
        AmbientOcclusion::Off | AmbientOcclusion::Rays(0) => {
            Some("there is no ambient occlusion; --ao smooth adds it".to_owned())
        }
        _ => (ambient <= 0.0).then(|| "there is no ambient light to take away".to_owned()),
    };
    let no_angle = || {
        let reason = "the angle across the key light shows in shadows, which --shadows casts";
        lights().or_else(no_light).or_else(|| (!shadows).then(|| reason.to_owned()))
    };
    let no_highlights = || {
        let is_dark = !has_own_lights && key <= 0.0 && fill <= 0.0 && look != ShadingPreset::Headlight;
        is_dark.then(|| {
            format!("the look {look} has no light that could be reflected; --look glossy and --key 0.4 have one")
        })
    };
    let no_gloss = || (!scene.is_glossy()).then(|| "highlights have no strength without --specular".to_owned());
    let no_fog = || (fog <= 0.0).then(|| "there is no fog without --fog".to_owned());
    let no_outlines = || {
        let has_none = outline_width.is_some_and(|width| width <= 0.0);
        has_none.then(|| format!("the look {look} has no outlines without --outline-width"))
    };
    let no_rays = || {
        let is_fixed = ambient_occlusion.rays() == 0;
        is_fixed.then(|| "nothing in this picture is random; --ao with a number of rays is".to_owned())
    };
    let is_dark = || (ambient <= 0.0).then(|| "there is no ambient light to take away".to_owned());
    let given = [
        ("--shadows", overrides.shadows == Some(true), no_light()),
        ("--key", is_given("key"), lights()),
        ("--fill", is_given("fill"), lights()),
        ("--key-angle", is_given("key_angle"), no_angle()),
        ("--specular", overrides.shading.get("specular").is_some_and(|number| number > 0.0), no_highlights()),
        ("--roughness", is_given("roughness"), no_gloss().or_else(no_highlights)),
        ("--ao", overrides.ao.is_some_and(AmbientOcclusion::is_on), is_dark()),
        ("--ao-distance", overrides.ao_distance.is_some(), no_ao()),
        ("--ao-strength", is_given("ao_strength"), no_ao()),
        ("--fog-start", is_given("fog_start"), no_fog()),
        ("--outline-depth", is_given("outline_depth"), no_outlines()),
        ("--outline-color", overrides.outline_color.is_some(), no_outlines()),
        ("--seed", overrides.seed.is_some(), no_rays()),
    ];
    given.into_iter().filter(|(_, is_given, _)| *is_given).map(|(option, _, reason)| (option, reason)).collect()
}
