//! Columns of dates: coordinates, colours, sizes, selections, labels and films, on every route.

use crate::files::{Folder, drawn, only_circles, only_spheres, overrides};
use roundel::Scene;
use roundel::color::ColorKey;
use roundel::io::{DataSource, LegendChoice, LoadOption, LoadOptions, describe, load, read_record};

/// 2024-01-31 00:00 UTC in seconds.
const START: f64 = 1_706_659_200.0;

/// Eight rows, one every six hours, written in turn in every notation.
fn table(separator: char) -> String {
    let row = |index: u32| {
        let (day, hour) = (["01-31", "02-01"][index as usize / 4], 6 * (index % 4));
        let when = match index % 3 {
            0 => format!("2024-{day}T{hour:02}:00:00Z"),
            1 => format!("2024-{day}T{hour:02}:00"),
            _ => format!("2024-{day}T{hour:02}:00:00.000+00:00"),
        };
        format!("{when},{index},{}\n", ["a", "b"][index as usize % 2]).replace(',', &separator.to_string())
    };
    format!("when{separator}level{separator}kind\n") + &(0..8).map(row).collect::<String>()
}

fn by_date(change: impl FnOnce(&mut LoadOptions)) -> LoadOptions {
    overrides(|o| {
        (o.x, o.y) = (Some("when".into()), Some("level".into()));
        (o.width, o.height) = (Some(240), Some(160));
        change(o);
    })
}

fn source(text: &str, options: &LoadOptions) -> DataSource {
    describe(Folder::new().file("t.csv", text), options).expect("a table").sources.remove(0)
}

#[test]
fn dates_are_coordinates_in_proportion_to_time() {
    for separator in [',', ';', '\t', ' '] {
        let circles = only_circles(&Folder::new().circles("t.csv", table(separator), &by_date(|_| {})));
        assert_eq!(circles.len(), 8);
        let step = circles[1].center[0] - circles[0].center[0];
        assert!(step > 10.0);
        for pair in circles.windows(2) {
            assert!((pair[1].center[0] - pair[0].center[0] - step).abs() < 1e-3, "{separator:?}");
        }
    }
}

#[test]
fn ranges_of_dates_are_written_as_dates() {
    let description = describe(Folder::new().file("t.csv", table(',')), &by_date(|_| {})).expect("a table");
    let text = description.to_string();
    assert!(text.contains("columns     when (2024-01-31 00:00 to 2024-02-01 18:00), level (0 to 7), kind"), "{text}");
    assert!(text.contains("from 2024-01-31 00:00, 0.000 to 2024-02-01 18:00, 7.000"), "{text}");
    let source = &description.sources[0];
    assert_eq!(source.ranges[0], ("when".to_owned(), [START, START + 42.0 * 3600.0]));
    assert_eq!(source.dates, ["when"]);
    let colored = by_date(|o| o.color_by = Some("when".into()));
    let text = describe(Folder::new().file("t.csv", table(',')), &colored).expect("a table").to_string();
    assert!(text.contains("by when from 2024-01-31 00:00 to 2024-02-01 18:00 (viridis)"), "{text}");
}

#[test]
fn dates_color_as_the_same_numbers_do() {
    let seconds: String = (0..8_u32).map(|row| format!("{},{row}\n", START + 21_600.0 * f64::from(row))).collect();
    let options = by_date(|o| o.color_by = Some("when".into()));
    let circles = |text: &str| only_circles(&Folder::new().circles("t.csv", text, &options));
    assert_eq!(circles(&table(',')), circles(&format!("when,level\n{seconds}")));
    // two signs mean nothing for dates around 1970
    let around = "when,level\n1969-12-31,0\n1970-01-02,1\n";
    match source(around, &options).colors {
        Some(ColorKey::Numbers { map, least, most, dates: true, .. }) => {
            assert_eq!((map, least, most), ("viridis", -86_400.0, 86_400.0));
        }
        other => panic!("{other:?}"),
    }
    // a palette asks for categories
    let palette = by_date(|o| (o.color_by, o.palette) = (Some("when".into()), Some("distinct".into())));
    assert!(
        matches!(source(&table(','), &palette).colors, Some(ColorKey::Categories { items, .. }) if items.len() == 8)
    );
}

