//! The scene format, in TOML and JSON: its pictures, and the message for each mistake.

use crate::files::{Folder, PDB, XYZ, color, only_circles, only_spheres};
use glam::Vec3;
use roundel::circles::{Blend, Layer, PaintedCircle, PaintedEllipse, Stroke, Style};
use roundel::io::{LoadOptions, StreamedScene};
use roundel::spheres::{AmbientOcclusion, Background, Camera, DirectionalLight, PaintedSphere, Projection, Shading};
use roundel::{Scene, Srgba8};

const CIRCLES: &str = r##"
[canvas]
width = 200
height = 100
background = "#eeeeee80"
blend = "linear"

[[circle]]
center = [120.0, 80.0]
radius = 40
fill = "#d62728cc"
stroke = { color = "#000", width = 2.0 }

[[points]]
file = "points.csv"
radius = 3
color = "#1f77b420"

[[circle]]
center = [10, 20]
radii = [40, 25]
fill = "#00f"
"##;

const SPHERES: &str = r##"
[camera]
eye = [0, 0, 5]
target = [0, 0, 0]
up = [0, 1, 0]
fov = 40.0
width = 192
height = 108
background = { bottom = "#ffffff", top = "#80b3ff" }

[render]
shading = "studio"
samples = 4
ao = 16
ao_distance = inf
shadows = true
ambient = 0.25
seed = 7

[[light]]
direction = [-1, -1, -0.5]
color = "#ffeedd"
intensity = 1.5

[[sphere]]
center = [0, 0, 0]
radius = 1.0
color = "#4477aa"
material = "lambert"
"##;

#[test]
fn scene_circles_lie_in_the_order_of_the_file() {
    let folder = Folder::new();
    folder.file("points.csv", "x,y\n1,2\n3,4\n");
    let scene = folder.circles("a.toml", CIRCLES, &LoadOptions::default());
    assert_eq!((scene.canvas.width, scene.canvas.height), (200, 100));
    assert_eq!((scene.canvas.background, scene.canvas.blend), (color("#eeeeee80"), Blend::Linear));
    let circle = |x: f32, y: f32, radius, text| PaintedCircle { center: [x, y], radius, color: color(text) };
    let ellipse = |center, radii, style, text| PaintedEllipse { center, radii, style, color: color(text) };
    let expected = vec![
        Layer::Circles(vec![circle(120.0, 80.0, 40.0, "#d62728cc")].into()),
        Layer::Ellipses(vec![ellipse([120.0, 80.0], [40.0; 2], Style::Stroke(Stroke::new(2.0)), "#000000")].into()),
        Layer::Circles(vec![circle(1.0, 2.0, 3.0, "#1f77b420"), circle(3.0, 4.0, 3.0, "#1f77b420")].into()),
        Layer::Ellipses(vec![ellipse([10.0, 20.0], [40.0, 25.0], Style::Fill, "#0000ff")].into()),
    ];
    assert_eq!(scene.layers, expected);
}

#[test]
fn scene_json_has_the_same_keys() {
    let folder = Folder::new();
    folder.file("points.csv", "x,y\n1,2\n3,4\n");
    let json = r##"{
        "canvas": {"width": 200, "height": 100, "background": "#eeeeee80", "blend": "linear"},
        "circle": [
            {"center": [120.0, 80.0], "radius": 40, "fill": "#d62728cc", "stroke": {"color": "#000", "width": 2.0}},
            {"center": [10, 20], "radii": [40, 25], "fill": "#00f"}
        ],
        "points": [{"file": "points.csv", "radius": 3, "color": "#1f77b420"}]
    }"##;
    let from_json = folder.circles("a.json", json, &LoadOptions::default());
    let from_toml = folder.circles("a.toml", CIRCLES, &LoadOptions::default());
    assert_eq!(from_json.canvas, from_toml.canvas);
    // one array after the other: the points lie on top of both circles
    let [fill, Layer::Ellipses(ring), points, Layer::Ellipses(ellipse)] = &from_toml.layers[..] else {
        panic!("{:?}", from_toml.layers)
    };
    let both = Layer::Ellipses([ring.as_ref(), ellipse.as_ref()].concat().into());
    assert_eq!(from_json.layers, [fill.clone(), both, points.clone()]);
}

#[test]
fn scene_is_known_by_content_and_reads_any_line_ends() {
    let folder = Folder::new();
    folder.file("points.csv", "x,y\n1,2\n");
    let plain = folder.scene("scene.toml", CIRCLES, &LoadOptions::default());
    assert_eq!(plain, folder.scene("scene", CIRCLES, &LoadOptions::default()));
    let marked = format!("\u{feff}{}", CIRCLES.replace('\n', "\r\n"));
    assert_eq!(plain, folder.scene("mark.toml", marked, &LoadOptions::default()), "byte-order mark and CRLF");
}

