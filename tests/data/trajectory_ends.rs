//! Trajectories of simulations that still run or were killed: an incomplete last frame is left out. And frames without
//! atoms.

use crate::files::{Folder, centers, npy, overrides, sample};
use roundel::Scene;
use roundel::io::{FrameChoice, LoadOptions, describe, load, load_several};

/// A trajectory, and the number of bytes that are cut off in turn, so that its last frame is incomplete.
struct Cut {
    name: &'static str,
    content: Vec<u8>,
    /// Its frames when nothing is cut off.
    frames: u64,
    lost: Vec<usize>,
}

/// Three frames of text.
fn text(name: &'static str, frame: impl Fn(u32) -> String, lost: &[usize]) -> Cut {
    let content = (0..3).map(frame).collect::<String>().into_bytes();
    Cut { name, content, frames: 3, lost: lost.to_vec() }
}

fn dump_frame(frame: u32) -> String {
    let head =
        format!("ITEM: TIMESTEP\n{frame}00\nITEM: NUMBER OF ATOMS\n3\nITEM: BOX BOUNDS pp pp pp\n0 4\n0 4\n0 4\n");
    format!("{head}ITEM: ATOMS id type x y z\n1 1 0 {frame} 0\n2 1 1 {frame} 0\n3 1 2 {frame} 0\n")
}

fn gro_frame(frame: u32) -> String {
    let atom = |number: u32| format!("    1SOL     OW{number:>5}   {number}.000   {frame}.000   0.000\n");
    format!("water t= {frame}\n    2\n{}{}   3.0 3.0 3.0\n", atom(1), atom(2))
}

fn pdb_frame(frame: u32) -> String {
    let atom = |number: u32| {
        format!(
            "ATOM  {number:>5}  CA  ALA A{number:>4}    {:>8.3}{:>8.3}   0.000  1.00  0.00           C\n",
            f64::from(number) * 3.8,
            frame
        )
    };
    format!("MODEL     {:>4}\n{}{}ENDMDL\n", frame + 1, atom(1), atom(2))
}

fn sdf_frame(frame: u32) -> String {
    let atom = |x: u32| format!("{:>10.4}{:>10.4}    0.0000 C   0  0\n", f64::from(x) * 1.5, f64::from(frame));
    format!("m{frame}\n\n\n  2  1  0  0  0  0            999 V2000\n{}{}  1  2  1  0\nM  END\n$$$$\n", atom(0), atom(1))
}

fn mol2_frame(frame: u32) -> String {
    let atom = |number: u32| format!("{number} C{number} {number}.5 {frame}.0 0.0 C.3\n");
    let head = format!("@<TRIPOS>MOLECULE\nm{frame}\n 2 1\nSMALL\nNO_CHARGES\n");
    format!("{head}@<TRIPOS>ATOM\n{}{}@<TRIPOS>BOND\n1 1 2 1\n", atom(1), atom(2))
}

fn cif_frame(frame: u32) -> String {
    let items = ["group_PDB", "id", "type_symbol", "Cartn_x", "Cartn_y", "Cartn_z", "pdbx_PDB_model_num"];
    let items: String = items.iter().map(|item| format!("_atom_site.{item}\n")).collect();
    let head = if frame == 0 { format!("data_run\nloop_\n{items}") } else { String::new() };
    let atom = |number: u32| format!("ATOM {number} C {number}.000 {frame}.000 0.000 {}\n", frame + 1);
    format!("{head}{}{}", atom(1), atom(2))
}

