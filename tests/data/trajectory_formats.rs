//! Frames of trajectories in each format, and the topologies that name their atoms.

use super::data_formats::{described, spheres};
use crate::files::{Folder, PDB, centers, npy, only_spheres, overrides, sample, small};
use roundel::io::{LoadOptions, describe, load, read_scene};

/// Files that MDAnalysis wrote, with the positions that it reads from them.
#[test]
fn trajectories_are_read_as_mdanalysis_reads_them() {
    let folder = Folder::new();
    let first = [[10.236, 19.009, 2.883], [11.196, 19.009, 2.883], [9.996, 19.939, 2.883], [5.298, 4.143, 19.399]];
    let second = [[10.321, 2.317, 12.47], [11.281, 2.317, 12.47], [10.081, 3.247, 12.47], [16.986, 18.461, 9.438]];
    // XTC stores hundredths of an ångström
    for (name, sample_name, precision) in [("w.xtc", "xtc/water.xtc", 0.0051), ("w.dcd", "dcd/water.dcd", 0.0006)] {
        for (frame, expected) in [(0, first), (1, second)] {
            let found = centers(&spheres(&folder, name, sample_name, &overrides(|o| o.frame = Some(frame))));
            assert_eq!(found.len(), 30);
            for (atom, expected) in [0, 1, 2, 29].into_iter().zip(expected) {
                let near = |axis: usize| (found[atom][axis] - expected[axis]).abs() < precision;
                assert!((0..3).all(near), "{name}, frame {frame}, atom {atom}: {:?} and {expected:?}", found[atom]);
            }
        }
        let description = described(&folder, name, sample_name);
        let cell = description.sources[0].cell.expect("a box");
        assert_eq!((description.sources[0].records, description.sources[0].models), (30, 2));
        let expected = [20.0, 25.0, 30.0, 90.0, 90.0, 75.0];
        let found = cell.lengths.into_iter().chain(cell.angles);
        assert!(found.zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-4), "{name}: {cell:?}");
        let no_frame = folder.refusal_with(name, sample(sample_name), &overrides(|o| o.frame = Some(2)));
        assert_eq!(no_frame, format!("frame 2 is not in {name}, which has frames 0 to 1"));
        let mut cut = sample(sample_name);
        cut.truncate(cut.len() / 2 - 40);
        let message = folder.refusal(name, &cut);
        assert!(
            message.starts_with(&format!("{name}: byte ")) && message.contains("the file ends in the middle"),
            "{message}"
        );
    }
    let few = centers(&spheres(&folder, "few.xtc", "xtc/three.xtc", &LoadOptions::default()));
    assert_eq!(few, [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [-1.0, 0.5, 20.0]], "few atoms are not compressed");
}

/// A DCD file with this title: three atoms, `fixed` of them fixed, and two frames. Record lengths take `mark` bytes, 4 or
/// 8.
fn dcd(mark: usize, fixed: u32, title: (&[u8], u64), box_numbers: [f64; 6]) -> Vec<u8> {
    let mut file = Vec::new();
    let record = |file: &mut Vec<u8>, length: u64, content: &[u8]| {
        file.extend(&length.to_le_bytes()[..mark]);
        file.extend(content);
        file.extend(&length.to_le_bytes()[..mark]);
    };
    let mut header = [0_u32; 20];
    (header[0], header[8], header[10], header[19]) = (2, fixed, 1, 36);
    let header = [b"CORD".to_vec(), header.iter().flat_map(|number| number.to_le_bytes()).collect()].concat();
    record(&mut file, 84, &header);
    record(&mut file, title.1, title.0);
    record(&mut file, 4, &3_u32.to_le_bytes());
    if fixed > 0 {
        record(&mut file, 4, &2_u32.to_le_bytes());
    }
    let cell: Vec<u8> = box_numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    let second: &[f32] = if fixed > 0 { &[9.0] } else { &[7.0, 9.0, 8.0] };
    for places in [&[1.0_f32, 2.0, 3.0][..], second] {
        record(&mut file, 48, &cell);
        for _ in 0..3 {
            let bytes: Vec<u8> = places.iter().flat_map(|place| place.to_le_bytes()).collect();
            record(&mut file, bytes.len() as u64, &bytes);
        }
    }
    file
}

