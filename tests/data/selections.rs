//! Selections: which rows are drawn, hidden and highlighted, on the command line and in scenes alike.

use crate::files::{Folder, color, only_circles, only_spheres, overrides, spheres};
use roundel::io::{LoadOptions, describe, load, read_record};
use roundel::spheres::SphereScene;

/// A residue, water near it and water far away, an ion.
const WET: &str = "\
ATOM      1  N   ALA A   1       0.000   0.000   0.000  1.00 10.00           N
ATOM      2  CA  ALA A   1       1.500   0.000   0.000  1.00 20.00           C
ATOM      3  HA  ALA A   1       1.500   1.000   0.000  1.00 30.00           H
HETATM    4  O   HOH A 101       3.500   0.000   0.000  1.00 40.00           O
HETATM    5  O   HOH A 102      30.000   0.000   0.000  1.00 50.00           O
HETATM    6 NA    NA B   1       0.000   9.000   0.000  1.00 60.00          NA
";

/// The x coordinates of the drawn spheres.
fn places(scene: &SphereScene<'_>) -> Vec<f32> {
    only_spheres(scene).iter().map(|sphere| sphere.center[0]).collect()
}

#[test]
fn only_and_hide_keep_the_atoms_that_they_say() {
    let folder = Folder::new();
    let only = |text: &str| places(&folder.spheres("w.pdb", WET, &overrides(|o| o.only = Some(text.into()))));
    let hide = |text: &str| places(&folder.spheres("w.pdb", WET, &overrides(|o| o.hide = Some(text.into()))));
    assert_eq!(only("protein"), [0.0, 1.5, 1.5]);
    assert_eq!(only("protein and not hydrogen"), [0.0, 1.5]);
    assert_eq!(only("name CA"), [1.5]);
    assert_eq!(only("resid 101:102 or ion"), [3.5, 30.0, 0.0]);
    assert_eq!(only("chain B"), [0.0]);
    assert_eq!(only("b_factor >= 40 and water"), [3.5, 30.0]);
    assert_eq!(only("within 2.5 of protein"), [0.0, 1.5, 1.5, 3.5]);
    assert_eq!(only("element na"), [0.0], "elements in any case");
    assert_eq!(hide("element C H"), [0.0, 0.0], "water stays hidden");
    assert_eq!(
        hide("element C H or resname HOH and resid 101"),
        [0.0, 30.0, 0.0],
        "unless the selection is about water"
    );
    let both = overrides(|o| (o.only, o.hide) = (Some("water".into()), Some("resid 102".into())));
    assert_eq!(places(&folder.spheres("w.pdb", WET, &both)), [3.5]);
}

#[test]
fn water_beside_a_molecule_is_hidden_and_said_so() {
    let folder = Folder::new();
    let path = folder.file("w.pdb", WET);
    let notes = |overrides: &LoadOptions| load(&path, overrides).expect("a molecule").notes;
    assert_eq!(places(&folder.spheres("w.pdb", WET, &LoadOptions::default())), [0.0, 1.5, 1.5, 0.0]);
    let found = notes(&LoadOptions::default());
    assert!(
        found.len() == 1
            && found[0].ends_with("2 atoms of water are not drawn beside the molecule; --hide none draws all water")
    );
    let none = overrides(|o| o.hide = Some("none".into()));
    assert_eq!((places(&folder.spheres("w.pdb", WET, &none)).len(), notes(&none).len()), (6, 0));
    let description = describe(&path, &LoadOptions::default()).expect("a molecule");
    assert_eq!((description.sources[0].records, description.spheres), (6, 4));
    let water: String = WET.lines().filter(|line| line.contains("HOH")).map(|line| format!("{line}\n")).collect();
    assert_eq!(places(&folder.spheres("o.pdb", water, &LoadOptions::default())), [3.5, 30.0], "nothing else is there");
}

