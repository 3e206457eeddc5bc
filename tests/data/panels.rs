//! Panels of files, frames and sides, and pictures of several files.

use std::path::PathBuf;

use crate::figure_words::ROW;
use crate::files::{Folder, color, overrides};
use roundel::io::{FrameChoice, LoadOption, LoadOptions, load, load_grid, load_several};
use roundel::spheres::{ShadingPreset, StandardView};
use roundel::{Frame, RenderSettings, Renderer, Scene, Srgba8};

/// The panels of files, or the message about what is wrong.
fn drawn(paths: &[PathBuf], options: &LoadOptions) -> Result<Frame, String> {
    let grid = load_grid(paths, &FrameChoice::One, options).map_err(|error| error.to_string())?;
    let mut frame = Frame::new(1, 1, Srgba8::WHITE).expect("small");
    grid.draw(&mut Renderer::new(&RenderSettings::default()).expect("a renderer"), &mut frame).expect("drawn");
    Ok(frame)
}

#[test]
fn panels_share_camera_and_range() {
    let folder = Folder::new();
    let files = [folder.file("a.dump", ROW), folder.file("b.dump", ROW.replace(" 400\n", " 4\n"))];
    let mut given = overrides(|o| (o.width, o.color_by) = (Some(300), Some("q".into())));
    given.view = Some(StandardView::Top);
    given.figure.grid = Some("2x1".parse().expect("a grid"));
    let grid = load_grid(&files, &FrameChoice::One, &given).expect("two panels");
    let mut frame = Frame::new(1, 1, Srgba8::WHITE).expect("small");
    grid.draw(&mut Renderer::new(&RenderSettings::default()).expect("a renderer"), &mut frame).expect("drawn");
    assert_eq!(frame.width(), 300);
    // equal rows look the same in both panels
    let columns = |range: std::ops::Range<u32>| -> Vec<Option<Srgba8>> {
        (30..frame.height()).flat_map(|y| range.clone().map(move |x| (x, y))).map(|(x, y)| frame.pixel(x, y)).collect()
    };
    let (left, right) = (columns(0..80), columns(300 - 146..300 - 146 + 80));
    let same = left.iter().zip(&right).filter(|(a, b)| a == b).count();
    assert!(10 * same > 9 * left.len(), "{same} of {}", left.len());
    assert_eq!(grid.notes, [] as [&str; 0]);
    let mut roomy = given.clone();
    roomy.figure.grid = Some("2x2".parse().expect("a grid"));
    let notes = load_grid(&files, &FrameChoice::One, &roomy).expect("two").notes;
    assert!(matches!(&notes[..], [note] if note.contains("room for 4 panels, of which 2 are drawn")), "{notes:?}");
    let apart = [("near.xyz", 0), ("far.xyz", 90)].map(|(name, x)| folder.file(name, format!("1\n\nC {x} 0 0\n")));
    let of_atoms = LoadOptions { color_by: None, ..given.clone() };
    let notes = load_grid(&apart, &FrameChoice::One, &of_atoms).expect("two panels").notes;
    assert!(
        matches!(&notes[..], [note] if note.contains("the files lie far apart: each panel looks at its own")),
        "{notes:?}"
    );
    let mut drawn = |options: &LoadOptions| {
        let grid = load_grid(&apart, &FrameChoice::One, options).expect("two panels");
        grid.draw(&mut Renderer::new(&RenderSettings::default()).expect("a renderer"), &mut frame).expect("drawn");
        let is_white = |x: u32| (0..frame.height()).all(|y| frame.pixel(x, y) == Some(Srgba8::WHITE));
        (0..frame.width()).filter(|x| !is_white(*x)).count()
    };
    let zoomed = LoadOptions { zoom: Some(1.0), ..of_atoms.clone() };
    let (own, one) = (drawn(&of_atoms), drawn(&zoomed));
    assert!(own > 2 * one, "atoms cover {own} columns, and {one} where all have one camera");
    given.figure.grid = Some("1x1".parse().expect("a grid"));
    let refused = load_grid(&files, &FrameChoice::One, &given).expect_err("no room").to_string();
    assert!(refused.contains("grid must have room for 2 panels, got 1x1"), "{refused}");
    let refused = load(&files[0], &given).expect_err("one file").to_string();
    assert!(refused.contains("grid is for panels: --grid with several files"), "{refused}");
}