#[test]
fn dcd_of_every_writer_is_read() {
    let folder = Folder::new();
    let cube = [20.0, 0.0, 20.0, 0.0, 0.0, 20.0];
    let line = |lines: u32, bytes: usize| [lines.to_le_bytes().to_vec(), vec![b'x'; bytes]].concat();
    let plain = (line(1, 80), 84);
    // an odd length; a record length of three lines for two, and of two for three
    for (mark, title) in [
        (4, &plain),
        (8, &plain),
        (4, &(line(1, 61), 65)),
        (8, &(line(0, 0), 4)),
        (4, &(line(2, 160), 244)),
        (4, &(line(3, 240), 164)),
    ] {
        let file = dcd(mark, 0, (&title.0, title.1), cube);
        for (frame, expected) in [(0, [1.0, 2.0, 3.0]), (1, [7.0, 9.0, 8.0])] {
            let found = folder.spheres("a.dcd", &file, &overrides(|o| o.frame = Some(frame)));
            assert_eq!(centers(&found), expected.map(|place| [place; 3]), "{mark} bytes, title of {}", title.1);
        }
        let source = folder.source("a", &file);
        assert_eq!((source.models, source.cell.expect("a box").lengths), (2, [20.0; 3]));
    }
    let fixed = dcd(4, 2, (&plain.0, plain.1), cube);
    for (frame, expected) in [(0, [1.0, 2.0, 3.0]), (1, [1.0, 9.0, 3.0])] {
        let found = folder.spheres("fixed.dcd", &fixed, &overrides(|o| o.frame = Some(frame)));
        assert_eq!(centers(&found), expected.map(|place| [place; 3]), "atom 2 moves");
    }
    assert_eq!(folder.source("fixed.dcd", &fixed).models, 2);
    // CHARMM's symmetric matrix of edges
    let matrix = [30.841_836, 14.578_635, 31.780_088, 9.626_323, -2.608_150, 32.670_090];
    let file = dcd(4, 0, (&plain.0, plain.1), matrix);
    let cell = folder.source("c36.dcd", &file).cell.expect("a box");
    let expected = [35.446, 35.062, 34.159, 91.328, 61.735, 44.407];
    let near =
        cell.lengths.iter().chain(&cell.angles).zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-3);
    assert!(near, "as MDAnalysis reads its tip125_tric_C36.dcd: {cell:?}");
    let wrong = dcd(4, 5, (&plain.0, plain.1), cube);
    assert!(folder.refusal("a.dcd", &wrong).ends_with("5 fixed atoms must be among the 3 atoms"));
}

#[test]
fn steps_that_are_taken_for_frames_are_named() {
    let folder = Folder::new();
    let frame = |step: u32| {
        format!(
            "ITEM: TIMESTEP\n{step}\nITEM: NUMBER OF ATOMS\n1\nITEM: BOX BOUNDS pp pp pp\n0 9\n0 9\n0 9\n\
             ITEM: ATOMS id type x y z fx fy fz\n1 1 1 2 3 0 0 2\n"
        )
    };
    let path = folder.file("t.dump", [0, 1000, 2000].map(frame).concat());
    let refused =
        |frame: &str| load(&path, &overrides(|o| o.frame = frame.parse().ok())).expect_err("refused").to_string();
    let message = refused("2000");
    assert!(message.ends_with("which has frames 0 to 2; step 2000 is frame 2"), "{message}");
    let message = refused("500");
    assert!(message.ends_with("which has frames 0 to 2"), "{message}");
}

#[test]
fn frames_are_counted_from_the_end() {
    let folder = Folder::new();
    let model = |number: u32, x: u32| {
        format!(
            "MODEL     {number:>4}\nATOM      1  N   MET A   1      1{x}.000  12.000  13.000  1.00 20.00           N\nENDMDL\n"
        )
    };
    let models = model(1, 1) + &model(2, 2);
    for (name, content) in [
        ("m.pdb", models.into_bytes()),
        ("w.gro", sample("gro/water.gro")),
        ("w.dcd", sample("dcd/water.dcd")),
        ("w.xtc", sample("xtc/water.xtc")),
    ] {
        let frame = |frame| folder.spheres(name, &content, &overrides(|o| o.frame = Some(frame)));
        assert_eq!((frame(-1), frame(-2)), (frame(1), frame(0)), "{name}");
        assert_ne!(frame(-1), frame(-2), "{name}");
        let refused = folder.refusal_with(name, &content, &overrides(|o| o.frame = Some(-3)));
        assert_eq!(refused, format!("frame -3 is not in {name}, which has frames 0 to 1"));
        let scene = |frame: i64| format!("[[spheres]]\nfile = \"{name}\"\nframe = {frame}\n");
        let [last, second] = [-1, 1].map(|frame| folder.spheres("s.toml", scene(frame), &LoadOptions::default()));
        assert_eq!(last, second, "{name}");
    }
}

