//! The viewer as a user meets it: sessions replayed without a window, commands that draw the same picture, and a real
//! window under Xvfb, driven by xdotool.
#![cfg(all(feature = "cli", feature = "viewer"))]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::running::{assert_refused, roundel, run};
use roundel::io::{LoadOptions, load, read_png, read_scene};
use roundel::spheres::AmbientOcclusion;
use roundel::viewer::{Event, Key, TimedEvent, Viewer, ViewerOptions, Viewpoint, parse_events};
use roundel::{Frame, RenderSettings, Scene, render};

/// Ethanol: three elements, and no symmetry that would hide mirroring.
const ETHANOL: &str = "9
ethanol
C  -0.7480   0.0150   0.0240
C   0.5580   0.4200  -0.6520
O   1.6450  -0.3730  -0.1800
H  -1.5690   0.6300  -0.3530
H  -0.6700   0.1460   1.1070
H  -0.9730  -1.0330  -0.1870
H   0.7690   1.4690  -0.4380
H   0.4720   0.2900  -1.7340
H   1.4530  -1.2930  -0.4050
";

/// Flags for the session of `tests/viewer/session.txt`, which make it quick.
pub(crate) const FLAGS: [&str; 8] = ["-W", "320", "-H", "240", "--samples=2", "--ao=0", "--style", "spacefill"];

pub(crate) fn molecule(folder: &Path) -> PathBuf {
    let path = folder.join("ethanol.xyz");
    fs::write(&path, ETHANOL).expect("a writable folder");
    path
}

const SESSION: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/viewer/session.txt");

/// Asserts success and returns standard output.
pub(crate) fn stdout_of(output: &Output) -> String {
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{:?}: {errors}", output.status);
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

pub(crate) fn at(time: u64, event: Event) -> TimedEvent {
    TimedEvent::new(time, event)
}

/// Replays events in a folder with `roundel view`; returns standard output.
pub(crate) fn replay(folder: &Path, arguments: &[&str]) -> String {
    stdout_of(&run(folder, &[&["view"], arguments].concat()))
}

/// Runs the command that a viewer has printed, in a folder.
pub(crate) fn run_printed_command(printed: &str, subcommand: &str, folder: &Path) {
    let begin = format!("roundel {subcommand} ");
    let line = printed.lines().find(|line| line.starts_with(&begin)).expect("a command is printed");
    let line = line.replacen("roundel", &format!("'{}'", env!("CARGO_BIN_EXE_roundel")), 1);
    stdout_of(&Command::new("sh").args(["-c", &line]).current_dir(folder).output().expect("a shell"));
}

/// Asserts that the printed command draws the viewer's picture `end.png` again; returns and removes the picture.
fn assert_printed_command_draws_the_same(printed: &str, folder: &Path) -> Frame {
    let end = folder.join("end.png");
    let seen = read_png(&end).expect("a picture");
    fs::remove_file(&end).expect("written above");
    run_printed_command(printed, "render", folder);
    assert!(read_png(&end).expect("a picture") == seen, "{printed}");
    fs::remove_file(&end).expect("written above");
    seen
}

/// Draws until the viewer is idle.
pub(crate) fn draw_until_idle(viewer: &mut Viewer) {
    let start = Instant::now();
    while !viewer.is_idle() {
        viewer.draw().expect("a small picture");
        assert!(start.elapsed() < Duration::from_secs(120), "the viewer is never idle");
        sleep(Duration::from_millis(2));
    }
}

#[test]
fn replay_ends_in_its_golden() {
    let folder = tempfile::tempdir().expect("a folder");
    molecule(folder.path());
    let events = ["ethanol.xyz", "--replay", SESSION, "-o", "end.png"];
    let printed = replay(folder.path(), &[&events[..], &FLAGS].concat());
    assert!(printed.starts_with("sphere "), "the click picks: {printed}");
    assert_same(&folder.path().join("end.png"), &golden());
    assert_printed_command_draws_the_same(&printed, folder.path());
}

#[test]
fn printed_command_names_highlights_and_format() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("ethanol"), ETHANOL).expect("a writable folder");
    let events = "0 resize 80 60\n1 key-down F12\n2 key-up F12\n";
    fs::write(folder.path().join("events.txt"), events).expect("written");
    let flags = ["-W", "80", "-H", "60", "--format", "xyz", "--highlight", "element O", "gold", "-o", "end.png"];
    replay(folder.path(), &[&["ethanol", "--replay", "/dev/null"], &flags[..]].concat());
    let shown = read_png(folder.path().join("end.png")).expect("a picture");
    let printed = replay(folder.path(), &[&["ethanol", "--replay", "events.txt"], &flags[..]].concat());
    assert!(printed.contains("--format=xyz") && printed.contains("--highlight 'element O' '#ffd700ff'"), "{printed}");
    assert!(shown == assert_printed_command_draws_the_same(&printed, folder.path()), "{printed}");
}

