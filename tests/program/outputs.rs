//! Which files are written, and which existing files stay: links, pipes, and files of other programs.
#![cfg(all(feature = "cli", unix))]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::files::{names, text};
use crate::running::{self, COIN, assert_refused, roundel, start};
use roundel::io::read_png;
use tempfile::TempDir;

/// Runs a command for at most a minute, as one that waits for a pipe never ends.
fn run(folder: &Path, arguments: &str) -> Output {
    let mut child = start(&mut roundel(folder, &arguments.split(' ').collect::<Vec<_>>()));
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

fn refuses(folder: &Path, arguments: &str, parts: &[&str]) {
    assert_refused(&run(folder, arguments), arguments, parts);
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
    // files of other programs are not replaced
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
    assert_eq!(names(&at("out")), [".lock", "deep", "tested.txt"], "reports of what passes now are removed");
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
    // if it were read first, the message would be about the scene
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
    let mut child = roundel(folder.path(), &["generate", "uniform", "-n", "1e9", "-o", "large.csv"])
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

#[test]
fn pipes_are_read_once_or_refused() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    succeeds(folder.path(), "generate uniform -n 500 -o a.csv");
    succeeds(folder.path(), "render a.csv -W 64 --ao off -o a.png");
    let shell = |command: &str| {
        let script = format!("timeout 60 \"$ROUNDEL\" {command}");
        let mut shell = Command::new("bash");
        shell.current_dir(folder.path()).env("ROUNDEL", env!("CARGO_BIN_EXE_roundel")).args(["-c", &script]);
        shell.stdin(Stdio::null()).output().expect("a shell starts")
    };
    let piped = shell("render <(cat a.csv) -W 64 --ao off -o piped.png");
    assert!(piped.status.success(), "{}", text(&piped.stderr));
    assert_eq!(fs::read(at("piped.png")).expect("there"), fs::read(at("a.png")).expect("there"));
    for command in ["render --stream <(cat a.csv) -o b.png", "render <(cat a.csv) --limit-memory 1K -o b.png"] {
        let refused = shell(command);
        assert_eq!(refused.status.code(), Some(2), "{command}: {}", text(&refused.stderr));
        assert_eq!(text(&refused.stderr).lines().count(), 1, "{command}: {}", text(&refused.stderr));
    }
}

#[test]
fn messages_have_no_control_characters_and_an_end() {
    let folder = folder();
    fs::write(folder.path().join("\u{1b}]0;mine\u{7}\u{9b}31m.csv"), "x,y,\u{1b}[31mred\n1,2,3\n").expect("written");
    let arguments = ["info", "\u{1b}]0;mine\u{7}\u{9b}31m.csv"];
    for more in [&[][..], &["--json"], &["--color-by", "none"], &["--only", "chain A"]] {
        let output = running::run(folder.path(), &[&arguments[..], more].concat());
        for printed in [text(&output.stdout), text(&output.stderr)] {
            let is_harmless = |letter: char| !letter.is_control() || letter == '\n';
            assert!(printed.chars().all(is_harmless), "{more:?}: {printed:?}");
        }
    }
    fs::write(folder.path().join("s.toml"), format!("{} = 1\n", "k".repeat(1 << 20))).expect("written");
    let output = run(folder.path(), "info s.toml");
    assert!((1..5000).contains(&output.stderr.len()), "{} bytes", output.stderr.len());
}

#[cfg(target_os = "linux")]
#[test]
fn help_that_cannot_be_written_is_an_error() {
    let full = fs::File::options().write(true).open("/dev/full").expect("a device");
    let output = roundel(Path::new("."), &["--help"]).stdout(full).output().expect("starts");
    assert_refused(&output, "--help", &["cannot write <stdout>"]);
}

#[test]
fn verdicts_of_failure_are_said_on_standard_error() {
    let folder = folder();
    fs::create_dir(folder.path().join("golden")).expect("made");
    fs::write(folder.path().join("golden/wrong.toml"), "wrong").expect("written");
    refuses(folder.path(), "golden status golden", &["roundel: some pictures cannot be read or drawn"]);
    for set in ["a", "b"] {
        fs::create_dir(folder.path().join(set)).expect("made");
        fs::write(folder.path().join(set).join("x.png"), "no picture").expect("written");
    }
    refuses(folder.path(), "compare a b", &["roundel: some pictures cannot be read or drawn"]);
}

#[test]
fn flags_of_other_programs_and_several_files_have_hints_that_help() {
    let folder = folder();
    for (command, hint) in [
        ("render coin.toml --no-cell", "--cell=false"),
        ("render coin.toml --unwrap", "--unwrap is for bare data"),
        ("render coin.toml --slice 3", "--clip"),
        ("render coin.toml --cut 3", "--clip"),
        ("render coin.toml --dof 3", "not supported, because"),
        ("render coin.toml --z-column height", "--x NAME --y NAME --z NAME"),
        ("render coin.toml --z height", "--z is for bare data"),
        ("render coin.toml --labels", "--label ligand"),
        ("render coin.toml --vectors v", "--vectors is for bare data"),
        ("render coin.toml --frame last", "must be a whole number"),
        ("render a.pdb b.pdb", "cannot read a.pdb"),
        ("render coin.toml coin.toml", "a scene draws several files"),
    ] {
        refuses(folder.path(), command, &[hint]);
        assert!(!text(&run(folder.path(), command).stderr).contains("18446744073709551615"), "{command}");
    }
    // reserved keys are not suggested
    fs::write(folder.path().join("s.toml"), "[camera]\naperturs = 1\n").expect("written");
    let message = text(&run(folder.path(), "info s.toml").stderr);
    assert!(message.contains("aperturs") && !message.contains("aperture,"), "{message}");
}

#[test]
fn figures_of_any_numbers_are_drawn_or_refused() {
    let folder = folder();
    fs::write(folder.path().join("a.xyz"), "2\n\nC 0 0 0\nC 9 0 0\n").expect("written");
    for value in ["1e19", "1e25", "1e300", "1e-30", "5e-324", "inf", "nan", "0", "-1"] {
        refuses(folder.path(), &format!("render a.xyz -W 64 --ao off --scale-bar={value} -o b.png"), &["--scale-bar"]);
    }
    for size in ["1", "2", "9"] {
        succeeds(folder.path(), &format!("render a.xyz -W {size} -H {size} --ao off --scale-bar --axes -o b.png"));
    }
    let long = format!("x,y,kind\n1,2,{}\n3,4,b\n", "k".repeat(100_000));
    fs::write(folder.path().join("long.csv"), long).expect("written");
    succeeds(folder.path(), "render long.csv -W 200 --color-by kind --legend -o b.png");
    let width = read_png(folder.path().join("b.png")).expect("a PNG").width();
    assert!(width < 1500, "{width}");
    let limited = "render long.csv -W 200 -H 200 --color-by kind --legend --limit-pixels 50000 -o b.png";
    refuses(folder.path(), limited, &["over the limit of 50000 pixels"]);
    let chain = vec!["all"; 20_000].join(" or ");
    fs::write(folder.path().join("s.toml"), format!("[[spheres]]\nfile = \"a.xyz\"\nonly = \"{chain}\"\n"))
        .expect("written");
    succeeds(folder.path(), "info s.toml");
}

/// Small files of every kind, whatever sizes they claim, are read in two gigabytes of address space.
#[test]
fn small_files_need_little_memory() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz");
    let script = "ulimit -v 2000000; for file in \"$@\"; do \"$ROUNDEL\" info --limit-memory 512M \"$file\" >/dev/null 2>&1; \
                  status=$?; [ $status -le 2 ] || echo \"$file $status\"; done";
    let mut files = Vec::new();
    for folder in fs::read_dir(corpus).expect("a folder").flatten().filter(|entry| entry.path().is_dir()) {
        files.extend(fs::read_dir(folder.path()).expect("a folder").flatten().map(|entry| entry.path()));
    }
    let output = Command::new("bash")
        .env("ROUNDEL", env!("CARGO_BIN_EXE_roundel"))
        .args(["-c", script, "bash"])
        .args(files)
        .output()
        .expect("a shell starts");
    assert_eq!(text(&output.stdout), "", "files and the status that they end with");
}

