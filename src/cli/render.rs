//! `roundel render`: draws a scene or data to a PNG.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use clap::Args;
use roundel::compare::Picture;
use roundel::film::{FilmFormat, FrameNumbering};
use roundel::io::{
    FrameChoice, FrameList, LoadOptions, LoadedScene, VectorFigure, load, load_grid, load_several, write_file,
};
use roundel::{Aovs, Budget, Error, Frame, Renderer, Resource, Result, Scene, Srgba8, Statistics, StreamStatistics};

use super::CommandOutcome;
use super::demo::Demo;
use super::film::FilmArguments;
use super::flags::{PerformanceFlags, PictureFlags};
use super::limits::LimitFlags;
use super::numbers::parsed;
use super::output::{Force, PictureFormat, check_overwriting, npy_header, print, starts_as_picture};
use super::progress::{Steps, Verbosity};
use super::statistics::{Report, StatisticsFormat};
use super::stream::{Generated, StreamRequest, Streamed};
use super::synonyms;

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
  roundel render molecule.pdb --legend --figure-width 85mm -o figure.png
  roundel render places.csv -o places.svg            Draw shapes, not pixels
  roundel render complex.pdb --focus ligand --only 'byres (within 5 of ligand)'
  roundel render gas.dump --color-by speed --colormap inferno_r
  roundel render a.pdb b.pdb                         Draw both, a colour each
  roundel render run.xtc --topology run.gro --frames 0,50,100 --grid 3x1
  roundel render run.xtc --frames 0..50:10 -o 'frame_{frame:03}.png'
  roundel render complex.pdb --focus ligand --label ligand '{resname}'
  roundel render run.gro --center protein            Move it to the middle
  roundel render scene.toml -W 640 --samples 16      Draw a scene, but smoother
  roundel render atoms.xyz --look studio             Draw with shadows and fog
  roundel generate uniform -n 1e6 -o - | roundel render - -o million.png
  roundel render --stream part-*.npy --look headlight --ao off -o all.png
  roundel render --generate uniform:1e8 -o many.png

Exit status:
  0  Success
  2  Error; the message is on standard error")]
pub(super) struct RenderArguments {
    /// Scene (.toml, .json) or data (.csv, .xyz, .pdb, .cif, .gro, .dump and more); - for standard input; several files
    /// of molecules or particles are drawn in one picture, each in its own colour
    #[arg(value_name = "SCENE|DATA")]
    pub(super) input: Vec<PathBuf>,
    /// PNG to write, or a figure of shapes (.svg, .pdf), or OpenEXR (.exr) with depth, normals and numbers of spheres if
    /// roundel was built with it; - for standard output; a name such as frame_{frame:04}.png for a picture of each frame, by its number in the data, under
    /// one camera [default: the input's name with .png, in this folder]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Bits a channel of the PNG
    #[arg(long, value_name = "8|16", default_value = "8", value_parser = ["8", "16"], hide_possible_values = true)]
    #[arg(hide_default_value = true)]
    bits: String,
    /// Texts of .svg as text, in a font that the reader has, instead of outlines; of .pdf in Helvetica alone
    #[arg(long, value_name = "FONT", num_args = 0..=1, require_equals = true, default_missing_value = VectorFigure::PDF_FONT)]
    vector_text: Option<String>,
    #[command(flatten)]
    force: Force,
    /// Draw the spheres of a file, or of several files, a block at a time: any number of them, in little memory; a file
    /// over --limit-memory is drawn in this way without the flag
    #[arg(long)]
    stream: bool,
    /// Draw several frames or models of a file in one picture, each in its own colour; with --grid side by side, with
    /// {frame} in the name of --output in a picture each: all, or numbers and ranges with commas between them, such as
    /// 0,5,-1 or 0..50:10; the end of a range is left out, either end may be missing, numbers below 0 count from the end
    #[arg(long, value_name = "all|LIST", value_parser = parsed::<FrameList>, allow_hyphen_values = true)]
    #[arg(conflicts_with_all = ["stream", "frame"])]
    frames: Option<FrameList>,
    /// With --generate: draw circles on a canvas that they fill, instead of spheres
    #[arg(long, requires = "generate")]
    circles: bool,
    /// Draw spheres as `roundel generate` makes them, a block at a time: a kind, a number and perhaps a seed, such as
    /// uniform:1e9:1
    #[arg(long, value_name = "KIND:N[:SEED]", conflicts_with_all = ["input", "stream"])]
    generate: Option<Generated>,
    /// How light is computed, as `shading` in [render]; there is one way, and no path tracing yet
    #[arg(long, value_name = "studio", value_parser = ["studio"], hide_possible_values = true)]
    shading: Option<String>,
    /// Print counts, times and peak memory to standard error, as text or JSON
    #[arg(long, value_enum, num_args = 0..=1, require_equals = true, default_missing_value = "text")]
    #[arg(value_name = "FORMAT")]
    pub(super) stats: Option<StatisticsFormat>,
    /// Print nothing but errors
    #[arg(short, long, conflicts_with = "verbose")]
    pub(super) quiet: bool,
    /// Print each step and its time
    #[arg(short, long)]
    verbose: bool,
    #[command(flatten)]
    pub(super) picture: PictureFlags,
    #[command(flatten)]
    pub(super) performance: PerformanceFlags,
    #[command(flatten)]
    pub(super) limits: LimitFlags,
}

