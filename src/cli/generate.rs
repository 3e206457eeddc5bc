//! `roundel generate`: writes generated shapes to a file.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use roundel::circles::PaintedCircle;
use roundel::generate::Pattern;
use roundel::io::write_file;
use roundel::spheres::PaintedSphere;
use roundel::{Error, Result};

use super::numbers::whole_u64;
use super::output::{Replaceable, check_overwriting, print};
use super::progress::{self, Verbosity};
use super::verdict::Verdict;

/// Generate any number of shapes, the same on every machine
#[derive(Debug, Args)]
#[command(after_help = "\
The shapes fill the box from -1 to 1. CSV files have the columns x, y, z, radius and color, with --circles no z; XYZ files \
have the same columns in the extended format. `roundel render` draws both as they are. \
Shapes are written as they are generated, so that any number takes little memory.

Examples:
  roundel generate sphereflake -n 66430 -o flake.csv      Write a table
  roundel generate uniform -n 1e6 --seed 7 -o random.xyz  Write random atoms
  roundel generate sunflower -n 5000 --circles -o - | roundel render -

Exit status:
  0  Success
  2  Error; the message is on standard error")]
pub(super) struct Arguments {
    /// Arrangement of the shapes
    #[arg(value_name = "KIND", value_parser = pattern())]
    pattern: Pattern,
    /// Number of shapes, such as 1000, 1e6 or 1_000_000
    #[arg(short = 'n', long = "count", value_name = "N", value_parser = count)]
    count: u64,
    /// Seed of the random patterns, uniform and gaussian
    #[arg(long, default_value_t = 1, value_parser = whole_u64)]
    seed: u64,
    /// CSV or XYZ file to write; - for CSV on standard output
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Generate circles instead of spheres (CSV only)
    #[arg(long)]
    circles: bool,
    /// Overwrite an existing file
    #[arg(long)]
    force: bool,
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
}

/// Rows that a thread generates at a time: enough that scheduling costs nothing.
const CHUNK: u64 = 1 << 14;

/// Chunks per thread between two writes: enough to keep all threads busy.
const CHUNKS_PER_THREAD: u64 = 4;

pub(super) fn run(arguments: &Arguments) -> Result<Verdict> {
    let format = row_format(arguments)?;
    if !arguments.force {
        check_overwriting(&arguments.output, None, Replaceable::Nothing)?;
    }
    let verbosity = if arguments.quiet { Verbosity::Quiet } else { Verbosity::Normal };
    let bar = progress::counted(verbosity, arguments.count);
    bar.set_message(arguments.pattern.name());
    write_file(&arguments.output, |file| {
        file.write_all(format.header(arguments.count).as_bytes())?;
        let batch = CHUNK * CHUNKS_PER_THREAD * rayon::current_num_threads() as u64;
        let mut next = 0;
        while next < arguments.count {
            let end = arguments.count.min(next + batch);
            let chunks: Vec<_> = (0..).map(|chunk| next + chunk * CHUNK).take_while(|&start| start < end).collect();
            let texts: Vec<String> =
                chunks.par_iter().map(|&start| format.rows(arguments, start, end.min(start + CHUNK))).collect();
            for text in texts {
                file.write_all(text.as_bytes())?;
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
    Ok(Verdict::Done)
}

/// Chooses the format by the file's extension.
fn row_format(arguments: &Arguments) -> Result<RowFormat> {
    let Arguments { ref output, circles, .. } = *arguments;
    let extension = output.extension().map(|extension| extension.to_string_lossy().to_ascii_lowercase());
    let csv = if circles { RowFormat::CsvCircles } else { RowFormat::CsvSpheres };
    match extension.as_deref() {
        Some("csv") => Ok(csv),
        Some("xyz") if !circles => Ok(RowFormat::XyzSpheres),
        _ if output == Path::new("-") => Ok(csv),
        _ => {
            let rule = if circles { "must end in .csv for circles" } else { "must end in .csv or .xyz" };
            Err(Error::Setting { name: "output", message: format!("{rule}, got {}", output.display()) })
        }
    }
}

impl RowFormat {
    fn header(self, count: u64) -> String {
        match self {
            Self::CsvSpheres => "x,y,z,radius,color\n".to_owned(),
            Self::CsvCircles => "x,y,radius,color\n".to_owned(),
            Self::XyzSpheres => format!("{count}\nProperties=species:S:1:pos:R:3:radius:R:1:color:S:1\n"),
        }
    }

    /// Returns the rows from `start` up to `end`.
    fn rows(self, arguments: &Arguments, start: u64, end: u64) -> String {
        let Arguments { pattern, count, seed, .. } = *arguments;
        let mut text = String::new();
        for index in start..end {
            // writing into a string cannot fail
            let _ = match self {
                Self::CsvCircles => {
                    let PaintedCircle { center: [x, y], radius, color } = pattern.circle(index, count, seed);
                    writeln!(text, "{x},{y},{radius},{color}")
                }
                Self::CsvSpheres => {
                    let PaintedSphere { center: [x, y, z], radius, color } = pattern.sphere(index, count, seed);
                    writeln!(text, "{x},{y},{z},{radius},{color}")
                }
                Self::XyzSpheres => {
                    let PaintedSphere { center: [x, y, z], radius, color } = pattern.sphere(index, count, seed);
                    writeln!(text, "X {x} {y} {z} {radius} {color}")
                }
            };
        }
        text
    }
}

fn pattern() -> impl TypedValueParser<Value = Pattern> {
    PossibleValuesParser::new(Pattern::ALL.map(Pattern::name)).try_map(|name| name.parse::<Pattern>())
}

/// Parses a whole number from 1, such as `1000000`, `1e6` or `1_000_000`.
fn count(text: &str) -> Result<u64, String> {
    /// A hundred thousand million: terabytes of text.
    const MAX: u64 = 100_000_000_000;
    let plain = text.replace('_', "");
    let count = match plain.split_once(['e', 'E']) {
        None => plain.parse().ok(),
        Some((digits, exponent)) => {
            let power = exponent.parse().ok().and_then(|exponent| 10u64.checked_pow(exponent));
            digits.parse::<u64>().ok().zip(power).and_then(|(digits, power)| digits.checked_mul(power))
        }
    };
    count
        .filter(|count| (1..=MAX).contains(count))
        .ok_or_else(|| format!("must be a whole number from 1 to {MAX}, such as 1000, 1e6 or 1_000_000"))
}
