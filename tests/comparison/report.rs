//! The report in a browser: it loads without messages on the console, and its controls work.
//!
//! Needs `chromium` on the path. Without it the tests print a note and pass, unless `ROUNDEL_REQUIRE_CHROMIUM` is set,
//! as in the project's own checks.

use std::env;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::crate_under_test::{Crate, finish};
use image::{Rgba, RgbaImage};
use serde_json::Value;
use tempfile::TempDir;

#[cfg(feature = "image-formats")]
const RED: Rgba<u8> = Rgba([255, 0, 0, 255]);
#[cfg(feature = "image-formats")]
const BLUE: Rgba<u8> = Rgba([0, 0, 255, 255]);

const VISITOR: &str = include_str!("page/visitor.js");

fn chromium() -> Option<Command> {
    let found = ["chromium", "chromium-browser", "google-chrome"].into_iter().find(|name| {
        let version = Command::new(name).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        version.is_ok_and(|status| status.success())
    });
    let Some(name) = found else {
        assert!(env::var_os("ROUNDEL_REQUIRE_CHROMIUM").is_none(), "chromium is not on the path");
        eprintln!("not tested: chromium is not on the path");
        return None;
    };
    let mut command = Command::new(name);
    command.args(["--headless", "--no-sandbox", "--disable-gpu", "--window-size=1200,800", "--enable-logging=stderr"]);
    Some(command)
}

/// Opens a page with a visitor script; returns its findings and the console's lines.
fn visit(mut chromium: Command, page: &Path, script: &str) -> (Value, Vec<String>) {
    let text = fs::read_to_string(page).expect("the page is there");
    let visited = page.with_extension("visited.html");
    let script = format!("<script>\n{VISITOR}\nasync function visit() {{\n{script}\n}}\n</script>\n</html>");
    fs::write(&visited, text.replace("</html>", &script)).expect("written");
    let profile = tempfile::tempdir().expect("a temporary folder");
    let output = chromium
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .args(["--virtual-time-budget=3600000", "--dump-dom"])
        .arg(format!("file://{}", visited.display()))
        .stdin(Stdio::null())
        .output()
        .expect("chromium runs");
    let (dom, log) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let found = dom.split("<pre id=\"results\" hidden=\"\">").nth(1).and_then(|rest| rest.split("</pre>").next());
    let found = found.unwrap_or_else(|| panic!("the visitor did not finish: {log}"));
    let found = found.replace("&gt;", ">").replace("&lt;", "<").replace("&amp;", "&");
    let console = log.lines().filter(|line| line.contains("CONSOLE")).map(str::to_owned).collect();
    (serde_json::from_str(&found).expect("JSON"), console)
}

fn compare(folder: &TempDir, report: &str) {
    let status = Command::new(env!("CARGO_BIN_EXE_roundel"))
        .current_dir(folder)
        .args(["compare", "before", "after", "--report", report])
        .stdout(Stdio::null())
        .status()
        .expect("roundel starts");
    assert_eq!(status.code(), Some(1));
}

/// Two folders: one picture changed from red to blue, one in a corner, one of another size, one new, one missing, two
/// the same.
#[cfg(feature = "image-formats")]
fn folders() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let save = |name: &str, image: &RgbaImage| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        image.save(path).expect("saved");
    };
    let red = RgbaImage::from_pixel(60, 60, RED);
    let mut corner = red.clone();
    corner.put_pixel(57, 2, BLUE);
    corner.put_pixel(3, 50, BLUE);
    for (name, before, after) in [
        ("all.png", Some(&red), Some(&RgbaImage::from_pixel(60, 60, BLUE))),
        ("corner.png", Some(&red), Some(&corner)),
        ("deep/same <i>.png", Some(&red), Some(&red)),
        ("missing.png", Some(&red), None),
        ("new.qoi", None, Some(&red)),
        ("same.bmp", Some(&red), Some(&red)),
        ("size.png", Some(&red), Some(&RgbaImage::from_pixel(40, 80, BLUE))),
    ] {
        for (side, image) in [("before", before), ("after", after)] {
            if let Some(image) = image {
                save(&format!("{side}/{name}"), image);
            }
        }
    }
    folder
}