#[test]
fn scene_view_is_a_window_of_equal_scale() {
    let folder = Folder::new();
    let place = |keys: &str| {
        let text = format!(
            "[canvas]\nwidth = 200\nheight = 100\n{keys}\n[[circle]]\ncenter = [3, 1]\nradius = 1\nfill = \"#000\"\n\
             stroke = {{ color = \"#fff\", width = 0.5 }}"
        );
        let scene = folder.circles("view.toml", text, &LoadOptions::default());
        match &scene.layers[..] {
            [Layer::Circles(fill), Layer::Ellipses(ring)] => (fill[0].center, fill[0].radius, ring[0].style),
            layers => panic!("{layers:?}"),
        }
    };
    let stroke = |width| Style::Stroke(Stroke::new(width));
    assert_eq!(place(""), ([3.0, 1.0], 1.0, stroke(0.5)));
    assert_eq!(place("view = { center = [2, 0], height = 10 }"), ([110.0, 60.0], 10.0, stroke(5.0)));
    assert_eq!(place("view = { center = [2, 0], height = 10 }\nflip_y = true"), ([110.0, 40.0], 10.0, stroke(5.0)));
    assert_eq!(place("view = { center = [2, 0], height = 10, flip_y = true }"), ([110.0, 40.0], 10.0, stroke(5.0)));
    assert_eq!(place("flip_y = true"), ([3.0, 99.0], 1.0, stroke(0.5)));
}

#[test]
fn scene_points_take_radii_and_colours_from_columns() {
    let folder = Folder::new();
    folder.file("p.csv", "x,y,pop,kind,hex\n0,0,0,a,#102030\n0,0,25,b,#10203040\n0,0,100,a,#fff\n");
    let points = |keys: &str| {
        let text = format!("[[points]]\nfile = \"p.csv\"\n{keys}\n");
        only_circles(&folder.circles("p.toml", text, &LoadOptions::default()))
    };
    let radii = |keys: &str| points(keys).iter().map(|circle| circle.radius).collect::<Vec<_>>();
    let colors = |keys: &str| points(keys).iter().map(|circle| circle.color).collect::<Vec<_>>();
    assert_eq!(radii(""), [1.5; 3]);
    assert_eq!(radii("radius = { column = \"pop\" }"), [0.0, 25.0, 100.0]);
    assert_eq!(radii("radius = { column = \"pop\", range = [2, 10] }"), [2.0, 4.0, 10.0]);
    assert_eq!(radii("radius = { column = \"pop\", range = [2, 10], scale = \"sqrt\" }"), [2.0, 6.0, 10.0]);
    assert_eq!(colors("color = \"#1f77b4\""), [color("#1f77b4"); 3]);
    let viridis = ["#440154", "#3b528b", "#fde725"].map(color);
    assert_eq!(colors("color = { column = \"pop\", map = \"viridis\" }"), viridis);
    assert_eq!(colors("color = { column = \"pop\" }"), viridis, "of numbers viridis is made without being asked");
    let clamped = colors("color = { column = \"pop\", range = [0, 50] }");
    assert_eq!((clamped[0], clamped[2]), (viridis[0], viridis[2]), "beyond the range: its end");
    assert_eq!(colors("color = { column = \"pop\", range = [25, 100] }")[1], viridis[0]);
    assert_eq!(colors("color = { column = \"pop\", range = \"p50,p100\" }")[1], viridis[0], "the median is 25");
    assert_eq!(
        colors("color = { column = \"pop\", scale = \"sqrt\" }")[1],
        colors("color = { column = \"pop\", range = [0, 50] }")[1]
    );
    let [first, second] = ["#1f77b480", "#ff7f0e80"].map(color);
    assert_eq!(colors("color = { column = \"kind\", alpha = 0.5 }"), [first, second, first], "anything else: tab10");
    let categories = colors("color = { column = \"pop\", map = \"tab10\" }");
    assert_eq!(categories, ["#1f77b4", "#ff7f0e", "#2ca02c"].map(color), "numbers as categories");
    assert_eq!(colors("color = { column = \"hex\" }"), ["#102030", "#10203040", "#ffffff"].map(color));
    folder.file("p.csv", "x,y,pop\n0,0,1\n0,0,10\n0,0,100\n");
    let log = radii("radius = { column = \"pop\", range = [0, 2], scale = \"log\" }");
    assert_eq!((log[0], log[2]), (0.0, 2.0));
    assert!((log[1] - 1.0).abs() < 1e-6, "{log:?}");
}

#[test]
fn scene_points_fill_the_canvas_unless_it_says_where_they_are() {
    let folder = Folder::new();
    folder.file("p.csv", "x,y\n-10,50\n10,70\n");
    folder.file("q.csv", "x,y\n0,40\n");
    let centers = |keys: &str, more: &str| {
        let text =
            format!("[canvas]\nwidth = 200\nheight = 100\n{keys}\n[[points]]\nfile = \"p.csv\"\nradius = 2\n{more}");
        let scene = folder.circles("fit.toml", text, &LoadOptions::default());
        let circles = scene.layers.iter().flat_map(|layer| match layer {
            Layer::Circles(circles) => circles.to_vec(),
            other => panic!("{other:?}"),
        });
        circles.map(|circle| circle.center).collect::<Vec<_>>()
    };
    // the margin: 3 % of the shorter side, and the radius
    let fitted = [[55.0, 95.0], [145.0, 5.0]];
    assert_eq!(centers("", ""), fitted, "the whole height, and y grows upwards");
    assert_eq!(centers("fit = true", ""), fitted);
    assert_eq!(centers("fit = false", ""), [[-10.0, 50.0], [10.0, 70.0]], "pixels");
    assert_eq!(centers("view = { center = [0, 60], height = 100 }", ""), [[90.0, 40.0], [110.0, 60.0]]);
    assert_eq!(centers("view = { center = [0, 60], scale = 2 }", ""), [[80.0, 30.0], [120.0, 70.0]]);
    let circle = "[[circle]]\ncenter = [0, 60]\nradius = 10\nfill = \"red\"\n";
    assert_eq!(centers("", circle), [[-10.0, 50.0], [10.0, 70.0], [0.0, 60.0]], "pixels, as those of the circle");
    let both = centers("fit = true", circle);
    assert_eq!((both[0], both[2]), (fitted[0], [100.0, 50.0]), "the circle is in units of the plane");
    let two = centers("", "[[points]]\nfile = \"q.csv\"\nradius = 2\n");
    assert_eq!(two, [[70.0, 65.0], [130.0, 5.0], [100.0, 95.0]], "tables are shown together");
    let message =
        said(&folder, "[canvas]\nfit = true\nview = { center = [0, 0], height = 1 }\n[[points]]\nfile = \"p.csv\"");
    assert_eq!(message, "3: canvas must have view or fit, not both");
}

