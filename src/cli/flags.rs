//! Flags that several subcommands share: those that determine the picture, and those that affect only time and memory.

use std::ffi::OsString;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use roundel::circles::ViewBox;
use roundel::color::{ColorRange, Scale};
use roundel::io::{FigureOverrides, Format, Overrides, RawLayout};
use roundel::spheres::{AmbientOcclusion, ClipPlane, Look, LookNumbers, StandardView, Transparency};
use roundel::{Budget, Culling, Error, RenderSettings, SimdLevel, Srgba8};

use super::numbers::{ambient_occlusion, number, whole_u32, whole_u64};

/// Flags that determine the picture: each overrides what the scene says, or the default for data.
#[derive(Clone, Debug, Args)]
pub(super) struct PictureFlags {
    /// Width of the picture; given without a height, the picture keeps its shape
    #[arg(short = 'W', long, value_name = "PIXELS", value_parser = whole_u32, help_heading = "Picture")]
    width: Option<u32>,
    /// Height of the picture; given without a width, the picture keeps its shape
    #[arg(short = 'H', long, value_name = "PIXELS", value_parser = whole_u32, help_heading = "Picture")]
    height: Option<u32>,
    /// Background colour: a CSS name, transparent, #rgb, #rgba, #rrggbb or #rrggbbaa
    #[arg(long, value_name = "COLOR", value_parser = color, help_heading = "Picture")]
    background: Option<Srgba8>,
    /// Draw on nothing; short for --background transparent
    #[arg(long, conflicts_with = "background", help_heading = "Picture")]
    transparent: bool,
    /// Draw only this part of the picture, given by its centre and height in the pixels of the whole picture (circles
    /// only)
    #[arg(long, value_name = "X,Y,HEIGHT", value_parser = view_box, allow_hyphen_values = true, help_heading = "Picture")]
    view_box: Option<ViewBox>,

    /// Samples per pixel
    #[arg(long, value_name = "N", value_parser = whole_u32, help_heading = SHADING)]
    samples: Option<u32>,
    /// Look, a set of numbers for shading: illustrative (molecules without a scene), studio (particles without a scene), flat,
    /// headlight (scenes that name none) or auto (draws a scene as its files are drawn without one)
    #[arg(long, value_name = "LOOK", value_parser = look(), hide_possible_values = true, help_heading = SHADING)]
    look: Option<NamedLook>,
    /// Ambient occlusion: `smooth` finds it without rays, a number is that of rays per sample, `off` turns it off
    #[arg(long, value_name = "smooth|off|K", value_parser = ambient_occlusion, help_heading = SHADING)]
    ao: Option<AmbientOcclusion>,
    /// Only spheres up to this far away occlude, in world units
    #[arg(long, value_name = "LENGTH", value_parser = number, allow_hyphen_values = true, help_heading = SHADING)]
    ao_distance: Option<f32>,
    /// How much of the ambient light occlusion can take away, from 0 to 1
    #[arg(long, value_name = "SHARE", value_parser = number, allow_hyphen_values = true, help_heading = SHADING)]
    ao_strength: Option<f32>,
    /// Cast shadows from directional lights; --shadows=false turns them off
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true", value_name = "BOOL")]
    #[arg(hide_possible_values = true, help_heading = SHADING)]
    shadows: Option<bool>,
    /// Light that comes from everywhere, from 0 to 1
    #[arg(long, value_name = "SHARE", value_parser = number, allow_hyphen_values = true, help_heading = SHADING)]
    ambient: Option<f32>,
    /// Intensity of the key light, over the camera's left shoulder; a scene's own lights take its place
    #[arg(long, value_name = "INTENSITY", value_parser = number, allow_hyphen_values = true, help_heading = SHADING)]
    key: Option<f32>,
    /// Intensity of the fill light, beside the camera
    #[arg(long, value_name = "INTENSITY", value_parser = number, allow_hyphen_values = true, help_heading = SHADING)]
    fill: Option<f32>,
    /// Angle across the key light, from 0 for hard shadows to 90
    #[arg(long, value_name = "DEGREES", value_parser = number, allow_hyphen_values = true, help_heading = SHADING)]
    key_angle: Option<f32>,
    /// How much fog hides what is farthest, from 0 to 1
    #[arg(long, value_name = "SHARE", value_parser = number, allow_hyphen_values = true, help_heading = SHADING)]
    fog: Option<f32>,
    /// Where fog begins, from 0 at the front of the spheres to 1 at their back
    #[arg(long, value_name = "SHARE", value_parser = number, allow_hyphen_values = true, help_heading = SHADING)]
    fog_start: Option<f32>,
    /// Width of outlines, which may be fractional; 0 draws none
    #[arg(long, value_name = "PIXELS", value_parser = number, allow_hyphen_values = true, help_heading = SHADING)]
    outline_width: Option<f32>,
    /// Draw outlines where the depth jumps by more than this many times the size of a pixel; they are faint at first, and
    /// have their full colour where it jumps by twice as much
    #[arg(long, value_name = "PIXELS", value_parser = number, allow_hyphen_values = true, help_heading = SHADING)]
    outline_depth: Option<f32>,
    /// Colour of outlines
    #[arg(long, value_name = "COLOR", value_parser = color, help_heading = SHADING)]
    outline_color: Option<Srgba8>,
    /// Light spheres of less than half this radius on the picture together, as the surface that they make up
    #[arg(long, value_name = "PIXELS", value_parser = number, allow_hyphen_values = true, help_heading = SHADING)]
    cloud_radius: Option<f32>,
    /// How translucent spheres are composed: shell, the outer surface of the touching spheres of a chain or file; surfaces, the front
    /// and the back of every sphere; solid, a medium that absorbs light along the way through [default: shell]
    #[arg(long, value_name = "MODEL", value_parser = transparency(), hide_possible_values = true, help_heading = SHADING)]
    transparency: Option<Transparency>,
    /// Seed of all random numbers
    #[arg(long, value_name = "SEED", value_parser = whole_u64, help_heading = SHADING)]
    seed: Option<u64>,

