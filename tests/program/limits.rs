//! Limits on pixels, shapes and memory: exceeding one ends in a one-line message and status 2 before memory is
//! allocated.
#![cfg(feature = "cli")]

use std::fs;
use std::path::Path;
use std::process::Output;

use crate::files::{Folder, PDB, XYZ, names, text};
use crate::running::{self, assert_refused};
use roundel::{Frame, Srgba8};

const COIN: &str = "[canvas]\nwidth = 24\nheight = 16\n\n[[circle]]\ncenter = [12, 8]\nradius = 6\nfill = \"#d62728\"\n\
                    stroke = { color = \"#000\", width = 1 }\n";

const TABLE: &str = "x,y\n1,2\n3,4\n5,6\n";

fn run(folder: &Path, line: &str) -> Output {
    running::run(folder, &line.split(' ').collect::<Vec<_>>())
}

/// Creates a folder with one file and an old picture.
fn folder(file: &str, contents: &str) -> Folder {
    let folder = Folder::new();
    folder.file(file, contents);
    folder.file("old.png", "\x00 not touched");
    folder
}

/// Asserts that a command ends with status 2 and this message alone, and leaves the folder unchanged.
fn refuses(file: &str, contents: &str, line: &str, message: &str) {
    let folder = folder(file, contents);
    let before = names(folder.0.path());
    let output = run(folder.0.path(), line);
    assert_eq!(text(&output.stderr), format!("roundel: {message}\n"), "{line}");
    assert_eq!(output.status.code(), Some(2), "{line}");
    assert_eq!(text(&output.stdout), "", "{line}");
    assert_eq!(names(folder.0.path()), before, "{line}");
    let old = fs::read_to_string(folder.0.path().join("old.png")).expect("there");
    assert_eq!(old, "\x00 not touched", "{line}");
}

fn passes(file: &str, contents: &str, line: &str) {
    let folder = folder(file, contents);
    let output = run(folder.0.path(), line);
    assert!(output.status.success(), "{line}: {}", text(&output.stderr));
}

/// Asserts that a command passes with exactly the limit it needs, and fails with one less.
fn between(file: &str, contents: &str, line: &str, flag: &str, asked: u64, message: &str) {
    let most = asked - 1;
    refuses(file, contents, &format!("{line} --limit-{flag} {most}"), &message.replace("{most}", &most.to_string()));
    passes(file, contents, &format!("{line} --limit-{flag} {asked}"));
}

#[test]
fn pixels_are_refused_over_the_limit_and_pass_at_it() {
    let tail = ", 384 pixels, over the limit of {most} pixels; --limit-pixels raises it";
    let scene = format!("coin.toml:1: the picture is 24x16{tail}");
    between("coin.toml", COIN, "render coin.toml", "pixels", 384, &scene);
    between("coin.toml", COIN, "info coin.toml", "pixels", 384, &scene);
    for (file, contents) in [("t.csv", TABLE), ("m.pdb", PDB), ("w.xyz", XYZ)] {
        let line = format!("render {file} -W 24 -H 16 -o out.png");
        between(file, contents, &line, "pixels", 384, &format!("the picture is 24x16{tail}"));
    }
    between(
        "t.csv",
        TABLE,
        "render -W 24 -H 16 --samples 1 --ao 0",
        "pixels",
        384,
        &format!("the picture is 24x16{tail}"),
    );
    // only the part that is drawn counts
    let view_box = "render coin.toml -W 6 -H 32 --view-box 12,8,16";
    between("coin.toml", COIN, view_box, "pixels", 192, &format!("the picture is 6x32{}", tail.replace("384", "192")));
}

#[test]
fn default_limits_stop_mistakes_only() {
    let message =
        "the picture is 20000x20000, 400000000 pixels, over the limit of 268435456 pixels; --limit-pixels raises it";
    refuses("t.csv", TABLE, "render t.csv -W 20000 -H 20000 -o old.png --force", message);
    // above the largest frame no flag helps, and the message names none
    let most = "--width times height must be at most 2^32 pixels, got 4294967295x4294967295";
    refuses("t.csv", TABLE, "render t.csv -W 4294967295 -H 4294967295", most);
    let raised = "render t.csv -W 4294967295 -H 4294967295 --limit-pixels 18446744073709551615";
    refuses("t.csv", TABLE, raised, most);
    refuses("t.csv", TABLE, "render -W 4294967295 -H 4294967295", most);
    passes("t.csv", TABLE, "render t.csv -W 65536 -H 16");
}

