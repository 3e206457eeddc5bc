//! `roundel film`: films in all formats have the frames of `render`, and files are complete or absent.
#![cfg(all(feature = "cli", unix))]

use std::fs;
use std::io::Cursor;
use std::path::Path;
use std::process::Command;

use roundel::io::read_png;
use roundel::{Frame, Srgba8};
use tempfile::TempDir;

use crate::files::{names, text};
use crate::running::{self, assert_refused};
use crate::shell::{refuses, roundel, succeeds};

/// A folder with `walk.xyz`: five frames of six particles that walk apart, with a number each.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut walk = String::new();
    for frame in 0..5 {
        walk += "6\nProperties=species:S:1:pos:R:3:energy:R:1\n";
        for atom in 0..6 {
            let (x, y) = (f64::from(atom) * (1.5 + 0.4 * f64::from(frame)), f64::from(atom * frame % 5));
            walk += &format!("C {x} {y} {} {}\n", f64::from(frame) * 0.5, f64::from(atom) + 3.0 * f64::from(frame));
        }
    }
    fs::write(folder.path().join("walk.xyz"), walk).expect("written");
    folder
}

fn pngs(folder: &Path, stem: &str, count: usize) -> Vec<Frame> {
    (0..count).map(|index| read_png(folder.join(format!("{stem}_{index}.png"))).expect("a PNG")).collect()
}

/// The frames of an animated PNG.
fn apng_frames(path: &Path) -> Vec<Vec<u8>> {
    let bytes = fs::read(path).expect("a film");
    let mut reader = png::Decoder::new(Cursor::new(bytes)).read_info().expect("a PNG");
    let control = *reader.info().animation_control().expect("animated");
    (0..control.num_frames)
        .map(|_| {
            let mut frame = vec![0; reader.output_buffer_size().expect("small")];
            reader.next_frame(&mut frame).expect("a frame");
            frame
        })
        .collect()
}

fn rgb(frame: &Frame) -> Vec<u8> {
    frame.pixels().iter().flat_map(|pixel| [pixel.r, pixel.g, pixel.b]).collect()
}

#[test]
fn film_has_the_frames_of_render() {
    let folder = folder();
    let at = folder.path();
    let look = "-W 60 --look headlight --color-by energy";
    succeeds(at, &format!("film walk.xyz {look} -o 'f_{{frame}}.png'"));
    let frames = pngs(at, "f", 5);
    assert!(frames.windows(2).all(|pair| pair[0] != pair[1]), "the particles move");
    assert!(frames.iter().all(|frame| frame.width() == 60 && frame.height() == frames[0].height()), "one size");
    // the command that is printed draws the first frame, and the others with their numbers
    let said = text(&succeeds(at, &format!("film walk.xyz {look} -v -o again.png")).stderr);
    let command =
        said.lines().find_map(|line| line.split_once("the first frame alone: roundel ")).expect("a command").1;
    for (index, frame) in frames.iter().enumerate() {
        let command = command.replace("--frame=0", &format!("--frame={index}"));
        succeeds(at, &format!("{command} -o single.png"));
        assert!(read_png(at.join("single.png")).expect("a PNG") == *frame, "frame {index}: {command}");
    }
    let animated = apng_frames(&at.join("again.png"));
    assert_eq!(animated, frames.iter().map(rgb).collect::<Vec<_>>());
    // backwards from the end, and every second one
    succeeds(at, &format!("film walk.xyz {look} --frames -2.. -o last.png"));
    assert_eq!(apng_frames(&at.join("last.png")).len(), 2);
    succeeds(at, &format!("film walk.xyz {look} --frames 0..:2 -o odd.png"));
    assert_eq!(apng_frames(&at.join("odd.png")).len(), 3);
}

