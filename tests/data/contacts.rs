//! Contacts, hydrogen bonds and tubes of files: from options, from scenes, in assemblies, boxes and films.

use crate::files::{Folder, drawn, overrides};
use roundel::io::{
    ContactRule, ContactsWith, FrameChoice, HydrogenBondRule, LegendChoice, LoadOptions, LoadedScene, MoleculeStyle,
    load, load_grid, load_several,
};
use roundel::spheres::SphereScene;
use roundel::{Frame, RenderSettings, Renderer, Scene, Srgba8};

/// A carbonyl and an amine whose hydrogen points to its oxygen, 2 Å away, and a carbon 3.6 Å behind the nitrogen.
const PAIR: &str = "\
HETATM    1  C1  FOR A   1      -1.230   0.000   0.000  1.00  0.00           C
HETATM    2  O1  FOR A   1       0.000   0.000   0.000  1.00  0.00           O
HETATM    3  H1  AMM B   2       2.000   0.000   0.000  1.00  0.00           H
HETATM    4  N1  AMM B   2       3.000   0.000   0.000  1.00  0.00           N
HETATM    5  C2  MET C   3       6.600   0.000   0.000  1.00  0.00           C
END
";

/// Alanines of chain A along x, without the third, and of chain B beside them; a glycerol.
fn chains() -> String {
    let atom = |serial: usize, name: &str, residue: &str, chain: char, number: usize, place: [f64; 3], b: f64| {
        let [x, y, z] = place;
        let record = if residue == "GOL" { "HETATM" } else { "ATOM  " };
        format!(
            "{record}{serial:5}  {name:<3} {residue} {chain}{number:4}    {x:8.3}{y:8.3}{z:8.3}  1.00{b:6.2}           C\n"
        )
    };
    let residue = |chain: char, number: usize, y: f64| {
        let x = 3.8 * number as f64;
        let ca = atom(2 * number, "CA", "ALA", chain, number, [x, y, 0.0], 4.0 + number as f64);
        ca + &atom(2 * number + 1, "CB", "ALA", chain, number, [x, y + 1.5, 0.0], 1.0)
    };
    let a: String = [1, 2, 4, 5].map(|number| residue('A', number, 0.0)).concat();
    let b: String = [1, 2, 3].map(|number| residue('B', number, 9.0)).concat();
    format!("{a}{b}{}", atom(99, "CA", "GOL", 'C', 1, [3.8, 4.0, 5.0], 1.0))
}

fn spheres<'a>(loaded: &'a LoadedScene<'static>) -> &'a SphereScene<'static> {
    let Scene::Spheres(scene) = &loaded.scene else { panic!("circles") };
    scene
}

fn cylinders(loaded: &LoadedScene<'static>) -> usize {
    let groups = &spheres(loaded).shapes.cylinders;
    groups.iter().map(|group| group.shapes.len() * group.poses.len()).sum()
}

fn contacts(of: &str, with: &str, rule: ContactRule) -> LoadOptions {
    overrides(|o| {
        o.style = vec![(None, MoleculeStyle::BallAndStick)];
        o.contacts = vec![(of.to_owned(), ContactsWith { select: with.to_owned(), rule })];
        o.figure.legend = Some(LegendChoice::ON);
    })
}

fn note(loaded: &LoadedScene<'static>, text: &str) -> bool {
    loaded.notes.iter().any(|note| note.ends_with(text))
}

#[test]
fn contacts_are_lines_labels_a_legend_and_a_note() {
    let folder = Folder::new();
    let pair = folder.file("pair.pdb", PAIR);
    let loaded = load(&pair, &contacts("chain A", "chain B", ContactRule::default())).expect("a picture");
    // C to H and N, O to H and N; three bonds at most join none of them
    assert!(note(&loaded, "pair.pdb: 3 contacts within 4 Å"), "{:?}", loaded.notes);
    let texts: Vec<&str> = loaded.figure.labels.iter().map(|label| label.text.as_str()).collect();
    assert_eq!(texts, ["3.2 Å", "2.0 Å", "3.0 Å"]);
    let near = load(&pair, &contacts("chain A", "chain B", ContactRule::Distance(2.5))).expect("a picture");
    assert!(note(&near, "1 contact within 2.5 Å"), "{:?}", near.notes);
    assert!(cylinders(&near) < cylinders(&loaded));
    let none = load(&pair, &contacts("chain C", "chain A", ContactRule::default())).expect("a picture");
    assert!(note(&none, "no contacts within 4 Å between rows that are drawn") && none.figure.labels.is_empty());
}

