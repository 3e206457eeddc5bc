//! Shadows and occlusion by shapes other than spheres.

use glam::Vec3;
use roundel::arrows::PaintedArrow;
use roundel::color::linear_from_srgb8;
use roundel::cylinders::{Caps, PaintedCylinder};
use roundel::ellipsoids::PaintedEllipsoid;
use roundel::spheres::{
    AmbientOcclusion, Camera, DirectionalLight, PaintedSphere, Projection, Shading, Shapes, SphereScene, Transparency,
};
use roundel::{Frame, RenderSettings, Srgba8, render};

const MODELS: [Transparency; 4] =
    [Transparency::Surfaces, Transparency::Shell, Transparency::Solid, Transparency::Front];

/// Shapes over a white floor, seen from the side.
fn over_floor(shapes: Shapes<'_>, shading: Shading, light_degrees: f32) -> Frame {
    let camera = Camera::look_at([0.0, 6.0, 9.0], [0.0, -1.0, 1.0]).with_projection(Projection::orthographic(5.0));
    let light = DirectionalLight::new([0.2, -1.0, 0.4]).with_angle_degrees(light_degrees);
    let mut scene = SphereScene::new(camera, 64, 48).with_background(Srgba8::BLACK);
    if shading.ambient < 1.0 {
        scene = scene.with_light(light);
    }
    scene.shapes = shapes;
    let floor = vec![PaintedSphere::new([0.0, -101.0, 0.0], 100.0, Srgba8::WHITE)];
    let scene = scene.with_spheres(floor).with_shading(shading);
    render(&scene.into(), &RenderSettings::default()).expect("it draws")
}

/// The linear light of the floor wherever `shown`, drawn without shadows, has its white.
fn floor_light(frame: &Frame, shown: &Frame) -> Vec<f64> {
    let both = frame.pixels().iter().zip(shown.pixels());
    both.filter(|(_, shown)| **shown == Srgba8::WHITE).map(|(pixel, _)| f64::from(linear_from_srgb8(pixel.g))).collect()
}

/// Every way to find shadows and openness, with the angle of the light.
fn methods() -> [(Shading, f32); 4] {
    let dim = Shading::default().with_ambient(0.3);
    let occluded = |of| (Shading::default().with_ambient(1.0).with_ambient_occlusion(of), 0.0);
    [
        (dim.with_shadows(), 0.0),
        (dim.with_shadows(), 10.0),
        occluded(AmbientOcclusion::Rays(16)),
        occluded(AmbientOcclusion::Smooth),
    ]
}

fn rod(start: [f32; 3], end: [f32; 3], caps: Caps) -> PaintedCylinder {
    PaintedCylinder::new(start, end, 0.3, Srgba8::BLACK).with_caps(caps)
}

#[test]
fn invisible_shapes_cast_no_shadow() {
    let clear = Srgba8::BLACK.with_alpha(0);
    let shapes = Shapes::default()
        .with_ellipsoids(vec![PaintedEllipsoid::new([-1.5, 0.0, 0.0], [0.6, 0.3, 0.4], clear)])
        .with_cylinders(vec![PaintedCylinder::new([-0.5, 0.0, 0.0], [0.5, 0.1, 0.0], 0.3, clear)])
        .with_arrows(&[PaintedArrow::new([1.0, 0.0, 0.0], [1.0, 0.0, 0.0], 0.2, clear)]);
    for (shading, angle) in methods() {
        for model in MODELS {
            let shading = shading.with_transparency(model);
            let [without, with] = [Shapes::default(), shapes.clone()].map(|of| over_floor(of, shading, angle));
            assert!(without.pixels() == with.pixels(), "{model}, {angle} degrees, {:?}", shading.ambient_occlusion);
        }
    }
}

