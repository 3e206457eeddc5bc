//! The caller's options as requests to a file of data: columns, selections, bonds, glyphs, images and frames.
//!
//! Mistakes are refused here, with the option's name: an option of another kind of file, two options that say the same,
//! a number out of its range, and a column that the file does not have.

use std::path::Path;
use std::sync::Arc;

use crate::color::maps::{ColorMap, MapUse};
use crate::color::{ColorRange, ColorScale, Scale, Srgba8};
use crate::data::Expression;
use crate::dataset::data_file::{BondRequest, Depth};
use crate::dataset::images::Images;
use crate::did_you_mean::{self, shortened};
use crate::error::{Error, Result};
use crate::formats::request::{FileHints, FrameRequest};
use crate::formats::{Format, FormatKind, Topology, read_topology};
use crate::options::contact_rule::ContactRequest;
use crate::options::density_choice::DensityChoice;
use crate::options::label_text::LabelText;
use crate::options::load_options::LoadOptions;
use crate::options::option_table::{LoadOption, OptionGroup};
use crate::options::picture_settings;
use crate::options::picture_settings::{LENGTH_RULE, refuse_given};
use crate::options::routes::Route;
use crate::options::view_axis::ViewAxis;
use crate::rows::column_plan::{
    CategoryNames, ColorFrom, ColorMapping, ColumnRefusal, ColumnRequest, Dimensions, NamedAxes, Plan, RadiusFrom, Role,
};
use crate::rows::density::DensityColors;
use crate::rows::draw_order::DrawOrder;
use crate::rows::glyphs::{ArrowColor, GlyphRequest, RowShape};
use crate::rows::labels::LabelRequest;
use crate::rows::selections::{Highlight, Selections, ShownRows};
use crate::source::input::Input;

/// The first of the usual ten colours.
pub(crate) const BLUE: Srgba8 = Srgba8::hex(0x1f_77_b4);

pub(crate) fn bond_request(options: &LoadOptions) -> Result<BondRequest> {
    let LoadOptions { bonds, bond_radius, ball_scale, .. } = *options;
    for (name, length) in [("bond_radius", bond_radius), ("ball_scale", ball_scale)] {
        if let Some(length) = length.filter(|length| !(*length > 0.0 && length.is_finite())) {
            return Err(Error::setting(name, format!("must be a positive number, got {length}")));
        }
    }
    Ok(BondRequest { rule: bonds.unwrap_or_default(), bond_radius, ball_scale, guesses_style: true })
}

/// The ellipsoids and arrows that the caller asks for.
pub(crate) fn glyph_request(options: &LoadOptions) -> Result<GlyphRequest> {
    let LoadOptions { ellipsoids: probability, vectors, vector_scale, vector_color, vector_radius, .. } = options;
    let refuse = |name, message| Err(Error::setting(name, message));
    if let Some(share) = probability.filter(|share| !(*share > 0.0 && *share < 1.0)) {
        return refuse("ellipsoids", format!("must be a probability between 0 and 1, got {share}"));
    }
    if let Some(scale) = vector_scale.filter(|scale| !(scale.is_finite() && *scale != 0.0)) {
        return refuse("vector_scale", format!("must be a number other than 0, got {scale}"));
    }
    if let Some(radius) = vector_radius.filter(|radius| !(radius.is_finite() && *radius > 0.0)) {
        return refuse("vector_radius", format!("must be a number above 0, got {radius}"));
    }
    let color = vector_color.as_deref().map(str::parse::<ArrowColor>).transpose();
    let color = color.map_err(|message| Error::setting("vector_color", message))?;
    let idle = vector_scale.map(|_| "vector_scale").or(color.map(|_| "vector_color"));
    let idle = idle.or(vector_radius.map(|_| "vector_radius"));
    if let (None, Some(name)) = (vectors, idle) {
        return refuse(name, "is for arrows, which vectors draws".to_owned());
    }
    Ok(GlyphRequest {
        probability: *probability,
        vectors: vectors.clone(),
        vector_scale: *vector_scale,
        vector_radius: *vector_radius,
        vector_color: color.unwrap_or_default(),
        // inside a translucent ellipsoid they would show as discs
        has_rings: options.ellipsoid_rings == Some(true)
            && !options.opacity.iter().any(|(rows, opacity)| rows.is_none() && *opacity < 1.0),
        guesses_ellipsoids: options.radius.is_none() && options.r.is_none(),
        rows: RowShape::Sphere,
    })
}

