//! Cameras that show everything: nothing cut off, nothing wasted, nothing mirrored.
#![expect(clippy::disallowed_methods, reason = "an oracle with a tolerance")]

use crate::files::{Folder, only_spheres};
use glam::{Mat3, Vec3};
use roundel::Srgba8;
use roundel::io::LoadOptions;
use roundel::spheres::{Camera, Framing, PaintedSphere, Pose, Projection, SphereGroup, StandardView, View};

/// The extent of the spheres to the right, left, top and bottom; the picture's edge is at 1.
fn seen(camera: &Camera, aspect: f32, groups: &[SphereGroup<'_>]) -> [f32; 4] {
    let back = (camera.eye - camera.target).normalize();
    let right = camera.up.cross(back).normalize();
    let up = back.cross(right);
    let mut reach = [f32::NEG_INFINITY; 4];
    for group in groups {
        for (pose, sphere) in group.poses.iter().flat_map(|pose| group.spheres.iter().map(move |sphere| (pose, sphere)))
        {
            let center = pose.rotation * Vec3::from(sphere.center) + pose.translation - camera.eye;
            let (x, y, depth) = (center.dot(right), center.dot(up), -center.dot(back));
            for (reach, (along, width)) in reach.iter_mut().zip([(x, aspect), (-x, aspect), (y, 1.0), (-y, 1.0)]) {
                let edge = match camera.projection {
                    Projection::Orthographic { height } => (along + sphere.radius) / (0.5 * height * width),
                    Projection::Perspective { fov_y_radians } => {
                        // the ray that grazes the sphere: the angle to its centre and the angle of its radius
                        let distance = along.hypot(depth);
                        assert!(distance > sphere.radius, "the eye is outside of every sphere");
                        let angle = along.atan2(depth) + (sphere.radius / distance).asin();
                        angle.tan() / ((0.5 * fov_y_radians).tan() * width)
                    }
                };
                *reach = reach.max(edge);
            }
        }
    }
    reach
}

#[test]
fn framing_touches_the_outermost_spheres_with_a_margin() {
    let mut seed = 1_u64;
    let mut random = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 40) as f32 / (1_u64 << 24) as f32
    };
    for round in 0..50 {
        let scale = [1.0, 1e-3, 1e4][round % 3];
        let mut sphere = || PaintedSphere {
            center: [random() * 3.0 * scale, (random() - 4.0) * scale, random() * 2.0 * scale],
            radius: random() * 0.4 * scale,
            color: Srgba8::BLACK,
        };
        let spheres: Vec<_> = (0..=round).map(|_| sphere()).collect();
        let turn = Mat3::from_rotation_y(2.0) * Mat3::from_rotation_x(1.0);
        let mut poses = vec![Pose::IDENTITY];
        if round % 2 == 0 {
            poses.push(Pose { rotation: turn, translation: Vec3::splat(scale) });
            poses.push(Pose { rotation: turn * turn, translation: Vec3::ZERO });
        }
        let groups = [SphereGroup::new(spheres, poses)];
        let toward_eye = Vec3::new(random() - 0.5, random() - 0.5, random());
        for aspect in [0.5, 1.0, 2.0] {
            let framing = Framing { toward_eye, up: Vec3::Y, aspect };
            let perspective = Camera::framing_perspective(&groups, &framing, 0.6);
            let orthographic = Camera::framing_orthographic(&groups, &framing);
            for camera in [perspective, orthographic] {
                let [right, left, top, bottom] = seen(&camera, aspect, &groups);
                let most = right.max(left).max(top).max(bottom);
                assert!((0.93..0.95).contains(&most), "round {round}: reaches {most} of the way to the edge");
                assert!((camera.eye - camera.target).normalize().dot(toward_eye.normalize()) > 0.9999);
                if matches!(camera.projection, Projection::Orthographic { .. }) {
                    assert!((right - left).abs() < 0.01 && (top - bottom).abs() < 0.01, "round {round}: in the middle");
                }
            }
        }
    }
}

#[test]
fn framing_of_nothing_of_a_point_and_of_a_giant_is_a_camera() {
    let folder = Folder::new();
    let point = "[[sphere]]\ncenter = [1e20, 0, 5]\nradius = 0";
    let giant = "[[sphere]]\ncenter = [0, 0, 0]\nradius = 1e30";
    for text in ["[camera]\n", point, giant] {
        for ortho in [false, true] {
            let overrides = LoadOptions { ortho: Some(ortho), ..LoadOptions::default() };
            let camera = folder.spheres("a.toml", text, &overrides).view.camera;
            assert!(camera.eye.is_finite() && camera.eye != camera.target, "{text}: {camera:?}");
        }
    }
}