#[test]
fn files_that_are_read_whole_have_an_end() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    succeeds(folder.path(), "render coin.toml -o a.png");
    refuses(folder.path(), "compare a.png /dev/zero", &["cannot decode /dev/zero"]);
    fs::create_dir(at("golden")).expect("made");
    fs::write(at("golden/coin.toml"), COIN).expect("written");
    pipe(&at("golden/golden.toml"));
    refuses(folder.path(), "golden check golden", &["golden.toml: must be a regular file"]);
    fs::remove_file(at("golden/golden.toml")).expect("there");
    pipe(&at("mask"));
    let rule = "[case.coin]\nmask_image = \"../mask\"\nreason = \"none\"\n";
    fs::write(at("golden/golden.toml"), rule).expect("written");
    refuses(folder.path(), "golden check golden", &["mask: must be a regular file"]);
}

#[test]
fn names_are_printed_without_marks_of_direction() {
    let folder = folder();
    let output = run(folder.path(), "render a\u{202e}gnp.xyz");
    let message = text(&output.stderr);
    assert!(message.contains("a\\u202egnp.xyz") && !message.contains('\u{202e}'), "{message}");
}

#[test]
fn missing_files_of_scenes_are_found_by_line_and_key() {
    let folder = folder();
    let write = |name: &str, content: &str| fs::write(folder.path().join(name), content).expect("written");
    write("gone.toml", "[[spheres]]\nfile = \"none.xyz\"\n");
    let place = "gone.toml:2: spheres[0].file: cannot read none.xyz";
    refuses(folder.path(), "render gone.toml -o a.png", &[place]);
    refuses(folder.path(), "film gone.toml -o a.gif", &[place]);
    for (name, found) in [("self.toml", "must be atoms or a table"), ("pipe", "must be a regular file, as a film")] {
        let self_and_pipe = format!("[[spheres]]\nfile = \"{name}\"\n");
        write("self.toml", &self_and_pipe);
        if name == "pipe" {
            pipe(&folder.path().join("pipe"));
        }
        let place = format!("self.toml:2: spheres[0].file {found}");
        refuses(folder.path(), "film self.toml --frames 0..1 -o a.gif", &[&place]);
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    fs::copy(root.join("tests/files/data/dcd-charmm-matrix.dcd"), folder.path().join("t.dcd")).expect("copied");
    write("names.toml", "[[spheres]]\nfile = \"t.dcd\"\ntopology = \"none.psf\"\n");
    refuses(folder.path(), "render names.toml -o a.png", &["names.toml:3: spheres[0].topology: cannot read none.psf"]);
}

#[test]
fn indexes_that_cannot_be_true_are_found_again() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    let row = format!("He 0.0 0.0 0.0 {}\n", "0".repeat(1000));
    let frame = format!("9000\n\n{}", row.repeat(9000));
    fs::write(at("t.xyz"), frame.repeat(2)).expect("written");
    let draw = "film t.xyz --look headlight --ao off -W 32 --force -o t.gif";
    succeeds(folder.path(), draw);
    let index = at("t.xyz.roundel-index");
    let written = fs::read_to_string(&index).expect("an index");
    let gif = fs::read(at("t.gif")).expect("a film");
    for (from, to) in [("\"frames\":2", "\"frames\":4611686018427387904"), ("[0,0]", "[99999999,0]")] {
        assert!(written.contains(from), "{written}");
        fs::write(&index, written.replace(from, to)).expect("written");
        succeeds(folder.path(), draw);
        assert_eq!(fs::read(at("t.gif")).expect("a film"), gif, "{to}");
    }
}

