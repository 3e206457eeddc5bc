//! Films of a table whose rows have times.
#![cfg(all(feature = "cli", unix))]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use roundel::Frame;
use roundel::io::read_png;
use tempfile::TempDir;

use crate::shell::{refuses, succeeds};

/// A folder with `steps.csv`: four red discs from left to right, a time each.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut rows = "x,y,radius,hour,the day,name\n".to_owned();
    for step in 0..4 {
        rows += &format!("{step},0,0.4,{},2026-11-0{},n{step}\n", 6 + 2 * step, 1 + step);
    }
    fs::write(folder.path().join("steps.csv"), rows).expect("written");
    folder
}

/// The frames of a film of `steps.csv`.
fn frames(at: &Path, flags: &str) -> Vec<Frame> {
    let flags = format!("film steps.csv -W 200 --color '#ff0000' --axes=false {flags} -o 'f_{{frame}}.png'");
    succeeds(at, &flags);
    let path = |frame: usize| at.join(format!("f_{frame}.png"));
    let count = (0..).take_while(|frame| path(*frame).exists()).count();
    (0..count)
        .map(|frame| {
            let picture = read_png(path(frame)).expect("a PNG");
            fs::remove_file(path(frame)).expect("removed");
            picture
        })
        .collect()
}

/// How red each quarter of a picture is, from left to right: 1 where an opaque disc is.
fn reds(frame: &Frame) -> Vec<f64> {
    let width = frame.width() as usize;
    let quarter = |index: usize| {
        let red = |pixel: &roundel::Srgba8| (f64::from(pixel.r) - f64::from(pixel.g)) / 255.0;
        let row = |row: &[roundel::Srgba8]| {
            row[index * width / 4..(index + 1) * width / 4].iter().map(red).fold(0.0, f64::max)
        };
        frame.rows().map(row).fold(0.0, f64::max)
    };
    (0..4).map(quarter).collect()
}

#[track_caller]
fn assert_reds(frame: &Frame, wanted: [f64; 4]) {
    let found = reds(frame);
    let is_near = found.iter().zip(wanted).all(|(found, wanted)| (found - wanted).abs() < 0.01);
    assert!(is_near, "{found:?}, not {wanted:?}");
}

#[test]
fn each_time_of_a_table_is_a_frame() {
    let folder = folder();
    for flags in ["--time hour", "--time 'the day'"] {
        let frames = frames(folder.path(), flags);
        assert_eq!(frames.len(), 4, "{flags}");
        for (index, frame) in frames.iter().enumerate() {
            let mut wanted = [0.0; 4];
            wanted[index] = 1.0;
            assert_reds(frame, wanted);
            assert_eq!((frame.width(), frame.height()), (frames[0].width(), frames[0].height()));
        }
    }
}

#[test]
fn rows_stay_for_a_window_and_fade_after_it() {
    let folder = folder();
    let kept = frames(folder.path(), "--time hour --time-window 4");
    assert_reds(&kept[0], [1.0, 0.0, 0.0, 0.0]);
    assert_reds(&kept[1], [1.0, 1.0, 0.0, 0.0]);
    assert_reds(&kept[3], [0.0, 0.0, 1.0, 1.0]);
    // dates are in seconds: two days
    let days = frames(folder.path(), "--time 'the day' --time-window 172800");
    assert_reds(&days[3], [0.0, 0.0, 1.0, 1.0]);
    // rows that ended to be whole one and three hours ago, in eighths of four hours
    let fading = frames(folder.path(), "--time hour --time-window 1 --time-fade 4 --opacity 0.8");
    assert_reds(&fading[3], [0.0, 0.8 * 1.5 / 8.0, 0.8 * 5.5 / 8.0, 0.8]);
}

#[test]
fn rows_without_a_time_are_noted() {
    let folder = folder();
    let text = "x,y,when\n0,0,2024-03-31T00:00:00Z\n1,1,\n2,2,2024-03-31T02:00:00Z\n";
    fs::write(folder.path().join("gap.csv"), text).expect("written");
    let film = "film gap.csv --time when -W 64 -H 64 -o 'gap_{frame}.png'";
    let output = succeeds(folder.path(), film);
    let words = String::from_utf8_lossy(&output.stderr);
    assert!(words.contains("1 row has no time in when"), "{words}");
}

#[test]
fn times_that_cannot_be_are_refused() {
    let folder = folder();
    let at = folder.path();
    fs::write(at.join("atoms.xyz"), "1\n\nC 0 0 0\n").expect("written");
    let film = |flags: &str| format!("film steps.csv {flags} -o film.png");
    refuses(at, &film("--time hours"), &["--time must be a column of steps.csv", "hour", "got \"hours\""]);
    refuses(at, &film("--time hour --time-window 0"), &["--time-window must be above 0"]);
    refuses(at, &film("--time 'the day' --time-window=-1"), &["--time-window must be above 0", "seconds for dates"]);
    refuses(at, &film("--time name --time-fade 2"), &["--time-fade is for times that are numbers"]);
    refuses(at, &film("--time hour --frames 0..2"), &["--time and --frames both"]);
    refuses(at, &film("--time-fade 2"), &["--time"]);
    refuses(at, &film(""), &["--time COLUMN shows its rows"]);
    refuses(at, "film atoms.xyz --time index -o film.png", &["--time is for tables, which atoms.xyz is not"]);
    refuses(at, "film steps.csv steps.csv --time hour -o film.png", &["--time is for one table"]);
}

#[test]
fn legends_show_rows_as_they_are_in_a_still() {
    let folder = folder();
    for color in ["hour", "name"] {
        let look = format!("steps.csv -W 200 --axes=false --color {color} --legend --force");
        succeeds(folder.path(), &format!("render {look} -o still.png"));
        // a film says its time, which moves the legend down
        let legend = |name: &str| -> BTreeSet<[u8; 4]> {
            let picture = read_png(folder.path().join(name)).expect("a PNG");
            picture.rows().flat_map(|row| &row[200..]).map(|pixel| [pixel.r, pixel.g, pixel.b, pixel.a]).collect()
        };
        for fade in ["", "--time-fade 2", "--time-window 4 --opacity 1"] {
            succeeds(folder.path(), &format!("film {look} --time hour {fade} -o 'f_{{frame}}.png'"));
            for frame in 0..4 {
                assert!(legend(&format!("f_{frame}.png")) == legend("still.png"), "{color} {fade}, frame {frame}");
            }
        }
    }
}
