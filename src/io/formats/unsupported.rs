//! Formats that are recognized but not read, and the formats to convert them to; formats that other builds read.

/// Names a known format that is not read and says how to convert it; `None` if the format is unknown.
pub(super) fn advice(head: &[u8], extension: Option<&str>) -> Option<String> {
    if let Some(message) = other_build(|format| {
        (format.sniff)(head) || extension.is_some_and(|extension| format.extensions.contains(&extension))
    }) {
        return Some(message);
    }
    if is_amber_coordinates(head) {
        let convert = "convert it to .pdb, with its topology, as with cpptraj or MDAnalysis";
        return Some(format!("a file of AMBER coordinates (inpcrd, restart) is not supported; {convert}"));
    }
    let by_mark = MARKS.iter().find(|(mark, _)| head.starts_with(mark)).map(|(_, kind)| kind);
    let named = |extensions: &[&str]| extension.is_some_and(|extension| extensions.contains(&extension));
    let by_name = || FAMILIES.iter().find(|(extensions, _)| named(extensions)).map(|(_, kind)| kind);
    let UnsupportedKind { what, convert } = by_mark.or_else(by_name)?;
    Some(format!("{what} is not supported; {convert}"))
}

/// Whether a file has a title, a number of atoms, perhaps a time, and then six numbers a line in twelve columns each.
fn is_amber_coordinates(head: &[u8]) -> bool {
    let mut lines = head.split(|&byte| byte == b'\n').skip(1);
    let (Some(count), Some(first)) = (lines.next(), lines.next()) else { return false };
    let count = String::from_utf8_lossy(count);
    let mut words = count.split_ascii_whitespace();
    let is_count = words.next().is_some_and(|word| word.parse::<u64>().is_ok_and(|count| count > 0));
    let is_time = words.all(|word| word.parse::<f64>().is_ok());
    let columns = first.trim_ascii_end().chunks(12);
    let is_column = |column: &[u8]| {
        let text = String::from_utf8_lossy(column);
        column.get(4) == Some(&b'.') && text.trim().parse::<f64>().is_ok()
    };
    let sizes = first.trim_ascii_end().len();
    is_count && is_time && matches!(sizes, 36 | 72) && columns.into_iter().all(is_column)
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

struct UnsupportedKind {
    what: &'static str,
    convert: &'static str,
}

const PICTURE: UnsupportedKind = UnsupportedKind { what: "a picture", convert: "roundel compare reads those" };
const HDF5: UnsupportedKind =
    UnsupportedKind { what: "HDF5", convert: "write its columns as .npz or .csv, with h5py or pandas" };
const SPREADSHEET: UnsupportedKind = UnsupportedKind { what: "a spreadsheet", convert: "save the sheet as .csv" };

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
const FAMILIES: [(&[&str], UnsupportedKind); 11] = [
    (
        &["mol", "mol2", "sdf", "cml", "cdx", "mae", "pqr", "pdbqt", "mmtf"],
        UnsupportedKind { what: "this format of molecules", convert: "convert it to .pdb or .xyz, as with Open Babel" },
    ),
    (
        &["trr", "tng", "nc", "ncdf", "mdcrd", "crd", "rst7", "gsd", "h5md"],
        UnsupportedKind {
            what: "this format of trajectories",
            convert: "convert it to .xtc, .dcd or .xyz, as with MDAnalysis",
        },
    ),
    (
        &["psf", "prmtop", "parm7", "top", "tpr", "itp"],
        UnsupportedKind { what: "a topology", convert: "name a file with coordinates, such as .pdb or .gro" },
    ),
    (
        &["poscar", "contcar", "vasp", "cfg", "xsf", "cube", "fhi", "castep", "cell"],
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
