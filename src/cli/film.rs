//! `roundel film`: draws a trajectory, or a camera that turns, to a file that plays.

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use roundel::film::{
    Film, FilmFormat, FilmOptions, FilmPainter, FinishedFrames, FrameNumbering, FrameRate, MotionOrder, Recording,
    check_frame_picture, frame_path, is_standard_output,
};
use roundel::io::{FrameList, OutputKind, render_command};
use roundel::{Budget, Error, Renderer, Result};

use super::CommandOutcome;
use super::flags::{PerformanceFlags, PictureFlags};
use super::limits::LimitFlags;
use super::numbers::parsed;
use super::output::{Force, check_overwriting, finish_on_first_interrupt, occupied, print};
use super::progress::{self, Steps, Verbosity};

/// Draw a film of a trajectory, or of a camera that turns
#[derive(Debug, Default, Args)]
#[command(after_help = "\
All frames have one camera, size, radius and range of colours, which are found in one pass over the data unless flags give them; \
so have all panels of --grid, in which files play side by side, and one with fewer frames holds its last. \
.mp4 and Y4M have no opacity: what is transparent becomes white. Options that change nothing, rows that are left out and the like are noted on \
standard error. With -v the command is printed that draws the first frame of a film without panels.

Examples:
  roundel film trajectory.xtc -o film.mp4                    Every frame, 25 a second
  roundel film trajectory.xyz --frames 0..:10 -o film.webp   Every tenth frame
  roundel film molecule.pdb --turntable 360 -o turn.gif      Once around in 6 seconds
  roundel film molecule.pdb --rock 20 --seconds 4 -o rock.png
  roundel film virus.pdb --assembly 1 --turntable 360 -o 'turn_{frame:04}.png'
  roundel film trajectory.xtc --topology protein.gro --smooth 5 --stamp time -o film.mp4
  roundel film quakes.csv --time year --time-fade 5 -o quakes.webp
  roundel film a.xtc b.xtc --topology a.gro --grid 2x1 -o both.mp4
  roundel film run.xyz --grid 2x2 --view front,right,top,iso -o views.mp4
  roundel film scene.toml -o film.webp                       By the keys of the scene's camera
  roundel film trajectory.dump -o - | ffplay -

Exit status:
  0  Success
  2  Error, or stopped by Ctrl-C; the message is on standard error")]
