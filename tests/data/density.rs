//! Densities: numbers of pixels in the place of circles.

use crate::files::{Folder, drawn, overrides};
use roundel::color::{ColorMap, ColorScale, Scale};
use roundel::io::{LoadOptions, LoadedScene, load};
use roundel::spheres::StandardView;
use roundel::{Frame, Srgba8};

/// Rows in a square, with a weight.
fn rows(count: u32) -> String {
    let along = |i: u32, step: f64| (f64::from(i) * step).fract();
    let row = |i: u32| format!("{:.6},{:.6},{}\n", along(i, 0.754_877), along(i, 0.569_840), i % 5);
    "x,y,w\n".to_owned() + &(0..count).map(row).collect::<String>()
}

fn loaded(text: &str, density: &str, change: impl FnOnce(&mut LoadOptions)) -> LoadedScene<'static> {
    let options = overrides(|o| {
        (o.width, o.height, o.density) = (Some(80), Some(60), density.parse().ok());
        change(o);
    });
    load(Folder::new().file("t.csv", text), &options).expect("a table")
}

/// The sum of all pixels.
fn sum(loaded: &LoadedScene<'_>) -> f64 {
    loaded.density().expect("a density").2.iter().sum()
}

#[test]
fn density_sums_up_all_rows() {
    let text = rows(2000);
    assert_eq!(sum(&loaded(&text, "count", |_| {})), 2000.0);
    assert_eq!(sum(&loaded(&text, "sum w", |_| {})), 4000.0);
    // to the last of 53 bits, but for the rounding of each pixel
    for radius in ["0.2", "1.5", "4"] {
        let mass = sum(&loaded(&text, "mass w", |o| (o.radius, o.figure.legend) = (Some(radius.into()), None)));
        assert!((mass / 4000.0 - 1.0).abs() < 1e-13, "{radius}: {mass}");
    }
    let (width, height, means) = (80, 60, loaded(&text, "mean w", |o| o.density_bin = Some(1)));
    let (w, h, numbers) = means.density().expect("a density");
    assert_eq!((w, h), (width, height));
    assert!(numbers.iter().any(|number| number.is_nan()), "no row, no mean");
    // a coordinate of rows that fill the picture from left to right
    let across = loaded(&text, "mean x", |_| {});
    let (columns, _, places) = across.density().expect("a density");
    let rows = places.chunks(columns as usize);
    let is_left_less =
        |row: &[f64]| row.windows(2).all(|pair| pair[0] < pair[1] || pair[0].is_nan() || pair[1].is_nan());
    assert!(rows.clone().all(is_left_less) && rows.flatten().any(|place| *place > 0.9), "{places:?}");
    assert!(numbers.iter().filter(|number| !number.is_nan()).all(|number| (0.0..=4.0).contains(number)));
}

#[test]
fn masses_of_rows_without_a_radius_count_nothing() {
    let found = loaded("x,y,r,w\n0,0,3,5\n10,10,1,7\n5,5,,11\n", "mass w", |_| {});
    assert!((sum(&found) - 12.0).abs() < 1e-12, "{}", sum(&found));
    let note = "t.csv: 1 of 3 rows have no radius above 0: their masses count nothing";
    assert!(found.notes.iter().any(|found| found.ends_with(note)), "{:?}", found.notes);
    let points = loaded("x,y,w\n0,0,5\n10,10,7\n", "mass w", |o| o.radius = Some("0".into()));
    assert_eq!(sum(&points), 12.0, "circles that are meant to be points");
}

#[test]
fn squares_of_a_density_are_as_large_as_the_legend_says() {
    let frame = drawn(&loaded("x,y\n0,0\n80,60\n", "count", |o| {
        (o.density_bin, o.figure.axes, o.figure.legend) = (Some(32), Some(false), Some("off".parse().unwrap()));
    }));
    let color = |x: u32, y: u32| frame.pixels()[(y * 80 + x) as usize];
    assert_eq!((frame.width(), frame.height()), (80, 60));
    // squares of 32 pixels from the upper left corner on: columns at 0, 32 and 64, rows at 0 and 32
    assert!(color(79, 0) != Srgba8::WHITE && color(64, 31) == color(79, 0) && color(63, 0) == Srgba8::WHITE);
    assert!(color(0, 59) != Srgba8::WHITE && color(31, 32) == color(0, 59) && color(32, 59) == Srgba8::WHITE);
}

