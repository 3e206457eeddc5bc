//! Mutated files: every reader soon returns a valid scene or a message of one line. (`tests/fuzz` runs for any time, and
//! also draws the scene.)

use std::time::{Duration, Instant};

use crate::files::{Folder, PDB, XYZ};
use roundel::Scene;
use roundel::circles::Layer;
use roundel::io::{LoadOptions, describe, read_scene};

/// With a fixed seed: a failure names its round and is reproducible.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit.max(1)
    }

    /// Any byte, biased to bytes of numbers and words.
    fn byte(&mut self) -> u8 {
        const LIKELY: &[u8] = b"0123456789.-+eE ,abcxyz";
        match self.below(2) {
            0 => LIKELY[self.below(LIKELY.len())],
            _ => u8::try_from(self.below(256)).expect("below 256"),
        }
    }

    /// One or two changes: bytes replaced, truncated, removed, copied or inserted.
    fn mutate(&mut self, bytes: &mut Vec<u8>) {
        const TOKENS: [&[u8]; 21] = [
            b"\n",
            b"\r\n",
            b",",
            b"\"",
            b"nan",
            b"-inf",
            b"1e999",
            b"-1",
            b"0",
            b"99999999999999999999",
            b"[",
            b"{",
            b"}",
            b"=",
            b"\0",
            b"\xff\xfe",
            b"\xef\xbb\xbf",
            b"\xf0\x9f",
            b"ATOM  ",
            b"BIOMOLECULE: 1,1,1",
            b"# ",
        ];
        for _ in 0..=self.below(2) {
            let place = self.below(bytes.len() + 1);
            let end = (place + self.below(40)).min(bytes.len());
            match self.below(12) {
                0 => bytes.truncate(place),
                1 | 2 => drop(bytes.drain(place..end)),
                3 | 4 => {
                    let copy = bytes[place..end].to_vec();
                    let to = self.below(bytes.len() + 1);
                    bytes.splice(to..to, copy);
                }
                5..9 if place < bytes.len() => bytes[place] = self.byte(),
                _ => {
                    let token = TOKENS[self.below(TOKENS.len())];
                    bytes.splice(place..place, token.iter().copied());
                }
            }
        }
    }
}

/// A reader's result is a valid scene no larger than its input justifies.
fn check(scene: &Scene<'_>, bytes: usize) {
    let length = |value: f32| value >= 0.0 && value.is_finite();
    match scene {
        Scene::Circles(scene) => {
            let mut shapes = 0;
            for layer in &scene.layers {
                match layer {
                    Layer::Circles(circles) => {
                        shapes += circles.len();
                        assert!(circles.iter().all(|c| c.center.iter().all(|v| v.is_finite()) && length(c.radius)));
                    }
                    Layer::Ellipses(ellipses) => {
                        shapes += ellipses.len();
                        assert!(
                            ellipses.iter().all(|e| e.radii.iter().all(|radius| *radius >= 0.0 && radius.is_finite()))
                        );
                    }
                    Layer::Segments(segments) => {
                        shapes += segments.len();
                        assert!(segments.iter().all(|s| s.end.iter().all(|v| v.is_finite()) && length(s.width)));
                    }
                }
            }
            assert!(shapes <= bytes, "no more shapes than bytes");
        }
        Scene::Spheres(scene) => {
            let camera = &scene.view.camera;
            assert!(camera.eye.is_finite() && camera.target.is_finite() && camera.eye != camera.target);
            for group in &scene.groups {
                assert!(group.spheres.iter().all(|s| s.center.iter().all(|v| v.is_finite()) && length(s.radius)));
                assert!(group.spheres.len() + group.poses.len() <= bytes + 1, "no more spheres than bytes");
            }
        }
    }
}

const SCENE_2D: &str = r##"
[canvas]
width = 20
background = "#eeeeee80"
view = { center = [0, 1.5e3], height = 2, flip_y = true }
[[circle]]
center = [120.0, 80.0]
radius = 40
fill = "#d62728cc"
stroke = { color = "#000", width = 2.0 }
[[points]]
file = "points.csv"
radius = { column = "y", range = [1, 3], scale = "sqrt" }
color = { column = "x", map = "tab10", alpha = 0.5 }
"##;

const SCENE_3D: &str = r##"
[camera]
eye = [0, 0, 5]
up = [0, 1, 0]
ortho_height = 4
background = { bottom = "#ffffff", top = "#80b3ff" }
[render]
samples = 4
ao_distance = inf
[[light]]
direction = [-1, -1, -0.5]
[[sphere]]
center = [0, 0, 0]
radius = 1.0
[[spheres]]
file = "m.pdb"
assembly = 1
color_by = { column = "b_factor", map = "turbo" }
[[spheres]]
file = "w.xyz"
radius = "vdw"
"##;

const JSON: &str = r##"{"canvas": {"width": 20, "view": {"center": [0, 1.5e3], "height": 2}},
"circle": [{"center": [1, 2], "radius": 3, "fill": "#abc"}], "points": [{"file": "points.csv", "x": "x", "y": "y"}]}"##;

