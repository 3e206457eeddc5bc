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

const MODELS: [Transparency; 3] = [Transparency::Surfaces, Transparency::Shell, Transparency::Solid];

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
    for model in [Transparency::Surfaces, Transparency::Shell] {
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