/// A cylinder with an opaque half and a translucent one shades as its halves alone do: their weighted mean.
#[test]
fn each_half_of_a_cylinder_casts_its_own_shadow() {
    let (start, end) = ([-1.6, -0.6, 0.2], [1.6, -0.6, 0.2]);
    let middle = Vec3::from(start).midpoint(Vec3::from(end)).to_array();
    for (caps, alpha) in [(Caps::Flat, 0), (Caps::Round, 0), (Caps::Flat, 128)] {
        let whole = rod(start, end, caps);
        let shown =
            over_floor(Shapes::default().with_cylinders(vec![whole]), Shading::default().with_ambient(1.0), 0.0);
        let mut mixed = whole;
        mixed.colors[0] = Srgba8::BLACK.with_alpha(alpha);
        let share = f64::from(alpha) / 255.0;
        // its other end lies inside of the whole
        let half = PaintedCylinder { start: middle, ..whole };
        for (shading, angle) in methods() {
            let shading = shading.with_transparency(Transparency::Solid);
            let light = |rods: Vec<PaintedCylinder>| {
                floor_light(&over_floor(Shapes::default().with_cylinders(rods), shading, angle), &shown)
            };
            let [found, opaque, of_half] = [mixed, whole, half].map(|rod| light(vec![rod]));
            let bare = light(Vec::new());
            let method = format!("{caps:?}, alpha {alpha}, {angle} degrees, {:?}", shading.ambient_occlusion);
            // the hard shadow of a medium depends on the path through it
            let is_mean = alpha == 0 || angle > 0.0 || shading.ambient == 1.0;
            let (mut far, mut dark) = (0, 0);
            for at in 0..bare.len() {
                let wanted = share * opaque[at] + (1.0 - share) * of_half[at];
                far += usize::from(is_mean && (found[at] - wanted).abs() > 0.05);
                dark += usize::from(bare[at] - found[at] > 0.05);
            }
            assert!(dark > 40 && far * 30 <= bare.len(), "{method}: {far} of {}, {dark} dark", bare.len());
        }
    }
}

/// Under the half of opacity 128 there is half of the light, under the opaque one none.
#[test]
fn surfaces_of_two_opacities_let_through_what_each_leaves() {
    let mut mixed = rod([-1.6, -0.6, 0.2], [1.6, -0.6, 0.2], Caps::Flat);
    mixed.colors[0] = Srgba8::BLACK.with_alpha(128);
    let light = |of: PaintedCylinder, model| {
        let shading = Shading::default().with_ambient(0.0).with_shadows().with_transparency(model);
        over_floor(Shapes::default().with_cylinders(vec![of]), shading, 0.0)
    };
    for model in [Transparency::Surfaces, Transparency::Shell, Transparency::Front] {
        let found = light(mixed, model);
        let ends = [128, 255]
            .map(|alpha| light(PaintedCylinder { colors: [Srgba8::BLACK.with_alpha(alpha); 2], ..mixed }, model));
        let differ = |other: &Frame, columns: std::ops::Range<usize>| {
            let pixels = found.pixels().iter().zip(other.pixels()).enumerate();
            pixels.filter(|(at, (a, b))| columns.contains(&(at % 64)) && a != b).count()
        };
        let counts = [differ(&ends[0], 0..28), differ(&ends[1], 36..64), differ(&ends[0], 36..64)];
        assert!(counts[0] == 0 && counts[1] == 0 && counts[2] > 50, "{model}: {counts:?}");
    }
}

/// Openness of a medium that is nearly opaque, with spheres inside of each other.
#[test]
fn a_dense_medium_has_the_openness_of_rays() {
    let mut random = crate::oracle::random::Random::new(3);
    let spheres: Vec<PaintedSphere> = (0..24)
        .map(|index| {
            let center = [0; 3].map(|_| random.within(-1.0, 1.0));
            let color = Srgba8::WHITE.with_alpha(if index % 2 == 0 { 230 } else { 255 });
            PaintedSphere::new(center, random.within(0.1, 0.34), color)
        })
        .collect();
    let draw = |occlusion| {
        let camera = Camera::look_at([2.0, 2.0, 5.0], [0.0; 3]).with_projection(Projection::orthographic(2.2));
        let shading = Shading::default().with_ambient(1.0).with_ambient_occlusion(occlusion);
        let scene = SphereScene::new(camera, 48, 42).with_background(Srgba8::BLACK).with_spheres(spheres.clone());
        let scene = scene.with_shading(shading.with_transparency(Transparency::Solid));
        render(&scene.into(), &RenderSettings::default()).expect("it draws")
    };
    let (smooth, rays) = (draw(AmbientOcclusion::Smooth), draw(AmbientOcclusion::Rays(256)));
    let far = smooth.pixels().iter().zip(rays.pixels()).filter(|(a, b)| a.g.abs_diff(b.g) > 20).count();
    assert!(far <= 2, "{far} pixels are far off");
}

/// The openness of the pixels that show a shape.
fn openness(scene: &SphereScene<'_>, occlusion: AmbientOcclusion) -> Vec<f64> {
    let draw = |occlusion| {
        let shading = scene.shading.with_ambient(1.0).with_ambient_occlusion(occlusion);
        let scene = scene.clone().with_background(Srgba8::rgb(255, 0, 0)).with_shading(shading);
        render(&scene.into(), &RenderSettings::default()).expect("it draws")
    };
    floor_light(&draw(occlusion), &draw(AmbientOcclusion::Off))
}