#[test]
fn trajectories_take_names_from_a_topology() {
    let folder = Folder::new();
    let names = folder.file("names.gro", sample("gro/water.gro"));
    let topology = |path: &std::path::Path| overrides(|o| o.topology = Some(path.display().to_string()));
    let own = describe(&names, &LoadOptions::default()).expect("read").sources.remove(0);
    let trajectory = folder.file("w.trr", sample("trr/water.trr"));
    let found = describe(&trajectory, &topology(&names)).expect("read").sources.remove(0);
    assert_eq!((found.records, &found.elements, &found.columns[..5]), (own.records, &own.elements, &own.columns[..5]));
    let scene = "[[spheres]]\nfile = \"w.trr\"\ntopology = \"names.gro\"\nonly = \"element O\"\n";
    let oxygens = own.elements.iter().find(|(name, _)| name == "O").map(|(_, count)| *count);
    let scene = folder.spheres("s.toml", scene, &LoadOptions::default());
    assert_eq!(Some(only_spheres(&scene).len() as u64), oxygens);
    let other = folder.file("other.pdb", PDB);
    let refused =
        |name: &str, wanted: &LoadOptions| read_scene(folder.0.path().join(name), wanted).expect_err(name).to_string();
    assert!(refused("w.trr", &topology(&other)).contains("must have the atoms of"));
    folder.file("table.csv", "x,y\n1,2\n");
    assert!(refused("table.csv", &topology(&names)).contains("is for trajectories"));
    assert!(refused("w.trr", &topology(&trajectory)).contains("must be a PSF"));
}

#[test]
fn restarts_of_amber_are_read() {
    for (name, atoms, has_cell) in [("amber.inpcrd", 3, false), ("amber.rst7", 2, false), ("amber-box.rst7", 2, true)] {
        let found = describe(small(name), &LoadOptions::default()).expect(name).sources.remove(0);
        assert_eq!((found.format.id(), found.records, found.cell.is_some()), ("rst7", atoms, has_cell), "{name}");
    }
}

#[test]
fn frames_of_trr_and_netcdf_are_read() {
    let folder = Folder::new();
    for (name, content) in [("w.trr", sample("trr/water.trr")), ("w.nc", sample("netcdf/water.nc"))] {
        let frame = |frame| centers(&folder.spheres(name, &content, &overrides(|o| o.frame = Some(frame))));
        assert_eq!(frame(0), [[1.0, 2.0, 3.0], [1.5, 2.0, 3.0], [1.0, 2.5, 3.0]], "{name}");
        assert_eq!(frame(1), [[2.0, 2.0, 3.0], [2.5, 2.0, 3.0], [2.0, 2.5, 3.0]], "{name}");
        assert_eq!(frame(-1), frame(1), "{name}");
        let found = folder.source(name, &content);
        let lengths = found.cell.expect("a box").lengths;
        assert!(
            found.models == 2 && (0..3).all(|axis| (lengths[axis] - [20.0, 21.0, 22.0][axis]).abs() < 1e-5),
            "{name}"
        );
        let quick = overrides(|o| o.only = Some("vx > 0.5".into()));
        assert_eq!(only_spheres(&folder.spheres(name, &content, &quick)).len(), 2, "{name}");
        assert!(folder.refusal_with(name, &content, &overrides(|o| o.frame = Some(2))).contains("frames 0 to 1"));
        let cut = folder.refusal(name, &content[..content.len() / 2 - 20]);
        assert!(cut.contains("the file ends in the middle of") || cut.contains("is cut short"), "{name}: {cut}");
    }
}

#[test]
fn topologies_name_atoms_and_have_no_positions() {
    let folder = Folder::new();
    let trajectory = folder.file("w.trr", sample("trr/water.trr"));
    for name in ["psf/water.psf", "prmtop/water.prmtop"] {
        let path = folder.file(name.split_once('/').expect("two parts").1, sample(name));
        let wanted = overrides(|o| o.topology = Some(path.display().to_string()));
        let found = describe(&trajectory, &wanted).expect(name).sources.remove(0);
        assert_eq!(found.elements, [("H".to_owned(), 2), ("O".to_owned(), 1)], "{name}");
        assert!(
            ["name", "resname", "charge", "mass"].iter().all(|column| found.columns.iter().any(|name| name == column))
        );
        let listed = overrides(|o| {
            (o.topology, o.bonds) = (Some(path.display().to_string()), Some(roundel::io::BondRule::File));
        });
        assert_eq!(describe(&trajectory, &listed).expect(name).sources.remove(0).bonds, 2, "{name}");
        let alone = read_scene(&path, &LoadOptions::default()).expect_err(name).to_string();
        assert!(alone.contains("has no positions; draw the trajectory, with --topology"), "{alone}");
    }
}

