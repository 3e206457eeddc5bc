//! `roundel selftest`: verifies on this machine that every machine draws the same pixels.
//!
//! A fixed set of frames is drawn with every setting that must not change a pixel: instruction set, number of threads,
//! tile size, culling. The hashes of their pixels are compared with the committed manifest.

mod configurations;
mod embedded;
mod manifest;
mod renderer;
mod scenes;
#[cfg(feature = "viewer")]
mod viewer_frames;

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use indicatif::ProgressBar;
use roundel::io::LoadedScene;
use roundel::{Error, Frame, RenderSettings, Renderer, Result, Scene, SimdLevel, Srgba8};

use super::CommandOutcome;
use super::flags::simd;
use super::output::print;
use super::progress::{self, Verbosity};
use manifest::{FrameHash, Manifest};

/// Verify that this machine draws the expected pixels
#[derive(Debug, Args)]
#[command(after_help = "\
Draws generated scenes of 100000 shapes, the project's golden scenes and the viewer's overlay at every instruction set of \
this processor, with 1, 2 and 7 threads, tiles of 8 to 128 pixels, with and without culling, and compares hashes of the \
pixels with golden/manifest.toml. Scenes and manifest are part of the program.

Examples:
  roundel selftest                                 Draw each frame in many ways
  roundel selftest --brief                         Draw each frame in few ways
  roundel selftest golden/trace lit                Only frames with these names
  roundel selftest --print > golden/manifest.toml  Approve intended changes
  roundel selftest --renderer 'python3 chart.py {out}'
                                                   Ask whether another renderer draws the same bytes in any way

With --renderer nothing of roundel's is drawn. The command, which a shell runs, writes a picture to {out}: twice, with 1, 2 and 7 \
threads (OMP_NUM_THREADS and the like), on one processor (taskset), and without the instructions of newer processors, as far as the C \
library, linear algebra, NumPy, PyTorch, OpenCV and Mesa can leave them out. Goldens of a renderer whose pictures agree need no \
tolerance on this machine. Further commands are compared with the first, such as one that chooses other instructions by a flag.

Exit status:
  0  All frames agree
  1  Some frames differ
  2  Error; the message is on standard error")]
pub(super) struct SelftestArguments {
    /// Check only frames whose names contain one of these texts
    #[arg(conflicts_with = "print")]
    filters: Vec<String>,
    /// Print a new manifest of what this machine draws, and compare nothing
    #[arg(long)]
    print: bool,
    /// Compare with this manifest instead of the built-in one
    #[arg(long, value_name = "FILE", conflicts_with = "print")]
    manifest: Option<PathBuf>,
    /// Draw each frame only once per instruction set, for slow machines
    #[arg(long, conflicts_with = "print")]
    brief: bool,
    /// Draw with this instruction set alone
    #[arg(long, value_name = "LEVEL", value_parser = simd(), conflicts_with = "print")]
    simd: Option<SimdLevel>,
    /// Print nothing but errors and frames that differ
    #[arg(short, long)]
    quiet: bool,
    /// Ask whether this command, which writes a picture to {out}, draws the same bytes in any way; can be repeated
    #[arg(long, value_name = "COMMAND", conflicts_with_all = ["filters", "print", "manifest", "brief", "simd", "quiet"])]
    renderer: Vec<String>,
}

/// Frames of the manifest that only a program with the viewer draws.
const VIEWER_FRAMES: [&str; 2] = ["viewer-circles", "viewer-spheres"];

struct TestFrame {
    name: String,
    content: FrameSource,
}

