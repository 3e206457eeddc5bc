//! Files that cannot be written, full disks, closed pipes and signals: old files stay, and no half of a new one is left.
#![cfg(feature = "cli")]

use std::fs;
use std::io::{Read, Write};
use std::process::{Command, Stdio};

use super::cli::{folder, refused, refuses, succeeds};
use crate::files::{names, text};
use crate::running::{COIN, assert_refused, roundel, start};
use roundel::io::read_png;

#[test]
fn files_that_cannot_be_read_or_written_are_named() {
    refuses(&["render", "none.toml"], &["cannot read none.toml"]);
    refuses(&["info", "none.pdb"], &["cannot read none.pdb"]);
    refuses(&["render", "coin.toml", "-o", "none/a.png"], &["cannot write none/a.png"]);
    refuses(&["render", "coin.toml", "-o", "."], &["cannot write ."]);
    refuses(&["render", "."], &["cannot read ."]);
    refuses(&["selftest", "--manifest", "none.toml"], &["cannot read none.toml"]);
    refuses(&["selftest", "--manifest", "coin.toml"], &["coin.toml:1: unknown field `canvas`"]);
    refuses(&["generate", "uniform", "-n", "5", "-o", "none/a.csv"], &["cannot write none/a.csv"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    refuses(&["render", "coin.toml", "-o", "/dev/full"], &["cannot write /dev/full"]);
    refuses(&["generate", "uniform", "-n", "5", "-o", "/dev/full"], &["--output must end in .csv, .xyz or .npy"]);
    for arguments in [
        &["render", "coin.toml", "-o", "-"][..],
        &["generate", "uniform", "-n", "1e5", "-o", "-"],
        &["info", "coin.toml"],
    ] {
        let folder = folder();
        let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("there on Linux");
        let output = roundel(folder.path(), arguments).stdout(full).output().expect("roundel starts");
        let message = assert_refused(&output, &arguments.join(" "), &["roundel: cannot write "]);
        assert_eq!(message.lines().count(), 1, "{message}");
    }
}

/// Limits files to 512 bytes, as a disk that fills up does; unlike permissions this also stops root.
#[cfg(target_os = "linux")]
#[test]
fn a_disk_that_fills_up_leaves_old_files_unchanged() {
    let folder = folder();
    let shell = |command: &str| {
        let script = format!("trap '' XFSZ; ulimit -f 1; exec \"$ROUNDEL\" {command}");
        let mut shell = Command::new("sh");
        shell.current_dir(folder.path()).env("ROUNDEL", env!("CARGO_BIN_EXE_roundel")).args(["-c", &script]);
        shell.stdin(Stdio::null()).output().expect("a shell starts")
    };
    succeeds(folder.path(), &["render", "coin.toml", "-o", "old.png"]);
    let old = fs::read(folder.path().join("old.png")).expect("written");
    fs::write(folder.path().join("old.csv"), "mine").expect("written");
    for command in ["render -W 320 -H 240 -o old.png", "generate uniform -n 1e5 -o old.csv --force"] {
        assert_refused(&shell(command), command, &["roundel: cannot write old."]);
    }
    assert_eq!(fs::read(folder.path().join("old.png")).expect("there"), old);
    assert_eq!(fs::read_to_string(folder.path().join("old.csv")).expect("there"), "mine");
    assert_eq!(names(folder.path()), ["coin.toml", "old.csv", "old.png"]);
}

#[test]
fn places_that_cannot_be_written_are_named() {
    // a file in place of a folder
    refuses(&["render", "coin.toml", "-o", "coin.toml/a.png"], &["cannot write coin.toml/a.png"]);
    refuses(&["generate", "uniform", "-n", "5", "-o", "coin.toml/a.csv"], &["cannot write coin.toml/a.csv"]);
    // a folder that not even root can write to
    #[cfg(target_os = "linux")]
    refuses(&["render", "coin.toml", "-o", "/proc/a.png"], &["cannot write /proc/a.png"]);
}

#[cfg(unix)]
#[test]
fn read_only_folders_and_files_stay_unchanged() {
    use std::os::unix::fs::PermissionsExt;

    let folder = folder();
    succeeds(folder.path(), &["render", "coin.toml", "-o", "old.png"]);
    let old = folder.path().join("old.png");
    let before = fs::read(&old).expect("written");
    fs::set_permissions(&old, fs::Permissions::from_mode(0o444)).expect("permitted to the owner");
    let small = ["render", "-W", "64", "-H", "48", "-o", "old.png"];
    refused(folder.path(), &small, &["roundel: cannot write old.png: "]);
    assert_eq!(fs::read(&old).expect("there"), before);
    let locked = folder.path().join("locked");
    fs::create_dir(&locked).expect("made");
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o555)).expect("permitted to the owner");
    // root can write there
    if fs::write(locked.join("probe"), "").is_err() {
        let draw = ["render", "coin.toml", "-o", "locked/a.png"];
        refused(folder.path(), &draw, &["roundel: cannot write locked/a.png: "]);
        assert_eq!(names(&locked), [""; 0]);
    }
}

#[test]
fn render_overwrites_only_pictures_without_force() {
    let folder = folder();
    fs::write(folder.path().join("notes.png"), "mine").expect("written");
    for (output, rule) in [
        ("notes.png", "exists and is not a PNG"),
        ("coin.toml", "must end in .png"),
        ("./coin.toml", "must end in .png"),
    ] {
        refused(folder.path(), &["render", "coin.toml", "-o", output], &[rule]);
    }
    assert_eq!(fs::read_to_string(folder.path().join("notes.png")).expect("there"), "mine");
    assert_eq!(fs::read_to_string(folder.path().join("coin.toml")).expect("there"), COIN);
    succeeds(folder.path(), &["render", "coin.toml", "-o", "notes.png", "--force"]);
    succeeds(folder.path(), &["render", "coin.toml", "-o", "notes.png"]);
    read_png(folder.path().join("notes.png")).expect("a PNG now");
}