#[test]
fn frames_of_hdf5_are_read() {
    let folder = Folder::new();
    // h5py wrote these: chunks in gzip with shuffle; the latest layout, large endian; AMBER's variables; half floats
    for (name, unit) in [("box.h5md", "ps"), ("names.h5md", ""), ("amber.nc", "ps")] {
        let content = sample(&format!("h5md/{name}"));
        let frame = |frame| folder.spheres(name, &content, &overrides(|o| o.frame = Some(frame)));
        assert_eq!(centers(&frame(0)), [[1.0, 2.0, 3.0], [-1.0, -2.0, -3.0]], "{name}");
        assert_eq!(centers(&frame(1)), [[1.5, 2.0, 3.0], [-1.5, -2.0, -3.0]], "{name}");
        assert_eq!(centers(&frame(-1)), centers(&frame(1)), "{name}");
        let source = folder.source(name, &content);
        assert_eq!((source.models, source.times[1].time, source.time_unit), (2, Some(0.5), unit), "{name}");
        for length in [600, content.len() / 2] {
            let said = folder.refusal(name, &content[..length]);
            assert!(said.contains("the file is damaged"), "{name}: {said}");
        }
    }
    let cell = |name: &str, frame| {
        let options = overrides(|o| o.frame = Some(frame));
        let path = folder.file(name, sample(&format!("h5md/{name}")));
        describe(path, &options).expect("read").sources.remove(0).cell.expect("a box")
    };
    assert_eq!(cell("box.h5md", 0).lengths, [10.0, 11.0, 12.0], "nanometres are ten ångström");
    assert_eq!((cell("box.h5md", 1).lengths, cell("amber.nc", 1).lengths), ([20.0, 21.0, 22.0], [10.0, 11.0, 13.0]));
    let skew = cell("names.h5md", 1);
    assert!((skew.angles[2] - 65.556).abs() < 0.01 && (skew.lengths[1] - 146.0_f64.sqrt()).abs() < 1e-9, "{skew:?}");
    let only = |text: &str| overrides(|o| o.only = Some(text.into()));
    let [first, second] = [[1.0, 2.0, 3.0], [-1.0, -2.0, -3.0]];
    assert_eq!(centers(&folder.spheres("box.h5md", sample("h5md/box.h5md"), &only("type 7 and vz 3"))), [second]);
    assert_eq!(centers(&folder.spheres("names.h5md", sample("h5md/names.h5md"), &only("type Kr"))), [first]);
    let notes =
        describe(folder.file("names.h5md", sample("h5md/names.h5md")), &LoadOptions::default()).expect("read").notes;
    assert!(notes.iter().any(|note| note.ends_with("of several groups particles/a is read, not b")), "{notes:?}");
    // 16-bit floats are ambiguous: they could be bfloat16
    let half = folder.refusal("half.h5md", sample("h5md/half.h5md"));
    assert!(half.contains("numbers of neither 32 nor 64 bits; numpy's astype('f4') converts them"), "{half}");
}

#[test]
fn frames_of_gsd_are_read() {
    let folder = Folder::new();
    let content = sample("gsd/particles.gsd");
    let frame = |frame| folder.spheres("p.gsd", &content, &overrides(|o| o.frame = Some(frame)));
    assert_eq!(centers(&frame(0)), [[1.0, 2.0, 3.0], [-1.0, -2.0, -3.0]]);
    assert_eq!(centers(&frame(1)), [[1.5, 2.0, 3.0], [-1.5, -2.0, -3.0]]);
    assert_eq!(centers(&frame(-1)), centers(&frame(1)));
    let radii: Vec<f32> = only_spheres(&frame(1)).iter().map(|sphere| sphere.radius).collect();
    assert_eq!(radii, [0.5, 1.0], "those of the first frame");
    let source = folder.source("p.gsd", &content);
    assert_eq!((source.models, source.cell.expect("a box").lengths), (2, [10.0, 11.0, 12.0]));
    let only = overrides(|o| o.only = Some("type B".into()));
    assert_eq!(centers(&folder.spheres("p.gsd", &content, &only)), [[-1.0, -2.0, -3.0]]);
    assert!(folder.refusal("p.gsd", &content[..300]).contains("the file ends in the middle of"));
}

#[test]
fn arrays_of_three_axes_have_frames() {
    let folder = Folder::new();
    let numbers: Vec<u8> = (0_u8..18).flat_map(|value| f32::from(value).to_le_bytes()).collect();
    let array = npy("<f4", "(3, 2, 3)", &numbers);
    let frame = |frame| folder.spheres("a.npy", &array, &overrides(|o| o.frame = Some(frame)));
    assert_eq!(centers(&frame(0)), [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]);
    assert_eq!(centers(&frame(2)), [[12.0, 13.0, 14.0], [15.0, 16.0, 17.0]]);
    assert_eq!(centers(&frame(-1)), centers(&frame(2)));
    assert!(folder.refusal_with("a.npy", &array, &overrides(|o| o.frame = Some(3))).contains("frames 0 to 2"));
    assert_eq!(folder.source("a.npy", &array).models, 3);
}
