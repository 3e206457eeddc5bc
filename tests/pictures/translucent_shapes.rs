//! Translucent cylinders, ellipsoids and cones among spheres, against an evaluation in `f64` that only tests whether a
//! point is inside: surfaces and intervals of all solids along a ray, sorted and composed in linear light.
#![allow(
    clippy::disallowed_methods,
    clippy::cast_possible_truncation,
    reason = "an oracle with a tolerance; test data is in range"
)]

use std::collections::BTreeSet;

use super::pixels::{ExactView, assert_settings_change_no_byte, drawn, encode, linear};
use glam::{DVec3, Vec3};
use roundel::Srgba8;
use roundel::arrows::{PaintedArrow, PaintedCone};
use roundel::cylinders::{Caps, PaintedCylinder};
use roundel::ellipsoids::PaintedEllipsoid;
use roundel::spheres::{
    Camera, DirectionalLight, PaintedSphere, Projection, Shading, ShadingPreset, ShapeGroup, SphereGroup, SphereScene,
    Transparency,
};

use crate::oracle::random::Random;
use crate::shapes::{Solid, solids};
use crate::transparency::{MODELS, flat};

/// Distances closer than this may have another order in `f32`.
const DOUBT: f64 = 3e-4;

/// A solid of a scene with its colours.
struct Body {
    solid: Solid,
    colors: [Srgba8; 2],
    part: u32,
    /// The path length with the stated opacity.
    across: f64,
}

impl Body {
    fn all(scene: &SphereScene<'_>) -> Vec<Self> {
        let mut colors = Vec::new();
        for group in &scene.groups {
            let part = |at: usize| group.parts.get(at).copied().unwrap_or(0);
            colors.extend(
                group.spheres.iter().enumerate().map(|(at, sphere)| ([sphere.color; 2], part(at), 2.0 * sphere.radius)),
            );
        }
        for group in &scene.shapes.cylinders {
            let of = |(rod, &part): (&PaintedCylinder, &u32)| (rod.colors, part, 2.0 * rod.radius);
            colors.extend(group.shapes.iter().zip(group.parts.iter()).map(of));
        }
        for group in &scene.shapes.ellipsoids {
            let of = |(shape, &part): (&PaintedEllipsoid, &u32)| {
                let [a, b, c] = shape.radii;
                ([shape.color; 2], part, 2.0 * a.max(b).max(c))
            };
            colors.extend(group.shapes.iter().zip(group.parts.iter()).map(of));
        }
        for group in &scene.shapes.cones {
            let of = |(cone, &part): (&PaintedCone, &u32)| ([cone.color; 2], part, 2.0 * cone.radius);
            colors.extend(group.shapes.iter().zip(group.parts.iter()).map(of));
        }
        let of = |(solid, (colors, part, across)): (Solid, ([Srgba8; 2], u32, f32))| Self {
            solid,
            colors,
            part,
            across: f64::from(across),
        };
        solids(scene).into_iter().zip(colors).map(of).collect()
    }

    /// Signed distance of a point along the axis from its middle.
    fn behind_middle(&self, point: DVec3) -> f64 {
        let Solid::Cylinder { start, end, .. } = self.solid else { return -1.0 };
        (point - (start + end) / 2.0).dot((end - start).normalize())
    }

    fn color(&self, point: DVec3) -> Srgba8 {
        self.colors[usize::from(self.behind_middle(point) > 0.0)]
    }

    fn is_opaque(&self) -> bool {
        self.colors.iter().all(|color| color.a == 255)
    }
}

/// A stretch of a ray in a body.
#[derive(Clone, Copy)]
struct Stretch {
    from: f64,
    to: f64,
    color: Srgba8,
    body: usize,
}

fn opacity(color: Srgba8) -> f64 {
    f64::from(color.a) / 255.0
}

