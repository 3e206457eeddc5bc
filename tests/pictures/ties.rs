//! Shapes of different kinds in one place: the first in the scene shows.

use roundel::arrows::PaintedCone;
use roundel::cylinders::{Caps, PaintedCylinder};
use roundel::ellipsoids::PaintedEllipsoid;
use roundel::spheres::{Camera, PaintedSphere, Projection, Shading, ShadingPreset, SphereScene, Transparency};
use roundel::{Frame, RenderSettings, Srgba8, render};

const RED: Srgba8 = Srgba8::rgb(255, 0, 0);
const BLUE: Srgba8 = Srgba8::rgb(0, 0, 255);

/// The pixels that show red and those that show blue, seen from some sides by either projection.
fn counts(scene: &SphereScene<'static>) -> Vec<[usize; 2]> {
    let count = |(eye, projection)| {
        let frame = drawn(scene, eye, projection);
        [RED, BLUE].map(|color| frame.pixels().iter().filter(|pixel| **pixel == color).count())
    };
    views().map(count).collect()
}

fn views() -> impl Iterator<Item = ([f32; 3], Projection)> {
    let eyes = [[3.0, 2.0, 5.0], [-4.0, 1.0, 3.0], [0.3, 5.0, 0.2], [20.0, 13.0, -7.0]];
    let projections = [Projection::Perspective { fov_y_radians: 0.3 }, Projection::orthographic(2.0)];
    eyes.into_iter().flat_map(move |eye| projections.map(|projection| (eye, projection)))
}

fn drawn(scene: &SphereScene<'static>, eye: [f32; 3], projection: Projection) -> Frame {
    let mut scene = scene.clone();
    scene.view.camera = Camera::look_at(eye, [0.0; 3]).with_projection(projection);
    render(&scene.into(), &RenderSettings::default()).expect("it draws")
}

fn empty() -> SphereScene<'static> {
    let mut shading = Shading::preset(ShadingPreset::Flat);
    shading.outline_width = Some(0.0);
    let shading = shading.with_samples(1);
    SphereScene::new(Camera::look_at([0.0, 0.0, 5.0], [0.0; 3]), 96, 96).with_shading(shading)
}

#[test]
fn of_a_sphere_and_an_equal_ellipsoid_the_sphere_shows() {
    let scene = empty()
        .with_spheres(vec![PaintedSphere::new([0.1, 0.0, 0.2], 0.6, RED)])
        .with_ellipsoids(vec![PaintedEllipsoid::new([0.1, 0.0, 0.2], [0.6; 3], BLUE)]);
    for [red, blue] in counts(&scene) {
        // the rim is a matter of rounding
        assert!(red > 100 && blue <= 3, "{red} red and {blue} blue pixels");
    }
}

#[test]
fn a_sphere_at_the_round_end_of_a_cylinder_covers_it() {
    let rod = PaintedCylinder::new([0.0; 3], [0.0, -0.4, 0.0], 0.5, BLUE).with_caps(Caps::Round);
    let scene = empty().with_spheres(vec![PaintedSphere::new([0.0; 3], 0.5, RED)]).with_cylinders(vec![rod]);
    let alone = empty().with_spheres(vec![PaintedSphere::new([0.0; 3], 0.5, RED)]);
    let shares: Vec<f64> = counts(&scene)
        .into_iter()
        .zip(counts(&alone))
        .map(|([red, _], [wanted, _])| red as f64 / wanted as f64)
        .collect();
    // from above nearly all of the sphere shows, from elsewhere its upper half
    let is_right = |(at, share): (usize, &f64)| if at / 2 == 2 { *share > 0.9 } else { *share > 0.5 };
    assert!(shares.iter().enumerate().all(is_right), "{shares:?}");
}

