//! Turns `[[spheres]]` and the tables of other solids into groups of spheres and shapes.

use std::sync::Arc;

use crate::color::{ColorKey, ColorRange, Scale};
use crate::data::BondRule;
use crate::dataset::copies;
use crate::dataset::data_file;
use crate::dataset::data_file::{BondRequest, DataFile, Depth, Refuse, Request};
use crate::dataset::images::{BadImages, Images};
use crate::dataset::option_requests;
use crate::dataset::option_requests::BLUE;
use crate::dataset::window::LeftOut;
use crate::error::{Error, Result};
use crate::formats::request::{FileHints, FrameRequest};
use crate::formats::{self, Format, FormatKind, Symmetry, Topology, read_topology};
use crate::options::load_options::TableColors;
use crate::pictures::bare_data::{SphereKind, unit};
use crate::pictures::picture_part::PicturePart;
use crate::rows::column_plan::{
    CategoryNames, ColorFrom, ColorMapping, Coloring, ColumnRefusal, ColumnRequest, Dimensions, FoundColors, NamedAxes,
    RadiusFrom, Role,
};
use crate::rows::glyphs::{GlyphRequest, RowShape};
use crate::rows::selections::Selections;
use crate::scene::spheres::{SphereGroup, UpAxis};
use crate::scene_file::builder::{Builder, COLOR, SelectionKeys};
use crate::scene_file::columns::{ColorByText, RadiusByText, RadiusRange};
use crate::scene_file::decode::{Located, offset_of};
use crate::scene_file::tables::SolidTable;
use crate::scene_file::text::SpheresText;
use crate::scene_file::values::{Number, WholeNumber};
use crate::source::input::Input;