/// The intervals of a ray inside bodies, in front of the nearest opaque one, and its distance and colour; `None` where
/// `f32` may decide differently.
fn stretches(bodies: &[Body], origin: DVec3, direction: DVec3) -> Option<(Vec<Stretch>, f64, Option<Srgba8>)> {
    let mut places = Vec::new();
    let mut stretches = Vec::new();
    let (mut limit, mut behind) = (f64::INFINITY, None);
    for (index, body) in bodies.iter().enumerate() {
        let [grown, span, shrunk] = [DOUBT, 0.0, -DOUBT].map(|by| body.solid.span(origin, direction, by));
        if (grown[0] < f64::INFINITY) != (shrunk[0] < f64::INFINITY) {
            return None;
        }
        let [enter, exit] = span;
        if enter == f64::INFINITY || exit < 0.0 {
            continue;
        }
        if (grown[0] - shrunk[0]).abs() > 0.03 || (grown[1] - shrunk[1]).abs() > 0.03 {
            // grazes, or passes an edge
            return None;
        }
        let at = |distance: f64| origin + direction * distance;
        places.extend([enter.max(0.0), exit]);
        if body.is_opaque() {
            let seen = if enter >= 0.0 { enter } else { exit };
            if seen < limit {
                (limit, behind) = (seen, Some(body.color(at(seen))));
            }
            continue;
        }
        let [first, last] = [enter.max(0.0), exit].map(|distance| body.behind_middle(at(distance)));
        if first.abs() < DOUBT || last.abs() < DOUBT {
            return None;
        }
        let whole = Stretch { from: enter, to: exit, color: body.color(at(enter.max(0.0))), body: index };
        stretches.push(whole);
        if (first > 0.0) != (last > 0.0) && body.colors[0] != body.colors[1] {
            let seam = enter.max(0.0) + (exit - enter.max(0.0)) * first / (first - last);
            places.push(seam);
            stretches.pop();
            stretches.push(Stretch { to: seam, ..whole });
            stretches.push(Stretch { from: seam, color: body.color(at(exit)), ..whole });
        }
    }
    places.sort_by(f64::total_cmp);
    let is_doubtful = places.windows(2).any(|pair| pair[1] - pair[0] < DOUBT && pair[0] > 0.0);
    (!is_doubtful).then_some((stretches, limit, behind))
}

/// Light through a ray on white, with the look `flat`.
fn light(bodies: &[Body], model: Transparency, origin: DVec3, direction: DVec3) -> Option<DVec3> {
    let (stretches, limit, behind) = stretches(bodies, origin, direction)?;
    let mut ends: Vec<f64> = stretches.iter().flat_map(|part| [part.from.max(0.0), part.to]).collect();
    ends.retain(|&end| end < limit);
    ends.extend([0.0].into_iter().chain((limit < f64::INFINITY).then_some(limit)));
    ends.sort_by(f64::total_cmp);
    let (mut sum, mut pass) = (DVec3::ZERO, 1.0);
    if model == Transparency::Solid {
        for pair in ends.windows(2) {
            let middle = (pair[0] + pair[1]) / 2.0;
            let around: Vec<&Stretch> =
                stretches.iter().filter(|part| part.from < middle && middle < part.to).collect();
            if around.is_empty() {
                continue;
            }
            let density = |part: &Stretch| match part.color.a {
                255 => 1e9,
                _ => -(1.0 - opacity(part.color)).ln() / bodies[part.body].across,
            };
            let total: f64 = around.iter().map(|part| density(part)).sum();
            let through = (-total / around.len() as f64 * (pair[1] - pair[0])).exp();
            let glow: DVec3 = around.iter().map(|part| linear(part.color) * density(part)).sum();
            if total > 0.0 {
                sum += glow / total * (pass * (1.0 - through));
            }
            pass *= through;
        }
    } else {
        ends.dedup();
        let mut entered = BTreeSet::new();
        for end in ends.into_iter().filter(|&end| end < limit) {
            // of a cylinder in two colours, the seam between its halves is no surface
            let of = |part: &&Stretch| part.from == end && part.from >= 0.0 || part.to == end;
            let touching: Vec<&Stretch> = stretches.iter().filter(of).collect();
            let [part] = touching[..] else { continue };
            let group = bodies[part.body].part;
            let is_around = |other: &Stretch| {
                other.body != part.body && bodies[other.body].part == group && other.from < end && end < other.to
            };
            if model == Transparency::Front && (part.from != end || !entered.insert(group)) {
                continue;
            }
            if model == Transparency::Shell && stretches.iter().any(is_around) {
                continue;
            }
            sum += linear(part.color) * (pass * opacity(part.color));
            pass *= 1.0 - opacity(part.color);
        }
    }
    Some(sum + behind.map_or(DVec3::ONE, linear) * pass)
}

