//! Every option over every route once: it is refused with a message, or it changes pixels or notes.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use crate::files::Folder;
use crate::idle_options::{CIRCLES, SILENT, heap, helix, ions, particles, set, values};
use roundel::circles::{CircleScene, PaintedCircle};
use roundel::film::{Film, FilmOptions, FilmPainter};
use roundel::generate::Pattern;
use roundel::io::{
    FigureInfo, FrameChoice, LoadOption, LoadOptions, LoadedScene, MoleculeStyle, OptionGroup, SphereKind,
    StreamedCircles, StreamedScene, figure_of_circles, figure_of_shapes, load, load_grid, load_several,
    scene_of_spheres,
};
use roundel::spheres::{Gloss, PaintedSphere, Shapes};
use roundel::{Frame, RenderSettings, Renderer, Result, Srgba8};

/// What a picture shows, and the notes on it.
#[derive(PartialEq)]
struct Outcome {
    frame: Frame,
    notes: Vec<String>,
}

type Draw<'a> = Box<dyn Fn(&LoadOptions, &mut Renderer) -> Result<Outcome> + 'a>;

/// A way to draw with options, and the options that it takes from another place.
struct Route<'a> {
    name: &'static str,
    draw: Draw<'a>,
}

fn frame() -> Result<Frame> {
    Frame::new(1, 1, Srgba8::TRANSPARENT)
}

fn outcome(loaded: &LoadedScene<'_>, renderer: &mut Renderer) -> Result<Outcome> {
    let mut frame = frame()?;
    let report =
        loaded.draw_unless_cancelled(renderer, &mut frame, &AtomicBool::new(false))?.expect("nothing cancels it");
    Ok(Outcome { frame, notes: [&loaded.notes[..], report.note().as_slice()].concat() })
}

fn spheres() -> Vec<PaintedSphere> {
    let sphere = |index: u8| {
        let place = [0.9, 0.4, 0.7].map(|step| (f32::from(index) * step).fract() * 5.0);
        PaintedSphere::new(place, 0.8, Srgba8::rgb(0xcc, 20 * index, 0x77))
    };
    (1..9).map(sphere).collect()
}

/// The routes of files: `read` makes a scene of paths.
fn loaded<'a>(name: &'static str, read: impl Fn(&LoadOptions) -> Result<LoadedScene<'static>> + 'a) -> Route<'a> {
    let draw = move |options: &LoadOptions, renderer: &mut Renderer| outcome(&read(options)?, renderer);
    Route { name, draw: Box::new(draw) }
}

fn panels(options: &LoadOptions, files: &[PathBuf], renderer: &mut Renderer) -> Result<Outcome> {
    let mut options = options.clone();
    options.figure.grid = options.figure.grid.or_else(|| "2x1".parse().ok());
    let grid = load_grid(files, &FrameChoice::One, &options)?;
    let mut frame = frame()?;
    let report = grid.draw(renderer, &mut frame)?;
    Ok(Outcome { frame, notes: [&grid.notes[..], report.note().as_slice()].concat() })
}

fn film(options: &LoadOptions, file: &PathBuf, renderer: &mut Renderer) -> Result<Outcome> {
    let film = Film::plan(&[file], options, &FilmOptions::default(), |_| Ok(()))?;
    let Some((path, options)) = film.frame(film.len() - 1) else {
        // no options of one file draw panels
        let frame = FilmPainter::new(&film, renderer).draw(film.len() - 1)?;
        return Ok(Outcome { frame, notes: film.notes().to_vec() });
    };
    let Outcome { frame, notes } = outcome(&load(path, &options)?, renderer)?;
    Ok(Outcome { frame, notes: [film.notes(), &notes].concat() })
}

fn stream(scene: &StreamedScene, renderer: &mut Renderer) -> Result<Outcome> {
    let notes = scene.notes(&scene.visible(renderer)?);
    let mut frame = frame()?;
    scene.draw(renderer, &mut frame)?;
    Ok(Outcome { frame, notes })
}

/// The options that are no row of the table: pairs of a selection and a value.
fn pairs() -> Vec<(&'static str, LoadOptions)> {
    let none = LoadOptions::default();
    let rows = || Some("index 0:30".to_owned());
    vec![
        ("highlight", LoadOptions { highlight: vec![("index 0:30".to_owned(), Srgba8::BLACK)], ..none.clone() }),
        ("opacity", LoadOptions { opacity: vec![(None, 0.4)], ..none.clone() }),
        ("opacity of rows", LoadOptions { opacity: vec![(rows(), 0.4)], ..none.clone() }),
        ("style", LoadOptions { style: vec![(None, MoleculeStyle::Points)], ..none.clone() }),
        ("gloss", LoadOptions { gloss: vec![(rows(), "0.8,0.2".parse::<Gloss>().expect("a gloss"))], ..none }),
    ]
}

