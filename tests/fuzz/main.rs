//! Mutated files against every reader, the scene parser and the renderer behind them: nothing may panic, hang or swell.
//!
//! Each target starts from small valid samples, and from every input that once broke it (`tests/fuzz/TARGET/`), and
//! mutates them at random until its time is over: `ROUNDEL_FUZZ_SECONDS` a target, 1 unless told. The seed is fixed
//! (`ROUNDEL_FUZZ_SEED`), so a second of CI is a second of yours, give or take the machine. What breaks a target is left in
//! `target/fuzz/TARGET.bin`, ready to be added to `tests/fuzz/TARGET/`.
#![cfg(feature = "scene-files")]

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use roundel::{Overrides, Scene, Settings, describe, read_png, read_scene, render};

/// Inputs longer than this teach nothing and slow everything.
const LONGEST: usize = 1 << 14;

/// One input may take this long, far more than any should: files of 16 KiB are read in microseconds.
const SLOWEST: Duration = Duration::from_secs(5);

#[test]
fn csv_reader_survives_mutated_tables() {
    let samples: [&[u8]; 4] = [
        b"x,y,r,color\n1,2,3,red\n4,5.5,6e-1,blue\n",
        b"longitude;latitude;name\n-80.5;25.25;\"a \"\"quoted\"\" one\"\n-81;26;b\n",
        b"\xef\xbb\xbfx\ty\tz\r\n1\t2\t3\r\n4\t5\t6\r\n",
        b"1 2,3\n4,5\n",
    ];
    fuzz("csv", &samples, |input| draw_file("csv", input));
}

#[test]
fn xyz_reader_survives_mutated_molecules() {
    let samples: [&[u8]; 3] = [
        b"3\nwater\nO 0 0 0\nH 0.96 0 0\nH -0.24 0.93 0\n",
        b"1\n\nC 1.0 2.0 3.0 0.5\n1\nsecond frame\nC 1 2 4\n",
        b"2\r\n\r\n6 0 0 0\r\n8 1.2 0 0\r\n",
    ];
    fuzz("xyz", &samples, |input| draw_file("xyz", input));
}

#[test]
fn pdb_reader_survives_mutated_molecules() {
    let samples: [&[u8]; 2] = [
        b"HEADER    TEST\n\
          ATOM      1  N   MET A   1      38.428  13.104   6.364  1.00 54.69           N  \n\
          HETATM    2 CA    CA A   2      38.300  12.000   7.000  1.00 54.69          CA  \n\
          TER\nEND\n",
        b"REMARK 350 BIOMOLECULE: 1\n\
          REMARK 350 APPLY THE FOLLOWING TO CHAINS: A\n\
          REMARK 350   BIOMT1   1  1.000000  0.000000  0.000000        0.00000\n\
          REMARK 350   BIOMT2   1  0.000000  1.000000  0.000000        0.00000\n\
          REMARK 350   BIOMT3   1  0.000000  0.000000  1.000000        0.00000\n\
          MODEL        1\n\
          ATOM      1  CA AALA A   1      11.104   6.134  -6.504  1.00  0.00           C\n\
          ENDMDL\n",
    ];
    fuzz("pdb", &samples, |input| {
        draw_file("pdb", input);
        let overrides = Overrides { assembly: Some(1), ..small() };
        with_file("pdb", input, |path| drop(read_scene(path, &overrides)));
    });
}

const FLAT: &str = r##"[canvas]
width = 40
height = 30
background = "#ffffff80"
blend = "linear"
view = { center = [0.0, 1.0], height = 8.0, flip_y = true }

[[circle]]
center = [1.0, 2.0]
radii = [3.0, 1.5]
fill = "#d62728cc"
stroke = { color = "#000000", width = 0.5 }

[[points]]
file = "missing.csv"
x = "a"
y = "b"
radius = { column = "c", range = [1, 12], scale = "sqrt" }
color = { column = "d", map = "viridis" }
"##;

const SOLID: &str = r##"[camera]
eye = [0, 0, 5]
target = [0, 0, 0]
fov = 40.0
background = { bottom = "#ffffff", top = "#80b3ff" }

[render]
samples = 2
ao = 2
shadows = true
ambient = 0.2

[[light]]
direction = [-1, -1, -0.5]
intensity = 1.5

[[sphere]]
center = [0, 0, 0]
radius = 1.0
color = "#4477aa"
"##;

#[test]
fn toml_scenes_survive_mutation() {
    fuzz("toml", &[FLAT.as_bytes(), SOLID.as_bytes()], |input| draw_file("toml", input));
}

#[test]
fn json_scenes_survive_mutation() {
    let flat =
        br##"{"canvas": {"width": 30, "height": 20}, "circle": [{"center": [1, 2], "radius": 3, "fill": "#ff0000"}]}"##;
    let solid = br##"{"camera": {"eye": [0, 0, 5]}, "sphere": [{"center": [0, 0, 0], "radius": 1, "color": "#fff"}]}"##;
    fuzz("json", &[flat, solid], |input| draw_file("json", input));
}

#[test]
fn png_reader_survives_mutated_images() {
    let mut samples = Vec::new();
    for kind in [image::ColorType::Rgba8, image::ColorType::L8, image::ColorType::Rgb16] {
        let mut png = std::io::Cursor::new(Vec::new());
        let image = image::DynamicImage::new(5, 4, kind);
        image.write_to(&mut png, image::ImageFormat::Png).expect("a small image encodes");
        samples.push(png.into_inner());
    }
    let samples: Vec<&[u8]> = samples.iter().map(Vec::as_slice).collect();
    fuzz("png", &samples, |input| with_file("png", input, |path| drop(read_png(path))));
}

