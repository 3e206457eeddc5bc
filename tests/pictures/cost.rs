//! Counts of the work that pictures take: it grows with pixels, samples and shapes, and no faster.

use crate::oracle::random::Random;
use roundel::cylinders::PaintedCylinder;
use roundel::spheres::{Camera, PaintedSphere, Projection, Shading, ShadingPreset, SphereScene};
use roundel::{Frame, RenderSettings, Renderer, Srgba8, Statistics};

/// Pixels of the window through which a part of each picture is drawn.
const WINDOW: [u32; 2] = [96, 72];

/// Something like the atoms of a molecule: a jittered lattice, where neighbours overlap.
fn atoms(side: i32, alpha: u8) -> Vec<PaintedSphere> {
    let mut random = Random::new(3);
    let place = |index: i32| [index % side, index / side % side, index / (side * side)];
    let colors = [[0x90, 0x90, 0x90], [0xd0, 0x30, 0x20], [0x30, 0x50, 0xd0]];
    (0..side.pow(3))
        .map(|index| {
            let center = place(index).map(|along| 1.5 * (along as f32 - 0.5 * side as f32) + random.within(-0.3, 0.3));
            let [r, g, b] = colors[index as usize % 3];
            PaintedSphere::new(center, random.within(1.1, 1.8), Srgba8 { r, g, b, a: alpha })
        })
        .collect()
}

/// The window in the middle of a picture of this width, in which the lattice is as large as the picture.
fn window(width: u32, side: i32, shading: Shading) -> SphereScene<'static> {
    let whole = 2.0 * side as f32;
    let height = whole * WINDOW[1] as f32 / width as f32;
    let camera = Camera::look_at([7.0, 5.0, 80.0], [0.3, 0.2, 0.0]).with_projection(Projection::orthographic(height));
    let line = (width as f32 / 800.0).max(1.0);
    SphereScene::new(camera, WINDOW[0], WINDOW[1]).with_shading(shading.with_outline_width(line))
}

fn statistics(scene: SphereScene<'_>) -> Statistics {
    let mut frame = Frame::new(1, 1, Srgba8::WHITE).expect("a pixel");
    let mut renderer = Renderer::new(&RenderSettings::default()).expect("it begins");
    renderer.render(&scene.into(), &mut frame).expect("it draws")
}

/// Asserts that the counts of a pixel are at most these: points lit, and samples compared with edges.
#[track_caller]
fn assert_at_most(found: Statistics, samples: u32, [lit, edges]: [f64; 2], name: &str) {
    let pixels = f64::from(WINDOW[0] * WINDOW[1]);
    let per_pixel = |count: u64| count as f64 / pixels;
    let [found_lit, found_edges, shaded] = [found.lit, found.edges, found.shaded].map(per_pixel);
    println!("{name}: lit {found_lit:.2}, edges {found_edges:.2}, shaded {shaded:.2}");
    assert!(found_lit <= lit, "{name}: {found_lit} points lit per pixel");
    assert!(found_edges <= edges * f64::from(samples), "{name}: {found_edges} samples per pixel compared");
    assert!(shaded <= f64::from(samples), "{name}: {shaded} samples per pixel shaded");
}

#[test]
fn work_per_pixel_does_not_grow_with_the_picture() {
    for look in [ShadingPreset::Illustrative, ShadingPreset::Studio] {
        let soft_lights = if look == ShadingPreset::Studio { 3.0 } else { 0.0 };
        let shading = Shading::preset(look).with_samples(1);
        for width in [640, 1280, 2560, 5120, 10_240] {
            let found = statistics(window(width, 12, shading).with_spheres(atoms(12, 255)));
            assert_at_most(found, 1, [1.0 + soft_lights, 1.0], &format!("{} {width}", look.name()));
        }
    }
}

