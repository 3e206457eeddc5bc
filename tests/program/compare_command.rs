//! `roundel compare` from the command line: exit statuses, messages, folders, differences, JSON and JUnit.
#![cfg(feature = "cli")]

use std::fs;
use std::process::Command;

use crate::files::text;
use crate::running::run;
use image::{Rgba, RgbaImage};
use serde_json::Value;
use tempfile::TempDir;

const GRAY: Rgba<u8> = Rgba([90, 90, 90, 255]);

/// Runs `roundel compare …` in a folder; returns exit status, standard output and standard error.
fn compare(folder: &TempDir, arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = run(folder.path(), &[&["compare"], arguments].concat());
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

/// Saves a grey picture with its first pixels a step lighter.
fn save(folder: &TempDir, name: &str, (width, height): (u32, u32), spoiled: usize) {
    let mut image = RgbaImage::from_pixel(width, height, GRAY);
    image.pixels_mut().take(spoiled).for_each(|pixel| pixel.0[1] += 1);
    let path = folder.path().join(name);
    fs::create_dir_all(path.parent().expect("a folder")).expect("made");
    image.save(path).expect("saved");
}

fn folder() -> TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

/// Tools that exit with the number of differing pixels lose all but eight bits: 256 pixels look like success.
#[cfg(feature = "image-formats")]
#[test]
fn exit_status_is_1_for_any_number_of_pixels() {
    let folder = folder();
    let size = (300, 256);
    save(&folder, "a.png", size, 0);
    for (count, status) in [(0, 0), (1, 1), (255, 1), (256, 1), (257, 1), (65_536, 1)] {
        save(&folder, "b.png", size, count);
        // the same pixels in another format, under the extension of the first
        fs::write(folder.path().join("c.png"), as_bmp(&folder.path().join("b.png"))).expect("written");
        for actual in ["b.png", "c.png"] {
            let (found, text, _) = compare(&folder, &["a.png", actual]);
            assert_eq!(found, Some(status), "{count}: {text}");
            let pixels = format!("{actual}: {count} of 76800 pixels differ, by up to 1, first at 0,0\n");
            assert_eq!(text, if count == 0 { "same\n".to_owned() } else { pixels });
        }
    }
    assert_eq!(compare(&folder, &["a.png", "b.png", "--tolerance", "1"]).0, Some(0));
    assert_eq!(compare(&folder, &["a.png", "b.png", "--pixels", "65536"]).0, Some(0));
    assert_eq!(compare(&folder, &["a.png", "b.png", "--pixels", "65535"]).0, Some(1));
    assert_eq!(compare(&folder, &["a.png", "b.png", "--share", "0.86"]).0, Some(0));
    assert_eq!(compare(&folder, &["a.png", "b.png", "--share", "0.85"]).0, Some(1));
    assert_eq!(compare(&folder, &["a.png", "b.png", "--mask", "0,0,300,219"]).0, Some(0));
    assert_eq!(compare(&folder, &["a.png", "b.png", "--threshold", "0.1"]).0, Some(0));
    assert_eq!(compare(&folder, &["a.png", "b.png", "--flip", "0.1"]).0, Some(0));
    assert_eq!(compare(&folder, &["a.png", "b.png", "--flip", "0"]).0, Some(1));
}

/// The same pixels as BMP.
#[cfg(feature = "image-formats")]
fn as_bmp(path: &std::path::Path) -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    let image = image::open(path).expect("a picture").into_rgb8();
    image.write_to(&mut bytes, image::ImageFormat::Bmp).expect("encoded");
    bytes.into_inner()
}