/// Flat ends and the base of a cone in one plane.
#[test]
fn of_flat_ends_in_one_plane_the_first_shows() {
    let disc = |x: f32, from: f32, color| PaintedCylinder::new([x, from, 0.0], [x, 0.3, 0.0], 0.6, color);
    for (from, is_turned) in [(0.1, false), (0.0, false), (-0.7, true), (0.25, true)] {
        let first = empty().with_cylinders(vec![disc(0.0, 0.1, RED)]);
        let mut other = disc(-0.2, from, BLUE);
        if is_turned {
            (other.start, other.end) = (other.end, other.start);
        }
        let both = empty().with_cylinders(vec![disc(0.0, 0.1, RED), other]);
        let cone = PaintedCone { base: [-0.2, 0.3, 0.0], apex: [-0.2, -0.5, 0.0], radius: 0.6, color: BLUE };
        let with_cone = empty().with_cylinders(vec![disc(0.0, 0.1, RED)]).with_cones(vec![cone]);
        // seen from above
        let top = |scene: &SphereScene<'static>| counts(scene)[4..6].to_vec();
        let [first, both, with_cone] = [&first, &both, &with_cone].map(top);
        for ((first, both), with_cone) in first.into_iter().zip(both).zip(with_cone) {
            // the rims are a matter of rounding
            let lost = [both[0], with_cone[0]].map(|red| first[0] - red.min(first[0]));
            assert!(lost.iter().all(|lost| *lost <= 5), "from {from}: {lost:?}");
        }
    }
}

/// Red is first in each scene.
#[test]
fn translucent_shapes_in_one_place_have_the_order_of_the_scene() {
    const FAINT: [Srgba8; 2] = [Srgba8 { a: 128, ..RED }, Srgba8 { a: 128, ..BLUE }];
    let [red, blue] = FAINT;
    let ball = PaintedSphere::new([0.1, 0.0, 0.2], 0.6, red);
    let equal =
        empty().with_spheres(vec![ball]).with_ellipsoids(vec![PaintedEllipsoid::new([0.1, 0.0, 0.2], [0.6; 3], blue)]);
    let rod = |color| PaintedCylinder::new([0.0; 3], [0.0, -0.4, 0.0], 0.5, color).with_caps(Caps::Round);
    let end = empty().with_spheres(vec![PaintedSphere::new([0.0; 3], 0.5, red)]).with_cylinders(vec![rod(blue)]);
    let base = PaintedCone { base: [0.0, 0.3, 0.0], apex: [0.0, -0.5, 0.0], radius: 0.6, color: blue };
    let flat = empty()
        .with_cylinders(vec![PaintedCylinder::new([0.0, 0.1, 0.0], [0.0, 0.3, 0.0], 0.6, red)])
        .with_cones(vec![base]);
    for model in [Transparency::Surfaces, Transparency::Shell, Transparency::Front] {
        let shares = |scene: &SphereScene<'static>| -> Vec<[usize; 2]> {
            let mut scene = scene.clone();
            scene.shading.transparency = model;
            let is_redder = |pixel: &Srgba8| pixel.r > pixel.b;
            let is_bluer = |pixel: &Srgba8| pixel.b > pixel.r;
            views()
                .map(|(eye, projection)| {
                    let frame = drawn(&scene, eye, projection);
                    let count = |is: fn(&Srgba8) -> bool| frame.pixels().iter().filter(|pixel| is(pixel)).count();
                    [count(is_redder), count(is_bluer)]
                })
                .collect()
        };
        for [red, blue] in shares(&equal) {
            // the rim is a matter of rounding
            assert!(red > 100 && blue <= 6, "{model:?}: {red} red and {blue} blue pixels of equal shapes");
        }
        // the upper half of the ball, from above nearly all of it
        for (at, [red, blue]) in shares(&end).into_iter().enumerate() {
            let share = red as f64 / (red + blue) as f64;
            assert!(share > if at / 2 == 2 { 0.9 } else { 0.4 }, "{model:?}, view {at}: {share}");
        }
        // seen from above
        for [red, blue] in &shares(&flat)[4..6] {
            assert!(*red > 100 && *blue <= 12, "{model:?}: {red} red and {blue} blue pixels of flat ends");
        }
    }
}
