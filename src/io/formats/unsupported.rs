//! Formats that are recognized but not read, and the formats to convert them to; formats that other builds read.

use crate::io::source::number::number;

/// Names a known format that is not read and says how to convert it; `None` if the format is unknown.
pub(super) fn advice(head: &[u8], extension: Option<&str>) -> Option<String> {
    if let Some(message) = other_build(|format| {
        (format.sniff)(head) || extension.is_some_and(|extension| format.extensions.contains(&extension))
    }) {
        return Some(message);
    }
    let by_mark = MARKS.iter().find(|(mark, _)| head.starts_with(mark)).map(|(_, kind)| kind);
    let named = |extensions: &[&str]| extension.is_some_and(|extension| extensions.contains(&extension));
    let by_name = || FAMILIES.iter().find(|(extensions, _)| named(extensions)).map(|(_, kind)| kind);
    let UnsupportedKind { what, convert } = by_mark.or_else(by_name)?;
    Some(format!("{what} is not supported; {convert}"))
}

/// Names a known format of text that others would be taken for; `None` if the text is none of these.
pub(super) fn of_text(text: &str) -> Option<String> {
    let known = [
        (text.starts_with("%VERSION"), AMBER_TOPOLOGY),
        (is_amber(text), AMBER),
        (is_poscar(text), VASP),
        (text.trim_start().starts_with('{') && text.contains("s_m_m2io_version"), MAESTRO),
        (text.starts_with("!BIOSYM archive"), BIOSYM),
    ];
    let (_, UnsupportedKind { what, convert }) = known.into_iter().find(|(is, _)| *is)?;
    Some(format!("{what} is not supported; {convert}"))
}

/// Whether a text is AMBER's coordinates: a title, the number of atoms and perhaps a time, then six numbers of twelve columns a line.
fn is_amber(text: &str) -> bool {
    let mut lines = text.lines().skip(1);
    let is_count = lines.next().is_some_and(|line| {
        let mut words = line.split_ascii_whitespace();
        words.next().is_some_and(|word| word.bytes().all(|byte| byte.is_ascii_digit()))
            && words.clone().count() <= 2
            && words.all(|word| word.parse::<f64>().is_ok())
    });
    let line = lines.next().unwrap_or_default().trim_end().as_bytes();
    let is_number = |field: &[u8]| field.get(4) == Some(&b'.') && number(field).is_some();
    is_count && matches!(line.len(), 36 | 72) && line.chunks(12).all(is_number)
}

/// Whether a text is a POSCAR: a title, a factor, three edges, perhaps the elements, the numbers of their atoms, and a kind of
/// coordinates.
fn is_poscar(text: &str) -> bool {
    let lines: Vec<Vec<&str>> = text.lines().take(9).map(|line| line.split_ascii_whitespace().collect()).collect();
    let are_numbers = |line: usize, count: usize| {
        lines.get(line).is_some_and(|words| {
            words.len() >= count && words[..count].iter().all(|word| number(word.as_bytes()).is_some())
        })
    };
    let are_counts = |line: usize| {
        let is_count = |word: &&str| word.bytes().all(|byte| byte.is_ascii_digit());
        lines.get(line).is_some_and(|words| !words.is_empty() && words.iter().all(is_count))
    };
    let has_names = lines.get(5).is_some_and(|words| {
        !words.is_empty() && words.iter().all(|word| word.starts_with(|letter: char| letter.is_ascii_uppercase()))
    });
    let counts = if has_names { 6 } else { 5 };
    let kind = lines.get(counts + 1).and_then(|words| words.first()).unwrap_or(&"");
    let is_kind = kind.starts_with(['S', 's', 'D', 'd', 'C', 'c', 'K', 'k']);
    are_numbers(1, 1) && (2..5).all(|line| are_numbers(line, 3)) && are_counts(counts) && is_kind
}

/// Says which feature reads the format of a name on the command line; `None` if it is no such format.
pub(super) fn named(name: &str) -> Option<String> {
    other_build(|format| format.extensions.contains(&name))
}

fn other_build(is: impl Fn(&OtherBuild) -> bool) -> Option<String> {
    let OtherBuild { what, feature, .. } = OTHER_BUILDS.iter().find(|format| is(format))?;
    Some(format!("{what} is read by a roundel that is built with --features {feature}; this one is not"))
}