#[test]
fn ranges_of_colors_are_dates_or_their_seconds() {
    let option = LoadOption::named("color_range").expect("an option");
    let ranged = |range: &str| {
        by_date(|o| {
            o.color_by = Some("when".into());
            option.set(o, range).expect(range);
        })
    };
    let dates = ranged("2024-01-31,2024-02-01T12:00");
    assert_eq!(dates, ranged(&format!("{START},{}", START + 129_600.0)));
    assert_eq!(dates, ranged("2024-01-31..2024-02-01T12:00"));
    let most = ranged("2024-02-01T12:00,2024-02-02");
    let notes = load(Folder::new().file("t.csv", table(',')), &most).expect("a table").notes.join(" ");
    assert!(notes.contains("are outside of the range 2024-02-01 12:00 to 2024-02-02 00:00"), "{notes}");
    match source(&table(','), &dates).colors {
        Some(ColorKey::Numbers { least, most, beyond, .. }) => {
            assert_eq!((least, most, beyond), (START, START + 129_600.0, [false, true]));
        }
        other => panic!("{other:?}"),
    }
    let mut options = LoadOptions::default();
    for text in ["2024-01-31,2024-01-31", "2024-01-31,soon", "2024-13-31,2024-01-31"] {
        option.set(&mut options, text).expect_err(text);
    }
}

#[test]
fn dates_size_circles_in_proportion_to_time() {
    let sized = by_date(|o| o.radius = Some("when".into()));
    let radii = |text: &str| -> Vec<f32> {
        only_circles(&Folder::new().circles("t.csv", text, &sized)).iter().map(|circle| circle.radius).collect()
    };
    let (found, early) = (radii(&table(',')), radii(&table(',').replace("2024", "1904")));
    assert_eq!(found, early, "before 1970, too");
    let step = found[1] - found[0];
    assert!(step > 0.5 && found.windows(2).all(|pair| (pair[1] - pair[0] - step).abs() < 1e-4), "{found:?}");
}

#[test]
fn missing_dates_leave_rows_out_and_other_texts_are_refused() {
    let text = "when,level\nNaT,0\n2024-01-31,1\n,2\n2024-02-02,3\nnan,4\n";
    let folder = Folder::new();
    let loaded = load(folder.file("t.csv", text), &by_date(|_| {})).expect("a table");
    let Scene::Circles(scene) = &loaded.scene else { panic!("circles") };
    assert_eq!(only_circles(scene).len(), 2);
    match source(text, &by_date(|o| (o.x, o.color_by) = (Some("level".into()), Some("when".into())))).colors {
        Some(ColorKey::Numbers { missing: 3, dates: true, .. }) => {}
        other => panic!("{other:?}"),
    }
    // among the first rows, other texts make names of all
    let names = "when,level\n2024-01-31,1\nsoon,2\n";
    let by_name = by_date(|o| (o.x, o.color_by) = (Some("level".into()), Some("when".into())));
    assert!(matches!(source(names, &by_name).colors, Some(ColorKey::Categories { .. })));
    let rows: String = (0..200).map(|row| format!("2024-01-31,{row}\n")).collect();
    let late = format!("when,level\n{rows}soon,3\n");
    let message = folder.refusal_with("t.csv", &late, &by_date(|_| {}));
    assert!(message.contains("when must be a date such as 2024-01-31") && message.contains("\"soon\""), "{message}");
    let mixed = folder.refusal_with("t.csv", "when,level\n2024-01-31,1\n31.02.2024,2\n", &by_date(|_| {}));
    assert!(mixed.contains("dates are read where every row has one, as 2024-01-31"), "{mixed}");
    for other in ["2024-1-31", "31.01.2024", "2024-01", "20240231"] {
        let text = format!("when,level\n{other},1\n{other},2\n");
        assert_eq!(source(&text, &by_date(|o| o.x = Some("level".into()))).dates, [] as [&str; 0], "{other}");
    }
}