pub(super) struct FilmArguments {
    /// Data (.xtc, .dcd, .xyz, .dump, .pdb and more) or a scene; several files one after another, with --grid side by side
    #[arg(value_name = "DATA", required = true)]
    pub(super) input: Vec<PathBuf>,
    /// File to write: .png (animated), .gif, .webp, .mp4 (needs ffmpeg), .y4m, - for Y4M on
    /// standard output, or PNGs by a name such as frame_{frame:04}.png, with places in the
    /// film, from 0, as numbers (those that `render` writes are numbers of the data)
    #[arg(short, long, value_name = "FILE", allow_hyphen_values = true)]
    pub(super) output: PathBuf,
    /// Frames of the data: all, or numbers and ranges with commas between them, such as 0,5,-1 or 0..50:10; the end of a
    /// range is left out, either end may be missing, numbers below 0 count from the end; with --grid each file has its
    /// own numbers
    #[arg(long, value_name = "all|LIST", value_parser = parsed::<FrameList>, allow_hyphen_values = true)]
    pub(super) frames: Option<FrameList>,
    /// Column of a table with the times of its rows: each time is a frame, of more than 1,000 times their range has 250
    /// frames
    #[arg(long, value_name = "COLUMN")]
    pub(super) time: Option<String>,
    /// How long a row of a table stays, in the unit of --time, seconds for dates [default: one frame]
    #[arg(long, value_name = "SPAN", requires = "time")]
    pub(super) time_window: Option<f64>,
    /// How long a row of a table fades after that
    #[arg(long, value_name = "SPAN", requires = "time")]
    pub(super) time_fade: Option<f64>,
    /// Go around to the right by so many degrees in the course of the film
    #[arg(long, value_name = "DEGREES", allow_hyphen_values = true)]
    pub(super) turntable: Option<f64>,
    /// Swing by so many degrees to both sides, there and back
    #[arg(long, value_name = "DEGREES", conflicts_with = "turntable")]
    pub(super) rock: Option<f64>,
    /// Play the data first, then move the camera around its last frame for as long as --seconds says
    #[arg(long)]
    pub(super) play_then_turn: bool,
    /// Move the camera around the first frame for as long as --seconds says, then play the data
    #[arg(long, conflicts_with = "play_then_turn")]
    pub(super) turn_then_play: bool,
    /// Length of the film [default: each frame of the data once; 6 for a turn]
    #[arg(long, value_name = "S")]
    pub(super) seconds: Option<f64>,
    /// Frames a second [default: 25]
    #[arg(long, value_name = "N", value_parser = parsed::<FrameRate>)]
    pub(super) fps: Option<FrameRate>,
    /// Keep the PNGs of single frames that an earlier run has finished, and draw the others
    #[arg(long)]
    pub(super) resume: bool,
    #[arg(skip)]
    pub(super) numbering: FrameNumbering,
    #[command(flatten)]
    pub(super) force: Force,
    /// Print nothing but errors
    #[arg(short, long, conflicts_with = "verbose")]
    pub(super) quiet: bool,
    /// Print each step and its time, and the command that draws the first frame
    #[arg(short, long)]
    pub(super) verbose: bool,
    #[command(flatten)]
    pub(super) picture: PictureFlags,
    #[command(flatten)]
    pub(super) performance: PerformanceFlags,
    #[command(flatten)]
    pub(super) limits: LimitFlags,
}

impl FilmArguments {
    pub(super) fn format(&self) -> Result<FilmFormat> {
        let output = &self.output;
        let format = FilmFormat::of(output)?;
        format.check_output(output)?;
        if format != FilmFormat::Pngs && !is_standard_output(output) {
            check_overwriting("output", output, &self.input, OutputKind::Film, self.force.overwriting())?;
        }
        Ok(format)
    }

    pub(super) fn plan(&self, budget: Budget) -> Result<Film> {
        let mut options = FilmOptions::default();
        options.frames.clone_from(&self.frames);
        options.time.clone_from(&self.time);
        (options.time_window, options.time_fade) = (self.time_window, self.time_fade);
        options.turntable = self.turntable;
        options.rock = self.rock;
        if self.play_then_turn {
            options.order = MotionOrder::PlayThenTurn;
        } else if self.turn_then_play {
            options.order = MotionOrder::TurnThenPlay;
        }
        options.seconds = self.seconds;
        options.rate = self.fps;
        options.numbering = self.numbering;
        Film::plan(&self.input, &self.picture.options(budget), &options, |_| Ok(()))
    }

    /// Refuses to overwrite files other than pictures, for films of one picture a frame.
    pub(super) fn check_pictures(&self, film: &Film, format: FilmFormat) -> Result<()> {
        if format == FilmFormat::Pngs {
            for index in 0..film.len() {
                let path = frame_path(&self.output, film.number(index))?;
                // one probe shows whether the folder can be written
                if index > 0 && path.symlink_metadata().is_err() {
                    continue;
                }
                // a link in place of a numbered picture was not named by the user
                check_frame_picture(&path, self.force.overwriting()).map_err(|error| occupied("output", error))?;
                check_overwriting("output", &path, &self.input, OutputKind::Picture, self.force.overwriting())?;
            }
        }
        Ok(())
    }

