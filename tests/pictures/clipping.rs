//! Spheres cut by planes, against a slow and obvious evaluation in double precision: caps are flat and exact, removed
//! parts neither show nor cast shadows, and no setting changes a byte.

use super::looks;
use super::pixels::{assert_crops_equal_the_whole, assert_settings_change_no_byte, drawn, few_digits, single};
use crate::oracle::random::Random;
use roundel::Srgba8;
use roundel::color::{linear_from_srgb8, srgb8_from_linear};
use roundel::cylinders::PaintedCylinder;
use roundel::geom::Plane;
use roundel::glam::{DVec3, Vec3};
use roundel::spheres::{
    AmbientOcclusion, Camera, DirectionalLight, PaintedSphere, Pose, Projection, Shading, ShadingPreset, SphereGroup,
    SphereScene, View,
};

fn plain(look: ShadingPreset) -> Shading {
    looks::plain(look).with_splat_radius(0.0)
}

/// Spheres that overlap, each in a colour of its own.
fn crowd() -> Vec<PaintedSphere> {
    let mut random = Random::new(11);
    let spheres = (0..120_u8).map(|index| {
        let numbers = [[-2.6, 2.6], [-1.8, 1.8], [-2.0, 2.0], [0.2, 0.9]].map(|[low, high]| random.within(low, high));
        let [x, y, z, radius] = few_digits(numbers);
        PaintedSphere::new([x, y, z], radius, Srgba8::rgb(index + 20, 255 - index, index.wrapping_mul(37)))
    });
    spheres.collect()
}

/// Two walls that meet in an edge, and a slab.
fn cut(camera: Camera, width: u32, height: u32) -> SphereScene<'static> {
    SphereScene::new(camera, width, height)
        .with_spheres(crowd())
        .with_clip_plane(Plane::through(Vec3::new(0.4, 0.2, 0.5), Vec3::new(0.3, 0.2, 1.0)))
        .with_clip_plane(Plane::through(Vec3::new(-0.7, 0.0, 0.0), Vec3::new(-1.0, 0.1, 0.4)))
}

fn cameras() -> [Camera; 3] {
    let camera = Camera::look_at([1.5, 1.0, 8.0], [0.0, 0.0, -1.0]);
    [
        camera.with_projection(Projection::perspective_degrees(40.0)),
        camera.with_projection(Projection::orthographic(5.0)),
        // inside spheres, on the side that is drawn
        Camera::look_at([0.6, 0.1, -0.3], [-1.0, 0.4, 2.0]).with_projection(Projection::perspective_degrees(70.0)),
    ]
}

/// A hit of a ray with a cut sphere: distance, normal, and the depth of a cap's point inside the sphere.
struct Hit {
    index: usize,
    distance: f64,
    normal: DVec3,
    depth: f64,
}

/// The hits of a ray with the clipped spheres, nearest first; of coincident caps the deepest first.
fn hits(origin: DVec3, direction: DVec3, spheres: &[PaintedSphere], planes: &[Plane]) -> Vec<Hit> {
    let (mut begin, mut end, mut wall) = (0.0, f64::INFINITY, [DVec3::ZERO; 2]);
    for plane in planes {
        let normal = plane.normal.as_dvec3().normalize();
        let (gap, slope) = (f64::from(plane.offset) - normal.dot(origin), normal.dot(direction));
        if slope > 0.0 && gap / slope < end {
            (end, wall[1]) = (gap / slope, -normal);
        } else if slope < 0.0 && gap / slope > begin {
            (begin, wall[0]) = (gap / slope, normal);
        }
    }
    let mut hits = Vec::new();
    for (index, sphere) in spheres.iter().enumerate() {
        let (center, radius) = (DVec3::from(sphere.center.map(f64::from)), f64::from(sphere.radius));
        let along = (center - origin).dot(direction);
        let root = radius * radius - (center - origin - along * direction).length_squared();
        if root <= 0.0 {
            continue;
        }
        let (enter, exit) = (along - root.sqrt(), along + root.sqrt());
        let outward = |distance: f64| (origin + distance * direction - center) / radius;
        let hit = if enter >= begin {
            (enter, outward(enter), 0.0)
        } else if exit <= begin {
            continue;
        } else if begin > 0.0 {
            (begin, wall[0], (begin - enter) * (exit - begin))
        } else if exit <= end {
            (exit, -outward(exit), 0.0)
        } else {
            (end, wall[1], 0.0)
        };
        if (0.0..=end).contains(&hit.0) {
            hits.push(Hit { index, distance: hit.0, normal: hit.1, depth: hit.2 });
        }
    }
    hits.sort_by(|a, b| a.distance.total_cmp(&b.distance).then(b.depth.total_cmp(&a.depth)));
    hits
}

fn ray(view: &View, x: u32, y: u32) -> (DVec3, DVec3) {
    let ray = view.ray(x as f32 + 0.5, y as f32 + 0.5);
    (DVec3::from(ray.origin.map(f64::from)), DVec3::from(ray.direction.map(f64::from)).normalize())
}