/// The index with the right checksum: FNV-1a of its results.
fn with_checksum(index: &str) -> String {
    let (start, rest) = index.split_once("\"check\":").expect("a checksum");
    let (_, known) = rest.split_once(",\"known\":").expect("results");
    let known = known.strip_suffix('}').expect("the end");
    let sum = known
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |sum, byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    format!("{start}\"check\":{sum},\"known\":{known}}}")
}

#[test]
fn indexes_with_wrong_places_are_found_again() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    let frame = |place: usize| {
        let row = format!("He {place}.0 0.0 0.0 {}\n", "0".repeat(1000));
        format!("5000\n\n{}Ne 40.0 0.0 0.0\n", row.repeat(4999))
    };
    let frames: Vec<String> = (0..5).map(frame).collect();
    let ends: Vec<usize> = (0..=5).map(|count| frames[..count].iter().map(String::len).sum()).collect();
    fs::write(at("t.xyz"), frames.concat()).expect("written");
    let film = "film t.xyz --look headlight --ao off -W 32 --force -o t.gif";
    let still = "render t.xyz --frame 3 --look headlight --ao off -W 32 --force -o t.png";
    succeeds(folder.path(), film);
    succeeds(folder.path(), still);
    let index = at("t.xyz.roundel-index");
    let written = fs::read_to_string(&index).expect("an index");
    let (gif, png) = (fs::read(at("t.gif")).expect("a film"), fs::read(at("t.png")).expect("a picture"));
    assert_eq!(with_checksum(&written), written);
    let places: Vec<String> = ends.iter().zip(0..).map(|(end, count)| format!("[{end},{}]", count * 5002)).collect();
    let all = places.join(",");
    assert!(written.contains(&all), "{written}");
    let other = |places: &[&str]| written.replace(&all, &places.join(","));
    let [a, b, c, d, e, f] = &places[..] else { panic!("six") };
    let inside = format!("[{},5002]", ends[1] + 1000);
    // where a row ends, and would be the number of atoms
    let second_inside = format!("[{},{}]", ends[2] + 5 + 1 + 1014, 2 * 5002 + 3);
    let wrong_line = format!("[{},5001]", ends[1]);
    let fewer = |frames: u64, text: String| text.replace("\"frames\":5", &format!("\"frames\":{frames}"));
    for changed in [
        other(&[a, &inside, c, d, e, f]),
        other(&[a, &wrong_line, c, d, e, f]),
        fewer(3, other(&[a, b, c, d])),
        fewer(4, other(&[a, b, c, e, f])),
        fewer(4, other(&[a, c, d, e, f])),
        fewer(6, other(&[a, b, c, &second_inside, d, e, f])),
    ] {
        for content in [with_checksum(&changed), changed] {
            fs::write(&index, &content).expect("written");
            succeeds(folder.path(), film);
            assert!(fs::read(at("t.gif")).expect("a film") == gif, "{content}");
            assert_eq!(fs::read_to_string(&index).expect("an index"), written);
            fs::write(&index, &content).expect("written");
            succeeds(folder.path(), still);
            assert!(fs::read(at("t.png")).expect("a picture") == png, "{content}");
        }
    }
    // a correct index is trusted
    succeeds(folder.path(), film);
    assert_eq!(fs::read_to_string(&index).expect("an index"), written);
}

