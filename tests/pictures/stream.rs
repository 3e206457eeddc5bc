//! Scenes drawn a block at a time have the same bytes as scenes in memory.

use roundel::circles::{Blend, Canvas, CircleScene, PaintedCircle};
use roundel::generate::{self, Pattern};
use roundel::geom::Plane;
use roundel::glam::Vec3;
use roundel::spheres::{
    AmbientOcclusion, Background, Camera, ClipPlane, DirectionalLight, PaintedSphere, Projection, Shading,
    ShadingPreset, SphereGroup, SphereScene,
};
use roundel::{Frame, RenderSettings, Renderer, SceneShard, SimdLevel, SphereStream, Srgba8, render};

const COUNT: usize = 400;

pub(crate) fn spheres() -> Vec<PaintedSphere> {
    generate::spheres(Pattern::Uniform, COUNT, 3)
}

fn camera() -> Camera {
    Camera::look_at([1.0, 1.5, 4.0], [0.0; 3])
}

fn empty(shading: Shading) -> SphereScene<'static> {
    // no multiple of a tile
    SphereScene::new(camera(), 100, 71).with_shading(shading)
}

/// Looks that do not depend on hidden spheres.
fn looks() -> Vec<(&'static str, SphereScene<'static>)> {
    let headlight = Shading::preset(ShadingPreset::Headlight);
    let illustrative = Shading::preset(ShadingPreset::Illustrative).with_ambient_occlusion(AmbientOcclusion::Off);
    let small = illustrative.with_splat_radius(0.0);
    let foggy = headlight.with_fog(0.8).with_fog_start(0.1);
    let ortho = camera().with_projection(Projection::orthographic(2.5));
    let gradient = Background::Gradient { bottom: Srgba8::WHITE, top: Srgba8::BLACK };
    let plane = ClipPlane::from(Plane { normal: Vec3::new(0.36, -0.48, 0.8), offset: 0.25 });
    vec![
        ("headlight", empty(headlight)),
        ("four samples", empty(headlight.with_samples(4))),
        ("seven samples, gradient", empty(headlight.with_samples(7)).with_background(gradient)),
        ("fog", empty(foggy.with_samples(2))),
        ("orthographic", SphereScene::new(ortho, 100, 71).with_shading(foggy)),
        ("flat", empty(Shading::preset(ShadingPreset::Flat).with_samples(4))),
        ("outlines", empty(small.with_outline_width(5.0).with_samples(3))),
        ("cut", empty(foggy.with_samples(3)).with_clip_plane(plane)),
        ("transparent", empty(headlight.with_samples(5)).with_background(Srgba8::TRANSPARENT)),
    ]
}

pub(crate) fn renderer() -> Renderer {
    Renderer::new(&RenderSettings::default().with_tile_size(32)).expect("valid settings")
}

pub(crate) fn drawn(renderer: &mut Renderer, scene: SphereScene<'_>) -> Frame {
    let mut frame = Frame::new(1, 1, Srgba8::WHITE).expect("a small frame");
    renderer.render(&scene.into(), &mut frame).expect("within the budget");
    frame
}

/// Draws a stream after `fill` added its spheres.
fn streamed(scene: &SphereScene<'_>, block: usize, fill: impl FnOnce(&mut SphereStream<'_>)) -> Frame {
    let mut renderer = renderer();
    let mut stream = renderer.stream(scene).expect("a look without hidden spheres").with_block(block);
    fill(&mut stream);
    let visible = stream.finish().expect("few spheres").scene;
    drawn(&mut renderer, visible)
}