/// Rods of two colours, ellipsoids, cones and spheres in two parts; some are opaque, and some rods at one end.
fn mixed(seed: u64, count: usize) -> SphereScene<'static> {
    let mut random = Random::new(seed);
    let point = |random: &mut Random| -> [f32; 3] { [(); 3].map(|()| random.within(-1.2, 1.2)) };
    let alpha = |random: &mut Random| if random.unit() < 0.15 { 255 } else { random.within(20.0, 230.0) as u8 };
    let (mut cylinders, mut ellipsoids, mut cones, mut spheres) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for at in 0..count {
        let [a, b] = [point(&mut random), point(&mut random)];
        let radius = random.within(0.08, 0.35);
        let colors = [(); 2].map(|()| {
            let alpha = alpha(&mut random);
            random.color(alpha)
        });
        let caps = if at % 2 == 0 { Caps::Flat } else { Caps::Round };
        let rod = PaintedCylinder::new(a, b, radius, colors[0]).with_caps(caps);
        cylinders.push(if at % 3 == 0 { rod } else { rod.with_end_color(colors[1]) });
        let radii = [(); 3].map(|()| random.within(0.2, 0.7));
        let turn = [(); 4].map(|()| random.within(-1.0, 1.0));
        let opacity = alpha(&mut random);
        ellipsoids.push(PaintedEllipsoid::new(point(&mut random), radii, random.color(opacity)).with_rotation(turn));
        let [a, b] = [point(&mut random), point(&mut random)];
        let opacity = alpha(&mut random);
        cones.push(PaintedCone::new(a, b, random.within(0.15, 0.5), random.color(opacity)));
        let opacity = alpha(&mut random);
        spheres.push(PaintedSphere::new(point(&mut random), random.within(0.1, 0.4), random.color(opacity)));
    }
    let parts: Vec<u32> = (0..count as u32).map(|at| at % 2).collect();
    let mut scene = SphereScene::new(cameras()[0], 64, 48)
        .with_background(Srgba8::WHITE)
        .with_spheres(SphereGroup::from(spheres).with_parts(parts.clone()))
        .with_shading(flat());
    scene.shapes = scene
        .shapes
        .with_cylinders(ShapeGroup::from(cylinders).with_parts(parts.clone(), 0))
        .with_ellipsoids(ShapeGroup::from(ellipsoids).with_parts(parts.clone(), 0))
        .with_cones(ShapeGroup::from(cones).with_parts(parts, 0));
    scene
}

fn cameras() -> [Camera; 3] {
    let camera = Camera::look_at([1.5, 1.0, 6.0], Vec3::ZERO);
    [
        camera.with_projection(Projection::perspective_degrees(32.0)),
        camera.with_projection(Projection::orthographic(3.5)),
        Camera::look_at([0.2, 0.1, -0.3], [-1.0, 0.4, 2.0]).with_projection(Projection::perspective_degrees(70.0)),
    ]
}

#[test]
fn shapes_are_composed_as_the_oracle_does() {
    for model in MODELS {
        for (seed, camera) in (31..).zip(cameras()) {
            for count in [1, 4, 9] {
                let mut scene = mixed(seed, count);
                scene.view.camera = camera;
                scene.shading = scene.shading.with_transparency(model);
                let (bodies, frame) = (Body::all(&scene), drawn(&scene));
                let view = ExactView::new(&scene.view);
                let mut sure = 0;
                for (at, pixel) in frame.pixels().iter().enumerate() {
                    let (origin, direction) = view.ray((at % 64) as f64 + 0.5, (at / 64) as f64 + 0.5);
                    let Some(light) = light(&bodies, model, origin, direction) else { continue };
                    sure += 1;
                    let expected = light.to_array().map(encode);
                    for (expected, found) in expected.into_iter().zip([pixel.r, pixel.g, pixel.b].map(f64::from)) {
                        let is_close = (expected - found).abs() <= 1.0;
                        assert!(is_close, "{model}, seed {seed}, {count}: pixel {at} is {pixel:?}, not {expected}");
                    }
                }
                assert!(sure > 1000, "{model}, seed {seed}, {count}: only {sure} pixels are beyond doubt");
            }
        }
    }
}

#[test]
fn atoms_and_bonds_of_a_part_are_one_shell() {
    let ghost = Srgba8::rgba(200, 60, 40, 100);
    let ends = [[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]];
    let atoms = ends.map(|center| PaintedSphere::new(center, 0.6, ghost)).to_vec();
    let bond = PaintedCylinder::new(ends[0], ends[1], 0.3, ghost);
    let camera = Camera::look_at([0.0, 0.0, 6.0], Vec3::ZERO).with_projection(Projection::orthographic(2.0));
    let shading = flat();
    let scene = SphereScene::new(camera, 96, 48).with_spheres(atoms).with_cylinders(vec![bond]).with_shading(shading);
    let frame = drawn(&scene);
    let middle: Vec<_> = (24..72).map(|x| frame.pixel(x, 24).expect("inside")).collect();
    // two surfaces everywhere, though rays pass atom and bond at both ends
    assert!(middle.iter().all(|pixel| *pixel == middle[0]), "{middle:?}");
    assert_ne!(middle[0], Srgba8::WHITE);
}

#[test]
fn shaft_and_head_of_an_arrow_are_one_shell() {
    let color = Srgba8::rgba(255, 0, 0, 128);
    let camera = Camera::look_at([0.0, 0.0, 6.0], Vec3::ZERO).with_projection(Projection::orthographic(0.5));
    let shading = flat();
    for start in [[0.03, 0.01, 0.75], [0.03, 0.01, -0.75]] {
        // along the rays: each meets two surfaces of the arrow or none
        let arrow = PaintedArrow::new(start, [0.0, 0.0, -2.0 * start[2]], 0.1, color);
        let scene = SphereScene::new(camera, 96, 96).with_arrows(&[arrow]).with_shading(shading);
        let frame = drawn(&scene);
        let mut colors: Vec<_> = frame.pixels().iter().map(|pixel| (pixel.r, pixel.g, pixel.b)).collect();
        colors.sort_unstable();
        colors.dedup();
        assert_eq!(colors.len(), 2, "{colors:?}");
    }
}

