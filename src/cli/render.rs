//! `roundel render`: a scene or data in, a PNG out.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use roundel::io::read_scene;
use roundel::{Frame, Renderer, Result, Srgba8};

use super::limits::Limits;
use super::options::{Making, Picture};
use super::output::{self, Replaceable};
use super::progress::{Steps, Talk};
use super::statistics::{Form, Report};
use super::{Verdict, demo, print};

/// Draw a scene or data into a PNG; with no argument, the built-in demo
#[derive(Debug, Args)]
#[command(after_help = "\
A scene says what it wants. Bare data is drawn to be looked at: 1280x960 on white, molecules space-filling in their
elements' colours, tables as a map with north up and equal scale on both axes. Flags override both.

Examples:
  roundel render                                          the demo, into roundel-demo.png
  roundel render molecule.pdb -o molecule.png             a molecule
  roundel render virus.pdb --assembly 1 --color-by chain  a whole capsid
  roundel render places.csv --x lon --y lat --r people    a map, areas after a column
  roundel render scene.toml -W 640 -H 480 --samples 16    a scene, smaller and smoother
  roundel generate uniform -n 1e6 -o - | roundel render - -o million.png

Exit status: 0 done; 2 an error.")]
pub(super) struct Arguments {
    /// A scene (.toml, .json) or bare data (.csv, .tsv, .xyz, .pdb); - is standard input
    #[arg(value_name = "SCENE|DATA")]
    input: Option<PathBuf>,
    /// The PNG to write; - is standard output [default: the input's name with .png, in this folder]
    #[arg(short, long, value_name = "OUT.png")]
    output: Option<PathBuf>,
    /// Overwrite the output even if it is the input, or is no PNG
    #[arg(long)]
    force: bool,
    /// Say counts, times and peak memory on standard error, as text or with --stats=json
    #[arg(long, value_enum, num_args = 0..=1, require_equals = true, default_missing_value = "text")]
    #[arg(value_name = "FORM")]
    stats: Option<Form>,
    /// Say nothing but errors
    #[arg(short, long, conflicts_with = "verbose")]
    quiet: bool,
    /// Say each step and its time
    #[arg(short, long)]
    verbose: bool,
    #[command(flatten)]
    picture: Picture,
    #[command(flatten)]
    limits: Limits,
    #[command(flatten)]
    making: Making,
}

pub(super) fn run(arguments: &Arguments) -> Result<Verdict> {
    let talk = match (arguments.quiet, arguments.verbose) {
        (true, _) => Talk::Quiet,
        (false, false) => Talk::Normal,
        (false, true) => Talk::Verbose,
    };
    let input = arguments.input.as_deref();
    let output = arguments.output.clone().unwrap_or_else(|| default_output(input));
    if !arguments.force {
        output::check(&output, input, Replaceable::Png)?;
    }
    let start = Instant::now();
    let budget = arguments.limits.budget();
    // wrong settings are told before a long load
    let mut renderer = Renderer::new(&arguments.making.settings(budget))?;
    let overrides = arguments.picture.overrides(budget);
    let steps = Steps::new(talk);
    let mut frame = Frame::new(1, 1, Srgba8::TRANSPARENT)?;

    steps.begin("reading");
    let (load, drawn) = if let Some(input) = input {
        let scene = read_scene(input, &overrides)?;
        let load = start.elapsed();
        steps.done(&format!("read {}", input.display()), start);
        steps.begin("drawing");
        (load, renderer.render(&scene, &mut frame)?)
    } else {
        let scenes = demo::scenes(&overrides)?;
        let load = start.elapsed();
        steps.done("made the demo", start);
        steps.begin("drawing");
        (load, demo::draw(&scenes, &mut renderer, &mut frame)?)
    };
    let shapes = format!("{} {}", drawn.shapes, if drawn.shapes == 1 { "shape" } else { "shapes" });
    steps.done(&format!("drew {shapes}"), start + load);

    steps.begin("writing");
    let encoding = Instant::now();
    frame.save_png(&output)?;
    let encode = encoding.elapsed();
    steps.done(&format!("wrote {}", output.display()), encoding);
    steps.finish();

    let total = start.elapsed();
    if talk != Talk::Quiet && output != Path::new("-") {
        let size = format!("{} x {} pixels", frame.width(), frame.height());
        print(&format!("wrote {}: {size}, {shapes}, {:.2} s\n", output.display(), total.as_secs_f64()))?;
    }
    if let Some(form) = arguments.stats {
        let report = Report { drawn, load, encode, total };
        // nobody reads it if this fails
        let _ = io::stderr().write_all(report.show(form).as_bytes());
    }
    Ok(Verdict::Done)
}

/// The input's name with `.png`, in the current folder.
fn default_output(input: Option<&Path>) -> PathBuf {
    match input {
        None => "roundel-demo.png".into(),
        Some(input) if input == Path::new("-") => "roundel.png".into(),
        Some(input) => Path::new(input.file_name().unwrap_or("roundel".as_ref())).with_extension("png"),
    }
}