pub(crate) fn golden() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/viewer/session.png")
}

pub(crate) fn assert_same(actual: &Path, expected: &Path) {
    let (shown, golden) = (read_png(actual).expect("a picture"), read_png(expected).expect("a golden"));
    if shown != golden {
        let kept = Path::new(env!("CARGO_TARGET_TMPDIR")).join("viewer-actual.png");
        fs::copy(actual, &kept).expect("a copy");
        panic!("{} is not {}", kept.display(), expected.display());
    }
}

#[test]
fn printed_command_draws_the_enlarged_circles() {
    let folder = tempfile::tempdir().expect("a folder");
    let rows: String = (0..500).map(|i| format!("{},{}\n", (i * 37) % 101, (i * i) % 97)).collect();
    fs::write(folder.path().join("it's a map.csv"), format!("x,y\n{rows}")).expect("written");
    let events = "0 resize 200 100\n1 move 150 20\n2 wheel 12.5\n3 press right\n4 move 90 60\n5 release right\n";
    fs::write(folder.path().join("events.txt"), events).expect("written");
    let printed = replay(folder.path(), &["it's a map.csv", "--replay", "events.txt", "-o", "end.png"]);
    let seen = assert_printed_command_draws_the_same(&printed, folder.path());
    assert_eq!((seen.width(), seen.height()), (200, 100));
}

#[test]
fn printed_command_draws_the_look_that_a_key_has_chosen() {
    let folder = tempfile::tempdir().expect("a folder");
    molecule(folder.path());
    let mut looks = Vec::new();
    for presses in 1..=3 {
        let keys: String = (1..=presses).map(|time| format!("{time} key-down L\n{time} key-up L\n")).collect();
        fs::write(folder.path().join("events.txt"), format!("0 resize 160 120\n{keys}")).expect("written");
        let events = ["--samples=2", "ethanol.xyz", "--replay", "events.txt", "-o", "end.png"];
        let printed = replay(folder.path(), &events);
        looks.push(assert_printed_command_draws_the_same(&printed, folder.path()));
    }
    assert!(looks[0] != looks[1] && looks[1] != looks[2] && looks[0] != looks[2], "three looks");
}

/// A periodic box with two elements, seen with every mark of a figure.
const SALT: &str = "3
Lattice=\"5.6 0 0 0 5.6 0 0 0 5.6\" Properties=species:S:1:pos:R:3
Na 0.4 0.5 0.6
Cl 2.8 0.5 0.6
Na 2.8 2.8 5.0
";

#[test]
fn printed_command_draws_the_marks_that_the_window_shows() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("salt.xyz"), SALT).expect("a writable folder");
    let scene = "[[spheres]]\nfile = \"salt.xyz\"\n[figure]\ntitle = \"salt\"\nlegend = \"counts\"\nscale = 2\n";
    fs::write(folder.path().join("salt.toml"), scene).expect("a writable folder");
    fs::write(folder.path().join("events.txt"), "# roundel events\n0 press left\n10 move 40 20\n20 release left\n")
        .expect("a writable folder");
    let marks = ["--title=sea salt", "--legend=counts", "--scale-bar", "--axes", "--dpi=120"];
    let boxes = ["salt.xyz", "--replay", "events.txt", "-o", "end.png"];
    for (input, marks) in [
        (boxes, &marks[..]),
        (boxes, &["--trim=3", "--title=salt"][..]),
        (boxes, &["--cell=false"][..]),
        (boxes, &[][..]),
        (["salt.toml", "--replay", "events.txt", "-o", "end.png"], &[][..]),
    ] {
        let printed = replay(folder.path(), &[&input[..], &["-W", "160", "-H", "120"], marks].concat());
        assert_printed_command_draws_the_same(&printed, folder.path());
    }
    // type has the size that suits the window
    fs::write(folder.path().join("events.txt"), "0 resize 900 700\n").expect("a writable folder");
    let marks = ["--title=sea salt", "--legend", "--axes", "--samples=1", "--ao=off"];
    let printed = replay(folder.path(), &[&boxes[..], &marks].concat());
    assert_printed_command_draws_the_same(&printed, folder.path());
}