    /// Side to look from; data is seen broadside, with its longest axis across the picture, unless it fills a periodic box
    #[arg(long, value_name = "SIDE", value_parser = view(), conflicts_with = "eye", help_heading = CAMERA)]
    view: Option<StandardView>,
    /// Look from the front, whatever the shape of the data; short for --view front
    #[arg(long, conflicts_with_all = ["view", "eye"], help_heading = CAMERA)]
    no_orient: bool,
    /// Move the eye around to the right
    #[arg(long, value_name = "DEGREES", value_parser = number, allow_hyphen_values = true, help_heading = CAMERA)]
    azimuth: Option<f32>,
    /// Then move the eye up
    #[arg(long, value_name = "DEGREES", value_parser = number, allow_hyphen_values = true, help_heading = CAMERA)]
    elevation: Option<f32>,
    /// Then turn the picture counter-clockwise
    #[arg(long, value_name = "DEGREES", value_parser = number, allow_hyphen_values = true, help_heading = CAMERA)]
    roll: Option<f32>,
    /// Enlarge everything by this factor
    #[arg(long, value_name = "FACTOR", value_parser = number, allow_hyphen_values = true, help_heading = CAMERA)]
    zoom: Option<f32>,
    /// Keep only what lies on one side of a plane, such as 'x<12' or 'z>-3.5'; cut spheres show a flat cap; may be given several
    /// times
    #[arg(long, value_name = "AXIS<VALUE", value_parser = clip, allow_hyphen_values = true, help_heading = CAMERA)]
    clip: Vec<ClipPlane>,
    /// Keep only what lies between two planes that face the camera: shares of the depth, from 0 at the front of the spheres to 1
    /// at their back
    #[arg(long, value_name = "NEAR,FAR", value_parser = slab, allow_hyphen_values = true, help_heading = CAMERA)]
    slab: Option<[f32; 2]>,
    /// Position of the eye
    #[arg(long, value_name = "X,Y,Z", value_parser = vector, allow_hyphen_values = true, help_heading = CAMERA)]
    eye: Option<[f32; 3]>,
    /// Point at the centre of the picture
    #[arg(long, value_name = "X,Y,Z", value_parser = vector, allow_hyphen_values = true, help_heading = CAMERA)]
    target: Option<[f32; 3]>,
    /// Direction that points up in the picture
    #[arg(long, value_name = "X,Y,Z", value_parser = vector, allow_hyphen_values = true, help_heading = CAMERA)]
    up: Option<[f32; 3]>,
    /// Vertical field of view
    #[arg(long, value_name = "DEGREES", value_parser = number, allow_hyphen_values = true, help_heading = CAMERA)]
    fov: Option<f32>,
    /// Use parallel rays; --ortho=false uses perspective
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true", value_name = "BOOL")]
    #[arg(hide_possible_values = true, help_heading = CAMERA)]
    ortho: Option<bool>,
    /// Use parallel rays, with this height of the picture in world units
    #[arg(long, value_name = "LENGTH", value_parser = number, allow_hyphen_values = true, help_heading = CAMERA)]
    ortho_height: Option<f32>,