#[test]
fn errors_have_status_2_and_name_the_cause() {
    let folder = folder();
    save(&folder, "a.png", (8, 8), 0);
    save(&folder, "few/a.png", (8, 8), 0);
    fs::create_dir_all(folder.path().join("empty")).expect("made");
    fs::write(folder.path().join("text.png"), "no picture").expect("written");
    for (arguments, part) in [
        (&["a.png", "none.png"][..], "none.png"),
        (&["a.png", "text.png"], "text.png"),
        (&["a.png", "few"], "takes two images or two folders: few is a folder, a.png is not"),
        (&["few", "a.png"], "takes two images or two folders: few is a folder, a.png is not"),
        (&["few", "none"], "cannot read none: "),
        (&["none", "few"], "cannot read none: "),
        (&["none", "a.png"], "cannot read none: "),
        (&["empty", "empty"], "both folders contain no images"),
        (&["a.png", "a.png", "--flip", "0", "--pixels", "3"], "FLIP judges by the mean error"),
        (&["a.png", "a.png", "--tolerance", "256"], "tolerance must be 0 to 255"),
        (&["a.png", "a.png", "--tolerance", "1", "--flip", "0"], "cannot be used with"),
        (&["a.png", "a.png", "--mask", "1,2,3"], "x,y,width,height"),
        (&["a.png", "a.png", "--mask", "-1,2,3,4"], "x,y,width,height"),
        (&["a.png", "a.png", "--mask", "8,0,5,5"], "mask must touch the pictures, which have 8x8 pixels, got 8,0,5,5"),
        (&["a.png", "a.png", "--mask", "0,0,8,8"], "mask must leave pixels to compare"),
        (&["a.png", "a.png", "--share", "3%"], "a number from 0 to 1"),
        (&["a.png"], "ACTUAL"),
    ] {
        let (status, text, message) = compare(&folder, arguments);
        assert_eq!((status, &*text), (Some(2), ""), "{arguments:?}: {message}");
        assert!(message.contains(part), "{arguments:?}: {message}");
    }
}

#[cfg(feature = "image-formats")]
#[test]
fn folders_are_compared_by_path() {
    let folder = folder();
    for (name, before, after) in [
        ("same.png", Some(0), Some(0)),
        ("deep/changed.png", Some(0), Some(3)),
        ("deep/changed.bmp", Some(0), Some(5)),
        ("missing <&\">.png", Some(0), None),
        ("new.png", None, Some(0)),
    ] {
        for (side, spoiled) in [("before", before), ("after", after)] {
            if let Some(spoiled) = spoiled {
                save(&folder, &format!("{side}/{name}"), (20, 10), spoiled);
            }
        }
    }
    fs::write(folder.path().join("before/notes.txt"), "no picture").expect("written");
    let outputs = ["--diff", "differences", "--junit", "results.xml", "--report", "report.html"];
    let (status, text, _) = compare(&folder, &[&["before", "after"], &outputs[..]].concat());
    assert_eq!(status, Some(1));
    let expected = "deep/changed.bmp: 5 of 200 pixels differ, by up to 1, first at 0,0\n\
                    deep/changed.png: 3 of 200 pixels differ, by up to 1, first at 0,0\n\
                    missing <&\">.png: missing\n\
                    new.png: new: there is no expected image\n\
                    1 of 5 images agree\n";
    assert_eq!(text, expected);
    // each has a difference of its own
    let marked = |name: &str| {
        let image = image::open(folder.path().join("differences/deep").join(name)).expect("a picture").into_rgb8();
        image.pixels().filter(|pixel| pixel.0 == [255, 0, 0]).count()
    };
    assert_eq!((marked("changed.png"), marked("changed.bmp.png")), (3, 5));
    let xml = fs::read_to_string(folder.path().join("results.xml")).expect("written");
    assert!(xml.contains("tests=\"5\" failures=\"4\"") && xml.contains("missing &lt;&amp;&quot;&gt;.png"), "{xml}");
    assert_eq!((xml.matches("<testcase").count(), xml.matches("<failure").count()), (5, 4));
    assert!(fs::read_to_string(folder.path().join("report.html")).expect("written").contains("before and after"));

    let (status, text, _) = compare(&folder, &["before", "after", "--json"]);
    assert_eq!(status, Some(1));
    let found: Value = serde_json::from_str(&text).expect("JSON");
    let counts = ["same", "changed", "new", "missing"].map(|status| found[status].as_u64().expect("a count"));
    assert_eq!(counts, [1, 2, 1, 1]);
    let changed = &found["images"][1];
    assert_eq!((&changed["name"], &changed["status"]), (&"deep/changed.png".into(), &"changed".into()));
    assert_eq!(changed["comparison"]["differing"], 3);
    let region = serde_json::json!({ "x": 0, "y": 0, "width": 3, "height": 1, "pixels": 3 });
    assert_eq!(changed["comparison"]["regions"], Value::Array(vec![region]));
}

