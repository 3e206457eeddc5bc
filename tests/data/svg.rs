//! Circles and ellipses of SVG pictures.
#![cfg(feature = "heavy-formats")]

use crate::files::{Folder, color, overrides, sample};
use roundel::circles::{CircleScene, Layer, PaintedCircle, PaintedEllipse, Stroke};
use roundel::io::{LoadOptions, describe, load};
use roundel::{RenderSettings, render};

fn picture(content: &str) -> String {
    format!("<svg xmlns='http://www.w3.org/2000/svg' width='100' height='80'>{content}</svg>")
}

fn layers(content: &str) -> Vec<Layer<'static>> {
    Folder::new().circles("p.svg", picture(content), &LoadOptions::default()).layers
}

fn notes(content: &str) -> Vec<String> {
    let folder = Folder::new();
    let path = folder.file("p.svg", picture(content));
    let loaded = load(&path, &LoadOptions::default()).expect("read");
    loaded.notes.iter().map(|note| note.rsplit("p.svg: ").next().expect("a note").to_owned()).collect()
}

#[test]
fn circles_are_found_however_they_are_written() {
    let circle = Layer::from(vec![PaintedCircle::new([30.0, 40.0], 10.0, color("#ff0000"))]);
    for content in [
        "<circle cx='30' cy='40' r='10' fill='red'/>",
        "<ellipse cx='30' cy='40' rx='10' ry='10' style='fill:#f00'/>",
        "<path d='M20 40 a10 10 0 0 1 20 0 a10 10 0 0 1 -20 0z' fill='red'/>",
        "<g transform='translate(30,40) rotate(30)'><circle r='10' fill='red'/></g>",
        "<defs><circle id='c' r='5'/></defs><use href='#c' transform='matrix(2 0 0 2 30 40)' fill='red'/>",
        "<style>.a{fill:red}</style><circle class='a' cx='30' cy='40' r='10'/>",
        // turned on its side and squeezed back
        "<g transform='translate(30 40) scale(2 1)'><ellipse rx='5' ry='10' fill='red'/></g>",
    ] {
        let [Layer::Circles(found)] = &layers(content)[..] else { panic!("{content}") };
        let Layer::Circles(expected) = &circle else { unreachable!("circles") };
        assert_eq!(found[0].color, expected[0].color, "{content}");
        let far = |a: f32, b: f32| (a - b).abs() > 1e-4;
        let wrong = far(found[0].center[0], 30.0) || far(found[0].center[1], 40.0) || far(found[0].radius, 10.0);
        assert!(!wrong && found.len() == 1, "{content}: {found:?}");
    }
}

#[test]
fn fills_and_strokes_are_painted_in_their_order() {
    let ring = PaintedEllipse::ring([50.0, 40.0], [20.0, 10.0], Stroke::new(4.0), color("#0000ff80"));
    let filled = PaintedEllipse::new([50.0, 40.0], [20.0, 10.0], color("#ff0000"));
    let ellipse = "<ellipse cx='50' cy='40' rx='20' ry='10' fill='red' stroke='blue' stroke-width='4' \
                   stroke-opacity='0.502'";
    assert_eq!(layers(&format!("{ellipse}/>")), [Layer::from(vec![filled, ring])]);
    assert_eq!(layers(&format!("{ellipse} paint-order='stroke'/>")), [Layer::from(vec![ring, filled])]);
    // translucent as one shape
    let one = "<circle cx='50' cy='40' r='10' fill='red' stroke='red' stroke-width='2' opacity='0.4'/>";
    assert_eq!(layers(one), [Layer::from(vec![PaintedCircle::new([50.0, 40.0], 11.0, color("#ff000066"))])]);
}

