//! Figures: marks around pictures and on them.

use std::collections::BTreeSet;

use crate::files::{Folder, PDB, color, drawn};
use roundel::io::{
    FigureOptions, FrameChoice, LegendChoice, LoadOptions, ScaleBarChoice, load, load_several, read_png,
};
use roundel::{Frame, RenderSettings, Renderer, Srgba8};

/// Four particles in a box of 10 × 10 × 10.
const DUMP: &str = "\
ITEM: TIMESTEP
0
ITEM: NUMBER OF ATOMS
4
ITEM: BOX BOUNDS pp pp pp
0 10
0 10
0 10
ITEM: ATOMS id type x y z radius
1 1 3 3 3 1
2 2 7 3 3 1
3 1 3 7 3 1
4 2 5 5 9.5 2
";

fn figure(change: impl FnOnce(&mut FigureOptions)) -> LoadOptions {
    let mut overrides = LoadOptions { height: Some(240), ..LoadOptions::default() };
    change(&mut overrides.figure);
    overrides
}

fn try_draw(folder: &Folder, name: &str, text: &str, overrides: &LoadOptions) -> Result<Frame, String> {
    let loaded = load(folder.file(name, text), overrides).map_err(|error| folder.message(&error))?;
    let mut frame = Frame::new(1, 1, Srgba8::WHITE).expect("small");
    let mut renderer = Renderer::new(&RenderSettings::default()).expect("threads");
    loaded.draw(&mut renderer, &mut frame).map_err(|error| folder.message(&error))?;
    Ok(frame)
}

fn draw(name: &str, text: &str, overrides: &LoadOptions) -> Frame {
    try_draw(&Folder::new(), name, text, overrides).expect("drawn")
}

/// The part of a frame below and to the right of a corner.
fn part(frame: &Frame, [x, y]: [u32; 2], [width, height]: [u32; 2]) -> Vec<Srgba8> {
    (y..y + height)
        .flat_map(|row| (x..x + width).map(move |column| (column, row)))
        .map(|(x, y)| frame.pixel(x, y).expect("inside"))
        .collect()
}

#[test]
fn marks_beside_a_picture_leave_its_pixels_alone() {
    let without = figure(|f| f.cell = Some(false));
    let plain = draw("a.dump", DUMP, &without);
    let all = figure(|f| {
        f.cell = Some(false);
        f.title = Some("Four particles".into());
        f.legend = Some(LegendChoice::COUNTS);
        f.axes = Some(true);
    });
    let marked = draw("a.dump", DUMP, &all);
    let (width, height) = (plain.width(), plain.height());
    assert_eq!(height, 240);
    assert!(marked.width() > width + 40 && marked.height() > height + 40);
    let top = (0..marked.height() - height)
        .find(|&top| part(&marked, [0, top], [width, height]) == plain.pixels())
        .expect("the picture is inside, pixel for pixel");
    let ink = |corner, size| part(&marked, corner, size).iter().filter(|pixel| **pixel != Srgba8::WHITE).count();
    assert!(ink([0, 0], [width, top]) > 200, "a title above");
    assert!(ink([width, top], [marked.width() - width, height]) > 200, "a legend to the right");
    assert!(ink([0, top + height], [width, marked.height() - top - height]) > 100, "axes below");
}