#[test]
fn panels_have_titles() {
    let folder = Folder::new();
    let files = [folder.file("a.dump", ROW), folder.file("b.dump", ROW)];
    let draw = |titles: &[&str]| {
        let mut given = overrides(|o| o.width = Some(300));
        (given.figure.grid, given.figure.panel_title) =
            (Some("2x1".parse().expect("a grid")), titles.iter().map(ToString::to_string).collect());
        drawn(&files, &given)
    };
    assert!(draw(&["{name}"]) == draw(&[]));
    assert!(draw(&["frame {frame}"]) == draw(&["frame 0", "frame 0"]));
    assert!(draw(&["one", "two"]) != draw(&["one", "one"]));
    let refused = draw(&["a", "b", "c"]).expect_err("a panel more");
    assert!(refused.contains("panel_title must be given once, or for each of 2 panels, got 3"), "{refused}");
    let refused = draw(&["{time}"]).expect_err("no time");
    assert!(refused.contains("panel_title time is not in"), "{refused}");
    assert!(draw(&["{{name}}", ""]) == draw(&["{{name}}", " "]), "braces are doubled, and a panel needs no title");
    for wrong in ["{tme}", "{name", "{frame:.1}"] {
        let refused = draw(&[wrong]).expect_err(wrong);
        assert!(refused.contains("panel_title must be a text with {name}, {frame}, {time} and {step}"), "{refused}");
    }
}

#[test]
fn panels_show_sides_at_one_scale() {
    let folder = Folder::new();
    // from the right the second atom hides the first
    let pair = folder.file("pair.xyz", "2\n\nC 0 0 0\nC 9 0 0\n");
    let given = |views: &str, titles: &[&str]| {
        let mut options =
            overrides(|o| (o.width, o.look, o.ortho) = (Some(400), Some(ShadingPreset::Flat), Some(true)));
        for (name, value) in [("outline_width", "0"), ("view", views)] {
            LoadOption::named(name).expect("an option").set(&mut options, value).expect(name);
        }
        options.figure.grid = Some("2x1".parse().expect("a grid"));
        options.figure.panel_title = titles.iter().map(ToString::to_string).collect();
        options
    };
    let one = std::slice::from_ref(&pair);
    let frame = drawn(one, &given("front,right", &["", ""])).expect("two panels");
    let colored = |columns: std::ops::Range<u32>| {
        let pixels = columns.flat_map(|x| (0..frame.height()).map(move |y| (x, y)));
        pixels.filter(|(x, y)| frame.pixel(*x, *y) != Some(Srgba8::WHITE)).count()
    };
    let (front, right) = (colored(0..200), colored(200..400));
    assert!(right > 500 && (2 * right).abs_diff(front) < right / 20, "two discs, then one: {front} and {right} pixels");
    assert!(drawn(one, &given("front,right", &[])) == drawn(one, &given("front,right", &["front", "{view}"])));
    assert!(drawn(one, &given("front,right", &["", ""])) != drawn(one, &given("right,front", &["", ""])));
    let mut four = given("front,right", &[]);
    four.figure.grid = Some("2x2".parse().expect("a grid"));
    let files = [pair.clone(), folder.file("other.xyz", "1\n\nO 1 0 0\n")];
    let names = ["pair.xyz, front", "pair.xyz, right", "other.xyz, front", "other.xyz, right"];
    let mut named = four.clone();
    named.figure.panel_title = names.map(str::to_owned).to_vec();
    assert!(drawn(&files, &four) == drawn(&files, &named));
    let refused = drawn(&files, &given("front,right", &[])).expect_err("four panels");
    assert!(refused.contains("grid must have room for 4 panels, got 2x1"), "{refused}");
    let mut alone = given("front,right", &[]);
    alone.figure.grid = None;
    let one_file = load(&pair, &alone).expect_err("no panels").to_string();
    let two_files = load_several(&files, &FrameChoice::One, &alone).expect_err("no panels").to_string();
    for refused in [one_file, two_files] {
        assert!(refused.contains("view of several sides"), "{refused}");
    }
    let wrong = LoadOption::named("view").expect("an option").set(&mut LoadOptions::default(), "front,up");
    assert!(wrong.expect_err("no side").contains("must be one of broadside"));
}

