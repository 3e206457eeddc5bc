//! Columns of trajectories: from a topology, and computed from other columns and frames.

use crate::files::{Folder, overrides};
use roundel::io::{DataSource, Description, LoadOptions, describe, load};

const DATA: &str = "made\n\n4 atoms\n2 atom types\n1 bonds\n1 bond types\n\n0 10 xlo xhi\n0 10 ylo yhi\n0 10 zlo zhi\n\n\
    Masses\n\n1 28.085\n2 15.999\n\nAtoms # full\n\n3 2 2 0.0 7 1 1\n1 1 1 0.5 1 1 1\n4 2 1 0.0 9 1 1\n2 1 2 -0.5 3 1 1\n\nBonds\n\n1 1 1 2\n";

fn dump(atoms: &[[f64; 4]], step: u32) -> String {
    let rows: String = atoms.iter().map(|[id, x, y, z]| format!("{id} {x} {y} {z}\n")).collect();
    format!(
        "ITEM: TIMESTEP\n{step}\nITEM: NUMBER OF ATOMS\n{}\nITEM: BOX BOUNDS pp pp pp\n0 10\n0 10\n0 10\nITEM: ATOMS id x y z\n{rows}",
        atoms.len()
    )
}

fn source(folder: &Folder, name: &str, text: &str, options: &LoadOptions) -> DataSource {
    let Description { mut sources, .. } =
        describe(folder.file(name, text), options).unwrap_or_else(|error| panic!("{name}: {error}"));
    sources.remove(0)
}

#[test]
fn a_topology_adds_columns_and_bonds_to_a_dump_by_the_numbers_of_atoms() {
    let folder = Folder::new();
    let topology = folder.file("sys.data", DATA).display().to_string();
    // not in order, and an atom has left
    let text = dump(&[[2.0, 3.0, 1.0, 1.0], [4.0, 9.0, 1.0, 1.0], [1.0, 1.0, 1.0, 1.0]], 0);
    let with = |change: fn(&mut LoadOptions)| {
        let mut options = overrides(|o| o.topology = Some(topology.clone()));
        change(&mut options);
        options
    };
    let found = source(&folder, "t.dump", &text, &with(|_| {}));
    assert_eq!((found.records, found.bonds), (3, 1), "the bond of atoms 1 and 2");
    for name in ["molecule", "type", "charge", "mass"] {
        assert!(found.columns.iter().any(|column| column == name), "{name}: {:?}", found.columns);
    }
    for (selection, count) in
        [("molecule 1", 2), ("type 1", 2), ("charge < 0", 1), ("mass > 20", 2), ("molecule 2 and type 1", 1)]
    {
        let mut options = with(|_| {});
        options.only = Some(selection.into());
        assert_eq!(crate::files::centers(&folder.spheres("t.dump", &text, &options)).len(), count, "{selection}");
    }
    assert!(load(folder.file("t.dump", &text), &with(|o| o.color_by = Some("type".into()))).is_ok());
    let other = dump(&[[20.0, 1.0, 1.0, 1.0]], 0);
    let message = folder.refusal_with("t.dump", &other, &with(|o| o.color_by = Some("type".into())));
    assert!(message.contains("has none of their numbers"), "{message}");
}

#[test]
fn a_topology_fits_any_trajectory_with_as_many_atoms() {
    let folder = Folder::new();
    let topology = folder.file("sys.data", DATA).display().to_string();
    let by_order = overrides(|o| (o.topology, o.only) = (Some(topology), Some("type 2".into())));
    let xyz = "4\n\nC 1 0 0\nC 2 0 0\nC 3 0 0\nC 4 0 0\n";
    // in the order of the file: types 2, 1, 1, 2
    assert_eq!(crate::files::centers(&folder.spheres("t.xyz", xyz, &by_order)), [[1.0, 0.0, 0.0], [4.0, 0.0, 0.0]]);
    let message = folder.refusal_with("t.xyz", "2\n\nC 1 0 0\nC 2 0 0\n", &by_order);
    assert!(
        message.starts_with("topology must have the atoms of t.xyz, 2; ") && message.ends_with("has 4"),
        "{message}"
    );
}

#[test]
fn formulas_may_name_columns_that_are_made_in_words() {
    let folder = Folder::new();
    let text = dump(&[[1.0, 1.0, 1.0, 1.0], [2.0, 2.0, 1.0, 1.0], [3.0, 3.0, 1.0, 1.0], [4.0, 8.0, 8.0, 8.0]], 0);
    let kept = |compute: &[&str], only: &str| {
        let options = overrides(|o| {
            o.compute = compute.iter().map(|&text| text.to_owned()).collect();
            o.only = Some(only.into());
        });
        crate::files::centers(&folder.spheres("c.dump", &text, &options)).len()
    };
    assert_eq!(kept(&["n = coordination within 1.5", "m = n*2"], "m = 4"), 1);
    assert_eq!(kept(&["n = coordination within 1.5", "m = n*2", "k = m + n"], "k = 3"), 2);
    assert_eq!(kept(&["m = 2*coordination + x"], "m > 0"), 4);
    assert_eq!(kept(&["d = distance to id 1", "e = d^2"], "e < 1.5"), 2);
    let message = folder.refusal_with("c.dump", &text, &overrides(|o| o.compute = vec!["m = nothing*2".into()]));
    assert!(message.contains("must name columns of c.dump, got \"nothing\""), "{message}");
}

#[test]
fn displacements_since_a_frame_go_the_shortest_way() {
    let folder = Folder::new();
    let first = dump(&[[1.0, 9.5, 1.0, 1.0], [2.0, 5.0, 5.0, 5.0]], 0);
    // atom 1 crosses the boundary, and the order changes
    let second = dump(&[[2.0, 5.0, 5.0, 7.0], [1.0, 0.5, 1.0, 1.0]], 1);
    let text = first + &second;
    let options = |frame: i64| {
        overrides(|o| {
            (o.compute, o.frame) = (vec!["u = displacement since 0".into()], Some(frame));
            o.only = Some("u > 0.9 and u < 1.1".into());
        })
    };
    assert_eq!(crate::files::centers(&folder.spheres("d.dump", &text, &options(1))), [[0.5, 1.0, 1.0]]);
    let colored = overrides(|o| (o.color_by, o.frame) = (Some("displacement since 0".into()), Some(1)));
    let found = source(&folder, "d.dump", &text, &colored);
    let colors = format!("{:?}", found.colors);
    assert!(colors.contains("displacement since 0"), "{colors}");
    let message =
        folder.refusal_with("d.dump", &text, &overrides(|o| o.color_by = Some("displacement since 7".into())));
    assert!(message.contains("displacement since 7 is not in d.dump, which has frames 0 to 1"), "{message}");
    let message =
        folder.refusal_with("d.dump", &text, &overrides(|o| o.compute = vec!["u = displacement since x".into()]));
    assert!(message.contains("must be the number of a frame"), "{message}");
}