#[test]
fn highlights_color_what_is_drawn() {
    let folder = Folder::new();
    let marked = overrides(|o| {
        o.hide = Some("name CA".into());
        o.highlight = vec![("protein".into(), color("#ff00ff")), ("hydrogen".into(), color("#00ff00"))];
    });
    let spheres = only_spheres(&folder.spheres("w.pdb", WET, &marked));
    let colors: Vec<_> = spheres.iter().map(|sphere| sphere.color).collect();
    let expected = ["#ff00ff", "#00ff00", "#e69f00"];
    assert_eq!(colors, expected.map(color), "the last highlight counts");
    let table = overrides(|o| {
        o.only = Some("people > 5".into());
        o.highlight = vec![("state NY".into(), color("#123456"))];
    });
    let circles = only_circles(&folder.circles("t.csv", "x,y,people,state\n1,2,9,NY\n3,4,2,NY\n5,6,7,CA\n", &table));
    assert_eq!((circles.len(), circles[0].color), (2, color("#123456")));
    assert_ne!(circles[1].color, color("#123456"));
}

#[test]
fn values_that_later_ones_replace_are_noted() {
    let folder = Folder::new();
    let path = folder.file("w.pdb", WET);
    let notes = |set: &dyn Fn(&mut LoadOptions)| {
        let mut options = overrides(|o| o.hide = Some("none".into()));
        set(&mut options);
        load(&path, &options).expect("a molecule").notes
    };
    let highlight = |first: &str, second: &str| {
        notes(&|o| o.highlight = vec![(first.into(), color("red")), (second.into(), color("blue"))])
    };
    let replaced = highlight("hydrogen", "protein");
    let expected = "w.pdb: --highlight #ff0000 of a selection changes nothing: later ones select all of its rows";
    assert!(matches!(&replaced[..], [note] if note.ends_with(expected)), "{replaced:?}");
    assert_eq!(highlight("protein", "hydrogen"), Vec::<String>::new());
    let opacity = |first: Option<&str>, second: Option<&str>| {
        let part = |of: Option<&str>| of.map(str::to_owned);
        notes(&|o| o.opacity = vec![(part(first), 0.5), (part(second), 0.2)])
    };
    let replaced = opacity(Some("water"), None);
    assert!(matches!(&replaced[..], [note] if note.contains("--opacity 0.5 of a selection changes")), "{replaced:?}");
    let replaced = opacity(None, Some("resid 1:200"));
    assert!(matches!(&replaced[..], [note] if note.contains("--opacity 0.5 changes nothing: later")), "{replaced:?}");
    assert_eq!(opacity(None, Some("water")), Vec::<String>::new());
    let gloss = |first: &str, second: &str| {
        let gloss = |text: &str| text.parse().expect("a gloss");
        notes(&|o| o.gloss = vec![(Some(first.into()), gloss("0.5")), (Some(second.into()), gloss("0.8"))])
    };
    assert!(gloss("name CA", "chain A").iter().any(|note| note.contains("--gloss")));
}

#[test]
fn hidden_hydrogen_does_not_bring_water_back() {
    let folder = Folder::new();
    let path = folder.file("w.pdb", WET);
    let hydrogen = overrides(|o| o.hide = Some("hydrogen".into()));
    assert_eq!(places(&folder.spheres("w.pdb", WET, &hydrogen)), [0.0, 1.5, 0.0]);
    let notes = load(&path, &hydrogen).expect("a molecule").notes;
    assert!(notes.len() == 1 && notes[0].contains("2 atoms of water are not drawn"), "{notes:?}");
    let scene = describe(&path, &hydrogen).expect("a molecule").scene.expect("a scene").to_string();
    assert_eq!(
        places(&folder.spheres("s.json", scene, &LoadOptions::default())),
        [0.0, 1.5, 0.0],
        "as the scene file says"
    );
}