#[test]
fn selections_compare_dates() {
    let rows = |only: &str| -> usize {
        let options = by_date(|o| o.only = Some(only.into()));
        only_circles(&Folder::new().circles("t.csv", table(','), &options)).len()
    };
    for (only, count) in [
        ("when >= 2024-02-01", 4),
        ("when > '2024-02-01'", 3),
        ("when < 2024-01-31 12:00", 2),
        ("when < 2024-01-31T12:00:00Z and level > 0", 1),
        ("when <= '2024-01-31 14:00+02:00'", 3),
        ("when > 2024-02-01 - 3600*7", 5),
        ("when 2024-01-31:2024-02-01", 5),
        ("when = 2024-02-01", 1),
        ("when != 2024-02-01", 7),
        ("when 2024-02-01T*", 4),
    ] {
        assert_eq!(rows(only), count, "{only}");
    }
    // a column may have the name of a date
    let pivot = "x,y,2024-01-31\n0,0,1\n1,0,5\n2,0,9\n";
    for only in ["2024-01-31 > 4", "'2024-01-31' > 4"] {
        let options = overrides(|o| o.only = Some(only.into()));
        assert_eq!(only_circles(&Folder::new().circles("t.csv", pivot, &options)).len(), 2, "{only}");
    }
    let age = by_date(|o| {
        o.compute = vec!["age = (when - 2024-01-31) / 3600".into()];
        o.only = Some("age 12:24".into());
    });
    assert_eq!(only_circles(&Folder::new().circles("t.csv", table(','), &age)).len(), 3);
}

#[test]
fn labels_and_records_have_dates() {
    let folder = Folder::new();
    let labeled = by_date(|o| {
        o.figure.label = vec![("level 2".into(), "{when}".into())];
        o.figure.axes = Some(false);
    });
    let path = folder.file("t.csv", table(','));
    let picture = |text: &str| {
        let mut options = labeled.clone();
        options.figure.label[0].1 = text.into();
        drawn(&load(&path, &options).expect("a table"))
    };
    assert!(picture("{when}") == picture("2024-01-31 12:00"));
    assert!(picture("{when}") != picture("2024-01-31 18:00"));
    let mut wrong = labeled.clone();
    wrong.figure.label[0].1 = "{when:.1}".into();
    let message = folder.message(&load(&path, &wrong).expect_err("decimals"));
    assert!(message.contains("when has dates, which have no decimals"), "{message}");
    let record = read_record(&path, &by_date(|_| {}), 1).expect("a row");
    assert_eq!(record[0], ("when".to_owned(), "2024-01-31T06:00".to_owned()), "as in the file");
}

#[test]
fn scenes_several_files_and_legends_agree_on_dates() {
    let folder = Folder::new();
    let options = by_date(|o| {
        o.color_by = Some("when".into());
        o.figure.legend = Some(LegendChoice::ON);
    });
    let path = folder.file("t.csv", table(','));
    let bare = load(&path, &options).expect("a table");
    let text = "[canvas]\nwidth = 240\nheight = 160\n[figure]\naxes = true\nlegend = true\n[[points]]\nfile = \"t.csv\"\n\
                x = \"when\"\ny = \"level\"\nradius = 3\ncolor_by = \"when\"\n";
    let scene = load(folder.file("t.toml", text), &LoadOptions::default()).expect("a scene");
    for loaded in [&bare, &scene] {
        let plane = format!("{:?}", loaded.figure);
        assert!(plane.contains("numbers: Dates, scale: Linear"), "{plane}");
        assert!(plane.contains("dates: true"), "{plane}");
        assert_eq!(plane.matches("numbers: Plain").count(), 1, "{plane}");
    }
    // a table with other numbers beside it makes the axis one of numbers
    folder.file("u.csv", "when,level\n1706659200,0\n1706745600,7\n");
    let more = "[[points]]\nfile = \"u.csv\"\nx = \"when\"\ny = \"level\"\nradius = 3\ncolor = \"black\"\n";
    let both = load(folder.file("both.toml", format!("{text}{more}")), &LoadOptions::default()).expect("two tables");
    assert_eq!(format!("{:?}", both.figure).matches("numbers: Plain").count(), 2);
}

#[test]
fn spheres_have_dates_as_coordinates_too() {
    let text = "x,y,z,when\n0,0,0,2024-01-31\n1,0,0,2024-02-01\n2,0,0,2024-02-02\n";
    let options = overrides(|o| {
        (o.x, o.y, o.z) = (Some("x".into()), Some("y".into()), Some("when".into()));
        o.radius = Some("3000".into());
    });
    let spheres = only_spheres(&Folder::new().spheres("t.csv", text, &options));
    let depths: Vec<f32> = spheres.windows(2).map(|pair| pair[1].center[2] - pair[0].center[2]).collect();
    assert_eq!(depths, [86_400.0; 2], "relative to an origin nearby");
}
