//! Spheres in arrays of centres, radii and colours: the pictures, cameras and depths of the same spheres in rows.

use roundel::generate::{self, Pattern};
use roundel::glam::{Mat3, Vec3};
use roundel::spheres::{
    Camera, ClipPlane, DirectionalLight, Framing, PaintedSphere, Pose, Projection, Shading, ShadingPreset,
    SphereColors, SphereColumns, SphereGroup, SphereRadii, SphereScene, SphereStore,
};
use roundel::{Frame, RenderSettings, Renderer, Scene, SimdLevel, Srgba8, render};

/// The numbers of some spheres, an array for each.
struct Columns {
    centers: Vec<[f32; 3]>,
    radii: Vec<f32>,
    rgb: Vec<[u8; 3]>,
}

impl Columns {
    fn of(rows: &[PaintedSphere]) -> Self {
        Self {
            centers: rows.iter().map(|row| row.center).collect(),
            radii: rows.iter().map(|row| row.radius).collect(),
            rgb: rows.iter().map(|row| [row.color.r, row.color.g, row.color.b]).collect(),
        }
    }

    fn arrays(&self) -> SphereColumns<'_> {
        SphereColumns::new(&self.centers[..], &self.radii[..], &self.rgb[..]).expect("as many of each")
    }
}

/// Spheres of mixed sizes, some invalid.
fn rows(count: usize, seed: u64) -> Vec<PaintedSphere> {
    let mut rows = generate::spheres(Pattern::Gaussian, count, seed);
    for (row, share) in rows.iter_mut().zip([0.3, 1.0, 2.5].into_iter().cycle()) {
        row.radius *= share;
    }
    rows[3].center[1] = f32::NAN;
    rows[5].radius = -1.0;
    rows[6].radius = f32::INFINITY;
    rows
}

/// Three groups: plain spheres, copies of others with parts, and a single one.
fn scene<'a>(first: impl Into<SphereGroup<'a>>, second: SphereStore<'a>, third: SphereStore<'a>) -> SphereScene<'a> {
    let rotation = Mat3::from_cols_array(&[0.6, 0.0, -0.8, 0.0, 1.0, 0.0, 0.8, 0.0, 0.6]);
    let turned = Pose { rotation, translation: Vec3::new(0.9, -0.2, -0.6) };
    let parts: Vec<u32> = (0..second.len()).map(|index| u32::from(index % 3 == 0)).collect();
    let copies = SphereGroup::new(second, vec![Pose::IDENTITY, turned]).with_parts(parts);
    SphereScene::new(Camera::look_at([0.3, 0.8, 5.0], [0.0; 3]), 96, 72)
        .with_spheres(first)
        .with_spheres(copies)
        .with_spheres(SphereGroup::new(third, vec![Pose::from_translation([0.0, -1.0, 0.5])]))
        .with_light(DirectionalLight::new([-1.0, -2.0, -0.5]))
}

fn same_pixels(rows: &SphereScene<'_>, arrays: &SphereScene<'_>, settings: &RenderSettings, case: &str) -> Frame {
    let draw = |scene: &SphereScene<'_>| render(&Scene::Spheres(scene.clone()), settings).expect("it draws");
    let (rows, arrays) = (draw(rows), draw(arrays));
    assert!(rows == arrays, "{case}: pixels differ");
    rows
}

#[test]
fn arrays_draw_the_pixels_of_rows_in_every_look() {
    // the first count uses the hierarchy for shadows, the second light buffers
    for (count, seed) in [(700, 1), (9001, 2)] {
        let (first, second) = (rows(count, seed), rows(301, seed + 10));
        let single = [PaintedSphere::new([0.0; 3], 0.25, Srgba8::rgb(0x44, 0x77, 0xaa))];
        let (first_columns, second_columns) = (Columns::of(&first), Columns::of(&second));
        let one = SphereColumns::new(vec![[0.0; 3]], 0.25, Srgba8::rgb(0x44, 0x77, 0xaa)).expect("one of each");
        let mut of_rows = scene(&first[..], (&second).into(), (&single).into());
        let mut of_arrays = scene(first_columns.arrays(), second_columns.arrays().into(), one.into());
        assert_eq!(of_rows.groups[2], of_arrays.groups[2]);
        let of_look = |look| Shading::preset(look).with_samples(2);
        let mut shadings: Vec<Shading> = ShadingPreset::ALL.map(of_look).into();
        shadings.push(Shading::default().with_ao_rays(4).with_shadows());
        shadings.push(Shading::preset(ShadingPreset::Studio).with_splat_radius(3.0));
        let mut seen = Vec::new();
        for shading in shadings {
            (of_rows.shading, of_arrays.shading) = (shading, shading);
            let frame = same_pixels(&of_rows, &of_arrays, &RenderSettings::default(), &format!("{count}, {shading:?}"));
            assert!(!seen.contains(&frame), "each shading has a picture of its own");
            seen.push(frame);
        }
        for plane in ["x<0.4", "z<0.3"] {
            let plane: ClipPlane = plane.parse().expect("a plane");
            of_rows = of_rows.with_clip_plane(plane).with_depth_range(0.2, 0.9);
            of_arrays = of_arrays.with_clip_plane(plane).with_depth_range(0.2, 0.9);
            let frame = same_pixels(&of_rows, &of_arrays, &RenderSettings::default(), "cut");
            assert!(!seen.contains(&frame), "something is cut away");
        }
    }
}

