//! Tables in the plane: opacity, outlines, the order of circles, and the shape of the picture.

use crate::files::{Folder, color, drawn, only_circles, overrides};
use roundel::circles::{Layer, PaintedCircle, Style};
use std::sync::atomic::AtomicBool;

use roundel::io::{AxisRange, FigureOptions, LegendChoice, LoadOptions, LoadedScene, describe, load, read_scene};
use roundel::{Frame, RenderSettings, Renderer, Scene, Srgba8};

/// Twelve places apart from each other.
fn apart() -> String {
    let row = |i: u32| format!("{i},{},{},{}\n", i % 4, ["a", "b"][i as usize % 2], 0.05 * f64::from(i + 1));
    "x,y,kind,share\n".to_owned() + &(0..12).map(row).collect::<String>()
}

/// Many places close together.
fn crowd() -> String {
    let along = |i: u32, step: f64| (f64::from(i) * step).fract();
    let row = |i: u32| format!("{},{},{}\n", along(i, 0.754_877), along(i, 0.569_840), ["a", "b"][i as usize % 2]);
    "x,y,kind\n".to_owned() + &(0..40_000).map(row).collect::<String>()
}

fn circles(text: &str, change: impl FnOnce(&mut LoadOptions)) -> (Vec<PaintedCircle>, Vec<String>) {
    let folder = Folder::new();
    let loaded = load(folder.file("t.csv", text), &overrides(change)).expect("a table");
    let notes = loaded.notes.iter().map(|note| note.replace(&format!("{}/", folder.0.path().display()), ""));
    let Scene::Circles(scene) = &loaded.scene else { panic!("circles") };
    (only_circles(scene), notes.collect())
}

fn alphas(text: &str, change: impl FnOnce(&mut LoadOptions)) -> Vec<u8> {
    circles(text, change).0.iter().map(|circle| circle.color.a).collect()
}

fn of(rows: &str, opacity: f32) -> (Option<String>, f32) {
    (Some(rows.to_owned()), opacity)
}

#[test]
fn circles_have_the_opacity_of_all_of_a_selection_or_of_a_column() {
    assert_eq!(alphas(&apart(), |_| {}), [255; 12], "apart they are opaque");
    assert_eq!(alphas(&apart(), |o| o.opacity = vec![(None, 0.4)]), [102; 12]);
    let chosen = alphas(&apart(), |o| (o.opacity, o.color) = (vec![of("kind a", 0.2)], Some("kind".into())));
    assert_eq!(chosen, [51, 255, 51, 255, 51, 255, 51, 255, 51, 255, 51, 255]);
    let shares = alphas(&apart(), |o| (o.opacity_by, o.color) = (Some("share".into()), Some("kind".into())));
    let expected: Vec<u8> =
        (1..=12_u8).map(|i| u8::try_from((u32::from(i) * 255 + 10) / 20).expect("a byte")).collect();
    assert_eq!(shares, expected);
    assert_eq!(alphas(&crowd(), |o| o.opacity = vec![(None, 1.0)])[..9], [255; 9], "the caller's opacity counts");
}

#[test]
fn crowds_are_as_transparent_as_their_overlap_needs_and_the_legend_shows_it() {
    let (plain, notes) = circles(&crowd(), |_| {});
    assert!((2..160).contains(&plain[0].color.a), "{}", plain[0].color.a);
    assert!(notes[0].starts_with("t.csv: circles overlap and are drawn at an opacity of 0."), "{notes:?}");
    let by_kind = |o: &mut LoadOptions| {
        (o.color, o.width, o.height) = (Some("kind".into()), Some(160), Some(120));
        o.figure.legend = Some(LegendChoice::ON);
    };
    let (kinds, _) = circles(&crowd(), by_kind);
    let alpha = kinds[0].color.a;
    assert!((76..=255).contains(&alpha), "a legend of fainter colours would not be read: {alpha}");
    let folder = Folder::new();
    let scene = describe(folder.file("t.csv", crowd()), &overrides(by_kind)).expect("a table").scene.expect("a scene");
    let said: Frame = drawn(&load(folder.file("s.json", scene.to_string()), &LoadOptions::default()).expect("a scene"));
    let own = drawn(&load(folder.file("t.csv", crowd()), &overrides(by_kind)).expect("a table"));
    assert!(said == own, "picture and legend");
    let (_, notes) = circles(&apart(), |_| {});
    assert_eq!(notes, [""; 0], "nothing to say where circles are opaque");
}

