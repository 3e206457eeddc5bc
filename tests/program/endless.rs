//! Input without an end, and input that is too large for what is asked, is refused or left out at once.

use std::fs;

use crate::files::text;
use crate::shell::{refuses, succeeds};

#[test]
fn devices_are_not_read_for_ever() {
    let folder = tempfile::tempdir().expect("a folder");
    for format in ["pdb", "cif", "mol2", "pqr", "lammps-data", "ply"] {
        let arguments = format!("render /dev/urandom --format {format} -o no.png");
        refuses(folder.path(), &arguments, &["/dev/urandom:", "is no text"]);
    }
    fs::write(folder.path().join("h.xyz"), "1\n\nH 0 0 0\n").expect("a file");
    if cfg!(feature = "viewer") {
        refuses(folder.path(), "view h.xyz --replay /dev/zero -o no.png", &["/dev/zero: is longer than 16 MiB"]);
    }
    refuses(folder.path(), "render h.xyz --same-view /dev/zero -o no.png", &["/dev/zero: ", "may have 64 MiB"]);
}

#[test]
fn descriptions_leave_out_pictures_that_could_exceed_the_limit() {
    let folder = tempfile::tempdir().expect("a folder");
    let rows: String = (0..4000).map(|row| format!("{},{},{}\n", row % 20, row / 20 % 20, row / 400)).collect();
    fs::write(folder.path().join("t.csv"), format!("x,y,z\n{rows}")).expect("a file");
    let shows = |limit: &str| {
        let said = text(
            &succeeds(folder.path(), &format!("info t.csv -W 40 -H 30 --preview --look headlight {limit}")).stdout,
        );
        assert!(said.contains("4000 spheres"), "{said}");
        said.contains('\u{1b}')
    };
    assert!(shows("") && !shows("--limit-memory 1M"));
}