#[test]
fn categories_have_one_color_and_one_legend_in_all_frames() {
    let folder = folder();
    let at = folder.path();
    let frame = |kinds: [&str; 3]| {
        let [a, b, c] = kinds;
        format!("3\nProperties=species:S:1:pos:R:3:kind:S:1\nX 0 0 0 {a}\nX 4 0 0 {b}\nX 8 0 0 {c}\n")
    };
    let frames = frame(["aa", "bb", "cc"]) + &frame(["cc", "aa", "dd"]);
    fs::write(at.join("kinds.xyz"), frames).expect("written");
    fs::write(at.join("kinds.toml"), "[[spheres]]\nfile = \"kinds.xyz\"\ncolor_by = \"kind\"\n").expect("written");
    for (input, legend) in [
        ("kinds.xyz --color-by kind", ""),
        ("kinds.xyz --color-by kind", "=counts"),
        ("kinds.toml", ""),
        ("kinds.toml", "=counts"),
    ] {
        let look = "-W 90 -H 30 --look headlight --ao off --ambient 1 --ortho";
        let said = succeeds(at, &format!("film {input} {look} --legend{legend} -v --force -o 'k_{{frame}}.png'"));
        let said = text(&said.stderr);
        assert_eq!(said.contains("the legend has no counts"), legend == "=counts");
        let (_, command) = said.lines().find_map(|line| line.split_once(": roundel ")).expect("a command");
        if !input.starts_with("kinds.toml") {
            let command = command.replace("--frame=0", "--frame=1");
            succeeds(at, &format!("{command} --force -o single.png"));
            let single = read_png(at.join("single.png")).expect("a PNG");
            assert!(single == read_png(at.join("k_1.png")).expect("a PNG"), "{command}");
        }
        let [first, second] = pngs(at, "k", 2).try_into().expect("two frames");
        // the columns where the first colours of the palette stand
        let palette = [[31, 119, 180], [255, 127, 14], [44, 160, 44], [214, 39, 40]];
        let places = |frame: &Frame| {
            palette.map(|color| {
                let is_there = |column: &u32| {
                    (0..30).any(|row| {
                        let pixel = frame.pixels()[(row * frame.width() + column) as usize];
                        [pixel.r, pixel.g, pixel.b] == color
                    })
                };
                (0..90).find(is_there).map(|column| column / 30)
            })
        };
        assert_eq!(places(&first), [Some(0), Some(1), Some(2), None]);
        assert_eq!(places(&second), [Some(1), None, Some(0), Some(2)]);
        let is_legend_equal = (0..first.height()).all(|row| {
            let legend = |frame: &Frame| {
                let row = (row * frame.width()) as usize..((row + 1) * frame.width()) as usize;
                frame.pixels()[row][92..].to_vec()
            };
            legend(&first) == legend(&second)
        });
        assert!(is_legend_equal, "all categories of the film");
    }
    // ramps of scenes, too
    let frame = |[a, b]: [u32; 2]| format!("2\nProperties=species:S:1:pos:R:3:q:R:1\nX 0 0 0 {a}\nX 4 0 0 {b}\n");
    fs::write(at.join("ramp.xyz"), frame([0, 5]) + &frame([5, 10])).expect("written");
    let color_by = "color_by = { column = \"q\", map = \"viridis\" }";
    for legend in ["on", "off"] {
        fs::write(at.join("ramp.toml"), format!("[[spheres]]\nfile = \"ramp.xyz\"\nradius = 2.0\n{color_by}\n"))
            .expect("written");
        let look = "-W 60 -H 30 --look flat --outline-width 0 --ao off --ortho";
        succeeds(at, &format!("film ramp.toml {look} --legend={legend} --force -o 'r_{{frame}}.png'"));
        let colors = pngs(at, "r", 2).into_iter().map(|frame| {
            let pixel = |x: u32| rgb(&frame)[3 * (15 * frame.width() + x) as usize..][..3].to_vec();
            [pixel(15), pixel(45)]
        });
        let [[least, middle], [again, most]] = colors.collect::<Vec<_>>().try_into().expect("two frames");
        assert!(middle == again && least != middle && middle != most, "{legend}");
    }
    fs::write(at.join("p.csv"), "x,y,v,kind\n1,1,5,a\n2,2,6,b\n").expect("written");
    fs::write(at.join("q.csv"), "x,y,v,kind\n1,1,50,b\n2,2,600,c\n").expect("written");
    for color in ["kind", "v"] {
        let said = succeeds(at, &format!("film p.csv q.csv -W 90 --color {color} --legend --force -o t.png"));
        assert!(text(&said.stderr).contains("each table is laid out by itself"));
    }
}