#[test]
fn an_invisible_shape_shows_nowhere() {
    let nothing = Srgba8::rgba(200, 60, 40, 0);
    let empty = SphereScene::new(cameras()[0], 32, 32);
    let scene = empty.clone().with_cylinders(vec![PaintedCylinder::new([-1.0; 3], [1.0; 3], 0.5, nothing)]);
    assert!(drawn(&scene) == drawn(&empty));
}

#[test]
fn hard_shadows_of_translucent_shapes_are_those_of_spheres() {
    // an ellipsoid and a round cylinder that are spheres
    let (center, color) = ([0.3, 0.1, 0.0], Srgba8::rgba(20, 90, 200, 90));
    let floor = PaintedSphere::new([0.0, 0.0, -102.0], 100.0, Srgba8::rgb(220, 200, 180));
    let light = DirectionalLight::new([0.5, -0.25, -1.0]).with_intensity(0.75);
    let camera = Camera::look_at([0.5, -8.0, -1.0], [0.5, -0.5, -2.0]).with_projection(Projection::orthographic(5.0));
    for model in MODELS {
        let empty = SphereScene::new(camera, 80, 60)
            .with_spheres(vec![floor])
            .with_light(light)
            .with_shading(Shading::default().with_ambient(0.25).with_shadows().with_transparency(model));
        let ball = empty.clone().with_spheres(vec![PaintedSphere::new(center, 0.8, color)]);
        let grain = empty.clone().with_ellipsoids(vec![PaintedEllipsoid::new(center, [0.8; 3], color)]);
        let rod = PaintedCylinder::new(center, center, 0.8, color).with_caps(Caps::Round);
        let rod = empty.clone().with_cylinders(vec![rod]);
        let expected = drawn(&ball);
        for (name, scene) in [("ellipsoid", grain), ("cylinder", rod)] {
            let found = drawn(&scene);
            let far = |(a, b): (&Srgba8, &Srgba8)| {
                [a.r.abs_diff(b.r), a.g.abs_diff(b.g), a.b.abs_diff(b.b)].into_iter().any(|difference| difference > 1)
            };
            let differing = found.pixels().iter().zip(expected.pixels()).filter(|pair| far(*pair)).count();
            // silhouettes are rounded in another way
            assert!(differing < 60, "{model}, {name}: {differing} pixels differ");
        }
        assert!(expected != drawn(&empty));
    }
}

#[test]
fn settings_change_no_byte() {
    for (model, look) in MODELS.into_iter().zip([
        ShadingPreset::Studio,
        ShadingPreset::Illustrative,
        ShadingPreset::Flat,
        ShadingPreset::Studio,
    ]) {
        let mut scene = mixed(77, 8);
        scene.view.camera = cameras()[0];
        scene.shading = Shading::preset(look).with_splat_radius(0.0).with_transparency(model).with_samples(2);
        assert_settings_change_no_byte(&scene, &[8, 13, 31], &format!("{model}, {look}"));
    }
}

#[test]
fn outlines_have_the_opacity_of_the_half_that_they_surround() {
    let (faint, full) = (Srgba8::rgba(90, 200, 90, 40), Srgba8::rgb(90, 90, 200));
    let (left, right) = ([-0.8, 0.2, 0.0], [0.8, -0.1, 0.3]);
    let camera = Camera::look_at([0.3, 0.4, 4.0], [0.0; 3]);
    let rod = PaintedCylinder::new(left, right, 0.3, faint).with_end_color(full).with_caps(Caps::Round);
    let turned = PaintedCylinder { start: right, end: left, colors: [full, faint], ..rod };
    let draw = |rod: PaintedCylinder| {
        let shading = Shading::preset(ShadingPreset::Flat).with_outline_width(2.0);
        drawn(&SphereScene::new(camera, 64, 48).with_cylinders(vec![rod]).with_shading(shading))
    };
    let frame = draw(rod);
    assert!(frame == draw(turned), "the ends of an axis change places");
    let darkest = |columns: std::ops::Range<usize>| {
        let in_columns = |&(at, _): &(usize, &Srgba8)| columns.contains(&(at % 64));
        frame.pixels().iter().enumerate().filter(in_columns).map(|(_, pixel)| pixel.r).min()
    };
    assert!(darkest(0..24) > Some(80), "a faint line around the faint half");
    assert!(darkest(40..64) < Some(10), "a black line around the opaque half");
}
