//! Films of panels: `--grid` with several files or sides has the frames of films without it, and the panels of `render`.
#![cfg(all(feature = "cli", unix))]

use std::fs;
use std::path::Path;

use roundel::io::read_png;
use roundel::{Frame, Srgba8};
use tempfile::TempDir;

use crate::files::text;
use crate::shell::{refuses, succeeds};

/// The size of the whole and of a panel: the panels of a picture of 131 by 73 pixels in two columns are 60 by 50, 11 apart.
const WHOLE: &str = "-W 131 -H 73";
const PANEL: &str = "-W 60 -H 50";

/// A trajectory of six particles that walk apart by `step` a frame from `start`, with a number each.
fn walk(frames: u32, step: f64, start: f64) -> String {
    let mut text = String::new();
    for frame in 0..frames {
        text += "6\nProperties=species:S:1:pos:R:3:energy:R:1\n";
        for atom in 0..6 {
            let (x, y) = (start + f64::from(atom) * (1.5 + step * f64::from(frame)), f64::from(atom * frame % 5));
            text += &format!("C {x} {y} {} {}\n", f64::from(frame) * 0.5, f64::from(atom) + 3.0 * f64::from(frame));
        }
    }
    text
}

/// A folder with `long.xyz` of five frames, and `short.xyz` of three.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("long.xyz"), walk(5, 0.4, 0.0)).expect("written");
    fs::write(folder.path().join("short.xyz"), walk(3, 0.1, 0.0)).expect("written");
    folder
}

/// Draws a film, and returns its frames and the program's messages.
fn film(at: &Path, arguments: &str) -> (Vec<Frame>, String) {
    let said = succeeds(at, &format!("film {arguments} -o 'f_{{frame}}.png'"));
    let path = |frame: usize| at.join(format!("f_{frame}.png"));
    let count = (0..).take_while(|frame| path(*frame).exists()).count();
    let read = |frame| {
        let picture = read_png(path(frame)).expect("a PNG");
        fs::remove_file(path(frame)).expect("removed");
        picture
    };
    ((0..count).map(read).collect(), text(&said.stderr))
}

/// The pixels of a panel of 60 by 50 below its title.
fn panel(whole: &Frame, column: usize) -> Vec<Srgba8> {
    let rows = whole.rows().skip(23).take(50);
    rows.flat_map(|row| row[71 * column..][..60].to_vec()).collect()
}

#[test]
fn panels_of_a_film_are_the_frames_of_films_without_panels() {
    let folder = folder();
    let at = folder.path();
    let look = "--look flat --color-by energy --view front";
    let (whole, said) = film(at, &format!("long.xyz short.xyz --grid 2x1 {WHOLE} {look}"));
    assert!(said.contains("short.xyz has 3 of 5 frames and holds its last one"), "{said}");
    // the same films one after the other have the same camera, size and range of colours
    let (alone, _) = film(at, &format!("long.xyz short.xyz {PANEL} {look}"));
    assert_eq!((whole.len(), alone.len()), (5, 8));
    for (index, frame) in whole.iter().enumerate() {
        assert_eq!((frame.width(), frame.height()), (131, 73));
        assert!(panel(frame, 0) == alone[index].pixels(), "frame {index} of the longer film");
        assert!(panel(frame, 1) == alone[5 + index.min(2)].pixels(), "frame {index} of the shorter film");
    }
    // each file has frames 2 and 0
    let (chosen, _) = film(at, &format!("long.xyz short.xyz --grid 2x1 {WHOLE} {look} --frames 2,0"));
    assert_eq!(chosen.len(), 2);
    let [first, last] = [panel(&chosen[0], 1), panel(&chosen[1], 1)];
    assert!(first != last && first != panel(&chosen[0], 0));
}

#[test]
fn a_frame_of_a_film_of_panels_is_the_picture_of_render() {
    let folder = folder();
    let at = folder.path();
    let same = |arguments: &str, frame: usize, film: &Frame| {
        succeeds(at, &format!("render {arguments} --frame {frame} -o single.png --force"));
        assert!(read_png(at.join("single.png")).expect("a PNG") == *film, "{arguments}: frame {frame}");
    };
    // a camera and a range that the user states hold for every frame, marks around the panels, too
    let look = "--look flat --color-by energy --color-range 0,17 --legend --title Walk";
    let camera = "--eye 5,3,40 --target 5,3,0 --fov 40 -W 300 -H 90";
    for grid in ["--grid 2x1", "--grid 1x2 --panel-title 'frame {frame}'"] {
        let arguments = format!("long.xyz short.xyz {grid} {look} {camera}");
        let (frames, _) = film(at, &arguments);
        (0..3).for_each(|index| same(&arguments, index, &frames[index]));
    }
    // a film of one frame has the cameras of its picture
    for views in ["front,right", "front,right,top,iso"] {
        let arguments = format!("long.xyz --grid 2x2 --view {views} --look flat -W 200 --color-by energy --legend");
        let (frames, _) = film(at, &format!("{arguments} --frames 3"));
        assert_eq!(frames.len(), 1);
        same(&arguments, 3, &frames[0]);
    }
}