/// Large spheres are lit at a number of points that follows their circumference, not their area.
#[test]
fn points_lit_on_a_large_sphere_follow_its_circumference() {
    let shading = Shading::preset(ShadingPreset::Illustrative).with_samples(1);
    let lit = |width| statistics(window(width, 12, shading).with_spheres(atoms(12, 255))).lit;
    // a window shows a share of the picture that shrinks with its area
    let [small, large] = [2560, 10_240].map(|width| lit(width) as f64);
    assert!(large < 0.5 * small, "{small} {large}");
}

#[test]
fn samples_share_the_light_of_a_pixel() {
    for samples in [1, 4, 16, 64] {
        let shading = Shading::preset(ShadingPreset::Illustrative).with_samples(samples);
        let found = statistics(window(1280, 8, shading).with_spheres(atoms(8, 255)));
        // pixels on the edge of two spheres have the light of both
        assert_at_most(found, samples, [1.6, 1.0], &format!("{samples} samples"));
    }
}

#[test]
fn work_does_not_grow_with_hidden_shapes() {
    let shading = Shading::preset(ShadingPreset::Illustrative).with_samples(1);
    for side in [6_i32, 12, 24] {
        let found = statistics(window(16 * side.cast_unsigned(), side, shading).with_spheres(atoms(side, 255)));
        assert_at_most(found, 1, [1.0, 1.0], &format!("{} shapes", side.pow(3)));
        let shapes = u64::from(side.cast_unsigned().pow(3));
        assert!(found.binned <= 4 * shapes * u64::from(shapes.ilog2()), "{side}: {} binned", found.binned);
    }
}

/// Occluders are sorted for each surface that shows: as many as grow with the logarithm of the scene, and no more where
/// occlusion ends within it.
#[test]
fn occluders_of_a_surface_do_not_grow_with_the_scene() {
    let occluders = |side: i32, distance: f32| {
        let shading = Shading::preset(ShadingPreset::Illustrative).with_samples(1).with_ao_distance(distance);
        statistics(window(16 * side.cast_unsigned(), side, shading).with_spheres(atoms(side, 255))).occluders as f64
    };
    let mut smaller = f64::INFINITY;
    for side in [12, 24, 48] {
        let endless = occluders(side, f32::INFINITY);
        println!("{} shapes: {endless} occluders", side.pow(3));
        assert!(endless < 1.5 * smaller, "{side}: {endless} {smaller}");
        smaller = endless;
        for distance in [4.0, 8.0, 16.0, 32.0] {
            let cut = occluders(side, distance);
            println!("{} shapes, up to {distance}: {cut} occluders", side.pow(3));
            assert!(cut < 8.0 * endless, "{side}, {distance}: {cut} {endless}");
        }
    }
}

#[test]
fn translucent_spheres_are_shaded_in_a_few_layers() {
    let shading = Shading::preset(ShadingPreset::Illustrative).with_samples(1);
    let pixels = f64::from(WINDOW[0] * WINDOW[1]);
    for width in [320, 640, 1280, 2560] {
        let found = statistics(window(width, 8, shading).with_spheres(atoms(8, 77)));
        let [lit, shaded] = [found.lit, found.shaded].map(|count| count as f64 / pixels);
        println!("{width}: lit {lit:.2}, shaded {shaded:.2}");
        assert!(lit <= 8.0 && shaded <= 8.0, "{width}: {lit} {shaded}");
    }
}

#[test]
fn sticks_are_lit_once_a_pixel() {
    let shading = Shading::preset(ShadingPreset::Illustrative).with_samples(1);
    let sticks = || {
        let ends = atoms(5, 255);
        let pairs = ends.windows(2).map(|pair| [&pair[0], &pair[1]]);
        let stick = |[one, other]: [&PaintedSphere; 2]| PaintedCylinder::new(one.center, other.center, 0.3, one.color);
        pairs.map(stick).collect::<Vec<_>>()
    };
    for width in [320, 640, 1280, 2560] {
        let found = statistics(window(width, 5, shading).with_cylinders(sticks()));
        assert_at_most(found, 1, [1.0, 1.0], &format!("sticks {width}"));
    }
}
