//! Missing categories and numbers, and legends that show what is drawn.

use crate::files::{Folder, color, drawn, only_circles, overrides};
use roundel::Srgba8;
use roundel::color::ColorKey;
use roundel::io::{FrameChoice, LegendChoice, LoadOptions, describe, load, load_several};

const MISSING: &str = "x,y,cat,num\n0,0,alpha,1\n1,0,beta,2\n2,0,,3\n3,0,NA,\n4,0,nan,nan\n5,0,None,NaN\n6,0,gamma,7\n\
                       7,0,alpha,inf\n8,0,\"beta \",5\n9,0,null,4\n";

fn by(column: &str) -> LoadOptions {
    overrides(|o| o.color_by = Some(column.into()))
}

/// The entries of the legend of categories: name, colour, count.
fn categories(text: &str, column: &str) -> Vec<(String, Srgba8, u64)> {
    let found = describe(Folder::new().file("t.csv", text), &by(column)).expect("a table");
    match &found.sources[0].colors {
        Some(ColorKey::Categories { items, .. }) => {
            items.iter().map(|item| (item.name.clone(), item.color, item.count)).collect()
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn missing_categories_are_one_gray_entry() {
    let entries = categories(MISSING, "cat");
    let names: Vec<(&str, u64)> = entries.iter().map(|(name, _, count)| (name.as_str(), *count)).collect();
    assert_eq!(names, [("alpha", 2), ("beta", 2), ("gamma", 1), ("missing", 5)]);
    assert_eq!(entries[3].1, color("#808080"));
    let plain = categories("x,y,cat\n0,0,alpha\n1,0,beta\n2,0,gamma\n", "cat");
    let colors = |entries: &[(String, Srgba8, u64)]| entries.iter().map(|(_, color, _)| *color).collect::<Vec<_>>();
    assert_eq!(colors(&entries)[..3], colors(&plain), "they take no colour from the palette");
    let folder = Folder::new();
    let circles = only_circles(&folder.circles("t.csv", MISSING, &by("cat")));
    assert!([2, 3, 4, 5, 9].iter().all(|row: &usize| circles[*row].color == color("#808080")));
    let notes = load(folder.file("t.csv", MISSING), &by("cat")).expect("a table").notes.join("\n");
    assert!(notes.contains("5 of 10 rows have no category in cat and are grey"), "{notes}");
}

#[test]
fn a_column_of_categories_may_begin_with_missing_ones() {
    let entries = categories("x,y,cat\n0,0,nan\n1,0,NA\n2,0,b\n3,0,a\n", "cat");
    assert_eq!(entries.iter().map(|(name, ..)| name.as_str()).collect::<Vec<_>>(), ["b", "a", "missing"]);
}

#[test]
fn columns_that_begin_with_a_long_gap_have_the_type_of_their_first_value() {
    let gap: String = (0..5000).map(|row| format!("{row},0,,,\n")).collect();
    let text = format!("x,y,v,color,cat\n{gap}1,1,2.5,red,1\n2,1,-7,#00ff00,a\n");
    let folder = Folder::new();
    let found = describe(folder.file("t.csv", &text), &by("v")).expect("a table");
    let colors = found.sources[0].colors.clone();
    assert!(matches!(colors, Some(ColorKey::Numbers { extremes: [-7.0, 2.5], missing: 5000, .. })), "{colors:?}");
    let literal = only_circles(&folder.circles("t.csv", &text, &LoadOptions::default()));
    assert_eq!([5000, 5001].map(|row: usize| literal[row].color), ["#ff0000", "#00ff00"].map(color));
    assert_eq!(literal[0].color, color("#808080"));
    let message = folder.refusal_with("t.csv", &text, &by("cat"));
    assert!(message.contains("cat must be a finite number"), "{message}");
}

#[test]
fn missing_numbers_stand_in_the_legend() {
    let folder = Folder::new();
    let table = folder.file("t.csv", MISSING);
    let found = describe(&table, &by("num")).expect("a table");
    let Some(ColorKey::Numbers { missing, .. }) = found.sources[0].colors else { panic!("{found:?}") };
    assert_eq!(missing, 4);
    let notes = load(&table, &by("num")).expect("a table").notes.join("\n");
    assert!(notes.contains("4 of 10 rows have no number in num and are grey"), "{notes}");
    let gray = |only: Option<&str>| {
        let mut options = overrides(|o| (o.color_by, o.only) = (Some("num".into()), only.map(str::to_owned)));
        options.figure.legend = Some(LegendChoice::ON);
        options.width = Some(100);
        let frame = drawn(&load(&table, &options).expect("a table"));
        // beside the picture, which is 100 pixels wide
        let right = (100..frame.width()).flat_map(|x| (0..frame.height()).map(move |y| (x, y)));
        right.filter(|(x, y)| frame.pixel(*x, *y) == Some(color("#808080"))).count()
    };
    assert!(gray(None) > 4, "a swatch");
    assert!(gray(Some("num < 9")) < gray(None));
}

#[test]
fn atoms_and_residues_named_na_are_present() {
    let text = "2\nProperties=species:S:1:pos:R:3:site:S:1\nNa 0 0 0 NA\nCl 0 0 3 A\n";
    let found = describe(Folder::new().file("m.xyz", text), &by("site")).expect("atoms");
    let Some(ColorKey::Categories { items, .. }) = &found.sources[0].colors else { panic!("{found:?}") };
    assert_eq!(items.iter().map(|item| item.name.as_str()).collect::<Vec<_>>(), ["NA", "A"]);
}

#[test]
fn numbers_as_categories_stand_in_their_order() {
    let text = "x,y,z,kind\n0,0,0,10\n1,0,0,9\n2,0,0,NA\n3,0,0,-1\n4,0,0,100\n";
    let mut options = by("kind");
    options.palette = Some("tab10".into());
    let folder = Folder::new();
    let names = |found: &[ColorKey]| match found {
        [ColorKey::Categories { items, .. }] => items.iter().map(|item| item.name.clone()).collect::<Vec<_>>(),
        other => panic!("{other:?}"),
    };
    let key = describe(folder.file("t.csv", text), &options).expect("a table").sources[0].colors.clone();
    assert_eq!(names(&key.into_iter().collect::<Vec<_>>()), ["-1", "9", "10", "100", "missing"]);
    let other = folder.file("u.csv", text.replace("100", "50").replace("-1", "7"));
    load_several(&[folder.file("t.csv", text), other], &FrameChoice::One, &options).expect("two files");
}

#[test]
fn circles_have_the_colors_of_their_legend() {
    for column in ["cat", "num"] {
        let circles = only_circles(&Folder::new().circles("t.csv", MISSING, &by(column)));
        assert!(circles.iter().all(|circle| circle.color.a == 255), "{column}");
    }
    let entries = categories(MISSING, "cat");
    let circles = only_circles(&Folder::new().circles("t.csv", MISSING, &by("cat")));
    assert_eq!([entries[0].1, entries[1].1, entries[2].1], [circles[0].color, circles[1].color, circles[6].color]);
}

#[test]
fn scenes_that_info_prints_color_signed_numbers_alike() {
    let folder = Folder::new();
    let table = folder.file("t.csv", "x,y,z,v\n0,0,0,-1\n3,0,0,2\n");
    let found = describe(&table, &by("v")).expect("a table");
    let scene = folder.file("s.json", found.scene.expect("a scene").to_string());
    let colors = |path: &std::path::Path, options: &LoadOptions| {
        let scene = crate::files::spheres(path, options);
        scene.groups[0].spheres.to_vec().iter().map(|sphere| sphere.color).collect::<Vec<_>>()
    };
    assert_eq!(colors(&table, &by("v")), colors(&scene, &LoadOptions::default()));
}