#[test]
fn reader_of_mutated_bytes_answers_soon_and_never_panics() {
    const ROUNDS: usize = 150;
    let folder = Folder::new();
    folder.file("points.csv", "x,y\n1,2\n3,4\n");
    folder.file("m.pdb", PDB);
    folder.file("w.xyz", XYZ);
    let by_columns = LoadOptions { color: Some("state".into()), r: Some("lat".into()), ..LoadOptions::default() };
    let by_residue = LoadOptions { color_by: Some("residue".into()), ..LoadOptions::default() };
    let assembly = LoadOptions { assembly: Some(1), ..LoadOptions::default() };
    let corpus = [
        ("a.toml", SCENE_2D, LoadOptions::default()),
        ("b.toml", SCENE_3D, LoadOptions::default()),
        ("a.json", JSON, LoadOptions::default()),
        ("a.csv", "x,y,r,color\n1,2,3,#ffffff\n4,5.5,6e0,#000\n\"7\",8,9,#11223344\n", LoadOptions::default()),
        ("b.csv", "lon;lat;state\n1;2;NY\n3;4;CA\n5;6;NY\n", by_columns),
        ("c.csv", "x,y,z\n1,2,3\n4,5,6\n7,8,9\n", LoadOptions::default()),
        ("a.xyz", XYZ, LoadOptions::default()),
        ("a.pdb", PDB, assembly),
        ("bare", PDB, by_residue),
    ];
    let (mut read, mut refused) = (0, 0);
    for (index, (name, text, overrides)) in corpus.iter().enumerate() {
        let mut random = Random(index as u64 + 1);
        for round in 0..ROUNDS {
            let mut bytes = text.as_bytes().to_vec();
            random.mutate(&mut bytes);
            let path = folder.file(name, &bytes);
            let begun = Instant::now();
            match read_scene(&path, overrides) {
                Ok(scene) => {
                    check(&scene, bytes.len().max(PDB.len()));
                    read += 1;
                }
                Err(error) => {
                    let message = error.to_string();
                    assert!(!message.contains('\n') && message.len() < 1500, "{name}, round {round}: {message}");
                    refused += 1;
                }
            }
            assert!(begun.elapsed() < Duration::from_secs(5), "{name}, round {round} took {:?}", begun.elapsed());
        }
    }
    assert!(read > ROUNDS && refused > ROUNDS, "neither too gentle nor too rough: {read} read, {refused} refused");
}

#[test]
fn reader_of_hostile_files_takes_time_in_proportion() {
    let folder = Folder::new();
    let mega = 1 << 20;
    let keys = (0..mega / 16).map(|i| format!("\"k{i}\": 1")).collect::<Vec<_>>().join(",");
    let columns = |field: &str| vec![field; mega / 4].join(",") + "\n";
    let operators = PDB.replace("BIOMOLECULE: 1", "").repeat(200);
    let hostile = [
        ("deep.json", "[".repeat(mega) + &"]".repeat(mega)),
        ("deep.toml", "a = ".to_owned() + &"[".repeat(mega)),
        ("inline.toml", "a = ".to_owned() + &"{a = ".repeat(mega / 5)),
        ("tables.toml", "[[circle]]\n".repeat(mega / 11)),
        ("keys.json", format!("{{{keys}}}")),
        ("dotted.toml", "a.".repeat(mega / 2) + "a = 1"),
        ("key.toml", "a".repeat(mega) + " = 1"),
        ("columns.csv", columns("c") + &columns("1")),
        ("names.csv", columns("longitude") + &columns("1")),
        ("quotes.csv", "x,y\n".to_owned() + &"\"".repeat(mega / 2)),
        ("frames.xyz", "1\n\nC 0 0 0\n".repeat(mega / 11)),
        ("numbers.pdb", format!("REMARK 350 BIOMOLECULE: {}\n{operators}", "1,".repeat(mega / 3))),
        ("chains.pdb", PDB.to_owned() + &"REMARK 350 APPLY THE FOLLOWING TO CHAINS: A\n".repeat(mega / 44)),
        ("zeros.csv", "\0".repeat(mega)),
    ];
    for (name, text) in hostile {
        let path = folder.file(name, &text);
        let begun = Instant::now();
        let described = describe(&path, &LoadOptions::default());
        let took = begun.elapsed();
        let said = described.map_or_else(|error| folder.message(&error), |_| "read".to_owned());
        eprintln!("{name}: {took:?}, {said}");
        assert!(said.len() < 1500, "{name}: {said}");
        assert!(took < Duration::from_secs(10), "{name}, {} bytes, took {took:?}", text.len());
    }
}

#[test]
fn members_of_bzip2_that_hold_nothing_are_refused_soon() {
    let folder = Folder::new();
    let empty = b"BZh9\x17\x72\x45\x38\x50\x90\0\0\0\0";
    let start = Instant::now();
    let message = folder.refusal("e.csv.bz2", empty.repeat(100_000));
    assert!(message.contains("members of bzip2 that hold next to nothing"), "{message}");
    assert!(start.elapsed() < Duration::from_secs(30), "{:?}", start.elapsed());
    // programs that compress in parallel leave a few
    let message = folder.refusal("f.csv.bz2", empty.repeat(10));
    assert!(message.contains("empty"), "{message}");
}