#[test]
fn figures_are_written_in_bands_as_they_are_drawn() {
    let folder = Folder::new();
    let options = LoadOptions {
        width: Some(4300),
        height: Some(2000),
        ..figure(|f| {
            f.cell = Some(false);
            f.title = Some("Four particles".into());
            f.legend = Some(LegendChoice::COUNTS);
            f.axes = Some(true);
        })
    };
    let loaded = load(folder.file("a.dump", DUMP), &options).expect("read");
    let mut renderer = Renderer::new(&RenderSettings::default()).expect("threads");
    let mut frame = Frame::new(1, 1, Srgba8::WHITE).expect("small");
    loaded.draw(&mut renderer, &mut frame).expect("drawn");
    let (path, mut shares) = (folder.file("a.png", ""), Vec::new());
    let written = loaded.save_bands(&mut renderer, &path, &mut |share| shares.push(share)).expect("written");
    let (size, _) = written.expect("no mark needs the whole picture");
    assert_eq!(size, (frame.width(), frame.height()));
    assert!(shares.len() > 1 && shares.is_sorted() && shares.last() == Some(&1.0), "{shares:?}");
    assert!(read_png(&path).expect("a PNG").pixels() == frame.pixels());

    let boxed = load(folder.file("a.dump", DUMP), &LoadOptions::default()).expect("read");
    let (other, mut ignored) = (path.with_file_name("b.png"), |_: f64| {});
    assert!(boxed.save_bands(&mut renderer, &other, &mut ignored).expect("no error").is_none());
    assert!(!other.exists(), "edges of a box need the whole picture");
}

#[test]
fn legend_shows_the_colors_of_the_shapes() {
    let frame = draw("a.dump", DUMP, &figure(|f| f.legend = Some(LegendChoice::ON)));
    for kind in ["#1f77b4", "#ff7f0e"] {
        assert!(frame.pixels().contains(&color(kind)), "a swatch of {kind}");
    }
    let table: String = "x,y,v\n".to_owned() + &(0..9).map(|i| format!("{i},{},{i}\n", i % 3)).collect::<String>();
    let mut wanted = figure(|f| f.legend = Some(LegendChoice::ON));
    wanted.color = Some("v".into());
    let frame = draw("t.csv", &table, &wanted);
    // colours near both ends of viridis, opaque, which the translucent points do not have
    let is_near = |pixel: &Srgba8, end: Srgba8| {
        pixel.r.abs_diff(end.r) < 4 && pixel.g.abs_diff(end.g) < 4 && pixel.b.abs_diff(end.b) < 4
    };
    for end in ["#440154", "#fde725"].map(color) {
        assert!(frame.pixels().iter().any(|pixel| is_near(pixel, end)), "{end}");
    }
}

/// Particles 1 and 3 are of type 1, particles 2 and 4 of type 2; legends count them.
#[test]
fn legend_of_spheres_leaves_out_what_is_outside_of_the_picture_or_cut_away() {
    let legend = |change: &dyn Fn(&mut LoadOptions)| {
        let mut wanted = figure(|f| (f.legend, f.cell) = (Some(LegendChoice::COUNTS), Some(false)));
        (wanted.width, wanted.height, wanted.samples) = (Some(96), Some(96), Some(1));
        change(&mut wanted);
        let frame = draw("a.dump", DUMP, &wanted);
        part(&frame, [96, 0], [frame.width() - 96, 96])
    };
    let only = |rows: &str| legend(&|o| o.only = Some(rows.to_owned()));
    let cut = |o: &mut LoadOptions| o.clip = vec!["z<6".parse().expect("a plane")];
    assert!(legend(&cut) == only("index 0:2"), "the last particle is cut away");
    assert!(only("index 0:2") != only("all"));
    let look_at = |o: &mut LoadOptions, z: f64| {
        (o.eye, o.target, o.ortho_height) = (Some([3.0, 3.0, 30.0]), Some([3.0, 3.0, z]), Some(2.5));
    };
    let near = |o: &mut LoadOptions| {
        cut(o);
        look_at(o, 3.0);
    };
    assert!(legend(&near) == only("index 0"), "the others are beside the picture");
    assert!(legend(&|o| look_at(o, 60.0)) == only("all"), "with nothing in sight, all");
}