#[test]
fn legends_have_one_size_and_the_same_arrow_ends_in_all_frames() {
    let folder = folder();
    let at = folder.path();
    // the second frame alone has outliers, beyond a given range
    let frame = |numbers: &dyn Fn(u32) -> f64| {
        let mut text = "20\nProperties=species:S:1:pos:R:3:q:R:1:size:R:1:alpha:R:1\n".to_owned();
        for atom in 0..20 {
            let q = numbers(atom);
            text += &format!(
                "C {} {} 0 {q} {} {}\n",
                atom % 5 * 3,
                atom / 5 * 3,
                0.5 + q.abs() * 0.01,
                1.0 / (1.0 + q.abs())
            );
        }
        text
    };
    let even = |atom: u32| f64::from(atom);
    let outliers = |atom: u32| if atom > 17 { 1e3 * f64::from(atom) - 17_500.0 } else { f64::from(atom) };
    fs::write(at.join("q.xyz"), frame(&even) + &frame(&outliers) + &frame(&even)).expect("written");
    fs::write(at.join("q.toml"), "[[spheres]]\nfile = \"q.xyz\"\ncolor_by = { column = \"q\", map = \"viridis\" }\n")
        .expect("written");
    let look = "-W 80 --look flat --outline-width 0 --ao off";
    for input in [
        "q.xyz --color-by q",
        "q.xyz --color-by q --color-range 0,25",
        "q.xyz --color-by q --color-range 0,25 --eye 6,6,30 --target 6,6,0 -H 60",
        "q.xyz --color-by q --color-scale sqrt",
        "q.xyz --color-by q --color-center 0",
        "q.xyz --color-by q --radius size",
        "q.xyz --color-by q --opacity-by alpha",
        "q.toml",
    ] {
        let said = succeeds(at, &format!("film {input} {look} --legend -v --force -o 'l_{{frame}}.png'"));
        let frames = pngs(at, "l", 3);
        let legend = |frame: &Frame| {
            let columns = frame.width() as usize;
            frame.pixels().chunks(columns).flat_map(|row| row[82..].to_vec()).collect::<Vec<_>>()
        };
        assert!(frames.iter().all(|frame| legend(frame) == legend(&frames[0])), "{input}");
        assert!(text(&said.stderr).contains(" of this frame: roundel"), "{input}: {}", text(&said.stderr));
    }
    // all frames have this legend by themselves
    let said = succeeds(at, &format!("film walk.xyz {look} --color-by energy --legend -v -o w.png"));
    assert!(text(&said.stderr).contains("the first frame alone: roundel"), "{}", text(&said.stderr));
}

#[test]
fn render_draws_a_picture_of_each_frame_under_a_name_with_a_place_for_its_number() {
    let folder = folder();
    let at = folder.path();
    let look = "--look flat -W 60";
    succeeds(at, &format!("film walk.xyz {look} --frames 2..5:2 -o 'f_{{frame}}.png'"));
    let said = text(&succeeds(at, &format!("render walk.xyz {look} --frames 2..5:2 -o 'r_{{frame:03}}.png'")).stdout);
    assert!(said.starts_with("wrote r_002.png to r_004.png: 2 pictures"), "{said}");
    for (place, frame) in [2, 4].iter().enumerate() {
        let names = [format!("f_{place}.png"), format!("r_{frame:03}.png")];
        let [of_film, of_render] = names.map(|name| fs::read(at.join(name)).expect("a picture"));
        assert!(of_film == of_render, "frame {frame}");
    }
    assert!(!at.join("r_003.png").exists() && !at.join("r_{frame:03}.png").exists());
    // all of them, or one, counted from the end
    succeeds(at, &format!("render walk.xyz {look} -o 'a_{{frame}}.png'"));
    assert!(at.join("a_0.png").exists() && at.join("a_4.png").exists());
    succeeds(at, &format!("render walk.xyz {look} --frame -1 -o 'l_{{frame}}.png'"));
    assert!(at.join("l_4.png").exists() && !at.join("l_0.png").exists());
    let said = text(&succeeds(at, &format!("render walk.xyz {look} --frames 1 -o 'o_{{frame}}.png'")).stdout);
    assert!(said.starts_with("wrote o_1.png: 1 picture,") && at.join("o_1.png").exists(), "{said}");
    for (options, found) in [
        ("--stats", "--stats is one picture"),
        ("--grid 1x2", "--grid is one picture"),
        ("--frames 0,x", "must be all, or numbers and ranges with commas between them"),
        ("--frames 0,5", "frames 0 to 4"),
        ("--frames 7..9", "frames 0 to 4"),
    ] {
        refuses(at, &format!("render walk.xyz {look} {options} -o 'x_{{frame}}.png'"), &[found]);
    }
    refuses(at, "render walk.xyz --frames 3..x -o a.png", &["must be all, or numbers and ranges"]);
}