/// One file that cannot be read hides no other result.
#[test]
fn files_that_cannot_be_read_fail_beside_the_others() {
    let folder = folder();
    for (name, spoiled) in [("before/a.png", 0), ("after/a.png", 3), ("before/b.png", 0)] {
        save(&folder, name, (20, 10), spoiled);
    }
    fs::write(folder.path().join("after/b.png"), "no picture").expect("written");
    let outputs = ["--json", "--junit", "results.xml", "--report", "report.html"];
    let (status, text, _) = compare(&folder, &[&["before", "after"], &outputs[..]].concat());
    assert_eq!(status, Some(2));
    let found: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(["changed", "failed", "missing"].map(|status| found[status].as_u64()), [Some(1), Some(1), Some(0)]);
    assert_eq!(found["images"][1]["status"], "failed");
    let xml = fs::read_to_string(folder.path().join("results.xml")).expect("written");
    assert!(xml.contains("tests=\"2\" failures=\"2\"") && xml.contains("after/b.png"), "{xml}");
    let page = fs::read_to_string(folder.path().join("report.html")).expect("written");
    assert!(page.contains("cannot decode") && page.contains("3 of 200 pixels differ"));
}

#[test]
fn pictures_of_unequal_sizes_have_no_numbers_of_agreement() {
    let folder = folder();
    save(&folder, "a.png", (20, 10), 0);
    save(&folder, "b.png", (21, 10), 0);
    let (status, text, _) = compare(&folder, &["a.png", "b.png", "--json"]);
    assert_eq!(status, Some(1));
    let found: Value = serde_json::from_str(&text).expect("JSON");
    let comparison = found["images"][0]["comparison"].as_object().expect("an object");
    assert_eq!(comparison["sizes"], serde_json::json!([[20, 10], [21, 10]]));
    let (_, _, message) = compare(&folder, &["a.png", "b.png", "--diff", "diff.png"]);
    let image = image::open(folder.path().join("diff.png")).expect("a picture").into_rgba8();
    assert_eq!((message, image.dimensions()), (String::new(), (21, 10)));
    assert!(comparison.contains_key("differing") && comparison.contains_key("mean"));
    assert!(comparison.iter().all(|(key, value)| key == "sizes" || value.is_null()), "{text}");
}

/// Saves an animated PNG; a frame has red pixels, and is shown for some hundredths of a second.
fn save_film(folder: &TempDir, name: &str, frames: &[(usize, u16)]) {
    let path = folder.path().join(name);
    fs::create_dir_all(path.parent().expect("a folder")).expect("made");
    let mut encoder = png::Encoder::new(fs::File::create(path).expect("created"), 20, 10);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_animated(u32::try_from(frames.len()).expect("few"), 0).expect("frames");
    let mut writer = encoder.write_header().expect("written");
    for (red, delay) in frames {
        let mut image = RgbaImage::from_pixel(20, 10, GRAY);
        image.pixels_mut().take(*red).for_each(|pixel| *pixel = Rgba([255, 0, 0, 255]));
        writer.set_frame_delay(*delay, 100).expect("animated");
        writer.write_image_data(&image).expect("written");
    }
    writer.finish().expect("written");
}