#[test]
fn pictures_of_frames_follow_no_links() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("a.xyz"), "1\n\nHe 0 0 0\n1\n\nHe 1 0 0\n").expect("written");
    let film = "film a.xyz --look headlight --ao off -W 16 -o f_{frame}.png";
    symlink("precious", at("f_0.png")).expect("a link");
    for resume in ["", " --resume"] {
        refuses(folder.path(), &format!("{film}{resume}"), &["f_0.png is a symbolic link", "--force"]);
    }
    // nor a dangling one
    fs::remove_file(at("f_0.png")).expect("there");
    symlink("none", at("f_1.png")).expect("a link");
    refuses(folder.path(), film, &["f_1.png is a symbolic link", "--force"]);
    assert!(!at("f_0.png").exists() && !at("none").exists());
    fs::write(at("f_0.png"), "mine").expect("written");
    fs::remove_file(at("f_1.png")).expect("there");
    refuses(folder.path(), &format!("{film} --resume"), &["f_0.png exists and is not a PNG", "--force"]);
    // an empty file is no finished picture
    fs::write(at("f_0.png"), "").expect("written");
    succeeds(folder.path(), &format!("{film} --resume"));
    assert!(fs::read(at("f_0.png")).expect("there").starts_with(b"\x89PNG"));
    fs::remove_file(at("f_0.png")).expect("there");
    symlink("precious", at("f_0.png")).expect("a link");
    succeeds(folder.path(), &format!("{film} --force"));
    assert!(is_untouched(folder.path()) && !at("f_0.png").is_symlink(), "the link is replaced");
}