#[test]
fn shapes_are_refused_at_the_line_that_exceeds_the_limit() {
    let tail = ", over the limit of {most} shapes; --limit-shapes raises it";
    let at = |place: &str| format!("{place}{tail}");
    between("t.csv", TABLE, "render t.csv", "shapes", 3, &at("t.csv:4: shape 3 of the scene"));
    between("t.csv", "x,y,z\n1,2,3\n4,5,6\n", "render t.csv", "shapes", 2, &at("t.csv:3: shape 2 of the scene"));
    let particles = at("w.xyz:1: the frame promises 3 atoms");
    between("w.xyz", XYZ, "info w.xyz", "shapes", 3, &particles);
    let streamed = particles + ", --stream draws spheres in little memory";
    between("w.xyz", XYZ, "render w.xyz", "shapes", 3, &streamed);
    between("m.pdb", PDB, "render m.pdb", "shapes", 3, &at("m.pdb:20: shape 3 of the scene"));
    between("m.pdb", PDB, "info m.pdb", "shapes", 3, &at("m.pdb:20: shape 3 of the scene"));
    let copies = at("assembly 1 of m.pdb has 6 spheres");
    between("m.pdb", PDB, "render m.pdb --assembly 1", "shapes", 6, &copies);
    // a fill and a stroke
    between("coin.toml", COIN, "render coin.toml", "shapes", 2, &at("coin.toml:5: 2 shapes up to here"));
    let demo = "--limit-shapes 8";
    refuses(
        "t.csv",
        TABLE,
        &format!("render {demo}"),
        "the scene has 1602 shapes, over the limit of 8 shapes; --limit-shapes raises it",
    );
}

#[test]
fn shapes_are_counted_over_all_parts_of_a_scene() {
    let tail = ", over the limit of {most} shapes; --limit-shapes raises it";
    let made = "[canvas]\nwidth = 9\nheight = 9\n[[generate]]\nkind = \"uniform\"\ncount = 500\n";
    between("s.toml", made, "render s.toml", "shapes", 500, &format!("s.toml:4: generate.count is 500{tail}"));
    let twice = format!("{made}[[generate]]\nkind = \"lattice\"\ncount = 40\n");
    between("s.toml", &twice, "render s.toml", "shapes", 540, &format!("s.toml:7: generate.count is 40{tail}"));
    let spheres = twice.replace("canvas", "camera");
    between("s.toml", &spheres, "render s.toml", "shapes", 540, &format!("s.toml:7: generate.count is 40{tail}"));
    // a table after a circle of the scene's own
    let folder = folder("t.csv", TABLE);
    folder.file("s.toml", format!("{COIN}[[points]]\nfile = \"t.csv\"\n"));
    let refused = run(folder.0.path(), "render s.toml --limit-shapes 4");
    let message = "t.csv:4: shape 5 of the scene, over the limit of 4 shapes; --limit-shapes raises it";
    assert!(text(&refused.stderr).ends_with(&format!("{message}\n")), "{}", text(&refused.stderr));
    assert!(run(folder.0.path(), "render s.toml --limit-shapes 5").status.success());
}