#[test]
fn legend_of_a_centered_ramp_shows_the_numbers_that_there_are() {
    let folder = Folder::new();
    let blues = |range: &str| {
        let given = LoadOptions {
            color_range: Some(range.parse().expect("a range")),
            ..figure(|f| f.legend = Some(LegendChoice::ON))
        };
        let given = LoadOptions { color_by: Some("q".into()), colormap: Some("bwr".into()), ..given };
        let frame = try_draw(&folder, "q.csv", "x,y,q\n0,0,-1\n1,0,0\n2,0,4\n", &given).expect("a table");
        // a circle at −1 is a light blue
        frame.pixels().iter().filter(|color| color.b == 255 && color.r < 150).count()
    };
    assert!(blues("-4,4") > 100, "the whole ramp");
    assert_eq!(blues("around 0"), 0, "from −1 to 4");
}

#[test]
fn legend_lists_highlights_and_what_several_tables_mean() {
    let mut marked = figure(|f| f.legend = Some(LegendChoice::ON));
    marked.highlight = vec![("id 1".into(), color("#123456"))];
    assert!(draw("a.dump", DUMP, &marked).pixels().contains(&color("#123456")), "a swatch of the highlight");
    marked.color_by = Some("#808080".into());
    assert!(draw("a.dump", DUMP, &marked).width() > 240, "highlights alone make a legend");
    let folder = Folder::new();
    folder.file("a.csv", "x,y,kind\n1,1,ash\n2,2,oak\n3,3,ash\n");
    folder.file("b.csv", "x,y,kind,h\n1,2,oak,1\n2,3,ash,5\n");
    let points = |file: &str, keys: &str| format!("[[points]]\nfile = \"{file}\"\n{keys}\n");
    let drawn = |a: &str, b: &str| {
        let scene = format!("[figure]\nlegend = true\n{}{}", points("a.csv", a), points("b.csv", b));
        try_draw(&folder, "s.toml", &scene, &LoadOptions::default()).expect("two tables have one legend")
    };
    let by_kind = "color_by = \"kind\"";
    let both = drawn(by_kind, "color_by = { column = \"h\", map = \"inferno\" }");
    for swatch in ["#1f77b4", "#ff7f0e"] {
        assert!(both.pixels().contains(&color(swatch)), "{swatch}");
    }
    drawn(by_kind, by_kind);
}

#[test]
fn maps_note_what_is_cropped_and_list_what_is_inside() {
    let mut rows: String = (0..990).map(|i| format!("{},{},near\n", i % 33, i / 33)).collect();
    rows += "5000,5000,far\n";
    let folder = Folder::new();
    let path = folder.file("m.csv", format!("longitude,latitude,kind\n{rows}"));
    let mut wanted = figure(|f| (f.legend, f.scale_bar) = (Some(LegendChoice::ON), Some(ScaleBarChoice::Suited)));
    wanted.color = Some("kind".into());
    let loaded = load(&path, &wanted).expect("a map");
    assert!(
        loaded.notes.len() == 1
            && loaded.notes[0].contains("1 of 991 points is far from the others and outside of the picture"),
        "{:?}",
        loaded.notes
    );
    let shown = format!("{:?}", loaded.figure);
    assert!(shown.contains("\"near\"") && !shown.contains("\"far\""), "{shown}");
    assert!(shown.contains("unit: \"°\""), "{shown}");
}

#[test]
fn scale_bar_is_as_long_as_it_says() {
    // two balls 40 Å apart, seen with parallel rays
    let atoms = "2\n\nC 0 0 0\nC 40 0 0\n";
    let frame = draw("a.xyz", atoms, &figure(|f| f.scale_bar = Some(ScaleBarChoice::Length(20.0))));
    let black = |y: u32| (0..frame.width()).filter(|&x| frame.pixel(x, y) == Some(Srgba8::BLACK)).count();
    let bar = (frame.height() - 20..frame.height()).map(black).max().expect("rows");
    // the picture is 43.4 Å wide, 94 % of it filled, and three times as wide as high
    let unit = 720.0 * 0.94 / 43.4;
    assert!((bar as f64 - 20.0 * unit).abs() < 2.0, "{bar} pixels, {} expected", 20.0 * unit);
    let larger =
        draw("a.xyz", atoms, &figure(|f| (f.scale_bar, f.scale) = (Some(ScaleBarChoice::Length(20.0)), Some(2.0))));
    assert!(larger.width() == 2 * frame.width() && larger.height().abs_diff(2 * frame.height()) <= 2);
}

