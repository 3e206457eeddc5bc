//! What the colours of numbers mean: logarithms, both signs, numbers beyond the range.

use std::collections::BTreeSet;

use crate::files::{Folder, color, drawn, only_circles, overrides};
use roundel::Scene;
use roundel::color::{ColorKey, Scale};
use roundel::io::{FrameChoice, LegendChoice, LoadOptions, describe, load, load_grid, load_several};

fn table(values: &[&str]) -> String {
    let rows = values.iter().enumerate().map(|(row, value)| format!("{row},0,{value}\n"));
    "x,y,v\n".to_owned() + &rows.collect::<String>()
}

fn by_v(change: impl FnOnce(&mut LoadOptions)) -> LoadOptions {
    let mut options = overrides(|o| o.color_by = Some("v".into()));
    change(&mut options);
    options
}

/// The map and the ends of the colours of a table.
fn ramp(text: &str, options: &LoadOptions) -> (&'static str, [f64; 2], [bool; 2]) {
    let found = describe(Folder::new().file("t.csv", text), options).expect("a table");
    match found.sources[0].colors {
        Some(ColorKey::Numbers { map, least, most, beyond, .. }) => (map, [least, most], beyond),
        ref other => panic!("{other:?}"),
    }
}

fn notes(text: &str, options: &LoadOptions) -> String {
    load(Folder::new().file("t.csv", text), options).expect("a table").notes.join("\n")
}

#[test]
fn what_has_no_logarithm_is_missing() {
    let text = table(&["0", "1", "10", "100", "1000", "-5", "nan"]);
    let log = by_v(|o| o.color_scale = Some(Scale::Log.into()));
    let circles = only_circles(&Folder::new().circles("t.csv", &text, &log));
    let is_grey: Vec<bool> = circles.iter().map(|circle| circle.color.with_alpha(255) == color("#808080")).collect();
    assert_eq!(is_grey, [true, false, false, false, false, true, true]);
    let (_, [least, most], beyond) = ramp(&text, &log);
    assert!((least - 1.0).abs() < 1e-9 && (most - 1000.0).abs() < 1e-6 && beyond == [false; 2]);
    assert!(notes(&text, &log).contains("3 of 7 rows have no number above 0 in v and are grey"));
    // rows that are not drawn are not asked
    let drawn = by_v(|o| (o.color_scale, o.only) = (Some(Scale::Log.into()), Some("v > 0".into())));
    assert_eq!(notes(&text, &drawn), "");
    let computed = overrides(|o| {
        o.compute = vec!["w = 0 - 1/v".to_owned()];
        (o.color_by, o.color_scale) = (Some("w".into()), Some(Scale::Log.into()));
    });
    let computed = notes(&table(&["0", "-1", "-1000", "1"]), &computed);
    assert!(computed.contains("2 of 4 rows have no number above 0 in w and are grey"), "{computed}");
}

#[test]
fn radii_of_what_has_no_logarithm_are_nothing() {
    let folder = Folder::new();
    folder.file("t.csv", table(&["0", "1", "10", "-3"]));
    let scene = "[canvas]\nwidth = 9\nheight = 9\n[[points]]\nfile = \"t.csv\"\nx = \"x\"\ny = \"y\"\n\
        radius = { column = \"v\", range = [1, 2], scale = \"log\" }\n";
    let circles = only_circles(&folder.circles("s.toml", scene, &LoadOptions::default()));
    assert_eq!(circles.iter().map(|circle| circle.radius).collect::<Vec<_>>(), [0.0, 1.0, 2.0, 0.0]);
}

#[test]
fn numbers_of_both_signs_have_zero_in_the_middle() {
    let charges: Vec<&str> = [("-0.5", 3), ("-0.165", 47), ("-0.12", 43), ("0.06", 201), ("0.5", 2), ("1.0", 2)]
        .iter()
        .flat_map(|(value, count)| std::iter::repeat_n(*value, *count))
        .collect();
    let text = table(&charges);
    assert_eq!(ramp(&text, &by_v(|_| ())), ("coolwarm", [-0.165, 0.165], [true, true]));
    let circles = only_circles(&Folder::new().circles("t.csv", &text, &by_v(|_| ())));
    let [negative, positive] = [50, 200].map(|row: usize| circles[row].color);
    assert!(negative.b > negative.r && positive.r > positive.b, "{negative:?} {positive:?}");
    assert_eq!(ramp(&table(&["-1", "4"]), &by_v(|_| ())).1, [-4.0, 4.0]);
    assert_eq!(ramp(&table(&["0", "4"]), &by_v(|_| ())).0, "viridis", "one sign");
    assert_eq!(ramp(&table(&["-1e-9", "4"]), &by_v(|_| ())).0, "viridis", "noise around zero");
    assert_eq!(ramp(&table(&["-1", "4"]), &by_v(|o| o.colormap = Some("magma".into()))).0, "magma");
    assert_eq!(ramp(&table(&["-1", "4"]), &overrides(|o| o.color_by = Some("x".into()))).0, "viridis", "a coordinate");
}

#[test]
fn files_of_one_picture_share_the_middle() {
    let folder = Folder::new();
    let atoms = |charge: &str| format!("1\nProperties=species:S:1:pos:R:3:q:R:1\nC 0 0 0 {charge}\n");
    let paths = [folder.file("a.xyz", atoms("-1")), folder.file("b.xyz", atoms("3"))];
    let options = overrides(|o| o.color_by = Some("q".into()));
    let found = load_several(&paths, &FrameChoice::One, &options).expect("two files");
    let Scene::Spheres(scene) = &found.scene else { panic!("spheres") };
    let [low, high] = [0, 1].map(|file| scene.groups[file].spheres.to_vec()[0].color);
    assert_eq!(high, color("#b40426"), "the last colour of coolwarm");
    assert!(low.b > low.r && low != color("#3b4cc0"), "-1 is a third of the way to -3: {low:?}");
}