#[test]
fn settings_change_no_pixel_of_arrays() {
    let first = rows(5000, 4);
    let columns = Columns::of(&first);
    let second: SphereStore<'_> = (&first[..300]).into();
    let mut of_rows = scene(&first[..], second.clone(), second.clone());
    let mut of_arrays = scene(columns.arrays(), second.clone(), second.clone());
    (of_rows.shading, of_arrays.shading) =
        (Shading::preset(ShadingPreset::Studio), Shading::preset(ShadingPreset::Studio));
    for level in SimdLevel::available() {
        let settings = RenderSettings::default().with_simd(level).with_tile_size(16).with_threads(1);
        same_pixels(&of_rows, &of_arrays, &settings, level.name());
    }
}

#[test]
fn every_form_of_radii_and_colors_is_read() {
    let color = Srgba8::rgb(9, 200, 33);
    let rows: Vec<_> = rows(800, 6).into_iter().map(|row| PaintedSphere { radius: 0.05, color, ..row }).collect();
    let Columns { centers, radii, rgb } = Columns::of(&rows);
    let (each, rgba) = (vec![color; 800], vec![[9, 200, 33, 255]; 800]);
    let forms: [(&str, SphereRadii<'_>, SphereColors<'_>); 5] = [
        ("one", 0.05.into(), color.into()),
        ("owned", radii.clone().into(), each.clone().into()),
        ("rgb", radii[..].into(), rgb[..].into()),
        ("rgba", 0.05.into(), rgba[..].into()),
        ("borrowed", 0.05.into(), each[..].into()),
    ];
    let picture = |spheres: SphereStore<'_>| {
        let camera = Camera::look_at([0.3, 0.8, 5.0], [0.0; 3]);
        let scene = SphereScene::new(camera, 64, 48).with_spheres(SphereGroup::new(spheres, vec![Pose::IDENTITY]));
        render(&scene.into(), &RenderSettings::default()).expect("it draws")
    };
    let expected = picture(rows.into());
    assert!(expected.pixels().iter().any(|pixel| pixel.r < pixel.g), "something is green");
    for (case, radii, colors) in forms {
        let arrays = SphereColumns::new(&centers[..], radii, colors).expect("as many of each");
        assert!(picture(arrays.into()) == expected, "{case}");
    }
}

#[test]
fn too_few_or_too_many_of_anything_are_refused() {
    let centers = || vec![[0.0_f32; 3]; 5];
    let refused = |made: roundel::Result<SphereColumns<'_>>| made.expect_err("another number").to_string();
    let radii = refused(SphereColumns::new(centers(), vec![1.0; 6], Srgba8::BLACK));
    assert_eq!(radii, "radii must be one or 5, as there are centers, got 6");
    for colors in [SphereColors::from(vec![Srgba8::BLACK; 4]), (&[[0; 3]; 4][..]).into(), (&[[0; 4]; 4][..]).into()] {
        let colors = refused(SphereColumns::new(centers(), 1.0, colors));
        assert_eq!(colors, "colors must be one or 5, as there are centers, got 4");
    }
}

#[test]
fn cameras_frame_arrays_as_rows() {
    let rows: Vec<_> = generate::spheres(Pattern::Gaussian, 100_000, 3);
    let columns = Columns::of(&rows);
    let framing = Framing { toward_eye: Vec3::new(0.3, 0.5, 1.0), up: Vec3::Y, aspect: 1.5 };
    let (of_rows, of_arrays) = ([SphereGroup::from(&rows[..])], [SphereGroup::from(columns.arrays())]);
    for camera in [
        |groups: &[SphereGroup<'_>], framing: &Framing| Camera::framing_perspective(groups, framing, 0.5),
        Camera::framing_orthographic,
    ] {
        assert_eq!(camera(&of_arrays, &framing), camera(&of_rows, &framing));
        assert!(
            !matches!(camera(&of_arrays, &framing).projection, Projection::Orthographic { height } if height < 0.1)
        );
    }
}

#[test]
fn depths_and_indices_are_those_of_rows() {
    let rows = rows(2000, 8);
    let columns = Columns::of(&rows);
    let camera = Camera::look_at([0.3, 0.8, 5.0], [0.0; 3]);
    let of_rows = SphereScene::new(camera, 64, 48).with_spheres(&rows[..]);
    let of_arrays = SphereScene::new(camera, 64, 48).with_spheres(columns.arrays());
    let mut renderer = Renderer::new(&RenderSettings::default()).expect("valid settings");
    let mut layers = |scene: SphereScene<'_>| renderer.render_aovs(&scene.into()).expect("it draws").0;
    let (rows, arrays) = (layers(of_rows), layers(of_arrays));
    assert!(rows.gbuffer.is_some() && rows == arrays);
}

#[test]
fn a_renderer_sees_that_borrowed_arrays_have_changed() {
    let mut columns = Columns::of(&rows(6000, 9));
    let camera = Camera::look_at([0.3, 0.8, 5.0], [0.0; 3]);
    let mut renderer = Renderer::new(&RenderSettings::default()).expect("valid settings");
    let mut frames = Vec::new();
    for _ in 0..2 {
        let scene = SphereScene::new(camera, 64, 48)
            .with_spheres(columns.arrays())
            .with_shading(Shading::preset(ShadingPreset::Studio))
            .into();
        let mut frame = Frame::new(1, 1, Srgba8::WHITE).expect("a small frame");
        // the second time with cached structures
        renderer.render(&scene, &mut frame).expect("it draws");
        renderer.render(&scene, &mut frame).expect("it draws");
        assert!(frame == render(&scene, &RenderSettings::default()).expect("it draws"));
        frames.push(frame);
        columns.centers.iter_mut().for_each(|center| center[0] += 0.1);
    }
    assert!(frames[0] != frames[1]);
}