pub(crate) fn selections(options: &LoadOptions) -> Result<Selections> {
    let parse = |name, text: &str| {
        Expression::parse(text).map_err(|message| Error::setting(name, format!("{:?}, {message}", shortened(text))))
    };
    let rows = |name, text: &Option<String>| text.as_deref().map(|text| parse(name, text)).transpose();
    let highlight = options.highlight.iter().enumerate().map(|(index, (text, color))| {
        let label = options.highlight_labels.get(index).filter(|label| !label.is_empty()).unwrap_or(text).clone();
        Ok(Highlight { of: parse("highlight", text)?, color: *color, label })
    });
    let opacity =
        |(text, opacity): &(Option<String>, f32)| Ok((rows("opacity", text)?, picture_settings::alpha(*opacity)?));
    let style = options.style.iter().map(|(text, style)| Ok((rows("style", text)?, *style)));
    let gloss = options.gloss.iter().map(|(text, gloss)| Ok((rows("gloss", text)?, *gloss)));
    let radius = options.radius_of.iter().map(|(text, radius)| {
        if !(radius.is_finite() && *radius >= 0.0) {
            return Err(Error::setting("radius", format!("{LENGTH_RULE}, got {radius}")));
        }
        Ok((parse("radius", text)?, *radius))
    });
    let labels = options.figure.label.iter().map(|(rows, text)| {
        let of = parse("label", rows)?;
        let text = LabelText::parse(text).map_err(|message| Error::setting("label", message))?;
        Ok(LabelRequest { of, text })
    });
    let contacts = options.contacts.iter().map(|(rows, with)| {
        let [of, with_rows] = [rows, &with.select].map(|text| parse("contacts", text));
        Ok(ContactRequest { of: of?, with: with_rows?, rule: with.rule })
    });
    let contacts = contacts.chain(options.hbonds.map(|rule| Ok(ContactRequest::hydrogen_bonds(rule))));
    Ok(Selections {
        shown: ShownRows { only: rows("only", &options.only)?, hide: rows("hide", &options.hide)?, hides_water: true },
        highlight: highlight.collect::<Result<_>>()?,
        opacity: options.opacity.iter().chain(&options.fade).map(opacity).collect::<Result<_>>()?,
        fading: options.fade.len(),
        opacity_by: options.opacity_by.clone(),
        density: options.density.clone(),
        panel_by: options.figure.panel_by.clone(),
        draw_order: options.draw_order.as_ref().map(|text| DrawOrder::parse(text, options.seed.unwrap_or(1))),
        style: style.collect::<Result<_>>()?,
        gloss: gloss.collect::<Result<_>>()?,
        radius: radius.collect::<Result<_>>()?,
        focus: rows("focus", &options.focus)?,
        along: match &options.look_along {
            Some(ViewAxis::Principal { of: Some(text), .. }) => Some(parse("view", text)?),
            _ => None,
        },
        center: rows("center", &options.center)?,
        labels: labels.collect::<Result<_>>()?,
        contacts: contacts.collect::<Result<_>>()?,
    })
}

pub(crate) fn images(options: &LoadOptions) -> Images {
    Images {
        wrap: options.wrap == Some(true),
        whole: options.whole == Some(true),
        unwrap: options.unwrap == Some(true),
        is_centered: options.center.is_some(),
        counts: options.replicate.unwrap_or([1; 3]),
    }
}

pub(crate) fn hints(input: &Input, format: Format, options: &LoadOptions) -> Result<FileHints> {
    let topology = topology(input, format, options)?;
    Ok(FileHints {
        raw: options.raw.clone(),
        topology,
        atom_style: options.atom_style,
        decimal: options.decimal,
        missing: options.missing.clone(),
    })
}