#[test]
fn outlines_lie_around_each_circle_below_the_next() {
    let folder = Folder::new();
    let scene = |o: &LoadOptions| read_scene(folder.file("t.csv", apart()), o).expect("a table");
    let outlined = overrides(|o| (o.stroke, o.stroke_width) = (Some(Srgba8::BLACK), Some(2.5)));
    let Scene::Circles(outlined) = scene(&outlined) else { panic!("circles") };
    let [Layer::Ellipses(shapes)] = &outlined.layers[..] else { panic!("rings are ellipses") };
    assert_eq!(shapes.len(), 24);
    let rings = shapes.iter().skip(1).step_by(2);
    assert!(
        rings
            .clone()
            .all(|ring| ring.color == Srgba8::BLACK && matches!(ring.style, Style::Stroke(s) if s.width == 2.5))
    );
    let inside: Vec<_> = shapes.iter().step_by(2).map(|shape| shape.center).collect();
    assert_eq!(rings.map(|ring| ring.center).collect::<Vec<_>>(), inside);
    let message = |change: &dyn Fn(&mut LoadOptions)| folder.refusal_with("t.csv", apart(), &overrides(change));
    assert_eq!(message(&|o| o.stroke_width = Some(1.0)), "stroke_width is for outlines, which stroke gives a colour");
    assert!(
        message(&|o| (o.stroke, o.stroke_width) = (Some(Srgba8::BLACK), Some(-1.0)))
            .starts_with("stroke_width must be")
    );
    let spheres = folder.refusal_with("s.csv", "x,y,z\n1,2,3\n", &overrides(|o| o.stroke = Some(Srgba8::BLACK)));
    assert_eq!(spheres, "stroke is for circles; s.csv is drawn as spheres");
}

#[test]
fn areas_are_in_proportion_to_a_column() {
    let text = "x,y,people\n0,0,100\n1,0,400\n2,1,0\n3,0,900\n";
    let radii = |change: &dyn Fn(&mut LoadOptions)| -> Vec<f32> {
        let (circles, _) = circles(text, |o| {
            o.r = Some("people".into());
            change(o);
        });
        circles.iter().map(|circle| circle.radius).collect()
    };
    // nobody has no circle
    assert_eq!(radii(&|_| {}), [4.0, 8.0, 0.0, 12.0]);
    assert_eq!(radii(&|o| o.only = Some("people > 300".into())), [8.0, 12.0]);
    assert_eq!(radii(&|o| o.radius_range = Some([1.0, 4.0])), [2.0, 3.0, 1.0, 4.0], "from the least to the greatest");
}

#[test]
fn order_is_that_of_a_column_or_of_a_seed() {
    let order = |order: &str, seed: Option<u64>| {
        let (circles, _) = circles(&apart(), |o| (o.draw_order, o.seed) = (Some(order.into()), seed));
        circles.iter().map(|circle| circle.center.map(f32::to_bits)).collect::<Vec<_>>()
    };
    let file = circles(&apart(), |_| {}).0.iter().map(|circle| circle.center.map(f32::to_bits)).collect::<Vec<_>>();
    assert_eq!(order("share", None), file);
    assert_eq!(order("-share", None), file.iter().rev().copied().collect::<Vec<_>>());
    let random = order("random", None);
    assert!(random != file && random == order("random", Some(1)) && random != order("random", Some(2)));
    let folder = Folder::new();
    let refused =
        |order: &str| folder.refusal_with("t.csv", apart(), &overrides(|o| o.draw_order = Some(order.into())));
    assert_eq!(refused("kind"), "draw_order must be a column of numbers, got kind, which has names");
    assert!(refused("shar").starts_with("draw_order must be a column of t.csv, got \"shar\""), "{}", refused("shar"));
}

