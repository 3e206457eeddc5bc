//! `roundel film`: draws a trajectory, or a camera that turns, to a file that plays.

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use roundel::film::{
    Film, FilmFormat, FilmOptions, FinishedFrames, FrameRange, FrameRate, MotionOrder, Recording, frame_path,
};
use roundel::io::{OutputKind, render_command};
use roundel::{Error, Renderer, Result};

use super::flags::{PerformanceFlags, PictureFlags};
use super::limits::LimitFlags;
use super::output::{Force, check_overwriting, finish_on_first_interrupt, print};
use super::progress::{FilmBar, Steps, Verbosity};
use super::verdict::CommandOutcome;

/// Draw a film of a trajectory, or of a camera that turns
#[derive(Debug, Args)]
#[command(after_help = "\
All frames have one camera, size, radius and range of colours, which are found in one pass over the data unless flags give them. \
With -v the command is printed that draws the first frame alone.

Examples:
  roundel film trajectory.xtc -o film.mp4                    Every frame, 25 a second
  roundel film trajectory.xyz --frames 0..:10 -o film.webp   Every tenth frame
  roundel film molecule.pdb --turntable 360 -o turn.gif      Once around in 6 seconds
  roundel film molecule.pdb --rock 20 --seconds 4 -o rock.png
  roundel film virus.pdb --assembly 1 --turntable 360 -o 'turn_{frame:04}.png'
  roundel film trajectory.dump -o - | ffplay -

Exit status:
  0  Success
  2  Error, or stopped by Ctrl-C; the message is on standard error")]
pub(super) struct FilmArguments {
    /// Data (.xtc, .dcd, .xyz, .dump, .pdb and more) or a scene; several files one after another
    #[arg(value_name = "DATA", required = true)]
    input: Vec<PathBuf>,
    /// File to write: .png (animated), .gif, .webp, .mp4 (needs ffmpeg), .y4m, - for Y4M on standard output, or PNGs by a name such as
    /// frame_{frame:04}.png
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Frames of the data: all, a number, or A..B or A..B:STEP, the end left out; numbers below 0 count from the end
    #[arg(long, value_name = "A..B[:STEP]", value_parser = frames, allow_hyphen_values = true)]
    frames: Option<FrameRange>,
    /// Go around to the right by so many degrees in the course of the film
    #[arg(long, value_name = "DEGREES", allow_hyphen_values = true)]
    turntable: Option<f64>,
    /// Swing by so many degrees to both sides, there and back
    #[arg(long, value_name = "DEGREES", conflicts_with = "turntable")]
    rock: Option<f64>,
    /// Play the data first, then move the camera around its last frame for as long as --seconds says
    #[arg(long)]
    play_then_turn: bool,
    /// Length of the film [default: each frame of the data once; 6 for a turn]
    #[arg(long, value_name = "S")]
    seconds: Option<f64>,
    /// Frames a second [default: 25]
    #[arg(long, value_name = "N", value_parser = rate)]
    fps: Option<FrameRate>,
    /// Keep the PNGs of single frames that an earlier run has finished, and draw the others
    #[arg(long)]
    resume: bool,
    #[command(flatten)]
    force: Force,
    /// Print nothing but errors
    #[arg(short, long, conflicts_with = "verbose")]
    quiet: bool,
    /// Print each step and its time, and the command that draws the first frame
    #[arg(short, long)]
    verbose: bool,
    #[command(flatten)]
    picture: PictureFlags,
    #[command(flatten)]
    performance: PerformanceFlags,
    #[command(flatten)]
    limits: LimitFlags,
}

/// Returns the rule that a value breaks.
fn rule(error: Error) -> String {
    match error {
        Error::Setting { message, .. } => message,
        other => other.to_string(),
    }
}

fn frames(text: &str) -> Result<FrameRange, String> {
    text.parse().map_err(rule)
}

fn rate(text: &str) -> Result<FrameRate, String> {
    text.parse().map_err(rule)
}

pub(super) fn run(arguments: &FilmArguments) -> Result<CommandOutcome> {
    let verbosity = match (arguments.quiet, arguments.verbose) {
        (true, _) => Verbosity::Quiet,
        (false, false) => Verbosity::Normal,
        (false, true) => Verbosity::Verbose,
    };
    let output = &arguments.output;
    let format = FilmFormat::of(output)?;
    if format != FilmFormat::Pngs {
        check_overwriting("output", output, &arguments.input, (OutputKind::Film, arguments.force.overwriting()))?;
    }
    let start = Instant::now();
    let budget = arguments.limits.budget();
    let mut renderer = Renderer::new(&arguments.performance.settings(budget))?;
    let steps = Steps::new(verbosity);
    steps.begin("looking at all frames");
    let mut options = FilmOptions::default();
    options.frames = arguments.frames;
    options.turntable = arguments.turntable;
    options.rock = arguments.rock;
    if arguments.play_then_turn {
        options.order = MotionOrder::PlayThenTurn;
    }
    options.seconds = arguments.seconds;
    options.rate = arguments.fps;
    let film = Film::plan(&arguments.input, &arguments.picture.options(budget), &options, |_| Ok(()))?;
    film.notes().iter().for_each(|note| steps.note(note));
    steps.done("found the camera", start);
    if format == FilmFormat::Pngs {
        for index in 0..film.len() {
            let path = frame_path(output, index)?;
            // one probe shows whether the folder can be written
            if index > 0 && !path.exists() {
                continue;
            }
            let rule = (OutputKind::Picture, arguments.force.overwriting());
            check_overwriting("output", &path, &arguments.input, rule)?;
        }
    }
    if let (Verbosity::Verbose, Some((path, options))) = (verbosity, film.frame(0)) {
        steps.note(&format!("the first frame alone: {}", render_command(path, &options)));
    }
    steps.finish();

    let stop = finish_on_first_interrupt();
    let bar = FilmBar::new(verbosity, film.len());
    let mut recording = Recording::new(&film, output, stop);
    recording.threads = arguments.performance.threads();
    if arguments.resume {
        recording.finished = FinishedFrames::Keep;
    }
    let written = recording.run(&mut renderer, |progress| bar.set(progress.drawn));
    bar.finish();
    let written = written?;
    if written < film.len() {
        let go_on = match format {
            FilmFormat::Pngs => "; the same command with --resume draws the others",
            _ => "",
        };
        let message =
            format!("was stopped after {written} of {} frames, which are in {}{go_on}", film.len(), output.display());
        return Err(Error::Setting { name: "film", message });
    }
    if verbosity != Verbosity::Quiet && output != Path::new("-") {
        let seconds = start.elapsed().as_secs_f64();
        let rate = written as f64 / seconds;
        print(&format!(
            "wrote {}: {written} frames, {} a second, {seconds:.2} s, {rate:.1} frames/s\n",
            output.display(),
            film.rate()
        ))?;
    }
    Ok(CommandOutcome::Done)
}