#[test]
fn maps_of_degrees_have_a_bar_in_kilometers() {
    let map = "lon,lat\n0,55\n40,65\n";
    let runs = |change: &dyn Fn(&mut FigureOptions)| {
        let mut wanted = figure(change);
        wanted.width = Some(1000);
        let frame = draw("m.csv", map, &wanted);
        let black = |x: u32, y: u32| x < frame.width() && frame.pixel(x, y) == Some(Srgba8::BLACK);
        let starts = |y: u32| (0..frame.width()).filter(move |&x| black(x, y) && (x == 0 || !black(x - 1, y)));
        let length = |x: u32, y: u32| (x..=frame.width()).take_while(|&x| black(x, y)).count();
        let rows = (frame.height() - 20..frame.height()).map(|y| starts(y).map(|x| length(x, y)).collect::<Vec<_>>());
        rows.max_by_key(|runs| runs.iter().sum::<usize>()).expect("rows")
    };
    let degrees = runs(&|f| f.scale_bar = Some(ScaleBarChoice::Length(8.0)));
    assert_eq!(degrees.len(), 1, "{degrees:?}");
    let degree = degrees[0] as f64 / 8.0;
    let bars = runs(&|f| f.scale_bar = Some(ScaleBarChoice::Suited));
    assert_eq!(bars.len(), 1, "kilometres are as long both ways: {bars:?}");
    let kilometers = bars[0] as f64 / degree * 111.195;
    let round = [500.0, 1000.0].into_iter().find(|round: &f64| (kilometers / round - 1.0).abs() < 0.03);
    assert!(round.is_some(), "{kilometers} km of {bars:?}");
}

#[test]
fn cell_is_hidden_by_what_is_in_front_of_it() {
    let with = draw("a.dump", DUMP, &figure(|_| ()));
    let without = draw("a.dump", DUMP, &figure(|f| f.cell = Some(false)));
    assert_ne!(with.pixels(), without.pixels(), "data that fills a box has its edges");
    // one ball in front of the centre of a wire cube: the box changes pixels beside the ball only
    let scene = "[camera]\northo_height = 14\nwidth = 140\nheight = 140\neye = [5, 5, 40]\ntarget = [5, 5, 0]\n\
                 [figure]\ncell = CELL\n[[spheres]]\nfile = \"b.dump\"\ncolor = \"#ff0000\"\n";
    let folder = Folder::new();
    // in front of the nearest edge, half behind the frontmost face
    folder.file("b.dump", DUMP.replace("4 2 5 5 9.5 2", "4 2 5 0 12 2"));
    let frame =
        |cell: &str| try_draw(&folder, "s.toml", &scene.replace("CELL", cell), &LoadOptions::default()).expect("drawn");
    let (plain, wire) = (frame("false"), frame("true"));
    let mut seen = 0;
    for (x, y) in (0..140).flat_map(|y| (0..140).map(move |x| (x, y))) {
        let [before, after] = [plain.pixel(x, y), wire.pixel(x, y)].map(|pixel| pixel.expect("inside"));
        // the front edge of the box is at z = 10, y = 0: row 120
        if before != Srgba8::WHITE && after != before {
            assert!(y < 110, "{x} {y}: the ball at the front edge covers it");
        }
        seen += usize::from(before == Srgba8::WHITE && after != before);
    }
    assert!(seen > 350, "four edges of a hundred pixels: {seen}");
}