#[test]
fn everything_else_is_counted() {
    let dot = "<circle cx='5' cy='5' r='2'/>";
    let left_out = |content: &str| notes(&format!("{dot}{content}"));
    for (content, note) in [
        (
            "<path d='M0 0 L9 9 L0 9z'/><line x2='9' y2='9' stroke='red'/>",
            "2 paths are left out; only circles and ellipses are drawn",
        ),
        (
            "<text>a</text><image href='a.png' width='9' height='9'/>",
            "1 text and 1 image are left out; only circles and ellipses are drawn",
        ),
        (
            "<ellipse rx='9' ry='5' transform='rotate(20)'/>",
            "1 turned ellipse is left out; only circles and ellipses are drawn",
        ),
        (
            "<linearGradient id='g'><stop stop-color='red'/><stop offset='1' stop-color='blue'/></linearGradient><circle cx='50' cy='40' r='9' fill='url(#g)'/>",
            "1 gradient or pattern is left out; only circles and ellipses are drawn",
        ),
        (
            "<circle cx='50' cy='40' r='9' fill='none' stroke='red' stroke-dasharray='2'/>",
            "1 dashed outline is left out; only circles and ellipses are drawn",
        ),
        (
            "<clipPath id='c'><rect width='50' height='80'/></clipPath><g clip-path='url(#c)'><circle cx='50' cy='9' r='9'/><circle cx='20' cy='9' r='9'/><circle cx='80' cy='9' r='9'/></g>",
            "1 shape that a clip path cuts is drawn whole",
        ),
        (
            "<svg x='10' width='50' height='80'><circle cx='50' cy='9' r='9'/><circle cx='20' cy='9' r='9'/><circle cx='80' cy='9' r='9'/></svg>",
            "1 shape that a nested viewport cuts is left out",
        ),
        (
            "<circle cx='50' cy='9' r='9' shape-rendering='crispEdges'/>",
            "1 shape with shape-rendering is drawn with smooth edges",
        ),
        (
            "<g opacity='0.5'><circle cx='50' cy='9' r='9'/><circle cx='55' cy='9' r='9'/></g>",
            "1 group of shapes is translucent: each shape is drawn so by itself",
        ),
        (
            "<g transform='scale(2 1)'><circle cx='9' cy='9' r='5' fill='none' stroke='red'/></g>",
            "1 unevenly scaled outline is drawn with one width all around",
        ),
    ] {
        assert_eq!(left_out(content), [note], "{content}");
    }
    let clipped = "<clipPath id='c'><rect width='50' height='80'/></clipPath>\
                   <g clip-path='url(#c)'><circle cx='80' cy='9' r='9'/></g>";
    assert_eq!(layers(&format!("{dot}{clipped}")), layers(dot), "outside of the clip path");
    assert_eq!(
        notes("<rect width='100%' height='100%' fill='#123456'/><circle cx='9' cy='9' r='5'/>"),
        [""; 0],
        "a background"
    );
    let folder = Folder::new();
    let scene = folder.circles(
        "p.svg",
        picture(&format!("<rect width='100' height='80' fill='#123456'/>{dot}")),
        &LoadOptions::default(),
    );
    assert_eq!(scene.canvas.background, color("#123456"));
}

#[test]
fn pictures_are_drawn_in_their_size_or_another() {
    let folder = Folder::new();
    let scene = |overrides: &LoadOptions| -> CircleScene<'static> {
        folder.circles("s.svg", sample("svg/shapes.svg"), overrides)
    };
    let (own, twice) = (scene(&LoadOptions::default()), scene(&overrides(|o| o.width = Some(640))));
    assert_eq!((own.canvas.width, own.canvas.height, twice.canvas.width, twice.canvas.height), (320, 240, 640, 480));
    let first = |scene: &CircleScene<'_>| match &scene.layers[0] {
        Layer::Circles(circles) => circles[0],
        _ => panic!("a circle comes first"),
    };
    assert_eq!((first(&own).center, first(&own).radius), ([80.0, 80.0], 50.0), "the view box is half as large");
    assert_eq!((first(&twice).center, first(&twice).radius), ([160.0, 160.0], 100.0));
    // the scene that `info` tells draws the same bytes
    let path = folder.file("s.svg", sample("svg/shapes.svg"));
    let data = describe(&path, &LoadOptions::default()).expect("described").scene.expect("a scene").to_string();
    let again = folder.circles("s.json", data, &LoadOptions::default());
    let draw = |scene: CircleScene<'static>| render(&scene.into(), &RenderSettings::default()).expect("drawn");
    assert!(draw(own) == draw(again));
}

#[test]
fn hostile_pictures_are_refused() {
    let folder = Folder::new();
    let mut doubled = "<circle id='u0' r='1'/>".to_owned();
    for level in 1..60 {
        doubled += &format!("<g id='u{level}'><use href='#u{0}'/><use href='#u{0}'/></g>", level - 1);
    }
    let message = folder.refusal("p.svg", picture(&doubled));
    assert!(message.starts_with("p.svg: a picture of ") && message.contains(" elements"), "{message}");
    let circular = "<g id='a'><use href='#a'/></g><circle cx='9' cy='9' r='2'/>";
    assert_eq!(layers(circular).len(), 1);
    let deep = format!("{}{}", "<g>".repeat(5000), "</g>".repeat(5000));
    assert!(folder.refusal("p.svg", picture(&deep)).contains("nested"));
    let message = folder.refusal("p.svg", "<svg xmlns='http://www.w3.org/2000/svg'>\n<circle</svg>");
    assert!(message.starts_with("p.svg:2: not an SVG picture: "), "{message}");
    assert_eq!(folder.refusal("p.svg", picture("")), "p.svg: the picture has no circles or ellipses");
    let message =
        folder.refusal_with("p.svg", picture("<circle r='9'/>"), &overrides(|o| o.color_by = Some("x".into())));
    assert_eq!(message, "color_by is for bare data; the picture p.svg says it itself");
}