impl Builder<'_> {
    /// Reads a table of spheres or solids and makes its groups; `first_group` groups precede them.
    pub(crate) fn solid_table(&mut self, table: &SolidTable, first_group: usize) -> Result<Vec<SphereGroup<'static>>> {
        let SolidTable { path, text, .. } = table;
        let key = format!("{path}.file");
        let (input, format) = self.open(&key, &text.file, text.format.as_ref())?;
        self.check_format(table, &input, format)?;
        let keys = text.selection_keys();
        let selections = self.selections(&keys, path)?;
        let images = text.images();
        let mut data = self.read_solids(table, input, format, &keys, &selections)?;
        self.notes.append(&mut data.notes);
        self.note_facts(&data, format, images);
        let assembly = match &text.assembly {
            None => None,
            Some(Located { offset, value }) => {
                let refuse = |rule| self.refuse(*offset, format!("{path}.assembly {rule}"));
                let (chains, assembly) = data.assembly(value.u32()).map_err(refuse)?;
                let subject = || self.at(*offset, &format!("assembly {} of {}", value.u32(), data.source.file));
                copies::check(&chains, &assembly, &self.quota, subject)?;
                Some((chains, assembly))
            }
        };
        let is_open = !matches!(data.plan.color, Coloring::Numbers { range: Some(ColorRange::Numbers(_)), .. });
        let (ramp, order) = (data.ramp_ends(), data.categories());
        let subject = || self.at(text.file.offset, &text.file.value.display().to_string());
        let part = PicturePart::make(data, assembly.as_ref(), images, &selections, first_group, &self.quota, subject)?;
        let ends = part.colors.as_ref().and_then(ColorKey::ends).or(ramp).filter(|_| is_open);
        self.spheres.found_colors.push(FoundColors { categories: CategoryNames { order, listed: Vec::new() }, ends });
        self.notes.extend(part.notes);
        let contacts = part.contacts.notes(&LeftOut::default());
        self.notes.extend(contacts.iter().map(|note| format!("{}: {note}", part.source.file)));
        self.sources.push(part.source);
        self.figure.labels.extend(part.labels);
        if self.figure.options.has_legend() {
            self.figure.legends.push(part.legend);
        }
        let (groups, shapes) = (part.groups, part.shapes);
        self.hold_spheres(&groups);
        self.spheres.shapes.append(shapes, first_group);
        Ok(groups)
    }

    /// Refuses keys that do not apply to the format of the file.
    fn check_format(&self, SolidTable { path, text, .. }: &SolidTable, input: &Input, format: Format) -> Result<()> {
        match format.kind() {
            FormatKind::Scene => {
                let data = formats::extensions(&[FormatKind::Table, FormatKind::Atoms]);
                let rule = format!("{path}.file must be atoms or a table ({data}), got a {format}");
                return Err(self.refuse(text.file.offset, rule));
            }
            FormatKind::Topology => return Err(option_requests::no_positions(&input.name, format)),
            FormatKind::Table | FormatKind::Atoms => {}
        }
        let is_table = format.kind() == FormatKind::Table;
        // an array may have frames
        let is_still = is_table && format != Format::Npy;
        let file = text.file.value.display();
        let keys = [
            (offset_of(&text.assembly).filter(|_| is_table), "assembly", format!("molecules; {file} is a table")),
            (offset_of(&text.frame).filter(|_| is_still), "frame", format!("molecules; {file} is a table")),
            (
                offset_of(&text.symmetry).filter(|_| format != Format::Cif),
                "symmetry",
                format!("crystals in CIF; {file} is {format}"),
            ),
            (
                offset_of(&text.topology).filter(|_| !format.takes_topology()),
                "topology",
                format!("trajectories; {file} is {format}"),
            ),
            (
                offset_of(&text.atom_style).filter(|_| format != Format::LammpsData),
                "atom_style",
                format!("LAMMPS data; {file} is {format}"),
            ),
            (
                offset_of(&text.decimal).filter(|_| !matches!(format, Format::Csv | Format::PointCloud)),
                "decimal",
                format!("tables of text; {file} is {format}"),
            ),
            (
                offset_of(&text.missing).filter(|_| !matches!(format, Format::Csv | Format::PointCloud)),
                "missing",
                format!("tables of text; {file} is {format}"),
            ),
        ];
        match keys.into_iter().find_map(|(offset, key, rule)| Some((offset?, key, rule))) {
            Some((offset, key, rule)) => Err(self.refuse(offset, format!("{path}.{key} is for {rule}"))),
            None => Ok(()),
        }
    }

    fn read_solids(
        &mut self,
        table: &SolidTable,
        input: Input,
        format: Format,
        keys: &SelectionKeys<'_>,
        selections: &Selections,
    ) -> Result<DataFile> {
        let SolidTable { path, text, .. } = table;
        let own_frame = text.frame.as_ref().map(|frame| frame.value.0);
        let has_frames = has_frames(format);
        let chosen = self.options.frame.filter(|_| has_frames && own_frame.is_none());
        let smooth = text.smooth.as_ref().map(|frames| frames.value.u32());
        self.frames.takes_frame |= has_frames && own_frame.is_none();
        self.frames.takes_smooth |= has_frames && smooth.is_none();
        let symmetry = text.symmetry.as_ref().map_or(Symmetry::Cell, |symmetry| symmetry.value.0);
        let count_frames = self.depth == Depth::Describe;
        let frame = FrameRequest::of(own_frame.or(chosen).unwrap_or(0));
        let extent = FrameRequest { count_frames, symmetry, ..frame };
        let request = Request {
            format,
            computed: &self.computed(&text.rows.compute, path)?,
            hints: FileHints {
                raw: text.format.as_ref().and_then(|named| named.raw.clone()),
                topology: self.topology(path, text)?,
                atom_style: text.atom_style.as_ref().map(|style| style.value.0),
                decimal: text.decimal.as_ref().map(|mark| mark.value.0),
                missing: text.missing.as_ref().map(|texts| texts.value.clone()).unwrap_or_default(),
            },
            column_request: &self.sphere_columns(path, text)?,
            selections,
            look_along: None,
            images: text.images(),
            assembly: text.assembly.as_ref().map(|number| number.value.u32()),
            smooth: smooth.or(self.options.smooth.filter(|_| has_frames)),
            extent,
            origin: self.spheres.origin,
            bonds: &BondRequest { guesses_style: self.is_auto, ..text.bonds() },
            glyphs: &self.glyphs(table)?,
            has_legend: self.figure.options.has_legend(),
            scales: [Scale::Linear; 2],
            depth: self.depth,
        };
        let refuse = Refuse {
            column: &|refusal| self.bad_column(table, refusal),
            selection: &|bad| self.bad_selection(keys, path, bad),
            images: &|bad| self.bad_images(path, text, bad),
        };
        let again = (input.path.clone(), input.quota);
        let read = match (data_file::read(input, &request, &refuse, &|_| Ok(())), again) {
            (Err(no_frame @ Error::Setting { name: "frame", .. }), (Some(path), quota)) if chosen.is_some() => {
                // a file with one frame stays as it is while others play
                let extent = FrameRequest { count_frames: true, ..FrameRequest { frame: 0, from_end: None, ..extent } };
                let request = Request { extent, ..request };
                let read = data_file::read(self.files.file(&path, quota)?, &request, &refuse, &|_| Ok(()));
                if read.as_ref().is_ok_and(|data| data.facts.frames == 1) { read } else { Err(no_frame) }
            }
            (read, _) => {
                self.frames.has_frame |= chosen.is_some();
                read
            }
        };
        read.map_err(|error| self.bad_topology(path, text, error))
    }

    /// Keeps the cell, unit, times and upward axis of the data, which hold for the whole scene.
    fn note_facts(&mut self, data: &DataFile, format: Format, images: Images) {
        self.spheres.origin.get_or_insert(data.origin);
        let cell = data.facts.cell.map(|cell| images.around(cell).relative_to(data.origin));
        // a box takes precedence over the cell of a macromolecule's crystal
        let is_first = data.fills_cell() && !self.spheres.fill_cell;
        self.figure.facts.cell =
            if is_first { cell.or(self.figure.facts.cell) } else { self.figure.facts.cell.or(cell) };
        self.spheres.fill_cell |= data.fills_cell();
        self.spheres.stance = Some(self.spheres.stance.filter(|known| known.up == UpAxis::Y).unwrap_or(data.stance()));
        if data.plan.is_molecule() {
            self.spheres.kind = SphereKind::Atoms;
        }
        self.figure.facts.unit = unit(format);
        if has_frames(format) {
            self.figure.facts.times = self.figure.facts.times.or(Some(data.facts.times));
        }
    }

    fn topology(&self, path: &str, text: &SpheresText) -> Result<Option<Arc<Topology>>> {
        let Some(Located { value, offset }) = &text.topology else { return Ok(None) };
        let read = read_topology(&self.files, &self.folder.join(value), self.quota);
        read.map(|topology| Some(Arc::new(topology))).map_err(|error| match error {
            Error::Io { .. } => self.refuse(*offset, format!("{path}.topology: {error}")),
            error => self.bad_topology(path, text, error),
        })
    }

    /// Places the error of a topology at its key.
    fn bad_topology(&self, path: &str, text: &SpheresText, error: Error) -> Error {
        match (error, &text.topology) {
            (Error::Setting { name: "topology", message }, Some(Located { offset, .. })) => {
                self.refuse(*offset, format!("{path}.topology {message}"))
            }
            (error, _) => error,
        }
    }

    /// The shapes other than spheres that a table asks for.
    fn glyphs(&self, SolidTable { path, text, shape, .. }: &SolidTable) -> Result<GlyphRequest> {
        let vector_color = text.vector_color.as_ref().map(|color| {
            let refuse = |rule| self.refuse(color.offset, format!("{path}.vector_color {rule}"));
            color.value.parse().map_err(refuse)
        });
        Ok(GlyphRequest {
            probability: text.ellipsoids.map(Number::f32),
            vectors: text.vectors.as_ref().map(|vectors| vectors.value.clone()),
            vector_scale: text.vector_scale.map(Number::f32),
            vector_radius: text.vector_radius.map(Number::f32),
            vector_color: vector_color.transpose()?.unwrap_or_default(),
            has_rings: text.ellipsoid_rings,
            guesses_ellipsoids: text.radius.is_none() && *shape == RowShape::Sphere,
            rows: shape.clone(),
        })
    }

    /// The error for a column, at the key of the table that names it.
    fn bad_column(&self, table: &SolidTable, ColumnRefusal { role, rule }: ColumnRefusal) -> Error {
        let SolidTable { path, text, shape, .. } = table;
        let (offset, key) = match role {
            Role::Axes => (None, "file"),
            Role::X => (offset_of(&text.x), "x"),
            Role::Y => (offset_of(&text.y), "y"),
            Role::Z => (offset_of(&text.z), "z"),
            Role::Color => (offset_of(&text.color_by), "color_by"),
            Role::ColorMap => (offset_of(&text.color_by), "color_by.map"),
            Role::ColorRange => (offset_of(&text.color_by), "color_by.range"),
            Role::ColorScale => (offset_of(&text.color_by), "color_by.scale"),
            Role::End => (None, "end"),
            Role::Radii => (None, "radii"),
            Role::Rotation => (None, "rotation"),
            Role::Vectors if *shape == RowShape::Arrow => (offset_of(&text.vectors), "vector"),
            Role::Vectors => (offset_of(&text.vectors), "vectors"),
            Role::Radius => (offset_of(&text.radius), "radius"),
        };
        self.refuse(offset.unwrap_or(text.file.offset), format!("{path}.{key} {rule}"))
    }

    /// The error for a key that the periodic box rules out.
    fn bad_images(&self, path: &str, text: &SpheresText, BadImages { key, rule }: BadImages) -> Error {
        let offset = match key {
            "wrap" => offset_of(&text.wrap),
            "whole" => offset_of(&text.whole),
            "unwrap" => offset_of(&text.unwrap),
            "center" => offset_of(&text.center),
            "assembly" => offset_of(&text.assembly),
            _ => None,
        };
        let offset = offset.or(offset_of(&text.replicate)).unwrap_or(text.file.offset);
        self.refuse(offset, format!("{path}.{key} {rule}"))
    }

    fn radius_range(&self, path: &str, offset: usize, text: &RadiusRange) -> Result<RadiusFrom> {
        let range @ [least, most] = text.range.f32();
        let rule = if range.iter().any(|radius| *radius < 0.0) {
            "must not be negative".to_owned()
        } else if least == most {
            format!("must be two different radii, got {least} twice")
        } else {
            let (column, scale) = (text.column.clone(), text.scale.unwrap_or_default());
            return Ok(RadiusFrom::Scaled { column, range, scale });
        };
        Err(self.refuse(offset, format!("{path}.radius.range {rule}")))
    }

    /// The columns that the spheres are made from.
    fn sphere_columns(&self, path: &str, text: &SpheresText) -> Result<ColumnRequest> {
        let constant = text.color.map_or(if self.is_auto { BLUE } else { COLOR }, |color| color.0);
        let mut mapping = ColorMapping { shades_chains: self.is_auto, ..ColorMapping::default() };
        let color = match &text.color_by {
            // `color` without `color_by` applies to all rows
            None if text.color.is_some() => ColorFrom::Constant(constant),
            None => ColorFrom::Data(constant),
            Some(Located { value: ColorByText::Name(name), .. }) => ColorFrom::name(name, constant),
            Some(Located { value: ColorByText::Column(color), .. }) => {
                mapping = self.mapping(color, &format!("{path}.color_by"))?;
                ColorFrom::name(&color.column, constant)
            }
        };
        let radius = match &text.radius {
            None => RadiusFrom::Data,
            Some(Located { value: RadiusByText::Constant(radius), .. }) => RadiusFrom::Constant(*radius),
            Some(Located { value: RadiusByText::Name(name), .. }) if name == "vdw" => RadiusFrom::Vdw,
            Some(Located { value: RadiusByText::Name(name), .. }) => RadiusFrom::DataUnits(name.clone()),
            Some(Located { offset, value: RadiusByText::Range(text) }) => self.radius_range(path, *offset, text)?,
        };
        let axes = match [&text.x, &text.y, &text.z] {
            [Some(x), Some(y), Some(z)] => Some(NamedAxes::Space([x, y, z].map(|name| name.value.clone()))),
            [None, None, None] => None,
            given => {
                let offset = given.into_iter().flatten().next().map_or(text.file.offset, |name| name.offset);
                return Err(self.refuse(offset, format!("{path} must have x, y and z when it has one of them")));
            }
        };
        let TableColors { range, categories, legend_categories } =
            self.options.table_colors.get(self.spheres.found_colors.len()).cloned().unwrap_or_default();
        mapping.range = match (mapping.range, range) {
            (range @ Some(ColorRange::Numbers(_)), _) | (range, None) => range,
            (Some(ColorRange::Around(middle) | ColorRange::Within { middle, .. }), Some(ends)) => {
                Some(ColorRange::Within { middle, ends })
            }
            (_, Some(ends)) => Some(ColorRange::Numbers(ends)),
        };
        let categories = CategoryNames { order: categories, listed: legend_categories };
        Ok(ColumnRequest { place: Dimensions::Space, axes, color, mapping, categories, radius })
    }
}