#[test]
fn density_is_drawn_with_a_legend_on_the_background() {
    let text = rows(300);
    let of_pixels = |change: &dyn Fn(&mut LoadOptions)| {
        loaded(&text, "sum w", |o| {
            o.density_bin = Some(1);
            change(o);
        })
    };
    let frame = |change: &dyn Fn(&mut LoadOptions)| -> Frame { drawn(&of_pixels(change)) };
    let plain = frame(&|_| {});
    assert!(plain.width() > 100, "a legend");
    let bare = frame(&|o| o.figure.legend = "off".parse().ok());
    assert_eq!((bare.width(), bare.height()), (80, 60));
    let found = loaded(&text, "count", |o| o.density_bin = Some(1));
    let empty: Vec<bool> = found.density().expect("a density").2.iter().map(|number| *number == 0.0).collect();
    let white: Vec<bool> = bare.pixels().iter().map(|pixel| *pixel == Srgba8::WHITE).collect();
    assert_eq!(white, empty);
    assert!(frame(&|o| o.colormap = Some("magma".into())) != plain);
    assert!(frame(&|o| o.color_scale = "sqrt".parse().ok()) != plain);
    assert!(frame(&|o| o.color_range = "1,9".parse().ok()) != plain);
    let twice = frame(&|o| (o.figure.legend, o.figure.scale) = ("off".parse().ok(), Some(2.0)));
    assert_eq!((twice.pixel(1, 1), twice.pixel(159, 119)), (bare.pixel(0, 0), bare.pixel(79, 59)));
}

#[test]
fn numbers_without_a_place_on_a_scale_are_grey() {
    let text = "x,y,w\n0,0,10\n1,1,-5\n2,0,1000\n3,1,0\n";
    let of_scale = |scale: Scale| {
        loaded(text, "sum w", |o| {
            (o.density_bin, o.color_scale) = (Some(1), Some(scale.into()));
            o.figure.legend = "off".parse().ok();
        })
    };
    let (log, grey_of_missing) = (of_scale(Scale::Log), Srgba8::hex(0x80_80_80));
    let grey = drawn(&log).pixels().iter().filter(|pixel| **pixel == grey_of_missing).count();
    assert_eq!(grey, 2, "-5 and 0");
    assert!(
        log.notes.iter().any(|note| note.contains("2 numbers of the density have no place on the log scale")),
        "{:?}",
        log.notes
    );
    let linear = of_scale(Scale::Linear);
    assert!(drawn(&linear).pixels().iter().all(|pixel| *pixel != grey_of_missing));
    assert_eq!(linear.notes, [] as [&str; 0]);
}

#[test]
fn equalized_colors_are_the_ranks_of_pixels() {
    // numbers of pixels that spread over decades: 40, 13, 6, 4, 3 …
    let text = "x,y\n".to_owned() + &(1..=400).map(|i| format!("{},{}\n", 40 / i, (i * i) % 7)).collect::<String>();
    let found = loaded(&text, "count", |o| {
        (o.color_scale, o.colormap, o.density_bin) = (Some(ColorScale::Equalize), Some("greys_r".into()), Some(1));
        o.figure.legend = "off".parse().ok();
    });
    let numbers = found.density().expect("a density").2.to_vec();
    let frame = drawn(&found);
    let mut known: Vec<f64> = numbers.iter().copied().filter(|number| *number > 0.0).collect();
    known.sort_by(f64::total_cmp);
    let below = |number: f64| known.iter().filter(|other| **other < number).count() as f64;
    let last = below(known[known.len() - 1]);
    let map = ColorMap::from_name("greys_r").expect("a map");
    for (pixel, number) in frame.pixels().iter().zip(numbers) {
        let expected = if number == 0.0 { Srgba8::WHITE } else { map.number(below(number) / last) };
        assert_eq!(*pixel, expected, "{number}");
    }
}

#[test]
fn equalized_colors_are_for_densities_and_for_all_their_numbers() {
    let refused = |change: &dyn Fn(&mut LoadOptions)| {
        let options = overrides(|o| {
            o.color_scale = Some(ColorScale::Equalize);
            change(o);
        });
        Folder::new().refusal_with("t.csv", rows(9), &options)
    };
    let message =
        "color_scale equalize is for density, whose pixels it ranks; colours of rows take linear, sqrt or log";
    assert_eq!(refused(&|o| o.color_by = Some("w".into())), message);
    let range = "color_range is for linear, sqrt and log; color_scale equalize spreads all numbers of pixels";
    assert_eq!(refused(&|o| (o.density, o.color_range) = ("count".parse().ok(), "1,2".parse().ok())), range);
}

#[test]
fn few_rows_take_squares_of_pixels_and_a_note_says_so() {
    let note = |found: &LoadedScene<'_>| found.notes.iter().any(|note| note.contains("--density-bin 1"));
    let found = loaded(&rows(400), "count", |_| {});
    let (width, height, _) = found.density().expect("a density");
    assert_eq!((width, height, sum(&found), note(&found)), (27, 20, 400.0, true), "squares of 3 pixels");
    for (bin, size) in [(1, (80, 60)), (10, (8, 6)), (999, (1, 1))] {
        let found = loaded(&rows(400), "sum w", |o| o.density_bin = Some(bin));
        let (width, height, _) = found.density().expect("a density");
        assert_eq!(((width, height), sum(&found), note(&found)), (size, 800.0, false), "{bin}");
    }
    let refused = |density: &str, bin: u32| {
        let options = overrides(|o| (o.density, o.density_bin) = (density.parse().ok(), Some(bin)));
        Folder::new().refusal_with("t.csv", rows(9), &options)
    };
    assert_eq!(refused("mass", 2), "density_bin is for points; density mass spreads circles over pixels");
    assert_eq!(refused("count", 0), "density_bin must be a whole number of pixels from 1, got 0");
    assert_eq!(refused("", 2), "density_bin is for a density, which is not given");
}