#[test]
fn scene_says_formats_frames_and_columns_as_flags_do() {
    let folder = Folder::new();
    folder.file("p", "x,y,kind,r\n0,0,a,2\n1,0,b,4\n");
    let points = |keys: &str| {
        let view = "[canvas]\nwidth = 8\nheight = 10\nview = { center = [0, 0], height = 100 }\n";
        let text = format!("{view}[[points]]\nfile = \"p\"\nformat = \"csv\"\n{keys}\n");
        only_circles(&folder.circles("p.toml", text, &LoadOptions::default()))
    };
    let by_name = points("color_by = \"kind\"");
    assert_eq!(by_name, points("color = { column = \"kind\" }"));
    assert_ne!(by_name[0].color, by_name[1].color);
    assert_eq!(
        points("color_by = { column = \"kind\", map = \"set1\" }"),
        points("color = { column = \"kind\", map = \"set1\" }")
    );
    assert_eq!(points("radius = { column = \"r\" }")[1].radius, 4.0);
    assert_eq!(points("radius = { column = \"r\", units = \"data\" }")[1].radius, 0.4, "units of the plane");
    folder.file("atoms", XYZ);
    let frame = |keys: &str| {
        let text = format!("[[spheres]]\nfile = \"atoms\"\nformat = \"xyz\"\n{keys}\n");
        only_spheres(&folder.spheres("s.toml", text, &LoadOptions::default()))
    };
    assert_eq!((frame("").len(), frame("frame = 0").len(), frame("frame = 1").len()), (3, 3, 2));
}

#[test]
fn scene_spheres_say_everything() {
    let folder = Folder::new();
    let scene = folder.spheres("a.toml", SPHERES, &LoadOptions::default());
    assert_eq!((scene.view.width, scene.view.height), (192, 108));
    assert_eq!(scene.view.background, Background::Gradient { bottom: color("#fff"), top: color("#80b3ff") });
    let projection = Projection::Perspective { fov_y_radians: 40_f32.to_radians() };
    let camera = Camera::look_at(Vec3::new(0.0, 0.0, 5.0), Vec3::ZERO).with_projection(projection);
    assert_eq!(scene.view.camera, camera);
    let ao_distance = f32::INFINITY;
    assert_eq!(
        scene.shading,
        Shading::default()
            .with_samples(4)
            .with_ao_rays(16)
            .with_ao_distance(ao_distance)
            .with_shadows()
            .with_ambient(0.25)
            .with_seed(7)
    );
    let light = DirectionalLight::new([-1.0, -1.0, -0.5]).with_color(color("#ffeedd")).with_intensity(1.5);
    assert_eq!(scene.lights, [light.into()]);
    assert_eq!(only_spheres(&scene), [PaintedSphere { center: [0.0; 3], radius: 1.0, color: color("#4477aa") }]);
}

#[test]
fn scene_silent_on_quality_has_one_sample_and_no_more() {
    let folder = Folder::new();
    let scene = folder.spheres("a.toml", "[[sphere]]\ncenter = [0, 0, 0]\nradius = 1", &LoadOptions::default());
    assert_eq!(scene.shading, Shading::default());
    assert_eq!((scene.shading.samples, scene.shading.ambient_occlusion.rays(), scene.shading.shadows), (1, 0, false));
    assert!(scene.lights.is_empty());
}