#[test]
fn coordinates_and_index_select_in_files_of_every_format() {
    let folder = Folder::new();
    let only = |name: &str, text: &str, only: &str| {
        places(&folder.spheres(name, text, &overrides(|o| o.only = Some(only.into()))))
    };
    assert_eq!(only("w.pdb", WET, "x > 1 and x < 4"), [1.5, 1.5, 3.5]);
    assert_eq!(only("w.pdb", WET, "y 1:9"), [1.5, 0.0]);
    assert_eq!(only("w.pdb", WET, "index 0 5"), [0.0, 0.0]);
    assert_eq!(only("w.pdb", WET, "within 2 of z = 0 and index < 1"), [0.0]);
    let dump = "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n3\nITEM: BOX BOUNDS pp pp pp\n0 10\n0 10\n0 10\n\
                ITEM: ATOMS id type xs ys zs\n1 1 0.1 0 0.1\n2 1 0.2 0 0.5\n3 1 0.3 0 0.9\n";
    assert_eq!(only("s.dump", dump, "z > 4"), [2.0, 3.0], "of scaled coordinates the true ones count");
    assert_eq!(only("t.xyz", "2\n\nO 1 0 0\nH 2 0 0\n", "x = 2"), [2.0]);
    let table = "lon,lat,n\n5,50,1\n7,51,2\n";
    let east = overrides(|o| o.only = Some("x > 6".into()));
    assert_eq!(only_circles(&folder.circles("t.csv", table, &east)).len(), 1);
    let flat = folder.refusal_with("t.csv", table, &overrides(|o| o.only = Some("z > 6".into())));
    assert!(flat.contains("must name columns of t.csv, got \"z\""), "{flat}");
    let bonded = folder.refusal_with("w.pdb", WET, &overrides(|o| o.only = Some("bonded to name CA".into())));
    assert!(bonded.contains("got \"bonded\"; near other atoms is written within 2 of"), "{bonded}");
}

#[test]
fn or_among_values_is_told_to_be_quoted() {
    let folder = Folder::new();
    let table = "x,y,state\n1,2,CA\n3,4,OR\n5,6,WA\n";
    let only = |text: &str| overrides(|o| o.only = Some(text.into()));
    for text in ["state CA OR WA", "state CA OR WA NV", "x > 0 and (state CA OR WA NV)"] {
        let message = folder.refusal_with("t.csv", table, &only(text));
        assert!(message.contains("or joins two conditions") && message.contains("quoted, 'OR'"), "{text}: {message}");
    }
    assert_eq!(only_circles(&folder.circles("t.csv", table, &only("state CA 'OR'"))).len(), 2);
}

#[test]
fn values_joined_as_elsewhere_are_spelled_out() {
    let folder = Folder::new();
    let refusal = |text: &str| folder.refusal_with("w.pdb", WET, &overrides(|o| o.only = Some(text.into())));
    for (text, hint) in [
        ("name CA and resid 1,101", "; as values it is written resid 1 101"),
        ("resid 1+101-102", "; as values it is written resid 1 101:102"),
        ("resid 1-5", "; as values it is written resid 1:5"),
        ("resid 1-x", "\"1-x\""),
        ("chain A,B", "no row has chain A,B; as values it is written chain A B (there are A, B)"),
        ("name CA+N", "as values it is written name CA N"),
    ] {
        let message = refusal(text);
        assert!(message.contains(hint) && !message.contains("joins"), "{text}: {message}");
    }
    assert!(!refusal("chain A,C").contains("written"), "there is no C");
}

#[test]
fn picked_shapes_lead_to_their_rows_past_those_left_out() {
    let folder = Folder::new();
    let path = folder.file("w.pdb", WET);
    let serial = |overrides: &LoadOptions, index| {
        let record = read_record(&path, overrides, index).expect("a molecule");
        record.into_iter().find(|(name, _)| name == "serial").map(|(_, value)| value)
    };
    assert_eq!(serial(&LoadOptions::default(), 3).as_deref(), Some("6"), "water is hidden");
    let only = overrides(|o| o.only = Some("not element N and not ion".into()));
    assert_eq!([0, 3].map(|index| serial(&only, index)), [Some("2".to_owned()), Some("5".to_owned())]);
    assert_eq!(serial(&only, 4), None);
}