#[test]
fn window_leaves_room_for_marks_and_shows_them_while_the_picture_turns() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("salt.xyz");
    fs::write(&file, SALT).expect("a writable folder");
    let mut overrides = overrides();
    overrides.figure.title = Some("salt".to_owned());
    overrides.figure.legend = Some(roundel::io::LegendChoice::ON);
    overrides.figure.axes = Some(true);
    let mut viewer = Viewer::open(&ViewerOptions::new([&file]).with_overrides(overrides)).expect("a box");
    let (width, height) = viewer.size();
    assert!(width > 120 && height > 90, "room for marks: {width}x{height}");
    viewer.handle(&at(0, Event::Resize { width: 400, height: 300 })).expect("handled");
    assert_eq!(viewer.size(), (400, 300));
    let still = viewer.render_still().expect("a small picture");
    assert_eq!((still.width(), still.height()), (400, 300));
    let finished = viewer.finish().expect("a small picture").clone();
    assert!(finished.width() == 400 && finished.height() <= 300, "{}x{}", finished.width(), finished.height());
    // the legend is in the window as it is in the picture
    let legend = |frame: &Frame| (0..200).map(|y| frame.pixel(395, y).expect("inside")).collect::<Vec<_>>();
    assert_eq!(legend(&still), legend(&finished));
    let inked =
        |pixels: &[u32]| pixels.chunks(400).take(200).any(|row| row[340..].iter().any(|pixel| *pixel != 0xff_ff_ff));
    for step in 0..4_u16 {
        let x = 100.0 + 20.0 * f32::from(step);
        viewer.handle(&at(u64::from(step), Event::Move { x, y: 100.0 })).expect("handled");
        viewer.handle(&at(u64::from(step), Event::Press(roundel::viewer::MouseButton::Left))).expect("handled");
        viewer.draw().expect("drawn");
        assert!(inked(viewer.pixels()), "step {step}");
    }
    viewer.handle(&at(50, Event::Release(roundel::viewer::MouseButton::Left))).expect("handled");
    // too small for marks: the picture alone
    viewer.handle(&at(99, Event::Resize { width: 70, height: 70 })).expect("handled");
    assert_eq!(viewer.finish().map(|frame| (frame.width(), frame.height())).expect("a small picture"), (70, 70));
}

#[test]
fn still_shows_the_final_picture_with_text_but_without_times() {
    let folder = tempfile::tempdir().expect("a folder");
    let scene = read_scene(molecule(folder.path()), &LoadOptions::default()).expect("a molecule");
    let mut stills = Vec::new();
    for keys in [&[][..], &[Key::I], &[Key::H], &[Key::T]] {
        let mut viewer = Viewer::new(scene.clone(), &RenderSettings::default()).expect("a viewer");
        viewer.handle(&at(0, Event::Resize { width: 420, height: 300 })).expect("handled");
        for &key in keys {
            viewer.handle(&at(1, Event::KeyDown(key))).expect("handled");
        }
        // the same at once and after a while
        let still = viewer.render_still().expect("a small picture");
        draw_until_idle(&mut viewer);
        assert!(viewer.render_still().expect("a small picture") == still, "{keys:?}");
        stills.push((still, viewer.finish().expect("a small picture").clone()));
    }
    let (bare, picture) = &stills[1];
    assert!(bare == picture, "nothing is drawn when nothing is switched on");
    for (index, (still, picture)) in stills.iter().enumerate() {
        assert_eq!((still.width(), still.height()), (420, 300));
        assert!(picture == bare && stills[..index].iter().all(|(other, _)| other != still), "{index}");
    }
}