/// Options with a value each that may do something on some route, and their names.
fn given() -> Vec<(&'static LoadOption, Vec<LoadOptions>)> {
    let set = |option: &LoadOption, value: &str| {
        let mut options = LoadOptions::default();
        option.set(&mut options, value).ok()?;
        Some(options)
    };
    let more = |name: &str| match name {
        "same_view" => vec!["view.toml"],
        "topology" => vec!["two.pdb"],
        "label" => vec!["index 0=a"],
        "stamp" => vec!["step"],
        "legend_unit" => vec!["eV"],
        "legend_order" => vec!["count", "name"],
        "grid" => vec!["3x1"],
        "stereo" => vec!["6"],
        "panel_title" => vec!["{name}: {frame}"],
        "panel_by" => vec!["kind", "v"],
        "vector_radius" => vec!["0.3"],
        "whole" | "unwrap" => vec!["true"],
        "center" => vec!["index 0"],
        "smooth" => vec!["3"],
        "radius_range" => vec!["0.1,0.5"],
        "dpi" => vec!["300"],
        "fog" => vec!["0.9"],
        "specular" | "roughness" => vec!["0.3"],
        "focus_margin" => vec!["3"],
        "format" => vec!["pdb", "xyz"],
        _ => Vec::new(),
    };
    let each = |option: &'static LoadOption| {
        let texts = values(option).into_iter().chain(more(option.name));
        (option, texts.filter_map(|text| set(option, text)).collect())
    };
    LoadOption::all().iter().map(each).collect()
}

/// Options that change no pixel of pictures as small as these: what they write, recognize, outline or cut away.
const SILENT_HERE: [&str; 4] = ["dpi", "format", "outline_depth", "trim"];

/// Options that change nothing where the plain picture says why, or where any value is the same.
const SAME: [(&str, &str); 3] =
    [("several frames", "whole"), ("several frames", "bond_radius"), ("several frames", "legend_order")];