#[test]
fn frames_are_listed_in_any_order_wherever_they_are_chosen() {
    let folder = folder();
    let at = folder.path();
    let camera = "--eye 4,2,20 --target 4,2,0 --up 0,1,0 --fov 40 -W 48 -H 36 --look flat";
    succeeds(at, &format!("film walk.xyz {camera} --frames 4,0..3:2,-2 -o 'f_{{frame}}.png'"));
    succeeds(at, &format!("render walk.xyz {camera} --frames 4,0..3:2,-2 -o 'r_{{frame}}.png'"));
    for (place, frame) in [4, 0, 2, 3].iter().enumerate() {
        let names = [format!("f_{place}.png"), format!("r_{frame}.png")];
        let [of_film, of_render] = names.map(|name| fs::read(at.join(name)).expect("a picture"));
        assert!(of_film == of_render, "frame {frame}");
    }
    assert!(!at.join("r_1.png").exists());
    // one picture of several frames; open ranges count the frames
    let names = ["0,2,4", "..:2", "0..5:2", "-5,-3,-1"].map(|frames| {
        let name = format!("o_{frames}.png");
        succeeds(at, &format!("render walk.xyz {camera} --legend --frames {frames} -o '{name}'"));
        fs::read(at.join(name)).expect("a picture")
    });
    assert!(names.iter().all(|picture| picture == &names[0]));
    // a frame that is listed twice has one picture
    succeeds(at, &format!("render walk.xyz {camera} --frames 1,1,1 -o 'd_{{frame}}.png'"));
    assert!(at.join("d_1.png").exists());
}

#[test]
fn film_turns_the_camera_as_azimuth_does() {
    let folder = folder();
    let at = folder.path();
    let camera = "--eye 4,2,20 --target 4,2,0 --up 0,1,0 --fov 40 -W 48 -H 36 --look flat";
    succeeds(at, &format!("film walk.xyz --frame 1 --turntable 90 --seconds 1 --fps 3 {camera} -o 't_{{frame}}.png'"));
    for (index, frame) in pngs(at, "t", 3).iter().enumerate() {
        succeeds(at, &format!("render walk.xyz --frame 1 --azimuth {} {camera} -o single.png", 30 * index));
        assert!(read_png(at.join("single.png")).expect("a PNG") == *frame, "frame {index}");
    }
    assert!(!at.join("t_3.png").exists());
}