#[test]
fn scene_overrides_take_the_place_of_what_it_says() {
    let folder = Folder::new();
    let overrides = LoadOptions {
        width: Some(30),
        height: Some(20),
        background: Some(color("#123456")),
        samples: Some(2),
        ao: Some(AmbientOcclusion::Off),
        ao_distance: Some(3.0),
        shadows: Some(false),
        ambient: Some(1.0),
        seed: Some(9),
        ortho: Some(true),
        eye: Some([0.0, 0.0, 10.0]),
        target: Some([0.0, 1.0, 10.0]),
        up: Some([1.0, 0.0, 0.0]),
        ..LoadOptions::default()
    };
    let scene = folder.spheres("a.toml", SPHERES, &overrides);
    assert_eq!((scene.view.width, scene.view.height), (30, 20));
    assert_eq!(scene.view.background, Background::Solid(color("#123456")));
    let shading =
        Shading::default().with_samples(2).with_ao_rays(0).with_ao_distance(3.0).with_ambient(1.0).with_seed(9);
    assert_eq!(scene.shading, shading);
    let camera = scene.view.camera;
    assert_eq!((camera.eye, camera.target), (Vec3::new(0.0, 0.0, 10.0), Vec3::new(0.0, 1.0, 10.0)));
    assert_eq!(camera.up, Vec3::X);
    // the extent of 40 degrees at a distance of 1
    let Projection::Orthographic { height } = camera.projection else { panic!("orthographic") };
    assert!((height - 0.727_940_5).abs() < 1e-6, "{height}");
    let flat = LoadOptions { width: Some(50), background: Some(Srgba8::TRANSPARENT), ..LoadOptions::default() };
    let canvas = folder.circles("b.toml", "[canvas]\nwidth = 20\nheight = 10", &flat).canvas;
    assert_eq!((canvas.width, canvas.height, canvas.background), (50, 25, Srgba8::TRANSPARENT));
}

#[test]
fn scene_groups_of_spheres_keep_the_order_of_the_file() {
    let folder = Folder::new();
    folder.file("a.xyz", "1\n\nC 1 2 3\n");
    folder.file("b.csv", "x,y,z,r,kind\n4,5,6,0.5,a\n7,8,9,0.25,b\n");
    let text = "[[sphere]]\ncenter = [0, 0, 0]\nradius = 1\n\
                [[spheres]]\nfile = \"a.xyz\"\n\
                [[sphere]]\ncenter = [1, 1, 1]\nradius = 1\n\
                [[spheres]]\nfile = \"b.csv\"\ncolor_by = \"kind\"\n\
                [[spheres]]\nfile = \"a.xyz\"\nradius = 2\ncolor_by = \"constant\"\ncolor = \"#abc\"\n";
    let scene = folder.spheres("a.toml", text, &LoadOptions::default());
    let row = |sphere: PaintedSphere| (sphere.center[0], sphere.radius, sphere.color);
    let found: Vec<Vec<_>> = scene.groups.iter().map(|group| group.spheres.iter().map(row).collect()).collect();
    let plain = color("#4477aa");
    let expected = vec![
        vec![(0.0, 1.0, plain)],
        vec![(1.0, 1.7, color("#909090"))],
        vec![(1.0, 1.0, plain)],
        vec![(4.0, 0.5, color("#1f77b4")), (7.0, 0.25, color("#ff7f0e"))],
        vec![(1.0, 2.0, color("#aabbcc"))],
    ];
    assert_eq!(found, expected);
}

/// The part after `s.toml:` of the message about a scene, which names files `p.csv` and `m.pdb`.
fn said(folder: &Folder, text: &str) -> String {
    let message = folder.refusal("s.toml", text);
    message.strip_prefix("s.toml:").unwrap_or(&message).trim_start().to_owned()
}