/// Whether another answer is equally good within rounding: another surface as near, another cap as deep, or a miss of
/// the first.
fn is_close(hits: &[Hit]) -> bool {
    let [first, rest @ ..] = hits else { return false };
    rest.iter().any(|hit| {
        let is_near = hit.distance - first.distance < 1e-3;
        let is_cap = first.depth > 0.0 && hit.depth > 0.0;
        is_near && !(is_cap && first.depth - hit.depth > 1e-3)
    })
}

#[test]
fn cut_spheres_are_seen_as_in_double_precision() {
    for camera in cameras() {
        let scene = cut(camera, 120, 90).with_shading(plain(ShadingPreset::Headlight));
        let flat = drawn(&scene.clone().with_shading(plain(ShadingPreset::Flat)));
        let lit = drawn(&scene);
        let planes: Vec<Plane> = scene.clip_planes.iter().map(|plane| plane.boundary).collect();
        let spheres = crowd();
        let (mut caps, mut surfaces, mut doubtful) = (0, 0, 0);
        for (x, y) in (0..90).flat_map(|y| (0..120).map(move |x| (x, y))) {
            let (origin, direction) = ray(&scene.view, x, y);
            let hits = hits(origin, direction, &spheres, &planes);
            let grazes = hits.first().is_some_and(|hit| hit.normal.dot(direction).abs() < 0.02);
            if is_close(&hits) || grazes || (hits.first().is_some_and(|hit| hit.depth > 0.0 && hit.depth < 1e-3)) {
                doubtful += 1;
                continue;
            }
            let (flat, lit) = (flat.pixel(x, y).expect("a pixel"), lit.pixel(x, y).expect("a pixel"));
            let Some(hit) = hits.first() else {
                // rims may be missed by a rounding
                doubtful += u32::from(flat != Srgba8::WHITE);
                continue;
            };
            let color = spheres[hit.index].color;
            if flat != color {
                doubtful += 1;
                continue;
            }
            *(if hit.depth > 0.0 { &mut caps } else { &mut surfaces }) += 1;
            let light = 0.2 + 0.8 * hit.normal.dot(direction).abs();
            for (found, own) in [(lit.r, color.r), (lit.g, color.g), (lit.b, color.b)] {
                let wanted = srgb8_from_linear(single(f64::from(linear_from_srgb8(own)) * light));
                assert!(found.abs_diff(wanted) <= 1, "{x}, {y}: {found} for {wanted}, {camera:?}");
            }
        }
        println!("{caps} caps, {surfaces} surfaces, {doubtful} in doubt");
        // from inside a sphere, a plane is seen from behind and counts as a surface
        let is_inside = camera == cameras()[2];
        assert!(
            (is_inside || caps > 300) && surfaces > 700 && doubtful < 100,
            "{caps} {surfaces} {doubtful} {camera:?}"
        );
    }
}

#[test]
fn clipped_away_matter_casts_no_hard_shadow_and_leaves_caps_open() {
    let toward = DVec3::new(-0.4, 0.6, 1.0).normalize();
    for camera in &cameras()[..2] {
        let shading = plain(ShadingPreset::Headlight).with_shadows().with_ambient(0.0);
        let scene = cut(*camera, 120, 90).with_light(DirectionalLight::new((-toward).as_vec3())).with_shading(shading);
        let lit = drawn(&scene);
        let rays = plain(ShadingPreset::Headlight).with_ambient(1.0).with_ao_rays(8);
        let occluded = drawn(&cut(*camera, 120, 90).with_shading(rays));
        let planes: Vec<Plane> = scene.clip_planes.iter().map(|plane| plane.boundary).collect();
        let spheres = crowd();
        let (mut shadows, mut caps, mut wrong) = (0, 0, 0);
        for (x, y) in (0..90).flat_map(|y| (0..120).map(move |x| (x, y))) {
            let (origin, direction) = ray(&scene.view, x, y);
            let seen = hits(origin, direction, &spheres, &planes);
            let Some(hit) = seen.first().filter(|_| !is_close(&seen)) else { continue };
            let cosine = hit.normal.dot(toward);
            if cosine < 0.05 {
                continue;
            }
            let point = origin + hit.distance * direction + 1e-4 * hit.normal;
            let is_lit = hits(point, toward, &spheres, &planes).is_empty();
            let found = lit.pixel(x, y).expect("a pixel") != Srgba8::BLACK;
            wrong += u32::from(found != is_lit);
            shadows += u32::from(!is_lit);
            if hit.depth > 1e-3 && lit.pixel(x, y).is_some() {
                caps += 1;
                assert!(is_lit && found, "caps see the light at {x}, {y}: {is_lit} {found}, {cosine}");
                assert_eq!(occluded.pixel(x, y), Some(spheres[hit.index].color), "caps are open at {x}, {y}");
            }
        }
        println!("{shadows} in the shade, {caps} on caps, {wrong} wrong");
        assert!(shadows > 200 && caps > 300 && wrong < 12, "{shadows} {caps} {wrong}");
    }
}

