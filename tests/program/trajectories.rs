//! Trajectories: their times, means over frames, stamps, and cameras that move by keys.
#![cfg(all(feature = "cli", unix))]

use std::fs;
use std::path::Path;

use roundel::Frame;
use roundel::io::read_png;
use tempfile::TempDir;

use crate::files::text;
use crate::shell::{refuses, succeeds};

fn picture(folder: &Path, arguments: &str) -> Frame {
    succeeds(folder, &format!("render {arguments} --look flat -q -o picture.png"));
    read_png(folder.join("picture.png")).expect("a PNG")
}

/// The frames of a film.
fn frames(folder: &Path, arguments: &str) -> Vec<Frame> {
    fs::remove_dir_all(folder.join("frames")).ok();
    fs::create_dir(folder.join("frames")).expect("a folder");
    succeeds(folder, &format!("film {arguments} --look flat -q -o 'frames/{{frame}}.png'"));
    (0..)
        .map_while(|index| {
            let path = folder.join(format!("frames/{index}.png"));
            path.exists().then(|| read_png(path).expect("a PNG"))
        })
        .collect()
}

/// Edges of the periodic box.
const EDGE: f64 = 10.0;

/// The unwrapped positions of three particles that walk through a periodic box.
fn walk(frame: i32) -> [[f64; 3]; 3] {
    let time = f64::from(frame);
    let square = 0.1 * time * time;
    [
        [7.0 + 0.8 * time + square, 5.0, 1.0],
        [2.0 - 0.75 * time, 4.0 + square, 5.0],
        [5.0, 9.0 + 0.8 * time + square, 9.0],
    ]
}

fn into_box(place: f64) -> f64 {
    place - EDGE * (place / EDGE).floor()
}

fn xyz_frame(places: [[f64; 3]; 3], step: i32) -> String {
    let lattice = format!("Lattice=\"{EDGE} 0 0 0 {EDGE} 0 0 0 {EDGE}\"");
    let mut text =
        format!("3\n{lattice} Properties=species:S:1:pos:R:3 Time={} step={}\n", 0.5 * f64::from(step), 10 * step);
    for [x, y, z] in places {
        text += &format!("Ar {x} {y} {z}\n");
    }
    text
}

/// A folder with `walk.xyz`, seven frames in a periodic box.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let all: String = (0..7).map(|frame| xyz_frame(walk(frame).map(|place| place.map(into_box)), frame)).collect();
    fs::write(folder.path().join("walk.xyz"), all).expect("written");
    folder
}

/// A camera that is the same for all frames.
const CAMERA: &str = "-W 60 -H 60 --eye 5,5,40 --target 5,5,5 --up 0,1,0 --fov 25 --radius 0.8 --cell=false";

#[test]
fn smoothed_positions_are_means_through_the_periodic_box() {
    let folder = folder();
    let at = folder.path();
    for (frame, first, last) in [(3, 1, 5), (0, 0, 2), (6, 4, 6)] {
        let mut mean = [[0.0; 3]; 3];
        for other in first..=last {
            for (sum, place) in mean.iter_mut().flatten().zip(walk(other).into_iter().flatten()) {
                *sum += place / f64::from(last - first + 1);
            }
        }
        // in the image of the box that the frame itself is in
        let own = walk(frame);
        for (sum, place) in mean.iter_mut().flatten().zip(own.into_iter().flatten()) {
            *sum += into_box(place) - place;
        }
        fs::write(at.join("mean.xyz"), xyz_frame(mean, 0)).expect("written");
        let smoothed = picture(at, &format!("walk.xyz --frame {frame} --smooth 5 {CAMERA}"));
        let expected = picture(at, &format!("mean.xyz {CAMERA}"));
        let far = smoothed.pixels().iter().zip(expected.pixels()).filter(|(a, b)| a != b).count();
        assert!(far < 4, "frame {frame}: {far} pixels");
        assert!(smoothed != picture(at, &format!("walk.xyz --frame {frame} {CAMERA}")), "frame {frame}");
    }
    // the frames of a film are the same, and one frame is no mean
    let film = frames(at, &format!("walk.xyz --smooth 5 {CAMERA}"));
    assert_eq!(film.len(), 7);
    assert!(film[3] == picture(at, &format!("walk.xyz --frame 3 --smooth 5 {CAMERA}")));
    assert!(picture(at, &format!("walk.xyz --smooth 1 {CAMERA}")) == picture(at, &format!("walk.xyz {CAMERA}")));
    refuses(at, "render walk.xyz --smooth 0 -o no.png", &["--smooth must be 1 to 1000"]);
    refuses(at, "render - --smooth 3 -o no.png <walk.xyz", &["--smooth needs a file"]);
    fs::write(at.join("table.csv"), "x,y,z\n1,2,3\n").expect("written");
    refuses(at, "render table.csv --smooth 3 -o no.png", &["--smooth is for molecules"]);
}

