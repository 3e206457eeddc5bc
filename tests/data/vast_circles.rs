//! Circles of scene files whose rims cross the picture although their centres are thousands of pictures away.
#![expect(clippy::disallowed_methods, reason = "an oracle with a tolerance")]

use crate::files::{Folder, npy};
use roundel::io::{LoadOptions, load};
use roundel::{RenderSettings, render};

/// The area of a disc in a pixel, from strips in `f64`: the power of points is summed from the pixel, so that no digit
/// of a vast radius is lost.
fn share([x, y]: [f64; 2], center: [f64; 2], radius: f64) -> f64 {
    const STRIPS: u32 = 64;
    // strips across the rim
    let is_upright = (center[0] - x).abs() > (center[1] - y).abs();
    let ([x, y], center) = if is_upright { ([y, x], [center[1], center[0]]) } else { ([x, y], center) };
    let (strips, mut sum) = (f64::from(STRIPS), 0.0);
    for strip in 0..STRIPS {
        let along = x + (f64::from(strip) + 0.5) / strips - center[0];
        // heights where the strip enters and leaves the disc, relative to the pixel
        let half = (radius - along) * (radius + along);
        if half <= 0.0 {
            continue;
        }
        let half = half.sqrt();
        let [low, high] = [(center[1] - half) - y, (center[1] + half) - y].map(|edge| edge.clamp(0.0, 1.0));
        sum += (high - low) / strips;
    }
    sum
}

/// A picture of one white circle, or of its stroke, on black: from `[[circle]]` or from a table.
struct Vast {
    center: [f64; 2],
    radius: f64,
    stroke: Option<f64>,
    /// Pixels a unit.
    scale: f64,
}

impl Vast {
    /// Asserts that a picture of the circle around the point (0, 0) has the right levels everywhere.
    #[track_caller]
    fn check(&self, text: &str, folder: &Folder) {
        let Self { center: [x, y], radius, stroke, scale } = *self;
        let canvas = format!(
            "[canvas]\nwidth = 48\nheight = 40\nbackground = \"#000000\"\nview = {{ center = [0.0, 0.0], height = {:?} }}\n\n",
            40.0 / scale
        );
        let loaded = load(folder.file("vast.toml", canvas + text), &LoadOptions::default()).expect("a scene");
        let frame = render(&loaded.scene, &RenderSettings::default()).expect("drawn");
        let center = [24.0 + x * scale, 20.0 + y * scale];
        let rims = match stroke {
            None => [radius * scale, 0.0],
            Some(width) => [radius * scale + 0.5 * width, radius * scale - 0.5 * width],
        };
        let mut rim = 0;
        for (at, pixel) in frame.pixels().iter().enumerate() {
            let corner = [(at % 48) as f64, (at / 48) as f64];
            let [outer, hole] = rims.map(|radius| share(corner, center, radius));
            let wanted = 255.0 * (outer - hole);
            rim += usize::from((1.0..254.0).contains(&wanted));
            // half a level of rounding, 1/512, and the error of the strips
            let gap = (f64::from(pixel.r) - wanted).abs();
            assert!(gap < 1.3, "radius {radius}, {stroke:?}, {corner:?}: {} for {wanted}\n{text}", pixel.r);
        }
        assert!(rim > 20, "the rim is in the picture: {rim}");
    }
}

/// Centres, radii and scales of circles whose rim passes the middle of the picture at a fraction of a pixel.
fn circles() -> impl Iterator<Item = Vast> {
    let radii = [3e4, 4e5, 1_889_992.25, 7.3e7, 2.2e9];
    let turns = [(0.0_f64, 1.0), (1.3, 3.6), (2.2, 0.7), (4.1, 1.0)];
    radii.into_iter().flat_map(move |radius| {
        turns.into_iter().map(move |(turn, scale)| {
            let center = [turn.cos(), turn.sin()].map(|along| along * (radius - 0.31));
            Vast { center, radius, stroke: None, scale }
        })
    })
}

#[test]
fn rims_of_vast_circles_are_within_a_512th() {
    let folder = Folder::new();
    for circle in circles() {
        for stroke in [None, Some(7.3)] {
            let Vast { center: [x, y], radius, scale, .. } = circle;
            let style = match stroke {
                None => "fill = \"#ffffff\"".to_owned(),
                Some(width) => format!("stroke = {{ color = \"#ffffff\", width = {:?} }}", width / scale),
            };
            let text = format!("[[circle]]\ncenter = [{x:?}, {y:?}]\nradius = {radius:?}\n{style}\n");
            Vast { stroke, ..circle }.check(&text, &folder);
        }
    }
}

#[test]
fn rims_of_vast_circles_of_tables_are_within_a_512th() {
    let folder = Folder::new();
    for circle in circles() {
        let Vast { center: [x, y], radius, scale, .. } = circle;
        // a dot that the circle covers or that is outside of the picture, before and behind it
        let (near, far) = ([x / radius * 300.0, y / radius * 300.0, 1.0], [-3e3, 7e3, 0.5]);
        let rows = [near, [x, y, radius], far];
        let csv: String = rows.iter().map(|[x, y, radius]| format!("{x:?},{y:?},{radius:?}\n")).collect();
        folder.file("t.csv", format!("x,y,radius\n{csv}"));
        let numbers: Vec<u8> = rows.as_flattened().iter().flat_map(|number| number.to_le_bytes()).collect();
        let names = "[('x', '<f8'), ('y', '<f8'), ('radius', '<f8')]";
        folder.file("t.npy", npy(names, "(3,)", &numbers));
        for file in ["t.csv", "t.npy"] {
            let points = |radius: &str, more: &str| {
                format!("[[points]]\nfile = \"{file}\"\nradius = {{ column = \"radius\"{radius} }}\n{more}\n")
            };
            circle.check(&points(", units = \"data\"", "color = \"#ffffff\""), &folder);
            let order = "color = \"#ffffff\"\ndraw_order = \"-radius\"";
            circle.check(&points(", units = \"data\"", order), &folder);
            if scale == 1.0 {
                circle.check(&points("", "color = \"#ffffff\""), &folder);
            }
            let outlined = "color = \"#000000\"\nstroke = { color = \"#ffffff\", width = 7.3 }";
            Vast { stroke: Some(7.3), ..circle }.check(&points(", units = \"data\"", outlined), &folder);
        }
    }
}