impl SpheresText {
    fn selection_keys(&self) -> SelectionKeys<'_> {
        SelectionKeys {
            rows: &self.rows,
            opacity: self.opacity.as_ref(),
            opacity_by: self.opacity_by.as_ref(),
            draw_order: None,
            style: self.style.as_ref(),
            gloss: self.gloss.as_ref(),
            center: &self.center,
            label: &self.label,
            contacts: &self.contacts,
            hbonds: self.hbonds.map(|rule| rule.0),
        }
    }

    fn images(&self) -> Images {
        let is_set = |key: &Option<Located<bool>>| key.as_ref().is_some_and(|key| key.value);
        Images {
            wrap: is_set(&self.wrap),
            whole: is_set(&self.whole),
            unwrap: is_set(&self.unwrap),
            is_centered: self.center.is_some(),
            counts: self.replicate.as_ref().map_or([1; 3], |counts| counts.value.map(WholeNumber::u32)),
        }
    }

    fn bonds(&self) -> BondRequest {
        BondRequest {
            rule: self.bonds.map_or(BondRule::Auto, |bonds| bonds.0),
            bond_radius: self.bond_radius.map(Number::f32),
            ball_scale: self.ball_scale.map(Number::f32),
            ..BondRequest::default()
        }
    }
}

fn has_frames(format: Format) -> bool {
    format.kind() == FormatKind::Atoms || format == Format::Npy
}