#[test]
fn films_are_compared_frame_by_frame() {
    let folder = folder();
    save_film(&folder, "a.png", &[(0, 4), (0, 4), (5, 4)]);
    save_film(&folder, "b.png", &[(0, 4), (3, 4), (5, 6), (0, 4)]);
    let outputs = ["--diff", "diff.png", "--report", "report.html", "--junit", "results.xml"];
    let (status, text, _) = compare(&folder, &[&["a.png", "b.png"], &outputs[..]].concat());
    let expected = "b.png: 4 frames instead of 3; 1 of 3 frames differ, the first is frame 1: 3 of 200 pixels differ, \
                    by up to 165, first at 0,0; frame 2 is shown for 60 ms instead of 40\n";
    assert_eq!((status, &*text), (Some(1), expected));
    let image = image::open(folder.path().join("diff.png")).expect("a picture").into_rgb8();
    assert_eq!(image.pixels().filter(|pixel| pixel.0 == [255, 0, 0]).count(), 3);
    let page = fs::read_to_string(folder.path().join("report.html")).expect("written");
    assert!(page.contains("\"frames\":[{\"name\":\"frame 1\",\"summary\":\"3 of 200 pixels differ"), "no frames");
    let (_, text, _) = compare(&folder, &["a.png", "b.png", "--json"]);
    let found: Value = serde_json::from_str(&text).expect("JSON");
    let sequence = serde_json::json!({
        "frames": [3, 4], "differing": 1, "first": 1, "plays": [0, 0],
        "delay": { "frame": 2, "milliseconds": [40.0, 60.0] },
    });
    assert_eq!(found["images"][0]["comparison"]["sequence"], sequence);
    // limits are for each frame
    save_film(&folder, "c.png", &[(0, 4), (3, 4), (9, 4)]);
    assert_eq!(compare(&folder, &["a.png", "c.png", "--pixels", "4"]).0, Some(0));
    assert_eq!(compare(&folder, &["a.png", "c.png", "--pixels", "3"]).0, Some(1));
}

#[test]
fn pointers_of_git_lfs_are_not_corrupt_pictures() {
    let folder = folder();
    save(&folder, "a.png", (20, 10), 0);
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 2\n";
    fs::write(folder.path().join("b.png"), pointer).expect("written");
    let (status, _, message) = compare(&folder, &["a.png", "b.png"]);
    let expected = "b.png: it is a pointer of Git LFS to the picture, which `git lfs pull` fetches";
    assert!(status == Some(2) && message.contains(expected), "{message}");
}

/// Nothing is written where there is no room, and the exit status says so.
#[cfg(target_os = "linux")]
#[test]
fn outputs_that_find_no_room_are_errors() {
    let folder = folder();
    save(&folder, "a.png", (20, 10), 0);
    save(&folder, "b.png", (20, 10), 3);
    for output in ["--report", "--junit", "--diff"] {
        for actual in ["a.png", "b.png"] {
            let (status, _, message) = compare(&folder, &["a.png", actual, output, "/dev/full"]);
            let is_written = output != "--diff" || actual == "b.png";
            assert_eq!(status, Some(if is_written { 2 } else { 0 }), "{output} {actual}: {message}");
            assert!(!is_written || message.contains("cannot write /dev/full: No space left"), "{output}: {message}");
        }
    }
}

/// A disk that fills while a file is written: nothing is left, and the exit status says so.
#[cfg(target_os = "linux")]
#[test]
fn outputs_on_a_disk_that_fills_are_errors() {
    let folder = folder();
    save(&folder, "a.png", (20, 10), 0);
    save(&folder, "b.png", (20, 10), 3);
    fs::create_dir(folder.path().join("small")).expect("a folder");
    // a disk of 16 kB in a namespace of its own; $0 is the program
    let script = "mount -t tmpfs -o size=16k none small || exit 77
        head -c 12000 /dev/zero >small/other
        for output in report junit diff; do \"$0\" compare a.png b.png --$output small/$output.png >/dev/null; echo \"$?\"; ls small; rm -f small/*.png; done";
    let program = env!("CARGO_BIN_EXE_roundel");
    let run = Command::new("unshare").args(["-rm", "sh", "-c", script, program]).current_dir(folder.path()).output();
    let Some(run) = run.ok().filter(|run| run.status.code() == Some(0)) else {
        eprintln!("left out: no namespace can be made here");
        return;
    };
    let (found, message) = (text(&run.stdout), text(&run.stderr));
    // small files find room
    assert_eq!(found, "2\nother\n1\njunit.png\nother\n1\ndiff.png\nother\n", "{message}");
    assert!(message.contains("cannot write small/report.png: No space left"), "{message}");
}

