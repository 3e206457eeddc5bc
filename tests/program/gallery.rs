//! docs/gallery.md shows what its commands draw.
#![cfg(all(feature = "cli", unix))]

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use roundel::golden::Golden;
use roundel::io::read_png;

#[test]
fn gallery_shows_what_its_commands_draw() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(root.join("docs/gallery.md")).expect("the page");
    let folder = tempfile::tempdir().expect("a folder");
    for part in ["docs", "golden"] {
        std::os::unix::fs::symlink(root.join(part), folder.path().join(part)).expect("a link");
    }
    let pictures = root.join("docs/images/gallery");
    let mut drawn = Vec::new();
    for block in page.split("```console\n").skip(1) {
        let (command, after) = block.split_once("```").expect("the end of a block");
        let arguments = command.trim().strip_prefix("$ roundel ").expect("one command a block");
        let name =
            arguments.rsplit_once("-o ").and_then(|(_, name)| name.strip_suffix(".png")).expect("a picture's name");
        let program = env!("CARGO_BIN_EXE_roundel");
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("'{program}' {arguments}")]).current_dir(folder.path()).stdin(Stdio::null());
        let output = shell.output().expect("a shell");
        assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
        let frame = read_png(folder.path().join(format!("{name}.png"))).expect("a PNG");
        Golden::new(name).folder(&pictures).assert_matches(&frame);
        let shown = after.split("](").nth(1).and_then(|rest| rest.split(')').next());
        assert_eq!(shown, Some(&*format!("images/gallery/{name}.png")), "the picture after {command}");
        drawn.push(format!("{name}.png"));
    }
    let mut files: Vec<String> = fs::read_dir(&pictures)
        .expect("the pictures")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8"))
        .collect();
    files.sort();
    drawn.sort();
    assert_eq!(files, drawn, "no picture without a command");
}

/// The recipe of docs/gallery.md, with `serde_json` in the place of `jq`.
#[test]
fn films_are_drawn_by_one_camera() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(root.join("docs/gallery.md")).expect("the page");
    let roundel = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_roundel")).args(arguments).current_dir(root).output();
        let output = output.expect("roundel starts");
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        output.stdout
    };
    let json = |arguments: &[&str]| -> serde_json::Value { serde_json::from_slice(&roundel(arguments)).expect("JSON") };
    let block = page.split("```sh\n").nth(1).expect("the first recipe");
    let (info, rest) = block.split_once(" | jq .scene > film.json\n").expect("a scene");
    let info: Vec<&str> = info.strip_prefix("roundel ").expect("a command").split(' ').collect();
    assert!(rest.contains("roundel render film.json --azimuth $((10 * i)) --quiet -o turn-"), "{rest}");
    let folder = tempfile::tempdir().expect("a folder");
    let film = folder.path().join("film.json");
    let mut scene = json(&info)["scene"].take();
    // relative files of a printed scene resolve against the current folder
    let data = scene["spheres"][0]["file"].as_str().expect("a file").to_owned();
    scene["spheres"][0]["file"] = root.join(data).to_str().expect("UTF-8").into();
    fs::write(&film, scene.to_string()).expect("written");
    let film = film.to_str().expect("UTF-8");
    let camera = |azimuth: &str| {
        let camera = json(&["info", film, "--azimuth", azimuth, "--json"])["scene"]["camera"].take();
        let point = |key: &str| [0, 1, 2].map(|axis| camera[key][axis].as_f64().expect("a number"));
        let (eye, target) = (point("eye"), point("target"));
        let along = |axis: usize| eye[axis] - target[axis];
        let distance = (0..3).map(|axis| along(axis) * along(axis)).sum::<f64>().sqrt();
        (camera["width"].clone(), camera["height"].clone(), target, distance, eye)
    };
    let (start, turned) = (camera("0"), camera("90"));
    assert_eq!((&start.0, &start.1, start.2), (&turned.0, &turned.1, turned.2));
    assert!((start.3 - turned.3).abs() < 1e-3 * start.3, "{start:?} and {turned:?}");
    assert!(start.4 != turned.4, "the eye moves");
}
