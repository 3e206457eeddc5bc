//! `roundel selftest`: the promise of the same bytes everywhere, checked on this machine.
//!
//! A fixed set of scenes, made by rule, is drawn in every way that must not matter: at each instruction set that the
//! processor has, with several numbers of threads and tile sizes, with culling and without. The pixels' hashes are
//! compared with those of the committed manifest.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use glam::Vec3;
use roundel::{
    Background, Blend, Camera, Canvas, CircleScene, Culling, Error, Frame, Layer, Light, PaintedCircle, PaintedEllipse,
    Pattern, Place, Pose, Projection, Quality, Result, Scene, Settings, SimdLevel, SphereGroup, SphereScene, Srgba8,
    Style, View, generate_circles, generate_spheres,
};
use serde::Deserialize;

use super::progress::{self, Talk};
use super::{Verdict, print};

/// Check on this machine that it draws the same pixels as every other
#[derive(Debug, Args)]
#[command(after_help = "\
Draws scenes of 100000 shapes at every instruction set of this processor, with 1, 2 and 7 threads, tiles of 8 to 128
pixels, culling on and off, and compares the pixels with the hashes of golden/manifest.toml.

Examples:
  roundel selftest
  roundel selftest --print > golden/manifest.toml        a new manifest, when pictures changed on purpose

Exit status: 0 every frame agrees; 1 one does not; 2 an error.")]
pub(super) struct Arguments {
    /// Print the manifest that this machine's plain way of drawing gives, and compare nothing
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

/// What every machine must draw.
const MANIFEST: &str = include_str!("../../golden/manifest.toml");

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest {
    frame: Vec<Entry>,
}

#[derive(Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    name: String,
    size: [u32; 2],
    /// [`hash`] of the pixels, 16 hexadecimal digits.
    hash: String,
}

pub(super) fn run(arguments: &Arguments) -> Result<Verdict> {
    let scenes = scenes();
    if arguments.print {
        return print_manifest(&scenes);
    }
    let manifest = match &arguments.manifest {
        Some(file) => read(file)?,
        None => toml::from_str(MANIFEST).expect("the built-in manifest is well formed"),
    };
    let start = Instant::now();
    let levels = SimdLevel::available();
    let ways = if arguments.brief { brief_ways(&levels) } else { ways(&levels) };
    let talk = if arguments.quiet { Talk::Quiet } else { Talk::Normal };
    let bar = progress::counted(talk, (scenes.len() * ways.len()) as u64);
    let (mut drawn, mut differing) = (0, 0);
    for (name, scene) in &scenes {
        bar.set_message(*name);
        let expected = manifest.frame.iter().find(|entry| entry.name == *name);
        let (width, height) = scene.size();
        let mut wrong = Vec::new();
        for settings in &ways {
            let found = entry(name, &draw(scene, settings)?);
            drawn += 1;
            if Some(&found) != expected {
                wrong.push(format!("  differs with {}: {}\n", told(settings), found.hash));
            }
            bar.inc(1);
        }
        differing += wrong.len();
        let verdict = if wrong.is_empty() { "agrees" } else { "DIFFERS" };
        if talk != Talk::Quiet || !wrong.is_empty() {
            let line = format!("{name:<12} {width} x {height}: {verdict}, drawn in {} ways\n", ways.len());
            bar.suspend(|| print(&(line + &wrong.concat())))?;
        }
    }
    bar.finish_and_clear();
    if talk != Talk::Quiet {
        let tried: Vec<_> = levels.iter().map(|level| level.name()).collect();
        let seconds = start.elapsed().as_secs_f64();
        let architecture = std::env::consts::ARCH;
        print(&format!("instruction sets tried on this {architecture} machine: {}\n", tried.join(", ")))?;
        print(&match differing {
            0 => format!("all {drawn} frames agree with the manifest, {seconds:.1} s\n"),
            _ => format!("{differing} of {drawn} frames differ from the manifest, {seconds:.1} s\n"),
        })?;
    }
    Ok(if differing == 0 { Verdict::Done } else { Verdict::Different })
}