/// The source, the destination and the format of the picture, from the arguments alone.
pub(super) struct Job<'a> {
    pub(super) request: StreamRequest,
    is_streamed: bool,
    input: Option<&'a Path>,
    pub(super) output: PathBuf,
    format: PictureFormat,
    has_16_bits: bool,
    /// The font of texts in figures of shapes, unless they are outlines.
    font: Option<&'a str>,
}

impl Job<'_> {
    fn has_8_bits(&self) -> bool {
        self.format == PictureFormat::Png && !self.has_16_bits
    }
}

impl RenderArguments {
    /// Whether the input could be streamed, but is not. Tables do not count, as many have circles.
    pub(super) fn could_stream(&self) -> bool {
        const ENDINGS: [&str; 4] = ["npy", "xyz", "dump", "lammpstrj"];
        let ending =
            |path: &PathBuf| path.extension().is_some_and(|ending| ENDINGS.iter().any(|known| ending == *known));
        !self.stream && self.generate.is_none() && !self.input.is_empty() && self.input.iter().all(ending)
    }

    /// The arguments for pictures of single frames, if the name of the output has a place for their numbers.
    pub(super) fn pictures_of_frames(&self) -> Result<Option<FilmArguments>> {
        let is_pattern = |output: &&PathBuf| matches!(FilmFormat::of(output), Ok(FilmFormat::Pngs));
        let Some(output) = self.output.as_ref().filter(is_pattern) else { return Ok(None) };
        let options = self.picture.options(self.limits.budget());
        let one_picture = [
            ("the demo", self.input.is_empty() && self.generate.is_none()),
            ("--stream", self.stream),
            ("--generate", self.generate.is_some()),
            ("--grid", options.figure.grid.is_some()),
            ("--stereo", options.figure.stereo.is_some()),
            ("--stats", self.stats.is_some()),
            ("--bits 16", self.bits == "16"),
            ("--vector-text", self.vector_text.is_some()),
        ];
        if let Some((what, _)) = one_picture.iter().find(|(_, is_given)| *is_given) {
            let message =
                format!("has a place for the number of a frame, got {}, but {what} is one picture", output.display());
            return Err(Error::setting("output", message));
        }
        let frames = self.frames.clone().or(options.frame.map(FrameList::one)).unwrap_or_else(FrameList::all);
        let Self { force, quiet, verbose, performance, limits, .. } = *self;
        let (input, output, picture) = (self.input.clone(), output.clone(), self.picture.without_frame());
        let (frames, numbering) = (Some(frames), FrameNumbering::Data);
        let flags = FilmArguments { force, quiet, verbose, picture, performance, limits, ..FilmArguments::default() };
        Ok(Some(FilmArguments { input, output, frames, numbering, ..flags }))
    }

    /// Whether to try a stream because the shapes exceed the memory or the default limit on their number. A limit on
    /// their number that the user has set stays one.
    fn streams_instead(&self, error: &Error) -> bool {
        let Error::Budget { resource, .. } = error else { return false };
        match resource {
            Resource::Memory => true,
            Resource::Shapes => self.limits.budget().shapes == Budget::default().shapes,
            Resource::Pixels => false,
        }
    }
}

/// Who draws a picture.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Processes {
    One,
    /// Several that draw together, and always stream.
    Several,
}