/// A format that is read with a feature which this build does not have.
struct OtherBuild {
    what: &'static str,
    feature: &'static str,
    sniff: fn(&[u8]) -> bool,
    /// The first is its name.
    extensions: &'static [&'static str],
}

const OTHER_BUILDS: &[OtherBuild] = &[
    #[cfg(not(feature = "arrow"))]
    OtherBuild {
        what: "Parquet",
        feature: "arrow",
        sniff: |head| head.starts_with(b"PAR1"),
        extensions: &["parquet", "pq"],
    },
    #[cfg(not(feature = "arrow"))]
    OtherBuild {
        what: "Arrow",
        feature: "arrow",
        sniff: |head| head.starts_with(b"ARROW1"),
        extensions: &["arrow", "feather", "arrows", "ipc"],
    },
    #[cfg(not(feature = "svg"))]
    OtherBuild {
        what: "SVG",
        feature: "svg",
        sniff: |head| head.trim_ascii_start().starts_with(b"<svg"),
        extensions: &["svg"],
    },
];

#[derive(Clone, Copy)]
struct UnsupportedKind {
    what: &'static str,
    convert: &'static str,
}

const PICTURE: UnsupportedKind = UnsupportedKind { what: "a picture", convert: "roundel compare reads those" };
const HDF5: UnsupportedKind =
    UnsupportedKind { what: "HDF5", convert: "write its columns as .npz or .csv, with h5py or pandas" };
const SPREADSHEET: UnsupportedKind = UnsupportedKind { what: "a spreadsheet", convert: "save the sheet as .csv" };

const AMBER: UnsupportedKind = UnsupportedKind {
    what: "an AMBER coordinate file",
    convert: "convert it and the topology to .pdb, as with cpptraj or MDAnalysis",
};
const AMBER_TOPOLOGY: UnsupportedKind = UnsupportedKind {
    what: "an AMBER topology",
    convert: "convert it and the coordinates to .pdb, as with cpptraj or MDAnalysis",
};
const VASP: UnsupportedKind =
    UnsupportedKind { what: "a VASP file (POSCAR)", convert: "convert it to .xyz (extended) or .cif, as with ASE" };
const MAESTRO: UnsupportedKind =
    UnsupportedKind { what: "a Maestro file", convert: "convert it to .pdb, as with Schrödinger's structconvert" };
const BIOSYM: UnsupportedKind =
    UnsupportedKind { what: "a BIOSYM archive of Materials Studio", convert: "export the frames as .pdb or .xyz" };

/// First bytes.
const MARKS: [(&[u8], UnsupportedKind); 9] = [
    (b"\x89PNG\r\n\x1a\n", PICTURE),
    (b"\xff\xd8\xff", PICTURE),
    (b"GIF8", PICTURE),
    (b"\x89HDF\r\n\x1a\n", HDF5),
    (
        b"\xfd7zXZ\0",
        UnsupportedKind { what: "xz", convert: "decompress the file, or compress it with gzip, zstd or bzip2" },
    ),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", SPREADSHEET),
    (b"SQLite format 3\0", UnsupportedKind { what: "an SQLite database", convert: "export the table as .csv" }),
    (b"\xff\xfe", UnsupportedKind { what: "UTF-16 text", convert: "save the file as UTF-8" }),
    (b"\xfe\xff", UnsupportedKind { what: "UTF-16 text", convert: "save the file as UTF-8" }),
];