#[test]
fn panels_seen_from_other_sides_have_axes_of_their_own() {
    let folder = Folder::new();
    let pair = folder.file("pair.xyz", "2\n\nC 0 0 0\nC 9 0 0\n");
    let draw = |views: &str| {
        let mut options = overrides(|o| (o.width, o.height) = (Some(600), Some(300)));
        LoadOption::named("view").expect("an option").set(&mut options, views).expect(views);
        (options.figure.grid, options.figure.axes) = (Some("2x1".parse().expect("a grid")), Some(true));
        options.figure.panel_title = vec![String::new()];
        drawn(std::slice::from_ref(&pair), &options).expect("two panels")
    };
    // x, y and z
    let axes = ["#d52b1e", "#1a8f3c", "#1f5fc4"].map(color);
    let shown = |frame: &Frame, columns: std::ops::Range<u32>| {
        let count = |axis: Srgba8| {
            let pixels = columns.clone().flat_map(|x| (0..frame.height()).map(move |y| (x, y)));
            pixels.filter(|(x, y)| frame.pixel(*x, *y) == Some(axis)).count()
        };
        axes.map(|axis| count(axis) > 20)
    };
    let frame = draw("front,right");
    assert_eq!(shown(&frame, 0..300), [true, true, false], "x and y from the front");
    assert_eq!(shown(&frame, 300..600), [false, true, true], "z and y from the right");
    assert_eq!(frame.height(), 300, "they stand in the panels");
}

#[test]
fn long_titles_stay_above_their_panels() {
    let folder = Folder::new();
    let files = [folder.file("a.xyz", "1\n\nC 0 0 0\n"), folder.file("b.xyz", "1\n\nC 0 0 0\n")];
    let draw = |first: &str| {
        let mut options = overrides(|o| o.width = Some(400));
        options.figure.grid = Some("2x1".parse().expect("a grid"));
        options.figure.panel_title = vec![first.to_owned(), "b".to_owned()];
        drawn(&files, &options).expect("two panels")
    };
    let (long, short) = (draw(&"wider than its panel ".repeat(4)), draw("a"));
    let right = |frame: &Frame| {
        let pixels = (202..400).flat_map(|x| (0..frame.height()).map(move |y| (x, y)));
        pixels.map(|(x, y)| frame.pixel(x, y)).collect::<Vec<_>>()
    };
    assert!(long != short && right(&long) == right(&short));
}

#[test]
fn panels_show_a_frame_of_each_file() {
    let folder = Folder::new();
    let run = folder.file("run.xyz", "2\n\nC 0 0 0\nO 9 0 0\n2\n\nC 0 0 0\nO 2 0 0\n");
    let mut options = overrides(|o| (o.width, o.view) = (Some(300), Some(StandardView::Front)));
    options.figure.grid = Some("2x1".parse().expect("a grid"));
    options.figure.panel_title = vec!["{frame}".to_owned()];
    let mut renderer = Renderer::new(&RenderSettings::default()).expect("a renderer");
    let mut drawn = |paths: &[PathBuf], frames: FrameChoice| {
        let mut frame = Frame::new(1, 1, Srgba8::WHITE).expect("small");
        load_grid(paths, &frames, &options).expect("panels").draw(&mut renderer, &mut frame).expect("drawn");
        frame
    };
    let twice = [run.clone(), run.clone()];
    let each = drawn(&twice, FrameChoice::Each(vec![Some(1), None]));
    // a list of frames draws them side by side, too
    assert!(each == drawn(&[run], FrameChoice::List("1,0".parse().expect("frames"))));
    assert!(each != drawn(&twice, FrameChoice::One));
}

#[test]
fn parts_of_a_picture_have_copies() {
    let folder = Folder::new();
    let crystal = "1\nLattice=\"3 0 0 0 3 0 0 0 3\"\nNa 0 0 0\n";
    let files = ["a.xyz", "b.xyz"].map(|name| folder.file(name, crystal));
    let copied = overrides(|o| o.replicate = Some([2, 2, 1]));
    let loaded = load_several(&files, &FrameChoice::One, &copied).expect("two files");
    let Scene::Spheres(scene) = &loaded.scene else { panic!("spheres") };
    assert_eq!(scene.groups.iter().map(|group| group.poses.len()).collect::<Vec<_>>(), [4, 4]);
    let (own, all) = (load(&files[0], &copied).expect("a file"), loaded.figure.cell);
    assert_eq!(all, own.figure.cell, "the box is that around all images");
}

