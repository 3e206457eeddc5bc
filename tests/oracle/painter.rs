//! A slow, obvious painter of circles and ellipses: exact areas in `f64`, back to front, one pixel at a time.
#![allow(
    clippy::disallowed_methods,
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    reason = "an oracle with a tolerance; test data is in range"
)]

use roundel::circles::{Blend, Canvas, PaintedEllipse, Style};
use roundel::color::linear_from_srgb8;
use roundel::geom::{Circle, pixel_coverage};

/// Area of the unit disc inside the box from (x[0], y[0]) to (x[1], y[1]).
///
/// An integral over x: the disc's upper arc, clipped to the box, is piecewise a constant or an arc.
fn disc_in_box(x: [f64; 2], y: [f64; 2]) -> f64 {
    // the part under the upper arc less the part under the lower arc
    under_arc(x, y) + under_arc(x, [-y[1], -y[0]]) - (clamp_to_disc(x[1]) - clamp_to_disc(x[0])) * (y[1] - y[0])
}

fn clamp_to_disc(value: f64) -> f64 {
    value.clamp(-1.0, 1.0)
}

/// ∫ over x of (clamp(√(1 − x²), y0, y1) − y0).
fn under_arc(x: [f64; 2], y: [f64; 2]) -> f64 {
    let (from, to) = (clamp_to_disc(x[0]), clamp_to_disc(x[1]));
    let mut cuts = vec![from, to];
    for height in y {
        if height.abs() < 1.0 && height > 0.0 {
            let cut = ((1.0 - height) * (1.0 + height)).sqrt();
            cuts.extend([-cut, cut].into_iter().filter(|cut| from < *cut && *cut < to));
        }
    }
    cuts.sort_by(f64::total_cmp);
    let primitive = |t: f64| 0.5 * (t * ((1.0 - t) * (1.0 + t)).max(0.0).sqrt() + t.asin());
    let piece = |pair: &[f64]| {
        let (a, b) = (pair[0], pair[1]);
        let middle = 0.5 * (a + b);
        let arc = ((1.0 - middle) * (1.0 + middle)).max(0.0).sqrt();
        // an arc's top that touches the row is not above it
        if arc >= y[1] && y[1] < 1.0 {
            (b - a) * (y[1] - y[0])
        } else if arc <= y[0] {
            0.0
        } else {
            primitive(b) - primitive(a) - y[0] * (b - a)
        }
    };
    cuts.windows(2).map(piece).sum()
}

/// Exact coverage of a pixel by the ellipse; good to about 10⁻¹⁶ of the radii's product.
fn ellipse_coverage(center: [f32; 2], radii: [f64; 2], column: u32, row: u32) -> f64 {
    if radii[0] <= 0.0 || radii[1] <= 0.0 {
        return 0.0;
    }
    let scaled = |pixel: u32, axis: usize| {
        let start = f64::from(pixel) - f64::from(center[axis]);
        [start / radii[axis], (start + 1.0) / radii[axis]]
    };
    let (x, y) = (scaled(column, 0), scaled(row, 1));
    (disc_in_box(x, y) * radii[0] * radii[1]).clamp(0.0, 1.0)
}

/// Exact coverage of a pixel by the shape.
pub(crate) fn coverage(shape: &PaintedEllipse, column: u32, row: u32) -> f64 {
    let radii = shape.radii;
    match shape.style {
        // differences of areas this large cancel too many bits; the crate's formula is tested against rational arithmetic
        Style::Fill if radii[0] > 1000.0 && radii[0] == radii[1] => {
            let circle = Circle { center: shape.center, radius: shape.radii[0] as f32 };
            pixel_coverage(&circle, column as i32, row as i32)
        }
        Style::Fill => ellipse_coverage(shape.center, radii, column, row),
        Style::Stroke(stroke) => {
            let half = 0.5 * f64::from(stroke.width);
            let outer = ellipse_coverage(shape.center, radii.map(|radius| radius + half), column, row);
            outer - ellipse_coverage(shape.center, radii.map(|radius| radius - half), column, row)
        }
        other => panic!("{other:?}"),
    }
}

fn decode(value: u8, blend: Blend) -> f64 {
    match blend {
        Blend::Srgb => f64::from(value) / 255.0,
        Blend::Linear => f64::from(linear_from_srgb8(value)),
    }
}

fn encode(value: f64, blend: Blend) -> f64 {
    let encoded = match blend {
        Blend::Srgb => value,
        Blend::Linear if value <= 0.003_130_8 => value * 12.92,
        Blend::Linear => 1.055 * value.powf(1.0 / 2.4) - 0.055,
    };
    255.0 * encoded
}

/// A pixel's red, green, blue and alpha, 0 to 255, not rounded: every shape over those below it.
pub(crate) fn pixel(canvas: &Canvas, shapes: &[PaintedEllipse], column: u32, row: u32) -> [f64; 4] {
    let back = canvas.background;
    let mut alpha = f64::from(back.a) / 255.0;
    let mut light = [back.r, back.g, back.b].map(|channel| alpha * decode(channel, canvas.blend));
    for shape in shapes {
        let weight = coverage(shape, column, row) * f64::from(shape.color.a) / 255.0;
        let color = [shape.color.r, shape.color.g, shape.color.b].map(|channel| decode(channel, canvas.blend));
        for (light, color) in light.iter_mut().zip(color) {
            *light = *light * (1.0 - weight) + color * weight;
        }
        alpha = alpha * (1.0 - weight) + weight;
    }
    let straight = light.map(|light| if alpha > 0.0 { encode(light / alpha, canvas.blend) } else { 0.0 });
    [straight[0], straight[1], straight[2], 255.0 * alpha]
}