fn trajectories() -> Vec<Cut> {
    let history = |frame: u32| {
        let head = if frame == 0 { "argon\n 0 1 2\n" } else { "" };
        let atom = |number: u32| format!("Ar {number} 39.9 0.0\n{number}.0 {frame}.0 0.0\n");
        format!("{head}timestep {frame} 2 0 1 0.5\n9.0 0.0 0.0\n0.0 9.0 0.0\n0.0 0.0 9.0\n{}{}", atom(1), atom(2))
    };
    let steps = |frame: u32| {
        let head = if frame == 0 { "Si2\n1.0\n4 0 0\n0 4 0\n0 0 4\nSi\n2\n" } else { "" };
        format!("{head}Direct configuration= {}\n0.0 0.0 0.{frame}\n0.5 0.5 0.{frame}\n", frame + 1)
    };
    let numbers: Vec<u8> = (0..18_u8).flat_map(|number| f32::from(number).to_le_bytes()).collect();
    let written = |name: &'static str, sample_name: &str, frames: u64, lost: &[usize]| Cut {
        name,
        content: sample(sample_name),
        frames,
        lost: lost.to_vec(),
    };
    let binary = |name, sample_name, lost| written(name, sample_name, 2, lost);
    vec![
        text(
            "t.xyz",
            |frame| format!("3\nframe {frame}\nC 0 {frame} 0\nC 1 {frame} 0\nC 2 {frame} 0\n"),
            &[5, 9, 14, 17],
        ),
        text(
            "tinker.xyz",
            |frame| format!("2 water\n1 O 0.0 {frame}.0 0.0 1 2\n2 H 1.0 {frame}.0 0.0 2 1\n"),
            &[9, 24, 30],
        ),
        text("t.gro", gro_frame, &[6, 16, 40, 90, 106, 112]),
        text("t.dump", dump_frame, &[5, 8, 16, 32, 80, 130]),
        text("t.pdb", pdb_frame, &[60, 70, 110, 150]),
        text("t.sdf", sdf_frame, &[21, 40, 75]),
        text("t.mol2", mol2_frame, &[40, 60, 90]),
        text("t.cif", cif_frame, &[2, 5, 20, 30, 32, 40, 50]),
        text("HISTORY", history, &[8, 20, 40, 60, 90]),
        text("XDATCAR", steps, &[7, 14, 30]),
        binary("t.xtc", "xtc/water.xtc", &[1, 60, 150, 190]),
        binary("t.trr", "trr/water.trr", &[1, 60, 120, 180]),
        binary("t.dcd", "dcd/water.dcd", &[1, 60, 200, 430]),
        binary("t.nc", "netcdf/water.nc", &[30, 60]),
        binary("t.gsd", "gsd/particles.gsd", &[1, 12, 24]),
        written("t.h5md", "h5md/running.h5md", 3, &[1, 100, 2160]),
        Cut { name: "t.npy", content: npy("<f4", "(3, 2, 3)", &numbers), frames: 3, lost: vec![1, 12, 24] },
    ]
}

#[test]
fn an_incomplete_last_frame_is_left_out_with_a_note() {
    let folder = Folder::new();
    for Cut { name, content, frames, lost } in trajectories() {
        let whole = describe(folder.file(name, &content), &LoadOptions::default()).expect(name);
        assert_eq!(whole.sources[0].models, frames, "{name}");
        assert!(whole.notes.iter().all(|note| !note.contains("incomplete")), "{name}: {:?}", whole.notes);
        let last_whole = centers(&folder.spheres(name, &content, &overrides(|o| o.frame = Some(frames as i64 - 2))));
        for lost in lost {
            let cut = &content[..content.len() - lost];
            let path = folder.file(name, cut);
            let found =
                describe(&path, &LoadOptions::default()).unwrap_or_else(|error| panic!("{name} less {lost}: {error}"));
            assert_eq!(found.sources[0].models, frames - 1, "{name} less {lost}");
            let is_noted = |notes: &[String]| {
                notes
                    .iter()
                    .any(|note| note.contains(&format!("frame {}, the last, is incomplete and left out: ", frames - 1)))
            };
            assert!(is_noted(&found.notes), "{name} less {lost}: {:?}", found.notes);
            let last = overrides(|o| o.frame = Some(-1));
            assert!(is_noted(&load(&path, &last).expect(name).notes), "{name} less {lost}");
            if name != "t.npy" {
                let all = load_several(std::slice::from_ref(&path), &FrameChoice::All, &LoadOptions::default());
                let notes = all.expect(name).notes;
                assert!(is_noted(&notes), "{name} less {lost}: {notes:?}");
            }
            assert_eq!(centers(&folder.spheres(name, cut, &last)), last_whole, "{name} less {lost}");
            let message = folder.refusal_with(name, cut, &overrides(|o| o.frame = Some(frames as i64 - 1)));
            assert!(message.starts_with("frame "), "{name} less {lost}: {message}");
            assert!(message.contains("incomplete: "), "{name} less {lost}: {message}");
        }
    }
}

