//! Cameras that show everything: nothing cut off, nothing wasted, nothing mirrored.
#![cfg(feature = "scene-files")]
#![expect(clippy::disallowed_methods, reason = "an oracle with a tolerance")]

mod files;

use files::Folder;
use glam::{Mat3, Vec3};
use roundel::Srgba8;
use roundel::io::Overrides;
use roundel::spheres::{Camera, Framing, PaintedSphere, Pose, Projection, SphereGroup};

/// How far the spheres reach towards the right, left, top and bottom edge, which is at 1.
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
            let overrides = Overrides { ortho: Some(ortho), ..Overrides::default() };
            let camera = folder.spheres("a.toml", text, &overrides).view.camera;
            assert!(camera.eye.is_finite() && camera.eye != camera.target, "{text}: {camera:?}");
        }
    }
}

#[test]
fn framing_keeps_what_the_scene_says() {
    let folder = Folder::new();
    let sphere = "[[sphere]]\ncenter = [5, 0, 0]\nradius = 1\n";
    let camera =
        |keys: &str| folder.spheres("a.toml", format!("[camera]\n{keys}\n{sphere}"), &Overrides::default()).view.camera;
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
    // long along z, flat along x: to be seen along x, with z across the picture
    let mut text = "x,y,z,r\n".to_owned();
    for (x, y, z) in (0..1000).map(|i| (i % 10, i / 10 % 10, i / 100)) {
        text += &format!("{},{},{},1\n", f64::from(x) * 0.1, y, z * 5);
    }
    let scene = folder.spheres("slab.csv", &text, &Overrides::default());
    let camera = scene.view.camera;
    let toward_eye = (camera.eye - camera.target).normalize();
    assert!(toward_eye.x.abs() > 0.999, "{camera:?}");
    assert!(camera.up.normalize().y > 0.999, "the middle axis is up, the right way round: {camera:?}");
    let reach = seen(&camera, 1280.0 / 960.0, &scene.groups);
    assert!(reach[0] > 0.9 && reach[2] < 0.5, "the long axis lies across: {reach:?}");
    let tall = Overrides { width: Some(400), height: Some(1000), ..Overrides::default() };
    let up = folder.spheres("slab.csv", &text, &tall).view.camera.up;
    assert!(up.normalize().z > 0.999, "in a tall picture the long axis stands: {up}");
}