/// Checks arguments against each other.
pub(super) fn job(arguments: &RenderArguments, processes: Processes) -> Result<Job<'_>> {
    // clap does not require a flag that conflicts with the given input
    if arguments.circles && arguments.generate.is_none() {
        let message = "is for shapes that --generate makes; what a file is drawn as depends on its columns".to_owned();
        return Err(Error::setting("circles", message));
    }
    let request = StreamRequest { generated: arguments.generate, circles: arguments.circles };
    let is_streamed = arguments.stream || request.generated.is_some() || processes == Processes::Several;
    let input = match (&arguments.input[..], is_streamed) {
        ([], true) if arguments.generate.is_none() => {
            return Err(Error::setting("stream", "is for files, of which none is given"));
        }
        ([], _) => None,
        ([one], _) | ([one, ..], true) => Some(one.as_path()),
        ([one, second, ..], false) => {
            let hint = arguments.input.iter().find_map(|input| synonyms::detached_value(input, std::env::args_os()));
            if let Some(hint) = hint {
                return Err(Error::setting("input", format!("must be one file, got {} too; {hint}", second.display())));
            }
            Some(one.as_path())
        }
    };
    if let Some(picture) = arguments.input.iter().find(|input| starts_as_picture(input)) {
        let message =
            format!("must be a scene or data, got the picture {}; `roundel compare` reads those", picture.display());
        return Err(Error::setting("input", message));
    }
    let output = arguments.output.clone().unwrap_or_else(|| default_output(input));
    let format = PictureFormat::of(&output)?;
    check_overwriting("output", &output, &arguments.input, format.kind(), arguments.force.overwriting())?;
    let has_16_bits = arguments.bits == "16";
    if format == PictureFormat::OpenExr && has_16_bits {
        return Err(Error::setting("bits", "is for PNG; OpenEXR has 32 bits a channel"));
    }
    if format == PictureFormat::Npy && has_16_bits {
        return Err(Error::setting("bits", "is for PNG; .npy has numbers of 64 bits"));
    }
    if format.is_vector() && output.to_string_lossy().contains("{frame") {
        let message = format!("has a place for the number of a frame, which is for .png, got {}", output.display());
        return Err(Error::setting("output", message));
    }
    if format.is_vector() && has_16_bits {
        return Err(Error::setting("bits", "is for PNG; SVG and PDF have 8 bits a channel"));
    }
    let font = arguments.vector_text.as_deref();
    if let (Some(_), false) = (font, format.is_vector()) {
        return Err(Error::setting("vector_text", "is for .svg and .pdf; other pictures have pixels"));
    }
    if let (Some(font), PictureFormat::Pdf) = (font.filter(|font| *font != VectorFigure::PDF_FONT), format) {
        let message = format!("must be {} in a PDF, which every reader has, got {font:?}", VectorFigure::PDF_FONT);
        return Err(Error::setting("vector_text", message));
    }
    let job = Job { request, is_streamed, input, output, format, has_16_bits, font };
    if (is_streamed || input.is_none()) && !job.has_8_bits() {
        let what = if is_streamed { "stream" } else { "the demo" };
        return Err(Error::setting(what, "is drawn as a PNG of 8 bits alone"));
    }
    Ok(job)
}

pub(super) fn run(arguments: &RenderArguments) -> Result<CommandOutcome> {
    let job = job(arguments, Processes::One)?;
    let start = Instant::now();
    let budget = arguments.limits.budget();
    // before the file is read, so that a wrong setting is reported at once
    let mut renderer = Renderer::new(&arguments.performance.settings(budget))?;
    let options = arguments.picture.options(budget);
    let verbosity = Verbosity::of_flags(arguments.quiet, arguments.verbose);
    let steps = Steps::new(verbosity);
    if let Some(shading) = &arguments.shading {
        steps.note(&format!("--shading {shading} changes nothing: there is no other way yet; --look has several"));
    }
    let run = RenderRun { arguments, job: &job, options, steps, start };
    run.steps.begin("reading");
    let finished = match job.input {
        _ if job.is_streamed => run.stream(&mut renderer, None)?,
        Some(input) => run.in_memory_or_stream(&mut renderer, input)?,
        None => run.demo(&mut renderer)?,
    };
    run.write(finished, verbosity)?;
    Ok(CommandOutcome::Done)
}

struct RenderRun<'a> {
    arguments: &'a RenderArguments,
    job: &'a Job<'a>,
    options: LoadOptions,
    steps: Steps,
    start: Instant,
}

