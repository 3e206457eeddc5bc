//! The scene format, in TOML and JSON: its pictures, and the message for each mistake.

use super::scene_mistakes::said;
use crate::files::{Folder, XYZ, color, only_circles, only_spheres};
use glam::Vec3;
use roundel::Srgba8;
use roundel::circles::{Blend, Layer, PaintedCircle, PaintedEllipse, Stroke, Style};
use roundel::io::LoadOptions;
use roundel::spheres::{AmbientOcclusion, Background, Camera, DirectionalLight, PaintedSphere, Projection, Shading};

pub(crate) const CIRCLES: &str = r##"
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

pub(crate) const SPHERES: &str = r##"
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