#[cfg(feature = "image-formats")]
#[test]
fn report_shows_lists_slides_and_takes_keys() {
    let Some(chromium) = chromium() else { return };
    let folder = folders();
    compare(&folder, "report.html");
    let script = include_str!("page/controls.js");
    let (found, console) = visit(chromium, &folder.path().join("report.html"), script);
    assert_eq!(console, Vec::<String>::new(), "{found:#}");
    let expect = |key: &str, value: Value| assert_eq!(found[key], value, "{key} of {found:#}");
    let (red, blue) = ("255,0,0", "0,0,255");
    expect("error", Value::Null);
    let (changed, same) = (["all.png", "corner.png", "size.png"], ["deep/same <i>.png", "same.bmp"]);
    let rows = [&changed[..], &["missing.png", "new.qoi"], &same].concat();
    expect("rows", rows.clone().into());
    expect("filters", ["all 7", "changed 3", "new 1", "missing 1", "same 2"].as_slice().into());
    expect("thumbnails", 7.into());
    expect("first", "all.png".into());
    expect("grid", serde_json::json!([true, 2, 1]));
    expect("side", [red, blue, red].as_slice().into());
    expect("slider", [blue, red].as_slice().into());
    expect("keyed", ["90", blue, blue].as_slice().into());
    expect("input", [red, red].as_slice().into());
    assert!(found["dragged"][0].as_u64().is_some_and(|percent| (50..100).contains(&percent)), "{found:#}");
    assert_eq!((&found["dragged"][1], &found["dragged"][2]), (&blue.into(), &blue.into()), "{found:#}");
    let onion = found["onion"].as_str().expect("a colour");
    assert!(onion != red && onion != blue, "{onion}");
    expect("blink", [blue, red].as_slice().into());
    expect("blinks", true.into());
    expect("marks", red.into());
    expect("gap", "255,0,255".into());
    expect("second", "corner.png".into());
    expect("region", ["1 of 2: 1 px at 57,2", "44"].as_slice().into());
    expect("next_region", "2 of 2: 1 px at 3,50".into());
    expect("nearer", true.into());
    let values = found["values"].as_str().expect("a line");
    assert!(
        values.contains("expected 255   0   0 255") && values.contains("difference    0    0    0    0"),
        "{values}"
    );
    expect("shown_c", changed.as_slice().into());
    expect("shown_w", ["new.qoi"].as_slice().into());
    expect("shown_m", ["missing.png"].as_slice().into());
    expect("shown_s", same.as_slice().into());
    expect("shown_a", rows.into());
    expect("fresh", ["new.qoi", red].as_slice().into());
    assert_eq!(found["searched"][0], "size.png");
    assert_eq!(found["searched"][1], "40x80 pixels instead of 60x60");
    assert_eq!(found["searched"][2], 1);
    expect("themes", [true, true].as_slice().into());
    expect("help", true.into());
}

/// Five hundred pictures: only the thumbnails in view are decoded, and the last is a key away.
#[test]
fn report_of_five_hundred_pictures_is_lazy() {
    let Some(chromium) = chromium() else { return };
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (side, blue) in [("before", 0), ("after", 9)] {
        fs::create_dir(folder.path().join(side)).expect("made");
        for i in 0..500_u16 {
            let [high, low] = i.to_be_bytes();
            let image = RgbaImage::from_pixel(64, 48, Rgba([100 + high, low, blue, 255]));
            image.save(folder.path().join(format!("{side}/{i:03}.png"))).expect("saved");
        }
    }
    compare(&folder, "report.html");
    let script = include_str!("page/many.js");
    let (found, console) = visit(chromium, &folder.path().join("report.html"), script);
    assert_eq!(console, Vec::<String>::new(), "{found:#}");
    assert_eq!(found["error"], Value::Null, "{found:#}");
    assert_eq!(found["rows"], 500);
    let count = |key: &str| found[key].as_u64().expect("a count");
    assert!((8..60).contains(&count("thumbnails")) && count("later") < 120, "{found:#}");
    assert_eq!(found["last"], serde_json::json!(["499.png", "101,243,0", "101,243,9"]));
}