#[test]
fn framing_keeps_what_the_scene_says() {
    let folder = Folder::new();
    let sphere = "[[sphere]]\ncenter = [5, 0, 0]\nradius = 1\n";
    let camera = |keys: &str| {
        folder.spheres("a.toml", format!("[camera]\n{keys}\n{sphere}"), &LoadOptions::default()).view.camera
    };
    let automatic = camera("");
    assert_eq!((automatic.target, automatic.up), (Vec3::new(5.0, 0.0, 0.0), Vec3::Y));
    assert!(automatic.eye.x == 5.0 && automatic.eye.y == 0.0 && automatic.eye.z > 3.0, "from +z: {automatic:?}");
    let aimed = camera("target = [5, 1, 0]");
    assert_eq!(aimed.eye - aimed.target, automatic.eye - automatic.target, "the same view, moved");
    assert_eq!(camera("eye = [0, 0, 9]").target, Vec3::new(5.0, 0.0, 0.0), "an eye looks at the middle");
    let flat = camera("ortho_height = 7");
    assert_eq!(flat.projection, Projection::Orthographic { height: 7.0 });
}

#[test]
fn framing_of_bare_data_lays_it_broadside() {
    let folder = Folder::new();
    // long in z, flat in x: seen along x, with z across the picture
    let mut text = "x,y,z,r\n".to_owned();
    for (x, y, z) in (0..1000).map(|i| (i % 10, i / 10 % 10, i / 100)) {
        text += &format!("{},{},{},1\n", f64::from(x) * 0.1, y, z * 2);
    }
    let scene = folder.spheres("slab.csv", &text, &LoadOptions::default());
    let camera = scene.view.camera;
    let toward_eye = (camera.eye - camera.target).normalize();
    assert!(toward_eye.x.abs() > 0.999, "{camera:?}");
    assert!(camera.up.normalize().y > 0.999, "the middle axis is up, the right way round: {camera:?}");
    let View { width, height, .. } = scene.view;
    let reach = seen(&camera, width as f32 / height as f32, &scene.groups);
    assert!(width == 1280 && height < 720, "the long axis lies across: {width} x {height}");
    assert!(reach.iter().all(|&side| (0.88..0.95).contains(&side)), "the picture is filled both ways: {reach:?}");
    let tall = LoadOptions { width: Some(400), height: Some(1000), ..LoadOptions::default() };
    let up = folder.spheres("slab.csv", &text, &tall).view.camera.up;
    assert!(up.normalize().z > 0.999, "in a tall picture the long axis stands: {up}");
}

/// Right, up and towards the eye.
fn axes(camera: &Camera) -> [Vec3; 3] {
    let back = (camera.eye - camera.target).normalize();
    let right = camera.up.cross(back).normalize();
    [right, back.cross(right), back]
}

/// A table of spheres in a rotated box with these half-extents.
fn turned_box(half: Vec3, turn: Mat3) -> String {
    let mut seed = 7_u64;
    let mut random = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 40) as f32 / (1_u64 << 23) as f32 - 1.0
    };
    let mut text = "x,y,z,r\n".to_owned();
    for _ in 0..400 {
        let Vec3 { x, y, z } = turn * (half * Vec3::new(random(), random(), random()));
        text += &format!("{x},{y},{z},0.2\n");
    }
    text
}

#[test]
fn framing_of_bare_data_turns_it_by_its_principal_axes() {
    let folder = Folder::new();
    for step in 0..12_u8 {
        let angle = f32::from(step);
        let turn = Mat3::from_rotation_x(angle) * Mat3::from_rotation_y(1.7 * angle) * Mat3::from_rotation_z(angle);
        let text = turned_box(Vec3::new(6.0, 3.0, 1.5), turn);
        let scene = folder.spheres("box.csv", text, &LoadOptions::default());
        let [right, up, back] = axes(&scene.view.camera);
        let centers: Vec<Vec3> = scene.groups[0].spheres.iter().map(|sphere| sphere.center.into()).collect();
        let mean = centers.iter().sum::<Vec3>() / centers.len() as f32;
        let covariance = |a: Vec3, b: Vec3| -> f32 {
            centers.iter().map(|&center| (center - mean).dot(a) * (center - mean).dot(b)).sum::<f32>() / 400.0
        };
        let spreads = [right, up, back].map(|axis| covariance(axis, axis));
        assert!(spreads[0] > 2.0 * spreads[1] && spreads[1] > 2.0 * spreads[2], "{step}: {spreads:?}");
        for (a, b) in [(right, up), (right, back), (up, back)] {
            assert!(covariance(a, b).abs() < 1e-3, "{step}: the axes are the principal ones");
        }
        assert!(back.z >= -1e-6 && up.y >= -1e-6, "{step}: of two ways round, the one nearer the front: {back} {up}");
    }
}