#[test]
fn particles_that_change_places_in_a_dump_are_told_apart() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let at = folder.path();
    let dump = |order: [usize; 2], step: usize| {
        let places = [[2.0 + step as f64, 3.0, 5.0], [8.0, 7.0 - step as f64, 5.0]];
        let atom =
            |index: usize| format!("{} {} {} {}\n", index + 1, places[index][0], places[index][1], places[index][2]);
        let box_lines = "0 10\n0 10\n0 10\n";
        format!(
            "ITEM: UNITS\nmetal\nITEM: TIME\n{}\nITEM: TIMESTEP\n{step}\nITEM: NUMBER OF ATOMS\n2\nITEM: BOX BOUNDS pp pp pp\n{box_lines}ITEM: ATOMS id x y z\n{}{}",
            0.25 * step as f64,
            atom(order[0]),
            atom(order[1])
        )
    };
    fs::write(at.join("sorted.dump"), dump([0, 1], 0) + &dump([0, 1], 1) + &dump([0, 1], 2)).expect("written");
    fs::write(at.join("mixed.dump"), dump([0, 1], 0) + &dump([1, 0], 1) + &dump([1, 0], 2)).expect("written");
    let sorted = picture(at, &format!("sorted.dump --smooth 3 --frame 0 {CAMERA}"));
    assert!(picture(at, &format!("mixed.dump --smooth 3 --frame 0 {CAMERA}")) == sorted);
    let info = text(&succeeds(at, "info sorted.dump").stdout);
    assert!(info.contains("steps 0 to 2 every 1, times 0 to 0.5 every 0.25 ps\n"), "{info}");
}

#[test]
fn info_says_times_and_steps() {
    let folder = folder();
    let at = folder.path();
    let info = text(&succeeds(at, "info walk.xyz").stdout);
    assert!(info.contains("    frames      7, steps 0 to 60 every 10, times 0 to 3 every 0.5\n"), "{info}");
    let json: serde_json::Value = serde_json::from_slice(&succeeds(at, "info walk.xyz --json").stdout).expect("JSON");
    let source = &json["sources"][0];
    assert_eq!(source["times"][6], serde_json::json!({ "step": 60, "time": 3.0 }));
    let gro = |time: f64, step: u32| {
        format!("Argon t= {time} step= {step}\n1\n    1AR      AR    1   0.100   0.200   0.300\n   1.0   1.0   1.0\n")
    };
    fs::write(at.join("two.gro"), gro(0.0, 0) + &gro(2.5, 1250)).expect("written");
    let info = text(&succeeds(at, "info two.gro").stdout);
    assert!(info.contains("steps 0 to 1250 every 1250, times 0 to 2.5 every 2.5 ps"), "{info}");
}

#[test]
fn stamps_stand_above_the_picture() {
    let folder = folder();
    let at = folder.path();
    let plain = picture(at, &format!("walk.xyz --frame 4 {CAMERA}"));
    let mut bands = Vec::new();
    for stamp in ["time", "frame", "step"] {
        let stamped = picture(at, &format!("walk.xyz --frame 4 --stamp {stamp} {CAMERA}"));
        assert!(stamped.height() > plain.height() && stamped.width() == plain.width(), "{stamp}");
        let above = (stamped.height() - plain.height()) as usize;
        assert!(stamped.rows().skip(above).eq(plain.rows()), "{stamp}: the picture is the same");
        let band: Vec<_> = stamped.rows().take(above).map(<[_]>::to_vec).collect();
        assert!(band.iter().flatten().any(|pixel| pixel.r < 100), "{stamp}: there is text");
        bands.push(band);
    }
    assert!(bands[0] != bands[1] && bands[1] != bands[2]);
    let film = frames(at, &format!("walk.xyz --stamp frame {CAMERA}"));
    assert!(film[4] == picture(at, &format!("walk.xyz --frame 4 --stamp frame {CAMERA}")) && film[4] != film[5]);
    fs::write(at.join("plain.xyz"), "1\n\nC 0 0 0\n1\n\nC 1 0 0\n").expect("written");
    refuses(
        at,
        "render plain.xyz --stamp time -o no.png",
        &["--stamp time is not in plain.xyz, which has frame alone"],
    );
    refuses(at, "render walk.xyz --stamp date -o no.png", &["stamp"]);
    fs::write(at.join("table.csv"), "x,y\n1,2\n").expect("written");
    refuses(at, "render table.csv --stamp frame -o no.png", &["--stamp is for one file with frames"]);
}