    /// Column of x coordinates (tables)
    #[arg(short, long, value_name = "COLUMN", help_heading = DATA)]
    x: Option<String>,
    /// Column of y coordinates (tables)
    #[arg(short, long, value_name = "COLUMN", help_heading = DATA)]
    y: Option<String>,
    /// Column that sets the areas of circles, or their radii if it is named r or radius (tables)
    #[arg(short, long, value_name = "COLUMN", help_heading = DATA)]
    r: Option<String>,
    /// The same as --color-by
    #[arg(long, value_name = "COLUMN", help_heading = DATA)]
    color: Option<String>,
    /// Colour by element, chain, residue, index or a column, or in one colour such as #1f77b4
    #[arg(long, value_name = "KEY", help_heading = DATA)]
    color_by: Option<String>,
    /// Separate colours for categories: okabe-ito, which is the default for chains, tab10, set2 and more
    #[arg(long, value_name = "NAME", conflicts_with = "colormap", help_heading = DATA)]
    palette: Option<String>,
    /// Ramp of colours for numbers: viridis, which is the default, cividis, turbo, rdbu and more
    #[arg(long, value_name = "NAME", help_heading = DATA)]
    colormap: Option<String>,
    /// Numbers at the ends of the ramp, or percentiles such as p2,p98 [default: all numbers but outliers]
    #[arg(long, value_name = "A,B", value_parser = color_range, allow_hyphen_values = true, help_heading = DATA)]
    color_range: Option<ColorRange>,
    /// How numbers are spread over the ramp [default: linear]
    #[arg(long, value_name = "SCALE", value_parser = scale(), help_heading = DATA)]
    color_scale: Option<Scale>,
    /// Radius of each shape: a number, a column, or vdw for the van der Waals radii of atoms
    #[arg(long, value_name = "RADIUS", help_heading = DATA)]
    radius: Option<String>,
    /// Build this biological assembly (PDB files)
    #[arg(long, value_name = "NUMBER", value_parser = whole_u32, help_heading = DATA)]
    assembly: Option<u32>,
    /// Draw this frame or model of several, counted from 0 (atoms)
    #[arg(long, value_name = "NUMBER", value_parser = whole_u64, help_heading = DATA)]
    frame: Option<u64>,
    /// Move what lies outside of the periodic box into it
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true", value_name = "BOOL")]
    #[arg(hide_possible_values = true, help_heading = DATA)]
    wrap: Option<bool>,
    /// Draw copies of the periodic box: this many along its edges a, b and c
    #[arg(long, value_name = "A,B,C", value_parser = copies, help_heading = DATA)]
    replicate: Option<[u32; 3]>,
    /// Draw only these rows, as in 'chain A and not water', 'ligand', 'element C N', 'resid 10:20', 'mass > 5', 'within 5 of
    /// resname HEM'
    #[arg(long, value_name = "SELECTION", help_heading = DATA)]
    only: Option<String>,
    /// Leave out these rows. Without --only and --hide, water beside proteins and nucleic acids is left out; --hide none
    /// draws everything
    #[arg(long, value_name = "SELECTION", help_heading = DATA)]
    hide: Option<String>,
    /// Draw these rows in a colour of their own; may be given several times
    #[arg(long, num_args = 2, value_names = ["SELECTION", "COLOR"], help_heading = DATA)]
    highlight: Vec<String>,
    /// Opacity of spheres, from 0 to 1: of all, or of a selection; may be given several times, and the last one that selects a
    /// sphere counts
    #[arg(long, num_args = 2, value_names = ["[SELECTION]", "VALUE"], allow_hyphen_values = true, help_heading = DATA)]
    opacity: Vec<String>,
    /// Column with an opacity from 0 to 1 for each sphere
    #[arg(long, value_name = "COLUMN", help_heading = DATA)]
    opacity_by: Option<String>,
    /// Read the file in this format, whatever its name and content: csv, npy, npz, ply, nff, xyz, pdb, cif, bcif, gro, xtc, dcd,
    /// lammps-dump, lammps-data, or raw numbers by their columns and type, as raw:x,y,z,r:f32le; with the features of these names
    /// parquet, arrow and svg, too
    #[arg(long, value_name = "FORMAT", value_parser = format, help_heading = DATA)]
    format: Option<InputFormat>,
}

