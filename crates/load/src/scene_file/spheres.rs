//! Turns the spheres of a scene file into groups in front of a camera.

use crate::color::Srgba8;
use crate::error::Result;
use crate::geom::Origin;
use crate::options::camera::{CameraRequest, Stance};
use crate::options::camera_keys::{CameraKey, CameraKeys};
use crate::options::figure::FigureFacts;
use crate::options::load_options::LoadOptions;
use crate::options::picture_settings;
use crate::pictures::bare_data;
use crate::pictures::bare_data::BareShapes;
use crate::pictures::own_camera::OwnCamera;
use crate::scene::generate;
use crate::scene::spheres::{
    Anchor, Background, DirectionalLight, Gloss, Light, PaintedSphere, Pose, Shading, ShadingPreset, SphereGroup,
    SphereScene, StandardView, UpAxis, View,
};
use crate::scene::{Scene, framed};
use crate::scene_file::builder::{Builder, COLOR};
use crate::scene_file::columns::alpha;
use crate::scene_file::decode::Located;
use crate::scene_file::names::{Name, SceneLook};
use crate::scene_file::tables::SolidTable;
use crate::scene_file::text::{CameraKeyText, CameraText, LightText, RenderText, SceneText, SphereText};
use crate::scene_file::values::{BackgroundText, Number, Numbers, WholeNumber};