#[test]
fn scenes_of_points_have_the_same_words() {
    let folder = Folder::new();
    folder.file("t.csv", apart());
    let size = "[canvas]\nwidth = 320\nheight = 240\n[[points]]\nfile = \"t.csv\"\nradius = 40\ncolor_by = \"kind\"\n";
    let frame =
        |keys: &str| drawn(&load(folder.file("s.toml", format!("{size}{keys}")), &LoadOptions::default()).expect(keys));
    let plain = frame("");
    for keys in [
        "opacity = 0.5",
        "opacity = [{ select = \"kind a\", opacity = 0.5 }]",
        "opacity_by = \"share\"",
        "stroke = { color = \"black\", width = 2 }",
        "draw_order = \"-share\"",
        "draw_order = \"random\"\nseed = 3",
    ] {
        assert!(frame(keys) != plain, "{keys}");
    }
    assert!(frame("draw_order = \"share\"") == plain);
    let message = folder.refusal("s.toml", format!("{size}draw_order = \"kind\""));
    assert!(message.contains("points[0].draw_order must be a column of numbers"), "{message}");
    let opaque = overrides(|o| o.opacity = vec![(None, 0.5)]);
    let whole = load(folder.file("s.toml", size), &opaque).expect("a scene");
    assert!(drawn(&whole) == frame("opacity = 0.5"));
}

/// Places of a table's circles in a picture of 400 × 300 pixels, and the size of the figure.
fn places(text: &str, change: impl FnOnce(&mut LoadOptions)) -> (Vec<[f64; 2]>, [u32; 2]) {
    let folder = Folder::new();
    let options = overrides(|o| {
        (o.width, o.height, o.radius) = (Some(400), Some(300), Some("2".into()));
        change(o);
    });
    places_of(&load(folder.file("t.csv", text), &options).expect("a table"))
}

fn places_of(loaded: &LoadedScene<'_>) -> (Vec<[f64; 2]>, [u32; 2]) {
    let Scene::Circles(scene) = &loaded.scene else { panic!("circles") };
    let circles = scene.layers.iter().find_map(|layer| match layer {
        Layer::Circles(circles) => Some(circles.iter().map(|circle| circle.center.map(f64::from)).collect()),
        _ => None,
    });
    let frame = drawn(loaded);
    (circles.expect("circles"), [frame.width(), frame.height()])
}

#[test]
fn quantities_fill_the_picture_and_have_axes() {
    let table = "mass,age\n1,1000\n2,1010\n4,1030\n";
    let by_name = |o: &mut LoadOptions| (o.x, o.y) = (Some("mass".into()), Some("age".into()));
    let (centers, size) = places(table, by_name);
    // the margin is 3 % of 300 pixels, and the radius
    assert!((centers[0][0] - 11.0).abs() < 1e-3 && (centers[0][1] - 289.0).abs() < 1e-3, "{centers:?}");
    assert!((centers[2][0] - 389.0).abs() < 1e-3 && (centers[2][1] - 11.0).abs() < 1e-3, "{centers:?}");
    assert!(size[0] > 430 && size[1] > 330, "axes beside the picture: {size:?}");
    let without = |o: &mut LoadOptions| {
        by_name(o);
        o.figure.axes = Some(false);
    };
    assert_eq!(places(table, without), (centers, [400, 300]));
    let log = |o: &mut LoadOptions| {
        by_name(o);
        o.x_scale = "log".parse().ok();
    };
    let (centers, _) = places(table, log);
    assert!((centers[1][0] - 200.0).abs() < 1e-3, "2 is in the middle of 1 and 4: {centers:?}");
}

#[test]
fn axes_show_the_ranges_that_are_asked_for() {
    let table = "mass,age\n0,0\n5,5\n90,9\n";
    let ranged = |x: &str, scale: &str| {
        let (x, scale) = (x.parse().expect("a range"), scale.parse().ok());
        places(table, move |o| {
            (o.x, o.y, o.x_range, o.x_scale) = (Some("mass".into()), Some("age".into()), Some(x), scale);
        })
        .0
    };
    let centers = ranged("0,10", "linear");
    assert!((centers[1][0] - 200.0).abs() < 1e-3, "5 is in the middle of 0 and 10: {centers:?}");
    let centers = ranged("2.5,10", "log");
    assert!((centers[0][0] - 200.0).abs() < 1e-3, "5 is in the middle of 2.5 and 10: {centers:?}");
    assert!("10,0".parse::<AxisRange>().is_err() && "a,b".parse::<AxisRange>().is_err());
    let folder = Folder::new();
    let wrong = overrides(|o| {
        (o.x, o.y, o.x_scale) = (Some("mass".into()), Some("age".into()), "log".parse().ok());
        o.x_range = "0,10".parse().ok();
    });
    let message = folder.refusal_with("t.csv", table, &wrong);
    assert!(message.contains("x_range must be positive on the scale log, got 0,10"), "{message}");
}