fn topology(input: &Input, format: Format, options: &LoadOptions) -> Result<Option<Arc<Topology>>> {
    let Some(path) = &options.topology else { return Ok(None) };
    if !format.takes_topology() {
        let message = format!("is for trajectories; {} is {format}", input.name);
        return Err(Error::setting("topology", message));
    }
    read_topology(&input.files, Path::new(path), input.quota).map(Arc::new).map(Some)
}

pub(crate) fn extent(options: &LoadOptions, depth: Depth) -> FrameRequest {
    FrameRequest {
        count_frames: depth == Depth::Describe,
        symmetry: options.symmetry.unwrap_or_default(),
        ..FrameRequest::of(options.frame.unwrap_or(0))
    }
}

/// Refuses options that mean nothing for tables, or for atoms.
pub(crate) fn refuse_options(file: &str, format: Format, options: &LoadOptions) -> Result<()> {
    if format != Format::LammpsData {
        refuse_given(["atom_style"], options, || format!("is for LAMMPS data; {file} is {format}"))?;
    }
    if !matches!(format, Format::Csv | Format::PointCloud) {
        refuse_given(["decimal", "missing"], options, || format!("is for tables of text; {file} is {format}"))?;
    }
    match format.kind() {
        FormatKind::Atoms => Route::Atoms(file).check(options),
        FormatKind::Table | FormatKind::Scene => Ok(()),
        FormatKind::Topology => Err(no_positions(file, format)),
    }
}

/// The error for a topology without a trajectory.
pub(crate) fn no_positions(file: &str, format: Format) -> Error {
    let message = format!("{format} has no positions; draw the trajectory, with --topology {}", shortened(file));
    Error::input(file, None, message)
}

/// Refuses options without meaning for this kind of data, before reading all of it.
pub(crate) fn check(file: &str, format: Format, plan: &Plan, options: &LoadOptions) -> Result<()> {
    if !plan.is_solid() {
        return Route::Circles(file).check(options);
    }
    Route::Spheres(file).check(options)?;
    if format != Format::Cif {
        refuse_given(["symmetry"], options, || format!("is for crystals in CIF; {file} is {format}"))?;
    }
    match format.kind() {
        FormatKind::Table if format == Format::Npy => Route::Array(file).check(options),
        FormatKind::Table => Route::Table(file).check(options),
        FormatKind::Atoms | FormatKind::Scene | FormatKind::Topology => Ok(()),
    }
}

pub(crate) fn column_request(options: &LoadOptions) -> Result<ColumnRequest> {
    let setting = |name, message: &str| Err(Error::setting(name, message));
    let axes = match (&options.x, &options.y, &options.z) {
        (Some(x), Some(y), None) => Some(NamedAxes::Plane([x.clone(), y.clone()])),
        (Some(x), Some(y), Some(z)) => Some(NamedAxes::Space([x.clone(), y.clone(), z.clone()])),
        (None, None, None) => None,
        (Some(_), None, _) => return setting("y", "must name a column too when x does"),
        (None, Some(_), _) => return setting("x", "must name a column too when y does"),
        (None, None, Some(_)) => return setting("x", "and y must name columns too when z does"),
    };
    let color = match (&options.color, &options.color_by) {
        (Some(_), Some(_)) => return setting("color", "and color_by both say the colour; give one"),
        (Some(name), None) | (None, Some(name)) => ColorFrom::name(name, BLUE),
        (None, None) => ColorFrom::Data(BLUE),
    };
    let radius = match (&options.r, &options.radius) {
        (Some(_), Some(_)) => return setting("r", "and radius both say the radius; give one"),
        (Some(name), None) => RadiusFrom::Quantity(name.clone()),
        (None, Some(text)) => radius(text)?,
        (None, None) => RadiusFrom::Data,
    };
    let radius = match (options.radius_range, radius) {
        (None, radius) => radius,
        (Some(range), _) if !range.iter().all(|end| end.is_finite() && *end >= 0.0) => {
            return setting("radius_range", "must be two numbers from 0 to 3.4e38");
        }
        (Some([least, most]), _) if least == most => {
            let message = format!("must be two different radii, got {least} twice; radius is one of all");
            return Err(Error::setting("radius_range", message));
        }
        (Some(range), RadiusFrom::Quantity(column)) => RadiusFrom::Scaled { column, range, scale: Scale::Sqrt },
        (Some(_), _) => return setting("radius_range", "is for radii by a column, which --r or --radius names"),
    };
    // of a density, numbers of pixels are mapped
    let mapping = if options.density.is_some() { ColorMapping::default() } else { mapping(options)? };
    let categories = CategoryNames { order: options.categories.clone(), listed: options.legend_categories.clone() };
    Ok(ColumnRequest { place: Dimensions::Any, axes, color, mapping, categories, radius })
}