#[test]
fn sides_of_a_trajectory_have_one_scale_in_all_frames() {
    let folder = folder();
    let at = folder.path();
    // the outer atoms stand still, so that every frame reaches equally far; the last one moves
    let frame = |x: f64| format!("4\n\nC 0 0 0\nC 9 0 0\nC 0 0 9\nO {x} 4 4\n");
    fs::write(at.join("still.xyz"), [2.0, 4.0, 6.0].map(frame).concat()).expect("written");
    let look = "--look flat --ortho -W 131 -H 73 --outline-width 0 --panel-title ''";
    let (frames, _) = film(at, &format!("still.xyz --grid 2x1 --view front,right {look}"));
    assert_eq!(frames.len(), 3);
    // carbon is grey, oxygen red: grey pixels stay, red ones move in the front view, and from the right not at all
    let reds = |frame: &Frame, column| {
        let is_red = |pixel: &Srgba8| pixel.r / 2 > pixel.g;
        panel(frame, column).iter().map(is_red).collect::<Vec<_>>()
    };
    for pair in frames.windows(2) {
        assert!(reds(&pair[0], 0) != reds(&pair[1], 0));
        assert!(reds(&pair[0], 1) == reds(&pair[1], 1));
        assert!(panel(&pair[0], 1) == panel(&pair[1], 1));
    }
    let count = |column| reds(&frames[0], column).iter().filter(|is_red| **is_red).count();
    assert!(count(0) > 20 && count(0).abs_diff(count(1)) < 12, "{} and {}", count(0), count(1));
}

#[test]
fn legends_explain_all_panels_and_frames() {
    let folder = folder();
    let at = folder.path();
    let frame = |radius: f64, speed: f64| {
        format!("2\nProperties=species:S:1:pos:R:3:v:R:3:size:R:1\nC 0 0 0 {speed} 0 0 {radius}\nC 4 0 0 0 1 0 0.2\n")
    };
    fs::write(at.join("p.xyz"), frame(0.4, 1.0) + &frame(0.5, 2.0)).expect("written");
    fs::write(at.join("q.xyz"), frame(0.8, 3.0) + &frame(1.5, 9.0)).expect("written");
    let legends = |inputs: &str, flags: &str| {
        let (frames, _) = film(at, &format!("{inputs} --look flat -W 131 -H 150 --view front --legend {flags}"));
        let legend = |frame: &Frame| frame.rows().flat_map(|row| row[131..].to_vec()).collect::<Vec<_>>();
        frames.iter().map(legend).collect::<Vec<_>>()
    };
    for flags in ["--radius size", "--vectors v --vector-color length", "--color-by size --vectors v"] {
        let panels = legends("p.xyz q.xyz --grid 2x1", flags);
        assert!(panels.iter().all(|legend| *legend == panels[0]), "{flags}");
        // two files with the same numbers have the legend of one
        let twice = legends("q.xyz q.xyz --grid 2x1", flags);
        assert_eq!(twice[0].len(), panels[0].len(), "{flags}: one entry for both files");
    }
}