#[test]
fn framing_fills_pictures_of_every_shape_within_limits() {
    let folder = Folder::new();
    for (half, ortho) in [(6.0, false), (6.0, true), (2.0, false), (2.0, true)] {
        let text = turned_box(Vec3::new(half, 1.5, 1.0), Mat3::IDENTITY);
        let overrides = LoadOptions { ortho: Some(ortho), ..LoadOptions::default() };
        let scene = folder.spheres("box.csv", text, &overrides);
        let View { width, height, camera, .. } = scene.view;
        let reach = seen(&camera, width as f32 / height as f32, &scene.groups);
        let across = 0.5 * (reach[0] + reach[1]);
        let along = 0.5 * (reach[2] + reach[3]);
        assert_eq!((width, height % 2), (1280, 0));
        if height > 426 {
            assert!(across > 0.9 && along > 0.9, "{half} {ortho}: {width} x {height}, {reach:?}");
        }
    }
    let rod = "x,y,z,r\n0,0,0,1\n100,0,0,1\n";
    let size = |overrides: &LoadOptions| {
        let View { width, height, .. } = folder.spheres("rod.csv", rod, overrides).view;
        (width, height)
    };
    assert_eq!(size(&LoadOptions::default()), (1280, 426), "three times as wide as high at most");
    assert_eq!(size(&LoadOptions { roll: Some(90.0), ..LoadOptions::default() }), (426, 1280), "and the reverse");
    assert_eq!(size(&LoadOptions { width: Some(640), ..LoadOptions::default() }), (640, 213), "a side keeps the shape");
    assert_eq!(size(&LoadOptions { width: Some(64), height: Some(48), ..LoadOptions::default() }), (64, 48));
}

#[test]
fn particles_that_fill_a_box_are_seen_from_a_corner() {
    let folder = Folder::new();
    let mut dump =
        "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n20\nITEM: BOX BOUNDS pp pp pp\n0 2\n0 2\n0 20\nITEM: ATOMS id type x y z\n"
            .to_owned();
    (0..20).for_each(|i| dump += &format!("{i} 1 {} {} {}\n", 0.1 * f64::from(i % 3), 0.1 * f64::from(i % 2), i));
    let usual = |text: &str| axes(&folder.spheres("box.dump", text, &LoadOptions::default()).view.camera);
    let [right, up, toward_eye] = usual(&dump);
    assert!(right.z.abs() < 1e-6 && up.z > 0.5, "z is up: {right} {up}");
    assert!(toward_eye.abs().min_element() > 0.4, "three sides of the box show: {toward_eye}");
    let [right, up, _] = usual(&dump.replace("0 2\n0 2\n0 20", "0 9\n0 9\n0 1"));
    assert_eq!((right, up), (Vec3::X, Vec3::Y), "a flat box as it lies");
    let broadside = LoadOptions { view: Some(StandardView::Broadside), ..LoadOptions::default() };
    let [right, ..] = axes(&folder.spheres("box.dump", &dump, &broadside).view.camera);
    assert!(right.z.abs() > 0.99, "unless that is wanted: {right}");
}

#[test]
fn z_is_up_in_views_of_simulations_and_y_in_those_of_molecules() {
    let folder = Folder::new();
    let dump = "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n2\nITEM: BOX BOUNDS pp pp pp\n0 2\n0 2\n0 2\n\
                ITEM: ATOMS id type x y z\n1 1 0 0 0\n2 1 1 1 1\n";
    let seen = |name: &str, text: &str, view: &str| {
        let overrides = LoadOptions { view: view.parse().ok(), ..LoadOptions::default() };
        axes(&folder.spheres(name, text, &overrides).view.camera)
    };
    let near = |a: [Vec3; 3], b: [Vec3; 3]| a.iter().zip(b).all(|(a, b)| a.distance(b) < 1e-6);
    for (view, expected) in [
        ("front", [Vec3::X, Vec3::Z, Vec3::NEG_Y]),
        ("top", [Vec3::X, Vec3::Y, Vec3::Z]),
        ("right", [Vec3::Y, Vec3::Z, Vec3::X]),
        ("left", [Vec3::NEG_Y, Vec3::Z, Vec3::NEG_X]),
    ] {
        let found = seen("a.dump", dump, view);
        assert!(near(found, expected), "{view}: {found:?}");
    }
    let water = "3\n\nO 0 0 0\nH 1 0 0\nH 0 1 0\n";
    assert!(near(seen("w.xyz", water, "top"), [Vec3::X, Vec3::NEG_Z, Vec3::Y]));
    folder.file("a.dump", dump);
    let scene = "[camera]\nview = \"front\"\n[[spheres]]\nfile = \"a.dump\"\n";
    let found = axes(&folder.spheres("s.toml", scene, &LoadOptions::default()).view.camera);
    assert!(near(found, [Vec3::X, Vec3::Z, Vec3::NEG_Y]), "in scenes, too: {found:?}");
}