/// The selection of everything.
const ALL: &str = "all";

/// The arguments with the selection of everything where `--opacity` is given a value alone, because the number of its values would
/// otherwise depend on what comes after them.
pub(super) fn with_selections(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut arguments = arguments.peekable();
    let mut all = Vec::new();
    while let Some(argument) = arguments.next() {
        let text = argument.to_str();
        let value = text.and_then(|text| text.strip_prefix("--opacity=")).map(OsString::from);
        if text != Some("--opacity") && value.is_none() {
            let is_last = text == Some("--");
            all.push(argument);
            if is_last {
                all.extend(arguments.by_ref());
            }
            continue;
        }
        let next = value.as_ref().or_else(|| arguments.peek());
        let is_value = next.and_then(|next| next.to_str()).is_some_and(|next| next.parse::<f32>().is_ok());
        all.push("--opacity".into());
        all.extend(is_value.then(|| ALL.into()));
        all.extend(value);
    }
    all
}

const SHADING: &str = "Shading (spheres only)";
const CAMERA: &str = "Camera (spheres only)";
const DATA: &str = "Data files";

impl PictureFlags {
    /// Returns the flags as the library takes them.
    pub(super) fn overrides(&self, budget: Budget) -> roundel::Result<Overrides> {
        let flags = self.clone();
        let highlight = flags.highlight.chunks_exact(2).map(|pair| {
            let refuse =
                |message| Error::Setting { name: "highlight", message: format!("colour {message}, got {:?}", pair[1]) };
            Ok((pair[0].clone(), color(&pair[1]).map_err(refuse)?))
        });
        let highlight = highlight.collect::<roundel::Result<_>>()?;
        let opacity = flags.opacity.chunks_exact(2).map(|pair| {
            let value = number(&pair[1]).map_err(|message| Error::Setting {
                name: "opacity",
                message: format!("{message}, got {:?}", pair[1]),
            })?;
            Ok(((pair[0] != ALL).then(|| pair[0].clone()), value))
        });
        let opacity = opacity.collect::<roundel::Result<_>>()?;
        Ok(Overrides {
            width: flags.width,
            height: flags.height,
            background: flags.transparent.then_some(Srgba8::TRANSPARENT).or(flags.background),
            samples: flags.samples,
            look: flags.look.and_then(NamedLook::get),
            auto_look: flags.look == Some(NamedLook::Auto),
            look_numbers: LookNumbers {
                ao_strength: flags.ao_strength,
                key: flags.key,
                fill: flags.fill,
                key_angle: flags.key_angle,
                fog: flags.fog,
                fog_start: flags.fog_start,
                outline_width: flags.outline_width,
                outline_depth: flags.outline_depth,
                cloud_radius: flags.cloud_radius,
            },
            outline_color: flags.outline_color,
            ao: flags.ao,
            ao_distance: flags.ao_distance,
            shadows: flags.shadows,
            ambient: flags.ambient,
            transparency: flags.transparency,
            opacity,
            opacity_by: flags.opacity_by,
            seed: flags.seed,
            ortho: flags.ortho,
            eye: flags.eye,
            target: flags.target,
            up: flags.up,
            fov: flags.fov,
            view: flags.no_orient.then_some(StandardView::Front).or(flags.view),
            azimuth: flags.azimuth,
            elevation: flags.elevation,
            roll: flags.roll,
            zoom: flags.zoom,
            clip: flags.clip,
            slab: flags.slab,
            color_by: flags.color_by,
            palette: flags.palette,
            colormap: flags.colormap,
            color_range: flags.color_range,
            color_scale: flags.color_scale,
            radius: flags.radius,
            x: flags.x,
            y: flags.y,
            r: flags.r,
            color: flags.color,
            assembly: flags.assembly,
            frame: flags.frame,
            format: flags.format.as_ref().and_then(InputFormat::named),
            raw: flags.format.and_then(InputFormat::raw),
            wrap: flags.wrap,
            replicate: flags.replicate,
            only: flags.only,
            hide: flags.hide,
            highlight,
            ortho_height: flags.ortho_height,
            view_box: flags.view_box,
            figure: FigureOverrides::default(),
            budget,
        })
    }
}