#[test]
fn panels_turn_alike() {
    let folder = folder();
    let at = folder.path();
    let look = "--look flat --view front";
    let turn = "--frame 0 --turntable 360 --seconds 0.16";
    let (whole, _) = film(at, &format!("long.xyz long.xyz --grid 2x1 {WHOLE} {look} {turn}"));
    let (alone, _) = film(at, &format!("long.xyz {PANEL} {look} {turn}"));
    assert_eq!((whole.len(), alone.len()), (4, 4));
    for (frame, alone) in whole.iter().zip(&alone) {
        assert!(panel(frame, 0) == alone.pixels() && panel(frame, 1) == alone.pixels());
    }
    assert!(panel(&whole[0], 0) != panel(&whole[1], 0));
    // sides turn, each from its own direction: the front looks as the right side did a quarter of a turn before
    let (sides, _) = film(at, &format!("long.xyz --grid 2x1 --view front,right --look flat {WHOLE} {turn}"));
    assert!(panel(&sides[0], 0) != panel(&sides[0], 1));
    assert!(panel(&sides[0], 0) != panel(&sides[1], 0) && panel(&sides[0], 1) != panel(&sides[1], 1));
    // the data plays before and after the turn
    for (order, playing, turning) in [("--play-then-turn", 0..5, 5..9), ("--turn-then-play", 4..9, 0..4)] {
        let flags = format!("{WHOLE} {look} --turntable 360 --seconds 0.16 {order}");
        let (frames, _) = film(at, &format!("long.xyz short.xyz --grid 2x1 {flags}"));
        assert_eq!(frames.len(), 9, "{order}");
        let moves = |range: std::ops::Range<usize>, column| {
            frames[range].windows(2).all(|pair| panel(&pair[0], column) != panel(&pair[1], column))
        };
        assert!(moves(playing.clone(), 0) && moves(turning.clone(), 0) && moves(turning, 1), "{order}");
        assert!(!moves(playing, 1), "{order}: the shorter film holds its last frame");
    }
}

#[test]
fn films_of_files_that_lie_apart_look_at_each() {
    let folder = folder();
    let at = folder.path();
    fs::write(at.join("far.xyz"), walk(5, 0.4, 60.0)).expect("written");
    let look = "--look flat --view front --ortho";
    let (frames, said) = film(at, &format!("long.xyz far.xyz --grid 2x1 {WHOLE} {look}"));
    assert!(said.contains("the files lie far apart: each panel looks at its own"), "{said}");
    for frame in &frames {
        let is_drawn = |column| panel(frame, column).iter().filter(|pixel| **pixel != Srgba8::WHITE).count() > 100;
        assert!(is_drawn(0) && is_drawn(1));
    }
}

#[test]
fn rows_of_a_table_play_at_their_times_from_several_sides() {
    let folder = folder();
    let at = folder.path();
    fs::write(at.join("t.csv"), "x,y,z,radius,hour\n0,0,0,1,1\n4,0,1,1,2\n0,5,2,1,3\n").expect("written");
    let (frames, _) = film(at, "t.csv --time hour --grid 2x1 --view front,top --look flat -W 200");
    assert_eq!(frames.len(), 3);
    assert!(frames.windows(2).all(|pair| pair[0] != pair[1]));
    assert!(frames.iter().all(|frame| frame.width() == frames[0].width() && frame.height() == frames[0].height()));
}

#[test]
fn panels_that_no_film_has_are_refused() {
    let folder = folder();
    let at = folder.path();
    fs::write(at.join("plane.csv"), "x,y,kind,hour\n1,2,a,1\n3,4,b,2\n").expect("written");
    fs::write(at.join("s.toml"), "[[spheres]]\nfile = \"long.xyz\"\n").expect("written");
    for (arguments, found) in [
        ("long.xyz short.xyz --grid 1x1", "grid must have room for 2 panels, got 1x1, which has 1"),
        ("long.xyz --grid 2x1 --view front,right,top", "grid must have room for 3 panels"),
        ("long.xyz short.xyz --grid 2x1 --frames 4", "must be in the trajectory, which has frames 0 to 2"),
        ("long.xyz --view front,right", "view of several sides"),
        ("long.xyz short.xyz --panel-title a", "--panel-title is for panels"),
        ("long.xyz short.xyz --grid 2x1 --panel-title a --panel-title b --panel-title c", "each of 2 panels, got 3"),
        ("long.xyz --stereo 6", "stereo is for pictures"),
        ("long.xyz short.xyz --grid 2x1 --stamp frame", "stamp is for one picture"),
        ("long.xyz --grid 2x1 --view front,right --focus 'index 0'", "focus cuts shapes off in front of one camera"),
        ("plane.csv --time hour --grid 2x1", "is drawn as circles; --panel-by COLUMN draws panels"),
        ("plane.csv --time hour --grid 2x1 --panel-by kind", "--panel-by is for pictures; the frames of a film"),
        ("long.xyz short.xyz --grid 2x1 --time hour", "time is for one table, got 2 files"),
        ("s.toml --grid 2x1 --view front,right", "is a scene, which is drawn alone"),
    ] {
        refuses(at, &format!("film {arguments} -o x.gif"), &[found]);
    }
}