#[test]
fn trim_leaves_what_differs_from_the_background() {
    let coin = "[canvas]\nwidth = 100\nheight = 80\n[[circle]]\ncenter = [40, 30]\nradius = 10\nfill = \"red\"\n[figure]\ntrim = TRIM\n";
    let size = |trim: &str| {
        let frame = draw("a.toml", &coin.replace("TRIM", trim), &LoadOptions::default());
        (frame.width(), frame.height())
    };
    assert_eq!(size("false"), (100, 80));
    assert_eq!(size("true"), (20, 20));
    assert_eq!(size("5"), (30, 30));
    assert_eq!(size("60"), (100, 80), "no more than there is");
    assert_eq!(
        draw("b.toml", "[canvas]\nwidth = 9\nheight = 8\n[figure]\ntrim = true", &LoadOptions::default()).width(),
        9
    );
}

#[test]
fn figures_are_the_same_bytes_in_scenes_and_from_flags() {
    let folder = Folder::new();
    folder.file("m.pdb", PDB);
    let scene =
        |figure: &str| format!("{figure}[[spheres]]\nfile = \"m.pdb\"\n[camera]\northo_height = 12\nheight = 120\n");
    let said = "[figure]\ntitle = \"A\"\nlegend = true\nscale_bar = 5\naxes = true\ndpi = 150\n";
    let from_scene = try_draw(&folder, "a.toml", &scene(said), &LoadOptions::default()).expect("drawn");
    let mut overrides = LoadOptions::default();
    overrides.figure.title = Some("A".into());
    overrides.figure.legend = Some(LegendChoice::ON);
    overrides.figure.scale_bar = Some(ScaleBarChoice::Length(5.0));
    overrides.figure.axes = Some(true);
    overrides.figure.dpi = Some(150.0);
    assert!(from_scene == try_draw(&folder, "b.toml", &scene(""), &overrides).expect("drawn"));
    overrides.figure = FigureOptions::default();
    overrides.figure.title = Some(String::new());
    overrides.figure.legend = Some(LegendChoice::Off);
    overrides.figure.scale_bar = Some(ScaleBarChoice::Off);
    overrides.figure.axes = Some(false);
    let bare = try_draw(&folder, "a.toml", &scene(said), &overrides).expect("drawn");
    assert_eq!((bare.width(), bare.height()), (160, 120), "everything can be taken away again");
}

#[test]
fn figures_refuse_what_makes_no_sense() {
    let folder = Folder::new();
    let refusal = |name: &str, text: &str, change: &dyn Fn(&mut LoadOptions)| {
        let mut overrides = LoadOptions::default();
        change(&mut overrides);
        try_draw(&folder, name, text, &overrides).expect_err(text)
    };
    let table = "x,y\n1,2\n3,4\n";
    assert_eq!(
        refusal("t.csv", table, &|o| o.figure.cell = Some(true)),
        "cell is for a periodic box, which t.csv does not have"
    );
    assert_eq!(
        refusal("t.csv", table, &|o| o.figure.legend = Some(LegendChoice::ON)),
        "legend is for colours that mean something, such as those of a column that color_by names; the picture of t.csv has none"
    );
    let bar = |length| Some(ScaleBarChoice::Length(length));
    assert_eq!(
        refusal("t.csv", table, &|o| o.figure.scale_bar = bar(-1.0)),
        "scale_bar must be a positive length, got -1"
    );
    assert_eq!(refusal("t.csv", table, &|o| o.figure.dpi = Some(0.0)), "dpi must be 1 to 4800, got 0");
    assert_eq!(refusal("t.csv", table, &|o| o.figure.scale = Some(f32::NAN)), "scale must be 0.1 to 16, got NaN");
    assert_eq!(
        refusal("m.pdb", PDB, &|o| (o.figure.scale_bar, o.fov) = (bar(1.0), Some(30.0))),
        "scale_bar is for parallel rays (ortho); in perspective lengths depend on the distance"
    );
    let sky = "[camera]\nwidth = 8\nheight = 8\nbackground = { bottom = \"white\", top = \"blue\" }\n[figure]\ntrim = true\n\
               [[sphere]]\ncenter = [0, 0, 0]\nradius = 1\n";
    assert_eq!(refusal("s.toml", sky, &|_| ()), "trim is for a background of one colour");
    assert_eq!(
        refusal("s.toml", "[canvas]\nwidth = 8\n[figure]\nlegend = \"all\"", &|_| ()),
        "s.toml:4: figure.legend must be what a legend shows and where it stands, got \"all\" (choices: counts, right, below, \
         inside, right,counts, below,counts, inside,counts)"
    );
}