impl RenderRun<'_> {
    /// Draws a block of spheres at a time; `reason` is the error that made a stream necessary, if any.
    fn stream(&self, renderer: &mut Renderer, reason: Option<&Error>) -> Result<Finished> {
        let Self { arguments, job, steps, start, .. } = self;
        let scene = Streamed::new(job.request, &arguments.input, &self.options)?;
        if reason.is_some() {
            scene.check(renderer)?;
        }
        let load = start.elapsed();
        steps.done("found the camera", *start);
        steps.begin("drawing");
        let mut frame = Frame::new(1, 1, Srgba8::TRANSPARENT)?;
        let mut notes = Vec::new();
        let (statistics, streamed) = scene.draw(renderer, &mut frame, |note| notes.push(note.to_owned()))?;
        // not before the drawing has succeeded
        let reason = reason.map(|reason| format!("drawn a block at a time, as with --stream: {reason}"));
        reason.iter().chain(&notes).for_each(|note| steps.note(note));
        let streamed = Some(streamed);
        Ok(Finished { load, picture: PictureOutput::Frame(frame), dpi: scene.dpi(), statistics, streamed })
    }

    /// Draws in memory, or streams a file that exceeds the budget.
    fn in_memory_or_stream(&self, renderer: &mut Renderer, input: &Path) -> Result<Finished> {
        let Self { arguments, job, .. } = self;
        let is_one = arguments.input.len() == 1 && arguments.frames.is_none();
        self.in_memory(renderer, input).or_else(|error| {
            if !is_one || !job.has_8_bits() || !arguments.streams_instead(&error) {
                return Err(error);
            }
            match self.stream(renderer, Some(&error)) {
                // a scene that cannot be streamed is too large
                Err(Error::Setting { .. } | Error::Budget { .. }) => Err(error),
                streamed => streamed,
            }
        })
    }

    fn in_memory(&self, renderer: &mut Renderer, input: &Path) -> Result<Finished> {
        let Self { arguments, job, options, steps, start } = self;
        let frames = arguments.frames.clone().map_or(FrameChoice::One, FrameChoice::from);
        if options.figure.panels().is_some() || options.figure.panel_by.is_some() {
            return self.panels(renderer, &frames);
        }
        let loaded = match (&arguments.input[..], &frames) {
            ([_], FrameChoice::One) => load(input, options)?,
            (inputs, frames) => load_several(inputs, frames, options)?,
        };
        let load = start.elapsed();
        steps.done(&format!("read {}", input.display()), *start);
        loaded.notes.iter().for_each(|note| steps.note(note));
        steps.begin("drawing");
        let written = if is_large(&loaded) && job.has_8_bits() {
            loaded.save_bands(renderer, &job.output, &mut |share| steps.share_done(share))?
        } else {
            None
        };
        let (picture, statistics, note) = match written {
            Some((size, statistics)) => (PictureOutput::Written(size), statistics, None),
            None => PictureOutput::new(&loaded, renderer, job)?,
        };
        note.iter().chain(picture.notes()).for_each(|note| steps.note(note));
        steps.note_occlusion(|| renderer.occlusion_error(&loaded.scene));
        let statistics = without_stand_ins(&loaded.scene, statistics);
        Ok(Finished { load, picture, dpi: loaded.figure.dpi(), statistics, streamed: None })
    }

    fn panels(&self, renderer: &mut Renderer, frames: &FrameChoice) -> Result<Finished> {
        if !self.job.has_8_bits() && !self.job.format.is_vector() {
            let message = "with panels must be a PNG of 8 bits, an SVG or a PDF; other files have one picture";
            return Err(Error::setting("output", message));
        }
        let grid = load_grid(&self.arguments.input, frames, &self.options)?;
        let load = self.start.elapsed();
        self.steps.done("read all panels", self.start);
        grid.notes.iter().for_each(|note| self.steps.note(note));
        self.steps.begin("drawing");
        let (picture, report) = if self.job.format.is_vector() {
            let figure = grid.draw_vectors(renderer)?;
            let report = figure.report();
            (PictureOutput::of_shapes(figure, self.job)?, report)
        } else {
            let mut frame = Frame::new(1, 1, Srgba8::TRANSPARENT)?;
            let report = grid.draw(renderer, &mut frame)?;
            (PictureOutput::Frame(frame), report)
        };
        report.note().iter().chain(picture.notes()).for_each(|note| self.steps.note(note));
        self.steps.note_occlusion(|| grid.occlusion_error(renderer));
        let statistics = report.statistics;
        Ok(Finished { load, picture, dpi: grid.dpi(), statistics, streamed: None })
    }

    fn demo(&self, renderer: &mut Renderer) -> Result<Finished> {
        if is_piped_into() {
            self.steps.note("without a file the demo is drawn; `roundel render -` reads standard input");
        }
        let demo = Demo::new(&self.options)?;
        let load = self.start.elapsed();
        self.steps.done("made the demo", self.start);
        self.steps.begin("drawing");
        let mut frame = Frame::new(1, 1, Srgba8::TRANSPARENT)?;
        let statistics = demo.draw(renderer, &mut frame)?;
        Ok(Finished { load, picture: PictureOutput::Frame(frame), dpi: None, statistics, streamed: None })
    }

    fn write(&self, finished: Finished, verbosity: Verbosity) -> Result<()> {
        let Self { arguments, job: Job { output, .. }, steps, start, .. } = self;
        let Finished { load, picture, dpi, statistics, streamed } = finished;
        let shapes = format!("{} {}", statistics.shapes, if statistics.shapes == 1 { "shape" } else { "shapes" });
        steps.done(&format!("drew {shapes}"), *start + load);
        if let Some(color) = picture.only_color().filter(|_| statistics.shapes > 0) {
            let message = "`roundel info` says where shapes and camera are";
            steps.note(&format!("every pixel of the picture is {color}; {message}"));
        }
        steps.begin("writing");
        let encode_start = Instant::now();
        picture.save(output, dpi)?;
        let encode = encode_start.elapsed();
        steps.done(&format!("wrote {}", output.display()), encode_start);
        steps.finish();
        let total = start.elapsed();
        if verbosity != Verbosity::Quiet && output != Path::new("-") {
            let (width, height) = picture.size();
            let size = format!("{width} x {height} pixels");
            print(&format!("wrote {}: {size}, {shapes}, {:.2} s\n", output.display(), total.as_secs_f64()))?;
        }
        if let Some(format) = arguments.stats {
            let report = Report { statistics, streamed, load, encode, total };
            // statistics that cannot be printed are not worth an error
            let _ = io::stderr().write_all(report.to_text(format).as_bytes());
        }
        Ok(())
    }
}

