//! `roundel generate`: shapes made by rule, row by row into a file.

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

use super::output::{self, Replaceable};
use super::progress::{self, Talk};
use super::{Verdict, print};

/// Make shapes by rule: data of any size, the same on every machine
#[derive(Debug, Args)]
#[command(after_help = "\
Shapes fill the box from -1 to 1. A .csv has the columns x, y, z, radius and color (with --flat no z), which render
draws as they are; an .xyz has the same columns in the extended form (draw it with --radius radius). Rows are written
as they are made: a hundred million need no more memory than a hundred thousand.

Examples:
  roundel generate sphereflake -n 66430 -o flake.csv && roundel render flake.csv
  roundel generate uniform -n 1e6 --seed 7 -o million.csv
  roundel generate sunflower -n 5000 --flat -o - | roundel render - -o sunflower.png")]
pub(super) struct Arguments {
    /// The rule
    #[arg(value_parser = pattern())]
    kind: Pattern,
    /// How many: 1000, 1e6 or 1_000_000
    #[arg(short = 'n', long = "count", value_name = "N", value_parser = count)]
    count: u64,
    /// Another seed, other places; only uniform and gaussian are random
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The file to write, .csv or .xyz; - is standard output, as CSV
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Circles instead of spheres; CSV alone
    #[arg(long)]
    flat: bool,
    /// Overwrite a file that is there already
    #[arg(long)]
    force: bool,
    /// Say nothing but errors
    #[arg(short, long)]
    quiet: bool,
}

/// How a row is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rows {
    CsvSpheres,
    CsvCircles,
    XyzSpheres,
}

/// Rows made by one thread at a time: enough that handing them out costs nothing.
const CHUNK: u64 = 1 << 14;

/// Chunks in flight per thread: enough that all are busy until the next write.
const CHUNKS_PER_THREAD: u64 = 4;

pub(super) fn run(arguments: &Arguments) -> Result<Verdict> {
    let rows = rows(&arguments.output, arguments.flat)?;
    if !arguments.force {
        output::check(&arguments.output, None, Replaceable::Nothing)?;
    }
    let talk = if arguments.quiet { Talk::Quiet } else { Talk::Normal };
    let bar = progress::counted(talk, arguments.count);
    bar.set_message(arguments.kind.name());
    write_file(&arguments.output, |file| {
        file.write_all(rows.head(arguments.count).as_bytes())?;
        let batch = CHUNK * CHUNKS_PER_THREAD * rayon::current_num_threads() as u64;
        let mut next = 0;
        while next < arguments.count {
            let end = arguments.count.min(next + batch);
            let chunks: Vec<_> = (0..).map(|chunk| next + chunk * CHUNK).take_while(|&start| start < end).collect();
            let texts: Vec<String> =
                chunks.par_iter().map(|&start| rows.text(arguments, start, end.min(start + CHUNK))).collect();
            for text in texts {
                file.write_all(text.as_bytes())?;
            }
            next = end;
            bar.set_position(next);
        }
        Ok(())
    })?;
    bar.finish_and_clear();
    if talk != Talk::Quiet && arguments.output != Path::new("-") {
        let shapes = if rows == Rows::CsvCircles { "circles" } else { "spheres" };
        print(&format!("wrote {}: {} {shapes}\n", arguments.output.display(), arguments.count))?;
    }
    Ok(Verdict::Done)
}

/// The form of the rows, by the file's ending.
fn rows(output: &Path, flat: bool) -> Result<Rows> {
    let ending = output.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
    match (ending.as_deref(), flat) {
        (Some("xyz"), false) => Ok(Rows::XyzSpheres),
        (Some("csv"), flat) => Ok(if flat { Rows::CsvCircles } else { Rows::CsvSpheres }),
        (_, flat) if output == Path::new("-") => Ok(if flat { Rows::CsvCircles } else { Rows::CsvSpheres }),
        (_, flat) => {
            let rule = if flat { "must end in .csv for circles" } else { "must end in .csv or .xyz" };
            Err(Error::Setting { name: "output", message: format!("{rule}, got {}", output.display()) })
        }
    }
}

impl Rows {
    fn head(self, count: u64) -> String {
        match self {
            Self::CsvSpheres => "x,y,z,radius,color\n".to_owned(),
            Self::CsvCircles => "x,y,radius,color\n".to_owned(),
            Self::XyzSpheres => format!("{count}\nProperties=species:S:1:pos:R:3:radius:R:1:color:S:1\n"),
        }
    }

    /// The rows from `start` up to `end`.
    fn text(self, arguments: &Arguments, start: u64, end: u64) -> String {
        let Arguments { kind, count, seed, .. } = *arguments;
        let mut text = String::new();
        for index in start..end {
            // writing into a string cannot fail
            let _ = match self {
                Self::CsvCircles => {
                    let PaintedCircle { center: [x, y], radius, color } = kind.circle(index, count, seed);
                    writeln!(text, "{x},{y},{radius},{color}")
                }
                Self::CsvSpheres => {
                    let PaintedSphere { center: [x, y, z], radius, color } = kind.sphere(index, count, seed);
                    writeln!(text, "{x},{y},{z},{radius},{color}")
                }
                Self::XyzSpheres => {
                    let PaintedSphere { center: [x, y, z], radius, color } = kind.sphere(index, count, seed);
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

/// A whole number from 1; `1e6` and `1_000_000` are kinder to the eye.
fn count(text: &str) -> Result<u64, String> {
    /// A hundred thousand million: some terabytes of text.
    const MOST: u64 = 100_000_000_000;
    let plain = text.replace('_', "");
    let count = match plain.split_once(['e', 'E']) {
        None => plain.parse().ok(),
        Some((digits, exponent)) => {
            let power = exponent.parse().ok().and_then(|exponent| 10u64.checked_pow(exponent));
            digits.parse::<u64>().ok().zip(power).and_then(|(digits, power)| digits.checked_mul(power))
        }
    };
    count
        .filter(|count| (1..=MOST).contains(count))
        .ok_or_else(|| format!("must be a whole number from 1 to {MOST}, such as 1000, 1e6 or 1_000_000"))
}