fn read(file: &Path) -> Result<Manifest> {
    let text =
        fs::read_to_string(file).map_err(|source| Error::Io { action: "read", path: file.to_owned(), source })?;
    toml::from_str(&text).map_err(|error| {
        let offset = error.span().map_or(0, |span| span.start);
        let line = text.bytes().take(offset).filter(|&byte| byte == b'\n').count() as u64 + 1;
        let place = Place { file: file.display().to_string(), line: Some(line) };
        Error::Input { place, message: error.message().to_owned() }
    })
}

/// The hashes of what the default settings draw, as the manifest has them.
fn print_manifest(scenes: &[(&'static str, Scene<'static>)]) -> Result<Verdict> {
    let mut text =
        "# The frames that `roundel selftest` draws, and the hash of their pixels: the same on every machine.\n"
            .to_owned();
    for (name, scene) in scenes {
        let Entry { name, size: [width, height], hash } = entry(name, &draw(scene, &Settings::default())?);
        // writing into a string cannot fail
        let _ = write!(text, "\n[[frame]]\nname = {name:?}\nsize = [{width}, {height}]\nhash = {hash:?}\n");
    }
    print(&text)?;
    Ok(Verdict::Done)
}

fn draw(scene: &Scene<'_>, settings: &Settings) -> Result<Frame, Error> {
    roundel::render(scene, settings)
}

fn entry(name: &str, frame: &Frame) -> Entry {
    Entry { name: name.to_owned(), size: [frame.width(), frame.height()], hash: format!("{:016x}", hash(frame)) }
}

/// FNV-1a, 64 bits, of the pixels row by row, each as red, green, blue, alpha.
fn hash(frame: &Frame) -> u64 {
    const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0100_0000_01b3;
    let bytes = frame.pixels().iter().flat_map(|&Srgba8 { r, g, b, a }| [r, g, b, a]);
    bytes.fold(OFFSET, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(PRIME))
}

/// Ways of drawing that must make no difference: each instruction set, each number of threads, each size of tiles.
fn ways(levels: &[SimdLevel]) -> Vec<Settings> {
    let plain = Settings::default();
    let tiled = |simd, threads, tile| Settings { simd, threads: Some(threads), tile_size: Some(tile), ..plain };
    let mut ways = vec![plain, Settings { culling: Culling::Off, ..plain }];
    for &level in levels {
        ways.extend([tiled(level, 1, 37), tiled(level, 7, 128)]);
    }
    ways.extend([8, 16, 64].map(|tile| tiled(SimdLevel::Auto, 2, tile)));
    ways
}

/// Each instruction set once.
fn brief_ways(levels: &[SimdLevel]) -> Vec<Settings> {
    levels.iter().map(|&simd| Settings { simd, ..Settings::default() }).collect()
}

fn told(settings: &Settings) -> String {
    let count = |value: Option<usize>| value.map_or("default".to_owned(), |value| value.to_string());
    let tile = settings.tile_size.map_or("default".to_owned(), |tile| tile.to_string());
    let culling = if settings.culling == Culling::On { "" } else { " --no-cull" };
    format!("--simd {} --threads {} --tile {tile}{culling}", settings.simd.name(), count(settings.threads))
}

// The scenes

/// Shapes in each.
const SHAPES: usize = 100_000;

