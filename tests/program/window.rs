//! A real window under Xvfb, driven by xdotool, and films as it plays them.
#![cfg(all(feature = "cli", feature = "viewer"))]

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::viewer::{
    FLAGS, assert_same, at, draw_until_idle, golden, molecule, open, replay, run_printed_command, stdout_of,
};
use crate::running::{roundel, run};
use roundel::io::{LoadOptions, read_png};
use roundel::viewer::{Event, Key, Viewer, ViewerOptions};

/// An X server and a viewer in it, both killed on drop.
struct XSession {
    server: Child,
    display: String,
    viewer: Option<Child>,
    recording: PathBuf,
}

impl Drop for XSession {
    fn drop(&mut self) {
        for child in self.viewer.iter_mut().chain([&mut self.server]) {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

impl XSession {
    /// Starts an X server, which chooses its display.
    fn start(recording: PathBuf) -> Self {
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "640x480x24", "-nolisten", "tcp"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("Xvfb starts");
        let mut number = String::new();
        let stdout = server.stdout.take().expect("piped");
        BufReader::new(stdout).read_line(&mut number).expect("Xvfb names its display");
        Self { server, display: format!(":{}", number.trim()), viewer: None, recording }
    }

    fn tool(&self, program: &str, arguments: &[&str]) -> String {
        let mut command = Command::new(program);
        stdout_of(&command.args(arguments).env("DISPLAY", &self.display).output().expect("an installed tool"))
    }

    /// Waits until the recording satisfies a condition.
    fn wait(&self, what: &str, is_met: impl Fn(&str) -> bool) {
        let start = Instant::now();
        while !is_met(&fs::read_to_string(&self.recording).unwrap_or_default()) {
            let recorded = fs::read_to_string(&self.recording).unwrap_or_default();
            assert!(start.elapsed() < Duration::from_secs(60), "{what} is never recorded: {recorded}");
            sleep(Duration::from_millis(10));
        }
    }

    /// Runs xdotool, and waits until the viewer has recorded the event this many times.
    fn act(&self, arguments: &[&str], event: &str, times: usize) {
        self.tool("xdotool", arguments);
        let ending = format!(" {event}");
        self.wait(event, |text| text.lines().filter(|line| line.ends_with(&ending)).count() >= times);
    }
}

/// Returns whether the programs that the window test needs are installed. In CI they must be.
fn has_tools() -> bool {
    let missing = ["Xvfb", "xdotool", "import"].into_iter().find(|program| {
        let known = Command::new("sh").args(["-c", &format!("command -v {program}")]).output();
        !known.is_ok_and(|output| output.status.success())
    });
    let Some(program) = missing else { return true };
    assert!(std::env::var_os("CI").is_none(), "{program} is missing: CI installs xvfb, xdotool and imagemagick");
    eprintln!("skipped: {program} is missing (Debian: apt-get install xvfb xdotool imagemagick)");
    false
}

#[test]
fn window_records_what_it_does() {
    if !has_tools() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    molecule(folder.path());
    let (recording, shot, printed) = (path("recording.txt"), path("shot.png"), path("printed.txt"));
    let mut session = XSession::start(recording);
    let record = ["view", "ethanol.xyz", "--record", "recording.txt", "-o", "shot.png"];
    let mut view = roundel(folder.path(), &[&record[..], &FLAGS].concat());
    view.env("DISPLAY", &session.display).env_remove("WAYLAND_DISPLAY").env_remove("WAYLAND_SOCKET");
    session.viewer = Some(view.stdout(File::create(&printed).expect("created")).spawn().expect("the program"));
    let found = session.tool("xdotool", &["search", "--sync", "--onlyvisible", "--name", "ethanol.xyz"]);
    let window = found.lines().next().expect("a window");

    // as in `tests/viewer/session.txt`
    session.act(&["mousemove", "--window", window, "160", "120"], "move 160 120", 1);
    session.act(&["mousedown", "1"], "press left", 1);
    session.act(&["mousemove", "--window", window, "220", "150"], "move 220 150", 1);
    session.act(&["mouseup", "1"], "release left", 1);
    session.act(&["keydown", "Control_L"], "key-down Ctrl", 1);
    for times in 1..=3 {
        session.act(&["click", "4"], "wheel 1", times);
    }
    session.act(&["keyup", "Control_L"], "key-up Ctrl", 1);
    session.act(&["mousemove", "--window", window, "170", "120"], "move 170 120", 1);
    session.act(&["mousedown", "1"], "press left", 2);
    session.act(&["mouseup", "1"], "release left", 2);
    session.act(&["windowsize", window, "360", "200"], "resize 360 200", 1);
    session.act(&["key", "5"], "key-up 5", 1);
    // help shown and hidden; with the numbers hidden too, the window shows the picture alone
    session.act(&["key", "h"], "key-up H", 1);
    session.tool("import", &["-window", window, &path("help.png").display().to_string()]);
    session.act(&["key", "h"], "key-up H", 2);
    session.act(&["key", "i"], "key-up I", 1);
    session.act(&["key", "F12"], "key-up F12", 1);
    assert_same(&shot, &golden());

    let picture = read_png(&shot).expect("a screenshot");
    assert!(read_png(path("help.png")).expect("a picture") != picture, "help covers the picture");
    let seen = path("seen.png");
    let start = Instant::now();
    loop {
        session.tool("import", &["-window", window, "-depth", "8", &format!("PNG32:{}", seen.display())]);
        if read_png(&seen).expect("a picture") == picture {
            break;
        }
        assert!(start.elapsed() < Duration::from_secs(60), "the window never shows the final picture");
        sleep(Duration::from_millis(50));
    }
    session.tool("xdotool", &["key", "Escape"]);
    let status = session.viewer.take().expect("started above").wait().expect("it ends");
    assert!(status.success(), "{status:?}");
    let printed = fs::read_to_string(&printed).expect("standard output");
    assert!(printed.starts_with("sphere ") && printed.contains("roundel render"), "{printed}");

    // the recording replays to the same picture
    let recorded = ["ethanol.xyz", "--replay", "recording.txt", "-o", "end.png"];
    replay(folder.path(), &[&recorded[..], &FLAGS].concat());
    assert_same(&path("end.png"), &golden());
}

/// A folder with `walk.xyz`, six frames of three particles that walk apart.
fn walk() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let frame = |frame: i32| format!("3\n\nC 0 0 0\nN {} 0 0\nO 0 {} 0\n", 2 + frame, 1.5 + 0.5 * f64::from(frame));
    fs::write(folder.path().join("walk.xyz"), (0..6).map(frame).collect::<String>()).expect("written");
    folder
}

#[test]
fn slider_goes_to_the_frame_under_the_mouse() {
    let folder = walk();
    let mut viewer = open(&[folder.path().join("walk.xyz")]);
    viewer.handle(&at(0, Event::Resize { width: 320, height: 240 })).expect("a small window");
    let without = viewer.pixels().to_vec();
    viewer.render_still().expect("a small picture");
    draw_until_idle(&mut viewer);
    assert_ne!(viewer.pixels(), without, "the slider is drawn");
    let command = |viewer: &Viewer| viewer.render_command("x.png");
    assert!(!command(&viewer).contains("--frame"), "{}", command(&viewer));
    // 300 columns for five steps
    for (x, frame) in [(310.0, 5), (10.0, 0), (129.0, 2), (400.0, 5)] {
        viewer.handle(&at(1, Event::Move { x, y: 232.0 })).expect("moved");
        viewer.handle(&at(1, Event::Press(roundel::viewer::MouseButton::Left))).expect("pressed");
        let line = command(&viewer);
        assert_eq!(line.contains(&format!("--frame={frame}")), frame > 0, "{x}: {line}");
        viewer.handle(&at(1, Event::Move { x: 190.0, y: 90.0 })).expect("moved");
        assert!(command(&viewer).contains("--frame=3"), "held outside of the strip");
        viewer.handle(&at(1, Event::Release(roundel::viewer::MouseButton::Left))).expect("released");
    }
    // frames go around
    for frame in [4, 5, 0, 1] {
        viewer.handle(&at(2, Event::KeyDown(Key::Right))).expect("a key");
        assert_eq!(command(&viewer).contains(&format!("--frame={frame}")), frame > 0);
    }
}

#[test]
fn playing_shows_the_frames_of_the_film() {
    let folder = walk();
    let file = folder.path().join("walk.xyz");
    let flags = ["-W", "200", "-H", "150", "--look", "flat", "-q", "-o", "f_{frame}.png"];
    stdout_of(&run(folder.path(), &[&["film", "walk.xyz"], &flags[..]].concat()));
    let mut overrides = LoadOptions::default();
    (overrides.width, overrides.height) = (Some(200), Some(150));
    overrides.look = Some("flat".parse().expect("a look"));
    let options = ViewerOptions::new([&file]).with_overrides(overrides);
    let mut viewer = Viewer::open(&options).expect("a file");
    viewer.handle(&at(0, Event::KeyDown(Key::Space))).expect("a key");
    assert!(viewer.is_playing());
    viewer.finish().expect("a small picture");
    viewer.handle(&at(1, Event::KeyDown(Key::Space))).expect("a key");
    for frame in 0..6 {
        let expected = read_png(folder.path().join(format!("f_{frame}.png"))).expect("a PNG");
        assert!(*viewer.finish().expect("a small picture") == expected, "frame {frame}");
        viewer.handle(&at(2, Event::KeyDown(Key::Right))).expect("a key");
    }
}

#[test]
fn exported_film_shows_what_the_window_shows() {
    let folder = walk();
    let session = folder.path().join("session.txt");
    fs::write(&session, "0 resize 160 120\n1 press right\n2 move 20 10\n3 release right\n4 key-down E\n")
        .expect("written");
    let replay =
        |file: &str| replay(folder.path(), &[file, "--look", "flat", "--replay", "session.txt", "-o", "end.png"]);
    let printed = replay("walk.xyz");
    assert!(printed.contains("wrote walk-1.webp: 6 frames\nroundel film walk.xyz -o walk-1.webp"), "{printed}");
    let film = fs::read(folder.path().join("walk-1.webp")).expect("a film");
    // the command writes the same film
    fs::remove_file(folder.path().join("walk-1.webp")).expect("written above");
    run_printed_command(&printed, "film", folder.path());
    assert!(fs::read(folder.path().join("walk-1.webp")).expect("a film") == film, "{printed}");
    // the film of a single frame is a turntable
    molecule(folder.path());
    let printed = replay("ethanol.xyz");
    assert!(printed.contains("wrote ethanol-1.webp: 150 frames") && printed.contains("--turntable 360"), "{printed}");
}

#[test]
fn windows_larger_than_the_screen_are_made_smaller_with_a_note() {
    if !has_tools() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    molecule(folder.path());
    let mut session = XSession::start(folder.path().join("recording.txt"));
    let said = folder.path().join("said.txt");
    let large = ["-W", "1280", "-H", "640", "--look", "flat", "--samples=1", "--record", "recording.txt"];
    let viewer = roundel(folder.path(), &[&["view", "ethanol.xyz"], &large[..]].concat())
        .env("DISPLAY", &session.display)
        .env_remove("WAYLAND_DISPLAY")
        .env_remove("WAYLAND_SOCKET")
        .stderr(File::create(&said).expect("a file"))
        .stdout(Stdio::null())
        .spawn();
    session.viewer = Some(viewer.expect("roundel starts"));
    session.wait("a size", |text| text.contains(" resize 640 320"));
    let note = fs::read_to_string(&said).expect("messages");
    assert!(note.contains("the window has 640 x 320 pixels instead of 1280 x 640"), "{note}");
}