/// The numbers of columns and rows, right of the picture, with pixels that pass a test.
fn extent_in_legend(frame: &Frame, picture: u32, is_one: impl Fn(Srgba8) -> bool) -> [usize; 2] {
    let found = |x: u32, y: u32| frame.pixel(x, y).is_some_and(&is_one);
    let columns = (picture..frame.width()).filter(|&x| (0..frame.height()).any(|y| found(x, y))).count();
    let rows = (0..frame.height()).filter(|&y| (picture..frame.width()).any(|x| found(x, y))).count();
    [columns, rows]
}

#[test]
fn legend_is_as_translucent_as_the_shapes() {
    let translucent = |rows: Option<&str>| LoadOptions {
        opacity: vec![(rows.map(str::to_owned), 0.5)],
        ..figure(|f| f.legend = Some(LegendChoice::ON))
    };
    let picture = draw("a.dump", DUMP, &figure(|_| {})).width();
    let has = |frame: &Frame, text: &str| extent_in_legend(frame, picture, |pixel| pixel == color(text)) != [0; 2];
    let one = draw("a.dump", DUMP, &translucent(Some("type 1")));
    assert!(has(&one, "#8fbbd9") && !has(&one, "#1f77b4"), "type 1 over white");
    assert!(has(&one, "#ff7f0e") && !has(&one, "#ffbf86"), "type 2 as it is");
    let all = draw("a.dump", DUMP, &translucent(None));
    assert!(has(&all, "#8fbbd9") && has(&all, "#ffbf86"));
    // whole numbers would be listed
    let compute = vec!["half = radius / 4".into()];
    let numbers = LoadOptions { color_by: Some("half".into()), compute, ..translucent(None) };
    let bar = |options: &LoadOptions| -> BTreeSet<String> {
        let frame = draw("a.dump", DUMP, options);
        let all = part(&frame, [picture, 0], [frame.width() - picture, frame.height()]);
        all.iter().filter(|pixel| pixel.r != pixel.g).map(ToString::to_string).collect()
    };
    let (through, solid) = (bar(&numbers), bar(&LoadOptions { opacity: Vec::new(), ..numbers.clone() }));
    assert!(through.len() > 50 && through.is_disjoint(&solid), "a ramp over squares of two tones");
}

#[test]
fn legend_shows_sizes_opacities_and_arrows() {
    let text = DUMP.replace("z radius", "z mass share vx vy vz");
    let rows = ["3 3 3 1", "7 3 3 1", "3 7 3 1", "5 5 9.5 2"];
    let text = rows.iter().fold(text, |text, row| text.replace(row, &format!("{row} 0.25 4 0 0")));
    let picture = draw("a.dump", &text, &figure(|_| {})).width();
    let ink = |options: &LoadOptions| {
        extent_in_legend(&draw("a.dump", &text, options), picture, |pixel| pixel != Srgba8::WHITE)
    };
    let legend = || figure(|f| f.legend = Some(LegendChoice::ON));
    let [_, plain] = ink(&legend());
    let sized = LoadOptions { radius: Some("mass".into()), radius_range: Some([0.5, 1.0]), ..legend() };
    assert!(ink(&sized)[1] > plain + 10, "circles of two sizes");
    let table = "x,y,z,mass\n0,0,0,1\n6,0,0,2\n0,6,6,1.5\n";
    let by_mass = LoadOptions { r: Some("mass".into()), ..legend() };
    assert!(draw("m.csv", table, &by_mass).width() > 240, "sizes alone have a legend");
    assert!(ink(&LoadOptions { opacity_by: Some("share".into()), ..legend() })[1] > plain + 10, "a swatch");
    let arrows = LoadOptions {
        vectors: Some("vx,vy,vz".into()),
        vector_color: Some("#ff0000".into()),
        vector_scale: Some(1.0),
        ortho_height: Some(24.0),
        ..legend()
    };
    let frame = draw("a.dump", &text, &arrows);
    let [columns, _] = extent_in_legend(&frame, picture, |pixel| pixel == color("#ff0000"));
    // a unit is 10 pixels, an arrow of 5 is about as long as the scale would make it for these radii, and the tip's
    // last pixels are not quite red
    assert!((45..=50).contains(&columns), "{columns}");
}