#[test]
fn widths_of_outlines_have_a_limit() {
    let folder = Folder::new();
    let too_wide = [
        "<circle r='9' stroke='red' stroke-width='1e38'/>",
        "<g stroke-width='2e6px'><circle r='9' stroke='red'/></g>",
        "<circle r='9' style='stroke:red; stroke-width: 1e7'/>",
        "<style>circle { stroke-width : 20000in }</style><circle r='9' stroke='red'/>",
        "<circle r='9' stroke='red' stroke-width='1e7%'/>",
        "<circle r='9' font-size='1e7' stroke='red' stroke-width='2em'/>",
    ];
    for content in too_wide {
        let message = folder.refusal("p.svg", picture(content));
        assert!(message.starts_with("p.svg:1: stroke-width must be at most 1000000 pixels, got "), "{message}");
    }
    for width in ["1e5", "3em", "20%", "2.5px", "1in", "inherit", "-1"] {
        let content = format!("<circle cx='9' cy='9' r='9' fill='red' stroke='blue' stroke-width='{width}'/>");
        assert!(!layers(&content).is_empty(), "{width}");
    }
}

#[test]
fn references_count_as_often_as_they_are_followed() {
    let folder = Folder::new();
    let chain = |kind: &str, key: &str| {
        let link = |index: u32| {
            format!("<{kind} id='a{index}' width='1' height='1'><circle r='1' {key}='url(#a{})'/></{kind}>", index + 1)
        };
        (0..5000).map(link).collect::<String>() + &format!("<circle r='3' {key}='url(#a0)'/>")
    };
    for (kind, key) in [("clipPath", "clip-path"), ("mask", "mask"), ("pattern", "fill"), ("marker", "marker-start")] {
        let message = folder.refusal("p.svg", picture(&chain(kind, key)));
        assert!(
            message.contains("references are nested more than 100 deep") || message.contains("nested more than"),
            "{kind}: {message}"
        );
    }
    // each pattern is painted with the next one twice
    let twice = |index: u32| {
        let fill = format!("<circle r='1' fill='url(#p{})'/>", index + 1);
        format!("<pattern id='p{index}' width='1' height='1'>{fill}{fill}</pattern>")
    };
    let many = (0..60).map(twice).collect::<String>() + "<circle r='3' fill='url(#p0)'/>";
    let message = folder.refusal("p.svg", picture(&many));
    assert!(message.contains("those used several times counted as often"), "{message}");
    let rules: String = (0..20_000).map(|rule| format!(".c{rule}{{fill:red}}")).collect();
    let styled = format!("<style>{rules}</style>{}", "<circle r='1'/>".repeat(20_000));
    let message = folder.refusal("p.svg", picture(&styled));
    assert!(message.contains("rules of style"), "{message}");
    // a matching rule costs its declarations
    let long = format!("<style>circle{{{}}}</style>{}", "fill:red;".repeat(20_000), "<circle r='1'/>".repeat(5_000));
    let message = folder.refusal("p.svg", picture(&long));
    assert!(message.contains("1 rules of style with 20000 declarations for 5002 elements are too many"), "{message}");
}

#[test]
fn entities_and_attributes_count_as_often_as_they_are_used() {
    let folder = Folder::new();
    let small = overrides(|options| options.budget.memory = 64 << 20);
    let refusal = |text: String| folder.refusal_with("p.svg", text, &small);
    let with_entities = |entities: &str, content: &str| {
        format!("<!DOCTYPE svg [{entities}]>\n{}", picture(&format!("<circle cx='9' cy='9' r='2'/>{content}")))
    };
    let long = format!("<!ENTITY e '{}'>", "x".repeat(100_000));
    let elements = format!("<!ENTITY e \"{}\">", "<g/>".repeat(50_000));
    let doubled: String =
        (1..9).map(|level| format!("<!ENTITY e{level} '{}'>", format!("&e{};", level - 1).repeat(10))).collect();
    for text in [
        with_entities(&long, &"<g class='&e;'/>".repeat(1000)),
        with_entities(&long, &format!("<text>{}</text>", "&e;".repeat(1000))),
        with_entities(&elements, &"&e;".repeat(100)),
        with_entities(&format!("{doubled}<!ENTITY e0 '<g/>'>"), "&e8;"),
    ] {
        let message = refusal(text);
        assert!(message.contains("bytes once its entities are replaced"), "{message}");
    }
    let path = format!("<path id='p' d='M0 0{}'/>", "L1 2".repeat(10_000));
    let message = refusal(picture(&format!("<defs>{path}</defs>{}", "<use href='#p'/>".repeat(1000))));
    assert!(message.contains("bytes of attributes, those used several times counted as often"), "{message}");
    let many: String = (0..2000).map(|index| format!(" a{index}='x'")).collect();
    assert_eq!(refusal(picture(&format!("<g{many}/>"))), "p.svg: an element has more than 1000 attributes");
    // a few entities draw the same as their content
    let few = with_entities("<!ENTITY e '<circle r=\"3\"/>'>", "&e;&e;");
    folder.scene("p.svg", few, &small);
}
