//! Molecules and crystals: disorder, sites that elements share, chains, and records that are read or noted.

use crate::files::{Folder, overrides};
use roundel::io::{LoadOptions, MoleculeStyle, describe, load};
use roundel::spheres::Transparency;

fn notes(folder: &Folder, name: &str, text: impl AsRef<[u8]>) -> Vec<String> {
    load(folder.file(name, text), &LoadOptions::default()).expect(name).notes
}

fn has(notes: &[String], part: &str) -> bool {
    notes.iter().any(|note| note.contains(part))
}

const CELL: &str = "data_x\n_cell_length_a 12\n_cell_length_b 12\n_cell_length_c 12\n_cell_angle_alpha 90\n\
    _cell_angle_beta 90\n_cell_angle_gamma 90\n";

const SITES: &str = "loop_\n_atom_site_label\n_atom_site_type_symbol\n_atom_site_fract_x\n_atom_site_fract_y\n\
    _atom_site_fract_z\n_atom_site_occupancy\n";

/// A CF3 group in two orientations, whose atoms alternate.
fn disordered(assembly: &str, group: &str, first: &str, second: &str) -> String {
    let rows = [
        ("C1 C 0.3 0.3 0.3 1", ". ."),
        ("C2 C 0.3 0.3 0.425 1", ". ."),
        ("F1A F 0.40417 0.3 0.4625 0.6", first),
        ("F1B F 0.35208 0.39021 0.4625 0.4", second),
        ("F2A F 0.24792 0.39021 0.4625 0.6", first),
        ("F2B F 0.19583 0.3 0.4625 0.4", second),
        ("F3A F 0.24792 0.20979 0.4625 0.6", first),
        ("F3B F 0.35208 0.20979 0.4625 0.4", second),
    ];
    let rows: String = rows.map(|(atom, disorder)| format!("{atom} {disorder}\n")).concat();
    format!(
        "{CELL}_symmetry_space_group_name_H-M 'P 1'\n{SITES}_atom_site_disorder_{assembly}\n_atom_site_disorder_{group}\n{rows}"
    )
}

#[test]
fn the_most_occupied_of_disordered_groups_is_drawn() {
    let folder = Folder::new();
    for (name, text) in [
        ("named.cif", disordered("assembly", "group", "A 1", "A 2")),
        ("numbers.cif", disordered("assembly", "group", ". 1", ". 2")),
        ("words.cif", disordered("assembly", "group", "A a", "A b")),
        ("filled.cif", disordered("assembly", "group", "A 1", "A 2").replace("'P 1'", "'P -1'")),
    ] {
        let factor = if name == "filled.cif" { 2 } else { 1 };
        let path = folder.file(name, &text);
        let source = &describe(&path, &LoadOptions::default()).expect(name).sources[0];
        assert_eq!((source.records, source.alternates), (5 * factor, 3 * factor), "{name}");
        assert_eq!(source.bonds, 4 * factor, "{name}: one C-C and three C-F");
        let note = "of disordered groups the most occupied is drawn";
        assert!(has(&notes(&folder, name, &text), note), "{name}");
    }
}

#[test]
fn groups_on_elements_of_symmetry_are_not_bonded_to_their_images() {
    let folder = Folder::new();
    // a chain of two carbons beside a centre of inversion, whose image would be 1.3 away
    let text = |group: &str| {
        let site = |name: &str, x: f32| format!("{name} C {x} 0.52 0.5 0.5 A {group}\n");
        let rows = [site("C1", 0.45), site("C2", 0.33)].concat();
        format!(
            "{CELL}_symmetry_space_group_name_H-M 'P -1'\n{SITES}_atom_site_disorder_assembly\n_atom_site_disorder_group\n{rows}"
        )
    };
    for (group, bonds) in [("1", 3), ("-1", 2)] {
        let path = folder.file("a.cif", text(group));
        let source = &describe(&path, &LoadOptions::default()).expect("read").sources[0];
        assert_eq!((source.records, source.bonds), (4, bonds), "group {group}");
    }
}

#[test]
fn atoms_of_two_alternate_locations_are_not_bonded() {
    let folder = Folder::new();
    let atom = |serial: u32, residue: &str, place: char, x: f32, occupancy: f32| {
        format!(
            "HETATM{serial:>5}  C1 {place}LIG A{residue:>4}    {x:>8.3}{:>8.3}{:>8.3}{occupancy:>6.2}  0.00           C\n",
            0.0, 0.0
        )
    };
    // the first residue is drawn at its place A, the second at B
    let text = |second: char| {
        [
            atom(1, "1", 'A', 0.0, 0.6),
            atom(2, "1", 'B', 0.9, 0.4),
            atom(3, "2", 'A', 8.0, 0.4),
            atom(4, "2", second, 1.5, 0.6),
        ]
        .concat()
    };
    assert_eq!(folder.source("ab.pdb", text('B')).bonds, 0, "A and B are never there together");
    assert_eq!(folder.source("a.pdb", text(' ')).bonds, 1);
}

