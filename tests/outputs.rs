//! Which files are written, and what of those in the way stays: links, pipes, and files of other programs.
#![cfg(all(feature = "cli", unix))]

mod files;

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use files::{names, text};
use tempfile::TempDir;

const COIN: &str =
    "[canvas]\nwidth = 24\nheight = 16\n\n[[circle]]\ncenter = [12, 8]\nradius = 6\nfill = \"#d62728\"\n";

/// Runs a command for at most a minute: what waits for a pipe waits for ever.
fn run(folder: &Path, arguments: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_roundel"));
    command.current_dir(folder).args(arguments.split(' ')).stdin(Stdio::null());
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("roundel starts");
    let start = Instant::now();
    while child.try_wait().expect("a child").is_none() {
        if start.elapsed() > Duration::from_secs(60) {
            child.kill().expect("a child");
            panic!("roundel {arguments} hangs");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    child.wait_with_output().expect("ended")
}

/// Runs a command that must say each of `parts` on standard error.
fn refuses(folder: &Path, arguments: &str, parts: &[&str]) {
    let output = run(folder, arguments);
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{arguments}: {message}");
    for part in parts {
        assert!(message.contains(part), "{arguments}: {part:?} is not in {message}");
    }
}

fn succeeds(folder: &Path, arguments: &str) {
    let output = run(folder, arguments);
    assert_eq!(output.status.code(), Some(0), "{arguments}: {}", text(&output.stderr));
}

fn pipe(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().expect("mkfifo starts").success());
}

/// A folder with `coin.toml`, an array and a file that must stay as it is.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("coin.toml"), COIN).expect("written");
    fs::write(folder.path().join("precious"), "mine").expect("written");
    folder
}

fn is_untouched(folder: &Path) -> bool {
    fs::read_to_string(folder.join("precious")).expect("there") == "mine"
}

#[test]
fn indexes_beside_data_follow_no_links_and_wait_for_no_pipes() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    succeeds(folder.path(), "generate uniform -n 3000 -o a.npy");
    let index = at("a.npy.roundel-index");
    let draw = "render --stream a.npy --look headlight --ao off -W 64 -o a.png";
    symlink("precious", &index).expect("a link");
    succeeds(folder.path(), draw);
    assert!(is_untouched(folder.path()) && index.is_symlink());
    fs::remove_file(&index).expect("there");
    symlink("/dev/zero", &index).expect("a link");
    succeeds(folder.path(), draw);
    fs::remove_file(&index).expect("there");
    pipe(&index);
    succeeds(folder.path(), draw);
    fs::remove_file(&index).expect("there");
    // nor are files of other programs replaced
    fs::write(&index, "mine").expect("written");
    succeeds(folder.path(), draw);
    assert_eq!(fs::read_to_string(&index).expect("there"), "mine");
    fs::remove_file(&index).expect("there");
    for _ in 0..2 {
        succeeds(folder.path(), draw);
        assert!(fs::read_to_string(&index).expect("there").starts_with("{\"roundel-index\":"));
    }
    // one that belongs to another file is replaced
    succeeds(folder.path(), "generate uniform -n 4000 -o a.npy --force");
    let before = fs::read(&index).expect("there");
    succeeds(folder.path(), draw);
    assert_ne!(fs::read(&index).expect("there"), before);
}

#[test]
fn golden_commands_write_through_no_links_and_over_no_other_files() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir_all(at("golden/deep")).expect("made");
    fs::rename(at("coin.toml"), at("golden/deep/coin.toml")).expect("moved");
    let link = "is a symbolic link, which is not followed; --force replaces it";
    // a golden that is a link
    symlink("../../precious", at("golden/deep/coin.png")).expect("a link");
    refuses(folder.path(), "golden bless golden deep/coin", &["golden/deep/coin.png", link]);
    fs::remove_file(at("golden/deep/coin.png")).expect("there");
    // what a check leaves: pictures, a folder of them, and the report
    fs::create_dir_all(at("out/deep")).expect("made");
    symlink("../../precious", at("out/deep/coin.actual.png")).expect("a link");
    refuses(folder.path(), "golden check golden --output out", &["out/deep/coin.actual.png", link]);
    fs::remove_dir_all(at("out/deep")).expect("there");
    fs::create_dir(at("elsewhere")).expect("made");
    symlink("../elsewhere", at("out/deep")).expect("a link");
    refuses(folder.path(), "golden check golden --output out", &["out/deep", link]);
    assert_eq!(names(&at("elsewhere")), [""; 0]);
    fs::remove_file(at("out/deep")).expect("there");
    symlink("../precious", at("out/report.html")).expect("a link");
    refuses(folder.path(), "golden check golden --output out", &["out/report.html", link]);
    fs::remove_file(at("out/report.html")).expect("there");
    fs::write(at("out/report.html"), "<p>mine").expect("written");
    let page = "out/report.html exists and is not a page of roundel's; --force replaces it";
    refuses(folder.path(), "golden check golden --output out", &[page]);
    assert_eq!(fs::read_to_string(at("out/report.html")).expect("there"), "<p>mine");
    // files that the user names
    for option in ["--report", "--junit"] {
        let command = format!("golden check golden --output new {option} precious");
        refuses(folder.path(), &command, &[&format!("{option} precious exists and"), "--force overwrites it"]);
        assert!(is_untouched(folder.path()) && !at("new").exists(), "checked before anything is drawn");
    }
    let output = run(folder.path(), "golden check golden --output out --force --junit r.xml --report r.html");
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let again = run(folder.path(), "golden check golden --output out --junit r.xml --report r.html");
    assert_eq!(again.status.code(), Some(1), "its own files are replaced: {}", text(&again.stderr));
    succeeds(folder.path(), "golden bless golden deep/coin");
    succeeds(folder.path(), "golden check golden --output out");
    assert_eq!(names(&at("out")), ["deep"], "reports of what passes now are removed");
    assert_eq!(names(&at("out/deep")), [""; 0]);
    pipe(&at("golden/pipe.png"));
    refuses(folder.path(), "golden check golden --output out", &["golden/pipe.png"]);
    assert!(is_untouched(folder.path()));
}

