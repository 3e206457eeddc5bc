//! `roundel selftest`: the promise of the same bytes everywhere, checked on this machine.
//!
//! A fixed set of pictures, of scenes made by rule, of the golden scenes and of what the viewer writes over them, is drawn
//! in every way that must not matter: at each instruction set that the processor has, with several numbers of threads and
//! tile sizes, with culling and without. The pixels' hashes are compared with those of the committed manifest.

mod files;
mod generated;
mod manifest;
mod ways;
#[cfg(feature = "viewer")]
mod windows;

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use indicatif::ProgressBar;
use roundel::{Error, Frame, RenderSettings, Result, Scene, SimdLevel};

use super::progress::{self, Talk};
use super::{Verdict, print};
use manifest::{Entry, Manifest};

/// Check on this machine that it draws the same pixels as every other
#[derive(Debug, Args)]
#[command(after_help = "\
Draws scenes of 100000 shapes, the project's golden scenes and the viewer's text at every instruction set of this
processor, with 1, 2 and 7 threads, tiles of 8 to 128 pixels, culling on and off, and compares the pixels with the hashes
of golden/manifest.toml. The program carries all that it needs.

Examples:
  roundel selftest
  roundel selftest --print > golden/manifest.toml        a new manifest, when pictures changed on purpose

Exit status: 0 every frame agrees; 1 one does not; 2 an error.")]
pub(super) struct Arguments {
    /// Print the whole manifest as this machine's plain way of drawing gives it, and compare nothing
    #[arg(long)]
    print: bool,
    /// Compare with another manifest than the one this program was built with
    #[arg(long, value_name = "FILE", conflicts_with = "print")]
    manifest: Option<PathBuf>,
    /// Draw each frame but once at each instruction set: for emulators and other slow machines
    #[arg(long, conflicts_with = "print")]
    brief: bool,
    /// Say nothing but errors and frames that differ
    #[arg(short, long)]
    quiet: bool,
}

/// Frames of the manifest that only a program with the viewer draws.
const VIEWER: [&str; 2] = ["viewer-circles", "viewer-spheres"];

/// A frame of the manifest.
struct Picture {
    name: String,
    scene: Scene<'static>,
    kind: Kind,
}

/// How a frame comes about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// A scene of many shapes.
    Large,
    /// A golden scene, small enough to be drawn in many ways.
    Golden,
    /// What a window shows after these events.
    #[cfg(feature = "viewer")]
    Window(&'static str),
}

impl Picture {
    fn draw(&self, settings: &RenderSettings) -> Result<Frame> {
        match self.kind {
            Kind::Large | Kind::Golden => roundel::render(&self.scene, settings),
            #[cfg(feature = "viewer")]
            Kind::Window(events) => windows::play(&self.scene, events, settings),
        }
    }

    fn ways(&self, levels: &[SimdLevel]) -> Vec<RenderSettings> {
        match self.kind {
            Kind::Large => ways::few(levels),
            Kind::Golden => ways::many(levels),
            #[cfg(feature = "viewer")]
            Kind::Window(_) => ways::of_tiles_shown(levels),
        }
    }

    fn brief_ways(&self, levels: &[SimdLevel], turn: usize) -> Vec<RenderSettings> {
        match self.kind {
            Kind::Large | Kind::Golden => ways::brief(levels, turn),
            #[cfg(feature = "viewer")]
            Kind::Window(_) => ways::brief(levels, turn).into_iter().map(ways::shown).collect(),
        }
    }
}

/// Every frame that this program draws, in the manifest's order.
fn pictures() -> Result<Vec<Picture>> {
    let mut pictures: Vec<Picture> = generated::scenes()?
        .into_iter()
        .map(|(name, scene)| Picture { name: name.to_owned(), scene, kind: Kind::Large })
        .collect();
    #[cfg(feature = "viewer")]
    for (name, (scene, events)) in
        VIEWER.into_iter().zip([("circles", windows::OVER_CIRCLES), ("spheres", windows::OVER_SPHERES)])
    {
        let scene = pictures.iter().find(|picture| picture.name == scene).expect("is generated").scene.clone();
        pictures.push(Picture { name: name.to_owned(), scene, kind: Kind::Window(events) });
    }
    let golden = files::golden_scenes()?.into_iter();
    pictures.extend(golden.map(|(name, scene)| Picture { name, scene, kind: Kind::Golden }));
    Ok(pictures)
}