/// How the numbers of pixels are mapped; refuses options about single circles beside a density.
pub(crate) fn density_colors(options: &LoadOptions) -> Result<DensityColors> {
    const OF_SHAPES: [&str; 22] = [
        "color",
        "color_by",
        "palette",
        "opacity",
        "opacity_by",
        "stroke",
        "draw_order",
        "figure_width",
        "highlight",
        "style",
        "gloss",
        "bonds",
        "bond_radius",
        "ball_scale",
        "contacts",
        "hbonds",
        "ellipsoids",
        "ellipsoid_rings",
        "vectors",
        "vector_scale",
        "vector_color",
        "vector_radius",
    ];
    let rule = || "is for shapes; density draws numbers of pixels".to_owned();
    let is_shading = |option: &&LoadOption| option.group == OptionGroup::Shading && option.name != "seed";
    refuse_given(OF_SHAPES, options, rule)?;
    refuse_given(LoadOption::all().iter().filter(is_shading).map(|option| option.name), options, rule)?;
    if options.color_scale == Some(ColorScale::Equalize) {
        let rule = || "is for linear, sqrt and log; color_scale equalize spreads all numbers of pixels".to_owned();
        refuse_given(["color_range", "color_center"], options, rule)?;
    }
    let ColorMapping { map, range, .. } = mapping(options)?;
    let bin = options.density_bin;
    if bin == Some(0) {
        return Err(Error::setting("density_bin", "must be a whole number of pixels from 1, got 0"));
    }
    if bin.is_some() && matches!(options.density, Some(DensityChoice::Mass(_))) {
        return Err(Error::setting("density_bin", "is for points; density mass spreads circles over pixels"));
    }
    Ok(DensityColors { map, range, scale: options.color_scale, bin })
}

/// How colours are mapped: by a palette of separate colours or by a ramp.
fn mapping(options: &LoadOptions) -> Result<ColorMapping> {
    let find = |name: &'static str, text: &str, use_of_map: MapUse| {
        let known = ColorMap::from_name(text);
        known.filter(|map| map.is_for(use_of_map)).ok_or_else(|| {
            if known.is_some() {
                let rule = match use_of_map {
                    MapUse::Categories => "takes separate colours; {} is a ramp for numbers, which colormap takes",
                    MapUse::Values => "takes a ramp for numbers; {} has separate colours, which palette takes",
                };
                return Error::setting(name, rule.replace("{}", text));
            }
            let is_safe = |name: &str| ["colorblind", "colourblind", "color-blind", "wong", "okabe"].contains(&name);
            if matches!(use_of_map, MapUse::Categories) && is_safe(&text.to_lowercase().replace('_', "-")) {
                let message = format!("has no {text}; okabe-ito has 8 colours that the colour-blind tell apart");
                return Error::setting(name, message);
            }
            let hint = did_you_mean::hint(text, ColorMap::names_for(use_of_map), "accepted");
            Error::setting(name, format!("must be one of these maps, got {:?}{hint}", shortened(text)))
        })
    };
    let map = match (&options.palette, &options.colormap) {
        (Some(_), Some(_)) => {
            return Err(Error::setting("palette", "and colormap both say the colours; give one"));
        }
        (Some(name), None) => Some(find("palette", name, MapUse::Categories)?),
        (None, Some(name)) => Some(find("colormap", name, MapUse::Values)?),
        (None, None) => None,
    };
    let scale = match options.color_scale {
        Some(ColorScale::Equalize) if options.density.is_none() => {
            let message = "equalize is for density, whose pixels it ranks; colours of rows take linear, sqrt or log";
            return Err(Error::setting("color_scale", message));
        }
        Some(ColorScale::Equalize) | None => None,
        Some(ColorScale::By(scale)) => Some(scale),
    };
    let range = match (options.color_range, options.color_center) {
        (_, Some(center)) if !center.is_finite() => {
            return Err(Error::setting("color_center", format!("must be finite, got {center}")));
        }
        (Some(ColorRange::Numbers(ends)), Some(middle)) => Some(ColorRange::Within { middle, ends }),
        (Some(range), Some(_)) => {
            let message = format!("takes a color_range of two numbers beside it, got {range}");
            return Err(Error::setting("color_center", message));
        }
        (range, center) => range.or(center.map(ColorRange::Around)),
    };
    let (map, range) = in_order(map, range);
    if let (Some(ColorRange::Numbers([least, _]) | ColorRange::Within { ends: [least, _], .. }), Some(scale)) =
        (range, scale)
        && !scale.of(least).is_finite()
    {
        return Err(Error::setting("color_range", format!("must be positive for the scale {scale}, got {least}")));
    }
    if let (Some(ColorRange::Around(middle) | ColorRange::Within { middle, .. }), Some(scale)) = (range, scale)
        && !scale.of(middle).is_finite()
    {
        return Err(Error::setting("color_center", format!("must be positive for the scale {scale}, got {middle}")));
    }
    Ok(ColorMapping { map, range, scale, alpha: 255, shades_chains: true })
}