#[test]
fn membranes_hide_water_and_stand_upright() {
    let atom = |number: usize, residue: &str, name: &str, z: f64| {
        format!("{number:>5}{residue:<5}{name:>5}{number:>5}{:8.3}{:8.3}{z:8.3}\n", 0.1 * number as f64, 0.2)
    };
    let rows = [("POPC", "C21"), ("POPC", "C22"), ("POPC", "C23"), ("SOL", "OW"), ("SOL", "OW"), ("NA", "NA")];
    let atoms: String =
        rows.iter().enumerate().map(|(i, (res, name))| atom(i + 1, res, name, 0.3 * i as f64)).collect();
    let text = format!("a membrane\n    6\n{atoms}   2.0   2.0   2.0\n");
    let folder = Folder::new();
    let scene = folder.spheres("m.gro", text, &LoadOptions::default());
    assert_eq!(only_spheres(&scene).len(), 4, "no water");
    let [_, up, back] = axes(&scene.view.camera);
    assert_eq!((up, back), (Vec3::Z, Vec3::NEG_Y));
}

#[test]
fn cameras_turn_about_what_they_look_at() {
    let folder = Folder::new();
    let sphere = "[[sphere]]\ncenter = [5, 1, 0]\nradius = 1\n";
    let camera = |keys: &str, overrides: &LoadOptions| {
        folder.spheres("a.toml", format!("[camera]\n{keys}\n{sphere}"), overrides).view.camera
    };
    let plain = LoadOptions::default();
    let near = |a: [Vec3; 3], b: [Vec3; 3]| a.iter().zip(b).all(|(a, b)| a.distance(b) < 1e-6);
    for (view, expected) in [
        ("front", [Vec3::X, Vec3::Y, Vec3::Z]),
        ("back", [Vec3::NEG_X, Vec3::Y, Vec3::NEG_Z]),
        ("right", [Vec3::NEG_Z, Vec3::Y, Vec3::X]),
        ("left", [Vec3::Z, Vec3::Y, Vec3::NEG_X]),
        ("top", [Vec3::X, Vec3::NEG_Z, Vec3::Y]),
        ("bottom", [Vec3::X, Vec3::Z, Vec3::NEG_Y]),
    ] {
        let found = axes(&camera(&format!("view = \"{view}\""), &plain));
        assert!(near(found, expected), "{view}: {found:?}");
        let said = LoadOptions { view: view.parse().ok(), ..LoadOptions::default() };
        assert_eq!(camera("eye = [0, 0, 9]\nup = [1, 1, 1]", &said), camera(&format!("view = \"{view}\""), &plain));
    }
    for (keys, expected) in [
        ("azimuth = 90", [Vec3::NEG_Z, Vec3::Y, Vec3::X]),
        ("elevation = 90", [Vec3::X, Vec3::NEG_Z, Vec3::Y]),
        ("roll = 90", [Vec3::NEG_Y, Vec3::X, Vec3::Z]),
        ("azimuth = 90\nelevation = 90", [Vec3::NEG_Z, Vec3::NEG_X, Vec3::Y]),
        ("view = \"top\"\nelevation = -90", [Vec3::X, Vec3::Y, Vec3::Z]),
    ] {
        let found = axes(&camera(keys, &plain));
        assert!(near(found, expected), "{keys}: {found:?}");
    }
    let orbited = camera("eye = [5, 1, 9]\nazimuth = 90", &plain);
    assert!(orbited.eye.distance(Vec3::new(14.0, 1.0, 0.0)) < 1e-5, "an eye that is given goes around: {orbited:?}");
    assert_eq!(orbited.target, Vec3::new(5.0, 1.0, 0.0));
    assert_eq!(camera("azimuth = 0\nelevation = 0\nroll = 0", &plain).target, camera("", &plain).target);
}