/// The content of a frame, which decides how it is made.
enum FrameSource {
    /// A generated scene of many shapes.
    Generated(Box<Scene<'static>>),
    /// A golden scene with its figure, small enough to be drawn in many ways.
    Golden(Box<LoadedScene<'static>>),
    /// A generated scene in the viewer, after these events.
    #[cfg(feature = "viewer")]
    Viewer(Box<Scene<'static>>, &'static str),
}

impl TestFrame {
    fn draw(&self, settings: &RenderSettings) -> Result<Frame> {
        match &self.content {
            FrameSource::Generated(scene) => roundel::render(scene, settings),
            FrameSource::Golden(loaded) => {
                let mut frame = Frame::new(1, 1, Srgba8::TRANSPARENT)?;
                loaded.draw(&mut Renderer::new(settings)?, &mut frame)?;
                Ok(frame)
            }
            #[cfg(feature = "viewer")]
            FrameSource::Viewer(scene, events) => viewer_frames::replay(scene, events, settings),
        }
    }

    fn configurations(&self, levels: &[SimdLevel]) -> Vec<RenderSettings> {
        match self.content {
            FrameSource::Generated(_) => configurations::each_value(levels),
            FrameSource::Golden(_) => configurations::pairwise(levels),
            #[cfg(feature = "viewer")]
            FrameSource::Viewer(..) => viewer_frames::with_visible_tiles(levels),
        }
    }

    /// Returns the settings to draw the frame of this index with, one per level.
    fn brief_configurations(&self, levels: &[SimdLevel], index: usize) -> Vec<RenderSettings> {
        let configurations = configurations::one_per_level(levels, index);
        match self.content {
            FrameSource::Generated(_) | FrameSource::Golden(_) => configurations,
            #[cfg(feature = "viewer")]
            FrameSource::Viewer(..) => configurations.into_iter().map(viewer_frames::visible_tiles).collect(),
        }
    }
}

/// Returns every frame that this program draws, in the manifest's order.
fn test_frames() -> Result<Vec<TestFrame>> {
    let mut frames: Vec<TestFrame> = scenes::scenes()?
        .into_iter()
        .map(|(name, scene)| TestFrame { name: name.to_owned(), content: FrameSource::Generated(Box::new(scene)) })
        .collect();
    #[cfg(feature = "viewer")]
    for (name, (shown, events)) in VIEWER_FRAMES
        .into_iter()
        .zip([("circles", viewer_frames::OVER_CIRCLES), ("spheres", viewer_frames::OVER_SPHERES)])
    {
        let scene = frames.iter().find_map(|frame| match &frame.content {
            FrameSource::Generated(scene) if frame.name == shown => Some(scene.clone()),
            _ => None,
        });
        let content = FrameSource::Viewer(scene.expect("a generated scene"), events);
        frames.push(TestFrame { name: name.to_owned(), content });
    }
    let golden = embedded::golden_scenes()?.into_iter();
    frames.extend(golden.map(|(name, loaded)| TestFrame { name, content: FrameSource::Golden(Box::new(loaded)) }));
    Ok(frames)
}

/// Reports whether a name contains one of the filters, or there are none.
fn is_chosen(name: &str, filters: &[String]) -> bool {
    filters.is_empty() || filters.iter().any(|filter| name.contains(&**filter))
}

/// Fails if a filter chooses none of the names.
fn check_filters<'a>(filters: &[String], names: impl Iterator<Item = &'a str> + Clone) -> Result<()> {
    let Some(filter) = filters.iter().find(|filter| !names.clone().any(|name| name.contains(&***filter))) else {
        return Ok(());
    };
    let likeness = |name: &str| strsim::jaro_winkler(filter, name.rsplit('/').next().unwrap_or(name));
    let nearest = names.reduce(|best, name| if likeness(name) > likeness(best) { name } else { best });
    let nearest = nearest.filter(|name| likeness(name) > 0.7);
    let hint = nearest.map(|name| format!("; did you mean {name:?}?")).unwrap_or_default();
    Err(Error::setting("filter", format!("must be part of the name of a frame, got {filter:?}{hint}")))
}

pub(super) fn run(arguments: &SelftestArguments) -> Result<CommandOutcome> {
    if !arguments.renderer.is_empty() {
        return renderer::run(&arguments.renderer);
    }
    if arguments.print {
        return print_manifest();
    }
    let start = Instant::now();
    let manifest = match &arguments.manifest {
        Some(file) => Manifest::read(file)?,
        None => Manifest::built_in(),
    };
    let levels = match arguments.simd {
        Some(level) => {
            Renderer::new(&RenderSettings::default().with_simd(level))?;
            vec![level]
        }
        None => SimdLevel::available(),
    };
    let frames = test_frames()?;
    let expected = manifest.frames.iter().map(|frame| &*frame.name);
    check_filters(&arguments.filters, frames.iter().map(|frame| &*frame.name).chain(expected))?;
    let chosen = frames.into_iter().enumerate().filter(|(_, frame)| is_chosen(&frame.name, &arguments.filters));
    let configured = |(index, frame): (usize, TestFrame)| {
        let brief = || frame.brief_configurations(&levels, index);
        let configurations = if arguments.brief { brief() } else { frame.configurations(&levels) };
        (frame, configurations)
    };
    let frames: Vec<(TestFrame, Vec<RenderSettings>)> = chosen.map(configured).collect();
    let verbosity = if arguments.quiet { Verbosity::Quiet } else { Verbosity::Normal };
    let drawings: usize = frames.iter().map(|(_, configurations)| configurations.len()).sum();
    let bar = progress::counted(verbosity, drawings as u64);
    let mut differing = 0;
    for (frame, configurations) in &frames {
        bar.set_message(frame.name.clone());
        let Compared { size: [width, height], differences } = compare(frame, configurations, &manifest, &bar)?;
        differing += differences.len();
        let verdict = if differences.is_empty() { "agrees" } else { "DIFFERS" };
        if verbosity != Verbosity::Quiet || !differences.is_empty() {
            let name = &frame.name;
            let line = format!("{name}: {width} x {height}, {verdict}, drawn in {} ways\n", configurations.len());
            bar.suspend(|| print(&(line + &differences.concat())))?;
        }
    }
    bar.finish_and_clear();
    let is_drawn = |name: &str| frames.iter().any(|(frame, _)| frame.name == name);
    let is_missing = |expected: &&FrameHash| is_chosen(&expected.name, &arguments.filters) && !is_drawn(&expected.name);
    differing += report_missing(manifest.frames.iter().filter(is_missing), verbosity)?;
    if verbosity != Verbosity::Quiet {
        let tried: Vec<_> = levels.iter().map(|level| level.name()).collect();
        let seconds = start.elapsed().as_secs_f64();
        let architecture = std::env::consts::ARCH;
        print(&format!("instruction sets tried on this {architecture} machine: {}\n", tried.join(", ")))?;
        print(&match differing {
            0 => {
                format!("all {drawings} drawings of {} frames agree with the manifest, {seconds:.1} s\n", frames.len())
            }
            _ => format!("{differing} of {drawings} drawings differ from the manifest, {seconds:.1} s\n"),
        })?;
    }
    Ok(if differing == 0 { CommandOutcome::Done } else { CommandOutcome::Different })
}

/// Prints which of the manifest's frames are not drawn; returns how many should be.
fn report_missing<'a>(frames: impl Iterator<Item = &'a FrameHash>, verbosity: Verbosity) -> Result<usize> {
    let mut differing = 0;
    for FrameHash { name, .. } in frames {
        if VIEWER_FRAMES.contains(&&**name) && cfg!(not(feature = "viewer")) {
            if verbosity != Verbosity::Quiet {
                print(&format!("{name}: skipped, this program was built without the viewer\n"))?;
            }
        } else {
            differing += 1;
            print(&format!("{name}: DIFFERS, the manifest has a frame that this program does not draw\n"))?;
        }
    }
    Ok(differing)
}