#[test]
fn legend_counts_the_copies_in_the_picture() {
    let legend = |files: &[(&str, &str)], change: &dyn Fn(&mut LoadOptions)| {
        let folder = Folder::new();
        let mut wanted = figure(|f| (f.legend, f.cell) = (Some(LegendChoice::COUNTS), Some(false)));
        (wanted.width, wanted.height, wanted.samples) = (Some(96), Some(96), Some(1));
        change(&mut wanted);
        let paths: Vec<_> = files.iter().map(|(name, text)| folder.file(name, text)).collect();
        let loaded = match &paths[..] {
            [path] => load(path, &wanted),
            paths => load_several(paths, &FrameChoice::One, &wanted),
        };
        let frame = drawn(&loaded.expect("particles"));
        part(&frame, [96, 0], [frame.width() - 96, 96])
    };
    let images = |o: &mut LoadOptions| o.replicate = Some([2, 1, 1]);
    let (head, atoms) = DUMP.split_once("ITEM: ATOMS").expect("atoms");
    let (columns, rows) = atoms.split_once('\n').expect("a line");
    let more = "5 1 13 3 3 1\n6 2 17 3 3 1\n7 1 13 7 3 1\n8 2 15 5 9.5 2\n";
    let twice = format!("{}ITEM: ATOMS{columns}\n{rows}{more}", head.replacen("\n4\n", "\n8\n", 1));
    let plain = |_: &mut LoadOptions| ();
    assert!(legend(&[("a.dump", DUMP)], &images) == legend(&[("a.dump", &twice)], &plain), "both images");
    assert!(legend(&[("a.dump", DUMP)], &plain) != legend(&[("a.dump", &twice)], &plain));
    let half = |o: &mut LoadOptions| {
        images(o);
        o.clip = vec!["x<8".parse().expect("a plane")];
    };
    assert!(legend(&[("a.dump", DUMP)], &half) == legend(&[("a.dump", DUMP)], &plain), "one image is cut away");
    let files = [("a.dump", DUMP), ("b.dump", DUMP)];
    let cut = |o: &mut LoadOptions| o.clip = vec!["z<6".parse().expect("a plane")];
    let only = |o: &mut LoadOptions| o.only = Some("index 0:2".to_owned());
    assert!(legend(&files, &cut) == legend(&files, &only), "of each file, too");
}

#[test]
fn letters_that_the_font_lacks_are_noted() {
    let notes = |change: &dyn Fn(&mut FigureOptions)| {
        load(Folder::new().file("a.dump", DUMP), &figure(change)).expect("particles").notes
    };
    assert_eq!(notes(&|f| f.title = Some("Gαs (Å²) – café".into())), Vec::<String>::new());
    let said = notes(&|f| f.title = Some("水 water 水 🧬".into()));
    assert!(matches!(&said[..], [note] if note.contains("the font has no 水, 🧬: ")), "{said:?}");
    let entry = |f: &mut FigureOptions| {
        f.legend = Some(LegendChoice::ON);
        f.legend_name = vec![("1".into(), "鉄".into())];
    };
    assert!(notes(&entry)[0].contains("the font has no 鉄: "));
}