#[test]
fn absurd_counts_are_refused_at_once() {
    let promise = "99999999999999999\n\nC 0 0 0\n";
    // a stream takes any number
    let message = "w.xyz:3: the frame promises 99999999999999999 atoms, but the file ends after 1";
    refuses("w.xyz", promise, "render w.xyz", message);
    let most = "18446744073709551615";
    let all = format!("{most}\n\nC 0 0 0\n");
    let message = format!("w.xyz:3: the frame promises {most} atoms, but the file ends after 1");
    refuses("w.xyz", &all, &format!("render w.xyz --limit-shapes {most}"), &message);
    // without a limit the file ends too early
    let unlimited = format!("render w.xyz --limit-shapes {most} --limit-memory {most}");
    refuses("w.xyz", &all, &unlimited, &format!("w.xyz:3: the frame promises {most} atoms, but the file ends after 1"));
    let made = "[canvas]\n[[generate]]\nkind = \"uniform\"\ncount = 4294967295\n";
    let message =
        "s.toml:2: generate.count is 4294967295, over the limit of 268435456 shapes; --limit-shapes raises it";
    refuses("s.toml", made, "render s.toml", message);
    let message = "s.toml:2: generate.count is 4294967295, which takes 64.0 GiB, over the limit of 16 GiB; --limit-memory raises it";
    refuses("s.toml", made, "render s.toml --limit-shapes 5000000000", message);
    for count in ["18446744073709551615", "9223372036854775807", "1e300", "-1"] {
        let folder = folder("s.toml", &made.replace("4294967295", count));
        assert_refused(&run(folder.0.path(), "render s.toml"), count, &["roundel: s.toml:4: "]);
    }
}

#[test]
fn copies_are_counted_before_they_are_made() {
    // 200 × 20 operators that copy 100,000 atoms each
    let mut pdb = String::from("REMARK 350 BIOMOLECULE: 1\n");
    for part in 0..200 {
        pdb += "REMARK 350 APPLY THE FOLLOWING TO CHAINS: A\n";
        for operator in 1..=20 {
            for (row, axes) in [(1, "1.0 0.0 0.0"), (2, "0.0 1.0 0.0"), (3, "0.0 0.0 1.0")] {
                pdb += &format!("REMARK 350   BIOMT{row}  {operator:>2}  {axes}  {part}.0\n");
            }
        }
    }
    for serial in 0..100_000 {
        pdb += &format!("ATOM  {serial:>5}  CA  ALA A   1       1.000   2.000   3.000\n");
    }
    let message =
        "assembly 1 of m.pdb has 400000000 spheres, over the limit of 268435456 shapes; --limit-shapes raises it";
    refuses("m.pdb", &pdb, "render m.pdb --assembly 1", message);
    let raised = "render m.pdb --assembly 1 --limit-shapes 400000000 --limit-memory 256M";
    let folder = folder("m.pdb", &pdb);
    let parts = ["assembly 1 of m.pdb has 400000000 spheres, which takes ", "256 MiB"];
    assert_refused(&run(folder.0.path(), raised), raised, &parts);
}

#[test]
fn memory_is_refused_over_the_limit_and_passes_below() {
    // 480,000 pixels of 4 bytes
    let folder = folder("coin.toml", COIN);
    let draw = "render coin.toml -W 800 -H 600 --threads 1 --limit-memory 1M";
    let message = assert_refused(&run(folder.0.path(), draw), draw, &[]);
    assert!(message.starts_with("roundel: drawing 2 shapes on 800x600 pixels takes "), "{message}");
    assert!(message.ends_with(" MiB, over the limit of 1 MiB; --limit-memory raises it\n"), "{message}");
    assert_eq!(names(folder.0.path()), ["coin.toml", "old.png"]);
    assert!(run(folder.0.path(), "render coin.toml -W 800 -H 600 --threads 1 --limit-memory 16M").status.success());
    // refused at the row that exceeds the limit
    let rows = "1,2\n".repeat(1000);
    let table = format!("x,y\n{rows}");
    folder.file("t.csv", &table);
    let draw = "render t.csv --limit-memory 20K";
    let parts = ["roundel: t.csv:", ": shape ", ", which takes "];
    let message = assert_refused(&run(folder.0.path(), draw), draw, &parts);
    assert!(message.ends_with(" bytes, over the limit of 20480 bytes; --limit-memory raises it\n"), "{message}");
}