/// The result of drawing a frame with several settings.
struct Compared {
    size: [u32; 2],
    /// A line for each drawing that differs from the manifest.
    differences: Vec<String>,
}

fn compare(
    frame: &TestFrame,
    configurations: &[RenderSettings],
    manifest: &Manifest,
    bar: &ProgressBar,
) -> Result<Compared> {
    let expected = manifest.frames.iter().find(|expected| expected.name == frame.name);
    let mut compared = Compared { size: [0; 2], differences: Vec::new() };
    for settings in configurations {
        let pixels = frame.draw(settings)?;
        compared.size = [pixels.width(), pixels.height()];
        let found = FrameHash::new(&frame.name, &pixels);
        if Some(&found) != expected {
            let flags = configurations::flags(settings);
            compared.differences.push(format!("  differs with {flags}: {}\n", found.hash));
        }
        bar.inc(1);
    }
    Ok(compared)
}

/// Prints the hashes of the frames at default settings.
fn print_manifest() -> Result<CommandOutcome> {
    if cfg!(not(feature = "viewer")) {
        let message = "needs a program with the viewer, which draws some of the manifest's frames".to_owned();
        return Err(Error::setting("print", message));
    }
    let frame_hash = |frame: TestFrame| {
        let settings = frame.configurations(&[SimdLevel::Auto]).first().copied().unwrap_or_default();
        Ok(FrameHash::new(&frame.name, &frame.draw(&settings)?))
    };
    let frames = test_frames()?.into_iter().map(frame_hash).collect::<Result<_>>()?;
    print(&Manifest { frames }.to_toml())?;
    Ok(CommandOutcome::Done)
}