pub(super) fn run(arguments: &Arguments) -> Result<Verdict> {
    if arguments.print {
        return print_manifest();
    }
    let start = Instant::now();
    let manifest = match &arguments.manifest {
        Some(file) => Manifest::read(file)?,
        None => Manifest::built_in(),
    };
    let levels = SimdLevel::available();
    let pictures: Vec<(Picture, Vec<RenderSettings>)> = pictures()?
        .into_iter()
        .enumerate()
        .map(|(turn, picture)| {
            let ways = if arguments.brief { picture.brief_ways(&levels, turn) } else { picture.ways(&levels) };
            (picture, ways)
        })
        .collect();
    let talk = if arguments.quiet { Talk::Quiet } else { Talk::Normal };
    let frames: usize = pictures.iter().map(|(_, ways)| ways.len()).sum();
    let bar = progress::counted(talk, frames as u64);
    let mut differing = 0;
    for (picture, ways) in &pictures {
        bar.set_message(picture.name.clone());
        let (size, wrong) = differences(picture, ways, &manifest, &bar)?;
        differing += wrong.len();
        let verdict = if wrong.is_empty() { "agrees" } else { "DIFFERS" };
        if talk != Talk::Quiet || !wrong.is_empty() {
            let [width, height] = size;
            let line = format!("{}: {width} x {height}, {verdict}, drawn in {} ways\n", picture.name, ways.len());
            bar.suspend(|| print(&(line + &wrong.concat())))?;
        }
    }
    bar.finish_and_clear();
    let unknown = manifest.frame.iter().filter(|entry| pictures.iter().all(|(picture, _)| picture.name != entry.name));
    for Entry { name, .. } in unknown {
        if VIEWER.contains(&&**name) && cfg!(not(feature = "viewer")) {
            if talk != Talk::Quiet {
                print(&format!("{name}: left out, this program was built without the viewer\n"))?;
            }
        } else {
            differing += 1;
            print(&format!("{name}: DIFFERS, stands in the manifest and is no frame of this program\n"))?;
        }
    }
    if talk != Talk::Quiet {
        let tried: Vec<_> = levels.iter().map(|level| level.name()).collect();
        let seconds = start.elapsed().as_secs_f64();
        let architecture = std::env::consts::ARCH;
        print(&format!("instruction sets tried on this {architecture} machine: {}\n", tried.join(", ")))?;
        print(&match differing {
            0 => {
                format!("all {frames} drawings of {} frames agree with the manifest, {seconds:.1} s\n", pictures.len())
            }
            _ => format!("{differing} of {frames} drawings differ from the manifest, {seconds:.1} s\n"),
        })?;
    }
    Ok(if differing == 0 { Verdict::Done } else { Verdict::Different })
}

/// The size of a picture, and a line for each way in which it is not the manifest's.
fn differences(
    picture: &Picture,
    ways: &[RenderSettings],
    manifest: &Manifest,
    bar: &ProgressBar,
) -> Result<([u32; 2], Vec<String>)> {
    let expected = manifest.frame.iter().find(|entry| entry.name == picture.name);
    let (mut size, mut wrong) = ([0; 2], Vec::new());
    for settings in ways {
        let frame = picture.draw(settings)?;
        size = [frame.width(), frame.height()];
        let found = Entry::new(&picture.name, &frame);
        if Some(&found) != expected {
            wrong.push(format!("  differs with {}: {}\n", ways::told(settings), found.hash));
        }
        bar.inc(1);
    }
    Ok((size, wrong))
}

/// The hashes of what the default settings draw, as the manifest has them.
fn print_manifest() -> Result<Verdict> {
    if cfg!(not(feature = "viewer")) {
        let message = "needs a program with the viewer, which draws some of the manifest's frames".to_owned();
        return Err(Error::Setting { name: "--print", message });
    }
    let entry = |picture: Picture| {
        let settings = picture.ways(&[SimdLevel::Auto]).first().copied().unwrap_or_default();
        Ok(Entry::new(&picture.name, &picture.draw(&settings)?))
    };
    let frame = pictures()?.into_iter().map(entry).collect::<Result<_>>()?;
    print(&Manifest { frame }.text())?;
    Ok(Verdict::Done)
}