#[test]
fn a_closed_pipe_ends_silently_with_status_2() {
    let folder = folder();
    let mut child = start(&mut roundel(folder.path(), &["generate", "uniform", "-n", "1e7", "-o", "-"]));
    let mut head = [0; 17];
    let mut stdout = child.stdout.take().expect("piped");
    stdout.read_exact(&mut head).expect("a beginning");
    assert_eq!(&head, b"x,y,z,radius,colo");
    drop(stdout);
    let output = child.wait_with_output().expect("ends");
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(text(&output.stderr), "");
}

#[test]
fn a_pipe_closed_under_a_picture_ends_silently_with_status_2() {
    let folder = folder();
    // more bytes than a pipe holds
    let size = ["-W", "1500", "-H", "1500", "--samples", "1", "--ao", "1"];
    let mut child = start(&mut roundel(folder.path(), &[&["render", "-o", "-"], &size[..]].concat()));
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("ends");
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(2), String::new()));
}

#[cfg(unix)]
#[test]
fn a_signal_ends_generate_and_leaves_no_file() {
    use std::os::unix::process::ExitStatusExt;

    for (name, number) in [("INT", 2), ("TERM", 15)] {
        let folder = folder();
        let mut child = roundel(folder.path(), &["generate", "uniform", "-n", "1e9", "-o", "big.csv"])
            .spawn()
            .expect("roundel starts");
        // until it writes its temporary file
        while names(folder.path()).len() < 2 {
            assert!(child.try_wait().expect("asked").is_none(), "ended before the signal");
            std::thread::yield_now();
        }
        assert!(!folder.path().join("big.csv").exists());
        let sent = Command::new("kill").args(["-s", name, &child.id().to_string()]).status().expect("kill starts");
        assert!(sent.success());
        assert_eq!(child.wait().expect("ends").signal(), Some(number));
        assert_eq!(names(folder.path()), ["coin.toml"], "{name}");
    }
}

/// Sends two signals while a scene is read and while it is drawn: each ends the run, and the old picture stays.
#[cfg(unix)]
#[test]
fn a_signal_ends_render_and_leaves_the_old_picture() {
    use std::os::unix::process::ExitStatusExt;

    let folder = folder();
    succeeds(folder.path(), &["render", "coin.toml", "-o", "old.png"]);
    let old = fs::read(folder.path().join("old.png")).expect("written");
    // would take a day to draw
    let endless = "[camera]\nwidth = 1280\nheight = 960\n[render]\nsamples = 4096\nao = 4096\n\
                   [[generate]]\nkind = \"uniform\"\ncount = 1000\n";
    fs::write(folder.path().join("endless.toml"), endless).expect("written");
    for (name, number) in [("INT", 2), ("TERM", 15)] {
        for (stage, input) in [("reading", "-"), ("drawing", "endless.toml")] {
            let arguments = ["render", "-v", input, "-o", "old.png"];
            let mut child = roundel(folder.path(), &arguments)
                .stdin(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .expect("roundel starts");
            let mut stdin = child.stdin.take().expect("piped");
            if stage == "reading" {
                // more bytes than a pipe holds: once they are written, the run is reading and waits for more
                stdin.write_all("# comment\n".repeat(50_000).as_bytes()).expect("read");
            } else {
                let mut stderr = std::io::BufReader::new(child.stderr.take().expect("piped"));
                let mut line = String::new();
                std::io::BufRead::read_line(&mut stderr, &mut line).expect("a line");
                assert!(line.starts_with("read endless.toml in "), "{line}");
            }
            let sent = Command::new("kill").args(["-s", name, &child.id().to_string()]).status().expect("kill starts");
            assert!(sent.success());
            assert_eq!(child.wait().expect("ends").signal(), Some(number), "{name} while {stage}");
            assert_eq!(fs::read(folder.path().join("old.png")).expect("there"), old, "{name} while {stage}");
            assert_eq!(names(folder.path()), ["coin.toml", "endless.toml", "old.png"], "{name} while {stage}");
        }
    }
}

#[test]
fn concurrent_runs_leave_one_complete_picture() {
    let folder = folder();
    let draw = |radius: &str| {
        let scene = COIN.replace("radius = 6", radius);
        let name = format!("{}.toml", radius.replace(' ', ""));
        fs::write(folder.path().join(&name), scene).expect("written");
        roundel(folder.path(), &["render", "-q", "-o", "same.png", &name]).spawn().expect("roundel starts")
    };
    let mut runs: Vec<_> = (1..=7).map(|radius| draw(&format!("radius = {radius}"))).collect();
    assert!(runs.iter_mut().all(|run| run.wait().expect("ends").success()));
    let same = read_png(folder.path().join("same.png")).expect("whole");
    let is_one_of_them = (1..=7).any(|radius| {
        succeeds(folder.path(), &["render", "-q", "-o", "alone.png", &format!("radius={radius}.toml")]);
        read_png(folder.path().join("alone.png")).expect("a PNG") == same
    });
    assert!(is_one_of_them, "a mixture of several");
    assert!(names(folder.path()).iter().all(|name| !name.ends_with(".tmp")));
}