#[test]
fn scene_mistakes_in_circles_are_named_with_line_and_key() {
    let folder = Folder::new();
    let length = "must be a finite number that is not negative, got";
    let with = |keys: &str| said(&folder, &format!("[[circle]]\ncenter = [1, 2]\n{keys}"));
    assert_eq!(
        with("radus = 3\nfill = \"#fff\""),
        "3: circle[0] has no key \"radus\"; did you mean \"radius\"? (keys: center, radius, radii, fill, stroke)"
    );
    assert_eq!(with("radius = -3"), format!("3: circle[0].radius {length} -3"));
    assert_eq!(with("radius = inf"), format!("3: circle[0].radius {length} inf"));
    assert_eq!(with("radius = 1e39"), "3: circle[0].radius must be at most 3.4e38, got 1e39");
    assert_eq!(with("radius = \"big\""), format!("3: circle[0].radius {length} \"big\""));
    assert_eq!(with("radii = [1, -1]\nfill = \"#fff\""), format!("3: circle[0].radii[1] {length} -1"));
    assert_eq!(with("radius = 1\nradii = [1, 2]"), "1: circle[0] must have radius or radii, not both");
    assert_eq!(with("fill = \"#fff\""), "1: circle[0] must have the key \"radius\" or \"radii\"");
    assert_eq!(with("radius = 1"), "1: circle[0] must have the key \"fill\" or \"stroke\", or both");
    assert_eq!(
        with("radius = 1\nfill = \"redd\""),
        "4: circle[0].fill must be a CSS colour name, transparent, #rgb, #rgba, #rrggbb or #rrggbbaa, got \"redd\""
    );
    assert_eq!(
        with("radius = 1\nstroke = { color = \"#fff\", widht = 1 }"),
        "4: circle[0].stroke has no key \"widht\"; did you mean \"width\"? (keys: color, width)"
    );
    assert_eq!(with("radius = 1\nstroke = { color = \"#fff\" }"), "4: circle[0].stroke must have the key \"width\"");
    let cases = [
        ("[[circle]]\nradius = 1", "1: circle[0] must have the key \"center\""),
        ("[[circle]]\ncenter = [1, 2, 3]", "2: circle[0].center must be an array of 2 numbers, got 3 of them"),
        ("[[circle]]\ncenter = [1,\nnan]", "3: circle[0].center[1] must be a finite number, got NaN"),
        ("circle = { center = [0, 0] }", "1: circle must be an array of tables, got a table"),
        ("[canvas]\nwidth = 0", "2: canvas.width must be a whole number from 1 to 1073741824, got 0"),
        ("[canvas]\nwidth = 12.5", "2: canvas.width must be a whole number from 1 to 1073741824, got 12.5"),
        (
            "\n[canvas]\nwidth = 1000000\nheight = 1000000",
            "2: canvas.width times height must be at most 2^30 pixels, got 1000000x1000000",
        ),
        (
            "[canvas]\nblend = \"liner\"",
            "2: canvas.blend has no choice \"liner\"; did you mean \"linear\"? (accepted: srgb, linear)",
        ),
        (
            "[canvas]\nbackground = 5",
            "2: canvas.background must be a CSS colour name, transparent, #rgb, #rgba, #rrggbb or #rrggbbaa, got 5",
        ),
        (
            "[canvas]\nview = { center = [0, 0], height = 0 }",
            "2: canvas.view.height must be a finite number above 0, got 0",
        ),
        ("[canvas]\nflip_y = 1", "2: canvas.flip_y must be true or false, got 1"),
        ("canvas = 3", "1: canvas must be a table, got 3"),
        ("canvas = 1979-05-27", "1: canvas must be a table, got a date"),
        (
            "[canvs]",
            "1: the scene has no key \"canvs\"; did you mean \"canvas\"? (keys: canvas, circle, segment, segments, \
             points, camera, render, light, sphere, cylinder, ellipsoid, arrow, cylinders, ellipsoids, arrows, spheres, \
             generate, figure, tolerance, $schema)",
        ),
        (
            "[canvas]\n[camera]",
            "2: a scene has either a canvas with circle, segment, points and segments or a camera with light, sphere, spheres \
             and other shapes in space, not both",
        ),
        (
            "[render]\nsamples = 4",
            "the scene is empty: it must have a canvas, circle, points, segment or segments, or a camera, sphere, spheres, \
             cylinder, ellipsoid, arrow, or a table of such",
        ),
        ("[canvas]\n\n[render]\nsamples = 4", "3: render is for scenes of spheres; this one has circles"),
        (
            "[tolerance]\ndifference = 300\npixels = 1\nreason = \"\"",
            "2: tolerance.difference must be a whole number from 0 to 255, got 300",
        ),
        ("[canvas]\nwidth = 3\nwidth = 4", "3: not TOML: duplicate key"),
        ("[canvas]\nwidth 3", "2: not TOML: key with no value, expected `=`"),
        ("a = [[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]", "1: values are nested deeper than 16 levels"),
    ];
    for (text, expected) in cases {
        assert_eq!(said(&folder, text), expected, "in:\n{text}");
    }
}

#[test]
fn unknown_keys_are_named_together() {
    let folder = Folder::new();
    let text = "[[circle]]\ncenter = [1, 2]\nradus = 3\nfill = \"#fff\"\n[[circle]]\ncentre = [1, 2]\nradius = 3\n\
                stroke = { color = \"#fff\", widht = 1 }\n[canvs]\nwidth = 5\nqqq = 1";
    let others = "; line 6: circle[1] has no key \"centre\"; did you mean \"center\"?; line 8: circle[1].stroke has no key \
                  \"widht\"; did you mean \"width\"?; line 9: the scene has no key \"canvs\"; did you mean \"canvas\"?; \
                  line 11: canvas has no key \"qqq\"";
    let message = said(&folder, text);
    assert!(message.starts_with("3: circle[0] has no key \"radus\""), "{message}");
    assert!(message.ends_with(&format!("fill, stroke){others}")), "{message}");
    let many: String = (0..9).map(|number| format!("qqq{number} = 1\n")).collect();
    assert_eq!(said(&folder, &many).matches("has no key").count(), 5);
    let twice = said(&folder, "[canvas]\nwidth = 3\nwidht = 4\nwidt = 5");
    assert_eq!(twice.matches("did you mean \"width\"").count(), 2, "{twice}");
}