#[test]
fn options_of_circles_are_refused_beside_a_density() {
    let refused = |change: &dyn Fn(&mut LoadOptions)| {
        let options = overrides(|o| {
            o.density = "mass".parse().ok();
            change(o);
        });
        Folder::new().refusal_with("t.csv", rows(9), &options)
    };
    let message = "is for shapes; density draws numbers of pixels";
    assert_eq!(refused(&|o| o.color = Some("w".into())), format!("color {message}"));
    assert_eq!(refused(&|o| o.stroke = Some(Srgba8::BLACK)), format!("stroke {message}"));
    assert_eq!(refused(&|o| o.opacity = vec![(None, 0.5)]), format!("opacity {message}"));
    let column = refused(&|o| o.density = "sum weight".parse().ok());
    assert!(column.starts_with("density must be a column of t.csv, got \"weight\""), "{column}");
}

#[test]
fn densities_count_against_the_limit_on_memory() {
    let options = overrides(|o| {
        (o.width, o.height, o.density) = (Some(4000), Some(3000), "count".parse().ok());
        o.budget.memory = 100 << 20;
    });
    let message = Folder::new().refusal_with("t.csv", rows(9), &options);
    assert!(message.starts_with("the density of 4000x3000 pixels takes "), "{message}");
    assert!(message.contains("over the limit of 100 MiB"), "{message}");
}

/// Rows in a cube, with a weight.
fn cloud(count: u32) -> String {
    let along = |i: u32, step: f64| (f64::from(i) * step).fract();
    let row = |i: u32| {
        let [x, y, z] = [0.819_172_5, 0.671_043_6, 0.549_700_5].map(|step| along(i, step));
        format!("{x:.6},{y:.6},{z:.6},{}\n", i % 5)
    };
    "x,y,z,w\n".to_owned() + &(0..count).map(row).collect::<String>()
}

#[test]
fn densities_of_rows_in_space_are_those_that_the_camera_sees() {
    let text = cloud(1000);
    let from_front = |o: &mut LoadOptions| {
        (o.view, o.ortho, o.density_bin) = (Some(StandardView::Front), Some(true), Some(1));
    };
    let found = loaded(&text, "sum w", from_front);
    assert_eq!(sum(&found), 2000.0, "the camera shows all");
    assert_eq!(sum(&loaded(&text, "count", from_front)), 1000.0);
    let mass = sum(&loaded(&text, "mass", |o| {
        from_front(o);
        (o.radius, o.density_bin) = (Some("0.05".into()), None);
    }));
    assert!((mass / 1000.0 - 1.0).abs() < 1e-12, "{mass}");
    // a plane that cuts leaves the rows on one side
    let half = text.lines().skip(1).filter(|row| row.split(',').nth(2).is_some_and(|z| z < "0.5")).count();
    let cut = loaded(&text, "count", |o| {
        from_front(o);
        o.clip = vec!["z<0.5".parse().expect("a plane")];
    });
    assert_eq!(sum(&cut), half as f64);
    // each row counts where its sphere is drawn
    let one = "x,y,z,w\n0,0,0,1\n5,3,0,1\n";
    let small = |o: &mut LoadOptions| {
        from_front(o);
        o.radius = Some("0.2".into());
    };
    let density = loaded(one, "count", small);
    let numbers = density.density().expect("a density").2.to_vec();
    let options = overrides(|o| {
        (o.width, o.height) = (Some(80), Some(60));
        small(o);
        o.density_bin = None;
    });
    let spheres = drawn(&load(Folder::new().file("t.csv", one), &options).expect("spheres"));
    for (pixel, _) in numbers.iter().enumerate().filter(|(_, number)| **number > 0.0) {
        assert_ne!(spheres.pixels()[pixel], Srgba8::WHITE, "{pixel}");
    }
    assert_eq!(numbers.iter().filter(|number| **number > 0.0).count(), 2);
}

#[test]
fn options_of_shapes_in_space_are_refused_beside_a_density() {
    let refused = |change: &dyn Fn(&mut LoadOptions)| {
        let options = overrides(|o| {
            o.density = "count".parse().ok();
            change(o);
        });
        Folder::new().refusal_with("t.csv", cloud(9), &options)
    };
    let message = "is for shapes; density draws numbers of pixels";
    assert_eq!(refused(&|o| o.samples = Some(9)), format!("samples {message}"));
    assert_eq!(refused(&|o| o.shadows = Some(false)), format!("shadows {message}"));
    assert_eq!(refused(&|o| o.color_by = Some("w".into())), format!("color_by {message}"));
}
