//! Light of spheres that are smaller than pixels, against the surface of their depths in `f64`.

use super::looks::{BLUE, hit, plain, sphere};
use super::pixels::{ExactView, drawn, single};
use crate::oracle::random::Random;
use roundel::color::{linear_from_srgb8, srgb8_from_linear};
use roundel::glam::{DVec3, Vec3};
use roundel::spheres::{Camera, PaintedSphere, Projection, ShadingPreset, SphereScene, View};

/// A picture's depths along the line of sight in `f64`, infinite where nothing is seen.
fn depth_map(view: &View, spheres: &[PaintedSphere]) -> Vec<f64> {
    let ExactView { eye, forward, .. } = ExactView::new(view);
    let pixels = (0..view.height).flat_map(|y| (0..view.width).map(move |x| [x as f32 + 0.5, y as f32 + 0.5]));
    let depth = |at| hit(view, at, spheres).map_or(f64::INFINITY, |(_, _, point)| (point - eye).dot(forward));
    pixels.map(depth).collect()
}

/// The surface of the depths: means over pixels of the same surface, or over a wider region where neighbours do not agree
/// on one.
fn surface(depths: &[f64], width: usize, pixel: &dyn Fn(f64) -> f64) -> Vec<f64> {
    let height = depths.len() / width;
    let around = |index: usize, side: usize| {
        let (column, row) = (index % width, index / width);
        let columns = column.saturating_sub(side)..(column + side + 1).min(width);
        let rows = row.saturating_sub(side)..(row + side + 1).min(height);
        let places: Vec<usize> = rows.flat_map(|y| columns.clone().map(move |x| y * width + x)).collect();
        places.into_iter().filter(|&place| depths[place].is_finite()).collect::<Vec<_>>()
    };
    let mean = |numbers: &[f64]| numbers.iter().sum::<f64>() / numbers.len() as f64;
    let smooth = |index: usize| {
        let own = depths[index];
        let around = around(index, 1);
        let same = around.iter().map(|&i| depths[i]).filter(|z| (z - own).abs() < 6.0 * pixel(own));
        let same: Vec<f64> = same.collect();
        let agreement = if around.len() > 1 { (same.len() - 1) as f64 / (around.len() - 1) as f64 } else { 1.0 };
        (mean(&same), agreement)
    };
    let seen = |index: &usize| depths[*index].is_finite();
    let smoothed: Vec<(f64, f64)> =
        (0..depths.len()).map(|index| if seen(&index) { smooth(index) } else { (f64::INFINITY, 1.0) }).collect();
    let of_pixel = |index: usize| {
        let around = around(index, 8);
        let agreement = mean(&around.iter().map(|&i| smoothed[i].1).collect::<Vec<_>>());
        let region = mean(&around.iter().map(|&i| depths[i]).collect::<Vec<_>>());
        let share = ((agreement - 0.35) / 0.4).clamp(0.0, 1.0);
        region + (smoothed[index].0 - region) * share
    };
    (0..depths.len()).map(|index| if seen(&index) { of_pixel(index) } else { f64::INFINITY }).collect()
}