#[test]
fn numbers_that_the_range_leaves_out_are_counted() {
    let grown = |value: &mut f64, _| {
        *value *= 1.06;
        Some(value.to_string())
    };
    let skewed: Vec<String> = (0..200).scan(0.003, grown).collect();
    let skewed = table(&skewed.iter().map(String::as_str).collect::<Vec<_>>());
    let found = notes(&skewed, &by_v(|_| ()));
    assert!(found.contains(" of 200 numbers of v are outside of the range "), "{found}");
    assert!(found.contains("which leaves out outliers") && found.contains("--color-scale log"), "{found}");
    // several files have the range in common
    let folder = Folder::new();
    let space = skewed.replace("x,y,v", "x,y,z,v").replace(",0,", ",0,0,");
    let files = ["a.csv", "b.csv"].map(|name| folder.file(name, &space));
    let together = load_several(&files, &FrameChoice::One, &by_v(|_| ())).expect("two files").notes;
    let side_by_side = by_v(|o| o.figure.grid = Some("2x1".parse().expect("a grid")));
    let panels = load_grid(&files, &FrameChoice::One, &side_by_side).expect("two panels").notes;
    for notes in [together, panels] {
        let is_counted =
            |name| notes.iter().any(|note| note.contains(name) && note.contains(" of 200 numbers of v are"));
        assert!(is_counted("a.csv: ") && is_counted("b.csv: "), "{notes:?}");
    }
    let mut even: Vec<String> = (0..40).map(|row| row.to_string()).collect();
    even.push("1000000".to_owned());
    let found = notes(&table(&even.iter().map(String::as_str).collect::<Vec<_>>()), &by_v(|_| ()));
    assert!(found.contains("1 of 41 numbers of v are outside of the range 0 to 39"), "{found}");
    assert!(found.contains("--color-range p0,p100") && !found.contains("--color-scale"), "{found}");
}

#[test]
fn molecules_look_the_same_whatever_colors_them() {
    let atoms = "ATOM      1 N    MET A    1     -68.369  -25.337   40.428 -0.1200 1.5500\n\
                 ATOM      2 CA   MET A    1     -67.927  -23.984   39.965  0.0600 1.7000\n";
    let view = |color_by: Option<&str>| {
        let scene = Folder::new().spheres("m.pqr", atoms, &overrides(|o| o.color_by = color_by.map(str::to_owned)));
        (scene.shading, scene.view.camera)
    };
    assert_eq!(view(None), view(Some("charge")));
}

#[test]
fn few_whole_numbers_are_listed_with_their_counts() {
    let counts =
        |values: &[&str], options: &LoadOptions| match describe(Folder::new().file("t.csv", table(values)), options)
            .expect("a table")
            .sources[0]
            .colors
        {
            Some(ColorKey::Numbers { ref counts, .. }) => counts.clone(),
            ref other => panic!("{other:?}"),
        };
    let whole = ["5", "7", "7", "nan", "8", "5", "6", "8"];
    assert_eq!(counts(&whole, &by_v(|_| ())), [2, 1, 2, 2]);
    assert_eq!(counts(&whole, &by_v(|o| o.color_range = Some("4,9".parse().expect("a range")))), [0, 2, 1, 2, 2, 0]);
    let is_ramp = |values: &[&str], options: LoadOptions| counts(values, &options).is_empty();
    assert!(is_ramp(&["5", "6.5", "8"], by_v(|_| ())), "a fraction");
    assert!(is_ramp(&["0", "12"], by_v(|_| ())), "thirteen numbers");
    assert!(is_ramp(&whole, by_v(|o| o.color_range = Some("6,8".parse().expect("a range")))), "numbers beyond");
    assert!(is_ramp(&whole, by_v(|o| o.color_scale = Some(Scale::Log.into()))));
    // the legend shows one colour for each number, and a ramp for all others
    let legend_colors = |values: &[&str]| {
        let options = by_v(|o| (o.width, o.height, o.figure.legend) = (Some(64), Some(240), Some(LegendChoice::ON)));
        let frame = drawn(&load(Folder::new().file("t.csv", table(values)), &options).expect("a table"));
        let legend = (0..frame.height()).flat_map(|y| (80..frame.width()).map(move |x| (x, y)));
        let colors = legend.filter_map(|(x, y)| frame.pixel(x, y));
        let is_colorful =
            |pixel: &roundel::Srgba8| pixel.r.max(pixel.g).max(pixel.b) - pixel.r.min(pixel.g).min(pixel.b) > 40;
        colors.filter(is_colorful).map(|pixel| [pixel.r, pixel.g, pixel.b]).collect::<BTreeSet<_>>().len()
    };
    let [listed, ramp] = [["5", "6", "7", "8"], ["5", "6", "7", "8.5"]].map(|values| legend_colors(&values));
    assert!(ramp > 80 && listed < ramp / 2, "{listed} colours for four numbers, {ramp} for a ramp");
}

#[test]
fn listed_numbers_have_the_opacity_of_most_of_their_shapes() {
    let faint = by_v(|o| {
        o.opacity = vec![(None, 0.4), (Some("v 3".into()), 1.0)];
        o.figure.legend = Some(LegendChoice::ON);
    });
    let loaded = load(Folder::new().file("t.csv", table(&["1", "1", "3", "3"])), &faint).expect("a table");
    let legend = format!("{:?}", loaded.figure.legend);
    assert!(legend.contains("alphas: [102, 102, 255]"), "{legend}");
}