#[test]
fn arrows_have_one_scale_and_one_ramp_in_all_frames() {
    let folder = folder();
    let at = folder.path();
    let frame = |step: u32, speed: f32| {
        format!(
            "ITEM: TIMESTEP\n{step}\nITEM: NUMBER OF ATOMS\n2\nITEM: BOX BOUNDS pp pp pp\n0 9\n0 9\n0 9\n\
             ITEM: ATOMS id x y z vx vy vz\n1 3 3 3 {speed} 0 0\n2 6 6 3 0 {speed} 0\n"
        )
    };
    // nothing moves in the first frame
    fs::write(at.join("v.dump"), [frame(0, 0.0), frame(1, 1.0), frame(2, 10.0)].concat()).expect("written");
    let look = "--vectors v --radius 0.5 -W 80 -H 80 --eye 4.5,4.5,30 --target 4.5,4.5,3 --look flat --legend";
    for (color, of_render) in [("particle", "particle"), ("length", "'length 10'")] {
        succeeds(at, &format!("film v.dump {look} --vector-color {color} -o 'f_{{frame}}.png'"));
        for frame in 0..3 {
            // six radii of the longest
            let options = format!("--vector-scale 0.3 --vector-color {of_render} --frame {frame}");
            succeeds(at, &format!("render v.dump {look} {options} --force -o one.png"));
            let same = fs::read(at.join(format!("f_{frame}.png"))).expect("a frame")
                == fs::read(at.join("one.png")).expect("a picture");
            assert!(same, "frame {frame}, {color}");
        }
        fs::remove_file(at.join("f_0.png")).expect("removed");
        (1..3).for_each(|frame| fs::remove_file(at.join(format!("f_{frame}.png"))).expect("removed"));
    }
    refuses(
        at,
        "render v.dump --vectors v --vector-color 'length -1' -o x.png",
        &["must have a positive length after `length`"],
    );
}

#[test]
fn arrows_of_all_frames_are_framed() {
    let folder = folder();
    let at = folder.path();
    let frame =
        |speed: u32| format!("2\nProperties=species:S:1:pos:R:3:v:R:3\nC 0 0 0 {speed} 0 0\nC 0 3 0 0 1 {speed}\n");
    fs::write(at.join("v.xyz"), [frame(1), frame(9)].concat()).expect("written");
    let look = "v.xyz --vectors v --vector-scale 1 --vector-color red --look flat --style spacefill";
    let is_red = |pixel: &Srgba8| pixel.r > 200 && pixel.g < 100;
    for how in [
        "film --view front -W 90",
        "film --view front -W 90 -H 50 --azimuth 40",
        "render --frames all --view front",
        "film --grid 2x1 --view front,iso",
        "film --turntable 3 --view front -W 90",
    ] {
        succeeds(at, &format!("{how} {look} -o 'f_{{frame}}.png'"));
        let shows = pngs(at, "f", 2).iter().any(|frame| frame.pixels().iter().any(is_red));
        assert!(shows, "{how}");
        for (index, frame) in pngs(at, "f", 2).iter().enumerate() {
            let rows: Vec<&[Srgba8]> = frame.rows().collect();
            let sides = rows.iter().flat_map(|row| [row[0], row[row.len() - 1]]);
            let ends = [rows[0], rows[rows.len() - 1]].concat();
            assert!(!sides.chain(ends).any(|pixel| is_red(&pixel)), "frame {index}: {how}");
        }
        (0..3).for_each(|frame| drop(fs::remove_file(at.join(format!("f_{frame}.png")))));
    }
}

#[test]
fn data_plays_before_the_camera_turns() {
    let folder = folder();
    let at = folder.path();
    let look = "-W 48 --look flat";
    succeeds(
        at,
        &format!("film walk.xyz {look} --turntable 360 --play-then-turn --seconds 1 --fps 4 -o 'f_{{frame}}.png'"),
    );
    let frames = pngs(at, "f", 9);
    assert!(frames[..5].windows(2).all(|pair| pair[0] != pair[1]), "five frames of data");
    assert!(frames[5] == frames[4] && frames[6] != frames[5], "the turn begins where the data ends");
    refuses(at, "film walk.xyz --play-then-turn -o film.png", &["--play-then-turn needs a motion"]);
}

#[test]
fn data_plays_after_the_camera_has_turned() {
    let folder = folder();
    let at = folder.path();
    let film = "film walk.xyz -W 48 --look flat --turn-then-play --seconds 1 --fps 4";
    succeeds(at, &format!("{film} --turntable 90 -o 'f_{{frame}}.png'"));
    let frames = pngs(at, "f", 9);
    assert!(frames[..5].windows(2).all(|pair| pair[0] != pair[1]), "four steps of the turn, and its end");
    assert!(frames[4..].windows(2).all(|pair| pair[0] != pair[1]), "five frames of data");
    let first = succeeds(at, &format!("{film} --turntable 90 --verbose -o first.png"));
    assert!(text(&first.stderr).contains("--azimuth=0"), "around the first frame: {}", text(&first.stderr));
    refuses(at, "film walk.xyz --turn-then-play -o film.png", &["--turn-then-play needs a motion"]);
}