/// Flags that change time and memory, and no pixel.
#[derive(Clone, Copy, Debug, Args)]
#[command(next_help_heading = "Performance (changes no pixel)")]
pub(super) struct PerformanceFlags {
    /// Number of threads [default: one per processor]
    #[arg(long, value_name = "N", value_parser = threads)]
    threads: Option<usize>,
    /// Side of the square tiles that are drawn one by one, 8 to 1024
    #[arg(long, value_name = "PIXELS", value_parser = whole_u32)]
    tile: Option<u32>,
    /// Instruction set
    #[arg(long, value_name = "LEVEL", default_value = "auto", value_parser = simd())]
    simd: SimdLevel,
    /// Test every shape against every tile
    #[arg(long)]
    no_cull: bool,
}

impl PerformanceFlags {
    /// Returns the flags as the library takes them.
    pub(super) fn settings(self, budget: Budget) -> RenderSettings {
        let culling = if self.no_cull { Culling::Off } else { Culling::On };
        RenderSettings::default()
            .with_threads(self.threads)
            .with_tile_size(self.tile)
            .with_simd(self.simd)
            .with_culling(culling)
            .with_budget(budget)
    }
}

/// Accepts `auto` and the levels that the build has.
fn simd() -> impl TypedValueParser<Value = SimdLevel> {
    let names = SimdLevel::compiled().into_iter().map(SimdLevel::name);
    PossibleValuesParser::new(std::iter::once(SimdLevel::Auto.name()).chain(names))
        .map(|name| name.parse().expect("every accepted name is a level's"))
}

/// A look as the command line has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NamedLook {
    Auto,
    Is(Look),
}

impl NamedLook {
    fn get(self) -> Option<Look> {
        if let Self::Is(look) = self { Some(look) } else { None }
    }
}

/// Accepts the names of looks, and `auto`.
fn look() -> impl TypedValueParser<Value = NamedLook> {
    PossibleValuesParser::new(Look::ALL.into_iter().map(Look::name).chain(["auto"]))
        .map(|name| name.parse().map_or(NamedLook::Auto, NamedLook::Is))
}

/// Accepts the names of models of transparency.
fn transparency() -> impl TypedValueParser<Value = Transparency> {
    PossibleValuesParser::new(["shell", "surfaces", "solid"])
        .map(|name| name.parse().expect("every accepted name is a model's"))
}