#[test]
fn stereo_pairs_have_parallax() {
    let folder = Folder::new();
    // the red atom is nearer than the white one
    let pair = folder.file("pair.xyz", "2\n\nO 0 0 6\nH 0 0 -6\n");
    let given = |stereo: f32| {
        let mut options = overrides(|o| (o.width, o.height, o.ortho) = (Some(400), Some(220), Some(true)));
        (options.look, options.view) = (Some(ShadingPreset::Flat), Some(StandardView::Front));
        options.figure.stereo = Some(stereo);
        options
    };
    let one = std::slice::from_ref(&pair);
    // the middle of the red atom from the middle of each half
    let red = |stereo| {
        let frame = drawn(one, &given(stereo)).expect("two panels");
        let is_red = |x: &u32| {
            let pixels = (20..frame.height()).filter_map(|y| frame.pixel(*x, y));
            pixels.into_iter().any(|Srgba8 { r, g, b, .. }| r / 2 > g.max(b))
        };
        [0..200, 200..400].map(|half: std::ops::Range<u32>| {
            let found: Vec<u32> = half.clone().filter(is_red).collect();
            (found[0] + found[found.len() - 1]).cast_signed() - (half.start + half.end).cast_signed()
        })
    };
    let [left, right] = red(8.0);
    assert!(left > right + 8, "what is near lies to the right for the left eye: {left} and {right} half pixels");
    let [left, right] = red(-8.0);
    assert!(left + 8 < right, "crossed eyes look at each other's picture: {left} and {right} half pixels");
    for wrong in [0.0, 31.0, f32::NAN] {
        let refused = drawn(one, &given(wrong)).expect_err("no angle");
        assert!(refused.contains("stereo must be degrees up to 30"), "{refused}");
    }
    let mut named = given(8.0);
    named.figure.panel_title = vec!["left eye".to_owned(), "right eye".to_owned()];
    assert!(drawn(one, &named) == drawn(one, &given(8.0)));
    named.figure.grid = Some("1x1".parse().expect("a grid"));
    let refused = drawn(one, &named).expect_err("no room");
    assert!(refused.contains("grid must have room for 2 panels, got 1x1"), "{refused}");
}

/// Rows of two kinds in the plane, each in its own half.
const KINDS: &str = "x,y,kind,v\n0,0,a,1\n4,0,b,9\n0,3,a,2\n4,3,b,9\n1,1,a,1\n";