impl Builder<'_> {
    pub(crate) fn spheres(&mut self, mut scene: SceneText) -> Result<Scene<'static>> {
        let camera = scene.camera.take();
        let (place, camera) = camera.map_or_else(Default::default, |camera| (camera.offset, camera.value));
        let render = scene.render.take().map(|text| text.value).unwrap_or_default();
        let mut stated = options(&camera, &render);
        // a still picture shows the start of the film
        let keys = self.checked_camera_keys(&camera)?;
        keys.state(0.0, &mut stated);
        if keys.0.iter().any(|key| key.eye.is_some()) {
            stated.view = None;
        }
        let size = self.size("camera", place, stated.width, stated.height)?;
        self.check_camera(&camera)?;
        let shading = picture_settings::shading(self.options, shading(&stated, self.options.look)?)?;
        self.hold_single_shapes(scene.sphere.len(), scene.sphere.last())?;
        let tables = SolidTable::take(&mut scene);
        self.spheres.origin = self.options.origin.map(Origin::at).or_else(|| origin_of_single(&scene));
        let (mut groups, single) = self.groups(&scene.sphere, tables)?;
        let idle = [
            ("frame", self.options.frame.is_some() && !self.frames.takes_frame),
            ("smooth", self.options.smooth.is_some() && !self.frames.takes_smooth),
        ];
        let file = self.file.clone();
        picture_settings::refuse(&idle, || format!("is for trajectories; no file of {file} leaves it open"))?;
        if let (Some(frame), false) = (self.options.frame, self.frames.has_frame) {
            self.notes.push(format!("--frame {frame} changes nothing: the files of {file} have one frame each"));
        }
        for text in &scene.generate {
            let (kind, count, seed) = self.recipe(text.offset, &text.value, size_of::<PaintedSphere>())?;
            let made = SphereGroup::from(generate::spheres(kind, count, seed));
            // patterns are around 0
            let moved = Pose::from_translation((-self.origin().point()).as_vec3());
            let made = if self.origin().is_zero() { made } else { SphereGroup { poses: vec![moved].into(), ..made } };
            self.hold_spheres(std::slice::from_ref(&made));
            groups.push(made);
        }
        let own = self.shapes(&scene)?;
        let mut shapes = std::mem::take(&mut self.spheres.shapes);
        // single shapes are a part of their own, with the first single spheres
        shapes.append(own, single.unwrap_or(groups.len()));
        picture_settings::set_opacity(self.options, &mut groups, &mut shapes)?;
        if self.is_auto {
            return self.auto_scene(
                stated,
                camera.background,
                BareShapes { groups, shapes, origin: self.origin() },
                scene.light,
            );
        }
        let up_axis = self.spheres.stance.map_or(UpAxis::Y, |stance| stance.up);
        let origin = self.origin();
        let request = CameraRequest { origin, up_axis, is_tall: size.1 > size.0, ..CameraRequest::default() };
        let request = request.overridden(&stated)?;
        let is_cut = self.options.slab_thickness.is_some();
        self.camera = (!is_cut).then_some(OwnCamera { request, frames_cell: false });
        let request = request.overridden(self.options)?;
        let camera_of = request.camera(&framed(&groups, &shapes), size);
        let background = match (self.options.background.or(stated.background), camera.background) {
            (None, Some(BackgroundText::Gradient { bottom, top })) => Background::Gradient { bottom, top },
            (color, _) => Background::Solid(color.unwrap_or(Srgba8::WHITE)),
        };
        let camera = camera_of.map_err(|rule| self.refuse(place, format!("camera: {rule}")))?;
        let lights = scene.light.into_iter().map(|text| light(&text.value));
        let view = View::new(camera, size.0, size.1).with_background(background);
        let mut scene = SphereScene::from(view).with_groups(groups).with_lights(lights).with_shading(shading);
        (scene.origin, scene.shapes) = (origin.point().to_array(), shapes);
        let scene = picture_settings::cut(&stated, scene)?;
        Ok(Scene::Spheres(picture_settings::cut(self.options, scene)?))
    }

    fn check_camera(&self, camera: &CameraText) -> Result<()> {
        if let (Some(fov), Some(_)) = (&camera.fov, camera.ortho_height) {
            return Err(self.refuse(fov.offset, "camera must have fov or ortho_height, not both"));
        }
        if let (Some(view), Some(_)) = (&camera.view, camera.eye) {
            return Err(self.refuse(view.offset, "camera must have eye or view, not both"));
        }
        let Some(Located { offset, value }) = &camera.slab else { return Ok(()) };
        if picture_settings::is_slab(value.f32()) {
            return Ok(());
        }
        let [near, far] = value.f32();
        Err(self.refuse(*offset, format!("camera.slab {}, got [{near}, {far}]", picture_settings::SLAB_RULE)))
    }

    /// The default picture of the data, overridden by the options of the scene file and of the caller.
    fn auto_scene(
        &mut self,
        mut stated: LoadOptions,
        background: Option<BackgroundText>,
        bare: BareShapes<'static>,
        lights: Vec<Located<LightText>>,
    ) -> Result<Scene<'static>> {
        let given = self.options;
        let of_scene = stated.clone();
        if given.eye.is_some() || given.view.is_some() {
            (stated.eye, stated.view) = (None, None);
        }
        if given.view.is_some() {
            (stated.target, stated.up) = (None, None);
        }
        if given.fov.is_some() || given.ortho_height.is_some() {
            (stated.fov, stated.ortho_height) = (None, None);
        }
        let options = given.over(&stated);
        self.figure.options.cell = self.figure.options.cell.or(Some(self.spheres.fill_cell));
        let facts = FigureFacts { is_solid: true, ..std::mem::take(&mut self.figure.facts) };
        let figure = self.figure.options.without_legend().figure(&self.file, &facts)?;
        self.figure.facts = facts;
        let stance = self.spheres.stance.unwrap_or(Stance {
            view: StandardView::Broadside,
            up: UpAxis::Y,
            focus: None,
            along: None,
        });
        if let Some(own) = bare_data::own_camera(&stance, bare.origin, &figure, &options) {
            self.camera = Some(OwnCamera { request: own.request.overridden(&of_scene)?, ..own });
        }
        let mut scene = bare_data::spheres(&self.file, bare, self.spheres.kind, stance, &figure, &options)?;
        if let (Some(BackgroundText::Gradient { bottom, top }), None) = (background, given.background) {
            scene.view.background = Background::Gradient { bottom, top };
        }
        scene.lights = lights.into_iter().map(|text| light(&text.value)).collect();
        Ok(Scene::Spheres(scene))
    }

    fn checked_camera_keys(&self, camera: &CameraText) -> Result<CameraKeys> {
        for pair in camera.key.windows(2) {
            let [before, time] = [0, 1].map(|index| pair[index].value.time.f64());
            if time <= before {
                let rule = format!("camera.key.time must be later than that of the key before, {before}, got {time}");
                return Err(self.refuse(pair[1].offset, rule));
            }
        }
        let has_fov = camera.fov.is_some() || camera.key.iter().any(|key| key.value.fov.is_some());
        let has_height = camera.ortho_height.is_some() || camera.key.iter().any(|key| key.value.ortho_height.is_some());
        let zooming = camera.key.iter().find(|key| key.value.ortho_height.is_some() || key.value.fov.is_some());
        if let (true, true, Some(key)) = (has_fov, has_height, zooming) {
            return Err(self.refuse(key.offset, "camera must have fov or ortho_height, not both"));
        }
        Ok(camera_keys(camera))
    }

    /// Groups of single spheres and of files, in the order of the scene file.
    fn groups(
        &mut self,
        single: &[Located<SphereText>],
        mut files: Vec<SolidTable>,
    ) -> Result<(Vec<SphereGroup<'static>>, Option<usize>)> {
        let is_drawn = |text: &&Located<SphereText>| text.value.radius.f32() > 0.0;
        self.note_empty(single.len() - single.iter().filter(is_drawn).count(), "sphere", "radius");
        let mut groups: Vec<SphereGroup<'static>> = Vec::new();
        // runs of single spheres, and the places of their groups: a file may still decide the origin
        let mut runs: Vec<(usize, Vec<&SphereText>)> = Vec::new();
        let mut single = single.iter().filter(is_drawn).peekable();
        let mut run_before = |offset: usize, groups: &mut Vec<SphereGroup<'static>>| {
            let run: Vec<_> =
                std::iter::from_fn(|| single.next_if(|text| text.offset < offset)).map(|text| &text.value).collect();
            if !run.is_empty() {
                runs.push((groups.len(), run));
                groups.push(Vec::new().into());
            }
        };
        files.sort_by_key(|table| table.offset);
        for table in &files {
            run_before(table.offset, &mut groups);
            let first = groups.len();
            groups.extend(self.solid_table(table, first)?);
        }
        run_before(usize::MAX, &mut groups);
        let (origin, first) = (self.origin(), runs.first().map(|(place, _)| *place));
        for (place, run) in runs {
            let gloss = own_gloss(run.iter().map(|text| text.gloss.map(Gloss::from)).collect());
            let spheres: Vec<PaintedSphere> = run.into_iter().map(|text| sphere(text, origin)).collect();
            groups[place] = SphereGroup::from(spheres).with_gloss(gloss);
        }
        Ok((groups, first))
    }
}