#[test]
fn zoom_enlarges_about_the_middle() {
    let folder = Folder::new();
    let text = "[camera]\nKEYS\n[[sphere]]\ncenter = [5, 1, 0]\nradius = 1e-3\n[[sphere]]\ncenter = [6, 1, 0]\nradius = 1e-3\n";
    for keys in ["fov = 50", "ortho_height = 3"] {
        let reach = |zoom: &str| {
            let scene =
                folder.spheres("a.toml", text.replace("KEYS", &format!("{keys}\n{zoom}")), &LoadOptions::default());
            seen(&scene.view.camera, 4.0 / 3.0, &scene.groups)[0]
        };
        let (plain, larger, smaller) = (reach(""), reach("zoom = 3"), reach("zoom = 0.5"));
        assert!((larger / plain - 3.0).abs() < 0.01 && (smaller / plain - 0.5).abs() < 0.01, "{plain} {larger}");
    }
}

#[test]
fn cameras_refuse_what_makes_no_sense() {
    let folder = Folder::new();
    let refusal = |keys: &str, change: &dyn Fn(&mut LoadOptions)| {
        let mut overrides = LoadOptions::default();
        change(&mut overrides);
        let text = format!("[camera]\n{keys}\n[[sphere]]\ncenter = [0, 0, 0]\nradius = 1\n");
        folder.refusal_with("a.toml", text, &overrides)
    };
    assert_eq!(
        refusal("view = \"tob\"", &|_| ()),
        "a.toml:2: camera.view must be a view, got \"tob\"; did you mean \"top\"? \
         (views: broadside, front, back, left, right, top, bottom, iso)"
    );
    assert_eq!(refusal("view = \"top\"\neye = [1, 2, 3]", &|_| ()), "a.toml:2: camera must have eye or view, not both");
    assert_eq!(refusal("zoom = 0", &|_| ()), "a.toml:2: camera.zoom must be a number from 0.01 to 100, got 0");
    assert_eq!(refusal("azimuth = inf", &|_| ()), "a.toml:2: camera.azimuth must be a finite number, got inf");
    assert_eq!(refusal("", &|o| o.zoom = Some(f32::NAN)), "zoom must be 0.01 to 100, got NaN");
    assert_eq!(refusal("", &|o| o.roll = Some(f32::INFINITY)), "roll must be a finite angle, got inf");
    assert_eq!(
        refusal("", &|o| (o.eye, o.view) = (Some([1.0; 3]), Some(StandardView::Top))),
        "eye and view both say from where to look; give one, got top"
    );
}

#[test]
fn one_side_of_a_scene_keeps_its_shape() {
    let folder = Folder::new();
    let only = |width, height| LoadOptions { width, height, ..LoadOptions::default() };
    let size = |keys: &str, overrides: &LoadOptions| {
        let text = format!("[camera]\n{keys}\n[[sphere]]\ncenter = [0, 0, 0]\nradius = 1\n");
        let View { width, height, .. } = folder.spheres("a.toml", text, overrides).view;
        (width, height)
    };
    assert_eq!(size("", &only(None, None)), (1280, 960));
    assert_eq!(size("width = 300", &only(None, None)), (300, 225));
    assert_eq!(size("height = 300", &only(None, None)), (400, 300));
    assert_eq!(size("width = 480\nheight = 120", &only(Some(240), None)), (240, 60));
    assert_eq!(size("width = 480\nheight = 120", &only(None, Some(240))), (960, 240));
    assert_eq!(size("width = 480\nheight = 120", &only(Some(10), Some(20))), (10, 20));
    // circles in pixels grow with their canvas
    let coin = "[canvas]\nwidth = 24\nheight = 16\n[[circle]]\ncenter = [12, 6]\nradius = 4\nfill = \"black\"\n";
    let large = "[canvas]\nwidth = 48\nheight = 32\n[[circle]]\ncenter = [24, 12]\nradius = 8\nfill = \"black\"\n";
    assert_eq!(folder.scene("a.toml", coin, &only(Some(48), None)), folder.scene("b.toml", large, &only(None, None)));
    let seen = "[canvas]\nwidth = 24\nheight = 16\nview = { center = [0, 0], height = 8 }\n[[circle]]\ncenter = [1, 0]\nradius = 4\nfill = \"black\"\n";
    let scene = folder.circles("c.toml", seen, &only(None, Some(32)));
    assert_eq!((scene.canvas.width, scene.canvas.height), (48, 32));
}