/// Statistics without stand-ins: spheres without a radius that other shapes replace.
fn without_stand_ins(scene: &Scene<'_>, mut statistics: Statistics) -> Statistics {
    let stand_ins = match scene {
        Scene::Spheres(scene) => scene.stand_ins(),
        Scene::Circles(_) => 0,
    };
    statistics.shapes = statistics.shapes.saturating_sub(stand_ins);
    statistics.culled = statistics.culled.saturating_sub(stand_ins);
    statistics
}

/// A finished picture, with its cost.
struct Finished {
    load: Duration,
    picture: PictureOutput,
    /// The resolution to write into the file.
    dpi: Option<f32>,
    statistics: Statistics,
    streamed: Option<StreamStatistics>,
}

pub(super) enum PictureOutput {
    Frame(Frame),
    SixteenBits(Picture<'static>),
    Aovs(Aovs),
    NumberFile(NumberFile),
    Vectors(VectorFigure),
    /// A picture of this size, written while it was drawn.
    Written((u32, u32)),
}

/// Whether a picture is so large that its PNG is written while it is drawn.
fn is_large(loaded: &LoadedScene<'_>) -> bool {
    /// A quarter of a gigabyte.
    const PIXELS: u64 = 1 << 26;
    let (width, height) = loaded.scene.size();
    u64::from(width) * u64::from(height) >= PIXELS
}

/// The numbers of a density.
pub(super) struct NumberFile {
    size: (u32, u32),
    numbers: Vec<f64>,
}

impl NumberFile {
    fn of(loaded: &LoadedScene<'_>) -> Result<Self> {
        let message = "in .npy is for the numbers of a density, which --density count, mass or mean COLUMN draws";
        let (width, height, numbers) = loaded.density().ok_or_else(|| Error::setting("output", message))?;
        Ok(Self { size: (width, height), numbers: numbers.to_vec() })
    }