#[test]
fn a_frame_of_h5md_without_its_step_is_left_out() {
    let found = describe(Folder::new().file("begun.h5md", sample("h5md/begun.h5md")), &LoadOptions::default());
    let found = found.expect("two frames");
    assert_eq!(found.sources[0].models, 2);
    assert!(found.notes.iter().any(|note| note.contains("frame 2, the last, is incomplete")), "{:?}", found.notes);
}

#[test]
fn frames_of_h5md_that_were_never_written_are_left_out() {
    let folder = Folder::new();
    let described = |name: &str| {
        let found = describe(folder.file(name, sample(&format!("h5md/{name}"))), &LoadOptions::default()).expect(name);
        (found.sources[0].models, found.notes.join("\n"))
    };
    // room for four frames, the last two of which are zeros
    let (frames, notes) = described("room.h5md");
    assert_eq!(frames, 2, "{notes}");
    assert!(notes.contains("frames 2 to 3, the last, are incomplete and left out: 4 frames are promised, and 2 are"));
    let last = overrides(|o| o.frame = Some(-1));
    let places = centers(&folder.spheres("room.h5md", sample("h5md/room.h5md"), &last));
    assert_eq!(places, [[0.0, 0.0, 1.0], [1.0, 0.0, 1.0], [2.0, 0.0, 1.0]]);
    let third = overrides(|o| o.frame = Some(2));
    assert!(
        folder.refusal_with("room.h5md", sample("h5md/room.h5md"), &third).contains("2 of room.h5md is incomplete")
    );
    // a chunk of eight frames, the last of which have the fill value -1
    assert_eq!(described("chunk.h5md").0, 3);
    // one particle that rests where zeros are
    let (frames, notes) = described("single.h5md");
    assert!(frames == 3 && !notes.contains("incomplete"), "{frames}: {notes}");
    let message = folder.refusal("none.h5md", sample("h5md/none.h5md"));
    assert!(message.contains("3 frames are promised, and none is written"), "{message}");
    // room for one frame of three particles
    let message = folder.refusal("blank.h5md", sample("h5md/blank.h5md"));
    assert!(message.contains("one frame is promised, and none is written"), "{message}");
}

#[test]
fn an_only_model_that_the_file_cuts_off_is_noted() {
    let folder = Folder::new();
    let notes =
        |text: &str| load(folder.file("one.pdb", text), &LoadOptions::default()).expect("atoms").notes.join("\n");
    let whole = pdb_frame(0);
    let note = "the file ends within its only model";
    assert!(!notes(&whole).contains(note) && !notes(&whole.replace("ENDMDL", "END")).contains(note));
    assert!(notes(&whole.replace("ENDMDL\n", "")).contains(note));
    // a file without models may end anywhere
    assert!(!notes(&whole.replace("MODEL        1\n", "").replace("ENDMDL\n", "")).contains(note));
}

#[test]
fn empty_lines_behind_the_last_molecule_are_no_molecule() {
    let folder = Folder::new();
    let found = describe(folder.file("t.sdf", sdf_frame(0) + "\n\n\n\n\n"), &LoadOptions::default()).expect("atoms");
    assert_eq!((found.sources[0].models, found.notes.join("\n").contains("incomplete")), (1, false));
}

#[test]
fn records_of_netcdf_that_were_never_written_are_left_out() {
    const RECORD: usize = 124;
    let folder = Folder::new();
    // a fill value, and a hole
    for number in [0x7cf0_0000_u32, 0] {
        let numbers = number.to_be_bytes().repeat(RECORD / 4);
        let mut content = sample("netcdf/water.nc");
        content[7] = 4;
        content.extend([&numbers[..], &numbers].concat());
        let found = describe(folder.file("t.nc", &content), &LoadOptions::default()).expect("two frames");
        assert_eq!(found.sources[0].models, 2);
        let note = "frames 2 to 3, the last, are incomplete and left out: 4 frames are promised, and 2 are whole";
        assert!(found.notes.iter().any(|found| found.contains(note)), "{:?}", found.notes);
        let written = content.len() - 4 * RECORD;
        content[written..].copy_from_slice(&numbers.repeat(4));
        let message = folder.refusal("none.nc", &content);
        assert!(message.contains("4 frames are promised, and none is written"), "{message}");
    }
}