/// Frames of a film that differ are shown one by one.
#[test]
fn report_steps_through_frames_that_differ() {
    let Some(chromium) = chromium() else { return };
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (side, greens) in [("before", [0, 0, 0]), ("after", [0, 90, 180])] {
        fs::create_dir(folder.path().join(side)).expect("made");
        let file = fs::File::create(folder.path().join(side).join("film.png")).expect("created");
        let mut encoder = png::Encoder::new(file, 60, 60);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_animated(3, 0).expect("frames");
        let mut writer = encoder.write_header().expect("written");
        for green in greens {
            writer.write_image_data(&[0, green, 0].repeat(3600)).expect("written");
        }
        writer.finish().expect("written");
    }
    compare(&folder, "report.html");
    let script = "results.seen = [];
        const see = () => results.seen.push([document.getElementById('frame-name').textContent, at(1 / 6, 0.5), at(0.5, 0.5)]);
        await settled(); see();
        await press('.'); see();
        await press('.'); see();
        document.getElementById('frame-back').click(); await settled(); await rest(50); see();";
    let (found, console) = visit(chromium, &folder.path().join("report.html"), script);
    assert_eq!(console, Vec::<String>::new(), "{found:#}");
    let frame = |number: u32, green: u32| {
        let text = format!("frame {number}, {number} of 2: 3600 of 3600 pixels differ, by up to {green}, first at 0,0");
        serde_json::json!([text, "0,0,0", format!("0,{green},0")])
    };
    let (first, second) = (frame(1, 90), frame(2, 180));
    assert_eq!(found["seen"], serde_json::json!([first, second, first, second]), "{found:#}");
}

/// Messages on the console fail the test.
#[cfg(feature = "image-formats")]
#[test]
fn console_errors_are_heard() {
    let Some(chromium) = chromium() else { return };
    let folder = folders();
    compare(&folder, "report.html");
    let (found, console) =
        visit(chromium, &folder.path().join("report.html"), "setTimeout(() => nothing.there); await rest(50);");
    assert_eq!(found["error"], Value::Null);
    assert!(console.iter().any(|line| line.contains("nothing is not defined")), "{console:?}");
}

/// The report of a test run has its pictures in scripts beside it.
#[test]
fn report_of_a_test_run_shows_pictures_from_its_scripts() {
    let Some(chromium) = chromium() else { return };
    let crate_ = Crate::new();
    for name in ["chart #1 <b>", "old"] {
        assert!(finish(crate_.test("1", name, 0).env("ROUNDEL_BLESS", "all")).0);
        assert!(!crate_.run("2", name, 200).0);
    }
    assert!(!crate_.run("3", "chart #1 <b>", 200).0);
    assert!(!crate_.run("3", "deep/fresh", 0).0);
    let script = include_str!("page/run.js");
    let (found, console) = visit(chromium, &crate_.path("output/report.html"), script);
    assert_eq!(console, Vec::<String>::new(), "{found:#}");
    let moved = crate_.path("charts/tests/golden/chart #1 <b>.png");
    let expected = serde_json::json!({
        "rows": ["charts/chart #1 <b>", "charts/old", "charts/deep/fresh"],
        "summaries": [
            "200 of 200 pixels differ, by up to 1, first at 0,0",
            "200 of 200 pixels differ, by up to 1, first at 0,0 (in an earlier run)",
            format!("there is none yet, and {} has the same pixels: perhaps it has moved", moved.display()),
        ],
        "thumbnails": 3,
        "side": ["90,90,90", "90,91,90", "255,0,0"],
        "approve": "ROUNDEL_BLESS='chart #1 <b>' cargo test -p charts",
        "fresh": "90,90,90",
    });
    assert_eq!(found, expected, "{found:#}");
}