#[test]
fn categories_of_a_column_are_panels_with_the_axes_of_all() {
    let folder = Folder::new();
    let table = [folder.file("t.csv", KINDS)];
    let base = |o: &mut LoadOptions| {
        (o.width, o.color_by, o.radius) = (Some(400), Some("v".into()), Some("6".into()));
        o.figure.panel_by = Some("kind".into());
    };
    let options = overrides(base);
    let grid = load_grid(&table, &FrameChoice::One, &options).expect("two panels");
    assert_eq!(grid.notes, [] as [&str; 0]);
    let frame = drawn(&table, &options).expect("two panels");
    assert_eq!(frame.width(), 400);
    // circles keep their places: those of b are as far to the right in the second panel as in a picture of all
    let is_colored = |x: u32| (30..frame.height()).any(|y| frame.pixel(x, y) != Some(Srgba8::WHITE));
    let colored: Vec<u32> = (0..400).filter(|x| is_colored(*x)).collect();
    let half = |x: &&u32| **x < 200;
    let (first, second) = (colored.iter().filter(half).max(), colored.iter().filter(|x| **x >= 200).min());
    assert!(first.is_some_and(|x| *x < 110) && second.is_some_and(|x| *x > 300), "{first:?} {second:?}");
    let roomy = overrides(|o| {
        base(o);
        o.figure.axes = Some(true);
        o.figure.grid = Some("1x2".parse().expect("a grid"));
        o.figure.legend = "on".parse().ok();
    });
    let with_axes = drawn(&table, &roomy).expect("two panels, one above the other");
    assert!(with_axes.width() > 400 && with_axes.height() > 2 * with_axes.width() / 3, "a legend beside two panels");
    let refused = |change: &dyn Fn(&mut LoadOptions)| {
        let options = overrides(|o| {
            base(o);
            change(o);
        });
        drawn(&table, &options).expect_err("refused")
    };
    assert_eq!(
        refused(&|o| o.figure.grid = Some("1x1".parse().expect("a grid"))),
        "grid must have room for the 2 categories of kind, got 1x1, which has 1"
    );
    let unknown = refused(&|o| o.figure.panel_by = Some("sort".into()));
    assert!(
        unknown.starts_with("panel_by must be a column of ") && unknown.contains("t.csv, got \"sort\""),
        "{unknown}"
    );
    let rule = "is for one picture; panels by a column take width and height, which are those of all panels";
    assert_eq!(refused(&|o| o.figure.figure_width = "80mm".parse().ok()), format!("figure_width {rule}"));
    assert_eq!(refused(&|o| o.figure.stereo = Some(6.0)), format!("stereo {rule}"));
    let two = refused(&|o| o.figure.panel_title = vec!["a".into(), "b".into(), "c".into()]);
    assert_eq!(two, "panel_title must be given once, or for each of 2 panels, got 3");
    let spheres = folder.file("s.csv", "x,y,z,kind,v\n0,0,0,a,1\n1,1,1,b,2\n");
    let solid = drawn(&[spheres], &options).expect_err("spheres");
    assert!(solid.contains("is drawn as spheres"), "{solid}");
    let alone = load(&table[0], &options).expect_err("one picture").to_string();
    assert!(alone.starts_with("panel_by is for panels"), "{alone}");
}

#[test]
fn panels_show_rows_far_from_all_others() {
    let folder = Folder::new();
    let near: String = (0..300).map(|row| format!("{},{},near\n", row % 20, row / 20)).collect();
    let table = folder.file("t.csv", "x,y,where\n".to_owned() + &near + "4000,4000,far\n");
    let options = overrides(|o| {
        (o.width, o.height, o.color) = (Some(400), Some(200), Some("#ff0000".into()));
        (o.figure.axes, o.figure.grid, o.figure.panel_by) = (Some(false), "2x1".parse().ok(), Some("where".into()));
    });
    let is_red = |frame: &Frame, columns: std::ops::Range<u32>| {
        let pixels = columns.flat_map(|x| (0..frame.height()).map(move |y| (x, y)));
        pixels.filter_map(|(x, y)| frame.pixel(x, y)).any(|pixel| pixel.r == 255 && pixel.g < 250)
    };
    let both = drawn(std::slice::from_ref(&table), &options).expect("two panels");
    let middle = both.width() / 2;
    assert!(is_red(&both, 0..middle) && is_red(&both, middle..both.width()));
    let refused = overrides(|o| {
        (o.width, o.height) = (Some(30), Some(30));
        (o.figure.grid, o.figure.panel_by) = ("2x1".parse().ok(), Some("where".into()));
    });
    let refused = drawn(&[table], &refused).expect_err("no room");
    assert!(refused.contains("panel_by where has 2 categories, whose panels have no room on "), "{refused}");
}

#[test]
fn densities_of_panels_have_one_scale() {
    let folder = Folder::new();
    let table = [folder.file("t.csv", KINDS)];
    let options = overrides(|o| {
        (o.width, o.density) = (Some(200), "sum v".parse().ok());
        (o.density_bin, o.colormap) = (Some(1), Some("greys_r".into()));
        o.figure.panel_by = Some("kind".into());
        o.figure.legend = "off".parse().ok();
    });
    let frame = drawn(&table, &options).expect("two panels");
    let darkest = |range: std::ops::Range<u32>| {
        let pixels = range.flat_map(|x| (30..frame.height()).map(move |y| (x, y)));
        pixels.filter_map(|(x, y)| frame.pixel(x, y)).filter(|pixel| *pixel != Srgba8::WHITE).map(|pixel| pixel.r).max()
    };
    // 1 and 2 in the first, 9 in the second: black to nearly black, and white, which the background is, too
    assert!(darkest(0..100).is_some_and(|shade| shade < 80), "{:?}", darkest(0..100));
    assert_eq!(darkest(104..200), None);
}