#[test]
fn contacts_in_front_of_the_focus_are_neither_labelled_nor_counted() {
    let folder = Folder::new();
    // a ligand, a residue in front of it, and an atom at its side
    let text = "\
HETATM    1  C1  LIG A   1       0.000   0.000   0.000  1.00  0.00           C
ATOM      2  N   GLY A   2       0.000   0.000   5.000  1.00  0.00           N
ATOM      3  N   ALA A   3       6.000   0.000   0.300  1.00  0.00           N
";
    let file = folder.file("front.pdb", text);
    let mut options = contacts("ligand", "protein", ContactRule::Distance(7.0));
    options.figure.legend = Some(LegendChoice::COUNTS);
    (options.focus, options.focus_margin) = (Some("ligand".into()), Some(9.0));
    options.view = Some("front".parse().expect("a side"));
    let loaded = load(&file, &options).expect("a picture");
    let texts: Vec<&str> = loaded.figure.labels.iter().map(|label| label.text.as_str()).collect();
    assert_eq!(texts, ["6.0 Å"]);
    assert!(note(&loaded, "front.pdb: 1 contact within 7 Å"), "{:?}", loaded.notes);
    let legend = format!("{:?}", loaded.figure.legend);
    assert!(legend.contains("name: \"contacts\"") && legend.contains("count: 1"), "{legend}");
    // panels leave out what is in front of the focus from their own side
    (options.view, options.views) = (None, ["front", "right"].map(|side| side.parse().expect("a side")).to_vec());
    options.figure.grid = Some("2x1".parse().expect("a grid"));
    (options.figure.legend, options.width) = (Some(LegendChoice::Off), Some(240));
    let drawn = |only: &str| {
        let options = LoadOptions { only: Some(only.into()), ..options.clone() };
        let grid = load_grid(std::slice::from_ref(&file), &FrameChoice::One, &options).expect("two panels");
        let mut frame = Frame::new(1, 1, Srgba8::WHITE).expect("small");
        grid.draw(&mut Renderer::new(&RenderSettings::default()).expect("a renderer"), &mut frame).expect("drawn");
        let halves = frame.rows().map(|row| row.split_at(120)).map(|(left, right)| (left.to_vec(), right.to_vec()));
        halves.unzip::<_, _, Vec<_>, Vec<_>>()
    };
    let (front, right) = drawn("all");
    assert!(front == drawn("not resname GLY").0 && right == drawn("not resname ALA").1);
}

#[test]
fn hydrogen_bonds_follow_the_rule_that_the_hydrogens_allow() {
    let folder = Folder::new();
    let pair = folder.file("pair.pdb", PAIR);
    let rule = ContactRule::HydrogenBond(HydrogenBondRule::WernetNilsson);
    let loaded = load(&pair, &contacts("all", "all", rule)).expect("a picture");
    assert!(note(&loaded, "1 hydrogen bond by the rule wernet-nilsson"), "{:?}", loaded.notes);
    assert_eq!(loaded.figure.labels[0].text, "2.0 Å", "from the hydrogen");
    // a hydrogen that is not drawn still counts
    let hidden = LoadOptions { hide: Some("hydrogen".into()), ..contacts("all", "all", rule) };
    let loaded = load(&pair, &hidden).expect("a picture");
    assert!(note(&loaded, "1 hydrogen bond by the rule wernet-nilsson"), "{:?}", loaded.notes);
    assert_eq!(loaded.figure.labels[0].text, "3.0 Å", "from the donor");
    let heavy: String = PAIR.lines().filter(|line| !line.contains(" H1 ")).map(|line| format!("{line}\n")).collect();
    let heavy = folder.file("heavy.pdb", &heavy);
    let all = overrides(|o| {
        o.hbonds = Some(HydrogenBondRule::BakerHubbard);
        o.style = vec![(None, MoleculeStyle::BallAndStick)];
    });
    let loaded = load(&heavy, &all).expect("a picture");
    let expected = "1 hydrogen bond of N and O within 3.5 Å: without hydrogens, angles to bonds are at least 90°";
    assert!(note(&loaded, expected), "{:?}", loaded.notes);
    let both = LoadOptions { contacts: contacts("all", "all", rule).contacts, ..all };
    let twice = load(&heavy, &both).expect("a picture");
    assert_eq!(cylinders(&twice), cylinders(&loaded), "a line is drawn once");
}