    /// Writes rows of pixels as an array of NumPy, the first row on top.
    fn save(&self, output: &Path) -> Result<()> {
        let (width, height) = self.size;
        let array = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': ({height}, {width}), }}");
        write_file(output, |file| {
            file.write_all(&npy_header(&array))?;
            self.numbers.iter().try_for_each(|number| file.write_all(&number.to_le_bytes()))
        })
    }
}

impl PictureOutput {
    fn new(
        loaded: &LoadedScene<'_>,
        renderer: &mut Renderer,
        job: &Job<'_>,
    ) -> Result<(Self, Statistics, Option<String>)> {
        let Job { format, has_16_bits, .. } = *job;
        if format == PictureFormat::OpenExr {
            return loaded.draw_aovs(renderer).map(|(layers, statistics)| (Self::Aovs(layers), statistics, None));
        }
        if format == PictureFormat::Npy {
            return Ok((Self::NumberFile(NumberFile::of(loaded)?), Statistics::default(), None));
        }
        if format.is_vector() {
            let figure = loaded.draw_vectors(renderer)?;
            let report = figure.report();
            return Ok((Self::of_shapes(figure, job)?, report.statistics, report.note()));
        }
        let never = AtomicBool::new(false);
        let uncancelled = "nothing cancels it";
        if has_16_bits {
            let drawn = loaded.draw_16_bits_unless_cancelled(renderer, &never)?;
            let (picture, report) = drawn.expect(uncancelled);
            return Ok((Self::SixteenBits(picture), report.statistics, report.note()));
        }
        let mut frame = Frame::new(1, 1, Srgba8::TRANSPARENT)?;
        let report = loaded.draw_unless_cancelled(renderer, &mut frame, &never)?.expect(uncancelled);
        Ok((Self::Frame(frame), report.statistics, report.note()))
    }

    /// A figure of shapes, its texts as the job asks.
    fn of_shapes(figure: VectorFigure, job: &Job<'_>) -> Result<Self> {
        Ok(Self::Vectors(match job.font {
            Some(font) => figure.with_text_in(font)?,
            None => figure,
        }))
    }

    pub(super) fn size(&self) -> (u32, u32) {
        match self {
            Self::Frame(frame) => (frame.width(), frame.height()),
            Self::SixteenBits(picture) => picture.size(),
            Self::Aovs(layers) => (layers.width, layers.height),
            Self::NumberFile(numbers) => numbers.size,
            Self::Vectors(figure) => figure.size(),
            Self::Written(size) => *size,
        }
    }

    /// Notes about parts that are pictures in a file of shapes.
    fn notes(&self) -> &[String] {
        if let Self::Vectors(figure) = self { figure.notes() } else { &[] }
    }

    /// The colour of all pixels, if they have one colour.
    fn only_color(&self) -> Option<Srgba8> {
        let Self::Frame(frame) = self else { return None };
        let (first, rest) = frame.pixels().split_first()?;
        rest.iter().all(|pixel| pixel == first).then_some(*first)
    }

    pub(super) fn save(&self, output: &Path, dpi: Option<f32>) -> Result<()> {
        match (self, dpi) {
            (Self::Frame(frame), Some(dpi)) => frame.save_png_with_dpi(output, dpi),
            (Self::Frame(frame), None) => frame.save_png(output),
            (Self::SixteenBits(picture), Some(dpi)) => picture.save_png_with_dpi(output, dpi),
            (Self::SixteenBits(picture), None) => picture.save_png(output),
            (Self::Aovs(layers), _) => layers.save_exr(output),
            (Self::NumberFile(numbers), _) => numbers.save(output),
            (Self::Vectors(figure), _) => figure.save(output),
            (Self::Written(_), _) => Ok(()),
        }
    }
}

/// Whether another program, or a file, feeds standard input.
#[cfg(unix)]
fn is_piped_into() -> bool {
    use std::os::unix::fs::FileTypeExt;

    std::fs::metadata("/dev/stdin").is_ok_and(|stdin| stdin.file_type().is_fifo() || stdin.len() > 0)
}

/// Not known on other systems.
#[cfg(not(unix))]
fn is_piped_into() -> bool {
    false
}

/// Returns the input's name in the current folder, with `.png` in place of its ending and its compression's ending.
fn default_output(input: Option<&Path>) -> PathBuf {
    let input = match input {
        None => return "roundel-demo.png".into(),
        Some(input) if input == Path::new("-") => return "roundel.png".into(),
        Some(input) => Path::new(input.file_name().unwrap_or("roundel".as_ref())),
    };
    let is_compressed =
        input.extension().is_some_and(|ending| ["gz", "zst", "bz2"].iter().any(|known| ending == *known));
    let uncompressed = if is_compressed { input.with_extension("") } else { input.to_owned() };
    uncompressed.with_extension("png")
}