#[test]
fn scenes_select_as_the_command_line_does() {
    let folder = Folder::new();
    folder.file("w.pdb", WET);
    let scene = "[[spheres]]\nfile = \"w.pdb\"\nonly = \"protein or ion\"\nhide = \"hydrogen\"\n\
                 highlight = [{ select = \"ion\", color = \"#010203\" }]\n";
    let spheres = only_spheres(&folder.spheres("s.toml", scene, &LoadOptions::default()));
    assert_eq!((spheres.len(), spheres[2].color), (3, color("#010203")));
    let all = folder.spheres("s.toml", "[[spheres]]\nfile = \"w.pdb\"\n", &LoadOptions::default());
    assert_eq!(only_spheres(&all).len(), 6, "scenes hide nothing of themselves");
    let refusal = |line: &str| folder.refusal("s.toml", format!("[[spheres]]\nfile = \"w.pdb\"\n{line}\n"));
    assert_eq!(
        refusal("only = \"chain\""),
        "s.toml:3: spheres[0].only \"chain\", column 6: expected values such as A, 7 or 10:20, or a comparison such as > 5, \
         after \"chain\", got the end; kinds of atoms are protein, nucleic, polymer, water, ion, ligand, lipid, hydrogen, metal, \
         backbone, sidechain, helix, sheet"
    );
    assert_eq!(
        refusal("hide = \"chan A\"").split(" (").next(),
        Some("s.toml:3: spheres[0].hide must name columns of w.pdb, got \"chan\"; did you mean \"chain\"?")
    );
}

#[test]
fn names_that_no_row_has_and_empty_highlights_are_noted() {
    let folder = Folder::new();
    let path = folder.file("w.pdb", WET);
    let notes = |change: &dyn Fn(&mut LoadOptions)| -> Vec<String> {
        let loaded = load(&path, &overrides(|o| change(o))).expect("a molecule");
        let cut = |note: &String| note.rsplit("w.pdb: ").next().unwrap_or_default().to_owned();
        loaded.notes.iter().map(cut).collect()
    };
    let only = |text: &str| notes(&|o| o.only = Some(text.to_owned()));
    assert_eq!(only("chain A nad B wter"), ["no row has chain nad, wter (there are A, B)"]);
    assert_eq!(only("element na or name C*"), Vec::<String>::new(), "elements in any case, and patterns");
    let highlight = |text: &str| {
        notes(&|o| (o.hide, o.highlight) = (Some("none".to_owned()), vec![(text.to_owned(), color("#ff00ff"))]))
    };
    assert_eq!(highlight("resname ALE"), ["no row has resname ALE (there are ALA, HOH, NA)"]);
    assert_eq!(highlight("resid 5000"), ["the selection of highlight #ff00ff has no row that is drawn"]);
    assert_eq!(highlight("resid 1"), Vec::<String>::new());
    let hide = |text: &str| notes(&|o| o.hide = Some(text.to_owned()));
    assert_eq!(hide("resid 5000")[0], "--hide changes nothing: it selects no row");
    assert_eq!(hide("none"), Vec::<String>::new());
    assert!(hide("resname NA").iter().all(|note| !note.contains("changes nothing")));
}

#[test]
fn ligands_are_what_is_neither_polymer_water_nor_ion() {
    let folder = Folder::new();
    let ligand = "HETATM    7  C1  RET A 201       7.000   0.000   0.000  1.00 60.00           C\n";
    let drawn = |only: &str| {
        places(&folder.spheres("l.pdb", format!("{WET}{ligand}"), &overrides(|o| o.only = Some(only.into()))))
    };
    assert_eq!((drawn("ligand"), drawn("Ligands")), (vec![7.0], vec![7.0]));
    assert_eq!(drawn("not (polymer or water or ion)"), [7.0]);
}