#[test]
fn spheres_that_are_cut_away_leave_no_trace() {
    let cut_away = Plane::through(Vec3::ZERO, Vec3::Z);
    for look in ShadingPreset::ALL {
        let camera = cameras()[0];
        let left = vec![PaintedSphere::new([0.0, 0.0, -1.5], 1.0, Srgba8::rgb(200, 80, 40))];
        let mut both = left.clone();
        both.push(PaintedSphere::new([0.4, 0.3, 1.2], 1.1, Srgba8::rgb(30, 80, 140)));
        let draw = |spheres: Vec<PaintedSphere>| {
            let shading = Shading::preset(look).with_samples(2);
            drawn(
                &SphereScene::new(camera, 80, 60).with_spheres(spheres).with_shading(shading).with_clip_plane(cut_away),
            )
        };
        assert!(draw(both) == draw(left), "{look}");
    }
}

#[test]
fn cylinders_that_are_cut_away_leave_no_trace() {
    let cut_away = Plane::through(Vec3::ZERO, Vec3::Z);
    let rod = |z: f32, side: f32| {
        let color = Srgba8::rgb(200, 80, 40);
        PaintedCylinder::new([-side, -0.3 * side, z - 0.1], [side, 0.4, z + 0.1], 0.5, color)
    };
    for look in ShadingPreset::ALL {
        let left = vec![rod(-1.5, 1.0), rod(-0.7, -0.8)];
        let both = [&left[..], &[rod(0.8, 1.0), rod(1.6, 0.9)]].concat();
        let draw = |rods: Vec<PaintedCylinder>| {
            let shading = Shading::preset(look).with_samples(2).with_ambient_occlusion(AmbientOcclusion::Smooth);
            let scene = SphereScene::new(cameras()[0], 80, 60).with_cylinders(rods).with_shading(shading);
            drawn(&scene.with_clip_plane(cut_away))
        };
        assert!(draw(both) == draw(left), "{look}");
    }
}

#[test]
fn spheres_without_a_place_take_no_others_with_them() {
    let scene = cut(cameras()[0], 60, 45).with_shading(plain(ShadingPreset::Flat));
    for number in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        for sphere in [([number, 0.0, 0.0], 1.0), ([0.0; 3], number)] {
            let mut spheres = vec![PaintedSphere::new(sphere.0, sphere.1, Srgba8::BLACK)];
            spheres.extend(crowd());
            let mut with = scene.clone();
            with.groups = vec![spheres.into()];
            assert!(drawn(&with) == drawn(&scene), "{number}");
        }
    }
}

/// Caps that face the eye have the colour that a legend shows, as spheres that face it do.
#[test]
fn caps_have_the_color_of_their_sphere() {
    let camera = Camera::look_at([0.0, 0.0, 20.0], [0.0; 3]).with_projection(Projection::orthographic(4.0));
    let color = Srgba8::rgb(64, 160, 192);
    for look in [ShadingPreset::Illustrative, ShadingPreset::Flat, ShadingPreset::Headlight] {
        let spheres = vec![PaintedSphere::new([0.0; 3], 1.5, color)];
        let scene = SphereScene::new(camera, 100, 100).with_spheres(spheres).with_shading(plain(look));
        let frame = drawn(&scene.with_clip_plane(Plane::through(Vec3::ZERO, Vec3::Z)));
        for x in [50, 70, 85] {
            assert_eq!(frame.pixel(x, 50), Some(color), "{look}, {x}");
        }
    }
}

#[test]
fn settings_change_no_byte_of_cut_scenes() {
    let light = DirectionalLight::new([1.0, -1.0, -0.6]);
    let poses = vec![Pose::IDENTITY, Pose::from_translation([0.5, -0.25, -1.0])];
    let parts: Vec<u32> = (0..120).map(|index| index / 40).collect();
    for camera in cameras() {
        for look in ShadingPreset::ALL {
            for lights in [Vec::new(), vec![light.into()]] {
                let shading =
                    Shading::preset(look).with_samples(2).with_outline_width(2.4).with_fog(0.6).with_shadows();
                let mut scene =
                    cut(camera, 75, 53).with_shading(shading).with_lights(lights).with_depth_range(0.2, 0.9);
                scene.groups = vec![SphereGroup::new(crowd(), poses.clone()).with_parts(parts.clone())];
                assert_settings_change_no_byte(&scene, &[8, 13], look.name());
            }
        }
    }
}

/// A part of a cut picture is drawn as the whole is.
#[test]
fn crops_equal_the_part_of_the_whole() {
    for look in [ShadingPreset::Illustrative, ShadingPreset::Studio, ShadingPreset::Flat] {
        let draw = |camera: Camera, width: u32, height: u32| {
            let shading = Shading::preset(look).with_outline_width(2.2).with_splat_radius(0.0);
            let scene = SphereScene::new(camera, width, height).with_spheres(crowd()).with_shading(shading);
            drawn(
                &scene
                    .with_clip_plane(Plane::through(Vec3::new(0.0, 0.0, 0.25), Vec3::Z))
                    .with_depth_range(0.125, 0.75),
            )
        };
        assert_crops_equal_the_whole(draw, look.name());
    }
}