fn seen_from(eye: [f32; 3], size: f32, shapes: Shapes<'static>) -> SphereScene<'static> {
    let camera = Camera::look_at(eye, [0.0; 3]).with_projection(Projection::orthographic(size));
    let mut scene = SphereScene::new(camera, 32, 28);
    scene.shapes = shapes;
    scene
}

/// Scenes of shapes that no sphere resembles.
fn flat_and_long() -> Vec<(&'static str, SphereScene<'static>)> {
    let white = Srgba8::WHITE;
    let lattice =
        |step: f32| (-2..=2).flat_map(move |x| (-2..=2).map(move |z| [x as f32 * step, 0.0, z as f32 * step]));
    let disc = |y: f32| PaintedEllipsoid::new([0.0, y, 0.0], [1.0, 0.02, 1.0], white);
    let coin = |y: f32| PaintedCylinder::new([0.0, y, 0.0], [0.0, y + 0.05, 0.0], 1.0, white);
    let needles: Vec<_> = lattice(0.4).map(|at| PaintedEllipsoid::new(at, [0.1, 1.0, 0.1], white)).collect();
    let arrows: Vec<_> = lattice(0.5).map(|at| PaintedArrow::new(at, [0.1, 1.0, 0.2], 0.08, white)).collect();
    let side = |angle: f32| [libm::cosf(angle), libm::sinf(angle)];
    let tube = (0..16).map(|at| side(at as f32 * std::f32::consts::FRAC_PI_8));
    let tube: Vec<_> = tube.map(|[x, z]| PaintedCylinder::new([x, -1.0, z], [x, 1.0, z], 0.2, white)).collect();
    let crowd: Vec<_> = (0..600)
        .map(|index| [index % 9, index / 9 % 9, index / 81].map(|along| (along as f32 - 4.0) * 0.6))
        .map(|at| PaintedEllipsoid::new(at, [0.3, 0.1, 0.2], white))
        .collect();
    let floor = PaintedCylinder::new([0.0, -0.6, 0.0], [0.0, -0.5, 0.0], 3.0, white);
    let balls = vec![PaintedSphere::new([0.0; 3], 0.5, white), PaintedSphere::new([0.9, -0.2, 0.3], 0.3, white)];
    let none = Shapes::default;
    vec![
        ("two discs", seen_from([2.0, -2.5, 5.0], 2.6, none().with_ellipsoids(vec![disc(0.0), disc(0.4)]))),
        (
            "coins",
            seen_from(
                [2.0, 2.5, 5.0],
                2.6,
                none().with_cylinders((0..6).map(|at| coin(0.15 * at as f32 - 0.4)).collect::<Vec<_>>()),
            ),
        ),
        ("needles", seen_from([2.0, 2.5, 5.0], 2.6, none().with_ellipsoids(needles.clone()))),
        ("arrows", seen_from([2.0, 2.5, 5.0], 3.0, none().with_arrows(&arrows))),
        ("tube", seen_from([0.5, 5.0, 0.5], 2.6, none().with_cylinders(tube))),
        ("crowd", seen_from([2.0, 2.5, 5.0], 8.0, none().with_ellipsoids(crowd))),
        ("balls on a disc", seen_from([2.0, 2.5, 5.0], 4.0, none().with_cylinders(vec![floor])).with_spheres(balls)),
        ("needles, within 0.6", {
            let scene = seen_from([2.0, 2.5, 5.0], 2.6, none().with_ellipsoids(needles));
            let shading = scene.shading.with_ao_distance(0.6);
            scene.with_shading(shading)
        }),
    ]
}

#[test]
fn openness_among_shapes_is_that_of_rays() {
    let mut wrong = Vec::new();
    for (name, scene) in flat_and_long() {
        let (found, wanted) =
            (openness(&scene, AmbientOcclusion::Smooth), openness(&scene, AmbientOcclusion::Rays(144)));
        assert!(wanted.len() > 90, "{name}: {} pixels", wanted.len());
        let errors: Vec<f64> = found.iter().zip(&wanted).map(|(found, wanted)| found - wanted).collect();
        let mean = |of: &dyn Fn(f64) -> f64| errors.iter().map(|&error| of(error)).sum::<f64>() / errors.len() as f64;
        let (rms, bias) = (mean(&|error| error * error).sqrt(), mean(&|error| error));
        let line = format!("{name}: RMS {rms:.3}, bias {bias:+.3}");
        println!("{line}");
        if rms > 0.05 || bias.abs() > 0.02 {
            wrong.push(line);
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The soft shadow of a light is the mean of the hard shadows of its points.
#[test]
fn soft_shadows_of_shapes_are_means_of_hard_ones() {
    const POINTS: usize = 32;
    let white = Srgba8::WHITE;
    let rod = |end: [f32; 3], caps| PaintedCylinder::new([0.0, 0.2, 0.0], end, 0.5, white).with_caps(caps);
    let needle = PaintedEllipsoid::new([0.0, 0.3, 0.0], [1.0, 0.1, 0.3], white).with_rotation([0.1, 0.3, 0.2, 0.9]);
    let none = Shapes::default;
    for (name, shapes) in [
        ("disc", none().with_cylinders(vec![rod([0.0, 0.24, 0.0], Caps::Flat)])),
        ("as wide as long", none().with_cylinders(vec![rod([0.6, 0.9, 0.1], Caps::Round)])),
        ("ellipsoid", none().with_ellipsoids(vec![needle])),
        ("arrow", none().with_arrows(&[PaintedArrow::new([-0.8, 0.2, 0.0], [1.6, 0.1, 0.2], 0.2, white)])),
    ] {
        let draw = |direction: Vec3, angle: f32| {
            let camera =
                Camera::look_at([0.0, 6.0, 3.0], [0.0, -1.0, 0.6]).with_projection(Projection::orthographic(4.0));
            let shading = Shading::default().with_ambient(0.0).with_shadows();
            let light = DirectionalLight::new(direction.to_array()).with_angle_degrees(angle);
            let mut scene = SphereScene::new(camera, 40, 32).with_background(Srgba8::BLACK).with_light(light);
            scene.shapes = shapes.clone();
            let floor = vec![PaintedSphere::new([0.0, -1001.0, 0.0], 1000.0, white)];
            render(&scene.with_spheres(floor).with_shading(shading).into(), &RenderSettings::default())
                .expect("it draws")
        };
        let axis = Vec3::new(0.2, -1.0, 0.4).normalize();
        let (side, other) = axis.any_orthonormal_pair();
        let soft = draw(axis, 16.0);
        let radius = libm::tanf(8f32.to_radians());
        let mut mean = vec![0.0; soft.pixels().len()];
        for point in 0..POINTS {
            let turn = point as f32 * 2.399_963;
            let out = radius * ((point as f32 + 0.5) / POINTS as f32).sqrt();
            let hard = draw(axis + out * (side * libm::cosf(turn) + other * libm::sinf(turn)), 0.0);
            for (sum, pixel) in mean.iter_mut().zip(hard.pixels()) {
                *sum += f64::from(linear_from_srgb8(pixel.g)) / POINTS as f64;
            }
        }
        let found = soft.pixels().iter().map(|pixel| f64::from(linear_from_srgb8(pixel.g)));
        let errors: Vec<f64> = found.zip(&mean).map(|(found, mean)| found - mean).collect();
        let rms = (errors.iter().map(|error| error * error).sum::<f64>() / errors.len() as f64).sqrt();
        let bias = errors.iter().sum::<f64>() / errors.len() as f64;
        println!("{name}: RMS {rms:.3}, bias {bias:+.3}");
        assert!(rms < 0.05 && bias.abs() < 0.02, "{name}: RMS {rms}, bias {bias}");
        assert!(mean.iter().filter(|light| **light < 0.3).count() > 20, "{name} casts a shadow");
    }
}

/// Where a ball ends a stick of its radius, both surfaces are one: neither lies in the other's shade.
#[test]
fn balls_at_the_ends_of_sticks_leave_no_seam() {
    let (start, end, radius) = ([-0.7, 0.1, 0.2], [0.6, 0.5, 0.1], 0.2);
    let gray = Srgba8::rgb(0x99, 0x99, 0x99);
    let camera = Camera::look_at([0.3, 0.4, 9.0], [0.0, 0.3, 0.0]).with_projection(Projection::orthographic(1.0));
    let shading = Shading::default().with_samples(4).with_ambient(1.0).with_ambient_occlusion(AmbientOcclusion::Smooth);
    let balls = vec![PaintedSphere::new(start, radius, gray), PaintedSphere::new(end, radius, gray)];
    let mut scene = SphereScene::new(camera, 200, 120).with_background(Srgba8::WHITE).with_spheres(balls);
    scene.shapes = Shapes::default().with_cylinders(vec![PaintedCylinder::new(start, end, radius, gray)]);
    let frame = render(&scene.with_shading(shading).into(), &RenderSettings::default()).expect("it draws");
    let darkest = frame.pixels().iter().map(|pixel| pixel.g).min().expect("pixels");
    assert!(darkest > 0x90, "{darkest}");
}