#[test]
fn axes_of_equal_numbers_show_their_surroundings() {
    let figure = |table: &str, columns: [&str; 2]| {
        let folder = Folder::new();
        let options = overrides(|o| (o.x, o.y) = (Some(columns[0].into()), Some(columns[1].into())));
        let plane = load(folder.file("t.csv", table), &options).expect("a table").figure.plane;
        plane.expect("axes").axes.map(|axis| axis.ends)
    };
    let [x, y] = figure("mass,age\n1e-5,2\n1e-5,3\n", ["mass", "age"]);
    assert!(0.9e-5 < x[0] && x[0] < 1e-5 && 1e-5 < x[1] && x[1] < 1.1e-5, "{x:?}");
    assert!(y[0] < 2.0 && y[1] > 3.0 && y[1] < 4.0, "{y:?}");
    let [x, _] = figure("mass,age\n0,2\n0,3\n", ["mass", "age"]);
    assert!((-1.0..0.0).contains(&x[0]) && (0.0..1.0).contains(&x[1]), "{x:?}");
}

#[test]
fn coordinates_keep_their_shape_and_have_axes_on_request() {
    for names in ["x,y", "pos_x,pos_y", "easting,northing"] {
        let [x, y] = names.split(',').map(str::to_owned).collect::<Vec<_>>().try_into().expect("two");
        let table = format!("{names}\n0,0\n1,1\n4,0\n");
        let (centers, size) = places(&table, |o| (o.x, o.y) = (Some(x), Some(y)));
        assert_eq!(size, [400, 300], "{names}");
        let step = [centers[1][0] - centers[0][0], centers[0][1] - centers[1][1]];
        assert!((step[0] - step[1]).abs() < 1e-3, "{names} {step:?}");
    }
    let (_, size) = places("x,y\n0,0\n1,1\n", |o| o.figure.axes = Some(true));
    assert!(size[0] > 400 && size[1] > 300, "{size:?}");
}

#[test]
fn maps_of_degrees_have_their_true_shape() {
    let (centers, size) = places("lon,lat\n0,59\n0,61\n4,59\n", |_| {});
    let [across, up] = [centers[2][0] - centers[0][0], centers[0][1] - centers[1][1]];
    // at 60° a degree of longitude is half as long as one of latitude
    assert!((across / 4.0 / (up / 2.0) - 0.5).abs() < 1e-6, "{across} {up}");
    assert_eq!(size, [400, 300], "no axes unless asked for");
    let scene = "[canvas]\nwidth = 400\nheight = 300\n[[points]]\nfile = \"m.csv\"\n";
    let folder = Folder::new();
    folder.file("m.csv", "lon,lat\n0,59\n0,61\n4,59\n");
    let (centers, _) = places_of(&load(folder.file("s.toml", scene), &LoadOptions::default()).expect("a scene"));
    let [across, up] = [centers[2][0] - centers[0][0], centers[0][1] - centers[1][1]];
    assert!((across / 4.0 / (up / 2.0) - 0.5).abs() < 1e-6, "of a scene: {across} {up}");
    let (centers, _) = places("lon,lat\n0,0\n0,200\n50,0\n", |_| {});
    let [across, up] = [centers[2][0] - centers[0][0], centers[0][1] - centers[1][1]];
    assert!((across / 50.0 / (up / 200.0) - 1.0).abs() < 1e-6, "these are no latitudes: {across} {up}");
}