#[test]
fn help_hides_the_boxes_that_it_would_lie_over() {
    let folder = tempfile::tempdir().expect("a folder");
    let scene = read_scene(molecule(folder.path()), &LoadOptions::default()).expect("a molecule");
    let still = |events: &[Event]| {
        let mut viewer = Viewer::new(scene.clone(), &RenderSettings::default()).expect("a viewer");
        viewer.handle(&at(0, Event::Resize { width: 420, height: 300 })).expect("handled");
        for &event in events {
            viewer.handle(&at(1, event)).expect("handled");
        }
        draw_until_idle(&mut viewer);
        viewer.render_still().expect("a small picture")
    };
    let left = roundel::viewer::MouseButton::Left;
    let click = [Event::Move { x: 210.0, y: 150.0 }, Event::Press(left), Event::Release(left)];
    let help = Event::KeyDown(Key::H);
    assert!(still(&click) != still(&[]), "a box says what is there");
    assert!(still(&[&click[..], &[help]].concat()) == still(&[help]));
    assert!(still(&[&click[..], &[help, help]].concat()) == still(&click), "and comes back");
}

#[test]
fn notes_of_files_are_messages() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("wet.pdb");
    let atom = |record: &str, serial: u32, name: &str, residue: &str| {
        format!(
            "{record:6}{serial:5}  {name:3} {residue} A{serial:4}    {:8.3}   0.000   0.000  1.00  0.00           {}\n",
            4 * serial,
            &name[..1]
        )
    };
    fs::write(
        &file,
        [atom("ATOM", 1, "CA", "ALA"), atom("ATOM", 2, "CA", "GLY"), atom("HETATM", 3, "O", "HOH")].concat(),
    )
    .expect("written");
    let notes = load(&file, &LoadOptions::default()).expect("atoms").notes;
    assert!(notes.iter().any(|note| note.contains("water")), "{notes:?}");
    let mut viewer = open(&[file]);
    assert_eq!(viewer.drain_messages(), notes.iter().map(|note| format!("note: {note}")).collect::<Vec<_>>());
    viewer.handle(&at(0, Event::FileChanged)).expect("read again");
    assert_eq!(viewer.drain_messages(), Vec::<String>::new(), "each once");
}

#[test]
fn missing_display_suggests_render() {
    let folder = tempfile::tempdir().expect("a folder");
    molecule(folder.path());
    let mut view = roundel(folder.path(), &["view", "ethanol.xyz"]);
    for display in ["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET", "XDG_RUNTIME_DIR"] {
        view.env_remove(display);
    }
    let output = view.output().expect("the program");
    assert_refused(&output, "view", &["cannot show a window: ", "`roundel render`"]);
}

#[test]
fn malformed_recording_is_refused_with_its_line() {
    let folder = tempfile::tempdir().expect("a folder");
    molecule(folder.path());
    fs::write(folder.path().join("events.txt"), "# roundel events\n5 leap\n").expect("written");
    let output = run(folder.path(), &["view", "ethanol.xyz", "--replay", "events.txt"]);
    assert_refused(&output, "view", &["events.txt:2: must be a time and an event"]);
}

/// Renders a file with a viewer's camera, size and shading.
fn rendered(file: &Path, viewer: &Viewer) -> Frame {
    let mut scene = read_scene(file, &overrides()).expect("a molecule");
    let (Scene::Spheres(spheres), Viewpoint::Camera(camera)) = (&mut scene, viewer.viewpoint()) else {
        panic!("a molecule is seen through a camera")
    };
    (spheres.view.width, spheres.view.height) = viewer.size();
    spheres.view.camera = camera;
    spheres.shading = viewer.shading();
    render(&scene, &roundel::RenderSettings::default()).expect("a small picture")
}

fn overrides() -> LoadOptions {
    LoadOptions {
        width: Some(120),
        height: Some(90),
        samples: Some(3),
        ao: Some(AmbientOcclusion::Rays(5)),
        ..LoadOptions::default()
    }
}

pub(crate) fn open(files: &[PathBuf]) -> Viewer {
    Viewer::open(&ViewerOptions::new(files).with_overrides(overrides())).expect("molecules")
}