#[test]
fn turns_show_everything_from_all_sides() {
    let folder = folder();
    let at = folder.path();
    for motion in ["--turntable 360", "--turntable -360 --elevation 30", "--rock 40", "--turntable 360 --frames all"] {
        succeeds(
            at,
            &format!(
                "film walk.xyz -W 96 --look flat --outline-width 0 --seconds 1 --fps 12 {motion} -o 't_{{frame}}.png'"
            ),
        );
        let frames = pngs(at, "t", 12);
        let white = roundel::Srgba8::WHITE;
        for (index, frame) in frames.iter().enumerate() {
            let rows: Vec<_> = frame.rows().collect();
            let edges = rows[0].iter().chain(rows[rows.len() - 1]);
            let sides = rows.iter().flat_map(|row| [&row[0], &row[row.len() - 1]]);
            assert!(edges.chain(sides).all(|pixel| *pixel == white), "{motion}: frame {index} is cut off");
        }
        fs::read_dir(at).expect("a folder").flatten().for_each(|entry| {
            if entry.file_name().to_string_lossy().starts_with("t_") {
                fs::remove_file(entry.path()).expect("removed");
            }
        });
    }
}

#[test]
fn films_have_the_same_bytes_for_any_number_of_threads() {
    let folder = folder();
    let at = folder.path();
    for ending in ["png", "gif", "webp", "y4m"] {
        for threads in [1, 3] {
            succeeds(at, &format!("film walk.xyz -W 50 --threads {threads} -o film{threads}.{ending}"));
        }
        // the narrowest lanes; scalar where the processor has no SSE2
        let level = if cfg!(target_arch = "x86_64") { "sse2" } else { "auto" };
        succeeds(at, &format!("film walk.xyz -W 50 --simd {level} -o lanes.{ending}"));
        let film = |threads: u32| fs::read(at.join(format!("film{threads}.{ending}"))).expect("a film");
        assert!(film(1) == film(3), "{ending}");
        assert!(fs::read(at.join(format!("lanes.{ending}"))).expect("a film") == film(1), "{ending}");
    }
    let output = succeeds(at, "film walk.xyz -W 50 -o -");
    assert!(output.stdout == fs::read(at.join("film1.y4m")).expect("a film"), "standard output has Y4M");
    assert!(output.stdout.starts_with(b"YUV4MPEG2 W50 "));
}

#[test]
fn films_are_decoded_again() {
    let folder = folder();
    let at = folder.path();
    let look = "-W 50 --look flat --fps 10";
    for name in ["'f_{frame}.png'", "film.gif", "film.webp"] {
        succeeds(at, &format!("film walk.xyz {look} -o {name}"));
    }
    let frames = pngs(at, "f", 5);
    let file = std::io::BufReader::new(fs::File::open(at.join("film.webp")).expect("a film"));
    let mut web_p = image_webp::WebPDecoder::new(file).expect("a WebP");
    assert_eq!(web_p.num_frames(), 5);
    for frame in &frames {
        let mut pixels = vec![0; web_p.output_buffer_size().expect("small")];
        assert_eq!(web_p.read_frame(&mut pixels).expect("a frame"), 100, "milliseconds");
        assert!(pixels == rgb(frame), "lossless");
    }
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut gif = options.read_info(fs::File::open(at.join("film.gif")).expect("a film")).expect("a GIF");
    let mut count = 0;
    while let Some(found) = gif.read_next_frame().expect("a frame") {
        assert_eq!(found.delay, 10);
        // approximately, as a palette of 255 colours serves all frames
        let pixels = found.buffer.as_chunks::<4>().0.iter().zip(frames[count].pixels());
        let far =
            pixels.filter(|(found, pixel)| found[0].abs_diff(pixel.r).max(found[1].abs_diff(pixel.g)) > 24).count();
        assert!(far * 50 < frames[count].pixels().len(), "{far} pixels of frame {count}");
        count += 1;
    }
    assert_eq!(count, 5);
}