/// Numbers below `count`, shuffled.
fn shuffled(count: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by_key(|&index| (index as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    order
}

#[test]
fn blocks_of_any_size_draw_the_bytes_of_a_scene_in_memory() {
    let spheres = spheres();
    for (name, scene) in looks() {
        let whole = drawn(&mut renderer(), scene.clone().with_spheres(&spheres[..]));
        assert!(whole.pixels().iter().any(|pixel| *pixel != whole.pixels()[0]), "{name}: something shows");
        for (given, block) in [(1, 1), (7, 1), (7, 100), (300, 7), (COUNT, COUNT)] {
            let frame = streamed(&scene, block, |stream| {
                spheres.chunks(given).for_each(|part| stream.add(part).expect("a look without hidden spheres"));
            });
            assert!(frame == whole, "{name}: blocks of {block}, given by {given}");
        }
    }
}

#[test]
fn blocks_in_any_order_draw_the_same_bytes() {
    let spheres = spheres();
    for (name, scene) in looks() {
        let whole = drawn(&mut renderer(), scene.clone().with_spheres(&spheres[..]));
        for length in [1, 13, 150] {
            let frame = streamed(&scene, 100, |stream| {
                for part in shuffled(COUNT.div_ceil(length)) {
                    let part = part * length..COUNT.min((part + 1) * length);
                    stream.add_at(part.start as u64, &spheres[part]).expect("a look without hidden spheres");
                }
            });
            assert!(frame == whole, "{name}: parts of {length}");
        }
    }
}

/// Scenes with hard shadows, of spheres that are small, mixed with large ones, or cut.
fn shadowed() -> Vec<(&'static str, SphereScene<'static>, Vec<PaintedSphere>)> {
    let headlight = Shading::preset(ShadingPreset::Headlight).with_shadows();
    let sun = DirectionalLight::new([-0.6, -1.0, 0.3]).with_intensity(0.6);
    let lamp = DirectionalLight::new([1.0, -0.4, -0.2]).with_intensity(0.4).with_color(Srgba8::rgb(255, 200, 100));
    let lit = |shading: Shading| empty(shading).with_light(sun).with_light(lamp);
    let plane = ClipPlane::from(Plane { normal: Vec3::new(0.36, -0.48, 0.8), offset: 0.25 });
    let mut key =
        Shading::preset(ShadingPreset::Studio).with_ambient_occlusion(AmbientOcclusion::Off).with_splat_radius(0.0);
    key.key_angle_radians = 0.0;
    let many = generate::spheres(Pattern::Gaussian, 6000, 5);
    let mut mixed = spheres();
    for (index, sphere) in mixed.iter_mut().enumerate() {
        sphere.radius *= [1.0, 0.1, 3.0, 0.01][index % 4];
    }
    mixed.push(PaintedSphere::new([0.0, -101.0, 0.0], 100.0, Srgba8::WHITE));
    let inside = camera().with_projection(Projection::orthographic(1.5));
    vec![
        ("two lights", lit(headlight), spheres()),
        ("more than a light buffer's fewest", lit(headlight.with_samples(3)), many),
        ("mixed radii on a floor", lit(headlight.with_samples(2)), mixed.clone()),
        ("orthographic", SphereScene::new(inside, 100, 71).with_shading(headlight).with_light(sun), mixed.clone()),
        ("cut", lit(headlight).with_clip_plane(plane), mixed.clone()),
        ("key light with fog", empty(key), mixed),
    ]
}

#[test]
fn hard_shadows_are_those_of_a_scene_in_memory() {
    for (name, scene, spheres) in shadowed() {
        let mut renderer = renderer();
        let whole = drawn(&mut renderer, scene.clone().with_spheres(&spheres[..]));
        let mut stream = renderer.stream(&scene).expect("hard shadows need no hidden spheres");
        stream.add(&spheres).expect("hard shadows need no hidden spheres");
        let visible = stream.finish().expect("few spheres");
        let unshadowed = drawn(&mut renderer, visible.scene.clone());
        assert!(unshadowed != whole, "{name}: hidden spheres cast shadows");
        for (length, block) in [(1000, 1000), (13, 20), (150, 7)] {
            let mut shadows = renderer.stream_shadows(&visible).expect("a small picture").expect("lights shine");
            shadows = shadows.with_block(block);
            for part in shuffled(spheres.len().div_ceil(length)) {
                let part = part * length..spheres.len().min((part + 1) * length);
                shadows.add_at(part.start as u64, &spheres[part]);
            }
            let (casters, statistics) = shadows.finish();
            assert!(statistics.casters > 0 && statistics.casters == casters.len() as u64, "{name}");
            let frame = drawn(&mut renderer, visible.clone().with_casters(&[casters]).scene);
            assert!(frame == whole, "{name}: parts of {length}");
        }
        // two processes have a half each
        let half = spheres.len() / 2;
        let shares = [0..half, half..spheres.len()].map(|part| {
            let mut shadows = renderer.stream_shadows(&visible).expect("a small picture").expect("lights shine");
            shadows.add_at(part.start as u64, &spheres[part]);
            SceneShard::from_bytes(&shadows.finish().0.to_bytes()).expect("bytes of a share")
        });
        assert!(drawn(&mut renderer, visible.with_casters(&shares).scene) == whole, "{name}: two processes");
    }
}

#[test]
fn every_simd_level_finds_the_same_shadows() {
    let (_, scene, spheres) = shadowed().swap_remove(2);
    let draw = |settings: RenderSettings| {
        let mut renderer = Renderer::new(&settings).expect("an available level");
        let mut stream = renderer.stream(&scene).expect("hard shadows need no hidden spheres");
        stream.add(&spheres).expect("hard shadows need no hidden spheres");
        let visible = stream.finish().expect("few spheres");
        let mut shadows = renderer.stream_shadows(&visible).expect("a small picture").expect("lights shine");
        shadows.add(&spheres);
        let (casters, _) = shadows.finish();
        (drawn(&mut renderer, visible.with_casters(std::slice::from_ref(&casters)).scene), casters)
    };
    let usual = draw(RenderSettings::default());
    for level in SimdLevel::available() {
        assert!(draw(RenderSettings::default().with_simd(level)) == usual, "{}", level.name());
    }
}

#[test]
fn a_second_pass_is_not_needed_without_hard_shadows() {
    let renderer = renderer();
    for shading in [Shading::preset(ShadingPreset::Headlight), Shading::preset(ShadingPreset::Flat).with_shadows()] {
        let mut stream = renderer.stream(&empty(shading)).expect("no hidden spheres");
        stream.add(&spheres()).expect("no hidden spheres");
        let visible = stream.finish().expect("few spheres");
        assert!(renderer.stream_shadows(&visible).expect("a small picture").is_none());
    }
    // nothing to cast a shadow on
    let lit = empty(Shading::preset(ShadingPreset::Headlight).with_shadows())
        .with_light(DirectionalLight::new([0.0, -1.0, 0.0]));
    let visible = renderer.stream(&lit).expect("no hidden spheres").finish().expect("no spheres");
    assert!(renderer.stream_shadows(&visible).expect("a small picture").is_none());
}

#[test]
fn of_spheres_in_one_place_the_lowest_number_shows() {
    let colors = [Srgba8::rgb(255, 0, 0), Srgba8::rgb(0, 255, 0), Srgba8::rgb(0, 0, 255)];
    let spheres: Vec<_> =
        (0..60).map(|index| PaintedSphere::new([0.0; 3], 1.0, colors[(index + index / 20) % 3])).collect();
    let scene = empty(Shading::preset(ShadingPreset::Headlight).with_samples(2));
    let whole = drawn(&mut renderer(), scene.clone().with_spheres(&spheres[..]));
    for length in [1, 7, 20] {
        for order in [shuffled(60_usize.div_ceil(length)), (0..60_usize.div_ceil(length)).rev().collect()] {
            let frame = streamed(&scene, 1000, |stream| {
                for part in order {
                    let part = part * length..60.min((part + 1) * length);
                    stream.add_at(part.start as u64, &spheres[part]).expect("a look without hidden spheres");
                }
            });
            assert!(frame == whole, "parts of {length}");
        }
    }
}

#[test]
fn streams_of_parts_of_a_scene_are_merged() {
    let spheres = spheres();
    for (name, scene) in looks() {
        let whole = drawn(&mut renderer(), scene.clone().with_spheres(&spheres[..]));
        for streams in [2, 3, 5] {
            let mut renderer = renderer();
            let mut parts: Vec<_> = (0..streams).map(|_| renderer.stream(&scene).expect("no hidden spheres")).collect();
            // the streams' sphere numbers interleave
            for (index, part) in spheres.chunks(30).enumerate() {
                parts[index % streams].add_at(index as u64 * 30, part).expect("no hidden spheres");
            }
            let mut merged = parts.pop().expect("a stream");
            parts.into_iter().for_each(|part| merged.merge(part).expect("the same picture"));
            let visible = merged.finish().expect("few spheres").scene;
            assert!(drawn(&mut renderer, visible) == whole, "{name}: {streams} streams");
        }
    }
}

/// One process per range; they own the tiles in turn.
#[test]
fn shares_of_any_number_of_processes_are_the_whole() {
    let spheres = spheres();
    for (name, scene) in looks() {
        let whole = drawn(&mut renderer(), scene.clone().with_spheres(&spheres[..]));
        // 40 processes are more than there are tiles
        for count in [1, 2, 3, 5, 8, 40] {
            let mut renderer = renderer();
            let end = |process| COUNT * process / count;
            let shares = (0..count).map(|process| {
                let mut stream = renderer.stream(&scene).expect("a look without hidden spheres").with_block(50);
                let (first, end) = (end(process), end(process + 1));
                stream.add_at(first as u64, &spheres[first..end]).expect("a look without hidden spheres");
                stream.into_shares(count)
            });
            let shares: Vec<Vec<SceneShard>> = shares.collect();
            let merged = (0..count).map(|process| {
                let mut stream = renderer.stream_share(&scene, process, count).expect("a look without hidden spheres");
                for share in shares.iter().map(|shares| &shares[process]) {
                    let share = SceneShard::from_bytes(&share.to_bytes()).expect("its bytes");
                    stream.add_share(&share).expect("a look without hidden spheres");
                }
                stream.into_share()
            });
            let merged: Vec<SceneShard> = merged.collect();
            let stream = renderer.stream(&scene).expect("a look without hidden spheres");
            let visible = stream.finish_with(&merged).expect("few spheres").scene;
            assert!(drawn(&mut renderer, visible) == whole, "{name}, {count} processes");
        }
    }
}

#[test]
fn shares_are_read_from_their_own_bytes_alone() {
    let spheres = spheres();
    let scene = empty(Shading::preset(ShadingPreset::Headlight));
    let renderer = renderer();
    let mut stream = renderer.stream(&scene).expect("a look without hidden spheres");
    stream.add(&spheres).expect("a look without hidden spheres");
    let [share] = &stream.into_shares(1)[..] else { panic!("one share") };
    assert!(!share.is_empty() && share.len() < COUNT);
    let bytes = share.to_bytes();
    assert_eq!(SceneShard::from_bytes(&bytes).expect("its bytes"), *share);
    for end in 0..bytes.len() {
        SceneShard::from_bytes(&bytes[..end]).expect_err("cut short");
    }
    SceneShard::from_bytes(&[&bytes[..], &[0]].concat()).expect_err("a byte too many");
    // more spheres than the bytes hold
    let mut many = bytes;
    many[..8].copy_from_slice(&u64::MAX.to_le_bytes());
    let error = SceneShard::from_bytes(&many).expect_err("too many").to_string();
    assert!(error.starts_with("share must be the bytes of visible spheres"), "{error}");
    let none = renderer.stream(&scene).expect("a look without hidden spheres").into_shares(2);
    assert_eq!(SceneShard::from_bytes(&none[1].to_bytes()).expect("its bytes"), none[0]);
}

#[test]
fn parts_are_outlined() {
    let spheres = spheres();
    let shading = Shading::preset(ShadingPreset::Illustrative)
        .with_ambient_occlusion(AmbientOcclusion::Off)
        .with_splat_radius(0.0);
    let scene = empty(shading.with_samples(4));
    let groups = [&spheres[..150], &spheres[150..]].map(SphereGroup::from);
    let whole = drawn(&mut renderer(), scene.clone().with_groups(groups));
    assert!(whole != drawn(&mut renderer(), scene.clone().with_spheres(&spheres[..])), "parts show");
    let frame = streamed(&scene, 64, |stream| {
        stream.add(&spheres[..150]).expect("no hidden spheres");
        stream.begin_part();
        stream.add(&spheres[150..]).expect("no hidden spheres");
    });
    assert!(frame == whole);
}

#[test]
fn small_spheres_are_lit_as_a_cloud() {
    let mut spheres = generate::spheres(Pattern::Gaussian, 20_000, 1);
    spheres.iter_mut().for_each(|sphere| sphere.radius = 0.01);
    for look in [ShadingPreset::Studio, ShadingPreset::Illustrative] {
        let scene = empty(Shading::preset(look).with_samples(2));
        let whole = drawn(&mut renderer(), scene.clone().with_spheres(&spheres[..]));
        let frame = streamed(&scene, 999, |stream| stream.add(&spheres).expect("spheres below a pixel"));
        assert!(frame == whole, "{look}");
    }
    spheres[15_000].radius = 0.5;
    let renderer = renderer();
    let scene = empty(Shading::preset(ShadingPreset::Studio));
    let mut stream = renderer.stream(&scene).expect("the spheres may be small");
    let message = stream.add(&spheres).expect_err("a large sphere casts a shadow").to_string();
    assert!(message.contains("shadows"), "{message}");
}

#[test]
fn rules_draw_what_they_make() {
    let (pattern, count) = (Pattern::Sunflower, 50_000);
    let scene = empty(Shading::preset(ShadingPreset::Headlight).with_samples(2));
    let whole = drawn(&mut renderer(), scene.clone().with_spheres(generate::spheres(pattern, count, 1)));
    let frame = streamed(&scene, 5000, |stream| {
        let fill = |numbers: std::ops::Range<u64>, spheres: &mut Vec<PaintedSphere>| {
            spheres.extend(numbers.map(|number| pattern.sphere(number, count as u64, 1)));
        };
        stream.add_by_rule(0..count as u64, fill).expect("no hidden spheres");
    });
    assert!(frame == whole);
}

#[test]
fn looks_that_need_hidden_spheres_are_refused_before_any_is_added() {
    let renderer = renderer();
    let headlight = Shading::preset(ShadingPreset::Headlight);
    for (shading, part) in [
        (headlight.with_ambient_occlusion(AmbientOcclusion::Smooth), "ambient occlusion"),
        (headlight.with_ao_rays(4), "ambient occlusion"),
        (Shading::preset(ShadingPreset::Studio).with_splat_radius(0.0), "ambient occlusion and soft shadows"),
    ] {
        let message = renderer.stream(&empty(shading)).expect_err(part).to_string();
        assert!(message.contains(part), "{message}");
    }
    let slab = empty(headlight).with_depth_range(0.2, 0.8);
    assert!(renderer.stream(&slab).expect_err("a slab").to_string().contains("slab"));
}

#[test]
fn a_stream_without_spheres_shows_the_background() {
    for (name, scene) in looks() {
        let frame = streamed(&scene, 10, |stream| {
            let nothing = PaintedSphere::new([0.0; 3], f32::NAN, Srgba8::BLACK);
            stream.add(&[nothing; 3]).expect("nothing is drawn");
        });
        let whole = render(&scene.into(), &RenderSettings::default()).expect("an empty scene");
        assert!(frame == whole, "{name}");
    }
}

/// Circles of all sizes, opaque and translucent ones.
pub(crate) fn circles(width: f32, height: f32) -> Vec<PaintedCircle> {
    let mut circles = generate::circles(Pattern::Uniform, 3000, 4);
    for (index, circle) in circles.iter_mut().enumerate() {
        circle.center = [0.5 * width * (1.0 + circle.center[0]), 0.5 * height * (1.0 + circle.center[1])];
        circle.radius *= [8.0, 20.0, 90.0, 400.0][index % 4];
        circle.color = circle.color.with_alpha([255, 0x40, 0x08, 0xc0][index / 4 % 4]);
    }
    circles
}

#[test]
fn circles_from_the_topmost_down_draw_the_bytes_of_a_scene_in_memory() {
    let circles = circles(150.0, 107.0);
    let glass = Srgba8::rgb(200, 90, 30).with_alpha(70);
    for (blend, background, tile) in
        [(Blend::Srgb, Srgba8::WHITE, 32), (Blend::Linear, glass, 128), (Blend::Srgb, glass, 40)]
    {
        let canvas = Canvas { blend, ..Canvas::new(150, 107) }.with_background(background);
        let settings = RenderSettings::default().with_tile_size(tile);
        for count in [300, circles.len()] {
            let circles = &circles[..count];
            let whole = render(&CircleScene::from(canvas).with_layer(circles).into(), &settings).expect("few circles");
            for block in [1, 7, 1000, circles.len()] {
                let renderer = Renderer::new(&settings).expect("valid settings");
                let mut stream = renderer.stream_circles(&canvas).expect("a small picture");
                circles.rchunks(block).for_each(|block| stream.add_below(block).expect("circles"));
                let mut frame = Frame::new(1, 1, Srgba8::WHITE).expect("a small frame");
                stream.finish(&mut frame).expect("a small frame");
                assert!(frame == whole, "{count} circles in blocks of {block}, tiles of {tile}");
            }
        }
    }
}

#[test]
fn nothing_is_painted_below_a_finished_picture() {
    let renderer = renderer();
    let mut stream = renderer.stream_circles(&Canvas::new(100, 71)).expect("a small picture");
    assert!(!stream.is_finished());
    stream.add_below(&[PaintedCircle::new([50.0, 35.0], 300.0, Srgba8::BLACK)]).expect("a circle");
    assert!(stream.is_finished());
    stream.add_below(&circles(100.0, 71.0)).expect("circles");
    let mut frame = Frame::new(1, 1, Srgba8::WHITE).expect("a small frame");
    let statistics = stream.finish(&mut frame).expect("a small frame");
    assert!(frame.pixels().iter().all(|pixel| *pixel == Srgba8::BLACK));
    assert_eq!((statistics.shapes, statistics.blocks), (3001, 1));
}