#[test]
fn reports_of_comparisons_replace_no_other_files() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    for set in ["a", "b"] {
        fs::create_dir_all(at(set)).expect("made");
        succeeds(folder.path(), &format!("render coin.toml -o {set}/coin.png"));
        fs::copy(at("a/coin.png"), at(&format!("{set}/twin.png"))).expect("copied");
    }
    succeeds(folder.path(), "render coin.toml -o b/coin.png --background black");
    for option in ["--report", "--junit"] {
        for pictures in ["a b", "a/coin.png b/coin.png"] {
            let command = format!("compare {pictures} {option} precious");
            refuses(folder.path(), &command, &[&format!("{option} precious exists and"), "--force overwrites it"]);
        }
    }
    refuses(folder.path(), "compare a b --report none/r.html", &["cannot write none/r.html"]);
    fs::create_dir(at("diff")).expect("made");
    symlink("../precious", at("diff/coin.png")).expect("a link");
    refuses(folder.path(), "compare a b --diff diff", &["diff/coin.png is a symbolic link"]);
    let forced = run(folder.path(), "compare a b --diff diff --report precious --force");
    assert_eq!(forced.status.code(), Some(1), "{}", text(&forced.stderr));
    assert!(!at("diff/coin.png").is_symlink());
    pipe(&at("a/pipe.png"));
    fs::copy(at("a/coin.png"), at("b/pipe.png")).expect("copied");
    let output = run(folder.path(), "compare a b");
    assert!(text(&output.stdout).contains("pipe.png: images must be regular files"), "{}", text(&output.stdout));
}

#[test]
fn places_are_checked_before_anything_is_drawn() {
    let folder = folder();
    // were it read first, the message would be of the scene
    fs::write(folder.path().join("wrong.toml"), "wrong").expect("written");
    for command in ["render wrong.toml -o none/a.png", "render wrong.toml -o none/a.png --force"] {
        refuses(folder.path(), command, &["cannot write none/a.png: No such file or directory"]);
    }
    refuses(folder.path(), "render wrong.toml -o coin.toml/a.png", &["cannot write coin.toml/a.png"]);
    refuses(folder.path(), "golden check golden --output coin.toml/a", &["cannot write to coin.toml/a"]);
    assert_eq!(names(folder.path()), ["coin.toml", "precious", "wrong.toml"]);
}

#[test]
fn names_of_any_length_that_the_system_takes_are_written() {
    let folder = folder();
    for length in [240, 244, 251, 255] {
        let name = format!("{}.png", "n".repeat(length - 4));
        succeeds(folder.path(), &format!("render coin.toml -o {name}"));
        assert!(folder.path().join(name).is_file());
    }
    refuses(folder.path(), &format!("render coin.toml -o {}.png", "n".repeat(252)), &["File name too long"]);
}

#[test]
fn temporary_files_of_killed_processes_are_removed_and_others_stay() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    let mut child = Command::new(env!("CARGO_BIN_EXE_roundel"))
        .current_dir(folder.path())
        .args(["generate", "uniform", "-n", "1e9", "-o", "large.csv"])
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("starts");
    let temporary = || names(folder.path()).into_iter().filter(|name| name.ends_with(".tmp")).collect::<Vec<_>>();
    while temporary().is_empty() {
        assert!(child.try_wait().expect("a child").is_none(), "it has much to write");
        std::thread::sleep(Duration::from_millis(2));
    }
    fs::write(at(".roundel-mine.tmp"), "mine").expect("written");
    symlink("precious", at(".roundel-1-1.tmp")).expect("a link");
    succeeds(folder.path(), "render coin.toml -o a.png");
    assert_eq!(temporary().len(), 3, "a living process keeps its file");
    child.kill().expect("a child");
    child.wait().expect("ended");
    succeeds(folder.path(), "render coin.toml -o a.png");
    assert_eq!(temporary(), [".roundel-1-1.tmp", ".roundel-mine.tmp"]);
    assert!(is_untouched(folder.path()));
}