/// Accepts the names of views.
fn view() -> impl TypedValueParser<Value = StandardView> {
    PossibleValuesParser::new(StandardView::ALL.map(StandardView::name))
        .map(|name| name.parse().expect("every accepted name is a view's"))
}

fn threads(text: &str) -> Result<usize, String> {
    /// More than any machine has processors; the stacks of many more would fill its memory.
    const MAX: usize = 4096;
    let count = text.parse().ok().filter(|count| (1..=MAX).contains(count));
    count.ok_or_else(|| format!("must be a whole number from 1 to {MAX}"))
}

fn color(text: &str) -> Result<Srgba8, String> {
    text.parse().map_err(rule)
}

fn clip(text: &str) -> Result<ClipPlane, String> {
    text.parse().map_err(rule)
}

/// Accepts two numbers; the library checks them.
fn slab(text: &str) -> Result<[f32; 2], String> {
    let parts: Result<Vec<f32>, _> = text.split(',').map(|part| part.trim().parse()).collect();
    let slab = parts.ok().and_then(|parts| <[f32; 2]>::try_from(parts).ok());
    slab.ok_or_else(|| "must be two numbers from 0 to 1, the lesser first, such as 0.5,1".to_owned())
}

fn color_range(text: &str) -> Result<ColorRange, String> {
    text.parse().map_err(rule)
}

/// Returns what a setting must be, without the text that was found: it is shown beside the message.
fn rule(error: Error) -> String {
    match error {
        Error::Setting { message, .. } => message.split(", got ").next().unwrap_or_default().to_owned(),
        other => other.to_string(),
    }
}

/// Accepts the names of scales.
fn scale() -> impl TypedValueParser<Value = Scale> {
    PossibleValuesParser::new(Scale::ALL.map(Scale::name))
        .map(|name| name.parse().expect("every accepted name is a scale's"))
}

/// The format of a file as the command line has it.
#[derive(Clone, Debug)]
enum InputFormat {
    Named(Format),
    Raw(RawLayout),
}

impl InputFormat {
    fn named(&self) -> Option<Format> {
        if let Self::Named(format) = self { Some(*format) } else { None }
    }

    fn raw(self) -> Option<RawLayout> {
        if let Self::Raw(layout) = self { Some(layout) } else { None }
    }
}

fn format(name: &str) -> Result<InputFormat, String> {
    let parsed = match name.strip_prefix("raw:") {
        Some(layout) => layout.parse().map(InputFormat::Raw),
        None => name.parse().map(InputFormat::Named),
    };
    parsed.map_err(|error| match error {
        Error::Setting { message, .. } => message,
        other => other.to_string(),
    })
}

fn view_box(text: &str) -> Result<ViewBox, String> {
    let parts: Result<Vec<f64>, _> = text.split(',').map(|part| part.trim().parse()).collect();
    match parts.as_deref() {
        Ok([x, y, height]) if [x, y, height].iter().all(|part| part.is_finite()) && *height > 0.0 => {
            Ok(ViewBox { center: [*x, *y], height: *height })
        }
        _ => Err("must be three numbers separated by commas, the last positive, such as 640,480,120".to_owned()),
    }
}

fn copies(text: &str) -> Result<[u32; 3], String> {
    let parts: Result<Vec<u32>, _> = text.split(',').map(|part| part.trim().parse()).collect();
    parts
        .ok()
        .and_then(|parts| <[u32; 3]>::try_from(parts).ok())
        .filter(|parts| !parts.contains(&0))
        .ok_or_else(|| "must be three whole numbers from 1, separated by commas, such as 2,2,1".to_owned())
}

fn vector(text: &str) -> Result<[f32; 3], String> {
    let parts: Result<Vec<f32>, _> = text.split(',').map(|part| part.trim().parse()).collect();
    parts
        .ok()
        .and_then(|parts| <[f32; 3]>::try_from(parts).ok())
        .filter(|parts| parts.iter().all(|part| part.is_finite()))
        .ok_or_else(|| "must be three finite numbers separated by commas, such as 1,2.5,-3".to_owned())
}