#[test]
fn final_picture_is_what_render_draws() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = molecule(folder.path());
    let mut viewer = open(std::slice::from_ref(&file));
    // the home view: the file rendered without flags
    draw_until_idle(&mut viewer);
    let plain = render(&read_scene(&file, &overrides()).expect("a molecule"), &roundel::RenderSettings::default());
    assert!(*viewer.frame() == plain.expect("a small picture"));
    // refinement that is cancelled again and again still ends in the right picture
    for step in 0..40_u16 {
        let time = u64::from(step);
        viewer.handle(&at(time, Event::Wheel(0.25))).expect("handled");
        viewer.handle(&at(time, Event::Resize { width: 100 + u32::from(step), height: 90 })).expect("handled");
        viewer.draw().expect("drawn");
        sleep(Duration::from_millis(u64::from(step % 4) * 30));
        viewer.draw().expect("drawn");
    }
    viewer.handle(&at(99, Event::KeyDown(Key::A))).expect("handled");
    draw_until_idle(&mut viewer);
    assert!(!viewer.shading().ambient_occlusion.is_on(), "A switches occlusion off");
    assert!(*viewer.frame() == rendered(&file, &viewer));
}

#[test]
fn changed_file_is_reloaded_and_keeps_the_camera() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = molecule(folder.path());
    let mut viewer = open(std::slice::from_ref(&file));
    viewer.handle(&at(0, Event::Wheel(2.0))).expect("handled");
    let (viewpoint, before) = (viewer.viewpoint(), viewer.finish().expect("drawn").clone());
    fs::write(&file, ETHANOL.replace("O  ", "S  ")).expect("written");
    viewer.handle(&at(1, Event::FileChanged)).expect("handled");
    assert_eq!(viewer.viewpoint(), viewpoint);
    assert!(*viewer.finish().expect("drawn") != before, "sulphur is yellow");
    let now = viewer.finish().expect("drawn").clone();
    // while the file is malformed, the last good picture stays
    fs::write(&file, "nine\n").expect("written");
    viewer.handle(&at(2, Event::FileChanged)).expect("handled");
    assert!(*viewer.finish().expect("drawn") == now);
}

#[test]
fn keys_step_through_frames_and_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let (first, second) = (molecule(folder.path()), folder.path().join("two.xyz"));
    fs::write(&second, "1\n\nO 0 0 0\n1\n\nN 0 0 0\n1\n\nS 0 0 0\n").expect("written");
    let mut viewer = open(&[first, second]);
    let center = |viewer: &mut Viewer| {
        let frame = viewer.finish().expect("drawn");
        let color = frame.pixel(60, 45).expect("inside");
        (color.r > 150, color.g > 150, color.b > 150)
    };
    let key = |viewer: &mut Viewer, key| viewer.handle(&at(0, Event::KeyDown(key))).expect("handled");
    let ethanol = viewer.finish().expect("drawn").clone();
    key(&mut viewer, Key::Right);
    assert!(*viewer.finish().expect("drawn") == ethanol, "the file has one frame");
    key(&mut viewer, Key::Down);
    let (red, blue, yellow) = ((true, false, false), (false, false, true), (true, true, false));
    assert_eq!(center(&mut viewer), red);
    for color in [blue, yellow, red] {
        key(&mut viewer, Key::Right);
        assert_eq!(center(&mut viewer), color);
    }
    key(&mut viewer, Key::Space);
    for (time, color) in [(0, red), (40, blue), (70, blue), (80, yellow), (120, red)] {
        viewer.handle(&at(time, Event::Tick)).expect("handled");
        assert_eq!(center(&mut viewer), color, "at {time} ms");
    }
    key(&mut viewer, Key::Down);
    assert!(*viewer.finish().expect("drawn") == ethanol, "the first file follows the last");
}

#[test]
fn recorded_session_in_the_repository_is_well_formed() {
    let text = fs::read_to_string(SESSION).expect("a session");
    let events = parse_events("session.txt", &text).expect("events");
    let again: String = events.iter().map(|event| format!("{event}\n")).collect();
    assert_eq!(parse_events("again", &again).expect("events"), events);
}