/// The scenes by name; a changed one needs a changed manifest.
fn scenes() -> Vec<(&'static str, Scene<'static>)> {
    let quality = Quality::default();
    let soft = Quality { samples: 2, ao_rays: 3, shadows: true, ambient: 0.4, seed: 5, ..quality };
    let near = Quality { samples: 2, ao_rays: 2, ao_distance: 0.2, ..quality };
    let smooth = Quality { samples: 3, ..quality };
    let far = perspective(Vec3::new(1.7, 1.3, 3.1));
    let parallel = Camera { projection: Projection::Orthographic { height: 2.4 }, ..far };
    let sky = Background::Gradient { bottom: Srgba8::WHITE, top: Srgba8::opaque(0x80, 0xb3, 0xff) };
    let nothing = Background::Solid(Srgba8::TRANSPARENT);
    let paper = Background::Solid(Srgba8::WHITE);
    let veil = Srgba8::opaque(0x20, 0x40, 0x60).with_alpha(0x50);
    vec![
        ("circles", circles(Pattern::Uniform, 1.0, Srgba8::WHITE, Blend::Srgb)),
        ("linear", circles(Pattern::Gaussian, 4.0, veil, Blend::Linear)),
        ("large", circles(Pattern::Sphereflake, 90.0, Srgba8::BLACK, Blend::Srgb)),
        ("outlines", outlines()),
        ("spheres", spheres(Pattern::Uniform, far, paper, quality)),
        ("shadows", spheres(Pattern::Gaussian, far, sky, soft)),
        ("parallel", spheres(Pattern::Lattice, parallel, nothing, smooth)),
        ("inside", spheres(Pattern::Sphereflake, perspective(Vec3::new(0.1, 0.2, 0.35)), paper, near)),
    ]
}

fn perspective(eye: Vec3) -> Camera {
    Camera { eye, target: Vec3::ZERO, up: Vec3::Y, projection: Projection::Perspective { fov_y_radians: 0.6 } }
}

/// Generated circles over a canvas, with radii so many times as large.
fn placed(pattern: Pattern, growth: f32) -> Vec<PaintedCircle> {
    let mut circles = generate_circles(pattern, SHAPES, 11);
    for PaintedCircle { center, radius, .. } in &mut circles {
        // a sixth of them outside
        *center = [320.0 + 350.0 * center[0], 240.0 + 260.0 * center[1]];
        *radius *= 260.0 * growth;
    }
    circles
}

fn canvas(background: Srgba8, blend: Blend) -> Canvas {
    Canvas { width: 640, height: 480, background, blend }
}

fn circles(pattern: Pattern, growth: f32, background: Srgba8, blend: Blend) -> Scene<'static> {
    let layers = vec![Layer::Circles(placed(pattern, growth).into())];
    Scene::Circles(CircleScene { canvas: canvas(background, blend), layers })
}

/// Ellipses and rings of every shape, some thinner than a pixel, some wider than their radius.
fn outlines() -> Scene<'static> {
    let ellipse = |(index, circle): (usize, PaintedCircle)| {
        let PaintedCircle { center, radius, color } = circle;
        let stretch = [1.0, 2.5, 0.3, 8.0][index % 4];
        let style = match index % 3 {
            0 => Style::Fill,
            1 => Style::Stroke { width: 0.6 },
            _ => Style::Stroke { width: 2.5 * radius },
        };
        PaintedEllipse { center, radii: [radius * stretch, radius], style, color }
    };
    let ellipses: Vec<_> = placed(Pattern::Uniform, 3.0).into_iter().enumerate().map(ellipse).collect();
    let layers = vec![Layer::Ellipses(ellipses.into())];
    Scene::Circles(CircleScene { canvas: canvas(Srgba8::WHITE, Blend::Srgb), layers })
}

fn spheres(pattern: Pattern, camera: Camera, background: Background, quality: Quality) -> Scene<'static> {
    let light = |direction, color, intensity| Light { direction, color, intensity };
    // without shadows the headlight is tried
    let lights = match quality.shadows {
        false => Vec::new(),
        true => vec![
            light(Vec3::new(-1.0, -2.0, -0.5), Srgba8::WHITE, 0.7),
            light(Vec3::new(1.0, -0.3, -1.0), Srgba8::opaque(0xff, 0xc0, 0x80), 0.4),
        ],
    };
    let group = SphereGroup {
        spheres: generate_spheres(pattern, SHAPES, 11).into(),
        poses: vec![Pose::IDENTITY, Pose { translation: Vec3::new(0.5, -0.4, -2.5), ..Pose::IDENTITY }].into(),
    };
    Scene::Spheres(SphereScene {
        view: View { width: 96, height: 72, background, camera },
        groups: vec![group],
        lights,
        quality,
    })
}