#[test]
fn selection_mistakes_are_named() {
    let folder = Folder::new();
    let with = |name: &str, text: &str, only: &str| {
        folder.refusal_with(name, text, &overrides(|o| o.only = Some(only.into())))
    };
    let table = "x,y,people\n1,2,3\n";
    for (name, text, only, expected) in [
        (
            "t.csv",
            table,
            "people >",
            "only \"people >\", column 9: expected a number, a column or a bracket, got the end",
        ),
        ("t.csv", table, "water", "only water needs a column resname, which t.csv does not have"),
        ("t.csv", table, "people many", "only must have numbers, or ranges such as 10:20, for people, got \"many\""),
        ("w.pdb", WET, "chain > 3", "only compares chain, which has names, with a number"),
        ("w.pdb", WET, "name 1:2", "only must have names for name, got 1:2"),
        ("w.pdb", WET, "chain Z", "w.pdb: the selection leaves nothing to draw; no row has chain Z (there are A, B)"),
        ("w.pdb", WET, "protein and water", "w.pdb: the selection leaves nothing to draw"),
    ] {
        assert_eq!(with(name, text, only), expected);
    }
    let scene = folder.refusal_with("s.toml", "[canvas]\n", &overrides(|o| o.only = Some("all".into())));
    assert!(scene.starts_with("only is for bare data"), "{scene}");
}

#[test]
fn opacity_is_that_of_the_last_selection_which_holds_a_row() {
    let folder = Folder::new();
    let alphas = |change: &dyn Fn(&mut LoadOptions)| -> Vec<u8> {
        let scene = folder.spheres("w.pdb", WET, &overrides(|o| change(o)));
        only_spheres(&scene).iter().map(|sphere| sphere.color.a).collect()
    };
    let all = |value: f32| (None, value);
    let of = |rows: &str, value: f32| (Some(rows.to_owned()), value);
    assert_eq!(alphas(&|_| {}), [255; 4]);
    assert_eq!(alphas(&|o| o.opacity = vec![all(0.2)]), [51; 4]);
    assert_eq!(alphas(&|o| o.opacity = vec![all(0.2), of("element N", 1.0)]), [255, 51, 51, 51]);
    assert_eq!(alphas(&|o| o.opacity = vec![of("element N", 1.0), all(0.2)]), [51; 4], "the last one counts");
    assert_eq!(alphas(&|o| o.opacity = vec![of("chain A", 0.4), of("name HA", 0.6)]), [102, 102, 153, 255]);
    let gold = || ("element C".to_owned(), "gold".parse().expect("a colour"));
    let ghost = || ("element H".to_owned(), "#0000ff20".parse().expect("a colour"));
    assert_eq!(alphas(&|o| (o.opacity, o.highlight) = (vec![all(0.2)], vec![gold()])), [51, 255, 51, 51]);
    assert_eq!(alphas(&|o| o.highlight = vec![ghost()]), [255, 255, 32, 255]);
    let chosen = vec![all(0.2), of("element C", 0.4)];
    assert_eq!(alphas(&|o| (o.opacity, o.highlight) = (chosen.clone(), vec![gold()])), [51, 102, 51, 51]);
    assert_eq!(alphas(&|o| o.opacity_by = Some("occupancy".into())), [255; 4]);
    let refused = |change: &dyn Fn(&mut LoadOptions)| {
        load(folder.file("w.pdb", WET), &overrides(|o| change(o))).expect_err("refused").to_string()
    };
    assert_eq!(refused(&|o| o.opacity = vec![all(1.5)]), "opacity must be 0 to 1, got 1.5");
    let message = refused(&|o| o.opacity_by = Some("ocupancy".into()));
    assert!(message.contains("must be a column of") && message.contains("occupancy"), "{message}");
    let notes =
        load(folder.file("w.pdb", WET), &overrides(|o| o.opacity_by = Some("b_factor".into()))).expect("ok").notes;
    assert!(
        notes.iter().any(|note| note.contains("4 rows have an opacity that is missing or not from 0 to 1")),
        "{notes:?}"
    );
}