#[test]
fn rows_without_a_place_on_a_scale_are_left_out() {
    let table = "mass,age\n1,1\n0,2\n-3,4\n10,8\n";
    let log = |o: &mut LoadOptions| {
        (o.x, o.y, o.x_scale) = (Some("mass".into()), Some("age".into()), "log".parse().ok());
        o.figure.axes = Some(false);
    };
    let (circles, notes) = circles(table, log);
    assert_eq!(circles.len(), 2);
    assert_eq!(notes, ["t.csv: 2 rows without a place on the scales of x and y are left out"]);
    let folder = Folder::new();
    let refused = folder.refusal_with("t.csv", "mass,age\n-1,1\n", &overrides(log));
    assert!(refused.contains("no row has a place on the scales"), "{refused}");
}

#[test]
fn axes_are_the_callers_words_beside_the_picture() {
    let table = "mass,age\n1,1\n5,2\n10,8\n";
    let frame = |change: &dyn Fn(&mut FigureOptions)| {
        let folder = Folder::new();
        let options = overrides(|o| {
            (o.x, o.y, o.width, o.height) = (Some("mass".into()), Some("age".into()), Some(200), Some(150));
            change(&mut o.figure);
        });
        drawn(&load(folder.file("t.csv", table), &options).expect("a table"))
    };
    let plain = frame(&|_| {});
    assert!(frame(&|f| f.x_label = Some("mass (kg)".into())) != plain);
    assert!(frame(&|f| f.y_label = Some("age (a)".into())) != plain);
    let bare = frame(&|f| f.axes = Some(false));
    assert_eq!([bare.width(), bare.height()], [200, 150]);
    let wide = {
        let folder = Folder::new();
        let options = overrides(|o| {
            (o.x, o.y, o.figure.figure_width) = (Some("mass".into()), Some("age".into()), "500px".parse().ok());
        });
        drawn(&load(folder.file("t.csv", table), &options).expect("a table"))
    };
    assert_eq!(wide.width(), 500, "axes count");
    // circles are where they are without axes
    let blue = |frame: &Frame| frame.pixels().iter().filter(|pixel| **pixel == color("#1f77b4")).count();
    assert_eq!(blue(&plain), blue(&bare));
    let noted =
        |options: &LoadOptions| load(Folder::new().file("t.csv", "x,y\n1,2\n3,4\n"), options).expect("a table").notes;
    let notes = noted(&overrides(|o| o.figure.x_label = Some("east".into())));
    assert!(matches!(&notes[..], [note] if note.contains("x-label changes nothing: there are no axes")), "{notes:?}");
}

#[test]
fn labels_stand_beside_circles_the_largest_first() {
    let table = "x,y,name,size\n0,0,Aa,1\n1,0,Bb,9\n2,0,Cc,4\n2.02,0,Dd,2\n";
    let report = |text: &str, rows: &str, label: &str| {
        let options = overrides(|o| {
            (o.width, o.height, o.r) = (Some(300), Some(200), Some("size".into()));
            o.figure.label = vec![(rows.into(), label.into())];
        });
        let loaded = load(Folder::new().file("t.csv", text), &options).expect("a table");
        let mut frame = Frame::new(1, 1, Srgba8::WHITE).expect("small");
        let mut renderer = Renderer::new(&RenderSettings::default()).expect("threads");
        let drawn = loaded.draw_unless_cancelled(&mut renderer, &mut frame, &AtomicBool::new(false));
        let report = drawn.expect("drawn").expect("nothing cancels it");
        (frame, report.hidden_labels, report.crowded_labels)
    };
    let (all, hidden, crowded) = report(table, "all", "{name}");
    assert_eq!((hidden, crowded), (0, 0));
    let (one, ..) = report(table, "name Bb", "{name}");
    assert!(all != one);
    // there is room for one of two names: the larger circle keeps its name
    let long = "a long name ".repeat(7);
    let pair = format!("x,y,name,size\n0,0,{long},1\n1,0,{long},9\n");
    let (_, hidden, crowded) = report(&pair, "all", &"{name}".repeat(3));
    assert_eq!((hidden, crowded), (0, 2), "no room for either");
    let scaled = overrides(|o| {
        (o.width, o.height, o.figure.scale) = (Some(150), Some(100), Some(2.0));
        o.figure.label = vec![("all".into(), "{name}".into())];
    });
    let loaded = load(Folder::new().file("t.csv", table), &scaled).expect("a table");
    assert_eq!(drawn(&loaded).width(), 300);
}