#[test]
fn marks_that_are_refused_say_what_is_accepted() {
    let folder = Folder::new();
    let atoms = "2\n\nC 0 0 0\nC 40 0 0\n";
    let refusal = |options: &LoadOptions| {
        let Err(error) = try_draw(&folder, "a.xyz", atoms, options) else { panic!("refused") };
        error.to_string()
    };
    let bar = |length: f64| refusal(&figure(|f| f.scale_bar = Some(ScaleBarChoice::Length(length))));
    // 720 × 0.94 pixels show 43.4 Å; the margin does not count
    assert_eq!(bar(1e30), "scale_bar must be 0.065 to 20.0 in this picture, got 1e30");
    assert_eq!(bar(0.01), "scale_bar must be 0.065 to 20.0 in this picture, got 0.01");
    let trim = |pixels| figure(|f| f.trim = Some(pixels));
    assert_eq!(refusal(&trim(99_999_999)), "trim must be 0 to 65535, got 99999999");
    assert!(
        folder
            .refusal("s.toml", "[figure]\ntrim = 65536\n[canvas]\n[[circle]]\ncenter = [1, 2]\nradius = 1\n")
            .contains("65535")
    );
}

#[test]
fn legends_stand_to_the_right_below_and_inside() {
    let ten =
        "x,y,kind\n".to_owned() + &(0..10).map(|i| format!("{i},{},kind number {i}\n", i * i % 7)).collect::<String>();
    let numbers = "x,y,v\n1,1,0\n2,3,5\n3,2,9.5\n";
    for (name, text, column) in [("ten.csv", &ten[..], "kind"), ("v.csv", numbers, "v")] {
        let drawn = |legend: &str| {
            let mut options = figure(|f| f.legend = Some(legend.parse().expect(legend)));
            (options.color_by, options.width) = (Some(column.into()), Some(320));
            draw(name, text, &options)
        };
        let (plain, right, below, inside) = (drawn("off"), drawn("right"), drawn("below"), drawn("inside"));
        let size = |frame: &Frame| (frame.width(), frame.height());
        assert_eq!((size(&right), right.pixels()), (size(&drawn("on")), drawn("on").pixels()));
        assert!(right.width() > 340 && right.height() >= 240 && size(&plain) == (320, 240));
        assert!(below.width() == 320 && below.height() > 250 && below.height() < 400, "{:?}", size(&below));
        assert_eq!(part(&below, [0, 0], [320, 240]), plain.pixels(), "the picture is above");
        assert!(size(&inside) == (320, 240) && inside.pixels() != plain.pixels());
        let counted = drawn("below,counts");
        assert_eq!(counted.pixels() == below.pixels(), column == "v", "numbers have no counts");
    }
    for wrong in ["all", "below,right", "counts,counts", ""] {
        assert!(wrong.parse::<LegendChoice>().is_err_and(|rule| rule.contains("below,counts")), "{wrong}");
    }
}

#[test]
fn legends_on_paper_take_a_fifth_of_the_width_at_most() {
    let text = "x,y,kind\n1,1,a kind with a long name\n2,2,another kind\n";
    let narrow = text.replace("a kind with a long name", "a").replace("another kind", "b");
    let width = |text: &str, legend: &str, paper: &str| {
        let folder = Folder::new();
        let mut options = figure(|f| f.legend = Some(legend.parse().expect(legend)));
        (options.height, options.color_by) = (None, Some("kind".into()));
        options.figure.figure_width = Some(paper.parse().expect(paper));
        let loaded = load(folder.file("t.csv", text), &options).expect("drawn");
        let frame = try_draw(&folder, "t.csv", text, &options).expect("drawn");
        (f64::from(loaded.scene.size().0) / f64::from(frame.width()), frame.width())
    };
    assert_eq!(width(text, "on", "85mm"), (1.0, 1004), "below");
    let (share, whole) = width(text, "right", "85mm");
    assert!(share < 0.8 && whole == 1004, "{share} {whole}");
    let (share, whole) = width(&narrow, "on", "170mm");
    assert!((0.8..1.0).contains(&share) && whole == 2008, "to the right: {share} {whole}");
}
