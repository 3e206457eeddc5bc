//! `roundel render`: draws a scene or data to a PNG.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use roundel::io::{Overrides, load};
use roundel::{Frame, Renderer, Result, Srgba8};

use super::demo::Demo;
use super::figure_flags::FigureFlags;
use super::flags::{PerformanceFlags, PictureFlags};
use super::limits::LimitFlags;
use super::output::{Replaceable, check_format, check_overwriting, print};
use super::progress::{Steps, Verbosity};
use super::statistics::{Format, Report};
use super::verdict::Verdict;

/// Draw a scene or data file to a PNG; without a file, draw the demo
#[derive(Debug, Args)]
#[command(after_help = "\
A scene file says what to draw and how. A data file is drawn with defaults that suit it: on a white background, in a \
picture that it fills, whose longer side is 1280 pixels and at most three times the shorter; molecules with van der Waals \
radii, in the colours of the elements and the look illustrative, particles in the look studio, both turned so that their \
longest axis lies across; tables as a map with north at the top. Flags override both.

Examples:
  roundel render                                     Draw the demo
  roundel render molecule.pdb -o molecule.png        Draw a molecule
  roundel render virus.pdb --assembly 1              Draw a whole capsid
  roundel render places.csv --x lon --y lat --r pop  Draw a map of cities
  roundel render molecule.pdb --view top --zoom 1.5  Draw it from above, larger
  roundel render molecule.pdb --legend --scale-bar --dpi 300 -o figure.png
  roundel render scene.toml -W 640 --samples 16      Draw a scene, but smoother
  roundel render atoms.xyz --look studio             Draw with shadows and fog
  roundel generate uniform -n 1e6 -o - | roundel render - -o million.png

Exit status:
  0  Success
  2  Error; the message is on standard error")]
pub(super) struct Arguments {
    /// Scene (.toml, .json) or data (.csv, .xyz, .pdb, .cif, .gro, .dump and more); - for standard input
    #[arg(value_name = "SCENE|DATA")]
    input: Option<PathBuf>,
    /// PNG to write; - for standard output [default: the input's name with .png, in this folder]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Overwrite the output even if it is the input or not a PNG
    #[arg(long)]
    force: bool,
    /// Print counts, times and peak memory to standard error, as text or JSON
    #[arg(long, value_enum, num_args = 0..=1, require_equals = true, default_missing_value = "text")]
    #[arg(value_name = "FORMAT")]
    stats: Option<Format>,
    /// Print nothing but errors
    #[arg(short, long, conflicts_with = "verbose")]
    quiet: bool,
    /// Print each step and its time
    #[arg(short, long)]
    verbose: bool,
    #[command(flatten)]
    picture: PictureFlags,
    #[command(flatten)]
    figure: FigureFlags,
    #[command(flatten)]
    performance: PerformanceFlags,
    #[command(flatten)]
    limits: LimitFlags,
}

pub(super) fn run(arguments: &Arguments) -> Result<Verdict> {
    let verbosity = match (arguments.quiet, arguments.verbose) {
        (true, _) => Verbosity::Quiet,
        (false, false) => Verbosity::Normal,
        (false, true) => Verbosity::Verbose,
    };
    let input = arguments.input.as_deref();
    let output = arguments.output.clone().unwrap_or_else(|| default_output(input));
    if !arguments.force {
        check_overwriting(&output, input, Replaceable::Png)?;
    }
    check_format(&output)?;
    let start = Instant::now();
    let budget = arguments.limits.budget();
    // before the file is read, so that a wrong setting is reported at once
    let mut renderer = Renderer::new(&arguments.performance.settings(budget))?;
    let overrides = Overrides { figure: arguments.figure.overrides(), ..arguments.picture.overrides(budget)? };
    let steps = Steps::new(verbosity);
    let mut frame = Frame::new(1, 1, Srgba8::TRANSPARENT)?;

    steps.begin("reading");
    let mut dpi = None;
    let (load_time, statistics) = if let Some(input) = input {
        let loaded = load(input, &overrides)?;
        let load_time = start.elapsed();
        steps.done(&format!("read {}", input.display()), start);
        loaded.notes.iter().for_each(|note| steps.note(note));
        steps.begin("drawing");
        dpi = loaded.figure.dpi();
        (load_time, loaded.draw(&mut renderer, &mut frame)?)
    } else {
        let demo = Demo::new(&overrides)?;
        let load_time = start.elapsed();
        steps.done("made the demo", start);
        steps.begin("drawing");
        (load_time, demo.draw(&mut renderer, &mut frame)?)
    };
    let shapes = format!("{} {}", statistics.shapes, if statistics.shapes == 1 { "shape" } else { "shapes" });
    steps.done(&format!("drew {shapes}"), start + load_time);

    steps.begin("writing");
    let encode_start = Instant::now();
    match dpi {
        Some(dpi) => frame.save_png_with_dpi(&output, dpi)?,
        None => frame.save_png(&output)?,
    }
    let encode = encode_start.elapsed();
    steps.done(&format!("wrote {}", output.display()), encode_start);
    steps.finish();

    let total = start.elapsed();
    if verbosity != Verbosity::Quiet && output != Path::new("-") {
        let size = format!("{} x {} pixels", frame.width(), frame.height());
        print(&format!("wrote {}: {size}, {shapes}, {:.2} s\n", output.display(), total.as_secs_f64()))?;
    }
    if let Some(format) = arguments.stats {
        let report = Report { statistics, load: load_time, encode, total };
        // statistics that cannot be printed are not worth an error
        let _ = io::stderr().write_all(report.to_text(format).as_bytes());
    }
    Ok(Verdict::Done)
}

/// Returns the input's name with `.png`, in the current folder.
fn default_output(input: Option<&Path>) -> PathBuf {
    match input {
        None => "roundel-demo.png".into(),
        Some(input) if input == Path::new("-") => "roundel.png".into(),
        Some(input) => Path::new(input.file_name().unwrap_or("roundel".as_ref())).with_extension("png"),
    }
}