    fn summary(&self, film: &Film, written: u64, seconds: f64) -> String {
        let name = |index| frame_path(&self.output, film.number(index)).ok();
        let name = |index| name(index).filter(|path| *path != self.output).map(|path| path.display().to_string());
        let output = match (name(0), name(film.len().saturating_sub(1))) {
            (Some(first), Some(last)) if first != last => format!("{first} to {last}"),
            (Some(first), _) => first,
            (None, _) => self.output.display().to_string(),
        };
        if self.numbering == FrameNumbering::Data {
            let pictures = if written == 1 { "picture" } else { "pictures" };
            return format!("wrote {output}: {written} {pictures}, {seconds:.2} s\n");
        }
        let (rate, speed) = (film.rate(), written as f64 / seconds);
        let frames = if written == 1 { "frame" } else { "frames" };
        format!("wrote {output}: {written} {frames}, {rate} a second, {seconds:.2} s, {speed:.1} frames/s\n")
    }
}

pub(super) fn run(arguments: &FilmArguments) -> Result<CommandOutcome> {
    let verbosity = Verbosity::of_flags(arguments.quiet, arguments.verbose);
    let output = &arguments.output;
    let format = arguments.format()?;
    let start = Instant::now();
    let budget = arguments.limits.budget();
    let mut renderer = Renderer::new(&arguments.performance.settings(budget))?;
    let steps = Steps::new(verbosity);
    steps.begin("looking at all frames");
    let film = arguments.plan(budget)?;
    note_film(&steps, &film, format, output);
    steps.done("found the camera", start);
    arguments.check_pictures(&film, format)?;
    if verbosity == Verbosity::Verbose {
        note_first_frame(&film, &steps);
    }
    steps.finish();

    let stop = finish_on_first_interrupt();
    let bar = progress::of_film(verbosity, film.len());
    let mut recording = Recording::new(output, stop);
    recording.threads = arguments.performance.threads;
    recording.overwriting = arguments.force.overwriting();
    if arguments.resume {
        recording.finished = FinishedFrames::Keep;
    }
    let mut painter = FilmPainter::new(&film, &mut renderer);
    let written = recording.run(&mut painter, |progress| bar.set_position(progress.drawn));
    bar.finish_and_clear();
    let written = written?;
    steps.note_occlusion(|| painter.occlusion_error());
    if written < film.len() {
        return Err(stopped(&film, written, format, output));
    }
    if verbosity != Verbosity::Quiet && !is_standard_output(output) {
        print(&arguments.summary(&film, written, start.elapsed().as_secs_f64()))?;
    }
    Ok(CommandOutcome::Done)
}

/// Notes the command that draws the first frame as a picture.
fn note_first_frame(film: &Film, steps: &Steps) {
    let Some((path, options)) = film.frame(0) else { return };
    // no option states the legend that all frames share
    let colors = match (options.table_colors.is_empty(), options.figure.film_legend.as_ref().is_none_or(Vec::is_empty))
    {
        (false, _) => ", in the colours of this frame",
        (true, false) => ", with the legend of this frame",
        (true, true) => "",
    };
    steps.note(&format!("the first frame alone{colors}: {}", render_command(path, &options)));
}

/// The error for a film that was interrupted.
fn stopped(film: &Film, written: u64, format: FilmFormat, output: &Path) -> Error {
    let go_on = match format {
        FilmFormat::Pngs => "the same command with --resume draws the others",
        _ => "numbered pictures, as in -o 'frame_{frame:05}.png', can be continued by --resume",
    };
    let (frames, output) = (film.len(), output.display());
    Error::setting("film", format!("was stopped after {written} of {frames} frames, which are in {output}; {go_on}"))
}

/// Prints the notes of a film.
pub(super) fn note_film(steps: &Steps, film: &Film, format: FilmFormat, output: &Path) {
    film.notes().iter().for_each(|note| steps.note(note));
    if film.has_alpha() && matches!(format, FilmFormat::Mp4 | FilmFormat::Y4m) {
        steps.note(&format!("{} has no opacity: what is transparent becomes white", output.display()));
    }
}