/// The map and its range with the lesser end first. A reversed range reverses the map; around a middle, the default is
/// a map of two hues.
pub(crate) fn in_order(map: Option<ColorMap>, range: Option<ColorRange>) -> (Option<ColorMap>, Option<ColorRange>) {
    match range.map(ColorRange::ascending) {
        Some((range @ ColorRange::Within { .. }, is_reversed)) => {
            let map = map.or_else(|| ColorMap::from_name("coolwarm"));
            (map.map(|map| if is_reversed { map.reversed() } else { map }), Some(range))
        }
        Some((range, true)) => (Some(map.unwrap_or(ColorMap::VIRIDIS).reversed()), Some(range)),
        Some((range @ ColorRange::Around(_), _)) => (map.or_else(|| ColorMap::from_name("coolwarm")), Some(range)),
        _ => (map, range),
    }
}

/// `--radius`: a word, a number, or else a column.
fn radius(text: &str) -> Result<RadiusFrom> {
    if text == "vdw" {
        return Ok(RadiusFrom::Vdw);
    }
    match text.parse::<f32>() {
        Ok(radius) if radius.is_finite() && radius >= 0.0 => Ok(RadiusFrom::Constant(radius)),
        Ok(_) => Err(Error::setting("radius", format!("{LENGTH_RULE}, got {text}"))),
        Err(_) => Ok(RadiusFrom::Quantity(text.to_owned())),
    }
}

/// The error for a request that cannot be granted.
pub(crate) fn refuse(file: &str, options: &LoadOptions, refusal: ColumnRefusal) -> Error {
    let name = match refusal.role {
        Role::Axes => return Error::input(file, 1, refusal.rule),
        Role::X => "x",
        Role::Y => "y",
        Role::Z => "z",
        Role::Color if options.color.is_some() => "color",
        Role::Color => "color_by",
        Role::ColorMap if options.palette.is_some() => "palette",
        // its default map is a ramp
        Role::ColorMap if options.colormap.is_none() && options.color_center.is_some() => "color_center",
        // a reversed range reverses the ramp
        Role::ColorMap if options.colormap.is_none() => "color_range",
        Role::ColorMap => "colormap",
        Role::ColorRange => "color_range",
        Role::ColorScale => "color_scale",
        Role::Radius if options.r.is_some() => "r",
        Role::Radius => "radius",
        Role::Vectors | Role::End | Role::Radii | Role::Rotation => "vectors",
    };
    Error::setting(name, refusal.rule)
}