#[test]
fn transparent_films_stay_transparent() {
    let folder = folder();
    let at = folder.path();
    let look = "-W 50 --look flat --transparent";
    for name in ["'f_{frame}.png'", "film.webp", "film.png"] {
        succeeds(at, &format!("film walk.xyz {look} -o {name}"));
    }
    let frames: Vec<Vec<u8>> = pngs(at, "f", 5).iter().map(Frame::to_rgba_bytes).collect();
    assert_eq!(apng_frames(&at.join("film.png")), frames);
    let file = std::io::BufReader::new(fs::File::open(at.join("film.webp")).expect("a film"));
    let mut web_p = image_webp::WebPDecoder::new(file).expect("a WebP");
    let mut pixels = vec![0; web_p.output_buffer_size().expect("small")];
    web_p.read_frame(&mut pixels).expect("a frame");
    assert!(pixels == frames[0]);
    let said = succeeds(at, &format!("film walk.xyz {look} -o t.y4m"));
    assert!(text(&said.stderr).contains("t.y4m has no opacity: what is transparent becomes white"));
}

#[test]
fn resume_draws_the_missing_frames() {
    let folder = folder();
    let at = folder.path();
    let film = "film walk.xyz -W 40 --look flat -o 'f_{frame}.png'";
    succeeds(at, film);
    let frames = pngs(at, "f", 5);
    for index in [1, 4] {
        fs::remove_file(at.join(format!("f_{index}.png"))).expect("removed");
    }
    frames[3].save_png(at.join("f_0.png")).expect("written");
    succeeds(at, &format!("{film} --resume"));
    let again = pngs(at, "f", 5);
    assert!(again[1..] == frames[1..], "the missing ones are drawn");
    assert!(again[0] == frames[3], "finished ones stay");
    fs::remove_file(at.join("f_2.png")).expect("removed");
    refuses(
        at,
        "film walk.xyz -W 50 --look flat -o 'f_{frame}.png' --resume",
        &["--resume is for the same command", "f_0.png has 40x"],
    );
    assert!(!at.join("f_2.png").exists());
    refuses(at, "film walk.xyz -o film.gif --resume", &["--resume", "frame_{frame:04}.png"]);
}

#[test]
fn the_last_frame_of_a_trajectory_that_is_cut_off_is_left_out() {
    let folder = folder();
    let at = folder.path();
    let walk = fs::read_to_string(at.join("walk.xyz")).expect("there");
    fs::write(at.join("cut.xyz"), &walk[..walk.len() - 40]).expect("written");
    let output = succeeds(at, "film cut.xyz -W 40 -o film.png");
    let notes = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(notes.contains("cut.xyz: frame 4, the last, is incomplete and left out: line 38"), "{notes}");
    assert_eq!(apng_frames(&at.join("film.png")).len(), 4);
}

#[test]
fn a_full_disk_leaves_no_film() {
    let folder = folder();
    for ending in ["png", "gif", "webp", "y4m"] {
        let at = folder.path();
        std::os::unix::fs::symlink("/dev/full", at.join(format!("full.{ending}"))).expect("a link");
        let output = roundel(at, &format!("film walk.xyz -W 40 --look flat -o full.{ending}"));
        // a device is no place for a WebP
        let said = if ending == "webp" { "--output must be a regular file" } else { "cannot write full." };
        assert_refused(&output, ending, &[said]);
    }
}