#[test]
fn scene_mistakes_in_spheres_are_named_with_line_and_key() {
    let folder = Folder::new();
    let with = |keys: &str| said(&folder, &format!("[[sphere]]\ncenter = [1, 2, 3]\nradius = 1\n{keys}"));
    assert_eq!(with("material = { metal = { fuzz = 0.1 } }"), "4: sphere[0].material must be \"lambert\", got a table");
    assert_eq!(with("material = \"lambart\""), "4: sphere[0].material must be \"lambert\", got \"lambart\"");
    assert_eq!(with("[render]\nshading = \"path\""), "5: render.shading must be \"studio\", got \"path\"");
    assert_eq!(with("[render]\nshading = \"toon\""), "5: render.shading must be \"studio\", got \"toon\"");
    let unknown = with("[render]\nkey_angel = 8");
    assert!(
        unknown.starts_with("5: render has no key \"key_angel\"; did you mean \"key_angle\"? (keys: "),
        "{unknown}"
    );
    assert!(unknown.contains("shadows, ambient, ao_strength, key, "), "{unknown}");
    assert!(with("[render]\nnumbers = {}").starts_with("5: render has no key \"numbers\""));
    assert_eq!(with("[render]\n\nfog = 2"), "6: render.fog must be a number from 0 to 1, got 2");
    assert_eq!(with("[render]\nfog = \"x\""), "5: render.fog must be a number from 0 to 1, got \"x\"");
    assert_eq!(
        with("[render]\noutline_width = 17"),
        "5: render.outline_width must be a number of pixels from 0 to 16, got 17"
    );
    assert_eq!(with("[render]\nsamples = 0"), "5: render.samples must be a whole number from 1 to 4096, got 0");
    assert_eq!(
        with("[render]\nao = -1"),
        "5: render.ao must be \"smooth\", \"off\" or a whole number from 0 to 4096, got -1"
    );
    assert_eq!(with("[render]\nambient = 1.5"), "5: render.ambient must be a number from 0 to 1, got 1.5");
    assert_eq!(with("[render]\nao_distance = 0"), "5: render.ao_distance must be a number above 0, or inf, got 0");
    assert_eq!(
        with("[[light]]\ndirection = [0, 0, 0]"),
        "5: light[0].direction must be a direction, got 0 along every axis"
    );
    assert_eq!(
        with("[[light]]\ndirection = [0, 0, 1]\nintensity = -1"),
        "6: light[0].intensity must be a finite number that is not negative, got -1"
    );
    let camera = |keys: &str| said(&folder, &format!("[camera]\n{keys}"));
    assert_eq!(camera("fov = 180"), "2: camera.fov must be an angle from 0.01 to 179 degrees, got 180");
    assert_eq!(camera("fov = 40\northo_height = 3"), "2: camera must have fov or ortho_height, not both");
    assert_eq!(camera("up = [0, 0, 0]"), "2: camera.up must be a direction, got 0 along every axis");
    assert_eq!(
        camera("eye = [1, 2, 3]\ntarget = [1, 2, 3]"),
        "1: camera: eye and target must be two points, both are [1.0, 2.0, 3.0]"
    );
    assert_eq!(
        camera("eye = [0, 9, 0]\ntarget = [0, 0, 0]"),
        "1: camera: up must not be 0 nor point along the line of sight, got [0.0, 1.0, 0.0]"
    );
    assert!(camera("aperture = 0.1").starts_with("2: camera has no key \"aperture\""));
    assert_eq!(camera("background = { bottom = \"#fff\" }"), "2: camera.background must have the key \"top\"");
    let far = "[[sphere]]\ncenter = [3e38, 0, 0]\nradius = 1e38\n[[sphere]]\ncenter = [-3e38, 0, 0]\nradius = 1e38";
    assert_eq!(said(&folder, far), "1: camera: the shapes reach too far for a camera; give it an eye and a target");
}

