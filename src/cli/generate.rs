//! `roundel generate`: writes generated shapes to a file.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use roundel::circles::PaintedCircle;
use roundel::generate::{self, Pattern};
use roundel::io::{OutputKind, write_file};
use roundel::spheres::PaintedSphere;
use roundel::{Error, Result};

use super::CommandOutcome;
use super::numbers::{count, whole_u64};
use super::output::{Force, check_overwriting, npy_header, print};
use super::progress::{self, Verbosity};

/// Generate any number of shapes, the same on every machine
#[derive(Debug, Args)]
#[command(after_help = "\
The shapes fill the box from -1 to 1. CSV files have the columns x, y, z, radius and color, with --circles no z; XYZ files \
have the same columns in the extended format; NPY files are an array of NumPy's with the columns x, y, z and radius. `roundel render` \
draws all of them as they are. \
Shapes are written as they are generated, so that any number takes little memory.

Examples:
  roundel generate sphereflake -n 66430 -o flake.csv      Write a table
  roundel generate uniform -n 1e6 --seed 7 -o random.xyz  Write random atoms
  roundel generate gaussian -n 1e8 -o cloud.npy           Write an array
  roundel generate sunflower -n 5000 --circles -o - | roundel render -

Exit status:
  0  Success
  2  Error; the message is on standard error")]
pub(super) struct GenerateArguments {
    /// Arrangement of the shapes
    #[arg(value_name = "KIND", value_parser = pattern())]
    pattern: Pattern,
    /// Number of shapes, such as 1000, 1.5e6 or 1_000_000
    #[arg(short = 'n', long = "count", value_name = "N", value_parser = count)]
    count: u64,
    /// Seed of the random patterns, uniform and gaussian
    #[arg(long, default_value_t = 1, value_parser = whole_u64)]
    seed: u64,
    /// CSV, XYZ or NPY file to write; - for CSV on standard output
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Generate circles instead of spheres (CSV only)
    #[arg(long)]
    circles: bool,
    #[command(flatten)]
    force: Force,
    /// Print nothing but errors
    #[arg(short, long)]
    quiet: bool,
}

/// The format of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RowFormat {
    CsvSpheres,
    CsvCircles,
    XyzSpheres,
    NpySpheres,
}

/// Rows that a thread generates at a time: enough to make the cost of scheduling negligible.
const CHUNK: u64 = 1 << 14;

/// Chunks per thread between two writes: enough to keep all threads busy.
const CHUNKS_PER_THREAD: u64 = 4;

pub(super) fn run(arguments: &GenerateArguments) -> Result<CommandOutcome> {
    let format = row_format(arguments)?;
    check_overwriting("output", &arguments.output, &[], OutputKind::Data, arguments.force.overwriting())?;
    let verbosity = if arguments.quiet { Verbosity::Quiet } else { Verbosity::Normal };
    let bar = progress::counted(verbosity, arguments.count);
    bar.set_message(arguments.pattern.name());
    write_file(&arguments.output, |file| {
        file.write_all(&format.header(arguments.count))?;
        let batch = CHUNK * CHUNKS_PER_THREAD * rayon::current_num_threads() as u64;
        let mut next = 0;
        while next < arguments.count {
            let end = arguments.count.min(next + batch);
            let chunks: Vec<_> = (0..).map(|chunk| next + chunk * CHUNK).take_while(|&start| start < end).collect();
            let texts: Vec<Vec<u8>> =
                chunks.par_iter().map(|&start| format.rows(arguments, start, end.min(start + CHUNK))).collect();
            for text in texts {
                file.write_all(&text)?;
            }
            next = end;
            bar.set_position(next);
        }
        Ok(())
    })?;
    bar.finish_and_clear();
    if verbosity != Verbosity::Quiet && arguments.output != Path::new("-") {
        let shapes = if format == RowFormat::CsvCircles { "circles" } else { "spheres" };
        print(&format!("wrote {}: {} {shapes}\n", arguments.output.display(), arguments.count))?;
    }
    Ok(CommandOutcome::Done)
}

fn row_format(arguments: &GenerateArguments) -> Result<RowFormat> {
    let GenerateArguments { ref output, circles, .. } = *arguments;
    let extension = output.extension().map(|extension| extension.to_string_lossy().to_ascii_lowercase());
    let csv = if circles { RowFormat::CsvCircles } else { RowFormat::CsvSpheres };
    match extension.as_deref() {
        Some("csv") => Ok(csv),
        Some("xyz") if !circles => Ok(RowFormat::XyzSpheres),
        Some("npy") if !circles => Ok(RowFormat::NpySpheres),
        _ if output == Path::new("-") => Ok(csv),
        _ => {
            let rule = if circles { "must end in .csv for circles" } else { "must end in .csv, .xyz or .npy" };
            Err(Error::setting("output", format!("{rule}, got {}", output.display())))
        }
    }
}

impl RowFormat {
    fn header(self, count: u64) -> Vec<u8> {
        let text = match self {
            Self::CsvSpheres => "x,y,z,radius,color\n".to_owned(),
            Self::CsvCircles => "x,y,radius,color\n".to_owned(),
            Self::XyzSpheres => format!("{count}\nProperties=species:S:1:pos:R:3:radius:R:1:color:S:1\n"),
            Self::NpySpheres => {
                // padded, so that rows begin at a multiple of 64 bytes
                let array = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({count}, 4), }}");
                return npy_header(&array);
            }
        };
        text.into_bytes()
    }

    /// Returns the rows from `start` up to `end`.
    fn rows(self, arguments: &GenerateArguments, start: u64, end: u64) -> Vec<u8> {
        let GenerateArguments { pattern, count, seed, .. } = *arguments;
        let mut rows = Vec::new();
        if self == Self::CsvCircles {
            let mut circles = Vec::new();
            generate::extend_circles(pattern, start..end, count, seed, &mut circles);
            for PaintedCircle { center: [x, y], radius, color } in circles {
                // writing into a vector cannot fail
                let _ = writeln!(rows, "{x},{y},{radius},{color}");
            }
            return rows;
        }
        let mut spheres = Vec::new();
        generate::extend_spheres(pattern, start..end, count, seed, &mut spheres);
        for PaintedSphere { center: [x, y, z], radius, color } in spheres {
            let _ = match self {
                Self::XyzSpheres => writeln!(rows, "X {x} {y} {z} {radius} {color}"),
                Self::NpySpheres => rows.write_all([x, y, z, radius].map(f32::to_le_bytes).as_flattened()),
                Self::CsvSpheres | Self::CsvCircles => writeln!(rows, "{x},{y},{z},{radius},{color}"),
            };
        }
        rows
    }
}

fn pattern() -> impl TypedValueParser<Value = Pattern> {
    PossibleValuesParser::new(Pattern::ALL.map(Pattern::name)).try_map(|name| name.parse::<Pattern>())
}