#[test]
fn contacts_of_scenes_are_those_of_options() {
    let folder = Folder::new();
    folder.file("pair.pdb", PAIR);
    let scene = |keys: &str| {
        let text = format!("[[spheres]]\nfile = \"pair.pdb\"\nstyle = \"ball-and-stick\"\n{keys}\n");
        load(folder.file("pair.toml", &text), &LoadOptions::default())
    };
    let pair = folder.0.path().join("pair.pdb");
    for (keys, rule) in [
        ("contacts = [{ select = \"chain A\", with = \"chain B\" }]", ContactRule::default()),
        ("contacts = [{ select = \"chain A\", with = \"chain B\", by = 2.5 }]", ContactRule::Distance(2.5)),
        (
            "contacts = [{ select = \"chain A\", with = \"chain B\", by = \"hbonds\" }]",
            ContactRule::HydrogenBond(HydrogenBondRule::BakerHubbard),
        ),
    ] {
        let bare = load(&pair, &contacts("chain A", "chain B", rule)).expect("a picture");
        let of_scene = scene(keys).expect("a scene");
        assert_eq!(cylinders(&of_scene), cylinders(&bare), "{keys}");
        assert_eq!(of_scene.figure.labels, bare.figure.labels, "{keys}");
    }
    let hbonds = scene("hbonds = \"wernet-nilsson\"").expect("a scene");
    assert_eq!(hbonds.figure.labels.len(), 1);
    for (keys, expected) in [
        ("contacts = [{ select = \"chain A\", with = \"chain B\", by = \"near\" }]", "a positive distance, hbonds"),
        ("contacts = [{ select = \"chain A\" }]", "with"),
        ("contacts = [{ select = \"chain A\", with = \"chan B\" }]", "contacts"),
        ("hbonds = \"luzar\"", "baker-hubbard"),
    ] {
        let message = scene(keys).expect_err(keys).to_string();
        assert!(message.contains("pair.toml:4") && message.contains(expected), "{message}");
    }
}

#[test]
fn contacts_go_through_the_walls_of_a_box() {
    let folder = Folder::new();
    let text = "2\nLattice=\"10 0 0 0 10 0 0 0 10\" Properties=species:S:1:pos:R:3\nO 1 5 5\nN 8.2 5 5\n";
    let file = folder.file("box.xyz", format!("{text}{text}"));
    let options = contacts("element O", "element N", ContactRule::Distance(3.0));
    let loaded = load(&file, &options).expect("a picture");
    assert_eq!(loaded.figure.labels[0].text, "2.8 Å");
    let xs = |loaded: &LoadedScene<'static>| -> Vec<f32> {
        let groups = &spheres(loaded).shapes.cylinders;
        groups.iter().flat_map(|group| group.shapes.iter().flat_map(|of| [of.start[0], of.end[0]])).collect()
    };
    assert!(xs(&loaded).iter().all(|x| *x < 1.0 || *x > 8.0), "{:?}", xs(&loaded));
    // frames of one picture, and copies of the box
    let both = load_several(std::slice::from_ref(&file), &FrameChoice::All, &options).expect("a picture");
    assert_eq!(cylinders(&both), 2 * cylinders(&loaded));
    assert!(
        (0..2).all(|frame| note(&both, &format!("box.xyz, frame {frame}: 1 contact within 3 Å"))),
        "{:?}",
        both.notes
    );
    let copies = load(&file, &LoadOptions { replicate: Some([2, 1, 1]), ..options }).expect("a picture");
    assert_eq!((cylinders(&copies), copies.figure.labels.len()), (2 * cylinders(&loaded), 1));
}