/// A scene of one file, with a camera.
fn scene(camera: &str, spheres: &str) -> String {
    format!(
        "[camera]\neye = [5, 5, 40]\ntarget = [5, 5, 5]\nup = [0, 1, 0]\nfov = 25\nwidth = 60\nheight = 60\n{camera}\n\
         [[spheres]]\nfile = \"walk.xyz\"\nradius = 0.8\n{spheres}\n"
    )
}

#[test]
fn scenes_play_the_trajectory_whose_frame_they_leave_open() {
    let folder = folder();
    let at = folder.path();
    fs::write(at.join("open.toml"), scene("", "")).expect("written");
    fs::write(at.join("fixed.toml"), scene("", "frame = 3")).expect("written");
    let film = frames(at, "open.toml");
    assert_eq!(film.len(), 7);
    let fixed = picture(at, "fixed.toml");
    assert!(film[3] == fixed && film[2] != fixed);
    assert!(picture(at, "open.toml --frame 3") == fixed && picture(at, "open.toml --frame -4") == fixed);
    refuses(at, "render fixed.toml --frame 2 -o no.png", &["--frame is for trajectories; no file of fixed.toml"]);
    refuses(at, "render open.toml --frame 9 -o no.png", &["--frame"]);
    // a file with one frame stays beside one with several
    fs::write(at.join("one.xyz"), "1\n\nNe 5 5 5\n").expect("written");
    fs::write(at.join("both.toml"), scene("", "[[spheres]]\nfile = \"one.xyz\"")).expect("written");
    let both = frames(at, "both.toml");
    assert!(both.len() == 7 && both[6] != film[6]);
    fs::write(at.join("stamped.toml"), scene("", "smooth = 3\n[figure]\nstamp = \"step\"")).expect("written");
    let stamped = frames(at, "stamped.toml");
    assert!(stamped.len() == 7 && stamped[0].height() > 60);
}

#[test]
fn keys_move_the_camera_smoothly() {
    let folder = folder();
    let at = folder.path();
    let keys = "elevation = 10\n[[camera.key]]\ntime = 0\nazimuth = 0\nzoom = 1\n[[camera.key]]\ntime = 2\nazimuth = 90\nzoom = 2\n";
    fs::write(at.join("keyed.toml"), scene(keys, "frame = 0")).expect("written");
    fs::write(at.join("plain.toml"), scene("", "frame = 0")).expect("written");
    let film = frames(at, "keyed.toml --fps 2");
    assert_eq!(film.len(), 4);
    // half of the time is half of the way; a quarter is 3/4² − 2/4³ of it
    for (index, share) in [(0, 0.0), (1, 0.15625), (2, 0.5), (3, 0.84375)] {
        let flags = format!("--elevation 10 --azimuth {} --zoom {}", 90.0 * share, 1.0 + share);
        assert!(film[index] == picture(at, &format!("plain.toml {flags}")), "frame {index}");
    }
    // without a film the first numbers count
    assert!(picture(at, "keyed.toml") == film[0]);
    // the command that is printed draws the first frame
    let said = text(&succeeds(at, "film keyed.toml --look flat --fps 2 -v -o again.webp").stderr);
    let command =
        said.lines().find_map(|line| line.split_once("the first frame alone: roundel ")).expect("a command").1;
    succeeds(at, &format!("{command} -o single.png"));
    assert!(read_png(at.join("single.png")).expect("a PNG") == film[0], "{command}");
    // while the data plays, and after it has played
    let keys = "[[camera.key]]\ntime = 0\neye = [5, 5, 40]\n[[camera.key]]\ntime = 1\neye = [40, 5, 5]\n";
    fs::write(at.join("moving.toml"), scene(keys, "")).expect("written");
    assert_eq!(frames(at, "moving.toml --fps 10").len(), 10);
    let after = frames(at, "moving.toml --fps 10 --play-then-turn");
    fs::write(at.join("open.toml"), scene("", "")).expect("written");
    assert!(after.len() == 17 && after[..7] == frames(at, "open.toml")[..], "the data plays first");
    refuses(at, "film keyed.toml --turntable 90 -o no.webp", &["--turntable and the keys of the scene's camera"]);
    for (keys, message) in [
        (
            "[[camera.key]]\ntime = 1\n[[camera.key]]\ntime = 1\n",
            "camera.key.time must be later than that of the key before, 1, got 1",
        ),
        ("[[camera.key]]\nazimuth = 1\n", "must have the key \"time\""),
        ("[[camera.key]]\ntime = 0\northo_height = 3\n", "camera must have fov or ortho_height, not both"),
        ("[[camera.key]]\ntime = 0\nazimut = 3\n", "azimuth"),
    ] {
        fs::write(at.join("bad.toml"), scene(keys, "")).expect("written");
        refuses(at, "film bad.toml -o no.webp", &["bad.toml:", message]);
    }
}