#[test]
fn films_go_to_pipes_only_if_they_are_written_in_order() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("a.xyz"), "1\n\nHe 0 0 0\n1\n\nHe 1 0 0\n").expect("written");
    for name in ["x.webp", "x.mp4"] {
        pipe(&at(name));
        symlink("/dev/null", at(&format!("null.{name}"))).expect("a link");
        for name in [name, &format!("null.{name}")] {
            refuses(folder.path(), &format!("film a.xyz -W 16 -o {name}"), &["--output must be a regular file", name]);
        }
    }
    symlink("/dev/null", at("x.gif")).expect("a link");
    succeeds(folder.path(), "film a.xyz -W 16 -o x.gif");
    // like WebP, sound files are RIFF
    fs::write(at("sound.webp"), b"RIFF\x24\0\0\0WAVEfmt ").expect("written");
    refuses(folder.path(), "film a.xyz -W 16 -o sound.webp", &["sound.webp exists and is not a film", "--force"]);
}

#[test]
fn pipes_among_several_files_are_read_once() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    let frames = "1\n\nHe 0 0 0\n1\n\nHe 1 0 0\n";
    fs::write(at("a.xyz"), frames).expect("written");
    for arguments in
        ["a.xyz p.xyz", "p.xyz a.xyz --grid 2x1 --color-by x", "p.xyz --frames all", "p.xyz --frames 0,1 --grid 2x1"]
    {
        let draw = format!("render {arguments} -W 24 --look headlight --ao off --force");
        fs::write(at("p.xyz"), frames).expect("written");
        succeeds(folder.path(), &format!("{draw} -o same.png"));
        fs::remove_file(at("p.xyz")).expect("there");
        pipe(&at("p.xyz"));
        let path = at("p.xyz");
        let fed = std::thread::spawn(move || fs::write(path, frames).expect("fed"));
        succeeds(folder.path(), &format!("{draw} -o a.png"));
        fed.join().expect("fed");
        assert!(fs::read(at("a.png")).expect("there") == fs::read(at("same.png")).expect("there"), "{arguments}");
        fs::remove_file(at("p.xyz")).expect("there");
    }
    pipe(&at("p.xyz"));
    fs::write(at("named.toml"), "[[spheres]]\nfile = \"t.dcd\"\ntopology = \"p.xyz\"\n").expect("written");
    fs::write(at("t.dcd"), b"?").expect("written");
    for command in ["render named.toml -o a.png --force", "info named.toml"] {
        refuses(
            folder.path(),
            command,
            &["named.toml:3: spheres[0].topology must be a file, got p.xyz, which is a pipe"],
        );
    }
    for arguments in ["p.xyz", "a.xyz p.xyz --turntable 90", "a.xyz --topology p.xyz", "p.xyz --frames 0..1"] {
        refuses(folder.path(), &format!("film {arguments} -o a.gif"), &["must be files", "p.xyz, which is a pipe"]);
    }
}

#[cfg(feature = "viewer")]
#[test]
fn recordings_replace_recordings_alone() {
    let folder = folder();
    fs::write(folder.path().join("coin.toml"), COIN).expect("written");
    symlink("precious", folder.path().join("link.txt")).expect("a link");
    for name in ["precious", "link.txt"] {
        refuses(
            folder.path(),
            &format!("view coin.toml --record {name}"),
            &[name, "exists and has no recorded events"],
        );
    }
    assert!(is_untouched(folder.path()));
}

#[test]
fn pictures_from_pipes_are_compared() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("coin.toml"), COIN).expect("written");
    succeeds(folder.path(), "render coin.toml -o x.png");
    succeeds(folder.path(), "render coin.toml --background red -o y.png");
    pipe(&at("p"));
    for (arguments, status) in [("x.png p", 0), ("p x.png", 0), ("y.png p", 1), ("y.png p --diff d.png", 1)] {
        let (from, to) = (at("x.png"), at("p"));
        let fed = std::thread::spawn(move || fs::write(to, fs::read(from).expect("there")).expect("fed"));
        let output = run(folder.path(), &format!("compare {arguments}"));
        assert_eq!(output.status.code(), Some(status), "{arguments}: {}", text(&output.stderr));
        fed.join().expect("fed");
    }
    assert!(at("d.png").exists());
    refuses(folder.path(), "compare x.png p --report r.html", &["--report shows the pictures", "regular files, got p"]);
}