/// Endings of file names.
const FAMILIES: [(&[&str], UnsupportedKind); 16] = [
    (&["inpcrd", "rst7", "restrt", "mdcrd", "ncrst"], AMBER),
    (&["prmtop", "parm7"], AMBER_TOPOLOGY),
    (&["poscar", "contcar", "vasp"], VASP),
    (&["mae", "maegz"], MAESTRO),
    (&["arc"], BIOSYM),
    (
        &["mol", "mol2", "sdf", "cml", "cdx", "pqr", "pdbqt", "mmtf"],
        UnsupportedKind { what: "this format of molecules", convert: "convert it to .pdb or .xyz, as with Open Babel" },
    ),
    (
        &["trr", "tng", "nc", "ncdf", "crd", "gsd", "h5md"],
        UnsupportedKind {
            what: "this format of trajectories",
            convert: "convert it to .xtc, .dcd or .xyz, as with MDAnalysis",
        },
    ),
    (
        &["psf", "top", "tpr", "itp"],
        UnsupportedKind { what: "a topology", convert: "name a file with coordinates, such as .pdb or .gro" },
    ),
    (
        &["cfg", "xsf", "cube", "fhi", "castep", "cell"],
        UnsupportedKind {
            what: "this format of crystals",
            convert: "convert it to .xyz (extended) or .cif, as with ASE",
        },
    ),
    (&["h5", "hdf5", "hdf", "h5ad"], HDF5),
    (&["xls", "xlsx", "ods", "numbers"], SPREADSHEET),
    (
        &["vtk", "vtu", "vtp", "vtkhdf", "pvd", "xdmf"],
        UnsupportedKind { what: "VTK", convert: "export the points as .csv or .ply, as ParaView does" },
    ),
    (
        &["las", "laz", "e57", "pcd", "pts", "ptx"],
        UnsupportedKind {
            what: "this format of point clouds",
            convert: "convert it to .ply or .csv, as CloudCompare does",
        },
    ),
    (
        &["stl", "obj", "gltf", "glb", "fbx", "off", "3ds", "dae"],
        UnsupportedKind {
            what: "a mesh",
            convert: "only circles and spheres are drawn; export its vertices as .ply or .csv",
        },
    ),
    (
        &["shp", "geojson", "gpkg", "kml", "gpx"],
        UnsupportedKind {
            what: "this format of maps",
            convert: "export the points as .csv with longitude and latitude",
        },
    ),
    (
        &["zip", "tar", "tgz", "7z", "rar", "xz", "lz4", "br"],
        UnsupportedKind {
            what: "this format of archives",
            convert: "unpack it; gzip, zstd and bzip2 are read as they are",
        },
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_formats_get_advice() {
        let said = advice(b"\x89HDF\r\n\x1a\n....", None).expect("known by its mark");
        assert_eq!(said, "HDF5 is not supported; write its columns as .npz or .csv, with h5py or pandas");
        assert!(advice(b"@<TRIPOS>MOLECULE", Some("mol2")).is_some_and(|said| said.contains(".xyz")));
        for (text, what) in [
            ("%VERSION  VERSION_STAMP = V0001.000\n", "an AMBER topology"),
            (
                "ACE\n    2\n   2.0000001   1.0000000  -0.0000013   2.0000001   2.0900000   0.0000001\n",
                "an AMBER coordinate file",
            ),
            ("\n    1  0.5E+01\n   2.0000001   1.0000000  -0.0000013\n", "an AMBER coordinate file"),
            (
                "Si\n1.0\n5 0 0\n0 5 0\n0 0 5\nSi O\n1 2\nSelective dynamics\nDirect\n0 0 0 T T T\n",
                "a VASP file (POSCAR)",
            ),
            ("Si\n 1.0\n5 0 0\n0 5 0\n0 0 5\n8\ndirect\n0 0 0\n", "a VASP file (POSCAR)"),
            ("{\n  s_m_m2io_version\n  :::\n  2.0.0\n}\n", "a Maestro file"),
            ("!BIOSYM archive 3\n", "a BIOSYM archive of Materials Studio"),
        ] {
            assert!(
                of_text(text).is_some_and(|said| said.starts_with(&format!("{what} is not supported; "))),
                "{text}"
            );
        }
        for text in
            ["3\n\nH 0 0 0\n", "x y z\n1 2 3\n4 5 6\n", "1 2 3\n4 5 6\n7 8 9\n1 1 1\n2 2 2\n3 3 3\n4 4 4\n", "{}"]
        {
            assert_eq!(of_text(text), None, "{text}");
        }
        #[cfg(not(feature = "arrow"))]
        {
            let said =
                Some("Parquet is read by a roundel that is built with --features arrow; this one is not".to_owned());
            assert_eq!(
                (advice(b"PAR1....", None), advice(b"?", Some("pq")), named("parquet")),
                (said.clone(), said.clone(), said)
            );
        }
        assert_eq!(advice(b"anything", Some("unheard")), None);
        assert_eq!(advice(b"anything", None), None);
    }
}