#[test]
fn scene_mistakes_about_its_files_are_named_with_line_and_key() {
    let folder = Folder::new();
    folder.file("p.csv", "longitude,latitude,state\n1,2,NY\n");
    folder.file("m.pdb", PDB);
    let columns = "(columns: longitude, latitude, state)";
    let points = |keys: &str| said(&folder, &format!("[[points]]\nfile = \"p.csv\"\n{keys}"));
    // keys that all tables share
    assert_eq!(points("only = 3"), "3: points[0].only must be a string, got 3");
    assert_eq!(
        points("x = \"longitude\"\nhighlight = [{ select = \"all\" }]"),
        "4: points[0].highlight[0] must have the key \"color\""
    );
    assert!(
        points("hid = \"state NY\"")
            .starts_with("3: points[0] has no key \"hid\"; did you mean \"hide\"? (keys: file, ")
    );
    assert!(points("rows = {}").starts_with("3: points[0] has no key \"rows\""));
    assert_eq!(
        points("x = \"lon\"\ny = \"latitude\""),
        format!("3: points[0].x must be a column of p.csv, got \"lon\"; did you mean \"longitude\"? {columns}")
    );
    assert_eq!(points("x = \"longitude\""), "3: points[0] must have y too when it has x");
    assert_eq!(
        points("radius = -1"),
        "3: points[0].radius must be a number of pixels, not negative, or a table with column, got -1"
    );
    assert_eq!(
        points("radius = { column = \"pop\" }"),
        format!("3: points[0].radius.column must be a column of p.csv, got \"pop\" {columns}")
    );
    assert_eq!(points("radius = { column = \"state\" }"), "p.csv:2: state must be a finite number, got \"NY\"");
    assert_eq!(
        points("radius = { column = \"state\", scale = \"sqrt\" }"),
        "3: points[0].radius must have a range when it has a scale"
    );
    assert_eq!(
        points("radius = { column = \"state\", scale = \"sqr\" }"),
        "3: points[0].radius.scale has no choice \"sqr\"; did you mean \"sqrt\"? (accepted: linear, sqrt, log)"
    );
    assert_eq!(
        points("color = { column = \"state\", map = \"vridis\" }"),
        "3: points[0].color.map must be a colour map, got \"vridis\"; did you mean \"viridis\"? (maps: tab10, tab20, \
         tab20b, tab20c, accent, dark2, paired, pastel1, pastel2, set1, set2, set3, tableau10, okabe-ito, distinct, jmol, soft, viridis, inferno, \
         magma, plasma, cividis, turbo, blues, greens, greys, oranges, purples, reds, ylorrd, ylgnbu, rdbu, rdylbu, rdylgn, piyg, puor and 94 \
         more)"
    );
    assert_eq!(
        points("color_by = \"stat\""),
        format!(
            "3: points[0].color_by must be a column of p.csv or a colour, got \"stat\"; did you mean \"state\"? {columns}"
        )
    );
    assert_eq!(points("color = \"red\"\ncolor_by = \"state\""), "4: points[0] must have color or color_by, not both");
    assert_eq!(
        points("radius = { column = \"longitude\", range = [1, 2], units = \"data\" }"),
        "3: points[0].radius must have range or units, not both"
    );
    let said_of_format = points("format = \"cvs\"");
    let begin = "3: points[0].format must be a format, got \"cvs\"; did you mean \"vasp\"? (formats: pqr, pdb, vasp, ";
    assert!(said_of_format.starts_with(begin) && said_of_format.ends_with(", csv)"), "{said_of_format}");
    let file = |keys: &str| said(&folder, keys);
    let said_of_file = file("[[points]]\nfile = \"m.pdb\"");
    assert!(said_of_file.starts_with("2: points[0].file must be a table (.ply, .pcd, .vtk, .vtp, "), "{said_of_file}");
    assert!(said_of_file.ends_with(", .csv), got a file of PDB atoms"), "{said_of_file}");
    for (table, key) in [("points", "points[0].file"), ("spheres", "spheres[0].file")] {
        let said = file(&format!("[[{table}]]\nfile = \"gone.csv\""));
        assert_eq!(said, format!("2: {key}: cannot read gone.csv: No such file or directory (os error 2)"));
    }
    assert_eq!(
        file("[[spheres]]\nfile = \"m.pdb\"\nassembly = 3"),
        "3: spheres[0].assembly must be one that m.pdb has (1, 2), got 3"
    );
    assert_eq!(
        file("[[spheres]]\nfile = \"m.pdb\"\ncolor_by = \"chian\""),
        "3: spheres[0].color_by must be a column of m.pdb or a colour, got \"chian\"; did you mean \"chain\"? (columns: \
         record, serial, name, altloc, resname, chain, resid, icode, occupancy, b_factor, segment, element, charge, x, y, \
         z, index)"
    );
    assert_eq!(
        file("[[spheres]]\nfile = \"m.pdb\"\nradius = \"bfactor\""),
        "3: spheres[0].radius must be a column of m.pdb, got \"bfactor\"; did you mean \"b_factor\"? (columns: record, \
         serial, name, altloc, resname, chain, resid, icode, occupancy, b_factor, segment, element, charge)"
    );
    assert_eq!(
        file("[[spheres]]\nfile = \"p.csv\""),
        format!("2: spheres[0].file must have columns x, y and z {columns}")
    );
    assert_eq!(
        file("[[spheres]]\nfile = \"p.csv\"\nassembly = 1"),
        "3: spheres[0].assembly is for molecules; p.csv is a table"
    );
    assert_eq!(
        file("[[spheres]]\nfile = \"p.csv\"\nframe = 1"),
        "3: spheres[0].frame is for molecules; p.csv is a table"
    );
}

#[test]
fn scene_json_mistakes_are_named_with_line_and_key() {
    let folder = Folder::new();
    let cases = [
        (
            "{\n\"circle\": [\n{\"center\": [1, 2], \"radius\": 3, \"fil\": \"#fff\"}]}",
            "s.json:3: circle[0] has no key \"fil\"; did you mean \"fill\"? (keys: center, radius, radii, fill, stroke)",
        ),
        (
            "{\"circle\": [{\"center\": [1, 2],\n\"radius\": 3,\n\"radius\": 4}]}",
            "s.json:3: not JSON: duplicate key \"radius\"",
        ),
        (
            "{\"circle\": [{\"center\": [1, 2],\n\"radius\": null}]}",
            "s.json:2: circle[0].radius must be a finite number that is not negative, got null",
        ),
        ("{\n\"circle\": [}", "s.json:2: not JSON: expected value"),
        ("{\n\"canvas\": {\"width\": 3", "s.json:2: not JSON: EOF while parsing an object"),
        ("[1, 2]", "s.json:1: the scene must be a table of tables, got an array"),
        ("{} {}", "s.json:1: not JSON: trailing characters"),
    ];
    for (text, expected) in cases {
        assert_eq!(folder.refusal("s.json", text), expected, "in:\n{text}");
    }
}

