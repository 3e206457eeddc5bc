//! What a scene file says of spheres, to groups before a camera.

use glam::Vec3;

use super::decode::Located;
use super::text::{ColorColumn, LightText, RenderText, SceneText, SphereText, SpheresText};
use super::values::{self, BackgroundText, ColorByText, Numbers, RadiusByText};
use super::{Builder, COLOR, opacity};
use crate::color::Srgba8;
use crate::color::maps::ColorMap;
use crate::error::Result;
use crate::io::load::Depth;
use crate::io::load::atoms::{self, ColorBy, RadiusBy, Wanted};
use crate::io::load::bare;
use crate::io::load::describe::Source;
use crate::io::load::picture::{self, CameraWish};
use crate::io::load::points::{self, ColorFrom, RadiusFrom, Rows};
use crate::io::load::source::{Format, Input};
use crate::io::load::table::Table;
use crate::scene::Scene;
use crate::scene::generate;
use crate::scene::spheres::{
    Background, DirectionalLight, Light, PaintedSphere, Shading, SphereGroup, SphereScene, View,
};

impl Builder<'_> {
    pub(super) fn spheres(&mut self, scene: SceneText) -> Result<Scene<'static>> {
        let (place, camera) = scene.camera.map_or_else(Default::default, |camera| (camera.offset, camera.value));
        let size =
            self.size("camera", place, camera.width.map(values::Whole::u32), camera.height.map(values::Whole::u32))?;
        if let (Some(fov), Some(_)) = (&camera.fov, camera.ortho_height) {
            return Err(self.refuse(fov.offset, "camera must have fov or ortho_height, not both"));
        }
        let shading =
            picture::shading(self.overrides, scene.render.map_or_else(Shading::default, |text| shading(&text.value)))?;
        self.single_shapes(scene.sphere.len(), scene.sphere.last().map(|sphere| sphere.offset))?;
        let mut groups = self.groups(&scene.sphere, &scene.spheres)?;
        for text in &scene.generate {
            let (kind, count, seed) = self.recipe(text.offset, &text.value, size_of::<PaintedSphere>())?;
            let made = atoms::plain(generate::spheres(kind, count, seed));
            self.hold(std::slice::from_ref(&made));
            groups.push(made);
        }
        let vector = |numbers: Option<Numbers<3>>| numbers.map(|numbers| Vec3::from(numbers.f32()));
        let wish = CameraWish {
            eye: vector(camera.eye),
            target: vector(camera.target),
            up: camera.up.map(|up| up.0),
            fov: camera.fov.map(|fov| fov.value.f32()),
            ortho: camera.ortho_height.is_some(),
            ortho_height: camera.ortho_height.map(values::Number::f32),
            toward_eye: None,
        };
        let camera_of = wish.overridden(self.overrides)?.camera(&groups, size);
        let background = match (self.overrides.background, camera.background) {
            (Some(color), _) | (None, Some(BackgroundText::Solid(color))) => Background::Solid(color),
            (None, Some(BackgroundText::Gradient { bottom, top })) => Background::Gradient { bottom, top },
            (None, None) => Background::Solid(Srgba8::WHITE),
        };
        let camera = camera_of.map_err(|rule| self.refuse(place, format!("camera: {rule}")))?;
        let view = View { width: size.0, height: size.1, background, camera };
        let lights = scene.light.into_iter().map(|text| light(&text.value)).collect();
        Ok(Scene::Spheres(SphereScene { view, groups, lights, shading }))
    }

    /// Single spheres and files of them, in the order of the scene file.
    fn groups(
        &mut self,
        single: &[Located<SphereText>],
        files: &[Located<SpheresText>],
    ) -> Result<Vec<SphereGroup<'static>>> {
        let mut groups = Vec::new();
        let mut single = single.iter().peekable();
        let mut single_before = |offset: usize| {
            let mut run = Vec::new();
            while let Some(text) = single.next_if(|text| text.offset < offset) {
                run.push(sphere(&text.value));
            }
            (!run.is_empty()).then(|| atoms::plain(run))
        };
        let mut files: Vec<_> = files.iter().enumerate().collect();
        files.sort_by_key(|(_, text)| text.offset);
        for (index, text) in files {
            groups.extend(single_before(text.offset));
            groups.extend(self.file_of_spheres(index, &text.value)?);
        }
        groups.extend(single_before(usize::MAX));
        Ok(groups)
    }

    /// Atoms or particles.
    fn file_of_spheres(&mut self, index: usize, text: &SpheresText) -> Result<Vec<SphereGroup<'static>>> {
        let input = self.open(&text.file.value)?;
        let constant = text.color.map_or(COLOR, |color| color.0);
        match input.format()? {
            Format::Csv => self.particles(index, text, input, constant),
            Format::Xyz | Format::Pdb => self.atoms(index, text, input, constant),
            other @ (Format::Toml | Format::Json) => {
                let rule =
                    format!("spheres[{index}].file must be atoms (.xyz or .pdb) or a table (.csv), got a {other}");
                Err(self.refuse(text.file.offset, rule))
            }
        }
    }

    fn atoms(
        &mut self,
        index: usize,
        text: &SpheresText,
        input: Input,
        constant: Srgba8,
    ) -> Result<Vec<SphereGroup<'static>>> {
        let color = match &text.color_by {
            // a colour alone is wanted everywhere
            None if text.color.is_some() => ColorBy::Constant(constant),
            None => ColorBy::Element,
            Some(Located { value: ColorByText::Name(name), .. }) => atoms::color_by(name, ColorMap::VIRIDIS, constant),
            Some(Located { value: ColorByText::Column(color), .. }) => {
                let map = color.map.map_or(ColorMap::VIRIDIS, |map| map.0);
                let range = self.range(color, &format!("spheres[{index}].color_by"))?;
                match color.column.as_str() {
                    "index" => ColorBy::Index(map),
                    name => ColorBy::Column { name: name.to_owned(), map, range },
                }
            }
        };
        let radius = match &text.radius {
            None => RadiusBy::Vdw,
            Some(Located { value: RadiusByText::Constant(radius), .. }) => RadiusBy::Constant(*radius),
            Some(Located { value: RadiusByText::Name(name), .. }) if name == "vdw" => RadiusBy::Vdw,
            Some(Located { value: RadiusByText::Name(name), .. }) => RadiusBy::Column(name.clone()),
        };
        let count_models = self.depth == Depth::Describe;
        let wanted = Wanted { color: color.column(), radius: radius.column(), count_models, frame: 0, note: None };
        let atoms = bare::read_atoms(input, &wanted)?;
        let spheres = atoms::spheres(&atoms, &color, &radius)?;
        let groups = match &text.assembly {
            None => vec![atoms::plain(spheres)],
            Some(Located { offset, value }) => {
                let refuse = |rule| self.refuse(*offset, format!("spheres[{index}].assembly {rule}"));
                let assembly = atoms::assembly(&atoms, value.u32()).map_err(refuse)?;
                let subject = || self.at(*offset, &format!("assembly {} of {}", value.u32(), atoms.file));
                atoms::check_copies(&atoms, assembly, &self.ledger, subject)?;
                atoms::groups(&atoms, &spheres, assembly)
            }
        };
        self.hold(&groups);
        self.sources.push(atoms::describe(&atoms));
        Ok(groups)
    }

    fn particles(
        &mut self,
        index: usize,
        text: &SpheresText,
        input: Input,
        constant: Srgba8,
    ) -> Result<Vec<SphereGroup<'static>>> {
        if let Some(assembly) = &text.assembly {
            let rule = format!("spheres[{index}].assembly is for molecules; {} is a table", text.file.value.display());
            return Err(self.refuse(assembly.offset, rule));
        }
        let table = Table::open(input)?;
        let find = |key: &str, offset: usize, name: &str| {
            table.find(name).map_err(|rule| self.refuse(offset, format!("spheres[{index}].{key} {rule}")))
        };
        let axis = |name| find("file", text.file.offset, name);
        let axes = [axis("x")?, axis("y")?, axis("z")?];
        let column = |color: ColorColumn, range| ColorFrom::Column {
            alpha: opacity(&color),
            map: color.map.map(|map| map.0),
            column: color.column,
            range,
        };
        let color = match &text.color_by {
            None => match table.column("color").filter(|_| text.color.is_none()) {
                Some(column) => points::color_column(&table, column),
                None => ColorFrom::Constant(constant),
            },
            Some(Located { value: ColorByText::Name(name), .. }) if name == "constant" => ColorFrom::Constant(constant),
            Some(Located { offset, value: ColorByText::Name(name) }) => {
                let column = find("color_by", *offset, name)?;
                points::color_column(&table, column)
            }
            Some(Located { offset, value: ColorByText::Column(color) }) => {
                find("color_by.column", *offset, &color.column)?;
                column(color.clone(), self.range(color, &format!("spheres[{index}].color_by"))?)
            }
        };
        let radius = match &text.radius {
            None => table
                .column("radius")
                .or_else(|| table.column("r"))
                .map(|column| RadiusFrom::DataUnits(table.columns[column].clone())),
            Some(Located { value: RadiusByText::Constant(radius), .. }) => Some(RadiusFrom::Constant(*radius)),
            Some(Located { offset, value: RadiusByText::Name(name) }) => {
                find("radius", *offset, name)?;
                Some(RadiusFrom::DataUnits(name.clone()))
            }
        };
        let mut source = Source::new(table.file.clone(), Format::Csv, 0);
        source.columns.clone_from(&table.columns);
        let rows: Rows<3> = points::read(table, axes, radius.as_ref().unwrap_or(&RadiusFrom::Constant(0.0)), &color)?;
        source.records = rows.centers.len() as u64;
        self.sources.push(source);
        let spacing = radius.is_none().then(|| rows.spacing());
        let groups = vec![atoms::plain(rows.with(spacing, 255).spheres())];
        self.hold(&groups);
        Ok(groups)
    }
}

/// What `[render]` says, and the defaults for what it does not.
fn shading(text: &RenderText) -> Shading {
    let silent = Shading::default();
    Shading {
        samples: text.samples.map_or(silent.samples, values::Whole::u32),
        ao_rays: text.ao.map_or(silent.ao_rays, values::Whole::u32),
        ao_distance: text.ao_distance.map_or(silent.ao_distance, values::Number::f32),
        shadows: text.shadows.unwrap_or(silent.shadows),
        ambient: text.ambient.map_or(silent.ambient, values::Number::f32),
        seed: text.seed.map_or(silent.seed, |seed| seed.0),
    }
}

fn light(text: &LightText) -> Light {
    let color = text.color.map_or(Srgba8::WHITE, |color| color.0);
    let intensity = text.intensity.map_or(1.0, values::Number::f32);
    DirectionalLight::new(text.direction.0).with_color(color).with_intensity(intensity).into()
}

fn sphere(text: &SphereText) -> PaintedSphere {
    PaintedSphere {
        center: text.center.f32(),
        radius: text.radius.f32(),
        color: text.color.map_or(COLOR, |color| color.0),
    }
}