#[test]
fn sites_that_two_elements_share_are_noted() {
    let folder = Folder::new();
    let rows = "Sr1 Sr 0.25 0.25 0.25 0.5\nLa1 La 0.25 0.25 0.25 0.5\nF1 F 0.5 0.5 0.5 0.1667\nO1 O 0.5 0.5 0.5 0.8333\nFe1 Fe 0 0 0 0.7\n";
    for group in ["'P 1'", "'P m -3 m'"] {
        let text = format!("{CELL}_symmetry_space_group_name_H-M {group}\n{SITES}{rows}");
        let note = "elements share a site, of which the most occupied is drawn: O for O and F, Sr for Sr and La";
        let found = notes(&folder, "mixed.cif", &text);
        assert!(has(&found, note), "{group}: {found:?}");
        let mut elements = folder.source("mixed.cif", &text).elements;
        elements.sort();
        let names: Vec<&str> = elements.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["Fe", "O", "Sr"], "{group}");
    }
}

#[test]
fn sites_that_two_elements_share_are_found_without_letters_of_alternates() {
    let folder = Folder::new();
    let atom = |element: &str, x: f32, occupancy: f32| {
        format!(
            "HETATM    1 {element:<4} UNK A   1    {x:>8.3}   0.000   0.000{occupancy:>6.2}  0.00          {element}\n"
        )
    };
    let text = [
        atom("FE", 0.0, 0.4),
        atom(" O", 2.0, 1.0),
        atom("MN", 0.0, 0.6),
        // one element, whose halves may belong to different molecules
        atom(" C", 5.0, 0.5),
        atom(" C", 5.0, 0.5),
        // occupancies that are not known
        atom(" N", 8.0, 0.0),
        atom(" S", 8.0, 0.0),
    ]
    .concat();
    let note = "of disordered groups the most occupied is drawn: 1 atom is left out";
    assert!(has(&notes(&folder, "mixed.pdb", &text), note));
    let mut elements = folder.source("mixed.pdb", &text).elements;
    elements.sort();
    assert_eq!(elements.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["C", "Mn", "N", "O", "S"]);
}

fn pdb_atom(residue: &str, chain: &str, rest: &str) -> String {
    // the chain begins in the column after the three letters of the residue
    format!("ATOM      1  CA  {residue:>3}{chain:>2}   1     {rest}\n")
}

#[test]
fn chains_of_two_letters_stand_beside_chains_of_one() {
    let folder = Folder::new();
    let place = "  0.000   0.000   0.000  1.00  0.00           C";
    let chains = |residues: &[(&str, &str)]| {
        let text: String = residues.iter().map(|(residue, chain)| pdb_atom(residue, chain, place)).collect();
        folder.source("c.pdb", text).chains
    };
    assert_eq!(
        chains(&[("ALA", "A"), ("GLY", "Z"), ("ALA", "AA"), ("HOH", "AB"), ("DA", "AC")]),
        ["A", "Z", "AA", "AB", "AC"]
    );
    // many of one letter come first, as in a real structure; ligands have the columns of the rest
    let many: Vec<(&str, &str)> =
        std::iter::repeat_n(("ALA", "A"), 2000).chain([("SER", "AA"), ("HEM", "AA")]).collect();
    assert_eq!(chains(&many), ["A", "AA"]);
    let alone = folder
        .file("c.pdb", pdb_atom("ALA", "A", place) + &pdb_atom("ALA", "AA", place) + &pdb_atom("HEM", "AA", place));
    let named = |selection: &str| load(&alone, &overrides(|o| o.only = Some(selection.into()))).is_ok();
    assert!(!named("resname ALAA") && !named("resname HEMA") && named("resname HEM and chain AA"));
    // names of four letters of force fields
    let four = |name: &str| folder.source("f.pdb", format!("ATOM      1  C   {name}B   1     {place}\n")).chains;
    for name in ["POPC", "GLUP", "LYSH", "HISE", "NALA", "TIP3", "LIG1"] {
        assert_eq!(four(name), ["B"], "{name}");
    }
}

#[test]
fn helices_are_found_in_chains_of_two_letters() {
    let folder = Folder::new();
    let helix = "HELIX    1   1 ALAAA    1  ALAAA    1  1                                   1\n".to_owned();
    let place = "  0.000   0.000   0.000  1.00  0.00           C";
    let text = helix + &pdb_atom("ALA", "A", place) + &pdb_atom("ALA", "AA", place);
    let path = folder.file("h.pdb", text);
    let drawn = folder.spheres(
        "h.pdb",
        std::fs::read(&path).expect("written"),
        &overrides(|o| o.only = Some("structure helix".into())),
    );
    assert_eq!(crate::files::centers(&drawn).len(), 1);
}