#[test]
fn scene_refuses_overrides_that_mean_nothing_for_it() {
    let folder = Folder::new();
    folder.file("points.csv", "x,y\n1,2\n");
    let with = |text: &str, change: fn(&mut LoadOptions)| {
        let mut overrides = LoadOptions::default();
        change(&mut overrides);
        folder.refusal_with("s.toml", text, &overrides)
    };
    let bare = "is for bare data; the scene s.toml says it itself";
    assert_eq!(with(CIRCLES, |o| o.x = Some("a".into())), format!("x {bare}"));
    assert_eq!(with(SPHERES, |o| o.color_by = Some("a".into())), format!("color_by {bare}"));
    assert_eq!(with(SPHERES, |o| o.assembly = Some(1)), format!("assembly {bare}"));
    assert_eq!(with(CIRCLES, |o| o.eye = Some([0.0; 3])), "eye is for spheres; s.toml is drawn as circles");
    assert_eq!(with(CIRCLES, |o| o.samples = Some(4)), "samples is for spheres; s.toml is drawn as circles");
    assert_eq!(with(SPHERES, |o| o.samples = Some(0)), "samples must be 1 to 4096, got 0");
    assert_eq!(with(SPHERES, |o| o.ao = Some(AmbientOcclusion::Rays(5000))), "ao must be 0 to 4096, got 5000");
    assert_eq!(with(SPHERES, |o| o.ao_distance = Some(f32::NAN)), "ao_distance must be positive, got NaN");
    assert_eq!(with(SPHERES, |o| o.ambient = Some(-0.5)), "ambient must be 0 to 1, got -0.5");
    assert_eq!(with(SPHERES, |o| o.fov = Some(0.0)), "fov must be 0.01 to 179 degrees, got 0");
    assert_eq!(
        with(SPHERES, |o| (o.fov, o.ortho) = (Some(30.0), Some(true))),
        "fov is for perspective; an orthographic camera has no angle of view"
    );
    assert_eq!(with(SPHERES, |o| o.up = Some([f32::NAN; 3])), "up must be three finite numbers, got [NaN, NaN, NaN]");
    assert_eq!(with(SPHERES, |o| o.width = Some(0)), "width must be 1 pixel or more, got 0");
    assert_eq!(
        with(SPHERES, |o| o.width = Some(u32::MAX)),
        "width times height must be at most 2^30 pixels, got 4294967295x2415919103"
    );
    assert!(matches!(folder.scene("s.toml", SPHERES, &LoadOptions::default()), Scene::Spheres(_)));
}

#[test]
fn numbers_that_are_refused_are_shown_as_they_stand() {
    let folder = Folder::new();
    let camera = |keys: &str| said(&folder, &format!("[camera]\n{keys}"));
    let whole = "must be a whole number from 1 to 1073741824, got";
    assert_eq!(camera("width = 10.0"), format!("2: camera.width {whole} 10.0"));
    assert_eq!(camera("width = 0"), format!("2: camera.width {whole} 0"));
    assert_eq!(
        camera("[render]\nao = 4.0"),
        "3: render.ao must be \"smooth\", \"off\" or a whole number from 0 to 4096, got 4.0"
    );
    let sphere = |x: &str, radius: &str| said(&folder, &format!("[[sphere]]\ncenter = [{x}, 0, 0]\nradius = {radius}"));
    assert_eq!(sphere("0", "1e39"), "3: sphere[0].radius must be at most 3.4e38, got 1e39");
    assert_eq!(sphere("0", "-1"), "3: sphere[0].radius must be a finite number that is not negative, got -1");
    assert_eq!(sphere("-1e39", "1"), "2: sphere[0].center[0] must be at least -3.4e38, got -1e39");
    assert_eq!(
        camera("ortho_height = 1e-50"),
        "2: camera.ortho_height must be at least 1.2e-38, got 0.00000000000000000000000000000000000000000000000001"
    );
}

#[test]
fn files_of_unknown_formats_are_named_with_the_key() {
    let folder = Folder::new();
    folder.file("noise", "\u{1}\u{2}\u{3}");
    for (text, start) in [
        ("[camera]\n[[spheres]]\nfile = \"noise\"", "3: spheres[0].file: noise: the format is not known"),
        (
            "[canvas]\n[[points]]\nfile = \"noise\"\nx = \"a\"\ny = \"b\"",
            "3: points[0].file: noise: the format is not known",
        ),
    ] {
        let message = said(&folder, text);
        assert!(message.starts_with(start), "{message}");
    }
}

#[test]
fn outlines_must_be_opaque() {
    let folder = Folder::new();
    let rule = |color: &str| format!("must be an opaque colour, got {color}; an outline width of 0 draws no lines");
    for (text, color) in [("transparent", "#00000000"), ("#ff000000", "#ff000000"), ("#abc8", "#aabbcc88")] {
        let scene = format!("[render]\noutline_color = \"{text}\"\n{SPHERES_ALONE}");
        assert_eq!(said(&folder, &scene), format!("2: render.outline_color {}", rule(color)));
        let options = LoadOptions { outline_color: text.parse().ok(), ..LoadOptions::default() };
        let expected = format!("outline_color {}", rule(color));
        assert_eq!(folder.refusal_with("s.toml", SPHERES_ALONE, &options), expected);
        assert_eq!(folder.refusal_with("a.xyz", XYZ, &options), expected);
        let path = folder.file("a.xyz", XYZ);
        let Err(streamed) = StreamedScene::files(&[path], &options) else { panic!("refused") };
        assert_eq!(streamed.to_string(), expected);
    }
    for text in ["black", "#f00", "#f00f", "#ff0000ff"] {
        let scene = format!("[render]\noutline_color = \"{text}\"\n{SPHERES_ALONE}");
        folder.scene("s.toml", scene, &LoadOptions::default());
    }
}

const SPHERES_ALONE: &str = "[[sphere]]\ncenter = [0, 0, 0]\nradius = 1\n";