/// The lightness of a pixel of splats, from the formulas.
fn cloud_lightness(surface: &[f64], width: usize, pixel: &dyn Fn(f64) -> f64, [x, y]: [usize; 2]) -> f64 {
    let height = surface.len() / width;
    let at = |[right, down]: [i64; 2]| {
        let (x, y) = (i64::try_from(x).expect("small") + right, i64::try_from(y).expect("small") + down);
        let inside = (0..i64::try_from(width).expect("small")).contains(&x)
            && (0..i64::try_from(height).expect("small")).contains(&y);
        inside.then(|| surface[usize::try_from(y).expect("inside") * width + usize::try_from(x).expect("inside")])
    };
    let own = surface[y * width + x];
    let size = pixel(own);
    let mut openness = 0.0;
    for step in 0..8 {
        // every other direction lies between the axes
        let turn = f64::from(step / 2) * 90.0 + f64::from(step % 2) * 22.5;
        let (sin, cos) = libm::sincos(turn.to_radians());
        let mut steepest = 0.0f64;
        for distance in [1.4, 4.0, 8.0, 16.0, 32.0] {
            #[expect(clippy::cast_possible_truncation, reason = "a few pixels")]
            let offset = [cos, sin].map(|along| (along * distance).round() as i64);
            if let Some(other) = at(offset).filter(|z| z.is_finite()) {
                let ratio: f64 = distance / 40.0;
                steepest = steepest.max((own - other) / (distance * size) * (1.0 - ratio * ratio));
            }
        }
        openness += 0.125 / (1.0 + steepest * steepest);
    }
    let cosines = [(2i64, 16.0), (8, 48.0)].map(|(step, jump)| {
        let (mut sums, mut weights) = ([0.0; 2], [0.0; 2]);
        for down in -3..=3 {
            for right in -3..=3 {
                let offset = [step * right, step * down];
                if let Some(other) = at(offset).filter(|z| (z - own).abs() < jump * size) {
                    for axis in 0..2 {
                        sums[axis] += offset[axis] as f64 * (other - own);
                        weights[axis] += (offset[axis] * offset[axis]) as f64;
                    }
                }
            }
        }
        let slope = |axis: usize| if weights[axis] > 0.0 { sums[axis] / weights[axis] } else { 0.0 };
        let normal = DVec3::new(slope(0), -slope(1), size).normalize();
        normal.dot(DVec3::new(-1.0, 1.0, 1.0).normalize()).max(0.0)
    });
    ((0.35 + 0.65 * openness) * (0.6 + 0.3 * (cosines[0] + cosines[1]))).min(1.0)
}

#[test]
fn clouds_are_lit_as_their_depths_say() {
    let mut random = Random::new(3);
    // a surface, a rough one, and spheres scattered in depth
    let mut shell = |least: f64| -> Vec<PaintedSphere> {
        let place = |random: &mut Random| Vec3::from([0; 3].map(|_| random.within(-1.0, 1.0))).normalize();
        (0..4000).map(|_| sphere((place(&mut random) * random.within(least, 3.0)).into(), 0.06, BLUE)).collect()
    };
    let shells = [shell(2.95), shell(2.6), shell(0.5)];
    let projections = [Projection::orthographic(7.0), Projection::perspective_degrees(30.0)];
    for (spheres, projection) in shells.iter().flat_map(|shell| projections.map(|projection| (shell, projection))) {
        let camera = Camera::look_at([0.0, 0.0, 13.0], [0.0; 3]).with_projection(projection);
        let shading = plain(ShadingPreset::Studio).with_splat_radius(1e4);
        let scene = SphereScene::new(camera, 96, 72).with_spheres(spheres.clone()).with_shading(shading);
        let ExactView { step, is_parallel, .. } = ExactView::new(&scene.view);
        let pixel = move |depth: f64| if is_parallel { step } else { step * depth };
        let depths = depth_map(&scene.view, spheres);
        let surface = surface(&depths, 96, &pixel);
        let frame = drawn(&scene);
        let (mut shown, mut wrong) = (0, 0);
        for (index, found) in frame.pixels().iter().enumerate().filter(|(index, _)| depths[*index].is_finite()) {
            let lightness = cloud_lightness(&surface, 96, &pixel, [index % 96, index / 96]);
            let light = f64::from(linear_from_srgb8(BLUE.b)) * lightness * lightness * (0.75 + 0.25 * lightness);
            shown += 1;
            wrong += u32::from(found.b.abs_diff(srgb8_from_linear(single(light))) > 1);
        }
        // at an edge, rounding may find another sphere, which changes neighbouring pixels, too
        assert!(shown > 1500 && wrong < shown / 50, "{projection:?}: {wrong} of {shown}");
    }
}