#[test]
fn pictures_differ_by_one_metric() {
    let folder = folder();
    save(&folder, "a.png", (20, 10), 0);
    save(&folder, "b.png", (20, 10), 3);
    assert_eq!(compare(&folder, &["a.png", "b.png", "--oklab", "0.01"]).0, Some(0));
    assert_eq!(compare(&folder, &["a.png", "b.png", "--oklab", "0"]).0, Some(1));
    assert_eq!(compare(&folder, &["a.png", "b.png", "--oklab", "0.1", "--threshold", "0.1"]).0, Some(2));
    assert_eq!(compare(&folder, &["a.png", "b.png", "--oklab", "1.5"]).0, Some(2));
}

#[test]
fn pictures_that_are_compared_are_never_replaced() {
    let folder = folder();
    for name in ["before/a.png", "after/a.png", "mask.png"] {
        save(&folder, name, (20, 10), usize::from(name == "after/a.png"));
    }
    let read = |name: &str| fs::read(folder.path().join(name)).expect("there");
    let names = ["before/a.png", "after/a.png", "mask.png"];
    let pictures = names.map(read);
    for flag in ["--diff", "--report", "--junit"] {
        for output in ["before/a.png", "after/a.png", "./before/../after/a.png", "mask.png"] {
            let (status, _, message) =
                compare(&folder, &["before/a.png", "after/a.png", "--mask-image", "mask.png", flag, output]);
            assert!(status == Some(2) && message.contains("one of the pictures that are compared"), "{message}");
        }
        for output in ["before", "after", "before/a.png"] {
            // a folder of differences may be in one of the folders, a page that would replace a picture may not
            if flag != "--diff" || output != "before/a.png" {
                let (status, _, message) = compare(&folder, &["before", "after", flag, output]);
                assert!(status == Some(2), "{flag} {output}: {message}");
            }
        }
    }
    assert!(pictures == names.map(read));
    let (status, _, message) = compare(&folder, &["before/a.png", "after/a.png", "--diff", "d.jpg"]);
    assert!(status == Some(2) && message.contains("must end in .png"), "{message}");
}

/// The output folder of failed golden tests beside the goldens.
#[test]
fn actual_pictures_of_golden_tests_are_compared_with_their_goldens() {
    let folder = folder();
    let size = (20, 10);
    for name in ["tests/golden/passes.png", "tests/golden/deep/chart.png", "out/deep/chart.diff.png"] {
        save(&folder, name, size, 0);
    }
    save(&folder, "out/deep/chart.actual.png", size, 7);
    save(&folder, "out/new.actual.png", size, 0);
    let (status, text, _) = compare(&folder, &["tests/golden", "out", "--report", "report.html"]);
    assert_eq!(status, Some(1));
    let expected = "deep/chart.png: 7 of 200 pixels differ, by up to 1, first at 0,0\n\
                    new.png: new: there is no expected image\n0 of 2 images agree\n";
    assert_eq!(text, expected);
    assert!(fs::read_to_string(folder.path().join("report.html")).expect("written").contains("deep/chart.png"));
}

#[test]
fn pictures_of_unlike_shapes_have_no_difference_and_a_note() {
    let folder = folder();
    for (name, size) in
        [("before/a.png", (200, 1)), ("after/a.png", (1, 200)), ("before/b.png", (9, 9)), ("after/b.png", (9, 9))]
    {
        save(&folder, name, size, usize::from(name == "after/b.png"));
    }
    let none = "a.png: no difference image is written: no two pictures of a similar shape differ";
    let (status, stdout, stderr) = compare(&folder, &["before/a.png", "after/a.png", "--diff", "d.png"]);
    assert_eq!((status, stderr), (Some(1), format!("note: after/{none}\n")));
    assert!(!stdout.contains("note") && !folder.path().join("d.png").exists(), "{stdout}");
    let (status, _, stderr) = compare(&folder, &["before", "after", "--diff", "d"]);
    assert_eq!((status, stderr), (Some(1), format!("note: {none}\n")));
    assert!(folder.path().join("d/b.png").exists() && !folder.path().join("d/a.png").exists());
    // nothing is missed without the flag
    assert_eq!(compare(&folder, &["before/a.png", "after/a.png"]).2, "");
}