#[test]
fn scenes_say_opacities_of_files_and_of_single_spheres() {
    let folder = Folder::new();
    folder.file("w.pdb", WET);
    let alphas = |text: &str, o: &LoadOptions| -> Vec<u8> {
        let path = folder.file("scene.toml", text);
        let scene = spheres(&path, o);
        scene.groups.iter().flat_map(|group| group.spheres.iter().map(|sphere| sphere.color.a)).collect()
    };
    let single = "[[sphere]]\ncenter = [0, 0, 0]\nradius = 1\ncolor = '#ff000080'\n[[sphere]]\ncenter = [0, 0, 0]\nradius = 1\nopacity = 0.2\n";
    let own = LoadOptions::default();
    assert_eq!(alphas(single, &own), [128, 51]);
    let file = "[render]\ntransparency = 'solid'\n[[spheres]]\nfile = 'w.pdb'\nonly = 'protein'\n";
    assert_eq!(alphas(&format!("{file}opacity = 0.4\n"), &own), [102; 3]);
    let list = "opacity = [{ select = 'all', opacity = 0.2 }, { select = 'element N', opacity = 1 }]\n";
    assert_eq!(alphas(&format!("{file}{list}"), &own), [255, 51, 51]);
    assert_eq!(alphas(single, &overrides(|o| o.opacity = vec![(None, 1.0)])), [255, 255]);
    let path = folder.file("scene.toml", single);
    let error =
        load(&path, &overrides(|o| o.opacity = vec![(Some("all".into()), 1.0)])).expect_err("refused").to_string();
    assert!(error.starts_with("opacity of a selection is for bare data"), "{error}");
}

#[test]
fn whole_residues_are_selected_by_any_of_their_atoms() {
    let folder = Folder::new();
    let only = |text: &str| places(&folder.spheres("w.pdb", WET, &overrides(|o| o.only = Some(text.into()))));
    assert_eq!(only("byres name HA"), [0.0, 1.5, 1.5]);
    assert_eq!(only("byres (within 2.1 of resid 101)"), [0.0, 1.5, 1.5, 3.5]);
    assert_eq!(only("same residue as x = 3.5 or same chain as ion"), [3.5, 0.0]);
    assert_eq!(only("backbone"), [0.0, 1.5]);
    assert_eq!(only("sidechain"), [1.5]);
    assert_eq!(only("metal"), [0.0]);
    assert_eq!(only("first 2"), [0.0, 1.5]);
    let gro = "two residues of the same number\n4\n    1ALA     CA    1   0.000   0.000   0.000\n    2ALA     CA    2   \
               1.000   0.000   0.000\n    1ALA     CB    3   2.000   0.000   0.000\n    1ALA     CA    4   3.000   0.000   \
               0.000\n   5.0 5.0 5.0\n";
    let found = places(&folder.spheres("r.gro", gro, &overrides(|o| o.only = Some("byres name CB".into()))));
    assert_eq!(found, [20.0, 30.0], "numbers that start again are other residues");
    let message = folder.refusal_with("t.xyz", "1\n\nO 1 0 0\n", &overrides(|o| o.only = Some("byres x > 0".into())));
    assert!(message.contains("byres needs a column resid") && message.contains("same COLUMN as"), "{message}");
}

#[test]
fn comparisons_compute() {
    let folder = Folder::new();
    let table = "x,y,vx,vy,T-eff,my mass\n1,2,1,0,10,3\n3,4,2,2,20,4\n5,6,-3,0,30,5\n";
    let count =
        |text: &str| only_circles(&folder.circles("t.csv", table, &overrides(|o| o.only = Some(text.into())))).len();
    for (text, rows) in [
        ("vx^2+vy^2 > 4", 2),
        ("abs(x - 3) < 2", 1),
        ("sqrt(vx^2 + vy^2) >= 3", 1),
        ("T-eff > 10", 2),
        ("'my mass' * 2 = 8", 1),
        ("(x + y) / 2 < 4 and not vx > 1", 1),
        ("vx > vy", 1),
    ] {
        assert_eq!(count(text), rows, "{text}");
    }
    let refused = |text: &str| folder.refusal_with("t.csv", table, &overrides(|o| o.only = Some(text.into())));
    assert!(refused("vx^2 + > 4").contains("column 8: expected a number, a column or a bracket, got \">\""));
    assert!(refused("vq^2 > 4").contains("must name columns of t.csv, got \"vq\""), "{}", refused("vq^2 > 4"));
    assert!(refused("sine(x) > 4").contains("expected one of the functions abs, sqrt"), "{}", refused("sine(x) > 4"));
}