#[test]
fn films_that_cannot_be_are_refused() {
    let folder = folder();
    let at = folder.path();
    fs::write(at.join("table.csv"), "x,y\n1,2\n3,4\n").expect("written");
    fs::write(at.join("precious.gif"), "mine").expect("written");
    refuses(at, "film walk.xyz -o film.avi", &["--output must end in .png", "film.avi"]);
    refuses(at, "film walk.xyz -o 'f_{frame:x}.png'", &["{frame:04}"]);
    refuses(at, "film walk.xyz -o precious.gif", &["precious.gif exists and is not a film", "--force"]);
    refuses(at, "film walk.xyz --trim -o film.png", &["--trim is for pictures"]);
    refuses(at, "film table.csv --turntable 90 -o film.png", &["--turntable is for spheres; table.csv"]);
    refuses(
        at,
        "film walk.xyz --frames 3..3 -o film.png",
        &["--frames <all|LIST>': must be first..end with the first frame before the end, which is left out; got 3..3"],
    );
    refuses(at, "film walk.xyz --frames x -o film.png", &["--frames", "numbers and ranges"]);
    refuses(at, "film walk.xyz --frames 0..9 -o film.png", &["frames 0 to 4", "0..9"]);
    refuses(at, "film walk.xyz --frame 0 --frames 1.. -o film.png", &["--frame and --frames both"]);
    refuses(at, "film walk.xyz --fps 0 -o film.png", &["--fps", "0.001 to 1000"]);
    refuses(at, "film walk.xyz --fps 60 -o film.gif", &["film has 60 frames a second, of which a GIF has at most 50"]);
    refuses(at, "film walk.xyz --turntable 0 -o film.png", &["--turntable must be an angle"]);
    refuses(at, "film walk.xyz --seconds -1 -o film.png", &["--seconds must be above 0"]);
    refuses(at, "film - -o film.png", &["must be files"]);
    refuses(at, "film none.xyz -o film.png", &["none.xyz"]);
    refuses(at, "film walk.xyz -o nowhere/film.png", &["nowhere/film.png"]);
    succeeds(at, "render walk.xyz -o one.png -W 20");
    let one = fs::read_to_string(at.join("walk.xyz")).expect("there").lines().take(8).collect::<Vec<_>>().join("\n");
    fs::write(at.join("one.xyz"), one).expect("written");
    refuses(at, "film one.xyz -o film.png", &["--turntable is missing", "one frame"]);
    assert_eq!(fs::read_to_string(at.join("precious.gif")).expect("there"), "mine");
}

#[test]
fn mp4_without_ffmpeg_says_what_is_missing() {
    let folder = folder();
    let at = folder.path();
    let film = ["film", "walk.xyz", "-W", "40", "--look", "flat", "-o", "film.mp4"];
    let output = running::roundel(at, &film).env("PATH", at).output().expect("roundel starts");
    assert_refused(&output, "film", &["needs the program ffmpeg, which is not on the PATH"]);
    assert_eq!(names(at), ["walk.xyz"]);
}

#[test]
fn an_interrupted_film_keeps_its_frames() {
    let folder = folder();
    let at = folder.path();
    // in the foreground `timeout` signals the program once, and not its group as well: a second signal ends it at once
    let line = format!(
        "timeout --foreground -s INT 3 '{}' film walk.xyz -W 400 --samples 16 --turntable 360 --seconds 400 -o 'f_{{frame:06}}.png'",
        env!("CARGO_BIN_EXE_roundel")
    );
    let output = Command::new("sh").args(["-c", &line]).current_dir(at).output().expect("a shell");
    let message = text(&output.stderr);
    assert!(message.contains("was stopped after") && message.contains("--resume"), "{message}");
    let files = names(at);
    assert!(files.len() > 1 && files.iter().all(|name| name.starts_with("f_") || name == "walk.xyz"), "{files:?}");
    for name in files.iter().filter(|name| name.starts_with("f_")) {
        read_png(at.join(name)).expect("whole");
    }
}

#[test]
fn options_that_change_one_frame_at_least_are_not_idle() {
    let folder = folder();
    let frame = |x: f64| format!("1\nLattice=\"9 0 0 0 9 0 0 0 9\" Properties=species:S:1:pos:R:3\nC {x} 1 1\n");
    fs::write(folder.path().join("in.xyz"), frame(1.0) + &frame(2.0)).expect("written");
    fs::write(folder.path().join("out.xyz"), frame(1.0) + &frame(11.0)).expect("written");
    for (file, is_idle) in [("in.xyz", true), ("out.xyz", false)] {
        let output = succeeds(folder.path(), &format!("film {file} --wrap -W 20 -o {file}.gif"));
        assert_eq!(text(&output.stderr).contains("--wrap changes nothing: "), is_idle, "{}", text(&output.stderr));
    }
}