#[test]
fn structures_have_one_colour_each_in_all_files() {
    let folder = Folder::new();
    let helix = "HELIX    1   1 ALA H    1  ALA H    1  1                                   1\n".to_owned();
    let place = "  0.000   0.000   0.000  1.00  0.00           C";
    let options = overrides(|o| o.color_by = Some("structure".into()));
    let colors = |chains: [&str; 2]| {
        let text = helix.clone() + &chains.map(|chain| pdb_atom("ALA", chain, place)).concat();
        let scene = folder.spheres("h.pdb", text, &options);
        let group = &scene.groups[0];
        [group.spheres.at(0).color, group.spheres.at(1).color]
    };
    let [helix_first, coil_second] = colors(["H", "A"]);
    assert_eq!(colors(["A", "H"]), [coil_second, helix_first]);
    assert_ne!(helix_first, coil_second);
}

#[test]
fn segments_are_chains_where_there_are_none() {
    let folder = Folder::new();
    let atom = |chain: &str, segment: &str| {
        pdb_atom("ALA", chain, &format!("  0.000   0.000   0.000  1.00  0.00      {segment:<4} C"))
    };
    assert_eq!(folder.source("s.pdb", atom(" ", "PROA") + &atom(" ", "WAT")).chains, ["PROA", "WAT"]);
    assert_eq!(folder.source("s.pdb", atom("A", "PROA") + &atom("B", "WAT")).chains, ["A", "B"]);
}

#[test]
fn bonds_of_hexadecimal_serial_numbers_are_found() {
    let folder = Folder::new();
    let atom = |serial: &str, x: f32| {
        format!("HETATM{serial:>5}  C1  LIG A   1    {x:>8.3}   0.000   0.000  1.00  0.00           C\n")
    };
    let text =
        [atom("99999", 0.0), atom("186a0", 9.0), atom("186a1", 18.0), "CONECT99999186a0\nCONECT186a0186a1\n".into()]
            .concat();
    let source = folder.source("hex.pdb", text);
    assert_eq!(source.bonds, 2);
    let serials = source.ranges.iter().find(|(name, _)| name == "serial").map(|(_, range)| range[1]);
    assert_eq!(serials, Some(100_001.0));
}

#[test]
fn later_structures_of_a_cif_are_noted() {
    let folder = Folder::new();
    let block = |name: &str| {
        format!(
            "data_{name}\nloop_\n_atom_site.id\n_atom_site.type_symbol\n_atom_site.Cartn_x\n_atom_site.Cartn_y\n_atom_site.Cartn_z\n1 C 0 0 0\n"
        )
    };
    let restraints = "data_comp_ALA\nloop_\n_chem_comp_bond.comp_id\n_chem_comp_bond.atom_id_1\nALA CA\n";
    let found = notes(&folder, "two.cif", block("first") + &block("Second") + restraints);
    assert!(has(&found, "the first structure is drawn, and not the data block Second"), "{found:?}");
    let one = notes(&folder, "one.cif", block("first") + restraints);
    assert!(!has(&one, "data block"), "{one:?}");
}

#[test]
fn ghost_atoms_are_noted() {
    let folder = Folder::new();
    let found = notes(&folder, "g.xyz", "4\nwater and a ghost\nO 0 0 0\nH 0.96 0 0\nH -0.24 0.93 0\nBq 3 0 0\n");
    assert!(has(&found, "1 ghost atom, which has no nucleus, is drawn; --hide 'element Bq'"), "{found:?}");
    let atom = |name: &str, element: &str| {
        format!("HETATM    1 {name}   LIG A   1       2.000   0.000   0.000  1.00  0.00          {element}\n")
    };
    let found = notes(&folder, "g.pdb", atom(" C", " C") + &atom("BQ", "BQ"));
    assert!(has(&found, "1 ghost atom, which has no nucleus, is drawn; --hide 'element Bq'"), "{found:?}");
    let hidden = overrides(|o| o.hide = Some("element Bq".into()));
    assert!(load(folder.file("g.xyz", "2\n\nC 0 0 0\nBq 3 0 0\n"), &hidden).is_ok());
}

#[test]
fn ribbons_are_no_sticks() {
    let message = "cartoon".parse::<MoleculeStyle>().expect_err("not drawn").to_string();
    assert!(message.contains("cartoons and surfaces are not drawn"), "{message}");
}

#[test]
fn molecules_show_their_first_surface_by_default() {
    let folder = Folder::new();
    let dump = "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n1\nITEM: BOX BOUNDS pp pp pp\n0 9\n0 9\n0 9\nITEM: ATOMS id x y z\n1 1 1 5\n";
    let pdb = pdb_atom("ALA", "A", "  0.000   0.000   0.000  1.00  0.00           C");
    let (front, shell) = (Transparency::Front, Transparency::Shell);
    for (name, text, given, expected) in [
        ("a.pdb", pdb.as_str(), None, front),
        ("a.pdb", pdb.as_str(), Some(shell), shell),
        ("a.dump", dump, None, shell),
        ("a.dump", dump, Some(front), front),
        ("a.toml", "[[spheres]]\nfile = 'a.pdb'\n", None, shell),
    ] {
        let scene = folder.spheres(name, text, &overrides(|o| o.transparency = given));
        assert_eq!(scene.shading.transparency, expected, "{name}, {given:?}");
    }
}
