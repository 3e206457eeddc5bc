//! docs/gallery.md shows what its commands draw.
#![cfg(all(feature = "cli", unix))]

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use roundel::golden::Golden;
use roundel::io::read_sequence;

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
        let (_, name) = arguments.rsplit_once("-o ").expect("a picture's name");
        let program = env!("CARGO_BIN_EXE_roundel");
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("'{program}' {arguments}")]).current_dir(folder.path()).stdin(Stdio::null());
        let output = shell.output().expect("a shell");
        assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
        let file = folder.path().join(name);
        match name.strip_suffix(".png") {
            Some(name) => Golden::new(name).folder(&pictures).assert_matches(read_sequence(&file).expect("a picture")),
            None => assert_same_film(&file, &pictures.join(name)),
        }
        let shown = after.split("](").nth(1).and_then(|rest| rest.split(')').next());
        assert_eq!(shown, Some(&*format!("images/gallery/{name}")), "the picture after {command}");
        drawn.push(name.to_owned());
    }
    let mut files: Vec<String> = fs::read_dir(&pictures)
        .expect("the pictures")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8"))
        .collect();
    files.sort();
    drawn.sort();
    assert_eq!(files, drawn, "no picture without a command");
}

/// Compares a film, byte for byte, with the one shown, which `ROUNDEL_BLESS=all` replaces.
fn assert_same_film(drawn: &Path, shown: &Path) {
    if std::env::var_os("ROUNDEL_BLESS").is_some_and(|names| names == "all") {
        fs::copy(drawn, shown).expect("the film is replaced");
    }
    assert!(fs::read(drawn).expect("a film") == fs::read(shown).expect("a film"), "{}", shown.display());
}