/// The origin that suits the single shapes of a scene, if they are far from 0.
fn origin_of_single(scene: &SceneText) -> Option<Origin> {
    let SceneText { sphere, cylinder, ellipsoid, arrow, .. } = scene;
    let rods = cylinder.iter().map(|text| text.value.start).chain(arrow.iter().map(|text| text.value.start));
    let bodies = sphere.iter().map(|text| text.value.center).chain(ellipsoid.iter().map(|text| text.value.center));
    Some(Origin::of(bodies.chain(rods).map(Numbers::f64))).filter(|origin| !origin.is_zero())
}

/// The highlights of shapes; none if no shape has some of its own.
pub(crate) fn own_gloss(gloss: Vec<Option<Gloss>>) -> Vec<Option<Gloss>> {
    if gloss.iter().any(Option::is_some) { gloss } else { Vec::new() }
}

/// The keys of a camera. If one of its angles has keys, the other angles of `[camera]` become constant keys.
pub(crate) fn camera_keys(camera: &CameraText) -> CameraKeys {
    let key = |text: &CameraKeyText| CameraKey {
        time: text.time.f64(),
        eye: text.eye.map(Numbers::f64),
        target: text.target.map(Numbers::f64),
        up: text.up.map(|up| up.0.to_array()),
        fov: text.fov.map(Number::f32),
        ortho_height: text.ortho_height.map(Number::f32),
        azimuth: text.azimuth.map(Number::f32),
        elevation: text.elevation.map(Number::f32),
        roll: text.roll.map(Number::f32),
        zoom: text.zoom.map(Number::f32),
    };
    let mut keys: Vec<CameraKey> = camera.key.iter().map(|text| key(&text.value)).collect();
    type KeyAngle = fn(&mut CameraKey) -> &mut Option<f32>;
    let turns: [(KeyAngle, _); 3] = [
        (|key| &mut key.azimuth, camera.azimuth),
        (|key| &mut key.elevation, camera.elevation),
        (|key| &mut key.roll, camera.roll),
    ];
    let is_keyed = turns.map(|(of, _)| keys.iter_mut().any(|key| of(key).is_some()));
    if is_keyed.contains(&true) {
        for ((of, constant), _) in turns.into_iter().zip(is_keyed).filter(|(_, is_keyed)| !is_keyed) {
            *of(&mut keys[0]) = Some(constant.map_or(0.0, Number::f32));
        }
    }
    CameraKeys(keys)
}