#[test]
fn a_last_line_without_its_end_may_be_whole() {
    let folder = Folder::new();
    for Cut { name, content, frames, .. } in trajectories() {
        if content.last() == Some(&b'\n') && name != "t.pdb" {
            assert_eq!(folder.source(name, &content[..content.len() - 1]).models, frames, "{name}");
        }
    }
    // models may differ, and the record at the end of the last may be missing
    let models = pdb_frame(0) + &pdb_frame(1).replace("ENDMDL\n", "");
    assert_eq!(folder.source("models.pdb", models).models, 2);
    let apart = "ATOM      1  CA  ALA A   1       0.000   0.000   0.000  1.00  0.00           C\n";
    assert_eq!(folder.source("two.pdb", format!("{apart}{apart}END\n{apart}")).models, 2, "no trajectory");
}

#[test]
fn a_cut_number_of_a_model_is_no_model() {
    let folder = Folder::new();
    let run: String = (0..12).map(cif_frame).collect();
    // the last atom of model 12 seems to be of model 1
    let cut = &run[..run.len() - 2];
    let source = folder.source("run.cif", cut);
    assert_eq!((source.models, source.records), (11, 2));
    assert_eq!(folder.source("run.cif", &run).models, 12);
    // models of different lengths are whole
    let shorter = cif_frame(0) + &cif_frame(1) + &cif_frame(2)[..cif_frame(2).len() / 2];
    let ended = shorter.clone() + "#\n";
    assert_eq!([&shorter, &ended].map(|run| folder.source("short.cif", run).models), [2, 3]);
    let longer = cif_frame(0) + "ATOM 3 C 5.0 5.0 5.0 1\n" + &cif_frame(1) + &cif_frame(2)[..cif_frame(2).len() / 2];
    assert_eq!(folder.source("long.cif", longer).models, 3);
}

#[test]
fn the_only_frame_is_read_whole_or_not_at_all() {
    let folder = Folder::new();
    assert!(folder.refusal("one.xyz", "3\n\nC 0 0 0\nC 1 0 0\n").contains("the file ends after 2"));
    let cut = cif_frame(0);
    let message = folder.refusal("one.cif", &cut[..cut.len() - 8]);
    assert!(message.contains("must have 7 values in a row, got 5"), "{message}");
}

#[test]
fn frames_without_atoms_are_empty_pictures() {
    let folder = Folder::new();
    let head = |step: u32, atoms: u32| {
        format!(
            "ITEM: TIMESTEP\n{step}\nITEM: NUMBER OF ATOMS\n{atoms}\nITEM: BOX BOUNDS pp pp pp\n0 4\n0 4\n0 4\nITEM: ATOMS id type x y z radius\n"
        )
    };
    let pour = head(0, 0) + &head(500, 1) + "1 1 2 2 2 0.5\n";
    let lattice = "Lattice=\"4 0 0 0 4 0 0 0 4\" Properties=species:S:1:pos:R:3";
    for (name, content) in [
        ("pour.dump", pour),
        ("pour.xyz", format!("0\n{lattice}\n1\n{lattice}\nC 2 2 2\n")),
        ("pour.gro", format!("empty t= 0\n0\n   3.0 3.0 3.0\n{}", gro_frame(1))),
        ("pour.pdb", format!("MODEL        1\nENDMDL\n{}", pdb_frame(1))),
    ] {
        let path = folder.file(name, &content);
        let Scene::Spheres(empty) = load(&path, &LoadOptions::default()).expect(name).scene else { panic!("{name}") };
        assert!(centers(&empty).is_empty(), "{name}");
        assert_eq!(describe(&path, &LoadOptions::default()).expect(name).sources[0].models, 2, "{name}");
        assert!(!centers(&folder.spheres(name, &content, &overrides(|o| o.frame = Some(1)))).is_empty(), "{name}");
    }
}