/// Overrides that keep whatever a file asks for small enough to draw.
fn small() -> Overrides {
    Overrides { width: Some(24), height: Some(16), ..Overrides::default() }
}

/// Reads a file of this format and draws what it holds; errors are as good as pictures.
fn draw_file(ending: &str, input: &[u8]) {
    with_file(ending, input, |path| {
        drop(describe(path, &Overrides::default()));
        let Ok(scene) = read_scene(path, &small()) else { return };
        let rays = match &scene {
            Scene::Circles(_) => 1,
            Scene::Spheres(scene) => u64::from(scene.quality.samples) * (1 + u64::from(scene.quality.ao_rays)),
        };
        // what a scene asks for it gets: a request for a million rays a pixel is honest work, not a hang
        if rays <= 256 {
            render(&scene, &Settings::default()).expect("a scene that was read can be drawn");
        }
    });
}

fn with_file(ending: &str, input: &[u8], action: impl FnOnce(&Path)) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("input").with_extension(ending);
    std::fs::write(&path, input).expect("a temporary file");
    action(&path);
}

/// Runs the target on every sample, every input that once broke it, and mutations of these until the time is over.
fn fuzz(target: &str, samples: &[&[u8]], run: impl Fn(&[u8])) {
    let seconds = setting("ROUNDEL_FUZZ_SECONDS").unwrap_or(1.0);
    let mut random = Random(setting("ROUNDEL_FUZZ_SEED").unwrap_or(1.0).to_bits());
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut corpus: Vec<Vec<u8>> = samples.iter().map(|sample| sample.to_vec()).collect();
    if let Ok(folder) = std::fs::read_dir(root.join("tests/fuzz").join(target)) {
        let mut paths: Vec<PathBuf> = folder.map(|entry| entry.expect("a readable folder").path()).collect();
        paths.sort();
        corpus.extend(paths.iter().map(|path| std::fs::read(path).expect("a readable file")));
    }
    let start = Instant::now();
    let mut executions = 0u64;
    while executions < corpus.len() as u64 || start.elapsed().as_secs_f64() < seconds {
        let input = match corpus.get(usize::try_from(executions).unwrap_or(usize::MAX)) {
            Some(sample) => sample.clone(),
            None => mutate(&mut random, &corpus),
        };
        let begun = Instant::now();
        let outcome = catch_unwind(AssertUnwindSafe(|| run(&input)));
        if outcome.is_err() || begun.elapsed() > SLOWEST {
            let left = root.join("target/fuzz").join(target).with_extension("bin");
            std::fs::create_dir_all(left.parent().expect("a folder")).expect("a folder under target");
            std::fs::write(&left, &input).expect("a file under target");
            panic!("{target} broke on execution {executions}; the input is in {}", left.display());
        }
        executions += 1;
    }
    println!("{target}: {executions} executions");
}

fn setting(name: &str) -> Option<f64> {
    std::env::var(name)
        .ok()
        .map(|value| value.parse().unwrap_or_else(|_| panic!("{name} must be a number, got {value:?}")))
}

/// Words that readers stumble over.
const WORDS: [&str; 28] = [
    "nan",
    "inf",
    "-inf",
    "1e999",
    "-0",
    "1e-400",
    "4294967296",
    "-1",
    "999999999999",
    "18446744073709551616",
    "0x10",
    "",
    "\0",
    "\n",
    "\r\n",
    "\u{feff}",
    "\"",
    "[[",
    "]]",
    "[",
    "{",
    "}",
    ",",
    ";",
    "\t",
    "#",
    "\u{fffd}é",
    "MODEL",
];

/// One to eight changes to an input of the corpus.
fn mutate(random: &mut Random, corpus: &[Vec<u8>]) -> Vec<u8> {
    let mut input = random.pick(corpus).clone();
    for _ in 0..=random.below(8) {
        let (a, b) = (random.below(input.len() + 1), random.below(input.len() + 1));
        let (start, end) = (a.min(b), a.max(b));
        match random.below(8) {
            0 if start < input.len() => input[start] ^= 1 << random.below(8),
            1 if start < input.len() => input[start] = random.next().to_le_bytes()[0],
            2 => drop(input.drain(start..end)),
            3 => input.truncate(start),
            4 => {
                let part = input[start..end].to_vec();
                let times = 1 + random.below(4);
                input.splice(end..end, part.repeat(times));
            }
            5 => {
                let other = random.pick(corpus);
                let from = random.below(other.len() + 1);
                input.splice(start..end, other[from..].iter().copied());
            }
            6 => drop(input.splice(start..start, random.pick(&WORDS).bytes())),
            // a word in place of a number or a name
            _ => {
                let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || b".-+_".contains(byte);
                let from = input.iter().skip(start).position(is_word).map_or(start, |skip| start + skip);
                let length = input[from..].iter().take_while(|byte| is_word(byte)).count();
                input.splice(from..from + length, random.pick(&WORDS).bytes());
            }
        }
        input.truncate(LONGEST);
    }
    input
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() % limit as u64).expect("below a usize")
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}