#[test]
fn contacts_of_tables_have_no_unit() {
    let folder = Folder::new();
    let table = folder.file("grains.csv", "x,y,z,r,kind\n0,0,0,1,a\n3,0,0,1,b\n9,0,0,1,b\n");
    let mut options = contacts("kind a", "kind b", ContactRule::Distance(5.0));
    options.style.clear();
    let loaded = load(&table, &options).expect("a picture");
    assert!(note(&loaded, "1 contact within 5"), "{:?}", loaded.notes);
    assert_eq!(loaded.figure.labels[0].text, "3.0");
    options.hbonds = Some(HydrogenBondRule::default());
    let refused = load(&table, &options).expect_err("a table").to_string();
    assert!(refused.contains("hbonds is for molecules"), "{refused}");
    let legend = format!("{:?}", loaded.figure.legend);
    assert!(legend.contains("name: \"contacts\"") && legend.contains("count: 1"), "{legend}");
}

#[test]
fn tubes_follow_chains_and_break_at_gaps() {
    let folder = Folder::new();
    let file = folder.file("chains.pdb", chains());
    let styled = |given: Vec<(Option<String>, MoleculeStyle)>| {
        load(&file, &overrides(|o| o.style = given.clone())).expect("a picture")
    };
    let tube = styled(vec![(None, MoleculeStyle::Trace)]);
    // A: 1 to 2 and 4 to 5, B: 1 to 3; five cylinders from one to the next
    assert_eq!(cylinders(&tube), 4 * 5);
    let shown = |loaded: &LoadedScene<'static>| {
        spheres(loaded).groups[0].spheres.iter().filter(|sphere| sphere.radius > 0.0).count()
    };
    assert_eq!(shown(&tube), 7);
    assert!(
        note(
            &tube,
            "1 residue has no CA or P of a chain, and no tube; --style ligand sticks draws ligands, --style ion spacefill ions"
        ),
        "{:?}",
        tube.notes
    );
    // the legend lists what is drawn
    let named = load(
        &file,
        &overrides(|o| {
            (o.style, o.color_by) = (vec![(None, MoleculeStyle::Trace)], Some("resname".into()));
            o.figure.legend = Some(LegendChoice::COUNTS);
        }),
    );
    let legend = format!("{:?}", named.expect("a picture").figure.legend);
    assert!(legend.contains("ALA") && !legend.contains("GOL") && legend.contains("count: 7"), "{legend}");
    // a side chain grows out of the tube
    let sticks = ("chain B and resid 2 and name CB", MoleculeStyle::Sticks);
    let grown = styled(vec![(None, MoleculeStyle::Trace), (Some(sticks.0.to_owned()), sticks.1)]);
    assert_eq!((cylinders(&grown), shown(&grown)), (4 * 5 + 1, 8));
    let scene = folder.file("tube.toml", "[[spheres]]\nfile = \"chains.pdb\"\nstyle = \"trace\"\n");
    assert_eq!(cylinders(&load(scene, &LoadOptions::default()).expect("a scene")), 4 * 5);
}