/// The options that `[camera]` and `[render]` state.
fn options(camera: &CameraText, render: &RenderText) -> LoadOptions {
    let background =
        camera.background.and_then(|of| if let BackgroundText::Solid(color) = of { Some(color) } else { None });
    LoadOptions {
        width: camera.width.map(WholeNumber::u32),
        height: camera.height.map(WholeNumber::u32),
        background,
        eye: camera.eye.map(Numbers::f64),
        target: camera.target.map(Numbers::f64),
        up: camera.up.map(|up| up.0.to_array()),
        fov: camera.fov.as_ref().map(|fov| fov.value.f32()),
        ortho_height: camera.ortho_height.map(Number::f32),
        view: camera.view.as_ref().map(|view| view.value.0),
        azimuth: camera.azimuth.map(Number::f32),
        elevation: camera.elevation.map(Number::f32),
        roll: camera.roll.map(Number::f32),
        zoom: camera.zoom.map(Number::f32),
        clip: camera.clip.iter().map(|plane| plane.0).collect(),
        slab: camera.slab.as_ref().map(|slab| slab.value.f32()),
        samples: render.samples.map(WholeNumber::u32),
        look: render.look.and_then(|Name(look)| if let SceneLook::Is(preset) = look { Some(preset) } else { None }),
        shading: render.numbers.0,
        outline_color: render.outline_color.map(|color| color.0),
        ao: render.ao.map(|ao| ao.0),
        ao_distance: render.ao_distance.map(Number::f32),
        shadows: render.shadows,
        ambient: render.ambient.map(Number::f32),
        transparency: render.transparency.map(|model| model.0),
        seed: render.seed.map(|seed| seed.0),
        ..LoadOptions::default()
    }
}

/// The scene's shading, on top of its look. A look from the command line replaces both, except for samples, occlusion,
/// transparency and seed.
fn shading(stated: &LoadOptions, look: Option<ShadingPreset>) -> Result<Shading> {
    let Some(look) = look else {
        return picture_settings::shading(stated, Shading::preset(stated.look.unwrap_or_default()));
    };
    let LoadOptions { samples, ao, ao_distance, transparency, seed, .. } = *stated;
    let kept = LoadOptions { samples, ao, ao_distance, transparency, seed, ..LoadOptions::default() };
    picture_settings::shading(&kept, Shading::preset(look))
}

fn light(text: &LightText) -> Light {
    let color = text.color.map_or(Srgba8::WHITE, |color| color.0);
    let intensity = text.intensity.map_or(1.0, Number::f32);
    let angle = text.angle.map_or(0.0, Number::f32);
    let anchor = text.anchor.map_or(Anchor::World, Anchor::from);
    let light = DirectionalLight::new(text.direction.0).with_color(color).with_intensity(intensity);
    light.with_angle_degrees(angle).with_anchor(anchor).into()
}

fn sphere(text: &SphereText, origin: Origin) -> PaintedSphere {
    let color = text.color.map_or(COLOR, |color| color.0);
    let color = text.opacity.map_or(color, |opacity| color.with_alpha(alpha(opacity)));
    PaintedSphere { center: origin.subtracted(text.center.f64()), radius: text.radius.f32(), color }
}