#[test]
fn circles_over_many_tiles_are_counted_before_they_are_binned() {
    // a megabyte of text: each circle covers the 65,536 tiles of the canvas, 5e10 bytes of lists
    let wide = "[canvas]\nwidth = 16384\nheight = 16384\n[[points]]\nfile = \"t.csv\"\nradius = 20000\n";
    let folder = folder("s.toml", wide);
    folder.file("t.csv", format!("x,y\n{}", "8192,8192\n".repeat(100_000)));
    let draw = "render s.toml --tile 64";
    let message = assert_refused(&run(folder.0.path(), draw), draw, &[]);
    assert!(message.starts_with("roundel: drawing 100000 shapes on 16384x16384 pixels takes "), "{message}");
    assert!(message.ends_with(" GiB, over the limit of 16 GiB; --limit-memory raises it\n"), "{message}");
}

#[test]
fn images_over_the_limit_are_refused_by_their_headers() {
    let folder = Folder::new();
    let (a, b) = (folder.0.path().join("a.png"), folder.0.path().join("b.png"));
    Frame::new(24, 16, Srgba8::WHITE).expect("small").save_png(&a).expect("written");
    Frame::new(24, 16, Srgba8::rgb(0, 0, 0)).expect("small").save_png(&b).expect("written");
    let refused = |line: &str, message: &str| {
        let output = run(folder.0.path(), line);
        assert_eq!(text(&output.stderr), format!("roundel: {message}\n"), "{line}");
        assert_eq!(output.status.code(), Some(2), "{line}");
    };
    let message = "a.png: the picture is 24x16, 384 pixels, over the limit of 383 pixels; --limit-pixels raises it";
    refused("compare a.png b.png --limit-pixels 383 --diff d.png", message);
    refused("compare a.png b.png --limit-pixels 383 --flip 0.1", message);
    refused("compare a.png b.png --mask-image a.png --limit-pixels 383", message);
    let output = run(folder.0.path(), "compare a.png b.png --limit-pixels 384 --limit-memory 1M");
    assert_eq!(output.status.code(), Some(1), "they differ: {}", text(&output.stderr));
    // a header that promises 2^31 by 2^31 pixels
    let mut vast = fs::read(&a).expect("written");
    vast[16..24].copy_from_slice(&[0x7f, 0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff]);
    let crc = crc(&vast[12..29]);
    vast[29..33].copy_from_slice(&crc.to_be_bytes());
    folder.file("vast.png", &vast);
    let message = "a picture vast.png: must have at most 1073741824 pixels, got 2147483647x2147483647";
    refused("compare vast.png a.png", message);
    vast[16..24].copy_from_slice(&[0, 0x10, 0, 0, 0, 0x10, 0, 0]);
    let crc = self::crc(&vast[12..29]);
    vast[29..33].copy_from_slice(&crc.to_be_bytes());
    let error = roundel::io::read_png(folder.file("vast.png", &vast)).expect_err("no frame is so large");
    assert!(error.to_string().ends_with("must have at most 1073741824 pixels, got 1048576x1048576"), "{error}");
}

/// Returns the checksum of a PNG chunk.
fn crc(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| (crc >> 1) ^ if crc & 1 == 1 { 0xedb8_8320 } else { 0 })
    })
}

#[test]
fn golden_check_accepts_limits() {
    let folder = Folder::new();
    fs::create_dir(folder.0.path().join("g")).expect("made");
    folder.file("g/coin.toml", COIN);
    let check = "golden --limit-pixels 383 check g";
    let message = "g/coin.toml:1: the picture is 24x16, 384 pixels, over the limit of 383 pixels";
    assert_refused(&run(folder.0.path(), check), check, &[message]);
    assert_eq!(names(folder.0.path()), ["g"]);
}

#[test]
fn malformed_sizes_are_refused() {
    for size in ["", "1.5G", "-1", "many", "16777216T", "18446744073709551616"] {
        let folder = folder("coin.toml", COIN);
        let line = format!("render coin.toml --limit-memory={size}");
        let example = if size.is_empty() { "" } else { "such as" };
        assert_refused(&run(folder.0.path(), &line), &line, &["--limit-memory", example]);
        assert_eq!(names(folder.0.path()), ["coin.toml", "old.png"]);
    }
}