#[test]
fn atoms_without_a_style_are_neither_framed_nor_labelled_nor_ranked() {
    let folder = Folder::new();
    let file = folder.file("chains.pdb", chains());
    let read = |change: &dyn Fn(&mut LoadOptions)| load(&file, &overrides(change)).expect("a picture");
    let styles = |o: &mut LoadOptions| {
        o.style = vec![(None, MoleculeStyle::None), (Some("chain B".into()), MoleculeStyle::Spacefill)];
        o.figure.label = vec![("resid 2".into(), "{chain}".into())];
    };
    let only = read(&|o| (o.only, o.style) = (Some("chain B".into()), vec![(None, MoleculeStyle::Spacefill)]));
    let styled = read(&styles);
    assert_eq!(spheres(&styled).view.camera, spheres(&only).view.camera);
    assert_eq!(spheres(&styled).count(), 6);
    assert_eq!(styled.figure.labels.iter().map(|label| label.text.as_str()).collect::<Vec<_>>(), ["B"]);
    let tube = |change: &dyn Fn(&mut LoadOptions)| {
        read(&|o| {
            (o.style, o.color_by) = (vec![(None, MoleculeStyle::Trace)], Some("b_factor".into()));
            o.figure.legend = Some(LegendChoice::ON);
            change(o);
        })
    };
    let unnamed = tube(&|o| o.figure.label = vec![("resname GOL".into(), "ligand".into())]);
    assert!(unnamed.figure.labels.is_empty() && note(&unnamed, "a label names nothing that is drawn"));
    // CA atoms have from 5 to 9, and CB atoms 1
    let legend = format!("{:?}", unnamed.figure.legend);
    assert!(legend.contains("extremes: [5.0, 9.0]"), "{legend}");
    // contacts and selections know atoms that are not drawn
    let near = read(&|o| {
        styles(o);
        o.highlight = vec![("chain B and within 8 of chain A".into(), Srgba8::WHITE)];
    });
    assert!(!near.notes.iter().any(|note| note.contains("no row that is drawn")), "{:?}", near.notes);
    let nothing = read(&|o| o.style = vec![(None, MoleculeStyle::None)]);
    assert_eq!(spheres(&nothing).count(), 0);
}

#[test]
fn tubes_are_as_thick_as_radii_say() {
    let folder = Folder::new();
    let file = folder.file("chains.pdb", chains());
    let radii = |change: &dyn Fn(&mut LoadOptions)| {
        let options = overrides(|o| {
            o.style = vec![(None, MoleculeStyle::Trace)];
            o.only = Some("polymer".to_owned());
            change(o);
        });
        let scene = load(&file, &options).expect("a picture");
        let scene = spheres(&scene);
        let mut radii: Vec<f32> = scene.groups[0]
            .spheres
            .iter()
            .map(|sphere| sphere.radius)
            .filter(|radius| *radius > 0.0 && *radius < 1.6)
            .collect();
        radii.sort_unstable_by(f32::total_cmp);
        radii.dedup();
        radii
    };
    assert_eq!(radii(&|_| {}), [0.5]);
    assert_eq!(radii(&|o| o.radius = Some("0.3".into())), [0.3]);
    assert_eq!(radii(&|o| o.radius_of = vec![("chain B".into(), 0.25)]), [0.25, 0.5]);
    let putty = radii(&|o| (o.radius, o.radius_range) = (Some("b_factor".into()), Some([0.2, 1.4])));
    let sized = overrides(|o| {
        (o.style, o.radius) = (vec![(None, MoleculeStyle::Trace)], Some("b_factor".into()));
        (o.radius_range, o.figure.legend) = (Some([0.2, 1.4]), Some(LegendChoice::ON));
    });
    let legend = format!("{:?}", load(&file, &sized).expect("a picture").figure.legend);
    assert!(legend.contains("Sizes") && legend.contains("b_factor"), "{legend}");
    // CA atoms have from 5 to 9, and CB atoms the least of all, 1; radii grow with the roots
    let expected = [5.0_f32, 6.0, 7.0, 8.0, 9.0].map(|b| 0.2 + 1.2 * (b.sqrt() - 1.0) / 2.0);
    assert!(
        putty.len() == 5 && putty.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-5),
        "{putty:?} {expected:?}"
    );
}

#[test]
fn pictures_of_contacts_and_tubes_differ_from_plain_ones() {
    let folder = Folder::new();
    let file = folder.file("pair.pdb", PAIR);
    let draw = |options: &LoadOptions| drawn(&load(&file, options).expect("a picture"));
    let plain =
        LoadOptions { width: Some(160), style: vec![(None, MoleculeStyle::BallAndStick)], ..LoadOptions::default() };
    let contacts =
        LoadOptions { contacts: contacts("chain A", "chain B", ContactRule::default()).contacts, ..plain.clone() };
    let [plain, lines] = [draw(&plain), draw(&contacts)];
    assert_ne!(plain.pixels(), lines.pixels());
}