#[test]
fn every_option_works_or_is_refused_on_every_route() {
    let folder = Folder::new();
    let frames = format!("{}{}", ions(), ions().replace("Na ", "Na 1"));
    let [table, atoms, molecule, map, scene, circles] = [
        ("table.csv", particles(3)),
        ("ions.xyz", frames),
        ("two.pdb", helix(6)),
        ("map.csv", particles(2)),
        ("spheres.toml", heap()),
        ("circles.toml", CIRCLES.to_owned()),
    ]
    .map(|(name, text)| folder.file(name, text));
    folder.file(
        "view.toml",
        "[camera]\neye = [9, 8, 30]\ntarget = [1, 2, 3]\n[[sphere]]\ncenter = [0, 0, 0]\nradius = 1\n",
    );
    let files = [molecule.clone(), atoms.clone()];
    let coins =
        || (0_u8..5).map(|i| PaintedCircle::new([f32::from(6 * i), 9.0], 5.0, Srgba8::BLACK)).collect::<Vec<_>>();
    let facts = FigureInfo::default();
    let routes = [
        loaded("circles", |options| load(&map, options)),
        loaded("table", |options| load(&table, options)),
        loaded("atoms", |options| load(&atoms, options)),
        loaded("molecule", |options| load(&molecule, options)),
        loaded("scene of spheres", |options| load(&scene, options)),
        loaded("scene of circles", |options| load(&circles, options)),
        loaded("several files", |options| load_several(&files, &FrameChoice::One, options)),
        loaded("several frames", |options| load_several(&files[1..], &FrameChoice::All, options)),
        Route { name: "panels", draw: Box::new(|options, renderer| panels(options, &files, renderer)) },
        Route { name: "film", draw: Box::new(|options, renderer| film(options, &atoms, renderer)) },
        Route {
            name: "stream",
            draw: Box::new(|options, renderer| {
                stream(&StreamedScene::files(std::slice::from_ref(&table), options)?, renderer)
            }),
        },
        Route {
            name: "streamed pattern",
            draw: Box::new(|options, renderer| {
                stream(&StreamedScene::generated(Pattern::Uniform, 30, 1, options)?, renderer)
            }),
        },
        Route {
            name: "streamed circles",
            draw: Box::new(|options, renderer| {
                let mut frame = frame()?;
                StreamedCircles::generated(Pattern::Uniform, 30, 1, options)?.draw(renderer, &mut frame)?;
                Ok(Outcome { frame, notes: Vec::new() })
            }),
        },
        Route {
            name: "memory",
            draw: Box::new(|options, renderer| {
                let group = vec![spheres().into()];
                outcome(&figure_of_shapes(group, Shapes::default(), SphereKind::Particles, &facts, options)?, renderer)
            }),
        },
        Route {
            name: "memory without marks",
            draw: Box::new(|options, renderer| {
                let mut frame = frame()?;
                let scene = scene_of_spheres(vec![spheres().into()], SphereKind::Particles, options)?;
                renderer.render(&scene.into(), &mut frame)?;
                Ok(Outcome { frame, notes: Vec::new() })
            }),
        },
        Route {
            name: "circles in memory",
            draw: Box::new(|options, renderer| {
                let marks = LoadOptions { width: None, height: None, look: None, ..options.clone() };
                let sized = options.width != Some(32) || options.height != Some(24) || options.look.is_some();
                let options = if sized { options } else { &marks };
                let canvas = CircleScene::new(32, 24).with_layer(coins());
                outcome(&figure_of_circles(canvas, &facts, options)?, renderer)
            }),
        },
    ];
    let mut renderer = Renderer::new(&RenderSettings::default()).expect("valid settings");
    let mut idle = Vec::new();
    let given = given();
    for Route { name: route, draw } in &routes {
        let (width, height) = if *route == "panels" { (120, 90) } else { (32, 24) };
        let mut base = LoadOptions { width: Some(width), height: Some(height), ..LoadOptions::default() };
        if !route.contains("circles") {
            set(&mut base, &[("look", "flat")]);
        }
        let plain = draw(&base, &mut renderer).expect(route);
        let mut changes = |options: &LoadOptions| {
            let sides = if options.figure.figure_width.is_some() { (None, None) } else { (base.width, base.height) };
            let mut options =
                LoadOptions { width: options.width.or(sides.0), height: options.height.or(sides.1), ..options.clone() };
            options.look = options.look.or(base.look);
            if let Some(path) = &mut options.same_view {
                *path = table.with_file_name(&*path).to_string_lossy().into_owned();
            }
            draw(&options, &mut renderer).map_or_else(|error| !error.to_string().is_empty(), |drawn| drawn != plain)
        };
        for (option, values) in &given {
            // scenes without marks have no notes
            let has_notes = !["memory without marks", "streamed circles"].contains(route);
            let is_of_shading = option.group == OptionGroup::Shading && !has_notes;
            let is_silent = is_of_shading
                || SILENT_HERE.contains(&option.name)
                || SILENT.iter().any(|(name, _)| *name == option.name);
            let is_silent = is_silent || SAME.contains(&(route, option.name));
            if !is_silent && !values.is_empty() && !values.iter().any(&mut changes) {
                idle.push(format!("{route}: {}", option.name));
            }
        }
        idle.extend(
            pairs().iter().filter(|(_, options)| !changes(options)).map(|(name, _)| format!("{route}: {name}")),
        );
    }
    let untried: Vec<&str> =
        given.iter().filter(|(_, values)| values.is_empty()).map(|(option, _)| option.name).collect();
    assert!(untried.is_empty(), "the test has no values of {untried:?}");
    assert!(idle.is_empty(), "{} options are idle without a word: {idle:#?}", idle.len());
}

#[test]
fn refusals_say_for_what_an_option_is() {
    let kind = SphereKind::Particles;
    let refused = |name: &str, value: &str| {
        let mut options = LoadOptions::default();
        set(&mut options, &[(name, value)]);
        scene_of_spheres(vec![spheres().into()], kind, &options).expect_err(name).to_string()
    };
    for name in
        ["bonds", "vectors", "smooth", "compute", "center", "whole", "only", "color_by", "color_center", "focus"]
    {
        let value = match name {
            "bonds" => "distance",
            "smooth" => "3",
            "whole" => "true",
            "color_center" => "1",
            "compute" => "a = x",
            _ => "x",
        };
        assert_eq!(refused(name, value), format!("{name} is for files; these shapes are in memory"));
    }
    let mut options = LoadOptions::default();
    set(&mut options, &[("view", "axis 1")]);
    let refused = scene_of_spheres(vec![spheres().into()], kind, &options).expect_err("an axis of rows");
    assert_eq!(refused.to_string(), "view along an axis of data is for files; these shapes are in memory");
}
